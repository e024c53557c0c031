//! Rays that find the nearest of 100,000 triangles that joints move.

use super::JOINTS;
use gambol::animation::{Affine, PosedModel, Ray, Rig, Triangles};
use gambol::model::{Influences, Mesh, MeshId, Model, Node, NodeId, Primitive, Skin, SkinId, Transform};
use glam::{Mat4, Quat, Vec3};

/// The numbers of vertices around the tube and of rings along it; each vertex adds two triangles.
const AROUND: usize = 100;
const RINGS: usize = 500;
/// The number of rays of a call.
const RAYS: usize = 64;

/// A tube that is bent by its joints, with four influences per vertex, in one pose.
pub(crate) struct Pickable {
    model: Model,
    rig: Rig,
    triangles: Triangles,
    palette: Vec<Affine>,
    random: u64,
}

impl Pickable {
    pub(crate) fn new() -> Self {
        let model = tube();
        let rig = Rig::new(&model);
        let triangles = Triangles::new(&model, &rig.layout);
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
        rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
        rig.palette(&matrices, &mut palette);
        Self { model, rig, triangles, palette, random: 1 }
    }

    /// The number of rays that [`Pickable::pick`] casts.
    pub(crate) fn rays(&self) -> usize {
        RAYS
    }

    /// Casts the rays, through points near the joints; returns the number that hit the tube.
    pub(crate) fn pick(&mut self) -> u32 {
        let mut hits = 0;
        for _ in 0..RAYS {
            let joint = ((0.5 + 0.5 * self.next()) * (JOINTS - 1) as f32) as usize;
            let through = self.palette[joint].transform_point(Vec3::Y * joint as f32) + self.vector();
            let origin = Vec3::new(0.0, 10.0, 0.0) + 60.0 * self.vector();
            let Self { model, rig, palette, triangles, .. } = self;
            let (layout, weights) = (&rig.layout, &rig.rest_pose().weights);
            let posed = PosedModel { model, layout, palette, rotations: &[], weights, visible: &[] };
            let ray = Ray { origin, direction: through - origin };
            hits += u32::from(triangles.nearest(&posed, &ray, f32::INFINITY).is_some());
        }
        hits
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    /// A random number in `-1.0..=1.0`.
    fn next(&mut self) -> f32 {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

fn tube() -> Model {
    let position = |i: usize| {
        let angle = (i % AROUND) as f32 / AROUND as f32 * std::f32::consts::TAU;
        [angle.cos(), (JOINTS - 1) as f32 * (i / AROUND) as f32 / RINGS as f32, angle.sin()]
    };
    let positions: Vec<[f32; 3]> = (0..AROUND * (RINGS + 1)).map(position).collect();
    let corners = |i: usize| {
        let right = i / AROUND * AROUND + (i + 1) % AROUND;
        [i, right, i + AROUND, right, right + AROUND, i + AROUND].map(|index| index as u32)
    };
    let near = |height: f32, k: usize| (height as usize + k).saturating_sub(1).min(JOINTS - 1) as u16;
    let joints = positions.iter().flat_map(|&[_, height, _]| (0..4).map(move |k| near(height, k))).collect();
    let primitive = Primitive {
        indices: Some((0..AROUND * RINGS).flat_map(corners).collect()),
        influences: Some(Influences {
            per_vertex: 4,
            joints,
            weights: [0.2, 0.4, 0.3, 0.1].repeat(positions.len()),
        }),
        positions,
        ..Primitive::default()
    };
    let joint = |i: usize| Node {
        parent: (i > 0).then(|| NodeId::new(i - 1)),
        rest: Transform {
            translation: if i > 0 { Vec3::Y } else { Vec3::ZERO },
            rotation: Quat::from_rotation_z(0.5 * (i as f32).sin())
                * Quat::from_rotation_x(0.4 * (1.7 * i as f32).sin()),
            scale: Vec3::ONE,
        },
        ..Node::default()
    };
    let mut nodes: Vec<Node> = (0..JOINTS).map(joint).collect();
    nodes.push(Node { mesh: Some(MeshId::new(0)), skin: Some(SkinId::new(0)), ..Node::default() });
    let inverse_bind = (0..JOINTS).map(|i| Mat4::from_translation(Vec3::NEG_Y * i as f32)).collect();
    Model {
        nodes,
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![Skin { joints: (0..JOINTS).map(NodeId::new).collect(), inverse_bind, ..Skin::default() }],
        ..Model::default()
    }
}
