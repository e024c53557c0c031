//! Ray casting on a posed model: a bounding volume hierarchy (BVH) whose boxes follow the palette, so that
//! only few triangles are deformed.
//!
//! A leaf has some dozens of triangles that are close to each other at rest. Each group of the hierarchy has
//! one box for each joint of its vertices. A skinned vertex is a weighted mean of the positions from its
//! joints. So the group lies in the union of these boxes under the palette, in any pose.
//! [`Bounds`](super::bounds::Bounds) does the same for whole models.

use super::bounds::{Boxes, Spread, Union};
use super::cpu_skinning::deform_positions;
use super::shared_vertices::bulge;
use crate::base::{Aabb, Affine, F32x4, ZERO, feature};
use crate::model::{Drawable, Model, PaletteLayout, Primitive, Topology};
use gambol_kernels::Ray;
use glam::Vec3;
use std::ops::Range;

/// The largest number of triangles in a leaf: small enough that the index of a vertex in a leaf is a byte.
const LEAF: usize = 32;
/// The largest number of children of an inner group.
const CHILDREN: usize = 8;

/// The triangles of all meshes of a model, in hierarchies for ray casting.
#[derive(Debug, Clone, Default)]
pub struct Triangles {
    /// Indexed by mesh and by primitive.
    meshes: Vec<Vec<Hierarchy>>,
}

/// A model in a pose.
#[derive(Debug, Clone, Copy)]
pub struct PosedModel<'a> {
    /// The model.
    pub model: &'a Model,
    /// The palette layout of the model.
    pub layout: &'a PaletteLayout,
    /// The palette of the whole actor, from [`Rig::palette`](crate::animation::rig::Rig::palette).
    pub palette: &'a [Affine],
    /// The rotations of the palette, from [`rotations`](super::dual_quaternion::rotations), to blend dual
    /// quaternions; empty to blend matrices.
    pub rotations: &'a [F32x4],
    /// The morph weights of the whole pose.
    pub weights: &'a [f32],
    /// The visibility of each node, from [`Rig::visibility`](crate::animation::rig::Rig::visibility); empty
    /// if all are visible.
    pub visible: &'a [bool],
}

/// The triangle that a ray hits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The parameter `t` of the ray, see [`Ray`].
    pub t: f32,
    /// The index in [`PaletteLayout::drawables`].
    pub drawable: usize,
    /// The index in the mesh's list of primitives.
    pub primitive: usize,
    /// The vertices of its corners.
    pub vertices: [usize; 3],
    /// The weights of the corners (barycentric coordinates); their sum is 1.
    pub weights: [f32; 3],
}

impl Triangles {
    /// Builds the hierarchies of all visible meshes, in O(n log n).
    pub fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let mut meshes = vec![Vec::new(); model.meshes.len()];
        for drawable in &layout.drawables {
            let mesh = drawable.mesh.index();
            if meshes[mesh].is_empty() {
                meshes[mesh] = model.meshes[mesh].primitives.iter().map(Hierarchy::new).collect();
            }
        }
        Self { meshes }
    }

    /// The nearest triangle on a ray with `t` below `within`; both sides of triangles are hit. The result is
    /// the same as deforming every vertex and testing every triangle.
    ///
    /// # Panics
    /// If the posed model is of another model.
    pub fn nearest(&self, posed: &PosedModel<'_>, ray: &Ray, within: f32) -> Option<Hit> {
        let mut best = Best { within, hit: None };
        for (index, drawable) in posed.layout.drawables.iter().enumerate() {
            if posed.visible.get(drawable.node.index()) == Some(&false) {
                continue;
            }
            let mesh = drawable.mesh.index();
            let primitives = posed.model.meshes[mesh].primitives.iter().zip(&self.meshes[mesh]);
            for (at, (primitive, hierarchy)) in primitives.enumerate() {
                let inverse = ray.direction.recip();
                let search = Search { posed, drawable, index, primitive, at, ray, inverse };
                hierarchy.search(&search, &mut best);
            }
        }
        best.hit
    }
}

/// The nearest hit so far.
struct Best {
    within: f32,
    hit: Option<Hit>,
}

/// A search in one primitive of one drawable.
struct Search<'a> {
    posed: &'a PosedModel<'a>,
    drawable: &'a Drawable,
    index: usize,
    primitive: &'a Primitive,
    at: usize,
    ray: &'a Ray,
    /// 1 / direction.
    inverse: Vec3,
}

impl Search<'_> {
    /// The palette slot of a joint. Without a skin, always the first slot.
    fn slot(&self, joint: u16) -> usize {
        let joint = if self.drawable.skinned { usize::from(joint) } else { 0 };
        self.drawable.slots.start as usize + joint
    }
}

/// The triangles of one primitive.
#[derive(Debug, Clone, Default)]
struct Hierarchy {
    /// Leaves first. Group `i` of a level has as children the groups of the level before it from `CHILDREN ·
    /// i` on.
    levels: Vec<Vec<Group>>,
    parts: Vec<Part>,
    /// Morph targets of groups: the target's index, and the box of its offsets at weight 1.
    morphs: Vec<(u32, Aabb)>,
    /// Pairs of joints that influence the same vertices of a group, without duplicates.
    pairs: Vec<(u16, u16)>,
    leaves: Vec<Leaf>,
    /// The vertices of all leaves.
    vertices: Vec<u32>,
    /// The corners of the leaves' triangles: indices into the vertices of the leaf.
    corners: Vec<[u8; 3]>,
    /// The largest number of joints of a vertex.
    most: usize,
}

/// A set of triangles: ranges of the hierarchy's lists.
#[derive(Debug, Clone)]
struct Group {
    parts: Range<u32>,
    morphs: Range<u32>,
    pairs: Range<u32>,
}

/// A joint that influences vertices of a group.
#[derive(Debug, Clone, Copy)]
struct Part {
    joint: u16,
    /// The box around these vertices, at rest.
    bounds: Aabb,
    /// The smallest weight of the joint among all vertices of the group; 0 if it does not influence all of
    /// them.
    least: f32,
}

/// The common part of all vertices of a group: the smallest weights of its joints; see [`Hierarchy::around`].
struct Common {
    matrix: Affine,
    weight: f32,
    /// The box around all vertices, at rest.
    bounds: Aabb,
}

impl Common {
    fn new() -> Self {
        Self { matrix: Affine::zero(), weight: 0.0, bounds: Aabb::EMPTY }
    }

    fn add(&mut self, weight: f32, matrix: &Affine, bounds: Aabb) {
        self.matrix = self.matrix.plus(weight, matrix);
        self.weight += weight;
        self.bounds = bounds;
    }

    /// The box around the vertices. `around` is the box around all positions from the joints.
    fn narrowed(&self, around: Aabb) -> Option<Aabb> {
        if self.weight == 0.0 {
            return Some(around);
        }
        let fixed = Union::new().with(&Spread::new(&self.bounds), &self.matrix).finished()?;
        let rest = (1.0 - self.weight).max(0.0);
        Some(fixed.plus(&Aabb { min: rest * around.min, max: rest * around.max }))
    }
}

#[derive(Debug, Clone)]
struct Leaf {
    vertices: Range<u32>,
    corners: Range<u32>,
}

feature! {
    list for_skinning;
    fn bulged(
        hierarchy: &Hierarchy, around: Aabb, parts: &[Part], group: &Group, stretch: &Aabb, search: &Search<'_>,
    ) -> Option<Aabb> = Hierarchy::bulged;
}

impl Hierarchy {
    fn search(&self, search: &Search<'_>, best: &mut Best) {
        let Some([top]) = self.levels.last().map(Vec::as_slice) else { return };
        if self.entry(top, search).is_some_and(|entry| entry < best.within) {
            self.descend(self.levels.len() - 1, 0, search, best);
        }
    }

    /// Searches a group, nearer children first.
    fn descend(&self, level: usize, index: usize, search: &Search<'_>, best: &mut Best) {
        if level == 0 {
            return self.try_leaf(&self.leaves[index], search, best);
        }
        let below = &self.levels[level - 1];
        let first = CHILDREN * index;
        let children = &below[first..below.len().min(first + CHILDREN)];
        let (mut entries, mut count) = ([(0.0_f32, 0_usize); CHILDREN], 0);
        for (child, group) in (first..).zip(children) {
            let Some(entry) = self.entry(group, search) else { continue };
            let mut to = count;
            while to > 0 && entries[to - 1].0 > entry {
                entries[to] = entries[to - 1];
                to -= 1;
            }
            entries[to] = (entry, child);
            count += 1;
        }
        for &(entry, child) in &entries[..count] {
            if entry < best.within {
                self.descend(level - 1, child, search, best);
            }
        }
    }

    fn try_leaf(&self, leaf: &Leaf, search: &Search<'_>, best: &mut Best) {
        let &Search { posed, drawable, primitive, ray, .. } = search;
        let mut places = [Vec3::ZERO; 3 * LEAF];
        let vertices = &self.vertices[leaf.vertices.start as usize..leaf.vertices.end as usize];
        let PosedModel { palette, rotations, weights, .. } = *posed;
        deform_positions(primitive, vertices, drawable, palette, rotations, weights, &mut places);
        let corners = &self.corners[leaf.corners.start as usize..leaf.corners.end as usize];
        if let Some((triangle, [t, u, v])) = ray.nearest(&places, corners, best.within) {
            best.within = t;
            best.hit = Some(Hit {
                t,
                drawable: search.index,
                primitive: search.at,
                vertices: corners[triangle].map(|corner| vertices[usize::from(corner)] as usize),
                weights: [1.0 - u - v, u, v],
            });
        }
    }

    /// The ray parameter at which it enters the box of a group in the current pose; see [`Ray::enters`].
    fn entry(&self, group: &Group, search: &Search<'_>) -> Option<f32> {
        match self.around(group, search) {
            Some(bounds) => search.ray.enters(search.inverse, bounds.min, bounds.max),
            // A number is not finite, so the group cannot be excluded.
            None => Some(0.0),
        }
    }

    /// The box around a group in world space; `None` if a number is not finite.
    ///
    /// A vertex is at `Σ wⱼ · Mⱼ · p` with weights whose sum is 1. All vertices of the group have at least
    /// the weight `lⱼ` of joint j. So this is `Σ lⱼ · Mⱼ · p`, one matrix for all of them, plus `1 − Σ lⱼ`
    /// times a mean of the positions `Mⱼ · p`. If joints are far apart, this box is a fraction of the box
    /// around all these positions.
    fn around(&self, group: &Group, search: &Search<'_>) -> Option<Aabb> {
        let parts = &self.parts[group.parts.start as usize..group.parts.end as usize];
        let (palette, stretch) = (search.posed.palette, self.stretch(group, search));
        let (mut union, mut common) = (Union::new(), Common::new());
        for part in parts {
            let (matrix, bounds) = (&palette[search.slot(part.joint)], part.bounds.plus(&stretch));
            union = union.with(&Spread::new(&bounds), matrix);
            if part.least > 0.0 {
                common.add(part.least, matrix, bounds);
            }
        }
        let around = union.finished()?;
        if search.posed.rotations.is_empty() || !search.drawable.skinned {
            return common.narrowed(around);
        }
        bulged(self, around, parts, group, &stretch, search)
    }

    /// The box, enlarged by the arcs of dual quaternions between joints; see
    /// [`Sharing`](super::shared_vertices::Sharing).
    fn bulged(
        &self,
        around: Aabb,
        parts: &[Part],
        group: &Group,
        stretch: &Aabb,
        search: &Search<'_>,
    ) -> Option<Aabb> {
        let find = |joint: u16| {
            let at = parts.binary_search_by_key(&joint, |part| part.joint).ok()?;
            Some(parts[at].bounds.plus(stretch))
        };
        let PosedModel { palette, rotations, .. } = *search.posed;
        let mut union = around;
        for &(a, b) in &self.pairs[group.pairs.start as usize..group.pairs.end as usize] {
            let both = [find(a)?, find(b)?];
            let slots = [search.slot(a), search.slot(b)];
            let joint = |slot: usize| (&palette[slot], rotations[slot]);
            if let Some(bulge) = bulge(slots.map(joint), &both, self.most) {
                union = union.union(&bulge);
            }
        }
        union.is_valid().then_some(union)
    }

    /// The box around the sum of all morph targets' offsets in a group.
    fn stretch(&self, group: &Group, search: &Search<'_>) -> Aabb {
        let first = search.drawable.weights.start as usize;
        let weights = &search.posed.weights[first..search.drawable.weights.end as usize];
        let mut stretch = ZERO;
        for &(target, delta) in &self.morphs[group.morphs.start as usize..group.morphs.end as usize] {
            let Some(&weight) = weights.get(target as usize).filter(|weight| **weight != 0.0) else {
                continue;
            };
            let (a, b) = (weight * delta.min, weight * delta.max);
            stretch = stretch.plus(&Aabb { min: a.min(b), max: a.max(b) });
        }
        stretch
    }
}

impl Hierarchy {
    fn new(primitive: &Primitive) -> Self {
        let mut this = Self { most: 1, ..Self::default() };
        let triangles = sorted_triangles(primitive);
        if triangles.is_empty() {
            return this;
        }
        this.add_leaves(primitive, &triangles);
        let mut morphs = this.morphs_of_leaves(primitive).into_iter().peekable();
        let mut scratch = Scratch::default();
        let mut level = Vec::with_capacity(this.leaves.len());
        for leaf in 0..this.leaves.len() {
            let (parts, pairs) = this.measure_leaf(leaf, primitive, &mut scratch);
            let first = this.morphs.len() as u32;
            while let Some((_, target, delta)) = morphs.next_if(|(of, ..)| *of as usize == leaf) {
                this.morphs.push((target, delta));
            }
            level.push(Group { parts, morphs: first..this.morphs.len() as u32, pairs });
        }
        while level.len() > 1 {
            let above = level.chunks(CHILDREN).map(|children| this.group(children, &mut scratch)).collect();
            this.levels.push(std::mem::replace(&mut level, above));
        }
        this.levels.push(level);
        this
    }

    /// Splits a list of triangles into leaves.
    fn add_leaves(&mut self, primitive: &Primitive, triangles: &[[u32; 3]]) {
        // The last leaf with each vertex, and the vertex's index in it.
        let mut known = vec![(u32::MAX, 0_u8); primitive.vertex_count()];
        for (leaf, triangles) in (0..).zip(triangles.chunks(LEAF)) {
            let (first, corners) = (self.vertices.len(), self.corners.len() as u32);
            for triangle in triangles {
                let corner = |vertex: u32| {
                    let known = &mut known[vertex as usize];
                    if known.0 != leaf {
                        *known = (leaf, (self.vertices.len() - first) as u8);
                        self.vertices.push(vertex);
                    }
                    known.1
                };
                let corners = triangle.map(corner);
                self.corners.push(corners);
            }
            let vertices = first as u32..self.vertices.len() as u32;
            self.leaves.push(Leaf { vertices, corners: corners..self.corners.len() as u32 });
        }
    }

    /// Adds the boxes of the joints of a leaf, and the pairs of joints that share vertices.
    fn measure_leaf(
        &mut self,
        leaf: usize,
        primitive: &Primitive,
        Scratch { boxes, least }: &mut Scratch,
    ) -> (Range<u32>, Range<u32>) {
        let first_pair = self.pairs.len();
        let vertices = self.leaves[leaf].vertices.clone();
        let count = vertices.len() as u32;
        for &vertex in &self.vertices[vertices.start as usize..vertices.end as usize] {
            let vertex = vertex as usize;
            let position = primitive.positions[vertex];
            let Some(influences) = &primitive.influences else {
                boxes.add(0, position, Aabb::EMPTY);
                least.add(0, 1.0);
                continue;
            };
            let range = vertex * influences.per_vertex..(vertex + 1) * influences.per_vertex;
            let (joints, weights) = (&influences.joints[range.clone()], &influences.weights[range]);
            let mut moved_by = 0;
            for (i, &joint) in joints.iter().enumerate().filter(|&(i, _)| weights[i] > 0.0) {
                moved_by += 1;
                boxes.add(usize::from(joint), position, Aabb::EMPTY);
                // If a vertex has the same joint twice, the first weight counts: the sum is larger.
                if !joints[..i].contains(&joint) {
                    least.add(usize::from(joint), weights[i]);
                }
                let others = joints[..i]
                    .iter()
                    .zip(weights)
                    .filter(|&(&other, &weight)| weight > 0.0 && other != joint);
                self.pairs.extend(others.map(|(&other, _)| (joint.min(other), joint.max(other))));
            }
            self.most = self.most.max(moved_by);
        }
        (self.take_parts(boxes, least, count), self.sort_pairs(first_pair))
    }

    /// Adds a group with these children.
    fn group(&mut self, children: &[Group], Scratch { boxes, least }: &mut Scratch) -> Group {
        let of = |range: &Range<u32>| range.start as usize..range.end as usize;
        for child in children {
            for part in &self.parts[of(&child.parts)] {
                boxes.merge(usize::from(part.joint), &part.bounds);
                least.add(usize::from(part.joint), part.least);
            }
        }
        let parts = self.take_parts(boxes, least, children.len() as u32);
        for child in children {
            self.morphs[of(&child.morphs)]
                .iter()
                .for_each(|(target, delta)| boxes.merge(*target as usize, delta));
        }
        let first = self.morphs.len() as u32;
        self.morphs.extend(boxes.take());
        let morphs = first..self.morphs.len() as u32;
        let first = self.pairs.len();
        for child in children {
            self.pairs.extend_from_within(of(&child.pairs));
        }
        Group { parts, morphs, pairs: self.sort_pairs(first) }
    }

    /// Converts the collected boxes and weights of `count` vertices or children to parts.
    fn take_parts(&mut self, boxes: &mut Boxes, least: &mut Least, count: u32) -> Range<u32> {
        let first = self.parts.len() as u32;
        self.parts.extend(boxes.take().into_iter().map(|(joint, bounds)| Part {
            joint: joint as u16,
            bounds,
            least: least.take(joint as usize, count),
        }));
        first..self.parts.len() as u32
    }

    /// Sorts the pairs from `first` on and removes duplicates.
    fn sort_pairs(&mut self, first: usize) -> Range<u32> {
        self.pairs[first..].sort_unstable();
        let mut kept = first;
        for at in first..self.pairs.len() {
            if kept == first || self.pairs[kept - 1] != self.pairs[at] {
                self.pairs[kept] = self.pairs[at];
                kept += 1;
            }
        }
        self.pairs.truncate(kept);
        first as u32..kept as u32
    }

    /// The leaves that morph targets move: leaf, target, and box of the offsets; sorted.
    fn morphs_of_leaves(&self, primitive: &Primitive) -> Vec<(u32, u32, Aabb)> {
        let mut found = Vec::new();
        if primitive.targets.is_empty() {
            return found;
        }
        // The leaves of each vertex; most have one.
        let mut pairs = Vec::with_capacity(self.vertices.len());
        for (index, leaf) in (0_u32..).zip(&self.leaves) {
            let vertices = &self.vertices[leaf.vertices.start as usize..leaf.vertices.end as usize];
            pairs.extend(vertices.iter().map(|&vertex| (vertex, index)));
        }
        pairs.sort_unstable();
        let mut boxes = Boxes::default();
        for (target, morph) in (0..).zip(&primitive.targets) {
            for (vertex, &delta) in morph.positions.iter().filter(|(_, delta)| **delta != [0.0; 3]) {
                let first = pairs.partition_point(|&(other, _)| (other as usize) < vertex);
                let leaves = pairs[first..].iter().take_while(|&&(other, _)| other as usize == vertex);
                // The other vertices of the leaf do not move, so the box includes 0.
                leaves.for_each(|&(_, leaf)| boxes.add(leaf as usize, delta, ZERO));
            }
            found.extend(boxes.take().into_iter().map(|(leaf, delta)| (leaf, target, delta)));
        }
        found.sort_by_key(|&(leaf, target, _)| (leaf, target));
        found
    }
}

/// Buffers for the parts of a group.
#[derive(Default)]
struct Scratch {
    boxes: Boxes,
    least: Least,
}

/// For each joint: the number of its occurrences, and its smallest weight.
#[derive(Default)]
struct Least {
    joints: Vec<(u32, f32)>,
}

impl Least {
    fn add(&mut self, joint: usize, weight: f32) {
        if joint >= self.joints.len() {
            self.joints.resize(joint + 1, (0, f32::INFINITY));
        }
        let (count, least) = &mut self.joints[joint];
        *count += 1;
        if weight < *least {
            *least = weight;
        }
    }

    /// Removes and returns the smallest weight of a joint, or 0 if it did not occur `count` times.
    fn take(&mut self, joint: usize, count: u32) -> f32 {
        let (came, least) = std::mem::replace(&mut self.joints[joint], (0, f32::INFINITY));
        if came == count { least } else { 0.0 }
    }
}

/// The triangles of a primitive, sorted by strongest joint and then along a space-filling curve (Morton
/// order). So neighbours in the list are close to each other in any pose.
fn sorted_triangles(primitive: &Primitive) -> Vec<[u32; 3]> {
    let mut bounds = Aabb::EMPTY;
    primitive.positions.iter().for_each(|&position| bounds.add(Vec3::from_array(position)));
    let scale = 1023.0 / (bounds.max - bounds.min).max(Vec3::splat(f32::MIN_POSITIVE));
    let mut keyed = Vec::new();
    for_each_triangle(primitive, |corners| {
        let sum: Vec3 =
            corners.iter().map(|&vertex| Vec3::from_array(primitive.positions[vertex as usize]) / 3.0).sum();
        // Numbers that are not finite become 0 or 1023.
        let [x, y, z] =
            ((sum - bounds.min) * scale).to_array().map(|along| spread_bits((along as u32).min(1023)));
        let joint = strongest_joint(primitive, corners[0] as usize);
        keyed.push((u64::from(joint) << 32 | u64::from(x | y << 1 | z << 2), corners));
    });
    keyed.sort_unstable_by_key(|&(key, _)| key);
    keyed.into_iter().map(|(_, corners)| corners).collect()
}

/// Inserts two zeros after each of ten bits.
fn spread_bits(mut bits: u32) -> u32 {
    for (shift, mask) in [(16, 0x0300_00ff), (8, 0x0300_f00f), (4, 0x030c_30c3), (2, 0x0924_9249)] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

fn strongest_joint(primitive: &Primitive, vertex: usize) -> u16 {
    let Some(influences) = &primitive.influences else { return 0 };
    influences.joints[influences.strongest(vertex)]
}

/// Calls `each` with the corners of each triangle, in the order of the primitive.
fn for_each_triangle(primitive: &Primitive, mut each: impl FnMut([u32; 3])) {
    let count = primitive.indices.as_ref().map_or(primitive.vertex_count(), Vec::len);
    let vertex = |i: usize| primitive.indices.as_ref().map_or(i as u32, |indices| indices[i]);
    match primitive.topology {
        Topology::Triangles => {
            (2..count).step_by(3).for_each(|i| each([vertex(i - 2), vertex(i - 1), vertex(i)]))
        }
        Topology::TriangleStrip => (2..count).for_each(|i| each([vertex(i - 2), vertex(i - 1), vertex(i)])),
        Topology::TriangleFan => (2..count).for_each(|i| each([vertex(0), vertex(i - 1), vertex(i)])),
        Topology::Points | Topology::Lines | Topology::LineLoop | Topology::LineStrip => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn morton_code_spreads_bits_to_every_third() {
        assert_eq!(spread_bits(0b11_1111_1111), 0b1001_0010_0100_1001_0010_0100_1001);
        for bit in 0..10 {
            assert_eq!(spread_bits(1 << bit), 1 << (3 * bit));
        }
    }

    #[test]
    fn triangle_hierarchy_has_every_triangle_once_and_small_leaves() {
        let count = 10_000_u32;
        let primitive = Primitive {
            positions: (0..count).map(|i| [(i % 97) as f32, (i % 89) as f32, i as f32]).collect(),
            topology: Topology::TriangleStrip,
            ..Primitive::default()
        };
        let hierarchy = Hierarchy::new(&primitive);
        let mut found = Vec::new();
        for leaf in &hierarchy.leaves {
            let vertices = &hierarchy.vertices[leaf.vertices.start as usize..leaf.vertices.end as usize];
            let corners = &hierarchy.corners[leaf.corners.start as usize..leaf.corners.end as usize];
            assert!(!corners.is_empty() && corners.len() <= LEAF && vertices.len() <= 3 * LEAF);
            found.extend(corners.iter().map(|corners| corners.map(|corner| vertices[usize::from(corner)])));
        }
        found.sort_unstable();
        assert_eq!(found, (2..count).map(|i| [i - 2, i - 1, i]).collect::<Vec<_>>());
        assert_eq!(hierarchy.levels[0].len(), hierarchy.leaves.len());
        assert_eq!(hierarchy.levels.last().map(Vec::len), Some(1));
    }
}
