//! Rays, and their intersections with triangles and boxes.

use glam::Vec3;

/// The tolerance beyond the edges of a triangle, in barycentric coordinates. No ray can pass between two
/// triangles with a common edge.
const EDGE: f32 = 1e-5;

/// A half-line: all points `origin + t · direction` with `t ≥ 0`, including `t > 1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// The start point.
    pub origin: Vec3,
    /// The direction, of any length except 0.
    pub direction: Vec3,
}

impl Ray {
    /// The intersection with a triangle, from either side: `t`, and the barycentric weights of the second and
    /// the third corner. Möller and Trumbore 1997.
    #[inline(always)]
    pub fn meets(&self, [a, b, c]: [Vec3; 3]) -> Option<[f32; 3]> {
        let (ab, ac) = (b - a, c - a);
        let across = self.direction.cross(ac);
        let scale = 1.0 / ab.dot(across);
        let from_a = self.origin - a;
        let u = from_a.dot(across) * scale;
        let turned = from_a.cross(ab);
        let v = self.direction.dot(turned) * scale;
        let t = ac.dot(turned) * scale;
        // For a triangle seen edge-on the numbers are NaN, and comparisons with NaN are false.
        let inside = u >= -EDGE && v >= -EDGE && u + v <= 1.0 + EDGE;
        (inside && t >= 0.0 && scale.is_finite()).then_some([t, u, v])
    }

    /// The nearest of the triangles with `t` below `within`: its index, and the result of [`Ray::meets`].
    ///
    /// - `places`: the positions of the vertices.
    /// - `corners`: three vertex indices per triangle.
    ///
    /// # Panics
    /// If a vertex index is out of range.
    #[inline(never)]
    pub fn nearest(
        &self,
        places: &[Vec3],
        corners: &[[u8; 3]],
        mut within: f32,
    ) -> Option<(usize, [f32; 3])> {
        let mut nearest = None;
        for (index, &[a, b, c]) in corners.iter().enumerate() {
            let triangle = [places[usize::from(a)], places[usize::from(b)], places[usize::from(c)]];
            let Some(met) = self.meets(triangle) else { continue };
            if met[0] < within {
                within = met[0];
                nearest = Some((index, met));
            }
        }
        nearest
    }

    /// The `t` at which the ray enters a box, 0 if it starts inside. `None` if it intersects neither the box
    /// nor any triangle whose corners are in the box. NaN counts as an intersection.
    ///
    /// - `inverse`: 1 / `direction`.
    /// - `min`, `max`: the corners of the box.
    #[inline(never)]
    pub fn enters(&self, inverse: Vec3, min: Vec3, max: Vec3) -> Option<f32> {
        // Triangles have a tolerance beyond their edges, and all numbers are rounded.
        const BESIDE: f32 = 1e-4;
        const ROUNDING: f32 = 4e-6;
        let far = min.abs().max(max.abs()).max_element() + self.origin.abs().max_element();
        let slack = Vec3::splat(BESIDE * (max - min).length() + ROUNDING * far);
        let first = (min - slack - self.origin) * inverse;
        let second = (max + slack - self.origin) * inverse;
        let (mut enter, mut leave) = (0.0_f32, f32::INFINITY);
        for (a, b) in first.to_array().into_iter().zip(second.to_array()) {
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            // Comparisons with NaN are false: a ray along a plane of the box is not excluded by it.
            if near > enter {
                enter = near;
            }
            if far < leave {
                leave = far;
            }
        }
        if enter > leave { None } else { Some(enter) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    #[test]
    fn ray_hits_a_triangle_from_both_sides_but_not_behind_its_origin() {
        for side in [1.0, -1.0] {
            let ray =
                Ray { origin: Vec3::new(0.25, 0.25, side), direction: Vec3::new(0.0, 0.0, -2.0 * side) };
            assert_eq!(ray.meets(TRIANGLE), Some([0.5, 0.25, 0.25]));
            let away = Ray { direction: -ray.direction, ..ray };
            assert_eq!(away.meets(TRIANGLE), None);
        }
    }

    #[test]
    fn ray_never_passes_between_triangles_that_share_an_edge() {
        let other = [Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        for i in 0..1000 {
            let x = i as f32 / 999.0;
            let ray = Ray { origin: Vec3::new(0.3, 0.9, 4.0), direction: Vec3::new(x - 0.3, 0.1 - x, -4.0) };
            assert!(ray.meets(TRIANGLE).or_else(|| ray.meets(other)).is_some(), "{x}");
        }
    }

    #[test]
    fn ray_beside_or_along_a_triangle_misses_it() {
        let same_hemisphere = Ray { origin: Vec3::new(0.75, 0.75, 1.0), direction: Vec3::NEG_Z };
        assert_eq!(same_hemisphere.meets(TRIANGLE), None);
        let along = Ray { origin: Vec3::new(-1.0, 0.25, 0.0), direction: Vec3::X };
        assert_eq!(along.meets(TRIANGLE), None);
        let none = Ray { origin: Vec3::ZERO, direction: Vec3::ZERO };
        assert_eq!(none.meets(TRIANGLE), None);
    }

    #[test]
    fn ray_finds_the_nearest_triangle_below_a_limit() {
        let ray = Ray { origin: Vec3::new(0.25, 0.25, 4.0), direction: Vec3::NEG_Z };
        let places: Vec<_> = [0.0, 2.0, 1.0, 2.0]
            .into_iter()
            .flat_map(|z| TRIANGLE.map(|corner| corner + z * Vec3::Z))
            .chain([Vec3::splat(9.0)])
            .collect();
        let corners = [[0, 1, 2], [12, 12, 12], [3, 4, 5], [6, 7, 8], [9, 10, 11]];
        assert_eq!(
            ray.nearest(&places, &corners, f32::INFINITY),
            Some((2, [2.0, 0.25, 0.25])),
            "the first of two as near"
        );
        assert_eq!(ray.nearest(&places, &corners, 2.0), None);
        assert_eq!(ray.nearest(&places, &corners[3..4], 9.0), Some((0, [3.0, 0.25, 0.25])));
        assert_eq!(ray.nearest(&places, &[], 9.0), None);
    }

    fn enters(origin: Vec3, direction: Vec3) -> Option<f32> {
        Ray { origin, direction }.enters(direction.recip(), Vec3::ZERO, Vec3::ONE)
    }

    #[test]
    fn ray_enters_a_box_from_any_side_or_misses_it() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let middle = Vec3::splat(0.5);
            for side in [2.0, -2.0] {
                let t = enters(middle + side * axis, -side * axis).expect("towards it");
                assert!((t - 0.75).abs() < 1e-3, "{t}");
                assert_eq!(enters(middle + side * axis, side * axis), None, "away from it");
                assert_eq!(
                    enters(middle + side * axis, -side * axis + 9.0 * Vec3::new(axis.y, axis.z, axis.x)),
                    None,
                    "past it"
                );
            }
            assert_eq!(enters(middle, axis), Some(0.0), "from inside");
            // Along a face.
            assert!(enters(-axis, axis).is_some());
        }
    }

    #[test]
    fn ray_without_a_direction_excludes_no_box() {
        assert_eq!(enters(Vec3::splat(0.5), Vec3::ZERO), Some(0.0));
        assert!(enters(Vec3::NAN, Vec3::X).is_some());
    }
}
