//! Stages and cameras; connects animation and rendering.

mod camera;
pub(crate) mod cast;
mod context;
mod error;
mod light;
pub(crate) mod models;
mod shared_models;
pub(crate) mod stage;

pub use camera::{Camera, cameras};
pub use cast::{
    ActorId, Asset, AssetBuilder, Cast, CrowdMember, DebugViews, JointSpace, Member, RecordedFrame,
};
pub use context::Context;
pub use error::StageError;
pub use models::deforms_on_cpu;
pub use stage::{EnvironmentSource, Picked, Projected, Stage, Stats, Still, SurfacePoint, TickResult, View};
