//! Inverse kinematics and look-at, compared with trigonometry in f64: the law of cosines, and rotations about axes.

use gambol::animation::{Affine, LookAt, Override, Overrides, Rig, Space, TwoBoneIk};
use gambol::model::{HumanBone, Humanoid, Model, Node, NodeId, Transform, VrmVersion};
use glam::{DMat4, DQuat, DVec3, EulerRot, Mat4, Quat, Vec3};

/// A leg with nodes between its joints: 0 ─ 1 (hip) ─ 2 ─ 3 (knee) ─ 4 (foot) ─ 5 (toes), and the separate node 6.
const PARENTS: [Option<usize>; 7] = [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(0)];
const HIP: usize = 1;
const KNEE: usize = 3;
const FOOT: usize = 4;
const TOES: usize = 5;
const BESIDE: usize = 6;

fn turn(x: f32, y: f32, z: f32) -> Quat {
    Quat::from_euler(EulerRot::XYZ, x, y, z)
}

fn trs(t: [f32; 3], rotation: Quat, s: [f32; 3]) -> Transform {
    Transform { translation: t.into(), rotation, scale: s.into() }
}

fn leg() -> Vec<Transform> {
    vec![
        trs([0.1, 1.0, -0.2], turn(0.2, 0.7, -0.1), [1.0; 3]),
        trs([0.2, 0.0, 0.1], turn(-0.5, 0.1, 0.3), [1.0, 1.2, 1.0]),
        trs([0.0, -0.3, 0.02], turn(0.1, 0.4, 0.0), [1.0; 3]),
        trs([0.05, -0.25, 0.0], turn(0.9, 0.0, -0.2), [0.9; 3]),
        trs([0.0, -0.35, 0.1], turn(-0.4, 0.2, 0.1), [1.0; 3]),
        trs([0.0, -0.1, 0.2], Quat::IDENTITY, [1.0; 3]),
        trs([-0.3, 0.2, 0.0], turn(0.0, 1.0, 0.0), [1.0; 3]),
    ]
}

/// The leg hangs straight down.
fn straight() -> Vec<Transform> {
    let down = |length: f32| trs([0.0, -length, 0.0], Quat::IDENTITY, [1.0; 3]);
    vec![
        trs([0.0, 2.0, 0.0], Quat::IDENTITY, [1.0; 3]),
        down(0.0),
        down(0.5),
        down(0.25),
        down(0.5),
        down(0.1),
        down(0.0),
    ]
}

fn rig(rests: &[Transform]) -> Rig {
    let node = |(i, &rest): (usize, &Transform)| Node {
        parent: PARENTS[i].map(NodeId::new),
        rest,
        ..Node::default()
    };
    Rig::new(&Model { nodes: rests.iter().enumerate().map(node).collect(), ..Model::default() })
}

fn standing() -> Transform {
    trs([3.0, -2.0, 7.0], turn(0.4, 1.0, -0.6), [1.5; 3])
}

fn posed(rig: &Rig, place: Transform, ask: impl FnOnce(&mut Overrides)) -> Vec<DMat4> {
    let (mut all, mut matrices) = (Overrides::default(), Vec::new());
    ask(&mut all);
    let mut pose = rig.rest_pose().clone();
    all.pose(rig, &mut pose);
    all.node_matrices(rig, &pose, &place.into(), &mut matrices);
    matrices[..PARENTS.len()].iter().map(|&matrix| Mat4::from(matrix).as_dmat4()).collect()
}

fn at(matrices: &[DMat4], node: usize) -> DVec3 {
    matrices[node].w_axis.truncate()
}

fn reach(target: DVec3) -> TwoBoneIk {
    let (middle, end) = (NodeId::new(KNEE), NodeId::new(FOOT));
    let (space, pole_space) = (Space::World, Space::World);
    TwoBoneIk { middle, end, target: target.as_vec3(), space, pole: None, pole_space, weight: 1.0 }
}

fn aim(target: DVec3) -> LookAt {
    LookAt { target: target.as_vec3(), axis: None, limit: 4.0, space: Space::World, weight: 1.0 }
}

fn reached(rig: &Rig, place: Transform, reach: TwoBoneIk) -> Vec<DMat4> {
    posed(rig, place, |all| all.set_ik(NodeId::new(HIP), reach))
}

fn aimed(rig: &Rig, place: Transform, node: usize, aim: LookAt) -> Vec<DMat4> {
    posed(rig, place, |all| all.set_look_at(rig, NodeId::new(node), aim))
}

/// Pseudorandom points in a cube around another point.
fn points(around: DVec3, half: f64) -> impl Iterator<Item = DVec3> {
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 30) as f64 - 1.0
    };
    (0..300).map(move |_| around + half * DVec3::new(next(), next(), next()))
}

/// Positions up to ten metres away are rounded before the directions of bones of half a metre are computed.
#[track_caller]
fn assert_same(got: &[DMat4], want: &[DMat4], what: &str) {
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        assert!(got.abs_diff_eq(*want, 2e-5), "{what}, node {i}:\n{got}\n{want}");
    }
}

/// The matrices if node `node` moves to `turned`: those below it follow, the others stay.
fn below(plain: &[DMat4], node: usize, turned: DMat4) -> Vec<DMat4> {
    let hangs = |mut i: usize| loop {
        match PARENTS[i] {
            _ if i == node => break true,
            Some(parent) => i = parent,
            None => break false,
        }
    };
    let moved = turned * plain[node].inverse();
    (0..plain.len()).map(|i| if hangs(i) { moved * plain[i] } else { plain[i] }).collect()
}

/// A rotation about a point.
fn about(place: DVec3, turn: DQuat) -> DMat4 {
    DMat4::from_translation(place) * DMat4::from_quat(turn) * DMat4::from_translation(-place)
}

/// glam's own function is exact to three digits only.
fn angle_between(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

/// Two-bone IK by angles: the joints are bent in their plane, then the chain is rotated to the target.
fn by_angles(plain: &[DMat4], target: DVec3) -> Vec<DMat4> {
    let [hip, knee, foot] = [HIP, KNEE, FOOT].map(|node| at(plain, node));
    let (upper, lower) = ((knee - hip).length(), (foot - knee).length());
    let reach = (target - hip).length().clamp((upper - lower).abs(), upper + lower);
    let angle = |a: f64, b: f64, across: f64| {
        ((a * a + b * b - across * across) / (2.0 * a * b)).clamp(-1.0, 1.0).acos()
    };
    let axis = (knee - hip).cross(foot - hip).normalize();
    let at_hip = angle_between(foot - hip, knee - hip) - angle(upper, reach, lower);
    let mut now = below(plain, HIP, about(hip, DQuat::from_axis_angle(axis, at_hip)) * plain[HIP]);
    let at_knee = angle_between(hip - knee, foot - knee) - angle(upper, lower, reach);
    let knee = at(&now, KNEE);
    now = below(&now, KNEE, about(knee, DQuat::from_axis_angle(axis, at_knee)) * now[KNEE]);
    let swing = DQuat::from_rotation_arc((at(&now, FOOT) - hip).normalize(), (target - hip).normalize());
    below(&now, HIP, about(hip, swing) * now[HIP])
}

#[test]
fn goals_with_invalid_numbers_do_nothing() {
    let rig = rig(&leg());
    let plain = posed(&rig, standing(), |_| ());
    let there = at(&plain, TOES);
    let nowhere = [
        TwoBoneIk { target: Vec3::NAN, ..reach(there) },
        TwoBoneIk { target: Vec3::INFINITY, ..reach(there) },
        TwoBoneIk { weight: 0.0, ..reach(there) },
        TwoBoneIk { weight: -1.0, ..reach(there) },
        TwoBoneIk { weight: f32::NAN, ..reach(there) },
        TwoBoneIk { middle: NodeId::new(BESIDE), end: NodeId::new(FOOT), ..reach(there) },
        TwoBoneIk { middle: NodeId::new(KNEE), end: NodeId::new(BESIDE), ..reach(there) },
        TwoBoneIk { middle: NodeId::new(FOOT), ..reach(there) },
        TwoBoneIk { middle: NodeId::new(HIP), ..reach(there) },
    ];
    for reach in nowhere {
        assert_eq!(reached(&rig, standing(), reach), plain, "{reach:?}");
    }
    let nothing = [
        LookAt { target: Vec3::NAN, ..aim(there) },
        LookAt { weight: 0.0, ..aim(there) },
        LookAt { weight: f32::NAN, ..aim(there) },
        aim(at(&plain, HIP)),
    ];
    for aim in nothing {
        assert_eq!(aimed(&rig, standing(), HIP, aim), plain, "{aim:?}");
    }
    let odd = LookAt { axis: Some(Vec3::NAN), ..aim(there) };
    assert_eq!(aimed(&rig, standing(), HIP, odd), aimed(&rig, standing(), HIP, aim(there)), "no axis");
    let odd = TwoBoneIk { pole: Some(Vec3::INFINITY), ..reach(there) };
    assert_eq!(reached(&rig, standing(), odd), reached(&rig, standing(), reach(there)), "no pole");
}

#[test]
fn goals_on_degenerate_joints_give_no_nan() {
    let mut flat = leg();
    flat[HIP].scale = Vec3::ZERO;
    let mut short = leg();
    short[KNEE].translation = Vec3::ZERO;
    short[2].translation = Vec3::ZERO;
    let mut folded = straight();
    folded[FOOT].translation = Vec3::new(0.0, 0.75, 0.0);
    for rests in [flat, short, folded, straight(), leg()] {
        let rig = rig(&rests);
        let plain = posed(&rig, standing(), |_| ());
        let targets = (0..7)
            .map(|node| at(&plain, node))
            .chain([at(&plain, HIP) + DVec3::splat(1e-30), DVec3::splat(1e30)]);
        for target in targets {
            for pole in [None, Some(Vec3::Z), Some(Vec3::ZERO), Some((target - at(&plain, HIP)).as_vec3())] {
                for weight in [0.5, 1.0] {
                    let got = reached(&rig, standing(), TwoBoneIk { pole, weight, ..reach(target) });
                    assert!(got.iter().all(DMat4::is_finite), "{target} {pole:?}");
                    let axis = pole.map(|_| Vec3::ZERO);
                    let got = aimed(&rig, standing(), KNEE, LookAt { axis, weight, ..aim(target) });
                    assert!(got.iter().all(DMat4::is_finite), "{target}");
                }
            }
        }
    }
}

#[test]
fn ik_reaches_the_target_and_keeps_bone_lengths() {
    let rig = rig(&leg());
    for place in [Transform::IDENTITY, standing()] {
        let plain = posed(&rig, place, |_| ());
        let hip = at(&plain, HIP);
        let (upper, lower) =
            ((at(&plain, KNEE) - hip).length(), (at(&plain, FOOT) - at(&plain, KNEE)).length());
        let mut kinds = [0; 3];
        for target in points(hip, 1.3 * (upper + lower)).chain(points(hip, 0.3 * (upper + lower))) {
            let got = reached(&rig, place, reach(target));
            let distance = (target - hip).length();
            let (near, far) = ((upper - lower).abs(), upper + lower);
            kinds[usize::from(distance > near) + usize::from(distance > far)] += 1;
            let want = hip + (target - hip) * (distance.clamp(near, far) / distance);
            assert!(at(&got, FOOT).abs_diff_eq(want, 3e-6), "{} {want}", at(&got, FOOT));
            assert!(((at(&got, KNEE) - hip).length() - upper).abs() < 3e-6);
            assert_eq!([got[0], got[BESIDE]], [plain[0], plain[BESIDE]], "to the bit");
            assert_eq!(got[HIP].w_axis, plain[HIP].w_axis, "the hip stays");
            let local = |all: &[DMat4], node: usize| all[node - 1].inverse() * all[node];
            for node in [2, FOOT, TOES] {
                assert!(
                    local(&got, node).abs_diff_eq(local(&plain, node), 1e-5),
                    "what lies between moves along"
                );
            }
        }
        assert!(kinds.iter().all(|&count| count > 2), "too near, in reach, too far: {kinds:?}");
    }
}

#[test]
fn ik_without_a_pole_agrees_with_the_law_of_cosines() {
    let rig = rig(&leg());
    for place in [Transform::IDENTITY, standing()] {
        let plain = posed(&rig, place, |_| ());
        for target in points(at(&plain, HIP), 1.5) {
            // The target with rounding to f32.
            let rounded = target.as_vec3().as_dvec3();
            let want = by_angles(&plain, rounded);
            assert_same(&reached(&rig, place, reach(rounded)), &want, "a reach");
            for weight in [0.25_f32, 0.7] {
                let part = at(&plain, FOOT).lerp(rounded, f64::from(weight));
                let got = reached(&rig, place, TwoBoneIk { weight, ..reach(rounded) });
                assert_same(&got, &by_angles(&plain, part), "a part of the way");
            }
        }
    }
}

#[test]
fn ik_middle_joint_points_to_the_pole() {
    for rests in [leg(), straight()] {
        let rig = rig(&rests);
        let plain = posed(&rig, standing(), |_| ());
        let hip = at(&plain, HIP);
        let reachable = points(hip, 0.8).filter(|target| (0.5..1.2).contains(&(*target - hip).length()));
        for (target, pole) in reachable.zip(points(DVec3::ZERO, 1.0)) {
            let got = reached(&rig, standing(), TwoBoneIk { pole: Some(pole.as_vec3()), ..reach(target) });
            let along = (target - hip).normalize();
            let (want, knee) =
                (pole.reject_from(along).normalize(), (at(&got, KNEE) - hip).reject_from(along));
            assert!(knee.normalize().abs_diff_eq(want, 1e-4), "{knee} {want}");
            assert!(at(&got, FOOT).abs_diff_eq(target, 3e-6));
        }
    }
}

#[test]
fn goals_are_in_world_or_model_space() {
    let rig = rig(&leg());
    let (place, inside) = (standing(), DVec3::new(0.4, 0.5, 0.2));
    let world = standing().to_matrix().as_dmat4();
    let pole = Vec3::new(0.3, 0.1, 1.0);
    let outside = TwoBoneIk {
        pole: Some(world.transform_vector3(pole.as_dvec3()).as_vec3()),
        ..reach(world.transform_point3(inside))
    };
    for space in [Space::Model, Space::Local] {
        let (pole, pole_space) = (Some(pole), space);
        let got = reached(&rig, place, TwoBoneIk { space, pole, pole_space, ..reach(inside) });
        assert_same(&got, &reached(&rig, place, outside), "a reach");
        let got = reached(&rig, place, TwoBoneIk { pole, pole_space, ..outside });
        assert_same(&got, &reached(&rig, place, outside), "a target in the world, a pole in the model");
        let got = aimed(&rig, place, FOOT, LookAt { space, ..aim(inside) });
        assert_same(&got, &aimed(&rig, place, FOOT, aim(world.transform_point3(inside))), "a look");
    }
}

/// The weight of a look-at by the angle to its target: 1 to half way between the limit and the opposite direction, where it is 0.
fn rest(angle: f64, limit: f64) -> f64 {
    use std::f64::consts::PI;
    let last = 0.5 * (limit + PI);
    if limit >= PI || angle <= last {
        return 1.0;
    }
    let s = (1.0 + angle.cos()) / (1.0 + last.cos());
    s * s * (3.0 - 2.0 * s)
}

/// Yaw about `up`, then pitch, by angles: the direction and the yaw of a direction, and the rotation from one to the other.
fn yaw_and_pitch(from: DVec3, to: DVec3, up: DVec3) -> DQuat {
    let ahead = up.any_orthonormal_vector();
    let side = up.cross(ahead);
    let yaw = |way: DVec3| way.dot(side).atan2(way.dot(ahead));
    let pitch = |way: DVec3| way.dot(up).clamp(-1.0, 1.0).asin();
    let about_up = |angle: f64| DQuat::from_axis_angle(up, angle);
    let placed = |way: DVec3| about_up(yaw(way)) * DQuat::from_axis_angle(side, -pitch(way));
    placed(to) * placed(from).inverse()
}

/// 1, and 0 for a direction along `up`, which has no yaw.
fn has_yaw(way: DVec3, up: DVec3) -> f64 {
    let s = (up.cross(way).length_squared() / 0.0625).min(1.0);
    s * s * (3.0 - 2.0 * s)
}

/// The direction that a joint takes, without its last yaw, and that yaw, by angles. The tangent of half the yaw of a target is
/// divided by that of half the limit, if the limit is beyond a right angle. The result is within the limit of a right angle then.
fn within(from: DVec3, to: DVec3, up: DVec3, limit: f64, weight: f64) -> (DVec3, f64) {
    let ahead = from.reject_from(up).normalize();
    let yaw = |way: DVec3| way.dot(up.cross(ahead)).atan2(way.dot(ahead));
    let stretch = |angle: f64, by: f64| 2.0 * ((0.5 * angle).tan() * by).atan() - angle;
    let about_up = |angle: f64| DQuat::from_axis_angle(up, angle);
    let half = (0.5 * limit).tan();
    let is_limited = limit < std::f64::consts::PI;
    let scale = if is_limited && half > 1.0 { 1.0 + has_yaw(from, up) * (1.0 / half - 1.0) } else { 1.0 };
    let limit = if scale < 1.0 { 2.0 * (scale * half).atan() } else { limit };
    let to = about_up(stretch(yaw(to), scale)) * to;
    let whole = angle_between(from, to);
    let edge = DQuat::from_axis_angle(from.cross(to).normalize(), whole.min(limit)) * from;
    // Along the chord from one direction to the other.
    let mut way = from.lerp(edge, weight * rest(whole, limit)).normalize();
    if is_limited && way.dot(ahead) < 0.0 {
        way = (way - ahead * way.dot(ahead) * has_yaw(from, up)).normalize();
    }
    let back = 1.0 / (1.0 + has_yaw(way, up) * (scale - 1.0));
    (way, stretch(yaw(way), back))
}

#[test]
fn look_at_is_yaw_and_pitch_about_the_up_of_the_parent_within_the_limit() {
    let rig = rig(&leg());
    let plain = posed(&rig, standing(), |_| ());
    let resting = posed(&rig, Transform::IDENTITY, |_| ());
    let world = standing().to_matrix().as_dmat4();
    let mut compared = 0;
    for (i, target) in points(at(&plain, FOOT), 2.0).enumerate() {
        let rounded = target.as_vec3().as_dvec3();
        let (node, limit) = ([HIP, FOOT, BESIDE][i % 3], [4.0_f32, 0.5, 1.7, 0.0][i % 4]);
        let own = Vec3::new(0.3, -0.2, 1.0);
        // At rest all face along the model's Z axis.
        let (axis, from) = if i % 2 == 0 {
            (None, world.z_axis.truncate())
        } else {
            (Some(own), plain[node].transform_vector3(own.as_dvec3()))
        };
        let parent = PARENTS[node].expect("a parent");
        let up = resting[parent].inverse().transform_vector3(DVec3::Y);
        let up = plain[parent].transform_vector3(up).normalize();
        let here = at(&plain, node);
        let (from, to) = (from.normalize(), (rounded - here).normalize());
        for weight in [1.0_f32, 0.25] {
            let (way, yaw) = within(from, to, up, limit.into(), weight.into());
            let last = DQuat::from_axis_angle(up, yaw);
            let wanted = last * way;
            let got = aimed(&rig, standing(), node, LookAt { axis, limit, weight, ..aim(rounded) });
            let look = got[node] * plain[node].inverse() * from.extend(0.0);
            assert!(angle_between(look.truncate(), wanted) < 5e-5, "{i}: the direction");
            // Near the poles it is between yaw and pitch, and the shortest arc.
            if up.cross(from).length() > 0.26 && up.cross(way).length() > 0.26 {
                let turn = last * yaw_and_pitch(from, way, up);
                let want = below(&plain, node, about(here, turn) * plain[node]);
                assert_same(&got, &want, "a look");
                compared += 1;
            }
        }
    }
    assert!(compared > 400, "{compared}");
    let behind = at(&plain, FOOT) - world.z_axis.truncate();
    let got = aimed(&rig, standing(), FOOT, aim(behind));
    let look = got[FOOT] * plain[FOOT].inverse() * world.z_axis;
    assert!(look.truncate().normalize().dot(world.z_axis.truncate().normalize()) < -0.999, "half a turn");
}

/// A head on a neck, both upright.
fn head(humanoid: bool) -> Rig {
    Rig::new(&head_model(humanoid))
}

fn head_model(humanoid: bool) -> Model {
    let node = |i: usize| Node {
        parent: i.checked_sub(1).map(NodeId::new),
        rest: trs([0.0, 1.0, 0.0], Quat::IDENTITY, [1.0; 3]),
        ..Node::default()
    };
    let bones = vec![(HumanBone::Neck, NodeId::new(0)), (HumanBone::Head, NodeId::new(1))];
    let humanoid =
        humanoid.then(|| Humanoid { version: VrmVersion::Vrm1, bones, expressions: Vec::new() }.into());
    Model { nodes: (0..2).map(node).collect(), humanoid, ..Model::default() }
}

/// The matrix of the head that looks at a target, in metres from it.
fn nod(rig: &Rig, target: DVec3, limit: f32) -> DMat4 {
    let (mut all, mut matrices) = (Overrides::default(), Vec::new());
    let look = LookAt { target: (target + DVec3::Y * 2.0).as_vec3(), limit, ..aim(DVec3::ZERO) };
    all.set_look_at(rig, NodeId::new(1), look);
    all.node_matrices(rig, rig.rest_pose(), &Affine::identity(), &mut matrices);
    Mat4::from(matrices[1]).as_dmat4()
}

#[test]
fn look_at_keeps_a_head_upright_and_gives_up_behind_it() {
    let rig = head(false);
    for limit in [0.6_f32, 1.2, 2.5, 4.0] {
        for height in [-0.5, 0.0, 0.7] {
            let at = |angle: f64| nod(&rig, DVec3::new(3.0 * angle.sin(), height, 3.0 * angle.cos()), limit);
            let steps = 720;
            let mut last = at(0.0);
            for step in 1..=steps {
                let angle = std::f64::consts::TAU * f64::from(step) / f64::from(steps);
                let now = at(angle);
                let (side, up) = (now.x_axis.truncate(), now.y_axis.truncate());
                assert!(side.y.abs() < 1e-6, "{limit} {height} {angle}: no roll, {side}");
                assert!(up.y > 0.2, "{limit} {height} {angle}: it stays upright, {up}");
                let turned = angle_between(last.z_axis.truncate(), now.z_axis.truncate());
                // A wide limit leaves little room behind to give up in.
                let most = if limit > 2.0 && limit < 3.2 { 0.35 } else { 0.1 };
                assert!(turned < most, "{limit} {height} {angle}: it turns smoothly, by {turned}");
                last = now;
            }
            let behind = at(std::f64::consts::PI).z_axis.truncate();
            let forwards = angle_between(behind, DVec3::Z);
            if height == 0.0 {
                assert!(
                    if limit > 3.2 { forwards > std::f64::consts::PI - 1e-3 } else { forwards < 1e-3 },
                    "{limit}: {forwards}"
                );
            }
            // Beside it, it holds at its limit.
            let beside = at(0.5 * std::f64::consts::PI).z_axis.truncate();
            assert!(angle_between(beside, DVec3::Z) <= f64::from(limit) + 1e-6);
        }
    }
}

/// The matrices of a head at rest, and of one whose animation looks up or down by an angle, with a target in the direction.
fn nods(tilt: f64, limit: f32) -> impl Fn(DVec3) -> DMat4 {
    let mut model = head_model(false);
    let face = DVec3::new(0.0, tilt.sin(), tilt.cos());
    model.nodes[1].rest.rotation = Quat::from_rotation_x(-tilt as f32);
    let rig = Rig::new(&model);
    // The axis is given, since the front of the model is not where the head looks.
    let base = DMat4::from_quat(DQuat::from_rotation_x(-tilt));
    assert!(angle_between(base.transform_vector3(DVec3::Z), face) < 1e-9);
    move |target| {
        let (mut all, mut matrices) = (Overrides::default(), Vec::new());
        let target = (4.0 * target + DVec3::Y * 2.0).as_vec3();
        all.set_look_at(
            &rig,
            NodeId::new(1),
            LookAt { axis: Some(Vec3::Z), limit, ..aim(target.as_dvec3()) },
        );
        all.node_matrices(&rig, rig.rest_pose(), &Affine::identity(), &mut matrices);
        Mat4::from(matrices[1]).as_dmat4()
    }
}

/// The limits of a dense sweep, in degrees.
const SWEPT: [f64; 15] =
    [10.0, 30.0, 60.0, 75.0, 89.0, 91.0, 100.0, 110.0, 114.0, 120.0, 135.0, 150.0, 165.0, 175.0, 180.0];

/// A direction by its yaw from the front and its elevation.
fn at_angles(yaw: f64, elevation: f64) -> DVec3 {
    DVec3::new(yaw.sin() * elevation.cos(), elevation.sin(), yaw.cos() * elevation.cos())
}

#[test]
fn look_at_with_any_limit_never_leans_over_backwards_and_does_not_roll() {
    for (limit, tilt) in SWEPT.iter().flat_map(|&limit| [0.0, 0.4, -0.4, 0.9].map(|tilt| (limit, tilt))) {
        let nod = nods(tilt, limit.to_radians() as f32);
        // Without a limit it points at every target, so that it must turn around somewhere near the zenith.
        let everywhere = limit < 180.0;
        for i in 0..120 {
            for j in 0..=60 {
                let yaw = std::f64::consts::TAU * (f64::from(i) + 0.5) / 120.0;
                let elevation = std::f64::consts::PI * (f64::from(j) / 60.0 - 0.5) * 0.9999;
                let now = nod(at_angles(yaw, elevation));
                let [side, up, look] = [now.x_axis, now.y_axis, now.z_axis].map(|axis| axis.truncate());
                let what = || format!("{limit} {tilt} {yaw} {elevation}: {look} {up}");
                // Within 14° of up and down it is between yaw and pitch, and the shortest arc.
                let steep = look.y.abs() > 0.968;
                assert!(side.y.abs() < if steep { 0.18 } else { 1e-6 }, "no roll, {}", what());
                assert!(up.y > -1e-6 || steep && !everywhere, "not below the horizon, {}", what());
                let turned = angle_between(look, DVec3::new(0.0, tilt.sin(), tilt.cos()));
                assert!(turned <= limit.to_radians() + 1e-6, "within the limit, {}", what());
            }
        }
    }
}

#[test]
fn look_at_with_a_limit_follows_a_target_without_a_jump() {
    let distance = |a: DMat4, b: DMat4| (0..3).map(|i| (a.col(i) - b.col(i)).length()).fold(0.0, f64::max);
    for (limit, tilt) in SWEPT.iter().flat_map(|&limit| [0.0, 0.4, -0.4, 0.9].map(|tilt| (limit, tilt))) {
        if limit == 180.0 {
            continue;
        }
        let nod = nods(tilt, limit.to_radians() as f32);
        // Across the half plane behind, over all heights: both sides agree. A head that has 5° to turn from one end of its
        // range to the other is fast.
        let near = 1e-5;
        let most = near
            * if limit > 170.0 {
                4000.0
            } else if limit > 140.0 {
                600.0
            } else {
                150.0
            };
        for j in -400..=400 {
            let elevation = 0.5 * std::f64::consts::PI * f64::from(j) / 400.5;
            for yaw in [std::f64::consts::PI, 0.5, 1.5, 2.0, 2.5, 3.0] {
                let way = near / elevation.cos().max(near);
                let [left, right] = [-0.5, 0.5].map(|side| nod(at_angles(yaw + side * way, elevation)));
                let step = distance(left, right);
                assert!(step < most, "{limit} {tilt} {yaw} {elevation}: {step} sideways");
                let [low, high] = [-0.5, 0.5].map(|side| nod(at_angles(yaw, elevation + side * near)));
                let step = distance(low, high);
                assert!(step < most, "{limit} {tilt} {yaw} {elevation}: {step} upwards");
            }
        }
        // Around the poles.
        for pole in [-1.0, 1.0] {
            for i in 0..36 {
                let yaw = std::f64::consts::TAU * f64::from(i) / 36.0;
                let there = |yaw: f64| nod(at_angles(yaw, pole * (0.5 * std::f64::consts::PI - near)));
                let step = distance(there(yaw), there(0.0));
                assert!(step < most, "{limit} {tilt} {yaw}: {step} at the pole");
            }
        }
    }
}

#[test]
fn look_at_with_a_wide_limit_reaches_what_is_within_it_at_the_sides_and_gives_up_behind() {
    for limit in [100.0_f64, 120.0, 150.0, 170.0] {
        let nod = nods(0.0, limit.to_radians() as f32);
        for yaw in (0..=360).map(|degrees| f64::from(degrees - 180)) {
            for elevation in [-70.0, -30.0, 0.0, 20.0, 60.0, 75.0_f64] {
                let target = at_angles(yaw.to_radians(), elevation.to_radians());
                let look = nod(target).z_axis.truncate();
                let off = angle_between(look, target);
                if yaw.abs() <= limit {
                    assert!(off < 1e-4, "{limit} {yaw} {elevation}: off by {off}");
                }
                if yaw.abs() == 180.0 {
                    assert!(
                        look.x.abs() < 1e-6 && look.z >= 0.0,
                        "{limit} {elevation}: to neither side, {look}"
                    );
                    assert!(elevation != 0.0 || angle_between(look, DVec3::Z) < 1e-3, "{limit}: ahead");
                }
            }
        }
    }
}

#[test]
fn look_at_of_an_avatar_does_not_put_the_chin_into_the_chest() {
    let down = |rig: &Rig, target: DVec3| -nod(rig, target, 4.0).z_axis.y.asin().to_degrees();
    let below = DVec3::new(0.1, -4.0, 0.3);
    assert!(down(&head(false), below) > 80.0);
    let rig = head(true);
    assert!((down(&rig, below) - 30.0).abs() < 0.1, "{}", down(&rig, below));
    assert!((down(&rig, DVec3::new(0.0, -1.0, 4.0)) - 14.036).abs() < 0.01, "a target within the range");
    // Below the feet from the front to behind, without a jump.
    let mut last = nod(&rig, DVec3::new(0.0, -1.5, 4.0), 1.2);
    for step in 0..800 {
        let now = nod(&rig, DVec3::new(0.01, -1.5, 4.0 - 0.01 * f64::from(step)), 1.2);
        assert!(angle_between(last.z_axis.truncate(), now.z_axis.truncate()) < 0.05, "{step}");
        assert!(-now.z_axis.y.asin().to_degrees() < 30.1, "{step}");
        last = now;
    }
}

#[test]
fn overrides_ik_and_look_at_apply_in_a_fixed_order() {
    let rig = rig(&leg());
    let place = standing();
    let plain = posed(&rig, place, |_| ());
    let target = at(&plain, TOES) + DVec3::new(0.1, 0.2, 0.1);
    let lift = Override { translation: Some(Vec3::new(0.2, 1.2, 0.0)), ..Override::default() };
    let up =
        Override { translation: Some(Vec3::new(3.0, -1.0, 7.0)), space: Space::World, ..Override::default() };
    let asks: [&dyn Fn(&mut Overrides); 4] = [
        &|all| all.set(NodeId::new(0), up),
        &|all| all.set(NodeId::new(2), lift),
        &|all| all.set_ik(NodeId::new(HIP), reach(target)),
        &|all| all.set_look_at(&rig, NodeId::new(FOOT), aim(DVec3::ZERO)),
    ];
    let forwards = posed(&rig, place, |all| asks.iter().for_each(|ask| ask(all)));
    let backwards = posed(&rig, place, |all| asks.iter().rev().for_each(|ask| ask(all)));
    assert_eq!(forwards, backwards);
    assert!(at(&forwards, 0).abs_diff_eq(DVec3::new(3.0, -1.0, 7.0), 1e-6));
    // Nodes above the chain move before it reaches, and the foot's look-at starts from the reached position.
    let moved = posed(&rig, place, |all| asks[..2].iter().for_each(|ask| ask(all)));
    let reached = by_angles(&moved, target.as_vec3().as_dvec3());
    assert_same(&forwards[..FOOT], &reached[..FOOT], "a chain that was moved");
    assert!(at(&forwards, FOOT).abs_diff_eq(at(&reached, FOOT), 5e-6));

    let mut all = Overrides::default();
    asks.iter().for_each(|ask| ask(&mut all));
    asks.iter().for_each(|ask| ask(&mut all));
    all.remove_ik(NodeId::new(KNEE));
    all.remove_look_at(NodeId::new(KNEE));
    all.remove(NodeId::new(FOOT));
    let mut matrices: Vec<Affine> = Vec::new();
    let mut pose = rig.rest_pose().clone();
    all.pose(&rig, &mut pose);
    all.node_matrices(&rig, &pose, &place.into(), &mut matrices);
    assert_eq!(
        Mat4::from(matrices[TOES]).as_dmat4(),
        forwards[TOES],
        "twice is once, and others are not taken away"
    );
    all.remove_ik(NodeId::new(FOOT));
    all.remove_look_at(NodeId::new(FOOT));
    all.remove(NodeId::new(0));
    all.remove(NodeId::new(2));
    all.node_matrices(&rig, rig.rest_pose(), &place.into(), &mut matrices);
    let left: Vec<_> = matrices[..7].iter().map(|&matrix| Mat4::from(matrix).as_dmat4()).collect();
    assert_eq!(left, plain, "nothing is left");
}
