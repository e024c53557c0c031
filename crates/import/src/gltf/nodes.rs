//! The node hierarchy: parents before children, finite transforms. Spec: glTF 2.0 §3.5.

use super::elements;
use gambol_animation::base::{Transform, compose, decompose};
use gambol_animation::model::{NodeId, Scene};
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::log::Log;
use glam::{Mat4, Quat, Vec3};
use std::fmt;

/// The node hierarchy, checked to be a forest.
pub(super) struct Tree {
    /// Indices in the file, in depth-first order: parents before children, subtrees contiguous.
    pub(super) sources: Vec<u32>,
    /// For each index in the file, the node's id.
    pub(super) ids: Vec<NodeId>,
    /// For each index in the file, the index of the parent in the file.
    pub(super) parents: Vec<Option<u32>>,
}

impl Tree {
    /// Orders the nodes; not recursive, since files with tens of thousands of levels exist.
    pub(super) fn new(nodes: &[elements::Node], log: &mut Log) -> Result<Self, ImportError> {
        let mut parents: Vec<Option<u32>> = vec![None; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            for (c, child) in node.children.iter().enumerate() {
                let pointer = format_args!("/nodes/{i}/children/{c}");
                let child = child.value();
                let Some(parent) = parents.get_mut(child) else {
                    let count = nodes.len();
                    let kind = ImportErrorKind::IndexOutOfRange { element: "node", index: child, count };
                    return Err(kind.at(pointer));
                };
                match *parent {
                    None => *parent = Some(i as u32),
                    Some(first) if first as usize == i => {
                        let message = format_args!("Node {child} is listed twice; the duplicate is ignored");
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
        let mut stack: Vec<u32> = Vec::new();
        for i in (0..nodes.len()).rev().filter(|&i| parents[i].is_none()) {
            stack.push(i as u32);
        }
        while let Some(source) = stack.pop() {
            if ids[source as usize] != UNSEEN {
                continue; // named twice by its parent
            }
            ids[source as usize] = NodeId::new(sources.len());
            sources.push(source);
            let children = nodes[source as usize].children.iter();
            stack.extend(children.rev().map(|child| child.value() as u32));
        }
        // Nodes that no root reaches are on a cycle or below one; following parents leads to the cycle.
        if let Some(unseen) = ids.iter().position(|&id| id == UNSEEN) {
            let mut node = unseen;
            for _ in 0..nodes.len() {
                node = parents[node].map_or(node, |parent| parent as usize);
            }
            return Err(ImportErrorKind::NodeCycle { node }.at(format_args!("/nodes/{node}")));
        }
        Ok(Self { sources, ids, parents })
    }

    /// The deepest node (its index in the file), and its depth; the depth of roots is 1.
    pub(super) fn depth(&self) -> (u32, usize) {
        let mut depths = vec![0; self.sources.len()];
        let mut deepest = (0, 0);
        // Parents precede children.
        for &source in &self.sources {
            let above = self.parents[source as usize].map_or(0, |parent| depths[parent as usize]);
            depths[source as usize] = above + 1;
            if above + 1 > deepest.1 {
                deepest = (source, above + 1);
            }
        }
        deepest
    }

    /// The node with an index in the file; `pointer` is the JSON pointer of the index.
    pub(super) fn resolve(&self, index: usize, pointer: fmt::Arguments<'_>) -> Result<NodeId, ImportError> {
        self.ids.get(index).copied().ok_or_else(|| {
            ImportErrorKind::IndexOutOfRange { element: "node", index, count: self.ids.len() }.at(pointer)
        })
    }
}

/// The scenes of a file.
pub(super) fn scenes(
    scenes: &[elements::Scene],
    tree: &Tree,
    log: &mut Log,
) -> Result<Vec<Scene>, ImportError> {
    // For each node, the last scene that lists it.
    let mut seen = vec![usize::MAX; tree.ids.len()];
    let mut out = Vec::with_capacity(scenes.len());
    for (i, scene) in scenes.iter().enumerate() {
        let mut roots = Vec::with_capacity(scene.nodes.len());
        for (n, node) in scene.nodes.iter().enumerate() {
            let pointer = format_args!("/scenes/{i}/nodes/{n}");
            let id = tree.resolve(node.value(), pointer)?;
            if std::mem::replace(&mut seen[node.value()], i) == i {
                log.warn(
                    codes::SCENE_ROOT,
                    pointer,
                    "The scene lists the node twice; the duplicate is ignored",
                );
                continue;
            }
            if tree.parents[node.value()].is_some() {
                log.warn(codes::SCENE_ROOT, pointer, "The node is not a root; it stays below its parent");
            }
            roots.push(id);
        }
        out.push(Scene { name: scene.name.clone(), roots });
    }
    Ok(out)
}

/// The local rest transform of a node, and its matrix if the transform cannot represent it.
pub(super) fn rest(
    node: &elements::Node,
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> (Transform, Option<Mat4>) {
    if let Some(matrix) = node.matrix {
        return of_matrix(node, matrix, pointer, log);
    }
    let mut finite = |values: Option<[f32; 3]>, key: &str, default: Vec3| match values.map(Vec3::from) {
        Some(values) if values.is_finite() => values,
        Some(_) => {
            let message = format_args!("The {key} is not finite; it is ignored");
            log.warn(codes::NUMBER_REPLACED, format_args!("{pointer}/{key}"), message);
            default
        }
        None => default,
    };
    let translation = finite(node.translation, "translation", Vec3::ZERO);
    let scale = finite(node.scale, "scale", Vec3::ONE);
    let rotation = node.rotation.map_or(Quat::IDENTITY, |rotation| {
        let (rotation, found) = unit_quaternion(rotation);
        found.warn(format_args!("{pointer}/rotation"), log);
        rotation
    });
    (Transform { translation, rotation, scale }, None)
}

/// As [`rest`], for a node with a matrix.
fn of_matrix(
    node: &elements::Node,
    matrix: [f32; 16],
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> (Transform, Option<Mat4>) {
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        let message = "The node has a matrix and also translation, rotation or scale; the matrix is used";
        log.warn(codes::MATRIX_AND_TRS, format_args!("{pointer}/matrix"), message);
    }
    let matrix = affine(matrix, format_args!("{pointer}/matrix"), log);
    let transform = decompose(matrix);
    let (again, given) = (compose(&transform), matrix.to_cols_array());
    let size = given.iter().fold(0.0, |size: f64, &value| size.max(f64::from(value).abs()));
    let mut pairs = again.iter().zip(&given);
    let exact = pairs.all(|(again, &given)| (again - f64::from(given)).abs() <= 1e-6 * size);
    (transform, (!exact).then_some(matrix))
}

/// The deviation of a quaternion from unit length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// Unit length within the error of 8-bit quantization.
    Unit,
    /// Another length; the quaternion can be normalized.
    NotUnit,
    /// Zero or not finite.
    Zero,
}

impl Found {
    /// Adds a warning about the repair.
    pub(super) fn warn(self, pointer: fmt::Arguments<'_>, log: &mut Log) {
        match self {
            Self::Unit => {}
            Self::NotUnit => {
                log.warn(
                    codes::ROTATION_NORMALIZED,
                    pointer,
                    "A rotation is not a unit quaternion; it is normalised",
                );
            }
            Self::Zero => {
                let message = "A rotation is zero or not finite; the identity is used";
                log.warn(codes::ROTATION_NORMALIZED, pointer, message);
            }
        }
    }
}

/// Normalizes a quaternion (X first) of any length. In f64, since squares of f32 may overflow.
pub(super) fn unit_quaternion(q: [f32; 4]) -> (Quat, Found) {
    let q = q.map(f64::from);
    let length = q.iter().map(|value| value * value).sum::<f64>().sqrt();
    if !length.is_finite() || length < 1e-30 {
        return (Quat::IDENTITY, Found::Zero);
    }
    let found = if (length - 1.0).abs() <= 0.01 { Found::Unit } else { Found::NotUnit };
    (Quat::from_array(q.map(|value| (value / length) as f32)), found)
}

/// Repairs the matrices of an accessor or a node to be finite and affine; each kind of repair has a single warning.
#[derive(Default)]
pub(super) struct AffineMatrices {
    count: usize,
    /// The indices of matrices that are not finite.
    not_finite: Indices,
    /// The indices of matrices whose last row is not 0 0 0 1.
    not_affine: Indices,
}

/// Indices of matrices: their count, and the first eight.
#[derive(Default)]
struct Indices {
    count: usize,
    first: Vec<usize>,
}

impl Indices {
    fn push(&mut self, index: usize) {
        self.count += 1;
        if self.first.len() < 8 {
            self.first.push(index);
        }
    }
}

/// Formats as "matrix 3" or "12 matrices (0, 3, 4, 5, 6, 7, 8, 9 and 4 more)".
impl fmt::Display for Indices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (1, [index]) = (self.count, &self.first[..]) {
            return write!(f, "matrix {index}");
        }
        write!(f, "{} matrices (", self.count)?;
        for (i, index) in self.first.iter().enumerate() {
            write!(f, "{}{index}", if i > 0 { ", " } else { "" })?;
        }
        match self.count - self.first.len() {
            0 => f.write_str(")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

impl AffineMatrices {
    /// The tolerance of the last row, 0 0 0 1, for rounding errors of exporters.
    const ROOM: f32 = 1e-5;

    /// The next matrix, with finite numbers and 0 0 0 1 as its last row.
    pub(super) fn repair(&mut self, matrix: [f32; 16]) -> Mat4 {
        let index = self.count;
        self.count += 1;
        if matrix.iter().any(|value| !value.is_finite()) {
            self.not_finite.push(index);
            return Mat4::IDENTITY;
        }
        let mut matrix = Mat4::from_cols_array(&matrix);
        let [x, y, z, w] = matrix.row(3).to_array();
        if (w - 1.0).abs().max(x.abs()).max(y.abs()).max(z.abs()) > Self::ROOM {
            self.not_affine.push(index);
        }
        matrix.x_axis.w = 0.0;
        matrix.y_axis.w = 0.0;
        matrix.z_axis.w = 0.0;
        matrix.w_axis.w = 1.0;
        matrix
    }

    /// Adds warnings about the repairs of the matrices at `pointer`.
    pub(super) fn warn(&self, pointer: fmt::Arguments<'_>, log: &mut Log) {
        let of = |indices: &Indices| if self.count > 1 { format!(" of {indices}") } else { String::new() };
        if self.not_finite.count > 0 {
            let of = of(&self.not_finite);
            let message = format_args!("Numbers{of} are not finite; the identity is used");
            log.warn(codes::NUMBER_REPLACED, pointer, message);
        }
        if self.not_affine.count > 0 {
            let of = of(&self.not_affine);
            // Without the numbers: the code that formats fractions takes 5 kB (brotli) of a module that every page waits for.
            let message = format_args!("The last row{of} is not 0 0 0 1; it is replaced");
            log.warn(codes::MATRIX_NOT_AFFINE, pointer, message);
        }
    }
}

/// The matrix of a node, with finite numbers and 0 0 0 1 as its last row.
fn affine(matrix: [f32; 16], pointer: fmt::Arguments<'_>, log: &mut Log) -> Mat4 {
    let mut matrices = AffineMatrices::default();
    let matrix = matrices.repair(matrix);
    matrices.warn(pointer, log);
    matrix
}
