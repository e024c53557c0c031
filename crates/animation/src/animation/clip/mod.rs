//! Clips of files, compiled to tables of keys for sampling.

mod channel_set;
mod columns;
mod compile;
mod number_tracks;
mod rows;
mod table;

pub(crate) use channel_set::{ChannelSet, Lanes};
pub(crate) use compile::Compiling;
pub(crate) use table::ClipTables;
