//! Inertial transitions: their definition, their smoothness, and their end.

use super::model::{Exact, Motion, Q, angle, conjugate, dot, product, scaled, unit};
use crate::common::models::sample;
use crate::common::random::Random;
use gambol::animation::{
    COAST, Change, Contribution, Inertia, JointMask, LayerMode, Mix, Mixer, PROBE, Pose, Reference, Rig,
};
use gambol::model::{ClipId, Model, NodeId, Path};
use std::rc::Rc;
use std::sync::Arc;

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

/// A quintic from 1 to 0 with velocity and acceleration 0 at both ends: 1 − 10s³ + 15s⁴ − 6s⁵.
fn fade(t: f64, duration: f64) -> f64 {
    let s = (t / duration).min(1.0);
    1.0 - s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s)
}

/// The time of the old motion `t` seconds after the change: its speed goes evenly from 1 to 0.
fn coasted(t: f64, duration: f64) -> f64 {
    let brake = duration.min(2.0 * COAST[3]);
    let steps = 1000;
    let step = t.min(brake) / f64::from(steps);
    (0..steps).map(|i| step * (1.0 - step * (f64::from(i) + 0.5) / brake)).sum()
}

/// The transition in f64, by its definition. `old`: the poses of the old motion.
fn exact(old: &[Exact; 4], first: &Exact, now: &Exact, t: f64, duration: f64, yes_or_no: &[usize]) -> Exact {
    let time = coasted(t, duration);
    let next = (1..3).find(|&i| time < COAST[i]).unwrap_or(3);
    let part = (time - COAST[next - 1]) / (COAST[next] - COAST[next - 1]);
    // Equal numbers stay as they are, also huge ones.
    let mixed = |from: f64, to: f64, part: f64| from + (to - from) * part;
    let blended = |of: &dyn Fn(&Exact) -> f64, duration: f64| {
        mixed(of(now), mixed(of(&old[next - 1]), of(&old[next]), part), fade(t, duration))
    };
    let mut pose = now.clone();
    for node in 0..now.rotations.len() {
        for v in 0..2 {
            for i in 0..3 {
                pose.vectors[node][v][i] = blended(&|pose| pose.vectors[node][v][i], duration);
            }
        }
        let mut turns = vec![unit(old[0].rotations[node])];
        for pose in &old[1..] {
            let turn = unit(pose.rotations[node]);
            let last = turns[turns.len() - 1];
            turns.push(if dot(turn, last) < 0.0 { scaled(turn, -1.0) } else { turn });
        }
        let old = std::array::from_fn(|i| turns[next - 1][i] * (1.0 - part) + turns[next][i] * part);
        let shorter = |q: Q, than: f64| if than < 0.0 { scaled(q, -1.0) } else { q };
        let arc = unit(product(turns[0], conjugate(first.rotations[node])));
        let arc = shorter(arc, arc[3]);
        let turn = unit(product(unit(old), conjugate(now.rotations[node])));
        let near = dot(turn, arc);
        let [x, y, z, w] = shorter(turn, near);
        // An angle beyond half a turn falls again.
        let turn = rodrigues([x, y, z, w.abs()]);
        let rest = fade(t, duration) * (2.0 * near.abs()).min(1.0);
        pose.rotations[node] = unit(product(quaternion(turn.map(|part| part * rest)), now.rotations[node]));
    }
    for at in 0..now.weights.len() {
        pose.weights[at] = blended(&|pose| pose.weights[at], duration.min(0.1));
    }
    for at in (0..now.properties.len()).filter(|at| !yes_or_no.contains(at)) {
        pose.properties[at] = blended(&|pose| pose.properties[at], duration);
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
        let before = COAST.map(|time| evaluate(&rig, &rich(&model, &mask, phase + time, 0.3)));
        let new = |t: f64| evaluate(&rig, &only(2, 0.1 + t));
        let after = new(0.0);
        let mut inertia = Inertia::new();
        inertia.start(&rig, 10.0, duration, &before, &after);
        let yes_or_no: Vec<usize> = rig.layout.properties.visible().map(|(_, at)| at).collect();
        let wide = |pose: &Pose| Exact::of(pose, nodes);
        let (b, a) = (before.each_ref().map(wide), wide(&after));
        for step in 0..20 {
            let t = duration * f64::from(step) / 20.0;
            let plain = new(t);
            let mut pose = plain.clone();
            assert!(inertia.is_active(10.0 + t));
            inertia.apply(10.0 + t, &mut pose);
            let want = exact(&b, &a, &wide(&plain), t, duration, &yes_or_no);
            let distance = wide(&pose).distance(&want);
            assert!(distance < 1e-5, "{seed} {t} {distance:e}");
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
    let closing = COAST.map(|time| {
        shut.weights.iter_mut().for_each(|weight| *weight = 0.9 + 8.0 * time as f32);
        shut.clone()
    });
    assert!(!open.weights.is_empty(), "the model has morph targets");
    let mut inertia = Inertia::new();
    inertia.start(&rig, 5.0, 0.35, &closing, &open);
    let at = |t: f64| {
        let mut pose = open.clone();
        inertia.apply(5.0 + t, &mut pose);
        pose
    };
    assert!(at(0.0).weights.iter().zip(&closing[0].weights).all(|(a, b)| (a - b).abs() < 1e-6), "no jump");
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
    let old = [p.clone(), p.clone(), p.clone(), p];
    for (duration, poses) in [(0.0, 4), (-1.0, 4), (f64::NAN, 4), (f64::INFINITY, 4), (1.0, 0), (1.0, 3)] {
        inertia.start(&rig, 0.0, duration, &old[..poses], &q);
        let mut pose = q.clone();
        inertia.apply(0.0, &mut pose);
        assert!(pose == q && !inertia.is_active(0.0), "{duration} {poses}");
    }
    inertia.start(&rig, 1.0, 1.0, &old, &q);
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
        let mix = |(clip, start): (usize, f64), time: f64| {
            only(clip, (time - start).rem_euclid(f64::from(self.model.clips[clip].duration)))
        };
        let old = self.playing;
        self.playing = (clip, start);
        let mut change = Change {
            cut: false,
            at: now,
            duration,
            before: COAST.map(|time| mix(old, now + time)),
            probe: mix(old, now + PROBE),
            after: mix(self.playing, now),
        };
        self.inertia.change(self.rig, &mut self.mixer, &mut change);
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

/// The old motion is known at four times only, so the speed changes where its curve is bent. A pop would be a ratio of
/// hundreds.
const LARGEST_RATIO: f64 = 2.0;

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
    assert!(worst <= LARGEST_RATIO, "{worst}");
}

#[test]
fn inertia_has_no_pops_when_interrupted_on_the_sample_character() {
    let model = sample();
    let (worst, count) = interrupt(&model, &mut Random(77), 1500);
    assert!(count > 60);
    assert!(worst <= LARGEST_RATIO, "{worst}");
}

/// A model of two nodes, and its rest pose with the first node turned about Y.
fn spinner() -> (Rig, impl Fn(f64) -> Pose) {
    let mut model = super::model::model(&mut Random(4), 2, &MOTION);
    model.clips.truncate(1);
    Arc::make_mut(&mut model.clips[0]).channels.retain(|channel| channel.path == Path::Rotation);
    let rig = Rig::new(&model);
    let rest = rig.rest_pose().clone();
    let turned = move |angle: f64| {
        let mut pose = rest.clone();
        let mut transform = pose.get(NodeId::new(0));
        transform.rotation = glam::Quat::from_rotation_y(angle as f32);
        pose.set(NodeId::new(0), transform);
        pose
    };
    (rig, turned)
}

#[test]
fn inertia_has_no_pops_for_rotations_beyond_half_a_turn() {
    let (rig, turned) = spinner();
    let pi = std::f64::consts::PI;
    // The old and the new angle at the change, and their speeds in radians per second.
    for (old, new, speeds) in [
        // Half a turn apart, and rotating away from each other.
        (pi - 0.003, 0.0, [4.0, 0.0]),
        (pi - 0.003, 0.0, [4.0, -4.0]),
        // A wheel that stands still begins to spin, and the reverse.
        (0.0, 0.0, [0.0, 25.0]),
        (0.0, 1.0, [25.0, 0.0]),
        (0.0, 3.0, [-25.0, 25.0]),
    ] {
        let mut inertia = Inertia::new();
        inertia.start(&rig, 0.0, 0.5, &COAST.map(|time| turned(old + speeds[0] * time)), &turned(new));
        let mut last = Exact::of(&turned(old), 2);
        for i in 0..=2000 {
            let t = f64::from(i) * 0.25e-3;
            let mut pose = turned(new + speeds[1] * t);
            inertia.apply(t, &mut pose);
            let now = Exact::of(&pose, 2);
            let step = angle(last.rotations[0], now.rotations[0]);
            // 160 radians per second, while the wheels turn by 50 against each other. A jump would be a step of radians.
            assert!(step < 0.04, "{old} {new} {speeds:?}: step {i} of {step}");
            last = now;
        }
        let end = Exact::of(&turned(new + speeds[1] * 0.5), 2);
        assert!(angle(last.rotations[0], end.rotations[0]) < 1e-6);
    }
}
