//! Prints evenly spaced poses of each clip as data: the names of joints, and for each pose their places seen from the front, in `0..=1`
//! of the picture. A page can draw them as stick figures without WebGL.
//!
//! ```text
//! cargo run --example thumbnails -- [FILE.glb] > poses.json
//! ```

use gambol::animation::{Affine, Rig};
use gambol::import::{NoResolver, import};
use gambol::model::ClipId;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{Write, stdout};

/// Poses per clip.
const POSES: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => gambol_sample::glb(),
    };
    let model = import(&bytes, &mut NoResolver)?.model;
    let rig = Rig::new(&model);
    let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());

    let mut clips = Vec::new();
    for (index, clip) in model.clips.iter().enumerate() {
        let mut frames = Vec::new();
        for i in 0..POSES {
            rig.sample(ClipId::new(index), f64::from(clip.duration) * i as f64 / POSES as f64, &mut pose);
            rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
            frames.push(matrices.iter().map(|matrix| matrix.rows().map(|row| row.w)).collect::<Vec<_>>());
        }
        clips.push((clip.name.clone(), frames));
    }

    // One scale for all pictures, so that they can stand side by side.
    let places = || clips.iter().flat_map(|(_, frames)| frames.iter().flatten());
    let least = places().fold([f32::MAX; 2], |least, place| [least[0].min(place[0]), least[1].min(place[1])]);
    let most = places().fold([f32::MIN; 2], |most, place| [most[0].max(place[0]), most[1].max(place[1])]);
    let side = (most[0] - least[0]).max(most[1] - least[1]).max(f32::MIN_POSITIVE);
    let seen = |place: &[f32; 3]| json!([(place[0] - least[0]) / side, 1.0 - (place[1] - least[1]) / side]);

    let clips: Vec<Value> = clips
        .iter()
        .map(|(name, frames)| {
            let frames: Vec<Vec<Value>> =
                frames.iter().map(|frame| frame.iter().map(seen).collect()).collect();
            json!({ "name": name, "poses": frames })
        })
        .collect();
    let joints: Vec<_> = model.nodes.iter().map(|node| &node.name).collect();
    writeln!(stdout(), "{}", json!({ "joints": joints, "clips": clips }))?;
    Ok(())
}
