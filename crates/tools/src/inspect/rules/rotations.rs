//! Rotations: their length, their signs, and turns by half a circle.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, PatchStep, Severity, Unit, digits, plural};
use super::super::motion::angle;
use super::super::raw::{Channel, Interpolation, Path};
use gambol_gltf::json;

/// The least deviation of a quaternion's length from 1: normalised 8-bit integers stay below. It is that of Khronos's
/// validator.
const LENGTH: f64 = 0.007_69;
/// The least angle between neighbouring keys that counts as half a turn, in degrees.
const HALF_TURN: f64 = 175.0;

pub(super) fn nodes(context: &Context<'_>, out: &mut Vec<Finding>) {
    for (i, node) in context.json.list("nodes").iter().enumerate() {
        let Some(q) = node.read::<[f64; 4]>("rotation") else { continue };
        let length = length(q);
        if (length - 1.0).abs() > LENGTH {
            let pointer = format!("/nodes/{i}/rotation");
            let message = format!(
                "The rotation of {} is not a unit quaternion: its length is {}. glTF requires 1; players that do not \
                 normalise it scale or shear the node.",
                context.node_words(i),
                digits(length)
            );
            let patch = if length > 0.0 {
                vec![PatchStep::Replace(pointer.clone(), json!(q.map(|x| x / length)))]
            } else {
                Vec::new()
            };
            out.push(
                Finding::new(codes::ROTATION_NOT_UNIT, Severity::Error, pointer, message)
                    .node(i)
                    .value("length", length, Unit::One)
                    .fix("Divide the four numbers by the length.")
                    .patch(patch),
            );
        }
    }
}

pub(super) fn channels(context: &Context<'_>, clip: usize, out: &mut Vec<Finding>) {
    let channels = context.clips[clip].channels.iter().filter(|channel| channel.path == Path::Rotation);
    let [mut lengths, mut signs, mut splines, mut halves]: [Option<Group>; 4] = Default::default();
    let half = (HALF_TURN / 2.0).to_radians().cos() + 1e-6;
    for channel in channels {
        not_unit(channel, &mut lengths);
        if channel.interpolation == Interpolation::Step {
            continue;
        }
        let mut last = channel.rotation(0);
        for key in 1..channel.times.len() {
            let next = channel.rotation(key);
            let dot: f64 = last.iter().zip(next).map(|(a, b)| a * b).sum();
            let flips = dot < 0.0;
            // The exact angle takes long, and few pairs need it.
            if flips || dot < half {
                let turn = angle(last, next);
                let time = f64::from(channel.times[key - 1]);
                let is_spline = channel.interpolation == Interpolation::CubicSpline;
                if flips {
                    // A spline passes near zero: the rotation turns the long way, with sudden speed.
                    add(if is_spline { &mut splines } else { &mut signs }, channel, time, 360.0 - turn);
                }
                if turn > HALF_TURN && !is_spline {
                    add(&mut halves, channel, time, turn);
                }
            }
            last = next;
        }
    }
    if let Some(group) = lengths {
        out.push(length_finding(context, clip, &group));
    }
    if let Some(group) = splines {
        let message = format!(
            "{}: {} of {} in {} change the sign of the quaternion, and the interpolation is CUBICSPLINE, which works on its \
             components. {} turns up to {}° the long way round between two keys.",
            context.clip_words(clip),
            plural(group.pairs, "pair"),
            "neighbouring keys",
            plural(group.nodes.len(), "channel"),
            context.node_words(group.node),
            digits(group.worst)
        );
        out.push(flip(group, clip, Severity::Error, message));
    }
    if let Some(group) = signs {
        let message = format!(
            "{}: {} of neighbouring keys in {} change the sign of the quaternion. By the specification this is the same \
             rotation; players that interpolate the four numbers turn {} up to {}° the long way round.",
            context.clip_words(clip),
            plural(group.pairs, "pair"),
            plural(group.nodes.len(), "channel"),
            context.node_words(group.node),
            digits(group.worst)
        );
        out.push(flip(group, clip, Severity::Info, message));
    }
    if let Some(group) = halves {
        let message = format!(
            "{}: {} turns by {}° between two keys. Half a turn has no shorter way, so players may turn it in either \
             direction.",
            context.clip_words(clip),
            context.node_words(group.node),
            digits(group.worst)
        );
        out.push(
            Finding::new(codes::ROTATION_HALF_TURN, Severity::Warning, group.pointer(clip), message)
                .clip(clip)
                .node(group.node)
                .nodes(group.nodes)
                .time(group.time)
                .value("turn", group.worst, Unit::Degrees)
                .count("pairs", group.pairs)
                .fix("Add a key in the middle of the turn."),
        );
    }
}

/// Pairs of keys with the same fault in the channels of a clip.
struct Group {
    /// Of the worst pair.
    channel: usize,
    node: usize,
    time: f64,
    worst: f64,
    pairs: usize,
    nodes: Vec<usize>,
}

impl Group {
    fn pointer(&self, clip: usize) -> String {
        Context::pointer_of_channel(clip, self.channel)
    }
}

fn add(group: &mut Option<Group>, channel: &Channel, time: f64, amount: f64) {
    let group = group.get_or_insert_with(|| Group {
        channel: channel.index,
        node: channel.node,
        time,
        worst: f64::NEG_INFINITY,
        pairs: 0,
        nodes: Vec::new(),
    });
    group.pairs += 1;
    if group.nodes.last() != Some(&channel.node) {
        group.nodes.push(channel.node);
    }
    if amount > group.worst {
        (group.channel, group.node, group.time, group.worst) = (channel.index, channel.node, time, amount);
    }
}

fn flip(group: Group, clip: usize, severity: Severity, message: String) -> Finding {
    Finding::new(codes::ROTATION_FLIPPED, severity, group.pointer(clip), message)
        .clip(clip)
        .node(group.node)
        .time(group.time)
        .value("longWay", group.worst, Unit::Degrees)
        .count("pairs", group.pairs)
        .count("channels", group.nodes.len())
        .nodes(group.nodes)
        .fix("Negate quaternions so that neighbouring keys have a positive dot product.")
        .by_optimize()
}

fn not_unit(channel: &Channel, group: &mut Option<Group>) {
    for (row, &time) in channel.rows().zip(channel.times.iter()) {
        let deviation = (length([0, 1, 2, 3].map(|i| f64::from(row[i]))) - 1.0).abs();
        if deviation > LENGTH {
            add(group, channel, time.into(), deviation);
        }
    }
}

fn length_finding(context: &Context<'_>, clip: usize, group: &Group) -> Finding {
    let message = format!(
        "{}: {} in {} are not unit quaternions; the worst, of {}, has a length {} away from 1. glTF requires 1; players \
         that do not normalise them scale or shear the joint.",
        context.clip_words(clip),
        plural(group.pairs, "rotation key"),
        plural(group.nodes.len(), "channel"),
        context.node_words(group.node),
        digits(group.worst)
    );
    Finding::new(codes::ROTATION_NOT_UNIT, Severity::Error, group.pointer(clip), message)
        .clip(clip)
        .node(group.node)
        .time(group.time)
        .value("deviation", group.worst, Unit::One)
        .count("keys", group.pairs)
        .nodes(group.nodes.iter().copied())
        .fix("Normalise the quaternions; export again with a current exporter.")
        .by_optimize()
}

fn length(q: [f64; 4]) -> f64 {
    q.iter().map(|x| x * x).sum::<f64>().sqrt()
}
