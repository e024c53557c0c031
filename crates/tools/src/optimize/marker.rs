//! The mark of an optimised file, so that a second run changes nothing.

use super::Options;
use gambol_gltf::document::Document;
use gambol_gltf::json;
use gambol_gltf::json::Value;

/// The version of the optimiser: another one may make files smaller.
const VERSION: u32 = 1;

/// The JSON as it is written, without the mark, and without objects that only held it.
fn unmarked(document: &Document) -> Value {
    let (mut json, _) = document.packed();
    let mut remove = |pointer: &str, name: &str, only_empty: bool| {
        let Some(object) = json.pointer_mut(pointer).and_then(Value::as_object_mut) else { return };
        let empty = object.get(name).and_then(Value::as_object).is_some_and(gambol_gltf::json::Map::is_empty);
        if empty || !only_empty {
            object.remove(name);
        }
    };
    remove("/asset/extras/gambol", "optimized", false);
    remove("/asset/extras", "gambol", true);
    remove("/asset", "extras", true);
    json
}

/// A hash of the options, the JSON as it is written and all buffer views (FNV-1a, 64 bits).
fn hash(document: &Document, options: &Options) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    add(format!("{VERSION} {options:?}").as_bytes());
    add(unmarked(document).to_string().as_bytes());
    (0..document.view_count()).for_each(|view| add(document.view_bytes(view)));
    format!("{hash:016x}")
}

/// `true` if a file was made by the optimiser with the same options and not changed since.
pub(super) fn is_marked(document: &Document, options: &Options) -> bool {
    let mark = document.json.pointer("/asset/extras/gambol/optimized").and_then(Value::as_str);
    mark.is_some_and(|mark| mark == hash(document, options))
}

/// Marks a document, unless its `asset.extras` are no object.
pub(super) fn mark(document: &mut Document, options: &Options) {
    let content = hash(document, options);
    let mut place = &mut document.json["asset"];
    for name in ["extras", "gambol"] {
        if !place.is_object() {
            return;
        }
        place = &mut place[name];
        if place.is_null() {
            *place = json!({});
        }
    }
    if place.is_object() {
        place["optimized"] = content.into();
    }
}
