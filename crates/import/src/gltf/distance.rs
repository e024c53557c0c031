//! Warnings about meshes that are far from the origin.

use gambol_animation::base::REACH;
use gambol_animation::model::{Mesh, Model};
use gambol_gltf::error::codes;
use gambol_gltf::log::Log;
use glam::{DMat4, DVec3, Vec3};

/// The distance from the origin in metres within which there is no warning.
const NEAR: f64 = 10_000.0;

/// The steps of single precision that count as visible, as a fraction of the mesh: two pixels of a picture of 1,000.
const VISIBLE: f64 = 0.002;

/// The largest step of an f32, as a fraction of its value.
const STEP: f64 = 1.0 / 8_388_608.0;

/// The centre and half the size of a mesh that is placed by a matrix.
struct Extent {
    centre: DVec3,
    half: DVec3,
}

impl Extent {
    /// `true` if single precision tears it visibly. Small parts of a large scene are seen from too far for that.
    fn is_torn(&self) -> bool {
        self.away() > NEAR && self.step() > VISIBLE && self.step() < 1e9
    }

    /// `None` without vertices.
    fn new(mesh: &Mesh) -> Option<Self> {
        let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for primitive in &mesh.primitives {
            for &position in &primitive.positions {
                least = least.min(position.into());
                most = most.max(position.into());
            }
        }
        let (least, most) = (least.as_dvec3(), most.as_dvec3());
        (least.x <= most.x).then(|| Self { centre: 0.5 * (least + most), half: 0.5 * (most - least) })
    }

    fn placed(&self, to: &DMat4) -> Self {
        let around = |axis: DVec3, length: f64| axis.abs() * length;
        let [x, y, z] = [to.x_axis, to.y_axis, to.z_axis].map(|axis| axis.truncate());
        let DVec3 { x: a, y: b, z: c } = self.centre;
        Self {
            centre: x * a + y * b + z * c + to.w_axis.truncate(),
            half: around(x, self.half.x) + around(y, self.half.y) + around(z, self.half.z),
        }
    }

    fn is_in_reach(&self) -> bool {
        (self.centre.abs() + self.half).cmple(DVec3::splat(REACH.into())).all()
    }

    /// The distance from the origin along the farthest axis.
    fn away(&self) -> f64 {
        self.centre.abs().max_element()
    }

    /// The step of single precision there as a fraction of the mesh; NaN for a point at the origin.
    fn step(&self) -> f64 {
        STEP * self.away() / (2.0 * self.half.max_element())
    }
}

/// Warns of nodes whose meshes extend beyond [`REACH`] at rest, which the model's bounding box excludes. Warns of the mesh that
/// single precision tears most.
pub(super) fn warn(model: &Model, log: &mut Log) {
    let extents: Vec<Option<Extent>> = model.meshes.iter().map(Extent::new).collect();
    let mut matrices: Vec<DMat4> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let local = node.rest_matrix.unwrap_or_else(|| node.rest.to_matrix()).as_dmat4();
        matrices.push(node.parent.map_or(local, |parent| matrices[parent.index()] * local));
    }
    let shown = model.shown_nodes();
    let mut torn: Option<(Extent, u32)> = None;
    for (i, node) in model.nodes.iter().enumerate() {
        let Some(extent) = node.mesh.and_then(|mesh| extents[mesh.index()].as_ref()) else { continue };
        // Skinned meshes ignore the transform of their node.
        let matrix = if node.skin.is_some() { DMat4::IDENTITY } else { matrices[i] };
        let is_in_reach = match &node.instances[..] {
            [] => extent.placed(&matrix).is_in_reach(),
            list => list.iter().all(|instance| extent.placed(&(matrix * instance.as_dmat4())).is_in_reach()),
        };
        if !is_in_reach {
            let message =
                "Vertices of the mesh are beyond 1e18 metres; bounding boxes and the camera ignore them";
            log.warn(codes::TOO_FAR, format_args!("/nodes/{}/mesh", node.source), message);
        } else if shown[i] && !node.first_person_only {
            let mut places: Vec<Extent> = match node.skin.map(|skin| &model.skins[skin.index()]) {
                None => vec![extent.placed(&matrix)],
                Some(skin) => {
                    let joints = skin.joints.iter().zip(&skin.inverse_bind);
                    let matrix = joints.map(|(joint, bind)| matrices[joint.index()] * bind.as_dmat4());
                    matrix.map(|matrix| extent.placed(&matrix)).collect()
                }
            };
            // Unused joints of a skin may be elsewhere.
            let count = places.len();
            places.retain(Extent::is_torn);
            if 2 * places.len() >= count {
                for place in places {
                    if torn.as_ref().is_none_or(|(most, _)| place.step() >= most.step()) {
                        torn = Some((place, node.source));
                    }
                }
            }
        }
    }
    if let Some((place, source)) = torn {
        let (kilometres, steps) = ((place.away() / 1000.0) as u64, (1.0 / place.step()) as u64);
        let message = format_args!(
            "The mesh is {kilometres} km from the origin, where single precision has {steps} steps across it. It looks \
             torn, or vanishes. Move the model to the origin"
        );
        log.warn(codes::FAR_FROM_ORIGIN, format_args!("/nodes/{source}/mesh"), message);
    }
}
