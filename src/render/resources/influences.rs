//! The influence texture of primitives whose influences exceed the attributes.

use super::geometry::are_many;
use super::morph::shape;
use crate::model::{Influences, Primitive};
use crate::render::error::RenderError;
use crate::render::gl::{Gl, Texture};
use std::rc::Rc;

/// The influences of all vertices in order, two per texel: joint, weight, joint, weight.
#[derive(Debug)]
pub(crate) struct InfluenceTexture {
    pub(crate) texture: Texture,
    /// The texels per row, a power of two.
    pub(crate) width: usize,
    /// The texels per vertex.
    pub(crate) stride: usize,
}

/// The size of a texel in bytes.
const TEXEL: usize = 16;

impl InfluenceTexture {
    /// Allocates the texture, which [`InfluenceTexture::write`] fills; `None` if the influences fit in attributes.
    ///
    /// # Errors
    /// `TooLarge` if the number of texels exceeds the limit of textures.
    pub(crate) fn new(gl: &Rc<Gl>, primitive: &Primitive) -> Result<Option<Self>, RenderError> {
        let Some(influences) = primitive.influences.as_ref().filter(|influences| are_many(influences)) else {
            return Ok(None);
        };
        let (width, rows) = shape(influences.joints.len() / 2, gl.limits().texture_size)?;
        let texture = Texture::new(gl)?;
        gl.allocate_floats(&texture, width, rows);
        Ok(Some(Self { texture, width, stride: influences.per_vertex / 2 }))
    }

    /// Uploads about `budget` bytes from byte `from` on. Returns the number of bytes written, 0 at the end.
    pub(crate) fn write(&self, gl: &Gl, primitive: &Primitive, from: usize, budget: usize) -> usize {
        let Some(influences) = &primitive.influences else { return 0 };
        let first = from / TEXEL;
        let texels = texels(influences, first, (budget / TEXEL).max(1));
        gl.write_floats(&self.texture, self.width, first, &texels);
        size_of_val(&texels[..])
    }
}

/// Up to `count` texels from `first` on; empty at the end.
fn texels(Influences { joints, weights, .. }: &Influences, first: usize, count: usize) -> Vec<f32> {
    let end = joints.len().min(first.saturating_add(count).saturating_mul(2));
    let range = (2 * first).min(end)..end;
    let pairs = joints[range.clone()].iter().zip(&weights[range]);
    pairs.flat_map(|(&joint, &weight)| [f32::from(joint), weight]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn influence_texture_has_two_influences_per_texel_in_order() {
        let joints: Vec<u16> = (0..48).map(|i| 1000 + i).collect();
        let weights: Vec<f32> = (0..48).map(|i| i as f32 / 48.0).collect();
        let influences = Influences { per_vertex: 24, joints, weights };
        for count in [1, 5, 100] {
            let mut all = Vec::new();
            loop {
                let some = texels(&influences, all.len() / 4, count);
                assert!(some.len() <= 4 * count);
                if some.is_empty() {
                    break;
                }
                all.extend(some);
            }
            assert_eq!(all.len(), 96);
            assert!((0..48).all(|i| all[2 * i] == (1000 + i) as f32 && all[2 * i + 1] == i as f32 / 48.0));
        }
    }
}
