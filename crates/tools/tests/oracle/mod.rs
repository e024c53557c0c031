//! A second evaluation of glTF, in doubles: reads files by itself, samples clips, skins vertices. It shares with the code under
//! test only the decoder of meshopt streams, which has tests of its own against the specification.
//!
//! Conventions are those of `../shared/assets/README.md`. It expects valid files.

use base64::Engine;
use gambol::import::meshopt::{Filter, Layout, Mode, decode};
use gambol::import::{FolderResolver, NoResolver, Resolver};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

type Vec3 = [f64; 3];
/// Rows of a 3×4 matrix.
type Matrix = [[f64; 4]; 3];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// A file.
pub(crate) struct File {
    pub(crate) json: Value,
    buffers: Vec<Vec<u8>>,
    parts: Vec<Part>,
    parents: Vec<Option<usize>>,
    order: Vec<usize>,
}

/// Joint nodes, inverse bind matrices, and for each vertex its joints with their weights.
type Skin = (Vec<usize>, Vec<Matrix>, Vec<Vec<(usize, f64)>>);

/// The vertices of a primitive at a node.
struct Part {
    node: usize,
    positions: Vec<Vec3>,
    targets: Vec<Vec<Vec3>>,
    skin: Option<Skin>,
    instances: Vec<Matrix>,
    /// `true` for the vertices that are drawn.
    used: Vec<bool>,
}

/// The curve of one channel.
struct Curve {
    interpolation: String,
    times: Vec<f64>,
    values: Vec<f64>,
    width: usize,
}

/// A clip: its curves by node and path.
pub(crate) struct Clip {
    curves: BTreeMap<(usize, String), Curve>,
    pub(crate) times: Vec<f64>,
}

impl File {
    pub(crate) fn glb(bytes: &[u8]) -> Self {
        Self::read(bytes, &mut NoResolver)
    }

    pub(crate) fn at(path: &Path, bytes: &[u8]) -> Self {
        Self::read(bytes, &mut FolderResolver::new(path.parent().expect("a file has a folder")))
    }

    fn read(bytes: &[u8], resolver: &mut dyn Resolver) -> Self {
        let (text, chunk) = if bytes.starts_with(b"glTF") {
            let size =
                |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
            let end = 20 + size(12);
            (&bytes[20..end], bytes.get(end + 8..).unwrap_or_default())
        } else {
            (bytes, &[][..])
        };
        let json: Value = serde_json::from_slice(text).expect("JSON");
        let mut buffers = Vec::new();
        for buffer in list(&json, "buffers") {
            buffers.push(match buffer["uri"].as_str() {
                None => chunk.to_vec(),
                Some(uri) => match uri.strip_prefix("data:") {
                    Some(data) => {
                        let data = data.split_once("base64,").expect("base64").1;
                        base64::engine::general_purpose::STANDARD.decode(data).expect("base64")
                    }
                    None => resolver.read(uri).expect("the buffer is there"),
                },
            });
        }
        let mut file = Self { json, buffers, parts: Vec::new(), parents: Vec::new(), order: Vec::new() };
        file.hierarchy();
        file.meshes();
        file
    }

    fn nodes(&self) -> &[Value] {
        list(&self.json, "nodes")
    }

    fn hierarchy(&mut self) {
        let mut parents = vec![None; self.nodes().len()];
        for (i, node) in self.nodes().iter().enumerate() {
            for child in list(node, "children") {
                parents[number(child)] = Some(i);
            }
        }
        let roots: Vec<usize> = (0..parents.len()).filter(|&i| parents[i].is_none()).collect();
        let mut order = roots;
        let mut at = 0;
        while at < order.len() {
            let children: Vec<usize> =
                list(&self.nodes()[order[at]], "children").iter().map(number).collect();
            order.extend(children);
            at += 1;
        }
        self.parents = parents;
        self.order = order;
    }

    /// The nodes of the shown scene, parents first.
    fn shown(&self) -> Vec<usize> {
        let scenes = list(&self.json, "scenes");
        let scene = scenes.get(self.json["scene"].as_u64().unwrap_or(0) as usize);
        let Some(scene) = scene else { return self.order.clone() };
        let mut stack: Vec<usize> = list(scene, "nodes").iter().map(number).rev().collect();
        let mut shown = Vec::new();
        while let Some(node) = stack.pop() {
            shown.push(node);
            stack.extend(list(&self.nodes()[node], "children").iter().map(number).rev());
        }
        shown
    }

    fn meshes(&mut self) {
        let mut parts = Vec::new();
        for node in self.shown() {
            let json = &self.nodes()[node];
            let Some(mesh) = json["mesh"].as_u64() else { continue };
            for primitive in list(&self.json["meshes"][mesh as usize], "primitives") {
                let attributes = &primitive["attributes"];
                let Some(positions) = attributes["POSITION"].as_u64() else { continue };
                let positions = triples(&self.accessor(positions as usize));
                let target = |target: &Value| match target["POSITION"].as_u64() {
                    Some(index) => triples(&self.accessor(index as usize)),
                    None => vec![[0.0; 3]; positions.len()],
                };
                let targets = list(primitive, "targets").iter().map(target).collect();
                let skin = json["skin"].as_u64().filter(|_| attributes.get("JOINTS_0").is_some());
                let skin = skin.map(|skin| self.skin(skin as usize, attributes, positions.len()));
                let mut used = vec![primitive.get("indices").is_none(); positions.len()];
                if let Some(indices) = primitive["indices"].as_u64() {
                    self.accessor(indices as usize).iter().for_each(|&index| used[index as usize] = true);
                }
                parts.push(Part { node, positions, targets, skin, instances: self.instances(json), used });
            }
        }
        self.parts = parts;
    }

    fn instances(&self, node: &Value) -> Vec<Matrix> {
        let Some(attributes) = node.pointer("/extensions/EXT_mesh_gpu_instancing/attributes") else {
            return vec![IDENTITY];
        };
        let column = |name: &str| attributes[name].as_u64().map(|index| self.accessor(index as usize));
        let (t, r, s) = (column("TRANSLATION"), column("ROTATION"), column("SCALE"));
        let count = [
            t.as_ref().map(|t| t.len() / 3),
            r.as_ref().map(|r| r.len() / 4),
            s.as_ref().map(|s| s.len() / 3),
        ];
        let count = count.into_iter().flatten().next().unwrap_or(0);
        let part = |list: &Option<Vec<f64>>, i: usize, width: usize, default: &[f64]| {
            list.as_ref().map_or(default.to_vec(), |list| list[i * width..][..width].to_vec())
        };
        (0..count)
            .map(|i| {
                let rotation = part(&r, i, 4, &[0.0, 0.0, 0.0, 1.0]);
                matrix(&part(&t, i, 3, &[0.0; 3]), &unit(&rotation), &part(&s, i, 3, &[1.0; 3]))
            })
            .collect()
    }

    fn skin(&self, skin: usize, attributes: &Value, count: usize) -> Skin {
        let json = &self.json["skins"][skin];
        let joints: Vec<usize> = list(json, "joints").iter().map(number).collect();
        let bind = match json["inverseBindMatrices"].as_u64() {
            None => vec![IDENTITY; joints.len()],
            Some(index) => {
                let all = self.accessor(index as usize);
                // Columns first.
                let one =
                    |m: &[f64]| std::array::from_fn(|row| std::array::from_fn(|column| m[4 * column + row]));
                all.chunks_exact(16).map(one).collect()
            }
        };
        let mut influences = vec![Vec::new(); count];
        for set in 0.. {
            let Some(joints) = attributes[format!("JOINTS_{set}")].as_u64() else { break };
            let Some(weights) = attributes[format!("WEIGHTS_{set}")].as_u64() else { break };
            let (joints, weights) = (self.accessor(joints as usize), self.accessor(weights as usize));
            for (i, (joint, weight)) in joints.iter().zip(&weights).enumerate() {
                if *weight > 0.0 {
                    influences[i / 4].push((*joint as usize, *weight));
                }
            }
        }
        for influences in &mut influences {
            let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
            if sum == 0.0 {
                influences.push((0, 1.0));
            } else {
                influences.iter_mut().for_each(|(_, weight)| *weight /= sum);
            }
        }
        (joints, bind, influences)
    }

    fn view(&self, view: usize) -> Vec<u8> {
        let json = &self.json["bufferViews"][view];
        let range = |json: &Value| {
            let begin = json["byteOffset"].as_u64().unwrap_or(0) as usize;
            self.buffers[number(&json["buffer"])][begin..begin + number(&json["byteLength"])].to_vec()
        };
        for name in ["KHR_meshopt_compression", "EXT_meshopt_compression"] {
            let Some(extension) = json["extensions"].get(name) else { continue };
            let layout = Layout {
                mode: match extension["mode"].as_str() {
                    Some("ATTRIBUTES") => Mode::Attributes,
                    Some("TRIANGLES") => Mode::Triangles,
                    _ => Mode::Indices,
                },
                filter: match extension["filter"].as_str() {
                    Some("OCTAHEDRAL") => Filter::Octahedral,
                    Some("QUATERNION") => Filter::Quaternion,
                    Some("EXPONENTIAL") => Filter::Exponential,
                    Some("COLOR") => Filter::Color,
                    _ => Filter::None,
                },
                count: number(&extension["count"]),
                stride: number(&extension["byteStride"]),
            };
            return decode(layout, &range(extension)).expect("a valid stream");
        }
        range(json)
    }

    /// The numbers of an accessor.
    pub(crate) fn accessor(&self, index: usize) -> Vec<f64> {
        let json = &self.json["accessors"][index];
        let width = match json["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            Some("MAT4") => 16,
            other => panic!("an accessor of type {other:?}"),
        };
        let (component, count) = (number(&json["componentType"]), number(&json["count"]));
        let normalized = json["normalized"] == true;
        let size = match component {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let value = |bytes: &[u8]| match component {
            5120 => scaled(f64::from(bytes[0] as i8), 127.0, normalized),
            5121 => scaled(f64::from(bytes[0]), 255.0, normalized),
            5122 => scaled(f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0, normalized),
            5123 => scaled(f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0, normalized),
            5125 => f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            _ => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        };
        let mut out = vec![0.0; count * width];
        if let Some(view) = json["bufferView"].as_u64() {
            let bytes = self.view(view as usize);
            let stride = self.json["bufferViews"][view as usize]["byteStride"].as_u64();
            let stride = stride.map_or(size * width, |stride| stride as usize);
            let offset = json["byteOffset"].as_u64().unwrap_or(0) as usize;
            for (i, out) in out.iter_mut().enumerate() {
                *out = value(&bytes[offset + i / width * stride + i % width * size..]);
            }
        }
        if let Some(sparse) = json.get("sparse") {
            let part = |json: &Value| {
                self.view(number(&json["bufferView"]))[json["byteOffset"].as_u64().unwrap_or(0) as usize..]
                    .to_vec()
            };
            let (places, values) = (part(&sparse["indices"]), part(&sparse["values"]));
            let wide = match number(&sparse["indices"]["componentType"]) {
                5121 => 1,
                5123 => 2,
                _ => 4,
            };
            for i in 0..number(&sparse["count"]) {
                let place =
                    (0..wide).rev().fold(0usize, |sum, byte| sum << 8 | usize::from(places[i * wide + byte]));
                for c in 0..width {
                    out[place * width + c] = value(&values[(i * width + c) * size..]);
                }
            }
        }
        out
    }

    /// The clip of an animation.
    pub(crate) fn clip(&self, animation: usize) -> Clip {
        let json = &self.json["animations"][animation];
        let mut clip = Clip { curves: BTreeMap::new(), times: vec![0.0] };
        for channel in list(json, "channels") {
            let sampler = &json["samplers"][number(&channel["sampler"])];
            let times = self.accessor(number(&sampler["input"]));
            clip.times.extend(&times);
            let target = &channel["target"];
            let pointer = target.pointer("/extensions/KHR_animation_pointer/pointer").and_then(Value::as_str);
            let (node, path) = match (target["node"].as_u64(), pointer) {
                (Some(node), None) => (node as usize, target["path"].as_str().expect("a path").to_owned()),
                (_, Some(pointer)) => {
                    let parts: Vec<&str> = pointer.split('/').collect();
                    match parts[..] {
                        ["", "nodes", node, path @ ("translation" | "rotation" | "scale" | "weights")] => {
                            (node.parse().expect("an index"), path.to_owned())
                        }
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let values = self.accessor(number(&sampler["output"]));
            let interpolation = sampler["interpolation"].as_str().unwrap_or("LINEAR").to_owned();
            let parts = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
            let width = values.len() / times.len() / parts;
            clip.curves.insert((node, path), Curve { interpolation, times, values, width });
        }
        clip.times.sort_by(f64::total_cmp);
        clip.times.dedup();
        clip
    }

    /// The vertices of each part in the world, at a time of a clip.
    fn vertices(&self, clip: Option<(&Clip, f64)>) -> Vec<Vec<Vec3>> {
        let value = |node: usize, path: &str| {
            let curve =
                clip.and_then(|(clip, time)| Some((clip.curves.get(&(node, path.to_owned()))?, time)));
            curve.map(|(curve, time)| curve.at(time, path == "rotation"))
        };
        let mut worlds = vec![IDENTITY; self.nodes().len()];
        for &i in &self.order {
            let node = &self.nodes()[i];
            let part = |path: &str, default: &[f64]| {
                value(i, path).unwrap_or_else(|| node.get(path).map_or(default.to_vec(), numbers))
            };
            let animated = ["translation", "rotation", "scale"].iter().any(|path| value(i, path).is_some());
            let local = match node.get("matrix").filter(|_| !animated) {
                Some(matrix) => {
                    let m = numbers(matrix);
                    std::array::from_fn(|row| std::array::from_fn(|column| m[4 * column + row]))
                }
                None => {
                    let rotation = unit(&part("rotation", &[0.0, 0.0, 0.0, 1.0]));
                    matrix(&part("translation", &[0.0; 3]), &rotation, &part("scale", &[1.0; 3]))
                }
            };
            worlds[i] = self.parents[i].map_or(local, |parent| product(&worlds[parent], &local));
        }
        let mut all = Vec::new();
        for part in &self.parts {
            let mut out = Vec::new();
            let weights = value(part.node, "weights").unwrap_or_else(|| {
                let node = &self.nodes()[part.node];
                let mesh = &self.json["meshes"][number(&node["mesh"])];
                node.get("weights").or(mesh.get("weights")).map_or(vec![0.0; part.targets.len()], numbers)
            });
            let palette: Vec<Matrix> = part.skin.as_ref().map_or(Vec::new(), |(joints, bind, _)| {
                joints.iter().zip(bind).map(|(&joint, bind)| product(&worlds[joint], bind)).collect()
            });
            for (vertex, &position) in part.positions.iter().enumerate() {
                let mut position = position;
                for (target, weight) in part.targets.iter().zip(&weights) {
                    (0..3).for_each(|i| position[i] += weight * target[vertex][i]);
                }
                match &part.skin {
                    Some((_, _, influences)) => {
                        let mut sum = [0.0; 3];
                        for &(joint, weight) in &influences[vertex] {
                            let moved = transformed(&palette[joint], position);
                            (0..3).for_each(|i| sum[i] += weight * moved[i]);
                        }
                        out.push(sum);
                    }
                    None => out.extend(
                        part.instances
                            .iter()
                            .map(|instance| transformed(&worlds[part.node], transformed(instance, position))),
                    ),
                }
            }
            all.push(out);
        }
        all
    }

    /// For each vertex of a part that is drawn, the vertices of the same part of `other` that are at the same place at rest,
    /// up to `error`. The order of the vertices is no part of a mesh.
    fn candidates(&self, other: &Self, error: f64) -> Vec<Vec<Vec<usize>>> {
        let (here, there) = (self.vertices(None), other.vertices(None));
        assert_eq!(here.len(), there.len(), "the numbers of primitives that are drawn");
        let parts = self.parts.iter().zip(here).zip(there);
        let part = |((part, here), there): ((&Part, Vec<Vec3>), Vec<Vec3>)| {
            let mut order: Vec<usize> = (0..there.len()).collect();
            order.sort_by(|&a, &b| there[a][0].total_cmp(&there[b][0]));
            let each = here.len() / part.positions.len().max(1);
            let near = |(row, place): (usize, Vec3)| {
                if !part.used[row / each] {
                    return Vec::new();
                }
                let begin = order.partition_point(|&i| there[i][0] < place[0] - error);
                let around = order[begin..].iter().copied().take_while(|&i| there[i][0] <= place[0] + error);
                let found: Vec<usize> = around.filter(|&i| distance(there[i], place) <= error).collect();
                assert!(!found.is_empty(), "vertex {row} at {place:?} has no partner within {error:e}");
                found
            };
            here.into_iter().enumerate().map(near).collect()
        };
        parts.map(part).collect()
    }
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

impl Curve {
    fn at(&self, time: f64, rotation: bool) -> Vec<f64> {
        let cubic = self.interpolation == "CUBICSPLINE";
        let (row, middle) = if cubic { (3 * self.width, self.width) } else { (self.width, 0) };
        let value = |key: usize, part: usize| &self.values[key * row + part..][..self.width];
        let read = |key: usize| {
            let value = value(key, middle);
            if rotation { unit(value) } else { value.to_vec() }
        };
        let next = self.times.partition_point(|&t| t <= time);
        if next == 0 {
            return read(0);
        }
        if next == self.times.len() || self.interpolation == "STEP" {
            return read(next - 1);
        }
        let (a, b) = (next - 1, next);
        let length = self.times[b] - self.times[a];
        let t = (time - self.times[a]) / length;
        if cubic {
            let (t2, t3) = (t * t, t * t * t);
            let out: Vec<f64> = (0..self.width)
                .map(|i| {
                    (2.0 * t3 - 3.0 * t2 + 1.0) * read(a)[i]
                        + (t3 - 2.0 * t2 + t) * length * value(a, 2 * self.width)[i]
                        + (3.0 * t2 - 2.0 * t3) * read(b)[i]
                        + (t3 - t2) * length * value(b, 0)[i]
                })
                .collect();
            return if rotation { unit(&out) } else { out };
        }
        let (a, b) = (read(a), read(b));
        if !rotation {
            return a.iter().zip(&b).map(|(a, b)| a + (b - a) * t).collect();
        }
        let cosine: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let turn = if cosine < 0.0 { -1.0 } else { 1.0 };
        let angle = cosine.abs().min(1.0).acos();
        let (p, q) = match angle < 1e-7 {
            true => (1.0 - t, t),
            false => (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin()),
        };
        unit(&a.iter().zip(&b).map(|(a, b)| p * a + q * turn * b).collect::<Vec<_>>())
    }
}

/// The largest distance of the vertices of two files, over all clips. At rest, it must be at most `error`.
pub(crate) fn largest_distance(a: &File, b: &File, error: f64) -> f64 {
    let candidates = a.candidates(b, error);
    // For each vertex and candidate, the largest distance up to now.
    let mut worst: Vec<Vec<Vec<f64>>> =
        candidates.iter().map(|part| part.iter().map(|list| vec![0.0; list.len()]).collect()).collect();
    let mut compare = |x: Vec<Vec<Vec3>>, y: Vec<Vec<Vec3>>| {
        for (part, (worst, candidates)) in worst.iter_mut().zip(&candidates).enumerate() {
            for (vertex, (worst, candidates)) in worst.iter_mut().zip(candidates).enumerate() {
                for (worst, &other) in worst.iter_mut().zip(candidates) {
                    let found = distance(x[part][vertex], y[part][other]);
                    *worst = if found.is_nan() { f64::INFINITY } else { worst.max(found) };
                }
            }
        }
    };
    compare(a.vertices(None), b.vertices(None));
    let count = list(&a.json, "animations").len();
    assert_eq!(count, list(&b.json, "animations").len(), "the numbers of animations");
    for animation in 0..count {
        let (x, y) = (a.clip(animation), b.clip(animation));
        assert_eq!(x.times.last(), y.times.last(), "the duration of animation {animation}");
        let mut times = x.times.clone();
        times.extend(&y.times);
        times.sort_by(f64::total_cmp);
        times.dedup();
        let between = |t: &[f64]| [0.29, 0.5, 0.83].map(|p| t[0] + p * (t[1] - t[0]));
        let pairs: Vec<f64> = times.windows(2).flat_map(between).collect();
        times.extend(pairs);
        times.push(times.iter().copied().fold(0.0, f64::max) + 1.0);
        // Not more than some hundred times.
        let step = times.len().div_ceil(150);
        for &time in times.iter().step_by(step) {
            compare(a.vertices(Some((&x, time))), b.vertices(Some((&y, time))));
        }
    }
    let nearest = |list: &Vec<f64>| list.iter().copied().reduce(f64::min).unwrap_or(0.0);
    worst.iter().flatten().map(nearest).fold(0.0, f64::max)
}

fn list<'a>(json: &'a Value, name: &str) -> &'a [Value] {
    json[name].as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

fn scaled(value: f64, most: f64, normalized: bool) -> f64 {
    if normalized { (value / most).max(-1.0) } else { value }
}

fn triples(list: &[f64]) -> Vec<Vec3> {
    list.as_chunks::<3>().0.to_vec()
}

fn unit(rotation: &[f64]) -> Vec<f64> {
    let length = rotation.iter().map(|v| v * v).sum::<f64>().sqrt();
    rotation.iter().map(|v| v / length).collect()
}

fn matrix(t: &[f64], r: &[f64], s: &[f64]) -> Matrix {
    let [x, y, z, w] = [r[0], r[1], r[2], r[3]];
    let columns = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    std::array::from_fn(|row| {
        [columns[0][row] * s[0], columns[1][row] * s[1], columns[2][row] * s[2], t[row]]
    })
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let sum: f64 = (0..3).map(|k| a[row][k] * b[k][column]).sum();
            sum + if column == 3 { a[row][3] } else { 0.0 }
        })
    })
}

fn transformed(m: &Matrix, p: Vec3) -> Vec3 {
    std::array::from_fn(|row| m[row][0] * p[0] + m[row][1] * p[1] + m[row][2] * p[2] + m[row][3])
}
