//! Imports clips of another file for a model with the same joint names.

use crate::animation::joint_names::essence;
use crate::model::{Channel, Clip, Curve, Model, Node, NodeId, Path};
use std::collections::{HashMap, HashSet};

/// The clips of another model that a model can play.
#[derive(Debug, Default)]
pub struct ImportedClips {
    /// The clips with at least one channel, in the order of the file.
    pub clips: Vec<Clip>,
    /// The number of channels that were skipped.
    pub skipped_channels: usize,
}

/// The clips of `other`, converted for `model`. Each channel moves the node that
/// [`find_joint`](crate::animation::joint_names::find_joint) finds for the name of its own node. Values are
/// not changed, so the skeletons should be the same.
///
/// These channels are skipped:
/// - of nodes without a name, or with a name that `model` does not have,
/// - of a node and path that an earlier channel already moves,
/// - of weights for another number of morph targets,
/// - of properties.
pub fn import_clips(model: &Model, other: &Model) -> ImportedClips {
    let joints = Joints::new(model);
    let nodes: Vec<Option<NodeId>> = other.nodes.iter().map(|node| joints.find(&node.name)).collect();
    let mut borrowed = ImportedClips::default();
    for clip in &other.clips {
        let mut moved = HashSet::new();
        let mut curve_of = HashMap::new();
        let mut curves: Vec<Curve> = Vec::new();
        let mut channels = Vec::new();
        for &Channel { node, path, curve } in &clip.channels {
            let Some(node) = nodes[node.index()] else { continue };
            let fits = path != Path::Weights
                || model.nodes[node.index()].weights.len() == clip.curves[curve].width();
            if !fits || !moved.insert((node, path)) {
                continue;
            }
            let curve = *curve_of.entry(curve).or_insert_with(|| {
                curves.push(clip.curves[curve].clone());
                curves.len() - 1
            });
            channels.push(Channel { node, path, curve });
        }
        borrowed.skipped_channels += clip.channels.len() + clip.properties.len() - channels.len();
        if !channels.is_empty() {
            let (name, markers) = (clip.name.clone(), clip.markers.clone());
            borrowed.clips.push(Clip {
                name,
                duration: clip.duration,
                channels,
                properties: Vec::new(),
                curves,
                markers,
            });
        }
    }
    borrowed
}

/// The nodes sorted by name, for the search of [`find_joint`](crate::animation::joint_names::find_joint) in
/// files with very many nodes.
struct Joints {
    exact: Vec<(String, NodeId)>,
    similar: Vec<(String, NodeId)>,
}

impl Joints {
    fn new(model: &Model) -> Self {
        Self { exact: by(&model.nodes, &str::to_owned), similar: by(&model.nodes, &similar) }
    }

    fn find(&self, name: &str) -> Option<NodeId> {
        first(&self.exact, name).or_else(|| first(&self.similar, &similar(name)))
    }
}

fn similar(name: &str) -> String {
    essence(name).collect()
}

/// The nodes sorted by the `key` of their names; equal keys in the order of the file.
fn by(nodes: &[Node], key: &dyn Fn(&str) -> String) -> Vec<(String, NodeId)> {
    let named = |(i, node): (usize, &Node)| (key(&node.name), NodeId::new(i));
    let mut sorted: Vec<(String, NodeId)> = nodes.iter().enumerate().map(named).collect();
    let source = |node: NodeId| nodes[node.index()].source;
    sorted.sort_unstable_by(|(a, i), (b, j)| a.cmp(b).then_with(|| source(*i).cmp(&source(*j))));
    sorted
}

fn first(sorted: &[(String, NodeId)], name: &str) -> Option<NodeId> {
    let at = sorted.partition_point(|(known, _)| known.as_str() < name);
    sorted.get(at).filter(|(known, _)| known == name && !name.is_empty()).map(|&(_, node)| node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::joint_names::find_joint;
    use crate::model::{Interpolation, Marker};

    fn node(i: usize, name: &str, targets: usize) -> Node {
        Node { name: name.to_owned(), source: i as u32, weights: vec![0.0; targets], ..Node::default() }
    }

    fn model(names: &[&str]) -> Model {
        let nodes = names.iter().enumerate().map(|(i, name)| node(i, name, 0)).collect();
        Model { nodes, ..Model::default() }
    }

    fn curve(width: usize, value: f32) -> Curve {
        Curve::new(Interpolation::Step, width, vec![0.0, 1.0], vec![value; 2 * width]).expect("two keys")
    }

    /// A model whose clip moves each node by its own curve, then scales all of them by the first curve.
    fn moving(names: &[&str]) -> Model {
        let mut other = model(names);
        let count = names.len();
        let channel = |node: usize, path, curve| Channel { node: NodeId::new(node), path, curve };
        let channels = (0..count)
            .map(|i| channel(i, Path::Translation, i))
            .chain((0..count).map(|i| channel(i, Path::Scale, 0)));
        other.clips.push(Clip {
            name: "Walk".to_owned(),
            duration: 1.0,
            channels: channels.collect(),
            properties: Vec::new(),
            curves: (0..count).map(|i| curve(3, i as f32)).collect(),
            markers: vec![Marker { name: "step".to_owned(), time: 0.5 }],
        });
        other
    }

    #[test]
    fn import_clips_maps_channels_to_nodes_by_name() {
        let own = model(&["Hips", "Spine", "mixamorig:Head"]);
        let ImportedClips { clips, skipped_channels } =
            import_clips(&own, &moving(&["head", "Tail", "Hips"]));
        assert_eq!((clips.len(), skipped_channels), (1, 2), "the tail stays");
        let clip = &clips[0];
        let moved: Vec<_> = clip.channels.iter().map(|one| (one.node.index(), one.path, one.curve)).collect();
        let of = |path| [(2, path, 0), (0, path, if path == Path::Scale { 0 } else { 1 })];
        assert_eq!(moved, [of(Path::Translation), of(Path::Scale)].concat());
        assert_eq!(clip.curves.iter().map(|curve| curve.values()[0]).collect::<Vec<_>>(), [0.0, 2.0]);
        assert_eq!((clip.name.as_str(), clip.duration, clip.markers.len()), ("Walk", 1.0, 1));
    }

    #[test]
    fn import_clips_skips_duplicate_targets_and_nodes_without_a_name() {
        let own = model(&["", "Hand", "hand"]);
        let ImportedClips { clips, skipped_channels } =
            import_clips(&own, &moving(&["HAND", "", "_", "x:hand"]));
        assert_eq!(clips[0].channels.iter().map(|one| one.node.index()).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(skipped_channels, 6);
        let ImportedClips { clips, skipped_channels } = import_clips(&model(&["", "_"]), &moving(&[""]));
        assert_eq!((clips.len(), skipped_channels), (0, 2));
        let ImportedClips { clips, skipped_channels } = import_clips(&model(&[]), &model(&[]));
        assert_eq!((clips.len(), skipped_channels), (0, 0));
    }

    #[test]
    fn import_clips_keeps_weights_only_for_equal_counts_of_morph_targets() {
        let mut own = model(&["A", "B"]);
        own.nodes[0].weights = vec![0.0; 2];
        own.nodes[1].weights = vec![0.0; 3];
        let mut other = moving(&["A", "B"]);
        other.clips[0].curves = vec![curve(2, 0.5); 2];
        other.clips[0].channels.iter_mut().for_each(|channel| channel.path = Path::Weights);
        let ImportedClips { clips, skipped_channels } = import_clips(&own, &other);
        assert_eq!(clips[0].channels.iter().map(|one| one.node.index()).collect::<Vec<_>>(), [0]);
        assert_eq!(skipped_channels, 3, "one of the same twice, two of another number");
    }

    #[test]
    fn import_clips_finds_names_as_joint_lookup_does() {
        let own = model(&["Hand.L", "hand_l", "", "-", "頭", "x:頭", "Hand.R", "HAND R"]);
        let joints = Joints::new(&own);
        for name in
            ["Hand.L", "hand_l", "HandL", "a:hand-l", "", "-", "_", "頭", "手", "handr", "HAND R", "Hand"]
        {
            assert_eq!(joints.find(name), find_joint(&own, name), "{name}");
        }
    }
}
