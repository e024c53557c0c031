//! Fen's joints and sockets.

use crate::skeleton::{Joint, Socket, mirrored};
use glam::{DVec3, dvec3};
use std::sync::LazyLock;

/// A joint before the fingers, as an index into [`JOINTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum J {
    Root,
    Hips,
    Spine,
    Chest,
    Neck,
    Head,
    EyeL,
    EyeR,
    ShoulderL,
    UpperArmL,
    LowerArmL,
    HandL,
    ShoulderR,
    UpperArmR,
    LowerArmR,
    HandR,
    UpperLegL,
    LowerLegL,
    FootL,
    ToeL,
    UpperLegR,
    LowerLegR,
    FootR,
    ToeR,
    /// The first joint of the left thumb; the other fingers follow, then those of the right hand.
    ThumbL1,
}

/// The index of a finger's joint: side 0 left, 1 right; finger 0 thumb to 4 little finger; bone 0 to 2.
pub(crate) const fn finger(side: usize, finger: usize, bone: usize) -> usize {
    J::ThumbL1 as usize + 15 * side + 3 * finger + bone
}

const HIPS: DVec3 = dvec3(0.0, 0.72, 0.0);
const SPINE: DVec3 = dvec3(0.0, 0.8, -0.003);
const CHEST: DVec3 = dvec3(0.0, 0.92, -0.004);
const NECK: DVec3 = dvec3(0.0, 1.055, 0.0);
const HEAD: DVec3 = dvec3(0.0, 1.11, 0.008);
const SHOULDER: DVec3 = dvec3(0.04, 1.02, 0.0);
/// The left arm: shoulder, elbow and wrist.
pub(crate) const ARM: [DVec3; 3] =
    [dvec3(0.1, 1.012, -0.002), dvec3(0.198, 0.842, -0.008), dvec3(0.28, 0.69, 0.016)];
/// The left leg: hip, knee, ankle, ball and toes.
pub(crate) const LEG: [DVec3; 5] = [
    dvec3(0.064, 0.7, 0.0),
    dvec3(0.074, 0.39, 0.02),
    dvec3(0.08, 0.075, -0.018),
    dvec3(0.086, 0.02, 0.075),
    dvec3(0.092, 0.018, 0.165),
];
/// The middle of the left eye, on the head.
pub(crate) const EYE_AT: DVec3 = dvec3(0.092, 1.272, 0.1);
/// The point about which the left eye turns.
const EYE: DVec3 = dvec3(0.08, 1.272, 0.05);

/// The left hand's frame: along it, across it towards the thumb, and out of the palm.
pub(crate) fn hand_frame() -> (DVec3, DVec3, DVec3) {
    let along = (ARM[2] - ARM[1]).normalize();
    let across = (DVec3::Z - along * along.z).normalize();
    (along, across, along.cross(across))
}

/// The four points of a finger of the left hand, base to tip.
pub(crate) fn finger_points(finger: usize) -> [DVec3; 4] {
    let (along, across, palm) = hand_frame();
    // The base, along and across the hand; the slope across it and towards the palm; the length of the bones.
    let (base, slope, length) = [
        ((0.014, 0.02), (0.95, 0.45), 0.84),
        ((0.056, 0.0225), (0.36, 0.06), 1.0),
        ((0.06, 0.0078), (0.1, 0.03), 1.1),
        ((0.057, -0.0078), (-0.16, 0.03), 1.02),
        ((0.05, -0.022), (-0.44, 0.06), 0.84),
    ][finger];
    let at = ARM[2] + along * base.0 + across * base.1;
    let dir = (along + across * slope.0 + palm * slope.1).normalize() * length;
    [at, at + dir * 0.031, at + dir * 0.057, at + dir * 0.08]
}

const fn joint(name: &'static str, parent: J, at: DVec3, tip: DVec3) -> Joint {
    Joint { name, parent: parent as usize, at, tip }
}

const FINGERS: [[[&str; 3]; 5]; 2] = [
    [
        ["ThumbL1", "ThumbL2", "ThumbL3"],
        ["IndexL1", "IndexL2", "IndexL3"],
        ["MiddleL1", "MiddleL2", "MiddleL3"],
        ["RingL1", "RingL2", "RingL3"],
        ["LittleL1", "LittleL2", "LittleL3"],
    ],
    [
        ["ThumbR1", "ThumbR2", "ThumbR3"],
        ["IndexR1", "IndexR2", "IndexR3"],
        ["MiddleR1", "MiddleR2", "MiddleR3"],
        ["RingR1", "RingR2", "RingR3"],
        ["LittleR1", "LittleR2", "LittleR3"],
    ],
];

/// All joints, parents before children.
pub(crate) static JOINTS: LazyLock<Vec<Joint>> = LazyLock::new(|| {
    let hand = ARM[2] + (ARM[2] - ARM[1]).normalize() * 0.055;
    let mut joints = vec![
        joint("Root", J::Root, DVec3::ZERO, HIPS),
        joint("Hips", J::Root, HIPS, SPINE),
        joint("Spine", J::Hips, SPINE, CHEST),
        joint("Chest", J::Spine, CHEST, NECK),
        joint("Neck", J::Chest, NECK, HEAD),
        joint("Head", J::Neck, HEAD, dvec3(0.0, 1.28, 0.03)),
        joint("EyeL", J::Head, EYE, EYE_AT),
        joint("EyeR", J::Head, mirrored(EYE), mirrored(EYE_AT)),
        joint("ShoulderL", J::Chest, SHOULDER, ARM[0]),
        joint("UpperArmL", J::ShoulderL, ARM[0], ARM[1]),
        joint("LowerArmL", J::UpperArmL, ARM[1], ARM[2]),
        joint("HandL", J::LowerArmL, ARM[2], hand),
        joint("ShoulderR", J::Chest, mirrored(SHOULDER), mirrored(ARM[0])),
        joint("UpperArmR", J::ShoulderR, mirrored(ARM[0]), mirrored(ARM[1])),
        joint("LowerArmR", J::UpperArmR, mirrored(ARM[1]), mirrored(ARM[2])),
        joint("HandR", J::LowerArmR, mirrored(ARM[2]), mirrored(hand)),
        joint("UpperLegL", J::Hips, LEG[0], LEG[1]),
        joint("LowerLegL", J::UpperLegL, LEG[1], LEG[2]),
        joint("FootL", J::LowerLegL, LEG[2], LEG[3]),
        joint("ToeL", J::FootL, LEG[3], LEG[4]),
        joint("UpperLegR", J::Hips, mirrored(LEG[0]), mirrored(LEG[1])),
        joint("LowerLegR", J::UpperLegR, mirrored(LEG[1]), mirrored(LEG[2])),
        joint("FootR", J::LowerLegR, mirrored(LEG[2]), mirrored(LEG[3])),
        joint("ToeR", J::FootR, mirrored(LEG[3]), mirrored(LEG[4])),
    ];
    for (side, names) in FINGERS.iter().enumerate() {
        for (f, names) in names.iter().enumerate() {
            let points = finger_points(f).map(|p| if side == 0 { p } else { mirrored(p) });
            for (bone, name) in names.iter().enumerate() {
                let hand = if side == 0 { J::HandL } else { J::HandR } as usize;
                let parent = if bone == 0 { hand } else { finger(side, f, bone - 1) };
                joints.push(Joint { name, parent, at: points[bone], tip: points[bone + 1] });
            }
        }
    }
    joints
});

/// The sockets: the palms and the top of the head.
pub(crate) const SOCKETS: [Socket; 3] = [
    Socket { name: "HandL socket", joint: J::HandL as usize, at: dvec3(0.285, 0.645, 0.03) },
    Socket { name: "HandR socket", joint: J::HandR as usize, at: dvec3(-0.285, 0.645, 0.03) },
    Socket { name: "Head socket", joint: J::Head as usize, at: dvec3(0.0, 1.275, 0.01) },
];
