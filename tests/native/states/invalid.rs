//! Files that are refused or repaired, with the code and the JSON pointer of each.

use super::script::model;
use crate::common::random::Random;
use gambol::animation::{Player, States};
use gambol::import::read_states;
use std::rc::Rc;

/// A file whose only layer has these members.
fn file(layer: &str) -> String {
    format!(
        r#"{{"format":"gambol-states","version":1,
        "inputs":{{"speed":{{"type":"number"}},"ground":{{"type":"boolean"}},"jump":{{"type":"trigger"}}}},
        "layers":[{{{layer}}}]}}"#
    )
}

/// A file of two states with a transition that has these members.
fn transition(members: &str) -> String {
    file(&format!(r#""states":{{"A":{{}},"B":{{}}}},"transitions":[{{{members}}}]"#))
}

fn refused(text: &str) -> (&'static str, String) {
    let error = read_states(text.as_bytes()).expect_err(text);
    assert!(!error.message.is_empty() && !error.to_string().is_empty());
    (error.code, error.pointer)
}

fn nested(depth: usize) -> String {
    let mut machine = r#""states":{"A":{}}"#.to_owned();
    for _ in 1..depth {
        machine = format!(r#""states":{{"A":{{"machine":{{{machine}}}}}}}"#);
    }
    machine
}

#[test]
fn states_bad_files_are_refused_with_code_and_pointer() {
    let value = "states/invalid-value";
    let many = |count: usize, of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<Vec<_>>().join(",");
    let state = |members: &str| file(&format!(r#""states":{{"A":{{{members}}}}}"#));
    let condition = |members: &str| transition(&format!(r#""from":"A","to":"B","when":[{{{members}}}]"#));
    let cases = [
        (String::new(), "states/invalid-json", ""),
        ("{".to_owned(), "states/invalid-json", ""),
        ("[1]".to_owned(), value, ""),
        ("{}".to_owned(), "states/format", "/format"),
        (r#"{"format":"gltf"}"#.to_owned(), "states/format", "/format"),
        (r#"{"format":"gambol-states"}"#.to_owned(), "states/version", "/version"),
        (r#"{"format":"gambol-states","version":2}"#.to_owned(), "states/version", "/version"),
        (r#"{"format":"gambol-states","version":1}"#.to_owned(), value, ""),
        (r#"{"format":"gambol-states","version":1,"layers":[]}"#.to_owned(), value, "/layers"),
        (r#"{"format":"gambol-states","version":1,"layers":{}}"#.to_owned(), value, "/layers"),
        (r#"{"format":"gambol-states","version":1,"inputs":[],"layers":[]}"#.to_owned(), value, "/inputs"),
        (
            r#"{"format":"gambol-states","version":1,"inputs":{"a/b":{"type":"text"}},"layers":[]}"#
                .to_owned(),
            value,
            "/inputs/a~1b/type",
        ),
        (
            r#"{"format":"gambol-states","version":1,"inputs":{"a":{"type":"number","default":true}}}"#
                .to_owned(),
            value,
            "/inputs/a/default",
        ),
        (
            r#"{"format":"gambol-states","version":1,"inputs":{"a":{"type":"trigger","default":true}}}"#
                .to_owned(),
            value,
            "/inputs/a/default",
        ),
        (
            r#"{"format":"gambol-states","version":1,"inputs":{"a":{},"a":{}}}"#.to_owned(),
            "states/duplicate-name",
            "/inputs/a",
        ),
        (
            format!(
                r#"{{"format":"gambol-states","version":1,"inputs":{{{}}}}}"#,
                many(257, &|i| format!(r#""i{i}":{{"type":"number"}}"#))
            ),
            "states/too-many",
            "/inputs",
        ),
        (
            format!(
                r#"{{"format":"gambol-states","version":1,"layers":[{}]}}"#,
                many(17, &|_| "{}".to_owned())
            ),
            "states/too-many",
            "/layers",
        ),
        (" ".repeat((1 << 20) + 1), "states/too-many", ""),
        (file(""), value, "/layers/0"),
        (file(r#""states":{}"#), value, "/layers/0/states"),
        (file(r#""states":{"*":{}}"#), value, "/layers/0/states/*"),
        (file(r#""states":{"A":{},"A":{}}"#), "states/duplicate-name", "/layers/0/states/A"),
        (file(r#""states":{"A":3}"#), value, "/layers/0/states/A"),
        (file(r#""states":{"A":{}},"mode":"average""#), value, "/layers/0/mode"),
        (file(r#""states":{"A":{}},"weight":1.5"#), value, "/layers/0/weight"),
        (file(r#""states":{"A":{}},"weight":1e99"#), value, "/layers/0/weight"),
        (file(r#""states":{"A":{}},"mask":3"#), value, "/layers/0/mask"),
        (file(r#""states":{"A":{}},"mask":[""]"#), value, "/layers/0/mask/0"),
        (file(r#""states":{"A":{}},"initial":7"#), value, "/layers/0/initial"),
        (
            file(&format!(r#""states":{{{}}}"#, many(1025, &|i| format!(r#""S{i}":{{}}"#)))),
            "states/too-many",
            "/layers/0/states",
        ),
        (
            file(&format!(r#""states":{{"A":{{}}}},"transitions":[{}]"#, many(4097, &|_| "{}".to_owned()))),
            "states/too-many",
            "/layers/0/transitions",
        ),
        (
            file(&nested(9)),
            "states/too-many",
            "/layers/0/states/A/machine/states/A/machine/states/A/machine/states/A/machine/states/A/machine/states/A/machine/states/A/machine/states/A/machine",
        ),
        (state(r#""clip":"""#), value, "/layers/0/states/A/clip"),
        (state(r#""clip":"a","blend":{}"#), value, "/layers/0/states/A"),
        (state(r#""clip":"a","rate":"fast""#), value, "/layers/0/states/A/rate"),
        (state(r#""clip":"a","rate":1e999"#), "states/invalid-json", ""),
        (state(r#""clip":"a","loop":true"#), value, "/layers/0/states/A/loop"),
        (state(r#""clip":"a","segment":[1]"#), value, "/layers/0/states/A/segment"),
        (state(r#""clip":"a","segment":[2,1]"#), value, "/layers/0/states/A/segment"),
        (state(r#""clip":"a","segment":[-1,1]"#), value, "/layers/0/states/A/segment/0"),
        (state(r#""enter":5"#), value, "/layers/0/states/A/enter"),
        (state(r#""blend":{"by":"speed"}"#), value, "/layers/0/states/A/blend"),
        (state(r#""blend":{"by":[],"clips":[]}"#), value, "/layers/0/states/A/blend/by"),
        (state(r#""blend":{"by":"jump","clips":[]}"#), value, "/layers/0/states/A/blend/by"),
        (state(r#""blend":{"by":"speed","clips":[]}"#), value, "/layers/0/states/A/blend/clips"),
        (state(r#""blend":{"by":"speed","clips":[["a"]]}"#), value, "/layers/0/states/A/blend/clips/0"),
        (state(r#""blend":{"by":"speed","clips":[["a","b"]]}"#), value, "/layers/0/states/A/blend/clips/0/1"),
        (
            state(r#""blend":{"by":"speed","clips":[["a",1],["b",1]]}"#),
            value,
            "/layers/0/states/A/blend/clips/1",
        ),
        (
            state(&format!(
                r#""blend":{{"by":"speed","clips":[{}]}}"#,
                many(65, &|i| format!(r#"["a",{i}]"#))
            )),
            "states/too-many",
            "/layers/0/states/A/blend/clips",
        ),
        (state(r#""machine":{}"#), value, "/layers/0/states/A/machine"),
        (transition(""), value, "/layers/0/transitions/0"),
        (transition(r#""from":"A""#), value, "/layers/0/transitions/0"),
        (transition(r#""from":"A","to":"B""#), value, "/layers/0/transitions/0"),
        (transition(r#""from":"A","to":"B","exitTime":-1"#), value, "/layers/0/transitions/0/exitTime"),
        (
            transition(r#""from":"A","to":"B","exitTime":1,"exitSeconds":1"#),
            value,
            "/layers/0/transitions/0/exitSeconds",
        ),
        (
            transition(r#""from":"A","to":"B","exitTime":1,"duration":-1"#),
            value,
            "/layers/0/transitions/0/duration",
        ),
        (transition(r#""from":"A","to":"B","mode":"slow""#), value, "/layers/0/transitions/0/mode"),
        (
            transition(r#""from":"A","to":"B","interruption":"all""#),
            value,
            "/layers/0/transitions/0/interruption",
        ),
        (transition(r#""from":"A","to":"B","when":{}"#), value, "/layers/0/transitions/0/when"),
        (
            transition(&format!(r#""from":"A","to":"B","when":[{}]"#, many(33, &|_| "{}".to_owned()))),
            "states/too-many",
            "/layers/0/transitions/0/when",
        ),
        (condition(""), value, "/layers/0/transitions/0/when/0"),
        (condition(r#""input":"speed""#), value, "/layers/0/transitions/0/when/0"),
        (condition(r#""input":"speed","op":"=""#), value, "/layers/0/transitions/0/when/0/op"),
        (
            condition(r#""input":"speed","op":">","value":true"#),
            value,
            "/layers/0/transitions/0/when/0/value",
        ),
        (condition(r#""input":"ground","op":">""#), value, "/layers/0/transitions/0/when/0/op"),
        (condition(r#""input":"ground","value":1"#), value, "/layers/0/transitions/0/when/0/value"),
        (condition(r#""input":"jump","value":true"#), value, "/layers/0/transitions/0/when/0/value"),
    ];
    for (text, code, pointer) in cases {
        let short: String = text.chars().take(400).collect();
        assert_eq!(refused(&text), (code, pointer.to_owned()), "{short}");
    }
    assert!(read_states(file(&nested(8)).as_bytes()).is_ok());
}

#[test]
fn states_unknown_names_are_warnings_and_the_rest_works() {
    let text = r#"{"format":"gambol-states","version":1,"colour":1,"$schema":"states.schema.json",
        "inputs":{"speed":{"type":"number"}},
        "layers":[
            {"mask":"Spine","initial":"Idel",
             "states":{"Idle":{"clip":"Idle","loops":"once"},"Go":{"clip":"Walc"},"Still":{"rate":2},
                       "Mix":{"blend":{"by":"sped","clips":[["Idle",0],["Rum",1]]}}},
             "transitions":[
                 {"from":"Idle","to":"Gone","exitTime":1},
                 {"from":"Idle","to":"Go","when":[{"input":"spede","op":">","value":1}]},
                 {"from":"Idle","to":"Go","when":[{"input":"speed","op":">","value":1}]}]},
            {"mask":["Spine/**"],"states":{"A":{"clip":"Hop"}}}]}"#;
    let (machine, warnings) = read_states(text.as_bytes()).expect("a machine");
    let mut got: Vec<_> = warnings.iter().map(|warning| (warning.code, warning.pointer.as_str())).collect();
    got.sort_unstable();
    let mut wanted = [
        ("states/unknown-field", "/colour"),
        ("states/unused-field", "/layers/0/mask"),
        ("states/unknown-state", "/layers/0/initial"),
        ("states/unknown-field", "/layers/0/states/Idle/loops"),
        ("states/unused-field", "/layers/0/states/Still/rate"),
        ("states/unknown-input", "/layers/0/states/Mix/blend/by"),
        ("states/unknown-state", "/layers/0/transitions/0/to"),
        ("states/unknown-input", "/layers/0/transitions/1/when/0/input"),
    ];
    wanted.sort_unstable();
    assert_eq!(got, wanted);
    for near in ["\"Idle\"?", "\"loop\"?", "\"speed\"?"] {
        assert!(warnings.iter().any(|warning| warning.message.ends_with(near)), "{near} {warnings:?}");
    }
    let model = model();
    let mut player = Player::new(&model.clips, 0.0);
    let speed = machine.input("speed").expect("an input");
    let (mut states, warnings) = States::new(Rc::new(machine), &model, &model.clips, &mut player);
    let got: Vec<_> = warnings.iter().map(|warning| (warning.code, warning.place.as_str())).collect();
    let wanted = [
        ("states/unknown-clip", "0: Go"),
        ("states/unknown-clip", "0: Mix"),
        ("states/unknown-joint", "the mask of 1"),
    ];
    assert_eq!(got, wanted);
    assert!(warnings[0].message.ends_with("did you mean \"Walk\"?"), "{}", warnings[0].message);
    states.set_input(speed, gambol::model::InputValue::Number(2.0));
    states.advance(&mut player, 0.1);
    assert_eq!(states.machine().path(states.path(0).last().expect("a state")), "Go");
}

#[test]
fn states_mutated_files_are_refused_or_run() {
    let whole =
        transition(r#""from":"A","to":"B","exitTime":0.5,"when":[{"input":"jump"}],"mode":"crossfade""#);
    let mut random = Random(5);
    for _ in 0..3000 {
        let mut text = whole.clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => text[at] = random.bits() as u8,
                1 => _ = text.remove(at),
                _ => text.insert(at, b"{}[]\",:01-e"[random.below(11)]),
            }
        }
        text.insert(0, 0);
        super::script::run(&text);
    }
}
