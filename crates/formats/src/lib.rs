#![doc = include_str!("../README.md")]
//! # Checks
//!
//! The importer is the only place that checks a model, so a converter checks only the syntax of its own format: bounds,
//! counts, references. Everything else (limits, budgets, finite numbers in the model) is left to the importer.
//!
//! Conventions of the result are those of glTF: right-handed, +Y up, metres, seconds.

#![deny(unsafe_code)]

mod bvh;
mod color;
mod conversion;
mod error;
#[cfg(feature = "fbx")]
mod fbx;
mod glb;
mod rotation;
#[cfg_attr(not(feature = "fbx"), expect(dead_code, reason = "only FBX files have some of the parts"))]
mod scene;
mod text;
mod untextured;
mod uri;
mod x;

pub use conversion::{Options, Up};
pub use error::{FormatError, Place, Warning, codes};

use conversion::Conversion;
use gambol_gltf::other_formats::other_format;

/// A format that [`to_glb`] reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Biovision hierarchy: motion capture. The result has a node for each joint and each end site, and one clip.
    ///
    /// The files do not name their unit of length. Without [`Options::metres_per_unit`], it is guessed from the height
    /// of the figure, which is estimated as the longest path through its bones, divided by 1.4:
    ///
    /// | height in units | unit | metres |
    /// |---|---|---|
    /// | below 4 | metre | 1 |
    /// | below 45 | that of CMU's library: 1/0.45 inch | 0.0564 |
    /// | below 90 | inch | 0.0254 |
    /// | below 500 | centimetre | 0.01 |
    /// | other | millimetre | 0.001 |
    ///
    /// The files do not name their axes either. Without [`Options::up`], Y points up, unless the figure stands along Z at
    /// rest or in the clip.
    Bvh,
    /// DirectX .x, text or binary, plain or compressed.
    ///
    /// Frames become nodes, animation sets become clips. Content of templates that the file defines itself is kept as
    /// `extras` of its frame's node. Without AnimTicksPerSecond, a second has 4800 ticks, as in DirectX. But if keys are
    /// less than 40 ticks apart, or all end within 480, a tick is taken for a frame, 24 a second.
    X,
    /// Autodesk FBX, binary or text. Needs the feature `fbx` of this crate.
    Fbx,
}

/// A converted file.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted {
    /// The bytes of a GLB file. Textures that the file only names are images with a relative URI.
    pub glb: Vec<u8>,
    /// Parts that were repaired or skipped.
    pub warnings: Vec<Warning>,
}

/// The format of a file, by its first bytes, else by the extension of its name. `None` for any other file, such as
/// glTF.
pub fn detect(bytes: &[u8], name: &str) -> Option<Format> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let word = bytes.trim_ascii_start();
    if bytes.starts_with(b"Kaydara FBX Binary") || word.starts_with(b"; FBX") {
        return Some(Format::Fbx);
    }
    if bytes.starts_with(b"xof ") {
        return Some(Format::X);
    }
    if word.get(..9).is_some_and(|word| word.eq_ignore_ascii_case(b"HIERARCHY")) {
        return Some(Format::Bvh);
    }
    let (_, extension) = name.rsplit_once('.')?;
    let formats = [("bvh", Format::Bvh), ("x", Format::X), ("fbx", Format::Fbx)];
    formats.into_iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|(_, format)| format)
}

/// Converts a file to GLB. `name` is its file name, for [`detect`].
///
/// # Errors
///
/// A code of [`codes`] if the format is unknown, the file is damaged beyond repair, or it is larger than
/// [`Options::decoded_bytes`] when decoded.
pub fn to_glb(bytes: &[u8], name: &str, options: &Options) -> Result<Converted, FormatError> {
    let conversion = Conversion::new(options, name, bytes.len());
    let mut scene = match detect(bytes, name) {
        Some(Format::Bvh) => bvh::read(bytes, &conversion)?,
        Some(Format::X) => x::read(bytes, &conversion)?,
        #[cfg(feature = "fbx")]
        Some(Format::Fbx) => fbx::read(bytes, &conversion)?,
        #[cfg(not(feature = "fbx"))]
        Some(Format::Fbx) => {
            return Err(refused(codes::NO_FBX, "The file is FBX, which this build does not read"));
        }
        None => {
            let message = match other_format(bytes, name) {
                Some(format) => {
                    format!("The file is {}, which gambol does not read. {}", format.name, format.way)
                }
                None => {
                    "The file is neither BVH nor DirectX .x nor FBX. Convert a .bvh, .x or .fbx file.".into()
                }
            };
            return Err(refused(codes::UNKNOWN_FORMAT, message));
        }
    };
    untextured::repair(&mut scene, &conversion);
    Ok(Converted { glb: glb::write(&scene)?, warnings: conversion.into_warnings() })
}

fn refused(code: &'static str, message: impl Into<String>) -> FormatError {
    FormatError { code, message: message.into(), place: Place::Object { path: String::new() } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detect_refuses_other_files() {
        for (bytes, name) in [
            (&b""[..], ""),
            (b"", "x"),
            (b"", "bvh"),
            (b"glTF\x02\0\0\0", "a.glb"),
            (b"{\"asset\":{}}", "a.gltf"),
            (b"HIERARCH", "a"),
            (b"xof", "a"),
            (b"\xef\xbb\xbf", "a.txt"),
        ] {
            assert_eq!(detect(bytes, name), None, "{name}");
            let error = to_glb(bytes, name, &Options::default()).expect_err("another format");
            assert_eq!(error.code, codes::UNKNOWN_FORMAT);
            assert_eq!(
                error.to_string(),
                "The file is neither BVH nor DirectX .x nor FBX. Convert a .bvh, .x or .fbx file."
            );
        }
    }

    #[test]
    fn formats_that_are_not_read_are_named_with_a_way_to_gltf() {
        for (bytes, name, message) in [
            (
                &b"<COLLADA>"[..],
                "renamed.glb",
                "The file is a COLLADA document, which gambol does not read. Convert it with Assimp (assimp export IN \
                 OUT.glb -fglb2), or export glTF from the program that made it.",
            ),
            (
                b"\0",
                "hero.usdc",
                "The file is a USD scene, which gambol does not read. Open it in Blender (File, Import), and export \
                 glTF 2.0 as .glb.",
            ),
        ] {
            let error = to_glb(bytes, name, &Options::default()).expect_err("another format");
            assert_eq!((error.code, error.to_string().as_str()), (codes::UNKNOWN_FORMAT, message));
        }
    }

    #[cfg(not(feature = "fbx"))]
    #[test]
    fn fbx_without_its_feature_is_an_error_of_its_own() {
        for (bytes, name) in [(&b"; FBX 7.4.0 project file"[..], "a"), (b"", "a.fbx")] {
            let error = to_glb(bytes, name, &Options::default()).expect_err("no reader");
            assert_eq!(error.code, codes::NO_FBX);
        }
    }

    #[test]
    fn detect_prefers_the_bytes_to_the_name() {
        for (bytes, name, format) in [
            (&b"xof 0303txt 0032"[..], "walk.bvh", Format::X),
            (b"\xef\xbb\xbf\r\n hierarchy\n", "walk.x", Format::Bvh),
            (b"Kaydara FBX Binary  \0\x1a\0", "walk", Format::Fbx),
            (b"; FBX 7.4.0 project file", "walk.txt", Format::Fbx),
            (b"", "a.b/WALK.BVH", Format::Bvh),
            (b"?", "walk.X", Format::X),
            (b"?", "walk.fbx", Format::Fbx),
        ] {
            assert_eq!(detect(bytes, name), Some(format), "{name}");
        }
    }

    #[test]
    fn codes_have_meanings_and_are_unique() {
        let mut seen = std::collections::HashSet::new();
        for (code, meaning) in codes::ALL {
            assert!(seen.insert(code), "{code} twice");
            assert!(meaning.trim().ends_with('.'), "{code}: {meaning}");
        }
    }
}
