//! Frames as nodes.

use super::data::data;
use super::kind::Kind;
use super::matrix::{decompose, matrix};
use super::objects::{Child, File};
use super::values::Values;
use crate::error::{FormatError, codes};
use crate::scene::{Node, Scene};

/// The nodes of frames, and the meshes below them.
pub(super) struct Tree {
    /// For each object, its node if it is a frame.
    nodes: Vec<Option<usize>>,
    /// Objects of meshes with the node above them.
    pub(super) meshes: Vec<(usize, Option<usize>)>,
}

impl Tree {
    pub(super) fn node(&self, frame: usize) -> Option<usize> {
        self.nodes[frame]
    }
}

pub(super) fn node(name: &str, parent: Option<usize>) -> Node {
    Node {
        name: name.to_owned(),
        parent,
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
        mesh: None,
        skin: None,
    }
}

/// Adds a node for each frame to the scene. A frame has one parent: the frame that contains it, else the first that
/// refers to it.
pub(super) fn read(file: &File<'_>, unit: f64, scene: &mut Scene) -> Result<Tree, FormatError> {
    // Frames that have a parent. Nested frames keep theirs.
    let mut taken = vec![true; file.objects.len()];
    file.top.iter().for_each(|&object| taken[object] = false);
    let mut is_referenced = vec![false; file.objects.len()];
    for frame in (0..file.objects.len()).filter(|&object| file.objects[object].kind == Kind::Frame) {
        for kind in [Kind::Frame, Kind::Mesh] {
            file.children(frame, kind).for_each(|child| is_referenced[child] = true);
        }
    }
    let is_shown = |object: usize| matches!(file.objects[object].kind, Kind::Frame | Kind::Mesh);
    let tops: Vec<_> = file.top.iter().copied().filter(|&object| is_shown(object)).collect();
    let mut tree = Tree { nodes: vec![None; file.objects.len()], meshes: Vec::new() };
    // Joints of a skin must have a common root.
    let has_skins = file.objects.iter().any(|object| object.kind == Kind::SkinWeights);
    let root = (has_skins && tops.len() > 1).then(|| {
        scene.nodes.push(node("", None));
        0
    });
    data_of(file, &file.top, root, scene)?;
    let (roots, others): (Vec<_>, Vec<_>) = tops.into_iter().partition(|&object| !is_referenced[object]);
    for object in roots {
        taken[object] = true;
        add(file, object, root, unit, &mut taken, &mut tree, scene)?;
    }
    // Of the frames that are below others, those that are left are below themselves.
    for object in others {
        if file.objects[object].kind == Kind::Frame && !std::mem::replace(&mut taken[object], true) {
            file.warn(codes::X_REFERENCE_IGNORED, "This frame is below itself; it becomes a root", object);
            add(file, object, root, unit, &mut taken, &mut tree, scene)?;
        }
    }
    Ok(tree)
}

/// Adds a frame and all below it, without recursion: files may be nested very deeply.
fn add(
    file: &File<'_>,
    object: usize,
    root: Option<usize>,
    unit: f64,
    taken: &mut [bool],
    tree: &mut Tree,
    scene: &mut Scene,
) -> Result<(), FormatError> {
    let mut waiting = vec![(object, root)];
    while let Some((object, parent)) = waiting.pop() {
        if file.objects[object].kind == Kind::Mesh {
            tree.meshes.push((object, parent));
            continue;
        }
        let index = scene.nodes.len();
        tree.nodes[object] = Some(index);
        file.spend(size_of::<Node>() + file.objects[object].name.len(), object)?;
        scene.nodes.push(frame(file, object, parent, unit));
        let first = waiting.len();
        let mut others = Vec::new();
        for &child in &file.objects[object].children {
            let child = match child {
                Child::Object(child) => child,
                Child::Reference(reference) => match referenced(file, object, reference, taken) {
                    Some(child) => child,
                    None => continue,
                },
            };
            match file.objects[child].kind {
                Kind::Frame | Kind::Mesh => waiting.push((child, Some(index))),
                _ => others.push(child),
            }
        }
        // The first child is taken first.
        waiting[first..].reverse();
        data_of(file, &others, Some(index), scene)?;
    }
    Ok(())
}

/// The frame or mesh to which a frame refers.
fn referenced(file: &File<'_>, frame: usize, reference: usize, taken: &mut [bool]) -> Option<usize> {
    let Some(found) = file.find(reference, Kind::Frame) else { return file.find(reference, Kind::Mesh) };
    if std::mem::replace(&mut taken[found], true) {
        let message = format!("The frame {} has a parent already", file.describe(reference));
        file.warn_at(codes::X_REFERENCE_IGNORED, message, file.references[reference].at, frame);
        return None;
    }
    Some(found)
}

/// Keeps the content of objects of templates that the file defines, with the node of their frame.
fn data_of(
    file: &File<'_>,
    objects: &[usize],
    node: Option<usize>,
    scene: &mut Scene,
) -> Result<(), FormatError> {
    for &object in objects.iter().filter(|&&object| file.objects[object].kind == Kind::Other) {
        if let Some(value) = data(file, object)? {
            scene.data.push((node, crate::text::name(file.objects[object].template), value));
        }
    }
    Ok(())
}

fn frame(file: &File<'_>, object: usize, parent: Option<usize>, unit: f64) -> Node {
    let mut node = node(&file.objects[object].name, parent);
    let Some(child) = file.nested(object, Kind::FrameTransformMatrix).last() else { return node };
    let mut values = Values::new(file, child);
    match values.doubles::<16>() {
        Ok(numbers) => {
            let (transform, exact) = decompose(matrix(numbers, unit));
            if !exact {
                values.warn_of_shear();
            }
            node.translation = transform.translation.as_vec3().to_array();
            node.rotation = transform.rotation.as_quat().to_array();
            node.scale = transform.scale.as_vec3().to_array();
        }
        Err(fault) => values.warn(fault, "the frame is not transformed"),
    }
    node
}
