//! Names that occur twice, and names of morph targets.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity, plural};
use super::super::raw::name;
use gambol_gltf::json::Value;
use std::collections::BTreeMap;

pub(super) fn check(context: &Context<'_>, out: &mut Vec<Finding>) {
    let mut animated = context.is_joint.clone();
    for channel in context.clips.iter().flat_map(|clip| &clip.channels) {
        animated[channel.node] = true;
    }
    for (kind, noun) in [("nodes", "nodes"), ("animations", "clips")] {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, element) in context.json.list(kind).iter().enumerate() {
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
            let listed = listed(found.iter().map(|(name, _)| *name));
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

/// Quotes at most four names.
fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(4);
    let quoted = names.take(4).map(|name| {
        let short: String = name.chars().take(80).collect();
        format!("“{short}”")
    });
    let listed = quoted.collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{listed} and {more} more names") } else { listed }
}

/// Names of morph targets: their number, and names that occur twice in a mesh.
pub(super) fn morphs(context: &Context<'_>, out: &mut Vec<Finding>) {
    for (m, mesh) in context.json.list("meshes").iter().enumerate() {
        let Some(names) = mesh.pointer("/extras/targetNames").and_then(Value::as_array) else { continue };
        let targets = mesh.list("primitives").iter().map(|primitive| primitive.list("targets").len());
        let targets = targets.max().unwrap_or(0);
        let pointer = format!("/meshes/{m}/extras/targetNames");
        let nodes = context.json.list("nodes").iter().enumerate();
        let nodes: Vec<usize> =
            nodes.filter(|(_, node)| node.index_at("mesh") == Some(m)).map(|(i, _)| i).collect();
        if names.len() != targets {
            let message = format!(
                "A mesh has {} for {}. Names belong to targets by their order, so a page or an expression may move another \
                 shape, or finds none.",
                plural(names.len(), "name"),
                plural(targets, "morph target")
            );
            out.push(
                Finding::new(codes::MORPH_NAMES, Severity::Warning, pointer.clone(), message)
                    .nodes(nodes.iter().copied())
                    .count("names", names.len())
                    .count("targets", targets)
                    .fix("Write one name for each target into `extras.targetNames` of the mesh, in their order."),
            );
        }
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, name) in names.iter().enumerate() {
            if let Some(name) = name.as_str().filter(|name| !name.is_empty()) {
                by_name.entry(name).or_default().push(i);
            }
        }
        let mut twice: Vec<(&str, Vec<usize>)> =
            by_name.into_iter().filter(|(_, places)| places.len() > 1).collect();
        twice.sort_unstable_by_key(|(_, places)| places[1]);
        let Some((_, first)) = twice.first() else { continue };
        let message = format!(
            "Several morph targets of a mesh have the same name: {}. A page or an expression that finds a target by name moves \
             the first of them, or all.",
            listed(twice.iter().map(|(name, _)| *name))
        );
        out.push(
            Finding::new(codes::NAME_TWICE, Severity::Warning, format!("{pointer}/{}", first[1]), message)
                .nodes(nodes)
                .count("names", twice.len())
                .count("count", twice.iter().map(|(_, places)| places.len()).sum())
                .fix("Give each shape key a name of its own in the tool that made the file."),
        );
    }
}
