//! Playback position of a clip as a function of the timeline's time. The rules are in docs/design/time-contract.md.

use crate::base::{greater, lesser};
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// The largest number of passes: above it, f64 cannot represent every whole number.
pub(super) const MAX_PASSES: f64 = (1_u64 << 53) as f64;

/// The behaviour at the end of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoopMode {
    /// The clip stops at the end.
    Once,
    /// The clip restarts from the beginning.
    #[default]
    Repeat,
    /// The clip reverses its direction.
    PingPong,
}

/// A clip placed on a timeline: its local time is a pure function of the timeline's time.
///
/// All times are in seconds. A pass is one run through the segment, in either direction. A playhead before
/// the segment (in its direction) runs into it, and the pass ends at the segment's end. A playhead past the
/// segment's end jumps to the beginning of a pass as soon as time advances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Action {
    /// The length of the clip; at least 0.
    pub duration: f64,
    /// The start of the segment, in seconds of the clip; at least 0.
    pub begin: f64,
    /// The end of the segment, in seconds of the clip, `begin..=duration`.
    pub end: f64,
    /// The timeline's time at which the clip is at `offset`.
    pub start: f64,
    /// The clip's time at `start`, `0.0..=duration`.
    pub offset: f64,
    /// Clip seconds per timeline second; may be negative or 0.
    pub rate: f64,
    /// The behaviour at the end of a pass.
    pub loop_mode: LoopMode,
    /// The number of passes, at most 2⁵³; infinite for endless. [`LoopMode::Once`] ignores it and plays one.
    pub repetitions: f64,
    /// The minimum number of passes, regardless of the fields above: a pass that has begun is always
    /// completed.
    pub least_passes: u64,
    /// The number of passes complete at `start`.
    pub passes: u64,
    /// `true` if the pass at `start` is reversed by [`LoopMode::PingPong`].
    pub backwards: bool,
}

/// The playback position of an [`Action`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// The clip's time, `0.0..=duration`.
    pub time: f64,
    /// The number of complete passes.
    pub passes: u64,
    /// `true` if this pass is reversed by [`LoopMode::PingPong`].
    pub backwards: bool,
    /// `true` if all passes are complete; the time is then the end of the last pass.
    pub finished: bool,
}

impl Action {
    /// An endless action at rate 1, at the beginning of its clip at timeline time `start`.
    pub fn new(duration: f64, start: f64) -> Self {
        Self {
            duration,
            begin: 0.0,
            end: duration,
            start,
            offset: 0.0,
            rate: 1.0,
            loop_mode: LoopMode::Repeat,
            repetitions: f64::INFINITY,
            least_passes: 0,
            passes: 0,
            backwards: false,
        }
    }

    /// The position at timeline time `now`; before `start`, the position at `start`.
    pub fn at(&self, now: f64) -> Position {
        let total = self.total_passes();
        let stay = |time, passes, finished| Position { time, passes, backwards: self.backwards, finished };
        if number(self.passes) >= total {
            return stay(self.offset, self.passes, true);
        }
        let way = (now - self.start) * self.rate.abs();
        // Also for NaN. A seek shows the exact time until the timeline advances.
        if !(way > 0.0) {
            return stay(self.offset, self.passes, false);
        }
        // Extreme rates may make it infinite, and infinity has no remainder.
        let way = if way < f64::MAX { way } else { f64::MAX };
        let (from, to_end) = self.first_pass();
        if way < to_end {
            return stay(if self.forwards(0) { from + way } else { from - way }, self.passes, false);
        }
        // A segment of length 0 has no passes to count: it finishes immediately, or never.
        let length = self.end - self.begin;
        if length == 0.0 {
            return match total {
                f64::INFINITY => stay(self.end, self.passes, false),
                total => stay(self.end, count(total), true),
            };
        }
        // The pass is half-open: its end is the next one's beginning, and the remainder is carried over.
        let (more, into) = divide(way - to_end, length);
        let new_passes = number(self.passes) + 1.0 + more;
        let finished = total.is_finite() && new_passes >= total;
        let new_passes = lesser(lesser(new_passes, total), MAX_PASSES);
        // The pass of `time`: the last complete one if all are complete.
        let turn = (count(new_passes) - self.passes) - u64::from(finished);
        let time = match (finished, self.forwards(turn)) {
            (true, _) => self.ends(turn).1,
            (false, true) => lesser(self.begin + into, self.end),
            (false, false) => greater(self.end - into, self.begin),
        };
        Position {
            time,
            passes: count(new_passes),
            backwards: self.backwards ^ (self.loop_mode == LoopMode::PingPong && turn % 2 == 1),
            finished,
        }
    }

    /// The same action, restarted at timeline time `now` from its current position: the playhead does not
    /// move.
    ///
    /// An action that has not started yet is not changed.
    #[must_use]
    pub fn rebased(&self, now: f64) -> Self {
        let Position { time, passes, backwards, .. } = self.at(now);
        Self { start: self.start.max(now), offset: time, passes, backwards, ..*self }
    }

    /// The timeline's time at which the playhead is at `time` in pass `turn`, relative to the pass at
    /// `start`.
    pub fn when(&self, turn: u64, time: f64) -> f64 {
        let (from, to_end) = self.first_pass();
        let way = match turn.checked_sub(1) {
            None => (time - from).abs(),
            Some(more) => to_end + more as f64 * (self.end - self.begin) + (time - self.ends(turn).0).abs(),
        };
        self.start + way / self.rate.abs()
    }

    /// The timeline's time at which the first pass began, or would have begun at this rate; `None` at rate 0.
    pub fn start_of_playing(&self) -> Option<f64> {
        let into = if self.forwards(0) { self.offset - self.begin } else { self.end - self.offset };
        let way = self.passes as f64 * (self.end - self.begin) + into;
        Some(self.start - way / self.rate.abs()).filter(|start| start.is_finite())
    }

    /// `true` if nothing is left to play from `start` on. The action has finished, is at the end of its last
    /// pass, or is past the end of the segment.
    pub fn is_over(&self) -> bool {
        let left = self.total_passes() - self.passes as f64;
        let at_end = self.offset == self.ends(0).1;
        left <= 0.0 || self.rate != 0.0 && (left <= 1.0 && at_end || self.is_past(0, self.offset))
    }

    /// The total number of passes to play.
    pub fn total_passes(&self) -> f64 {
        let asked = if self.loop_mode == LoopMode::Once { 1.0 } else { self.repetitions };
        greater(asked, number(self.least_passes))
    }

    /// `true` if the clip's time increases in pass `turn`, relative to the pass at `start`.
    #[inline(always)]
    pub fn forwards(&self, turn: u64) -> bool {
        let turned = self.loop_mode == LoopMode::PingPong && turn % 2 == 1;
        (self.rate >= 0.0) != (self.backwards ^ turned)
    }

    /// The first and last time of pass `turn`, relative to the pass at `start`.
    pub fn ends(&self, turn: u64) -> (f64, f64) {
        if self.forwards(turn) { (self.begin, self.end) } else { (self.end, self.begin) }
    }

    /// `true` if `time` is past the end of pass `turn`.
    pub fn is_past(&self, turn: u64, time: f64) -> bool {
        if self.forwards(turn) { time > self.end } else { time < self.begin }
    }

    /// The time from which the pass at `start` continues when the timeline advances, and the distance to its
    /// end.
    #[inline(always)]
    fn first_pass(&self) -> (f64, f64) {
        let (begin, end) = self.ends(0);
        match self.is_past(0, self.offset) {
            true => (begin, self.end - self.begin),
            false => (self.offset, (end - self.offset).abs()),
        }
    }
}

/// An action that caches its last position until it is changed. A frame needs the position at the same time
/// twice, and the next frame needs it again.
#[derive(Debug, Clone)]
pub(super) struct CachedAction {
    action: Action,
    /// The cached position and its timeline time; NaN if there is none.
    found: Cell<(f64, Position)>,
}

impl CachedAction {
    /// [`Action::at`], cached.
    pub(super) fn at(&self, now: f64) -> Position {
        let (time, found) = self.found.get();
        if time == now {
            return found;
        }
        let found = self.action.at(now);
        self.found.set((now, found));
        found
    }
}

impl From<Action> for CachedAction {
    fn from(action: Action) -> Self {
        let nowhere = Position { time: 0.0, passes: 0, backwards: false, finished: false };
        Self { action, found: Cell::new((f64::NAN, nowhere)) }
    }
}

impl Deref for CachedAction {
    type Target = Action;

    fn deref(&self) -> &Action {
        &self.action
    }
}

impl DerefMut for CachedAction {
    fn deref_mut(&mut self) -> &mut Action {
        self.found.get_mut().0 = f64::NAN;
        &mut self.action
    }
}

/// Converts a count, at most 2⁵³, to f64. Signed because WebAssembly's unsigned conversions take several
/// times as long.
#[inline(always)]
fn number(count: u64) -> f64 {
    count.cast_signed() as f64
}

/// Converts a number back to a count.
#[inline(always)]
fn count(number: f64) -> u64 {
    (number as i64).cast_unsigned()
}

/// Fast [`divide`], for fewer than 2²⁸ passes and a length that f32 represents exactly, as clips have. Then
/// the product and the remainder are exact. Otherwise `None`.
#[inline(always)]
pub(crate) fn divide_few(a: f64, b: f64) -> Option<(f64, f64)> {
    let quotient = (a / b).trunc();
    if f64::from(b as f32) != b || !(quotient < 268_435_456.0) {
        return None;
    }
    let rest = a - quotient * b;
    // Rounding may have raised the quotient to the next whole number.
    Some(if rest < 0.0 { (quotient - 1.0, a - (quotient - 1.0) * b) } else { (quotient, rest) })
}

/// Quotient and remainder, both exact: `a = quotient · b + remainder`, `0 ≤ remainder < b`.
fn divide(a: f64, b: f64) -> (f64, f64) {
    if let Some(found) = divide_few(a, b) {
        return found;
    }
    let rest = a % b;
    // The quotient is close to a whole number. WebAssembly has an instruction for this rounding mode only.
    (((a - rest) / b).round_ties_even(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divide_few_is_as_exact_as_divide() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state = state.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            state >> 11
        };
        for i in 0..100_000 {
            let b = f64::from(1e-3 + (next() % 1_000_000) as f32 * 0.0137);
            // Exact multiples, their neighbours, and other numbers.
            let whole = (next() % 300_000_000) as f64 * b;
            let a = [whole, whole.next_down(), whole.next_up(), whole * 0.7][i % 4].max(0.0);
            let (quotient, rest) = divide(a, b);
            assert_eq!(rest.to_bits(), (a % b).to_bits(), "{a} % {b}");
            assert_eq!(quotient, ((a - a % b) / b).round(), "{a} / {b}");
        }
    }

    fn action(loop_mode: LoopMode, repetitions: f64, rate: f64, offset: f64) -> Action {
        Action { loop_mode, repetitions, rate, offset, ..Action::new(2.0, 100.0) }
    }

    fn times(action: &Action, ways: &[f64]) -> Vec<f64> {
        ways.iter().map(|way| action.at(100.0 + way).time).collect()
    }

    //  way      0    0.5   2     2.5   4     5.5   6     9
    const WAYS: [f64; 8] = [0.0, 0.5, 2.0, 2.5, 4.0, 5.5, 6.0, 9.0];

    #[test]
    fn loop_mode_repeat_wraps_and_carries_the_remainder() {
        let endless = action(LoopMode::Repeat, f64::INFINITY, 1.0, 0.0);
        assert_eq!(times(&endless, &WAYS), [0.0, 0.5, 0.0, 0.5, 0.0, 1.5, 0.0, 1.0]);
        let thrice = action(LoopMode::Repeat, 3.0, 1.0, 0.0);
        assert_eq!(times(&thrice, &WAYS), [0.0, 0.5, 0.0, 0.5, 0.0, 1.5, 2.0, 2.0]);
        assert_eq!(thrice.at(106.0), Position { time: 2.0, passes: 3, backwards: false, finished: true });
        assert!(!thrice.at(106.0_f64.next_down()).finished);
    }

    #[test]
    fn negative_rate_counts_passes_and_ends_at_zero() {
        let back = action(LoopMode::Repeat, 3.0, -1.0, 0.5);
        assert_eq!(times(&back, &[0.0, 0.25, 0.5, 1.0, 2.5, 4.5, 9.0]), [0.5, 0.25, 2.0, 1.5, 2.0, 0.0, 0.0]);
        assert!(back.at(104.5).finished);
    }

    #[test]
    fn loop_mode_ping_pong_reflects() {
        let endless = action(LoopMode::PingPong, f64::INFINITY, 1.0, 0.0);
        assert_eq!(times(&endless, &WAYS), [0.0, 0.5, 2.0, 1.5, 0.0, 1.5, 2.0, 1.0]);
        assert!(endless.at(102.5).backwards);
        let twice = action(LoopMode::PingPong, 2.0, 1.0, 0.0);
        assert_eq!(twice.at(107.0), Position { time: 0.0, passes: 2, backwards: true, finished: true });
        let thrice = action(LoopMode::PingPong, 3.0, 1.0, 0.0);
        assert_eq!(thrice.at(107.0).time, 2.0);
        let reverse = action(LoopMode::PingPong, f64::INFINITY, -1.0, 0.5);
        assert_eq!(times(&reverse, &[0.25, 0.5, 1.0, 2.5, 3.0]), [0.25, 0.0, 0.5, 2.0, 1.5]);
    }

    #[test]
    fn loop_mode_once_ignores_repetitions() {
        let once = action(LoopMode::Once, f64::INFINITY, 1.0, 0.5);
        assert_eq!(times(&once, &[1.0, 1.5, 70.0]), [1.5, 2.0, 2.0]);
        assert!(once.at(101.5).finished);
    }

    #[test]
    fn seek_to_the_end_shows_the_end_in_every_mode() {
        for mode in [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong] {
            for rate in [1.0, 0.0, -1.0, 0.25] {
                for offset in [0.0, 2.0] {
                    assert_eq!(action(mode, f64::INFINITY, rate, offset).at(100.0).time, offset);
                    assert_eq!(action(mode, f64::INFINITY, rate, offset).at(90.0).time, offset);
                }
            }
        }
    }

    #[test]
    fn action_without_duration_neither_hangs_nor_divides_by_zero() {
        for mode in [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong] {
            for repetitions in [1.0, 5.0, f64::INFINITY] {
                let flat = Action { duration: 0.0, end: 0.0, ..action(mode, repetitions, 1.0, 0.0) };
                let at = flat.at(1e9);
                assert_eq!(at.time, 0.0);
                assert_eq!(at.finished, flat.total_passes().is_finite());
            }
        }
    }

    #[test]
    fn cached_action_is_evaluated_again_after_a_change() {
        let mut followed = CachedAction::from(action(LoopMode::Repeat, f64::INFINITY, 1.0, 0.0));
        for rate in [1.0, -0.5, 3.0] {
            followed.rate = rate;
            for now in [100.5, 100.5, 107.0, 100.5] {
                assert_eq!(followed.at(now), (*followed).at(now), "{rate} {now}");
            }
        }
        *followed = action(LoopMode::Once, 1.0, 1.0, 0.5);
        assert_eq!(followed.at(100.5).time, 1.0);
    }

    #[test]
    fn rebased_action_has_the_same_playhead() {
        for mode in [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong] {
            for rate in [1.0, -1.0, 2.5] {
                let action = action(mode, 4.0, rate, 0.5);
                for tenth in 0..80 {
                    let now = 100.0 + 0.1 * f64::from(tenth);
                    let rebased = action.rebased(now);
                    assert_eq!(rebased.at(now).time, action.at(now).time, "{mode:?} {rate} {now}");
                    let faster = Action { rate: 3.0 * rate, ..rebased };
                    assert_eq!(faster.at(now).time, action.at(now).time);
                    let later = now + 0.7;
                    let (a, b) = (rebased.at(later), action.at(later));
                    assert!((a.time - b.time).abs() < 1e-9 && a.passes == b.passes, "{mode:?} {rate} {now}");
                }
            }
        }
    }

    #[test]
    fn action_pass_ends_are_at_the_end_of_the_pass() {
        let back = action(LoopMode::PingPong, f64::INFINITY, -2.0, 0.5);
        for (turn, when, end) in [(0, 100.25, 0.0), (1, 101.25, 2.0), (2, 102.25, 0.0)] {
            assert_eq!((back.when(turn, end), back.ends(turn).1), (when, end));
            assert_eq!((back.at(when).time, back.at(when).passes), (end, turn + 1));
        }
    }

    fn segment(loop_mode: LoopMode, repetitions: f64, rate: f64, offset: f64) -> Action {
        Action { begin: 0.5, end: 1.5, ..action(loop_mode, repetitions, rate, offset) }
    }

    #[test]
    fn segment_limits_the_passes() {
        let endless = segment(LoopMode::Repeat, f64::INFINITY, 1.0, 0.5);
        assert_eq!(times(&endless, &[0.0, 0.75, 1.0, 1.25, 2.0]), [0.5, 1.25, 0.5, 0.75, 0.5]);
        let twice = segment(LoopMode::PingPong, 2.0, 1.0, 0.5);
        assert_eq!(times(&twice, &[0.0, 0.75, 1.0, 1.25, 2.0, 9.0]), [0.5, 1.25, 1.5, 1.25, 0.5, 0.5]);
        let back = segment(LoopMode::Once, 1.0, -1.0, 1.5);
        assert_eq!(times(&back, &[0.25, 1.0, 7.0]), [1.25, 0.5, 0.5]);
        assert!(back.at(101.0).finished);
    }

    #[test]
    fn segment_is_entered_from_before_it() {
        let endless = segment(LoopMode::Repeat, f64::INFINITY, 1.0, 0.0);
        assert_eq!(times(&endless, &[0.0, 0.25, 1.25, 1.5, 1.75]), [0.0, 0.25, 1.25, 0.5, 0.75]);
        assert_eq!(endless.at(101.5).passes, 1);
        let back = segment(LoopMode::Repeat, f64::INFINITY, -1.0, 2.0);
        assert_eq!(times(&back, &[0.25, 1.25, 1.5, 1.75]), [1.75, 0.75, 1.5, 1.25]);
    }

    #[test]
    fn segment_restarts_from_a_playhead_past_its_end() {
        for (rate, offset, ways) in [(1.0, 1.75, [1.75, 0.75, 0.5]), (-1.0, 0.25, [0.25, 1.25, 1.5])] {
            let past = segment(LoopMode::Repeat, f64::INFINITY, rate, offset);
            assert_eq!(times(&past, &[0.0, 0.25, 1.0]), ways);
            assert_eq!((past.at(100.9).passes, past.at(101.0).passes), (0, 1), "the jump is no pass");
            assert!(past.is_over());
        }
    }

    #[test]
    fn segment_without_length_is_reached_and_kept() {
        let point = Action { begin: 1.0, end: 1.0, ..action(LoopMode::Repeat, f64::INFINITY, 1.0, 0.25) };
        assert_eq!(times(&point, &[0.5, 0.75, 9.0]), [0.75, 1.0, 1.0]);
        let thrice = Action { repetitions: 3.0, ..point };
        assert_eq!(thrice.at(109.0), Position { time: 1.0, passes: 3, backwards: false, finished: true });
    }

    #[test]
    fn start_of_playing_does_not_depend_on_rebasing() {
        for (mode, rate) in [(LoopMode::Repeat, 1.0), (LoopMode::PingPong, 2.0), (LoopMode::PingPong, -0.5)] {
            let offset = if rate < 0.0 { 1.5 } else { 0.5 };
            let action = segment(mode, f64::INFINITY, rate, offset);
            for now in [100.0, 100.25, 103.25, 117.5] {
                assert_eq!(action.rebased(now).start_of_playing(), Some(100.0), "{mode:?} {rate} {now}");
            }
        }
        assert_eq!(segment(LoopMode::Repeat, 1.0, 0.0, 0.75).start_of_playing(), None);
    }
}
