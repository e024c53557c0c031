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

/// The incremental generation of a primitive's tangents, since it takes time.
#[derive(Debug)]
pub(super) struct Making {
    /// The texture coordinate set of the tangents.
    set: usize,
    /// The vertex indices of the triangles' corners, if they are not the indices of the primitive.
    list: Option<Vec<u32>>,
    /// For each vertex, the first of equal vertices.
    welded: Vec<u32>,
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
        // Per corner the vertex, the group, the edge and a tangent.
        budget.spend(triangles, size_of::<Triangle>() + 3 * (4 + 4 + 4 + 16))?;
        // The tangent, the first of equal vertices, and where the list of a vertex begins.
        budget.spend(vertices, 16 + 4 + 4)?;
        let list = match &primitive.indices {
            Some(indices) => indices::unroll(indices, primitive.topology),
            None => {
                let all: Vec<u32> = (0..vertices as u32).collect();
                Some(indices::unroll(&all, primitive.topology).unwrap_or(all))
            }
        };
        let set = (set as usize).min(primitive.tex_coords.len() - 1);
        let source = Source::new(primitive, set, list.as_deref());
        let (welded, triangles) = (source.weld(), source.triangles());
        Ok(Self { set, list, welded, triangles, made: None, linked: false })
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
        let source = Source::new(primitive, self.set, self.list.as_deref());
        if !self.linked {
            find_neighbours(&mut self.triangles, &Corners { list: source.list, welded: &self.welded });
            self.linked = true;
            return Ok(false);
        }
        let Some(made) = self.made.take() else {
            self.made = Some(source.tangents(std::mem::take(&mut self.triangles), &self.welded));
            self.welded = Vec::new();
            return Ok(false);
        };
        let split = distribute(made, source.list, primitive.vertex_count());
        if !split.of.is_empty() {
            let copied = split.of.len();
            let sets = primitive.tex_coords.len();
            let per_vertex = primitive.influences.as_ref().map_or(0, |influences| influences.per_vertex);
            let deltas: usize = primitive.targets.iter().map(|target| 3 + target.tex_coords.len()).sum();
            budget.spend(copied, 56 + 8 * sets + 6 * per_vertex + 20 * deltas)?;
            copy_vertices(primitive, &split.of);
            primitive.indices = Some(split.list);
            primitive.topology = Topology::Triangles;
        }
        primitive.tangents = split.tangents;
        Ok(true)
    }
}

/// The inputs.
struct Source<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    tex_coords: &'a [[f32; 2]],
    /// The vertex of each corner, three for each triangle.
    list: &'a [u32],
}

/// A triangle with intermediate results.
#[derive(Debug)]
struct Triangle {
    /// The triangles on the other side of its edges; edge i is from corner i to the next one.
    neighbours: [u32; 3],
    /// `true` if the texture is not mirrored.
    upright: bool,
    /// `true` if the texture area is 0: the triangle then takes the orientation of any neighbour.
    any: bool,
    /// `true` if two corners have the same position: the triangle then has no neighbours.
    broken: bool,
}

/// The vertices of the triangles' corners after welding.
struct Corners<'a> {
    list: &'a [u32],
    welded: &'a [u32],
}

impl Corners<'_> {
    fn of(&self, triangle: u32) -> [u32; 3] {
        let first = triangle as usize * 3;
        [first, first + 1, first + 2].map(|corner| self.welded[self.list[corner] as usize])
    }

    /// The lower and the higher vertex of the edge that begins at a corner, and `true` if it is from low to high.
    fn edge(&self, corner: u32) -> (u32, u32, bool) {
        let (vertices, i) = (self.of(corner / 3), corner as usize % 3);
        let (from, to) = (vertices[i], vertices[(i + 1) % 3]);
        (from.min(to), from.max(to), from < to)
    }
}

/// The tangents of groups. A group has the corners at a vertex with a common tangent.
#[derive(Debug)]
struct Made {
    /// For each corner, its group.
    groups: Vec<u32>,
    /// For each group, its tangent and the sign of the bitangent.
    tangents: Vec<[f32; 4]>,
}

impl<'a> Source<'a> {
    /// `list` is the vertex of each corner, if it is not that of the primitive.
    fn new(primitive: &'a Primitive, set: usize, list: Option<&'a [u32]>) -> Self {
        let Primitive { positions, normals, tex_coords, indices, .. } = primitive;
        let list = list.or(indices.as_deref()).unwrap_or_default();
        let list = &list[..list.len() - list.len() % 3];
        Self { positions, normals, tex_coords: &tex_coords[set], list }
    }

    fn triangles(&self) -> Vec<Triangle> {
        self.list.as_chunks().0.iter().map(|corners| self.triangle(corners)).collect()
    }

    /// The tangents of triangles whose neighbours are known.
    fn tangents(&self, mut triangles: Vec<Triangle>, welded: &[u32]) -> Made {
        let mut made = Made {
            groups: vec![NONE; self.list.len()],
            // Most vertices have one group.
            tangents: Vec::with_capacity(self.positions.len() + 1),
        };
        let corners = Corners { list: self.list, welded };
        let (mut members, mut pending) = (Vec::new(), Vec::new());
        for corner in 0..self.list.len() {
            let triangle = &triangles[corner / 3];
            if triangle.any || triangle.broken || made.groups[corner] != NONE {
                continue;
            }
            let upright = triangle.upright;
            let group = made.tangents.len() as u32;
            pending.push((corner / 3) as u32);
            gather(
                &mut triangles,
                &mut made.groups,
                &corners,
                (corner, upright, group),
                &mut members,
                &mut pending,
            );
            made.tangents.push(self.tangent(&triangles, &members, upright));
        }
        drop(triangles);
        self.adopt(&mut made, welded);
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

    fn triangle(&self, corners: &[u32; 3]) -> Triangle {
        let [p, q, r] = corners.map(|vertex| self.positions[vertex as usize]);
        let area = self.texture_area(corners);
        let along = self.along(corners);
        let any = !not_zero(area) || !along.iter().all(|&along| not_zero(length(along) / area.abs()));
        Triangle { neighbours: [NONE; 3], upright: area > 0.0, any, broken: p == q || p == r || q == r }
    }

    /// Twice the area of a triangle in the texture; negative if the texture is mirrored.
    fn texture_area(&self, corners: &[u32; 3]) -> f32 {
        let [st, su] = self.texture_edges(corners);
        st[0] * su[1] - st[1] * su[0]
    }

    /// The edges from the first corner in texture coordinates.
    fn texture_edges(&self, corners: &[u32; 3]) -> [[f32; 2]; 2] {
        let [s, t, u] = corners.map(|vertex| self.tex_coords[vertex as usize]);
        [[t[0] - s[0], t[1] - s[1]], [u[0] - s[0], u[1] - s[1]]]
    }

    /// The directions in which U and V increase in a triangle, or decrease if the texture is mirrored.
    fn along(&self, corners: &[u32; 3]) -> [Vec3; 2] {
        let [p, q, r] = corners.map(|vertex| self.positions[vertex as usize]);
        let [st, su] = self.texture_edges(corners);
        let (pq, pr) = (minus(q, p), minus(r, p));
        [minus(scaled(pq, su[1]), scaled(pr, st[1])), minus(scaled(pr, st[0]), scaled(pq, su[0]))]
    }

    /// The unit vector in whose direction U increases, of a triangle whose texture area is not 0.
    fn tangent_of(&self, corners: &[u32; 3]) -> Vec3 {
        let [along, _] = self.along(corners);
        let side = if self.texture_area(corners) > 0.0 { 1.0 } else { -1.0 };
        let length = length(along);
        if not_zero(length) { scaled(along, side / length) } else { along }
    }

    /// The tangent of a group: the mean of its triangles' tangents, weighted by their angles. `members` are corners.
    fn tangent(&self, triangles: &[Triangle], members: &[u32], upright: bool) -> [f32; 4] {
        let mut sum = [0.0; 3];
        for &member in members {
            let (t, corner) = (member as usize / 3, member as usize % 3);
            if triangles[t].any {
                continue;
            }
            let corners = &self.list.as_chunks().0[t];
            let vertex = |i: usize| corners[i % 3] as usize;
            let (here, next, before) = (vertex(corner), vertex(corner + 1), vertex(corner + 2));
            let normal = self.normals[here];
            let flat = |v: Vec3| unit(minus(v, scaled(normal, dot(normal, v))));
            let place = self.positions[here];
            let to_next = flat(minus(self.positions[next], place));
            let to_before = flat(minus(self.positions[before], place));
            let angle = arc_cosine(dot(to_next, to_before));
            sum = plus(sum, scaled(flat(self.tangent_of(corners)), angle));
        }
        let [x, y, z] = if length(sum) > 0.0 { unit(sum) } else { [1.0, 0.0, 0.0] };
        // In the algorithm V points up, in glTF it points down.
        [x, y, z, if upright { -1.0 } else { 1.0 }]
    }

    /// Assigns corners without a group the group of another corner at the same vertex, or a common fallback group.
    fn adopt(&self, made: &mut Made, welded: &[u32]) {
        let mut known = vec![NONE; welded.len()];
        for (&vertex, &group) in self.list.iter().zip(&made.groups) {
            let known = &mut known[welded[vertex as usize] as usize];
            if *known == NONE {
                *known = group;
            }
        }
        let fallback = made.tangents.len() as u32;
        for (&vertex, group) in self.list.iter().zip(&mut made.groups) {
            if *group == NONE {
                let adopted = known[welded[vertex as usize] as usize];
                *group = if adopted == NONE { fallback } else { adopted };
            }
        }
        made.tangents.push([1.0, 0.0, 0.0, 1.0]);
    }
}

/// Lists of numbers below a count, one list for each of the keys.
struct Buckets {
    /// The end of each key's list in `numbers`.
    ends: Vec<u32>,
    numbers: Vec<u32>,
}

impl Buckets {
    /// `key` gives the key below `keys` of each number below `count`, or `None` if the number is in no list. Each list is in
    /// ascending order.
    fn new(keys: usize, count: usize, key: impl Fn(u32) -> Option<u32>) -> Self {
        let mut ends = vec![0_u32; keys];
        let mut used = 0;
        for key in (0..count as u32).filter_map(&key) {
            ends[key as usize] += 1;
            used += 1;
        }
        // First where each list begins; it moves to the end as the list is filled.
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        let mut numbers = vec![0; used];
        for number in 0..count as u32 {
            if let Some(key) = key(number) {
                let end = &mut ends[key as usize];
                numbers[*end as usize] = number;
                *end += 1;
            }
        }
        Self { ends, numbers }
    }

    /// Calls `visit` with each key and its list.
    fn each(&mut self, mut visit: impl FnMut(u32, &mut [u32])) {
        let mut begin = 0;
        for (key, &end) in (0..).zip(&self.ends) {
            visit(key, &mut self.numbers[begin..end as usize]);
            begin = end as usize;
        }
    }
}

/// Finds the neighbour across each edge: a triangle with the same edge in the opposite direction.
fn find_neighbours(triangles: &mut [Triangle], corners: &Corners<'_>) {
    let mut by_vertex = Buckets::new(corners.welded.len(), corners.list.len(), |corner| {
        (!triangles[corner as usize / 3].broken).then(|| corners.edge(corner).0)
    });
    by_vertex.each(|_, edges| {
        edges.sort_unstable_by_key(|&corner| (corners.edge(corner).1, corner));
        for edges in edges.chunk_by(|&a, &b| corners.edge(a).1 == corners.edge(b).1) {
            // The unmatched edges all have the same direction; they are matched in order.
            let mut waiting = 0;
            for at in 0..edges.len() {
                let waits =
                    |corner: u32| triangles[corner as usize / 3].neighbours[corner as usize % 3] == NONE;
                while waiting < at && !waits(edges[waiting]) {
                    waiting += 1;
                }
                // All unmatched edges before `at` have the direction of the first one.
                let (one, other) = (edges[waiting], edges[at]);
                if corners.edge(one).2 != corners.edge(other).2 {
                    triangles[one as usize / 3].neighbours[one as usize % 3] = other / 3;
                    triangles[other as usize / 3].neighbours[other as usize % 3] = one / 3;
                }
            }
        }
    });
}

/// Collects the corners of a group into `members`: those of the connected triangles around a corner with the same texture
/// orientation as the first triangle, which is `pending`.
fn gather(
    triangles: &mut [Triangle],
    groups: &mut [u32],
    corners: &Corners<'_>,
    (first, upright, group): (usize, bool, u32),
    members: &mut Vec<u32>,
    pending: &mut Vec<u32>,
) {
    let vertex = corners.welded[corners.list[first] as usize];
    members.clear();
    while let Some(t) = pending.pop() {
        let Some(corner) = corners.of(t).iter().position(|&welded| welded == vertex) else { continue };
        let (triangle, groups) = (&mut triangles[t as usize], &mut groups.as_chunks_mut::<3>().0[t as usize]);
        if groups[corner] != NONE {
            continue;
        }
        if triangle.any && *groups == [NONE; 3] {
            triangle.upright = upright;
        }
        if triangle.upright != upright {
            continue;
        }
        groups[corner] = group;
        members.push(t * 3 + corner as u32);
        let [left, right] = [triangle.neighbours[corner], triangle.neighbours[(corner + 2) % 3]];
        pending.extend([right, left].into_iter().filter(|&t| t != NONE));
    }
}

/// The tangents per vertex.
struct Split {
    tangents: Vec<[f32; 4]>,
    /// For each new vertex, the vertex that it is a copy of.
    of: Vec<u32>,
    /// The vertex of each corner.
    list: Vec<u32>,
}

/// Assigns tangents to vertices. Adds vertices where corners of different groups share a vertex of `list`.
fn distribute(made: Made, list: &[u32], vertices: usize) -> Split {
    let Made { mut groups, tangents: of_groups } = made;
    let (mut tangents, mut of) = (vec![[1.0, 0.0, 0.0, 1.0]; vertices], Vec::new());
    let mut by_vertex = Buckets::new(vertices, list.len(), |corner| Some(list[corner as usize]));
    by_vertex.each(|vertex, corners| {
        corners.sort_unstable_by_key(|&corner| groups[corner as usize]);
        let (mut last, mut at) = (None, vertex);
        for &corner in corners.iter() {
            let group = groups[corner as usize];
            let tangent = of_groups[group as usize];
            if last.is_none() {
                tangents[vertex as usize] = tangent;
            } else if last != Some(group) && tangent != tangents[at as usize] {
                at = tangents.len() as u32;
                tangents.push(tangent);
                of.push(vertex);
            }
            last = Some(group);
            // The group of a corner is needed once, so that its place takes the vertex.
            groups[corner as usize] = at;
        }
    });
    Split { tangents, of, list: groups }
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
