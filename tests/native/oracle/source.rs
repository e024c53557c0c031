//! Reads glTF's JSON and accessors for the evaluator, implemented from the text of the specification alone.
//!
//! It does not validate: it only reads files of these tests.

use serde_json::Value;

/// A GLB file as JSON and its binary chunk.
pub(crate) struct Source {
    pub(crate) json: Value,
    bytes: Vec<u8>,
}

impl Source {
    /// Parses a GLB file (spec: §4.4).
    pub(crate) fn new(glb: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().expect("four bytes")) as usize;
        let end = 20 + word(12);
        let json = serde_json::from_slice(&glb[20..end]).expect("the JSON chunk");
        Self { json, bytes: glb[end + 8..end + 8 + word(end)].to_vec() }
    }

    /// A top-level list, empty if the file has none.
    pub(crate) fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map_or(&[], Vec::as_slice)
    }

    /// All numbers of an accessor, element by element (spec: §3.6.2; normalised integers: §3.11).
    pub(crate) fn numbers(&self, accessor: &Value) -> Vec<f64> {
        let accessor = &self.json["accessors"][index(accessor)];
        let width = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            Some("MAT4") => 16,
            other => panic!("accessors of {other:?} are not read here"),
        };
        let count = index(&accessor["count"]);
        let mut numbers = vec![0.0; count * width];
        if accessor["bufferView"].is_u64() {
            numbers = self.elements(accessor, accessor, width, count);
        }
        let sparse = &accessor["sparse"];
        if sparse.is_object() {
            let replaced = index(&sparse["count"]);
            let indices = self.elements(&sparse["indices"], &sparse["indices"], 1, replaced);
            let values = self.elements(&sparse["values"], accessor, width, replaced);
            for (at, values) in indices.iter().zip(values.chunks(width)) {
                numbers[*at as usize * width..][..width].copy_from_slice(values);
            }
        }
        numbers
    }

    /// The elements of a buffer view; `place` contains their position, `format` their type.
    fn elements(&self, place: &Value, format: &Value, width: usize, count: usize) -> Vec<f64> {
        let view = &self.json["bufferViews"][index(&place["bufferView"])];
        let component = index(&format["componentType"]);
        let size = match component {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            5125 | 5126 => 4,
            other => panic!("unknown component type {other}"),
        };
        let normalized = format["normalized"] == true;
        let start = optional(&view["byteOffset"]) + optional(&place["byteOffset"]);
        let stride = view["byteStride"].as_u64().map_or(size * width, |stride| stride as usize);
        let number = |at: usize| {
            let bytes = &self.bytes[at..at + size];
            let scale = |value: f64, most: f64| if normalized { (value / most).max(-1.0) } else { value };
            match (component, bytes) {
                (5120, &[a]) => scale(f64::from(a.cast_signed()), 127.0),
                (5121, &[a]) => scale(f64::from(a), 255.0),
                (5122, &[a, b]) => scale(f64::from(i16::from_le_bytes([a, b])), 32767.0),
                (5123, &[a, b]) => scale(f64::from(u16::from_le_bytes([a, b])), 65535.0),
                (5125, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
                (_, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
                _ => unreachable!("the size follows from the component type"),
            }
        };
        let element = |i: usize| (0..width).map(move |c| start + i * stride + c * size);
        (0..count).flat_map(element).map(number).collect()
    }
}

impl Source {
    /// The value at a JSON pointer of a material, a light or a camera, or the default of the specification.
    pub(crate) fn pointed(&self, pointer: &str) -> Vec<f64> {
        match self.json.pointer(pointer) {
            Some(Value::Array(list)) => list.iter().map(|value| value.as_f64().expect("a number")).collect(),
            Some(value) => vec![value.as_f64().expect("a number")],
            None => defaults(pointer).to_vec(),
        }
    }
}

/// Defaults; spec: §5, KHR_texture_transform, KHR_materials_emissive_strength, KHR_lights_punctual.
fn defaults(pointer: &str) -> &'static [f64] {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match name {
        "baseColorFactor" => &[1.0; 4],
        "color" => &[1.0; 3],
        "scale" if parent.ends_with("KHR_texture_transform") => &[1.0; 2],
        "emissiveFactor" => &[0.0; 3],
        "offset" => &[0.0; 2],
        "rotation" | "innerConeAngle" => &[0.0],
        "outerConeAngle" => &[std::f64::consts::FRAC_PI_4],
        "alphaCutoff" => &[0.5],
        "metallicFactor" | "roughnessFactor" | "emissiveStrength" | "scale" | "strength" | "intensity" => {
            &[1.0]
        }
        _ => panic!("nothing is said of {pointer}"),
    }
}

/// A JSON number that is an index or a count.
pub(crate) fn index(value: &Value) -> usize {
    value.as_u64().expect("an index or a count") as usize
}

fn optional(value: &Value) -> usize {
    value.as_u64().unwrap_or(0) as usize
}

/// A JSON list of numbers, or `default` if there is none.
pub(crate) fn numbers_or(value: &Value, default: &[f64]) -> Vec<f64> {
    let number = |value: &Value| value.as_f64().expect("a number");
    value.as_array().map_or(default.to_vec(), |list| list.iter().map(number).collect())
}
