//! Bounds of the bulge of a mesh between joints that are blended as dual quaternions.

use super::bounds::Bounds;
use super::dual_quaternion::{dot, linear};
use crate::base::{Aabb, Affine, F32x4};
use crate::model::{Model, PaletteLayout};
use glam::Vec3;

/// The pairs of joints that influence the same vertices.
///
/// With linear blending, a vertex lies between the positions from its joints. On an arc it does not, but its
/// distance from the position of its heaviest joint h is bounded by
///
/// `max dᵢ / (1 / (n − 1) + cᵢ)`
///
/// over its n − 1 other joints i. dᵢ is the distance between the positions from h and i; cᵢ is the cosine of
/// half the angle between them. (That is |Σ wᵢdᵢ| / |Σ wᵢqᵢ|, with |Σ wᵢqᵢ| ≥ wₕ + Σ wᵢcᵢ and wₕ ≥ wᵢ.)
#[derive(Debug, Clone, Default)]
pub struct Sharing {
    /// Pairs of palette entries that share vertices, without duplicates.
    pairs: Vec<(u32, u32)>,
    /// The largest number of joints of a vertex.
    most: usize,
}

impl Sharing {
    /// Examines all vertices, once.
    pub fn new(model: &Model, layout: &PaletteLayout) -> Self {
        /// The number of pairs that may be added before sorting: a mesh of a million vertices has a million
        /// duplicates.
        const WAITING: usize = 1 << 16;
        let mut this = Self { pairs: Vec::new(), most: 1 };
        let mut known = 0;
        for drawable in layout.drawables.iter().filter(|drawable| drawable.skinned) {
            let first = drawable.slots.start;
            for primitive in &model.meshes[drawable.mesh.index()].primitives {
                let Some(influences) = &primitive.influences else { continue };
                for vertex in 0..primitive.vertex_count() {
                    let range = vertex * influences.per_vertex..(vertex + 1) * influences.per_vertex;
                    let (joints, weights) = (&influences.joints[range.clone()], &influences.weights[range]);
                    let mut count = 0;
                    for (i, &joint) in joints.iter().enumerate().filter(|&(i, _)| weights[i] > 0.0) {
                        count += 1;
                        for (_, &other) in (0..i).zip(joints).filter(|&(j, _)| weights[j] > 0.0) {
                            let pair = (joint.min(other), joint.max(other));
                            if joint != other && this.pairs.last() != Some(&shifted(pair, first)) {
                                this.pairs.push(shifted(pair, first));
                            }
                        }
                    }
                    this.most = this.most.max(count);
                    if this.pairs.len() > 2 * known + WAITING {
                        known = this.sort();
                    }
                }
            }
        }
        this.sort();
        this
    }

    /// Sorts the pairs and removes duplicates; returns their count.
    fn sort(&mut self) -> usize {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.pairs.len()
    }

    /// The box of a pose whose skins are blended as dual quaternions, in world space; otherwise like
    /// [`Bounds::of_pose`].
    ///
    /// - `rotations`: the rotations of the palette, from [`rotations`](super::dual_quaternion::rotations).
    /// - `boxes`: overwritten; its allocation is reused.
    ///
    /// # Panics
    /// If the palette, the rotations or the weights are of another model.
    pub fn of_pose(
        &self,
        bounds: &Bounds,
        (palette, rotations): (&[Affine], &[F32x4]),
        weights: &[f32],
        visible: &[bool],
        boxes: &mut Vec<Aabb>,
    ) -> Option<Aabb> {
        let mut union = bounds.of_pose(palette, weights, visible)?;
        boxes.clear();
        boxes.resize(palette.len(), Aabb::EMPTY);
        for (slot, own) in bounds.boxes(weights, visible) {
            boxes[slot] = boxes[slot].union(&own);
        }
        for &(a, b) in &self.pairs {
            let (a, b) = (a as usize, b as usize);
            let joint = |slot: usize| (&palette[slot], rotations[slot]);
            if let Some(bulge) = bulge([joint(a), joint(b)], &[boxes[a], boxes[b]], self.most) {
                union = union.union(&bulge);
            }
        }
        union.is_valid().then_some(union)
    }
}

fn shifted((a, b): (u16, u16), first: u32) -> (u32, u32) {
    (first + u32::from(a), first + u32::from(b))
}

/// The box around all possible positions of the vertices that two joints share, blended as dual quaternions;
/// `None` if they share none.
///
/// - `boxes`: the box around all vertices of each joint.
/// - `most`: the largest number of joints of a vertex.
pub(super) fn bulge(
    [(a, turned_a), (b, turned_b)]: [(&Affine, F32x4); 2],
    boxes: &[Aabb; 2],
    most: usize,
) -> Option<Aabb> {
    // Shared vertices are in both boxes.
    let common = Aabb { min: boxes[0].min.max(boxes[1].min), max: boxes[0].max.min(boxes[1].max) };
    if !common.is_valid() {
        return None;
    }
    let cosine = dot(turned_a, turned_b).abs();
    let far = apart(a, b, &common) / (1.0 / (most - 1) as f32 + cosine);
    // The rounding error is smaller than the sum of the errors of both positions.
    let both = [a, b].map(|matrix| common.transformed(matrix));
    let slack = 1e-5 * far + 2e-6 * (extent(&both[0]) + extent(&both[1]));
    let reach = Vec3::splat(far + slack);
    let [first, second] = both.map(|Aabb { min, max }| Aabb { min: min - reach, max: max + reach });
    Some(first.union(&second))
}

/// The largest distance between the images of a point of a box under two matrices.
pub(crate) fn apart(a: &Affine, b: &Affine, points: &Aabb) -> f32 {
    let half = 0.5 * points.max - 0.5 * points.min;
    let between = a.transform_point(points.center()) - b.transform_point(points.center());
    let ([ax, ay, az], [bx, by, bz]) = (linear(a), linear(b));
    let reach = |a: Vec3, b: Vec3| (a - b).abs().dot(half);
    (between.abs() + Vec3::new(reach(ax, bx), reach(ay, by), reach(az, bz))).length()
}

/// The largest absolute coordinate of a box.
fn extent(points: &Aabb) -> f32 {
    points.min.abs().max(points.max.abs()).max_element()
}
