//! Dual quaternions compared with their definition in f64, and their purpose.

use crate::common::random::Random;
use gambol::animation::{Affine, Deformed, F32x4, deform, deform_position, rotations};
use gambol::model::{Drawable, Influences, MeshId, MorphTarget, NodeId, Primitive};
use glam::{DMat3, DQuat, DVec3, Mat4, Quat, Vec3};
use std::f32::consts::PI;

impl Random {
    /// A joint's matrix: its pose times an inverse bind matrix. Its stretch is up to 3 : 1 along any axes.
    fn joint(&mut self, mirrored: bool, reach: f32) -> Mat4 {
        let scale = self.vector().map(|x| (0.55 * x).exp())
            * if mirrored { Vec3::new(-1.0, 1.0, 1.0) } else { Vec3::ONE };
        let at = Mat4::from_scale_rotation_translation(scale, self.euler(reach), 3.0 * self.vector());
        at * Mat4::from_rotation_translation(self.euler(3.0), self.vector())
    }
}

fn drawable(slots: u32) -> Drawable {
    Drawable { node: NodeId::new(0), mesh: MeshId::new(0), slots: 0..slots, skinned: true, weights: 0..0 }
}

/// One vertex.
fn point(position: Vec3, joints: &[u16], weights: &[f32]) -> Primitive {
    Primitive {
        positions: vec![position.to_array()],
        normals: vec![Vec3::new(0.6, 0.0, 0.8).to_array()],
        tangents: vec![[0.8, 0.0, -0.6, 1.0]],
        influences: Some(Influences {
            per_vertex: joints.len(),
            joints: joints.to_vec(),
            weights: weights.to_vec(),
        }),
        ..Primitive::default()
    }
}

fn palette(matrices: &[Mat4]) -> (Vec<Affine>, Vec<F32x4>) {
    let palette: Vec<_> = matrices.iter().map(|&matrix| Affine::from(matrix)).collect();
    let mut turned = Vec::new();
    rotations(&palette, &mut turned);
    (palette, turned)
}

/// Deforms the first vertex; returns position, normal, tangent.
fn deformed(primitive: &Primitive, matrices: &[Mat4], dual: bool) -> [Vec3; 3] {
    let (palette, mut turned) = palette(matrices);
    if !dual {
        turned.clear();
    }
    let (mut out, place) = (Deformed::default(), drawable(matrices.len() as u32));
    deform(primitive, &place, &palette, &turned, &[], &mut out);
    let alone = deform_position(primitive, 0, &place, &palette, &turned, &[]);
    assert_eq!(alone.to_array(), out.positions[0], "one vertex goes where all go");
    let [x, y, z, _] = out.tangents[0];
    [out.positions[0].into(), out.normals[0].into(), Vec3::new(x, y, z)]
}

/// The rotation nearest to a matrix, or to its negative if it mirrors: Newton's iteration for the polar decomposition.
fn polar(matrix: DMat3) -> DQuat {
    let mut turned = matrix * matrix.determinant().signum();
    for _ in 0..60 {
        turned = (turned + turned.inverse().transpose()) * 0.5;
    }
    DQuat::from_mat3(&turned).normalize()
}

fn linear_part(matrix: &Mat4) -> DMat3 {
    DMat3::from_mat4(matrix.as_dmat4())
}

/// A dual quaternion by its definition: a real and a dual part.
#[derive(Clone, Copy)]
struct Dual {
    real: DQuat,
    dual: DQuat,
}

impl Dual {
    fn motion(turned: DQuat, moved: DVec3) -> Self {
        Self { real: turned, dual: DQuat::from_xyzw(moved.x, moved.y, moved.z, 0.0) * turned * 0.5 }
    }

    fn times(self, other: Self) -> Self {
        Self { real: self.real * other.real, dual: self.real * other.dual + self.dual * other.real }
    }

    /// Normalises to length 1, with the dual part orthogonal to the real part.
    fn unit(self) -> Self {
        let length = self.real.length();
        let (real, dual) = (self.real * (1.0 / length), self.dual * (1.0 / length));
        Self { real, dual: dual + real * -real.dot(dual) }
    }

    /// The sandwich product with 1 + εp.
    fn apply(self, point: DVec3) -> DVec3 {
        let p = Self { real: DQuat::IDENTITY, dual: DQuat::from_xyzw(point.x, point.y, point.z, 0.0) };
        let back = Self { real: self.real.conjugate(), dual: self.dual.conjugate() * -1.0 };
        self.times(p).times(back).dual.xyz()
    }
}

/// The vertex by definition; `None` if two rotations are so far apart that rounding determines the shorter way.
fn expected(primitive: &Primitive, matrices: &[Mat4]) -> Option<[Vec3; 3]> {
    let influences = primitive.influences.as_ref()?;
    let point = Vec3::from(primitive.positions[0]).as_dvec3();
    let list: Vec<_> = influences
        .joints
        .iter()
        .zip(&influences.weights)
        .filter(|(_, weight)| **weight > 0.0)
        .map(|(&joint, &weight)| {
            let matrix = &matrices[usize::from(joint)];
            (
                f64::from(weight),
                polar(linear_part(matrix)),
                matrix.as_dmat4().transform_point3(point),
                linear_part(matrix),
            )
        })
        .collect();
    let (_, first, ..) = *list.iter().reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (mut sum, mut stretch) = (Dual { real: zero, dual: zero }, DMat3::ZERO);
    for &(weight, turned, place, matrix) in &list {
        let side = turned.dot(first);
        if side.abs() < 1e-3 {
            return None;
        }
        // A rotation about the vertex, followed by the translation to its new position.
        let motion = Dual::motion(turned, place - turned * point);
        let weighted = weight * side.signum();
        sum.real += motion.real * weighted;
        sum.dual += motion.dual * weighted;
        stretch += DMat3::from_quat(turned).transpose() * matrix * weight;
    }
    let motion = sum.unit();
    let matrix = DMat3::from_quat(motion.real) * stretch;
    let normal = matrix.inverse().transpose() * Vec3::from(primitive.normals[0]).as_dvec3();
    let [x, y, z, _] = primitive.tangents[0].map(f64::from);
    let tangent = matrix * DVec3::new(x, y, z);
    let all = [motion.apply(point), normal.normalize(), tangent.normalize()];
    Some(all.map(|vector| vector.as_vec3()))
}

#[test]
fn dual_quaternions_blend_any_number_of_influences() {
    let mut random = Random(3);
    let mut compared = 0;
    for round in 0..3000 {
        let count = [2, 3, 4, 8, 13, 24][round % 6];
        // Includes mirrored skeletons, and joints that are bent by half a turn and more.
        let (mirrored, reach) = (round % 4 == 3, [0.4, 1.2, 3.2][round % 3]);
        let matrices: Vec<_> = (0..count).map(|_| random.joint(mirrored, reach)).collect();
        let mut weights: Vec<f32> = (0..count).map(|_| random.signed().max(0.0)).collect();
        weights[random.below(count)] += 0.5;
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        let joints: Vec<_> = (0..count as u16).rev().collect();
        let primitive = point(2.0 * random.vector(), &joints, &weights);
        let Some(want) = expected(&primitive, &matrices) else { continue };
        // If motions cancel each other out, rounding errors are amplified; such poses do not occur in practice.
        let (palette, turned) = palette(&matrices);
        assert_eq!(palette.len(), turned.len());
        let got = deformed(&primitive, &matrices, true);
        for (i, (got, want)) in got.into_iter().zip(want).enumerate() {
            assert!(got.abs_diff_eq(want, 2e-4), "round {round}, {i}: {got} is not {want}");
        }
        compared += 1;
    }
    assert!(compared > 2500, "{compared}");
}

#[test]
fn dual_quaternion_rotations_agree_with_the_polar_decomposition() {
    let mut random = Random(5);
    for round in 0..2000 {
        let matrix = random.joint(round % 2 == 1, 3.2);
        let want = polar(linear_part(&matrix));
        let [x, y, z, w] = palette(&[matrix]).1[0].to_array().map(f64::from);
        let got = DQuat::from_xyzw(x, y, z, w);
        let off = (got * got.dot(want).signum() - want).length();
        assert!(off < 2e-6, "{round}: {got} {want} {off}");
    }
}

#[test]
fn dual_quaternions_are_finite_for_singular_matrices() {
    let flat = |x: f32, y: f32, z: f32| {
        Mat4::from_quat(Quat::from_rotation_x(2.0)) * Mat4::from_scale(Vec3::new(x, y, z))
    };
    let tiny = Mat4::from_quat(Quat::from_rotation_x(2.0)) * Mat4::from_scale(Vec3::splat(1e-30));
    let all = [
        Mat4::ZERO,
        flat(1.0, 1.0, 0.0),
        flat(0.0, 3.0, 0.0),
        flat(1.0, -1.0, 0.0),
        flat(1e-20, 1.0, 1e20),
        flat(1e4, 1.0, 1.0),
        tiny,
        Mat4::from_scale(Vec3::splat(1e30)),
        Mat4::from_scale(Vec3::splat(-1.0)),
    ];
    let (_, turned) = palette(&all);
    for (matrix, turned) in all.iter().zip(turned) {
        let length: f32 = turned.to_array().iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-5, "{matrix}: {turned:?}");
        let primitive = point(Vec3::new(1.0, 2.0, 3.0), &[0, 1, 1, 1], &[1.0, 0.0, 0.0, 0.0]);
        let [position, ..] = deformed(&primitive, &[*matrix, Mat4::from_scale(Vec3::NAN)], true);
        let want = matrix.transform_point3(Vec3::new(1.0, 2.0, 3.0));
        assert!((position - want).length() <= 3e-6 * want.length(), "{position} {want}");
    }
    let [x, y, z, w] = palette(&[tiny]).1[0].to_array();
    assert!(Quat::from_xyzw(x, y, z, w).dot(Quat::from_rotation_x(2.0)).abs() > 0.999_99);
    let (_, none) = palette(&[Mat4::from_scale(Vec3::NAN), Mat4::from_scale(Vec3::INFINITY)]);
    assert!(none.iter().all(|turned| turned.to_array() == [0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn dual_quaternions_of_one_influence_equal_its_matrix() {
    let mut random = Random(9);
    for round in 0..2000 {
        let mut matrix = random.joint(round % 2 == 1, 3.2);
        if round % 3 == 0 {
            // A rotated stretch below another one causes shear.
            matrix = random.joint(false, 3.2) * matrix * random.joint(round % 5 == 0, 3.2);
        }
        let primitive = point(5.0 * random.vector(), &[0, 1, 1, 1], &[1.0, 0.0, 0.0, 0.0]);
        let all = [matrix, random.joint(false, 3.2)];
        let (got, want) = (deformed(&primitive, &all, true), deformed(&primitive, &all, false));
        let size = want[0].length() + matrix.to_scale_rotation_translation().0.abs().max_element() * 9.0;
        assert!(got[0].abs_diff_eq(want[0], 2e-6 * size), "{round}: {} {}", got[0], want[0]);
        assert!(got[1].abs_diff_eq(want[1], 1e-4), "{round}: {} {}", got[1], want[1]);
        assert!(got[2].abs_diff_eq(want[2], 1e-4), "{round}: {} {}", got[2], want[2]);
    }
}

#[test]
fn dual_quaternions_without_rotation_equal_linear_blending() {
    let mut random = Random(13);
    for _ in 0..500 {
        let turned = Mat4::from_quat(random.euler(3.2));
        let bind = Mat4::from_quat(random.euler(3.2));
        // The stretches are along the same axes, with any centres; mirrored joints stay mirrored.
        let matrices: Vec<_> = (0..4)
            .map(|_| {
                let scale = random.vector().map(|x| (0.5 * x).exp());
                let about = Mat4::from_translation(random.vector()) * Mat4::from_scale(scale);
                Mat4::from_translation(random.vector()) * turned * bind.inverse() * about * bind
            })
            .collect();
        let primitive = point(random.vector(), &[0, 1, 2, 3], &[0.1, 0.4, 0.2, 0.3]);
        let (got, want) = (deformed(&primitive, &matrices, true), deformed(&primitive, &matrices, false));
        for (got, want) in got.into_iter().zip(want) {
            assert!(got.abs_diff_eq(want, 2e-5), "{got} {want}");
        }
    }
}

#[test]
fn dual_quaternions_keep_the_radius_of_a_twist() {
    // Two joints along Y, of which the second is twisted by half a turn: the candy-wrapper artefact of linear blending.
    for degrees in [90.0_f32, 150.0, 179.0, 180.0, -180.0, 181.0] {
        let twisted = [Mat4::IDENTITY, Mat4::from_rotation_y(degrees.to_radians())];
        for i in 0..16 {
            let angle = i as f32 * PI / 8.0;
            let primitive =
                point(Vec3::new(angle.cos(), 1.0, angle.sin()), &[0, 1, 0, 0], &[0.5, 0.5, 0.0, 0.0]);
            let radius = |dual| {
                let [position, normal, _] = deformed(&primitive, &twisted, dual);
                assert!((position.y - 1.0).abs() < 1e-6);
                assert!(!dual || (normal.length() - 1.0).abs() < 1e-6);
                (position.x * position.x + position.z * position.z).sqrt()
            };
            let chord = (degrees.to_radians() / 2.0).cos().abs();
            assert!((radius(false) - chord).abs() < 1e-6, "{}", radius(false));
            assert!((radius(true) - 1.0).abs() < 1e-6, "{}", radius(true));
        }
    }
}

#[test]
fn dual_quaternions_keep_stretched_and_bent_joints_together() {
    // An elbow far from the origin: both joints agree at its position.
    let elbow = Vec3::new(1.5, 0.3, -0.7);
    let about = |matrix: Mat4| Mat4::from_translation(elbow) * matrix * Mat4::from_translation(-elbow);
    let bent = Mat4::from_rotation_z(PI / 2.0) * Mat4::from_scale(Vec3::new(2.0, 1.0, 0.5));
    let matrices = [Mat4::IDENTITY, about(bent)];
    let at = |position: Vec3| deformed(&point(position, &[0, 1], &[0.5, 0.5]), &matrices, true)[0];
    assert!(at(elbow).abs_diff_eq(elbow, 1e-6), "{}", at(elbow));
    // Next to it, on the outside of the bend, the distance is preserved, since the stretch is not across the bone.
    let outside = at(elbow - 0.1 * Vec3::Y) - elbow;
    assert!((outside.length() - 0.1).abs() < 1e-6, "{outside}");
}

#[test]
fn dual_quaternions_do_not_depend_on_placement_or_mirroring() {
    let mut random = Random(17);
    for _ in 0..300 {
        let matrices: Vec<_> = (0..4).map(|_| random.joint(false, 1.0)).collect();
        let primitive = point(random.vector(), &[0, 1, 2, 3], &[0.4, 0.3, 0.2, 0.1]);
        let mirror = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
        let place = Mat4::from_rotation_translation(random.euler(3.2), 5.0 * random.vector()) * mirror;
        let [position, normal, tangent] = deformed(&primitive, &matrices, true);
        let moved: Vec<_> = matrices.iter().map(|&matrix| place * matrix).collect();
        let got = deformed(&primitive, &moved, true);
        let want = [
            place.transform_point3(position),
            place.transform_vector3(normal),
            place.transform_vector3(tangent),
        ];
        for (got, want) in got.into_iter().zip(want) {
            assert!(got.abs_diff_eq(want, 2e-5), "{got} {want}");
        }
    }
}

#[test]
fn dual_quaternion_skinning_morphs_first() {
    let mut primitive = point(Vec3::X, &[0, 1], &[0.5, 0.5]);
    primitive.targets =
        vec![MorphTarget { positions: vec![[1.0, 0.0, 0.0]].into(), ..MorphTarget::default() }];
    let (palette, turned) = palette(&[Mat4::IDENTITY, Mat4::from_rotation_y(2.0)]);
    let place = Drawable { weights: 0..1, ..drawable(2) };
    let position = deform_position(&primitive, 0, &place, &palette, &turned, &[0.5]);
    assert!(position.abs_diff_eq(1.5 * Vec3::new(1.0_f32.cos(), 0.0, -1.0_f32.sin()), 1e-6), "{position}");
}
