//! The events of a stage.

use super::Stage;
use super::shared::{BASE, Shared};
use crate::animation::{Event, EventKind};
use crate::viewer::ActorId;
use crate::web::words::StageEventType;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Takes events from the queue of a stage, oldest first for each actor. [`Events::next`] takes one; the
/// getters return its data until the next call.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Events {
    shared: Rc<Shared>,
    taken: VecDeque<(ActorId, Event)>,
}

#[wasm_bindgen]
impl Events {
    /// The events of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Events {
        Self { shared: Rc::clone(&stage.shared), taken: VecDeque::new() }
    }

    /// Takes the next event; returns `false` if there is none.
    pub fn next(&mut self) -> bool {
        self.taken.pop_front();
        if self.taken.is_empty() {
            let taken = &mut self.taken;
            self.shared.stage_mut().drain_events(|actor, event| taken.push_back((actor, event)));
        }
        !self.taken.is_empty()
    }

    /// Returns `true` if the automatic camera has moved for a larger clip since the last call.
    #[wasm_bindgen(js_name = cameraGlided)]
    pub fn camera_glided(&self) -> bool {
        self.shared.stage_mut().take_glided()
    }

    /// The kind of the event.
    #[wasm_bindgen(getter, js_name = type)]
    pub fn kind(&self) -> StageEventType {
        self.event().map_or(StageEventType::TimeUpdate, |event| (&event.kind).into())
    }

    /// The number of the actor.
    #[wasm_bindgen(getter)]
    pub fn actor(&self) -> u32 {
        self.taken.front().map_or(0, |(actor, _)| actor.number())
    }

    /// The track of the event.
    #[wasm_bindgen(getter)]
    pub fn track(&self) -> u32 {
        self.event().and_then(|event| event.layer).unwrap_or(BASE)
    }

    /// The number of its playback, which changes each time that playing starts.
    #[wasm_bindgen(getter)]
    pub fn playback(&self) -> f64 {
        self.event().map_or(0.0, |event| event.playback as f64)
    }

    /// The exact clip time of the event, in seconds.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        self.event().map_or(0.0, |event| event.time)
    }

    /// The number of events that were dropped before this one, after a long gap.
    #[wasm_bindgen(getter)]
    pub fn skipped(&self) -> f64 {
        self.event().map_or(0.0, |event| event.skipped as f64)
    }

    /// The number of complete passes of a `loop`; 0 for other events.
    #[wasm_bindgen(getter)]
    pub fn iteration(&self) -> f64 {
        match self.event() {
            Some(Event { kind: EventKind::Loop { iteration }, .. }) => *iteration as f64,
            _ => 0.0,
        }
    }

    /// The index of the clip before a `clipchange`, or of the state that was left.
    #[wasm_bindgen(getter)]
    pub fn from(&self) -> Option<u32> {
        match self.event()?.kind {
            EventKind::ClipChange { from, .. } => from.map(|clip| clip.index() as u32),
            EventKind::State { left, .. } => left,
            _ => None,
        }
    }

    /// The index of the clip after a `clipchange`, or of the state that was entered.
    #[wasm_bindgen(getter)]
    pub fn to(&self) -> Option<u32> {
        match self.event()?.kind {
            EventKind::ClipChange { to, .. } => to.map(|clip| clip.index() as u32),
            EventKind::State { entered, .. } => entered,
            _ => None,
        }
    }

    /// The name of a `marker`.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> Option<String> {
        match &self.event()?.kind {
            EventKind::Marker { name } => Some(String::from(&**name)),
            _ => None,
        }
    }
}

impl Events {
    fn event(&self) -> Option<&Event> {
        self.taken.front().map(|(_, event)| event)
    }
}
