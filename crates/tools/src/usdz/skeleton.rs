//! Skeletons: joints of skins and nodes of meshes that move without a skin, with all nodes above them.
//!
//! UsdSkel stores the scales of joints as half floats, and 0.01, the scale of a character in centimetres, is none. So the space of
//! each joint is that of its node times a factor, with which the scale of the joint begins at 1. The bind transform has the factor.

use super::motion::Motion;
use super::names::Names;
use super::shear;
use super::text::{Layer, PathTo};
use gambol::animation::{Affine, Pose};
use gambol::model::{NodeId, Transform};
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
    /// The transform of the joint if it is none of the node: one of the two of a node with shear.
    part: Option<Transform>,
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
        let mut skeleton = Self { joints: Vec::new(), of_node: HashMap::new(), weights: Vec::new() };
        let mut names: HashMap<Option<usize>, Names> = HashMap::new();
        let mut length = 0;
        for node in (0..nodes.len()).filter(|&i| is_joint[i]).map(NodeId::new) {
            let described = &nodes[node.index()];
            let mut parent = described.parent.and_then(|parent| skeleton.of_node.get(&parent).copied());
            let fixed = described.rest_matrix.filter(|_| motion.rig.is_fixed(node));
            let parts = fixed.map_or(vec![None], |matrix| shear::split(matrix.as_dmat4()).map(Some).to_vec());
            for part in parts {
                let name = names.entry(parent).or_default().unique(&described.name, "joint");
                let above = parent.map(|parent| &skeleton.joints[parent]);
                let path = above.map_or_else(|| name.clone(), |above| format!("{}/{name}", above.path));
                let scale = above.map_or(1.0, |above| above.scale);
                let scale = if part.is_some() { scale } else { scale / usual_scale(motion, node) };
                length += path.len();
                if length > MOST_PATHS {
                    return None;
                }
                skeleton.joints.push(Joint { node, part, parent, path, scale, bind: DMat4::IDENTITY });
                parent = Some(skeleton.joints.len() - 1);
            }
            skeleton.of_node.extend(parent.map(|joint| (node, joint)));
        }
        let rest = motion.matrices(motion.rig.rest_pose()).0;
        for joint in &mut skeleton.joints {
            let world = invertible(&rest[joint.node.index()]).unwrap_or(DMat4::IDENTITY);
            joint.bind = world * scaling(joint.scale);
        }
        Some(skeleton)
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

    /// Writes the prims `Skeleton` and `Animation`.
    ///
    /// - `animation`: the path of the animation.
    pub(super) fn write(&self, layer: &mut Layer, motion: &Motion<'_>, animation: &str) {
        let paths: Vec<String> = self.joints.iter().map(|joint| joint.path.clone()).collect();
        layer.open("def Skeleton", "Skeleton", &["prepend apiSchemas = [\"SkelBindingAPI\"]".to_owned()]);
        layer.set("uniform token[] joints", &paths);
        let binds: Vec<_> = self.joints.iter().map(|joint| rows(joint.bind)).collect();
        layer.set("uniform matrix4d[] bindTransforms", &binds);
        let rests: Vec<_> = self.joints.iter().map(|joint| rows(self.rest(motion, joint))).collect();
        layer.set("uniform matrix4d[] restTransforms", &rests);
        layer.set("rel skel:animationSource", &PathTo(animation.to_owned()));
        layer.close();

        layer.open("def SkelAnimation", "Animation", &[]);
        layer.set("uniform token[] joints", &paths);
        let of_pose = |pose: &Pose| self.joints.iter().map(|joint| self.local(pose, joint)).collect();
        let locals: Vec<Vec<Local>> = motion.poses.iter().map(of_pose).collect();
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
    }

    fn scale_above(&self, joint: &Joint) -> f64 {
        joint.parent.map_or(1.0, |parent| self.joints[parent].scale)
    }

    /// The local matrix of a joint without animation.
    fn rest(&self, motion: &Motion<'_>, joint: &Joint) -> DMat4 {
        let local = joint.part.unwrap_or_else(|| motion.rig.rest_pose().get(joint.node));
        let [scale, translation] = [local.scale, local.translation].map(|vector| vector.as_dvec3());
        let rotation = local.rotation.as_dquat().normalize();
        let local = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        scaling(1.0 / self.scale_above(joint)) * local * scaling(joint.scale)
    }

    /// The local transform of a joint in a pose.
    fn local(&self, pose: &Pose, joint: &Joint) -> Local {
        let (local, above) = (joint.part.unwrap_or_else(|| pose.get(joint.node)), self.scale_above(joint));
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
    if (1e-6..1e6).contains(&scale) { scale } else { 1.0 }
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
