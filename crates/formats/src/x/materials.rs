//! Materials.
//!
//! DirectX multiplies texture and diffuse colour, and adds a specular highlight. Of that, glTF gets the colour, and a
//! roughness with a highlight of the same width.

use std::collections::HashMap;

use super::kind::Kind;
use super::lexer::Fault;
use super::objects::File;
use super::values::Values;
use crate::color::linear;
use crate::scene::{Alpha, Colors, Image, ImageData, Material, Scene, Texture};
use crate::uri::relative;

/// The indices of materials and images that are in the scene.
#[derive(Default)]
pub(super) struct Materials {
    by_object: HashMap<usize, usize>,
    images: HashMap<String, usize>,
}

impl Materials {
    /// The material of an object, which is added to the scene at its first use.
    pub(super) fn get(&mut self, file: &File<'_>, object: usize, scene: &mut Scene) -> usize {
        if let Some(&index) = self.by_object.get(&object) {
            return index;
        }
        let mut material = Material {
            name: file.objects[object].name.clone(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 0.0,
            roughness: 1.0,
            normal_texture: None,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha: Alpha::Opaque,
            double_sided: false,
            untextured: Colors::default(),
        };
        let mut values = Values::new(file, object);
        if let Err(fault) = colors(&mut values, &mut material) {
            values.warn(fault, "the other properties of the material are the usual ones");
        }
        drop(values);
        // DirectX multiplies, so the colours are the same.
        material.untextured = Colors { base_color: material.base_color, emissive: material.emissive };
        material.base_color_texture = self.texture(file, object, Kind::TextureFilename, scene);
        material.normal_texture = self.texture(file, object, Kind::NormalFilename, scene);
        let index = scene.materials.len();
        scene.materials.push(material);
        self.by_object.insert(object, index);
        index
    }

    fn texture(
        &mut self,
        file: &File<'_>,
        material: usize,
        kind: Kind,
        scene: &mut Scene,
    ) -> Option<Texture> {
        let object = file.children(material, kind).next()?;
        let mut values = Values::new(file, object);
        let path = match values.string() {
            Ok(path) => path,
            Err(fault) => {
                values.warn(fault, "the material has no texture");
                return None;
            }
        };
        let uri = relative(path.trim());
        if uri.is_empty() {
            return None;
        }
        let image = *self.images.entry(uri).or_insert_with_key(|uri| {
            scene.images.push(Image { name: String::new(), data: ImageData::External(uri.clone()) });
            scene.images.len() - 1
        });
        Some(Texture { image, texcoord: 0 })
    }
}

fn colors(values: &mut Values<'_, '_>, material: &mut Material) -> Result<(), Fault> {
    let [red, green, blue, alpha] = values.floats()?;
    material.base_color = [linear(red), linear(green), linear(blue), alpha.clamp(0.0, 1.0)];
    if material.base_color[3] < 1.0 {
        material.alpha = Alpha::Blend;
    }
    let power = values.float()?;
    let specular: [f32; 3] = values.floats()?;
    if specular.iter().any(|&part| part > 0.0) && power > 0.0 {
        // The exponent of Blinn and Phong as the roughness of GGX: 2 / roughness⁴ - 2.
        material.roughness = (2.0 / (power + 2.0)).sqrt().sqrt();
    }
    material.emissive = values.floats::<3>()?.map(linear);
    Ok(())
}
