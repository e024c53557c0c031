//! Names that occur twice.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity};
use super::super::raw::{list, name};
use std::collections::BTreeMap;

pub(super) fn check(context: &Context<'_>, out: &mut Vec<Finding>) {
    let mut animated = context.is_joint.clone();
    for channel in context.clips.iter().flat_map(|clip| &clip.channels) {
        animated[channel.node] = true;
    }
    for (kind, noun) in [("nodes", "nodes"), ("animations", "clips")] {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, element) in list(context.json, kind).iter().enumerate() {
            if !name(element).is_empty() {
                by_name.entry(name(element)).or_default().push(i);
            }
        }
        let mut twice: Vec<(&str, Vec<usize>)> = by_name.into_iter().filter(|(_, places)| places.len() > 1).collect();
        twice.sort_unstable_by_key(|(_, places)| places[1]);
        for (name, places) in twice {
            let counts = kind == "animations" || places.iter().any(|&node| animated[node]);
            let severity = if counts { Severity::Warning } else { Severity::Info };
            let effect = if kind == "animations" {
                "A page that plays a clip by name gets the first of them."
            } else if counts {
                "Players that bind clips by name move the first of them, and retargeting pairs the wrong ones."
            } else {
                "A page that finds a node by name gets the first of them."
            };
            let short: String = name.chars().take(80).collect();
            let message = format!("{} {noun} are called “{short}”. {effect}", places.len());
            let finding = Finding::new(codes::NAME_TWICE, severity, format!("/{kind}/{}/name", places[1]), message)
                .count("count", places.len())
                .fix("Give each a name of its own in the tool that made the file.");
            out.push(if kind == "animations" { finding.clip(places[1]) } else { finding.nodes(places) });
        }
    }
}
