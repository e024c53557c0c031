//! The types of numbers and the shapes of elements of accessors. Spec: glTF 2.0 §3.6.2.2.

/// The type of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComponentType {
    /// 8-bit signed integer: 5120.
    I8,
    /// 8-bit unsigned integer: 5121.
    U8,
    /// 16-bit signed integer: 5122.
    I16,
    /// 16-bit unsigned integer: 5123.
    U16,
    /// 32-bit unsigned integer: 5125.
    U32,
    /// 32-bit float: 5126.
    F32,
}

impl ComponentType {
    /// The number of the type in glTF and GL: 5120 … 5126.
    pub fn code(self) -> u32 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    /// The type of a number in glTF.
    pub fn of(code: u64) -> Option<Self> {
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32]
            .into_iter()
            .find(|component| u64::from(component.code()) == code)
    }

    /// The size, in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number in little-endian bytes; `normalized` integers are in −1 … 1.
    pub(crate) fn value(self, bytes: &[u8], normalized: bool) -> f32 {
        let signed = |value: i16, most: f32| {
            if normalized { (f32::from(value) / most).max(-1.0) } else { value.into() }
        };
        let unsigned = |value: u32, most: f32| if normalized { value as f32 / most } else { value as f32 };
        match (self, bytes) {
            (Self::I8, &[a, ..]) => signed(a.cast_signed().into(), 127.0),
            (Self::U8, &[a, ..]) => unsigned(a.into(), 255.0),
            (Self::I16, &[a, b, ..]) => signed(i16::from_le_bytes([a, b]), 32767.0),
            (Self::U16, &[a, b, ..]) => unsigned(u16::from_le_bytes([a, b]).into(), 65535.0),
            (Self::U32, &[a, b, c, d, ..]) => unsigned(u32::from_le_bytes([a, b, c, d]), u32::MAX as f32),
            (Self::F32, &[a, b, c, d, ..]) => f32::from_le_bytes([a, b, c, d]),
            _ => 0.0,
        }
    }

    /// The unsigned integer in little-endian bytes; `None` for other types.
    pub(crate) fn unsigned(self, bytes: &[u8]) -> Option<u32> {
        match (self, bytes) {
            (Self::U8, &[a, ..]) => Some(a.into()),
            (Self::U16, &[a, b, ..]) => Some(u16::from_le_bytes([a, b]).into()),
            (Self::U32, &[a, b, c, d, ..]) => Some(u32::from_le_bytes([a, b, c, d])),
            _ => None,
        }
    }
}

/// The shape of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of the specification")]
pub enum Kind {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

impl Kind {
    /// The word of the JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Scalar => "SCALAR",
            Self::Vec2 => "VEC2",
            Self::Vec3 => "VEC3",
            Self::Vec4 => "VEC4",
            Self::Mat2 => "MAT2",
            Self::Mat3 => "MAT3",
            Self::Mat4 => "MAT4",
        }
    }

    /// The shape of a word in the JSON.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Scalar, Self::Vec2, Self::Vec3, Self::Vec4, Self::Mat2, Self::Mat3, Self::Mat4]
            .into_iter()
            .find(|kind| kind.word() == word)
    }

    /// The number of columns, and of numbers per column.
    pub fn columns(self) -> (usize, usize) {
        match self {
            Self::Scalar => (1, 1),
            Self::Vec2 => (1, 2),
            Self::Vec3 => (1, 3),
            Self::Vec4 => (1, 4),
            Self::Mat2 => (2, 2),
            Self::Mat3 => (3, 3),
            Self::Mat4 => (4, 4),
        }
    }

    /// The number of numbers per element.
    pub fn width(self) -> usize {
        let (columns, rows) = self.columns();
        columns * rows
    }
}
