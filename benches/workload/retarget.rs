//! Retargeting a long clip: 65 bones, 1,000 keys.

use gambol::animation::retarget::{Mode, Options, retarget};
use gambol::model::{Channel, Clip, Curve, Interpolation, Model, Node, NodeId, Path, Transform};
use glam::{Quat, Vec3};

const KEYS: usize = 1000;

/// Two bodies of Mixamo's 65 joints; one has a clip.
pub(crate) struct Retargeting {
    source: Model,
    target: Model,
}

impl Retargeting {
    /// Two bodies with other proportions and other axes of joints.
    pub(crate) fn new() -> Self {
        let mut source = body(1.0, 0.3);
        let times: Vec<f32> = (0..KEYS).map(|key| key as f32 / 30.0).collect();
        let mut clip = Clip { duration: times[KEYS - 1], ..Clip::default() };
        let mut put = |node: usize, path: Path, width: usize, values: Vec<f32>| {
            let curve = Curve::new(Interpolation::Linear, width, times.clone(), values);
            clip.channels.push(Channel { node: NodeId::new(node), path, curve: clip.curves.len() });
            clip.curves.push(curve.expect("times rise and values are finite"));
        };
        for i in 0..source.nodes.len() {
            let rest = source.nodes[i].rest.rotation;
            let turn = |key: usize| rest * Quat::from_rotation_x(0.3 * (key as f32 * 0.1 + i as f32).sin());
            put(i, Path::Rotation, 4, (0..KEYS).flat_map(|key| turn(key).to_array()).collect());
        }
        let way = |key: usize| [0.0, 1.0 + 0.02 * (key as f32 * 0.2).sin(), key as f32 * 0.03];
        put(0, Path::Translation, 3, (0..KEYS).flat_map(way).collect());
        source.clips.push(clip.into());
        Self { source, target: body(0.8, 1.1) }
    }

    /// Finds the bones and retargets the clip; returns the number of channels.
    pub(crate) fn run(&self) -> usize {
        let mode = Mode::Map { source: Vec::new(), target: Vec::new() };
        let made = retarget(&self.source, None, &self.target, &Options { mode, ..Options::default() });
        made.map_or(0, |made| made.clips.iter().map(|clip| clip.channels.len()).sum())
    }
}

/// A T-pose; each joint is turned about its bone by a multiple of `roll`.
fn body(size: f32, roll: f32) -> Model {
    let mut model = Model::default();
    let mut worlds: Vec<(Vec3, Quat)> = Vec::new();
    let mut add = |name: String, parent: Option<usize>, at: Vec3| {
        let i = model.nodes.len();
        let world = Quat::from_rotation_y(roll * i as f32);
        let (from, above) = parent.map_or((Vec3::ZERO, Quat::IDENTITY), |parent| worlds[parent]);
        let rest = Transform {
            translation: above.inverse() * (at * size - from),
            rotation: above.inverse() * world,
            ..Transform::IDENTITY
        };
        let parent = parent.map(NodeId::new);
        model.nodes.push(Node { name, source: i as u32, parent, rest, ..Node::default() });
        worlds.push((at * size, world));
        i
    };
    let mut top = add("Hips".into(), None, Vec3::new(0.0, 1.0, 0.0));
    let hips = top;
    for (i, name) in ["Spine", "Spine1", "Spine2"].into_iter().enumerate() {
        top = add(name.into(), Some(top), Vec3::new(0.0, 1.1 + 0.12 * i as f32, 0.0));
    }
    let neck = add("Neck".into(), Some(top), Vec3::new(0.0, 1.5, 0.0));
    let head = add("Head".into(), Some(neck), Vec3::new(0.0, 1.6, 0.0));
    add("HeadTop_End".into(), Some(head), Vec3::new(0.0, 1.8, 0.0));
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let mut arm = top;
        for (name, along) in [("Shoulder", 0.05), ("Arm", 0.18), ("ForeArm", 0.45), ("Hand", 0.7)] {
            arm = add(format!("{side}{name}"), Some(arm), Vec3::new(x * along, 1.45, 0.0));
        }
        for (f, finger) in ["Thumb", "Index", "Middle", "Ring", "Pinky"].into_iter().enumerate() {
            let mut joint = arm;
            for i in 1..=4 {
                let at = Vec3::new(x * (0.75 + 0.03 * i as f32), 1.45, 0.04 - 0.02 * f as f32);
                joint = add(format!("{side}Hand{finger}{i}"), Some(joint), at);
            }
        }
        let mut leg = hips;
        for (name, height, forward) in [
            ("UpLeg", 0.95, 0.0),
            ("Leg", 0.5, 0.01),
            ("Foot", 0.1, 0.0),
            ("ToeBase", 0.02, 0.12),
            ("Toe_End", 0.02, 0.2),
        ] {
            leg = add(format!("{side}{name}"), Some(leg), Vec3::new(x * 0.1, height, forward));
        }
    }
    model.node_of_source = (0..model.nodes.len()).map(NodeId::new).collect();
    model
}
