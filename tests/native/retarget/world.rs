//! World transforms of a model at a time of a clip, in plain f64 and independent of the crate's sampling.

use gambol::model::{Clip, Curve, Interpolation, Model, Path};
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

/// The world matrices of all nodes.
pub(crate) fn world(model: &Model, clip: Option<&Clip>, time: f64) -> Vec<DAffine3> {
    let mut channels = vec![Vec::new(); model.nodes.len()];
    for channel in clip.iter().flat_map(|clip| &clip.channels) {
        if channel.path != Path::Weights {
            channels[channel.node.index()].push(channel);
        }
    }
    let mut matrices: Vec<DAffine3> = Vec::with_capacity(model.nodes.len());
    for (i, node) in model.nodes.iter().enumerate() {
        let mut translation = node.rest.translation.as_dvec3();
        let mut rotation = node.rest.rotation.as_dquat();
        let mut scale = node.rest.scale.as_dvec3();
        let animated = !channels[i].is_empty();
        for channel in &channels[i] {
            let curve = &clip.expect("it has a channel").curves[channel.curve];
            let value = sample(curve, time, channel.path == Path::Rotation);
            match channel.path {
                Path::Translation => translation = DVec3::new(value[0], value[1], value[2]),
                Path::Scale => scale = DVec3::new(value[0], value[1], value[2]),
                _ => rotation = DQuat::from_xyzw(value[0], value[1], value[2], value[3]),
            }
        }
        let local = match node.rest_matrix {
            Some(matrix) if !animated => {
                DAffine3::from_mat4(DMat4::from_cols_array(&matrix.to_cols_array().map(f64::from)))
            }
            _ => DAffine3 {
                matrix3: DMat3::from_quat(rotation.normalize()) * DMat3::from_diagonal(scale),
                translation,
            },
        };
        matrices.push(node.parent.map_or(local, |parent| matrices[parent.index()] * local));
    }
    matrices
}

/// The rotation of a matrix.
pub(crate) fn rotation(matrix: &DAffine3) -> DQuat {
    matrix.to_scale_rotation_translation().1
}

/// The value of a curve. Spec: glTF 2.0 Appendix C.
pub(crate) fn sample(curve: &Curve, time: f64, is_rotation: bool) -> Vec<f64> {
    let (times, width) = (curve.times(), curve.width());
    let spline = curve.interpolation() == Interpolation::CubicSpline;
    let part = |key: usize, part: usize| -> Vec<f64> {
        let at = if spline { (3 * key + part) * width } else { key * width };
        curve.values()[at..at + width].iter().map(|value| f64::from(*value)).collect()
    };
    let last = times.len() - 1;
    if time <= f64::from(times[0]) {
        return part(0, 1);
    }
    if time >= f64::from(times[last]) {
        return part(last, 1);
    }
    let key = (0..last).rfind(|&key| f64::from(times[key]) <= time).expect("a key before");
    let length = f64::from(times[key + 1]) - f64::from(times[key]);
    let u = (time - f64::from(times[key])) / length;
    let (from, to) = (part(key, 1), part(key + 1, 1));
    match curve.interpolation() {
        Interpolation::Step => from,
        Interpolation::Linear if is_rotation => {
            let quat = |v: &[f64]| DQuat::from_xyzw(v[0], v[1], v[2], v[3]).normalize();
            quat(&from).slerp(quat(&to), u).to_array().to_vec()
        }
        Interpolation::Linear => from.iter().zip(&to).map(|(a, b)| a + (b - a) * u).collect(),
        Interpolation::CubicSpline => {
            let (out, into) = (part(key, 2), part(key + 1, 0));
            let (u2, u3) = (u * u, u * u * u);
            let value = |i: usize| {
                (2.0 * u3 - 3.0 * u2 + 1.0) * from[i]
                    + (u3 - 2.0 * u2 + u) * length * out[i]
                    + (3.0 * u2 - 2.0 * u3) * to[i]
                    + (u3 - u2) * length * into[i]
            };
            (0..width).map(value).collect()
        }
    }
}

/// All key times of a clip's rotations and translations, ascending.
pub(crate) fn key_times(clip: &Clip) -> Vec<f64> {
    let channels = clip.channels.iter().filter(|channel| channel.path != Path::Weights);
    let mut times: Vec<f64> = channels
        .flat_map(|channel| clip.curves[channel.curve].times())
        .map(|time| f64::from(*time))
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}
