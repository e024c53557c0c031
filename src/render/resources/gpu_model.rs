//! A model on the GPU.

use super::anchor::Anchor;
use super::geometry::{Contents, Geometry, skin_sets};
use super::images::Images;
use super::influences::InfluenceTexture;
use super::material::Materials;
use super::morph::{MorphTexture, parts_of};
use super::samplers::Samplers;
use crate::base::sort_by;
use crate::model::{Drawable, Layer, MeshId, Model, PaletteLayout, Primitive, Topology, VariantId};
use crate::render::error::RenderError;
use crate::render::gl::Gl;
use crate::render::programs::{
    Alpha, MeshProgram, MorphParts, Placement, Programs, Unlit, Variant, max_uv_sets,
};
use std::ops::Range;
use std::rc::Rc;

/// A model on the GPU.
#[derive(Debug)]
pub(crate) struct GpuModel {
    pub(crate) materials: Materials,
    pub(crate) images: Images,
    /// The uploaded primitives; drawables with the same primitive share one.
    pub(crate) parts: Vec<Part>,
    /// The draws of an actor.
    pub(crate) draws: Vec<MeshDraw>,
}

/// A primitive on the GPU.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) geometry: Geometry,
    pub(crate) morph: Option<MorphTexture>,
    /// The texture of influences that exceed the attributes.
    pub(crate) influences: Option<InfluenceTexture>,
    /// The attributes that the morph texture changes.
    pub(crate) morphs: MorphParts,
    pub(crate) vertices: usize,
    anchors: [Option<Rc<Anchor>>; 2],
}

/// One draw: a primitive of a drawable.
#[derive(Debug)]
pub(crate) struct MeshDraw {
    /// An index into [`GpuModel::parts`].
    pub(crate) part: usize,
    /// The variant without its material.
    pub(crate) shape: Variant,
    /// The distinct materials of the primitive; the one without a variant is first.
    pub(crate) looks: Vec<Look>,
    /// The index of the look for each variant of materials, sorted.
    variants: Vec<(VariantId, usize)>,
    /// The first slot of the drawable.
    pub(crate) slot: u32,
    /// The number of consecutive drawables, from this one on, that are instances of the mesh. Their slots are consecutive.
    pub(crate) instances: u32,
    /// The range of the drawable's morph weights.
    pub(crate) weights: Range<usize>,
    pub(crate) anchor: Rc<Anchor>,
    /// The index of the drawable's node.
    pub(crate) node: usize,
    /// The indices of the drawable and of its primitive.
    pub(crate) source: (usize, usize),
}

/// A primitive with a material.
#[derive(Debug)]
pub(crate) struct Look {
    /// An index into [`Materials::list`].
    pub(crate) material: usize,
    pub(crate) variant: Variant,
    /// `None` while it is being built.
    pub(crate) program: Option<Rc<MeshProgram>>,
    /// The program for CPU-deformed vertices, built on first use.
    pub(crate) deformed_program: Option<Rc<MeshProgram>>,
    /// The depth-only programs for shadows, for the model's vertices and for CPU-deformed vertices; built on first use.
    pub(crate) shadow_programs: [Option<Rc<MeshProgram>>; 2],
    /// The programs for crowds and for their shadows, built on first use.
    pub(crate) crowd_programs: [Option<Rc<MeshProgram>>; 2],
}

impl Look {
    /// A look without programs.
    pub(crate) fn unbuilt(material: usize, variant: Variant) -> Self {
        let (shadow_programs, crowd_programs) = Default::default();
        Self { material, variant, program: None, deformed_program: None, shadow_programs, crowd_programs }
    }

    /// `true` if the material transmits light from the backdrop.
    pub(crate) fn transmits(&self) -> bool {
        self.variant.layers[Layer::Transmission as usize]
    }

    /// `true` if its alpha mode is MASK.
    pub(crate) fn masks(&self) -> bool {
        self.variant.alpha == Alpha::Mask
    }

    /// `true` if the alpha mode is BLEND, so that it is drawn after opaque and transmissive draws.
    pub(crate) fn blends(&self) -> bool {
        self.variant.alpha == Alpha::Blend
    }
}

impl MeshDraw {
    /// The index of the look for a variant of materials.
    pub(crate) fn look_of(&self, variant: Option<VariantId>) -> usize {
        let known = variant.and_then(|variant| self.variants.binary_search_by_key(&variant, |v| v.0).ok());
        known.map_or(0, |i| self.variants[i].1)
    }
}

impl GpuModel {
    /// `true` if any of its materials transmits light.
    pub(crate) fn transmits(&self) -> bool {
        self.draws.iter().flat_map(|draw| &draw.looks).any(Look::transmits)
    }

    /// Creates a model without parts or draws.
    ///
    /// # Errors
    /// `OutOfMemory`, `ContextLost`.
    pub(crate) fn new(
        gl: &Rc<Gl>,
        model: &Model,
        layout: &PaletteLayout,
        samplers: &mut Samplers,
    ) -> Result<Self, RenderError> {
        let materials = Materials::new(gl, model, &layout.properties, samplers)?;
        Ok(Self { images: Images::new(model), materials, parts: Vec::new(), draws: Vec::new() })
    }

    /// Creates the draws, when all parts and programs are ready; `parts` has the index of the part for each plan.
    pub(crate) fn show(
        &mut self,
        gl: &Rc<Gl>,
        (model, layout): (&Model, &PaletteLayout),
        plans: Vec<Plan>,
        parts: &[usize],
        programs: &mut Programs,
    ) -> Result<(), RenderError> {
        let mut draws = Vec::with_capacity(plans.len());
        for (plan, &part) in plans.into_iter().zip(parts) {
            let (drawable, primitive) = plan.primitive(model, layout);
            if self.parts[part].geometry.is_empty() {
                continue;
            }
            let look = |(material, variant)| {
                let program = Some(programs.get(gl, variant)?);
                Ok(Look { program, ..Look::unbuilt(material, variant) })
            };
            draws.push(MeshDraw {
                part,
                shape: plan.shape,
                looks: plan.looks.into_iter().map(look).collect::<Result<_, RenderError>>()?,
                variants: plan.variants,
                slot: drawable.slots.start,
                instances: plan.instances as u32,
                weights: drawable.weights.start as usize..drawable.weights.end as usize,
                anchor: self.parts[part].anchor(primitive, drawable.skinned),
                node: drawable.node.index(),
                source: plan.source,
            });
        }
        // Sorted to minimize state changes.
        let order = |look: &Look| look.program.as_ref().map_or(0, |program| program.order);
        let key = |draw: &MeshDraw| (order(&draw.looks[0]), draw.looks[0].material, draw.part, draw.source);
        sort_by(&mut draws, |a, b| key(a).cmp(&key(b)));
        self.draws = draws;
        Ok(())
    }
}

impl GpuModel {
    /// Takes over the layout of the model after a clip was added that animates more properties.
    pub(crate) fn animate(
        &mut self,
        gl: &Rc<Gl>,
        (model, layout): (&Model, &PaletteLayout),
        programs: &mut Programs,
    ) -> Result<(), RenderError> {
        if !self.materials.animate(&layout.properties) {
            return Ok(());
        }
        let mut plans = plans(model, layout, &self.materials);
        sort_by(&mut plans, |a, b| a.source.cmp(&b.source));
        for draw in &mut self.draws {
            let Ok(at) = plans.binary_search_by_key(&draw.source, |plan| plan.source) else { continue };
            let looks = std::mem::take(&mut plans[at].looks);
            for (look, (material, variant)) in draw.looks.iter_mut().zip(looks) {
                let variant = variant.skinned(look.variant.dual);
                if variant != look.variant {
                    let program = Some(programs.get(gl, variant)?);
                    *look = Look { program, ..Look::unbuilt(material, variant) };
                }
            }
        }
        Ok(())
    }
}

impl Part {
    /// Allocates a primitive with these contents.
    pub(crate) fn new(
        gl: &Rc<Gl>,
        primitive: &Primitive,
        plan: &Plan,
        contents: &Contents<'_>,
    ) -> Result<Self, RenderError> {
        Ok(Self {
            geometry: Geometry::new(gl, contents, &plan.sets)?,
            morph: MorphTexture::new(gl, primitive, plan.morphs)?,
            influences: InfluenceTexture::new(gl, primitive)?,
            morphs: plan.morphs,
            vertices: primitive.vertex_count(),
            anchors: [None, None],
        })
    }

    /// The anchor of the primitive, shared by all its drawables.
    fn anchor(&mut self, primitive: &Primitive, skinned: bool) -> Rc<Anchor> {
        let new = || Rc::new(Anchor::new(primitive, skinned));
        Rc::clone(self.anchors[usize::from(skinned)].get_or_insert_with(new))
    }
}

/// A draw to be created: a primitive of a drawable, with its shader variants.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The indices of the drawable and of its primitive.
    pub(crate) source: (usize, usize),
    /// The number of consecutive drawables, from that one on, with the same mesh at the same node.
    instances: usize,
    /// The variant without its material.
    shape: Variant,
    /// Each material with its shader variant; the one without a variant of materials is first.
    pub(crate) looks: Vec<(usize, Variant)>,
    /// The index of the look for each variant of materials, sorted.
    variants: Vec<(VariantId, usize)>,
    /// The attributes with morph targets that at least one look uses.
    pub(crate) morphs: MorphParts,
    /// The texture coordinate sets in the vertex buffer, ascending.
    pub(crate) sets: Vec<u32>,
}

impl Plan {
    /// The drawable and its primitive.
    pub(crate) fn primitive<'a>(
        &self,
        model: &'a Model,
        layout: &'a PaletteLayout,
    ) -> (&'a Drawable, &'a Primitive) {
        let drawable = &layout.drawables[self.source.0];
        (drawable, &model.meshes[drawable.mesh.index()].primitives[self.source.1])
    }

    /// The key of the part; plans with equal keys share a part.
    pub(crate) fn part_key(&self, layout: &PaletteLayout) -> (MeshId, usize) {
        (layout.drawables[self.source.0].mesh, self.source.1)
    }

    /// `true` if at least one look uses tangents.
    pub(crate) fn tangents(&self) -> bool {
        self.looks.iter().any(|(_, variant)| variant.tangents)
    }
}

/// The draws to be created for a model.
pub(crate) fn plans(model: &Model, layout: &PaletteLayout, materials: &Materials) -> Vec<Plan> {
    let mut out = Vec::new();
    let mut next = 0;
    while let Some(drawable) = layout.drawables.get(next) {
        let (i, instances) = (next, layout.instances_from(next));
        next += instances;
        for (j, primitive) in model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
            let mut list = vec![materials.index_of(primitive.material)];
            let mut variants = Vec::with_capacity(primitive.variants.len());
            for &(variant, material) in &primitive.variants {
                let material = material.index();
                let look = list.iter().position(|&known| known == material).unwrap_or_else(|| {
                    list.push(material);
                    list.len() - 1
                });
                variants.push((variant, look));
            }
            let count = primitive.tex_coords.len();
            let mut sets: Vec<u32> =
                list.iter().flat_map(|&index| materials.list[index].uv_sets(count)).collect();
            sets.sort_unstable();
            sets.dedup();
            if sets.is_empty() && count > 0 {
                // A texture of the page may come later.
                sets.push(0);
            }
            sets.truncate(max_uv_sets(primitive.influences.as_ref().map_or(0, skin_sets)));
            let morphs = parts_of(primitive, &sets);
            let is_shape = primitive.normals.is_empty() && !has_faces(primitive.topology);
            let shape = Variant {
                placement: placement(primitive, drawable.skinned),
                morph: morphs,
                stored: morphs,
                normals: !primitive.normals.is_empty(),
                tangents: !primitive.tangents.is_empty(),
                colors: !primitive.colors.is_empty(),
                unlit: is_shape.then_some(Unlit::Shape),
                lights: !layout.lights.is_empty(),
                ..Variant::default()
            };
            let look = |index: usize| (index, materials.list[index].variant(&shape, count, &sets));
            let mut looks: Vec<_> = list.into_iter().map(look).collect();
            // All looks share one morph texture, and one vertex buffer.
            let morphs = looks.iter().fold(MorphParts::default(), |all, (_, v)| all.union(v.morph));
            for (_, variant) in looks.iter_mut().filter(|(_, variant)| variant.morph.count() > 0) {
                variant.stored = morphs;
            }
            let tangents = looks.iter().any(|(_, variant)| variant.tangents);
            let shape = Variant { morph: morphs, stored: morphs, tangents, ..shape };
            out.push(Plan { source: (i, j), instances, shape, looks, variants, morphs, sets });
        }
    }
    out
}

/// The placement of a primitive. Without influences it follows the drawable's first slot, even in a skinned mesh.
fn placement(primitive: &Primitive, skinned: bool) -> Placement {
    match primitive.influences.as_ref().filter(|_| skinned) {
        Some(influences) => Placement::Skinned(skin_sets(influences) as u8),
        None => Placement::Rigid,
    }
}

fn has_faces(topology: Topology) -> bool {
    matches!(topology, Topology::Triangles | Topology::TriangleStrip | Topology::TriangleFan)
}

/// A model in a [`Renderer`](crate::render::Renderer).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModelHandle {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}
