//! Poses and vertices against numbers that gambol's own code did not compute.

#![expect(clippy::print_stdout, reason = "the errors of each file are worth seeing with --nocapture")]

#[path = "oracle/actual.rs"]
mod actual;
#[path = "oracle/builder.rs"]
mod builder;
#[path = "../examples/pose/draco.rs"]
mod draco;
#[path = "../examples/pose/dump.rs"]
mod dump;
#[path = "oracle/encodings.rs"]
mod encodings;
#[path = "oracle/equivalence.rs"]
mod equivalence;
#[path = "oracle/evaluator.rs"]
mod evaluator;
#[path = "oracle/expected.rs"]
mod expected;
#[path = "oracle/features.rs"]
mod features;
#[path = "oracle/files.rs"]
mod files;
#[path = "oracle/generated.rs"]
mod generated;
#[path = "oracle/limits.rs"]
mod limits;
#[path = "oracle/meshopt.rs"]
mod meshopt;
#[path = "oracle/properties.rs"]
mod properties;
#[path = "oracle/random.rs"]
mod random;
#[path = "oracle/source.rs"]
mod source;
