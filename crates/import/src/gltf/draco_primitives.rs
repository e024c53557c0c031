//! Primitives of KHR_draco_mesh_compression: converts decoded meshes to accessors.

use super::accessor::components;
use super::schema::File;
use crate::base::deferred;
use ::gltf::json;
use gambol_gltf::codec::{DracoAttribute, DracoMesh, DracoRequest};
use gambol_gltf::element::ComponentType;
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::json::Value;
use gambol_gltf::log::Log;
use json::accessor::{self, GenericComponentType};
use json::mesh::{Mode, Semantic};
use json::validation::{Checked, USize64};

/// The name of the extension.
pub(super) const EXTENSION: &str = "KHR_draco_mesh_compression";

/// A primitive with the extension, as in the file.
#[derive(Debug)]
pub(super) struct Encoded {
    mesh: usize,
    primitive: usize,
    /// The index of the buffer view with the encoded bytes.
    view: usize,
    /// Draco's attribute ids by glTF attribute name, sorted; of equal names the last one is used.
    ids: Vec<(String, u32)>,
    pointer: String,
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
pub(super) fn primitives(meshes: &[Value]) -> Result<Vec<Encoded>, ImportError> {
    let mut encoded = Vec::new();
    for (mesh, value) in meshes.iter().enumerate() {
        for (primitive, value) in value.list("primitives").iter().enumerate() {
            let Some(extension) = value.get("extensions").and_then(|all| all.get(EXTENSION)) else {
                continue;
            };
            encoded.push(read(extension, mesh, primitive)?);
        }
    }
    Ok(encoded)
}

fn read(extension: &Value, mesh: usize, primitive: usize) -> Result<Encoded, ImportError> {
    let pointer = format!("/meshes/{mesh}/primitives/{primitive}/extensions/{EXTENSION}");
    let invalid = |key: &str, reason: &str| {
        ImportErrorKind::InvalidValue { reason: reason.to_owned() }.at(format_args!("{pointer}/{key}"))
    };
    let view = extension.get("bufferView").and_then(Value::as_u64);
    let view = view.ok_or_else(|| invalid("bufferView", "expected an index"))?;
    let attributes = extension.get("attributes").and_then(Value::as_object);
    let attributes = attributes.ok_or_else(|| invalid("attributes", "expected an object"))?;
    let id = |(name, id): (&String, &Value)| {
        let id = id
            .as_u32()
            .ok_or_else(|| invalid(&format!("attributes/{name}"), "expected a non-negative integer"))?;
        Ok((name.clone(), id))
    };
    let mut ids = attributes.iter().map(id).collect::<Result<Vec<_>, ImportError>>()?;
    ids.sort_by(|a, b| a.0.cmp(&b.0));
    let view = usize::try_from(view).unwrap_or(usize::MAX);
    Ok(Encoded { mesh, primitive, view, ids, pointer })
}

/// The primitives to decode. Primitives with complete uncompressed data are excluded, unless the file
/// requires the extension.
///
/// `bytes` returns an error for a buffer view whose bytes are missing; it is stored in `draco_missing`.
pub(super) fn waiting(
    file: &mut File,
    required: bool,
    byte_limit: u64,
    bytes: impl Fn(&File, usize) -> Result<(), ImportError>,
) -> Result<Vec<PendingMesh>, ImportError> {
    let mut list: Vec<PendingMesh> = Vec::new();
    let mut encoded = 0u64;
    for Encoded { mesh, primitive, view, ids, pointer } in std::mem::take(&mut file.draco) {
        let Some(source) = file.meshes.get(mesh).and_then(|mesh| mesh.primitives.get(primitive)) else {
            continue;
        };
        let plain = |index: json::Index<json::Accessor>| {
            let accessor = file.accessors.get(index.value());
            accessor.is_some_and(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
        };
        if !required && source.attributes.iter().map(|(_, index)| *index).chain(source.indices).all(plain) {
            continue;
        }
        if let Err(error) = bytes(file, view)
            && error.kind.lacks_bytes()
        {
            file.draco_missing.push(((mesh, primitive), error));
            continue;
        }
        // Many primitives may refer to the same encoded bytes.
        encoded = encoded.saturating_add(file.buffer_views.get(view).map_or(0, |view| view.byte_length.0));
        if encoded > byte_limit {
            return Err(ImportErrorKind::TooLarge { needed: encoded, limit: byte_limit }.at(pointer));
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
            let Some(accessor) = file.accessors.get(index.value()) else {
                let (index, count) = (index.value(), file.accessors.len());
                return Err(
                    ImportErrorKind::IndexOutOfRange { element: "accessor", index, count }.at(place())
                );
            };
            let (Checked::Valid(kind), Checked::Valid(component)) = (accessor.type_, accessor.component_type)
            else {
                let reason = "the accessor has an unknown type".to_owned();
                return Err(ImportErrorKind::InvalidValue { reason }.at(place()));
            };
            let component = component_type(component.0);
            attributes.push(DracoAttribute { id: *id, component, components: components(kind) });
            semantics.push((semantic.clone(), index.value()));
        }
        let request = DracoRequest { index: list.len(), attributes, byte_limit, pointer };
        list.push(PendingMesh { mesh, primitive, view, semantics, request, decoded: None });
    }
    Ok(list)
}

fn component_type(component: accessor::ComponentType) -> ComponentType {
    use accessor::ComponentType as C;
    match component {
        C::I8 => ComponentType::I8,
        C::U8 => ComponentType::U8,
        C::I16 => ComponentType::I16,
        C::U16 => ComponentType::U16,
        C::U32 => ComponentType::U32,
        C::F32 => ComponentType::F32,
    }
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

deferred! {
    /// See [`make_accessors`].
    pub(super) fn place(
        file: &mut File, waiting: &mut [PendingMesh], buffers: usize, log: &mut Log,
    ) -> Result<Vec<Vec<u8>>, ImportError> = make_accessors;
}

/// Adds accessors for the decoded meshes; returns their buffers, which are appended after `buffers` others.
fn make_accessors(
    file: &mut File,
    waiting: &mut [PendingMesh],
    buffers: usize,
    log: &mut Log,
) -> Result<Vec<Vec<u8>>, ImportError> {
    let mut bytes: Vec<Vec<u8>> = Vec::new();
    for part in waiting {
        let Some(DracoMesh { vertices, attributes, indices }) = part.decoded.take() else {
            return Err(ImportErrorKind::DracoUnavailable.at(&part.request.pointer));
        };
        let mut add = |file: &mut File, like: Option<usize>, count: usize, data: Vec<u8>| {
            let buffer = json::Index::new((buffers + bytes.len()) as u32);
            let view = json::Index::push(&mut file.buffer_views, view(buffer, data.len()));
            bytes.push(data);
            let mut place = accessor_of(view, count);
            if let Some(like) = like.and_then(|index| file.accessors.get(index)) {
                (place.component_type, place.type_, place.normalized) =
                    (like.component_type, like.type_, like.normalized);
            }
            json::Index::push(&mut file.accessors, place)
        };
        let mut moved = Vec::new();
        for ((semantic, like), data) in part.semantics.drain(..).zip(attributes) {
            let said = file.accessors.get(like).map_or(0, |accessor| accessor.count.0);
            if said != vertices as u64 {
                let message = format!(
                    "The decoder returned {vertices} vertices, but the accessor has {said}; the decoder's count is used"
                );
                log.warn(codes::ACCESSOR_COUNT, format_args!("/accessors/{like}/count"), message);
            }
            moved.push((semantic, add(file, Some(like), vertices, data)));
        }
        let data = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let indices = add(file, None, indices.len(), data);
        if let Some(primitive) =
            file.meshes.get_mut(part.mesh).and_then(|mesh| mesh.primitives.get_mut(part.primitive))
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
fn view(buffer: json::Index<json::Buffer>, length: usize) -> json::buffer::View {
    let (byte_offset, byte_stride, name, target, extensions, extras) = Default::default();
    let byte_length = USize64::from(length);
    json::buffer::View { buffer, byte_length, byte_offset, byte_stride, name, target, extensions, extras }
}

/// An accessor of u32 indices.
fn accessor_of(view: json::Index<json::buffer::View>, count: usize) -> json::Accessor {
    let component = GenericComponentType(accessor::ComponentType::U32);
    let (byte_offset, min, max, name, sparse, extensions, extras) = Default::default();
    json::Accessor {
        buffer_view: Some(view),
        byte_offset,
        count: USize64::from(count),
        component_type: Checked::Valid(component),
        extensions,
        extras,
        type_: Checked::Valid(accessor::Type::Scalar),
        min,
        max,
        name,
        normalized: false,
        sparse,
    }
}
