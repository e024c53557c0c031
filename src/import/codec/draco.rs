//! KHR_draco_mesh_compression: what is asked of a decoder, and what it gives back.
//!
//! gambol has no Draco decoder of its own. On the web, a decoder is loaded when a file needs it; elsewhere a
//! [`Resolver`](crate::import::resolver::Resolver) may bring one.

/// The type of a number in a decoded attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ComponentType {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl ComponentType {
    /// Its size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// What GL and glTF call it: 5120 … 5126.
    pub fn gl(self) -> u32 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }
}

/// A mesh that somebody with a Draco decoder has to decode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DracoRequest {
    /// Which one, for [`Document::draco_bytes`](crate::import::gltf::Document::draco_bytes) and
    /// [`Document::provide_draco`](crate::import::gltf::Document::provide_draco).
    pub index: usize,
    /// The attributes that are wanted, in this order.
    pub attributes: Vec<DracoAttribute>,
    /// How many bytes attributes and indices may take together once decoded. A decoder need not make more.
    pub byte_limit: u64,
    /// The JSON pointer of the extension.
    pub pointer: String,
}

/// An attribute of a [`DracoRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DracoAttribute {
    /// Draco's unique id of it.
    pub id: u32,
    /// What its numbers are to be decoded to.
    pub component: ComponentType,
    /// How many numbers a vertex has.
    pub components: usize,
}

/// A decoded mesh: a list of triangles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DracoMesh {
    /// How many vertices there are.
    pub vertices: usize,
    /// For each [`DracoRequest::attributes`] its numbers, little endian, without gaps, vertex by vertex.
    pub attributes: Vec<Vec<u8>>,
    /// Three for each triangle.
    pub indices: Vec<u32>,
}
