//! What the fuzz targets do with their bytes; shared by path with `tests/`, where stable Rust runs the same.

#[path = "../../tests/fuzzing/files.rs"]
mod files;
#[path = "../../tests/fuzzing/hdr.rs"]
mod hdr;
#[path = "../../tests/fuzzing/meshopt.rs"]
#[allow(dead_code, reason = "shared with the tests, which make seeds")]
mod meshopt;
#[path = "../../tests/player/model.rs"]
mod model;
#[path = "../../tests/player/script.rs"]
mod script;
#[path = "../../tests/fuzzing/supply.rs"]
mod supply;
#[path = "../../tests/import/support.rs"]
#[allow(dead_code, reason = "shared with the tests, which need more of it")]
mod support;

/// Any bytes as a file, which is played if it loads.
pub fn import(bytes: &[u8]) {
    files::import(bytes);
}

/// Bytes as the numbers of accessors, views and sparse parts.
pub fn accessors(bytes: &[u8]) {
    files::accessors(bytes);
}

/// Bytes as a stream of EXT_meshopt_compression or KHR_meshopt_compression.
pub fn meshopt(bytes: &[u8]) {
    meshopt::meshopt(bytes);
}

/// Bytes as a picture of light.
pub fn hdr(bytes: &[u8]) {
    hdr::hdr(bytes);
}

/// Bytes as the numbers of nodes, binds and keys of a file that is right in its structure.
pub fn animation(bytes: &[u8]) {
    files::animation(bytes);
}

/// Bytes as a script of calls to a player.
pub fn player(bytes: &[u8]) {
    script::run(bytes);
}
