//! Materials, textures and images. A fault here never makes the import fail.
//! Spec: glTF 2.0 §3.8 and §3.9.

use super::accessor::Reader;
use super::elements::ImageSource;
use super::extensions::Extensions;
use super::lenient::repaired_list;
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
pub(super) fn image_sources(root: &Value, log: &mut Log) -> Result<Vec<ImageSource>, ImportError> {
    repaired_list(root, "images", log, ImageSource::read, ImageSource::default)
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

/// An index below `count`; otherwise `None`, with a warning.
fn known(
    index: usize,
    element: &'static str,
    count: usize,
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> Option<usize> {
    if index >= count {
        let kind = ImportErrorKind::IndexOutOfRange { element, index, count };
        log.warn_repaired(kind.at(pointer), "it is ignored");
        return None;
    }
    Some(index)
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

/// The texture samplers of a file.
pub(super) fn samplers(root: &Value, log: &mut Log) -> Result<Vec<TextureSampler>, ImportError> {
    repaired_list(root, "samplers", log, sampler, TextureSampler::default)
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

/// The textures of a file with these samplers. The image is that of a preferred extension, if there is one.
pub(super) fn textures(
    root: &Value,
    samplers: &[TextureSampler],
    log: &mut Log,
) -> Result<Vec<Texture>, ImportError> {
    let images = root.list("images").len();
    let mut textures = Vec::new();
    let indices = repaired_list(root, "textures", log, texture, Default::default)?;
    for (i, ((sampler, source), value)) in indices.into_iter().zip(root.list("textures")).enumerate() {
        // The largest index stands for no image.
        let source = better_source(value).or(source).filter(|&source| source != u32::MAX);
        let image = source.and_then(|index| {
            known(index as usize, "image", images, format_args!("/textures/{i}/source"), log)
        });
        let sampler = sampler.and_then(|index| {
            known(index as usize, "sampler", samplers.len(), format_args!("/textures/{i}/sampler"), log)
        });
        textures.push(Texture {
            image: image.map(ImageId::new),
            sampler: sampler.map(|sampler| samplers[sampler]).unwrap_or_default(),
        });
    }
    Ok(textures)
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
pub(super) fn materials(
    root: &Value,
    extensions: &Extensions,
    log: &mut Log,
) -> Result<Vec<Material>, ImportError> {
    let textures = root.list("textures").len();
    let read = repaired_list(root, "materials", log, material, Default::default)?;
    let complete = |(i, (mut material, is_unknown)): (usize, (Material, bool))| {
        let extensions = extensions.materials.get(i).and_then(Option::as_ref);
        let mut placed = |texture: TextureRef, slot: TextureSlot| {
            let (index, key) = (texture.texture.index(), slot.row(false).key);
            known(index, "texture", textures, format_args!("/materials/{i}/{key}/index"), log)?;
            let (transform, set) = extensions.map(|all| all.transforms[slot as usize]).unwrap_or_default();
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
            let pointer = format_args!("/materials/{i}/alphaMode");
            log.warn(codes::INVALID_VALUE, pointer, "The alpha mode is unknown; the material is opaque");
        }
        if let Some(all) = extensions {
            (material.unlit, material.layers) = (all.unlit, all.layers);
        }
        let layers = &material.layers;
        if layers.is_glossy() {
            material.base_color.copy_from_slice(&layers.numbers[MaterialProperty::BaseColor.range()]);
            material.base_color_texture = layers.textures[TextureSlot::BaseColor as usize];
        }
        material
    };
    Ok(read.into_iter().enumerate().map(complete).collect())
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
        material.base_color_texture = at.member("baseColorTexture").map(|at| texture_ref(&at));
        material.metallic = factor("metallicFactor");
        material.roughness = factor("roughnessFactor");
        let texture = at.member("metallicRoughnessTexture");
        material.metallic_roughness_texture = texture.map(|at| texture_ref(&at));
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
    material.emissive_texture = at.member("emissiveTexture").map(|at| texture_ref(&at));
    // Without KHR_materials_emissive_strength, exporters write values above 1.
    let emissive = at.or("emissiveFactor", [0.0_f32; 3]);
    material.emissive = emissive.map(|factor| factor.clamp(0.0, 65504.0));
    (material, matches!(mode, Checked::Invalid))
}

fn texture_ref(at: &Place<'_>) -> TextureRef {
    TextureRef {
        texture: TextureId::new(at.required::<u32>("index") as usize),
        tex_coord: at.or("texCoord", 0),
        transform: TextureTransform::default(),
    }
}
