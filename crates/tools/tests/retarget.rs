//! Retargeted clips in the file of a model.

use crate::common;
use gambol::animation::retarget::{Options, retarget};
use gambol::import::{NoResolver, import};
use gambol::model::{Clip, ClipId, Model};
use gambol_gltf::json::Value;
use gambol_tools::{ClipSource, Document, RetargetedClips, codes, read_clips, read_skeleton, retarget_clips};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A file and its import.
struct File {
    document: Document,
    model: Model,
}

fn file(bytes: &[u8]) -> File {
    let document = Document::parse(bytes, &mut NoResolver).expect("a document");
    File { document, model: import(bytes, &mut NoResolver).expect("a model").model }
}

/// A sample character; each is generated once.
fn character(name: &str) -> File {
    static ALL: LazyLock<HashMap<&str, Vec<u8>>> =
        LazyLock::new(|| gambol_sample::characters().iter().map(|one| (one.name, one.glb())).collect());
    file(&ALL[name])
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// The keys of an animation as they are in the file: node, path, interpolation, bits of times and values.
fn written(document: &Document, animation: usize) -> Vec<(u64, String, Vec<u32>, Vec<u32>)> {
    let animation = &document.list("animations")[animation];
    let number = |value: &Value| value.as_u64().expect("an index");
    let floats = |value: &Value| bits(&document.floats(number(value) as usize).expect("numbers"));
    let channels = animation["channels"].as_array().expect("channels").iter();
    let mut all: Vec<_> = channels
        .map(|channel| {
            let (sampler, target) =
                (&animation["samplers"][number(&channel["sampler"]) as usize], &channel["target"]);
            let kind = format!("{} {}", target["path"], sampler["interpolation"]).replace('"', "");
            (number(&target["node"]), kind, floats(&sampler["input"]), floats(&sampler["output"]))
        })
        .collect();
    all.sort();
    all
}

/// The keys of a clip, as [`written`] has them.
fn wanted(clip: &Clip, model: &Model) -> Vec<(u64, String, Vec<u32>, Vec<u32>)> {
    let channels = clip.channels.iter();
    let mut all: Vec<_> = channels
        .map(|channel| {
            let curve = &clip.curves[channel.curve];
            let kind =
                format!("{:?} {}", channel.path, format!("{:?}", curve.interpolation()).to_uppercase());
            let node = u64::from(model.nodes[channel.node.index()].source);
            (
                node,
                kind.replacen(char::is_uppercase, &kind[..1].to_lowercase(), 1),
                bits(curve.times()),
                bits(curve.values()),
            )
        })
        .collect();
    all.sort();
    all
}

fn source<'a>(model: &'a Model, clip: Option<usize>) -> ClipSource<'a> {
    ClipSource { model, clip: clip.map(ClipId::new), name: "file" }
}

#[test]
fn retarget_refuses_unknown_clips_and_models_without_the_joints() {
    let pip = character("Pip");
    let options = Options::default();
    let made =
        retarget_clips(pip.document.clone(), &pip.model, &[source(&pip.model, Some(99))], &options, true);
    assert_eq!(made.expect_err("no clip 99").code, codes::CLIP_NOT_FOUND);

    let json =
        br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Stone"}]}"#;
    let stone = file(json);
    let made = retarget_clips(stone.document, &stone.model, &[source(&pip.model, None)], &options, true);
    assert_eq!(made.expect_err("a stone has no joints").code, "clip/no-match");
}

#[test]
fn retarget_writes_the_keys_of_the_retargeted_clips_to_the_bit() {
    let (pip, lumi) = (character("Pip"), character("Lumi"));
    let options = Options { foot_lock: true, ..Options::default() };
    let before = lumi.model.clips.len();
    let sources = [source(&pip.model, Some(1)), source(&pip.model, Some(4))];
    let (document, reports) = retarget_clips(lumi.document.clone(), &lumi.model, &sources, &options, true)
        .expect("both are humanoids");
    let read = file(&document.to_glb().expect("a GLB"));
    assert_eq!(read.model.clips.len(), before + 2);
    for (i, RetargetedClips { names, report }) in reports.iter().enumerate() {
        let expected =
            retarget(&pip.model, sources[i].clip, &lumi.model, &options).expect("both are humanoids");
        assert_eq!(*report, expected.report);
        let (clip, wanted_clip) = (&read.model.clips[before + i], &expected.clips[0]);
        assert!(written(&read.document, before + i) == wanted(wanted_clip, &lumi.model), "{names:?}");
        assert_eq!([&clip.name], names[..].iter().collect::<Vec<_>>()[..]);
        assert_eq!((&clip.markers, clip.duration), (&wanted_clip.markers, wanted_clip.duration), "{names:?}");
    }
    // The clips that were there before.
    for clip in 0..before {
        assert!(written(&read.document, clip) == written(&lumi.document, clip), "clip {clip}");
    }
}

#[test]
fn retarget_keeps_the_other_parts_of_the_file() {
    let (pip, mut lumi) = (character("Pip"), character("Lumi"));
    lumi.document.json["extras"] =
        gambol_gltf::json!({ "big": 9_007_199_254_740_993_u64, "unknown": [1.0, null] });
    let (document, _) = retarget_clips(
        lumi.document.clone(),
        &lumi.model,
        &[source(&pip.model, Some(0))],
        &Options::default(),
        true,
    )
    .expect("both are humanoids");
    let changed = ["animations", "accessors", "bufferViews", "buffers"];
    let rest = |json: &Value| {
        let mut rest = json.as_object().cloned().unwrap_or_default();
        rest.retain(|key, _| !changed.contains(&key));
        rest
    };
    let written = Document::parse(&document.to_glb().expect("a GLB"), &mut NoResolver).expect("a document");
    assert_eq!(rest(&written.json), rest(&lumi.document.json));
    // Accessors are added after those of the file.
    let old = lumi.document.list("accessors").len();
    assert_eq!(written.list("accessors")[..old], *lumi.document.list("accessors"));
    for accessor in 0..old {
        let [now, before] = [&written, &lumi.document].map(|file| file.element_bytes(accessor));
        assert_eq!(now, before, "accessor {accessor}");
    }
}

#[test]
fn retarget_gives_each_clip_a_name_of_its_own_and_can_replace_those_of_the_file() {
    let (pip, lumi) = (character("Pip"), character("Lumi"));
    let twice = [source(&pip.model, Some(1)), source(&pip.model, Some(1))];
    let (document, reports) = retarget_clips(lumi.document, &lumi.model, &twice, &Options::default(), false)
        .expect("both are humanoids");
    let names: Vec<_> = document.list("animations").iter().map(|one| one["name"].as_str()).collect();
    let name = &pip.model.clips[1].name;
    let second = format!("{name} 2");
    assert_eq!(names, [Some(name.as_str()), Some(second.as_str())]);
    assert_eq!(reports[1].names, [second]);
}

#[test]
fn retarget_needs_no_vertices_so_files_with_draco_are_read_and_kept() {
    let Some(assets) = common::assets() else { return };
    let read = |name: &str| std::fs::read(assets.join(name)).ok();
    let (Some(plain), Some(draco)) = (read("gltf/CesiumMan.glb"), read("variants/CesiumMan_draco.glb"))
    else {
        return common::skipped("there is no CesiumMan");
    };
    let (before, model) = read_skeleton(&draco, &mut NoResolver).expect("Draco is not needed");
    let clips = file(&plain).model;
    let (document, made) =
        retarget_clips(before.clone(), &model, &[source(&clips, None)], &Options::default(), true)
            .expect("clips");
    assert_eq!(made[0].names.len(), 1);
    let after = Document::parse(&document.to_glb().expect("a GLB"), &mut NoResolver).expect("a document");
    assert_eq!(
        [&after.json["meshes"], &after.json["nodes"]],
        [&before.json["meshes"], &before.json["nodes"]]
    );
    let clips_of = |model: &Model| format!("{:?} {:?}", model.nodes, model.clips);
    let same = read_clips(&draco, &mut NoResolver).expect("nor for clips");
    assert!(clips_of(&same) == clips_of(&model), "the same without the document");
    let view = |document: &Document| {
        let pointer = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/bufferView";
        let view = document.json.pointer(pointer).and_then(Value::as_u64).expect("a view") as usize;
        document.view_bytes(view).to_vec()
    };
    assert_eq!(view(&after), view(&before));
    let retargeted = document.list("animations").len() - 1;
    let expected = retarget(&clips, None, &model, &Options::default()).expect("the same names");
    assert!(written(&document, retargeted) == wanted(&expected.clips[0], &model));
}
