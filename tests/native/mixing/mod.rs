//! Mixing of clips and layers, and transitions between them.

mod actor;
mod inertia;
mod mixer;
mod model;
