//! The clips. Each is a function from time to [`Controls`]. This module solves the controls to joint rotations
//! (two-bone legs, arms, squash), adds follow-through of ears, tail and scarf on springs, and samples the result.

mod dance;
mod idle;
mod jump;
mod rig;
mod run;
mod springs;
mod walk;
mod wave;

use crate::face::TARGETS;
use crate::skeleton::COUNT;
use glam::{DQuat, DVec3};
pub(crate) use rig::{Controls, Foot, Pose};

/// One sampled clip.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) name: &'static str,
    pub(crate) times: Vec<f64>,
    pub(crate) rotations: Vec<Option<Vec<DQuat>>>,
    pub(crate) translations: Vec<Option<Vec<DVec3>>>,
    pub(crate) scales: Vec<Option<Vec<DVec3>>>,
    /// Morph weights by time; interpolated with easing.
    pub(crate) face: Vec<(f64, [f64; TARGETS.len()])>,
    /// The ground speed at which planted feet do not slide, in metres per second.
    pub(crate) speed: f64,
    /// Named moments, in seconds.
    pub(crate) markers: &'static [(f64, &'static str)],
}

/// A clip before sampling.
pub(crate) struct Clip {
    pub(crate) name: &'static str,
    pub(crate) duration: f64,
    /// Steps between the first key and the last.
    pub(crate) steps: u32,
    pub(crate) pose: fn(f64) -> Controls,
    pub(crate) face: &'static [(f64, [f64; TARGETS.len()])],
    pub(crate) speed: f64,
    pub(crate) markers: &'static [(f64, &'static str)],
    /// The effect of the air on ears, tail and scarf, as an acceleration.
    pub(crate) wind: DVec3,
}

/// Samples all clips.
pub(crate) fn tracks() -> Vec<Track> {
    [idle::CLIP, walk::CLIP, run::CLIP, jump::CLIP, wave::CLIP, dance::CLIP].iter().map(sample).collect()
}

/// A smooth curve through keys that never overshoots them: flat at every peak and trough.
pub(crate) fn curve(t: f64, keys: &[(f64, f64)]) -> f64 {
    let last = keys.len() - 1;
    if t <= keys[0].0 {
        return keys[0].1;
    }
    if t >= keys[last].0 {
        return keys[last].1;
    }
    let i = keys.iter().rposition(|k| k.0 <= t).unwrap_or(0).min(last - 1);
    let slope = |i: usize| (keys[i + 1].1 - keys[i].1) / (keys[i + 1].0 - keys[i].0);
    let tangent = |i: usize| {
        if i == 0 || i == last {
            return 0.0;
        }
        let (a, b) = (slope(i - 1), slope(i));
        if a * b <= 0.0 { 0.0 } else { 2.0 * a * b / (a + b) }
    };
    let h = keys[i + 1].0 - keys[i].0;
    let u = (t - keys[i].0) / h;
    let (u2, u3) = (u * u, u * u * u);
    (2.0 * u3 - 3.0 * u2 + 1.0) * keys[i].1
        + (u3 - 2.0 * u2 + u) * h * tangent(i)
        + (3.0 * u2 - 2.0 * u3) * keys[i + 1].1
        + (u3 - u2) * h * tangent(i + 1)
}

/// The foot of a walk or run at `phase` of its cycle. For the first `duty` of the cycle it is on the ground and moves
/// back at constant speed over `stride`; then it swings forward, `lift` high.
pub(crate) fn step(phase: f64, duty: f64, stride: f64, lift: f64, heel: f64, strike: f64) -> Foot {
    let p = phase - phase.floor();
    let mut foot = Foot::default();
    if p < duty {
        let u = p / duty;
        foot.pos.z = stride * (0.5 - u);
        // Land on the heel, roll over, push off from the ball while the toes stay flat.
        foot.pitch = curve(u, &[(0.0, -strike), (0.22, 0.0), (0.55, 0.0), (1.0, heel)]);
        foot.toe = -foot.pitch.max(0.0);
    } else {
        let u = (p - duty) / (1.0 - duty);
        let m = -stride / duty * (1.0 - duty);
        let (u2, u3) = (u * u, u * u * u);
        let (a, b) = (-0.5 * stride, 0.5 * stride);
        foot.pos.z = (2.0 * u3 - 3.0 * u2 + 1.0) * a
            + (u3 - 2.0 * u2 + u) * m
            + (3.0 * u2 - 2.0 * u3) * b
            + (u3 - u2) * m;
        foot.pos.y = lift * curve(u, &[(0.0, 0.0), (0.42, 1.0), (1.0, 0.0)]);
        foot.pitch = curve(u, &[(0.0, heel), (0.25, heel * 1.15), (0.8, -strike * 1.1), (1.0, -strike)]);
        foot.toe = curve(u, &[(0.0, -heel), (0.3, 0.0), (1.0, 0.0)]);
    }
    foot
}

/// Runs the springs until the clip is periodic, then samples the keys.
fn sample(clip: &Clip) -> Track {
    // Substeps per key, so that a step of the springs is about 1/240 s.
    let per_key = ((clip.duration / f64::from(clip.steps)) * 240.0).ceil() as u32;
    let total = clip.steps * per_key;
    let dt = clip.duration / f64::from(total);
    let mut springs = springs::Springs::new(clip.wind);
    let cycles = (5.0 / clip.duration).ceil() as u32;
    let mut keys: Vec<Pose> = Vec::new();
    for cycle in 0..=cycles {
        for i in 0..total {
            let mut pose = (clip.pose)(f64::from(i) * dt).solve();
            springs.advance(&mut pose, dt);
            if cycle == cycles && i % per_key == 0 {
                keys.push(pose);
            }
        }
    }
    // The last key equals the first, so that the clip loops.
    keys.push(keys[0].clone());

    let times = (0..=clip.steps).map(|i| clip.duration * f64::from(i) / f64::from(clip.steps)).collect();
    let moves = |far: &dyn Fn(&Pose) -> f64| keys.iter().any(|k| far(k) > 1e-3);
    let mut rotations = Vec::new();
    let mut translations = Vec::new();
    let mut scales = Vec::new();
    for j in 0..COUNT {
        rotations.push(moves(&|k| 1.0 - k.rotation[j].w.abs() + k.rotation[j].xyz().length()).then(|| {
            let mut before = DQuat::IDENTITY;
            keys.iter()
                .map(|k| {
                    let q = k.rotation[j];
                    before = if q.dot(before) < 0.0 { -q } else { q };
                    before
                })
                .collect()
        }));
        translations.push(
            moves(&|k| k.shift[j].length())
                .then(|| keys.iter().map(|k| crate::skeleton::local(j) + k.shift[j]).collect()),
        );
        scales.push(
            moves(&|k| (k.scale[j] - DVec3::ONE).length()).then(|| keys.iter().map(|k| k.scale[j]).collect()),
        );
    }
    Track {
        name: clip.name,
        times,
        rotations,
        translations,
        scales,
        face: clip.face.to_vec(),
        speed: clip.speed,
        markers: clip.markers,
    }
}
