//! Pictures beside those that are seen.

use super::Stage;
use crate::render::RenderError;
use crate::viewer::cast::ActorId;

/// In what a still is unlike the frame that would be drawn now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Still {
    /// In pixels.
    pub size: (u32, u32),
    /// Whose base is at which time, as by a seek.
    pub at: Option<(ActorId, f64)>,
    /// What is behind the actors, as [`Stage::set_background`] takes it.
    pub background: Option<[f32; 4]>,
}

impl Stage {
    /// Draws a still, waiting for all that it needs. Afterwards all is as it was: nobody has moved, there are no events of it, and
    /// it counts as no frame. An automatic camera frames the clips that the still shows, for the size of the still: the clips that were
    /// played before, and a glide under way, do not matter.
    ///
    /// # Errors
    /// Those of [`Renderer::render`](crate::render::Renderer::render).
    pub fn draw_still(&mut self, still: &Still) -> Result<(), RenderError> {
        let cast = self.cast.clone();
        let (camera, size, background, stale) = (self.camera, self.size, self.background, self.stale);
        let (frames, cost) = (self.frames, self.cost);

        self.resize(still.size.0, still.size.1, self.pixel_ratio);
        self.background = still.background;
        if let Some((actor, time)) = still.at
            && let Ok(mut base) = self.cast.track_mut(actor, None)
        {
            base.seek(time);
        }
        if let Some(camera) = self.still_camera() {
            self.camera = camera;
        }
        let drawn = self.draw_frame(false);

        self.cast = cast;
        (self.camera, self.size, self.background, self.stale) = (camera, size, background, stale);
        (self.frames, self.cost) = (frames, cost);
        drawn.map(|_| ())
    }
}
