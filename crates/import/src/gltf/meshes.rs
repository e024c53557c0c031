//! Meshes: vertices, indices, morph targets. Spec: glTF 2.0 §3.7.

use super::accessor::Reader;
use super::elements::{self, AccessorIndex, Primitive as Source};
use super::influences::{Set, influences};
use super::schema::File;
use super::tangents::Missing;
use super::{indices, tangents};
use gambol_animation::base::{feature, find_sorted};
use gambol_animation::model::{
    Deltas, Influences, Material, MaterialId, Mesh, MorphTarget, Primitive, Topology,
};
use gambol_gltf::element::{Checked, Kind, Mode, Semantic};
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::log::Log;
use std::fmt;

/// The meshes of a file, and their missing tangents.
pub(super) struct Meshes {
    pub(super) meshes: Vec<Mesh>,
    pub(super) missing: Vec<Missing>,
    /// The first fault because of which a primitive is skipped for missing bytes.
    pub(super) first_missing: Option<ImportError>,
}

/// The meshes of a file.
///
/// `joint_counts` has for each mesh the smallest number of joints of the skins used with it, or `None` if it is never
/// skinned. `materials` are those of the file. Missing tangents are only listed, not generated.
pub(super) fn meshes(
    file: &File,
    materials: &[Material],
    joint_counts: &[Option<usize>],
    reader: &Reader<'_>,
    log: &mut Log,
) -> Result<Meshes, ImportError> {
    let (mut missing, mut first_missing) = (Vec::new(), None);
    let mut meshes = Vec::with_capacity(file.meshes.len());
    for (m, mesh) in file.meshes.iter().enumerate() {
        let pointer = format_args!("/meshes/{m}");
        let mut primitives = Vec::with_capacity(mesh.primitives.len());
        for (p, source) in mesh.primitives.iter().enumerate() {
            let pointer = format_args!("{pointer}/primitives/{p}");
            let mut import = Import { reader, log, pointer };
            let read = match find_sorted(&file.draco_missing, (m, p)) {
                Some(error) => Err(error.clone()),
                None => import.primitive(source, joint_counts[m], materials.len()),
            };
            let mut primitive = match read {
                Err(error) if error.kind.lacks_bytes() => {
                    first_missing.get_or_insert(error.clone());
                    let name = &mesh.name;
                    import
                        .log
                        .warn_repaired(error, format_args!("primitive {p} of the mesh “{name}” is skipped"));
                    Primitive { targets: no_deltas(source.targets.len()), ..Primitive::default() }
                }
                read => read?,
            };
            if let Some(mappings) = find_sorted(&file.extensions.mappings, (m, p)) {
                primitive.variants.clone_from(mappings);
            }
            if primitive.vertex_count() > 0 && source.targets.iter().any(elements::MorphTarget::is_extended) {
                extend_targets(&mut import, source, &mut primitive)?;
            }
            let worn =
                primitive.material.into_iter().chain(primitive.variants.iter().map(|variant| variant.1));
            let set = worn.filter_map(|id| tangents::wanted(&materials[id.index()])).next();
            let set = set.filter(|_| tangents::can_be_made(&primitive));
            missing.extend(set.map(|set| Missing { mesh: m, primitive: p, set }));
            primitives.push(primitive);
        }
        if joint_counts[m].is_some() {
            follow_first_joint(&mut primitives, pointer, reader, log)?;
        }

        let targets = primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0);
        for (p, primitive) in primitives.iter_mut().enumerate().filter(|(_, p)| p.targets.len() != targets) {
            let pointer = format_args!("{pointer}/primitives/{p}/targets");
            let message = format_args!(
                "Another primitive of the mesh has {targets} morph targets; empty ones are added"
            );
            reader.spend(targets, size_of::<MorphTarget>()).map_err(|kind| kind.at(pointer))?;
            log.warn(codes::MORPH_TARGET_COUNT, pointer, message);
            primitive.targets.resize_with(targets, MorphTarget::default);
        }
        let weights = match &mesh.weights {
            Some(weights) => morph_weights(weights, targets, format_args!("{pointer}/weights"), log),
            None => vec![0.0; targets],
        };
        let mut target_names = mesh.target_names.clone();
        target_names.resize_with(targets, String::new);
        meshes.push(Mesh { name: mesh.name.clone(), primitives, weights, target_names });
    }
    Ok(Meshes { meshes, missing, first_missing })
}

/// Morph targets that move no vertex.
fn no_deltas(targets: usize) -> Vec<MorphTarget> {
    (0..targets).map(|_| MorphTarget::default()).collect()
}

/// The morph weights of a mesh or node, adjusted to one per target.
pub(super) fn morph_weights(
    weights: &[f32],
    targets: usize,
    pointer: fmt::Arguments<'_>,
    log: &mut Log,
) -> Vec<f32> {
    if weights.len() != targets {
        let message = format_args!(
            "There are {} weights for {targets} morph targets; missing ones are 0, and excess ones are ignored",
            weights.len()
        );
        log.warn(codes::MORPH_TARGET_COUNT, pointer, message);
    }
    let mut weights: Vec<f32> = weights.iter().copied().take(targets).collect();
    weights.resize(targets, 0.0);
    if scrub(&mut weights) > 0 {
        log.warn(codes::NUMBER_REPLACED, pointer, "Weights are not finite; they are replaced by 0");
    }
    weights
}

/// Attaches primitives of a skinned mesh without influences to its first joint. The specification has no rule for
/// them; in the bind pose this keeps their position among the other primitives.
fn follow_first_joint(
    primitives: &mut [Primitive],
    pointer: fmt::Arguments<'_>,
    reader: &Reader<'_>,
    log: &mut Log,
) -> Result<(), ImportError> {
    if primitives.iter().all(|primitive| primitive.influences.is_none()) {
        return Ok(());
    }
    for (p, primitive) in primitives.iter_mut().enumerate().filter(|(_, p)| p.influences.is_none()) {
        let pointer = format_args!("{pointer}/primitives/{p}/attributes");
        follow(primitive, pointer, reader, log)?;
    }
    Ok(())
}

fn follow(
    primitive: &mut Primitive,
    pointer: fmt::Arguments<'_>,
    reader: &Reader<'_>,
    log: &mut Log,
) -> Result<(), ImportError> {
    let vertices = primitive.vertex_count();
    reader.spend(vertices, 4 * 6).map_err(|kind| kind.at(pointer))?;
    if vertices > 0 {
        let message = "The primitive has no joints, but others of the mesh have; it follows the first joint of the skin";
        log.warn(codes::INFLUENCES_MISSING, pointer, message);
    }
    primitive.influences = Some(Influences {
        per_vertex: 4,
        joints: vec![0; vertices * 4],
        weights: [1.0, 0.0, 0.0, 0.0].repeat(vertices),
    });
    Ok(())
}

/// Replaces numbers that are not finite by 0; returns their count.
fn scrub(values: &mut [f32]) -> usize {
    let mut bad = 0;
    for value in values.iter_mut().filter(|value| !value.is_finite()) {
        *value = 0.0;
        bad += 1;
    }
    bad
}

/// Sets of texture coordinates below this number may be the first ones of a primitive. WebGL has 16 attributes per vertex.
const MOST_SETS: u32 = 16;

/// The import of one primitive.
struct Import<'a, 'b> {
    reader: &'a Reader<'b>,
    log: &'a mut Log,
    /// The pointer of the primitive.
    pointer: fmt::Arguments<'a>,
}

feature! {
    list for_decoding;
    fn extend_targets(import: &mut Import<'_, '_>, source: &Source, primitive: &mut Primitive) -> Result<(), ImportError> =
        |import, source, primitive| import.extend_targets(source, primitive);
}

impl Import<'_, '_> {
    fn primitive(
        &mut self,
        source: &Source,
        joint_count: Option<usize>,
        materials: usize,
    ) -> Result<Primitive, ImportError> {
        let above = self.pointer;
        let attribute = |semantic| source.attributes.get(semantic);
        let Checked::Valid(mode) = source.mode else {
            let reason = "unknown primitive mode".to_owned();
            return Err(ImportErrorKind::InvalidValue { reason }.at(format_args!("{above}/mode")));
        };
        let mut primitive = Primitive { topology: topology(mode), ..Primitive::default() };
        match attribute(Semantic::Positions) {
            Some(index) => {
                let pointer = format_args!("{above}/attributes/POSITION");
                primitive.positions = self.reader.rows(index, pointer, Kind::Vec3)?;
                self.scrub(primitive.positions.as_flattened_mut(), pointer);
            }
            None => {
                let pointer = format_args!("{above}/attributes");
                self.log.warn(
                    codes::NO_POSITIONS,
                    pointer,
                    "The primitive has no positions; it is not drawn",
                );
                primitive.targets = no_deltas(source.targets.len());
                return Ok(primitive);
            }
        }
        let vertices = primitive.vertex_count();
        if vertices == 0 {
            let pointer = format_args!("{above}/attributes/POSITION");
            self.log.warn(codes::NO_POSITIONS, pointer, "The primitive has no vertices; it is not drawn");
        }
        if let Some(index) = attribute(Semantic::Normals) {
            primitive.normals =
                self.optional(index, format_args!("attributes/NORMAL"), Kind::Vec3, vertices)?;
            primitive.normals.iter_mut().for_each(make_unit);
        }
        if let Some(index) = attribute(Semantic::Tangents) {
            primitive.tangents =
                self.optional(index, format_args!("attributes/TANGENT"), Kind::Vec4, vertices)?;
            for tangent in &mut primitive.tangents {
                let [x, y, z, w] = *tangent;
                let mut direction = [x, y, z];
                make_unit(&mut direction);
                let [x, y, z] = direction;
                *tangent = [x, y, z, if w < 0.0 { -1.0 } else { 1.0 }];
            }
        }
        self.tex_coords(source, &mut primitive)?;
        if let Some(index) = attribute(Semantic::Colors(0)) {
            primitive.colors = self.colors(index, vertices)?;
        }
        primitive.influences = self.influences(source, joint_count, vertices)?;
        for (t, target) in source.targets.iter().enumerate() {
            let mut read = |index: Option<AccessorIndex>, name: &str| match index {
                Some(index) => self.deltas(index, format_args!("targets/{t}/{name}"), Kind::Vec3, vertices),
                None => Ok(Deltas::default()),
            };
            primitive.targets.push(MorphTarget {
                positions: read(target.positions, "POSITION")?,
                normals: read(target.normals, "NORMAL")?,
                tangents: read(target.tangents, "TANGENT")?,
                ..MorphTarget::default()
            });
        }
        if let Some(index) = source.indices {
            let pointer = format_args!("{above}/indices");
            let mut indices = self.reader.integers(index, pointer, Kind::Scalar, false)?;
            self.warn_of_restarts(&indices, index, vertices, pointer);
            let dropped = indices::repair(&mut indices, &mut primitive.topology, vertices);
            if dropped != indices::Dropped::default() {
                let message = format_args!(
                    "Points, lines or triangles have indices past the last vertex ({} times), and {} indices at the end are incomplete; they are not drawn",
                    dropped.broken, dropped.rest
                );
                self.log.warn(codes::VERTEX_INDEX_OUT_OF_RANGE, pointer, message);
            }
            primitive.indices = Some(indices);
        }
        primitive.material = source.material.map(|material| material as usize).and_then(|index| {
            let known = index < materials;
            if !known {
                let kind = ImportErrorKind::IndexOutOfRange { element: "material", index, count: materials };
                self.log.warn_repaired(
                    kind.at(format_args!("{}/material", self.pointer)),
                    "the default material is used",
                );
            }
            known.then(|| MaterialId::new(index))
        });
        Ok(primitive)
    }

    /// Reads the sets of texture coordinates. A set that is missing before another one is a copy of that one, so the numbers of
    /// sets stay, and textures with the set that is missing are shown.
    fn tex_coords(&mut self, source: &Source, primitive: &mut Primitive) -> Result<(), ImportError> {
        let vertices = primitive.vertex_count();
        let numbers = || {
            source.attributes.iter().filter_map(|(semantic, _)| match semantic {
                Checked::Valid(Semantic::TexCoords(set)) => Some(*set),
                _ => None,
            })
        };
        let sets = numbers().filter(|&set| set < MOST_SETS).max().map_or(0, |set| set + 1);
        let mut missing = 0;
        for set in 0.. {
            let pointer = self.pointer;
            let Some(index) = source.attributes.get(Semantic::TexCoords(set)) else {
                if set >= sets {
                    break;
                }
                missing += 1;
                continue;
            };
            let name = format_args!("attributes/TEXCOORD_{set}");
            let mut coordinates = self.optional(index, name, Kind::Vec2, vertices)?;
            let copies = missing + usize::from(coordinates.is_empty());
            self.reader.spend(vertices.saturating_mul(copies), 8).map_err(|kind| kind.at(pointer))?;
            coordinates.resize(vertices, [0.0; 2]);
            for _ in 0..std::mem::take(&mut missing) {
                primitive.tex_coords.push(coordinates.clone());
            }
            primitive.tex_coords.push(coordinates);
        }
        if let Some(set) = numbers().find(|&set| set as usize >= primitive.tex_coords.len()) {
            let pointer = format!("{}/attributes/TEXCOORD_{set}", self.pointer);
            let message = format_args!("There is no set of texture coordinates before {set}; it is ignored");
            self.log.warn(codes::INVALID_VALUE, pointer, message);
        }
        Ok(())
    }

    /// Warns of indices with the value of primitive restart, which glTF forbids, if they are below `vertices` and so are drawn.
    fn warn_of_restarts(
        &mut self,
        indices: &[u32],
        index: AccessorIndex,
        vertices: usize,
        pointer: fmt::Arguments<'_>,
    ) {
        let Some(restart) = self.reader.greatest(index).filter(|&restart| (restart as usize) < vertices)
        else {
            return;
        };
        let count = indices.iter().filter(|&&index| index == restart).count();
        if count > 0 {
            let message = format_args!(
                "Indices have the value {restart} ({count} times), which glTF forbids, as it is primitive restart; they are used as vertex {restart}"
            );
            self.log.warn(codes::VERTEX_INDEX_OUT_OF_RANGE, pointer, message);
        }
    }

    /// Adds the morph deltas of texture coordinates and colours.
    fn extend_targets(&mut self, source: &Source, primitive: &mut Primitive) -> Result<(), ImportError> {
        let mut targets = std::mem::take(&mut primitive.targets);
        for (t, (target, found)) in targets.iter_mut().zip(&source.targets).enumerate() {
            self.extend_target(t, target, found, primitive)?;
        }
        primitive.targets = targets;
        Ok(())
    }

    fn extend_target(
        &mut self,
        t: usize,
        target: &mut MorphTarget,
        found: &elements::MorphTarget,
        primitive: &Primitive,
    ) -> Result<(), ImportError> {
        let vertices = primitive.vertex_count();
        for &(set, accessor) in &found.tex_coords {
            let name = format_args!("targets/{t}/TEXCOORD_{set}");
            let set = set as usize;
            if set >= primitive.tex_coords.len() {
                self.warn_missing_attribute(name);
                continue;
            }
            let deltas = self.deltas(AccessorIndex::new(accessor), name, Kind::Vec2, vertices)?;
            if target.tex_coords.len() <= set {
                // Each target may have only the last of many sets.
                self.reader
                    .spend(set + 1 - target.tex_coords.len(), size_of::<Deltas<2>>())
                    .map_err(|kind| kind.at(format_args!("{}/{name}", self.pointer)))?;
                target.tex_coords.resize(set + 1, Deltas::default());
            }
            target.tex_coords[set] = deltas;
        }
        if let Some(accessor) = found.color {
            let name = format_args!("targets/{t}/COLOR_0");
            if primitive.colors.is_empty() {
                self.warn_missing_attribute(name);
            } else {
                target.colors = self.color_deltas(AccessorIndex::new(accessor), name, vertices)?;
            }
        }
        Ok(())
    }

    fn warn_missing_attribute(&mut self, name: fmt::Arguments<'_>) {
        let message = "The primitive has no attribute of this name; its morph deltas are ignored";
        self.log.warn(codes::INVALID_VALUE, format_args!("{}/{name}", self.pointer), message);
    }

    /// The deltas of a morph target for `COLOR_0`, with or without alpha.
    fn color_deltas(
        &mut self,
        index: AccessorIndex,
        name: fmt::Arguments<'_>,
        vertices: usize,
    ) -> Result<Deltas<4>, ImportError> {
        if self.reader.kind(index) != Some(Kind::Vec3) {
            return self.deltas(index, name, Kind::Vec4, vertices);
        }
        let rgb = self.deltas::<3>(index, name, Kind::Vec3, vertices)?;
        self.reader
            .spend(rgb.values().len(), 16)
            .map_err(|kind| kind.at(format_args!("{}/{name}", self.pointer)))?;
        let values = rgb.values().iter().map(|&[r, g, b]| [r, g, b, 0.0]).collect();
        Ok(match rgb.vertices() {
            Some(some) => Deltas::sparse(some.to_vec(), values),
            None => Deltas::from(values),
        })
    }

    /// Replaces numbers that are not finite by 0, with a warning.
    fn scrub(&mut self, values: &mut [f32], pointer: fmt::Arguments<'_>) {
        let bad = scrub(values);
        if bad > 0 {
            let message = format_args!("Numbers are not finite ({bad} times); they are replaced by 0");
            self.log.warn(codes::NUMBER_REPLACED, pointer, message);
        }
    }

    /// Reads an optional attribute; empty, with a warning, if it is invalid.
    fn optional<const N: usize>(
        &mut self,
        index: AccessorIndex,
        name: fmt::Arguments<'_>,
        kind: Kind,
        vertices: usize,
    ) -> Result<Vec<[f32; N]>, ImportError> {
        let above = self.pointer;
        let pointer = format_args!("{above}/{name}");
        let rows =
            self.fits(index, vertices, pointer).and_then(|()| self.reader.rows::<N>(index, pointer, kind));
        let mut rows = self.or_default(rows, name)?;
        self.scrub(rows.as_flattened_mut(), pointer);
        Ok(rows)
    }

    /// Reads the deltas of a morph target; empty, with a warning, if they are invalid.
    fn deltas<const N: usize>(
        &mut self,
        index: AccessorIndex,
        name: fmt::Arguments<'_>,
        kind: Kind,
        vertices: usize,
    ) -> Result<Deltas<N>, ImportError> {
        let above = self.pointer;
        let pointer = format_args!("{above}/{name}");
        let deltas =
            self.fits(index, vertices, pointer).and_then(|()| self.reader.deltas::<N>(index, pointer, kind));
        let mut deltas = self.or_default(deltas, name)?;
        self.scrub(deltas.values_mut().as_flattened_mut(), pointer);
        Ok(deltas)
    }

    /// Checks that an accessor has one element per vertex.
    fn fits(
        &self,
        index: AccessorIndex,
        vertices: usize,
        pointer: fmt::Arguments<'_>,
    ) -> Result<(), ImportError> {
        match self.reader.count(index) {
            Some(count) if count != vertices as u64 => {
                let available = usize::try_from(count).unwrap_or(usize::MAX);
                Err(ImportErrorKind::AccessorCount { needed: vertices, available }.at(pointer))
            }
            _ => Ok(()),
        }
    }

    /// Returns the value that was read, or an empty one with a warning after an error.
    fn or_default<T: Default>(
        &mut self,
        read: Result<T, ImportError>,
        name: fmt::Arguments<'_>,
    ) -> Result<T, ImportError> {
        match read {
            // Exceeding the memory limit is not a fault of this attribute alone.
            Err(error) if matches!(error.kind, ImportErrorKind::TooLarge { .. }) => Err(error),
            Err(error) => {
                self.log.warn_repaired(error, format_args!("{name} is ignored"));
                Ok(T::default())
            }
            read => read,
        }
    }

    /// Reads `COLOR_0`, with or without alpha.
    fn colors(&mut self, index: AccessorIndex, vertices: usize) -> Result<Vec<[f32; 4]>, ImportError> {
        let name = format_args!("attributes/COLOR_0");
        let mut colors = if self.reader.kind(index) == Some(Kind::Vec3) {
            let rgb = self.optional::<3>(index, name, Kind::Vec3, vertices)?;
            self.reader
                .spend(rgb.len(), 16)
                .map_err(|kind| kind.at(format_args!("{}/{name}", self.pointer)))?;
            rgb.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
        } else {
            self.optional::<4>(index, name, Kind::Vec4, vertices)?
        };
        let mut outside = 0;
        for value in colors.as_flattened_mut().iter_mut().filter(|value| !(0.0..=1.0).contains(*value)) {
            *value = (*value).clamp(0.0, 1.0);
            outside += 1;
        }
        if outside > 0 {
            let message =
                format_args!("Colour components are outside 0 … 1 ({outside} times); they are clamped");
            self.log.warn(codes::NUMBER_REPLACED, format_args!("{}/{name}", self.pointer), message);
        }
        Ok(colors)
    }

    /// Reads all sets of joints and weights.
    fn influences(
        &mut self,
        source: &Source,
        joint_count: Option<usize>,
        vertices: usize,
    ) -> Result<Option<Influences>, ImportError> {
        let mut sets = Vec::new();
        for &(ref semantic, index) in source.attributes.iter() {
            let (name, set, other) = match *semantic {
                Checked::Valid(Semantic::Joints(set)) => ("JOINTS", set, Semantic::Weights(set)),
                Checked::Valid(Semantic::Weights(set)) => ("WEIGHTS", set, Semantic::Joints(set)),
                _ => continue,
            };
            match source.attributes.get(other) {
                Some(weights) if matches!(semantic, Checked::Valid(Semantic::Joints(_))) => {
                    sets.push(Set { set, joints: index, weights });
                }
                Some(_) => {}
                // Without a skin they have no effect.
                None if joint_count.is_none() => {}
                None => {
                    let above = self.pointer;
                    let pointer = format_args!("{above}/attributes/{name}_{set}");
                    let message = "The joints have no weights, or the weights no joints; they are ignored";
                    self.log.warn(codes::INFLUENCES_UNPAIRED, pointer, message);
                }
            }
        }
        if sets.is_empty() {
            return Ok(None);
        }
        let above = self.pointer;
        let attributes = format_args!("{above}/attributes");
        if let Some(joint_count) = joint_count {
            return match influences(&sets, self.reader, vertices, joint_count, attributes, self.log) {
                Err(error) if error.kind.lacks_bytes() => {
                    self.log.warn_repaired(error, "the joints are ignored");
                    Ok(None)
                }
                read => read.map(Some),
            };
        }
        // Without a skin, only the component type limits the joints, and warnings about repairs are irrelevant.
        match influences(&sets, self.reader, vertices, usize::MAX, attributes, &mut Log::default()) {
            Err(error) if !matches!(error.kind, ImportErrorKind::TooLarge { .. }) => {
                self.log.warn_repaired(error, "no skin uses these joints; they are ignored");
                Ok(None)
            }
            read => read.map(Some),
        }
    }
}

fn topology(mode: Mode) -> Topology {
    match mode {
        Mode::Points => Topology::Points,
        Mode::Lines => Topology::Lines,
        Mode::LineLoop => Topology::LineLoop,
        Mode::LineStrip => Topology::LineStrip,
        Mode::Triangles => Topology::Triangles,
        Mode::TriangleStrip => Topology::TriangleStrip,
        Mode::TriangleFan => Topology::TriangleFan,
    }
}

/// Normalizes a vector; +Z if its length is 0, as exporters write for degenerate triangles.
fn make_unit(vector: &mut [f32; 3]) {
    let wide = vector.map(f64::from);
    let length = wide.iter().map(|value| value * value).sum::<f64>().sqrt();
    *vector = if length > 1e-30 { wide.map(|value| (value / length) as f32) } else { [0.0, 0.0, 1.0] };
}
