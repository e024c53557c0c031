//! Joints by their names.

use crate::model::{Model, NodeId};

/// The node that is called `name`; the first in file order if there are several.
///
/// The very name goes first. Without one a tolerant match follows: what stands before the last `:` is dropped
/// (`mixamorig:LeftHand`), and so is whatever is ASCII but neither a letter nor a digit; ASCII letters match in either
/// case. So `left_hand`, `Left Hand` and `LeftHand` are one joint; a name of which nothing is left matches none.
pub fn find_joint(model: &Model, name: &str) -> Option<NodeId> {
    let first = |fits: &dyn Fn(&str) -> bool| {
        let named = model.nodes.iter().enumerate().filter(|(_, node)| fits(&node.name));
        named.min_by_key(|(_, node)| node.source).map(|(i, _)| NodeId::new(i))
    };
    let exact = first(&|known| !known.is_empty() && known == name);
    exact.or_else(|| {
        essence(name).next()?;
        first(&|known| essence(known).eq(essence(name)))
    })
}

/// What tolerant matching compares.
pub(super) fn essence(name: &str) -> impl Iterator<Item = char> {
    let bare = name.rsplit(':').next().unwrap_or(name);
    let kept = bare.chars().filter(|letter| letter.is_ascii_alphanumeric() || !letter.is_ascii());
    kept.map(|letter| letter.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Node;

    /// Nodes with names, the last of them the first of the file.
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
    fn what_has_no_name_is_not_found() {
        assert_eq!(found(&[], "Head"), None);
        assert_eq!(found(&["", "::", "a:"], ""), None);
        assert_eq!(found(&["", "_", "頭"], "_ -"), None);
        assert_eq!(found(&["Head"], "Heads"), None);
    }

    #[test]
    fn the_very_name_goes_before_a_similar_one() {
        assert_eq!(found(&["Head", "head"], "Head"), Some(0));
        assert_eq!(found(&["-"], "-"), Some(0), "even one of which nothing is left");
        assert_eq!(found(&["Head", "Head"], "Head"), Some(1), "of several the first of the file");
        assert_eq!(found(&["頭", "頭:手"], "頭"), Some(0));
    }

    #[test]
    fn prefixes_case_and_signs_do_not_matter() {
        for name in ["LeftHand", "left_hand", "Left Hand", "x:y:left-hand", "MIXAMORIG:lefthand"] {
            assert_eq!(found(&["Hand", "mixamorig:LeftHand"], name), Some(1), "{name}");
        }
        assert_eq!(found(&["Hand.L", "Hand.R"], "hand_l"), Some(0));
        assert_eq!(found(&["rig:手.L"], "手l"), Some(0), "letters of other scripts count");
    }
}
