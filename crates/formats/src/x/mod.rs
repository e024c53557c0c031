//! DirectX .x files: text or binary, plain or compressed.
//!
//! The coordinates of DirectX are left-handed, so Z changes its sign. A file has no unit of length; one is taken for a
//! metre.

mod animations;
mod container;
mod data;
mod frames;
mod kind;
mod lexer;
mod materials;
mod matrix;
mod meshes;
mod objects;
mod packed;
mod skins;
mod templates;
#[cfg(test)]
mod tests;
mod values;

use crate::conversion::Conversion;
use crate::error::{FormatError, codes};
use crate::scene::Scene;
use lexer::Fault;
use objects::File;

/// Reads a file.
pub(crate) fn read(bytes: &[u8], conversion: &Conversion<'_>) -> Result<Scene, FormatError> {
    let source = container::open(bytes, conversion)?;
    let file = File::read(&source, conversion)?;
    let unit = conversion.metres_per_unit().unwrap_or(1.0);
    let mut scene = Scene::default();
    let tree = frames::read(&file, unit, &mut scene)?;
    animations::read(&file, &tree, unit, &mut scene)?;
    meshes::read(&file, &tree, unit, &mut scene)?;
    if scene.nodes.is_empty() {
        let message = "The file has neither frames nor meshes".to_owned();
        return Err(file.error(Fault { code: codes::X_EMPTY, message, at: container::HEADER }, None));
    }
    Ok(scene)
}
