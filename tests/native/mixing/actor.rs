//! From the player to the pose: an actor poses its player's clip, and changes are continuous.

use super::model::{Exact, angle};
use crate::common::random::Random;
use gambol::animation::{
    Actor, Bounds, JointMask, LayerMode, LayerOptions, MorphOverride, Override, Pose, Reference, Rig,
};
use gambol::animation::{LoopMode, Source, Transition, TransitionOptions};
use gambol::import::{NoResolver, import};
use gambol::model::{ClipId, Model, NodeId};
use std::rc::Rc;

fn sample() -> Model {
    import(&gambol_sample::glb(), &mut NoResolver).expect("the sample").model
}

fn actor(model: &Model) -> Actor {
    Actor::new(model, Rc::new(Rig::new(model)))
}

fn plain(actor: &Actor, clip: usize, time: f64) -> Pose {
    let mut pose = actor.rig().rest_pose().clone();
    actor.rig().sample(ClipId::new(clip), time, &mut pose);
    pose
}

fn clip(index: usize) -> Option<ClipId> {
    Some(ClipId::new(index))
}

#[test]
fn actor_shows_one_clip_exactly_and_a_transition_ends_at_the_clip() {
    let model = sample();
    let mut actor = actor(&model);
    actor.player.play(clip(0));
    for now in [0.0, 0.1, 0.3] {
        actor.player.advance_to(now);
        actor.update();
        assert_eq!(*actor.pose(), plain(&actor, 0, now));
    }
    let displayed = actor.pose().clone();
    actor.player.play(clip(1));
    actor.update();
    let distance =
        |a: &Pose, b: &Pose| Exact::of(a, model.nodes.len()).distance(&Exact::of(b, model.nodes.len()));
    assert!(distance(actor.pose(), &displayed) < 1e-5, "the change does not jump");
    assert!(distance(actor.pose(), &plain(&actor, 1, 0.0)) > 0.05, "the clips differ");
    actor.player.advance_to(0.45);
    actor.update();
    assert_ne!(*actor.pose(), plain(&actor, 1, 0.45 - 0.3), "halfway through the 0.3 s");
    let end = 0.3 + 0.3;
    actor.player.advance_to(end + 1e-9);
    actor.update();
    assert_eq!(*actor.pose(), plain(&actor, 1, actor.player.position().time));
}

#[test]
fn actor_shows_exactly_the_pose_of_the_time_after_seek_step_and_cut() {
    let model = sample();
    let mut actor = actor(&model);
    actor.player.play(clip(0));
    actor.player.advance_to(0.5);
    actor.update();
    let acts: [fn(&mut Actor); 4] = [
        |actor| actor.player.seek(0.2),
        |actor| actor.player.step(3),
        |actor| actor.player.scrub(0.4),
        |actor| actor.player.stop(),
    ];
    for act in acts {
        for to in [1, 0] {
            actor.player.play(clip(to));
            actor.player.advance(0.05);
            actor.update();
            act(&mut actor);
            actor.update();
            assert_eq!(*actor.pose(), plain(&actor, to, actor.player.position().time));
            actor.player.play(None);
            actor.player.advance(0.05);
            actor.update();
        }
    }
    let cut = TransitionOptions { transition: Some(Transition::Cut), ..TransitionOptions::default() };
    actor.player.transition_to(Source::Clip(ClipId::new(2)), &cut);
    actor.update();
    assert_eq!(*actor.pose(), plain(&actor, 2, 0.0));
}

#[test]
fn actor_stands_still_when_paused_in_a_transition() {
    let model = sample();
    let mut actor = actor(&model);
    actor.player.play(clip(0));
    actor.player.advance_to(0.5);
    actor.update();
    actor.player.play(clip(1));
    actor.player.advance_to(0.6);
    actor.update();
    actor.player.pause();
    actor.update();
    let displayed = actor.pose().clone();
    for now in [0.7, 5.0, 50.0] {
        actor.player.advance_to(now);
        actor.update();
        assert_eq!(*actor.pose(), displayed);
    }
}

/// The distance and the angle that each node moved.
fn steps(a: &Exact, b: &Exact) -> Vec<[f64; 2]> {
    let far = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let vectors = a.vectors.iter().zip(&b.vectors).map(|(a, b)| far(a[0], b[0]));
    let turns = a.rotations.iter().zip(&b.rotations).map(|(a, b)| angle(*a, *b));
    vectors.zip(turns).map(|(far, turn)| [far, turn]).collect()
}

/// Any change at any time, several in a frame and in successive frames. No joint's step across a change is more than
/// 1.2 times the largest of: the displayed steps before and after it, and the steps of the playing loops.
#[test]
fn actor_has_no_pop_after_any_change() {
    let model = sample();
    let nodes = model.nodes.len();
    let rig = Rig::new(&model);
    // Clips that loop, with equal ends. Others jump at the loop. Without the reactions: with an additive layer on a run, a leg
    // that sits is half a turn away from the pose below its layer, where the shortest arc between them changes its side.
    let loops: Vec<usize> = (0..model.clips.len())
        .filter(|&i| ["Idle", "Walk", "Run", "Jump", "Wave", "Dance"].contains(&model.clips[i].name.as_str()))
        .filter(|&i| {
            let at = |time: f64| {
                let mut pose = rig.rest_pose().clone();
                rig.sample(ClipId::new(i), time, &mut pose);
                Exact::of(&pose, nodes)
            };
            at(0.0).distance(&at(f64::from(model.clips[i].duration))) < 1e-3
        })
        .collect();
    assert!(loops.len() >= 2, "walk and run at least");
    let frame = 1.0 / 240.0;
    let fastest: Vec<[f64; 2]> = {
        let mut fastest = vec![[0.0_f64; 2]; nodes];
        for &clip in &loops {
            let count = (f64::from(model.clips[clip].duration) / frame) as usize;
            let mut last = None;
            for i in 0..=count {
                let mut pose = rig.rest_pose().clone();
                rig.sample(ClipId::new(clip), frame * i as f64, &mut pose);
                let now = Exact::of(&pose, nodes);
                for (most, step) in fastest.iter_mut().zip(last.map_or(Vec::new(), |last| steps(&last, &now)))
                {
                    *most = [most[0].max(step[0]), most[1].max(step[1])];
                }
                last = Some(now);
            }
        }
        fastest
    };
    let mask = JointMask::new(&(0..nodes).map(|i| (i % 3) as f32 / 2.0).collect::<Vec<_>>());
    let mask = Rc::new(mask);
    let mut random = Random(9);
    let mut actor = actor(&model);
    actor.player.set_loop_mode(LoopMode::Repeat);
    actor.player.play(clip(loops[0]));
    let (mut displayed, mut changes, mut again) = (Vec::new(), Vec::new(), false);
    for i in 0..1500 {
        actor.player.advance_to(1.0 + frame * f64::from(i));
        actor.update();
        if i > 2 && (again || random.chance(0.05)) {
            let before = Exact::of(actor.pose(), nodes);
            again = random.chance(0.4);
            changes.push(displayed.len());
            for _ in 0..1 + random.below(2) {
                change(&mut actor, &mut random, &loops, &mask);
            }
            actor.update();
            for [far, turn] in steps(&before, &Exact::of(actor.pose(), nodes)) {
                assert!(far < 1e-5 && turn < 1e-5, "what is displayed does not jump: {far:e} {turn:e}");
            }
        }
        displayed.push(Exact::of(actor.pose(), nodes));
    }
    let moved: Vec<_> = displayed.windows(2).map(|pair| steps(&pair[0], &pair[1])).collect();
    let mut worst = 0.0_f64;
    for &change in &changes {
        for step in change - 1..(change + 2).min(moved.len() - 1) {
            for node in 0..nodes {
                for kind in 0..2 {
                    let (before, after) = (moved[step - 1][node][kind], moved[step + 1][node][kind]);
                    let around = before.max(after).max(fastest[node][kind]).max(1e-4);
                    worst = worst.max(moved[step][node][kind] / around);
                }
            }
        }
    }
    assert!(changes.len() > 80);
    assert!(worst <= 1.2, "{worst}");
}

fn change(actor: &mut Actor, random: &mut Random, loops: &[usize], mask: &Rc<JointMask>) {
    let seconds = 0.1 + 0.4 * random.unit();
    let transition =
        if random.chance(0.7) { Transition::Inertial(seconds) } else { Transition::Crossfade(seconds) };
    let source = Source::Clip(ClipId::new(loops[random.below(loops.len())]));
    let some = actor.player.layers().next().map(|layer| layer.id());
    match random.below(5) {
        0 => {
            let mode =
                if random.chance(0.5) { LayerMode::Additive(Reference::Rest) } else { LayerMode::Override };
            let mask = random.chance(0.7).then(|| Rc::clone(mask));
            let weight = 0.2 + 0.5 * random.unit() as f32;
            let options = LayerOptions {
                mode,
                mask,
                weight,
                transition: Some(transition),
                ..LayerOptions::new(source)
            };
            actor.player.add_layer(options);
        }
        1 if some.is_some() => {
            actor.player.remove_layer(some.unwrap_or(0), Some(transition));
        }
        2 if some.is_some() => {
            let weight = random.unit() as f32;
            actor.player.set_layer_weight(some.unwrap_or(0), weight, Some(transition));
        }
        _ => {
            let options = TransitionOptions { transition: Some(transition), ..TransitionOptions::default() };
            actor.player.transition_to(source, &options);
        }
    }
}

#[test]
fn inertia_has_no_overshoot_for_a_change_just_before_a_loop() {
    // Half of a clip, which jumps where it repeats, changed within the interval over which velocities are measured.
    let model = sample();
    let nodes = model.nodes.len();
    let jumps = (0..model.clips.len()).map(|i| {
        let actor = actor(&model);
        let end = 0.5 * f64::from(model.clips[i].duration);
        let (a, b) = (plain(&actor, i, 0.0), plain(&actor, i, end));
        (i, end, Exact::of(&a, nodes).distance(&Exact::of(&b, nodes)))
    });
    let (jumping, end, jump) = jumps.max_by(|a, b| a.2.total_cmp(&b.2)).expect("there are clips");
    assert!(jump > 0.1, "one of them jumps");
    let other = (jumping + 1) % model.clips.len();
    let mut actor = actor(&model);
    actor.player.set_loop_mode(LoopMode::Repeat);
    actor.player.play(clip(jumping));
    actor.player.set_segment(Some(0.0..end));
    actor.player.advance_to(end - 1e-4);
    actor.update();
    let displayed = Exact::of(actor.pose(), nodes);
    actor.player.play(clip(other));
    for i in 0..=60 {
        actor.player.advance_to(end + 0.005 * f64::from(i));
        actor.update();
        let plain = Exact::of(&plain(&actor, other, actor.player.position().time), nodes);
        let far = Exact::of(actor.pose(), nodes).distance(&plain);
        assert!(far < 1.5 * displayed.distance(&plain) + 0.2, "{i} {far}");
    }
}

/// Constant parts of a clip are not rewritten while it plays alone, so nothing of an earlier pose may remain in them.
#[test]
fn actor_shows_no_trace_of_earlier_transitions() {
    let model = sample();
    let clips: Vec<usize> = (0..model.clips.len()).collect();
    let mask = Rc::new(JointMask::new(&vec![1.0; model.nodes.len()]));
    let mut random = Random(4);
    let mut actor = actor(&model);
    actor.player.set_loop_mode(LoopMode::Repeat);
    let (mut alone, mut again) = (0, 0);
    for i in 0..3000 {
        let node = NodeId::new(random.below(model.nodes.len()));
        match random.below(40) {
            0 => change(&mut actor, &mut random, &clips, &mask),
            1 | 2 => {
                actor.player.play(clip(random.below(clips.len())));
                actor.player.seek(random.unit());
            }
            3 => {
                let layers: Vec<_> = actor.player.layers().map(|layer| layer.id()).collect();
                for layer in layers {
                    actor.player.remove_layer(layer, Some(Transition::Crossfade(0.0)));
                }
            }
            4 => {
                let moved = Override {
                    translation: Some(glam::Vec3::splat(3.0)),
                    rotation: Some(glam::Quat::from_rotation_x(1.0)),
                    scale: Some(glam::Vec3::splat(2.0)),
                    ..Override::default()
                };
                actor.overrides.set(node, moved);
            }
            5 | 6 => actor.overrides.clear(),
            7 => actor.show_bind_pose(),
            8 => actor.update_to(clip(random.below(clips.len())), random.unit()),
            9 | 10 => {
                let to =
                    random.chance(0.4).then(|| MorphOverride { value: 0.7, weight: random.unit() as f32 });
                let (at, now) = (random.below(3), actor.player.elapsed());
                actor.morphs.set(at, to, 0.2 * random.unit(), now);
            }
            _ => {}
        }
        actor.player.advance_to(f64::from(i) / 60.0);
        // An actor that must rewrite its whole pose.
        let mut fresh = actor.clone();
        fresh.update_to(None, 0.0);
        fresh.update();
        actor.update();
        assert_eq!(actor.pose(), fresh.pose(), "{i}");
        assert_eq!(actor.palette(), fresh.palette(), "{i}");
        let only = actor.player.only().map(|(clip, _)| clip);
        again = if only.is_some() { again + 1 } else { 0 };
        alone += usize::from(again > 1);
    }
    assert!((300..2700).contains(&alone), "{alone} of a clip that was shown before");
}

#[test]
fn bounds_contain_mixed_poses() {
    let model = sample();
    let mut actor = actor(&model);
    let bounds = Bounds::new(&model, &actor.rig().layout);
    actor.player.play(clip(0));
    actor.player.advance_to(0.2);
    actor.update();
    actor.player.play(clip(1));
    actor.player.advance_to(0.3);
    actor.update();
    let mut around = None;
    actor.measure(&bounds, &mut around);
    let hold = around.expect("it is shown");
    for drawable in &actor.rig().layout.drawables {
        for primitive in &model.meshes[drawable.mesh.index()].primitives {
            for vertex in (0..primitive.vertex_count()).step_by(7) {
                let weights = &actor.pose().weights;
                let point = gambol::animation::deform_position(
                    primitive,
                    vertex,
                    drawable,
                    actor.palette(),
                    &[],
                    weights,
                );
                let slack = glam::Vec3::splat(1e-4);
                assert!(point.cmpge(hold.min - slack).all() && point.cmple(hold.max + slack).all());
            }
        }
    }
}
