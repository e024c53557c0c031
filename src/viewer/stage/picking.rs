//! Picking: the surface at a point of the canvas.

use super::Stage;
use crate::animation::{PosedModel, Ray, deform_position};
use crate::base::{Affine, F32x4, feature};
use crate::model::NodeId;
use crate::viewer::cast::{ActorId, Asset, Cast, Member};
use crate::viewer::error::StageError;
use glam::{Mat4, Vec3};

/// The visible surface at a point of the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Picked {
    /// The actor or crowd.
    pub actor: ActorId,
    /// The index of the crowd member; 0 for an actor.
    pub member: usize,
    /// The node with the largest influence on the point: a joint, or the node of the mesh.
    pub node: NodeId,
    /// The node of the mesh.
    pub mesh_node: NodeId,
    /// The position in world space, in metres.
    pub position: Vec3,
    /// The unit normal of the triangle, on the side of the camera.
    pub normal: Vec3,
    /// The point in the mesh.
    pub surface: SurfacePoint,
}

/// A point of a triangle, which moves with the triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// The index of the mesh in the file.
    pub mesh: usize,
    /// The index of the primitive in the mesh.
    pub primitive: usize,
    /// The vertex indices of the corners.
    pub vertices: [usize; 3],
    /// The barycentric coordinates of the point; their sum is 1.
    pub weights: [f32; 3],
}

feature! {
    list for_crowds;
    fn meet_crowds(cast: &mut Cast, ray: Ray, meet: &mut dyn FnMut(Body<'_>)) =
        |cast: &mut Cast, ray: Ray, meet: &mut dyn FnMut(Body<'_>)| {
            cast.each_crowd_member_on(ray.origin, ray.direction, |id, asset, member, pose, visible| {
                let (palette, weights) = pose;
                // Parts that a clip hides have matrices of zeros, so that rays miss their triangles.
                meet(Body { id, member, asset, palette, rotations: &[], weights, visible });
            });
        };
}

impl Stage {
    /// The nearest triangle at a point of the canvas in the current pose, in CSS pixels from the left and the top.
    /// Transparent materials count as opaque.
    pub fn pick(&mut self, x: f32, y: f32) -> Option<Picked> {
        self.pose();
        let ndc = |css: f32, pixels: u32| 2.0 * css * self.pixel_ratio / pixels.max(1) as f32 - 1.0;
        let (x, y) = (ndc(x, self.size.0), -ndc(y, self.size.1));
        let (view, projection) = self.view();
        let ray = ray_through(&(projection * view).inverse(), Vec3::new(x, y, 1.0));
        self.nearest(ray).map(|(_, hit)| hit)
    }

    /// The distance in metres from the first surface on the line between the camera and a point in world space to that
    /// point, in the current pose. It is 0 if no surface is in front of the point. It is also 0 if the point is behind the
    /// camera, in front of the near plane, or not finite. Transparent materials count as opaque.
    pub fn occlusion(&mut self, point: Vec3) -> f32 {
        self.pose();
        let (view, projection) = self.view();
        let clip_from_world = projection * view;
        let seen = clip_from_world * point.extend(1.0);
        let ndc = seen.truncate() / seen.w;
        // Points in front of the near plane are not drawn.
        if !(seen.w > 0.0 && ndc.is_finite() && ndc.z > -1.0) {
            return 0.0;
        }
        let from = ray_through(&clip_from_world.inverse(), ndc).origin;
        let ray = Ray { origin: from, direction: point - from };
        let length = ray.direction.length();
        let nearest = self.nearest(ray).map_or(1.0, |(t, _)| t);
        if nearest < 1.0 { (1.0 - nearest) * length } else { 0.0 }
    }

    /// The first surface of an actor below a point in world space, in the current pose: its position and unit normal,
    /// which points up.
    ///
    /// - `depth`: the height that is searched, in metres.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn surface_below(
        &mut self,
        id: ActorId,
        from: Vec3,
        depth: f32,
    ) -> Result<Option<(Vec3, Vec3)>, StageError> {
        self.pose();
        let ray = Ray { origin: from, direction: Vec3::NEG_Y * depth };
        let Member { asset, actor, .. } = self.cast.get(id)?;
        let (rotations, weights) = (actor.rotations(), actor.pose().weights.as_slice());
        let (palette, visible) = (actor.palette(), actor.visible());
        let body = Body { id, member: 0, asset, palette, rotations, weights, visible };
        Ok(body.nearest(&ray, 1.0).map(|(_, hit)| (hit.position, hit.normal)))
    }

    /// The nearest triangle on a ray, with the ray parameter.
    pub(super) fn nearest(&mut self, ray: Ray) -> Option<(f32, Picked)> {
        let mut best: Option<(f32, Picked)> = None;
        let mut meet = |body: Body<'_>| {
            let within = best.as_ref().map_or(f32::INFINITY, |(t, _)| *t);
            best = body.nearest(&ray, within).or(best);
        };
        for Member { id, asset, actor, .. } in self.cast.members() {
            let (rotations, weights) = (actor.rotations(), actor.pose().weights.as_slice());
            let (palette, visible) = (actor.palette(), actor.visible());
            meet(Body { id: *id, member: 0, asset, palette, rotations, weights, visible });
        }
        if self.cast.has_crowds() {
            meet_crowds(&mut self.cast, ray, &mut meet);
        }
        best
    }

    /// The current position of a surface point in world space, and the unit normal of its triangle, whose corners are
    /// counter-clockwise around it. `None` if the model lacks the triangle or does not show it.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn surface(&mut self, id: ActorId, at: &SurfacePoint) -> Result<Option<(Vec3, Vec3)>, StageError> {
        self.pose();
        let Member { asset, actor, .. } = self.cast.get(id)?;
        let drawable = asset.layout.drawables.iter().find(|drawable| drawable.mesh.index() == at.mesh);
        let primitive = asset.model.meshes.get(at.mesh).and_then(|mesh| mesh.primitives.get(at.primitive));
        let (Some(drawable), Some(primitive)) = (drawable, primitive) else { return Ok(None) };
        if at.vertices.iter().any(|&vertex| vertex >= primitive.vertex_count()) {
            return Ok(None);
        }
        let (palette, turned, weights) = (actor.palette(), actor.rotations(), &actor.pose().weights);
        let [a, b, c] =
            at.vertices.map(|i| deform_position(primitive, i, drawable, palette, turned, weights));
        let [of_a, of_b, of_c] = at.weights;
        Ok(Some((of_a * a + of_b * b + of_c * c, (b - a).cross(c - a).normalize_or_zero())))
    }
}

/// The ray from the near plane through a point in normalized device coordinates.
fn ray_through(world_from_clip: &Mat4, ndc: Vec3) -> Ray {
    let origin = world_from_clip.project_point3(Vec3::new(ndc.x, ndc.y, -1.0));
    Ray { origin, direction: world_from_clip.project_point3(ndc) - origin }
}

/// A posed actor or crowd member: see [`PosedModel`].
struct Body<'a> {
    id: ActorId,
    member: usize,
    asset: &'a Asset,
    palette: &'a [Affine],
    rotations: &'a [F32x4],
    weights: &'a [f32],
    visible: &'a [bool],
}

impl Body<'_> {
    /// The nearest triangle on a ray, with the ray parameter, if this is less than `within`.
    fn nearest(&self, ray: &Ray, within: f32) -> Option<(f32, Picked)> {
        let &Self { id, member, asset, palette, rotations, weights, visible } = self;
        let (model, layout) = (&asset.model, &asset.layout);
        let posed = PosedModel { model, layout, palette, rotations, weights, visible };
        let hit = asset.triangles().nearest(&posed, ray, within)?;
        let drawable = &layout.drawables[hit.drawable];
        let mesh = drawable.mesh.index();
        let primitive = &model.meshes[mesh].primitives[hit.primitive];
        let corners = hit
            .vertices
            .map(|vertex| deform_position(primitive, vertex, drawable, palette, rotations, weights));
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let position = ray.origin + hit.t * ray.direction;
        let far = |i: &usize| corners[*i].distance_squared(position);
        let nearest = (0..3).min_by(|i, j| far(i).total_cmp(&far(j))).unwrap_or(0);
        let influences = primitive.influences.as_ref().filter(|_| drawable.skinned);
        let node = influences.map_or(drawable.node, |influences| {
            let joint = usize::from(influences.joints[influences.strongest(hit.vertices[nearest])]);
            layout.slots[drawable.slots.start as usize + joint].node
        });
        let normal = if normal.dot(ray.direction) > 0.0 { -normal } else { normal };
        let surface =
            SurfacePoint { mesh, primitive: hit.primitive, vertices: hit.vertices, weights: hit.weights };
        Some((hit.t, Picked { actor: id, member, node, mesh_node: drawable.node, position, normal, surface }))
    }
}
