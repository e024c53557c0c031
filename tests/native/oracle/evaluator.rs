//! Plays glTF in double precision by the formulas of the specification, without optimisation.
//!
//! It shares no code with the library: no import, no model, no animation. The specification leaves some cases open, for
//! which these conventions apply. Rotation keys and results are normalised. Joint weights are divided by their sum. Of
//! two equally long ways a rotation takes the one without a change of sign. Normals and tangents are normalised before
//! morph targets are added; colours are clamped after that.

use super::source::{Source, index, numbers_or};
use glam::{DMat3, DMat4, DQuat, DVec3};
use serde_json::Value;
use std::collections::BTreeMap;

/// The evaluator's data of a file.
pub(crate) struct Evaluator {
    nodes: Vec<Node>,
    /// Parents before children.
    order: Vec<usize>,
    pub(crate) clips: Vec<Vec<Channel>>,
    primitives: Vec<Primitive>,
    /// The other animated properties, by their JSON pointer, with their values at rest.
    others: BTreeMap<String, Vec<f64>>,
}

struct Node {
    parent: Option<usize>,
    local: Local,
    visible: bool,
    /// The mesh, if the node uses the mesh's own morph weights.
    weighted_by: Option<usize>,
}

#[derive(Clone)]
struct Local {
    matrix: Option<DMat4>,
    translation: Vec<f64>,
    rotation: Vec<f64>,
    scale: Vec<f64>,
    weights: Vec<f64>,
}

/// A channel and its sampler.
pub(crate) struct Channel {
    /// The JSON pointer of its target; a path of a node is converted to a pointer. Spec: KHR_animation_pointer.
    pub(crate) pointer: String,
    pub(crate) interpolation: String,
    pub(crate) times: Vec<f64>,
    values: Vec<f64>,
}

/// A primitive of a mesh in the shown scene.
struct Primitive {
    node: usize,
    index: usize,
    positions: Attribute,
    normals: Option<Attribute>,
    tangents: Option<Attribute>,
    /// Sets of texture coordinates up to the last that morph targets change.
    tex_coords: Vec<Plain>,
    /// Colours, if morph targets change them.
    colors: Option<Plain>,
    skin: Option<Skin>,
    /// The local matrices of the mesh's instances; spec: EXT_mesh_gpu_instancing.
    instances: Vec<DMat4>,
}

/// Vectors of the vertices, and their deltas for each morph target.
struct Attribute {
    base: Vec<DVec3>,
    targets: Vec<Vec<DVec3>>,
}

/// Numbers of the vertices, and their deltas for each morph target.
struct Plain {
    width: usize,
    base: Vec<f64>,
    targets: Vec<Vec<f64>>,
}

struct Skin {
    joints: Vec<usize>,
    inverse_binds: Vec<DMat4>,
    /// For each vertex the indices into `joints` and their weights, from all sets.
    influences: Vec<Vec<(usize, f64)>>,
}

/// The state of everything at one time.
pub(crate) struct State {
    /// The global matrix of each node.
    pub(crate) nodes: Vec<DMat4>,
    /// The morph weights of each node.
    pub(crate) weights: Vec<Vec<f64>>,
    /// For each node, `true` if it and all its ancestors are visible; spec: KHR_node_visibility.
    pub(crate) visible: Vec<bool>,
    /// The animated properties of materials, lights and cameras, by JSON pointer.
    pub(crate) others: BTreeMap<String, Vec<f64>>,
}

/// Vertices of a primitive in world space.
pub(crate) struct Vertices {
    pub(crate) node: usize,
    pub(crate) primitive: usize,
    pub(crate) positions: Vec<DVec3>,
    /// Empty if there are none.
    pub(crate) normals: Vec<Direction>,
    /// Empty if there are none.
    pub(crate) tangents: Vec<Direction>,
    /// The sets of texture coordinates up to the last that morph targets change.
    pub(crate) tex_coords: Vec<Vec<f64>>,
    /// Colours with alpha, if morph targets change them.
    pub(crate) colors: Vec<f64>,
}

/// A unit vector that was computed from other numbers.
pub(crate) struct Direction {
    pub(crate) unit: DVec3,
    /// The relative length before normalisation, from 0 to about 1: rounding errors are divided by it in `unit`.
    pub(crate) certainty: f64,
    /// `true` if the side is significant: the normal of flat geometry may have either sign.
    pub(crate) sided: bool,
}

impl Evaluator {
    /// Reads a GLB file.
    pub(crate) fn new(glb: &[u8]) -> Self {
        let source = Source::new(glb);
        let mut nodes: Vec<Node> = source
            .list("nodes")
            .iter()
            .map(|node| Node {
                parent: None,
                local: Local::new(&source, node),
                visible: node["extensions"]["KHR_node_visibility"]["visible"] != false,
                weighted_by: node["mesh"]
                    .as_u64()
                    .filter(|_| node["weights"].is_null())
                    .map(|mesh| mesh as usize),
            })
            .collect();
        for (parent, node) in source.list("nodes").iter().enumerate() {
            for child in node["children"].as_array().into_iter().flatten() {
                nodes[index(child)].parent = Some(parent);
            }
        }
        let roots = (0..nodes.len()).filter(|&node| nodes[node].parent.is_none());
        let order = reach(&source, roots.collect());
        let scene = source.json["scene"].as_u64().unwrap_or(0) as usize;
        let shown_roots = match source.list("scenes").get(scene) {
            Some(scene) => scene["nodes"].as_array().into_iter().flatten().map(index).collect(),
            None => order.iter().copied().filter(|&node| nodes[node].parent.is_none()).collect(),
        };
        let mut shown = reach(&source, shown_roots);
        shown.sort_unstable();
        let primitives = shown.into_iter().flat_map(|node| primitives(&source, node)).collect();
        let channel = |animation: &Value, channel: &Value| {
            let sampler = &animation["samplers"][index(&channel["sampler"])];
            let target = &channel["target"];
            let path = target["path"].as_str().expect("a path");
            let extension = &target["extensions"]["KHR_animation_pointer"]["pointer"];
            let mut channel = Channel {
                pointer: match extension.as_str() {
                    Some(pointer) if path == "pointer" => pointer.to_owned(),
                    _ => format!("/nodes/{}/{path}", index(&target["node"])),
                },
                interpolation: sampler["interpolation"].as_str().unwrap_or("LINEAR").to_owned(),
                times: source.numbers(&sampler["input"]),
                values: source.numbers(&sampler["output"]),
            };
            channel.normalize_rotations();
            channel
        };
        let clip = |animation: &Value| {
            let channels = animation["channels"].as_array().expect("channels");
            channels.iter().map(|json| channel(animation, json)).collect()
        };
        let clips: Vec<Vec<Channel>> = source.list("animations").iter().map(clip).collect();
        let pointers = clips.iter().flatten().map(|channel| channel.pointer.clone());
        let others =
            pointers.filter(|pointer| !pointer.starts_with("/nodes/") && !pointer.starts_with("/meshes/"));
        let others = others.map(|pointer| (pointer.clone(), source.pointed(&pointer))).collect();
        Self { nodes, order, clips, primitives, others }
    }

    /// The last key time of a clip.
    pub(crate) fn duration(&self, clip: usize) -> f64 {
        let ends = self.clips[clip].iter().map(|channel| channel.times[channel.times.len() - 1]);
        ends.fold(0.0, f64::max)
    }

    /// The state at a time of a clip, or at rest.
    pub(crate) fn state(&self, clip: Option<usize>, time: f64) -> State {
        let mut locals: Vec<Local> = self.nodes.iter().map(|node| node.local.clone()).collect();
        let mut visible: Vec<bool> = self.nodes.iter().map(|node| node.visible).collect();
        let mut others = self.others.clone();
        for channel in clip.map_or(&[][..], |clip| &self.clips[clip]) {
            let value = channel.at(time);
            let steps: Vec<&str> = channel.pointer.split('/').skip(1).collect();
            let at = |step: &str| step.parse::<usize>().expect("an index");
            match steps[..] {
                ["nodes", node, "translation"] => locals[at(node)].translation = value,
                ["nodes", node, "rotation"] => locals[at(node)].rotation = value,
                ["nodes", node, "scale"] => locals[at(node)].scale = value,
                ["nodes", node, "weights"] => locals[at(node)].weights = value,
                ["nodes", node, "weights", target] => locals[at(node)].weights[at(target)] = value[0],
                ["nodes", node, "extensions", "KHR_node_visibility", "visible"] => {
                    visible[at(node)] = value[0] != 0.0
                }
                ["meshes", mesh, "weights", ref target @ ..] => {
                    for (node, local) in self.nodes.iter().zip(&mut locals) {
                        if node.weighted_by == Some(at(mesh)) {
                            match target {
                                [] => local.weights.clone_from(&value),
                                [target, ..] => local.weights[at(target)] = value[0],
                            }
                        }
                    }
                }
                _ => *others.get_mut(&channel.pointer).expect("collected before") = value,
            }
        }
        let mut nodes = vec![DMat4::IDENTITY; locals.len()];
        for &node in &self.order {
            let local = locals[node].to_matrix();
            nodes[node] = self.nodes[node].parent.map_or(local, |parent| nodes[parent] * local);
            visible[node] &= self.nodes[node].parent.is_none_or(|parent| visible[parent]);
        }
        State { nodes, weights: locals.into_iter().map(|local| local.weights).collect(), visible, others }
    }

    /// Every `step`-th vertex of all shown primitives, by node, primitive and instance.
    pub(crate) fn vertices(&self, state: &State, step: usize) -> Vec<Vertices> {
        let of = |(primitive, instance): (&Primitive, &DMat4)| {
            let joints = primitive.skin.as_ref().map_or(Vec::new(), |skin| skin.joint_matrices(state));
            let weights = &state.weights[primitive.node];
            let mut vertices = Vertices {
                node: primitive.node,
                primitive: primitive.index,
                positions: Vec::new(),
                normals: Vec::new(),
                tangents: Vec::new(),
                tex_coords: vec![Vec::new(); primitive.tex_coords.len()],
                colors: Vec::new(),
            };
            for vertex in (0..primitive.positions.base.len()).step_by(step) {
                let matrix = primitive.matrix(vertex, state, &joints, instance);
                vertices
                    .positions
                    .push(matrix.transform_point3(primitive.positions.morphed(vertex, weights)));
                let linear = DMat3::from_mat4(matrix);
                if let Some(normals) = &primitive.normals {
                    vertices.normals.push(normal(linear, normals.morphed(vertex, weights)));
                }
                if let Some(tangents) = &primitive.tangents {
                    vertices.tangents.push(tangent(linear, tangents.morphed(vertex, weights)));
                }
                for (out, set) in vertices.tex_coords.iter_mut().zip(&primitive.tex_coords) {
                    out.extend(set.morphed(vertex, weights));
                }
                if let Some(colors) = &primitive.colors {
                    let color = colors.morphed(vertex, weights);
                    vertices.colors.extend(color.map(|value| value.clamp(0.0, 1.0)));
                }
            }
            vertices
        };
        let each = |primitive: &'_ Primitive| primitive.instances.len();
        let instances = self
            .primitives
            .iter()
            .flat_map(|primitive| (0..each(primitive)).map(move |i| (primitive, &primitive.instances[i])));
        instances.map(of).collect()
    }
}

/// The nodes below `roots` and these, parents before children.
fn reach(source: &Source, mut roots: Vec<usize>) -> Vec<usize> {
    let mut next = 0;
    while let Some(&node) = roots.get(next) {
        roots.extend(source.list("nodes")[node]["children"].as_array().into_iter().flatten().map(index));
        next += 1;
    }
    roots
}

impl Local {
    fn new(source: &Source, node: &Value) -> Self {
        let mesh = node["mesh"].as_u64().map(|mesh| &source.list("meshes")[mesh as usize]);
        let targets = mesh.and_then(|mesh| mesh["primitives"][0]["targets"].as_array()).map_or(0, Vec::len);
        let of_mesh =
            mesh.map_or(vec![0.0; targets], |mesh| numbers_or(&mesh["weights"], &vec![0.0; targets]));
        Self {
            matrix: node["matrix"].is_array().then(|| matrix(&numbers_or(&node["matrix"], &[]))),
            translation: numbers_or(&node["translation"], &[0.0; 3]),
            rotation: numbers_or(&node["rotation"], &[0.0, 0.0, 0.0, 1.0]),
            scale: numbers_or(&node["scale"], &[1.0; 3]),
            weights: numbers_or(&node["weights"], &of_mesh),
        }
    }

    fn to_matrix(&self) -> DMat4 {
        self.matrix.unwrap_or_else(|| {
            let rotation = DQuat::from_slice(&self.rotation).normalize();
            let (scale, translation) = (DVec3::from_slice(&self.scale), DVec3::from_slice(&self.translation));
            DMat4::from_translation(translation) * DMat4::from_quat(rotation) * DMat4::from_scale(scale)
        })
    }
}

impl Channel {
    /// The number of components of a value.
    fn width(&self) -> usize {
        self.values.len() / self.times.len() / if self.interpolation == "CUBICSPLINE" { 3 } else { 1 }
    }

    /// A part of a key: for splines 0 is the in-tangent, 1 the value, 2 the out-tangent.
    fn part(&self, key: usize, part: usize) -> &[f64] {
        let width = self.width();
        let row = if self.interpolation == "CUBICSPLINE" { 3 * key + part } else { key };
        &self.values[row * width..][..width]
    }

    /// The value of a key.
    pub(crate) fn key(&self, key: usize) -> &[f64] {
        self.part(key, 1)
    }

    /// `true` if its values are quaternions; a texture's rotation is an angle.
    pub(crate) fn is_rotation(&self) -> bool {
        self.pointer.starts_with("/nodes/") && self.pointer.ends_with("/rotation")
    }

    fn normalize_rotations(&mut self) {
        if !self.is_rotation() {
            return;
        }
        let spline = self.interpolation == "CUBICSPLINE";
        for (i, row) in self.values.chunks_mut(4).enumerate() {
            if !spline || i % 3 == 1 {
                DQuat::from_slice(row).normalize().write_to_slice(row);
            }
        }
    }

    /// The index of the last key at or before a time; the first one before all keys.
    pub(crate) fn key_at(&self, time: f64) -> usize {
        self.times.iter().rposition(|&key| key <= time).unwrap_or(0)
    }

    /// The value at a time. Spec: Appendix C.
    fn at(&self, time: f64) -> Vec<f64> {
        let k = self.key_at(time);
        if time <= self.times[k] || k + 1 == self.times.len() || self.interpolation == "STEP" {
            return self.key(k).to_vec();
        }
        let distance = self.times[k + 1] - self.times[k];
        let t = (time - self.times[k]) / distance;
        let (from, to) = (self.key(k), self.key(k + 1));
        match (self.interpolation.as_str(), self.is_rotation()) {
            ("CUBICSPLINE", _) => {
                let (out, into) = (self.part(k, 2), self.part(k + 1, 0));
                let (t2, t3) = (t * t, t * t * t);
                let component = |i: usize| {
                    (2.0 * t3 - 3.0 * t2 + 1.0) * from[i]
                        + distance * (t3 - 2.0 * t2 + t) * out[i]
                        + (3.0 * t2 - 2.0 * t3) * to[i]
                        + distance * (t3 - t2) * into[i]
                };
                (0..self.width()).map(component).collect()
            }
            (_, true) => slerp(from, to, t),
            _ => from.iter().zip(to).map(|(from, to)| (1.0 - t) * from + t * to).collect(),
        }
    }
}

/// Spherical interpolation along the shorter way. Spec: Appendix C.4. The angle is computed from the chord, since the
/// arccosine of a number near 1 is inexact.
pub(crate) fn slerp(from: &[f64], to: &[f64], t: f64) -> Vec<f64> {
    let (from, mut to) = (DQuat::from_slice(from), DQuat::from_slice(to));
    if from.dot(to) < 0.0 {
        to = -to;
    }
    let angle = 2.0 * (from - to).length().atan2((from + to).length());
    let (a, b) = match angle.sin() {
        sine if sine > 1e-9 => (((1.0 - t) * angle).sin() / sine, (t * angle).sin() / sine),
        _ => (1.0 - t, t),
    };
    (from * a + to * b).to_array().to_vec()
}

fn matrix(numbers: &[f64]) -> DMat4 {
    DMat4::from_cols_array(numbers.try_into().expect("16 numbers"))
}

fn primitives(source: &Source, node: usize) -> Vec<Primitive> {
    let json = &source.list("nodes")[node];
    let Some(mesh) = json["mesh"].as_u64() else { return Vec::new() };
    let list = source.list("meshes")[mesh as usize]["primitives"].as_array().expect("primitives");
    let primitive = |(index, primitive): (usize, &Value)| {
        let attribute = |name: &str| Attribute::new(source, primitive, name);
        Primitive {
            node,
            index,
            positions: attribute("POSITION").expect("positions"),
            normals: attribute("NORMAL"),
            tangents: attribute("TANGENT"),
            tex_coords: Plain::tex_coords(source, primitive),
            colors: Plain::new(source, primitive, "COLOR_0").filter(|_| Plain::morphs(primitive, "COLOR_0")),
            instances: instances(source, &json["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]),
            skin: json["skin"]
                .as_u64()
                .map(|skin| Skin::new(source, skin as usize, &primitive["attributes"])),
        }
    };
    list.iter().enumerate().map(primitive).collect()
}

/// The local matrices of a node's mesh: the identity, or one for each instance.
fn instances(source: &Source, attributes: &Value) -> Vec<DMat4> {
    let rows = |name: &str, width: usize| -> Vec<Vec<f64>> {
        let numbers = attributes.get(name).map_or(Vec::new(), |accessor| source.numbers(accessor));
        numbers.chunks(width).map(<[f64]>::to_vec).collect()
    };
    let (moves, turns, scales) = (rows("TRANSLATION", 3), rows("ROTATION", 4), rows("SCALE", 3));
    let count = moves.len().max(turns.len()).max(scales.len());
    let instance = |i: usize| {
        let local = Local {
            matrix: None,
            translation: moves.get(i).cloned().unwrap_or(vec![0.0; 3]),
            rotation: turns.get(i).cloned().unwrap_or(vec![0.0, 0.0, 0.0, 1.0]),
            scale: scales.get(i).cloned().unwrap_or(vec![1.0; 3]),
            weights: Vec::new(),
        };
        local.to_matrix()
    };
    if count == 0 { vec![DMat4::IDENTITY] } else { (0..count).map(instance).collect() }
}

impl Plain {
    fn new(source: &Source, primitive: &Value, name: &str) -> Option<Self> {
        let accessor = primitive["attributes"].get(name)?;
        let three = source.json["accessors"][index(accessor)]["type"] == "VEC3";
        let width = if name.starts_with("TEXCOORD") { 2 } else { 4 };
        // Colours without alpha are opaque, and deltas do not change that.
        let read = |accessor: &Value, alpha: f64| -> Vec<f64> {
            let numbers = source.numbers(accessor);
            if three { numbers.chunks(3).flat_map(|c| [c[0], c[1], c[2], alpha]).collect() } else { numbers }
        };
        let base = read(accessor, 1.0);
        let target =
            |target: &Value| target.get(name).map_or(vec![0.0; base.len()], |accessor| read(accessor, 0.0));
        let targets = primitive["targets"].as_array().into_iter().flatten().map(target).collect();
        Some(Self { width, targets, base })
    }

    fn morphs(primitive: &Value, name: &str) -> bool {
        primitive["targets"].as_array().into_iter().flatten().any(|target| target.get(name).is_some())
    }

    fn tex_coords(source: &Source, primitive: &Value) -> Vec<Self> {
        let name = |set: usize| format!("TEXCOORD_{set}");
        let count = (0..9).rev().find(|&set| Self::morphs(primitive, &name(set))).map_or(0, |set| set + 1);
        (0..count)
            .map(|set| Self::new(source, primitive, &name(set)).expect("what morphs is there"))
            .collect()
    }

    fn morphed<'a>(&'a self, vertex: usize, weights: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        (vertex * self.width..(vertex + 1) * self.width).map(move |at| {
            let added = self.targets.iter().zip(weights).map(|(target, weight)| weight * target[at]);
            self.base[at] + added.sum::<f64>()
        })
    }
}

impl Attribute {
    fn new(source: &Source, primitive: &Value, name: &str) -> Option<Self> {
        let vectors = |accessor: &Value, width: usize| -> Vec<DVec3> {
            source.numbers(accessor).chunks(width).map(DVec3::from_slice).collect()
        };
        let accessor = primitive["attributes"].get(name)?;
        // The fourth component of tangents is a sign, which has no deltas.
        let mut base = vectors(accessor, if name == "TANGENT" { 4 } else { 3 });
        if name != "POSITION" {
            base.iter_mut().for_each(|vector| *vector = vector.normalize());
        }
        let target = |target: &Value| match target.get(name) {
            Some(accessor) => vectors(accessor, 3),
            None => vec![DVec3::ZERO; base.len()],
        };
        let targets = primitive["targets"].as_array().into_iter().flatten().map(target).collect();
        Some(Self { targets, base })
    }

    /// The vector of a vertex plus the deltas of morph targets.
    fn morphed(&self, vertex: usize, weights: &[f64]) -> DVec3 {
        let added = self.targets.iter().zip(weights).map(|(target, &weight)| weight * target[vertex]);
        self.base[vertex] + added.sum::<DVec3>()
    }
}

/// A scale up to this is 0 within the rounding of f32, and determines no direction.
const NOTHING: f64 = 1e-5;

/// Transforms a normal by the inverse transpose, so that it stays perpendicular to the surface. Singular matrices
/// determine no normal.
fn normal(matrix: DMat3, normal: DVec3) -> Direction {
    let turned = matrix.inverse().transpose() * normal;
    let size = matrix.to_cols_array().iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    let remained = matrix.determinant().abs() * turned.length() / (size * size);
    let certain = turned.is_finite() && size > NOTHING;
    Direction {
        unit: turned.normalize_or_zero(),
        certainty: if certain { remained.min(1.0) } else { 0.0 },
        sided: matrix.determinant().abs() > 1e-6 * size.powi(3),
    }
}

/// Transforms a tangent by the matrix, so that it stays in the surface.
fn tangent(matrix: DMat3, tangent: DVec3) -> Direction {
    let turned = matrix * tangent;
    let size = matrix.to_cols_array().iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    let remained = if size > NOTHING { turned.length() / size } else { 0.0 };
    Direction { unit: turned.normalize_or_zero(), certainty: remained.min(1.0), sided: true }
}

impl Skin {
    fn new(source: &Source, skin: usize, attributes: &Value) -> Self {
        let skin = &source.list("skins")[skin];
        let joints: Vec<usize> = skin["joints"].as_array().expect("joints").iter().map(index).collect();
        let inverse_binds = match &skin["inverseBindMatrices"] {
            Value::Null => vec![DMat4::IDENTITY; joints.len()],
            accessor => source.numbers(accessor).chunks(16).map(matrix).collect(),
        };
        let mut influences: Vec<Vec<(usize, f64)>> = Vec::new();
        for set in 0.. {
            let accessor = &attributes[format!("JOINTS_{set}")];
            if accessor.is_null() {
                break;
            }
            let joints = source.numbers(accessor);
            let weights = source.numbers(&attributes[format!("WEIGHTS_{set}")]);
            influences.resize(joints.len() / 4, Vec::new());
            let fours = joints.chunks(4).zip(weights.chunks(4));
            for (influences, (joints, weights)) in influences.iter_mut().zip(fours) {
                let pairs = joints.iter().zip(weights);
                influences.extend(pairs.map(|(&joint, &weight)| (joint as usize, weight)));
            }
        }
        Self { joints, inverse_binds, influences }
    }

    fn joint_matrices(&self, state: &State) -> Vec<DMat4> {
        self.joints.iter().zip(&self.inverse_binds).map(|(&joint, bind)| state.nodes[joint] * *bind).collect()
    }
}

impl Primitive {
    /// The skinning matrix of a vertex, or the instance's matrix.
    fn matrix(&self, vertex: usize, state: &State, joints: &[DMat4], instance: &DMat4) -> DMat4 {
        let Some(skin) = &self.skin else { return state.nodes[self.node] * *instance };
        let influences = &skin.influences[vertex];
        let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
        let weighted = influences.iter().map(|&(joint, weight)| joints[joint] * (weight / sum));
        weighted.sum()
    }
}
