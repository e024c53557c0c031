//! Stills: pictures that do not change the state of the stage.

use super::Stage;
use crate::render::RenderError;
use crate::viewer::cast::{ActorId, show_cells};

/// The differences between a still and the current frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Still {
    /// The size in pixels.
    pub size: (u32, u32),
    /// The actor whose base is set to a time, as by a seek.
    pub at: Option<(ActorId, f64)>,
    /// The background colour, as in [`Stage::set_background`].
    pub background: Option<[f32; 4]>,
}

impl Stage {
    /// Draws a still, and waits for all its resources. Then restores the state: there are no events, and the frame
    /// is not counted.
    ///
    /// With [`Still::at`], the flip-books of all actors show the cell of that time. The automatic camera frames the clips of the still, for the size of the still. A still of another size than the
    /// canvas has no padding. Earlier clips and a glide in
    /// progress have no effect.
    ///
    /// # Errors
    /// Those of [`Renderer::render`](crate::render::Renderer::render).
    pub fn draw_still(&mut self, still: &Still) -> Result<(), RenderError> {
        let cast = self.cast.clone();
        let (camera, size, background, stale) = (self.camera, self.size, self.background, self.stale);
        let (padding, frames, cost) = (self.padding, self.frames, self.cost);

        self.resize(still.size.0, still.size.1, self.pixel_ratio);
        if still.size != size {
            self.set_padding([0.0; 4]);
        }
        self.background = still.background;
        if let Some((actor, time)) = still.at
            && let Ok(mut base) = self.cast.track_mut(actor, None)
        {
            base.seek(time);
            if self.cast.has_sprites() {
                show_cells(&mut self.cast, time);
            }
        }
        if let Some(camera) = self.still_camera() {
            self.camera = camera;
        }
        let drawn = self.draw_frame(false);

        self.cast = cast;
        (self.camera, self.size, self.background, self.stale) = (camera, size, background, stale);
        (self.padding, self.frames, self.cost) = (padding, frames, cost);
        drawn.map(|_| ())
    }
}
