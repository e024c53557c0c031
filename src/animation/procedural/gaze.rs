//! Look-at through several joints, with a speed limit.

use super::look_at::LookAt;
use super::overrides::Overrides;
use super::spaces::{Space, inverse, rows};
use super::vectors::{
    Vector, across, difference, dot, in_world, length, moved, place, scaled, sum, unit, without,
};
use crate::animation::player::Player;
use crate::animation::rig::Rig;
use crate::base::{Affine, deferred, sin_cos};
use crate::model::NodeId;
use glam::Vec3;
use std::f64::consts::PI;

/// The duration of the end of a gaze with a speed limit, in seconds.
const FADE: f64 = 0.3;

/// A look-at constraint that several joints share, such as spine, head and eyes.
///
/// Joints turn in the order of the tree, each by its share of the angle that is left. Eyes with share 1 take the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Gaze {
    /// The joints. The last one is the eye, from which speed is measured.
    pub joints: Vec<GazeJoint>,
    /// The target position, in metres of the space.
    pub target: Vec3,
    /// The space of the target; [`Space::Local`] means the model's.
    pub space: Space,
    /// The largest angular speed of the gaze in the model, in radians per second of the player's clock. Infinite, or
    /// without a number: no limit.
    pub speed: f32,
}

/// A joint of a [`Gaze`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GazeJoint {
    /// The node.
    pub node: NodeId,
    /// The share of the angle that the joints above have left, `0.0..=1.0`.
    pub share: f32,
    /// See [`LookAt::axis`].
    pub axis: Option<Vec3>,
    /// See [`LookAt::limit`].
    pub limit: f32,
}

/// The gaze of an actor. Its joints have no other look-at constraint.
#[derive(Debug, Clone, Default)]
pub struct GazeControl {
    gaze: Option<Gaze>,
    /// The direction of the gaze, in the model.
    direction: Option<Vector>,
    /// The place of the eye in the last frame; `None` if that frame's matrices are still known.
    eye: Option<Vector>,
    /// The player's clock and its number of reversals at the last frame.
    clock: f64,
    reversals: u64,
    turns: bool,
    /// The factor of all shares, which falls from 1 to 0 at the end.
    amount: f64,
    ends: bool,
}

deferred! {
    pub(crate) fn look(
        control: &mut GazeControl,
        player: &Player,
        cut: bool,
        world_from_model: &Affine,
        matrices: &[Affine],
        overrides: &mut Overrides,
    ) = GazeControl::advance;
}

impl GazeControl {
    /// Sets the gaze, which begins in the direction of the last joint; `None` ends it. Only ends the previous one if the
    /// target is not finite, a node does not exist, or no joint has a share. A gaze with a speed limit fades at its
    /// end, unless time stands still.
    ///
    /// - `matrices`: world matrices of the last frame.
    pub fn set(
        &mut self,
        rig: &Rig,
        player: &Player,
        gaze: Option<Gaze>,
        world_from_model: &Affine,
        matrices: &[Affine],
        overrides: &mut Overrides,
    ) {
        let exists = |joint: &GazeJoint| joint.node.index() < rig.node_count();
        let Some(mut gaze) = gaze.filter(|gaze| gaze.target.is_finite() && gaze.joints.iter().all(exists))
        else {
            let is_slow = |gaze: &Gaze| gaze.speed < f32::INFINITY;
            self.ends = player.clock_runs() && self.gaze.as_ref().is_some_and(is_slow);
            self.turns = self.ends;
            if !self.ends {
                self.remove(overrides);
            }
            return;
        };
        let (direction, amount) = (self.direction, if self.gaze.is_some() { self.amount } else { 1.0 });
        if self.gaze.is_none() {
            (self.clock, self.reversals) = (player.clock(), player.reversals());
        }
        self.remove(overrides);
        self.amount = amount;
        gaze.joints.retain(|joint| joint.share > 0.0);
        if gaze.speed.is_nan() {
            gaze.speed = f32::INFINITY;
        }
        for &GazeJoint { node, share, axis, limit } in &gaze.joints {
            let look_at = LookAt { target: gaze.target, axis, limit, space: gaze.space, weight: share };
            overrides.set_look_at(rig, node, look_at);
        }
        let Some(eye) = gaze.joints.last() else { return };
        let ahead = || {
            let axis = overrides.look_at_axis(eye.node)?;
            let back = inverse(&rows(world_from_model))?;
            unit(moved(&back, moved(&rows(&matrices[eye.node.index()]), axis, 0.0), 0.0))
        };
        self.direction = direction.or_else(ahead);
        // A target that does not move must be aimed at once.
        self.turns = true;
        self.gaze = Some(gaze);
    }

    fn remove(&mut self, overrides: &mut Overrides) {
        for joint in self.gaze.take().iter().flat_map(|gaze| &gaze.joints) {
            overrides.remove_look_at(joint.node);
        }
        (self.direction, self.eye, self.turns, self.ends) = (None, None, false, false);
    }

    /// Remembers the place of the eye in the last frame, before other matrices are computed.
    pub(crate) fn keep_eye(&mut self, matrices: &[Affine]) {
        if let (None, Some(eye)) = (self.eye, self.eye()) {
            self.eye = Some(place(&rows(&matrices[eye.index()])));
        }
    }

    /// The last joint of the gaze.
    pub(crate) fn eye(&self) -> Option<NodeId> {
        self.gaze.as_ref()?.joints.last().map(|joint| joint.node)
    }

    /// Removes the gaze without a fade if it turns this node.
    pub(crate) fn cut(&mut self, node: NodeId, overrides: &mut Overrides) {
        if self.gaze.iter().flat_map(|gaze| &gaze.joints).any(|joint| joint.node == node) {
            self.remove(overrides);
        }
    }

    /// `true` without a gaze.
    pub fn is_empty(&self) -> bool {
        self.gaze.is_none()
    }

    /// `true` if the gaze has not reached its target, or has not ended.
    pub fn is_turning(&self) -> bool {
        self.turns
    }

    /// Turns the gaze by the time since the last call; after a seek, a cut or a reversal to the target at once.
    ///
    /// - `matrices`: world matrices of the last frame, for the place of the eye.
    pub fn advance(
        &mut self,
        player: &Player,
        cut: bool,
        world_from_model: &Affine,
        matrices: &[Affine],
        overrides: &mut Overrides,
    ) {
        let (clock, reversals) = (player.clock(), player.reversals());
        let seconds = clock - self.clock;
        let cut = cut || reversals != self.reversals;
        (self.clock, self.reversals) = (clock, reversals);
        let goal = if self.ends { 0.0 } else { 1.0 };
        let step = (seconds / FADE).max(0.0);
        self.amount = if cut { goal } else { goal.clamp(self.amount - step, self.amount + step) };
        if self.ends && self.amount == 0.0 {
            return self.remove(overrides);
        }
        let known = self.eye.take();
        let Some(gaze) = &self.gaze else { return };
        let Some(last) = gaze.joints.last() else { return };
        let target = in_world(gaze.target, gaze.space, world_from_model, 1.0);
        let eye = known.unwrap_or_else(|| place(&rows(&matrices[last.node.index()])));
        let way = difference(target, eye);
        let wanted = inverse(&rows(world_from_model)).and_then(|back| unit(moved(&back, way, 0.0)));
        let now = self.direction.filter(|_| !cut);
        let angle = f64::from(gaze.speed.max(0.0)) * seconds;
        let next = match (now, wanted) {
            (Some(now), Some(wanted)) => toward(now, wanted, angle),
            _ => wanted,
        };
        self.direction = next;
        let shown = next.filter(|_| next != wanted);
        self.turns = next != wanted || self.amount != goal;
        let shown = shown.and_then(|next| unit(moved(&rows(world_from_model), next, 0.0)));
        let aim = shown.map_or(target, |shown| sum(eye, scaled(shown, length(way))));
        let aim = Vec3::from_array(aim.map(|value| value as f32));
        for joint in &gaze.joints {
            overrides.aim(joint.node, aim, joint.share * self.amount as f32);
        }
    }
}

/// The direction `wanted`, or one on the way to it if the angle is too small.
fn toward(now: Vector, wanted: Vector, angle: f64) -> Option<Vector> {
    // NaN: no limit.
    if !(angle < PI) {
        return Some(wanted);
    }
    let (sin, cos) = sin_cos(angle as f32);
    let (sin, cos) = (f64::from(sin), f64::from(cos));
    if dot(now, wanted) >= cos {
        return Some(wanted);
    }
    let aside = unit(without(wanted, now)).unwrap_or_else(|| across(now));
    unit(sum(scaled(now, cos), scaled(aside, sin)))
}
