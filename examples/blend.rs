//! Blends two clips half and half, and prints the distance of each joint from both.
//!
//! ```text
//! cargo run --example blend
//! ```

use gambol::animation::{Affine, Contribution, LayerMode, Mix, MixLayer, Mixer, Pose, Rig};
use gambol::import::{NoResolver, import};
use gambol::model::{ClipId, Model};
use std::error::Error;
use std::io::{Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let model = import(&gambol_sample::glb(), &mut NoResolver)?.model;
    let rig = Rig::new(&model);
    let [walk, run] = [find(&model, "Walk")?, find(&model, "Run")?];

    // One layer with two clips. Weights whose sum is below 1 leave the rest to the pose below.
    let contributions = [walk, run].map(|clip| Contribution { clip, time: 0.2, weight: 0.5 }).to_vec();
    let layer = MixLayer { mode: LayerMode::Override, weight: 1.0, mask: None, contributions: 0..2 };
    let mix = Mix { layers: vec![layer], contributions };

    let mut blended = rig.rest_pose().clone();
    Mixer::new().evaluate(&rig, &mix, &mut blended);

    let mut alone = [rig.rest_pose().clone(), rig.rest_pose().clone()];
    rig.sample(walk, 0.2, &mut alone[0]);
    rig.sample(run, 0.2, &mut alone[1]);

    let places = |pose: &Pose| {
        let mut matrices = Vec::new();
        rig.node_matrices(pose, &Affine::identity(), &mut matrices);
        matrices.iter().map(|matrix| matrix.rows().map(|row| row.w)).collect::<Vec<_>>()
    };
    let [walking, running] = [places(&alone[0]), places(&alone[1])];
    let mut out = stdout().lock();
    for (i, place) in places(&blended).iter().enumerate() {
        let [a, b] = [&walking, &running].map(|other| distance(place, &other[i]));
        let name = &model.nodes[i].name;
        writeln!(out, "{name:<20} {a:.3} m from Walk, {b:.3} m from Run")?;
    }
    Ok(())
}

fn find(model: &Model, name: &str) -> Result<ClipId, String> {
    let index = model.clips.iter().position(|clip| clip.name == *name);
    index.map(ClipId::new).ok_or_else(|| format!("the model has no clip {name}"))
}

fn distance(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}
