//! Skins: bones with their weights.
//!
//! A bone is a frame. Its matrix takes vertices of the mesh to the space of the bone, as an inverse bind matrix does.

use std::collections::HashMap;

use glam::{DMat4, DVec3};

use super::frames::{Tree, node};
use super::kind::Kind;
use super::lexer::Fault;
use super::matrix::matrix;
use super::objects::File;
use super::values::Values;
use crate::error::{FormatError, codes};
use crate::scene::{Influences, Scene, Skin};

/// The maximum number of influences of a vertex; the largest are kept.
const INFLUENCES: usize = 32;

/// A skin, and the influences of its vertices.
pub(super) struct Weights {
    pub(super) skin: Skin,
    /// Joints and weights, the largest first; the sum of a vertex is 1.
    list: Vec<(u16, f32)>,
    /// For each vertex, the index after its last influence.
    ends: Vec<usize>,
}

/// SkinWeights.
struct Bone {
    object: usize,
    name: String,
    /// Bone from mesh.
    offset: DMat4,
    /// The node of its frame.
    node: Option<usize>,
}

impl Bone {
    /// Its position in the mesh when it was bound.
    fn position(&self) -> Option<DVec3> {
        Some(self.offset.inverse().w_axis.truncate()).filter(|position| position.is_finite())
    }
}

/// The weight of a bone for a vertex.
struct Influence {
    vertex: u32,
    bone: usize,
    weight: f32,
}

impl Weights {
    /// The bones of a mesh. `None` if it has none. Adds a node to the scene for vertices without weights.
    pub(super) fn read(
        file: &File<'_>,
        mesh: usize,
        positions: &[[f32; 3]],
        parent: Option<usize>,
        tree: &Tree,
        unit: f64,
        scene: &mut Scene,
    ) -> Result<Option<Self>, FormatError> {
        let mut bones = Vec::new();
        let mut influences = Vec::new();
        for object in file.children(mesh, Kind::SkinWeights) {
            let mut values = Values::new(file, object);
            match bone(file, &mut values, tree, unit) {
                Ok((bone, weights)) => {
                    let bone_index = bones.len();
                    let influence = |(vertex, weight)| Influence { vertex, bone: bone_index, weight };
                    influences.extend(weights.into_iter().map(influence));
                    bones.push(bone);
                }
                Err(fault) => values.warn(fault, "the bone has no weights"),
            }
        }
        if bones.is_empty() {
            return Ok(None);
        }
        let before = influences.len();
        influences
            .retain(|influence| (influence.vertex as usize) < positions.len() && influence.weight >= 0.0);
        if influences.len() < before {
            let count = before - influences.len();
            let message = format!(
                "Weights are negative, or of vertices that do not exist ({count} of them); they are ignored"
            );
            file.warn(codes::X_WEIGHTS_IGNORED, message, mesh);
        }
        influences.retain(|influence| influence.weight > 0.0);
        influences.sort_by_key(|influence| influence.vertex);
        let mut skin = Skin::default();
        let joint_of = joints(file, &bones, &mut skin);
        let mut weights = Self { skin, list: Vec::new(), ends: Vec::new() };
        let is_dropped = weights.add(&influences, &joint_of, positions.len());
        if is_dropped {
            let message = format!("Vertices have more than {INFLUENCES} influences; the largest are kept");
            file.warn(codes::X_WEIGHTS_IGNORED, message, mesh);
        }
        weights.copy_to_duplicates(file, mesh, positions);
        if weights.has_vertices_without() {
            weights.hold_others(parent, scene);
        }
        file.spend(100 * weights.skin.joints.len(), mesh)?;
        Ok(Some(weights))
    }

    fn of(&self, vertex: usize) -> &[(u16, f32)] {
        let start = if vertex == 0 { 0 } else { self.ends[vertex - 1] };
        &self.list[start..self.ends[vertex]]
    }

    fn has_vertices_without(&self) -> bool {
        (0..self.ends.len()).any(|vertex| self.of(vertex).is_empty())
    }

    /// Adds influences, which are sorted by vertex. `true` if a vertex has too many.
    fn add(&mut self, influences: &[Influence], joint_of: &[Option<u16>], vertices: usize) -> bool {
        let mut rest = influences;
        let mut is_dropped = false;
        for vertex in 0..vertices {
            let count = rest.iter().take_while(|influence| influence.vertex as usize == vertex).count();
            let (own, others) = rest.split_at(count);
            rest = others;
            let joint =
                |influence: &Influence| Some((joint_of[influence.bone]?, f64::from(influence.weight)));
            let mut own: Vec<(u16, f64)> = own.iter().filter_map(joint).collect();
            // Bones that are missing share the joint of another.
            own.sort_by_key(|&(joint, _)| joint);
            own.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 += if same { next.1 } else { 0.0 };
                same
            });
            own.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            is_dropped |= own.len() > INFLUENCES;
            own.truncate(INFLUENCES);
            let sum: f64 = own.iter().map(|(_, weight)| weight).sum();
            self.list.extend(own.into_iter().map(|(joint, weight)| (joint, (weight / sum) as f32)));
            self.ends.push(self.list.len());
        }
        is_dropped
    }

    /// Gives vertices without weights those of the vertex of which they are duplicates.
    fn copy_to_duplicates(&mut self, file: &File<'_>, mesh: usize, positions: &[[f32; 3]]) {
        let Some(object) = file.children(mesh, Kind::VertexDuplicationIndices).next() else { return };
        if !self.has_vertices_without() {
            return;
        }
        let mut values = Values::new(file, object);
        // Between the count and the indices is the number of vertices without duplicates.
        let indices = values.integer().and_then(|count| {
            values.integer()?;
            (0..count).map(|_| values.integer()).collect::<Result<Vec<_>, _>>()
        });
        let originals = match indices {
            Ok(originals) => originals,
            Err(fault) => return values.warn(fault, "duplicates get no weights"),
        };
        let mut list = Vec::new();
        let mut ends = Vec::new();
        for vertex in 0..positions.len() {
            // In some files the indices count otherwise: a duplicate has the same position.
            let original = originals.get(vertex).map(|&original| original as usize);
            let original = original.filter(|&original| positions.get(original) == Some(&positions[vertex]));
            let own = self.of(vertex);
            list.extend(if own.is_empty() {
                original.map_or(own, |original| self.of(original))
            } else {
                own
            });
            ends.push(list.len());
        }
        (self.list, self.ends) = (list, ends);
    }

    /// Gives all vertices without weights to a joint of their own, which follows the frame of the mesh.
    fn hold_others(&mut self, parent: Option<usize>, scene: &mut Scene) {
        scene.nodes.push(node("", parent));
        let joint = self.skin.joints.len() as u16;
        self.skin.joints.push(scene.nodes.len() - 1);
        self.skin.inverse_bind_matrices.push(glam::Mat4::IDENTITY.to_cols_array());
        let held = [(joint, 1.0)];
        let mut list = Vec::new();
        let mut ends = Vec::new();
        for vertex in 0..self.ends.len() {
            let own = self.of(vertex);
            list.extend(if own.is_empty() { &held } else { own });
            ends.push(list.len());
        }
        (self.list, self.ends) = (list, ends);
    }

    /// The number of sets of four influences that these vertices need.
    pub(super) fn sets(&self, vertices: impl Iterator<Item = usize>) -> usize {
        vertices.map(|vertex| self.of(vertex).len().div_ceil(4)).max().unwrap_or(0)
    }

    /// The influences of these vertices.
    pub(super) fn influences(
        &self,
        vertices: impl Iterator<Item = usize> + Clone,
        sets: usize,
    ) -> Vec<Influences> {
        let set = |set: usize| {
            vertices
                .clone()
                .map(|vertex| {
                    let own = self.of(vertex);
                    let influence = |i: usize| own.get(4 * set + i).copied().unwrap_or((0, 0.0));
                    ([0, 1, 2, 3].map(|i| influence(i).0), [0, 1, 2, 3].map(|i| influence(i).1))
                })
                .unzip()
        };
        (0..sets).map(set).collect()
    }
}

/// Reads SkinWeights: the bone, and its vertices with their weights.
fn bone(
    file: &File<'_>,
    values: &mut Values<'_, '_>,
    tree: &Tree,
    unit: f64,
) -> Result<(Bone, Vec<(u32, f32)>), Fault> {
    let name = values.string()?;
    let vertices = values.list(Values::integer)?;
    let mut weights = Vec::new();
    for vertex in vertices {
        weights.push((vertex, values.float()?));
    }
    let offset = matrix(values.doubles()?, unit);
    let node = file.named(Kind::Frame, &name).and_then(|frame| tree.node(frame));
    Ok((Bone { object: values.object, name, offset, node }, weights))
}

/// The joint of each bone, which is added to the skin. A bone whose frame is missing moves with the nearest bone that is
/// there. `None` if none is.
fn joints(file: &File<'_>, bones: &[Bone], skin: &mut Skin) -> Vec<Option<u16>> {
    let mut known: HashMap<usize, u16> = HashMap::new();
    let mut present = Vec::new();
    for (index, bone) in bones.iter().enumerate() {
        // The last joint is for vertices without weights.
        let Some(node) = bone.node.filter(|_| skin.joints.len() < usize::from(u16::MAX)) else { continue };
        let matrix = bone.offset.as_mat4().to_cols_array();
        let joint = *known.entry(node).or_insert_with(|| {
            skin.joints.push(node);
            skin.inverse_bind_matrices.push(matrix);
            present.push(index);
            skin.joints.len() as u16 - 1
        });
        if skin.inverse_bind_matrices[usize::from(joint)] != matrix {
            let message = format!("The bone \"{}\" has two matrices; the first is used", bone.name);
            file.warn(codes::X_PART_IGNORED, message, bone.object);
        }
    }
    // Enough for real files, and no quadratic time for others.
    present.truncate(1000);
    let positions: Vec<_> = present.iter().map(|&index| bones[index].position()).collect();
    let joint = |bone: &Bone| {
        if let Some(joint) = bone.node.and_then(|node| known.get(&node)) {
            return Some(*joint);
        }
        let position = bone.position();
        let distance = |candidate: usize| match (position, positions[candidate]) {
            (Some(a), Some(b)) => a.distance_squared(b),
            _ => f64::INFINITY,
        };
        let nearest = (0..present.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let nearest = nearest.map(|candidate| &bones[present[candidate]]);
        let follows = match nearest {
            Some(other) => format!("its vertices follow \"{}\"", other.name),
            None => "its vertices follow the mesh".to_owned(),
        };
        let message = format!("The bone \"{}\" is not in the hierarchy; {follows}", bone.name);
        file.warn(codes::X_BONE_MISSING, message, bone.object);
        nearest.and_then(|other| known.get(&other.node?).copied())
    };
    bones.iter().map(joint).collect()
}
