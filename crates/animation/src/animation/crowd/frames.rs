//! Members of crowds whose model is a morph cache.

use super::Crowd;
use super::frame_cache::FrameCache;
use crate::model::SIDE_BY_SIDE;

impl Crowd {
    /// The cache, unless members look at something, or have weights that were set.
    pub(super) fn frame_cache(&self) -> Option<&FrameCache> {
        self.frames.as_ref().filter(|_| self.morphs.is_empty() && self.looks.is_empty())
    }

    /// The active morph targets of visible members, in place of [`Crowd::weights`]: for each member equally many, four numbers
    /// each (target, weight, 0, 0). Empty if the model is no cache of frames.
    pub fn active_targets(&self) -> &[f32] {
        &self.active_targets
    }

    /// The largest number of active morph targets of a member.
    pub fn most_targets(&self) -> usize {
        if self.frame_cache().is_some() { 4 } else { self.weight_count() }
    }

    /// Writes palettes and active targets of all visible members. Returns `false` if the model is no cache of frames.
    pub(super) fn show_frames(&mut self, clock: f64) -> bool {
        let mut list = std::mem::take(&mut self.active_targets);
        list.clear();
        let shown = self.frame_cache().is_some();
        if let Some(cache) = self.frame_cache() {
            let fades = self.visible().any(|member| self.fading(member, clock).is_some());
            for member in self.visible() {
                let begin = list.len();
                let (clip, time) = (self.playing[member].clip, self.time(member, clock));
                cache.push(&self.rig, (clip, time), self.fading(member, clock), &mut list);
                list.resize(begin + if fades { 16 } else { 8 }, 0.0);
            }
        }
        self.active_targets = list;
        shown
    }

    /// Writes the palette of a visible member of a cache.
    pub(super) fn place_frames(&mut self, at: usize, member: usize) {
        let begin = self.begin(at);
        let Self { frames: Some(cache), palettes, places, .. } = self else { return };
        for (i, matrix) in cache.palette.iter().enumerate() {
            palettes[begin + i * SIDE_BY_SIDE] = places[member].mul(matrix);
        }
    }
}
