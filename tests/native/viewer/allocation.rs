//! Frames allocate nothing after the first one.

use crate::common::allocator::allocated;
use crate::common::builder::Builder;
use crate::common::gl;
use crate::common::models::sample;
use gambol::animation::{
    Affine, Billboard, Bounds, Deformed, Flipbook, FlipbookClock, JointMask, LayerMode, LayerOptions,
    LoopMode, MemberPart, Mix, MorphOverride, Player, Reference, Rig, Skinning, Source, States, SyncMode,
    Transition, TransitionOptions, deform,
};
use gambol::import::{NoResolver, import, read_states};
use gambol::model::{ClipId, InputValue, MaterialId, Model, NodeId};
use gambol::render::Renderer;
use gambol::viewer::{Asset, Context, DebugViews, Stage};
use serde_json::json;
use std::rc::Rc;

/// The number of allocations of `work`.
fn allocations<T>(work: impl FnOnce() -> T) -> usize {
    allocated(work).0.count
}

/// The per-frame data of one actor.
struct Actor<'a> {
    model: &'a Model,
    rig: Rig,
    bounds: Bounds,
    pose: gambol::animation::Pose,
    matrices: Vec<Affine>,
    palette: Vec<Affine>,
    deformed: Deformed,
}

impl<'a> Actor<'a> {
    fn new(model: &'a Model) -> Self {
        let rig = Rig::new(model);
        Self {
            model,
            bounds: Bounds::new(model, &rig.layout),
            pose: rig.rest_pose().clone(),
            matrices: Vec::new(),
            palette: vec![Affine::identity(); rig.palette_len()],
            deformed: Deformed::default(),
            rig,
        }
    }

    fn frame(&mut self, clip: ClipId, time: f64) {
        self.rig.sample(clip, time, &mut self.pose);
        self.rig.node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
        self.rig.palette(&self.matrices, &mut self.palette);
        let bounds = self.bounds.of_pose(&self.palette, &self.pose.weights, &[]);
        assert!(bounds.is_some(), "a pose that is finite");
        for drawable in &self.rig.layout.drawables {
            for primitive in &self.model.meshes[drawable.mesh.index()].primitives {
                deform(primitive, drawable, &self.palette, &[], &self.pose.weights, &mut self.deformed);
            }
        }
    }
}

/// A clip with every path in every interpolation, on a mesh with morph targets below a moving node.
fn model() -> Model {
    let mut file = Builder::new();
    let positions = file.bounded("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let primitive =
        json!({ "attributes": { "POSITION": positions }, "targets": [{ "POSITION": positions }] });
    let mesh = file.push("meshes", json!({ "primitives": [primitive] }));
    let parent = file.node(None, json!({}));
    let node = file.node(Some(parent), json!({ "mesh": mesh }));
    for (interpolation, parts) in [("STEP", 1), ("LINEAR", 1), ("CUBICSPLINE", 3)] {
        let clip = file.clip(interpolation);
        let targets =
            [(parent, "rotation", 4), (parent, "translation", 3), (node, "scale", 3), (node, "weights", 1)];
        for (node, path, width) in targets {
            let values: Vec<f32> = (0..2 * parts * width).map(|i| 0.5 + 0.05 * i as f32).collect();
            file.animate(clip, (node, path), interpolation, &[0.0, 1.0], &values);
        }
    }
    import(&file.glb(), &mut NoResolver).expect("the file is right").model
}

#[test]
fn allocation_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(7)))), 1);
    assert_eq!(allocations(|| ()), 0);
}

#[test]
fn frames_of_one_clip_do_not_allocate() {
    for model in [model(), sample()] {
        let mut actor = Actor::new(&model);
        // The first frame of a clip compiles it.
        (0..model.clips.len()).for_each(|clip| actor.frame(ClipId::new(clip), 0.0));
        let frames = allocations(|| {
            for clip in 0..model.clips.len() {
                for frame in 0..4 {
                    actor.frame(ClipId::new(clip), 0.3 * f64::from(frame));
                }
            }
        });
        assert_eq!(frames, 0);
    }
}

/// Crossfades, layers of all kinds and inertia: after each has occurred once, frames allocate nothing.
#[test]
fn mixed_frames_do_not_allocate_after_warm_up() {
    let model = sample();
    let mut actor = gambol::animation::Actor::new(&model, Rc::new(Rig::new(&model)));
    let mask = Rc::new(JointMask::new(&vec![0.5; model.nodes.len()]));
    let source = |clip: usize| Source::Clip(ClipId::new(clip));
    actor.player.play(None);
    actor.player.advance(0.1);
    actor.update();
    for (mode, mask) in [
        (LayerMode::Average, Some(Rc::clone(&mask))),
        (LayerMode::Override, Some(mask)),
        (LayerMode::Additive(Reference::Rest), None),
        (LayerMode::Additive(Reference::Clip(ClipId::new(1), 0.2)), None),
    ] {
        // Without the layer's own events, which could exceed the capacity of the event list in a frame.
        let sync = if mode == LayerMode::Average { SyncMode::Phase } else { SyncMode::None };
        actor.player.add_layer(LayerOptions {
            mode,
            mask,
            weight: 0.7,
            sync,
            ..LayerOptions::new(source(1))
        });
    }
    for transition in [Transition::Crossfade(5.0), Transition::Crossfade(5.0), Transition::Inertial(5.0)] {
        let options = TransitionOptions { transition: Some(transition), ..TransitionOptions::default() };
        actor.player.transition_to(source(2), &options);
        actor.player.advance(0.1);
        actor.update();
    }
    drop(actor.player.drain_events());
    for frame in 0..200 {
        let count = allocations(|| {
            actor.player.advance(1.0 / 60.0);
            actor.update();
            drop(actor.player.drain_events());
        });
        assert!(count == 0 || frame < 100, "{count} in frame {frame}");
    }
}

#[test]
fn player_does_not_allocate_after_warm_up() {
    let model = model();
    let mut player = Player::new(&model.clips, 0.0);
    player.play(None);
    player.advance(10.0);
    drop(player.drain_events());
    let mut told = 0;
    for _ in 0..1000 {
        let count = allocations(|| {
            player.advance(1.0 / 60.0);
            player.presented();
            told += player.drain_events().count();
        });
        assert_eq!(count, 0, "in a frame");
    }
    assert!(told > 60, "{told} events");
}

#[test]
fn mix_of_layers_and_fades_does_not_allocate_after_warm_up() {
    let model = model();
    let mut player = Player::new(&model.clips, 0.0);
    player.play(None);
    player.presented();
    let clip = ClipId::new(0);
    player.add_layer(LayerOptions::new(Source::Clip(clip)));
    let crossfade = TransitionOptions { transition: Some(Transition::Crossfade(1e9)), ..Default::default() };
    player.transition_to(Source::Clip(clip), &crossfade);
    let mut mix = Mix::default();
    player.advance(1.0);
    player.mix_at(player.now(), &mut mix);
    assert_eq!((mix.layers.len(), mix.contributions.len()), (2, 3));
    player.advance(10.0);
    drop(player.drain_events());
    let mut told = 0;
    for _ in 0..1000 {
        let count = allocations(|| {
            player.advance(1.0 / 60.0);
            player.mix_at(player.now(), &mut mix);
            told += player.drain_events().count();
        });
        assert_eq!(count, 0, "in a frame");
    }
    assert!(told > 60, "{told} events");
}

/// Inputs, transitions between clips and events, after each has occurred once.
#[test]
fn state_machine_does_not_allocate_after_warm_up() {
    let text = br#"{ "format": "gambol-states", "version": 1,
        "inputs": { "speed": { "type": "number" }, "go": { "type": "trigger" } },
        "layers": [
            { "states": { "A": { "clip": "Idle" }, "B": { "clip": "Walk" } }, "transitions": [
                { "from": "A", "to": "B", "when": [{ "input": "go" }], "mode": "cut" },
                { "from": "B", "to": "A", "exitTime": 0.25, "when": [{ "input": "speed", "op": ">=", "value": 0 }], "mode": "cut" }
            ] },
            { "mask": "Head/**", "states": { "None": {}, "Wave": { "clip": "Wave" } }, "transitions": [
                { "from": "None", "to": "Wave", "exitSeconds": 0.5, "mode": "cut" },
                { "from": "Wave", "to": "None", "exitTime": 0.5, "mode": "cut" }
            ] }
        ] }"#;
    let (machine, _) = read_states(text).expect("a machine");
    let model = import(&gambol_sample::glb(), &mut NoResolver).expect("the sample").model;
    let mut actor = gambol::animation::Actor::new(&model, Rc::new(Rig::new(&model)));
    let (mut states, warnings) = States::new(Rc::new(machine), &model, &model.clips, &mut actor.player);
    assert_eq!(warnings, []);
    let (mut entered, mut told) = (0, 0);
    for frame in 0..1000 {
        let count = allocations(|| {
            states.set_input(0, InputValue::Number(f64::from(frame % 60)));
            if frame % 50 == 0 {
                states.fire(1);
            }
            states.advance(&mut actor.player, 1.0 / 60.0);
            actor.update();
            entered += states.drain_events().count();
            told += actor.player.drain_events().count();
        });
        assert!(count == 0 || frame < 200, "{count} in frame {frame}");
    }
    assert!(entered > 50 && told > 50, "{entered} and {told} events");
}

#[test]
fn drawn_frames_do_not_allocate() {
    let ways = [(false, Skinning::Linear), (true, Skinning::Linear), (false, Skinning::DualQuaternion)];
    for (cpu_skinning, skinning) in ways.into_iter().chain([(true, Skinning::DualQuaternion)]) {
        let mut stage = Stage::new(Context::new(Renderer::new(gl::context()).expect("it does everything")));
        stage.set_cpu_skinning(cpu_skinning);
        stage.set_skinning(skinning);
        stage.resize(640, 480, 1.0);
        for model in [model(), sample()] {
            let asset = Rc::new(Asset::new(model));
            for _ in 0..3 {
                let id = stage.add(&asset, Affine::identity()).expect("there is room");
                let actor = stage.actor_mut(id).expect("it was added");
                actor.player.play(None);
                // One that stays, and one that fades all the time.
                let to = Some(MorphOverride { value: 0.5, weight: 0.75 });
                actor.morphs.set(0, to, 0.0, 0.0);
                actor.morphs.set(1, to, 1e6, 0.0);
                let (columns, rows, first, frames, fps) = (2, 2, 0, 4, 12.0);
                let (loop_mode, clock) = (LoopMode::Repeat, FlipbookClock::Timeline);
                let book = Flipbook { columns, rows, first, frames, fps, loop_mode, clock };
                let (flipbooks, billboards) = stage.sprites_mut(id).expect("it was added");
                flipbooks.set(MaterialId::new(0), Some(book), 0.0);
                billboards.set(NodeId::new(0), Some(Billboard::Axis));
            }
        }
        let lighting = stage.lighting_mut();
        (lighting.shadow_intensity, lighting.skybox) = (1.0, true);
        for skeleton in [false, true] {
            stage.set_debug(DebugViews { skeleton, bounds: skeleton, ..DebugViews::default() });
            let mut now = 0.0;
            let mut frame = || {
                now += 0.1;
                let drawn = stage.stats().frames;
                assert!(stage.tick(now).expect("nothing goes wrong"), "it plays");
                assert_eq!(stage.stats().frames, drawn + 1);
                stage.stats().cost
            };
            assert!(allocations(|| frame().draws) > 0, "the first makes room");
            // Runs through the clips, so that every buffer reaches its maximum size.
            for _ in 0..20 {
                frame();
            }
            let mut draws = 0;
            let count = allocations(|| draws = frame().draws);
            assert!(draws > 6, "{draws}");
            assert_eq!(count, 0, "CPU skinning {cpu_skinning}, {skinning:?}, skeleton {skeleton}");
        }
    }
}

#[test]
fn crowd_frames_do_not_allocate() {
    for (shadows, spread) in [(0.0, 2.0), (1.0, 2.0), (0.0, 300.0)] {
        let context = Context::new(Renderer::new(gl::context()).expect("it is all right"));
        let mut stage = Stage::new(context);
        stage.resize(640, 480, 1.0);
        stage.lighting_mut().shadow_intensity = shadows;
        for model in [model(), sample()] {
            let asset = Rc::new(Asset::new(model));
            let id = stage.add(&asset, Affine::identity()).expect("there is room");
            stage.make_crowd(id).expect("it was added");
            while !stage.prepare_crowd(id).expect("it is there") {}
            stage.resize_crowd(id, 40).expect("there is room");
            let crowd = stage.crowd_mut(id).expect("it is there");
            let positions: Vec<f64> = (0..120).map(|i| spread * f64::from(i * 37 % 41 - 20) / 20.0).collect();
            crowd.set(MemberPart::Position, 0, &positions, 0.0).expect("they are numbers");
            let starts: Vec<f64> = (0..40).map(|i| -0.1 * f64::from(i)).collect();
            crowd.set(MemberPart::Start, 0, &starts, 0.0).expect("they are numbers");
            crowd.set_hidden(&[0, 1], 3, &[true; 20]).expect("it is in range");
            stage.set_crowd_morphs(id, &[0], 5, &[0.5; 10]).expect("they are numbers");
        }
        stage.frame();
        let mut now = 0.0;
        let mut frame = || {
            now += 1.0 / 60.0;
            assert!(stage.tick(now).expect("nothing goes wrong"), "it plays");
            let sampled =
                stage.cast().crowds().iter().map(|member| member.crowd.sampled_len()).sum::<usize>();
            (stage.stats().cost.draws, sampled)
        };
        assert!(allocations(&mut frame) > 0, "the first makes room");
        // Runs through the clips, so that every buffer reaches its maximum size.
        for _ in 0..300 {
            frame();
        }
        let mut done = (0, 0);
        assert_eq!(allocations(|| done = frame()), 0, "shadows {shadows}, spread {spread}");
        assert!(done.0 > 1, "{done:?}");
        // Of 80 members, with cached poses and without.
        assert!(if spread > 100.0 { done.1 < 60 } else { done.1 > 0 }, "{done:?}");
    }
}
