//! Looking into a stage: debug views, and what frames cost.

use super::Stage;
use crate::render::{Cost, LiveObjects};
use crate::viewer::cast::DebugViews;

/// What a stage costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stats {
    /// How many frames have been drawn so far.
    pub frames: u64,
    /// What the last one asked of GL, with all that was uploaded since the one before.
    pub cost: Cost,
    /// The bytes of its matrices, which are among the uploaded ones.
    pub palette_bytes: usize,
    /// How many actors it has, those of crowds among them.
    pub actors: usize,
    /// How many joints and other nodes they have.
    pub joints: usize,
    /// The GL objects that there are now in the context.
    pub live: LiveObjects,
    /// Seconds of the page's clock that hitches have left out; see [`Stage::set_max_step`].
    pub skipped: f64,
}

/// What came of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticked {
    /// Whether anything changed, so that a frame is to be drawn.
    pub draws: bool,
    /// Whether there will be something to draw next time.
    pub goes_on: bool,
}

impl Stage {
    /// Shows what is asked for of the inner life, from the next tick on.
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

    /// What frames cost.
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
