//! Clips and layers that are mixed, and transitions between them.

mod actor;
mod inertia;
mod mixer;
mod model;
