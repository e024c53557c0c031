//! Debug views of a frame.

use super::programs::MESH_VIEWS;
use crate::model::{MaterialProperty, NUMBERS};
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
    /// A mark of the page, such as the ray of a controller.
    Mark,
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

/// A surface property that a debug view shows.
///
/// Directions map −1 … 1 to 0 … 1. Colours have the encoding of textures. Numbers are shades of grey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// A property of a layer of the material, multiplied by its texture.
    Material(MaterialProperty),
}

/// The channels that are no properties of layers, by their numbers in `shaders/debug.frag`, with their words.
const FIRST: [(&str, Channel); MESH_VIEWS] = [
    ("normals", Channel::Normals),
    ("tangents", Channel::Tangents),
    ("uv", Channel::Uv),
    ("weights", Channel::Weights),
    ("base-color", Channel::BaseColor),
    ("metallic", Channel::Metallic),
    ("roughness", Channel::Roughness),
    ("shading-normals", Channel::ShadingNormals),
    ("occlusion", Channel::Occlusion),
    ("emissive", Channel::Emissive),
    ("alpha", Channel::Alpha),
    ("vertex-colors", Channel::VertexColors),
];

impl Channel {
    /// The channel with a word of the package's debug views.
    pub fn named(word: &str) -> Option<Self> {
        let first = FIRST.iter().find(|(known, _)| *known == word).map(|&(_, channel)| channel);
        let row = || NUMBERS.iter().find(|row| row.view == Some(word));
        first.or_else(|| Some(Self::Material(row()?.property)))
    }

    /// The number in `shaders/debug.frag`.
    pub(crate) fn number(self) -> usize {
        match self {
            Self::Material(property) => MESH_VIEWS + property.index().unwrap_or_default(),
            _ => FIRST.iter().position(|&(_, channel)| channel == self).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_channels_have_distinct_numbers_and_words() {
        let words = FIRST.iter().map(|&(word, _)| word).chain(NUMBERS.iter().filter_map(|row| row.view));
        let mut numbers: Vec<_> =
            words.filter_map(|word| Channel::named(word).map(Channel::number)).collect();
        let views = FIRST.len() + NUMBERS.iter().filter(|row| row.view.is_some()).count();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), views);
        assert_eq!(numbers[..MESH_VIEWS], (0..MESH_VIEWS).collect::<Vec<_>>());
        assert_eq!(Channel::named("sheen"), Some(Channel::Material(MaterialProperty::SheenColor)));
        assert_eq!(Channel::named("skeleton"), None);
    }
}
