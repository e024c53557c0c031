//! The clock of a stage.

use super::Stage;
use super::stats::TickResult;
#[cfg(doc)]
use crate::animation::MAX_STEP;
use crate::render::RenderError;
#[cfg(doc)]
use crate::render::Renderer;
#[cfg(doc)]
use crate::viewer::cast::Cast;

impl Stage {
    /// Stops the page's clock from moving the timeline if `manual`; then only [`Stage::set_time`] moves it.
    pub fn set_manual(&mut self, manual: bool) {
        self.manual = manual;
        self.pace.reset();
    }

    /// Sets the timeline to `now` seconds; see [`Cast::set_time`].
    pub fn set_time(&mut self, now: f64) {
        // The camera starts to frame newly started clips before time moves.
        self.follow_clips();
        self.move_time(now);
    }

    fn move_time(&mut self, now: f64) {
        self.stale |= now != self.cast.now() && (self.cast.is_moving() || self.glides());
        self.cast.set_time(now);
        self.glide();
    }

    /// Rebases the timeline without moving anything; see [`Cast::set_clock`].
    pub fn set_clock(&mut self, now: f64) {
        let before = self.cast.now();
        self.cast.set_clock(now);
        self.shift_glide(self.cast.now() - before);
    }

    /// Sets each actor and crowd to a fraction of its segment; see [`Cast::scrub`].
    pub fn scrub(&mut self, fraction: f64) {
        self.follow_clips();
        self.stale |= self.cast.scrub(fraction);
        // The timeline does not move, so it would not complete the glide.
        self.end_glide();
    }

    /// Sets the maximum step of one tick, in seconds; [`MAX_STEP`] unless set.
    ///
    /// A longer step is a hitch and counts as the maximum. A further long step within a second is not limited, so that a
    /// page with a low frame rate advances in real time.
    pub fn set_max_step(&mut self, seconds: f64) {
        self.pace.limit(seconds);
    }

    /// Discards the time of the last tick, so that the next tick advances by 0. For pages that were hidden. (To catch up,
    /// a page adds the elapsed time with [`Stage::set_time`].)
    pub fn reset_clock(&mut self) {
        self.pace.reset();
    }

    /// Advances the timeline to `now` seconds of the page's clock and draws if anything changed.
    ///
    /// A hitch counts as 100 ms, unless [`Stage::set_max_step`] changes this. Returns `true` if another tick is needed.
    ///
    /// # Errors
    /// Those of [`Renderer::render`].
    pub fn tick(&mut self, now: f64) -> Result<bool, RenderError> {
        let TickResult { draws, continues } = self.advance(now);
        let complete = !draws || self.draw(true)?;
        Ok(continues || !complete)
    }

    /// Does everything that [`Stage::tick`] does except drawing.
    pub fn advance(&mut self, now: f64) -> TickResult {
        self.crowds_posed = false;
        self.step(now, true)
    }

    fn step(&mut self, now: f64, poses: bool) -> TickResult {
        let dt = self.pace.step(now);
        self.follow_clips();
        let moving = self.moves();
        if dt > 0.0 && !self.manual {
            self.move_time(self.cast.now() + dt);
        }
        self.record_shown_frame();
        let draws = moving || self.stale;
        // One stage may draw more often than the one that it draws for.
        if draws && poses || self.cast.has_memory() {
            self.cast.pose_frame();
        }
        let moves_on = self.moves();
        // The next tick starts with a step of 0, as no frame follows this one.
        if moves_on {
            self.pace.record_frame(now)
        } else {
            self.pace.reset()
        }
        TickResult { draws, continues: moves_on }
    }

    /// `true` if the page's clock moves actors or the camera.
    fn moves(&self) -> bool {
        !self.manual && (self.cast.is_moving() || self.glides())
    }

    /// Marks this stage as drawn by another stage, so that it uses no GPU resources. Advance it with [`Stage::pass`].
    pub fn set_drawn_elsewhere(&mut self) {
        self.drawn_elsewhere = true;
    }

    /// Advances as [`Stage::tick`] does, as if the picture had been drawn. For a stage after [`Stage::set_drawn_elsewhere`], and for
    /// pictures that the drawing stage skips. Poses are computed only if later state depends on them.
    pub fn pass(&mut self, now: f64) -> TickResult {
        let ticked = self.step(now, self.stale);
        if ticked.draws {
            self.cast.presented();
            self.stale = !self.drawn_elsewhere;
        }
        ticked
    }
}
