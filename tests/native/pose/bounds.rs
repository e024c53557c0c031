//! All vertices are inside of their actor's box.

use crate::common::models::{models, sample};
use crate::common::random::Random;
use gambol::animation::{
    Aabb, Actor, Affine, Bounds, F32x4, Override, Rig, Sharing, Space, deform, rotations,
};
use gambol::model::{ClipId, Model, NodeId, Transform};
use glam::Vec3;
use std::rc::Rc;
use std::sync::LazyLock;

/// The sample, and models of `../shared`; imported once, which takes longer than the tests.
static MODELS: LazyLock<Vec<(String, Model)>> = LazyLock::new(|| {
    models(&[
        "gltf/Fox.glb",
        "gltf/CesiumMan.glb",
        "gltf/RobotExpressive.glb",
        "gltf/RobotExpressive_original.glb",
        "gltf/MorphStressTest.gltf",
        "synthetic/eight_influences.glb",
        "synthetic/interpolations.glb",
        "synthetic/matrices_and_instances.glb",
        "synthetic/skeleton_outside.glb",
        "variants/MorphStressTest_sparse.glb",
        "variants/Fox_quantized.glb",
    ])
});

/// Deforms all vertices of a pose and compares them with the box. Returns the filled share of the boxes, for linear
/// blending and for dual quaternions.
fn check(
    name: &str,
    (model, sharing): (&Model, &Sharing),
    rig: &Rig,
    bounds: &Bounds,
    palette: &[Affine],
    weights: &[f32],
) -> [f32; 2] {
    let around = bounds.of_pose(palette, weights, &[]);
    let linear = fills(name, model, rig, (palette, &[]), weights, around);
    let mut turned = Vec::new();
    rotations(palette, &mut turned);
    let around = sharing.of_pose(bounds, (palette, &turned), weights, &[], &mut Vec::new());
    [linear, fills(name, model, rig, (palette, &turned), weights, around)]
}

/// The same for one way of blending.
fn fills(
    name: &str,
    model: &Model,
    rig: &Rig,
    (palette, turned): (&[Affine], &[F32x4]),
    weights: &[f32],
    around: Option<Aabb>,
) -> f32 {
    let around = around.unwrap_or_else(|| panic!("{name}: no box"));
    let mut out = Default::default();
    let mut exact = Aabb::EMPTY;
    for drawable in &rig.layout.drawables {
        for primitive in &model.meshes[drawable.mesh.index()].primitives {
            deform(primitive, drawable, palette, turned, weights, &mut out);
            for &position in &out.positions {
                let point = Vec3::from_array(position);
                exact.add(point);
                let inside = point.cmpge(around.min) & point.cmple(around.max);
                assert!(inside.all(), "{name}: {point} is not in {around:?}");
            }
        }
    }
    exact.radius() / around.radius()
}

#[test]
fn bounds_contain_every_vertex_in_any_pose() {
    let mut random = Random(7);
    for (name, model) in MODELS.iter() {
        let rig = Rig::new(model);
        let (bounds, sharing) = (Bounds::new(model, &rig.layout), Sharing::new(model, &rig.layout));
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
        for _ in 0..4 {
            let mut pose = rig.rest_pose().clone();
            for i in 0..model.nodes.len() {
                let rest = model.nodes[i].rest;
                let size = rest.translation.length().max(0.1);
                pose.set(
                    NodeId::new(i),
                    Transform {
                        translation: rest.translation + size * random.vector(),
                        rotation: random.euler(3.2),
                        scale: rest.scale * (Vec3::ONE + 1.5 * random.vector()),
                    },
                );
            }
            pose.weights.iter_mut().for_each(|weight| *weight = 1.5 * random.signed());
            let place = Transform {
                translation: 100.0 * random.vector(),
                rotation: random.euler(3.2),
                scale: random.vector(),
            };
            rig.node_matrices(&pose, &place.into(), &mut matrices);
            rig.palette(&matrices, &mut palette);
            check(name, (model, &sharing), &rig, &bounds, &palette, &pose.weights);
        }
    }
}

#[test]
fn bounds_contain_every_vertex_of_clips_under_overrides() {
    let mut random = Random(11);
    for (name, model) in MODELS.iter() {
        let rig = Rc::new(Rig::new(model));
        let (bounds, sharing) = (Bounds::new(model, &rig.layout), Sharing::new(model, &rig.layout));
        let mut actor = Actor::new(model, Rc::clone(&rig));
        for (c, clip) in model.clips.iter().enumerate().take(2) {
            for step in 0..3 {
                for space in [Space::Local, Space::Model, Space::World] {
                    let node = (0.5 + 0.5 * random.signed()) * (model.nodes.len() - 1) as f32;
                    actor.overrides.set(
                        NodeId::new(node as usize),
                        Override {
                            translation: (random.signed() > 0.0).then(|| random.vector()),
                            rotation: (random.signed() > 0.0).then(|| random.euler(3.2)),
                            scale: (random.signed() > 0.0).then(|| 2.0 * random.vector()),
                            space,
                            weight: random.signed().abs(),
                        },
                    );
                }
                actor.update_to(Some(ClipId::new(c)), f64::from(clip.duration) * f64::from(step) / 2.0);
                check(name, (model, &sharing), &rig, &bounds, actor.palette(), &actor.pose().weights);
            }
            actor.overrides.clear();
        }
    }
}

#[test]
fn bounds_are_tight_in_the_rest_pose() {
    for (name, model) in MODELS.iter() {
        let rig = Rig::new(model);
        let (bounds, sharing) = (Bounds::new(model, &rig.layout), Sharing::new(model, &rig.layout));
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
        rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
        rig.palette(&matrices, &mut palette);
        let [linear, dual] =
            check(name, (model, &sharing), &rig, &bounds, &palette, &rig.rest_pose().weights);
        assert!(linear > 0.5, "{name}: {linear}");
        // The box for dual quaternions is larger if joints have moved from their bind pose, as in one of these files.
        assert!(dual > 0.3, "{name}: {dual}");
    }
}

#[test]
fn bounds_are_none_for_matrices_that_are_not_finite() {
    let model = sample();
    let rig = Rig::new(&model);
    let bounds = Bounds::new(&model, &rig.layout);
    let nan = Affine::from(glam::Mat4::from_scale(Vec3::splat(f32::NAN)));
    let palette = vec![nan; rig.palette_len()];
    assert_eq!(bounds.of_pose(&palette, &rig.rest_pose().weights, &[]), None);
}
