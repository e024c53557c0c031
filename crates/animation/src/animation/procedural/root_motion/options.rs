//! Options of root motion.

use super::super::feet::LegBones;

/// The treatment of root motion: the movement over the ground of the topmost joint that a clip moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootMotion {
    /// The clip moves the joint, and jumps back at its start.
    #[default]
    Keep,
    /// The linear movement from first to last key is removed. Swaying, jumping and turning are kept.
    InPlace,
    /// The movement is removed from the clip, and moves the actor. It accumulates over passes and clips.
    Accumulate,
    /// As `Accumulate`, but the actor stays: the page moves it by [`Player::travel`](crate::animation::Player::travel).
    Extract,
}

/// The rotation that is part of root motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootRotation {
    /// None: turning stays in the clip.
    None,
    /// The turn about the vertical axis, if the clip ends in another direction than it began.
    #[default]
    Yaw,
    /// The whole rotation, if the clip ends with another one than it began with; then also the vertical movement.
    Full,
}

/// The parts of a clip's movement that are root motion, for [`RootMotion::Accumulate`] and [`RootMotion::Extract`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RootOptions {
    /// The rotation.
    pub rotation: RootRotation,
    /// `true` for the vertical movement, too.
    pub vertical: bool,
    /// The legs whose planted feet move a clip that walks on the spot; empty for none.
    pub legs: Vec<LegBones>,
}
