//! Bounding boxes of animated models.

use crate::base::{Aabb, Affine, F32x4, REACH, ZERO, is_in_reach, sort_by};
use crate::model::{Drawable, Influences, Model, NodeId, PaletteLayout, Primitive};
use glam::Vec3;
use std::ops::Range;

/// The bounds of an animated model: one box per palette entry, so that the box of a pose costs O(joints).
///
/// A skinned vertex is a weighted mean of the positions that its joints give it. So it lies in the union of
/// their boxes, in any pose. Morph targets enlarge the boxes of the joints whose vertices they move.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    parts: Vec<Part>,
    /// The deltas of all parts: a morph weight of the pose, and the box of its target's offsets at weight 1.
    deltas: Vec<(u32, Aabb)>,
    /// Buffers for measuring meshes.
    boxes: Boxes,
}

#[derive(Debug, Clone)]
struct Part {
    slot: u32,
    /// The node that determines visibility.
    node: NodeId,
    bounds: Aabb,
    /// Precomputed from `bounds`.
    spread: Spread,
    /// The morph targets that enlarge the box: a range of [`Bounds::deltas`].
    deltas: Range<u32>,
}

impl Bounds {
    /// Measures the vertices of all visible meshes, once; ignores vertices beyond [`REACH`].
    pub fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let mut this = Self::default();
        for drawable in &layout.drawables {
            this.add(model, drawable);
        }
        this
    }

    /// Measures the vertices of one more visible mesh. Those of [`PaletteLayout::drawables`] must be added in
    /// their order. Returns the number of vertices measured.
    pub fn add(&mut self, model: &Model, drawable: &Drawable) -> usize {
        let mut boxes = std::mem::take(&mut self.boxes);
        let primitives = &model.meshes[drawable.mesh.index()].primitives;
        let mut count = 0;
        for primitive in primitives {
            let in_reach = |(_, position): &(usize, &[f32; 3])| is_in_reach((**position).into());
            for (vertex, &position) in primitive.positions.iter().enumerate().filter(in_reach) {
                boxes.add_vertex(drawable, primitive, vertex, position, Aabb::EMPTY);
            }
            count += primitive.positions.len();
        }
        let measured = boxes.take();
        let mut stretches = Vec::new();
        for (target, weight) in drawable.weights.clone().enumerate() {
            for primitive in primitives {
                let Some(target) = primitive.targets.get(target) else { continue };
                for (vertex, &delta) in target.positions.iter().filter(|(_, delta)| **delta != [0.0; 3]) {
                    if vertex < primitive.positions.len() {
                        // The target does not move the other vertices, so the box includes 0.
                        boxes.add_vertex(drawable, primitive, vertex, delta, ZERO);
                        count += 1;
                    }
                }
            }
            stretches.extend(boxes.take().into_iter().map(|(slot, delta)| (slot, weight, delta)));
        }
        self.boxes = boxes;
        sort_by(&mut stretches, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        let mut rest = &stretches[..];
        for (slot, bounds) in measured {
            let begin = self.deltas.len() as u32;
            let (mine, others) = rest.split_at(rest.partition_point(|&(other, ..)| other == slot));
            rest = others;
            self.deltas.extend(mine.iter().map(|&(_, weight, delta)| (weight, delta)));
            let deltas = begin..self.deltas.len() as u32;
            let (slot, node) = (drawable.slots.start + slot, drawable.node);
            self.parts.push(Part { slot, node, bounds, spread: Spread::new(&bounds), deltas });
        }
        count
    }

    /// The box of a pose, in world space; `None` if no mesh is visible. Parts that reach beyond [`REACH`], or
    /// whose matrix is not finite, are ignored.
    ///
    /// - `palette`: the palette of the whole actor, from
    ///   [`Rig::palette`](crate::animation::rig::Rig::palette).
    /// - `weights`: the morph weights of the whole pose.
    /// - `visible`: the visibility of each node, from
    ///   [`Rig::visibility`](crate::animation::rig::Rig::visibility); empty if all are visible.
    ///
    /// # Panics
    /// If the palette or the weights are of another model.
    pub fn of_pose(&self, palette: &[Affine], weights: &[f32], visible: &[bool]) -> Option<Aabb> {
        let mut around = None;
        self.measure(palette, weights, visible, &mut around);
        around
    }

    /// Writes the box of a pose to `around`.
    #[inline(never)]
    pub(crate) fn measure(
        &self,
        palette: &[Affine],
        weights: &[f32],
        visible: &[bool],
        around: &mut Option<Aabb>,
    ) {
        let mut union = Union::new();
        for part in self.parts.iter().filter(|part| part.is_shown(visible)) {
            let matrix = &palette[part.slot as usize];
            let stretched;
            let spread = if part.deltas.start == part.deltas.end {
                &part.spread
            } else {
                stretched = Spread::new(&self.stretched(part, weights));
                &stretched
            };
            union = union.with(spread, matrix);
        }
        union.write(around);
        if around.is_none() {
            self.measure_in_reach(palette, weights, visible, around);
        }
    }

    /// Like [`Bounds::measure`], without the parts beyond [`REACH`].
    #[cold]
    #[inline(never)]
    fn measure_in_reach(
        &self,
        palette: &[Affine],
        weights: &[f32],
        visible: &[bool],
        around: &mut Option<Aabb>,
    ) {
        for part in self.parts.iter().filter(|part| part.is_shown(visible)) {
            let spread = Spread::new(&self.stretched(part, weights));
            let mut own = None;
            Union::new().with(&spread, &palette[part.slot as usize]).write(&mut own);
            if let Some(own) = own {
                *around = Some(around.map_or(own, |around| around.union(&own)));
            }
        }
    }

    /// The palette entries of visible meshes, and the box of each entry's vertices, in the space of the mesh;
    /// see [`Bounds::of_pose`].
    ///
    /// # Panics
    /// If the weights are of another model.
    pub fn boxes<'a>(
        &'a self,
        weights: &'a [f32],
        visible: &'a [bool],
    ) -> impl Iterator<Item = (usize, Aabb)> + 'a {
        let shown = self.parts.iter().filter(|part| part.is_shown(visible));
        shown.map(|part| (part.slot as usize, self.stretched(part, weights)))
    }

    /// The bounds if each morph weight may have any value of a range, or the sum of that and the weight of the pose.
    ///
    /// - `ranges`: one per morph weight; each contains 0.
    ///
    /// # Panics
    /// If the ranges are of another model.
    pub(crate) fn widened(&self, ranges: &[[f32; 2]]) -> Self {
        let mut widened = self.clone();
        for part in &mut widened.parts {
            let bounds = &mut part.bounds;
            for &(weight, delta) in &self.deltas[part.deltas.start as usize..part.deltas.end as usize] {
                let [low, high] = ranges[weight as usize];
                bounds.min += (low * delta.max).min(high * delta.min);
                bounds.max += (low * delta.min).max(high * delta.max);
            }
            part.spread = Spread::new(&part.bounds);
        }
        widened
    }

    /// The box of a part, enlarged by morph targets.
    fn stretched(&self, part: &Part, weights: &[f32]) -> Aabb {
        let mut bounds = part.bounds;
        for &(weight, delta) in &self.deltas[part.deltas.start as usize..part.deltas.end as usize] {
            let weight = weights[weight as usize];
            let (a, b) = (weight * delta.min, weight * delta.max);
            bounds.min += a.min(b);
            bounds.max += a.max(b);
        }
        bounds
    }
}

impl Part {
    fn is_shown(&self, visible: &[bool]) -> bool {
        visible.get(self.node.index()) != Some(&false)
    }
}

/// A box prepared for transforms: X, Y, Z, and the factors of a matrix's last column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    center: F32x4,
    /// The factors of the matrix's absolute values: half the size, and a margin for rounding.
    reach: F32x4,
}

impl Spread {
    pub(super) fn new(bounds: &Aabb) -> Self {
        // A margin for rounding errors, even if the terms of a sum are much larger than the sum.
        const ROUNDING: f32 = 2e-6;
        let center = bounds.center();
        let half = 0.5 * bounds.max - 0.5 * bounds.min;
        let reach = half + ROUNDING * (center.abs() + half);
        Self {
            center: F32x4::new([center.x, center.y, center.z, 1.0]),
            reach: F32x4::new([reach.x, reach.y, reach.z, ROUNDING]),
        }
    }
}

/// A growing box. Passed by value: in memory, each step would store it.
#[derive(Clone, Copy)]
pub(super) struct Union {
    /// The minimum corner, negated.
    low: F32x4,
    high: F32x4,
    /// 0 while all numbers are finite.
    faults: F32x4,
}

impl Union {
    pub(super) fn new() -> Self {
        let nothing = F32x4::splat(f32::NEG_INFINITY);
        Self { low: nothing, high: nothing, faults: F32x4::zero() }
    }

    /// Unrolled, like all kernels.
    #[inline(always)]
    pub(super) fn with(self, Spread { center: c, reach: r }: &Spread, matrix: &Affine) -> Self {
        let [x, y, z, t] = matrix.columns();
        let center =
            (x * c.spread_as_read::<0>() + y * c.spread_as_read::<1>()) + (z * c.spread_as_read::<2>() + t);
        let reach = (x.abs() * r.spread_as_read::<0>() + y.abs() * r.spread_as_read::<1>())
            + (z.abs() * r.spread_as_read::<2>() + t.abs() * r.spread_as_read::<3>());
        let (low, high) = (reach - center, reach + center);
        Self {
            low: self.low.max(low),
            high: self.high.max(high),
            // An infinite `low` is detected in `write`.
            faults: self.faults + high * F32x4::zero(),
        }
    }

    /// The union; `None` if it is empty or a corner is beyond [`REACH`].
    pub(super) fn finished(self) -> Option<Aabb> {
        let mut around = None;
        self.write(&mut around);
        around
    }

    /// Writes the union; `None` if it is empty or a corner is beyond [`REACH`].
    ///
    /// Each number is written directly to its destination. Otherwise the box is copied: written in units of 4
    /// bytes and read in units of 16, which stalls the processor (3 % of the cost of one character).
    #[inline(always)]
    fn write(self, around: &mut Option<Aabb>) {
        let Self { low, high, faults } = self;
        // Numbers that are too far become infinite, and then NaN instead of 0. Corners need no comparison:
        // those of each part are in order.
        let (zero, far) = (F32x4::zero(), F32x4::splat(f32::MAX / REACH));
        let [fx, fy, fz, _] = (faults + ((low * far) * zero + (high * far) * zero)).to_array();
        let ([lx, ly, lz, _], [hx, hy, hz, _]) = (low.to_array(), high.to_array());
        *around = if fx == 0.0 && fy == 0.0 && fz == 0.0 {
            Some(Aabb { min: Vec3::new(-lx, -ly, -lz), max: Vec3::new(hx, hy, hz) })
        } else {
            None
        };
    }
}

/// Boxes by slot or another small index; only the modified ones exist.
#[derive(Debug, Clone, Default)]
pub(super) struct Boxes {
    boxes: Vec<Option<Aabb>>,
    touched: Vec<u32>,
}

impl Boxes {
    /// Adds a point to the boxes of all slots that influence a vertex; a new box starts as `first`.
    fn add_vertex(
        &mut self,
        drawable: &Drawable,
        primitive: &Primitive,
        vertex: usize,
        point: [f32; 3],
        first: Aabb,
    ) {
        match primitive.influences.as_ref().filter(|_| drawable.skinned) {
            None => self.add(0, point, first),
            Some(Influences { per_vertex, joints, weights }) => {
                let range = vertex * per_vertex..(vertex + 1) * per_vertex;
                for (&joint, &share) in joints[range.clone()].iter().zip(&weights[range]) {
                    if share > 0.0 {
                        self.add(usize::from(joint), point, first);
                    }
                }
            }
        }
    }

    /// Adds a point to the box of a slot; a new box starts as `first`.
    pub(super) fn add(&mut self, slot: usize, point: [f32; 3], first: Aabb) {
        self.of(slot, first).add(Vec3::from_array(point));
    }

    /// Merges a box into the box of a slot.
    pub(super) fn merge(&mut self, slot: usize, other: &Aabb) {
        let bounds = self.of(slot, Aabb::EMPTY);
        *bounds = bounds.union(other);
    }

    fn of(&mut self, slot: usize, first: Aabb) -> &mut Aabb {
        if slot >= self.boxes.len() {
            self.boxes.resize(slot + 1, None);
        }
        self.boxes[slot].get_or_insert_with(|| {
            self.touched.push(slot as u32);
            first
        })
    }

    /// Removes and returns all boxes, sorted by slot.
    pub(super) fn take(&mut self) -> Vec<(u32, Aabb)> {
        self.touched.sort_unstable();
        let touched = self.touched.drain(..);
        touched.filter_map(|slot| Some((slot, self.boxes[slot as usize].take()?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::pose::Pose;
    use crate::animation::rig::Rig;
    use crate::base::Transform;
    use crate::model::{Mesh, MeshId, Node, Primitive};

    /// A point at the origin of three nodes: at x = 1, at x = 5, and a child of the latter at x = 9.
    fn row(visible: [bool; 3]) -> Model {
        let node = |i: usize, x: f32, parent: Option<usize>| Node {
            mesh: Some(MeshId::new(0)),
            parent: parent.map(NodeId::new),
            visible: visible[i],
            rest: Transform { translation: Vec3::new(x, 0.0, 0.0), ..Transform::IDENTITY },
            ..Node::default()
        };
        let point = Primitive { positions: vec![[0.0; 3]], ..Primitive::default() };
        Model {
            nodes: vec![node(0, 1.0, None), node(1, 5.0, None), node(2, 4.0, Some(1))],
            meshes: vec![Mesh { primitives: vec![point], ..Mesh::default() }],
            ..Model::default()
        }
    }

    fn reach(visible: [bool; 3]) -> Option<(f32, f32)> {
        reach_of(&row(visible))
    }

    fn reach_of(model: &Model) -> Option<(f32, f32)> {
        let rig = Rig::new(model);
        let bounds = Bounds::new(model, &rig.layout);
        let (mut matrices, mut shown) = (Vec::new(), Vec::new());
        let mut palette = vec![Affine::identity(); rig.palette_len()];
        let pose: &Pose = rig.rest_pose();
        rig.node_matrices(pose, &Affine::identity(), &mut matrices);
        rig.palette(&matrices, &mut palette);
        rig.visibility(pose, &mut shown);
        let bounds = bounds.of_pose(&palette, &pose.weights, &shown)?;
        Some((bounds.min.x.round(), bounds.max.x.round()))
    }

    #[test]
    fn bounds_ignore_vertices_beyond_the_distance_limit() {
        let far = |x: f32, scale: f32| {
            let mut model = row([true; 3]);
            model.nodes[2].rest.translation.x = x;
            model.nodes[2].rest.scale *= scale;
            model.meshes[0].primitives[0].positions = vec![[0.0; 3], [1.0, 0.0, 0.0]];
            model
        };
        assert_eq!(reach_of(&far(4.0, 1.0)), Some((1.0, 10.0)));
        assert_eq!(reach_of(&far(3e38, 1.0)), Some((1.0, 6.0)));
        assert_eq!(reach_of(&far(4.0, 3e38)), Some((1.0, 6.0)));
        let mut one = far(4.0, 1.0);
        one.meshes[0].primitives[0].positions.push([0.0, -3.4e38, 0.0]);
        assert_eq!(reach_of(&one), Some((1.0, 10.0)), "a vertex alone");
        let mut all = far(4.0, 1.0);
        all.meshes[0].primitives[0].positions = vec![[3.4e38; 3]];
        assert_eq!(reach_of(&all), None);
    }

    #[test]
    fn bounds_ignore_hidden_meshes() {
        assert_eq!(reach([true; 3]), Some((1.0, 9.0)));
        assert_eq!(reach([false, true, true]), Some((5.0, 9.0)));
        assert_eq!(reach([true, false, true]), Some((1.0, 1.0)), "nor what is below it");
        assert_eq!(reach([true, true, false]), Some((1.0, 5.0)));
        assert_eq!(reach([false; 3]), None);
    }
}
