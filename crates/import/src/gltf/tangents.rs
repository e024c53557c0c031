//! Generation of missing tangents with MikkTSpace, as required by glTF.
//!
//! Spec: glTF 2.0 §3.7.2.1; M. Mikkelsen, "Simulation of Wrinkled Surfaces Revisited" (2008), and its
//! reference implementation with the default threshold of 180°, which never splits the corners of a group.
//! All floating-point operations are correctly rounded by IEEE 754, in a fixed order.

use super::accessor::Budget;
use super::indices;
use gambol_animation::base::arc_cosine;
use gambol_animation::model::{Layer, Material, Primitive, TextureRef, TextureSlot, Topology};
use gambol_gltf::error::ImportErrorKind;

type Vec3 = [f32; 3];

/// The index for no triangle or no group.
const NONE: u32 = u32::MAX;

/// Missing tangents of a primitive that needs them.
#[derive(Debug)]
pub(super) struct Missing {
    pub(super) mesh: usize,
    pub(super) primitive: usize,
    /// The texture coordinate set of the tangents.
    pub(super) set: u32,
}

/// The texture coordinate set for which a material needs tangents; `None` if it needs none.
///
/// If a texture is rotated or mirrored relative to its coordinates, such tangents are useless: the shader derives
/// them from the transformed coordinates.
pub(super) fn wanted(material: &Material) -> Option<u32> {
    let follows = |used: &TextureRef| {
        let [x, y] = used.transform.scale;
        used.transform.rotation == 0.0 && x > 0.0 && y > 0.0
    };
    let mapped = TextureSlot::directions().find_map(|slot| material.texture(slot));
    match mapped {
        Some(used) => Some(used).filter(follows).map(|used| used.tex_coord),
        None => material.layers.has(Layer::Anisotropy).then_some(0),
    }
}

/// `true` if a primitive lacks tangents but has all inputs for generating them.
pub(super) fn can_be_made(primitive: &Primitive) -> bool {
    let Primitive { topology, tangents, normals, tex_coords, .. } = primitive;
    let faces = matches!(topology, Topology::Triangles | Topology::TriangleStrip | Topology::TriangleFan);
    faces && tangents.is_empty() && !normals.is_empty() && !tex_coords.is_empty()
}

/// The incremental generation of a primitive's tangents, since sorting takes time.
#[derive(Debug)]
pub(super) struct Making {
    /// The texture coordinate set of the tangents.
    set: usize,
    /// The vertex indices of the triangles' corners.
    list: Vec<u32>,
    triangles: Vec<Triangle>,
    made: Option<Made>,
    /// `true` if the neighbours of triangles are known.
    linked: bool,
}

impl Making {
    /// Begins the generation of tangents for a texture coordinate set of a primitive with [`can_be_made`].
    ///
    /// # Errors
    /// `TooLarge`.
    pub(super) fn new(primitive: &Primitive, set: u32, budget: &Budget) -> Result<Self, ImportErrorKind> {
        let vertices = primitive.vertex_count();
        let corners = primitive.indices.as_ref().map_or(vertices, Vec::len);
        let triangles = if primitive.topology == Topology::Triangles { corners / 3 } else { corners };
        // Three edges of 20 bytes; and per corner the vertex, the group, its tangent and the sort order.
        budget.spend(triangles, size_of::<Triangle>() + 60 + 84)?;
        budget.spend(vertices, 16 + 12)?;
        let mut list = match &primitive.indices {
            Some(indices) => indices.clone(),
            None => (0..vertices as u32).collect(),
        };
        if let Some(unrolled) = indices::unroll(&list, primitive.topology) {
            list = unrolled;
        }
        list.truncate(list.len() - list.len() % 3);
        let set = (set as usize).min(primitive.tex_coords.len() - 1);
        let triangles = Source::new(primitive, set).triangles(&list);
        Ok(Self { set, list, triangles, made: None, linked: false })
    }

    /// Takes a step; returns `true` if it was the last one. Pass the same primitive each time; it has tangents at the end.
    /// A vertex whose triangles need different tangents is duplicated; copies are appended.
    ///
    /// # Errors
    /// `TooLarge`; the primitive is unchanged.
    pub(super) fn step(
        &mut self,
        primitive: &mut Primitive,
        budget: &Budget,
    ) -> Result<bool, ImportErrorKind> {
        if !self.linked {
            find_neighbours(&mut self.triangles);
            self.linked = true;
            return Ok(false);
        }
        let Some(made) = &self.made else {
            let source = Source::new(primitive, self.set);
            self.made = Some(source.tangents(&mut self.triangles, &self.list));
            return Ok(false);
        };
        let split = distribute(made, &mut self.list, primitive.vertex_count());
        if !split.of.is_empty() {
            let copied = split.of.len();
            let sets = primitive.tex_coords.len();
            let per_vertex = primitive.influences.as_ref().map_or(0, |influences| influences.per_vertex);
            let deltas: usize = primitive.targets.iter().map(|target| 3 + target.tex_coords.len()).sum();
            budget.spend(copied, 56 + 8 * sets + 6 * per_vertex + 20 * deltas)?;
            copy_vertices(primitive, &split.of);
            primitive.indices = Some(std::mem::take(&mut self.list));
            primitive.topology = Topology::Triangles;
        }
        primitive.tangents = split.tangents;
        Ok(true)
    }
}

/// The inputs per vertex.
struct Source<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    tex_coords: &'a [[f32; 2]],
}

/// A triangle with intermediate results.
#[derive(Debug)]
struct Triangle {
    /// The vertices after welding: each is the first of equal vertices.
    welded: [u32; 3],
    /// The directions in which U and V increase, unit vectors or zero.
    along: [Vec3; 2],
    /// `true` if the texture is not mirrored.
    upright: bool,
    /// `true` if the texture area is 0: the triangle then takes the orientation of any neighbour.
    any: bool,
    /// `true` if two corners have the same position: the triangle then has no neighbours.
    broken: bool,
    /// The triangles on the other side of its edges; edge i is from corner i to the next one.
    neighbours: [u32; 3],
    /// The groups of its corners.
    groups: [u32; 3],
}

/// The tangents of groups. A group has the corners at a vertex with a common tangent.
#[derive(Debug)]
struct Made {
    /// For each corner, its group.
    corners: Vec<u32>,
    /// For each group, its tangent and the sign of the bitangent.
    tangents: Vec<[f32; 4]>,
}

impl<'a> Source<'a> {
    fn new(primitive: &'a Primitive, set: usize) -> Self {
        let Primitive { positions, normals, tex_coords, .. } = primitive;
        Self { positions, normals, tex_coords: &tex_coords[set] }
    }

    fn triangles(&self, list: &[u32]) -> Vec<Triangle> {
        let welded = self.weld();
        list.as_chunks().0.iter().map(|corners| self.triangle(corners, &welded)).collect()
    }

    /// The tangents of triangles whose neighbours are known.
    fn tangents(&self, triangles: &mut [Triangle], list: &[u32]) -> Made {
        let mut made = Made { corners: Vec::new(), tangents: Vec::new() };
        let (mut members, mut pending) = (Vec::new(), Vec::new());
        for first in 0..triangles.len() {
            for corner in 0..3 {
                let triangle = &triangles[first];
                if triangle.any || triangle.broken || triangle.groups[corner] != NONE {
                    continue;
                }
                let group = made.tangents.len() as u32;
                gather(triangles, (first as u32, corner), group, &mut members, &mut pending);
                made.tangents.push(self.tangent(triangles, list, &members, triangles[first].upright));
            }
        }
        adopt(triangles, &mut made.tangents);
        made.corners = triangles.iter().flat_map(|triangle| triangle.groups).collect();
        made
    }

    /// For each vertex, the first one with equal position, normal and texture coordinates.
    fn weld(&self) -> Vec<u32> {
        // Adding 0 converts −0 to 0.
        let key = |v: u32| {
            let v = v as usize;
            let ([x, y, z], [a, b, c], [s, t]) = (self.positions[v], self.normals[v], self.tex_coords[v]);
            [x, y, z, a, b, c, s, t].map(|value| (value + 0.0).to_bits())
        };
        let mut order: Vec<u32> = (0..self.positions.len() as u32).collect();
        order.sort_unstable_by_key(|&vertex| (key(vertex), vertex));
        let mut welded = vec![0; order.len()];
        let mut first = 0;
        for (i, &vertex) in order.iter().enumerate() {
            if i == 0 || key(vertex) != key(first) {
                first = vertex;
            }
            welded[vertex as usize] = first;
        }
        welded
    }

    fn triangle(&self, corners: &[u32; 3], welded: &[u32]) -> Triangle {
        let [a, b, c] = corners.map(|vertex| vertex as usize);
        let [p, q, r] = [self.positions[a], self.positions[b], self.positions[c]];
        let [s, t, u] = [self.tex_coords[a], self.tex_coords[b], self.tex_coords[c]];
        let (st, su) = ([t[0] - s[0], t[1] - s[1]], [u[0] - s[0], u[1] - s[1]]);
        let (pq, pr) = (minus(q, p), minus(r, p));
        let area = st[0] * su[1] - st[1] * su[0];
        let upright = area > 0.0;
        let mut along =
            [minus(scaled(pq, su[1]), scaled(pr, st[1])), minus(scaled(pr, st[0]), scaled(pq, su[0]))];
        let mut any = true;
        if not_zero(area) {
            let side = if upright { 1.0 } else { -1.0 };
            let lengths = along.map(length);
            for (along, length) in along.iter_mut().zip(lengths) {
                if not_zero(length) {
                    *along = scaled(*along, side / length);
                }
            }
            let grows = lengths.map(|length| not_zero(length / area.abs()));
            any = !(grows[0] && grows[1]);
        }
        Triangle {
            welded: [welded[a], welded[b], welded[c]],
            along,
            upright,
            any,
            broken: p == q || p == r || q == r,
            neighbours: [NONE; 3],
            groups: [NONE; 3],
        }
    }

    /// The tangent of a group: the mean of its triangles' tangents, weighted by their angles.
    fn tangent(
        &self,
        triangles: &[Triangle],
        list: &[u32],
        members: &[(u32, usize)],
        upright: bool,
    ) -> [f32; 4] {
        let mut sum = [0.0; 3];
        for &(member, corner) in members {
            let triangle = &triangles[member as usize];
            if triangle.any {
                continue;
            }
            let vertex = |i: usize| list[member as usize * 3 + i] as usize;
            let (here, next, before) = (vertex(corner), vertex((corner + 1) % 3), vertex((corner + 2) % 3));
            let normal = self.normals[here];
            let flat = |v: Vec3| unit(minus(v, scaled(normal, dot(normal, v))));
            let place = self.positions[here];
            let to_next = flat(minus(self.positions[next], place));
            let to_before = flat(minus(self.positions[before], place));
            let angle = arc_cosine(dot(to_next, to_before));
            sum = plus(sum, scaled(flat(triangle.along[0]), angle));
        }
        let [x, y, z] = if length(sum) > 0.0 { unit(sum) } else { [1.0, 0.0, 0.0] };
        // In the algorithm V points up, in glTF it points down.
        [x, y, z, if upright { -1.0 } else { 1.0 }]
    }
}

/// An edge: the lower and the higher vertex, the triangle, the edge's index in it, and `true` if it is from low to high.
type Edge = (u32, u32, u32, u8, bool);

/// Finds the neighbour across each edge: a triangle with the same edge in the opposite direction.
fn find_neighbours(triangles: &mut [Triangle]) {
    let mut edges: Vec<Edge> = Vec::with_capacity(triangles.len() * 3);
    for (t, triangle) in (0_u32..).zip(triangles.iter()).filter(|(_, triangle)| !triangle.broken) {
        let [a, b, c] = triangle.welded;
        for (i, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            edges.push((from.min(to), from.max(to), t, i as u8, from < to));
        }
    }
    edges.sort_unstable();
    for edges in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        // The unmatched edges all have the same direction; they are matched in order.
        let mut waiting = 0;
        for at in 0..edges.len() {
            let waits = |edge: &Edge| triangles[edge.2 as usize].neighbours[usize::from(edge.3)] == NONE;
            while waiting < at && !waits(&edges[waiting]) {
                waiting += 1;
            }
            // All unmatched edges before `at` have the direction of the first one.
            let (one, other) = (&edges[waiting], &edges[at]);
            if one.4 != other.4 {
                triangles[one.2 as usize].neighbours[usize::from(one.3)] = other.2;
                triangles[other.2 as usize].neighbours[usize::from(other.3)] = one.2;
            }
        }
    }
}

/// Collects a group: the connected triangles around a corner with the same texture orientation as the first
/// triangle.
fn gather(
    triangles: &mut [Triangle],
    (first, corner): (u32, usize),
    group: u32,
    members: &mut Vec<(u32, usize)>,
    pending: &mut Vec<u32>,
) {
    let vertex = triangles[first as usize].welded[corner];
    let upright = triangles[first as usize].upright;
    members.clear();
    pending.push(first);
    while let Some(t) = pending.pop() {
        let triangle = &mut triangles[t as usize];
        let Some(corner) = triangle.welded.iter().position(|&welded| welded == vertex) else { continue };
        if triangle.groups[corner] != NONE {
            continue;
        }
        if triangle.any && triangle.groups == [NONE; 3] {
            triangle.upright = upright;
        }
        if triangle.upright != upright {
            continue;
        }
        triangle.groups[corner] = group;
        members.push((t, corner));
        let [left, right] = [triangle.neighbours[corner], triangle.neighbours[(corner + 2) % 3]];
        pending.extend([right, left].into_iter().filter(|&t| t != NONE));
    }
}

/// Assigns corners without a group the group of another corner at the same vertex, or a common fallback
/// group.
fn adopt(triangles: &mut [Triangle], tangents: &mut Vec<[f32; 4]>) {
    let vertices = triangles.iter().flat_map(|triangle| triangle.welded).max().map_or(0, |v| v as usize + 1);
    let mut known = vec![NONE; vertices];
    for triangle in triangles.iter() {
        for (vertex, group) in triangle.welded.into_iter().zip(triangle.groups) {
            if known[vertex as usize] == NONE {
                known[vertex as usize] = group;
            }
        }
    }
    let fallback = tangents.len() as u32;
    for triangle in triangles {
        for (vertex, group) in triangle.welded.into_iter().zip(&mut triangle.groups) {
            if *group == NONE {
                let adopted = known[vertex as usize];
                *group = if adopted == NONE { fallback } else { adopted };
            }
        }
    }
    tangents.push([1.0, 0.0, 0.0, 1.0]);
}

/// The tangents per vertex.
struct Split {
    tangents: Vec<[f32; 4]>,
    /// For each new vertex, the vertex that it is a copy of.
    of: Vec<u32>,
}

/// Assigns tangents to vertices. Adds vertices to `list` where corners of different groups share a vertex.
fn distribute(made: &Made, list: &mut [u32], vertices: usize) -> Split {
    let mut split = Split { tangents: vec![[1.0, 0.0, 0.0, 1.0]; vertices], of: Vec::new() };
    let mut order: Vec<u32> = (0..list.len() as u32).collect();
    order.sort_unstable_by_key(|&corner| (list[corner as usize], made.corners[corner as usize]));
    let mut last = (NONE, NONE);
    let mut at = 0;
    for corner in order {
        let (vertex, group) = (list[corner as usize], made.corners[corner as usize]);
        let tangent = made.tangents[group as usize];
        if vertex != last.0 {
            at = vertex;
            split.tangents[vertex as usize] = tangent;
        } else if group != last.1 && tangent != split.tangents[at as usize] {
            at = split.tangents.len() as u32;
            split.tangents.push(tangent);
            split.of.push(vertex);
        }
        last = (vertex, group);
        list[corner as usize] = at;
    }
    split
}

/// Appends copies of vertices to all attributes.
fn copy_vertices(primitive: &mut Primitive, of: &[u32]) {
    fn copy<T: Copy>(list: &mut Vec<T>, of: &[u32], each: usize) {
        if !list.is_empty() {
            for &vertex in of {
                let begin = vertex as usize * each;
                list.extend_from_within(begin..begin + each);
            }
        }
    }
    let first = primitive.vertex_count() as u32;
    primitive.split_vertices = of.len();
    copy(&mut primitive.positions, of, 1);
    copy(&mut primitive.normals, of, 1);
    copy(&mut primitive.colors, of, 1);
    primitive.tex_coords.iter_mut().for_each(|set| copy(set, of, 1));
    if let Some(influences) = &mut primitive.influences {
        copy(&mut influences.joints, of, influences.per_vertex);
        copy(&mut influences.weights, of, influences.per_vertex);
    }
    for target in &mut primitive.targets {
        target.positions.append_copies(first, of);
        target.normals.append_copies(first, of);
        target.tangents.append_copies(first, of);
        target.tex_coords.iter_mut().for_each(|set| set.append_copies(first, of));
        target.colors.append_copies(first, of);
    }
}

fn plus(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn minus(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scaled(a: Vec3, factor: f32) -> Vec3 {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: Vec3) -> f32 {
    dot(a, a).sqrt()
}

/// Normalizes a vector; zero if its length is 0 or not finite.
fn unit(a: Vec3) -> Vec3 {
    let length = length(a);
    if length > f32::MIN_POSITIVE && length < f32::INFINITY { scaled(a, 1.0 / length) } else { [0.0; 3] }
}

fn not_zero(value: f32) -> bool {
    value.abs() > f32::MIN_POSITIVE
}
