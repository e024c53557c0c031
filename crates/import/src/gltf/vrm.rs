//! Human bones and expressions of VRM files. Spec: VRM 0.x, VRMC_vrm 1.0, VRMC_vrm_animation 1.0.
//!
//! An invalid bone or bind is left out, with a warning.

use super::accessor::Reader;
use super::lenient::{Read, index};
use super::nodes::Tree;
use crate::base::{deferred, sort_by};
use crate::model::{
    Expression, ExpressionOverride, HumanBone, Humanoid, MorphBind, Node, NodeId, VrmVersion,
};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;

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

deferred! {
    /// The human bones and expressions of the extension.
    pub(super) fn humanoid(vrm: &Vrm, context: &Context<'_>, log: &mut Log) -> Humanoid = read_humanoid;
    /// The nodes whose meshes only the wearer sees. Viewers look from outside, where all others are drawn.
    pub(super) fn first_person_only(vrm: &Vrm, context: &Context<'_>, log: &mut Log) -> Vec<NodeId> =
        read_first_person;
}

fn reading<'a>(vrm: &'a Vrm, context: &'a Context<'a>, log: &'a mut Log) -> Reading<'a> {
    let name = EXTENSIONS.iter().find(|(_, version)| *version == vrm.version).map_or("", |(name, _)| name);
    Reading { read: Read { log, pointer: format!("/extensions/{name}") }, context, value: &vrm.value }
}

fn read_first_person(vrm: &Vrm, context: &Context<'_>, log: &mut Log) -> Vec<NodeId> {
    reading(vrm, context, log).first_person(vrm.version)
}

fn read_humanoid(vrm: &Vrm, context: &Context<'_>, log: &mut Log) -> Humanoid {
    let mut reading = reading(vrm, context, log);
    let bones = reading.bones(vrm.version);
    let expressions = match vrm.version {
        VrmVersion::Vrm0 => reading.groups(),
        VrmVersion::Vrm1 => reading.expressions("morphTargetBinds"),
        VrmVersion::Animation => reading.expressions("node"),
    };
    Humanoid { version: vrm.version, bones, expressions }
}

struct Reading<'a> {
    read: Read<'a>,
    context: &'a Context<'a>,
    /// The extension.
    value: &'a Value,
}

impl<'a> Reading<'a> {
    /// The node at `key` of a value; `None` with a warning.
    fn node(&mut self, value: &Value, key: &str, at: &str) -> Option<NodeId> {
        let ids = &self.context.tree.ids;
        let Some(node) = index(value, "node") else {
            self.read.warn(key, "This names no node; it is left out");
            return None;
        };
        let id = ids.get(node as usize).copied();
        if id.is_none() {
            self.read.out_of_range(at, "node", node as usize, ids.len());
        }
        id
    }

    fn first_person(&mut self, version: VrmVersion) -> Vec<NodeId> {
        const TYPES: [&str; 4] = ["auto", "both", "thirdPersonOnly", "firstPersonOnly"];
        let key = if version == VrmVersion::Vrm0 { "firstPersonFlag" } else { "type" };
        let mut nodes = Vec::new();
        let annotations = self.value.get("firstPerson").map(|value| value.list("meshAnnotations"));
        for (i, annotation) in annotations.unwrap_or_default().iter().enumerate() {
            let at = format!("firstPerson/meshAnnotations/{i}");
            // VRM 0 has capitals.
            let word = annotation.str_at(key).unwrap_or_default();
            let Some(found) = TYPES.iter().find(|known| known.eq_ignore_ascii_case(word)) else {
                self.read.warn(&at, "There is no such type of annotation; the mesh is drawn");
                continue;
            };
            if *found != TYPES[3] {
                continue;
            }
            if version != VrmVersion::Vrm0 {
                nodes.extend(self.node(annotation, &at, &format!("{at}/node")));
            } else if let Some(mesh) = index(annotation, "mesh") {
                let all = self.context.nodes.iter().enumerate();
                let shows = all.filter(|(_, node)| node.mesh.is_some_and(|id| id.index() == mesh as usize));
                nodes.extend(shows.map(|(i, _)| NodeId::new(i)));
            } else {
                self.read.warn(&at, "This names no mesh; it is left out");
            }
        }
        nodes
    }

    fn bones(&mut self, version: VrmVersion) -> Vec<(HumanBone, NodeId)> {
        let list = self.value.path("humanoid/humanBones");
        // VRM 0 has a list, the others have an object.
        let named: Option<Vec<(String, Option<&str>, &Value)>> = match version {
            VrmVersion::Vrm0 => list.and_then(Value::as_array).map(|list| {
                let bone = |(i, value): (usize, &'a Value)| (i.to_string(), value.str_at("bone"), value);
                list.iter().enumerate().map(bone).collect()
            }),
            _ => list.and_then(Value::as_object).map(|list| {
                list.iter().map(|(name, value)| (escaped(name), Some(&name[..]), value)).collect()
            }),
        };
        let Some(named) = named else {
            self.read.warn("humanoid/humanBones", "There are no human bones");
            return Vec::new();
        };
        let mut bones: Vec<(HumanBone, NodeId)> = Vec::new();
        for (key, name, value) in named {
            let key = format!("humanoid/humanBones/{key}");
            let Some(bone) = name.and_then(|name| bone_of(name, version)) else {
                self.read.warn(&key, "There is no such human bone; it is left out");
                continue;
            };
            let Some(node) = self.node(value, &key, &format!("{key}/node")) else { continue };
            if bones.iter().any(|(other, _)| *other == bone) {
                self.read.warn(&key, "The bone is named twice; the first one counts");
            } else if bones.iter().any(|(_, other)| *other == node) {
                self.read.warn(&key, "The node is another bone already; this one is left out");
            } else {
                bones.push((bone, node));
            }
        }
        sort_by(&mut bones, Ord::cmp);
        bones
    }

    /// The expressions of VRM 1.0 or of a clip; `key` is the member with their contents.
    fn expressions(&mut self, key: &str) -> Vec<Expression> {
        let mut expressions = Vec::new();
        for group in ["preset", "custom"] {
            let path = format!("expressions/{group}");
            let list = self.value.path(&path).and_then(Value::as_object).unwrap_or_default();
            for (name, value) in list {
                let at = format!("{path}/{}", escaped(name));
                let mut expression = Expression { name: name.clone(), ..Expression::default() };
                if key == "node" {
                    expression.driver = self.node(value, &at, &format!("{at}/node"));
                    if expression.driver.is_none() {
                        continue;
                    }
                }
                if key != "node" {
                    expression.is_binary = self.flag(value, &at);
                    let materials = ["materialColorBinds", "textureTransformBinds"];
                    expression.changes_materials = materials.iter().any(|key| !value.list(key).is_empty());
                    expression.overrides = ["Blink", "LookAt", "Mouth"].map(|of| self.rule(value, of, &at));
                }
                for (i, bind) in value.list("morphTargetBinds").iter().enumerate().filter(|_| key != "node") {
                    let at = format!("{at}/morphTargetBinds/{i}");
                    let Some(node) = self.node(bind, &at, &format!("{at}/node")) else { continue };
                    let weight = self.read.number(bind, "weight", 1.0, |_| true);
                    self.bind(&mut expression, node, bind, weight, &at);
                }
                expressions.push(expression);
            }
        }
        expressions
    }

    /// The expressions of VRM 0.
    fn groups(&mut self) -> Vec<Expression> {
        let mut expressions = Vec::new();
        // Groups of no preset whose names are those of presets.
        let mut named = Vec::new();
        let list = self.value.path("blendShapeMaster/blendShapeGroups").and_then(Value::as_array);
        for (i, group) in list.unwrap_or_default().iter().enumerate() {
            let text = |key| group.str_at(key).unwrap_or_default();
            let preset = preset_of(text("presetName"));
            let name = preset.unwrap_or(text("name")).to_owned();
            if let (None, Some(preset)) = (preset, preset_of(&name)) {
                named.push((expressions.len(), preset));
            }
            let at = format!("blendShapeMaster/blendShapeGroups/{i}");
            let is_binary = self.flag(group, &at);
            let changes_materials = !group.list("materialValues").is_empty();
            let mut expression = Expression { name, is_binary, changes_materials, ..Expression::default() };
            for (j, bind) in group.list("binds").iter().enumerate() {
                let at = format!("blendShapeMaster/blendShapeGroups/{i}/binds/{j}");
                let Some(mesh) = index(bind, "mesh").map(|mesh| mesh as usize) else {
                    self.read.warn(&at, "This names no mesh; it is left out");
                    continue;
                };
                let nodes = self.context.nodes.iter().enumerate();
                let shows = nodes.filter(|(_, node)| node.mesh.is_some_and(|id| id.index() == mesh));
                let shows: Vec<NodeId> = shows.map(|(i, _)| NodeId::new(i)).collect();
                // Many binds may refer to many nodes.
                if self.context.reader.spend(self.context.nodes.len(), size_of::<MorphBind>()).is_err() {
                    self.read.warn(&at, "The binds take too much memory; this one and the rest are left out");
                    expressions.push(expression);
                    return with_presets(expressions, &named);
                }
                if shows.is_empty() {
                    self.read.warn(&at, "No node has this mesh; it is left out");
                }
                let weight = self.read.number(bind, "weight", 100.0, |_| true) / 100.0;
                for node in shows {
                    self.bind(&mut expression, node, bind, weight, &at);
                }
            }
            expressions.push(expression);
        }
        with_presets(expressions, &named)
    }

    /// The member `isBinary`.
    fn flag(&mut self, value: &Value, at: &str) -> bool {
        match value.get("isBinary") {
            Some(&Value::Bool(flag)) => flag,
            Some(_) => {
                let message = "The value is neither true nor false; it counts as false";
                self.read.warn(&format!("{at}/isBinary"), message);
                false
            }
            None => false,
        }
    }

    /// The effect of an expression on those of another kind.
    fn rule(&mut self, value: &Value, of: &str, at: &str) -> ExpressionOverride {
        let key = format!("override{of}");
        let Some(word) = value.get(&key) else { return ExpressionOverride::None };
        let known = ExpressionOverride::ALL.into_iter().find(|rule| word.as_str() == Some(rule.name()));
        known.unwrap_or_else(|| {
            self.read.warn(&format!("{at}/{key}"), "The value is not none, block or blend; none is used");
            ExpressionOverride::None
        })
    }

    fn bind(&mut self, expression: &mut Expression, node: NodeId, bind: &Value, weight: f32, at: &str) {
        let count = self.context.nodes[node.index()].weights.len();
        match index(bind, "index").map(|target| target as usize) {
            Some(target) if target < count => expression.binds.push(MorphBind { node, target, weight }),
            Some(target) => self.read.out_of_range(&format!("{at}/index"), "morph target", target, count),
            None => self.read.warn(at, "This names no morph target; it is left out"),
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

/// A token of a JSON pointer. Spec: RFC 6901.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
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
