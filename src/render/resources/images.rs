//! Images on the GPU, and what stands in for them.

use super::material::{TextureUse, format_of};
use crate::model::{ImageId, Model, TextureSlot};
use crate::render::error::RenderError;
use crate::render::gl::{Gl, TexelFormat, Texture};
use std::rc::Rc;

/// The images of a model. One that is used both as colour and as data has two textures.
#[derive(Debug)]
pub(crate) struct Images {
    list: Vec<GpuImage>,
}

#[derive(Debug, Default)]
struct GpuImage {
    srgb: Slot,
    linear: Slot,
}

/// A texture that a material wants, or none does.
#[derive(Debug, Default)]
struct Slot {
    wanted: bool,
    texture: Option<Texture>,
}

impl GpuImage {
    fn slot(&mut self, format: TexelFormat) -> &mut Slot {
        if format == TexelFormat::Srgb { &mut self.srgb } else { &mut self.linear }
    }
}

impl Images {
    /// The images of a model, none of them there yet.
    pub(crate) fn new(model: &Model) -> Self {
        let mut list: Vec<GpuImage> = model.images.iter().map(|_| GpuImage::default()).collect();
        for material in &model.materials {
            for slot in TextureSlot::ALL {
                let texture = material.texture(slot).map(|used| model.textures[used.texture.index()]);
                if let Some(image) = texture.and_then(|texture| texture.image) {
                    list[image.index()].slot(format_of(slot)).wanted = true;
                }
            }
        }
        Self { list }
    }

    /// What the texels mean in the textures that materials want of an image.
    pub(crate) fn wanted(&self, image: ImageId) -> Vec<TexelFormat> {
        let Some(GpuImage { srgb, linear }) = self.list.get(image.index()) else { return Vec::new() };
        let slots = [(srgb, TexelFormat::Srgb), (linear, TexelFormat::Linear)];
        slots.into_iter().filter(|(slot, _)| slot.wanted).map(|(_, format)| format).collect()
    }

    /// Shows a texture in place of what stood in for it.
    pub(crate) fn set(&mut self, image: ImageId, format: TexelFormat, texture: Texture) {
        if let Some(image) = self.list.get_mut(image.index()) {
            image.slot(format).texture = Some(texture);
        }
    }

    /// The texture for a slot of a material.
    pub(crate) fn texture<'a>(
        &'a self,
        used: &TextureUse,
        slot: TextureSlot,
        stand_ins: &'a StandIns,
    ) -> &'a Texture {
        let Some(id) = used.image else { return stand_ins.without_image(slot) };
        let image = &self.list[id.index()];
        let wanted = if format_of(slot) == TexelFormat::Srgb { &image.srgb } else { &image.linear };
        wanted.texture.as_ref().unwrap_or(stand_ins.pending(slot))
    }
}

/// Textures of one texel, for images that are missing or on their way.
#[derive(Debug)]
pub(crate) struct StandIns {
    white: Texture,
    black: Texture,
    flat: Texture,
    rough: Texture,
    along: Texture,
}

impl StandIns {
    pub(crate) fn new(gl: &Rc<Gl>) -> Result<Self, RenderError> {
        let texel = |rgba: [u8; 4]| {
            let texture = Texture::new(gl)?;
            gl.allocate_image(&texture, TexelFormat::Linear, 1, 1)?;
            gl.write_rows(&texture, 1, 0, &rgba);
            Ok(texture)
        };
        Ok(Self {
            white: texel([255; 4])?,
            black: texel([0, 0, 0, 255])?,
            flat: texel([128, 128, 255, 255])?,
            rough: texel([255, 255, 0, 255])?,
            along: texel([255, 128, 255, 255])?,
        })
    }

    /// A texture without an image is white, except that a white normal would be a slant, and so would be a direction.
    fn without_image(&self, slot: TextureSlot) -> &Texture {
        match slot {
            TextureSlot::Normal | TextureSlot::ClearcoatNormal => &self.flat,
            TextureSlot::Anisotropy => &self.along,
            _ => &self.white,
        }
    }

    /// Until an image arrives, its surface is plain: it does not shine, neither of its own nor as metal.
    fn pending(&self, slot: TextureSlot) -> &Texture {
        match slot {
            TextureSlot::MetallicRoughness => &self.rough,
            // Nor has it layers.
            TextureSlot::Emissive
            | TextureSlot::Clearcoat
            | TextureSlot::SheenColor
            | TextureSlot::Transmission
            | TextureSlot::Iridescence => &self.black,
            slot => self.without_image(slot),
        }
    }
}
