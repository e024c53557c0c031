//! Pip's skin weights.

use super::shape;
use super::skeleton::{COUNT, J, JOINTS};
use crate::maths::smoothstep;
use crate::mesher::Mesh;
use crate::weights::{Row, Skin, pull, share, skins};
use glam::DVec3;

fn of(p: DVec3, bones: &[J]) -> Row {
    let bones: Vec<usize> = bones.iter().map(|&j| j as usize).collect();
    share(&JOINTS, p, &bones)
}

fn nearest(p: DVec3) -> Row {
    let q = shape::parts(p);
    let left = p.x >= 0.0;
    let pick = |l: &'static [J], r: &'static [J]| if left { l } else { r };
    let choices: [(f64, &[J]); 8] = [
        (q.head, &[J::Head]),
        (q.tuft, &[J::Tuft]),
        (q.ear, pick(&[J::EarL1, J::EarL2, J::EarL3], &[J::EarR1, J::EarR2, J::EarR3])),
        (
            q.torso,
            pick(
                &[J::Hips, J::Spine, J::Chest, J::Neck, J::ShoulderL],
                &[J::Hips, J::Spine, J::Chest, J::Neck, J::ShoulderR],
            ),
        ),
        (q.arm, pick(&[J::UpperArmL, J::LowerArmL, J::HandL], &[J::UpperArmR, J::LowerArmR, J::HandR])),
        (q.thumb, pick(&[J::HandL, J::ThumbL], &[J::HandR, J::ThumbR])),
        (
            q.leg,
            pick(
                &[J::UpperLegL, J::LowerLegL, J::FootL, J::ToeL],
                &[J::UpperLegR, J::LowerLegR, J::FootR, J::ToeR],
            ),
        ),
        (q.tail, &[J::Tail1, J::Tail2, J::Tail3, J::Tail4, J::Tail5]),
    ];
    let mut best = &choices[0];
    for c in &choices[1..] {
        if c.0 < best.0 {
            best = c;
        }
    }
    of(p, best.1)
}

/// The weights of the body.
pub(crate) fn body(mesh: &Mesh) -> Vec<Skin> {
    skins(mesh, 8, &nearest, &|p, row| {
        // The face moves rigidly with the eyes and the mouth on it.
        let face = smoothstep(0.5, 0.535, p.y) * smoothstep(0.03, 0.08, p.z) * smoothstep(0.84, 0.8, p.y);
        pull(row, J::Head as usize, face);
    })
}

/// The weights of the scarf.
pub(crate) fn scarf(mesh: &Mesh) -> Vec<Skin> {
    let row = |p: DVec3| {
        if p.y < 0.425 && p.z > 0.09 {
            return of(p, &[J::Scarf1, J::Scarf2]);
        }
        let up = smoothstep(0.43, 0.51, p.y) * 0.5;
        let mut row = vec![0.0; COUNT];
        row[J::Chest as usize] = 1.0 - up;
        row[J::Neck as usize] = up;
        row
    };
    skins(mesh, 5, &row, &|_, _| {})
}
