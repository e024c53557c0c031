//! The largest distance between the vertices of two models.

use super::pairs::{Pairs, distance, match_vertices};
use super::posed::{Chosen, Posed, representatives, strip};
use super::times::sample_times;
use crate::error::ToolsError;
use gambol::model::{Clip, Model};
use std::collections::HashMap;
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
    let note = |worst: &mut (f32, f64), time: f64, p: &[f32; 3], q: &[f32; 3]| {
        let distance = distance(p, q) as f32;
        if distance > worst.0 {
            *worst = (distance, time);
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

impl Comparison {
    /// Compares the models at rest.
    ///
    /// # Errors
    /// As [`diff`].
    pub fn new(a: &Model, b: &Model) -> Result<Self, ToolsError> {
        Self::with(a, b, |_, _, _| None)
    }

    /// As [`Comparison::new`], for a copy of `a` with the same primitives, whose vertices have the same order.
    pub(crate) fn of_copy(a: &Model, b: &Model) -> Result<Self, ToolsError> {
        Self::with(a, b, Pairs::same)
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
        let few = pairs.are_same().then(|| representatives(a));
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
