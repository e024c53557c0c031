//! A counting allocator for the whole test binary; it counts per thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Allocations of a thread so far.
#[derive(Clone, Copy)]
pub(crate) struct Allocated {
    /// The number of allocations.
    pub(crate) count: usize,
    /// The number of allocated bytes; freed bytes still count.
    pub(crate) bytes: usize,
}

thread_local! {
    /// Per thread, since other tests allocate in other threads.
    static ALLOCATED: Cell<Allocated> = const { Cell::new(Allocated { count: 0, bytes: 0 }) };
}

/// The allocations of `work`, and its result.
pub(crate) fn allocated<T>(work: impl FnOnce() -> T) -> (Allocated, T) {
    let before = ALLOCATED.get();
    let result = work();
    let after = ALLOCATED.get();
    (Allocated { count: after.count - before.count, bytes: after.bytes - before.bytes }, result)
}

/// The system's allocator with a counter.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

impl Counting {
    fn count(bytes: usize) {
        // While a thread ends, its counter may be destroyed already.
        let _ = ALLOCATED.try_with(|all| {
            let Allocated { count, bytes: so_far } = all.get();
            all.set(Allocated { count: count + 1, bytes: so_far + bytes });
        });
    }
}

// SAFETY: every call is forwarded to `System` unchanged, which fulfils the trait's contract; counting touches no memory
// that is allocated here, and cannot panic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::count(layout.size());
        // SAFETY: the caller fulfils the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::count(size);
        // SAFETY: the caller fulfils the contract of `realloc`, and `pointer` came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfils the contract of `dealloc`, and `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
