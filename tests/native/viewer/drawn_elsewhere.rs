//! A stage that another stage draws for has the same states: the same poses to the bit, and the same events.

use crate::common::gl;
use crate::common::models::sample;
use crate::common::random::Random;
use gambol::animation::{
    Actor, Affine, Event, Feet, Gaze, GazeJoint, GroundPoint, LegBones, MorphOverride, RootMotion,
    RootOptions, Space, pose_hash,
};
use gambol::import::read_states;
use gambol::model::{ClipId, Model, NodeId, SpringBones, SpringChain, SpringJoint, Transform};
use gambol::render::Renderer;
use gambol::viewer::{ActorId, Asset, Context, Stage};
use glam::Vec3;
use std::f32::consts::PI;
use std::rc::Rc;

fn stage() -> Stage {
    let mut stage = Stage::new(Context::new(Renderer::new(gl::context()).expect("it does everything")));
    stage.resize(640, 480, 1.0);
    stage
}

/// The observable state of a stage.
fn state(stage: &mut Stage, actors: &[ActorId]) -> (Vec<u64>, Vec<(ActorId, Event)>, [f64; 7]) {
    let mut events = Vec::new();
    stage.drain_events(|actor, event| events.push((actor, event)));
    let camera = stage.camera().state();
    let cast = stage.posed();
    let actor = |&id: &ActorId| &cast.get(id).expect("the actor is on stage").actor;
    let hashes = actors.iter().map(actor).map(|actor| pose_hash(actor.palette(), &actor.pose().weights));
    (hashes.collect(), events, camera)
}

/// A machine whose transitions need no call: each state ends by its exit time.
const MACHINE: &str = r#"{
  "format": "gambol-states", "version": 1,
  "layers": [
    { "states": { "A": { "clip": "Walk" }, "B": { "clip": "Run" }, "C": { "clip": "Idle", "rate": 2 } },
      "transitions": [
        { "from": "A", "to": "B", "exitSeconds": 0.13, "duration": 0.4 },
        { "from": "B", "to": "C", "exitSeconds": 0.05, "duration": 0.2, "mode": "crossfade" },
        { "from": "C", "to": "A", "exitSeconds": 0.21, "duration": 0.3 } ] },
    { "mask": "ShoulderR/**", "states": { "Rest": {}, "Wave": { "clip": "Wave" } },
      "transitions": [
        { "from": "Rest", "to": "Wave", "exitSeconds": 0.3, "duration": 0.2 },
        { "from": "Wave", "to": "Rest", "exitSeconds": 0.4, "duration": 0.2 } ] }
  ]
}"#;

#[test]
fn stage_drawn_elsewhere_uses_no_gpu_objects() {
    let mut mirror = stage();
    let before = mirror.stats().live;
    mirror.set_drawn_elsewhere();
    let asset = Rc::new(Asset::new(sample()));
    let actor = mirror.add(&asset, Affine::identity()).expect("there is room");
    mirror.actor_mut(actor).expect("it was added").player.play(None);
    assert!(mirror.pass(0.0).draws);
    assert_eq!(mirror.stats().live, before);
    mirror.remove(actor).expect("the actor is on stage");
    assert!(mirror.pass(0.1).draws, "the actor was removed");
    assert!(!mirror.pass(0.2).draws, "nothing has changed");
}

#[test]
fn stage_drawn_elsewhere_has_the_state_of_the_drawing_stage() {
    let mut random = Random(11);
    let model = sample();
    let clips = model.clips.len();
    let asset = Rc::new(Asset::new(model));
    for round in 0..8 {
        // The third one skips some frames, and the fourth one has previews between frames.
        let mut all = [stage(), stage(), stage(), stage()];
        all[1].set_drawn_elsewhere();
        let mut actors = Vec::new();
        for i in 0..2 {
            let ids = all.each_mut().map(|stage| stage.add(&asset, Affine::identity()).expect("room"));
            actors.push(ids[0]);
            for stage in all.iter_mut().filter(|_| round % 4 > 1) {
                let (machine, _) = read_states(MACHINE.as_bytes()).expect("a machine");
                assert_eq!(stage.set_states(ids[0], Some(machine)), Ok(Vec::new()));
            }
            if round % 2 == 1 && i == 0 {
                for stage in &mut all {
                    let options = RootOptions::default();
                    stage
                        .set_root_motion(ids[0], RootMotion::Accumulate, options)
                        .expect("the actor is on stage");
                }
            }
        }
        let mut now = 100.0;
        let mut choose = |count: usize| random.below(count);
        for frame in 0..200 {
            let actor = actors[choose(actors.len())];
            let (what, clip, time) = (choose(24), ClipId::new(choose(clips)), choose(100) as f64 * 0.02);
            for stage in all.iter_mut().filter(|_| what < 8) {
                let actor = stage.actor_mut(actor).expect("the actor is on stage");
                let player = &mut actor.player;
                match what {
                    0 => drop(player.play(Some(clip))),
                    1 => player.seek(time),
                    2 => player.pause(),
                    3 => player.set_rate(time - 1.0),
                    4 => drop(player.play(None)),
                    5 => {
                        player.play(Some(clip));
                        player.seek(time);
                    }
                    7 => {
                        let to = (time > 0.5).then_some(MorphOverride { value: time as f32, weight: 0.75 });
                        actor.morphs.set(clip.index() % 3, to, 0.25 * time, player.elapsed());
                    }
                    6 => stage.set_time(stage.cast().now() + time),
                    _ => {}
                }
            }
            now += choose(30) as f64 * 0.002;
            let drawn = all[0].advance(now);
            if drawn.draws {
                all[0].draw(true).expect("it draws");
            }
            let mirror = all[1].pass(now);
            assert_eq!(mirror, drawn, "round {round}, frame {frame}");
            let behind =
                if choose(3) > 0 { all[2].pass(now).continues } else { all[2].tick(now).expect("it draws") };
            assert_eq!(behind, drawn.continues, "round {round}, frame {frame}");
            assert_eq!(all[3].tick(now).expect("it draws"), drawn.continues, "round {round}, frame {frame}");
            for preview in 0..choose(4) {
                if all[3].preview(now + 0.05 * f64::from(preview as u32 + 1)).draws {
                    all[3].draw(true).expect("it draws");
                }
            }
            all[3].end_preview();
            // Not in each frame, since the query computes the pose.
            if choose(10) == 0 || frame == 199 {
                let [expected, mirror, behind, previewed] = all.each_mut().map(|stage| state(stage, &actors));
                assert_eq!(mirror, expected, "drawn elsewhere; round {round}, frame {frame}");
                assert_eq!(behind, expected, "behind; round {round}, frame {frame}");
                assert_eq!(previewed, expected, "with previews; round {round}, frame {frame}");
            }
        }
    }
}

/// Gives an actor springs, a gaze or feet, or changes or ends one of them.
fn command(actor: &mut Actor, model: &Model, what: usize, number: f32) {
    let node = |name: &str| {
        let index = model.nodes.iter().position(|node| node.name == name);
        NodeId::new(index.unwrap_or_else(|| panic!("no node {name}")))
    };
    let leg = |side: &str| {
        let [upper, lower, foot] =
            ["UpperLeg", "LowerLeg", "Foot"].map(|name| node(&format!("{name}{side}")));
        LegBones { upper, lower, foot, toes: None }
    };
    let tail = ["Tail1", "Tail2", "Tail3", "Tail4", "Tail5"].map(node);
    match what {
        0 => {
            let joints = tail.map(|node| SpringJoint { gravity_power: number, ..SpringJoint::new(node) });
            let chain = SpringChain { joints: joints.to_vec(), ..SpringChain::default() };
            actor.set_springs(tail[0], &SpringBones { chains: vec![chain], ..SpringBones::default() });
        }
        1 => {
            let joint = |(name, share)| GazeJoint { node: node(name), share, axis: None, limit: PI };
            let joints = [("Neck", 0.5), ("Head", 1.0)].map(joint).to_vec();
            let target = Vec3::new(4.0 * number - 4.0, 1.0, 2.0);
            actor.set_gaze(Some(Gaze { joints, target, space: Space::World, speed: 1.5 }));
        }
        2 => {
            let (legs, pelvis) = (vec![leg("L"), leg("R")], node("Hips"));
            let feet = Feet { legs, pelvis, moves_pelvis: true, is_flat: number < 0.5, weight: 1.0 };
            assert!(actor.set_feet(Some(feet)));
        }
        3 => {
            let at = Vec3::new(0.0, 0.1 * number, 0.0);
            actor.overrides.set_ground(0, Some(GroundPoint { at, normal: Vec3::new(0.1, 1.0, 0.2) }));
        }
        4 => actor.set_springs(tail[0], &SpringBones::default()),
        5 => actor.set_gaze(None),
        _ => drop(actor.set_feet(None)),
    }
}

#[test]
fn stage_drawn_elsewhere_swings_turns_and_stands_alike() {
    let mut random = Random(12);
    let asset = Rc::new(Asset::new(sample()));
    let clips = asset.model.clips.len();
    for round in 0..6 {
        // The second one answers queries after each call; the third one skips frames; the fourth one has previews.
        let mut all = [stage(), stage(), stage(), stage()];
        all[1].set_drawn_elsewhere();
        let ids = all.each_mut().map(|stage| stage.add(&asset, Affine::identity()).expect("room"));
        let id = ids[0];
        let mut now = 100.0;
        for frame in 0..200 {
            for _ in 0..random.below(3) {
                let (what, clip, number) =
                    (random.below(20), ClipId::new(random.below(clips)), 2.0 * random.unit());
                for (i, stage) in all.iter_mut().enumerate() {
                    match what {
                        0..7 => {
                            // As the page's calls do: a gaze begins at the current pose.
                            stage.posed();
                            let actor = stage.actor_mut(id).expect("the actor is on stage");
                            command(actor, &asset.model, what, number as f32);
                        }
                        7..10 => {
                            let translation = Vec3::new(0.2 * number as f32, 0.0, 0.0);
                            let place = Transform { translation, ..Transform::IDENTITY };
                            stage.place(id, place.into()).expect("the actor is on stage");
                        }
                        10 => stage.set_time(stage.cast().now() + 0.1 * number),
                        11 => stage.scrub(0.5 * number),
                        12 => {
                            let player = &mut stage.actor_mut(id).expect("the actor is on stage").player;
                            player.seek(number);
                        }
                        13 => {
                            let player = &mut stage.actor_mut(id).expect("the actor is on stage").player;
                            player.set_rate(number - 0.5);
                        }
                        14 => stage.actor_mut(id).expect("the actor is on stage").player.pause(),
                        15..18 => {
                            let player = &mut stage.actor_mut(id).expect("the actor is on stage").player;
                            player.play(Some(clip));
                        }
                        _ => {}
                    }
                    if i == 1 {
                        let _ = stage.posed();
                    }
                }
            }
            now += random.below(30) as f64 * 0.002;
            let drawn = all[0].tick(now).expect("it draws");
            assert_eq!(all[1].pass(now).continues, drawn, "round {round}, frame {frame}");
            let behind = if random.below(3) > 0 {
                all[2].pass(now).continues
            } else {
                all[2].tick(now).expect("it draws")
            };
            assert_eq!(behind, drawn, "round {round}, frame {frame}");
            assert_eq!(all[3].tick(now).expect("it draws"), drawn, "round {round}, frame {frame}");
            for preview in 0..random.below(3) {
                if all[3].preview(now + 0.05 * f64::from(preview as u32 + 1)).draws {
                    all[3].draw(true).expect("it draws");
                }
            }
            all[3].end_preview();
            let [expected, mirror, behind, previewed] = all.each_mut().map(|stage| state(stage, &[id]));
            assert_eq!(mirror, expected, "drawn elsewhere; round {round}, frame {frame}");
            assert_eq!(behind, expected, "behind; round {round}, frame {frame}");
            assert_eq!(previewed, expected, "with previews; round {round}, frame {frame}");
        }
    }
}
