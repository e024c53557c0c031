//! The largest distance between the vertices of two models.

use super::posed::{Posed, representatives, strip};
use super::times::{grid, sample_times};
use crate::error::{ToolsError, codes};
use gambol::model::{Clip, Model};
use std::collections::HashMap;
use std::sync::Arc;

/// The place of the largest distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The distance, in metres.
    pub distance: f32,
    /// The time in the clip, in seconds; 0 at rest.
    pub time: f64,
    /// The index of the node in the first file.
    pub node: usize,
    /// The index of the mesh in the first file.
    pub mesh: usize,
    /// The index of the primitive in the mesh.
    pub primitive: usize,
    /// The index of the vertex in the primitive.
    pub vertex: usize,
}

/// The difference in one clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipDifference {
    /// The name of the clip in the first file.
    pub name: String,
    /// The index of the clip in the first file.
    pub clip: usize,
    /// The largest distance.
    pub place: Place,
    /// The number of compared times.
    pub samples: usize,
}

/// The difference of two files.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The largest distance without a clip.
    pub rest: Place,
    /// The largest distance in each clip that both files have, in the order of the first file.
    pub clips: Vec<ClipDifference>,
    /// The names of clips that only one of the files has.
    pub unmatched: Vec<String>,
}

impl Difference {
    /// The largest distance of all, and the index of its clip in [`Difference::clips`]; `None` at rest.
    pub fn largest(&self) -> (Place, Option<usize>) {
        let clips = self.clips.iter().enumerate().map(|(i, clip)| (clip.place, Some(i)));
        let all = std::iter::once((self.rest, None)).chain(clips);
        all.max_by(|a, b| a.0.distance.total_cmp(&b.0.distance)).unwrap_or((self.rest, None))
    }
}

/// A primitive of the first model, and the vertices of the second one for each of its vertices.
struct Pair {
    drawable: usize,
    primitive: usize,
    /// The drawable, the primitive and the vertex of each vertex; `None` if they are the same in both.
    others: Option<Vec<(u32, u32, u32)>>,
}

/// The vertices of two models that belong together.
pub(crate) struct Pairs(Vec<Pair>);

impl Pairs {
    /// The pairs of models with the same drawables and numbers of vertices; `None` for others.
    pub(crate) fn same(a: &Posed, b: &Posed, models: [&Model; 2]) -> Option<Self> {
        if a.drawables() != b.drawables() {
            return None;
        }
        let mut pairs = Vec::new();
        for drawable in 0..a.drawables() {
            let [first, second] = [a.drawable(drawable), b.drawable(drawable)];
            if first.2 != second.2 {
                return None;
            }
            for primitive in 0..first.2 {
                let count =
                    |model: &Model, mesh: usize| model.meshes[mesh].primitives[primitive].vertex_count();
                if count(models[0], first.0) != count(models[1], second.0) {
                    return None;
                }
                pairs.push(Pair { drawable, primitive, others: None });
            }
        }
        Some(Self(pairs))
    }
}

/// The largest distance over some times of a clip.
pub(crate) fn compare(a: &mut Posed, b: &mut Posed, pairs: &Pairs, times: &[f64]) -> Place {
    let mut worst = Place { distance: 0.0, time: 0.0, node: 0, mesh: 0, primitive: 0, vertex: 0 };
    if let Some(pair) = pairs.0.first() {
        (worst.mesh, worst.node, _) = a.drawable(pair.drawable);
    }
    let mut all: Vec<Vec<[f32; 3]>> = Vec::new();
    for &time in times {
        a.at(time);
        b.at(time);
        let mut begins: HashMap<(u32, u32), usize> = HashMap::new();
        if pairs.0.iter().any(|pair| pair.others.is_some()) {
            all.clear();
            for drawable in 0..b.drawables() {
                for primitive in 0..b.drawable(drawable).2 {
                    begins.insert((drawable as u32, primitive as u32), all.len());
                    all.push(b.positions(drawable, primitive).to_vec());
                }
            }
        }
        for pair in &pairs.0 {
            let first = a.positions(pair.drawable, pair.primitive);
            let found = match &pair.others {
                None => farthest(first, b.positions(pair.drawable, pair.primitive)),
                Some(others) => {
                    let other = |&(drawable, primitive, vertex): &(u32, u32, u32)| {
                        all[begins[&(drawable, primitive)]][vertex as usize]
                    };
                    farthest(first, &others.iter().map(other).collect::<Vec<_>>())
                }
            };
            // NaN counts as infinitely far.
            if !(found.0 <= worst.distance * worst.distance) {
                let distance = if found.0.is_nan() { f32::INFINITY } else { found.0.sqrt() };
                let (mesh, node, _) = a.drawable(pair.drawable);
                worst = Place { distance, time, node, mesh, primitive: pair.primitive, vertex: found.1 };
            }
        }
    }
    worst
}

/// The largest squared distance, and its index.
fn farthest(a: &[[f32; 3]], b: &[[f32; 3]]) -> (f32, usize) {
    let mut worst = (0.0f32, 0);
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        let (x, y, z) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        let square = x * x + y * y + z * z;
        if !(square <= worst.0) {
            worst = (square, i);
        }
    }
    worst
}

/// The clips of the second model for each clip of the first one: by name if that is unique in both, else by index.
fn partners(a: &Model, b: &Model) -> Vec<Option<usize>> {
    let unique = |model: &Model, name: &str| {
        let mut found = model.clips.iter().enumerate().filter(|(_, clip)| clip.name == name);
        let first = found.next().map(|(i, _)| i);
        first.filter(|_| !name.is_empty() && found.next().is_none())
    };
    let partner = |(i, clip): (usize, &Arc<Clip>)| {
        let named = unique(a, &clip.name).and_then(|_| unique(b, &clip.name));
        named.or((a.clips.len() == b.clips.len())
            .then_some(i)
            .filter(|&i| unique(b, &clip.name).is_none() && unique(a, &b.clips[i].name).is_none()))
    };
    a.clips.iter().enumerate().map(partner).collect()
}

/// Compares two models: the largest distance of their vertices at rest and in each clip that both have.
///
/// Vertices belong together by their index, if both models have the same meshes. Otherwise, each vertex of the first
/// model is compared with that vertex of the second one which is nearest at rest and at some times of the clips.
///
/// # Errors
/// [`codes::NOTHING_TO_COMPARE`] if one of the models has no vertices in its scene.
pub fn diff(a: &Model, b: &Model) -> Result<Difference, ToolsError> {
    let mut comparison = Comparison::new(a, b)?;
    while comparison.advance(a, b) {}
    Ok(comparison.finish())
}

/// [`diff`] in steps, one for each clip.
pub struct Comparison {
    first: Arc<Model>,
    second: Arc<Model>,
    /// The vertices that reach farthest, if the models have the same vertices.
    few: Option<[Arc<Model>; 2]>,
    partners: Vec<Option<usize>>,
    pairs: Pairs,
    /// The next clip.
    clip: usize,
    difference: Difference,
}

/// The most times at which all vertices are compared.
const EXACT_TIMES: usize = 120;

impl Comparison {
    /// Compares the models at rest.
    ///
    /// # Errors
    /// As [`diff`].
    pub fn new(a: &Model, b: &Model) -> Result<Self, ToolsError> {
        let (first, second) = (Arc::new(strip(a, None)), Arc::new(strip(b, None)));
        let partners = partners(a, b);
        let pairs = match_vertices(&first, &second, [a, b], &partners)?;
        let rest = compare(&mut Posed::new(&first, None), &mut Posed::new(&second, None), &pairs, &[0.0]);
        let same = pairs.0.iter().all(|pair| pair.others.is_none());
        let few = same.then(|| {
            let chosen = representatives(a);
            [Arc::new(strip(a, Some(&chosen))), Arc::new(strip(b, Some(&chosen)))]
        });
        let used = |i: usize| partners.contains(&Some(i));
        let unmatched =
            b.clips.iter().enumerate().filter(|(i, _)| !used(*i)).map(|(_, clip)| clip.name.clone());
        let difference = Difference { rest, clips: Vec::new(), unmatched: unmatched.collect() };
        Ok(Self { first, second, few, partners, pairs, clip: 0, difference })
    }

    /// Compares one more clip of the same models; `false` if there is none.
    pub fn advance(&mut self, a: &Model, b: &Model) -> bool {
        let Some(clip) = a.clips.get(self.clip) else { return false };
        let index = self.clip;
        self.clip += 1;
        let Some(other) = self.partners[index].and_then(|other| b.clips.get(other)) else {
            self.difference.unmatched.push(clip.name.clone());
            return true;
        };
        let poses = |x: &Arc<Model>, y: &Arc<Model>| (Posed::new(x, Some(clip)), Posed::new(y, Some(other)));
        let (mut x, mut y) = poses(&self.first, &self.second);
        let times = sample_times(&[clip, other], 1, EXACT_TIMES);
        let mut place = compare(&mut x, &mut y, &self.pairs, &times);
        let mut samples = times.len();
        // Between the keys, the vertices that reach farthest show the largest distances.
        if let Some([few, other_few]) = &self.few {
            let (mut p, mut q) = poses(few, other_few);
            let times = sample_times(&[clip, other], 3, 4000);
            let found =
                Pairs::same(&p, &q, [few, other_few]).map(|pairs| compare(&mut p, &mut q, &pairs, &times));
            if let Some(found) = found.filter(|found| found.distance > place.distance) {
                // The same time with all vertices gives the index of the vertex.
                let exact = compare(&mut x, &mut y, &self.pairs, &[found.time]);
                place = Place { distance: exact.distance.max(found.distance), ..exact };
            }
            samples += times.len();
        }
        self.difference.clips.push(ClipDifference { name: clip.name.clone(), clip: index, place, samples });
        true
    }

    /// The number of clips that were compared.
    pub fn clips_done(&self) -> usize {
        self.clip
    }

    /// The result.
    pub fn finish(self) -> Difference {
        self.difference
    }
}

/// The vertices that belong together.
fn match_vertices(
    first: &Arc<Model>,
    second: &Arc<Model>,
    models: [&Model; 2],
    partners: &[Option<usize>],
) -> Result<Pairs, ToolsError> {
    let (mut x, mut y) = (Posed::new(first, None), Posed::new(second, None));
    let cloud = |posed: &mut Posed| {
        let mut points = Vec::new();
        for drawable in 0..posed.drawables() {
            for primitive in 0..posed.drawable(drawable).2 {
                let positions = posed.positions(drawable, primitive);
                points.extend(positions.iter().enumerate().map(|(vertex, &position)| {
                    ((drawable as u32, primitive as u32, vertex as u32), position)
                }));
            }
        }
        points
    };
    let (here, there) = (cloud(&mut x), cloud(&mut y));
    if here.is_empty() || there.is_empty() {
        let message = "One of the files has no vertices in its scene, so there is nothing to compare.";
        return Err(ToolsError::new(codes::NOTHING_TO_COMPARE, "", message));
    }
    let size = extent(here.iter().map(|(_, position)| position));
    let same = Pairs::same(&x, &y, [first, second]);
    if let Some(pairs) = same
        && compare(&mut x, &mut y, &pairs, &[0.0]).distance <= 0.01 * size
    {
        return Ok(pairs);
    }
    // Some poses beside the one at rest, since vertices at the same place may follow different joints.
    let mut poses: Vec<[Vec<[f32; 3]>; 2]> = Vec::new();
    for (clip, partner) in models[0].clips.iter().zip(partners).take(4) {
        let Some(other) = partner.map(|other| &models[1].clips[other]) else { continue };
        let (mut x, mut y) = (Posed::new(first, Some(clip)), Posed::new(second, Some(other)));
        for &time in &grid(clip, 4)[1..3.min(grid(clip, 4).len())] {
            x.at(time);
            y.at(time);
            let positions =
                |posed: &mut Posed| cloud(posed).into_iter().map(|(_, position)| position).collect();
            poses.push([positions(&mut x), positions(&mut y)]);
        }
    }
    Ok(nearest(&here, &there, &poses, size))
}

type Point = ((u32, u32, u32), [f32; 3]);

/// The nearest point for each vertex, by a grid of cells.
fn nearest(here: &[Point], there: &[Point], poses: &[[Vec<[f32; 3]>; 2]], size: f32) -> Pairs {
    let cell = (size / 48.0).max(f32::MIN_POSITIVE);
    let key = |position: &[f32; 3]| position.map(|v| (v / cell).floor().clamp(-1e6, 1e6) as i32);
    let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::new();
    for (i, (_, position)) in there.iter().enumerate() {
        cells.entry(key(position)).or_default().push(i as u32);
    }
    let square = |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
    let mut pairs: Vec<Pair> = Vec::new();
    for (i, ((drawable, primitive, _), position)) in here.iter().enumerate() {
        let far = |j: u32| {
            let j = j as usize;
            let at_rest = square(position, &there[j].1);
            poses.iter().map(|[x, y]| square(&x[i], &y[j])).fold(at_rest, f32::max)
        };
        let around = key(position);
        let mut best: Option<(f32, u32)> = None;
        for ring in 0..3 {
            let range = -ring..=ring;
            for dx in range.clone() {
                for dy in range.clone() {
                    for dz in range.clone() {
                        let place = [around[0] + dx, around[1] + dy, around[2] + dz];
                        for &j in cells.get(&place).into_iter().flatten() {
                            let distance = far(j);
                            if best.is_none_or(|(known, _)| distance < known) {
                                best = Some((distance, j));
                            }
                        }
                    }
                }
            }
            // Points in the next ring may be nearer, unless the best one is within this distance.
            if ring > 0 && best.is_some_and(|(square, _)| square.sqrt() <= cell * ring as f32) {
                break;
            }
        }
        let best = best.or_else(|| {
            let all = (0..there.len() as u32).step_by(there.len().div_ceil(4096));
            all.map(|j| (far(j), j)).min_by(|a, b| a.0.total_cmp(&b.0))
        });
        let other = best.map_or((0, 0, 0), |(_, j)| there[j as usize].0);
        let (drawable, primitive) = (*drawable as usize, *primitive as usize);
        match pairs.last_mut() {
            Some(Pair { drawable: d, primitive: p, others: Some(others) })
                if (*d, *p) == (drawable, primitive) =>
            {
                others.push(other);
            }
            _ => pairs.push(Pair { drawable, primitive, others: Some(vec![other]) }),
        }
    }
    Pairs(pairs)
}

/// The largest extent of the box around some points.
fn extent<'a>(points: impl Iterator<Item = &'a [f32; 3]>) -> f32 {
    let mut range = [(f32::INFINITY, f32::NEG_INFINITY); 3];
    for point in points {
        for (range, &value) in range.iter_mut().zip(point) {
            *range = (range.0.min(value), range.1.max(value));
        }
    }
    range.iter().map(|(low, high)| high - low).filter(|extent| extent.is_finite()).fold(0.0, f32::max)
}
