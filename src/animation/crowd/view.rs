//! From where a crowd is seen.

use crate::animation::{Aabb, Affine};
use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};

/// A picture that a crowd is in: who is outside of it need not be drawn, and who is small needs less care.
#[derive(Debug, Clone, Copy)]
pub struct CrowdView {
    /// Unit normals that point inwards, and the distance of the origin; all zeros but the last where there is no plane.
    planes: [Vec4; 6],
    /// Gives the depth, by which what is far is smaller; in a parallel projection it is always 1.
    depth: Vec4,
    /// Gives what grows with the distance, also where nothing gets smaller by it.
    away: Vec4,
    /// How many pixels a metre has at depth 1.
    pixels: f32,
}

/// How a member of a crowd is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sight {
    /// How far away its middle is, compared with others.
    pub(super) away: f32,
    /// How many pixels a metre has there at most.
    pub(super) pixels: f32,
}

impl CrowdView {
    /// - `view`: `view_from_world`.
    /// - `projection`: `clip_from_view`, with depth from −1 to 1.
    /// - `height`: of the picture in pixels.
    /// - `cull`: whether who is outside of the picture may be left out.
    pub fn new(view: &Mat4, projection: &Mat4, height: u32, cull: bool) -> Self {
        let rows = (*projection * *view).transpose();
        let plane = |plane: Vec4| {
            let length = plane.xyz().length();
            let known = cull && length > 0.0 && (plane / length).is_finite();
            if known { plane / length } else { Vec4::W }
        };
        let [x, y, z, w] = [rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis];
        Self {
            planes: [w + x, w - x, w + y, w - y, w + z, w - z].map(plane),
            depth: w,
            away: z,
            pixels: 0.5 * height as f32 * projection.y_axis.y.abs(),
        }
    }

    /// How the box of a model is seen at a place; `None` if it is wholly outside.
    pub(super) fn sight(&self, bounds: &Aabb, place: &Affine, scale: f32) -> Option<Sight> {
        let middle = place.transform_point(bounds.center());
        let half = 0.5 * bounds.max - 0.5 * bounds.min;
        let radius = scale * half.length();
        // What rounding may add.
        let slack = 1e-5 * (middle.abs().max_element() + radius);
        for plane in &self.planes {
            let inside = plane.xyz().dot(middle) + plane.w + slack;
            // Comparisons with what is not known are false.
            if inside < -radius || inside < 0.0 && inside < -half.dot(self.along(plane, place).abs()) {
                return None;
            }
        }
        let depth = self.depth.xyz().dot(middle) + self.depth.w;
        let nearest = depth - radius * self.depth.xyz().length();
        let pixels = if nearest > 0.0 { self.pixels / nearest } else { f32::INFINITY };
        Some(Sight { away: self.away.xyz().dot(middle) + self.away.w, pixels })
    }

    /// The normal of a plane in the space of the model.
    fn along(&self, plane: &Vec4, place: &Affine) -> Vec3 {
        let [x, y, z] = place.rows().map(|row| row.truncate());
        plane.x * x + plane.y * y + plane.z * z
    }
}
