//! Overrides of morph weights.

use crate::animation::player::Fade;
use crate::animation::pose::Pose;

/// The override of one morph weight of a pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MorphOverride {
    /// The morph weight.
    pub value: f32,
    /// The blend weight from the animated morph weight to this one, `0.0..=1.0`.
    pub weight: f32,
}

/// All overrides of morph weights of an actor, applied after animation.
///
/// Times are seconds of [`Player::elapsed`](crate::animation::player::Player::elapsed).
#[derive(Debug, Clone, Default)]
pub struct MorphOverrides {
    list: Vec<Faded>,
    /// The end of the last fade.
    fades_end: f64,
    /// `true` if an override has an effect after all fades.
    lasts: bool,
}

/// A morph weight of a pose becomes `animated · kept + added`. So a fade can begin with any other fade, and the
/// animation may go on meanwhile.
#[derive(Debug, Clone, Copy)]
struct Faded {
    /// The index of the morph weight in a pose.
    at: usize,
    kept: Fade,
    added: Fade,
}

impl Faded {
    fn lasts(&self) -> bool {
        self.kept.to != 1.0 || self.added.to != 0.0
    }
}

impl MorphOverrides {
    /// Overrides a morph weight of a pose, from the displayed weight on; `None` ends the override.
    ///
    /// A value that is not finite has no effect. The blend weight is clamped; NaN is 0. Returns `true` if other morph weights than
    /// before are overridden.
    ///
    /// - `at`: the index of the morph weight in a pose; see
    ///   [`Morph::weights`](crate::model::Morph::weights).
    /// - `fade`: the duration of the change in seconds; 0 for an immediate change.
    pub fn set(&mut self, at: usize, to: Option<MorphOverride>, fade: f64, now: f64) -> bool {
        let MorphOverride { value, weight } = to.unwrap_or(MorphOverride { value: 0.0, weight: 0.0 });
        if !value.is_finite() {
            return false;
        }
        let weight = if weight.is_nan() { 0.0 } else { f64::from(weight.clamp(0.0, 1.0)) };
        let before = self.list.iter().find(|known| known.at == at);
        if before.is_none() && weight == 0.0 {
            return false;
        }
        let (is_new, count) = (before.is_none(), self.list.len());
        let [kept, added] = before.map_or([1.0, 0.0], |known| [known.kept.at(now), known.added.at(now)]);
        let change = |from: f64, to: f64| {
            let end = now + fade;
            if fade > 0.0 { Fade { from, to, begin: now, end } } else { Fade::still(to) }
        };
        self.list.retain(|known| known.at != at && (known.lasts() || now < known.kept.end));
        self.list.push(Faded {
            at,
            kept: change(kept, 1.0 - weight),
            added: change(added, f64::from(value) * weight),
        });
        self.fades_end = self.list.iter().map(|known| known.kept.end).fold(0.0, f64::max);
        self.lasts = self.list.iter().any(Faded::lasts);
        is_new || self.list.len() != count
    }

    /// `true` if a fade is not complete.
    pub fn is_fading(&self, now: f64) -> bool {
        now < self.fades_end
    }

    /// `true` if any morph weight differs from its animation.
    pub fn applies(&self, now: f64) -> bool {
        self.lasts || self.is_fading(now)
    }

    /// Completes all fades.
    pub fn end_fades(&mut self) {
        for Faded { kept, added, .. } in &mut self.list {
            (*kept, *added) = (Fade::still(kept.to), Fade::still(added.to));
        }
        self.fades_end = 0.0;
    }

    /// The index, the share of the animation that is left, and the added value of each override.
    pub(super) fn each(&self, now: f64) -> impl Iterator<Item = (usize, f64, f64)> {
        self.list.iter().map(move |Faded { at, kept, added }| (*at, kept.at(now), added.at(now)))
    }

    /// The indices of the numbers that are overridden, or fade back.
    pub(super) fn changed(&self) -> impl Iterator<Item = usize> {
        self.list.iter().map(|known| known.at)
    }

    /// Applies the overrides to a pose.
    #[inline]
    pub fn pose(&self, now: f64, pose: &mut Pose) {
        if self.applies(now) {
            self.apply_to(now, &mut pose.weights);
        }
    }

    /// Applies the overrides to numbers.
    pub(super) fn apply_to(&self, now: f64, numbers: &mut [f32]) {
        for Faded { at, kept, added } in &self.list {
            if let Some(weight) = numbers.get_mut(*at) {
                *weight = (f64::from(*weight) * kept.at(now) + added.at(now)) as f32;
            }
        }
    }
}
