//! New buffer views, each for all elements of one size, filter and use.

use gambol_gltf::codec::meshopt::Stream;
use gambol_gltf::codec::meshopt::{Filter, Layout, Mode, decode, encode, unfilter};
use gambol_gltf::document::{Document, Written};
use gambol_gltf::element::{ComponentType, Kind};

/// The use of a stream's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Purpose {
    /// Vertex attributes.
    Vertices,
    /// Vertex indices of triangle lists.
    Triangles,
    /// Vertex indices of other topologies.
    Indices,
    /// The places of the elements of sparse accessors.
    Places,
    /// Key times.
    Times,
    /// Values of keys.
    Keys,
    /// Any other data.
    Data,
}

/// Elements that share a buffer view.
struct Group {
    purpose: Purpose,
    stride: usize,
    filter: Filter,
    /// The elements before the filter. Of indices: 4 bytes each.
    elements: Vec<u8>,
}

/// The description of an accessor whose view does not exist yet.
pub(super) struct Placed {
    pub(super) component: ComponentType,
    pub(super) kind: Kind,
    pub(super) normalized: bool,
    pub(super) count: usize,
    pub(super) range: Option<(Vec<f32>, Vec<f32>)>,
}

/// The member of an accessor that refers to a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    Whole,
    SparsePlaces,
    SparseValues,
}

/// Collects elements, then adds the views.
#[derive(Default)]
pub(super) struct Streams {
    groups: Vec<Group>,
    /// The accessors that refer to a group, with their place in it.
    accessors: Vec<(usize, Member, usize, usize)>,
}

impl Streams {
    /// Adds elements; returns the group and the place in it, in bytes after decoding.
    fn push(&mut self, purpose: Purpose, stride: usize, filter: Filter, elements: &[u8]) -> (usize, usize) {
        let same = |group: &Group| (group.purpose, group.stride, group.filter) == (purpose, stride, filter);
        let group = self.groups.iter().position(same).unwrap_or_else(|| {
            self.groups.push(Group { purpose, stride, filter, elements: Vec::new() });
            self.groups.len() - 1
        });
        let list = &mut self.groups[group].elements;
        let indices = matches!(purpose, Purpose::Triangles | Purpose::Indices | Purpose::Places);
        let place = if indices { list.len() / 4 * stride } else { list.len() };
        list.extend_from_slice(elements);
        (group, place)
    }

    /// Adds an accessor with new elements; returns its index. Its view is set by [`Streams::finish`].
    pub(super) fn add(
        &mut self,
        document: &mut Document,
        (purpose, stride, filter): (Purpose, usize, Filter),
        elements: &[u8],
        placed: Placed,
    ) -> usize {
        let Placed { component, kind, normalized, count, range } = placed;
        let accessor = document.add_accessor(&Written { view: 0, component, kind, count, normalized, range });
        let (group, place) = self.push(purpose, stride, filter, elements);
        self.accessors.push((accessor, Member::Whole, group, place));
        accessor
    }

    /// Replaces the elements of an accessor, which keeps its index and its other properties.
    pub(super) fn replace(
        &mut self,
        document: &mut Document,
        accessor: usize,
        form: (Purpose, usize, Filter),
        elements: &[u8],
        placed: Placed,
    ) {
        let new = self.add(document, form, elements, placed);
        let list = document.list_mut("accessors");
        let (Some(made), Some(old)) = (list.pop(), list.get_mut(accessor)) else { return };
        if let (Some(old), gambol_gltf::json::Value::Object(made)) = (old.as_object_mut(), made) {
            ["sparse", "byteOffset", "normalized", "min", "max"].iter().for_each(|key| _ = old.remove(key));
            old.extend(made);
        }
        if let Some(entry) = self.accessors.last_mut() {
            debug_assert_eq!(entry.0, new);
            entry.0 = accessor;
        }
    }

    /// Makes the elements of an accessor zeros, but for some.
    ///
    /// - `places`: the indices of these elements, increasing.
    /// - `elements`: without gaps.
    pub(super) fn replace_sparse(
        &mut self,
        document: &mut Document,
        accessor: usize,
        (stride, filter): (usize, Filter),
        places: &[u32],
        elements: &[u8],
        placed: Placed,
    ) {
        let count = placed.count;
        self.replace(document, accessor, (Purpose::Data, stride, filter), elements, placed);
        let Some((_, _, group, place)) = self.accessors.pop() else { return };
        let Some(json) = document.list_mut("accessors")[accessor].as_object_mut() else { return };
        json.remove("bufferView");
        if places.is_empty() {
            return;
        }
        let (width, component) =
            if count > 65_536 { (4, ComponentType::U32) } else { (2, ComponentType::U16) };
        let bytes: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
        let (indices, at) = self.push(Purpose::Places, width, Filter::None, &bytes);
        json.insert(
            "sparse".to_owned(),
            gambol_gltf::json!({
                "count": places.len(),
                "indices": { "bufferView": 0, "componentType": component.as_gl_enum() },
                "values": { "bufferView": 0 },
            }),
        );
        self.accessors.push((accessor, Member::SparsePlaces, indices, at));
        self.accessors.push((accessor, Member::SparseValues, group, place));
    }

    /// Adds the views.
    ///
    /// - `compress`: `Some(true)` for KHR_meshopt_compression, `Some(false)` for EXT_meshopt_compression.
    pub(super) fn finish(self, document: &mut Document, compress: Option<bool>) {
        let mut views = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let stream = compress.map(|khronos| group.stream(khronos));
            let plain = group.plain(stream.as_ref());
            let vertices = group.purpose == Purpose::Vertices;
            let target = match group.purpose {
                Purpose::Vertices => Some(34962),
                Purpose::Triangles | Purpose::Indices => Some(34963),
                _ => None,
            };
            let stream = stream.filter(|stream| stream.bytes.len() < plain.len());
            if let Some(stream) = &stream {
                let name = if stream.khronos { "KHR_meshopt_compression" } else { "EXT_meshopt_compression" };
                document.declare(name, true);
            }
            let stride = vertices.then_some(group.stride);
            views.push(document.add_view(plain, stride, target, stream));
        }
        let list = document.list_mut("accessors");
        for (accessor, member, group, place) in self.accessors {
            let json = list.get_mut(accessor).and_then(|json| match member {
                Member::Whole => Some(json),
                Member::SparsePlaces => json.pointer_mut("/sparse/indices"),
                Member::SparseValues => json.pointer_mut("/sparse/values"),
            });
            let Some(json) = json.and_then(|json| json.as_object_mut()) else { continue };
            json.insert("bufferView".to_owned(), views[group].into());
            if place > 0 {
                json.insert("byteOffset".to_owned(), place.into());
            }
        }
    }
}

impl Group {
    /// The plain bytes: what the filter makes of the elements.
    ///
    /// - `stream`: the encoded bytes, if they are written. Their triangles may begin with another vertex.
    fn plain(&self, stream: Option<&Stream>) -> Vec<u8> {
        match (self.purpose, stream) {
            (Purpose::Triangles, Some(stream)) => decode(stream.layout, &stream.bytes).unwrap_or_default(),
            (Purpose::Triangles | Purpose::Indices | Purpose::Places, _) => {
                self.elements.chunks_exact(4).flat_map(|index| &index[..self.stride]).copied().collect()
            }
            _ => {
                let mut bytes = self.elements.clone();
                bytes.resize(bytes.len().next_multiple_of(4), 0);
                unfilter(self.filter, self.stride, &mut bytes);
                bytes
            }
        }
    }

    fn stream(&self, khronos: bool) -> Stream {
        let numbers =
            || -> Vec<u32> { self.elements.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)).collect() };
        match self.purpose {
            Purpose::Triangles => encode::triangles(&numbers(), self.stride, khronos),
            Purpose::Indices | Purpose::Places => encode::sequence(&numbers(), self.stride, khronos),
            _ if self.stride.is_multiple_of(4) => {
                encode::attributes(&self.elements, self.stride, self.filter, khronos)
            }
            _ => {
                // Elements of other sizes, in steps of four bytes.
                let mut bytes = self.elements.clone();
                bytes.resize(bytes.len().next_multiple_of(4), 0);
                let mut stream = encode::attributes(&bytes, 4, Filter::None, khronos);
                stream.layout = Layout {
                    mode: Mode::Attributes,
                    filter: Filter::None,
                    count: bytes.len() / 4,
                    stride: 4,
                };
                stream
            }
        }
    }
}
