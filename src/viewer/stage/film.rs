//! Films: copies of a stage, for recordings.

use super::Stage;
use std::rc::Rc;

impl Stage {
    /// A copy of the stage in the same context: cast, timeline, camera, light and debug views, without pending events.
    ///
    /// A change of one has no effect on the other, and both share their models on the GPU. So a recording sets the time of
    /// the copy and draws its stills, while the stage goes on.
    #[must_use]
    pub fn film(&self) -> Self {
        let mut film = Self::new(Rc::clone(&self.context));
        film.models = self.models.clone();
        film.cast = self.cast.clone();
        film.cast.drain_events(|_, _| {});
        (film.camera, film.view_camera) = (self.camera, self.view_camera);
        (film.framing, film.framed, film.glides) = (self.framing, self.framed.clone(), self.glides);
        (film.size, film.pixel_ratio, film.padding) = (self.size, self.pixel_ratio, self.padding);
        film.background = self.background;
        film.light = self.light.clone();
        film.own = self.pictures_for_film();
        film.debug.views = self.debug.views.clone();
        (film.cpu_skinning, film.drawn_elsewhere, film.manual) =
            (self.cpu_skinning, self.drawn_elsewhere, true);
        film
    }
}
