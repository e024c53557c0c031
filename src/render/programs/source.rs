//! Composes shaders from the sources in `shaders/`.

use crate::base::feature;
use crate::render::error::RenderError;
use std::fmt::Write as _;

/// A source with its name, without comments and indentation; line numbers are unchanged.
macro_rules! source {
    ($name:literal) => {{
        const TEXT: &[u8] = include_bytes!(concat!("../../../shaders/", $name));
        const STRIPPED: [u8; strip(TEXT, &mut [])] = {
            let mut out = [0; strip(TEXT, &mut [])];
            strip(TEXT, &mut out);
            out
        };
        const SOURCE: &str = match std::str::from_utf8(&STRIPPED) {
            Ok(text) => text,
            Err(_) => "",
        };
        ($name, SOURCE)
    }};
}

/// Writes a minified source to `out`, as far as there is room, and returns its length. Comments and needless
/// spaces are removed. Preprocessor lines keep their spaces, others those between words and between signs.
const fn strip(text: &[u8], out: &mut [u8]) -> usize {
    let (mut i, mut length) = (0, 0);
    let (mut before, mut directive) = (b'\n', false);
    while i < text.len() {
        if text[i] == b'/' && i + 1 < text.len() && text[i + 1] == b'/' {
            while i < text.len() && text[i] != b'\n' {
                i += 1;
            }
            continue;
        }
        directive = text[i] == b'#' || directive && text[i] != b'\n';
        let after = if i + 1 < text.len() { text[i + 1] } else { b'\n' };
        let kept = directive || is_word(before) && is_word(after) || is_sign(before) && is_sign(after);
        if text[i] != b' ' || before != b'\n' && kept {
            before = text[i];
            if length < out.len() {
                out[length] = text[i];
            }
            length += 1;
        }
        i += 1;
    }
    length
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// `true` for signs that form another operator when adjacent, as in `--`.
const fn is_sign(byte: u8) -> bool {
    byte == b'+' || byte == b'-'
}

/// The sources by the name used in `#include "name"`.
const SOURCES: &[(&str, &str)] = &[
    source!("brdf.glsl"),
    source!("environment.glsl"),
    source!("frame.glsl"),
    source!("influences.glsl"),
    source!("iridescence.glsl"),
    source!("material.glsl"),
    source!("mesh.frag"),
    source!("mesh.vert"),
    source!("microfacet.glsl"),
    source!("morph.glsl"),
    source!("noise.glsl"),
    source!("normal.glsl"),
    source!("palette.glsl"),
    source!("placement.glsl"),
    source!("punctual.glsl"),
    source!("shadow.glsl"),
    source!("sheen.glsl"),
    source!("tone.glsl"),
    source!("transmission.glsl"),
    source!("vector.glsl"),
];

/// A source with its name.
type Source = (&'static str, &'static str);

/// The names of the sources that come with features, which alone draw with them.
const IN_FEATURES: [&str; 15] = [
    "blur.frag",
    "crowd.glsl",
    "debug.frag",
    "debug.glsl",
    "depth.frag",
    "dual.glsl",
    "ground.frag",
    "ground.vert",
    "grounded.glsl",
    "lines.frag",
    "lines.vert",
    "screen.vert",
    "sky.frag",
    "tint.glsl",
    "weight.glsl",
];

feature! {
    list for_crowds;
    fn crowd_sources() -> &'static [Source] = || &[source!("crowd.glsl"), source!("tint.glsl")];
}

feature! {
    list for_debug;
    fn debug_sources() -> &'static [Source] =
        || &[
            source!("debug.frag"),
            source!("debug.glsl"),
            source!("lines.frag"),
            source!("lines.vert"),
            source!("weight.glsl"),
        ];
}

feature! {
    list for_light;
    fn light_sources() -> &'static [Source] = || &[
        source!("blur.frag"),
        source!("depth.frag"),
        source!("ground.frag"),
        source!("ground.vert"),
        source!("grounded.glsl"),
        source!("screen.vert"),
        source!("sky.frag"),
    ];
}

feature! {
    list for_skinning;
    fn dual_sources() -> &'static [Source] = || &[source!("dual.glsl")];
}

/// The source `name` of [`IN_FEATURES`].
fn in_feature(name: &str) -> Option<&'static Source> {
    let sources = match name {
        "crowd.glsl" | "tint.glsl" => crowd_sources(),
        "debug.frag" | "debug.glsl" | "lines.frag" | "lines.vert" | "weight.glsl" => debug_sources(),
        "dual.glsl" => dual_sources(),
        _ => light_sources(),
    };
    sources.iter().find(|(known, _)| *known == name)
}

/// Sources that are included only if a macro is defined, with the macro.
const WORDS: &[(&str, &str)] = &[
    ("crowd.glsl", "CROWD"),
    ("debug.glsl", "DEBUG"),
    ("dual.glsl", "DUAL"),
    ("grounded.glsl", "GROUNDED"),
    ("influences.glsl", "MANY_INFLUENCES"),
    ("iridescence.glsl", "IRIDESCENCE"),
    ("punctual.glsl", "PUNCTUAL"),
    ("sheen.glsl", "SHEEN"),
    ("tint.glsl", "CROWD"),
    ("transmission.glsl", "TRANSMISSION"),
    ("weight.glsl", "DEBUG"),
];

/// Both stages must have the same precision for shared uniforms and varyings.
const HEADER: &str = "#version 300 es\n\
    precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n\
    precision highp samplerCube;\n";

/// The source `name` with its includes, after `defines` (lines of `#define`).
///
/// Each source is included once at most. `#line` directives number the sources in the order
/// of [`SOURCES`] and [`IN_FEATURES`]: `3:12` in a log is line 12 of source 3.
pub(crate) fn compose(name: &str, defines: &str) -> Result<String, RenderError> {
    let mut composer = Composer { sources: SOURCES, out: HEADER.to_owned() + defines, seen: Vec::new() };
    composer.include(name)?;
    Ok(composer.out)
}

struct Composer<'a> {
    sources: &'a [(&'a str, &'a str)],
    out: String,
    seen: Vec<&'a str>,
}

impl Composer<'_> {
    fn include(&mut self, name: &str) -> Result<(), RenderError> {
        let word = WORDS.iter().find(|(known, _)| *known == name);
        // Compares the whole line, since a macro's name may be a prefix of another one.
        let defines = |word: &str| self.out.lines().any(|line| line.strip_prefix("#define ") == Some(word));
        if word.is_some_and(|(_, word)| !defines(word)) {
            return Ok(());
        }
        let sources = self.sources;
        let found = match sources.iter().position(|(known, _)| *known == name) {
            Some(number) => Some((number, sources[number])),
            None => IN_FEATURES
                .iter()
                .position(|known| *known == name)
                .and_then(|number| Some((sources.len() + number, *in_feature(name)?))),
        };
        let Some((number, (name, text))) = found else {
            return Err(RenderError::Shader { log: format!("the shader source `{name}` does not exist") });
        };
        if self.seen.contains(&name) {
            return Ok(());
        }
        self.seen.push(name);
        self.line(1, number);
        for (i, line) in text.lines().enumerate() {
            match line.trim_start().strip_prefix("#include") {
                Some(rest) => {
                    self.include(rest.trim().trim_matches('"'))?;
                    self.line(i + 2, number);
                }
                None => {
                    self.out.push_str(line);
                    self.out.push('\n');
                }
            }
        }
        Ok(())
    }

    /// Emits a `#line` directive: the next line is line `line` of source `number`.
    fn line(&mut self, line: usize, number: usize) {
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "#line {line} {number}");
    }
}

/// `log`, followed by the names of the numbered sources.
fn explain(log: &str) -> String {
    let mut out = log.trim_end_matches(['\0', '\n']).to_owned();
    let names = SOURCES.iter().map(|(name, _)| name).chain(&IN_FEATURES);
    for (i, name) in names.enumerate() {
        let before = if i == 0 { " (sources: " } else { ", " };
        // Writing to a string does not fail.
        let _ = write!(out, "{before}{i} {name}");
    }
    out + ")"
}

/// Adds the names of sources to the log of a shader error.
pub(crate) fn explained(error: RenderError) -> RenderError {
    match error {
        RenderError::Shader { log } => RenderError::Shader { log: explain(&log) },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compose_from(sources: &[(&str, &str)]) -> Result<String, RenderError> {
        let mut composer = Composer { sources, out: String::new(), seen: Vec::new() };
        composer.include("main")?;
        Ok(composer.out)
    }

    #[test]
    fn shader_includes_nest_and_are_inserted_once() {
        let text = compose_from(&[
            ("a", "A\n#include \"b\""),
            ("b", "B"),
            ("main", "#include \"b\"\n  #include \"a\"\nend"),
        ]);
        let lines: Vec<_> = text.iter().flat_map(|text| text.lines()).collect();
        assert_eq!(
            lines,
            ["#line 1 2", "#line 1 1", "B", "#line 2 2", "#line 1 0", "A", "#line 3 0", "#line 3 2", "end"]
        );
    }

    #[test]
    fn shader_include_cycles_end() {
        let text = compose_from(&[("main", "#include \"other\"\nM"), ("other", "#include \"main\"\nO")]);
        assert_eq!(text.map(|text| text.matches(['M', 'O']).count()), Ok(2));
    }

    #[test]
    fn shader_include_of_an_unknown_name_is_an_error() {
        let error = compose_from(&[("main", "#include \"nowhere\"")]);
        assert!(matches!(error, Err(RenderError::Shader { log }) if log.contains("nowhere")));
    }

    #[test]
    fn shader_comments_are_removed_and_line_numbers_kept() {
        let text = b"// a\n  x; // b\n\n  #define A (b) // c\n    in float y = a - -b / z;";
        let mut out = [0; 64];
        let length = strip(text, &mut out);
        assert_eq!(out[..length], *b"\nx;\n\n#define A (b) \nin float y=a- -b/z;");
        assert_eq!(strip(text, &mut []), length);
        let all = || SOURCES.iter().chain(IN_FEATURES.iter().filter_map(|name| in_feature(name)));
        assert_eq!(all().count(), SOURCES.len() + IN_FEATURES.len());
        assert!(all().all(|(_, text)| !text.is_empty() && !text.contains("//")));
    }

    #[test]
    fn shader_sources_compose() {
        for name in [
            "mesh.vert",
            "mesh.frag",
            "depth.frag",
            "debug.frag",
            "lines.vert",
            "sky.frag",
            "ground.vert",
            "ground.frag",
        ] {
            let words: String = WORDS.iter().map(|(_, word)| format!("#define {word}\n")).collect();
            let whole = compose(name, &words).unwrap_or_default();
            for (_, word) in WORDS {
                let text =
                    compose(name, &words.replace(&format!("#define {word}\n"), "")).unwrap_or_default();
                assert!(!whole.contains(&format!("#ifdef {word}")) || text.len() < whole.len());
            }
            let text = compose(name, "#define X\n").unwrap_or_default();
            assert!(text.starts_with("#version 300 es\n"), "the version must come first");
            assert!(text.contains("#define X\n") && text.contains("void main()"));
            assert!(!text.contains("#include"));
        }
    }
}
