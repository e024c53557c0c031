//! The contents of a file: immutable data for all other modules.
//!
//! A [`Model`] is validated on import, so no other code needs to check it:
//! - Every id is in range.
//! - Parents come before their children.
//! - Every vertex index is below its vertex count.
//! - The joint weights of a vertex have the sum 1.
//! - Key times increase strictly.
//! - Every number is finite.

mod camera;
mod clip;
pub mod cube;
mod deltas;
mod expressions;
mod figure;
mod humanoid;
mod ids;
mod image_light;
mod light;
mod material;
mod material_extensions;
mod material_lookup;
mod material_state;
mod material_table;
mod mesh;
mod morphs;
mod node;
mod palette_layout;
mod panorama;
mod properties;
mod property_layout;
mod property_pointers;
mod root;
mod skin;
mod springs;
mod states;
mod texture;

pub use crate::base::{REACH, Transform};
pub use camera::{Camera, Projection};
pub use clip::{Channel, Clip, Curve, CurveError, Interpolation, Marker, Path, PropertyChannel};
pub use deltas::Deltas;
pub use expressions::{ExpressionKind, FaceExpression};
pub use humanoid::{Expression, ExpressionOverride, HumanBone, Humanoid, MorphBind, VrmVersion};
pub use ids::{CameraId, ClipId, ImageId, LightId, MaterialId, MeshId, NodeId, SkinId, TextureId, VariantId};
pub use image_light::{ImageLight, ImageLights};
pub use light::{Light, LightKind};
pub use material::{AlphaMode, Material};
pub use material_extensions::Layers;
pub use material_state::{MaterialState, Picture, ShownTexture};
pub use material_table::{
    Encoding, GLOSSY_NUMBERS, GLOSSY_TEXTURES, LAYERS, Layer, LayerRow, Limit, MaterialProperty, NUMBERS,
    NumberRow, Shown, TEXTURES, Texel, TextureRow, TextureSlot, TransformProperty, remove_unseen,
};
pub use mesh::{Influences, Mesh, MeshLevel, MorphTarget, Primitive, Topology};
pub use morphs::Morph;
pub use node::{Node, Scene};
pub use palette_layout::{Drawable, PaletteLayout, SIDE_BY_SIDE, Slot, side_by_side};
pub use panorama::{Harmonics, KeyLight, Panorama, PanoramaBuilder};
pub use panorama::{packed, unpacked};
pub use properties::{CameraProperty, LightProperty, Property};
pub use property_layout::PropertyLayout;
pub use root::Model;
pub use skin::Skin;
pub use springs::{SpringBones, SpringCenter, SpringChain, SpringCollider, SpringJoint, branches};
pub use states::{
    Comparison, Condition, ConditionTest, ExitTime, InputValue, Interruption, Motion, State, StateGraph,
    StateInput, StateLayer, StateMachine, StatePlaying, StateRepeat, StateTransition, TransitionMode,
};
pub use texture::{
    Filter, Image, ImageData, MipFilter, NormalTexture, OcclusionTexture, Texture, TextureCell, TextureRef,
    TextureSampler, TextureTransform, Wrap,
};
