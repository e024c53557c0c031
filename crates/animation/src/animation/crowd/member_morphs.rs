//! Morph weights of crowd members that a page has set.

/// Lists of the morph weights of all members.
#[derive(Debug, Clone, Default)]
pub(super) struct MemberMorphs {
    /// The morph weights of each member that replace those of its pose; NaN for those that stay animated.
    weights: Vec<f32>,
    /// For each member, `true` if any of its weights is set.
    set: Vec<bool>,
    /// For each morph weight of a pose, the smallest range that contains 0, 1 and all numbers that were ever set.
    /// `[0, 0]` if none was.
    ranges: Vec<[f32; 2]>,
}

impl MemberMorphs {
    /// `true` before the first call of [`MemberMorphs::prepare`].
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn ranges(&self) -> &[[f32; 2]] {
        &self.ranges
    }

    /// Allocates the lists, once.
    pub(super) fn prepare(&mut self, members: usize, count: usize) {
        if self.is_empty() {
            self.ranges = vec![[0.0; 2]; count];
            self.resize(members);
        }
    }

    pub(super) fn resize(&mut self, members: usize) {
        if !self.is_empty() {
            self.weights.resize(members * self.ranges.len(), f32::NAN);
            self.set.resize(members, false);
        }
    }

    /// Sets a morph weight of consecutive members. Returns `true` if that makes its range larger.
    pub(super) fn set(&mut self, at: usize, first: usize, numbers: &[f64]) -> bool {
        let count = self.ranges.len();
        let before = self.ranges[at];
        for (member, &number) in (first..).zip(numbers) {
            let weights = &mut self.weights[member * count..][..count];
            weights[at] = number as f32;
            self.set[member] = !number.is_nan() || weights.iter().any(|weight| !weight.is_nan());
            if !number.is_nan() {
                let [low, high] = &mut self.ranges[at];
                (*low, *high) = (low.min(number as f32), high.max(number as f32).max(1.0));
            }
        }
        self.ranges[at] != before
    }

    /// `true` if a morph weight of a member is set.
    #[inline(always)]
    pub(super) fn has(&self, member: usize) -> bool {
        self.set.get(member) == Some(&true)
    }

    /// Replaces the morph weights of a pose by those that are set.
    pub(super) fn pose(&self, member: usize, weights: &mut [f32]) {
        if self.has(member) {
            let own = &self.weights[member * self.ranges.len()..];
            for (weight, own) in weights.iter_mut().zip(own) {
                if !own.is_nan() {
                    *weight = *own;
                }
            }
        }
    }
}
