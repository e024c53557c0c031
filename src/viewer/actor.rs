//! One character on stage.

use crate::animation::{Aabb, Affine, Bounds, Player, Pose, Rig};
use crate::model::{ClipId, Model};
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
}

impl Actor {
    /// An actor in the rest pose; paused at the beginning of the first clip.
    pub fn new(model: &Model, rig: Rc<Rig>) -> Self {
        let mut actor = Self {
            player: Player::new(&model.clips),
            pose: rig.rest_pose().clone(),
            matrices: Vec::with_capacity(rig.node_count()),
            palette: vec![Affine::identity(); rig.palette_len()],
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

    /// The box around the pose of the last update; `None` if nothing is shown.
    pub fn bounds(&self, bounds: &Bounds) -> Option<Aabb> {
        bounds.of_pose(&self.palette, &self.pose.weights)
    }
}

/// The box to point a camera at: around the first clip, and as much of the others as does not make
/// the character small; around the rest pose if there is no clip.
pub(super) fn framing(model: &Model, rig: &Rc<Rig>, bounds: &Bounds) -> Option<Aabb> {
    let mut actor = Actor::new(model, Rc::clone(rig));
    let mut around = |clip: Option<ClipId>, duration: f64| {
        // Enough to catch the extremes of a gait without making a long list of clips slow to open.
        let samples = if clip.is_some() { (256 / model.clips.len()).clamp(2, 16) } else { 0 };
        let mut union: Option<Aabb> = None;
        for i in 0..=samples {
            actor.update_to(clip, duration * f64::from(i as u32) / f64::from(samples.max(1) as u32));
            let Some(pose) = actor.bounds(bounds) else { continue };
            union = Some(union.map_or(pose, |union| union.union(&pose)));
        }
        union
    };
    let mut clips = model.clips.iter().enumerate();
    let first = clips.next().and_then(|(_, clip)| around(Some(ClipId::new(0)), f64::from(clip.duration)));
    let mut frame = first.or_else(|| around(None, 0.0))?;
    let limit = 1.5 * frame.radius();
    for (i, clip) in clips {
        let Some(other) = around(Some(ClipId::new(i)), f64::from(clip.duration)) else { continue };
        let union = frame.union(&other);
        if union.radius() <= limit {
            frame = union;
        }
    }
    Some(frame)
}
