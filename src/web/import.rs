//! The import of model files.

use super::asset::Asset;
use super::convert::{array, object, refused, too_late};
use crate::import::{Document, DracoMesh, DracoRequest, Limits, Outside, Source, Unfinished};
use crate::web::features::{Feature, feature_methods, need};
use crate::web::structures::structures;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// The import of one file.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Import(Phase);

/// An array of JavaScript, which is read range by range. It does not change until the import ends.
#[derive(Debug)]
struct Array(Uint8Array);

impl Outside for Array {
    fn length(&self) -> usize {
        self.0.length() as usize
    }

    fn copy(&self, start: usize, out: &mut [u8]) {
        // Files are smaller than 4 GiB.
        self.0.subarray(start as u32, (start + out.len()) as u32).copy_to(out);
    }
}

fn outside(array: Uint8Array) -> Source<'static> {
    Source::Outside(Box::new(Array(array)))
}

#[derive(Debug)]
enum Phase {
    /// The structure is read; buffers may still be missing.
    Document(Box<Document<'static>>),
    Unfinished(Box<Unfinished>),
    /// Import has failed.
    Nothing,
}

feature_methods! {
    list for_decoding: Decoding;
    impl mut Import {
        /// Provides a decoded mesh: the bytes of each requested attribute, and the indices of its triangles.
        #[wasm_bindgen(js_name = provideDraco)]
        pub fn provide_draco(
            this,
            index: usize,
            vertices: usize,
            attributes: Vec<Uint8Array>,
            indices: Vec<u32>,
        ) -> Result<(), JsValue> {
            let attributes = attributes.iter().map(Uint8Array::to_vec).collect();
            this.document()?.provide_draco(index, DracoMesh { vertices, attributes, indices }).map_err(refused)
        }

        /// The meshes that need a Draco decoder; call it when all buffers are provided. A file that does not [need](Import::needs)
        /// the feature has none.
        #[wasm_bindgen(js_name = dracoRequests, unchecked_return_type = "DracoRequest[]")]
        pub fn draco_requests(this) -> Result<JsValue, JsValue> {
            let document = this.document()?;
            let wanted = document.draco_requests().map_err(refused)?;
            described(document, wanted)
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

    /// The features that the next step needs.
    fn wanted(&self) -> impl Iterator<Item = Feature> {
        let (decoding, body, light) = match &self.0 {
            Phase::Document(document) => {
                (document.needs_decoding(), document.has_springs(), document.has_image_lights())
            }
            Phase::Unfinished(unfinished) => (!unfinished.is_complete(), false, false),
            Phase::Nothing => (false, false, false),
        };
        [(decoding, Feature::Decoding), (body, Feature::Body), (light, Feature::Light)]
            .into_iter()
            .filter_map(|(needed, feature)| needed.then_some(feature))
    }

    /// Fails with `feature/not-used` if the next step needs a feature that does not run.
    fn check(&self) -> Result<(), JsValue> {
        self.wanted().try_for_each(need)
    }
}

structures! {
    /// Limits of an import, see [`Limits`]; a number that is `undefined` or negative is the default.
    pub struct ImportLimits: "ImportLimits" {
        decoded_bytes as decodedBytes: Option<f64>,
        vertices: Option<f64>,
        nodes: Option<f64>,
        draws: Option<f64>,
        instances: Option<f64>,
        joints: Option<f64>,
        depth: Option<f64>,
    }
}

#[wasm_bindgen]
impl Import {
    /// Reads the structure of a GLB or glTF file.
    ///
    /// The bytes, and those of [`Import::provide`], are read until the import ends; they must not change before.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Uint8Array, limits: &js::ImportLimits) -> Result<Import, JsValue> {
        let ImportLimits { decoded_bytes, vertices, nodes, draws, instances, joints, depth } = limits.into();
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
        let document = Document::open(outside(bytes), limits).map_err(refused)?;
        Ok(Self(Phase::Document(Box::new(document))))
    }

    /// The features that the next step needs: those of the file first, then those that generate what the file lacks. Each of the other
    /// calls may throw `feature/not-used` before they run.
    #[wasm_bindgen(unchecked_return_type = "Feature[]")]
    pub fn needs(&self) -> JsValue {
        array(self.wanted(), JsValue::from)
    }

    /// The names of the scenes, empty without a name, before the first call of [`Import::advance`].
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn scenes(&mut self) -> Result<JsValue, JsValue> {
        Ok(array(self.document()?.scenes(), JsValue::from))
    }

    /// Chooses the scene to show, by its index, in place of the default one; before the first call of [`Import::advance`].
    #[wasm_bindgen(js_name = setScene)]
    pub fn set_scene(&mut self, index: usize) -> Result<(), JsValue> {
        self.document()?.choose_scene(index);
        Ok(())
    }

    /// Decodes encoded parts of the file itself. Call it first.
    pub fn decode(&mut self) -> Result<(), JsValue> {
        self.check()?;
        self.document()?.decode_views().map_err(refused)
    }

    /// The external buffers that are still missing. Call it again after they have been provided: buffers
    /// requested then are optional.
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

    /// Provides the bytes of a requested buffer.
    pub fn provide(&mut self, index: usize, bytes: Uint8Array) -> Result<(), JsValue> {
        self.document()?.provide(index, outside(bytes)).map_err(refused)
    }

    /// Reports that a requested buffer is not available, with a reason for the warning. Parts that need it
    /// are skipped. [`Import::advance`] fails with `import/buffer-missing` if no visible part remains.
    pub fn skip(&mut self, index: usize, reason: &str) -> Result<(), JsValue> {
        self.document()?.skip(index, reason).map_err(refused)
    }

    /// Validates and decodes the file, when all requests are answered. Call it until it returns `false`. If
    /// the first call returns `true`, the further calls generate data missing from the file: see [`Import::needs`].
    pub fn advance(&mut self) -> Result<bool, JsValue> {
        self.check()?;
        match std::mem::replace(&mut self.0, Phase::Nothing) {
            Phase::Document(document) => {
                let read = Box::new(document.read().map_err(refused)?);
                let complete = read.is_complete();
                self.0 = Phase::Unfinished(read);
                Ok(!complete)
            }
            Phase::Unfinished(mut unfinished) => {
                let more = unfinished.advance().map_err(refused)?;
                self.0 = Phase::Unfinished(unfinished);
                Ok(more)
            }
            Phase::Nothing => Err(too_late()),
        }
    }

    /// Completes the remaining work and returns the model.
    pub fn finish(self) -> Result<Asset, JsValue> {
        self.check()?;
        let read = match self.0 {
            Phase::Document(document) => Box::new(document.read().map_err(refused)?),
            Phase::Unfinished(read) => read,
            Phase::Nothing => return Err(too_late()),
        };
        if !read.is_complete() {
            need(Feature::Decoding)?;
        }
        Ok(Asset::new(read.finish().map_err(refused)?))
    }
}

fn described(document: &Document<'_>, wanted: Vec<DracoRequest>) -> Result<JsValue, JsValue> {
    let mut requests = Vec::new();
    for request in wanted {
        let attributes = array(&request.attributes, |attribute| {
            object([
                ("id", attribute.id.into()),
                ("type", attribute.component.as_gl_enum().into()),
                ("components", (attribute.components as u32).into()),
            ])
        });
        requests.push(object([
            ("index", (request.index as u32).into()),
            ("bytes", Uint8Array::from(&*document.draco_bytes(request.index).map_err(refused)?).into()),
            ("attributes", attributes),
            ("byteLimit", (request.byte_limit as f64).into()),
            ("pointer", request.pointer.into()),
        ]));
    }
    Ok(array(requests, |request| request))
}
