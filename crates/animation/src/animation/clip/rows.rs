//! The layout of a row of keys.

use crate::base::F32x4;
use crate::model::Interpolation;

/// The number of parts of a key: in-tangent, value and out-tangent, or the value alone.
pub(super) fn parts(interpolation: Interpolation) -> usize {
    if interpolation == Interpolation::CubicSpline { 3 } else { 1 }
}

pub(super) fn set_lane(rows: &mut [F32x4], index: usize, lane: usize, value: f32) {
    F32x4::as_floats_mut(&mut rows[index..index + 1])[lane] = value;
}

/// Converts the interpolation to the type of the kernels.
pub(super) fn kernel_interpolation(interpolation: Interpolation) -> gambol_kernels::Interpolation {
    match interpolation {
        Interpolation::Step => gambol_kernels::Interpolation::Step,
        Interpolation::Linear => gambol_kernels::Interpolation::Linear,
        Interpolation::CubicSpline => gambol_kernels::Interpolation::CubicSpline,
    }
}
