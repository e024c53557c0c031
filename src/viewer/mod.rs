//! What is on stage and from where it is seen: ties animation and rendering.

mod asset;
mod camera;
mod cast;
mod context;
mod debug;
mod error;
mod lens;
mod lighting;
mod lights;
mod models;
mod stage;
mod studio;

pub use asset::{Asset, AssetBuilder};
pub use camera::Camera;
pub use cast::{ActorId, Cast, CrowdMember, JointSpace, Member};
pub use context::Context;
pub use debug::DebugViews;
pub use error::StageError;
pub use lens::cameras;
pub use lighting::Environs;
pub use stage::{Picked, Projected, Stage, Stats, Still, SurfacePoint, Ticked};
