//! Scales that are zero or negative.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity, Unit, plural};
use super::super::raw::Path;

pub(super) fn nodes(context: &Context<'_>, out: &mut Vec<Finding>) {
    for (i, node) in context.json.list("nodes").iter().enumerate() {
        let Some(scale) = node.read::<[f64; 3]>("scale") else { continue };
        let pointer = format!("/nodes/{i}/scale");
        if let Some(finding) = of_value(context, i, scale, &pointer, "without a clip") {
            out.push(finding);
        }
    }
}

pub(super) fn channels(context: &Context<'_>, clip: usize, out: &mut Vec<Finding>) {
    for channel in context.clips[clip].channels.iter().filter(|channel| channel.path == Path::Scale) {
        let rows = channel.rows().map(|row| [0, 1, 2].map(|i| f64::from(row[i])));
        let faulty: Vec<(usize, [f64; 3])> =
            rows.enumerate().filter(|(_, scale)| scale.iter().any(|axis| *axis <= 0.0)).collect();
        let Some(&(key, scale)) = faulty.first() else { continue };
        let time = f64::from(channel.times[key]);
        let words = format!("at {} of {}", plural(faulty.len(), "key"), context.clip_words(clip));
        let pointer = Context::pointer_of_channel(clip, channel.index);
        if let Some(finding) = of_value(context, channel.node, scale, &pointer, &words) {
            out.push(finding.clip(clip).time(time).count("keys", faulty.len()));
        }
    }
}

fn of_value(
    context: &Context<'_>,
    node: usize,
    scale: [f64; 3],
    pointer: &str,
    words: &str,
) -> Option<Finding> {
    let least = scale.into_iter().fold(f64::INFINITY, f64::min);
    let zeros = scale.iter().filter(|axis| **axis == 0.0).count();
    let negative = scale.iter().filter(|axis| **axis < 0.0).count();
    let name = context.node_words(node);
    let (code, severity, message, fix) = if zeros > 0 {
        // All axes at 0 hide the node, which is a habit of games.
        let severity = if zeros == 3 { Severity::Info } else { Severity::Warning };
        let message = format!(
            "The scale of {name} is 0 along {} {words}. Its meshes and children collapse; normals and inverse matrices do \
             not exist there.",
            if zeros == 3 { "all axes".to_owned() } else { plural(zeros, "axis").replace("axiss", "axes") }
        );
        let fix = "Use a small scale such as 0.001, or KHR_node_visibility to hide the node.";
        (codes::SCALE_ZERO, severity, message, fix)
    } else if negative > 0 {
        let severity =
            if context.is_joint.get(node) == Some(&true) { Severity::Warning } else { Severity::Info };
        let message = format!(
            "The scale of {name} is negative along {} {words}, so everything below it is mirrored. Retargeting, physics and \
             blending with other clips turn it inside out in some players.",
            plural(negative, "axis").replace("axiss", "axes")
        );
        let fix =
            "Apply the scale before binding (Blender: Object, Apply, Scale; Maya: Freeze Transformations).";
        (codes::SCALE_NEGATIVE, severity, message, fix)
    } else {
        return None;
    };
    Some(Finding::new(code, severity, pointer, message).node(node).value("scale", least, Unit::One).fix(fix))
}
