//! Skins and moving nodes that share a skeleton.
//!
//! A skeleton has one bind transform for each joint. Skins of one armature have the same ones but for the place of the mesh, so
//! nearly all models need one skeleton. That is the only one that some players animate.

use super::codes;
use super::motion::Motion;
use super::skeleton::{has_inverse, invertible};
use gambol::animation::Affine;
use gambol::model::{Drawable, NodeId, SkinId};
use gambol_gltf::log::Log;
use glam::DMat4;
use std::collections::{BTreeMap, HashMap};

/// The largest relative difference of equal matrices: files have rounded ones.
const ROUNDING: f64 = 1e-5;

/// The most skeletons with which a skin is compared.
const MOST_TRIED: usize = 8;

/// The joints of a skeleton, with `world_from_node` when the vertices are where they are written.
#[derive(Default)]
pub(super) struct Bundle {
    pub(super) binds: BTreeMap<NodeId, DMat4>,
    /// The skin that gives the skeleton its name.
    pub(super) skin: Option<SkinId>,
}

/// The skeletons of a model.
#[derive(Default)]
pub(super) struct Bundles {
    pub(super) list: Vec<Bundle>,
    of_skin: HashMap<SkinId, Bound>,
}

/// The skeleton of a mesh, and the place of its vertices.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub(super) bundle: usize,
    /// From the vertices of the file to those that are written: those of the rest pose in the scene, if the bind pose is the rest
    /// pose. So readers see the size of the model in the vertices themselves.
    pub(super) placed: DMat4,
}

impl Bundles {
    /// Adds the joints of a mesh.
    ///
    /// - `skin`: that of the mesh; without one, the mesh follows its node.
    /// - `rest`: the palette and the node matrices of the rest pose.
    pub(super) fn add(
        &mut self,
        motion: &Motion<'_>,
        drawable: &Drawable,
        skin: Option<SkinId>,
        rest: &(Vec<Affine>, Vec<Affine>),
        log: &mut Log,
    ) -> Bound {
        let (worlds, palette) = rest;
        let slot = drawable.slots.start as usize;
        match skin {
            Some(skin) => match self.of_skin.get(&skin) {
                Some(bound) => *bound,
                None => self.add_skin(motion, skin, &palette[slot], log),
            },
            None => {
                let node_from_mesh = motion.rig.layout.slots[slot].node_from_mesh;
                let node_from_mesh = node_from_mesh.map_or(DMat4::IDENTITY, |matrix| matrix.as_dmat4());
                if self.list.is_empty() {
                    self.list.push(Bundle::default());
                }
                // A node with a scale of 0 at rest has no place there.
                let world = || invertible(&worlds[drawable.node.index()]).map_or(DMat4::IDENTITY, exact);
                let bind = *self.list[0].binds.entry(drawable.node).or_insert_with(world);
                Bound { bundle: 0, placed: bind * node_from_mesh }
            }
        }
    }

    fn add_skin(&mut self, motion: &Motion<'_>, id: SkinId, rest: &Affine, log: &mut Log) -> Bound {
        let skin = &motion.model.skins[id.index()];
        let mut joints: BTreeMap<NodeId, DMat4> = BTreeMap::new();
        for (i, (&joint, inverse)) in skin.joints.iter().zip(&skin.inverse_bind).enumerate() {
            let pointer = || format!("/skins/{}/joints/{i}", id.index());
            match has_inverse(inverse.as_dmat4()) {
                Some(_) if joints.contains_key(&joint) => {
                    log.warn(
                        codes::JOINT,
                        pointer(),
                        "The joint is listed twice; its first bind matrix is used",
                    );
                }
                Some(inverse) => _ = joints.insert(joint, inverse),
                None => {
                    let message = "The bind matrix has no inverse; the joint is bound in its rest pose";
                    log.warn(codes::JOINT, pointer(), message);
                }
            }
        }
        let own = invertible(rest).map_or(DMat4::IDENTITY, exact);
        let place_in = |bundle: &Bundle| {
            let shared =
                joints.iter().find_map(|(joint, inverse)| Some(*bundle.binds.get(joint)? * *inverse));
            let placed = has_inverse(shared.map_or(own, exact))?;
            let fits = joints.iter().all(|(joint, inverse)| {
                bundle.binds.get(joint).is_none_or(|bind| is_same(placed * inverse.inverse(), *bind))
            });
            fits.then_some(placed)
        };
        let found = self
            .list
            .iter()
            .enumerate()
            .take(MOST_TRIED)
            .find_map(|(i, bundle)| Some((i, place_in(bundle)?)));
        let (index, placed) = found.unwrap_or_else(|| {
            self.list.push(Bundle::default());
            (self.list.len() - 1, own)
        });
        let bundle = &mut self.list[index];
        bundle.skin = bundle.skin.or(Some(id));
        for (joint, inverse) in joints {
            bundle.binds.entry(joint).or_insert_with(|| placed * inverse.inverse());
        }
        let bound = Bound { bundle: index, placed };
        self.of_skin.insert(id, bound);
        bound
    }
}

/// The identity if the matrix differs from it by rounding only, so that vertices keep their bits.
fn exact(matrix: DMat4) -> DMat4 {
    if is_same(matrix, DMat4::IDENTITY) { DMat4::IDENTITY } else { matrix }
}

fn is_same(a: DMat4, b: DMat4) -> bool {
    let size = b.to_cols_array().into_iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    a.abs_diff_eq(b, ROUNDING * size)
}
