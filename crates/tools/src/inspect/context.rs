//! The parts of a file that the rules look at.

use super::body::Body;
use super::raw::{Accessors, Clip, Path, clips, name};
use gambol::animation::Rig;
use gambol::model::{Model, NodeId};
use gambol_gltf::document::Document;
use gambol_gltf::json::Value;

/// A file, its imported model, and the findings so far.
pub(super) struct Context<'a> {
    pub(super) json: &'a Value,
    pub(super) document: &'a Document,
    pub(super) accessors: Accessors<'a>,
    /// One for each animation of the JSON.
    pub(super) clips: Vec<Clip>,
    /// `true` for each node of the JSON that is a joint of a skin.
    pub(super) is_joint: Vec<bool>,
    /// The parent of each node of the JSON.
    pub(super) parents: Vec<Option<usize>>,
    /// The imported model; `None` if the importer refuses the file.
    pub(super) body: Option<Body<'a>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(document: &'a Document, model: Option<&'a Model>) -> Self {
        let json = &document.json;
        let accessors = Accessors::new(document);
        let clips = clips(json, &accessors);
        let nodes = json.list("nodes");
        let mut is_joint = vec![false; nodes.len()];
        for joint in json.list("skins").iter().flat_map(|skin| skin.list("joints")) {
            if let Some(is_joint) = joint.as_u64().and_then(|joint| is_joint.get_mut(joint as usize)) {
                *is_joint = true;
            }
        }
        let mut parents = vec![None; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            for child in node.list("children").iter().filter_map(Value::as_u64) {
                if let Some(parent) = parents.get_mut(child as usize) {
                    *parent = Some(i);
                }
            }
        }
        let body = model.map(|model| Body::new(model, Rig::new(model)));
        Self { json, document, accessors, clips, is_joint, parents, body }
    }

    /// The size of the model in metres, for thresholds; 1 if it is unknown.
    pub(super) fn size(&self) -> f64 {
        self.body.as_ref().map_or(1.0, |body| body.size)
    }

    /// The clip as words: its quoted name, or its index.
    pub(super) fn clip_words(&self, clip: usize) -> String {
        words(self.json.list("animations").get(clip), "Clip", clip)
    }

    /// The node as words: its quoted name, or its index.
    pub(super) fn node_words(&self, node: usize) -> String {
        words(self.json.list("nodes").get(node), "node", node)
    }

    /// The names of some nodes, at most four.
    pub(super) fn node_list(&self, nodes: &[usize]) -> String {
        let shown: Vec<String> = nodes.iter().take(4).map(|&node| self.node_words(node)).collect();
        let more = nodes.len().saturating_sub(4);
        if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
    }

    /// The value of a node's property without a clip; `None` for morph weights and for nodes with a matrix.
    pub(super) fn rest(&self, node: usize, path: Path) -> Option<Vec<f64>> {
        let node = self.json.list("nodes").get(node)?;
        if node.get("matrix").is_some() {
            return None;
        }
        let default: &[f64] = match path {
            Path::Translation => &[0.0, 0.0, 0.0],
            Path::Rotation => &[0.0, 0.0, 0.0, 1.0],
            Path::Scale => &[1.0, 1.0, 1.0],
            Path::Weights => {
                let mesh = node.index_at("mesh").and_then(|mesh| self.json.list("meshes").get(mesh))?;
                let given =
                    [node.list("weights"), mesh.list("weights")].into_iter().find(|list| !list.is_empty());
                return Some(
                    given.unwrap_or_default().iter().map(|weight| weight.as_f64().unwrap_or(0.0)).collect(),
                );
            }
        };
        let given = node.list(path.name());
        let numbers: Vec<f64> = given.iter().filter_map(Value::as_f64).collect();
        Some(if numbers.len() == default.len() { numbers } else { default.to_vec() })
    }

    /// The node of the model.
    pub(super) fn node_id(&self, node: usize) -> Option<NodeId> {
        self.body.as_ref()?.model.node_of_source.get(node).copied()
    }

    pub(super) fn pointer_of_channel(clip: usize, channel: usize) -> String {
        format!("/animations/{clip}/channels/{channel}")
    }
}

fn words(element: Option<&Value>, kind: &str, index: usize) -> String {
    match element.map(name) {
        Some(name) if !name.is_empty() => {
            // Names of files can have any length.
            let short: String = name.chars().take(80).collect();
            format!("“{short}”")
        }
        _ => format!("{kind} {index}"),
    }
}
