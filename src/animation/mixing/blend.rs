//! Weighted sums of poses, four nodes at a time: how a layer takes the place of what is below it.
//!
//! Each channel for itself: of the contributors that animate it, `W` is the sum of the weights. If that is more than
//! 1, they are scaled down to 1; if it is less, the rest comes from below:
//!
//! ```text
//! blended = (Σ wᵢ·pᵢ) / max(W, 1) + max(1 − W, 0) · below
//! result  = blended · amount + below · (1 − amount)          amount = weight of the layer · mask of the node
//! ```
//!
//! Rotations are brought to unit length first, since what is sampled is not, and to one side: contributors are added
//! in the order of falling weights (equal ones as listed), each with the sign that makes it meet the sum so far, what
//! is below last. So the sum never vanishes, and it does not depend on the order of the list.
//!
//! A contributor may have a mask of its own, by which its weight is multiplied at each node; its place in the order is that
//! of its weight without the mask.

use super::mask::JointMask;
use super::mix::MixLayer;
use crate::animation::clip::Lanes;
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::{F32x4, Mask4};
use crate::model::{ClipId, NodeId, Path};
use gambol_kernels::TransformX4;

/// A clip that takes part in a layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) clip: ClipId,
    pub(crate) time: f64,
    /// Above 0.
    pub(crate) weight: f32,
    /// The layer of the mix with the mask that says how much of the weight counts at each node; all of it without one.
    pub(crate) mask: Option<usize>,
}

/// How much of a layer there is at each node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amount<'a> {
    pub(super) weight: f32,
    pub(super) mask: Option<&'a JointMask>,
}

impl Amount<'_> {
    /// Nothing of what is below.
    pub(crate) const FULL: Self = Self { weight: 1.0, mask: None };

    /// With a weight `0.0..=1.0`; NaN is 0.
    pub(super) fn within(self) -> Self {
        Self { weight: if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 }, ..self }
    }

    /// Of the four nodes of a group; `None` if the mask leaves nothing there.
    #[inline(always)]
    pub(super) fn of_group(&self, group: usize) -> Option<F32x4> {
        let weight = F32x4::splat(self.weight);
        let Some(mask) = self.mask else { return Some(weight) };
        let (live, groups) = (mask.live.as_slice(), mask.groups.as_slice());
        if live[group] { Some(groups[group] * weight) } else { None }
    }

    /// Of one node.
    #[inline(always)]
    pub(super) fn of_node(&self, node: NodeId) -> f32 {
        let lane = |mask: &JointMask| F32x4::as_floats(&mask.groups)[node.index()];
        self.mask.map_or(self.weight, |mask| lane(mask) * self.weight)
    }

    /// Whether nothing of what is below shows through.
    pub(super) fn is_full(&self) -> bool {
        self.mask.is_none() && self.weight >= 1.0
    }
}

/// The parts of a layer with their sampled poses.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) rig: &'a Rig,
    /// By falling weight.
    pub(crate) parts: &'a [Part],
    /// One for each part. Only what the part's clip touches is meant; the rest is anything, perhaps no number.
    pub(crate) poses: &'a [Pose],
    /// The layers that [`Part::mask`] names.
    pub(crate) layers: &'a [MixLayer],
}

impl Parts<'_> {
    /// The weight of a part at the four nodes of a group.
    #[inline(always)]
    fn of_group(&self, part: &Part, group: usize) -> F32x4 {
        let weight = F32x4::splat(part.weight);
        self.mask(part).map_or(weight, |mask| mask.groups[group] * weight)
    }

    /// The weight of a part at a node; at `None`, which is no node, all of it.
    #[inline(always)]
    fn of_node(&self, part: &Part, node: Option<NodeId>) -> f32 {
        let (Some(mask), Some(node)) = (self.mask(part), node) else { return part.weight };
        F32x4::as_floats(&mask.groups)[node.index()] * part.weight
    }

    fn mask(&self, part: &Part) -> Option<&JointMask> {
        self.layers.get(part.mask?)?.mask.as_deref()
    }
}

/// Lays the parts over `pose`.
pub(crate) fn blend(parts: Parts<'_>, amount: Amount<'_>, pose: &mut Pose) {
    match Pair::new(parts, amount) {
        Some(pair) => pair.transforms(parts, amount, &mut pose.groups),
        None => transforms(parts, amount, &mut pose.groups),
    }
    if !pose.weights.is_empty() {
        weights(parts, amount, &mut pose.weights);
    }
    if !pose.properties.is_empty() {
        properties(parts, amount, &mut pose.properties);
    }
}

/// The translations or the scales of a group.
#[inline(always)]
pub(super) fn vector<const SCALE: bool>(group: &TransformX4) -> &[F32x4; 3] {
    if SCALE { &group.scale } else { &group.translation }
}

/// The translations or the scales of a group.
#[inline(always)]
pub(super) fn vector_mut<const SCALE: bool>(group: &mut TransformX4) -> &mut [F32x4; 3] {
    if SCALE { &mut group.scale } else { &mut group.translation }
}

/// The path that [`vector`] is about.
pub(super) const fn vector_path<const SCALE: bool>() -> Path {
    if SCALE { Path::Scale } else { Path::Translation }
}

/// Two parts of a layer that hides what is below: nearly all that is ever blended. Where both write the same nodes of
/// a group, much of the general sum falls away. What is left has the same bits, but that rotations keep their length also
/// where only some of the four are written.
struct Pair<'a> {
    lanes: [&'a [Lanes]; 2],
    groups: [&'a [TransformX4]; 2],
    weights: [F32x4; 2],
    /// What the sum of the weights is divided by, inverted.
    scale: F32x4,
}

impl<'a> Pair<'a> {
    fn new(parts: Parts<'a>, amount: Amount<'_>) -> Option<Self> {
        let ([a, b], [pose_a, pose_b, ..]) = (parts.parts, parts.poses) else { return None };
        let total = a.weight + b.weight;
        let plain = amount.is_full() && a.mask.is_none() && b.mask.is_none();
        (plain && total >= 1.0).then(|| Self {
            lanes: [parts.rig.touched(a.clip).groups(), parts.rig.touched(b.clip).groups()],
            groups: [&pose_a.groups, &pose_b.groups],
            weights: [F32x4::splat(a.weight), F32x4::splat(b.weight)],
            scale: F32x4::splat(1.0 / total),
        })
    }

    #[inline(never)]
    fn transforms(&self, parts: Parts<'_>, amount: Amount<'_>, groups: &mut [TransformX4]) {
        let [lanes_a, lanes_b] = self.lanes;
        let [groups_a, groups_b] = self.groups;
        for (g, below) in groups.iter_mut().enumerate() {
            let (lanes, others, a, b) = (lanes_a[g], lanes_b[g], &groups_a[g], &groups_b[g]);
            if lanes != others {
                transform(parts, amount, g, below);
                continue;
            }
            if let Some(on) = lanes.of(Path::Rotation) {
                let [x, y, z, w] = self.rotation(&a.rotation, &b.rotation);
                let [bx, by, bz, bw] = &mut below.rotation;
                (*bx, *by) = (on.select(x, *bx), on.select(y, *by));
                (*bz, *bw) = (on.select(z, *bz), on.select(w, *bw));
            }
            if let Some(on) = lanes.of(Path::Translation) {
                self.vector::<false>(on, a, b, below);
            }
            if let Some(on) = lanes.of(Path::Scale) {
                self.vector::<true>(on, a, b, below);
            }
        }
    }

    #[inline(always)]
    fn vector<const SCALE: bool>(
        &self,
        on: Mask4,
        a: &TransformX4,
        b: &TransformX4,
        below: &mut TransformX4,
    ) {
        let (zero, [weight_a, weight_b]) = (F32x4::zero(), self.weights);
        let ([ax, ay, az], [bx, by, bz]) = (vector::<SCALE>(a), vector::<SCALE>(b));
        let [x, y, z] = vector_mut::<SCALE>(below);
        *x = on.select(((zero + *ax * weight_a) + *bx * weight_b) * self.scale, *x);
        *y = on.select(((zero + *ay * weight_a) + *by * weight_b) * self.scale, *y);
        *z = on.select(((zero + *az * weight_a) + *bz * weight_b) * self.scale, *z);
    }

    /// Not of unit length, which no user of a pose asks for.
    #[inline(always)]
    fn rotation(&self, [ax, ay, az, aw]: &[F32x4; 4], [bx, by, bz, bw]: &[F32x4; 4]) -> [F32x4; 4] {
        let (zero, one, tiny) = (F32x4::zero(), F32x4::splat(1.0), F32x4::splat(f32::MIN_POSITIVE));
        let [a, b] = self.weights;
        let norm = (*ax * *ax + *ay * *ay) + (*az * *az + *aw * *aw);
        let unit = norm.gt(tiny).select(norm, one);
        let (x, y, z, w) = (zero + *ax * a, zero + *ay * a, zero + *az * a, zero + *aw * a);
        let norm = (*bx * *bx + *by * *by) + (*bz * *bz + *bw * *bw);
        let dot = (x * *bx + y * *by) + (z * *bz + w * *bw);
        let b = (b * (unit / norm.max(tiny)).sqrt()).turned_by(dot);
        [x + *bx * b, y + *by * b, z + *bz * b, w + *bw * b]
    }
}

fn transforms(parts: Parts<'_>, amount: Amount<'_>, groups: &mut [TransformX4]) {
    for (g, below) in groups.iter_mut().enumerate() {
        transform(parts, amount, g, below);
    }
}

/// All of a group `g` of nodes.
#[inline(never)]
fn transform(parts: Parts<'_>, amount: Amount<'_>, g: usize, below: &mut TransformX4) {
    let Some(of_group) = amount.of_group(g) else { return };
    let any =
        parts.parts.iter().fold(Lanes::default(), |any, part| any | parts.rig.touched(part.clip).groups()[g]);
    if any.of(Path::Translation).is_some() {
        blend_vectors::<false>(parts, of_group, g, below);
    }
    if any.of(Path::Rotation).is_some() {
        blend_rotations(parts, of_group, amount.is_full(), g, below);
    }
    if any.of(Path::Scale).is_some() {
        blend_vectors::<true>(parts, of_group, g, below);
    }
}

#[inline(never)]
fn blend_vectors<const SCALE: bool>(parts: Parts<'_>, amount: F32x4, g: usize, below: &mut TransformX4) {
    let (zero, one) = (F32x4::zero(), F32x4::splat(1.0));
    let (mut x, mut y, mut z, mut share) = (zero, zero, zero, zero);
    for (part, pose) in parts.parts.iter().zip(parts.poses) {
        let lanes = parts.rig.touched(part.clip).groups()[g];
        let Some(on) = lanes.of(vector_path::<SCALE>()) else { continue };
        let weight = parts.of_group(part, g);
        let [px, py, pz] = vector::<SCALE>(&pose.groups[g]);
        x = x + on.keep(*px * weight);
        y = y + on.keep(*py * weight);
        z = z + on.keep(*pz * weight);
        share = share + on.keep(weight);
    }
    let scale = one / share.max(one);
    let missing = (one - share).max(zero);
    let kept = one - amount;
    let live = (share * amount).gt(zero);
    let [bx, by, bz] = vector_mut::<SCALE>(below);
    *bx = live.select((x * scale + *bx * missing) * amount + *bx * kept, *bx);
    *by = live.select((y * scale + *by * missing) * amount + *by * kept, *by);
    *bz = live.select((z * scale + *bz * missing) * amount + *bz * kept, *bz);
}

#[inline(never)]
fn blend_rotations(parts: Parts<'_>, amount: F32x4, full: bool, g: usize, below: &mut TransformX4) {
    let (zero, one, tiny) = (F32x4::zero(), F32x4::splat(1.0), F32x4::splat(f32::MIN_POSITIVE));
    let (mut x, mut y, mut z, mut w, mut share) = (zero, zero, zero, zero, zero);
    let (mut none_yet, mut all, mut total, mut unit) = (true, true, 0.0, one);
    for (part, pose) in parts.parts.iter().zip(parts.poses) {
        let lanes = parts.rig.touched(part.clip).groups()[g];
        all &= lanes.all(Path::Rotation);
        if part.mask.is_none() {
            total += part.weight;
        }
        let Some(on) = lanes.of(Path::Rotation) else { continue };
        let mut factor = parts.of_group(part, g);
        share = share + on.keep(factor);
        let [px, py, pz, pw] = &pose.groups[g].rotation;
        let norm = (*px * *px + *py * *py) + (*pz * *pz + *pw * *pw);
        if none_yet {
            // Instead of each to length 1, the others to the length of the first: a root and a division less.
            unit = on.select(norm.gt(tiny).select(norm, one), one);
            none_yet = false;
        } else {
            let dot = (x * *px + y * *py) + (z * *pz + w * *pw);
            factor = (factor * (unit / norm.max(tiny)).sqrt()).turned_by(dot);
        }
        x = x + on.keep(*px * factor);
        y = y + on.keep(*py * factor);
        z = z + on.keep(*pz * factor);
        w = w + on.keep(*pw * factor);
    }
    let [bx, by, bz, bw] = &mut below.rotation;
    if full && all && total >= 1.0 {
        (*bx, *by, *bz, *bw) = (x, y, z, w);
        return;
    }
    let norm = (*bx * *bx + *by * *by) + (*bz * *bz + *bw * *bw);
    let dot = (x * *bx + y * *by) + (z * *bz + w * *bw);
    let below_unit = (one / norm.max(tiny).sqrt()).turned_by(dot);
    let missing = (one - share).max(zero) * below_unit * unit.sqrt();
    x = x + *bx * missing;
    y = y + *by * missing;
    z = z + *bz * missing;
    w = w + *bw * missing;
    let norm = (x * x + y * y) + (z * z + w * w);
    let factor = amount / norm.max(tiny).sqrt();
    let kept = (one - amount) * below_unit;
    let live = (share * amount).gt(zero);
    *bx = live.select(x * factor + *bx * kept, *bx);
    *by = live.select(y * factor + *by * kept, *by);
    *bz = live.select(z * factor + *bz * kept, *bz);
    *bw = live.select(w * factor + *bw * kept, *bw);
}

/// One number: `at` of the parts' lists; of a node, or of something that is no node.
#[inline(always)]
fn number<'a>(
    parts: Parts<'a>,
    list: impl Fn(&'a Pose) -> &'a [f32],
    touched: impl Fn(ClipId) -> bool,
    (at, node): (usize, Option<NodeId>),
    amount: f32,
    below: f32,
) -> f32 {
    let (mut sum, mut share) = (0.0, 0.0);
    for (part, pose) in parts.parts.iter().zip(parts.poses) {
        if touched(part.clip) {
            let weight = parts.of_node(part, node);
            sum += list(pose)[at] * weight;
            share += weight;
        }
    }
    if !(share * amount > 0.0) {
        return below;
    }
    let blended = sum / f32::max(share, 1.0) + below * f32::max(1.0 - share, 0.0);
    blended * amount + below * (1.0 - amount)
}

#[inline(never)]
fn weights(parts: Parts<'_>, amount: Amount<'_>, weights: &mut [f32]) {
    if parts.parts.iter().all(|part| parts.rig.touched(part.clip).weights.is_empty()) {
        return;
    }
    for (at, (below, &node)) in weights.iter_mut().zip(parts.rig.node_of_weight()).enumerate() {
        let touched = |clip| parts.rig.touched(clip).weights.get(at) == Some(&true);
        let of = (at, Some(node));
        *below = number(parts, |pose| &pose.weights, touched, of, amount.of_node(node), *below);
    }
}

#[inline(never)]
fn properties(parts: Parts<'_>, amount: Amount<'_>, properties: &mut [f32]) {
    if parts.parts.iter().all(|part| parts.rig.touched(part.clip).properties.is_empty()) {
        return;
    }
    for (at, (below, node)) in properties.iter_mut().zip(parts.rig.node_of_property()).enumerate() {
        let touched = |clip| parts.rig.touched(clip).properties.get(at) == Some(&true);
        let Some(of) = *node else {
            *below = number(parts, |pose| &pose.properties, touched, (at, None), amount.weight, *below);
            continue;
        };
        // Yes or no: of the parts the strongest, if all together are at least half.
        let among = parts.parts.iter().zip(parts.poses).filter(|(part, _)| touched(part.clip));
        let mut among =
            among.map(|(part, pose)| (parts.of_node(part, *node), pose)).filter(|(weight, _)| *weight > 0.0);
        let Some((first, pose)) = among.next() else { continue };
        let share = first + among.map(|(weight, _)| weight).sum::<f32>();
        if share.min(1.0) * amount.of_node(of) >= 0.5 {
            *below = pose.properties[at];
        }
    }
}
