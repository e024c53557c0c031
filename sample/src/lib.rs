//! The sample character of gambol: Pip, a fox kit, generated.
//!
//! Nothing here is loaded or downloaded. The shape is a polygonised distance field, the texture is painted texel by
//! texel, and the clips are written as code. [`glb()`] returns the same bytes on every call and every machine.

mod atlas;
mod face;
mod glb;
mod maths;
mod mesher;
mod model;
mod motion;
mod shape;
mod skeleton;
mod texture;
mod weights;

#[cfg(test)]
mod tests;

/// Pip as a binary glTF 2.0 file: one skin, 36 joints, three morph targets, six clips.
///
/// ```
/// assert_eq!(&gambol_sample::glb()[..4], b"glTF");
/// ```
#[must_use]
pub fn glb() -> Vec<u8> {
    glb::write(&model::Model::new(), &motion::tracks())
}
