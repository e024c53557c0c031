//! Draws models with WebGL2: GL objects, programs, render passes; owns all GL state.
//!
//! The matrices of all actors are uploaded to the palette texture, followed by the list of active morph targets.
//! Then each primitive of each drawable is one draw call. The vertex shader applies morph targets, skinning and
//! placement. Programs are built from `shaders/`, one for each combination of features that a primitive needs.
//!
//! This module depends only on `base`, `model` and `glow`.

mod debug_view;
mod error;
mod frame;
#[expect(unsafe_code, reason = "calls of GL")]
mod gl;
pub(crate) mod light;
pub(crate) mod passes;
pub(crate) mod programs;
mod progress;
pub(crate) mod renderer;
pub(crate) mod resources;

pub use debug_view::{Channel, Debug, Line, LineKind, line};
pub use error::RenderError;
pub use frame::{ActorDraw, Frame};
pub use gl::{BlockFormat, Cost, LiveObjects, ViewTarget};
pub use light::{Environment, Lighting, MAX_LIGHTS, PunctualLight, ShadowArea, ToneMapping, UnevenGround};
pub use progress::Progress;
pub use renderer::Renderer;
pub use resources::{
    CompressedImage, DeformedPrimitive, MaterialUse, MaterialVersion, ModelHandle, OwnMaterial,
    PictureTexture, Pixels,
};
