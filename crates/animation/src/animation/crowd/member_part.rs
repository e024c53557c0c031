//! Attributes of crowd members.

use std::fmt;

/// An attribute of crowd members, and the count of its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberPart {
    /// Position in the world, in metres: 3.
    Position,
    /// A quaternion, X first, of any length but 0: 4.
    Rotation,
    /// Uniform scale, above 0: 1.
    Scale,
    /// The index of a clip, which starts from its beginning: 1.
    Clip,
    /// The current time in its clip, in seconds: 1.
    Time,
    /// The timeline's time at which its clip starts, in the past or the future: 1.
    Start,
    /// Playback rate, in clip seconds per second: 1.
    Rate,
    /// A factor for the base colour, linear: 4.
    Tint,
}

impl MemberPart {
    /// The count of numbers per member.
    pub fn width(self) -> usize {
        match self {
            Self::Position => 3,
            Self::Rotation | Self::Tint => 4,
            Self::Scale | Self::Clip | Self::Time | Self::Start | Self::Rate => 1,
        }
    }

    /// Checks that a member of a model with `clips` clips can have these numbers.
    pub(super) fn check(self, numbers: &[f64], clips: usize) -> Result<(), CrowdError> {
        let finite = |number: &f64| match self {
            // These are stored as `f64`; the others as `f32`.
            Self::Time | Self::Start | Self::Rate => number.is_finite(),
            _ => (*number as f32).is_finite(),
        };
        if self == Self::Clip {
            let known =
                numbers.iter().all(|&index| index >= 0.0 && index < clips as f64 && index.floor() == index);
            return if known { Ok(()) } else { Err(CrowdError::NoClip) };
        }
        let good = numbers.iter().all(finite)
            && match self {
                Self::Scale => numbers.iter().all(|&scale| scale as f32 > 0.0),
                Self::Rotation => numbers.iter().any(|&number| number != 0.0),
                _ => true,
            };
        if good { Ok(()) } else { Err(CrowdError::Number) }
    }
}

/// An error in setting attributes of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrowdError {
    /// A member index is out of range, or the count of numbers is not a multiple of the width.
    Range,
    /// A number is not finite, a scale is not above 0, or a rotation is four zeros.
    Number,
    /// The clip index is out of range.
    NoClip,
    /// More nodes were hidden for single members than the palette has bits.
    TooManyParts,
}

impl CrowdError {
    /// The stable error code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Range | Self::Number | Self::TooManyParts => "argument/invalid",
            Self::NoClip => "clip/not-found",
        }
    }
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Range => "the members are out of range, or the array has the wrong length",
            Self::Number => "a value is not finite, a scale is not above 0, or a rotation is zero",
            Self::NoClip => "the model has no clip of this index",
            Self::TooManyParts => {
                "a crowd can hide at most 192 different nodes; hide a node above several of them"
            }
        })
    }
}

impl std::error::Error for CrowdError {}
