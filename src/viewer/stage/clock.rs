//! What moves a stage.

use super::Stage;
use super::stats::Ticked;
#[cfg(doc)]
use crate::animation::MAX_STEP;
use crate::render::RenderError;
#[cfg(doc)]
use crate::render::Renderer;
#[cfg(doc)]
use crate::viewer::cast::Cast;

impl Stage {
    /// Whether only [`Stage::set_time`] moves the timeline, not the page's clock.
    pub fn set_manual(&mut self, manual: bool) {
        self.manual = manual;
        self.pace.rest();
    }

    /// Sets the timeline to `now` seconds; see [`Cast::set_time`].
    pub fn set_time(&mut self, now: f64) {
        // Clips that were started before begin to be framed before time moves.
        self.follow_clips();
        self.move_time(now);
    }

    fn move_time(&mut self, now: f64) {
        self.stale |= now != self.cast.now() && (self.cast.is_moving() || self.glides());
        self.cast.set_time(now);
        self.glide();
    }

    /// Gives the timeline's present time another name; see [`Cast::set_clock`].
    pub fn set_clock(&mut self, now: f64) {
        let before = self.cast.now();
        self.cast.set_clock(now);
        self.shift_glide(self.cast.now() - before);
    }

    /// Sets what everybody plays to a fraction of its segment; see [`Cast::scrub`].
    pub fn scrub(&mut self, fraction: f64) {
        self.follow_clips();
        self.stale |= self.cast.scrub(fraction);
        // The timeline does not move, so nothing else would.
        self.end_glide();
    }

    /// The longest step of one tick after smooth ones, in seconds; [`MAX_STEP`] unless set.
    ///
    /// A longer step is a hitch, of which so much counts. One that follows within a second after another is not limited: a page
    /// that is slow all the time advances by the time that passes.
    pub fn set_max_step(&mut self, seconds: f64) {
        self.pace.limit(seconds);
    }

    /// Forgets the time of the last tick: the next one advances by 0. For pages that were hidden. (A page that catches up
    /// adds the time that has passed by [`Stage::set_time`].)
    pub fn reset_clock(&mut self) {
        self.pace.rest();
    }

    /// Advances the timeline to `now` seconds of the page's clock and draws if anything changed.
    ///
    /// Of a hitch 100 ms count, unless [`Stage::set_max_step`] says otherwise. Returns whether there will be something to draw next time.
    ///
    /// # Errors
    /// Those of [`Renderer::render`].
    pub fn tick(&mut self, now: f64) -> Result<bool, RenderError> {
        let Ticked { draws, goes_on } = self.advance(now);
        let complete = !draws || self.draw(true)?;
        Ok(goes_on || !complete)
    }

    /// Does of [`Stage::tick`] all but drawing.
    pub fn advance(&mut self, now: f64) -> Ticked {
        self.crowds_posed = false;
        self.step(now, true)
    }

    fn step(&mut self, now: f64, poses: bool) -> Ticked {
        let dt = self.pace.step(now);
        self.follow_clips();
        let moving = self.moves();
        if dt > 0.0 && !self.manual {
            self.move_time(self.cast.now() + dt);
        }
        self.note_framed_seen();
        let draws = moving || self.stale;
        if draws && poses {
            self.cast.pose();
        }
        let moves_on = self.moves();
        // Without a frame in flight the next one starts from nothing, not from when the last one was.
        if moves_on {
            self.pace.go_on(now)
        } else {
            self.pace.rest()
        }
        Ticked { draws, goes_on: moves_on }
    }

    /// `true` if the page's clock moves anything: actors, or the camera.
    fn moves(&self) -> bool {
        !self.manual && (self.cast.is_moving() || self.glides())
    }

    /// From now on another stage draws what this one plays: nothing of it goes to the GPU. It is to be moved by [`Stage::pass`].
    pub fn set_apart(&mut self) {
        self.apart = true;
    }

    /// Does of [`Stage::tick`] what the state depends on, as if the picture had been drawn: for a stage that is apart, and for a
    /// picture that is left out in the one that draws for it. Nobody is posed but where the pose is the beginning of something.
    pub fn pass(&mut self, now: f64) -> Ticked {
        let poses = self.stale || self.cast.members().iter().any(|member| member.actor.travels());
        let ticked = self.step(now, poses);
        if ticked.draws {
            self.cast.presented();
            self.stale = !self.apart;
        }
        ticked
    }
}
