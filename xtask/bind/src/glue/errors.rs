//! Imports that may throw contain `try` and `catch` themselves.
//!
//! wasm-bindgen wraps each of them: `function() { return handleError(function (arg0) { … }, arguments); }`. Each call
//! allocates a function and a list of arguments. `texSubImage2D` is such an import, and uploads joint matrices in each
//! frame.

use anyhow::{Result, ensure};

const BEGIN: &str = ": function() { return handleError(function (";
const END: &str = "        }, arguments); },";

/// A function that throws within `handleError`, which keeps the error for the module.
const THROW: &str = "const rethrow = (error) => { throw error; };\n";

/// The glue with `try` and `catch` in the imports that wasm-bindgen wraps in `handleError`.
pub(super) fn caught_in_place(js: &str) -> Result<String> {
    let mut out = THROW.to_owned();
    let (mut begins, mut ends) = (0, 0);
    for line in js.lines() {
        if let Some((name, arguments)) = line.split_once(BEGIN) {
            begins += 1;
            out += &format!("{name}: function({} try {{", arguments);
        } else if line == END {
            ends += 1;
            out += "        } catch (error) { return handleError(rethrow, [error]); } },";
        } else {
            out += line;
        }
        out.push('\n');
    }
    ensure!(
        begins > 0 && begins == ends,
        "wasm-bindgen wraps imports that throw in another way ({begins} beginnings, {ends} ends): look at `caught_in_place` in \
         xtask/bind/src/glue/errors.rs, and at a call of `handleError` in target/web/gambol/gambol.js"
    );
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::caught_in_place;

    #[test]
    fn glue_import_that_throws_has_try_and_catch_without_a_closure() {
        let js = "        __wbg_get_1: function() { return handleError(function (arg0, arg1) {\n            const ret = arg0.get(arg1);\n\
                  \x20           return ret;\n        }, arguments); },\n        __wbg_clear_2: function(arg0) {\n            arg0.clear();\n        },\n";
        let out = caught_in_place(js).expect("an import that throws");
        assert!(out.contains("__wbg_get_1: function(arg0, arg1) { try {\n            const ret"), "{out}");
        assert!(
            out.contains(
                "return ret;\n        } catch (error) { return handleError(rethrow, [error]); } },\n"
            ),
            "{out}"
        );
        assert!(
            out.contains("__wbg_clear_2: function(arg0) {\n            arg0.clear();\n        },\n"),
            "{out}"
        );
    }

    #[test]
    fn glue_with_an_unknown_import_wrapper_is_an_error_that_names_this_file() {
        for js in ["no glue", "  a: function() { return handleError(function (arg0) {\n"] {
            let error = caught_in_place(js).expect_err("not the glue that is known").to_string();
            assert!(error.contains("glue/errors.rs"), "{error}");
        }
    }
}
