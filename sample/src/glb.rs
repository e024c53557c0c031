//! Writes a model and its clips as a binary glTF file.

use crate::face::TARGETS;
use crate::model::{Model, Piece, Vertex};
use crate::motion::Track;
use crate::skeleton::{COUNT, JOINTS, SOCKETS, local};
use glam::DVec3;
use serde_json::{Map, Value, json};

const F32: u32 = 5126;
const U8: u32 = 5121;
const U16: u32 = 5123;
const I16: u32 = 5122;

/// The growing binary chunk and the arrays of JSON that describe it.
#[derive(Default)]
struct Writer {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
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
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        let mut v = json!({"buffer": 0, "byteLength": bytes.len()});
        if !self.bin.is_empty() {
            v["byteOffset"] = json!(self.bin.len());
        }
        if let Some(t) = target {
            v["target"] = json!(t);
        }
        self.bin.extend_from_slice(bytes);
        self.views.push(v);
        self.views.len() - 1
    }

    fn accessor(&mut self, value: Value) -> usize {
        self.accessors.push(value);
        self.accessors.len() - 1
    }

    /// Adds an accessor that covers a whole view.
    fn plain(
        &mut self,
        bytes: &[u8],
        target: Option<u32>,
        component: u32,
        count: usize,
        kind: &str,
    ) -> usize {
        let view = self.view(bytes, target);
        self.accessor(json!({"bufferView": view, "componentType": component, "count": count, "type": kind}))
    }

    fn vec3(&mut self, values: &[[f32; 3]], with_bounds: bool) -> usize {
        let bytes = floats(values.iter().flatten().copied());
        let a = self.plain(&bytes, Some(34962), F32, values.len(), "VEC3");
        if with_bounds {
            let (lo, hi) = bounds(values);
            self.accessors[a]["min"] = lo;
            self.accessors[a]["max"] = hi;
        }
        a
    }

    /// Adds vectors that are mostly zero as a sparse accessor without a base view.
    fn sparse(&mut self, values: &[[f32; 3]], indices: &[usize], at: usize, with_bounds: bool) -> usize {
        let mut value = json!({"componentType": F32, "count": values.len(), "type": "VEC3"});
        if with_bounds {
            let (lo, hi) = bounds(values);
            value["min"] = lo;
            value["max"] = hi;
        }
        if !indices.is_empty() {
            let moved = floats(indices.iter().flat_map(|&i| values[i]));
            let moved = self.view(&moved, None);
            value["sparse"] = json!({
                "count": indices.len(),
                "indices": {"bufferView": at, "componentType": U16},
                "values": {"bufferView": moved},
            });
        }
        self.accessor(value)
    }

    fn primitive(&mut self, piece: &Piece, material: usize) -> Value {
        let vertices = &piece.vertices;
        let n = vertices.len();
        let pos = triples(vertices.iter().map(|v| v.pos));
        let position = self.vec3(&pos, true);
        // The rounding to single precision bends a normal by less than a thousandth of a degree; its length stays one.
        let normals: Vec<[f32; 3]> = vertices.iter().map(|v| v.normal.as_vec3().to_array()).collect();
        let normal = self.vec3(&normals, false);
        let uv: Vec<u8> = vertices
            .iter()
            .flat_map(|v| [v.uv.x, v.uv.y])
            .flat_map(|c| ((c.clamp(0.0, 1.0) * 65535.0).round() as u16).to_le_bytes())
            .collect();
        let uv = self.plain(&uv, Some(34962), U16, n, "VEC2");
        self.accessors[uv]["normalized"] = json!(true);
        let joints: Vec<u8> = vertices.iter().flat_map(|v| v.skin.joints).collect();
        let joints = self.plain(&joints, Some(34962), U8, n, "VEC4");
        let weights: Vec<u8> = vertices.iter().flat_map(|v| v.skin.weights).collect();
        let weights = self.plain(&weights, Some(34962), U8, n, "VEC4");
        self.accessors[weights]["normalized"] = json!(true);
        let indices: Vec<u8> = piece.tris.iter().flatten().flat_map(|&i| (i as u16).to_le_bytes()).collect();
        let indices = self.plain(&indices, Some(34963), U16, piece.tris.len() * 3, "SCALAR");
        let targets: Vec<Value> = (0..TARGETS.len())
            .map(|t| {
                let shift = triples(vertices.iter().map(|v: &Vertex| v.deltas[t].0));
                let bend: Vec<[f32; 3]> = vertices
                    .iter()
                    .map(|v| v.deltas[t].1.to_array().map(|x| ((x * 1e4).round() / 1e4) as f32 + 0.0))
                    .collect();
                let moved: Vec<usize> = (0..n)
                    .filter(|&i| {
                        shift[i].iter().any(|x| x.abs() > 4e-4) || bend[i].iter().any(|x| x.abs() > 0.03)
                    })
                    .collect();
                // Position and normal move together, so they share their list of vertices.
                let at: Vec<u8> = moved.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect();
                let at = self.view(&at, None);
                let mut kept = vec![[0.0; 3]; n];
                for &i in &moved {
                    kept[i] = shift[i];
                }
                let position = self.sparse(&kept, &moved, at, true);
                let mut kept = vec![[0.0; 3]; n];
                for &i in &moved {
                    kept[i] = bend[i];
                }
                let normal = self.sparse(&kept, &moved, at, false);
                json!({"POSITION": position, "NORMAL": normal})
            })
            .collect();
        json!({
            "attributes": {
                "POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv,
                "JOINTS_0": joints, "WEIGHTS_0": weights,
            },
            "indices": indices, "material": material, "targets": targets,
        })
    }

    fn animation(&mut self, track: &Track, times: &mut Map<String, Value>) -> Value {
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        let time = |w: &mut Writer, key: String, t: &[f64], times: &mut Map<String, Value>| {
            if let Some(a) = times.get(&key) {
                return a.clone();
            }
            let t: Vec<f32> = t.iter().map(|&t| snap(t)).collect();
            let a = w.plain(&floats(t.iter().copied()), None, F32, t.len(), "SCALAR");
            w.accessors[a]["min"] = json!([number(t[0])]);
            w.accessors[a]["max"] = json!([number(t[t.len() - 1])]);
            times.insert(key, json!(a));
            json!(a)
        };
        let shared = time(self, format!("{:?}", track.times), &track.times, times);
        // All keys of a clip are in one view.
        let mut bytes: Vec<u8> = Vec::new();
        let mut outputs: Vec<(usize, &str, usize, &str, u32)> = Vec::new();
        for j in 0..COUNT {
            if let Some(keys) = &track.rotations[j] {
                outputs.push((j, "rotation", bytes.len(), "VEC4", I16));
                for q in keys {
                    for c in [q.x, q.y, q.z, q.w] {
                        bytes.extend(((c * 32767.0).round() as i16).to_le_bytes());
                    }
                }
            }
            for (path, keys) in [("translation", &track.translations[j]), ("scale", &track.scales[j])] {
                if let Some(keys) = keys {
                    outputs.push((j, path, bytes.len(), "VEC3", F32));
                    bytes.extend(floats(keys.iter().flat_map(|v| [snap(v.x), snap(v.y), snap(v.z)])));
                }
            }
        }
        let view = self.view(&bytes, None);
        for (j, path, offset, kind, component) in outputs {
            let mut a = json!({
                "bufferView": view, "componentType": component, "count": track.times.len(), "type": kind,
            });
            if offset > 0 {
                a["byteOffset"] = json!(offset);
            }
            if component == I16 {
                a["normalized"] = json!(true);
            }
            let a = self.accessor(a);
            channels.push(json!({"sampler": samplers.len(), "target": {"node": j, "path": path}}));
            samplers.push(json!({"input": shared, "output": a}));
        }
        // The face: a few keys with flat tangents, which ease in and out.
        let key_times: Vec<f64> = track.face.iter().map(|k| k.0).collect();
        let input = time(self, format!("{key_times:?}"), &key_times, times);
        let mut keys = Vec::new();
        for (_, w) in &track.face {
            keys.extend([0.0; TARGETS.len()]);
            keys.extend(w.map(|v| v as f32));
            keys.extend([0.0; TARGETS.len()]);
        }
        let a = self.plain(&floats(keys.iter().copied()), None, F32, keys.len(), "SCALAR");
        channels.push(json!({"sampler": samplers.len(), "target": {"node": mesh_node(), "path": "weights"}}));
        samplers.push(json!({"input": input, "output": a, "interpolation": "CUBICSPLINE"}));
        let mut clip = json!({"name": track.name, "samplers": samplers, "channels": channels});
        if track.speed > 0.0 {
            clip["extras"]["speed"] = json!(track.speed);
        }
        if !track.markers.is_empty() {
            let marker = |&(time, name): &(f64, &str)| json!({"name": name, "time": time});
            clip["extras"]["markers"] = track.markers.iter().map(marker).collect();
        }
        clip
    }
}

/// The node of the mesh: after the joints and the sockets.
fn mesh_node() -> usize {
    COUNT + SOCKETS.len()
}

fn nodes() -> Vec<Value> {
    let mut nodes: Vec<Value> = (0..COUNT)
        .map(|j| {
            let t = local(j);
            let mut node = json!({"name": JOINTS[j].name});
            if t != DVec3::ZERO {
                node["translation"] = json!(t.to_array().map(|x| number(snap(x))));
            }
            let mut children: Vec<usize> =
                (1..COUNT).filter(|&c| JOINTS[c].parent as usize == j && c != j).collect();
            children.extend((0..SOCKETS.len()).filter(|&s| SOCKETS[s].1 as usize == j).map(|s| COUNT + s));
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        })
        .collect();
    for (name, joint, at) in SOCKETS {
        let t = at - JOINTS[joint as usize].at;
        nodes.push(json!({
            "name": name, "translation": t.to_array().map(|x| number(snap(x))), "extras": {"socket": true},
        }));
    }
    nodes.push(json!({"name": "Pip", "mesh": 0, "skin": 0}));
    nodes
}

/// Writes the whole file.
pub(crate) fn write(model: &Model, tracks: &[Track]) -> Vec<u8> {
    let mut w = Writer::default();
    let body = w.primitive(&model.body, 0);
    let face = w.primitive(&model.face, 1);
    let inverse: Vec<f32> = JOINTS
        .iter()
        .flat_map(|j| {
            let p = [-snap(j.at.x), -snap(j.at.y), -snap(j.at.z)].map(|x| x + 0.0);
            [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, p[0], p[1], p[2], 1.0]
        })
        .collect();
    let inverse = w.plain(&floats(inverse), None, F32, COUNT, "MAT4");
    let mut times = Map::new();
    let animations: Vec<Value> = tracks.iter().map(|t| w.animation(t, &mut times)).collect();
    let image = w.view(&model.image, None);
    let length = w.bin.len();
    let material = |name: &str, roughness: f64| {
        json!({
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": roughness,
            },
        })
    };
    let root = json!({
        "asset": {"version": "2.0", "generator": "gambol-sample"},
        "scene": 0,
        "scenes": [{"name": "Pip", "nodes": [0, mesh_node()]}],
        "nodes": nodes(),
        "meshes": [{
            "name": "Pip",
            "primitives": [body, face],
            "weights": vec![0; TARGETS.len()],
            "extras": {"targetNames": TARGETS},
        }],
        "skins": [{
            "name": "Pip", "skeleton": 0, "joints": (0..COUNT).collect::<Vec<_>>(),
            "inverseBindMatrices": inverse,
        }],
        "materials": [material("Fur", 0.85), material("Face", 0.22)],
        "textures": [{"sampler": 0, "source": 0}],
        "samplers": [{"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071}],
        "images": [{"name": "Pip", "mimeType": "image/png", "bufferView": image}],
        "animations": animations,
        "bufferViews": w.views,
        "accessors": w.accessors,
        "buffers": [{"byteLength": length}],
    });
    pack(&root, w.bin)
}

/// Joins the two chunks with their headers.
fn pack(root: &Value, mut bin: Vec<u8>) -> Vec<u8> {
    let mut text = root.to_string().into_bytes();
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    while !bin.len().is_multiple_of(4) {
        bin.push(0);
    }
    let total = 12 + 8 + text.len() + 8 + bin.len();
    let mut out = Vec::with_capacity(total);
    out.extend(b"glTF");
    out.extend(2u32.to_le_bytes());
    out.extend((total as u32).to_le_bytes());
    for (kind, bytes) in [(b"JSON", &text), (b"BIN\0", &bin)] {
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(bytes);
    }
    out
}
