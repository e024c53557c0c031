//! Clips that were replaced while they play.

use super::playhead::{Playhead, Source};
use super::{Info, Player, info};
use crate::animation::clip_set::ClipSet;
use crate::model::ClipId;
use std::rc::Rc;

impl Player {
    /// Takes over the clips that were replaced since the last call. Playheads stay at their times, as far as the new clip
    /// lasts, and a segment up to the end of the old clip ends with the new one. The markers are those of the new clip.
    pub(super) fn renew_clips(&mut self, set: &ClipSet) {
        for &clip in &set.replaced()[self.replaced..] {
            self.clips[clip.index()] = info(&set.clips[clip.index()]);
        }
        let clips = &set.replaced()[self.replaced..];
        let Self { base, outgoing, layers, clips: infos, journal, clock, .. } = self;
        renew(base, infos, clips, journal.now);
        for layer in layers {
            renew(&mut layer.head, infos, clips, journal.now);
            for out in &mut layer.outgoing {
                renew(&mut out.head, infos, clips, *clock);
            }
        }
        for out in outgoing {
            renew(&mut out.head, infos, clips, *clock);
        }
        self.replaced = set.replaced().len();
        self.link_layers();
    }
}

/// Takes over new clips in a playhead; `now` is the time of its timeline.
fn renew(head: &mut Playhead, infos: &[Info], clips: &[ClipId], now: f64) {
    let Some(source) = &head.source else { return };
    if !source.clips().any(|clip| clips.contains(&clip)) {
        return;
    }
    head.settle(now);
    head.rebase(now);
    let Some(source) = &mut head.source else { return };
    let clip = match source {
        Source::Space(space) => {
            let position = space.position();
            space.renew(infos);
            head.set_blend_position(position, now);
            return;
        }
        Source::Clip(clip) => &infos[clip.index()],
    };
    (head.marks, head.frames_per_second) = (Rc::clone(&clip.marks), clip.frames_per_second);
    let action = &mut *head.action;
    if action.end == action.duration || action.end > clip.duration {
        action.end = clip.duration;
    }
    action.duration = clip.duration;
    action.begin = action.begin.min(action.end);
    action.offset = action.offset.min(action.duration);
}
