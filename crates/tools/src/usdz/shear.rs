//! A matrix with shear as two transforms without: its singular value decomposition.
//!
//! The joints of an animation have translations, rotations and scales only. RealityKit ignores an animation that leaves out joints.

use gambol::model::Transform;
use glam::{DMat3, DMat4, DQuat, DVec3};

/// Sweeps of Jacobi's method; a 3×3 matrix needs three or four.
const SWEEPS: usize = 12;

/// Two transforms whose product is the affine matrix.
pub(super) fn split(matrix: DMat4) -> [Transform; 2] {
    let linear = DMat3::from_mat4(matrix);
    let turned = eigenvectors(linear.transpose() * linear);
    // The images of the axes are perpendicular. The longest ones give the directions of those that are zero.
    let columns = [turned.x_axis, turned.y_axis, turned.z_axis].map(|axis| linear * axis);
    let mut scale = columns.map(DVec3::length);
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| scale[b].total_cmp(&scale[a]));
    let [first, second, third] = order;
    let x = columns[first].try_normalize().unwrap_or(DVec3::X);
    let y = (columns[second] - x * x.dot(columns[second]))
        .try_normalize()
        .unwrap_or_else(|| x.any_orthonormal_vector());
    let mut axes = [DVec3::ZERO; 3];
    (axes[first], axes[second]) = (x, y);
    let is_even = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].contains(&order);
    axes[third] = if is_even { x.cross(y) } else { y.cross(x) };
    if axes[third].dot(columns[third]) < 0.0 {
        scale[third] = -scale[third];
    }
    let rotation = |axes: DMat3| DQuat::from_mat3(&axes).normalize().as_quat();
    let [translation, scale] =
        [matrix.w_axis.truncate(), DVec3::from_array(scale)].map(|vector| vector.as_vec3());
    let outer =
        Transform { translation, rotation: rotation(DMat3::from_cols(axes[0], axes[1], axes[2])), scale };
    [outer, Transform { rotation: rotation(turned.transpose()), ..Transform::IDENTITY }]
}

/// The eigenvectors of a symmetric matrix, as a rotation.
fn eigenvectors(mut matrix: DMat3) -> DMat3 {
    let mut vectors = DMat3::IDENTITY;
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = matrix.col(q)[p];
            if off == 0.0 || !off.is_finite() {
                continue;
            }
            let theta = (matrix.col(q)[q] - matrix.col(p)[p]) / (2.0 * off);
            let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cosine;
            turn.col_mut(q)[q] = cosine;
            turn.col_mut(q)[p] = sine;
            turn.col_mut(p)[q] = -sine;
            matrix = turn.transpose() * matrix * turn;
            vectors *= turn;
        }
    }
    vectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Mat4;

    fn product(matrix: DMat4) -> Mat4 {
        let [outer, inner] = split(matrix);
        assert!(outer.rotation.is_normalized() && inner.rotation.is_normalized());
        assert!(outer.scale.is_finite());
        outer.to_matrix() * inner.to_matrix()
    }

    #[test]
    fn shear_is_the_product_of_two_transforms() {
        let at = |numbers: [f64; 9]| {
            let mut matrix = DMat4::from_mat3(DMat3::from_cols_array(&numbers));
            matrix.w_axis = DVec3::new(1.0, -2.0, 3.0).extend(1.0);
            matrix
        };
        for numbers in [
            [1.0, 0.0, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0, -1.0],
            [0.3, -2.0, 0.1, 5.0, 0.2, 0.0, 1.0, 1.0, 0.01],
            [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 0.0, 1.0, 0.0],
            [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0],
            [0.0; 9],
            [2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0],
        ] {
            let matrix = at(numbers);
            assert!(product(matrix).abs_diff_eq(matrix.as_mat4(), 1e-5), "{numbers:?}: {}", product(matrix));
        }
    }
}
