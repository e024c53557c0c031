//! Matrices and vectors, from left-handed to right-handed: Z changes its sign.
//!
//! DirectX multiplies row vectors by matrices, and stores them by rows. glTF multiplies matrices by column vectors, and
//! stores them by columns. So the order of the numbers is the same.

use glam::{DMat3, DMat4, DQuat, DVec3};

/// A transform whose parts can be animated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transform {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

/// A point; `unit` is metres per unit.
pub(super) fn point([x, y, z]: [f64; 3], unit: f64) -> DVec3 {
    DVec3::new(x, y, -z) * unit
}

/// A rotation key. DirectX stores W first, and the conjugate: the inverse rotation.
pub(super) fn rotation([w, x, y, z]: [f64; 4]) -> DQuat {
    DQuat::from_xyzw(x, y, -z, w)
}

/// A matrix; `unit` is metres per unit.
pub(super) fn matrix(values: [f64; 16], unit: f64) -> DMat4 {
    let mirror = DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0));
    let mut matrix = mirror * DMat4::from_cols_array(&values) * mirror;
    matrix.w_axis *= DVec3::splat(unit).extend(1.0);
    matrix
}

/// The nearest transform, and `true` if it is equal to the matrix: if there is no shear.
pub(super) fn decompose(matrix: DMat4) -> (Transform, bool) {
    let axes = DMat3::from_mat4(matrix);
    let (x, y, z) = (axes.x_axis, axes.y_axis, axes.z_axis);
    let mut scale = DVec3::new(x.length(), y.length(), z.length());
    if axes.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    // Gram-Schmidt, also if axes are zero.
    let right = (x * scale.x.signum())
        .try_normalize()
        .or_else(|| y.cross(z).try_normalize())
        .or_else(|| y.try_normalize().or(z.try_normalize()).map(|axis| axis.any_orthonormal_vector()))
        .unwrap_or(DVec3::X);
    let up = (y - right * right.dot(y))
        .try_normalize()
        .or_else(|| z.cross(right).try_normalize())
        .unwrap_or_else(|| right.any_orthonormal_vector());
    let unit = DMat3::from_cols(right, up, right.cross(up));
    let rotation = DQuat::from_mat3(&unit).normalize();
    let made = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
    let exact = (made - axes).to_cols_array().iter().all(|value| value.abs() <= 1e-5 * scale.length())
        && matrix.row(3).abs_diff_eq(DMat4::IDENTITY.row(3), 1e-5);
    (Transform { translation: matrix.w_axis.truncate(), rotation, scale }, exact)
}

/// The direction of a vector; Y if it has none.
pub(super) fn unit_vector(vector: [f32; 3]) -> [f32; 3] {
    let vector = DVec3::from_array(vector.map(f64::from));
    vector.normalize_or(DVec3::Y).as_vec3().to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decomposed_matrices_are_the_same_again() {
        let turn = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.4).normalize();
        for scale in
            [[1.0, 1.0, 1.0], [2.0, 0.5, 3.0], [-2.0, 0.5, 3.0], [1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]]
                .into_iter()
                .chain([
                    [0.0, 2.0, 3.0],
                    [2.0, 0.0, 3.0],
                    [2.0, 3.0, 0.0],
                    [0.0, 0.0, 3.0],
                    [0.0, 2.0, 0.0],
                    [0.0; 3],
                ])
        {
            let matrix =
                DMat4::from_scale_rotation_translation(scale.into(), turn, DVec3::new(1.0, 2.0, 3.0));
            let (found, exact) = decompose(matrix);
            let again =
                DMat4::from_scale_rotation_translation(found.scale, found.rotation, found.translation);
            assert!(exact && again.abs_diff_eq(matrix, 1e-12), "{scale:?}: {found:?}");
            assert!(found.rotation.is_normalized());
        }
    }

    #[test]
    fn sheared_matrices_are_not_exact() {
        let mut matrix = DMat4::IDENTITY;
        matrix.y_axis.x = 0.1;
        let (found, exact) = decompose(matrix);
        assert!(!exact && found.rotation.is_normalized());
        let mut projection = DMat4::IDENTITY;
        projection.x_axis.w = 0.1;
        assert!(!decompose(projection).1);
    }

    #[test]
    fn mirrored_rotations_agree_with_mirrored_matrices() {
        // A turn by 90 degrees about Y as rows for row vectors: X becomes -Z.
        let (_, cosine) = (90_f64.to_radians() / 2.0).sin_cos();
        let key = [cosine, 0.0, -cosine, 0.0];
        let rows = [0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0, 6.0, 7.0, 1.0];
        let found = matrix(rows, 0.5);
        let from_key = DMat4::from_rotation_translation(rotation(key), DVec3::new(2.5, 3.0, -3.5));
        assert!(found.abs_diff_eq(from_key, 1e-12), "{found} instead of {from_key}");
        assert!(found.transform_vector3(DVec3::X).abs_diff_eq(DVec3::Z, 1e-12));
    }
}
