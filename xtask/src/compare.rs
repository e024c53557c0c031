//! Pictures of the package beside those of three.js.

use std::path::PathBuf;

use anyhow::Result;

use crate::bench;

/// Draws the models of `../shared/assets`, if they are there, the sample and the scenes of the golden pictures with both, and
/// prints the differences; the package is built already.
pub(crate) fn run(to: Option<PathBuf>) -> Result<()> {
    let results = bench::peers("compare", &["--out=target/compare"])?;
    bench::print(&results);
    if !results.is_empty() {
        println!("\ngambol | difference | three.js: target/compare");
    }
    bench::write(to, &results)
}
