//! The node hierarchy: parents before children, transforms that are finite. Spec: glTF 2.0 §3.5.

use crate::import::error::{ImportError, ImportErrorKind, Log, codes};
use crate::model::{NodeId, Scene, Transform, compose, decompose};
use crate::rare::rare;
use ::gltf::json;
use glam::{Mat4, Quat, Vec3};
use std::fmt;

/// The hierarchy of the nodes, checked to be a forest.
pub(super) struct Tree {
    /// Indices of the file, parents before children, each subtree without gaps.
    pub(super) sources: Vec<u32>,
    /// The id of each index of the file.
    pub(super) ids: Vec<NodeId>,
    /// The parent of each index of the file, also an index of the file.
    pub(super) parents: Vec<Option<u32>>,
}

impl Tree {
    /// Orders the nodes; a loop, since files with tens of thousands of levels exist.
    pub(super) fn new(nodes: &[json::Node], log: &mut Log) -> Result<Self, ImportError> {
        let mut parents: Vec<Option<u32>> = vec![None; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            for (c, child) in node.children.iter().flatten().enumerate() {
                let pointer = format_args!("/nodes/{i}/children/{c}");
                let child = child.value();
                let Some(parent) = parents.get_mut(child) else {
                    let count = nodes.len();
                    let kind = ImportErrorKind::IndexOutOfRange { what: "node", index: child, count };
                    return Err(kind.at(pointer));
                };
                match *parent {
                    None => *parent = Some(i as u32),
                    Some(first) if first as usize == i => {
                        let message = format_args!("node {child} is named twice; once is enough");
                        log.warn(codes::SCENE_ROOT, pointer, message);
                    }
                    Some(first) => {
                        let kind =
                            ImportErrorKind::NodeParents { node: child, first: first as usize, second: i };
                        return Err(kind.at(pointer));
                    }
                }
            }
        }

        const UNSEEN: NodeId = NodeId::new(u32::MAX as usize);
        let mut ids = vec![UNSEEN; nodes.len()];
        let mut sources = Vec::with_capacity(nodes.len());
        let mut stack: Vec<u32> =
            (0..nodes.len() as u32).filter(|&i| parents[i as usize].is_none()).collect();
        stack.reverse();
        while let Some(source) = stack.pop() {
            if ids[source as usize] != UNSEEN {
                continue; // named twice by its parent
            }
            ids[source as usize] = NodeId::new(sources.len());
            sources.push(source);
            let children = nodes[source as usize].children.iter().flatten();
            stack.extend(children.rev().map(|child| child.value() as u32));
        }
        // What no root reaches is on a cycle or below one; walking up, one comes to the cycle.
        if let Some(unseen) = ids.iter().position(|&id| id == UNSEEN) {
            let mut node = unseen;
            for _ in 0..nodes.len() {
                node = parents[node].map_or(node, |parent| parent as usize);
            }
            return Err(ImportErrorKind::NodeCycle { node }.at(format_args!("/nodes/{node}")));
        }
        Ok(Self { sources, ids, parents })
    }

    /// The node with the most nodes above it (its index of the file), and how many there are, itself counted.
    pub(super) fn depth(&self) -> (u32, usize) {
        let mut depths = vec![0; self.sources.len()];
        let mut deepest = (0, 0);
        // Parents come first.
        for &source in &self.sources {
            let above = self.parents[source as usize].map_or(0, |parent| depths[parent as usize]);
            depths[source as usize] = above + 1;
            if above + 1 > deepest.1 {
                deepest = (source, above + 1);
            }
        }
        deepest
    }

    /// The node with an index of the file that stands at `pointer`.
    pub(super) fn resolve(&self, index: usize, pointer: fmt::Arguments<'_>) -> Result<NodeId, ImportError> {
        self.ids.get(index).copied().ok_or_else(|| {
            ImportErrorKind::IndexOutOfRange { what: "node", index, count: self.ids.len() }.at(pointer)
        })
    }
}

/// The scenes of a file.
pub(super) fn scenes(scenes: &[json::Scene], tree: &Tree, log: &mut Log) -> Result<Vec<Scene>, ImportError> {
    // The last scene that names each node.
    let mut seen = vec![usize::MAX; tree.ids.len()];
    let scene = |(i, scene): (usize, &json::Scene)| {
        let mut roots = Vec::with_capacity(scene.nodes.len());
        for (n, node) in scene.nodes.iter().enumerate() {
            let pointer = format_args!("/scenes/{i}/nodes/{n}");
            let id = tree.resolve(node.value(), pointer)?;
            if std::mem::replace(&mut seen[node.value()], i) == i {
                log.warn(codes::SCENE_ROOT, pointer, "the node is named twice; once is enough");
                continue;
            }
            if tree.parents[node.value()].is_some() {
                log.warn(codes::SCENE_ROOT, pointer, "the node has a parent; it keeps its place below it");
            }
            roots.push(id);
        }
        Ok(Scene { name: scene.name.clone().unwrap_or_default(), roots })
    };
    scenes.iter().enumerate().map(scene).collect()
}

/// The local transform of a node, and its matrix if the transform cannot express it.
pub(super) fn rest(
    node: &json::Node,
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> (Transform, Option<Mat4>) {
    if let Some(matrix) = node.matrix {
        return rare(|| of_matrix(node, matrix, pointer, log));
    }
    let mut finite = |values: Option<[f32; 3]>, key: &str, default: Vec3| match values.map(Vec3::from) {
        Some(values) if values.is_finite() => values,
        Some(_) => {
            let message = format_args!("the {key} is not finite and ignored");
            log.warn(codes::NUMBER_REPLACED, format_args!("{pointer}/{key}"), message);
            default
        }
        None => default,
    };
    let translation = finite(node.translation, "translation", Vec3::ZERO);
    let scale = finite(node.scale, "scale", Vec3::ONE);
    let rotation = node.rotation.as_ref().map_or(Quat::IDENTITY, |rotation| {
        let (rotation, found) = unit_quaternion(rotation.0);
        found.warn(format_args!("{pointer}/rotation"), log);
        rotation
    });
    (Transform { translation, rotation, scale }, None)
}

/// The same of a node that has a matrix.
fn of_matrix(
    node: &json::Node,
    matrix: [f32; 16],
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> (Transform, Option<Mat4>) {
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        let message = "the node has a matrix, so its translation, rotation and scale are ignored";
        log.warn(codes::MATRIX_AND_TRS, format_args!("{pointer}/matrix"), message);
    }
    let matrix = affine(matrix, format_args!("{pointer}/matrix"), log);
    let transform = decompose(matrix);
    let (again, given) = (compose(&transform), matrix.to_cols_array());
    let size = given.iter().fold(0.0, |size: f64, &value| size.max(f64::from(value).abs()));
    let mut pairs = again.iter().zip(given);
    let exact = pairs.all(|(again, given)| (again - f64::from(given)).abs() <= 1e-6 * size);
    (transform, (!exact).then_some(matrix))
}

/// How far a quaternion was from unit length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// Within what quantisation to 8 bits explains.
    Unit,
    /// It could be normalised.
    NotUnit,
    /// It has no direction.
    Zero,
}

impl Found {
    /// Reports what was done.
    pub(super) fn warn(self, pointer: fmt::Arguments<'_>, log: &mut Log) {
        match self {
            Self::Unit => {}
            Self::NotUnit => {
                log.warn(
                    codes::ROTATION_NORMALIZED,
                    pointer,
                    "a rotation is not of unit length; it is normalised",
                );
            }
            Self::Zero => {
                let message = "a rotation is zero or not finite; the identity takes its place";
                log.warn(codes::ROTATION_NORMALIZED, pointer, message);
            }
        }
    }
}

/// The rotation of a quaternion, X first, of any length. In f64, since squares of f32 may overflow.
pub(super) fn unit_quaternion(q: [f32; 4]) -> (Quat, Found) {
    let q = q.map(f64::from);
    let length = q.iter().map(|value| value * value).sum::<f64>().sqrt();
    if !length.is_finite() || length < 1e-30 {
        return (Quat::IDENTITY, Found::Zero);
    }
    let found = if (length - 1.0).abs() <= 0.01 { Found::Unit } else { Found::NotUnit };
    (Quat::from_array(q.map(|value| (value / length) as f32)), found)
}

/// A matrix whose numbers are finite and whose last row is 0 0 0 1.
pub(super) fn affine(matrix: [f32; 16], pointer: fmt::Arguments<'_>, log: &mut Log) -> Mat4 {
    if matrix.iter().any(|value| !value.is_finite()) {
        log.warn(codes::NUMBER_REPLACED, pointer, "the matrix is not finite; the identity takes its place");
        return Mat4::IDENTITY;
    }
    let mut matrix = Mat4::from_cols_array(&matrix);
    if matrix.row(3).to_array() != [0.0, 0.0, 0.0, 1.0] {
        log.warn(codes::MATRIX_NOT_AFFINE, pointer, "the last row of the matrix is taken as 0 0 0 1");
        matrix.x_axis.w = 0.0;
        matrix.y_axis.w = 0.0;
        matrix.z_axis.w = 0.0;
        matrix.w_axis.w = 1.0;
    }
    matrix
}
