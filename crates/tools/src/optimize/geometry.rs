//! Vertices and indices with fewer bits.

use super::keys::exponent_within;
use super::streams::{Placed, Purpose, Streams};
use gambol::import::meshopt::Filter;
use gambol_gltf::codec::meshopt;
use gambol_gltf::codec::meshopt::encode::{exponential, octahedral};
use gambol_gltf::document::{Accessor, Document, Index, visit};
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json::Value;
use std::collections::BTreeMap;

/// The use of an accessor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Use {
    /// Of a mesh; also of a morph target, whose index is not 0.
    Position {
        mesh: usize,
        target: bool,
    },
    Normal {
        target: bool,
    },
    Tangent {
        target: bool,
    },
    TexCoord,
    /// Of a triangle list, or of another topology.
    Indices {
        triangles: bool,
    },
    /// Vertex data of other kinds, which is kept to the bit.
    Vertex {
        target: bool,
    },
    /// Other data, which is kept to the bit.
    Data,
    /// Joints and weights, which [`influences`](super::influences) writes.
    Influence,
    /// Unknown users or several uses: the accessor is not touched.
    Keep,
}

/// The number of bits of normals and tangents, which the bound says nothing about.
const NORMAL_BITS: u32 = 8;
/// The exponent of texture coordinates: multiples of 1/4096.
const TEX_COORD: i32 = -12;
/// The exponent of the offsets of normals and tangents in morph targets.
const MORPH_NORMAL: i32 = -9;

/// The use of every accessor of the document.
fn uses(document: &Document) -> Vec<Use> {
    let count = document.list("accessors").len();
    let mut found: Vec<Option<Use>> = vec![None; count];
    let mut known = vec![0usize; count];
    let mut note = |value: Option<&Value>, usage: Use| {
        let Some(i) = value.and_then(Value::as_index).filter(|&i| i < count) else { return };
        known[i] += 1;
        found[i] = match found[i] {
            None => Some(usage),
            Some(before) if before == usage => Some(usage),
            // The tightest tolerance is used, see `position_errors`.
            Some(Use::Position { target: a, .. }) if matches!(usage, Use::Position { target, .. } if target == a) => {
                Some(usage)
            }
            Some(_) => Some(Use::Keep),
        };
    };
    for (mesh, json) in document.list("meshes").iter().enumerate() {
        for primitive in json.list("primitives") {
            let draco = primitive.pointer("/extensions/KHR_draco_mesh_compression").is_some();
            let mode = primitive.get("mode").map_or(Some(4), Value::as_index);
            let usage = |name: &str, target: bool| match name {
                _ if draco => Use::Keep,
                "POSITION" => Use::Position { mesh, target },
                "NORMAL" => Use::Normal { target },
                "TANGENT" => Use::Tangent { target },
                _ if name.starts_with("TEXCOORD_") && !target => Use::TexCoord,
                _ if name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_") => Use::Influence,
                _ => Use::Vertex { target },
            };
            for (name, value) in members(primitive.get("attributes")) {
                note(Some(value), usage(name, false));
            }
            for target in primitive.list("targets") {
                members(Some(target)).for_each(|(name, value)| note(Some(value), usage(name, true)));
            }
            let triangles = mode == Some(4);
            note(primitive.get("indices"), if draco { Use::Keep } else { Use::Indices { triangles } });
        }
    }
    for skin in document.list("skins") {
        note(skin.get("inverseBindMatrices"), Use::Data);
    }
    for sampler in document.list("animations").iter().flat_map(|animation| animation.list("samplers")) {
        note(sampler.get("input"), Use::Data);
        note(sampler.get("output"), Use::Data);
    }
    for node in document.list("nodes") {
        let instances = node.pointer("/extensions/EXT_mesh_gpu_instancing/attributes");
        members(instances).for_each(|(_, value)| note(Some(value), Use::Data));
    }
    // Accessors with users that are not known above.
    let mut all = vec![0usize; count];
    visit(&mut document.json.clone(), &mut |kind, value| {
        if let (Index::Accessor, Some(count)) = (kind, value.as_index().and_then(|i| all.get_mut(i))) {
            *count += 1;
        }
    });
    let usage = |i: usize| found[i].filter(|_| known[i] == all[i]).unwrap_or(Use::Keep);
    (0..count).map(usage).collect()
}

fn members(value: Option<&Value>) -> impl Iterator<Item = (&str, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

/// The accessors of joints and weights that may be changed.
pub(super) fn free_influences(document: &Document) -> Vec<bool> {
    uses(document).iter().map(|usage| *usage == Use::Influence).collect()
}

/// Rewrites all accessors of meshes and skins whose uses are known.
///
/// - `position_errors`: for each mesh, the largest error of a position in the units of the mesh; of a morph target's offset
///   the second number. 0 keeps them to the bit.
pub(super) fn rewrite(
    document: &mut Document,
    streams: &mut Streams,
    position_errors: &[[f32; 2]],
    encoded: bool,
) {
    let uses = uses(document);
    // A position accessor that several meshes share has the smallest of their errors.
    let mut errors: BTreeMap<usize, f32> = BTreeMap::new();
    for (mesh, json) in document.list("meshes").iter().enumerate() {
        for primitive in json.list("primitives") {
            let [own, target] = position_errors.get(mesh).copied().unwrap_or([0.0; 2]);
            let targets = primitive.list("targets").iter().map(|target| target.get("POSITION"));
            let all = targets.map(|value| (value, target));
            for (value, error) in all.chain([(primitive.pointer("/attributes/POSITION"), own)]) {
                if let Some(i) = value.and_then(Value::as_index) {
                    errors.entry(i).and_modify(|known| *known = known.min(error)).or_insert(error);
                }
            }
        }
    }
    for (i, usage) in uses.into_iter().enumerate() {
        // Faulty accessors stay as they are, since the importer repairs or skips what needs them.
        let Ok(accessor) = document.accessor(i) else { continue };
        let added = accessor.view.is_some_and(|view| document.is_added(view));
        // Offsets of morph targets are written as sparse accessors if that is smaller.
        let target = matches!(
            usage,
            Use::Position { target: true, .. }
                | Use::Normal { target: true }
                | Use::Tangent { target: true }
                | Use::Vertex { target: true }
        );
        let dense = !accessor.sparse && accessor.view.is_some();
        if accessor.count == 0 || added || !(dense || encoded || target) {
            continue;
        }
        let error = errors.get(&i).copied().unwrap_or(0.0);
        let mut one = One { document: &mut *document, streams: &mut *streams, i, accessor, encoded, target };
        let done = one.rewrite(usage, error);
        debug_assert!(done.is_some() || document.accessor(i).is_ok());
    }
}

/// The numbers that JSON states as the range of an accessor.
fn stated_range(document: &Document, i: usize) -> Option<(Vec<f32>, Vec<f32>)> {
    let numbers = |key: &str| -> Option<Vec<f32>> {
        let list = document.list("accessors")[i].get(key)?.as_array()?;
        list.iter().map(|value| value.as_f64().map(|value| value as f32)).collect()
    };
    Some((numbers("min")?, numbers("max")?))
}

/// The work with one accessor. Its methods return `None` if the accessor stays as it is.
struct One<'a> {
    document: &'a mut Document,
    streams: &'a mut Streams,
    i: usize,
    accessor: Accessor,
    /// `true` if views are encoded.
    encoded: bool,
    /// `true` for the offsets of a morph target.
    target: bool,
}

impl One<'_> {
    fn rewrite(&mut self, usage: Use, error: f32) -> Option<()> {
        let Accessor { component, normalized, .. } = self.accessor;
        let (float, encoded) = (component == ComponentType::F32, self.encoded);
        // Integers are replaced by floats of fewer bits, whose other bits take no space in a stream.
        let step = match (component, normalized) {
            (ComponentType::I8, true) => 1.0 / 127.0,
            (ComponentType::U8, true) => 1.0 / 255.0,
            (ComponentType::I16, true) => 1.0 / 32_767.0,
            (ComponentType::U16, true) => 1.0 / 65_535.0,
            (_, false) => 1.0,
            _ => f32::INFINITY,
        };
        let coarser = |exponent: i32| float || encoded && 2f32.powi(exponent) > 1.5 * step;
        let exponent = exponent_within(error / 3f32.sqrt());
        match usage {
            Use::Keep | Use::Influence => None,
            Use::Position { .. } if error > 0.0 && coarser(exponent) => self.floats(exponent, true),
            Use::TexCoord if float || normalized && coarser(TEX_COORD) => self.floats(TEX_COORD, false),
            Use::Normal { target: true } | Use::Tangent { target: true } if float => {
                self.floats(MORPH_NORMAL, false)
            }
            Use::Normal { target: false } | Use::Tangent { target: false }
                if float || normalized && encoded =>
            {
                self.directions()
            }
            Use::Indices { triangles } => self.indices(triangles),
            Use::Position { .. }
            | Use::TexCoord
            | Use::Normal { .. }
            | Use::Tangent { .. }
            | Use::Vertex { .. } => self.verbatim(true),
            Use::Data => self.verbatim(false),
        }
    }

    /// Writes offsets of a morph target as a sparse accessor, if that takes fewer bytes. Returns `false` otherwise.
    ///
    /// - `elements`: of `size` bytes each; `is_zero` tells which of them are zeros.
    fn as_sparse(
        &mut self,
        (size, filter): (usize, Filter),
        elements: &[u8],
        is_zero: impl Fn(&[u8]) -> bool,
        placed: &Placed,
    ) -> bool {
        let rows = || elements.chunks_exact(size).enumerate().filter(|(_, row)| !is_zero(row));
        let (count, some) = (elements.len() / size, rows().count());
        // Encoded zeros take two bits for sixteen bytes, and encoded places little more than a byte.
        let dense = if self.encoded { count * size / 64 } else { count * size };
        let sparse = 160 + if self.encoded { some * 4 / 3 } else { some * (size + 2) };
        if !self.target || sparse >= dense {
            return false;
        }
        let places: Vec<u32> = rows().map(|(place, _)| place as u32).collect();
        let values: Vec<u8> = rows().flat_map(|(_, row)| row).copied().collect();
        let Placed { component, kind, normalized, count, ref range } = *placed;
        let placed = Placed { component, kind, normalized, count, range: range.clone() };
        self.streams.replace_sparse(self.document, self.i, (size, filter), &places, &values, placed);
        true
    }

    fn replace(&mut self, form: (Purpose, usize, Filter), elements: &[u8], placed: Placed) -> Option<()> {
        self.streams.replace(self.document, self.i, form, elements, placed);
        Some(())
    }

    /// The same bytes, without gaps.
    fn verbatim(&mut self, vertices: bool) -> Option<()> {
        let bytes = self.document.element_bytes(self.i).ok()?;
        let size = self.accessor.element_size();
        let range = stated_range(self.document, self.i);
        let Accessor { component, kind, normalized, count, .. } = self.accessor;
        let placed = Placed { component, kind, normalized, count, range };
        let zero = |row: &[u8]| row.iter().all(|&byte| byte == 0);
        if self.as_sparse((size, Filter::None), &bytes, zero, &placed) {
            return Some(());
        }
        let (stride, elements) = match vertices && !size.is_multiple_of(4) {
            true => {
                let stride = size.next_multiple_of(4);
                let gap = std::iter::repeat_n(0, stride - size);
                let padded = bytes.chunks_exact(size).flat_map(|row| row.iter().copied().chain(gap.clone()));
                (stride, padded.collect())
            }
            false => (size, bytes),
        };
        if stride > 256 || (!vertices && !stride.is_multiple_of(4)) {
            return None;
        }
        let purpose = if vertices { Purpose::Vertices } else { Purpose::Data };
        self.replace((purpose, stride, Filter::None), &elements, placed)
    }

    /// Floats as multiples of a power of two.
    fn floats(&mut self, exponent: i32, range: bool) -> Option<()> {
        let values = self.document.floats(self.i).ok()?;
        let values = Some(values).filter(|values| values.iter().all(|value| value.is_finite()))?;
        let width = self.accessor.kind.multiplicity();
        let coded: Vec<i32> = values.iter().map(|&value| exponential(value, exponent)).collect();
        let mut bounds = (vec![f32::INFINITY; width], vec![f32::NEG_INFINITY; width]);
        for (n, value) in coded.iter().map(|&coded| meshopt::exponential(coded)).enumerate() {
            bounds.0[n % width] = bounds.0[n % width].min(value);
            bounds.1[n % width] = bounds.1[n % width].max(value);
        }
        let elements: Vec<u8> = coded.iter().flat_map(|coded| coded.to_le_bytes()).collect();
        let Accessor { kind, count, .. } = self.accessor;
        let (component, normalized, range) = (ComponentType::F32, false, range.then_some(bounds));
        let placed = Placed { component, kind, normalized, count, range };
        let zero = |row: &[u8]| row.as_chunks::<4>().0.iter().all(|b| i32::from_le_bytes(*b) << 8 == 0);
        if self.as_sparse((4 * width, Filter::Exponential), &elements, zero, &placed) {
            return Some(());
        }
        self.replace((Purpose::Vertices, 4 * width, Filter::Exponential), &elements, placed)
    }

    /// Unit vectors as normalised bytes. Spec: KHR_mesh_quantization.
    fn directions(&mut self) -> Option<()> {
        let values = self.document.floats(self.i).ok()?;
        let Accessor { kind, count, .. } = self.accessor;
        let width = kind.multiplicity();
        if !(width == 3 || width == 4) {
            return None;
        }
        // A vector without a direction has no bytes that mean the same.
        let unit = |v: &[f32]| (v[..3].iter().map(|v| v * v).sum::<f32>() - 1.0).abs() < 0.1;
        if !values.chunks_exact(width).all(unit) {
            return self.verbatim(true);
        }
        let element = |v: &[f32]| {
            let sign = if width == 4 { if v[3] < 0.0 { -127 } else { 127 } } else { 0 };
            octahedral([v[0], v[1], v[2]], sign, NORMAL_BITS).map(|v| v as u8)
        };
        let elements: Vec<u8> = values.chunks_exact(width).flat_map(element).collect();
        let placed = Placed { component: ComponentType::I8, kind, normalized: true, count, range: None };
        self.document.declare("KHR_mesh_quantization", true);
        self.replace((Purpose::Vertices, 4, Filter::Octahedral), &elements, placed)
    }

    /// Vertex indices in the smaller of two sizes.
    fn indices(&mut self, triangles: bool) -> Option<()> {
        let list = self.document.integers(self.i).ok()?;
        // The largest number of a type means a restart, which glTF forbids.
        let small = list.iter().max().is_none_or(|&most| most < 65_535);
        let (stride, component) = if small { (2, ComponentType::U16) } else { (4, ComponentType::U32) };
        let whole = list.len().is_multiple_of(3);
        let purpose = if triangles && whole { Purpose::Triangles } else { Purpose::Indices };
        let elements: Vec<u8> = list.iter().flat_map(|index| index.to_le_bytes()).collect();
        let (kind, count) = (Kind::Scalar, self.accessor.count);
        let placed = Placed { component, kind, normalized: false, count, range: None };
        self.replace((purpose, stride, Filter::None), &elements, placed)
    }
}
