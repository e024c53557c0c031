//! The state of root motion, and the movement between two states.

use super::action::LoopMode;
use super::playhead::Playhead;
use super::root_path::{ClipRoot, Rigid, Velocity, turn_of};
use crate::animation::mixing::Contribution;
use crate::model::ClipId;
use glam::{DQuat, DVec3};
use std::rc::Rc;

/// The root motion of a player up to now.
#[derive(Debug, Clone)]
pub struct RootTravel {
    pub(super) roots: Rc<[ClipRoot]>,
    pub(super) total: Rigid,
    /// The movement up to the last step, and the state then.
    pub(super) anchor: Rigid,
    pub(super) from: State,
    /// The state at the last time.
    pub(super) last: State,
    pub(super) next: State,
    pub(super) slide: Option<Slide>,
    /// The velocity before the change that the next frame begins with.
    pub(super) noted: Velocity,
    /// The movement at the end of the frame before the last one.
    pub(super) mark: Rigid,
    /// `true` if the player has moved since the last frame ended.
    moved: bool,
    pub(super) contributions: Vec<Contribution>,
}

/// The clips that move the root at one time.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct State {
    /// The timeline's time and the player's clock.
    pub(super) time: f64,
    pub(super) clock: f64,
    /// `true` if weights change with time.
    pub(super) fades: bool,
    pub(super) parts: Vec<Part>,
}

/// A clip that moves the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    /// The playback and the index of the clip in its blend space.
    pub(super) key: (u64, usize),
    pub(super) clip: ClipId,
    pub(super) weight: f64,
    pub(super) phase: Phase,
}

/// A position in a segment that may be repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Phase {
    pub(super) time: f64,
    pub(super) begin: f64,
    pub(super) end: f64,
    /// The passes and the fraction of the current one, negative for passes backwards.
    pub(super) turns: f64,
}

/// An inertial transition: the difference of velocities at its start fades.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slide {
    pub(super) start: f64,
    pub(super) duration: f64,
    pub(super) velocity: Velocity,
}

impl Slide {
    /// The sum of the fading factor from the start to a time of the clock, in seconds. The factor is that of
    /// [`Inertia`](crate::animation::mixing::Inertia) for values: `(1 − s)³ (1 + 3s + 6s²)`.
    fn sum(&self, clock: f64) -> f64 {
        let s = ((clock - self.start) / self.duration).clamp(0.0, 1.0);
        self.duration * s * (1.0 + s * s * s * (-2.5 + s * (3.0 - s)))
    }

    pub(super) fn factor(&self, clock: f64) -> f64 {
        let s = ((clock - self.start) / self.duration).clamp(0.0, 1.0);
        (1.0 - s).powi(3) * (1.0 + 3.0 * s + 6.0 * s * s)
    }
}

impl Phase {
    pub(super) fn of(head: &Playhead, now: f64) -> Self {
        let (position, action) = (head.at(now), &*head.action);
        let (begin, end) = (action.begin, action.end);
        // Past the segment's end, the next movement is that of a new pass.
        let past = position.passes == action.passes && action.is_past(0, position.time);
        let time = if past { action.ends(0).0 } else { position.time };
        let passes = position.passes.saturating_sub(u64::from(position.finished)) as f64;
        let into = if end > begin { (time - begin) / (end - begin) } else { 0.0 };
        let turns = match action.loop_mode {
            LoopMode::PingPong => into,
            _ if action.rate < 0.0 => into - passes,
            _ => into + passes,
        };
        Self { time, begin, end, turns }
    }

    /// The same position in a source that follows this one; `time_in` returns its times.
    pub(super) fn followed(&self, duration: f64, own: f64, time_in: impl Fn(f64) -> f64) -> Self {
        let whole = self.begin == 0.0 && self.end == duration;
        let (begin, end) = if whole { (0.0, own) } else { (time_in(self.begin), time_in(self.end)) };
        Self { time: time_in(self.time), begin, end, turns: self.turns }
    }
}

impl ClipRoot {
    /// The movement from one position to another, through all passes between them.
    fn movement(&self, from: &Phase, to: &Phase) -> Rigid {
        let Some(path) = &self.path else { return Rigid::IDENTITY };
        let (begin, end, length) = (to.begin, to.end, to.end - to.begin);
        let passes =
            if length > 0.0 { (to.turns - from.turns - (to.time - from.time) / length).round() } else { 0.0 };
        if passes == 0.0 || passes.is_nan() {
            return path.between(from.time, to.time);
        }
        let (out, back) = if passes > 0.0 { (end, begin) } else { (begin, end) };
        let whole = path.between(begin, end).repeated(passes - passes.signum());
        path.between(from.time, out).then(&whole).then(&path.between(back, to.time))
    }
}

/// Half of a rotation.
fn half_of(rotation: DQuat) -> DQuat {
    let DQuat { x, y, z, w } = if rotation.w < 0.0 { -rotation } else { rotation };
    if (x, y, z) == (0.0, 0.0, 0.0) {
        DQuat::IDENTITY
    } else {
        DQuat::from_xyzw(x, y, z, 1.0 + w).normalize()
    }
}

fn rotation_of(turn: DVec3) -> DQuat {
    if turn == DVec3::ZERO {
        return DQuat::IDENTITY;
    }
    let square = turn.length_squared();
    let [x, y, z] = (turn * 2.0).to_array();
    DQuat::from_xyzw(x, y, z, 1.0 - square).normalize()
}

impl RootTravel {
    pub(super) fn new(roots: Rc<[ClipRoot]>) -> Self {
        Self {
            roots,
            total: Rigid::IDENTITY,
            anchor: Rigid::IDENTITY,
            from: State::default(),
            last: State::default(),
            next: State::default(),
            slide: None,
            noted: Velocity::default(),
            mark: Rigid::IDENTITY,
            moved: false,
            contributions: Vec::new(),
        }
    }

    /// The movement up to now, in metres of the model.
    pub fn total(&self) -> Rigid {
        self.total
    }

    /// The movement of the last frame, in the space of the model before it.
    pub fn last_frame(&self) -> Rigid {
        self.mark.inverse().then(&self.total)
    }

    /// The root of each clip.
    pub fn roots(&self) -> &[ClipRoot] {
        &self.roots
    }

    /// Begins a frame with the next movement.
    pub(super) fn end_frame(&mut self) {
        if !std::mem::take(&mut self.moved) {
            self.mark = self.total;
        }
    }

    /// Ends an inertial transition at once.
    pub(super) fn end_slide(&mut self) {
        self.slide = None;
    }

    pub(super) fn moves(&mut self) {
        if !std::mem::replace(&mut self.moved, true) {
            self.mark = self.total;
        }
    }

    /// `true` if one clip plays alone from a state on. Then no step is needed, however long the time is.
    pub(super) fn is_alone(&self, state: &State) -> bool {
        let rests = self.slide.is_none_or(|slide| state.clock >= slide.start + slide.duration);
        let is_one = || state.parts.is_empty() || matches!(state.parts[..], [only] if only.weight == 1.0);
        rests && !state.fades && is_one()
    }

    /// The movement from one state to another.
    pub(super) fn between(&self, from: &State, to: &State) -> Rigid {
        let alone = self.is_alone(from) && self.is_alone(to);
        let (mut linear, mut turn) = (DVec3::ZERO, DVec3::ZERO);
        for (i, a) in from.parts.iter().enumerate() {
            let same = to.parts.get(i).filter(|b| b.key == a.key && b.clip == a.clip);
            let mut others = to.parts.iter();
            let Some(b) = same.or_else(|| others.find(|b| b.key == a.key && b.clip == a.clip)) else {
                continue;
            };
            let Some(root) = self.roots.get(a.clip.index()) else { continue };
            let movement = root.movement(&a.phase, &b.phase);
            if alone {
                return movement;
            }
            let weight = 0.5 * (a.weight + b.weight);
            // In the direction of the middle of the step, so that clips that turn differently can be added.
            linear += half_of(movement.rotation).conjugate() * movement.translation * weight;
            turn += turn_of(movement.rotation) * weight;
        }
        if let Some(slide) = &self.slide {
            let seconds = slide.sum(to.clock) - slide.sum(from.clock);
            linear += slide.velocity.linear * seconds;
            turn += slide.velocity.angular * (0.25 * seconds);
        }
        let rotation = rotation_of(turn);
        Rigid { rotation, translation: half_of(rotation) * linear }
    }

    /// Begins anew with the state of `next`, which is now.
    pub(super) fn restart(&mut self) {
        self.anchor = self.total;
        self.from.clone_from(&self.next);
        self.last.clone_from(&self.next);
    }
}
