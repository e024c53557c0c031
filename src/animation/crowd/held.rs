//! Members that are sampled seldom, since nobody sees it: two of their poses are held, and mixed.

use super::measure::{FIRST_SPAN, SPANS, mixed};
use super::{Crowd, UpdateRate};
use crate::model::SIDE_BY_SIDE;

/// How far from its place a vertex may be for the sake of fewer poses, in pixels.
const TOLERANCE: f32 = 0.4;
/// How often a member is sampled at least, as a level: that of level 1 takes [`FIRST_SPAN`], each further one twice as long.
const LEVELS: usize = 3;
/// So many members share the work of a level evenly.
const TURNS: usize = 8;

/// What a member is held by between two of its poses.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held {
    /// 0 if nothing is held.
    pub(super) level: u8,
    /// Whether the second pose is the earlier one.
    pub(super) swapped: bool,
    /// Which stretch of time the poses are the ends of.
    pub(super) turn: f64,
}

/// Who is mixed of what is held.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mixing {
    /// The place among those that are seen.
    seen: u32,
    fraction: f32,
}

impl Crowd {
    /// How seldom a member may be sampled, if a metre of its model has so many pixels.
    pub(super) fn level(&self, i: usize, errors: &[f32; SPANS], pixels: f32) -> u8 {
        if self.update_rate == UpdateRate::Full || self.progress.is_some() || self.turned[i] {
            return 0;
        }
        // The clip goes on by that much in the time of level 1.
        let mut span = 0;
        let mut longest = FIRST_SPAN;
        while longest < self.playing[i].rate.abs() * FIRST_SPAN && span < SPANS {
            longest *= 2.0;
            span += 1;
        }
        let fits = |level: &usize| errors.get(span + level).is_some_and(|error| error * pixels <= TOLERANCE);
        (0..LEVELS).take_while(fits).count() as u8
    }

    /// Has a member mixed of two poses, at the ends of a stretch of time that is the same whatever was shown before; false if
    /// there is no straight way from one to the other.
    #[inline(never)]
    pub(super) fn hold(&mut self, at: usize, i: usize, level: u8, clock: f64) -> bool {
        let length = FIRST_SPAN * f64::from(1_u32 << (level - 1));
        // Not all at once.
        let ahead = (i % TURNS) as f64 / TURNS as f64;
        let turn = (clock / length - ahead).floor();
        let begin = (turn + ahead) * length;
        let fraction = ((clock - begin) / length) as f32;
        let Held { level: known, swapped, turn: last } = self.held[i];
        // Whoever is set to play otherwise is held no more.
        if known == level && last == turn {
            self.mixing.push(Mixing { seen: at as u32, fraction });
            return true;
        }
        let end = (turn + 1.0 + ahead) * length;
        let (from, to) = (self.position(i, begin), self.position(i, end));
        let same_pass =
            from.passes == to.passes && from.backwards == to.backwards && from.finished == to.finished;
        let start = self.playing[i].start;
        let begun = (begin >= start) == (end >= start);
        if !(same_pass && begun && fraction.is_finite()) {
            return false;
        }
        let swapped = if known == level && last + 1.0 == turn {
            // Its second pose is the first one now.
            !swapped
        } else {
            self.want((i, at, Some(false)), from.time, clock);
            false
        };
        self.want((i, at, Some(!swapped)), to.time, clock);
        self.held[i] = Held { level, swapped, turn };
        self.mixing.push(Mixing { seen: at as u32, fraction });
        true
    }

    #[inline(never)]
    pub(super) fn mix(&mut self) {
        let (len, weight_count) = (self.rig.palette_len(), self.weight_count());
        let mixing = std::mem::take(&mut self.mixing);
        for &Mixing { seen, fraction } in &mixing {
            let at = seen as usize;
            let member = self.seen[at].member as usize;
            let swapped = self.held[member].swapped;
            let ((to, to_weights), (a, a_weights), (b, b_weights)) =
                (self.room(at, None), self.room(at, Some(swapped)), self.room(at, Some(!swapped)));
            let [px, py, pz] = self.places[member].rows;
            let (px, py, pz) = (px.only_last(), py.only_last(), pz.only_last());
            let from = self.room_for_all();
            let (shown, held) = self.palettes.split_at_mut(from);
            let (first, second) = (&held[a - from..][..len], &held[b - from..][..len]);
            for (i, (first, second)) in first.iter().zip(second).enumerate() {
                let mix = mixed(first, second, fraction);
                let [x, y, z] = mix.rows;
                shown[to + SIDE_BY_SIDE * i].rows = [x + px, y + py, z + pz];
            }
            for k in 0..weight_count {
                let (first, second) = (self.weights[a_weights + k], self.weights[b_weights + k]);
                self.weights[to_weights + k] = first + (second - first) * fraction;
            }
        }
        self.mixing = mixing;
    }
}
