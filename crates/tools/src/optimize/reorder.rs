//! Triangles and vertices in an order that takes fewer bytes, equal vertices once.
//!
//! Each triangle follows one that shares an edge with it, as far as there is any, and vertices are in the order of their first
//! use. So most indices are implied, and the deltas of vertex attributes are small.

use crate::measure::{own, picked};
use gambol::model::Model;
use gambol_gltf::document::{Document, Index, visit};
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json::Value;
use std::collections::{BTreeMap, HashMap};

/// For each changed primitive, by mesh and index, the former index of each vertex.
pub(super) type Origins = BTreeMap<(usize, usize), Vec<u32>>;

/// Reorders the triangle lists whose vertices nothing else uses.
pub(super) fn reorder(document: &mut Document) -> Origins {
    let mut counts = vec![0usize; document.list("accessors").len()];
    visit(&mut document.json, &mut |kind, value| {
        if let (Index::Accessor, Some(count)) = (kind, value.as_index().and_then(|i| counts.get_mut(i))) {
            *count += 1;
        }
    });
    let mut origins = Origins::new();
    for mesh in 0..document.list("meshes").len() {
        let primitives =
            document.list("meshes")[mesh].get("primitives").and_then(Value::as_array).map_or(0, <[_]>::len);
        for primitive in 0..primitives {
            if let Some(found) = one(document, mesh, primitive, &counts) {
                origins.insert((mesh, primitive), found);
            }
        }
    }
    document.settle();
    document.prune();
    origins
}

/// Gives the vertices of an imported model the order of its document. Only what places them is kept. Returns `false` if the
/// importer has other vertices.
pub(super) fn follow(model: &mut Model, origins: &Origins) -> bool {
    for (&(mesh, primitive), origin) in origins {
        let found = model.meshes.get_mut(mesh).and_then(|mesh| mesh.primitives.get_mut(primitive));
        let Some(found) = found.filter(|found| origin.iter().all(|&vertex| (vertex as usize) < own(found)))
        else {
            return false;
        };
        *found = picked(found, origin);
    }
    true
}

/// The accessors of a primitive's vertices; `None` if others use them too, or if the primitive has parts that may refer to
/// vertices by index.
fn vertex_accessors(primitive: &Value, counts: &[usize]) -> Option<Vec<usize>> {
    let known = ["attributes", "indices", "material", "mode", "targets", "extensions"];
    let extensions = primitive.get("extensions").and_then(Value::as_object);
    let harmless = extensions.is_none_or(|all| all.keys().all(|name| name == "KHR_materials_variants"));
    let triangles = primitive.get("mode").is_none_or(|mode| mode.as_index() == Some(4));
    if !harmless || !triangles || primitive.as_object()?.keys().any(|key| !known.contains(&key)) {
        return None;
    }
    let mut accessors = Vec::new();
    let targets = primitive.get("targets").and_then(Value::as_array).into_iter().flatten();
    for attributes in std::iter::once(primitive.get("attributes")?).chain(targets) {
        for value in attributes.as_object()?.values() {
            accessors.push(value.as_index()?);
        }
    }
    // An accessor may be used twice within the primitive.
    let mut uses: HashMap<usize, usize> = HashMap::new();
    accessors.iter().for_each(|&i| *uses.entry(i).or_default() += 1);
    let own = uses.iter().all(|(&i, &here)| counts.get(i) == Some(&here));
    accessors.sort_unstable();
    accessors.dedup();
    (own && !accessors.is_empty()).then_some(accessors)
}

fn one(document: &mut Document, mesh: usize, primitive: usize, counts: &[usize]) -> Option<Vec<u32>> {
    let json = document.list("meshes")[mesh]["primitives"][primitive].clone();
    let accessors = vertex_accessors(&json, counts)?;
    let position = json["attributes"].index_at("POSITION")?;
    let count = document.accessor(position).ok()?.count;
    let mut columns: Vec<(usize, usize, Vec<u8>)> = Vec::new();
    for &i in &accessors {
        let accessor = document.accessor(i).ok()?;
        if accessor.count != count || count == 0 {
            return None;
        }
        columns.push((i, accessor.element_size(), document.element_bytes(i).ok()?));
    }
    let old: Vec<u32> = match json.get("indices") {
        Some(value) => document.integers(value.as_index()?).ok()?,
        None => (0..count as u32).collect(),
    };
    if !old.len().is_multiple_of(3) || old.is_empty() || old.iter().any(|&i| i as usize >= count) {
        return None;
    }
    // Equal vertices become the first of them.
    let mut firsts: HashMap<Vec<u8>, u32> = HashMap::with_capacity(count);
    let first: Vec<u32> = (0..count)
        .map(|vertex| {
            let key = columns.iter().flat_map(|(_, size, bytes)| &bytes[vertex * size..(vertex + 1) * size]);
            *firsts.entry(key.copied().collect()).or_insert(vertex as u32)
        })
        .collect();
    let welded: Vec<[u32; 3]> =
        old.as_chunks::<3>().0.iter().map(|triangle| triangle.map(|i| first[i as usize])).collect();
    let ordered = strips(&welded, count);
    // The vertices in the order of their first use.
    let mut new_of_old = vec![u32::MAX; count];
    let mut origin: Vec<u32> = Vec::new();
    let mut indices: Vec<u32> = Vec::with_capacity(old.len());
    for vertex in ordered.into_iter().flatten() {
        let new = &mut new_of_old[vertex as usize];
        if *new == u32::MAX {
            *new = origin.len() as u32;
            origin.push(vertex);
        }
        indices.push(*new);
    }
    for (i, size, bytes) in columns {
        let picked: Vec<u8> =
            origin.iter().flat_map(|&vertex| &bytes[vertex as usize * size..][..size]).copied().collect();
        replace(document, i, picked, size, origin.len());
    }
    let wide = origin.len() > 65_535;
    let bytes: Vec<u8> =
        indices.iter().flat_map(|i| i.to_le_bytes().into_iter().take(if wide { 4 } else { 2 })).collect();
    let component = if wide { ComponentType::U32 } else { ComponentType::U16 };
    let made = document.add_elements(bytes, Some(34963), component, Kind::Scalar);
    document.json["meshes"][mesh]["primitives"][primitive]["indices"] = made.into();
    Some(origin)
}

/// Gives an accessor other elements.
fn replace(document: &mut Document, accessor: usize, bytes: Vec<u8>, size: usize, count: usize) {
    // Vertex attributes begin at multiples of four bytes.
    let stride = size.next_multiple_of(4);
    let padded = if stride == size {
        bytes
    } else {
        let rows = bytes.chunks_exact(size);
        rows.flat_map(|row| row.iter().copied().chain(std::iter::repeat_n(0, stride - size))).collect()
    };
    let view = document.add_view(padded, Some(stride), Some(34962), None);
    if let Some(json) = document.list_mut("accessors")[accessor].as_object_mut() {
        json.remove("byteOffset");
        json.remove("sparse");
        json.insert("bufferView".to_owned(), view.into());
        json.insert("count".to_owned(), count.into());
    }
}

/// The number of recent edges and vertices that the encoder of indices remembers.
const RECENT: usize = 15;

/// The triangles in an order in which most share an edge with a recent one, each beginning with that edge.
fn strips(triangles: &[[u32; 3]], vertices: usize) -> Vec<[u32; 3]> {
    // The triangles of each directed edge.
    let mut by_edge: HashMap<(u32, u32), Vec<u32>> = HashMap::with_capacity(3 * triangles.len());
    for (i, &[a, b, c]) in triangles.iter().enumerate() {
        for edge in [(a, b), (b, c), (c, a)] {
            by_edge.entry(edge).or_default().push(i as u32);
        }
    }
    let mut done = vec![false; triangles.len()];
    let mut seen = vec![false; vertices];
    let mut out = Vec::with_capacity(triangles.len());
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut corners: Vec<u32> = Vec::new();
    let mut next = 0;
    while out.len() < triangles.len() {
        let mut best: Option<(usize, u32, [u32; 3])> = None;
        for (age, &(a, b)) in edges.iter().rev().take(RECENT).enumerate() {
            for &i in by_edge.get(&(a, b)).into_iter().flatten().filter(|&&i| !done[i as usize]) {
                let [x, y, z] = triangles[i as usize];
                let c = [(x, y, z), (y, z, x), (z, x, y)].into_iter().find(|&(x, y, _)| (x, y) == (a, b));
                let Some((_, _, c)) = c else { continue };
                // A vertex that is not used yet is implied, and so is a recent one. Others cost bytes.
                let recent = corners.iter().rev().take(12).any(|&corner| corner == c);
                let cost = if recent {
                    0
                } else if !seen[c as usize] {
                    8
                } else {
                    60
                } + age;
                if best.is_none_or(|(known, ..)| cost < known) {
                    best = Some((cost, i, [a, b, c]));
                }
            }
        }
        let (i, triangle) = match best {
            Some((_, i, triangle)) => (i as usize, triangle),
            None => {
                while done[next] {
                    next += 1;
                }
                (next, triangles[next])
            }
        };
        done[i] = true;
        let [a, b, c] = triangle;
        if best.is_none() {
            edges.push((b, a));
        }
        edges.push((c, b));
        edges.push((a, c));
        for corner in triangle {
            if !std::mem::replace(&mut seen[corner as usize], true) || best.is_none() {
                corners.push(corner);
            }
        }
        out.push(triangle);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use gambol::import::NoResolver;

    #[test]
    fn reorder_keeps_the_triangles() {
        let width = 9u32;
        let mut list = Vec::new();
        for y in 0..7 {
            for x in 0..width - 1 {
                let at = y * width + x;
                list.extend([[at, at + 1, at + width], [at + 1, at + width + 1, at + width]]);
            }
        }
        // A degenerate one, and one twice.
        list.extend([[0, 0, 1], [3, 4, 12], [3, 4, 12]]);
        let turned = |[a, b, c]: [u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
        let sorted = |list: &[[u32; 3]]| {
            let mut list: Vec<_> = list.iter().map(|&triangle| turned(triangle)).collect();
            list.sort();
            list
        };
        assert_eq!(sorted(&strips(&list, 80)), sorted(&list));
    }

    #[test]
    fn reorder_merges_equal_vertices_of_the_sample() {
        let before = Document::parse(&gambol_sample::glb(), &mut NoResolver).expect("the sample is valid");
        let mut after = before.clone();
        let origins = reorder(&mut after);
        assert!(!origins.is_empty());
        for (&(mesh, primitive), origin) in &origins {
            let accessor = |document: &Document| {
                let attributes = &document.list("meshes")[mesh]["primitives"][primitive]["attributes"];
                document.floats(attributes["POSITION"].as_index().expect("an index")).expect("positions")
            };
            let (old, new) = (accessor(&before), accessor(&after));
            for (vertex, &origin) in origin.iter().enumerate() {
                assert_eq!(old[3 * origin as usize..][..3], new[3 * vertex..][..3]);
            }
        }
    }
}
