//! Samples a clip at a time, and prints the world position of each node.
//!
//! ```text
//! cargo run --example sample -- [FILE.glb] [CLIP] [SECONDS]
//! ```
//!
//! Without a file it uses the sample character.

use gambol::animation::{Affine, Rig};
use gambol::import::{NoResolver, import};
use gambol::model::ClipId;
use std::error::Error;
use std::io::{Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let bytes = match arguments.first() {
        Some(file) => std::fs::read(file)?,
        None => gambol_sample::glb(),
    };
    let model = import(&bytes, &mut NoResolver)?.model;

    // The clip by its name; the first one without a name.
    let name = arguments.get(1);
    let clip = match name {
        Some(name) => model.clips.iter().position(|clip| clip.name == *name),
        None => Some(0),
    };
    let clip = clip.filter(|&clip| clip < model.clips.len()).ok_or("the file has no such clip")?;
    let seconds: f64 = arguments.get(2).map_or(Ok(0.5), |text| text.parse())?;

    // Once per model.
    let rig = Rig::new(&model);
    let mut pose = rig.rest_pose().clone();
    let mut matrices = Vec::new();

    // Once per frame.
    rig.sample(ClipId::new(clip), seconds, &mut pose);
    rig.node_matrices(&pose, &Affine::identity(), &mut matrices);

    let mut out = stdout().lock();
    for (node, matrix) in model.nodes.iter().zip(&matrices) {
        let [x, y, z] = matrix.rows().map(|row| row.w);
        writeln!(out, "{:<20} {x:8.3} {y:8.3} {z:8.3}", node.name)?;
    }
    Ok(())
}
