//! Errors of stages.

use crate::animation::{BlendSpaceError, CrowdError, MaskError};
use crate::render::RenderError;
use std::fmt;

/// The reason why a stage rejected a call. [`StageError::code`] is stable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageError {
    /// The actor was removed, or was never on this stage.
    NoActor,
    /// The actor's model has no such node.
    NoJoint,
    /// The actor's model has no such material.
    NoMaterial,
    /// The actor would follow itself, directly or indirectly.
    Cycle,
    /// The actor has no such layer.
    NoLayer,
    /// The actor's model has no such clip.
    NoClip,
    /// An error of a mask.
    Mask(MaskError),
    /// An error of a blend space.
    BlendSpace(BlendSpaceError),
    /// An error of a crowd.
    Crowd(CrowdError),
    /// A crowd is to have more members than the GPU has room for.
    TooManyMembers {
        /// The requested number of members.
        count: usize,
        /// The largest number of members of this model, beside the other crowds of the stage.
        most: usize,
    },
    /// An error of the renderer.
    Render(RenderError),
}

impl StageError {
    /// A stable code such as `actor/removed`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoActor => "actor/removed",
            Self::NoJoint => "joint/not-found",
            Self::NoMaterial => "material/not-found",
            Self::Cycle => "actor/cycle",
            Self::NoLayer => "layer/removed",
            Self::NoClip => "clip/not-found",
            Self::Mask(error) => error.code(),
            Self::BlendSpace(error) => error.code(),
            Self::Crowd(error) => error.code(),
            Self::TooManyMembers { .. } => "render/too-large",
            Self::Render(error) => error.code(),
        }
    }
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoActor => f.write_str("the actor was removed from the stage"),
            Self::NoJoint => f.write_str("the model has no such joint"),
            Self::NoMaterial => f.write_str("the model has no such material"),
            Self::Cycle => f.write_str("an actor cannot follow itself, directly or through other actors"),
            Self::NoLayer => f.write_str("the layer was removed"),
            Self::NoClip => f.write_str("the model has no such clip"),
            Self::Mask(error) => error.fmt(f),
            Self::BlendSpace(error) => error.fmt(f),
            Self::Crowd(error) => error.fmt(f),
            Self::TooManyMembers { count, most } => {
                write!(
                    f,
                    "the GPU has room for {most} members of this model, but the crowd would have {count}"
                )
            }
            Self::Render(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StageError {}

impl From<MaskError> for StageError {
    fn from(error: MaskError) -> Self {
        Self::Mask(error)
    }
}

impl From<BlendSpaceError> for StageError {
    fn from(error: BlendSpaceError) -> Self {
        Self::BlendSpace(error)
    }
}

impl From<CrowdError> for StageError {
    fn from(error: CrowdError) -> Self {
        Self::Crowd(error)
    }
}

impl From<RenderError> for StageError {
    fn from(error: RenderError) -> Self {
        Self::Render(error)
    }
}
