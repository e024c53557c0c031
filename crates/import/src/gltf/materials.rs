//! Materials, textures and images. A fault here never makes the import fail.
//! Spec: glTF 2.0 §3.8 and §3.9.

use super::accessor::Reader;
use super::schema::{File, INVALID_INDEX};
use crate::model::{
    AlphaMode, Filter, Image, ImageData, ImageId, Material, MaterialProperty, MipFilter, NormalTexture,
    OcclusionTexture, Texture, TextureId, TextureRef, TextureSampler, TextureSlot, Wrap,
};
use ::gltf::json;
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::log::Log;
use gambol_gltf::uri;
use json::texture::{MagFilter, MinFilter, WrappingMode};
use json::validation::Checked;
use std::fmt;

/// The images of a file; unavailable ones are empty. Takes the URIs out of `images`.
pub(super) fn images(images: &mut [json::Image], reader: &Reader<'_>, log: &mut Log) -> Vec<Image> {
    let image = |(i, image): (usize, &mut json::Image)| {
        let pointer = format_args!("/images/{i}");
        let mut mime_type = image.mime_type.take().map(|mime_type| mime_type.0);
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
        Image { name: image.name.take().unwrap_or_default(), mime_type, data, fallback: None }
    };
    images.iter_mut().enumerate().map(image).collect()
}

fn embedded(view: usize, reader: &Reader<'_>, pointer: fmt::Arguments<'_>) -> Result<ImageData, ImportError> {
    let bytes = reader.view(view, pointer)?;
    reader.spend(bytes.len(), 1).map_err(|kind| kind.at(pointer))?;
    Ok(ImageData::Embedded(bytes.to_vec()))
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

/// Sets the fallback of images in newer formats: the core source of their textures.
pub(super) fn fallbacks(file: &File, textures: &[Texture], images: &mut [Image]) {
    for (texture, &plain) in textures.iter().zip(&file.texture_fallbacks) {
        if let (Some(better), Some(plain)) = (texture.image, plain)
            && better.index() != plain
            && plain < images.len()
        {
            images[better.index()].fallback = Some(ImageId::new(plain));
        }
    }
}

/// The textures of a file with `images` images.
pub(super) fn textures(file: &File, images: usize, log: &mut Log) -> Vec<Texture> {
    let texture = |(i, texture): (usize, &json::Texture)| {
        let source = Some(texture.source.value()).filter(|&source| source != INVALID_INDEX as usize);
        let image =
            source.and_then(|index| known(index, "image", images, format_args!("/textures/{i}/source"), log));
        let sampler = texture.sampler.and_then(|index| {
            known(index.value(), "sampler", file.samplers.len(), format_args!("/textures/{i}/sampler"), log)
        });
        Texture {
            image: image.map(ImageId::new),
            sampler: sampler.map(|sampler| texture_sampler(&file.samplers[sampler])).unwrap_or_default(),
        }
    };
    file.textures.iter().enumerate().map(texture).collect()
}

fn texture_sampler(sampler: &json::texture::Sampler) -> TextureSampler {
    let mag = match sampler.mag_filter {
        Some(Checked::Valid(MagFilter::Nearest)) => Filter::Nearest,
        _ => Filter::Linear,
    };
    let (min, mip) = match sampler.min_filter {
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
    let wrap = |mode: &Checked<WrappingMode>| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::ClampToEdge,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::MirroredRepeat,
        _ => Wrap::Repeat,
    };
    TextureSampler { mag, min, mip, wrap_s: wrap(&sampler.wrap_s), wrap_t: wrap(&sampler.wrap_t) }
}

/// The materials of a file; factors are clamped to their valid ranges.
pub(super) fn materials(file: &File, log: &mut Log) -> Vec<Material> {
    let material = |(i, source): (usize, &json::Material)| {
        let extensions = file.extensions.materials.get(i).and_then(Option::as_ref);
        let mut texture = |index: usize, tex_coord: u32, slot: TextureSlot| {
            let key = slot.row(false).key;
            let index = known(
                index,
                "texture",
                file.textures.len(),
                format_args!("/materials/{i}/{key}/index"),
                log,
            )?;
            let (transform, set) = extensions.map(|all| all.transforms[slot as usize]).unwrap_or_default();
            let tex_coord = set.unwrap_or(tex_coord);
            Some(TextureRef { texture: TextureId::new(index), tex_coord, transform })
        };
        let mut plain = |info: &Option<json::texture::Info>, slot: TextureSlot| {
            info.as_ref().and_then(|info| texture(info.index.value(), info.tex_coord, slot))
        };
        let pbr = &source.pbr_metallic_roughness;
        let mut base_color_texture = plain(&pbr.base_color_texture, TextureSlot::BaseColor);
        let metallic_roughness_texture =
            plain(&pbr.metallic_roughness_texture, TextureSlot::MetallicRoughness);
        let emissive_texture = plain(&source.emissive_texture, TextureSlot::Emissive);
        let normal_texture = source.normal_texture.as_ref().and_then(|info| {
            let texture = texture(info.index.value(), info.tex_coord, TextureSlot::Normal)?;
            Some(NormalTexture { texture, scale: if info.scale.is_finite() { info.scale } else { 1.0 } })
        });
        let occlusion_texture = source.occlusion_texture.as_ref().and_then(|info| {
            let texture = texture(info.index.value(), info.tex_coord, TextureSlot::Occlusion)?;
            Some(OcclusionTexture { texture, strength: info.strength.0.clamp(0.0, 1.0) })
        });
        let alpha_mode = match source.alpha_mode {
            Checked::Valid(json::material::AlphaMode::Opaque) => AlphaMode::Opaque,
            Checked::Valid(json::material::AlphaMode::Mask) => {
                AlphaMode::Mask { cutoff: source.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0.clamp(0.0, 2.0)) }
            }
            Checked::Valid(json::material::AlphaMode::Blend) => AlphaMode::Blend,
            Checked::Invalid => {
                let pointer = format_args!("/materials/{i}/alphaMode");
                log.warn(codes::INVALID_VALUE, pointer, "The alpha mode is unknown; the material is opaque");
                AlphaMode::Opaque
            }
        };
        let layers = extensions.map(|all| all.layers).unwrap_or_default();
        let mut base_color = pbr.base_color_factor.0.map(|factor| factor.clamp(0.0, 1.0));
        if layers.is_glossy() {
            base_color.copy_from_slice(&layers.numbers[MaterialProperty::BaseColor.range()]);
            base_color_texture = layers.textures[TextureSlot::BaseColor as usize];
        }
        Material {
            name: source.name.clone().unwrap_or_default(),
            base_color,
            base_color_texture,
            metallic: pbr.metallic_factor.0.clamp(0.0, 1.0),
            roughness: pbr.roughness_factor.0.clamp(0.0, 1.0),
            metallic_roughness_texture,
            normal_texture,
            occlusion_texture,
            // Without KHR_materials_emissive_strength, exporters write values above 1.
            emissive: source.emissive_factor.0.map(|factor| factor.clamp(0.0, 65504.0)),
            emissive_texture,
            alpha_mode,
            double_sided: source.double_sided,
            unlit: extensions.is_some_and(|all| all.unlit),
            layers,
        }
    };
    file.materials.iter().enumerate().map(material).collect()
}
