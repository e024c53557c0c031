//! The tests that cross modules, in one program: it is linked once, and its rooms share what they need.

mod common;
mod crowd;
mod faults;
mod fuzzing;
mod import;
mod mixing;
mod oracle;
mod package_structure;
mod player;
mod pose;
mod source_files;
mod structure;
#[cfg(feature = "web")]
mod viewer;
