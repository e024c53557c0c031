//! Levels of detail of a crowd's meshes: fewer triangles of the same vertices, so each vertex keeps its joints and weights.

use super::member_part::CrowdError;
use crate::animation::skin::linear_position;
use crate::base::Affine;
use crate::model::{MeshLevel, Model, PaletteLayout, Primitive, SIDE_BY_SIDE, Topology};
use glam::Vec3;
use std::ops::Range;
use std::rc::Rc;

/// The largest number of levels besides the full meshes.
pub const MAX_MESH_LEVELS: usize = 6;

/// The largest measured error of a level that is drawn, in pixels. The documented bound is half a pixel. The difference is a margin,
/// because the error is measured at some vertices and times only.
const TOLERANCE: f32 = 0.3;

/// The number of vertices whose error is measured in the poses of clips, for each level.
const PROBES: usize = 192;

/// A member inside the view frustum.
#[derive(Debug, Clone, Copy)]
pub(super) struct VisibleMember {
    pub(super) member: u32,
    /// `true` if the error of cached poses is not visible at its size.
    pub(super) small: bool,
    /// The level of detail of its meshes, 0 for the full ones.
    pub(super) level: u8,
    pub(super) distance: f32,
}

/// A vertex that a level lacks, and the point of the level's triangles that is nearest to it at rest.
#[derive(Debug, Clone, Copy)]
struct Probe {
    level: usize,
    mesh: usize,
    primitive: usize,
    vertex: u32,
    corners: [u32; 3],
    weights: [f32; 3],
}

/// The levels of a crowd, from finer to coarser.
#[derive(Debug, Clone, Default)]
pub(super) struct MeshLevels {
    pub(super) list: Rc<[MeshLevel]>,
    probes: Rc<[Probe]>,
    /// The visible members in the order of their levels; kept for its memory.
    scratch: Vec<VisibleMember>,
    /// The levels of the visible members, with the ranges of their places in the palette.
    runs: Vec<(usize, Range<usize>)>,
}

/// The largest errors of levels in the poses of a clip, in metres of the model; infinite for unknown ones.
pub(super) type LevelErrors = [f32; MAX_MESH_LEVELS];

/// The errors of levels that are not measured.
pub(super) const UNKNOWN_ERRORS: LevelErrors = [f32::INFINITY; MAX_MESH_LEVELS];

impl MeshLevels {
    /// # Errors
    /// `Range` if a level has other primitives than the model, an index is out of range, or there are too many levels.
    pub(super) fn new(model: &Model, levels: Vec<MeshLevel>) -> Result<Self, CrowdError> {
        let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let fits = |indices: &Option<Vec<u32>>, primitive: &Primitive| {
            let Some(indices) = indices else { return true };
            primitive.topology == Topology::Triangles
                && indices.len().is_multiple_of(3)
                && indices.iter().all(|&index| (index as usize) < primitive.vertex_count())
        };
        let good = levels.len() <= MAX_MESH_LEVELS
            && levels.iter().all(|level| {
                level.indices.len() == primitives().count()
                    && level
                        .indices
                        .iter()
                        .zip(primitives())
                        .all(|(indices, primitive)| fits(indices, primitive))
            });
        if !good {
            return Err(CrowdError::Range);
        }
        let probes = levels.iter().enumerate().flat_map(|(at, level)| probes(model, at, level)).collect();
        Ok(Self { list: levels.into(), probes, ..Self::default() })
    }

    /// The coarsest level whose error is not visible, 0 for the full meshes.
    ///
    /// - `pixels`: pixels per metre of the model.
    pub(super) fn choose(&self, errors: &LevelErrors, pixels: f32) -> u8 {
        let mut levels = errors.iter().take(self.list.len());
        levels.rposition(|error| error * pixels <= TOLERANCE).map_or(0, |at| at as u8 + 1)
    }

    /// The levels of the visible members, with the ranges of their places in the palette.
    pub(super) fn runs(&self) -> &[(usize, Range<usize>)] {
        &self.runs
    }

    /// Orders the visible members by their levels, finest first. A run is filled up with members of coarser levels to whole groups,
    /// since the palettes of a group lie side by side.
    pub(super) fn order(&mut self, visible: &mut Vec<VisibleMember>) {
        let Self { list, scratch, runs, .. } = self;
        runs.clear();
        let mut begin = 0;
        scratch.clear();
        for level in 0..=list.len() {
            // Without levels the members stay as they are.
            let reached = if list.is_empty() {
                visible.len()
            } else {
                scratch.extend(visible.iter().filter(|member| usize::from(member.level) == level));
                scratch.len()
            };
            let end = reached.next_multiple_of(SIDE_BY_SIDE).min(visible.len());
            if end > begin {
                runs.push((level, begin..end));
                begin = end;
            }
        }
        if !list.is_empty() {
            std::mem::swap(visible, scratch);
        }
    }

    /// The errors in a pose: each the larger one of `errors` and of this pose.
    pub(super) fn measure(
        &self,
        model: &Model,
        layout: &PaletteLayout,
        (palette, visible): (&[Affine], &[bool]),
        weights: &[f32],
        errors: &mut LevelErrors,
    ) {
        for probe in &*self.probes {
            let primitive = &model.meshes[probe.mesh].primitives[probe.primitive];
            for drawable in layout.drawables.iter().filter(|drawable| drawable.mesh.index() == probe.mesh) {
                if visible.get(drawable.node.index()) == Some(&false) {
                    continue;
                }
                let at =
                    |vertex: u32| linear_position(primitive, vertex as usize, drawable, palette, weights);
                let surface: Vec3 =
                    probe.corners.iter().zip(probe.weights).map(|(&corner, w)| w * at(corner)).sum();
                let apart = (at(probe.vertex) - surface).length();
                let error = &mut errors[probe.level];
                // `true` for NaN, too.
                if !(apart <= *error) {
                    *error = if apart.is_finite() { apart } else { f32::INFINITY };
                }
            }
        }
    }
}

/// The probes of a level: some of the vertices that it lacks, evenly spaced.
fn probes(model: &Model, level: usize, triangles: &MeshLevel) -> Vec<Probe> {
    let places = model.meshes.iter().enumerate();
    let places =
        places.flat_map(|(mesh, all)| all.primitives.iter().enumerate().map(move |part| (mesh, part)));
    let mut missing = Vec::new();
    for ((mesh, (primitive, source)), indices) in places.zip(&triangles.indices) {
        let (Some(own), Some(indices)) = (&source.indices, indices) else { continue };
        let mut is_missing = vec![false; source.vertex_count()];
        own.iter().for_each(|&index| is_missing[index as usize] = true);
        indices.iter().for_each(|&index| is_missing[index as usize] = false);
        let vertices = is_missing.iter().enumerate().filter(|(_, is_missing)| **is_missing);
        missing.extend(vertices.map(|(vertex, _)| (mesh, primitive, source, indices, vertex)));
    }
    let step = missing.len().div_ceil(PROBES).max(1);
    let probe =
        |&(mesh, primitive, source, indices, vertex): &(usize, usize, &Primitive, &Vec<u32>, usize)| {
            let at = |index: u32| Vec3::from_array(source.positions[index as usize]);
            let point = Vec3::from_array(source.positions[vertex]);
            let mut best = (f32::INFINITY, [vertex as u32; 3], [1.0, 0.0, 0.0]);
            for triangle in indices.chunks_exact(3) {
                let corners = [triangle[0], triangle[1], triangle[2]];
                let weights = nearest_weights(point, corners.map(at));
                let surface: Vec3 =
                    corners.iter().zip(weights).map(|(&corner, weight)| weight * at(corner)).sum();
                let apart = point.distance_squared(surface);
                if apart < best.0 {
                    best = (apart, corners, weights);
                }
            }
            // Without any triangle the whole primitive has vanished, which no error of a vertex would tell.
            let (apart, corners, weights) = best;
            let weights = if apart.is_finite() { weights } else { [f32::INFINITY; 3] };
            Probe { level, mesh, primitive, vertex: vertex as u32, corners, weights }
        };
    missing.iter().step_by(step).map(probe).collect()
}

/// The barycentric weights of the point of a triangle that is nearest to a point.
///
/// Source: Ericson, Real-Time Collision Detection, section 5.1.5: the regions of the corners, of the edges, and the face.
fn nearest_weights(p: Vec3, [a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let (ab, ac) = (b - a, c - a);
    let of = |corner: Vec3| (ab.dot(p - corner), ac.dot(p - corner));
    let ((d1, d2), (d3, d4), (d5, d6)) = (of(a), of(b), of(c));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let sum = va + vb + vc;
    // A triangle without an area: one of its corners is as near as any point.
    if sum > 0.0 { [va / sum, vb / sum, vc / sum] } else { [1.0, 0.0, 0.0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_weights_are_those_of_a_dense_search() {
        let triangle = [Vec3::ZERO, Vec3::new(2.0, 0.5, 0.0), Vec3::new(0.3, 1.0, 0.7)];
        let at = |w: [f32; 3]| w[0] * triangle[0] + w[1] * triangle[1] + w[2] * triangle[2];
        for i in 0..125 {
            let p = Vec3::new((i % 5) as f32 - 1.5, (i / 5 % 5) as f32 - 1.5, (i / 25) as f32 - 2.0);
            let weights = nearest_weights(p, triangle);
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5 && weights.iter().all(|w| *w >= 0.0));
            let steps = 200;
            let all = (0..=steps).flat_map(|u| (0..=steps - u).map(move |v| (u, v)));
            let best = all.map(|(u, v)| {
                let (u, v) = (u as f32 / steps as f32, v as f32 / steps as f32);
                p.distance(at([1.0 - u - v, u, v]))
            });
            let best = best.fold(f32::INFINITY, f32::min);
            assert!(p.distance(at(weights)) <= best + 1e-5, "{p}");
        }
    }

    #[test]
    fn nearest_weights_of_a_triangle_without_area_are_finite() {
        for triangle in [[Vec3::ONE; 3], [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X]] {
            assert!(nearest_weights(Vec3::new(0.5, 1.0, 0.0), triangle).iter().all(|w| w.is_finite()));
        }
    }
}
