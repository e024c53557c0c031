//! Primitives of KHR_draco_mesh_compression: converts decoded meshes to accessors.

use super::elements::{Accessor, AccessorIndex, Buffer, ByPrimitive, Mesh, View};
use ::gltf::json::Index;
use gambol_animation::base::{feature, sort_by};
use gambol_gltf::codec::{DracoAttribute, DracoMesh, DracoRequest};
use gambol_gltf::element::{Checked, ComponentType, Kind, Mode, Semantic};
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use gambol_gltf::place::{self, Place};

/// The name of the extension.
pub(super) const EXTENSION: &str = "KHR_draco_mesh_compression";

/// A primitive with the extension, as in the file.
#[derive(Debug)]
pub(super) struct Encoded {
    mesh: usize,
    primitive: usize,
    extension: Value,
}

/// The contents of the extension.
struct Contents {
    /// The index of the buffer view with the encoded bytes.
    view: usize,
    /// Draco's attribute ids by glTF attribute name, sorted; of equal names the last one is used.
    ids: Vec<(String, u32)>,
}

/// A primitive whose decoded mesh is requested.
#[derive(Debug)]
pub(super) struct PendingMesh {
    mesh: usize,
    primitive: usize,
    pub(super) view: usize,
    /// The attributes in the order of the request, with the indices of the accessors that describe them.
    semantics: Vec<(Semantic, usize)>,
    pub(super) request: DracoRequest,
    decoded: Option<DracoMesh>,
}

/// The primitives with the extension in `meshes`.
pub(super) fn primitives(meshes: &[Value]) -> Vec<Encoded> {
    let mut encoded = Vec::new();
    for (mesh, value) in meshes.iter().enumerate() {
        for (primitive, value) in value.list("primitives").iter().enumerate() {
            if let Some(extension) = value.get("extensions").and_then(|all| all.get(EXTENSION)) {
                encoded.push(Encoded { mesh, primitive, extension: extension.clone() });
            }
        }
    }
    encoded
}

fn read(extension: &Value, pointer: &str) -> Result<Contents, ImportError> {
    let mut contents = place::read_with(extension, pointer, |at| {
        let view = at.value().read("bufferView").unwrap_or_else(|| {
            at.fault_at("bufferView", "expected an index");
            0
        });
        let attributes = at.member("attributes").filter(|at| at.value().is_object());
        if attributes.is_none() {
            at.fault_at("attributes", "expected an object");
        }
        let ids = attributes.iter().flat_map(Place::members).map(|(name, at)| {
            let id = at.value().as_u32();
            if id.is_none() {
                at.fault("expected a non-negative integer");
            }
            (name.to_owned(), id.unwrap_or_default())
        });
        Contents { view, ids: ids.collect() }
    })?;
    sort_by(&mut contents.ids, |a, b| a.0.cmp(&b.0));
    Ok(contents)
}

/// The primitives to decode. Primitives with complete uncompressed data are excluded, unless the file
/// requires the extension.
///
/// `bytes` returns an error for a buffer view whose bytes are missing; it is returned with its primitive.
pub(super) fn waiting(
    encoded: Vec<Encoded>,
    (accessors, views, meshes): (&[Accessor], &[View], &[Mesh]),
    required: bool,
    byte_limit: u64,
    bytes: impl Fn(usize) -> Result<(), ImportError>,
) -> Result<(Vec<PendingMesh>, ByPrimitive<ImportError>), ImportError> {
    let (mut list, mut missing): (Vec<PendingMesh>, _) = (Vec::new(), Vec::new());
    let mut encoded_bytes = 0u64;
    for Encoded { mesh, primitive, extension } in encoded {
        let pointer = format!("/meshes/{mesh}/primitives/{primitive}/extensions/{EXTENSION}");
        let Contents { view, ids } = read(&extension, &pointer)?;
        let Some(source) = meshes.get(mesh).and_then(|mesh| mesh.primitives.get(primitive)) else {
            continue;
        };
        let plain = |index: AccessorIndex| {
            let accessor = accessors.get(index.value());
            accessor.is_some_and(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
        };
        if !required && source.attributes.iter().map(|(_, index)| *index).chain(source.indices).all(plain) {
            continue;
        }
        if let Err(error) = bytes(view)
            && error.kind.lacks_bytes()
        {
            missing.push(((mesh, primitive), error));
            continue;
        }
        // Many primitives may refer to the same encoded bytes.
        encoded_bytes = encoded_bytes.saturating_add(views.get(view).map_or(0, |view| view.byte_length));
        if encoded_bytes > byte_limit {
            return Err(ImportErrorKind::TooLarge { needed: encoded_bytes, limit: byte_limit }.at(pointer));
        }
        if !matches!(source.mode, Checked::Valid(Mode::Triangles | Mode::TriangleStrip)) {
            let reason = "Draco requires triangles or triangle strips".to_owned();
            let place = format!("/meshes/{mesh}/primitives/{primitive}/mode");
            return Err(ImportErrorKind::InvalidValue { reason }.at(place));
        }
        let (mut semantics, mut attributes) = (Vec::new(), Vec::new());
        for (semantic, index) in source.attributes.iter() {
            let Checked::Valid(semantic) = semantic else { continue };
            let name = semantic.to_string();
            let Some((_, id)) = ids[..ids.partition_point(|(other, _)| *other <= name)]
                .last()
                .filter(|(other, _)| *other == name)
            else {
                continue;
            };
            let place = || format!("/meshes/{mesh}/primitives/{primitive}/attributes/{name}");
            let Some(accessor) = accessors.get(index.value()) else {
                let (index, count) = (index.value(), accessors.len());
                return Err(
                    ImportErrorKind::IndexOutOfRange { element: "accessor", index, count }.at(place())
                );
            };
            let (Checked::Valid(kind), Checked::Valid(component)) = (accessor.kind, accessor.component_type)
            else {
                let reason = "the accessor has an unknown type".to_owned();
                return Err(ImportErrorKind::InvalidValue { reason }.at(place()));
            };
            attributes.push(DracoAttribute { id: *id, component, components: kind.multiplicity() });
            semantics.push((semantic.clone(), index.value()));
        }
        let request = DracoRequest { index: list.len(), attributes, byte_limit, pointer };
        list.push(PendingMesh { mesh, primitive, view, semantics, request, decoded: None });
    }
    Ok((list, missing))
}

impl PendingMesh {
    /// `true` if the mesh has not been provided.
    pub(super) fn is_missing(&self) -> bool {
        self.decoded.is_none()
    }

    /// Stores a decoded mesh if it matches the request; `spent` is the total size of all meshes so far.
    pub(super) fn provide(&mut self, mesh: DracoMesh, spent: &mut u64) -> Result<(), ImportError> {
        let broken = |reason: String| Err(ImportErrorKind::Draco { reason }.at(&self.request.pointer));
        if mesh.attributes.len() != self.request.attributes.len() {
            return broken(format!(
                "the decoder returned {} attributes instead of {}",
                mesh.attributes.len(),
                self.request.attributes.len()
            ));
        }
        for (bytes, wanted) in mesh.attributes.iter().zip(&self.request.attributes) {
            let needed = mesh.vertices.saturating_mul(wanted.components * wanted.component.size());
            if bytes.len() != needed {
                let id = wanted.id;
                return broken(format!("attribute {id} has {} bytes instead of {needed}", bytes.len()));
            }
        }
        if !mesh.indices.len().is_multiple_of(3) {
            return broken("the number of indices is not a multiple of 3".to_owned());
        }
        let size = mesh.attributes.iter().map(Vec::len).sum::<usize>() + size_of_val(&mesh.indices[..]);
        let (needed, limit) = (spent.saturating_add(size as u64), self.request.byte_limit);
        if needed > limit {
            return Err(ImportErrorKind::TooLarge { needed, limit }.at(&self.request.pointer));
        }
        *spent = needed;
        self.decoded = Some(mesh);
        Ok(())
    }
}

feature! {
    list for_decoding;
    /// See [`make_accessors`].
    pub(super) fn place(
        accessors: &mut Vec<Accessor>, views: &mut Vec<View>, meshes: &mut [Mesh],
        waiting: &mut [PendingMesh], buffers: usize, log: &mut Log,
    ) -> Result<Vec<Vec<u8>>, ImportError> = make_accessors;
}

/// Adds accessors for the decoded meshes; returns their buffers, which are appended after `buffers` others.
fn make_accessors(
    accessors: &mut Vec<Accessor>,
    views: &mut Vec<View>,
    meshes: &mut [Mesh],
    waiting: &mut [PendingMesh],
    buffers: usize,
    log: &mut Log,
) -> Result<Vec<Vec<u8>>, ImportError> {
    let mut bytes: Vec<Vec<u8>> = Vec::new();
    for part in waiting {
        let Some(DracoMesh { vertices, attributes, indices }) = part.decoded.take() else {
            return Err(ImportErrorKind::DracoUnavailable.at(&part.request.pointer));
        };
        let mut add = |accessors: &mut Vec<Accessor>, like: Option<usize>, count: usize, data: Vec<u8>| {
            let buffer = Index::new((buffers + bytes.len()) as u32);
            let view = Index::push(views, view(buffer, data.len()));
            bytes.push(data);
            let mut place = accessor_of(view, count);
            if let Some(like) = like.and_then(|index| accessors.get(index)) {
                (place.component_type, place.kind, place.normalized) =
                    (like.component_type, like.kind, like.normalized);
            }
            Index::push(accessors, place)
        };
        let mut moved = Vec::new();
        for ((semantic, like), data) in part.semantics.drain(..).zip(attributes) {
            let said = accessors.get(like).map_or(0, |accessor| accessor.count);
            if said != vertices as u64 {
                let message = format!(
                    "The decoder returned {vertices} vertices, but the accessor has {said}; the decoder's count is used"
                );
                log.warn(codes::ACCESSOR_COUNT, format_args!("/accessors/{like}/count"), message);
            }
            moved.push((semantic, add(accessors, Some(like), vertices, data)));
        }
        let data = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let indices = add(accessors, None, indices.len(), data);
        if let Some(primitive) =
            meshes.get_mut(part.mesh).and_then(|mesh| mesh.primitives.get_mut(part.primitive))
        {
            primitive.mode = Checked::Valid(Mode::Triangles);
            primitive.indices = Some(indices);
            // Both lists are in the order of the attributes.
            let mut moved = moved.into_iter().peekable();
            for (semantic, index) in primitive.attributes.iter_mut() {
                if let Some((_, place)) = moved
                    .next_if(|(other, _)| matches!(semantic, Checked::Valid(semantic) if semantic == other))
                {
                    *index = place;
                }
            }
        }
    }
    Ok(bytes)
}

/// A buffer view of a whole buffer.
fn view(buffer: Index<Buffer>, length: usize) -> View {
    View { buffer, byte_length: length as u64, byte_offset: 0, byte_stride: None }
}

/// An accessor of u32 indices.
fn accessor_of(view: Index<View>, count: usize) -> Accessor {
    Accessor {
        buffer_view: Some(view),
        byte_offset: 0,
        count: count as u64,
        component_type: Checked::Valid(ComponentType::U32),
        kind: Checked::Valid(Kind::Scalar),
        normalized: false,
        sparse: None,
    }
}
