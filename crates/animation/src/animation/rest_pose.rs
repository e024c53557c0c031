//! The rest pose of a model in model space, in f64.
//!
//! All arithmetic is f64 in a fixed order, with operations that IEEE 754 rounds once. glam's f64 types are plain
//! arithmetic, so results have the same bits on every machine.

use crate::model::{Model, Node, NodeId};
use glam::{DAffine3, DMat3, DQuat, DVec3, Quat};

/// World transforms of all nodes at rest.
#[derive(Debug, Clone)]
pub(crate) struct Rest {
    /// The product of the rotations from the root to the node, without scale.
    pub(crate) rotations: Vec<DQuat>,
    /// `model_from_node`.
    pub(crate) affines: Vec<DAffine3>,
}

impl Rest {
    pub(crate) fn new(model: &Model) -> Self {
        let mut rest = Self { rotations: Vec::new(), affines: Vec::new() };
        for node in &model.nodes {
            let (mut rotation, mut affine) = (unit_quat(node.rest.rotation), local_affine(node));
            if let Some(parent) = node.parent {
                rotation = rest.rotations[parent.index()] * rotation;
                affine = rest.affines[parent.index()] * affine;
            }
            rest.rotations.push(rotation);
            rest.affines.push(affine);
        }
        rest
    }

    /// The same pose, turned as a whole.
    pub(crate) fn turned(mut self, by: DQuat) -> Self {
        let affine = DAffine3::from_quat(by);
        self.rotations.iter_mut().for_each(|rotation| *rotation = by * *rotation);
        self.affines.iter_mut().for_each(|matrix| *matrix = affine * *matrix);
        self
    }

    pub(crate) fn at(&self, node: NodeId) -> DVec3 {
        self.affines[node.index()].translation
    }
}

pub(crate) fn unit_quat(rotation: Quat) -> DQuat {
    unit_of(rotation.as_dquat())
}

/// The quaternion of length 1; the identity if the length is zero or not finite.
pub(crate) fn unit_of(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length > 0.0 && length < f64::INFINITY { rotation * (1.0 / length) } else { DQuat::IDENTITY }
}

/// The local matrix of a node at rest.
pub(crate) fn local_affine(node: &Node) -> DAffine3 {
    match node.rest_matrix {
        Some(matrix) => DAffine3::from_mat4(matrix.as_dmat4()),
        None => transform(
            unit_quat(node.rest.rotation),
            node.rest.translation.as_dvec3(),
            node.rest.scale.as_dvec3(),
        ),
    }
}

pub(crate) fn transform(rotation: DQuat, translation: DVec3, scale: DVec3) -> DAffine3 {
    DAffine3 { matrix3: DMat3::from_quat(rotation) * DMat3::from_diagonal(scale), translation }
}
