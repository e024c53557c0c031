//! The views of a frame that help to find faults.

use glam::Vec3;

/// A line from place to place in the world; made by [`line()`].
pub type Line = [[f32; 4]; 2];

/// What a line stands for, and so its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they say it")]
pub enum Ink {
    Bone,
    Bounds,
    JointBounds,
    Sphere,
    Normal,
    Tangent,
    Grid,
}

/// A line between two places in metres of the world.
pub fn line(from: Vec3, to: Vec3, ink: Ink) -> Line {
    [from.extend(f32::from(ink as u8)).to_array(), to.extend(0.0).to_array()]
}

/// What a frame shows besides the picture, or in place of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Debug<'a> {
    /// What surfaces show in place of their material; [`Renderer::prepare_debug`](crate::render::renderer::Renderer) comes before.
    pub surface: Option<Channel>,
    /// Whether the edges of faces are drawn; the same comes before.
    pub wireframe: bool,
    /// Lines that are hidden by what is nearer.
    pub lines: &'a [Line],
    /// Lines that are not.
    pub lines_over: &'a [Line],
}

/// A property of surfaces. Directions are shown with −1 … 1 as 0 … 1, colours as textures have them, numbers as grey.
/// `shaders/debug.frag` has them by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Channel {
    /// The normals of the mesh, in the world.
    Normals,
    /// The tangents, in the world; from texture coordinates where the mesh has none.
    Tangents,
    /// The fractions of the first set of texture coordinates, as red and green.
    Uv,
    /// How much of each vertex a joint moves: grey nothing, then from blue by cyan, green and yellow to red.
    Weights,
    /// The base colour, with texture and vertex colours.
    BaseColor,
    /// How metallic it is.
    Metallic,
    /// How rough it is.
    Roughness,
    /// The normals that light sees, with the normal map.
    ShadingNormals,
    /// How much ambient light arrives.
    Occlusion,
    /// What it emits.
    Emissive,
    /// The alpha of the base colour.
    Alpha,
    /// The colours of vertices; white without.
    VertexColors,
    /// How much is mirrored.
    Specular,
    /// The colour of what is mirrored head-on.
    SpecularColor,
    /// How much clear coat there is.
    Clearcoat,
    /// How rough that is.
    ClearcoatRoughness,
    /// The colour of sheen.
    Sheen,
    /// How rough that is.
    SheenRoughness,
    /// How much light goes through.
    Transmission,
    /// How thick it is in metres, up to 1.
    Thickness,
    /// How iridescent it is.
    Iridescence,
    /// How different highlights are along and across.
    Anisotropy,
}

impl Channel {
    /// All, by number.
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
