//! Translation, rotation and scale.

use glam::{Mat4, Quat, Vec3};

/// A local transform `parent_from_node = T · R · S`. Spec: glTF 2.0 §3.5.3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// The translation, in the parent's units.
    pub translation: Vec3,
    /// The rotation, a unit quaternion.
    pub rotation: Quat,
    /// The scale along the node's own axes; may be negative or zero.
    pub scale: Vec3,
}

impl Transform {
    /// No translation, no rotation, scale 1.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The matrix of the transform.
    pub fn to_matrix(self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}
