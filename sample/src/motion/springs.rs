//! Follow-through: ears, tail, scarf and the lock of hair follow on damped springs.

use super::rig::Pose;
use crate::maths::arc;
use crate::skeleton::{COUNT, J, JOINTS, local};
use glam::{DAffine3, DQuat, DVec3, dvec3};

/// A joint on a spring.
struct Spring {
    joint: usize,
    /// Pull towards the animated pose, per second squared.
    pull: f64,
    /// The damping, per second.
    drag: f64,
    /// The share of the wind that acts on it.
    sail: f64,
    tip: Option<DVec3>,
    speed: DVec3,
}

/// All springs of the character.
pub(crate) struct Springs {
    springs: Vec<Spring>,
    wind: DVec3,
    /// The position of the hips in the previous step.
    hips: Option<DVec3>,
}

/// The share of the hips' translation that the springs follow directly: without it a jump would throw the tail over the
/// head.
const CARRIED: f64 = 0.5;

/// The cosine and sine of the maximum bend of a joint from its animated pose.
const LIMIT: (f64, f64) = (0.848, 0.53);

impl Springs {
    /// Springs at rest.
    pub(crate) fn new(wind: DVec3) -> Springs {
        let mut springs = Vec::new();
        let mut chain = |joints: &[J], hertz: &[f64], damping: f64, sail: f64| {
            for (i, &j) in joints.iter().enumerate() {
                let omega = hertz[i] * std::f64::consts::TAU;
                springs.push(Spring {
                    joint: j as usize,
                    pull: omega * omega,
                    drag: 2.0 * damping * omega,
                    sail,
                    tip: None,
                    speed: DVec3::ZERO,
                });
            }
        };
        chain(&[J::Tuft], &[4.5], 0.4, 0.6);
        chain(&[J::EarL1, J::EarL2, J::EarL3], &[5.4, 4.8, 4.4], 0.75, 1.0);
        chain(&[J::EarR1, J::EarR2, J::EarR3], &[5.4, 4.8, 4.4], 0.75, 1.0);
        chain(&[J::Tail1, J::Tail2, J::Tail3, J::Tail4, J::Tail5], &[5.6, 5.0, 4.6, 4.2, 4.0], 0.7, 0.7);
        chain(&[J::Scarf1, J::Scarf2], &[3.0, 2.6], 0.55, 1.0);
        Springs { springs, wind, hips: None }
    }

    /// Advances the springs by `dt` and applies them to the pose.
    pub(crate) fn advance(&mut self, pose: &mut Pose, dt: f64) {
        let mut frame = [DAffine3::IDENTITY; COUNT];
        let mut turned = [DQuat::IDENTITY; COUNT];
        let hips = local(J::Hips as usize) + pose.shift[J::Hips as usize];
        let carried = (hips - self.hips.unwrap_or(hips)) * CARRIED;
        self.hips = Some(hips);
        for j in 0..COUNT {
            let parent = JOINTS[j].parent as usize;
            let (over, over_turn) =
                if j == 0 { (DAffine3::IDENTITY, DQuat::IDENTITY) } else { (frame[parent], turned[parent]) };
            if let Some(spring) = self.springs.iter_mut().find(|s| s.joint == j) {
                let at = over.transform_point3(local(j));
                let axis = JOINTS[j].tip - JOINTS[j].at;
                let length = axis.length();
                let aim = over_turn * pose.rotation[j];
                let goal = at + aim * axis;
                let mut tip = spring.tip.unwrap_or(goal) + carried;
                let pull = (goal - tip) * spring.pull - spring.speed * spring.drag + self.wind * spring.sail;
                spring.speed += pull * dt;
                let before = tip;
                tip += spring.speed * dt;
                if matches!(JOINTS[j].parent, J::Scarf1 | J::Chest) {
                    // The scarf's end collides with the belly.
                    let belly = frame[J::Spine as usize].transform_point3(dvec3(0.0, -0.02, 0.012));
                    let out = tip - belly;
                    if out.length() < 0.168 {
                        tip = belly + out.normalize_or(DVec3::Z) * 0.168;
                    }
                }
                let straight = aim * axis / length;
                let mut dir = (tip - at).normalize_or(straight);
                let bend = dir.dot(straight);
                if bend < LIMIT.0 {
                    let aside = (dir - straight * bend).normalize_or(DVec3::Y);
                    dir = straight * LIMIT.0 + aside * LIMIT.1;
                }
                tip = at + dir * length;
                spring.speed = (tip - before) / dt;
                spring.tip = Some(tip);
                let bent = arc((goal - at) / length, (tip - at) / length) * aim;
                pose.rotation[j] = (over_turn.conjugate() * bent).normalize();
            }
            turned[j] = over_turn * pose.rotation[j];
            frame[j] = over
                * DAffine3::from_scale_rotation_translation(
                    pose.scale[j],
                    pose.rotation[j],
                    local(j) + pose.shift[j],
                );
        }
    }
}
