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
mod brdf_table;
mod compressed;
mod debug;
mod draw;
mod effect;
mod environment;
mod error;
mod frame;
mod geometry;
mod gl;
mod gpu_model;
mod images;
mod influences;
mod lighting;
mod lines;
mod material;
mod morph;
mod palette;
mod pixels;
mod prefilter;
mod programs;
mod renderer;
mod samplers;
mod shadow;
mod sky;
mod source;
mod upload;
mod variant;

pub use compressed::CompressedImage;
pub use debug::{Channel, Debug};
pub use environment::Environment;
pub use error::RenderError;
pub use frame::{ActorDraw, DeformedPrimitive, Frame, MAX_LIGHTS, PunctualLight};
pub use gl::{BlockFormat, Cost, LiveObjects};
pub use lighting::{Lighting, ToneMapping};
pub use lines::{Ink, Line, line};
pub use pixels::Pixels;
pub use renderer::{ModelHandle, Renderer};
pub use shadow::ShadowArea;
pub use upload::Progress;
