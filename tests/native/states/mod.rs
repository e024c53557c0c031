//! State machines: their files, their rules, and an independent implementation.

mod golden;
mod invalid;
mod model;
mod rules;
mod schema;
pub(crate) mod script;
mod steps;
