//! Images on the GPU, and their placeholders.

use super::material::{TextureUse, format_of};
use crate::model::{ImageId, Model, Texel, TextureSlot};
use crate::render::error::RenderError;
use crate::render::gl::{Gl, TexelFormat, Texture};
use std::rc::Rc;

/// The images of a model. An image used both as colour and as data has two textures.
#[derive(Debug)]
pub(crate) struct Images {
    list: Vec<GpuImage>,
}

#[derive(Debug, Default)]
struct GpuImage {
    srgb: Slot,
    linear: Slot,
}

/// An image that a material uses.
#[derive(Debug)]
pub(crate) enum UsedImage {
    /// An image of the model.
    Model(ImageId),
    /// A picture of the page.
    Own(Rc<Texture>),
}

/// A texture of an image, if a material uses it.
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
    /// The images of a model, without textures.
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

    /// The texel formats in which materials use an image.
    pub(crate) fn wanted(&self, image: ImageId) -> Vec<TexelFormat> {
        let Some(GpuImage { srgb, linear }) = self.list.get(image.index()) else { return Vec::new() };
        let slots = [(srgb, TexelFormat::Srgb), (linear, TexelFormat::Linear)];
        slots.into_iter().filter(|(slot, _)| slot.wanted).map(|(_, format)| format).collect()
    }

    /// Replaces the placeholder of an image by its texture.
    pub(crate) fn set(&mut self, image: ImageId, format: TexelFormat, texture: Texture) {
        if let Some(image) = self.list.get_mut(image.index()) {
            image.slot(format).texture = Some(texture);
        }
    }

    /// The texture for a slot of a material.
    pub(crate) fn texture<'a>(
        &'a self,
        used: &'a TextureUse,
        slot: TextureSlot,
        placeholders: &'a Placeholders,
    ) -> &'a Texture {
        let id = match &used.image {
            Some(UsedImage::Model(id)) => id,
            Some(UsedImage::Own(texture)) => return texture,
            None => return placeholders.without_image(slot),
        };
        let image = &self.list[id.index()];
        let wanted = if format_of(slot) == TexelFormat::Srgb { &image.srgb } else { &image.linear };
        wanted.texture.as_ref().unwrap_or(placeholders.pending(slot))
    }
}

/// Placeholder textures of one texel, for images that are missing or not uploaded yet.
#[derive(Debug)]
pub(crate) struct Placeholders {
    white: Texture,
    black: Texture,
    flat: Texture,
    rough: Texture,
    along: Texture,
}

impl Placeholders {
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

    /// The placeholder of a texture without image.
    fn without_image(&self, slot: TextureSlot) -> &Texture {
        self.texel(slot.row(false).without_image)
    }

    /// The placeholder of an image that is not uploaded yet.
    fn pending(&self, slot: TextureSlot) -> &Texture {
        self.texel(slot.row(false).pending)
    }

    fn texel(&self, texel: Texel) -> &Texture {
        match texel {
            Texel::White => &self.white,
            Texel::Black => &self.black,
            Texel::Flat => &self.flat,
            Texel::Rough => &self.rough,
            Texel::Along => &self.along,
        }
    }
}
