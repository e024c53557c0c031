//! Hashes of poses behind plain exports, for Node and browsers; `tests/native/pose/hash.rs` computes them natively.

mod corpus;

use corpus::Subject;
use std::cell::RefCell;

thread_local! {
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SUBJECT: RefCell<Option<Subject>> = const { RefCell::new(None) };
}

/// How many files [`open_generated`] knows.
#[unsafe(no_mangle)]
pub extern "C" fn files() -> u32 {
    corpus::FILES
}

/// Takes a generated file; whether it could be imported.
#[unsafe(no_mangle)]
pub extern "C" fn open_generated(index: u32) -> bool {
    open_bytes(&corpus::file(index))
}

/// Room for the bytes of a file; then [`open`].
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    BYTES.with_borrow_mut(|bytes| {
        *bytes = vec![0; length];
        bytes.as_mut_ptr()
    })
}

/// Takes the file whose bytes were written to [`room`]; whether it could be imported.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> bool {
    open_bytes(&BYTES.take())
}

fn open_bytes(bytes: &[u8]) -> bool {
    SUBJECT.set(Subject::new(bytes).ok());
    SUBJECT.with_borrow(Option::is_some)
}

/// One hash of many poses of the file.
#[unsafe(no_mangle)]
pub extern "C" fn hash() -> u64 {
    SUBJECT.with_borrow(|subject| subject.as_ref().map_or(0, Subject::hash))
}

/// One hash of many poses of the file that are mixed of its clips.
#[unsafe(no_mangle)]
pub extern "C" fn mixed_hash() -> u64 {
    SUBJECT.with_borrow(|subject| subject.as_ref().map_or(0, Subject::mixed_hash))
}

/// One hash of many poses of the file whose joints are moved after animation.
#[unsafe(no_mangle)]
pub extern "C" fn moved_hash() -> u64 {
    SUBJECT.with_borrow(|subject| subject.as_ref().map_or(0, Subject::moved_hash))
}

/// The hash of the pose of a clip at a time.
#[unsafe(no_mangle)]
pub extern "C" fn hash_at(clip: usize, time: f64) -> u64 {
    SUBJECT.with_borrow(|subject| subject.as_ref().map_or(0, |subject| subject.hash_at(clip, time)))
}
