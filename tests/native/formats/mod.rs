//! Files of other formats (`crates/formats`), converted, imported and played.

mod assimp;
mod bvh;
mod fbx;
mod fbx_sdk;
pub(crate) mod mutations;
mod samples;
mod validator;
mod x;

use crate::common::check::check;
use gambol::animation::{Affine, Deformed, Pose, Rig, deform};
use gambol::import::{NoResolver, import};
use gambol::model::{ClipId, Model};
use gambol_formats::{Options, to_glb};
use glam::{DMat4, DVec3, Mat4};

/// Converts and imports a file. `metres_per_unit` as in the options.
fn converted(bytes: &[u8], name: &str, metres_per_unit: Option<f32>) -> Model {
    let mut options = Options::default();
    options.metres_per_unit = metres_per_unit;
    let converted = to_glb(bytes, name, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let imported = import(&converted.glb, &mut NoResolver).unwrap_or_else(|error| panic!("{name}: {error}"));
    for warning in &imported.warnings {
        // Skeletons have no mesh, and textures are files of their own.
        let expected = ["import/nothing-to-show", "import/buffer-missing"].contains(&warning.code);
        assert!(expected, "{name}: {}: {}", warning.code, warning.message);
    }
    check(&imported.model);
    imported.model
}

/// A model at a time of a clip.
struct Moment<'a> {
    model: &'a Model,
    rig: &'a Rig,
    pose: Pose,
    matrices: Vec<Affine>,
}

impl<'a> Moment<'a> {
    fn new(model: &'a Model, rig: &'a Rig, clip: usize, time: f64) -> Self {
        let mut pose = rig.rest_pose().clone();
        rig.sample(ClipId::new(clip), time, &mut pose);
        let mut matrices = Vec::new();
        rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
        Self { model, rig, pose, matrices }
    }

    /// The world matrix of the first node of the file with this name.
    fn matrix(&self, name: &str) -> DMat4 {
        let named = |node: &&gambol::model::NodeId| self.model.nodes[node.index()].name == name;
        let node = self.model.node_of_source.iter().find(named).unwrap_or_else(|| panic!("no node {name}"));
        Mat4::from(self.matrices[node.index()]).as_dmat4()
    }

    fn position(&self, name: &str) -> DVec3 {
        self.matrix(name).w_axis.truncate()
    }

    /// The corners of all triangles, in the order of the file.
    fn triangles(&self) -> Vec<[DVec3; 3]> {
        let mut palette = vec![Affine::identity(); self.rig.palette_len()];
        self.rig.palette(&self.matrices, &mut palette);
        let mut drawables: Vec<_> = self.rig.layout.drawables.iter().collect();
        drawables.sort_by_key(|drawable| self.model.nodes[drawable.node.index()].source);
        let mut triangles = Vec::new();
        let mut out = Deformed::default();
        for drawable in drawables {
            for primitive in &self.model.meshes[drawable.mesh.index()].primitives {
                deform(primitive, drawable, &palette, &[], &self.pose.weights, &mut out);
                let corner = |index: u32| {
                    let position = out.positions[index as usize];
                    DVec3::from_array(position.map(f64::from))
                };
                let indices = primitive.indices.as_ref().expect("indices");
                triangles.extend(indices.as_chunks::<3>().0.iter().map(|triangle| triangle.map(corner)));
            }
        }
        triangles
    }
}
