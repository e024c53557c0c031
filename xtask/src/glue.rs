//! The names between the module and its glue, made short.
//!
//! wasm-bindgen calls each import by what it does and a hash, in the module and in its glue: 4.4 kB of brotli until the first frame.
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
pub(crate) const MODULE: &str = "g";

/// The glue with the short names of its imports, and these by those in the module.
fn imports(js: &str) -> Result<(String, HashMap<String, String>)> {
    let (mut out, mut names) = (String::new(), HashMap::new());
    for line in js.lines() {
        let entry = line.strip_prefix("        __wb").and_then(|rest| rest.split_once(": function("));
        match entry {
            Some((rest, head)) => {
                let name = name(names.len());
                push_line(&mut out, &format!("        {name}: function({head}"));
                names.insert(format!("__wb{rest}"), name);
            }
            None => push_line(&mut out, line),
        }
    }
    ensure!(out.matches(OBJECT).count() == 1, "the glue does not look as it did: where are its imports?");
    Ok((out.replace(OBJECT, &format!("{MODULE}: import0")), names))
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
pub(crate) fn name(mut index: usize) -> String {
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
    fn imports_get_short_names() {
        let js = "a();\n        __wbg_clear_1: function(arg0) {\n            arg0.clear();\n        },\n        __wbg_get_2: function() {\n        \
                  },\n        \"./gambol_bg.js\": import0,\n";
        let (out, names) = imports(js).expect("it is glue");
        assert_eq!((&*names["__wbg_clear_1"], &*names["__wbg_get_2"]), ("a", "b"));
        assert!(
            out.contains("        a: function(arg0) {\n            arg0.clear();")
                && out.contains("g: import0"),
            "{out}"
        );
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
