//! Look-at through several joints, with a speed limit.

use super::look_at::LookAt;
use super::overrides::Overrides;
use super::spaces::{Space, inverse, rows};
use super::vectors::{
    Vector, across, difference, dot, in_world, length, moved, place, scaled, sum, unit, without,
};
use crate::animation::player::Player;
use crate::animation::rig::Rig;
use crate::base::{Affine, feature, sin_cos};
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

/// The clock of a gaze.
#[derive(Debug, Clone, Copy)]
pub struct GazeTime {
    /// Seconds.
    pub clock: f64,
    /// The number of times that the timeline has moved backwards.
    pub reversals: u64,
    /// `true` if the clock runs.
    pub runs: bool,
}

impl From<&Player> for GazeTime {
    fn from(player: &Player) -> Self {
        Self { clock: player.clock(), reversals: player.reversals(), runs: player.clock_runs() }
    }
}

feature! {
    list for_body;
    pub(crate) fn look(
        control: &mut GazeControl,
        player: &Player,
        cut: bool,
        world_from_model: &Affine,
        matrices: &[Affine],
        overrides: &mut Overrides,
    ) = GazeControl::follow;
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
        time: GazeTime,
        gaze: Option<Gaze>,
        world_from_model: &Affine,
        matrices: &[Affine],
        overrides: &mut Overrides,
    ) {
        let exists = |joint: &GazeJoint| joint.node.index() < rig.node_count();
        let Some(mut gaze) = gaze.filter(|gaze| gaze.target.is_finite() && gaze.joints.iter().all(exists))
        else {
            self.end(time);
            if self.is_over() {
                self.remove(overrides);
            }
            return;
        };
        let (direction, amount) = (self.direction, if self.gaze.is_some() { self.amount } else { 1.0 });
        if self.gaze.is_none() {
            (self.clock, self.reversals) = (time.clock, time.reversals);
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
        let Some(eye) = gaze.joints.last().map(|joint| joint.node) else { return };
        self.direction = direction.or_else(|| ahead(eye, world_from_model, matrices, overrides));
        // A target that does not move must be aimed at once.
        self.turns = true;
        self.gaze = Some(gaze);
    }

    /// Begins the gaze that is set anew, in the direction of the last joint, without allocation.
    ///
    /// - `matrices`, `overrides`: see [`GazeControl::set`].
    pub(crate) fn begin(
        &mut self,
        time: GazeTime,
        world_from_model: &Affine,
        matrices: &[Affine],
        overrides: &Overrides,
    ) {
        (self.clock, self.reversals) = (time.clock, time.reversals);
        (self.amount, self.ends, self.turns, self.eye) = (1.0, false, true, None);
        self.direction = self.eye().and_then(|eye| ahead(eye, world_from_model, matrices, overrides));
    }

    /// Changes the target, without allocation. A target that is not finite has no effect.
    pub(crate) fn set_target(&mut self, target: Vec3) {
        if let Some(gaze) = self.gaze.as_mut().filter(|_| target.is_finite()) {
            gaze.target = target;
            self.turns = true;
        }
    }

    /// Lets the gaze end: by a fade if it has a speed limit and time runs, else at once.
    pub(crate) fn end(&mut self, time: GazeTime) {
        let is_slow = |gaze: &Gaze| gaze.speed < f32::INFINITY;
        self.ends = true;
        self.turns = time.runs && self.gaze.as_ref().is_some_and(is_slow);
        if !self.turns {
            self.amount = 0.0;
        }
    }

    /// `true` if it is to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.ends
    }

    /// Lets a gaze that is ending go on.
    pub(crate) fn go_on(&mut self) {
        self.turns |= self.ends;
        self.ends = false;
    }

    fn is_over(&self) -> bool {
        self.ends && self.amount == 0.0
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

    /// Turns the gaze of an actor, and removes it at its end.
    fn follow(
        &mut self,
        player: &Player,
        cut: bool,
        world_from_model: &Affine,
        matrices: &[Affine],
        overrides: &mut Overrides,
    ) {
        if !self.advance(player.into(), cut, world_from_model, matrices, overrides) {
            self.remove(overrides);
        }
    }

    /// Turns the gaze by the time since the last call; after a seek, a cut or a reversal to the target at once. Returns
    /// `false` after its end.
    ///
    /// - `matrices`: world matrices of the last frame, for the place of the eye.
    pub(crate) fn advance(
        &mut self,
        GazeTime { clock, reversals, .. }: GazeTime,
        cut: bool,
        world_from_model: &Affine,
        matrices: &[Affine],
        overrides: &mut Overrides,
    ) -> bool {
        let seconds = clock - self.clock;
        let cut = cut || reversals != self.reversals;
        (self.clock, self.reversals) = (clock, reversals);
        let goal = if self.ends { 0.0 } else { 1.0 };
        let step = (seconds / FADE).max(0.0);
        self.amount = if cut { goal } else { goal.clamp(self.amount - step, self.amount + step) };
        if self.is_over() {
            return false;
        }
        let known = self.eye.take();
        let Some(gaze) = &self.gaze else { return false };
        let Some(last) = gaze.joints.last() else { return false };
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
        true
    }
}

/// The direction of an eye in the model.
fn ahead(
    eye: NodeId,
    world_from_model: &Affine,
    matrices: &[Affine],
    overrides: &Overrides,
) -> Option<Vector> {
    let axis = overrides.look_at_axis(eye)?;
    let back = inverse(&rows(world_from_model))?;
    unit(moved(&back, moved(&rows(&matrices[eye.index()]), axis, 0.0), 0.0))
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
