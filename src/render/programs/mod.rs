//! Programs: shader sources, the variants of the mesh program, effects.

mod effect;
mod mesh_program;
pub(crate) mod source;
mod units;
mod variant;

pub(crate) use effect::{Effect, EffectRequest, LazyEffect};
pub(crate) use mesh_program::{MeshProgram, Programs};
pub(crate) use units::{
    BACKDROP_UNIT, BRDF_UNIT, ENVIRONMENT_UNIT, FRAME_BLOCK, INFLUENCE_UNIT, MATERIAL_BLOCK, MATERIAL_UNIT,
    MORPH_UNIT, PALETTE_UNIT, PALETTE_WIDTH, SHADOW_DEPTH_UNIT, SHADOW_UNIT, SOURCE_UNIT,
};
pub(crate) use variant::{
    Alpha, DebugParts, MANY_SKIN_SETS, MAX_SKIN_SETS, MESH_VIEWS, MorphParts, Placement, Unlit, Variant,
    deformed_variant, max_uv_sets, used_slots,
};
