//! Counts what a thread allocates: the allocator of the whole test binary, whose other tests do not notice.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Allocations of a thread so far.
#[derive(Clone, Copy)]
pub(crate) struct Allocated {
    /// The number of allocations.
    pub(crate) count: usize,
    /// Their bytes; those given back still count.
    pub(crate) bytes: usize,
}

thread_local! {
    /// Of this thread alone, since other tests allocate in others.
    static ALLOCATED: Cell<Allocated> = const { Cell::new(Allocated { count: 0, bytes: 0 }) };
}

/// The allocations of `work`, and its result.
pub(crate) fn allocated<T>(work: impl FnOnce() -> T) -> (Allocated, T) {
    let before = ALLOCATED.get();
    let result = work();
    let after = ALLOCATED.get();
    (Allocated { count: after.count - before.count, bytes: after.bytes - before.bytes }, result)
}

/// The system's allocator, which also counts.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

impl Counting {
    fn count(bytes: usize) {
        // While a thread ends, its counter may be gone; nobody asks for it then.
        let _ = ALLOCATED.try_with(|all| {
            let Allocated { count, bytes: so_far } = all.get();
            all.set(Allocated { count: count + 1, bytes: so_far + bytes });
        });
    }
}

// SAFETY: every call goes to `System` unchanged, which keeps the trait's promises; counting touches no memory
// that is allocated here, and cannot panic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller keeps the promises of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::count(size);
        // SAFETY: the caller keeps the promises of `realloc`, and `pointer` came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`, and `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
