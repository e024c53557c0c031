//! Rendering of a frame: preparation, shadows, backdrop, picture.

use super::{Entry, FRAME_BLOCKS, ModelHandle, Renderer, block_stride};
use crate::base::feature;
use crate::render::debug_view::Channel;
use crate::render::error::RenderError;
use crate::render::frame::{ActorDraw, BACKDROP, FRAME_FLOATS, Frame, MASKS};
use crate::render::gl::{Coverage, Gl, ViewTarget};
use crate::render::light::{ShadowArea, ShadowView};
use crate::render::passes::{
    Item, ModelDebug, Pass, Shadows, Skies, draw_surfaces, draw_wires, find_deformed, look_of,
};
use crate::render::programs::{FRAME_BLOCK, Programs, deformed_variant};
use crate::render::resources::{GpuModel, MeshDraw};
use std::rc::Rc;

/// A frame with its shadows and its uniform block.
struct Drawing<'a> {
    frame: &'a Frame<'a>,
    /// `None` without shadows, or while their programs are being built.
    shadows: Option<ShadowView>,
    /// The uniform block `Frame` of the picture.
    block: [f32; FRAME_FLOATS],
}

/// The uniform blocks `Frame`, in their order in the buffer.
#[derive(Debug, Clone, Copy)]
enum Block {
    Picture,
    KeyShadow,
    ContactShadow,
    Backdrop,
    AlphaOfMasks,
}

const _: () = assert!(Block::AlphaOfMasks as usize + 1 == FRAME_BLOCKS);

impl<'a> Drawing<'a> {
    fn new(frame: &'a Frame<'a>, shadows: Option<ShadowView>, multisampled: bool) -> Self {
        let mut block = frame.block(multisampled);
        frame.light_block(shadows.as_ref(), &mut block);
        Self { frame, shadows, block }
    }
}

feature! {
    list for_debug;
    fn draw_wireframe(renderer: &Renderer, frame: &Frame<'_>) -> Result<(), RenderError> = Renderer::draw_wireframe;
    fn draw_debug_surfaces(
        renderer: &Renderer, pass: &Pass<'_>, channel: Channel, opaque: &[Item],
    ) -> Result<(), RenderError> = Renderer::draw_debug_surfaces;
    fn prepare_model_debug(
        debug: &mut ModelDebug, gl: &Rc<Gl>, programs: &mut Programs, gpu: &GpuModel, actor: &ActorDraw<'_>,
    ) -> Result<(), RenderError> = ModelDebug::prepare;
}

feature! {
    list for_light;
    fn prepare_shadows(
        renderer: &mut Renderer, frame: &Frame<'_>, area: &ShadowArea,
    ) -> Result<(Option<ShadowView>, bool), RenderError> = Renderer::prepare_shadows;
    fn draw_shadows(renderer: &Renderer, drawing: &Drawing<'_>, view: &ShadowView) -> Result<(), RenderError> =
        Renderer::draw_shadows;
    fn draw_shadows_on_ground(shadows: &Shadows, gl: &Gl, view: &ShadowView, frame: &Frame<'_>) = Shadows::draw_ground;
    fn prepare_sky(skies: &mut Skies, gl: &Rc<Gl>, frame: &Frame<'_>) -> Result<bool, RenderError> = Skies::prepare;
    fn draw_sky(skies: &Skies, gl: &Gl, frame: &Frame<'_>) = Skies::draw;
}

feature! {
    list for_crowds;
    fn prepare_crowd(
        renderer: &mut Renderer, model: ModelHandle, shadows: bool, may_defer: bool,
    ) -> Result<bool, RenderError> = Renderer::prepare_crowd;
}

feature! {
    list for_views;
    fn set_view(gl: &Gl, view: &ViewTarget, backdrop: bool) -> [u32; 2] = Gl::set_view;
    fn end_view(gl: &Gl) = Gl::end_view;
}

feature! {
    list for_skinning;
    fn prepare_deformed(renderer: &mut Renderer, actor: &ActorDraw<'_>) -> Result<(), RenderError> =
        Renderer::prepare_deformed;
}

impl Renderer {
    /// Renders a frame to the canvas, or to its [`Frame::target`]. Rendering the same scene again does not allocate.
    ///
    /// A lost context is not detected; nothing is drawn then. Returns `true` if the picture is complete. Otherwise
    /// the parts that [`Frame::may_defer`] allows to be missing are being prepared.
    ///
    /// # Errors
    /// `StaleHandle` before anything is drawn; `TooLarge`; and, when a primitive is deformed on the CPU for the
    /// first time, those of [`Renderer::add_model`].
    pub fn render(&mut self, frame: &Frame<'_>) -> Result<bool, RenderError> {
        if frame.width == 0 || frame.height == 0 {
            return Ok(true);
        }
        let (shadows, complete) = self.prepare_frame(frame)?;
        self.list_draws(frame);
        self.palette.upload(&self.gl, frame.palette, frame.crowd_palettes(), self.list.morphs())?;
        let drawing = Drawing::new(frame, shadows, self.gl.limits().multisampled);
        if let Some(view) = &drawing.shadows {
            draw_shadows(self, &drawing, view)?;
        }
        self.environments.bind(&self.gl, frame.environment);
        self.shadows.bind(&self.gl, drawing.shadows.as_ref());
        if let Some(behind) = self.list.behind().filter(|_| frame.debug.surface.is_none()) {
            self.copy_backdrop(&drawing, behind)?;
        }
        self.set_screen(frame, false);
        self.draw(&drawing, (Block::Picture, &drawing.block), frame.clear_color(), self.list.items())?;
        if frame.debug.wireframe {
            draw_wireframe(self, frame)?;
        }
        self.lines.draw(&self.gl, frame);
        if frame.target.is_some() {
            end_view(&self.gl);
        }
        self.cost = self.gl.take_cost();
        Ok(complete)
    }

    /// Creates the programs and buffers of a frame; returns its shadows, and `true` if nothing is missing.
    fn prepare_frame(&mut self, frame: &Frame<'_>) -> Result<(Option<ShadowView>, bool), RenderError> {
        self.lines.prepare(&self.gl, &frame.debug)?;
        for actor in frame.actors {
            self.prepare(actor)?;
            self.prepare_debug_programs(actor)?;
        }
        let (shadows, mut complete) = match &frame.shadows {
            Some(area) => prepare_shadows(self, frame, area)?,
            None => (None, true),
        };
        if frame.lighting.skybox && frame.sky.is_some() {
            complete &= prepare_sky(&mut self.skies, &self.gl, frame)?;
        }
        Ok((shadows, complete))
    }

    /// Creates the programs and buffers of a frame's shadows; returns the shadows if all is ready, and `true` if nothing is missing.
    fn prepare_shadows(
        &mut self,
        frame: &Frame<'_>,
        area: &ShadowArea,
    ) -> Result<(Option<ShadowView>, bool), RenderError> {
        let camera = frame.projection * frame.view;
        let Some(view) = area.view(frame.environment, &frame.lighting, Some(&camera)) else {
            return Ok((None, true));
        };
        let mut complete = self.shadows.prepare(&self.gl, frame.uneven, frame.may_defer)?;
        for actor in frame.actors {
            complete &= self.prepare_shadow(actor, frame.may_defer)?;
        }
        Ok((complete.then_some(view), complete))
    }

    /// Builds the sorted draw list of all actors.
    fn list_draws(&mut self, frame: &Frame<'_>) {
        self.list.clear();
        for (i, actor) in frame.actors.iter().enumerate() {
            if let Some(gpu) = &self.models[actor.model.index as usize].model {
                self.list.push(frame, i as u32, actor.model.index, gpu);
            }
        }
        self.list.sort();
    }

    fn prepare_debug_programs(&mut self, actor: &ActorDraw<'_>) -> Result<(), RenderError> {
        let Entry { model: Some(gpu), debug: Some(debug), .. } = &mut self.models[actor.model.index as usize]
        else {
            return Ok(());
        };
        prepare_model_debug(debug, &self.gl, &mut self.programs, gpu, actor)
    }

    /// Writes and binds a uniform block.
    fn set_block(&self, slot: Block, block: &[f32; FRAME_FLOATS]) {
        let offset = slot as usize * block_stride(&self.gl);
        self.gl.write_uniforms(&self.frame_block, offset, block);
        self.gl.bind_block(FRAME_BLOCK, &self.frame_block, offset, size_of_val(block));
    }

    /// The context of the frame's draws.
    fn pass<'a>(&'a self, frame: &'a Frame<'a>) -> Pass<'a> {
        Pass {
            gl: &self.gl,
            frame,
            palette: &self.palette,
            placeholders: &self.placeholders,
            masks: if self.gl.limits().multisampled { Coverage::Samples } else { Coverage::Whole },
            backdrop: self.backdrop.texture(),
        }
    }

    fn model(&self, index: u32) -> Option<&GpuModel> {
        self.models[index as usize].model.as_ref()
    }

    fn debugged(&self, index: u32) -> Option<(&GpuModel, &ModelDebug)> {
        let Entry { model, debug, .. } = &self.models[index as usize];
        model.as_ref().zip(debug.as_ref())
    }

    /// Draws the shadow maps, with the frame's block but other cameras.
    fn draw_shadows(&self, drawing: &Drawing<'_>, view: &ShadowView) -> Result<(), RenderError> {
        let (pass, items) = (self.pass(drawing.frame), self.list.items());
        let models = |index| self.model(index);
        let mut block = drawing.block;
        if let Some(key) = view.key {
            block[..16].copy_from_slice(&key.to_cols_array());
            self.set_block(Block::KeyShadow, &block);
            self.shadows.draw_key(&pass, items, &models)?;
        }
        block[..16].copy_from_slice(&view.below.to_cols_array());
        self.set_block(Block::ContactShadow, &block);
        self.shadows.draw_contact(&pass, items, &models, view.contact_range)
    }

    /// Draws the first `opaque` items into the canvas, in the encoding of the backdrop. Copies the result for transmissive
    /// materials.
    fn copy_backdrop(&mut self, drawing: &Drawing<'_>, opaque: usize) -> Result<(), RenderError> {
        let frame = drawing.frame;
        let mut block = drawing.block;
        block[BACKDROP] = 1.0;
        let corner = self.set_screen(frame, true);
        let items = &self.list.items()[..opaque];
        self.draw(drawing, (Block::Backdrop, &block), frame.backdrop_color(), items)?;
        self.backdrop.copy(&self.gl, corner, [frame.width, frame.height])
    }

    /// Sets the render target of the picture, or of its backdrop, and returns its lower left corner.
    fn set_screen(&self, frame: &Frame<'_>, backdrop: bool) -> [u32; 2] {
        if let Some(view) = frame.target {
            return set_view(&self.gl, view, backdrop);
        }
        self.gl.set_target(None, frame.width, frame.height);
        [0; 2]
    }

    /// Clears the render target and draws items into it: the picture or the backdrop, according to the block.
    fn draw(
        &self,
        drawing: &Drawing<'_>,
        (slot, block): (Block, &[f32; FRAME_FLOATS]),
        clear_color: [f32; 4],
        items: &[Item],
    ) -> Result<(), RenderError> {
        let (gl, frame) = (&self.gl, drawing.frame);
        self.set_block(slot, block);
        gl.set_depth_test(true);
        gl.clear(clear_color);
        let pass = self.pass(frame);
        // Debug views draw all items as opaque.
        let opaque = |item: &Item| frame.debug.surface.is_some() || !item.transmits && !item.blends;
        let (opaque, rest) = items.split_at(items.partition_point(opaque));
        let draw = |item: &Item| self.model(item.model).map_or(Ok(()), |gpu| pass.draw(item, gpu));
        if let Some(channel) = frame.debug.surface {
            draw_debug_surfaces(self, &pass, channel, opaque)?;
        } else {
            opaque.iter().try_for_each(draw)?;
            if !frame.is_opaque() && pass.masks == Coverage::Samples {
                self.draw_alpha_of_masks(&pass, (slot, block), opaque)?;
            }
        }
        // The sky is drawn after opaque items, so that depth-tested fragments are skipped.
        gl.set_coverage(Coverage::Whole);
        if frame.lighting.skybox && frame.sky.is_some() {
            draw_sky(&self.skies, gl, frame);
            self.environments.bind(gl, frame.environment);
        }
        if let Some(view) = &drawing.shadows {
            draw_shadows_on_ground(&self.shadows, gl, view, frame);
        }
        rest.iter().try_for_each(draw)?;
        gl.set_coverage(Coverage::Whole);
        Ok(())
    }

    /// Writes the alpha of masks into the samples that alpha to coverage selected. The first pass cannot write it:
    /// alpha to coverage uses the shader's output alpha to select samples. The same program reproduces exactly their depth.
    fn draw_alpha_of_masks(
        &self,
        pass: &Pass<'_>,
        (slot, block): (Block, &[f32; FRAME_FLOATS]),
        opaque: &[Item],
    ) -> Result<(), RenderError> {
        let mut masks = opaque
            .iter()
            .filter_map(|item| Some((item, self.model(item.model)?)))
            .filter(|(item, gpu)| look_of(pass.frame, item, gpu).masks())
            .peekable();
        if masks.peek().is_none() {
            return Ok(());
        }
        let mut again = *block;
        again[MASKS] = 2.0;
        self.set_block(Block::AlphaOfMasks, &again);
        let pass = Pass { masks: Coverage::AlphaOfDrawn, ..*pass };
        masks.try_for_each(|(item, gpu)| pass.draw(item, gpu))?;
        self.set_block(slot, block);
        Ok(())
    }

    /// Builds the programs for an actor's shadow; returns `true` if all are built, which is certain without `may_defer`.
    fn prepare_shadow(&mut self, actor: &ActorDraw<'_>, may_defer: bool) -> Result<bool, RenderError> {
        if actor.is_crowd() {
            return prepare_crowd(self, actor.model, true, may_defer);
        }
        let Some(gpu) = &mut self.models[actor.model.index as usize].model else { return Ok(true) };
        let missing = |mesh: &MeshDraw| {
            let deformed = usize::from(find_deformed(actor.deformed, mesh, 0).is_some());
            let look = mesh.look_of(actor.variant);
            let variant = mesh.looks[look].variant;
            let variant = if deformed == 1 { deformed_variant(variant) } else { variant };
            mesh.looks[look].shadow_programs[deformed].is_none().then(|| (look, deformed, variant.shadow()))
        };
        // Requests all programs before waiting for the first one, so that they compile in parallel.
        for (_, _, variant) in gpu.draws.iter().filter_map(missing) {
            self.programs.request(&self.gl, variant)?;
        }
        let mut complete = true;
        for mesh in &mut gpu.draws {
            if let Some((look, deformed, variant)) = missing(mesh) {
                let program = self.programs.poll(&self.gl, variant, may_defer)?;
                complete &= program.is_some();
                mesh.looks[look].shadow_programs[deformed] = program;
            }
        }
        Ok(complete)
    }

    /// Checks an actor's handle, and prepares its deformed primitives.
    fn prepare(&mut self, actor: &ActorDraw<'_>) -> Result<(), RenderError> {
        self.model_mut(actor.model)?;
        if actor.is_crowd() {
            prepare_crowd(self, actor.model, false, false)?;
        }
        if actor.deformed.is_empty() { Ok(()) } else { prepare_deformed(self, actor) }
    }

    fn draw_wireframe(&self, frame: &Frame<'_>) -> Result<(), RenderError> {
        draw_wires(&self.pass(frame), self.list.items(), &|index| self.debugged(index))
    }

    fn draw_debug_surfaces(
        &self,
        pass: &Pass<'_>,
        channel: Channel,
        opaque: &[Item],
    ) -> Result<(), RenderError> {
        draw_surfaces(pass, channel, opaque, (&|index| self.model(index), &|index| self.debugged(index)))
    }

    fn prepare_deformed(&mut self, actor: &ActorDraw<'_>) -> Result<(), RenderError> {
        let Some(gpu) = &mut self.models[actor.model.index as usize].model else { return Ok(()) };
        for mesh in &mut gpu.draws {
            let look = mesh.look_of(actor.variant);
            if find_deformed(actor.deformed, mesh, 0).is_some() && mesh.looks[look].deformed_program.is_none()
            {
                let variant = deformed_variant(mesh.looks[look].variant);
                mesh.looks[look].deformed_program = Some(self.programs.get(&self.gl, variant)?);
                let part = &mut gpu.parts[mesh.part];
                part.geometry.prepare_deformed(&self.gl, part.vertices, part.morphs)?;
            }
        }
        Ok(())
    }
}
