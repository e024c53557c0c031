//! A clip as a morph cache: a morph target for each frame.

use super::frames::{Frame, Frames};
use super::{BakeOptions, BakeReport};
use crate::error::ToolsError;
use crate::export::{
    add_deltas, add_switches, add_times, drop_unused, extensions, still_mesh, still_primitive, vertex_count,
};
use gambol::animation::Deformed;
use gambol::model::{ClipId, Model};
use gambol_gltf::document::Document;
use gambol_gltf::json;
use gambol_gltf::json::{Map, Value};

/// The size of an attribute of a target in the JSON: its accessor and two views, as values and as text, in bytes.
const ATTRIBUTE_BYTES: usize = 2048;

/// Bakes clips into a file with a morph target for each frame, which any player of glTF shows without joints. The positions
/// of a frame are those of the skinned mesh, but for one rounding of an addition in f32. Between frames, vertices move in
/// straight lines. Frames with the same pose, such as both ends of a loop, share a target.
///
/// The file has a node without transform for each mesh of the scene, and an animation for each clip. Materials, textures and
/// extras are those of the source. Joints, cameras, lights and extensions of the whole file are left out, except for variants
/// of materials.
///
/// # Errors
/// Those of [`BakeOptions`], and of documents.
pub fn bake_morphs(
    mut document: Document,
    model: &Model,
    options: &BakeOptions,
) -> Result<(Document, BakeReport), ToolsError> {
    let frames = Frames::new(model, &options.clips, options.fps)?;
    let same_as = frames.same_as();
    // The vertices of the mesh are those of the first frame, so it needs no target.
    let distinct: Vec<usize> = (1..same_as.len()).filter(|&i| same_as[i] == i).collect();
    let target_of = |frame: usize| distinct.binary_search(&same_as[frame]).ok();
    check_size(&document, &frames, &distinct)?;
    let mut made = Cache { sources: document.list("meshes").to_vec(), ..Cache::default() };
    for drawable in 0..frames.rig.layout.drawables.len() {
        made.add(&mut document, &frames, drawable, &distinct)?;
    }

    let animations = document.list("animations").to_vec();
    let mut baked = Vec::new();
    for clip in frames.clips.iter().filter(|_| !made.moving.is_empty()) {
        let mut switches = Vec::with_capacity(clip.times.len() * distinct.len());
        for frame in clip.first..clip.first + clip.times.len() {
            switches.extend((0..distinct.len()).map(|target| target_of(frame) == Some(target)));
        }
        let times: Vec<f32> = clip.times.iter().map(|&time| time as f32).collect();
        let (input, output) = (add_times(&mut document, &times), add_switches(&mut document, &switches));
        let channel = |node: &usize| json!({ "sampler": 0, "target": { "node": node, "path": "weights" } });
        let mut animation = Map::new();
        let source = animations.get(clip.clip.index());
        for key in ["name", "extras"] {
            if let Some(value) = source.and_then(|source| source.get(key)) {
                animation.insert(key.to_owned(), value.clone());
            }
        }
        animation.insert("channels".to_owned(), made.moving.iter().map(channel).collect());
        let interpolation = if options.steps { "STEP" } else { "LINEAR" };
        let sampler = json!({ "input": input, "output": output, "interpolation": interpolation });
        animation.insert("samplers".to_owned(), json!([sampler]));
        baked.push(Value::Object(animation));
    }
    let report = BakeReport {
        frames: frames.list.len(),
        targets: if made.moving.is_empty() { 0 } else { distinct.len() },
        vertices: made.vertices,
        error: if options.steps { None } else { Some(between_frames(&frames)) },
    };
    made.replace(&mut document, baked);
    Ok((document, report))
}

/// The nodes and meshes of the new file.
#[derive(Default)]
struct Cache {
    sources: Vec<Value>,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    /// The nodes with morph targets.
    moving: Vec<usize>,
    vertices: usize,
}

impl Cache {
    fn add(
        &mut self,
        document: &mut Document,
        frames: &Frames<'_>,
        drawable: usize,
        distinct: &[usize],
    ) -> Result<(), ToolsError> {
        let layout = &frames.rig.layout.drawables[drawable];
        let index = layout.mesh.index();
        let source = self.sources.get(index).cloned().unwrap_or_default();
        let list = source.list("primitives").to_vec();
        let moves = moves(frames, drawable, distinct);
        let mut primitives = Vec::with_capacity(list.len());
        for (p, primitive) in list.iter().enumerate() {
            let pointer = format!("/meshes/{index}/primitives/{p}");
            let count = vertex_count(document, primitive)?;
            let (mut base, mut moved) = (Deformed::default(), Deformed::default());
            frames.deform(&frames.list[0], drawable, p, &mut base);
            let mut still = still_primitive(document, primitive, &base, &pointer)?;
            self.vertices += count;
            let has = |name: &str| still.pointer(&format!("/attributes/{name}")).is_some();
            let (normals, tangents) = (has("NORMAL"), has("TANGENT"));
            let mut targets = Vec::new();
            for &frame in distinct.iter().filter(|_| moves && has("POSITION")) {
                frames.deform(&frames.list[frame], drawable, p, &mut moved);
                let mut target = Map::new();
                let mut insert = |name: &str, deltas: Vec<[f32; 3]>| {
                    target.insert(name.to_owned(), add_deltas(document, &deltas).into());
                };
                insert("POSITION", deltas(&moved.positions, &base.positions, count));
                if normals {
                    insert("NORMAL", deltas(&moved.normals, &base.normals, count));
                }
                if tangents {
                    let [moved, base] = [&moved, &base].map(|vertices| directions(&vertices.tangents));
                    insert("TANGENT", deltas(&moved, &base, count));
                }
                targets.push(Value::Object(target));
            }
            if !targets.is_empty() {
                still["targets"] = Value::Array(targets);
            }
            primitives.push(still);
        }
        let mut mesh = still_mesh(&source);
        mesh["primitives"] = Value::Array(primitives);
        if moves {
            mesh["weights"] = vec![0; distinct.len()].into();
            self.moving.push(self.nodes.len());
        }
        let source = frames.model.nodes[layout.node.index()].source as usize;
        let mut node = Map::new();
        for key in ["name", "extras"] {
            if let Some(value) = document.list("nodes").get(source).and_then(|node| node.get(key)) {
                node.insert(key.to_owned(), value.clone());
            }
        }
        node.insert("mesh".to_owned(), self.meshes.len().into());
        self.nodes.push(Value::Object(node));
        self.meshes.push(mesh);
        Ok(())
    }

    /// Replaces the scene of a document.
    fn replace(self, document: &mut Document, animations: Vec<Value>) {
        let before = extensions(document);
        let shown = document.json.index_at("scene").unwrap_or(0);
        let mut scene =
            document.list("scenes").get(shown).and_then(Value::as_object).cloned().unwrap_or_default();
        let roots: Vec<usize> = (0..self.nodes.len()).collect();
        // They may refer to nodes.
        scene.remove("extensions");
        scene.remove("nodes");
        if !roots.is_empty() {
            scene.insert("nodes".to_owned(), roots.into());
        }
        let Some(root) = document.json.as_object_mut() else { return };
        for name in ["skins", "cameras", "nodes", "meshes", "animations", "scenes"] {
            root.remove(name);
        }
        if let Some(extensions) = root.get_mut("extensions").and_then(Value::as_object_mut) {
            extensions.retain(|name, _| name == "KHR_materials_variants");
            if extensions.is_empty() {
                root.remove("extensions");
            }
        }
        root.insert("scene".to_owned(), 0.into());
        root.insert("scenes".to_owned(), Value::Array(vec![Value::Object(scene)]));
        let lists = [("nodes", self.nodes), ("meshes", self.meshes), ("animations", animations)];
        for (name, list) in lists {
            *document.list_mut(name) = list;
            document.drop_empty_list(name);
        }
        drop_unused(document, &before, true);
    }
}

/// Checks the size of the targets and of their weights, before they are made.
///
/// # Errors
/// [`codes::BAKE_TOO_LARGE`](crate::codes::BAKE_TOO_LARGE), and those of accessors.
fn check_size(document: &Document, frames: &Frames<'_>, distinct: &[usize]) -> Result<(), ToolsError> {
    let mut size = frames.size;
    // The weights of a frame: a byte for each target, at first a flag.
    size.add(frames.list.len() * 2, distinct.len())?;
    let meshes = document.list("meshes");
    for (d, drawable) in frames.rig.layout.drawables.iter().enumerate() {
        let list = meshes.get(drawable.mesh.index()).and_then(|mesh| mesh.get("primitives")?.as_array());
        // A mesh that does not move has no targets.
        for primitive in list.into_iter().flatten().filter(|_| moves(frames, d, distinct)) {
            let count = vertex_count(document, primitive)?;
            let has = |name: &&&str| primitive.pointer(&format!("/attributes/{name}")).is_some();
            let attributes = ["POSITION", "NORMAL", "TANGENT"].iter().filter(has).count();
            size.add(distinct.len() * attributes, count * size_of::<[f32; 3]>() + ATTRIBUTE_BYTES)?;
        }
    }
    Ok(())
}

/// `true` if a drawable differs from that of the first frame in one of the others.
fn moves(frames: &Frames<'_>, drawable: usize, distinct: &[usize]) -> bool {
    distinct.iter().any(|&i| changes(frames, &frames.list[i], drawable))
}

/// `true` if a frame differs from the first frame in a drawable.
fn changes(frames: &Frames<'_>, frame: &Frame, drawable: usize) -> bool {
    let (layout, first) = (&frames.rig.layout.drawables[drawable], &frames.list[0]);
    let slots = layout.slots.start as usize..layout.slots.end as usize;
    let weights = layout.weights.start as usize..layout.weights.end as usize;
    frame.palette[slots.clone()] != first.palette[slots]
        || frame.weights[weights.clone()] != first.weights[weights]
        || frame.hides(layout.node) != first.hides(layout.node)
}

fn directions(tangents: &[[f32; 4]]) -> Vec<[f32; 3]> {
    tangents.iter().map(|&[x, y, z, _]| [x, y, z]).collect()
}

/// The offsets of the first `count` vertices.
fn deltas(moved: &[[f32; 3]], base: &[[f32; 3]], count: usize) -> Vec<[f32; 3]> {
    let offset = |(a, b): (&[f32; 3], &[f32; 3])| std::array::from_fn(|i| a[i] - b[i]);
    moved.iter().zip(base).take(count).map(offset).collect()
}

/// The largest distance in metres between the straight line and the skinned vertex, in the middle between two frames.
fn between_frames(frames: &Frames<'_>) -> f64 {
    let mut worst: f64 = 0.0;
    let [mut a, mut b, mut middle] = [(); 3].map(|()| Deformed::default());
    for clip in &frames.clips {
        for (i, pair) in clip.times.windows(2).enumerate() {
            let true_pose = frames.at(clip.clip, (pair[0] + pair[1]) / 2.0);
            let both = [&frames.list[clip.first + i], &frames.list[clip.first + i + 1]];
            for (d, drawable) in frames.rig.layout.drawables.iter().enumerate() {
                for p in 0..frames.model.meshes[drawable.mesh.index()].primitives.len() {
                    frames.deform(both[0], d, p, &mut a);
                    frames.deform(both[1], d, p, &mut b);
                    frames.deform(&true_pose, d, p, &mut middle);
                    for ((a, b), m) in a.positions.iter().zip(&b.positions).zip(&middle.positions) {
                        let off = |i: usize| f64::from(a[i]) / 2.0 + f64::from(b[i]) / 2.0 - f64::from(m[i]);
                        worst = worst.max((0..3).map(|i| off(i) * off(i)).sum::<f64>());
                    }
                }
            }
        }
    }
    worst.sqrt()
}

/// The clips of all names or indices; all clips for an empty list.
///
/// # Errors
/// [`codes::CLIP_NOT_FOUND`](crate::codes::CLIP_NOT_FOUND), with the names of the file.
pub fn find_clips(model: &Model, names: &[String]) -> Result<Vec<ClipId>, ToolsError> {
    if names.is_empty() {
        return Ok((0..model.clips.len()).map(ClipId::new).collect());
    }
    let find = |name: &String| {
        let by_name = model.clips.iter().position(|clip| clip.name == *name);
        let by_index = || name.parse().ok().filter(|&index: &usize| index < model.clips.len());
        by_name.or_else(by_index).map(ClipId::new).ok_or_else(|| {
            let known: Vec<String> = model.clips.iter().map(|clip| format!("“{}”", clip.name)).collect();
            let message = format!("The file has no clip “{name}”; it has {}.", known.join(", "));
            ToolsError::new(crate::codes::CLIP_NOT_FOUND, "/animations", message)
        })
    };
    names.iter().map(find).collect()
}
