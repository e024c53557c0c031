//! Import: files that are wrong first, then files that are right, then files at random.

mod accessors;
mod animations;
mod assets;
mod compressed;
mod containers;
mod draco;
mod extensions;
mod layers;
mod linear;
mod meshes;
mod mutations;
mod nodes;
mod pointers;
mod tangents;
