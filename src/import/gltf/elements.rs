//! The elements of the JSON → the types of the `gltf` crate, with a pointer for what is wrong.
//!
//! The crate can read its types with `serde`, which costs more code than the rest of the import, and does not say where
//! a fault is.

use super::json::NOWHERE;
use crate::import::json::Value;
use ::gltf::json;
use json::accessor::{self, ComponentType, GenericComponentType, IndexComponentType, Type};
use json::animation::Interpolation;
use json::material::{self, AlphaMode, PbrMetallicRoughness};
use json::mesh::{Mode, Semantic};
use json::texture::{MagFilter, MinFilter, WrappingMode};
use json::validation::{Checked, USize64};
use json::{Index, buffer, camera, image, mesh, scene, texture};
use std::collections::BTreeMap;

/// What is wrong with an element.
pub(super) struct Wrong {
    /// Where, within the element.
    pub(super) pointer: String,
    pub(super) reason: String,
}

impl Wrong {
    fn new<T>(reason: &str) -> Result<T, Self> {
        Err(Self { pointer: String::new(), reason: reason.to_owned() })
    }

    fn below(mut self, key: &str) -> Self {
        self.pointer = format!("/{}{}", key.replace('~', "~0").replace('/', "~1"), self.pointer);
        self
    }
}

/// What can be read from a value of the JSON.
pub(super) trait Element: Sized {
    fn read(value: &Value) -> Result<Self, Wrong>;
}

/// A member that need not be there.
fn maybe<T: Element>(object: &Value, key: &str) -> Result<Option<T>, Wrong> {
    object.get(key).map(T::read).transpose().map_err(|wrong| wrong.below(key))
}

fn needed<T: Element>(object: &Value, key: &str) -> Result<T, Wrong> {
    match maybe(object, key)? {
        Some(value) => Ok(value),
        None if object.as_object().is_none() => Wrong::new("this is not an object"),
        None => Wrong::new(&format!("missing field `{key}`")),
    }
}

/// Refuses what is no object, for elements all of whose members may be missing.
fn check_object(value: &Value) -> Result<(), Wrong> {
    value.as_object().map_or_else(|| Wrong::new("this is not an object"), |_| Ok(()))
}

impl Element for String {
    fn read(value: &Value) -> Result<Self, Wrong> {
        value.as_str().map_or_else(|| Wrong::new("this is not a string"), |text| Ok(text.to_owned()))
    }
}

impl Element for bool {
    fn read(value: &Value) -> Result<Self, Wrong> {
        if let Value::Bool(flag) = value { Ok(*flag) } else { Wrong::new("this is neither true nor false") }
    }
}

impl Element for u64 {
    fn read(value: &Value) -> Result<Self, Wrong> {
        value.as_u64().map_or_else(|| Wrong::new("this is not a whole number"), Ok)
    }
}

impl Element for u32 {
    /// An index beyond 32 bits must not become a small one.
    fn read(value: &Value) -> Result<Self, Wrong> {
        u64::read(value).map(|number| u32::try_from(number).unwrap_or(NOWHERE))
    }
}

impl Element for USize64 {
    fn read(value: &Value) -> Result<Self, Wrong> {
        u64::read(value).map(Self)
    }
}

impl<T> Element for Index<T> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        u32::read(value).map(Self::new)
    }
}

impl Element for f32 {
    /// Perhaps infinite.
    fn read(value: &Value) -> Result<Self, Wrong> {
        value.as_f64().map_or_else(|| Wrong::new("this is not a number"), |number| Ok(number as f32))
    }
}

impl<const N: usize> Element for [f32; N] {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let numbers = Vec::read(value)?;
        numbers.try_into().or_else(|_| Wrong::new(&format!("these are not {N} numbers")))
    }
}

impl<T: Element> Element for Vec<T> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let Some(elements) = value.as_array() else { return Wrong::new("this is not an array") };
        let read = |(i, value): (usize, &Value)| T::read(value).map_err(|wrong| wrong.below(&i.to_string()));
        elements.iter().enumerate().map(read).collect()
    }
}

/// One of the words that the specification lists; others are [`Checked::Invalid`].
fn word<T: Copy>(value: &Value, all: &[(&str, T)]) -> Result<Checked<T>, Wrong> {
    let Some(word) = value.as_str() else { return Wrong::new("this is not a string") };
    let found = all.iter().find(|(name, _)| *name == word);
    Ok(found.map_or(Checked::Invalid, |(_, meaning)| Checked::Valid(*meaning)))
}

/// One of the numbers that the specification lists, those of OpenGL; others are [`Checked::Invalid`].
fn number<T: Copy>(value: &Value, all: &[(u32, T)]) -> Result<Checked<T>, Wrong> {
    let number = u32::read(value)?;
    let found = all.iter().find(|(name, _)| *name == number);
    Ok(found.map_or(Checked::Invalid, |(_, meaning)| Checked::Valid(*meaning)))
}

const COMPONENT_TYPES: [(u32, ComponentType); 6] = [
    (accessor::BYTE, ComponentType::I8),
    (accessor::UNSIGNED_BYTE, ComponentType::U8),
    (accessor::SHORT, ComponentType::I16),
    (accessor::UNSIGNED_SHORT, ComponentType::U16),
    (accessor::UNSIGNED_INT, ComponentType::U32),
    (accessor::FLOAT, ComponentType::F32),
];

impl Element for Checked<GenericComponentType> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(match number(value, &COMPONENT_TYPES)? {
            Checked::Valid(component) => Self::Valid(GenericComponentType(component)),
            Checked::Invalid => Self::Invalid,
        })
    }
}

impl Element for Checked<IndexComponentType> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        use ComponentType::{U8, U16, U32};
        Ok(match number(value, &COMPONENT_TYPES)? {
            Checked::Valid(component @ (U8 | U16 | U32)) => Self::Valid(IndexComponentType(component)),
            _ => Self::Invalid,
        })
    }
}

impl Element for Checked<Type> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let all = [
            ("SCALAR", Type::Scalar),
            ("VEC2", Type::Vec2),
            ("VEC3", Type::Vec3),
            ("VEC4", Type::Vec4),
            ("MAT2", Type::Mat2),
            ("MAT3", Type::Mat3),
            ("MAT4", Type::Mat4),
        ];
        word(value, &all)
    }
}

impl Element for json::Accessor {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            buffer_view: maybe(value, "bufferView")?,
            byte_offset: maybe(value, "byteOffset")?,
            count: needed(value, "count")?,
            component_type: needed(value, "componentType")?,
            type_: needed(value, "type")?,
            normalized: maybe(value, "normalized")?.unwrap_or_default(),
            sparse: maybe(value, "sparse")?,
            // What they say is not believed, so it is not read.
            min: None,
            max: None,
            name: None,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for accessor::sparse::Sparse {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            count: needed(value, "count")?,
            indices: needed(value, "indices")?,
            values: needed(value, "values")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for accessor::sparse::Indices {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            buffer_view: needed(value, "bufferView")?,
            byte_offset: maybe(value, "byteOffset")?.unwrap_or_default(),
            component_type: needed(value, "componentType")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for accessor::sparse::Values {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            buffer_view: needed(value, "bufferView")?,
            byte_offset: maybe(value, "byteOffset")?.unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for json::animation::Sampler {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            input: needed(value, "input")?,
            interpolation: maybe(value, "interpolation")?.unwrap_or_default(),
            output: needed(value, "output")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for Checked<Interpolation> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let all = [
            ("LINEAR", Interpolation::Linear),
            ("STEP", Interpolation::Step),
            ("CUBICSPLINE", Interpolation::CubicSpline),
        ];
        word(value, &all)
    }
}

impl Element for json::Buffer {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        Ok(Self {
            byte_length: maybe(value, "byteLength")?.unwrap_or_default(),
            name: None,
            uri: maybe(value, "uri")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for buffer::View {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            buffer: needed(value, "buffer")?,
            byte_length: needed(value, "byteLength")?,
            byte_offset: maybe(value, "byteOffset")?,
            byte_stride: maybe(value, "byteStride")?,
            name: None,
            target: None,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for buffer::Stride {
    fn read(value: &Value) -> Result<Self, Wrong> {
        u64::read(value).map(|stride| Self(usize::try_from(stride).unwrap_or(usize::MAX)))
    }
}

impl Element for json::Camera {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            name: maybe(value, "name")?,
            orthographic: maybe(value, "orthographic")?,
            perspective: maybe(value, "perspective")?,
            type_: needed(value, "type")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for Checked<camera::Type> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        word(
            value,
            &[("perspective", camera::Type::Perspective), ("orthographic", camera::Type::Orthographic)],
        )
    }
}

impl Element for camera::Orthographic {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            xmag: needed(value, "xmag")?,
            ymag: needed(value, "ymag")?,
            zfar: needed(value, "zfar")?,
            znear: needed(value, "znear")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for camera::Perspective {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            aspect_ratio: maybe(value, "aspectRatio")?,
            yfov: needed(value, "yfov")?,
            zfar: maybe(value, "zfar")?,
            znear: needed(value, "znear")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for json::Image {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        Ok(Self {
            buffer_view: maybe(value, "bufferView")?,
            mime_type: maybe(value, "mimeType")?.map(image::MimeType),
            name: maybe(value, "name")?,
            uri: maybe(value, "uri")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for json::Material {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        Ok(Self {
            alpha_cutoff: maybe(value, "alphaCutoff")?.map(material::AlphaCutoff),
            alpha_mode: maybe(value, "alphaMode")?.unwrap_or_default(),
            double_sided: maybe(value, "doubleSided")?.unwrap_or_default(),
            name: maybe(value, "name")?,
            pbr_metallic_roughness: maybe(value, "pbrMetallicRoughness")?.unwrap_or_default(),
            normal_texture: maybe(value, "normalTexture")?,
            occlusion_texture: maybe(value, "occlusionTexture")?,
            emissive_texture: maybe(value, "emissiveTexture")?,
            emissive_factor: material::EmissiveFactor(maybe(value, "emissiveFactor")?.unwrap_or_default()),
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for Checked<AlphaMode> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        word(value, &[("OPAQUE", AlphaMode::Opaque), ("MASK", AlphaMode::Mask), ("BLEND", AlphaMode::Blend)])
    }
}

impl Element for PbrMetallicRoughness {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        let factor = |key| maybe(value, key).map(|factor| material::StrengthFactor(factor.unwrap_or(1.0)));
        let base_color = maybe(value, "baseColorFactor")?;
        Ok(Self {
            base_color_factor: material::PbrBaseColorFactor(base_color.unwrap_or([1.0; 4])),
            base_color_texture: maybe(value, "baseColorTexture")?,
            metallic_factor: factor("metallicFactor")?,
            roughness_factor: factor("roughnessFactor")?,
            metallic_roughness_texture: maybe(value, "metallicRoughnessTexture")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for material::NormalTexture {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            index: needed(value, "index")?,
            scale: maybe(value, "scale")?.unwrap_or(1.0),
            tex_coord: maybe(value, "texCoord")?.unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for material::OcclusionTexture {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            index: needed(value, "index")?,
            strength: material::StrengthFactor(maybe(value, "strength")?.unwrap_or(1.0)),
            tex_coord: maybe(value, "texCoord")?.unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for texture::Info {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            index: needed(value, "index")?,
            tex_coord: maybe(value, "texCoord")?.unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for json::Texture {
    /// With the source that a file states for everybody.
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        Ok(Self {
            name: None,
            sampler: maybe(value, "sampler")?,
            source: maybe(value, "source")?.unwrap_or(Index::new(NOWHERE)),
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for texture::Sampler {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        Ok(Self {
            mag_filter: maybe(value, "magFilter")?,
            min_filter: maybe(value, "minFilter")?,
            name: None,
            wrap_s: maybe(value, "wrapS")?.unwrap_or(Checked::Valid(WrappingMode::Repeat)),
            wrap_t: maybe(value, "wrapT")?.unwrap_or(Checked::Valid(WrappingMode::Repeat)),
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for Checked<MagFilter> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        number(value, &[(texture::NEAREST, MagFilter::Nearest), (texture::LINEAR, MagFilter::Linear)])
    }
}

impl Element for Checked<MinFilter> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let all = [
            (texture::NEAREST, MinFilter::Nearest),
            (texture::LINEAR, MinFilter::Linear),
            (texture::NEAREST_MIPMAP_NEAREST, MinFilter::NearestMipmapNearest),
            (texture::LINEAR_MIPMAP_NEAREST, MinFilter::LinearMipmapNearest),
            (texture::NEAREST_MIPMAP_LINEAR, MinFilter::NearestMipmapLinear),
            (texture::LINEAR_MIPMAP_LINEAR, MinFilter::LinearMipmapLinear),
        ];
        number(value, &all)
    }
}

impl Element for Checked<WrappingMode> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let all = [
            (texture::CLAMP_TO_EDGE, WrappingMode::ClampToEdge),
            (texture::MIRRORED_REPEAT, WrappingMode::MirroredRepeat),
            (texture::REPEAT, WrappingMode::Repeat),
        ];
        number(value, &all)
    }
}

impl Element for json::Mesh {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            name: maybe(value, "name")?,
            primitives: needed(value, "primitives")?,
            weights: maybe(value, "weights")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for mesh::Primitive {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let Attributes(attributes) = needed(value, "attributes")?;
        Ok(Self {
            attributes,
            indices: maybe(value, "indices")?,
            material: maybe(value, "material")?,
            mode: maybe(value, "mode")?.unwrap_or_default(),
            targets: maybe(value, "targets")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

/// The accessors of a primitive, by what they mean.
struct Attributes(BTreeMap<Checked<Semantic>, Index<json::Accessor>>);

impl Element for Attributes {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        let mut attributes = BTreeMap::new();
        for (name, value) in value.as_object().unwrap_or_default() {
            if *value != Value::Null {
                let accessor = Index::read(value).map_err(|wrong| wrong.below(name))?;
                attributes.insert(semantic(name), accessor);
            }
        }
        Ok(Self(attributes))
    }
}

fn semantic(name: &str) -> Checked<Semantic> {
    let of_set: fn(u32) -> Semantic = match name.split_once('_') {
        Some(("COLOR", _)) => Semantic::Colors,
        Some(("TEXCOORD", _)) => Semantic::TexCoords,
        Some(("JOINTS", _)) => Semantic::Joints,
        Some(("WEIGHTS", _)) => Semantic::Weights,
        _ => {
            return match name {
                "POSITION" => Checked::Valid(Semantic::Positions),
                "NORMAL" => Checked::Valid(Semantic::Normals),
                "TANGENT" => Checked::Valid(Semantic::Tangents),
                _ => Checked::Invalid,
            };
        }
    };
    let set = name.split_once('_').and_then(|(_, set)| set.parse().ok());
    set.map_or(Checked::Invalid, |set| Checked::Valid(of_set(set)))
}

impl Element for Checked<Mode> {
    fn read(value: &Value) -> Result<Self, Wrong> {
        let all = [
            (mesh::POINTS, Mode::Points),
            (mesh::LINES, Mode::Lines),
            (mesh::LINE_LOOP, Mode::LineLoop),
            (mesh::LINE_STRIP, Mode::LineStrip),
            (mesh::TRIANGLES, Mode::Triangles),
            (mesh::TRIANGLE_STRIP, Mode::TriangleStrip),
            (mesh::TRIANGLE_FAN, Mode::TriangleFan),
        ];
        number(value, &all)
    }
}

impl Element for mesh::MorphTarget {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        Ok(Self {
            positions: maybe(value, "POSITION")?,
            normals: maybe(value, "NORMAL")?,
            tangents: maybe(value, "TANGENT")?,
        })
    }
}

impl Element for json::Node {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        Ok(Self {
            camera: maybe(value, "camera")?,
            children: maybe(value, "children")?,
            matrix: maybe(value, "matrix")?,
            mesh: maybe(value, "mesh")?,
            name: maybe(value, "name")?,
            rotation: maybe(value, "rotation")?.map(scene::UnitQuaternion),
            scale: maybe(value, "scale")?,
            translation: maybe(value, "translation")?,
            skin: maybe(value, "skin")?,
            weights: maybe(value, "weights")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for json::Scene {
    fn read(value: &Value) -> Result<Self, Wrong> {
        check_object(value)?;
        Ok(Self {
            name: maybe(value, "name")?,
            nodes: maybe(value, "nodes")?.unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        })
    }
}

impl Element for json::Skin {
    fn read(value: &Value) -> Result<Self, Wrong> {
        Ok(Self {
            inverse_bind_matrices: maybe(value, "inverseBindMatrices")?,
            joints: needed(value, "joints")?,
            name: maybe(value, "name")?,
            skeleton: maybe(value, "skeleton")?,
            extensions: None,
            extras: Default::default(),
        })
    }
}
