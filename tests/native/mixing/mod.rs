//! Mixing of clips and layers, and transitions between them.

mod actor;
mod hull;
mod inertia;
mod mixer;
mod model;
