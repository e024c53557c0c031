//! The integration tests in one program, which is linked once and shares its helpers.

mod common;
mod crowd;
mod crowd_events;
mod crowd_hidden;
mod crowd_levels;
mod crowd_looks;
mod faults;
mod formats;
mod fuzzing;
mod import;
mod mixing;
mod oracle;
mod player;
mod pose;
mod retarget;
mod source_files;
mod states;
#[cfg(feature = "web")]
mod viewer;
