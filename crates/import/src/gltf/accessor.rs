//! Reads accessors, and checks every count against the available bytes before allocation.
//! Spec: glTF 2.0 §3.6.2.

use super::compressed::{Broken, Decoded};
use super::elements::{self, Accessor, AccessorIndex, View};
use gambol_animation::model::Deltas;
use gambol_gltf::bytes::Bytes;
use gambol_gltf::element::{Checked, ComponentType, Kind, Word, element_size};
use gambol_gltf::error::{ImportError, ImportErrorKind};
use gambol_gltf::log::Log;
use std::cell::Cell;
use std::fmt;
use std::slice::Chunks;

/// Decodes accessors within a memory budget.
pub(super) struct Reader<'a> {
    accessors: &'a [Accessor],
    views: &'a [View],
    /// The available bytes of each buffer; `None` if the buffer is missing.
    buffers: &'a [Option<Bytes<'a>>],
    /// The declared length of each buffer of the file, in bytes.
    declared: Vec<u64>,
    budget: Budget,
    /// The buffer views whose encoded bytes cannot be decoded, with the reasons.
    broken: Vec<(usize, Broken)>,
    /// The buffer views whose filter makes unit quaternions of their elements, sorted.
    quaternions: Vec<usize>,
    used: Vec<Cell<bool>>,
}

/// A limit on decoded bytes.
#[derive(Debug)]
pub(super) struct Budget {
    limit: u64,
    spent: Cell<u64>,
}

impl Budget {
    /// Charges memory to the budget before it is allocated.
    pub(super) fn spend(&self, count: usize, size: usize) -> Result<(), ImportErrorKind> {
        let needed = self.spent.get().saturating_add((count as u64).saturating_mul(size as u64));
        if needed > self.limit {
            return Err(ImportErrorKind::TooLarge { needed, limit: self.limit });
        }
        self.spent.set(needed);
        Ok(())
    }
}

/// An accessor whose bytes have been checked.
struct Source<'a> {
    /// The index of the accessor.
    index: usize,
    count: usize,
    kind: Kind,
    component: ComponentType,
    normalized: bool,
    /// The elements; all zeros if `None`.
    base: Option<Elements<'a>>,
    sparse: Option<Sparse<'a>>,
}

/// Elements with a constant stride.
#[derive(Clone, Copy)]
struct Elements<'a> {
    bytes: Bytes<'a>,
    stride: usize,
    /// The number of bytes of an element.
    size: usize,
}

/// The number of bytes that are read at once from outside of memory.
const AT_ONCE: usize = 1 << 16;

/// The replaced elements of a sparse accessor.
struct Sparse<'a> {
    count: usize,
    index_component: ComponentType,
    indices: Elements<'a>,
    values: Elements<'a>,
}

/// The name of a component type in messages.
fn component_name(component: ComponentType) -> &'static str {
    match component {
        ComponentType::I8 => "I8",
        ComponentType::U8 => "U8",
        ComponentType::I16 => "I16",
        ComponentType::U16 => "U16",
        ComponentType::U32 => "U32",
        ComponentType::F32 => "F32",
    }
}

/// Decodes an element; `bytes` has at least `out.len()` components. Spec: §3.11 on normalized integers.
fn decode_floats(bytes: &[u8], component: ComponentType, normalized: bool, out: &mut [f32]) {
    let scale = |value: f32, max: f32| if normalized { (value / max).max(-1.0) } else { value };
    match component {
        ComponentType::F32 => {
            for (out, bytes) in out.iter_mut().zip(bytes.as_chunks().0) {
                *out = f32::from_le_bytes(*bytes);
            }
        }
        ComponentType::U32 => {
            for (out, bytes) in out.iter_mut().zip(bytes.as_chunks().0) {
                *out = scale(u32::from_le_bytes(*bytes) as f32, u32::MAX as f32);
            }
        }
        ComponentType::U16 => {
            for (out, bytes) in out.iter_mut().zip(bytes.as_chunks().0) {
                *out = scale(u16::from_le_bytes(*bytes).into(), 65535.0);
            }
        }
        ComponentType::I16 => {
            for (out, bytes) in out.iter_mut().zip(bytes.as_chunks().0) {
                *out = scale(i16::from_le_bytes(*bytes).into(), 32767.0);
            }
        }
        ComponentType::U8 => {
            for (out, &byte) in out.iter_mut().zip(bytes) {
                *out = scale(byte.into(), 255.0);
            }
        }
        ComponentType::I8 => {
            for (out, &byte) in out.iter_mut().zip(bytes) {
                *out = scale(byte.cast_signed().into(), 127.0);
            }
        }
    }
}

/// Decodes an element as integers; the caller has rejected signed types. Fractions of floats are truncated.
fn decode_integers(bytes: &[u8], component: ComponentType, out: &mut [u32]) {
    let size = component.size();
    for (out, bytes) in out.iter_mut().zip(bytes.chunks_exact(size)) {
        *out = match (component, bytes) {
            (ComponentType::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]) as u32,
            (_, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
            (_, &[a, b]) => u16::from_le_bytes([a, b]).into(),
            (_, &[a]) => a.into(),
            _ => 0,
        };
    }
}

impl Elements<'_> {
    /// The number of elements to read at once: all elements in memory.
    fn at_once(self) -> usize {
        match self.bytes {
            Bytes::Memory(_) => usize::MAX,
            Bytes::Outside { .. } => (AT_ONCE / self.stride).max(1),
        }
    }

    /// The bytes of `count` elements from `first` on, one chunk per element; those outside of memory are copied to
    /// `buffer`.
    fn rows<'b>(self, first: usize, count: usize, buffer: &'b mut Vec<u8>) -> Chunks<'b, u8>
    where
        Self: 'b,
    {
        let start = first * self.stride;
        let range = start..start + (count - 1) * self.stride + self.size;
        self.bytes.get(range).unwrap_or(self.bytes).read(buffer).chunks(self.stride)
    }
}

impl Source<'_> {
    /// The error of a fault in the elements.
    fn at(&self, kind: ImportErrorKind) -> ImportError {
        kind.at(format_args!("/accessors/{}", self.index))
    }

    /// Decodes all elements into `out`, with as many components as the type has; `out` must be zeros.
    fn decode<T>(&self, out: &mut [T], decode: impl Fn(&[u8], &mut [T])) -> Result<(), ImportError> {
        let width = self.kind.multiplicity();
        if let Some(base) = self.base {
            let mut buffer = Vec::new();
            for (i, out) in out.chunks_mut(base.at_once().saturating_mul(width)).enumerate() {
                let rows = base.rows(i * base.at_once(), out.len() / width, &mut buffer);
                rows.zip(out.chunks_exact_mut(width)).for_each(|(row, out)| decode(row, out));
            }
        }
        let mut replace =
            |_: usize, index: usize, value: &[u8]| decode(value, &mut out[index * width..][..width]);
        self.replaced(&mut replace)
    }

    /// Calls `each` with the number of each replaced element, its index, which is checked, and its bytes.
    fn replaced(&self, each: &mut dyn FnMut(usize, usize, &[u8])) -> Result<(), ImportError> {
        let Some(Sparse { count, index_component, indices, values }) = &self.sparse else { return Ok(()) };
        let at_once = indices.at_once().min(values.at_once());
        let (mut index_buffer, mut value_buffer) = (Vec::new(), Vec::new());
        for first in (0..*count).step_by(at_once) {
            let count = at_once.min(count - first);
            let indices = indices.rows(first, count, &mut index_buffer);
            let values = values.rows(first, count, &mut value_buffer);
            for (i, (index, value)) in indices.zip(values).enumerate() {
                let mut number = [0];
                decode_integers(index, *index_component, &mut number);
                let index = number[0] as usize;
                if index >= self.count {
                    return Err(self.at(ImportErrorKind::SparseIndexOutOfRange { index, count: self.count }));
                }
                each(first + i, index, value);
            }
        }
        Ok(())
    }

    /// Decodes all elements as floats into `out`, which must be zeros.
    fn floats(&self, out: &mut [f32]) -> Result<(), ImportError> {
        self.decode(out, |bytes, out| decode_floats(bytes, self.component, self.normalized, out))
    }

    /// Decodes the replaced elements of a sparse accessor into `out`; returns their indices.
    fn sparse_floats(&self, out: &mut [f32]) -> Result<Vec<u32>, ImportError> {
        let width = self.kind.multiplicity();
        let mut indices = vec![0; out.len() / width];
        self.replaced(&mut |i, index, value| {
            // The index was read as u32.
            indices[i] = index as u32;
            decode_floats(value, self.component, self.normalized, &mut out[i * width..][..width]);
        })?;
        Ok(indices)
    }
}

fn invalid(reason: &str, pointer: fmt::Arguments<'_>, key: &str) -> ImportError {
    ImportErrorKind::InvalidValue { reason: reason.to_owned() }.at(format_args!("{pointer}/{key}"))
}

impl<'a> Reader<'a> {
    /// A reader that decodes up to `limit` bytes.
    pub(super) fn new(
        accessors: &'a [Accessor],
        views: &'a [View],
        buffers: &'a [Option<Bytes<'a>>],
        declared: Vec<u64>,
        limit: u64,
    ) -> Self {
        let used = vec![Cell::new(false); accessors.len()];
        let budget = Budget { limit, spent: Cell::new(0) };
        let (broken, quaternions) = (Vec::new(), Vec::new());
        Self { accessors, views, buffers, declared, budget, broken, quaternions, used }
    }

    /// Records that decoding has used `bytes` of the budget, and the views that cannot be decoded.
    pub(super) fn record_decoded(&mut self, bytes: u64, decoded: Decoded) {
        self.budget.spent.set(bytes);
        self.broken = decoded.broken;
        self.quaternions = decoded.quaternions;
    }

    /// `true` if the filter of the accessor's view has made unit quaternions of all elements.
    pub(super) fn is_filtered_to_quaternions(&self, index: AccessorIndex) -> bool {
        let view = self.accessors.get(index.value()).and_then(|accessor| accessor.buffer_view);
        view.is_some_and(|view| self.quaternions.binary_search(&view.value()).is_ok())
    }

    /// See [`Budget::spend`].
    pub(super) fn spend(&self, count: usize, size: usize) -> Result<(), ImportErrorKind> {
        self.budget.spend(count, size)
    }

    /// The remaining budget, for later use without the reader.
    pub(super) fn into_budget(self) -> Budget {
        self.budget
    }

    /// Checks that every buffer view lies within the declared length of its buffer. Missing bytes at the end of a buffer
    /// only affect the accessors that need them.
    pub(super) fn check_views(&self) -> Result<(), ImportError> {
        for (i, view) in self.views.iter().enumerate() {
            let buffer = self.buffers.get(view.buffer.value()).copied().flatten();
            let needed = view.byte_offset.saturating_add(view.byte_length);
            let declared = self.declared.get(view.buffer.value()).copied().unwrap_or(0);
            let beyond = |&length: &u64| needed > length.max(declared);
            if let Some(available) = buffer.map(|bytes| bytes.len() as u64).filter(beyond) {
                return Err(ImportErrorKind::ViewOutOfRange { needed, available }
                    .at(format_args!("/bufferViews/{i}")));
            }
        }
        Ok(())
    }

    /// All bytes of a buffer view, and the index of its buffer.
    pub(super) fn view(
        &self,
        index: usize,
        pointer: fmt::Arguments<'_>,
    ) -> Result<(usize, Bytes<'a>), ImportError> {
        self.check_encoded(index)?;
        let bytes = Self::view_of(self.views, self.buffers, index, pointer)?;
        Ok((self.views[index].buffer.value(), bytes))
    }

    /// Returns an error if the view's encoded bytes could not be decoded.
    fn check_encoded(&self, index: usize) -> Result<(), ImportError> {
        match self.broken.binary_search_by_key(&index, |(view, _)| *view) {
            Ok(found) => Err(self.broken[found].1.error.clone()),
            Err(_) => Ok(()),
        }
    }

    /// All bytes of a view of `views` in `buffers`.
    pub(super) fn view_of<'b>(
        views: &[View],
        buffers: &[Option<Bytes<'b>>],
        index: usize,
        pointer: fmt::Arguments<'_>,
    ) -> Result<Bytes<'b>, ImportError> {
        let bytes = Self::part_of(views, buffers, index, pointer)?;
        let (needed, available) = (views[index].byte_length, bytes.len() as u64);
        if needed > available {
            let kind = ImportErrorKind::ViewOutOfRange { needed, available };
            return Err(kind.at(format_args!("/bufferViews/{index}")));
        }
        Ok(bytes)
    }

    /// The available bytes of a view of `views` in `buffers`.
    fn part_of<'b>(
        views: &[View],
        buffers: &[Option<Bytes<'b>>],
        index: usize,
        pointer: fmt::Arguments<'_>,
    ) -> Result<Bytes<'b>, ImportError> {
        let Some(view) = views.get(index) else {
            let kind = ImportErrorKind::IndexOutOfRange { element: "buffer view", index, count: views.len() };
            return Err(kind.at(pointer));
        };
        let Some(bytes) = buffers.get(view.buffer.value()).copied().flatten() else {
            let reason = "no file, data URI or binary chunk provides them".to_owned();
            return Err(ImportErrorKind::BufferMissing { reason }
                .at(format_args!("/buffers/{}", view.buffer.value())));
        };
        let length = bytes.len() as u64;
        let start = view.byte_offset.min(length);
        let end = start.saturating_add(view.byte_length).min(length);
        // Both are within the slice, so they fit in usize.
        Ok(bytes.get(start as usize..end as usize).unwrap_or(bytes))
    }

    /// The elements at an offset of a buffer view, if all their bytes are available.
    fn elements(
        &self,
        view: usize,
        offset: u64,
        count: u64,
        size: usize,
        tight: bool,
        pointer: fmt::Arguments<'_>,
    ) -> Result<Elements<'a>, ImportError> {
        self.check_encoded(view)?;
        let bytes = Self::part_of(self.views, self.buffers, view, format_args!("{pointer}/bufferView"))?;
        let stride = match self.views[view].byte_stride {
            Some(stride) if !tight && stride != 0 => stride,
            _ => size,
        };
        if stride < size {
            let kind = ImportErrorKind::StrideTooShort { stride, element: size };
            return Err(kind.at(format_args!("/bufferViews/{view}/byteStride")));
        }
        let last = count.saturating_sub(1).saturating_mul(stride as u64);
        let needed = if count == 0 { 0 } else { last.saturating_add(size as u64).saturating_add(offset) };
        let available = bytes.len() as u64;
        if needed > available {
            return Err(ImportErrorKind::AccessorOutOfRange { needed, available }.at(pointer));
        }
        let bytes = bytes.after(usize::try_from(offset).unwrap_or(usize::MAX));
        Ok(Elements { bytes, stride, size })
    }

    /// The accessor at `index`, with its bytes checked; `pointer` is the JSON pointer of the index.
    fn source(&self, index: usize, pointer: fmt::Arguments<'_>) -> Result<Source<'a>, ImportError> {
        let Some(accessor) = self.accessors.get(index) else {
            let kind =
                ImportErrorKind::IndexOutOfRange { element: "accessor", index, count: self.accessors.len() };
            return Err(kind.at(pointer));
        };
        self.used[index].set(true);
        let pointer = format_args!("/accessors/{index}");
        let invalid = |reason, key| invalid(reason, pointer, key);
        let Checked::Valid(kind) = accessor.kind else { return Err(invalid("unknown type", "type")) };
        let Checked::Valid(component) = accessor.component_type else {
            return Err(invalid("unknown component type", "componentType"));
        };
        let size = element_size(component, kind);
        let count = accessor.count;
        let base = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset;
                Some(self.elements(view.value(), offset, count, size, false, pointer)?)
            }
            None => None,
        };
        let sparse = match &accessor.sparse {
            None => None,
            Some(sparse) => Some(self.sparse(sparse, count, size, pointer)?),
        };
        // Only an accessor of zeros can exceed the address space; reading it fails with `TooLarge`.
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        Ok(Source { index, count, kind, component, normalized: accessor.normalized, base, sparse })
    }

    /// The sparse elements of the accessor at `pointer`, which has `count` elements of `size` bytes.
    fn sparse(
        &self,
        sparse: &elements::Sparse,
        count: u64,
        size: usize,
        pointer: fmt::Arguments<'_>,
    ) -> Result<Sparse<'a>, ImportError> {
        let sparse_count = sparse.count;
        let invalid = |reason, key| invalid(reason, pointer, key);
        if sparse_count > count {
            return Err(invalid("it is above the count of the accessor", "sparse/count"));
        }
        let Checked::Valid(index_component) = sparse.indices.component_type else {
            return Err(invalid("unknown component type", "sparse/indices/componentType"));
        };
        let (indices, values) = (&sparse.indices, &sparse.values);
        let indices = self.elements(
            indices.buffer_view.value(),
            indices.byte_offset,
            sparse_count,
            index_component.size(),
            true,
            format_args!("{pointer}/sparse/indices"),
        )?;
        let values = self.elements(
            values.buffer_view.value(),
            values.byte_offset,
            sparse_count,
            size,
            true,
            format_args!("{pointer}/sparse/values"),
        )?;
        // The indices are in memory, so the count fits in usize.
        Ok(Sparse { count: sparse_count as usize, index_component, indices, values })
    }

    /// The declared number of elements of an accessor.
    pub(super) fn count(&self, index: AccessorIndex) -> Option<u64> {
        self.accessors.get(index.value()).map(|accessor| accessor.count)
    }

    /// The maximum of an accessor's declared component type; `None` for signed types and floats.
    pub(super) fn greatest(&self, index: AccessorIndex) -> Option<u32> {
        match self.accessors.get(index.value())?.component_type {
            Checked::Valid(component) => match component {
                ComponentType::U8 => Some(u8::MAX.into()),
                ComponentType::U16 => Some(u16::MAX.into()),
                ComponentType::U32 => Some(u32::MAX),
                _ => None,
            },
            Checked::Invalid => None,
        }
    }

    /// The declared element type of an accessor.
    pub(super) fn kind(&self, index: AccessorIndex) -> Option<Kind> {
        match self.accessors.get(index.value())?.kind {
            Checked::Valid(kind) => Some(kind),
            Checked::Invalid => None,
        }
    }

    fn checked(
        &self,
        index: AccessorIndex,
        pointer: fmt::Arguments<'_>,
        kinds: &[Kind],
        expected: &'static str,
    ) -> Result<Source<'a>, ImportError> {
        let source = self.source(index.value(), pointer)?;
        if !kinds.contains(&source.kind) {
            let found = source.kind.word().to_owned();
            return Err(ImportErrorKind::AccessorType { expected, found }.at(pointer));
        }
        Ok(source)
    }

    /// As [`Reader::checked`], after charging the memory of all components, of four bytes each.
    fn charged(
        &self,
        index: AccessorIndex,
        pointer: fmt::Arguments<'_>,
        kinds: &[Kind],
        expected: &'static str,
    ) -> Result<Source<'a>, ImportError> {
        let source = self.checked(index, pointer, kinds, expected)?;
        self.spend(source.count, source.kind.multiplicity() * 4).map_err(|kind| source.at(kind))?;
        Ok(source)
    }

    /// All components of an accessor, element by element.
    pub(super) fn floats(
        &self,
        index: AccessorIndex,
        pointer: fmt::Arguments<'_>,
        kinds: &[Kind],
        expected: &'static str,
    ) -> Result<Vec<f32>, ImportError> {
        let source = self.charged(index, pointer, kinds, expected)?;
        let mut values = vec![0.0; source.count * source.kind.multiplicity()];
        source.floats(&mut values)?;
        Ok(values)
    }

    /// The elements of an accessor; `kind` has `N` components.
    pub(super) fn rows<const N: usize>(
        &self,
        index: AccessorIndex,
        pointer: fmt::Arguments<'_>,
        kind: Kind,
    ) -> Result<Vec<[f32; N]>, ImportError> {
        let source = self.charged(index, pointer, &[kind], kind.word())?;
        let mut rows = vec![[0.0; N]; source.count];
        source.floats(rows.as_flattened_mut())?;
        Ok(rows)
    }

    /// The elements of an accessor of differences; `kind` has `N` components. A sparse accessor without base elements
    /// stays sparse.
    pub(super) fn deltas<const N: usize>(
        &self,
        index: AccessorIndex,
        pointer: fmt::Arguments<'_>,
        kind: Kind,
    ) -> Result<Deltas<N>, ImportError> {
        let source = self.checked(index, pointer, &[kind], kind.word())?;
        let count = match (source.base, &source.sparse) {
            (Some(_), _) => return self.rows(index, pointer, kind).map(Deltas::from),
            (None, Some(sparse)) => sparse.count,
            (None, None) => return Ok(Deltas::default()),
        };
        self.spend(count, N * 4 + 4).map_err(|kind| source.at(kind))?;
        let mut values = vec![[0.0; N]; count];
        let vertices = source.sparse_floats(values.as_flattened_mut())?;
        Ok(Deltas::sparse(vertices, values))
    }

    /// All components of an accessor as integers; floats are truncated if `floats` allows them.
    pub(super) fn integers(
        &self,
        index: AccessorIndex,
        pointer: fmt::Arguments<'_>,
        kind: Kind,
        floats: bool,
    ) -> Result<Vec<u32>, ImportError> {
        let source = self.checked(index, pointer, &[kind], kind.word())?;
        let allowed = match source.component {
            ComponentType::U8 | ComponentType::U16 | ComponentType::U32 => true,
            ComponentType::F32 => floats,
            ComponentType::I8 | ComponentType::I16 => false,
        };
        if !allowed {
            let (expected, found) = ("unsigned integers", component_name(source.component).to_owned());
            return Err(ImportErrorKind::AccessorType { expected, found }.at(pointer));
        }
        let width = kind.multiplicity();
        self.spend(source.count, width * 4).map_err(|kind| source.at(kind))?;
        let mut values = vec![0; source.count * width];
        source.decode(&mut values, |bytes, out| decode_integers(bytes, source.component, out))?;
        Ok(values)
    }

    /// `true` if bytes of an accessor's buffer are missing, which was already reported.
    fn is_lost(&self, accessor: usize) -> bool {
        let view = self.accessors[accessor].buffer_view.and_then(|view| self.views.get(view.value()));
        view.is_some_and(|view| {
            let buffer = view.buffer.value();
            let there = self.buffers.get(buffer).copied().flatten().map_or(0, |bytes| bytes.len() as u64);
            self.declared.get(buffer).is_some_and(|&declared| there < declared)
        })
    }

    /// Reports faults of unused accessors.
    pub(super) fn check_unused(&self, log: &mut Log) {
        for (index, used) in self.used.iter().enumerate() {
            if !used.get()
                && let Err(error) = self.source(index, format_args!(""))
                && !(error.kind.lacks_bytes() && self.is_lost(index))
            {
                log.warn_repaired(error, "it is unused");
            }
        }
    }
}
