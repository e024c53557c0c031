//! One character on stage.

use super::{Aabb, Affine, Bounds, Player, Pose, Rig, deform_position};
use crate::model::{ClipId, Model, VariantId};
use std::rc::Rc;

/// A model with a state of its own: what it plays and how it stands. Cheap; the rest is shared.
#[derive(Debug, Clone)]
pub struct Actor {
    rig: Rc<Rig>,
    /// What it plays.
    pub player: Player,
    pose: Pose,
    matrices: Vec<Affine>,
    palette: Vec<Affine>,
    visible: Vec<bool>,
    /// The variant of materials that it wears.
    pub variant: Option<VariantId>,
}

impl Actor {
    /// An actor in the rest pose; paused at the beginning of the first clip.
    pub fn new(model: &Model, rig: Rc<Rig>) -> Self {
        let mut actor = Self {
            player: Player::new(&model.clips),
            pose: rig.rest_pose().clone(),
            matrices: Vec::with_capacity(rig.node_count()),
            palette: vec![Affine::identity(); rig.palette_len()],
            visible: Vec::new(),
            variant: None,
            rig,
        };
        actor.update();
        actor
    }

    /// Makes pose, node matrices and palette those of the player's position.
    pub fn update(&mut self) {
        let time = self.player.position().time;
        self.update_to(self.player.clip(), time);
    }

    /// Makes pose, node matrices and palette those of `clip` at `time` seconds, or of the rest pose.
    ///
    /// # Panics
    /// If the clip is not of this actor's model.
    pub fn update_to(&mut self, clip: Option<ClipId>, time: f64) {
        match clip {
            Some(clip) => self.rig.sample(clip, time, &mut self.pose),
            None => self.pose.copy_from(self.rig.rest_pose()),
        }
        self.rig.node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
        self.rig.palette(&self.matrices, &mut self.palette);
        self.rig.visibility(&self.pose, &mut self.visible);
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

    /// For each node whether it was shown at the last update; all were if it is empty.
    pub fn visible(&self) -> &[bool] {
        &self.visible
    }

    /// The box around the pose of the last update; `None` if nothing is shown.
    pub fn bounds(&self, bounds: &Bounds) -> Option<Aabb> {
        bounds.of_pose(&self.palette, &self.pose.weights)
    }
}

/// How many vertices are looked at for one pose, and how many poses of all clips together.
const FRAMING_VERTICES: usize = 2000;
const FRAMING_POSES: usize = 128;

/// The box to point a camera at: around the first clip, and as much of the others as does not make
/// the character small; around the rest pose if there is no clip.
///
/// Tighter than [`Bounds`], which must hold every vertex: it follows some of them, spread evenly.
pub fn framing(model: &Model, rig: &Rc<Rig>) -> Option<Aabb> {
    let primitives = || {
        rig.layout.drawables.iter().flat_map(|drawable| {
            let mesh = &model.meshes[drawable.mesh.index()];
            mesh.primitives.iter().map(move |primitive| (drawable, primitive))
        })
    };
    let vertices: usize = primitives().map(|(_, primitive)| primitive.vertex_count()).sum();
    let step = vertices.div_ceil(FRAMING_VERTICES).max(1);
    let mut actor = Actor::new(model, Rc::clone(rig));
    let mut around = |clip: Option<ClipId>, duration: f64| {
        let steps = if clip.is_some() { (FRAMING_POSES / model.clips.len()).clamp(1, 16) } else { 0 };
        let mut union = Aabb::EMPTY;
        for i in 0..=steps {
            actor.update_to(clip, duration * i as f64 / steps.max(1) as f64);
            for (drawable, primitive) in primitives() {
                if actor.visible.get(drawable.node.index()) == Some(&false) {
                    continue;
                }
                for vertex in (0..primitive.vertex_count()).step_by(step) {
                    let weights = &actor.pose.weights;
                    let point = deform_position(primitive, vertex, drawable, &actor.palette, weights);
                    if point.is_finite() {
                        union.add(point);
                    }
                }
            }
        }
        union.is_valid().then_some(union)
    };
    let mut clips = model.clips.iter().enumerate();
    let first = clips.next().and_then(|(_, clip)| around(Some(ClipId::new(0)), f64::from(clip.duration)));
    let mut frame = first.or_else(|| around(None, 0.0))?;
    let limit = 1.4 * frame.radius();
    for (i, clip) in clips.take(FRAMING_POSES) {
        let Some(other) = around(Some(ClipId::new(i)), f64::from(clip.duration)) else { continue };
        let union = frame.union(&other);
        if union.radius() <= limit {
            frame = union;
        }
    }
    Some(frame)
}
