//! Faults of spring bones: VRMC_springBone, and `secondaryAnimation` of VRM 0.

use super::Case;
use super::Want::{Accept, Repair};
use super::cases::case;
use crate::common::builder::{Builder, triangle};
use serde_json::{Value, json};

/// A triangle with a tail: the nodes 1 to 3, each the child of the one before.
fn tailed() -> Builder {
    let mut file = triangle();
    let mut parent = 0;
    for _ in 0..3 {
        parent = file.node(Some(parent), json!({"translation": [0, 0.1, 0]}));
    }
    file
}

/// A valid extension of version 1: a chain with a collider.
fn version_1() -> Value {
    json!({
        "specVersion": "1.0",
        "colliders": [{"node": 0, "shape": {"sphere": {"radius": 0.1}}}],
        "colliderGroups": [{"colliders": [0]}],
        "springs": [{"joints": [{"node": 1}, {"node": 2}, {"node": 3}], "colliderGroups": [0]}],
    })
}

/// A valid extension of version 0: a chain with a collider.
fn version_0() -> Value {
    json!({
        "boneGroups": [{"stiffiness": 0.5, "center": -1, "bones": [1], "colliderGroups": [0]}],
        "colliderGroups": [{"node": 0, "colliders": [{"offset": {"x": 0, "y": 0, "z": 0}, "radius": 0.1}]}],
    })
}

/// A change of the value at a JSON pointer; of `null`, the member is removed.
type Change = (&'static str, Value);

fn changed(mut root: Value, (pointer, value): &Change) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a JSON pointer");
    let at = root.pointer_mut(parent).expect("the parent is there");
    match (at, key.parse::<usize>()) {
        (Value::Array(list), Ok(index)) => list[index] = value.clone(),
        (Value::Object(members), _) if value.is_null() => drop(members.remove(key)),
        (Value::Object(members), _) => drop(members.insert(key.to_owned(), value.clone())),
        _ => unreachable!("{pointer} names no member"),
    }
    root
}

pub(crate) fn cases() -> Vec<Case> {
    let mut all = vec![
        case("–", "spring bones without a fault", Accept, tailed, |f| {
            extend(f, "VRMC_springBone", version_1())
        }),
        case(
            "VALUE_NOT_IN_RANGE",
            "spring bones of VRM 0 with a negative radius of a collider; the default is used",
            Repair(
                "import/invalid-value",
                "/extensions/VRM/secondaryAnimation/colliderGroups/0/colliders/0/radius",
            ),
            tailed,
            |f| {
                let change = ("/colliderGroups/0/colliders/0/radius", json!(-1));
                avatar(f, changed(version_0(), &change));
            },
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "spring bones of VRM 0 whose bone does not exist",
            Repair("import/index-out-of-range", "/extensions/VRM/secondaryAnimation/boneGroups/0/bones/0"),
            tailed,
            |f| {
                let change = ("/boneGroups/0/bones/0", json!(70));
                avatar(f, changed(version_0(), &change));
            },
        ),
    ];
    all.extend(faults().into_iter().map(|(rule, fault, code, pointer, change)| {
        case(rule, fault, Repair(code, pointer), tailed, move |f| {
            extend(f, "VRMC_springBone", changed(version_1(), &change));
        })
    }));
    all
}

fn extend(file: &mut Builder, name: &str, value: Value) {
    file.json["extensionsUsed"] = json!([name]);
    file.json["extensions"] = json!({ name: value });
}

/// An avatar of VRM 0. Its extension is not in the list of used ones, because its other parts are ignored with a warning.
fn avatar(file: &mut Builder, springs: Value) {
    file.json["extensions"] = json!({"VRM": {"humanoid": {"humanBones": []}, "secondaryAnimation": springs}});
}

/// Rule, description, code, pointer, and the change of a valid extension.
fn faults() -> Vec<(&'static str, &'static str, &'static str, &'static str, Change)> {
    const VALUE: &str = "import/invalid-value";
    const INDEX: &str = "import/index-out-of-range";
    vec![
        (
            "UNRESOLVED_REFERENCE",
            "a chain of spring bones whose joint does not exist; the chain is left out",
            INDEX,
            "/extensions/VRMC_springBone/springs/0/joints/1/node",
            ("/springs/0/joints/1/node", json!(70)),
        ),
        (
            "UNDEFINED_PROPERTY",
            "a joint of spring bones without a node; the chain is left out",
            VALUE,
            "/extensions/VRMC_springBone/springs/0/joints/1",
            ("/springs/0/joints/1/node", Value::Null),
        ),
        (
            "–",
            "a chain of spring bones whose joint is no descendant of the one before; the chain is left out",
            VALUE,
            "/extensions/VRMC_springBone/springs/0",
            ("/springs/0/joints/2/node", json!(0)),
        ),
        (
            "ARRAY_LENGTH_NOT_IN_LIST",
            "a direction of gravity with two numbers; the default is used",
            VALUE,
            "/extensions/VRMC_springBone/springs/0/joints/0/gravityDir",
            ("/springs/0/joints/0/gravityDir", json!([0, 1])),
        ),
        (
            "VALUE_NOT_IN_RANGE",
            "a spring bone with a negative stiffness; the default is used",
            VALUE,
            "/extensions/VRMC_springBone/springs/0/joints/0/stiffness",
            ("/springs/0/joints/0/stiffness", json!(-1)),
        ),
        (
            "UNRESOLVED_REFERENCE",
            "a centre of spring bones that does not exist; the world is used",
            INDEX,
            "/extensions/VRMC_springBone/springs/0/center",
            ("/springs/0/center", json!(70)),
        ),
        (
            "–",
            "a centre of spring bones that swings with them; the world is used",
            VALUE,
            "/extensions/VRMC_springBone/springs/0/center",
            ("/springs/0/center", json!(2)),
        ),
        (
            "UNRESOLVED_REFERENCE",
            "a collider of spring bones on a node that does not exist; it is left out",
            INDEX,
            "/extensions/VRMC_springBone/colliders/0/node",
            ("/colliders/0/node", json!(70)),
        ),
        (
            "ONE_OF_MISMATCH",
            "a collider of spring bones that is neither a sphere nor a capsule; it is left out",
            VALUE,
            "/extensions/VRMC_springBone/colliders/0",
            ("/colliders/0/shape", json!({})),
        ),
        (
            "UNRESOLVED_REFERENCE",
            "a group with a collider that does not exist",
            INDEX,
            "/extensions/VRMC_springBone/colliderGroups/0/colliders/0",
            ("/colliderGroups/0/colliders/0", json!(7)),
        ),
        (
            "TYPE_MISMATCH",
            "a chain of spring bones whose group of colliders is a string",
            VALUE,
            "/extensions/VRMC_springBone/springs/0/colliderGroups/0",
            ("/springs/0/colliderGroups/0", json!("all")),
        ),
    ]
}
