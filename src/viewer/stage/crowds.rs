//! The crowds of a stage.

use super::Stage;
use super::materials::OwnMaterials;
use crate::animation::{Crowd, CrowdView};
use crate::base::{Aabb, Affine, feature};
use crate::model::{Mesh, MeshLevel, SIDE_BY_SIDE};
use crate::render::ActorDraw;
use crate::viewer::cast::{ActorId, Cast, CrowdMember};
use crate::viewer::error::StageError;
use crate::viewer::models::Models;
use std::ops::Range;
use std::rc::Rc;

feature! {
    list for_crowds;
    fn pose_crowds(stage: &mut Stage) = Stage::pose_crowds_now;
}

impl Stage {
    /// Replaces an actor by a crowd; see [`Cast::make_crowd`]. Call [`Stage::prepare_crowd`] before adding members.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn make_crowd(&mut self, id: ActorId) -> Result<(), StageError> {
        self.cast.make_crowd(id)?;
        self.view_camera = self.view_camera.filter(|(actor, _)| *actor != id);
        self.changed_cast();
        Ok(())
    }

    /// Takes one step of preparing a crowd: measures a clip, or polls its programs. Returns `true` if all is ready.
    ///
    /// # Errors
    /// `NoActor`, and those of [`Renderer::prepare_crowd`](crate::render::Renderer::prepare_crowd).
    pub fn prepare_crowd(&mut self, id: ActorId) -> Result<bool, StageError> {
        let more = self.cast.measure_crowd(id)?;
        let Some(shown) = self.models.get(&self.cast.crowd(id)?.asset) else { return Ok(!more) };
        let shadows = self.light.has_shadows();
        let renderer = &mut self.context.borrow_mut().renderer;
        let built = renderer.prepare_crowd(shown.handle, shadows, true)?;
        Ok(built && !more)
    }

    /// Checks a number of members of a crowd, before any work for them.
    ///
    /// # Errors
    /// `NoActor`; `TooManyMembers` if their matrices, with those of the other crowds, exceed the limit of the GPU.
    pub fn check_crowd_size(&self, id: ActorId, count: usize) -> Result<(), StageError> {
        let entries = |crowd: &Crowd| crowd.stride() + crowd.most_targets().div_ceil(3);
        let own = entries(&self.cast.crowd(id)?.crowd);
        let others = self.cast.crowds().iter().filter(|other| other.id != id).map(|other| &other.crowd);
        let used = others.fold(0, |sum: usize, crowd| {
            sum.saturating_add(crowd.len().next_multiple_of(SIDE_BY_SIDE).saturating_mul(entries(crowd)))
        });
        let available = self.context.borrow().renderer.palette_limit().saturating_sub(used);
        // The palettes of a group of members lie side by side.
        let most = available / own / SIDE_BY_SIDE * SIDE_BY_SIDE;
        if count > most { Err(StageError::TooManyMembers { count, most }) } else { Ok(()) }
    }

    /// Sets the number of members of a crowd; see [`Crowd::resize`]. The automatic camera frames them.
    ///
    /// # Errors
    /// Those of [`Stage::check_crowd_size`]. Nothing changes then.
    pub fn resize_crowd(&mut self, id: ActorId, count: usize) -> Result<(), StageError> {
        self.check_crowd_size(id, count)?;
        let now = self.cast.now();
        self.cast.crowd_mut(id)?.resize(count, now);
        self.changed_cast();
        Ok(())
    }

    /// Sets morph weights of members of a crowd; see [`Cast::set_crowd_morphs`].
    ///
    /// # Errors
    /// Those of [`Cast::set_crowd_morphs`].
    pub fn set_crowd_morphs(
        &mut self,
        id: ActorId,
        morphs: &[u32],
        first: usize,
        numbers: &[f64],
    ) -> Result<(), StageError> {
        self.stale = true;
        self.cast.set_crowd_morphs(id, morphs, first, numbers)
    }

    /// The bounding box of a crowd; see [`Crowd::bounds`].
    ///
    /// # Errors
    /// `NoActor`.
    pub fn crowd_bounds(&mut self, id: ActorId) -> Result<Option<Aabb>, StageError> {
        Ok(self.cast.crowd_mut(id)?.bounds())
    }

    /// Poses the crowds for the next [`Stage::draw`], which then skips this step. Allows timing both separately.
    pub fn pose_crowds(&mut self) {
        pose_crowds(self);
    }

    fn pose_crowds_now(&mut self) {
        self.pose();
        // Members outside the view frustum may cast visible shadows.
        let alone = self.light.shadow_area(self.cast.bounds(), &self.cast).is_none();
        let (view, projection) = self.view();
        self.cast.pose_crowds(&CrowdView::new(&view, &projection, self.size.1, alone));
        self.crowds_posed = true;
        for CrowdMember { asset, crowd, .. } in
            self.cast.crowds().iter().filter(|one| !one.crowd.mesh_levels().is_empty())
        {
            let Some(shown) = self.models.get(asset) else { continue };
            let primitives = |meshes: &[Mesh]| meshes.iter().map(|mesh| mesh.primitives.len()).sum::<usize>();
            let at = |drawable: usize, primitive: usize| {
                let mesh = asset.layout.drawables[drawable].mesh.index();
                primitives(&asset.model.meshes[..mesh]) + primitive
            };
            // Without its levels a crowd is drawn with the full meshes.
            let _ = self.context.borrow_mut().renderer.set_mesh_levels(shown.handle, crowd.mesh_levels(), at);
        }
    }

    /// Sets levels of detail of a crowd's meshes; see [`Crowd::set_mesh_levels`].
    ///
    /// # Errors
    /// `NoActor`, and those of [`Crowd::set_mesh_levels`].
    pub fn set_mesh_levels(&mut self, id: ActorId, levels: Vec<MeshLevel>) -> Result<(), StageError> {
        let asset = Rc::clone(&self.cast.crowd(id)?.asset);
        Ok(self.crowd_mut(id)?.set_mesh_levels(&asset.model, levels)?)
    }

    /// A crowd, for changes; the next tick draws.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn crowd_mut(&mut self, id: ActorId) -> Result<&mut Crowd, StageError> {
        self.stale = true;
        self.cast.crowd_mut(id)
    }
}

/// Adds the draws of the crowds; `base` is the index of their first palette entry.
pub(super) fn draw_crowds<'a>(
    cast: &'a Cast,
    models: &Models,
    own: Option<&'a OwnMaterials>,
    mut base: u32,
    draws: &mut Vec<ActorDraw<'a>>,
) {
    for member in cast.crowds() {
        let crowd = &member.crowd;
        let Some(shown) = models.get(&member.asset).filter(|_| crowd.visible_len() > 0) else { continue };
        let (palette, stride) = (crowd.palette(), crowd.stride());
        /// The part of a list with equally much for each visible member.
        fn part<'a>(list: &'a [f32], members: usize, run: &Range<usize>) -> &'a [f32] {
            let width = list.len() / members;
            &list[run.start * width..run.end * width]
        }
        for (level, run) in crowd.level_runs() {
            let begin = run.start * stride;
            let end = run.end.next_multiple_of(SIDE_BY_SIDE) * stride;
            draws.push(ActorDraw {
                model: shown.handle,
                palette_base: base + begin as u32,
                palettes: Affine::as_floats(&palette[begin..end]),
                weights: part(crowd.weights(), crowd.visible_len(), &run),
                active_targets: part(crowd.active_targets(), crowd.visible_len(), &run),
                properties: &[],
                cells: &[],
                materials: own.map_or(&[], |own| own.of(member.id)),
                visible: &[],
                parts: crowd.parts_of_nodes(),
                variant: None,
                deformed: &[],
                instances: run.len() as u32,
                stride: stride as u32,
                level,
            });
        }
        base += palette.len() as u32;
    }
}
