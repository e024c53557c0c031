//! Animation clips: keyframes over time. Spec: glTF 2.0 §3.11.

use super::ids::{ClipId, NodeId};
use super::properties::Property;
use crate::base::order;
use std::fmt;

/// One animation of the file.
#[derive(Debug, Clone, Default)]
pub struct Clip {
    /// The name in the file, verbatim; may be empty or the same as another clip's.
    pub name: String,
    /// The last key time of any channel of the file's animation, in seconds; never negative.
    pub duration: f32,
    /// The channels of nodes; at most one for a node and path.
    pub channels: Vec<Channel>,
    /// The channels of other properties, at most one per property. There is none for a single morph weight if
    /// a channel animates all weights of its node.
    pub properties: Vec<PropertyChannel>,
    /// The curves that the channels share.
    pub curves: Vec<Curve>,
    /// Markers for events during playback, sorted by time: `extras.markers` of the animation.
    pub markers: Vec<Marker>,
}

/// A named time in a clip, such as a footstep or a beat.
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// The name, verbatim; need not be unique.
    pub name: String,
    /// Time in the clip, in seconds. A marker outside of `0.0..=duration` never causes an event.
    pub time: f64,
}

impl Clip {
    /// The clip with which an actor begins: the first one that lasts, because exporters often write a pose of no duration before
    /// the others. If none lasts, it is the first one.
    pub fn opening<'a>(clips: impl Iterator<Item = (ClipId, &'a Self)>) -> Option<ClipId> {
        let mut first = None;
        for (id, clip) in clips {
            if clip.duration > 0.0 {
                return Some(id);
            }
            first = first.or(Some(id));
        }
        first
    }

    /// The frame rate for stepping and display, estimated from the key times; otherwise 30.
    ///
    /// It is the reciprocal of the median distance of adjacent keys in the curve with the most keys. It is
    /// rounded to a whole number, which must be in 8 … 240.
    pub fn frames_per_second(&self) -> f64 {
        let most = self.curves.iter().max_by_key(|curve| curve.times.len());
        let Some(curve) = most.filter(|curve| curve.times.len() > 2) else { return 30.0 };
        let distances: Vec<f32> = curve.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let order = order(distances.len(), &|a, b| distances[a].total_cmp(&distances[b]));
        let rate = (1.0 / f64::from(distances[order[order.len() / 2]])).round_ties_even();
        if (8.0..=240.0).contains(&rate) { rate } else { 30.0 }
    }
}

/// A curve that drives one property of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    /// The animated node.
    pub node: NodeId,
    /// The animated property; its width is the curve's.
    pub path: Path,
    /// An index into [`Clip::curves`].
    pub curve: usize,
}

/// A curve that drives a property that is not a node's transform. Spec: KHR_animation_pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PropertyChannel {
    /// The animated property; its width is the curve's.
    pub property: Property,
    /// An index into [`Clip::curves`].
    pub curve: usize,
}

/// The property of a node that a channel animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Path {
    /// The local translation: 3 components.
    Translation,
    /// The local rotation: a quaternion, 4 components, X first.
    Rotation,
    /// The local scale: 3 components.
    Scale,
    /// The morph weights: one component per target of the node's mesh.
    Weights,
}

/// The interpolation between keys. Spec: glTF 2.0 Appendix C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// A key's value is constant until the next key.
    Step,
    /// Linear; for rotations spherical along the shorter arc.
    Linear,
    /// Cubic Hermite splines with a tangent on either side of each key.
    CubicSpline,
}

/// A curve: values at key times.
///
/// `values` contains one row per key. A row of a [`Interpolation::CubicSpline`] curve has three parts:
/// in-tangent, value and out-tangent. Rows of other curves have only the value. A part has [`Curve::width`]
/// components. Rotations are unit quaternions.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    interpolation: Interpolation,
    width: usize,
    times: Vec<f32>,
    values: Vec<f32>,
}

impl Curve {
    /// A curve from its key times in seconds and its rows of values.
    ///
    /// # Errors
    /// - There is no key.
    /// - Times are not finite or not strictly increasing.
    /// - A value is not finite.
    /// - The length of `values` does not match the number of keys.
    pub fn new(
        interpolation: Interpolation,
        width: usize,
        times: Vec<f32>,
        values: Vec<f32>,
    ) -> Result<Self, CurveError> {
        let parts = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let needed = times.len().checked_mul(parts * width);
        if times.is_empty() {
            Err(CurveError::NoKeys)
        } else if let Some(key) = times.iter().position(|time| !time.is_finite()) {
            Err(CurveError::TimeNotFinite { key })
        } else if let Some(key) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            Err(CurveError::TimesNotIncreasing { key: key + 1 })
        } else if needed != Some(values.len()) {
            Err(CurveError::WrongLength { needed: needed.unwrap_or(usize::MAX), available: values.len() })
        } else if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            Err(CurveError::ValueNotFinite { index })
        } else {
            Ok(Self { interpolation, width, times, values })
        }
    }

    /// The interpolation between keys.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// The number of components per value.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The key times in seconds: at least one, strictly increasing.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// The rows of values, one per key; see [`Curve`].
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

/// An error in creating a [`Curve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveError {
    /// The list of keys is empty.
    NoKeys,
    /// A key time is NaN or infinite.
    TimeNotFinite {
        /// The index of the key.
        key: usize,
    },
    /// A key time is not greater than the previous one.
    TimesNotIncreasing {
        /// The index of the later key.
        key: usize,
    },
    /// A value is NaN or infinite.
    ValueNotFinite {
        /// The index of the component in `values`.
        index: usize,
    },
    /// The number of values does not match the number of keys.
    WrongLength {
        /// The number of components that the keys need.
        needed: usize,
        /// The number of components in `values`.
        available: usize,
    },
}

impl fmt::Display for CurveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKeys => write!(f, "the curve has no keyframes"),
            Self::TimeNotFinite { key } => write!(f, "the time of keyframe {key} is not finite"),
            Self::TimesNotIncreasing { key } => {
                write!(f, "the time of keyframe {key} is not greater than the previous one")
            }
            Self::ValueNotFinite { index } => write!(f, "component {index} of the values is not finite"),
            Self::WrongLength { needed, available } => {
                write!(f, "the keyframes need {needed} components, but the curve has {available}")
            }
        }
    }
}

impl std::error::Error for CurveError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_clip_is_the_first_that_lasts_or_else_the_first() {
        let opening = |durations: &[f32]| {
            let clips: Vec<Clip> =
                durations.iter().map(|&duration| Clip { duration, ..Clip::default() }).collect();
            let ids = (0..clips.len()).map(ClipId::new);
            Clip::opening(ids.zip(&clips)).map(ClipId::index)
        };
        assert_eq!(opening(&[]), None);
        assert_eq!(opening(&[0.0]), Some(0));
        assert_eq!(opening(&[0.0, 0.0]), Some(0));
        assert_eq!(opening(&[0.0, 0.0, 1e-6, 2.0]), Some(2));
        assert_eq!(opening(&[3.0, 0.0]), Some(0));
    }
}
