#![doc = include_str!("../README.md")]

mod document;
mod error;

pub use document::{Accessor, Component, Document, Kind, Stream, View, Written};
pub use error::{ToolsError, codes};
