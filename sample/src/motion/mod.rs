//! Clips. Each is a function from time to the controls of a character, which the character solves to joint rotations.
//! This module adds follow-through of ears, tails and cloth on springs, and samples the result.

pub(crate) mod arm;
pub(crate) mod gait;
pub(crate) mod limb;
pub(crate) mod pose;
pub(crate) mod reduce;
pub(crate) mod springs;

use crate::maths::smoothstep;
use crate::skeleton::{Joint, local};
use glam::{DQuat, DVec3};
use pose::Pose;
use springs::Springs;

/// One sampled clip.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) name: &'static str,
    pub(crate) times: Vec<f64>,
    pub(crate) rotations: Vec<Option<Vec<DQuat>>>,
    pub(crate) translations: Vec<Option<Vec<DVec3>>>,
    pub(crate) scales: Vec<Option<Vec<DVec3>>>,
    /// Morph weights by time; interpolated with easing.
    pub(crate) face: Vec<(f64, Vec<f64>)>,
    /// The ground speed at which planted feet do not slide, in metres per second.
    pub(crate) speed: f64,
    /// The turn of the root in degrees to the left, from the first key to the last.
    pub(crate) turn: f64,
    /// Named moments, in seconds.
    pub(crate) markers: &'static [(f64, &'static str)],
}

impl Track {
    /// The pose of a key.
    fn pose(&self, joints: &[Joint], key: usize) -> Pose {
        let mut pose = Pose::rest(joints);
        for j in 0..joints.len() {
            if let Some(keys) = &self.rotations[j] {
                pose.rotation[j] = keys[key];
            }
            if let Some(keys) = &self.translations[j] {
                pose.shift[j] = keys[key] - local(joints, j);
            }
            if let Some(keys) = &self.scales[j] {
                pose.scale[j] = keys[key];
            }
        }
        pose
    }
}

/// A clip before sampling, of a character with the controls `C` and `T` morph targets.
pub(crate) struct Clip<C: 'static, const T: usize> {
    pub(crate) name: &'static str,
    pub(crate) duration: f64,
    /// Steps between the first key and the last: a multiple of four.
    pub(crate) steps: u32,
    pub(crate) pose: fn(f64) -> C,
    pub(crate) face: &'static [(f64, [f64; T])],
    pub(crate) speed: f64,
    pub(crate) markers: &'static [(f64, &'static str)],
    /// The effect of the air on ears, tails and cloth, as an acceleration.
    pub(crate) wind: DVec3,
    /// `true` for a clip that begins and ends in the first pose of the idle clip, `false` for a loop.
    pub(crate) once: bool,
    pub(crate) turn: f64,
}

/// The time in which a one-shot clip leaves the idle pose, and returns to it.
const EASE: f64 = 0.2;

/// The moving parts of a character with the controls `C`.
pub(crate) struct Rig<C> {
    pub(crate) joints: &'static [Joint],
    /// Solves controls to joint transforms.
    pub(crate) solve: fn(&C) -> Pose,
    pub(crate) springs: &'static [springs::Chain],
    /// The joint that carries the springs, and the share of its translation that they follow directly.
    pub(crate) carrier: (usize, f64),
}

/// A smooth step from 0 to 1 and back that starts at `a` and ends at `d`, and stays at 1 from `b` to `c`.
pub(crate) fn hold(t: f64, a: f64, b: f64, c: f64, d: f64) -> f64 {
    curve(t, &[(a, 0.0), (b, 1.0), (c, 1.0), (d, 0.0)])
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

impl<C> Rig<C> {
    /// Samples the clips; the first one is the idle clip.
    pub(crate) fn tracks<const T: usize>(&self, clips: &[Clip<C, T>]) -> Vec<Track> {
        let mut tracks: Vec<Track> = Vec::new();
        for clip in clips {
            let keys = match tracks.first() {
                Some(idle) if clip.once => self.once(clip, &idle.pose(self.joints, 0)),
                _ => self.looped(clip),
            };
            tracks.push(self.track(clip, &keys));
        }
        tracks
    }

    /// The substeps per key and their duration: a step of the springs is about 1/240 s.
    fn substeps<const T: usize>(clip: &Clip<C, T>) -> (u32, f64) {
        let per_key = ((clip.duration / f64::from(clip.steps)) * 240.0).ceil() as u32;
        (per_key, clip.duration / f64::from(clip.steps * per_key))
    }

    /// The keys of a loop: runs the springs until they are periodic.
    fn looped<const T: usize>(&self, clip: &Clip<C, T>) -> Vec<Pose> {
        let (per_key, dt) = Self::substeps(clip);
        let mut springs = Springs::new(self.springs, self.carrier, clip.wind);
        let cycles = (5.0 / clip.duration).ceil() as u32;
        let mut keys: Vec<Pose> = Vec::new();
        for cycle in 0..=cycles {
            for i in 0..clip.steps * per_key {
                let mut pose = (self.solve)(&(clip.pose)(f64::from(i) * dt));
                springs.advance(self.joints, &mut pose, dt);
                if cycle == cycles && i % per_key == 0 {
                    keys.push(pose);
                }
            }
        }
        // The last key equals the first, so that the clip loops.
        keys.push(keys[0].clone());
        keys
    }

    /// The keys of a one-shot clip: the springs start at rest, and both ends are blended with the idle pose.
    fn once<const T: usize>(&self, clip: &Clip<C, T>, idle: &Pose) -> Vec<Pose> {
        let (per_key, dt) = Self::substeps(clip);
        let mut springs = Springs::new(self.springs, self.carrier, clip.wind);
        let start = (self.solve)(&(clip.pose)(0.0));
        for _ in 0..480 {
            springs.advance(self.joints, &mut start.clone(), dt);
        }
        let mut keys: Vec<Pose> = Vec::new();
        for i in 0..=clip.steps * per_key {
            let t = f64::from(i) * dt;
            let mut pose = (self.solve)(&(clip.pose)(t));
            springs.advance(self.joints, &mut pose, dt);
            if i % per_key == 0 {
                let end = clip.duration - EASE;
                pose.blend(idle, smoothstep(EASE, 0.0, t).max(smoothstep(end, clip.duration, t)));
                keys.push(pose);
            }
        }
        keys
    }

    fn track<const T: usize>(&self, clip: &Clip<C, T>, keys: &[Pose]) -> Track {
        let times = (0..=clip.steps).map(|i| clip.duration * f64::from(i) / f64::from(clip.steps)).collect();
        let moves = |far: &dyn Fn(&Pose) -> f64| keys.iter().any(|k| far(k) > 1e-3);
        let mut rotations = Vec::new();
        let mut translations = Vec::new();
        let mut scales = Vec::new();
        for j in 0..self.joints.len() {
            rotations.push(moves(&|k| 1.0 - k.rotation[j].w.abs() + k.rotation[j].xyz().length()).then(
                || {
                    let mut before = DQuat::IDENTITY;
                    keys.iter()
                        .map(|k| {
                            let q = k.rotation[j];
                            before = if q.dot(before) < 0.0 { -q } else { q };
                            before
                        })
                        .collect()
                },
            ));
            translations.push(
                moves(&|k| k.shift[j].length())
                    .then(|| keys.iter().map(|k| local(self.joints, j) + k.shift[j]).collect()),
            );
            scales.push(
                moves(&|k| (k.scale[j] - DVec3::ONE).length())
                    .then(|| keys.iter().map(|k| k.scale[j]).collect()),
            );
        }
        Track {
            name: clip.name,
            times,
            rotations,
            translations,
            scales,
            face: clip.face.iter().map(|(time, weights)| (*time, weights.to_vec())).collect(),
            speed: clip.speed,
            turn: clip.turn,
            markers: clip.markers,
        }
    }
}
