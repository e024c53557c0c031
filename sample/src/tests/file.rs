//! Reads a generated file: accessors, nodes, and the pose of a clip at any time, by a plain reading of the specification.

use glam::{DAffine3, DQuat, DVec3, DVec4};
use serde_json::Value;

/// A channel of a clip.
pub(super) struct Channel {
    pub(super) node: usize,
    pub(super) path: String,
    pub(super) times: Vec<f64>,
    /// The values of each key.
    pub(super) values: Vec<Vec<f64>>,
}

/// A clip of a file.
pub(super) struct Clip {
    pub(super) name: String,
    pub(super) duration: f64,
    pub(super) channels: Vec<Channel>,
    pub(super) extras: Value,
}

/// A file.
pub(super) struct File {
    pub(super) bytes: Vec<u8>,
    pub(super) root: Value,
    pub(super) clips: Vec<Clip>,
    parents: Vec<Option<usize>>,
    /// The translation of each node at rest.
    rests: Vec<DVec3>,
}

pub(super) fn number(v: &Value) -> usize {
    v.as_u64().unwrap_or(0) as usize
}

impl File {
    pub(super) fn new(bytes: Vec<u8>) -> File {
        let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
        let root: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("the JSON chunk parses");
        let nodes = root["nodes"].as_array().expect("nodes");
        let parent = |node: usize| {
            nodes.iter().position(|other| {
                other["children"].as_array().is_some_and(|all| all.iter().any(|child| number(child) == node))
            })
        };
        let parents = (0..nodes.len()).map(parent).collect();
        let rest = |node: &Value| {
            DVec3::from_array([0, 1, 2].map(|i| node["translation"][i].as_f64().unwrap_or(0.0)))
        };
        let rests = nodes.iter().map(rest).collect();
        let mut file = File { bytes, root, clips: Vec::new(), parents, rests };
        let clips = file.root["animations"].as_array().expect("clips").iter().map(|clip| file.clip(clip));
        file.clips = clips.collect();
        file
    }

    /// The start of the binary chunk.
    pub(super) fn binary(&self) -> usize {
        28 + u32::from_le_bytes([self.bytes[12], self.bytes[13], self.bytes[14], self.bytes[15]]) as usize
    }

    fn clip(&self, clip: &Value) -> Clip {
        let channels: Vec<Channel> = clip["channels"]
            .as_array()
            .expect("channels")
            .iter()
            .map(|channel| {
                let sampler = &clip["samplers"][number(&channel["sampler"])];
                let times: Vec<f64> = self.accessor(&sampler["input"]).concat();
                let flat: Vec<f64> = self.accessor(&sampler["output"]).concat();
                let width = flat.len() / times.len();
                Channel {
                    node: number(&channel["target"]["node"]),
                    path: channel["target"]["path"].as_str().expect("a path").to_owned(),
                    values: flat.chunks(width).map(<[f64]>::to_vec).collect(),
                    times,
                }
            })
            .collect();
        let last = |channel: &Channel| channel.times[channel.times.len() - 1];
        Clip {
            name: clip["name"].as_str().expect("a name").to_owned(),
            duration: channels.iter().map(last).fold(0.0, f64::max),
            channels,
            extras: clip["extras"].clone(),
        }
    }

    pub(super) fn named(&self, name: &str) -> &Clip {
        self.clips.iter().find(|clip| clip.name == name).unwrap_or_else(|| panic!("no clip {name}"))
    }

    pub(super) fn node(&self, name: &str) -> usize {
        let nodes = self.root["nodes"].as_array().expect("nodes");
        nodes.iter().position(|node| node["name"] == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    pub(super) fn node_name(&self, node: usize) -> &str {
        self.root["nodes"][node]["name"].as_str().expect("a name")
    }

    /// The number of elements of an accessor, and of those that a sparse accessor replaces.
    pub(super) fn counts(&self, accessor: &Value) -> (usize, usize) {
        let a = &self.root["accessors"][number(accessor)];
        (number(&a["count"]), number(&a["sparse"]["count"]))
    }

    /// The elements of an accessor that is not sparse.
    pub(super) fn accessor(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let a = &self.root["accessors"][number(accessor)];
        let view = &self.root["bufferViews"][number(&a["bufferView"])];
        let start = self.binary() + number(&view["byteOffset"]) + number(&a["byteOffset"]);
        let width = match a["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            _ => 16,
        };
        let size = match number(&a["componentType"]) {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let stride = view["byteStride"].as_u64().map_or(size * width, |stride| stride as usize);
        let component = |at: usize| {
            let b = &self.bytes[at..at + size];
            let (value, unit) = match number(&a["componentType"]) {
                5120 => (f64::from(b[0] as i8), 127.0),
                5121 => (f64::from(b[0]), 255.0),
                5122 => (f64::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
                5123 => (f64::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
                _ => (f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
            };
            if a["normalized"] == true { value / unit } else { value }
        };
        (0..number(&a["count"]))
            .map(|i| (0..width).map(|c| component(start + i * stride + c * size)).collect())
            .collect()
    }

    /// A node and its ancestors.
    pub(super) fn line(&self, node: usize) -> Vec<usize> {
        let mut line = vec![node];
        while let Some(parent) = self.parents[line[line.len() - 1]] {
            line.push(parent);
        }
        line
    }

    /// The position of a node in model space, at rest.
    pub(super) fn at(&self, node: usize) -> DVec3 {
        self.line(node).into_iter().map(|n| self.rests[n]).sum()
    }

    /// The transform of a node of a line at a time of a clip, to model space.
    pub(super) fn place(&self, clip: &Clip, time: f64, line: &[usize]) -> DAffine3 {
        let mut out = DAffine3::IDENTITY;
        for &node in line {
            let (mut t, mut r, mut s) = (self.rests[node], DQuat::IDENTITY, DVec3::ONE);
            for channel in clip.channels.iter().filter(|channel| channel.node == node) {
                let v = channel.at(time);
                match channel.path.as_str() {
                    "translation" => t = DVec3::new(v.x, v.y, v.z),
                    "scale" => s = DVec3::new(v.x, v.y, v.z),
                    _ => r = DQuat::from_vec4(v).normalize(),
                }
            }
            out = DAffine3::from_scale_rotation_translation(s, r, t) * out;
        }
        out
    }
}

impl Channel {
    /// The value at a time, linearly interpolated. Between the near keys of these files a normalised blend of rotations
    /// equals the spherical one.
    fn at(&self, time: f64) -> DVec4 {
        let key = |i: usize| {
            let v = &self.values[i];
            DVec4::new(v[0], v[1], v[2], v.get(3).copied().unwrap_or(0.0))
        };
        let last = self.times.len() - 1;
        let i = self.times.iter().rposition(|&t| t <= time).unwrap_or(0).min(last - 1);
        let u = ((time - self.times[i]) / (self.times[i + 1] - self.times[i])).clamp(0.0, 1.0);
        let (a, mut b) = (key(i), key(i + 1));
        if self.path == "rotation" && a.dot(b) < 0.0 {
            b = -b;
        }
        a.lerp(b, u)
    }
}
