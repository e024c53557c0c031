//! Rules and passes from outside: the examples, run.

#[path = "../examples/pass.rs"]
mod pass;
#[path = "../examples/rule.rs"]
mod rule;

use gambol::import::{NoResolver, import};
use gambol_tools::inspect::{Options, Severity, inspect};
use std::path::Path;

#[test]
fn a_rule_from_outside_adds_findings_and_obeys_the_options() {
    let glb = gambol_sample::glb();
    let model = import(&glb, &mut NoResolver).expect("the sample is valid").model;
    let long: Vec<usize> = (0..model.clips.len()).filter(|&i| model.clips[i].duration > 3.0).collect();
    assert!(!long.is_empty() && long.len() < model.clips.len(), "{long:?}");

    let report = rule::report(&glb, Path::new("."), &Options::default());
    let of_rule = || report.findings.iter().filter(|finding| finding.code == "acme/long-clip");
    assert_eq!(of_rule().filter_map(|finding| finding.clip).collect::<Vec<_>>(), long);
    for finding in of_rule() {
        let clip = finding.clip.expect("a clip");
        assert_eq!(finding.number("duration"), Some(model.clips[clip].duration.into()));
        assert_eq!(finding.pointer, format!("/animations/{clip}"));
    }
    // The others are those without the rule, in the same order, and the counts are right.
    let plain = inspect(&glb, &mut NoResolver, &Options::default());
    let others = report.findings.iter().filter(|finding| finding.code != "acme/long-clip");
    assert!(others.eq(&plain.findings));
    assert!(report.findings.is_sorted_by_key(|finding| finding.severity));
    assert_eq!(report.summary.warnings, plain.summary.warnings + long.len());
    let warnings = report.findings.iter().filter(|finding| finding.severity == Severity::Warning);
    assert_eq!(report.summary.warnings, warnings.count());

    let ignored = rule::report(&glb, Path::new("."), &Options { ignore: vec!["acme/long-clip".to_owned()] });
    assert_eq!(ignored, plain);
    // A file that is no document is not shown to the rule.
    let broken = rule::report(b"PK\x03\x04", Path::new("."), &Options::default());
    assert_eq!(broken.findings.len(), 1, "{broken:?}");
    rule::main().expect("the example runs");
}

#[test]
fn a_pass_from_outside_comes_before_the_optimiser() {
    let glb = gambol_sample::glb();
    let whole = import(&glb, &mut NoResolver).expect("the sample is valid").model;
    let made = pass::optimized(&glb, Path::new("."), &["Walk"]).expect("it is optimised");
    let model = import(&made.bytes, &mut NoResolver).expect("the result is valid").model;
    let names: Vec<&str> = model.clips.iter().map(|clip| &*clip.name).collect();
    assert_eq!(names, ["Walk"]);
    assert!(!made.report.unchanged && made.report.error() <= made.report.bound);
    let found = gambol_tools::diff(&whole, &model).expect("they have vertices");
    assert_eq!(found.clips.len(), 1);
    assert!(found.largest().0.distance <= made.report.bound, "{found:?}");

    // Without clips, and once more: the result keeps what the pass made, and its mark.
    let none = pass::optimized(&glb, Path::new("."), &[]).expect("it is optimised");
    let model = import(&none.bytes, &mut NoResolver).expect("the result is valid").model;
    assert!(model.clips.is_empty() && none.bytes.len() < made.bytes.len());
    let again = pass::optimized(&made.bytes, Path::new("."), &["Walk"]).expect("it is optimised");
    assert!(again.report.unchanged);
    assert_eq!(again.bytes, made.bytes);
    let fault = pass::optimized(b"{}", Path::new("."), &[]).expect_err("there is no version");
    assert_eq!(fault.code, "import/invalid-value");
    pass::main().expect("the example runs");
}
