//! Joint influences of vertices. Spec: glTF 2.0 §3.7.3.3.

use super::accessor::Reader;
use super::elements::AccessorIndex;
use gambol_animation::model::Influences;
use gambol_gltf::element::Kind;
use gambol_gltf::error::{ImportError, ImportErrorKind, codes};
use gambol_gltf::log::Log;
use std::fmt;

/// A set of four influences per vertex: the accessors of `JOINTS_set` and `WEIGHTS_set`.
pub(super) struct Set {
    pub(super) set: u32,
    pub(super) joints: AccessorIndex,
    pub(super) weights: AccessorIndex,
}

/// The maximum deviation of a vertex's weight sum from 1 without a warning. Quantization of four weights to 8 bits
/// stays below, even without correction.
const TOLERANCE: f64 = 0.01;

/// Reads influences and repairs them: joints below `joint_count`, weights that sum to 1.
///
/// `attributes` is the pointer of the primitive's attributes.
pub(super) fn influences(
    sets: &[Set],
    reader: &Reader<'_>,
    vertices: usize,
    joint_count: usize,
    attributes: fmt::Arguments<'_>,
    log: &mut Log,
) -> Result<Influences, ImportError> {
    let per_vertex = sets.len() * 4;
    reader.spend(vertices, per_vertex * 6).map_err(|kind| kind.at(attributes))?;
    let total = vertices * per_vertex;
    let mut result = Influences { per_vertex, joints: vec![0; total], weights: vec![0.0; total] };
    // The number of influences with an invalid joint and a weight other than 0.
    let mut bad_joints = 0;
    for (column, set) in sets.iter().enumerate() {
        let counted = |name: &str, count: usize| {
            let kind = ImportErrorKind::AccessorCount { needed: vertices, available: count };
            if count == vertices {
                Ok(())
            } else {
                Err(kind.at(format_args!("{attributes}/{name}_{}", set.set)))
            }
        };
        let joints =
            reader.integers(set.joints, format_args!("{attributes}/JOINTS_{}", set.set), Kind::Vec4, true)?;
        counted("JOINTS", joints.len() / 4)?;
        let weights =
            reader.rows::<4>(set.weights, format_args!("{attributes}/WEIGHTS_{}", set.set), Kind::Vec4)?;
        counted("WEIGHTS", weights.len())?;
        for vertex in 0..vertices {
            let at = vertex * per_vertex + column * 4;
            for i in 0..4 {
                let weight = weights[vertex][i];
                match u16::try_from(joints[vertex * 4 + i]) {
                    Ok(joint) if usize::from(joint) < joint_count => {
                        result.joints[at + i] = joint;
                        result.weights[at + i] = weight;
                    }
                    // Exporters write any joint where the weight is 0.
                    _ => bad_joints += usize::from(weight != 0.0),
                }
            }
        }
    }
    if bad_joints > 0 {
        let message = format_args!(
            "Vertices refer to joints that the skin does not have ({bad_joints} times); these influences are dropped"
        );
        log.warn(codes::JOINT_OUT_OF_RANGE, format_args!("{attributes}/JOINTS_{}", sets[0].set), message);
    }
    if per_vertex > Influences::FAST {
        let message = format_args!(
            "Vertices have up to {per_vertex} influences; above {}, a slower skinning method is used. Limit the influences on export if it is too slow",
            Influences::FAST
        );
        log.warn(codes::INFLUENCES_MANY, attributes, message);
    }
    normalize(&mut result.weights, per_vertex, format_args!("{attributes}/WEIGHTS_{}", sets[0].set), log);
    Ok(result)
}

/// Normalizes the weights of each vertex to a sum of 1. Negative and non-finite weights count as 0. If all
/// are 0, the first influence gets weight 1.
fn normalize(weights: &mut [f32], per_vertex: usize, pointer: fmt::Arguments<'_>, log: &mut Log) {
    let (mut bad, mut zero, mut uneven) = (0, 0, 0);
    for weights in weights.chunks_exact_mut(per_vertex) {
        for weight in weights.iter_mut() {
            if !weight.is_finite() || *weight < 0.0 {
                *weight = 0.0;
                bad += 1;
            }
        }
        let sum: f64 = weights.iter().copied().map(f64::from).sum();
        if sum < f64::from(f32::MIN_POSITIVE) {
            weights.fill(0.0);
            weights[0] = 1.0;
            zero += 1;
            continue;
        }
        uneven += usize::from((sum - 1.0).abs() > TOLERANCE);
        for weight in weights.iter_mut() {
            *weight = (f64::from(*weight) / sum) as f32;
        }
    }
    if bad > 0 {
        let message =
            format_args!("Joint weights are negative or not finite ({bad} times); they are replaced by 0");
        log.warn(codes::WEIGHTS_REPAIRED, pointer, message);
    }
    if zero > 0 {
        let message =
            format_args!("No joint weight is above 0 at {zero} vertices; they follow their first joint");
        log.warn(codes::WEIGHTS_REPAIRED, pointer, message);
    }
    if uneven > 0 {
        let message = format_args!(
            "The joint weights of {uneven} vertices do not sum to 1; they are divided by their sum"
        );
        log.warn(codes::WEIGHTS_NORMALIZED, pointer, message);
    }
}
