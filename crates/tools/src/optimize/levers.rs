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
type Corners = Option<([f32; 3], [f32; 3])>;

fn join(a: Corners, b: Corners) -> Corners {
    match (a, b) {
        (Some((a, b)), Some((c, d))) => {
            Some((std::array::from_fn(|i| a[i].min(c[i])), std::array::from_fn(|i| b[i].max(d[i]))))
        }
        (a, b) => a.or(b),
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
        let mut boxes: Vec<Corners> = vec![None; count];
        if posed.vertices() == 0 {
            (0..count).for_each(|node| boxes[node] = Some((posed.origin(node), posed.origin(node))));
        }
        let mut part = 0;
        for drawable in 0..posed.drawables() {
            for primitive in 0..posed.drawable(drawable).2 {
                let positions = posed.positions(drawable, primitive).to_vec();
                if owners.len() == part {
                    owners.push(influencing(posed, drawable, primitive, positions.len()));
                }
                for (position, nodes) in positions.iter().zip(&owners[part]) {
                    for &node in nodes {
                        boxes[node] = join(boxes[node], Some((*position, *position)));
                    }
                }
                part += 1;
            }
        }
        // Parents come before their children.
        for (i, node) in model.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                boxes[parent.index()] = join(boxes[parent.index()], boxes[i]);
            }
            if let Some((low, high)) = boxes[i] {
                let origin = posed.origin(i);
                let reach = (0..3).map(|i| (high[i] - origin[i]).abs().max((low[i] - origin[i]).abs()));
                let length = reach.map(|v| v * v).sum::<f32>().sqrt();
                if length.is_finite() {
                    levers[i].length = levers[i].length.max(length);
                }
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
