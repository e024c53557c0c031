//! glTF 2.0: `.glb` and `.gltf`.
//!
//! The constants and indices of the JSON are those of the `gltf` crate. Its readers and its validation are not used: they
//! reject valid files and panic on invalid ones. Elements are read with `gambol_gltf::place`.

mod accessor;
mod animation_pointers;
pub(crate) mod animations;
mod build;
mod cameras;
mod compressed;
mod distance;
pub(crate) mod document;
pub(crate) mod draco_primitives;
mod elements;
mod extensions;
pub(crate) mod image_lights;
mod indices;
mod influences;
pub(crate) mod instances;
mod lenient;
mod material_extensions;
mod materials;
pub(crate) mod meshes;
mod nodes;
mod schema;
mod skins;
pub(crate) mod spring_bones;
mod tangents;
mod tracks;
pub(crate) mod unfinished;
pub(crate) mod vrm;

pub use document::{Document, Request};
pub use tracks::{Track, TrackError, TrackTarget, clip_from_tracks};
pub use unfinished::Unfinished;
