//! The content of a converted file, in glTF's terms and units, before it is written as GLB.

/// All parts of a file. Indices of other parts are indices into these lists.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    pub(crate) nodes: Vec<Node>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) materials: Vec<Material>,
    pub(crate) images: Vec<Image>,
    pub(crate) clips: Vec<Clip>,
    /// Content of the file that glTF has no place for, as `extras` of a node, or of the scene: node, key, value. Values
    /// of the same key become a list.
    pub(crate) data: Vec<(Option<usize>, String, gambol_gltf::json::Value)>,
}

/// A node; a node without a parent is a root of the scene. Parents come before their children.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) translation: [f32; 3],
    /// A unit quaternion: x, y, z, w.
    pub(crate) rotation: [f32; 4],
    pub(crate) scale: [f32; 3],
    pub(crate) mesh: Option<usize>,
    pub(crate) skin: Option<usize>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
    /// The names of the morph targets, one per target of each primitive.
    pub(crate) target_names: Vec<String>,
    /// The weights without animation, one per target.
    pub(crate) weights: Vec<f32>,
}

/// Triangles with one material. Lists of vertices have the same length, or are empty if the attribute is missing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Primitive {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    /// Sets of texture coordinates; V points down, as in glTF.
    pub(crate) texcoords: Vec<Vec<[f32; 2]>>,
    /// Linear RGBA.
    pub(crate) colors: Vec<[f32; 4]>,
    /// Sets of four influences per vertex: indices into [`Skin::joints`] and weights whose sum over all sets is 1.
    pub(crate) influences: Vec<Influences>,
    /// Three per triangle, counter-clockwise.
    pub(crate) indices: Vec<u32>,
    pub(crate) material: Option<usize>,
    pub(crate) targets: Vec<Target>,
}

/// A set of four influences per vertex: joints and weights.
pub(crate) type Influences = (Vec<[u16; 4]>, Vec<[f32; 4]>);

/// A morph target: differences per vertex.
#[derive(Debug, Clone, Default)]
pub(crate) struct Target {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Skin {
    pub(crate) name: String,
    pub(crate) joints: Vec<usize>,
    /// Column-major, one per joint.
    pub(crate) inverse_bind_matrices: Vec<[f32; 16]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Material {
    pub(crate) name: String,
    /// Linear RGBA.
    pub(crate) base_color: [f32; 4],
    pub(crate) base_color_texture: Option<Texture>,
    pub(crate) metallic: f32,
    pub(crate) roughness: f32,
    pub(crate) normal_texture: Option<Texture>,
    /// Linear RGB.
    pub(crate) emissive: [f32; 3],
    pub(crate) emissive_texture: Option<Texture>,
    pub(crate) alpha: Alpha,
    pub(crate) double_sided: bool,
    /// The colours for a mesh that cannot have the textures.
    pub(crate) untextured: Colors,
}

/// Colours of a material: linear RGBA and RGB.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Colors {
    pub(crate) base_color: [f32; 4],
    pub(crate) emissive: [f32; 3],
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Alpha {
    Opaque,
    Mask { cutoff: f32 },
    Blend,
}

/// A reference to an image; wrapping is always repeat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Texture {
    pub(crate) image: usize,
    /// The set of texture coordinates.
    pub(crate) texcoord: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Image {
    pub(crate) name: String,
    pub(crate) data: ImageData,
}

#[derive(Debug, Clone)]
pub(crate) enum ImageData {
    Embedded {
        bytes: Vec<u8>,
        mime_type: &'static str,
    },
    /// A URI relative to the file, percent-encoded.
    External(String),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Clip {
    pub(crate) name: String,
    pub(crate) channels: Vec<Channel>,
}

/// Keys of one property of one node. Times are seconds, strictly increasing.
#[derive(Debug, Clone)]
pub(crate) struct Channel {
    pub(crate) node: usize,
    pub(crate) path: Path,
    pub(crate) interpolation: Interpolation,
    pub(crate) times: Vec<f32>,
    /// One row per key: 3 components, 4 for rotations, one per morph target for weights. A row of a cubic spline has
    /// three parts: in-tangent, value, out-tangent.
    pub(crate) values: Vec<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interpolation {
    Step,
    Linear,
    CubicSpline,
}
