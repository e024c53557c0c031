//! Members of a crowd that look at a target have the poses of actors with a gaze.

use crate::common::allocator::allocated;
use crate::common::models::models;
use crate::common::random::Random;
use gambol::animation::{
    Actor, Affine, Bounds, ClipSet, Crowd, CrowdView, Gaze, GazeJoint, MemberPart, Rig, Space,
};
use gambol::model::{ClipId, Model, NodeId};
use glam::{Mat4, Vec3};
use std::rc::Rc;

const COUNT: usize = 12;
const NEAREST: usize = 4;

fn crowd_of(model: &Model, random: &mut Random) -> (Crowd, Rc<Rig>) {
    let clips = ClipSet::new(model, Rc::new(Rig::new(model)));
    let bounds = Bounds::new(model, &clips.rig.layout);
    let mut crowd = Crowd::new(&clips, false);
    while crowd.measure(model, &clips, &bounds) {}
    crowd.resize(COUNT, 0.0);
    let mut list = |width: usize| (0..width * COUNT).map(|_| f64::from(random.signed())).collect::<Vec<_>>();
    for (part, numbers) in [
        (MemberPart::Position, list(3).into_iter().map(|x| 5.0 * x).collect()),
        (MemberPart::Rotation, list(4)),
        (MemberPart::Scale, list(1).into_iter().map(|x| 1.0 + 0.5 * x).collect()),
        (MemberPart::Clip, (0..COUNT).map(|i| (i % model.clips.len()) as f64).collect::<Vec<_>>()),
    ] {
        crowd.set(part, 0, &numbers, 0.0).expect("good numbers");
    }
    (crowd, clips.rig)
}

/// A gaze of a node and of two above it.
fn gaze(model: &Model, target: Vec3, speed: f32) -> Gaze {
    let up = |from: Option<NodeId>| std::iter::successors(from, |node| model.nodes[node.index()].parent);
    let eye = (0..model.nodes.len()).map(NodeId::new).max_by_key(|&node| up(Some(node)).count());
    let mut chain: Vec<NodeId> = up(eye).take(3).collect();
    chain.reverse();
    let joint = |(&node, share)| GazeJoint { node, share, axis: None, limit: 2.0 };
    let joints = chain.iter().zip([0.3, 0.5, 1.0]).map(joint).collect();
    Gaze { joints, target, space: Space::World, speed }
}

/// The view of a camera that culls nothing.
fn view() -> CrowdView {
    let projection = glam::camera::rh::proj::opengl::perspective(0.6, 1.5, 0.01, 1e6);
    CrowdView::new(&Mat4::from_translation(Vec3::Z * -4.0), &projection, 500, false)
}

fn bits(palette: &[Affine]) -> Vec<u32> {
    Affine::as_floats(palette).iter().map(|number| number.to_bits()).collect()
}

/// The members that are nearest to a target, by brute force.
fn nearest(crowd: &Crowd, target: Vec3) -> Vec<usize> {
    let mut all: Vec<usize> = (0..crowd.len()).collect();
    let away = |i: &usize| crowd.places()[*i].transform_point(Vec3::ZERO).distance_squared(target);
    all.sort_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)));
    all.truncate(NEAREST);
    all
}

#[test]
fn crowd_look_at_has_the_bits_of_actors_with_a_gaze() {
    let mut random = Random(11);
    for (name, model) in &models(&["gltf/Fox.glb", "gltf/CesiumMan.glb"]) {
        for speed in [1.5, f32::INFINITY] {
            let (mut crowd, rig) = crowd_of(model, &mut random);
            let mut actors: Vec<Actor> = (0..COUNT)
                .map(|i| {
                    let mut actor = Actor::new(model, Rc::clone(&rig));
                    actor.place = crowd.places()[i];
                    actor.player.play(Some(ClipId::new(i % model.clips.len())));
                    actor.update();
                    actor
                })
                .collect();
            let mut looking = [false; COUNT];
            let mut changes = 0;
            for step in 1..60_u32 {
                let now = f64::from(step) / 16.0;
                crowd.advance_to(now);
                for actor in &mut actors {
                    actor.player.advance_to(now);
                    actor.update();
                }
                // The target passes through the crowd, stops, and is gone at last.
                let way = 0.25 * step.min(40) as f32 - 5.0;
                let target = Vec3::new(way, 1.0, 0.4 * way);
                let wanted = (step < 50).then(|| gaze(model, target, speed));
                let near = if wanted.is_some() { nearest(&crowd, target) } else { Vec::new() };
                crowd.set_gaze(wanted.clone(), NEAREST, now);
                for (i, actor) in actors.iter_mut().enumerate() {
                    let is_near = near.contains(&i);
                    changes += u32::from(is_near != looking[i]);
                    if is_near || looking[i] {
                        actor.set_gaze(wanted.clone().filter(|_| is_near));
                    }
                    looking[i] = is_near;
                    actor.update();
                }
                crowd.update(now, &view());
                for (i, actor) in actors.iter().enumerate() {
                    let palette: Vec<Affine> = crowd.member_palette(i).take(rig.palette_len()).collect();
                    assert_eq!(bits(&palette), bits(actor.palette()), "{name} {speed} {step} {i}");
                    let (mut posed, mut weights) = (Vec::new(), Vec::new());
                    crowd.pose_member(i, now, &mut posed, &mut weights);
                    assert_eq!(bits(&posed), bits(&palette), "{name} {speed} {step} {i}");
                }
            }
            // Without a change on the way, the nearest would begin and end once.
            assert!(changes > 2 * NEAREST as u32, "{name}: {changes} changes");
        }
    }
}

#[test]
fn crowd_look_at_moves_until_the_target_is_reached_and_follows_moved_members() {
    let mut random = Random(12);
    let list = models(&["gltf/CesiumMan.glb"]);
    let model = &list.last().expect("a model").1;
    let (mut crowd, _) = crowd_of(model, &mut random);
    crowd.set(MemberPart::Rate, 0, &[0.0; COUNT], 0.0).expect("good numbers");
    assert!(!crowd.is_moving(0.0));
    let target = Vec3::new(2.0, 1.0, 2.0);
    crowd.set_gaze(Some(gaze(model, target, 3.0)), NEAREST, 0.0);
    assert!(crowd.is_moving(0.0), "members turn");
    (1..160).for_each(|step| crowd.advance_to(f64::from(step) / 32.0));
    assert!(!crowd.is_moving(5.0), "all have turned");
    crowd.update(5.0, &view());
    let palettes = |crowd: &Crowd| {
        (0..COUNT).map(|i| bits(&crowd.member_palette(i).collect::<Vec<_>>())).collect::<Vec<_>>()
    };
    let before = palettes(&crowd);
    // The first of the nearest goes away, so another one looks.
    let near = nearest(&crowd, target);
    crowd.set(MemberPart::Position, near[0], &[100.0, 0.0, 0.0], 5.0).expect("good numbers");
    let now = nearest(&crowd, target);
    let next = now.iter().copied().find(|member| !near.contains(member)).expect("another member");
    (161..320).for_each(|step| crowd.advance_to(f64::from(step) / 32.0));
    crowd.update(10.0, &view());
    let after = palettes(&crowd);
    for i in 0..COUNT {
        assert_eq!(before[i] != after[i], i == near[0] || i == next, "{i}");
    }
    // The look-at of members that are removed is over; new ones may look.
    crowd.resize(2, 10.0);
    crowd.resize(COUNT, 10.0);
    crowd.set(MemberPart::Rate, 0, &[0.0; COUNT], 10.0).expect("good numbers");
    crowd.advance_to(10.5);
    crowd.set_gaze(None, 0, 10.5);
    (336..400).for_each(|step| crowd.advance_to(f64::from(step) / 32.0));
    assert!(!crowd.is_moving(12.5));
    crowd.resize(0, 12.5);
    crowd.set_gaze(Some(gaze(model, target, 3.0)), NEAREST, 12.5);
    crowd.resize(3, 12.5);
    crowd.update(12.5, &view());
    assert!(crowd.is_moving(12.5), "new members look");
}

#[test]
fn crowd_look_at_allocates_nothing_in_steady_frames() {
    let mut random = Random(13);
    let list = models(&["gltf/CesiumMan.glb"]);
    let model = &list.last().expect("a model").1;
    let (mut crowd, _) = crowd_of(model, &mut random);
    let view = view();
    crowd.set_gaze(Some(gaze(model, Vec3::X, 3.0)), NEAREST, 0.0);
    let pass = |crowd: &mut Crowd, from: u32| {
        for step in from..from + 64 {
            let now = f64::from(step) / 32.0;
            // Members come and go, so that others look.
            let away = [if step % 16 < 8 { 50.0 } else { 0.0 }, 0.0, 0.0];
            crowd.set(MemberPart::Position, step as usize / 16 % 4, &away, now).expect("good numbers");
            crowd.advance_to(now);
            crowd.update(now, &view);
        }
    };
    pass(&mut crowd, 0);
    pass(&mut crowd, 64);
    assert_eq!(allocated(|| pass(&mut crowd, 128)).0.count, 0);
}
