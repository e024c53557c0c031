//! Functions of the second module.
//!
//! A page downloads two WebAssembly modules with one memory: `gambol.wasm`, which the first frame needs, and
//! `gambol.more.wasm` behind it (feature `split`; all other builds are one module). A file lists the functions that only the second
//! one has, and calls them through its list; functions that nothing else calls go with them. The lists come out of a function that
//! `wasm_split` moves to the second module (`src/web/second.rs`), so the compiler cannot know what they hold.

/// Makes a list of functions: `fn NAME(ARGUMENTS) -> RESULT = FUNCTION;` each. `NAME(…)` calls `FUNCTION`.
///
/// # Panics
/// `NAME(…)`, as long as the second module has not started: each method that JavaScript calls checks that first
/// (`web::rest::need_rest`).
macro_rules! deferred {
    ($(
        $(#[$meta:meta])*
        $visible:vis fn $name:ident $(<$($life:lifetime),+>)? ($($arg:ident: $ty:ty),* $(,)?) $(-> $result:ty)? = $function:expr;
    )+) => {
        /// Functions of this file that the second module has.
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
        impl crate::base::deferred::DeferredList for Deferred {
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

pub(crate) use deferred;

/// A list that [`deferred`] makes, or a list of such lists.
#[cfg(feature = "split")]
pub(crate) trait DeferredList: Sync {
    /// Has the functions called from now on.
    fn start(&'static self);
}

#[cfg(feature = "split")]
impl<const N: usize> DeferredList for [&'static dyn DeferredList; N] {
    fn start(&'static self) {
        self.iter().for_each(|list| list.start());
    }
}
