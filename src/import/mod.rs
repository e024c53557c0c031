//! Bytes → [`Model`]: reads files that nobody vouches for, and checks everything once.
//!
//! Whatever the bytes are, import ends with a [`Model`] that keeps its promises or with an
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

mod draco;
mod error;
mod gltf;
mod hdr;
mod json;
mod meshopt;
mod resolver;
mod uri;

pub use draco::{ComponentType, DracoAttribute, DracoMesh, DracoRequest};
pub use error::{Fault, ImportError, ImportErrorKind, Warning, codes};
pub use gltf::{Document, Request, Unfinished};
pub use hdr::{Hdr, HdrError};
pub use resolver::{FolderResolver, NoResolver, Resolver};
pub use uri::percent_decode;

use crate::model::Model;

/// A model, and what had to be done to it.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The model; it keeps all that [`crate::model`] promises.
    pub model: Model,
    /// What was repaired or left out, in the order of discovery.
    pub warnings: Vec<Warning>,
}

/// How much a file may ask for. Files have limits at all since a viewer opens what strangers send.
///
/// Of memory for decoded data, the limit is `decoded_bytes`, but no more than `expansion` times the bytes that the file brought,
/// or `floor` if that is more. So a small file cannot ask for gigabytes, by accessors of zeros without
/// bytes or by reading the same bytes again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of decoded vertices, indices, images and keys, for any file; and for the
    /// JSON on its own, with each object reckoned at 1,200 bytes and each comma at 48.
    pub decoded_bytes: u64,
    /// How many decoded bytes each byte of the file and its buffers may become.
    pub expansion: u64,
    /// What every file may have.
    pub floor: u64,
    /// The most vertices of all primitives together, counted for each instance of EXT_mesh_gpu_instancing.
    pub vertices: u64,
    /// The most nodes.
    pub nodes: u64,
    /// The most draws of a frame: primitives that nodes show. Instances (`EXT_mesh_gpu_instancing`) are one draw, unless they blend.
    pub draws: u64,
    /// The most instances of all meshes together.
    pub instances: u64,
    /// The most joints of all nodes with a skin together, each counted as often as it is worn.
    pub joints: u64,
    /// The most nodes on a way from a root down, both ends counted. Nothing recurses; this is for those who
    /// want to know what they show.
    pub depth: u64,
}

impl Limits {
    /// What a page gets that asks for nothing else.
    pub const DEFAULT: Self = Self {
        decoded_bytes: 1 << 30,
        expansion: 64,
        floor: 64 << 20,
        vertices: 1 << 25,
        nodes: 1 << 18,
        draws: 1 << 16,
        instances: 1 << 17,
        joints: 1 << 22,
        depth: 1 << 16,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Limits {
    /// The limit for a file that brought `bytes`.
    fn of(self, bytes: usize) -> u64 {
        // Divided, since a product that may not fit takes 128 bits, for which WebAssembly has no instruction.
        let most = self.decoded_bytes.checked_div(self.expansion);
        let fits = most.is_none_or(|most| bytes as u64 <= most);
        let expanded = if fits { self.expansion * bytes as u64 } else { self.decoded_bytes };
        expanded.max(self.floor).min(self.decoded_bytes)
    }
}

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
