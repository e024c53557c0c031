//! `xtask-bind FORM NAME MODULE OUT [FEATURE…]`, run in the repository's top folder: prepares a module that Cargo wrote for pages.
//!
//! ```text
//! OUT/NAME.js, NAME.d.ts    wasm-bindgen's output
//! OUT/NAME_bg.wasm          the module
//! OUT/FEATURE.wasm          the module of each feature, of the form `split`; also `humanoid.wasm`, see `split`
//! OUT/features.json         the features that need `humanoid.wasm`
//! OUT/glue.js               the glue as a function that creates an instance, see `glue`
//! OUT/module.d.ts           the declarations of the glue
//! ```

mod glue;
mod split;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use split::Parts;
use wasm_bindgen_cli_support::Bindgen;

/// The forms of a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// gambol in one module.
    One,
    /// gambol in a module for each feature: compiled with the feature `split` and with relocations.
    Split,
    /// A module beside gambol.
    Beside,
}

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [form, name, module, out, features @ ..] = &arguments[..] else {
        bail!("usage: xtask-bind one|split|beside NAME MODULE OUT [FEATURE…]");
    };
    let form = match form.to_str() {
        Some("one") => Form::One,
        Some("split") => Form::Split,
        Some("beside") => Form::Beside,
        _ => bail!("there is no form {}", form.display()),
    };
    let unicode = |text: &OsString| text.to_str().map(str::to_owned).context("an argument is not Unicode");
    let features: Vec<_> = features.iter().map(unicode).collect::<Result<_>>()?;
    bind(form, &unicode(name)?, &read(Path::new(module))?, Path::new(out), &features)
}

fn bind(form: Form, name: &str, bytes: &[u8], out: &Path, features: &[String]) -> Result<()> {
    let parts = match form {
        Form::Split => Some(Parts::of(bytes, out, features)?),
        Form::One | Form::Beside => None,
    };
    let first = match &parts {
        Some(parts) => read(&parts.first)?,
        None => bytes.to_vec(),
    };
    let mut output = Bindgen::new()
        .input_bytes(name, first)
        .web(true)?
        // The package passes the module's address itself; a second default path would confuse bundlers.
        .omit_default_module_path(true)
        .typescript(true)
        .remove_producers_section(true)
        // These exports include the table of functions, which the modules of features share.
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
    let bound = module.emit_wasm();
    let shipped = match parts {
        Some(parts) => parts.join(&bound, &format!("build{:x}", hash(bytes)))?,
        None => bound,
    };
    write(&out.join(format!("{name}_bg.wasm")), shipped)
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

/// Runs a tool that npm installs; on failure the error contains its output.
fn run_npm_tool(name: &str, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<()> {
    let path = format!("node_modules/.bin/{name}{}", if cfg!(windows) { ".cmd" } else { "" });
    let done = Command::new(path).args(arguments).output();
    let done = done.with_context(|| format!("cannot start {name}, which npm installs"))?;
    let errors = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "{name} failed ({})\n{errors}", done.status);
    Ok(())
}
