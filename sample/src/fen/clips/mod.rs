//! Fen's clips: functions from time to controls.

mod bow;
mod count;
mod dance;
mod gaits;
mod idle;
mod talk;
mod wave;

use super::face::{F, Face, TARGETS, face};
use super::rig::{Controls, rig};
use crate::motion::{self, Track};
use glam::DVec3;

type Clip = motion::Clip<Controls, { TARGETS.len() }>;

/// The values that most clips share.
const BASE: Clip = Clip {
    name: "",
    duration: 0.0,
    steps: 0,
    pose: idle::pose,
    face: &[],
    speed: 0.0,
    markers: &[],
    wind: DVec3::ZERO,
    once: false,
    turn: 0.0,
};

/// The face at both ends of a one-shot clip: that of the idle clip.
const CALM: Face = face(&[(F::SmileLeft, 0.15), (F::SmileRight, 0.15)]);

/// A broad smile.
const SMILE: Face = face(&[
    (F::SmileLeft, 0.9),
    (F::SmileRight, 0.9),
    (F::SquintLeft, 0.35),
    (F::SquintRight, 0.35),
    (F::BrowOuterUpLeft, 0.4),
    (F::BrowOuterUpRight, 0.4),
]);

/// A broad smile with closed eyes.
const BLISS: Face = face(&[
    (F::BlinkLeft, 1.0),
    (F::BlinkRight, 1.0),
    (F::SmileLeft, 0.9),
    (F::SmileRight, 0.9),
    (F::BrowOuterUpLeft, 0.3),
    (F::BrowOuterUpRight, 0.3),
]);

/// A laugh.
const LAUGH: Face = face(&[
    (F::JawOpen, 0.7),
    (F::SmileLeft, 1.0),
    (F::SmileRight, 1.0),
    (F::SquintLeft, 0.5),
    (F::SquintRight, 0.5),
    (F::BrowInnerUp, 0.4),
    (F::BrowOuterUpLeft, 0.5),
    (F::BrowOuterUpRight, 0.5),
]);

/// The idle face with closed eyes.
const BLINK: Face =
    face(&[(F::BlinkLeft, 1.0), (F::BlinkRight, 1.0), (F::SmileLeft, 0.15), (F::SmileRight, 0.15)]);

/// The pose at both ends of a one-shot clip.
fn stand() -> Controls {
    idle::pose(0.0)
}

/// Samples all clips.
pub(crate) fn tracks() -> Vec<Track> {
    rig().tracks(&[
        idle::CLIP,
        gaits::WALK,
        gaits::RUN,
        wave::CLIP,
        bow::CLIP,
        talk::CLIP,
        dance::CLIP,
        count::CLIP,
    ])
}
