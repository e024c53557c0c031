//! USDZ, the format of Quick Look: meshes, UsdSkel, one clip, materials and images.
//!
//! The layer is text (`.usda`): its numbers are exact, and any reader of USD takes it. See docs/design/exports.md.

mod archive;
mod bundles;
pub mod codes;
mod images;
mod materials;
mod mesh;
mod motion;
mod names;
mod scene;
mod shear;
mod skeleton;
mod text;

use crate::error::{ToolsError, codes as errors};
use archive::archive;
use gambol::import::{Resolver, Warning, import};
use gambol::model::{ClipId, Model, VariantId};
use gambol_gltf::log::Log;
use images::Images;

/// The part of a model that becomes USDZ.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UsdzOptions {
    /// The clip that plays; `None` for the rest pose.
    pub clip: Option<ClipId>,
    /// The variant of the materials; `None` for the materials without one.
    pub variant: Option<VariantId>,
    /// The largest width and height of an image; `None` for any.
    pub max_texture_size: Option<u32>,
}

/// A USDZ file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usdz {
    /// The archive: the layer first, then the images.
    pub bytes: Vec<u8>,
    /// The parts of the model that USD cannot show, with [`usdz_codes`](self::codes), and repairs of the import.
    pub warnings: Vec<Warning>,
}

/// Writes a model as USDZ, in two steps: the caller may encode [`UsdzExporter::pending`] images before [`UsdzExporter::finish`].
#[derive(Debug)]
pub struct UsdzExporter {
    model: Model,
    warnings: Vec<Warning>,
    options: UsdzOptions,
    images: Images,
}

impl UsdzExporter {
    /// Imports a file.
    ///
    /// - `choose`: the options, from the model of the file.
    ///
    /// # Errors
    /// Those of [`import`] and of `choose`; [`errors::CLIP_NOT_FOUND`] and [`errors::OPTION`] for options out of range.
    pub fn new(
        bytes: &[u8],
        files: &mut dyn Resolver,
        choose: impl FnOnce(&Model) -> Result<UsdzOptions, ToolsError>,
    ) -> Result<Self, ToolsError> {
        let imported = import(bytes, files)?;
        let options = choose(&imported.model)?;
        let model = imported.model;
        check(&model, &options)?;
        let mut images = Images::default();
        for texture in scene::textures(&model, options.variant) {
            images.add(&model, texture, files);
        }
        Ok(Self { model, warnings: imported.warnings, options, images })
    }

    /// The indices of images that must be encoded as PNG or JPEG: those of other formats, which are left out otherwise, and
    /// those that are too large, which are written as they are otherwise.
    pub fn pending(&self) -> Vec<usize> {
        self.images.pending(self.options.max_texture_size)
    }

    /// The bytes of an image of the file; empty if it is not used.
    pub fn image(&self, index: usize) -> &[u8] {
        self.images.bytes(index)
    }

    /// Replaces an image by a PNG or a JPEG.
    pub fn provide(&mut self, index: usize, bytes: Vec<u8>) {
        self.images.replace(index, bytes);
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`errors::TOO_LARGE`] if the file would be too large for its format, or for memory.
    pub fn finish(self, name: &str) -> Result<Usdz, ToolsError> {
        let Self { model, mut warnings, options, images } = self;
        let mut log = Log::default();
        images.warn(options.max_texture_size, &mut log);
        let layer = scene::layer(&model, &options, &images, name, &mut log)?;
        let mut files = vec![("model.usda".to_owned(), layer.as_bytes())];
        files.extend(images.files());
        let bytes = archive(&files).ok_or_else(too_large)?;
        warnings.extend(log.into_warnings());
        Ok(Usdz { bytes, warnings })
    }
}

fn check(model: &Model, options: &UsdzOptions) -> Result<(), ToolsError> {
    if let Some(clip) = options.clip.filter(|clip| clip.index() >= model.clips.len()) {
        let message = format!("The file has no clip {}; the count is {}.", clip.index(), model.clips.len());
        return Err(ToolsError::new(errors::CLIP_NOT_FOUND, "/animations", message));
    }
    if let Some(variant) = options.variant.filter(|variant| variant.index() >= model.variants.len()) {
        let count = model.variants.len();
        let message = format!("The file has no variant {}; the count is {count}.", variant.index());
        return Err(ToolsError::new(errors::OPTION, "", message));
    }
    if options.max_texture_size == Some(0) {
        return Err(ToolsError::new(errors::OPTION, "", "The size of textures must be at least 1."));
    }
    Ok(())
}

fn too_large() -> ToolsError {
    let message = "The model is too large for USDZ. Make it smaller with optimize(), or use fewer instances.";
    ToolsError::new(errors::TOO_LARGE, "", message)
}
