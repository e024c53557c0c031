//! Boxes that follow the animation.

use super::affine::Affine;
use crate::model::{Model, PaletteLayout};
use glam::Vec3;
use std::collections::BTreeMap;

/// A box with its sides along the axes; in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// The least corner.
    pub min: Vec3,
    /// The greatest corner.
    pub max: Vec3,
}

impl Aabb {
    /// Around nothing: the union with it changes nothing.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The middle.
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// The radius of the sphere around the box.
    pub fn radius(&self) -> f32 {
        (0.5 * self.max - 0.5 * self.min).length()
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether it is around something, with finite corners.
    pub fn is_valid(&self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min.cmple(self.max).all()
    }

    /// Grows to hold a point.
    pub fn add(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }
}

/// What each palette entry of a model can move: a box a joint, so that the box of a pose costs O(joints).
///
/// A skinned vertex is a weighted mean of where its joints take it, so it lies in the union of their boxes,
/// whatever the pose.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    parts: Vec<Part>,
    /// Per morph weight of a pose: the box of what its target adds at weight 1.
    deltas: Vec<Aabb>,
}

#[derive(Debug, Clone)]
struct Part {
    slot: usize,
    /// The morph weights that stretch the box, as a range of the pose's.
    weights: std::ops::Range<usize>,
    bounds: Aabb,
}

impl Bounds {
    /// Measures the vertices of all shown meshes, once.
    pub fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let zero = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };
        let mut this = Self { parts: Vec::new(), deltas: vec![zero; layout.weight_count] };
        for drawable in &layout.drawables {
            let weights = drawable.weights.start as usize..drawable.weights.end as usize;
            let mut boxes: BTreeMap<usize, Aabb> = BTreeMap::new();
            for primitive in &model.meshes[drawable.mesh.index()].primitives {
                for (target, delta) in primitive.targets.iter().zip(&mut this.deltas[weights.clone()]) {
                    target
                        .positions
                        .values()
                        .iter()
                        .for_each(|&position| delta.add(Vec3::from_array(position)));
                }
                let mut add = |slot: usize, point: Vec3| {
                    boxes.entry(drawable.slots.start as usize + slot).or_insert(Aabb::EMPTY).add(point);
                };
                let points = primitive.positions.iter().map(|&position| Vec3::from_array(position));
                match primitive.influences.as_ref().filter(|_| drawable.skinned) {
                    None => points.for_each(|point| add(0, point)),
                    Some(influences) => {
                        let joints = influences.joints.chunks_exact(influences.per_vertex);
                        let shares = influences.weights.chunks_exact(influences.per_vertex);
                        for (point, (joints, shares)) in points.zip(joints.zip(shares)) {
                            for (&joint, _) in joints.iter().zip(shares).filter(|&(_, &share)| share > 0.0) {
                                add(usize::from(joint), point);
                            }
                        }
                    }
                }
            }
            let parts = boxes.into_iter();
            this.parts.extend(parts.map(|(slot, bounds)| Part { slot, weights: weights.clone(), bounds }));
        }
        this
    }

    /// The box of a pose, in world space; `None` if nothing is shown or a matrix is not finite.
    ///
    /// - `palette`: of the whole actor, as [`Rig::palette`](super::Rig::palette) writes it.
    /// - `weights`: the morph weights of the whole pose.
    ///
    /// # Panics
    /// If the palette or the weights are of another model.
    pub fn of_pose(&self, palette: &[Affine], weights: &[f32]) -> Option<Aabb> {
        let mut union = Aabb::EMPTY;
        for part in &self.parts {
            let mut bounds = part.bounds;
            let deltas = &self.deltas[part.weights.clone()];
            for (delta, &weight) in deltas.iter().zip(&weights[part.weights.clone()]) {
                let (a, b) = (weight * delta.min, weight * delta.max);
                bounds.min += a.min(b);
                bounds.max += a.max(b);
            }
            let center = palette[part.slot].transform_point(bounds.center());
            let half = 0.5 * bounds.max - 0.5 * bounds.min;
            let reach = palette[part.slot].rows().map(|row| row.truncate().abs().dot(half));
            // Rounding must not let a vertex out.
            let reach = Vec3::from_array(reach) * (1.0 + 1e-5) + 1e-6 * center.abs();
            union = union.union(&Aabb { min: center - reach, max: center + reach });
        }
        union.is_valid().then_some(union)
    }
}
