//! Renders a stage: poses, then lists of matrices, lights and draws, and a [`Frame`] with them.

use super::Stage;
use super::crowds::draw_crowds;
use super::materials::{OwnMaterials, prepare_materials};
use super::skinning::{on_screen, push_rotations};
use crate::animation::{Deformed, Facing, Skinning, deform};
use crate::base::{Affine, feature};
use crate::render::{ActorDraw, DeformedPrimitive, Frame, PunctualLight, RenderError, ShadowArea};
use crate::viewer::cast::{Cast, DebugScene, Member};
use crate::viewer::light::{keep_strongest, lights};
use crate::viewer::models::{Models, Shown, apply_skinning};
use glam::{Mat4, Vec3};

/// The lists of a frame, reused to avoid allocations.
#[derive(Debug, Default)]
pub(super) struct FrameLists {
    /// The palettes of all actors, followed by the rotations for dual-quaternion skinning.
    pub(super) palette: Vec<Affine>,
    /// The number of matrices with rotations.
    rotation_count: u32,
    /// For each actor, its CPU-deformed primitives.
    deformed: Vec<Vec<Deformed>>,
    lights: Vec<PunctualLight>,
    on_cpu: Vec<DeformedPrimitive<'static>>,
    draws: Vec<ActorDraw<'static>>,
}

/// The camera, the shadow area and the ground of a frame.
struct FrameView {
    /// `view_from_world`
    view: Mat4,
    /// `clip_from_view`
    projection: Mat4,
    shadows: Option<ShadowArea>,
    /// See [`Frame::ground`].
    ground: Option<[f32; 4]>,
    /// The point at which punctual lights are ranked.
    target: Vec3,
}

feature! {
    list for_sprites;
    /// Turns the billboards of the last pose to the camera.
    pub(super) fn face_camera(stage: &mut Stage) = Stage::face_camera;
    fn prepare_cells(stage: &mut Stage) -> Result<(), RenderError> = Stage::prepare_cells;
}

feature! {
    list for_debug;
    fn prepare_debug(stage: &mut Stage) -> Result<(), RenderError> = Stage::prepare_debug;
    fn list_actor_lines(cast: &Cast, models: &Models, debug: &mut DebugScene) = add_lines;
}

feature! {
    list for_crowds;
    fn list_crowds<'a>(
        cast: &'a Cast, models: &Models, own: Option<&'a OwnMaterials>, base: u32, draws: &mut Vec<ActorDraw<'a>>,
    ) = draw_crowds;
}

feature! {
    list for_skinning;
    fn list_rotations(cast: &Cast, models: &Models, palette: &mut Vec<Affine>) = add_rotations;
    fn deform_on_cpu(member: &Member, primitives: &[(usize, usize)], deformed: &mut [Deformed]) = deform_all;
}

impl Stage {
    /// Draws the current state; returns `true` if the picture is complete.
    pub(super) fn draw_frame(&mut self, may_defer: bool) -> Result<bool, RenderError> {
        self.stale = false;
        self.pose();
        let view = self.frame_view();
        self.prepare_models()?;
        if self.cast.has_crowds() && !self.crowds_posed {
            self.pose_crowds();
        }
        self.crowds_posed = false;
        self.list_debug_lines();
        self.lists.gather(&self.cast, &self.models, view.target);
        let own_complete = self.own.is_none() || prepare_materials(self, may_defer)?;
        let complete = self.render(&view, may_defer)? && own_complete;
        self.cast.presented();
        self.frames += 1;
        Ok(complete)
    }

    /// The camera and the surroundings of a frame; the cast must be posed.
    fn frame_view(&mut self) -> FrameView {
        let bounds = self.cast.bounds();
        let shadows = self.light.shadow_area(bounds, &self.cast);
        let ground = self.light.ground(bounds, &self.cast);
        let (view, projection) = self.view();
        let target = bounds.map_or(self.camera.target.as_vec3(), |bounds| bounds.center());
        FrameView { view, projection, shadows, ground, target }
    }

    /// Prepares models for the current skinning method and debug views.
    fn prepare_models(&mut self) -> Result<(), RenderError> {
        if self.models.is_stale() {
            apply_skinning(&mut self.models, &mut self.context.borrow_mut().renderer)?;
        }
        // Another stage may select another joint of a shared model, or end its debug views.
        if self.debug.views.need_gpu() && (!self.debug.prepared || self.models.are_shared()) {
            prepare_debug(self)?;
        }
        if self.cast.has_sprites() { prepare_cells(self) } else { Ok(()) }
    }

    fn face_camera(&mut self) {
        let (view, projection) = self.view();
        if let Some(facing) = Facing::new(&view, &projection) {
            self.cast.face(&facing);
        }
    }

    fn prepare_cells(&mut self) -> Result<(), RenderError> {
        let renderer = &mut self.context.borrow_mut().renderer;
        for (member, shown) in shown_members(&self.cast, &self.models) {
            if renderer.prepare_cells(shown.handle, member.actor.flipbooks.cells())? {
                self.debug.prepared = false;
            }
        }
        Ok(())
    }

    fn prepare_debug(&mut self) -> Result<(), RenderError> {
        let mut prepared = true;
        for member in self.cast.members() {
            let asset = &member.asset;
            let Some(shown) = self.models.get(asset) else { continue };
            let joint = self.debug.views.joint_of(&asset.model);
            let renderer = &mut self.context.borrow_mut().renderer;
            let layout = &asset.layout;
            prepared &= renderer.prepare_debug(shown.handle, &asset.model, layout, joint)?;
        }
        self.debug.prepared = prepared;
        Ok(())
    }

    fn list_debug_lines(&mut self) {
        self.debug.begin(self.cast.members());
        if let Some(through) = &self.through {
            self.debug.mark(&through.marks);
        }
        if self.debug.views.have_lines() {
            list_actor_lines(&self.cast, &self.models, &mut self.debug);
        }
    }

    /// Builds the draw list and renders the frame.
    fn render(&mut self, view: &FrameView, may_defer: bool) -> Result<bool, RenderError> {
        let Self { context, models, cast, light, lists, debug, own, through, .. } = self;
        let FrameLists { palette, rotation_count, deformed, lights, on_cpu: kept, draws: kept_draws } = lists;
        let mut on_cpu = recycled(std::mem::take(kept));
        list_deformed(cast, models, deformed, &mut on_cpu);
        let mut draws = recycled(std::mem::take(kept_draws));
        list_actors(cast, (models, own.as_deref()), &on_cpu, &mut draws);
        if cast.has_crowds() {
            list_crowds(cast, models, own.as_deref(), palette.len() as u32, &mut draws);
        }
        let renderer = &mut context.borrow_mut().renderer;
        let complete = renderer.render(&Frame {
            target: through.as_ref().map(|through| &through.view.target),
            width: self.size.0,
            height: self.size.1,
            pixel_ratio: self.pixel_ratio,
            view: view.view,
            projection: view.projection,
            background: self.background,
            palette: Affine::as_floats(palette),
            rotation_count: *rotation_count,
            actors: &draws,
            lights,
            lighting: light.turned(),
            environment: light.environment(),
            sky: light.sky(),
            ground: view.ground,
            shadows: view.shadows,
            uneven: cast.uneven_ground(),
            debug: debug.shown(),
            may_defer,
        })?;
        self.cost = renderer.cost();
        *kept_draws = recycled(draws);
        *kept = recycled(on_cpu);
        Ok(complete)
    }
}

impl FrameLists {
    /// Collects the palettes and lights of all actors, and deforms primitives on the CPU.
    fn gather(&mut self, cast: &Cast, models: &Models, target: Vec3) {
        let Self { palette, rotation_count, deformed, lights: around, .. } = self;
        palette.clear();
        around.clear();
        deformed.resize_with(cast.members().len(), Vec::new);
        for ((member, shown), deformed) in shown_members(cast, models).zip(deformed.iter_mut()) {
            let (asset, actor) = (&member.asset, &member.actor);
            palette.extend_from_slice(actor.palette());
            deformed.resize_with(shown.on_cpu.len(), Deformed::default);
            if !shown.on_cpu.is_empty() {
                deform_on_cpu(member, &shown.on_cpu, deformed);
            }
            if !asset.model.lights.is_empty() {
                let (pose, matrices, visible) = (actor.pose(), actor.node_matrices(), actor.visible());
                lights(&asset.model, &actor.rig().layout, pose, matrices, visible, target, around);
            }
        }
        *rotation_count = palette.len() as u32;
        if cast.skinning() == Skinning::DualQuaternion {
            list_rotations(cast, models, palette);
        }
        keep_strongest(around, target);
    }
}

/// The actors whose models are uploaded or being uploaded.
fn shown_members<'a>(cast: &'a Cast, models: &'a Models) -> impl Iterator<Item = (&'a Member, &'a Shown)> {
    cast.members().iter().filter_map(|member| Some((member, models.get(&member.asset)?)))
}

/// Adds the debug lines of all actors.
fn add_lines(cast: &Cast, models: &Models, debug: &mut DebugScene) {
    shown_members(cast, models).for_each(|(member, _)| debug.add(member));
}

/// Adds the rotations of all actors to the palette.
fn add_rotations(cast: &Cast, models: &Models, palette: &mut Vec<Affine>) {
    let members = shown_members(cast, models);
    push_rotations(members.flat_map(|(member, _)| member.actor.rotations()), palette);
}

/// Deforms primitives of an actor on the CPU.
fn deform_all(member: &Member, primitives: &[(usize, usize)], deformed: &mut [Deformed]) {
    let (asset, actor) = (&member.asset, &member.actor);
    for (&(drawable, primitive), out) in primitives.iter().zip(deformed) {
        let place = &asset.layout.drawables[drawable];
        let source = &asset.model.meshes[place.mesh.index()].primitives[primitive];
        deform(source, place, actor.palette(), actor.rotations(), &actor.pose().weights, out);
    }
}

/// Lists the CPU-deformed primitives, grouped by actor.
fn list_deformed<'a>(
    cast: &Cast,
    models: &Models,
    deformed: &'a [Vec<Deformed>],
    list: &mut Vec<DeformedPrimitive<'a>>,
) {
    list.extend(shown_members(cast, models).zip(deformed).flat_map(|((_, shown), deformed)| {
        shown.on_cpu.iter().zip(deformed).map(|(&at, deformed)| on_screen(at, deformed))
    }));
}

/// Lists the draws of the actors; `on_cpu` has their CPU-deformed primitives, grouped by actor.
fn list_actors<'a>(
    cast: &'a Cast,
    (models, own): (&'a Models, Option<&'a OwnMaterials>),
    on_cpu: &'a [DeformedPrimitive<'a>],
    draws: &mut Vec<ActorDraw<'a>>,
) {
    let (mut rest, mut palette_base) = (on_cpu, 0);
    for (member, shown) in shown_members(cast, models) {
        let actor = &member.actor;
        let (deformed, others) = rest.split_at(shown.on_cpu.len());
        rest = others;
        draws.push(ActorDraw {
            model: shown.handle,
            palette_base,
            palettes: &[],
            weights: &actor.pose().weights,
            active_targets: &[],
            properties: &actor.pose().properties,
            cells: actor.flipbooks.cells(),
            materials: own.map_or(&[], |own| own.of(member.id)),
            visible: actor.visible(),
            parts: &[],
            variant: actor.variant,
            deformed,
            instances: 1,
            stride: 0,
            level: 0,
        });
        palette_base += actor.palette().len() as u32;
    }
}

/// An empty list that reuses the memory of a list with another lifetime: collecting in place keeps the allocation.
fn recycled<A, B>(mut list: Vec<A>) -> Vec<B> {
    list.clear();
    list.into_iter().filter_map(|_| None).collect()
}
