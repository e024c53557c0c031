//! Poses under state machines do not depend on the division of time into steps.

use super::script::{Call, apply, calls, model, pair, start};
use crate::common::random::Random;
use crate::fuzzing::supply::Supply;
use gambol::animation::{Actor, Pose, Rig};
use gambol::model::{Channel, Curve, Interpolation, Model, Node, NodeId, Path};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// The model of the scripts with two joints, which each clip moves in its own way.
fn jointed() -> Model {
    let mut model = model();
    model.nodes = (0..2)
        .map(|i: usize| Node { parent: i.checked_sub(1).map(NodeId::new), ..Node::default() })
        .collect();
    for (i, clip) in model.clips.iter_mut().enumerate() {
        let clip = Arc::make_mut(clip);
        let mut random = Random(90 + i as u64);
        let times: Vec<f32> = (0..=8).map(|key| clip.duration * key as f32 / 8.0).collect();
        let mut channel = |node: usize, path: Path, size: usize| {
            let values = (0..9 * size).map(|_| random.unit() as f32 - 0.5);
            let values = match path {
                // Away from half a turn, where the shorter arc changes its side.
                Path::Rotation => {
                    values.enumerate().map(|(at, x)| if at % 4 == 3 { 1.0 } else { 0.6 * x }).collect()
                }
                _ => values.collect(),
            };
            let curve = Curve::new(Interpolation::Linear, size, times.clone(), values).expect("a good curve");
            clip.curves.push(curve);
            Channel { node: NodeId::new(node), path, curve: clip.curves.len() - 1 }
        };
        let channels =
            [channel(0, Path::Translation, 3), channel(0, Path::Rotation, 4), channel(1, Path::Rotation, 4)];
        clip.channels.extend(channels);
    }
    model
}

/// The poses after each step of a script; `parts` divides a step into seconds.
fn poses(bytes: &[u8], model: &Model, mut parts: impl FnMut(f64) -> Vec<f64>) -> (Vec<Pose>, bool) {
    let mut supply = Supply(bytes);
    supply.byte();
    let text = pair(&mut supply).text;
    let mut actor = Actor::new(model, Rc::new(Rig::new(model)));
    let mut states = start(&text, model, &mut actor.player);
    let (mut poses, mut looped) = (Vec::new(), false);
    for call in calls(&mut supply) {
        let Call::Step(dt) = call else {
            apply(&mut states, &mut actor.player, call);
            continue;
        };
        for part in parts(dt) {
            actor.begin_transition();
            states.advance(&mut actor.player, part);
            actor.begin_transition();
            looped |= states.take_loop_warning().is_some();
        }
        actor.update();
        poses.push(actor.pose().clone());
    }
    (poses, looped)
}

/// The largest distance of positions and of the parts of rotations.
fn distance(a: &Pose, b: &Pose, nodes: usize) -> f32 {
    let of = |node: usize| {
        let (a, b) = (a.get(NodeId::new(node)), b.get(NodeId::new(node)));
        let (p, q) = (a.rotation.normalize(), b.rotation.normalize());
        let turn = (p - q).length().min((p + q).length());
        turn.max(a.translation.distance(b.translation))
    };
    (0..nodes).map(of).fold(0.0, f32::max)
}

#[test]
fn states_poses_of_a_thousand_scripts_do_not_depend_on_the_steps() {
    poses_do_not_depend_on_the_steps(0..1000);
}

#[test]
#[ignore = "takes seconds: cargo xtask test --all"]
fn states_poses_of_ten_thousand_scripts_do_not_depend_on_the_steps() {
    poses_do_not_depend_on_the_steps(1000..10_000);
}

fn poses_do_not_depend_on_the_steps(seeds: Range<u64>) {
    let model = jointed();
    let (mut compared, mut worst) = (0, 0.0_f32);
    let scripts = (seeds.end - seeds.start) as usize;
    for seed in seeds {
        let mut random = Random(seed);
        let bytes: Vec<u8> = (0..700).map(|_| random.bits() as u8).collect();
        let (whole, looped) = poses(&bytes, &model, |dt| vec![dt]);
        // Parts are multiples of 1/1024 s, so that times have no rounding errors.
        let (split, looped_too) = poses(&bytes, &model, |dt| {
            let mut parts = Vec::new();
            let mut left = (dt * 1024.0) as usize;
            while left > 0 {
                let part = if random.chance(0.3) { left } else { 1 + random.below(left) };
                parts.push(part as f64 / 1024.0);
                left -= part;
            }
            parts
        });
        // Beyond the limit of transitions in a step, steps matter.
        if looped || looped_too {
            continue;
        }
        assert_eq!(whole.len(), split.len());
        for (i, (whole, split)) in whole.iter().zip(&split).enumerate() {
            let far = distance(whole, split, model.nodes.len());
            assert!(far < 1e-4, "seed {seed}, step {i}: {far}");
            worst = worst.max(far);
        }
        compared += whole.len();
    }
    assert!(compared > 10 * scripts, "{compared} poses, the worst {worst:e}");
}
