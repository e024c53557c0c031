//! What is on stage and from where it is seen: ties animation and rendering.

mod actor;
mod camera;
mod lights;
mod stage;

pub use actor::Actor;
pub use camera::Camera;
pub use stage::{Asset, Stage};
