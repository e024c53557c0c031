//! What a file holds: immutable data that every other module reads.
//!
//! A [`Model`] is checked when it is imported, so that nobody checks it again:
//! every id is in range, parents come before their children, every vertex index is
//! below its vertex count, joint weights sum to 1, key times increase strictly and
//! every number is finite.

mod camera;
mod clip;
mod deltas;
mod ids;
mod light;
mod material;
mod material_extensions;
mod mesh;
mod node;
mod palette_layout;
mod panorama;
mod properties;
mod property_layout;
mod root;
mod skin;
mod texture;

pub use crate::base::{REACH, Transform};
pub use camera::{Camera, Projection};
pub use clip::{Channel, Clip, Curve, CurveError, Interpolation, Marker, Path, PropertyChannel};
pub use deltas::Deltas;
pub use ids::{CameraId, ClipId, ImageId, LightId, MaterialId, MeshId, NodeId, SkinId, TextureId, VariantId};
pub use light::{Light, LightKind};
pub use material::{AlphaMode, Material};
pub use material_extensions::{
    Anisotropy, Clearcoat, Iridescence, Layers, Sheen, Specular, SpecularGlossiness, Transmission, Volume,
};
pub use mesh::{Influences, Mesh, MorphTarget, Primitive, Topology};
pub use node::{Node, Scene};
pub use palette_layout::{Drawable, PaletteLayout, SIDE_BY_SIDE, Slot, side_by_side};
pub use panorama::{Harmonics, KeyLight, Panorama, PanoramaBuilder};
#[cfg(feature = "web")]
pub(crate) use panorama::{packed, unpacked};
pub use properties::{CameraProperty, LightProperty, MaterialProperty, Property, TransformProperty};
pub use property_layout::PropertyLayout;
pub use root::Model;
pub use skin::Skin;
pub use texture::{
    Filter, Image, ImageData, MipFilter, NormalTexture, OcclusionTexture, Texture, TextureRef,
    TextureSampler, TextureSlot, TextureTransform, Wrap,
};

/// The lists of this room; see `base/deferred.rs`.
#[cfg(feature = "split")]
pub(crate) static DEFERRED_LISTS: [&dyn crate::base::DeferredList; 1] = [&panorama::DEFERRED];
