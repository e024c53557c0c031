//! Draws models with WebGL2: GL objects, programs, the pass; owns all GL state.
//!
//! A frame: the matrices of all actors go into the palette texture, followed by the list of active morph
//! targets; then each primitive of each drawable is one draw, whose vertices are morphed, blended and placed
//! by the vertex shader. Programs come from `shaders/`, one for each combination of features that a
//! primitive needs.
//!
//! `model` and `glow` are all that this module knows.

mod anchor;
mod backdrop;
mod compressed;
mod draw;
mod error;
mod frame;
mod geometry;
mod gl;
mod gpu_model;
mod images;
mod material;
mod morph;
mod palette;
mod programs;
mod renderer;
mod samplers;
mod source;
mod variant;

pub use compressed::CompressedImage;
pub use error::RenderError;
pub use frame::{ActorDraw, DeformedPrimitive, Frame, MAX_LIGHTS, PunctualLight};
pub use gl::{BlockFormat, LiveObjects};
pub use renderer::{ModelHandle, Renderer};
