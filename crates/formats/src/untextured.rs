//! Textured materials of meshes without texture coordinates.
//!
//! Such a mesh gets a copy of the material without the textures, since glTF wants `TEXCOORD_n` for each of them.

use std::collections::HashMap;

use crate::conversion::Conversion;
use crate::error::{Place, codes};
use crate::scene::{Alpha, Image, Material, Scene, Texture};

/// Leaves textures out for primitives that lack their texture coordinates.
pub(crate) fn repair(scene: &mut Scene, conversion: &Conversion<'_>) {
    let mut copies: HashMap<(usize, usize), usize> = HashMap::new();
    for mesh in &mut scene.meshes {
        let mut changed = false;
        for primitive in &mut mesh.primitives {
            let Some(index) = primitive.material else { continue };
            let sets = primitive.texcoords.len();
            let Some(material) = scene.materials.get(index).filter(|material| needs_more(material, sets))
            else {
                continue;
            };
            let copy = match copies.get(&(index, sets)) {
                Some(&copy) => copy,
                None => {
                    let copy = with_sets(material, sets);
                    scene.materials.push(copy);
                    copies.insert((index, sets), scene.materials.len() - 1);
                    scene.materials.len() - 1
                }
            };
            primitive.material = Some(copy);
            changed = true;
        }
        if changed {
            let message = "The mesh has no texture coordinates for its textures, which are left out";
            conversion.warn(codes::NO_TEXCOORDS, message, || Place::Object { path: mesh.name.clone() });
        }
    }
    if !copies.is_empty() {
        remove_unused(scene);
    }
}

fn textures(material: &mut Material) -> [&mut Option<Texture>; 3] {
    let Material { base_color_texture, normal_texture, emissive_texture, .. } = material;
    [base_color_texture, normal_texture, emissive_texture]
}

fn needs_more(material: &Material, sets: usize) -> bool {
    let Material { base_color_texture, normal_texture, emissive_texture, .. } = material;
    let all = [base_color_texture, normal_texture, emissive_texture];
    all.into_iter().flatten().any(|texture| texture.texcoord >= sets)
}

/// The material with textures of the first sets of texture coordinates only.
fn with_sets(material: &Material, sets: usize) -> Material {
    let mut copy = material.clone();
    for texture in textures(&mut copy) {
        *texture = texture.filter(|texture| texture.texcoord < sets);
    }
    if copy.base_color_texture != material.base_color_texture {
        copy.base_color = material.untextured.base_color;
        // The mask was that of the texture.
        if matches!(copy.alpha, Alpha::Mask { .. }) {
            copy.alpha = Alpha::Opaque;
        }
    }
    if copy.emissive_texture != material.emissive_texture {
        copy.emissive = material.untextured.emissive;
    }
    copy
}

/// Removes materials and images without a use, and gives the others new indices.
fn remove_unused(scene: &mut Scene) {
    let used: Vec<usize> = {
        let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        primitives.filter_map(|primitive| primitive.material).collect()
    };
    let places = keep(&mut scene.materials, &used);
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = primitive.material.and_then(|index| places.get(&index).copied());
    }
    let all = scene.materials.iter_mut().flat_map(textures);
    let used: Vec<usize> = all.filter_map(|texture| texture.map(|texture| texture.image)).collect();
    let places = keep::<Image>(&mut scene.images, &used);
    for texture in scene.materials.iter_mut().flat_map(textures) {
        *texture = texture.and_then(|of| Some(Texture { image: *places.get(&of.image)?, ..of }));
    }
}

/// Removes all items but the used ones. The new index of each of these.
fn keep<T>(items: &mut Vec<T>, used: &[usize]) -> HashMap<usize, usize> {
    let mut is_used = vec![false; items.len()];
    used.iter().for_each(|&index| is_used[index] = true);
    let kept = (0..items.len()).filter(|&index| is_used[index]);
    let places = kept.enumerate().map(|(place, index)| (index, place)).collect();
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        is_used[index - 1]
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::Options;
    use crate::scene::{Colors, ImageData, Mesh, Primitive};

    fn material(texcoord: usize, image: usize) -> Material {
        Material {
            name: "Skin".to_owned(),
            base_color: [1.0; 4],
            base_color_texture: Some(Texture { image, texcoord }),
            metallic: 0.0,
            roughness: 1.0,
            normal_texture: Some(Texture { image: 1, texcoord: 0 }),
            emissive: [1.0; 3],
            emissive_texture: None,
            alpha: Alpha::Mask { cutoff: 0.5 },
            double_sided: false,
            untextured: Colors { base_color: [0.5; 4], emissive: [0.25; 3] },
        }
    }

    fn primitive(sets: usize, material: usize) -> Primitive {
        Primitive { texcoords: vec![vec![]; sets], material: Some(material), ..Primitive::default() }
    }

    #[test]
    fn textures_without_coordinates_are_left_out_of_that_mesh_only() {
        let image = |name: &str| Image { name: name.to_owned(), data: ImageData::External(name.to_owned()) };
        let mut scene = Scene {
            meshes: vec![
                Mesh { primitives: vec![primitive(1, 1), primitive(0, 1)], ..Mesh::default() },
                Mesh { primitives: vec![primitive(0, 1), primitive(1, 2)], ..Mesh::default() },
            ],
            materials: vec![material(0, 3), material(0, 0), material(1, 2)],
            images: vec![image("color"), image("normal"), image("second"), image("unused")],
            ..Scene::default()
        };
        let options = Options::default();
        let conversion = Conversion::new(&options, "", 0);
        repair(&mut scene, &conversion);
        let of = |mesh: usize, primitive: usize| {
            let index = scene.meshes[mesh].primitives[primitive].material.expect("a material");
            &scene.materials[index]
        };
        let names: Vec<_> = scene.images.iter().map(|image| image.name.as_str()).collect();
        assert_eq!((scene.materials.len(), names), (3, vec!["color", "normal"]));
        assert_eq!(of(0, 0).base_color_texture, Some(Texture { image: 0, texcoord: 0 }));
        assert_eq!((of(0, 0).base_color, of(0, 0).emissive), ([1.0; 4], [1.0; 3]));
        for plain in [of(0, 1), of(1, 0)] {
            assert_eq!((plain.base_color_texture, plain.normal_texture), (None, None));
            assert_eq!((plain.base_color, plain.emissive), ([0.5; 4], [1.0; 3]));
            assert_eq!(plain.alpha, Alpha::Opaque);
        }
        // The normal map has its set of coordinates.
        assert_eq!(of(1, 1).base_color_texture, None);
        assert_eq!(of(1, 1).normal_texture, Some(Texture { image: 1, texcoord: 0 }));
        let codes: Vec<_> = conversion.into_warnings().iter().map(|warning| warning.code).collect();
        assert_eq!(codes, [codes::NO_TEXCOORDS; 2]);
    }
}
