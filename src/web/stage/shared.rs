//! The stage shared by the classes of all topics.

use crate::animation::{Player, Transport};
use crate::model::{ClipId, NodeId};
use crate::viewer::{self, ActorId, Member, StageError};
use std::cell::{Cell, Ref, RefCell, RefMut};

/// The track of the base, below all layers.
pub(super) const BASE: u32 = 0;

/// A stage, and the times in milliseconds that its last frame took to update and to draw. Each call borrows
/// it for its whole duration; calls are never nested.
#[derive(Debug)]
pub(super) struct Shared {
    stage: RefCell<viewer::Stage>,
    times: Cell<[f64; 2]>,
}

impl Shared {
    pub(super) fn new(stage: viewer::Stage) -> Self {
        Self { stage: RefCell::new(stage), times: Cell::default() }
    }

    pub(super) fn stage(&self) -> Ref<'_, viewer::Stage> {
        self.stage.borrow()
    }

    pub(super) fn stage_mut(&self) -> RefMut<'_, viewer::Stage> {
        self.stage.borrow_mut()
    }

    pub(super) fn times(&self) -> [f64; 2] {
        self.times.get()
    }

    pub(super) fn set_times(&self, times: [f64; 2]) {
        self.times.set(times);
    }

    /// Reads a value of a track.
    pub(super) fn track<T>(
        &self,
        actor: u32,
        track: u32,
        read: impl FnOnce(&Transport<'_>) -> T,
    ) -> Result<T, StageError> {
        Ok(read(&self.stage_mut().track(ActorId::new(actor), layer(track))?))
    }

    /// Changes a track; returns the number of its playback, which its events carry.
    pub(super) fn change_track(
        &self,
        actor: u32,
        track: u32,
        change: impl FnOnce(&mut Transport<'_>),
    ) -> Result<f64, StageError> {
        let mut stage = self.stage_mut();
        let mut transport = stage.track_mut(ActorId::new(actor), layer(track))?;
        change(&mut transport);
        Ok(transport.playback() as f64)
    }

    /// Sets a property of a track; see [`viewer::Stage::set_track`].
    pub(super) fn set_track(
        &self,
        actor: u32,
        track: u32,
        set: impl FnOnce(&mut Transport<'_>) -> bool,
    ) -> Result<(), StageError> {
        self.stage_mut().set_track(ActorId::new(actor), layer(track), set)
    }

    /// Changes the player of an actor.
    pub(super) fn player<T>(
        &self,
        actor: u32,
        change: impl FnOnce(&mut Player) -> T,
    ) -> Result<T, StageError> {
        Ok(change(&mut self.stage_mut().actor_mut(ActorId::new(actor))?.player))
    }

    /// Reads a value of an actor in its last pose.
    pub(super) fn member<T>(&self, actor: u32, read: impl FnOnce(&Member) -> T) -> Result<T, StageError> {
        Ok(read(self.stage().cast().get(ActorId::new(actor))?))
    }

    /// The node with an index in the actor's file.
    pub(super) fn node(&self, actor: u32, joint: u32) -> Result<NodeId, StageError> {
        let find = |member: &Member| member.asset.model.node_of_source.get(joint as usize).copied();
        self.member(actor, find)?.ok_or(StageError::NoJoint)
    }

    /// A clip of the actor's model.
    pub(super) fn clip(&self, actor: u32, index: u32) -> Result<ClipId, StageError> {
        let count = self.member(actor, |member| member.actor.player.clip_count())?;
        if (index as usize) < count { Ok(ClipId::new(index as usize)) } else { Err(StageError::NoClip) }
    }
}

/// The layer of a track; `None` for the base.
pub(super) fn layer(track: u32) -> Option<u32> {
    (track != BASE).then_some(track)
}
