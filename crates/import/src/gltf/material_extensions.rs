//! Material extensions: reading, validation, and resolution of animation pointers, by the rows of the table of materials.

use super::lenient::{index, list, number, numbers, out_of_range, warn};
use gambol_animation::model::{
    AlphaMode, GLOSSY_NUMBERS, Layer, LayerRow, Layers, Limit, Material, MaterialProperty, NUMBERS,
    NumberRow, TextureId, TextureRef, TextureSlot, TextureTransform, TransformProperty,
};
use gambol_gltf::error::codes;
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::Place;

/// The layers of a material, for a file with this number of textures.
pub(super) fn layers(at: &Place<'_>, textures: usize, log: &mut Log) -> Layers {
    let mut found = Layers::default();
    let Some(extensions) = at.member("extensions") else { return found };
    for layer in LayerRow::extensions() {
        let Some(at) = extensions.member(layer.extension) else { continue };
        found.present[layer.layer as usize] = true;
        for row in layer.textures() {
            found.textures[row.slot as usize] = at.member(row.key).and_then(|at| texture(&at, textures, log));
        }
        for row in layer.numbers() {
            let numbers = &mut found.numbers[row.property.range()];
            numbers.copy_from_slice(row.default);
            // Without its texture, a scale has no effect.
            if row.within().is_none_or(|slot| found.textures[slot as usize].is_some()) {
                read_row(&at, row, numbers, log);
            }
        }
    }
    found
}

/// Reads the numbers of a row, if they are in the file, and clamps them to the valid range.
fn read_row(at: &Place<'_>, row: &NumberRow, out: &mut [f32], log: &mut Log) {
    match (&mut *out, row.limit) {
        ([out], Limit::Required(least, most)) => {
            *out = number(log, at, row.key, *out, &|number| number >= least && number <= most);
        }
        ([out], _) => *out = number(log, at, row.key, *out, &|_| true),
        (out, _) => list(log, at, row.key, out),
    }
    let mut clamped = false;
    for out in out {
        clamped |= *out != row.limit.clamp(*out);
        *out = row.limit.clamp(*out);
    }
    if clamped {
        let message = "The value is out of range; it is clamped";
        log.warn(codes::NUMBER_REPLACED, format_args!("{at}/{}", row.key), message);
    }
}

fn texture(at: &Place<'_>, textures: usize, log: &mut Log) -> Option<TextureRef> {
    let Some(texture) = index(at, "index") else {
        warn(log, format_args!("{at}/index"), "The texture has no index; it is ignored");
        return None;
    };
    if texture >= textures {
        out_of_range(log, format_args!("{at}/index"), "texture", texture, textures);
        return None;
    }
    let transform = at.path("extensions/KHR_texture_transform").map(|at| transform(&at, log));
    let (transform, set) = transform.unwrap_or_default();
    let tex_coord = set.or(at.value().get("texCoord").and_then(Value::as_u32)).unwrap_or(0);
    Some(TextureRef { texture: TextureId::new(texture), tex_coord, transform })
}

/// A texture transform, and the texture coordinate set that it selects.
pub(super) fn transform(at: &Place<'_>, log: &mut Log) -> (TextureTransform, Option<u32>) {
    let transform = TextureTransform {
        offset: numbers(log, at, "offset", [0.0; 2]),
        rotation: number(log, at, "rotation", 0.0, &|_| true),
        scale: numbers(log, at, "scale", [1.0; 2]),
    };
    (transform, at.value().get("texCoord").and_then(Value::as_u32))
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
