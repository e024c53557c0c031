//! Synchronous sources of external buffers.

use crate::codec::{DracoMesh, DracoRequest};
use crate::uri::percent_decode;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A source of external buffers and, optionally, a Draco decoder.
pub trait Resolver {
    /// Reads the bytes at `uri`, which is relative and percent-encoded as in the file
    /// (see [`percent_decode`]). Not called for data URIs.
    ///
    /// # Errors
    /// The reason of the failure, in a few words for the user.
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String>;

    /// Decodes a mesh of KHR_draco_mesh_compression; `None` without a decoder, which is the default.
    ///
    /// # Errors
    /// The reason of the failure, in a few words for the user.
    fn decode_draco(&mut self, request: &DracoRequest, bytes: &[u8]) -> Option<Result<DracoMesh, String>> {
        let _ = (request, bytes);
        None
    }
}

/// A resolver without files, for self-contained glTF files.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoResolver;

impl Resolver for NoResolver {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        Err(format!("“{uri}” is an external file, and no resolver is given"))
    }
}

/// A resolver for files in a folder and its subfolders; it rejects paths outside.
#[derive(Debug, Clone)]
pub struct FolderResolver(PathBuf);

impl FolderResolver {
    /// Reads files relative to `folder`, the folder of the glTF file.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }
}

impl Resolver for FolderResolver {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        let name = percent_decode(uri)?;
        let relative = Path::new(&name);
        let inside =
            relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside || name.contains([':', '\\']) {
            return Err(format!("“{name}” is outside the folder of the file"));
        }
        let failed = |error: std::io::Error| format!("“{name}” cannot be read: {error}");
        let folder = self.0.canonicalize().map_err(failed)?;
        // A symbolic link may still point outside.
        let path = folder.join(relative).canonicalize().map_err(failed)?;
        if !path.starts_with(&folder) {
            return Err(format!("“{name}” is outside the folder of the file"));
        }
        fs::read(path).map_err(failed)
    }
}

/// A resolver for files in memory by their decoded names, such as those dropped on a page.
impl Resolver for HashMap<String, Vec<u8>> {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        let name = percent_decode(uri)?;
        let name = name.strip_prefix("./").unwrap_or(&name);
        self.get(name).cloned().ok_or_else(|| format!("“{name}” is not among the files"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_resolver_refuses_paths_outside_the_folder() {
        let mut folder = FolderResolver::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        for uri in
            ["../Cargo.toml", "%2e%2e/Cargo.toml", "/etc/hostname", "model/../../Cargo.toml", "C:x", "a\\b"]
        {
            assert!(folder.read(uri).is_err(), "{uri}");
        }
        assert!(folder.read("no such file").is_err());
        assert!(folder.read("./json/../lib.rs").is_err());
        assert!(folder.read("./lib%2ers").is_ok());
    }

    #[test]
    fn map_resolver_finds_decoded_names() {
        let mut map = HashMap::from([("a b.bin".to_owned(), vec![7])]);
        assert_eq!(map.read("a%20b.bin"), Ok(vec![7]));
        assert_eq!(map.read("./a b.bin"), Ok(vec![7]));
        assert!(map.read("b.bin").is_err());
    }
}
