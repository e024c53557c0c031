//! What the camera frames by itself.

use super::Stage;
use crate::animation::{Aabb, Framing, Skinning, around_clips, around_pose, around_turned_clips};
use crate::rare::rare;

impl Stage {
    /// The box around everybody that a camera may be pointed at; see [`Stage::frame`].
    pub(super) fn framing_box(&mut self) -> Option<Aabb> {
        self.cast.pose();
        let boxes = self.cast.members().iter().filter_map(|member| {
            let (asset, actor) = (&member.asset, &member.actor);
            match self.framing {
                Framing::Pose => {
                    let (palette, turned, weights) =
                        (actor.palette(), actor.rotations(), &actor.pose().weights);
                    around_pose(&asset.model, &asset.rig, palette, turned, weights, actor.visible())
                }
                _ if member.is_attached() => None,
                framing if self.cast.skinning() == Skinning::DualQuaternion => {
                    let clip = actor.player.clip();
                    let around = rare(|| around_turned_clips(&asset.model, actor.rig(), framing, clip));
                    Some(around?.transformed(&actor.place))
                }
                framing if !std::ptr::eq(actor.rig(), &raw const *asset.rig) => {
                    let clip = actor.player.clip();
                    Some(around_clips(&asset.model, actor.rig(), framing, clip)?.transformed(&actor.place))
                }
                framing => Some(asset.framing(framing, actor.player.clip())?.transformed(&actor.place)),
            }
        });
        boxes.reduce(|a, b| a.union(&b))
    }
}
