//! Meshes: vertices, influences of joints, morph targets.

use super::deltas::Deltas;
use super::ids::{MaterialId, VariantId};

/// Primitives that are shown together and share their morph weights. Spec: glTF 2.0 §3.7.2.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The parts of the mesh; all have the same number of morph targets.
    pub primitives: Vec<Primitive>,
    /// The morph weights that the mesh asks for: one per morph target.
    pub weights: Vec<f32>,
    /// The names of the morph targets (`extras.targetNames`), one per target; empty where unnamed.
    pub target_names: Vec<String>,
}

/// One draw: vertices, how they connect, and a material.
#[derive(Debug, Clone, Default)]
pub struct Primitive {
    /// How the vertices connect.
    pub topology: Topology,
    /// The vertices to draw, each below `positions.len()`; all in order if there is no index.
    pub indices: Option<Vec<u32>>,
    /// The vertex positions in mesh space, in metres.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one per vertex; if empty, faces are shaded flat.
    pub normals: Vec<[f32; 3]>,
    /// Unit tangents and the sign of the bitangent, one per vertex; or empty.
    pub tangents: Vec<[f32; 4]>,
    /// The sets of texture coordinates, `TEXCOORD_0` first; each has one per vertex.
    pub tex_coords: Vec<Vec<[f32; 2]>>,
    /// Linear vertex colours (`COLOR_0`), one per vertex; or empty.
    pub colors: Vec<[f32; 4]>,
    /// Which joints move which vertex; `None` where the primitive has no joints.
    pub influences: Option<Influences>,
    /// The morph targets, as many as the mesh has.
    pub targets: Vec<MorphTarget>,
    /// The number of vertices at the end that import added: copies of others, where the triangles around a vertex have different generated
    /// tangents.
    pub split_vertices: usize,
    /// The material; the default material if there is none.
    pub material: Option<MaterialId>,
    /// The material under each variant that asks for another; sorted by variant.
    /// Spec: KHR_materials_variants.
    pub variants: Vec<(VariantId, MaterialId)>,
}

impl Primitive {
    /// The material under a variant, or without one.
    pub fn material_of(&self, variant: Option<VariantId>) -> Option<MaterialId> {
        let mapped = variant
            .and_then(|variant| self.variants.binary_search_by_key(&variant, |(variant, _)| *variant).ok());
        mapped.map(|i| self.variants[i].1).or(self.material)
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }
}

/// How the vertices of a primitive connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "glTF's own words")]
pub enum Topology {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    #[default]
    Triangles,
    TriangleStrip,
    TriangleFan,
}

/// The joints that move each vertex, and how strongly. Spec: glTF 2.0 §3.7.3.3.
#[derive(Debug, Clone, Default)]
pub struct Influences {
    /// How many influences each vertex has: a multiple of four, at least four.
    pub per_vertex: usize,
    /// Indices into [`Skin::joints`](super::skin::Skin::joints), in range for each skin that the mesh is
    /// shown with: `per_vertex` for vertex 0, then for vertex 1, and so on.
    pub joints: Vec<u16>,
    /// The weights, in the order of `joints`; not negative, each vertex's sum to 1.
    pub weights: Vec<f32>,
}

impl Influences {
    /// The most influences of a vertex that are skinned the fast way: as attributes on the GPU.
    pub const FAST: usize = 20;

    /// The index into `joints` and `weights` of the strongest influence of a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn strongest(&self, vertex: usize) -> usize {
        let first = vertex * self.per_vertex;
        let all = first..first + self.per_vertex;
        all.max_by(|&i, &j| self.weights[i].total_cmp(&self.weights[j])).unwrap_or(first)
    }
}

/// What one morph target adds to a primitive at weight 1.
#[derive(Debug, Clone, Default)]
pub struct MorphTarget {
    /// Added to the positions.
    pub positions: Deltas<3>,
    /// Added to the normals.
    pub normals: Deltas<3>,
    /// Added to the tangents' directions.
    pub tangents: Deltas<3>,
    /// Added to the sets of texture coordinates; no more than the primitive has.
    pub tex_coords: Vec<Deltas<2>>,
    /// Added to the colours, which are clamped to 0 … 1 afterwards.
    pub colors: Deltas<4>,
}
