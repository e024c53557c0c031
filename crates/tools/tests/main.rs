//! The tests of the tools in one program, which is linked once and shares its helpers.

mod common;
mod diff;
mod document;
mod export;
mod extending;
mod inspect;
mod optimize;
mod oracle;
mod retarget;
mod usdz;
