//! The tools of `gambol-tools` for JavaScript: a WebAssembly module of its own, which the package loads when a page calls one
//! of them.

mod convert;
mod diff;
mod files;
mod optimize;
