//! Many actors on one timeline, each at its own place, compared with transforms computed in f64.

use crate::common::models;
use gambol::animation::{Affine, EventKind, Override, Space};
use gambol::import::{NoResolver, import};
use gambol::model::{ClipId, Model, Node, NodeId, Transform};
use gambol::viewer::{ActorId, Asset, Cast, JointSpace, StageError};
use glam::{DMat4, DVec3, Mat4, Quat, Vec3};
use std::path::Path;
use std::rc::Rc;

fn sample() -> Rc<Asset> {
    Rc::new(Asset::new(models::sample()))
}

fn shared(name: &str) -> Option<Rc<Asset>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/assets/gltf").join(name);
    let bytes = std::fs::read(path).ok()?;
    Some(Rc::new(Asset::new(import(&bytes, &mut NoResolver).expect("a good file").model)))
}

fn transform(x: f32, turn: f32, scale: f32) -> Transform {
    Transform {
        translation: Vec3::new(x, -0.5, 2.0),
        rotation: Quat::from_rotation_y(turn) * Quat::from_rotation_x(0.3),
        scale: Vec3::splat(scale),
    }
}

fn exact(transform: &Transform) -> DMat4 {
    DMat4::from_scale_rotation_translation(
        transform.scale.as_dvec3(),
        transform.rotation.as_dquat().normalize(),
        transform.translation.as_dvec3(),
    )
}

fn wide(matrix: &Affine) -> DMat4 {
    Mat4::from(*matrix).as_dmat4()
}

/// `model_from_node` from the pose alone: the product of local transforms from the node up.
fn up(model: &Model, cast: &Cast, id: ActorId, node: NodeId) -> DMat4 {
    let pose = cast.get(id).expect("on stage").actor.pose();
    let mut matrix = DMat4::IDENTITY;
    let mut next = Some(node);
    while let Some(node) = next {
        matrix = exact(&pose.get(node)) * matrix;
        next = model.nodes[node.index()].parent;
    }
    matrix
}

fn named(model: &Model, name: &str) -> NodeId {
    gambol::animation::find_joint(model, name).unwrap_or_else(|| panic!("no joint {name}"))
}

#[track_caller]
fn assert_near(got: DMat4, want: DMat4) {
    let size = want.to_cols_array().map(f64::abs).into_iter().fold(1.0, f64::max);
    assert!(got.abs_diff_eq(want, 1e-5 * size), "\n{got}\n{want}");
}

#[test]
fn cast_ids_of_removed_actors_are_not_reused() {
    let (mut cast, asset) = (Cast::default(), sample());
    let a = cast.add(Rc::clone(&asset), Affine::identity());
    cast.remove(a).expect("it is there");
    let b = cast.add(Rc::clone(&asset), Affine::identity());
    assert_ne!(a, b);
    assert_eq!(cast.remove(a).err(), Some(StageError::NoActor));
    assert_eq!(cast.place(a, Affine::identity()), Err(StageError::NoActor));
    assert_eq!(
        cast.attach(b, a, NodeId::new(0), JointSpace::Joint, Affine::identity()),
        Err(StageError::NoActor)
    );
    assert_eq!(
        cast.attach(a, b, NodeId::new(0), JointSpace::Joint, Affine::identity()),
        Err(StageError::NoActor)
    );
    assert_eq!(cast.detach(a), Err(StageError::NoActor));
    assert!(cast.actor_mut(a).is_err() && cast.get(ActorId::new(99)).is_err());
    let nodes = asset.model.nodes.len();
    assert_eq!(
        cast.attach(b, b, NodeId::new(nodes), JointSpace::Joint, Affine::identity()),
        Err(StageError::NoJoint)
    );
}

#[test]
fn attach_refuses_cycles() {
    let (mut cast, asset) = (Cast::default(), sample());
    let [a, b, c] = [0, 1, 2].map(|_| cast.add(Rc::clone(&asset), Affine::identity()));
    let (node, here) = (NodeId::new(0), Affine::identity());
    assert_eq!(cast.attach(a, a, node, JointSpace::Joint, here), Err(StageError::Cycle));
    cast.attach(a, b, node, JointSpace::Joint, here).expect("a free one");
    cast.attach(b, c, node, JointSpace::Joint, here).expect("a free one");
    assert_eq!(cast.attach(c, a, node, JointSpace::Joint, here), Err(StageError::Cycle));
    assert!(!cast.get(c).expect("on stage").is_attached(), "nothing has changed");
    cast.detach(b).expect("on stage");
    cast.attach(c, a, node, JointSpace::Joint, here).expect("no cycle any more");
    cast.pose();
}

#[test]
fn attach_chains_of_any_length_need_no_recursion() {
    let (mut cast, asset) = (Cast::default(), sample());
    let step = Affine::from(Transform { translation: Vec3::X, ..Transform::IDENTITY });
    let root = asset.model.shown_roots()[0];
    let all: Vec<_> = (0..60).map(|_| cast.add(Rc::clone(&asset), Affine::identity())).collect();
    // Each follows the actor that was added after it, so that the order must be computed.
    for pair in all.windows(2) {
        cast.attach(pair[0], pair[1], root, JointSpace::Joint, step).expect("no cycle");
    }
    cast.pose();
    let at = |id| wide(&cast.get(id).expect("on stage").actor.place).w_axis.x;
    let root = wide(&cast.get(all[59]).expect("on stage").actor.node_matrices()[root.index()]);
    assert!(
        root.abs_diff_eq(DMat4::from_translation(root.w_axis.truncate()), 1e-5),
        "the root is not turned"
    );
    assert!((at(all[0]) - 59.0 * (1.0 + root.w_axis.x)).abs() < 1e-2);
}

#[test]
fn attached_actors_follow_the_joint_and_stay_when_the_leader_is_removed() {
    let (mut cast, asset) = (Cast::default(), sample());
    let (place, offset, own) =
        (transform(3.0, 1.0, 2.0), transform(0.25, -0.7, 0.5), transform(0.0, 0.2, 1.5));
    let follower = cast.add(Rc::clone(&asset), own.into());
    let leader = cast.add(Rc::clone(&asset), place.into());
    let hand = NodeId::new(asset.model.nodes.len() - 1);
    cast.attach(follower, leader, hand, JointSpace::Joint, offset.into()).expect("no cycle");
    cast.actor_mut(leader).expect("on stage").player.play(Some(ClipId::new(1)));
    let turned = Override { rotation: Some(Quat::from_rotation_z(1.0)), ..Override::default() };
    cast.actor_mut(leader).expect("on stage").overrides.set(NodeId::new(1), turned);
    for _ in 0..5 {
        cast.set_time(cast.now() + 0.13);
        cast.pose();
        let want = exact(&place) * up(&asset.model, &cast, leader, hand) * exact(&offset) * exact(&own);
        assert_near(wide(&cast.get(follower).expect("on stage").actor.place), want);
    }
    let before = cast.get(follower).expect("on stage").actor.place;
    cast.remove(leader).expect("on stage");
    cast.set_time(cast.now() + 0.5);
    cast.pose();
    let member = cast.get(follower).expect("on stage");
    assert!(!member.is_attached());
    assert_eq!(member.actor.place, before);
}

#[test]
fn cast_actors_have_their_own_clip_and_time_on_one_timeline() {
    let (mut cast, asset) = (Cast::default(), sample());
    let [a, b, c] = [0, 1, 2].map(|_| cast.add(Rc::clone(&asset), Affine::identity()));
    cast.actor_mut(a).expect("on stage").player.play(Some(ClipId::new(0)));
    cast.set_time(cast.now() + 0.2);
    cast.actor_mut(b).expect("on stage").player.play(Some(ClipId::new(1)));
    cast.set_time(cast.now() + 0.1);
    assert!((time(&cast, a) - 0.3).abs() < 1e-12 && (time(&cast, b) - 0.1).abs() < 1e-12);
    assert_eq!(time(&cast, c), 0.0);
    assert!((cast.now() - 0.3).abs() < 1e-12);
    let mut kinds = Vec::new();
    cast.drain_events(|id, event| kinds.push((id, event.kind)));
    assert_eq!(kinds[0], (a, EventKind::Play));
    assert!(kinds.iter().any(|(id, kind)| *id == b && *kind == EventKind::Play));
    assert!(kinds.iter().all(|(id, _)| *id != c));
    cast.pose();
    // Two actors with the same clip and time have the same bits, at any position in the list.
    cast.actor_mut(c).expect("on stage").player.choose(Some(ClipId::new(1)));
    let now = time(&cast, b);
    cast.actor_mut(c).expect("on stage").player.seek(now);
    cast.pose();
    let palette = |id| cast.get(id).expect("on stage").actor.palette();
    assert_eq!(palette(b), palette(c));
    assert_ne!(palette(a), palette(c));
}

fn time(cast: &Cast, id: ActorId) -> f64 {
    cast.get(id).expect("on stage").actor.player.position().time
}

#[test]
fn cast_bounds_are_in_world_space() {
    let (mut cast, asset) = (Cast::default(), sample());
    let a = cast.add(Rc::clone(&asset), Affine::identity());
    let far = Transform { translation: Vec3::new(100.0, 0.0, 0.0), ..Transform::IDENTITY };
    let b = cast.add(Rc::clone(&asset), far.into());
    cast.pose();
    let bounds = |id| cast.get(id).expect("on stage").bounds.expect("something is shown");
    assert!((bounds(b).center() - bounds(a).center() - Vec3::new(100.0, 0.0, 0.0)).length() < 1e-3);
    assert!(cast.bounds().expect("two").max.x > 99.0 && cast.bounds().expect("two").min.x < 1.0);
}

/// The bone sockets of raylib's example, if `../shared` has it: three files on joints of a fourth.
#[test]
fn attached_sword_hat_and_shield_follow_the_sockets_of_greenman() {
    let Some(body) = shared("greenman.glb") else { return };
    let mut cast = Cast::default();
    let place = transform(1.0, 0.4, 1.2);
    let man = cast.add(Rc::clone(&body), place.into());
    let things = [
        ("greenman_hat.glb", "socket_hat"),
        ("greenman_sword.glb", "Socket Hand R"),
        ("greenman_shield.glb", "socket_hand_L"),
    ];
    let things = things.map(|(file, socket)| {
        let asset = shared(file).expect("beside the body");
        let node = named(&body.model, socket);
        let id = cast.add(Rc::clone(&asset), Affine::identity());
        cast.attach(id, man, node, JointSpace::Joint, Affine::identity()).expect("no cycle");
        (id, asset, node)
    });
    for clip in 0..body.model.clips.len() {
        cast.actor_mut(man).expect("on stage").player.play(Some(ClipId::new(clip)));
        cast.set_time(cast.now() + 0.37);
        let arm = named(&body.model, "socket_hand_R");
        let arm = body.model.nodes[arm.index()].parent.expect("an arm");
        let lifted = Override {
            rotation: Some(Quat::from_rotation_x(-1.0)),
            space: Space::Local,
            ..Override::default()
        };
        cast.actor_mut(man).expect("on stage").overrides.set(arm, lifted);
        cast.pose();
        for (id, asset, socket) in &things {
            let frame = exact(&place) * up(&body.model, &cast, man, *socket);
            let actor = &cast.get(*id).expect("on stage").actor;
            for (i, matrix) in actor.node_matrices().iter().take(asset.model.nodes.len()).enumerate() {
                let want = frame * up(&asset.model, &cast, *id, NodeId::new(i));
                assert_near(wide(matrix), want);
            }
            // The same holds for vertices: the object is near the body's hand.
            let bounds = cast.get(*id).expect("on stage").bounds.expect("it is shown");
            let hand = frame.transform_point3(DVec3::ZERO).as_vec3();
            assert!((bounds.center() - hand).length() < 2.0 * bounds.radius() + 0.1, "{hand} {bounds:?}");
        }
    }
}

/// A chain of joints, each the child of the previous one.
fn chain(rest: &[Transform]) -> Rc<Asset> {
    let node = |(i, &rest): (usize, &Transform)| Node {
        rest,
        parent: i.checked_sub(1).map(NodeId::new),
        source: i as u32,
        ..Node::default()
    };
    let nodes: Vec<Node> = rest.iter().enumerate().map(node).collect();
    let node_of_source = (0..nodes.len()).map(NodeId::new).collect();
    Rc::new(Asset::new(Model { nodes, node_of_source, ..Model::default() }))
}

/// The transform of an actor that follows the last joint of a chain at `offset`, and the matrix of the joint. The
/// chain's model is at `place`, and the scale of the first joint is overridden.
fn held(
    rest: &[Transform],
    space: JointSpace,
    place: &Transform,
    offset: &Transform,
    scale: Option<Vec3>,
) -> (DMat4, DMat4) {
    let mut cast = Cast::default();
    let asset = chain(rest);
    let leader = cast.add(Rc::clone(&asset), (*place).into());
    let follower = cast.add(sample(), Affine::identity());
    let joint = NodeId::new(rest.len() - 1);
    cast.attach(follower, leader, joint, space, (*offset).into()).expect("no cycle");
    if let Some(scale) = scale {
        let to = Override { scale: Some(scale), ..Override::default() };
        cast.actor_mut(leader).expect("on stage").overrides.set(NodeId::new(0), to);
    }
    cast.pose();
    let matrix = wide(&cast.get(leader).expect("on stage").actor.node_matrices()[joint.index()]);
    (wide(&cast.get(follower).expect("on stage").actor.place), matrix)
}

#[test]
fn attach_offsets_are_metres_at_any_scale_of_the_joint_chain() {
    let place = transform(3.0, 1.0, 2.0);
    let offset = transform(0.25, -0.7, 1.0);
    let joint = |x: f32, turn: f32, scale: f32| transform(x, turn, scale);
    for (a, b, c) in [(0.01, 1.0, 1.0), (100.0, 1.0, 1.0), (0.01, 100.0, 0.5), (1.0, 1.0, 1e-4)] {
        let rest = [joint(1.0, 0.4, a), joint(-2.0, 2.0, b), joint(0.5, -1.1, c)];
        for scale in [None, Some(Vec3::splat(7.0 * a)), Some(Vec3::splat(1e-3))] {
            let (got, matrix) = held(&rest, JointSpace::Metres, &place, &offset, scale);
            // All scales are uniform, so the orientation is the product of the rotations.
            let turned = rest.iter().map(|one| one.rotation.as_dquat().normalize());
            let rotation = turned.reduce(|a, b| a * b).expect("three joints");
            let frame = exact(&place) * DMat4::from_quat(rotation);
            let frame = DMat4::from_cols(frame.x_axis, frame.y_axis, frame.z_axis, matrix.w_axis);
            assert_near(got, frame * exact(&offset));
            let (raw, matrix) = held(&rest, JointSpace::Joint, &place, &offset, scale);
            assert_near(raw, matrix * exact(&offset));
        }
    }
}

#[test]
fn attach_offsets_keep_size_and_orientation_on_stretched_and_mirrored_joint_chains() {
    let scales = [
        [Vec3::new(0.01, 0.02, 0.5), Vec3::ONE, Vec3::ONE],
        [Vec3::new(3.0, 0.1, 1.0), Vec3::new(1.0, 20.0, 0.3), Vec3::splat(0.01)],
        [Vec3::new(-1.0, 1.0, 1.0), Vec3::ONE, Vec3::ONE],
        [Vec3::splat(-0.01), Vec3::splat(100.0), Vec3::ONE],
        [Vec3::new(1.0, -2.0, 1.0), Vec3::new(-1.0, 1.0, 5.0), Vec3::new(1.0, 1.0, -0.5)],
    ];
    for (i, of) in scales.into_iter().enumerate() {
        for place in [
            Transform::IDENTITY,
            transform(3.0, 1.0, 2.0),
            Transform { scale: Vec3::new(2.0, 1.0, -0.5), ..transform(1.0, 0.3, 1.0) },
        ] {
            let rest: Vec<_> = of
                .iter()
                .enumerate()
                .map(|(k, &scale)| Transform { scale, ..transform(0.3, 0.8 * k as f32 + 0.2, 1.0) })
                .collect();
            let (got, matrix) = held(&rest, JointSpace::Metres, &place, &Transform::IDENTITY, None);
            assert!(got.w_axis.abs_diff_eq(matrix.w_axis, 1e-5), "{i}: it stands at the joint");
            let model = exact(&place).inverse();
            let (frame, joint) = (model * got, model * matrix);
            let axes = [frame.x_axis, frame.y_axis, frame.z_axis].map(|axis| axis.truncate());
            for (a, axis) in axes.iter().enumerate() {
                assert!((axis.length() - 1.0).abs() < 1e-4, "{i}: one metre of the model is one");
                assert!(axis.dot(axes[(a + 1) % 3]).abs() < 1e-4, "{i}: across each other");
            }
            assert!(frame.determinant() > 0.0, "{i}: never mirrored");
            let mirrored = if joint.determinant() < 0.0 { -1.0 } else { 1.0 };
            let [x, y] = [joint.x_axis, joint.y_axis].map(|axis| axis.truncate().normalize());
            assert!(axes[0].abs_diff_eq(mirrored * x, 1e-4), "{i}: X is the joint's");
            assert!(axes[2].dot(y).abs() < 1e-4 && axes[1].dot(y) > 0.0, "{i}: Y is nearest to the joint's");
        }
    }
}

#[test]
fn attach_offsets_are_finite_on_joint_chains_of_scale_0() {
    for (of_place, of_joint) in [
        (Vec3::ZERO, Vec3::ONE),
        (Vec3::ONE, Vec3::ZERO),
        (Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 1.0)),
    ] {
        let rest = [Transform { scale: of_joint, ..transform(1.0, 0.4, 1.0) }, transform(1.0, 0.2, 1.0)];
        let place = Transform { scale: of_place, ..transform(1.0, 0.3, 1.0) };
        let (got, _) = held(&rest, JointSpace::Metres, &place, &transform(0.1, 0.1, 1.0), None);
        assert!(got.is_finite(), "{of_place} {of_joint}");
    }
}

#[test]
fn cast_poses_do_not_depend_on_the_poses_before() {
    let asset = sample();
    let clip = |name: &str| {
        let index = asset.model.clips.iter().position(|clip| clip.name == name);
        ClipId::new(index.unwrap_or_else(|| panic!("no clip {name}")))
    };
    let [mut often, mut rarely] = [Cast::default(), Cast::default()];
    for step in 0..40 {
        for cast in [&mut often, &mut rarely] {
            if step == 0 {
                cast.add(Rc::clone(&asset), Affine::identity());
            }
            let now = cast.now();
            let player = &mut cast.actor_mut(ActorId::new(0)).expect("on stage").player;
            // A transition begins while the one before is going on.
            match step {
                6 => player.seek(0.2),
                _ if step % 4 == 0 => drop(player.play(Some(clip(["Walk", "Run", "Wave"][step / 4 % 3])))),
                _ => {}
            }
            cast.set_time(now + 0.03);
        }
        often.pose();
    }
    rarely.pose();
    let poses = [often, rarely].map(|cast| cast.members()[0].actor.pose().clone());
    assert_eq!(poses[0], poses[1]);
}
