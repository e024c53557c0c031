//! wasm-bindgen as its macro sees it here.
//!
//! The macro wraps every exported function into a closure and hands that to a function, so that panics could be caught where
//! they unwind. Here they abort, and that function only calls. Built for size, LLVM leaves it as it is: an environment on the
//! stack and two functions for each export. And each export chooses among words for what is wrong with its objects, which only
//! a mistake of the package can bring about. So this is the same crate, but that one is inlined, the words are always the same, and objects are lent as [`super::lent`]
//! has it.

pub use ::wasm_bindgen::*;

/// Throws that an object cannot be had.
#[inline(always)]
pub fn throw_str(_: &str) -> ! {
    not_there()
}

#[cold]
#[inline(never)]
pub(super) fn not_there() -> ! {
    ::wasm_bindgen::throw_str("an object of the module was freed, or is at work already")
}

pub mod __rt {
    pub use super::super::lent::{
        RcRef, RcRefMut, WasmRefCell, borrow_mut_rust_object, borrow_rust_object, free_rust_object,
        take_rust_object,
    };
    pub use ::wasm_bindgen::__rt::*;

    /// Calls.
    #[inline(always)]
    pub fn maybe_catch_unwind<R>(call: impl FnOnce() -> R) -> R {
        call()
    }
}
