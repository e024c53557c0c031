//! The compiled animation of a model.

use super::pose::Pose;
use crate::animation::clip::{ChannelSet, ClipTables, Compiling};
use crate::base::Affine;
use crate::model::{Clip, ClipId, HumanBone, Model, NodeId, PaletteLayout, Path};
use gambol_kernels::{ROOT, Slot};
use glam::Vec3;
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Flat arrays for computing a palette from a clip and a time; shared by all actors of a model.
#[derive(Debug, Clone)]
pub struct Rig {
    /// The indices of the meshes' matrices and weights.
    pub layout: Rc<PaletteLayout>,
    /// The index of each node's parent, or `ROOT`.
    parents: Vec<u32>,
    rest: Pose,
    /// Nodes that no clip animates and whose local matrix cannot be expressed as TRS.
    fixed: Vec<(usize, Affine)>,
    slots: Vec<Slot>,
    /// Shared by the versions of a rig, which differ in some clips.
    clips: Vec<Rc<RigClip>>,
    /// The node of each morph weight in a pose.
    node_of_weight: Vec<NodeId>,
    /// For each property of a pose, the node whose visibility it is; `None` for other properties.
    node_of_property: Vec<Option<NodeId>>,
    /// The visibility of each node at rest, without its ancestors; empty if no node is ever hidden.
    visible: Vec<bool>,
    /// See [`Model::front`].
    front: Vec3,
    /// See [`Rig::lowest_look`].
    lowest_looks: Vec<(NodeId, f32)>,
}

/// The largest clip that is compiled when it is first sampled, in numbers of its keys. That takes at most a few milliseconds, and
/// the tables of clips that nobody plays take no memory: in a file of motion they would be as large as the file.
const AT_FIRST_USE: usize = 1 << 18;

/// A compiled clip.
#[derive(Debug)]
struct RigClip {
    /// The keys; see [`Rig::tables`].
    tables: OnceCell<ClipTables>,
    /// The clip to compile at the first use; `None` if `tables` are there from the beginning.
    clip: Option<Arc<Clip>>,
    /// The parts of a pose that it animates.
    channels: ChannelSet,
    /// In seconds.
    duration: f32,
}

/// Compiles a [`Rig`] in small steps, because a model may have millions of keys.
#[derive(Debug)]
pub struct RigBuilder {
    /// The rig, with only the clips that need no further step.
    rig: Rig,
    compiling: Compiling,
}

impl RigBuilder {
    /// Begins to compile the animation of a model.
    pub fn new(model: &Model) -> Self {
        Self { rig: Rig::without_clips(model), compiling: Compiling::default() }
    }

    /// Continues until about `budget` numbers of keys are processed. Returns `true` if more work remains.
    ///
    /// - `model`: the model passed to [`RigBuilder::new`].
    pub fn advance(&mut self, model: &Model, budget: usize) -> bool {
        let Self { rig, compiling } = self;
        let Some(clip) = model.clips.get(rig.clips.len()) else { return false };
        if numbers(clip) <= AT_FIRST_USE {
            rig.clips.push(Rc::new(RigClip { clip: Some(Arc::clone(clip)), ..rig.described(clip) }));
        } else if !compiling.advance(clip, &rig.rest, &rig.layout, budget) {
            let tables = std::mem::take(compiling).finish();
            rig.clips.push(Rc::new(RigClip { tables: tables.into(), ..rig.described(clip) }));
        }
        rig.clips.len() < model.clips.len()
    }

    /// The indices of the meshes' matrices and weights.
    pub fn layout(&self) -> &PaletteLayout {
        &self.rig.layout
    }

    /// Completes the remaining work and returns the rig.
    pub fn finish(mut self, model: &Model) -> Rig {
        while self.advance(model, usize::MAX) {}
        self.rig
    }
}

/// The numbers that the keys of a clip consist of.
fn numbers(clip: &Clip) -> usize {
    clip.curves.iter().map(|curve| curve.values().len()).sum()
}

impl Rig {
    /// Compiles the animation of a model.
    pub fn new(model: &Model) -> Self {
        RigBuilder::new(model).finish(model)
    }

    fn without_clips(model: &Model) -> Self {
        let layout = PaletteLayout::new(model);
        let transforms: Vec<_> = model.nodes.iter().map(|node| node.rest).collect();
        let weights = model.nodes.iter().flat_map(|node| node.weights.iter().copied()).collect();
        let mut rest = Pose::new(&transforms, weights);
        rest.properties.clone_from(&layout.properties.base);
        let mut animated = vec![false; model.nodes.len()];
        let channels = model.clips.iter().flat_map(|clip| &clip.channels);
        for channel in channels.filter(|channel| channel.path != Path::Weights) {
            animated[channel.node.index()] = true;
        }
        let nodes = model.nodes.iter().enumerate();
        let fixed = nodes
            .filter(|&(i, _)| !animated[i])
            .filter_map(|(i, node)| Some((i, Affine::from(node.rest_matrix?))))
            .collect();
        let parent = |node: Option<NodeId>| node.map_or(ROOT, |node| node.index() as u32);
        let slots = layout.slots.iter().map(|slot| Slot {
            node: slot.node.index() as u32,
            has_offset: slot.node_from_mesh.is_some(),
            node_from_mesh: slot.node_from_mesh.map_or_else(Affine::identity, Affine::from),
        });
        let hides =
            model.nodes.iter().any(|node| !node.visible) || layout.properties.visible().next().is_some();
        let weights = model.nodes.iter().enumerate();
        let node_of_weight = weights.flat_map(|(i, node)| vec![NodeId::new(i); node.weights.len()]).collect();
        let mut node_of_property = vec![None; layout.properties.base.len()];
        for (node, at) in layout.properties.visible() {
            node_of_property[at] = Some(node);
        }
        Self {
            node_of_weight,
            node_of_property,
            visible: model.nodes.iter().filter(|_| hides).map(|node| node.visible).collect(),
            parents: model.nodes.iter().map(|node| parent(node.parent)).collect(),
            slots: slots.collect(),
            clips: Vec::with_capacity(model.clips.len()),
            rest,
            fixed,
            front: model.front(),
            lowest_looks: lowest_looks(model),
            layout: Rc::new(layout),
        }
    }

    /// A copy with other clips.
    pub(super) fn with_clips<'a>(&self, clips: impl IntoIterator<Item = &'a Clip>) -> Self {
        let mut rig = Self { clips: Vec::new(), ..self.clone() };
        clips.into_iter().for_each(|clip| rig.push(clip));
        rig
    }

    /// Adds a clip of the model. Channels of nodes that are [fixed](Rig::is_fixed) have no effect, and neither have
    /// properties that are not in the layout; see [`Rig::widen`].
    pub(super) fn push(&mut self, clip: &Clip) {
        self.clips.push(Rc::new(self.compiled(clip)));
    }

    /// Replaces a clip by another one of the model; see [`Rig::push`].
    pub(super) fn replace(&mut self, id: ClipId, clip: &Clip) {
        self.clips[id.index()] = Rc::new(self.compiled(clip));
    }

    /// Makes room in poses for the properties of a clip of `model` that no clip has animated before. The indices of the others
    /// do not change, so compiled clips stay valid.
    pub(super) fn widen(&mut self, model: &Model, clip: &Clip) {
        let Some(properties) = self.layout.properties.widened(model, clip) else { return };
        self.rest.properties.clone_from(&properties.base);
        self.node_of_property.resize(properties.base.len(), None);
        for (node, at) in properties.visible() {
            self.node_of_property[at] = Some(node);
        }
        if self.visible.is_empty() && properties.visible().next().is_some() {
            self.visible = model.nodes.iter().map(|node| node.visible).collect();
        }
        self.layout = Rc::new(PaletteLayout { properties, ..(*self.layout).clone() });
    }

    /// Replaces a clip by one without channels.
    pub(super) fn clear(&mut self, clip: ClipId) {
        self.replace(clip, &Clip::default());
    }

    fn compiled(&self, clip: &Clip) -> RigClip {
        let tables = ClipTables::new(clip, &self.rest, &self.layout);
        RigClip { tables: tables.into(), ..self.described(clip) }
    }

    /// A clip without its keys.
    fn described(&self, clip: &Clip) -> RigClip {
        let channels = ChannelSet::new(clip, self.node_count(), &self.layout);
        RigClip { tables: OnceCell::new(), clip: None, channels, duration: clip.duration }
    }

    /// The duration of a clip, in seconds.
    pub fn duration(&self, clip: ClipId) -> f32 {
        self.clips[clip.index()].duration
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.parents.len()
    }

    /// The number of clips.
    pub fn clip_count(&self) -> usize {
        self.clips.len()
    }

    /// The number of matrices in an actor's palette.
    pub fn palette_len(&self) -> usize {
        self.slots.len()
    }

    /// The pose of the file without any clip.
    pub fn rest_pose(&self) -> &Pose {
        &self.rest
    }

    /// Writes the pose of `clip` at `time`, a pure function of both.
    ///
    /// - `time`: in seconds of the clip. Before a channel's first key and after its last key the value is
    ///   constant.
    /// - `pose`: a pose of this rig. Channels that the clip does not animate are set to the rest pose.
    ///
    /// Spec: glTF 2.0 §3.11, Appendix C.
    ///
    /// # Panics
    /// If the clip or the pose is of another model.
    #[inline]
    pub fn sample(&self, clip: ClipId, time: f64, pose: &mut Pose) {
        pose.copy_from(&self.rest);
        self.tables(clip).sample(time, pose);
    }

    /// Equal to [`Rig::sample`], but for a pose that was already sampled from the same clip, at any time.
    #[inline]
    pub(super) fn sample_again(&self, clip: ClipId, time: f64, pose: &mut Pose) {
        let tables = self.tables(clip);
        tables.sample_changing(tables.find(time), time, pose);
    }

    /// Writes the channels of `clip` at `time` into `pose`; the rest of the pose is not changed.
    #[inline]
    pub(super) fn sample_over(&self, clip: ClipId, time: f64, pose: &mut Pose) {
        self.tables(clip).sample(time, pose);
    }

    /// The keys of a clip, which are compiled now if nobody asked before.
    #[inline]
    pub(super) fn tables(&self, clip: ClipId) -> &ClipTables {
        let RigClip { tables, clip, .. } = &*self.clips[clip.index()];
        tables.get_or_init(|| match clip {
            Some(clip) => ClipTables::new(clip, &self.rest, &self.layout),
            None => ClipTables::default(),
        })
    }

    /// The parts of a pose that a clip animates.
    #[inline(always)]
    pub(super) fn channel_set(&self, clip: ClipId) -> &ChannelSet {
        &self.clips[clip.index()].channels
    }

    /// The node of each morph weight in a pose.
    pub(super) fn node_of_weight(&self) -> &[NodeId] {
        &self.node_of_weight
    }

    /// For each property of a pose, the node whose visibility it is. Visibility is Boolean and is never
    /// blended. Other properties are numbers and belong to no node: `None`.
    pub(super) fn node_of_property(&self) -> &[Option<NodeId>] {
        &self.node_of_property
    }

    /// Computes the matrix `world_from_node` of every node by multiplying down the tree.
    ///
    /// - `world_from_model`: the transform of the actor.
    /// - `matrices`: resized to one per node, parents before children, rounded up to a multiple of four.
    ///
    /// # Panics
    /// If the pose is of another model.
    #[inline]
    pub fn node_matrices(&self, pose: &Pose, world_from_model: &Affine, matrices: &mut Vec<Affine>) {
        self.local_matrices(pose, matrices);
        self.descend(0..self.parents.len(), world_from_model, matrices);
    }

    /// Computes the local matrix of every node, four nodes at a time.
    pub(super) fn local_matrices(&self, pose: &Pose, matrices: &mut Vec<Affine>) {
        assert_eq!(pose.groups.len(), self.rest.groups.len(), "the pose belongs to another model");
        matrices.resize(pose.groups.len() * 4, Affine::identity());
        gambol_kernels::local_matrices(&pose.groups, matrices);
        for (node, local) in &self.fixed {
            matrices[*node] = *local;
        }
    }

    /// Converts local matrices of consecutive nodes to world matrices, in place. Parents come before
    /// children. The matrices of all nodes before must already be world matrices.
    pub(super) fn descend(&self, nodes: Range<usize>, world_from_model: &Affine, matrices: &mut [Affine]) {
        gambol_kernels::descend(&self.parents, nodes, world_from_model, matrices);
    }

    /// The direction in which the model looks at rest; see [`Model::front`].
    pub fn front(&self) -> Vec3 {
        self.front
    }

    /// The largest angle by which a node may look down, in radians below the plane across the direction that is up in its
    /// parent; `None` if it is unknown.
    pub(super) fn lowest_look(&self, node: NodeId) -> Option<f32> {
        self.lowest_looks.iter().find(|(head, _)| *head == node).map(|(_, angle)| *angle)
    }

    /// The parent of a node; `None` for a root.
    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parents[node.index()];
        (parent != ROOT).then(|| NodeId::new(parent as usize))
    }

    /// The index of each node's parent, or [`ROOT`].
    pub(super) fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The matrices of a palette.
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The nodes whose local matrix cannot be expressed as TRS, and those matrices.
    pub(super) fn fixed(&self) -> &[(usize, Affine)] {
        &self.fixed
    }

    /// `true` if a node keeps the matrix of the file in every pose, because TRS cannot express it.
    pub fn is_fixed(&self, node: NodeId) -> bool {
        self.fixed.binary_search_by_key(&node.index(), |&(node, _)| node).is_ok()
    }

    /// `true` if any node can be hidden.
    pub(super) fn may_hide(&self) -> bool {
        !self.visible.is_empty()
    }

    /// Writes the visibility of each node, including its ancestors; clears the list if no node is ever
    /// hidden.
    ///
    /// Spec: KHR_node_visibility.
    ///
    /// # Panics
    /// If the pose is of another model.
    pub fn visibility(&self, pose: &Pose, visible: &mut Vec<bool>) {
        self.visibility_with(pose, &[], visible);
    }

    /// As [`Rig::visibility`], but some nodes are shown or hidden in place of the file and the pose.
    ///
    /// # Panics
    /// If the pose is of another model.
    pub fn visibility_with(&self, pose: &Pose, shown: &[(NodeId, bool)], visible: &mut Vec<bool>) {
        // Most models hide no node. An empty copy would still cost a function call.
        if self.visible.is_empty() && visible.is_empty() && shown.is_empty() {
            return;
        }
        visible.clone_from(&self.visible);
        if visible.is_empty() {
            if shown.is_empty() {
                return;
            }
            visible.resize(self.parents.len(), true);
        }
        for (node, at) in self.layout.properties.visible() {
            visible[node.index()] = pose.properties[at] != 0.0;
        }
        for &(node, shown) in shown {
            visible[node.index()] = shown;
        }
        for (i, &parent) in self.parents.iter().enumerate() {
            visible[i] &= parent == ROOT || visible[parent as usize];
        }
    }

    /// Writes the matrices `K = world_from_node · node_from_mesh` in the order of [`Rig::layout`].
    ///
    /// - `matrices`: from [`Rig::node_matrices`].
    /// - `palette`: [`Rig::palette_len`] matrices.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn palette(&self, matrices: &[Affine], palette: &mut [Affine]) {
        assert_eq!(palette.len(), self.slots.len(), "the palette belongs to another model");
        gambol_kernels::palette(&self.slots, matrices, palette);
    }
}

/// The head and the neck of an avatar, as far as they bend forwards before the chin meets the chest. Together they reach what
/// people reach, 55°.
fn lowest_looks(model: &Model) -> Vec<(NodeId, f32)> {
    let bones = model.humanoid.iter().flat_map(|humanoid| &humanoid.bones);
    let angle = |bone| match bone {
        HumanBone::Head => Some(30.0_f32),
        HumanBone::Neck => Some(25.0),
        _ => None,
    };
    bones.filter_map(|&(bone, node)| Some((node, angle(bone)?.to_radians()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Transform;
    use crate::model::{Channel, Curve, Interpolation, Node, Skin};
    use glam::{Mat4, Quat};

    fn node(parent: Option<usize>, rest: Transform) -> Node {
        Node { parent: parent.map(NodeId::new), rest, ..Node::default() }
    }

    fn turned(angle: f32, x: f32) -> Transform {
        Transform {
            translation: Vec3::new(x, 0.5, 0.0),
            rotation: Quat::from_rotation_z(angle),
            scale: Vec3::new(1.0, 2.0, 1.0),
        }
    }

    #[test]
    fn rig_matrices_multiply_down_the_tree_and_keep_shear() {
        let rests =
            [turned(0.1, 0.0), turned(0.2, 1.0), turned(0.3, 2.0), turned(0.4, 3.0), turned(0.5, 4.0)];
        let parents = [None, Some(0), Some(1), None, Some(2)];
        let mut model = crate::model::Model {
            nodes: parents.iter().zip(rests).map(|(&parent, rest)| node(parent, rest)).collect(),
            ..Default::default()
        };
        let shear = Mat4::from_cols_array(&[1., 0., 0., 0., 0.7, 1., 0., 0., 0., 0., 1., 0., 5., 0., 0., 1.]);
        model.nodes[1].rest_matrix = Some(shear);
        let rig = Rig::new(&model);
        let place = Mat4::from_translation(Vec3::new(0.0, 0.0, 7.0));
        let mut matrices = Vec::new();
        rig.node_matrices(rig.rest_pose(), &place.into(), &mut matrices);
        let local = |i: usize| rests[i].to_matrix();
        let want = [
            place * local(0),
            place * local(0) * shear,
            place * local(0) * shear * local(2),
            place * local(3),
            place * local(0) * shear * local(2) * local(4),
        ];
        for (got, want) in matrices.iter().zip(want) {
            assert!(Mat4::from(*got).abs_diff_eq(want, 1e-5));
        }
    }

    #[test]
    fn rig_palette_is_the_identity_if_the_bind_pose_is_the_rest_pose() {
        let mut model = crate::model::Model {
            nodes: vec![
                node(None, turned(0.4, 1.0)),
                node(Some(0), turned(-1.0, 2.0)),
                node(None, turned(2.0, 9.0)),
            ],
            meshes: vec![Default::default()],
            ..Default::default()
        };
        let world = [
            model.nodes[0].rest.to_matrix(),
            model.nodes[0].rest.to_matrix() * model.nodes[1].rest.to_matrix(),
        ];
        model.skins.push(Skin {
            joints: vec![NodeId::new(1), NodeId::new(0)],
            inverse_bind: vec![world[1].inverse(), world[0].inverse()],
            ..Default::default()
        });
        model.nodes[2].mesh = Some(crate::model::MeshId::new(0));
        model.nodes[2].skin = Some(crate::model::SkinId::new(0));
        let rig = Rig::new(&model);
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
        rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
        rig.palette(&matrices, &mut palette);
        assert_eq!(palette.len(), 2);
        for matrix in palette {
            assert!(
                Mat4::from(matrix).abs_diff_eq(Mat4::IDENTITY, 1e-5),
                "the mesh node's own transform is ignored"
            );
        }
    }

    #[test]
    fn rig_clips_are_compiled_when_they_are_first_sampled_but_large_ones_at_once_in_steps() {
        let parents = [None, Some(0)];
        let mut model = Model {
            nodes: parents.iter().map(|&parent| node(parent, Transform::default())).collect(),
            ..Default::default()
        };
        // The last key is at 1 s in both; the second clip is just too large.
        for keys in [3, AT_FIRST_USE / 3 + 1] {
            let times = (0..keys).map(|i| i as f32 / (keys - 1) as f32).collect();
            let values = (0..keys).flat_map(|i| [i as f32 / (keys - 1) as f32, 0.0, 0.0]).collect();
            let curve = Curve::new(Interpolation::Linear, 3, times, values).expect("a good curve");
            let channels = vec![Channel { node: NodeId::new(1), path: Path::Translation, curve: 0 }];
            let clip = Clip { duration: 1.0, channels, curves: vec![curve], ..Clip::default() };
            model.clips.push(clip.into());
        }
        let mut builder = RigBuilder::new(&model);
        let steps =
            std::iter::repeat_with(|| builder.advance(&model, 1 << 14)).take_while(|&more| more).count();
        assert!(steps > AT_FIRST_USE >> 14, "{steps} steps");
        let rig = builder.finish(&model);
        let compiled = |rig: &Rig| [0, 1].map(|i| rig.clips[i].tables.get().is_some());
        assert_eq!(compiled(&rig), [false, true]);

        let eager = rig.with_clips(model.clips.iter().map(|clip| &**clip));
        assert_eq!(compiled(&eager), [true, true]);
        let x = |rig: &Rig, clip: usize| {
            let mut pose = rig.rest_pose().clone();
            rig.sample(ClipId::new(clip), 0.25, &mut pose);
            pose.get(NodeId::new(1)).translation.x
        };
        for clip in [0, 1] {
            assert_eq!((x(&rig, clip), x(&eager, clip)), (0.25, 0.25), "clip {clip}");
        }
        assert_eq!(compiled(&rig), [true, true]);
        let older = rig.clone();
        assert!(
            std::ptr::eq(rig.tables(ClipId::new(0)), older.tables(ClipId::new(0))),
            "copies share the tables"
        );
    }
}
