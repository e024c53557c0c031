//! Expressions of an actor: amounts that the page sets, blinks and glances. They become morph weights of a pose.

use super::eyes::EyeJoint;
use super::morphs::{MorphOverride, MorphOverrides};
use crate::animation::player::Player;
use crate::animation::pose::Pose;
use crate::base::feature;
use crate::model::{ExpressionKind, ExpressionOverride, FaceExpression};
use std::rc::Rc;

/// The phases of a blink, in seconds: the lids close, stay closed, and open.
const CLOSING: f64 = 0.08;
const CLOSED: f64 = 0.04;
const OPENING: f64 = 0.16;
/// The duration of the eyes' jump to another direction, in seconds.
const JUMP: f64 = 0.06;
/// The shortest interval of blinks and glances, in seconds.
const SHORTEST: f64 = 0.3;

/// Blinks at random times: one in each interval of the timeline. A pure function of the timeline's time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blinks {
    /// The seed of the times.
    pub seed: u32,
    /// The mean time between two blinks, in seconds; at least 0.3.
    pub interval: f64,
}

/// Glances in random directions: one in each interval of the timeline. A pure function of the timeline's time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glances {
    /// The seed of times and directions.
    pub seed: u32,
    /// The mean time between two glances, in seconds; at least 0.3.
    pub interval: f64,
    /// The largest amount of an expression such as `lookLeft`, `0.0..=1.0`; for eyes that are joints, 1 is 25°.
    pub amount: f64,
}

/// The expressions of an actor that have an effect, applied after animation.
///
/// An expression of amount `a` and weight `w` changes each of its morph weights from the animated weight `m` to
/// `m · (1 − w) + a · w · value`. Several expressions add up. Times of fades are seconds of [`Player::elapsed`].
#[derive(Debug, Clone, Default)]
pub struct Expressions {
    faces: Rc<[FaceExpression]>,
    /// Amounts by the indices of expressions.
    amounts: MorphOverrides,
    blinks: Option<(Blinks, Lids)>,
    glances: Option<(Glances, Eyes)>,
}

/// The indices of `blink`, or of `blinkLeft` and `blinkRight`.
type Lids = [Option<usize>; 2];
/// The indices of `lookLeft`, `lookRight`, `lookDown` and `lookUp`.
type Directions = [Option<usize>; 4];
/// The parts of a model that glances move.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Eyes {
    Expressions(Directions),
    Joints([EyeJoint; 2]),
}

/// Expressions with amounts that are not set by the page.
type Own = [Option<(usize, f64)>; 4];

feature! {
    list for_faces;
    fn apply(expressions: &Expressions, player: &Player, pose: &mut Pose) = Expressions::apply;
}

impl Expressions {
    /// Sets the amount of an expression, from the displayed amount on; `None` returns its morph weights to the
    /// animation. See [`MorphOverrides::set`].
    ///
    /// - `faces`: the expressions of the model. A later list has the same ones in the same places.
    /// - `at`: the index of the expression.
    pub fn set(
        &mut self,
        faces: Rc<[FaceExpression]>,
        at: usize,
        to: Option<MorphOverride>,
        fade: f64,
        now: f64,
    ) {
        self.faces = faces;
        if at < self.faces.len() {
            self.amounts.set(at, to, fade, now);
        }
    }

    /// The amount that was set for an expression, at this moment of its fade.
    pub fn amount(&self, at: usize, now: f64) -> f64 {
        self.amounts.each(now).find(|(known, ..)| *known == at).map_or(0.0, |(_, _, amount)| amount)
    }

    /// Blinks from now on; `None` ends it. Returns `false`, and ends it, if the model cannot blink.
    pub fn set_blinks(&mut self, faces: Rc<[FaceExpression]>, blinks: Option<Blinks>) -> bool {
        self.faces = faces;
        let both = [self.find("blink"), None];
        let lids = if both[0].is_some() { both } else { [self.find("blinkLeft"), self.find("blinkRight")] };
        self.blinks = blinks.map(|blinks| (blinks, lids)).filter(|_| lids != [None; 2]);
        self.blinks.is_some()
    }

    /// Glances from now on; `None` ends it. Returns `false`, and ends it, if the model has neither an expression for a
    /// direction of its eyes nor joints of both.
    ///
    /// - `joints`: the eyes, for models without such expressions.
    pub fn set_glances(
        &mut self,
        faces: Rc<[FaceExpression]>,
        joints: Option<[EyeJoint; 2]>,
        glances: Option<Glances>,
    ) -> bool {
        self.faces = faces;
        // The presets of a VRM file whose eyes are joints have no morphs.
        let moves = |at: &usize| !self.faces[*at].weights.is_empty();
        let directions =
            ["lookLeft", "lookRight", "lookDown", "lookUp"].map(|name| self.find(name).filter(moves));
        let eyes = if directions == [None; 4] {
            joints.map(Eyes::Joints)
        } else {
            Some(Eyes::Expressions(directions))
        };
        self.glances = glances.zip(eyes);
        self.glances.is_some()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.faces.iter().position(|face| face.name == name)
    }

    /// `true` if a fade is not complete.
    pub fn is_fading(&self, now: f64) -> bool {
        self.amounts.is_fading(now)
    }

    /// `true` if time alone changes the face.
    pub fn is_moving(&self, now: f64) -> bool {
        self.is_fading(now) || self.blinks.is_some() || self.glances.is_some()
    }

    /// `true` if any expression may have an effect.
    pub fn applies(&self, now: f64) -> bool {
        self.amounts.applies(now) || self.blinks.is_some() || self.glances.is_some()
    }

    /// Completes all fades.
    pub fn end_fades(&mut self) {
        self.amounts.end_fades();
    }

    /// Applies the expressions to a pose.
    #[inline]
    pub fn pose(&self, player: &Player, pose: &mut Pose) {
        if self.applies(player.elapsed()) {
            apply(self, player, pose);
        }
    }

    fn apply(&self, player: &Player, pose: &mut Pose) {
        let now = player.elapsed();
        self.turn_eyes(player, pose);
        for own in [self.lids(player.now()), self.directions(player.now())] {
            for (at, amount) in own.into_iter().flatten() {
                let amount = self.allowed(at, amount, now, &own);
                self.blend(at, 1.0 - amount, pose);
                self.add(at, amount, pose);
            }
        }
        let own = self.lids(player.now());
        for (at, kept, _) in self.amounts.each(now) {
            let is_binary = self.faces.get(at).is_some_and(|face| face.is_binary);
            self.blend(at, if is_binary { f64::from(kept > 0.5) } else { kept }, pose);
        }
        for (at, _, amount) in self.amounts.each(now) {
            let amount = self.allowed(at, amount, now, &own);
            self.add(at, amount, pose);
        }
    }

    fn blend(&self, at: usize, kept: f64, pose: &mut Pose) {
        for &(weight, _) in self.faces.get(at).map_or(&[][..], |face| &face.weights) {
            if let Some(weight) = pose.weights.get_mut(weight) {
                *weight = (f64::from(*weight) * kept) as f32;
            }
        }
    }

    fn add(&self, at: usize, amount: f64, pose: &mut Pose) {
        for &(weight, value) in self.faces.get(at).map_or(&[][..], |face| &face.weights) {
            if let Some(weight) = pose.weights.get_mut(weight) {
                *weight = (f64::from(*weight) + f64::from(value) * amount) as f32;
            }
        }
    }

    /// The amount of an expression after the rules of the others. Spec: VRMC_vrm 1.0, `overrideBlink` and so on.
    fn allowed(&self, at: usize, amount: f64, now: f64, own: &Own) -> f64 {
        let Some(face) = self.faces.get(at) else { return 0.0 };
        let amount = rounded(face, amount);
        let Some(group) = face.kind.group() else { return amount };
        let left = self.left(group, now, own);
        if face.is_binary && left < 1.0 { 0.0 } else { amount * left }
    }

    /// The share that the rules of expressions leave to a group: an index of `overrides`. An expression of the group has
    /// no rule for it. Spec: VRMC_vrm 1.0, Procedural override.
    fn left(&self, group: usize, now: f64, own: &Own) -> f64 {
        let set = self.amounts.each(now).map(|(other, _, amount)| (other, amount));
        let reduced = set.chain(own.iter().flatten().copied()).map(|(other, amount)| {
            let Some(other) = self.faces.get(other).filter(|other| other.kind.group() != Some(group)) else {
                return 0.0;
            };
            let amount = rounded(other, amount).clamp(0.0, 1.0);
            match other.overrides[group] {
                ExpressionOverride::None => 0.0,
                ExpressionOverride::Block => f64::from(amount > 0.0),
                ExpressionOverride::Blend => amount,
            }
        });
        (1.0 - reduced.sum::<f64>()).max(0.0)
    }

    fn lids(&self, time: f64) -> Own {
        let mut own = [None; 4];
        if let Some((blinks, lids)) = &self.blinks {
            let amount = blinks.amount(time);
            for (own, lid) in own.iter_mut().zip(lids) {
                *own = lid.filter(|_| amount > 0.0).map(|lid| (lid, amount));
            }
        }
        own
    }

    fn turn_eyes(&self, player: &Player, pose: &mut Pose) {
        let (Some((glances, Eyes::Joints(joints))), Some(group)) =
            (&self.glances, ExpressionKind::Look.group())
        else {
            return;
        };
        let left = self.left(group, player.elapsed(), &self.lids(player.now()));
        let direction = glances.direction(player.now()).map(|amount| amount * left);
        for joint in joints {
            joint.turn(direction, pose);
        }
    }

    fn directions(&self, time: f64) -> Own {
        let Some((glances, Eyes::Expressions([left, right, down, up]))) = &self.glances else {
            return [None; 4];
        };
        let [x, y] = glances.direction(time);
        [(left, -x), (right, x), (down, -y), (up, y)]
            .map(|(at, amount)| at.filter(|_| amount > 0.0).map(|at| (at, amount)))
    }
}

/// The amount of a binary expression is 0 or 1.
fn rounded(face: &FaceExpression, amount: f64) -> f64 {
    if face.is_binary { f64::from(amount > 0.5) } else { amount }
}

impl Blinks {
    /// The amount by which the lids are closed.
    pub fn amount(&self, time: f64) -> f64 {
        let (cell, begin, interval) = cell(time, self.interval);
        let length = CLOSING + CLOSED + OPENING;
        let s = time - begin - random(self.seed, cell, 0) * (interval - length);
        smooth(s / CLOSING) - smooth((s - CLOSING - CLOSED) / OPENING)
    }
}

impl Glances {
    /// The direction of the eyes: amounts to the right and upwards.
    pub fn direction(&self, time: f64) -> [f64; 2] {
        let (cell, begin, interval) = cell(time, self.interval);
        let s = smooth((time - begin - random(self.seed, cell, 1) * (interval - JUMP)) / JUMP);
        let (from, to) = (self.target(cell.wrapping_sub(1)), self.target(cell));
        [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * s)
    }

    /// The direction after the jump of an interval. Nearly half of them are straight ahead.
    fn target(&self, cell: i64) -> [f64; 2] {
        if random(self.seed, cell, 2) < 0.4 {
            return [0.0; 2];
        }
        let amount = if self.amount.is_finite() { self.amount.clamp(0.0, 1.0) } else { 0.0 };
        // Eyes move less up and down.
        [(3, 1.0), (4, 0.5)].map(|(lane, share)| (2.0 * random(self.seed, cell, lane) - 1.0) * amount * share)
    }
}

/// The number, the begin and the length of the interval that contains a time.
fn cell(time: f64, interval: f64) -> (i64, f64, f64) {
    let interval = if interval.is_finite() { interval.max(SHORTEST) } else { f64::from(u32::MAX) };
    let number = (time / interval).floor();
    (number as i64, number * interval, interval)
}

fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// A random number in `0.0..1.0` that depends on its arguments only: SplitMix64.
fn random(seed: u32, cell: i64, lane: u64) -> f64 {
    let mixed = (u64::from(seed) << 32).wrapping_add(lane).wrapping_mul(0xd129_0eb3_2f5a_6e4d);
    let mut z = mixed.wrapping_add((cell as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
