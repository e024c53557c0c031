//! A model on the GPU.

use super::RenderError;
use super::anchor::Anchor;
use super::geometry::{Geometry, skin_sets};
use super::gl::Gl;
use super::images::Images;
use super::material::Materials;
use super::morph::{MorphTexture, parts_of};
use super::programs::{MeshProgram, Programs};
use super::samplers::Samplers;
use super::variant::{Alpha, Placement, TextureSlot, Variant};
use crate::model::{Model, PaletteLayout, Primitive, Topology};
use std::collections::HashMap;
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
    pub(crate) vertices: usize,
}

/// One draw: a primitive of a drawable.
#[derive(Debug)]
pub(crate) struct MeshDraw {
    /// An index into [`GpuModel::parts`].
    pub(crate) part: usize,
    /// An index into [`Materials::list`].
    pub(crate) material: usize,
    pub(crate) variant: Variant,
    pub(crate) program: Rc<MeshProgram>,
    /// The program for vertices that the CPU deformed, made when it is first needed.
    pub(crate) deformed_program: Option<Rc<MeshProgram>>,
    /// The first slot of the drawable.
    pub(crate) slot: u32,
    /// The morph weights of the drawable.
    pub(crate) weights: Range<usize>,
    pub(crate) anchor: Anchor,
    /// The indices of the drawable and of its primitive.
    pub(crate) source: (usize, usize),
}

impl MeshDraw {
    /// Whether it is drawn after all that is opaque.
    pub(crate) fn blends(&self) -> bool {
        self.variant.alpha == Alpha::Blend
    }
}

impl GpuModel {
    pub(crate) fn new(
        gl: &Rc<Gl>,
        model: &Model,
        layout: &PaletteLayout,
        programs: &mut Programs,
        samplers: &mut Samplers,
    ) -> Result<Self, RenderError> {
        let materials = Materials::new(gl, model, samplers)?;
        let variants = variants(model, layout, &materials);
        // The programs build while the vertices are uploaded.
        for &(_, _, variant) in &variants {
            programs.request(gl, variant)?;
        }

        let mut parts = Vec::new();
        let mut part_of = HashMap::new();
        let mut draws = Vec::new();
        for &(drawable_index, primitive_index, variant) in &variants {
            let drawable = &layout.drawables[drawable_index];
            let primitive = &model.meshes[drawable.mesh.index()].primitives[primitive_index];
            let key = (drawable.mesh, primitive_index);
            let part = match part_of.get(&key) {
                Some(&part) => part,
                None => {
                    parts.push(Part::new(gl, primitive, variant)?);
                    part_of.insert(key, parts.len() - 1);
                    parts.len() - 1
                }
            };
            draws.push((part, drawable_index, primitive_index, variant));
        }

        programs.finish(gl)?;
        let draws = draws.into_iter().map(|(part, drawable_index, primitive_index, variant)| {
            let drawable = &layout.drawables[drawable_index];
            let primitive = &model.meshes[drawable.mesh.index()].primitives[primitive_index];
            Ok(MeshDraw {
                part,
                material: materials.index_of(primitive),
                variant,
                program: programs.get(gl, variant)?,
                deformed_program: None,
                slot: drawable.slots.start,
                weights: drawable.weights.start as usize..drawable.weights.end as usize,
                anchor: Anchor::new(primitive, drawable.skinned),
                source: (drawable_index, primitive_index),
            })
        });
        let mut draws = draws.collect::<Result<Vec<_>, RenderError>>()?;
        draws.retain(|draw| !parts[draw.part].geometry.is_empty());
        // So that what is set for one draw serves the next.
        draws.sort_by_key(|draw| (draw.program.order, draw.material, draw.part));
        Ok(Self { images: Images::new(model), materials, parts, draws })
    }
}

impl Part {
    fn new(gl: &Rc<Gl>, primitive: &Primitive, variant: Variant) -> Result<Self, RenderError> {
        Ok(Self {
            geometry: Geometry::new(gl, primitive, variant.tangents)?,
            morph: MorphTexture::new(gl, primitive, variant.morph)?,
            vertices: primitive.vertex_count(),
        })
    }
}

/// Every primitive of every drawable, by their indices, with the shaders it needs.
fn variants(model: &Model, layout: &PaletteLayout, materials: &Materials) -> Vec<(usize, usize, Variant)> {
    let mut out = Vec::new();
    for (drawable_index, drawable) in layout.drawables.iter().enumerate() {
        for (primitive_index, primitive) in model.meshes[drawable.mesh.index()].primitives.iter().enumerate()
        {
            let material = &materials.list[materials.index_of(primitive)];
            let variant = Variant {
                placement: placement(primitive, drawable.skinned),
                morph: parts_of(primitive),
                normals: !primitive.normals.is_empty(),
                tangents: !primitive.tangents.is_empty(),
                colors: !primitive.colors.is_empty(),
                textures: material.tex_coords(primitive.tex_coords.len()),
                alpha: material.alpha,
                unlit: primitive.normals.is_empty() && !has_faces(primitive.topology),
            };
            out.push((drawable_index, primitive_index, variant.reduced()));
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

/// The variant that draws what the CPU deformed.
pub(crate) fn deformed_variant(variant: Variant) -> Variant {
    Variant { placement: Placement::Deformed, ..variant }.reduced()
}

/// The slots of a material that a variant looks up.
pub(crate) fn used_slots(variant: &Variant) -> impl Iterator<Item = TextureSlot> + use<> {
    let textures = variant.textures;
    TextureSlot::ALL.into_iter().filter(move |&slot| textures[slot as usize].is_some())
}
