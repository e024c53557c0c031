//! The handling of each fault of Khronos's validator that can affect a player: a small file, the expected code and
//! pointer. `docs/faults.md` is written from the same table: `GAMBOL_BLESS=1 cargo test --test native faults`.

mod cases;
mod containers;
mod extensions;
mod nodes;
mod rules;
mod springs;

use crate::common::check::{check, import};
use gambol::import::Imported;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// The expected handling of a fault: none, or an error or a warning with code and pointer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Want {
    /// The file is not imported.
    Refuse(&'static str, &'static str),
    /// The file is imported without the faulty part or with a corrected one, with a warning.
    Repair(&'static str, &'static str),
    /// The file is imported unchanged, since the fault has no visible effect.
    Accept,
}

/// A fault: the validator's code, a description, the file, and the expected handling.
pub(crate) struct Case {
    rule: &'static str,
    fault: &'static str,
    bytes: Vec<u8>,
    want: Want,
}

fn all() -> Vec<Case> {
    let mut all = containers::cases();
    all.extend(cases::cases());
    all.extend(nodes::cases());
    all.extend(extensions::cases());
    all.extend(springs::cases());
    all
}

#[test]
fn faults_give_the_results_of_the_table() {
    let mut wrong = Vec::new();
    for Case { rule, fault, bytes, want } in all() {
        let got: Vec<(bool, &str, String)> = match import(&bytes) {
            Err(error) => vec![(true, error.code(), error.pointer.clone())],
            Ok(Imported { model, warnings }) => {
                check(&model);
                warnings.into_iter().map(|warning| (false, warning.code, warning.pointer)).collect()
            }
        };
        let wanted = match want {
            Want::Refuse(code, pointer) => vec![(true, code, pointer.to_owned())],
            Want::Repair(code, pointer) => vec![(false, code, pointer.to_owned())],
            Want::Accept => vec![],
        };
        // A repair may cause another one: weights do not sum to 1 after an influence is dropped.
        let as_wanted = if wanted.is_empty() { got.is_empty() } else { got.starts_with(&wanted) };
        if !as_wanted {
            wrong.push(format!("{rule} ({fault}): {got:?}, wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn faults_page_matches_the_table() {
    let mut page = String::from(
        "# Faults\n\n<!-- Written by tests/native/faults: GAMBOL_BLESS=1 cargo test --test native faults -->\n\n\
         The result of loading files with faults. The names of rules are those of Khronos's glTF Validator. Every row is \
         a test. [Error codes](errors.md) has the meaning of each code.\n\n\
         | result | meaning |\n|---|---|\n\
         | refuse | `load()` fails with the code. |\n\
         | repair | The faulty part is corrected or skipped, and a warning has the code. |\n\
         | accept | The file is shown as it is, without a warning. |\n\n\
         | Rule | Fault | Result | Code | JSON pointer |\n|---|---|---|---|---|\n",
    );
    for Case { rule, fault, want, .. } in all() {
        let (does, code, pointer) = match want {
            Want::Refuse(code, pointer) => ("refuse", code, pointer),
            Want::Repair(code, pointer) => ("repair", code, pointer),
            Want::Accept => ("accept", "–", ""),
        };
        let quoted =
            |text: &str| if text.is_empty() || text == "–" { text.to_owned() } else { format!("`{text}`") };
        let row = writeln!(page, "| {rule} | {fault} | {does} | {} | {} |", quoted(code), quoted(pointer));
        row.expect("writing to a string does not fail");
    }
    page.push_str("\nImages are decoded by the browser, and Draco meshes by a script:\n\n| Rule | Fault | Code |\n|---|---|---|\n");
    for (rule, fault, code) in rules::IN_THE_PAGE {
        writeln!(page, "| {rule} | {fault} | {code} |").expect("writing to a string does not fail");
    }
    let harmless = rules::HARMLESS.split_whitespace().collect::<Vec<_>>().join(", ");
    write!(page, "\nThese rules have no effect on the picture and are not checked: {harmless}.\n")
        .expect("writing to a string does not fail");

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/faults.md");
    if std::env::var_os("GAMBOL_BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == page, "docs/faults.md differs from the table; run with GAMBOL_BLESS=1");
}

/// Every rule of the validator has a case or a documented exception, and every name exists.
#[test]
fn faults_cover_every_rule_of_the_validator() {
    let names = |text: &'static str| text.split_whitespace();
    let rules: BTreeSet<_> = names(rules::ALL).collect();
    assert_eq!(names(rules::ALL).count(), rules.len(), "a rule is listed twice");
    let cases: BTreeSet<_> = all().iter().map(|case| case.rule).collect();
    let without: BTreeSet<_> = names(rules::HARMLESS).collect();
    assert!(cases.is_disjoint(&without));
    let in_the_page = rules::IN_THE_PAGE.map(|(rule, ..)| rule);
    let told: BTreeSet<_> = cases.iter().chain(&without).chain(&in_the_page).copied().collect();
    assert_eq!(rules.difference(&told).collect::<Vec<_>>(), Vec::<&&str>::new(), "rules without a case");
    let others: BTreeSet<_> = names(rules::OTHERS).chain(["KHR_draco_mesh_compression"]).collect();
    assert_eq!(told.difference(&rules).copied().collect::<BTreeSet<_>>(), others);
}

/// Writes seeds for the fuzzer; `cargo xtask fuzz` sets the folder.
#[test]
fn seeds_of_faults_are_written() {
    let Some(folder) = std::env::var_os("GAMBOL_SEEDS") else { return };
    for (i, case) in all().iter().enumerate() {
        let name = format!("{}-{i}", case.rule.to_lowercase());
        std::fs::write(Path::new(&folder).join("import").join(name), &case.bytes).expect("the folder exists");
    }
}
