//! Lumi's skin weights.

use super::shape;
use super::skeleton::{J, JOINTS};
use crate::maths::smoothstep;
use crate::mesher::Mesh;
use crate::weights::{Row, Skin, pull, share, skins};
use glam::DVec3;

fn nearest(p: DVec3) -> Row {
    let q = shape::parts(p);
    let pick = |l: &'static [J], r: &'static [J]| if p.x >= 0.0 { l } else { r };
    let choices: [(f64, &[J]); 6] = [
        (q.head, &[J::Head]),
        (q.ear, pick(&[J::EarL1, J::EarL2], &[J::EarR1, J::EarR2])),
        (
            q.torso,
            pick(
                &[J::Hips, J::Spine, J::Chest, J::Neck, J::ShoulderL],
                &[J::Hips, J::Spine, J::Chest, J::Neck, J::ShoulderR],
            ),
        ),
        (
            q.fore,
            pick(
                &[J::ShoulderL, J::UpperArmL, J::LowerArmL, J::HandL, J::FingersL],
                &[J::ShoulderR, J::UpperArmR, J::LowerArmR, J::HandR, J::FingersR],
            ),
        ),
        (
            q.hind,
            pick(
                &[J::UpperLegL, J::LowerLegL, J::FootL, J::ToeL],
                &[J::UpperLegR, J::LowerLegR, J::FootR, J::ToeR],
            ),
        ),
        (q.tail, &[J::Tail1, J::Tail2, J::Tail3, J::Tail4, J::Tail5, J::Tail6]),
    ];
    let mut best = &choices[0];
    for c in &choices[1..] {
        if c.0 < best.0 {
            best = c;
        }
    }
    let bones: Vec<usize> = best.1.iter().map(|&j| j as usize).collect();
    share(&JOINTS, p, &bones)
}

/// The weights of the body.
pub(crate) fn body(mesh: &Mesh) -> Vec<Skin> {
    skins(mesh, 9, &nearest, &|p, row| {
        // The face moves rigidly with the eyes and the mouth on it.
        let face = smoothstep(0.45, 0.48, p.y) * smoothstep(0.24, 0.29, p.z) * smoothstep(0.68, 0.65, p.y);
        pull(row, J::Head as usize, face);
    })
}
