//! Clips that loop: their seam, their velocity there, and their drift over the ground.

use super::super::body::Body;
use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Plot, Severity, Unit, digits};
use super::super::motion::Motion;
use glam::DVec3;

/// A clip is meant to loop if its last pose is nearer to its first than this part of its movement.
const NEAR: f64 = 0.15;
/// The same for a clip whose gap is some frames of its movement, and the largest part of its frames that may be missing.
const FRAME: f64 = 0.7;
const MISSING: usize = 12;
/// The least seam, and the least distance in a frame by which the velocity changes, as parts of the model's size.
const SEEN: f64 = 0.002;
/// A change of velocity is seen if it is more than this multiple of the largest one within the clip.
const SHARPER: f64 = 2.0;
/// The least drift in a pass, and the drift from which it is a walk on purpose, as parts of the model's size.
const DRIFT: [f64; 2] = [0.005, 0.25];
/// The seconds on either side of the seam in its curve.
const PLOTTED: f64 = 0.25;

pub(super) fn check(
    context: &Context<'_>,
    clip: usize,
    body: &Body<'_>,
    motion: &Motion,
    out: &mut Vec<Finding>,
) {
    let extent = motion.extent();
    if !(extent > SEEN * body.size) {
        return;
    }
    let Some(seam) = Seam::measure(body, clip, motion) else { return };
    let near = if seam.missing > 0 { FRAME } else { NEAR };
    if seam.distance > near * extent {
        return;
    }
    if seam.distance > SEEN * body.size {
        out.push(position(context, clip, body, motion, &seam));
    } else if let Some(finding) = velocity(context, clip, body, motion) {
        out.push(finding);
    }
    drift(context, clip, body, motion, out);
}

/// The largest gap between the last pose and the first.
struct Seam {
    point: usize,
    gap: DVec3,
    distance: f64,
    /// The movement of that point in one frame, as the mean of the first and the last frame.
    frame: DVec3,
    /// The number of frames after which the pose would be the first one again, if all points moved on; 0 if they would not.
    missing: usize,
}

impl Seam {
    /// Measured at all points of the body: joints and vertices.
    fn measure(body: &Body<'_>, clip: usize, motion: &Motion) -> Option<Self> {
        let times = &motion.times;
        let last = times.len() - 1;
        let at = |time: f64| body.points(Some((clip, time)));
        let [first, second, before, end] = [times[0], times[1], times[last - 1], times[last]].map(at);
        let travelled = |from: usize, to: usize| motion.travelled(times[to]) - motion.travelled(times[from]);
        let mut gaps: Vec<(DVec3, DVec3)> = Vec::with_capacity(first.places.len());
        let mut worst: Option<(usize, f64)> = None;
        for point in 0..first.places.len() {
            // From the first pose to the last.
            let gap = end.places[point] - first.places[point] - travelled(0, last);
            let starts = second.places[point] - first.places[point] - travelled(0, 1);
            let ends = end.places[point] - before.places[point] - travelled(last - 1, last);
            gaps.push((gap, (starts + ends) / 2.0));
            let distance = gap.length();
            if distance.is_finite() && worst.is_none_or(|(_, worst)| distance > worst) {
                worst = Some((point, distance));
            }
        }
        let (point, distance) = worst?;
        let (gap, frame) = gaps[point];
        let missing = missing(&gaps, gap, frame, last);
        Some(Self { point, gap, distance, frame, missing })
    }
}

/// The number of frames that are missing at the end of a clip of as many frames, by the gap and the movement in a frame of
/// each point, and of the one with the largest gap.
fn missing(gaps: &[(DVec3, DVec3)], gap: DVec3, frame: DVec3, frames: usize) -> usize {
    let most = (frames / MISSING).max(1);
    let number = (-gap.dot(frame) / frame.length_squared()).round();
    if !(number >= 1.0 && number <= most as f64) {
        return 0;
    }
    // The movement over several frames is no line.
    let tolerance = (0.4 * frame.length()).max(if number > 1.0 { 0.2 * gap.length() } else { 0.0 });
    let reaches = |(gap, frame): &(DVec3, DVec3)| (*gap + number * *frame).length() < tolerance;
    let all = number > 1.0;
    let fits = if all { gaps.iter().all(reaches) } else { reaches(&(gap, frame)) };
    if fits { number as usize } else { 0 }
}

fn position(context: &Context<'_>, clip: usize, body: &Body<'_>, motion: &Motion, seam: &Seam) -> Finding {
    let node = body.source(body.node_of_point(seam.point));
    let step = *motion.times.get(1).unwrap_or(&0.0);
    let missing = seam.missing;
    let (name, joint, gap) = (context.clip_words(clip), context.node_words(node), digits(seam.distance));
    let message = match missing {
        0 => format!(
            "{name} does not close: its last pose is {gap} m from its first at {joint}. Each pass begins with a jump."
        ),
        1 => format!(
            "{name} ends one frame early: its last pose is {gap} m from its first at {joint}, as far as one frame of its \
             movement. A player that loops it skips that frame, so each pass begins with a hitch."
        ),
        _ => format!(
            "{name} ends {missing} frames early: its last pose is {gap} m from its first at {joint}, as far as {missing} frames \
             of its movement. A player that loops it skips them, so each pass begins with a jump."
        ),
    };
    let after = format!(
        "with a copy of the first pose at the end, {} s after the last key.",
        digits(step * missing as f64)
    );
    let fix = match missing {
        0 => "Copy the keys of the first frame to the last one, for all bones, and smooth the frames before it."
            .to_owned(),
        1 => format!("Export one frame more, {after}"),
        _ => format!("Export {missing} frames more, {after}"),
    };
    Finding::new(codes::LOOP_SEAM, Severity::Warning, format!("/animations/{clip}"), message)
        .clip(clip)
        .node(node)
        .time(motion.duration())
        .value("distance", seam.distance, Unit::Metres)
        .value("frame", seam.frame.length(), Unit::Metres)
        .count("missing", missing)
        .fix(fix)
        .plot(plot(body, clip, motion, seam.point, seam.gap))
}

/// The place of a point along a direction, around the seam: the last quarter of a second, and then the first.
fn plot(body: &Body<'_>, clip: usize, motion: &Motion, point: usize, direction: DVec3) -> Plot {
    let axis = direction.try_normalize().unwrap_or(DVec3::Y);
    let end = motion.duration();
    let span = PLOTTED.min(end / 2.0);
    let mut plot = Plot { unit: Unit::Metres, times: Vec::new(), values: Vec::new() };
    let origin = body.points(Some((clip, 0.0))).places[point].dot(axis);
    let steps = 16;
    for i in 0..=steps {
        let offset = -span * f64::from(steps - i) / f64::from(steps);
        let place = body.points(Some((clip, end + offset))).places[point] - motion.travelled(end + offset);
        plot.times.push(offset);
        plot.values.push(place.dot(axis) - origin);
    }
    for i in 0..=steps {
        let offset = span * f64::from(i) / f64::from(steps);
        let place = body.points(Some((clip, offset))).places[point] - motion.travelled(offset);
        plot.times.push(offset);
        plot.values.push(place.dot(axis) - origin);
    }
    plot
}

/// The joint whose velocity changes most at the seam.
fn velocity(context: &Context<'_>, clip: usize, body: &Body<'_>, motion: &Motion) -> Option<Finding> {
    let times = &motion.times;
    let last = times.len() - 1;
    if last < 4 {
        return None;
    }
    let speed = |from: usize, point: usize| {
        (motion.in_place(from + 1, point) - motion.in_place(from, point)) / (times[from + 1] - times[from])
    };
    let (mut worst, mut within) = ((0.0, 0, DVec3::ZERO), 0.0_f64);
    for point in 0..motion.points() {
        for frame in 0..last - 1 {
            within = within.max((speed(frame + 1, point) - speed(frame, point)).length());
        }
        let change = speed(0, point) - speed(last - 1, point);
        if change.length() > worst.0 {
            worst = (change.length(), point, change);
        }
    }
    let (change, point, direction) = worst;
    let frame = times[1] - times[0];
    if !(change > SHARPER * within && change * frame > SEEN * body.size) {
        return None;
    }
    let node = body.source(body.tracked[point]);
    let message = format!(
        "{} comes to its seam with another velocity than it starts with: {} changes its velocity by {} m/s there, at most \
         {} m/s elsewhere in the clip. The loop closes, but each pass begins with a jerk.",
        context.clip_words(clip),
        context.node_words(node),
        digits(change),
        digits(within)
    );
    let finding = Finding::new(codes::LOOP_VELOCITY, Severity::Warning, format!("/animations/{clip}"), message)
        .clip(clip)
        .node(node)
        .time(motion.duration())
        .value("change", change, Unit::MetresPerSecond)
        .value("elsewhere", within, Unit::MetresPerSecond)
        .fix(
            "Make the curves cyclic before baking (Blender: modifier Cycles of the F-curves; Maya: infinity Cycle with \
             equal tangents at the first and the last key).",
        )
        .plot(plot(body, clip, motion, point, direction));
    Some(finding)
}

fn drift(context: &Context<'_>, clip: usize, body: &Body<'_>, motion: &Motion, out: &mut Vec<Finding>) {
    let Some(travel) = motion.travel else { return };
    let distance = travel.net.length();
    let [least, walk] = DRIFT.map(|part| part * body.size);
    if !(distance > least) {
        return;
    }
    let node = body.source(travel.node);
    let (name, root) = (context.clip_words(clip), context.node_words(node));
    let speed = distance / motion.duration();
    let (severity, message, fix) = if distance < walk {
        let message = format!(
            "{name} loops, but {root} ends {} m beside its start. A looping player jumps back by that distance at each \
             pass; with root motion, the character wanders away.",
            digits(distance)
        );
        (Severity::Warning, message, "Set the last key of the root's position to the first one's value.")
    } else {
        let message = format!(
            "{name} moves {root} over the ground by {} m in each pass ({} m/s). Without root motion, a looping player \
             jumps back at the end.",
            digits(distance),
            digits(speed)
        );
        let fix = "Play it with root motion (`rootMotion: 'accumulate'`), or with `rootMotion: 'in-place'`.";
        (Severity::Info, message, fix)
    };
    out.push(
        Finding::new(codes::ROOT_DRIFT, severity, format!("/animations/{clip}"), message)
            .clip(clip)
            .node(node)
            .time(motion.duration())
            .value("distance", distance, Unit::Metres)
            .value("speed", speed, Unit::MetresPerSecond)
            .fix(fix)
            .trail((0..motion.times.len()).step_by(motion.times.len().div_ceil(64)).filter_map(|frame| {
                let point = body.tracked.iter().position(|joint| body.is_above(travel.node, *joint))?;
                Some(motion.place(frame, point).to_array())
            })),
    );
}
