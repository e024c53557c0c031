//! One character on stage.

use super::pose::Pose;
use super::rig::Rig;
use crate::animation::mixing::{Inertia, Mix, Mixer};
use crate::animation::player::Player;
use crate::animation::procedural::{Aim, Overrides, RootTravel, travel};
use crate::animation::skin::{Bounds, Sharing, rotations_of};
use crate::base::{Aabb, Affine, F32x4};
use crate::model::{ClipId, Model, NodeId, VariantId};
use glam::{Mat4, Vec3};
use std::rc::Rc;

/// A model with a state of its own: what it plays and how it stands. Cheap; the rest is shared.
#[derive(Debug, Clone)]
pub struct Actor {
    rig: Rc<Rig>,
    /// What it plays.
    pub player: Player,
    /// Where it stands: `world_from_model`.
    pub place: Affine,
    /// The joints that the page moves, after animation.
    pub overrides: Overrides,
    mix: Mix,
    mixer: Mixer,
    inertia: Inertia,
    pose: Pose,
    /// The clip that the pose is of, and nothing else: what stands still in it is there already.
    sampled: Option<ClipId>,
    matrices: Vec<Affine>,
    palette: Vec<Affine>,
    /// Of the palette, where dual quaternions are blended.
    rotations: Vec<F32x4>,
    visible: Vec<bool>,
    /// How far it has gone, if that moves it.
    journey: Option<Box<RootTravel>>,
    /// The variant of materials that it wears.
    pub variant: Option<VariantId>,
}

impl Actor {
    /// An actor in the rest pose; paused at the beginning of the first clip.
    pub fn new(model: &Model, rig: Rc<Rig>) -> Self {
        let mut actor = Self {
            player: Player::new(&model.clips, 0.0),
            place: Affine::identity(),
            overrides: Overrides::default(),
            mix: Mix::default(),
            mixer: Mixer::new(),
            inertia: Inertia::new(),
            pose: rig.rest_pose().clone(),
            sampled: None,
            matrices: Vec::with_capacity(rig.node_count()),
            palette: vec![Affine::identity(); rig.palette_len()],
            rotations: Vec::new(),
            visible: Vec::new(),
            journey: None,
            variant: None,
            rig,
        };
        actor.update();
        actor
    }

    /// Lets a node look at a place; see [`Overrides::set_aim`].
    pub fn set_aim(&mut self, node: NodeId, aim: Aim) {
        self.overrides.set_aim(&self.rig, node, aim);
    }

    /// Makes it move by another rig of its model, and its place by what it plays, if there is a journey.
    pub fn set_rig(&mut self, rig: Rc<Rig>, journey: Option<RootTravel>) {
        self.rig = rig;
        self.sampled = None;
        self.journey = journey.map(Box::new);
    }

    /// Whether what it plays moves its place, which is a sum over all updates.
    pub fn travels(&self) -> bool {
        self.journey.is_some()
    }

    /// The distance by which root motion has moved its place up to the last update, in metres of the model; zero without root motion.
    pub fn gone(&self) -> Vec3 {
        self.journey.as_ref().map_or(Vec3::ZERO, |journey| journey.gone())
    }

    /// Counts [`Actor::gone`] from the last update on.
    pub fn begin_here(&mut self) {
        if let Some(journey) = &mut self.journey {
            journey.begin_here();
        }
    }

    /// Makes pose, node matrices and palette those of what the player plays now, with what is left of the last change and
    /// with the overrides.
    pub fn update(&mut self) {
        if let Some(mut change) = self.player.take_transition() {
            self.inertia.change(&self.rig, &mut self.mixer, &mut change);
        }
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
        let changed = self.inertia.is_active(clock) || !self.overrides.is_empty();
        self.sampled = only.filter(|_| !changed).map(|(clip, _)| clip);
        if let Some(journey) = &mut self.journey {
            travel(journey, &self.player, &mut self.place);
        }
        self.put();
    }

    /// Makes pose, node matrices and palette those of `clip` at `time` seconds, or of the rest pose, with the overrides.
    ///
    /// # Panics
    /// If the clip is not of this actor's model.
    pub fn update_to(&mut self, clip: Option<ClipId>, time: f64) {
        self.sampled = None;
        match clip {
            Some(clip) => self.rig.sample(clip, time, &mut self.pose),
            None => self.pose.copy_from(self.rig.rest_pose()),
        }
        self.put();
    }

    /// From the pose of what is played to matrices.
    fn put(&mut self) {
        self.overrides.pose(&self.rig, &mut self.pose);
        self.overrides.node_matrices(&self.rig, &self.pose, &self.place, &mut self.matrices);
        self.rig.palette(&self.matrices, &mut self.palette);
        self.rig.visibility(&self.pose, &mut self.visible);
    }

    /// Makes the matrices of the last update those of the meshes as the file has them, before anything moves them: each as
    /// the first joint of its skin, or its node, places it in the rest pose. Joints stand where they were bound. For
    /// debug views.
    pub fn put_bind_pose(&mut self) {
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
                // Nothing decides about a pose by this.
                let bound = slot.node_from_mesh.map(|bind| Mat4::from(world_from_mesh) * bind.inverse());
                if let Some(bound) = bound.filter(|bound| bound.is_finite()) {
                    self.matrices[slot.node.index()] = bound.into();
                }
            }
        }
    }

    /// The rig that it shares with other actors of the model.
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

    /// The palette of the last update, in the order of the rig's layout.
    pub fn palette(&self) -> &[Affine] {
        &self.palette
    }

    /// Takes the rotations out of the palette of the last update, for dual quaternions; or forgets them.
    pub fn turn(&mut self, on: bool) {
        if on {
            rotations_of(&self.palette, &mut self.rotations);
        } else {
            self.rotations.clear();
        }
    }

    /// The rotations of the palette at the last [`Actor::turn`]; empty where matrices are blended. See
    /// [`deform`](crate::animation::skin::deform).
    pub fn rotations(&self) -> &[F32x4] {
        &self.rotations
    }

    /// For each node whether it was shown at the last update; all were if it is empty.
    pub fn visible(&self) -> &[bool] {
        &self.visible
    }

    /// Writes the box around the pose of the last update; `None` if nothing is shown.
    pub fn measure(&self, bounds: &Bounds, around: &mut Option<Aabb>) {
        bounds.measure(&self.palette, &self.pose.weights, &self.visible, around);
    }

    /// The box around the pose of the last [`Actor::turn`], whose joints are blended as dual quaternions; see
    /// [`Sharing::of_pose`].
    pub fn turned_bounds(&self, bounds: &Bounds, sharing: &Sharing, boxes: &mut Vec<Aabb>) -> Option<Aabb> {
        let (turned, weights) = ((&self.palette[..], &self.rotations[..]), &self.pose.weights);
        sharing.of_pose(bounds, turned, weights, &self.visible, boxes)
    }
}
