//! Files of motion alone, such as BVH files: a mesh of their bones, so that there is something to see.

use super::clip::Path;
use super::ids::{MaterialId, MeshId, NodeId, SkinId};
use super::material::Material;
use super::mesh::{Influences, Mesh, Primitive};
use super::root::Model;
use super::skin::Skin;
use glam::{Mat4, Vec3};

/// The radius of a bone's thickest part, and its distance from the beginning, as fractions of the bone's length.
const RADIUS: f32 = 0.09;
const THICKEST: f32 = 0.14;
/// The length of a bone beyond an animated joint without children, as a fraction of the bone before it.
const STUB: f32 = 0.5;
/// The linear base colour of bones.
const COLOR: [f32; 4] = [0.3, 0.36, 0.5, 1.0];
/// The corners of an octahedron's faces: the beginning is 0, the end is 5, the ring between them is 1 … 4.
const FACES: [[u32; 3]; 8] =
    [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 4, 1]];

/// A bone in the rest pose, in model space.
struct Bone {
    /// The joint at its beginning, which moves all of it but its end.
    from: usize,
    /// The joint that moves its end.
    to: usize,
    begin: Vec3,
    end: Vec3,
}

impl Model {
    /// `true` for a file of motion alone: its clips move bones, and its scene has no mesh.
    pub fn is_motion(&self) -> bool {
        let shown = self.shown_nodes();
        let has_mesh = self.nodes.iter().zip(&shown).any(|(node, shown)| *shown && node.mesh.is_some());
        let joints = self.moved_joints(&shown);
        !has_mesh && (0..joints.len()).any(|i| self.bone_to(&joints, i).is_some())
    }

    /// Adds a mesh of the bones of a file of [motion alone](Model::is_motion): an octahedron for each, which its joints move. The
    /// mesh and its material are named `Bones`. Other models stay as they are.
    pub fn add_figure(&mut self) {
        if !self.is_motion() {
            return;
        }
        let joints = self.moved_joints(&self.shown_nodes());
        let rest = self.rest_matrices();
        let bones = self.bones_at_rest(&joints, &rest);
        // The joints of the skin, and the index of each node among them.
        let mut used: Vec<usize> = bones.iter().flat_map(|bone| [bone.from, bone.to]).collect();
        used.sort_unstable();
        used.dedup();
        let (Some(&first), true) = (used.first(), used.len() <= usize::from(u16::MAX)) else { return };
        let index = |node: usize| used.binary_search(&node).unwrap_or_default() as u16;

        let (mut positions, mut indices) = (Vec::new(), Vec::new());
        let mut influences = Influences { per_vertex: 4, ..Influences::default() };
        for bone in &bones {
            let along = bone.end - bone.begin;
            let (u, v) = along.normalize().any_orthonormal_pair();
            let [right, up] = [u, v].map(|side| RADIUS * along.length() * side);
            let middle = bone.begin + THICKEST * along;
            let base = positions.len() as u32;
            let corners = [bone.begin, middle + right, middle + up, middle - right, middle - up, bone.end];
            positions.extend(corners.map(|corner| corner.to_array()));
            indices.extend(FACES.as_flattened().iter().map(|corner| base + corner));
            for corner in 0..corners.len() {
                let joint = if corner == 5 { bone.to } else { bone.from };
                influences.joints.extend([index(joint), 0, 0, 0]);
                influences.weights.extend([1.0, 0.0, 0.0, 0.0]);
            }
        }
        let (material, mesh, skin) = (self.materials.len(), self.meshes.len(), self.skins.len());
        self.materials.push(Material {
            name: "Bones".to_owned(),
            base_color: COLOR,
            metallic: 0.0,
            roughness: 0.7,
            ..Material::default()
        });
        self.meshes.push(Mesh {
            name: "Bones".to_owned(),
            primitives: vec![Primitive {
                indices: Some(indices),
                positions,
                influences: Some(influences),
                material: Some(MaterialId::new(material)),
                ..Primitive::default()
            }],
            ..Mesh::default()
        });
        self.skins.push(Skin {
            name: String::new(),
            inverse_bind: used.iter().map(|&node| rest[node].inverse()).collect(),
            joints: used.iter().map(|&node| NodeId::new(node)).collect(),
        });
        // The transform of a node has no effect on a skinned mesh.
        self.nodes[first].mesh = Some(MeshId::new(mesh));
        self.nodes[first].skin = Some(SkinId::new(skin));
    }

    /// `true` for each node that a clip moves, and for all below them, except cameras and lights.
    fn moved_joints(&self, shown: &[bool]) -> Vec<bool> {
        let mut moved = vec![false; self.nodes.len()];
        for channel in self.clips.iter().flat_map(|clip| &clip.channels) {
            moved[channel.node.index()] |= channel.path != Path::Weights;
        }
        for (i, node) in self.nodes.iter().enumerate() {
            let below = node.parent.is_some_and(|parent| moved[parent.index()]);
            moved[i] = (moved[i] || below) && shown[i] && node.camera.is_none() && node.light.is_none();
        }
        moved
    }

    /// The joint at the beginning of the bone that ends at a node.
    fn bone_to(&self, joints: &[bool], node: usize) -> Option<usize> {
        let parent = self.nodes[node].parent?.index();
        (joints[node] && joints[parent]).then_some(parent)
    }

    fn bones_at_rest(&self, joints: &[bool], rest: &[Mat4]) -> Vec<Bone> {
        let place = |node: usize| rest[node].w_axis.truncate();
        let mut bones = Vec::new();
        let mut has_child = vec![false; self.nodes.len()];
        for to in 0..self.nodes.len() {
            let Some(from) = self.bone_to(joints, to) else { continue };
            has_child[from] = true;
            bones.push(Bone { from, to, begin: place(from), end: place(to) });
        }
        let keyed = |node: usize| {
            self.clips.iter().flat_map(|clip| &clip.channels).any(|channel| channel.node.index() == node)
        };
        for to in (0..self.nodes.len()).filter(|&node| !has_child[node]) {
            let Some(from) = self.bone_to(joints, to).filter(|_| keyed(to)) else { continue };
            let (begin, before) = (place(to), place(from));
            bones.push(Bone { from: to, to, begin, end: begin + STUB * (begin - before) });
        }
        // A bone of no length has no direction, and a joint of scale 0 no inverse.
        let is_long = |bone: &Bone| {
            let length = bone.begin.distance(bone.end);
            length.is_finite() && length > f32::MIN_POSITIVE.sqrt()
        };
        let turns = |node: usize| rest[node].inverse().is_finite() && rest[node].determinant() != 0.0;
        bones.retain(|bone| is_long(bone) && turns(bone.from) && turns(bone.to));
        bones
    }

    /// The `model_from_node` matrices of the rest pose.
    fn rest_matrices(&self) -> Vec<Mat4> {
        let mut all: Vec<Mat4> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let own = node.rest_matrix.unwrap_or_else(|| node.rest.to_matrix());
            all.push(node.parent.map_or(own, |parent| all[parent.index()] * own));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Transform;
    use crate::model::{Camera, CameraId, Channel, Clip, Curve, Interpolation, Node, Projection};
    use std::sync::Arc;

    /// A chain of nodes one above the other, a metre apart; a clip turns those in `moved`.
    fn chain(count: usize, moved: &[usize]) -> Model {
        let node = |i: usize| Node {
            parent: i.checked_sub(1).map(NodeId::new),
            rest: Transform { translation: Vec3::Y * (i > 0) as u8 as f32, ..Transform::IDENTITY },
            ..Node::default()
        };
        let curve = Curve::new(Interpolation::Linear, 4, vec![0.0, 1.0], [[0.0, 0.0, 0.0, 1.0]; 2].concat());
        let channels =
            moved.iter().map(|&i| Channel { node: NodeId::new(i), path: Path::Rotation, curve: 0 }).collect();
        let clip = Clip { duration: 1.0, channels, curves: vec![curve.expect("a curve")], ..Clip::default() };
        Model { nodes: (0..count).map(node).collect(), clips: vec![Arc::new(clip)], ..Model::default() }
    }

    #[test]
    fn motion_is_clips_that_move_bones_without_a_mesh() {
        assert!(chain(3, &[0]).is_motion());
        assert!(!chain(3, &[]).is_motion(), "no channel");
        assert!(!chain(1, &[0]).is_motion(), "no bone");
        assert!(!chain(3, &[2]).is_motion(), "one node without another");
        let mut model = chain(3, &[0]);
        model.clips.clear();
        assert!(!model.is_motion(), "no clip");
        let mut model = chain(3, &[0]);
        model.meshes.push(Mesh::default());
        assert!(model.is_motion(), "a mesh that no node shows");
        model.nodes[1].mesh = Some(MeshId::new(0));
        assert!(!model.is_motion());
        let mut model = chain(2, &[0]);
        let projection = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.1, far: 9.0 };
        model.cameras.push(Camera { name: String::new(), projection });
        model.nodes[1].camera = Some(CameraId::new(0));
        assert!(!model.is_motion(), "a camera on an arm");
    }

    #[test]
    fn figure_has_an_octahedron_for_each_bone_and_a_stub_after_a_keyed_end() {
        // Node 0 carries the chain and does not move, so no bone begins there.
        let mut model = chain(4, &[1, 2, 3]);
        model.add_figure();
        let primitive = &model.meshes[0].primitives[0];
        assert_eq!(primitive.positions.len(), 3 * 6, "1 to 2, 2 to 3, and beyond 3");
        assert_eq!(primitive.indices.as_ref().map(Vec::len), Some(3 * 24));
        let height = |i: usize| primitive.positions[6 * i + 5][1];
        assert_eq!([height(0), height(1), height(2)], [2.0, 3.0, 3.0 + STUB]);
        let influences = primitive.influences.as_ref().expect("influences");
        let joint = |vertex: usize| model.skins[0].joints[usize::from(influences.joints[4 * vertex])].index();
        assert_eq!([joint(0), joint(5), joint(6), joint(11), joint(17)], [1, 2, 2, 3, 3]);
        for (joint, inverse) in model.skins[0].joints.iter().zip(&model.skins[0].inverse_bind) {
            let place = inverse.transform_point3(Vec3::Y * joint.index() as f32);
            assert!(place.length() < 1e-6, "the bind pose is the rest pose");
        }
        assert!(model.nodes.iter().filter(|node| node.mesh.is_some()).count() == 1);
        assert!(!model.is_motion(), "it has a mesh now");
    }

    #[test]
    fn figure_faces_point_outwards() {
        let mut model = chain(3, &[0]);
        model.add_figure();
        let primitive = &model.meshes[0].primitives[0];
        let at = |i: u32| Vec3::from_array(primitive.positions[i as usize]);
        for face in primitive.indices.as_deref().unwrap_or_default().chunks_exact(3).take(8) {
            let [a, b, c] = [at(face[0]), at(face[1]), at(face[2])];
            let outwards = (a + b + c) / 3.0 - Vec3::Y * 0.5;
            assert!((b - a).cross(c - a).dot(outwards) > 0.0, "{face:?}");
        }
    }

    #[test]
    fn figure_leaves_out_bones_without_length_and_joints_of_scale_0() {
        let mut model = chain(4, &[0, 1]);
        model.nodes[1].rest.translation = Vec3::ZERO;
        model.nodes[3].rest.scale = Vec3::ZERO;
        model.add_figure();
        assert_eq!(model.meshes[0].primitives[0].positions.len(), 6, "only 1 to 2");
        let mut nothing = chain(2, &[0]);
        nothing.nodes[1].rest.translation = Vec3::ZERO;
        nothing.add_figure();
        assert!(nothing.meshes.is_empty());
    }
}
