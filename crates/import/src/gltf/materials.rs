//! Materials, textures and images. A fault here never makes the import fail.
//! Spec: glTF 2.0 §3.8 and §3.9.

use super::accessor::Reader;
use super::elements::ImageSource;
use super::extensions;
use super::lenient::{out_of_range, repaired};
use gambol_animation::model::{
    AlphaMode, Filter, Image, ImageData, ImageId, Material, MaterialProperty, MipFilter, NormalTexture,
    OcclusionTexture, Texture, TextureId, TextureRef, TextureSampler, TextureSlot, TextureTransform, Wrap,
};
use gambol_gltf::bytes::Bytes;
use gambol_gltf::element::{self, Checked, MagFilter, MinFilter, WrappingMode};
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::{FromJson, Place};
use gambol_gltf::uri;
use std::fmt;

/// Extensions for texture sources, in order of preference: GPU compression first, then formats that browsers decode
/// like PNG.
const TEXTURE_SOURCES: &[&str] = &["KHR_texture_basisu", "EXT_texture_avif", "EXT_texture_webp"];

/// The locations of the images of a file.
pub(super) fn image_sources(at: &Place<'_>, log: &mut Log) -> Vec<ImageSource> {
    at.list_with("images", |at| repaired(at, log, ImageSource::read))
}

/// The images of a file; unavailable ones are empty. Takes the URIs out of `images`.
pub(super) fn images(images: &mut [ImageSource], reader: &Reader<'_>, log: &mut Log) -> Vec<Image> {
    let image = |(i, image): (usize, &mut ImageSource)| {
        let pointer = format_args!("/images/{i}");
        let mut mime_type = image.mime_type.take();
        let data = match (image.uri.take(), image.buffer_view) {
            (Some(text), _) if uri::is_data_uri(&text) => match uri::decode_data_uri(&text) {
                Ok(data) => {
                    mime_type = mime_type.or(Some(data.mime_type).filter(|mime_type| !mime_type.is_empty()));
                    Ok(ImageData::Embedded(data.bytes))
                }
                Err(reason) => Err(ImportErrorKind::InvalidUri { reason }.at(format_args!("{pointer}/uri"))),
            },
            (Some(uri), _) => Ok(ImageData::External(uri)),
            (None, Some(view)) => embedded(view.value(), reader, format_args!("{pointer}/bufferView")),
            (None, None) => {
                let reason = "the image has neither a URI nor a buffer view".to_owned();
                Err(ImportErrorKind::BufferMissing { reason }.at(pointer))
            }
        };
        let data = data.unwrap_or_else(|error| {
            log.warn_repaired(error, "the image is skipped");
            ImageData::Embedded(Vec::new())
        });
        Image { name: std::mem::take(&mut image.name), mime_type, data, fallback: None }
    };
    images.iter_mut().enumerate().map(image).collect()
}

fn embedded(view: usize, reader: &Reader<'_>, pointer: fmt::Arguments<'_>) -> Result<ImageData, ImportError> {
    let (buffer, bytes) = reader.view(view, pointer)?;
    reader.spend(bytes.len(), 1).map_err(|kind| kind.at(pointer))?;
    Ok(match bytes {
        Bytes::Memory(bytes) => ImageData::Embedded(bytes.to_vec()),
        Bytes::Outside { range: (start, end), .. } => ImageData::Outside { buffer, range: start..end },
    })
}

/// An index, if there is one below `count`; otherwise `None`, with a warning.
fn known(
    index: Option<u32>,
    element: &'static str,
    count: usize,
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> Option<usize> {
    let index = index? as usize;
    if index >= count {
        out_of_range(log, pointer, element, index, count);
    }
    (index < count).then_some(index)
}

/// Sets the fallback of images in newer formats: `sources`, the core sources of their textures.
pub(super) fn fallbacks(textures: &[Texture], sources: &[Option<usize>], images: &mut [Image]) {
    for (texture, &plain) in textures.iter().zip(sources) {
        if let (Some(better), Some(plain)) = (texture.image, plain)
            && better.index() != plain
            && plain < images.len()
        {
            images[better.index()].fallback = Some(ImageId::new(plain));
        }
    }
}

fn sampler(at: &Place<'_>) -> TextureSampler {
    at.object();
    let mag = match at.optional("magFilter") {
        Some(Checked::Valid(MagFilter::Nearest)) => Filter::Nearest,
        _ => Filter::Linear,
    };
    let (min, mip) = match at.optional("minFilter") {
        Some(Checked::Valid(filter)) => match filter {
            MinFilter::Nearest => (Filter::Nearest, MipFilter::None),
            MinFilter::Linear => (Filter::Linear, MipFilter::None),
            MinFilter::NearestMipmapNearest => (Filter::Nearest, MipFilter::Nearest),
            MinFilter::LinearMipmapNearest => (Filter::Linear, MipFilter::Nearest),
            MinFilter::NearestMipmapLinear => (Filter::Nearest, MipFilter::Linear),
            MinFilter::LinearMipmapLinear => (Filter::Linear, MipFilter::Linear),
        },
        _ => (Filter::Linear, MipFilter::Linear),
    };
    let [wrap_s, wrap_t] = ["wrapS", "wrapT"].map(|key| match at.optional(key) {
        Some(Checked::Valid(WrappingMode::ClampToEdge)) => Wrap::ClampToEdge,
        Some(Checked::Valid(WrappingMode::MirroredRepeat)) => Wrap::MirroredRepeat,
        _ => Wrap::Repeat,
    });
    TextureSampler { mag, min, mip, wrap_s, wrap_t }
}

/// The textures of a file. The image is that of a preferred extension, if there is one.
pub(super) fn textures(at: &Place<'_>, log: &mut Log) -> Vec<Texture> {
    let samplers = at.list_with("samplers", |at| repaired(at, log, sampler));
    let images = at.value().list("images").len();
    at.list_with("textures", |at| {
        let (sampler, source) = repaired(at, log, texture);
        // The largest index stands for no image.
        let source = better_source(at.value()).or(source).filter(|&source| source != u32::MAX);
        let image = known(source, "image", images, format_args!("{at}/source"), log);
        let sampler = known(sampler, "sampler", samplers.len(), format_args!("{at}/sampler"), log);
        Texture {
            image: image.map(ImageId::new),
            sampler: sampler.map(|sampler| samplers[sampler]).unwrap_or_default(),
        }
    })
}

/// The indices of the sampler and of the core source.
fn texture(at: &Place<'_>) -> (Option<u32>, Option<u32>) {
    at.object();
    (at.optional("sampler"), at.optional("source"))
}

/// The source of a preferred extension of a texture.
fn better_source(texture: &Value) -> Option<u32> {
    let extensions = texture.get("extensions")?;
    let source = TEXTURE_SOURCES.iter().find_map(|&name| extensions.get(name)?.get("source"))?;
    source.as_u64().map(|source| u32::try_from(source).unwrap_or(u32::MAX))
}

/// The materials of a file; factors are clamped to their valid ranges.
pub(super) fn materials(at: &Place<'_>, log: &mut Log) -> Vec<Material> {
    let textures = at.value().list("textures").len();
    at.list_with("materials", |at| {
        let (mut material, is_unknown) = repaired(at, log, material);
        let extensions = extensions::material(at, textures, log);
        let mut placed = |texture: TextureRef, slot: TextureSlot| {
            let (index, key) = (texture.texture.index() as u32, slot.row(false).key);
            known(Some(index), "texture", textures, format_args!("{at}/{key}/index"), log)?;
            let (transform, set) = extensions.transforms[slot as usize];
            Some(TextureRef { tex_coord: set.unwrap_or(texture.tex_coord), transform, ..texture })
        };
        let mut place = |texture: &mut Option<TextureRef>, slot: TextureSlot| {
            *texture = texture.and_then(|texture| placed(texture, slot));
        };
        place(&mut material.base_color_texture, TextureSlot::BaseColor);
        place(&mut material.metallic_roughness_texture, TextureSlot::MetallicRoughness);
        place(&mut material.emissive_texture, TextureSlot::Emissive);
        material.normal_texture = material.normal_texture.and_then(|normal| {
            Some(NormalTexture { texture: placed(normal.texture, TextureSlot::Normal)?, ..normal })
        });
        material.occlusion_texture = material.occlusion_texture.and_then(|occlusion| {
            Some(OcclusionTexture {
                texture: placed(occlusion.texture, TextureSlot::Occlusion)?,
                ..occlusion
            })
        });
        if is_unknown {
            let message = "The alpha mode is unknown; the material is opaque";
            log.warn(codes::INVALID_VALUE, format_args!("{at}/alphaMode"), message);
        }
        (material.unlit, material.layers) = (extensions.unlit, extensions.layers);
        let layers = &material.layers;
        if layers.is_glossy() {
            material.base_color.copy_from_slice(&layers.numbers[MaterialProperty::BaseColor.range()]);
            material.base_color_texture = layers.textures[TextureSlot::BaseColor as usize];
        }
        material
    })
}

/// A material without its extensions, whose textures may be out of range; `true` if its alpha mode is unknown.
fn material(at: &Place<'_>) -> (Material, bool) {
    at.object();
    let mut material = Material::default();
    let cutoff = at.or("alphaCutoff", 0.5_f32).clamp(0.0, 2.0);
    let mode = at.or("alphaMode", Checked::default());
    material.alpha_mode = match mode {
        Checked::Valid(element::AlphaMode::Mask) => AlphaMode::Mask { cutoff },
        Checked::Valid(element::AlphaMode::Blend) => AlphaMode::Blend,
        Checked::Valid(element::AlphaMode::Opaque) | Checked::Invalid => AlphaMode::Opaque,
    };
    material.double_sided = at.or("doubleSided", false);
    material.name = at.or("name", String::new());
    if let Some(at) = at.member("pbrMetallicRoughness") {
        at.object();
        let factor = |key| at.or(key, 1.0_f32).clamp(0.0, 1.0);
        material.base_color = at.or("baseColorFactor", [1.0_f32; 4]).map(|factor| factor.clamp(0.0, 1.0));
        material.base_color_texture = texture_at(&at, "baseColorTexture");
        material.metallic = factor("metallicFactor");
        material.roughness = factor("roughnessFactor");
        material.metallic_roughness_texture = texture_at(&at, "metallicRoughnessTexture");
    }
    material.normal_texture = at.member("normalTexture").map(|at| {
        let texture = texture_ref(&at);
        let scale = Some(at.or("scale", 1.0_f32)).filter(|scale| scale.is_finite());
        NormalTexture { texture, scale: scale.unwrap_or(1.0) }
    });
    material.occlusion_texture = at.member("occlusionTexture").map(|at| {
        let texture = texture_ref(&at);
        OcclusionTexture { texture, strength: at.or("strength", 1.0_f32).clamp(0.0, 1.0) }
    });
    material.emissive_texture = texture_at(at, "emissiveTexture");
    // Without KHR_materials_emissive_strength, exporters write values above 1.
    let emissive = at.or("emissiveFactor", [0.0_f32; 3]);
    material.emissive = emissive.map(|factor| factor.clamp(0.0, 65504.0));
    (material, matches!(mode, Checked::Invalid))
}

fn texture_at(at: &Place<'_>, key: &str) -> Option<TextureRef> {
    at.member(key).map(|at| texture_ref(&at))
}

fn texture_ref(at: &Place<'_>) -> TextureRef {
    TextureRef {
        texture: TextureId::new(at.required::<u32>("index") as usize),
        tex_coord: at.or("texCoord", 0),
        transform: TextureTransform::default(),
    }
}
