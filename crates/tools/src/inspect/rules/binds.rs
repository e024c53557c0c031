//! Rest poses: inverse bind matrices against nodes, skins against each other, bone lengths of clips.

use super::super::body::{Body, degrees_between, matrix, rotation_of};
use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity, Unit, digits, plural};
use super::super::raw::Path;
use gambol::model::{NodeId, Skin};
use glam::{DMat4, DVec3};
use std::collections::BTreeMap;

/// Poses differ from these on: degrees, and parts of the model's size.
const TURN: f64 = 1.0;
const MOVE: f64 = 0.005;
/// The largest number of joints that are tried as the reference.
const CANDIDATES: usize = 16;
/// Bone lengths differ from this ratio and these parts of the model's size on, and if so many bones do.
const RATIO: f64 = 1.03;
const LENGTH: f64 = 0.005;
const BONES: usize = 3;
/// A bone whose length changes by more within a clip is animated on purpose.
const STRETCH: f64 = 1.01;

/// The largest difference of two poses.
#[derive(Default)]
struct Difference {
    joints: usize,
    turn: f64,
    distance: f64,
    worst: Option<NodeId>,
    /// The largest of both in parts of their thresholds.
    most: f64,
    nodes: Vec<NodeId>,
}

impl Difference {
    fn add(&mut self, node: NodeId, turn: f64, distance: f64, size: f64) {
        self.turn = self.turn.max(turn);
        self.distance = self.distance.max(distance);
        let amount = (turn / TURN).max(distance / (MOVE * size));
        if amount > 1.0 {
            self.joints += 1;
            self.nodes.push(node);
            if amount > self.most {
                (self.most, self.worst) = (amount, Some(node));
            }
        }
    }

    /// The index of the worst node in the file.
    fn worst(&self, body: &Body<'_>) -> usize {
        self.worst.map_or(0, |node| body.source(node))
    }

    /// The largest angle and distance, with the worst node.
    fn words(&self, context: &Context<'_>, body: &Body<'_>) -> String {
        let worst = context.node_words(self.worst(body));
        format!("{}° and {} m ({worst})", digits(self.turn), digits(self.distance))
    }

    /// A finding about the inverse bind matrices of a skin.
    fn finding(
        &self,
        code: &'static str,
        severity: Severity,
        skin: usize,
        message: String,
        body: &Body<'_>,
    ) -> Finding {
        Finding::new(code, severity, format!("/skins/{skin}/inverseBindMatrices"), message)
            .node(self.worst(body))
            .nodes(self.nodes.iter().map(|node| body.source(*node)))
            .count("joints", self.joints)
            .value("turn", self.turn, Unit::Degrees)
            .value("distance", self.distance, Unit::Metres)
    }
}

pub(super) fn poses(context: &Context<'_>, out: &mut Vec<Finding>) {
    let Some(body) = &context.body else { return };
    let rest = body.matrices(body.rig.rest_pose());
    for (s, skin) in body.model.skins.iter().enumerate() {
        // At rest, each joint carries the mesh somewhere. In the pose of binding, all carry it to the same place.
        let carried: Vec<(NodeId, DMat4, DVec3)> = skin
            .joints
            .iter()
            .zip(&skin.inverse_bind)
            .filter_map(|(joint, inverse)| {
                let inverse = inverse.as_dmat4();
                let at_bind = inverse.inverse().w_axis.truncate();
                let carried = matrix(&rest[joint.index()]) * inverse;
                (carried.is_finite() && at_bind.is_finite()).then_some((*joint, carried, at_bind))
            })
            .collect();
        let Some(difference) = from_usual(body, &carried) else { continue };
        if difference.joints == 0 {
            continue;
        }
        let message = format!(
            "The pose of the nodes without a clip is not the one to which the mesh is bound: {} of {} differ, by up to {}. \
             Tools that take one for the other, such as retargeting in engines, turn these joints.",
            difference.joints,
            plural(skin.joints.len(), "joint"),
            difference.words(context, body),
        );
        let finding = difference.finding(codes::BIND_POSE, Severity::Info, s, message, body);
        out.push(finding.fix(
            "Export in the rest position (Blender: Use Rest Position Armature; Maya: Go to Bind Pose).",
        ));
    }
    pairs(context, body, out);
}

/// The differences of matrices from the one that most agree with; of joints with their place when bound.
fn from_usual(body: &Body<'_>, carried: &[(NodeId, DMat4, DVec3)]) -> Option<Difference> {
    let candidates = carried.iter().step_by(carried.len().div_ceil(CANDIDATES).max(1));
    let differences = candidates.filter_map(|(_, usual, _)| {
        let turn = rotation_of(usual)?;
        let mut difference = Difference::default();
        for (node, matrix, place) in carried {
            let own = rotation_of(matrix).unwrap_or(turn);
            let distance = matrix.transform_point3(*place).distance(usual.transform_point3(*place));
            difference.add(*node, degrees_between(turn, own), distance, body.size);
        }
        Some(difference)
    });
    differences.min_by_key(|difference| difference.joints)
}

/// Skins that share joints.
fn pairs(context: &Context<'_>, body: &Body<'_>, out: &mut Vec<Finding>) {
    let skins = &body.model.skins;
    let inverses = |skin: &Skin| -> BTreeMap<NodeId, DMat4> {
        skin.joints.iter().copied().zip(skin.inverse_bind.iter().map(|inverse| inverse.as_dmat4())).collect()
    };
    // Each with the first one that shares a joint, so that many skins take no square of time.
    let mut first_of: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (s, skin) in skins.iter().enumerate() {
        let first = skin.joints.iter().find_map(|joint| first_of.get(joint).copied());
        skin.joints.iter().for_each(|joint| _ = first_of.entry(*joint).or_insert(s));
        let Some(first) = first.filter(|first| *first != s) else { continue };
        let (others, own) = (inverses(&skins[first]), inverses(skin));
        let carried: Vec<(NodeId, DMat4, DVec3)> = own
            .iter()
            .filter_map(|(joint, inverse)| {
                // From the space of one mesh to that of the other: the same for all joints, if they were in one pose.
                let between = others.get(joint)?.inverse() * *inverse;
                let place = inverse.inverse().w_axis.truncate();
                (between.is_finite() && place.is_finite()).then_some((*joint, between, place))
            })
            .collect();
        let Some(difference) = from_usual(body, &carried) else { continue };
        if difference.joints == 0 {
            continue;
        }
        let message = format!(
            "Skins {first} and {s} share joints, but were bound in different poses: {} differ, by up to {}. \
             One of the two meshes fits no common rest pose.",
            plural(difference.joints, "joint"),
            difference.words(context, body),
        );
        let finding = difference.finding(codes::SKINS_DIFFER, Severity::Warning, s, message, body);
        out.push(finding.fix("Bind both meshes to the armature in the same pose."));
    }
}

/// The lengths of a bone: at rest, and in each clip with keys of its translation.
struct Bone {
    rest: f64,
    in_clips: Vec<(usize, f64)>,
}

pub(super) fn bones(context: &Context<'_>, out: &mut Vec<Finding>) {
    let Some(body) = &context.body else { return };
    let rest = body.matrices(body.rig.rest_pose());
    // A file of motion alone has bones, and no skin.
    let is_motion = body.model.is_motion();
    let is_joint = |node: usize| is_motion || context.is_joint.get(node) == Some(&true);
    let mut bones: BTreeMap<usize, Bone> = BTreeMap::new();
    for (c, clip) in context.clips.iter().enumerate() {
        for channel in clip.channels.iter().filter(|channel| channel.path == Path::Translation) {
            // The topmost joint moves the body, and its position is no length.
            let is_bone = is_joint(channel.node) && context.parents[channel.node].is_some_and(is_joint);
            let Some(node) = context.node_id(channel.node).filter(|_| is_bone) else { continue };
            let unit = body.unit_of_parent(node, &rest);
            let length = |row: &[f32]| unit * row.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
            let lengths = channel.rows().map(length);
            let (low, high) = lengths.fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
            let at_rest = context.rest(channel.node, Path::Translation).unwrap_or_default();
            let at_rest = unit * DVec3::from_slice(&[&at_rest[..], &[0.0; 3]].concat()).length();
            if high > 0.0 && high <= STRETCH * low {
                let bone = bones.entry(channel.node).or_insert(Bone { rest: at_rest, in_clips: Vec::new() });
                bone.in_clips.push((c, (low + high) / 2.0));
            }
        }
    }
    let differ = |a: f64, b: f64| a.max(b) > RATIO * a.min(b) && (a - b).abs() > LENGTH * body.size;
    let mut of_clip: BTreeMap<usize, Vec<(usize, f64, f64)>> = BTreeMap::new();
    for (node, bone) in &bones {
        // The most frequent length, else that at rest.
        let agreeing =
            |length: f64| bone.in_clips.iter().filter(|(_, other)| !differ(length, *other)).count();
        let lengths = bone.in_clips.iter().map(|(_, length)| *length);
        let usual = std::iter::once(bone.rest).chain(lengths).max_by_key(|length| agreeing(*length));
        let usual = usual.filter(|usual| agreeing(*usual) > agreeing(bone.rest)).unwrap_or(bone.rest);
        for (clip, length) in bone.in_clips.iter().filter(|(_, length)| differ(usual, *length)) {
            of_clip.entry(*clip).or_default().push((*node, *length, usual));
        }
    }
    for (clip, mut found) in of_clip.into_iter().filter(|(_, found)| found.len() >= BONES) {
        found.sort_by(|a, b| (b.1 - b.2).abs().total_cmp(&(a.1 - a.2).abs()));
        let (node, length, usual) = found[0];
        let message = format!(
            "{} has {} of other lengths than the other clips or the model: {} is {} m long in it, and {} m otherwise. The \
             clip was made for another skeleton, so the character changes its proportions while it plays.",
            context.clip_words(clip),
            plural(found.len(), "bone"),
            context.node_words(node),
            digits(length),
            digits(usual)
        );
        out.push(
            Finding::new(codes::BONE_LENGTHS, Severity::Warning, format!("/animations/{clip}"), message)
                .clip(clip)
                .nodes(found.iter().map(|(node, ..)| *node))
                .count("bones", found.len())
                .value("length", length, Unit::Metres)
                .value("usual", usual, Unit::Metres)
                .fix("Retarget the clip to this skeleton, or remove the translation channels of all joints but the hips."),
        );
    }
}
