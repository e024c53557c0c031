//! The timeline of a stage, shared by all actors, and its clock.

use super::Stage;
use crate::animation::MAX_STEP;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Stage {
    /// Sets the timeline to any number of seconds, forwards or backwards.
    #[wasm_bindgen(js_name = setTime)]
    pub fn set_time(&self, seconds: f64) {
        self.shared.stage_mut().set_time(seconds);
    }

    /// Moves the timeline by a number of seconds. Returns `true` if there are events to take.
    pub fn elapse(&self, seconds: f64) -> bool {
        let mut stage = self.shared.stage_mut();
        let now = stage.cast().now();
        stage.set_time(now + seconds);
        stage.has_events()
    }

    /// Relabels the timeline's current time, in seconds; the playheads do not move.
    #[wasm_bindgen(js_name = setClock)]
    pub fn set_clock(&self, seconds: f64) {
        self.shared.stage_mut().set_clock(seconds);
    }

    /// Sets whether the timeline is manual: ticks do not advance it.
    #[wasm_bindgen(js_name = setManual)]
    pub fn set_manual(&self, manual: bool) {
        self.shared.stage_mut().set_manual(manual);
    }

    /// Sets the time step of ticks: `true` for the full step of the page's clock, `false` for at most 0.1 s.
    #[wasm_bindgen(js_name = setCatchingUp)]
    pub fn set_catching_up(&self, catching_up: bool) {
        self.shared.stage_mut().set_max_step(if catching_up { f64::INFINITY } else { MAX_STEP });
    }

    /// Makes the next tick advance the timeline by 0.
    #[wasm_bindgen(js_name = resetClock)]
    pub fn reset_clock(&self) {
        self.shared.stage_mut().reset_clock();
    }

    /// Sets the base of each actor, and each crowd, to a fraction of its segment, `0..=1`.
    pub fn scrub(&self, fraction: f64) {
        self.shared.stage_mut().scrub(fraction);
    }
}
