//! The automatic camera, which frames the cast until it is moved.
//!
//! Its position depends only on calls of the stage: actors, clips, settings, and the time of the timeline. It does not
//! depend on drawn frames or queries, so that the stage of a page and its copy in a worker agree.

use super::Stage;
use crate::animation::{Dop, Framing, Skinning, around_all_vertices};
use crate::base::{Aabb, Affine};
use crate::model::ClipId;
use crate::viewer::camera::Camera;
use crate::viewer::cast::{ActorId, Member};
use crate::viewer::error::StageError;

/// The duration of a glide to a larger clip, in seconds of the timeline.
const GLIDE: f64 = 0.5;

/// The maximum number of clips per actor that are measured individually; for more, the extent of all clips is used.
const MAX_CLIPS: usize = 4;

/// The state of the automatic camera.
#[derive(Debug, Clone, Default)]
pub(super) struct Framed {
    /// The actors whose clips are framed.
    subjects: Vec<Subject>,
    /// The extent of everything else that is framed; independent of clips.
    fixed: Dop,
    /// The successive extents to frame; the last is the goal. Empty if nothing is visible.
    steps: Vec<Step>,
    /// `true` after the first frame. Before it, a change of clip is invisible, so the camera cuts and ignores earlier clips.
    seen: bool,
}

/// An actor whose clips are framed.
#[derive(Debug, Clone)]
struct Subject {
    actor: ActorId,
    /// `world_from_model` when framing began: the camera does not follow actors that are moved.
    place: Affine,
    /// The clips that it played at the last check.
    clips: Vec<ClipId>,
}

#[derive(Debug, Clone)]
struct Step {
    around: Dop,
    /// The time of the timeline at which the glide from the previous step begins.
    begin: f64,
}

impl Step {
    /// The eased fraction of the glide from the previous step, `0.0..=1.0`. Fast at first, since the clip is already playing.
    fn share(&self, now: f64) -> f64 {
        let left = (1.0 - (now - self.begin) / GLIDE).clamp(0.0, 1.0);
        1.0 - left * left * left
    }

    fn is_over(&self, now: f64) -> bool {
        now - self.begin >= GLIDE
    }
}

impl Framed {
    /// The camera at a time, with the direction of `from`; equals `from` if nothing is visible.
    fn camera(&self, from: &Camera, aspect: f32, now: f64) -> Camera {
        let mut camera = *from;
        for (i, step) in self.steps.iter().enumerate() {
            let goal = from.framing(&step.around, aspect);
            camera = if i == 0 { goal } else { camera.toward(&goal, step.share(now)) };
        }
        camera
    }

    /// The goal extended to frame `around` too; `None` if it already does. The camera does not move for a smaller clip.
    fn extended(&self, around: Dop) -> Option<Dop> {
        match self.steps.last().filter(|_| self.seen) {
            Some(last) if last.around.contains(&around) => None,
            Some(last) => Some(around.union(&last.around)),
            None => Some(around),
        }
    }

    /// Extends the goal to frame `around`, unless it already does.
    fn include(&mut self, around: Dop, now: f64, glides: bool) {
        let Some(around) = self.extended(around) else { return };
        let cuts = !glides || !self.seen || self.steps.is_empty();
        self.steps.push(Step { around, begin: now });
        if cuts {
            self.arrive();
        }
    }

    fn glides(&self) -> bool {
        self.steps.len() > 1
    }

    /// Removes the steps before the last completed one.
    fn pass(&mut self, now: f64) {
        if let Some(over) = self.steps.iter().rposition(|step| step.is_over(now)) {
            self.steps.drain(..over);
        }
    }

    /// Completes the glide.
    fn arrive(&mut self) {
        self.steps.drain(..self.steps.len().saturating_sub(1));
    }
}

impl Stage {
    /// The exact bounding box of an actor's vertices in the current pose, in world space; `None` if nothing is visible.
    /// Processes all vertices, unlike the slightly larger [`Member::bounds`](crate::viewer::cast::Member::bounds).
    ///
    /// # Errors
    /// `NoActor`.
    pub fn tight_bounds(&mut self, id: ActorId) -> Result<Option<Aabb>, StageError> {
        self.pose();
        let member = self.cast.get(id)?;
        let (asset, actor) = (&member.asset, &member.actor);
        let palettes = (actor.palette(), actor.rotations());
        Ok(around_all_vertices(&asset.model, actor.rig(), palettes, &actor.pose().weights, actor.visible()))
    }

    /// Sets `true` (the default) to glide to a larger clip, or `false` to cut, for users who prefer reduced motion.
    pub fn set_camera_glides(&mut self, glides: bool) {
        self.glides = glides;
        if !glides {
            self.end_glide();
        }
    }

    /// Frames the whole cast again, independent of earlier clips.
    pub(super) fn frame_by_itself(&mut self) {
        self.pose();
        let mut framed = Framed::default();
        if let Some(crowds) = self.cast.with_crowds(None) {
            framed.fixed.add_box(&crowds);
        }
        for member in self.cast.members() {
            let place = member.actor.place;
            let around = match self.framing {
                Framing::Pose => Some(self.around_pose(member)),
                _ if member.is_attached() => None,
                Framing::Clip => {
                    let clips = member.actor.player.played_clips().collect();
                    framed.subjects.push(Subject { actor: member.id, place, clips });
                    None
                }
                framing => self.around_clip(member, framing, None).map(|around| around.transformed(&place)),
            };
            if let Some(around) = around {
                framed.fixed = framed.fixed.union(&around);
            }
        }
        let shown = self.around_shown(&framed);
        framed.steps.extend(shown.map(|around| Step { around, begin: self.cast.now() }));
        self.framed = Some(framed);
        self.point_camera();
        self.stale = true;
    }

    /// Updates the automatic camera for the time of the timeline and the aspect ratio of the canvas.
    pub(super) fn point_camera(&mut self) {
        if let Some(framed) = &self.framed {
            self.camera = framed.camera(&self.camera, self.aspect(), self.cast.now());
        }
    }

    /// Frames the clips that actors play now, if they differ from those framed before.
    pub(super) fn follow_clips(&mut self) {
        if !self.cast.take_commanded() {
            return;
        }
        let changes = |framed: &Framed| framed.subjects.iter().any(|subject| self.has_changed(subject));
        if !self.framed.as_ref().is_some_and(changes) {
            return;
        }
        let Some(mut framed) = self.framed.take() else { return };
        let (seen, mut moves) = (framed.seen, false);
        for subject in &mut framed.subjects {
            if !self.has_changed(subject) {
                continue;
            }
            if let Ok(member) = self.cast.get(subject.actor) {
                subject.clips.clear();
                subject.clips.extend(member.actor.player.played_clips());
                // A paused pose changes without transition, and so does the camera.
                moves |= member.actor.player.is_moving();
            }
        }
        if let Some(around) = self.around_shown(&framed) {
            framed.include(around, self.cast.now(), moves && self.glides);
        }
        self.framed = Some(framed);
        self.follow_goal();
        self.glided &= seen;
    }

    /// Updates the automatic camera, and records that it moved without a call of the page.
    fn follow_goal(&mut self) {
        let before = self.camera;
        self.point_camera();
        self.glided |= self.camera != before;
        self.stale |= self.camera != before;
    }

    /// `true` if the automatic camera has moved for a larger clip since the last call.
    pub fn take_glided(&mut self) -> bool {
        std::mem::take(&mut self.glided)
    }

    /// Records that a frame has been shown.
    pub(super) fn record_shown_frame(&mut self) {
        if let Some(framed) = &mut self.framed {
            framed.seen = true;
        }
    }

    /// `true` while the camera glides.
    pub(super) fn glides(&self) -> bool {
        self.framed.as_ref().is_some_and(Framed::glides)
    }

    /// Continues a glide after the timeline has moved.
    pub(super) fn glide(&mut self) {
        let now = self.cast.now();
        if let Some(framed) = self.framed.as_mut().filter(|framed| framed.glides()) {
            framed.pass(now);
            self.follow_goal();
        }
    }

    /// Completes a glide.
    pub(super) fn end_glide(&mut self) {
        if let Some(framed) = self.framed.as_mut().filter(|framed| framed.glides()) {
            framed.arrive();
            self.follow_goal();
        }
    }

    /// Shifts the glide after the timeline was rebased to a time `seconds` later.
    pub(super) fn shift_glide(&mut self, seconds: f64) {
        for step in self.framed.iter_mut().flat_map(|framed| &mut framed.steps) {
            step.begin += seconds;
        }
    }

    /// The distance and target of the automatic camera at its goal, including clips that were just started. `None` if the
    /// camera was moved, or if nothing is visible.
    pub fn framed_camera(&self) -> Option<[f64; 4]> {
        let framed = self.framed.as_ref()?;
        let extended = self.around_shown(framed).and_then(|around| framed.extended(around));
        let goal = extended.as_ref().or_else(|| Some(&framed.steps.last()?.around))?;
        let [_, _, distance, x, y, z, _] = self.camera.framing(goal, self.aspect()).state();
        Some([distance, x, y, z])
    }

    /// `true` if the picture has the camera of a still of the current clips: see [`Stage::draw_still`].
    pub fn frames_as_still(&self) -> bool {
        self.still_camera().is_none_or(|camera| camera == self.camera)
    }

    /// The automatic camera for the current clips alone, without earlier clips or a glide. `None` if the camera was moved,
    /// or if nothing is visible.
    pub(super) fn still_camera(&self) -> Option<Camera> {
        let around = self.around_shown(self.framed.as_ref()?)?;
        Some(self.camera.framing(&around, self.aspect()))
    }

    fn has_changed(&self, subject: &Subject) -> bool {
        self.cast
            .get(subject.actor)
            .is_ok_and(|member| subject.clips.iter().copied().ne(member.actor.player.played_clips()))
    }

    /// The framed extent with the current clips, in world space; `None` if nothing is visible.
    fn around_shown(&self, framed: &Framed) -> Option<Dop> {
        let around = |subject: &Subject| {
            let around = self.around_played(self.cast.get(subject.actor).ok()?)?;
            Some(around.transformed(&subject.place))
        };
        let subjects = framed.subjects.iter().filter_map(around);
        let all = subjects.fold(framed.fixed.clone(), |all, around| all.union(&around));
        all.is_valid().then_some(all)
    }

    /// The extent of the clips that an actor currently plays, in model space.
    fn around_played(&self, member: &Member) -> Option<Dop> {
        let player = &member.actor.player;
        match player.played_clips().take(MAX_CLIPS + 1).count() {
            0 => self.around_clip(member, Framing::Clip, None),
            1..=MAX_CLIPS => {
                let each = player
                    .played_clips()
                    .filter_map(|clip| self.around_clip(member, Framing::Clip, Some(clip)));
                each.reduce(|all, around| all.union(&around))
            }
            _ => self.around_clip(member, Framing::AllClips, None),
        }
    }

    fn around_clip(&self, member: &Member, framing: Framing, clip: Option<ClipId>) -> Option<Dop> {
        member.asset.framing_with(member.actor.rig(), framing, clip, self.uses_dual_quaternions())
    }

    /// The extent of an actor's pose in world space; the cast must be posed.
    fn around_pose(&self, Member { asset, actor, .. }: &Member) -> Dop {
        let turned: &[_] = if self.uses_dual_quaternions() { actor.rotations() } else { &[] };
        let (posed, weights) = ((actor.palette(), turned), &actor.pose().weights);
        asset.outline().of_pose(&asset.model, &asset.layout, posed, weights, actor.visible())
    }

    /// `true` with dual-quaternion skinning.
    fn uses_dual_quaternions(&self) -> bool {
        self.cast.skinning() == Skinning::DualQuaternion
    }
}
