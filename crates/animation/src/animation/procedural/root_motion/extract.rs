//! Splits a clip into the movement of its root and the rest.
//!
//! With `A` the matrix of the nodes above the root, `p` and `Q` the extracted parts of the root's position and of its
//! rotation since the first key, in the model:
//!
//! ```text
//! E(t) = T(p(t)) · Q(t) · T(−p(0))            the root motion
//! root'(t) = A⁻¹ · E(t)⁻¹ · A · root(t)       the rest, so that E(t) · A · root'(t) is the clip's movement
//! ```

use super::nodes::{at_rest, may_move};
use super::options::{RootOptions, RootRotation};
use crate::animation::player::{ClipRoot, PositionTrack, RootPath};
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::{Clip, Curve, Interpolation, Model, NodeId, Path};
use glam::{DMat3, DQuat, DVec3};

/// A net movement below this fraction of the way counts as none: a step to and fro.
const NET: f64 = 1e-3;

/// The cosine of half the smallest net rotation, which is half a degree.
const TURNED: f64 = 0.999_990_48;

/// The cosine of half the largest angle between neighbours of a rotation track: 0.1 radians.
const NEAR: f64 = 0.998_750_26;

/// The same for the error of interpolation: 1e-4 radians.
const EXACT: f64 = 1.0 - 1.25e-9;

/// The number of times that an interval between two keys is halved at most.
const HALVINGS: u32 = 8;

/// The model's nodes that may be roots, and their parents' matrices at rest.
pub(super) struct Parts<'a> {
    model: &'a Model,
    rest: Vec<Affine>,
    may_move: Vec<bool>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(model: &'a Model, rig: &Rig) -> Self {
        Self { model, rest: at_rest(rig), may_move: may_move(model) }
    }

    fn above(&self, node: NodeId) -> Affine {
        self.model.nodes[node.index()].parent.map_or(Affine::identity(), |parent| self.rest[parent.index()])
    }
}

/// The root of a clip. Removes its movement from the clip.
pub(super) fn extracted(parts: &Parts<'_>, clip: &mut Clip, options: &RootOptions) -> ClipRoot {
    let is_candidate = |path: Path| matches!(path, Path::Translation | Path::Rotation);
    let candidates = clip.channels.iter().filter(|channel| is_candidate(channel.path));
    let mut nodes: Vec<NodeId> =
        candidates.map(|channel| channel.node).filter(|node| parts.may_move[node.index()]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    for node in nodes {
        let channel = |path: Path| clip.channels.iter().position(|c| c.node == node && c.path == path);
        let indices = [channel(Path::Translation), channel(Path::Rotation)];
        let curves = indices.map(|index| index.map(|index| &clip.curves[clip.channels[index].curve]));
        let rest = parts.model.nodes[node.index()].rest.translation;
        let Some((path, curves)) = split(&parts.above(node), curves, rest.as_dvec3(), options) else {
            continue;
        };
        for (index, curve) in indices.into_iter().zip(curves) {
            if let (Some(index), Some(curve)) = (index, curve) {
                // Other channels may use the same curve.
                clip.channels[index].curve = clip.curves.len();
                clip.curves.push(curve);
            }
        }
        return ClipRoot { node: Some(node), path: Some(path) };
    }
    ClipRoot::default()
}

type Curves = [Option<Curve>; 2];

/// The movement of a root, and its translations and rotations without it; `None` without a net movement.
fn split(
    above: &Affine,
    [translations, rotations]: [Option<&Curve>; 2],
    rest: DVec3,
    options: &RootOptions,
) -> Option<(RootPath, Curves)> {
    let (linear, origin) = matrix(above);
    let turns =
        rotations.zip(rotation_of(&linear)).and_then(|(curve, above)| turn(curve, above, options.rotation));
    let vertical = options.vertical || turns.is_some() && options.rotation == RootRotation::Full;
    let ground = if vertical { DMat3::IDENTITY } else { DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0)) };
    let inverse = linear.inverse();
    let removed = inverse * ground * linear;
    if !removed.is_finite() {
        return None;
    }
    let positions = match translations {
        None => {
            let at = ground * (linear * rest + origin);
            PositionTrack { interpolation: Interpolation::Step, times: vec![0.0], values: vec![at] }
        }
        Some(curve) => {
            let spline = curve.interpolation() == Interpolation::CubicSpline;
            let value = |(i, row): (usize, &[f32])| {
                let value = linear * DVec3::from_array([0, 1, 2].map(|k| f64::from(row[k])));
                ground * if spline && i % 3 != 1 { value } else { value + origin }
            };
            PositionTrack {
                interpolation: curve.interpolation(),
                times: curve.times().iter().copied().map(f64::from).collect(),
                values: curve.values().chunks_exact(3).enumerate().map(value).collect(),
            }
        }
    };
    let (path, way) = net(&positions);
    if turns.is_none() && !(path > NET * way && path > 0.0) {
        return None;
    }
    let translations = translations.and_then(|curve| without(curve, removed));
    let (rotations, curve) = turns.unzip();
    let rotations_step = rotations.is_some() && curve.as_ref().is_some_and(|c: &Turned| c.is_step);
    let curve = curve.and_then(|turned| turned.curve);
    let path = RootPath { positions, rotations: rotations.unwrap_or_default(), rotations_step };
    Some((path, [translations, curve]))
}

fn matrix(affine: &Affine) -> (DMat3, DVec3) {
    let [a, b, c] = affine.rows.map(|row| row.to_array().map(f64::from));
    let linear = DMat3::from_cols_array(&[a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]]);
    (linear, DVec3::new(a[3], b[3], c[3]))
}

/// The rotation of a matrix; `None` if its scale is not uniform, or mirrors.
fn rotation_of(linear: &DMat3) -> Option<DQuat> {
    let size = linear.x_axis.length();
    let turned = *linear * (1.0 / size);
    let error = turned * turned.transpose() - DMat3::IDENTITY;
    let is_rotation = error.to_cols_array().iter().all(|part| part.abs() < 1e-4);
    (is_rotation && turned.determinant() > 0.0).then(|| DQuat::from_mat3(&turned).normalize())
}

/// The distance from the first position to the last one, and the length of the way between them.
fn net(track: &PositionTrack) -> (f64, f64) {
    let (step, skip) = if track.interpolation == Interpolation::CubicSpline { (3, 1) } else { (1, 0) };
    let mut positions = track.values.iter().skip(skip).step_by(step);
    let Some(&first) = positions.next() else { return (0.0, 0.0) };
    let (mut last, mut way) = (first, 0.0);
    for &position in positions {
        way += (position - last).length();
        last = position;
    }
    ((last - first).length(), way)
}

/// A copy of the translations without the root motion.
fn without(curve: &Curve, removed: DMat3) -> Option<Curve> {
    let spline = curve.interpolation() == Interpolation::CubicSpline;
    let mut values = curve.values().to_vec();
    let vector = |row: &[f32]| DVec3::from_array([0, 1, 2].map(|k| f64::from(row[k])));
    let first = vector(&values[if spline { 3 } else { 0 }..]);
    for (i, row) in values.chunks_exact_mut(3).enumerate() {
        let value = vector(row);
        let moved = if spline && i % 3 != 1 { value } else { value - first };
        row.copy_from_slice(&(value - removed * moved).as_vec3().to_array());
    }
    Curve::new(curve.interpolation(), 3, curve.times().to_vec(), values).ok()
}

/// Rotations without the root motion.
struct Turned {
    curve: Option<Curve>,
    is_step: bool,
}

/// The rotation since the first key, in the model, and the rest; `None` if it stays in the clip.
fn turn(curve: &Curve, above: DQuat, rotation: RootRotation) -> Option<(Vec<(f64, DQuat)>, Turned)> {
    if rotation == RootRotation::None {
        return None;
    }
    let first = key(curve, 0);
    let since = |local: DQuat| above * local * first.conjugate() * above.conjugate();
    let last = since(key(curve, curve.times().len() - 1));
    let (part, net): (fn(DQuat) -> DQuat, f64) = match rotation {
        RootRotation::Full => (|all| all, last.w.abs()),
        _ => (yaw, yaw(last).w.abs()),
    };
    if net > TURNED {
        return None;
    }
    let mut turns: Vec<(f64, DQuat)> = Vec::new();
    let mut left: Vec<DQuat> = Vec::new();
    let rest = |local: DQuat, turned: DQuat| above.conjugate() * turned.conjugate() * above * local;
    samples(curve, &|local| part(since(local)), &rest, |time, local| {
        let turned = part(since(local));
        left.push(rest(local, turned));
        turns.push((time, turned));
    });
    let is_step = curve.interpolation() == Interpolation::Step;
    let interpolation = if is_step { Interpolation::Step } else { Interpolation::Linear };
    let mut times: Vec<f32> = turns.iter().map(|(time, _)| *time as f32).collect();
    if rotation == RootRotation::Full {
        // Nothing of the rotation is left, so one key is enough.
        times.truncate(1);
        left.truncate(1);
    }
    // Halved intervals may be shorter than f32 can express.
    let mut kept = vec![true; times.len()];
    for i in 1..times.len() {
        kept[i] = times[i] > times[i - 1];
    }
    let values =
        left.iter().zip(&kept).filter(|(_, kept)| **kept).flat_map(|(rest, _)| rest.as_quat().to_array());
    let values = values.collect();
    let times = times.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(time, _)| *time).collect();
    let curve = Curve::new(interpolation, 4, times, values).ok();
    Some((turns, Turned { curve, is_step }))
}

/// The turn about the vertical axis; none for a rotation that puts it upside down.
fn yaw(rotation: DQuat) -> DQuat {
    let length = (rotation.y * rotation.y + rotation.w * rotation.w).sqrt();
    if length < 1e-6 {
        return DQuat::IDENTITY;
    }
    DQuat::from_xyzw(0.0, rotation.y / length, 0.0, rotation.w / length)
}

fn part_of(curve: &Curve, key: usize, part: usize) -> DQuat {
    let (width, at) =
        if curve.interpolation() == Interpolation::CubicSpline { (12, 4 * part) } else { (4, 0) };
    let row = &curve.values()[width * key + at..];
    DQuat::from_array([0, 1, 2, 3].map(|k| f64::from(row[k])))
}

fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length > 0.0 { rotation * (1.0 / length) } else { DQuat::IDENTITY }
}

fn key(curve: &Curve, key: usize) -> DQuat {
    unit(part_of(curve, key, 1))
}

/// The rotation half way between two.
fn middle(a: DQuat, b: DQuat) -> DQuat {
    unit(if a.dot(b) < 0.0 { a + -b } else { a + b })
}

/// Calls `receive` for rotations of a curve that are so dense that both parts can be interpolated linearly.
fn samples(
    curve: &Curve,
    part: &dyn Fn(DQuat) -> DQuat,
    rest: &dyn Fn(DQuat, DQuat) -> DQuat,
    mut receive: impl FnMut(f64, DQuat),
) {
    let times = curve.times();
    receive(times[0].into(), key(curve, 0));
    for i in 1..times.len() {
        let [begin, end] = [times[i - 1], times[i]].map(f64::from);
        let (from, to) = (key(curve, i - 1), key(curve, i));
        let at = |s: f64| -> DQuat {
            let (out, into) = (part_of(curve, i - 1, 2), part_of(curve, i, 0));
            let (from, to, length) = (part_of(curve, i - 1, 1), part_of(curve, i, 1), end - begin);
            let (s2, s3) = (s * s, s * s * s);
            let ends = from * (2.0 * s3 - 3.0 * s2 + 1.0) + to * (3.0 * s2 - 2.0 * s3);
            unit(ends + out * (length * (s3 - 2.0 * s2 + s)) + into * (length * (s3 - s2)))
        };
        // Halves of an arc are on the arc, so no trigonometry is needed.
        let halve = |s: f64, a: DQuat, b: DQuat| match curve.interpolation() {
            Interpolation::CubicSpline => at(s),
            _ => middle(a, b),
        };
        if curve.interpolation() != Interpolation::Step {
            let mut open = vec![(0.0, from, 1.0, to, 0)];
            while let Some((s, a, u, b, depth)) = open.pop() {
                let half = 0.5 * (s + u);
                let m = halve(half, a, b);
                let ([ta, tm, tb], is_near) =
                    ([a, m, b].map(part), |a: DQuat, b: DQuat, least: f64| a.dot(b).abs() >= least);
                let exact = is_near(middle(ta, tb), tm, EXACT)
                    && is_near(middle(rest(a, ta), rest(b, tb)), rest(m, tm), EXACT);
                if depth < HALVINGS && !(exact && is_near(ta, tb, NEAR)) {
                    open.push((half, m, u, b, depth + 1));
                    open.push((s, a, half, m, depth + 1));
                } else if u < 1.0 {
                    receive(begin + u * (end - begin), b);
                }
            }
        }
        receive(end, to);
    }
}
