//! Look-ups in the table of materials: rows of properties and textures, their indices and paths.

use super::material_table::{
    Encoding, GLOSSY_NUMBERS, GLOSSY_TEXTURES, LAYERS, Layer, LayerRow, Limit, MaterialProperty, NUMBERS,
    NumberRow, TEXTURES, Texel, TextureRow, TextureSlot, TransformProperty,
};
use std::ops::Range;

/// The first index in [`Material::properties`](super::Material::properties) of each row of [`NUMBERS`], then that of
/// texture transforms.
const BEGINS: [usize; NUMBERS.len() + 1] = {
    let mut begins = [0; NUMBERS.len() + 1];
    let mut i = 0;
    while i < NUMBERS.len() {
        begins[i + 1] = begins[i] + NUMBERS[i].default.len();
        i += 1;
    }
    begins
};

/// The index of the first float of each row of [`NUMBERS`] in a shader's array of vectors, then the length. No row is
/// divided between two vectors.
const PLACES: [usize; NUMBERS.len() + 1] = {
    let mut places = [0; NUMBERS.len() + 1];
    let (mut i, mut free) = (0, 0);
    while i < NUMBERS.len() {
        let width = NUMBERS[i].shader_width();
        places[i] = if free % 4 + width > 4 { free.next_multiple_of(4) } else { free };
        free = places[i] + width;
        i += 1;
    }
    places[i] = free.next_multiple_of(4);
    places
};

impl Layer {
    /// The row of the layer.
    pub fn row(self) -> &'static LayerRow {
        &LAYERS[self as usize]
    }

    /// `true` if animations may change its numbers in materials without it in the file: the core, and extensions of one
    /// number, whose default means that the layer is missing.
    pub fn is_optional(self) -> bool {
        let row = self.row();
        self == Self::Core || row.numbers().count() == 1 && row.textures().next().is_none()
    }

    /// The path of a key of the layer in a material.
    fn path(self, key: &str) -> String {
        match self.row().extension {
            "" => key.to_owned(),
            extension => format!("extensions/{extension}/{key}"),
        }
    }
}

impl LayerRow {
    /// The layers that are extensions.
    pub fn extensions() -> impl Iterator<Item = &'static Self> {
        LAYERS.iter().filter(|row| row.layer != Layer::Core)
    }

    /// The numbers of the layer.
    pub fn numbers(&self) -> impl Iterator<Item = &'static NumberRow> {
        let layer = self.layer;
        GLOSSY_NUMBERS.iter().chain(NUMBERS).filter(move |row| row.layer == layer)
    }

    /// The textures of the layer.
    pub fn textures(&self) -> impl Iterator<Item = &'static TextureRow> {
        let layer = self.layer;
        GLOSSY_TEXTURES.iter().chain(TEXTURES).filter(move |row| row.layer == layer)
    }
}

impl NumberRow {
    /// The path in a material.
    pub fn path(&self) -> String {
        self.layer.path(self.key)
    }

    /// The slot of the texture that has the number, such as a scale.
    pub fn within(&self) -> Option<TextureSlot> {
        let (texture, _) = self.key.split_once('/')?;
        TEXTURES.iter().find(|row| row.layer == self.layer && row.key == texture).map(|row| row.slot)
    }

    /// The number of floats in shaders.
    pub const fn shader_width(&self) -> usize {
        match self.limit {
            Limit::Angle => 2,
            _ => self.default.len(),
        }
    }
}

impl TextureRow {
    /// The path in a material.
    pub fn path(&self) -> String {
        self.layer.path(self.key)
    }
}

impl Limit {
    /// The nearest valid value.
    pub fn clamp(self, value: f32) -> f32 {
        match self {
            Self::Clamped(least, most) | Self::Required(least, most) => value.clamp(least, most),
            Self::Refraction if value == 0.0 => 0.0,
            Self::Refraction => value.max(1.0),
            Self::Angle => value,
        }
    }
}

impl MaterialProperty {
    /// The length of [`Material::properties`](super::Material::properties).
    pub const COUNT: usize = Self::TRANSFORMS + 5 * TextureSlot::COUNT;
    /// The index of the first texture transform in [`Material::properties`](super::Material::properties).
    pub const TRANSFORMS: usize = BEGINS[NUMBERS.len()];
    /// The number of floats of all numbers in shaders.
    pub const SHADER_FLOATS: usize = PLACES[NUMBERS.len()];

    /// The indices in [`Material::properties`](super::Material::properties).
    pub fn range(self) -> Range<usize> {
        match (self, self.index()) {
            (_, Some(i)) => BEGINS[i]..BEGINS[i + 1],
            (Self::Transform(slot, part), _) => {
                let begin = Self::TRANSFORMS + 5 * slot as usize;
                match part {
                    TransformProperty::Offset => begin..begin + 2,
                    TransformProperty::Rotation => begin + 2..begin + 3,
                    TransformProperty::Scale => begin + 3..begin + 5,
                }
            }
            _ => 0..0,
        }
    }

    /// The index of its first float in a shader's array of numbers; `None` for transforms.
    pub fn place(self) -> Option<usize> {
        self.index().map(|i| PLACES[i])
    }

    /// `true` for a number of a layer.
    pub fn is_of(self, layer: Layer) -> bool {
        self.index().is_some_and(|i| NUMBERS[i].layer == layer)
    }

    /// The row in the table; `glossy` for specular-glossiness. `None` for transforms.
    pub fn row(self, glossy: bool) -> Option<&'static NumberRow> {
        let replaced = GLOSSY_NUMBERS.iter().find(|row| glossy && row.property == self);
        replaced.or(self.index().map(|i| &NUMBERS[i]))
    }
}

impl TextureSlot {
    /// The row in the table; `glossy` for specular-glossiness.
    pub fn row(self, glossy: bool) -> &'static TextureRow {
        let replaced = GLOSSY_TEXTURES.iter().find(|row| glossy && row.slot == self);
        replaced.unwrap_or(&TEXTURES[self as usize])
    }

    /// `true` if its red, green and blue are encoded as sRGB.
    pub fn is_color(self) -> bool {
        TEXTURES[self as usize].encoding == Encoding::Srgb
    }

    /// The slots whose textures have directions in tangent space.
    pub fn directions() -> impl Iterator<Item = Self> {
        let directed = |row: &&TextureRow| matches!(row.without_image, Texel::Flat | Texel::Along);
        TEXTURES.iter().filter(directed).map(|row| row.slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MaterialProperty as P;

    #[test]
    fn material_table_is_in_order_and_without_gaps() {
        assert!(LAYERS.iter().enumerate().all(|(i, row)| row.layer as usize == i));
        assert!(TEXTURES.iter().enumerate().all(|(i, row)| row.slot as usize == i));
        assert!(NUMBERS.iter().enumerate().all(|(i, row)| row.property.index() == Some(i)));
        let all = TextureSlot::ALL.into_iter().flat_map(|slot| {
            [TransformProperty::Offset, TransformProperty::Rotation, TransformProperty::Scale]
                .map(|part| P::Transform(slot, part))
        });
        let mut next = 0;
        for property in NUMBERS.iter().map(|row| row.property).chain(all) {
            assert_eq!(property.range().start, next, "{property:?}");
            next = property.range().end;
        }
        assert_eq!(next, P::COUNT);
    }

    #[test]
    fn material_table_numbers_do_not_share_or_cross_vectors() {
        let mut used = [false; P::SHADER_FLOATS];
        for row in NUMBERS {
            let first = row.property.place().unwrap_or(usize::MAX);
            let last = first + row.shader_width() - 1;
            assert_eq!(first / 4, last / 4, "{} is in one vector", row.name);
            for used in &mut used[first..=last] {
                assert!(!std::mem::replace(used, true), "{} has its own floats", row.name);
            }
        }
    }

    #[test]
    fn material_table_has_each_path_and_view_once() {
        let mut paths: Vec<String> = NUMBERS.iter().chain(GLOSSY_NUMBERS).map(NumberRow::path).collect();
        paths.extend(TEXTURES.iter().chain(GLOSSY_TEXTURES).map(TextureRow::path));
        let views = NUMBERS.iter().filter_map(|row| row.view).map(str::to_owned);
        for mut names in [paths, views.collect()] {
            let all = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), all);
        }
    }

    #[test]
    fn material_table_defaults_are_valid() {
        for row in NUMBERS.iter().chain(GLOSSY_NUMBERS) {
            assert!(row.default.iter().all(|&value| row.limit.clamp(value) == value), "{}", row.path());
        }
        let ior = |value| Limit::Refraction.clamp(value);
        assert_eq!([0.0, -1.0, 0.5, 1.5].map(ior), [0.0, 1.0, 1.0, 1.5]);
        assert_eq!(Limit::Angle.clamp(-9.0), -9.0);
    }

    #[test]
    fn material_table_finds_the_texture_that_has_a_number() {
        let within: Vec<_> = NUMBERS.iter().filter_map(|row| Some((row.property, row.within()?))).collect();
        assert_eq!(
            within,
            [
                (P::NormalScale, TextureSlot::Normal),
                (P::OcclusionStrength, TextureSlot::Occlusion),
                (P::ClearcoatNormalScale, TextureSlot::ClearcoatNormal),
            ]
        );
    }
}
