//! Tests with files that are written here. All are read as text and as both forms of binary, with the same result.

mod character;
mod clips;
mod document;
mod faults;
mod large;
mod materials;
mod meshes;
mod nodes;
mod repairs;

use document::{Document, binary, text};
use glam::{DMat4, DQuat, DVec3};

use crate::conversion::Conversion;
use crate::error::{FormatError, Warning};
use crate::scene::{Channel, Interpolation, Node, Path, Scene};
use crate::{Options, glb};

fn read_bytes(bytes: &[u8]) -> Result<(Scene, Vec<Warning>), FormatError> {
    let options = Options::default();
    let conversion = Conversion::new(&options, "walk.fbx", bytes.len());
    let scene = super::read(bytes, &conversion)?;
    Ok((scene, conversion.into_warnings()))
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}

/// The document in all forms of files.
fn forms(document: &Document) -> [Vec<u8>; 3] {
    let elements = document.elements();
    [text(&elements), binary(&elements, 7400, None), binary(&elements, 7500, Some(deflate))]
}

fn read_with_warnings(document: &Document) -> (Scene, Vec<Warning>) {
    let [first, others @ ..] = forms(document).map(|bytes| {
        let (scene, warnings) = read_bytes(&bytes).unwrap_or_else(|error| panic!("{}: {error}", error.code));
        (glb::write(&scene).expect("a small file"), scene, warnings)
    });
    for (bytes, _, warnings) in others {
        assert!(bytes == first.0, "text and binary differ");
        assert_eq!(warnings, first.2);
    }
    (first.1, first.2)
}

fn read(document: &Document) -> Scene {
    let (scene, warnings) = read_with_warnings(document);
    assert_eq!(warnings, []);
    scene
}

fn find(scene: &Scene, name: &str) -> usize {
    scene.nodes.iter().position(|node| node.name == name).unwrap_or_else(|| panic!("there is no node {name}"))
}

fn local(node: &Node) -> DMat4 {
    let [x, y, z, w] = node.rotation.map(f64::from);
    DMat4::from_scale_rotation_translation(
        DVec3::from(node.scale.map(f64::from)),
        DQuat::from_xyzw(x, y, z, w),
        DVec3::from(node.translation.map(f64::from)),
    )
}

fn world(scene: &Scene, name: &str) -> DMat4 {
    let mut node = Some(find(scene, name));
    let mut matrix = DMat4::IDENTITY;
    while let Some(index) = node {
        matrix = local(&scene.nodes[index]) * matrix;
        node = scene.nodes[index].parent;
    }
    matrix
}

fn channel<'a>(scene: &'a Scene, clip: usize, node: &str, path: Path) -> Option<&'a Channel> {
    let node = find(scene, node);
    scene.clips[clip].channels.iter().find(|channel| channel.node == node && channel.path == path)
}

/// The value of a channel, by the formulas of glTF 2.0, appendix C.
fn sample(channel: &Channel, time: f64) -> Vec<f64> {
    let spline = channel.interpolation == Interpolation::CubicSpline;
    let count = channel.times.len();
    let width = channel.values.len() / count / if spline { 3 } else { 1 };
    let row = |key: usize, part: usize| -> Vec<f64> {
        let at = if spline { (3 * key + part) * width } else { key * width };
        channel.values[at..at + width].iter().map(|&x| f64::from(x)).collect()
    };
    let next = channel.times.partition_point(|&key| f64::from(key) <= time);
    if next == 0 || next == count || channel.interpolation == Interpolation::Step {
        return row(next.saturating_sub(1), 1);
    }
    let (start, end) = (f64::from(channel.times[next - 1]), f64::from(channel.times[next]));
    let (d, t) = (end - start, (time - start) / (end - start));
    let (a, b) = (row(next - 1, 1), row(next, 1));
    if !spline && channel.path == Path::Rotation {
        let quat = |q: &[f64]| DQuat::from_xyzw(q[0], q[1], q[2], q[3]);
        return quat(&a).slerp(quat(&b), t).to_array().to_vec();
    }
    let (out, into) = (row(next - 1, 2), row(next, 0));
    let (t2, t3) = (t * t, t * t * t);
    let mut result: Vec<f64> = (0..width)
        .map(|i| {
            if spline {
                (2.0 * t3 - 3.0 * t2 + 1.0) * a[i]
                    + d * (t3 - 2.0 * t2 + t) * out[i]
                    + (3.0 * t2 - 2.0 * t3) * b[i]
                    + d * (t3 - t2) * into[i]
            } else {
                a[i] + t * (b[i] - a[i])
            }
        })
        .collect();
    if channel.path == Path::Rotation {
        let length = result.iter().map(|x| x * x).sum::<f64>().sqrt();
        result.iter_mut().for_each(|x| *x /= length);
    }
    result
}

fn near(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
}

/// Equal rotations: a quaternion and its negative are the same.
fn same_rotation(a: &[f64], b: DQuat, tolerance: f64) -> bool {
    let b = b.to_array();
    near(a, &b, tolerance) || near(a, &b.map(|x| -x), tolerance)
}

#[track_caller]
fn assert_near(a: &[f64], b: &[f64], tolerance: f64) {
    assert!(near(a, b, tolerance), "{a:?} is not {b:?}");
}

#[track_caller]
fn assert_matrix(a: DMat4, b: DMat4) {
    assert_near(
        &a.to_cols_array(),
        &b.to_cols_array(),
        1e-6 * b.to_cols_array().iter().fold(1.0, |m: f64, x| m.max(x.abs())),
    );
}

/// A rotation of Euler angles in degrees, in the order of FBX's numbers: the first axis is applied first.
fn euler(angles: [f64; 3], order: usize) -> DQuat {
    let axes = [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]][order];
    let of_axis =
        |axis: usize| DQuat::from_axis_angle([DVec3::X, DVec3::Y, DVec3::Z][axis], angles[axis].to_radians());
    of_axis(axes[2]) * of_axis(axes[1]) * of_axis(axes[0])
}
