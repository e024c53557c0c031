//! Baked clips.

use super::common::{distance, files, pip, reread, vertices};
use gambol::animation::Affine;
use gambol::model::{Channel, Clip, ClipId, Curve, Interpolation, NodeId, Path};
use gambol_tools::{BakeOptions, ToolsError, bake_morphs, bake_palette, bake_vertices, codes, find_clips};
use serde_json::Value;

fn options(clips: &[usize], fps: f64) -> BakeOptions {
    BakeOptions { clips: clips.iter().copied().map(ClipId::new).collect(), fps, steps: false }
}

fn code<T>(result: Result<T, ToolsError>) -> &'static str {
    result.err().map_or("", |error| error.code)
}

#[test]
fn bake_refuses_unknown_clips_with_the_names_of_the_file() {
    let file = pip();
    let error = find_clips(&file.model, &["Fly".to_owned()]).expect_err("Pip cannot fly");
    assert_eq!(error.code, codes::CLIP_NOT_FOUND);
    assert!(error.message.contains("“Fly”") && error.message.contains("“Walk”"), "{error}");
    assert_eq!(code(bake_palette(&file.model, &options(&[9999], 30.0))), codes::CLIP_NOT_FOUND);
    let all = find_clips(&file.model, &[]).expect("all clips");
    assert_eq!(all.len(), file.model.clips.len());
}

#[test]
fn bake_refuses_frame_rates_out_of_range_and_too_many_frames() {
    let file = pip();
    for fps in [0.0, -1.0, 1000.5, f64::NAN, f64::INFINITY] {
        let options = options(&[0], fps);
        assert_eq!(code(bake_palette(&file.model, &options)), codes::OPTION, "{fps}");
        assert_eq!(code(bake_vertices(&file.model, &options)), codes::OPTION, "{fps}");
        assert_eq!(code(bake_morphs(file.document.clone(), &file.model, &options)), codes::OPTION, "{fps}");
    }
    assert_eq!(code(bake_palette(&file.model, &options(&[], 30.0))), codes::OPTION);
    let mut long = gambol::model::Model::clone(&file.model);
    let clip = gambol::model::Clip { duration: 1e9, ..gambol::model::Clip::default() };
    long.clips = vec![clip.into()];
    assert_eq!(code(bake_palette(&long, &options(&[0], 30.0))), codes::BAKE_TOO_LARGE);
}

/// A clip that moves the first node of a model steadily.
fn steady(duration: f32) -> Clip {
    let (times, values) = (vec![0.0, duration.max(1.0)], vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let curve = Curve::new(Interpolation::Linear, 3, times, values).expect("two keys");
    let channel = Channel { node: NodeId::new(0), path: Path::Translation, curve: 0 };
    Clip { duration, channels: vec![channel], curves: vec![curve], ..Clip::default() }
}

#[test]
fn bake_refuses_results_that_are_too_large_before_it_makes_them() {
    let file = pip();
    let with = |clips: Vec<Clip>| {
        let mut model = gambol::model::Model::clone(&file.model);
        model.clips = clips.into_iter().map(Into::into).collect();
        model
    };
    let too_large = codes::BAKE_TOO_LARGE;
    // The number of frames, of a clip and of all clips; 2^16 is the limit.
    let frames = with(vec![steady(65_535.0), steady(0.0)]);
    assert_eq!(code(bake_palette(&frames, &options(&[0, 1], 1.0))), too_large);
    // A gigabyte of times, were they made before the frames are counted.
    let many = options(&[0; 2000], 1.0);
    assert_eq!(code(bake_palette(&frames, &many)), too_large);
    assert_eq!(code(bake_vertices(&frames, &many)), too_large);
    assert_eq!(code(bake_morphs(file.document.clone(), &frames, &many)), too_large);
    // The vertices and the targets, though the poses are small.
    let long = with(vec![steady(8_000.0)]);
    let matrices = bake_palette(&long, &options(&[0], 1.0)).map(|bytes| bytes.len());
    assert!(matrices.as_ref().is_ok_and(|&bytes| bytes > 1 << 20), "{matrices:?}");
    assert_eq!(code(bake_vertices(&long, &options(&[0], 1.0))), too_large);
    assert_eq!(code(bake_morphs(file.document.clone(), &long, &options(&[0], 1.0))), too_large);
}

#[test]
fn bake_morph_cache_has_the_skinned_vertices_of_each_frame() {
    const FPS: f64 = 5.0;
    for file in files() {
        for clip in 0..file.model.clips.len().min(2) {
            let options = options(&[clip], FPS);
            let (cache, report) = bake_morphs(file.document.clone(), &file.model, &options).expect(file.name);
            let baked = reread(&cache);
            assert!(baked.skins.is_empty() && baked.clips.len() <= 1, "{}", file.name);
            if report.targets == 0 {
                continue;
            }
            let duration = f64::from(file.model.clips[clip].duration);
            assert_eq!(f64::from(baked.clips[0].duration), duration, "{}", file.name);
            for frame in 0..report.frames {
                let time = (frame as f64 / FPS).min(duration);
                let want = vertices(&file.model, Some(clip), time);
                // A key of the cache is the time in f32.
                let got = vertices(&baked, Some(0), f64::from(time as f32));
                let (worst, size) = distance(&got, &want);
                // Two roundings: that of the offset, and that of the sum.
                assert!(worst <= 4e-7 * size, "{} clip {clip} frame {frame}: {worst:e} of {size}", file.name);
                let middle = time + 0.5 / FPS;
                let sampled = vertices(&file.model, Some(clip), middle);
                let between = vertices(&baked, Some(0), middle);
                let (worst, size) = distance(&between, &sampled);
                let bound = report.error.expect("interpolated") + 1e-6 * size;
                let in_middle = time + 1.0 / FPS <= duration;
                assert!(!in_middle || worst <= bound, "{} {clip} {time}: {worst} {bound}", file.name);
            }
        }
    }
}

#[test]
fn bake_morph_cache_normals_are_those_of_the_skinned_mesh() {
    let file = pip();
    let (cache, _) = bake_morphs(file.document.clone(), &file.model, &options(&[1], 12.0)).expect("a cache");
    let baked = reread(&cache);
    for frame in [0, 3, 7] {
        let time = f64::from(frame) / 12.0;
        let (got, want) = (vertices(&baked, Some(0), time), vertices(&file.model, Some(1), time));
        let normals = |all: &[gambol::animation::Deformed]| -> Vec<[f32; 3]> {
            all.iter().flat_map(|vertices| vertices.normals.iter().copied()).collect()
        };
        let (got, want) = (normals(&got), normals(&want));
        assert!(!got.is_empty() && got.len() == want.len());
        for (got, want) in got.iter().zip(&want) {
            assert!((0..3).all(|i| (got[i] - want[i]).abs() < 2e-6), "{got:?} {want:?}");
        }
    }
}

#[test]
fn bake_loops_close_with_the_same_target() {
    let file = pip();
    let walk = file.model.clips.iter().position(|clip| clip.name == "Walk").expect("Pip walks");
    let (cache, report) =
        bake_morphs(file.document.clone(), &file.model, &options(&[walk], 30.0)).expect("a cache");
    let (first, last) = (
        vertices(&file.model, Some(walk), 0.0),
        vertices(&file.model, Some(walk), f64::from(file.model.clips[walk].duration)),
    );
    assert_eq!(first, last, "the source is a loop");
    // Neither the first frame nor the last one needs a target.
    assert_eq!(report.targets, report.frames - 2);
    let baked = reread(&cache);
    let duration = f64::from(baked.clips[0].duration);
    assert_eq!(vertices(&baked, Some(0), 0.0), vertices(&baked, Some(0), duration));
}

#[test]
fn bake_morph_cache_of_several_clips_has_a_clip_for_each() {
    let file = pip();
    let (cache, report) =
        bake_morphs(file.document.clone(), &file.model, &options(&[2, 0], 8.0)).expect("a cache");
    let baked = reread(&cache);
    let names =
        |model: &gambol::model::Model, clips: [usize; 2]| clips.map(|clip| model.clips[clip].name.clone());
    assert_eq!(names(&baked, [0, 1]), names(&file.model, [2, 0]));
    assert_eq!(baked.meshes[0].weights.len(), report.targets);
    for (clip, source) in [(0, 2), (1, 0)] {
        let (got, want) = (vertices(&baked, Some(clip), 0.5), vertices(&file.model, Some(source), 0.5));
        let (worst, size) = distance(&got, &want);
        assert!(worst <= 4e-7 * size, "{worst:e}");
    }
}

#[test]
fn bake_steps_hold_each_frame() {
    let file = pip();
    let options = BakeOptions { steps: true, ..options(&[0], 5.0) };
    let (cache, report) = bake_morphs(file.document.clone(), &file.model, &options).expect("a cache");
    assert_eq!(report.error, None);
    let baked = reread(&cache);
    assert_eq!(vertices(&baked, Some(0), 0.39), vertices(&baked, Some(0), 0.21));
    assert_ne!(vertices(&baked, Some(0), 0.41), vertices(&baked, Some(0), 0.21));
}

/// The header and the numbers of a binary.
fn read(bytes: &[u8]) -> (Value, Vec<f32>) {
    let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().expect("a number"));
    assert_eq!((&bytes[..4], word(4)), (&b"GMBK"[..], 1));
    let end = 12 + word(8) as usize;
    assert_eq!(end % 4, 0);
    let numbers = bytes[end..].as_chunks().0.iter().map(|&number| f32::from_le_bytes(number)).collect();
    (serde_json::from_slice(&bytes[12..end]).expect("JSON"), numbers)
}

#[test]
fn bake_palette_has_the_bits_of_the_rig() {
    for file in files() {
        let (header, numbers) = read(&bake_palette(&file.model, &options(&[0], 24.0)).expect(file.name));
        let rig = &file.model.rig;
        let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
        let mut palette = vec![Affine::identity(); rig.palette_len()];
        let times = header["clips"][0]["times"].as_array().expect("times");
        assert_eq!(header["frames"], times.len());
        assert_eq!(header["entries"].as_array().map(Vec::len), Some(rig.palette_len()));
        assert_eq!(numbers.len(), times.len() * rig.palette_len() * 12);
        for (i, time) in times.iter().enumerate() {
            rig.sample(ClipId::new(0), time.as_f64().expect("seconds"), &mut pose);
            rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
            rig.palette(&matrices, &mut palette);
            let frame = &numbers[i * rig.palette_len() * 12..][..rig.palette_len() * 12];
            assert_eq!(frame, Affine::as_floats(&palette), "{} frame {i}", file.name);
        }
    }
}

#[test]
fn bake_vertices_has_the_bits_of_the_skinned_mesh() {
    for file in files() {
        let (header, numbers) = read(&bake_vertices(&file.model, &options(&[0], 6.0)).expect(file.name));
        let primitives = header["primitives"].as_array().expect("primitives");
        let times = header["clips"][0]["times"].as_array().expect("times");
        for (frame, time) in times.iter().enumerate() {
            let want = vertices(&file.model, Some(0), time.as_f64().expect("seconds"));
            assert_eq!(want.len(), primitives.len());
            for (primitive, want) in primitives.iter().zip(&want) {
                let count = primitive["vertices"].as_u64().expect("a count") as usize * 3;
                let rows = |key: &str| {
                    let begin = primitive[key].as_u64().map(|begin| begin as usize + frame * count);
                    begin.map_or(&[][..], |begin| &numbers[begin..begin + count])
                };
                assert_eq!(rows("positions"), want.positions.as_flattened(), "{}", file.name);
                assert_eq!(rows("normals"), want.normals.as_flattened(), "{}", file.name);
            }
        }
    }
}
