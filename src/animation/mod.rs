//! Time → pose → palette: pure functions over flat arrays, no browser, no clock.
//!
//! A [`Rig`] is what a model's animation compiles to, shared by all its actors. Each frame of an actor is one
//! pass: [`Rig::sample`] writes a [`Pose`], [`Rig::node_matrices`] multiplies down the tree,
//! [`Rig::palette`] applies the inverse bind matrices. The result depends on the clip and the time
//! alone, to the last bit, on every machine.

mod actor;
mod additive;
mod affine;
mod blend;
mod blend_space;
mod borrow;
mod bounds;
mod columns;
mod crowd;
mod dop;
mod dual_quaternion;
mod events;
mod flat;
mod framing;
mod goals;
mod hash;
mod inertia;
mod joints;
mod mask;
mod mix;
mod mixer;
mod overrides;
mod player;
mod playhead;
mod pose;
mod quartet;
mod ray;
mod rig;
mod root_motion;
mod sharing;
mod simd;
mod skinning;
mod slerp;
mod table;
mod timeline;
mod touched;
mod transition;
mod triangles;

pub use actor::Actor;
pub use affine::Affine;
pub use blend_space::{BlendSpace, BlendSpaceError, SyncMode};
pub use borrow::{Borrowed, borrow_clips};
pub use bounds::{Aabb, Bounds};
pub use crowd::{Crowd, CrowdError, CrowdView, MemberPart, UpdateRate};
pub use dop::Dop;
pub use dual_quaternion::{Skinning, rotations};
pub use events::{Event, EventKind};
pub use framing::{Framing, Outline, around_all_vertices};
pub use goals::{Aim, Reach};
pub use hash::pose_hash;
pub use inertia::Inertia;
pub use joints::find_joint;
pub use mask::{JointMask, MaskError};
pub use mix::{Contribution, LayerMode, Mix, MixLayer, Reference};
pub use mixer::Mixer;
pub use overrides::{Override, Overrides, Space, unscaled};
pub use player::{MAX_STEP, Player};
pub use playhead::{Source, Transport};
pub use pose::Pose;
pub use quartet::{Fading, Quartet, Wanted};
pub use ray::Ray;
pub use rig::{Rig, RigBuilder};
pub use root_motion::{Journey, RootMotion, Way, in_place};
pub use sharing::Sharing;
pub use simd::F32x4;
pub use skinning::{Deformed, deform, deform_position};
pub use timeline::{Action, LoopMode, Position};
pub use transition::{Change, Layer, LayerOptions, Transition, TransitionOptions};
pub use triangles::{Hit, PosedModel, Triangles};
