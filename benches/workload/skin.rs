//! A mesh that is skinned on the CPU.

use super::JOINTS;
use gambol::animation::{Affine, Deformed, deform};
use gambol::model::{Drawable, Influences, MeshId, NodeId, Primitive};
use glam::{Mat4, Vec3};

const VERTICES: usize = 10_000;

/// A skin of 20 joints, with four influences per vertex.
pub(crate) struct Skinned {
    primitive: Primitive,
    drawable: Drawable,
    palette: Vec<Affine>,
    out: Deformed,
}

impl Skinned {
    pub(crate) fn new(normals: bool) -> Self {
        let influences = |i: usize| (0..4).map(move |k| ((i / 40 + 7 * k) % JOINTS) as u16);
        let positions = |i: usize| [i as f32 * 1e-3, (i % 40) as f32 * 0.1, (i % 7) as f32];
        let normals = if normals { VERTICES } else { 0 };
        let primitive = Primitive {
            positions: (0..VERTICES).map(positions).collect(),
            normals: vec![[0.0, 1.0, 0.0]; normals],
            influences: Some(Influences {
                per_vertex: 4,
                joints: (0..VERTICES).flat_map(influences).collect(),
                weights: [0.4, 0.3, 0.2, 0.1].repeat(VERTICES),
            }),
            ..Primitive::default()
        };
        let (node, mesh) = (NodeId::new(0), MeshId::new(0));
        let drawable = Drawable { node, mesh, slots: 0..JOINTS as u32, skinned: true, weights: 0..0 };
        let joint = |i: usize| Mat4::from_rotation_y(i as f32) * Mat4::from_translation(Vec3::splat(0.1));
        let palette = (0..JOINTS).map(|i| Affine::from(joint(i))).collect();
        Self { primitive, drawable, palette, out: Deformed::default() }
    }

    pub(crate) fn vertices(&self) -> usize {
        VERTICES
    }

    pub(crate) fn deform(&mut self) -> f32 {
        deform(&self.primitive, &self.drawable, &self.palette, &[], &[], &mut self.out);
        self.out.positions[VERTICES / 2][1]
    }
}
