//! State machines: their files, their rules, and an independent implementation.

mod invalid;
mod model;
mod rules;
mod schema;
pub(crate) mod script;
