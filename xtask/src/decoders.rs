//! The decoders of others that ship with the package, each in a chunk that is loaded when a file needs it.
//!
//! They come from npm packages at the versions of `package-lock.json`; nothing of them is in the repository.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{files, paths};

struct Decoder {
    /// What it decodes.
    what: &'static str,
    /// The npm package.
    package: &'static str,
    /// The module in the package.
    module: &'static str,
    /// Its name in ours.
    name: &'static str,
    /// Whose it is.
    notice: &'static str,
}

const DECODERS: &[Decoder] = &[Decoder {
    what: "KHR_draco_mesh_compression",
    package: "draco3dgltf",
    module: "draco_decoder_gltf.wasm",
    name: "draco.wasm",
    notice: "Draco, © Google LLC and contributors, Apache-2.0, https://github.com/google/draco",
}];

/// Puts the modules beside the scripts, and a file that says whose they are.
pub(crate) fn copy(dist: &Path) -> Result<()> {
    let mut notices = "Parts of this package were made by others.\n".to_owned();
    for Decoder { what, package, module, name, notice } in DECODERS {
        files::copy(&folder(package).join(module), &dist.join(name))?;
        let version = version(package)?;
        write!(notices, "\n{name} and the script that calls it decode {what}.\n")?;
        write!(notices, "{notice}\nFrom the npm package {package} {version}, unchanged.\n")?;
    }
    notices += "\nThe text of the Apache License 2.0 is in LICENSE-APACHE.\n";
    fs::write(dist.join("THIRD-PARTY.txt"), notices).context("cannot write THIRD-PARTY.txt")
}

fn folder(package: &str) -> PathBuf {
    paths::root().join("node_modules").join(package)
}

fn version(package: &str) -> Result<String> {
    let text = fs::read_to_string(folder(package).join("package.json"))
        .with_context(|| format!("the npm package {package} is missing"))?;
    let manifest: Value = serde_json::from_str(&text).context("a package.json is not JSON")?;
    Ok(manifest["version"].as_str().unwrap_or("?").to_owned())
}
