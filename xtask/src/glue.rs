//! The names between the module and its glue, made short.
//!
//! wasm-bindgen calls each import by what it does and a hash, in the module and in its glue. Where glow may have a context
//! of WebGL 1 or of WebGL 2, both have imports that do the same: they become one, and wasm-opt then folds the branches
//! that chose between them.

use std::collections::HashMap;

use anyhow::{Result, bail, ensure};
use walrus::Module;

/// Renames what the module imports and exports; returns the glue to go with it.
pub(crate) fn shorten(js: &str, module: &mut Module) -> Result<String> {
    let (js, imports) = imports(js)?;
    for import in module.imports.iter_mut() {
        let Some(name) = imports.get(&import.name) else { bail!("the glue has no import {}", import.name) };
        import.name.clone_from(name);
        import.module = MODULE.to_owned();
    }
    let mut exports = HashMap::new();
    for export in module.exports.iter_mut().filter(|export| export.name != "memory") {
        let name = name(exports.len());
        exports.insert(std::mem::replace(&mut export.name, name.clone()), name);
    }
    Ok(replace_members(&js, "wasm.", &exports))
}

/// What the glue calls the object with its imports.
const OBJECT: &str = r#""./gambol_bg.js": import0"#;
pub(crate) const MODULE: &str = "g";

/// The glue with the short names of its imports, of which no two do the same, and the names by those in the module.
fn imports(js: &str) -> Result<(String, HashMap<String, String>)> {
    let (mut out, mut names, mut by_text) = (String::new(), HashMap::new(), HashMap::new());
    let mut lines = js.lines();
    while let Some(line) = lines.next() {
        let entry = line.strip_prefix("        __wb").and_then(|rest| rest.split_once(": function("));
        let Some((rest, head)) = entry else {
            out += line;
            out.push('\n');
            continue;
        };
        let mut text = format!("function({head}\n");
        for line in lines.by_ref() {
            text += line;
            text.push('\n');
            if line.starts_with("        }") {
                break;
            }
        }
        let count = by_text.len();
        let name = by_text.entry(text.clone()).or_insert_with(|| {
            let name = name(count);
            out += &format!("        {name}: {text}");
            name
        });
        names.insert(format!("__wb{rest}"), name.clone());
    }
    ensure!(out.matches(OBJECT).count() == 1, "the glue does not look as it did: where are its imports?");
    Ok((out.replace(OBJECT, &format!("{MODULE}: import0")), names))
}

/// Replaces the names of members of an object.
fn replace_members(js: &str, object: &str, names: &HashMap<String, String>) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut parts = js.split(object);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let inside = out.ends_with(|c: char| word(c) || c == '.');
        let end = part.find(|c| !word(c)).unwrap_or(part.len());
        let name = names.get(&part[..end]).filter(|_| !inside);
        out += object;
        out += name.map_or(&part[..end], String::as_str);
        out += &part[end..];
    }
    out
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
    use super::{imports, name, replace_members};
    use std::collections::HashMap;

    #[test]
    fn imports_that_do_the_same_are_one() {
        let js = "a();\n        __wbg_clear_1: function(arg0) {\n            arg0.clear();\n        },\n        __wbg_get_2: function() { \
                  return handleError(function (arg0) {\n            arg0.get();\n        }, arguments); },\n        __wbg_clear_3: \
                  function(arg0) {\n            arg0.clear();\n        },\n        \"./gambol_bg.js\": import0,\n";
        let (out, names) = imports(js).expect("it is glue");
        assert_eq!(names["__wbg_clear_1"], names["__wbg_clear_3"]);
        assert_ne!(names["__wbg_clear_1"], names["__wbg_get_2"]);
        assert_eq!((out.matches("arg0.clear()").count(), out.matches("g: import0").count()), (1, 1));
        assert!(imports("no glue").is_err());
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
    fn no_two_names_are_the_same() {
        let names: Vec<_> = (0..1000).map(name).collect();
        assert_eq!(
            [&names[0], &names[25], &names[26], &names[701], &names[702]],
            ["a", "z", "aa", "zz", "aaa"]
        );
        assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), 1000);
    }
}
