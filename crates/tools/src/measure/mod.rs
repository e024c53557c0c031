//! The measure of errors: distances between the skinned vertices of two models, in metres, over time.

mod diff;
mod nearest;
mod pairs;
mod posed;
mod times;

pub(crate) use diff::compare;
pub use diff::{ClipDifference, Comparison, Difference, Place, diff};
pub(crate) use pairs::Pairs;
pub(crate) use posed::{Chosen, Posed, geometric, own, picked, representatives, strip};
pub(crate) use times::{fours, grid, sample_times};
