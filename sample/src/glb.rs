//! Writes a model and its clips as a binary glTF file.

use crate::model::{Model, Piece};
use crate::motion::Track;
use crate::motion::reduce::{Keys, reduced, tolerances};
use crate::skeleton::{Joint, Socket, local};
use gambol_gltf::document::{Document, Written};
use gambol_gltf::element::ComponentType::{self, F32, I8, I16, U8, U16};
use gambol_gltf::element::Kind;
use gambol_gltf::json;
use gambol_gltf::json::Value;
use glam::DVec3;

/// The document so far.
#[derive(Default)]
struct Writer {
    document: Document,
    /// The accessors of times so far. All times are in one view, which is added last.
    inputs: Vec<(Vec<f32>, usize)>,
}

/// Rounds a length to a hundredth of a millimetre.
fn snap(x: f64) -> f32 {
    let v = (x * 1e5).round() / 1e5;
    // No negative zeros: they compress badly and differ in their bytes.
    if v == 0.0 { 0.0 } else { v as f32 }
}

fn number(x: f32) -> Value {
    // The shortest decimal that reads back as the same single-precision value.
    x.to_string().parse::<f64>().map_or(Value::Null, |d| json!(d))
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Normalised integers: `scale` is 1.
fn normalised(v: DVec3, scale: f64) -> [i16; 3] {
    v.to_array().map(|x| (x.clamp(-1.0, 1.0) * scale).round() as i16)
}

fn triples(values: impl IntoIterator<Item = DVec3>) -> Vec<[f32; 3]> {
    values.into_iter().map(|v| [snap(v.x), snap(v.y), snap(v.z)]).collect()
}

fn bounds(values: &[[f32; 3]]) -> (Value, Value) {
    let pick = |f: fn(f32, f32) -> f32| {
        let mut out = values.first().copied().unwrap_or_default();
        for v in values {
            for i in 0..3 {
                out[i] = f(out[i], v[i]);
            }
        }
        Value::Array(out.iter().map(|&x| number(x)).collect())
    };
    (pick(f32::min), pick(f32::max))
}

impl Writer {
    fn view(&mut self, bytes: Vec<u8>) -> usize {
        self.document.add_view(bytes, None, None, None)
    }

    fn accessor(&mut self, value: Value) -> usize {
        self.document.push("accessors", value)
    }

    /// Sets members of an accessor.
    fn set<const N: usize>(&mut self, accessor: usize, members: [(&str, Value); N]) {
        let json = &mut self.document.list_mut("accessors")[accessor];
        members.into_iter().for_each(|(key, value)| json[key] = value);
    }

    /// Adds a vertex attribute.
    fn attribute(&mut self, bytes: Vec<u8>, component: ComponentType, kind: Kind) -> usize {
        self.document.add_elements(bytes, Some(34962), component, kind)
    }

    /// Adds a vertex attribute of normalised integers.
    fn normalized(&mut self, bytes: Vec<u8>, component: ComponentType, kind: Kind) -> usize {
        let a = self.attribute(bytes, component, kind);
        self.set(a, [("normalized", json!(true))]);
        a
    }

    fn positions(&mut self, values: &[[f32; 3]]) -> usize {
        let a = self.attribute(floats(values.iter().flatten().copied()), F32, Kind::Vec3);
        let (lo, hi) = bounds(values);
        self.set(a, [("min", lo), ("max", hi)]);
        a
    }

    /// Adds normalised integers that are mostly zero as a sparse accessor without a base view: the bytes of the values at
    /// the indices, which are in the view `at`.
    fn sparse(
        &mut self,
        count: usize,
        indices: usize,
        at: usize,
        bytes: Vec<u8>,
        mut accessor: Value,
    ) -> usize {
        accessor["count"] = json!(count);
        accessor["normalized"] = json!(true);
        if indices > 0 {
            let values = self.view(bytes);
            accessor["sparse"] = json!({
                "count": indices,
                "indices": {"bufferView": at, "componentType": U16.as_gl_enum()},
                "values": {"bufferView": values},
            });
        }
        self.accessor(accessor)
    }

    /// Adds the indices of a sparse accessor, if there are any.
    fn indices(&mut self, indices: &[usize]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect();
        if bytes.is_empty() { 0 } else { self.view(bytes) }
    }

    /// Adds the deltas of a morph target.
    fn target(&mut self, deltas: &[(DVec3, DVec3)]) -> Value {
        let n = deltas.len();
        let moved: Vec<usize> = (0..n)
            .filter(|&i| deltas[i].0.abs().max_element() > 4e-4 || deltas[i].1.abs().max_element() > 0.03)
            .collect();
        // Position and normal move together, so they share their list of vertices.
        let at = self.indices(&moved);
        let shift: Vec<[i16; 3]> = moved.iter().map(|&i| normalised(deltas[i].0, 32767.0)).collect();
        let end = |pick: fn(i16, i16) -> i16| -> [i16; 3] {
            [0, 1, 2].map(|i| shift.iter().map(|v| v[i]).fold(0, pick))
        };
        let (least, most) = (end(i16::min), end(i16::max));
        let form = json!({"componentType": I16.as_gl_enum(), "type": "VEC3", "min": least, "max": most});
        let bytes: Vec<u8> = shift.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        let position = self.sparse(n, moved.len(), at, bytes, form);
        let bytes: Vec<u8> =
            moved.iter().flat_map(|&i| normalised(deltas[i].1, 127.0).map(|v| v as u8)).collect();
        let normal =
            self.sparse(n, moved.len(), at, bytes, json!({"componentType": I8.as_gl_enum(), "type": "VEC3"}));
        json!({"POSITION": position, "NORMAL": normal})
    }

    fn primitive(&mut self, piece: &Piece, material: usize, targets: usize) -> Value {
        let vertices = &piece.vertices;
        let pos = triples(vertices.iter().map(|v| v.pos));
        let position = self.positions(&pos);
        // Vertex attributes are aligned to four bytes.
        let normals: Vec<u8> = vertices
            .iter()
            .flat_map(|v| {
                let [x, y, z] = normalised(v.normal, 127.0).map(|c| c as u8);
                [x, y, z, 0]
            })
            .collect();
        let view = self.document.add_view(normals, Some(4), Some(34962), None);
        let normals = Written::new(view, I8, Kind::Vec3, vertices.len());
        let normal = self.document.add_accessor(&Written { normalized: true, ..normals });
        let uv: Vec<u8> = vertices
            .iter()
            .flat_map(|v| [v.uv.x, v.uv.y])
            .flat_map(|c| ((c.clamp(0.0, 1.0) * 65535.0).round() as u16).to_le_bytes())
            .collect();
        let uv = self.normalized(uv, U16, Kind::Vec2);
        let joints = vertices.iter().flat_map(|v| v.skin.joints).collect();
        let joints = self.attribute(joints, U8, Kind::Vec4);
        let weights = vertices.iter().flat_map(|v| v.skin.weights).collect();
        let weights = self.normalized(weights, U8, Kind::Vec4);
        let indices = piece.tris.iter().flatten().flat_map(|&i| (i as u16).to_le_bytes()).collect();
        let indices = self.document.add_elements(indices, Some(34963), U16, Kind::Scalar);
        let targets: Vec<Value> = (0..targets)
            .map(|t| self.target(&vertices.iter().map(|v| v.deltas[t]).collect::<Vec<_>>()))
            .collect();
        json!({
            "attributes": {
                "POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv,
                "JOINTS_0": joints, "WEIGHTS_0": weights,
            },
            "indices": indices, "material": material, "targets": targets,
        })
    }

    /// Adds an accessor of times, or finds an equal one.
    fn times(&mut self, times: &[f64]) -> usize {
        let times: Vec<f32> = times.iter().map(|&t| snap(t)).collect();
        if let Some((_, a)) = self.inputs.iter().find(|(known, _)| *known == times) {
            return *a;
        }
        let offset: usize = self.inputs.iter().map(|(known, _)| 4 * known.len()).sum();
        let mut accessor = json!({
            "componentType": F32.as_gl_enum(), "count": times.len(), "type": "SCALAR",
            "min": [number(times[0])], "max": [number(times[times.len() - 1])],
        });
        if offset > 0 {
            accessor["byteOffset"] = json!(offset);
        }
        let a = self.accessor(accessor);
        self.inputs.push((times, a));
        a
    }

    /// Adds the view of all times.
    fn add_times(&mut self) {
        let inputs = std::mem::take(&mut self.inputs);
        let view = self.view(floats(inputs.iter().flat_map(|(times, _)| times.iter().copied())));
        inputs.iter().for_each(|&(_, a)| self.set(a, [("bufferView", json!(view))]));
    }

    fn animation(&mut self, track: &Track, tolerances: &[(f64, f64)], mesh: usize) -> Value {
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        // All keys of a clip are in one view.
        let mut bytes: Vec<u8> = Vec::new();
        let mut outputs = Vec::new();
        for (joint, channel) in reduced(track, tolerances) {
            let (path, kind, component) = match &channel.keys {
                Keys::Rotation(_) => ("rotation", "VEC4", I16),
                Keys::Translation(_) => ("translation", "VEC3", F32),
                Keys::Scale(_) => ("scale", "VEC3", F32),
            };
            let mut accessor = json!({
                "componentType": component.as_gl_enum(), "count": channel.times.len(), "type": kind,
            });
            if !bytes.is_empty() {
                accessor["byteOffset"] = json!(bytes.len());
            }
            if component == I16 {
                accessor["normalized"] = json!(true);
            }
            match &channel.keys {
                Keys::Rotation(keys) => {
                    let components = keys.iter().flat_map(|q| q.to_array());
                    bytes.extend(components.flat_map(|c| ((c * 32767.0).round() as i16).to_le_bytes()));
                }
                Keys::Translation(keys) | Keys::Scale(keys) => {
                    bytes.extend(floats(keys.iter().flat_map(|v| v.to_array()).map(snap)));
                }
            }
            outputs.push((joint, path, accessor, self.times(&channel.times)));
        }
        let view = self.view(bytes);
        for (joint, path, mut accessor, input) in outputs {
            accessor["bufferView"] = json!(view);
            let output = self.accessor(accessor);
            channels.push(json!({"sampler": samplers.len(), "target": {"node": joint, "path": path}}));
            samplers.push(json!({"input": input, "output": output}));
        }
        // The face: a few keys with flat tangents, which ease in and out.
        if !track.face.is_empty() {
            let input = self.times(&track.face.iter().map(|key| key.0).collect::<Vec<_>>());
            let mut keys = Vec::new();
            for (_, weights) in &track.face {
                let flat = std::iter::repeat_n(0.0, weights.len());
                keys.extend(flat.clone().chain(weights.iter().map(|&v| v as f32)).chain(flat));
            }
            let output = self.document.add_elements(floats(keys), None, F32, Kind::Scalar);
            channels.push(json!({"sampler": samplers.len(), "target": {"node": mesh, "path": "weights"}}));
            samplers.push(json!({"input": input, "output": output, "interpolation": "CUBICSPLINE"}));
        }
        let mut clip = json!({"name": track.name, "samplers": samplers, "channels": channels});
        if track.speed > 0.0 {
            clip["extras"]["speed"] = json!(track.speed);
        }
        if track.turn != 0.0 {
            clip["extras"]["turn"] = json!(track.turn);
        }
        if !track.markers.is_empty() {
            let marker = |&(time, name): &(f64, &str)| json!({"name": name, "time": time});
            clip["extras"]["markers"] = track.markers.iter().map(marker).collect();
        }
        clip
    }
}

/// A matte material with the image.
pub(crate) fn material(name: &str, roughness: f64) -> Value {
    json!({
        "name": name,
        "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": roughness,
        },
    })
}

/// The contents of a character's file.
pub(crate) struct Design {
    pub(crate) name: &'static str,
    pub(crate) joints: &'static [Joint],
    pub(crate) sockets: &'static [Socket],
    /// The joints that stand on the ground.
    pub(crate) feet: &'static [usize],
    /// The names of the morph targets.
    pub(crate) targets: &'static [&'static str],
    /// One for each piece of the model.
    pub(crate) materials: Vec<Value>,
    pub(crate) model: Model,
    pub(crate) tracks: Vec<Track>,
}

impl Design {
    /// The node of the mesh: after the joints and the sockets.
    fn mesh_node(&self) -> usize {
        self.joints.len() + self.sockets.len()
    }

    fn nodes(&self) -> Vec<Value> {
        let count = self.joints.len();
        let translation = |t: DVec3| json!(t.to_array().map(|x| number(snap(x))));
        let mut nodes: Vec<Value> = (0..count)
            .map(|j| {
                let t = local(self.joints, j);
                let mut node = json!({"name": self.joints[j].name});
                if t != DVec3::ZERO {
                    node["translation"] = translation(t);
                }
                let mut children: Vec<usize> = (1..count).filter(|&c| self.joints[c].parent == j).collect();
                children.extend(
                    (0..self.sockets.len()).filter(|&s| self.sockets[s].joint == j).map(|s| count + s),
                );
                if !children.is_empty() {
                    node["children"] = json!(children);
                }
                node
            })
            .collect();
        for socket in self.sockets {
            let t = translation(socket.at - self.joints[socket.joint].at);
            nodes.push(json!({"name": socket.name, "translation": t, "extras": {"socket": true}}));
        }
        nodes.push(json!({"name": self.name, "mesh": 0, "skin": 0}));
        nodes
    }

    /// Writes the whole file.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut w = Writer::default();
        let primitives: Vec<Value> = self
            .model
            .pieces
            .iter()
            .enumerate()
            .map(|(material, piece)| w.primitive(piece, material, self.targets.len()))
            .collect();
        let inverse: Vec<f32> = self
            .joints
            .iter()
            .flat_map(|j| {
                let p = [-snap(j.at.x), -snap(j.at.y), -snap(j.at.z)].map(|x| x + 0.0);
                [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, p[0], p[1], p[2], 1.0]
            })
            .collect();
        let inverse = w.document.add_elements(floats(inverse), None, F32, Kind::Mat4);
        let exact = tolerances(self.joints, self.feet);
        let animations: Vec<Value> =
            self.tracks.iter().map(|track| w.animation(track, &exact, self.mesh_node())).collect();
        w.add_times();
        let image = w.view(self.model.image.clone());
        let mut document = w.document;
        document.json = json!({
            "asset": {"version": "2.0", "generator": "gambol-sample"},
            "extensionsUsed": ["KHR_mesh_quantization"],
            "extensionsRequired": ["KHR_mesh_quantization"],
            "scene": 0,
            "scenes": [{"name": self.name, "nodes": [0, self.mesh_node()]}],
            "nodes": self.nodes(),
            "meshes": [{
                "name": self.name,
                "primitives": primitives,
                "weights": vec![0; self.targets.len()],
                "extras": {"targetNames": self.targets},
            }],
            "skins": [{
                "name": self.name, "skeleton": 0, "joints": (0..self.joints.len()).collect::<Vec<_>>(),
                "inverseBindMatrices": inverse,
            }],
            "materials": &self.materials,
            "textures": [{"sampler": 0, "source": 0}],
            "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}],
            "images": [{"name": self.name, "mimeType": "image/png", "bufferView": image}],
            "animations": animations,
            "bufferViews": document.json["bufferViews"].take(),
            "accessors": document.json["accessors"].take(),
        });
        document.to_glb().expect("a small file")
    }
}
