//! Discrete oriented polytopes: the extent of points in many directions.

use crate::base::{Aabb, Affine, is_in_reach};
use gambol_kernels::widen;
use glam::Vec3;

/// The L1 norm of the directions, which have integer coordinates: the subdivision of an octahedron's faces.
const SIZE: i32 = 6;
/// The number of directions.
const COUNT: usize = (4 * SIZE * SIZE + 2) as usize;
/// The coordinates of the directions.
const DIRECTIONS: [[f32; COUNT]; 3] = directions();
/// The index of the first direction for each height Y, from the lowest to the highest.
const RINGS: [usize; 2 * SIZE as usize + 1] = rings();

/// A discrete oriented polytope (k-DOP): the extent of points in each of 146 directions.
///
/// It is tighter than a box, and as cheap to transform and merge. For other directions the extent is never
/// too small. For round shapes it is too large by at most a few hundredths of the size.
#[derive(Debug, Clone, PartialEq)]
pub struct Dop {
    /// The largest dot product with a point, for each direction.
    reach: [f32; COUNT],
}

impl Default for Dop {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Dop {
    /// The polytope without points: the neutral element of the union.
    pub const EMPTY: Self = Self { reach: [f32::NEG_INFINITY; COUNT] };

    /// Adds a point; a point beyond [`REACH`](crate::base::REACH) is ignored.
    pub fn add(&mut self, point: Vec3) {
        if !is_in_reach(point) {
            return;
        }
        let [x, y, z] = &DIRECTIONS;
        widen(&mut self.reach, [x, y, z], point);
    }

    /// Adds the corners of a box.
    pub fn add_box(&mut self, bounds: &Aabb) {
        let ends = [bounds.min, bounds.max];
        for i in 0..8_usize {
            self.add(Vec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z));
        }
    }

    /// The union of both.
    pub fn union(mut self, other: &Self) -> Self {
        for (mine, other) in self.reach.iter_mut().zip(&other.reach) {
            *mine = mine.max(*other);
        }
        self
    }

    /// `true` if it contains any point.
    pub fn is_valid(&self) -> bool {
        self.bounds().is_valid()
    }

    /// `true` if it contains another one, with a tolerance too small to be visible.
    pub fn contains(&self, other: &Self) -> bool {
        let spare = 1e-3 * self.bounds().radius() * SIZE as f32;
        self.reach.iter().zip(&other.reach).all(|(mine, other)| *other <= *mine + spare)
    }

    /// The box around the points, exact.
    pub fn bounds(&self) -> Aabb {
        let ends = [SIZE, -SIZE].map(|end| {
            Vec3::new(self.along(end, 0, 0), self.along(0, end, 0), self.along(0, 0, end)) / SIZE as f32
        });
        Aabb { min: -ends[1], max: ends[0] }
    }

    /// The extent in a direction: the largest dot product with a point, or slightly more. The direction may
    /// have any length; 0 if its length is 0 or not finite.
    pub fn reach(&self, direction: Vec3) -> f32 {
        let length = direction.abs().element_sum();
        if !(length > 0.0 && length.is_finite()) {
            return 0.0;
        }
        // A support function is convex and homogeneous: between directions it is at most the interpolated
        // value.
        let place = direction.abs() * (SIZE as f32 / length);
        let (i, j) = ((place.x as i32).min(SIZE), (place.y as i32).min(SIZE));
        let k = (place.z as i32).min(SIZE - i - j).max(0);
        let sign = |value: f32| if value < 0.0 { -1 } else { 1 };
        let [x, y, z] = direction.to_array().map(sign);
        let of = |i: i32, j: i32, k: i32| self.along(x * i, y * j, z * k);
        let [a, b] = [place.x - i as f32, place.y - j as f32];
        let sum = match SIZE - i - j - k {
            ..=0 => of(i, SIZE - i - k, k),
            1 => {
                let c = (1.0 - a - b).max(0.0);
                a * of(i + 1, j, k) + b * of(i, j + 1, k) + c * of(i, j, k + 1)
            }
            _ => {
                let k = SIZE - i - j - 2;
                let c = (a + b - 1.0).max(0.0);
                (1.0 - a) * of(i, j + 1, k + 1) + (1.0 - b) * of(i + 1, j, k + 1) + c * of(i + 1, j + 1, k)
            }
        };
        sum * (length / SIZE as f32)
    }

    /// A polytope around the transformed one.
    pub fn transformed(&self, matrix: &Affine) -> Self {
        let rows = matrix.rows();
        let column = |at: fn(glam::Vec4) -> f32| Vec3::from_array(rows.map(at));
        let [x, y, z, origin] =
            [column(|row| row.x), column(|row| row.y), column(|row| row.z), column(|row| row.w)];
        let mut moved = Self::EMPTY;
        for (i, reach) in moved.reach.iter_mut().enumerate() {
            let direction = Vec3::from_array(DIRECTIONS.map(|list| list[i]));
            *reach = self.reach(Vec3::new(x.dot(direction), y.dot(direction), z.dot(direction)))
                + origin.dot(direction);
        }
        moved
    }

    /// The extent along one of [`DIRECTIONS`].
    fn along(&self, i: i32, j: i32, k: i32) -> f32 {
        self.reach[index(i, j, k)]
    }
}

/// The index of a direction: rings of equal Y from the lowest to the highest, each from +X towards +Z.
const fn index(i: i32, j: i32, k: i32) -> usize {
    let radius = SIZE - j.abs();
    let around = if k >= 0 { radius - i } else { 3 * radius + i };
    RINGS[(j + SIZE) as usize] + around as usize
}

const fn rings() -> [usize; 2 * SIZE as usize + 1] {
    let mut out = [0; 2 * SIZE as usize + 1];
    let mut j = -SIZE;
    while j < SIZE {
        let radius = SIZE - j.abs();
        let length = if radius == 0 { 1 } else { 4 * radius as usize };
        out[(j + SIZE) as usize + 1] = out[(j + SIZE) as usize] + length;
        j += 1;
    }
    out
}

const fn directions() -> [[f32; COUNT]; 3] {
    let mut out = [[0.0; COUNT]; 3];
    let mut j = -SIZE;
    while j <= SIZE {
        let radius = SIZE - j.abs();
        let mut i = -radius;
        while i <= radius {
            let mut sign = -1;
            while sign <= 1 {
                let k = sign * (radius - i.abs());
                let at = index(i, j, k);
                out[0][at] = i as f32;
                out[1][at] = j as f32;
                out[2][at] = k as f32;
                sign += 2;
            }
            i += 1;
        }
        j += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat4, Quat};

    /// Pseudorandom numbers from -1 to 1, always the same.
    fn points(count: usize) -> impl Iterator<Item = Vec3> {
        let mut state = 1_u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..count).map(move |_| Vec3::new(next(), next(), next()))
    }

    fn around(points: &[Vec3]) -> Dop {
        let mut dop = Dop::EMPTY;
        points.iter().for_each(|&point| dop.add(point));
        dop
    }

    #[test]
    fn dop_is_empty_without_points_and_ignores_points_that_are_not_finite() {
        let mut dop = Dop::EMPTY;
        assert!(!dop.is_valid());
        dop.add(Vec3::NAN);
        dop.add(Vec3::INFINITY);
        assert_eq!(dop, Dop::EMPTY);
        dop.add(Vec3::ONE);
        assert!(dop.is_valid());
        assert_eq!([Vec3::ZERO, Vec3::NAN, Vec3::INFINITY].map(|direction| dop.reach(direction)), [0.0; 3]);
        assert_eq!(dop.clone().union(&Dop::EMPTY), dop);
    }

    #[test]
    fn dop_directions_have_unique_indices() {
        let mut seen = [false; COUNT];
        for at in 0..COUNT {
            let [i, j, k] = DIRECTIONS.map(|list| list[at] as i32);
            assert_eq!((i.abs() + j.abs() + k.abs(), index(i, j, k)), (SIZE, at));
            seen[index(i, j, k)] = true;
        }
        assert!(seen.iter().all(|seen| *seen));
    }

    #[test]
    fn dop_of_one_point_is_exact_in_all_directions() {
        let point = Vec3::new(0.3, -2.0, 1.5);
        let dop = around(&[point]);
        for direction in points(2000) {
            let (got, want) = (dop.reach(3.0 * direction), 3.0 * direction.dot(point));
            assert!((got - want).abs() < 2e-5, "{direction}: {got}, not {want}");
        }
        assert!(dop.bounds().min.abs_diff_eq(point, 1e-6) && dop.bounds().max.abs_diff_eq(point, 1e-6));
    }

    #[test]
    fn dop_extent_is_conservative_and_tight() {
        // A sphere is the worst case.
        let ball: Vec<Vec3> = points(20_000).map(Vec3::normalize_or_zero).collect();
        let dop = around(&ball);
        for direction in points(2000) {
            let direction = direction.normalize_or_zero();
            let far = ball.iter().map(|point| point.dot(direction)).fold(f32::MIN, f32::max);
            let got = dop.reach(direction);
            assert!(got >= far - 1e-5 && got < far + 0.03, "{direction}: {got}, not {far}");
        }
    }

    #[test]
    fn dop_transformed_contains_all_points() {
        let list: Vec<Vec3> = points(50).collect();
        let matrix = Mat4::from_scale_rotation_translation(
            Vec3::new(2.0, 0.5, 1.0),
            Quat::from_rotation_y(1.0) * Quat::from_rotation_x(0.4),
            Vec3::new(3.0, -1.0, 2.0),
        );
        let moved = around(&list).transformed(&Affine::from(matrix));
        let wanted: Vec<Vec3> = list.iter().map(|&point| matrix.transform_point3(point)).collect();
        let exact = around(&wanted);
        assert!(moved.contains(&exact));
        assert!(moved.bounds().radius() < 1.06 * exact.bounds().radius());
        let unmoved = around(&list).transformed(&Affine::identity());
        assert!(unmoved.contains(&around(&list)) && around(&list).contains(&unmoved));
        assert!(!exact.contains(&moved.clone().union(&around(&[Vec3::splat(9.0)]))));
    }
}
