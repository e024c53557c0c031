//! The sample characters of gambol, generated: Pip, a fox kit, and others.
//!
//! Nothing here is loaded or downloaded. The shapes are polygonised distance fields, the textures are painted texel by
//! texel, and the clips are written as code. The bytes are the same on every call and every machine.

mod atlas;
mod face;
mod fen;
mod field;
mod glb;
mod lumi;
mod maths;
mod mesher;
mod model;
mod motion;
mod paint;
mod palette;
mod patch;
mod pip;
mod skeleton;
mod weights;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

/// A character: its name, the name of its file, and its generator.
#[derive(Clone, Copy, Debug)]
pub struct Character {
    /// The name, which is also the name of the node of its mesh.
    pub name: &'static str,
    /// The name of its file in the site.
    pub file: &'static str,
    design: fn() -> glb::Design,
    /// The file once it is made: tests ask for it dozens of times.
    made: &'static OnceLock<Vec<u8>>,
}

impl Character {
    /// The character as a binary glTF 2.0 file. The first call takes about a second.
    #[must_use]
    pub fn glb(&self) -> Vec<u8> {
        self.made.get_or_init(|| self.generated()).clone()
    }

    fn generated(&self) -> Vec<u8> {
        (self.design)().write()
    }
}

/// All characters, Pip first.
#[must_use]
pub const fn characters() -> [Character; 3] {
    static MADE: [OnceLock<Vec<u8>>; 3] = [const { OnceLock::new() }; 3];
    let [pip, lumi, fen] = &MADE;
    [
        Character { name: "Pip", file: "sample.glb", design: pip::design, made: pip },
        Character { name: "Lumi", file: "lumi.glb", design: lumi::design, made: lumi },
        Character { name: "Fen", file: "fen.glb", design: fen::design, made: fen },
    ]
}

/// Pip as a binary glTF 2.0 file.
///
/// ```
/// assert_eq!(&gambol_sample::glb()[..4], b"glTF");
/// ```
#[must_use]
pub fn glb() -> Vec<u8> {
    characters()[0].glb()
}
