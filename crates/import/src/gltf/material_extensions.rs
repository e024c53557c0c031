//! Material extensions: reading, validation, and resolution of animation pointers, by the rows of the table of materials.

use super::lenient::{Read, extension, index};
use crate::model::{
    AlphaMode, GLOSSY_NUMBERS, Layer, LayerRow, Layers, Limit, Material, MaterialProperty, NUMBERS,
    NumberRow, TextureId, TextureRef, TextureSlot, TextureTransform, TransformProperty,
};
use gambol_gltf::error::codes;
use gambol_gltf::json::Value;

impl Read<'_> {
    /// The layers of a material, for a file with this number of textures.
    pub(super) fn layers(&mut self, i: usize, material: &Value, textures: usize) -> Layers {
        let mut found = Layers::default();
        for layer in LayerRow::extensions() {
            let Some(value) = extension(material, layer.extension) else { continue };
            self.pointer = format!("/materials/{i}/extensions/{}", layer.extension);
            found.present[layer.layer as usize] = true;
            for row in layer.textures() {
                found.textures[row.slot as usize] = self.texture(value, row.key, textures);
            }
            for row in layer.numbers() {
                let numbers = &mut found.numbers[row.property.range()];
                numbers.copy_from_slice(row.default);
                // Without its texture, a scale has no effect.
                if row.within().is_none_or(|slot| found.textures[slot as usize].is_some()) {
                    self.row(value, row, numbers);
                }
            }
        }
        found
    }

    /// Reads the numbers of a row, if they are in the file, and clamps them to the valid range.
    fn row(&mut self, value: &Value, row: &NumberRow, out: &mut [f32]) {
        match (&mut *out, row.limit) {
            ([out], Limit::Required(least, most)) => {
                *out = self.number(value, row.key, *out, |number| number >= least && number <= most);
            }
            ([out], _) => *out = self.number(value, row.key, *out, |_| true),
            (out, _) => self.list(value, row.key, out),
        }
        let mut clamped = false;
        for out in out {
            clamped |= *out != row.limit.clamp(*out);
            *out = row.limit.clamp(*out);
        }
        if clamped {
            let message = "The value is out of range; it is clamped";
            self.log.warn(codes::NUMBER_REPLACED, format_args!("{}/{}", self.pointer, row.key), message);
        }
    }

    /// Calls `read` with the pointer of a member.
    fn below<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        self.pointer += "/";
        self.pointer += key;
        let out = read(self);
        self.pointer.truncate(length);
        out
    }

    fn texture(&mut self, value: &Value, key: &str, textures: usize) -> Option<TextureRef> {
        let info = value.get(key)?;
        self.below(key, |this| {
            let Some(texture) = index(info, "index").map(|texture| texture as usize) else {
                this.warn("index", "The texture has no index; it is ignored");
                return None;
            };
            if texture >= textures {
                this.out_of_range("index", "texture", texture, textures);
                return None;
            }
            let (transform, set) = match extension(info, "KHR_texture_transform") {
                Some(value) => this.below("extensions/KHR_texture_transform", |this| this.transform(value)),
                None => Default::default(),
            };
            let tex_coord = set.or(index(info, "texCoord")).unwrap_or(0);
            Some(TextureRef { texture: TextureId::new(texture), tex_coord, transform })
        })
    }

    /// A texture transform, and the texture coordinate set that it selects.
    pub(super) fn transform(&mut self, value: &Value) -> (TextureTransform, Option<u32>) {
        let transform = TextureTransform {
            offset: self.numbers(value, "offset", [0.0; 2]),
            rotation: self.number(value, "rotation", 0.0, |_| true),
            scale: self.numbers(value, "scale", [1.0; 2]),
        };
        (transform, index(value, "texCoord"))
    }
}

/// The material property at a pointer within a material, if the material has it.
pub(super) fn property(material: &Material, pointer: &str) -> Option<MaterialProperty> {
    let layers = &material.layers;
    if let Some(row) =
        GLOSSY_NUMBERS.iter().chain(NUMBERS).find(|row| pointer.ends_with(row.key) && row.path() == pointer)
    {
        let replaced = row.layer == Layer::Specular && layers.is_glossy();
        let present = row.layer.is_optional() || layers.has(row.layer);
        let textured = row.within().is_none_or(|slot| material.texture(slot).is_some());
        // The cutoff has an effect only in mode MASK.
        let masked = matches!(material.alpha_mode, AlphaMode::Mask { .. });
        let cut = row.property != MaterialProperty::AlphaCutoff || masked;
        return Some(row.property).filter(|_| present && !replaced && textured && cut);
    }
    TextureSlot::ALL.into_iter().find_map(|slot| {
        let key = slot.row(layers.is_glossy()).path();
        let part = match pointer.strip_prefix(&*key)?.strip_prefix("/extensions/KHR_texture_transform/")? {
            "offset" => TransformProperty::Offset,
            "rotation" => TransformProperty::Rotation,
            "scale" => TransformProperty::Scale,
            _ => return None,
        };
        material.texture(slot).map(|_| MaterialProperty::Transform(slot, part))
    })
}
