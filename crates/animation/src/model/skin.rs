//! Skins.

use super::ids::NodeId;
use glam::Mat4;

/// Joints and their inverse bind matrices. Spec: glTF 2.0 §3.7.3.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The joints, indexed by the vertices' joint indices.
    pub joints: Vec<NodeId>,
    /// `joint_from_mesh` at bind time, one per joint; identities if the file has none.
    pub inverse_bind: Vec<Mat4>,
}
