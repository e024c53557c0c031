//! Light: the environment and its prefiltering, punctual lights, the shadow area.

mod brdf_table;
mod environment;
mod lighting;
mod panorama_texture;
pub(crate) mod prefilter;
mod punctual;
mod shadow_area;
mod uneven_ground;
pub(crate) use panorama_texture::Picture;
pub(crate) use punctual::LIGHT_FLOATS;
pub(crate) use shadow_area::KEY_SIZE;

pub use environment::Environment;
pub(crate) use environment::Environments;
pub use lighting::{Lighting, ToneMapping};
pub use punctual::{MAX_LIGHTS, PunctualLight};
pub use shadow_area::ShadowArea;
pub(crate) use shadow_area::ShadowView;
pub use uneven_ground::UnevenGround;
