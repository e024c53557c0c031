//! Joints and weights with fewer bits, without influences of nothing.

use super::geometry::free_influences;
use super::streams::{Placed, Purpose, Streams};
use gambol::import::meshopt::Filter;
use gambol_gltf::document::Document;
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json::Value;
use std::collections::BTreeMap;

/// The type of the weights in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    /// Multiples of a fraction with the sum 1: with 8 bits normalised bytes, with more bits floats, or integers of 16 bits
    /// in a file without encoded views.
    Bits(u32),
    /// The numbers of the file.
    Kept,
}

/// The sets of joints and weights that a primitive uses: accessors in the order of their numbers.
type Sets = Vec<(usize, usize)>;

/// The sets of each primitive that may be changed, by their users.
fn groups(document: &Document) -> Vec<(Sets, Vec<(usize, usize)>)> {
    let free = free_influences(document);
    let mut groups: BTreeMap<Sets, Vec<(usize, usize)>> = BTreeMap::new();
    let mut users: BTreeMap<usize, Vec<Sets>> = BTreeMap::new();
    for (m, mesh) in document.list("meshes").iter().enumerate() {
        for (p, primitive) in
            mesh.get("primitives").and_then(Value::as_array).into_iter().flatten().enumerate()
        {
            let Some(attributes) = primitive.get("attributes") else { continue };
            let accessor = |name: String| attributes.get(name).and_then(Value::as_index);
            let pairs =
                (0..).map(|n| Some((accessor(format!("JOINTS_{n}"))?, accessor(format!("WEIGHTS_{n}"))?)));
            let sets: Sets = pairs.map_while(|pair| pair).collect();
            let all = attributes.as_object().into_iter().flatten();
            let named = all.filter(|(name, _)| name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_"));
            let whole = named.clone().count() == 2 * sets.len();
            let used = named.filter_map(|(_, value)| value.as_index());
            let key = if whole { sets.clone() } else { Vec::new() };
            used.for_each(|i| users.entry(i).or_default().push(key.clone()));
            if whole && !sets.is_empty() {
                groups.entry(sets).or_default().push((m, p));
            }
        }
    }
    let alone = |sets: &Sets| {
        sets.iter()
            .flat_map(|&(a, b)| [a, b])
            .all(|i| free.get(i).copied().unwrap_or(false) && users[&i].iter().all(|other| other == sets))
    };
    groups.into_iter().filter(|(sets, _)| alone(sets)).collect()
}

/// The influences of some vertices, all sets one after the other for each vertex.
struct Influences {
    joints: Vec<u32>,
    weights: Vec<f32>,
    width: usize,
}

fn read(document: &Document, sets: &Sets) -> Option<Influences> {
    let mut columns = Vec::new();
    for &(joints, weights) in sets {
        let (a, b) = (document.accessor(joints).ok()?, document.accessor(weights).ok()?);
        if a.kind != Kind::Vec4 || b.kind != Kind::Vec4 || a.count != b.count || a.count == 0 {
            return None;
        }
        columns.push((document.integers(joints).ok()?, document.floats(weights).ok()?));
    }
    let count = columns.first()?.0.len();
    if columns.iter().any(|(joints, weights)| joints.len() != count || weights.len() != count) {
        return None;
    }
    let width = 4 * sets.len();
    let mut all = Influences { joints: Vec::new(), weights: Vec::new(), width };
    for vertex in 0..count / 4 {
        for (joints, weights) in &columns {
            all.joints.extend_from_slice(&joints[4 * vertex..4 * vertex + 4]);
            all.weights.extend_from_slice(&weights[4 * vertex..4 * vertex + 4]);
        }
    }
    // Faulty weights stay as they are.
    let valid = all.weights.chunks_exact(width).all(|row| {
        row.iter().all(|weight| weight.is_finite() && *weight >= 0.0) && row.iter().sum::<f32>() > 1e-3
    });
    valid.then_some(all)
}

/// Whole numbers in the ratio of the weights, with the sum `one`.
fn rounded(weights: &[f32], one: u32) -> Vec<u32> {
    let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
    let exact: Vec<f64> = weights.iter().map(|weight| f64::from(*weight) / sum * f64::from(one)).collect();
    let mut whole: Vec<u32> = exact.iter().map(|value| value.floor() as u32).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let missing = one.saturating_sub(whole.iter().sum());
    order.iter().cycle().take(missing as usize).for_each(|&i| whole[i] += 1);
    whole
}

/// Rewrites the influences of all primitives that share theirs with no others.
pub(super) fn rewrite(document: &mut Document, streams: &mut Streams, precision: Precision, encoded: bool) {
    for (sets, users) in groups(document) {
        let Some(mut all) = read(document, &sets) else { continue };
        let integers = |component: ComponentType| matches!(component, ComponentType::U8 | ComponentType::U16);
        let kept = sets.iter().filter_map(|&(_, weights)| document.accessor(weights).ok());
        let bytes = kept.clone().all(|accessor| accessor.component == ComponentType::U8);
        let shorts = kept.clone().all(|accessor| integers(accessor.component));
        let precision = match precision {
            _ if bytes => Precision::Bits(8),
            Precision::Kept if shorts => Precision::Bits(16),
            Precision::Bits(bits) if bits > 8 && (!encoded || shorts) => Precision::Bits(16),
            precision => precision,
        };
        // Floats are multiples of a power of two, and integers are parts of their largest number.
        let floats = matches!(precision, Precision::Bits(bits) if bits > 8) && encoded && !shorts;
        let one = match precision {
            Precision::Bits(8) => Some(255),
            Precision::Bits(bits) if floats => Some(1 << bits),
            Precision::Bits(_) => Some(65_535),
            Precision::Kept => None,
        };
        let whole =
            one.map(|one| all.weights.chunks_exact(all.width).flat_map(|row| rounded(row, one)).collect());
        let whole: Option<Vec<u32>> = whole;
        let is_zero = |i: usize| whole.as_ref().map_or(all.weights[i] == 0.0, |whole| whole[i] == 0);
        (0..all.joints.len()).filter(|&i| is_zero(i)).for_each(|i| all.joints[i] = 0);
        let wide = all.joints.iter().any(|&joint| joint > 255);
        let count = all.joints.len() / all.width;
        let mut kept_sets = 0;
        for (set, &(joints, weights)) in sets.iter().enumerate() {
            let column = |vertex: usize| vertex * all.width + 4 * set..vertex * all.width + 4 * set + 4;
            let rows = || (0..count).flat_map(column);
            if set > 0 && rows().all(is_zero) {
                continue;
            }
            kept_sets = set + 1;
            let numbers = |size: usize, values: &dyn Fn(usize) -> u32| -> Vec<u8> {
                rows().flat_map(|i| values(i).to_le_bytes().into_iter().take(size)).collect()
            };
            let size = if wide { 2 } else { 1 };
            let component = if wide { ComponentType::U16 } else { ComponentType::U8 };
            let placed = |component, normalized| Placed {
                component,
                kind: Kind::Vec4,
                normalized,
                count,
                range: None,
            };
            let elements = numbers(size, &|i| all.joints[i]);
            let form = (Purpose::Vertices, 4 * size, Filter::None);
            streams.replace(document, joints, form, &elements, placed(component, false));
            let (elements, size, component, filter) = match (&whole, precision) {
                (Some(whole), Precision::Bits(8)) => {
                    (numbers(1, &|i| whole[i]), 1, ComponentType::U8, Filter::None)
                }
                (Some(whole), Precision::Bits(bits)) if floats => {
                    // The exponent in the upper byte, the multiple below.
                    let exponent = (-(bits as i32) << 24).cast_unsigned();
                    (numbers(4, &|i| exponent | whole[i]), 4, ComponentType::F32, Filter::Exponential)
                }
                (Some(whole), _) => (numbers(2, &|i| whole[i]), 2, ComponentType::U16, Filter::None),
                (None, _) => (numbers(4, &|i| all.weights[i].to_bits()), 4, ComponentType::F32, Filter::None),
            };
            let normalized = whole.is_some() && !floats;
            let form = (Purpose::Vertices, 4 * size, filter);
            streams.replace(document, weights, form, &elements, placed(component, normalized));
        }
        for (mesh, primitive) in users {
            let attributes = &mut document.json["meshes"][mesh]["primitives"][primitive]["attributes"];
            let Some(attributes) = attributes.as_object_mut() else { continue };
            for set in kept_sets..sets.len() {
                attributes.remove(&format!("JOINTS_{set}"));
                attributes.remove(&format!("WEIGHTS_{set}"));
            }
        }
    }
}
