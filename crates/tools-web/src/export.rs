//! Poses and clips of a viewer as files.

use crate::convert::{object, thrown};
use crate::files::Files;
use crate::web::structures::{Floats, Indices, structures};
use gambol::animation::{Snapshot, SnapshotLists};
use gambol_gltf::json::{Value, repair_json};
use gambol_gltf::resolver::NoResolver;
use gambol_tools::{
    ClipToWrite, Document, Hidden, NewClip, NewImage, ObjNames, ToolsError, codes, export_clips,
    export_materials, export_mtl, export_nodes, export_obj, export_placed, export_pose, open, recorded_clip,
};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** A Wavefront OBJ and its materials. */
export interface WrittenObj {
  readonly obj: string;
  readonly mtl: string;
}
";

structures! {
    /// A snapshot of an actor, from `Query.snapshot` of the core.
    pub struct SnapshotDescription: "SnapshotDescription" {
        layout: Indices,
        numbers: Floats,
    }

    /// The parts of an OBJ.
    pub struct ObjParts: "ObjParts" {
        /// The JSON of the file, for its materials.
        json: String,
        snapshot: SnapshotDescription,
        /// The names of the nodes in the order of the file.
        nodes: Vec<String>,
        /// The names of the materials in the order of the file.
        materials: Vec<String>,
        /// The name of the MTL file.
        library: String,
    }

    /// A channel of a new clip.
    pub struct NewChannel: "NewChannel" {
        /// `undefined` for a JSON pointer as the path.
        node: Option<u32>,
        path: String,
        interpolation: String,
        times: Floats,
        values: Floats,
    }

    /// Numbers of a material.
    pub struct NewNumbers: "NewNumbers" {
        /// The path in the material.
        path: String,
        values: Floats,
    }

    /// A texture of a material.
    pub struct NewTexture: "NewTexture" {
        /// The path in the material.
        path: String,
        /// The index of the image in the file.
        image: Option<u32>,
        /// The index of the picture among those that are passed; without both, the texture is removed.
        picture: Option<u32>,
        tex_coord as texCoord: u32,
        /// `magFilter`, `minFilter`, `wrapS`, `wrapT`.
        sampler: Indices,
        /// The offset, the rotation and the scale.
        transform: Floats,
    }

    /// A material to change.
    pub struct NewMaterial: "NewMaterial" {
        material: u32,
        numbers: Vec<NewNumbers>,
        alpha_mode as alphaMode: Option<String>,
        double_sided as doubleSided: Option<bool>,
        unlit: Option<bool>,
        textures: Vec<NewTexture>,
    }
}

fn snapshot(SnapshotDescription { layout, numbers }: &SnapshotDescription) -> Result<Snapshot, JsValue> {
    SnapshotLists::read(layout, numbers).ok_or_else(|| {
        thrown(&ToolsError::new(codes::EXPORT_OTHER_FILE, "", "The lists of the pose are cut off."))
    })
}

/// A document with its images, as far as the page could load them.
pub(crate) fn document(bytes: &[u8], files: &mut Files) -> Result<Document, ToolsError> {
    let (mut document, _) = open(bytes, files)?;
    document.embed_images(files);
    Ok(document)
}

/// [`document`], with meshes of Draco decoded.
pub(crate) fn decoded_document(bytes: &[u8], files: &mut Files) -> Result<Document, ToolsError> {
    let mut document = document(bytes, files)?;
    document.decode_draco(files)?;
    Ok(document)
}

/// Makes the scene that a viewer shows the default one, unless it is already.
fn show_scene(document: &mut Document, scene: Option<u32>) {
    let shown = document.json.index_at("scene").unwrap_or(0);
    if let (Some(scene), Some(root)) =
        (scene.filter(|&scene| scene as usize != shown), document.json.as_object_mut())
    {
        root.insert("scene".to_owned(), scene.into());
    }
}

/// Writes a snapshot of the stage into its file; returns a GLB.
///
/// - `keep_hidden`: `false` to leave out hidden meshes.
/// - `scene`: the index of the shown scene.
#[wasm_bindgen(js_name = exportPose)]
pub fn pose(
    bytes: &[u8],
    mut files: Files,
    snapshot: &js::SnapshotDescription,
    keep_hidden: bool,
    scene: Option<u32>,
) -> Result<Vec<u8>, JsValue> {
    let snapshot = self::snapshot(&snapshot.into())?;
    let hidden = if keep_hidden { Hidden::Keep } else { Hidden::LeaveOut };
    let written = decoded_document(bytes, &mut files).and_then(|mut document| {
        show_scene(&mut document, scene);
        Ok(export_pose(document, &snapshot, hidden)?.to_glb()?)
    });
    written.map_err(|error| thrown(&error))
}

/// Writes a snapshot of all meshes as OBJ and MTL.
#[wasm_bindgen(js_name = exportObj, unchecked_return_type = "WrittenObj")]
pub fn obj(parts: &js::ObjParts) -> Result<JsValue, JsValue> {
    let ObjParts { json, snapshot, nodes, materials, library } = parts.into();
    let obj = export_obj(&self::snapshot(&snapshot)?, &ObjNames { nodes, materials }, Some(&library));
    let json = Value::parse(&repair_json(json.as_bytes()));
    let mtl = json.map_or_else(|_| String::new(), |json| export_mtl(&json));
    Ok(object([("obj", obj.into()), ("mtl", mtl.into())]))
}

/// Changes materials of a GLB, and shows or hides its nodes.
///
/// - `pictures`: PNG files.
/// - `nodes`: indices of nodes, each followed by 1 for a shown one, or 0.
/// - `place`: a place for all scenes, see [`export_placed`].
#[wasm_bindgen(js_name = exportMaterials)]
pub fn materials(
    glb: &[u8],
    list: Vec<js::NewMaterial>,
    pictures: Vec<Uint8Array>,
    nodes: Vec<u32>,
    place: Option<Vec<f32>>,
) -> Result<Vec<u8>, JsValue> {
    let texture = |NewTexture { path, image, picture, tex_coord, sampler, transform }: NewTexture| {
        let bytes = picture.and_then(|picture| pictures.get(picture as usize)).map(Uint8Array::to_vec);
        let image = match (bytes, image) {
            (Some(bytes), _) => NewImage::Bytes(bytes, "image/png".to_owned()),
            (None, Some(image)) => NewImage::Image(image as usize),
            (None, None) => NewImage::None,
        };
        let sampler = sampler.try_into().unwrap_or([9729, 9987, 10497, 10497]);
        let transform = transform.try_into().unwrap_or([0.0, 0.0, 0.0, 1.0, 1.0]);
        gambol_tools::NewTexture { path, image, tex_coord, sampler, transform }
    };
    let list: Vec<_> = list
        .iter()
        .map(|new| {
            let NewMaterial { material, numbers, alpha_mode, double_sided, unlit, textures } = new.into();
            gambol_tools::NewMaterial {
                material: material as usize,
                numbers: numbers.into_iter().map(|NewNumbers { path, values }| (path, values)).collect(),
                alpha_mode,
                double_sided,
                unlit,
                textures: textures.into_iter().map(texture).collect(),
            }
        })
        .collect();
    let written = open(glb, &mut NoResolver).and_then(|(document, _)| {
        let nodes: Vec<_> = nodes.chunks_exact(2).map(|pair| (pair[0] as usize, pair[1] != 0)).collect();
        let document = export_nodes(export_materials(document, &list)?, &nodes)?;
        let document = match place.and_then(|place| place.try_into().ok()) {
            Some(place) => export_placed(document, place),
            None => document,
        };
        Ok(document.to_glb()?)
    });
    written.map_err(|error| thrown(&error))
}

/// Writes clips into a file.
#[wasm_bindgen]
pub struct ClipWriter {
    document: Document,
    clips: Vec<ClipToWrite>,
}

#[wasm_bindgen]
impl ClipWriter {
    /// Reads the file. `scene`: the index of the shown scene.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8], mut files: Files, scene: Option<u32>) -> Result<Self, JsValue> {
        let mut document = document(bytes, &mut files).map_err(|error| thrown(&error))?;
        show_scene(&mut document, scene);
        Ok(Self { document, clips: Vec::new() })
    }

    /// The number of animations of the file.
    pub fn animations(&self) -> usize {
        self.document.list("animations").len()
    }

    /// Keeps an animation of the file.
    pub fn keep(&mut self, index: usize) {
        self.clips.push(ClipToWrite::Kept(index));
    }

    /// Begins a new clip.
    pub fn begin(&mut self, name: String) {
        self.clips.push(ClipToWrite::New(NewClip { name, ..NewClip::default() }));
    }

    fn last(&mut self) -> Option<&mut NewClip> {
        match self.clips.last_mut() {
            Some(ClipToWrite::New(clip)) => Some(clip),
            _ => None,
        }
    }

    /// Adds a channel to the last new clip.
    pub fn channel(&mut self, channel: &js::NewChannel) {
        let NewChannel { node, path, interpolation, times, values } = channel.into();
        let node = node.map(|node| node as usize);
        if let Some(clip) = self.last() {
            clip.channels.push(gambol_tools::NewChannel { node, path, interpolation, times, values });
        }
    }

    /// Adds a marker to the last new clip, at a time in seconds.
    pub fn marker(&mut self, name: String, time: f64) {
        if let Some(clip) = self.last() {
            clip.markers.push((name, time));
        }
    }

    /// Adds a clip from the frames of a recording; see [`recorded_clip`].
    pub fn record(&mut self, name: &str, frames: &[f32], step: f64) -> Result<(), JsValue> {
        let clip = recorded_clip(&self.document, name, frames, step).map_err(|error| thrown(&error))?;
        self.clips.push(ClipToWrite::New(clip));
        Ok(())
    }

    /// The GLB.
    pub fn finish(self) -> Result<Vec<u8>, JsValue> {
        let Self { document, clips } = self;
        let written = export_clips(document, &clips).and_then(|document| Ok(document.to_glb()?));
        written.map_err(|error| thrown(&error))
    }
}
