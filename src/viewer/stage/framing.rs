//! What the camera frames by itself.

use super::Stage;
use crate::animation::{
    Aabb, Framing, Skinning, around_all_vertices, around_clips, around_pose, around_turned_clips,
    around_turned_pose,
};
use crate::rare::rare;
use crate::viewer::{ActorId, StageError};

impl Stage {
    /// The smallest box around all vertices of an actor as it is posed now, in the world; `None` if nothing is shown. Takes as long
    /// as the model has vertices, other than the box of [`Member::bounds`](crate::viewer::Member::bounds), which is a little larger.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn tight_bounds(&mut self, id: ActorId) -> Result<Option<Aabb>, StageError> {
        self.cast.pose();
        let member = self.cast.get(id)?;
        let (asset, actor) = (&member.asset, &member.actor);
        let palettes = (actor.palette(), actor.rotations());
        Ok(around_all_vertices(&asset.model, &asset.rig, palettes, &actor.pose().weights, actor.visible()))
    }

    /// The box around everybody that a camera may be pointed at; see [`Stage::frame`].
    pub(super) fn framing_box(&mut self) -> Option<Aabb> {
        self.cast.pose();
        if self.cast.skinning() == Skinning::DualQuaternion {
            return rare(|| self.turned_framing_box());
        }
        let boxes = self.cast.members().iter().filter_map(|member| {
            let (asset, actor) = (&member.asset, &member.actor);
            match self.framing {
                Framing::Pose => {
                    let (palette, weights) = (actor.palette(), &actor.pose().weights);
                    around_pose(&asset.model, &asset.rig, palette, weights, actor.visible())
                }
                _ if member.is_attached() => None,
                framing if !std::ptr::eq(actor.rig(), &raw const *asset.rig) => {
                    let clip = actor.player.clip();
                    Some(around_clips(&asset.model, actor.rig(), framing, clip)?.transformed(&actor.place))
                }
                framing => Some(asset.framing(framing, actor.player.clip())?.transformed(&actor.place)),
            }
        });
        self.cast.with_crowds(boxes.reduce(|a, b| a.union(&b)))
    }

    /// The same where joints are blended as dual quaternions.
    fn turned_framing_box(&self) -> Option<Aabb> {
        let boxes = self.cast.members().iter().filter_map(|member| {
            let (asset, actor) = (&member.asset, &member.actor);
            match self.framing {
                Framing::Pose => {
                    let turned = (actor.palette(), actor.rotations());
                    let weights = &actor.pose().weights;
                    around_turned_pose(&asset.model, &asset.rig, turned, weights, actor.visible())
                }
                _ if member.is_attached() => None,
                framing => {
                    let around = around_turned_clips(&asset.model, actor.rig(), framing, actor.player.clip());
                    Some(around?.transformed(&actor.place))
                }
            }
        });
        self.cast.with_crowds(boxes.reduce(|a, b| a.union(&b)))
    }
}
