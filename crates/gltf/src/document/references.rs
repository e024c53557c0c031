//! The places of a document that refer to others by index.
//!
//! Within extensions, known or not, references are recognised by the names of their properties.

use crate::json::Value;

/// The kind of a referenced element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Index {
    /// Of an accessor.
    Accessor,
    /// Of a buffer view.
    View,
    /// Of a node.
    Node,
}

/// Calls `each` for every reference. It may change the index in place.
pub fn visit(json: &mut Value, each: &mut dyn FnMut(Index, &mut Value)) {
    let Some(root) = json.as_object_mut() else { return };
    for (name, value) in root.iter_mut() {
        match name {
            "extras" => {}
            "extensions" => in_extensions(value, each),
            _ => element(name, value, each),
        }
    }
}

/// The elements of a list at the top, or an object within one.
fn element(name: &str, value: &mut Value, each: &mut dyn FnMut(Index, &mut Value)) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| element(name, value, each)),
        Value::Object(members) => {
            for (key, value) in members.iter_mut() {
                match (name, key) {
                    (_, "extras") => {}
                    (_, "extensions") => in_extensions(value, each),
                    ("attributes" | "targets", _) => number(Index::Accessor, value, each),
                    ("nodes", "children") | ("scenes", "nodes") | ("skins", "joints") => {
                        numbers(Index::Node, value, each);
                    }
                    ("skins", "skeleton") | ("target", "node") => number(Index::Node, value, each),
                    ("target", "path") => {}
                    ("primitives", "indices")
                    | ("skins", "inverseBindMatrices")
                    | ("samplers", "input" | "output") => {
                        number(Index::Accessor, value, each);
                    }
                    ("accessors" | "images" | "indices" | "values", "bufferView") => {
                        number(Index::View, value, each);
                    }
                    (_, key) => element(key, value, each),
                }
            }
        }
        _ => {}
    }
}

/// The value of a member `extensions`: an object by name.
fn in_extensions(value: &mut Value, each: &mut dyn FnMut(Index, &mut Value)) {
    let Some(extensions) = value.as_object_mut() else { return };
    for (name, value) in extensions.iter_mut() {
        // The attributes of Draco are ids of its own.
        let attributes = name != "KHR_draco_mesh_compression";
        in_extension(value, attributes, each);
    }
}

fn in_extension(value: &mut Value, attributes: bool, each: &mut dyn FnMut(Index, &mut Value)) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| in_extension(value, attributes, each)),
        Value::Object(members) => {
            for (key, value) in members.iter_mut() {
                match key {
                    "extras" => {}
                    "bufferView" | "values" | "arrayOffsets" | "stringOffsets" if value.is_number() => {
                        each(Index::View, value);
                    }
                    "bufferViews" if is_numbers(value) => numbers(Index::View, value, each),
                    "accessor" | "indices" | "input" | "output" | "inverseBindMatrices"
                        if value.is_number() =>
                    {
                        each(Index::Accessor, value);
                    }
                    "accessors" if is_numbers(value) => numbers(Index::Accessor, value, each),
                    "attributes" if attributes && value.is_object() => element("attributes", value, each),
                    "node" if value.is_number() => each(Index::Node, value),
                    "nodes" | "joints" if is_numbers(value) => numbers(Index::Node, value, each),
                    _ => in_extension(value, attributes, each),
                }
            }
        }
        _ => {}
    }
}

fn is_numbers(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_number))
}

fn number(index: Index, value: &mut Value, each: &mut dyn FnMut(Index, &mut Value)) {
    if value.is_number() {
        each(index, value);
    } else {
        // For example the list of morph targets, whose elements are objects.
        element("attributes", value, each);
    }
}

fn numbers(index: Index, value: &mut Value, each: &mut dyn FnMut(Index, &mut Value)) {
    let list = value.as_array_mut().map_or(&mut [][..], Vec::as_mut_slice);
    list.iter_mut().filter(|value| value.is_number()).for_each(|value| each(index, value));
}
