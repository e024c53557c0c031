//! Functions of features: parts of gambol that a page loads when it needs them.
//!
//! A source file lists the functions that only a feature contains, one list for each feature, and calls them
//! through the list. Functions that are called only by those are in the feature too.
//!
//! `src/web/features.rs` has the table of all lists. In builds with the feature `split`, `wasm_split` moves the
//! lists of this table out of `gambol.wasm`, so the compiler cannot know their contents.

/// Defines a list of functions of a feature. After its name, `fn NAME(ARGUMENTS) -> RESULT = FUNCTION;` each: `NAME(…)`
/// calls `FUNCTION`.
///
/// # Panics
/// `NAME(…)` panics until the feature runs. So what leads to the call must exist only if it runs: a method for
/// JavaScript that checks it (`web::features::need`), or state that only such a method creates.
#[macro_export]
macro_rules! feature {
    (list $list:ident; $(
        $(#[$meta:meta])*
        $visible:vis fn $name:ident $(<$($life:lifetime),+>)? ($($arg:ident: $ty:ty),* $(,)?) $(-> $result:ty)? = $function:expr;
    )+) => {
        pub(crate) mod $list {
            #[expect(clippy::allow_attributes, reason = "not every list names items of its file")]
            #[allow(unused_imports)]
            use super::*;

            pub(crate) struct Functions {
                $(pub(super) $name: $(for<$($life),+>)? fn($($ty),*) $(-> $result)?,)+
            }

            pub(crate) static FUNCTIONS: Functions = Functions { $($name: $function,)+ };

            #[cfg(not(feature = "split"))]
            pub(super) fn functions() -> &'static Functions {
                &FUNCTIONS
            }

            #[cfg(feature = "split")]
            static STARTED: std::sync::OnceLock<&'static Functions> = std::sync::OnceLock::new();

            #[cfg(feature = "split")]
            #[inline(never)]
            pub(super) fn functions() -> &'static Functions {
                STARTED.get().expect("the feature runs")
            }

            #[cfg(feature = "split")]
            impl $crate::base::feature::List for Functions {
                fn start(&'static self) {
                    let _ = STARTED.set(self);
                }
            }
        }

        $(
            $(#[$meta])*
            #[inline]
            $visible fn $name $(<$($life),+>)? ($($arg: $ty),*) $(-> $result)? {
                ($list::functions().$name)($($arg),*)
            }
        )+
    };
}

pub use crate::feature;

/// A list that [`feature`] defines.
#[cfg(feature = "split")]
pub trait List: Sync {
    /// Makes the functions available.
    fn start(&'static self);
}
