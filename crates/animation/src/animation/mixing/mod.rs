//! Mixes of clips: layers, masks, blending, and inertia after a change.

mod additive;
mod blend;
mod inertia;
mod mask;
mod mix;
mod mixer;

pub(crate) use blend::{Amount, Part, Parts, blend};
pub use inertia::Inertia;
pub use mask::{JointMask, MaskError};
pub use mix::{COAST, Change, Contribution, LayerMode, Mix, MixLayer, PROBE, Reference};
pub use mixer::Mixer;

/// Deferred functions of this module; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 2] =
    [&inertia::DEFERRED, &mixer::DEFERRED];
