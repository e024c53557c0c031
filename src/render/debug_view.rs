//! Debug views of a frame.

use glam::Vec3;

/// The two ends of a line in world space; built by [`line()`].
pub type Line = [[f32; 4]; 2];

/// The subject of a debug line, which determines its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// A bone between two joints.
    Bone,
    /// The bounding box of an actor.
    Bounds,
    /// The bounding box of the vertices of a joint.
    JointBounds,
    /// The bounding sphere of an actor.
    Sphere,
    /// The normal of a vertex.
    Normal,
    /// The tangent of a vertex.
    Tangent,
    /// The grid on the ground.
    Grid,
}

/// Builds a line between two points in world space, in metres.
pub fn line(from: Vec3, to: Vec3, kind: LineKind) -> Line {
    [from.extend(f32::from(kind as u8)).to_array(), to.extend(0.0).to_array()]
}

/// Debug output of a frame, drawn over the picture or in place of materials.
#[derive(Debug, Clone, Copy, Default)]
pub struct Debug<'a> {
    /// The surface property that is drawn in place of materials.
    /// Call [`Renderer::prepare_debug`](crate::render::renderer::Renderer) first.
    pub surface: Option<Channel>,
    /// `true` if the edges of faces are drawn; needs `Renderer::prepare_debug` too.
    pub wireframe: bool,
    /// Lines with depth test.
    pub lines: &'a [Line],
    /// Lines without depth test, drawn over the picture.
    pub lines_over: &'a [Line],
}

/// A surface property that a debug view shows. `shaders/debug.frag` refers to the variants by number.
///
/// Directions map −1 … 1 to 0 … 1. Colours have the encoding of textures. Numbers are shades of grey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Channel {
    /// The normals of the mesh, in world space.
    Normals,
    /// The tangents, in world space; derived from texture coordinates if the mesh has none.
    Tangents,
    /// The fractions of the first set of texture coordinates, as red and green.
    Uv,
    /// The joint weight of each vertex: grey for 0, then blue, cyan, green, yellow and red.
    Weights,
    /// The base colour, including texture and vertex colours.
    BaseColor,
    /// The metallic factor.
    Metallic,
    /// The roughness.
    Roughness,
    /// The normals used for shading, including the normal map.
    ShadingNormals,
    /// The ambient occlusion factor.
    Occlusion,
    /// The emissive colour.
    Emissive,
    /// The alpha of the base colour.
    Alpha,
    /// The vertex colours; white if the mesh has none.
    VertexColors,
    /// The specular factor.
    Specular,
    /// The specular colour at normal incidence (F0).
    SpecularColor,
    /// The clear coat factor.
    Clearcoat,
    /// The roughness of the clear coat.
    ClearcoatRoughness,
    /// The sheen colour.
    Sheen,
    /// The roughness of the sheen.
    SheenRoughness,
    /// The transmission factor.
    Transmission,
    /// The thickness in metres, up to 1.
    Thickness,
    /// The iridescence factor.
    Iridescence,
    /// The anisotropy.
    Anisotropy,
}

impl Channel {
    /// All variants, in the order of their numbers.
    pub const ALL: [Self; 22] = [
        Self::Normals,
        Self::Tangents,
        Self::Uv,
        Self::Weights,
        Self::BaseColor,
        Self::Metallic,
        Self::Roughness,
        Self::ShadingNormals,
        Self::Occlusion,
        Self::Emissive,
        Self::Alpha,
        Self::VertexColors,
        Self::Specular,
        Self::SpecularColor,
        Self::Clearcoat,
        Self::ClearcoatRoughness,
        Self::Sheen,
        Self::SheenRoughness,
        Self::Transmission,
        Self::Thickness,
        Self::Iridescence,
        Self::Anisotropy,
    ];
}
