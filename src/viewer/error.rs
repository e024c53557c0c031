//! What can go wrong on stage.

use crate::render::RenderError;
use std::fmt;

/// Why the stage could not do what was asked. [`StageError::code`] is stable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageError {
    /// The actor was removed, or never was on this stage.
    NoActor,
    /// The actor's model has no such node.
    NoJoint,
    /// The actor would follow itself, by way of those that it follows.
    Cycle,
    /// The actor has no such layer.
    NoLayer,
    /// The renderer's.
    Render(RenderError),
}

impl StageError {
    /// A stable code such as `actor/removed`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoActor => "actor/removed",
            Self::NoJoint => "joint/not-found",
            Self::Cycle => "actor/cycle",
            Self::NoLayer => "layer/removed",
            Self::Render(error) => error.code(),
        }
    }
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoActor => f.write_str("the actor is not on stage any more"),
            Self::NoJoint => f.write_str("the model has no such joint"),
            Self::Cycle => f.write_str("an actor cannot follow itself"),
            Self::NoLayer => f.write_str("the layer was removed"),
            Self::Render(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StageError {}

impl From<RenderError> for StageError {
    fn from(error: RenderError) -> Self {
        Self::Render(error)
    }
}
