//! Leaves out keys where the interpolation of their neighbours is near enough.
//!
//! A channel keeps every n-th key, so that channels of a clip share lists of times, or has a list of its own where that
//! takes fewer bytes.

use super::Track;
use crate::skeleton::{Joint, reaches};
use glam::{DQuat, DVec3};

/// The error of a rotation at the farthest end of the bones that it moves, and of a translation, in metres.
const TOLERANCE: f64 = 4e-3;
/// The same for joints above a foot, so that feet stay in their place.
const FOOT_TOLERANCE: f64 = 1e-3;
/// The error of a scale.
const SCALE_TOLERANCE: f64 = 8e-3;
/// The error of a short bone is not visible, but a turn by degrees is.
const LEAST_REACH: f64 = 0.1;
/// The approximate bytes of a key's time, and of an accessor.
const TIME: usize = 4;
const ACCESSOR: usize = 95;

/// The values of a channel.
pub(crate) enum Keys {
    Rotation(Vec<DQuat>),
    Translation(Vec<DVec3>),
    Scale(Vec<DVec3>),
}

/// A channel with its own times.
pub(crate) struct Channel {
    pub(crate) times: Vec<f64>,
    pub(crate) keys: Keys,
}

/// The keys to keep. `error` is the error of a value between two others, at a share of the way; `bytes` is the size of a
/// value.
fn kept<T: Copy>(
    keys: &[T],
    tolerance: f64,
    bytes: usize,
    error: impl Fn(T, T, f64, T) -> f64,
) -> Vec<usize> {
    let last = keys.len() - 1;
    let fits = |from: usize, to: usize| {
        (from + 1..to).all(|i| {
            let t = (i - from) as f64 / (to - from) as f64;
            error(keys[from], keys[to], t, keys[i]) <= tolerance
        })
    };
    let regular = [last, 12, 6, 4, 3, 2, 1]
        .into_iter()
        .find(|&by| last.is_multiple_of(by) && (0..last).step_by(by).all(|from| fits(from, from + by)))
        .unwrap_or(1);
    let mut own = vec![0];
    let mut from = 0;
    while from < last {
        let to = (from + 1..=last).take_while(|&to| fits(from, to)).last().unwrap_or(from + 1);
        own.push(to);
        from = to;
    }
    if own.len() * (bytes + TIME) + ACCESSOR < (last / regular + 1) * bytes {
        own
    } else {
        (0..=last).step_by(regular).collect()
    }
}

fn turned(a: DQuat, b: DQuat, t: f64, exact: DQuat) -> f64 {
    // Between near keys a normalised blend equals the spherical one.
    let blend = (a * (1.0 - t) + b * t).normalize();
    2.0 * (blend.conjugate() * exact).xyz().length()
}

fn moved(a: DVec3, b: DVec3, t: f64, exact: DVec3) -> f64 {
    a.lerp(b, t).distance(exact)
}

/// The largest errors of each joint: of its rotation, and of its translation.
pub(crate) fn tolerances(joints: &[Joint], feet: &[usize]) -> Vec<(f64, f64)> {
    let reach = reaches(joints);
    let mut exact = vec![false; joints.len()];
    for &foot in feet {
        let mut j = foot;
        while !exact[j] {
            exact[j] = true;
            j = joints[j].parent;
        }
    }
    let tolerance = |j: usize| {
        let length = if exact[j] { FOOT_TOLERANCE } else { TOLERANCE };
        (length / reach[j].max(LEAST_REACH), length)
    };
    (0..joints.len()).map(tolerance).collect()
}

/// The channels of a track: joint and keys.
pub(crate) fn reduced(track: &Track, tolerances: &[(f64, f64)]) -> Vec<(usize, Channel)> {
    let mut channels = Vec::new();
    for (j, &(angle, length)) in tolerances.iter().enumerate() {
        let mut add = |kept: Vec<usize>, keys: Keys| {
            let times = kept.iter().map(|&i| track.times[i]).collect();
            channels.push((j, Channel { times, keys }));
        };
        let rotations = track.rotations[j].as_ref();
        let still = |q: &DQuat| turned(*q, *q, 0.0, DQuat::IDENTITY) <= 0.4 * angle;
        if let Some(keys) = rotations.filter(|keys| !keys.iter().all(still)) {
            let kept = kept(keys, angle, 8, turned);
            let keys = kept.iter().map(|&i| keys[i]).collect();
            add(kept, Keys::Rotation(keys));
        }
        if let Some(keys) = &track.translations[j] {
            let kept = kept(keys, length, 12, moved);
            let keys = kept.iter().map(|&i| keys[i]).collect();
            add(kept, Keys::Translation(keys));
        }
        if let Some(keys) = &track.scales[j] {
            let kept = kept(keys, SCALE_TOLERANCE, 12, moved);
            let keys = kept.iter().map(|&i| keys[i]).collect();
            add(kept, Keys::Scale(keys));
        }
    }
    channels
}
