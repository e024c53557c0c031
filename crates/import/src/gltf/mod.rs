//! glTF 2.0: `.glb` and `.gltf`.
//!
//! The constants and indices of the JSON are those of the `gltf` crate. Its readers and its validation are not used: they
//! reject valid files and panic on invalid ones. Elements are read with `gambol_gltf::place`.

mod accessor;
mod animation_pointers;
mod animations;
mod build;
mod cameras;
mod compressed;
mod distance;
mod document;
mod draco_primitives;
mod elements;
mod extensions;
mod indices;
mod influences;
mod instances;
mod lenient;
mod material_extensions;
mod materials;
mod meshes;
mod nodes;
mod schema;
mod skins;
mod spring_bones;
mod tangents;
mod unfinished;
mod vrm;

pub use document::{Document, Request};
pub use unfinished::Unfinished;

/// The deferred lists of this module; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn gambol_animation::base::DeferredList; 7] = [
    &animations::DEFERRED,
    &document::DEFERRED,
    &draco_primitives::DEFERRED,
    &instances::DEFERRED,
    &spring_bones::DEFERRED,
    &unfinished::DEFERRED,
    &vrm::DEFERRED,
];
