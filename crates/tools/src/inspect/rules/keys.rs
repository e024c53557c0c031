//! Keys: channels that say nothing, keys on a line, rates, single keys.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity, Unit, digits, plural};
use super::super::grid::Grid;
use super::super::lines::kept_keys;
use super::super::raw::{Channel, Path};

/// Values differ if a component differs by more: of rotations, scales and weights; and of positions in parts of the model's
/// size.
const SAME: f64 = 1e-5;
/// The tolerances of keys on a line: positions in parts of the model's size, rotations in radians, other values.
const LINE: f64 = 1e-4;
/// The least part of a clip's keys on lines that is reported, and the least number.
const PART: f64 = 0.1;
const COUNT: usize = 16;
/// The least time before the first key that is seen, in seconds.
const LATE: f64 = 0.001;

pub(super) fn check(context: &Context<'_>, clip: usize, out: &mut Vec<Finding>) {
    let constant = constants(context, clip, out);
    lines(context, clip, &constant, out);
    single(context, clip, out);
    late(context, clip, &constant, out);
    early(context, clip, out);
}

/// The largest difference of two values that counts as none.
fn tolerance(context: &Context<'_>, path: Path) -> f64 {
    if path == Path::Translation { SAME * context.size() } else { SAME }
}

/// Channels whose keys are all equal. Returns their indices.
fn constants(context: &Context<'_>, clip: usize, out: &mut Vec<Finding>) -> Vec<usize> {
    let channels = &context.clips[clip].channels;
    let (mut at_rest, mut constant, mut still) = (Vec::new(), Vec::new(), Vec::new());
    for channel in channels {
        let near = tolerance(context, channel.path);
        let first = channel.value(0);
        let differs = |a: &[f32], b: &[f64]| {
            let distance = |sign: f64| {
                let pairs = a.iter().zip(b);
                pairs.map(|(a, b)| (f64::from(*a) - sign * b).abs()).fold(0.0, f64::max)
            };
            // Opposite quaternions are the same rotation.
            let other = if channel.path == Path::Rotation { distance(-1.0) } else { f64::INFINITY };
            distance(1.0).min(other) > near
        };
        let first_numbers: Vec<f64> = first.iter().map(|&value| f64::from(value)).collect();
        // Tangents of a spline move it between equal keys.
        let tangents = channel.all().len() > channel.times.len() * channel.width;
        let bends = tangents
            && channel.all().chunks_exact(3 * channel.width).any(|row| {
                let (a, b) = (&row[..channel.width], &row[2 * channel.width..]);
                a.iter().chain(b).any(|&value| f64::from(value).abs() > near)
            });
        if bends || channel.rows().any(|row| differs(row, &first_numbers)) {
            continue;
        }
        still.push(channel.index);
        match context.rest(channel.node, channel.path) {
            Some(rest) if rest.len() == channel.width && !differs(first, &rest) => at_rest.push(channel),
            // Two keys keep the duration of the clip.
            _ if channel.times.len() > 2 => constant.push(channel),
            _ => {}
        }
    }
    for (code, found, words) in [
        (codes::CHANNEL_AT_REST, at_rest, "with the value of their node at all keys: they change nothing"),
        (codes::CHANNEL_CONSTANT, constant, "with the same value at all keys, where two keys are enough"),
    ] {
        let Some(first) = found.first() else { continue };
        let keys: usize = found.iter().map(|channel| channel.times.len()).sum();
        let mut nodes: Vec<usize> = found.iter().map(|channel| channel.node).collect();
        nodes.dedup();
        let message = format!(
            "{} has {} of {} {words}. They take {}, and time in each frame. The first is the {} of {}.",
            context.clip_words(clip),
            plural(found.len(), "channel"),
            channels.len(),
            plural(keys, "key"),
            first.path.name(),
            context.node_words(first.node)
        );
        out.push(
            Finding::new(code, Severity::Info, Context::pointer_of_channel(clip, first.index), message)
                .clip(clip)
                .nodes(nodes)
                .count("channels", found.len())
                .count("of", channels.len())
                .count("keys", keys)
                .fix("Export only keyed channels (Blender: Optimize Animation Size, without Force keeping channels).")
                .by_optimize(),
        );
    }
    still
}

/// Keys that the line between others replaces, in channels that move.
fn lines(context: &Context<'_>, clip: usize, constant: &[usize], out: &mut Vec<Finding>) {
    let moving = context.clips[clip].channels.iter().filter(|channel| !constant.contains(&channel.index));
    let (mut keys, mut kept, mut most, mut worst) = (0, 0, 0, None);
    for channel in moving {
        let tolerance = if channel.path == Path::Translation { LINE * context.size() } else { LINE };
        let count = channel.times.len();
        let needed = kept_keys(channel, tolerance);
        keys += count;
        kept += needed;
        if count - needed > most {
            (most, worst) = (count - needed, Some(channel));
        }
    }
    let Some(worst) = worst else { return };
    let replaced = keys - kept;
    if replaced < COUNT || (replaced as f64) < PART * keys as f64 {
        return;
    }
    let message = format!(
        "{}: {replaced} of {} lie on the line between their neighbours, within {} m or {}°. The motion is the same without \
         them; most are in the {} of {}.",
        context.clip_words(clip),
        plural(keys, "key"),
        digits(LINE * context.size()),
        digits(LINE.to_degrees()),
        worst.path.name(),
        context.node_words(worst.node)
    );
    out.push(
        Finding::new(
            codes::KEYS_ON_LINE,
            Severity::Info,
            Context::pointer_of_channel(clip, worst.index),
            message,
        )
        .clip(clip)
        .node(worst.node)
        .count("replaced", replaced)
        .count("keys", keys)
        .count("kept", kept)
        .fix("Reduce the keys after baking, with an error measured on the mesh.")
        .by_optimize(),
    );
}

fn single(context: &Context<'_>, clip: usize, out: &mut Vec<Finding>) {
    let channels = &context.clips[clip].channels;
    if channels.is_empty() || channels.iter().any(|channel| channel.times.len() > 1) {
        return;
    }
    let message = format!(
        "{} has one key in each channel: it is a pose, not a motion. Players show it for no time, or divide by its duration.",
        context.clip_words(clip)
    );
    out.push(
        Finding::new(codes::SINGLE_KEY, Severity::Info, format!("/animations/{clip}"), message)
            .clip(clip)
            .count("channels", channels.len())
            .value("duration", context.clips[clip].end, Unit::Seconds)
            .fix("Hold the pose for two frames at least, or delete the clip if it was exported by mistake."),
    );
}

fn late(context: &Context<'_>, clip: usize, constant: &[usize], out: &mut Vec<Finding>) {
    let moving = context.clips[clip].channels.iter();
    let moving = moving.filter(|channel| channel.times.len() > 1 && !constant.contains(&channel.index));
    let first = moving.map(|channel| f64::from(channel.times[0])).fold(f64::INFINITY, f64::min);
    let end = context.clips[clip].end;
    if !(first > LATE && first < end) {
        return;
    }
    let message = format!(
        "The keys of {} begin at {} s. The first pose stands still until then, which is a stop in each pass of a loop.",
        context.clip_words(clip),
        digits(first)
    );
    out.push(
        Finding::new(codes::KEYS_LATE, Severity::Info, format!("/animations/{clip}"), message)
            .clip(clip)
            .time(first)
            .value("first", first, Unit::Seconds)
            .fix(
                "Begin the action at frame 0, or export with the setting that shifts it there (Blender: Set all glTF \
                 Animation Starting at 0).",
            )
            .by_optimize(),
    );
}

/// Keys before 0, of any channel.
fn early(context: &Context<'_>, clip: usize, out: &mut Vec<Finding>) {
    let (mut first, mut place, mut keys) = (0.0, None, 0);
    let Some(animation) = context.json.list("animations").get(clip) else { return };
    for (sampler, each) in animation.list("samplers").iter().enumerate() {
        let times = each.index_at("input").and_then(|input| context.accessors.floats(input));
        let times = times.iter().flat_map(|times| times.iter());
        for &time in times.filter(|time| time.is_finite() && **time < 0.0) {
            keys += 1;
            if f64::from(time) < first {
                (first, place) = (f64::from(time), Some(sampler));
            }
        }
    }
    let Some(sampler) = place else { return };
    let early = context.clips[clip].channels.iter().filter(|channel| channel.times[0] < 0.0);
    let message = format!(
        "{} has {} before 0; the first is at {} s. A clip of glTF begins at 0, so this part of the motion is not played.",
        context.clip_words(clip),
        plural(keys, "key"),
        digits(first)
    );
    let pointer = format!("/animations/{clip}/samplers/{sampler}/input");
    out.push(
        Finding::new(codes::KEYS_EARLY, Severity::Error, pointer, message)
            .clip(clip)
            .nodes(early.map(|channel| channel.node))
            .value("first", first, Unit::Seconds)
            .count("keys", keys)
            .fix(
                "Move the keys to 0 or later, or export with the setting that shifts them there (Blender: Set all glTF \
                 Animation Starting at 0).",
            ),
    );
}

/// Clips and channels whose keys lie on other frames.
pub(super) fn rates(context: &Context<'_>, out: &mut Vec<Finding>) {
    // Of each clip, the rate of most channels.
    let mut of_clips: Vec<(usize, f64)> = Vec::new();
    for (clip, each) in context.clips.iter().enumerate() {
        let timed: Vec<(&Channel, Grid)> =
            each.channels.iter().filter_map(|channel| Some((channel, Grid::of(&channel.times)?))).collect();
        uneven(context, clip, &timed, out);
        let mut rates: Vec<(f64, usize, &Channel)> = Vec::new();
        for (channel, grid) in &timed {
            let Grid::Rate(rate) = *grid else { continue };
            match rates.iter_mut().find(|(known, ..)| (known - rate).abs() < 0.002 * rate) {
                Some((_, count, _)) => *count += 1,
                None => rates.push((rate, 1, channel)),
            }
        }
        let Some(&(usual, ..)) = rates.iter().max_by_key(|(_, count, _)| *count) else { continue };
        of_clips.push((clip, usual));
        let others = rates.iter().filter(|(rate, ..)| !Grid::agree(usual, *rate));
        let count: usize = others.clone().map(|(_, count, _)| *count).sum();
        // A channel with a key on each second frame fits the rate of the others.
        if let Some(&(other, _, channel)) = others.clone().next() {
            let message = format!(
                "{}: most channels have {} frames per second, but {} {}. No frame rate shows all keys, so tools that resample \
                 the clip lose some.",
                context.clip_words(clip),
                digits(usual),
                if count == 1 { "1 has".to_owned() } else { format!("{count} have") },
                digits(other)
            );
            let pointer = Context::pointer_of_channel(clip, channel.index);
            out.push(
                Finding::new(codes::FRAME_RATES, Severity::Info, pointer, message)
                    .clip(clip)
                    .node(channel.node)
                    .value("rate", usual, Unit::FramesPerSecond)
                    .value("other", other, Unit::FramesPerSecond)
                    .count("channels", count)
                    .fix("Bake all channels at the scene's frame rate."),
            );
        }
    }
    let Some(&(first, usual)) = of_clips.first() else { return };
    let others: Vec<(usize, f64)> =
        of_clips.iter().copied().filter(|(_, rate)| !Grid::agree(usual, *rate)).collect();
    let Some(&(clip, other)) = others.first() else { return };
    let message = format!(
        "Clips have different frame rates: {} has {} frames per second, {} has {}. Transitions between them are right in a \
         player by time, but not in tools that count frames.",
        context.clip_words(first),
        digits(usual),
        context.clip_words(clip),
        digits(other)
    );
    out.push(
        Finding::new(codes::FRAME_RATES, Severity::Info, format!("/animations/{clip}"), message)
            .clip(clip)
            .value("rate", usual, Unit::FramesPerSecond)
            .value("other", other, Unit::FramesPerSecond)
            .count("clips", others.len())
            .fix("Export all clips from scenes with the same frame rate."),
    );
}

fn uneven(context: &Context<'_>, clip: usize, timed: &[(&Channel, Grid)], out: &mut Vec<Finding>) {
    let uneven = timed.iter().filter(|(_, grid)| matches!(grid, Grid::Uneven));
    let uneven: Vec<&Channel> = uneven.map(|(channel, _)| *channel).collect();
    let Some(first) = uneven.first() else { return };
    let intervals = uneven.iter().flat_map(|channel| channel.times.windows(2));
    let intervals = intervals.map(|pair| f64::from(pair[1]) - f64::from(pair[0]));
    let (least, most) = intervals.fold((f64::INFINITY, 0.0_f64), |(a, b), each| (a.min(each), b.max(each)));
    let message = format!(
        "{}: the keys of {} lie on the frames of no usual rate; the distances between keys are {} to {} s. Tools that count \
         frames shift them.",
        context.clip_words(clip),
        plural(uneven.len(), "channel"),
        digits(least),
        digits(most)
    );
    out.push(
        Finding::new(
            codes::KEYS_UNEVEN,
            Severity::Info,
            Context::pointer_of_channel(clip, first.index),
            message,
        )
        .clip(clip)
        .nodes(uneven.iter().map(|channel| channel.node))
        .value("least", least, Unit::Seconds)
        .value("most", most, Unit::Seconds)
        .count("channels", uneven.len())
        .fix("Bake the clip at a fixed rate, or snap the keys to frames before the export."),
    );
}
