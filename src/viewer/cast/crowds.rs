//! The crowds of a cast.

use super::asset::Asset;
use super::{ActorId, Cast};
use crate::animation::{Crowd, CrowdError, CrowdView, Event, MaterialChanges};
use crate::base::{Aabb, Affine};
use crate::model::{AlphaMode, Model, PropertyLayout, VariantId};
use crate::viewer::error::StageError;
use glam::Vec3;
use std::rc::Rc;

/// A crowd on stage.
#[derive(Debug, Clone)]
pub struct CrowdMember {
    /// The id of the crowd.
    pub id: ActorId,
    /// The model of all members.
    pub asset: Rc<Asset>,
    /// The state of the members.
    pub crowd: Crowd,
    /// Changes of materials by the page, for all members.
    pub materials: MaterialChanges,
    /// `true` if members may have changed place or clip since the last [`Cast::pose`].
    stale: bool,
}

/// The extent of all crowds: their bounding box, and the height of the ground below them.
#[derive(Debug, Clone, Copy)]
pub(super) struct CrowdExtent {
    pub(super) bounds: Option<Aabb>,
    pub(super) ground: f32,
}

impl Default for CrowdExtent {
    fn default() -> Self {
        Self { bounds: None, ground: f32::INFINITY }
    }
}

impl Cast {
    /// Replaces an actor by a crowd of its model, with the same id and no members. Actors attached to it stay in place.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn make_crowd(&mut self, id: ActorId) -> Result<(), StageError> {
        let asset = self.remove(id)?;
        let blends = asset.model.materials.iter().any(|material| material.alpha_mode == AlphaMode::Blend);
        let crowd = Crowd::new(&asset.clips(), blends);
        self.crowds.push(CrowdMember {
            id,
            asset,
            crowd,
            materials: MaterialChanges::default(),
            stale: true,
        });
        self.posed = false;
        Ok(())
    }

    /// All crowds, in the order in which they were created.
    pub fn crowds(&self) -> &[CrowdMember] {
        &self.crowds
    }

    /// A crowd.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn crowd(&self, id: ActorId) -> Result<&CrowdMember, StageError> {
        self.crowds.iter().find(|member| member.id == id).ok_or(StageError::NoActor)
    }

    /// A crowd, for changes.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn crowd_mut(&mut self, id: ActorId) -> Result<&mut Crowd, StageError> {
        self.posed = false;
        let member = self.crowds.iter_mut().find(|member| member.id == id).ok_or(StageError::NoActor)?;
        member.stale = true;
        Ok(&mut member.crowd)
    }

    /// Measures a clip of a crowd; see [`Crowd::measure`].
    ///
    /// # Errors
    /// `NoActor`.
    pub fn measure_crowd(&mut self, id: ActorId) -> Result<bool, StageError> {
        let asset = Rc::clone(&self.crowd(id)?.asset);
        Ok(self.crowd_mut(id)?.measure(&asset.model, &asset.clips(), &asset.bounds))
    }

    /// Sets morph weights of members of a crowd; see [`Crowd::set_morphs`].
    ///
    /// - `morphs`: indices into [`Asset::morphs`].
    ///
    /// # Errors
    /// `NoActor`, and those of [`Crowd::set_morphs`].
    pub fn set_crowd_morphs(
        &mut self,
        id: ActorId,
        morphs: &[u32],
        first: usize,
        numbers: &[f64],
    ) -> Result<(), StageError> {
        let asset = Rc::clone(&self.crowd(id)?.asset);
        let weights = morphs.iter().map(|&morph| {
            asset.morphs().get(morph as usize).map(|morph| &morph.weights[..]).ok_or(CrowdError::Range)
        });
        let weights = weights.collect::<Result<Vec<_>, _>>()?;
        let crowd = self.crowd_mut(id)?;
        let was_measured = crowd.is_measured();
        crowd.set_morphs(&weights, first, numbers)?;
        while was_measured && crowd.measure(&asset.model, &asset.clips(), &asset.bounds) {}
        Ok(())
    }

    pub(super) fn update_clips_of_crowds(&mut self, asset: &Rc<Asset>) {
        let clips = asset.clips();
        for member in self.crowds.iter_mut().filter(|member| Rc::ptr_eq(&member.asset, asset)) {
            let was_measured = member.crowd.is_measured();
            member.crowd.update_clips(&clips);
            member.stale = true;
            while was_measured && member.crowd.measure(&asset.model, &clips, &asset.bounds) {}
        }
    }

    pub(super) fn remove_crowd(&mut self, id: ActorId) -> Result<Rc<Asset>, StageError> {
        let at = self.crowds.iter().position(|member| member.id == id).ok_or(StageError::NoActor)?;
        self.posed = false;
        Ok(self.crowds.remove(at).asset)
    }

    /// Updates all crowds for a view; see [`Crowd::update`].
    pub fn pose_crowds(&mut self, view: &CrowdView) {
        for member in &mut self.crowds {
            member.crowd.update(self.now, view);
        }
    }

    /// The changes of materials of an actor or a crowd, its model, and the time of the changes in seconds.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn materials_mut(&mut self, id: ActorId) -> Result<(&mut MaterialChanges, &Model, f64), StageError> {
        if let Some(at) = self.crowds.iter().position(|member| member.id == id) {
            let member = &mut self.crowds[at];
            return Ok((&mut member.materials, &member.asset.model, self.now));
        }
        let at = self.index(id)?;
        self.posed = false;
        let member = &mut self.members[at];
        let elapsed = member.actor.player.elapsed();
        Ok((&mut member.actor.materials, &member.asset.model, elapsed))
    }

    /// The model of an actor or a crowd, and the variant of its materials.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn model_of(&self, id: ActorId) -> Result<(&Model, Option<VariantId>), StageError> {
        if let Ok(member) = self.get(id) {
            return Ok((&member.asset.model, member.actor.variant));
        }
        Ok((&self.crowd(id)?.asset.model, None))
    }

    /// Computes the materials of crowds, which no clip animates.
    pub fn update_crowd_materials(&mut self) {
        let layout = PropertyLayout::default();
        for member in &mut self.crowds {
            member.materials.update(self.now, &layout, &[]);
        }
    }

    /// Poses each crowd member whose bounds a line may intersect. Calls `each` with the crowd's id and asset, the member's
    /// index, its current palette, its morph weights and the nodes that are not hidden (empty for all).
    pub fn each_crowd_member_on(
        &mut self,
        origin: Vec3,
        direction: Vec3,
        mut each: impl FnMut(ActorId, &Asset, usize, (&[Affine], &[f32]), &[bool]),
    ) {
        let (mut palette, mut weights, mut shown) = (Vec::new(), Vec::new(), Vec::new());
        for CrowdMember { id, asset, crowd, .. } in &mut self.crowds {
            for i in 0..crowd.len() {
                if crowd.may_meet(i, self.now, origin, direction) {
                    crowd.pose_member(i, self.now, &mut palette, &mut weights);
                    crowd.shown_nodes(i, &mut shown);
                    each(*id, asset, i, (&palette, &weights), &shown);
                }
            }
        }
    }

    /// The total number of crowd members, and of their nodes.
    pub fn count_crowds(&self) -> (usize, usize) {
        let counts = self
            .crowds
            .iter()
            .map(|CrowdMember { crowd, asset, .. }| (crowd.len(), crowd.len() * asset.model.nodes.len()));
        counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
    }

    pub(super) fn crowd_moves(&self) -> bool {
        self.crowds.iter().any(|member| member.crowd.is_moving(self.now) || member.materials.fade(self.now))
    }

    pub(super) fn crowds_have_events(&self) -> bool {
        self.crowds.iter().any(|member| member.crowd.has_events())
    }

    pub(super) fn drain_crowd_events(&mut self, receive: &mut dyn FnMut(ActorId, Event)) {
        for CrowdMember { id, crowd, .. } in &mut self.crowds {
            crowd.drain_events().for_each(|event| receive(*id, event));
        }
    }

    /// Notifies crowds that the timeline was set, or, with `rebased_from`, that it was rebased from that time.
    pub(super) fn set_crowd_time(&mut self, rebased_from: Option<f64>) {
        for CrowdMember { crowd, .. } in &mut self.crowds {
            match rebased_from {
                Some(before) => crowd.set_clock(before, self.now),
                None => crowd.advance_to(self.now),
            }
        }
    }

    pub(super) fn scrub_crowds(&mut self, fraction: f64) -> bool {
        let scrub = |moved, member: &mut CrowdMember| member.crowd.scrub(fraction) | moved;
        self.crowds.iter_mut().fold(false, scrub)
    }

    /// Updates the extent of all crowds, if one of them has changed.
    pub(super) fn measure_crowds(&mut self) {
        if !self.crowds.iter().any(|member| member.stale) && !self.crowds.is_empty() {
            return;
        }
        let mut crowd_extent = CrowdExtent::default();
        for CrowdMember { asset, crowd, stale, .. } in &mut self.crowds {
            *stale = false;
            let bounds = [crowd_extent.bounds, crowd.bounds()];
            crowd_extent.bounds = bounds.into_iter().flatten().reduce(|a, b| a.union(&b));
            if let Some(rest) = asset.rest_box() {
                let lowest = |place: &Affine| rest.transformed(place).min.y;
                crowd_extent.ground = crowd.places().iter().map(lowest).fold(crowd_extent.ground, f32::min);
            }
        }
        self.crowd_extent = crowd_extent;
    }
}
