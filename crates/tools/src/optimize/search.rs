//! The keys of one clip: as few bytes as keep the vertices within the bound.
//!
//! Each channel has a tolerance in metres. The first one is a part of the bound. Then the clip is played, and each tolerance
//! is changed by the ratio of the bound to the largest error of the vertices below its node. A few rounds bring every chain
//! of joints near the bound.

use super::keys::{Keys, Tolerance, Track, longest_steps};
use super::levers::{Lever, influencing, levers};
use crate::measure::{Posed, fours, geometric, grid, sample_times};
use gambol::import::meshopt::Filter;
use gambol::model::{Channel, Clip, Curve, Interpolation, Model, NodeId, Path};
use gambol_gltf::codec::meshopt::encode::attributes_size;
use gambol_kernels::{F32x4, PointX4, raise_squares};
use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// The two models that are compared, with the same vertices.
pub(super) struct Models {
    /// The file as it was.
    pub(super) original: Arc<Model>,
    /// The file with its changed geometry.
    pub(super) changed: Arc<Model>,
    /// The extent of the model, in metres.
    pub(super) size: f32,
    /// The largest error, in metres.
    pub(super) bound: f32,
    /// `true` if the views of the file are encoded.
    pub(super) encoded: bool,
}

/// The keys of each track; `None` if the channel is dropped.
pub(super) type Plan = Vec<Option<Keys>>;

/// The bytes of JSON for a channel with its sampler and accessor, and for an accessor of key times.
const CHANNEL: usize = 170;
const TIMES: usize = 115;

/// Finds the keys of a clip's tracks. `None` if no keys but those of the file stay within the bound.
///
/// - `share`: the part of the bound that may be used.
/// - `posed`: the model with its clip.
pub(super) fn search(
    models: &Models,
    posed: &Posed,
    clip: &Clip,
    tracks: &[Track],
    share: f32,
) -> Option<Plan> {
    let bound = share * models.bound;
    let mut original = posed.with_vertices(&models.original);
    let levers = levers(&models.original, &mut original, &grid(clip, 24), models.size);
    let baseline = Baseline::new(&mut original, clip);
    let planned = |channel: &Channel| {
        tracks.iter().any(|track| (track.node, track.path) == (channel.node.index(), channel.path))
    };
    let rest = geometric(clip, |channel| !planned(channel));
    let target = 0.92 * bound;
    let mut tolerances = vec![0.5 * bound; tracks.len()];
    let mut best: Option<(usize, Plan)> = None;
    let mut last = usize::MAX;
    for round in 0..16 {
        let (plan, bytes) = plan(tracks, &levers, &tolerances, models.encoded);
        let errors = baseline.errors(models, played(rest.clone(), tracks, &plan));
        let worst = errors.iter().flatten().fold(0.0, |a: f32, &b| a.max(b));
        if worst <= target && best.as_ref().is_none_or(|(least, _)| bytes < *least) {
            best = Some((bytes, plan));
        }
        // More rounds change little.
        let used = (0.85 * target..=target).contains(&worst);
        let settled = round >= 2 && used && bytes.abs_diff(last) * 100 < bytes;
        if best.is_some() && (round >= 7 || settled) {
            break;
        }
        last = bytes;
        for (tolerance, track) in tolerances.iter_mut().zip(tracks) {
            let ratio = match errors[track.node] {
                // Nothing hangs on the node, so no measure says more.
                None => bound / *tolerance,
                Some(error) => (target / error.max(1e-3 * target)).powf(0.8).clamp(0.3, 1.8),
            };
            // From some round on, tolerances only shrink.
            let most = if round >= 7 { 0.5 } else { f32::INFINITY };
            *tolerance = (*tolerance * ratio.min(most)).min(4.0 * bound);
        }
    }
    best.map(|(_, plan)| plan)
}

/// The tolerance of a track's values.
fn tolerance(track: &Track, lever: Lever, metres: f32) -> Tolerance {
    let value = match track.path {
        Path::Rotation => metres / (2.0 * lever.length.max(1e-9)),
        Path::Translation => metres / lever.scale.max(1e-9),
        Path::Scale => metres / lever.length.max(1e-9),
        Path::Weights => metres,
    };
    Tolerance { value }
}

/// The keys for some tolerances, and about the bytes that they take in the file.
fn plan(tracks: &[Track], levers: &[Lever], metres: &[f32], encoded: bool) -> (Plan, usize) {
    let cost = |keys: &Keys| cost(keys, encoded);
    let cost_of_times = |times: &[f32]| cost_of_times(times, encoded);
    let mut plan: Plan = Vec::with_capacity(tracks.len());
    let mut bytes = 0;
    let mut times = HashSet::new();
    // Tracks that need most of their keys, with all of them as they are before some are chosen.
    let mut dense: Vec<Dense> = Vec::new();
    for (i, (track, &metres)) in tracks.iter().zip(metres).enumerate() {
        let tolerance = tolerance(track, levers[track.node], metres);
        if track.is_rest(tolerance) {
            plan.push(None);
            continue;
        }
        let keys = track.constant(tolerance).unwrap_or_else(|| {
            let rounded = track.is_linear().then(|| track.rounded(tolerance.of_line()));
            let few = match &rounded {
                Some(rounded) => track.fewest(rounded, tolerance),
                None => track.sparse(tolerance),
            };
            let all = track.dense(tolerance);
            let cost_of_times = if few.times.len() > 2 { TIMES + cost_of_times(&few.times) } else { 20 };
            if cost(&few) + cost_of_times < cost(&all) {
                return few;
            }
            dense.extend(rounded.map(|rounded| Dense { track: i, tolerance, rounded }));
            all
        });
        plan.push(Some(keys));
    }
    share_times(tracks, dense, &mut plan, encoded);
    for keys in plan.iter().flatten() {
        bytes += CHANNEL + cost(keys);
        if times.insert(keys.times.iter().map(|time| time.to_bits()).collect::<Vec<_>>()) {
            bytes += TIMES + cost_of_times(&keys.times);
        }
    }
    (plan, bytes)
}

/// A linear track that needs most of its keys.
struct Dense {
    /// Its index.
    track: usize,
    tolerance: Tolerance,
    /// All keys, rounded for [`Track::fits`].
    rounded: Rc<Keys>,
}

/// Gives tracks with the same key times a common part of their keys, if that takes fewer bytes.
fn share_times(tracks: &[Track], dense: Vec<Dense>, plan: &mut Plan, encoded: bool) {
    let cost = |keys: &Keys| cost(keys, encoded);
    let cost_of_times = |times: &[f32]| cost_of_times(times, encoded);
    let mut rest = dense;
    while let Some(first) = rest.first() {
        let times = &tracks[first.track].times;
        let (group, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|each| tracks[each.track].times == *times);
        rest = others;
        // The track that did not fit last rarely fits the next time, so it is the first one of the test.
        let last = Cell::new(0);
        let fits = |a: usize, b: usize| {
            let order = std::iter::once(last.get()).chain(0..group.len());
            let fits = |&i: &usize| {
                let Dense { track, tolerance, rounded } = &group[i];
                tracks[*track].fits(rounded, a, b, *tolerance)
            };
            let failing = order.into_iter().find(|i| !fits(i));
            failing.inspect(|&i| last.set(i)).is_none()
        };
        let chosen = longest_steps(times.len(), fits);
        if chosen.len() == times.len() {
            continue;
        }
        let fewer: Vec<Keys> =
            group.iter().map(|each| tracks[each.track].chosen(&each.rounded, &chosen)).collect();
        let now: usize = group.iter().filter_map(|each| plan[each.track].as_ref()).map(&cost).sum();
        let then: usize = fewer.iter().map(&cost).sum();
        if then + cost_of_times(&fewer[0].times) < now + cost_of_times(times) {
            for (each, keys) in group.iter().zip(fewer) {
                plan[each.track] = Some(keys);
            }
        }
    }
}

/// The bytes of the elements in the file.
fn cost(keys: &Keys, encoded: bool) -> usize {
    // Without the header and the tail, which many channels share.
    if encoded { attributes_size(&keys.elements, layout(keys).0) } else { keys.elements.len() }
}

fn cost_of_times(times: &[f32], encoded: bool) -> usize {
    if !encoded {
        return 4 * times.len();
    }
    let bytes: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
    attributes_size(&bytes, 4)
}

/// The size of an element in its stream, and the filter.
pub(super) fn layout(keys: &Keys) -> (usize, Filter) {
    use super::keys::Coding;
    match keys.coding {
        Coding::Rotation(_) => (8, Filter::Quaternion),
        Coding::Exponential(_) => {
            let components = keys.values.len() / keys.times.len().max(1);
            let width = match keys.interpolation {
                Interpolation::CubicSpline => components / 3,
                _ => components,
            };
            // Elements of many morph weights are longer than an element of a stream may be.
            (if width <= 64 { 4 * width } else { 4 }, Filter::Exponential)
        }
    }
}

/// The clip with planned keys.
///
/// - `out`: the clip with the other channels.
fn played(mut out: Clip, tracks: &[Track], plan: &Plan) -> Clip {
    for (track, keys) in tracks.iter().zip(plan) {
        let Some(keys) = keys else { continue };
        let curve = Curve::new(keys.interpolation, track.width, keys.times.clone(), keys.values.clone());
        if let Ok(curve) = curve {
            out.channels.push(Channel {
                node: NodeId::new(track.node),
                path: track.path,
                curve: out.curves.len(),
            });
            out.curves.push(curve);
        }
    }
    out
}

/// The vertices of the original over time; the origins of the nodes if it has no vertices.
struct Baseline {
    times: Vec<[f64; 4]>,
    /// For each four times, all positions.
    positions: Vec<Vec<PointX4>>,
    /// For each vertex, the nodes that move it.
    owners: Vec<Vec<usize>>,
}

impl Baseline {
    fn new(original: &mut Posed, clip: &Clip) -> Self {
        let mut owners = Vec::new();
        for drawable in 0..original.drawables() {
            for primitive in 0..original.drawable(drawable).2 {
                let count = original.positions(drawable, primitive).len();
                owners.extend(influencing(original, drawable, primitive, count));
            }
        }
        if owners.is_empty() {
            owners = (0..original.nodes()).map(|node| vec![node]).collect();
        }
        let most = (4_000_000 / owners.len().max(1)).clamp(24, 200);
        let times = fours(&sample_times(&[clip], 1, most));
        let positions = times.iter().map(|&times| {
            let mut all = Vec::new();
            each_part(original, times, |points| all.extend_from_slice(points));
            all
        });
        Self { positions: positions.collect(), times, owners }
    }

    /// The largest error of the vertices at or below each node; `None` if there are none.
    fn errors(&self, models: &Models, clip: Clip) -> Vec<Option<f32>> {
        let mut changed = Posed::playing(&models.changed, Some(clip));
        let mut worst = vec![F32x4::zero(); self.owners.len()];
        for (&times, before) in self.times.iter().zip(&self.positions) {
            let mut at = 0;
            each_part(&mut changed, times, |points| {
                raise_squares(&mut worst[at..], &before[at..], points);
                at += points.len();
            });
        }
        let nodes = &models.original.nodes;
        let mut errors: Vec<Option<f32>> = vec![None; nodes.len()];
        let mut raise = |node: usize, error: f32| {
            errors[node] = Some(errors[node].map_or(error, |known: f32| known.max(error)));
        };
        for (worst, owners) in worst.iter().zip(&self.owners) {
            let worst = worst.to_array().into_iter().fold(0.0, f32::max).sqrt();
            owners.iter().for_each(|&node| raise(node, worst));
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            if let (Some(parent), Some(error)) = (node.parent, errors[i]) {
                let above = &mut errors[parent.index()];
                *above = Some(above.map_or(error, |known| known.max(error)));
            }
        }
        // The node of a skinned mesh moves none of its vertices, but its morph weights do.
        for (i, node) in nodes.iter().enumerate() {
            if node.skin.is_some() && !node.weights.is_empty() {
                errors[i] = errors.iter().flatten().copied().reduce(f32::max);
            }
        }
        errors
    }
}

/// Calls `each` with the positions of each primitive at four times; with the origins of the nodes if there are no vertices.
fn each_part(posed: &mut Posed, times: [f64; 4], mut each: impl FnMut(&[PointX4])) {
    if posed.vertices() == 0 {
        let origins = times.map(|time| {
            posed.at(time);
            (0..posed.nodes()).map(|node| posed.origin(node)).collect::<Vec<_>>()
        });
        let four = |node: usize| {
            [0, 1, 2].map(|axis| F32x4::new(origins.each_ref().map(|origins| origins[node][axis])))
        };
        return each(&(0..posed.nodes()).map(four).collect::<Vec<_>>());
    }
    posed.at_four(times);
    for drawable in 0..posed.drawables() {
        for primitive in 0..posed.drawable(drawable).2 {
            each(posed.four(drawable, primitive));
        }
    }
}
