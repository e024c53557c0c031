//! Fen's skin weights.

use super::shape;
use super::skeleton::{J, JOINTS, finger};
use crate::maths::smoothstep;
use crate::mesher::Mesh;
use crate::weights::{Row, Skin, pull, share, skins};
use glam::DVec3;

fn nearest(p: DVec3) -> Row {
    let q = shape::parts(p);
    let pick = |l: &'static [J], r: &'static [J]| if p.x >= 0.0 { l } else { r };
    let legs = pick(
        &[J::UpperLegL, J::LowerLegL, J::FootL, J::ToeL],
        &[J::UpperLegR, J::LowerLegR, J::FootR, J::ToeR],
    );
    let choices: [(f64, &[J]); 5] = [
        (q.head, &[J::Head]),
        (
            q.torso,
            pick(
                &[J::Hips, J::Spine, J::Chest, J::Neck, J::ShoulderL],
                &[J::Hips, J::Spine, J::Chest, J::Neck, J::ShoulderR],
            ),
        ),
        (q.arm, pick(&[J::UpperArmL, J::LowerArmL, J::HandL], &[J::UpperArmR, J::LowerArmR, J::HandR])),
        (q.shorts, if p.y > 0.665 { &[J::Hips, J::Spine] } else { legs }),
        (q.leg, legs),
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
    skins(mesh, 7, &nearest, &|p, row| {
        // The head moves rigidly with the eyes and the mouth on it.
        pull(row, J::Head as usize, smoothstep(1.1, 1.13, p.y));
        // The cuff is stiff.
        let cuff = smoothstep(0.73, 0.705, p.y) * smoothstep(0.2, 0.23, p.x.abs());
        pull(row, if p.x >= 0.0 { J::LowerArmL } else { J::LowerArmR } as usize, cuff);
    })
}

/// The weights of the hands.
pub(crate) fn hands(mesh: &Mesh) -> Vec<Skin> {
    let row = |p: DVec3| {
        let (palm, fingers) = shape::hand_parts(p);
        let side = usize::from(p.x < 0.0);
        let hand = if side == 0 { J::HandL } else { J::HandR } as usize;
        let near = (0..5).min_by(|&a, &b| fingers[a].total_cmp(&fingers[b])).unwrap_or(0);
        if palm < fingers[near] {
            return share(&JOINTS, p, &[hand]);
        }
        share(&JOINTS, p, &[hand, finger(side, near, 0), finger(side, near, 1), finger(side, near, 2)])
    };
    skins(mesh, 2, &row, &|_, _| {})
}

/// The weights of the bow tie.
pub(crate) fn tie(mesh: &Mesh) -> Vec<Skin> {
    vec![Skin::blend(J::Chest as usize, J::Neck as usize, 0.4); mesh.pos.len()]
}
