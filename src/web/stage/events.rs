//! Events of players, as objects.

use super::super::convert::{object, set};
use super::transport::BASE;
use crate::animation::{Event, EventKind};
use crate::model::ClipId;
use crate::viewer::ActorId;
use wasm_bindgen::JsValue;

pub(super) fn event_object(actor: ActorId, event: &Event) -> JsValue {
    let kind = match &event.kind {
        EventKind::Play => "play",
        EventKind::Pause => "pause",
        EventKind::Seeking => "seeking",
        EventKind::Seeked => "seeked",
        EventKind::TimeUpdate => "timeupdate",
        EventKind::Marker { .. } => "marker",
        EventKind::Loop { .. } => "loop",
        EventKind::Finished => "finished",
        EventKind::ClipChange { .. } => "clipchange",
        EventKind::RateChange => "ratechange",
    };
    let object = object([
        ("actor", actor.number().into()),
        ("track", event.layer.unwrap_or(BASE).into()),
        ("playback", (event.playback as f64).into()),
        ("type", kind.into()),
        ("time", event.time.into()),
    ]);
    let index = |clip: Option<ClipId>| clip.map_or(-1, |clip| clip.index() as i32);
    match &event.kind {
        EventKind::Marker { name } => set(&object, "name", &**name),
        EventKind::Loop { iteration } => set(&object, "iteration", *iteration as f64),
        EventKind::ClipChange { from, to } => {
            set(&object, "from", index(*from));
            set(&object, "to", index(*to));
        }
        _ => {}
    }
    if event.skipped > 0 {
        set(&object, "skipped", event.skipped as f64);
    }
    object
}
