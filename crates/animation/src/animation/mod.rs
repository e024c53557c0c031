//! Time → pose → palette: pure functions over flat arrays, without browser and clock.
//!
//! A [`Rig`] is the compiled animation of a model, shared by all its actors. A frame of an actor has three
//! steps: [`Rig::sample`] writes a [`Pose`], [`Rig::node_matrices`] multiplies down the tree,
//! [`Rig::palette`] applies the inverse bind matrices. The result depends on the clip and the time alone, to
//! the last bit, on every machine.

pub(crate) mod actor;
mod clip;
mod clip_set;
pub(crate) mod crowd;
pub(crate) mod flipbook;
mod joint_names;
pub(crate) mod mixing;
pub(crate) mod player;
mod pose;
mod pose_hash;
pub(crate) mod procedural;
mod rest_pose;
pub mod retarget;
mod rig;
pub(crate) mod skin;
mod snapshot;
mod states;

pub use crate::base::{Aabb, Affine, F32x4};
pub use actor::Actor;
pub use clip_set::ClipSet;
pub use crowd::{
    Crowd, CrowdError, CrowdView, Fading, MAX_MESH_LEVELS, MemberPart, PaletteBatch, PoseRequest, UpdateRate,
};
pub use flipbook::{Flipbook, FlipbookClock, Flipbooks};
pub use joint_names::find_joint;
pub use mixing::{
    COAST, Change, Contribution, Inertia, JointMask, LayerMode, MaskError, Mix, MixLayer, Mixer, PROBE,
    Reference,
};
pub use player::{
    Action, BlendSpace, BlendSpaceError, ClipRoot, Event, EventKind, Layer, LayerOptions, LoopMode, MAX_STEP,
    Player, Playing, Position, Rigid, RootPath, RootTravel, Source, SyncMode, Transition, TransitionOptions,
    Transport, Velocity,
};
pub use pose::Pose;
pub use pose_hash::pose_hash;
pub use procedural::{
    Billboard, Billboards, Blinks, ChainGoals, ChainIk, ChainSolver, ChangedMaterial, Expressions, EyeJoint,
    Facing, Feet, Gaze, GazeControl, GazeJoint, Glances, GroundContacts, GroundPoint, GroundedPoint,
    JointLimit, LegBones, LookAt, MaterialChange, MaterialChanges, MorphOverride, MorphOverrides, Override,
    Overrides, RootMotion, RootOptions, RootRotation, Space, Springs, TwoBoneIk, extract, in_place, root_of,
    unscaled,
};
pub use retarget::retarget;
pub use rig::{Rig, RigBuilder};
pub use skin::{
    Bounds, Deformed, Dop, Framing, Hit, Outline, PosedModel, Ray, Sharing, Skinning, Triangles,
    around_all_vertices, deform, deform_position, rotations,
};
pub use snapshot::{
    Snapshot, SnapshotLists, SnapshotMesh, SnapshotMeshes, SnapshotPrimitive, local_transforms,
    triangle_corners,
};
pub use states::{StateEvent, States, StatesWarning};
