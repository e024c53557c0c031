//! The known name that is most similar to an unknown one, for messages.

/// The name with the smallest edit distance to `name`, without regard to the case of ASCII letters; `None` if more
/// than half of the letters differ.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = |name: &str| -> Vec<char> {
        // Longer names are no slips of the keyboard, and the time is quadratic.
        name.chars().take(64).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let wanted = letters(name);
    let mut best = None;
    let mut least = wanted.len() / 2 + 1;
    for candidate in known {
        let distance = distance(&wanted, &letters(candidate));
        if distance < least {
            (best, least) = (Some(candidate), distance);
        }
    }
    best
}

/// The number of letters to insert, remove or replace (Levenshtein).
pub fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_has_the_fewest_changed_letters() {
        let known = ["Walk", "Run", "Idle", "Dance"];
        for (name, found) in
            [("walk", Some("Walk")), ("Rum", Some("Run")), ("Idel", Some("Idle")), ("", None)]
        {
            assert_eq!(nearest(name, known), found, "{name}");
        }
        assert_eq!(nearest("Xyzzy", known), None);
        assert_eq!(nearest("Walk", []), None);
    }
}
