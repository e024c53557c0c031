//! Skins. Spec: glTF 2.0 §3.7.3.

use super::accessor::Reader;
use super::elements;
use super::nodes::{AffineMatrices, Tree};
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
    let mut out = Vec::with_capacity(skins.len());
    for (i, skin) in skins.iter().enumerate() {
        let mut joints = Vec::with_capacity(skin.joints.len());
        for (j, joint) in skin.joints.iter().enumerate() {
            joints.push(tree.resolve(joint.value(), format_args!("/skins/{i}/joints/{j}"))?);
        }
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
        let mut inverse_bind = Vec::new();
        if let Some(index) = skin.inverse_bind_matrices {
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
            inverse_bind = rows.iter().take(joints.len()).map(|row| repairs.repair(*row)).collect();
            repairs.warn(pointer, log);
        }
        inverse_bind.resize(joints.len(), Mat4::IDENTITY);
        out.push(Skin { name: skin.name.clone(), joints, inverse_bind });
    }
    Ok(out)
}
