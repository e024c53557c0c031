//! Finds the human bones of a model: from a VRM extension, from names, or from the shape of the skeleton.

use super::conventions::{Convention, TABLES, Table};
use super::error::RetargetError;
use super::humanoid::{HumanoidMap, common, is_above};
use super::nearest::nearest;
use super::structure;
use crate::animation::joint_names::{essence, find_joint};
use crate::animation::rest_pose::Rest;
use crate::base::{order, sort_by};
use crate::model::{HumanBone, Model, Node, NodeId, VrmVersion};

impl HumanoidMap {
    /// The human bones of a model; `None` if it is no humanoid.
    pub fn find(model: &Model) -> Option<Self> {
        let rest = Rest::new(model);
        let found = Self::of_extension(model)
            .or_else(|| Self::of_names(model, &rest, false))
            .or_else(|| Self::of_names(model, &rest, true))
            .or_else(|| structure::find(model, &rest));
        found.map(|mut map| {
            map.settle(model);
            map
        })
    }

    /// As [`HumanoidMap::find`], with changes by hand.
    ///
    /// # Errors
    /// If a name is not that of a bone, or not that of a node.
    pub fn find_with(
        model: &Model,
        given: &[(String, Option<String>)],
    ) -> Result<Option<Self>, RetargetError> {
        let found = Self::find(model);
        if given.is_empty() {
            return Ok(found);
        }
        let mut map = found.unwrap_or_else(|| Self::empty(Convention::Given));
        for (bone, node) in given {
            let bone = HumanBone::from_name(bone)
                .ok_or_else(|| RetargetError::UnknownBone { name: bone.clone() })?;
            let node = match node {
                Some(name) => Some(find_joint(model, name).ok_or_else(|| {
                    let names = model.nodes.iter().map(|node| &node.name[..]);
                    RetargetError::UnknownJoint { name: name.clone(), nearest: nearest(name, names) }
                })?),
                None => None,
            };
            // A node is one bone only.
            map.nodes.iter_mut().filter(|other| **other == node).for_each(|other| *other = None);
            map.set(bone, node);
            map.ambiguous.retain(|other| *other != bone);
        }
        map.find_spine(model);
        Ok(Some(map))
    }

    /// The map of a VRM file with all essential bones, or of a clip with any.
    fn of_extension(model: &Model) -> Option<Self> {
        let humanoid = model.humanoid.as_ref()?;
        let mut map = Self::empty(match humanoid.version {
            VrmVersion::Vrm0 => Convention::Vrm0,
            VrmVersion::Vrm1 => Convention::Vrm1,
            VrmVersion::Animation => Convention::VrmAnimation,
        });
        for &(bone, node) in &humanoid.bones {
            map.set(bone, Some(node));
        }
        let is_clip = humanoid.version == VrmVersion::Animation && !humanoid.bones.is_empty();
        Some(map).filter(|map| map.is_complete() || is_clip)
    }

    /// The map of the table that fits best. With `numbered`, numbers at the ends of names do not count: some
    /// converters number all nodes.
    fn of_names(model: &Model, rest: &Rest, numbered: bool) -> Option<Self> {
        let names = Names::new(model, numbered);
        let mut best: Option<(u32, Found<'_>)> = None;
        for table in TABLES {
            for prefix in names.prefixes(table) {
                for sides in table.sides {
                    let mut found =
                        Found { table, prefix: prefix.clone(), sides, map: Self::empty(table.convention) };
                    let score = found.fill(&names);
                    if best.as_ref().is_none_or(|(most, _)| score > *most) {
                        best = Some((score, found));
                    }
                }
            }
        }
        let (_, Found { mut map, .. }) = best?;
        map.move_hips(model, rest);
        Some(map).filter(Self::is_complete)
    }

    /// Some rigs call a bone of the spine “Hips”. The bone that carries both legs and the spine takes its place, if it
    /// is near the legs; further above are nodes for root motion.
    fn move_hips(&mut self, model: &Model, rest: &Rest) {
        use HumanBone as B;
        let (Some(left), Some(right)) = (self.node(B::LeftUpperLeg), self.node(B::RightUpperLeg)) else {
            return;
        };
        let hips = self.node(B::Hips);
        if hips.is_some_and(|hips| is_above(model, hips, left) && is_above(model, hips, right)) {
            return;
        }
        let mut shared = common(model, left, right);
        if let (Some(hips), Some(legs)) = (hips, shared) {
            shared = common(model, hips, legs);
        }
        let Some(shared) = shared else { return };
        let middle = (rest.at(left) + rest.at(right)) * 0.5;
        let leg = self.node(B::LeftLowerLeg).map_or(0.0, |lower| (rest.at(lower) - rest.at(left)).length());
        let taken = self.nodes.contains(&Some(shared));
        if hips.is_none() || (rest.at(shared) - middle).length() < leg && !taken {
            self.set(B::Hips, Some(shared));
        }
    }

    /// Finds the spine and twist joints.
    fn settle(&mut self, model: &Model) {
        self.find_spine(model);
        let names = Names::new(model, false);
        let mut is_limb = vec![false; model.nodes.len()];
        self.bones().for_each(|(_, node)| is_limb[node.index()] = true);
        for (i, node) in model.nodes.iter().enumerate() {
            let is_twist = ["twist", "roll"].iter().any(|word| names.keys[i].contains(word));
            if is_twist && !is_limb[i] && node.parent.is_some_and(|parent| is_limb[parent.index()]) {
                // Twist joints may be a chain.
                is_limb[i] = true;
                self.twists.push(NodeId::new(i));
            }
        }
    }
}

/// The names of a model's nodes, reduced to what counts in a comparison.
struct Names {
    keys: Vec<String>,
    /// The rank of each node among those of its name: joints of skins before others, then nodes without a mesh.
    ranks: Vec<u8>,
    /// The nodes by name, then by rank, then in the order of the file.
    sorted: Vec<usize>,
}

impl Names {
    fn new(model: &Model, numbered: bool) -> Self {
        let mut ranks: Vec<u8> = model.nodes.iter().map(|node| 2 + u8::from(node.mesh.is_some())).collect();
        for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
            ranks[joint.index()] %= 2;
        }
        let key = |node: &Node| {
            let name = if numbered { without_number(&node.name) } else { &node.name };
            let key: String = essence(name).collect();
            // Loaders that allow no `:` in names leave Mixamo's prefix, with or without a number.
            match key.strip_prefix("mixamorig") {
                Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned(),
                None => key,
            }
        };
        let keys: Vec<String> = model.nodes.iter().map(key).collect();
        let sorted = order(keys.len(), &|a, b| {
            let of = |i: usize| (&keys[i], ranks[i], model.nodes[i].source);
            of(a).cmp(&of(b))
        });
        Self { keys, ranks, sorted }
    }

    /// The nodes of a name, the best first. A mesh with the name of its joint is no rival of that.
    fn get(&self, key: &str) -> &[usize] {
        let begin = self.sorted.partition_point(|&i| self.keys[i].as_str() < key);
        let found = &self.sorted[begin..];
        let is_same = |i: usize| self.keys[i] == key && self.ranks[i] == self.ranks[found[0]];
        let count = found.iter().take_while(|&&i| is_same(i)).count();
        if key.is_empty() { &[] } else { &found[..count] }
    }

    /// The texts before the name of the hips that nodes have, at most a few; the empty one first.
    fn prefixes(&self, table: &Table) -> Vec<String> {
        const MOST: usize = 6;
        let mut prefixes = vec![String::new()];
        let hips = table.rows.iter().find(|(bone, _)| *bone == "hips").map_or("", |(_, patterns)| patterns);
        for key in self.keys.iter().filter(|_| table.prefixed) {
            for prefix in hips.split(' ').filter_map(|hips| key.strip_suffix(hips)) {
                if prefixes.len() < MOST && !prefixes.iter().any(|known| known == prefix) {
                    prefixes.push(prefix.to_owned());
                }
            }
        }
        // Generated rigs of Rigify have deforming bones and their originals.
        sort_by(&mut prefixes, |a, b| {
            let rank = |prefix: &str| (!prefix.is_empty(), prefix != "def");
            rank(a).cmp(&rank(b))
        });
        prefixes
    }
}

/// A name without a number at its end, as in `Hips_01`.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((rest, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest
        }
        _ => name,
    }
}

/// The map of one table, prefix and pair of sides.
struct Found<'a> {
    table: &'a Table,
    prefix: String,
    sides: &'a [&'static str; 2],
    map: HumanoidMap,
}

impl Found<'_> {
    /// Fills the map; returns the score.
    fn fill(&mut self, names: &Names) -> u32 {
        let mut score = 0;
        for (part, patterns) in self.table.rows {
            if let Some(bone) = HumanBone::from_name(part) {
                score += self.find(names, bone, "", patterns);
                continue;
            }
            for (side, mark) in ["left", "right"].into_iter().zip(*self.sides) {
                if let Some(bone) = HumanBone::from_name(&format!("{side}{part}")) {
                    score += self.find(names, bone, mark, patterns);
                }
            }
        }
        // Fingers do not make a humanoid.
        if score < 12 {
            return score;
        }
        let fingers = &self.table.fingers;
        for (side, mark) in ["left", "right"].into_iter().zip(*self.sides) {
            for (finger, name) in
                ["Thumb", "Index", "Middle", "Ring", "Little"].into_iter().zip(fingers.names)
            {
                let joints = if finger == "Thumb" {
                    ["Metacarpal", "Proximal", "Distal"]
                } else {
                    ["Proximal", "Intermediate", "Distal"]
                };
                for (joint, number) in joints.into_iter().zip(fingers.joints) {
                    let Some(bone) = HumanBone::from_name(&format!("{side}{finger}{joint}")) else {
                        continue;
                    };
                    let patterns = fingers.patterns.split(' ').filter(|pattern| !pattern.is_empty());
                    let all = patterns.flat_map(|pattern| {
                        name.split('/').flat_map(move |name| {
                            number
                                .split('/')
                                .map(move |number| pattern.replace('%', name).replace('#', number))
                        })
                    });
                    let all: Vec<String> = all.collect();
                    score += self.find(names, bone, mark, &all.join(" "));
                }
            }
        }
        let marked =
            |marker: &&str| !marker.is_empty() && !names.get(&format!("{}{marker}", self.prefix)).is_empty();
        score + 3 * self.table.markers.split(' ').filter(marked).count() as u32
    }

    /// Finds the node of a bone; returns its worth.
    fn find(&mut self, names: &Names, bone: HumanBone, side: &str, patterns: &str) -> u32 {
        for pattern in patterns.split(' ') {
            let key = format!("{}{}", self.prefix, pattern.replace('*', side));
            let nodes = names.get(&key);
            let mut free = nodes.iter().map(|&node| NodeId::new(node));
            let Some(node) = free.find(|node| !self.map.nodes.contains(&Some(*node))) else { continue };
            if nodes.len() > 1 {
                self.map.ambiguous.push(bone);
            }
            self.map.set(bone, Some(node));
            return if bone.is_essential() { 4 } else { 1 };
        }
        0
    }
}
