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
/// this name. `notUsed(feature)` returns the error of a call of a feature that does not run. The result has the exports
/// of the glue, and `featureImports`, the imports of the other modules, see `split.rs`.
///
/// `requests`: the names of the functions with which the first module requests the others.
pub(super) fn factory(glue: &str, requests: &[&str]) -> Result<String> {
    // wasm-bindgen writes an import for each request. All have the same key in the imports of the module.
    let imports =
        |line: &str| line.starts_with("import * as ") && line.ends_with(&format!(" from \"{LINK}\""));
    let key = format!("        \"{LINK}\": ");
    let (body, exports) = parts(glue, |line| match line {
        STORES => Some("    wasm = watched(instance.exports);"),
        line if imports(line) || line.starts_with(&key) => None,
        line => Some(line),
    })?;
    ensure!(glue.lines().filter(|line| imports(line)).count() == requests.len(), KNOWN);
    ensure!(glue.lines().filter(|line| line.starts_with(&key)).count() == requests.len(), KNOWN);
    // The page calls `startFeature` after it has instantiated the module, so a request reports success immediately.
    let known: Vec<_> = requests.iter().map(|name| format!("    {name}: known,\n")).collect();
    Ok(format!(
        "export default async function instantiate(module, watched, FinalizationRegistry, notUsed) {{
{body}
const known = (done, data) => exports.__indirect_function_table.get(done)(data, 1);
const requests = {{
{}}};
const {{ exports }} = await WebAssembly.instantiate(module, {{ ...__wbg_get_imports(), '{LINK}': requests }});
__wbg_finalize_init({{ exports }}, module);
return {{ featureImports: {{ __wasm_split: exports }}, {exports} }};
}}
",
        known.concat()
    ))
}

/// The glue of a module that stands alone, as a function that creates an instance.
pub(crate) fn plain_factory(glue: &str) -> Result<String> {
    let (body, exports) = parts(glue, Some)?;
    Ok(format!(
        "export default async function instantiate(module) {{
{body}
__wbg_finalize_init(await WebAssembly.instantiate(module, __wbg_get_imports()), module);
return {{ {exports} }};
}}
"
    ))
}

/// The lines of the glue without its own way to start an instance, each as `change` returns it, and the names of its exports.
fn parts<'a>(glue: &'a str, change: impl Fn(&'a str) -> Option<&'a str>) -> Result<(String, String)> {
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
                Some(declaration)
            }
            None => change(line),
        };
        let Some(line) = line else { continue };
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

    const GLUE: &str = "export class Stage {\n}\nexport function startFeature(feature) {\n}\n\
                        function __wbg_get_imports() {\n    return {\n        \"./gambol_bg.js\": import0,\n    };\n}\n\
                        function __wbg_finalize_init(instance, module) {\n    wasm = instance.exports;\n}\n\
                        async function __wbg_load(module, imports) {\n}\nexport { initSync, __wbg_init as default };\n";

    const REQUESTS: [&str; 2] = ["__wasm_split_load_Body", "__wasm_split_load_Light"];

    /// The glue of a module that requests others.
    fn split() -> String {
        let key = "        \"./gambol_bg.js\": import0,\n";
        let keys = "        \"./__wasm_split.js\": import1,\n        \"./__wasm_split.js\": import2,\n";
        "import * as import1 from \"./__wasm_split.js\"\nimport * as import2 from \"./__wasm_split.js\"\n"
            .to_owned()
            + &GLUE.replace(key, &format!("{key}{keys}"))
    }

    #[test]
    fn glue_variables_are_inside_a_function_that_returns_its_exports() {
        let out = factory(&split(), &REQUESTS).expect("it is glue");
        assert!(out.starts_with("export default async function instantiate("), "{out}");
        assert!(
            out.contains("\nclass Stage {\n") && out.contains("\nfunction startFeature(feature) {\n"),
            "{out}"
        );
        assert!(out.contains("    wasm = watched(instance.exports);\n"), "{out}");
        assert!(
            out.ends_with("return { featureImports: { __wasm_split: exports }, Stage, startFeature };\n}\n"),
            "{out}"
        );
        assert!(!out.contains("__wbg_load"), "{out}");
    }

    #[test]
    fn glue_has_all_requests_in_one_object() {
        let out = factory(&split(), &REQUESTS).expect("it is glue");
        let requests = "{\n    __wasm_split_load_Body: known,\n    __wasm_split_load_Light: known,\n}";
        assert!(out.contains(&format!("const requests = {requests};\n")), "{out}");
        assert!(!out.contains("import *") && !out.contains("import2"), "{out}");
        factory(&split(), &REQUESTS[..1]).expect_err("an import of the glue that is no request");
    }

    #[test]
    fn glue_of_one_module_has_no_requests() {
        let out = factory(GLUE, &[]).expect("it is glue");
        assert!(out.contains("const requests = {\n};\n") && out.contains("featureImports: {"), "{out}");
    }

    #[test]
    fn glue_of_a_module_that_stands_alone_has_no_features() {
        let out = plain_factory(GLUE).expect("it is glue");
        assert!(out.starts_with("export default async function instantiate(module) {"), "{out}");
        assert!(out.contains("    wasm = instance.exports;\n"), "{out}");
        assert!(out.ends_with("return { Stage, startFeature };\n}\n"), "{out}");
    }

    #[test]
    fn glue_with_an_unknown_start_function_is_an_error_that_names_this_file() {
        for gone in ["__wbg_load", "wasm = instance", "initSync"] {
            let error = factory(&GLUE.replace(gone, "other"), &[])
                .expect_err("not the glue that is known")
                .to_string();
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
