//! Files as documents, with the checks of the importer.

use crate::error::ToolsError;
use gambol::import::Document as Importing;
use gambol_gltf::document::Document;
use gambol_gltf::error::ImportErrorKind;
use gambol_gltf::file::{self, Numbers};
use gambol_gltf::limits::Limits;
use gambol_gltf::log::Log;
use gambol_gltf::resolver::Resolver;

/// Reads a `.glb` or `.gltf` file as a document, and begins its import with all checks of the importer; for
/// [`import_document`](gambol::import::import_document). The file is parsed once.
///
/// # Errors
/// A code of [`gambol::import::codes`] if the importer refuses the container or the JSON, or if bytes of a buffer are missing.
pub fn open<'a>(
    bytes: &'a [u8],
    resolver: &mut dyn Resolver,
) -> Result<(Document, Importing<'a>), ToolsError> {
    let mut log = Log::default();
    let file = file::read(bytes.into(), Numbers::Kept, &Limits::default(), &mut log)?;
    let mut importing = Importing::from_file(&file, bytes, log)?;
    let mut external: Vec<(usize, Vec<u8>)> = Vec::new();
    for request in importing.requests() {
        let missing = |reason| ImportErrorKind::BufferMissing { reason }.at(&request.pointer);
        let data = resolver.read(&request.uri).map_err(missing)?;
        importing.provide(request.index, data.clone())?;
        external.push((request.index, data));
    }
    Ok((Document::from_file(file, bytes, external)?, importing))
}
