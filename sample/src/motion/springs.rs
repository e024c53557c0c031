//! Follow-through: ears, tails, cloth and hair follow on damped springs.

use super::pose::Pose;
use crate::maths::arc;
use crate::skeleton::{Joint, local};
use glam::{DAffine3, DQuat, DVec3};

/// Joints on springs, base to tip.
pub(crate) struct Chain {
    pub(crate) joints: &'static [usize],
    /// The frequency of each joint, in hertz.
    pub(crate) hertz: &'static [f64],
    pub(crate) damping: f64,
    /// The share of the wind that acts on it.
    pub(crate) sail: f64,
    /// A sphere that the chain cannot enter: joint, centre in the joint's frame, radius.
    pub(crate) ball: Option<(usize, DVec3, f64)>,
}

/// A joint on a spring.
struct Spring {
    joint: usize,
    /// Pull towards the animated pose, per second squared.
    pull: f64,
    /// The damping, per second.
    drag: f64,
    chain: &'static Chain,
    tip: Option<DVec3>,
    speed: DVec3,
}

/// All springs of the character.
pub(crate) struct Springs {
    springs: Vec<Spring>,
    wind: DVec3,
    carrier: usize,
    /// The share of the carrier's translation that the springs follow directly: without it a jump would throw the tail
    /// over the head.
    carried: f64,
    /// The position of the carrier in the previous step.
    before: Option<DVec3>,
}

/// The cosine and sine of the maximum bend of a joint from its animated pose.
const LIMIT: (f64, f64) = (0.848, 0.53);

impl Springs {
    /// Springs at rest.
    pub(crate) fn new(chains: &'static [Chain], carrier: (usize, f64), wind: DVec3) -> Springs {
        let mut springs = Vec::new();
        for chain in chains {
            for (&joint, hertz) in chain.joints.iter().zip(chain.hertz) {
                let omega = hertz * std::f64::consts::TAU;
                springs.push(Spring {
                    joint,
                    pull: omega * omega,
                    drag: 2.0 * chain.damping * omega,
                    chain,
                    tip: None,
                    speed: DVec3::ZERO,
                });
            }
        }
        Springs { springs, wind, carrier: carrier.0, carried: carrier.1, before: None }
    }

    /// Advances the springs by `dt` and applies them to the pose.
    pub(crate) fn advance(&mut self, joints: &[Joint], pose: &mut Pose, dt: f64) {
        let mut frame = vec![DAffine3::IDENTITY; joints.len()];
        let mut turned = vec![DQuat::IDENTITY; joints.len()];
        let place = local(joints, self.carrier) + pose.shift[self.carrier];
        let carried = (place - self.before.unwrap_or(place)) * self.carried;
        self.before = Some(place);
        for j in 0..joints.len() {
            let parent = joints[j].parent;
            let (over, over_turn) =
                if j == 0 { (DAffine3::IDENTITY, DQuat::IDENTITY) } else { (frame[parent], turned[parent]) };
            if let Some(spring) = self.springs.iter_mut().find(|s| s.joint == j) {
                let at = over.transform_point3(local(joints, j));
                let axis = joints[j].tip - joints[j].at;
                let length = axis.length();
                let aim = over_turn * pose.rotation[j];
                let goal = at + aim * axis;
                let mut tip = spring.tip.unwrap_or(goal) + carried;
                let wind = self.wind * spring.chain.sail;
                let pull = (goal - tip) * spring.pull - spring.speed * spring.drag + wind;
                spring.speed += pull * dt;
                let before = tip;
                tip += spring.speed * dt;
                if let Some((body, centre, radius)) = spring.chain.ball {
                    let centre = frame[body].transform_point3(centre);
                    let out = tip - centre;
                    if out.length() < radius {
                        tip = centre + out.normalize_or(DVec3::Z) * radius;
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
            frame[j] = over * pose.local(joints, j);
        }
    }
}
