//! Crowds, which go by numbers like actors: each call says by another number what is meant.

use super::super::numbered::{numbered, word};
use super::Stage;
use super::questions::corners;
use super::transport::LOOP_MODES;
use crate::animation::{MemberPart, UpdateRate};
use crate::viewer::{ActorId, StageError};
use wasm_bindgen::prelude::*;

/// The numbers of how small members are posed, as in `crowd.ts`.
const UPDATE_RATES: [UpdateRate; 2] = [UpdateRate::Auto, UpdateRate::Full];

numbered! {
    /// What can be done to a crowd, or asked about it.
    enum CrowdCall {
        /// Makes an actor a crowd without members, which has its number.
        Make,
        /// Takes one step of what the crowd needs before it is drawn: 1 if all is there, else 0.
        Prepare,
        /// Sets how many members there are, `first`.
        Count,
        /// Sets where members stand: X, Y, Z of each. Like those below from member `first` on.
        Positions,
        /// How they are turned: X, Y, Z, W.
        Rotations,
        /// Their sizes.
        Scales,
        /// The indices of their clips, at whose beginning they are.
        Clips,
        /// Where they are in their clips, in seconds.
        Times,
        /// The times of the timeline at which their clips begin, or have begun.
        Starts,
        /// Clip seconds per second.
        Rates,
        /// What their base colour is multiplied by: red, green, blue, alpha, linear.
        Tints,
        /// Sets what happens at the ends of clips, `first` of `LOOP_MODES`.
        LoopMode,
        /// Sets how many seconds a member takes from one clip to another, `first`.
        Transition,
        /// Sets how small members are posed, `first` of `UPDATE_RATES`.
        UpdateRate,
        /// Has members shown by poses that were made ahead, if `first` is not 0.
        Baked,
        /// Has everybody stand still, if `first` is not 0, or go on.
        Paused,
        /// Where all members are in their clips now, in seconds.
        TimesNow,
        /// How many members were in the last picture, and how many poses were computed for it.
        Seen,
        /// The box around everybody at all times: its least corner and its greatest; nothing if there is nobody.
        Bounds,
    }
}

#[wasm_bindgen]
impl Stage {
    /// Makes a [`CrowdCall`] with the numbers that it needs, and returns those that it answers.
    pub fn crowd(&mut self, id: u32, which: u32, first: f64, numbers: &[f64]) -> Result<Vec<f64>, JsValue> {
        Ok(self.call_crowd(ActorId::new(id), which, first, numbers)?)
    }
}

impl Stage {
    fn call_crowd(
        &mut self,
        id: ActorId,
        which: u32,
        first: f64,
        numbers: &[f64],
    ) -> Result<Vec<f64>, StageError> {
        let Some(which) = CrowdCall::of(which) else { return Ok(Vec::new()) };
        let now = self.stage.cast().now();
        let part = match which {
            CrowdCall::Make => {
                self.stage.make_crowd(id)?;
                return Ok(Vec::new());
            }
            CrowdCall::Prepare => {
                return Ok(vec![f64::from(u8::from(self.stage.prepare_crowd(id)?))]);
            }
            CrowdCall::Count => {
                self.stage.resize_crowd(id, first as usize)?;
                return Ok(Vec::new());
            }
            CrowdCall::TimesNow => return Ok(self.stage.cast().crowd(id)?.crowd.times(now).collect()),
            CrowdCall::Seen => {
                let crowd = &self.stage.cast().crowd(id)?.crowd;
                return Ok(vec![crowd.visible_len() as f64, crowd.sampled_len() as f64]);
            }
            CrowdCall::Bounds => {
                let bounds = self.stage.crowd_bounds(id)?;
                return Ok(bounds.map_or_else(Vec::new, |bounds| corners(bounds.min, bounds.max)));
            }
            CrowdCall::LoopMode => {
                let mode = word(&LOOP_MODES, first).unwrap_or_default();
                self.stage.crowd_mut(id)?.set_loop_mode(mode, now);
                return Ok(Vec::new());
            }
            CrowdCall::Transition => {
                self.stage.crowd_mut(id)?.set_transition(first);
                return Ok(Vec::new());
            }
            CrowdCall::UpdateRate => {
                let rate = word(&UPDATE_RATES, first).unwrap_or_default();
                self.stage.crowd_mut(id)?.set_update_rate(rate);
                return Ok(Vec::new());
            }
            CrowdCall::Baked => {
                self.stage.crowd_mut(id)?.set_baked(first != 0.0);
                return Ok(Vec::new());
            }
            CrowdCall::Paused => {
                self.stage.crowd_mut(id)?.set_paused(first != 0.0, now);
                return Ok(Vec::new());
            }
            CrowdCall::Positions => MemberPart::Position,
            CrowdCall::Rotations => MemberPart::Rotation,
            CrowdCall::Scales => MemberPart::Scale,
            CrowdCall::Clips => MemberPart::Clip,
            CrowdCall::Times => MemberPart::Time,
            CrowdCall::Starts => MemberPart::Start,
            CrowdCall::Rates => MemberPart::Rate,
            CrowdCall::Tints => MemberPart::Tint,
        };
        self.stage.crowd_mut(id)?.set(part, first as usize, numbers, now)?;
        Ok(Vec::new())
    }
}
