//! USDZ files of models, and what OpenUSD should find in them.

use crate::export::common::Figure;
use gambol::animation::{Affine, Deformed, deform};
use gambol::import::Resolver;
use gambol::model::{ClipId, Topology};
use gambol_tools::{Usdz, UsdzExporter, UsdzOptions};
use std::path::Path;

/// Exports a file with a clip.
pub(crate) fn usdz(bytes: &[u8], files: &mut dyn Resolver, clip: Option<usize>) -> Usdz {
    let clip = clip.map(ClipId::new);
    let options = UsdzOptions { clip, ..UsdzOptions::default() };
    let exporter = UsdzExporter::new(bytes, files, |_| Ok(options)).expect("a model");
    exporter.finish("Model").expect("a file")
}

/// The files of an archive, by a reader that looks at the central directory only.
pub(crate) fn unpacked(archive: &[u8]) -> Vec<(String, usize, Vec<u8>)> {
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([archive[at], archive[at + 1]]));
    let u32_at = |at: usize| u16_at(at) | u16_at(at + 2) << 16;
    let end = archive.len() - 22;
    assert_eq!(u32_at(end), 0x0605_4b50);
    let (mut at, mut files) = (u32_at(end + 16), Vec::new());
    for _ in 0..u16_at(end + 10) {
        assert_eq!(u32_at(at), 0x0201_4b50);
        assert_eq!(u16_at(at + 10), 0, "no compression");
        let (size, name_length, local) = (u32_at(at + 20), u16_at(at + 28), u32_at(at + 42));
        let name = String::from_utf8(archive[at + 46..at + 46 + name_length].to_vec()).expect("a name");
        assert_eq!(u32_at(local), 0x0403_4b50);
        let begin = local + 30 + u16_at(local + 26) + u16_at(local + 28);
        files.push((name, begin, archive[begin..begin + size].to_vec()));
        at += 46 + name_length + u16_at(at + 30) + u16_at(at + 32);
    }
    files
}

/// The text of the layer.
pub(crate) fn layer(file: &Usdz) -> String {
    let (name, _, bytes) = unpacked(&file.bytes).swap_remove(0);
    assert_eq!(name, "model.usda");
    String::from_utf8(bytes).expect("text")
}

/// Writes the places of all points at `count` times for `check.py`, which finds the mesh of each primitive.
pub(crate) fn expect(model: &Figure, clip: Option<usize>, count: usize, to: &Path) {
    let rig = &model.rig;
    let duration = clip.map_or(0.0, |clip| f64::from(model.clips[clip].duration));
    let times: Vec<f64> = (0..count).map(|i| duration * ((i as f64 * 0.618_034 + 0.013) % 1.0)).collect();
    let mut parts = Vec::new();
    for (d, drawable) in rig.layout.drawables.iter().enumerate() {
        for (p, primitive) in model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
            use Topology::{LineLoop, LineStrip, Lines, Points};
            if !matches!(primitive.topology, Points | Lines | LineLoop | LineStrip) {
                parts.push((d, p));
            }
        }
    }
    let (mut numbers, mut points) = (Vec::<f32>::new(), Vec::new());
    for &time in &times {
        let mut pose = rig.rest_pose().clone();
        if let Some(clip) = clip {
            rig.sample(ClipId::new(clip), time, &mut pose);
        }
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
        rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
        rig.palette(&matrices, &mut palette);
        points.clear();
        for &(d, p) in &parts {
            let drawable = &rig.layout.drawables[d];
            let mut out = Deformed::default();
            deform(
                &model.meshes[drawable.mesh.index()].primitives[p],
                drawable,
                &palette,
                &[],
                &pose.weights,
                &mut out,
            );
            points.push(out.positions.len());
            numbers.extend(out.positions.as_flattened());
        }
    }
    let rows = numbers.as_chunks::<3>().0;
    let range = |axis: usize| {
        let all = rows.iter().map(|row| f64::from(row[axis]));
        all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min)
    };
    let size = if rows.is_empty() { 1.0 } else { (0..3).map(|axis| range(axis).powi(2)).sum::<f64>().sqrt() };
    let json = serde_json::json!({ "times": times, "size": size, "meshes": points });
    std::fs::write(to.with_extension("json"), json.to_string()).expect("a file");
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::write(to.with_extension("f32"), bytes).expect("a file");
}
