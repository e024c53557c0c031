//! glTF 2.0: `.glb` and `.gltf`.
//!
//! The `gltf` crate gives the types of the elements. Its readers and its validation stay unused: they refuse legal
//! files and panic on broken ones.

mod accessor;
mod animation_pointers;
mod animations;
mod build;
mod cameras;
mod compressed;
mod document;
mod draco_primitives;
mod elements;
mod extensions;
mod glb;
mod indices;
mod influences;
mod instances;
mod material_extensions;
mod materials;
mod meshes;
mod nodes;
mod schema;
mod skins;
mod tangents;
mod unfinished;

pub use document::{Document, Request};
pub use unfinished::Unfinished;

/// The lists of this room; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 5] = [
    &animations::DEFERRED,
    &document::DEFERRED,
    &draco_primitives::DEFERRED,
    &instances::DEFERRED,
    &unfinished::DEFERRED,
];
