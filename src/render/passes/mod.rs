//! The render passes of a frame.

mod debug;
mod draw;
mod lines;
mod shadow;
mod sky;
mod target;
mod transmission;
mod uneven;

pub(crate) use debug::{ModelDebug, draw_surfaces, draw_wires};
pub(crate) use draw::{DrawList, Item, Pass, find_deformed};
pub(crate) use lines::Lines;
pub(crate) use shadow::Shadows;
pub(crate) use sky::Skies;
pub(crate) use transmission::Backdrop;

/// The deferred lists of this module; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 3] =
    [&draw::DEFERRED, &lines::DEFERRED, &uneven::DEFERRED];
