//! The imported model: its size, its joints, its poses.

use gambol::animation::{Affine, Pose, Rig, deform_position};
use gambol::model::{ClipId, Model, NodeId};
use glam::{DMat4, DQuat, DVec3};

/// The largest number of vertices that are measured.
const VERTICES: usize = 1024;
/// The largest number of nodes that are followed through a clip.
const NODES: usize = 4096;

/// A vertex of a drawable that stands for its neighbours.
#[derive(Debug, Clone, Copy)]
struct Vertex {
    drawable: usize,
    primitive: usize,
    vertex: usize,
    /// The node that moves it most.
    node: NodeId,
}

/// A model, its rig, and the points by which its motion is measured.
pub(super) struct Body<'a> {
    pub(super) model: &'a Model,
    pub(super) rig: Rig,
    /// Joints; in a model without skins, all nodes.
    pub(super) tracked: Vec<NodeId>,
    /// The largest side of the box around the model at rest, in metres; positive.
    pub(super) size: f64,
    /// For each node, the rotation relative to its parent when its skin was bound; `None` for other nodes.
    pub(super) bind: Vec<Option<DQuat>>,
    vertices: Vec<Vertex>,
}

/// Places of all measured points in one pose.
#[derive(Debug, Clone, Default)]
pub(super) struct Points {
    /// First the tracked nodes, then vertices.
    pub(super) places: Vec<DVec3>,
}

impl<'a> Body<'a> {
    pub(super) fn new(model: &'a Model, rig: Rig) -> Self {
        let mut is_joint = vec![model.skins.iter().all(|skin| skin.joints.is_empty()); model.nodes.len()];
        for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
            is_joint[joint.index()] = true;
        }
        let tracked = (0..model.nodes.len()).filter(|&i| is_joint[i]).map(NodeId::new).take(NODES).collect();
        let vertices = vertices(model, &rig);
        let bind = bind_rotations(model);
        let mut body = Self { model, rig, tracked, size: 1.0, bind, vertices };
        let points = body.points(None);
        let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for place in points.places.iter().filter(|place| place.is_finite()) {
            (least, most) = (least.min(*place), most.max(*place));
        }
        let size = (most - least).max_element();
        body.size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        body
    }

    /// The places of the measured points in a pose; without a clip, at rest.
    pub(super) fn points(&self, at: Option<(usize, f64)>) -> Points {
        let mut pose = self.rig.rest_pose().clone();
        if let Some((clip, time)) = at {
            self.rig.sample(ClipId::new(clip), time, &mut pose);
        }
        let matrices = self.matrices(&pose);
        let mut places: Vec<DVec3> = self.tracked.iter().map(|node| origin(&matrices, *node)).collect();
        if !self.vertices.is_empty() {
            let mut palette = vec![Affine::identity(); self.rig.palette_len()];
            self.rig.palette(&matrices, &mut palette);
            for vertex in &self.vertices {
                let drawable = &self.rig.layout.drawables[vertex.drawable];
                let primitive = &self.model.meshes[drawable.mesh.index()].primitives[vertex.primitive];
                let place = deform_position(primitive, vertex.vertex, drawable, &palette, &[], &pose.weights);
                places.push(place.as_dvec3());
            }
        }
        Points { places }
    }

    /// The node that a measured point belongs to.
    pub(super) fn node_of_point(&self, point: usize) -> NodeId {
        match self.tracked.get(point) {
            Some(&node) => node,
            None => self.vertices[point - self.tracked.len()].node,
        }
    }

    /// `model_from_node` of every node.
    pub(super) fn matrices(&self, pose: &Pose) -> Vec<Affine> {
        let mut matrices = Vec::new();
        self.rig.node_matrices(pose, &Affine::identity(), &mut matrices);
        matrices
    }

    /// The index of a node in the file.
    pub(super) fn source(&self, node: NodeId) -> usize {
        self.model.nodes[node.index()].source as usize
    }

    /// The parent of a node.
    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.model.nodes[node.index()].parent
    }

    /// `true` if a node is an ancestor of another, or the same.
    pub(super) fn is_above(&self, above: NodeId, node: NodeId) -> bool {
        // Parents come first.
        let up = std::iter::successors(Some(node), |node| self.parent(*node));
        up.take_while(|node| *node >= above).any(|node| node == above)
    }

    /// The length of a unit of a node's parent, in metres, at rest.
    pub(super) fn unit_of_parent(&self, node: NodeId, rest: &[Affine]) -> f64 {
        self.parent(node).map_or(1.0, |parent| matrix(&rest[parent.index()]).determinant().abs().cbrt())
    }
}

/// The place of a node's origin.
pub(super) fn origin(matrices: &[Affine], node: NodeId) -> DVec3 {
    let rows = matrices[node.index()].rows;
    DVec3::from_array(rows.map(|row| f64::from(row.to_array()[3])))
}

/// A matrix in f64.
pub(super) fn matrix(affine: &Affine) -> DMat4 {
    glam::Mat4::from(*affine).as_dmat4()
}

/// The rotation of a matrix, without its scale; `None` if it is not invertible.
pub(super) fn rotation_of(matrix: &DMat4) -> Option<DQuat> {
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().try_normalize());
    let [Some(x), Some(y), Some(z)] = axes else { return None };
    let z = if x.cross(y).dot(z) < 0.0 { -z } else { z };
    let rotation = DQuat::from_mat3(&glam::DMat3::from_cols(x, y, z)).normalize();
    rotation.is_finite().then_some(rotation)
}

/// The angle between two rotations, in degrees, `0.0..=180.0`.
pub(super) fn degrees_between(a: DQuat, b: DQuat) -> f64 {
    // By the sine where the cosine is flat.
    let difference = a.conjugate() * b;
    2.0 * difference.xyz().length().atan2(difference.w.abs()).to_degrees()
}

/// Vertices at equal distances in the file's order, of each primitive in proportion.
fn vertices(model: &Model, rig: &Rig) -> Vec<Vertex> {
    let primitives = rig.layout.drawables.iter().enumerate().flat_map(|(d, drawable)| {
        model.meshes[drawable.mesh.index()]
            .primitives
            .iter()
            .enumerate()
            .map(move |(p, primitive)| (d, p, primitive))
    });
    let total: usize = primitives.clone().map(|(_, _, primitive)| primitive.vertex_count()).sum();
    let step = total.div_ceil(VERTICES).max(1);
    let mut found = Vec::new();
    let mut skipped = 0;
    for (d, p, primitive) in primitives {
        let drawable = &rig.layout.drawables[d];
        let mut vertex = skipped;
        while vertex < primitive.vertex_count() {
            let slot = match primitive.influences.as_ref().filter(|_| drawable.skinned) {
                Some(influences) => influences.joints[influences.strongest(vertex)] as usize,
                None => 0,
            };
            let node = rig.layout.slots[drawable.slots.start as usize + slot].node;
            found.push(Vertex { drawable: d, primitive: p, vertex, node });
            vertex += step;
        }
        skipped = vertex - primitive.vertex_count();
    }
    found
}

/// For each joint below another joint of its skin, its rotation relative to that parent at bind time.
fn bind_rotations(model: &Model) -> Vec<Option<DQuat>> {
    let mut rotations = vec![None; model.nodes.len()];
    for skin in &model.skins {
        let mut inverse: Vec<Option<DMat4>> = vec![None; model.nodes.len()];
        for (joint, matrix) in skin.joints.iter().zip(&skin.inverse_bind) {
            inverse[joint.index()] = Some(matrix.as_dmat4());
        }
        for joint in &skin.joints {
            let parent = model.nodes[joint.index()].parent;
            let pair = parent.and_then(|parent| Some((inverse[parent.index()]?, inverse[joint.index()]?)));
            if let Some((above, own)) = pair {
                rotations[joint.index()] = rotation_of(&(above * own.inverse()));
            }
        }
    }
    rotations
}
