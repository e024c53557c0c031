//! The lines of debug views: skeletons, boxes, normals.

use super::Member;
use super::asset::Asset;
use crate::animation::{Deformed, deform, find_joint};
use crate::base::{Aabb, Affine, feature, sin_cos};
use crate::model::{Model, NodeId};
use crate::render::{Channel, Debug, Line, LineKind, line};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// The debug views of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DebugViews {
    /// The surface property that is drawn in place of materials.
    pub surface: Option<Channel>,
    /// The joint whose weights are shown: a name for [`find_joint`], or the index of a node in the file.
    pub joint: String,
    /// Draws bones over everything.
    pub skeleton: bool,
    /// Draws the boxes around actors and around each joint, and the bounding spheres of actors.
    pub bounds: bool,
    /// Draws the edges of faces.
    pub wireframe: bool,
    /// Draws vertex normals as lines.
    pub normal_lines: bool,
    /// Draws vertex tangents as lines.
    pub tangent_lines: bool,
    /// Shows the meshes in the bind pose.
    pub bind_pose: bool,
    /// Draws a grid on the ground of the models at rest.
    pub grid: bool,
}

impl DebugViews {
    /// `true` if the renderer must prepare resources for the views.
    pub(crate) fn need_gpu(&self) -> bool {
        self.surface.is_some() || self.wireframe
    }

    /// `true` if lines of actors are shown.
    pub(crate) fn have_lines(&self) -> bool {
        self.skeleton || self.bounds || self.normal_lines || self.tangent_lines
    }

    /// The joint of a model whose weights are shown.
    pub(crate) fn joint_of(&self, model: &Model) -> Option<NodeId> {
        let by_index = || model.node_of_source.get(self.joint.parse::<usize>().ok()?).copied();
        if self.surface == Some(Channel::Weights) {
            find_joint(model, &self.joint).or_else(by_index)
        } else {
            None
        }
    }
}

/// The debug views of a stage, with reusable memory for their lines.
#[derive(Debug, Default)]
pub(crate) struct DebugScene {
    pub(crate) views: DebugViews,
    /// `true` if the renderer has prepared the views.
    pub(crate) prepared: bool,
    lines: Vec<Line>,
    over: Vec<Line>,
    deformed: Deformed,
}

feature! {
    list for_debug;
    fn list_grid(members: &[Member], lines: &mut Vec<Line>) = push_grid;
}

impl DebugScene {
    /// The debug output for the renderer; call it after [`DebugScene::begin`] and the calls of [`DebugScene::add`].
    pub(crate) fn shown(&self) -> Debug<'_> {
        let DebugViews { surface, wireframe, .. } = self.views;
        Debug { surface, wireframe, lines: &self.lines, lines_over: &self.over }
    }

    /// Begins a frame.
    pub(crate) fn begin(&mut self, members: &[Member]) {
        self.lines.clear();
        self.over.clear();
        if self.views.grid {
            list_grid(members, &mut self.lines);
        }
    }

    /// Adds lines of the page to a frame that has begun.
    pub(crate) fn mark(&mut self, lines: &[Line]) {
        self.lines.extend_from_slice(lines);
    }

    /// Adds the lines of a posed actor.
    pub(crate) fn add(&mut self, member: &Member) {
        let (asset, actor) = (&member.asset, &member.actor);
        if self.views.skeleton {
            for bone in asset.bones() {
                bone.draw(actor.node_matrices(), &mut self.over);
            }
        }
        if let Some(bounds) = member.bounds.filter(|_| self.views.bounds) {
            push_box(&bounds, &Affine::identity(), LineKind::Bounds, &mut self.lines);
            push_sphere(bounds.center(), bounds.radius(), &mut self.lines);
            for (slot, own) in asset.bounds.boxes(&actor.pose().weights, actor.visible()) {
                push_box(&own, &actor.palette()[slot], LineKind::JointBounds, &mut self.lines);
            }
        }
        if self.views.normal_lines || self.views.tangent_lines {
            let length = 0.025 * member.bounds.map_or(1.0, |bounds| bounds.radius());
            self.add_normals(member, length);
        }
    }

    fn add_normals(&mut self, member: &Member, length: f32) {
        let (asset, actor) = (&member.asset, &member.actor);
        let DebugViews { normal_lines, tangent_lines, .. } = self.views;
        for drawable in &asset.layout.drawables {
            if actor.visible().get(drawable.node.index()) == Some(&false) {
                continue;
            }
            for primitive in &asset.model.meshes[drawable.mesh.index()].primitives {
                let (palette, weights) = (actor.palette(), &actor.pose().weights);
                deform(primitive, drawable, palette, actor.rotations(), weights, &mut self.deformed);
                let Deformed { positions, normals, tangents, .. } = &self.deformed;
                let places = || positions.iter().copied().map(Vec3::from_array);
                if normal_lines {
                    let ends = places().zip(normals.iter().copied().map(Vec3::from_array));
                    self.lines.extend(ends.map(|(at, n)| line(at, at + length * n, LineKind::Normal)));
                }
                if tangent_lines {
                    let ends = places().zip(tangents.iter().map(|&[x, y, z, _]| Vec3::new(x, y, z)));
                    self.lines.extend(ends.map(|(at, t)| line(at, at + length * t, LineKind::Tangent)));
                }
            }
        }
    }
}

/// A joint, drawn as an octahedron that points to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bone {
    from: NodeId,
    /// `None` at the end of a chain.
    to: Option<NodeId>,
    /// The parent joint, which determines the length at the end of a chain.
    parent: Option<NodeId>,
}

/// The bones of a model: between joints of skins, or between all nodes if there are no skins.
pub(super) fn bones(model: &Model) -> Vec<Bone> {
    let mut is_joint = vec![model.skins.is_empty(); model.nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        is_joint[joint.index()] = true;
    }
    let mut has_child = vec![false; model.nodes.len()];
    let joints = || model.shown_nodes().into_iter().enumerate().filter(|&(i, shown)| shown && is_joint[i]);
    let parent = |i: usize| {
        let up = |&id: &NodeId| model.nodes[id.index()].parent;
        std::iter::successors(model.nodes[i].parent, up).find(|id| is_joint[id.index()])
    };
    let mut list = Vec::new();
    for (i, _) in joints() {
        if let Some(from) = parent(i) {
            has_child[from.index()] = true;
            list.push(Bone { from, to: Some(NodeId::new(i)), parent: None });
        }
    }
    for (i, _) in joints().filter(|&(i, _)| !has_child[i]) {
        list.push(Bone { from: NodeId::new(i), to: None, parent: parent(i) });
    }
    list
}

impl Bone {
    fn draw(&self, matrices: &[Affine], lines: &mut Vec<Line>) {
        let place = |id: NodeId| matrices[id.index()].transform_point(Vec3::ZERO);
        let from = place(self.from);
        let to = match (self.to, self.parent) {
            (Some(to), _) => place(to),
            // A stub in the direction of the previous bone.
            (None, Some(parent)) => from + 0.3 * (from - place(parent)),
            (None, None) => return,
        };
        let along = to - from;
        let length = along.length();
        if !(length.is_finite() && length > 0.0) {
            return;
        }
        // Normalized first, because the squares of tiny lengths underflow.
        let (u, v) = (along / length).any_orthonormal_pair();
        let ring = [u, v, -u, -v].map(|side| from + 0.14 * along + 0.07 * length * side);
        for (i, &corner) in ring.iter().enumerate() {
            for other in [from, to, ring[(i + 1) % 4]] {
                lines.push(line(corner, other, LineKind::Bone));
            }
        }
    }
}

fn push_box(bounds: &Aabb, matrix: &Affine, kind: LineKind, lines: &mut Vec<Line>) {
    let ends = [bounds.min, bounds.max];
    let corner =
        |i: usize| matrix.transform_point(Vec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2 & 1].z));
    for from in 0..8 {
        for axis in [1, 2, 4].into_iter().filter(|axis| from & axis == 0) {
            lines.push(line(corner(from), corner(from | axis), kind));
        }
    }
}

/// Adds the ground: ten squares to each side with sides of 1, 2 or 5 · 10ⁿ metres, large enough for all models.
fn push_grid(members: &[Member], lines: &mut Vec<Line>) {
    let boxes = members
        .iter()
        .filter(|member| !member.is_attached())
        .filter_map(|member| Some(member.asset.rest_box()?.transformed(&member.actor.place)));
    let Some(Aabb { min, max }) = boxes.reduce(|a, b| a.union(&b)) else { return };
    let reach = [min.x, min.z, max.x, max.z].into_iter().fold(0.1 * (max.y - min.y), |a, b| a.max(b.abs()));
    if !reach.is_finite() {
        return;
    }
    // In f64, so that the sides are round numbers.
    let mut side = 1e-6_f64;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(60) {
        if 10.0 * side >= 0.999 * f64::from(reach) {
            break;
        }
        side *= factor;
    }
    for i in -10..=10 {
        let (at, end) = ((f64::from(i) * side) as f32, (10.0 * side) as f32);
        for [from, to] in [[[at, -end], [at, end]], [[-end, at], [end, at]]] {
            let place = |[x, z]: [f32; 2]| Vec3::new(x, min.y, z);
            lines.push(line(place(from), place(to), LineKind::Grid));
        }
    }
}

/// Adds three great circles of a sphere.
fn push_sphere(center: Vec3, radius: f32, lines: &mut Vec<Line>) {
    const STEPS: usize = 48;
    let at = |i: usize| {
        let (sin, cos) = sin_cos(i as f32 * TAU / STEPS as f32);
        radius * Vec2::new(cos, sin)
    };
    for (a, b) in (0..STEPS).map(|i| (at(i), at(i + 1))) {
        let circles = [[a.extend(0.0), b.extend(0.0)]; 3].into_iter().enumerate();
        lines.extend(circles.map(|(turn, [a, b])| {
            let turned = |p: Vec3| center + [p, Vec3::new(p.z, p.x, p.y), Vec3::new(p.y, p.z, p.x)][turn];
            line(turned(a), turned(b), LineKind::Sphere)
        }));
    }
}

impl Asset {
    fn bones(&self) -> &[Bone] {
        self.bones.get_or_init(|| bones(&self.model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Node, Skin};

    fn model(parents: &[Option<usize>], joints: &[usize]) -> Model {
        let node = |parent: &Option<usize>| Node { parent: parent.map(NodeId::new), ..Node::default() };
        let skin = Skin {
            name: String::new(),
            joints: joints.iter().copied().map(NodeId::new).collect(),
            inverse_bind: Vec::new(),
        };
        Model {
            nodes: parents.iter().map(node).collect(),
            skins: if joints.is_empty() { Vec::new() } else { vec![skin] },
            ..Model::default()
        }
    }

    fn ends(model: &Model) -> Vec<(usize, Option<usize>)> {
        bones(model).iter().map(|bone| (bone.from.index(), bone.to.map(NodeId::index))).collect()
    }

    #[test]
    fn debug_bones_connect_joints_across_other_nodes() {
        // 0 ── 1 ── 2 (no joint) ── 3, and 4 beside.
        let tree = [None, Some(0), Some(1), Some(2), Some(0)];
        assert_eq!(ends(&model(&tree, &[0, 1, 3])), [(0, Some(1)), (1, Some(3)), (3, None)]);
        let all = [(0, Some(1)), (1, Some(2)), (2, Some(3)), (0, Some(4)), (3, None), (4, None)];
        assert_eq!(ends(&model(&tree, &[])), all, "without a skin all nodes count");
    }

    #[test]
    fn debug_bone_has_twelve_lines_between_its_joints() {
        let at = |x: f32| Affine::from(glam::Mat4::from_translation(Vec3::new(x, 0.0, 0.0)));
        let matrices = [at(1.0), at(3.0), at(3.0)];
        let bone = |from, to| Bone { from: NodeId::new(from), to: Some(NodeId::new(to)), parent: None };
        let mut lines = Vec::new();
        bone(0, 1).draw(&matrices, &mut lines);
        assert_eq!(lines.len(), 12);
        let touches = |x: f32| lines.iter().filter(|[_, to]| to[..3] == [x, 0.0, 0.0]).count();
        assert_eq!((touches(1.0), touches(3.0)), (4, 4));
        bone(1, 2).draw(&matrices, &mut lines);
        assert_eq!(lines.len(), 12, "no length, no lines");
    }

    #[test]
    fn debug_boxes_have_twelve_edges() {
        let mut lines = Vec::new();
        let bounds = Aabb { min: Vec3::ZERO, max: Vec3::new(1.0, 2.0, 4.0) };
        push_box(&bounds, &Affine::identity(), LineKind::Bounds, &mut lines);
        let length = |[a, b]: &Line| (0..3).map(|i| (a[i] - b[i]).abs()).sum::<f32>();
        assert_eq!((lines.len(), lines.iter().map(length).sum::<f32>()), (12, 4.0 * 7.0));
    }

    #[test]
    fn debug_joint_is_found_by_name_or_index() {
        let mut model = model(&[None, Some(0)], &[0, 1]);
        model.nodes[1].name = "Left Arm".to_owned();
        model.node_of_source = vec![NodeId::new(1), NodeId::new(0)];
        let of = |joint: &str, surface| {
            DebugViews { joint: joint.to_owned(), surface: Some(surface), ..DebugViews::default() }
                .joint_of(&model)
        };
        assert_eq!(of("Left Arm", Channel::Weights), Some(NodeId::new(1)));
        assert_eq!(of("1", Channel::Weights), Some(NodeId::new(0)));
        assert_eq!(of("2", Channel::Weights), None);
        assert_eq!(of("Tail", Channel::Weights), None);
        assert_eq!(of("Left Arm", Channel::Normals), None);
    }
}
