//! The incremental upload of a model, in steps that do not block the page.

use super::geometry::Contents;
use super::gpu_model::{GpuModel, Part, Plan, plans};
use super::pixels::{Filling, Pixels};
use crate::base::IndexMap;
use crate::model::{ImageId, Model, PaletteLayout, Primitive};
use crate::render::error::RenderError;
use crate::render::gl::{Fence, Gl, TexelFormat};
use crate::render::programs::{Programs, Variant, deformed_variant};
use crate::render::progress::Progress;
use std::collections::VecDeque;
use std::rc::Rc;

/// The number of bytes sent between fences; with more in flight, GL calls would block.
const IN_FLIGHT: usize = 4 << 20;

/// The unfinished part of a model's upload.
#[derive(Debug, Default)]
pub(crate) struct Upload {
    plans: Vec<Plan>,
    /// For each plan, the index of its part.
    parts: Vec<usize>,
    /// For each part, the first plan that uses it.
    first_plans: Vec<usize>,
    /// The variants whose programs are not requested yet.
    variants: Vec<Variant>,
    /// The part whose upload is in progress.
    part: Option<Writing>,
    images: VecDeque<(ImageId, Pixels)>,
    /// The first image: the texture in progress, and the formats of textures that are not started.
    filling: Option<(Option<Filling>, Vec<TexelFormat>)>,
    fence: Option<Fence>,
    /// The bytes sent since the last fence.
    in_flight: usize,
}

#[derive(Debug)]
struct Writing {
    part: Part,
    /// The bytes written: of vertices and indices, of morph targets, and of the influence texture.
    written: [usize; 3],
}

impl Upload {
    /// Begins the upload of a model without draws.
    ///
    /// - `deformed`: the primitives that will be deformed on the CPU: `(drawable, primitive)`, sorted.
    /// - `shadows`: `true` if shadows will be drawn.
    pub(crate) fn new(
        gpu: &GpuModel,
        (model, layout): (&Model, &PaletteLayout),
        deformed: &[(usize, usize)],
        shadows: bool,
    ) -> Self {
        let plans = plans(model, layout, &gpu.materials);
        let (mut part_of, mut first_plans, mut parts) = (IndexMap::new(), Vec::new(), Vec::new());
        let mut variants = Vec::new();
        for (i, plan) in plans.iter().enumerate() {
            let (mesh, primitive) = plan.part_key(layout);
            let key = (mesh.index(), primitive, 0);
            let part = part_of.get(&key).copied().unwrap_or(first_plans.len());
            if part == first_plans.len() {
                first_plans.push(i);
                part_of.insert(key, part);
            }
            parts.push(part);
            let on_cpu = deformed.binary_search(&plan.source).is_ok();
            for &(_, variant) in &plan.looks {
                let deformed = on_cpu.then(|| deformed_variant(variant));
                for variant in [Some(variant), deformed].into_iter().flatten() {
                    variants.push(variant);
                    variants.extend(shadows.then(|| variant.shadow()));
                }
            }
        }
        Self { plans, parts, first_plans, variants, ..Self::default() }
    }

    /// Selects dual-quaternion or linear skinning.
    pub(crate) fn set_skinning(&mut self, dual: bool) {
        let looks = self.plans.iter_mut().flat_map(|plan| &mut plan.looks);
        let variants = looks.map(|(_, variant)| variant).chain(&mut self.variants);
        variants.for_each(|variant| *variant = variant.skinned(dual));
    }

    /// Queues an image of the model for upload.
    pub(crate) fn give_image(&mut self, image: ImageId, pixels: Pixels) {
        self.images.push_back((image, pixels));
    }

    /// Takes one step: uploads up to `budget` bytes, but whole rows of images, or does one other operation. Without
    /// `may_defer` it waits for the GPU if necessary, and never returns [`Progress::Busy`].
    ///
    /// # Errors
    /// `OutOfMemory`, `TooLarge`, `TextureTooLarge`, `ImageData`, `Shader`, `ContextLost`; the upload cannot be continued then.
    pub(crate) fn step(
        &mut self,
        gl: &Rc<Gl>,
        gpu: &mut GpuModel,
        source: (&Model, &PaletteLayout),
        programs: &mut Programs,
        (budget, may_defer): (usize, bool),
    ) -> Result<Progress, RenderError> {
        if Fence::is_pending(&mut self.fence, may_defer) {
            return Ok(Progress::Busy);
        }
        if let Some(variant) = self.variants.pop() {
            programs.request(gl, variant)?;
        } else if gpu.parts.len() < self.first_plans.len() {
            self.write_part(gl, gpu, source, budget)?;
        } else if !self.images.is_empty() {
            self.write_image(gl, gpu, budget)?;
        } else if may_defer && !programs.built(gl) {
            return Ok(Progress::Busy);
        } else if self.in_flight > 0 {
            // A query would block until the GPU has processed all earlier commands.
            self.in_flight = IN_FLIGHT;
        } else if !programs.finish_one(gl)? {
            let plans = std::mem::take(&mut self.plans);
            if !plans.is_empty() {
                gpu.show(gl, source, plans, &self.parts, programs)?;
            }
            gl.check()?;
            return Ok(Progress::Done);
        }
        if self.in_flight >= IN_FLIGHT {
            self.fence = Some(Fence::new(gl)?);
            self.in_flight = 0;
        }
        Ok(Progress::More)
    }

    fn write_part(
        &mut self,
        gl: &Rc<Gl>,
        gpu: &mut GpuModel,
        (model, layout): (&Model, &PaletteLayout),
        budget: usize,
    ) -> Result<(), RenderError> {
        let plan = &self.plans[self.first_plans[gpu.parts.len()]];
        let (_, primitive) = plan.primitive(model, layout);
        let mut writing = match self.part.take() {
            Some(writing) => writing,
            None => {
                let part = Part::new(gl, primitive, plan, &contents(primitive, plan))?;
                Writing { part, written: [0; 3] }
            }
        };
        let Writing { part, written } = &mut writing;
        let contents = contents(primitive, plan);
        let mut count = part.geometry.write(gl, &contents, written[0], budget);
        written[0] += count;
        if let Some(morph) = part.morph.as_ref().filter(|_| count == 0) {
            count = morph.write(gl, primitive, (plan.morphs, &plan.sets), written[1], budget);
            written[1] += count;
        }
        if let Some(influences) = part.influences.as_ref().filter(|_| count == 0) {
            count = influences.write(gl, primitive, written[2], budget);
            written[2] += count;
        }
        self.in_flight += count;
        if count > 0 {
            self.part = Some(writing);
        } else {
            gpu.parts.push(writing.part);
        }
        Ok(())
    }

    fn write_image(&mut self, gl: &Rc<Gl>, gpu: &mut GpuModel, budget: usize) -> Result<(), RenderError> {
        let Some((image, pixels)) = self.images.front() else { return Ok(()) };
        let (filling, formats) = self.filling.get_or_insert_with(|| (None, gpu.images.wanted(*image)));
        if let Some(texture) = filling {
            let count = texture.write(gl, pixels, budget);
            self.in_flight += count;
            if count == 0 {
                texture.finish(gl, pixels);
                // Generating the mipmap may take the GPU longer than the upload.
                self.in_flight = IN_FLIGHT;
                if let Some(done) = filling.take() {
                    gpu.images.set(*image, done.format, done.texture);
                }
            }
        } else if let Some(format) = formats.pop() {
            *filling = Some(Filling::new(gl, pixels, format)?);
        } else {
            self.images.pop_front();
            self.filling = None;
        }
        Ok(())
    }
}

fn contents<'a>(primitive: &'a Primitive, plan: &Plan) -> Contents<'a> {
    Contents::new(primitive, plan.tangents(), &plan.sets)
}
