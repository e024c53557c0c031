//! Lumi, a snow leopard cub: a grey four-legged one with rosettes and a long, thick tail.

mod clips;
mod face;
mod paint;
mod rig;
mod shape;
mod skeleton;
mod weights;

use crate::glb::{Design, material};
use crate::model::{Model, Part, Symmetry};
use glam::dvec3;
use skeleton::J;

pub(crate) fn parts() -> [Part<'static>; 1] {
    [Part {
        field: &shape::body,
        size: &shape::body_size,
        bounds: (dvec3(0.0, -0.03, -0.86), dvec3(0.25, 0.82, 0.46)),
        cell: 0.0108,
        symmetry: Symmetry::Halves,
        tips: &shape::TIPS,
        colour: &paint::body,
        thin: &|_| 0.0,
        tint: &paint::tint,
        skin: &weights::body,
        drift: face::drift,
        material: 0,
    }]
}

/// Lumi's file.
pub(crate) fn design() -> Design {
    Design {
        name: "Lumi",
        joints: &skeleton::JOINTS,
        sockets: &skeleton::SOCKETS,
        feet: &[J::HandL as usize, J::HandR as usize, J::FootL as usize, J::FootR as usize],
        targets: &face::TARGETS,
        materials: vec![material("Fur", 0.85), material("Face", 0.22)],
        model: Model::new(&parts(), face::TARGETS.len(), face::patches(), &paint::DECALS),
        tracks: clips::tracks(),
    }
}
