//! Optimises files and prints a table: `cargo run --release -p gambol-tools --example optimize -- FILE…`.
//! With `--out FOLDER`, it writes the results there. `--diff A B` prints the distance of two files.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use gambol::import::FolderResolver;
use gambol_tools::{Compression, Options, Sizes, optimize};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut out: Option<PathBuf> = None;
    let mut arguments = std::env::args().skip(1);
    println!(
        "file: before → after bytes (animation, geometry, images, JSON, other), keys; error of bound in metres; seconds"
    );
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--error" => options.error = arguments.next().and_then(|text| text.parse().ok()),
            "--out" => out = arguments.next().map(PathBuf::from),
            "--khr" => options.compression = Compression::KhronosMeshopt,
            "--diff" => {
                let paths: Vec<String> = arguments.by_ref().take(2).collect();
                compare(Path::new(&paths[0]), Path::new(&paths[1]))?;
            }
            "--plain" => options.compression = Compression::None,
            path => one(Path::new(path), &options, out.as_deref())?,
        }
    }
    Ok(())
}

fn compare(a: &Path, b: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let read = |path: &Path| -> Result<_, Box<dyn std::error::Error>> {
        let mut resolver = FolderResolver::new(path.parent().unwrap_or(Path::new(".")));
        Ok(gambol::import::import(&std::fs::read(path)?, &mut resolver)?.model)
    };
    let found = gambol_tools::diff(&read(a)?, &read(b)?)?;
    println!("{}: {:.3e} at rest, {:.3e}", b.display(), found.rest.distance, found.largest().0.distance);
    Ok(())
}

fn one(path: &Path, options: &Options, out: Option<&Path>) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(path)?;
    let mut resolver = FolderResolver::new(path.parent().unwrap_or(Path::new(".")));
    let begin = Instant::now();
    let made = match optimize(&bytes, &mut resolver, options) {
        Ok(made) => made,
        Err(error) => {
            println!("{}: {} {error}", path.display(), error.code);
            return Ok(());
        }
    };
    let seconds = begin.elapsed().as_secs_f64();
    let text = |sizes: Sizes| {
        let Sizes { animation, geometry, images, json, other, total, keys, .. } = sizes;
        format!("{total} ({animation}, {geometry}, {images}, {json}, {other}), {keys}")
    };
    let name = path.file_name().unwrap_or_default();
    let report = &made.report;
    println!(
        "{}: {} → {}; {:.3e} of {:.3e}; {seconds:.2}{}",
        name.display(),
        text(report.before),
        text(report.after),
        report.error(),
        report.bound,
        if report.unchanged { " unchanged" } else { "" }
    );
    if let Some(folder) = out {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(path.with_extension("glb").file_name().unwrap_or(name)), &made.bytes)?;
    }
    Ok(())
}
