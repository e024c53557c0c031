//! Bytes → [`Model`](crate::model::Model): reads files that nobody vouches for, and checks everything once.
//!
//! Whatever the bytes are, import ends with a [`Model`](crate::model::Model) that keeps its promises or with an
//! [`ImportError`]; it does not panic, recurse along the file's structure, take more time than the file
//! is long, or more memory than [`Limits`] grants. What can be repaired is repaired with a [`Warning`],
//! since popular files break the specification; [`codes`] lists every fault.
//!
//! ```
//! use gambol::import::{NoResolver, import};
//!
//! let error = import(b"PK\x03\x04", &mut NoResolver).expect_err("a ZIP archive is no glTF");
//! assert_eq!(error.code(), "import/unknown-format");
//! ```
//!
//! A browser fetches external buffers between two steps: [`Document::parse`], then
//! [`Document::provide`] (or [`Document::skip`]) for each of [`Document::requests`], which are asked for again after that, then
//! [`Document::finish`]. If it has a Draco
//! decoder, [`Document::provide_draco`] comes before that for each of [`Document::draco_requests`]. So that the page is not
//! held up, [`Document::read`] stands in place of `finish`, and [`Unfinished::advance`] for each step that is left.

mod codec;
mod error;
mod gltf;
mod hdr;
mod imported;
mod json;
mod limits;
mod resolver;
mod uri;

pub use codec::{ComponentType, DracoAttribute, DracoMesh, DracoRequest};
pub use error::{Fault, ImportError, ImportErrorKind, Warning, codes};
pub use gltf::{Document, Request, Unfinished};
pub use hdr::{Hdr, HdrError};
pub use imported::Imported;
pub use limits::Limits;
pub use resolver::{FolderResolver, NoResolver, Resolver};
pub use uri::percent_decode;

/// The lists of this room; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 1] = [&gltf::DEFERRED_LISTS];

/// Imports a GLB or glTF file whose external buffers `resolver` reads.
///
/// Parts that need a missing buffer, or bytes past the end of a short one, are left out with a warning.
/// External images are not read: they stay [`ImageData::External`](crate::model::ImageData::External).
///
/// # Errors
/// [`ImportError`] if no sensible picture can be made of the file.
pub fn import(bytes: &[u8], resolver: &mut dyn Resolver) -> Result<Imported, ImportError> {
    let mut document = Document::parse(bytes)?;
    for request in document.requests() {
        match resolver.read(&request.uri) {
            Ok(bytes) => document.provide(request.index, bytes)?,
            Err(reason) => document.skip(request.index, &reason)?,
        }
    }
    // In place of what could not be decoded; if they are not there either, `finish` says what is broken.
    for request in document.requests() {
        if let Ok(bytes) = resolver.read(&request.uri) {
            let _ = document.provide(request.index, bytes);
        }
    }
    for request in document.draco_requests()? {
        let mesh = match resolver.decode_draco(&request, document.draco_bytes(request.index)?) {
            None => return Err(ImportErrorKind::DracoUnavailable.at(&request.pointer)),
            Some(mesh) => mesh.map_err(|reason| ImportErrorKind::Draco { reason }.at(&request.pointer))?,
        };
        document.provide_draco(request.index, mesh)?;
    }
    document.finish()
}
