//! What a file holds: immutable data that every other module reads.
//!
//! A [`Model`] is checked when it is imported, so that nobody checks it again:
//! every id is in range, parents come before their children, every vertex index is
//! below its vertex count, joint weights sum to 1, key times increase strictly and
//! every number is finite.

mod clip;
mod decompose;
mod deltas;
mod ids;
mod layers;
mod layout;
mod light;
mod material;
mod mesh;
mod panorama;
mod properties;
mod transform;
mod trig;

pub use clip::{Channel, Clip, Curve, CurveError, Interpolation, Marker, Path, PropertyChannel};
pub(crate) use decompose::{compose, decompose};
pub use deltas::Deltas;
pub use ids::{CameraId, ClipId, ImageId, LightId, MaterialId, MeshId, NodeId, SkinId, TextureId, VariantId};
pub use layers::{
    Anisotropy, Clearcoat, Iridescence, Layers, Sheen, Specular, SpecularGlossiness, Transmission, Volume,
};
pub use layout::{Drawable, PaletteLayout, SIDE_BY_SIDE, Slot, side_by_side};
pub use light::{Light, LightKind};
pub use material::{
    AlphaMode, Filter, Image, ImageData, Material, MipFilter, NormalTexture, OcclusionTexture, Texture,
    TextureRef, TextureSampler, TextureSlot, TextureTransform, Wrap,
};
pub use mesh::{Influences, Mesh, MorphTarget, Primitive, Topology};
pub use panorama::{Harmonics, KeyLight, Panorama, PanoramaBuilder};
#[cfg(feature = "web")]
pub(crate) use panorama::{packed, unpacked};
pub use properties::{
    CameraProperty, LightProperty, MaterialProperty, Property, PropertyLayout, TransformProperty,
};
pub use transform::Transform;
#[cfg(feature = "web")]
pub(crate) use trig::tan;
pub(crate) use trig::{arc_cosine, sin_cos};

use glam::Mat4;

/// The farthest from the origin along an axis, in metres, at which anything counts for boxes and cameras: squares of lengths of up to
/// a few times that are finite in f32.
pub const REACH: f32 = 1e18;

/// The lesser of two numbers, the first where either is none. (`min` of floats is a call where WebAssembly is built for size.)
#[inline(always)]
pub(crate) fn lesser<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// The greater of two numbers, likewise.
#[inline(always)]
pub(crate) fn greater<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// One character, prop or scene, as a file holds it: immutable and shared by all who show it.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// All nodes, parents before their children (not in file order, see [`Node::source`]).
    pub nodes: Vec<Node>,
    /// The node of each glTF node index.
    pub node_of_source: Vec<NodeId>,
    /// The scenes of the file; empty if it has none.
    pub scenes: Vec<Scene>,
    /// The scene that the file asks to show: an index into [`Model::scenes`].
    pub default_scene: Option<usize>,
    /// The meshes, in file order.
    pub meshes: Vec<Mesh>,
    /// The skins, in file order.
    pub skins: Vec<Skin>,
    /// The materials, in file order.
    pub materials: Vec<Material>,
    /// The textures, in file order.
    pub textures: Vec<Texture>,
    /// The images, in file order; still encoded.
    pub images: Vec<Image>,
    /// The cameras, in file order.
    pub cameras: Vec<Camera>,
    /// The lights, in file order.
    pub lights: Vec<Light>,
    /// The names of the variants of materials, in file order; see [`Primitive::variants`].
    pub variants: Vec<String>,
    /// The animations, in file order.
    pub clips: Vec<Clip>,
}

impl Model {
    /// The root nodes of the scene to show: [`Model::default_scene`], else scene 0, else all roots.
    pub fn shown_roots(&self) -> Vec<NodeId> {
        match self.default_scene.and_then(|i| self.scenes.get(i)).or(self.scenes.first()) {
            Some(scene) => scene.roots.clone(),
            None => {
                let roots = self.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
                roots.map(|(i, _)| NodeId::new(i)).collect()
            }
        }
    }

    /// For each node, whether the shown scene reaches it; see [`Model::shown_roots`].
    pub fn shown_nodes(&self) -> Vec<bool> {
        let mut shown = vec![false; self.nodes.len()];
        for root in self.shown_roots() {
            shown[root.index()] = true;
        }
        for i in 0..self.nodes.len() {
            if let Some(parent) = self.nodes[i].parent {
                shown[i] |= shown[parent.index()];
            }
        }
        shown
    }
}

/// A node of the hierarchy. Spec: glTF 2.0 §3.5.
#[derive(Debug, Clone)]
pub struct Node {
    /// The name in the file, verbatim; empty if it has none.
    pub name: String,
    /// The index of the node in the file.
    pub source: u32,
    /// The parent, which stands before this node in [`Model::nodes`].
    pub parent: Option<NodeId>,
    /// The local transform when nothing animates it.
    pub rest: Transform,
    /// The local matrix, where the file gives one that [`Node::rest`] cannot express (shear);
    /// it holds as long as no channel animates the node.
    pub rest_matrix: Option<Mat4>,
    /// The mesh that the node shows.
    pub mesh: Option<MeshId>,
    /// The skin that deforms the mesh; only where there is a mesh with [`Influences`].
    pub skin: Option<SkinId>,
    /// The camera that the node carries.
    pub camera: Option<CameraId>,
    /// The light that the node carries.
    pub light: Option<LightId>,
    /// Whether the node and all below it are shown when nothing animates that. Spec: KHR_node_visibility.
    pub visible: bool,
    /// Where the mesh is shown, `node_from_mesh` each; if empty, once at the node. Only without a skin.
    /// Spec: EXT_mesh_gpu_instancing.
    pub instances: Vec<Mat4>,
    /// The morph weights when nothing animates them: one per morph target of the mesh.
    pub weights: Vec<f32>,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            name: String::new(),
            source: 0,
            parent: None,
            rest: Transform::IDENTITY,
            rest_matrix: None,
            mesh: None,
            skin: None,
            camera: None,
            light: None,
            visible: true,
            instances: Vec::new(),
            weights: Vec::new(),
        }
    }
}

/// A set of root nodes that are shown together.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The nodes that the scene lists.
    pub roots: Vec<NodeId>,
}

/// Joints and their inverse bind matrices. Spec: glTF 2.0 §3.7.3.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The joints, in the order that vertex joint indices mean.
    pub joints: Vec<NodeId>,
    /// `joint_from_mesh` at bind time, one per joint (identities where the file has none).
    pub inverse_bind: Vec<Mat4>,
}

/// A camera of the file. Spec: glTF 2.0 §3.10.
#[derive(Debug, Clone)]
pub struct Camera {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// How it projects.
    pub projection: Projection,
}

/// How a camera projects; it looks along −Z of its node. Lengths in metres, angles in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// A perspective projection.
    Perspective {
        /// The vertical field of view.
        yfov: f32,
        /// Width over height; the canvas's where the file is silent.
        aspect: Option<f32>,
        /// The distance of the near plane, above 0.
        near: f32,
        /// The distance of the far plane; infinite where the file is silent.
        far: Option<f32>,
    },
    /// An orthographic projection.
    Orthographic {
        /// Half the width of the view.
        xmag: f32,
        /// Half the height of the view.
        ymag: f32,
        /// The distance of the near plane.
        near: f32,
        /// The distance of the far plane.
        far: f32,
    },
}
