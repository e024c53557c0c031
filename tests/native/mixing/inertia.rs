//! Inertial transitions: their definition, their smoothness, and their end.

use super::model::{Exact, Motion, Q, angle, conjugate, dot, product, scaled, unit};
use crate::common::models::sample;
use crate::common::random::Random;
use gambol::animation::{Contribution, Inertia, JointMask, LayerMode, Mix, Mixer, Pose, Reference, Rig};
use gambol::model::{ClipId, Model, NodeId, Path};
use std::rc::Rc;
use std::sync::Arc;

const DELTA: f64 = 1.0 / 1024.0;
const MOTION: Motion = Motion { channels: 0.7, spread: 0.6, smooth: true, keys: 61, rate: 60.0 };

fn only(clip: usize, time: f64) -> Mix {
    let mut mix = Mix::default();
    let contribution = Contribution { clip: ClipId::new(clip), time, weight: 1.0 };
    mix.push(LayerMode::Override, 1.0, None, std::iter::once(contribution));
    mix
}

fn evaluate(rig: &Rig, mix: &Mix) -> Pose {
    let mut pose = rig.rest_pose().clone();
    Mixer::new().evaluate(rig, mix, &mut pose);
    pose
}

/// `tan(angle / 4) · axis` with the host's trigonometry.
fn rodrigues(q: Q) -> [f64; 3] {
    let [x, y, z, w] = q;
    let length = (x * x + y * y + z * z).sqrt();
    let angle = 2.0 * length.atan2(w);
    let factor = if length > 0.0 { (angle / 4.0).tan() / length } else { 0.5 };
    [x * factor, y * factor, z * factor]
}

fn quaternion(m: [f64; 3]) -> Q {
    let length = m.iter().map(|x| x * x).sum::<f64>().sqrt();
    let half = 2.0 * length.atan();
    let factor = if length > 0.0 { half.sin() / length } else { 2.0 };
    [m[0] * factor, m[1] * factor, m[2] * factor, half.cos()]
}

/// A quintic with `value`, `velocity` and acceleration 0 at time 0, and value, velocity and acceleration 0 at
/// `duration`. Its conditions give, with u = 1 − s, u³ (a + b s + c s²).
fn fade(value: f64, velocity: f64, t: f64, duration: f64) -> f64 {
    let s = t / duration;
    let a = value;
    // f' = −3a + b, f'' = 6a − 6b + 2c at s = 0.
    let b = velocity * duration + 3.0 * a;
    let c = 3.0 * b - 3.0 * a;
    (1.0 - s).powi(3) * (a + b * s + c * s * s)
}

/// The transition in f64, by its definition.
fn exact(
    before: [&Exact; 2],
    after: [&Exact; 2],
    now: &Exact,
    t: f64,
    duration: f64,
    yes_or_no: &[usize],
) -> Exact {
    let number_in = |p: [f64; 2], q: [f64; 2], duration: f64| {
        let (value, next) = (p[0] - q[0], p[1] - q[1]);
        if t < duration { fade(value, (next - value) / DELTA, t, duration) } else { 0.0 }
    };
    let number = |p: [f64; 2], q: [f64; 2]| number_in(p, q, duration);
    let mut pose = now.clone();
    for node in 0..now.rotations.len() {
        for v in 0..2 {
            for i in 0..3 {
                let of = |poses: [&Exact; 2]| poses.map(|pose| pose.vectors[node][v][i]);
                pose.vectors[node][v][i] += number(of(before), of(after));
            }
        }
        let turn = |i: usize| unit(product(before[i].rotations[node], conjugate(after[i].rotations[node])));
        let first = turn(0);
        let first = if first[3] < 0.0 { scaled(first, -1.0) } else { first };
        let second = turn(1);
        let second = if dot(first, second) < 0.0 { scaled(second, -1.0) } else { second };
        let (value, next) = (rodrigues(first), rodrigues(second));
        let m = std::array::from_fn(|i| fade(value[i], (next[i] - value[i]) / DELTA, t, duration));
        pose.rotations[node] = unit(product(quaternion(m), pose.rotations[node]));
    }
    for at in 0..now.weights.len() {
        let of = |poses: [&Exact; 2]| poses.map(|pose| pose.weights[at]);
        pose.weights[at] += number_in(of(before), of(after), duration.min(0.1));
    }
    for at in (0..now.properties.len()).filter(|at| !yes_or_no.contains(at)) {
        let of = |poses: [&Exact; 2]| poses.map(|pose| pose.properties[at]);
        pose.properties[at] += number(of(before), of(after));
    }
    pose
}

/// Walk and run in the same phase, a masked clip over them, and an additive one: `phase` runs from 0 to 1.
fn rich(model: &Model, mask: &Rc<JointMask>, phase: f64, run: f32) -> Mix {
    let duration = |clip: usize| f64::from(model.clips[clip].duration);
    let part = |clip: usize, weight: f32| Contribution {
        clip: ClipId::new(clip),
        time: phase * duration(clip),
        weight,
    };
    let mut mix = Mix::default();
    mix.push(LayerMode::Override, 1.0, None, [part(0, 1.0 - run), part(1, run)].into_iter());
    mix.push(LayerMode::Override, 0.8, Some(mask), std::iter::once(part(2, 1.0)));
    let reference = LayerMode::Additive(Reference::Clip(ClipId::new(3), 0.0));
    mix.push(reference, 0.6, Some(mask), std::iter::once(part(3, 1.0)));
    mix
}

#[test]
fn inertia_agrees_with_the_definition_on_random_mixes() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let nodes = 1 + random.below(13);
        let model = super::model::model(&mut random, nodes, &MOTION);
        let rig = Rig::new(&model);
        let weights: Vec<f32> = (0..nodes).map(|_| random.unit() as f32).collect();
        let mask = Rc::new(JointMask::new(&weights));
        let (phase, duration) = (0.8 * random.unit(), 0.2 + random.unit());
        let before = [phase, phase + DELTA].map(|phase| evaluate(&rig, &rich(&model, &mask, phase, 0.3)));
        let new = |t: f64| evaluate(&rig, &only(2, 0.1 + t));
        let after = [new(0.0), new(DELTA)];
        let mut inertia = Inertia::new();
        inertia.start(&rig, 10.0, duration, DELTA, [&before[0], &before[1]], [&after[0], &after[1]]);
        let yes_or_no: Vec<usize> = rig.layout.properties.visible().map(|(_, at)| at).collect();
        let wide = |pose: &Pose| Exact::of(pose, nodes);
        let (b, a) = (before.each_ref().map(wide), after.each_ref().map(wide));
        for step in 0..20 {
            let t = duration * f64::from(step) / 20.0;
            let plain = new(t);
            let mut pose = plain.clone();
            assert!(inertia.is_active(10.0 + t));
            inertia.apply(10.0 + t, &mut pose);
            let want = exact(b.each_ref(), a.each_ref(), &wide(&plain), t, duration, &yes_or_no);
            let distance = wide(&pose).distance(&want);
            // A velocity is the difference of four numbers around 1, each with an error of half a unit of 24 bits,
            // divided by δ. Its largest effect is its product with 0.2 times the duration.
            let noise = 4.0 * f64::from(f32::EPSILON) / DELTA * 0.2 * duration;
            assert!(distance < 1e-5 + noise, "{seed} {t} {distance:e}");
            if step == 0 {
                let mut displayed = wide(&before[0]);
                displayed.properties.clone_from(&wide(&pose).properties);
                assert!(wide(&pose).distance(&displayed) < 3e-6, "it begins with what is displayed");
            }
        }
        for clock in [10.0 + duration, 10.0 + duration + 1e-9, 20.0, 1e9] {
            let plain = new(clock - 10.0);
            let mut pose = plain.clone();
            inertia.apply(clock, &mut pose);
            assert!(pose == plain && !inertia.is_active(clock), "nothing is left of it");
        }
    }
}

#[test]
fn inertia_blends_morph_weights_in_a_tenth_of_a_second_and_joints_in_the_whole_duration() {
    let model = super::model::model(&mut Random(11), 6, &MOTION);
    let rig = Rig::new(&model);
    let open = evaluate(&rig, &only(0, 0.5));
    let mut shut = evaluate(&rig, &only(1, 0.5));
    // The eyes were closing at the time of the change.
    shut.weights.iter_mut().for_each(|weight| *weight = 0.9);
    let mut closing = shut.clone();
    closing.weights.iter_mut().for_each(|weight| *weight += 8.0 * DELTA as f32);
    assert!(!open.weights.is_empty(), "the model has morph targets");
    let mut inertia = Inertia::new();
    inertia.start(&rig, 5.0, 0.35, DELTA, [&shut, &closing], [&open, &open]);
    let at = |t: f64| {
        let mut pose = open.clone();
        inertia.apply(5.0 + t, &mut pose);
        pose
    };
    assert!(at(0.0).weights.iter().zip(&shut.weights).all(|(a, b)| (a - b).abs() < 1e-6), "no jump");
    assert_ne!(at(0.09).weights, open.weights, "it is no cut");
    assert_eq!(at(0.1).weights, open.weights);
    let moved = (0..model.nodes.len()).map(NodeId::new).any(|node| at(0.34).get(node) != open.get(node));
    assert!(moved, "joints keep their inertia");
}

#[test]
fn inertia_without_a_valid_duration_does_nothing() {
    let model = super::model::model(&mut Random(2), 5, &MOTION);
    let rig = Rig::new(&model);
    let [p, q] = [0, 1].map(|clip| evaluate(&rig, &only(clip, 0.2)));
    let mut inertia = Inertia::new();
    for (duration, delta) in
        [(0.0, DELTA), (-1.0, DELTA), (f64::NAN, DELTA), (f64::INFINITY, DELTA), (1.0, 0.0), (1.0, f64::NAN)]
    {
        inertia.start(&rig, 0.0, duration, delta, [&p, &p], [&q, &q]);
        let mut pose = q.clone();
        inertia.apply(0.0, &mut pose);
        assert!(pose == q && !inertia.is_active(0.0), "{duration} {delta}");
    }
    inertia.start(&rig, 1.0, 1.0, DELTA, [&p, &p], [&q, &q]);
    let (mut early, mut start) = (q.clone(), q.clone());
    inertia.apply(-5.0, &mut early);
    inertia.apply(1.0, &mut start);
    assert!(early == start && start != q, "before its start it is as at its start");
    inertia.clear();
    let mut pose = q.clone();
    inertia.apply(1.0, &mut pose);
    assert_eq!(pose, q);
}

/// Playback on a timeline: one clip at a time, with inertial transitions at any moment, like an actor.
struct Show<'a> {
    model: &'a Model,
    rig: &'a Rig,
    mixer: Mixer,
    inertia: Inertia,
    /// The clip, and the time of its start.
    playing: (usize, f64),
}

impl Show<'_> {
    fn plain(&mut self, (clip, start): (usize, f64), now: f64) -> Pose {
        let duration = f64::from(self.model.clips[clip].duration);
        let mut pose = self.rig.rest_pose().clone();
        self.mixer.evaluate(self.rig, &only(clip, (now - start).rem_euclid(duration)), &mut pose);
        pose
    }

    fn displayed(&mut self, playing: (usize, f64), now: f64) -> Pose {
        let mut pose = self.plain(playing, now);
        self.inertia.apply(now, &mut pose);
        pose
    }

    fn change(&mut self, clip: usize, start: f64, now: f64, duration: f64) {
        let old = self.playing;
        let before = [now, now + DELTA].map(|time| self.displayed(old, time));
        self.playing = (clip, start);
        let after = [now, now + DELTA].map(|time| self.plain((clip, start), time));
        let pairs = ([&before[0], &before[1]], [&after[0], &after[1]]);
        self.inertia.start(self.rig, now, duration, DELTA, pairs.0, pairs.1);
    }
}

/// The distance and the angle that each node moved.
fn steps(a: &Exact, b: &Exact) -> Vec<[f64; 2]> {
    let far = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let vectors = a.vectors.iter().zip(&b.vectors).map(|(a, b)| far(a[0], b[0]));
    let turns = a.rotations.iter().zip(&b.rotations).map(|(a, b)| angle(*a, *b));
    vectors.zip(turns).map(|(far, turn)| [far, turn]).collect()
}

/// Interrupts at random times. An interruption affects three steps of each joint, in metres and radians: the one before
/// it, the one after it, and the next. Each is compared with the larger of: the displayed steps before and after it,
/// and the steps of the two clips at the time. Returns the largest ratio, and the number of interruptions.
fn interrupt(model: &Model, random: &mut Random, frames: usize) -> (f64, usize) {
    let rig = Rig::new(model);
    let nodes = model.nodes.len();
    let mut show = Show { model, rig: &rig, mixer: Mixer::new(), inertia: Inertia::new(), playing: (0, 0.0) };
    let frame = 1.0 / 240.0;
    // The displayed poses, and for each frame the steps of the clips before and after a change.
    let mut displayed: Vec<Exact> = Vec::new();
    let mut clips: Vec<Vec<[f64; 2]>> = Vec::new();
    let (mut changes, mut again) = (Vec::new(), false);
    for i in 0..frames {
        let now = 3.0 + frame * i as f64;
        let mut playing = vec![show.playing];
        // Single changes, changes in successive frames, and changes in the same frame.
        if i > 2 && (again || random.chance(0.05)) {
            again = random.chance(0.4);
            changes.push(i);
            let shown = Exact::of(&show.displayed(show.playing, now), nodes);
            for _ in 0..1 + random.below(2) {
                let clip = random.below(model.clips.len());
                let start = now - random.unit() * f64::from(model.clips[clip].duration);
                show.change(clip, start, now, 0.1 + 0.5 * random.unit());
                playing.push(show.playing);
            }
            let after = Exact::of(&show.displayed(show.playing, now), nodes);
            for [far, turn] in steps(&shown, &after) {
                assert!(far < 1e-5 && turn < 1e-5, "what is displayed does not jump: {far:e} {turn:e}");
            }
        }
        displayed.push(Exact::of(&show.displayed(show.playing, now), nodes));
        let mut largest = vec![[0.0_f64; 2]; nodes];
        // For the old clip this includes its next step: its current velocity is the one that is kept.
        let ends = [(playing[0], now + frame)].into_iter().chain(playing.into_iter().map(|clip| (clip, now)));
        for (playing, end) in ends {
            let [a, b] = [end - frame, end].map(|time| Exact::of(&show.plain(playing, time), nodes));
            for (largest, step) in largest.iter_mut().zip(steps(&a, &b)) {
                *largest = [largest[0].max(step[0]), largest[1].max(step[1])];
            }
        }
        clips.push(largest);
    }
    // `moved[i]` leads to frame `i + 1`.
    let moved: Vec<_> = displayed.windows(2).map(|pair| steps(&pair[0], &pair[1])).collect();
    let mut worst = 0.0_f64;
    for &change in &changes {
        for step in change - 1..(change + 2).min(moved.len() - 1) {
            for node in 0..nodes {
                for kind in 0..2 {
                    let neighbours = [
                        moved[step - 1][node][kind],
                        moved[step + 1][node][kind],
                        clips[step][node][kind],
                        clips[step + 1][node][kind],
                    ];
                    let ratio = moved[step][node][kind] / neighbours.into_iter().fold(NOISE, f64::max);
                    worst = worst.max(ratio);
                }
            }
        }
    }
    (worst, changes.len())
}

/// An invisible step, in metres and radians.
const NOISE: f64 = 1e-4;

#[test]
fn inertia_has_no_pops_when_interrupted_on_random_characters() {
    let (mut worst, mut count) = (0.0_f64, 0);
    for seed in 0..20 {
        let mut random = Random(100 + seed);
        let nodes = 3 + random.below(8);
        let model = super::model::model(&mut random, nodes, &MOTION);
        let (ratio, interruptions) = interrupt(&model, &mut random, 600);
        (worst, count) = (worst.max(ratio), count + interruptions);
    }
    assert!(count > 300);
    assert!(worst <= 1.2, "{worst}");
}

#[test]
fn inertia_has_no_pops_when_interrupted_on_the_sample_character() {
    let model = sample();
    let (worst, count) = interrupt(&model, &mut Random(77), 1500);
    assert!(count > 60);
    assert!(worst <= 1.2, "{worst}");
}

#[test]
fn inertia_ends_for_rotations_beyond_half_a_turn() {
    // Half a turn apart, and rotating away from each other: the offset passes through half a turn.
    let mut model = super::model::model(&mut Random(4), 2, &MOTION);
    model.clips.truncate(1);
    Arc::make_mut(&mut model.clips[0]).channels.retain(|channel| channel.path == Path::Rotation);
    let rig = Rig::new(&model);
    let turned = |angle: f32| {
        let mut pose = rig.rest_pose().clone();
        let mut transform = pose.get(NodeId::new(0));
        transform.rotation = glam::Quat::from_rotation_y(angle);
        pose.set(NodeId::new(0), transform);
        pose
    };
    let mut inertia = Inertia::new();
    let pi = std::f32::consts::PI;
    let (p, q) = ([turned(pi - 0.003), turned(pi + 0.004)], [turned(0.0), turned(0.0)]);
    inertia.start(&rig, 0.0, 0.5, DELTA, [&p[0], &p[1]], [&q[0], &q[1]]);
    let mut last = Exact::of(&p[0], 2);
    for i in 0..=500 {
        let mut pose = q[0].clone();
        inertia.apply(f64::from(i) * 1e-3, &mut pose);
        let now = Exact::of(&pose, 2);
        let step = angle(last.rotations[0], now.rotations[0]);
        assert!(step < 0.02, "{i} {step}");
        last = now;
    }
    assert!(angle(last.rotations[0], Exact::of(&q[0], 2).rotations[0]) < 1e-6);
}
