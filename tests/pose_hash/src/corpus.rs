//! Files whose poses are hashed: made of whole numbers, so that every machine makes the same bytes.

use gambol::animation::{
    Affine, Aim, Contribution, Inertia, JointMask, LayerMode, Mix, Mixer, Override, Overrides, Pose, Reach,
    Reference, Rig, Space, pose_hash,
};
use gambol::import::{ImportError, NoResolver, import};
use gambol::model::{ClipId, Model, NodeId};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use std::rc::Rc;

/// How many files there are.
pub(crate) const FILES: u32 = 6;

/// Numbers at random, the same on every machine (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    /// −1 … 1, with all bits of a float used.
    fn float(&mut self) -> f32 {
        (self.next() >> 40) as f32 / 8_388_608.0 - 1.0
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.float()).collect()
    }
}

/// A file in the making.
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

    /// Key times that rise, at odd distances; sometimes late, sometimes one alone.
    fn times(&mut self) -> Vec<f32> {
        let mut time = if self.random.below(3) == 0 { self.random.float().abs() } else { 0.0 };
        let count = if self.random.below(6) == 0 { 1 } else { 2 + self.random.below(20) };
        let mut step = || {
            time += self.random.float().abs() / 4.0 + 0.001;
            time
        };
        (0..count).map(|_| step()).collect()
    }

    /// Rotation keys: not of unit length, of either sign, some exactly half a turn from the one before.
    fn rotations(&mut self, count: usize) -> Vec<f32> {
        let mut values = self.random.floats(4);
        for _ in 1..count {
            let [x, y, z, w]: [f32; 4] = values[values.len() - 4..].try_into().unwrap_or_default();
            match self.random.below(6) {
                0 => values.extend([-x, -y, -z, -w]),
                1 => values.extend([w, z, -y, -x]),
                2 => values.extend([x + 0.001, y, z - 0.0005, w]),
                _ => values.extend(self.random.floats(4)),
            }
        }
        values
    }

    fn sampler(&mut self, input: usize, keys: usize, path: &str) -> Value {
        let (interpolation, parts) =
            [("STEP", 1), ("LINEAR", 1), ("LINEAR", 1), ("CUBICSPLINE", 3)][self.random.below(4)];
        let (kind, width) = match path {
            "rotation" => ("VEC4", 4),
            "weights" => ("SCALAR", 1),
            _ => ("VEC3", 3),
        };
        let output = match path {
            "rotation" if self.random.below(3) == 0 => {
                let bytes: Vec<u8> = (0..8 * keys * parts).map(|_| self.random.below(256) as u8).collect();
                self.accessor(kind, width, 5122, &bytes)
            }
            "rotation" => {
                let values = self.rotations(keys * parts);
                self.floats(kind, width, &values)
            }
            "weights" => {
                let values = self.random.floats(TARGETS * keys * parts);
                self.floats(kind, width, &values)
            }
            _ => {
                let values = self.random.floats(3 * keys * parts);
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
    let nodes = 5 + file.random.below(30);
    let parents: Vec<usize> = (0..nodes).map(|i| file.random.below(i.max(1))).collect();
    let mut json_nodes = Vec::new();
    for i in 0..nodes {
        let children: Vec<usize> = (i + 1..nodes).filter(|&child| parents[child] == i).collect();
        let mut node = match file.random.below(4) {
            // Sheared, mirrored and flat ones are among them.
            0 => {
                let mut matrix = file.random.floats(16);
                (matrix[3], matrix[7], matrix[11], matrix[15]) = (0.0, 0.0, 0.0, 1.0);
                if file.random.below(4) == 0 {
                    matrix[4..7].fill(0.0);
                }
                json!({"matrix": matrix})
            }
            1 => json!({}),
            _ => json!({
                "translation": file.random.floats(3),
                "rotation": file.rotations(1),
                "scale": file.random.floats(3).iter().map(|value| value + 1.0).collect::<Vec<f32>>(),
            }),
        };
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        json_nodes.push(node);
    }
    json_nodes[nodes - 1]["mesh"] = json!(0);
    json_nodes[nodes - 1]["skin"] = json!(0);
    json_nodes[nodes / 2]["mesh"] = json!(1);
    let mut binds = file.random.floats(16 * nodes);
    for bind in binds.chunks_exact_mut(16) {
        (bind[3], bind[7], bind[11], bind[15]) = (0.0, 0.0, 0.0, 1.0);
    }
    let binds = file.floats("MAT4", 16, &binds);
    let positions = file.random.floats(9);
    let positions = file.floats("VEC3", 3, &positions);
    let joints = file.accessor("VEC4", 4, 5121, &[0, 1, 2, 3, 3, 2, 1, 0, 1, 1, 2, 0]);
    let weights: Vec<f32> = file.random.floats(12).into_iter().map(f32::abs).collect();
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
                if path == "weights" && !morphs || path != "weights" && file.random.below(3) == 0 {
                    continue;
                }
                if file.random.below(4) == 0 {
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
    glb(&json, &file.bin)
}

fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((28 + text.len() as u32 + bin.len() as u32).to_le_bytes());
    for (kind, bytes) in [(b"JSON", text.as_slice()), (b"BIN\0", bin)] {
        glb.extend((bytes.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(bytes);
    }
    glb
}

/// A character that can be posed and hashed.
pub(crate) struct Subject {
    model: Model,
    rig: Rig,
}

impl Subject {
    /// Imports a file.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, ImportError> {
        let model = import(bytes, &mut NoResolver)?.model;
        Ok(Self { rig: Rig::new(&model), model })
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

    /// One hash of mixed poses: two clips, a masked layer over them, another added, and a transition midway.
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
        let mut add = |one: u64| hash = (hash ^ one).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(7);
        for step in 0..24 {
            let time = 0.11 * f64::from(step);
            let poses = [0, 1, 2, 3].map(|layers| evaluate(time, layers));
            let mut inertia = Inertia::new();
            inertia.start(&self.rig, 0.0, 0.5, 0.01, [&poses[3], &poses[2]], [&poses[0], &poses[1]]);
            for pose in &poses {
                add(self.hash_of(pose));
                let mut midway = pose.clone();
                inertia.apply(0.02 * f64::from(step), &mut midway);
                add(self.hash_of(&midway));
            }
        }
        hash
    }

    /// One hash of poses whose joints are put elsewhere, reach and look.
    pub(crate) fn moved_hash(&self) -> u64 {
        let mut random = Random(7);
        let mut vector = || Vec3::from_array([0; 3].map(|_| random.float()));
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
                    all.set_reach(first, Reach { middle, end: node(i), target, pole, space, weight });
                }
                if i % 5 == step % 5 {
                    let axis = (step % 4 < 2).then(&mut vector);
                    all.set_aim(
                        &self.rig,
                        node(i),
                        Aim { target, axis, limit: 0.1 * step as f32, space, weight },
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
            hash = (hash ^ one).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(7);
        }
        hash
    }

    /// One hash of the poses of all clips: on keys, next to them, between them, outside, and at even steps.
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = self.hash_at(usize::MAX, 0.0);
        for (c, clip) in self.model.clips.iter().enumerate() {
            let duration = f64::from(clip.duration);
            let mut times = vec![-1.0, 1e9];
            times.extend((0..=64).map(|i| duration * f64::from(i) / 64.0));
            for curve in clip.curves.iter().take(6) {
                for pair in curve.times().windows(2).take(12) {
                    let (key, next) = (f64::from(pair[0]), f64::from(pair[1]));
                    times.extend([key, key.next_down(), key.next_up(), 0.5 * (key + next), next.next_down()]);
                }
            }
            for time in times {
                hash = (hash ^ self.hash_at(c, time)).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(7);
            }
        }
        hash
    }
}
