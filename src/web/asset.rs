//! Imported models.

use super::convert::{array, error, object, set};
use crate::animation;
use crate::import::{Imported, Warning};
use crate::model::{
    CameraId, Clip, ExpressionKind, ExpressionOverride, FaceExpression, ImageData, Marker, Model, Morph,
    NodeId, Topology,
};
use crate::viewer;
use crate::web::features::feature_methods;
use crate::web::structures::structures;
use crate::web::words::ExpressionRule;
use js_sys::{Float32Array, Uint32Array};
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** An external buffer of the file. Fetch it and pass it to {@link Import.provide}, or call {@link Import.skip}. */
export interface BufferRequest {
  /** The index of the buffer, for {@link Import.provide}. */
  readonly index: number;
  /** The URI as in the file: relative, and usually percent-encoded. */
  readonly uri: string;
  /** The number of bytes that the file declares. */
  readonly byteLength: number;
  /** The JSON pointer of the URI. */
  readonly pointer: string;
}

/** A mesh with Draco compression. Decode it and pass the result to {@link Import.provideDraco}. */
export interface DracoRequest {
  /** The index of the request, for {@link Import.provideDraco}. */
  readonly index: number;
  /** The encoded bytes. */
  readonly bytes: Uint8Array;
  /** The attributes to decode: Draco's id, the GL component type, and the number of components per vertex. */
  readonly attributes: readonly { readonly id: number; readonly type: number; readonly components: number }[];
  /** The maximum size of the decoded attributes and indices, in bytes. */
  readonly byteLimit: number;
  /** The JSON pointer of the extension. */
  readonly pointer: string;
}

/** An image of the model: in a file or buffer that was read (`place`), in a data URI ({@link Asset.takeImage}), or external (`uri`). */
export interface ImageInfo {
  /** The index in the file. */
  readonly index: number;
  /** The name in the file; empty if it has none. */
  readonly name: string;
  /** The MIME type that the file declares. */
  readonly mimeType?: string;
  /** The URI of an external image, as in the file. */
  readonly uri?: string;
  /** The bytes of an image of a file or buffer: `start` up to `end` of those that were provided for the buffer, else of the file. */
  readonly place?: { readonly buffer: number; readonly start: number; readonly end: number };
  /** The index of the image to use if the browser does not support the format of this one. */
  readonly fallback?: number;
  /** `true` if a texture uses the image. */
  readonly used: boolean;
}

/** The images of an image-based light: faces of cube maps. */
export interface ImageLightInfo {
  /** The width and height of a face of the first level; each level has half the size of the one before. */
  readonly size: number;
  /** The indices of the images: six for each level. */
  readonly images: Uint32Array;
}

/** A clip of a model. Times are seconds. */
export interface ClipDescription {
  readonly index: number;
  readonly name: string;
  readonly duration: number;
  readonly channels: number;
  readonly fps: number;
  readonly markers: readonly { readonly name: string; readonly time: number }[];
}

/** The variants, scenes, cameras and nodes of a model, and counts of its elements. */
export interface ModelDescription {
  /** The names of the material variants, in the order of the file. */
  readonly variants: string[];
  /** The names of the scenes, in the order of the file; empty for a scene without a name. */
  readonly scenes: string[];
  /** The index of the displayed scene; 0 in a file without scenes. */
  readonly scene: number;
  /** The names of the cameras in the displayed scene. */
  readonly cameras: string[];
  /** The nodes, in the order of the file. `parent` is an index, or -1 for a root. `joint` is `true` if a skin uses the node. */
  readonly joints: readonly { readonly name: string; readonly parent: number; readonly joint: boolean }[];
  /** The direction in which the model looks at rest: 0, 0, 1, or 0, 0, -1 for VRM 0. */
  readonly front: [x: number, y: number, z: number];
  /** The number of elements of each kind. */
  readonly info: Readonly<Record<'nodes' | 'joints' | 'vertices' | 'triangles' | 'morphTargets' | 'materials' | 'scenes' | 'cameras', number>>;
}

/** A morph: all morph targets of one name. */
export interface MorphDescription {
  /** The name. */
  readonly name: string;
  /** The names of its meshes in the file. */
  readonly meshes: readonly string[];
  /** The lowest and the highest weight in use. */
  readonly range: readonly [low: number, high: number];
}

/** The vertices and triangles of a primitive. */
export interface PrimitiveGeometry {
  /** X, Y, Z of each vertex, in metres, in the space of the mesh. */
  readonly positions: Float32Array<ArrayBuffer>;
  /** The unit normal of each vertex; empty without normals. */
  readonly normals: Float32Array<ArrayBuffer>;
  /** Three vertices for each triangle. */
  readonly indices: Uint32Array<ArrayBuffer>;
}

/** An expression: a named set of morph weights. */
export interface ExpressionDescription {
  /** The name. */
  readonly name: string;
  /** The part that it plays in a face. */
  readonly kind: 'emotion' | 'viseme' | 'blink' | 'look' | 'shape' | 'custom';
  /** The names of its morphs, and their weights at full expression. */
  readonly morphs: Readonly<Record<string, number>>;
  /** `true` if the amount is either 0 or 1. */
  readonly binary: boolean;
  /** The effect on blinks. */
  readonly overrideBlink: 'none' | 'block' | 'blend';
  /** The effect on looks. */
  readonly overrideLookAt: 'none' | 'block' | 'blend';
  /** The effect on visemes. */
  readonly overrideMouth: 'none' | 'block' | 'blend';
}

/** A fault of a file that was repaired, or whose part was skipped. */
export interface ImportWarning {
  /** The stable code, such as `import/number-replaced`. */
  readonly code: string;
  /** The fault and its repair. */
  readonly message: string;
  /** The JSON pointer of the fault; empty for the whole file. */
  readonly pointer: string;
}
";

structures! {
    /// The weight of a morph at full expression.
    pub struct MorphWeight: "MorphWeight" {
        /// The index in [`Asset::morphs`].
        morph: u32,
        weight: f32,
    }

    /// A new expression.
    pub struct ExpressionSetup: "ExpressionSetup" {
        name: String,
        /// A word of `ExpressionDescription`.
        kind: String,
        morphs: Vec<MorphWeight>,
        /// `true` if the amount is either 0 or 1.
        binary: bool,
        /// The effect on blinks.
        override_blink as overrideBlink: ExpressionRule,
        /// The effect on looks.
        override_look_at as overrideLookAt: ExpressionRule,
        /// The effect on visemes.
        override_mouth as overrideMouth: ExpressionRule,
    }
}

/// An imported model. Only its list of clips can change.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Asset {
    state: State,
    pub(super) warnings: Vec<Warning>,
}

#[derive(Debug)]
enum State {
    Compiling(Box<viewer::AssetBuilder>),
    Compiled(Rc<viewer::Asset>),
}

impl Asset {
    pub(super) fn new(imported: Imported) -> Self {
        let state = State::Compiling(Box::new(viewer::AssetBuilder::new(imported.model)));
        Self { state, warnings: imported.warnings }
    }

    /// The compiled model, for stages and samplers. Throws before [`Asset::compile`] has finished.
    pub(super) fn compiled(&self) -> Result<&Rc<viewer::Asset>, JsValue> {
        match &self.state {
            State::Compiled(asset) => Ok(asset),
            State::Compiling(_) => Err(error(
                "argument/invalid",
                "The model is not compiled yet; call `compile` until it is",
                None,
            )),
        }
    }

    /// The builder of the model, before [`Asset::compile`] has finished.
    pub(super) fn builder_mut(&mut self) -> Option<&mut viewer::AssetBuilder> {
        match &mut self.state {
            State::Compiling(builder) => Some(builder),
            State::Compiled(_) => None,
        }
    }

    pub(super) fn model(&self) -> &Model {
        match &self.state {
            State::Compiled(asset) => &asset.model,
            State::Compiling(builder) => &builder.model,
        }
    }
}

#[wasm_bindgen]
impl Asset {
    /// The description of the model for the page; it never changes.
    #[wasm_bindgen(unchecked_return_type = "ModelDescription")]
    pub fn describe(&self) -> JsValue {
        let names = |names: Vec<String>| array(names, JsValue::from);
        object([
            ("variants", names(self.model().variants.clone())),
            ("scenes", array(&self.model().scenes, |scene| scene.name.as_str().into())),
            ("scene", (self.model().default_scene.unwrap_or(0) as u32).into()),
            ("cameras", names(self.cameras())),
            ("joints", self.joints()),
            ("front", array(self.model().front().to_array(), JsValue::from)),
            ("info", self.info()),
        ])
    }

    /// `true` for a file of motion alone: its clips move bones, and its scene has no mesh.
    #[wasm_bindgen(js_name = isMotion)]
    pub fn is_motion(&self) -> bool {
        self.model().is_motion()
    }

    /// Compiles the model for stages and samplers in small steps: each processes about `numbers` numbers of
    /// keys and vertices. Call it until it returns `false`.
    pub fn compile(&mut self, numbers: usize) -> bool {
        let State::Compiling(builder) = &mut self.state else { return false };
        if builder.advance(numbers) {
            return true;
        }
        let builder = std::mem::replace(&mut **builder, viewer::AssetBuilder::new(Model::default()));
        self.state = State::Compiled(Rc::new(builder.finish()));
        false
    }

    /// The images of the model.
    #[wasm_bindgen(unchecked_return_type = "ImageInfo[]")]
    pub fn images(&self) -> JsValue {
        let model = self.model();
        let mut used = vec![false; model.images.len()];
        model
            .textures
            .iter()
            .filter_map(|texture| texture.image)
            .for_each(|image| used[image.index()] = true);
        array(model.images.iter().enumerate(), |(index, image)| {
            let (mut uri, mut place) = (JsValue::UNDEFINED, JsValue::UNDEFINED);
            match &image.data {
                ImageData::External(text) => uri = JsValue::from_str(text),
                ImageData::Embedded(_) => {}
                ImageData::Outside { buffer, range } => {
                    let number = |value: usize| JsValue::from(value as f64);
                    place = object([
                        ("buffer", number(*buffer)),
                        ("start", number(range.start)),
                        ("end", number(range.end)),
                    ]);
                }
            }
            object([
                ("index", (index as u32).into()),
                ("name", image.name.as_str().into()),
                ("mimeType", image.mime_type.as_deref().into()),
                ("uri", uri),
                ("place", place),
                ("fallback", image.fallback.map(|image| image.index() as u32).into()),
                ("used", used[index].into()),
            ])
        })
    }

    /// The encoded bytes of an image of a data URI, which the model then no longer has; nothing for others, and after
    /// [`Asset::compile`] has finished.
    #[wasm_bindgen(js_name = takeImage)]
    pub fn take_image(&mut self, index: usize) -> Option<Vec<u8>> {
        match &mut self.builder_mut()?.model.images.get_mut(index)?.data {
            ImageData::Embedded(bytes) => Some(std::mem::take(bytes)),
            ImageData::Outside { .. } | ImageData::External(_) => None,
        }
    }

    /// The clips, without those that were removed, in the order in which they were added.
    #[wasm_bindgen(unchecked_return_type = "ClipDescription[]")]
    pub fn clips(&self) -> JsValue {
        match &self.state {
            State::Compiled(asset) => {
                let set = asset.clips();
                array(set.ids(), |id| clip((id.index(), &set.clips[id.index()])))
            }
            State::Compiling(builder) => array(builder.model.clips.iter().enumerate(), clip),
        }
    }

    /// The warnings of the import: parts that were repaired or skipped.
    #[wasm_bindgen(unchecked_return_type = "ImportWarning[]")]
    pub fn warnings(&self) -> JsValue {
        array(&self.warnings, |warning| {
            object([
                ("code", warning.code.into()),
                ("message", warning.message.as_str().into()),
                ("pointer", warning.pointer.as_str().into()),
            ])
        })
    }
}

#[wasm_bindgen]
impl Asset {
    /// The index of the node with this name, or with a similar one; see [`crate::animation::find_joint`].
    #[wasm_bindgen(js_name = findJoint)]
    pub fn find_joint(&self, name: &str) -> Option<u32> {
        let model = self.model();
        animation::find_joint(model, name).map(|node| model.nodes[node.index()].source)
    }

    /// The vertices and triangles of each primitive, those of the first mesh first, for levels of detail; null for a primitive
    /// without indexed triangles.
    #[wasm_bindgen(unchecked_return_type = "(PrimitiveGeometry | null)[]")]
    pub fn geometry(&self) -> JsValue {
        let primitives = self.model().meshes.iter().flat_map(|mesh| &mesh.primitives);
        array(primitives, |primitive| match &primitive.indices {
            Some(indices) if primitive.topology == Topology::Triangles => object([
                ("positions", Float32Array::from(primitive.positions.as_flattened()).into()),
                ("normals", Float32Array::from(primitive.normals.as_flattened()).into()),
                ("indices", Uint32Array::from(&indices[..]).into()),
            ]),
            _ => JsValue::NULL,
        })
    }

    /// The names of the materials in the order of the file; empty without a name.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn materials(&self) -> JsValue {
        array(&self.model().materials, |material| material.name.as_str().into())
    }

    /// The morph targets by their names. Their ranges contain the keys of all current clips.
    #[wasm_bindgen(unchecked_return_type = "MorphDescription[]")]
    pub fn morphs(&self) -> Result<JsValue, JsValue> {
        let asset = self.compiled()?;
        let (model, set) = (&asset.model, asset.clips());
        let clips = set.ids().map(|id| &*set.clips[id.index()]);
        let ranges = Morph::ranges(model, &asset.layout, clips);
        Ok(array(asset.morphs(), |morph| {
            let [low, high] = morph.range(&ranges).map(f64::from);
            object([
                ("name", morph.name.as_str().into()),
                ("meshes", array(&morph.meshes, |mesh| model.meshes[mesh.index()].name.as_str().into())),
                ("range", array([low, high], JsValue::from)),
            ])
        }))
    }
}

feature_methods! {
    list for_light: Light;
    impl Asset {
        /// The image-based light of the shown scene, if there is one.
        #[wasm_bindgen(js_name = imageLight, unchecked_return_type = "ImageLightInfo | undefined")]
        pub fn image_light(this) -> Result<JsValue, JsValue> {
            let model = this.model();
            let Some(light) = model.image_light() else { return Ok(JsValue::UNDEFINED) };
            let images: Vec<u32> = light.levels.as_flattened().iter().map(|image| image.index() as u32).collect();
            Ok(object([("size", (light.size as u32).into()), ("images", Uint32Array::from(&images[..]).into())]))
        }
    }
}

feature_methods! {
    list for_faces: Faces;
    impl Asset {
        /// The expressions: those of the file, those found by the names of morph targets, and those that were set.
        #[wasm_bindgen(unchecked_return_type = "ExpressionDescription[]")]
        pub fn expressions(this) -> Result<JsValue, JsValue> {
            let asset = this.compiled()?;
            let morphs = asset.morphs();
            Ok(array(asset.expressions().iter(), |face| {
                let named = object([]);
                for morph in morphs {
                    if let Some((_, weight)) = face.weights.iter().find(|(at, _)| morph.weights.contains(at)) {
                        set(&named, &morph.name, f64::from(*weight));
                    }
                }
                let kind = ExpressionKind::ALL.iter().find(|(_, kind)| *kind == face.kind);
                let [blink, look_at, mouth] = face.overrides.map(|rule| rule.name().into());
                object([
                    ("name", face.name.as_str().into()),
                    ("kind", kind.map_or("", |(name, _)| name).into()),
                    ("morphs", named),
                    ("binary", face.is_binary.into()),
                    ("overrideBlink", blink),
                    ("overrideLookAt", look_at),
                    ("overrideMouth", mouth),
                ])
            }))
        }

        /// Adds an expression, or replaces the one of its name.
        #[wasm_bindgen(js_name = setExpression)]
        pub fn set_expression(this, expression: &js::ExpressionSetup) -> Result<(), JsValue> {
            let ExpressionSetup { name, kind, morphs, binary, override_blink, override_look_at, override_mouth } =
                expression.into();
            let asset = this.compiled()?;
            let known = ExpressionKind::ALL.iter().find(|(name, _)| *name == kind);
            let mut face = FaceExpression {
                name,
                kind: known.map_or(ExpressionKind::Custom, |(_, kind)| *kind),
                weights: Vec::new(),
                is_binary: binary,
                overrides: [override_blink, override_look_at, override_mouth].map(ExpressionOverride::from),
            };
            for MorphWeight { morph, weight } in morphs {
                if let Some(morph) = asset.morphs().get(morph as usize) {
                    face.add(&morph.weights, weight);
                }
            }
            asset.set_expression(face);
            Ok(())
        }
    }
}

impl Asset {
    /// The names of the active scene's cameras: the name of the node, or of the camera if the node has none.
    fn cameras(&self) -> Vec<String> {
        let model = self.model();
        let name = |&(node, camera): &(NodeId, CameraId)| {
            let (node, camera) = (&model.nodes[node.index()].name, &model.cameras[camera.index()].name);
            if node.is_empty() { camera } else { node }.clone()
        };
        viewer::cameras(model).iter().map(name).collect()
    }

    /// All nodes by their index in the file: `{ name, parent, joint }[]`. `parent` is an index or −1; `joint`
    /// is `true` if a skin uses the node.
    fn joints(&self) -> JsValue {
        let model = self.model();
        let joints = is_joint(model);
        array(&model.node_of_source, |id| {
            let node = &model.nodes[id.index()];
            let parent = node.parent.map_or(-1, |parent| model.nodes[parent.index()].source as i32);
            object([
                ("name", node.name.as_str().into()),
                ("parent", parent.into()),
                ("joint", joints[id.index()].into()),
            ])
        })
    }

    /// The counts `{ nodes, joints, vertices, triangles, morphTargets, materials, scenes, cameras }`.
    fn info(&self) -> JsValue {
        let model = self.model();
        let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let triangles = primitives().map(|primitive| {
            let corners = primitive.indices.as_ref().map_or(primitive.vertex_count(), Vec::len);
            match primitive.topology {
                Topology::Triangles => corners / 3,
                Topology::TriangleStrip | Topology::TriangleFan => corners.saturating_sub(2),
                _ => 0,
            }
        });
        let joints = is_joint(model).into_iter().filter(|joint| *joint).count();
        let targets = model.meshes.iter().map(|mesh| mesh.weights.len());
        let count = |count: usize| JsValue::from_f64(count as f64);
        object([
            ("nodes", count(model.nodes.len())),
            ("joints", count(joints)),
            ("vertices", count(primitives().map(|primitive| primitive.vertex_count()).sum())),
            ("triangles", count(triangles.sum())),
            ("morphTargets", count(targets.sum())),
            ("materials", count(model.materials.len())),
            ("scenes", count(model.scenes.len())),
            ("cameras", count(model.cameras.len())),
        ])
    }
}

fn clip((index, clip): (usize, &Arc<Clip>)) -> JsValue {
    object([
        ("index", (index as u32).into()),
        ("name", clip.name.as_str().into()),
        ("duration", f64::from(clip.duration).into()),
        ("channels", ((clip.channels.len() + clip.properties.len()) as u32).into()),
        ("fps", clip.frames_per_second().into()),
        ("markers", markers(&clip.markers)),
    ])
}

/// `true` for each node that a skin uses.
fn is_joint(model: &Model) -> Vec<bool> {
    let mut is_joint = vec![false; model.nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        is_joint[joint.index()] = true;
    }
    is_joint
}

fn markers(markers: &[Marker]) -> JsValue {
    array(markers, |marker| object([("name", marker.name.as_str().into()), ("time", marker.time.into())]))
}
