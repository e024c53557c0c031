//! The texture coordinates of primitives: the set of a texture, and the edges of alpha masks.

use crate::model::{MaterialId, Model, TextureSampler, Wrap};

/// The largest distance of a texture coordinate from its range that counts as inexact.
const INEXACT: f32 = 1e-3;

/// The texture coordinate set used: a missing set falls back to the primitive's last one. `None` if the primitive
/// has none; the texture is ignored then.
pub(super) fn uv_set(wanted: u32, sets: usize) -> Option<u32> {
    let last = sets.checked_sub(1)?;
    Some(wanted.min(last as u32))
}

/// The sampler of a material's alpha mask. A texture that repeats ends at its edge, in each direction in which no texture
/// coordinate leaves it.
///
/// REPEAT is the default of glTF. With it, the filter mixes the opposite edge into the last half of a texel, and alpha to
/// coverage samples beyond the edge of the surface. So a picture of grass, opaque below, would have a line above its
/// transparent part.
///
/// - `wanted`: the texture coordinate set that the file requests.
pub(super) fn mask_sampler(
    model: &Model,
    material: MaterialId,
    wanted: u32,
    sampler: TextureSampler,
) -> TextureSampler {
    let primitives = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let users = primitives.filter(|primitive| {
        primitive.material == Some(material) || primitive.variants.iter().any(|(_, other)| *other == material)
    });
    let mut within = [true; 2];
    for primitive in users {
        let Some(set) = uv_set(wanted, primitive.tex_coords.len()) else { continue };
        let morphs = primitive.targets.iter().any(|target| !target.tex_coords.is_empty());
        for axis in 0..2 {
            let is_within = |uv: &[f32; 2]| (-INEXACT..=1.0 + INEXACT).contains(&uv[axis]);
            within[axis] &= !morphs && primitive.tex_coords[set as usize].iter().all(is_within);
        }
    }
    let ending = |wrap: Wrap, within: bool| if within { Wrap::ClampToEdge } else { wrap };
    TextureSampler {
        wrap_s: ending(sampler.wrap_s, within[0]),
        wrap_t: ending(sampler.wrap_t, within[1]),
        ..sampler
    }
}
