//! Tests of the parser beside `serde_json`, and of values that are changed and written.

use super::parse::DEPTH;
use super::*;

/// Converts a value of `serde_json`.
fn other(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(flag) => Value::Bool(*flag),
        serde_json::Value::Number(number) => number.as_f64().expect("any number is one").into(),
        serde_json::Value::String(text) => Value::String(text.clone()),
        serde_json::Value::Array(elements) => Value::Array(elements.iter().map(other).collect()),
        serde_json::Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), other(value))).collect())
        }
    }
}

/// Sorts the members of all objects; of equal names only the last one is kept.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(elements) => Value::Array(elements.into_iter().map(sorted).collect()),
        Value::Object(members) => {
            let members: std::collections::BTreeMap<_, _> = members.into_iter().collect();
            Value::Object(members.into_iter().map(|(name, value)| (name, sorted(value))).collect())
        }
        value => value,
    }
}

/// `true` if two values are equal up to the double rounding of `serde_json`.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64(), b.as_f64());
            (a - b).abs() <= 4.0 * f64::EPSILON * a.abs()
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let mut members = a.iter().zip(b);
            a.len() == b.len() && members.all(|(a, b)| a.0 == b.0 && same(a.1, b.1))
        }
        (a, b) => a == b,
    }
}

/// Checks that both parsers agree on a text.
fn agree(text: &[u8]) {
    let ours = Value::parse(text);
    let shown = String::from_utf8_lossy(text);
    match serde_json::from_slice::<serde_json::Value>(text) {
        Ok(theirs) => {
            let ours = ours.map(sorted).unwrap_or_else(|fault| panic!("{shown}: {fault}"));
            assert!(same(&ours, &sorted(other(&theirs))), "{shown}: {ours:?}");
        }
        Err(error) => {
            let reason = error.to_string();
            let lenient = reason.contains("surrogate") || reason.contains("unexpected end of hex escape");
            assert!(ours.is_err() || lenient, "{shown}: {reason}");
        }
    }
}

#[test]
fn json_parser_agrees_with_serde_on_texts_and_their_mutations() {
    let texts: [&str; 6] = [
        r#"{"a":[1,-2.5e-3,0,-0.0,1E+2,123456789012345678],"b":{"c":null,"d":true,"e":false},"a":"twice"}"#,
        "\r\n\t [ ] ",
        r#"["\u00e4\ud83d\ude00\"\\\/\b\f\n\r\t", "ä😀", "", {}, [[[]]]]"#,
        "0.1",
        "1e308",
        r#"{"nodes":[{"name":"hips","rotation":[0,0.70710678,0,0.70710678]}]}"#,
    ];
    for text in texts {
        agree(text.as_bytes());
        let bytes = text.as_bytes();
        for at in 0..=bytes.len() {
            agree(&bytes[..at]);
            for with in *b"\"\\{}[]:,0-.eE+tnu \n\x01\x80\xFF" {
                let mut changed = bytes.to_vec();
                changed.insert(at, with);
                agree(&changed);
                if at < bytes.len() {
                    changed.remove(at + 1);
                    agree(&changed);
                }
            }
        }
    }
}

#[test]
fn json_numbers_are_rounded_once() {
    for (text, bits) in [
        ("0.1", 0x3FB9_9999_9999_999A),
        ("-0", 0x8000_0000_0000_0000),
        ("5e-324", 1),
        ("1e-400", 0),
        ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
        ("1.7976931348623157E+308", 0x7FEF_FFFF_FFFF_FFFF),
        ("9007199254740993", 0x4340_0000_0000_0000),
        ("9007199254740993.00000000000000000001", 0x4340_0000_0000_0001),
    ] {
        let number = Value::parse(text.as_bytes()).map(|value| value.as_f64().map(f64::to_bits));
        assert_eq!(number, Ok(Some(bits)), "{text}");
    }
    assert_eq!(Value::parse(b"1e309").map_err(|fault| fault.reason), Err("number out of range"));
    for text in ["01", "-", "1.", ".5", "1e", "+1", "0x1", "1e+", "--1", "NaN", "Infinity"] {
        assert!(Value::parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn json_integers_may_be_written_as_fractions() {
    let whole = |text: &str| Value::parse(text.as_bytes()).expect("a number").as_u64();
    assert_eq!([whole("3"), whole("3.0"), whole("30e-1"), whole("-0")], [Some(3), Some(3), Some(3), Some(0)]);
    assert_eq!([whole("3.5"), whole("-1"), whole("1e300"), whole("\"3\"")], [None; 4]);
}

#[test]
fn json_lone_surrogates_are_replaced() {
    for (text, want) in [
        (r#""\ud83d""#, "\u{FFFD}"),
        (r#""\ude00x""#, "\u{FFFD}x"),
        (r#""\ud83d\u0041""#, "\u{FFFD}A"),
        (r#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
    ] {
        assert_eq!(Value::parse(text.as_bytes()), Ok(Value::String(want.to_owned())), "{text}");
    }
}

#[test]
fn json_faults_have_line_and_column() {
    let at = |text: &[u8]| Value::parse(text).map_err(|fault| (fault.line, fault.column));
    assert_eq!(at(b""), Err((1, 1)));
    assert_eq!(at(b"{\n  \"a\": x}"), Err((2, 8)));
    assert_eq!(at(b"[1,\n2]\n]"), Err((3, 1)));
    assert_eq!(at(b"[\"\xFF\"]"), Err((1, 3)));
}

#[test]
fn json_nesting_is_limited() {
    let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
    assert!(Value::parse(&nested(DEPTH)).is_ok());
    assert_eq!(Value::parse(&nested(100_000)).map_err(|fault| fault.reason), Err("nested too deep"));
}

#[test]
fn json_members_are_found_and_null_counts_as_missing() {
    let value = Value::parse(br#"{"a": {"b": [1]}, "n": null, "x": 1, "x": 2}"#).expect("good JSON");
    assert_eq!(value.path("a/b"), Some(&crate::json!([1.0])));
    assert_eq!((value.get("n"), value.path("a/c"), value.path("z/y")), (None, None, None));
    assert_eq!(value.get("x").and_then(Value::as_u64), Some(2));
    assert_eq!(value.get("a").map(|a| a.list("b").len()), Some(1));
    assert!(value.list("a").is_empty());
}

#[test]
fn json_numbers_are_written_as_they_were_read() {
    let text = r#"{"a":[1,-0,1.0,1e2,1E+2,0.10000000149011612,123456789012345678,1.50],"b":{"a":-3}}"#;
    let mut value = Value::parse_exact(text.as_bytes()).expect("good JSON");
    assert_eq!(value.to_string(), text);
    value["b"]["a"] = 0.5.into();
    assert_eq!(value.to_string(), text.replace("-3", "0.5"));
}

/// serde_json writes the shortest digits, too; its exponents have other limits, so values are compared.
#[test]
fn json_numbers_of_rust_are_read_as_the_same_bits() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for _ in 0..20_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        for number in [f64::from_bits(state), f64::from(f32::from_bits(state as u32)), (state >> 11) as f64] {
            if !number.is_finite() {
                assert!(Value::from(number).is_null());
                continue;
            }
            let text = Value::from(number).to_string();
            let theirs: f64 = serde_json::from_str(&text).expect("a number of JSON");
            let ours = Value::parse(text.as_bytes()).expect("a number of JSON").as_f64();
            assert_eq!(ours.map(f64::to_bits), Some(number.to_bits()), "{text}");
            assert!((theirs - number).abs() <= 4.0 * f64::EPSILON * number.abs(), "{text}");
        }
    }
    let written = |value: Value| value.to_string();
    assert_eq!(
        [
            written(3.into()),
            written(3.0.into()),
            written((-0.0).into()),
            written(1e-7.into()),
            written(1e300.into())
        ],
        ["3", "3.0", "-0.0", "1e-7", "1e300"]
    );
    assert_eq!(
        [written(u64::MAX.into()), written(i64::MIN.into())],
        ["1.8446744073709552e19", "-9.223372036854776e18"]
    );
}

#[test]
fn json_strings_are_written_as_serde_writes_them() {
    for text in ["", "plain", "a\"b\\c/", "\u{0}\u{8}\t\n\u{c}\r\u{1f}\u{7f}", "ä 😀 \u{2028}", "\u{FFFD}"]
    {
        let theirs = serde_json::to_string(text).expect("a string");
        assert_eq!(Value::from(text).to_string(), theirs);
        assert_eq!(Value::parse(theirs.as_bytes()), Ok(text.into()));
    }
}

#[test]
fn json_objects_keep_their_order_when_they_change() {
    let mut value =
        Value::parse_exact(br#"{"c":1,"a":null,"b":{"x":[0,{"y":2}]},"c":3}"#).expect("good JSON");
    assert_eq!((value.get("a"), value["c"].as_u64()), (None, Some(3)));
    assert_eq!(value.pointer("/b/x/1/y").and_then(Value::as_u64), Some(2));
    for missing in ["/b/x/2", "/b/x/01", "/b/x/-", "b", "/a", "/b/x/1/z/q"] {
        assert_eq!(value.pointer(missing), None, "{missing}");
    }
    *value.pointer_mut("/b/x/0").expect("an element") = json!({ "new": [] });
    let members = value.as_object_mut().expect("an object");
    assert_eq!(members.remove("c"), Some(3.into()));
    assert_eq!(members.insert("a".to_owned(), true.into()), Some(Value::Null));
    members.entry("d").or_insert(json!([1])).as_array_mut().expect("an array").push("two".into());
    assert_eq!(value.to_string(), r#"{"a":true,"b":{"x":[{"new":[]},{"y":2}]},"d":[1,"two"]}"#);
    value["e"]["f"] = json!(null);
    assert_eq!(value["e"], json!({ "f": null }));
    assert_eq!(value["none"]["below"], Value::Null);
}

#[test]
fn json_notation_is_what_serde_makes_of_it() {
    let (name, list, none) = ("key", vec![1.5, -2.0], None::<u32>);
    let ours = json!({ name: list, "n": none, "deep": { "a": [{}, [], [null, true], -1, "t", 1 + 1] }, (format!("{name}2")): 0.25f32 });
    let theirs = serde_json::json!({ name: [1.5, -2.0], "n": none, "deep": { "a": [{}, [], [null, true], -1, "t", 1 + 1] }, (format!("{name}2")): 0.25f32 });
    assert_eq!(ours.to_string(), theirs.to_string());
}

#[test]
fn json_numbers_are_shortened_without_a_change() {
    let text = r#"[0.00000123,1e-6,1.50,1.0,-0.0,100,1e3,0.1,[{"a":-0.000001250}]]"#;
    let mut value = Value::parse_exact(text.as_bytes()).expect("JSON");
    let before = value.clone();
    value.shorten_numbers();
    assert_eq!(value, before);
    assert_eq!(value.to_string(), r#"[1.23e-6,1e-6,1.5,1.0,-0.0,100,1e3,0.1,[{"a":-1.25e-6}]]"#);
}
