//! The importer's errors and warnings, with their codes.

use super::super::finding::{Finding, Severity};
use gambol::import::{ImportError, Warning, codes};

/// Warnings after which the model or its motion is not the one of the file.
const ERRORS: [&str; 20] = [
    codes::INVALID_VALUE,
    codes::INDEX_OUT_OF_RANGE,
    codes::BUFFER_MISSING,
    codes::BUFFER_TOO_SHORT,
    codes::VIEW_OUT_OF_RANGE,
    codes::ACCESSOR_OUT_OF_RANGE,
    codes::ACCESSOR_TYPE,
    codes::ACCESSOR_COUNT,
    codes::STRIDE_TOO_SHORT,
    codes::SPARSE_INDEX_OUT_OF_RANGE,
    codes::MESHOPT,
    codes::DRACO,
    codes::JOINT_OUT_OF_RANGE,
    codes::VERTEX_INDEX_OUT_OF_RANGE,
    codes::NO_KEYS,
    codes::KEY_TIME_NOT_FINITE,
    codes::KEY_TIMES_UNSORTED,
    codes::OUTPUT_TOO_SHORT,
    codes::KEY_VALUE_NOT_FINITE,
    codes::TANGENTS_LOST,
];

/// Warnings that rules of the doctor say in more detail.
const OWN: [&str; 2] = [codes::ROTATION_NORMALIZED, codes::WEIGHTS_NORMALIZED];

/// The way to mend tangents that are lost.
const TANGENTS: &str = "The tangents are not in this file any more. Take the original file, and compress it with `gambol optimize`, \
    which keeps them, or sample its clips to LINEAR keys before (Blender: Sampling Animations).";

pub(super) fn error(error: &ImportError) -> Finding {
    Finding::new(error.code(), Severity::Error, error.pointer.clone(), error.to_string())
}

pub(super) fn warnings<'a>(warnings: impl Iterator<Item = &'a Warning>, out: &mut Vec<Finding>) {
    for warning in warnings.filter(|warning| !OWN.contains(&warning.code)) {
        let severity = match warning.code {
            code if ERRORS.contains(&code) => Severity::Error,
            codes::EXTENSION_IGNORED | codes::WARNINGS_OMITTED => Severity::Info,
            _ => Severity::Warning,
        };
        let mut finding =
            Finding::new(warning.code, severity, warning.pointer.clone(), warning.message.clone());
        let mut tokens = warning.pointer.split('/').skip(1);
        if let (Some(kind), Some(Ok(index))) = (tokens.next(), tokens.next().map(str::parse::<usize>)) {
            finding = match kind {
                "animations" => finding.clip(index),
                "nodes" => finding.node(index),
                _ => finding,
            };
        }
        if warning.code == codes::TANGENTS_LOST {
            finding = finding.fix(TANGENTS);
        }
        out.push(finding);
    }
}
