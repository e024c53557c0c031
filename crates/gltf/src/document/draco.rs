//! KHR_draco_mesh_compression: compressed primitives → primitives with plain accessors.

use super::{Document, Written, remove_below};
use crate::codec::{DracoAttribute, DracoMesh, DracoRequest};
use crate::element::{ComponentType, Kind};
use crate::error::{ImportError, ImportErrorKind};
use crate::json::Value;
use crate::resolver::Resolver;

const EXTENSION: &str = "KHR_draco_mesh_compression";

/// An attribute of a compressed primitive.
struct Attribute {
    name: String,
    /// The accessor that describes its numbers.
    accessor: usize,
    id: u32,
}

impl Document {
    /// Decodes all primitives that are compressed by Draco, with the decoder of `resolver`. Each one becomes a list of
    /// triangles with accessors of its own. Primitives with plain data as well use that.
    ///
    /// Returns the accessors that described the decoded numbers, each with the accessor that has them.
    ///
    /// # Errors
    /// [`ImportErrorKind::DracoUnavailable`] if `resolver` has no decoder, [`ImportErrorKind::Draco`] if a mesh cannot be decoded, and those of
    /// accessors.
    pub fn decode_draco(&mut self, resolver: &mut dyn Resolver) -> Result<Vec<(usize, usize)>, ImportError> {
        let mut decoded = Vec::new();
        for mesh in 0..self.list("meshes").len() {
            let primitives = self.list("meshes")[mesh].get("primitives").and_then(Value::as_array);
            for primitive in 0..primitives.map_or(0, <[_]>::len) {
                let pointer = format!("/meshes/{mesh}/primitives/{primitive}");
                if let Some(extension) = self.json.pointer(&format!("{pointer}/extensions/{EXTENSION}")) {
                    let extension = extension.clone();
                    self.decode_primitive(&pointer, &extension, resolver, &mut decoded)?;
                }
            }
        }
        self.undeclare(EXTENSION);
        Ok(decoded)
    }

    fn decode_primitive(
        &mut self,
        pointer: &str,
        extension: &Value,
        resolver: &mut dyn Resolver,
        decoded: &mut Vec<(usize, usize)>,
    ) -> Result<(), ImportError> {
        let attributes = self.compressed_attributes(pointer, extension);
        let indices = self.json.pointer(&format!("{pointer}/indices")).and_then(Value::as_index);
        let accessors = attributes.iter().map(|attribute| attribute.accessor).chain(indices);
        let is_plain = |accessor: usize| {
            let json = &self.list("accessors").get(accessor);
            json.is_some_and(|json| json.get("bufferView").is_some() || json.get("sparse").is_some())
        };
        if !accessors.into_iter().all(is_plain) {
            let mesh =
                self.decoded(&format!("{pointer}/extensions/{EXTENSION}"), extension, &attributes, resolver)?;
            self.write_decoded(pointer, &attributes, mesh, decoded)?;
            let made = self.json.pointer(&format!("{pointer}/indices")).and_then(Value::as_index);
            decoded.extend(indices.zip(made));
        }
        if let Some(primitive) = self.json.pointer_mut(pointer) {
            remove_below(primitive, "extensions", EXTENSION);
        }
        Ok(())
    }

    /// The attributes of a primitive that the extension has.
    fn compressed_attributes(&self, pointer: &str, extension: &Value) -> Vec<Attribute> {
        let attributes = self.json.pointer(&format!("{pointer}/attributes")).and_then(Value::as_object);
        let attributes = attributes.into_iter().flatten().filter_map(|(name, accessor)| {
            let id = extension.get("attributes")?.get(name)?.as_u64()?.try_into().ok()?;
            Some(Attribute { name: name.to_owned(), accessor: accessor.as_index()?, id })
        });
        attributes.collect()
    }

    /// The decoded mesh, with as many bytes for each attribute as its accessor says.
    fn decoded(
        &self,
        pointer: &str,
        extension: &Value,
        attributes: &[Attribute],
        resolver: &mut dyn Resolver,
    ) -> Result<DracoMesh, ImportError> {
        let fault = |reason: &str| ImportErrorKind::Draco { reason: reason.to_owned() }.at(pointer);
        let mut wanted = Vec::new();
        for attribute in attributes {
            let accessor = self.accessor(attribute.accessor)?;
            let (component, components) = (accessor.component, accessor.kind.multiplicity());
            wanted.push(DracoAttribute { id: attribute.id, component, components });
        }
        let view = extension.index_at("bufferView").filter(|&view| view < self.view_count());
        let view = view.ok_or_else(|| fault("the buffer view is missing"))?;
        let sizes: Vec<usize> = wanted.iter().map(|each| each.components * each.component.size()).collect();
        let request = DracoRequest {
            index: 0,
            attributes: wanted,
            byte_limit: self.limit,
            pointer: pointer.to_owned(),
        };
        let mesh = match resolver.decode_draco(&request, self.view_bytes(view)) {
            Some(mesh) => mesh.map_err(|reason| fault(&reason))?,
            None => return Err(ImportErrorKind::DracoUnavailable.at(pointer)),
        };
        let fits = |(bytes, size): (&Vec<u8>, &usize)| Some(bytes.len()) == mesh.vertices.checked_mul(*size);
        if mesh.attributes.len() != sizes.len()
            || !mesh.attributes.iter().zip(&sizes).all(fits)
            || !mesh.indices.len().is_multiple_of(3)
        {
            return Err(fault("the decoder returned another number of bytes"));
        }
        Ok(mesh)
    }

    fn write_decoded(
        &mut self,
        pointer: &str,
        attributes: &[Attribute],
        mesh: DracoMesh,
        decoded: &mut Vec<(usize, usize)>,
    ) -> Result<(), ImportError> {
        for (attribute, bytes) in attributes.iter().zip(mesh.attributes) {
            let said = self.accessor(attribute.accessor)?;
            let element = said.element_size();
            // Vertices begin at multiples of four bytes.
            let stride = element.next_multiple_of(4);
            let mut padded = vec![0; mesh.vertices * stride];
            for (to, from) in padded.chunks_exact_mut(stride).zip(bytes.chunks_exact(element)) {
                to[..element].copy_from_slice(from);
            }
            let view = self.add_view(padded, Some(stride), Some(34962), None);
            let written = Written::new(view, said.component, said.kind, mesh.vertices);
            let mut written = Written { normalized: said.normalized, ..written };
            let accessor = self.add_accessor(&written);
            if attribute.name == "POSITION" {
                // The range in the file is that before the compression.
                written.range = Some(range(&self.floats(accessor)?));
                self.list_mut("accessors").pop();
                self.add_accessor(&written);
            }
            self.set(&format!("{pointer}/attributes"), &attribute.name, accessor);
            decoded.push((attribute.accessor, accessor));
        }
        let bytes = mesh.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let indices = self.add_elements(bytes, Some(34963), ComponentType::U32, Kind::Scalar);
        self.set(pointer, "indices", indices);
        // A strip is decoded as a list of triangles, which is the default.
        if let Some(object) = self.json.pointer_mut(pointer).and_then(Value::as_object_mut) {
            object.remove("mode");
        }
        Ok(())
    }

    fn set(&mut self, pointer: &str, name: &str, value: usize) {
        if let Some(object) = self.json.pointer_mut(pointer).and_then(Value::as_object_mut) {
            object.insert(name.to_owned(), value.into());
        }
    }
}

/// The smallest and the largest value of each coordinate.
fn range(positions: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let (mut low, mut high) = (vec![f32::INFINITY; 3], vec![f32::NEG_INFINITY; 3]);
    for position in positions.chunks_exact(3) {
        for (axis, &value) in position.iter().enumerate() {
            low[axis] = low[axis].min(value);
            high[axis] = high[axis].max(value);
        }
    }
    (low, high)
}
