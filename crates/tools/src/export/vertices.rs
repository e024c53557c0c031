//! Accessors for new vertices and keys.

use gambol_gltf::document::{Document, Written};
use gambol_gltf::element::{ComponentType, Kind, Word};
use gambol_gltf::json;
use gambol_gltf::json::{Map, Value};

/// The target of views with vertex attributes.
const ARRAY_BUFFER: u32 = 34962;

/// The smallest and the largest value of each component.
fn range<const N: usize>(rows: &[[f32; N]]) -> (Vec<f32>, Vec<f32>) {
    let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for row in rows {
        for (i, &value) in row.iter().enumerate() {
            (low[i], high[i]) = (low[i].min(value), high[i].max(value));
        }
    }
    (low.to_vec(), high.to_vec())
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn kind_of(width: usize) -> Kind {
    match width {
        1 => Kind::Scalar,
        2 => Kind::Vec2,
        3 => Kind::Vec3,
        _ => Kind::Vec4,
    }
}

/// Adds a vertex attribute; returns the index of its accessor.
pub(crate) fn add_attribute<const N: usize>(document: &mut Document, rows: &[[f32; N]]) -> usize {
    let view = document.add_view(bytes_of(rows.as_flattened()), None, Some(ARRAY_BUFFER), None);
    let written = Written::new(view, ComponentType::F32, kind_of(N), rows.len());
    document.add_accessor(&Written { range: Some(range(rows)), ..written })
}

/// Adds the offsets of a morph target: sparse if that is smaller. Returns the index of the accessor.
pub(crate) fn add_deltas(document: &mut Document, rows: &[[f32; 3]]) -> usize {
    let moved: Vec<u32> = (0..).zip(rows).filter(|(_, row)| **row != [0.0; 3]).map(|(i, _)| i).collect();
    let short = rows.len() <= 1 << 16;
    let sparse_bytes = moved.len() * if short { 14 } else { 16 };
    if sparse_bytes >= rows.len() * 12 {
        return add_attribute(document, rows);
    }
    let (low, high) = range(rows);
    let mut accessor = json!({
        "componentType": ComponentType::F32.as_gl_enum(),
        "count": rows.len(),
        "type": Kind::Vec3.word(),
        "min": low,
        "max": high,
    });
    if !moved.is_empty() {
        let values: Vec<f32> = moved.iter().flat_map(|&i| rows[i as usize]).collect();
        let indices = match short {
            true => moved.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect(),
            false => moved.iter().flat_map(|i| i.to_le_bytes()).collect(),
        };
        let indices = document.add_view(indices, None, None, None);
        let values = document.add_view(bytes_of(&values), None, None, None);
        let component = if short { ComponentType::U16 } else { ComponentType::U32 };
        accessor["sparse"] = json!({
            "count": moved.len(),
            "indices": { "bufferView": indices, "componentType": component.as_gl_enum() },
            "values": { "bufferView": values },
        });
    }
    document.push("accessors", accessor)
}

/// Adds key times, in seconds; returns the index of the accessor.
pub(crate) fn add_times(document: &mut Document, times: &[f32]) -> usize {
    let view = document.add_view(bytes_of(times), None, None, None);
    let written = Written::new(view, ComponentType::F32, Kind::Scalar, times.len());
    document.add_accessor(&Written { range: Some(range(times.as_chunks::<1>().0)), ..written })
}

/// Adds values of keys, `width` numbers each; returns the index of the accessor.
pub(crate) fn add_values(document: &mut Document, values: &[f32], width: usize) -> usize {
    document.add_elements(bytes_of(values), None, ComponentType::F32, kind_of(width))
}

/// Adds weights of morph targets that are all 0 or 1, a byte each; returns the index of the accessor.
pub(crate) fn add_switches(document: &mut Document, weights: &[bool]) -> usize {
    let bytes = weights.iter().map(|&on| if on { 255 } else { 0 }).collect();
    let view = document.add_view(bytes, None, None, None);
    let written = Written::new(view, ComponentType::U8, Kind::Scalar, weights.len());
    document.add_accessor(&Written { normalized: true, ..written })
}

/// The members of an object in the JSON; the object is made if it is missing.
pub(crate) fn members<'a>(parent: &'a mut Value, key: &str) -> Option<&'a mut Map> {
    let members = parent.as_object_mut()?.entry(key).or_insert_with(|| json!({}));
    members.as_object_mut()
}
