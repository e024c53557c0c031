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
        let mut twice: Vec<(&str, Vec<usize>)> =
            by_name.into_iter().filter(|(_, places)| places.len() > 1).collect();
        twice.sort_unstable_by_key(|(_, places)| places[1]);
        let counts = |places: &[usize]| kind == "animations" || places.iter().any(|&node| animated[node]);
        let (bound, others): (Vec<_>, Vec<_>) = twice.into_iter().partition(|(_, places)| counts(places));
        for (severity, found) in [(Severity::Warning, bound), (Severity::Info, others)] {
            let Some((_, first)) = found.first() else { continue };
            let effect = match (kind, severity) {
                ("animations", _) => "A page that plays a clip by name gets the first of them.",
                (_, Severity::Warning) => {
                    "Players that bind clips by name move the first of them, and retargeting pairs the wrong ones."
                }
                _ => "A page that finds a node by name gets the first of them.",
            };
            let quoted = found.iter().take(4).map(|(name, _)| {
                let short: String = name.chars().take(80).collect();
                format!("“{short}”")
            });
            let mut listed = quoted.collect::<Vec<_>>().join(", ");
            if found.len() > 4 {
                listed = format!("{listed} and {} more names", found.len() - 4);
            }
            let several = if found.len() == 1 { "Several" } else { "In each case several" };
            let message = format!("{several} {noun} have the same name: {listed}. {effect}");
            let finding =
                Finding::new(codes::NAME_TWICE, severity, format!("/{kind}/{}/name", first[1]), message)
                    .count("names", found.len())
                    .count("count", found.iter().map(|(_, places)| places.len()).sum())
                    .fix("Give each a name of its own in the tool that made the file.");
            let places = found.iter().flat_map(|(_, places)| places.iter().copied());
            out.push(if kind == "animations" { finding.clip(first[1]) } else { finding.nodes(places) });
        }
    }
}
