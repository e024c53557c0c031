//! The largest distance between the vertices of two models.

use super::pairs::{Pair, Pairs, distance, match_vertices};
use super::posed::{Chosen, Posed, representatives, strip};
use super::times::{fours, sample_times};
use crate::error::ToolsError;
use gambol::model::{Clip, Model};
use gambol_kernels::{PointX4, at_lane, next_as_far};
use std::sync::Arc;

/// The place of the largest distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The distance, in metres. It is finite: `f32::MAX` stands for vertices that are not finite in one of the files.
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

/// A list for each pair: the largest distance of each vertex, with its time.
type Farthest = Vec<Vec<(f32, f64)>>;

/// Notes the distance of two places if it is larger than that of before.
fn note(worst: &mut (f32, f64), time: f64, p: &[f32; 3], q: &[f32; 3]) {
    // Most distances are smaller, by more than the rounding of this. In double precision, where no square of a coordinate
    // overflows or vanishes.
    let square: f64 = (0..3).map(|i| (f64::from(p[i]) - f64::from(q[i])).powi(2)).sum();
    if square <= f64::from(worst.0).powi(2) * 0.9999 {
        return;
    }
    let distance = distance(p, q) as f32;
    if distance > worst.0 {
        *worst = (distance, time);
    }
}

/// The distance of a vertex in one of four poses.
fn distance_of(lane: usize, first: &PointX4, second: &PointX4) -> f32 {
    distance(&at_lane(first, lane), &at_lane(second, lane)) as f32
}

/// [`farthest`] of vertices with the same indices.
fn farthest_of_same(a: &mut Posed, b: &mut Posed, pairs: &Pairs, times: &[f64]) -> Farthest {
    let count = |pair: &Pair| a.positions(pair.drawable, pair.primitive).len();
    let counts: Vec<usize> = pairs.0.iter().map(count).collect();
    let mut worst: Vec<_> = counts.iter().map(|&count| (vec![0.0; count], vec![0.0; count])).collect();
    for times in fours(times) {
        a.at_four(times);
        b.at_four(times);
        for (pair, (distances, when)) in pairs.0.iter().zip(&mut worst) {
            let first = a.four(pair.drawable, pair.primitive);
            let second = b.four(pair.drawable, pair.primitive);
            let mut next = 0;
            while let Some(vertex) = next_as_far(first, second, distances, next) {
                for (lane, &time) in times.iter().enumerate() {
                    let distance = distance_of(lane, &first[vertex], &second[vertex]);
                    if distance > distances[vertex] {
                        (distances[vertex], when[vertex]) = (distance, time);
                    }
                }
                next = vertex + 1;
            }
        }
    }
    worst.into_iter().map(|(distances, when)| distances.into_iter().zip(when).collect()).collect()
}

/// The largest distances over some times of a clip. Of the vertices that may be the same one, that which stays nearest counts.
fn farthest(a: &mut Posed, b: &mut Posed, pairs: &Pairs, times: &[f64]) -> Farthest {
    if pairs.are_same() {
        return farthest_of_same(a, b, pairs, times);
    }
    // For each pair, all candidates of a vertex after those of the vertex before.
    let mut worst: Farthest = Vec::new();
    for pair in &pairs.0 {
        let count = match &pair.others {
            Some(others) => others.iter().map(Vec::len).sum(),
            None => a.positions(pair.drawable, pair.primitive).len(),
        };
        worst.push(vec![(0.0, 0.0); count]);
    }
    for &time in times {
        a.at(time);
        b.at(time);
        let there = positions_of(b);
        for (pair, worst) in pairs.0.iter().zip(&mut worst) {
            let first = a.positions(pair.drawable, pair.primitive);
            match &pair.others {
                None => {
                    let second = b.positions(pair.drawable, pair.primitive);
                    for ((p, q), worst) in first.iter().zip(second).zip(worst) {
                        note(worst, time, p, q);
                    }
                }
                Some(others) => {
                    let mut worst = worst.iter_mut();
                    for (p, others) in first.iter().zip(others) {
                        for (&other, worst) in others.iter().zip(&mut worst) {
                            note(worst, time, p, &there[other as usize]);
                        }
                    }
                }
            }
        }
    }
    for (pair, worst) in pairs.0.iter().zip(&mut worst) {
        let Some(others) = &pair.others else { continue };
        let mut all = worst.iter().copied();
        let nearest = others.iter().map(|others| {
            let candidates = all.by_ref().take(others.len());
            candidates.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
        });
        *worst = nearest.collect();
    }
    worst
}

/// The place of the largest distance.
fn place_of(a: &Posed, pairs: &Pairs, farthest: &Farthest) -> Place {
    let mut worst = Place { distance: 0.0, time: 0.0, node: 0, mesh: 0, primitive: 0, vertex: 0 };
    if let Some(pair) = pairs.0.first() {
        (worst.mesh, worst.node, _) = a.drawable(pair.drawable);
    }
    for (pair, vertices) in pairs.0.iter().zip(farthest) {
        for (vertex, &(distance, time)) in vertices.iter().enumerate() {
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
    if !pairs.are_same() {
        let farthest = farthest(a, b, pairs, times);
        return place_of(a, pairs, &farthest);
    }
    let mut worst = place_of(a, pairs, &Vec::new());
    for times in fours(times) {
        a.at_four(times);
        b.at_four(times);
        for pair in &pairs.0 {
            let (mesh, node, _) = a.drawable(pair.drawable);
            let first = a.four(pair.drawable, pair.primitive);
            let second = b.four(pair.drawable, pair.primitive);
            let mut next = 0;
            while let Some(vertex) = next_as_far(first, second, &[worst.distance], next) {
                for (lane, &time) in times.iter().enumerate() {
                    let distance = distance_of(lane, &first[vertex], &second[vertex]);
                    // Of equal distances, the first one counts.
                    let is_first = distance == worst.distance && time < worst.time;
                    if distance > worst.distance || is_first {
                        worst = Place { distance, time, node, mesh, primitive: pair.primitive, vertex };
                    }
                }
                next = vertex + 1;
            }
        }
    }
    worst
}

/// The most vertices that are compared at all times because their distances are among the largest.
const FARTHEST: usize = 512;

/// Adds the vertices with the largest distances.
fn add_farthest(chosen: &mut Chosen, a: &Posed, pairs: &Pairs, farthest: &Farthest) {
    let mut all = Vec::new();
    for (pair, vertices) in pairs.0.iter().zip(farthest) {
        let (mesh, _, _) = a.drawable(pair.drawable);
        all.extend(
            vertices.iter().enumerate().map(|(i, &(distance, _))| (distance, mesh, pair.primitive, i as u32)),
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

/// The positions of all vertices.
fn positions_of(posed: &mut Posed) -> Vec<[f32; 3]> {
    let mut all = Vec::new();
    for drawable in 0..posed.drawables() {
        for primitive in 0..posed.drawable(drawable).2 {
            all.extend_from_slice(posed.positions(drawable, primitive));
        }
    }
    all
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
/// Vertices of a primitive belong together by their index, if both models have the same primitives, and most vertices of this one
/// are where those with their index are, at rest or at some time of a clip. Otherwise, each vertex is compared with that vertex of the
/// same primitive which stays nearest over the clip, of those that are nearest at rest and at some times of all clips; or with one of
/// any primitive, if those are nearer.
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
    /// The vertices of the first model that reach farthest.
    few: Chosen,
    partners: Vec<Option<usize>>,
    pairs: Pairs,
    /// The differences of clips that are not compared again.
    known: Vec<ClipDifference>,
    /// The next clip.
    clip: usize,
    difference: Difference,
}

/// The most times at which all vertices are compared.
const EXACT_TIMES: usize = 40;
/// The most times at which those are compared that reach farthest, or whose distances are the largest; and the most for models
/// with other vertices, which takes longer.
const FEW_TIMES: usize = 4000;
const OTHER_TIMES: usize = 1500;

impl Comparison {
    /// Compares the models at rest.
    ///
    /// # Errors
    /// As [`diff`].
    pub fn new(a: &Model, b: &Model) -> Result<Self, ToolsError> {
        Self::with(a, b, |_, _, _| None)
    }

    /// As [`Comparison::new`], for a copy of `a` with the same primitives, whose vertices have the same order.
    ///
    /// - `known`: the differences of clips that need not be compared again.
    pub(crate) fn of_copy(a: &Model, b: &Model, known: Vec<ClipDifference>) -> Result<Self, ToolsError> {
        Ok(Self { known, ..Self::with(a, b, Pairs::same)? })
    }

    fn with(
        a: &Model,
        b: &Model,
        known: impl FnOnce(&Posed, &Posed, [&Model; 2]) -> Option<Pairs>,
    ) -> Result<Self, ToolsError> {
        let (first, second) = (Arc::new(strip(a, None)), Arc::new(strip(b, None)));
        let partners = partners(a, b);
        let (x, y) = (Posed::new(&first, None), Posed::new(&second, None));
        let pairs = match known(&x, &y, [&first, &second]).filter(|_| x.vertices() > 0) {
            Some(pairs) => pairs,
            None => match_vertices(&first, &second, [a, b], &partners)?,
        };
        let rest = compare(&mut Posed::new(&first, None), &mut Posed::new(&second, None), &pairs, &[0.0]);
        let few = representatives(a);
        let used = |i: usize| partners.contains(&Some(i));
        let unmatched =
            b.clips.iter().enumerate().filter(|(i, _)| !used(*i)).map(|(_, clip)| clip.name.clone());
        let difference = Difference { rest, clips: Vec::new(), unmatched: unmatched.collect() };
        Ok(Self { first, second, few, partners, pairs, known: Vec::new(), clip: 0, difference })
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
        if let Some(known) = self.known.iter().find(|known| known.clip == index) {
            self.difference.clips.push(known.clone());
            return true;
        }
        let (mut x, mut y) = (Posed::new(&self.first, Some(clip)), Posed::new(&self.second, Some(other)));
        let exact = sample_times(&[clip, other], 1, EXACT_TIMES);
        let far = farthest(&mut x, &mut y, &self.pairs, &exact);
        let mut place = place_of(&x, &self.pairs, &far);
        let mut samples = exact.len();
        // At the other times, the vertices that reach farthest and those with large distances have the largest ones.
        let mut chosen = self.few.clone();
        add_farthest(&mut chosen, &x, &self.pairs, &far);
        let (others, pairs) = self.pairs.of_some(&chosen, &x, &y);
        let (few, others) = (Arc::new(strip(a, Some(&chosen))), Arc::new(strip(b, Some(&others))));
        let (mut p, mut q) = (x.with_vertices(&few), y.with_vertices(&others));
        let (between, most) = if pairs.are_same() { (3, FEW_TIMES) } else { (1, OTHER_TIMES) };
        let mut times = sample_times(&[clip, other], between, most);
        if pairs.are_same() {
            times.retain(|time| !exact.contains(time));
        }
        let found = compare(&mut p, &mut q, &pairs, &times);
        if found.distance > place.distance {
            let vertex = chosen[found.mesh][found.primitive][found.vertex] as usize;
            place = Place { vertex, ..found };
            if pairs.are_same() {
                // The same time with all vertices may have a larger one.
                let exact = compare(&mut x, &mut y, &self.pairs, &[found.time]);
                place = Place { distance: exact.distance.max(found.distance), ..exact };
            }
        }
        samples += times.len();
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

#[cfg(test)]
mod tests {
    use super::note;

    #[test]
    fn distances_are_noted_from_the_smallest_to_the_largest_numbers() {
        let mut worst = (0.0, 0.0);
        for (time, distance) in [(1.0, 1e-30), (2.0, 1e-20), (3.0, 1.0), (4.0, 1e20), (5.0, 1e30)] {
            note(&mut worst, time, &[distance, 0.0, 0.0], &[0.0; 3]);
            assert_eq!(worst, (distance, time));
        }
        note(&mut worst, 6.0, &[1e25, 0.0, 0.0], &[0.0; 3]);
        assert_eq!(worst, (1e30, 5.0));
    }
}
