//! The cameras of a file, as posed and animated.

use crate::animation::Pose;
use crate::base::{Affine, tan};
use crate::model::{CameraId, CameraProperty, Model, NodeId, Projection, PropertyLayout};
use glam::camera::rh::view;
use glam::{Mat4, Vec3, Vec4};
use std::f32::consts::PI;

/// The cameras of a model's active scene, each with its node, in the order of the nodes in the file.
pub fn cameras(model: &Model) -> Vec<(NodeId, CameraId)> {
    let shown = model.shown_nodes();
    let order = model.node_of_source.iter().filter(|node| shown[node.index()]);
    order.filter_map(|&node| Some((node, model.nodes[node.index()].camera?))).collect()
}

/// The matrices `view_from_world` and `clip_from_view` of a camera in a pose, for a picture of `aspect` = width / height.
/// `None` if its parameters give no valid projection or its node's matrix gives no direction.
///
/// - `matrix`: `world_from_node` of its node.
///
/// Spec: glTF 2.0 §3.10.
pub(crate) fn look_through(
    model: &Model,
    layout: &PropertyLayout,
    pose: &Pose,
    camera: CameraId,
    matrix: &Affine,
    aspect: f32,
) -> Option<(Mat4, Mat4)> {
    let model = &model.cameras[camera.index()];
    let animated: Option<&[f32; CameraProperty::COUNT]> = layout.camera(camera, &pose.properties);
    let projection = animated.map_or(model.projection, |numbers| model.with_properties(*numbers));
    Some((view(matrix)?, project(projection, aspect)?))
}

/// `view_from_world` of a camera at a node; the scale of the node is ignored.
fn view(matrix: &Affine) -> Option<Mat4> {
    let rows = matrix.rows();
    let column = |at: fn(Vec4) -> f32| Vec3::from_array(rows.map(at));
    let (up, back, eye) = (column(|row| row.y), column(|row| row.z), column(|row| row.w));
    let back = back.try_normalize()?;
    let side = up.cross(back).try_normalize()?;
    eye.is_finite().then(|| view::look_to_mat4(eye, -back, back.cross(side)))
}

/// `clip_from_view`. If the aspect ratios of picture and camera differ, the picture shows more than the camera does.
/// It is extended above and below, or to the sides, without distortion.
fn project(projection: Projection, aspect: f32) -> Option<Mat4> {
    let positive = |value: f32| (value.is_finite() && value > 0.0).then_some(value);
    match projection {
        Projection::Perspective { yfov, aspect: own, near, far } => {
            let half = positive(yfov).filter(|&yfov| yfov < PI)?;
            let near = positive(near)?;
            // A far plane that is not beyond the near plane is ignored.
            let ratio = far.map_or(0.0, |far| near / far);
            let ratio = if (0.0..1.0).contains(&ratio) { ratio } else { 0.0 };
            let wider = own.map_or(1.0, |own| (own / aspect).max(1.0));
            let y = tan(0.5 * half) * wider;
            let depth = Vec4::new(0.0, 0.0, -(1.0 + ratio) / (1.0 - ratio), -1.0);
            let shift = Vec4::new(0.0, 0.0, -2.0 * near / (1.0 - ratio), 0.0);
            Some(Mat4::from_cols(Vec4::X / (y * aspect), Vec4::Y / y, depth, shift))
        }
        Projection::Orthographic { xmag, ymag, near, far } => {
            let (x, y) = (positive(xmag.abs())?, positive(ymag.abs())?);
            let (x, y) = (x.max(y * aspect), y.max(x / aspect));
            let depth = positive(far - near)?;
            let shift = Vec4::new(0.0, 0.0, -(far + near) / depth, 1.0);
            Some(Mat4::from_cols(Vec4::X / x, Vec4::Y / y, Vec4::Z * (-2.0 / depth), shift))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn perspective(yfov: f32, aspect: Option<f32>, near: f32, far: Option<f32>) -> Projection {
        Projection::Perspective { yfov, aspect, near, far }
    }

    #[test]
    fn file_camera_rejects_invalid_projections() {
        for yfov in [0.0, -1.0, PI, f32::NAN, f32::INFINITY] {
            assert_eq!(project(perspective(yfov, None, 0.1, None), 1.0), None);
        }
        assert_eq!(project(perspective(1.0, None, 0.0, None), 1.0), None);
        let parallel = |xmag, near, far| Projection::Orthographic { xmag, ymag: 1.0, near, far };
        for bad in [parallel(0.0, 0.0, 1.0), parallel(1.0, 1.0, 1.0), parallel(f32::NAN, 0.0, 1.0)] {
            assert_eq!(project(bad, 1.0), None);
        }
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(view(&Affine::from(flat)), None);
        assert_eq!(view(&Affine::from(Mat4::from_scale(Vec3::ZERO))), None);
    }

    #[test]
    fn file_camera_uses_the_depth_planes_of_the_file() {
        let at = |matrix: Mat4, z: f32| matrix.project_point3(Vec3::new(0.0, 0.0, z)).z;
        let near = |value: f32, want: f32| assert!((value - want).abs() < 1e-4, "{value}, not {want}");
        for far in [Some(20.0), None, Some(0.1)] {
            let matrix = project(perspective(1.0, None, 0.5, far), 1.0).unwrap_or_default();
            near(at(matrix, -0.5), -1.0);
            near(at(matrix, if far == Some(20.0) { -20.0 } else { -1e9 }), 1.0);
        }
        let parallel = Projection::Orthographic { xmag: 2.0, ymag: 3.0, near: 1.0, far: 5.0 };
        let matrix = project(parallel, 2.0 / 3.0).unwrap_or_default();
        near(at(matrix, -1.0), -1.0);
        near(at(matrix, -5.0), 1.0);
        assert!(
            matrix.project_point3(Vec3::new(2.0, 3.0, -1.0)).abs_diff_eq(Vec3::new(1.0, 1.0, -1.0), 1e-6)
        );
    }

    #[test]
    fn file_camera_view_is_inside_pictures_of_other_aspect_ratios() {
        for (picture, x, y) in [(1.0, 1.0, 0.5), (2.0, 1.0, 1.0), (4.0, 0.5, 1.0)] {
            // The corner of a frustum that is twice as wide as high.
            let corner = Vec3::new(2.0, 1.0, -1.0);
            let cone = perspective(0.5 * PI, Some(2.0), 0.1, None);
            let parallel = Projection::Orthographic { xmag: 2.0, ymag: 1.0, near: 0.0, far: 2.0 };
            for projection in [cone, parallel] {
                let matrix = project(projection, picture).unwrap_or_default();
                let got = matrix.project_point3(corner);
                assert!((got.x - x).abs() < 1e-5 && (got.y - y).abs() < 1e-5, "{picture}: {got}");
            }
        }
        let free = project(perspective(0.5 * PI, None, 0.1, None), 4.0).unwrap_or_default();
        assert!((free.project_point3(Vec3::new(4.0, 1.0, -1.0)).x - 1.0).abs() < 1e-5);
    }

    #[test]
    fn file_camera_looks_along_the_negative_z_of_its_node_at_any_scale() {
        let turn = Quat::from_rotation_y(0.5 * PI);
        let place = Vec3::new(1.0, 2.0, 3.0);
        let matrix = Mat4::from_scale_rotation_translation(Vec3::new(3.0, 0.5, 7.0), turn, place);
        let view = view(&Affine::from(matrix)).unwrap_or_default();
        let ahead = view.transform_point3(place - Vec3::X);
        assert!(ahead.abs_diff_eq(Vec3::NEG_Z, 1e-6), "{ahead}");
        let above = view.transform_point3(place + Vec3::Y);
        assert!(above.abs_diff_eq(Vec3::Y, 1e-6), "{above}");
    }
}
