//! Scales of nodes with InheritType 2 (Rrs), which do not inherit the scale of their parent.
//!
//! ufbx follows the FBX SDK, but programs that write the type mean it differently. For Maya, only a joint below a joint
//! does not inherit, so joints below a scaled group do. The bind pose has the scales that were meant: if it contradicts
//! the type, and agrees with another meaning of it, its scale is used.

use std::collections::HashMap;

/// Scales along the hierarchy. `None`: a scale is not uniform, or the node is left out.
pub(super) struct Scales {
    /// The scale of nodes in the bind pose, by their index in ufbx's scene.
    bound: HashMap<u32, Option<f64>>,
    /// The scales of nodes in the result, and the products of their own scales in the file.
    worlds: HashMap<u32, [Option<f64>; 2]>,
}

/// The largest relative difference of two scales that are the same.
const SAME: f64 = 0.02;

impl Scales {
    pub(super) fn new(source: &ufbx::Scene) -> Self {
        let mut bound = HashMap::new();
        let poses = source.poses.iter().filter(|pose| pose.is_bind_pose);
        for bone in poses.flat_map(|pose| pose.bone_poses.iter()) {
            bound.entry(bone.bone_node.element.typed_id).or_insert(of_matrix(&bone.bone_to_world));
        }
        // Without a bind pose, that of the skin.
        for cluster in &source.skin_clusters {
            if let Some(bone) = &cluster.bone_node {
                bound.entry(bone.element.typed_id).or_insert(of_matrix(&cluster.bind_to_world));
            }
        }
        Self { bound, worlds: HashMap::new() }
    }

    /// The factor of a node's scale, if the bind pose contradicts its type. Parents must come before their children.
    pub(super) fn factor(&mut self, node: &ufbx::Node) -> Option<f32> {
        let own = ufbx::find_prop(&node.element.props, "Lcl Scaling").map_or(Some(1.0), |property| {
            let ufbx::Vec4 { x, y, z, .. } = property.value_vec4;
            of_vector(ufbx::Vec3 { x, y, z })
        });
        let local = of_vector(node.local_transform.scale);
        let parent = node.parent.as_ref().map(|parent| parent.element.typed_id);
        let [above, all] =
            parent.and_then(|parent| self.worlds.get(&parent)).copied().unwrap_or([Some(1.0); 2]);
        let factor = self.judge(node, parent, own, local, [above, all]);
        let product = |a: Option<f64>, b: Option<f64>| Some(a? * b?);
        let world = product(above, product(local, Some(factor.unwrap_or(1.0))));
        self.worlds.insert(node.element.typed_id, [world, product(all, own)]);
        factor.map(|factor| factor as f32)
    }

    fn judge(
        &self,
        node: &ufbx::Node,
        parent: Option<u32>,
        own: Option<f64>,
        local: Option<f64>,
        [above, all]: [Option<f64>; 2],
    ) -> Option<f64> {
        let has_helper = node.is_scale_helper
            || node.scale_helper.is_some()
            || node.parent.as_ref().is_some_and(|parent| parent.scale_helper.is_some());
        if node.original_inherit_mode != ufbx::InheritMode::IgnoreParentScale || has_helper {
            return None;
        }
        let bound = (*self.bound.get(&node.element.typed_id)?)?;
        let of_parent = parent.and_then(|parent| *self.bound.get(&parent)?).or(above)?;
        let (own, local) = (own?, local?);
        let meant = bound / of_parent;
        let is = |scale: f64| (meant / scale - 1.0).abs() <= SAME;
        let others = [own, own / all?, own / above?];
        (!is(local) && others.into_iter().any(is)).then_some(meant / local)
    }
}

/// The length of a matrix's axes, if they have the same.
fn of_matrix(m: &ufbx::Matrix) -> Option<f64> {
    let axes = [[m.m00, m.m10, m.m20], [m.m01, m.m11, m.m21], [m.m02, m.m12, m.m22]];
    uniform(axes.map(|[x, y, z]| (x * x + y * y + z * z).sqrt()))
}

fn of_vector(v: ufbx::Vec3) -> Option<f64> {
    uniform([v.x, v.y, v.z].map(f64::abs))
}

fn uniform(scales: [f64; 3]) -> Option<f64> {
    let [least, greatest] =
        [scales.iter().copied().fold(f64::MAX, f64::min), scales.iter().copied().fold(0.0, f64::max)];
    (least > 1e-9 && greatest < 1e9 && greatest - least <= 0.5 * SAME * greatest).then_some(greatest)
}
