//! Exported clips.

use super::common::{files, pip, reread, vertices};
use gambol::animation::{Actor, local_transforms};
use gambol::model::{ClipId, Path};
use gambol_tools::{ClipToWrite, NewChannel, NewClip, ToolsError, codes, export_clips, recorded_clip};
use std::rc::Rc;

fn code<T>(result: Result<T, ToolsError>) -> &'static str {
    result.err().map_or("", |error| error.code)
}

fn channel() -> NewChannel {
    NewChannel {
        node: Some(0),
        path: "translation".to_owned(),
        interpolation: "LINEAR".to_owned(),
        times: vec![0.0, 1.0],
        values: vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    }
}

fn clip(channel: NewChannel) -> [ClipToWrite; 1] {
    [ClipToWrite::New(NewClip { channels: vec![channel], ..NewClip::default() })]
}

#[test]
fn export_clips_refuses_animations_and_nodes_that_the_file_does_not_have() {
    let file = pip();
    let document = || file.document.clone();
    assert_eq!(code(export_clips(document(), &[ClipToWrite::Kept(999)])), codes::CLIP_NOT_FOUND);
    let far = NewChannel { node: Some(9999), ..channel() };
    assert_eq!(code(export_clips(document(), &clip(far))), codes::EXPORT_OTHER_FILE);
}

#[test]
fn export_clips_refuses_keys_that_gltf_cannot_express() {
    let file = pip();
    let faults = [
        NewChannel { times: vec![0.0], ..channel() },
        NewChannel { times: vec![], values: vec![], ..channel() },
        NewChannel { times: vec![1.0, 1.0], ..channel() },
        NewChannel { times: vec![-1.0, 1.0], ..channel() },
        NewChannel { times: vec![0.0, f32::NAN], ..channel() },
        NewChannel { values: vec![f32::INFINITY; 6], ..channel() },
        NewChannel { path: "rotation".to_owned(), ..channel() },
        NewChannel { path: "weights".to_owned(), ..channel() },
        NewChannel { path: "position".to_owned(), ..channel() },
        NewChannel { interpolation: "CUBIC".to_owned(), ..channel() },
        NewChannel {
            interpolation: "CUBICSPLINE".to_owned(),
            times: vec![0.0],
            values: vec![0.0; 9],
            ..channel()
        },
    ];
    for fault in faults {
        let words = format!("{fault:?}");
        assert_eq!(code(export_clips(file.document.clone(), &clip(fault))), codes::EXPORT_KEYS, "{words}");
    }
}

#[test]
fn export_clips_keeps_the_bits_of_kept_and_of_written_keys() {
    for file in files() {
        let count = file.model.clips.len();
        let kept: Vec<_> = (0..count).map(ClipToWrite::Kept).collect();
        let written =
            file.model.clips.iter().map(|clip| ClipToWrite::New(NewClip::from_model(clip, &file.model)));
        let all: Vec<_> = kept.into_iter().chain(written).collect();
        let model = reread(&export_clips(file.document.clone(), &all).expect(file.name));
        let writable: Vec<_> = file.model.clips.iter().filter(|clip| !clip.channels.is_empty()).collect();
        let expected = file.model.clips.iter().chain(writable);
        assert!(model.clips.len() >= count);
        for (i, (got, want)) in model.clips.iter().zip(expected).enumerate() {
            assert_eq!((&got.name, &got.markers), (&want.name, &want.markers), "{}", file.name);
            assert_eq!(got.channels.len(), want.channels.len());
            for (got_channel, want_channel) in got.channels.iter().zip(&want.channels) {
                assert_eq!((got_channel.node, got_channel.path), (want_channel.node, want_channel.path));
                let (got, want) = (&got.curves[got_channel.curve], &want.curves[want_channel.curve]);
                assert_eq!((got.interpolation(), got.times()), (want.interpolation(), want.times()));
                let is_kept = i < count || want_channel.path != Path::Rotation;
                // Import normalises the rotations that it had normalised before.
                let bound = if is_kept { 0.0 } else { 1.2e-7 };
                let near = got.values().iter().zip(want.values()).all(|(a, b)| (a - b).abs() <= bound);
                assert!(near && got.values().len() == want.values().len(), "{} {i}", file.name);
            }
        }
    }
}

#[test]
fn export_clips_replaces_and_drops_animations() {
    let file = pip();
    let one = export_clips(file.document.clone(), &[ClipToWrite::Kept(2)]).expect("a file");
    let model = reread(&one);
    assert_eq!(model.clips.len(), 1);
    assert_eq!(model.clips[0].name, file.model.clips[2].name);
    assert_eq!(vertices(&model, Some(0), 0.3), vertices(&file.model, Some(2), 0.3));
    let none = export_clips(file.document.clone(), &[]).expect("a file");
    assert!(none.json.get("animations").is_none());
    assert!(none.list("accessors").len() < file.document.list("accessors").len());
}

#[test]
fn export_clips_can_animate_a_node_with_a_matrix() {
    let mut file = pip();
    let node = &mut file.document.list_mut("nodes")[0];
    for key in ["translation", "rotation", "scale"] {
        node.as_object_mut().expect("a node").remove(key);
    }
    node["matrix"] = gambol_gltf::json!([0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]);
    let written = export_clips(file.document.clone(), &clip(channel())).expect("a file");
    let node = &written.list("nodes")[0];
    assert!(node.get("matrix").is_none());
    assert_eq!(node["translation"], gambol_gltf::json!([5.0, 6.0, 7.0]));
    assert_eq!(node["scale"], gambol_gltf::json!([2.0, 2.0, 2.0]));
}

#[test]
fn recorded_clip_refuses_frames_of_another_model() {
    let file = pip();
    for numbers in [0, 1, 12345] {
        let frames = vec![0.0; numbers];
        assert_eq!(code(recorded_clip(&file.document, "Take", &frames, 0.1)), codes::EXPORT_OTHER_FILE);
    }
}

#[test]
fn recorded_clip_plays_the_recorded_poses() {
    let file = pip();
    let mut actor = Actor::new(&file.model, Rc::new(file.model.rig.clone()));
    let mut frames = Vec::new();
    for frame in 0..7 {
        actor.update_to(Some(ClipId::new(1)), f64::from(frame) / 8.0);
        for transform in local_transforms(&actor, &file.model, &gambol::animation::Affine::identity()) {
            frames.extend(transform.translation.to_array());
            frames.extend(transform.rotation.to_array());
            frames.extend(transform.scale.to_array());
        }
        let layout = &actor.rig().layout.weights_of_node;
        for node in &file.model.node_of_source {
            let range = layout[node.index()].clone();
            frames.extend(&actor.pose().weights[range.start as usize..range.end as usize]);
        }
    }
    let clip = recorded_clip(&file.document, "Take", &frames, 0.125).expect("a clip");
    let written = [ClipToWrite::Kept(0), ClipToWrite::New(clip)];
    let model = reread(&export_clips(file.document.clone(), &written).expect("a file"));
    assert_eq!((model.clips[1].name.as_str(), model.clips[1].duration), ("Take", 0.75));
    for frame in 0..7 {
        let time = f64::from(frame) / 8.0;
        let (worst, _) =
            super::common::distance(&vertices(&model, Some(1), time), &vertices(&file.model, Some(1), time));
        assert!(worst < 1e-6, "frame {frame}: {worst:e}");
    }
}
