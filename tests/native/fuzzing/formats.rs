//! Files of other formats from arbitrary bytes.

use gambol_formats::{Options, Place, to_glb};

use super::files;

/// Converts bytes as a file of this name, and imports and plays the result; `true` if they are valid.
pub(crate) fn convert(bytes: &[u8], name: &str) -> bool {
    let mut options = Options::default();
    options.decoded_bytes = 64 << 20;
    match to_glb(bytes, name, &options) {
        Ok(converted) => {
            converted.warnings.iter().for_each(|warning| check_place(&warning.place, bytes));
            files::import_converted(&converted.glb);
            true
        }
        Err(error) => {
            assert!(error.code.contains('/') && error.message.starts_with(char::is_uppercase), "{error}");
            check_place(&error.place, bytes);
            false
        }
    }
}

fn check_place(place: &Place, bytes: &[u8]) {
    if let Place::Text { line, column } = place {
        assert!(*line >= 1 && *column >= 1, "{place} of {} bytes", bytes.len());
    }
}
