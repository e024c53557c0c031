//! The numbers of accessors.

use crate::convert::{object, thrown};
use crate::files::Files;
use gambol_gltf::element::{ComponentType, Word};
use gambol_gltf::error::ImportError;
use gambol_tools::Document;
use js_sys::{Float32Array, Int8Array, Int16Array, Uint8Array, Uint16Array, Uint32Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The numbers of an accessor. */
export interface AccessorNumbers {
  readonly type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT2' | 'MAT3' | 'MAT4';
  readonly componentType: 5120 | 5121 | 5122 | 5123 | 5125 | 5126;
  readonly normalized: boolean;
  readonly count: number;
  readonly values:
    | Float32Array<ArrayBuffer>
    | Int8Array<ArrayBuffer>
    | Uint8Array<ArrayBuffer>
    | Int16Array<ArrayBuffer>
    | Uint16Array<ArrayBuffer>
    | Uint32Array<ArrayBuffer>;
}
";

/// Reads accessors of one file.
#[wasm_bindgen]
pub struct Accessors {
    document: Document,
    /// Accessors of meshes that Draco compressed, and the accessors with their decoded numbers.
    decoded: Vec<(usize, usize)>,
}

#[wasm_bindgen]
impl Accessors {
    /// Reads the container, the JSON and the buffer views, and decodes meshes of Draco.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8], mut files: Files) -> Result<Self, JsValue> {
        let fault = |error: ImportError| thrown(&error.into());
        let mut document = Document::parse(bytes, &mut files).map_err(fault)?;
        let decoded = document.decode_draco(&mut files).map_err(fault)?;
        Ok(Self { document, decoded })
    }

    /// The numbers of an accessor: of floats and normalised integers as floats, of others as integers of their type.
    #[wasm_bindgen(unchecked_return_type = "AccessorNumbers")]
    pub fn read(&self, index: usize) -> Result<JsValue, JsValue> {
        self.numbers(index).map_err(|error| thrown(&error.into()))
    }
}

impl Accessors {
    fn numbers(&self, index: usize) -> Result<JsValue, ImportError> {
        let index = self.decoded.iter().find(|(named, _)| *named == index).map_or(index, |(_, made)| *made);
        let accessor = self.document.accessor(index)?;
        let values: JsValue = if accessor.normalized || accessor.component == ComponentType::F32 {
            Float32Array::from(&self.document.floats(index)?[..]).into()
        } else {
            let bytes = Uint8Array::from(&self.document.number_bytes(index)?[..]).buffer();
            match accessor.component {
                ComponentType::I8 => Int8Array::new(&bytes).into(),
                ComponentType::I16 => Int16Array::new(&bytes).into(),
                ComponentType::U16 => Uint16Array::new(&bytes).into(),
                ComponentType::U32 => Uint32Array::new(&bytes).into(),
                ComponentType::U8 | ComponentType::F32 => Uint8Array::new(&bytes).into(),
            }
        };
        Ok(object([
            ("type", accessor.kind.word().into()),
            ("componentType", accessor.component.as_gl_enum().into()),
            ("normalized", accessor.normalized.into()),
            ("count", (accessor.count as f64).into()),
            ("values", values),
        ]))
    }
}
