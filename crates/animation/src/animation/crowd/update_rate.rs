//! The rate at which small members are sampled.

/// Level of detail of members that are small on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpdateRate {
    /// Small members interpolate between cached poses of their clip if the error is not visible.
    #[default]
    Auto,
    /// Every member is sampled in each frame.
    Full,
}
