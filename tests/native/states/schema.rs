//! The JSON schema says the same as the reader: members, words and limits.

use gambol::import::read_states;
use serde_json::{Value, json};

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/www/gambol/schema/states.schema.json");
    let text = std::fs::read(path).expect("the schema");
    serde_json::from_slice(&text).expect("the schema is JSON")
}

/// A file with an object of each kind, at these pointers.
fn whole() -> Value {
    json!({
        "format": "gambol-states", "version": 1,
        "inputs": { "a": { "type": "number" } },
        "layers": [{
            "states": {
                "C": { "clip": "x" },
                "B": { "blend": { "by": "a", "clips": [["x", 0]] } },
                "M": { "machine": { "states": { "A": {} } } },
            },
            "transitions": [{ "from": "C", "to": "B", "when": [{ "input": "a", "op": ">", "value": 1 }] }],
        }],
    })
}

const PLACES: [(&str, &str); 8] = [
    ("", ""),
    ("input", "/inputs/a"),
    ("layer", "/layers/0"),
    ("state", "/layers/0/states/C"),
    ("blend", "/layers/0/states/B/blend"),
    ("machine", "/layers/0/states/M/machine"),
    ("transition", "/layers/0/transitions/0"),
    ("condition", "/layers/0/transitions/0/when/0"),
];

/// A copy of the file with a member at a pointer.
fn with(pointer: &str, name: &str, value: Value) -> Vec<u8> {
    let mut file = whole();
    file.pointer_mut(pointer).expect("an object")[name] = value;
    file.to_string().into_bytes()
}

#[test]
fn states_schema_has_the_members_and_words_of_the_reader() {
    let schema = schema();
    assert_eq!(read_states(whole().to_string().as_bytes()).expect("a machine").1, []);
    let mut words = 0;
    for (kind, pointer) in PLACES {
        let of = if kind.is_empty() { &schema } else { &schema["$defs"][kind] };
        for (name, rule) in of["properties"].as_object().expect("properties") {
            if whole().pointer(pointer).expect("an object").get(name).is_none() {
                // `null` counts as missing, so only the name is checked.
                let (_, warnings) = read_states(&with(pointer, name, Value::Null)).expect("a machine");
                assert_eq!(warnings, [], "{kind}: {name}");
            }
            if let Some(list) = rule["enum"].as_array() {
                let error = read_states(&with(pointer, name, json!("?"))).expect_err("no word");
                let list: Vec<String> = list.iter().map(Value::to_string).collect();
                let mut told: Vec<&str> =
                    error.message.split_once("must be ").expect("words").1.split(" or ").collect();
                let mut list: Vec<&str> = list.iter().map(String::as_str).collect();
                told.sort_unstable();
                list.sort_unstable();
                assert_eq!(told, list, "{kind}: {name}");
                words += 1;
            }
        }
        let (_, warnings) = read_states(&with(pointer, "other", Value::Null)).expect("a machine");
        assert_eq!(warnings.len(), 1, "{kind}");
        assert_eq!(of["additionalProperties"], json!(false), "{kind}");
        for name in of["required"].as_array().into_iter().flatten() {
            let error = read_states(&with(pointer, name.as_str().expect("a name"), Value::Null)).err();
            assert!(error.is_some(), "{kind}: {name} is required");
        }
    }
    assert_eq!(words, 7);
}

#[test]
fn states_schema_has_the_limits_of_the_reader() {
    let schema = schema();
    let limits = [
        (&schema["properties"]["inputs"]["maxProperties"], 256),
        (&schema["properties"]["layers"]["maxItems"], 16),
        (&schema["$defs"]["states"]["maxProperties"], 1024),
        (&schema["$defs"]["transitions"]["maxItems"], 4096),
        (&schema["$defs"]["transition"]["properties"]["when"]["maxItems"], 32),
        (&schema["$defs"]["blend"]["properties"]["clips"]["maxItems"], 64),
    ];
    for (limit, most) in limits {
        assert_eq!(*limit, json!(most));
    }
}
