//! Suggestions for names that are not found.

use crate::base::distance;

/// Characters of a name that are compared, and names that are, so that the time is bounded.
const LETTERS: usize = 48;
const NAMES: usize = 2000;

/// The most similar of some names; `None` if all differ in more than half of their letters.
pub(super) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let letters = |name: &str| -> Vec<char> {
        let name = name.rsplit(':').next().unwrap_or(name).chars();
        name.filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(LETTERS).collect()
    };
    let wanted = letters(name);
    let near = names.filter(|other| !other.is_empty()).take(NAMES).filter_map(|other| {
        let known = letters(other);
        let distance = distance(&wanted, &known);
        (2 * distance <= wanted.len().max(known.len())).then_some((distance, other))
    });
    // Of equally near ones the first.
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_insertions_deletions_and_replacements() {
        let of = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!((of("", ""), of("abc", ""), of("", "ab")), (0, 3, 2));
        assert_eq!((of("kitten", "sitting"), of("arm", "arm"), of("ab", "ba")), (3, 0, 2));
    }

    #[test]
    fn the_nearest_name_is_similar_or_none() {
        let names = ["", "Head", "LeftHand", "RightHand", "Bone"];
        let of = |name| nearest(name, names.into_iter());
        assert_eq!(of("mixamorig:Left_Hands").as_deref(), Some("LeftHand"));
        assert_eq!(of("heads").as_deref(), Some("Head"));
        assert_eq!(of("Tentacle"), None);
        assert_eq!(nearest("", names.into_iter()), None);
        assert_eq!(nearest("x", std::iter::empty()), None);
    }
}
