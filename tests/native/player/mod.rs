//! The player: its time, its events.

mod contract;
mod events;
mod model;
mod script;
