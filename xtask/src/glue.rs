//! The names between the module and its glue, made short.
//!
//! wasm-bindgen calls each import by what it does and a hash, in the module and in its glue. Where glow may have a context
//! of WebGL 1 or of WebGL 2, both have imports that do the same: they become one, and wasm-opt then folds the branches
//! that chose between them.
//!
//! Views of the memory are kept from call to call: see [`keep_views`].

use std::collections::HashMap;

use anyhow::{Context, Result, bail, ensure};
use walrus::Module;

/// Renames what the module imports and exports, of which it keeps what the glue makes use of; returns the glue to go with it.
pub(crate) fn shorten(js: &str, module: &mut Module) -> Result<String> {
    let (js, imports) = imports(js)?;
    for import in module.imports.iter_mut().filter(|import| import.module != LINK) {
        let Some(name) = imports.get(&import.name) else { bail!("the glue has no import {}", import.name) };
        import.name.clone_from(name);
        import.module = MODULE.to_owned();
    }
    let called = |name: &str| is_shared(name) || has_member(&js, "wasm.", name);
    let unused: Vec<_> =
        module.exports.iter().filter(|export| !called(&export.name)).map(|export| export.id()).collect();
    unused.into_iter().for_each(|id| module.exports.delete(id));
    let mut exports = HashMap::new();
    for export in module.exports.iter_mut().filter(|export| !is_shared(&export.name)) {
        let name = name(exports.len());
        exports.insert(std::mem::replace(&mut export.name, name.clone()), name);
    }
    Ok(replace_members(&js, "wasm.", &exports))
}

/// The module of the import by which the first module asks for the second one.
pub(crate) const LINK: &str = "./__wasm_split.js";

/// `true` for exports that the second module imports by their names.
fn is_shared(name: &str) -> bool {
    matches!(name, "memory" | "__indirect_function_table") || name.starts_with("__wasm_split_")
}

/// What the glue calls the object with its imports.
const OBJECT: &str = r#""./gambol_bg.js": import0"#;
const MODULE: &str = "g";

/// The glue with the short names of its imports, of which no two do the same, and the names by those in the module.
fn imports(js: &str) -> Result<(String, HashMap<String, String>)> {
    let (mut out, mut names, mut by_text) = (String::new(), HashMap::new(), HashMap::new());
    let mut lines = js.lines();
    while let Some(line) = lines.next() {
        if line == "function handleError(f, args) {" {
            // What is inside of `catch`.
            out += "function caught(e) {\n";
            let body = lines.by_ref().take_while(|line| *line != "}");
            body.filter(|line| line.starts_with("        ") && !line.contains("f.apply("))
                .for_each(|line| push_line(&mut out, line));
            out += "}\n";
            continue;
        }
        let entry = line.strip_prefix("        __wb").and_then(|rest| rest.split_once(": function("));
        let Some((rest, head)) = entry else {
            out += line;
            out.push('\n');
            continue;
        };
        // What may throw would make a function and a list of its arguments in each call.
        let throws = between(head, ") { return handleError(function (", ") {");
        let mut text = throws.map_or_else(|| format!("({head}\n"), |given| format!("({given}) {{ try {{\n"));
        for line in lines.by_ref() {
            let ends = line.starts_with("        }");
            text += &if throws.is_some() && ends {
                "        } catch (e) { caught(e); } },".to_owned()
            } else {
                plain(line)
            };
            text.push('\n');
            if ends {
                break;
            }
        }
        let count = by_text.len();
        let name = by_text.entry(text.clone()).or_insert_with(|| {
            let name = name(count);
            out += &format!("        {name}{text}");
            name
        });
        names.insert(format!("__wb{rest}"), name.clone());
    }
    ensure!(out.matches(OBJECT).count() == 1, "the glue does not look as it did: where are its imports?");
    ensure!(
        !out.contains("handleError(") && out.contains("caught(e);") == out.contains("function caught(e)"),
        "the glue does not look as it did: what becomes of errors?"
    );
    Ok((out.replace(OBJECT, &format!("{MODULE}: import0")), names))
}

/// A line without what a call of GL does itself, to numbers and to booleans; extensions of WebGL 1 are called what they became.
fn plain(line: &str) -> String {
    let call = line.trim_start().trim_start_matches("const ret = ");
    if !call
        .strip_prefix("arg0.")
        .is_some_and(|call| call.trim_start_matches(char::is_alphanumeric).starts_with('('))
    {
        return line.to_owned();
    }
    let extensions =
        ["OES(", "WEBGL("].into_iter().fold(line.to_owned(), |line, suffix| line.replace(suffix, "("));
    extensions.replace(" >>> 0", "").replace(" !== 0", "")
}

/// Views of the memory that are kept from call to call, so that a steady frame makes no garbage. A view of a memory that has grown is
/// empty. The last few parts are kept, since the data that a frame sends to the GPU lie where they lay the frame before.
const HELPERS: &str = "const kept = (Kind) => {
    let view;
    return () => (view?.length ? view : (view = new Kind(wasm.memory.buffer)));
};
const parts = (Kind) => {
    const views = [];
    let next = 0;
    return (ptr, len) => {
        for (let i = 0; i < views.length; i++) if (views[i].byteOffset === ptr && views[i].length === len) return views[i];
        return views[next++ % 8] = new Kind(wasm.memory.buffer, ptr, len);
    };
};
const copied = (memory, ptr, len) => {
    const from = (ptr >>> 0) / memory.BYTES_PER_ELEMENT;
    if (len > 16) return memory.slice(from, from + len);
    const copy = new memory.constructor(len);
    for (let i = 0; i < len; i++) copy[i] = memory[from + i];
    return copy;
};
";

/// The glue with views that are kept: see [`HELPERS`]. Lists that Rust returns are copied without a view of their own.
pub(crate) fn keep_views(js: &str) -> Result<String> {
    let (mut out, mut views) = (HELPERS.to_owned(), 0);
    let mut lines = js.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = between(line, "function get", "Memory0() {") {
            skip(&mut lines, "}")?;
            out += &match kind {
                // It does not say whether the memory has grown.
                "DataView" => format!("const get{kind}Memory0 = () => new {kind}(wasm.memory.buffer);\n"),
                _ => format!("const get{kind}Memory0 = kept({kind});\nconst partOf{kind} = parts({kind});\n"),
            };
            views += 1;
        } else if between(line.trim_start().trim_start_matches("let "), "cached", "Memory0 = null;").is_some()
        {
            // The views that `kept` has in its place.
        } else if let Some((kind, _)) =
            line.strip_prefix("    return get").and_then(|rest| rest.split_once("Memory0().subarray(ptr / "))
        {
            out += &format!("    return partOf{kind}(ptr, len);\n");
        } else if let Some((before, kind, after)) = copied(line) {
            out += &format!("{before}copied(get{kind}Memory0(), {after}\n");
        } else {
            push_line(&mut out, line);
        }
    }
    ensure!(views > 0, "the glue does not look as it did: it has no views of the memory");
    Ok(out)
}

/// A line that copies a list out of the memory: what is before that, the kind of the list, and what comes after.
fn copied(line: &str) -> Option<(&str, &str, String)> {
    let (before, rest) = line.split_once("getArray")?;
    let (kind, rest) = rest.split_once("FromWasm0(")?;
    let kinds = [("F64", "Float64Array"), ("F32", "Float32Array"), ("U8", "Uint8Array")];
    let (_, kind) = kinds.iter().find(|(short, _)| *short == kind)?;
    Some((before, kind, rest.strip_suffix(").slice();").map(|rest| rest.to_owned() + ");")?))
}

/// What a line has between its beginning and its end, if it has these.
fn between<'a>(line: &'a str, start: &str, end: &str) -> Option<&'a str> {
    line.strip_prefix(start)?.strip_suffix(end)
}

const EARLY: &str = "the glue ends too early";

/// Goes on behind the line that is `end`.
fn skip<'a>(lines: &mut impl Iterator<Item = &'a str>, end: &str) -> Result<()> {
    lines.find(|line| *line == end).map(|_| ()).context(EARLY)
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Replaces the names of members of an object.
fn replace_members(js: &str, object: &str, names: &HashMap<String, String>) -> String {
    let mut parts = js.split(object);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let inside = out.ends_with(|c: char| is_of_word(c) || c == '.');
        let end = part.find(|c| !is_of_word(c)).unwrap_or(part.len());
        let name = names.get(&part[..end]).filter(|_| !inside);
        out += object;
        out += name.map_or(&part[..end], String::as_str);
        out += &part[end..];
    }
    out
}

/// Whether somebody names a member of an object.
fn has_member(js: &str, object: &str, name: &str) -> bool {
    let member = object.to_owned() + name;
    js.split(&member).skip(1).any(|after| !after.starts_with(is_of_word))
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// The names a, b … z, aa, ab …
fn name(mut index: usize) -> String {
    let mut name = String::new();
    loop {
        name.insert(0, char::from(b'a' + (index % 26) as u8));
        if index < 26 {
            return name;
        }
        index = index / 26 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{has_member, imports, keep_views, name, replace_members};
    use std::collections::HashMap;

    #[test]
    fn imports_that_do_the_same_are_one() {
        let js = "a();\n        __wbg_clear_1: function(arg0) {\n            arg0.clear();\n        },\n        __wbg_get_2: function() { \
                  return handleError(function (arg0) {\n            arg0.get();\n        }, arguments); },\n        __wbg_clear_3: \
                  function(arg0) {\n            arg0.clear();\n        },\n        \"./gambol_bg.js\": import0,\n\
                  function handleError(f, args) {\n    try {\n        return f.apply(this, args);\n    } catch (e) {\n        \
                  store(e);\n    }\n}\n";
        let (out, names) = imports(js).expect("it is glue");
        assert_eq!(names["__wbg_clear_1"], names["__wbg_clear_3"]);
        assert_ne!(names["__wbg_clear_1"], names["__wbg_get_2"]);
        assert_eq!((out.matches("arg0.clear()").count(), out.matches("g: import0").count()), (1, 1));
        assert!(
            out.contains("(arg0) { try {\n            arg0.get();\n        } catch (e) { caught(e); } },\n"),
            "{out}"
        );
        assert!(out.ends_with("function caught(e) {\n        store(e);\n}\n"), "{out}");
        assert!(imports("no glue").is_err());
    }

    #[test]
    fn views_of_the_memory_are_kept() {
        let js = "        _assertClass(a, A);\nlet cachedInt8ArrayMemory0 = null;\nfunction getInt8ArrayMemory0() {\n    return \
                  cachedInt8ArrayMemory0;\n}\n    return getInt8ArrayMemory0().subarray(ptr / 1, ptr / 1 + len);\n        var v1 = \
                  getArrayF64FromWasm0(ret[0], ret[1]).slice();\n";
        let out = keep_views(js).expect("it is glue");
        for gone in ["cachedInt8", "subarray"] {
            assert!(!out.contains(gone), "{gone} in {out}");
        }
        for kept in [
            "_assertClass(a, A);",
            "return partOfInt8Array(ptr, len)",
            "getInt8ArrayMemory0 = kept(Int8Array)",
            "partOfInt8Array = parts(Int8Array)",
            "var v1 = copied(getFloat64ArrayMemory0(), ret[0], ret[1]);",
        ] {
            assert!(out.contains(kept), "{kept} not in {out}");
        }
        assert!(keep_views("no glue").is_err());
    }

    #[test]
    fn only_members_of_the_object_get_other_names() {
        let names = HashMap::from([("free".to_owned(), "a".to_owned())]);
        let js = "wasm.free(1); wasm.freed(2); mywasm.free(3); x.wasm.free(4); wasm.free";
        assert_eq!(
            replace_members(js, "wasm.", &names),
            "wasm.a(1); wasm.freed(2); mywasm.free(3); x.wasm.free(4); wasm.a"
        );
    }

    #[test]
    fn only_whole_names_are_members() {
        let js = "wasm.free(1); wasm.take_all";
        let found = ["free", "take_all", "take", "fre", "other"].map(|name| has_member(js, "wasm.", name));
        assert_eq!(found, [true, true, false, false, false]);
    }

    #[test]
    fn no_two_names_are_the_same() {
        let names: Vec<_> = (0..1000).map(name).collect();
        assert_eq!(
            [&names[0], &names[25], &names[26], &names[701], &names[702]],
            ["a", "z", "aa", "zz", "aaa"]
        );
        assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), 1000);
    }
}
