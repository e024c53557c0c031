//! The progress of work that takes several steps.

/// The state of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// All is there.
    Done,
    /// There is more to do.
    More,
    /// The GPU or the driver is at work: going on now would be waiting for it.
    Busy,
}
