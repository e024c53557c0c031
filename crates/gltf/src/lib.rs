#![doc = include_str!("../README.md")]
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`document`] | a document that is read, asked, changed and written: JSON, buffer views, accessors, references |
//! | [`json`] | JSON that keeps order and numbers, with repairs of what exporters write |
//! | [`file`] | a file taken apart: container and JSON |
//! | [`container`] | GLB, read and written |
//! | [`bytes`] | bytes in memory, or outside of it, which are read range by range |
//! | [`uri`] | data URIs and percent encoding |
//! | [`place`] | typed reading of JSON values, with the pointer of the first fault |
//! | [`element`] | the constants of accessors, meshes, animations, materials and textures |
//! | [`codec`] | the codec of encoded buffer views; the interface of a Draco decoder |
//! | [`resolver`] | sources of external buffers |
//! | [`other_formats`] | formats that are not read, named for errors |
//! | [`error`], [`log`], [`limits`] | faults with codes and places, warnings, limits for untrusted files |

#![forbid(unsafe_code)]

mod base64;
pub mod bytes;
pub mod codec;
pub mod container;
pub mod document;
pub mod element;
pub mod error;
pub mod file;
pub mod json;
pub mod limits;
pub mod log;
pub mod other_formats;
pub mod place;
pub mod resolver;
pub mod uri;
