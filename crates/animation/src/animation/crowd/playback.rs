//! The times of members in their clips.

use super::Crowd;
use super::batch_poses::Fading;
use super::playing::{Playing, Previous};
use crate::animation::player::{Action, Fade, LoopMode, Position, divide_few};
use crate::base::{greater, lesser};

impl Crowd {
    pub(super) fn start(&mut self, i: usize, offset: f64, clock: f64) {
        let playing = &mut self.playing[i];
        (playing.offset, playing.start, playing.backwards) = (offset, clock, false);
        self.hearing.restart(i);
    }

    /// Starts a transition from the current clip of a member.
    pub(super) fn leave(&mut self, i: usize, clock: f64) {
        let playing = self.playing[i];
        if self.previous.is_empty() {
            if self.transition == 0.0 {
                return;
            }
            self.previous = vec![Previous { playing, share: Fade::still(0.0) }; self.len()];
        }
        let before = &mut self.previous[i];
        // During a transition, the clip with the larger weight fades out.
        if before.share.at(clock) <= 0.5 {
            before.playing = playing;
        }
        before.share = match self.transition {
            0.0 => Fade::still(0.0),
            seconds => Fade { from: 1.0, to: 0.0, begin: clock, end: clock + seconds },
        };
    }

    #[inline(always)]
    pub(super) fn duration(&self, playing: &Playing) -> f64 {
        let Some(clip) = playing.clip else { return 0.0 };
        self.durations.as_slice()[clip.index()]
    }

    pub(super) fn position(&self, i: usize, clock: f64) -> Position {
        self.at(&self.playing[i], clock)
    }

    /// Equal to [`Position::time`] to the bit, with a fast path for the common case: repeating forwards.
    #[inline(always)]
    pub(super) fn time(&self, i: usize, clock: f64) -> f64 {
        let playing = &self.playing[i];
        let &Playing { offset, start, backwards, rate, .. } = playing;
        let duration = self.duration(playing);
        let way = (clock - start) * rate;
        let plain = self.loop_mode == LoopMode::Repeat && !backwards && self.progress.is_none();
        if plain && rate > 0.0 && way > 0.0 && offset >= 0.0 && offset <= duration {
            let to_end = duration - offset;
            if way < to_end {
                return offset + way;
            }
            if let Some((_, into)) = divide_few(way - to_end, duration) {
                return lesser(into, duration);
            }
        }
        self.position(i, clock).time
    }

    /// The position in a clip. Previous the start, time runs backwards from the offset.
    pub(super) fn at(&self, playing: &Playing, clock: f64) -> Position {
        let &Playing { offset, start, backwards, rate, .. } = playing;
        let duration = self.duration(playing);
        let way = clock - start;
        let (way, rate) = if way < 0.0 { (-way, -rate) } else { (way, rate) };
        let offset = if let Some(progress) = self.progress { progress * duration } else { offset };
        let offset = lesser(greater(0.0, offset), duration);
        let action =
            Action { offset, rate, loop_mode: self.loop_mode, backwards, ..Action::new(duration, 0.0) };
        action.at(if self.progress.is_some() { 0.0 } else { way })
    }

    /// The clip that fades out, during a transition.
    #[inline(always)]
    pub(super) fn fading(&self, i: usize, clock: f64) -> Option<Fading> {
        if self.previous.is_empty() { None } else { self.interrupted(i, clock) }
    }

    #[inline(never)]
    fn interrupted(&self, i: usize, clock: f64) -> Option<Fading> {
        let Previous { playing, share } = self.previous.get(i).filter(|_| self.progress.is_none())?;
        let weight = share.at(clock) as f32;
        (weight > 0.0).then(|| Fading { clip: playing.clip, time: self.at(playing, clock).time, weight })
    }
}
