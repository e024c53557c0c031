//! Shadow passes: the key light's shadows on models and ground, and contact shadows on the ground. All but [`Shadows::new`] and
//! [`Shadows::bind`] is in a feature.

use super::draw::{Item, Models, Pass};
use super::target::{CONTACT_SIZE, Target};
use super::uneven::UnevenReceiver;
use crate::model::{Filter, MipFilter, TextureSampler, Wrap};
use crate::render::error::RenderError;
use crate::render::frame::Frame;
use crate::render::gl::{Cull, Gl, Sampler, TargetFormat, Texture};
use crate::render::light::{KEY_SIZE, ShadowView, UnevenGround};
use crate::render::programs::{LazyEffect, SHADOW_DEPTH_UNIT, SHADOW_UNIT, SOURCE_UNIT};
use std::rc::Rc;

/// The part of the light that is occluded where the ground is touched.
const CONTACT: f32 = 0.7;

/// The shadow maps.
#[derive(Debug)]
pub(crate) struct Shadows {
    /// A texture without content, bound while there is no shadow.
    none: Texture,
    /// A sampler that reads depths without comparison.
    depths: Sampler,
    /// `None` until shadows are first drawn.
    maps: Option<Maps>,
}

#[derive(Debug)]
struct Maps {
    key: Target,
    /// The height of the lowest surface above the ground.
    height: Target,
    /// The blurred heights: horizontally, then in both directions.
    smooth: [Target; 2],
    /// The horizontal and the vertical blur of the contact map.
    blurs: [LazyEffect; 2],
    ground: LazyEffect,
    uneven: UnevenReceiver,
}

impl Maps {
    fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        let share = || Target::new(gl, TargetFormat::Share, CONTACT_SIZE);
        let blur = |defines| LazyEffect::new("screen.vert", "blur.frag", defines);
        Ok(Self {
            key: Target::new(gl, TargetFormat::Shadow, KEY_SIZE)?,
            height: Target::new(gl, TargetFormat::Depth, CONTACT_SIZE)?,
            smooth: [share()?, share()?],
            blurs: [blur("#define DEPTH\n"), blur("")],
            ground: LazyEffect::new("ground.vert", "ground.frag", ""),
            uneven: UnevenReceiver::new(),
        })
    }
}

impl Shadows {
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        let (none, depths) = (Texture::new(gl)?, Sampler::new(gl)?);
        gl.allocate_target(&none, TargetFormat::Shadow, 1);
        let (nearest, edge) = (Filter::Nearest, Wrap::ClampToEdge);
        let exactly =
            TextureSampler { mag: nearest, min: nearest, mip: MipFilter::None, wrap_s: edge, wrap_t: edge };
        gl.set_sampler(&depths, exactly);
        Ok(Self { none, depths, maps: None })
    }

    /// Creates the resources for shadows; returns `true` if all are ready, which is certain without `may_defer`.
    pub(crate) fn prepare(
        &mut self,
        gl: &Rc<Gl>,
        uneven: Option<&Rc<UnevenGround>>,
        may_defer: bool,
    ) -> Result<bool, RenderError> {
        let maps = match &mut self.maps {
            Some(maps) => maps,
            maps => maps.insert(Maps::new(gl)?),
        };
        let mut ready = match uneven {
            Some(ground) => maps.uneven.prepare(gl, ground, may_defer)?,
            None => true,
        };
        for effect in maps.blurs.iter_mut().chain([&mut maps.ground]) {
            ready &= effect.get(gl, may_defer)?.is_some();
        }
        Ok(ready)
    }

    /// Draws the shadow map of the key light; the bound frame block must be that of the light.
    pub(crate) fn draw_key(
        &self,
        pass: &Pass<'_>,
        items: &[Item],
        models: Models<'_>,
    ) -> Result<(), RenderError> {
        let Some(maps) = &self.maps else { return Ok(()) };
        draw_depth(pass, &maps.key, KEY_SIZE, items, models)
    }

    /// Draws and blurs the contact map; the bound frame block must be that of the view from below.
    ///
    /// - `range`: [`ShadowView::contact_range`].
    pub(crate) fn draw_contact(
        &self,
        pass: &Pass<'_>,
        items: &[Item],
        models: Models<'_>,
        range: f32,
    ) -> Result<(), RenderError> {
        let Some(maps) = &self.maps else { return Ok(()) };
        let [Some(across), Some(up)] = maps.blurs.each_ref().map(LazyEffect::built) else { return Ok(()) };
        draw_depth(pass, &maps.height, CONTACT_SIZE, items, models)?;
        let gl = pass.gl;
        let mut across = across;
        if has_surface(pass.frame) {
            across = maps.uneven.floor(gl).unwrap_or(across);
        }
        filling(gl);
        // The blur takes eight samples to each side.
        let step = (0.9 + 3.6 * pass.frame.lighting.shadow_softness.clamp(0.0, 1.0)) / CONTACT_SIZE as f32;
        gl.bind_texture(SOURCE_UNIT, &maps.height.texture, None);
        gl.set_target(Some(&maps.smooth[0].framebuffer), CONTACT_SIZE, CONTACT_SIZE);
        across.fill(gl, &[[step, 0.0, range, 0.0]]);
        gl.bind_texture(SOURCE_UNIT, &maps.smooth[0].texture, None);
        gl.set_target(Some(&maps.smooth[1].framebuffer), CONTACT_SIZE, CONTACT_SIZE);
        up.fill(gl, &[[0.0, step, 0.0, 0.0]]);
        Ok(())
    }

    /// Binds the shadow map of the key light, or the empty texture if there is no shadow.
    pub(crate) fn bind(&self, gl: &Gl, view: Option<&ShadowView>) {
        let drawn = self.maps.as_ref().filter(|_| view.is_some_and(|view| view.key.is_some()));
        let map = drawn.map_or(&self.none, |maps| &maps.key.texture);
        gl.bind_texture(SHADOW_UNIT, map, None);
        gl.bind_texture(SHADOW_DEPTH_UNIT, map, Some(&self.depths));
    }

    /// Draws the shadows on the ground.
    pub(crate) fn draw_ground(&self, gl: &Gl, view: &ShadowView, frame: &Frame<'_>) {
        let Some(maps) = &self.maps else { return };
        let Some(effect) = maps.ground.built() else { return };
        gl.bind_texture(SOURCE_UNIT, &maps.smooth[1].texture, None);
        let dark = CONTACT * frame.lighting.shadow_intensity;
        if frame.uneven.is_some() {
            if has_surface(frame) {
                maps.uneven.draw(gl, [view.ends, [view.sunk, dark, 0.0, 0.0], view.contact]);
            }
            return;
        }
        gl.set_mirrored(false);
        gl.set_cull(Cull::Back);
        gl.set_blend(true);
        effect.rectangle(gl, &[view.ends, [view.ground, dark, 0.0, 0.0], view.contact]);
    }
}

/// `true` if the frame has an uneven ground that is to be drawn.
fn has_surface(frame: &Frame<'_>) -> bool {
    frame.uneven.is_some_and(|ground| ground.heights().is_some())
}

fn draw_depth(
    pass: &Pass<'_>,
    target: &Target,
    size: u32,
    items: &[Item],
    models: Models<'_>,
) -> Result<(), RenderError> {
    let gl = pass.gl;
    target.begin_depth(gl, size);
    for item in items {
        if let Some(gpu) = models(item.model) {
            pass.draw_depth(item, gpu)?;
        }
    }
    Ok(())
}

/// Sets the state for effects that fill a render target.
pub(crate) fn filling(gl: &Gl) {
    gl.set_blend(false);
    gl.set_depth_test(false);
    gl.set_cull(Cull::None);
}
