//! Bodies with known proportions, rest poses, axes and units, and a clip of each that walks on planted feet along a
//! curve. They share nothing with the code under test but the model's types.

use super::world::world;
use gambol::model::{
    Channel, Clip, Curve, HumanBone, Interpolation, Model, Node, NodeId, Path, Skin, Transform,
};
use glam::{DAffine3, DMat3, DQuat, DVec3, Mat4, Quat, Vec3};
use std::collections::BTreeMap;

/// The bones of arms and legs, and the bones that they lead to.
pub(crate) const LIMBS: [(HumanBone, HumanBone); 8] = [
    (HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg),
    (HumanBone::LeftLowerLeg, HumanBone::LeftFoot),
    (HumanBone::RightUpperLeg, HumanBone::RightLowerLeg),
    (HumanBone::RightLowerLeg, HumanBone::RightFoot),
    (HumanBone::LeftUpperArm, HumanBone::LeftLowerArm),
    (HumanBone::LeftLowerArm, HumanBone::LeftHand),
    (HumanBone::RightUpperArm, HumanBone::RightLowerArm),
    (HumanBone::RightLowerArm, HumanBone::RightHand),
];

/// A body to generate. Lengths are in metres.
#[derive(Clone)]
pub(crate) struct Spec {
    /// The name of a bone's node.
    pub(crate) name: fn(&str) -> String,
    pub(crate) thigh: f64,
    pub(crate) shank: f64,
    pub(crate) ankle: f64,
    /// Half the distance of the hip joints.
    pub(crate) hip: f64,
    /// The height of the hips' node above the hip joints.
    pub(crate) hips: f64,
    /// The number of joints of the spine, and the length of all.
    pub(crate) spine: usize,
    pub(crate) torso: f64,
    /// Upper and lower arm.
    pub(crate) arm: [f64; 2],
    /// The angle of the arms below the horizontal, in degrees: T-pose 0, I-pose 90.
    pub(crate) down: f64,
    /// The angle of the legs outwards, in degrees.
    pub(crate) spread: f64,
    pub(crate) fingers: bool,
    pub(crate) neck: bool,
    /// The length of a unit of the joints, in metres; the topmost node has this scale.
    pub(crate) unit: f64,
    /// The axes of the model that are left, up and forward.
    pub(crate) axes: DMat3,
    pub(crate) roll: Roll,
    /// `true` if a node above the hips has the way over the ground.
    pub(crate) root_motion: bool,
    /// `true` if upper arms have twist joints.
    pub(crate) twists: bool,
}

/// The orientation of joints at rest.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Roll {
    /// The axes of the model.
    None,
    /// Y along the bone, turned about it by an angle that differs between bones.
    Along,
    /// X along the bone, mirrored on the right.
    Mirrored,
}

pub(crate) struct Body {
    pub(crate) label: String,
    pub(crate) model: Model,
    pub(crate) axes: DMat3,
    pub(crate) nodes: BTreeMap<HumanBone, NodeId>,
}

/// The measures of a body at rest.
pub(crate) struct Measure {
    pub(crate) rest: Vec<DAffine3>,
    pub(crate) leg: f64,
    /// The heights of the middle of the hip joints, and of the ankles.
    pub(crate) middle: DVec3,
    pub(crate) ankles: f64,
    pub(crate) height: f64,
}

impl Body {
    pub(crate) fn measure(&self) -> Measure {
        let rest = world(&self.model, None, 0.0);
        let at = |bone: HumanBone| rest[self.nodes[&bone].index()].translation;
        let leg = |upper, lower, foot| (at(upper) - at(lower)).length() + (at(lower) - at(foot)).length();
        let left = leg(HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, HumanBone::LeftFoot);
        let right = leg(HumanBone::RightUpperLeg, HumanBone::RightLowerLeg, HumanBone::RightFoot);
        let ankles = ((at(HumanBone::LeftFoot) + at(HumanBone::RightFoot)) / 2.0).dot(self.up());
        let height = at(HumanBone::Head).dot(self.up()) - ankles;
        Measure { leg: (left + right) / 2.0, middle: self.middle(&rest), ankles, height, rest }
    }

    pub(crate) fn up(&self) -> DVec3 {
        self.axes.y_axis
    }

    pub(crate) fn middle(&self, world: &[DAffine3]) -> DVec3 {
        let at = |bone: HumanBone| world[self.nodes[&bone].index()].translation;
        (at(HumanBone::LeftUpperLeg) + at(HumanBone::RightUpperLeg)) / 2.0
    }
}

struct Joint {
    label: String,
    parent: Option<usize>,
    /// At rest, in the body's axes: X left, Y up, Z forward.
    at: DVec3,
    /// The direction of its bone at rest, and in the T-pose.
    rest: DVec3,
    straight: DVec3,
}

fn degrees(angle: f64) -> f64 {
    angle.to_radians()
}

fn joints(spec: &Spec) -> Vec<Joint> {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |label: &str, parent: Option<usize>, at: DVec3| {
        joints.push(Joint { label: label.to_owned(), parent, at, rest: DVec3::Y, straight: DVec3::Y });
        joints.len() - 1
    };
    let leg_height = (spec.thigh + spec.shank) * degrees(spec.spread).cos() + spec.ankle;
    let hips = add("hips", None, DVec3::new(0.0, leg_height + spec.hips, 0.0));
    let mut top = hips;
    for i in 0..spec.spine {
        let up = spec.torso * (i as f64 + 0.3) / spec.spine as f64;
        // The spine is not straight.
        let back = if i % 2 == 1 { -0.01 } else { 0.0 };
        top = add(&format!("spine{i}"), Some(top), DVec3::new(0.0, leg_height + spec.hips + up, back));
    }
    let chest = leg_height + spec.hips + spec.torso;
    let neck = if spec.neck { add("neck", Some(top), DVec3::new(0.0, chest, 0.0)) } else { top };
    add("head", Some(neck), DVec3::new(0.0, chest + 0.2 * spec.torso, 0.01));
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let leg = DVec3::new(x * degrees(spec.spread).sin(), -degrees(spec.spread).cos(), 0.0);
        let hip = DVec3::new(x * spec.hip, leg_height, 0.0);
        let upper = add(&format!("{side}UpperLeg"), Some(hips), hip);
        let lower = add(&format!("{side}LowerLeg"), Some(upper), hip + leg * spec.thigh);
        let ankle = hip + leg * (spec.thigh + spec.shank);
        let foot = add(&format!("{side}Foot"), Some(lower), ankle);
        add(
            &format!("{side}Toes"),
            Some(foot),
            ankle + DVec3::new(0.01 * x, -0.7 * spec.ankle, 0.15 * spec.shank / 0.4),
        );

        let shoulder = DVec3::new(x * 0.05 * spec.torso, chest - 0.1 * spec.torso, 0.0);
        let arm = DVec3::new(x * degrees(spec.down).cos(), -degrees(spec.down).sin(), 0.0);
        let first = DVec3::new(x * 0.35 * spec.torso, chest - 0.08 * spec.torso, 0.0);
        let collar = add(&format!("{side}Shoulder"), Some(top), shoulder);
        let upper = add(&format!("{side}UpperArm"), Some(collar), first);
        let elbow = first + arm * spec.arm[0];
        if spec.twists {
            add(&format!("{side}UpperArmTwist"), Some(upper), first + arm * (0.5 * spec.arm[0]));
        }
        let lower = add(&format!("{side}LowerArm"), Some(upper), elbow);
        let wrist = elbow + arm * spec.arm[1];
        let hand = add(&format!("{side}Hand"), Some(lower), wrist);
        if spec.fingers {
            for (finger, z) in
                [("Thumb", 0.04), ("Index", 0.02), ("Middle", 0.0), ("Ring", -0.02), ("Little", -0.04)]
            {
                let mut parent = hand;
                let names = if finger == "Thumb" {
                    ["Metacarpal", "Proximal", "Distal"]
                } else {
                    ["Proximal", "Intermediate", "Distal"]
                };
                for (i, joint) in names.into_iter().enumerate() {
                    let at = wrist + arm * (0.08 + 0.03 * i as f64) + DVec3::new(0.0, 0.0, z);
                    parent = add(&format!("{side}{finger}{joint}"), Some(parent), at);
                }
            }
        }
    }
    for i in 0..joints.len() {
        let prefix = |child: &&Joint| child.parent == Some(i) && !child.label.ends_with("Twist");
        let child = joints.iter().filter(prefix).max_by_key(|child| {
            // Hands point along their middle fingers, the chest to the neck.
            (child.label.contains("Middle") || child.label == "neck" || child.label.starts_with("spine"))
                as u8
        });
        let label = joints[i].label.clone();
        let x = if label.starts_with("right") { -1.0 } else { 1.0 };
        let own = joints[i].at;
        let parent = joints[i].parent;
        let mut rest = child.map(|child| (child.at - own).normalize());
        if rest.is_none() {
            rest = parent.map(|parent| joints[parent].rest);
        }
        let mut rest = rest.unwrap_or(DVec3::Y);
        if label == "head" || label == "hips" {
            rest = DVec3::Y;
        }
        if label.ends_with("Toes") {
            rest = DVec3::Z;
        }
        let limb = ["UpperLeg", "LowerLeg"].iter().any(|part| label.ends_with(part));
        let arm = ["Arm", "Hand", "Proximal", "Intermediate", "Distal", "Metacarpal", "Twist"]
            .iter()
            .any(|part| label.ends_with(part));
        joints[i].rest = rest;
        joints[i].straight = if limb {
            DVec3::NEG_Y
        } else if arm {
            // The rest pose without its angle.
            DQuat::from_rotation_z(x * degrees(spec.down)) * rest
        } else {
            rest
        };
    }
    joints
}

/// The rotation at rest, in the body's axes.
fn orientation(roll: Roll, joint: &Joint, i: usize) -> DQuat {
    let d = joint.rest;
    match roll {
        Roll::None => DQuat::IDENTITY,
        Roll::Along => DQuat::from_rotation_arc(DVec3::Y, d) * DQuat::from_rotation_y(0.7 * i as f64),
        Roll::Mirrored => {
            let along = if joint.label.starts_with("right") { -d } else { d };
            DQuat::from_rotation_arc(DVec3::X, along) * DQuat::from_rotation_x(-1.1)
        }
    }
}

/// The duration of the clip, and the number of its intervals.
const SECONDS: f64 = 2.0;
const STEPS: usize = 60;

/// The pose of the walk at a time: the rotation of each bone from its T-pose, in the body's axes, and the middle of the
/// hip joints.
struct Walk {
    turns: BTreeMap<String, DQuat>,
    middle: DVec3,
    heading: DQuat,
}

/// The path over the ground: a circle; position and heading after a way.
fn path(way: f64, size: f64) -> (DVec3, DQuat) {
    let radius = 2.5 * size;
    let angle = way / radius;
    let at = DVec3::new(radius * (1.0 - angle.cos()), 0.0, radius * angle.sin());
    (at, DQuat::from_rotation_y(angle))
}

fn walk(spec: &Spec, time: f64) -> Walk {
    let leg = spec.thigh + spec.shank;
    let stride = 0.55 * leg;
    // Half a second for a step of one foot, which is planted for 60 % of its cycle of one second.
    let way = 2.0 * stride * time;
    let (at, heading) = path(way, leg);
    let bob = 0.012 * leg * (4.0 * std::f64::consts::PI * time).sin();
    let sway = heading * DVec3::X * (0.02 * leg * (2.0 * std::f64::consts::PI * time).sin());
    let middle = at + sway + DVec3::Y * (spec.ankle + 0.93 * leg + bob);
    let mut turns = BTreeMap::new();
    let wave = |rate: f64, shift: f64| (2.0 * std::f64::consts::PI * (rate * time + shift)).sin();
    let pelvis = heading * DQuat::from_rotation_y(0.08 * wave(1.0, 0.0)) * DQuat::from_rotation_x(0.05);
    turns.insert("hips".to_owned(), pelvis);
    let chest = heading
        * DQuat::from_rotation_y(-0.15 * wave(1.0, 0.0))
        * DQuat::from_rotation_x(0.12 + 0.03 * wave(2.0, 0.1));
    for i in 0..spec.spine {
        let up = (i + 1) as f64 / spec.spine as f64;
        turns.insert(format!("spine{i}"), pelvis.slerp(chest, up));
    }
    turns.insert("neck".to_owned(), heading * DQuat::from_rotation_x(0.05));
    turns.insert("head".to_owned(), heading * DQuat::from_rotation_y(0.4 * wave(0.5, 0.0)));
    for (side, x, shift) in [("left", 1.0, 0.0), ("right", -1.0, 0.5)] {
        let mut set = |part: &str, turn: DQuat| turns.insert(format!("{side}{part}"), turn);
        // The ankle: planted at the path beside the body's place in the middle of the stance.
        let cycle = (time + shift + 0.2).floor();
        let phase = time + shift + 0.2 - cycle;
        let plant = |cycle: f64| {
            let middle_of_stance = cycle - shift - 0.2 + 0.3;
            let (at, heading) = path(2.0 * stride * middle_of_stance, leg);
            (at + heading * DVec3::X * (x * 0.8 * spec.hip) + DVec3::Y * spec.ankle, heading)
        };
        let (here, facing) = plant(cycle);
        let (next, facing_next) = plant(cycle + 1.0);
        let (ankle, foot) = if phase < 0.6 {
            (here, facing)
        } else {
            let u = (phase - 0.6) / 0.4;
            let smooth = u * u * (3.0 - 2.0 * u);
            let lift = DVec3::Y * (0.15 * leg * (std::f64::consts::PI * u).sin());
            let pitch = DQuat::from_rotation_x(0.5 * (std::f64::consts::PI * u).sin());
            (here + (next - here) * smooth + lift, facing.slerp(facing_next, smooth) * pitch)
        };
        let hip = middle + pelvis * DVec3::new(x * spec.hip, 0.0, 0.0);
        let to = ankle - hip;
        let reach = to.length().min(leg * 0.9999);
        let toward = to.normalize();
        let forward = heading * DVec3::Z;
        let bend = (forward - toward * forward.dot(toward)).normalize();
        let cos = (spec.thigh.powi(2) + reach * reach - spec.shank.powi(2)) / (2.0 * spec.thigh * reach);
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let thigh = toward * cos + bend * sin;
        let shank = (hip + toward * reach - (hip + thigh * spec.thigh)).normalize();
        let lateral = heading * DVec3::X;
        let frame = |d: DVec3| {
            let side = (lateral - d * lateral.dot(d)).normalize();
            DQuat::from_mat3(&DMat3::from_cols(side, -d, side.cross(-d)))
        };
        set("UpperLeg", frame(thigh));
        set("LowerLeg", frame(shank));
        set("Foot", foot);
        set("Toes", foot);
        // Arms hang and swing, with bent elbows and turning wrists.
        let hang = DQuat::from_rotation_z(-x * 1.2);
        let swing = chest * DQuat::from_rotation_x(-0.5 * wave(1.0, shift));
        set("Shoulder", chest * DQuat::from_rotation_z(-x * 0.1));
        set("UpperArm", swing * hang);
        set("UpperArmTwist", swing * hang);
        let elbow = swing * DQuat::from_rotation_x(-0.4 - 0.2 * wave(1.0, shift)) * hang;
        set("LowerArm", elbow);
        let hand =
            elbow * DQuat::from_rotation_x(x * 0.3 * wave(0.5, 0.2)) * DQuat::from_rotation_z(-x * 0.2);
        set("Hand", hand);
        for (f, finger) in ["Thumb", "Index", "Middle", "Ring", "Little"].into_iter().enumerate() {
            for (j, joint) in ["Metacarpal", "Proximal", "Intermediate", "Distal"].into_iter().enumerate() {
                let curl = (0.1 + 0.05 * f as f64) * (1.0 + j as f64) * (1.2 + wave(1.0, 0.1 * f as f64));
                set(&format!("{finger}{joint}"), hand * DQuat::from_rotation_z(-x * curl));
            }
        }
    }
    Walk { turns, middle, heading }
}

fn quat(q: DQuat) -> Quat {
    q.normalize().as_quat()
}

/// Builds the body with its clip.
pub(crate) fn body(label: &str, spec: &Spec) -> Body {
    let joints = joints(spec);
    let axes = DQuat::from_mat3(&spec.axes);
    let world: Vec<DQuat> =
        joints.iter().enumerate().map(|(i, joint)| axes * orientation(spec.roll, joint, i)).collect();
    let mut model = Model::default();
    let unit = spec.unit as f32;
    // The topmost node has the unit, and perhaps a rotation of its own.
    let tilt =
        if spec.root_motion { DQuat::IDENTITY } else { DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2) };
    model.nodes.push(Node {
        name: "Armature".to_owned(),
        rest: Transform { scale: Vec3::splat(unit), rotation: quat(tilt), ..Transform::IDENTITY },
        ..Node::default()
    });
    let mut above = 0;
    if spec.root_motion {
        let parent = Some(NodeId::new(0));
        model.nodes.push(Node { name: "root_node".to_owned(), parent, ..Node::default() });
        above = 1;
    }
    let first = model.nodes.len();
    let base = if above == 0 { tilt } else { DQuat::IDENTITY };
    for (i, joint) in joints.iter().enumerate() {
        let (parent, rotation, from) = match joint.parent {
            Some(parent) => (first + parent, world[parent], joints[parent].at),
            None => (above, base, DVec3::ZERO),
        };
        let offset = rotation.inverse() * (axes * (joint.at - from)) / spec.unit;
        let rest = Transform {
            translation: offset.as_vec3(),
            rotation: quat(rotation.inverse() * world[i]),
            scale: Vec3::ONE,
        };
        let parent = Some(NodeId::new(parent));
        model.nodes.push(Node { name: (spec.name)(&joint.label), parent, rest, ..Node::default() });
    }
    for (i, node) in model.nodes.iter_mut().enumerate() {
        node.source = i as u32;
    }
    model.node_of_source = (0..model.nodes.len()).map(NodeId::new).collect();
    let skin = (first..model.nodes.len()).map(NodeId::new).collect::<Vec<_>>();
    model.skins =
        vec![Skin { inverse_bind: vec![Mat4::IDENTITY; skin.len()], joints: skin, ..Skin::default() }];
    model.clips = vec![clip(spec, &joints, &world, axes, base, first, above).into()];
    let mut nodes = BTreeMap::new();
    for (i, joint) in joints.iter().enumerate() {
        if let Some(bone) = HumanBone::from_name(&joint.label) {
            nodes.insert(bone, NodeId::new(first + i));
        }
    }
    Body { label: label.to_owned(), model, axes: spec.axes, nodes }
}

fn clip(
    spec: &Spec,
    joints: &[Joint],
    world: &[DQuat],
    axes: DQuat,
    base: DQuat,
    first: usize,
    above: usize,
) -> Clip {
    let times: Vec<f32> = (0..=STEPS).map(|i| (SECONDS * i as f64 / STEPS as f64) as f32).collect();
    let mut rotations: Vec<Vec<f32>> = vec![Vec::new(); joints.len()];
    let (mut hips, mut root, mut root_turn) = (Vec::new(), Vec::new(), Vec::new());
    for &time in &times {
        let walk = walk(spec, time.into());
        let turned: Vec<DQuat> = joints
            .iter()
            .enumerate()
            .map(|(i, joint)| {
                let turn = walk.turns.get(&joint.label).copied().unwrap_or(DQuat::IDENTITY);
                let aligned = DQuat::from_rotation_arc(joint.rest, joint.straight);
                axes * (turn * aligned) * axes.inverse() * world[i]
            })
            .collect();
        let middle = walk.middle + walk.turns["hips"] * DVec3::Y * spec.hips;
        let (mut place, mut up) = (axes * middle / spec.unit, base);
        if spec.root_motion {
            let ground = axes * DVec3::new(walk.middle.x, 0.0, walk.middle.z) / spec.unit;
            let heading = axes * walk.heading * axes.inverse();
            root.extend(ground.as_vec3().to_array());
            root_turn.extend(quat(heading).to_array());
            place = heading.inverse() * (place - ground);
            up = heading;
        } else {
            place = up.inverse() * place;
        }
        hips.extend(place.as_vec3().to_array());
        for (i, joint) in joints.iter().enumerate() {
            let parent = joint.parent.map_or(up, |parent| turned[parent]);
            rotations[i].extend(quat(parent.inverse() * turned[i]).to_array());
        }
    }
    let mut clip = Clip { name: "walk".to_owned(), duration: SECONDS as f32, ..Clip::default() };
    let mut put = |node: usize, path: Path, width: usize, values: Vec<f32>| {
        let curve = Curve::new(Interpolation::Linear, width, times.clone(), values).expect("a good curve");
        clip.channels.push(Channel { node: NodeId::new(node), path, curve: clip.curves.len() });
        clip.curves.push(curve);
    };
    for (i, values) in rotations.into_iter().enumerate() {
        put(first + i, Path::Rotation, 4, values);
    }
    put(first, Path::Translation, 3, hips);
    if spec.root_motion {
        put(above, Path::Translation, 3, root);
        put(above, Path::Rotation, 4, root_turn);
    }
    clip
}

fn capitalised(label: &str) -> String {
    label[..1].to_uppercase() + &label[1..]
}

/// Mixamo: a T-pose in metres, Y up, facing +Z.
pub(crate) fn mixamo() -> Spec {
    fn name(label: &str) -> String {
        let (side, part) = split(label);
        let finger = |part: &str| {
            ["Thumb", "Index", "Middle", "Ring", "Little"].iter().find_map(|finger| {
                let joint = part.strip_prefix(finger)?;
                let joints = if *finger == "Thumb" {
                    ["Metacarpal", "Proximal", "Distal"]
                } else {
                    ["Proximal", "Intermediate", "Distal"]
                };
                let at = joints.iter().position(|name| *name == joint)?;
                let finger = if *finger == "Little" { "Pinky" } else { finger };
                Some(format!("Hand{finger}{}", at + 1))
            })
        };
        let part = match part {
            "hips" => "Hips".to_owned(),
            "spine0" => "Spine".to_owned(),
            "spine1" => "Spine1".to_owned(),
            "spine2" => "Spine2".to_owned(),
            "neck" | "head" => capitalised(part),
            "UpperLeg" => "UpLeg".to_owned(),
            "LowerLeg" => "Leg".to_owned(),
            "Toes" => "ToeBase".to_owned(),
            "UpperArm" => "Arm".to_owned(),
            "LowerArm" => "ForeArm".to_owned(),
            part => finger(part).unwrap_or_else(|| part.to_owned()),
        };
        format!("mixamorig:{}{part}", capitalised_or_empty(side))
    }
    Spec {
        name,
        thigh: 0.44,
        shank: 0.42,
        ankle: 0.09,
        hip: 0.09,
        hips: 0.05,
        spine: 3,
        torso: 0.48,
        arm: [0.28, 0.26],
        down: 0.0,
        spread: 0.0,
        fingers: true,
        neck: true,
        unit: 1.0,
        axes: DMat3::IDENTITY,
        roll: Roll::Along,
        root_motion: false,
        twists: false,
    }
}

/// Unreal's mannequin: an A-pose in centimetres, Z up, facing −Y, with five joints of the spine and root motion.
pub(crate) fn unreal() -> Spec {
    fn name(label: &str) -> String {
        let (side, part) = split(label);
        let side = side.get(..1).unwrap_or_default();
        if let Some(i) = part.strip_prefix("spine") {
            return format!("spine_0{}", i.parse::<usize>().map_or(0, |i| i + 1));
        }
        for (finger, own) in [
            ("Thumb", "thumb"),
            ("Index", "index"),
            ("Middle", "middle"),
            ("Ring", "ring"),
            ("Little", "pinky"),
        ] {
            if let Some(joint) = part.strip_prefix(finger) {
                let number = match joint {
                    "Metacarpal" => 1,
                    "Proximal" => {
                        if finger == "Thumb" {
                            2
                        } else {
                            1
                        }
                    }
                    "Intermediate" => 2,
                    _ => 3,
                };
                return format!("{own}_0{number}_{side}");
            }
        }
        let part = match part {
            "hips" => return "pelvis".to_owned(),
            "neck" => return "neck_01".to_owned(),
            "head" => return "head".to_owned(),
            "UpperLeg" => "thigh",
            "LowerLeg" => "calf",
            "Foot" => "foot",
            "Toes" => "ball",
            "Shoulder" => "clavicle",
            "UpperArm" => "upperarm",
            "UpperArmTwist" => "upperarm_twist_01",
            "LowerArm" => "lowerarm",
            _ => "hand",
        };
        format!("{part}_{side}")
    }
    Spec {
        name,
        thigh: 0.47,
        shank: 0.49,
        ankle: 0.1,
        hip: 0.12,
        hips: 0.02,
        spine: 5,
        torso: 0.55,
        arm: [0.33, 0.29],
        down: 50.0,
        spread: 6.0,
        fingers: true,
        neck: true,
        unit: 0.01,
        axes: DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y),
        roll: Roll::Mirrored,
        root_motion: true,
        twists: true,
    }
}

/// A child in the manner of 3ds Max: an I-pose in units of 100 metres, Y up, facing −Z, with other proportions.
pub(crate) fn biped() -> Spec {
    fn name(label: &str) -> String {
        let (side, part) = split(label);
        let side = side.get(..1).map(str::to_uppercase).unwrap_or_default();
        if let Some(i) = part.strip_prefix("spine") {
            return if i == "0" { "Bip01 Spine".to_owned() } else { format!("Bip01 Spine{i}") };
        }
        let part = match part {
            "hips" => return "Bip01 Pelvis".to_owned(),
            "neck" => return "Bip01 Neck".to_owned(),
            "head" => return "Bip01 Head".to_owned(),
            "UpperLeg" => "Thigh",
            "LowerLeg" => "Calf",
            "Toes" => "Toe0",
            "Shoulder" => "Clavicle",
            "LowerArm" => "Forearm",
            part => part,
        };
        format!("Bip01 {side} {part}")
    }
    Spec {
        name,
        thigh: 0.2,
        shank: 0.19,
        ankle: 0.045,
        hip: 0.07,
        hips: 0.01,
        spine: 2,
        torso: 0.3,
        arm: [0.13, 0.14],
        down: 82.0,
        spread: 2.0,
        fingers: false,
        neck: true,
        unit: 100.0,
        axes: DMat3::from_cols(DVec3::NEG_X, DVec3::Y, DVec3::NEG_Z),
        roll: Roll::None,
        root_motion: false,
        twists: false,
    }
}

/// The side of a label and the rest: `leftUpperArm`.
fn split(label: &str) -> (&str, &str) {
    for side in ["left", "right"] {
        if let Some(part) = label.strip_prefix(side) {
            return (side, part);
        }
    }
    ("", label)
}

fn capitalised_or_empty(side: &str) -> String {
    if side.is_empty() { String::new() } else { capitalised(side) }
}
