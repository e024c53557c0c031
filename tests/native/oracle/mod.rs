//! Poses and vertices compared with numbers that independent code computed.

#![expect(clippy::print_stdout, reason = "the errors of each file are worth seeing with --nocapture")]

mod actual;
mod encodings;
mod equivalence;
mod evaluator;
mod expected;
mod features;
mod files;
mod generated;
mod keys;
mod limits;
pub(crate) mod meshopt;
mod properties;
mod source;

pub(crate) use expected::skipped;
