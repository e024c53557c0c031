//! The constants of accessors, meshes, animations, materials and textures, which are the enums of the crate `gltf`:
//! their words and numbers in the JSON.

use crate::place::{FromJson, Place};
use gltf::json::{accessor, mesh, texture};

pub use gltf::json::accessor::{ComponentType, Type as Kind};
pub use gltf::json::animation::Interpolation;
pub use gltf::json::material::AlphaMode;
pub use gltf::json::mesh::{Mode, Semantic};
pub use gltf::json::texture::{MagFilter, MinFilter, WrappingMode};
pub use gltf::json::validation::Checked;

/// A constant that is a word in the JSON.
///
/// ```
/// use gambol_gltf::element::{Kind, Word};
///
/// assert_eq!(Kind::of("VEC3"), Some(Kind::Vec3));
/// assert_eq!(Kind::Vec3.word(), "VEC3");
/// ```
pub trait Word: Copy + PartialEq + 'static {
    /// All constants with their words.
    const WORDS: &'static [(&'static str, Self)];

    /// The constant of a word.
    fn of(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, constant)| *constant)
    }

    /// The word of the constant.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, constant)| *constant == self).map_or("", |(word, _)| word)
    }
}

/// A constant that is a number of OpenGL in the JSON.
pub trait Code: Copy + 'static {
    /// All constants with their numbers.
    const CODES: &'static [(u32, Self)];

    /// The constant of a number.
    fn of(code: u64) -> Option<Self> {
        Self::CODES.iter().find(|(known, _)| u64::from(*known) == code).map(|(_, constant)| *constant)
    }
}

/// Unknown constants are [`Checked::Invalid`], which is no fault.
macro_rules! constants {
    ($trait:ident :: $list:ident [$key:ty], $read:ident: $($type:ty { $($known:expr => $constant:expr),+ $(,)? })+) => {$(
        impl $trait for $type {
            const $list: &'static [($key, Self)] = &[$(($known, $constant)),+];
        }

        impl FromJson for Checked<$type> {
            fn read(at: &Place<'_>) -> Self {
                $read(at)
            }
        }
    )+};
}

fn word<T: Word>(at: &Place<'_>) -> Checked<T> {
    T::of(at.str()).map_or(Checked::Invalid, Checked::Valid)
}

fn code<T: Code>(at: &Place<'_>) -> Checked<T> {
    T::of(u64::read(at)).map_or(Checked::Invalid, Checked::Valid)
}

constants! { Word::WORDS[&'static str], word:
    Kind {
        "SCALAR" => Self::Scalar,
        "VEC2" => Self::Vec2,
        "VEC3" => Self::Vec3,
        "VEC4" => Self::Vec4,
        "MAT2" => Self::Mat2,
        "MAT3" => Self::Mat3,
        "MAT4" => Self::Mat4,
    }
    Interpolation {
        "LINEAR" => Self::Linear,
        "STEP" => Self::Step,
        "CUBICSPLINE" => Self::CubicSpline,
    }
    AlphaMode {
        "OPAQUE" => Self::Opaque,
        "MASK" => Self::Mask,
        "BLEND" => Self::Blend,
    }
}

constants! { Code::CODES[u32], code:
    ComponentType {
        accessor::BYTE => Self::I8,
        accessor::UNSIGNED_BYTE => Self::U8,
        accessor::SHORT => Self::I16,
        accessor::UNSIGNED_SHORT => Self::U16,
        accessor::UNSIGNED_INT => Self::U32,
        accessor::FLOAT => Self::F32,
    }
    Mode {
        mesh::POINTS => Self::Points,
        mesh::LINES => Self::Lines,
        mesh::LINE_LOOP => Self::LineLoop,
        mesh::LINE_STRIP => Self::LineStrip,
        mesh::TRIANGLES => Self::Triangles,
        mesh::TRIANGLE_STRIP => Self::TriangleStrip,
        mesh::TRIANGLE_FAN => Self::TriangleFan,
    }
    MagFilter {
        texture::NEAREST => Self::Nearest,
        texture::LINEAR => Self::Linear,
    }
    MinFilter {
        texture::NEAREST => Self::Nearest,
        texture::LINEAR => Self::Linear,
        texture::NEAREST_MIPMAP_NEAREST => Self::NearestMipmapNearest,
        texture::LINEAR_MIPMAP_NEAREST => Self::LinearMipmapNearest,
        texture::NEAREST_MIPMAP_LINEAR => Self::NearestMipmapLinear,
        texture::LINEAR_MIPMAP_LINEAR => Self::LinearMipmapLinear,
    }
    WrappingMode {
        texture::CLAMP_TO_EDGE => Self::ClampToEdge,
        texture::MIRRORED_REPEAT => Self::MirroredRepeat,
        texture::REPEAT => Self::Repeat,
    }
}

/// The number of columns of an element of an accessor, and of numbers per column.
pub(crate) fn columns(kind: Kind) -> (usize, usize) {
    match kind {
        Kind::Mat2 => (2, 2),
        Kind::Mat3 => (3, 3),
        Kind::Mat4 => (4, 4),
        Kind::Scalar | Kind::Vec2 | Kind::Vec3 | Kind::Vec4 => (1, kind.multiplicity()),
    }
}

/// The size of an element of an accessor, in bytes. Columns of matrices begin at multiples of four bytes.
/// Spec: glTF 2.0 §3.6.2.4.
pub fn element_size(component: ComponentType, kind: Kind) -> usize {
    let (columns, rows) = columns(kind);
    match columns {
        1 => rows * component.size(),
        _ => columns * (rows * component.size()).next_multiple_of(4),
    }
}

/// A number in little-endian bytes; `normalized` integers are in −1 … 1.
pub(crate) fn float(component: ComponentType, bytes: &[u8], normalized: bool) -> f32 {
    use ComponentType as C;
    let signed = |value: i16, most: f32| {
        if normalized { (f32::from(value) / most).max(-1.0) } else { value.into() }
    };
    let unsigned = |value: u32, most: f32| if normalized { value as f32 / most } else { value as f32 };
    match (component, bytes) {
        (C::I8, &[a, ..]) => signed(a.cast_signed().into(), 127.0),
        (C::U8, &[a, ..]) => unsigned(a.into(), 255.0),
        (C::I16, &[a, b, ..]) => signed(i16::from_le_bytes([a, b]), 32767.0),
        (C::U16, &[a, b, ..]) => unsigned(u16::from_le_bytes([a, b]).into(), 65535.0),
        (C::U32, &[a, b, c, d, ..]) => unsigned(u32::from_le_bytes([a, b, c, d]), u32::MAX as f32),
        (C::F32, &[a, b, c, d, ..]) => f32::from_le_bytes([a, b, c, d]),
        _ => 0.0,
    }
}

/// An unsigned integer in little-endian bytes; `None` for other types.
pub(crate) fn unsigned(component: ComponentType, bytes: &[u8]) -> Option<u32> {
    use ComponentType as C;
    match (component, bytes) {
        (C::U8, &[a, ..]) => Some(a.into()),
        (C::U16, &[a, b, ..]) => Some(u16::from_le_bytes([a, b]).into()),
        (C::U32, &[a, b, c, d, ..]) => Some(u32::from_le_bytes([a, b, c, d])),
        _ => None,
    }
}
