//! Inertial transitions between the clips of the sample characters do not overshoot: joints stay in the range of both clips.

use gambol::animation::{Actor, LoopMode, Rig};
use gambol::import::{NoResolver, import};
use gambol::model::{ClipId, Model, NodeId};
use glam::{DQuat, DVec3};
use std::rc::Rc;

/// The largest excess of a position in metres, and of an angle in degrees.
const LIMITS: [f64; 2] = [0.003, 2.0];
const PHASES: usize = 12;
const DURATION: f64 = 0.3;
/// Seconds between two compared frames.
const FRAME: f64 = 1.0 / 240.0;

/// The local position and rotation of each node.
type Frame = Vec<(DVec3, DQuat)>;

fn frame(actor: &Actor, nodes: usize) -> Frame {
    let of = |node: usize| {
        let transform = actor.pose().get(NodeId::new(node));
        (transform.translation.as_dvec3(), transform.rotation.as_dquat().normalize())
    };
    (0..nodes).map(of).collect()
}

/// The frames of a clip, two passes long.
fn frames(model: &Model, rig: &Rc<Rig>, clip: usize) -> Vec<Frame> {
    let mut actor = Actor::new(model, Rc::clone(rig));
    let steps = (f64::from(model.clips[clip].duration) / FRAME) as usize;
    let at = |step: usize| {
        actor.update_to(Some(ClipId::new(clip)), step as f64 * FRAME);
        frame(&actor, model.nodes.len())
    };
    (0..=steps).map(at).collect()
}

/// The rotation vector of a rotation, at most half a turn long.
fn vector(rotation: DQuat) -> DVec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let part = rotation.xyz();
    let sine = part.length();
    if sine < 1e-9 { 2.0 * part } else { part * (2.0 * sine.atan2(rotation.w) / sine) }
}

#[derive(Clone, Copy)]
struct Range(DVec3, DVec3);

impl Range {
    const NOTHING: Self = Self(DVec3::INFINITY, DVec3::NEG_INFINITY);

    fn with(self, value: DVec3) -> Self {
        Self(self.0.min(value), self.1.max(value))
    }

    /// The distance of a value from the range.
    fn excess(self, value: DVec3) -> f64 {
        (self.0 - value).max(value - self.1).max(DVec3::ZERO).length()
    }
}

/// The range of a node in some frames: of its positions, and of its rotations from their mean.
struct Hull {
    mean: DQuat,
    ranges: [Range; 2],
    /// The largest steps.
    steps: [f64; 2],
}

impl Hull {
    fn new(clips: [&[Frame]; 2], node: usize) -> Self {
        let all = || clips.into_iter().flatten().map(|frame| frame[node]);
        let sum = all().fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, (_, rotation)| {
            if sum.dot(rotation) < 0.0 { sum - rotation } else { sum + rotation }
        });
        let mean = sum.normalize();
        let ranges = all().fold([Range::NOTHING; 2], |[places, turns], (place, rotation)| {
            [places.with(place), turns.with(vector(mean.inverse() * rotation))]
        });
        let steps =
            clips.into_iter().flat_map(|clip| clip.windows(2)).map(|pair| step(pair[0][node], pair[1][node]));
        let steps =
            steps.fold([0.0_f64; 2], |largest, step| [largest[0].max(step[0]), largest[1].max(step[1])]);
        Self { mean, ranges, steps }
    }

    /// The distance and the angle in degrees by which a node leaves the range.
    fn excess(&self, (place, rotation): (DVec3, DQuat)) -> [f64; 2] {
        let turn = self.ranges[1].excess(vector(self.mean.inverse() * rotation));
        [self.ranges[0].excess(place), turn.to_degrees()]
    }
}

fn step(a: (DVec3, DQuat), b: (DVec3, DQuat)) -> [f64; 2] {
    [a.0.distance(b.0), vector(a.1.inverse() * b.1).length()]
}

/// Changes from one clip to another at each phase; returns the largest excess, and the largest ratio of a step to the bound
/// of its size.
fn transitions(model: &Model, rig: &Rc<Rig>, clips: [usize; 2]) -> ([f64; 2], f64) {
    let nodes = model.nodes.len();
    let [from, to] = clips.map(|clip| frames(model, rig, clip));
    let hulls: Vec<Hull> = (0..nodes).map(|node| Hull::new([&from, &to], node)).collect();
    let (mut excess, mut ratio) = ([0.0_f64; 2], 0.0_f64);
    for phase in 0..PHASES {
        let mut actor = Actor::new(model, Rc::clone(rig));
        actor.player.set_loop_mode(LoopMode::Repeat);
        actor.player.play(Some(ClipId::new(clips[0])));
        actor.player.presented();
        actor.player.advance(f64::from(model.clips[clips[0]].duration) * phase as f64 / PHASES as f64);
        actor.update();
        let mut last = frame(&actor, nodes);
        let start = last.clone();
        actor.player.play(Some(ClipId::new(clips[1])));
        actor.update();
        for (shown, last) in frame(&actor, nodes).into_iter().zip(&last) {
            let [far, turn] = step(shown, *last);
            assert!(far < 1e-5 && turn < 1e-4, "the change begins with what is displayed: {far} {turn}");
        }
        let mut time = 0.0;
        while time < DURATION + FRAME {
            time += FRAME;
            actor.player.advance(FRAME);
            actor.update();
            let now = frame(&actor, nodes);
            for node in 0..nodes {
                let out = hulls[node].excess(now[node]);
                excess = [excess[0].max(out[0]), excess[1].max(out[1])];
                // The steps of the clips, and the largest slope of the fade between two poses.
                let apart =
                    to.iter().take((time / FRAME) as usize + 2).map(|new| step(start[node], new[node]));
                let apart = apart.fold([0.0_f64; 2], |all, one| [all[0].max(one[0]), all[1].max(one[1])]);
                let moved = step(last[node], now[node]);
                for kind in 0..2 {
                    let coast = hulls[node].steps[kind] * 0.15 / FRAME;
                    let fade = (apart[kind] + coast) * 1.875 * FRAME / DURATION;
                    ratio = ratio.max(moved[kind] / (hulls[node].steps[kind] + fade + 1e-4));
                }
            }
            last = now;
        }
    }
    (excess, ratio)
}

fn clip(model: &Model, name: &str) -> usize {
    model.clips.iter().position(|clip| clip.name == name).unwrap_or_else(|| panic!("the clip {name}"))
}

#[test]
fn inertia_keeps_joints_of_pip_in_the_range_of_both_clips() {
    keeps_joints_in_the_range_of_both_clips(0..1);
}

#[test]
#[ignore = "takes seconds: cargo xtask test --all"]
fn inertia_keeps_joints_of_all_characters_in_the_range_of_both_clips() {
    keeps_joints_in_the_range_of_both_clips(1..3);
}

/// Checks transitions of some of the sample characters.
fn keeps_joints_in_the_range_of_both_clips(characters: std::ops::Range<usize>) {
    const PIP: [(&str, &str); 8] = [
        ("Idle", "Wave"),
        ("Wave", "Idle"),
        ("Walk", "Run"),
        ("Run", "Idle"),
        ("Idle", "Run"),
        ("Jump", "Walk"),
        ("Dance", "Greet"),
        ("Run", "Jump"),
    ];
    const LUMI: [(&str, &str); 8] = [
        ("Idle", "Walk"),
        ("Walk", "Trot"),
        ("Trot", "Run"),
        ("Run", "Idle"),
        ("Run", "Walk"),
        ("Play", "Idle"),
        ("Sit", "Run"),
        ("Shake", "Walk"),
    ];
    const FEN: [(&str, &str); 8] = [
        ("Idle", "Walk"),
        ("Walk", "Run"),
        ("Run", "Walk"),
        ("Idle", "Dance"),
        ("Dance", "Wave"),
        ("Bow", "Run"),
        ("Wave", "Bow"),
        ("Count", "Talk"),
    ];
    let all = gambol_sample::characters().into_iter().zip([PIP, LUMI, FEN]);
    for (character, pairs) in all.skip(characters.start).take(characters.len()) {
        let model = import(&character.glb(), &mut NoResolver).expect("a character").model;
        let rig = Rc::new(Rig::new(&model));
        for (from, to) in pairs {
            let (excess, ratio) = transitions(&model, &rig, [clip(&model, from), clip(&model, to)]);
            let name = character.name;
            let [far, turn] = excess;
            assert!(far <= LIMITS[0] && turn <= LIMITS[1], "{name}, {from} to {to}: {far} m, {turn}°");
            assert!(ratio <= 1.0, "{name}, {from} to {to}: {ratio} times the largest speed");
        }
    }
}
