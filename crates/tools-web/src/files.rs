//! The files that a document names, as the page has loaded them.

use gambol::import::Resolver;
use std::collections::HashMap;
use wasm_bindgen::prelude::*;

/// Loaded files by their URIs, as they are in the JSON.
#[wasm_bindgen]
#[derive(Default)]
pub struct Files(HashMap<String, Vec<u8>>);

#[wasm_bindgen]
impl Files {
    /// No files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, uri: String, bytes: Vec<u8>) {
        self.0.insert(uri, bytes);
    }
}

impl Resolver for Files {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        self.0.get(uri).cloned().ok_or_else(|| format!("“{uri}” was not loaded"))
    }
}
