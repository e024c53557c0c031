//! Animation stacks.

use super::document::{CUBIC, Key, LINEAR, STEP, STEP_NEXT, WEIGHTED, key};
use super::*;

const TIMES: usize = 200;

/// The value of a curve, by the definition of its keys.
fn curve(keys: &[Key], time: f64) -> f64 {
    let next = keys.partition_point(|key| key.time <= time);
    if next == 0 || next == keys.len() {
        return keys[next.saturating_sub(1)].value;
    }
    let (a, b) = (keys[next - 1], keys[next]);
    let d = b.time - a.time;
    match a.flags {
        STEP => a.value,
        STEP_NEXT => b.value,
        LINEAR => a.value + (b.value - a.value) * (time - a.time) / d,
        _ => {
            // A Bézier curve in time and value, whose parameter is found by bisection.
            let weights = if a.flags == WEIGHTED { a.weights.map(f64::from) } else { [1.0 / 3.0; 2] };
            let bezier = |p: [f64; 4], u: f64| {
                let v = 1.0 - u;
                v * v * v * p[0] + 3.0 * v * v * u * p[1] + 3.0 * v * u * u * p[2] + u * u * u * p[3]
            };
            let times = [a.time, a.time + weights[0] * d, b.time - weights[1] * d, b.time];
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if bezier(times, middle) < time { low = middle } else { high = middle }
            }
            let slopes = a.slopes.map(f64::from);
            let values = [
                a.value,
                a.value + slopes[0] * weights[0] * d,
                b.value - slopes[1] * weights[1] * d,
                b.value,
            ];
            bezier(values, low)
        }
    }
}

/// A node in metres with a mesh of 1 m, and curves of one property.
fn animated(property: &str, curves: &[Option<&[Key]>], list: &[(&str, &[f64])], end: f64) -> Document {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", list, 0);
    document.mesh(&[[0.0; 3], [0.6, 0.0, 0.0], [0.0, 0.8, 0.0]], &[&[0, 1, 2]], vec![], model);
    let layer = document.stack("Walk", 0.0, end);
    document.curves(layer, model, property, curves);
    document
}

fn times(channel: &Channel) -> Vec<f64> {
    channel.times.iter().map(|&time| f64::from(time)).collect()
}

#[test]
fn fbx_linear_curves_keep_their_keys() {
    let keys =
        [key(0.0, 1.0, LINEAR, [0.0; 2]), key(0.5, 3.0, LINEAR, [0.0; 2]), key(2.0, 2.0, LINEAR, [0.0; 2])];
    let scene = read(&animated("Lcl Translation", &[Some(&keys), None, None], &[], 2.0));
    assert_eq!(scene.clips[0].name, "Walk");
    let channel = channel(&scene, 0, "A", Path::Translation).expect("a channel");
    assert_eq!(channel.interpolation, Interpolation::Linear);
    assert_eq!(channel.times, [0.0, 0.5, 2.0]);
    assert_eq!(channel.values, [1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    assert_eq!(scene.clips[0].channels.len(), 1);
}

#[test]
fn fbx_cubic_curves_become_splines_with_the_same_keys() {
    let x = [
        key(0.0, 0.0, CUBIC, [2.0, -1.0]),
        key(1.0, 1.0, CUBIC, [3.0, 0.5]),
        key(2.5, -1.0, CUBIC, [0.0; 2]),
    ];
    let y = [key(0.0, 5.0, LINEAR, [0.0; 2]), key(2.5, 4.0, LINEAR, [0.0; 2])];
    for property in ["Lcl Translation", "Lcl Scaling"] {
        let scene = read(&animated(property, &[Some(&x), Some(&y), None], &[], 2.5));
        let path = if property == "Lcl Scaling" { Path::Scale } else { Path::Translation };
        let channel = channel(&scene, 0, "A", path).expect("a channel");
        assert_eq!(channel.interpolation, Interpolation::CubicSpline);
        assert_eq!(channel.times, [0.0, 1.0, 2.5], "no key is added");
        // Tangents of the keys in and out, per second.
        assert_near(
            &channel.values[6..9].iter().map(|&v| f64::from(v)).collect::<Vec<_>>(),
            &[2.0, -0.4, 0.0],
            1e-4,
        );
        assert_near(
            &channel.values[9..12].iter().map(|&v| f64::from(v)).collect::<Vec<_>>(),
            &[-1.0, -0.4, 0.0],
            1e-4,
        );
        for i in 0..=TIMES {
            let time = 2.5 * i as f64 / TIMES as f64;
            let expected = [curve(&x, time), curve(&y, time)];
            assert_near(&sample(channel, time)[..2], &expected, 1e-5);
        }
    }
}

#[test]
fn fbx_step_curves_become_steps() {
    let keys = [key(0.0, 1.0, STEP, [0.0; 2]), key(0.5, 3.0, STEP, [0.0; 2]), key(2.0, 2.0, STEP, [0.0; 2])];
    let scene = read(&animated("Lcl Translation", &[Some(&keys), None, None], &[], 3.0));
    let channel = channel(&scene, 0, "A", Path::Translation).expect("a channel");
    assert_eq!(channel.interpolation, Interpolation::Step);
    assert_eq!(channel.times, [0.0, 0.5, 2.0, 3.0]);
    assert_eq!(channel.values.chunks(3).map(|row| row[0]).collect::<Vec<_>>(), [1.0, 3.0, 2.0, 2.0]);
}

#[test]
fn fbx_steps_among_other_curves_jump_within_one_float() {
    let x = [
        key(0.0, 1.0, STEP, [0.0; 2]),
        key(0.5, 3.0, LINEAR, [0.0; 2]),
        key(1.0, 2.0, STEP_NEXT, [0.0; 2]),
        key(2.0, 0.0, LINEAR, [0.0; 2]),
    ];
    for (slopes, flags, interpolation) in
        [([0.0; 2], LINEAR, Interpolation::Linear), ([4.0, 1.0], CUBIC, Interpolation::CubicSpline)]
    {
        let y = [key(0.0, 0.0, flags, slopes), key(2.0, 1.0, LINEAR, [0.0; 2])];
        let scene = read(&animated("Lcl Translation", &[Some(&x), Some(&y), None], &[], 2.0));
        let channel = channel(&scene, 0, "A", Path::Translation).expect("a channel");
        assert_eq!(channel.interpolation, interpolation);
        assert!(channel.times.is_sorted_by(|a, b| a < b));
        for i in 0..=TIMES {
            // Beside the jumps.
            let time = 2.0 * (f64::from(i as u32) + 0.3) / TIMES as f64;
            if time < 2.0 {
                assert_near(&sample(channel, time)[..2], &[curve(&x, time), curve(&y, time)], 1e-4);
            }
        }
        assert_near(&sample(channel, 0.5)[..1], &[3.0], 1e-6);
        assert_near(&sample(channel, f64::from(0.5_f32.next_down()))[..1], &[1.0], 1e-6);
    }
}

#[test]
fn fbx_weighted_tangents_are_baked_within_the_tolerance() {
    let mut keys = [
        key(0.0, 0.0, WEIGHTED, [3.0, 2.0]),
        key(1.0, 1.0, WEIGHTED, [0.0, 5.0]),
        key(2.0, 0.0, LINEAR, [0.0; 2]),
    ];
    keys[0].weights = [0.8, 0.1];
    keys[1].weights = [0.05, 0.9];
    let scene = read(&animated("Lcl Translation", &[Some(&keys), None, None], &[], 2.0));
    let channel = channel(&scene, 0, "A", Path::Translation).expect("a channel");
    assert_eq!(channel.interpolation, Interpolation::CubicSpline);
    assert!(times(channel).contains(&1.0), "the keys of the file are kept");
    assert!(channel.times.len() < 60, "{}", channel.times.len());
    for i in 0..=TIMES {
        let time = 2.0 * i as f64 / TIMES as f64;
        // The model has a size of 1 m.
        assert_near(&sample(channel, time)[..1], &[curve(&keys, time)], 2e-5);
    }
}

#[test]
fn fbx_rotations_are_those_of_the_euler_angles() {
    let x =
        [key(0.0, 0.0, LINEAR, [0.0; 2]), key(1.0, 90.0, LINEAR, [0.0; 2]), key(2.0, 30.0, LINEAR, [0.0; 2])];
    let y = [key(0.0, 10.0, CUBIC, [100.0, -50.0]), key(2.0, 80.0, LINEAR, [0.0; 2])];
    let z = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(2.0, 720.0, LINEAR, [0.0; 2])];
    let pre = [20.0, 30.0, 40.0];
    for order in 0..6 {
        let list =
            [("RotationActive", &[1.0][..]), ("RotationOrder", &[order as f64]), ("PreRotation", &pre)];
        let scene = read(&animated("Lcl Rotation", &[Some(&x), Some(&y), Some(&z)], &list, 2.0));
        let channel = channel(&scene, 0, "A", Path::Rotation).expect("a channel");
        assert!(times(channel).contains(&1.0), "the keys of the file are kept");
        for i in 0..=TIMES {
            let time = 2.0 * i as f64 / TIMES as f64;
            let angles = [curve(&x, time), curve(&y, time), curve(&z, time)];
            let expected = euler(pre, 0) * euler(angles, order);
            assert!(same_rotation(&sample(channel, time), expected, 1e-5), "order {order}, {time} s");
        }
    }
}

#[test]
fn fbx_turns_about_one_axis_need_few_keys() {
    let keys = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(1.0, 3600.0, LINEAR, [0.0; 2])];
    let scene = read(&animated("Lcl Rotation", &[None, Some(&keys), None], &[], 1.0));
    let channel = channel(&scene, 0, "A", Path::Rotation).expect("a channel");
    assert_eq!((channel.interpolation, channel.times.len()), (Interpolation::Linear, 41));
    for i in 0..=TIMES {
        let time = i as f64 / TIMES as f64;
        assert!(same_rotation(&sample(channel, time), euler([0.0, 3600.0 * time, 0.0], 0), 1e-5));
    }
}

#[test]
fn fbx_translations_follow_rotations_about_pivots() {
    let keys = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(1.0, 180.0, LINEAR, [0.0; 2])];
    let list = [("RotationPivot", &[1.0, 0.0, 0.0][..])];
    let scene = read(&animated("Lcl Rotation", &[None, None, Some(&keys)], &list, 1.0));
    let channel = channel(&scene, 0, "A", Path::Translation).expect("a channel");
    for i in 0..=TIMES {
        let time = i as f64 / TIMES as f64;
        let rotation = euler([0.0, 0.0, 180.0 * time], 0);
        let expected = DVec3::X - rotation * DVec3::X;
        assert_near(&sample(channel, time), &expected.to_array(), 2e-5);
    }
}

#[test]
fn fbx_scale_that_children_do_not_inherit_moves_them() {
    let mut document = Document::metres();
    let parent = document.model("A", "Null", &[], 0);
    let child = [("InheritType", &[2.0][..]), ("Lcl Translation", &[1.0, 0.0, 0.0])];
    document.model("B", "Null", &child, parent);
    let layer = document.stack("Grow", 0.0, 1.0);
    let keys = [key(0.0, 1.0, CUBIC, [0.0; 2]), key(1.0, 3.0, LINEAR, [0.0; 2])];
    document.curves(layer, parent, "Lcl Scaling", &[Some(&keys[..]); 3]);
    let mut scene = read(&document);
    for i in 0..=10 {
        let time = f64::from(i) / 10.0;
        for channel in &scene.clips[0].channels {
            let value = sample(channel, time);
            let node = &mut scene.nodes[channel.node];
            match channel.path {
                Path::Translation => node.translation = [0, 1, 2].map(|i| value[i] as f32),
                Path::Scale => node.scale = [0, 1, 2].map(|i| value[i] as f32),
                _ => {}
            }
        }
        let expected = DMat4::from_translation(DVec3::new(curve(&keys, time), 0.0, 0.0));
        let difference = world(&scene, "B") - expected;
        assert!(difference.to_cols_array().iter().all(|x| x.abs() < 3e-5), "{time} s: {difference}");
    }
}

#[test]
fn fbx_layers_are_combined() {
    let mut document = Document::metres();
    let model = document.model("A", "Null", &[], 0);
    let layer = document.stack("Walk", 0.0, 1.0);
    let x = [key(0.0, 1.0, LINEAR, [0.0; 2]), key(1.0, 2.0, LINEAR, [0.0; 2])];
    document.curves(layer, model, "Lcl Translation", &[Some(&x), None, None]);
    let added = document.layer(layer, 50.0);
    let y =
        [key(0.0, 0.0, LINEAR, [0.0; 2]), key(0.5, 4.0, LINEAR, [0.0; 2]), key(1.0, 0.0, LINEAR, [0.0; 2])];
    document.curves(added, model, "Lcl Translation", &[Some(&y), None, None]);
    let scene = read(&document);
    let channel = channel(&scene, 0, "A", Path::Translation).expect("a channel");
    assert_eq!(channel.times, [0.0, 0.5, 1.0]);
    // Additive layers are added with their weight.
    assert_eq!(channel.values.chunks(3).map(|row| row[0]).collect::<Vec<_>>(), [1.0, 3.5, 2.0]);
}

#[test]
fn fbx_clips_begin_at_zero_and_last_as_long_as_the_stack() {
    let keys = [key(-1.0, 0.0, LINEAR, [0.0; 2]), key(3.0, 4.0, LINEAR, [0.0; 2])];
    let mut document = Document::metres();
    let model = document.model("A", "Null", &[], 0);
    for (name, begin, end) in [("Part", 1.0, 2.5), ("Beyond", 2.0, 5.0), ("Without a span", 0.0, 0.0)] {
        let layer = document.stack(name, begin, end);
        document.curves(layer, model, "Lcl Translation", &[Some(&keys), None, None]);
    }
    let scene = read(&document);
    let of_clip = |clip: usize| {
        let channel = channel(&scene, clip, "A", Path::Translation).expect("a channel");
        let x: Vec<_> = channel.values.chunks(3).map(|row| row[0]).collect();
        (channel.times.clone(), x)
    };
    assert_eq!(of_clip(0), (vec![0.0, 1.5], vec![2.0, 3.5]));
    assert_eq!(of_clip(1), (vec![0.0, 1.0, 3.0], vec![3.0, 4.0, 4.0]));
    assert_eq!(of_clip(2), (vec![0.0, 4.0], vec![0.0, 4.0]));
}

#[test]
fn fbx_repeated_curves_fill_the_span() {
    let mut document = Document::metres();
    let model = document.model("A", "Null", &[], 0);
    let layer = document.stack("Blink", 0.0, 5.0);
    let keys = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(1.0, 2.0, LINEAR, [0.0; 2])];
    document.curves(layer, model, "Lcl Translation", &[Some(&keys), None, None]);
    document.repeat_last_curve();
    let scene = read(&document);
    let channel = channel(&scene, 0, "A", Path::Translation).expect("a channel");
    for time in [0.25, 0.75, 1.25, 2.5, 4.75] {
        assert_near(&sample(channel, time)[..1], &[2.0 * (time % 1.0)], 1e-5);
    }
}

#[test]
fn fbx_constant_channels_are_left_out_but_for_rotations() {
    let constant = |value: f64| [key(0.0, value, CUBIC, [0.0; 2]), key(1.0, value, CUBIC, [0.0; 2])];
    let mut document = Document::metres();
    let model = document.model(
        "A",
        "LimbNode",
        &[("Lcl Translation", &[0.0, 7.0, 0.0]), ("Lcl Rotation", &[0.0, 0.0, 90.0])],
        0,
    );
    let layer = document.stack("Pose", 0.0, 1.0);
    let (zero, seven, right, one, moved) =
        (constant(0.0), constant(7.0), constant(90.0), constant(1.0), constant(8.0));
    document.curves(layer, model, "Lcl Translation", &[Some(&zero), Some(&seven), Some(&zero)]);
    document.curves(layer, model, "Lcl Rotation", &[Some(&zero), Some(&zero), Some(&right)]);
    document.curves(layer, model, "Lcl Scaling", &[Some(&one), Some(&one), Some(&one)]);
    let layer = document.stack("Moved", 0.0, 1.0);
    document.curves(layer, model, "Lcl Translation", &[Some(&zero), Some(&moved), Some(&zero)]);
    let scene = read(&document);
    // A rotation is part of the pose of another file's skeleton.
    let paths =
        |clip: usize| scene.clips[clip].channels.iter().map(|channel| channel.path).collect::<Vec<_>>();
    assert_eq!(paths(0), [Path::Rotation]);
    assert_eq!(scene.clips[0].channels[0].times, [0.0, 1.0]);
    assert_eq!(paths(1), [Path::Translation]);
    assert_eq!(scene.clips[1].channels[0].values, [0.0, 8.0, 0.0, 0.0, 8.0, 0.0]);
}

#[test]
fn fbx_weights_of_shapes_are_animated() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let mesh = document.mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[&[0, 1, 2]], vec![], model);
    let up: (&[i32], &[[f64; 3]]) = (&[0], &[[0.0, 1.0, 0.0]]);
    let smile = document.blend(mesh, "Smile", 0.0, &[(100.0, up.0, up.1)]);
    let jaw = document.blend(mesh, "Jaw", 0.0, &[(50.0, up.0, up.1), (100.0, up.0, up.1)]);
    let layer = document.stack("Talk", 0.0, 2.0);
    let x = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(2.0, 100.0, LINEAR, [0.0; 2])];
    let y = [key(0.0, 0.0, CUBIC, [200.0, 0.0]), key(1.0, 100.0, LINEAR, [0.0; 2])];
    document.curves(layer, smile, "DeformPercent", &[Some(&x)]);
    document.curves(layer, jaw, "DeformPercent", &[Some(&y)]);
    let scene = read(&document);
    let channel = channel(&scene, 0, "A", Path::Weights).expect("a channel");
    for i in 0..=TIMES {
        let time = 2.0 * i as f64 / TIMES as f64;
        let open = curve(&y, time) / 100.0;
        let between = if open < 0.5 { [2.0 * open, 0.0] } else { [2.0 - 2.0 * open, 2.0 * open - 1.0] };
        assert_near(&sample(channel, time), &[time / 2.0, between[0], between[1]], 1e-3);
    }
}

#[test]
fn fbx_skeletons_without_a_mesh_have_clips() {
    let mut document = Document::default();
    let hips = document.model("mixamorig:Hips", "LimbNode", &[("Lcl Translation", &[0.0, 99.0, 0.0])], 0);
    let spine =
        document.model("mixamorig:Spine", "LimbNode", &[("Lcl Translation", &[0.0, 10.0, 0.0])], hips);
    let layer = document.stack("mixamo.com", 0.0, 1.0);
    let keys = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(1.0, 30.0, LINEAR, [0.0; 2])];
    document.curves(layer, spine, "Lcl Rotation", &[Some(&keys), None, None]);
    let scene = read(&document);
    assert!(scene.meshes.is_empty());
    assert_eq!(scene.clips[0].name, "walk", "the name of the file");
    assert!(channel(&scene, 0, "mixamorig:Spine", Path::Rotation).is_some());
}

#[test]
fn fbx_stacks_that_change_nothing_are_left_out() {
    let mut document = Document::metres();
    let model = document.model("A", "Null", &[], 0);
    document.stack("Take 001", 0.0, 1.0);
    let layer = document.stack("Take 002", 0.0, 1.0);
    let keys = [key(0.0, 0.0, LINEAR, [0.0; 2]), key(1.0, 0.0, LINEAR, [0.0; 2])];
    document.curves(
        layer,
        model,
        "Lcl Translation",
        &[Some(&keys); 3].map(|keys| keys.map(|keys| &keys[..])),
    );
    assert!(read(&document).clips.is_empty());
}
