//! The skinning method of a stage.

use super::Stage;
use crate::animation::{Deformed, Skinning};
use crate::base::{Affine, F32x4};
use crate::render::DeformedPrimitive;

impl Stage {
    /// Deforms all meshes on the CPU if `on`, in place of the GPU. The picture is the same.
    pub fn set_cpu_skinning(&mut self, on: bool) {
        self.cpu_skinning = on;
        self.models.set_cpu_skinning(on);
        self.stale = true;
    }

    /// Sets the skinning method of all actors. The next frame waits for the programs.
    pub fn set_skinning(&mut self, skinning: Skinning) {
        self.cast.set_skinning(skinning);
        self.models.set_skinning(skinning);
        self.debug.prepared = false;
        self.stale = true;
        if self.framed.is_some() {
            self.frame_by_itself();
        }
    }
}

/// A CPU-deformed primitive for the renderer.
pub(super) fn on_screen((drawable, primitive): (usize, usize), deformed: &Deformed) -> DeformedPrimitive<'_> {
    let Deformed { positions, normals, tangents, tex_coords, colors } = deformed;
    DeformedPrimitive { drawable, primitive, positions, normals, tangents, tex_coords, colors }
}

/// Appends rotations to a palette, three per entry. The vertex shader then uses 16 floats per matrix.
pub(super) fn push_rotations<'a>(rotations: impl Iterator<Item = &'a F32x4>, palette: &mut Vec<Affine>) {
    let mut rows = [F32x4::zero(); 3];
    let mut count = 0;
    for &rotation in rotations {
        rows[count] = rotation;
        count += 1;
        if count == 3 {
            palette.push(Affine { rows });
            count = 0;
        }
    }
    if count > 0 {
        palette.push(Affine { rows });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_follow_the_matrices_in_the_palette() {
        for count in 0..20 {
            let mut palette = vec![Affine::identity(); count];
            let rotations: Vec<_> = (0..count).map(|i| F32x4::splat(i as f32)).collect();
            push_rotations(rotations.iter(), &mut palette);
            let floats = Affine::as_floats(&palette);
            assert_eq!(floats.len() / 16, count);
            assert!((0..count).all(|i| floats[12 * count + 4 * i..][..4] == [i as f32; 4]));
        }
    }
}
