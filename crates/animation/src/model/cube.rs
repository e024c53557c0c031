//! The faces of cube maps, in GL's order, from positive X. Spec: OpenGL ES 3.0, table 3.16.

use glam::Vec3A;

/// The coordinate of a texel's centre along a face, −1 … 1 between the edges.
pub fn along(texel: f32, size: usize) -> f32 {
    (texel + 0.5) * 2.0 / size as f32 - 1.0
}

/// The direction of a point of a face; its length is not 1.
pub fn direction(face: usize, u: f32, v: f32) -> Vec3A {
    match face {
        0 => Vec3A::new(1.0, -v, -u),
        1 => Vec3A::new(-1.0, -v, u),
        2 => Vec3A::new(u, 1.0, v),
        3 => Vec3A::new(u, -1.0, -v),
        4 => Vec3A::new(u, -v, 1.0),
        _ => Vec3A::new(-u, -v, -1.0),
    }
}

/// The face that a direction meets, and the point on it.
#[inline(always)]
pub fn place(direction: Vec3A) -> (usize, f32, f32) {
    let [x, y, z] = direction.to_array();
    let (side, up, front) = (x.abs(), y.abs(), z.abs());
    // The longest component selects the face; the others are the coordinates on it.
    let (face, depth, u, v) = if side >= up && side >= front {
        (usize::from(x < 0.0), side, if x < 0.0 { z } else { -z }, -y)
    } else if up >= front {
        (2 + usize::from(y < 0.0), up, x, if y < 0.0 { -z } else { z })
    } else {
        (4 + usize::from(z < 0.0), front, if z < 0.0 { -x } else { x }, -y)
    };
    let scale = 1.0 / depth;
    (face, u * scale, v * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_map_directions_map_back_to_their_texels() {
        for face in 0..6 {
            for (u, v) in [(0.3, -0.7), (-0.9, 0.2), (0.0, 0.0)] {
                let (there, x, y) = place(2.5 * direction(face, u, v));
                assert_eq!(there, face);
                assert!((x - u).abs() < 1e-6 && (y - v).abs() < 1e-6, "{face} {u} {v}: {x} {y}");
            }
        }
    }
}
