//! Formats of models and motions that are not read: their names, for errors, with a way to glTF.
//!
//! The npm package has the same table in `www/gambol/src/load/other-formats.ts`; a test compares their words.

/// A format that is not read.
#[derive(Debug, PartialEq, Eq)]
pub struct OtherFormat {
    /// The format with its article, such as `a COLLADA document`.
    pub name: &'static str,
    /// The beginnings of files, after [`lead`]. `?` is any byte, and a space is one or more bytes of white space.
    begins: &'static [&'static str],
    /// The extensions of names.
    extensions: &'static [&'static str],
    /// A way to a file that is read, as a sentence.
    pub way: &'static str,
}

/// The number of bytes in which the beginning of a file is searched, as in the npm package.
const HEAD: usize = 2048;

const BLENDER: &str = "Open it in Blender (File, Import), and export glTF 2.0 as .glb.";
const ASSIMP: &str =
    "Convert it with Assimp (assimp export IN OUT.glb -fglb2), or export glTF from the program that made it.";
const PROGRAM: &str = "Export glTF 2.0 (.glb) or FBX from the program that made it.";
const MMD: &str = "Open it in Blender with the add-on MMD Tools, and export glTF 2.0 as .glb.";
const MOTION: &str = "Convert it to BVH or FBX, for example in Blender with an add-on.";

const fn row(
    name: &'static str,
    begins: &'static [&'static str],
    extensions: &'static [&'static str],
    way: &'static str,
) -> OtherFormat {
    OtherFormat { name, begins, extensions, way }
}

const FORMATS: &[OtherFormat] = &[
    row("a COLLADA document", &["<COLLADA"], &["dae"], ASSIMP),
    row("a USD scene", &["PXR-USDC", "#usda "], &["usd", "usda", "usdc", "usdz"], BLENDER),
    row(
        "a mesh in the format Wavefront OBJ",
        &["mtllib ", "usemtl ", "v ", "vn ", "vt ", "o ", "g ", "s "],
        &["obj"],
        BLENDER,
    ),
    row("a model of Doom 3 (MD5)", &["MD5Version "], &["md5mesh", "md5anim", "md5camera"], ASSIMP),
    row("a mesh in the format STL", &["solid "], &["stl"], BLENDER),
    row("a mesh in the format PLY", &["ply\n", "ply\r\n"], &["ply"], BLENDER),
    row("a scene of Blender", &["BLENDER"], &["blend"], "Open it in Blender, and export glTF 2.0 as .glb."),
    row("a scene of Maya", &["//Maya", "FOR4????Maya", "FOR8????????????Maya"], &["ma", "mb"], PROGRAM),
    row("a scene of 3ds Max", &[], &["max"], PROGRAM),
    row("a scene of Cinema 4D", &["QC4DC4D6"], &["c4d"], PROGRAM),
    row("a scene in the format 3DS", &[], &["3ds"], ASSIMP),
    row("an Alembic cache", &["Ogawa"], &["abc"], BLENDER),
    row("an X3D or VRML scene", &["#VRML", "<X3D"], &["x3d", "wrl"], BLENDER),
    row("a model of MikuMikuDance", &["PMX ", "Pmd"], &["pmx", "pmd"], MMD),
    row("a motion of MikuMikuDance", &["Vocaloid Motion Data"], &["vmd"], MMD),
    row("a model of Quake", &["IDP2", "IDP3", "IDPO"], &["md2", "md3", "mdl"], ASSIMP),
    row("a model of Source or Half-Life", &["IDST", "version 1 nodes"], &["smd", "qc", "vta"], ASSIMP),
    row("a model of MilkShape", &["MS3D000000"], &["ms3d"], ASSIMP),
    row("a model of Blitz3D", &["BB3D"], &["b3d"], ASSIMP),
    row("a model of LightWave", &["FORM????LW"], &["lwo", "lws"], ASSIMP),
    row("a CAD model", &["ISO-10303-21"], &["step", "stp", "iges", "igs"], PROGRAM),
    row(
        "an asset of Unity",
        &["%YAML"],
        &["anim", "prefab", "unity", "unitypackage"],
        "Export it from Unity with the package UnityGLTF or glTFast.",
    ),
    row(
        "an asset of Unreal",
        &[],
        &["uasset", "umap"],
        "Export it from Unreal with the plug-in glTF Exporter.",
    ),
    row("motion capture in the format C3D", &[], &["c3d"], MOTION),
    row("motion capture in the format TRC", &["PathFileType "], &["trc"], MOTION),
    row(
        "motion capture in the format Acclaim",
        &[":version", ":VERSION", ":FULLY-SPECIFIED"],
        &["asf", "amc"],
        MOTION,
    ),
];

/// The format of a file, by its first bytes, else by the extension of its name, which may be empty. `None` if it is
/// unknown.
pub fn other_format(bytes: &[u8], name: &str) -> Option<&'static OtherFormat> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = &bytes[..bytes.len().min(HEAD)];
    let starts = [head, after_remarks(head), after_markup(head)];
    let known = |format: &&OtherFormat| {
        format.begins.iter().any(|pattern| starts.iter().any(|start| begins(start, pattern)))
    };
    FORMATS.iter().find(known).or_else(|| {
        let word = head.trim_ascii_start();
        let is_page = ["<!doctype html", "<html"].iter().any(|page| {
            word.get(..page.len()).is_some_and(|start| start.eq_ignore_ascii_case(page.as_bytes()))
        });
        let (_, extension) = name.rsplit_once('.').filter(|_| !is_page)?;
        let same = |known: &&'static str| extension.eq_ignore_ascii_case(known);
        FORMATS.iter().find(|format| format.extensions.iter().any(same))
    })
}

/// The bytes without white space and lines that begin with `#`.
fn after_remarks(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes.trim_ascii_start();
    while rest.starts_with(b"#") {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        rest = rest[end..].trim_ascii_start();
    }
    rest
}

/// The bytes without white space, `<?…>` and `<!…>` of XML, comments included.
fn after_markup(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?' | b'!', ..] => b">",
            _ => return rest,
        };
        let Some(at) = rest.windows(end.len()).position(|window| window == end) else { return &[] };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
}

/// `true` if the bytes begin with a pattern of [`OtherFormat::begins`].
fn begins(bytes: &[u8], pattern: &str) -> bool {
    let mut rest = bytes;
    for symbol in pattern.bytes() {
        let matched = match (symbol, rest.first()) {
            (b' ', Some(byte)) if byte.is_ascii_whitespace() => {
                rest = rest.trim_ascii_start();
                continue;
            }
            (b'?', Some(_)) => true,
            (symbol, Some(&byte)) => symbol == byte,
            (_, None) => false,
        };
        if !matched {
            return false;
        }
        rest = &rest[1..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(bytes: &[u8], name: &str) -> Option<&'static str> {
        other_format(bytes, name).map(|format| format.name)
    }

    #[test]
    fn other_formats_are_found_by_their_first_bytes() {
        for (bytes, name) in [
            (&b"<?xml version=\"1.0\"?>\n<!-- > <X3D -->\n<COLLADA>"[..], "a COLLADA document"),
            (b"\xef\xbb\xbf<COLLADA version=\"1.4.1\">", "a COLLADA document"),
            (b"#usda 1.0\n", "a USD scene"),
            (b"PXR-USDC\0", "a USD scene"),
            (b"# Blender\r\n\r\n#\nmtllib\thero.mtl", "a mesh in the format Wavefront OBJ"),
            (b"v 0 0 0", "a mesh in the format Wavefront OBJ"),
            (b"MD5Version 10", "a model of Doom 3 (MD5)"),
            (b"ply\r\nformat", "a mesh in the format PLY"),
            (b"FOR4\0\0\0\x10MayaHEAD", "a scene of Maya"),
            (b"FOR8\0\0\0\0\0\0\0\0\0\0\0\x10MayaHEAD", "a scene of Maya"),
            (b"#VRML V2.0 utf8", "an X3D or VRML scene"),
            (b"<?xml?><!DOCTYPE X3D PUBLIC><X3D>", "an X3D or VRML scene"),
            (b"version 1\nnodes\n", "a model of Source or Half-Life"),
            (b"FORM\0\0\x01\0LWO2", "a model of LightWave"),
            (b"# CMU\n:version 1.10", "motion capture in the format Acclaim"),
        ] {
            assert_eq!(name_of(bytes, ""), Some(name), "{}", bytes.escape_ascii());
            assert_eq!(name_of(bytes, "renamed.stl"), Some(name), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn other_formats_are_found_by_the_extension_if_the_bytes_are_unknown() {
        assert_eq!(name_of(b"\0\0", "a.b/HERO.DAE"), Some("a COLLADA document"));
        assert_eq!(name_of(b"", "hero.3ds"), Some("a scene in the format 3DS"));
        assert_eq!(name_of(b"<!DOCTYPE html>", "hero.dae"), None);
        for name in ["", "dae", "hero.dae.glb", "hero."] {
            assert_eq!(name_of(b"\0\0", name), None, "{name}");
        }
    }

    #[test]
    fn other_formats_do_not_claim_unknown_bytes() {
        let endless = b"# ".repeat(3000);
        for bytes in [
            &b""[..],
            b"glTF\x02\0\0\0",
            b"a note",
            b"v",
            b"ply",
            b"FOR4\0\0Maya",
            b"<!-- open",
            b"<?",
            b"#",
            b"\xef\xbb\xbf",
            &endless,
        ] {
            assert_eq!(name_of(bytes, ""), None, "{}", bytes[..bytes.len().min(20)].escape_ascii());
        }
    }

    #[test]
    fn other_formats_have_extensions_of_one_format_each() {
        let mut seen = std::collections::HashSet::new();
        for extension in FORMATS.iter().flat_map(|format| format.extensions) {
            assert!(seen.insert(extension), "{extension} twice");
            assert_eq!(extension.to_ascii_lowercase(), **extension);
        }
    }
}
