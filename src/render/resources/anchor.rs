//! The anchor of a primitive: its centre, and the palette entries with the largest influence.

use super::palette::{ENTRY_FLOATS, entry};
use crate::base::sort_by;
use crate::model::Primitive;
use glam::Vec3;

/// The maximum number of palette entries of an anchor.
const FOLLOWED: usize = 4;

/// The centre of a primitive and the palette entries that move it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Anchor {
    center: Vec3,
    /// Entries, relative to the drawable's first, and weights that sum to 1; the weight is 0 if unused.
    follows: [(u32, f32); FOLLOWED],
}

impl Anchor {
    /// The anchor of a primitive: follows its joints if `skinned`, else the drawable's first entry.
    pub(crate) fn new(primitive: &Primitive, skinned: bool) -> Self {
        let points = || primitive.positions.iter().map(|&position| Vec3::from(position));
        let low = points().reduce(Vec3::min).unwrap_or_default();
        let high = points().reduce(Vec3::max).unwrap_or_default();
        let mut follows = [(0, 0.0); FOLLOWED];
        match primitive.influences.as_ref().filter(|_| skinned) {
            None => follows[0].1 = 1.0,
            Some(influences) => {
                let mut sums: Vec<(u32, f32)> = Vec::new();
                for (&joint, &weight) in influences.joints.iter().zip(&influences.weights) {
                    let joint = usize::from(joint);
                    if joint >= sums.len() {
                        sums.resize(joint + 1, (0, 0.0));
                    }
                    sums[joint] = (joint as u32, sums[joint].1 + weight);
                }
                sort_by(&mut sums, |a, b| b.1.total_cmp(&a.1));
                sums.truncate(FOLLOWED);
                let total: f32 = sums.iter().map(|(_, weight)| weight).sum();
                for (follow, &(joint, weight)) in follows.iter_mut().zip(&sums) {
                    *follow = (joint, if total > 0.0 { weight / total } else { 0.0 });
                }
            }
        }
        Self { center: low * 0.5 + high * 0.5, follows }
    }

    /// The centre in world space, and `true` if most of the primitive is mirrored.
    ///
    /// - `first`, `step`: the primitive's first palette entry, and the distance between entries.
    pub(crate) fn place(&self, palette: &[f32], first: u32, step: u32) -> (Vec3, bool) {
        let mut world = Vec3::ZERO;
        let mut mirrored = 0.0;
        for &(slot, weight) in self.follows.iter().filter(|(_, weight)| *weight > 0.0) {
            if let Some(rows) = entry(palette, first.saturating_add(step.saturating_mul(slot))) {
                let (x, y, z) = (row(rows, 0), row(rows, 1), row(rows, 2));
                let moved = Vec3::new(x.dot(self.center), y.dot(self.center), z.dot(self.center));
                world += weight * (moved + Vec3::new(rows[3], rows[7], rows[11]));
                // Normalized, so that the product of three small scales does not underflow.
                let size = x.abs().max(y.abs()).max(z.abs()).max_element();
                let volume = (x / size).dot((y / size).cross(z / size));
                mirrored += if volume < 0.0 { weight } else { -weight };
            }
        }
        (world, mirrored > 0.0)
    }
}

fn row(rows: &[f32; ENTRY_FLOATS], i: usize) -> Vec3 {
    Vec3::new(rows[i * 4], rows[i * 4 + 1], rows[i * 4 + 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Influences;

    #[rustfmt::skip]
    const PALETTE: [f32; 36] = [
        1.0, 0.0, 0.0, 10.0,   0.0, 1.0, 0.0, 0.0,   0.0, 0.0, 1.0, 0.0,
        -1.0, 0.0, 0.0, 20.0,  0.0, 1.0, 0.0, 0.0,   0.0, 0.0, 1.0, 0.0,
        1e-15, 0.0, 0.0, 0.0,  0.0, -1e-15, 0.0, 0.0, 0.0, 0.0, 1e-15, 0.0,
    ];

    fn primitive(influences: Option<Influences>) -> Primitive {
        Primitive { positions: vec![[0.0; 3], [2.0, 0.0, 0.0]], influences, ..Primitive::default() }
    }

    #[test]
    fn rigid_anchor_follows_its_palette_entry() {
        let anchor = Anchor::new(&primitive(None), true);
        assert_eq!(anchor.place(&PALETTE, 0, 1), (Vec3::new(11.0, 0.0, 0.0), false));
        assert_eq!(anchor.place(&PALETTE, 1, 1), (Vec3::new(19.0, 0.0, 0.0), true));
        assert!(anchor.place(&PALETTE, 2, 1).1, "tiny scales mirror too");
        assert_eq!(anchor.place(&PALETTE, 3, 1), (Vec3::ZERO, false), "beyond the palette");
    }

    #[test]
    fn skinned_anchor_follows_the_strongest_joint() {
        let influences = Influences {
            per_vertex: 4,
            joints: vec![0, 1, 0, 0, 1, 0, 0, 0],
            weights: vec![0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        };
        let anchor = Anchor::new(&primitive(Some(influences)), true);
        assert_eq!(anchor.follows[0], (1, 0.75));
        let (world, mirrored) = anchor.place(&PALETTE, 0, 1);
        assert_eq!((world.x, mirrored), (0.75 * 19.0 + 0.25 * 11.0, true));
    }
}
