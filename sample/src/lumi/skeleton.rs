//! Lumi's joints and sockets.

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
    EyeL,
    EyeR,
    EarL1,
    EarL2,
    EarR1,
    EarR2,
    ShoulderL,
    UpperArmL,
    LowerArmL,
    HandL,
    FingersL,
    ShoulderR,
    UpperArmR,
    LowerArmR,
    HandR,
    FingersR,
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
    Tail6,
}

/// The number of joints.
pub(crate) const COUNT: usize = 36;

const fn joint(name: &'static str, parent: J, at: DVec3, tip: DVec3) -> Joint {
    Joint { name, parent: parent as usize, at, tip }
}

const HIPS: DVec3 = dvec3(0.0, 0.35, -0.2);
const SPINE: DVec3 = dvec3(0.0, 0.37, -0.09);
const CHEST: DVec3 = dvec3(0.0, 0.37, 0.05);
const NECK: DVec3 = dvec3(0.0, 0.42, 0.14);
const HEAD: DVec3 = dvec3(0.0, 0.495, 0.2);

/// The left foreleg: shoulder blade, shoulder, elbow, wrist, ball and toes.
pub(crate) const FORELEG: [DVec3; 6] = [
    dvec3(0.06, 0.41, 0.07),
    dvec3(0.088, 0.31, 0.115),
    dvec3(0.094, 0.2, 0.06),
    dvec3(0.094, 0.07, 0.098),
    dvec3(0.095, 0.022, 0.118),
    dvec3(0.096, 0.02, 0.175),
];
/// The left hind leg: hip, knee, hock, ball and toes.
pub(crate) const HIND: [DVec3; 5] = [
    dvec3(0.08, 0.32, -0.21),
    dvec3(0.098, 0.205, -0.15),
    dvec3(0.094, 0.105, -0.25),
    dvec3(0.096, 0.022, -0.205),
    dvec3(0.098, 0.02, -0.15),
];
/// The left ear, base to tip.
pub(crate) const EAR: [DVec3; 3] =
    [dvec3(0.088, 0.665, 0.215), dvec3(0.112, 0.715, 0.21), dvec3(0.136, 0.768, 0.205)];
/// The tail's joints, base to tip.
pub(crate) const TAIL: [DVec3; 7] = [
    dvec3(0.0, 0.375, -0.29),
    dvec3(0.0, 0.335, -0.385),
    dvec3(0.0, 0.295, -0.485),
    dvec3(0.0, 0.29, -0.595),
    dvec3(0.0, 0.34, -0.695),
    dvec3(0.0, 0.435, -0.75),
    dvec3(0.0, 0.53, -0.745),
];
/// The middle of the left eye, on the head.
pub(crate) const EYE_AT: DVec3 = dvec3(0.066, 0.575, 0.37);
/// The point about which the left eye turns.
const EYE: DVec3 = dvec3(0.054, 0.572, 0.325);

/// All joints, parents before children.
pub(crate) const JOINTS: [Joint; COUNT] = [
    joint("Root", J::Root, DVec3::ZERO, HIPS),
    joint("Hips", J::Root, HIPS, SPINE),
    joint("Spine", J::Hips, SPINE, CHEST),
    joint("Chest", J::Spine, CHEST, NECK),
    joint("Neck", J::Chest, NECK, HEAD),
    joint("Head", J::Neck, HEAD, dvec3(0.0, 0.6, 0.26)),
    joint("EyeL", J::Head, EYE, EYE_AT),
    joint("EyeR", J::Head, mirrored(EYE), mirrored(EYE_AT)),
    joint("EarL1", J::Head, EAR[0], EAR[1]),
    joint("EarL2", J::EarL1, EAR[1], EAR[2]),
    joint("EarR1", J::Head, mirrored(EAR[0]), mirrored(EAR[1])),
    joint("EarR2", J::EarR1, mirrored(EAR[1]), mirrored(EAR[2])),
    joint("ShoulderL", J::Chest, FORELEG[0], FORELEG[1]),
    joint("UpperArmL", J::ShoulderL, FORELEG[1], FORELEG[2]),
    joint("LowerArmL", J::UpperArmL, FORELEG[2], FORELEG[3]),
    joint("HandL", J::LowerArmL, FORELEG[3], FORELEG[4]),
    joint("FingersL", J::HandL, FORELEG[4], FORELEG[5]),
    joint("ShoulderR", J::Chest, mirrored(FORELEG[0]), mirrored(FORELEG[1])),
    joint("UpperArmR", J::ShoulderR, mirrored(FORELEG[1]), mirrored(FORELEG[2])),
    joint("LowerArmR", J::UpperArmR, mirrored(FORELEG[2]), mirrored(FORELEG[3])),
    joint("HandR", J::LowerArmR, mirrored(FORELEG[3]), mirrored(FORELEG[4])),
    joint("FingersR", J::HandR, mirrored(FORELEG[4]), mirrored(FORELEG[5])),
    joint("UpperLegL", J::Hips, HIND[0], HIND[1]),
    joint("LowerLegL", J::UpperLegL, HIND[1], HIND[2]),
    joint("FootL", J::LowerLegL, HIND[2], HIND[3]),
    joint("ToeL", J::FootL, HIND[3], HIND[4]),
    joint("UpperLegR", J::Hips, mirrored(HIND[0]), mirrored(HIND[1])),
    joint("LowerLegR", J::UpperLegR, mirrored(HIND[1]), mirrored(HIND[2])),
    joint("FootR", J::LowerLegR, mirrored(HIND[2]), mirrored(HIND[3])),
    joint("ToeR", J::FootR, mirrored(HIND[3]), mirrored(HIND[4])),
    joint("Tail1", J::Hips, TAIL[0], TAIL[1]),
    joint("Tail2", J::Tail1, TAIL[1], TAIL[2]),
    joint("Tail3", J::Tail2, TAIL[2], TAIL[3]),
    joint("Tail4", J::Tail3, TAIL[3], TAIL[4]),
    joint("Tail5", J::Tail4, TAIL[4], TAIL[5]),
    joint("Tail6", J::Tail5, TAIL[5], TAIL[6]),
];

/// The sockets: the mouth, the back and the top of the head.
pub(crate) const SOCKETS: [Socket; 3] = [
    Socket { name: "Mouth socket", joint: J::Head as usize, at: dvec3(0.0, 0.495, 0.43) },
    Socket { name: "Back socket", joint: J::Spine as usize, at: dvec3(0.0, 0.47, -0.03) },
    Socket { name: "Head socket", joint: J::Head as usize, at: dvec3(0.0, 0.7, 0.25) },
];
