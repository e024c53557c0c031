//! Billboards: the palette against a second implementation with quaternions and trigonometry.

use crate::common::random::Random;
use gambol::animation::{Actor, Affine, Billboard, Facing, Rig, pose_hash};
use gambol::model::{Clip, MeshId, Model, Node, NodeId, Skin, SkinId, Transform};
use glam::camera::rh::{proj::opengl, view};
use glam::{DMat3, DMat4, DQuat, DVec3, Mat4, Quat, Vec3};
use std::rc::Rc;

/// The nodes: a root, the billboard, its child, a sibling, a second billboard below the child, and a skinned mesh.
const SIGN: usize = 1;
const CHILD: usize = 2;
const SIBLING: usize = 3;
const INNER: usize = 4;
const PARENTS: [Option<usize>; 6] = [None, Some(0), Some(1), Some(0), Some(2), None];

fn transform(random: &mut Random, scales: [f32; 3]) -> Transform {
    let mut number = || random.float(-1.0, 1.0);
    Transform {
        translation: Vec3::new(number(), number(), number()),
        rotation: Quat::from_xyzw(number(), number(), number(), number() + 1.1).normalize(),
        scale: Vec3::from_array(scales),
    }
}

fn model(random: &mut Random, scales: [f32; 3]) -> Model {
    let mut nodes: Vec<Node> = PARENTS
        .iter()
        .enumerate()
        .map(|(i, parent)| Node {
            parent: parent.map(NodeId::new),
            rest: transform(random, if i == SIGN { scales } else { [1.0; 3] }),
            mesh: Some(MeshId::new(0)),
            ..Node::default()
        })
        .collect();
    nodes[5].skin = Some(SkinId::new(0));
    let joints = vec![NodeId::new(SIBLING), NodeId::new(CHILD)];
    let skin = Skin { joints, inverse_bind: vec![Mat4::IDENTITY; 2], ..Skin::default() };
    let clip = Clip { duration: 1.0, ..Clip::default() };
    Model {
        nodes,
        meshes: vec![Default::default()],
        skins: vec![skin],
        clips: vec![clip.into()],
        ..Model::default()
    }
}

fn actor(random: &mut Random, scales: [f32; 3]) -> Actor {
    let model = model(random, scales);
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    actor.place = Mat4::from(glam::Affine3A::from_rotation_translation(
        Quat::from_rotation_y(0.7),
        Vec3::new(0.3, -0.2, 0.1),
    ))
    .into();
    actor.update();
    actor
}

struct Eye {
    view: Mat4,
    projection: Mat4,
    axes: DMat3,
    at: DVec3,
    parallel: bool,
}

impl Eye {
    fn new(at: Vec3, to: Vec3, parallel: bool) -> Self {
        let view = view::look_at_mat4(at, to, Vec3::Y);
        let projection = if parallel {
            opengl::orthographic(-1.0, 1.0, -1.0, 1.0, 0.1, 10.0)
        } else {
            opengl::perspective(1.0, 1.0, 0.1, 100.0)
        };
        let world = view.as_dmat4().inverse();
        let axes = DMat3::from_mat4(world);
        Self { view, projection, axes, at: world.w_axis.truncate(), parallel }
    }

    fn facing(&self) -> Facing {
        Facing::new(&self.view, &self.projection).expect("it is finite")
    }
}

/// `world_from_node` of a node, from the last pose.
fn world(actor: &Actor, node: usize) -> DMat4 {
    Mat4::from(actor.node_matrices()[node]).as_dmat4()
}

/// The matrix of a node without shear as a billboard.
fn turned(matrix: DMat4, billboard: Billboard, eye: &Eye) -> DMat4 {
    let (scale, rotation, position) = matrix.to_scale_rotation_translation();
    let rotation = match billboard {
        Billboard::Full => DQuat::from_mat3(&eye.axes),
        Billboard::Axis => {
            let to_eye = if eye.parallel { eye.axes.z_axis } else { eye.at - position };
            // In the space of the node, the angle about Y is that of the direction to the camera.
            let local = rotation.inverse() * to_eye;
            rotation * DQuat::from_rotation_y(local.x.atan2(local.z))
        }
    };
    DMat4::from_scale_rotation_translation(scale, rotation, position)
}

/// The largest difference of two matrices.
fn off(a: &Affine, b: &DMat4) -> f64 {
    let a = Mat4::from(*a).as_dmat4().to_cols_array();
    a.iter().zip(b.to_cols_array()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn billboards_equal_a_second_implementation() {
    let mut random = Random(5);
    for round in 0..200 {
        let size = random.float(0.2, 3.0);
        let mut actor = actor(&mut random, [size, 1.3 * size, 0.7 * size]);
        let mut number = || random.float(-4.0, 4.0);
        let at = Vec3::new(number(), number(), number());
        let eye = Eye::new(at, Vec3::new(0.1 * number(), 0.0, 0.1 * number()), round % 3 == 0);
        let kinds = [Billboard::Full, Billboard::Axis];
        let (outer, inner) = (kinds[round % 2], kinds[round / 2 % 2]);
        actor.billboards.set(NodeId::new(INNER), Some(inner));
        actor.billboards.set(NodeId::new(SIGN), Some(outer));
        actor.update();
        actor.face(&eye.facing());

        let sign = turned(world(&actor, SIGN), outer, &eye);
        let moved = sign * world(&actor, SIGN).inverse();
        let child = moved * world(&actor, CHILD);
        // Rotations alone, because the second implementation knows no shear.
        let center = DMat4::from_translation(sign.w_axis.truncate());
        let turn = DMat4::from_mat3(DMat3::from_mat4(moved));
        assert!((center * turn * center.inverse()).abs_diff_eq(moved, 1e-9), "it turns about its position");
        let palette = actor.palette();
        assert!(off(&palette[SIGN], &sign) < 1e-5, "round {round}: the sign");
        assert!(off(&palette[CHILD], &child) < 1e-5, "round {round}: its child");
        assert!(off(&palette[SIBLING], &world(&actor, SIBLING)) < 1e-7, "round {round}: its sibling");
        assert!(off(&palette[6], &child) < 1e-5, "round {round}: a joint of the skin");
        let inner_place = (moved * world(&actor, INNER)).w_axis.truncate();
        let shown = Mat4::from(palette[INNER]).as_dmat4();
        assert!(shown.w_axis.truncate().distance(inner_place) < 1e-5, "round {round}: the place below it");
        if inner == Billboard::Full {
            let (x, y) = (shown.x_axis.truncate().normalize(), shown.y_axis.truncate());
            assert!(x.distance(eye.axes.x_axis) < 1e-5 && y.dot(eye.axes.z_axis).abs() < 1e-5);
        } else {
            let to_eye = if eye.parallel { eye.axes.z_axis } else { eye.at - inner_place };
            // It may have shear, so only the parts across its axis count.
            let y = shown.y_axis.truncate().normalize();
            let [x, to_eye] = [shown.x_axis.truncate(), to_eye].map(|v| (v - y * v.dot(y)).normalize());
            assert!(x.dot(to_eye).abs() < 1e-4, "round {round}: the second billboard");
        }
    }
}

#[test]
fn billboards_do_not_change_the_pose() {
    let mut random = Random(3);
    let mut actor = actor(&mut random, [1.0; 3]);
    let palette = actor.palette().to_vec();
    let hash = pose_hash(actor.animated_palette(), &[]);
    actor.billboards.set(NodeId::new(SIGN), Some(Billboard::Full));
    actor.update();
    let matrices = actor.node_matrices().to_vec();
    let eyes =
        [Vec3::new(3.0, 1.0, 2.0), Vec3::new(-1.0, 4.0, 0.5)].map(|at| Eye::new(at, Vec3::ZERO, false));
    actor.face(&eyes[0].facing());
    let first = actor.palette().to_vec();
    assert_ne!(first[SIGN], palette[SIGN]);
    // Many cameras later it is the same as at first, to the bit.
    for eye in [1, 0, 1, 1, 0] {
        actor.face(&eyes[eye].facing());
    }
    assert_eq!(actor.palette(), first);
    assert_eq!((actor.node_matrices(), actor.animated_palette()), (&matrices[..], &palette[..]));
    assert_eq!(pose_hash(actor.animated_palette(), &[]), hash);
    actor.update();
    assert_eq!(actor.palette(), palette, "a new pose faces no camera yet");
    actor.face(&eyes[0].facing());
    actor.billboards.set(NodeId::new(SIGN), None);
    assert_eq!(actor.palette(), palette);
    assert!(actor.billboards.is_empty());
}

#[test]
fn billboards_without_a_direction_stay_as_they_are() {
    let eye = Eye::new(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, false);
    for (scales, kinds) in [
        ([0.0, 1.0, 1.0], [Billboard::Full, Billboard::Axis]),
        ([1.0, 0.0, 1.0], [Billboard::Full, Billboard::Axis]),
        ([0.0, 0.0, 0.0], [Billboard::Full, Billboard::Axis]),
    ] {
        for kind in kinds {
            let mut actor = actor(&mut Random(9), scales);
            let before = actor.palette()[SIGN];
            actor.billboards.set(NodeId::new(SIGN), Some(kind));
            actor.face(&eye.facing());
            assert_eq!(actor.palette()[SIGN], before);
        }
    }
    // A flat sprite has a direction.
    let mut flat = actor(&mut Random(9), [1.0, 1.0, 0.0]);
    flat.billboards.set(NodeId::new(SIGN), Some(Billboard::Full));
    flat.face(&eye.facing());
    let shown = Mat4::from(flat.palette()[SIGN]);
    assert!(
        shown.x_axis.truncate().distance(Vec3::X) < 1e-5 && shown.y_axis.truncate().distance(Vec3::Y) < 1e-5
    );

    // A camera on the axis.
    let mut actor = actor(&mut Random(2), [1.0; 3]);
    let (before, up) = (actor.palette()[SIGN], world(&actor, SIGN));
    let at = (up.w_axis + 3.0 * up.y_axis).truncate().as_vec3();
    actor.billboards.set(NodeId::new(SIGN), Some(Billboard::Axis));
    actor.face(&Eye::new(at, at - up.y_axis.truncate().as_vec3(), true).facing());
    assert!(off(&actor.palette()[SIGN], &Mat4::from(before).as_dmat4()) < 2.1, "it stays finite");
    assert!(Mat4::from(actor.palette()[SIGN]).is_finite());
    assert!(Facing::new(&Mat4::NAN, &Mat4::IDENTITY).is_none());
    assert!(Facing::new(&Mat4::ZERO, &Mat4::IDENTITY).is_none());
}
