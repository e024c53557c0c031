//! Several instances of the module in one page.
//!
//! wasm-bindgen keeps the instance in variables of its script, so a page has one instance, even after a panic has made
//! it unusable. Inside a function each call has variables of its own, so a new viewer can start with a new instance.

use anyhow::{Context, Result, ensure};

use super::LINK;

const KNOWN: &str = "wasm-bindgen starts an instance in another way: look at `factory` in xtask/bind/src/glue/instances.rs, and at the last two \
                     functions of target/web/gambol/gambol.js";

/// The line of the glue that stores the exports of the instance.
const STORES: &str = "    wasm = instance.exports;";

/// The glue as a function that creates an instance.
///
/// `watched` receives the exports of the instance before any other code; `FinalizationRegistry` shadows the global of
/// this name. `notYet()` returns the error of a call that needs the second module before it is loaded.
/// `instantiateRest` instantiates that module, see `split` in `main.rs`.
pub(super) fn factory(glue: &str) -> Result<String> {
    let asks = format!("import * as import1 from \"{LINK}\"");
    let (body, exports) = parts(glue, |line| match line {
        STORES => "    wasm = watched(instance.exports);",
        // `instantiateRest` calls `startRest` after it has instantiated the second module, so this import reports
        // success immediately.
        line if line == asks => {
            "const import1 = { __wasm_split_load_rest: (done, data) => exports.__indirect_function_table.get(done)(data, 1) };"
        }
        line => line,
    })?;
    Ok(format!(
        "export default async function instantiate(module, watched, FinalizationRegistry, notYet) {{
{body}
const {{ exports }} = await WebAssembly.instantiate(module, __wbg_get_imports());
__wbg_finalize_init({{ exports }}, module);
const instantiateRest = async (module) => {{
    await WebAssembly.instantiate(module, {{ __wasm_split: exports }});
    startRest();
}};
return {{ instantiateRest, {exports} }};
}}
"
    ))
}

/// The glue of a module that stands alone, as a function that creates an instance.
pub(crate) fn plain_factory(glue: &str) -> Result<String> {
    let (body, exports) = parts(glue, |line| line)?;
    Ok(format!(
        "export default async function instantiate(module) {{
{body}
__wbg_finalize_init(await WebAssembly.instantiate(module, __wbg_get_imports()), module);
return {{ {exports} }};
}}
"
    ))
}

/// The lines of the glue without its own way to start an instance, with changes, and the names of its exports.
fn parts<'a>(glue: &'a str, change: impl Fn(&'a str) -> &'a str) -> Result<(String, String)> {
    let end = glue.find("async function __wbg_load(").context(KNOWN)?;
    ensure!(
        glue.matches(STORES).count() == 1
            && glue[end..].contains("export { initSync, __wbg_init as default };"),
        KNOWN
    );
    let (mut body, mut exports) = (String::new(), Vec::new());
    for line in glue[..end].lines() {
        let line = match line.strip_prefix("export ") {
            Some(declaration) => {
                exports.push(declaration.split([' ', '(', '{']).nth(1).context(KNOWN)?);
                declaration
            }
            None => change(line),
        };
        body += line;
        body.push('\n');
    }
    Ok((body, exports.join(", ")))
}

/// The declarations of wasm-bindgen, except those of its own way to start an instance, which [`factory`] replaces.
/// wasm-bindgen leaves the start of a raw string (`r"`) in comments that came through a macro; it is removed.
pub(crate) fn declarations(all: &str) -> Result<String> {
    let ours = all.split("\nexport type InitInput =").next().filter(|ours| ours.len() < all.len());
    ours.map(|ours| ours.replace("export function start(): void;\n", "").replace(" * r\"", " *")).context(
        "wasm-bindgen declares its `InitInput` elsewhere: look at `declarations` in xtask/bind/src/glue/instances.rs",
    )
}

#[cfg(test)]
mod tests {
    use super::{declarations, factory, plain_factory};

    const GLUE: &str = "import * as import1 from \"./__wasm_split.js\"\nexport class Stage {\n}\nexport function startRest() {\n}\n\
                        function __wbg_finalize_init(instance, module) {\n    wasm = instance.exports;\n}\n\
                        async function __wbg_load(module, imports) {\n}\nexport { initSync, __wbg_init as default };\n";

    #[test]
    fn glue_variables_are_inside_a_function_that_returns_its_exports() {
        let out = factory(GLUE).expect("it is glue");
        assert!(out.starts_with("export default async function instantiate("), "{out}");
        assert!(out.contains("\nclass Stage {\n") && out.contains("\nfunction startRest() {\n"), "{out}");
        assert!(out.contains("    wasm = watched(instance.exports);\n"), "{out}");
        assert!(out.contains("\nconst import1 = {") && !out.contains("import *"), "{out}");
        assert!(out.ends_with("return { instantiateRest, Stage, startRest };\n}\n"), "{out}");
        assert!(!out.contains("__wbg_load"), "{out}");
    }

    #[test]
    fn glue_of_a_module_that_stands_alone_has_no_second_module() {
        let out = plain_factory(GLUE).expect("it is glue");
        assert!(out.starts_with("export default async function instantiate(module) {"), "{out}");
        assert!(out.contains("    wasm = instance.exports;\n"), "{out}");
        assert!(out.ends_with("return { Stage, startRest };\n}\n"), "{out}");
    }

    #[test]
    fn glue_with_an_unknown_start_function_is_an_error_that_names_this_file() {
        for gone in ["__wbg_load", "wasm = instance", "initSync"] {
            let error =
                factory(&GLUE.replace(gone, "other")).expect_err("not the glue that is known").to_string();
            assert!(error.contains("glue/instances.rs"), "{gone}: {error}");
        }
    }

    #[test]
    fn glue_declarations_end_before_the_start_function() {
        let all = " * r\" Text\nexport class Stage {}\nexport function start(): void;\n\nexport type InitInput = string;\nmore";
        assert_eq!(declarations(all).expect("declarations"), " * Text\nexport class Stage {}\n");
        let error = declarations("export class Stage {}").expect_err("not the declarations that are known");
        assert!(error.to_string().contains("glue/instances.rs"), "{error}");
    }
}
