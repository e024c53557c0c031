//! The channels of a joint, as its translation and its rotation.

use glam::{DQuat, DVec3};

use super::hierarchy::{Joint, Moved};

/// A joint with the place of its channels in a frame.
pub(super) struct Track<'a> {
    pub(super) joint: &'a Joint,
    /// The index of the joint's first channel in a frame.
    first: usize,
}

/// The meaning of position channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Positions {
    /// They are the translation of the joint; OFFSET is only that of the rest pose.
    Replace,
    /// They are added to OFFSET.
    Add,
}

impl<'a> Track<'a> {
    /// The tracks of all joints.
    pub(super) fn all(joints: &'a [Joint]) -> Vec<Self> {
        let mut first = 0;
        let mut track = |joint: &'a Joint| {
            let track = Track { joint, first };
            first += joint.channels.len();
            track
        };
        joints.iter().map(&mut track).collect()
    }

    /// `true` if the joint has a channel of this kind.
    pub(super) fn has(&self, kind: impl Fn(&Moved) -> bool) -> bool {
        self.joint.channels.iter().any(kind)
    }

    pub(super) fn has_positions(&self) -> bool {
        self.has(|moved| matches!(moved, Moved::Position(_)))
    }

    /// The channels with their values in a frame.
    fn values(&self, frame: &[f32]) -> impl Iterator<Item = (Moved, f64)> {
        let values = frame.get(self.first..).unwrap_or_default().iter().map(|&value| f64::from(value));
        self.joint.channels.iter().copied().zip(values)
    }

    pub(super) fn rotation(&self, frame: &[f32]) -> DQuat {
        let turn = |axis: usize, degrees: f64| {
            // libm gives the same bits on every machine.
            let (sin, cos) = libm::sincos(degrees.to_radians() / 2.0);
            let axis = DVec3::AXES[axis] * sin;
            DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
        };
        self.values(frame).fold(DQuat::IDENTITY, |product, (moved, value)| match moved {
            Moved::Rotation(axis) => product * turn(axis, value),
            _ => product,
        })
    }

    /// Axes without a position keep that of OFFSET.
    pub(super) fn translation(&self, frame: &[f32], positions: Positions) -> DVec3 {
        let offset = self.joint.offset;
        let mut translation = offset;
        for (moved, value) in self.values(frame) {
            if let Moved::Position(axis) = moved {
                translation[axis] = match positions {
                    Positions::Replace => value,
                    Positions::Add => offset[axis] + value,
                };
            }
        }
        translation
    }
}
