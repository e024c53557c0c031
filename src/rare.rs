//! Features that few pages use, out of the way of the first frame.

/// Runs `block` out of line.
///
/// The module that ships is split in two, and all such blocks lie in the second one: see `xtask/src/split.rs`. They may run only if the
/// second module has started, so each belongs to a feature whose methods check that first: see `src/web/rest.rs`.
#[cold]
#[inline(never)]
pub(crate) fn rare<R>(block: impl FnOnce() -> R) -> R {
    block()
}
