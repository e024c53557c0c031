//! How much of a layer each node takes.

use super::simd::F32x4;

/// A weight for each node of a model, `0.0..=1.0`.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMask {
    /// Nodes `4g … 4g+3` in group `g`, as in a pose.
    pub(crate) groups: Vec<F32x4>,
}

impl JointMask {
    /// A mask of weights, one for each node; they are clamped to `0.0..=1.0`, NaN is 0.
    pub fn new(weights: &[f32]) -> Self {
        let lane = |group: &[f32], i: usize| group.get(i).map_or(0.0, |weight| weight.max(0.0).min(1.0));
        let group =
            |group: &[f32]| F32x4::new([lane(group, 0), lane(group, 1), lane(group, 2), lane(group, 3)]);
        Self { groups: weights.chunks(4).map(group).collect() }
    }
}
