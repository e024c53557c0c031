//! The codes of warnings about parts of a model that USD, or Quick Look, cannot show.

/// An animation of something else than nodes and morph weights is left out.
pub const ANIMATION: &str = "usdz/animation";
/// A camera is left out.
pub const CAMERA: &str = "usdz/camera";
/// Nothing is shown.
pub const EMPTY: &str = "usdz/empty";
/// An image is left out, or is larger than asked.
pub const IMAGE: &str = "usdz/image";
/// A joint cannot be bound as in the file.
pub const JOINT: &str = "usdz/joint";
/// A layer of a material is left out, or simplified.
pub const LAYER: &str = "usdz/layer";
/// A light is left out.
pub const LIGHT: &str = "usdz/light";
/// Offsets of a morph target are left out.
pub const MORPH: &str = "usdz/morph";
/// A filter of a texture is another one.
pub const SAMPLER: &str = "usdz/sampler";
/// Spring bones stay still.
pub const SPRINGS: &str = "usdz/springs";
/// Points or lines are left out.
pub const TOPOLOGY: &str = "usdz/topology";
/// A material without lighting is lit a little.
pub const UNLIT: &str = "usdz/unlit";
/// Colours of vertices are left out.
pub const VERTEX_COLORS: &str = "usdz/vertex-colors";
