//! Sets and applies the morph weights of members.

use super::Crowd;
use super::member_part::CrowdError;

impl Crowd {
    /// Sets morph weights of consecutive members, from `first` on. They replace the animated weights, in cached
    /// poses, too. If a weight is beyond all that were set before, the clips must be measured again: see
    /// [`Crowd::measure`].
    ///
    /// - `weights`: for each morph, the indices of its weights in a pose; see
    ///   [`Morph::weights`](crate::model::Morph::weights).
    /// - `numbers`: for each morph, one number per member; NaN for the animated weight.
    ///
    /// # Errors
    /// `Range`, `Number`. In this case nothing changes.
    pub fn set_morphs(
        &mut self,
        weights: &[&[usize]],
        first: usize,
        numbers: &[f64],
    ) -> Result<(), CrowdError> {
        let count = numbers.len().checked_div(weights.len()).unwrap_or(0);
        let in_range = |&at: &usize| at < self.weight_count();
        if count * weights.len() != numbers.len()
            || first > self.len()
            || count > self.len() - first
            || !weights.iter().copied().flatten().all(in_range)
        {
            return Err(CrowdError::Range);
        }
        if numbers.iter().any(|&number| (number as f32).is_infinite()) {
            return Err(CrowdError::Number);
        }
        self.morphs.prepare(self.len(), self.weight_count());
        for (weights, numbers) in weights.iter().zip(numbers.chunks_exact(count.max(1))) {
            for &at in *weights {
                if self.morphs.set(at, first, numbers) {
                    self.extents.clear();
                    self.bounds = None;
                }
            }
        }
        Ok(())
    }

    /// Applies the morph weights that are set to the visible members.
    #[inline(never)]
    pub(super) fn pose_morphs(&mut self) {
        let count = self.weight_count();
        for (at, visible) in self.visible_members.iter().enumerate() {
            self.morphs.pose(visible.member as usize, &mut self.weights[at * count..][..count]);
        }
    }
}
