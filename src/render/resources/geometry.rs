//! Vertices and indices of a primitive on the GPU.

use crate::base::feature;
use crate::model::{Influences, Primitive, Topology};
use crate::render::error::RenderError;
use crate::render::gl::{Attribute, Buffer, DrawRange, Gl, VertexArray, as_bytes};
use crate::render::programs::{MANY_SKIN_SETS, MAX_SKIN_SETS, MorphParts};
use std::rc::Rc;

/// The maximum number of influences per vertex as attributes; see
/// [`Renderer::INFLUENCE_LIMIT`](crate::render::renderer::Renderer::INFLUENCE_LIMIT).
pub(crate) const INFLUENCE_LIMIT: usize = MAX_SKIN_SETS * 4;
const _: () = assert!(INFLUENCE_LIMIT == Influences::FAST);

// The locations of vertex attributes in the shaders.
const POSITION: u32 = 0;
const NORMAL: u32 = 1;
const TANGENT: u32 = 2;
const COLOR: u32 = 3;
/// The last two share their locations with the fifth set of joints and weights.
const UV: [u32; 4] = [4, 5, 14, 15];
const JOINTS: u32 = 6;

/// The vertex and index buffers of a primitive, with its vertex array.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) vertex_array: VertexArray,
    vertices: Buffer,
    indices: Option<Buffer>,
    attributes: Vec<Attribute>,
    /// The texture coordinate sets in the vertex buffer, in the order of the shader.
    pub(crate) sets: Vec<u32>,
    /// The GL primitive mode.
    pub(crate) mode: u32,
    pub(crate) range: DrawRange,
    /// The buffer of CPU-deformed vertices, created on first use.
    pub(crate) deformed: Option<Deformed>,
    /// For each level of detail from 1 on, its indices of four bytes and their number; `None` for the geometry's own.
    levels: Vec<Option<(Buffer, usize)>>,
}

/// The vertex buffer of CPU-deformed vertices, rewritten each frame: positions, normals, tangents, and other
/// attributes with morph targets. The remaining attributes come from the geometry's own buffer.
#[derive(Debug)]
pub(crate) struct Deformed {
    pub(crate) vertex_array: VertexArray,
    buffer: Buffer,
    vertices: usize,
    attributes: Vec<Attribute>,
    sets: Vec<u32>,
    size: usize,
}

impl Geometry {
    /// Allocates the buffers of a primitive; [`Geometry::write`] fills them. `contents` determines the attributes,
    /// and `sets` are its texture coordinate sets.
    ///
    /// # Errors
    /// `TooLarge`, `OutOfMemory`, `ContextLost`.
    pub(crate) fn new(gl: &Rc<Gl>, contents: &Contents<'_>, sets: &[u32]) -> Result<Self, RenderError> {
        let vertex_array = VertexArray::new(gl)?;
        gl.bind_vertex_array(&vertex_array);
        let vertices = Buffer::new(gl)?;
        gl.allocate_vertices(&vertices, contents.size, false)?;
        for &attribute in &contents.attributes {
            gl.set_attribute(&vertices, attribute);
        }
        let indices = match contents.indices {
            Some(_) => {
                let buffer = Buffer::new(gl)?;
                gl.allocate_indices(&buffer, contents.index_bytes())?;
                Some(buffer)
            }
            None => None,
        };
        Ok(Self {
            vertex_array,
            vertices,
            indices,
            attributes: contents.attributes.clone(),
            sets: sets.to_vec(),
            mode: contents.mode,
            range: contents.range(),
            deformed: None,
            levels: Vec::new(),
        })
    }

    /// Uploads about `budget` bytes from byte `from` on, vertices before indices. Returns the number of bytes
    /// written, 0 at the end.
    pub(crate) fn write(&self, gl: &Gl, contents: &Contents<'_>, from: usize, budget: usize) -> usize {
        // A multiple of the sizes of all components.
        let budget = (budget & !15).max(16);
        let mut begin = 0;
        for &(offset, list) in &contents.lists {
            if from < begin + list.len() {
                let part = &list[from - begin..];
                let part = &part[..part.len().min(budget)];
                gl.write_vertices(&self.vertices, offset + from - begin, part);
                return part.len();
            }
            begin += list.len();
        }
        let Some(list) = contents.indices else { return 0 };
        let width = if contents.wide { 4 } else { 2 };
        let part = &list[((from - begin) / width).min(list.len())..];
        let part = &part[..part.len().min(budget / width)];
        if !part.is_empty() {
            gl.bind_vertex_array(&self.vertex_array);
            if contents.wide {
                gl.write_indices(from - begin, part);
            } else {
                let narrow: Vec<u16> = part.iter().map(|&index| index as u16).collect();
                gl.write_indices(from - begin, &narrow);
            }
        }
        part.len() * width
    }

    /// Uploads the whole contents.
    pub(crate) fn write_all(&self, gl: &Gl, contents: &Contents<'_>) {
        let mut from = 0;
        loop {
            match self.write(gl, contents, from, usize::MAX) {
                0 => break,
                count => from += count,
            }
        }
    }

    /// The indices of a level of detail and their number; `None` if the geometry's own are to be drawn.
    pub(crate) fn level(&self, level: usize) -> Option<(&Buffer, usize)> {
        let (buffer, count) = self.levels.get(level.checked_sub(1)?)?.as_ref()?;
        Some((buffer, *count))
    }

    /// The number of levels of detail, besides the full one.
    pub(crate) fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Uploads the indices of a further level of detail; `None` for the geometry's own.
    ///
    /// # Errors
    /// `TooLarge`, `OutOfMemory`, `ContextLost`.
    pub(crate) fn add_level(&mut self, gl: &Rc<Gl>, indices: Option<&[u32]>) -> Result<(), RenderError> {
        let level = match indices {
            Some(indices) => {
                let buffer = Buffer::new(gl)?;
                gl.bind_vertex_array(&self.vertex_array);
                gl.allocate_indices(&buffer, size_of_val(indices))?;
                gl.write_indices(0, indices);
                self.restore_indices(gl);
                Some((buffer, indices.len()))
            }
            None => None,
        };
        self.levels.push(level);
        Ok(())
    }

    /// `true` if there is nothing to draw.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.range, DrawRange::Arrays { count: 0 } | DrawRange::Elements { count: 0, .. })
    }

    /// Creates the buffer for CPU-deformed vertices, unless it exists.
    ///
    /// - `morphs`: the attributes that morph targets change.
    pub(crate) fn prepare_deformed(
        &mut self,
        gl: &Rc<Gl>,
        vertices: usize,
        morphs: MorphParts,
    ) -> Result<(), RenderError> {
        if self.deformed.is_some() {
            return Ok(());
        }
        let vertex_array = VertexArray::new(gl)?;
        gl.bind_vertex_array(&vertex_array);
        let [set0, set1] = morphs.uvs;
        let others = [(COLOR, 4, morphs.colors), (UV[0], 2, set0), (UV[1], 2, set1)];
        let others = others.into_iter().filter(|(_, _, morphs)| *morphs);
        let mut size = 0;
        let mut attributes = Vec::new();
        for (location, components) in [(POSITION, 3), (NORMAL, 3), (TANGENT, 4)]
            .into_iter()
            .chain(others.map(|(location, components, _)| (location, components)))
        {
            let (stride, offset) = (components * 4, size);
            attributes.push(Attribute { location, components, integer: false, stride, offset });
            size += vertices * stride;
        }
        for &attribute in &self.attributes {
            if attributes.iter().all(|own| own.location != attribute.location) {
                gl.set_attribute(&self.vertices, attribute);
            }
        }
        if let Some(indices) = &self.indices {
            gl.set_indices(indices);
        }
        let buffer = Buffer::new(gl)?;
        gl.allocate_vertices(&buffer, size, true)?;
        for &attribute in &attributes {
            gl.set_attribute(&buffer, attribute);
        }
        let sets = self.sets.clone();
        self.deformed = Some(Deformed { vertex_array, buffer, vertices, attributes, sets, size });
        Ok(())
    }
}

impl Geometry {
    /// Draws with other indices of four bytes. The bound vertex array must be that of this geometry or of its
    /// deformed vertices.
    pub(crate) fn draw_with(&self, gl: &Gl, mode: u32, indices: &Buffer, count: usize, instances: u32) {
        gl.set_indices(indices);
        gl.draw_many(mode, DrawRange::Elements { count, wide: true }, instances);
        self.restore_indices(gl);
    }

    /// Binds the geometry's own indices to its vertex array, which must be bound.
    pub(crate) fn restore_indices(&self, gl: &Gl) {
        if let Some(own) = &self.indices {
            gl.set_indices(own);
        }
    }
}

feature! {
    list for_skinning;
    pub(crate) fn write_deformed(to: &Deformed, gl: &Gl, from: &DeformedPrimitive<'_>) -> Result<(), RenderError> =
        Deformed::write;
}

impl Deformed {
    /// Uploads this frame's vertices; lists whose length differs from the primitive's are skipped.
    pub(crate) fn write(&self, gl: &Gl, from: &DeformedPrimitive<'_>) -> Result<(), RenderError> {
        // Allocates new storage, so that the GPU may still read the previous contents.
        gl.allocate_vertices(&self.buffer, self.size, true)?;
        let set = |lane: usize| {
            let set = self.sets.get(lane).and_then(|&set| from.tex_coords.get(set as usize));
            set.map_or(&[][..], |set| set.as_flattened())
        };
        for attribute in &self.attributes {
            let list = match attribute.location {
                POSITION => from.positions.as_flattened(),
                NORMAL => from.normals.as_flattened(),
                TANGENT => from.tangents.as_flattened(),
                COLOR => from.colors.as_flattened(),
                location => set((location - UV[0]) as usize),
            };
            if list.len() == self.vertices * attribute.components {
                gl.write_vertices(&self.buffer, attribute.offset, list);
            }
        }
        Ok(())
    }
}

/// The buffer contents of a primitive.
pub(crate) struct Contents<'a> {
    attributes: Vec<Attribute>,
    /// The byte offset and the bytes of each vertex attribute list.
    lists: Vec<(usize, &'a [u8])>,
    /// The size of the vertex buffer in bytes.
    size: usize,
    vertices: usize,
    indices: Option<&'a [u32]>,
    /// `true` if indices have four bytes.
    wide: bool,
    mode: u32,
}

impl<'a> Contents<'a> {
    /// Lays out a primitive's attributes one after the other. Influences that exceed the attributes are skipped; they go to an
    /// [`InfluenceTexture`](super::influences::InfluenceTexture).
    pub(crate) fn new(primitive: &'a Primitive, tangents: bool, sets: &[u32]) -> Self {
        let vertices = primitive.vertex_count();
        let mut contents = Self {
            attributes: Vec::new(),
            lists: Vec::new(),
            size: 0,
            vertices,
            indices: primitive.indices.as_deref(),
            wide: needs_wide_indices(vertices),
            mode: mode_of(primitive.topology),
        };
        contents.floats(POSITION, &primitive.positions);
        contents.floats(NORMAL, &primitive.normals);
        if tangents {
            contents.floats(TANGENT, &primitive.tangents);
        }
        contents.floats(COLOR, &primitive.colors);
        for (location, &set) in UV.into_iter().zip(sets) {
            contents.floats(location, &primitive.tex_coords[set as usize]);
        }
        if let Some(influences) = primitive.influences.as_ref().filter(|list| !are_many(list)) {
            contents.influences(influences);
        }
        contents
    }

    fn index_bytes(&self) -> usize {
        self.indices.map_or(0, |list| list.len() * if self.wide { 4 } else { 2 })
    }

    fn range(&self) -> DrawRange {
        match self.indices {
            Some(list) => DrawRange::Elements { count: list.len(), wide: self.wide },
            None => DrawRange::Arrays { count: self.vertices },
        }
    }

    fn push(&mut self, bytes: &'a [u8]) {
        self.lists.push((self.size, bytes));
        // WebGL requires that the offsets of floats are multiples of four bytes.
        self.size += bytes.len().next_multiple_of(4);
    }

    fn floats<const N: usize>(&mut self, location: u32, data: &'a [[f32; N]]) {
        if !data.is_empty() {
            let (offset, stride) = (self.size, N * 4);
            self.attributes.push(Attribute { location, components: N, integer: false, stride, offset });
            self.push(as_bytes(data));
        }
    }

    /// Each set of four influences is an interleaved attribute.
    fn influences(&mut self, influences: &'a Influences) {
        let per_vertex = influences.per_vertex;
        let begin = self.size;
        self.push(as_bytes(&influences.joints));
        let weights_begin = self.size;
        self.push(as_bytes(&influences.weights));
        for set in 0..skin_sets(influences) {
            let location = JOINTS + 2 * set as u32;
            let (offset, stride) = (begin + set * 8, per_vertex * 2);
            self.attributes.push(Attribute { location, components: 4, integer: true, stride, offset });
            let (offset, stride) = (weights_begin + set * 16, per_vertex * 4);
            let location = location + 1;
            self.attributes.push(Attribute { location, components: 4, integer: false, stride, offset });
        }
    }
}

/// The number of sets of four influences that are vertex attributes, or [`MANY_SKIN_SETS`].
pub(crate) fn skin_sets(influences: &Influences) -> usize {
    if are_many(influences) { MANY_SKIN_SETS } else { influences.per_vertex / 4 }
}

/// `true` if there are more influences per vertex than fit in attributes.
pub(crate) fn are_many(influences: &Influences) -> bool {
    influences.per_vertex > INFLUENCE_LIMIT
}

/// `true` if indices need 32 bits. Index 65535 would fit in 16 bits, but WebGL2 always treats it as primitive
/// restart.
fn needs_wide_indices(vertex_count: usize) -> bool {
    vertex_count > 65535
}

fn mode_of(topology: Topology) -> u32 {
    match topology {
        Topology::Points => glow::POINTS,
        Topology::Lines => glow::LINES,
        Topology::LineLoop => glow::LINE_LOOP,
        Topology::LineStrip => glow::LINE_STRIP,
        Topology::Triangles => glow::TRIANGLES,
        Topology::TriangleStrip => glow::TRIANGLE_STRIP,
        Topology::TriangleFan => glow::TRIANGLE_FAN,
    }
}

/// The vertices of a primitive in world space, after morph targets and skinning.
///
/// Each list has one element per vertex of the primitive. The actor's palette is still required: it determines
/// the winding of the primitive, and its depth when sorting transparent primitives.
#[derive(Debug, Clone, Copy)]
pub struct DeformedPrimitive<'a> {
    /// The index of the drawable in [`PaletteLayout::drawables`](crate::model::PaletteLayout).
    pub drawable: usize,
    /// The index of the primitive in the drawable's mesh.
    pub primitive: usize,
    /// The positions.
    pub positions: &'a [[f32; 3]],
    /// The unit normals; empty if the primitive has none.
    pub normals: &'a [[f32; 3]],
    /// The unit tangents and the sign of the bitangent; empty if the primitive has none.
    pub tangents: &'a [[f32; 4]],
    /// The texture coordinate sets that morph targets change.
    pub tex_coords: &'a [Vec<[f32; 2]>],
    /// The linear colours, if morph targets change them.
    pub colors: &'a [[f32; 4]],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_format_avoids_the_primitive_restart_index() {
        assert!(!needs_wide_indices(65535), "the highest index is 65534");
        assert!(needs_wide_indices(65536), "the highest index is 65535, which restarts");
    }

    #[test]
    fn skin_sets_beyond_the_vertex_attributes_use_a_texture() {
        let sets = |per_vertex| skin_sets(&Influences { per_vertex, ..Influences::default() });
        assert_eq!([4, 8, 20, 24, 400].map(sets), [1, 2, 5, MANY_SKIN_SETS, MANY_SKIN_SETS]);
        assert_eq!(INFLUENCE_LIMIT, 20);
    }
}
