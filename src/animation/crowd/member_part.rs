//! What is set of members.

use std::fmt;

/// What members have, and in how many numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberPart {
    /// Where it stands: 3.
    Position,
    /// A quaternion, X first, of any length but 0: 4.
    Rotation,
    /// Its size, above 0: 1.
    Scale,
    /// The index of a clip, at whose beginning it is: 1.
    Clip,
    /// Where it is in its clip now, in seconds: 1.
    Time,
    /// The time of the timeline at which its clip begins, or has begun: 1.
    Start,
    /// Clip seconds per second: 1.
    Rate,
    /// What the base colour is multiplied by, linear: 4.
    Tint,
}

impl MemberPart {
    /// How many numbers a member has of it.
    pub fn width(self) -> usize {
        match self {
            Self::Position => 3,
            Self::Rotation | Self::Tint => 4,
            Self::Scale | Self::Clip | Self::Time | Self::Start | Self::Rate => 1,
        }
    }

    /// Whether a member can have these numbers, with so many clips.
    pub(super) fn check(self, numbers: &[f64], clips: usize) -> Result<(), CrowdError> {
        let finite = |number: &f64| match self {
            // These are kept as they are.
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

/// Why members could not be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrowdError {
    /// There are not so many members, or the numbers are not those of whole members.
    Range,
    /// A number is not finite, a scale is not above 0, or a rotation is four zeros.
    Number,
    /// The model has no such clip.
    NoClip,
}

impl CrowdError {
    /// A stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Range | Self::Number => "argument/invalid",
            Self::NoClip => "clip/not-found",
        }
    }
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Range => "the crowd has not so many members",
            Self::Number => "a number of a member is not one that it can have",
            Self::NoClip => "the model has no such clip",
        })
    }
}

impl std::error::Error for CrowdError {}
