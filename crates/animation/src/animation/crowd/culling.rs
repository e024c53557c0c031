//! Frustum culling and screen size of crowd members.

use crate::base::{Aabb, Affine, F32x4};
use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};

/// The view of a crowd, for frustum culling and level of detail.
#[derive(Debug, Clone, Copy)]
pub struct CrowdView {
    /// The planes of the frustum: unit normals that point inwards, and the distance of the origin. `(0, 0, 0,
    /// 1)` for an unknown plane.
    planes: [Vec4; 6],
    /// X, Y, Z, W of the first four planes, then of four more rows: the other two planes, depth, and
    /// distance. Size on screen is divided by depth, which is 1 in a parallel projection. Distance increases
    /// with the distance from the camera in any projection.
    lanes: [[F32x4; 4]; 2],
    /// The largest change of depth per metre.
    slope: f32,
    /// Pixels per metre at depth 1.
    pixels: f32,
}

/// A bounding box with its bounding sphere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    center: Vec3,
    half: Vec3,
    radius: f32,
}

impl Body {
    /// Bounds that are unknown, so they are never culled.
    pub(super) const UNKNOWN: Self = Self { center: Vec3::NAN, half: Vec3::INFINITY, radius: f32::INFINITY };

    pub(super) fn new(bounds: &Aabb) -> Self {
        let half = 0.5 * bounds.max - 0.5 * bounds.min;
        Self { center: bounds.center(), half, radius: half.length() }
    }

    /// `true` if a line may intersect the bounding sphere at a place; `true` for unknown bounds.
    ///
    /// - `direction`: of any length except 0.
    pub(super) fn may_meet(&self, origin: Vec3, direction: Vec3, place: &Affine, scale: f32) -> bool {
        let distance = place.transform_point(self.center) - origin;
        // A margin for rounding errors.
        let radius = scale * self.radius + 1e-5 * (distance.length() + origin.length());
        let beside = distance.cross(direction).length_squared();
        !(beside > radius * radius * direction.length_squared())
    }
}

/// Distance and size on screen of a member.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Visibility {
    /// A measure of the distance of its center, for sorting.
    pub(super) distance: f32,
    /// An upper bound of pixels per metre for the member.
    pub(super) pixels: f32,
}

impl CrowdView {
    /// - `view`: `view_from_world`.
    /// - `projection`: `clip_from_view`, with depth from −1 to 1.
    /// - `height`: of the viewport in pixels.
    /// - `cull`: `true` to cull members outside the frustum.
    pub fn new(view: &Mat4, projection: &Mat4, height: u32, cull: bool) -> Self {
        let rows = (*projection * *view).transpose();
        let plane = |plane: Vec4| {
            let length = plane.xyz().length();
            let known = cull && length > 0.0 && (plane / length).is_finite();
            if known { plane / length } else { Vec4::W }
        };
        let [x, y, z, w] = [rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis];
        let planes = [w + x, w - x, w + y, w - y, w + z, w - z].map(plane);
        let [a, b, c, d, e, f] = planes;
        let lanes = |four: [Vec4; 4]| F32x4::transpose(four.map(|plane| F32x4::new(plane.to_array())));
        Self {
            planes,
            lanes: [lanes([a, b, c, d]), lanes([e, f, w, z])],
            slope: w.xyz().length(),
            pixels: 0.5 * height as f32 * projection.y_axis.y.abs(),
        }
    }

    /// Distance and size of a model's box at a place; `None` if it is wholly outside the frustum.
    #[inline(always)]
    pub(super) fn visibility(&self, body: &Body, place: &Affine, scale: f32) -> Option<Visibility> {
        let middle = place.place(body.center);
        let radius = scale * body.radius;
        let (x, y, z) = (middle.spread::<0>(), middle.spread::<1>(), middle.spread::<2>());
        let [first, second] = &self.lanes;
        let abcd = (first[0] * x + first[1] * y) + (first[2] * z + first[3]);
        let rest = (second[0] * x + second[1] * y) + (second[2] * z + second[3]);
        // A margin for rounding errors.
        let slack = F32x4::splat(1e-5) * ((x.abs() + y.abs()) + (z.abs() + F32x4::splat(radius)));
        let (abcd, ef) = (abcd + slack, rest + slack);
        // Comparisons with NaN are false. All lanes are compared at once because a branch per lane was often
        // mispredicted.
        let (out, zero) = (F32x4::splat(-radius), F32x4::zero());
        let outside = out.gt(abcd).to_bits() | out.gt(ef).to_bits() & 3;
        let near = zero.gt(abcd).to_bits() | zero.gt(ef).to_bits() & 3;
        if outside != 0 || near != 0 && self.hides(abcd, ef, body, place) {
            return None;
        }
        let [_, _, depth, distance] = rest.to_array();
        let nearest = depth - radius * self.slope;
        let pixels = if nearest > 0.0 { self.pixels / nearest } else { f32::INFINITY };
        Some(Visibility { distance, pixels })
    }

    /// `true` if the box is wholly outside of a plane.
    ///
    /// - `abcd`, `ef`: signed distance of its center from each plane, positive inside.
    #[inline(never)]
    fn hides(&self, abcd: F32x4, ef: F32x4, body: &Body, place: &Affine) -> bool {
        let inside = [abcd.to_array(), ef.to_array()];
        let out = |(plane, inside): (&Vec4, &f32)| *inside < -body.half.dot(self.along(plane, place).abs());
        self.planes.iter().zip(inside.as_flattened()).any(out)
    }

    /// The normal of a plane in the space of the model.
    fn along(&self, plane: &Vec4, place: &Affine) -> Vec3 {
        let [x, y, z] = place.rows().map(|row| row.truncate());
        plane.x * x + plane.y * y + plane.z * z
    }
}
