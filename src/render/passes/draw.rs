//! The draw list of a frame: collected, sorted, issued.

use crate::base::feature;
use crate::render::error::RenderError;
use crate::render::frame::{ActorDraw, Frame};
use crate::render::gl::{Coverage, Cull, Gl, Texture};
use crate::render::programs::{
    BACKDROP_UNIT, INFLUENCE_UNIT, MATERIAL_BLOCK, MATERIAL_UNIT, MORPH_UNIT, MeshProgram, PALETTE_UNIT,
    Variant, used_slots,
};
use crate::render::resources::{
    DeformedPrimitive, Geometry, GpuMaterial, GpuModel, Look, MATERIAL_SIZE, MeshDraw, OwnMaterial, Palette,
    Placeholders, write_deformed,
};
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

/// One draw of an actor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Item {
    /// The indices of the actor in the frame, of its model, and of the draw in the model.
    pub(crate) actor: u32,
    pub(crate) model: u32,
    pub(crate) draw: u32,
    /// The index of the look in the draw.
    pub(crate) look: u32,
    /// The index of the material of the actor in place of that of the look; see [`ActorDraw::materials`].
    pub(crate) own: Option<u32>,
    /// The first instance of the mesh to draw, and the number of instances.
    pub(crate) instance: u32,
    pub(crate) instances: u32,
    /// The first active morph target in the list, and the number of targets. For a crowd, those of the first
    /// member; all members have equally many.
    pub(crate) morph_begin: u32,
    pub(crate) morph_count: u32,
    /// `true` if the material transmits light, and `true` if it blends; then the distance in front of the camera.
    pub(crate) transmits: bool,
    pub(crate) blends: bool,
    pub(crate) distance: f32,
    pub(crate) mirrored: bool,
}

impl Item {
    /// The order of draws: opaque ones first, grouped by model and draw; then transmissive ones; then blended ones
    /// from back to front.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let by_draw = |a: &Self| (a.model, a.draw, a.actor, a.instance);
        let by_distance =
            if self.blends { other.distance.total_cmp(&self.distance) } else { Ordering::Equal };
        let by_kind = self.blends.cmp(&other.blends).then(self.transmits.cmp(&other.transmits));
        by_kind.then(by_distance).then(by_draw(self).cmp(&by_draw(other)))
    }
}

/// The draw list of a frame; reused for each frame to avoid allocations.
#[derive(Debug, Default)]
pub(crate) struct DrawList {
    items: Vec<Item>,
    /// The active morph targets, four floats each: target, weight, 0, 0.
    morphs: Vec<f32>,
}

impl DrawList {
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.morphs.clear();
    }

    /// The list of active morph targets, for the palette texture.
    pub(crate) fn morphs(&self) -> &[f32] {
        &self.morphs
    }

    /// Adds the draws of an actor.
    pub(crate) fn push(&mut self, frame: &Frame<'_>, actor: u32, model: u32, gpu: &GpuModel) {
        let shown = &frame.actors[actor as usize];
        let &ActorDraw { palette_base, palettes, weights, visible, variant, instances, .. } = shown;
        // A crowd is sorted by the position of its first member.
        let (palette, base) = if shown.is_crowd() { (palettes, 0) } else { (frame.palette, palette_base) };
        // Draws of one drawable share their list of morph targets.
        let mut last: Option<(usize, u32, u32)> = None;
        for (draw, mesh) in gpu.draws.iter().enumerate() {
            if visible.get(mesh.node) == Some(&false) {
                continue;
            }
            let index = mesh.look_of(variant);
            let own = own_material(shown.materials, (draw, index), &mesh.looks[index]);
            let look = own.map_or(&mesh.looks[index], |(_, look)| look);
            let (mut morph_begin, mut morph_count) = (0, 0);
            if look.variant.morph.count() > 0 {
                let drawable = mesh.source.0;
                (_, morph_begin, morph_count) = match last {
                    Some(known) if known.0 == drawable => known,
                    _ => {
                        let begin = (self.morphs.len() / 4) as u32;
                        let range = mesh.weights.clone();
                        if shown.is_crowd() {
                            push_members(&mut self.morphs, shown, range);
                        } else {
                            push_active(&mut self.morphs, weights.get(range).unwrap_or_default());
                        }
                        (drawable, begin, ((self.morphs.len() / 4) as u32 - begin) / instances.max(1))
                    }
                };
                last = Some((drawable, morph_begin, morph_count));
            }
            let (transmits, blends) = (look.transmits(), look.blends());
            // Instances share a draw call unless they are sorted by distance, belong to a crowd, or are deformed on the CPU.
            let apart = blends || shown.is_crowd() || !shown.deformed.is_empty();
            for instance in 0..mesh.instances {
                let slot = mesh.slot + instance;
                let (center, mirrored) =
                    mesh.anchor.place(palette, base.saturating_add(shown.step() * slot), shown.step());
                if let Some(last) = self.items.last_mut().filter(|_| instance > 0 && !apart)
                    && last.mirrored == mirrored
                {
                    last.instances += 1;
                    continue;
                }
                self.items.push(Item {
                    actor,
                    model,
                    draw: draw as u32,
                    look: index as u32,
                    own: own.map(|(i, _)| i),
                    instance,
                    instances: 1,
                    morph_begin,
                    morph_count,
                    transmits,
                    blends,
                    distance: -frame.view.transform_point3(center).z,
                    mirrored,
                });
            }
        }
    }

    pub(crate) fn sort(&mut self) {
        self.items.sort_unstable_by(Item::order);
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// The number of opaque draws at the start of the sorted list; `None` if no draw is transmissive.
    pub(crate) fn behind(&self) -> Option<usize> {
        let any = self.items.iter().any(|item| item.transmits);
        any.then(|| self.items.partition_point(|item| !item.transmits && !item.blends))
    }
}

/// The index of the material of an actor in place of that of a look, and its look.
fn own_material<'a>(
    materials: &'a [OwnMaterial],
    (draw, index): (usize, usize),
    look: &Look,
) -> Option<(u32, &'a Look)> {
    let at = materials.binary_search_by_key(&look.material, OwnMaterial::material).ok()?;
    Some((at as u32, materials[at].look(draw, index)?))
}

fn push_active(list: &mut Vec<f32>, weights: &[f32]) {
    for (target, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
        list.extend([target as f32, weight, 0.0, 0.0]);
    }
}

feature! {
    list for_crowds;
    /// Lists the active morph targets of all members of a crowd, padded to the largest count of a member.
    fn push_members<'a>(list: &mut Vec<f32>, crowd: &ActorDraw<'a>, range: Range<usize>) =
        |list: &mut Vec<f32>, crowd: &ActorDraw<'_>, range: Range<usize>| {
            if !crowd.active_targets.is_empty() {
                return list.extend_from_slice(crowd.active_targets);
            }
            push_weights(list, crowd.weights, crowd.instances as usize, range);
        };
}

fn push_weights(list: &mut Vec<f32>, weights: &[f32], members: usize, range: Range<usize>) {
    let width = weights.len() / members.max(1);
    let of = |member: usize| weights[member * width..][..width].get(range.clone()).unwrap_or_default();
    let active = |member: usize| of(member).iter().filter(|weight| **weight != 0.0).count();
    let most = (0..members).map(active).max().unwrap_or(0);
    for member in 0..members {
        let end = list.len() + 4 * most;
        push_active(list, of(member));
        // Padding with target 0 at weight 0 has no effect.
        list.resize(end, 0.0);
    }
}

/// The context of a frame's draws.
pub(crate) struct Pass<'a> {
    pub(crate) gl: &'a Gl,
    pub(crate) frame: &'a Frame<'a>,
    pub(crate) palette: &'a Palette,
    pub(crate) placeholders: &'a Placeholders,
    /// The coverage mode of alpha masks.
    pub(crate) masks: Coverage,
    /// The backdrop of transmissive materials.
    pub(crate) backdrop: Option<&'a Texture>,
}

impl Pass<'_> {
    /// Issues one draw.
    pub(crate) fn draw(&self, item: &Item, gpu: &GpuModel) -> Result<(), RenderError> {
        let gl = self.gl;
        let part = &gpu.parts[gpu.draws[item.draw as usize].part];
        let look = look_of(self.frame, item, gpu);
        let programs = match self.is_crowd(item) {
            true => [look.crowd_programs[0].as_ref(), None],
            false => [look.program.as_ref(), look.deformed_program.as_ref()],
        };
        if self.set(item, gpu, &part.geometry, &look.variant, programs)?.is_none() {
            return Ok(());
        }
        let material = material_of(self.frame, item, gpu);
        if let Some(backdrop) = self.backdrop.filter(|_| item.transmits) {
            gl.bind_texture(BACKDROP_UNIT, backdrop, None);
        }
        gl.set_mirrored(item.mirrored);
        gl.set_blend(item.blends);
        gl.set_coverage(if look.masks() { self.masks } else { Coverage::Whole });
        match (material.double_sided, item.blends) {
            (false, _) => gl.set_cull(Cull::Back),
            (true, false) => gl.set_cull(Cull::None),
            (true, true) => {
                // Back faces are drawn before front faces.
                gl.set_cull(Cull::Front);
                self.issue(item, &part.geometry);
                gl.set_cull(Cull::Back);
            }
        }
        self.issue(item, &part.geometry);
        Ok(())
    }

    /// `true` for a draw of a crowd.
    pub(crate) fn is_crowd(&self, item: &Item) -> bool {
        self.frame.actors[item.actor as usize].is_crowd()
    }

    fn issue(&self, item: &Item, geometry: &Geometry) {
        let actor = &self.frame.actors[item.actor as usize];
        let &Geometry { mode, range, .. } = geometry;
        let instances = if actor.is_crowd() { actor.instances } else { item.instances };
        if let Some((indices, count)) = geometry.level(actor.level) {
            return geometry.draw_with(self.gl, mode, indices, count, instances);
        }
        match instances {
            1 => self.gl.draw(mode, range),
            instances => self.gl.draw_many(mode, range, instances),
        }
    }

    /// Issues a depth-only draw, if the look has a program for it.
    pub(crate) fn draw_depth(&self, item: &Item, gpu: &GpuModel) -> Result<(), RenderError> {
        let part = &gpu.parts[gpu.draws[item.draw as usize].part];
        let look = look_of(self.frame, item, gpu);
        let Look { shadow_programs: [rigid, deformed], crowd_programs: [_, crowd], .. } = look;
        let programs = match self.is_crowd(item) {
            true => [crowd.as_ref(), None],
            false => [rigid.as_ref(), deformed.as_ref()],
        };
        if self.set(item, gpu, &part.geometry, &look.variant.shadow(), programs)?.is_some() {
            self.issue(item, &part.geometry);
        }
        Ok(())
    }

    /// Sets the state of a draw, with the first program, or with the second one for CPU-deformed vertices.
    /// Returns the program used, if there is one.
    pub(crate) fn set<'p>(
        &self,
        item: &Item,
        gpu: &GpuModel,
        geometry: &Geometry,
        variant: &Variant,
        [program, for_deformed]: [Option<&'p Rc<MeshProgram>>; 2],
    ) -> Result<Option<&'p MeshProgram>, RenderError> {
        let gl = self.gl;
        let mesh = &gpu.draws[item.draw as usize];
        let part = &gpu.parts[mesh.part];
        let actor = &self.frame.actors[item.actor as usize];
        let deformed = find_deformed(actor.deformed, mesh, item.instance).zip(geometry.deformed.as_ref());
        let (vertex_array, program) = match (deformed, for_deformed) {
            (Some((from, to)), Some(program)) => {
                write_deformed(to, gl, from)?;
                (&to.vertex_array, program)
            }
            _ => match program {
                Some(program) => (&geometry.vertex_array, program),
                None => return Ok(None),
            },
        };

        gl.use_program(&program.program);
        gl.bind_vertex_array(vertex_array);
        gl.bind_texture(PALETTE_UNIT, &self.palette.texture, None);
        let mut morph = [0; 4];
        if let Some(targets) = &part.morph {
            gl.bind_texture(MORPH_UNIT, &targets.texture, None);
            let begin = self.palette.morphs as i32 + item.morph_begin as i32;
            morph = [begin, item.morph_count as i32, part.vertices as i32, targets.width as i32];
        }
        if let Some(influences) = &part.influences {
            gl.bind_texture(INFLUENCE_UNIT, &influences.texture, None);
            program.set_influences(gl, [influences.stride, influences.width]);
        }
        let step = actor.step();
        program.set(gl, actor.palette_base.saturating_add(step * (mesh.slot + item.instance)), morph);
        if actor.is_crowd() {
            let tint = actor.palette_base + step * (actor.stride - 1);
            let part = actor.parts.get(mesh.node).copied().unwrap_or(u8::MAX);
            let counts = [actor.stride, tint, item.morph_count, u32::from(part)];
            program.set_special(gl, counts.map(u32::cast_signed));
        }

        if let Some(own) = own_of(actor, item) {
            gl.bind_block(MATERIAL_BLOCK, &own.block, 0, MATERIAL_SIZE);
        } else {
            let index = mesh.looks[item.look as usize].material;
            gpu.materials.refresh(gl, index, actor.properties, actor.cells);
            gl.bind_block(MATERIAL_BLOCK, &gpu.materials.blocks, index * gpu.materials.stride, MATERIAL_SIZE);
        }
        let material = material_of(self.frame, item, gpu);
        for (slot, unit) in used_slots(variant).zip(MATERIAL_UNIT..) {
            if let Some(used) = &material.textures[slot as usize] {
                let texture = gpu.images.texture(used, slot, self.placeholders);
                gl.bind_texture(unit, texture, Some(&used.sampler));
            }
        }
        Ok(Some(program))
    }
}

/// The material of an actor that a draw has in place of that of the model.
fn own_of<'a>(actor: &ActorDraw<'a>, item: &Item) -> Option<&'a OwnMaterial> {
    item.own.map(|own| &actor.materials[own as usize])
}

/// The look of a draw.
pub(crate) fn look_of<'a>(frame: &Frame<'a>, item: &Item, gpu: &'a GpuModel) -> &'a Look {
    let (draw, look) = (item.draw as usize, item.look as usize);
    let own = own_of(&frame.actors[item.actor as usize], item).and_then(|own| own.look(draw, look));
    own.unwrap_or(&gpu.draws[draw].looks[look])
}

/// The material of a draw.
pub(crate) fn material_of<'a>(frame: &Frame<'a>, item: &Item, gpu: &'a GpuModel) -> &'a GpuMaterial {
    let own = own_of(&frame.actors[item.actor as usize], item).map(|own| &own.gpu);
    own.unwrap_or_else(|| {
        &gpu.materials.list[gpu.draws[item.draw as usize].looks[item.look as usize].material]
    })
}

/// The CPU-deformed primitive of an instance of a draw, if there is one.
pub(crate) fn find_deformed<'a>(
    list: &'a [DeformedPrimitive<'a>],
    mesh: &MeshDraw,
    instance: u32,
) -> Option<&'a DeformedPrimitive<'a>> {
    let source = (mesh.source.0 + instance as usize, mesh.source.1);
    let at = list.binary_search_by_key(&source, |deformed| (deformed.drawable, deformed.primitive));
    at.ok().map(|at| &list[at])
}

/// Finds a model by the model index of an item.
pub(crate) type Models<'a> = &'a dyn Fn(u32) -> Option<&'a GpuModel>;

#[cfg(test)]
mod tests {
    use super::*;

    fn item(model: u32, draw: u32, actor: u32, blends: bool, distance: f32) -> Item {
        Item {
            actor,
            model,
            draw,
            look: 0,
            own: None,
            instance: 0,
            instances: 1,
            morph_begin: 0,
            morph_count: 0,
            transmits: false,
            blends,
            distance,
            mirrored: false,
        }
    }

    #[test]
    fn draw_order_is_opaque_by_draw_then_blended_back_to_front() {
        let mut items = [
            item(0, 1, 0, true, 1.0),
            item(0, 0, 0, false, 1.0),
            item(0, 1, 1, true, 5.0),
            item(1, 0, 2, false, 0.5),
            item(0, 0, 1, false, 9.0),
            item(0, 2, 1, true, 5.0),
        ];
        items.sort_unstable_by(Item::order);
        let keys = items.map(|i| (i.blends, i.model, i.draw, i.actor));
        assert_eq!(
            keys,
            [
                (false, 0, 0, 0),
                (false, 0, 0, 1),
                (false, 1, 0, 2),
                (true, 0, 1, 1),
                (true, 0, 2, 1),
                (true, 0, 1, 0),
            ]
        );
    }

    #[test]
    fn draw_order_has_transmission_between_opaque_and_blended() {
        let mut glass = item(0, 0, 0, false, 1.0);
        glass.transmits = true;
        let mut list = DrawList {
            items: vec![item(0, 2, 0, true, 1.0), glass, item(0, 1, 0, false, 1.0)],
            ..DrawList::default()
        };
        list.sort();
        assert_eq!(list.items().iter().map(|item| item.draw).collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!(list.behind(), Some(1));
        list.items.remove(1);
        assert_eq!(list.behind(), None);
    }

    #[test]
    fn morph_list_has_only_active_targets() {
        let mut list = Vec::new();
        push_active(&mut list, &[0.0, 0.5, -0.0, -1.0]);
        assert_eq!(list, [1.0, 0.5, 0.0, 0.0, 3.0, -1.0, 0.0, 0.0]);
    }

    #[test]
    fn morph_list_of_a_crowd_has_equally_many_targets_per_member() {
        let mut list = vec![9.0; 4];
        // Three members with four weights each; the last three weights belong to the drawable.
        let weights = [1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 3.0];
        push_weights(&mut list, &weights, 3, 1..4);
        let targets: Vec<_> = list[4..].chunks(4).map(|texel| (texel[0], texel[1])).collect();
        assert_eq!(targets, [(0.0, 0.5), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (1.0, 2.0), (2.0, 3.0)]);
        push_weights(&mut list, &[], 0, 0..3);
        push_weights(&mut list, &[0.0; 4], 2, 0..2);
        assert_eq!(list.len(), 28);
    }
}
