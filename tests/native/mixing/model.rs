//! Random characters, and their poses in f64 with independent arithmetic.

use crate::common::random::Random;
use gambol::animation::Pose;
use gambol::model::{
    Channel, Clip, Curve, Interpolation, Material, MaterialId, MaterialProperty, Mesh, MeshId, Model, Node,
    NodeId, Path, Primitive, Property, PropertyChannel, Transform,
};
use glam::{Quat, Vec3};

impl Random {
    /// A unit quaternion with an angle of at most about `spread` radians.
    fn turn(&mut self, spread: f64) -> Quat {
        let part = |random: &mut Self| random.around(0.0, 0.5 * spread);
        Quat::from_xyzw(part(self), part(self), part(self), 1.0).normalize()
    }
}

/// The number of morph weights of the last node.
pub(crate) const TARGETS: usize = 6;

/// The movement of the clips of [`model`].
pub(crate) struct Motion {
    /// The probability that a channel exists.
    pub(crate) channels: f64,
    /// The distance of keys from the channel's own value, in radians.
    pub(crate) spread: f64,
    /// `true` if the keys are on a wave with equal ends, as in real clips; otherwise they are random.
    pub(crate) smooth: bool,
    /// The number of keys of a curve.
    pub(crate) keys: usize,
    /// The approximate number of keys per second.
    pub(crate) rate: f32,
}

/// A model with `nodes` nodes, and four clips. The clips animate some of the nodes, morph weights, the visibility of
/// node 0 and the colour of a material.
pub(crate) fn model(random: &mut Random, nodes: usize, motion: &Motion) -> Model {
    let mut model = Model {
        materials: vec![Material::default()],
        meshes: vec![Mesh { primitives: vec![Primitive::default()], ..Mesh::default() }],
        ..Model::default()
    };
    for i in 0..nodes {
        let rest = Transform {
            translation: Vec3::from_array([(); 3].map(|()| random.around(0.0, 1.0))),
            rotation: random.turn(3.0),
            scale: Vec3::from_array([(); 3].map(|()| random.around(1.0, 0.4))),
        };
        let parent = (i > 0).then(|| NodeId::new(random.below(i)));
        model.nodes.push(Node {
            rest,
            parent,
            source: i as u32,
            name: format!("node {i}"),
            ..Node::default()
        });
    }
    model.nodes[nodes - 1].mesh = Some(MeshId::new(0));
    model.nodes[nodes - 1].weights = vec![0.25; TARGETS];
    model.node_of_source = (0..nodes).map(NodeId::new).collect();
    for _ in 0..4 {
        let clip = clip(random, &model, motion);
        model.clips.push(clip.into());
    }
    model
}

/// Creates the values of a key.
type Key = Box<dyn FnMut(&mut Random) -> Vec<f32>>;

fn clip(random: &mut Random, model: &Model, motion: &Motion) -> Clip {
    let duration = (motion.keys - 1) as f32 / motion.rate * random.around(1.0, 0.3);
    let times: Vec<f32> =
        (0..motion.keys).map(|key| duration * key as f32 / (motion.keys - 1) as f32).collect();
    let mut clip = Clip { duration, ..Clip::default() };
    let mut curve = |random: &mut Random, width: usize, mut key: Key, step: bool| {
        let mut values: Vec<f32> = (0..motion.keys).flat_map(|_| key(random)).collect();
        if motion.smooth && !step {
            let (phase, waves) = (random.unit(), 1 + random.below(2));
            let ends = values[..2 * width].to_vec();
            for (k, values) in values.chunks_exact_mut(width).enumerate() {
                let turn = phase + (waves * k) as f64 / (motion.keys - 1) as f64;
                let part = 0.5 - 0.5 * (std::f64::consts::TAU * turn).cos() as f32;
                for (i, value) in values.iter_mut().enumerate() {
                    *value = ends[i] + (ends[width + i] - ends[i]) * part;
                }
                // A rotation must be normalised; for a colour it does not matter.
                if width == 4 {
                    let length = values.iter().map(|x| x * x).sum::<f32>().sqrt();
                    values.iter_mut().for_each(|x| *x /= length);
                }
            }
        }
        let interpolation = if step { Interpolation::Step } else { Interpolation::Linear };
        clip.curves.push(Curve::new(interpolation, width, times.clone(), values).expect("a good curve"));
        clip.curves.len() - 1
    };
    let spread = motion.spread;
    for (i, node) in model.nodes.iter().enumerate() {
        for path in [Path::Translation, Path::Rotation, Path::Scale] {
            if !random.chance(motion.channels) {
                continue;
            }
            let rest = node.rest;
            // Half of the rotations have the opposite sign, which must have no effect.
            let side = if random.chance(0.5) { 1.0 } else { -1.0 };
            let index = match path {
                Path::Rotation => curve(
                    random,
                    4,
                    Box::new(move |random| (rest.rotation * random.turn(spread) * side).to_array().to_vec()),
                    false,
                ),
                Path::Translation => curve(
                    random,
                    3,
                    Box::new(move |random| {
                        rest.translation
                            .to_array()
                            .map(|x| random.around(f64::from(x), 0.3 * spread))
                            .to_vec()
                    }),
                    false,
                ),
                _ => curve(
                    random,
                    3,
                    Box::new(move |random| [(); 3].map(|()| random.around(1.0, 0.2 * spread)).to_vec()),
                    false,
                ),
            };
            clip.channels.push(Channel { node: NodeId::new(i), path, curve: index });
        }
    }
    let last = NodeId::new(model.nodes.len() - 1);
    let floats =
        |count: usize| -> Key { Box::new(move |random| (0..count).map(|_| random.unit() as f32).collect()) };
    if random.chance(motion.channels) {
        let index = curve(random, TARGETS, floats(TARGETS), false);
        clip.channels.push(Channel { node: last, path: Path::Weights, curve: index });
    } else if random.chance(motion.channels) {
        let index = curve(random, 1, floats(1), false);
        clip.properties.push(PropertyChannel { property: Property::Weight(last, 2), curve: index });
    }
    if random.chance(motion.channels) {
        let index = curve(random, 4, floats(4), false);
        let property = Property::Material(MaterialId::new(0), MaterialProperty::BaseColor);
        clip.properties.push(PropertyChannel { property, curve: index });
    }
    if random.chance(motion.channels) {
        let yes_or_no = Box::new(|random: &mut Random| vec![f32::from(u8::from(random.chance(0.5)))]);
        let index = curve(random, 1, yes_or_no, true);
        clip.properties.push(PropertyChannel { property: Property::Visible(NodeId::new(0)), curve: index });
    }
    clip
}

/// A quaternion, X first.
pub(crate) type Q = [f64; 4];

/// The channels of a pose in f64.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exact {
    /// The translation and scale of each node.
    pub(crate) vectors: Vec<[[f64; 3]; 2]>,
    pub(crate) rotations: Vec<Q>,
    pub(crate) weights: Vec<f64>,
    pub(crate) properties: Vec<f64>,
}

impl Exact {
    pub(crate) fn of(pose: &Pose, nodes: usize) -> Self {
        let transforms: Vec<Transform> = (0..nodes).map(|i| pose.get(NodeId::new(i))).collect();
        let wide = |v: Vec3| v.to_array().map(f64::from);
        Self {
            vectors: transforms.iter().map(|t| [wide(t.translation), wide(t.scale)]).collect(),
            rotations: transforms.iter().map(|t| unit(t.rotation.to_array().map(f64::from))).collect(),
            weights: pose.weights.iter().copied().map(f64::from).collect(),
            properties: pose.properties.iter().copied().map(f64::from).collect(),
        }
    }

    /// The largest difference of any channel.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        let vectors = self.vectors.as_flattened().as_flattened().iter();
        let vectors = vectors.zip(other.vectors.as_flattened().as_flattened());
        let numbers = self.weights.iter().zip(&other.weights);
        let numbers = vectors.chain(numbers).chain(self.properties.iter().zip(&other.properties));
        let turns = self.rotations.iter().zip(&other.rotations).map(|(a, b)| angle(*a, *b));
        numbers.map(|(a, b)| (a - b).abs()).chain(turns).fold(0.0, f64::max)
    }
}

pub(crate) fn dot(a: Q, b: Q) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn scaled(a: Q, factor: f64) -> Q {
    a.map(|x| x * factor)
}

pub(crate) fn sum(a: Q, b: Q) -> Q {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(crate) fn unit(a: Q) -> Q {
    scaled(a, 1.0 / dot(a, a).sqrt())
}

pub(crate) fn conjugate([x, y, z, w]: Q) -> Q {
    [-x, -y, -z, w]
}

pub(crate) fn product([ax, ay, az, aw]: Q, [bx, by, bz, bw]: Q) -> Q {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The angle between two rotations, in radians.
pub(crate) fn angle(a: Q, b: Q) -> f64 {
    let [x, y, z, w] = product(conjugate(a), b);
    2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs())
}
