//! Pictures rendered by the package beside those of three.js.

use std::path::PathBuf;

use anyhow::Result;

use crate::bench;

/// Renders the models of `../shared/assets` if they exist, the sample, and the scenes of the golden pictures with both,
/// and prints the differences. The package must be built before.
pub(crate) fn run(to: Option<PathBuf>) -> Result<()> {
    let results = bench::peers("compare", &["--out=target/compare"])?;
    bench::print(&results);
    if !results.is_empty() {
        println!("\ngambol | difference | three.js: target/compare");
    }
    bench::write(to, &results)
}
