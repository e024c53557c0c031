//! Files on their way in.

use super::asset::Asset;
use super::convert::{array, object, too_late};
use crate::import::{Document, DracoMesh, DracoRequest, ImportError, Limits, Unfinished};
use crate::web::rest::{deferred_methods, need_rest};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// One file on its way in.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Import(Phase);

#[derive(Debug)]
enum Phase {
    /// Buffers may still be on their way.
    Document(Box<Document<'static>>),
    Unfinished(Box<Unfinished>),
    /// Reading failed.
    Nothing,
}

deferred_methods! {
    impl mut Import {
        /// Hands over a decoded mesh: the bytes of each attribute asked for, and the indices of its triangles.
        #[wasm_bindgen(js_name = provideDraco)]
        pub fn provide_draco(
            this,
            index: usize,
            vertices: usize,
            attributes: Vec<Uint8Array>,
            indices: Vec<u32>,
        ) -> Result<(), JsValue> {
            let attributes = attributes.iter().map(Uint8Array::to_vec).collect();
            Ok(this.document()?.provide_draco(index, DracoMesh { vertices, attributes, indices })?)
        }
    }
}

impl Import {
    fn document(&mut self) -> Result<&mut Document<'static>, JsValue> {
        match &mut self.0 {
            Phase::Document(document) => Ok(document),
            _ => Err(too_late()),
        }
    }

    /// Fails with `load/chunk` if the next step is work for the second module, and that has not started.
    fn check_rest(&self) -> Result<(), JsValue> {
        let needed = match &self.0 {
            Phase::Document(document) => document.needs_rest(),
            Phase::Unfinished(unfinished) => !unfinished.is_complete(),
            Phase::Nothing => false,
        };
        if needed { need_rest() } else { Ok(()) }
    }
}

#[wasm_bindgen]
impl Import {
    /// Reads the structure of a GLB or glTF file. The other numbers are the most that it may ask for, see [`Limits`]; without
    /// one, and for one below 0, it is the default.
    #[wasm_bindgen(constructor)]
    pub fn new(
        bytes: Vec<u8>,
        decoded_bytes: Option<f64>,
        vertices: Option<f64>,
        nodes: Option<f64>,
        draws: Option<f64>,
        instances: Option<f64>,
        joints: Option<f64>,
        depth: Option<f64>,
    ) -> Result<Import, ImportError> {
        let default = Limits::DEFAULT;
        let or = |limit: Option<f64>, default: u64| {
            limit.filter(|limit| *limit >= 0.0).map_or(default, |limit| limit as u64)
        };
        let limits = Limits {
            decoded_bytes: or(decoded_bytes, default.decoded_bytes),
            vertices: or(vertices, default.vertices),
            nodes: or(nodes, default.nodes),
            draws: or(draws, default.draws),
            instances: or(instances, default.instances),
            joints: or(joints, default.joints),
            depth: or(depth, default.depth),
            ..default
        };
        let document = Document::open(bytes, limits)?;
        Ok(Self(Phase::Document(Box::new(document))))
    }

    /// `true` if the file uses extensions whose readers are in the second module, which has to be there before any other call then.
    #[wasm_bindgen(js_name = needsRest)]
    pub fn needs_rest(&mut self) -> Result<bool, JsValue> {
        Ok(self.document()?.needs_rest())
    }

    /// Decodes what is encoded in the file itself. To be called first.
    pub fn decode(&mut self) -> Result<(), JsValue> {
        self.check_rest()?;
        Ok(self.document()?.decode_views()?)
    }

    /// The external buffers that are still missing. To be asked again when they have been provided; what is missing then can
    /// be done without.
    #[wasm_bindgen(unchecked_return_type = "BufferRequest[]")]
    pub fn requests(&mut self) -> Result<JsValue, JsValue> {
        let requests = self.document()?.requests();
        Ok(array(requests, |request| {
            object([
                ("index", (request.index as u32).into()),
                ("uri", request.uri.into()),
                ("byteLength", (request.byte_length as f64).into()),
                ("pointer", request.pointer.into()),
            ])
        }))
    }

    /// Hands over the bytes of a request.
    pub fn provide(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), JsValue> {
        Ok(self.document()?.provide(index, bytes)?)
    }

    /// Says that the bytes of a request cannot be had, and why, for a warning: parts that need them are left out. [`Import::advance`]
    /// fails with `import/buffer-missing` if nothing is left to show.
    pub fn skip(&mut self, index: usize, reason: &str) -> Result<(), JsValue> {
        Ok(self.document()?.skip(index, reason)?)
    }

    /// The meshes that need a Draco decoder, when all buffers are there.
    #[wasm_bindgen(js_name = dracoRequests, unchecked_return_type = "DracoRequest[]")]
    pub fn draco_requests(&mut self) -> Result<JsValue, JsValue> {
        self.check_rest()?;
        let document = self.document()?;
        let wanted = document.draco_requests()?;
        draco_requests(document, wanted)
    }

    /// Checks and decodes, when all that was asked for is there: to be called until it returns false. If the first call returns
    /// true, the others make what the file lacks, and that is work for the second module.
    pub fn advance(&mut self) -> Result<bool, JsValue> {
        self.check_rest()?;
        match std::mem::replace(&mut self.0, Phase::Nothing) {
            Phase::Document(document) => {
                let read = Box::new(document.read()?);
                let complete = read.is_complete();
                self.0 = Phase::Unfinished(read);
                Ok(!complete)
            }
            Phase::Unfinished(mut unfinished) => {
                let more = unfinished.advance()?;
                self.0 = Phase::Unfinished(unfinished);
                Ok(more)
            }
            Phase::Nothing => Err(too_late()),
        }
    }

    /// The model, with whatever is left to do for it.
    pub fn finish(self) -> Result<Asset, JsValue> {
        self.check_rest()?;
        let imported = match self.0 {
            Phase::Document(document) => document.finish()?,
            Phase::Unfinished(rest) => rest.finish()?,
            Phase::Nothing => return Err(too_late()),
        };
        Ok(Asset::new(imported))
    }
}

fn draco_requests(document: &Document<'_>, wanted: Vec<DracoRequest>) -> Result<JsValue, JsValue> {
    let mut requests = Vec::new();
    for request in wanted {
        let attributes = array(&request.attributes, |attribute| {
            object([
                ("id", attribute.id.into()),
                ("type", attribute.component.gl().into()),
                ("components", (attribute.components as u32).into()),
            ])
        });
        requests.push(object([
            ("index", (request.index as u32).into()),
            ("bytes", Uint8Array::from(document.draco_bytes(request.index)?).into()),
            ("attributes", attributes),
            ("byteLimit", (request.byte_limit as f64).into()),
            ("pointer", request.pointer.into()),
        ]));
    }
    Ok(array(requests, |request| request))
}
