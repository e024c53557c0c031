//! Deferred functions: they are in the second WebAssembly module, which is loaded after the first frame.
//!
//! A page downloads two modules with one memory: `gambol.wasm`, which the first frame needs, and
//! `gambol.more.wasm` after it. Only builds with the feature `split` have two modules.
//!
//! Each source file lists the functions that only the second module contains, and calls them through this
//! list. Functions that are called only by those are in the second module too. The lists are returned by a
//! function that `wasm_split` moves to the second module (`src/web/second.rs`), so the compiler cannot know
//! their contents.

/// Defines a list of deferred functions: `fn NAME(ARGUMENTS) -> RESULT = FUNCTION;` each. `NAME(…)` calls
/// `FUNCTION`.
///
/// # Panics
/// `NAME(…)` panics until the second module has started. Each method that JavaScript calls must check that
/// first (`web::rest::need_rest`).
#[macro_export]
macro_rules! deferred {
    ($(
        $(#[$meta:meta])*
        $visible:vis fn $name:ident $(<$($life:lifetime),+>)? ($($arg:ident: $ty:ty),* $(,)?) $(-> $result:ty)? = $function:expr;
    )+) => {
        /// The functions of this file that are in the second module.
        pub(crate) struct Deferred {
            $($name: $(for<$($life),+>)? fn($($ty),*) $(-> $result)?,)+
        }

        pub(crate) static DEFERRED: Deferred = Deferred { $($name: $function,)+ };

        #[cfg(not(feature = "split"))]
        fn second() -> &'static Deferred {
            &DEFERRED
        }

        #[cfg(feature = "split")]
        static SECOND: std::sync::OnceLock<&'static Deferred> = std::sync::OnceLock::new();

        #[cfg(feature = "split")]
        #[inline(never)]
        fn second() -> &'static Deferred {
            SECOND.get().expect("the second module has started")
        }

        #[cfg(feature = "split")]
        impl $crate::base::DeferredList for Deferred {
            fn start(&'static self) {
                let _ = SECOND.set(self);
            }
        }

        $(
            $(#[$meta])*
            #[inline]
            $visible fn $name $(<$($life),+>)? ($($arg: $ty),*) $(-> $result)? {
                (second().$name)($($arg),*)
            }
        )+
    };
}

pub use crate::deferred;

use std::sync::atomic::{AtomicBool, Ordering};

/// `true` once the second module has started, and in builds with one module.
static STARTED: AtomicBool = AtomicBool::new(!cfg!(feature = "split"));

/// `true` if deferred functions can be called.
pub fn second_module_runs() -> bool {
    STARTED.load(Ordering::Relaxed)
}

/// Reports that all lists have been made available.
pub fn second_module_started() {
    STARTED.store(true, Ordering::Relaxed);
}

/// A list defined by [`deferred`], or a list of such lists.
#[cfg(feature = "split")]
pub trait DeferredList: Sync {
    /// Makes the functions available.
    fn start(&'static self);
}

#[cfg(feature = "split")]
impl<const N: usize> DeferredList for [&'static dyn DeferredList; N] {
    fn start(&'static self) {
        self.iter().for_each(|list| list.start());
    }
}
