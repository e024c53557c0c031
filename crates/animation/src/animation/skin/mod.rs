//! Vertices and their joints: CPU skinning, bounds, picking.

mod bounds;
mod cpu_skinning;
mod dop;
pub(crate) mod dual_quaternion;
mod outline;
mod shared_vertices;
pub(crate) mod triangles;

pub use bounds::Bounds;
pub(crate) use cpu_skinning::linear_position;
pub use cpu_skinning::{Deformed, deform, deform_position};
pub use dop::Dop;
pub(crate) use dual_quaternion::rotations_of;
pub use dual_quaternion::{Skinning, rotations};
pub use gambol_kernels::Ray;
pub use outline::{Framing, Outline, around_all_vertices};
pub use shared_vertices::Sharing;
pub(crate) use shared_vertices::apart;
pub use triangles::{Hit, PosedModel, Triangles};
