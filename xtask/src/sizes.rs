//! Download sizes of a page, raw and compressed.
//!
//! `dist/sizes.json` contains these sizes in bytes:
//! - `core`: everything that `import 'gambol'` loads: the module and the scripts of its static imports
//! - `element`: the same for `gambol/element`
//! - `cdn`: the package in one script
//! - `chunks`: each of the files that are loaded later or never

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};

use crate::process::{capture, command};
use crate::{bench, files, formats, package, paths, wasm};

/// The limits of each page of `tests/browser/runner/budget.ts`, in bytes of brotli: of what it fetches until the first frame, until its
/// model is loaded, and until 10 s after that. Above one of them a build fails.
const LIMITS: [(&str, [usize; 3]); 6] = [
    ("plain", [310_000, 310_000, 310_000]),
    ("materials", [310_000, 310_000, 310_000]),
    ("api", [295_000, 295_000, 295_000]),
    ("mixing", [295_000, 295_000, 295_000]),
    ("colours", [295_000, 295_000, 295_000 + COLOURS_LIMIT]),
    ("crowd", [295_000, 295_000, 350_000]),
];

/// The limit of what a page that changes colours fetches more than `api`, in bytes of brotli.
const COLOURS_LIMIT: usize = 15_000;

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
    report_formats(files.get("gambol.formats.wasm").context("the package has no converters")?.brotli)
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

/// Measures in a browser the bytes that it fetches of the package for some pages, prints them beside [`LIMITS`], and compares them; see
/// `tests/browser/runner/budget.ts`. The package and the site must be built before. Only the shipped module has to meet the limits.
pub(crate) fn of_pages() -> Result<()> {
    let figures = bench::in_chromium("budget", &[])?;
    if figures.is_empty() {
        return Ok(());
    }
    let (table, above) = beside_limits(&figures)?;
    println!("bytes that a page fetches of scripts and WebAssembly in brotli / at most\n{table}");
    ensure!(above.is_empty() || !wasm::small(), "{}", above.join("\n"));
    Ok(())
}

/// A table of the figures and their limits, and those that are above.
fn beside_limits(figures: &[Value]) -> Result<(String, Vec<String>)> {
    let mut table = format!("{:<12}{:>20}{:>20}{:>20}\n", "page", "first frame", "load", "10 s after it");
    let mut above = Vec::new();
    let mut all = BTreeMap::new();
    for (page, limits) in LIMITS {
        write!(table, "{page:<12}")?;
        for (what, limit) in ["first-frame", "load", "all"].into_iter().zip(limits) {
            let name = format!("{page}.{what}");
            let bytes = figures.iter().find(|figure| figure["name"] == name.as_str());
            let bytes = bytes.and_then(|figure| figure["value"].as_u64());
            let bytes = bytes.with_context(|| format!("{name} was not measured"))? as usize;
            write!(table, "{:>20}", format!("{bytes} / {limit}"))?;
            all.insert(page, bytes);
            if bytes > limit {
                above.push(format!("{name} is {bytes} bytes of brotli, more than {limit}"));
            }
        }
        table.push('\n');
    }
    let more = all["colours"].saturating_sub(all["api"]);
    if more > COLOURS_LIMIT {
        above.push(format!(
            "colours.all is {more} bytes of brotli more than api.all, at most {COLOURS_LIMIT}"
        ));
    }
    ensure!(figures.len() == 3 * LIMITS.len(), "a page of tests/browser/runner/budget.ts has no limits");
    Ok((table, above))
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{LIMITS, beside_limits};

    /// The figures of all pages, each at its limit plus `more`.
    fn figures(more: usize) -> Vec<Value> {
        let names = ["first-frame", "load", "all"];
        let of = |(page, limits): (&str, [usize; 3])| {
            names
                .into_iter()
                .zip(limits)
                .map(|(name, limit)| json!({ "name": format!("{page}.{name}"), "value": limit + more }))
                .collect::<Vec<_>>()
        };
        LIMITS.into_iter().flat_map(of).collect()
    }

    #[test]
    fn each_figure_of_a_page_has_a_limit() -> anyhow::Result<()> {
        let (table, above) = beside_limits(&figures(0))?;
        assert_eq!((table.lines().count(), above.len()), (1 + LIMITS.len(), 0));
        let (_, above) = beside_limits(&figures(1))?;
        assert_eq!(above.len(), 3 * LIMITS.len());
        assert!(above[2].starts_with("plain.all is "), "{}", above[2]);
        let mut one = figures(0);
        let (page, [limit, ..]) = LIMITS[1];
        one[3]["value"] = (limit + 1).into();
        let message = format!("{page}.first-frame is {} bytes of brotli, more than {limit}", limit + 1);
        assert_eq!(beside_limits(&one)?.1, [message]);
        let mut small = figures(0);
        for figure in small.iter_mut().filter(|figure| figure["name"] == "api.all") {
            figure["value"] = 294_999.into();
        }
        let message = "colours.all is 15001 bytes of brotli more than api.all, at most 15000";
        assert_eq!(beside_limits(&small)?.1, [message]);
        Ok(())
    }

    #[test]
    fn pages_and_limits_are_the_same() {
        let mut few = figures(0);
        let last = few.pop();
        assert!(beside_limits(&few).is_err_and(|error| error.to_string().contains("crowd.all")));
        few.extend(last);
        few.push(json!({ "name": "other.all", "value": 1 }));
        assert!(beside_limits(&few).is_err());
        assert!(LIMITS.iter().all(|(_, [first, load, all])| first <= load && load <= all));
    }
}
