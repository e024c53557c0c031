//! Human bones and expressions of VRM files. Spec: VRM 0.x, VRMC_vrm 1.0, VRMC_vrm_animation 1.0.
//!
//! An invalid bone or bind is left out, with a warning.

use super::accessor::Reader;
use super::lenient::{index, number, out_of_range, warn};
use super::nodes::Tree;
use gambol_animation::base::{feature, sort_by};
use gambol_animation::model::{
    Expression, ExpressionOverride, HumanBone, Humanoid, MorphBind, Node, NodeId, VrmVersion,
};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::{Faults, Place};

/// The extension of a VRM file.
#[derive(Debug)]
pub(super) struct Vrm {
    version: VrmVersion,
    value: Value,
}

/// The extensions, in order of preference.
const EXTENSIONS: [(&str, VrmVersion); 3] = [
    ("VRMC_vrm", VrmVersion::Vrm1),
    ("VRM", VrmVersion::Vrm0),
    ("VRMC_vrm_animation", VrmVersion::Animation),
];

impl Vrm {
    /// Copies the extension from the root of the JSON.
    pub(super) fn find(root: &Value) -> Option<Self> {
        let all = root.get("extensions")?;
        let found =
            |&(name, version): &(&str, VrmVersion)| Some(Self { version, value: all.get(name)?.clone() });
        EXTENSIONS.iter().find_map(found)
    }

    /// The extension of VRM 0.
    pub(super) fn version_0(&self) -> Option<&Value> {
        (self.version == VrmVersion::Vrm0).then_some(&self.value)
    }
}

/// The parts of the model that the extension refers to.
pub(super) struct Context<'a> {
    pub(super) tree: &'a Tree,
    pub(super) nodes: &'a [Node],
    pub(super) reader: &'a Reader<'a>,
}

impl Context<'_> {
    /// The node that an object names; `None` with a warning.
    pub(super) fn node(&self, at: &Place<'_>, log: &mut Log) -> Option<NodeId> {
        let ids = &self.tree.ids;
        let Some(node) = index(at, "node") else {
            warn(log, at, "This names no node; it is left out");
            return None;
        };
        let id = ids.get(node).copied();
        if id.is_none() {
            out_of_range(log, format_args!("{at}/node"), "node", node, ids.len());
        }
        id
    }
}

feature! {
    list for_decoding;
    /// The human bones and expressions of the extension.
    pub(super) fn humanoid(vrm: &Vrm, context: &Context<'_>, log: &mut Log) -> Humanoid = read_humanoid;
    /// The nodes whose meshes only the wearer sees. Viewers look from outside, where all others are drawn.
    pub(super) fn first_person_only(vrm: &Vrm, context: &Context<'_>, log: &mut Log) -> Vec<NodeId> =
        read_first_person;
}

/// Calls `read` with the extension.
fn reading<T>(
    vrm: &Vrm,
    context: &Context<'_>,
    log: &mut Log,
    read: impl FnOnce(Reading<'_>, &Place<'_>) -> T,
) -> T {
    let name = EXTENSIONS.iter().find(|(_, version)| *version == vrm.version).map_or("", |(name, _)| name);
    let faults = Faults::default();
    let reading = Reading { log, context, version: vrm.version };
    read(reading, &Place::new(&vrm.value, &format_args!("/extensions/{name}"), &faults))
}

fn read_first_person(vrm: &Vrm, context: &Context<'_>, log: &mut Log) -> Vec<NodeId> {
    reading(vrm, context, log, |mut reading, at| reading.first_person(at))
}

fn read_humanoid(vrm: &Vrm, context: &Context<'_>, log: &mut Log) -> Humanoid {
    reading(vrm, context, log, |mut reading, at| {
        let bones = reading.bones(at);
        let expressions = match vrm.version {
            VrmVersion::Vrm0 => reading.groups(at),
            VrmVersion::Vrm1 | VrmVersion::Animation => reading.expressions(at),
        };
        Humanoid { version: vrm.version, bones, expressions }
    })
}

struct Reading<'a> {
    log: &'a mut Log,
    context: &'a Context<'a>,
    version: VrmVersion,
}

impl Reading<'_> {
    fn first_person(&mut self, at: &Place<'_>) -> Vec<NodeId> {
        const TYPES: [&str; 4] = ["auto", "both", "thirdPersonOnly", "firstPersonOnly"];
        let key = if self.version == VrmVersion::Vrm0 { "firstPersonFlag" } else { "type" };
        let mut nodes = Vec::new();
        for at in at.path("firstPerson/meshAnnotations").iter().flat_map(Place::elements) {
            // VRM 0 has capitals.
            let word = at.value().str_at(key).unwrap_or_default();
            let Some(found) = TYPES.iter().find(|known| known.eq_ignore_ascii_case(word)) else {
                warn(self.log, at, "There is no such type of annotation; the mesh is drawn");
                continue;
            };
            if *found != TYPES[3] {
                continue;
            }
            if self.version != VrmVersion::Vrm0 {
                nodes.extend(self.context.node(&at, self.log));
            } else if let Some(mesh) = index(&at, "mesh") {
                nodes.extend(self.with_mesh(mesh));
            } else {
                warn(self.log, at, "This names no mesh; it is left out");
            }
        }
        nodes
    }

    /// The nodes with a mesh.
    fn with_mesh(&self, mesh: usize) -> impl Iterator<Item = NodeId> {
        let nodes = self.context.nodes.iter().enumerate();
        let shows = nodes.filter(move |(_, node)| node.mesh.is_some_and(|id| id.index() == mesh));
        shows.map(|(i, _)| NodeId::new(i))
    }

    fn bones(&mut self, at: &Place<'_>) -> Vec<(HumanBone, NodeId)> {
        let list = at.path("humanoid/humanBones");
        let mut bones = Vec::new();
        match &list {
            // VRM 0 has a list, the others have an object.
            Some(list) if self.version == VrmVersion::Vrm0 && list.value().is_array() => {
                for at in list.elements() {
                    self.bone(at.value().str_at("bone"), &at, &mut bones);
                }
            }
            Some(list) if self.version != VrmVersion::Vrm0 && list.value().is_object() => {
                for (name, at) in list.members() {
                    self.bone(Some(name), &at, &mut bones);
                }
            }
            _ => {
                let at = format_args!("{at}/humanoid/humanBones");
                warn(self.log, at, "There are no human bones");
            }
        }
        sort_by(&mut bones, Ord::cmp);
        bones
    }

    fn bone(&mut self, name: Option<&str>, at: &Place<'_>, bones: &mut Vec<(HumanBone, NodeId)>) {
        let Some(bone) = name.and_then(|name| bone_of(name, self.version)) else {
            return warn(self.log, at, "There is no such human bone; it is left out");
        };
        let Some(node) = self.context.node(at, self.log) else { return };
        if bones.iter().any(|(other, _)| *other == bone) {
            warn(self.log, at, "The bone is named twice; the first one counts");
        } else if bones.iter().any(|(_, other)| *other == node) {
            warn(self.log, at, "The node is another bone already; this one is left out");
        } else {
            bones.push((bone, node));
        }
    }

    /// The expressions of VRM 1.0 or of a clip.
    fn expressions(&mut self, at: &Place<'_>) -> Vec<Expression> {
        let mut expressions = Vec::new();
        for group in ["expressions/preset", "expressions/custom"] {
            let Some(group) = at.path(group).filter(|group| group.value().is_object()) else { continue };
            for (name, at) in group.members() {
                let mut expression = Expression { name: name.to_owned(), ..Expression::default() };
                if self.version == VrmVersion::Animation {
                    expression.driver = self.context.node(&at, self.log);
                    expressions.extend(expression.driver.map(|_| expression));
                    continue;
                }
                expression.is_binary = self.flag(&at);
                let materials = ["materialColorBinds", "textureTransformBinds"];
                expression.changes_materials = materials.iter().any(|key| !at.value().list(key).is_empty());
                expression.overrides =
                    ["overrideBlink", "overrideLookAt", "overrideMouth"].map(|key| self.rule(at.member(key)));
                for at in at.member("morphTargetBinds").iter().flat_map(Place::elements) {
                    let Some(node) = self.context.node(&at, self.log) else { continue };
                    let weight = number(self.log, &at, "weight", 1.0, &|_| true);
                    self.bind(&mut expression, node, weight, &at);
                }
                expressions.push(expression);
            }
        }
        expressions
    }

    /// The expressions of VRM 0.
    fn groups(&mut self, at: &Place<'_>) -> Vec<Expression> {
        let mut expressions = Vec::new();
        // Groups of no preset whose names are those of presets.
        let mut named = Vec::new();
        for group in at.path("blendShapeMaster/blendShapeGroups").iter().flat_map(Place::elements) {
            let text = |key| group.value().str_at(key).unwrap_or_default();
            let preset = preset_of(text("presetName"));
            let name = preset.unwrap_or(text("name")).to_owned();
            if let (None, Some(preset)) = (preset, preset_of(&name)) {
                named.push((expressions.len(), preset));
            }
            let is_binary = self.flag(&group);
            let changes_materials = !group.value().list("materialValues").is_empty();
            let mut expression = Expression { name, is_binary, changes_materials, ..Expression::default() };
            for at in group.member("binds").iter().flat_map(Place::elements) {
                let Some(mesh) = index(&at, "mesh") else {
                    warn(self.log, at, "This names no mesh; it is left out");
                    continue;
                };
                let shows: Vec<NodeId> = self.with_mesh(mesh).collect();
                // Many binds may refer to many nodes.
                if self.context.reader.spend(self.context.nodes.len(), size_of::<MorphBind>()).is_err() {
                    let message = "The binds take too much memory; this one and the rest are left out";
                    warn(self.log, at, message);
                    expressions.push(expression);
                    return with_presets(expressions, &named);
                }
                if shows.is_empty() {
                    warn(self.log, &at, "No node has this mesh; it is left out");
                }
                let weight = number(self.log, &at, "weight", 100.0, &|_| true) / 100.0;
                for node in shows {
                    self.bind(&mut expression, node, weight, &at);
                }
            }
            expressions.push(expression);
        }
        with_presets(expressions, &named)
    }

    /// The member `isBinary`.
    fn flag(&mut self, at: &Place<'_>) -> bool {
        let Some(at) = at.member("isBinary") else { return false };
        at.value().as_bool().unwrap_or_else(|| {
            warn(self.log, at, "The value is neither true nor false; it counts as false");
            false
        })
    }

    /// The effect of an expression on those of another kind.
    fn rule(&mut self, at: Option<Place<'_>>) -> ExpressionOverride {
        let Some(at) = at else { return ExpressionOverride::None };
        let word = at.value().as_str();
        let known = ExpressionOverride::ALL.into_iter().find(|rule| word == Some(rule.name()));
        known.unwrap_or_else(|| {
            warn(self.log, at, "The value is not none, block or blend; none is used");
            ExpressionOverride::None
        })
    }

    fn bind(&mut self, expression: &mut Expression, node: NodeId, weight: f32, at: &Place<'_>) {
        let count = self.context.nodes[node.index()].weights.len();
        match index(at, "index") {
            Some(target) if target < count => expression.binds.push(MorphBind { node, target, weight }),
            Some(target) => {
                out_of_range(self.log, format_args!("{at}/index"), "morph target", target, count);
            }
            None => warn(self.log, at, "This names no morph target; it is left out"),
        }
    }
}

/// Gives groups of no preset the presets that their names are, unless another group with morphs or materials has it.
/// Spec: VRM 0.x, BlendShape name identifier.
fn with_presets(mut expressions: Vec<Expression>, named: &[(usize, &'static str)]) -> Vec<Expression> {
    let mut replaced = vec![false; expressions.len()];
    for &(i, preset) in named {
        let has_it = |&j: &usize| j != i && !replaced[j] && expressions[j].name == preset;
        let others: Vec<usize> = (0..expressions.len()).filter(has_it).collect();
        let is_empty = |j: &usize| expressions[*j].binds.is_empty() && !expressions[*j].changes_materials;
        if others.iter().all(is_empty) {
            others.iter().for_each(|&j| replaced[j] = true);
            expressions[i].name = preset.to_owned();
        }
    }
    let mut kept = replaced.iter().map(|replaced| !replaced);
    expressions.retain(|_| kept.next().unwrap_or(true));
    expressions
}

/// The name in VRM 1.0 of a preset of VRM 0, in any case.
fn preset_of(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(old, _)| old.eq_ignore_ascii_case(name)).map(|(_, new)| *new)
}

fn bone_of(name: &str, version: VrmVersion) -> Option<HumanBone> {
    use HumanBone as B;
    // In VRM 0 the joints of a thumb have the names of other fingers'.
    let thumb = match name {
        "leftThumbProximal" => Some(B::LeftThumbMetacarpal),
        "leftThumbIntermediate" => Some(B::LeftThumbProximal),
        "rightThumbProximal" => Some(B::RightThumbMetacarpal),
        "rightThumbIntermediate" => Some(B::RightThumbProximal),
        _ => None,
    };
    thumb.filter(|_| version == VrmVersion::Vrm0).or_else(|| B::from_name(name))
}

/// The presets of VRM 0, and their names in VRM 1.0. `surprised` is only in VRM 1.0; avatars of VRoid have it as a name.
const PRESETS: [(&str, &str); 18] = [
    ("neutral", "neutral"),
    ("joy", "happy"),
    ("angry", "angry"),
    ("sorrow", "sad"),
    ("fun", "relaxed"),
    ("a", "aa"),
    ("i", "ih"),
    ("u", "ou"),
    ("e", "ee"),
    ("o", "oh"),
    ("blink", "blink"),
    ("blink_l", "blinkLeft"),
    ("blink_r", "blinkRight"),
    ("lookup", "lookUp"),
    ("lookdown", "lookDown"),
    ("lookleft", "lookLeft"),
    ("lookright", "lookRight"),
    ("surprised", "surprised"),
];
