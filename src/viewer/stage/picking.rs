//! What is seen at a place of the canvas.

use super::Stage;
use crate::animation::{Affine, F32x4, deform_position};
use crate::model::{NodeId, Primitive, Topology};
use crate::viewer::{ActorId, Asset, Member, StageError};
use glam::{Mat4, Vec3};

/// The surface that is seen at a place of the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Picked {
    /// Whose it is: an actor's or a crowd's.
    pub actor: ActorId,
    /// Which member of the crowd; 0 for an actor.
    pub member: usize,
    /// The node that moves the place most: a joint, or the node of the mesh.
    pub node: NodeId,
    /// Where it is, in metres of the world.
    pub position: Vec3,
    /// The direction of the triangle, of length 1, towards the camera.
    pub normal: Vec3,
    /// Where it is in the mesh.
    pub surface: SurfacePoint,
}

/// A place in a triangle, which goes where that goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Place in the file's list of meshes.
    pub mesh: usize,
    /// Place in the mesh's list of primitives.
    pub primitive: usize,
    /// The corners.
    pub vertices: [usize; 3],
    /// How much each corner counts; their sum is 1.
    pub weights: [f32; 3],
}

/// How far beside a triangle still counts, in its own measure: no ray shall fall between two that share an edge.
const EDGE: f32 = 1e-5;

/// From `origin` on, as far as `direction` and further.
#[derive(Clone, Copy)]
struct Ray {
    origin: Vec3,
    direction: Vec3,
}

impl Ray {
    /// From the near plane on, to a point in clip space after division.
    fn through(world_from_clip: &Mat4, ndc: Vec3) -> Self {
        let origin = world_from_clip.project_point3(Vec3::new(ndc.x, ndc.y, -1.0));
        Self { origin, direction: world_from_clip.project_point3(ndc) - origin }
    }

    /// How far along the ray a triangle is, from both of its sides, and how much the second and the third corner count there.
    /// Möller and Trumbore 1997.
    fn meets(&self, [a, b, c]: [Vec3; 3]) -> Option<[f32; 3]> {
        let (ab, ac) = (b - a, c - a);
        let across = self.direction.cross(ac);
        let scale = 1.0 / ab.dot(across);
        let from_a = self.origin - a;
        let u = from_a.dot(across) * scale;
        let turned = from_a.cross(ab);
        let v = self.direction.dot(turned) * scale;
        let t = ac.dot(turned) * scale;
        // Comparisons with NaN, of a triangle seen from its edge, are false.
        let inside = u >= -EDGE && v >= -EDGE && u + v <= 1.0 + EDGE;
        (inside && t >= 0.0 && scale.is_finite()).then_some([t, u, v])
    }
}

impl Stage {
    /// The nearest triangle at a place of the canvas, in CSS pixels from its left and its top, as all are posed now. What
    /// materials leave transparent counts.
    pub fn pick(&mut self, x: f32, y: f32) -> Option<Picked> {
        self.cast.pose();
        let ndc = |css: f32, pixels: u32| 2.0 * css * self.pixel_ratio / pixels.max(1) as f32 - 1.0;
        let (x, y) = (ndc(x, self.size.0), -ndc(y, self.size.1));
        let (view, projection) = self.view();
        let ray = Ray::through(&(projection * view).inverse(), Vec3::new(x, y, 1.0));
        self.nearest(ray).map(|(_, hit)| hit)
    }

    /// The distance in metres from the first surface that the camera sees on the line to a point of the world, as all are posed
    /// now, to that point; 0 if no surface is before it. A point that the camera cannot see for another reason (behind the
    /// camera, before the near plane, not finite) has 0, too. Materials that are transparent count.
    pub fn occlusion(&mut self, point: Vec3) -> f32 {
        self.cast.pose();
        let (view, projection) = self.view();
        let clip_from_world = projection * view;
        let seen = clip_from_world * point.extend(1.0);
        let ndc = seen.truncate() / seen.w;
        // Before the near plane nothing is drawn.
        if !(seen.w > 0.0 && ndc.is_finite() && ndc.z > -1.0) {
            return 0.0;
        }
        let from = Ray::through(&clip_from_world.inverse(), ndc).origin;
        let ray = Ray { origin: from, direction: point - from };
        let length = ray.direction.length();
        let nearest = self.nearest(ray).map_or(1.0, |(t, _)| t);
        if nearest < 1.0 { (1.0 - nearest) * length } else { 0.0 }
    }

    /// The first triangle on a ray, and how far along the ray it is.
    fn nearest(&mut self, ray: Ray) -> Option<(f32, Picked)> {
        let mut best = None;
        for Member { id, asset, actor, .. } in self.cast.members() {
            let (turned, weights) = (actor.rotations(), actor.pose().weights.as_slice());
            let visible = actor.visible();
            let body = Body { id: *id, member: 0, asset, palette: actor.palette(), turned, weights, visible };
            body.meet(ray, &mut best);
        }
        let Ray { origin, direction } = ray;
        self.cast.each_crowd_member_on(origin, direction, |id, asset, member, palette, weights| {
            // Matrices of what is hidden are zeros, whose triangles no ray meets.
            Body { id, member, asset, palette, turned: &[], weights, visible: &[] }.meet(ray, &mut best);
        });
        best
    }

    /// Where a place of an actor's surface is in the world now, and the direction of its triangle, of length 1: to where its
    /// corners go counter-clockwise. Nothing if the model has no such triangle, or does not show it.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn surface(&mut self, id: ActorId, at: &SurfacePoint) -> Result<Option<(Vec3, Vec3)>, StageError> {
        self.cast.pose();
        let Member { asset, actor, .. } = self.cast.get(id)?;
        let drawable = asset.rig.layout.drawables.iter().find(|drawable| drawable.mesh.index() == at.mesh);
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

/// Somebody as posed: see [`deform_position`].
struct Body<'a> {
    id: ActorId,
    member: usize,
    asset: &'a Asset,
    palette: &'a [Affine],
    turned: &'a [F32x4],
    weights: &'a [f32],
    /// Whether each node is shown; empty if all are.
    visible: &'a [bool],
}

impl Body<'_> {
    /// Finds where the ray meets it, nearer than `best` if there is one.
    fn meet(&self, ray: Ray, best: &mut Option<(f32, Picked)>) {
        let &Self { asset, palette, turned, weights, .. } = self;
        let mut places = Vec::new();
        for drawable in &asset.rig.layout.drawables {
            if self.visible.get(drawable.node.index()) == Some(&false) {
                continue;
            }
            let mesh = drawable.mesh.index();
            for (index, primitive) in asset.model.meshes[mesh].primitives.iter().enumerate() {
                places.clear();
                let vertices = 0..primitive.vertex_count();
                places.extend(
                    vertices.map(|i| deform_position(primitive, i, drawable, palette, turned, weights)),
                );
                for_each_triangle(primitive, |corners| {
                    let triangle = corners.map(|i| places[i]);
                    let nearest = best.as_ref().map_or(f32::INFINITY, |(t, _)| *t);
                    let Some([t, u, v]) = ray.meets(triangle).filter(|&[t, ..]| t < nearest) else { return };
                    let [a, b, c] = triangle;
                    let normal = (b - a).cross(c - a).normalize_or_zero();
                    let position = ray.origin + t * ray.direction;
                    let influences = primitive.influences.as_ref().filter(|_| drawable.skinned);
                    let node = influences.map_or(drawable.node, |influences| {
                        let corner = corners.into_iter().min_by(|&i, &j| {
                            let far = |i: usize| places[i].distance_squared(position);
                            far(i).total_cmp(&far(j))
                        });
                        let first = corner.unwrap_or(corners[0]) * influences.per_vertex;
                        let all = first..first + influences.per_vertex;
                        let strongest =
                            all.max_by(|&i, &j| influences.weights[i].total_cmp(&influences.weights[j]));
                        let joint = usize::from(influences.joints[strongest.unwrap_or(first)]);
                        asset.rig.layout.slots[drawable.slots.start as usize + joint].node
                    });
                    let normal = if normal.dot(ray.direction) > 0.0 { -normal } else { normal };
                    let surface = SurfacePoint {
                        mesh,
                        primitive: index,
                        vertices: corners,
                        weights: [1.0 - u - v, u, v],
                    };
                    let &Self { id: actor, member, .. } = self;
                    *best = Some((t, Picked { actor, member, node, position, normal, surface }));
                });
            }
        }
    }
}

fn for_each_triangle(primitive: &Primitive, mut each: impl FnMut([usize; 3])) {
    let count = primitive.indices.as_ref().map_or(primitive.vertex_count(), Vec::len);
    let vertex = |i: usize| primitive.indices.as_ref().map_or(i, |indices| indices[i] as usize);
    match primitive.topology {
        Topology::Triangles => {
            (2..count).step_by(3).for_each(|i| each([vertex(i - 2), vertex(i - 1), vertex(i)]))
        }
        Topology::TriangleStrip => (2..count).for_each(|i| each([vertex(i - 2), vertex(i - 1), vertex(i)])),
        Topology::TriangleFan => (2..count).for_each(|i| each([vertex(0), vertex(i - 1), vertex(i)])),
        Topology::Points | Topology::Lines | Topology::LineLoop | Topology::LineStrip => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    #[test]
    fn a_ray_meets_a_triangle_from_both_sides_and_nothing_behind_it() {
        for side in [1.0, -1.0] {
            let ray =
                Ray { origin: Vec3::new(0.25, 0.25, side), direction: Vec3::new(0.0, 0.0, -2.0 * side) };
            assert_eq!(ray.meets(TRIANGLE), Some([0.5, 0.25, 0.25]));
            let away = Ray { direction: -ray.direction, ..ray };
            assert_eq!(away.meets(TRIANGLE), None);
        }
    }

    #[test]
    fn no_ray_falls_between_triangles_that_share_an_edge() {
        let other = [Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        for i in 0..1000 {
            let x = i as f32 / 999.0;
            let ray = Ray { origin: Vec3::new(0.3, 0.9, 4.0), direction: Vec3::new(x - 0.3, 0.1 - x, -4.0) };
            assert!(ray.meets(TRIANGLE).or_else(|| ray.meets(other)).is_some(), "{x}");
        }
    }

    #[test]
    fn a_ray_beside_or_along_a_triangle_misses_it() {
        let beside = Ray { origin: Vec3::new(0.75, 0.75, 1.0), direction: Vec3::NEG_Z };
        assert_eq!(beside.meets(TRIANGLE), None);
        let along = Ray { origin: Vec3::new(-1.0, 0.25, 0.0), direction: Vec3::X };
        assert_eq!(along.meets(TRIANGLE), None);
        let none = Ray { origin: Vec3::ZERO, direction: Vec3::ZERO };
        assert_eq!(none.meets(TRIANGLE), None);
    }
}
