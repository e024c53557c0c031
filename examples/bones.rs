//! Reports the skeleton of a file: the tree of joints with lengths, for example to check it before retargeting.
//!
//! ```text
//! cargo run --example bones -- [FILE.glb]
//! ```

use gambol::animation::{Affine, Rig};
use gambol::import::{NoResolver, import};
use gambol::model::{Model, NodeId};
use std::error::Error;
use std::io::{Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => gambol_sample::glb(),
    };
    let imported = import(&bytes, &mut NoResolver)?;
    let model = &imported.model;

    let rig = Rig::new(model);
    let mut matrices = Vec::new();
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);

    let mut out = stdout().lock();
    for (i, skin) in model.skins.iter().enumerate() {
        writeln!(out, "skin {i}: {} joints", skin.joints.len())?;
        for joint in &skin.joints {
            let parent = model.nodes[joint.index()].parent;
            let length =
                parent.map_or(0.0, |parent| distance(&matrices[joint.index()], &matrices[parent.index()]));
            let indent = "  ".repeat(depth(model, *joint));
            let name = &model.nodes[joint.index()].name;
            writeln!(out, "{indent}{name}  {length:.3} m")?;
        }
    }
    for warning in &imported.warnings {
        writeln!(out, "warning {} at \"{}\": {}", warning.code, warning.pointer, warning.message)?;
    }
    Ok(())
}

fn depth(model: &Model, node: NodeId) -> usize {
    std::iter::successors(Some(node), |node| model.nodes[node.index()].parent).count()
}

fn distance(a: &Affine, b: &Affine) -> f32 {
    let [a, b] = [a, b].map(|matrix| matrix.rows().map(|row| row.w));
    a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}
