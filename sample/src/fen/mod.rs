//! Fen, a tree frog: a tall, slim biped in a vest, with fingers and a face that talks.

mod clips;
mod face;
mod paint;
mod rig;
mod shape;
mod skeleton;
mod weights;

use crate::glb::{Design, material};
use crate::model::{Model, Part, Symmetry};
use crate::patch::still;
use glam::dvec3;
use skeleton::J;

pub(crate) fn parts() -> [Part<'static>; 3] {
    [
        Part {
            field: &shape::body,
            size: &shape::body_size,
            bounds: (dvec3(0.0, -0.03, -0.13), dvec3(0.33, 1.36, 0.22)),
            cell: 0.0098,
            symmetry: Symmetry::Halves,
            tips: &[],
            colour: &paint::body,
            thin: &|_| 0.0,
            tint: &paint::tint,
            skin: &weights::body,
            drift: face::drift,
            material: 0,
        },
        Part {
            field: &shape::hand,
            size: &shape::hand_size,
            bounds: (dvec3(0.24, 0.51, -0.09), dvec3(0.39, 0.72, 0.14)),
            cell: 0.0047,
            symmetry: Symmetry::Pair,
            tips: &[],
            colour: &paint::hand,
            thin: &|_| 0.3,
            tint: &|_, _| 1.0,
            skin: &weights::hands,
            drift: still,
            material: 0,
        },
        Part {
            field: &shape::tie,
            size: &|_| 0.0125,
            bounds: (dvec3(0.0, 1.0, 0.02), dvec3(0.09, 1.1, 0.1)),
            cell: 0.0055,
            symmetry: Symmetry::Halves,
            tips: &[],
            colour: &paint::tie,
            thin: &|_| 0.0,
            tint: &|_, _| 0.0,
            skin: &weights::tie,
            drift: still,
            material: 0,
        },
    ]
}

/// Fen's file.
pub(crate) fn design() -> Design {
    Design {
        name: "Fen",
        joints: &skeleton::JOINTS,
        sockets: &skeleton::SOCKETS,
        feet: &[J::FootL as usize, J::FootR as usize],
        targets: &face::TARGETS,
        materials: vec![material("Skin", 0.6), material("Face", 0.22)],
        model: Model::new(&parts(), face::TARGETS.len(), face::patches(), &paint::DECALS),
        tracks: clips::tracks(),
    }
}
