//! A material as an actor shows it, in place of that of the file.

use super::ids::{ImageId, MaterialId};
use super::material::{AlphaMode, Material};
use super::material_table::{LAYERS, Layer, MaterialProperty, Shown, TextureSlot, TransformProperty};
use super::root::Model;
use super::texture::{TextureSampler, TextureTransform};

/// A material as an actor shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct MaterialState {
    /// The material of the file that it replaces.
    pub material: MaterialId,
    /// The use of alpha; the cutoff of a mask is in `numbers`.
    pub alpha_mode: AlphaMode,
    /// `true` if back faces are visible.
    pub double_sided: bool,
    /// `true` if it is displayed without lighting.
    pub unlit: bool,
    /// The layers that its shader has.
    pub layers: [bool; Layer::COUNT],
    /// The textures.
    pub textures: [Option<ShownTexture>; TextureSlot::COUNT],
    /// For each texture, `true` if its transform is not the identity, or may change.
    pub transforms: [bool; TextureSlot::COUNT],
    /// The numbers, indexed by [`MaterialProperty::range`].
    pub numbers: [f32; MaterialProperty::COUNT],
}

/// A texture of a [`MaterialState`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShownTexture {
    /// The picture; `None` for the texel of textures without an image.
    pub picture: Option<Picture>,
    /// The sampler.
    pub sampler: TextureSampler,
    /// The set of texture coordinates: `n` of `TEXCOORD_n`.
    pub tex_coord: u32,
}

/// The picture of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// An image of the model.
    Model(ImageId),
    /// A picture of the page, by its number on the stage.
    Own(u32),
}

impl MaterialState {
    /// A material of a model as it is in the file.
    ///
    /// # Panics
    /// If the model has no such material.
    pub fn new(model: &Model, id: MaterialId) -> Self {
        Self::of(model, id, &model.materials[id.index()])
    }

    /// The state of a material with textures of a model.
    pub fn of(model: &Model, id: MaterialId, material: &Material) -> Self {
        Self {
            material: id,
            alpha_mode: material.alpha_mode,
            double_sided: material.double_sided,
            unlit: material.unlit,
            layers: material.shown_layers(),
            textures: TextureSlot::ALL.map(|slot| {
                let used = material.texture(slot)?;
                let texture = model.textures[used.texture.index()];
                let picture = texture.image.map(Picture::Model);
                Some(ShownTexture { picture, sampler: texture.sampler, tex_coord: used.tex_coord })
            }),
            transforms: material.moved_textures(),
            numbers: material.properties(),
        }
    }
}

impl Material {
    /// The layers that its shader has.
    pub fn shown_layers(&self) -> [bool; Layer::COUNT] {
        let mut out = [false; Layer::COUNT];
        let numbers = self.properties();
        for row in LAYERS {
            out[row.layer as usize] = match row.shown {
                Shown::Always => false,
                Shown::IfPresent => self.layers.has(row.layer),
                Shown::IfNot0(switch) => numbers[switch.range()].iter().any(|&factor| factor != 0.0),
            };
        }
        out
    }

    /// For each texture slot, `true` if its transform is not the identity.
    pub fn moved_textures(&self) -> [bool; TextureSlot::COUNT] {
        TextureSlot::ALL
            .map(|slot| self.texture(slot).is_some_and(|used| used.transform != TextureTransform::IDENTITY))
    }
}

impl MaterialProperty {
    /// The property that has the number at an index of [`Material::properties`].
    pub fn at(index: usize) -> Option<Self> {
        if index < Self::TRANSFORMS {
            return super::material_table::NUMBERS
                .iter()
                .map(|row| row.property)
                .find(|property| property.range().contains(&index));
        }
        let slot = *TextureSlot::ALL.get((index - Self::TRANSFORMS) / 5)?;
        let parts = [TransformProperty::Offset, TransformProperty::Rotation, TransformProperty::Scale];
        parts.into_iter().map(|part| Self::Transform(slot, part)).find(|part| part.range().contains(&index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_property_is_found_by_each_of_its_indices() {
        for index in 0..MaterialProperty::COUNT {
            let property = MaterialProperty::at(index);
            assert!(property.is_some_and(|property| property.range().contains(&index)), "{index}");
        }
        assert_eq!(MaterialProperty::at(MaterialProperty::COUNT), None);
    }
}
