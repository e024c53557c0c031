//! The doctor: each rule with a bad file and a good one, whose numbers are computed here by other means.

mod bvh;
mod corpus;
mod file;
mod keys;
mod loops;
mod motion;
mod other_tools;
mod rotations;
mod skins;
mod textures;
