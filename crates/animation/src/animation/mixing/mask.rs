//! Joint masks: the weight of a layer at each node.

use crate::animation::joint_names::{Sign, is_similar, signs};
use crate::base::F32x4;
use crate::model::{Model, Node};
use std::fmt;

/// A weight for each node of a model, `0.0..=1.0`.
///
/// It applies to a node's transform, morph weights and visibility. Materials, lights and cameras are not
/// nodes: a mask has no effect on them.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMask {
    /// Nodes `4g … 4g+3` in group `g`, as in a pose.
    pub(crate) groups: Vec<F32x4>,
    /// `true` for each group with any weight above 0.
    pub(crate) live: Vec<bool>,
}

impl JointMask {
    /// A mask from one weight per node; weights are clamped to `0.0..=1.0`, NaN becomes 0.
    pub fn new(weights: &[f32]) -> Self {
        // `max` comes first, because it returns 0 for NaN.
        let within = |weight: &f32| f32::min(weight.max(0.0), 1.0);
        let lane = |group: &[f32], i: usize| group.get(i).map_or(0.0, within);
        let group =
            |group: &[f32]| F32x4::new([lane(group, 0), lane(group, 1), lane(group, 2), lane(group, 3)]);
        let groups: Vec<F32x4> = weights.chunks(4).map(group).collect();
        Self { live: groups.iter().map(|&group| group != F32x4::zero()).collect(), groups }
    }

    /// A mask from patterns of node names, each with the weight of the nodes that it matches. If several
    /// patterns match a node, the last one counts. Nodes that no pattern matches have weight 0, or 1 if the
    /// first pattern is an exclusion.
    ///
    /// A pattern that is exactly the name of a node matches all nodes with this name. Any other pattern is
    /// compared with a node's path: the names from the root to the node, joined by `/`. It matches if it fits
    /// the end of the path:
    ///
    /// | pattern | matches |
    /// |---|---|
    /// | `Hand`, `Arm/Hand` | nodes called `Hand`; those whose parent is called `Arm` |
    /// | `Spine*`, `*_L` | `*` is any number of letters within one name, including none |
    /// | `Spine1/**` | `**` is any number of names, including none: `Spine1` and its descendants |
    /// | `/Root/*` | from the root on: the children of the root called `Root` |
    /// | `!Head/**` | an exclusion: weight 0, the passed weight is ignored |
    /// | `a\*`, `a\/b`, `\!a` | `\` escapes the next letter |
    ///
    /// Nodes without a name match only `*` and `**`.
    ///
    /// A pattern without an exact match is compared as tolerantly as
    /// [`find_joint`](crate::animation::joint_names::find_joint) compares names. Case, separators and
    /// prefixes that end in `:` are ignored: `left_hand`, `left_*` and `spine/**` find `mixamorig:LeftHand`
    /// and `mixamorig:Spine`. A separator next to a `*` is a word boundary: `*_L` finds `Hand.L` and `HandL`,
    /// but not `Tail`.
    ///
    /// The time is linear in the number of nodes. Per node it is at most the product of the lengths of the
    /// pattern and of the name.
    ///
    /// # Errors
    /// If a pattern matches no node.
    pub fn from_patterns<'a>(
        model: &Model,
        patterns: impl IntoIterator<Item = (&'a str, f32)>,
    ) -> Result<Self, MaskError> {
        let mut weights: Option<Vec<f32>> = None;
        for (pattern, weight) in patterns {
            let (matched, weight, others) = match pattern.strip_prefix('!') {
                Some(excluded) if named(model, pattern).is_none() => (found(model, excluded), 0.0, 1.0),
                _ => (found(model, pattern), weight, 0.0),
            };
            let Some(matched) = matched else {
                return Err(MaskError::NoSuchJoint { pattern: pattern.to_owned() });
            };
            let weights = weights.get_or_insert_with(|| vec![others; model.nodes.len()]);
            for (out, _) in weights.iter_mut().zip(&matched).filter(|(_, matched)| **matched) {
                *out = weight;
            }
        }
        Ok(Self::new(&weights.unwrap_or_else(|| vec![0.0; model.nodes.len()])))
    }

    /// The weight of each node, then zeros up to a multiple of four.
    pub fn weights(&self) -> &[f32] {
        F32x4::as_floats(&self.groups)
    }
}

/// An error in creating a [`JointMask`] from patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MaskError {
    /// A pattern matches no node.
    NoSuchJoint {
        /// The pattern, as passed.
        pattern: String,
    },
}

impl MaskError {
    /// The stable error code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchJoint { .. } => "mask/no-such-joint",
        }
    }
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchJoint { pattern } => {
                write!(f, "No joint of the model matches the pattern \"{pattern}\"")
            }
        }
    }
}

impl std::error::Error for MaskError {}

/// The nodes that a pattern without `!` matches: exactly, or else by similar names. `None` if there are none.
fn found(model: &Model, pattern: &str) -> Option<Vec<bool>> {
    let any = |matched: Vec<bool>| matched.contains(&true).then_some(matched);
    named(model, pattern)
        .or_else(|| any(matches(model, pattern, |parts| parts, |name, letters| is_like(name, letters))))
        .or_else(|| any(matches(model, pattern, similar_parts, |name, signs| is_similar(name, signs))))
}

/// The nodes with exactly this name; `None` if there are none.
fn named(model: &Model, name: &str) -> Option<Vec<bool>> {
    let is = |node: &Node| !name.is_empty() && node.name == name;
    model.nodes.iter().any(is).then(|| model.nodes.iter().map(is).collect())
}

/// The nodes that a pattern without `!` matches, by a comparison of names.
///
/// `reached` has the nodes at which a match of the parts so far can end. Index 0 is above the roots; node `i`
/// has index `i + 1`. Parents come before their children, so one pass per part is enough.
fn matches<Name>(
    model: &Model,
    pattern: &str,
    read: impl FnOnce(Vec<Part<Letters>>) -> Vec<Part<Name>>,
    fits: impl Fn(&str, &Name) -> bool,
) -> Vec<bool> {
    let (from_root, pattern) = pattern.strip_prefix('/').map_or((false, pattern), |rest| (true, rest));
    let mut reached = vec![!from_root; model.nodes.len() + 1];
    reached[0] = true;
    for part in read(parts(pattern)) {
        let mut next = vec![false; reached.len()];
        next[0] = matches!(part, Part::Names) && reached[0];
        for (i, node) in model.nodes.iter().enumerate() {
            let parent = node.parent.map_or(0, |parent| parent.index() + 1);
            next[i + 1] = match &part {
                Part::Names => reached[i + 1] || next[parent],
                Part::Name(name) => reached[parent] && fits(&node.name, name),
            };
        }
        reached = next;
    }
    reached.split_off(1)
}

/// Letters of a pattern; `None` for `*`.
type Letters = Vec<Option<char>>;

/// A part of a pattern between two `/`.
enum Part<Name> {
    /// `**`: any number of names.
    Names,
    /// A pattern for one name: letters and `None` for `*`, or a converted form of them.
    Name(Name),
}

fn similar_parts(parts: Vec<Part<Letters>>) -> Vec<Part<Vec<Sign>>> {
    let similar = |part: Part<Letters>| match part {
        Part::Names => Part::Names,
        Part::Name(letters) => Part::Name(signs(&letters)),
    };
    parts.into_iter().map(similar).collect()
}

fn parts(pattern: &str) -> Vec<Part<Letters>> {
    let mut parts = Vec::new();
    let mut letters = Vec::new();
    let mut chars = pattern.chars();
    let end = |letters: Vec<Option<char>>| {
        if letters == [None, None] { Part::Names } else { Part::Name(letters) }
    };
    while let Some(c) = chars.next() {
        match c {
            '/' => parts.push(end(std::mem::take(&mut letters))),
            '*' => letters.push(None),
            '\\' => letters.push(Some(chars.next().unwrap_or(c))),
            _ => letters.push(Some(c)),
        }
    }
    parts.push(end(letters));
    parts
}

/// `true` if a name matches the letters; `false` without letters. Backtracking to the last `*` is enough,
/// because an earlier one cannot lead to a better match.
fn is_like(name: &str, letters: &[Option<char>]) -> bool {
    if letters.is_empty() {
        return false;
    }
    let mut rest = name.chars();
    let (mut at, mut star) = (0, None);
    loop {
        let before = rest.clone();
        let next = rest.next();
        match (letters.get(at), next) {
            (Some(None), _) => {
                at += 1;
                rest = before.clone();
                star = Some((at, before));
            }
            (Some(Some(letter)), Some(c)) if *letter == c => at += 1,
            (None, None) => return true,
            _ => {
                // The last `*` takes one more letter.
                let Some((after, from)) = &mut star else { return false };
                if from.next().is_none() {
                    return false;
                }
                at = *after;
                rest = from.clone();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::NodeId;

    /// `(name, parent)`
    const NODES: [(&str, Option<usize>); 12] = [
        ("Root", None),
        ("Hips", Some(0)),
        ("Spine", Some(1)),
        ("Spine1", Some(2)),
        ("Arm_L", Some(3)),
        ("Hand", Some(4)),
        ("Arm_R", Some(3)),
        ("Hand", Some(6)),
        ("Leg_L", Some(1)),
        ("rig:Odd*/name!", Some(0)),
        ("!Tail", Some(9)),
        ("", None),
    ];

    fn model() -> Model {
        let node = |&(name, parent): &(&str, Option<usize>)| Node {
            name: name.to_owned(),
            parent: parent.map(NodeId::new),
            ..Node::default()
        };
        Model { nodes: NODES.iter().map(node).collect(), ..Model::default() }
    }

    fn mask(patterns: &[(&str, f32)]) -> Result<Vec<f32>, MaskError> {
        let mask = JointMask::from_patterns(&model(), patterns.iter().copied())?;
        Ok(mask.weights()[..NODES.len()].to_vec())
    }

    /// The indices of the nodes that one pattern matches.
    fn matched(pattern: &str) -> Vec<usize> {
        let weights = mask(&[(pattern, 0.5)]).unwrap_or_else(|error| panic!("{error}"));
        (0..NODES.len()).filter(|&i| weights[i] != 0.0).collect()
    }

    #[test]
    fn mask_pattern_without_a_match_is_an_error_that_names_it() {
        let wrong = [
            "",
            "hands",
            "Hand/",
            "/",
            "//",
            "Leg_L/*",
            "!Missing",
            "/Hips",
            "Spine/Hand",
            "Arm",
            "\\",
            "**/Missing",
            "_",
            "_*",
            "*_e",
            "oot/*",
            "arm/l",
        ];
        for pattern in wrong {
            let want = MaskError::NoSuchJoint { pattern: pattern.to_owned() };
            assert_eq!(mask(&[("Hips", 1.0), (pattern, 1.0)]), Err(want.clone()), "{pattern}");
            assert!(
                want.code() == "mask/no-such-joint" && want.to_string().contains(&format!("\"{pattern}\""))
            );
        }
    }

    #[test]
    fn mask_patterns_match_names_paths_and_globs() {
        let cases: [(&str, &[usize]); 17] = [
            ("Hand", &[5, 7]),
            ("Arm_R/Hand", &[7]),
            ("Spine1/*", &[4, 6]),
            ("Spine1/**", &[3, 4, 5, 6, 7]),
            ("Spine1/**/Hand", &[5, 7]),
            ("Hips/**/*_L", &[4, 8]),
            ("Spine*", &[2, 3]),
            ("*pin*1", &[3]),
            ("/Root", &[0]),
            ("/Root/*", &[1, 9]),
            ("/**/Hand", &[5, 7]),
            ("/*", &[0, 11]),
            ("**", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            ("rig:Odd*/name!", &[9]),
            ("rig:Odd\\*\\/na*", &[9]),
            ("!Tail", &[10]),
            ("\\!Tail", &[10]),
        ];
        for (pattern, want) in cases {
            assert_eq!(matched(pattern), want, "{pattern}");
        }
    }

    #[test]
    fn mask_patterns_without_an_exact_match_match_similar_joint_names() {
        let cases: [(&str, &[usize]); 14] = [
            ("hand", &[5, 7]),
            ("mixamorig:Hips", &[1]),
            ("arm l", &[4]),
            ("arm-r/hand", &[7]),
            ("spine1/**", &[3, 4, 5, 6, 7]),
            ("mixamorig:Spine1/*", &[4, 6]),
            ("spine*", &[2, 3]),
            ("spine_*", &[3]),
            ("*.l", &[4, 8]),
            ("/root/*", &[1, 9]),
            ("hips/**/*-L", &[4, 8]),
            ("Odd_Name", &[9]),
            ("x:*eg_L", &[8]),
            ("armL", &[4]),
        ];
        for (pattern, want) in cases {
            assert_eq!(matched(pattern), want, "{pattern}");
        }
        let weights = mask(&[("!leg l", 1.0)]).expect("it matches");
        assert_eq!((weights[8], weights[4]), (0.0, 1.0), "exclusions too");
        assert_eq!(matched("Hand"), [5, 7]);
        let weights = mask(&[("!tail", 1.0)]).expect("it matches");
        assert_eq!((weights[10], weights[0]), (0.0, 1.0), "an exclusion, though a name begins with the sign");
    }

    #[test]
    fn mask_uses_the_last_matching_pattern_and_may_begin_with_an_exclusion() {
        let weights = mask(&[("Spine1/**", 1.0), ("Arm_?", 0.0)]);
        assert!(weights.is_err(), "there is no ? among the signs");
        let weights = mask(&[("Spine1/**", 0.5), ("Arm_R/**", 0.25), ("!Hand", 1.0)]).expect("all match");
        assert_eq!(weights, [0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let weights = mask(&[("!Hips/**", 1.0)]).expect("all match");
        assert_eq!(weights, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let weights = mask(&[("!!Tail", 1.0), ("Root", 7.0), ("Hips", f32::NAN)]).expect("all match");
        assert_eq!((weights[10], weights[0], weights[1], weights[2]), (0.0, 1.0, 0.0, 1.0));
        assert_eq!(mask(&[]), Ok(vec![0.0; NODES.len()]));
    }

    #[test]
    fn mask_matching_takes_linear_time_for_hostile_patterns() {
        let node = Node { name: "a".repeat(2000), ..Node::default() };
        let model = Model { nodes: vec![node; 20], ..Model::default() };
        for pattern in ["*a".repeat(500) + "b", "**/".repeat(500) + "b", "*".repeat(3000) + "b"] {
            assert!(JointMask::from_patterns(&model, [(pattern.as_str(), 1.0)]).is_err());
        }
    }

    #[test]
    fn mask_wildcards_agree_with_a_recursive_matcher() {
        /// The definition, by recursion.
        fn plain(name: &[char], letters: &[Option<char>]) -> bool {
            match letters.split_first() {
                None => name.is_empty(),
                Some((None, rest)) => (0..=name.len()).any(|i| plain(&name[i..], rest)),
                Some((Some(c), rest)) => name.first() == Some(c) && plain(&name[1..], rest),
            }
        }
        let words = |letters: &[char]| {
            let mut words = vec![String::new()];
            for length in 0..5 {
                let longest: Vec<String> =
                    words.iter().filter(|word| word.len() == length).cloned().collect();
                words.extend(
                    longest.iter().flat_map(|word| letters.iter().map(move |c| format!("{word}{c}"))),
                );
            }
            words
        };
        for pattern in words(&['a', 'b', '*']) {
            let letters: Vec<_> = pattern.chars().map(|c| (c != '*').then_some(c)).collect();
            for name in words(&['a', 'b']) {
                let chars: Vec<char> = name.chars().collect();
                let want = !letters.is_empty() && plain(&chars, &letters);
                assert_eq!(is_like(&name, &letters), want, "{name} {pattern}");
            }
        }
    }
}
