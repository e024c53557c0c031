//! A generator of BVH files of bodies, with the place of each joint in each frame.

use std::fmt::Write as _;

use glam::{DQuat, DVec3, EulerRot};

use crate::conversion::Up;

/// A joint: name, parent, place relative to the parent in a T pose with Y up that looks along +Z, in centimetres. Joints
/// whose name begins with `End` are end sites.
pub(super) struct Bone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) offset: DVec3,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Human,
    /// The legs hang below a joint of their own, as in MikuMikuDance, and are not equally long.
    Split,
    /// The thighs hang below the spine, as in 3ds Max.
    Biped,
    Dog,
    /// Legs that point to the sides and back.
    Crab,
}

pub(super) const KINDS: [Kind; 5] = [Kind::Human, Kind::Split, Kind::Biped, Kind::Dog, Kind::Crab];

pub(super) fn bones(kind: Kind) -> Vec<Bone> {
    let mut bones: Vec<Bone> = Vec::new();
    let mut add = |name: &str, parent: &str, [x, y, z]: [f64; 3]| {
        let parent = bones.iter().position(|bone| bone.name == parent);
        bones.push(Bone { name: name.to_owned(), parent, offset: DVec3::new(x, y, z) });
    };
    add("Hips", "", [0.0; 3]);
    if kind == Kind::Dog {
        add("Spine", "Hips", [0.0, 2.0, 30.0]);
        add("Chest", "Spine", [0.0, 0.0, 30.0]);
        add("Neck", "Chest", [0.0, 10.0, 12.0]);
        add("Head", "Neck", [0.0, 14.0, 8.0]);
        add("EndHead", "Head", [0.0, 2.0, 16.0]);
    } else if kind == Kind::Crab {
        add("Eye", "Hips", [2.0, 16.0, 23.0]);
        add("EndEye", "Eye", [1.0, 4.0, 3.0]);
    } else {
        let (waist, thighs) = match kind {
            Kind::Split => ("Hips", "Lower"),
            Kind::Biped => ("Spine", "Spine"),
            _ => ("Hips", "Hips"),
        };
        if kind == Kind::Biped {
            add("Spine", "Hips", [0.0, 4.0, 0.0]);
        }
        if kind == Kind::Split {
            add("Lower", "Hips", [0.0, -2.0, 0.0]);
        }
        add("Waist", waist, [0.0, 14.0, 1.0]);
        add("Chest", "Waist", [0.0, 16.0, -1.0]);
        add("Neck", "Chest", [0.0, 20.0, 0.0]);
        add("Head", "Neck", [0.0, 10.0, 2.0]);
        add("EndHead", "Head", [0.0, 18.0, 0.0]);
        for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
            // Measured bodies are not symmetric.
            let leg = if kind == Kind::Split && x > 0.0 { 42.0 } else { 40.0 };
            add(&format!("{side}Thigh"), thighs, [9.0 * x, -3.0, 0.0]);
            add(&format!("{side}Shin"), &format!("{side}Thigh"), [0.0, -leg, 0.5]);
            add(&format!("{side}Foot"), &format!("{side}Shin"), [0.0, -leg, -1.0]);
            add(&format!("End{side}Toe"), &format!("{side}Foot"), [0.0, -6.0, 14.0]);
        }
    }
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        if kind == Kind::Crab {
            for (i, z) in [(1, -9.0), (2, -3.0), (3, 4.0), (4, 9.0)] {
                let mut above = "Hips".to_owned();
                for (part, y, reach) in
                    [("A", 1.0, 8.0), ("B", 8.0, 17.0), ("C", -4.0, 8.0), ("D", -8.0, 7.0)]
                {
                    let name = format!("{side}{part}{i}");
                    add(&name, &above, [reach * x, y, z]);
                    above = name;
                }
                add(&format!("End{side}{i}"), &above, [x, -12.0, 0.5 * z]);
            }
        } else if kind == Kind::Dog {
            for (leg, above, z) in [("Hind", "Hips", -2.0), ("Fore", "Chest", 4.0)] {
                add(&format!("{side}{leg}"), above, [7.0 * x, -4.0, z]);
                add(&format!("{side}{leg}Shin"), &format!("{side}{leg}"), [0.0, -24.0, 4.0]);
                add(&format!("{side}{leg}Foot"), &format!("{side}{leg}Shin"), [0.0, -24.0, -6.0]);
                add(&format!("End{side}{leg}"), &format!("{side}{leg}Foot"), [0.0, -4.0, 6.0]);
            }
        } else {
            add(&format!("{side}Shoulder"), "Chest", [6.0 * x, 14.0, 0.0]);
            add(&format!("{side}Arm"), &format!("{side}Shoulder"), [12.0 * x, 0.0, 0.0]);
            add(&format!("{side}ForeArm"), &format!("{side}Arm"), [28.0 * x, 0.0, 0.0]);
            add(&format!("{side}Hand"), &format!("{side}ForeArm"), [25.0 * x, 0.0, 0.0]);
            add(&format!("End{side}Hand"), &format!("{side}Hand"), [16.0 * x, 0.0, 2.0]);
        }
    }
    in_order(bones)
}

/// The joints in the order of a file: each with all joints below it before the next one.
fn in_order(bones: Vec<Bone>) -> Vec<Bone> {
    let mut order = Vec::new();
    let mut open = vec![0];
    while let Some(bone) = open.pop() {
        order.push(bone);
        open.extend((0..bones.len()).rev().filter(|&child| bones[child].parent == Some(bone)));
    }
    let place =
        |bone: usize| order.iter().position(|&other| other == bone).expect("each joint is in the order");
    order
        .iter()
        .map(|&bone| Bone {
            name: bones[bone].name.clone(),
            parent: bones[bone].parent.map(place),
            offset: bones[bone].offset,
        })
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Activity {
    Walk,
    Jump,
    Climb,
    Chair,
    Floor,
    Back,
    Crawl,
    PushUp,
    LieDown,
    Side,
}

pub(super) const ACTIVITIES: [Activity; 10] = [
    Activity::Walk,
    Activity::Jump,
    Activity::Climb,
    Activity::Chair,
    Activity::Floor,
    Activity::Back,
    Activity::Crawl,
    Activity::PushUp,
    Activity::LieDown,
    Activity::Side,
];

impl Activity {
    /// The body is upright for a part of the clip.
    pub(super) fn is_upright(self) -> bool {
        matches!(self, Self::Walk | Self::Jump | Self::Climb | Self::Chair)
    }
}

/// A frame: the place of the hips, and the turn of each joint from the T pose, in the world.
pub(super) struct Frame {
    pub(super) hips: DVec3,
    pub(super) turns: Vec<DQuat>,
}

pub(super) const FRAMES: usize = 24;

/// The frames of an activity with Y up. `facing`: degrees from +Z to +X. The lowest joint is on the ground.
pub(super) fn perform(bones: &[Bone], activity: Activity, facing: f64, place: DVec3) -> Vec<Frame> {
    let facing = DQuat::from_rotation_y(facing.to_radians());
    let x = |degrees: f64| DQuat::from_rotation_x(degrees.to_radians());
    let frame = |index: usize| {
        let t = index as f64 / (FRAMES - 1) as f64;
        let swing = 25.0 * (12.0 * t).sin();
        let turn = |bone: &Bone| {
            let name = bone.name.as_str();
            let is = |part: &str| name.contains(part);
            let left = if is("Left") { 1.0 } else { -1.0 };
            let (thigh, shin) = (is("Thigh") || is("Hind"), is("Shin") || is("Foot"));
            let arm = is("Arm") || is("Hand");
            let hanging = DQuat::from_rotation_z((-75.0_f64 * left).to_radians());
            match activity {
                Activity::Chair if thigh && !shin => x(-90.0),
                Activity::Floor if thigh || shin => x(-85.0),
                Activity::Back => x(-90.0),
                Activity::Crawl if thigh && !shin => DQuat::IDENTITY,
                Activity::Crawl if shin => x(90.0),
                Activity::Crawl if arm => hanging,
                Activity::Crawl => x(88.0),
                Activity::PushUp => x(80.0) * if arm { hanging } else { DQuat::IDENTITY },
                Activity::Side => {
                    DQuat::from_rotation_z(90_f64.to_radians()) * if arm { hanging } else { DQuat::IDENTITY }
                }
                Activity::LieDown => x(90.0 * (2.0 * t).min(1.0)),
                _ if thigh || shin => x(left * swing),
                _ if arm => hanging,
                _ => DQuat::IDENTITY,
            }
        };
        let turns: Vec<DQuat> = bones.iter().map(|bone| facing * turn(bone)).collect();
        let lowest =
            places(bones, &turns, DVec3::ZERO).iter().map(|place| place.y).fold(f64::INFINITY, f64::min);
        let (way, height) = match activity {
            Activity::Walk => (150.0 * t, 0.0),
            Activity::Jump => (30.0 * t, 200.0 * t * (1.0 - t)),
            Activity::Climb => (20.0 * t, 250.0 * t),
            Activity::Crawl => (60.0 * t, 0.0),
            _ => (0.0, 0.0),
        };
        // Joints of a body that lies are inside of it.
        let height = if activity.is_upright() { height } else { height + 6.0 };
        Frame { hips: place + facing * DVec3::Z * way + DVec3::Y * (height - lowest), turns }
    };
    (0..FRAMES).map(frame).collect()
}

/// The places of the joints.
pub(super) fn places(bones: &[Bone], turns: &[DQuat], hips: DVec3) -> Vec<DVec3> {
    let mut places: Vec<DVec3> = Vec::new();
    for bone in bones {
        places.push(bone.parent.map_or(hips, |parent| places[parent] + turns[parent] * bone.offset));
    }
    places
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rest {
    /// A T pose.
    Stands,
    /// All bones along +X, as in files of MotionBuilder.
    Along,
    /// A T pose that lies on its back, and that the hips turn upright.
    Turned,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Offset {
    /// The hips of the T pose, above the origin.
    Standing,
    Zero,
    /// The place of the first frame.
    First,
    /// A place far away, of another take.
    Away,
    /// As standing, and positions are added to it.
    Relative,
}

pub(super) const OFFSETS: [Offset; 5] =
    [Offset::Standing, Offset::Zero, Offset::First, Offset::Away, Offset::Relative];

/// The form of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) up: Up,
    pub(super) rest: Rest,
    pub(super) offset: Offset,
    /// All joints have positions, not only the hips.
    pub(super) all: bool,
    /// The hips are below a root that does not move.
    pub(super) reference: bool,
}

/// The text of a file.
pub(super) fn write(bones: &[Bone], frames: &[Frame], form: Form) -> String {
    let bases: Vec<DQuat> = (0..bones.len()).map(|bone| base(bones, bone, form.rest)).collect();
    // From Y up to the axes of the file.
    let axes = match form.up {
        Up::Y => DQuat::IDENTITY,
        Up::Z => DQuat::from_rotation_x(90_f64.to_radians()),
    };
    let offsets: Vec<DVec3> = bones
        .iter()
        .map(|bone| {
            let standing = places(bones, &vec![DQuat::IDENTITY; bones.len()], DVec3::ZERO);
            let lowest = standing.iter().map(|place| place.y).fold(f64::INFINITY, f64::min);
            let of_hips = match form.offset {
                Offset::Standing | Offset::Relative => DVec3::Y * -lowest,
                Offset::Zero => DVec3::ZERO,
                Offset::First => frames[0].hips,
                Offset::Away => DVec3::new(17.0, -lowest + 6.0, -1427.0),
            };
            axes * bone.parent.map_or(of_hips, |parent| bases[parent].inverse() * bone.offset)
        })
        .collect();
    let mut text = "HIERARCHY\n".to_owned();
    if form.reference {
        text += "ROOT Reference\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
    }
    let is_end = |bone: &Bone| bone.name.starts_with("End");
    let positions = |bone: &Bone| bone.parent.is_none() || form.all;
    let mut open: Vec<usize> = Vec::new();
    for (index, (bone, offset)) in bones.iter().zip(&offsets).enumerate() {
        while open.last() != bone.parent.as_ref() {
            open.pop();
            text += "}\n";
        }
        open.push(index);
        let name = &bone.name;
        let _ = match bone.parent {
            _ if is_end(bone) => writeln!(text, "End Site"),
            None if !form.reference => writeln!(text, "ROOT {name}"),
            _ => writeln!(text, "JOINT {name}"),
        };
        let _ = writeln!(text, "{{\nOFFSET {:.6} {:.6} {:.6}", offset.x, offset.y, offset.z);
        if !is_end(bone) {
            let (count, more) = if positions(bone) { (6, "Xposition Yposition Zposition ") } else { (3, "") };
            let _ = writeln!(text, "CHANNELS {count} {more}Zrotation Xrotation Yrotation");
        }
    }
    text += &"}\n".repeat(open.len() + usize::from(form.reference));
    let _ = writeln!(text, "MOTION\nFrames: {}\nFrame Time: 0.04", frames.len());
    for frame in frames {
        if form.reference {
            text += "0 0 0 0 0 0 ";
        }
        let world = |bone: usize| axes * frame.turns[bone] * bases[bone] * axes.inverse();
        for (index, (bone, offset)) in
            bones.iter().zip(&offsets).enumerate().filter(|(_, (bone, _))| !is_end(bone))
        {
            if positions(bone) {
                let place = if bone.parent.is_none() { axes * frame.hips } else { *offset };
                let DVec3 { x, y, z } =
                    place - if form.offset == Offset::Relative { *offset } else { DVec3::ZERO };
                let _ = write!(text, "{x:.6} {y:.6} {z:.6} ");
            }
            let above = bone.parent.map_or(DQuat::IDENTITY, world);
            let (z, x, y) = (above.inverse() * world(index)).to_euler(EulerRot::ZXY);
            let _ = write!(text, "{:.6} {:.6} {:.6} ", z.to_degrees(), x.to_degrees(), y.to_degrees());
        }
        text.push('\n');
    }
    text
}

/// The turn of a joint from its axes in the file to those of the T pose.
fn base(bones: &[Bone], bone: usize, rest: Rest) -> DQuat {
    match rest {
        Rest::Stands => DQuat::IDENTITY,
        Rest::Turned => DQuat::from_rotation_x(-90_f64.to_radians()),
        Rest::Along => {
            // The child with the longest name is the end of the chain, if there are several.
            let children = || bones.iter().filter(|child| child.parent == Some(bone));
            let spine = children().find(|child| ["Spine", "Waist", "Neck"].contains(&child.name.as_str()));
            let bone_of = spine.or_else(|| children().next());
            bone_of
                .map_or(DQuat::IDENTITY, |child| DQuat::from_rotation_arc(DVec3::X, child.offset.normalize()))
        }
    }
}
