//! The measure of errors: distances between the skinned vertices of two models, in metres, over time.

mod diff;
mod posed;
mod times;

pub use diff::{ClipDifference, Comparison, Difference, Place, diff};
pub(crate) use diff::{Pairs, compare};
pub(crate) use posed::{Chosen, Posed, representatives, strip};
pub(crate) use times::{grid, sample_times};
