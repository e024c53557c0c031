//! gambol as a first module and a module for each feature.
//!
//! `wasm_split` moves the code that one feature alone needs to the module of the feature, and code that several need to chunks.
//! Each further file costs a request, so small chunks join the first module. One chunk is large: the bones of humanoids,
//! which some features share. It stays a module, `humanoid`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::json;
use walrus::Module;

use crate::{read, run_npm_tool, write};

/// The name of the module that several features share.
const HUMANOID: &str = "humanoid";

/// Part of the names of functions that only the shared module contains.
const IN_HUMANOID: &str = "humanoid";

/// Chunks of fewer bytes join the first module.
const SMALL: u64 = 16_000;

/// The module name under which the other modules import the exports of the first one.
const FIRST: &str = "__wasm_split";

/// The features of WebAssembly in the modules, those of `WASM_OPT` in `xtask/src/wasm.rs`.
const ENABLED: [&str; 8] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// The modules that `wasm_split` wrote.
pub(crate) struct Parts {
    /// The path of the first module.
    pub(crate) first: PathBuf,
    /// The paths of the chunks that join it.
    small: Vec<PathBuf>,
    /// The name of each other module, and its path.
    others: Vec<(String, PathBuf)>,
    out: PathBuf,
}

impl Parts {
    /// Splits a module that was compiled with the feature `split`, and writes to `out` which features need [`HUMANOID`].
    pub(crate) fn of(wasm: &[u8], out: &Path, features: &[String]) -> Result<Self> {
        let first = out.join("first.wasm");
        let mut options = wasm_split_cli_support::Options::new(wasm);
        (options.output_dir, options.main_out_path) = (out, &first);
        let made = wasm_split_cli_support::transform(options)
            .map_err(|error| anyhow!("wasm_split failed: {error:#}"))?;
        let mut sizes = BTreeMap::new();
        for path in made.split_modules {
            let size = path.metadata().with_context(|| format!("cannot read {}", path.display()))?.len();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).context("a module without a name")?;
            sizes.insert(stem.to_owned(), size);
        }
        let plan = Plan::of(&sizes, &made.prefetch_map, features)?;
        let path = |stem: &str| out.join(format!("{stem}.wasm"));
        let shared = path(&plan.humanoid);
        if !names(&shared)?.iter().any(|name| name.contains(IN_HUMANOID)) {
            bail!(
                "{} of {} bytes has no function with {IN_HUMANOID} in its name: move what {} share to the first module",
                shared.display(),
                sizes[&plan.humanoid],
                plan.sharing.join(", ")
            );
        }
        write(&out.join("features.json"), json!({ HUMANOID: plan.sharing }).to_string())?;
        let mut others = vec![(HUMANOID.to_owned(), shared)];
        others.extend(plan.features.iter().map(|(name, stem)| (name.clone(), path(stem))));
        Ok(Self {
            first,
            small: plan.small.iter().map(|stem| path(stem)).collect(),
            others,
            out: out.to_owned(),
        })
    }

    /// Writes the other modules, and returns the first one with what joins it. `bound` is the first module as wasm-bindgen and
    /// the glue changed it.
    ///
    /// The memory that the modules share gets a name of this build, so that a module of another build does not start.
    pub(crate) fn join(&self, bound: &[u8], build: &str) -> Result<Vec<u8>> {
        let mut first = self.joined(bound)?;
        let memory = first.memories.iter().next().context("the first module has no memory")?.id();
        first.exports.add(build, memory);
        for (name, path) in &self.others {
            let mut module = Module::from_file(path)?;
            for import in module.imports.iter_mut().filter(|import| import.name == "memory") {
                build.clone_into(&mut import.name);
            }
            module.emit_wasm_file(self.out.join(format!("{name}.wasm")))?;
        }
        Ok(first.emit_wasm())
    }

    /// The first module and the small chunks as one module.
    fn joined(&self, bound: &[u8]) -> Result<Module> {
        let (from, to) = (self.out.join("bound.wasm"), self.out.join("joined.wasm"));
        write(&from, bound)?;
        let mut arguments: Vec<OsString> = ENABLED.map(OsString::from).into();
        arguments.extend([from.into(), FIRST.into()]);
        for path in &self.small {
            arguments.extend([path.into(), path.file_stem().unwrap_or_default().to_owned()]);
        }
        arguments.extend(["-o".into(), to.clone().into()]);
        run_npm_tool("wasm-merge", arguments)?;
        Module::from_file(to)
    }
}

/// The names of the functions of a module.
fn names(wasm: &Path) -> Result<Vec<String>> {
    let module = Module::from_buffer(&read(wasm)?)?;
    Ok(module.funcs.iter().filter_map(|function| function.name.clone()).collect())
}

/// The place of each module that `wasm_split` wrote, by the names of their files without extension.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    /// The name of each feature, and its file.
    features: Vec<(String, String)>,
    /// The chunks that join the first module.
    small: Vec<String>,
    /// The chunk that stays a module.
    humanoid: String,
    /// The features that need it.
    sharing: Vec<String>,
}

impl Plan {
    /// `sizes`: the size of each file. `needs`: the files that each split needs, which has the name of its feature as in
    /// `src/web/features.rs`.
    fn of(
        sizes: &BTreeMap<String, u64>,
        needs: &HashMap<String, Vec<String>>,
        features: &[String],
    ) -> Result<Self> {
        let (chunks, splits): (Vec<_>, Vec<_>) =
            sizes.iter().partition(|(name, _)| name.starts_with("chunk_"));
        let feature = |stem: &str| stem.trim_start_matches("split_").to_lowercase();
        let made: Vec<_> = splits.iter().map(|(stem, _)| (feature(stem), (*stem).clone())).collect();
        let (of_made, wanted): (BTreeSet<_>, BTreeSet<_>) =
            (made.iter().map(|(name, _)| name).collect(), features.iter().collect());
        ensure!(
            of_made == wanted,
            "wasm_split wrote modules for the features {of_made:?}, but `cargo xtask` asked for {wanted:?}: the table in \
             src/web/features.rs and the list in xtask/src/wasm.rs differ"
        );
        let (small, large): (Vec<_>, Vec<_>) = chunks.into_iter().partition(|(_, size)| **size < SMALL);
        let sharing = |chunk: &String| {
            let mut sharing: Vec<_> = needs
                .iter()
                .filter(|(_, files)| files.contains(chunk))
                .map(|(name, _)| name.to_lowercase())
                .collect();
            sharing.sort();
            sharing
        };
        let [(humanoid, _)] = large[..] else {
            let large: Vec<_> = large
                .iter()
                .map(|(name, size)| format!("{name} of {size} bytes for {}", sharing(name).join(", ")))
                .collect();
            bail!(
                "features share {} chunks of {SMALL} bytes or more, and not one, which is the module `{HUMANOID}`: {large:?}; move \
                 such code to the first module or to one feature",
                large.len()
            );
        };
        Ok(Self {
            features: made,
            small: small.iter().map(|(name, _)| (*name).clone()).collect(),
            sharing: sharing(humanoid),
            humanoid: humanoid.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Plan;

    fn plan(sizes: &[(&str, u64)], features: &[&str]) -> anyhow::Result<Plan> {
        let sizes = sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect();
        let needs = [("Body", &["chunk_1", "chunk_2"][..]), ("Light", &["chunk_1"])];
        let needs = needs.map(|(name, files)| {
            (name.to_owned(), files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>())
        });
        Plan::of(&sizes, &needs.into(), &Vec::from_iter(features.iter().map(|name| (*name).to_owned())))
    }

    const FEATURES: [&str; 2] = ["light", "body"];

    #[test]
    fn small_chunks_join_the_first_module_and_a_large_one_is_shared() -> anyhow::Result<()> {
        let sizes = [("chunk_1", 16_000), ("chunk_2", 15_999), ("split_Body", 5), ("split_Light", 90_000)];
        let plan = plan(&sizes, &FEATURES)?;
        assert_eq!((plan.small, plan.humanoid), (vec!["chunk_2".to_owned()], "chunk_1".to_owned()));
        assert_eq!(plan.sharing, ["body", "light"]);
        let pairs: Vec<_> = plan.features.iter().map(|(name, stem)| (&**name, &**stem)).collect();
        assert_eq!(pairs, [("body", "split_Body"), ("light", "split_Light")]);
        Ok(())
    }

    #[test]
    fn other_modules_are_an_error_that_names_them() {
        let splits = [("split_Body", 5), ("split_Light", 5)];
        let none = plan(&splits, &FEATURES).expect_err("no shared chunk").to_string();
        assert!(none.contains("share 0 chunks"), "{none}");
        let two = [&[("chunk_1", 20_000), ("chunk_2", 16_000)][..], &splits].concat();
        let two = plan(&two, &FEATURES).expect_err("two shared chunks").to_string();
        assert!(two.contains("chunk_2 of 16000 bytes for body"), "{two}");
        let few = plan(&[("chunk_1", 16_000), ("split_Body", 5)], &FEATURES).expect_err("few").to_string();
        assert!(few.contains("\"light\"") && few.contains("src/web/features.rs"), "{few}");
    }
}
