//! The positions of joints in world space and on the canvas.

use super::Stage;
use crate::base::Affine;
use crate::model::NodeId;
use crate::viewer::cast::{ActorId, JointSpace};
use crate::viewer::error::StageError;
use glam::{Mat4, Vec3};

/// The position of a point on the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// CSS pixels from the left edge.
    pub x: f32,
    /// CSS pixels from the top edge.
    pub y: f32,
    /// The distance in front of the camera along the view direction, in metres; negative behind it.
    pub depth: f32,
    /// `true` if the point is in front of the camera; otherwise `x` and `y` are 0.
    pub in_front: bool,
}

impl Stage {
    /// The current position of a point of a joint on the canvas.
    ///
    /// - `point`: the point in the joint's frame, in the units of `space`.
    ///
    /// # Errors
    /// `NoActor`, `NoJoint`.
    pub fn project(
        &mut self,
        id: ActorId,
        node: NodeId,
        space: JointSpace,
        point: Vec3,
    ) -> Result<Projected, StageError> {
        let world_from_node = self.world_from_node(id, node)?;
        let world_from_model = self.cast.get(id)?.actor.place;
        let world = space.frame(&world_from_node, &world_from_model).transform_point(point);
        let (view, projection) = self.view();
        Ok(self.on_canvas(&view, &projection, world))
    }

    /// The current position of a point in world space on the canvas.
    pub fn project_world(&mut self, point: Vec3) -> Projected {
        self.cast.pose();
        let (view, projection) = self.view();
        self.on_canvas(&view, &projection, point)
    }

    fn on_canvas(&self, view: &Mat4, projection: &Mat4, world: Vec3) -> Projected {
        let from_camera = view.transform_point3(world);
        let depth = -from_camera.z;
        let in_front = depth > 0.0 && world.is_finite();
        if !in_front {
            return Projected { x: 0.0, y: 0.0, depth, in_front };
        }
        let place = projection.project_point3(from_camera);
        let css = |pixels: u32| 0.5 * pixels as f32 / self.pixel_ratio;
        let (x, y) = ((1.0 + place.x) * css(self.size.0), (1.0 - place.y) * css(self.size.1));
        Projected { x, y, depth, in_front }
    }

    /// The current matrix `world_from_node` of a joint.
    ///
    /// # Errors
    /// `NoActor`, `NoJoint`.
    pub fn world_from_node(&mut self, id: ActorId, node: NodeId) -> Result<Affine, StageError> {
        self.cast.pose();
        let member = self.cast.get(id)?;
        // The list of matrices is padded to whole groups.
        let known = node.index() < member.asset.model.nodes.len();
        let matrix = member.actor.node_matrices().get(node.index()).filter(|_| known);
        matrix.copied().ok_or(StageError::NoJoint)
    }

    /// Calls `each` with the current canvas position of each node of an actor, in the order of the file.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn project_all(&mut self, id: ActorId, mut each: impl FnMut(Projected)) -> Result<(), StageError> {
        self.cast.pose();
        let (view, projection) = self.view();
        let member = self.cast.get(id)?;
        for node in &member.asset.model.node_of_source {
            let world = member.actor.node_matrices()[node.index()].transform_point(Vec3::ZERO);
            each(self.on_canvas(&view, &projection, world));
        }
        Ok(())
    }
}
