//! `xtask-bind FORM NAME MODULE OUT`, run in the repository's top folder: prepares a module that Cargo wrote for pages.
//!
//! ```text
//! OUT/NAME.js, NAME.d.ts    wasm-bindgen's output
//! OUT/NAME_bg.wasm          the module
//! OUT/split_rest.wasm       the second module, of the form `split`
//! OUT/glue.js               the glue as a function that creates an instance, see `glue`
//! OUT/module.d.ts           the declarations of the glue
//! ```

mod glue;

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use walrus::Module;
use wasm_bindgen_cli_support::Bindgen;

/// The forms of a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// gambol in one module.
    One,
    /// gambol in two modules: compiled with the feature `split` and with relocations.
    Split,
    /// A module beside gambol.
    Beside,
}

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [form, name, module, out] = &arguments[..] else {
        bail!("usage: xtask-bind one|split|beside NAME MODULE OUT");
    };
    let form = match form.to_str() {
        Some("one") => Form::One,
        Some("split") => Form::Split,
        Some("beside") => Form::Beside,
        _ => bail!("there is no form {}", form.display()),
    };
    let name = name.to_str().context("the name is not Unicode")?;
    bind(form, name, &read(Path::new(module))?, Path::new(out))
}

fn bind(form: Form, name: &str, bytes: &[u8], out: &Path) -> Result<()> {
    let mut first = bytes.to_vec();
    if form == Form::Split {
        first = split(bytes, out)?;
    }
    let mut output = Bindgen::new()
        .input_bytes(name, first)
        .web(true)?
        // The package passes the module's address itself; a second default path would confuse bundlers.
        .omit_default_module_path(true)
        .typescript(true)
        .remove_producers_section(true)
        // These exports include the table of functions, which the second module shares.
        .keep_lld_exports(form != Form::Beside)
        .generate_output()
        .context("wasm-bindgen failed")?;
    output.emit(out).context("cannot write what wasm-bindgen made")?;
    let text = |end: &str| {
        String::from_utf8(read(&out.join(format!("{name}{end}")))?).context("wasm-bindgen wrote no text")
    };
    write(&out.join("module.d.ts"), glue::declarations(&text(".d.ts")?)?)?;
    if form == Form::Beside {
        return write(&out.join("glue.js"), glue::plain_factory(&text(".js")?)?);
    }
    let module = output.wasm_mut();
    glue::adapt(&text(".js")?, module, out)?;
    if form == Form::Split {
        tie(module, &rest(out), &format!("build{:x}", hash(bytes)))?;
    }
    write(&out.join(format!("{name}_bg.wasm")), module.emit_wasm())
}

/// The path to which [`split`] writes the second module, `rest` in `src/web/features.rs`.
fn rest(out: &Path) -> PathBuf {
    out.join("split_rest.wasm")
}

/// Splits a module that was compiled with the feature `split`: returns the first module, and writes the second one to `out`.
fn split(wasm: &[u8], out: &Path) -> Result<Vec<u8>> {
    let first = out.join("first.wasm");
    let mut options = wasm_split_cli_support::Options::new(wasm);
    (options.output_dir, options.main_out_path) = (out, &first);
    let parts = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("wasm_split failed: {error:#}"))?;
    if parts.split_modules != [rest(out)] {
        bail!("wasm_split wrote {:?}, and not one module `rest`", parts.split_modules);
    }
    read(&first)
}

/// Renames the memory that the two modules share to a name of this build, so that the second module of another build
/// does not start.
fn tie(first: &mut Module, rest: &Path, build: &str) -> Result<()> {
    let mut second = Module::from_file(rest)?;
    let memory = first.memories.iter().next().context("the first module has no memory")?.id();
    first.exports.add(build, memory);
    for import in second.imports.iter_mut().filter(|import| import.name == "memory") {
        build.clone_into(&mut import.name);
    }
    second.emit_wasm_file(rest)
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

fn read(from: &Path) -> Result<Vec<u8>> {
    fs::read(from).with_context(|| format!("cannot read {}", from.display()))
}

fn write(to: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(to, content).with_context(|| format!("cannot write {}", to.display()))
}
