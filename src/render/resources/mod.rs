//! Models on the GPU: vertices, morph targets, textures, materials, palettes, and their upload.

mod anchor;
mod compressed;
pub(crate) mod geometry;
mod gpu_model;
mod images;
mod influences;
pub(crate) mod material;
mod morph;
mod own_material;
mod palette;
mod pixels;
mod samplers;
mod upload;
mod uv_sets;

pub use compressed::CompressedImage;
pub use geometry::DeformedPrimitive;
pub(crate) use geometry::{Contents, Geometry, INFLUENCE_LIMIT, skin_sets, write_deformed};
pub use gpu_model::ModelHandle;
pub(crate) use gpu_model::{GpuModel, Look, MeshDraw, Part};
pub(crate) use images::Placeholders;
pub(crate) use material::{GpuMaterial, MATERIAL_SIZE};
pub use own_material::{MaterialUse, MaterialVersion, OwnMaterial, PictureTexture};
pub(crate) use palette::{Palette, palette_limit};
pub use pixels::Pixels;
pub(crate) use samplers::Samplers;
pub(crate) use upload::Upload;
