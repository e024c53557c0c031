//! Events of players, as numbers.

use super::super::numbered::{number, number_of};
use super::transport::BASE;
use crate::animation::{Event, EventKind};
use crate::model::ClipId;
use crate::viewer::ActorId;

/// What happened.
#[derive(PartialEq)]
enum Kind {
    Play,
    Pause,
    Seeking,
    Seeked,
    TimeUpdate,
    Marker,
    Loop,
    Finished,
    ClipChange,
    RateChange,
}

/// The numbers of what happened, as in `core.ts`.
const STAGE_EVENTS: [Kind; 10] = [
    Kind::Play,
    Kind::Pause,
    Kind::Seeking,
    Kind::Seeked,
    Kind::TimeUpdate,
    Kind::Marker,
    Kind::Loop,
    Kind::Finished,
    Kind::ClipChange,
    Kind::RateChange,
];

/// Appends an event: actor, track, playback, what happened, its time, how many were left out before it, and two numbers more: how
/// many passes are complete; the clips from and to, −1 for none; or how many units the name of a marker has, in UTF-16, which
/// follow.
pub(super) fn push_event(numbers: &mut Vec<f64>, actor: ActorId, event: &Event) {
    let index = |clip: Option<ClipId>| number_of(clip.map(ClipId::index));
    let mut name = "";
    let (kind, a, b) = match &event.kind {
        EventKind::Play => (Kind::Play, 0.0, 0.0),
        EventKind::Pause => (Kind::Pause, 0.0, 0.0),
        EventKind::Seeking => (Kind::Seeking, 0.0, 0.0),
        EventKind::Seeked => (Kind::Seeked, 0.0, 0.0),
        EventKind::TimeUpdate => (Kind::TimeUpdate, 0.0, 0.0),
        EventKind::Marker { name: of } => {
            name = of;
            (Kind::Marker, of.encode_utf16().count() as f64, 0.0)
        }
        EventKind::Loop { iteration } => (Kind::Loop, *iteration as f64, 0.0),
        EventKind::Finished => (Kind::Finished, 0.0, 0.0),
        EventKind::ClipChange { from, to } => (Kind::ClipChange, index(*from), index(*to)),
        EventKind::RateChange => (Kind::RateChange, 0.0, 0.0),
    };
    numbers.extend_from_slice(&[
        f64::from(actor.number()),
        f64::from(event.layer.unwrap_or(BASE)),
        event.playback as f64,
        number(&STAGE_EVENTS, &kind),
        event.time,
        event.skipped as f64,
        a,
        b,
    ]);
    numbers.extend(name.encode_utf16().map(f64::from));
}
