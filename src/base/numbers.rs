//! Comparisons of numbers, and the largest coordinate.

/// The farthest from the origin along an axis, in metres, at which anything counts for boxes and cameras: squares of lengths of up to
/// a few times that are finite in f32.
pub const REACH: f32 = 1e18;

/// The lesser of two numbers, the first where either is none. (`min` of floats is a call where WebAssembly is built for size.)
#[inline(always)]
pub(crate) fn lesser<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// The greater of two numbers, likewise.
#[inline(always)]
pub(crate) fn greater<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}
