//! The members that a page listens to, and their events.

use super::playing::Playing;
use crate::animation::clip_set::ClipSet;
use crate::animation::player::{Action, Event, EventCollector, Mark, marks};
use crate::model::ClipId;
use std::rc::Rc;

/// The members that a page listens to, and their pending events.
#[derive(Debug, Clone, Default)]
pub(super) struct Hearing {
    /// Sorted by member.
    pub(super) heard: Vec<Heard>,
    /// The markers of each clip, sorted by time.
    pub(super) marks: Vec<Rc<[Mark]>>,
    /// The crowd's time up to which events were collected.
    pub(super) clock: f64,
    pub(super) collector: EventCollector,
    pub(super) events: Vec<Event>,
}

/// A member that a page listens to.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    pub(super) member: u32,
    /// The playback to which `action` belongs.
    pub(super) playing: Playing,
    pub(super) action: Action,
    /// `true` if the member has begun anew since the last step.
    pub(super) restarted: bool,
    /// `true` if no event has been reported yet for the starting point itself.
    pub(super) fresh: bool,
}

impl Hearing {
    /// Takes over the markers of clips that were added; the others keep those of [`Crowd::set_markers`](super::Crowd::set_markers).
    pub(super) fn extend_clips(&mut self, clip_set: &ClipSet) {
        self.marks.extend(clip_set.clips.iter().skip(self.marks.len()).map(|clip| marks(&clip.markers)));
    }

    /// Takes over the markers of a clip that was replaced.
    pub(super) fn renew_clip(&mut self, clip_set: &ClipSet, clip: ClipId) {
        self.marks[clip.index()] = marks(&clip_set.clips[clip.index()].markers);
    }

    /// Notes that a member begins anew.
    pub(super) fn restart(&mut self, member: usize) {
        if let Ok(at) = self.find(member as u32) {
            self.heard[at].restarted = true;
        }
    }

    pub(super) fn resize(&mut self, count: usize) {
        self.heard.retain(|heard| (heard.member as usize) < count);
    }

    pub(super) fn find(&self, member: u32) -> Result<usize, usize> {
        self.heard.binary_search_by_key(&member, |heard| heard.member)
    }
}
