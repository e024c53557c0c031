//! The animation of a model as JSON; the example prints it, the tests compare it.

use gambol::animation::{Affine, Deformed, Pose, Rig, deform};
use gambol::model::{ClipId, Model};
use glam::Mat4;
use serde_json::{Value, json};

/// The fractions of a clip's duration at which it is sampled unless the user asks for others.
pub(crate) const SAMPLES: [f64; 5] = [0.0, 0.13, 0.5, 0.777, 1.0];

/// The most vertices of a primitive that are listed.
const MAX_VERTICES: usize = 64;

/// Node matrices and vertices of every clip at some fractions of its duration, and at rest.
pub(crate) fn dump(file: &str, model: &Model, fractions: &[f64]) -> Value {
    json!({ "file": file, "clips": clips(model, fractions) })
}

fn clips(model: &Model, fractions: &[f64]) -> Vec<Value> {
    let mut dump = Dump::new(model);
    let rest = dump.sample(None, 0.0);
    let mut clips = vec![json!({ "index": -1, "name": null, "duration": 0, "samples": [rest] })];
    for (i, clip) in model.clips.iter().enumerate() {
        let duration = f64::from(clip.duration);
        let samples: Vec<_> =
            fractions.iter().map(|f| dump.sample(Some(ClipId::new(i)), f * duration)).collect();
        clips.push(json!({ "index": i, "name": clip.name, "duration": duration, "samples": samples }));
    }
    clips
}

struct Dump<'a> {
    model: &'a Model,
    rig: Rig,
    pose: Pose,
    matrices: Vec<Affine>,
    palette: Vec<Affine>,
}

impl<'a> Dump<'a> {
    fn new(model: &'a Model) -> Self {
        let rig = Rig::new(model);
        let (pose, palette) = (rig.rest_pose().clone(), vec![Affine::identity(); rig.palette_len()]);
        Self { model, rig, pose, matrices: Vec::new(), palette }
    }

    fn sample(&mut self, clip: Option<ClipId>, time: f64) -> Value {
        match clip {
            Some(clip) => self.rig.sample(clip, time, &mut self.pose),
            None => self.pose.copy_from(self.rig.rest_pose()),
        }
        self.rig.node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
        self.rig.palette(&self.matrices, &mut self.palette);
        let in_file_order = self.model.node_of_source.iter();
        let nodes: Vec<_> = in_file_order
            .map(|node| Mat4::from(self.matrices[node.index()]).to_cols_array().to_vec())
            .collect();
        json!({ "t": time, "nodes": nodes, "primitives": self.primitives() })
    }

    fn primitives(&self) -> Vec<Value> {
        let mut drawables: Vec<_> = self.rig.layout.drawables.iter().collect();
        drawables.sort_by_key(|drawable| self.model.nodes[drawable.node.index()].source);
        let mut primitives = Vec::new();
        let mut out = Deformed::default();
        for drawable in drawables {
            for (i, primitive) in self.model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
                deform(primitive, drawable, &self.palette, &[], &self.pose.weights, &mut out);
                // Those of the file: import splits some where it makes tangents.
                let count = out.positions.len() - primitive.split_vertices;
                let n = count.min(MAX_VERTICES);
                let pick = |k: usize| out.positions[if n > 1 { k * (count - 1) / (n - 1) } else { 0 }];
                let positions: Vec<_> = (0..n).map(pick).collect();
                primitives.push(json!({
                    "node": self.model.nodes[drawable.node.index()].source,
                    "mesh": drawable.mesh.index(),
                    "primitive": i,
                    "count": count,
                    "positions": positions,
                    "aabb": bounds(&out.positions),
                }));
            }
        }
        primitives
    }
}

/// The least corner, then the greatest.
fn bounds(positions: &[[f32; 3]]) -> Vec<f32> {
    let least = |axis: usize| positions.iter().map(|p| p[axis]).fold(f32::INFINITY, f32::min);
    let greatest = |axis: usize| positions.iter().map(|p| p[axis]).fold(f32::NEG_INFINITY, f32::max);
    (0..3).map(least).chain((0..3).map(greatest)).collect()
}
