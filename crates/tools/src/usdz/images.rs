//! Images: those that materials show, and the files of the archive.

use super::codes;
use super::names::Names;
use gambol::import::Resolver;
use gambol::model::{ImageData, Model, TextureId};
use gambol_gltf::log::Log;
use std::collections::BTreeMap;

/// The images of a model that are written.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// By the index of the image of the file.
    found: BTreeMap<usize, Image>,
    names: Names,
}

/// An image.
#[derive(Debug)]
struct Image {
    bytes: Vec<u8>,
    /// The name without its ending.
    name: String,
}

/// The ending of a file that USDZ allows, by the first bytes.
fn ending(bytes: &[u8]) -> Option<&'static str> {
    let begins = |start: &[u8]| bytes.starts_with(start);
    let known = [(begins(b"\x89PNG\r\n\x1a\n"), "png"), (begins(b"\xff\xd8\xff"), "jpg")];
    known.into_iter().find_map(|(is, ending)| is.then_some(ending))
}

impl Images {
    /// Adds the image of a texture, if its bytes are there.
    pub(super) fn add(&mut self, model: &Model, texture: TextureId, files: &mut dyn Resolver) {
        let Some(first) = model.textures[texture.index()].image else { return };
        // A texture of another format may have a plain image beside it.
        let fallback = model.images[first.index()].fallback;
        for id in [Some(first), fallback].into_iter().flatten() {
            let image = &model.images[id.index()];
            if self.found.contains_key(&id.index()) {
                continue;
            }
            let bytes = match &image.data {
                ImageData::Embedded(bytes) => Some(bytes.clone()),
                ImageData::External(uri) => files.read(uri).ok(),
                ImageData::Outside { .. } => None,
            };
            let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else { continue };
            let name = self.names.unique(&image.name, "image");
            let is_known = ending(&bytes).is_some();
            self.found.insert(id.index(), Image { bytes, name });
            if is_known {
                break;
            }
        }
    }

    /// The images that must be encoded again: those that are neither PNG nor JPEG, and those that are larger than `most` pixels.
    pub(super) fn pending(&self, most: Option<u32>) -> Vec<usize> {
        let is_pending = |image: &Image| ending(&image.bytes).is_none() || is_larger(&image.bytes, most);
        self.found.iter().filter(|(_, image)| is_pending(image)).map(|(&index, _)| index).collect()
    }

    /// The bytes of an image; empty if there is none.
    pub(super) fn bytes(&self, index: usize) -> &[u8] {
        self.found.get(&index).map_or(&[], |image| &image.bytes)
    }

    /// Replaces an image.
    pub(super) fn replace(&mut self, index: usize, bytes: Vec<u8>) {
        if let Some(image) = self.found.get_mut(&index) {
            image.bytes = bytes;
        }
    }

    /// The path of a texture's image in the archive.
    pub(super) fn path(&self, model: &Model, texture: TextureId) -> Option<String> {
        let first = model.textures[texture.index()].image?;
        let written = |index: usize| self.found.get(&index)?.path();
        written(first.index()).or_else(|| written(model.images[first.index()].fallback?.index()))
    }

    /// The files of the archive.
    pub(super) fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.found.values().filter_map(|image| Some((image.path()?, &*image.bytes)))
    }

    /// Warns about images that are still too large.
    pub(super) fn warn(&self, most: Option<u32>, log: &mut Log) {
        for (index, image) in &self.found {
            if ending(&image.bytes).is_some() && is_larger(&image.bytes, most) {
                let message = "The image is larger than asked; it is written as it is";
                log.warn(codes::IMAGE, format_args!("/images/{index}"), message);
            }
        }
    }
}

impl Image {
    fn path(&self) -> Option<String> {
        Some(format!("textures/{}.{}", self.name, ending(&self.bytes)?))
    }
}

fn is_larger(bytes: &[u8], most: Option<u32>) -> bool {
    let size = imagesize::blob_size(bytes).ok();
    most.zip(size).is_some_and(|(most, size)| size.width.max(size.height) > most as usize)
}
