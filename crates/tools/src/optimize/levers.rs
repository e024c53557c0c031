//! The distance over which the rotation of each node moves vertices.

use crate::measure::Posed;
use gambol::animation::Affine;
use gambol::model::Model;

/// The influence of a node's transform on vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lever {
    /// The distance of the farthest vertex below the node from its origin, in metres.
    pub(super) length: f32,
    /// The metres per unit of the node's translation.
    pub(super) scale: f32,
}

/// An axis-aligned box around vertices.
#[derive(Clone, Copy)]
struct Corners {
    low: [f32; 3],
    high: [f32; 3],
}

impl Corners {
    /// Around nothing: the low corner is above the high one.
    const NONE: Self = Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// Makes the box large enough for another one.
    fn join(&mut self, other: Self) {
        for axis in 0..3 {
            // Comparisons: `min` and `max` are function calls in WebAssembly.
            if other.low[axis] < self.low[axis] {
                self.low[axis] = other.low[axis];
            }
            if other.high[axis] > self.high[axis] {
                self.high[axis] = other.high[axis];
            }
        }
    }

    fn add(&mut self, point: [f32; 3]) {
        self.join(Self { low: point, high: point });
    }
}

/// The node of each influence of a primitive, for influences that count.
pub(super) fn influencing(
    posed: &Posed,
    drawable: usize,
    primitive: usize,
    vertices: usize,
) -> Vec<Vec<usize>> {
    match posed.skinned(drawable, primitive) {
        None => vec![vec![posed.node(drawable)]; vertices],
        Some((influences, nodes)) => {
            let (joints, weights) = (&influences.joints, &influences.weights);
            let rows =
                joints.chunks_exact(influences.per_vertex).zip(weights.chunks_exact(influences.per_vertex));
            rows.map(|(joints, weights)| {
                let strong = joints.iter().zip(weights).filter(|&(_, &weight)| weight > 0.02);
                strong.filter_map(|(&joint, _)| nodes.get(usize::from(joint)).copied()).collect()
            })
            .collect()
        }
    }
}

/// The levers of all nodes over some times; in O(nodes + vertices) for each time.
///
/// - `size`: the extent of the model. A node that moves no vertex may hold something, so it counts as a twentieth of this.
pub(super) fn levers(model: &Model, posed: &mut Posed, times: &[f64], size: f32) -> Vec<Lever> {
    let count = model.nodes.len();
    let mut levers = vec![Lever { length: 0.05 * size, scale: 0.0 }; count];
    for (lever, node) in levers.iter_mut().zip(&model.nodes) {
        if node.camera.is_some() || node.light.is_some() {
            lever.length = size;
        }
    }
    let mut owners: Vec<Vec<Vec<usize>>> = Vec::new();
    for &time in times {
        posed.at(time);
        let mut boxes = vec![Corners::NONE; count];
        if posed.vertices() == 0 {
            (0..count).for_each(|node| boxes[node].add(posed.origin(node)));
        }
        let mut part = 0;
        for drawable in 0..posed.drawables() {
            for primitive in 0..posed.drawable(drawable).2 {
                let positions = posed.positions(drawable, primitive).to_vec();
                if owners.len() == part {
                    owners.push(influencing(posed, drawable, primitive, positions.len()));
                }
                for (position, nodes) in positions.iter().zip(&owners[part]) {
                    nodes.iter().for_each(|&node| boxes[node].add(*position));
                }
                part += 1;
            }
        }
        // Parents come before their children.
        for (i, node) in model.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                let below = boxes[i];
                boxes[parent.index()].join(below);
            }
            let (Corners { low, high }, origin) = (boxes[i], posed.origin(i));
            let reach = (0..3).map(|i| (high[i] - origin[i]).abs().max((low[i] - origin[i]).abs()));
            let length = reach.map(|v| v * v).sum::<f32>().sqrt();
            // Not finite if nothing is below the node.
            if length.is_finite() {
                levers[i].length = levers[i].length.max(length);
            }
            let scale = node.parent.map_or(1.0, |parent| largest_scale(&posed.matrices[parent.index()]));
            levers[i].scale = levers[i].scale.max(scale);
        }
    }
    levers
}

/// The length of the longest column.
pub(super) fn largest_scale(matrix: &Affine) -> f32 {
    let rows = matrix.rows();
    let column = |i: usize| rows.iter().map(|row| row[i] * row[i]).sum::<f32>();
    let longest = (0..3).map(column).fold(0.0, f32::max).sqrt();
    if longest.is_finite() { longest } else { 1.0 }
}
