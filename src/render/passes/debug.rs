//! Debug views: surface properties as colours, and wireframes.
//!
//! They have their own vertex data, with all attributes of the file, and their own programs. Both exist only while
//! debug views are in use.

use super::draw::{Item, Models, Pass, find_deformed, material_of};
use crate::model::{Model, NodeId, PaletteLayout, Primitive, Topology};
use crate::render::debug_view::Channel;
use crate::render::error::RenderError;
use crate::render::frame::ActorDraw;
use crate::render::gl::{Buffer, Coverage, Cull, Gl};
use crate::render::programs::{DebugParts, MeshProgram, Programs, Variant, deformed_variant, max_uv_sets};
use crate::render::resources::{Contents, Geometry, GpuModel, MeshDraw, Part, skin_sets};
use std::rc::Rc;

/// The number for wireframes in place of a channel's number.
const WIRES: i32 = -1;

/// The resources of debug views for a model.
#[derive(Debug)]
pub(crate) struct ModelDebug {
    /// Per part of the model.
    parts: Vec<DebugPart>,
    /// Per draw of the model.
    draws: Vec<DebugDraw>,
    /// The joint whose weights are shown; `None` until `choose` is called.
    joint: Option<Option<NodeId>>,
}

#[derive(Debug)]
struct DebugPart {
    geometry: Geometry,
    /// The edges of the part's faces, and the number of indices.
    edges: Option<(Buffer, usize)>,
}

#[derive(Debug)]
struct DebugDraw {
    /// Per look of the draw.
    looks: Vec<DebugLook>,
    /// The index of the chosen joint in the skin, or −1.
    joint: i32,
    /// `true` if the draw is not skinned and follows the chosen joint.
    follows: bool,
}

#[derive(Debug)]
struct DebugLook {
    variant: Variant,
    /// The programs for the model's vertices and for CPU-deformed vertices, built on first use.
    programs: [Option<Rc<MeshProgram>>; 2],
}

impl ModelDebug {
    pub(crate) fn new(
        gl: &Rc<Gl>,
        gpu: &GpuModel,
        model: &Model,
        layout: &PaletteLayout,
    ) -> Result<Self, RenderError> {
        let primitive = |mesh: &MeshDraw| {
            let drawable = &layout.drawables[mesh.source.0];
            &model.meshes[drawable.mesh.index()].primitives[mesh.source.1]
        };
        let mut shown = vec![None; gpu.parts.len()];
        for mesh in &gpu.draws {
            shown[mesh.part] = Some(primitive(mesh));
        }
        let mut parts = Vec::with_capacity(gpu.parts.len());
        for (part, shown) in gpu.parts.iter().zip(shown) {
            // Parts without draws have no primitive.
            let empty = Primitive::default();
            parts.push(DebugPart::new(gl, part, shown.unwrap_or(&empty))?);
        }
        let draw = |mesh: &MeshDraw| {
            let (part, debug) = (&gpu.parts[mesh.part], &parts[mesh.part]);
            let primitive = primitive(mesh);
            let first = debug.geometry.sets.iter().position(|&set| set == 0);
            let parts = DebugParts {
                skin_sets: primitive.influences.as_ref().map_or(0, skin_sets) as u8,
                uv: first.map(|lane| lane as u8),
            };
            let look = |variant: Variant| {
                let variant = Variant {
                    debug: Some(parts),
                    morph: part.morphs,
                    stored: part.morphs,
                    normals: !primitive.normals.is_empty(),
                    tangents: !primitive.tangents.is_empty(),
                    unlit: None,
                    lights: false,
                    ..variant
                };
                DebugLook { variant: variant.reduced(), programs: [None, None] }
            };
            let looks = mesh.looks.iter().map(|own| look(own.variant)).collect();
            DebugDraw { looks, joint: -1, follows: false }
        };
        let draws = gpu.draws.iter().map(draw).collect();
        Ok(Self { parts, draws, joint: None })
    }

    /// Selects the joint whose weights are shown.
    pub(crate) fn choose<'a>(
        &mut self,
        draws: impl Iterator<Item = &'a MeshDraw>,
        model: &Model,
        layout: &PaletteLayout,
        joint: Option<NodeId>,
    ) {
        if self.joint == Some(joint) {
            return;
        }
        self.joint = Some(joint);
        for (mesh, debug) in draws.zip(&mut self.draws) {
            let drawable = &layout.drawables[mesh.source.0];
            let slots = &layout.slots[drawable.slots.start as usize..drawable.slots.end as usize];
            let place = slots.iter().position(|slot| Some(slot.node) == joint);
            let primitive = &model.meshes[drawable.mesh.index()].primitives[mesh.source.1];
            // A primitive without influences follows the first slot.
            let skinned = drawable.skinned && primitive.influences.is_some();
            debug.joint = place.filter(|_| skinned).map_or(-1, |place| place as i32);
            debug.follows = !skinned && place == Some(0);
        }
    }

    /// Builds the missing programs for an actor.
    pub(crate) fn prepare(
        &mut self,
        gl: &Rc<Gl>,
        programs: &mut Programs,
        gpu: &GpuModel,
        actor: &ActorDraw<'_>,
    ) -> Result<(), RenderError> {
        // Requests all programs before waiting for the first one, so that they compile in parallel.
        for waiting in [true, false] {
            for (mesh, debug) in gpu.draws.iter().zip(&mut self.draws) {
                let deformed = find_deformed(actor.deformed, mesh, 0).is_some();
                let look = &mut debug.looks[mesh.look_of(actor.variant)];
                if look.programs[usize::from(deformed)].is_some() {
                    continue;
                }
                let variant = if deformed { deformed_variant(look.variant) } else { look.variant };
                if waiting {
                    programs.request(gl, variant)?;
                    continue;
                }
                look.programs[usize::from(deformed)] = Some(programs.get(gl, variant)?);
                if deformed {
                    let part = &gpu.parts[mesh.part];
                    self.parts[mesh.part].geometry.prepare_deformed(gl, part.vertices, part.morphs)?;
                }
            }
            programs.finish(gl)?;
        }
        Ok(())
    }
}

impl DebugPart {
    fn new(gl: &Rc<Gl>, part: &Part, primitive: &Primitive) -> Result<Self, RenderError> {
        // The sets that the materials use come first, in the order of the materials.
        let mut sets = part.geometry.sets.clone();
        let others = 0..primitive.tex_coords.len() as u32;
        sets.extend(others.filter(|set| !part.geometry.sets.contains(set)));
        sets.truncate(max_uv_sets(primitive.influences.as_ref().map_or(0, skin_sets)));
        let contents = Contents::new(primitive, true, &sets);
        let geometry = Geometry::new(gl, &contents, &sets)?;
        geometry.write_all(gl, &contents);
        let edges = edges(primitive);
        let buffer = (!edges.is_empty()).then(|| Buffer::new(gl)).transpose()?;
        let edges = buffer.map(|buffer| {
            gl.allocate_indices(&buffer, size_of_val(&edges[..]))?;
            gl.write_indices(0, &edges);
            geometry.restore_indices(gl);
            Ok((buffer, edges.len()))
        });
        let edges = edges.transpose()?;
        Ok(Self { geometry, edges })
    }
}

/// The edges of all faces; edges shared by two faces are duplicated.
fn edges(primitive: &Primitive) -> Vec<u32> {
    let count = primitive.indices.as_ref().map_or(primitive.vertex_count(), Vec::len);
    let corner = |i: usize| primitive.indices.as_ref().map_or(i as u32, |indices| indices[i]);
    let (step, fan) = match primitive.topology {
        Topology::Triangles => (3, false),
        Topology::TriangleStrip => (1, false),
        Topology::TriangleFan => (1, true),
        _ => return Vec::new(),
    };
    let mut edges = Vec::new();
    for i in (0..count.saturating_sub(2)).step_by(step) {
        let [a, b, c] = [if fan { 0 } else { i }, i + 1, i + 2].map(corner);
        edges.extend([a, b, b, c, c, a]);
    }
    edges
}

/// Finds a model and its debug resources by the model index of an item.
pub(crate) type DebuggedModels<'a> = &'a dyn Fn(u32) -> Option<(&'a GpuModel, &'a ModelDebug)>;

/// Draws items with a surface property in place of the material.
pub(crate) fn draw_surfaces(
    pass: &Pass<'_>,
    channel: Channel,
    items: &[Item],
    (models, debugged): (Models<'_>, DebuggedModels<'_>),
) -> Result<(), RenderError> {
    draw(pass, items, debugged, channel.number() as i32, |part, instances| {
        pass.gl.draw_many(part.geometry.mode, part.geometry.range, instances);
    })?;
    // Crowds have no debug views; they are drawn as usual.
    for item in items.iter().filter(|item| pass.is_crowd(item)) {
        if let Some(gpu) = models(item.model) {
            pass.draw(item, gpu)?;
        }
    }
    Ok(())
}

/// Draws the wireframes of items.
pub(crate) fn draw_wires(
    pass: &Pass<'_>,
    items: &[Item],
    models: DebuggedModels<'_>,
) -> Result<(), RenderError> {
    draw(pass, items, models, WIRES, |part, instances| {
        if let Some((edges, count)) = &part.edges {
            part.geometry.draw_with(pass.gl, glow::LINES, edges, *count, instances);
        }
    })
}

fn draw(
    pass: &Pass<'_>,
    items: &[Item],
    models: DebuggedModels<'_>,
    view: i32,
    issue: impl Fn(&DebugPart, u32),
) -> Result<(), RenderError> {
    let gl = pass.gl;
    gl.set_blend(false);
    gl.set_coverage(Coverage::Whole);
    for item in items.iter().filter(|item| !pass.is_crowd(item)) {
        let Some((gpu, debug)) = models(item.model) else { continue };
        let mesh = &gpu.draws[item.draw as usize];
        let (part, own) = (&debug.parts[mesh.part], &debug.draws[item.draw as usize]);
        let look = &own.looks[item.look as usize];
        let programs = [look.programs[0].as_ref(), look.programs[1].as_ref()];
        let Some(program) = pass.set(item, gpu, &part.geometry, &look.variant, programs)? else { continue };
        let flag = |on: bool| i32::from(on);
        program.set_special(gl, [view, own.joint, flag(own.follows), flag(view == WIRES)]);
        let material = material_of(pass.frame, item, gpu);
        gl.set_mirrored(item.mirrored);
        gl.set_cull(if material.double_sided { Cull::None } else { Cull::Back });
        issue(part, item.instances);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wireframe_has_three_edges_per_face() {
        let square = |topology, indices: Option<Vec<u32>>| Primitive {
            positions: vec![[0.0; 3]; 4],
            topology,
            indices,
            ..Primitive::default()
        };
        let two_faces = [0, 1, 1, 2, 2, 0, 0, 2, 2, 3, 3, 0];
        assert_eq!(edges(&square(Topology::Triangles, Some(vec![0, 1, 2, 0, 2, 3]))), two_faces);
        assert_eq!(edges(&square(Topology::TriangleFan, None)), two_faces);
        let strip = [0, 1, 1, 2, 2, 0, 1, 2, 2, 3, 3, 1];
        assert_eq!(edges(&square(Topology::TriangleStrip, None)), strip);
        assert_eq!(edges(&square(Topology::Triangles, None)).len(), 6, "a corner is left over");
        for topology in [Topology::Points, Topology::Lines, Topology::LineStrip, Topology::LineLoop] {
            assert!(edges(&square(topology, None)).is_empty());
        }
        assert!(edges(&Primitive::default()).is_empty());
    }
}
