//! Lighting of a stage: panoramas, the studio, the lights of files.

mod punctual;
mod studio;

pub(crate) use punctual::{keep_strongest, lights};
pub(crate) use studio::{key as studio_key, studio};
