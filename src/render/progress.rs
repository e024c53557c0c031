//! The progress of an incremental task.

/// The state of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The task is complete.
    Done,
    /// There is more to do.
    More,
    /// The GPU or the driver is busy; continuing now would block.
    Busy,
}
