//! Validation of vertex indices: primitives with invalid indices are dropped. Spec: glTF 2.0 §3.7.2.1.

use gambol_animation::model::Topology;

/// The counts of dropped elements.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Dropped {
    /// The number of points, lines or triangles with an index beyond the last vertex.
    pub(super) broken: usize,
    /// The number of indices at the end that do not complete an element.
    pub(super) rest: usize,
}

/// Removes all indices that are not below `vertices`.
///
/// Points, lines and triangles with an invalid index are dropped. Strips, fans and loops with an invalid index are
/// converted to lists first: removing single indices would connect unrelated vertices.
pub(super) fn repair(indices: &mut Vec<u32>, topology: &mut Topology, vertices: usize) -> Dropped {
    let mut dropped = Dropped::default();
    let broken = indices.iter().any(|&index| index as usize >= vertices);
    if broken && let Some(list) = unroll(indices, *topology) {
        *indices = list;
        *topology = match *topology {
            Topology::LineLoop | Topology::LineStrip => Topology::Lines,
            _ => Topology::Triangles,
        };
    }
    let size = match topology {
        Topology::Points => 1,
        Topology::Lines => 2,
        Topology::Triangles => 3,
        _ => return dropped,
    };
    dropped.rest = indices.len() % size;
    indices.truncate(indices.len() - dropped.rest);
    let mut kept = 0;
    for start in (0..indices.len()).step_by(size) {
        if indices[start..start + size].iter().all(|&index| (index as usize) < vertices) {
            indices.copy_within(start..start + size, kept);
            kept += size;
        } else {
            dropped.broken += 1;
        }
    }
    indices.truncate(kept);
    dropped
}

/// Converts a strip, fan or loop to a list of lines or triangles, with GL's winding; `None` for lists.
pub(super) fn unroll(indices: &[u32], topology: Topology) -> Option<Vec<u32>> {
    let mut list = Vec::new();
    let (&first, others) = indices.split_first().unwrap_or((&0, &[]));
    match topology {
        Topology::Points | Topology::Lines | Topology::Triangles => return None,
        Topology::LineStrip | Topology::LineLoop => {
            for line in indices.windows(2) {
                list.extend_from_slice(line);
            }
            if topology == Topology::LineLoop
                && let Some(&last) = indices.last()
            {
                list.extend_from_slice(&[last, first]);
            }
        }
        Topology::TriangleStrip => {
            for (i, triangle) in indices.windows(3).enumerate() {
                let turned = i % 2;
                list.extend_from_slice(&[triangle[turned], triangle[1 - turned], triangle[2]]);
            }
        }
        Topology::TriangleFan => {
            for edge in others.windows(2) {
                list.extend_from_slice(&[first, edge[0], edge[1]]);
            }
        }
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(indices: &[u32], mut topology: Topology, vertices: usize) -> (Vec<u32>, Topology, Dropped) {
        let mut indices = indices.to_vec();
        let dropped = repair(&mut indices, &mut topology, vertices);
        (indices, topology, dropped)
    }

    #[test]
    fn index_lists_lose_broken_elements() {
        let (indices, _, dropped) = repaired(&[0, 1, 2, 0, 9, 1, 2, 1, 0, 1], Topology::Triangles, 3);
        assert_eq!((indices, dropped), (vec![0, 1, 2, 2, 1, 0], Dropped { broken: 1, rest: 1 }));
        let (indices, _, dropped) = repaired(&[0, 3, 1], Topology::Points, 3);
        assert_eq!((indices, dropped), (vec![0, 1], Dropped { broken: 1, rest: 0 }));
        assert!(repaired(&[0, 1], Topology::Lines, 0).0.is_empty());
    }

    #[test]
    fn index_strips_become_lists_only_if_broken() {
        assert_eq!(repaired(&[0, 1, 2, 3], Topology::TriangleStrip, 4).1, Topology::TriangleStrip);
        // A restart index between two strips:
        let (indices, topology, _) = repaired(&[0, 1, 2, u32::MAX, 1, 2, 3, 0], Topology::TriangleStrip, 4);
        assert_eq!((indices, topology), (vec![0, 1, 2, 1, 2, 3, 3, 2, 0], Topology::Triangles));
    }

    #[test]
    fn index_fans_and_loops_are_unrolled() {
        let (indices, topology, _) = repaired(&[0, 1, 2, 3, 7], Topology::TriangleFan, 4);
        assert_eq!((indices, topology), (vec![0, 1, 2, 0, 2, 3], Topology::Triangles));
        let (indices, topology, _) = repaired(&[0, 1, 7, 2], Topology::LineLoop, 4);
        assert_eq!((indices, topology), (vec![0, 1, 2, 0], Topology::Lines));
        let (indices, topology, _) = repaired(&[5], Topology::TriangleFan, 4);
        assert_eq!((indices, topology), (vec![], Topology::Triangles));
    }
}
