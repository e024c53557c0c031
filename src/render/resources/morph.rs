//! Morph targets of a primitive, as a texture.

use crate::model::{Deltas, MorphTarget, Primitive};
use crate::render::error::RenderError;
use crate::render::gl::{Gl, Texture};
use crate::render::programs::MorphParts;
use std::rc::Rc;

/// The deltas of all targets, ordered by target, then part, then vertex.
#[derive(Debug)]
pub(crate) struct MorphTexture {
    pub(crate) texture: Texture,
    /// The texels per row, a power of two.
    pub(crate) width: usize,
}

/// The parts that the targets of a primitive change; `sets` are the texture coordinate sets of the shader.
pub(crate) fn parts_of(primitive: &Primitive, sets: &[u32]) -> MorphParts {
    let has = |list: fn(&MorphTarget) -> bool| primitive.targets.iter().any(list);
    MorphParts {
        positions: has(|target| !target.positions.is_empty()),
        normals: has(|target| !target.normals.is_empty()),
        tangents: has(|target| !target.tangents.is_empty()),
        uvs: [0, 1].map(|lane| {
            primitive
                .targets
                .iter()
                .any(|target| !uv(target, sets, lane).unwrap_or(&Deltas::default()).is_empty())
        }),
        colors: has(|target| !target.colors.is_empty()),
    }
}

/// The deltas of a target for a texture coordinate set of the shader.
fn uv<'a>(target: &'a MorphTarget, sets: &[u32], lane: usize) -> Option<&'a Deltas<2>> {
    target.tex_coords.get(*sets.get(lane)? as usize)
}

impl MorphTexture {
    /// Allocates the texture for `parts` of a primitive's targets, which [`MorphTexture::write`] fills. `None` if there
    /// are no deltas.
    ///
    /// # Errors
    /// `TooLarge` if the number of texels exceeds the limit of textures.
    pub(crate) fn new(
        gl: &Rc<Gl>,
        primitive: &Primitive,
        parts: MorphParts,
    ) -> Result<Option<Self>, RenderError> {
        let count = primitive.targets.len() * parts.count() * primitive.vertex_count();
        if count == 0 {
            return Ok(None);
        }
        let (width, rows) = shape(count, gl.limits().texture_size)?;
        let texture = Texture::new(gl)?;
        gl.allocate_floats(&texture, width, rows);
        Ok(Some(Self { texture, width }))
    }

    /// Uploads about `budget` bytes from byte `from` on. Returns the number of bytes written, 0 at the end.
    ///
    /// - `parts`, `sets`: the parts and texture coordinate sets of the texture.
    pub(crate) fn write(
        &self,
        gl: &Gl,
        primitive: &Primitive,
        (parts, sets): (MorphParts, &[u32]),
        from: usize,
        budget: usize,
    ) -> usize {
        let first = from / TEXEL;
        let texels = texels(primitive, parts, sets, first, (budget / TEXEL).max(1));
        gl.write_floats(&self.texture, self.width, first, &texels);
        size_of_val(&texels[..])
    }
}

/// The size of a texel in bytes.
const TEXEL: usize = 16;

/// The width and height of a texture for `count` texels: nearly square, with a power of two as the width.
pub(crate) fn shape(count: usize, limit: usize) -> Result<(usize, usize), RenderError> {
    // The largest power of two up to the limit.
    let widest = 1 << limit.max(1).ilog2();
    let width = (count.isqrt().max(1)).next_power_of_two().min(widest);
    let rows = count.div_ceil(width);
    if rows > limit {
        return Err(RenderError::TooLarge { needed: count, available: widest * limit });
    }
    Ok((width, rows))
}

/// Up to `count` texels from `first` on, of a single part of a target; empty at the end.
fn texels(primitive: &Primitive, parts: MorphParts, sets: &[u32], first: usize, count: usize) -> Vec<f32> {
    let vertices = primitive.vertex_count();
    let (list, begin) = (first / vertices, first % vertices);
    let Some(target) = primitive.targets.get(list / parts.count()) else { return Vec::new() };
    let end = vertices.min(begin + count);
    // Missing parts and vertices have deltas of 0.
    let mut out = vec![0.0; (end - begin) * 4];
    let part = parts.list().into_iter().enumerate().filter(|(_, (on, _))| *on).nth(list % parts.count());
    let uv = |lane: usize| uv(target, sets, lane);
    match part.map(|(part, _)| part) {
        Some(0) => scatter(Some(&target.positions), begin, &mut out),
        Some(1) => scatter(Some(&target.normals), begin, &mut out),
        Some(2) => scatter(Some(&target.tangents), begin, &mut out),
        Some(3) => scatter(uv(0), begin, &mut out),
        Some(4) => scatter(uv(1), begin, &mut out),
        _ => scatter(Some(&target.colors), begin, &mut out),
    }
    out
}

/// Writes deltas to the texels of their vertices; the first texel is that of vertex `begin`.
fn scatter<const N: usize>(deltas: Option<&Deltas<N>>, begin: usize, texels: &mut [f32]) {
    for (vertex, delta) in deltas.into_iter().flat_map(Deltas::iter) {
        let texel = vertex.checked_sub(begin).and_then(|at| texels.get_mut(at * 4..at * 4 + N));
        if let Some(texel) = texel {
            texel.copy_from_slice(delta);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn morph_texture_is_ordered_by_target_part_and_vertex() {
        let primitive = Primitive {
            positions: vec![[0.0; 3]; 2],
            targets: vec![
                MorphTarget { positions: vec![[1.0; 3], [2.0; 3]].into(), ..MorphTarget::default() },
                MorphTarget { normals: Deltas::sparse(vec![1], vec![[4.0; 3]]), ..MorphTarget::default() },
            ],
            ..Primitive::default()
        };
        let parts = parts_of(&primitive, &[]);
        assert_eq!(parts, MorphParts { positions: true, normals: true, ..MorphParts::default() });
        for count in [1, 2, 9] {
            let mut all = Vec::new();
            loop {
                let some = texels(&primitive, parts, &[], all.len() / 4, count);
                assert!(some.len() <= 4 * count);
                if some.is_empty() {
                    break;
                }
                all.extend(some);
            }
            check(&all);
        }
    }

    fn check(texels: &[f32]) {
        let firsts: Vec<_> = texels.chunks(4).map(|texel| texel[0]).collect();
        //                 target 0: positions, normals  target 1: positions, normals
        assert_eq!(firsts, [1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0]);
        assert!(texels.chunks(4).all(|texel| texel[3] == 0.0));
    }

    #[test]
    fn morph_texture_shape_fits_the_limit() {
        assert_eq!(shape(1, 2048), Ok((1, 1)));
        assert_eq!(shape(100, 2048), Ok((16, 7)));
        assert_eq!(shape(2048 * 2048, 2048), Ok((2048, 2048)));
        assert!(shape(2048 * 2048 + 1, 2048).is_err());
        assert_eq!(shape(3000 * 2000, 3000), Ok((2048, 2930)), "a limit that is no power of two");
    }
}
