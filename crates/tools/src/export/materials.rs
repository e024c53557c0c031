//! Materials that a page has changed, in the file of their model.

use super::clips::remove_channels;
use super::pose::other_file;
use crate::error::ToolsError;
use gambol_gltf::document::{Document, remove_below};
use gambol_gltf::json;
use gambol_gltf::json::Value;

const UNLIT: &str = "KHR_materials_unlit";
const TRANSFORM: &str = "KHR_texture_transform";

/// A material to change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewMaterial {
    /// The index of the material.
    pub material: usize,
    /// Paths in the material, such as `pbrMetallicRoughness/metallicFactor`, each with one number or with several.
    pub numbers: Vec<(String, Vec<f32>)>,
    /// `OPAQUE`, `MASK` or `BLEND`; `None` keeps that of the file.
    pub alpha_mode: Option<String>,
    /// `true` if back faces are visible; `None` keeps what the file has.
    pub double_sided: Option<bool>,
    /// `true` to show the base colour without light; `None` keeps what the file has.
    pub unlit: Option<bool>,
    /// The textures to change.
    pub textures: Vec<NewTexture>,
}

/// A texture of a material to change.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTexture {
    /// The path in the material, such as `normalTexture`.
    pub path: String,
    /// The image.
    pub image: NewImage,
    /// The set of texture coordinates.
    pub tex_coord: u32,
    /// `magFilter`, `minFilter`, `wrapS` and `wrapT`, by the numbers of glTF.
    pub sampler: [u32; 4],
    /// The offset, the rotation in radians, and the scale of the texture coordinates.
    pub transform: [f32; 5],
}

/// The image of a [`NewTexture`].
#[derive(Debug, Clone, PartialEq)]
pub enum NewImage {
    /// No texture.
    None,
    /// An image of the file.
    Image(usize),
    /// An encoded picture with its MIME type.
    Bytes(Vec<u8>, String),
}

/// Changes materials of a file. Everything else stays as it is, but for animations of what has changed: the page has changed it in
/// place of its clips, so these are removed. Numbers of textures that the material does not have are left out.
///
/// # Errors
/// `export/other-file` if the file has no such material or image.
pub fn export_materials(mut document: Document, list: &[NewMaterial]) -> Result<Document, ToolsError> {
    for new in list {
        if new.material >= document.list("materials").len() {
            return Err(other_file("/materials"));
        }
        for texture in &new.textures {
            put_texture(&mut document, new.material, texture)?;
        }
        for (path, values) in &new.numbers {
            // Such as `normalTexture/scale`: in a file, the number is a part of the texture.
            if path.rsplit_once('/').is_some_and(|(above, _)| {
                above.ends_with("Texture")
                    && document.list("materials")[new.material].pointer(&format!("/{above}")).is_none()
            }) {
                continue;
            }
            let value = match values[..] {
                [value] => json!(value),
                _ => json!(values.clone()),
            };
            set(&mut document, new.material, path, value);
        }
        let numbers = new.numbers.iter().map(|(path, _)| path.clone());
        let parts = ["offset", "rotation", "scale"];
        let transforms = new
            .textures
            .iter()
            .flat_map(|texture| parts.map(|part| format!("{}/extensions/{TRANSFORM}/{part}", texture.path)));
        let changed = numbers.chain(transforms).map(|path| format!("/materials/{}/{path}", new.material));
        remove_channels(&mut document, &changed.collect::<Vec<_>>());
        if let Some(mode) = &new.alpha_mode {
            set(&mut document, new.material, "alphaMode", json!(mode.clone()));
            if mode != "MASK" {
                remove(&mut document, new.material, "alphaCutoff");
            }
        }
        if let Some(on) = new.double_sided {
            set(&mut document, new.material, "doubleSided", json!(on));
        }
        match new.unlit {
            Some(true) => set(&mut document, new.material, &format!("extensions/{UNLIT}"), json!({})),
            Some(false) => {
                remove_below(&mut document.list_mut("materials")[new.material], "extensions", UNLIT);
                let is_used = |material: &Value| material.pointer(&format!("/extensions/{UNLIT}")).is_some();
                if !document.list("materials").iter().any(is_used) {
                    document.undeclare(UNLIT);
                }
            }
            None => {}
        }
    }
    Ok(document)
}

/// Sets a value at a path of a material, and declares the extensions on the path.
fn set(document: &mut Document, material: usize, path: &str, value: Value) {
    let keys: Vec<&str> = path.split('/').collect();
    for pair in keys.windows(2).filter(|pair| pair[0] == "extensions") {
        document.declare(pair[1], false);
    }
    let Some((last, above)) = keys.split_last() else { return };
    let mut at = &mut document.list_mut("materials")[material];
    for key in above {
        let Some(object) = at.as_object_mut() else { return };
        at = object.entry(*key).or_insert_with(|| json!({}));
    }
    if let Some(object) = at.as_object_mut() {
        object.insert((*last).to_owned(), value);
    }
}

fn remove(document: &mut Document, material: usize, path: &str) {
    let (above, last) = path.rsplit_once('/').unwrap_or(("", path));
    let material = &mut document.list_mut("materials")[material];
    let at = if above.is_empty() { Some(material) } else { material.pointer_mut(&format!("/{above}")) };
    if let Some(object) = at.and_then(Value::as_object_mut) {
        object.remove(last);
    }
}

fn put_texture(document: &mut Document, material: usize, new: &NewTexture) -> Result<(), ToolsError> {
    let image = match &new.image {
        NewImage::None => {
            remove(document, material, &new.path);
            return Ok(());
        }
        NewImage::Image(image) if *image >= document.list("images").len() => {
            return Err(other_file("/images"));
        }
        NewImage::Image(image) => *image,
        NewImage::Bytes(bytes, mime) => {
            let view = document.add_view(bytes.clone(), None, None, None);
            document.push("images", json!({ "bufferView": view, "mimeType": mime.clone() }))
        }
    };
    let [mag, min, wrap_s, wrap_t] = new.sampler;
    let sampler = json!({ "magFilter": mag, "minFilter": min, "wrapS": wrap_s, "wrapT": wrap_t });
    let known = document.list("samplers").iter().position(|other| *other == sampler);
    let sampler = known.unwrap_or_else(|| document.push("samplers", sampler));
    // An image of the file may have formats that only extensions name, so its own texture is copied.
    let source = json!(image);
    let like = document.list("textures").iter().find(|texture| {
        let extensions = texture.get("extensions").and_then(Value::as_object);
        let mut sources =
            extensions.into_iter().flat_map(|map| map.iter()).map(|(_, other)| other.get("source"));
        texture.get("source") == Some(&source) || sources.any(|other| other == Some(&source))
    });
    let mut texture = like.cloned().unwrap_or_else(|| json!({ "source": image }));
    if let Some(object) = texture.as_object_mut() {
        object.insert("sampler".to_owned(), json!(sampler));
    }
    let index = document.push("textures", texture);
    set(document, material, &format!("{}/index", new.path), json!(index));
    set(document, material, &format!("{}/texCoord", new.path), json!(new.tex_coord));
    let [x, y, rotation, u, v] = new.transform;
    if new.transform == [0.0, 0.0, 0.0, 1.0, 1.0] {
        remove(document, material, &format!("{}/extensions/{TRANSFORM}", new.path));
    } else {
        let transform = json!({ "offset": [x, y], "rotation": rotation, "scale": [u, v] });
        set(document, material, &format!("{}/extensions/{TRANSFORM}", new.path), transform);
    }
    Ok(())
}
