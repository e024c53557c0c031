//! Frames that do not belong to their clip: jumps, and poses of the model at rest.

use super::super::body::Body;
use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity, Unit, digits, plural};
use super::super::motion::{Motion, angle};
use super::super::raw::{Channel, Interpolation, Path};
use gambol::animation::Affine;
use glam::DQuat;

/// A frame has the pose at rest if no joint is turned by more, in degrees.
const AT_REST: f64 = 2.0;
/// A clip moves away from the pose at rest if its joints are turned by more in half of the frames, in degrees.
const AWAY: f64 = 20.0;
/// A frame stands out if a joint turns by more to the next frame, in degrees, and in degrees a second: 15° at 24 frames.
const STANDS_OUT: f64 = 15.0;
const TURNS_FAST: f64 = 360.0;
/// The least number of joints with rotation keys.
const JOINTS: usize = 3;

/// The least jump of a rotation, in degrees, and of a position, as a part of the model's size.
const TURN: f64 = 30.0;
const MOVE: f64 = 0.05;
/// A jump is faster than its neighbours by this factor; or it goes out and back, as many times as far from the way between the
/// frames around it as they are from theirs.
const FASTER: f64 = 8.0;
/// A frame goes out and back if it is off that way by more than this part of its steps.
const BACK: f64 = 0.65;
/// Keys further apart are no frames, in seconds, unless they are baked.
const FRAME: f64 = 0.051;

/// Returns the times of the frames at rest.
pub(super) fn rest_frames(
    context: &Context<'_>,
    clip: usize,
    motion: &Motion,
    out: &mut Vec<Finding>,
) -> Vec<f64> {
    let turns = &motion.turns;
    if motion.turning < JOINTS || turns.len() < 4 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (bound, words) in [(false, "without a clip"), (true, "to which its mesh is bound")] {
        let distances: Vec<f64> =
            turns.iter().filter_map(|turn| if bound { turn.bind } else { Some(turn.rest) }).collect();
        if distances.len() < turns.len() {
            continue;
        }
        let mut sorted = distances.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        if sorted[sorted.len() / 2] < AWAY {
            continue;
        }
        for (frame, &distance) in distances.iter().enumerate() {
            let next = turns.get(frame + 1).map_or(f64::INFINITY, |turn| turn.step);
            let before = if frame == 0 { f64::INFINITY } else { turns[frame].step };
            let time = motion.times[frame];
            let [from, to] =
                [frame.saturating_sub(1), frame + 1].map(|at| motion.times[at.min(turns.len() - 1)]);
            let seconds = (to - time).max(time - from);
            let stands_out = STANDS_OUT.max(TURNS_FAST * seconds);
            if distance > AT_REST || before.min(next) < stands_out || found.contains(&time) {
                continue;
            }
            found.push(time);
            let step = if before.is_finite() { before } else { next };
            let place = match frame {
                0 => "The first frame".to_owned(),
                _ if frame + 1 == turns.len() => "The last frame".to_owned(),
                _ => format!("The frame at {} s", digits(time)),
            };
            let message = format!(
                "{place} of {} is the pose that the model has {words} (a T-pose, for most), and the frame beside it is up to \
                 {}° away. The character flashes into that pose for one frame.",
                context.clip_words(clip),
                digits(step)
            );
            out.push(
                Finding::new(codes::REST_FRAME, Severity::Warning, format!("/animations/{clip}"), message)
                    .clip(clip)
                    .time(time)
                    .value("step", step, Unit::Degrees)
                    .value("distance", distance, Unit::Degrees)
                    .count("frame", frame)
                    .fix("Delete the keys of this frame, or begin the exported range one frame later."),
            );
        }
    }
    found
}

/// A jump of one channel.
struct Jump {
    channel: usize,
    /// The time before the jump, in seconds.
    time: f64,
    /// Degrees, or metres.
    step: f64,
    /// Its speed over that of its neighbours.
    factor: f64,
    /// `true` if the frame after the jump jumps back.
    back: bool,
}

pub(super) fn jumps(
    context: &Context<'_>,
    clip: usize,
    body: &Body<'_>,
    skip: &[f64],
    out: &mut Vec<Finding>,
) {
    let rest = body.matrices(body.rig.rest_pose());
    let channels = &context.clips[clip].channels;
    let mut jumps: Vec<Jump> = Vec::new();
    for (i, channel) in channels.iter().enumerate() {
        if channel.interpolation != Interpolation::Step
            && matches!(channel.path, Path::Rotation | Path::Translation)
        {
            of_channel(context, i, channel, body, &rest, &mut jumps);
        }
    }
    let is_skipped = |jump: &Jump| skip.iter().any(|time| (time - jump.time).abs() < 4.0 * FRAME);
    jumps.retain(|jump| !is_skipped(jump));
    jumps.sort_by(|a, b| a.time.total_cmp(&b.time).then(b.factor.total_cmp(&a.factor)));
    for group in jumps.chunk_by(|a, b| b.time - a.time < 1e-3) {
        out.push(finding(context, clip, channels, group));
    }
}

/// `true` if neighbouring keys may be [`TURN`] apart.
fn turns_far(channel: &Channel) -> bool {
    let cosine = (TURN / 2.0).to_radians().cos() + 1e-6;
    let mut last = channel.rotation(0);
    (1..channel.times.len()).any(|key| {
        let next = channel.rotation(key);
        let dot: f64 = last.iter().zip(next).map(|(a, b)| a * b).sum();
        last = next;
        dot.abs() < cosine
    })
}

fn of_channel(
    context: &Context<'_>,
    index: usize,
    channel: &Channel,
    body: &Body<'_>,
    rest: &[Affine],
    out: &mut Vec<Jump>,
) {
    let times = &channel.times;
    let count = times.len().saturating_sub(1);
    if count < 5 {
        return;
    }
    let rotates = channel.path == Path::Rotation;
    // Most channels have no large step, and need no exact angles.
    if rotates && !turns_far(channel) {
        return;
    }
    let unit = context.node_id(channel.node).map_or(1.0, |node| body.unit_of_parent(node, rest));
    let least = if rotates { TURN } else { MOVE * body.size };
    let steps: Vec<f64> = (0..count)
        .map(|key| {
            if rotates {
                angle(channel.rotation(key), channel.rotation(key + 1))
            } else {
                let (a, b) = (channel.value(key), channel.value(key + 1));
                unit * a.iter().zip(b).map(|(a, b)| f64::from(b - a).powi(2)).sum::<f64>().sqrt()
            }
        })
        .collect();
    let seconds = |key: usize| f64::from(times[key + 1]) - f64::from(times[key]);
    let frame = channel.frame().map_or(FRAME, |frame| FRAME.max(1.1 * frame));
    let speed = |key: usize| steps[key] / seconds(key);
    // The fastest of up to two steps on either side; infinite without a step on one side.
    let around = |from: usize, to: usize| {
        if from == 0 || to + 1 >= count {
            return f64::INFINITY;
        }
        let before = from.saturating_sub(2)..from;
        let after = to + 1..(to + 3).min(count);
        before.chain(after).map(speed).fold(0.0, f64::max)
    };
    // The distance of a key from the way between its neighbours.
    let bend = |key: usize| {
        let part = seconds(key - 1) / (seconds(key - 1) + seconds(key));
        if rotates {
            let [before, after] = [key - 1, key + 1].map(|key| DQuat::from_array(channel.rotation(key)));
            angle(channel.rotation(key), before.slerp(after, part).to_array())
        } else {
            let [before, here, after] = [key - 1, key, key + 1].map(|key| channel.value(key));
            let off = |i: usize| {
                let [before, here, after] = [before[i], here[i], after[i]].map(f64::from);
                here - before - part * (after - before)
            };
            unit * (0..channel.width).map(|i| off(i).powi(2)).sum::<f64>().sqrt()
        }
    };
    // The same of the nearest keys whose neighbours are others; infinite without one on one side.
    let bends_around = |key: usize| {
        if key < 3 || key + 3 > count { f64::INFINITY } else { bend(key - 2).max(bend(key + 2)) }
    };
    let is_frame = |key: usize| key < count && seconds(key) <= frame;
    let mut key = 0;
    while key < count {
        let two = is_frame(key) && is_frame(key + 1);
        let away = if two { bend(key + 1) } else { 0.0 };
        let back = away > least && away > BACK * steps[key].max(steps[key + 1]);
        if !(is_frame(key) && (back || steps[key] > least)) {
            key += 1;
            continue;
        }
        let (end, slowest) = if back || two && steps[key + 1] > least {
            (key + 1, speed(key).min(speed(key + 1)))
        } else {
            (key, speed(key))
        };
        let (speeds, bends) = (around(key, end), if back { bends_around(key + 1) } else { f64::INFINITY });
        if slowest > FASTER * speeds || away > FASTER * bends {
            let factor = (slowest / speeds.max(least / 100.0)).max(away / bends.max(least / 100.0));
            out.push(Jump { channel: index, time: times[key].into(), step: steps[key], factor, back });
        }
        key = end + 1;
    }
}

fn finding(context: &Context<'_>, clip: usize, channels: &[Channel], group: &[Jump]) -> Finding {
    let worst = &group[0];
    let channel = &channels[worst.channel];
    let rotates = channel.path == Path::Rotation;
    let (amount, unit) = if rotates {
        (format!("{}°", digits(worst.step)), Unit::Degrees)
    } else {
        (format!("{} m", digits(worst.step)), Unit::Metres)
    };
    let mut nodes: Vec<usize> = group.iter().map(|jump| channels[jump.channel].node).collect();
    nodes.dedup();
    let others = match nodes.len() {
        1 => String::new(),
        count => format!(" (and {} more)", plural(count - 1, "joint")),
    };
    let ending = if worst.back { "and back in the next one" } else { "and stays there" };
    let message = format!(
        "{} jumps at {} s: {}{others} {} by {amount} in one frame {ending}, at least {FASTER} times as abruptly as in the \
         frames around it.",
        context.clip_words(clip),
        digits(worst.time),
        context.node_words(channel.node),
        if rotates { "turns" } else { "moves" },
    );
    Finding::new(codes::JUMP, Severity::Warning, Context::pointer_of_channel(clip, channel.index), message)
        .clip(clip)
        .node(channel.node)
        .nodes(nodes)
        .time(worst.time)
        .value("step", worst.step, unit)
        .count("joints", group.len())
        .fix(if rotates {
            "Delete the keys of the wrong frame, or apply an Euler filter to the curves (Blender: Graph Editor, Key, \
             Discontinuity (Euler) Filter; Maya: Curves, Euler Filter), then bake again."
        } else {
            "Delete the keys of the wrong frame, or smooth the curves there, then bake again."
        })
}
