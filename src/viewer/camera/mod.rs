//! An orbit camera.

mod file_camera;

use crate::animation::Dop;
use crate::base::{Aabb, sin_cos, tan};
pub use file_camera::cameras;
pub(crate) use file_camera::look_through;
use glam::camera::rh::view;
use glam::{DVec3, Mat4, Vec3, Vec4};
use std::f64::consts::{PI, TAU};

/// A camera that looks at a target from a direction and a distance. Lengths in metres, angles in radians.
///
/// The fields are f64, so that a page reads back the values that it has set. Matrices have single precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The point in the centre of the picture.
    pub target: DVec3,
    /// The azimuth about the vertical axis: at 0 the camera looks at the front of the subject, from +Z if `heading` is 0, and
    /// it grows towards +X. Not limited to one turn.
    pub azimuth: f64,
    /// The polar angle: 0 looks straight down, π/2 looks horizontally.
    pub polar: f64,
    /// The distance from the target, above 0.
    pub distance: f64,
    /// The vertical field of view.
    pub fov_y: f64,
    /// The parts of the picture at its left, top, right and bottom that something covers, as fractions of its width or
    /// height. The target is in the middle of the rest, which framed subjects fill.
    pub padding: [f32; 4],
    /// The angle about the vertical axis from +Z to the front of the subject: 0, or π for [`Vec3::NEG_Z`].
    pub heading: f64,
    /// The radius of the framed subject, which determines the limits of the distance.
    scale: f32,
}

/// The fraction of the picture that a framed model fills.
const FILL: f32 = 0.9;

/// The minimum angle from the poles, at which the up direction is undefined.
const POLE: f64 = 0.01;

impl Default for Camera {
    fn default() -> Self {
        Self {
            target: DVec3::ZERO,
            azimuth: 0.44,
            polar: 1.36,
            distance: 4.0,
            fov_y: 0.52,
            padding: [0.0; 4],
            heading: 0.0,
            scale: 1.0,
        }
    }
}

impl Camera {
    /// Moves the camera so that `around` is centred and entirely in view; the direction does not change.
    ///
    /// It fills nine tenths of the picture in one dimension, or a little less if it is round. The target is at the depth of
    /// the centre of its box. A point is framed as if it were a metre high.
    pub fn frame(&mut self, around: &Dop, aspect: f32) {
        let bounds = around.bounds();
        let radius = bounds.radius();
        self.scale = if radius.is_finite() && radius > 0.0 { radius } else { 1.0 };
        let (side, up, toward) = self.axes();
        let depth = bounds.center().dot(toward);
        let [left, top, right, bottom] = self.padding;
        let tan = FILL * self.tan_y();
        let tan_x = tan * aspect * (1.0 - left - right);
        let tan_y = tan * (1.0 - top - bottom);
        // Opposite planes of the view frustum, with these outward normals, touch the shape for one position of the eye
        // along `axis` and one distance.
        let between = |axis: Vec3, tan: f32| {
            let [one, other] = [axis, -axis].map(|outwards| around.reach(outwards + tan * toward));
            (0.5 * (one - other), 0.5 * (one + other) / tan - depth)
        };
        let ((x, wide), (y, high)) = (between(side, tan_x), between(up, tan_y));
        self.target = (x * side + y * up + depth * toward).as_dvec3();
        // A flat shape seen edge-on has no height.
        let distance = wide.max(high).max(1e-3 * self.scale);
        self.distance = if radius > 0.0 { distance } else { self.scale / tan_y }.into();
    }

    /// This camera after [`Camera::frame`], with the same direction.
    pub(super) fn framing(mut self, around: &Dop, aspect: f32) -> Self {
        self.frame(around, aspect);
        self
    }

    /// Interpolates towards a camera with the same direction: 0 is this camera, 1 is exactly `goal`.
    pub(super) fn toward(&self, goal: &Self, share: f64) -> Self {
        if share >= 1.0 {
            return *goal;
        }
        Self {
            target: self.target.lerp(goal.target, share),
            distance: self.distance + share * (goal.distance - self.distance),
            ..*goal
        }
    }

    /// Orbits the target. The polar angle stops near the poles.
    pub fn orbit(&mut self, azimuth: f64, polar: f64) {
        let azimuth = self.azimuth + azimuth;
        if azimuth.is_finite() && polar.is_finite() {
            self.azimuth = azimuth;
            self.polar = (self.polar + polar).clamp(POLE, PI - POLE);
        }
    }

    /// Moves the target parallel to the picture, in fractions of the picture's height. Positive values move the image
    /// right and down.
    pub fn pan(&mut self, right: f64, down: f64) {
        let (side, up, _) = self.axes();
        let height = 2.0 * self.distance * f64::from(self.tan_y());
        let target = self.target + height * (down * up.as_dvec3() - right * side.as_dvec3());
        if target.is_finite() {
            self.target = target;
        }
    }

    /// Multiplies the distance by `factor`, within limits relative to the size of the subject.
    pub fn zoom(&mut self, factor: f64) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = self.reachable(self.distance * factor);
        }
    }

    /// Sets azimuth, polar angle, distance, target and field of view, clamped to their ranges. Does nothing if a value
    /// is not finite. Values within their ranges are stored exactly.
    pub fn set(&mut self, state: [f64; 7]) {
        let target = DVec3::new(state[3], state[4], state[5]);
        if state.iter().all(|value| value.is_finite()) && target.as_vec3().is_finite() {
            let [azimuth, polar, distance, _, _, _, fov_y] = state;
            self.azimuth = azimuth;
            self.polar = polar.clamp(POLE, PI - POLE);
            self.distance = self.reachable(distance);
            self.target = target;
            self.fov_y = fov_y.clamp(0.02, 3.0);
        }
    }

    /// Clamps a distance to limits relative to the size of the subject.
    fn reachable(&self, distance: f64) -> f64 {
        let scale = f64::from(self.scale);
        distance.clamp(0.02 * scale, 100.0 * scale)
    }

    /// Azimuth, polar angle, distance, target (3) and field of view, in the order of [`Camera::set`].
    pub fn state(&self) -> [f64; 7] {
        let DVec3 { x, y, z } = self.target;
        [self.azimuth, self.polar, self.distance, x, y, z, self.fov_y]
    }

    /// Turns the camera with the front of its subject: it looks at the same side of it.
    pub(super) fn face(&mut self, front: Vec3) {
        self.heading = if front.z < 0.0 { PI } else { 0.0 };
    }

    /// The position of the camera.
    pub fn eye(&self) -> Vec3 {
        self.target.as_vec3() + self.distance as f32 * self.axes().2
    }

    /// `view_from_world`.
    pub fn view(&self) -> Mat4 {
        view::look_at_mat4(self.eye(), self.target.as_vec3(), self.axes().1)
    }

    /// `clip_from_view` for a picture of `aspect` = width / height, with near and far planes around `bounds`.
    pub fn projection(&self, aspect: f32, bounds: Option<&Aabb>) -> Mat4 {
        let target = self.target.as_vec3();
        let (center, radius) = bounds.map_or((target, self.scale), |b| (b.center(), b.radius()));
        let depth = (target - center).dot(self.axes().2) + self.distance as f32;
        let far = (depth + 1.05 * radius).max(0.1 * self.scale);
        // At least a thousandth of the far plane, because of depth precision.
        let near = (depth - 1.05 * radius).max(0.001 * far);
        let y = 1.0 / self.tan_y();
        let [left, top, right, bottom] = self.padding;
        let depth = Vec4::new(right - left, top - bottom, (far + near) / (near - far), -1.0);
        Mat4::from_cols(
            Vec4::X * (y / aspect),
            Vec4::Y * y,
            depth,
            Vec4::Z * (2.0 * far * near / (near - far)),
        )
    }

    /// The unit vectors to the right of the picture, up in it, and towards the viewer.
    fn axes(&self) -> (Vec3, Vec3, Vec3) {
        let azimuth = self.azimuth + self.heading;
        // Reduced to one turn first, to keep precision as f32.
        let (sin_a, cos_a) = sin_cos((azimuth - (azimuth / TAU).trunc() * TAU) as f32);
        let (sin_p, cos_p) = sin_cos(self.polar as f32);
        let toward = Vec3::new(sin_p * sin_a, cos_p, sin_p * cos_a);
        let side = Vec3::new(cos_a, 0.0, -sin_a);
        (side, toward.cross(side), toward)
    }

    /// The tangent of half the vertical field of view.
    fn tan_y(&self) -> f32 {
        tan(0.5 * self.fov_y as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(bounds: &Aabb) -> impl Iterator<Item = Vec3> {
        let ends = [bounds.min, bounds.max];
        (0..8).map(move |i: usize| Vec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z))
    }

    #[test]
    fn camera_ignores_nan_and_infinite_numbers() {
        let mut camera = Camera::default();
        camera.orbit(f64::NAN, 0.0);
        camera.pan(f64::INFINITY, 0.0);
        camera.zoom(0.0);
        camera.zoom(f64::NAN);
        camera.set([f64::NAN; 7]);
        camera.set([0.0, 1.0, 1.0, 1e300, 0.0, 0.0, 1.0]);
        assert_eq!(camera, Camera::default());
        camera.orbit(0.0, 100.0);
        assert!(camera.view().is_finite());
    }

    fn around(bounds: &Aabb) -> Dop {
        let mut around = Dop::EMPTY;
        around.add_box(bounds);
        around
    }

    #[test]
    fn camera_framing_shows_the_whole_box_and_fills_the_view() {
        for aspect in [0.4, 1.0, 2.3] {
            for azimuth in [0.0, 1.0, 4.0] {
                let bounds = Aabb { min: Vec3::new(-1.0, 0.0, -3.0), max: Vec3::new(2.0, 9.0, 0.5) };
                let mut camera = Camera { azimuth, ..Camera::default() };
                camera.frame(&around(&bounds), aspect);
                let clip = camera.projection(aspect, Some(&bounds)) * camera.view();
                let mut widest: f32 = 0.0;
                for corner in corners(&bounds) {
                    let p = clip.project_point3(corner);
                    assert!(p.abs().max_element() <= 1.0, "{p}");
                    widest = widest.max(p.x.abs()).max(p.y.abs());
                }
                assert!((widest - FILL).abs() < 0.02, "{widest}");
            }
        }
    }

    #[test]
    fn camera_framing_fills_what_the_padding_leaves() {
        let bounds = Aabb { min: Vec3::new(-1.0, 0.0, -3.0), max: Vec3::new(2.0, 9.0, 0.5) };
        for padding in [[0.3, 0.0, 0.0, 0.0], [0.0, 0.1, 0.2, 0.4], [0.25, 0.5, 0.5, 0.25]] {
            let mut camera = Camera { padding, ..Camera::default() };
            camera.frame(&around(&bounds), 1.5);
            let clip = camera.projection(1.5, Some(&bounds)) * camera.view();
            let [left, top, right, bottom] = padding;
            let mut widest: f32 = 0.0;
            for corner in corners(&bounds) {
                let p = clip.project_point3(corner);
                let (x, y) = (0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y);
                let free = [(x - left) / (1.0 - left - right), (y - top) / (1.0 - top - bottom)];
                widest = free.into_iter().fold(widest, |widest, at| widest.max((2.0 * at - 1.0).abs()));
            }
            assert!((widest - FILL).abs() < 0.02, "{padding:?}: {widest}");
        }
    }

    #[test]
    fn camera_state_is_read_as_it_was_set() {
        let mut camera = Camera::default();
        for state in [
            [0.5, 1.5, 2.2, 0.1, 0.2, 0.3, 0.7],
            [-2.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.1],
            [1e9, 0.3, 1.1, 0.0, 0.0, 0.0, 0.4],
        ] {
            camera.set(state);
            assert_eq!(camera.state(), state);
            assert!(camera.view().is_finite());
        }
    }

    #[test]
    fn camera_azimuth_is_the_same_direction_after_whole_turns() {
        let look = |azimuth| Camera { azimuth, ..Camera::default() }.eye();
        for turns in [-1000.0, -1.0, 1.0, 1000.0] {
            assert!(look(0.7 + turns * TAU).abs_diff_eq(look(0.7), 1e-5));
        }
    }

    #[test]
    fn camera_frames_points_and_flat_boxes() {
        let mut camera = Camera::default();
        let mut point = Dop::EMPTY;
        point.add(Vec3::ONE);
        camera.frame(&point, 1.0);
        assert!(camera.distance > 0.0 && camera.projection(1.0, None).is_finite());
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mut camera = Camera { azimuth: 0.0, polar: 0.5 * PI, ..Camera::default() };
            camera.frame(&around(&Aabb { min: -axis, max: axis }), 1.0);
            assert!(camera.distance > 0.0 && camera.projection(1.0, None).is_finite(), "{axis}");
        }
    }

    #[test]
    fn camera_panning_moves_the_target_with_the_pointer() {
        let mut camera = Camera::default();
        let bounds = Aabb { min: Vec3::splat(-1.0), max: Vec3::ONE };
        camera.frame(&around(&bounds), 1.0);
        let middle = camera.target;
        camera.pan(0.25, 0.1);
        let p = (camera.projection(1.0, None) * camera.view()).project_point3(middle.as_vec3());
        assert!((p.x - 0.5).abs() < 1e-4 && (p.y + 0.2).abs() < 1e-4, "{p}");
    }
}
