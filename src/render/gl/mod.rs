//! The only module that calls GL: objects with single owners, the state cache, and uploads.
//!
//! Every `unsafe` block calls `glow`, which requires valid GL calls and a current context.
//! The caller of [`Gl::new`] guarantees that the context is current; on the web it always is.
//! Names are alive because of ownership: an object deletes its name when it is dropped.

mod buffer;
mod cache;
mod context;
mod cost;
mod fence;
mod object;
mod program;
mod state;
mod target;
mod texture;
mod view;

pub(crate) use buffer::{Attribute, as_bytes};
pub(crate) use cache::{Coverage, Cull, DrawRange};
pub(crate) use context::Gl;
pub use context::LiveObjects;
pub use cost::Cost;
pub(crate) use fence::Fence;
pub(crate) use object::{Buffer, CubeMap, Framebuffer, Program, Sampler, Shader, Texture, VertexArray};
pub(crate) use program::{Stage, UniformLocation};
pub(crate) use target::TargetFormat;
pub use texture::BlockFormat;
pub(crate) use texture::TexelFormat;
pub use view::ViewTarget;
