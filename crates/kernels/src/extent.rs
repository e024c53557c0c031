//! The extent of points in many directions.

use glam::Vec3;

/// Raises the largest dot product of each direction to that of a point, which must be finite.
///
/// - `reach`: the largest dot product of each direction.
/// - `directions`: the coordinates X, Y and Z of the directions, as many as of `reach`.
pub fn widen(reach: &mut [f32], [x, y, z]: [&[f32]; 3], point: Vec3) {
    for (((reach, x), y), z) in reach.iter_mut().zip(x).zip(y).zip(z) {
        let far = x * point.x + y * point.y + z * point.z;
        // `f32::max` is a function call in WebAssembly.
        *reach = if far > *reach { far } else { *reach };
    }
}

#[cfg(test)]
mod tests {
    use super::widen;
    use glam::Vec3;

    #[test]
    fn extent_is_the_largest_dot_product_of_each_direction() {
        let [x, y, z] = [[1.0, -1.0, 0.5, 0.0, 2.0], [0.0, 0.0, 0.5, -3.0, 1.0], [0.0, 0.0, 1.0, 1.0, 0.0]];
        let points = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-4.0, 0.25, 0.5), Vec3::new(2.0, -1.0, 0.0)];
        let mut reach = [f32::NEG_INFINITY; 5];
        points.iter().for_each(|&point| widen(&mut reach, [&x, &y, &z], point));
        assert_eq!(reach, [2.0, 4.0, 4.5, 3.0, 4.0]);
    }
}
