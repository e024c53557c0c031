//! Meshes: vertices, joint influences, morph targets.

use super::deltas::Deltas;
use super::ids::{MaterialId, VariantId};

/// Primitives with common morph weights. Spec: glTF 2.0 §3.7.2.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The parts of the mesh; all have the same number of morph targets.
    pub primitives: Vec<Primitive>,
    /// The default morph weights: one per morph target.
    pub weights: Vec<f32>,
    /// The names of the morph targets (`extras.targetNames`), one per target; empty where unnamed.
    pub target_names: Vec<String>,
}

/// One draw: vertices, their topology, and a material.
#[derive(Debug, Clone, Default)]
pub struct Primitive {
    /// The topology of the vertices.
    pub topology: Topology,
    /// The vertices to draw, each below `positions.len()`; `None` for all in order.
    pub indices: Option<Vec<u32>>,
    /// The vertex positions in mesh space, in metres.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one per vertex; if empty, faces have flat shading.
    pub normals: Vec<[f32; 3]>,
    /// Unit tangents and the sign of the bitangent, one per vertex; or empty.
    pub tangents: Vec<[f32; 4]>,
    /// The sets of texture coordinates, `TEXCOORD_0` first; each has one per vertex.
    pub tex_coords: Vec<Vec<[f32; 2]>>,
    /// Linear vertex colours (`COLOR_0`), one per vertex; or empty.
    pub colors: Vec<[f32; 4]>,
    /// The joint influences; `None` without joints.
    pub influences: Option<Influences>,
    /// The morph targets, as many as the mesh has.
    pub targets: Vec<MorphTarget>,
    /// The number of vertices that import added at the end. They are copies of vertices whose adjacent
    /// triangles have different generated tangents.
    pub split_vertices: usize,
    /// The material; `None` for the default material.
    pub material: Option<MaterialId>,
    /// The materials of those variants that replace the default, sorted by variant. Spec:
    /// KHR_materials_variants.
    pub variants: Vec<(VariantId, MaterialId)>,
}

impl Primitive {
    /// The material for a variant, or without any.
    pub fn material_of(&self, variant: Option<VariantId>) -> Option<MaterialId> {
        let mapped = variant
            .and_then(|variant| self.variants.binary_search_by_key(&variant, |(variant, _)| *variant).ok());
        mapped.map(|i| self.variants[i].1).or(self.material)
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }
}

/// The triangles of a level of detail of all meshes of a model. They have fewer of the same vertices.
#[derive(Debug, Clone, Default)]
pub struct MeshLevel {
    /// For each primitive of the model, those of the first mesh first: three indices for each triangle. `None` for the
    /// primitive's own indices.
    pub indices: Vec<Option<Vec<u32>>>,
}

/// The topology of a primitive's vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Topology {
    /// Each vertex is a point.
    Points,
    /// Each two vertices are a line.
    Lines,
    /// A line through all vertices, and back to the first.
    LineLoop,
    /// A line through all vertices.
    LineStrip,
    /// Each three vertices are a triangle.
    #[default]
    Triangles,
    /// Each vertex after the second forms a triangle with the previous two.
    TriangleStrip,
    /// Each vertex after the second forms a triangle with the previous one and the first.
    TriangleFan,
}

/// The joints and weights of each vertex. Spec: glTF 2.0 §3.7.3.3.
#[derive(Debug, Clone, Default)]
pub struct Influences {
    /// The number of influences per vertex: a multiple of four, at least four.
    pub per_vertex: usize,
    /// Indices into [`Skin::joints`](super::skin::Skin::joints), in range for each skin that the mesh is used
    /// with. `per_vertex` for vertex 0, then for vertex 1, and so on.
    pub joints: Vec<u16>,
    /// The weights, in the order of `joints`; not negative, with the sum 1 for each vertex.
    pub weights: Vec<f32>,
}

impl Influences {
    /// The largest number of influences per vertex with the fast path: as vertex attributes on the GPU.
    pub const FAST: usize = 20;

    /// The index into `joints` and `weights` of the strongest influence of a vertex.
    ///
    /// # Panics
    /// If the vertex index is out of range.
    pub fn strongest(&self, vertex: usize) -> usize {
        let first = vertex * self.per_vertex;
        let all = first..first + self.per_vertex;
        all.max_by(|&i, &j| self.weights[i].total_cmp(&self.weights[j])).unwrap_or(first)
    }
}

/// The offsets of one morph target at weight 1.
#[derive(Debug, Clone, Default)]
pub struct MorphTarget {
    /// Offsets of positions.
    pub positions: Deltas<3>,
    /// Offsets of normals.
    pub normals: Deltas<3>,
    /// Offsets of the tangents' directions.
    pub tangents: Deltas<3>,
    /// Offsets of the sets of texture coordinates; at most as many sets as the primitive has.
    pub tex_coords: Vec<Deltas<2>>,
    /// Offsets of colours, which are clamped to 0 … 1 after addition.
    pub colors: Deltas<4>,
}
