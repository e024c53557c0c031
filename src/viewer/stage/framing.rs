//! What the camera frames by itself.

use super::Stage;
use crate::animation::{Aabb, Dop, Framing, Skinning, around_all_vertices};
use crate::model::{ClipId, Within};
use crate::viewer::camera::Camera;
use crate::viewer::cast::Member;
use crate::viewer::{ActorId, StageError};

/// Seconds in which a camera that frames by itself gets to where it sees a larger clip.
const GLIDE: f64 = 0.4;

/// What a camera frames that was not moved.
#[derive(Debug, Clone, Default)]
pub(super) struct Framed {
    /// `None` if nothing is shown.
    around: Option<Dop>,
    /// What each actor played when that was measured.
    clips: Vec<Option<ClipId>>,
    /// Whether a picture of it was shown.
    pub(super) seen: bool,
    /// The camera is on its way from there, for so many seconds.
    glide: Option<(Camera, f64)>,
}

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

    /// Measures what the camera frames, and moves it there.
    pub(super) fn frame_by_itself(&mut self) {
        let around = self.framing_dop();
        let clips = self.cast.members().iter().map(current).collect();
        self.framed = Some(Framed { around, clips, seen: false, glide: None });
        self.point_camera();
        self.stale = true;
    }

    /// Moves the camera that frames by itself to where it sees all.
    pub(super) fn point_camera(&mut self) {
        let aspect = self.aspect();
        if let Some(framed) = &mut self.framed {
            framed.glide = None;
            if let Some(around) = &framed.around {
                self.camera.frame(around, aspect);
            }
        }
    }

    /// Measures again if an actor plays another clip than before. A picture that was shown keeps what it framed as well, so that the
    /// camera glides out for a larger clip and stays for a smaller one.
    ///
    /// - `glides`: whether there will be frames in which it can glide.
    pub(super) fn follow_clips(&mut self, glides: bool) {
        let Some(framed) = &self.framed else { return };
        let clips = self.cast.members().iter().map(current);
        if self.framing != Framing::Clip || framed.clips.iter().copied().eq(clips) {
            return;
        }
        let before = (self.camera, framed.seen, framed.around.clone());
        self.frame_by_itself();
        let (camera, true, Some(around)) = before else { return };
        let Some(framed) = &mut self.framed else { return };
        framed.seen = true;
        let larger = framed.around.as_ref().is_some_and(|new| !around.contains(new));
        framed.around = Some(match framed.around.take() {
            Some(new) if larger => new.union(&around),
            _ => around,
        });
        self.point_camera();
        if larger
            && glides
            && let Some(framed) = &mut self.framed
        {
            framed.glide = Some((camera, 0.0));
            self.glide(0.0);
        }
    }

    /// Whether the camera is on its way.
    pub(super) fn glides(&self) -> bool {
        self.framed.as_ref().is_some_and(|framed| framed.glide.is_some())
    }

    /// Moves a camera that is on its way on by so many seconds.
    pub(super) fn glide(&mut self, seconds: f64) {
        let aspect = self.aspect();
        let Some(Framed { around: Some(around), glide, .. }) = &mut self.framed else { return };
        let Some((from, elapsed)) = glide else { return };
        *elapsed += seconds;
        // Quick at first, since the clip has begun already.
        let left = (1.0 - *elapsed / GLIDE).within(0.0, 1.0);
        let mut to = self.camera;
        to.frame(around, aspect);
        self.camera = to.between(from, left * left * left);
        if left == 0.0 {
            *glide = None;
        }
        self.stale = true;
    }

    /// What the camera that frames by itself is on its way to: distance and target; `None` if it was moved.
    pub fn framed_camera(&self) -> Option<[f64; 4]> {
        let around = self.framed.as_ref()?.around.as_ref()?;
        let mut camera = self.camera;
        camera.frame(around, self.aspect());
        let [_, _, distance, x, y, z, _] = camera.state();
        Some([distance, x, y, z])
    }

    /// How far everybody reaches that a camera may be pointed at; see [`Stage::frame`].
    fn framing_dop(&mut self) -> Option<Dop> {
        self.cast.pose();
        let dual = self.cast.skinning() == Skinning::DualQuaternion;
        let framing = self.framing;
        let around = |member: &Member| {
            let (asset, actor) = (&member.asset, &member.actor);
            let (rig, clip) = (actor.rig(), current(member));
            match framing {
                Framing::Pose => {
                    let turned: &[_] = if dual { actor.rotations() } else { &[] };
                    let (posed, weights) = ((actor.palette(), turned), &actor.pose().weights);
                    let layout = &asset.rig.layout;
                    Some(asset.outline().of_pose(&asset.model, layout, posed, weights, actor.visible()))
                }
                _ if member.is_attached() => None,
                _ if dual || !std::ptr::eq(rig, &raw const *asset.rig) => {
                    Some(asset.framing_with(rig, framing, clip, dual)?.transformed(&actor.place))
                }
                _ => Some(asset.framing(framing, clip)?.transformed(&actor.place)),
            }
        };
        let all = self.cast.members().iter().filter_map(around).reduce(|a, b| a.union(&b));
        let mut all = all.unwrap_or(Dop::EMPTY);
        if let Some(crowds) = self.cast.with_crowds(None) {
            all.add_box(&crowds);
        }
        all.is_valid().then_some(all)
    }
}

/// The clip that an actor plays.
fn current(member: &Member) -> Option<ClipId> {
    member.actor.player.clip()
}
