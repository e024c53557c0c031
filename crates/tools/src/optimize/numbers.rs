//! Numbers in the JSON with fewer digits.

use gambol_gltf::document::Document;
use gambol_gltf::json::Value;

/// Writes the transforms of nodes and the ranges of accessors with the fewest digits that give the same `f32` again. Only
/// numbers that are an `f32` in full length change. All others are the same numbers with fewer digits.
pub(super) fn shorten(document: &mut Document) {
    for (list, keys) in [
        ("nodes", &["translation", "rotation", "scale", "matrix", "weights"][..]),
        ("meshes", &["weights"]),
        ("accessors", &["min", "max"]),
    ] {
        if document.list(list).is_empty() {
            continue;
        }
        for element in document.list_mut(list) {
            for key in keys {
                let numbers = element.get_mut(*key).and_then(Value::as_array_mut);
                numbers.into_iter().flatten().for_each(one);
            }
        }
    }
    document.json.shorten_numbers();
}

fn one(value: &mut Value) {
    let Value::Number(number) = value else { return };
    if number.is_integer() {
        return;
    }
    let number = number.as_f64();
    let single = number as f32;
    if f64::from(single) != number {
        return;
    }
    if single.fract() == 0.0 && single.abs() < 1e7 && !(single == 0.0 && single.is_sign_negative()) {
        *value = Value::from(single as i64);
    } else if let Ok(short) = single.to_string().parse::<f64>() {
        *value = Value::from(short);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gambol_gltf::json;

    #[test]
    fn numbers_that_are_no_f32_stay() {
        let mut document = Document::default();
        document.json["nodes"] = json!([{ "translation": [0.1, f64::from(0.1f32), 2.0], "rotation": [0, -0.0, 1e-7, 1.0], "extras": { "scale": [0.10000000149011612] } }]);
        shorten(&mut document);
        let expected = r#"[{"translation":[0.1,0.1,2],"rotation":[0,-0.0,1e-7,1],"extras":{"scale":[0.10000000149011612]}}]"#;
        assert_eq!(document.json["nodes"].to_string(), expected);
    }
}
