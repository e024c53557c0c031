//! Fen's eyes, brows and mouth, with morph targets by the names of ARKit.

use super::shape;
use super::skeleton::{EYE_AT, J};
use crate::face::{Eyes, Lids, mouth};
use crate::maths::{mix, smoothstep};
use crate::paint::NOSE;
use crate::patch::{Frame, Patches, in_rect, strip};
use crate::weights::Skin;
use glam::{DVec3, dvec3};

/// A morph target, as an index into [`TARGETS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum F {
    BlinkLeft,
    BlinkRight,
    SquintLeft,
    SquintRight,
    WideLeft,
    WideRight,
    JawOpen,
    JawLeft,
    JawRight,
    Funnel,
    Pucker,
    MouthLeft,
    MouthRight,
    SmileLeft,
    SmileRight,
    FrownLeft,
    FrownRight,
    StretchLeft,
    StretchRight,
    BrowInnerUp,
    BrowDownLeft,
    BrowDownRight,
    BrowOuterUpLeft,
    BrowOuterUpRight,
    CheekPuff,
}

/// The names of the morph targets, in order.
pub(crate) const TARGETS: [&str; 25] = [
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "eyeSquintLeft",
    "eyeSquintRight",
    "eyeWideLeft",
    "eyeWideRight",
    "jawOpen",
    "jawLeft",
    "jawRight",
    "mouthFunnel",
    "mouthPucker",
    "mouthLeft",
    "mouthRight",
    "mouthSmileLeft",
    "mouthSmileRight",
    "mouthFrownLeft",
    "mouthFrownRight",
    "mouthStretchLeft",
    "mouthStretchRight",
    "browInnerUp",
    "browDownLeft",
    "browDownRight",
    "browOuterUpLeft",
    "browOuterUpRight",
    "cheekPuff",
];

/// The weights of all morph targets.
pub(crate) type Face = [f64; TARGETS.len()];

/// A face by its weights; targets that are not named are 0.
pub(crate) const fn face(weights: &[(F, f64)]) -> Face {
    let mut face = [0.0; TARGETS.len()];
    let mut i = 0;
    while i < weights.len() {
        face[weights[i].0 as usize] = weights[i].1;
        i += 1;
    }
    face
}

fn is(target: Option<usize>, f: F) -> f64 {
    f64::from(u8::from(target == Some(f as usize)))
}

/// The displacement of the head's skin at a point under a target.
pub(crate) fn drift(target: usize, p: DVec3) -> DVec3 {
    let on = |f: F| is(Some(target), f);
    let push = |at: DVec3, reach: f64, by: DVec3| by * smoothstep(reach, 0.0, p.distance(at));
    let chin = dvec3(0.0, 1.105, 0.1);
    let jaw = push(
        chin,
        0.1,
        dvec3(
            0.014 * (on(F::JawLeft) - on(F::JawRight)),
            -0.034 * on(F::JawOpen) - 0.012 * on(F::Funnel),
            0.0,
        ),
    );
    let mut sum = jaw;
    for (side, smile, frown, stretch) in [
        (1.0, F::SmileLeft, F::FrownLeft, F::StretchLeft),
        (-1.0, F::SmileRight, F::FrownRight, F::StretchRight),
    ] {
        let cheek = dvec3(0.105 * side, 1.185, 0.085);
        let by = dvec3(
            side * (0.01 * on(smile) + 0.008 * on(stretch)),
            0.014 * on(smile) - 0.008 * on(frown),
            0.008 * on(smile),
        );
        sum += push(cheek, 0.065, by);
        sum +=
            push(dvec3(0.125 * side, 1.145, 0.05), 0.075, dvec3(0.024 * side, 0.0, 0.008) * on(F::CheekPuff));
    }
    sum
}

const EYES: Eyes = Eyes {
    at: EYE_AT,
    out: dvec3(0.3, 0.1, 1.0),
    rx: 0.0425,
    ry: 0.043,
    head: J::Head as usize,
    joints: [J::EyeL as usize, J::EyeR as usize],
};

/// The position of a point of the mouth: plane coordinates and height. The left corner is at `a` = 1.
fn mouth_at(target: Option<usize>, a: f64, v: f64) -> Option<(f64, f64, f64)> {
    let on = |f: F| is(target, f);
    let round = (1.0 - a * a).max(0.0);
    let (left, right) = (smoothstep(0.0, 1.0, a), smoothstep(0.0, -1.0, a));
    let (left, right) = (left * left, right * right);
    let moves = [
        F::JawOpen,
        F::JawLeft,
        F::JawRight,
        F::Funnel,
        F::Pucker,
        F::MouthLeft,
        F::MouthRight,
        F::SmileLeft,
        F::SmileRight,
        F::FrownLeft,
        F::FrownRight,
        F::StretchLeft,
        F::StretchRight,
    ];
    if target.is_some() && !moves.into_iter().any(|f| on(f) > 0.0) {
        return None;
    }
    let width = mix(0.09, 0.036, on(F::Funnel)).min(mix(0.09, 0.026, on(F::Pucker)));
    let width = width - 0.008 * on(F::JawOpen);
    let aside = on(F::MouthLeft) - on(F::MouthRight);
    let jaw = on(F::JawLeft) - on(F::JawRight);
    let x = a * width
        + 0.016 * aside
        + 0.008 * jaw
        + left * (0.007 * on(F::SmileLeft) + 0.014 * on(F::StretchLeft))
        - right * (0.007 * on(F::SmileRight) + 0.014 * on(F::StretchRight));
    // A frog's mouth turns up at the corners by itself.
    let tight = on(F::Funnel).max(on(F::Pucker));
    let line = (1.0 - tight) * (0.016 * a * a - 0.005)
        + left * (0.015 * on(F::SmileLeft) - 0.026 * on(F::FrownLeft) - 0.006 * on(F::StretchLeft))
        + right * (0.015 * on(F::SmileRight) - 0.026 * on(F::FrownRight) - 0.006 * on(F::StretchRight))
        + 0.006 * a * aside;
    let open = 0.052 * on(F::JawOpen) + 0.042 * on(F::Funnel) + 0.014 * on(F::Pucker);
    if open > 0.0 {
        let top = line + (0.3 * open * tight + 0.006 * on(F::JawOpen)) * round.sqrt();
        let deep = open * round.sqrt() * mix(0.8 + 0.2 * round, 1.0, tight);
        return Some((x, top - deep * v, 0.0035 + 0.007 * v));
    }
    let thick = 0.0018 + 0.0028 * round;
    Some(if v < 0.45 {
        (x, line + thick * (0.5 - v / 0.4), 0.003)
    } else {
        (x, line - thick * 0.3, mix(-0.002, -0.006, v))
    })
}

/// The brow of one side: a strip on the dome above the eye.
fn brow(patches: &mut Patches, side: usize) {
    let s = if side == 0 { 1.0 } else { -1.0 };
    let pick = |l: F, r: F| if side == 0 { l } else { r };
    let frame = Frame::new(&shape::body, dvec3(0.092, 1.328, 0.085), dvec3(0.28, 0.55, 1.0));
    const COLUMNS: u32 = 9;
    const ROWS: [f64; 3] = [-1.0, 0.0, 1.0];
    let tris = strip(COLUMNS, 3);
    patches.add(
        &tris,
        s,
        |_| true,
        |_| Skin::rigid(J::Head as usize),
        |target| {
            let on = |f: F| is(target, f);
            let (down, outer, inner) = (
                on(pick(F::BrowDownLeft, F::BrowDownRight)),
                on(pick(F::BrowOuterUpLeft, F::BrowOuterUpRight)),
                on(F::BrowInnerUp),
            );
            if target.is_some() && down + outer + inner == 0.0 {
                return None;
            }
            let mut points = Vec::new();
            for c in 0..=COLUMNS {
                let a = f64::from(c) / f64::from(COLUMNS) * 2.0 - 1.0;
                let thick = 0.007 * (1.0 - a * a).max(0.0).sqrt() * (1.0 - 0.25 * a) + 0.0006;
                let arch = -0.009 * a * a;
                let raise = inner * 0.019 * smoothstep(0.6, -1.0, a)
                    + outer * 0.017 * smoothstep(-0.8, 0.8, a)
                    - down * (0.008 + 0.011 * smoothstep(0.7, -1.0, a));
                for v in ROWS {
                    let (p, n) =
                        frame.on(a * 0.031, arch + raise - 0.003 - v * thick, 0.0045 - 0.0035 * v * v);
                    points.push((p, n, in_rect(NOSE, 0.5 + 0.4 * a, 0.5 + 0.4 * v)));
                }
            }
            Some(points)
        },
    );
}

/// Builds all patches.
pub(crate) fn patches() -> Patches {
    let mut patches = Patches::new(TARGETS.len(), drift);
    for eye in 0..2 {
        let pick = |l: F, r: F| if eye == 0 { l } else { r } as usize;
        EYES.add(&mut patches, &shape::body, eye, |target| {
            if target == pick(F::BlinkLeft, F::BlinkRight) {
                Some(Lids::Shut)
            } else if target == pick(F::SquintLeft, F::SquintRight) {
                Some(Lids::Squint)
            } else if target == pick(F::WideLeft, F::WideRight) {
                Some(Lids::Wide)
            } else {
                None
            }
        });
        brow(&mut patches, eye);
    }
    let frame = Frame::new(&shape::body, dvec3(0.0, 1.163, 0.16), dvec3(0.0, -0.1, 1.0));
    mouth(&mut patches, &frame, J::Head as usize, 24, mouth_at);
    patches
}
