//! Benchmarks behind plain exports.
