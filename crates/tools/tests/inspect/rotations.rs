//! Quaternions and scales.

use super::file::{ARM, File, HAND, good, near, quaternion};
use gambol_tools::inspect::{Finding, PatchStep, Severity};
use glam::{DQuat, DVec3};
use serde_json::json;

fn of(file: &File, code: &str) -> Vec<Finding> {
    file.report().findings.into_iter().filter(|finding| finding.code == code).collect()
}

#[test]
fn inspect_measures_rotations_that_are_not_of_unit_length() {
    let code = "inspect/rotation-not-unit";
    let mut node = good();
    node.json["nodes"][HAND]["rotation"] = json!([0.0, 0.6, 0.0, 0.6]);
    let found = of(&node, code);
    assert_eq!(found.len(), 1, "{found:#?}");
    near(&found[0], "length", 0.6 * 2.0_f64.sqrt(), 1e-9);
    assert_eq!(
        (found[0].severity, found[0].pointer.clone()),
        (Severity::Error, format!("/nodes/{HAND}/rotation"))
    );
    // The patch mends it.
    let Some(PatchStep::Replace(pointer, value)) =
        found[0].fix.as_ref().and_then(|fix| fix.patch.first()).cloned()
    else {
        panic!("no patch: {found:#?}")
    };
    *node.json.pointer_mut(&pointer).expect("the place") =
        serde_json::from_str(&value.to_string()).expect("JSON");
    assert_eq!(of(&node, code), []);

    let mut keys = good();
    let values =
        [quaternion(DVec3::Y, 0.0), quaternion(DVec3::Y, 30.0).map(|x| 1.1 * x), quaternion(DVec3::Y, 0.0)];
    keys.channel(0, (HAND, "rotation"), "LINEAR", &[0.0, 0.5, 1.0], &values.concat());
    let finding = keys.one(code);
    near(&finding, "deviation", 0.1, 1e-6);
    near(&finding, "keys", 1.0, 0.0);
    assert_eq!((finding.time, finding.pointer.as_str()), (Some(0.5), "/animations/0/channels/3"));

    // 0.707 is what people write by hand.
    let mut rounded = good();
    rounded.json["nodes"][HAND]["rotation"] = json!([0.0, 0.707, 0.0, 0.707]);
    assert_eq!(of(&rounded, code), []);
}

#[test]
fn inspect_finds_flipped_quaternions_and_their_long_way() {
    let code = "inspect/rotation-flipped";
    let (a, b) = (quaternion(DVec3::Y, 0.0), quaternion(DVec3::Y, 40.0));
    let negative = b.map(|x| -x);
    let mut linear = good();
    linear.channel(0, (HAND, "rotation"), "LINEAR", &[0.0, 0.5, 1.0], &[a, negative, a].concat());
    let finding = linear.one(code);
    // The four numbers go from one quaternion to the other on an arc of this angle, and the rotation turns by twice as much.
    let long = 2.0 * DQuat::from_array(a).dot(DQuat::from_array(negative)).acos().to_degrees();
    near(&finding, "longWay", long, 1e-4);
    near(&finding, "pairs", 2.0, 0.0);
    assert_eq!(finding.severity, Severity::Info, "players take the shorter way, by the specification");

    // A spline works on the four numbers.
    let mut spline = good();
    let flat = [0.0; 4];
    let row = |q: [f64; 4]| [flat, q, flat].concat();
    let values = [row(a), row(negative), row(a)].concat();
    spline.channel(0, (HAND, "rotation"), "CUBICSPLINE", &[0.0, 0.5, 1.0], &values);
    assert_eq!(spline.one(code).severity, Severity::Error);

    let mut right = good();
    right.channel(0, (HAND, "rotation"), "LINEAR", &[0.0, 0.5, 1.0], &[a, b, a].concat());
    right.clean();
}

#[test]
fn inspect_finds_half_turns() {
    let code = "inspect/rotation-half-turn";
    let mut file = good();
    let turns = [0.0, 179.0, 0.0].map(|degrees| quaternion(DVec3::Y, degrees));
    file.channel(0, (HAND, "rotation"), "LINEAR", &[0.0, 0.5, 1.0], &turns.concat());
    let finding = file.one(code);
    near(&finding, "turn", 179.0, 1e-3);
    assert_eq!(finding.time, Some(0.0));
    let mut step = good();
    step.channel(0, (HAND, "rotation"), "STEP", &[0.0, 0.5, 1.0], &turns.concat());
    assert_eq!(of(&step, code), []);
}

#[test]
fn inspect_finds_zero_and_negative_scales() {
    let mut mirrored = good();
    mirrored.json["nodes"][HAND]["scale"] = json!([1.0, -1.0, 1.0]);
    let found = of(&mirrored, "inspect/scale-negative");
    assert_eq!((found.len(), found[0].severity, found[0].node), (1, Severity::Warning, Some(HAND)));
    near(&found[0], "scale", -1.0, 0.0);

    let mut flat = good();
    flat.json["nodes"][HAND]["scale"] = json!([1.0, 0.0, 1.0]);
    let found = of(&flat, "inspect/scale-zero");
    assert_eq!((found.len(), found[0].severity), (1, Severity::Warning));

    let mut animated = good();
    let values = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    animated.channel(0, (ARM, "scale"), "LINEAR", &[0.0, 0.5, 1.0], &values);
    let found = of(&animated, "inspect/scale-zero");
    assert_eq!(
        (found.len(), found[0].time, found[0].severity),
        (1, Some(0.5), Severity::Info),
        "hidden on purpose"
    );

    let mut large = good();
    large.json["nodes"][HAND]["scale"] = json!([2.0, 0.5, 1.0]);
    let codes = ["inspect/scale-zero", "inspect/scale-negative"];
    assert!(large.report().findings.iter().all(|finding| !codes.contains(&finding.code)));
}
