//! Materials: the models of Lambert and Phong, and the physical ones of 3ds Max, Maya and Blender.

use super::{Reader, finite, texture};
use crate::error::{FormatError, codes};
use crate::scene::{Alpha, Colors, Material, Texture};

/// A material of the scene.
#[derive(Clone, Copy)]
pub(super) struct Converted {
    pub(super) index: usize,
    /// The transform of texture coordinates, from those of the mesh to those of the image.
    pub(super) uv_transform: Option<ufbx::Matrix>,
}

/// Textures use only the first sets of texture coordinates. More are not searched, as a file may have very many.
const MOST_UV_SETS: usize = 16;

/// The material of the scene for an FBX material. `mesh` is one of its meshes, which tells the numbers of UV sets.
pub(super) fn material(
    reader: &mut Reader<'_>,
    material: &ufbx::Material,
    mesh: &ufbx::Mesh,
) -> Result<Converted, FormatError> {
    let id = material.element.typed_id;
    if let Some(&converted) = reader.materials.get(&id) {
        return Ok(converted);
    }
    let (pbr, fbx) = (&material.pbr, &material.fbx);
    let physical = material.features.pbr.enabled;
    let mut uv_transform = None;
    let mut map =
        |reader: &mut Reader<'_>, map: &ufbx::MaterialMap| -> Result<Option<Texture>, FormatError> {
            let Some(file) = file_texture(map) else { return Ok(None) };
            if file.has_uv_transform && uv_transform.is_none() {
                uv_transform = Some(file.uv_to_texture);
            }
            let sets = mesh.uv_sets.iter().take(MOST_UV_SETS);
            let texcoord = sets.map(|set| &*set.name).position(|name| name == &*file.uv_set).unwrap_or(0);
            Ok(texture::image(reader, file)?.map(|image| Texture { image, texcoord }))
        };
    let base_color_texture = map(reader, &pbr.base_color)?;
    let normal_map = if file_texture(&pbr.normal_map).is_some() { &pbr.normal_map } else { &fbx.normal_map };
    let normal_texture = map(reader, normal_map)?;
    let emissive_texture = map(reader, &pbr.emission_color)?;
    let base_color = |textured: bool| {
        if pbr.base_color.has_value || textured {
            color(&pbr.base_color, &pbr.base_factor, textured)
        } else {
            // The default of the FBX SDK.
            [0.8; 3]
        }
    };
    let [r, g, b] = base_color(base_color_texture.is_some());
    let plain = base_color(false);
    let (opacity, alpha) = opacity(material);
    let converted = Converted { index: reader.scene.materials.len(), uv_transform };
    reader.scene.materials.push(Material {
        name: material.element.name.to_string(),
        base_color: [r, g, b, opacity],
        base_color_texture,
        metallic: finite(pbr.metalness.value_vec4.x.clamp(0.0, 1.0)),
        roughness: if has_texture(&[&pbr.roughness, &pbr.glossiness]) {
            // The texture is left out; its mean is not known.
            0.5
        } else if physical {
            finite(pbr.roughness.value_vec4.x.clamp(0.0, 1.0))
        } else {
            phong_roughness(fbx)
        },
        normal_texture,
        emissive: color(&pbr.emission_color, &pbr.emission_factor, emissive_texture.is_some()),
        emissive_texture,
        alpha,
        // FBX has no sides: the programs that write it draw both, unless their own material says otherwise.
        double_sided: !material.features.double_sided.is_explicit || material.features.double_sided.enabled,
        untextured: Colors {
            base_color: [plain[0], plain[1], plain[2], opacity],
            emissive: color(&pbr.emission_color, &pbr.emission_factor, false),
        },
    });
    reader.materials.insert(id, converted);
    report(reader, material);
    Ok(converted)
}

/// Warns of textures that glTF has no place for, or not in this form.
fn report(reader: &Reader<'_>, material: &ufbx::Material) {
    let (pbr, fbx) = (&material.pbr, &material.fbx);
    let other_opacity = file_texture(opacity_map(material)).is_some() && !has_alpha_texture(material);
    for (unused, use_of) in [
        (has_texture(&[&pbr.roughness, &pbr.glossiness]), "roughness"),
        (has_texture(&[&pbr.metalness]), "metalness"),
        (has_texture(&[&fbx.bump]), "bumps (heights)"),
        (other_opacity, "opacity that is not the alpha of the colour texture"),
    ] {
        if unused {
            let message = format!("The texture of {use_of} is left out");
            reader.warn(codes::FBX_TEXTURE, &material.element.name, message);
        }
    }
}

/// The image file of a map: of layers and shader nodes the lowest one.
fn file_texture(map: &ufbx::MaterialMap) -> Option<&ufbx::Texture> {
    let texture = map.texture.as_ref().filter(|_| map.texture_enabled)?;
    texture.file_textures.first().map(|texture| &**texture)
}

fn has_texture(maps: &[&ufbx::MaterialMap]) -> bool {
    maps.iter().any(|map| file_texture(map).is_some())
}

/// A colour with its factor. A texture replaces the colour, as in the programs that write FBX.
fn color(color: &ufbx::MaterialMap, factor: &ufbx::MaterialMap, textured: bool) -> [f32; 3] {
    let c = color.value_vec4;
    let rgb = if textured { [1.0; 3] } else { [c.x, c.y, c.z] };
    // Without a factor, ufbx derives it from the colour.
    let factor = if textured && !factor.has_value { 1.0 } else { factor.value_vec4.x };
    rgb.map(|channel| finite((channel * factor).clamp(0.0, 1.0)))
}

/// The roughness whose highlight is as wide as that of Phong's exponent: `n = 2 / roughness⁴ − 2`.
fn phong_roughness(fbx: &ufbx::MaterialFbxMaps) -> f32 {
    let specular = fbx.specular_color.value_vec4;
    let strength = specular.x.max(specular.y).max(specular.z) * fbx.specular_factor.value_vec4.x;
    if strength > 0.0 {
        let exponent = fbx.specular_exponent.value_vec4.x.max(0.0);
        finite((2.0 / (exponent + 2.0)).sqrt().sqrt())
    } else {
        1.0
    }
}

/// The map of the opacity, or of the transparency.
fn opacity_map(material: &ufbx::Material) -> &ufbx::MaterialMap {
    let opacity = &material.pbr.opacity;
    let is_used = opacity.has_value || opacity.texture.is_some();
    if is_used { opacity } else { &material.fbx.transparency_color }
}

/// `true` if the texture of the opacity is that of the colour, so the opacity is its alpha.
fn has_alpha_texture(material: &ufbx::Material) -> bool {
    let [opacity, color] =
        [opacity_map(material), &material.pbr.base_color].map(|map| file_texture(map).map(texture::Key::of));
    opacity.is_some() && opacity == color
}

/// Opacity and the mode of alpha.
fn opacity(material: &ufbx::Material) -> (f32, Alpha) {
    let (pbr, fbx) = (&material.pbr, &material.fbx);
    if has_alpha_texture(material) {
        // Many characters have this, even if all of it is opaque. A mask needs no sorting.
        return (1.0, Alpha::Mask { cutoff: 0.5 });
    }
    if file_texture(opacity_map(material)).is_some() {
        return (1.0, Alpha::Opaque);
    }
    let mean = |map: &ufbx::MaterialMap| (map.value_vec4.x + map.value_vec4.y + map.value_vec4.z) / 3.0;
    let opacity = if pbr.opacity.has_value {
        mean(&pbr.opacity)
    } else {
        let transparency = mean(&fbx.transparency_color) * fbx.transparency_factor.value_vec4.x;
        let opacity = ufbx::find_prop(&material.element.props, "Opacity");
        opacity.map_or(1.0 - transparency, |opacity| opacity.value_vec4.x)
    };
    // Some exporters mix up opacity and transparency. No material is invisible by intent.
    if opacity > 0.0 && opacity < 1.0 { (finite(opacity), Alpha::Blend) } else { (1.0, Alpha::Opaque) }
}
