//! Snapshots: the transforms and the deformed meshes of an actor at one moment, for export.

use super::actor::Actor;
use super::skin::{Deformed, deform};
use crate::base::{Affine, Transform, decompose};
use crate::model::{Drawable, Model, NodeId, Primitive, Topology};
use glam::Mat4;

/// An actor at its last update, in world space. Nodes, meshes and materials are indices in the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// The local transforms of all nodes, in the order of the file; those of roots include the placement of the actor.
    /// `None` for a node that keeps the transform of the file.
    pub nodes: Vec<Option<Transform>>,
    /// The nodes whose own visibility differs from the file, with `true` if they are shown.
    pub shown: Vec<(u32, bool)>,
    /// The nodes whose mesh only the wearer of an avatar sees, so that it is not drawn.
    pub first_person: Vec<u32>,
    /// The meshes that joints or morph targets deform, or all of them.
    pub meshes: Vec<SnapshotMesh>,
}

/// A deformed mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SnapshotMesh {
    /// The node that shows it.
    pub node: u32,
    /// The mesh.
    pub mesh: u32,
    /// `true` if its vertices are in world space, `false` if they are in the space of the node.
    pub in_world: bool,
    /// `false` if its node or one above is hidden.
    pub visible: bool,
    /// Its primitives, in the order of the file.
    pub primitives: Vec<SnapshotPrimitive>,
}

/// A deformed primitive.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SnapshotPrimitive {
    /// The vertices, with all sets of texture coordinates and the colours. Those that import added are at the end.
    pub vertices: Deformed,
    /// The corners of the triangles; none of points and lines.
    pub triangles: Vec<u32>,
    /// The material in use; `None` for the default material.
    pub material: Option<u32>,
}

/// The parts of an actor that a [`Snapshot`] has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotMeshes {
    /// The meshes that joints deform, in world space, and the other meshes with morph targets, in the space of their
    /// nodes.
    Deformed,
    /// All visible meshes, in world space.
    All,
}

impl Snapshot {
    /// The snapshot of an actor of `model` at its last update. Billboards are not turned.
    pub fn new(actor: &Actor, model: &Model, meshes: SnapshotMeshes) -> Self {
        let rig = actor.rig();
        let locals = local_transforms(actor, model, &Affine::identity());
        let is_fixed =
            |node| rig.is_fixed(node) && (rig.parent(node).is_some() || actor.place == Affine::identity());
        let nodes = model.node_of_source.iter().zip(locals).map(|(&node, local)| {
            let kept = is_fixed(node) || local == rig.rest_pose().get(node);
            (!kept).then_some(local)
        });
        let properties = &actor.pose().properties;
        let animated = rig.layout.properties.visible().map(|(node, at)| (node, properties[at] != 0.0));
        let by_hand = actor.shown();
        // The hand wins over the animation.
        let kept =
            animated.filter(|&(node, _)| by_hand.binary_search_by_key(&node, |&(node, _)| node).is_err());
        let shown = kept.chain(by_hand.iter().copied()).filter_map(|(node, shown)| {
            let node = &model.nodes[node.index()];
            (shown != node.visible).then_some((node.source, shown))
        });
        let worn = model.nodes.iter().filter(|node| node.first_person_only && node.mesh.is_some());
        let mut snapshot = Self {
            nodes: nodes.collect(),
            shown: shown.collect(),
            first_person: worn.map(|node| node.source).collect(),
            meshes: Vec::new(),
        };
        let mut last = None;
        for drawable in &rig.layout.drawables {
            let visible = actor.visible().get(drawable.node.index()) != Some(&false);
            let morphs = !drawable.weights.is_empty();
            let wanted = match meshes {
                // The instances of a node share one mesh.
                SnapshotMeshes::Deformed => {
                    drawable.skinned || morphs && last.replace(drawable.node) != Some(drawable.node)
                }
                SnapshotMeshes::All => visible,
            };
            if wanted {
                snapshot.meshes.push(SnapshotMesh { visible, ..mesh(actor, model, drawable, meshes) });
            }
        }
        snapshot
    }
}

fn mesh(actor: &Actor, model: &Model, drawable: &Drawable, meshes: SnapshotMeshes) -> SnapshotMesh {
    let in_world = drawable.skinned || meshes == SnapshotMeshes::All;
    // The vertices of other meshes stay in the space of their node.
    let own = Drawable { slots: 0..1, ..drawable.clone() };
    let identity = [Affine::identity()];
    let (placed, palette) = match in_world {
        true => (drawable, actor.animated_palette()),
        false => (&own, &identity[..]),
    };
    let primitive = |primitive: &Primitive| {
        let mut made = SnapshotPrimitive {
            material: primitive.material_of(actor.variant).map(|material| material.index() as u32),
            ..SnapshotPrimitive::default()
        };
        let rotations = if in_world { actor.rotations() } else { &[] };
        deform(primitive, placed, palette, rotations, &actor.pose().weights, &mut made.vertices);
        made.triangles = triangle_corners(primitive);
        // Skinning lists only those that morph targets change.
        let sets = made.vertices.tex_coords.len();
        made.vertices.tex_coords.extend_from_slice(primitive.tex_coords.get(sets..).unwrap_or_default());
        if made.vertices.colors.is_empty() {
            made.vertices.colors.clone_from(&primitive.colors);
        }
        made
    };
    SnapshotMesh {
        node: model.nodes[drawable.node.index()].source,
        mesh: drawable.mesh.index() as u32,
        in_world,
        visible: true,
        primitives: model.meshes[drawable.mesh.index()].primitives.iter().map(primitive).collect(),
    }
}

/// The corners of the triangles of a primitive, three each; none of points and lines.
pub fn triangle_corners(primitive: &Primitive) -> Vec<u32> {
    let all = || (0..primitive.vertex_count() as u32).collect();
    let corners: Vec<u32> = primitive.indices.clone().unwrap_or_else(all);
    // Spec: glTF 2.0 §3.7.2.1.
    match primitive.topology {
        Topology::Triangles => corners,
        Topology::TriangleStrip => {
            let turned = |(i, three): (usize, &[u32])| [three[0], three[1 + i % 2], three[2 - i % 2]];
            corners.windows(3).enumerate().flat_map(turned).collect()
        }
        Topology::TriangleFan => {
            let fan = corners.get(1..).unwrap_or_default().windows(2);
            fan.flat_map(|two| [two[0], two[1], corners[0]]).collect()
        }
        _ => Vec::new(),
    }
}

/// The local transforms of all nodes at the last update of an actor, in the order of the file. Their products are the node
/// matrices. A transform that the pose has, and that nothing overrides, is that of the pose.
///
/// - `world_from_roots`: the space of the roots' transforms.
///
/// A matrix with shear becomes the nearest transform.
pub fn local_transforms(actor: &Actor, model: &Model, world_from_roots: &Affine) -> Vec<Transform> {
    let (rig, pose, worlds) = (actor.rig(), actor.pose(), actor.node_matrices());
    let mut locals = Vec::new();
    rig.local_matrices(pose, &mut locals);
    let local = |&node: &NodeId| {
        let i = node.index();
        let above = rig.parent(node).map_or(*world_from_roots, |parent| worlds[parent.index()]);
        if above.mul(&locals[i]) == worlds[i] {
            return pose.get(node);
        }
        let double = |matrix: Affine| Mat4::from(matrix).as_dmat4();
        let local = (double(above).inverse() * double(worlds[i])).as_mat4();
        // The matrix of a parent with a scale of 0 has no inverse.
        if local.is_finite() { decompose(local) } else { pose.get(node) }
    };
    model.node_of_source.iter().map(local).collect()
}

/// A [`Snapshot`] as lists of numbers, which cross from one WebAssembly module to another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SnapshotLists {
    /// Counts, indices and flags.
    pub layout: Vec<u32>,
    /// Transforms and vertices.
    pub numbers: Vec<f32>,
}

/// The index of no material.
const NONE: u32 = u32::MAX;

impl From<&Snapshot> for SnapshotLists {
    fn from(snapshot: &Snapshot) -> Self {
        let mut lists = Self::default();
        lists.layout.push(snapshot.nodes.len() as u32);
        for node in &snapshot.nodes {
            lists.layout.push(u32::from(node.is_some()));
            if let Some(Transform { translation, rotation, scale }) = node {
                lists.numbers.extend(translation.to_array());
                lists.numbers.extend(rotation.to_array());
                lists.numbers.extend(scale.to_array());
            }
        }
        lists.layout.push(snapshot.shown.len() as u32);
        lists.layout.extend(snapshot.shown.iter().flat_map(|&(node, shown)| [node, u32::from(shown)]));
        lists.layout.push(snapshot.first_person.len() as u32);
        lists.layout.extend(&snapshot.first_person);
        lists.layout.push(snapshot.meshes.len() as u32);
        for mesh in &snapshot.meshes {
            lists.layout.extend([mesh.node, mesh.mesh, u32::from(mesh.in_world), u32::from(mesh.visible)]);
            lists.layout.push(mesh.primitives.len() as u32);
            mesh.primitives.iter().for_each(|primitive| lists.push(primitive));
        }
        lists
    }
}

impl SnapshotLists {
    fn push(&mut self, primitive: &SnapshotPrimitive) {
        let Deformed { positions, normals, tangents, tex_coords, colors } = &primitive.vertices;
        let has = |is_empty: bool| u32::from(!is_empty);
        self.layout.extend([positions.len() as u32, has(normals.is_empty()), has(tangents.is_empty())]);
        self.layout.extend([has(colors.is_empty()), tex_coords.len() as u32]);
        self.layout.extend([primitive.material.unwrap_or(NONE), primitive.triangles.len() as u32]);
        self.layout.extend(&primitive.triangles);
        self.numbers.extend(positions.as_flattened());
        self.numbers.extend(normals.as_flattened());
        self.numbers.extend(tangents.as_flattened());
        self.numbers.extend(colors.as_flattened());
        tex_coords.iter().for_each(|set| self.numbers.extend(set.as_flattened()));
    }
}

/// Reads the lists from their beginning.
struct Lists<'a> {
    layout: &'a [u32],
    numbers: &'a [f32],
}

impl Lists<'_> {
    fn integer(&mut self) -> Option<u32> {
        let (&first, rest) = self.layout.split_first()?;
        self.layout = rest;
        Some(first)
    }

    /// A count, which is at most as large as the lists.
    fn count(&mut self) -> Option<usize> {
        let count = self.integer()? as usize;
        (count <= self.layout.len() + self.numbers.len()).then_some(count)
    }

    fn rows<const N: usize>(&mut self, count: usize) -> Option<Vec<[f32; N]>> {
        let (rows, rest) = self.numbers.split_at_checked(count.checked_mul(N)?)?;
        self.numbers = rest;
        Some(rows.as_chunks().0.to_vec())
    }

    fn transform(&mut self) -> Option<Transform> {
        let [[tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]] = self.rows::<10>(1)?[..] else { return None };
        Some(Transform {
            translation: [tx, ty, tz].into(),
            rotation: glam::Quat::from_xyzw(rx, ry, rz, rw),
            scale: [sx, sy, sz].into(),
        })
    }

    fn primitive(&mut self) -> Option<SnapshotPrimitive> {
        let vertices = self.count()?;
        let [normals, tangents, colors] =
            [self.count()?, self.count()?, self.count()?].map(|on| on * vertices);
        let (sets, material, corners) = (self.count()?, self.integer()?, self.count()?);
        let (triangles, rest) = self.layout.split_at_checked(corners)?;
        let triangles = triangles.to_vec();
        self.layout = rest;
        let vertices = Deformed {
            positions: self.rows(vertices)?,
            normals: self.rows(normals)?,
            tangents: self.rows(tangents)?,
            colors: self.rows(colors)?,
            tex_coords: (0..sets).map(|_| self.rows(vertices)).collect::<Option<_>>()?,
        };
        Some(SnapshotPrimitive { vertices, triangles, material: (material != NONE).then_some(material) })
    }

    fn mesh(&mut self) -> Option<SnapshotMesh> {
        let (node, mesh) = (self.integer()?, self.integer()?);
        let (in_world, visible) = (self.integer()? != 0, self.integer()? != 0);
        let primitives = (0..self.count()?).map(|_| self.primitive()).collect::<Option<_>>()?;
        Some(SnapshotMesh { node, mesh, in_world, visible, primitives })
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        let node = |lists: &mut Self| match lists.integer()? {
            0 => Some(None),
            _ => lists.transform().map(Some),
        };
        let nodes = (0..self.count()?).map(|_| node(self)).collect::<Option<_>>()?;
        let shown = (0..self.count()?)
            .map(|_| Some((self.integer()?, self.integer()? != 0)))
            .collect::<Option<_>>()?;
        let first_person = (0..self.count()?).map(|_| self.integer()).collect::<Option<_>>()?;
        let meshes = (0..self.count()?).map(|_| self.mesh()).collect::<Option<_>>()?;
        Some(Snapshot { nodes, shown, first_person, meshes })
    }
}

impl SnapshotLists {
    /// The snapshot of these lists; `None` if they end too early.
    pub fn read(layout: &[u32], numbers: &[f32]) -> Option<Snapshot> {
        Lists { layout, numbers }.snapshot()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshot_lists_that_end_too_early_are_refused() {
        let lists = SnapshotLists::from(&snapshot());
        for end in 0..lists.layout.len() {
            assert_eq!(SnapshotLists::read(&lists.layout[..end], &lists.numbers), None, "{end}");
        }
        for end in 0..lists.numbers.len() {
            assert_eq!(SnapshotLists::read(&lists.layout, &lists.numbers[..end]), None, "{end}");
        }
        assert_eq!(SnapshotLists::read(&[u32::MAX, 1], &[]), None);
    }

    #[test]
    fn snapshot_lists_keep_all_parts() {
        let lists = SnapshotLists::from(&snapshot());
        assert_eq!(SnapshotLists::read(&lists.layout, &lists.numbers), Some(snapshot()));
    }

    fn snapshot() -> Snapshot {
        let vertices = Deformed {
            positions: vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
            normals: vec![[0.0, 1.0, 0.0]; 2],
            tangents: Vec::new(),
            tex_coords: vec![vec![[0.5, 0.25], [0.75, 0.0]]],
            colors: vec![[1.0, 0.5, 0.25, 1.0]; 2],
        };
        let primitives = vec![
            SnapshotPrimitive { vertices, triangles: vec![0, 1, 1], material: Some(3) },
            SnapshotPrimitive::default(),
        ];
        Snapshot {
            nodes: vec![None, Some(Transform::IDENTITY), None],
            shown: vec![(2, true)],
            first_person: vec![1],
            meshes: vec![SnapshotMesh { node: 1, mesh: 0, in_world: true, visible: false, primitives }],
        }
    }

    #[test]
    fn snapshot_splits_strips_and_fans_into_triangles() {
        let primitive = |topology| Primitive {
            topology,
            positions: vec![[0.0; 3]; 5],
            indices: Some(vec![0, 1, 2, 3, 4]),
            ..Primitive::default()
        };
        assert_eq!(triangle_corners(&primitive(Topology::TriangleStrip)), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
        assert_eq!(triangle_corners(&primitive(Topology::TriangleFan)), [1, 2, 0, 2, 3, 0, 3, 4, 0]);
        assert!(triangle_corners(&primitive(Topology::LineLoop)).is_empty());
    }
}
