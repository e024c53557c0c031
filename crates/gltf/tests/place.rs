//! Typed reading of JSON values: substitutes, the pointer of the first fault, constants.

use gambol_gltf::element::{
    AlphaMode, Checked, ComponentType, Interpolation, Kind, MagFilter, MinFilter, Mode, WrappingMode,
};
use gambol_gltf::json;
use gambol_gltf::json::Value;
use gambol_gltf::place::{self, Faults, FromJson, Place};
use gltf::json::accessor::GenericComponentType;
use std::fmt::Debug;

/// The pointer and the reason of the fault of a value.
fn fault<T: FromJson>(value: &Value) -> (String, String) {
    let error = place::read::<T>(value, "/at").err().expect("the value is invalid");
    assert_eq!(error.code(), "import/invalid-value");
    let text = error.kind.to_string();
    let reason = text.strip_prefix("The JSON value is invalid: ").expect("the kind of fault");
    (error.pointer.clone(), reason.to_owned())
}

fn at(pointer: &str, reason: &str) -> (String, String) {
    (pointer.to_owned(), reason.to_owned())
}

/// A value with members of several kinds.
#[derive(Debug, PartialEq)]
struct Thing {
    name: String,
    count: u32,
    parts: Vec<Part>,
}

#[derive(Debug, PartialEq)]
struct Part {
    size: Option<[f32; 2]>,
    visible: bool,
}

impl FromJson for Thing {
    fn read(at: &Place<'_>) -> Self {
        Self {
            name: at.or("name", "unnamed".to_owned()),
            count: at.required("count"),
            parts: at.or("parts", Vec::new()),
        }
    }
}

impl FromJson for Part {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self { size: at.optional("size"), visible: at.or("visible", true) }
    }
}

#[test]
fn place_reads_members_and_substitutes_missing_ones() {
    let value = json!({ "count": 3.0, "parts": [{ "size": [1, -0.5] }, { "size": null, "visible": false }] });
    let parts = vec![Part { size: Some([1.0, -0.5]), visible: true }, Part { size: None, visible: false }];
    let expected = Thing { name: "unnamed".to_owned(), count: 3, parts };
    assert_eq!(place::read::<Thing>(&value, "").ok(), Some(expected));
}

#[test]
fn place_faults_have_the_pointer_and_the_reason() {
    assert_eq!(fault::<Thing>(&json!({})), at("/at", "the property `count` is missing"));
    assert_eq!(fault::<Thing>(&json!({ "count": null })), at("/at", "the property `count` is missing"));
    assert_eq!(fault::<Thing>(&json!([])), at("/at", "expected an object"));
    let part = |part: Value| fault::<Thing>(&json!({ "count": 0, "parts": [{}, part] }));
    assert_eq!(part(json!(1)), at("/at/parts/1", "expected an object"));
    assert_eq!(part(json!({ "size": [1] })), at("/at/parts/1/size", "expected 2 numbers"));
    assert_eq!(part(json!({ "size": [1, "2"] })), at("/at/parts/1/size/1", "expected a number"));
    assert_eq!(part(json!({ "size": 1 })), at("/at/parts/1/size", "expected an array"));
    assert_eq!(part(json!({ "visible": 1 })), at("/at/parts/1/visible", "expected true or false"));
}

#[test]
fn place_keeps_the_first_fault_only() {
    let value = json!({ "name": 1, "count": -1, "parts": {} });
    assert_eq!(fault::<Thing>(&value), at("/at/name", "expected a string"));
    let value = json!({ "count": -1, "parts": {} });
    assert_eq!(fault::<Thing>(&value), at("/at/count", "expected a non-negative integer"));
}

#[test]
fn place_numbers_are_checked_and_saturate() {
    for value in [json!(-1), json!(0.5), json!("1"), json!(true), json!([1])] {
        assert_eq!(fault::<u32>(&value), at("/at", "expected a non-negative integer"));
        assert_eq!(fault::<u64>(&value).1, "expected a non-negative integer");
        assert_eq!(fault::<usize>(&value).1, "expected a non-negative integer");
    }
    let large = json!({ "n": 4_294_967_296_u64 });
    assert_eq!((large.read("n"), large.read("n")), (Some(u32::MAX), Some(4_294_967_296_u64)));
    let number = json!({ "n": 1e300 });
    assert_eq!((number.read("n"), number.read("n")), (Some(f32::INFINITY), Some(1e300_f64)));
}

#[test]
fn place_members_are_those_of_an_object_with_escaped_pointers() {
    struct Names(Vec<String>);
    impl FromJson for Names {
        fn read(at: &Place<'_>) -> Self {
            let member = |(name, at): (&str, Place<'_>)| {
                u64::read(&at);
                name.to_owned()
            };
            Self(at.members().map(member).collect())
        }
    }
    let names = place::read::<Names>(&json!({ "b": 1, "a": 2 }), "").expect("it is valid");
    assert_eq!(names.0, ["b", "a"]);
    assert_eq!(fault::<Names>(&json!({ "a/b~c": "" })).0, "/at/a~1b~0c");
    assert_eq!(fault::<Names>(&json!({ "n": null })).0, "/at/n");
    assert_eq!(fault::<Names>(&json!("text")), at("/at", "expected an object"));
}

#[test]
fn place_faults_of_a_missing_member_are_those_of_the_object_or_of_the_member() {
    let read = |value: Value| {
        let error = place::read_with(&value, "/at", |at| at.required_at::<u32>("count")).err()?;
        Some((error.pointer.clone(), error.kind.to_string()))
    };
    let missing = "The JSON value is invalid: the property `count` is missing";
    assert_eq!(read(json!({})), Some(at("/at/count", missing)));
    assert_eq!(read(json!({ "count": "1" })).map(|(pointer, _)| pointer), Some("/at/count".to_owned()));
    assert_eq!(read(json!({ "count": 1 })), None);
}

#[test]
fn place_displays_its_pointer() {
    let (value, faults) = (json!({ "a/b": [{ "c": { "d": 1 } }, 2] }), Faults::default());
    let root = Place::new(&value, &"/root", &faults);
    let list = root.member("a/b").expect("it is there");
    let elements: Vec<Place<'_>> = list.elements().collect();
    let pointers: Vec<String> = elements.iter().map(ToString::to_string).collect();
    assert_eq!(pointers, ["/root/a~1b/0", "/root/a~1b/1"]);
    let below = elements[0].path("c/d").expect("it is there");
    assert_eq!((below.to_string().as_str(), below.value()), ("/root/a~1b/0/c/d", &json!(1)));
    assert!(elements[0].path("c/e").is_none() && elements[1].path("c").is_none());
    let missing = elements[0].path_or_null("c/e");
    assert_eq!((missing.to_string().as_str(), missing.value()), ("/root/a~1b/0/c/e", &Value::Null));
    assert_eq!(elements[0].path_or_null("c/d").value(), &json!(1));
    assert_eq!(elements[1].elements().count(), 0);
}

#[test]
fn place_lists_have_pointers_of_their_elements() {
    let root = json!({ "things": [{ "count": 1 }, { "count": "2" }], "other": {} });
    let things = |root: &Value, key: &str| place::read_with(root, "", |at| at.list::<Thing>(key));
    let error = things(&root, "things").expect_err("an element is invalid");
    assert_eq!(error.pointer, "/things/1/count");
    let error = things(&root, "other").expect_err("it is no list");
    assert_eq!((&error.pointer[..], error.kind.to_string().ends_with("expected an array")), ("/other", true));
    assert!(things(&root, "missing").expect("it is empty").is_empty());
    let root = json!({ "things": [{ "count": 1 }, { "count": 2 }] });
    let counts = things(&root, "things").expect("they are valid");
    assert_eq!(counts.iter().map(|thing| thing.count).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn place_faults_of_a_value_that_is_read_apart_do_not_count_for_the_others() {
    let root = json!({ "things": [{ "count": "1" }, { "count": 2 }], "count": 3 });
    let read = place::read_with(&root, "", |at| {
        let things =
            at.list_with("things", |at| at.apart(Thing::read).map_err(|error| error.pointer.clone()));
        (things, at.required::<u32>("count"))
    });
    let (things, count) = read.expect("the others are valid");
    let things: Vec<_> = things.into_iter().map(|thing| thing.map(|thing| thing.count)).collect();
    assert_eq!((things, count), (vec![Err("/things/0/count".to_owned()), Ok(2)], 3));
}

/// Compares with `parse`, the reader of the crate `gltf`, which takes the same constants from text.
fn agree<T: PartialEq + Debug>(values: &[Value], parse: impl Fn(&str) -> serde_json::Result<Checked<T>>)
where
    Checked<T>: FromJson,
{
    let mut known = 0;
    for value in values {
        let expected = parse(&value.to_string()).expect("the type is right");
        let read: Checked<T> = place::read(value, "").expect("an unknown constant is no fault");
        assert_eq!(read, expected, "{value}");
        known += usize::from(read != Checked::Invalid);
    }
    assert!(known > 1, "constants are known");
}

#[test]
fn place_constants_are_those_of_the_gltf_crate() {
    let words = [
        "SCALAR",
        "VEC2",
        "VEC3",
        "VEC4",
        "MAT2",
        "MAT3",
        "MAT4",
        "LINEAR",
        "STEP",
        "CUBICSPLINE",
        "OPAQUE",
        "MASK",
        "BLEND",
        "vec3",
        "",
    ]
    .map(Value::from);
    agree::<Kind>(&words, |text| serde_json::from_str(text));
    agree::<Interpolation>(&words, |text| serde_json::from_str(text));
    agree::<AlphaMode>(&words, |text| serde_json::from_str(text));
    let numbers: Vec<Value> = (0..40_000_u32).map(Value::from).collect();
    agree::<ComponentType>(&numbers, |text| {
        let parsed: Checked<GenericComponentType> = serde_json::from_str(text)?;
        Ok(match parsed {
            Checked::Valid(component) => Checked::Valid(component.0),
            Checked::Invalid => Checked::Invalid,
        })
    });
    agree::<Mode>(&numbers, |text| serde_json::from_str(text));
    agree::<MagFilter>(&numbers, |text| serde_json::from_str(text));
    agree::<MinFilter>(&numbers, |text| serde_json::from_str(text));
    agree::<WrappingMode>(&numbers, |text| serde_json::from_str(text));
    assert_eq!(fault::<Checked<Kind>>(&json!(3)), at("/at", "expected a string"));
    assert_eq!(fault::<Checked<Mode>>(&json!("4")), at("/at", "expected a non-negative integer"));
}
