//! Weighted sums of poses, four nodes at a time, and how an override layer replaces the pose below it.
//!
//! Each channel is blended on its own. `W` is the sum of the weights of the clips that animate it. If `W` is
//! above 1, the weights are scaled down to a sum of 1. If it is below 1, the pose below has the rest:
//!
//! ```text
//! blended = (Σ wᵢ·pᵢ) / max(W, 1) + max(1 − W, 0) · below
//! result  = blended · amount + below · (1 − amount)          amount = weight of the layer · mask of the node
//! ```
//!
//! Rotations are normalized first, because sampled ones are not of unit length. They are added in the order
//! of descending weights (equal ones as listed), the pose below last. Each is negated if its dot product with
//! the sum so far is negative. So the sum is never zero, and it does not depend on the order of the list.
//!
//! A clip may have a mask of its own, which multiplies its weight at each node. The order uses the weight
//! without the mask.

use super::mask::JointMask;
use super::mix::MixLayer;
use crate::animation::clip::Lanes;
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::{F32x4, Mask4};
use crate::model::{ClipId, NodeId, Path};
use gambol_kernels::TransformX4;

/// A clip that contributes to a layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) clip: ClipId,
    pub(crate) time: f64,
    /// Above 0.
    pub(crate) weight: f32,
    /// The index of the layer in the mix whose mask multiplies the weight at each node; `None` without a
    /// mask.
    pub(crate) mask: Option<usize>,
}

/// The effective weight of a layer at each node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amount<'a> {
    pub(super) weight: f32,
    pub(super) mask: Option<&'a JointMask>,
}

impl Amount<'_> {
    /// Full weight without a mask: the pose below is hidden.
    pub(crate) const FULL: Self = Self { weight: 1.0, mask: None };

    /// Clamps the weight to `0.0..=1.0`; NaN becomes 0.
    pub(super) fn within(self) -> Self {
        Self { weight: if self.weight > 0.0 { self.weight.min(1.0) } else { 0.0 }, ..self }
    }

    /// The amount at the four nodes of a group; `None` if the mask is 0 at all four.
    #[inline(always)]
    pub(super) fn of_group(&self, group: usize) -> Option<F32x4> {
        let weight = F32x4::splat(self.weight);
        let Some(mask) = self.mask else { return Some(weight) };
        let (live, groups) = (mask.live.as_slice(), mask.groups.as_slice());
        if live[group] { Some(groups[group] * weight) } else { None }
    }

    /// The amount at one node.
    #[inline(always)]
    pub(super) fn of_node(&self, node: NodeId) -> f32 {
        let lane = |mask: &JointMask| F32x4::as_floats(&mask.groups)[node.index()];
        self.mask.map_or(self.weight, |mask| lane(mask) * self.weight)
    }

    /// `true` if the pose below is completely hidden.
    pub(super) fn is_full(&self) -> bool {
        self.mask.is_none() && self.weight >= 1.0
    }
}

/// The parts of a layer with their sampled poses.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) rig: &'a Rig,
    /// In the order of descending weights.
    pub(crate) parts: &'a [Part],
    /// One pose per part, valid only in channels of the part's clip; other values are undefined and may be
    /// NaN.
    pub(crate) poses: &'a [Pose],
    /// The layers that [`Part::mask`] indexes.
    pub(crate) layers: &'a [MixLayer],
}

impl Parts<'_> {
    /// The weight of a part at the four nodes of a group.
    #[inline(always)]
    fn of_group(&self, part: &Part, group: usize) -> F32x4 {
        let weight = F32x4::splat(part.weight);
        self.mask(part).map_or(weight, |mask| mask.groups[group] * weight)
    }

    /// The weight of a part at a node, or without its mask for `None`.
    #[inline(always)]
    fn of_node(&self, part: &Part, node: Option<NodeId>) -> f32 {
        let (Some(mask), Some(node)) = (self.mask(part), node) else { return part.weight };
        F32x4::as_floats(&mask.groups)[node.index()] * part.weight
    }

    fn mask(&self, part: &Part) -> Option<&JointMask> {
        self.layers.get(part.mask?)?.mask.as_deref()
    }
}

/// Blends the parts over `pose`.
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

/// The path that [`vector`] selects.
pub(super) const fn vector_path<const SCALE: bool>() -> Path {
    if SCALE { Path::Scale } else { Path::Translation }
}

/// Fast path for two parts in a layer that hides the pose below: by far the most common case. Groups in which
/// both clips animate the same nodes need a shorter sum. Its result has the same bits, except that rotations
/// keep their length even if only some of the four nodes are animated.
struct Pair<'a> {
    lanes: [&'a [Lanes]; 2],
    groups: [&'a [TransformX4]; 2],
    weights: [F32x4; 2],
    /// The reciprocal of the sum of weights.
    scale: F32x4,
}

impl<'a> Pair<'a> {
    fn new(parts: Parts<'a>, amount: Amount<'_>) -> Option<Self> {
        let ([a, b], [pose_a, pose_b, ..]) = (parts.parts, parts.poses) else { return None };
        let total = a.weight + b.weight;
        let plain = amount.is_full() && a.mask.is_none() && b.mask.is_none();
        (plain && total >= 1.0).then(|| Self {
            lanes: [parts.rig.channel_set(a.clip).groups(), parts.rig.channel_set(b.clip).groups()],
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

    /// The blended rotation. It is not of unit length, which readers of a pose do not require.
    #[inline(always)]
    fn rotation(&self, [ax, ay, az, aw]: &[F32x4; 4], [bx, by, bz, bw]: &[F32x4; 4]) -> [F32x4; 4] {
        let (zero, one, tiny) = (F32x4::zero(), F32x4::splat(1.0), F32x4::splat(f32::MIN_POSITIVE));
        let [a, b] = self.weights;
        let norm = (*ax * *ax + *ay * *ay) + (*az * *az + *aw * *aw);
        let unit = norm.gt(tiny).select(norm, one);
        let (x, y, z, w) = (zero + *ax * a, zero + *ay * a, zero + *az * a, zero + *aw * a);
        let norm = (*bx * *bx + *by * *by) + (*bz * *bz + *bw * *bw);
        let dot = (x * *bx + y * *by) + (z * *bz + w * *bw);
        let b = (b * (unit / norm.max(tiny)).sqrt()).with_signs_of(dot);
        [x + *bx * b, y + *by * b, z + *bz * b, w + *bw * b]
    }
}

fn transforms(parts: Parts<'_>, amount: Amount<'_>, groups: &mut [TransformX4]) {
    for (g, below) in groups.iter_mut().enumerate() {
        transform(parts, amount, g, below);
    }
}

/// Blends all channels of group `g`.
#[inline(never)]
fn transform(parts: Parts<'_>, amount: Amount<'_>, g: usize, below: &mut TransformX4) {
    let Some(of_group) = amount.of_group(g) else { return };
    let any = parts
        .parts
        .iter()
        .fold(Lanes::default(), |any, part| any | parts.rig.channel_set(part.clip).groups()[g]);
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
        let lanes = parts.rig.channel_set(part.clip).groups()[g];
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
        let lanes = parts.rig.channel_set(part.clip).groups()[g];
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
            // Scales the others to the length of the first instead of normalizing each: saves a square root
            // and a division.
            unit = on.select(norm.gt(tiny).select(norm, one), one);
            none_yet = false;
        } else {
            let dot = (x * *px + y * *py) + (z * *pz + w * *pw);
            factor = (factor * (unit / norm.max(tiny)).sqrt()).with_signs_of(dot);
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
    let below_unit = (one / norm.max(tiny).sqrt()).with_signs_of(dot);
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

/// Blends one number: index `at` in the parts' lists, of a node or (`None`) of no node.
#[inline(always)]
fn number<'a>(
    parts: Parts<'a>,
    list: impl Fn(&'a Pose) -> &'a [f32],
    animated: impl Fn(ClipId) -> bool,
    (at, node): (usize, Option<NodeId>),
    amount: f32,
    below: f32,
) -> f32 {
    let (mut sum, mut share) = (0.0, 0.0);
    for (part, pose) in parts.parts.iter().zip(parts.poses) {
        if animated(part.clip) {
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
    if parts.parts.iter().all(|part| parts.rig.channel_set(part.clip).weights.is_empty()) {
        return;
    }
    for (at, (below, &node)) in weights.iter_mut().zip(parts.rig.node_of_weight()).enumerate() {
        let animated = |clip| parts.rig.channel_set(clip).weights.get(at) == Some(&true);
        let of = (at, Some(node));
        *below = number(parts, |pose| &pose.weights, animated, of, amount.of_node(node), *below);
    }
}

#[inline(never)]
fn properties(parts: Parts<'_>, amount: Amount<'_>, properties: &mut [f32]) {
    if parts.parts.iter().all(|part| parts.rig.channel_set(part.clip).properties.is_empty()) {
        return;
    }
    for (at, (below, node)) in properties.iter_mut().zip(parts.rig.node_of_property()).enumerate() {
        let animated = |clip| parts.rig.channel_set(clip).properties.get(at) == Some(&true);
        let Some(of) = *node else {
            *below = number(parts, |pose| &pose.properties, animated, (at, None), amount.weight, *below);
            continue;
        };
        // Visibility is Boolean: the part with the largest weight decides, if the sum of weights is at least
        // half.
        let among = parts.parts.iter().zip(parts.poses).filter(|(part, _)| animated(part.clip));
        let mut among =
            among.map(|(part, pose)| (parts.of_node(part, *node), pose)).filter(|(weight, _)| *weight > 0.0);
        let Some((first, pose)) = among.next() else { continue };
        let share = first + among.map(|(weight, _)| weight).sum::<f32>();
        if share.min(1.0) * amount.of_node(of) >= 0.5 {
            *below = pose.properties[at];
        }
    }
}
