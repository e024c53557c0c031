//! A model on the GPU.

use super::anchor::Anchor;
use super::geometry::{Contents, Geometry, skin_sets};
use super::images::Images;
use super::influences::InfluenceTexture;
use super::material::Materials;
use super::morph::{MorphTexture, parts_of};
use super::samplers::Samplers;
use crate::base::sort_by;
use crate::model::{Drawable, MeshId, Model, PaletteLayout, Primitive, Topology, VariantId};
use crate::render::error::RenderError;
use crate::render::gl::Gl;
use crate::render::programs::{
    Alpha, Layer, MeshProgram, MorphParts, Placement, Programs, Unlit, Variant, max_uv_sets,
};
use std::ops::Range;
use std::rc::Rc;

/// A model on the GPU.
#[derive(Debug)]
pub(crate) struct GpuModel {
    pub(crate) materials: Materials,
    pub(crate) images: Images,
    /// The primitives that are shown, once even if several drawables show them.
    pub(crate) parts: Vec<Part>,
    /// What to draw for an actor.
    pub(crate) draws: Vec<MeshDraw>,
}

/// A primitive on the GPU.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) geometry: Geometry,
    pub(crate) morph: Option<MorphTexture>,
    /// Influences that attributes have no room for.
    pub(crate) influences: Option<InfluenceTexture>,
    /// What the morph texture changes.
    pub(crate) morphs: MorphParts,
    pub(crate) vertices: usize,
    anchors: [Option<Rc<Anchor>>; 2],
}

/// One draw: a primitive of a drawable.
#[derive(Debug)]
pub(crate) struct MeshDraw {
    /// An index into [`GpuModel::parts`].
    pub(crate) part: usize,
    /// How it looks with each of its materials: the one without a variant first.
    pub(crate) looks: Vec<Look>,
    /// The looks under variants, sorted.
    variants: Vec<(VariantId, usize)>,
    /// The first slot of the drawable.
    pub(crate) slot: u32,
    /// The number of drawables from this one on that are instances of the mesh; their slots are consecutive.
    pub(crate) instances: u32,
    /// The morph weights of the drawable.
    pub(crate) weights: Range<usize>,
    pub(crate) anchor: Rc<Anchor>,
    /// The node that shows it.
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
    pub(crate) program: Rc<MeshProgram>,
    /// The program for vertices that the CPU deformed, made when it is first needed.
    pub(crate) deformed_program: Option<Rc<MeshProgram>>,
    /// The programs of its shadow, by the GPU and for vertices that the CPU deformed, made when they are first needed.
    pub(crate) shadow_programs: [Option<Rc<MeshProgram>>; 2],
    /// The programs of crowds and of their shadows, made when they are first needed.
    pub(crate) crowd_programs: [Option<Rc<MeshProgram>>; 2],
}

impl Look {
    /// Whether what is behind is seen through it, refracted.
    pub(crate) fn transmits(&self) -> bool {
        self.variant.layers[Layer::Transmission as usize]
    }

    /// `true` if its alpha mode is MASK.
    pub(crate) fn masks(&self) -> bool {
        self.variant.alpha == Alpha::Mask
    }

    /// Whether it is drawn after all that is opaque.
    pub(crate) fn blends(&self) -> bool {
        self.variant.alpha == Alpha::Blend
    }
}

impl MeshDraw {
    /// The index of the look under a variant of materials.
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

    /// A model of which nothing is drawn yet.
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

    /// What to draw, once all parts and programs are there; `parts` says for each plan which it is.
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
                let program = programs.get(gl, variant)?;
                let (shadow_programs, crowd_programs) = Default::default();
                Ok(Look {
                    material,
                    variant,
                    program,
                    deformed_program: None,
                    shadow_programs,
                    crowd_programs,
                })
            };
            draws.push(MeshDraw {
                part,
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
        // So that what is set for one draw serves the next.
        let key =
            |draw: &MeshDraw| (draw.looks[0].program.order, draw.looks[0].material, draw.part, draw.source);
        sort_by(&mut draws, |a, b| key(a).cmp(&key(b)));
        self.draws = draws;
        Ok(())
    }
}

impl Part {
    /// Room for a primitive, whose contents are these.
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

    /// The anchor of the primitive, which all drawables that show it share.
    fn anchor(&mut self, primitive: &Primitive, skinned: bool) -> Rc<Anchor> {
        let new = || Rc::new(Anchor::new(primitive, skinned));
        Rc::clone(self.anchors[usize::from(skinned)].get_or_insert_with(new))
    }
}

/// A primitive of a drawable, with the shaders it needs.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The indices of the drawable and of its primitive.
    pub(crate) source: (usize, usize),
    /// The number of drawables from that one on that show the same mesh at the same node.
    instances: usize,
    /// A material and its shaders: the one without a variant first.
    pub(crate) looks: Vec<(usize, Variant)>,
    /// The looks under variants, sorted.
    variants: Vec<(VariantId, usize)>,
    /// What morph targets change and any look makes use of.
    pub(crate) morphs: MorphParts,
    /// The sets of texture coordinates that shaders have, ascending.
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

    /// What is the same for all plans that share a part.
    pub(crate) fn part_key(&self, layout: &PaletteLayout) -> (MeshId, usize) {
        (layout.drawables[self.source.0].mesh, self.source.1)
    }

    /// Whether any look makes use of tangents.
    pub(crate) fn tangents(&self) -> bool {
        self.looks.iter().any(|(_, variant)| variant.tangents)
    }
}

/// What is to be drawn of a model, and how.
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
            sets.truncate(max_uv_sets(primitive.influences.as_ref().map_or(0, skin_sets)));
            let morphs = parts_of(primitive, &sets);
            let look = |index: usize| {
                let material = &materials.list[index];
                let variant = Variant {
                    placement: placement(primitive, drawable.skinned),
                    morph: morphs,
                    stored: morphs,
                    normals: !primitive.normals.is_empty(),
                    tangents: !primitive.tangents.is_empty(),
                    colors: !primitive.colors.is_empty(),
                    layers: material.layers,
                    textures: material.lanes(count, &sets),
                    transforms: material.transforms,
                    alpha: material.alpha,
                    unlit: match (
                        material.unlit,
                        primitive.normals.is_empty() && !has_faces(primitive.topology),
                    ) {
                        (true, _) => Some(Unlit::Material),
                        (false, true) => Some(Unlit::Shape),
                        (false, false) => None,
                    },
                    lights: !layout.lights.is_empty(),
                    dual: false,
                    crowd: false,
                    depth: false,
                    debug: None,
                };
                (index, variant.reduced())
            };
            let mut looks: Vec<_> = list.into_iter().map(look).collect();
            // One texture serves all looks.
            let morphs = looks.iter().fold(MorphParts::default(), |all, (_, v)| all.union(v.morph));
            for (_, variant) in looks.iter_mut().filter(|(_, variant)| variant.morph.count() > 0) {
                variant.stored = morphs;
            }
            out.push(Plan { source: (i, j), instances, looks, variants, morphs, sets });
        }
    }
    out
}

/// A primitive without influences follows the drawable's first slot, even where joints move the mesh.
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
