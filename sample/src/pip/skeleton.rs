//! Pip's joints and sockets.

use crate::skeleton::{Joint, Socket, mirrored};
use glam::{DVec3, dvec3};

/// A joint of the skeleton, as an index into [`JOINTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum J {
    Root,
    Hips,
    Spine,
    Chest,
    Neck,
    Head,
    Tuft,
    EarL1,
    EarL2,
    EarL3,
    EarR1,
    EarR2,
    EarR3,
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
    Tail1,
    Tail2,
    Tail3,
    Tail4,
    Tail5,
    Scarf1,
    Scarf2,
    EyeL,
    EyeR,
    ThumbL,
    ThumbR,
}

/// The number of joints.
pub(crate) const COUNT: usize = 40;

const fn joint(name: &'static str, parent: J, at: DVec3, tip: DVec3) -> Joint {
    Joint { name, parent: parent as usize, at, tip }
}

const HIPS: DVec3 = dvec3(0.0, 0.255, -0.01);
const SPINE: DVec3 = dvec3(0.0, 0.325, -0.012);
const CHEST: DVec3 = dvec3(0.0, 0.4, -0.01);
const NECK: DVec3 = dvec3(0.0, 0.475, 0.0);
const HEAD: DVec3 = dvec3(0.0, 0.52, 0.0);

const SHOULDER: DVec3 = dvec3(0.06, 0.445, -0.005);
const ARM: DVec3 = dvec3(0.112, 0.435, -0.005);
const ELBOW: DVec3 = dvec3(0.196, 0.352, -0.01);
const WRIST: DVec3 = dvec3(0.268, 0.278, 0.004);
const FINGERS: DVec3 = dvec3(0.316, 0.226, 0.015);

const HIP: DVec3 = dvec3(0.082, 0.235, 0.0);
const KNEE: DVec3 = dvec3(0.088, 0.145, 0.022);
/// The left ankle.
pub(crate) const ANKLE: DVec3 = dvec3(0.092, 0.055, -0.01);
/// The ball of the left foot, where the toes bend.
pub(crate) const BALL: DVec3 = dvec3(0.096, 0.022, 0.062);
const TOES: DVec3 = dvec3(0.1, 0.02, 0.13);

/// The left ear's joints, base to tip.
pub(crate) const EAR: [DVec3; 4] = [
    dvec3(0.125, 0.79, -0.02),
    dvec3(0.183, 0.91, -0.035),
    dvec3(0.241, 1.015, -0.045),
    dvec3(0.305, 1.115, -0.05),
];
/// The tail's joints, base to tip.
pub(crate) const TAIL: [DVec3; 6] = [
    dvec3(0.0, 0.235, -0.11),
    dvec3(0.0, 0.21, -0.2),
    dvec3(0.0, 0.235, -0.3),
    dvec3(0.0, 0.325, -0.375),
    dvec3(0.0, 0.435, -0.4),
    dvec3(0.0, 0.56, -0.375),
];
/// The scarf's loose end.
pub(crate) const SCARF: [DVec3; 3] =
    [dvec3(0.07, 0.452, 0.112), dvec3(0.098, 0.385, 0.146), dvec3(0.112, 0.305, 0.156)];
/// The lock of hair on the brow.
pub(crate) const TUFT: [DVec3; 2] = [dvec3(0.0, 0.85, 0.065), dvec3(0.0, 0.981, 0.08)];

/// The middle of the left eye, on the head.
pub(crate) const EYE_AT: DVec3 = dvec3(0.108, 0.685, 0.2);
/// The point about which the left eye turns.
const EYE: DVec3 = dvec3(0.086, 0.682, 0.145);
/// The left thumb, base to tip.
pub(crate) const THUMB: [DVec3; 2] = [dvec3(0.286, 0.27, 0.034), dvec3(0.29, 0.258, 0.088)];

/// All joints, parents before children.
pub(crate) const JOINTS: [Joint; COUNT] = [
    joint("Root", J::Root, DVec3::ZERO, HIPS),
    joint("Hips", J::Root, HIPS, SPINE),
    joint("Spine", J::Hips, SPINE, CHEST),
    joint("Chest", J::Spine, CHEST, NECK),
    joint("Neck", J::Chest, NECK, HEAD),
    joint("Head", J::Neck, HEAD, dvec3(0.0, 0.85, 0.0)),
    joint("Tuft", J::Head, TUFT[0], TUFT[1]),
    joint("EarL1", J::Head, EAR[0], EAR[1]),
    joint("EarL2", J::EarL1, EAR[1], EAR[2]),
    joint("EarL3", J::EarL2, EAR[2], EAR[3]),
    joint("EarR1", J::Head, mirrored(EAR[0]), mirrored(EAR[1])),
    joint("EarR2", J::EarR1, mirrored(EAR[1]), mirrored(EAR[2])),
    joint("EarR3", J::EarR2, mirrored(EAR[2]), mirrored(EAR[3])),
    joint("ShoulderL", J::Chest, SHOULDER, ARM),
    joint("UpperArmL", J::ShoulderL, ARM, ELBOW),
    joint("LowerArmL", J::UpperArmL, ELBOW, WRIST),
    joint("HandL", J::LowerArmL, WRIST, FINGERS),
    joint("ShoulderR", J::Chest, mirrored(SHOULDER), mirrored(ARM)),
    joint("UpperArmR", J::ShoulderR, mirrored(ARM), mirrored(ELBOW)),
    joint("LowerArmR", J::UpperArmR, mirrored(ELBOW), mirrored(WRIST)),
    joint("HandR", J::LowerArmR, mirrored(WRIST), mirrored(FINGERS)),
    joint("UpperLegL", J::Hips, HIP, KNEE),
    joint("LowerLegL", J::UpperLegL, KNEE, ANKLE),
    joint("FootL", J::LowerLegL, ANKLE, BALL),
    joint("ToeL", J::FootL, BALL, TOES),
    joint("UpperLegR", J::Hips, mirrored(HIP), mirrored(KNEE)),
    joint("LowerLegR", J::UpperLegR, mirrored(KNEE), mirrored(ANKLE)),
    joint("FootR", J::LowerLegR, mirrored(ANKLE), mirrored(BALL)),
    joint("ToeR", J::FootR, mirrored(BALL), mirrored(TOES)),
    joint("Tail1", J::Hips, TAIL[0], TAIL[1]),
    joint("Tail2", J::Tail1, TAIL[1], TAIL[2]),
    joint("Tail3", J::Tail2, TAIL[2], TAIL[3]),
    joint("Tail4", J::Tail3, TAIL[3], TAIL[4]),
    joint("Tail5", J::Tail4, TAIL[4], TAIL[5]),
    joint("Scarf1", J::Chest, SCARF[0], SCARF[1]),
    joint("Scarf2", J::Scarf1, SCARF[1], SCARF[2]),
    joint("EyeL", J::Head, EYE, EYE_AT),
    joint("EyeR", J::Head, mirrored(EYE), mirrored(EYE_AT)),
    joint("Thumb01L", J::HandL, THUMB[0], THUMB[1]),
    joint("Thumb01R", J::HandR, mirrored(THUMB[0]), mirrored(THUMB[1])),
];

/// The sockets: the palms and the top of the head.
pub(crate) const SOCKETS: [Socket; 3] = [
    Socket { name: "HandL socket", joint: J::HandL as usize, at: dvec3(0.3, 0.243, 0.03) },
    Socket { name: "HandR socket", joint: J::HandR as usize, at: dvec3(-0.3, 0.243, 0.03) },
    Socket { name: "Head socket", joint: J::Head as usize, at: dvec3(0.0, 0.87, 0.0) },
];
