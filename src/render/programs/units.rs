//! Texture units and binding points of uniform blocks, the same in all programs.

use super::variant::MAX_TEXTURES;

/// The binding point of the uniform block `Frame`.
pub(crate) const FRAME_BLOCK: usize = 0;

/// The binding point of the uniform block `Material`.
pub(crate) const MATERIAL_BLOCK: usize = 1;

/// The texture unit of the palette.
pub(crate) const PALETTE_UNIT: usize = 0;

/// The texture unit of the morph targets.
pub(crate) const MORPH_UNIT: usize = 1;

/// The texture unit of the material's first texture; its other textures follow.
pub(crate) const MATERIAL_UNIT: usize = 2;

/// The texture unit of the backdrop for transmission.
pub(crate) const BACKDROP_UNIT: usize = MATERIAL_UNIT + MAX_TEXTURES;

/// The texture unit of influences that exceed the attributes.
pub(crate) const INFLUENCE_UNIT: usize = 26;

/// The texture unit of an effect's input.
pub(crate) const SOURCE_UNIT: usize = 27;

/// The texture unit of the key light's shadow map, sampled without comparison.
pub(crate) const SHADOW_DEPTH_UNIT: usize = 25;

/// The texture unit of the prefiltered environment.
pub(crate) const ENVIRONMENT_UNIT: usize = 28;

/// The texture unit of the BRDF table.
pub(crate) const BRDF_UNIT: usize = 29;

/// The texture unit of the key light's shadow map, sampled with comparison.
pub(crate) const SHADOW_UNIT: usize = 30;

/// The texels per row: a power of two that every WebGL2 implementation supports.
pub(crate) const PALETTE_WIDTH: usize = 1024;
