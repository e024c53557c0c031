#![doc = include_str!("../README.md")]
//!
//! Import: untrusted bytes → [`Model`](gambol_animation::model::Model), with all checks in one place.
//!
//! For any input, import ends with a [`Model`](gambol_animation::model::Model) that satisfies its invariants or with an
//! [`ImportError`]. It does not panic or recurse along the structure of the file. Time is proportional to the length of
//! the file, and memory is limited by [`Limits`]. Many popular files violate the specification, so faults are repaired
//! with a [`Warning`] if possible; [`codes`] lists all faults.
//!
//! ```
//! use gambol_import::{NoResolver, import};
//!
//! let error = import(b"PK\x03\x04", &mut NoResolver).expect_err("a ZIP archive is no glTF");
//! assert_eq!(error.code(), "import/unknown-format");
//! ```
//!
//! A browser loads external buffers between the steps of an import:
//!
//! 1. [`Document::parse`].
//! 2. [`Document::provide`] or [`Document::skip`] for each of [`Document::requests`]; query them again afterwards.
//! 3. With a Draco decoder, [`Document::provide_draco`] for each of [`Document::draco_requests`].
//! 4. [`Document::finish`]; or, to avoid blocking the page, [`Document::read`] and repeated [`Unfinished::advance`].

// The module for pages is compiled without the code of `Debug`, so `{:?}` writes nothing there.
#![cfg_attr(not(test), warn(clippy::use_debug))]
#![forbid(unsafe_code)]

mod extension;
pub(crate) mod gltf;
mod hdr;
mod imported;
mod states;

pub use extension::ExtensionHandler;
pub use gambol_gltf::bytes::{Bytes, Outside, Source};
pub use gambol_gltf::codec::{DracoAttribute, DracoMesh, DracoRequest, meshopt};
pub use gambol_gltf::element::ComponentType;
pub use gambol_gltf::error::{Fault, ImportError, ImportErrorKind, codes};
pub use gambol_gltf::json::repair_json;
pub use gambol_gltf::limits::Limits;
pub use gambol_gltf::log::Warning;
pub use gambol_gltf::resolver::{FolderResolver, NoResolver, Resolver};
pub use gambol_gltf::uri::percent_decode;
pub use gltf::{Document, Request, Track, TrackError, TrackTarget, Unfinished, clip_from_tracks};
pub use hdr::{Hdr, HdrError};
pub use imported::Imported;
pub use states::{StatesError, read_states};

use gambol_gltf::log::Log;

/// Imports a GLB or glTF file; `resolver` reads its external buffers.
///
/// Parts that need a missing buffer, or bytes past the end of a short one, are skipped with a warning.
/// External images are not read: they stay [`ImageData::External`](gambol_animation::model::ImageData::External).
///
/// # Errors
/// [`ImportError`] if the file has nothing to show.
pub fn import(bytes: &[u8], resolver: &mut dyn Resolver) -> Result<Imported, ImportError> {
    import_document(Document::parse(bytes)?, resolver)
}

/// As [`import`], with handlers of further extensions. Those that the file does not use are not called.
///
/// All external buffers must be there.
///
/// # Errors
/// As [`import`], those of the handlers, and those of [`gambol_gltf::document::Document::parse`].
pub fn import_with(
    bytes: &[u8],
    resolver: &mut dyn Resolver,
    handlers: &mut [&mut dyn ExtensionHandler],
) -> Result<Imported, ImportError> {
    let mut log = Log::default();
    let mut document = gambol_gltf::document::Document::read(bytes, resolver, &mut log)?;
    for handler in handlers {
        if document.uses(handler.name()) {
            handler.read(&mut document)?;
            document.undeclare(handler.name());
        }
    }
    let (json, bin) = document.packed();
    import_document(Document::from_json(&json, bin, log)?, resolver)
}

/// As [`import`], of a document as it is now, which is not written.
///
/// # Errors
/// As [`import`].
pub fn import_changed(
    document: &gambol_gltf::document::Document,
    resolver: &mut dyn Resolver,
) -> Result<Imported, ImportError> {
    let (json, bin) = document.packed();
    import_document(Document::from_json(&json, bin, Log::default())?, resolver)
}

/// As [`import`], of a file whose JSON has been read.
///
/// # Errors
/// As [`import`].
pub fn import_document(
    mut document: Document<'_>,
    resolver: &mut dyn Resolver,
) -> Result<Imported, ImportError> {
    for request in document.requests() {
        match resolver.read(&request.uri) {
            Ok(bytes) => document.provide(request.index, bytes)?,
            Err(reason) => document.skip(request.index, &reason)?,
        }
    }
    // Uncompressed alternatives of broken views; if they are missing too, `finish` reports the fault.
    for request in document.requests() {
        if let Ok(bytes) = resolver.read(&request.uri) {
            let _ = document.provide(request.index, bytes);
        }
    }
    for request in document.draco_requests()? {
        let mesh = match resolver.decode_draco(&request, &document.draco_bytes(request.index)?) {
            None => return Err(ImportErrorKind::DracoUnavailable.at(&request.pointer)),
            Some(mesh) => mesh.map_err(|reason| ImportErrorKind::Draco { reason }.at(&request.pointer))?,
        };
        document.provide_draco(request.index, mesh)?;
    }
    document.finish()
}
