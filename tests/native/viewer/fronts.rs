//! The front of a model: VRM 0 looks along −Z. The camera, look-at and the key light are at the front.

use crate::common::builder::{Builder, triangle};
use crate::common::gl;
use gambol::animation::{Affine, LookAt, Space};
use gambol::model::{Model, NodeId};
use gambol::render::Renderer;
use gambol::viewer::{ActorId, Asset, Context, JointSpace, Stage};
use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};
use std::f32::consts::{FRAC_PI_2, PI};
use std::rc::Rc;

/// A triangle above the origin, whose node is the head; the node has a rotation and a scale of its own.
fn avatar(extension: &str, bones: Value) -> Model {
    let mut file = triangle();
    let [x, y, z, w] = Quat::from_euler(glam::EulerRot::XYZ, 0.4, -0.7, 0.2).to_array();
    file.json["nodes"][0]["rotation"] = json!([x, y, z, w]);
    file.json["nodes"][0]["translation"] = json!([0, 1.5, 0]);
    file.json["nodes"][0]["scale"] = json!([1, 2, 0.5]);
    if !extension.is_empty() {
        file.json["extensionsUsed"] = json!([extension]);
        file.json["extensions"] = json!({extension: {"humanoid": {"humanBones": bones}}});
    }
    imported(&file)
}

fn imported(file: &Builder) -> Model {
    file.import().expect("it is a file").model
}

fn vrm0() -> Model {
    avatar("VRM", json!([{"bone": "head", "node": 0}]))
}

fn vrm1() -> Model {
    avatar("VRMC_vrm", json!({"head": {"node": 0}}))
}

fn stage() -> Stage {
    let mut stage = Stage::new(Context::new(Renderer::new(gl::context()).expect("it does everything")));
    stage.resize(640, 480, 1.0);
    stage
}

fn add(stage: &mut Stage, model: Model) -> ActorId {
    stage.add(&Rc::new(Asset::new(model)), Affine::identity()).expect("there is room")
}

/// The direction from the target to the camera.
fn toward(stage: &Stage) -> Vec3 {
    let camera = stage.camera();
    (camera.eye() - camera.target.as_vec3()).normalize()
}

#[test]
fn model_front_is_minus_z_for_vrm_0_alone() {
    assert_eq!(Model::default().front(), Vec3::Z);
    assert_eq!(avatar("", json!({})).front(), Vec3::Z);
    // An extension without a single valid bone is still one.
    for bones in [json!([]), json!(3), json!([{"bone": "head", "node": 0}])] {
        assert_eq!(avatar("VRM", bones).front(), Vec3::NEG_Z);
    }
    assert_eq!(vrm1().front(), Vec3::Z);
    assert_eq!(avatar("VRMC_vrm_animation", json!({"hips": {"node": 0}})).front(), Vec3::Z);
    // VRM 1.0 takes precedence in a file with both.
    let mut both = triangle();
    both.json["extensions"] = json!({"VRM": {}, "VRMC_vrm": {}});
    both.json["extensionsUsed"] = json!(["VRM", "VRMC_vrm"]);
    assert_eq!(imported(&both).front(), Vec3::Z);
}

#[test]
fn camera_looks_at_the_same_side_of_both_versions_of_vrm() {
    let half_turn = Quat::from_rotation_y(PI);
    let [mut old, mut new] = [stage(), stage()];
    let (id, _) = (add(&mut old, vrm0()), add(&mut new, vrm1()));
    let is_same = |old: &Stage, new: &Stage| toward(old).abs_diff_eq(half_turn * toward(new), 1e-6);
    assert!(toward(&new).z > 0.5 && is_same(&old, &new), "{}", toward(&old));
    assert_eq!(old.camera().azimuth, new.camera().azimuth);
    for stage in [&mut old, &mut new] {
        stage.reset_camera();
    }
    assert!(is_same(&old, &new), "after a reset");
    for stage in [&mut old, &mut new] {
        stage.camera_mut().set([1.0, 1.2, 3.0, 0.0, 1.5, 0.0, 0.5]);
    }
    assert!(is_same(&old, &new), "by azimuth");
    // Another actor has no effect, until it is the first.
    let second = add(&mut old, vrm1());
    assert!(is_same(&old, &new));
    old.remove(id).expect("it is there");
    assert!(toward(&old).abs_diff_eq(toward(&new), 1e-6));
    // Attached actors follow.
    let third = add(&mut old, vrm0());
    old.attach(second, third, NodeId::new(0), JointSpace::Metres, Affine::identity()).expect("a joint");
    assert!(is_same(&old, &new));
}

#[test]
fn camera_looks_at_the_front_of_a_crowd() {
    let mut stage = stage();
    let id = add(&mut stage, vrm0());
    stage.make_crowd(id).expect("it is there");
    assert!(toward(&stage).z < -0.5);
}

#[test]
fn look_at_turns_the_front_of_the_model_to_the_target() {
    for (model, front) in [(vrm0(), Vec3::NEG_Z), (vrm1(), Vec3::Z)] {
        let mut stage = stage();
        let id = add(&mut stage, model);
        let head = Vec3::Y * 1.5;
        let mut turned = |target: Vec3, limit: f32| {
            let matrix = |stage: &mut Stage| {
                let cast = stage.posed();
                Mat4::from(cast.get(id).expect("it is there").actor.node_matrices()[0])
            };
            stage.actor_mut(id).expect("it is there").end_look_at(NodeId::new(0));
            let rest = matrix(&mut stage);
            let look_at = LookAt { target, axis: None, limit, space: Space::World, weight: 1.0 };
            stage.actor_mut(id).expect("it is there").set_look_at(NodeId::new(0), look_at);
            // The matrices differ by a rotation.
            let turn = Quat::from_mat4(&(matrix(&mut stage) * rest.inverse()));
            (turn, turn.angle_between(Quat::IDENTITY))
        };
        let (_, none) = turned(head + front, PI);
        assert!(none < 1e-3, "a point before the face turns nothing: {none}");
        for side in [Vec3::X, Vec3::NEG_X] {
            let (turn, angle) = turned(head + side, PI);
            assert!((angle - FRAC_PI_2).abs() < 1e-3 && (turn * front).abs_diff_eq(side, 1e-3));
            let (turn, angle) = turned(head + side, 0.5);
            assert!(
                (angle - 0.5).abs() < 1e-3 && (turn * front).dot(side) > 0.4,
                "to the side of the target"
            );
        }
    }
}
