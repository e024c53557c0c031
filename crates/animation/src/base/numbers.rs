//! Comparisons of numbers, and the largest coordinate.

/// The largest absolute coordinate, in metres, that boxes and cameras include. The squares of such lengths,
/// and of a few times as much, are finite in f32.
pub const REACH: f32 = 1e18;

/// The smaller of two numbers; the first if either is NaN. (`min` of floats is a function call in WebAssembly
/// built for size.)
#[inline(always)]
pub fn lesser<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// The larger of two numbers; the first if either is NaN.
#[inline(always)]
pub fn greater<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}
