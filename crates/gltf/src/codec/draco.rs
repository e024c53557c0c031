//! KHR_draco_mesh_compression: the interface to a Draco decoder.
//!
//! gambol contains no Draco decoder. On the web, a decoder is loaded when a file needs it; elsewhere a
//! [`Resolver`](crate::resolver::Resolver) can provide one.

use crate::element::ComponentType;

/// A mesh to be decoded by a Draco decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DracoRequest {
    /// The index of the mesh, for `Document::draco_bytes` and
    /// `Document::provide_draco`.
    pub index: usize,
    /// The attributes to decode, in the order of the result.
    pub attributes: Vec<DracoAttribute>,
    /// The maximum size of decoded attributes and indices together, in bytes. A decoder may stop beyond it.
    pub byte_limit: u64,
    /// The JSON pointer of the extension.
    pub pointer: String,
}

/// An attribute of a [`DracoRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DracoAttribute {
    /// The unique id of the attribute in the Draco data.
    pub id: u32,
    /// The component type of the decoded numbers.
    pub component: ComponentType,
    /// The number of components per vertex.
    pub components: usize,
}

/// A decoded mesh: a triangle list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DracoMesh {
    /// The number of vertices.
    pub vertices: usize,
    /// For each attribute of [`DracoRequest::attributes`], its components: little endian, tightly packed, vertex by vertex.
    pub attributes: Vec<Vec<u8>>,
    /// Three indices per triangle.
    pub indices: Vec<u32>,
}
