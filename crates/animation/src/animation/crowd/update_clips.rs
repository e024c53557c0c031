//! Clips that are added, removed or replaced while members play.

use super::frame_cache::FrameCache;
use super::{Crowd, PaletteBatch, durations};
use crate::animation::clip_set::ClipSet;
use crate::base::feature;
use crate::model::ClipId;
use std::rc::Rc;

feature! {
    list for_retargeting;
    fn renew_clips(crowd: &mut Crowd, clip_set: &ClipSet) = Crowd::renew_clips;
}

impl Crowd {
    /// Takes over the clips of its model after some were added, removed or replaced. Added clips are not yet measured.
    pub fn update_clips(&mut self, clip_set: &ClipSet) {
        self.rig = Rc::clone(&clip_set.rig);
        self.first = clip_set.opening();
        self.durations = durations(&self.rig);
        // A removed clip is the rest pose, whose extent comes first.
        for i in (0..self.durations.len()).filter(|i| !clip_set.has(ClipId::new(*i))) {
            if let [rest, ..] = self.extents[..]
                && let Some(extent) = self.extents.get_mut(i + 1)
            {
                *extent = rest;
            }
        }
        self.batch = PaletteBatch::new(&self.rig);
        self.frames = FrameCache::find(clip_set);
        self.hearing.extend_clips(clip_set);
        if self.replaced < clip_set.replaced().len() {
            renew_clips(self, clip_set);
        }
        self.looks.stale = true;
        self.forget_baked();
        self.bounds = None;
    }

    /// Takes over clips that were replaced. They, and the clips after them, are measured again.
    fn renew_clips(&mut self, clip_set: &ClipSet) {
        for &clip in &clip_set.replaced()[self.replaced..] {
            self.hearing.renew_clip(clip_set, clip);
            self.extents.truncate(clip.index() + 1);
        }
        self.replaced = clip_set.replaced().len();
    }
}
