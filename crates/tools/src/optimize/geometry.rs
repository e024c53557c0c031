//! Vertices and indices with fewer bits.

use super::keys::exponent_within;
use super::streams::{Placed, Purpose, Streams};
use crate::document::{Accessor, Component, Document, Index, Kind, index, visit};
use crate::encode::{exponential, octahedral};
use gambol::import::meshopt::Filter;
use serde_json::Value;
use std::collections::BTreeMap;

/// The use of an accessor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Use {
    /// Of a mesh; also of a morph target, whose index is not 0.
    Position {
        mesh: usize,
        target: bool,
    },
    Normal {
        target: bool,
    },
    Tangent {
        target: bool,
    },
    TexCoord,
    /// Of a triangle list, or of another topology.
    Indices {
        triangles: bool,
    },
    /// Vertex data of other kinds, which is kept to the bit.
    Vertex {
        target: bool,
    },
    /// Other data, which is kept to the bit.
    Data,
    /// Joints and weights, which [`influences`](super::influences) writes.
    Influence,
    /// Unknown users or several uses: the accessor is not touched.
    Keep,
}

/// The number of bits of normals and tangents, which the bound says nothing about.
const NORMAL_BITS: u32 = 8;
/// The exponent of texture coordinates: multiples of 1/4096.
const TEX_COORD: i32 = -12;
/// The exponent of the offsets of normals and tangents in morph targets.
const MORPH_NORMAL: i32 = -9;

/// The use of every accessor of the document.
fn uses(document: &Document) -> Vec<Use> {
    let count = document.list("accessors").len();
    let mut found: Vec<Option<Use>> = vec![None; count];
    let mut known = vec![0usize; count];
    let mut note = |value: Option<&Value>, usage: Use| {
        let Some(i) = value.and_then(index).filter(|&i| i < count) else { return };
        known[i] += 1;
        found[i] = match found[i] {
            None => Some(usage),
            Some(before) if before == usage => Some(usage),
            // The tightest tolerance is used, see `position_errors`.
            Some(Use::Position { target: a, .. }) if matches!(usage, Use::Position { target, .. } if target == a) => {
                Some(usage)
            }
            Some(_) => Some(Use::Keep),
        };
    };
    for (mesh, json) in document.list("meshes").iter().enumerate() {
        for primitive in list(json, "primitives") {
            let draco = primitive.pointer("/extensions/KHR_draco_mesh_compression").is_some();
            let mode = primitive.get("mode").map_or(Some(4), index);
            let usage = |name: &str, target: bool| match name {
                _ if draco => Use::Keep,
                "POSITION" => Use::Position { mesh, target },
                "NORMAL" => Use::Normal { target },
                "TANGENT" => Use::Tangent { target },
                _ if name.starts_with("TEXCOORD_") && !target => Use::TexCoord,
                _ if name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_") => Use::Influence,
                _ => Use::Vertex { target },
            };
            for (name, value) in members(primitive.get("attributes")) {
                note(Some(value), usage(name, false));
            }
            for target in list(primitive, "targets") {
                members(Some(target)).for_each(|(name, value)| note(Some(value), usage(name, true)));
            }
            let triangles = mode == Some(4);
            note(primitive.get("indices"), if draco { Use::Keep } else { Use::Indices { triangles } });
        }
    }
    for skin in document.list("skins") {
        note(skin.get("inverseBindMatrices"), Use::Data);
    }
    for sampler in document.list("animations").iter().flat_map(|animation| list(animation, "samplers")) {
        note(sampler.get("input"), Use::Data);
        note(sampler.get("output"), Use::Data);
    }
    for node in document.list("nodes") {
        let instances = node.pointer("/extensions/EXT_mesh_gpu_instancing/attributes");
        members(instances).for_each(|(_, value)| note(Some(value), Use::Data));
    }
    // Accessors with users that are not known above.
    let mut all = vec![0usize; count];
    visit(&mut document.json.clone(), &mut |kind, value| {
        if let (Index::Accessor, Some(count)) = (kind, index(value).and_then(|i| all.get_mut(i))) {
            *count += 1;
        }
    });
    let usage = |i: usize| found[i].filter(|_| known[i] == all[i]).unwrap_or(Use::Keep);
    (0..count).map(usage).collect()
}

fn list<'a>(json: &'a Value, name: &str) -> &'a [Value] {
    json.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

/// The accessors of joints and weights that may be changed.
pub(super) fn free_influences(document: &Document) -> Vec<bool> {
    uses(document).iter().map(|usage| *usage == Use::Influence).collect()
}

/// Rewrites all accessors of meshes and skins whose uses are known.
///
/// - `position_errors`: for each mesh, the largest error of a position in the units of the mesh; of a morph target's offset
///   the second number. 0 keeps them to the bit.
pub(super) fn rewrite(
    document: &mut Document,
    streams: &mut Streams,
    position_errors: &[[f32; 2]],
    encoded: bool,
) {
    let uses = uses(document);
    // A position accessor that several meshes share has the smallest of their errors.
    let mut errors: BTreeMap<usize, f32> = BTreeMap::new();
    for (mesh, json) in document.list("meshes").iter().enumerate() {
        for primitive in list(json, "primitives") {
            let [own, target] = position_errors.get(mesh).copied().unwrap_or([0.0; 2]);
            let targets = list(primitive, "targets").iter().map(|target| target.get("POSITION"));
            let all = targets.map(|value| (value, target));
            for (value, error) in all.chain([(primitive.pointer("/attributes/POSITION"), own)]) {
                if let Some(i) = value.and_then(index) {
                    errors.entry(i).and_modify(|known| *known = known.min(error)).or_insert(error);
                }
            }
        }
    }
    for (i, usage) in uses.into_iter().enumerate() {
        // Faulty accessors stay as they are, since the importer repairs or skips what needs them.
        let Ok(accessor) = document.accessor(i) else { continue };
        let added = accessor.view.is_some_and(|view| document.is_added(view));
        // Offsets of morph targets are written as sparse accessors if that is smaller.
        let target = matches!(
            usage,
            Use::Position { target: true, .. }
                | Use::Normal { target: true }
                | Use::Tangent { target: true }
                | Use::Vertex { target: true }
        );
        let dense = !accessor.sparse && accessor.view.is_some();
        if accessor.count == 0 || added || !(dense || encoded || target) {
            continue;
        }
        let error = errors.get(&i).copied().unwrap_or(0.0);
        let done = rewrite_one(document, streams, i, accessor, usage, error, target.then_some(encoded));
        debug_assert!(done.is_some() || document.accessor(i).is_ok());
    }
}

/// `None` if the accessor stays as it is.
///
/// - `sparse`: for offsets of morph targets, `true` if views are encoded.
fn rewrite_one(
    document: &mut Document,
    streams: &mut Streams,
    i: usize,
    accessor: Accessor,
    usage: Use,
    error: f32,
    sparse: Option<bool>,
) -> Option<()> {
    let float = accessor.component == Component::F32;
    match usage {
        Use::Keep | Use::Influence => None,
        Use::Position { .. } if float && error > 0.0 => {
            let exponent = exponent_within(error / 3f32.sqrt());
            floats(document, streams, i, accessor, exponent, true, sparse)
        }
        Use::TexCoord if float => floats(document, streams, i, accessor, TEX_COORD, false, None),
        Use::Normal { target: true } | Use::Tangent { target: true } if float => {
            floats(document, streams, i, accessor, MORPH_NORMAL, false, sparse)
        }
        Use::Normal { .. } | Use::Tangent { .. } if float => directions(document, streams, i, accessor),
        Use::Indices { triangles } => indices(document, streams, i, accessor, triangles),
        Use::Position { .. }
        | Use::TexCoord
        | Use::Normal { .. }
        | Use::Tangent { .. }
        | Use::Vertex { .. } => verbatim(document, streams, i, accessor, true, sparse),
        Use::Data => verbatim(document, streams, i, accessor, false, None),
    }
}

/// Writes offsets of a morph target as a sparse accessor, if that takes fewer bytes. Returns `false` otherwise.
///
/// - `elements`: of `size` bytes each; `is_zero` tells which of them are zeros.
fn as_sparse(
    document: &mut Document,
    streams: &mut Streams,
    i: usize,
    (size, filter): (usize, Filter),
    elements: &[u8],
    is_zero: impl Fn(&[u8]) -> bool,
    placed: &Placed,
    encoded: bool,
) -> bool {
    let rows = || elements.chunks_exact(size).enumerate().filter(|(_, row)| !is_zero(row));
    let (count, some) = (elements.len() / size, rows().count());
    // Encoded zeros take two bits for sixteen bytes, and encoded places little more than a byte.
    let dense = if encoded { count * size / 64 } else { count * size };
    let sparse = 160 + if encoded { some * 4 / 3 } else { some * (size + 2) };
    if sparse >= dense {
        return false;
    }
    let places: Vec<u32> = rows().map(|(place, _)| place as u32).collect();
    let values: Vec<u8> = rows().flat_map(|(_, row)| row).copied().collect();
    let Placed { component, kind, normalized, count, ref range } = *placed;
    let placed = Placed { component, kind, normalized, count, range: range.clone() };
    streams.replace_sparse(document, i, (size, filter), &places, &values, placed);
    true
}

/// The range that the JSON of an accessor states.
fn stated_range(document: &Document, i: usize) -> Option<(Vec<f32>, Vec<f32>)> {
    let numbers = |key: &str| -> Option<Vec<f32>> {
        let list = document.list("accessors")[i].get(key)?.as_array()?;
        list.iter().map(|value| value.as_f64().map(|value| value as f32)).collect()
    };
    Some((numbers("min")?, numbers("max")?))
}

/// The same bytes, without gaps.
fn verbatim(
    document: &mut Document,
    streams: &mut Streams,
    i: usize,
    accessor: Accessor,
    vertices: bool,
    sparse: Option<bool>,
) -> Option<()> {
    let bytes = document.element_bytes(i).ok()?;
    let size = accessor.element_size();
    let range = stated_range(document, i);
    let Accessor { component, kind, normalized, count, .. } = accessor;
    let placed = Placed { component, kind, normalized, count, range };
    let zero = |row: &[u8]| row.iter().all(|&byte| byte == 0);
    if let Some(encoded) = sparse
        && as_sparse(document, streams, i, (size, Filter::None), &bytes, zero, &placed, encoded)
    {
        return Some(());
    }
    let (stride, elements) = match vertices && !size.is_multiple_of(4) {
        true => {
            let stride = size.next_multiple_of(4);
            let padded = bytes
                .chunks_exact(size)
                .flat_map(|element| element.iter().copied().chain(std::iter::repeat_n(0, stride - size)));
            (stride, padded.collect())
        }
        false => (size, bytes),
    };
    if stride > 256 || (!vertices && !stride.is_multiple_of(4)) {
        return None;
    }
    let purpose = if vertices { Purpose::Vertices } else { Purpose::Data };
    streams.replace(document, i, (purpose, stride, Filter::None), &elements, placed);
    Some(())
}

/// Floats as multiples of a power of two.
fn floats(
    document: &mut Document,
    streams: &mut Streams,
    i: usize,
    accessor: Accessor,
    exponent: i32,
    range: bool,
    sparse: Option<bool>,
) -> Option<()> {
    let values = document.floats(i).ok().filter(|values| values.iter().all(|value| value.is_finite()))?;
    let width = accessor.kind.width();
    let coded: Vec<i32> = values.iter().map(|&value| exponential(value, exponent)).collect();
    let read = |coded: i32| ((coded << 8) >> 8) as f32 * 2f32.powi(coded >> 24);
    let mut bounds = (vec![f32::INFINITY; width], vec![f32::NEG_INFINITY; width]);
    for (n, value) in coded.iter().map(|&coded| read(coded)).enumerate() {
        bounds.0[n % width] = bounds.0[n % width].min(value);
        bounds.1[n % width] = bounds.1[n % width].max(value);
    }
    let elements: Vec<u8> = coded.iter().flat_map(|coded| coded.to_le_bytes()).collect();
    let range = range.then_some(bounds);
    let (component, normalized) = (Component::F32, false);
    let placed = Placed { component, kind: accessor.kind, normalized, count: accessor.count, range };
    let zero = |row: &[u8]| row.as_chunks::<4>().0.iter().all(|b| i32::from_le_bytes(*b) << 8 == 0);
    let form = (4 * width, Filter::Exponential);
    if let Some(encoded) = sparse
        && as_sparse(document, streams, i, form, &elements, zero, &placed, encoded)
    {
        return Some(());
    }
    streams.replace(document, i, (Purpose::Vertices, 4 * width, Filter::Exponential), &elements, placed);
    Some(())
}

/// Unit vectors as normalised bytes. Spec: KHR_mesh_quantization.
fn directions(document: &mut Document, streams: &mut Streams, i: usize, accessor: Accessor) -> Option<()> {
    let values = document.floats(i).ok()?;
    let width = accessor.kind.width();
    if !(width == 3 || width == 4) {
        return None;
    }
    // A vector without a direction has no bytes that mean the same.
    let unit = |v: &[f32]| (v[..3].iter().map(|v| v * v).sum::<f32>() - 1.0).abs() < 0.1;
    if !values.chunks_exact(width).all(unit) {
        return verbatim(document, streams, i, accessor, true, None);
    }
    let element = |v: &[f32]| {
        let sign = if width == 4 { if v[3] < 0.0 { -127 } else { 127 } } else { 0 };
        octahedral([v[0], v[1], v[2]], sign, NORMAL_BITS).map(|v| v as u8)
    };
    let elements: Vec<u8> = values.chunks_exact(width).flat_map(element).collect();
    let (component, kind, normalized) = (Component::I8, accessor.kind, true);
    let placed = Placed { component, kind, normalized, count: accessor.count, range: None };
    streams.replace(document, i, (Purpose::Vertices, 4, Filter::Octahedral), &elements, placed);
    document.declare("KHR_mesh_quantization", true);
    Some(())
}

/// Vertex indices in the smaller of two sizes.
fn indices(
    document: &mut Document,
    streams: &mut Streams,
    i: usize,
    accessor: Accessor,
    triangles: bool,
) -> Option<()> {
    let list = document.integers(i).ok()?;
    // The largest number of a type means a restart, which glTF forbids.
    let small = list.iter().max().is_none_or(|&most| most < 65_535);
    let (stride, component) = if small { (2, Component::U16) } else { (4, Component::U32) };
    let whole = list.len().is_multiple_of(3);
    let purpose = if triangles && whole { Purpose::Triangles } else { Purpose::Indices };
    let elements: Vec<u8> = list.iter().flat_map(|index| index.to_le_bytes()).collect();
    let (kind, normalized, range) = (Kind::Scalar, false, None);
    let placed = Placed { component, kind, normalized, count: accessor.count, range };
    streams.replace(document, i, (purpose, stride, Filter::None), &elements, placed);
    Some(())
}
