//! Diagnostics of a stage: debug views and statistics.

use super::Stage;
use crate::render::{Cost, LiveObjects};
use crate::viewer::cast::DebugViews;

/// The statistics of a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stats {
    /// The number of frames drawn so far.
    pub frames: u64,
    /// The GL calls of the last frame, including uploads since the previous frame.
    pub cost: Cost,
    /// The size of the actors' matrices in bytes, which is included in the uploads.
    pub palette_bytes: usize,
    /// The number of actors, including members of crowds.
    pub actors: usize,
    /// The number of their nodes, including joints.
    pub joints: usize,
    /// The live GL objects of the context.
    pub live: LiveObjects,
    /// The time of the page's clock skipped by hitches, in seconds; see [`Stage::set_max_step`].
    pub skipped: f64,
}

/// The result of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TickResult {
    /// `true` if anything changed, so that a frame must be drawn.
    pub draws: bool,
    /// `true` if another tick is needed.
    pub continues: bool,
}

impl Stage {
    /// Sets the debug views, from the next tick on.
    pub fn set_debug(&mut self, views: DebugViews) {
        self.cast.set_bind_pose(views.bind_pose);
        if !views.need_gpu() {
            let renderer = &mut self.context.borrow_mut().renderer;
            self.models.handles().for_each(|handle| renderer.end_debug(handle));
        }
        self.debug.prepared = false;
        self.debug.views = views;
        self.stale = true;
    }

    /// The statistics of the stage.
    pub fn stats(&self) -> Stats {
        let members = self.cast.members();
        let (more_actors, more_joints) =
            if self.cast.has_crowds() { self.cast.count_crowds() } else { (0, 0) };
        Stats {
            skipped: self.pace.skipped(),
            frames: self.frames,
            cost: self.cost,
            palette_bytes: size_of_val(self.lists.palette.as_slice()),
            actors: members.len() + more_actors,
            joints: members.iter().map(|member| member.asset.model.nodes.len()).sum::<usize>() + more_joints,
            live: self.context.borrow().renderer.live_objects(),
        }
    }
}
