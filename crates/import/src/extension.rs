//! Extensions of glTF that the importer does not know.

use gambol_gltf::document::Document;
use gambol_gltf::error::ImportError;

/// A handler of an extension that the importer does not know, for [`import_with`](super::import_with).
pub trait ExtensionHandler {
    /// The name of the extension, such as `ACME_spin`.
    fn name(&self) -> &str;

    /// Reads the data of the extension, or replaces it by parts of glTF that the importer knows. Afterwards a file that
    /// requires the extension is imported.
    ///
    /// # Errors
    /// The reason why the file must not be shown.
    fn read(&mut self, document: &mut Document) -> Result<(), ImportError>;
}
