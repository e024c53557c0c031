//! Baked clips and exported files, compared with the skinning of the source on the CPU.

mod bake;
mod changes;
mod clips;
pub(crate) mod common;
mod crowd;
mod nodes;
mod obj;
mod pose;
mod validator;
