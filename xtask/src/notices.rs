//! `dist/THIRD-PARTY.txt`: the third-party parts of the package, Rust crates in the modules and decoders from npm, each
//! with its licence.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::{capture, cargo, command};
use crate::{decoders, files, package, paths};

/// The licences of code inside a decoder that has a licence of its own.
const ZSTD: &str = "\
basis.wasm contains the decoder of Zstandard, BSD-3-Clause, https://github.com/facebook/zstd

BSD License

For Zstandard software

Copyright (c) Meta Platforms, Inc. and affiliates. All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:

 * Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.

 * Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the \
documentation and/or other materials provided with the distribution.

 * Neither the name Facebook, nor Meta, nor the names of its contributors may be used to endorse or promote products derived from this \
software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS \"AS IS\" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT \
LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT \
HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT \
LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY \
THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF \
THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
";

/// The crates that are compiled to modules.
const MODULES: [&str; 4] = ["gambol-web", "gambol-formats-web", "gambol-exr-web", "gambol-tools-web"];

/// The copyright notices of crates under the MIT licence that contain no file with it.
const MIT_NOTICES: [(&str, &str); 2] =
    [("ufbx", "Copyright (c) 2022 Samuli Raivio"), ("pulp-wasm-simd-flag", "Copyright (c) 2021 sarah")];

/// A Rust crate whose code is in the modules.
struct Crate {
    name: String,
    version: String,
    licence: String,
    repository: String,
    folder: PathBuf,
}

/// Writes the file into `dist`.
pub(crate) fn write(dist: &Path) -> Result<()> {
    let mut text = "Parts of this package were made by others. LICENSE-APACHE and LICENSE-MIT, in the package's folder, are the licences of \
                    gambol itself; the first also has the text of the Apache License 2.0 that is named below.\n\n\
                    # Decoders\n"
        .to_owned();
    text += &decoders::notices()?;
    write!(text, "\n{ZSTD}\n# Rust crates, compiled into gambol*.wasm\n\n")?;
    writeln!(
        text,
        "The standard library of Rust {}, © The Rust Project contributors, MIT OR Apache-2.0, https://github.com/rust-lang/rust",
        capture(command("rustc").arg("--version"))?.split_whitespace().nth(1).unwrap_or_default()
    )?;
    // Crates of one project have the same text, which is written once, below all of them.
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for each in crates()? {
        let Crate { name, version, licence, repository, .. } = &each;
        by_text
            .entry(licence_text(&each)?)
            .or_default()
            .push(format!("{name} {version}, {licence}, {repository}"));
    }
    for (licence, crates) in by_text {
        write!(text, "\n## {}\n\n{}\n", crates.join("\n## "), licence.trim())?;
    }
    text += &npm_packages(&[package::metafile(), package::command_line_metafile("cli")])?;
    files::write(&dist.join("THIRD-PARTY.txt"), text)
}

/// The npm packages that are bundled into scripts, by the metafiles of esbuild, each with its licence.
fn npm_packages(metafiles: &[PathBuf]) -> Result<String> {
    let mut folders = BTreeSet::new();
    for metafile in metafiles {
        let bundle: Value =
            serde_json::from_str(&files::read_text(metafile)?).context("esbuild wrote no JSON")?;
        for path in bundle["inputs"].as_object().into_iter().flat_map(|inputs| inputs.keys()) {
            // Parts for Node that a bundle for browsers leaves out.
            let bundled = Some(path).filter(|path| !path.starts_with("(disabled):"));
            let Some((folder, rest)) = bundled.and_then(|path| path.rsplit_once("node_modules/")) else {
                continue;
            };
            let parts = if rest.starts_with('@') { 2 } else { 1 };
            let name: Vec<&str> = rest.split('/').take(parts).collect();
            // The decoders have notices of their own.
            if ["draco3dgltf", "three"].contains(&name[0]) {
                continue;
            }
            folders.insert(paths::root().join(folder).join("node_modules").join(name.join("/")));
        }
    }
    let mut text = "\n# npm packages, bundled into scripts\n".to_owned();
    for folder in folders {
        let manifest: Value = serde_json::from_str(&files::read_text(&folder.join("package.json"))?)
            .with_context(|| format!("{} has no package.json", folder.display()))?;
        let [name, version, licence] = ["name", "version", "license"].map(|key| string(&manifest[key]));
        // The Mozilla Public Licence (section 3.2) asks for the place of the sources.
        let repository = &manifest["repository"];
        let source = repository.as_str().or(repository["url"].as_str()).unwrap_or_default();
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let file = entries
            .filter_map(|entry| entry.ok())
            .find(|entry| entry.file_name().to_string_lossy().to_lowercase().starts_with("licen"))
            .with_context(|| format!("the npm package {name} has no file with its licence"))?;
        let terms = files::read_text(&file.path())?;
        write!(text, "\n## npm package {name} {version}, {licence}, {source}\n\n{}\n", terms.trim())?;
    }
    Ok(text)
}

/// The crates that are linked into the modules of gambol, of the converters and of the tools: their dependencies for the web, and
/// theirs, but nothing that only runs while compiling.
fn crates() -> Result<Vec<Crate>> {
    let arguments = [
        "metadata",
        "--format-version",
        "1",
        "--filter-platform",
        "wasm32-unknown-unknown",
        "--locked",
        "--features",
        "gambol-web/split,gambol-formats/fbx",
    ];
    let metadata: Value =
        serde_json::from_str(&capture(cargo().args(arguments))?).context("cargo metadata is not JSON")?;
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let by_id = |all: &Value| -> BTreeMap<String, Value> {
        list(all).into_iter().filter_map(|one| Some((one["id"].as_str()?.to_owned(), one))).collect()
    };
    let (packages, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let own: BTreeSet<_> = list(&metadata["workspace_members"]).iter().map(string).collect();
    let only_compiles = |package: &Value| {
        list(&package["targets"])
            .iter()
            .any(|target| list(&target["kind"]).contains(&Value::from("proc-macro")))
    };
    let mut open: Vec<String> = packages
        .iter()
        .filter(|(_, one)| MODULES.contains(&&*string(&one["name"])))
        .map(|(id, _)| id.clone())
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        let package = packages.get(&id).context("cargo metadata names an unknown package")?;
        if only_compiles(package) || !seen.insert(id.clone()) {
            continue;
        }
        let linked = list(&nodes[&id]["deps"])
            .into_iter()
            .filter(|dependency| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()));
        open.extend(linked.map(|dependency| string(&dependency["pkg"])));
    }
    let crates = seen.iter().filter(|id| !own.contains(*id)).map(|id| {
        let package = &packages[id];
        Crate {
            name: string(&package["name"]),
            version: string(&package["version"]),
            licence: string(&package["license"]),
            repository: string(&package["repository"]),
            folder: Path::new(&string(&package["manifest_path"])).parent().unwrap_or(Path::new("")).into(),
        }
    });
    Ok(crates.collect())
}

/// The licence text of a crate: the MIT licence if the crate offers it, else all of its licence files. Without any
/// file, it is the MIT licence with a notice of [`MIT_NOTICES`], or the Apache License if the crate offers that.
fn licence_text(one: &Crate) -> Result<String> {
    let entries = fs::read_dir(&one.folder)
        .with_context(|| format!("the sources of the crate {} are missing", one.name))?;
    let mut names: Vec<_> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|word| name.starts_with(word)))
        .collect();
    names.sort();
    // The licence of data tables applies in addition: `(MIT OR Apache-2.0) AND Unicode-3.0`.
    let besides = one.licence.contains(" AND ");
    if names.iter().any(|name| name == "LICENSE-MIT") {
        names.retain(|name| name == "LICENSE-MIT" || (besides && name != "LICENSE-APACHE"));
    }
    let texts: Vec<_> = names
        .iter()
        .map(|name| fs::read_to_string(one.folder.join(name)).with_context(|| format!("cannot read {name}")))
        .collect::<Result<_>>()?;
    let mut text = texts.join("\n\n");
    if let Some((_, notice)) = MIT_NOTICES.iter().find(|(name, _)| text.is_empty() && *name == one.name) {
        // The licence of gambol is the same text, below another notice.
        let own = files::read_text(&paths::root().join("LICENSE-MIT"))?;
        let (_, terms) = own.split_once("The gambol authors").context("LICENSE-MIT has another notice")?;
        text = format!("MIT License\n\n{notice}{terms}");
    }
    if text.is_empty() && one.licence.split(" OR ").any(|licence| licence == "Apache-2.0") {
        text =
            fs::read_to_string(paths::root().join("LICENSE-APACHE")).context("cannot read LICENSE-APACHE")?;
    }
    anyhow::ensure!(!text.is_empty(), "the crate {} {} has no file with its licence", one.name, one.version);
    Ok(text)
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
