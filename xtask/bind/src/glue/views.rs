//! Views of the memory are cached from call to call.
//!
//! wasm-bindgen creates a new typed array for each slice that the module passes to WebGL. The slices of a frame have
//! the same addresses as in the frame before. So cached views can be reused, and a steady frame creates no garbage.

use anyhow::{Result, ensure};

/// A cache of sixteen views. A view with another `buffer` is from before the memory grew.
const PART: &str = "const parts = [];
let oldest = 0;
function part(memory, begin, length) {
    const { buffer, BYTES_PER_ELEMENT } = memory;
    for (let i = 0; i < parts.length; i++) {
        const kept = parts[i];
        if (
            kept.byteOffset === begin * BYTES_PER_ELEMENT && kept.length === length && kept.buffer === buffer
            && kept.constructor === memory.constructor
        ) return kept;
    }
    const made = memory.subarray(begin, begin + length);
    parts[oldest++ % 16] = made;
    return made;
}
";

/// The glue with `part` in place of `subarray` in the functions that wasm-bindgen calls `getArrayF32FromWasm0` and so
/// on.
pub(super) fn kept(js: &str) -> Result<String> {
    let (mut out, mut views) = (PART.to_owned(), 0);
    for line in js.lines() {
        if let Some((memory, begin)) = view(line) {
            views += 1;
            out += &format!("    return part({memory}, {begin}, len);");
        } else {
            out += line;
        }
        out.push('\n');
    }
    ensure!(
        views > 0,
        "wasm-bindgen makes views of the memory in another way: look at `kept` in xtask/bind/src/glue/views.rs, and at \
         `getArrayU8FromWasm0` in target/web/gambol/gambol.js"
    );
    Ok(out)
}

/// Parses a line that returns a view of a part: the view of the whole memory, and the first element of the part.
fn view(line: &str) -> Option<(&str, &str)> {
    let (memory, range) =
        line.strip_prefix("    return ")?.strip_suffix(" + len);")?.split_once(".subarray(")?;
    let (begin, end) = range.split_once(", ")?;
    (begin == end).then_some((memory, begin))
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn glue_view_of_a_part_of_the_memory_is_kept() {
        let js = "function getArrayF32FromWasm0(ptr, len) {\n    ptr = ptr >>> 0;\n    return getFloat32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);\n}\n";
        let out = kept(js).expect("a view");
        assert!(out.contains("    return part(getFloat32ArrayMemory0(), ptr / 4, len);\n}\n"), "{out}");
    }

    #[test]
    fn glue_with_an_unknown_view_is_an_error_that_names_this_file() {
        let error = kept("return getMemory().slice(ptr, len);").expect_err("not the glue that is known");
        assert!(error.to_string().contains("glue/views.rs"), "{error}");
    }
}
