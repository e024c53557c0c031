//! Lookup of joints by name.

use crate::model::{Model, NodeId};

/// The node with the name `name`; the first in file order if there are several. `None` without a match.
///
/// An exact match has priority. Otherwise names are compared tolerantly:
/// - Any prefix up to the last `:` is dropped, such as in `mixamorig:LeftHand`.
/// - ASCII characters other than letters and digits are dropped.
/// - ASCII letters are compared without case.
///
/// So `left_hand`, `Left Hand` and `LeftHand` are the same joint. A name without any characters left matches
/// none. If nothing matches, the name of a human bone of VRM finds the node that a VRM file gives for it.
pub fn find_joint(model: &Model, name: &str) -> Option<NodeId> {
    let first = |fits: &dyn Fn(&str) -> bool| {
        let named = model.nodes.iter().enumerate().filter(|(_, node)| fits(&node.name));
        named.min_by_key(|(_, node)| node.source).map(|(i, _)| NodeId::new(i))
    };
    let exact = first(&|known| !known.is_empty() && known == name);
    let similar = || {
        essence(name).next()?;
        first(&|known| essence(known).eq(essence(name)))
    };
    let human = || {
        let bones = &model.humanoid.as_ref()?.bones;
        bones.iter().find(|(bone, _)| bone.name() == name).map(|(_, node)| *node)
    };
    exact.or_else(similar).or_else(human)
}

/// The characters that tolerant matching compares.
pub(super) fn essence(name: &str) -> impl Iterator<Item = char> {
    bare(name).chars().filter(|&letter| counts(letter)).map(|letter| letter.to_ascii_lowercase())
}

/// A name without its prefix up to the last `:`.
fn bare(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// `false` for separators.
fn counts(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || !letter.is_ascii()
}

/// An element of a pattern for tolerant matching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// A letter or digit.
    Letter(char),
    /// Any number of letters, including none.
    Any,
    /// A boundary between two words of a name.
    Break,
}

/// Converts the letters and wildcards (`None`) of a pattern to the elements for tolerant matching.
///
/// A separator next to a wildcard is a word boundary; any other separator is dropped, as in a name.
pub(super) fn signs(letters: &[Option<char>]) -> Vec<Sign> {
    let prefix = letters.iter().rposition(|&letter| letter == Some(':')).map_or(0, |at| at + 1);
    let letters = &letters[prefix..];
    let beside = |at: usize| letters.get(at) == Some(&None);
    let sign = |(at, &letter): (usize, &Option<char>)| match letter {
        None => Some(Sign::Any),
        Some(letter) if counts(letter) => Some(Sign::Letter(letter.to_ascii_lowercase())),
        Some(_) => (beside(at + 1) || beside(at.wrapping_sub(1))).then_some(Sign::Break),
    };
    letters.iter().enumerate().filter_map(sign).collect()
}

/// `true` if a name matches the pattern tolerantly; `false` for an empty pattern. Backtracking to the last
/// wildcard is enough, because an earlier one cannot lead to a better match.
pub(super) fn is_similar(name: &str, signs: &[Sign]) -> bool {
    let (letters, breaks) = words(name);
    if signs.is_empty() {
        return false;
    }
    let (mut at, mut sign, mut wildcard) = (0, 0, None);
    loop {
        match signs.get(sign) {
            None if at == letters.len() => return true,
            Some(Sign::Any) => wildcard = Some((at, sign)),
            Some(Sign::Break) if breaks.get(at) == Some(&true) => {}
            Some(&Sign::Letter(letter)) if letters.get(at) == Some(&letter) => at += 1,
            _ => {
                // The last wildcard takes one more letter.
                let Some((from, _)) = wildcard.as_mut().filter(|(from, _)| *from < letters.len()) else {
                    return false;
                };
                *from += 1;
                (at, sign) = (*from, wildcard.map_or(0, |(_, sign)| sign));
            }
        }
        sign += 1;
    }
}

/// The [`essence`] of a name. The flag of each letter is `true` if it begins a word other than the first.
fn words(name: &str) -> (Vec<char>, Vec<bool>) {
    let (mut letters, mut breaks) = (Vec::new(), Vec::new());
    let mut before: Option<char> = None;
    let mut separated = false;
    for letter in bare(name).chars() {
        if !counts(letter) {
            separated = true;
            continue;
        }
        let other = |last: char| {
            last.is_lowercase() && letter.is_uppercase() || last.is_ascii_digit() != letter.is_ascii_digit()
        };
        breaks.push(before.is_some_and(|last| separated || other(last)));
        letters.push(letter.to_ascii_lowercase());
        (before, separated) = (Some(letter), false);
    }
    (letters, breaks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Node;

    /// A model with nodes of these names; the file order is the reverse.
    fn model(names: &[&str]) -> Model {
        let node = |(i, name): (usize, &&str)| Node {
            name: (*name).to_owned(),
            source: (names.len() - 1 - i) as u32,
            ..Node::default()
        };
        Model { nodes: names.iter().enumerate().map(node).collect(), ..Model::default() }
    }

    fn found(names: &[&str], name: &str) -> Option<usize> {
        find_joint(&model(names), name).map(NodeId::index)
    }

    #[test]
    fn joint_lookup_ignores_empty_names() {
        assert_eq!(found(&[], "Head"), None);
        assert_eq!(found(&["", "::", "a:"], ""), None);
        assert_eq!(found(&["", "_", "頭"], "_ -"), None);
        assert_eq!(found(&["Head"], "Heads"), None);
    }

    #[test]
    fn joint_lookup_prefers_the_exact_name() {
        assert_eq!(found(&["Head", "head"], "Head"), Some(0));
        assert_eq!(found(&["-"], "-"), Some(0), "even one of which nothing is left");
        assert_eq!(found(&["Head", "Head"], "Head"), Some(1), "of several the first of the file");
        assert_eq!(found(&["頭", "頭:手"], "頭"), Some(0));
    }

    #[test]
    fn joint_lookup_ignores_prefixes_case_and_separators() {
        for name in ["LeftHand", "left_hand", "Left Hand", "x:y:left-hand", "MIXAMORIG:lefthand"] {
            assert_eq!(found(&["Hand", "mixamorig:LeftHand"], name), Some(1), "{name}");
        }
        assert_eq!(found(&["Hand.L", "Hand.R"], "hand_l"), Some(0));
        assert_eq!(found(&["rig:手.L"], "手l"), Some(0), "letters of other scripts count");
    }

    fn similar(name: &str, pattern: &str) -> bool {
        let letters: Vec<_> = pattern.chars().map(|letter| (letter != '*').then_some(letter)).collect();
        is_similar(name, &signs(&letters))
    }

    #[test]
    fn joint_names_are_similar_if_their_letters_and_digits_are_equal() {
        let names = [
            "LeftHand",
            "rig:left_hand",
            "Left Hand.",
            "Hand",
            "手.L",
            "rig:手l",
            "Spine_1",
            "spine1",
            "a:",
            "_",
            "",
        ];
        for name in names {
            for pattern in names {
                let want = essence(pattern).next().is_some() && essence(name).eq(essence(pattern));
                assert_eq!(similar(name, pattern), want, "{name} {pattern}");
            }
        }
    }

    #[test]
    fn joint_pattern_separator_beside_a_wildcard_is_a_word_boundary() {
        for (name, pattern) in [
            ("Hand.L", "*_L"),
            ("rig:HandL", "*_l"),
            ("hand l", "*L"),
            ("Tail", "*L"),
            ("mixamorig:LeftHandIndex1", "left_hand_*"),
            ("Spine1", "spine_*"),
            ("Spine1", "*-1"),
            ("LeftHandIndex1", "left*_index*"),
            ("", "*"),
            ("Bone", "x*:bone"),
        ] {
            assert!(similar(name, pattern), "{name} {pattern}");
        }
        for (name, pattern) in [
            ("Tail", "*_L"),
            ("L", "*_L"),
            ("Spine", "spine_*"),
            ("Spine", "_*"),
            ("Spine", "*_"),
            ("Lefty", "left_*"),
            ("LeftIndex", "left*_index_*"),
            ("", "*_*"),
            ("", "_"),
        ] {
            assert!(!similar(name, pattern), "{name} {pattern}");
        }
    }
}
