//! The state of one conversion: options, warnings, memory.

use std::cell::{Cell, RefCell};

use crate::error::{FormatError, Place, Warning, codes};

/// Options of [`to_glb`](crate::to_glb).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Metres per unit of length. `None`: of FBX, the unit that the file names; of BVH, the unit that fits the size of
    /// the figure, see [`Format::Bvh`](crate::Format::Bvh); of .x, 1. Numbers that are not positive count as `None`.
    pub metres_per_unit: Option<f32>,
    /// The axis that points up in a BVH file. `None`: Y, unless the figure stands along Z. Other formats name their axes.
    pub up: Option<Up>,
    /// The most memory for the decoded content of a file, in bytes. Small files get less: 64 times their size, but at
    /// least 64 MiB.
    pub decoded_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { metres_per_unit: None, up: None, decoded_bytes: 1 << 30 }
    }
}

/// An axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Up {
    /// +Y, as in glTF.
    Y,
    /// +Z, as in Blender. X keeps its direction.
    Z,
}

/// The minimum of the limit of memory, in bytes.
const FLOOR: u64 = 64 << 20;
/// The limit of memory for each byte of a file.
const EXPANSION: u64 = 64;
/// The maximum number of warnings; the others are only counted.
const WARNINGS: usize = 100;

/// Collects warnings, and counts the memory of everything that is larger than the bytes that it is read from.
pub(crate) struct Conversion<'a> {
    options: &'a Options,
    /// The name of the file without its extension, for clips without a name.
    pub(crate) stem: &'a str,
    warnings: RefCell<Vec<Warning>>,
    omitted: Cell<usize>,
    memory: Cell<u64>,
    limit: u64,
}

impl<'a> Conversion<'a> {
    /// For a file with this name, of `bytes`.
    pub(crate) fn new(options: &'a Options, name: &'a str, bytes: usize) -> Self {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let limit = (bytes as u64).saturating_mul(EXPANSION).max(FLOOR).min(options.decoded_bytes);
        Self {
            options,
            stem,
            warnings: RefCell::default(),
            omitted: Cell::new(0),
            memory: Cell::new(0),
            limit,
        }
    }

    /// Metres per unit, if the caller has set them.
    pub(crate) fn metres_per_unit(&self) -> Option<f64> {
        self.options.metres_per_unit.filter(|unit| unit.is_finite() && *unit > 0.0).map(f64::from)
    }

    /// The axis that points up, if the caller has set it.
    pub(crate) fn up(&self) -> Option<Up> {
        self.options.up
    }

    /// The most memory that [`Self::spend`] allows, in bytes.
    #[cfg(feature = "fbx")]
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Adds a warning. The place is computed only if the warning is kept.
    pub(crate) fn warn(&self, code: &'static str, message: impl Into<String>, place: impl FnOnce() -> Place) {
        let mut warnings = self.warnings.borrow_mut();
        if warnings.len() < WARNINGS {
            warnings.push(Warning { code, message: message.into(), place: place() });
        } else {
            self.omitted.set(self.omitted.get() + 1);
        }
    }

    /// Counts memory that is about to be used.
    ///
    /// # Errors
    ///
    /// [`codes::TOO_LARGE`] if all memory together is above the limit.
    pub(crate) fn spend(&self, bytes: usize, place: impl FnOnce() -> Place) -> Result<(), FormatError> {
        let memory = self.memory.get().saturating_add(bytes as u64);
        self.memory.set(memory);
        if memory <= self.limit {
            return Ok(());
        }
        let message = format!("The content of the file is larger than {} bytes, the limit", self.limit);
        Err(FormatError { code: codes::TOO_LARGE, message, place: place() })
    }

    /// Checks memory that is used for a moment only.
    ///
    /// # Errors
    ///
    /// As for [`Self::spend`].
    #[cfg(feature = "fbx")]
    pub(crate) fn fits(&self, bytes: usize, place: impl FnOnce() -> Place) -> Result<(), FormatError> {
        let memory = self.memory.get();
        self.spend(bytes, place)?;
        self.memory.set(memory);
        Ok(())
    }

    /// All warnings, in the order of their discovery.
    pub(crate) fn into_warnings(self) -> Vec<Warning> {
        let mut warnings = self.warnings.into_inner();
        if self.omitted.get() > 0 {
            warnings.push(Warning {
                code: codes::WARNINGS_OMITTED,
                message: format!("There are {} more warnings", self.omitted.get()),
                place: Place::Object { path: String::new() },
            });
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nowhere() -> Place {
        Place::Object { path: String::new() }
    }

    #[test]
    fn warnings_beyond_the_first_hundred_are_counted() {
        let options = Options::default();
        let conversion = Conversion::new(&options, "a", 10);
        (0..103).for_each(|i| conversion.warn(codes::TOO_LARGE, format!("{i}"), nowhere));
        let warnings = conversion.into_warnings();
        assert_eq!(warnings.len(), 101);
        assert_eq!(warnings[99].message, "99");
        assert_eq!(warnings[100].code, codes::WARNINGS_OMITTED);
        assert_eq!(warnings[100].message, "There are 3 more warnings");
    }

    #[test]
    fn stem_is_the_file_name_without_extension() {
        for (name, stem) in
            [("", ""), ("walk", "walk"), ("a.b/C:\\run fast.v2.bvh", "run fast.v2"), (".x", "")]
        {
            assert_eq!(Conversion::new(&Options::default(), name, 0).stem, stem);
        }
    }

    #[test]
    fn memory_is_limited_by_the_size_of_the_file_and_by_the_options() {
        for (bytes, decoded_bytes, limit) in
            [(0, 1 << 30, 64 << 20), (2 << 20, 1 << 30, 128 << 20), (2 << 20, 1000, 1000)]
        {
            let options = Options { decoded_bytes, ..Options::default() };
            let conversion = Conversion::new(&options, "a", bytes);
            assert_eq!(conversion.spend(limit - 1, nowhere), Ok(()));
            assert_eq!(conversion.spend(1, nowhere), Ok(()));
            let error = conversion.spend(1, nowhere).expect_err("above the limit");
            assert_eq!(error.code, codes::TOO_LARGE);
            assert!(conversion.spend(usize::MAX, nowhere).is_err());
        }
    }
}
