//! Pip, a fox kit: an orange biped with a scarf, long ears and a brush.

mod clips;
mod face;
mod paint;
mod rig;
mod shape;
mod skeleton;
mod weights;

use crate::glb::{Design, material};
use crate::maths::smoothstep;
use crate::model::{Model, Part, Symmetry};
use crate::patch::still;
use glam::dvec3;
use skeleton::J;

pub(crate) fn parts() -> [Part<'static>; 2] {
    [
        Part {
            field: &shape::body,
            size: &shape::body_size,
            bounds: (dvec3(0.0, -0.03, -0.53), dvec3(0.37, 1.16, 0.34)),
            cell: 0.0131,
            symmetry: Symmetry::Halves,
            tips: &shape::TIPS,
            colour: &paint::body,
            // Ears are thin enough to transmit some light.
            thin: &|p| 0.6 * smoothstep(0.82, 0.9, p.y),
            tint: &paint::tint,
            skin: &weights::body,
            drift: face::drift,
            material: 0,
        },
        Part {
            field: &shape::scarf,
            size: &shape::scarf_size,
            bounds: (dvec3(-0.19, 0.24, -0.19), dvec3(0.19, 0.55, 0.24)),
            cell: 0.0115,
            symmetry: Symmetry::None,
            tips: &[],
            colour: &paint::scarf,
            thin: &|_| 0.0,
            tint: &|_, _| 0.0,
            skin: &weights::scarf,
            drift: still,
            material: 0,
        },
    ]
}

/// Pip's file.
pub(crate) fn design() -> Design {
    Design {
        name: "Pip",
        joints: &skeleton::JOINTS,
        sockets: &skeleton::SOCKETS,
        feet: &[J::FootL as usize, J::FootR as usize],
        targets: &face::TARGETS,
        materials: vec![material("Fur", 0.85), material("Face", 0.22)],
        model: Model::new(&parts(), face::TARGETS.len(), face::patches(), &paint::DECALS),
        tracks: clips::tracks(),
    }
}
