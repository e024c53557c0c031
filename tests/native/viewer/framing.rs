//! The automatic camera: it frames the whole current clip, as large as possible.

use crate::common::gl;
use crate::common::models::models;
use gambol::animation::{Affine, Framing, LayerOptions, Outline, Rig, Source, deform_position};
use gambol::model::{ClipId, Model};
use gambol::render::Renderer;
use gambol::viewer::{ActorId, Asset, Camera, Context, Stage, Still};
use glam::{Mat4, Vec3};
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
    "gltf/greenman_hat.glb",
    "gltf/greenman_shield.glb",
    "gltf/greenman_sword.glb",
    "gltf/DamagedHelmet.glb",
    "synthetic/eight_influences.glb",
    "synthetic/second_scene.gltf",
    "synthetic/chain300.glb",
    "synthetic/interpolations.glb",
    "synthetic/matrices_and_instances.glb",
    "synthetic/skeleton_outside.glb",
    "synthetic/AnimatedTriangle.gltf",
];

/// Calls `tell` with the positions of all vertices at many times of a clip, or at rest.
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

/// The largest distance from the picture's centre, as a share of its half size, and the share that is covered along one
/// axis.
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
        // A phone in portrait mode, a square, a desktop window; from the viewer's direction and from the element's.
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

/// A stage with the sample, rendered by the stub of OpenGL.
fn stage(asset: &Rc<Asset>) -> (Stage, ActorId) {
    let mut stage = Stage::new(Context::new(Renderer::new(gl::context()).expect("it does everything")));
    stage.resize(640, 480, 1.0);
    let actor = stage.add(asset, Affine::identity()).expect("there is room");
    (stage, actor)
}

fn sample() -> Rc<Asset> {
    Rc::new(Asset::new(models(&[]).remove(0).1))
}

/// Two clips, of which the second is larger than the first.
fn smaller_and_larger(asset: &Asset) -> (ClipId, ClipId) {
    let radius = |clip: ClipId| asset.framing(Framing::Clip, Some(clip)).expect("shown").bounds().radius();
    let clips = || (0..asset.model.clips.len()).map(ClipId::new);
    let smaller = clips().min_by(|&a, &b| radius(a).total_cmp(&radius(b))).expect("clips");
    let larger = clips().max_by(|&a, &b| radius(a).total_cmp(&radius(b))).expect("clips");
    assert!(radius(larger) > 1.1 * radius(smaller));
    (smaller, larger)
}

fn play(stage: &mut Stage, actor: ActorId, clip: ClipId) {
    stage.actor_mut(actor).expect("it is there").player.play(Some(clip));
}

fn choose(stage: &mut Stage, actor: ActorId, clip: ClipId) {
    stage.actor_mut(actor).expect("it is there").player.choose(Some(clip));
}

/// The place of the eye along the direction in which the camera looks; the distance alone depends on the depth of the
/// target.
fn reach(stage: &Stage) -> f64 {
    let camera = stage.camera();
    let (eye, target) = (camera.eye().as_dvec3(), camera.target);
    eye.dot((eye - target).normalize())
}

fn distance(stage: &Stage) -> f64 {
    stage.camera().state()[2]
}

/// The distance and target of the camera.
fn place(stage: &Stage) -> [f64; 4] {
    let [_, _, distance, x, y, z, _] = stage.camera().state();
    [distance, x, y, z]
}

/// A stage with the smaller clip at the moment when the larger one begins.
fn before_a_glide(asset: &Rc<Asset>) -> (Stage, ActorId) {
    let (smaller, larger) = smaller_and_larger(asset);
    let (mut stage, actor) = stage(asset);
    play(&mut stage, actor, smaller);
    stage.tick(0.0).expect("it draws");
    play(&mut stage, actor, larger);
    (stage, actor)
}

#[test]
fn framing_shows_the_first_clip_at_once_glides_out_for_a_larger_and_stays_for_a_smaller() {
    let asset = sample();
    let (smaller, larger) = smaller_and_larger(&asset);
    let (mut stage, actor) = stage(&asset);
    play(&mut stage, actor, larger);
    stage.tick(0.0).expect("it draws");
    let far = distance(&stage);

    let (mut stage, actor) = before_a_glide(&asset);
    let near = distance(&stage);
    assert!(near < 0.95 * far, "{near} before {far}");
    let goal = stage.framed_camera().expect("automatic");
    let mut last = near;
    for frame in 1..=40 {
        stage.tick(f64::from(frame) / 60.0).expect("it draws");
        let now = distance(&stage);
        assert!(now >= last && now < last + 0.2 * (far - near), "it glides: {last}, {now}");
        last = now;
    }
    assert!(last >= 0.999 * far, "{last} is where all is in view, {far}");
    assert_eq!(place(&stage), goal, "to the bit");
    assert_eq!(stage.framed_camera(), Some(goal));
    play(&mut stage, actor, smaller);
    stage.tick(1.0).expect("it draws");
    stage.tick(1.5).expect("it draws");
    assert_eq!(place(&stage), goal, "it stays");
    stage.frame();
    assert_eq!(distance(&stage), near, "until it is pointed again");
}

#[test]
fn framing_cuts_for_paused_and_scrubbed_clips_and_with_reduced_motion() {
    let asset = sample();
    let (smaller, larger) = smaller_and_larger(&asset);
    let (mut stage, actor) = stage(&asset);
    choose(&mut stage, actor, smaller);
    stage.tick(0.0).expect("it draws");
    choose(&mut stage, actor, larger);
    let goal = stage.framed_camera().expect("automatic");
    assert!(goal != place(&stage));
    stage.tick(0.1).expect("it draws");
    assert_eq!(place(&stage), goal, "paused");

    let (mut stage, _) = before_a_glide(&asset);
    stage.set_camera_glides(false);
    stage.tick(0.1).expect("it draws");
    assert_eq!(place(&stage), goal, "less motion");
    let (mut stage, _) = before_a_glide(&asset);
    stage.tick(0.1).expect("it draws");
    assert!(place(&stage) != goal);
    stage.set_camera_glides(false);
    assert_eq!(place(&stage), goal, "less motion, on the way");

    let (mut stage, _) = before_a_glide(&asset);
    stage.set_manual(true);
    stage.scrub(0.5);
    assert_eq!(place(&stage), goal, "scrubbed");
}

#[test]
fn framing_glide_depends_only_on_the_timeline() {
    let asset = sample();
    let (mut waited, _) = before_a_glide(&asset);
    let (mut asked, actor) = before_a_glide(&asset);
    let (mut passed, _) = before_a_glide(&asset);
    passed.set_drawn_elsewhere();
    for frame in 1..=20 {
        let now = f64::from(frame) / 64.0;
        waited.tick(now).expect("it draws");
        asked.draw(true).expect("it draws");
        asked.framed_camera();
        asked.posed();
        let still = Still { size: (90, 200), at: Some((actor, 0.3)), background: None };
        asked.draw_still(&still).expect("it draws");
        asked.tick(now).expect("it draws");
        passed.pass(now);
        assert_eq!(asked.camera(), waited.camera(), "{now}");
        assert_eq!(passed.camera(), waited.camera(), "{now}");
    }
    // A manual timeline in large steps, whose clock is set to other times in between.
    let (mut manual, _) = before_a_glide(&asset);
    manual.set_manual(true);
    manual.set_clock(100.0);
    manual.set_time(100.0 + 0.125);
    manual.set_clock(7.0);
    manual.set_time(7.0 + 12.0 / 64.0);
    assert!(!manual.tick(9.0).expect("it draws"), "no frame is needed until the page moves the time");
    assert_eq!(manual.camera(), waited.camera());
    manual.set_time(1e6);
    let mut now = 0.4;
    while waited.tick(now).expect("it draws") && now < 1.0 {
        now += 0.01;
    }
    assert_eq!(manual.camera(), waited.camera(), "at the goal");
}

#[test]
fn framing_glide_asks_for_frames_to_its_end_and_no_longer() {
    let asset = sample();
    let (mut stage, actor) = before_a_glide(&asset);
    stage.tick(0.01).expect("it draws");
    stage.tick(0.05).expect("it draws");
    assert!(stage.take_glided() && !stage.take_glided());
    stage.actor_mut(actor).expect("it is there").player.pause();
    let goal = stage.framed_camera().expect("automatic");
    let mut frames = 0;
    while stage.tick(0.1 + 0.01 * f64::from(frames)).expect("it draws") {
        frames += 1;
        assert!(frames < 100, "it ends");
    }
    assert!(frames > 30 && place(&stage) == goal, "{frames} frames");
    stage.take_glided();
    assert!(!stage.tick(3.0).expect("it draws") && !stage.take_glided());
}

#[test]
fn framing_of_stills_is_that_of_the_clip_alone() {
    let asset = sample();
    let (smaller, larger) = smaller_and_larger(&asset);
    let (mut stage, actor) = before_a_glide(&asset);
    assert!(!stage.frames_as_still(), "another clip was started");
    stage.tick(0.1).expect("it draws");
    stage.tick(0.2).expect("it draws");
    assert!(!stage.frames_as_still(), "on the way");
    let before = *stage.camera();
    stage.draw_still(&Still { size: (100, 400), at: None, background: None }).expect("it draws");
    assert_eq!(*stage.camera(), before);
    stage.tick(0.3).expect("it draws");
    assert!(*stage.camera() != before, "it goes on");
    play(&mut stage, actor, smaller);
    for frame in 4..40 {
        stage.tick(0.1 * f64::from(frame)).expect("it draws");
    }
    assert!(!stage.frames_as_still(), "it stays where the larger one was in view");
    stage.reset_camera();
    assert!(stage.frames_as_still());
    play(&mut stage, actor, larger);
    stage.camera_mut().orbit(0.5, 0.0);
    assert!(stage.frames_as_still(), "a camera that was moved stays as it is");
}

#[test]
fn framing_glides_again_from_where_it_is_and_counts_layers() {
    let asset = sample();
    let (smaller, larger) = smaller_and_larger(&asset);
    let (mut stage, actor) = stage(&asset);
    play(&mut stage, actor, smaller);
    stage.tick(0.0).expect("it draws");
    let first = place(&stage);
    let player = &mut stage.actor_mut(actor).expect("it is there").player;
    let layer = player.add_layer(LayerOptions::new(Source::Clip(larger)));
    let goal = stage.framed_camera().expect("automatic");
    assert!(goal[0] > 1.05 * first[0], "{goal:?} after {first:?}");
    stage.tick(0.1).expect("it draws");
    let on_its_way = distance(&stage);
    assert!(on_its_way > first[0] && on_its_way < goal[0]);
    let player = &mut stage.actor_mut(actor).expect("it is there").player;
    player.remove_layer(layer, None);
    // All other clips, which may be larger along another axis.
    let mut last = reach(&stage);
    for (i, clip) in (0..asset.model.clips.len()).map(ClipId::new).enumerate() {
        play(&mut stage, actor, clip);
        stage.tick(0.1 + 0.02 * (i + 1) as f64).expect("it draws");
        let now = reach(&stage);
        assert!(now >= last - 1e-6 && now < last + 0.4 * (goal[0] - first[0]), "{last}, {now}");
        last = now;
    }
    let goal = stage.framed_camera();
    for frame in 0..20 {
        stage.tick(0.5 + 0.05 * f64::from(frame)).expect("it draws");
    }
    assert_eq!(Some(place(&stage)), goal);
}

#[test]
fn framing_keeps_a_moved_camera_and_frames_all_clips_on_request() {
    let asset = sample();
    let (smaller, larger) = smaller_and_larger(&asset);
    let (mut stage, actor) = stage(&asset);
    stage.set_framing(Framing::AllClips);
    let all = stage.camera().state();
    for clip in [smaller, larger] {
        play(&mut stage, actor, clip);
        stage.tick(0.0).expect("it draws");
        assert_eq!(stage.camera().state(), all);
    }
    stage.set_framing(Framing::Clip);
    play(&mut stage, actor, smaller);
    stage.tick(0.1).expect("it draws");
    stage.camera_mut().orbit(0.1, 0.0);
    let moved = stage.camera().state();
    play(&mut stage, actor, larger);
    stage.tick(0.2).expect("it draws");
    assert_eq!((stage.camera().state(), stage.framed_camera()), (moved, None));
}
