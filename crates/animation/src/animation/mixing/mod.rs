//! Mixes of clips: layers, masks, blending, and inertia after a change.

mod additive;
mod blend;
pub(crate) mod inertia;
mod mask;
mod mix;
pub(crate) mod mixer;

pub(crate) use blend::{Amount, Part, Parts, blend};
pub use inertia::Inertia;
pub use mask::{JointMask, MaskError};
pub use mix::{COAST, Change, Contribution, LayerMode, Mix, MixLayer, PROBE, Reference};
pub use mixer::Mixer;
