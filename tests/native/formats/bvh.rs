//! BVH files, played by gambol.

use super::samples::{FIGURE, figure, motion};
use super::{Moment, converted};
use gambol::animation::Rig;
use gambol::animation::retarget::{Mode, Options, retarget};
use glam::{DMat4, DVec3};

/// The world matrices of the joints by the definition of the format: a matrix for each channel, in their order.
fn expected(frame: &[f64]) -> Vec<DMat4> {
    let mut values = frame.iter().copied();
    let mut next = || values.next().expect("a value for each channel");
    let mut matrices: Vec<DMat4> = Vec::new();
    for (_, parent, offset, order) in FIGURE {
        let translation = match parent {
            None => DVec3::new(next(), next(), next()),
            Some(_) => DVec3::from_array(*offset),
        };
        let mut local = DMat4::from_translation(translation);
        for axis in order.chars() {
            let angle = next().to_radians();
            local *= match axis {
                'X' => DMat4::from_rotation_x(angle),
                'Y' => DMat4::from_rotation_y(angle),
                _ => DMat4::from_rotation_z(angle),
            };
        }
        matrices.push(parent.map_or(DMat4::IDENTITY, |parent| matrices[parent]) * local);
    }
    matrices
}

#[test]
fn bvh_joints_are_where_the_channels_put_them() {
    let motion = motion(40);
    let model = converted(figure(&motion).as_bytes(), "run.bvh", None);
    assert_eq!((model.clips.len(), model.clips[0].name.as_str()), (1, "run"));
    assert_eq!(model.nodes.len(), FIGURE.len());
    let rig = Rig::new(&model);
    for (index, frame) in motion.iter().enumerate() {
        let moment = Moment::new(&model, &rig, 0, index as f64 * 0.03333333);
        for ((name, ..), matrix) in FIGURE.iter().zip(expected(frame)) {
            let (found, position) = (moment.matrix(name), matrix.w_axis.truncate() * 0.01);
            assert!(found.w_axis.truncate().distance(position) < 2e-6, "{name} in frame {index}");
            for axis in 0..3 {
                assert!(found.col(axis).distance(matrix.col(axis)) < 2e-6, "{name} in frame {index}");
            }
        }
    }
}

#[test]
fn bvh_clips_play_on_models_with_these_joints() {
    let source = converted(figure(&motion(5)).as_bytes(), "run.bvh", None);
    let mut model = source.clone();
    model.clips.clear();
    let options = Options { mode: Mode::Names, ..Options::default() };
    let retargeted = retarget(&source, None, &model, &options).expect("the same names");
    assert_eq!((retargeted.clips.len(), retargeted.report.skipped), (1, 0));
    assert_eq!(retargeted.clips[0].channels.len(), 8);
}
