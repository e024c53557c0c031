//! Previews: frames of a stage that draws for another one, while that one sends none. They do not change its state.

use super::Stage;
use super::framing::Framed;
use super::pace::Pace;
use super::stats::TickResult;
use crate::viewer::camera::Camera;
use crate::viewer::cast::Cast;

/// The state of a stage before its previews.
#[derive(Debug)]
pub(super) struct Before {
    cast: Cast,
    camera: Camera,
    framed: Option<Framed>,
    glided: bool,
    stale: bool,
    pace: Pace,
}

impl Stage {
    /// Advances as [`Stage::advance`] does, until [`Stage::end_preview`].
    pub fn preview(&mut self, now: f64) -> TickResult {
        if self.before.is_none() {
            self.before = Some(Box::new(Before {
                cast: self.cast.clone(),
                camera: self.camera,
                framed: self.framed.clone(),
                glided: self.glided,
                stale: self.stale,
                pace: self.pace,
            }));
        }
        self.advance(now)
    }

    /// Restores the state before the first [`Stage::preview`]. Returns `false` if there was none.
    pub fn end_preview(&mut self) -> bool {
        let Some(before) = self.before.take() else { return false };
        let Before { cast, camera, framed, glided, stale, pace } = *before;
        self.cast = cast;
        (self.camera, self.framed, self.glided, self.stale, self.pace) =
            (camera, framed, glided, stale, pace);
        self.crowds_posed = false;
        true
    }
}
