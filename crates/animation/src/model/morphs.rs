//! Morphs: morph targets by their names.

use super::clip::{Clip, Interpolation, Path};
use super::ids::{MeshId, NodeId};
use super::palette_layout::PaletteLayout;
use super::properties::Property;
use super::root::Model;
use crate::base::order;

/// All morph targets with one name, which a page sets together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Morph {
    /// The name in the file. A target without a name is called by its mesh and its index: `Face[2]`, or
    /// `#5[2]` for the mesh with index 5 if that has no name, either.
    pub name: String,
    /// The meshes with a target of this name, in the order of the file; each once.
    pub meshes: Vec<MeshId>,
    /// The indices of its weights in a pose: one for each target and for each node that has its mesh. There is
    /// at least one.
    pub weights: Vec<usize>,
}

impl Morph {
    /// The morphs of a model, in the order in which their names first occur in the file. Meshes without a node
    /// are ignored.
    ///
    /// - `layout`: that of the model.
    pub fn list(model: &Model, layout: &PaletteLayout) -> Vec<Self> {
        let mut begins_of_mesh: Vec<Vec<usize>> = vec![Vec::new(); model.meshes.len()];
        for (node, weights) in model.nodes.iter().zip(&layout.weights_of_node) {
            if let Some(mesh) = node.mesh {
                begins_of_mesh[mesh.index()].push(weights.start as usize);
            }
        }
        let mut targets: Vec<(String, usize, usize)> = Vec::new();
        for (m, mesh) in model.meshes.iter().enumerate().filter(|(m, _)| !begins_of_mesh[*m].is_empty()) {
            for (target, name) in mesh.target_names.iter().enumerate() {
                let name = match (name.as_str(), mesh.name.as_str()) {
                    ("", "") => format!("#{m}[{target}]"),
                    ("", mesh) => format!("{mesh}[{target}]"),
                    (name, _) => name.to_owned(),
                };
                targets.push((name, m, target));
            }
        }
        let by_name = order(targets.len(), &|a, b| targets[a].0.cmp(&targets[b].0));
        let groups: Vec<&[usize]> = by_name.chunk_by(|&a, &b| targets[a].0 == targets[b].0).collect();
        let by_place = order(groups.len(), &|a, b| groups[a].first().cmp(&groups[b].first()));
        let morph = |group: usize| {
            let mut morph = Self { name: String::new(), meshes: Vec::new(), weights: Vec::new() };
            for &i in groups[group] {
                let (name, m, target) = &targets[i];
                morph.weights.extend(begins_of_mesh[*m].iter().map(|begin| begin + target));
                if morph.meshes.last() != Some(&MeshId::new(*m)) {
                    morph.meshes.push(MeshId::new(*m));
                }
                morph.name.clone_from(name);
            }
            morph
        };
        by_place.into_iter().map(morph).collect()
    }

    /// The range of each weight of a pose: the smallest that contains 0, 1, the weight at rest and all keys of
    /// the clips.
    pub fn ranges<'a>(
        model: &Model,
        layout: &PaletteLayout,
        clips: impl IntoIterator<Item = &'a Clip>,
    ) -> Vec<[f32; 2]> {
        let rest = model.nodes.iter().flat_map(|node| &node.weights);
        let mut ranges: Vec<[f32; 2]> = rest.map(|&weight| [weight.min(0.0), weight.max(1.0)]).collect();
        let begin = |node: NodeId| layout.weights_of_node[node.index()].start as usize;
        for clip in clips {
            let nodes = clip.channels.iter().filter(|channel| channel.path == Path::Weights);
            let nodes = nodes.map(|channel| (begin(channel.node), channel.curve));
            let single = clip.properties.iter().filter_map(|channel| match channel.property {
                Property::Weight(node, target) => Some((begin(node) + target as usize, channel.curve)),
                _ => None,
            });
            for (begin, curve) in nodes.chain(single) {
                let curve = &clip.curves[curve];
                let parts = if curve.interpolation() == Interpolation::CubicSpline { 3 } else { 1 };
                let rows = curve.values().chunks_exact(curve.width().max(1)).skip(parts / 2).step_by(parts);
                for row in rows {
                    for (&value, [low, high]) in row.iter().zip(&mut ranges[begin..]) {
                        (*low, *high) = (low.min(value), high.max(value));
                    }
                }
            }
        }
        ranges
    }

    /// The range of the morph: the smallest that contains those of its weights.
    ///
    /// - `ranges`: from [`Morph::ranges`].
    pub fn range(&self, ranges: &[[f32; 2]]) -> [f32; 2] {
        let own = self.weights.iter().map(|&weight| ranges[weight]);
        own.fold([0.0, 1.0], |a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }
}
