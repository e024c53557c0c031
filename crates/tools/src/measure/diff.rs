//! The largest distance between the vertices of two models.

use super::posed::{Chosen, Posed, representatives, strip};
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

/// The drawable, the primitive and the vertex.
type Vertex = (u32, u32, u32);

/// A primitive of the first model, and the vertices of the second one for each of its vertices.
struct Pair {
    drawable: usize,
    primitive: usize,
    /// The vertices that may be the same one, for each vertex; `None` if their indices are the same in both models.
    others: Option<Vec<Vec<Vertex>>>,
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

/// A list for each pair: the largest distance of each vertex, squared, with its time.
type Farthest = Vec<Vec<(f32, f64)>>;

/// The largest distances over some times of a clip. Of the vertices that may be the same one, that which stays nearest counts.
fn farthest(a: &mut Posed, b: &mut Posed, pairs: &Pairs, times: &[f64]) -> Farthest {
    // For each pair, vertex and candidate.
    let mut worst: Vec<Vec<Vec<(f32, f64)>>> = Vec::new();
    for pair in &pairs.0 {
        worst.push(match &pair.others {
            Some(others) => others.iter().map(|list| vec![(0.0, 0.0); list.len()]).collect(),
            None => vec![vec![(0.0, 0.0)]; a.positions(pair.drawable, pair.primitive).len()],
        });
    }
    let has_others = pairs.0.iter().any(|pair| pair.others.is_some());
    // NaN counts as infinitely far.
    let note = |worst: &mut (f32, f64), time: f64, p: &[f32; 3], q: &[f32; 3]| {
        let square = square(p, q);
        if !(square <= worst.0) {
            *worst = (if square.is_nan() { f32::INFINITY } else { square }, time);
        }
    };
    for &time in times {
        a.at(time);
        b.at(time);
        let there = if has_others { positions_of(b) } else { HashMap::new() };
        for (pair, worst) in pairs.0.iter().zip(&mut worst) {
            let first = a.positions(pair.drawable, pair.primitive);
            match &pair.others {
                None => {
                    let second = b.positions(pair.drawable, pair.primitive);
                    for ((p, q), worst) in first.iter().zip(second).zip(worst) {
                        note(&mut worst[0], time, p, q);
                    }
                }
                Some(others) => {
                    for ((p, others), worst) in first.iter().zip(others).zip(worst) {
                        for (&(drawable, primitive, vertex), worst) in others.iter().zip(worst) {
                            note(worst, time, p, &there[&(drawable, primitive)][vertex as usize]);
                        }
                    }
                }
            }
        }
    }
    let nearest = |candidates: Vec<(f32, f64)>| {
        candidates.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    };
    worst.into_iter().map(|vertices| vertices.into_iter().map(nearest).collect()).collect()
}

/// The place of the largest distance.
fn place_of(a: &Posed, pairs: &Pairs, farthest: &Farthest) -> Place {
    let mut worst = Place { distance: 0.0, time: 0.0, node: 0, mesh: 0, primitive: 0, vertex: 0 };
    if let Some(pair) = pairs.0.first() {
        (worst.mesh, worst.node, _) = a.drawable(pair.drawable);
    }
    for (pair, vertices) in pairs.0.iter().zip(farthest) {
        for (vertex, &(square, time)) in vertices.iter().enumerate() {
            let distance = square.sqrt();
            if distance > worst.distance {
                let (mesh, node, _) = a.drawable(pair.drawable);
                worst = Place { distance, time, node, mesh, primitive: pair.primitive, vertex };
            }
        }
    }
    worst
}

/// The largest distance over some times of a clip.
pub(crate) fn compare(a: &mut Posed, b: &mut Posed, pairs: &Pairs, times: &[f64]) -> Place {
    let farthest = farthest(a, b, pairs, times);
    place_of(a, pairs, &farthest)
}

/// The most vertices that are compared at all times because their distances are among the largest.
const FARTHEST: usize = 512;

/// Adds the vertices with the largest distances.
fn add_farthest(chosen: &mut Chosen, a: &Posed, pairs: &Pairs, farthest: &Farthest) {
    let mut all = Vec::new();
    for (pair, vertices) in pairs.0.iter().zip(farthest) {
        let (mesh, _, _) = a.drawable(pair.drawable);
        all.extend(
            vertices.iter().enumerate().map(|(i, &(square, _))| (square, mesh, pair.primitive, i as u32)),
        );
    }
    let count = all.len().min(FARTHEST);
    if count > 0 {
        all.select_nth_unstable_by(count - 1, |a, b| b.0.total_cmp(&a.0));
    }
    for &(_, mesh, primitive, vertex) in &all[..count] {
        chosen[mesh][primitive].push(vertex);
    }
    for vertices in chosen.iter_mut().flatten() {
        vertices.sort_unstable();
        vertices.dedup();
    }
}

/// The positions of all vertices, by drawable and primitive.
fn positions_of(posed: &mut Posed) -> HashMap<(u32, u32), Vec<[f32; 3]>> {
    let mut all = HashMap::new();
    for drawable in 0..posed.drawables() {
        for primitive in 0..posed.drawable(drawable).2 {
            all.insert((drawable as u32, primitive as u32), posed.positions(drawable, primitive).to_vec());
        }
    }
    all
}

fn square(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
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
/// Vertices belong together by their index, if both models have the same meshes and nearly the same pose at some time.
/// Otherwise, each vertex of the first model is compared with that vertex of the second one which stays nearest over the clip, of those
/// that are nearest at rest and at some times of all clips.
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
    few: Option<Chosen>,
    partners: Vec<Option<usize>>,
    pairs: Pairs,
    /// The next clip.
    clip: usize,
    difference: Difference,
}

/// The most times at which all vertices are compared, beside those of the vertices that reach farthest.
const EXACT_TIMES: usize = 120;
/// The most times for models with other vertices, of which none are known to reach farthest.
const ALL_TIMES: usize = 1500;
/// The most clips whose poses show which vertices belong together.
const POSED_CLIPS: usize = 24;

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
        let few = same.then(|| representatives(a));
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
        let most = if self.few.is_some() { EXACT_TIMES } else { ALL_TIMES };
        let times = sample_times(&[clip, other], 1, most);
        let far = farthest(&mut x, &mut y, &self.pairs, &times);
        let mut place = place_of(&x, &self.pairs, &far);
        let mut samples = times.len();
        // At the other times, the vertices that reach farthest and those with large distances have the largest ones.
        if let Some(representatives) = &self.few {
            let mut chosen = representatives.clone();
            add_farthest(&mut chosen, &x, &self.pairs, &far);
            let few = [a, b].map(|model| Arc::new(strip(model, Some(&chosen))));
            let (mut p, mut q) = poses(&few[0], &few[1]);
            let times = sample_times(&[clip, other], 3, 4000);
            let pairs = Pairs::same(&p, &q, [&few[0], &few[1]]);
            let found = pairs.map(|pairs| compare(&mut p, &mut q, &pairs, &times));
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
    let mut same = Pairs::same(&x, &y, [first, second]);
    let is_same_at_rest =
        same.as_ref().is_some_and(|pairs| compare(&mut x, &mut y, pairs, &[0.0]).distance <= 0.01 * size);
    if let Some(pairs) = same.take_if(|_| is_same_at_rest) {
        return Ok(pairs);
    }
    // Poses of all clips beside the one at rest, since vertices at the same place may follow different joints, and
    // a joint may move in one of the clips only.
    let mut poses: Vec<[Vec<[f32; 3]>; 2]> = Vec::new();
    let clips = models[0].clips.iter().zip(partners).step_by(partners.len().div_ceil(POSED_CLIPS).max(1));
    for (clip, partner) in clips {
        let Some(other) = partner.map(|other| &models[1].clips[other]) else { continue };
        let (mut x, mut y) = (Posed::new(first, Some(clip)), Posed::new(second, Some(other)));
        for &time in grid(clip, 4).iter().skip(1).take(2) {
            x.at(time);
            y.at(time);
            let positions =
                |posed: &mut Posed| cloud(posed).into_iter().map(|(_, position)| position).collect();
            poses.push([positions(&mut x), positions(&mut y)]);
        }
    }
    // Baked clips show another pose at rest.
    let is_close =
        |[x, y]: &[Vec<[f32; 3]>; 2]| x.iter().zip(y).all(|(p, q)| square(p, q).sqrt() <= 0.01 * size);
    if poses.iter().any(is_close)
        && let Some(pairs) = same
    {
        return Ok(pairs);
    }
    Ok(nearest(&here, &there, &poses, size))
}

type Point = (Vertex, [f32; 3]);

/// The most vertices that may be the same one.
const CANDIDATES: usize = 6;

/// The nearest points for each vertex, by a grid of cells.
fn nearest(here: &[Point], there: &[Point], poses: &[[Vec<[f32; 3]>; 2]], size: f32) -> Pairs {
    let cell = (size / 48.0).max(f32::MIN_POSITIVE);
    let key = |position: &[f32; 3]| position.map(|v| (v / cell).floor().clamp(-1e6, 1e6) as i32);
    let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::new();
    for (i, (_, position)) in there.iter().enumerate() {
        cells.entry(key(position)).or_default().push(i as u32);
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for (i, ((drawable, primitive, _), position)) in here.iter().enumerate() {
        // The largest distance, or any above the limit.
        let far = |j: u32, limit: f32| {
            let j = j as usize;
            let mut worst = square(position, &there[j].1);
            for [x, y] in poses {
                if worst > limit {
                    break;
                }
                worst = worst.max(square(&x[i], &y[j]));
            }
            worst
        };
        let around = key(position);
        // The nearest ones, by distance.
        let mut best: Vec<(f32, u32)> = Vec::new();
        let mut add = |j: u32| {
            let limit = if best.len() < CANDIDATES { f32::INFINITY } else { best[CANDIDATES - 1].0 };
            let distance = far(j, limit);
            if distance < limit || best.is_empty() {
                best.insert(best.partition_point(|(known, _)| *known <= distance), (distance, j));
                best.truncate(CANDIDATES);
            }
            best[0].0
        };
        let mut nearest = f32::INFINITY;
        for ring in 0..3 {
            for place in shell(around, ring) {
                for &j in cells.get(&place).into_iter().flatten() {
                    nearest = add(j);
                }
            }
            // Points in the next ring may be nearer, unless the best one is within this distance.
            if ring > 0 && nearest.sqrt() <= cell * ring as f32 {
                break;
            }
        }
        if best.is_empty() {
            let all = (0..there.len() as u32).step_by(there.len().div_ceil(4096));
            best.extend(all.map(|j| (far(j, f32::INFINITY), j)).min_by(|a, b| a.0.total_cmp(&b.0)));
        }
        let other: Vec<Vertex> = best.into_iter().map(|(_, j)| there[j as usize].0).collect();
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

/// The cells at a distance of `ring` cells.
fn shell(around: [i32; 3], ring: i32) -> impl Iterator<Item = [i32; 3]> {
    let side = 2 * ring + 1;
    let all = (0..side.pow(3)).map(move |i| [i, i / side, i / (side * side)].map(|n| n % side - ring));
    let outer = all.filter(move |offset| offset.iter().any(|d| d.abs() == ring));
    outer.map(move |offset| std::array::from_fn(|axis| around[axis] + offset[axis]))
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
