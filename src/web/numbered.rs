//! What goes by numbers between here and the package, so that many calls of one shape are one export.

/// Makes an enum whose variants JavaScript names by their numbers. `www/gambol/src/core.ts` has a `const enum` of the same name
/// with the same variants in the same order, which `tests/native/structure.rs` sees to.
macro_rules! numbered {
    ($(#[$meta:meta])* enum $name:ident { $($(#[$about:meta])* $variant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        enum $name { $($(#[$about])* $variant,)* }

        impl $name {
            /// By its number; none for one that is too large.
            fn of(number: u32) -> Option<Self> {
                const ALL: &[$name] = &[$($name::$variant,)*];
                ALL.get(number as usize).copied()
            }
        }
    };
}
pub(super) use numbered;

/// What a number stands for in a list of words, which `core.ts` has in the same order; none for a number that is not in it.
pub(super) fn word<T: Copy>(words: &[T], number: f64) -> Option<T> {
    index(number).and_then(|index| words.get(index)).copied()
}

/// The number of a word.
pub(super) fn number<T: PartialEq>(words: &[T], word: &T) -> f64 {
    number_of(words.iter().position(|other| other == word))
}

/// The index that a number is; none below 0.
pub(super) fn index(number: f64) -> Option<usize> {
    (number >= 0.0).then_some(number as usize)
}

/// An index as a number; −1 for none.
pub(super) fn number_of(index: Option<usize>) -> f64 {
    index.map_or(-1.0, |index| index as f64)
}
