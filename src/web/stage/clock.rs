//! The timeline of a stage, which all actors play on, and its clock.

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

    /// Gives the present time of the timeline another name, in seconds; nothing moves.
    #[wasm_bindgen(js_name = setClock)]
    pub fn set_clock(&self, seconds: f64) {
        self.shared.stage_mut().set_clock(seconds);
    }

    /// Sets whether ticks leave the timeline where it is.
    #[wasm_bindgen(js_name = setManual)]
    pub fn set_manual(&self, manual: bool) {
        self.shared.stage_mut().set_manual(manual);
    }

    /// Sets whether a tick advances by as much as the page's clock did, however much that is. Otherwise it is 0.1 s at most.
    #[wasm_bindgen(js_name = setCatchingUp)]
    pub fn set_catching_up(&self, catching_up: bool) {
        self.shared.stage_mut().set_max_step(if catching_up { f64::INFINITY } else { MAX_STEP });
    }

    /// Lets the next tick advance by 0.
    #[wasm_bindgen(js_name = resetClock)]
    pub fn reset_clock(&self) {
        self.shared.stage_mut().reset_clock();
    }

    /// Sets what each actor plays to a fraction of its segment, `0..=1`.
    pub fn scrub(&self, fraction: f64) {
        self.shared.stage_mut().scrub(fraction);
    }
}
