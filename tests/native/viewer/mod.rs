//! Stages and their actors, rendered by a stub of OpenGL.

mod allocation;
mod apart;
mod cast;
mod framing;
