//! Stages and cameras; connects animation and rendering.

mod camera;
mod cast;
mod context;
mod error;
mod light;
mod models;
mod shared_models;
mod stage;

pub use camera::{Camera, cameras};
pub use cast::{
    ActorId, Asset, AssetBuilder, Cast, CrowdMember, DebugViews, JointSpace, Member, RecordedFrame,
};
pub use context::Context;
pub use error::StageError;
pub use models::deforms_on_cpu;
pub use stage::{EnvironmentSource, Picked, Projected, Stage, Stats, Still, SurfacePoint, TickResult};

/// The deferred lists of this module; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 3] =
    [&cast::DEFERRED_LISTS, &models::DEFERRED, &stage::DEFERRED_LISTS];
