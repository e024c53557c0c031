//! Skeletons: the joints of a skin with all nodes above them, or the nodes of meshes that move without a skin.
//!
//! UsdSkel stores the scales of joints as half floats, and 0.01, the scale of a character in centimetres, is none. So the space of
//! each joint is that of its node times a factor, with which the scale of the joint begins at 1. The bind transform has the factor.

use super::motion::Motion;
use super::names::Names;
use super::text::{Layer, PathTo};
use gambol::animation::{Affine, Pose};
use gambol::model::NodeId;
use glam::{DMat4, DVec3, Mat4};
use std::collections::HashMap;

/// The longest paths of all joints together, in bytes: each joint of a chain has the names of all joints above it.
const MOST_PATHS: usize = 1 << 24;

/// A skeleton.
pub(super) struct Skeleton {
    /// Parents before their children.
    joints: Vec<Joint>,
    of_node: HashMap<NodeId, usize>,
    /// The names and the indices in a pose of the weights of blend shapes.
    pub(super) weights: Vec<(String, usize)>,
}

struct Joint {
    node: NodeId,
    parent: Option<usize>,
    path: String,
    /// `node_from_joint`: a uniform scale.
    scale: f64,
    /// `skeleton_from_joint` when the vertices are where the mesh has them.
    bind: DMat4,
}

impl Skeleton {
    /// The skeleton of some nodes; `None` if its paths are too long.
    pub(super) fn new(motion: &Motion<'_>, used: impl IntoIterator<Item = NodeId>) -> Option<Self> {
        let nodes = &motion.model.nodes;
        let mut is_joint = vec![false; nodes.len()];
        for node in used {
            let mut next = Some(node);
            while let Some(node) = next.filter(|node| !is_joint[node.index()]) {
                is_joint[node.index()] = true;
                next = nodes[node.index()].parent;
            }
        }
        let rest = motion.matrices(motion.rig.rest_pose()).0;
        let (mut joints, mut of_node): (Vec<Joint>, HashMap<NodeId, usize>) = Default::default();
        let mut names: HashMap<Option<usize>, Names> = HashMap::new();
        let mut length = 0;
        for node in (0..nodes.len()).filter(|&i| is_joint[i]).map(NodeId::new) {
            let described = &nodes[node.index()];
            let parent = described.parent.and_then(|parent| of_node.get(&parent).copied());
            let name = names.entry(parent).or_default().unique(&described.name, "joint");
            let path =
                parent.map_or_else(|| name.clone(), |parent| format!("{}/{name}", joints[parent].path));
            length += path.len();
            if length > MOST_PATHS {
                return None;
            }
            let above = parent.map_or(1.0, |parent| joints[parent].scale);
            let scale = above / usual_scale(motion, node);
            let bind = invertible(&rest[node.index()]).unwrap_or(DMat4::IDENTITY) * scaling(scale);
            of_node.insert(node, joints.len());
            joints.push(Joint { node, parent, path, scale, bind });
        }
        Some(Self { joints, of_node, weights: Vec::new() })
    }

    /// The index of the joint of a node.
    pub(super) fn joint(&self, node: NodeId) -> usize {
        self.of_node.get(&node).copied().unwrap_or(0)
    }

    /// Sets the place of a node when the vertices are where the mesh has them.
    pub(super) fn bind(&mut self, node: NodeId, world_from_node: DMat4) {
        let at = self.joint(node);
        if let Some(joint) = self.joints.get_mut(at) {
            joint.bind = world_from_node * scaling(joint.scale);
        }
    }

    /// Writes the prims `Skeleton` and `Animation` into the prim `root`.
    pub(super) fn write(&self, layer: &mut Layer, motion: &Motion<'_>, root: &str) {
        layer.open("def Skeleton", "Skeleton", &["prepend apiSchemas = [\"SkelBindingAPI\"]".to_owned()]);
        let paths = |keep: &dyn Fn(&Joint) -> bool| -> Vec<String> {
            self.joints.iter().filter(|joint| keep(joint)).map(|joint| joint.path.clone()).collect()
        };
        layer.set("uniform token[] joints", &paths(&|_| true));
        let binds: Vec<_> = self.joints.iter().map(|joint| rows(joint.bind)).collect();
        layer.set("uniform matrix4d[] bindTransforms", &binds);
        let rests: Vec<_> = self.joints.iter().map(|joint| rows(self.rest(motion, joint))).collect();
        layer.set("uniform matrix4d[] restTransforms", &rests);
        layer.set("rel skel:animationSource", &PathTo(format!("{root}/Skeleton/Animation")));

        layer.open("def SkelAnimation", "Animation", &[]);
        // The matrix of a joint with shear is its rest transform, as an animation has no shear.
        let moves = |joint: &Joint| !motion.rig.is_fixed(joint.node);
        layer.set("uniform token[] joints", &paths(&moves));
        let moving: Vec<&Joint> = self.joints.iter().filter(|joint| moves(joint)).collect();
        let locals: Vec<Vec<Local>> = motion
            .poses
            .iter()
            .map(|pose| moving.iter().map(|joint| self.local(pose, joint)).collect())
            .collect();
        let all = |of: fn(&Local) -> [f32; 3]| -> Vec<Vec<[f32; 3]>> {
            locals.iter().map(|pose| pose.iter().map(of).collect()).collect()
        };
        layer.animate("float3[] translations", &motion.times, &all(|local| local.translation));
        layer.animate("quatf[] rotations", &motion.times, &continuous(&locals));
        layer.animate("half3[] scales", &motion.times, &all(|local| local.scale));
        if !self.weights.is_empty() {
            let names: Vec<String> = self.weights.iter().map(|(name, _)| name.clone()).collect();
            layer.set("uniform token[] blendShapes", &names);
            let of_pose =
                |pose: &Pose| -> Vec<f32> { self.weights.iter().map(|&(_, at)| pose.weights[at]).collect() };
            let weights: Vec<_> = motion.poses.iter().map(of_pose).collect();
            layer.animate("float[] blendShapeWeights", &motion.times, &weights);
        }
        layer.close();
        layer.close();
    }

    fn scale_above(&self, joint: &Joint) -> f64 {
        joint.parent.map_or(1.0, |parent| self.joints[parent].scale)
    }

    /// The local matrix of a joint without animation.
    fn rest(&self, motion: &Motion<'_>, joint: &Joint) -> DMat4 {
        let node = &motion.model.nodes[joint.node.index()];
        let fixed = node.rest_matrix.filter(|_| motion.rig.is_fixed(joint.node));
        let local = fixed.map_or_else(
            || {
                let local = motion.rig.rest_pose().get(joint.node);
                let [scale, translation] = [local.scale, local.translation].map(|v| v.as_dvec3());
                DMat4::from_scale_rotation_translation(
                    scale,
                    local.rotation.as_dquat().normalize(),
                    translation,
                )
            },
            |matrix| matrix.as_dmat4(),
        );
        scaling(1.0 / self.scale_above(joint)) * local * scaling(joint.scale)
    }

    /// The local transform of a joint in a pose.
    fn local(&self, pose: &Pose, joint: &Joint) -> Local {
        let (local, above) = (pose.get(joint.node), self.scale_above(joint));
        let [x, y, z, w] = local.rotation.to_array();
        Local {
            translation: (local.translation.as_dvec3() / above).as_vec3().to_array(),
            rotation: [w, x, y, z],
            scale: (local.scale.as_dvec3() * (joint.scale / above)).as_vec3().to_array(),
        }
    }
}

/// The local transform of a joint; the rotation is a quaternion with its real part first.
struct Local {
    translation: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
}

/// The rotations of each pose. Of the two quaternions of a rotation it is the one near the pose before, for readers that do not
/// take the shorter arc.
fn continuous(locals: &[Vec<Local>]) -> Vec<Vec<[f32; 4]>> {
    let mut out: Vec<Vec<[f32; 4]>> = Vec::with_capacity(locals.len());
    for pose in locals {
        let mut rotations: Vec<[f32; 4]> = pose.iter().map(|local| local.rotation).collect();
        for (rotation, before) in rotations.iter_mut().zip(out.last().into_iter().flatten()) {
            if rotation.iter().zip(before).map(|(a, b)| a * b).sum::<f32>() < 0.0 {
                *rotation = rotation.map(|value| -value);
            }
        }
        out.push(rotations);
    }
    out
}

/// The scale of a node in the first pose, along X; 1 if it is no factor to divide by.
fn usual_scale(motion: &Motion<'_>, node: NodeId) -> f64 {
    let pose = motion.poses.first().unwrap_or_else(|| motion.rig.rest_pose());
    let scale = f64::from(pose.get(node).scale.x.abs());
    if (1e-6..1e6).contains(&scale) && !motion.rig.is_fixed(node) { scale } else { 1.0 }
}

fn scaling(scale: f64) -> DMat4 {
    DMat4::from_scale(DVec3::splat(scale))
}

/// A matrix of the palette, if it has an inverse that is good to compute with.
pub(super) fn invertible(matrix: &Affine) -> Option<DMat4> {
    has_inverse(Mat4::from(*matrix).as_dmat4())
}

/// A matrix, if it has an inverse that is good to compute with.
pub(super) fn has_inverse(matrix: DMat4) -> Option<DMat4> {
    let size = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.length());
    let volume = matrix.determinant().abs();
    let most = size.into_iter().fold(0.0, f64::max);
    (matrix.is_finite() && volume > 1e-9 * most.powi(3) && most > 1e-12).then_some(matrix)
}

/// The rows of a matrix as USD writes it, for row vectors.
pub(super) fn rows(matrix: DMat4) -> [[f64; 4]; 4] {
    matrix.to_cols_array_2d()
}
