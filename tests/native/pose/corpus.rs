//! Files whose poses are hashed, and the poses. The files are generated with integer arithmetic, so that every machine
//! generates the same bytes.

use crate::common::builder::glb;
use crate::common::random::Random;
use gambol::animation::retarget::{Mode, Options, retarget};
use gambol::animation::{
    Actor, Affine, Contribution, Inertia, JointMask, LayerMode, LayerOptions, LookAt, Mix, Mixer, Override,
    Overrides, Pose, Reference, Rig, Source, Space, Transition, TransitionOptions, TwoBoneIk, pose_hash,
};
use gambol::import::{ImportError, NoResolver, import};
use gambol::model::{Clip, ClipId, HumanBone, Model, NodeId};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::Arc;

/// The number of files.
pub(crate) const FILES: u32 = 6;

impl Random {
    /// A number below `end`, from other bits than `below` uses; the recorded hashes depend on them.
    fn high(&mut self, end: usize) -> usize {
        (self.bits() >> 33) as usize % end
    }

    /// A number in −1 … 1 that uses all bits of a float.
    fn full(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 8_388_608.0 - 1.0
    }

    fn fulls(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.full()).collect()
    }
}

/// A builder of a file.
struct File {
    random: Random,
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    fn accessor(&mut self, kind: &str, width: usize, component: u32, bytes: &[u8]) -> usize {
        let size = match component {
            5120 | 5121 => 1,
            5122 => 2,
            _ => 4,
        };
        let count = bytes.len() / (width * size);
        self.views.push(json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()}));
        self.bin.extend(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1,
            "componentType": component,
            "normalized": component != 5126 && component != 5121,
            "type": kind,
            "count": count,
        }));
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(kind, width, 5126, &bytes)
    }

    /// Increasing key times with irregular intervals; some start late, some have a single key.
    fn times(&mut self) -> Vec<f32> {
        let mut time = if self.random.high(3) == 0 { self.random.full().abs() } else { 0.0 };
        let count = if self.random.high(6) == 0 { 1 } else { 2 + self.random.high(20) };
        let mut step = || {
            time += self.random.full().abs() / 4.0 + 0.001;
            time
        };
        (0..count).map(|_| step()).collect()
    }

    /// Rotation keys: not normalised, of either sign, some exactly half a turn from the previous one.
    fn rotations(&mut self, count: usize) -> Vec<f32> {
        let mut values = self.random.fulls(4);
        for _ in 1..count {
            let [x, y, z, w]: [f32; 4] = values[values.len() - 4..].try_into().unwrap_or_default();
            match self.random.high(6) {
                0 => values.extend([-x, -y, -z, -w]),
                1 => values.extend([w, z, -y, -x]),
                2 => values.extend([x + 0.001, y, z - 0.0005, w]),
                _ => values.extend(self.random.fulls(4)),
            }
        }
        values
    }

    fn sampler(&mut self, input: usize, keys: usize, path: &str) -> Value {
        let (interpolation, parts) =
            [("STEP", 1), ("LINEAR", 1), ("LINEAR", 1), ("CUBICSPLINE", 3)][self.random.high(4)];
        let (kind, width) = match path {
            "rotation" => ("VEC4", 4),
            "weights" => ("SCALAR", 1),
            _ => ("VEC3", 3),
        };
        let output = match path {
            "rotation" if self.random.high(3) == 0 => {
                let bytes: Vec<u8> = (0..8 * keys * parts).map(|_| self.random.high(256) as u8).collect();
                self.accessor(kind, width, 5122, &bytes)
            }
            "rotation" => {
                let values = self.rotations(keys * parts);
                self.floats(kind, width, &values)
            }
            "weights" => {
                let values = self.random.fulls(TARGETS * keys * parts);
                self.floats(kind, width, &values)
            }
            _ => {
                let values = self.random.fulls(3 * keys * parts);
                self.floats(kind, width, &values)
            }
        };
        json!({"input": input, "output": output, "interpolation": interpolation})
    }
}

const TARGETS: usize = 5;

/// A character with clips of all kinds; `seed` is below [`FILES`].
pub(crate) fn file(seed: u32) -> Vec<u8> {
    let mut file =
        File { random: Random(u64::from(seed)), bin: Vec::new(), views: Vec::new(), accessors: Vec::new() };
    let nodes = 5 + file.random.high(30);
    let parents: Vec<usize> = (0..nodes).map(|i| file.random.high(i.max(1))).collect();
    let mut json_nodes = Vec::new();
    for i in 0..nodes {
        let children: Vec<usize> = (i + 1..nodes).filter(|&child| parents[child] == i).collect();
        let mut node = match file.random.high(4) {
            // This includes sheared, mirrored and flat matrices.
            0 => {
                let mut matrix = file.random.fulls(16);
                (matrix[3], matrix[7], matrix[11], matrix[15]) = (0.0, 0.0, 0.0, 1.0);
                if file.random.high(4) == 0 {
                    matrix[4..7].fill(0.0);
                }
                json!({"matrix": matrix})
            }
            1 => json!({}),
            _ => json!({
                "translation": file.random.fulls(3),
                "rotation": file.rotations(1),
                "scale": file.random.fulls(3).iter().map(|value| value + 1.0).collect::<Vec<f32>>(),
            }),
        };
        node["name"] = json!(format!("n{i}"));
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        json_nodes.push(node);
    }
    json_nodes[nodes - 1]["mesh"] = json!(0);
    json_nodes[nodes - 1]["skin"] = json!(0);
    json_nodes[nodes / 2]["mesh"] = json!(1);
    let mut binds = file.random.fulls(16 * nodes);
    for bind in binds.chunks_exact_mut(16) {
        (bind[3], bind[7], bind[11], bind[15]) = (0.0, 0.0, 0.0, 1.0);
    }
    let binds = file.floats("MAT4", 16, &binds);
    let positions = file.random.fulls(9);
    let positions = file.floats("VEC3", 3, &positions);
    let joints = file.accessor("VEC4", 4, 5121, &[0, 1, 2, 3, 3, 2, 1, 0, 1, 1, 2, 0]);
    let weights: Vec<f32> = file.random.fulls(12).into_iter().map(f32::abs).collect();
    let weights = file.floats("VEC4", 4, &weights);
    let targets = vec![json!({"POSITION": positions}); TARGETS];
    let meshes = json!([
        {"primitives": [{"attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights}, "targets": targets}]},
        {"primitives": [{"attributes": {"POSITION": positions}, "targets": targets}]},
    ]);
    let mut animations = Vec::new();
    for clip in 0..3 {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        let mut times = file.times();
        let mut input = file.floats("SCALAR", 1, &times);
        for node in 0..nodes {
            for path in ["translation", "rotation", "scale", "weights"] {
                let morphs = node == nodes - 1 || node == nodes / 2;
                if path == "weights" && !morphs || path != "weights" && file.random.high(3) == 0 {
                    continue;
                }
                if file.random.high(4) == 0 {
                    times = file.times();
                    input = file.floats("SCALAR", 1, &times);
                }
                channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
                samplers.push(file.sampler(input, times.len(), path));
            }
        }
        animations.push(json!({"name": format!("clip {clip}"), "samplers": samplers, "channels": channels}));
    }
    let json = json!({
        "asset": {"version": "2.0"},
        "nodes": json_nodes,
        "meshes": meshes,
        "skins": [{"joints": (0..nodes).collect::<Vec<_>>(), "inverseBindMatrices": binds}],
        "animations": animations,
        "accessors": file.accessors,
        "bufferViews": file.views,
        "buffers": [{"byteLength": file.bin.len()}],
    });
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    glb(&[(*b"JSON", text), (*b"BIN\0", file.bin)])
}

/// One hash of the poses of clips of one file that another plays: as humanoids whose bones are arbitrary nodes, with
/// foot lock, and by names.
pub(crate) fn retargeted_hash(from: u32, to: u32) -> Result<u64, ImportError> {
    let model = |seed: u32| Ok(import(&file(seed), &mut NoResolver)?.model);
    let (source, target) = (model(from)?, model(to)?);
    // The legs bend where their joints are in line.
    let bones = HumanBone::ALL.into_iter().step_by(2).chain([
        HumanBone::LeftUpperLeg,
        HumanBone::LeftLowerLeg,
        HumanBone::LeftFoot,
    ]);
    let given = |nodes: usize| {
        let bones = bones.clone().enumerate();
        let given = bones.map(|(i, bone)| (bone.name().to_owned(), Some(format!("n{}", i * 7 % nodes))));
        given.collect::<Vec<_>>()
    };
    let mode = Mode::Map { source: given(source.nodes.len()), target: given(target.nodes.len()) };
    let mut hash = 0;
    for (mode, foot_lock) in [(mode.clone(), false), (mode, true), (Mode::Names, false)] {
        let options = Options { mode, foot_lock, ..Options::default() };
        let made = retarget(&source, None, &target, &options).expect("nodes have the same names");
        assert_eq!(made.clips.len(), source.clips.len());
        let model = Model { clips: made.clips, ..target.clone() };
        hash = folded(hash, Subject { rig: Rc::new(Rig::new(&model)), model }.hash());
    }
    Ok(hash)
}

/// A character to pose and hash.
pub(crate) struct Subject {
    model: Model,
    rig: Rc<Rig>,
}

impl Subject {
    /// Imports a file.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, ImportError> {
        let model = import(bytes, &mut NoResolver)?.model;
        Ok(Self { rig: Rc::new(Rig::new(&model)), model })
    }

    /// The hash of one pose.
    pub(crate) fn hash_at(&self, clip: usize, time: f64) -> u64 {
        let mut pose = self.rig.rest_pose().clone();
        if clip < self.rig.clip_count() {
            self.rig.sample(ClipId::new(clip), time, &mut pose);
        }
        self.hash_of(&pose)
    }

    fn hash_of(&self, pose: &Pose) -> u64 {
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); self.rig.palette_len()]);
        self.rig.node_matrices(pose, &Affine::identity(), &mut matrices);
        self.rig.palette(&matrices, &mut palette);
        pose_hash(&palette, &pose.weights)
    }

    /// One hash of mixed poses: two clips, a masked layer over them, an additive layer, and the middle of a transition.
    pub(crate) fn mixed_hash(&self) -> u64 {
        let mut mixer = Mixer::new();
        let clips = self.model.clips.len();
        let weights: Vec<f32> = (0..self.rig.node_count()).map(|i| (i % 5) as f32 / 4.0).collect();
        let mask = Rc::new(JointMask::new(&weights));
        let mut evaluate = |time: f64, layers: usize| {
            let part = |clip: usize, weight: f32| Contribution {
                clip: ClipId::new(clip % clips),
                time: (time * (1.0 + clip as f64))
                    % f64::from(self.model.clips[clip % clips].duration).max(0.1),
                weight,
            };
            let mut mix = Mix::default();
            let share = (0.3 * time) as f32;
            mix.push(LayerMode::Override, 1.0, None, [part(0, 0.9 - share), part(1, share)].into_iter());
            let reference = LayerMode::Additive(Reference::Clip(ClipId::new(1 % clips), 0.1));
            for (mode, weight, parts) in [
                (LayerMode::Override, 0.75, [part(2, 0.8), part(0, 0.7)]),
                (reference, 0.6, [part(2, 1.0), part(1, 0.3)]),
                (LayerMode::Additive(Reference::Rest), -0.4, [part(1, 0.5), part(0, 0.25)]),
            ]
            .into_iter()
            .take(layers)
            {
                mix.push(mode, weight, Some(&mask), parts.into_iter());
            }
            let mut pose = self.rig.rest_pose().clone();
            mixer.evaluate(&self.rig, &mix, &mut pose);
            pose
        };
        let mut hash = 0;
        let mut add = |one: u64| hash = folded(hash, one);
        for step in 0..24 {
            let time = 0.11 * f64::from(step);
            let poses = [0, 1, 2, 3].map(|layers| evaluate(time, layers));
            let mut inertia = Inertia::new();
            inertia.start(&self.rig, 0.0, 0.5, &[3, 2, 1, 3].map(|layers| poses[layers].clone()), &poses[0]);
            for pose in &poses {
                add(self.hash_of(pose));
                let mut midway = pose.clone();
                inertia.apply(0.02 * f64::from(step), &mut midway);
                add(self.hash_of(&midway));
            }
        }
        hash
    }

    /// One hash of poses with overrides, inverse kinematics and look-at.
    pub(crate) fn moved_hash(&self) -> u64 {
        let mut random = Random(7);
        let mut vector = || Vec3::from_array([0; 3].map(|_| random.full()));
        let node = |source: usize| self.model.node_of_source[source];
        let above = |id: NodeId| self.model.nodes[id.index()].parent;
        let mut hash = 0_u64;
        for step in 0..48 {
            let mut all = Overrides::default();
            let space = [Space::Local, Space::Model, Space::World][step % 3];
            let weight = [1.0, 0.3][step % 2];
            for i in 0..self.rig.node_count() {
                let (target, pole) = (vector(), (step % 4 == 0).then(&mut vector));
                if let Some(middle) = above(node(i))
                    && let Some(first) = above(middle)
                    && i % 3 == 0
                {
                    all.set_ik(
                        first,
                        TwoBoneIk { middle, end: node(i), target, space, pole, pole_space: space, weight },
                    );
                }
                if i % 5 == step % 5 {
                    let axis = (step % 4 < 2).then(&mut vector);
                    all.set_look_at(
                        &self.rig,
                        node(i),
                        LookAt { target, axis, limit: 0.1 * step as f32, space, weight },
                    );
                }
                if i % 7 == step % 7 {
                    let rotation = Some(Quat::from_xyzw(target.x, target.y, target.z, 0.5));
                    all.set(node(i), Override { rotation, space, weight, ..Override::default() });
                }
            }
            let mut pose = self.rig.rest_pose().clone();
            self.rig.sample(ClipId::new(step % self.rig.clip_count()), 0.05 * step as f64, &mut pose);
            all.pose(&self.rig, &mut pose);
            let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); self.rig.palette_len()]);
            all.node_matrices(&self.rig, &pose, &Affine::identity(), &mut matrices);
            self.rig.palette(&matrices, &mut palette);
            let one = pose_hash(&palette, &pose.weights);
            hash = folded(hash, one);
        }
        hash
    }

    /// One hash of the poses of all clips, at [`Subject::times`].
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = self.hash_at(usize::MAX, 0.0);
        for (clip, times) in self.times().into_iter().enumerate() {
            times.into_iter().for_each(|time| hash = folded(hash, self.hash_at(clip, time)));
        }
        hash
    }

    /// Times of each clip: on keys, next to them, between them, outside, and at even steps.
    pub(crate) fn times(&self) -> Vec<Vec<f64>> {
        let of_clip = |clip: &Arc<Clip>| {
            let duration = f64::from(clip.duration);
            let mut times = vec![-1.0, 1e9];
            times.extend((0..=64).map(|i| duration * f64::from(i) / 64.0));
            for curve in clip.curves.iter().take(6) {
                for pair in curve.times().windows(2).take(12) {
                    let (key, next) = (f64::from(pair[0]), f64::from(pair[1]));
                    times.extend([key, key.next_down(), key.next_up(), 0.5 * (key + next), next.next_down()]);
                }
            }
            times
        };
        self.model.clips.iter().map(of_clip).collect()
    }

    /// One hash of the frames of a playing actor: alone, with an additive layer on some of its joints, in an inertial
    /// transition, in a crossfade, and with overrides, look-at and inverse kinematics.
    /// `tests/browser/cases/everywhere/exact.ts` does the same with a viewer.
    pub(crate) fn played_hash(&self) -> u64 {
        let mut actor = Actor::new(&self.model, Rc::clone(&self.rig));
        let mut hash = 0;
        let mut frames = |actor: &mut Actor, count: usize| {
            for _ in 0..count {
                actor.player.advance(1.0 / 16.0);
                actor.update();
                hash = folded(hash, pose_hash(actor.palette(), &actor.pose().weights));
            }
        };
        let source = |clip: usize| Source::Clip(ClipId::new(clip));
        actor.player.play(Some(ClipId::new(0)));
        frames(&mut actor, 4);

        let patterns: Vec<String> = (0..self.rig.node_count()).map(|i| format!("n{i}")).collect();
        let weights = (0..patterns.len()).map(|i| (i % 5) as f32 / 4.0);
        let mask = JointMask::from_patterns(&self.model, patterns.iter().map(String::as_str).zip(weights));
        actor.player.add_layer(LayerOptions {
            mode: LayerMode::Additive(Reference::Clip(ClipId::new(2), 0.125)),
            weight: 0.625,
            mask: Some(Rc::new(mask.expect("joints of these names"))),
            transition: Some(Transition::Crossfade(0.25)),
            ..LayerOptions::new(source(1))
        });
        frames(&mut actor, 4);

        for (clip, transition, count) in
            [(2, Transition::Inertial(0.5), 6), (1, Transition::Crossfade(0.25), 3)]
        {
            let options = TransitionOptions { transition: Some(transition), ..TransitionOptions::default() };
            actor.player.transition_to(source(clip), &options);
            frames(&mut actor, count);
        }

        for (i, &node) in self.model.node_of_source.iter().enumerate() {
            let above = |id: NodeId| self.model.nodes[id.index()].parent;
            let middle = above(node);
            let first = middle.and_then(above);
            if i % 5 == 0 {
                let to = Override {
                    rotation: Some(Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)),
                    space: [Space::Local, Space::Model, Space::World][i % 3],
                    weight: 0.5,
                    ..Override::default()
                };
                actor.overrides.set(node, to);
            }
            if i % 4 == 1 {
                let target = Vec3::new(1.0, 2.0, 3.0);
                let aim = LookAt { target, axis: None, limit: 1.0, space: Space::World, weight: 0.75 };
                actor.set_look_at(node, aim);
            }
            if i % 3 == 2
                && let (Some(middle), Some(first)) = (middle, first)
            {
                let target = Vec3::new(0.5, 0.25, -0.75);
                let pole = Some(Vec3::new(0.0, 0.0, 1.0));
                let (space, pole_space) = (Space::Model, Space::Model);
                let reach = TwoBoneIk { middle, end: node, target, space, pole, pole_space, weight: 0.25 };
                actor.overrides.set_ik(first, reach);
            }
        }
        frames(&mut actor, 4);
        hash
    }
}

/// Combines two hashes.
fn folded(hash: u64, one: u64) -> u64 {
    (hash ^ one).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(7)
}
