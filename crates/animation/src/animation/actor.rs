//! One animated instance of a model.

use super::clip_set::ClipSet;
use super::flipbook::Flipbooks;
use super::pose::Pose;
use super::rig::Rig;
use crate::animation::mixing::{Inertia, Mix, Mixer};
use crate::animation::player::{Player, Rigid};
use crate::animation::procedural::{
    Billboards, ChainGoals, ChainIk, Expressions, Facing, Feet, Gaze, GazeControl, JointLimit, LookAt,
    MaterialChanges, MorphOverrides, Overrides, RootMotion, RootOptions, Springs, advance, bind, extract,
    in_place, look, reach, stand, swing,
};
use crate::animation::skin::{Bounds, Sharing, rotations_of};
use crate::base::{Aabb, Affine, F32x4, feature};
use crate::model::{ClipId, Model, NodeId, SpringBones, VariantId};
use glam::Mat4;
use std::rc::Rc;

/// An instance of a model with its own playback state, pose and position. It shares the rig with other
/// actors.
#[derive(Debug, Clone)]
pub struct Actor {
    rig: Rc<Rig>,
    /// The player that selects clips and times.
    pub player: Player,
    /// Position, rotation and scale in the world: `world_from_model`.
    pub place: Affine,
    /// Overrides of joints by the page, applied after animation.
    pub overrides: Overrides,
    /// Overrides of morph weights by the page, applied after animation.
    pub morphs: MorphOverrides,
    /// Expressions, applied after animation and before the overrides of morph weights.
    pub expressions: Expressions,
    gaze: GazeControl,
    /// Inverse kinematics of chains, applied after the overrides of joints.
    pub chains: ChainGoals,
    /// Spring bones, applied after all other changes of joints.
    pub springs: Springs,
    /// Nodes whose geometry faces the camera, see [`Actor::face`]. On a stage they are changed by
    /// `Stage::sprites_mut`.
    pub billboards: Billboards,
    /// Textures that are animated by cells. On a stage they are changed by
    /// `Stage::sprites_mut`.
    pub flipbooks: Flipbooks,
    /// Changes of materials by the page, applied after animation.
    pub materials: MaterialChanges,
    /// Nodes that the page shows or hides, sorted, in place of the file and its animation.
    shown: Vec<(NodeId, bool)>,
    mix: Mix,
    mixer: Mixer,
    inertia: Inertia,
    /// `true` if the pose has jumped since the last update, so that gaze, feet and springs begin anew.
    cut: bool,
    /// `true` if the actor has been moved without physics since the last update, so that gaze and feet begin anew.
    teleported: bool,
    pose: Pose,
    /// The only clip that the pose was sampled from; its constant channels are already in the pose.
    sampled: Option<ClipId>,
    matrices: Vec<Affine>,
    palette: Vec<Affine>,
    /// Rotations of the palette, for blending with dual quaternions.
    rotations: Vec<F32x4>,
    visible: Vec<bool>,
    root_motion: RootMotion,
    root_options: RootOptions,
    /// The material variant in use.
    pub variant: Option<VariantId>,
}

feature! {
    list for_root_motion;
    fn travel(actor: &mut Actor) = Actor::travel;
    fn move_roots(actor: &mut Actor, model: &Model, clip_set: &ClipSet) -> Rig = Actor::move_roots;
}

impl Actor {
    /// An actor in the rest pose; paused at the beginning of the [opening](crate::model::Clip::opening) clip.
    pub fn new(model: &Model, rig: Rc<Rig>) -> Self {
        let mut actor = Self {
            player: Player::new(&model.clips, 0.0),
            place: Affine::identity(),
            overrides: Overrides::default(),
            morphs: MorphOverrides::default(),
            expressions: Expressions::default(),
            gaze: GazeControl::default(),
            chains: ChainGoals::default(),
            springs: Springs::default(),
            billboards: Billboards::default(),
            flipbooks: Flipbooks::default(),
            materials: MaterialChanges::default(),
            shown: Vec::new(),
            mix: Mix::default(),
            mixer: Mixer::new(),
            inertia: Inertia::new(),
            cut: false,
            teleported: false,
            pose: rig.rest_pose().clone(),
            sampled: None,
            matrices: Vec::with_capacity(rig.node_count()),
            palette: vec![Affine::identity(); rig.palette_len()],
            rotations: Vec::new(),
            visible: Vec::new(),
            root_motion: RootMotion::Keep,
            root_options: RootOptions::default(),
            variant: None,
            rig,
        };
        if let Some(springs) = &model.springs {
            actor.springs = bind(&actor.rig, springs);
        }
        actor.update();
        actor
    }

    /// Makes a node look at a target; see [`Overrides::set_look_at`]. A gaze of the node is over at once.
    pub fn set_look_at(&mut self, node: NodeId, look_at: LookAt) {
        self.gaze.cut(node, &mut self.overrides);
        self.overrides.set_look_at(&self.rig, node, look_at);
    }

    /// Removes the look-at constraint of a node, or ends the gaze of which it is the last joint.
    pub fn end_look_at(&mut self, node: NodeId) {
        if self.gaze.eye() == Some(node) {
            self.set_gaze(None);
        } else {
            self.overrides.remove_look_at(node);
        }
    }

    /// Makes several joints look at a target together; see [`GazeControl::set`].
    pub fn set_gaze(&mut self, gaze: Option<Gaze>) {
        self.gaze.set(
            &self.rig,
            (&self.player).into(),
            gaze,
            &self.place,
            &self.matrices,
            &mut self.overrides,
        );
    }

    /// Sets the inverse kinematics of a chain in place of the two-bone IK of its end; see [`ChainGoals::set`].
    pub fn set_chain(&mut self, joints: &[NodeId], limits: &[JointLimit], ik: ChainIk) {
        if let Some(&end) = joints.last() {
            self.overrides.remove_ik(end);
        }
        self.chains.set(&self.rig, joints, limits, ik);
    }

    /// Replaces the spring bones of a node and of all nodes below it; see [`Springs::replace`].
    pub fn set_springs(&mut self, root: NodeId, springs: &SpringBones) {
        let rig = Rc::clone(&self.rig);
        let is_below = |node: NodeId| {
            let mut up = Some(node);
            while let Some(at) = up.filter(|&at| at > root) {
                up = rig.parent(at);
            }
            up == Some(root)
        };
        self.springs.replace(&rig, is_below, springs);
    }

    /// Puts the feet on the ground; see [`Overrides::set_feet`].
    pub fn set_feet(&mut self, feet: Option<Feet>) -> bool {
        self.overrides.set_feet(&self.rig, feet, &self.player)
    }

    /// Sets the handling of root motion. Accumulated motion restarts.
    pub fn set_root_motion(
        &mut self,
        model: &Model,
        clip_set: &ClipSet,
        motion: RootMotion,
        options: RootOptions,
    ) {
        (self.root_motion, self.root_options) = (motion, options);
        let extracts = matches!(motion, RootMotion::Accumulate | RootMotion::Extract);
        self.player.set_travel(extracts.then(Vec::new));
        self.update_clips(model, clip_set);
    }

    /// Takes over the clips of its model after some were added, removed or replaced.
    pub fn update_clips(&mut self, model: &Model, clip_set: &ClipSet) {
        self.player.update_clips(clip_set);
        self.sampled = None;
        // It keeps poses of clips that may be others now, and poses without properties that were added.
        self.mixer = Mixer::new();
        self.rig = match self.root_motion {
            RootMotion::Keep => Rc::clone(&clip_set.rig),
            _ => Rc::new(move_roots(self, model, clip_set)),
        };
    }

    /// Extracts or removes the root motion of all clips; returns a rig without it.
    fn move_roots(&mut self, model: &Model, clip_set: &ClipSet) -> Rig {
        if self.root_motion == RootMotion::InPlace {
            return in_place(model, &clip_set.clips, &clip_set.rig);
        }
        let (roots, rig) = extract(model, &clip_set.clips, &clip_set.rig, &self.root_options);
        self.player.set_roots(roots);
        rig
    }

    /// The options of [`Actor::set_root_motion`].
    pub fn root_options(&self) -> &RootOptions {
        &self.root_options
    }

    /// `true` if time alone changes the pose: the player moves, a morph weight or an expression fades, eyes blink or
    /// glance by themselves, a spring bone swings, a gaze turns, a foot moves to the ground, or a flip-book plays.
    pub fn is_moving(&self) -> bool {
        let swings = self.springs.is_swinging() || self.gaze.is_turning() || self.overrides.feet_are_moving();
        self.player.is_moving()
            || self.morphs.is_fading(self.player.elapsed())
            || self.expressions.is_moving(self.player.elapsed())
            || self.flipbooks.move_at(&self.player)
            || self.materials.fade(self.player.elapsed())
            || self.player.clock_runs() && swings
    }

    /// `true` if the pose depends on all updates before: by spring bones, a gaze or feet.
    pub fn has_memory(&self) -> bool {
        !self.springs.is_empty() || !self.gaze.is_empty() || self.overrides.has_feet()
    }

    /// Declares that [`Actor::place`] changes without physics: in the next update, spring bones move with the actor, and
    /// gaze and feet begin anew.
    pub fn teleport(&mut self) {
        self.teleported = true;
        self.springs.carry();
    }

    /// The root motion up to now; `None` without any.
    pub fn root_travel(&self) -> Option<Rigid> {
        self.player.travel().map(|travel| travel.total())
    }

    /// Moves the actor by its root motion.
    fn travel(&mut self) {
        if let Some(travel) = self.root_travel() {
            self.place = travel.moved(&self.place);
        }
    }

    /// Begins the player's pending transitions, each at its own moment. [`Actor::update`] does so, too.
    ///
    /// With a call before and after each step of time, poses do not depend on the poses that were computed before.
    pub fn begin_transition(&mut self) {
        while let Some(mut change) = self.player.take_transition() {
            self.cut |= change.cut;
            self.inertia.change(&self.rig, &mut self.mixer, &mut change);
        }
    }

    /// Samples the player's current state into pose, node matrices and palette. Applies the rest of the last
    /// transition and the overrides.
    pub fn update(&mut self) {
        self.begin_transition();
        let cut = std::mem::take(&mut self.cut);
        let moved = std::mem::take(&mut self.teleported) || cut;
        let only = self.player.only();
        match only {
            Some((clip, time)) if self.sampled == Some(clip) => {
                self.rig.sample_again(clip, time, &mut self.pose)
            }
            Some((clip, time)) => self.rig.sample(clip, time, &mut self.pose),
            None => {
                self.player.mix_at(self.player.now(), &mut self.mix);
                self.mixer.evaluate(&self.rig, &self.mix, &mut self.pose);
            }
        }
        let clock = self.player.clock();
        self.inertia.apply(clock, &mut self.pose);
        let elapsed = self.player.elapsed();
        let face = self.morphs.applies(elapsed) || self.expressions.applies(elapsed);
        let overridden = !self.overrides.is_empty() || face;
        let changed = self.inertia.is_active(clock) || overridden;
        self.sampled = only.filter(|_| !changed).map(|(clip, _)| clip);
        if self.root_motion == RootMotion::Accumulate {
            travel(self);
        }
        if !self.gaze.is_empty() {
            let Self { gaze, player, place, matrices, overrides, .. } = self;
            look(gaze, player, moved, place, matrices, overrides);
        }
        if self.overrides.has_feet() {
            stand(&mut self.overrides, &self.player, moved);
        }
        if !self.springs.is_empty() {
            advance(&mut self.springs, &self.player, cut);
        }
        self.flipbooks.update(&mut self.player);
        self.put();
    }

    /// `true` if [`Actor::update`] changes a state on which later poses depend.
    pub fn takes_step(&self) -> bool {
        self.has_memory() || self.player.has_change()
    }

    /// Computes the same as [`Actor::update`], but transitions, springs, gaze and feet keep the state of the last update.
    /// So the call changes no later pose.
    pub fn show(&mut self) {
        if self.takes_step() { self.show_and_restore() } else { self.update() }
    }

    fn show_and_restore(&mut self) {
        self.gaze.keep_eye(&self.matrices);
        let (cut, teleported) = (self.cut, self.teleported);
        let (springs, gaze) = (self.springs.clone(), self.gaze.clone());
        let (player, inertia, overrides) =
            (self.player.clone(), self.inertia.clone(), self.overrides.clone());
        self.update();
        (self.cut, self.teleported) = (cut, teleported);
        (self.springs, self.gaze) = (springs, gaze);
        (self.player, self.inertia) = (player, inertia);
        let shown = std::mem::replace(&mut self.overrides, overrides);
        self.overrides.set_foot_places(&shown);
    }

    /// Samples `clip` at `time` seconds, or the rest pose, into pose, node matrices and palette, with the
    /// overrides. Spring bones are settled.
    ///
    /// # Panics
    /// If the clip is not of this actor's model.
    pub fn update_to(&mut self, clip: Option<ClipId>, time: f64) {
        self.sampled = None;
        match clip {
            Some(clip) => self.rig.sample(clip, time, &mut self.pose),
            None => self.pose.copy_from(self.rig.rest_pose()),
        }
        self.springs.reset();
        self.overrides.reset_feet();
        self.put();
        // The next update does not continue from this pose.
        self.springs.reset();
    }

    /// Computes the matrices from the animated pose.
    fn put(&mut self) {
        self.expressions.pose(&self.player, &mut self.pose);
        self.morphs.pose(self.player.elapsed(), &mut self.pose);
        self.overrides.pose(&self.rig, &mut self.pose);
        self.overrides.node_matrices(&self.rig, &self.pose, &self.place, &mut self.matrices);
        if !self.chains.is_empty() {
            reach(&mut self.chains, &self.place, &mut self.matrices);
        }
        if !self.springs.is_empty() {
            swing(&mut self.springs, &self.place, &mut self.matrices);
        }
        self.rig.palette(&self.matrices, &mut self.palette);
        self.billboards.forget();
        self.rig.visibility_with(&self.pose, &self.shown, &mut self.visible);
        self.materials.update(self.player.elapsed(), &self.rig.layout.properties, &self.pose.properties);
    }

    /// Shows or hides a node with all nodes below it, in place of the file and its animation, from the next update on; `None`
    /// ends it. A node is hidden, too, if a node above it is.
    pub fn set_shown(&mut self, node: NodeId, shown: Option<bool>) {
        let at = self.shown.binary_search_by_key(&node, |&(node, _)| node);
        match (at, shown) {
            (Ok(at), Some(shown)) => self.shown[at].1 = shown,
            (Err(at), Some(shown)) => self.shown.insert(at, (node, shown)),
            (Ok(at), None) => drop(self.shown.remove(at)),
            (Err(_), None) => {}
        }
    }

    /// The nodes that the page shows or hides, sorted.
    pub fn shown(&self) -> &[(NodeId, bool)] {
        &self.shown
    }

    /// Turns the billboards of the last update to a camera, in the palette only.
    pub fn face(&mut self, facing: &Facing) {
        self.billboards.face(&self.rig, &self.matrices, facing);
    }

    /// Sets the matrices of the last update to those of the undeformed meshes, for debug views. Each mesh is
    /// placed by the first joint of its skin, or by its node, in the rest pose. Joints are at their bind
    /// pose.
    pub fn show_bind_pose(&mut self) {
        self.pose.weights.fill(0.0);
        self.sampled = None;
        let (rig, rest) = (Rc::clone(&self.rig), self.rig.rest_pose());
        self.rig.node_matrices(rest, &self.place, &mut self.matrices);
        rig.palette(&self.matrices, &mut self.palette);
        for drawable in rig.layout.drawables.iter().filter(|drawable| drawable.skinned) {
            let slots = drawable.slots.start as usize..drawable.slots.end as usize;
            let Some(&world_from_mesh) = self.palette.get(slots.start) else { continue };
            self.palette[slots.clone()].fill(world_from_mesh);
            for slot in &rig.layout.slots[slots] {
                // Debug views only: no pose depends on the result of `inverse`.
                let bound = slot.node_from_mesh.map(|bind| Mat4::from(world_from_mesh) * bind.inverse());
                if let Some(bound) = bound.filter(|bound| bound.is_finite()) {
                    self.matrices[slot.node.index()] = bound.into();
                }
            }
        }
    }

    /// The rig that the actor shares with other actors of the model.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// The pose of the last update.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// `world_from_node` of every node, at the last update.
    pub fn node_matrices(&self) -> &[Affine] {
        &self.matrices
    }

    /// The palette of the last update, in the order of the rig's layout, with billboards as at the last [`Actor::face`].
    pub fn palette(&self) -> &[Affine] {
        self.billboards.palette(&self.palette)
    }

    /// The palette of the last update without billboards, which is the same for every camera.
    pub fn animated_palette(&self) -> &[Affine] {
        &self.palette
    }

    /// Extracts the rotations of the last update's palette for dual quaternions; clears them if `on` is
    /// `false`.
    pub fn extract_rotations(&mut self, on: bool) {
        if on {
            rotations_of(self.billboards.palette(&self.palette), &mut self.rotations);
        } else {
            self.rotations.clear();
        }
    }

    /// The rotations of the palette at the last [`Actor::extract_rotations`]; empty where matrices are blended. See
    /// [`deform`](crate::animation::skin::deform).
    pub fn rotations(&self) -> &[F32x4] {
        &self.rotations
    }

    /// The visibility of each node at the last update; empty if all nodes are visible.
    pub fn visible(&self) -> &[bool] {
        &self.visible
    }

    /// Writes the bounding box of the last update's pose; `None` if nothing is visible.
    pub fn measure(&self, bounds: &Bounds, around: &mut Option<Aabb>) {
        bounds.measure(self.palette(), &self.pose.weights, &self.visible, around);
    }

    /// The bounding box of the pose at the last [`Actor::extract_rotations`], whose joints are blended as dual
    /// quaternions; see [`Sharing::of_pose`].
    pub fn dual_quaternion_bounds(
        &self,
        bounds: &Bounds,
        sharing: &Sharing,
        boxes: &mut Vec<Aabb>,
    ) -> Option<Aabb> {
        let (turned, weights) = ((self.palette(), &self.rotations[..]), &self.pose.weights);
        sharing.of_pose(bounds, turned, weights, &self.visible, boxes)
    }
}
