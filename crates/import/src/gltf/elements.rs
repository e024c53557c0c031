//! Converts elements of the JSON to the types of the `gltf` crate, and locates faults by pointer.
//!
//! The crate's own `serde` implementation takes more code than the rest of the import, and does not report the location
//! of a fault.

use super::schema::{Attributes, INVALID_INDEX, Mesh, Primitive};
use ::gltf::json;
use gambol_gltf::json::Value;
use json::accessor::{self, ComponentType, GenericComponentType, IndexComponentType, Type};
use json::animation::Interpolation;
use json::material::{self, AlphaMode, PbrMetallicRoughness};
use json::mesh::{Mode, Semantic};
use json::texture::{MagFilter, MinFilter, WrappingMode};
use json::validation::{Checked, USize64};
use json::{Index, buffer, camera, image, mesh, scene, texture};
use std::cell::Cell;

/// A fault of an element.
pub(super) struct InvalidValue {
    /// The pointer, relative to the element.
    pub(super) pointer: String,
    pub(super) reason: String,
}

/// A value of an element with its path.
///
/// Faults are recorded, and reading continues with a substitute: an early return for each value would take more
/// code.
pub(super) struct Place<'a> {
    value: &'a Value,
    /// The parent value, and the key of this value in it.
    above: Option<(&'a Place<'a>, Key<'a>)>,
    /// The first fault of the element.
    wrong: &'a Cell<Option<InvalidValue>>,
}

/// The key of a value in an object or an array.
#[derive(Clone, Copy)]
enum Key<'a> {
    Member(&'a str),
    Index(usize),
}

/// A type that can be read from a JSON value.
pub(super) trait Element: Sized {
    /// Reads the value; if it is invalid, records the fault and returns any value.
    fn read(at: &Place<'_>) -> Self;
}

/// Reads an element.
pub(super) fn read<T: Element>(value: &Value) -> Result<T, InvalidValue> {
    let wrong = Cell::new(None);
    let element = T::read(&Place { value, above: None, wrong: &wrong });
    wrong.into_inner().map_or(Ok(element), Err)
}

impl<'a> Place<'a> {
    /// Records a fault here.
    fn wrong(&self, reason: &str) {
        self.note(&|| reason.to_owned());
    }

    fn note(&self, reason: &dyn Fn() -> String) {
        let first = self.wrong.take();
        self.wrong.set(first.or_else(|| Some(InvalidValue { pointer: self.pointer(), reason: reason() })));
    }

    fn pointer(&self) -> String {
        match self.above {
            None => String::new(),
            Some((above, Key::Index(index))) => format!("{}/{index}", above.pointer()),
            Some((above, Key::Member(key))) => {
                format!("{}/{}", above.pointer(), key.replace('~', "~0").replace('/', "~1"))
            }
        }
    }

    fn below<T: Element>(&'a self, value: &'a Value, key: Key<'a>) -> T {
        T::read(&Place { value, above: Some((self, key)), wrong: self.wrong })
    }

    /// An optional member.
    fn maybe<T: Element>(&self, key: &str) -> Option<T> {
        self.value.get(key).map(|value| self.below(value, Key::Member(key)))
    }

    fn needed<T: Element>(&self, key: &str) -> T {
        self.maybe(key).unwrap_or_else(|| {
            self.object();
            self.note(&|| format!("the property `{key}` is missing"));
            self.below(&Value::Null, Key::Member(key))
        })
    }

    /// Records a fault unless the value is an object; for elements without required members.
    fn object(&self) {
        if self.value.as_object().is_none() {
            self.wrong("expected an object");
        }
    }
}

impl Element for String {
    fn read(at: &Place<'_>) -> Self {
        text(at).to_owned()
    }
}

fn text<'a>(at: &Place<'a>) -> &'a str {
    at.value.as_str().unwrap_or_else(|| {
        at.wrong("expected a string");
        ""
    })
}

impl Element for bool {
    fn read(at: &Place<'_>) -> Self {
        if !matches!(at.value, Value::Bool(_)) {
            at.wrong("expected true or false");
        }
        *at.value == Value::Bool(true)
    }
}

impl Element for u64 {
    fn read(at: &Place<'_>) -> Self {
        at.value.as_u64().unwrap_or_else(|| {
            at.wrong("expected a non-negative integer");
            0
        })
    }
}

impl Element for u32 {
    /// Values beyond 32 bits become an index that is out of range.
    fn read(at: &Place<'_>) -> Self {
        Self::try_from(u64::read(at)).unwrap_or(INVALID_INDEX)
    }
}

impl Element for USize64 {
    fn read(at: &Place<'_>) -> Self {
        Self(u64::read(at))
    }
}

impl<T> Element for Index<T> {
    fn read(at: &Place<'_>) -> Self {
        Self::new(u32::read(at))
    }
}

impl Element for f32 {
    /// The value may be infinite.
    fn read(at: &Place<'_>) -> Self {
        at.value.as_f64().unwrap_or_else(|| {
            at.wrong("expected a number");
            0.0
        }) as Self
    }
}

impl<const N: usize> Element for [f32; N] {
    fn read(at: &Place<'_>) -> Self {
        Vec::read(at).try_into().unwrap_or_else(|_| {
            at.note(&|| format!("expected {N} numbers"));
            [0.0; N]
        })
    }
}

impl<T: Element> Element for Vec<T> {
    fn read(at: &Place<'_>) -> Self {
        let elements = at.value.as_array().unwrap_or_else(|| {
            at.wrong("expected an array");
            &[]
        });
        elements.iter().enumerate().map(|(i, value)| at.below(value, Key::Index(i))).collect()
    }
}

/// Looks up a string constant of the specification; others are [`Checked::Invalid`].
fn word<T: Copy>(at: &Place<'_>, all: &[(&str, T)]) -> Checked<T> {
    let word = text(at);
    let found = all.iter().find(|(name, _)| *name == word);
    found.map_or(Checked::Invalid, |(_, meaning)| Checked::Valid(*meaning))
}

/// Looks up an OpenGL constant of the specification; others are [`Checked::Invalid`].
fn number<T: Copy>(at: &Place<'_>, all: &[(u32, T)]) -> Checked<T> {
    let number = u32::read(at);
    let found = all.iter().find(|(name, _)| *name == number);
    found.map_or(Checked::Invalid, |(_, meaning)| Checked::Valid(*meaning))
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
    fn read(at: &Place<'_>) -> Self {
        match number(at, &COMPONENT_TYPES) {
            Checked::Valid(component) => Self::Valid(GenericComponentType(component)),
            Checked::Invalid => Self::Invalid,
        }
    }
}

impl Element for Checked<IndexComponentType> {
    fn read(at: &Place<'_>) -> Self {
        use ComponentType::{U8, U16, U32};
        match number(at, &COMPONENT_TYPES) {
            Checked::Valid(component @ (U8 | U16 | U32)) => Self::Valid(IndexComponentType(component)),
            _ => Self::Invalid,
        }
    }
}

impl Element for Checked<Type> {
    fn read(at: &Place<'_>) -> Self {
        let all = [
            ("SCALAR", Type::Scalar),
            ("VEC2", Type::Vec2),
            ("VEC3", Type::Vec3),
            ("VEC4", Type::Vec4),
            ("MAT2", Type::Mat2),
            ("MAT3", Type::Mat3),
            ("MAT4", Type::Mat4),
        ];
        word(at, &all)
    }
}

impl Element for json::Accessor {
    fn read(at: &Place<'_>) -> Self {
        Self {
            buffer_view: at.maybe("bufferView"),
            byte_offset: at.maybe("byteOffset"),
            count: at.needed("count"),
            component_type: at.needed("componentType"),
            type_: at.needed("type"),
            normalized: at.maybe("normalized").unwrap_or_default(),
            sparse: at.maybe("sparse"),
            // Minimum and maximum are not trusted, so they are not read.
            min: None,
            max: None,
            name: None,
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for accessor::sparse::Sparse {
    fn read(at: &Place<'_>) -> Self {
        Self {
            count: at.needed("count"),
            indices: at.needed("indices"),
            values: at.needed("values"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for accessor::sparse::Indices {
    fn read(at: &Place<'_>) -> Self {
        Self {
            buffer_view: at.needed("bufferView"),
            byte_offset: at.maybe("byteOffset").unwrap_or_default(),
            component_type: at.needed("componentType"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for accessor::sparse::Values {
    fn read(at: &Place<'_>) -> Self {
        Self {
            buffer_view: at.needed("bufferView"),
            byte_offset: at.maybe("byteOffset").unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for json::animation::Sampler {
    fn read(at: &Place<'_>) -> Self {
        Self {
            input: at.needed("input"),
            interpolation: at.maybe("interpolation").unwrap_or_default(),
            output: at.needed("output"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for Checked<Interpolation> {
    fn read(at: &Place<'_>) -> Self {
        let all = [
            ("LINEAR", Interpolation::Linear),
            ("STEP", Interpolation::Step),
            ("CUBICSPLINE", Interpolation::CubicSpline),
        ];
        // Some exporters write a value of another type. It counts as an unknown string, for which LINEAR is used.
        if at.value.as_str().is_some() { word(at, &all) } else { Checked::Invalid }
    }
}

impl Element for json::Buffer {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self {
            byte_length: at.maybe("byteLength").unwrap_or_default(),
            name: None,
            uri: at.maybe("uri"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for buffer::View {
    fn read(at: &Place<'_>) -> Self {
        Self {
            buffer: at.needed("buffer"),
            byte_length: at.needed("byteLength"),
            byte_offset: at.maybe("byteOffset"),
            byte_stride: at.maybe("byteStride"),
            name: None,
            target: None,
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for buffer::Stride {
    fn read(at: &Place<'_>) -> Self {
        Self(usize::try_from(u64::read(at)).unwrap_or(usize::MAX))
    }
}

impl Element for json::Camera {
    fn read(at: &Place<'_>) -> Self {
        Self {
            name: at.maybe("name"),
            orthographic: at.maybe("orthographic"),
            perspective: at.maybe("perspective"),
            type_: at.needed("type"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for Checked<camera::Type> {
    fn read(at: &Place<'_>) -> Self {
        word(at, &[("perspective", camera::Type::Perspective), ("orthographic", camera::Type::Orthographic)])
    }
}

impl Element for camera::Orthographic {
    fn read(at: &Place<'_>) -> Self {
        Self {
            xmag: at.needed("xmag"),
            ymag: at.needed("ymag"),
            zfar: at.needed("zfar"),
            znear: at.needed("znear"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for camera::Perspective {
    fn read(at: &Place<'_>) -> Self {
        Self {
            aspect_ratio: at.maybe("aspectRatio"),
            yfov: at.needed("yfov"),
            zfar: at.maybe("zfar"),
            znear: at.needed("znear"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for json::Image {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self {
            buffer_view: at.maybe("bufferView"),
            mime_type: at.maybe("mimeType").map(image::MimeType),
            name: at.maybe("name"),
            uri: at.maybe("uri"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for json::Material {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self {
            alpha_cutoff: at.maybe("alphaCutoff").map(material::AlphaCutoff),
            alpha_mode: at.maybe("alphaMode").unwrap_or_default(),
            double_sided: at.maybe("doubleSided").unwrap_or_default(),
            name: at.maybe("name"),
            pbr_metallic_roughness: at.maybe("pbrMetallicRoughness").unwrap_or_default(),
            normal_texture: at.maybe("normalTexture"),
            occlusion_texture: at.maybe("occlusionTexture"),
            emissive_texture: at.maybe("emissiveTexture"),
            emissive_factor: material::EmissiveFactor(at.maybe("emissiveFactor").unwrap_or_default()),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for Checked<AlphaMode> {
    fn read(at: &Place<'_>) -> Self {
        word(at, &[("OPAQUE", AlphaMode::Opaque), ("MASK", AlphaMode::Mask), ("BLEND", AlphaMode::Blend)])
    }
}

impl Element for PbrMetallicRoughness {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        let factor = |key| material::StrengthFactor(at.maybe(key).unwrap_or(1.0));
        let base_color = at.maybe("baseColorFactor");
        Self {
            base_color_factor: material::PbrBaseColorFactor(base_color.unwrap_or([1.0; 4])),
            base_color_texture: at.maybe("baseColorTexture"),
            metallic_factor: factor("metallicFactor"),
            roughness_factor: factor("roughnessFactor"),
            metallic_roughness_texture: at.maybe("metallicRoughnessTexture"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for material::NormalTexture {
    fn read(at: &Place<'_>) -> Self {
        Self {
            index: at.needed("index"),
            scale: at.maybe("scale").unwrap_or(1.0),
            tex_coord: at.maybe("texCoord").unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for material::OcclusionTexture {
    fn read(at: &Place<'_>) -> Self {
        Self {
            index: at.needed("index"),
            strength: material::StrengthFactor(at.maybe("strength").unwrap_or(1.0)),
            tex_coord: at.maybe("texCoord").unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for texture::Info {
    fn read(at: &Place<'_>) -> Self {
        Self {
            index: at.needed("index"),
            tex_coord: at.maybe("texCoord").unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for json::Texture {
    /// Reads the core source, without those of extensions.
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self {
            name: None,
            sampler: at.maybe("sampler"),
            source: at.maybe("source").unwrap_or(Index::new(INVALID_INDEX)),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for texture::Sampler {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self {
            mag_filter: at.maybe("magFilter"),
            min_filter: at.maybe("minFilter"),
            name: None,
            wrap_s: at.maybe("wrapS").unwrap_or(Checked::Valid(WrappingMode::Repeat)),
            wrap_t: at.maybe("wrapT").unwrap_or(Checked::Valid(WrappingMode::Repeat)),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for Checked<MagFilter> {
    fn read(at: &Place<'_>) -> Self {
        number(at, &[(texture::NEAREST, MagFilter::Nearest), (texture::LINEAR, MagFilter::Linear)])
    }
}

impl Element for Checked<MinFilter> {
    fn read(at: &Place<'_>) -> Self {
        let all = [
            (texture::NEAREST, MinFilter::Nearest),
            (texture::LINEAR, MinFilter::Linear),
            (texture::NEAREST_MIPMAP_NEAREST, MinFilter::NearestMipmapNearest),
            (texture::LINEAR_MIPMAP_NEAREST, MinFilter::LinearMipmapNearest),
            (texture::NEAREST_MIPMAP_LINEAR, MinFilter::NearestMipmapLinear),
            (texture::LINEAR_MIPMAP_LINEAR, MinFilter::LinearMipmapLinear),
        ];
        number(at, &all)
    }
}

impl Element for Checked<WrappingMode> {
    fn read(at: &Place<'_>) -> Self {
        let all = [
            (texture::CLAMP_TO_EDGE, WrappingMode::ClampToEdge),
            (texture::MIRRORED_REPEAT, WrappingMode::MirroredRepeat),
            (texture::REPEAT, WrappingMode::Repeat),
        ];
        number(at, &all)
    }
}

impl Element for Mesh {
    fn read(at: &Place<'_>) -> Self {
        Self { name: at.maybe("name"), primitives: at.needed("primitives"), weights: at.maybe("weights") }
    }
}

impl Element for Primitive {
    fn read(at: &Place<'_>) -> Self {
        Self {
            attributes: at.needed("attributes"),
            indices: at.maybe("indices"),
            material: at.maybe("material"),
            mode: at.maybe("mode").unwrap_or_default(),
            targets: at.maybe("targets").unwrap_or_default(),
        }
    }
}

impl Element for Attributes {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        let members = at.value.as_object().unwrap_or_default().iter();
        let given = members.filter(|(_, value)| !value.is_null());
        Self::new(given.map(|(name, value)| (semantic(name), at.below(value, Key::Member(name)))).collect())
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
    fn read(at: &Place<'_>) -> Self {
        let all = [
            (mesh::POINTS, Mode::Points),
            (mesh::LINES, Mode::Lines),
            (mesh::LINE_LOOP, Mode::LineLoop),
            (mesh::LINE_STRIP, Mode::LineStrip),
            (mesh::TRIANGLES, Mode::Triangles),
            (mesh::TRIANGLE_STRIP, Mode::TriangleStrip),
            (mesh::TRIANGLE_FAN, Mode::TriangleFan),
        ];
        number(at, &all)
    }
}

impl Element for mesh::MorphTarget {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self { positions: at.maybe("POSITION"), normals: at.maybe("NORMAL"), tangents: at.maybe("TANGENT") }
    }
}

impl Element for json::Node {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self {
            camera: at.maybe("camera"),
            children: at.maybe("children"),
            matrix: at.maybe("matrix"),
            mesh: at.maybe("mesh"),
            name: at.maybe("name"),
            rotation: at.maybe("rotation").map(scene::UnitQuaternion),
            scale: at.maybe("scale"),
            translation: at.maybe("translation"),
            skin: at.maybe("skin"),
            weights: at.maybe("weights"),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for json::Scene {
    fn read(at: &Place<'_>) -> Self {
        at.object();
        Self {
            name: at.maybe("name"),
            nodes: at.maybe("nodes").unwrap_or_default(),
            extensions: None,
            extras: Default::default(),
        }
    }
}

impl Element for json::Skin {
    fn read(at: &Place<'_>) -> Self {
        Self {
            inverse_bind_matrices: at.maybe("inverseBindMatrices"),
            joints: at.needed("joints"),
            name: at.maybe("name"),
            skeleton: at.maybe("skeleton"),
            extensions: None,
            extras: Default::default(),
        }
    }
}
