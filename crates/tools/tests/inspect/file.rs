//! Small files for rules: a figure with two legs and two arms, and clips written as functions of time.

use gambol::import::NoResolver;
use gambol_tools::inspect::{Finding, Options, Report, inspect};
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

/// Seconds of a clip, and its frames per second.
pub(crate) const SECONDS: f64 = 1.0;
pub(crate) const RATE: f64 = 30.0;

/// A file: JSON, and one buffer.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) json: Value,
    pub(crate) bin: Vec<u8>,
}

impl File {
    pub(crate) fn new() -> Self {
        Self { json: json!({ "asset": { "version": "2.0" } }), bin: Vec::new() }
    }

    /// Adds an element to a list; returns its index.
    pub(crate) fn push(&mut self, list: &str, element: Value) -> usize {
        let list = self.json.as_object_mut().expect("an object").entry(list).or_insert_with(|| json!([]));
        let list = list.as_array_mut().expect("a list");
        list.push(element);
        list.len() - 1
    }

    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view = json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() });
        self.bin.extend(bytes);
        self.push("bufferViews", view)
    }

    /// Adds an accessor of floats; returns its index.
    pub(crate) fn floats(&mut self, kind: &str, values: &[f64]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let values: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let mut accessor =
            json!({ "bufferView": view, "componentType": 5126, "type": kind, "count": values.len() / width });
        if width < 4 {
            let of = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                let column =
                    |i: usize| values.iter().skip(i).step_by(width).copied().reduce(pick).unwrap_or(0.0);
                (0..width).map(column).collect()
            };
            accessor["min"] = json!(of(f32::min));
            accessor["max"] = json!(of(f32::max));
        }
        self.push("accessors", accessor)
    }

    /// Adds an accessor of joint indices; returns its index.
    pub(crate) fn joints(&mut self, joints: &[u16]) -> usize {
        let bytes: Vec<u8> = joints.iter().flat_map(|joint| joint.to_le_bytes()).collect();
        let view = self.view(&bytes);
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": 5123, "type": "VEC4", "count": joints.len() / 4 }),
        )
    }

    /// Adds an animation without channels; returns its index.
    pub(crate) fn clip(&mut self, name: &str) -> usize {
        self.push("animations", json!({ "name": name, "samplers": [], "channels": [] }))
    }

    /// Adds a channel; returns its index.
    pub(crate) fn channel(
        &mut self,
        clip: usize,
        (node, path): (usize, &str),
        interpolation: &str,
        times: &[f64],
        values: &[f64],
    ) -> usize {
        let kind = match path {
            "rotation" => "VEC4",
            "weights" => "SCALAR",
            _ => "VEC3",
        };
        let (input, output) = (self.floats("SCALAR", times), self.floats(kind, values));
        let clip = &mut self.json["animations"][clip];
        let samplers = clip["samplers"].as_array_mut().expect("samplers");
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = samplers.len() - 1;
        let channels = clip["channels"].as_array_mut().expect("channels");
        channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
        channels.len() - 1
    }

    /// Adds a channel of rotations about an axis, by a function from seconds to degrees, with a key in each frame.
    pub(crate) fn turn(
        &mut self,
        clip: usize,
        node: usize,
        axis: DVec3,
        degrees: impl Fn(f64) -> f64,
    ) -> usize {
        let times = frames();
        let values: Vec<f64> = times.iter().flat_map(|time| quaternion(axis, degrees(*time))).collect();
        self.channel(clip, (node, "rotation"), "LINEAR", &times, &values)
    }

    /// Adds a channel of translations relative to the rest of a node, with a key in each frame.
    pub(crate) fn slide(&mut self, clip: usize, node: usize, offset: impl Fn(f64) -> DVec3) -> usize {
        let times = frames();
        let rest = DVec3::from_array(JOINTS[node].2);
        let values: Vec<f64> = times.iter().flat_map(|time| (rest + offset(*time)).to_array()).collect();
        self.channel(clip, (node, "translation"), "LINEAR", &times, &values)
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let mut glb = b"glTF\x02\0\0\0".to_vec();
        glb.extend((28 + text.len() as u32 + bin.len() as u32).to_le_bytes());
        for (kind, bytes) in [(b"JSON", text), (b"BIN\0", bin)] {
            glb.extend((bytes.len() as u32).to_le_bytes());
            glb.extend(kind);
            glb.extend(bytes);
        }
        glb
    }

    pub(crate) fn report(&self) -> Report {
        inspect(&self.glb(), &mut NoResolver, &Options::default())
    }

    /// Inspects the file, which must have only findings of this code; returns them.
    pub(crate) fn only(&self, code: &str) -> Vec<Finding> {
        let findings = self.report().findings;
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
        assert!(!findings.is_empty() && codes.iter().all(|found| *found == code), "{code}: {findings:#?}");
        findings
    }

    /// Inspects the file, which must have exactly one finding; returns it.
    pub(crate) fn one(&self, code: &str) -> Finding {
        let mut findings = self.only(code);
        assert_eq!(findings.len(), 1, "{findings:#?}");
        findings.remove(0)
    }

    /// Inspects the file, which must have no finding.
    pub(crate) fn clean(&self) {
        assert_eq!(self.report().findings, []);
    }
}

pub(crate) fn frames() -> Vec<f64> {
    (0..=(SECONDS * RATE) as usize).map(|frame| frame as f64 / RATE).collect()
}

pub(crate) fn quaternion(axis: DVec3, degrees: f64) -> [f64; 4] {
    DQuat::from_axis_angle(axis, degrees.to_radians()).to_array()
}

/// A whole number of waves in a clip, so that it loops.
pub(crate) fn wave(time: f64) -> f64 {
    (std::f64::consts::TAU * time / SECONDS).sin()
}

/// Joints of the figure: name, parent, and translation in metres. It stands on Y = 0, and is 1.7 m high.
pub(crate) const JOINTS: [(&str, usize, [f64; 3]); 18] = [
    ("Hips", usize::MAX, [0.0, 0.95, 0.0]),
    ("Spine", 0, [0.0, 0.2, 0.0]),
    ("Neck", 1, [0.0, 0.3, 0.0]),
    ("Head", 2, [0.0, 0.1, 0.0]),
    ("LeftArm", 1, [0.2, 0.25, 0.0]),
    ("LeftForeArm", 4, [0.25, 0.0, 0.0]),
    ("LeftHand", 5, [0.25, 0.0, 0.0]),
    ("RightArm", 1, [-0.2, 0.25, 0.0]),
    ("RightForeArm", 7, [-0.25, 0.0, 0.0]),
    ("RightHand", 8, [-0.25, 0.0, 0.0]),
    ("LeftUpLeg", 0, [0.1, 0.0, 0.0]),
    ("LeftLeg", 10, [0.0, -0.42, 0.02]),
    ("LeftFoot", 11, [0.0, -0.43, -0.02]),
    ("LeftToeBase", 12, [0.0, -0.08, 0.12]),
    ("RightUpLeg", 0, [-0.1, 0.0, 0.0]),
    ("RightLeg", 14, [0.0, -0.42, 0.02]),
    ("RightFoot", 15, [0.0, -0.43, -0.02]),
    ("RightToeBase", 16, [0.0, -0.08, 0.12]),
];

/// Indices of joints, which are those of nodes.
pub(crate) const HIPS: usize = 0;
pub(crate) const SPINE: usize = 1;
pub(crate) const ARM: usize = 4;
pub(crate) const FOREARM: usize = 5;
pub(crate) const HAND: usize = 6;
pub(crate) const LEFT_FOOT: usize = 12;
pub(crate) const RIGHT_FOOT: usize = 16;
/// The node of the mesh.
pub(crate) const MESH: usize = 18;

/// The place of a joint at rest, in the model.
pub(crate) fn place(joint: usize) -> DVec3 {
    let (_, parent, offset) = JOINTS[joint];
    let above = if parent == usize::MAX { DVec3::ZERO } else { place(parent) };
    above + DVec3::from_array(offset)
}

/// The place of a joint's vertex at rest: 5 cm before it.
pub(crate) fn vertex(joint: usize) -> DVec3 {
    place(joint) + DVec3::new(0.0, 0.0, 0.05)
}

/// The figure without a clip: a vertex for each joint, of which three in a row are triangles.
pub(crate) fn figure() -> File {
    let mut file = File::new();
    for (joint, (name, _, offset)) in JOINTS.iter().enumerate() {
        let children: Vec<usize> = (0..JOINTS.len()).filter(|child| JOINTS[*child].1 == joint).collect();
        let mut node = json!({ "name": name, "translation": offset });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        file.push("nodes", node);
    }
    let count = JOINTS.len();
    let positions: Vec<f64> = (0..count).flat_map(|joint| vertex(joint).to_array()).collect();
    let joints: Vec<u16> = (0..count as u16).flat_map(|joint| [joint, 0, 0, 0]).collect();
    let inverses: Vec<f64> =
        (0..count).flat_map(|joint| glam::DMat4::from_translation(-place(joint)).to_cols_array()).collect();
    let attributes = json!({
        "POSITION": file.floats("VEC3", &positions),
        "JOINTS_0": file.joints(&joints),
        "WEIGHTS_0": file.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(count)),
    });
    file.push("meshes", json!({ "primitives": [{ "attributes": attributes }] }));
    let inverses = file.floats("MAT4", &inverses);
    file.push(
        "skins",
        json!({ "joints": (0..count).collect::<Vec<usize>>(), "inverseBindMatrices": inverses }),
    );
    file.push("nodes", json!({ "name": "Body", "mesh": 0, "skin": 0 }));
    file.push("scenes", json!({ "nodes": [HIPS, MESH] }));
    file
}

/// The figure with a clip that has nothing to find: arms and spine swing, and the clip loops.
pub(crate) fn good() -> File {
    let mut file = figure();
    let clip = file.clip("Sway");
    file.turn(clip, ARM, DVec3::Z, |time| 30.0 * wave(time));
    file.turn(clip, ARM + 3, DVec3::Z, |time| -25.0 * wave(time));
    file.turn(clip, SPINE, DVec3::X, |time| 5.0 * wave(time));
    file
}

/// Asserts that a number of a finding is near another.
#[track_caller]
pub(crate) fn near(finding: &Finding, name: &str, expected: f64, tolerance: f64) {
    let value = finding.number(name).unwrap_or_else(|| panic!("no {name}: {finding:#?}"));
    assert!((value - expected).abs() <= tolerance, "{name}: {value}, expected {expected}");
}
