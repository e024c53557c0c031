//! Enums of the JavaScript API: TypeScript has them as unions of strings, with types generated from here.
//!
//! The package validates the input of pages, so an unknown word is a bug in the package. It counts as the
//! first one.

use super::structures::words;
use crate::{animation, model, render};

words! {
    /// The loop mode of a clip: repeat, play once, or alternate forwards and backwards.
    pub enum LoopMode = animation::LoopMode {
        Repeat = "repeat",
        Once = "once",
        PingPong = "pingpong",
    }
}

words! {
    /// The root motion mode of clips: kept, removed, accumulated in the actor's place, or extracted for the page.
    pub enum RootMotion = animation::RootMotion {
        Keep = "keep",
        InPlace = "in-place",
        Accumulate = "accumulate",
        Extract = "extract",
    }
}

words! {
    /// The rotation that is part of root motion.
    pub enum RootRotation = animation::RootRotation {
        None = "none",
        Yaw = "yaw",
        Full = "full",
    }
}

words! {
    /// The synchronization of a clip with the base: none, same fraction of the length, or same fraction between
    /// markers of the same names.
    pub enum SyncMode = animation::SyncMode {
        None = "none",
        Phase = "phase",
        Marker = "marker",
    }
}

words! {
    /// The space of a joint's transform: its parent, its model, the world.
    pub enum Space = animation::Space {
        Local = "local",
        Model = "model",
        World = "world",
    }
}

words! {
    /// The poses that the camera frames.
    pub enum Framing = animation::Framing {
        Clip = "clip",
        AllClips = "all-clips",
        Pose = "pose",
        Rest = "rest",
    }
}

words! {
    /// The skinning method.
    pub enum Skinning = animation::Skinning {
        Linear = "linear",
        DualQuaternion = "dual-quaternion",
    }
}

words! {
    /// The level of detail of small members of a crowd: cached poses if the difference is not visible, or sampled
    /// in each frame.
    pub enum UpdateRate = animation::UpdateRate {
        Auto = "auto",
        Full = "full",
    }
}

words! {
    /// The tone mapping curve.
    pub enum ToneMapping = render::ToneMapping {
        Neutral = "neutral",
        AgX = "agx",
        Aces = "aces",
        None = "none",
    }
}

words! {
    /// A format of compressed textures.
    pub enum BlockFormat = render::BlockFormat {
        Bc1 = "bc1",
        Bc3 = "bc3",
        Bc7 = "bc7",
        Etc2Rgb = "etc2-rgb",
        Etc2Rgba = "etc2-rgba",
        Astc4x4 = "astc-4x4",
    }
}

words! {
    /// The result of an upload step: complete, more work, or more work after the GPU has caught up. In the last
    /// case an immediate next step would block the page.
    pub enum StepResult = render::Progress {
        Done = "done",
        More = "more",
        Busy = "busy",
    }
}

words! {
    /// The kind of transition between clips: inertial, a crossfade, or a cut.
    pub enum TransitionMode {
        Inertial = "inertial",
        Crossfade = "crossfade",
        Cut = "cut",
    }
}

impl TransitionMode {
    /// The transition of this kind with a duration in seconds.
    pub(super) fn lasting(self, seconds: f64) -> animation::Transition {
        match self {
            Self::Crossfade => animation::Transition::Crossfade(seconds),
            Self::Cut => animation::Transition::Cut,
            _ => animation::Transition::Inertial(seconds),
        }
    }
}

words! {
    /// The way a layer combines with the layers below.
    pub enum LayerMode {
        Override = "override",
        Average = "average",
        Additive = "additive",
    }
}

words! {
    /// The effect of an expression on others.
    pub enum ExpressionRule = model::ExpressionOverride {
        None = "none",
        Block = "block",
        Blend = "blend",
    }
}

words! {
    /// The space that carries spring bones without making them swing.
    pub enum SpringSpace {
        World = "world",
        Model = "model",
        Joint = "joint",
    }
}

words! {
    /// The solver of a chain's IK.
    pub enum Solver = animation::ChainSolver {
        Fabrik = "fabrik",
        Ccd = "ccd",
    }
}

words! {
    /// The kind of an event.
    pub enum StageEventType {
        Play = "play",
        Pause = "pause",
        Seeking = "seeking",
        Seeked = "seeked",
        TimeUpdate = "timeupdate",
        Marker = "marker",
        Loop = "loop",
        Finished = "finished",
        ClipChange = "clipchange",
        RateChange = "ratechange",
        StateChange = "statechange",
    }
}

impl From<&animation::EventKind> for StageEventType {
    fn from(kind: &animation::EventKind) -> Self {
        match kind {
            animation::EventKind::Play => Self::Play,
            animation::EventKind::Pause => Self::Pause,
            animation::EventKind::Seeking => Self::Seeking,
            animation::EventKind::Seeked => Self::Seeked,
            animation::EventKind::TimeUpdate => Self::TimeUpdate,
            animation::EventKind::Marker { .. } => Self::Marker,
            animation::EventKind::Loop { .. } => Self::Loop,
            animation::EventKind::Finished => Self::Finished,
            animation::EventKind::ClipChange { .. } => Self::ClipChange,
            animation::EventKind::RateChange => Self::RateChange,
            animation::EventKind::State { .. } => Self::StateChange,
        }
    }
}

words! {
    /// The use of alpha by a material.
    pub enum AlphaMode {
        Opaque = "opaque",
        Mask = "mask",
        Blend = "blend",
    }
}

words! {
    /// A switch of a material.
    pub enum MaterialFlag {
        DoubleSided = "double-sided",
        Unlit = "unlit",
    }
}

words! {
    /// The wrap mode of a texture outside of 0 … 1.
    pub enum Wrap = model::Wrap {
        ClampToEdge = "clamp",
        MirroredRepeat = "mirror",
        Repeat = "repeat",
    }
}

words! {
    /// The filter of a texture.
    pub enum Filter = model::Filter {
        Nearest = "nearest",
        Linear = "linear",
    }
}

words! {
    /// The use of mipmaps of a texture.
    pub enum MipFilter = model::MipFilter {
        None = "none",
        Nearest = "nearest",
        Linear = "linear",
    }
}
