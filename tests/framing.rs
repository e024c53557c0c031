//! What the camera frames by itself: all of the clip that plays, as large as it can be.

#[path = "allocation/gl.rs"]
mod gl;
#[path = "common/models.rs"]
mod models;

use gambol::animation::{Affine, Framing, Outline, Rig, deform_position};
use gambol::model::{ClipId, Model};
use gambol::render::Renderer;
use gambol::viewer::{ActorId, Asset, Camera, Context, Stage};
use glam::{Mat4, Vec3};
use models::models;
use std::rc::Rc;

const PUBLIC: &[&str] = &[
    "gltf/Fox.glb",
    "gltf/CesiumMan.glb",
    "gltf/RiggedSimple.glb",
    "gltf/SimpleSkin.gltf",
    "gltf/MorphStressTest.gltf",
    "gltf/box_animated.gltf",
    "gltf/RobotExpressive.glb",
    "gltf/RobotExpressive_original.glb",
    "gltf/greenman.glb",
    "gltf/DamagedHelmet.glb",
    "synthetic/eight_influences.glb",
    "synthetic/chain300.glb",
    "synthetic/interpolations.glb",
    "synthetic/matrices_and_instances.glb",
    "synthetic/skeleton_outside.glb",
    "synthetic/AnimatedTriangle.gltf",
];

/// Tells where all vertices are at many times of a clip, or at rest.
fn each_vertex(model: &Model, rig: &Rig, clip: Option<ClipId>, mut tell: impl FnMut(Vec3)) {
    let mut pose = rig.rest_pose().clone();
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    let mut visible = Vec::new();
    let times = clip.map_or(0, |_| 150);
    for i in 0..=times {
        if let Some(clip) = clip {
            let duration = f64::from(model.clips[clip.index()].duration);
            rig.sample(clip, duration * f64::from(i) / f64::from(times), &mut pose);
        }
        rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
        rig.palette(&matrices, &mut palette);
        rig.visibility(&pose, &mut visible);
        for drawable in &rig.layout.drawables {
            if visible.get(drawable.node.index()) == Some(&false) {
                continue;
            }
            for primitive in &model.meshes[drawable.mesh.index()].primitives {
                for vertex in 0..primitive.vertex_count() {
                    tell(deform_position(primitive, vertex, drawable, &palette, &[], &pose.weights));
                }
            }
        }
    }
}

/// The greatest distance from the middle of the picture, as a part of its half, and how much of it is taken up one way.
fn filled(model: &Model, rig: &Rig, clip: Option<ClipId>, clip_from_world: &Mat4) -> (f32, f32) {
    let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    each_vertex(model, rig, clip, |point| {
        let place = clip_from_world.project_point3(point);
        least = least.min(place);
        most = most.max(place);
    });
    let (low, high) = (least.truncate(), most.truncate());
    (low.abs().max(high.abs()).max_element(), 0.5 * (high - low).max_element())
}

#[test]
fn framing_shows_all_vertices_of_the_clip_and_fills_the_picture() {
    for (name, model) in models(PUBLIC) {
        let rig = Rig::new(&model);
        let outline = Outline::new(&model, &rig.layout);
        let clip = (!model.clips.is_empty()).then(|| ClipId::new(0));
        let around = outline.of_clips(&model, &rig, Framing::Clip, clip, false).expect("something is shown");
        // A phone upright, a square, a desktop's window; from the viewer's side and from the element's.
        for aspect in [0.6, 1.0, 1.6] {
            for azimuth in [None, Some(0.0), Some(2.0)] {
                let mut camera = Camera::default();
                if let Some(azimuth) = azimuth {
                    camera.set([azimuth, 75_f64.to_radians(), 1.0, 0.0, 0.0, 0.0, 30_f64.to_radians()]);
                }
                camera.frame(&around, aspect);
                let matrix = camera.projection(aspect, Some(&around.bounds())) * camera.view();
                let (farthest, share) = filled(&model, &rig, clip, &matrix);
                assert!(farthest < 1.0, "{name} {aspect}: something is cut, {farthest}");
                assert!(share >= 0.8, "{name} {aspect} {azimuth:?}: {share} of the picture");
            }
        }
    }
}

/// A stage with the sample, which draws without a GPU.
fn stage(asset: &Rc<Asset>) -> (Stage, ActorId) {
    let mut stage = Stage::new(Context::new(Renderer::new(gl::context()).expect("it does everything")));
    stage.resize(640, 480, 1.0);
    let actor = stage.add(asset, Affine::identity()).expect("there is room");
    (stage, actor)
}

fn sample() -> Rc<Asset> {
    Rc::new(Asset::new(models(&[]).remove(0).1))
}

/// Two clips, of which the second reaches farther than the first.
fn smaller_and_larger(asset: &Asset) -> (ClipId, ClipId) {
    let radius = |clip: ClipId| asset.framing(Framing::Clip, Some(clip)).expect("shown").bounds().radius();
    let clips = || (0..asset.model.clips.len()).map(ClipId::new);
    let smaller = clips().min_by(|&a, &b| radius(a).total_cmp(&radius(b))).expect("clips");
    let larger = clips().max_by(|&a, &b| radius(a).total_cmp(&radius(b))).expect("clips");
    assert!(radius(larger) > 1.1 * radius(smaller));
    (smaller, larger)
}

#[test]
fn framing_follows_the_clip_at_once_before_a_picture_and_glides_out_after() {
    let asset = sample();
    let (smaller, larger) = smaller_and_larger(&asset);
    let (mut stage, actor) = stage(&asset);
    let distance = |stage: &Stage| stage.camera().state()[2];
    stage.actor_mut(actor).expect("it is there").player.play(Some(larger));
    stage.tick(0.0).expect("it draws");
    let far = distance(&stage);

    let (mut stage, actor) = self::stage(&asset);
    stage.actor_mut(actor).expect("it is there").player.play(Some(smaller));
    stage.tick(0.0).expect("it draws");
    let near = distance(&stage);
    assert!(near < 0.95 * far, "{near} before {far}");
    stage.actor_mut(actor).expect("it is there").player.play(Some(larger));
    let mut last = near;
    for frame in 1..=40 {
        stage.tick(f64::from(frame) / 60.0).expect("it draws");
        let now = distance(&stage);
        assert!(now >= last && now < last + 0.2 * (far - near), "it glides: {last}, {now}");
        last = now;
    }
    assert!(last >= 0.999 * far, "{last} is where all is in view, {far}");
    // The smaller one again: it stays.
    stage.actor_mut(actor).expect("it is there").player.play(Some(smaller));
    stage.tick(1.0).expect("it draws");
    stage.tick(1.5).expect("it draws");
    assert_eq!(distance(&stage), last);
    // Nobody sees a glide of who stands still: it is there at once.
    let (mut stage, actor) = self::stage(&asset);
    stage.actor_mut(actor).expect("it is there").player.choose(Some(smaller));
    stage.tick(0.0).expect("it draws");
    stage.actor_mut(actor).expect("it is there").player.choose(Some(larger));
    stage.tick(0.1).expect("it draws");
    assert!(distance(&stage) >= 0.999 * far);
}

#[test]
fn framing_leaves_a_camera_alone_that_was_moved_and_frames_all_clips_where_asked_to() {
    let asset = sample();
    let (smaller, larger) = smaller_and_larger(&asset);
    let (mut stage, actor) = stage(&asset);
    stage.set_framing(Framing::AllClips);
    let all = stage.camera().state();
    for clip in [smaller, larger] {
        stage.actor_mut(actor).expect("it is there").player.play(Some(clip));
        stage.tick(0.0).expect("it draws");
        assert_eq!(stage.camera().state(), all);
    }
    stage.set_framing(Framing::Clip);
    stage.actor_mut(actor).expect("it is there").player.play(Some(smaller));
    stage.tick(0.1).expect("it draws");
    stage.camera_mut().orbit(0.1, 0.0);
    let moved = stage.camera().state();
    stage.actor_mut(actor).expect("it is there").player.play(Some(larger));
    stage.tick(0.2).expect("it draws");
    assert_eq!((stage.camera().state(), stage.framed_camera()), (moved, None));
}
