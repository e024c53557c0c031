//! The player: its time and its events.

mod contract;
mod events;
mod model;
mod script;
