//! Steps of springs, gaze and feet between two frames, and motions without physics.

use super::{ActorId, Cast, Member};
use crate::base::{Affine, Transform, decompose};
use crate::viewer::error::StageError;
use glam::{DQuat, Mat4, Vec3};

/// The longest interval of the timeline without a pose, in seconds. At 60 frames per second each frame has one, also if their
/// intervals vary.
const LONGEST: f64 = 0.02;

/// A longer interval is a jump of time, without poses in between; see [`Springs::advance`](crate::animation::Springs::advance).
const JUMP: f64 = 0.5;

impl Cast {
    /// Places an actor without physics, as [`Cast::place`] else: spring bones move with it and keep their motion in the model,
    /// and gaze and feet begin anew. The same holds for the actors that follow it.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn teleport(&mut self, id: ActorId, place: Affine) -> Result<(), StageError> {
        self.place(id, place)?;
        if self.has_memory() {
            self.jump(id);
        }
        Ok(())
    }

    /// Poses the actors between the present time and a later one, so that springs, gaze and feet move alike at low and at high
    /// frame rates. The animation is a function of time; placements are interpolated.
    pub(super) fn take_steps(&mut self, now: f64) {
        let begin = self.now;
        let seconds = now - begin;
        for member in &mut self.members {
            let springs = &member.actor.springs;
            if !springs.is_empty() && springs.is_new() {
                member.place_before = member.place;
            }
        }
        if !(seconds > LONGEST && seconds <= JUMP) {
            return;
        }
        // A hundredth of the interval is rounding of the page's clock.
        let steps = (seconds / LONGEST - 0.01).ceil();
        for step in 1..steps as u32 {
            let share = f64::from(step) / steps;
            self.members.iter_mut().for_each(|member| member.set_time(begin + share * seconds));
            for at in 0..self.order.len() {
                let i = self.order[at];
                let member = &self.members[i];
                let own = member.place_at(share);
                let place = member.follows.map_or(own, |follow| self.follow(follow, &own));
                let actor = &mut self.members[i].actor;
                actor.place = place;
                actor.update();
            }
        }
    }

    /// Moves an actor and those that follow it without physics in the next step.
    pub(super) fn jump(&mut self, id: ActorId) {
        for at in 0..self.order.len() {
            let i = self.order[at];
            let mut up = Some(self.members[i].id);
            while let Some(above) = up.filter(|&above| above != id) {
                let leader = self.index(above).ok().and_then(|at| self.members[at].follows);
                up = leader.map(|follow| follow.leader);
            }
            if up == Some(id) {
                let member = &mut self.members[i];
                member.place_before = member.place;
                member.actor.teleport();
            }
        }
    }
}

impl Member {
    /// The placement between the last step, 0, and now, 1.
    fn place_at(&self, share: f64) -> Affine {
        let [before, now] = [&self.place_before, &self.place].map(|place| decompose(Mat4::from(*place)));
        if before == now {
            return self.place;
        }
        let [from, to] = [before, now].map(|place| place.rotation.as_dquat());
        let to = if from.dot(to) < 0.0 { -to } else { to };
        let rotation: DQuat = (from * (1.0 - share) + to * share).normalize();
        let mixed = |from: Vec3, to: Vec3| {
            let (from, to) = (from.as_dvec3(), to.as_dvec3());
            (from + (to - from) * share).as_vec3()
        };
        let between = Transform {
            translation: mixed(before.translation, now.translation),
            rotation: rotation.as_quat(),
            scale: mixed(before.scale, now.scale),
        };
        Affine::from(between)
    }
}
