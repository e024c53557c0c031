//! Pip's clips: functions from time to controls.

mod dance;
mod greet;
mod idle;
mod jump;
mod petted;
mod run;
mod seated;
mod sneeze;
mod surprise;
mod turn;
mod walk;
mod wave;

use super::face::TARGETS;
use super::rig::{Controls, RIG};
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

/// The morph weights at both ends of a one-shot clip: those of the idle clip.
const CALM: [f64; TARGETS.len()] = [0.0, 0.15, 0.0];

/// The pose at both ends of a one-shot clip.
fn stand() -> Controls {
    idle::pose(0.0)
}

/// Samples all clips.
pub(crate) fn tracks() -> Vec<Track> {
    RIG.tracks(&[
        idle::CLIP,
        walk::CLIP,
        run::CLIP,
        jump::CLIP,
        wave::CLIP,
        dance::CLIP,
        greet::CLIP,
        petted::CLIP,
        sneeze::CLIP,
        surprise::CLIP,
        seated::SIT,
        seated::SLEEP,
        turn::LEFT,
        turn::RIGHT,
    ])
}
