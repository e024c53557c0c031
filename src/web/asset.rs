//! Import and the imported.

use super::convert::{array, object};
use crate::import::{Document, Limits, Warning};
use crate::model::{Image, ImageData, Topology};
use crate::viewer;
use std::collections::HashSet;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// One file on its way in.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Import(Document<'static>);

#[wasm_bindgen]
impl Import {
    /// Reads the structure of a GLB or glTF file. Limits: `{ decodedBytes?, vertices?, nodes?, depth? }`.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, limits: &JsValue) -> Result<Import, JsValue> {
        Ok(Self(Document::parse_with_limits(bytes, limits_of(limits))?))
    }

    /// The external buffers that are still missing: `{ index, uri, byteLength, pointer }[]`.
    pub fn requests(&self) -> JsValue {
        array(self.0.requests(), |request| {
            object([
                ("index", (request.index as u32).into()),
                ("uri", request.uri.into()),
                ("byteLength", (request.byte_length as f64).into()),
                ("pointer", request.pointer.into()),
            ])
        })
    }

    /// Hands over the bytes of a request.
    pub fn provide(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), JsValue> {
        Ok(self.0.provide(index, bytes)?)
    }

    /// Checks and decodes everything.
    pub fn finish(self) -> Result<Asset, JsValue> {
        let imported = self.0.finish()?;
        let asset = Rc::new(viewer::Asset::new(imported.model));
        Ok(Asset { asset, warnings: imported.warnings })
    }
}

/// An imported model; immutable.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Asset {
    pub(super) asset: Rc<viewer::Asset>,
    warnings: Vec<Warning>,
}

#[wasm_bindgen]
impl Asset {
    /// `{ index, id, name, duration, channels, fps, keys }[]`: `id` is unique ("Walk", "Walk~2"), times are seconds.
    pub fn clips(&self) -> JsValue {
        let mut taken = HashSet::new();
        array(self.asset.model.clips.iter().enumerate(), |(index, clip)| {
            object([
                ("index", (index as u32).into()),
                ("id", unique_id(&clip.name, index, &mut taken).into()),
                ("name", clip.name.as_str().into()),
                ("duration", f64::from(clip.duration).into()),
                ("channels", (clip.channels.len() as u32).into()),
                ("fps", clip.frames_per_second().into()),
            ])
        })
    }

    /// `{ index, name, mimeType?, uri?, pointer }[]`; those with a `uri` are outside the file.
    pub fn images(&self) -> JsValue {
        array(self.asset.model.images.iter().enumerate(), |(index, image)| {
            let uri = match &image.data {
                ImageData::External(uri) => JsValue::from_str(uri),
                ImageData::Embedded(_) => JsValue::UNDEFINED,
            };
            object([
                ("index", (index as u32).into()),
                ("name", image.name.as_str().into()),
                ("mimeType", image.mime_type.as_deref().into()),
                ("uri", uri),
                ("pointer", format!("/images/{index}").into()),
            ])
        })
    }

    /// The encoded bytes of an image in the file.
    #[wasm_bindgen(js_name = imageBytes)]
    pub fn image_bytes(&self, index: usize) -> Option<Vec<u8>> {
        match self.asset.model.images.get(index) {
            Some(Image { data: ImageData::Embedded(bytes), .. }) => Some(bytes.clone()),
            _ => None,
        }
    }

    /// What import repaired or left out: `{ code, message, pointer }[]`.
    pub fn warnings(&self) -> JsValue {
        array(&self.warnings, |warning| {
            object([
                ("code", warning.code.into()),
                ("message", warning.message.as_str().into()),
                ("pointer", warning.pointer.as_str().into()),
            ])
        })
    }

    /// `{ nodes, joints, vertices, triangles, morphTargets, materials, scenes, cameras }`: how many there are.
    pub fn info(&self) -> JsValue {
        let model = &self.asset.model;
        let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let triangles = primitives().map(|primitive| {
            let corners = primitive.indices.as_ref().map_or(primitive.vertex_count(), Vec::len);
            match primitive.topology {
                Topology::Triangles => corners / 3,
                Topology::TriangleStrip | Topology::TriangleFan => corners.saturating_sub(2),
                _ => 0,
            }
        });
        let joints: HashSet<_> = model.skins.iter().flat_map(|skin| &skin.joints).collect();
        let targets = model.meshes.iter().map(|mesh| mesh.weights.len());
        let count = |count: usize| JsValue::from_f64(count as f64);
        object([
            ("nodes", count(model.nodes.len())),
            ("joints", count(joints.len())),
            ("vertices", count(primitives().map(|primitive| primitive.vertex_count()).sum())),
            ("triangles", count(triangles.sum())),
            ("morphTargets", count(targets.sum())),
            ("materials", count(model.materials.len())),
            ("scenes", count(model.scenes.len())),
            ("cameras", count(model.cameras.len())),
        ])
    }
}

/// The limits that a page sets, and the default for the others.
fn limits_of(limits: &JsValue) -> Limits {
    let number = |name: &str, default: u64| {
        let value = js_sys::Reflect::get(limits, &name.into()).ok().and_then(|value| value.as_f64());
        value.filter(|value| *value >= 0.0).map_or(default, |value| value as u64)
    };
    let default = Limits::DEFAULT;
    let decoded_bytes = number("decodedBytes", default.decoded_bytes);
    Limits {
        decoded_bytes,
        vertices: number("vertices", default.vertices),
        nodes: number("nodes", default.nodes),
        depth: number("depth", default.depth),
        ..default
    }
}

/// The name, or "Clip 3" without one; a number is added where it is taken.
fn unique_id(name: &str, index: usize, taken: &mut HashSet<String>) -> String {
    let name = if name.is_empty() { format!("Clip {}", index + 1) } else { name.to_owned() };
    let candidates = (2..).map(|n| format!("{name}~{n}"));
    let free = std::iter::once(name.clone()).chain(candidates).find(|id| !taken.contains(id));
    let id = free.unwrap_or(name);
    taken.insert(id.clone());
    id
}
