//! Skins and skinned meshes: weights, influences, joints.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, PatchStep, Severity, Unit, digits, plural};
use gambol_gltf::json::Value;
use std::sync::Arc;

/// The deviation of a sum from 1 that is reported, and the one that pulls vertices visibly towards the origin. Weights that
/// are rounded to 8 bits stay below the first.
const SUM: [f64; 2] = [0.01, 0.05];
/// Influences per vertex and joints per skin that all players support.
const INFLUENCES: usize = 4;
const JOINTS: usize = 256;
/// Morph targets per mesh that players with lists of fixed size support.
const MORPHS: usize = 256;

pub(super) fn meshes(context: &Context<'_>, out: &mut Vec<Finding>) {
    for (m, mesh) in context.json.list("meshes").iter().enumerate() {
        let mut targets = 0;
        for (p, primitive) in mesh.list("primitives").iter().enumerate() {
            let pointer = format!("/meshes/{m}/primitives/{p}");
            targets = targets.max(primitive.list("targets").len());
            if let Some(attributes) = primitive.get("attributes") {
                weights(context, m, attributes, &format!("{pointer}/attributes"), out);
            }
        }
        if targets > MORPHS {
            let message = format!(
                "A mesh has {targets} morph targets. Players with a list of fixed size stop at {MORPHS} or earlier, and each \
                 one takes memory for all vertices."
            );
            out.push(
                Finding::new(
                    codes::MORPHS_MANY,
                    Severity::Warning,
                    format!("/meshes/{m}/primitives/0/targets"),
                    message,
                )
                .nodes(nodes_of_mesh(context, m))
                .count("targets", targets)
                .fix("Delete shape keys that no clip and no expression uses, or split the mesh."),
            );
        }
    }
}

fn nodes_of_mesh(context: &Context<'_>, mesh: usize) -> Vec<usize> {
    let nodes = context.json.list("nodes").iter().enumerate();
    nodes.filter(|(_, node)| node.index_at("mesh") == Some(mesh)).map(|(i, _)| i).collect()
}

/// The sets of weights of a primitive.
fn sets(context: &Context<'_>, attributes: &Value) -> Vec<Arc<[f32]>> {
    let sets = (0..64).map_while(|set| attributes.index_at(&format!("WEIGHTS_{set}")));
    let sets: Vec<Arc<[f32]>> = sets.filter_map(|accessor| context.accessors.floats(accessor)).collect();
    let length = sets.first().map_or(0, |set| set.len());
    if sets.iter().all(|set| set.len() == length && length.is_multiple_of(4)) { sets } else { Vec::new() }
}

fn weights(context: &Context<'_>, mesh: usize, attributes: &Value, pointer: &str, out: &mut Vec<Finding>) {
    let sets = sets(context, attributes);
    let vertices = sets.first().map_or(0, |set| set.len() / 4);
    let (mut uneven, mut worst) = (0, 1.0_f64);
    let (mut many, mut most, mut lost) = (0, 0, 0.0_f64);
    let mut of_vertex: Vec<f64> = Vec::new();
    for vertex in 0..vertices {
        of_vertex.clear();
        for set in &sets {
            of_vertex.extend(set[4 * vertex..4 * vertex + 4].iter().map(|&weight| f64::from(weight)));
        }
        let sum: f64 = of_vertex.iter().sum();
        // The importer reports weights that are not finite.
        if !sum.is_finite() {
            continue;
        }
        // The importer reports vertices without any weight.
        if sum > 0.0 && (sum - 1.0).abs() > SUM[0] {
            uneven += 1;
            if (sum - 1.0).abs() > (worst - 1.0).abs() {
                worst = sum;
            }
        }
        let influences = of_vertex.iter().filter(|weight| **weight > 0.0).count();
        if influences > INFLUENCES {
            many += 1;
            most = most.max(influences);
            of_vertex.sort_unstable_by(|a, b| b.total_cmp(a));
            lost = lost.max(of_vertex[INFLUENCES..].iter().sum::<f64>() / sum);
        }
    }
    if uneven > 0 {
        let severity = if (worst - 1.0).abs() > SUM[1] { Severity::Error } else { Severity::Warning };
        let message = format!(
            "The joint weights of {} do not sum to 1; the worst sum is {}. Players that do not normalise them pull these \
             vertices {} the origin of the model.",
            if uneven == 1 { "1 vertex".to_owned() } else { format!("{uneven} vertices") },
            digits(worst),
            if worst < 1.0 { "towards" } else { "away from" }
        );
        out.push(
            Finding::new(codes::WEIGHTS_SUM, severity, format!("{pointer}/WEIGHTS_0"), message)
                .nodes(nodes_of_mesh(context, mesh))
                .count("vertices", uneven)
                .count("of", vertices)
                .value("worst", worst, Unit::One)
                .fix(
                    "Normalise the weights (Blender: Weights, Normalize All; Maya: Skin, Normalize Weights).",
                )
                .by_optimize(),
        );
    }
    if many > 0 {
        let message = format!(
            "{many} of {vertices} vertices have more than {INFLUENCES} joint influences, at most {most}. Players that read \
             only JOINTS_0 lose up to {} % of a vertex's weight, so the mesh deforms differently there.",
            digits(100.0 * lost)
        );
        out.push(
            Finding::new(codes::INFLUENCES, Severity::Warning, format!("{pointer}/JOINTS_1"), message)
                .nodes(nodes_of_mesh(context, mesh))
                .count("vertices", many)
                .count("of", vertices)
                .count("influences", most)
                .value("lost", lost, Unit::One)
                .fix("Limit the influences to 4 (Blender: Weights, Limit Total; Maya: Max Influences of the skin cluster)."),
        );
    }
}

pub(super) fn joints(context: &Context<'_>, out: &mut Vec<Finding>) {
    let nodes = context.json.list("nodes");
    let skins = context.json.list("skins");
    let mut moves = weighted(context);
    for (i, node) in nodes.iter().enumerate() {
        // A joint may carry a hat, a camera, a light, or whatever an extension puts there.
        moves[i] |= ["mesh", "camera", "extensions"].iter().any(|key| node.get(*key).is_some());
    }
    if let Some(body) = &context.body {
        // Nodes of a VRM file serve its bones, its springs and their colliders.
        let bones =
            body.model.humanoid.iter().flat_map(|humanoid| humanoid.bones.iter().map(|(_, node)| *node));
        let springs = body.model.springs.iter();
        let chains =
            springs.clone().flat_map(|springs| springs.chains.iter().flat_map(|chain| &chain.joints));
        let colliders = springs.flat_map(|springs| &springs.colliders);
        let swinging = chains.map(|joint| joint.node).chain(colliders.map(|collider| collider.node));
        for node in bones.chain(swinging) {
            moves[body.source(node)] = true;
        }
    }
    carry(context, &mut moves);
    for (s, skin) in skins.iter().enumerate() {
        let joints: Vec<usize> =
            skin.list("joints").iter().filter_map(|joint| joint.as_u64().map(|i| i as usize)).collect();
        let pointer = format!("/skins/{s}/joints");
        if joints.len() > JOINTS {
            let message = format!(
                "A skin has {} joints. Players that keep matrices in uniforms stop at {JOINTS} or earlier, and joint indices \
                 need 16 bits.",
                joints.len()
            );
            out.push(
                Finding::new(codes::JOINTS_MANY, Severity::Warning, pointer.clone(), message)
                    .count("joints", joints.len())
                    .fix("Split the mesh by body parts, or leave out joints that move nothing."),
            );
        }
        let idle: Vec<usize> =
            joints.iter().copied().filter(|&joint| moves.get(joint) == Some(&false)).collect();
        // A skin whose meshes cannot be read has no known weights.
        if idle.is_empty() || idle.len() == joints.len() {
            continue;
        }
        let message = format!(
            "{} of {} move no vertex, and neither does anything below them: {}. Players compute their matrices in each frame \
             all the same.",
            idle.len(),
            plural(joints.len(), "joint"),
            context.node_list(&idle)
        );
        let at = joints.iter().position(|joint| *joint == idle[0]).unwrap_or(0);
        out.push(
            Finding::new(codes::JOINTS_IDLE, Severity::Info, format!("{pointer}/{at}"), message)
                .count("joints", idle.len())
                .count("of", joints.len())
                .nodes(idle)
                .fix("Export deforming bones only, without leaf bones; keep those that carry attachments."),
        );
    }
}

/// `true` for each node with a weight above 0 in a mesh of its skin.
fn weighted(context: &Context<'_>) -> Vec<bool> {
    let nodes = context.json.list("nodes");
    let mut moves = vec![false; nodes.len()];
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for node in nodes {
        let Some(pair) = node.index_at("mesh").zip(node.index_at("skin")) else { continue };
        if seen.contains(&pair) {
            continue;
        }
        seen.push(pair);
        let Some(skin) = context.json.list("skins").get(pair.1) else { continue };
        let joints: Vec<Option<u64>> = skin.list("joints").iter().map(Value::as_u64).collect();
        let meshes = context.json.list("meshes").get(pair.0);
        for primitive in meshes.map_or(&[][..], |mesh| mesh.list("primitives")) {
            let Some(attributes) = primitive.get("attributes") else { continue };
            for set in 0..64 {
                let accessor = |name: &str| attributes.index_at(&format!("{name}_{set}"));
                let Some((from, by)) = accessor("JOINTS").zip(accessor("WEIGHTS")) else { break };
                let Some((from, by)) = context.accessors.floats(from).zip(context.accessors.floats(by))
                else {
                    break;
                };
                for (joint, weight) in from.iter().zip(by.iter()).filter(|(_, weight)| **weight > 0.0) {
                    let _ = weight;
                    let node = joints.get(*joint as usize).copied().flatten();
                    if let Some(moves) = node.and_then(|node| moves.get_mut(node as usize)) {
                        *moves = true;
                    }
                }
            }
        }
    }
    moves
}

/// Marks the ancestors of marked nodes.
fn carry(context: &Context<'_>, moves: &mut [bool]) {
    for node in 0..moves.len() {
        if !moves[node] {
            continue;
        }
        let mut up = context.parents[node];
        // Ends at a marked node, so also in a cycle.
        while let Some(above) = up.filter(|&above| !moves[above]) {
            moves[above] = true;
            up = context.parents[above];
        }
    }
}

pub(super) fn transforms(context: &Context<'_>, out: &mut Vec<Finding>) {
    for (i, node) in context.json.list("nodes").iter().enumerate() {
        if node.get("skin").is_none() || node.get("mesh").is_none() {
            continue;
        }
        let own = !is_identity(node);
        let ancestors = std::iter::successors(context.parents[i], |&node| context.parents[node]);
        let nodes = context.json.list("nodes");
        // A cycle of parents has an end here, too.
        let above = ancestors.take(nodes.len()).find(|&node| !is_identity(&nodes[node]));
        let name = context.node_words(i);
        let (severity, message) = if own {
            let message = format!(
                "The skinned mesh {name} has a transform of its own. By the specification only its joints place it, so the \
                 transform is ignored; players that apply it show the mesh elsewhere, or twice as large."
            );
            (Severity::Warning, message)
        } else if let Some(above) = above {
            let message = format!(
                "The skinned mesh {name} is below {}, which has a transform. By the specification only its joints place the \
                 mesh; some players apply the transform of its parents as well.",
                context.node_words(above)
            );
            (Severity::Info, message)
        } else {
            continue;
        };
        let keys = ["translation", "rotation", "scale", "matrix"];
        let present = keys.iter().filter(|key| node.get(**key).is_some());
        let patch = present.map(|key| PatchStep::Remove(format!("/nodes/{i}/{key}"))).collect();
        out.push(
            Finding::new(codes::SKINNED_TRANSFORM, severity, format!("/nodes/{i}"), message)
                .node(i)
                .fix("Apply all transforms of mesh and armature before binding, and place the mesh beside the root joint.")
                .patch(if own { patch } else { Vec::new() }),
        );
    }
}

fn is_identity(node: &Value) -> bool {
    let near = |key: &str, identity: &[f64]| {
        let given = node.list(key);
        let pairs = given.iter().zip(identity);
        given.len() != identity.len()
            || pairs.into_iter().all(|(a, b)| (a.as_f64().unwrap_or(*b) - b).abs() < 1e-5)
    };
    let mut matrix = [0.0; 16];
    matrix.iter_mut().step_by(5).for_each(|one| *one = 1.0);
    let turned = node
        .read::<[f64; 4]>("rotation")
        .is_some_and(|[x, y, z, _]| x.abs().max(y.abs()).max(z.abs()) > 1e-5);
    near("translation", &[0.0; 3]) && near("scale", &[1.0; 3]) && near("matrix", &matrix) && !turned
}
