//! Clips of files, compiled to tables of keys for sampling.

mod channel_set;
mod columns;
mod compile;
mod import_clips;
mod number_tracks;
mod rows;
mod table;

pub(crate) use channel_set::{Lanes, Touched};
pub(crate) use compile::Compiling;
pub use import_clips::{Borrowed, borrow_clips};
pub(crate) use table::ClipTables;
