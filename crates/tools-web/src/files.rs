//! The files that a document names, and the decoder of Draco, as the page has loaded them.

use gambol::import::{DracoMesh, DracoRequest, Resolver};
use js_sys::{Array, Error, Function, Reflect, Uint8Array, Uint32Array};
use std::collections::HashMap;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::convert::object;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** A mesh for the decoder of Draco: the ids of its attributes, their GL component types and the numbers of components. */
export interface DracoRequest {
  readonly bytes: Uint8Array;
  readonly attributes: readonly { readonly id: number; readonly type: number; readonly components: number }[];
  readonly byteLimit: number;
}

/** A decoded mesh. */
export interface DracoMesh {
  readonly vertices: number;
  readonly attributes: readonly Uint8Array[];
  readonly indices: Uint32Array;
}
";

#[wasm_bindgen]
extern "C" {
    /// A function that decodes a mesh, or throws an error with the reason.
    #[wasm_bindgen(typescript_type = "(request: DracoRequest) => DracoMesh")]
    pub type DecodeDraco;
}

/// Loaded files by their URIs, as they are in the JSON.
#[wasm_bindgen]
#[derive(Default)]
pub struct Files {
    files: HashMap<String, Vec<u8>>,
    decoder: Option<Function>,
}

#[wasm_bindgen]
impl Files {
    /// No files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, uri: String, bytes: Vec<u8>) {
        self.files.insert(uri, bytes);
    }

    /// Sets the decoder of Draco meshes.
    #[wasm_bindgen(js_name = setDecoder)]
    pub fn set_decoder(&mut self, decoder: DecodeDraco) {
        self.decoder = decoder.dyn_into().ok();
    }
}

impl Resolver for Files {
    fn read(&mut self, uri: &str) -> Result<Vec<u8>, String> {
        self.files.get(uri).cloned().ok_or_else(|| format!("“{uri}” was not loaded"))
    }

    fn decode_draco(&mut self, request: &DracoRequest, bytes: &[u8]) -> Option<Result<DracoMesh, String>> {
        let decoded = self.decoder.as_ref()?.call1(&JsValue::NULL, &described(request, bytes));
        Some(match decoded {
            Ok(mesh) => mesh_of(&mesh).ok_or_else(|| "the decoder returned no mesh".to_owned()),
            Err(thrown) => Err(thrown
                .dyn_ref::<Error>()
                .map_or_else(|| "the decoder has stopped".to_owned(), |error| String::from(error.message()))),
        })
    }
}

fn described(request: &DracoRequest, bytes: &[u8]) -> JsValue {
    let attributes = request.attributes.iter().map(|attribute| {
        object([
            ("id", attribute.id.into()),
            ("type", attribute.component.as_gl_enum().into()),
            ("components", (attribute.components as f64).into()),
        ])
    });
    object([
        ("bytes", Uint8Array::from(bytes).into()),
        ("attributes", attributes.collect::<Array>().into()),
        ("byteLimit", (request.byte_limit as f64).into()),
    ])
}

fn mesh_of(mesh: &JsValue) -> Option<DracoMesh> {
    let get = |name: &str| Reflect::get(mesh, &name.into()).ok();
    let attributes = get("attributes")?.dyn_into::<Array>().ok()?;
    let attributes = attributes.iter().map(|bytes| Some(bytes.dyn_into::<Uint8Array>().ok()?.to_vec()));
    Some(DracoMesh {
        vertices: get("vertices")?.as_f64()? as usize,
        attributes: attributes.collect::<Option<_>>()?,
        indices: get("indices")?.dyn_into::<Uint32Array>().ok()?.to_vec(),
    })
}
