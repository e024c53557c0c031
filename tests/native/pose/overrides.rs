//! Overrides of joints after animation, compared with transforms that are computed independently in f64.

use gambol::animation::{Affine, Override, Overrides, Pose, Rig, Space};
use gambol::model::{Model, Node, NodeId, Transform};
use glam::{DMat4, DVec3, EulerRot, Mat4, Quat, Vec3};

fn turn(x: f32, y: f32, z: f32) -> Quat {
    Quat::from_euler(EulerRot::XYZ, x, y, z)
}

fn trs(t: [f32; 3], rotation: Quat, s: [f32; 3]) -> Transform {
    Transform { translation: t.into(), rotation, scale: s.into() }
}

/// A chain with a branch: 0 ─ 1 ─ 2 ─ 3 and 1 ─ 4, and the separate node 5.
const PARENTS: [Option<usize>; 6] = [None, Some(0), Some(1), Some(2), Some(1), None];

fn rests(scale: [[f32; 3]; 6]) -> [Transform; 6] {
    let turns = [
        turn(0.3, -0.2, 1.0),
        turn(-1.0, 0.4, 0.2),
        turn(0.1, 2.0, -0.3),
        turn(1.5, 0.0, 0.9),
        turn(0.0, 0.0, 3.0),
        Quat::IDENTITY,
    ];
    std::array::from_fn(|i| trs([0.5, 1.0 + i as f32, -0.25], turns[i], scale[i]))
}

const EVEN: [[f32; 3]; 6] = [[1.0; 3], [2.0; 3], [0.5; 3], [1.5; 3], [1.0; 3], [3.0; 3]];
const SHEARED: [[f32; 3]; 6] =
    [[1.0, 3.0, 0.5], [2.0, -1.0, 1.0], [0.5, 0.5, 2.0], [1.0, 1.5, 1.0], [1.0; 3], [-1.0, -1.0, -1.0]];

fn model(rests: &[Transform]) -> Model {
    let node = |(i, &rest): (usize, &Transform)| Node {
        parent: PARENTS[i].map(NodeId::new),
        rest,
        ..Node::default()
    };
    Model { nodes: rests.iter().enumerate().map(node).collect(), ..Model::default() }
}

fn exact(transform: &Transform) -> DMat4 {
    DMat4::from_scale_rotation_translation(
        transform.scale.as_dvec3(),
        transform.rotation.as_dquat().normalize(),
        transform.translation.as_dvec3(),
    )
}

/// The matrices of a tree with local matrices `local`; the world matrices of some nodes are replaced by `put`.
fn tree(place: DMat4, local: &[DMat4], put: &[(usize, DMat4)]) -> Vec<DMat4> {
    let mut world: Vec<DMat4> = Vec::new();
    for (i, local) in local.iter().enumerate() {
        let parent = PARENTS[i].map_or(place, |parent| world[parent]);
        let there = put.iter().find(|(node, _)| *node == i);
        world.push(there.map_or(parent * *local, |&(_, matrix)| matrix));
    }
    world
}

fn posed(model: &Model, overrides: &[(usize, Override)], place: &Affine) -> (Pose, Vec<Affine>) {
    let rig = Rig::new(model);
    let mut all = Overrides::default();
    // The order of calls has no effect.
    overrides.iter().rev().for_each(|&(node, to)| all.set(NodeId::new(node), to));
    let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
    all.pose(&rig, &mut pose);
    all.node_matrices(&rig, &pose, place, &mut matrices);
    (pose, matrices)
}

#[track_caller]
fn assert_same(got: &[Affine], want: &[DMat4]) {
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        let got = Mat4::from(*got).as_dmat4();
        assert!(
            got.abs_diff_eq(*want, 3e-6 * want.to_cols_array().map(f64::abs).into_iter().fold(1.0, f64::max)),
            "node {i}:\n{got}\n{want}"
        );
    }
}

fn place() -> Transform {
    trs([3.0, -2.0, 7.0], turn(0.4, 1.0, -0.6), [1.5, 1.5, 1.5])
}

#[test]
fn overrides_with_invalid_numbers_do_nothing() {
    let model = model(&rests(SHEARED));
    let (_, plain) = posed(&model, &[], &place().into());
    let nan = Override {
        translation: Some(Vec3::NAN),
        rotation: Some(Quat::from_xyzw(0.0, f32::INFINITY, 0.0, 1.0)),
        scale: Some(Vec3::INFINITY),
        ..Override::default()
    };
    let zero = Override { rotation: Some(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), ..Override::default() };
    let none = Override { translation: Some(Vec3::ONE), weight: f32::NAN, ..Override::default() };
    let below = Override { weight: -1.0, ..none };
    for to in [nan, zero, none, below, Override::default()] {
        for space in [Space::Local, Space::Model, Space::World] {
            let (_, got) = posed(&model, &[(1, Override { space, ..to })], &place().into());
            assert_eq!(got, plain, "{to:?}");
        }
    }
}

#[test]
fn overrides_leave_the_bits_of_other_nodes_unchanged() {
    let model = model(&rests(SHEARED));
    let rig = Rig::new(&model);
    let mut plain = Vec::new();
    rig.node_matrices(rig.rest_pose(), &place().into(), &mut plain);
    assert_eq!(posed(&model, &[], &place().into()).1, plain);
    let to = Override { translation: Some(Vec3::ONE), space: Space::World, ..Override::default() };
    let got = posed(&model, &[(2, to)], &place().into()).1;
    for untouched in [0, 1, 4, 5] {
        assert_eq!(got[untouched], plain[untouched]);
    }
    assert_ne!(got[3], plain[3]);
}

#[test]
fn overrides_set_the_whole_transform_in_each_space() {
    let rests = rests(SHEARED);
    let (model, place) = (model(&rests), place());
    let to = trs([9.0, 8.0, 7.0], turn(1.0, 2.0, 3.0), [2.0, -3.0, 0.5]);
    let whole = |space| Override {
        translation: Some(to.translation),
        // Not normalised.
        rotation: Some(to.rotation * 3.0),
        scale: Some(to.scale),
        space,
        weight: 1.0,
    };
    let local: Vec<DMat4> = rests.iter().map(exact).collect();
    for node in 0..6 {
        let world = tree(exact(&place), &local, &[(node, exact(&to))]);
        assert_same(&posed(&model, &[(node, whole(Space::World))], &place.into()).1, &world);
        let inside = tree(exact(&place), &local, &[(node, exact(&place) * exact(&to))]);
        assert_same(&posed(&model, &[(node, whole(Space::Model))], &place.into()).1, &inside);
        let mut changed = local.clone();
        changed[node] = exact(&to);
        let (pose, got) = posed(&model, &[(node, whole(Space::Local))], &place.into());
        assert_same(&got, &tree(exact(&place), &changed, &[]));
        assert!(pose.get(NodeId::new(node)).translation == to.translation, "and the pose says so");
    }
    let both = [(1, whole(Space::World)), (2, whole(Space::Local)), (3, whole(Space::Model))];
    let mut changed = local;
    changed[2] = exact(&to);
    let want = tree(exact(&place), &changed, &[(1, exact(&to)), (3, exact(&place) * exact(&to))]);
    assert_same(&posed(&model, &both, &place.into()).1, &want);
}

#[test]
fn overrides_of_parts_keep_the_other_parts() {
    let rests = rests(EVEN);
    let (model, place) = (model(&rests), place());
    let local: Vec<DMat4> = rests.iter().map(exact).collect();
    let plain = tree(exact(&place), &local, &[]);
    let to = trs([9.0, 8.0, 7.0], turn(1.0, 2.0, 3.0), [2.0, 3.0, 0.5]);
    for space in [Space::World, Space::Model] {
        let into = if space == Space::Model { exact(&place) } else { DMat4::IDENTITY };
        for (node, plain) in plain.iter().enumerate() {
            let (scale, rotation, translation) = (into.inverse() * *plain).to_scale_rotation_translation();
            let mut want = [(scale, rotation, translation); 3];
            want[0].2 = to.translation.as_dvec3();
            want[1].1 = to.rotation.as_dquat();
            want[2].0 = to.scale.as_dvec3();
            let part = Override { space, ..Override::default() };
            let parts = [
                Override { translation: Some(to.translation), ..part },
                Override { rotation: Some(to.rotation), ..part },
                Override { scale: Some(to.scale), ..part },
            ];
            for (part, (scale, rotation, translation)) in parts.into_iter().zip(want) {
                let there = into * DMat4::from_scale_rotation_translation(scale, rotation, translation);
                let want = tree(exact(&place), &local, &[(node, there)]);
                assert_same(&posed(&model, &[(node, part)], &place.into()).1, &want);
            }
        }
    }
}

#[test]
fn override_weights_blend_from_the_animated_transform_to_the_override() {
    let rests = rests(EVEN);
    let model = model(&rests);
    let local: Vec<DMat4> = rests.iter().map(exact).collect();
    let plain = tree(DMat4::IDENTITY, &local, &[]);
    let (to, rotation) = (Vec3::new(9.0, 8.0, 7.0), turn(1.0, 2.0, 3.0));
    for space in [Space::Local, Space::Model, Space::World] {
        let mut last: f64 = f64::INFINITY;
        for weight in [0.0_f32, 0.25, 0.5, 0.75, 1.0] {
            let part = Override {
                translation: Some(to),
                rotation: Some(rotation),
                space,
                weight,
                ..Override::default()
            };
            let got = Mat4::from(posed(&model, &[(3, part)], &Affine::identity()).1[3]).as_dmat4();
            let parent = if space == Space::Local { plain[2] } else { DMat4::IDENTITY };
            let (_, now, at) = (parent.inverse() * got).to_scale_rotation_translation();
            let (_, before, from) = (parent.inverse() * plain[3]).to_scale_rotation_translation();
            assert!(at.abs_diff_eq(from.lerp(to.as_dvec3(), f64::from(weight)), 1e-5));
            let wanted = rotation.as_dquat();
            let left = now.angle_between(wanted);
            assert!(left < last || left < 1e-3, "nearer with more weight");
            last = left;
            if weight == 0.5 {
                assert!((left - now.angle_between(before)).abs() < 1e-5, "half way is in the middle");
            }
            let way = before.angle_between(wanted);
            assert!((left + now.angle_between(before) - way).abs() < 1e-3, "and on the shortest way");
        }
        assert!(last < 1e-3);
    }
}

/// The lengths of the axes and the angles between them.
fn gram(matrix: DMat4) -> [f64; 6] {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate());
    [x.dot(x), y.dot(y), z.dot(z), x.dot(y), y.dot(z), z.dot(x)]
}

#[test]
fn overrides_rotate_sheared_nodes_and_scale_them_without_shear() {
    let model = model(&rests(SHEARED));
    let place = trs([3.0, -2.0, 7.0], turn(0.4, 1.0, -0.6), [1.5, 0.2, 1.0]);
    let plain = posed(&model, &[], &place.into()).1;
    let (rotation, scale) = (turn(1.0, 2.0, 3.0), Vec3::new(2.0, 3.0, 0.5));
    for node in [2, 3, 4, 5] {
        let before = Mat4::from(plain[node]).as_dmat4();
        let world = |part: Override| {
            let part = Override { space: Space::World, ..part };
            Mat4::from(posed(&model, &[(node, part)], &place.into()).1[node]).as_dmat4()
        };
        let turned = world(Override { rotation: Some(rotation), ..Override::default() });
        for (a, b) in gram(turned).into_iter().zip(gram(before)) {
            assert!((a - b).abs() < 1e-4, "{node}: {a} {b}");
        }
        let axis = turned.x_axis.truncate().normalize();
        let sign = before.determinant().signum();
        assert!(axis.abs_diff_eq(sign * (rotation.as_dquat() * DVec3::X), 1e-5), "{node}: {axis}");
        let y = rotation.as_dquat().inverse() * turned.y_axis.truncate();
        assert!(y.z.abs() < 1e-5 && y.y > 0.0, "{y}");
        let scaled = world(Override { scale: Some(scale), ..Override::default() });
        for (a, b) in gram(scaled).into_iter().zip([4.0, 9.0, 0.25, 0.0, 0.0, 0.0]) {
            assert!((a - b).abs() < 1e-4, "{node}: {a} {b}");
        }
        assert_eq!(scaled.w_axis, before.w_axis, "the place stays to the bit");
    }
}

#[test]
fn overrides_of_scale_0_give_no_nan() {
    let mut scales = EVEN;
    scales[1] = [0.0, 1.0, 0.0];
    scales[2] = [0.0; 3];
    let rests = rests(scales);
    let model = model(&rests);
    let (rotation, scale) = (turn(1.0, 2.0, 3.0), Vec3::new(1.0, 2.0, 3.0));
    let parts = [
        Override { rotation: Some(rotation), ..Override::default() },
        Override { scale: Some(scale), ..Override::default() },
        Override { translation: Some(Vec3::ONE), weight: 0.5, ..Override::default() },
        Override { rotation: Some(rotation), scale: Some(scale), weight: 0.5, ..Override::default() },
    ];
    for node in 0..6 {
        for space in [Space::Local, Space::Model, Space::World] {
            for part in parts {
                // A place with a zero scale has no inverse.
                for place in [place(), trs([1.0; 3], Quat::IDENTITY, [0.0, 1.0, 1.0])] {
                    let (_, got) = posed(&model, &[(node, Override { space, ..part })], &place.into());
                    assert!(Affine::as_floats(&got).iter().all(|value| value.is_finite()), "{node} {part:?}");
                }
            }
        }
    }
    let part =
        Override { rotation: Some(rotation), scale: Some(scale), space: Space::World, ..Override::default() };
    let got = Mat4::from(posed(&model, &[(3, part)], &place().into()).1[3]).as_dmat4();
    let linear = DMat4::from_quat(rotation.as_dquat()) * DMat4::from_scale(scale.as_dvec3());
    assert!((got.x_axis - linear.x_axis).length() + (got.z_axis - linear.z_axis).length() < 1e-5);
}

#[test]
fn overrides_replace_node_matrices_of_the_file() {
    let shear = Mat4::from_cols_array(&[1., 0., 0., 0., 0.7, 1., 0., 0., 0., 0., 2., 0., 5., 0., 0., 1.]);
    let rests = rests(EVEN);
    let mut model = model(&rests);
    model.nodes[1].rest_matrix = Some(shear);
    let mut local: Vec<DMat4> = rests.iter().map(exact).collect();
    let to = turn(1.0, 2.0, 3.0);
    // Its X axis is X, its Y axis is in the plane of X and Y: the rotation that is replaced is the identity.
    let inner = DMat4::from_mat3(glam::DMat3::from_mat4(shear.as_dmat4()));
    local[1] = DMat4::from_translation(DVec3::new(5.0, 0.0, 0.0)) * DMat4::from_quat(to.as_dquat()) * inner;
    let part = Override { rotation: Some(to), ..Override::default() };
    assert_same(&posed(&model, &[(1, part)], &place().into()).1, &tree(exact(&place()), &local, &[]));
    local[1] = exact(&trs([1.0; 3], to, [2.0; 3]));
    let whole =
        Override { translation: Some(Vec3::ONE), rotation: Some(to), scale: Some(Vec3::splat(2.0)), ..part };
    assert_same(&posed(&model, &[(1, whole)], &place().into()).1, &tree(exact(&place()), &local, &[]));
}

#[test]
fn override_rotation_keeps_a_mirrored_scale() {
    let rests = rests(SHEARED);
    let model = model(&rests);
    let to = turn(1.0, 2.0, 3.0);
    let (pose, _) =
        posed(&model, &[(1, Override { rotation: Some(to), ..Override::default() })], &Affine::identity());
    let got = pose.get(NodeId::new(1));
    assert_eq!((got.translation, got.scale), (rests[1].translation, rests[1].scale));
    assert!(got.rotation.as_dquat().abs_diff_eq(to.as_dquat(), 1e-6));
}

#[test]
fn override_is_replaced_and_removed() {
    let mut all = Overrides::default();
    let node = NodeId::new(3);
    let to = |weight| Override { translation: Some(Vec3::ONE), weight, ..Override::default() };
    all.set(node, to(7.0));
    assert_eq!(all.get(node).map(|to| to.weight), Some(1.0));
    all.set(node, to(0.25));
    assert_eq!(all.get(node).map(|to| to.weight), Some(0.25));
    all.remove(NodeId::new(4));
    all.remove(node);
    assert_eq!(all.get(node), None);
}
