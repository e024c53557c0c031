//! What hardly any file and page needs, out of the way of what all need.

/// Runs `block` out of line.
///
/// The module that ships is split in two, and all such blocks lie in the second one, which is loaded when one of them is called:
/// see `xtask/src/split.rs`. So `block` is for what goes wrong, and for what a file announces in its JSON, by which
/// `www/gambol/src/load/import-model.ts` knows ahead that it will be needed. It is no place for what may run within a frame that only
/// plays.
#[cold]
#[inline(never)]
pub(crate) fn rare<R>(block: impl FnOnce() -> R) -> R {
    block()
}
