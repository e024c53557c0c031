//! Decomposes a matrix into translation, rotation and scale, with the same bits on every machine.
//!
//! glam's SIMD code adds in another order, so this is written in plain arithmetic. It uses f64, in which the
//! squares of all f32 neither overflow nor underflow.

use super::transform::Transform;
use glam::{Mat4, Quat, Vec3};

type V = [f64; 3];

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn times(a: V, factor: f64) -> V {
    a.map(|value| value * factor)
}

fn length(a: V) -> f64 {
    dot(a, a).sqrt()
}

/// The unit vector of a vector that is longer than the rounding errors of `scale`.
fn direction(a: V, scale: f64) -> Option<V> {
    let length = length(a);
    (length > 1e-7 * scale && length > 0.0).then(|| a.map(|value| value / length))
}

/// The transform nearest to a finite affine matrix; exact if there is no shear. A mirrored matrix has a
/// negative X scale; a singular matrix has zeros in its scale.
pub fn decompose(matrix: Mat4) -> Transform {
    let m = matrix.to_cols_array();
    let axes = [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]].map(|axis| axis.map(f64::from));
    let mut scale = axes.map(length);
    if dot(axes[0], cross(axes[1], axes[2])) < 0.0 {
        scale[0] = -scale[0];
    }
    // Gram-Schmidt makes the axes orthonormal if there is shear, and replaces axes that are zero.
    let mut unit = [[0.0; 3]; 3];
    for i in 0..3 {
        let size = scale[i].abs();
        let mut axis = if scale[i] < 0.0 { times(axes[i], -1.0) } else { axes[i] };
        for done in &unit[..i] {
            let along = dot(axis, *done);
            axis = std::array::from_fn(|c| axis[c] - done[c] * along);
        }
        unit[i] = match direction(axis, size) {
            Some(axis) => axis,
            None if i == 2 => cross(unit[0], unit[1]),
            None if i == 1 => across(unit[0], times(axes[2], -1.0)),
            None => match (direction(axes[1], 0.0), direction(axes[2], 0.0)) {
                (Some(y), _) => across(y, axes[2]),
                (None, Some(z)) => any_across(z),
                (None, None) => [1.0, 0.0, 0.0],
            },
        };
    }
    if dot(cross(unit[0], unit[1]), unit[2]) < 0.0 {
        unit[2] = times(unit[2], -1.0);
    }
    let translation = Vec3::new(m[12], m[13], m[14]);
    let scale = Vec3::from_array(scale.map(|value| value as f32));
    // Three finite numbers can be a vector of infinite length.
    if !scale.is_finite() {
        return Transform { translation, ..Transform::IDENTITY };
    }
    Transform { translation, rotation: rotation(unit), scale }
}

/// A unit vector perpendicular to the unit vector `axis` and, if that leaves a choice, to `other`.
fn across(axis: V, other: V) -> V {
    direction(cross(axis, other), length(other)).unwrap_or_else(|| any_across(axis))
}

/// A unit vector perpendicular to a unit vector.
fn any_across(axis: V) -> V {
    // X, unless it is too close to `axis`.
    let other = if axis[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    direction(cross(axis, other), 0.0).unwrap_or([0.0, 0.0, 1.0])
}

/// The unit quaternion of three orthonormal axes, computed from its largest component.
fn rotation([x, y, z]: [V; 3]) -> Quat {
    let diagonal = [x[0] - y[1] - z[2], y[1] - x[0] - z[2], z[2] - x[0] - y[1], x[0] + y[1] + z[2]];
    let (yz, zx, xy) = (y[2] - z[1], z[0] - x[2], x[1] - y[0]);
    let (sum_yz, sum_zx, sum_xy) = (y[2] + z[1], z[0] + x[2], x[1] + y[0]);
    let mut greatest = 3;
    for (i, value) in diagonal.iter().enumerate().take(3) {
        if *value > diagonal[greatest] {
            greatest = i;
        }
    }
    // Four times the products of the largest component with all components.
    let square = 1.0 + diagonal[greatest];
    let products = match greatest {
        0 => [square, sum_xy, sum_zx, yz],
        1 => [sum_xy, square, sum_yz, zx],
        2 => [sum_zx, sum_yz, square, xy],
        _ => [yz, zx, xy, square],
    };
    let length = products.iter().map(|value| value * value).sum::<f64>().sqrt();
    Quat::from_array(products.map(|value| (value / length) as f32))
}

/// The matrix of a transform, column-major.
pub fn compose(transform: &Transform) -> [f64; 16] {
    let [x, y, z, w] = transform.rotation.to_array().map(f64::from);
    let [sx, sy, sz] = transform.scale.to_array().map(f64::from);
    let [tx, ty, tz] = transform.translation.to_array().map(f64::from);
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let (xy, xz, yz) = (x * y, x * z, y * z);
    let (wx, wy, wz) = (w * x, w * y, w * z);
    [
        (1.0 - 2.0 * (yy + zz)) * sx,
        2.0 * (xy + wz) * sx,
        2.0 * (xz - wy) * sx,
        0.0,
        2.0 * (xy - wz) * sy,
        (1.0 - 2.0 * (xx + zz)) * sy,
        2.0 * (yz + wx) * sy,
        0.0,
        2.0 * (xz + wy) * sz,
        2.0 * (yz - wx) * sz,
        (1.0 - 2.0 * (xx + yy)) * sz,
        0.0,
        tx,
        ty,
        tz,
        1.0,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec4;

    fn exact(matrix: Mat4) -> bool {
        let transform = decompose(matrix);
        assert!(transform.translation.is_finite() && transform.rotation.is_normalized());
        assert!(transform.scale.is_finite());
        transform.to_matrix().abs_diff_eq(matrix, 1e-5 * matrix.x_axis.length().max(1.0))
    }

    #[test]
    fn decompose_keeps_singular_matrices_finite() {
        assert!(exact(Mat4::from_scale(Vec3::ZERO)));
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let turned = Mat4::from_rotation_y(0.7) * Mat4::from_rotation_x(0.4);
            assert!(exact(turned * Mat4::from_scale(axis)));
            assert!(exact(turned * Mat4::from_scale(Vec3::splat(2.0) - 2.0 * axis)));
        }
        let flat = Mat4::from_cols(Vec4::X, Vec4::X, Vec4::X, Vec4::W);
        assert!(!exact(flat));
        assert!(exact(Mat4::from_scale(Vec3::splat(f32::MAX))));
        assert!(exact(Mat4::from_scale(Vec3::splat(1e-30))));
    }

    #[test]
    fn decompose_is_exact_for_mirrored_and_rotated_matrices() {
        for scale in [Vec3::new(-1.0, 2.0, 3.0), Vec3::new(1.0, -2.0, 3.0), Vec3::splat(-1.0), Vec3::ONE] {
            for angle in [0.0, 1.0, 3.0, 6.0] {
                let rotation = Quat::from_euler(glam::EulerRot::XYZ, angle, angle * 2.0, 0.5);
                assert!(exact(Mat4::from_scale_rotation_translation(scale, rotation, Vec3::splat(4.0))));
            }
        }
    }

    #[test]
    fn decompose_is_not_exact_for_shear() {
        let shear = Mat4::from_cols(Vec4::X, Vec4::new(0.5, 1.0, 0.0, 0.0), Vec4::Z, Vec4::W);
        assert!(!exact(shear));
    }
}
