//! Additive layers: adds the difference between two poses to a third, four nodes at a time.
//!
//! The difference is in the node's local space, and only in channels that the clip animates:
//!
//! ```text
//! T + w·(t − t_ref)      R · nlerp(1, r_ref⁻¹·r, w)      S · (w·s/s_ref + 1 − w)
//! ```
//!
//! The rotation takes the shorter arc, and `s/s_ref` is 1 where `s_ref` is 0. At `w = 1` the full difference
//! is added.

use super::blend::{Amount, Part};
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::F32x4;
use crate::model::Path;
use gambol_kernels::TransformX4;

/// A clip's pose and its reference pose.
#[derive(Clone, Copy)]
pub(super) struct Difference<'a> {
    pub(super) rig: &'a Rig,
    pub(super) part: Part,
    /// Valid only in channels of the part's clip; other values are undefined and may be NaN.
    pub(super) pose: &'a Pose,
    pub(super) reference: &'a Pose,
}

/// Adds a difference to `pose`.
pub(super) fn add(difference: Difference<'_>, amount: Amount<'_>, pose: &mut Pose) {
    translations(difference, amount, &mut pose.groups);
    rotations(difference, amount, &mut pose.groups);
    scales(difference, amount, &mut pose.groups);
    numbers(difference, amount, pose);
}

#[inline(never)]
fn translations(difference: Difference<'_>, amount: Amount<'_>, groups: &mut [TransformX4]) {
    let Difference { rig, part, pose, reference } = difference;
    let channels = rig.channel_set(part.clip);
    if !channels.any(Path::Translation) {
        return;
    }
    let (channels, poses, references) =
        (channels.groups(), pose.groups.as_slice(), reference.groups.as_slice());
    for (g, out) in groups.iter_mut().enumerate() {
        let Some(on) = channels[g].of(Path::Translation) else { continue };
        let Some(amount) = amount.of_group(g) else { continue };
        let weight = amount * F32x4::splat(part.weight);
        let ([px, py, pz], [rx, ry, rz]) = (&poses[g].translation, &references[g].translation);
        let [x, y, z] = &mut out.translation;
        *x = on.select(*x + (*px - *rx) * weight, *x);
        *y = on.select(*y + (*py - *ry) * weight, *y);
        *z = on.select(*z + (*pz - *rz) * weight, *z);
    }
}

#[inline(never)]
fn rotations(difference: Difference<'_>, amount: Amount<'_>, groups: &mut [TransformX4]) {
    let (one, tiny) = (F32x4::splat(1.0), F32x4::splat(f32::MIN_POSITIVE));
    let Difference { rig, part, pose, reference } = difference;
    let channels = rig.channel_set(part.clip);
    if !channels.any(Path::Rotation) {
        return;
    }
    let (channels, poses, references) =
        (channels.groups(), pose.groups.as_slice(), reference.groups.as_slice());
    for (g, out) in groups.iter_mut().enumerate() {
        let Some(on) = channels[g].of(Path::Rotation) else { continue };
        let Some(amount) = amount.of_group(g) else { continue };
        let weight = amount * F32x4::splat(part.weight);
        let ([px, py, pz, pw], [rx, ry, rz, rw]) = (&poses[g].rotation, &references[g].rotation);
        // r_ref⁻¹ · r
        let dx = (*rw * *px - *rx * *pw) + (*rz * *py - *ry * *pz);
        let dy = (*rw * *py - *ry * *pw) + (*rx * *pz - *rz * *px);
        let dz = (*rw * *pz - *rz * *pw) + (*ry * *px - *rx * *py);
        let dw = (*rw * *pw + *rx * *px) + (*ry * *py + *rz * *pz);
        // From the identity to the difference along the shorter arc.
        let norm = (dx * dx + dy * dy) + (dz * dz + dw * dw);
        let factor = weight / norm.max(tiny).sqrt();
        let factor = factor.with_signs_of(dw);
        let (nx, ny, nz) = (dx * factor, dy * factor, dz * factor);
        let nw = dw * factor + (one - weight);
        let [x, y, z, w] = &mut out.rotation;
        let (bx, by, bz, bw) = (*x, *y, *z, *w);
        *x = on.select((bw * nx + bx * nw) + (by * nz - bz * ny), bx);
        *y = on.select((bw * ny + by * nw) + (bz * nx - bx * nz), by);
        *z = on.select((bw * nz + bz * nw) + (bx * ny - by * nx), bz);
        *w = on.select((bw * nw - bx * nx) - (by * ny + bz * nz), bw);
    }
}

#[inline(never)]
fn scales(difference: Difference<'_>, amount: Amount<'_>, groups: &mut [TransformX4]) {
    let (zero, one) = (F32x4::zero(), F32x4::splat(1.0));
    let Difference { rig, part, pose, reference } = difference;
    let channels = rig.channel_set(part.clip);
    if !channels.any(Path::Scale) {
        return;
    }
    let (channels, poses, references) =
        (channels.groups(), pose.groups.as_slice(), reference.groups.as_slice());
    for (g, out) in groups.iter_mut().enumerate() {
        let Some(on) = channels[g].of(Path::Scale) else { continue };
        let Some(amount) = amount.of_group(g) else { continue };
        let weight = amount * F32x4::splat(part.weight);
        let kept = one - weight;
        let ([px, py, pz], [rx, ry, rz]) = (&poses[g].scale, &references[g].scale);
        let ratio = |p: F32x4, r: F32x4| (r * r).gt(zero).select(p / r, one);
        let [x, y, z] = &mut out.scale;
        *x = on.select(*x * (ratio(*px, *rx) * weight + kept), *x);
        *y = on.select(*y * (ratio(*py, *ry) * weight + kept), *y);
        *z = on.select(*z * (ratio(*pz, *rz) * weight + kept), *z);
    }
}

/// Morph weights and properties.
#[inline(never)]
fn numbers(difference: Difference<'_>, amount: Amount<'_>, out: &mut Pose) {
    let Difference { rig, part, pose, reference } = difference;
    let channels = rig.channel_set(part.clip);
    for (at, (&on, &node)) in channels.weights.iter().zip(rig.node_of_weight()).enumerate() {
        if on {
            let weight = part.weight * amount.of_node(node);
            out.weights[at] += weight * (pose.weights[at] - reference.weights[at]);
        }
    }
    for (at, (&on, node)) in channels.properties.iter().zip(rig.node_of_property()).enumerate() {
        if !on {
            continue;
        }
        let (value, reference) = (pose.properties[at], reference.properties[at]);
        match *node {
            None => out.properties[at] += part.weight * amount.weight * (value - reference),
            // Visibility is Boolean: a change of it counts from half the weight on.
            Some(node) if part.weight * amount.of_node(node) >= 0.5 && value != reference => {
                out.properties[at] = value;
            }
            Some(_) => {}
        }
    }
}
