//! The vertices of two models that belong together.

use super::nearest::{Cloud, Tree};
use super::posed::{Chosen, PartOf, Posed};
use super::times::grid;
use crate::error::{ToolsError, codes};
use gambol::model::Model;
use std::cell::OnceCell;
use std::sync::Arc;

/// A primitive of the first model, and the vertices of the second one for each of its vertices.
pub(super) struct Pair {
    pub(super) drawable: usize,
    pub(super) primitive: usize,
    /// The vertices that may be the same one, for each vertex: indices among those of all drawables and their primitives.
    /// `None` if the indices are the same in both models.
    pub(super) others: Option<Vec<Vec<u32>>>,
}

/// The vertices of two models that belong together.
pub(crate) struct Pairs(pub(super) Vec<Pair>);

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

    /// The pairs of some vertices of the first model, and the vertices of the second one that belong to them.
    pub(super) fn of_some(&self, chosen: &Chosen, a: &Posed, b: &Posed) -> (Chosen, Self) {
        if self.are_same() {
            let same = |pair: &Pair| Pair { others: None, ..*pair };
            return (chosen.clone(), Self(self.0.iter().map(same).collect()));
        }
        // The parts of the second model: drawable, primitive and mesh, with the index of the first vertex.
        let parts = b.parts();
        let first = starts(parts.iter().map(|part| part.vertices));
        let of_pair = |pair: &Pair| -> Vec<Vec<u32>> {
            let (mesh, ..) = a.drawable(pair.drawable);
            let own = parts
                .iter()
                .position(|part| (part.drawable, part.primitive) == (pair.drawable, pair.primitive));
            let others = |&vertex: &u32| match (&pair.others, own) {
                (Some(others), _) => others[vertex as usize].clone(),
                (None, own) => own.map(|own| first[own] + vertex).into_iter().collect(),
            };
            chosen[mesh][pair.primitive].iter().map(others).collect()
        };
        let mut others: Vec<Vec<Vec<u32>>> = self.0.iter().map(of_pair).collect();
        let part_of = |other: u32| first.partition_point(|&first| first <= other) - 1;
        let mut there = b.none();
        for &other in others.iter().flatten().flatten() {
            let part = part_of(other);
            there[parts[part].mesh][parts[part].primitive].push(other - first[part]);
        }
        for vertices in there.iter_mut().flatten() {
            vertices.sort_unstable();
            vertices.dedup();
        }
        // Their indices among the vertices that are left.
        let left = |part: &PartOf| &there[part.mesh][part.primitive];
        let starts = starts(parts.iter().map(|part| left(part).len()));
        for other in others.iter_mut().flatten().flatten() {
            let part = part_of(*other);
            let index = left(&parts[part]).partition_point(|&vertex| vertex < *other - first[part]);
            *other = starts[part] + index as u32;
        }
        let pairs = self.0.iter().zip(others).map(|(pair, others)| Pair { others: Some(others), ..*pair });
        (there, Self(pairs.collect()))
    }

    /// `true` if all indices are the same in both models.
    pub(super) fn are_same(&self) -> bool {
        self.0.iter().all(|pair| pair.others.is_none())
    }
}

/// The most clips whose poses show which vertices belong together.
const POSED_CLIPS: usize = 24;
/// The most vertices that may be the same one.
const CANDIDATES: usize = 6;
/// The largest distance of vertices with the same index, in parts of the middle half of their primitive.
const NEAR: f64 = 0.02;
/// The largest part of vertices that have a partner at another index, and the poses in which they are counted.
const ELSEWHERE: f64 = 0.02;
const COUNTED: usize = 3;

/// A primitive of a drawable, with its places in each pose; the first pose is that at rest.
struct Part {
    drawable: u32,
    primitive: u32,
    poses: Vec<Vec<[f32; 3]>>,
}

/// The primitives of a model in its pose.
fn parts(posed: &mut Posed) -> Vec<Part> {
    let mut parts = Vec::new();
    for drawable in 0..posed.drawables() {
        for primitive in 0..posed.drawable(drawable).2 {
            let poses = vec![posed.positions(drawable, primitive).to_vec()];
            parts.push(Part { drawable: drawable as u32, primitive: primitive as u32, poses });
        }
    }
    parts
}

/// The vertices that belong together: by their index, if the primitives have the same vertices in the same order; else those
/// that stay nearest.
///
/// - `partners`: the clip of the second model for each clip of the first one.
///
/// # Errors
/// [`codes::NOTHING_TO_COMPARE`]
pub(super) fn match_vertices(
    first: &Arc<Model>,
    second: &Arc<Model>,
    models: [&Model; 2],
    partners: &[Option<usize>],
) -> Result<Pairs, ToolsError> {
    let mut here = parts(&mut Posed::new(first, None));
    let mut there = parts(&mut Posed::new(second, None));
    let is_empty = |parts: &[Part]| parts.iter().all(|part| part.poses[0].is_empty());
    if is_empty(&here) || is_empty(&there) {
        let message = "One of the files has no vertices in its scene, so there is nothing to compare.";
        return Err(ToolsError::new(codes::NOTHING_TO_COMPARE, "", message));
    }
    let names = |parts: &[Part]| parts.iter().map(|part| (part.drawable, part.primitive)).collect::<Vec<_>>();
    let is_alike = names(&here) == names(&there);
    let by_index = |here: &[Part], there: &[Part]| -> Vec<bool> {
        here.iter().zip(there).map(|(a, b)| is_alike && have_same_order(a, b)).collect()
    };
    let mut same = by_index(&here, &there);
    if !is_alike || same.contains(&false) {
        // Baked clips show another pose at rest, and vertices at the same place may follow different joints. A joint may move in
        // one of the clips only.
        let clips = models[0].clips.iter().zip(partners);
        for (clip, partner) in clips.step_by(partners.len().div_ceil(POSED_CLIPS).max(1)) {
            let Some(other) = partner.map(|other| &models[1].clips[other]) else { continue };
            let (mut x, mut y) = (Posed::new(first, Some(clip)), Posed::new(second, Some(other)));
            for &time in grid(clip, 4).iter().skip(1).take(2) {
                for (posed, of) in [(&mut x, &mut here), (&mut y, &mut there)] {
                    posed.at(time);
                    for (part, now) in of.iter_mut().zip(parts(posed)) {
                        part.poses.extend(now.poses);
                    }
                }
            }
        }
        same = by_index(&here, &there);
    }
    Ok(Pairs(pairs(&here, &there, &same, is_alike)))
}

/// `true` if the vertices of two primitives have the same order, in at least one pose.
fn have_same_order(a: &Part, b: &Part) -> bool {
    let size = middle_half(&a.poses[0]);
    a.poses.iter().zip(&b.poses).enumerate().any(|(pose, (p, q))| {
        let apart = |i: usize| distance(&p[i], &q[i]);
        if p.len() != q.len() {
            return false;
        }
        // In a pose without extent, all places are the same.
        let extent = middle_half(p);
        if !(extent >= 0.1 * size) {
            return false;
        }
        if (0..p.len()).all(|i| apart(i) <= NEAR * extent) {
            return true;
        }
        if pose >= COUNTED {
            return false;
        }
        // Some vertices were moved on purpose, if they have no partner elsewhere that fits as well as those of others.
        let cloud = Cloud::new(std::slice::from_ref(q));
        let tree = Tree::new(&cloud);
        let from = Cloud::new(std::slice::from_ref(p));
        let nearest: Vec<f64> = (0..p.len()).map(|i| tree.nearest(from.point(i), 1)[0].0.sqrt()).collect();
        let noise = quantile(&nearest, 0.9);
        if noise > NEAR * extent {
            return false;
        }
        let elsewhere =
            (0..p.len()).filter(|&i| nearest[i] <= noise && apart(i) > 4.0 * noise + 1e-6 * extent);
        (elsewhere.count() as f64) <= ELSEWHERE * p.len() as f64
    })
}

/// The largest extent of the middle half of some points along an axis: points that are far away do not change it.
fn middle_half(points: &[[f32; 3]]) -> f64 {
    let of_axis = |axis: usize| {
        let values: Vec<f64> =
            points.iter().map(|point| point[axis].into()).filter(|v: &f64| v.is_finite()).collect();
        quantile(&values, 0.75) - quantile(&values, 0.25)
    };
    (0..3).map(of_axis).fold(0.0, f64::max)
}

/// The value below which a part of some values lies; 0 for none.
fn quantile(values: &[f64], part: f64) -> f64 {
    let mut values = values.to_vec();
    let last = values.len().saturating_sub(1);
    let at = (part * last as f64).round() as usize;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(at, f64::total_cmp).1 }
}

/// The distance of two places, in metres: finite, also if the places are not. Equal places have the distance 0.
pub(super) fn distance(a: &[f32; 3], b: &[f32; 3]) -> f64 {
    let differ = |(a, b): (&f32, &f32)| {
        let is_same = a == b || a.is_nan() && b.is_nan();
        if is_same { 0.0 } else { f64::from(*a) - f64::from(*b) }
    };
    let square: f64 = a.iter().zip(b).map(differ).map(|d| d * d).sum();
    // The least of both is a number, also if one is NaN.
    square.sqrt().min(f32::MAX.into())
}

/// The pairs of all primitives.
///
/// - `same`: `true` for primitives whose vertices belong together by their index.
/// - `is_alike`: `true` if both models have the same primitives.
fn pairs(here: &[Part], there: &[Part], same: &[bool], is_alike: bool) -> Vec<Pair> {
    // All vertices of the second model, if they are needed.
    let (cloud, tree) = (OnceCell::new(), OnceCell::new());
    let starts: Vec<u32> = starts(there.iter().map(|part| part.poses[0].len()));
    let mut pairs = Vec::with_capacity(here.len());
    for (i, part) in here.iter().enumerate() {
        let (drawable, primitive) = (part.drawable as usize, part.primitive as usize);
        if same.get(i) == Some(&true) {
            pairs.push(Pair { drawable, primitive, others: None });
            continue;
        }
        let from = Cloud::new(&part.poses);
        // The vertices of the same primitive, unless those of others fit better.
        let own = there.get(i).filter(|other| is_alike && !other.poses[0].is_empty());
        let own = own.map(|other| found(&from, &Tree::new(&Cloud::new(&other.poses)), starts[i]));
        let others = match own {
            Some((_, others)) if there.len() == 1 => others,
            own => {
                let tree = tree.get_or_init(|| Tree::new(cloud.get_or_init(|| whole(there))));
                let any = found(&from, tree, 0);
                let most = 4.0 * any.0 + 1e-6 * middle_half(&part.poses[0]);
                own.filter(|own| own.0 <= most).unwrap_or(any).1
            }
        };
        pairs.push(Pair { drawable, primitive, others: Some(others) });
    }
    pairs
}

/// The index of the first vertex of each part among those of all parts.
fn starts(lengths: impl Iterator<Item = usize>) -> Vec<u32> {
    let next = |count: &mut u32, length: usize| Some(std::mem::replace(count, *count + length as u32));
    lengths.scan(0, next).collect()
}

/// The nearest vertices of a tree for each vertex, and the distance below which most of them are.
///
/// - `start`: is added to the indices.
fn found(from: &Cloud, tree: &Tree<'_>, start: u32) -> (f64, Vec<Vec<u32>>) {
    let (mut apart, mut others) = (Vec::new(), Vec::new());
    for vertex in 0..from.len() {
        let nearest = tree.nearest(from.point(vertex), CANDIDATES);
        apart.extend(nearest.first().map(|(square, _)| square.sqrt()));
        others.push(nearest.into_iter().map(|(_, vertex)| start + vertex).collect());
    }
    (quantile(&apart, 0.9), others)
}

/// All vertices of a model.
fn whole(parts: &[Part]) -> Cloud {
    let poses = parts.first().map_or(0, |part| part.poses.len());
    let places = |pose: usize| parts.iter().flat_map(|part| part.poses[pose].iter().copied()).collect();
    let poses: Vec<Vec<[f32; 3]>> = (0..poses).map(places).collect();
    Cloud::new(&poses)
}
