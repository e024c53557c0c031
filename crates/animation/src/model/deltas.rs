//! Offsets of vertices in morph targets, for all vertices or sparse.

use crate::base::order;

/// Offsets of `N` numbers for the vertices of a primitive: empty, complete or sparse.
#[derive(Debug, Clone, PartialEq)]
pub struct Deltas<const N: usize> {
    /// The vertices of the offsets, ascending; `None` if every vertex has one, in order.
    vertices: Option<Vec<u32>>,
    values: Vec<[f32; N]>,
}

impl<const N: usize> Deltas<N> {
    /// Sparse offsets. If a vertex occurs twice, the last offset counts.
    ///
    /// The longer of the two lists is truncated.
    pub fn sparse(vertices: Vec<u32>, values: Vec<[f32; N]>) -> Self {
        if vertices.len() == values.len() && vertices.is_sorted_by(|a, b| a < b) {
            return Self { vertices: Some(vertices), values };
        }
        let kept = last_of_each(&vertices[..vertices.len().min(values.len())]);
        Self {
            vertices: Some(kept.iter().map(|&i| vertices[i]).collect()),
            values: kept.iter().map(|&i| values[i]).collect(),
        }
    }

    /// `true` if no vertex has an offset.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The vertices that have an offset, ascending; `None` if the offsets are complete or empty.
    pub fn vertices(&self) -> Option<&[u32]> {
        self.vertices.as_deref()
    }

    /// The offsets, in the order of their vertices.
    pub fn values(&self) -> &[[f32; N]] {
        &self.values
    }

    /// The offsets, for repairs during import.
    pub fn values_mut(&mut self) -> &mut [[f32; N]] {
        &mut self.values
    }

    /// Adds copies of the offsets of the vertices `of`, for new vertices from `first` on.
    pub fn append_copies(&mut self, first: u32, of: &[u32]) {
        if self.is_empty() {
            return;
        }
        for (copy, &vertex) in (first..).zip(of) {
            let at = match &self.vertices {
                None => Some(vertex as usize),
                Some(vertices) => vertices.binary_search(&vertex).ok(),
            };
            let Some(&value) = at.and_then(|at| self.values.get(at)) else { continue };
            self.values.push(value);
            if let Some(vertices) = &mut self.vertices {
                vertices.push(copy);
            }
        }
    }

    /// The offset of a vertex; zeros if it has none.
    pub fn get(&self, vertex: usize) -> [f32; N] {
        let at = match &self.vertices {
            None => Some(vertex),
            Some(vertices) => u32::try_from(vertex).ok().and_then(|v| vertices.binary_search(&v).ok()),
        };
        at.and_then(|at| self.values.get(at)).copied().unwrap_or([0.0; N])
    }

    /// The vertices and their offsets.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[f32; N])> {
        let vertex = |i: usize| self.vertices.as_ref().map_or(i, |vertices| vertices[i] as usize);
        self.values.iter().enumerate().map(move |(i, value)| (vertex(i), value))
    }
}

/// The indices of the last occurrences of all vertices, in the order of the vertices.
fn last_of_each(vertices: &[u32]) -> Vec<usize> {
    // The last one comes first.
    let mut order = order(vertices.len(), &|a, b| vertices[a].cmp(&vertices[b]).then(b.cmp(&a)));
    order.dedup_by_key(|&mut i| vertices[i]);
    order
}

impl<const N: usize> Default for Deltas<N> {
    fn default() -> Self {
        Self { vertices: None, values: Vec::new() }
    }
}

/// One offset per vertex, in order; or empty.
impl<const N: usize> From<Vec<[f32; N]>> for Deltas<N> {
    fn from(values: Vec<[f32; N]>) -> Self {
        Self { vertices: None, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_deltas_use_the_last_of_duplicate_vertices() {
        let deltas = Deltas::sparse(vec![7, 2, 7], vec![[1.0], [2.0], [3.0]]);
        assert_eq!(deltas.vertices(), Some(&[2, 7][..]));
        assert_eq!([2, 7, 3, usize::MAX].map(|vertex| deltas.get(vertex)), [[2.0], [3.0], [0.0], [0.0]]);
        assert_eq!(Deltas::sparse(vec![1], Vec::<[f32; 2]>::new()).values(), [[0.0; 2]; 0]);
    }

    #[test]
    fn deltas_append_copies_at_the_end() {
        let mut dense = Deltas::from(vec![[1.0], [2.0]]);
        dense.append_copies(2, &[1, 0, 1]);
        assert_eq!(dense.values(), [[1.0], [2.0], [2.0], [1.0], [2.0]]);
        let mut sparse = Deltas::sparse(vec![3], vec![[5.0]]);
        sparse.append_copies(9, &[0, 3, 3]);
        assert_eq!(sparse.vertices(), Some(&[3, 10, 11][..]));
        assert_eq!(sparse.get(11), [5.0]);
        let mut none = Deltas::<1>::default();
        none.append_copies(1, &[0]);
        assert!(none.is_empty());
    }

    #[test]
    fn dense_deltas_are_in_vertex_order() {
        let deltas = Deltas::from(vec![[1.0], [2.0]]);
        assert_eq!(deltas.iter().collect::<Vec<_>>(), [(0, &[1.0]), (1, &[2.0])]);
        assert_eq!([1, 2].map(|vertex| deltas.get(vertex)), [[2.0], [0.0]]);
        assert!(Deltas::<3>::default().is_empty());
    }
}
