//! Identifiers of USD: ASCII letters, digits and underscores, without a digit at the beginning.
//!
//! OpenUSD takes other letters since 24.03 only.

use std::collections::{HashMap, HashSet};

/// The longest identifier that is made from a name, without the number that makes it unique.
const LONGEST: usize = 64;

/// The names of siblings, each used once.
#[derive(Debug, Default)]
pub(super) struct Names {
    used: HashSet<String>,
    /// The next number for a name that is used.
    next: HashMap<String, usize>,
}

impl Names {
    /// An identifier like `name`, or like `otherwise` if that is empty, which no sibling has.
    pub(super) fn unique(&mut self, name: &str, otherwise: &str) -> String {
        let wanted = identifier(if name.trim().is_empty() { otherwise } else { name });
        if self.used.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(1);
        loop {
            let numbered = format!("{wanted}_{next}");
            *next += 1;
            if self.used.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// An identifier like a name.
fn identifier(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut out: String = name.trim().chars().take(LONGEST).map(letter).collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        out.insert(0, '_');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique_identifiers() {
        let mut names = Names::default();
        let all =
            ["Hips", "Hips", "Hips_1", "Hips", "", " ", "1st", "a.b:c", "Füße", "mixamorig:Hips", "\n\"@"];
        let got = all.map(|name| names.unique(name, "node"));
        let want = [
            "Hips",
            "Hips_1",
            "Hips_1_1",
            "Hips_2",
            "node",
            "node_1",
            "_1st",
            "a_b_c",
            "F__e",
            "mixamorig_Hips",
            "__",
        ];
        assert_eq!(got, want);
        assert_eq!(names.unique(&"x".repeat(1000), "node").len(), LONGEST);
    }
}
