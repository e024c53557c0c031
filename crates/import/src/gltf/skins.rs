//! Skins. Spec: glTF 2.0 §3.7.3.

use super::accessor::Reader;
use super::elements;
use super::nodes::{AffineMatrices, Tree};
use ::gltf::json::Index;
use gambol_animation::model::Skin;
use gambol_gltf::element::Kind;
use gambol_gltf::error::{ImportError, codes};
use gambol_gltf::log::Log;
use glam::Mat4;

/// The skins of a file. Skins without joints are kept; nodes with them are not skinned.
pub(super) fn skins(
    skins: &[elements::Skin],
    reader: &Reader<'_>,
    tree: &Tree,
    log: &mut Log,
) -> Result<Vec<Skin>, ImportError> {
    let skin = |(i, skin): (usize, &elements::Skin)| {
        let joint = |(j, joint): (usize, &Index<elements::Node>)| {
            tree.resolve(joint.value(), format_args!("/skins/{i}/joints/{j}"))
        };
        let joints = skin.joints.iter().enumerate().map(joint);
        let mut joints: Vec<_> = joints.collect::<Result<_, _>>()?;
        if joints.is_empty() {
            log.warn(
                codes::SKIN_IGNORED,
                format_args!("/skins/{i}/joints"),
                "The skin has no joints; it is ignored",
            );
        }
        if let Some(skeleton) = skin.skeleton
            && let Err(error) = tree.resolve(skeleton.value(), format_args!("/skins/{i}/skeleton"))
        {
            log.warn_repaired(error, "the property is not needed");
        }
        let inverse_bind = match skin.inverse_bind_matrices {
            Some(index) => {
                let pointer = format_args!("/skins/{i}/inverseBindMatrices");
                let rows = match reader.rows::<16>(index, pointer, Kind::Mat4) {
                    Err(error) if error.kind.lacks_bytes() => {
                        log.warn_repaired(error, "the skin is ignored");
                        joints.clear();
                        Vec::new()
                    }
                    rows => rows?,
                };
                if rows.len() != joints.len() {
                    let repair = if rows.len() < joints.len() {
                        "missing ones are identities"
                    } else {
                        "excess ones are ignored"
                    };
                    let message = format_args!(
                        "There are {} inverse bind matrices for {} joints; {repair}",
                        rows.len(),
                        joints.len()
                    );
                    log.warn(codes::INVERSE_BIND_COUNT, pointer, message);
                }
                let mut repairs = AffineMatrices::default();
                let matrices = rows.into_iter().map(|row| repairs.repair(row));
                let matrices = matrices.chain(std::iter::repeat(Mat4::IDENTITY)).take(joints.len()).collect();
                repairs.warn(pointer, log);
                matrices
            }
            None => vec![Mat4::IDENTITY; joints.len()],
        };
        Ok(Skin { name: skin.name.clone(), joints, inverse_bind })
    };
    skins.iter().enumerate().map(skin).collect()
}
