//! Events of the members that a page listens to: markers, ends of passes, and the end of playback.

use super::Crowd;
use super::hearing::Heard;
use super::playing::Playing;
use crate::animation::player::{Action, Event, EventKind, LoopMode, Mark, Span, marks, passed_marks};
use crate::model::{ClipId, Marker};
use std::rc::Rc;
use std::vec::Drain;

impl Crowd {
    /// Collects the events of some members from now on, and of no others. Members that do not exist have none.
    pub fn listen(&mut self, members: &[u32], now: f64) {
        let clock = self.clock(now);
        let mut members: Vec<u32> =
            members.iter().copied().filter(|&member| (member as usize) < self.len()).collect();
        members.sort_unstable();
        members.dedup();
        if self.hearing.heard.is_empty() {
            self.hearing.clock = clock;
        }
        let heard = members.into_iter().map(|member| match self.hearing.find(member) {
            Ok(at) => self.hearing.heard[at].clone(),
            Err(_) => {
                let playing = self.playing[member as usize];
                let action = self.action(&playing, clock);
                Heard { member, playing, action, restarted: false, fresh: clock <= playing.start }
            }
        });
        self.hearing.heard = heard.collect();
    }

    /// Replaces the markers of a clip, for all members.
    ///
    /// # Panics
    /// If the clip is not of this crowd's model.
    pub fn set_markers(&mut self, clip: ClipId, markers: &[Marker]) {
        self.hearing.marks[clip.index()] = marks(markers);
    }

    /// `true` if events are pending.
    pub fn has_events(&self) -> bool {
        !self.hearing.events.is_empty()
    }

    /// Removes and returns the pending events, by member, oldest first. [`Event::layer`] is the member, and
    /// [`Event::playback`] the index of its clip.
    pub fn drain_events(&mut self) -> Drain<'_, Event> {
        self.hearing.events.drain(..)
    }

    /// A playback as an action that runs forwards from `clock` on. Before its start, a member that repeats its clip plays
    /// towards the start.
    fn action(&self, playing: &Playing, clock: f64) -> Action {
        let &Playing { offset, start, backwards, rate, .. } = playing;
        let duration = self.duration(playing);
        let offset = offset.max(0.0).min(duration);
        let action =
            Action { offset, rate, loop_mode: self.loop_mode, backwards, ..Action::new(duration, start) };
        if clock >= start || self.loop_mode == LoopMode::Once {
            return action;
        }
        let position = self.at(playing, clock);
        Action { offset: position.time, start: clock, backwards: position.backwards, ..action }
    }

    /// Collects the events up to the timeline's time `now`, as a [`Player`](crate::animation::Player) does when it
    /// advances. Backwards, and after a time in which progress was set, there are none.
    pub(super) fn hear(&mut self, now: f64, jumped: bool) {
        if self.hearing.heard.is_empty() {
            return;
        }
        let clock = self.clock(now);
        let mut hearing = std::mem::take(&mut self.hearing);
        let before = std::mem::replace(&mut hearing.clock, clock);
        let mut heard = std::mem::take(&mut hearing.heard);
        for one in &mut heard {
            let playing = self.playing[one.member as usize];
            if one.restarted || one.playing != playing || one.action.loop_mode != self.loop_mode {
                let passes = one.action.at(before).passes;
                one.action = self.action(&playing, before);
                one.fresh |= one.restarted;
                // A change of the rate does not begin the count of passes anew. One pass is all of `Once`.
                if !one.restarted && self.loop_mode != LoopMode::Once {
                    one.action.passes = passes;
                }
                (one.playing, one.restarted) = (playing, false);
            }
            let from = one.action.at(before);
            let moves = playing.clip.is_some() && playing.rate != 0.0 && !from.finished;
            if jumped || !moves || clock <= before || clock <= one.action.start {
                continue;
            }
            let (marks, to) = (marks_of(&hearing.marks, playing.clip), one.action.at(clock));
            let way = Span { action: &one.action, marks, from, fresh: one.fresh, to };
            hearing.collector.add(&way, Some(one.member), clip_number(&playing));
            hearing.collector.finish(&mut hearing.events);
            one.fresh = false;
        }
        hearing.heard = heard;
        self.hearing = hearing;
    }

    /// Collects the markers on the way to the fraction of all clips that progress is now set to.
    pub(super) fn hear_progress(&mut self, fraction: f64) {
        let clock = self.hearing.clock;
        let mut hearing = std::mem::take(&mut self.hearing);
        let mut heard = std::mem::take(&mut hearing.heard);
        for one in &mut heard {
            let playing = self.playing[one.member as usize];
            let from = self.time(one.member as usize, clock);
            let duration = self.duration(&playing);
            let to = (fraction * duration).max(0.0).min(duration);
            one.fresh |= std::mem::take(&mut one.restarted);
            let fresh = one.fresh && to != from;
            for (mark, skipped) in passed_marks(marks_of(&hearing.marks, playing.clip), (from, fresh), to) {
                let kind = EventKind::Marker { name: Rc::clone(&mark.name) };
                let layer = Some(one.member);
                hearing.events.push(Event {
                    kind,
                    time: mark.time,
                    skipped,
                    layer,
                    playback: clip_number(&playing),
                });
            }
            one.fresh &= to == from;
        }
        hearing.heard = heard;
        self.hearing = hearing;
    }
}

/// The markers of a clip, from those of all clips.
fn marks_of(marks: &[Rc<[Mark]>], clip: Option<ClipId>) -> &[Mark] {
    clip.and_then(|clip| marks.get(clip.index())).map_or(&[], |marks| marks)
}

fn clip_number(playing: &Playing) -> u64 {
    playing.clip.map_or(0, |clip| clip.index() as u64)
}
