//! glTF as it is in files: what the importer, the tools and the converters of gambol share.
//!
//! | module | contents |
//! |---|---|
//! | [`json`] | JSON that keeps order and numbers, with repairs of what exporters write |
//! | [`file`] | a file taken apart: container and JSON |
//! | [`container`] | GLB, read and written |
//! | [`uri`] | data URIs and percent encoding |
//! | [`codec`] | decoders of encoded buffer views; the interface of a Draco decoder |
//! | [`other_formats`] | formats that are not read, named for errors |
//! | [`error`], [`log`], [`limits`] | faults with codes and places, warnings, limits for untrusted files |

pub mod codec;
pub mod container;
pub mod error;
pub mod file;
pub mod json;
pub mod limits;
pub mod log;
pub mod other_formats;
pub mod uri;
