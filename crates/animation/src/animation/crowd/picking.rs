//! Single members, for picking.

use super::{Crowd, PoseRequest};
use crate::base::Affine;
use glam::Vec3;

impl Crowd {
    /// Writes the current palette of a member, and its morph weights.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn pose_member(&mut self, i: usize, now: f64, palette: &mut Vec<Affine>, weights: &mut Vec<f32>) {
        palette.resize(self.rig.palette_len(), Affine::identity());
        weights.resize(self.weight_count(), 0.0);
        self.update_looks(now);
        let request = PoseRequest { step: 1, ..self.request(i, self.clock(now)) };
        if !self.show_look(i, &request, palette, weights) {
            self.batch.palettes(&self.rig, &[request], palette, weights);
        }
        self.morphs.pose(i, weights);
    }

    /// `false` if a line cannot intersect a member now, so that it need not be posed for a ray test.
    ///
    /// - `direction`: of any length except 0.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn may_meet(&self, i: usize, now: f64, origin: Vec3, direction: Vec3) -> bool {
        let body = &self.reach(i, self.clock(now)).body;
        body.as_ref().is_some_and(|body| body.may_meet(origin, direction, &self.places[i], self.scales[i]))
    }
}
