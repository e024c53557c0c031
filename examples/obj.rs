//! Skins a pose on the CPU, and writes it as a Wavefront OBJ.
//!
//! ```text
//! cargo run --release --example obj -- [FILE.glb] [SECONDS] > pose.obj
//! ```

use gambol::animation::{Affine, Deformed, Rig, deform};
use gambol::import::{NoResolver, import};
use gambol::model::{ClipId, Topology};
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let bytes = match arguments.next() {
        Some(file) => std::fs::read(file)?,
        None => gambol_sample::glb(),
    };
    let seconds: f64 = arguments.next().map_or(Ok(0.25), |text| text.parse())?;
    let model = import(&bytes, &mut NoResolver)?.model;

    let rig = Rig::new(&model);
    let mut pose = rig.rest_pose().clone();
    if rig.clip_count() > 0 {
        rig.sample(ClipId::new(0), seconds, &mut pose);
    }
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);

    let mut out = BufWriter::new(stdout().lock());
    let mut deformed = Deformed::default();
    // Indices of an OBJ begin at 1 and count through the whole file.
    let mut first = 1;
    for drawable in &rig.layout.drawables {
        for primitive in &model.meshes[drawable.mesh.index()].primitives {
            if primitive.topology != Topology::Triangles {
                continue;
            }
            deform(primitive, drawable, &palette, &[], &pose.weights, &mut deformed);
            for [x, y, z] in &deformed.positions {
                writeln!(out, "v {x} {y} {z}")?;
            }
            let all = 0..primitive.vertex_count() as u32;
            let indices = primitive.indices.clone().unwrap_or_else(|| all.collect());
            for [a, b, c] in indices.as_chunks::<3>().0 {
                let [a, b, c] = [a, b, c].map(|index| first + *index as usize);
                writeln!(out, "f {a} {b} {c}")?;
            }
            first += primitive.vertex_count();
        }
    }
    Ok(())
}
