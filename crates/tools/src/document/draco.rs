//! KHR_draco_mesh_compression: compressed primitives → primitives with plain accessors.

use super::{Component, Document, Kind, Written, index, remove_below};
use crate::error::ToolsError;
use gambol::import::{ComponentType, DracoAttribute, DracoMesh, DracoRequest, Resolver, codes};
use gambol_gltf::json::Value;

const EXTENSION: &str = "KHR_draco_mesh_compression";

/// An attribute of a compressed primitive.
struct Attribute {
    name: String,
    /// The accessor that describes its numbers.
    accessor: usize,
    id: u32,
}

impl Document {
    /// Decodes all primitives that are compressed by Draco, with the decoder of `resolver`; `true` if there were some.
    /// Each one becomes a list of triangles with accessors of its own. Primitives with plain data as well use that.
    ///
    /// # Errors
    /// [`codes::DRACO_UNAVAILABLE`] if `resolver` has no decoder, [`codes::DRACO`] if a mesh cannot be decoded, and those of
    /// accessors.
    pub fn decode_draco(&mut self, resolver: &mut dyn Resolver) -> Result<bool, ToolsError> {
        let mut found = false;
        for mesh in 0..self.list("meshes").len() {
            let primitives = self.list("meshes")[mesh].get("primitives").and_then(Value::as_array);
            for primitive in 0..primitives.map_or(0, <[_]>::len) {
                let pointer = format!("/meshes/{mesh}/primitives/{primitive}");
                if let Some(extension) = self.json.pointer(&format!("{pointer}/extensions/{EXTENSION}")) {
                    let extension = extension.clone();
                    self.decode_primitive(&pointer, &extension, resolver)?;
                    found = true;
                }
            }
        }
        self.undeclare(EXTENSION);
        Ok(found)
    }

    fn decode_primitive(
        &mut self,
        pointer: &str,
        extension: &Value,
        resolver: &mut dyn Resolver,
    ) -> Result<(), ToolsError> {
        let attributes = self.compressed_attributes(pointer, extension);
        let indices = self.json.pointer(&format!("{pointer}/indices")).and_then(index);
        let accessors = attributes.iter().map(|attribute| attribute.accessor).chain(indices);
        let is_plain = |accessor: usize| {
            let json = &self.list("accessors").get(accessor);
            json.is_some_and(|json| json.get("bufferView").is_some() || json.get("sparse").is_some())
        };
        if !accessors.into_iter().all(is_plain) {
            let mesh =
                self.decoded(&format!("{pointer}/extensions/{EXTENSION}"), extension, &attributes, resolver)?;
            self.write_decoded(pointer, &attributes, mesh)?;
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
            Some(Attribute { name: name.clone(), accessor: index(accessor)?, id })
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
    ) -> Result<DracoMesh, ToolsError> {
        let fault = |reason: &str| {
            ToolsError::new(codes::DRACO, pointer, format!("The Draco mesh cannot be decoded: {reason}."))
        };
        let mut wanted = Vec::new();
        for attribute in attributes {
            let accessor = self.accessor(attribute.accessor)?;
            let component = component_type(accessor.component);
            wanted.push(DracoAttribute { id: attribute.id, component, components: accessor.kind.width() });
        }
        let view = extension.get("bufferView").and_then(index).filter(|&view| view < self.view_count());
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
            None => {
                let message = "The mesh is compressed with Draco, and no decoder is available. Provide a decoder, or \
                               export the file without Draco compression.";
                return Err(ToolsError::new(codes::DRACO_UNAVAILABLE, pointer, message));
            }
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
    ) -> Result<(), ToolsError> {
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
            let mut written = Written {
                view,
                offset: 0,
                component: said.component,
                kind: said.kind,
                count: mesh.vertices,
                normalized: said.normalized,
                range: None,
            };
            let accessor = self.add_accessor(&written);
            if attribute.name == "POSITION" {
                // The range in the file is that before the compression.
                written.range = Some(range(&self.floats(accessor)?));
                self.list_mut("accessors").pop();
                self.add_accessor(&written);
            }
            self.set(&format!("{pointer}/attributes"), &attribute.name, accessor);
        }
        let count = mesh.indices.len();
        let bytes = mesh.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let view = self.add_view(bytes, None, Some(34963), None);
        let indices = Written {
            view,
            offset: 0,
            component: Component::U32,
            kind: Kind::Scalar,
            count,
            normalized: false,
            range: None,
        };
        let indices = self.add_accessor(&indices);
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

fn component_type(component: Component) -> ComponentType {
    match component {
        Component::I8 => ComponentType::I8,
        Component::U8 => ComponentType::U8,
        Component::I16 => ComponentType::I16,
        Component::U16 => ComponentType::U16,
        Component::U32 => ComponentType::U32,
        Component::F32 => ComponentType::F32,
    }
}
