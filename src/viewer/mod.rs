//! What is on stage and from where it is seen: ties animation and rendering.

mod camera;
mod lens;
mod lights;
mod stage;

pub use camera::Camera;
pub use stage::{Asset, Stage};
