//! Look-at of the members that are nearest to a target.

use super::Crowd;
use super::batch_poses::PoseRequest;
use super::looks::{Looker, Looks};
use crate::animation::procedural::{Gaze, GazeControl, GazeTime, Overrides};
use crate::base::Affine;

impl Crowd {
    /// Makes the members that are nearest to a target look at it, each with a gaze of its own as
    /// [`Actor::set_gaze`](crate::animation::Actor::set_gaze) sets it, in world space. A member that is no longer one of
    /// them ends its gaze. `None` ends all. Of members at the same distance, the first ones look.
    ///
    /// - `nearest`: the number of members.
    pub fn set_gaze(&mut self, gaze: Option<Gaze>, nearest: usize, now: f64) {
        let looks = &mut self.looks;
        if gaze.is_some() && looks.is_empty() {
            (looks.of, looks.clock) =
                (vec![0; self.places.len().max(1)], self.paused.unwrap_or(now - self.delay));
        }
        let same_joints = match (&looks.wanted, &gaze) {
            (Some((before, _)), Some(gaze)) => before.joints == gaze.joints && before.speed == gaze.speed,
            _ => false,
        };
        // The step gives a new target to the nearest members only: a gaze that ends keeps its own, as that of an actor.
        if let Some(gaze) = gaze.as_ref().filter(|_| !same_joints) {
            for Looker { member, gaze: control, overrides, matrices, .. } in &mut looks.lookers {
                // Free entries begin with the new gaze, too.
                let place = member.map_or(Affine::identity(), |member| self.places[member as usize]);
                let time = GazeTime { clock: looks.clock, reversals: looks.reversals, runs: true };
                control.set(&self.rig, time, Some(gaze.clone()), &place, matrices, overrides);
            }
        }
        looks.wanted = gaze.map(|gaze| (gaze, nearest));
        looks.stale = true;
        self.step_looks(now);
    }

    /// Brings the look-at up to date, if members have changed since the last step, or time has moved.
    #[inline(always)]
    pub(super) fn update_looks(&mut self, now: f64) {
        if !self.looks.is_empty() && (self.looks.stale || self.looks.clock != self.clock(now)) {
            self.step_looks(now);
        }
    }

    /// Turns the members that look by the time since the last step, and computes their node matrices.
    /// If members have changed, it chooses the nearest ones again.
    #[inline(never)]
    pub(super) fn step_looks(&mut self, now: f64) {
        let clock = self.clock(now);
        let mut looks = std::mem::take(&mut self.looks);
        // A pause and another clock change the crowd's time by rounding errors only.
        looks.reversals += u64::from(clock < looks.clock - 1e-6);
        let choose = std::mem::take(&mut looks.stale);
        looks.clock = clock;
        let time = GazeTime { clock, reversals: looks.reversals, runs: self.paused.is_none() };
        if choose {
            looks.choose(&self.places);
            for at in 0..looks.order.len() {
                let member = looks.order[at].1;
                match looks.at(member as usize) {
                    Some(at) => {
                        let looker = &mut looks.lookers[at];
                        looker.near = true;
                        if let Some((gaze, _)) = &looks.wanted {
                            looker.gaze.set_target(gaze.target);
                        }
                        looker.gaze.go_on();
                    }
                    None => self.begin_look(&mut looks, member, time),
                }
            }
            for looker in &mut looks.lookers {
                if looker.member.is_some() && !looker.near && !looker.gaze.is_ending() {
                    looker.gaze.end(time);
                }
            }
        }
        for at in 0..looks.lookers.len() {
            let Some(member) = looks.lookers[at].member.map(|member| member as usize) else { continue };
            let Looker { gaze, overrides, matrices, cut, .. } = &mut looks.lookers[at];
            let place = self.places[member];
            if gaze.advance(time, std::mem::take(cut), &place, matrices, overrides) {
                self.pose_look(member, clock, matrices, overrides);
            } else {
                looks.lookers[at].member = None;
                looks.of[member] = 0;
            }
        }
        if looks.wanted.is_none() && looks.lookers.iter().all(|looker| looker.member.is_none()) {
            looks = Looks::default();
        }
        self.looks = looks;
    }

    /// Computes the node matrices of a member that looks.
    fn pose_look(
        &mut self,
        member: usize,
        clock: f64,
        matrices: &mut Vec<Affine>,
        overrides: &mut Overrides,
    ) {
        let request = self.request(member, clock);
        let pose = self.batch.pose(&self.rig, &request);
        overrides.node_matrices(&self.rig, pose, &request.place, matrices);
    }

    /// Begins the look-at of a member, from the direction of its animation.
    fn begin_look(&mut self, looks: &mut Looks, member: u32, time: GazeTime) {
        let Some((gaze, _)) = &looks.wanted else { return };
        let target = gaze.target;
        let free = looks.lookers.iter().position(|looker| looker.member.is_none());
        let at = free.unwrap_or_else(|| {
            let mut overrides = Overrides::default();
            let mut control = GazeControl::default();
            let rest = vec![Affine::identity(); self.rig.node_count()];
            control.set(&self.rig, time, Some(gaze.clone()), &Affine::identity(), &rest, &mut overrides);
            let matrices = Vec::with_capacity(self.rig.node_count());
            looks.lookers.push(Looker {
                member: None,
                gaze: control,
                overrides,
                matrices,
                cut: false,
                near: true,
            });
            looks.lookers.len() - 1
        });
        looks.of[member as usize] = at as u32 + 1;
        let looker = &mut looks.lookers[at];
        (looker.member, looker.cut, looker.near) = (Some(member), false, true);
        let request = self.request(member as usize, time.clock);
        let pose = self.batch.pose(&self.rig, &request);
        // Without the look-at, as the member was shown before.
        self.rig.node_matrices(pose, &request.place, &mut looker.matrices);
        looker.gaze.set_target(target);
        looker.gaze.begin(time, &request.place, &looker.matrices, &looker.overrides);
    }

    /// Writes the palette of a member from the node matrices of the last step. Returns `false` if it does not look.
    pub(super) fn show_look(
        &mut self,
        member: usize,
        request: &PoseRequest,
        palettes: &mut [Affine],
        weights: &mut [f32],
    ) -> bool {
        let Some(at) = self.looks.at(member) else { return false };
        let matrices = &self.looks.lookers[at].matrices;
        self.batch.posed_palette(&self.rig, request, matrices, palettes, weights);
        true
    }

    /// Writes the palette of a visible member that looks.
    #[inline(never)]
    pub(super) fn put_look(&mut self, at: usize, i: usize, clock: f64) {
        let request = self.request(i, clock);
        let (to, weights_to) = (self.begin(at), at * self.weight_count());
        let (mut palettes, mut weights) =
            (std::mem::take(&mut self.palettes), std::mem::take(&mut self.weights));
        self.show_look(i, &PoseRequest { to, weights_to, ..request }, &mut palettes, &mut weights);
        (self.palettes, self.weights) = (palettes, weights);
        self.sampled += 1;
    }
}
