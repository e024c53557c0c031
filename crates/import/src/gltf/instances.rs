//! Instances of a mesh. Spec: EXT_mesh_gpu_instancing.

use super::accessor::Reader;
use super::elements::AccessorIndex;
use super::extensions::Instancing;
use super::nodes::{Found, unit_quaternion};
use gambol_animation::base::{Transform, feature};
use gambol_animation::model::{Drawable, Slot};
use gambol_gltf::element::Kind;
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::log::Log;
use glam::{Mat4, Vec3};

feature! {
    list for_decoding;
    /// See [`read_or_warn`].
    pub(super) fn instances(
        attributes: Instancing, skinned: bool, reader: &Reader<'_>, pointer: &str, log: &mut Log,
    ) -> Result<Vec<Mat4>, ImportError> = read_or_warn;
}

/// The transforms of the instances, `node_from_mesh`. Empty if there are none or they are invalid; the mesh is
/// shown once then.
///
/// Skinned meshes have no instances: they ignore the transform of their node, which those of instances multiply.
fn read_or_warn(
    attributes: Instancing,
    skinned: bool,
    reader: &Reader<'_>,
    pointer: &str,
    log: &mut Log,
) -> Result<Vec<Mat4>, ImportError> {
    if skinned {
        let message =
            "Skinned meshes cannot be instanced, as their joints place them; the mesh is shown once";
        log.warn(codes::INSTANCES_IGNORED, pointer, message);
        return Ok(Vec::new());
    }
    let Some(count) = count(attributes, reader) else {
        log.warn(
            codes::INSTANCES_IGNORED,
            pointer,
            "The instance attributes are empty or missing; the mesh is shown once",
        );
        return Ok(Vec::new());
    };
    match read(attributes, count, reader, pointer, log) {
        Err(error) if matches!(error.kind, ImportErrorKind::TooLarge { .. }) => Err(error),
        Err(error) => {
            log.warn_repaired(error, "the mesh is shown once");
            Ok(Vec::new())
        }
        Ok(instances) => Ok(instances),
    }
}

/// The declared number of instances.
pub(super) fn count(attributes: Instancing, reader: &Reader<'_>) -> Option<u64> {
    let accessors = [attributes.translation, attributes.rotation, attributes.scale];
    accessors.iter().flatten().find_map(|&index| reader.count(AccessorIndex::new(index)))
}

fn read(
    attributes: Instancing,
    count: u64,
    reader: &Reader<'_>,
    pointer: &str,
    log: &mut Log,
) -> Result<Vec<Mat4>, ImportError> {
    // Each instance takes a matrix, a palette slot and a drawable.
    let size = size_of::<Mat4>() + size_of::<Slot>() + size_of::<Drawable>();
    let needed = usize::try_from(count).unwrap_or(usize::MAX);
    reader.spend(needed, size).map_err(|kind| kind.at(pointer))?;
    let translations = rows::<3>(attributes.translation, needed, reader, pointer, "TRANSLATION", Kind::Vec3)?;
    let rotations = rows::<4>(attributes.rotation, needed, reader, pointer, "ROTATION", Kind::Vec4)?;
    let scales = rows::<3>(attributes.scale, needed, reader, pointer, "SCALE", Kind::Vec3)?;
    let mut worst = Found::Unit;
    let mut bad = 0;
    let mut matrix = |i: usize| {
        let mut transform = Transform::IDENTITY;
        if let Some(&translation) = translations.get(i) {
            transform.translation = Vec3::from(translation);
        }
        if let Some(&rotation) = rotations.get(i) {
            let (rotation, found) = unit_quaternion(rotation);
            worst = worst.max(found);
            transform.rotation = rotation;
        }
        if let Some(&scale) = scales.get(i) {
            transform.scale = Vec3::from(scale);
        }
        let matrix = transform.to_matrix();
        bad += usize::from(!matrix.is_finite());
        if matrix.is_finite() { matrix } else { Mat4::IDENTITY }
    };
    let matrices = (0..needed).map(&mut matrix).collect();
    worst.warn(format_args!("{pointer}/ROTATION"), log);
    if bad > 0 {
        let message =
            format_args!("Instance transforms are not finite ({bad} of {needed}); the identity is used");
        log.warn(codes::NUMBER_REPLACED, pointer, message);
    }
    Ok(matrices)
}

/// One row per instance; empty without an accessor.
fn rows<const N: usize>(
    index: Option<u32>,
    needed: usize,
    reader: &Reader<'_>,
    pointer: &str,
    name: &str,
    kind: Kind,
) -> Result<Vec<[f32; N]>, ImportError> {
    let Some(index) = index else { return Ok(Vec::new()) };
    let pointer = format_args!("{pointer}/{name}");
    let rows = reader.rows(AccessorIndex::new(index), pointer, kind)?;
    if rows.len() != needed {
        return Err(ImportErrorKind::AccessorCount { needed, available: rows.len() }.at(pointer));
    }
    Ok(rows)
}
