//! wasm-bindgen as its macro sees it here.
//!
//! The macro wraps every exported function into a closure and hands that to a function, so that panics could be caught where
//! they unwind. Here they abort, and that function only calls. Built for size, LLVM leaves it as it is: an environment on the
//! stack and two functions for each export, which was 5 % of the module. So this is the same crate, with that one inlined.

pub use ::wasm_bindgen::*;

pub mod __rt {
    pub use ::wasm_bindgen::__rt::*;

    /// Calls.
    #[inline(always)]
    pub fn maybe_catch_unwind<R>(call: impl FnOnce() -> R) -> R {
        call()
    }
}
