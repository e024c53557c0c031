//! The reasons why a clip cannot be retargeted.

use std::fmt;

/// The reason why clips cannot be retargeted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetargetError {
    /// The clips animate nothing that the model has.
    NoMatch {
        /// Animated nodes, and the most similar names of the model.
        nearest: Vec<(String, Option<String>)>,
        /// The number of channels of the clips.
        channels: usize,
    },
    /// The source has no clip with this index.
    NoClip {
        /// The index.
        index: usize,
        /// The number of clips.
        count: usize,
    },
    /// A map names a human bone that does not exist.
    UnknownBone {
        /// The name in the map.
        name: String,
    },
    /// A map names a joint that the model does not have.
    UnknownJoint {
        /// The name in the map.
        name: String,
        /// The most similar name of the model.
        nearest: Option<String>,
    },
}

impl RetargetError {
    /// The code of the error, which never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoMatch { .. } => "clip/no-match",
            Self::NoClip { .. } => "clip/not-found",
            Self::UnknownBone { .. } => "argument/invalid",
            Self::UnknownJoint { .. } => "joint/not-found",
        }
    }
}

impl fmt::Display for RetargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMatch { nearest, .. } => {
                f.write_str("The clips animate no joint that the model has")?;
                for (i, (name, near)) in nearest.iter().enumerate() {
                    f.write_str(if i == 0 { ": " } else { ", " })?;
                    write!(f, "“{name}”")?;
                    if let Some(near) = near {
                        write!(f, " (the nearest is “{near}”)")?;
                    }
                }
                f.write_str(". Name the human bones in a map.")
            }
            Self::NoClip { index, count } => {
                write!(f, "There is no clip {index}: the file has {count}.")
            }
            Self::UnknownBone { name } => {
                write!(
                    f,
                    "“{name}” is no human bone; the names are those of VRM 1.0, such as “leftUpperArm”."
                )
            }
            Self::UnknownJoint { name, nearest } => {
                write!(f, "There is no joint “{name}”")?;
                match nearest {
                    Some(near) => write!(f, "; did you mean “{near}”?"),
                    None => f.write_str("."),
                }
            }
        }
    }
}

impl std::error::Error for RetargetError {}
