//! Download sizes of a page, raw and compressed.
//!
//! `dist/sizes.json` contains these sizes in bytes:
//! - `core`: everything that `import 'gambol'` loads: the module and the scripts of its static imports
//! - `element`: the same for `gambol/element`
//! - `cdn`: the package in one script
//! - `chunks`: each of the files that are loaded later or never

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};

use crate::process::{capture, command};
use crate::{bench, files, formats, package, paths, wasm};

/// Bytes of brotli that a page downloads until the first frame: the aim, and the limit, above which a build fails.
const AIM: usize = 250_000;
const LIMIT: usize = 280_000;

/// The limit of the module of the converters without FBX, in bytes of brotli.
const FORMATS_LIMIT: usize = 150_000;

#[derive(Clone, Copy, Default)]
struct Size {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

impl Size {
    /// The sizes of files.
    fn of(paths: &[PathBuf]) -> Result<Vec<Self>> {
        let text = capture(command("node").arg("xtask/src/sizes.mjs").args(paths))?;
        let all: Vec<Value> = serde_json::from_str(&text).context("the sizes are no JSON")?;
        ensure!(all.len() == paths.len(), "{} sizes of {} files", all.len(), paths.len());
        let size = |one: &Value| {
            let of = |name: &str| {
                let bytes = one[name].as_u64().with_context(|| format!("a size without {name}"))?;
                anyhow::Ok(bytes as usize)
            };
            Ok(Self { raw: of("raw")?, gzip: of("gzip")?, brotli: of("brotli")? })
        };
        all.iter().map(size).collect()
    }

    /// The sizes of a file.
    fn of_one(path: PathBuf) -> Result<Self> {
        Ok(Self::of(&[path])?[0])
    }

    fn json(self) -> Value {
        json!({ "raw": self.raw, "gzip": self.gzip, "brotli": self.brotli })
    }
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), |a, b| Self {
            raw: a.raw + b.raw,
            gzip: a.gzip + b.gzip,
            brotli: a.brotli + b.brotli,
        })
    }
}

/// Measures `www/gambol/dist`, writes `dist/sizes.json` and prints a table.
pub(crate) fn report() -> Result<()> {
    let files = measure(&paths::package().join("dist"))?;
    let imports = static_imports()?;

    let mut table = Vec::new();
    let mut always = BTreeSet::new();
    for (label, entry) in [("core", "index.js"), ("element", "element.js")] {
        if files.contains_key(entry) {
            let mut needed = closure(entry, &imports);
            needed.insert("gambol.wasm".to_owned());
            table.push((
                label.to_owned(),
                needed.iter().filter_map(|name| files.get(name)).copied().sum::<Size>(),
            ));
            always.append(&mut needed);
        }
    }
    // `element` is last and contains the core.
    let budget = table.last().map(|(label, size)| (label.clone(), size.brotli));
    let mut json: Map<String, Value> =
        table.iter().map(|(label, size)| (label.clone(), size.json())).collect();
    let one_file = Size::of_one(paths::package().join("dist/cdn/gambol-viewer.min.js"))?;
    json.insert("cdn".into(), one_file.json());
    table.push(("one file".to_owned(), one_file));
    let chunks: Vec<_> = files.iter().filter(|(name, _)| !always.contains(*name)).collect();
    json.insert("chunks".into(), chunks.iter().map(|(name, size)| (plain(name), size.json())).collect());

    let to = paths::dist().join("sizes.json");
    fs::write(&to, format!("{}\n", serde_json::to_string_pretty(&json)?))
        .context("cannot write dist/sizes.json")?;

    table.extend(always.iter().filter_map(|name| Some((format!("  {name}"), *files.get(name)?))));
    table.extend(chunks.iter().map(|(name, size)| (format!("later: {}", plain(name)), **size)));
    println!("\n{:<28}{:>10}{:>10}{:>10}", "bytes", "raw", "gzip", "brotli");
    for (label, size) in table {
        println!("{label:<28}{:>10}{:>10}{:>10}", size.raw, size.gzip, size.brotli);
    }
    println!();
    report_formats(files.get("gambol.formats.wasm").context("the package has no converters")?.brotli)?;
    budget.map_or(Ok(()), |(label, bytes)| hold(&label, bytes))
}

/// Prints the size of the converters without FBX, and the addition of FBX; compares the first with its limit. `module` is
/// the size of the module that ships.
fn report_formats(module: usize) -> Result<()> {
    let plain = Size::of_one(formats::build_without_fbx()?)?.brotli;
    println!(
        "the converters take {plain} bytes of brotli without FBX (at most {FORMATS_LIMIT}); FBX adds {}\n",
        module.saturating_sub(plain)
    );
    if plain > FORMATS_LIMIT {
        bail!("the converters without FBX are above their limit of {FORMATS_LIMIT} bytes");
    }
    Ok(())
}

/// Compares with the budget. Only the shipped module has to meet it.
fn hold(label: &str, bytes: usize) -> Result<()> {
    if bytes <= AIM {
        return Ok(());
    }
    let above = if bytes > LIMIT { "above the limit" } else { "below the limit, above the aim" };
    let verdict = format!("{label} takes {bytes} bytes of brotli: {above} (aim {AIM}, at most {LIMIT})");
    if bytes > LIMIT && wasm::small() {
        bail!("{verdict}");
    }
    println!("{verdict}\n");
    Ok(())
}

/// Measures in a browser the bytes that it fetches of the package until the first frame, for three pages; see
/// `tests/browser/runner/budget.ts`. The package and the site must be built before.
pub(crate) fn until_first_frame() -> Result<()> {
    let pages = bench::in_chromium("budget", &[])?;
    println!("bytes until the first frame, of scripts and WebAssembly in brotli");
    let size = |page: &Value| -> Result<(String, usize)> {
        let bytes = page["value"].as_u64().context("a page without bytes")?;
        Ok((page["name"].as_str().unwrap_or_default().to_owned(), bytes as usize))
    };
    let pages: Vec<_> = pages.iter().map(size).collect::<Result<_>>()?;
    for (name, bytes) in &pages {
        println!("{:<28}{bytes:>10}", format!("  {name}"));
    }
    pages.iter().try_for_each(|(name, bytes)| hold(&format!("the page {name}"), *bytes))
}

/// The scripts and modules directly in the folder.
fn measure(folder: &Path) -> Result<BTreeMap<String, Size>> {
    let mut paths = files::of_folder(folder)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "js" || extension == "wasm"));
    let names = paths.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    Ok(names.zip(Size::of(&paths)?).collect())
}

/// The static imports of each script of the package.
fn static_imports() -> Result<BTreeMap<String, Vec<String>>> {
    let text =
        fs::read_to_string(package::metafile()).context("cannot read what esbuild said of the package")?;
    let meta: Value = serde_json::from_str(&text).context("esbuild's metafile is not JSON")?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let outputs = meta["outputs"].as_object().into_iter().flatten();
    Ok(outputs
        .map(|(path, output)| {
            let imports = output["imports"].as_array().into_iter().flatten();
            let fixed = imports.filter(|import| import["kind"] == "import-statement");
            (name(path), fixed.filter_map(|import| import["path"].as_str()).map(name).collect())
        })
        .collect())
}

fn closure(entry: &str, imports: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![entry.to_owned()];
    while let Some(name) = open.pop() {
        if found.insert(name.clone()) {
            open.extend(imports.get(&name).into_iter().flatten().cloned());
        }
    }
    found
}

/// A chunk's name without esbuild's hash, so that it stays the same from build to build.
fn plain(name: &str) -> String {
    let Some((stem, extension)) = name.rsplit_once('.') else { return name.to_owned() };
    match stem.rsplit_once('-') {
        Some((stem, hash))
            if hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()) =>
        {
            // Unnamed chunks (code that several scripts share) would all have the same name.
            if stem == "chunk" { name.to_owned() } else { format!("{stem}.{extension}") }
        }
        _ => name.to_owned(),
    }
}
