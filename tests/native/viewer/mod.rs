//! Stages and their actors, rendered by a stub of OpenGL.

mod allocation;
mod cast;
mod clips;
mod drawn_elsewhere;
mod edited_clips;
mod framing;
mod fronts;
mod spring_rates;
