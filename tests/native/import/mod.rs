//! Import: invalid files, then valid files, then random files.

mod accessors;
mod animations;
mod assets;
mod compressed;
mod containers;
mod distance;
mod draco;
mod extensions;
mod first_person;
mod handlers;
mod image_lights;
mod layers;
mod linear;
mod meshes;
mod mutations;
mod nodes;
mod outside;
mod pointers;
mod springs;
mod tangents;
mod tracks;
