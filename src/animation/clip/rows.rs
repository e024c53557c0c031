//! The layout of a row of keys.

use crate::base::F32x4;
use crate::model::{Interpolation, Path};

/// In-tangent, value and out-tangent, or the value alone.
pub(super) fn parts(interpolation: Interpolation) -> usize {
    if interpolation == Interpolation::CubicSpline { 3 } else { 1 }
}

/// The number of `F32x4` of a track in a row. Linear rotations carry two more: see [`correction`](super::slerp::correction).
#[inline(always)]
pub(super) fn track_width(path: Path, interpolation: Interpolation) -> usize {
    let components = if path == Path::Rotation { 4 } else { 3 };
    match interpolation {
        Interpolation::Step => components,
        Interpolation::Linear if path == Path::Rotation => 6,
        Interpolation::Linear => components,
        Interpolation::CubicSpline => 3 * components,
    }
}

pub(super) fn set_lane(rows: &mut [F32x4], index: usize, lane: usize, value: f32) {
    F32x4::as_floats_mut(&mut rows[index..index + 1])[lane] = value;
}
