//! `cargo xtask …`: builds, tests, benchmarks and serves gambol.

mod api;
mod bench;
mod bench_page;
mod browsers;
mod compare;
mod decoders;
mod demo;
mod files;
mod formats;
mod fuzz;
mod notices;
mod optimize_table;
mod package;
mod packages;
mod paths;
mod peers;
mod process;
mod programs;
mod release;
mod sample;
mod serve;
mod setup;
mod site;
mod sizes;
mod test;
mod wasm;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use lexopt::prelude::*;

const HELP: &str = "\
cargo xtask <command>

  setup                 install what a build needs: the wasm32 target, the npm packages
  demo [--port N]       build the demo quickly and serve it on 127.0.0.1 (port 8080, or a free one)
  build                 the npm package in dist/gambol, the site in dist/site, their sizes
      --checked           with debug assertions and overflow checks, for debugging
  site                  only the site, with the package that is built already
  test                  every check and test
      --only PARTS        of fmt,clippy,doc,types,claims,native,hashes,browser,packages (several with commas)
      --browser NAMES     of chromium,firefox,webkit (several with commas)
      --filter TEXT       only the native and browser tests whose name contains TEXT
      --all               every check and test in every browser, and all bundlers: for releases
      --checked           browser tests with debug assertions and overflow checks
      --built             of the package and the site that are built already, as the jobs of CI share them
      --bless             replace the golden pictures by what the browser tests draw (also GAMBOL_BLESS=1)
  fmt                   format Rust (rustfmt), TypeScript, JavaScript, CSS and JSON (Biome)
  bench [--json FILE]   the benchmarks, native and WebAssembly, and frames beside three.js
  bench wasm [--json FILE]
                        only the kernels in WebAssembly, in Node and in Chromium
  bench memory [--json FILE]
                        only memory and speed of loading, in Node
  bench materials [--json FILE]
                        only changes of materials, beside three.js and model-viewer
  bench start [--json FILE]
                        only bytes and time until the first frame, beside three.js and model-viewer
      --publish           rewrite the figures of the comparison (www/demo/start.json)
  bench peers [--output FILE]
                        only 1, 100 and 1,000 characters beside three.js, Babylon.js and PlayCanvas
      --only MODEL.COUNT  of character, parts, cesium_man; and a count (cesium_man.100)
      --publish           rewrite the page of the site (www/demo/bench.json)
  pictures              the pictures of README.md and of the guides (docs/images), and of the front page (www/demo/images)
  compare [--json FILE] pictures beside three.js in target/compare, and their differences
  fuzz                  the fuzz targets of fuzz/, one after the other (needs a C++ compiler)
      --seconds N         seconds per target (60)
      --target NAME       one of import, accessors, meshopt, animation, hdr, player
  sample [FILE]         write the sample character Pip (dist/sample.glb)
      --name NAME         another character, or `all` of them (into dist)
  release VERSION       set the version, test, commit and tag; nothing is pushed
      --dry-run           print the changes and the steps, and change nothing
      --no-test           skip the tests, for a trial in a clone
      --notes             only print the changes of VERSION, which has to be the present version
";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    let mut arguments = lexopt::Parser::from_env();
    let command = match arguments.next()? {
        Some(Value(command)) => command.string()?,
        None | Some(Short('h') | Long("help")) => "help".to_owned(),
        Some(other) => return Err(other.unexpected().into()),
    };
    match command.as_str() {
        "help" => print!("{HELP}"),
        "setup" => {
            finish(&mut arguments)?;
            setup::for_build()?;
        }
        "demo" => {
            let mut port = 8080;
            while let Some(argument) = arguments.next()? {
                match argument {
                    Long("port") => port = arguments.value()?.parse()?,
                    other => return Err(other.unexpected().into()),
                }
            }
            demo::run(port)?;
        }
        "build" => {
            let mut checked = false;
            while let Some(argument) = arguments.next()? {
                match argument {
                    Long("checked") => checked = true,
                    other => return Err(other.unexpected().into()),
                }
            }
            if checked {
                wasm::choose(wasm::Kind::Checked);
                build()?;
            } else {
                packages::build()?;
                sizes::report()?;
                sizes::of_pages()?;
            }
        }
        "site" => {
            finish(&mut arguments)?;
            site::build(api::Age::Any)?;
        }
        "test" => {
            let mut options = test::Options::default();
            while let Some(argument) = arguments.next()? {
                match argument {
                    Long("only") => options.only(&arguments.value()?.string()?)?,
                    Long("browser") => options.browsers(&arguments.value()?.string()?)?,
                    Long("filter") => options.filter = Some(arguments.value()?.string()?),
                    Long("bless") => options.bless = true,
                    Long("all") => options.all = true,
                    Long("checked") => options.checked = true,
                    Long("built") => options.built = true,
                    other => return Err(other.unexpected().into()),
                }
            }
            return test::run(&options);
        }
        "bench" => {
            let (mut to, mut part, mut peers) = (None, None, peers::Options::default());
            while let Some(argument) = arguments.next()? {
                match argument {
                    Long("json" | "output") => to = Some(PathBuf::from(arguments.value()?)),
                    Value(name)
                        if part.is_none()
                            && ["wasm", "memory", "materials", "start", "peers"]
                                .iter()
                                .any(|part| name == *part) =>
                    {
                        part = Some(name.string()?);
                    }
                    Long("only") if part.as_deref() == Some("peers") => {
                        peers.only = arguments.value()?.string()?;
                    }
                    Long("publish") if matches!(part.as_deref(), Some("peers" | "start")) => {
                        peers.publish = true;
                    }
                    other => return Err(other.unexpected().into()),
                }
            }
            match part.as_deref() {
                None => bench::run_all(to)?,
                Some("peers") => peers::run(to, &peers)?,
                Some("wasm") => bench::run_wasm(to)?,
                Some("memory") => bench::run_memory(to)?,
                Some("materials") => bench::run_materials(to)?,
                Some(_) => bench::run_start(to, peers.publish)?,
            }
        }
        "compare" => {
            let to = json(&mut arguments)?;
            build()?;
            compare::run(to)?;
        }
        "fuzz" => {
            let (mut seconds, mut target) = (60, None);
            while let Some(argument) = arguments.next()? {
                match argument {
                    Long("seconds") => seconds = arguments.value()?.parse()?,
                    Long("target") => target = Some(arguments.value()?.string()?),
                    other => return Err(other.unexpected().into()),
                }
            }
            fuzz::fuzz(seconds, target.as_deref())?;
        }
        "fmt" => {
            finish(&mut arguments)?;
            setup::component("fmt", "rustfmt")?;
            process::run(process::cargo().args(["fmt", "--all"]))?;
            setup::npm_packages()?;
            process::run(process::npm_tool("biome").args(["check", "--write"]))?;
        }
        "pictures" => {
            finish(&mut arguments)?;
            build()?;
            let mut pictures = browsers::script("pictures")?;
            process::run(pictures.args(browsers::Browser::Chromium.arguments()?))?;
        }
        "sample" => {
            let (mut file, mut name) = (None, None);
            while let Some(argument) = arguments.next()? {
                match argument {
                    Value(path) if file.is_none() => file = Some(PathBuf::from(path)),
                    Long("name") => name = Some(arguments.value()?.string()?),
                    other => return Err(other.unexpected().into()),
                }
            }
            if name.as_deref() == Some("all") {
                sample::write_all(&paths::dist())?;
            } else {
                let file = file.unwrap_or_else(|| paths::dist().join("sample.glb"));
                sample::write(name.as_deref().unwrap_or("Pip"), &file)?;
                println!("{}", file.display());
            }
        }
        "release" => {
            let (mut version, mut options, mut notes) = (None, release::Options::default(), false);
            while let Some(argument) = arguments.next()? {
                match argument {
                    Value(text) if version.is_none() => version = Some(text.string()?),
                    Long("dry-run") => options.dry_run = true,
                    Long("no-test") => options.no_test = true,
                    Long("notes") => notes = true,
                    other => return Err(other.unexpected().into()),
                }
            }
            let version = version.context("`cargo xtask release` needs a version, for example 1.2.3")?;
            if notes { release::notes(&version)? } else { release::release(&version, &options)? }
        }
        other => bail!("there is no `cargo xtask {other}`\n\n{HELP}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the package and the site, in `dist`.
pub(crate) fn build() -> Result<()> {
    wasm::build()?;
    package::build()?;
    site::build(api::Age::Current)
}

/// Parses `--json FILE`, the file for results.
fn json(arguments: &mut lexopt::Parser) -> Result<Option<PathBuf>> {
    let mut file = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("json") => file = Some(PathBuf::from(arguments.value()?)),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(file)
}

/// Returns an error if there are further arguments.
fn finish(arguments: &mut lexopt::Parser) -> Result<()> {
    arguments.next()?.map_or(Ok(()), |argument| Err(anyhow!(argument.unexpected())))
}
