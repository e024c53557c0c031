//! The work of the fuzz targets on their bytes; shared by path with `tests/native/`, where stable Rust runs the same.

#[path = "../../tests/native/common"]
#[allow(dead_code, reason = "shared with the tests, which need more of it")]
mod common {
    pub(crate) mod builder;
    pub(crate) mod check;
    pub(crate) mod outside;
}
#[path = "../../tests/native/fuzzing"]
mod fuzzing {
    pub(crate) mod files;
    pub(crate) mod formats;
    pub(crate) mod hdr;
    #[allow(dead_code, reason = "shared with the tests, which make seeds")]
    pub(crate) mod meshopt;
    pub(crate) mod supply;
}
#[path = "../../tests/native/player"]
mod player {
    pub(crate) mod model;
    pub(crate) mod script;
}
#[path = "../../tests/native/states"]
#[allow(dead_code, reason = "shared with the tests, which need more of it")]
mod states {
    pub(crate) mod model;
    pub(crate) mod script;
}

use fuzzing::{files, formats, hdr as pictures, meshopt as streams};
use player::script;

/// Imports the bytes as a file; plays it if it loads.
pub fn import(bytes: &[u8]) {
    files::import(bytes);
}

/// Uses the bytes as the numbers of accessors, views and sparse parts.
pub fn accessors(bytes: &[u8]) {
    files::accessors(bytes);
}

/// Decodes the bytes as a stream of EXT_meshopt_compression or KHR_meshopt_compression.
pub fn meshopt(bytes: &[u8]) {
    streams::meshopt(bytes);
}

/// Decodes the bytes as an environment image.
pub fn hdr(bytes: &[u8]) {
    pictures::hdr(bytes);
}

/// Uses the bytes as the numbers of nodes, binds and keys of a file with a valid structure.
pub fn animation(bytes: &[u8]) {
    files::animation(bytes);
}

/// Uses the bytes as the numbers and references of spring bones.
pub fn springs(bytes: &[u8]) {
    files::springs(bytes);
}

/// Runs the bytes as a script of calls to a player.
pub fn player(bytes: &[u8]) {
    script::run(bytes);
}

/// Reads the bytes as a state machine and runs it, or runs them as a machine with a script.
pub fn states(bytes: &[u8]) {
    states::script::run(bytes);
}

/// Converts the bytes as a BVH file, and plays the result.
pub fn bvh(bytes: &[u8]) {
    formats::convert(bytes, "a.bvh");
}

/// Converts the bytes as a DirectX .x file, and plays the result.
pub fn x(bytes: &[u8]) {
    formats::convert(bytes, "a.x");
}

/// Converts the bytes as an FBX file, and plays the result.
pub fn fbx(bytes: &[u8]) {
    formats::convert(bytes, "a.fbx");
}
