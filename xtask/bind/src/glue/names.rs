//! Short names of imports and exports: esbuild's `--mangle-props` shortens them in the glue, and `--mangle-cache`
//! reports the names for the module.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use anyhow::{Context, Result, bail};
use walrus::Module;

use crate::{read, run_npm_tool, write};

/// Writes the glue with short names, and renames imports and exports of the module in the same way.
///
/// Names that wasm-bindgen generates contain underscores. Names without underscores are also names of JavaScript
/// functions, and stay.
pub(super) fn shorten(js: &str, module: &mut Module, out: &Path) -> Result<()> {
    let imports = module.imports.iter().map(|import| &import.name);
    let exports = module.exports.iter().map(|export| &export.name);
    let exports = exports.filter(|name| name.contains('_') && !is_shared(name));
    let names: BTreeSet<_> = imports.chain(exports).cloned().collect();
    let (long, short, cache) = (out.join("long.js"), out.join("glue.js"), out.join("names.json"));
    write(&long, js)?;
    let pattern = format!("--mangle-props=^(?:{})$", Vec::from_iter(names).join("|"));
    run_npm_tool(
        "esbuild",
        [
            &long.display().to_string(),
            &pattern,
            "--log-level=warning",
            &format!("--mangle-cache={}", cache.display()),
            &format!("--outfile={}", short.display()),
        ],
    )?;
    rename(module, &serde_json::from_slice(&read(&cache)?).context("cannot read the cache of esbuild")?)
}

/// `true` for exports that other modules import by their names.
fn is_shared(name: &str) -> bool {
    matches!(name, "memory" | "__indirect_function_table") || name.starts_with("__wasm_split_")
}

/// Renames imports and exports. An export that the glue does not mention has no short name and is not needed.
fn rename(module: &mut Module, names: &HashMap<String, String>) -> Result<()> {
    for import in module.imports.iter_mut() {
        let Some(name) = names.get(&import.name) else { bail!("the glue has no import {}", import.name) };
        import.name.clone_from(name);
    }
    let mut unused = Vec::new();
    for export in
        module.exports.iter_mut().filter(|export| export.name.contains('_') && !is_shared(&export.name))
    {
        match names.get(&export.name) {
            Some(name) => export.name.clone_from(name),
            None => unused.push(export.id()),
        }
    }
    unused.into_iter().for_each(|id| module.exports.delete(id));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::rename;
    use std::collections::HashMap;
    use walrus::Module;

    /// A module with an import, and with exports of it under these names.
    fn module(exports: &[&str]) -> Module {
        let mut module = Module::default();
        let signature = module.types.add(&[], &[]);
        let (function, _) = module.add_import_func("./gambol_bg.js", "__wbg_clear_1", signature);
        exports.iter().for_each(|name| {
            module.exports.add(name, function);
        });
        module
    }

    fn names(pairs: &[(&str, &str)]) -> HashMap<String, String> {
        pairs.iter().map(|(long, short)| ((*long).to_owned(), (*short).to_owned())).collect()
    }

    #[test]
    fn glue_imports_and_exports_are_renamed() {
        let mut module = module(&["stage_new", "start", "__wasm_split_shared0", "not_in_the_glue"]);
        rename(&mut module, &names(&[("__wbg_clear_1", "a"), ("stage_new", "b")]))
            .expect("all names are known");
        let imports: Vec<_> = module.imports.iter().map(|import| &*import.name).collect();
        let exports: Vec<_> = module.exports.iter().map(|export| &*export.name).collect();
        assert_eq!((imports, exports), (vec!["a"], vec!["b", "start", "__wasm_split_shared0"]));
    }

    #[test]
    fn glue_without_an_import_is_an_error_that_names_it() {
        let error = rename(&mut module(&[]), &names(&[])).expect_err("no name").to_string();
        assert!(error.contains("__wbg_clear_1"), "{error}");
    }
}
