//! Stages and their actors, drawn by an OpenGL that does nothing.

mod allocation;
mod apart;
mod cast;
mod framing;
