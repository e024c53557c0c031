//! The render passes of a frame.

mod debug;
pub(crate) mod draw;
pub(crate) mod lines;
mod shadow;
mod sky;
mod target;
mod transmission;
mod uneven;

pub(crate) use debug::{ModelDebug, draw_surfaces, draw_wires};
pub(crate) use draw::{DrawList, Item, Pass, find_deformed, look_of};
pub(crate) use lines::Lines;
pub(crate) use shadow::Shadows;
pub(crate) use sky::Skies;
pub(crate) use transmission::Backdrop;
