//! State machines: their files, their rules, and an independent implementation.

mod invalid;
mod model;
mod rules;
pub(crate) mod script;
