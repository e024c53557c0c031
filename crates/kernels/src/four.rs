//! Vertices at four times at once, one time per lane: without sums across lanes, and each weight is read once.
//!
//! The results have the same bits as those of [`skin`](crate::skin) at each time.

use crate::affine::Affine;
use crate::simd::{F32x4, Mask4};

/// A matrix at four times: its twelve numbers, row by row.
#[derive(Debug, Clone, Copy)]
pub struct AffineX4([F32x4; 12]);

/// The three coordinates of a point at four times.
pub type PointX4 = [F32x4; 3];

impl AffineX4 {
    /// The matrices of four palettes.
    ///
    /// - `out`: overwritten.
    ///
    /// # Panics
    /// If the palettes have different lengths.
    #[inline(never)]
    pub fn of_palettes(palettes: [&[Affine]; 4], out: &mut Vec<Self>) {
        let [a, b, c, d] = palettes;
        let count = a.len();
        let (b, c, d) = (&b[..count], &c[..count], &d[..count]);
        out.clear();
        out.reserve(count);
        for i in 0..count {
            let (a, b, c, d) = (&a[i].rows, &b[i].rows, &c[i].rows, &d[i].rows);
            let row = |r: usize| F32x4::transpose([a[r], b[r], c[r], d[r]]);
            let [[e, f, g, h], [j, k, l, m], [n, o, p, q]] = [row(0), row(1), row(2)];
            out.push(Self([e, f, g, h, j, k, l, m, n, o, p, q]));
        }
    }

    #[inline(always)]
    fn place(&self, [x, y, z]: PointX4) -> PointX4 {
        let m = &self.0;
        [
            (m[0] * x + m[1] * y) + (m[2] * z + m[3]),
            (m[4] * x + m[5] * y) + (m[6] * z + m[7]),
            (m[8] * x + m[9] * y) + (m[10] * z + m[11]),
        ]
    }
}

/// Transforms points in place.
#[inline(never)]
pub fn place_four(matrix: &AffineX4, points: &mut [PointX4]) {
    for point in points {
        *point = matrix.place(*point);
    }
}

/// Skins points in place.
///
/// - `joints`, `weights`: `fours` entries per point.
///
/// # Panics
/// If `fours` is 0, or if a joint index is out of range.
#[inline(never)]
pub fn skin_four(
    (joints, weights, fours): (&[[u16; 4]], &[[f32; 4]], usize),
    palette: &[AffineX4],
    points: &mut [PointX4],
) {
    let rows = joints.chunks_exact(fours).zip(weights.chunks_exact(fours));
    for (point, (joints, weights)) in points.iter_mut().zip(rows) {
        let mut matrix = mean(&joints[0], &weights[0], palette);
        for (joints, weights) in joints.iter().zip(weights).skip(1) {
            let other = mean(joints, weights, palette);
            for (sum, number) in matrix.0.iter_mut().zip(other.0) {
                *sum = *sum + number;
            }
        }
        *point = matrix.place(*point);
    }
}

/// The weighted sum of four joints' matrices, in the order of [`mean`](crate::mean).
#[inline(always)]
fn mean(joints: &[u16; 4], weights: &[f32; 4], palette: &[AffineX4]) -> AffineX4 {
    // No loops or functions of arrays: not all compilers unroll them.
    let of = |i: usize| &palette[usize::from(joints[i])].0;
    let (a, b, c, d) = (of(0), of(1), of(2), of(3));
    let splat = |i: usize| F32x4::splat(weights[i]);
    let (p, q, r, s) = (splat(0), splat(1), splat(2), splat(3));
    let one = |i: usize| (p * a[i] + q * b[i]) + (r * c[i] + s * d[i]);
    AffineX4([
        one(0),
        one(1),
        one(2),
        one(3),
        one(4),
        one(5),
        one(6),
        one(7),
        one(8),
        one(9),
        one(10),
        one(11),
    ])
}

/// Points that are the same at four times.
///
/// - `out`: overwritten.
#[inline(never)]
pub fn still_four(points: &[[f32; 3]], out: &mut Vec<PointX4>) {
    out.clear();
    out.reserve(points.len());
    for &[x, y, z] in points {
        out.push([F32x4::splat(x), F32x4::splat(y), F32x4::splat(z)]);
    }
}

/// A point at one of four times.
#[inline(always)]
pub fn at_lane(point: &PointX4, lane: usize) -> [f32; 3] {
    let [x, y, z] = point;
    [x.to_array()[lane], y.to_array()[lane], z.to_array()[lane]]
}

/// Adds multiples of offsets to points, where a weight is not 0.
///
/// - `places`: the index of the point of each offset; `None` if there is one for each point. Others than those of points are ignored.
#[inline(never)]
pub fn morph_four(points: &mut [PointX4], places: Option<&[u32]>, offsets: &[[f32; 3]], weights: F32x4) {
    let [a, b, c, d] = weights.to_array();
    let used = Mask4::new([a != 0.0, b != 0.0, c != 0.0, d != 0.0]);
    for (i, offset) in offsets.iter().enumerate() {
        let at = places.map_or(i, |places| places[i] as usize);
        let Some([x, y, z]) = points.get_mut(at) else { continue };
        *x = used.select(*x + weights * F32x4::splat(offset[0]), *x);
        *y = used.select(*y + weights * F32x4::splat(offset[1]), *y);
        *z = used.select(*z + weights * F32x4::splat(offset[2]), *z);
    }
}

/// The squares of the distances of two points.
#[inline(always)]
fn squares(a: &PointX4, b: &PointX4) -> F32x4 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (x * x + y * y) + z * z
}

/// Raises the largest square of the distance of each pair of points in each lane; to infinity where it is NaN.
#[inline(never)]
pub fn raise_squares(largest: &mut [F32x4], first: &[PointX4], second: &[PointX4]) {
    let most = F32x4::splat(f32::INFINITY);
    for ((largest, a), b) in largest.iter_mut().zip(first).zip(second) {
        let square = squares(a, b);
        // `false` for NaN.
        let known = largest.gt(square).select(*largest, square);
        let below = most.gt(known);
        *largest = below.select(known, most);
    }
}

/// The index of the first pair of points, from index `from` on, that are not equal, and whose distance may be as large as one that
/// is known, in any lane.
///
/// - `known`: for each pair, or one for all of them.
#[inline(never)]
pub fn next_as_far(first: &[PointX4], second: &[PointX4], known: &[f32], from: usize) -> Option<usize> {
    for i in from..first.len().min(second.len()) {
        // The margin is far above the rounding of the squares.
        let known = if known.len() == 1 { known[0] } else { known[i] };
        let limit = 0.999 * known * known;
        // Squares of other distances are not exact, or not finite. NaN is never below.
        let exact = known > 1e-15 && known < 1e15;
        let below = F32x4::splat(limit).gt(squares(&first[i], &second[i]));
        if !(exact && below.to_bits() == 15) && first[i] != second[i] {
            return Some(i);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skinning::skin;
    use glam::{Mat4, Quat, Vec3};

    fn palette(time: f32) -> Vec<Affine> {
        let matrix = |i: usize| {
            let angle = time + i as f32;
            let turned = Quat::from_rotation_x(angle) * Quat::from_rotation_y(0.3 * angle);
            Mat4::from_scale_rotation_translation(Vec3::new(1.0, 0.7, -1.3), turned, Vec3::splat(angle))
                .into()
        };
        (0..5).map(matrix).collect()
    }

    fn lane(points: &[PointX4], lane: usize) -> Vec<[f32; 3]> {
        points.iter().map(|point| at_lane(point, lane)).collect()
    }

    const POINTS: [[f32; 3]; 3] = [[0.1, -2.0, 0.3], [4.0, 0.5, -0.6], [-0.7, 0.8, 9.0]];

    fn still() -> Vec<PointX4> {
        let mut points = Vec::new();
        still_four(&POINTS, &mut points);
        points
    }

    #[test]
    fn four_times_have_the_bits_of_one() {
        let palettes = [0.0, 0.4, 1.1, 2.3].map(palette);
        let mut four = Vec::new();
        AffineX4::of_palettes([&palettes[0], &palettes[1], &palettes[2], &palettes[3]], &mut four);
        let joints = [[0, 1, 2, 3], [4, 0, 0, 0], [1, 3, 0, 0], [2, 2, 4, 1], [3, 0, 1, 0], [4, 4, 0, 2]];
        let weights = [[0.1, 0.2, 0.3, 0.4], [1.0, 0.0, 0.0, 0.0], [0.6, 0.4, 0.0, 0.0]];
        let weights = [weights, [[0.05; 4], [0.3, 0.3, 0.2, 0.1], [0.25; 4]]].concat();
        for fours in [1, 2] {
            let mut points = still();
            skin_four((&joints[..3 * fours], &weights[..3 * fours], fours), &four, &mut points);
            for (i, palette) in palettes.iter().enumerate() {
                let mut want = POINTS;
                skin((&joints, &weights, fours), palette, &mut want, &mut [], &mut []);
                assert_eq!(lane(&points, i), want);
            }
        }
        let mut points = still();
        place_four(&four[3], &mut points);
        for (i, palette) in palettes.iter().enumerate() {
            let want = POINTS.map(|point| palette[3].transform_point(Vec3::from_array(point)).to_array());
            assert_eq!(lane(&points, i), want);
        }
    }

    #[test]
    fn four_morphs_add_only_in_lanes_with_a_weight() {
        let mut points = still();
        let weights = [0.0, 0.5, -1.0, 2.0];
        let offsets = [[1.0, f32::INFINITY, 0.25], [9.0; 3]];
        morph_four(&mut points, Some(&[2, 7]), &offsets, F32x4::new(weights));
        assert_eq!(lane(&points, 0), POINTS);
        for (i, weight) in weights.into_iter().enumerate().skip(1) {
            let mut want = POINTS;
            want[2] = [0, 1, 2].map(|axis| POINTS[2][axis] + weight * offsets[0][axis]);
            assert_eq!(lane(&points, i), want);
        }
    }

    #[test]
    fn four_squares_are_raised_and_nan_is_infinite() {
        let of = |x: [f32; 4]| [[F32x4::new(x), F32x4::zero(), F32x4::zero()]];
        let mut largest = [F32x4::zero()];
        let zero = of([0.0; 4]);
        raise_squares(&mut largest, &of([1.0, -3.0, 0.0, f32::NAN]), &zero);
        raise_squares(&mut largest, &of([2.0, 1.0, 0.0, 1.0]), &zero);
        assert_eq!(largest[0].to_array(), [4.0, 9.0, 0.0, f32::INFINITY]);
        raise_squares(&mut largest, &of([f32::INFINITY, f32::NAN, 1.0, 0.0]), &zero);
        assert_eq!(largest[0].to_array(), [f32::INFINITY, f32::INFINITY, 1.0, f32::INFINITY]);
    }

    #[test]
    fn four_next_as_far_skips_only_what_is_nearer() {
        let of = |x: f32| [F32x4::new([0.0, 0.0, x, 0.0]), F32x4::zero(), F32x4::zero()];
        let zero = [of(0.0); 4];
        let next = |x: [f32; 4], known: &[f32], from| next_as_far(&x.map(of), &zero, known, from);
        assert_eq!(next([1.0, 1.9, 2.0, 3.0], &[2.0], 0), Some(2));
        assert_eq!(next([1.0, 1.9, 2.0, 3.0], &[2.0], 3), Some(3));
        assert_eq!(next([1.0, 1.9, 1.0, 1.0], &[2.0], 0), None);
        assert_eq!(next([1.0; 4], &[2.0, 2.0, 2.0, 1.0], 0), Some(3));
        assert_eq!(next([1.0, f32::NAN, 1.0, 1.0], &[2.0], 0), Some(1));
        // Squares that vanish or overflow say nothing.
        assert_eq!(next([1e-30; 4], &[0.0], 0), Some(0));
        assert_eq!(next([1e-29; 4], &[1e-30], 1), Some(1));
        assert_eq!(next([0.0; 4], &[0.0], 0), None);
        assert_eq!(next([1e30; 4], &[1e20], 2), Some(2));
    }
}
