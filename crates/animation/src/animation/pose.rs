//! Poses: local transforms of all nodes, in groups of four.

use crate::base::{F32x4, Transform};
use crate::model::{NodeId, Path};
use gambol_kernels::{Property, TransformX4};
use glam::{Quat, Vec3};

/// The local transform of every node of a model, and its morph weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// Nodes `4g … 4g+3` in group `g`, one per lane; lanes past the last node are identities.
    pub(crate) groups: Vec<TransformX4>,
    /// The morph weights of all nodes, indexed by `PaletteLayout::weights_of_node`.
    pub weights: Vec<f32>,
    /// The animated properties, indexed by `PropertyLayout::range`. Values may be out of range: code that
    /// reads them must clamp them.
    pub properties: Vec<f32>,
}

impl Pose {
    pub(crate) fn new(transforms: &[Transform], weights: Vec<f32>) -> Self {
        let groups = vec![TransformX4::identity(); transforms.len().div_ceil(4)];
        let mut pose = Self { groups, weights, properties: Vec::new() };
        for (i, transform) in transforms.iter().enumerate() {
            pose.set(NodeId::new(i), *transform);
        }
        pose
    }

    /// The local transform of a node; its rotation is a unit quaternion.
    ///
    /// # Panics
    /// If the node is not of this pose's model.
    pub fn get(&self, node: NodeId) -> Transform {
        let (group, lane) = (&self.groups[node.index() / 4], node.index() % 4);
        let at = |values: F32x4| values.to_array()[lane];
        Transform {
            translation: Vec3::from_array(group.translation.map(at)),
            rotation: unit(group.rotation.map(at)),
            scale: Vec3::from_array(group.scale.map(at)),
        }
    }

    /// Sets the local transform of a node.
    ///
    /// # Panics
    /// If the node is not of this pose's model.
    pub fn set(&mut self, node: NodeId, transform: Transform) {
        self.set_property(node, Property::Translation, &transform.translation.to_array());
        self.set_property(node, Property::Rotation, &transform.rotation.to_array());
        self.set_property(node, Property::Scale, &transform.scale.to_array());
    }

    /// Sets one property of a node.
    pub(super) fn set_property(&mut self, node: NodeId, property: Property, value: &[f32]) {
        let lane = node.index() % 4;
        let group = self.groups[node.index() / 4].lanes_mut(property);
        for (lanes, &component) in F32x4::as_floats_mut(group).chunks_exact_mut(4).zip(value) {
            lanes[lane] = component;
        }
    }

    /// Overwrites this pose with another of the same model.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.groups.copy_from_slice(&other.groups);
        // Most models have neither. An empty copy would still cost a function call.
        if !self.weights.is_empty() {
            self.weights.copy_from_slice(&other.weights);
        }
        if !other.properties.is_empty() {
            // A clip that was added may animate more of them.
            self.properties.clone_from(&other.properties);
        }
    }
}

/// Normalizes a quaternion, X first. Not by glam, whose SIMD code adds in another order. In f64, because
/// there the squares neither underflow nor overflow.
fn unit(q: [f32; 4]) -> Quat {
    let [x, y, z, w] = q.map(f64::from);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if length > 0.0 && length.is_finite() {
        Quat::from_array([x, y, z, w].map(|value| (value / length) as f32))
    } else {
        Quat::IDENTITY
    }
}

/// The kernels' property for a path; `None` for morph weights, which are stored apart.
pub(crate) fn property(path: Path) -> Option<Property> {
    match path {
        Path::Rotation => Some(Property::Rotation),
        Path::Translation => Some(Property::Translation),
        Path::Scale => Some(Property::Scale),
        Path::Weights => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Affine;
    use glam::Mat4;

    fn transforms() -> Vec<Transform> {
        (0..6)
            .map(|i| {
                let f = i as f32;
                Transform {
                    translation: Vec3::new(f, -f, 0.5 * f),
                    rotation: Quat::from_euler(glam::EulerRot::XYZ, 0.4 * f, -1.1 * f, 2.0 * f),
                    scale: Vec3::new(1.0 + f, 0.5, if i == 3 { -1.0 } else { 2.0 }),
                }
            })
            .collect()
    }

    #[test]
    fn pose_zero_quaternion_is_the_identity() {
        let zero = Transform { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Transform::IDENTITY };
        let tiny = Transform { rotation: Quat::from_xyzw(1e-30, 0.0, 0.0, 0.0), ..Transform::IDENTITY };
        let pose = Pose::new(&[zero, tiny], Vec::new());
        let mut matrices = [Affine::identity(); 4];
        pose.groups[0].write_matrices(&mut matrices);
        assert!(matrices.iter().flat_map(Affine::rows).all(|row| row.is_finite()));
        assert_eq!(Mat4::from(matrices[0]), Mat4::IDENTITY);
        assert_eq!(pose.get(NodeId::new(0)).rotation, Quat::IDENTITY);
    }

    #[test]
    fn pose_returns_the_transforms_that_were_set() {
        let transforms = transforms();
        let pose = Pose::new(&transforms, Vec::new());
        for (i, transform) in transforms.iter().enumerate() {
            let got = pose.get(NodeId::new(i));
            assert_eq!((got.translation, got.scale), (transform.translation, transform.scale));
            assert!(got.rotation.abs_diff_eq(transform.rotation, 1e-6));
        }
    }

    #[test]
    fn pose_matrices_agree_with_glam_for_quaternions_of_any_length() {
        let transforms = transforms();
        let mut pose = Pose::new(&transforms, Vec::new());
        for (i, transform) in transforms.iter().enumerate() {
            let stretched = Transform { rotation: transform.rotation * 0.8, ..*transform };
            pose.set(NodeId::new(i), stretched);
        }
        for (i, transform) in transforms.iter().enumerate() {
            let mut matrices = [Affine::identity(); 4];
            pose.groups[i / 4].write_matrices(&mut matrices);
            let got = Mat4::from(matrices[i % 4]);
            assert!(got.abs_diff_eq(transform.to_matrix(), 1e-5), "{got} {}", transform.to_matrix());
        }
    }
}
