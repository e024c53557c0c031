//! Enums of the JavaScript API: TypeScript has them as unions of strings, with types generated from here.
//!
//! The package validates the input of pages, so an unknown word is a bug in the package. It counts as the
//! first one.

use crate::{animation, render};
use wasm_bindgen::prelude::*;

/// Defines conversions between an enum of words and the core's enum with the same variants.
macro_rules! converted {
    ($name:ident, $core:ty: $first:ident, $($variant:ident),*) => {
        impl From<$name> for $core {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$variant => Self::$variant,)*
                    _ => Self::$first,
                }
            }
        }

        impl From<$core> for $name {
            fn from(value: $core) -> Self {
                match value {
                    <$core>::$first => Self::$first,
                    $(<$core>::$variant => Self::$variant,)*
                }
            }
        }
    };
}

/// The loop mode of a clip: repeat, play once, or alternate forwards and backwards.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum LoopMode {
    Repeat = "repeat",
    Once = "once",
    PingPong = "pingpong",
}

converted!(LoopMode, animation::LoopMode: Repeat, Once, PingPong);

/// The root motion mode of clips: kept, removed, accumulated in the actor's place, or extracted for the page.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum RootMotion {
    Keep = "keep",
    InPlace = "in-place",
    Accumulate = "accumulate",
    Extract = "extract",
}

converted!(RootMotion, animation::RootMotion: Keep, InPlace, Accumulate, Extract);

/// The rotation that is part of root motion.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum RootRotation {
    None = "none",
    Yaw = "yaw",
    Full = "full",
}

converted!(RootRotation, animation::RootRotation: None, Yaw, Full);

/// The synchronization of a clip with the base: none, same fraction of the length, or same fraction between
/// markers of the same names.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum SyncMode {
    None = "none",
    Phase = "phase",
    Marker = "marker",
}

converted!(SyncMode, animation::SyncMode: None, Phase, Marker);

/// The space of a joint's transform: its parent, its model, the world.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum Space {
    Local = "local",
    Model = "model",
    World = "world",
}

converted!(Space, animation::Space: Local, Model, World);

/// The poses that the camera frames.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum Framing {
    Clip = "clip",
    AllClips = "all-clips",
    Pose = "pose",
    Rest = "rest",
}

converted!(Framing, animation::Framing: Clip, AllClips, Pose, Rest);

/// The skinning method.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum Skinning {
    Linear = "linear",
    DualQuaternion = "dual-quaternion",
}

converted!(Skinning, animation::Skinning: Linear, DualQuaternion);

/// The level of detail of small members of a crowd: cached poses if the difference is not visible, or sampled
/// in each frame.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum UpdateRate {
    Auto = "auto",
    Full = "full",
}

converted!(UpdateRate, animation::UpdateRate: Auto, Full);

/// The tone mapping curve.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum ToneMapping {
    Neutral = "neutral",
    AgX = "agx",
    Aces = "aces",
    None = "none",
}

converted!(ToneMapping, render::ToneMapping: Neutral, AgX, Aces, None);

/// A format of compressed textures.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum BlockFormat {
    Bc1 = "bc1",
    Bc3 = "bc3",
    Bc7 = "bc7",
    Etc2Rgb = "etc2-rgb",
    Etc2Rgba = "etc2-rgba",
    Astc4x4 = "astc-4x4",
}

converted!(BlockFormat, render::BlockFormat: Bc1, Bc3, Bc7, Etc2Rgb, Etc2Rgba, Astc4x4);

/// The result of an upload step: complete, more work, or more work after the GPU has caught up. In the last
/// case an immediate next step would block the page.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum StepResult {
    Done = "done",
    More = "more",
    Busy = "busy",
}

converted!(StepResult, render::Progress: Done, More, Busy);

/// The kind of transition between clips: inertial, a crossfade, or a cut.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum TransitionMode {
    Inertial = "inertial",
    Crossfade = "crossfade",
    Cut = "cut",
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

/// The way a layer combines with the layers below.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub enum LayerMode {
    Override = "override",
    Average = "average",
    Additive = "additive",
}

/// The kind of an event.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
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
