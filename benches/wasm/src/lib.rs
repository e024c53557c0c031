//! The animation kernels behind plain exports, so that Node and browsers can time them.
//!
//! One crowd at a time, made by `setup`; wasm has one thread.

#[path = "../../workload/mod.rs"]
mod workload;

use std::cell::RefCell;
use workload::Crowd;

thread_local! {
    static CROWD: RefCell<Option<Crowd>> = const { RefCell::new(None) };
}

/// Makes `count` characters.
#[unsafe(no_mangle)]
pub extern "C" fn setup(count: usize) {
    CROWD.set(Some(Crowd::new(count)));
}

/// How many joints a character has.
#[unsafe(no_mangle)]
pub extern "C" fn joints() -> usize {
    workload::JOINTS
}

/// A frame in which everybody plays on.
#[unsafe(no_mangle)]
pub extern "C" fn forward() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::forward))
}

/// A frame in which everybody seeks to a random time.
#[unsafe(no_mangle)]
pub extern "C" fn seek() -> f32 {
    CROWD.with_borrow_mut(|crowd| crowd.as_mut().map_or(0.0, Crowd::seek))
}
