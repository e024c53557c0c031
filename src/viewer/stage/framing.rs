//! The automatic camera: it frames what is on stage until it is moved.
//!
//! Its place is a function of the calls to the stage: the actors and the clips they play, the settings, the timeline's time. It does not
//! depend on drawn frames or on questions, so that the stage of a page and the one in a worker agree.

use super::Stage;
use crate::animation::{Dop, Framing, Skinning, around_all_vertices};
use crate::base::{Aabb, Affine};
use crate::model::ClipId;
use crate::viewer::camera::Camera;
use crate::viewer::cast::{ActorId, Member};
use crate::viewer::error::StageError;

/// Seconds of the timeline in which the camera glides out to see a larger clip.
const GLIDE: f64 = 0.5;

/// The most clips of one actor that are measured each; more count as all clips, whose measure is limited.
const MOST_CLIPS: usize = 4;

/// State of a camera that nobody has moved since it was pointed.
#[derive(Debug, Clone, Default)]
pub(super) struct Framed {
    /// Actors whose clips are followed.
    subjects: Vec<Subject>,
    /// All else that is framed; no clip changes it.
    fixed: Dop,
    /// The extents that the camera frames one after the other; the last is its goal. Empty if nothing is shown.
    steps: Vec<Step>,
    /// `true` once there was a frame. Before it, a change of clip is not seen, so the camera cuts and forgets the clip before.
    seen: bool,
}

/// An actor that is framed.
#[derive(Debug, Clone)]
struct Subject {
    actor: ActorId,
    /// `world_from_model` when the camera was pointed: it does not follow actors that are moved.
    place: Affine,
    /// The clips that it played when they were looked at last.
    clips: Vec<ClipId>,
}

#[derive(Debug, Clone)]
struct Step {
    around: Dop,
    /// The timeline's time at which the camera leaves the step before.
    begin: f64,
}

impl Step {
    /// The eased share of the way from the step before, `0.0..=1.0`. Quick at first, since the clip has begun already.
    fn share(&self, now: f64) -> f64 {
        let left = (1.0 - (now - self.begin) / GLIDE).clamp(0.0, 1.0);
        1.0 - left * left * left
    }

    fn is_over(&self, now: f64) -> bool {
        now - self.begin >= GLIDE
    }
}

impl Framed {
    /// The camera at a time, which looks in the direction of another one; that itself if nothing is shown.
    fn camera(&self, from: &Camera, aspect: f32, now: f64) -> Camera {
        let mut camera = *from;
        for (i, step) in self.steps.iter().enumerate() {
            let goal = from.framing(&step.around, aspect);
            camera = if i == 0 { goal } else { camera.toward(&goal, step.share(now)) };
        }
        camera
    }

    /// The camera where it goes to.
    fn goal(&self, from: &Camera, aspect: f32) -> Option<Camera> {
        Some(from.framing(&self.steps.last()?.around, aspect))
    }

    /// Begins to frame something as well, unless it is in view where the camera goes. So the camera stays for a smaller clip.
    fn include(&mut self, around: Dop, now: f64, glides: bool) {
        let last = self.steps.last().filter(|_| self.seen);
        if last.is_some_and(|last| last.around.contains(&around)) {
            return;
        }
        let around = last.map_or_else(|| around.clone(), |last| last.around.clone().union(&around));
        let cuts = last.is_none() || !glides;
        self.steps.push(Step { around, begin: now });
        if cuts {
            self.arrive();
        }
    }

    fn glides(&self) -> bool {
        self.steps.len() > 1
    }

    /// Forgets steps that later ones have wholly replaced.
    fn pass(&mut self, now: f64) {
        if let Some(over) = self.steps.iter().rposition(|step| step.is_over(now)) {
            self.steps.drain(..over);
        }
    }

    /// Ends the way at its goal.
    fn arrive(&mut self) {
        self.steps.drain(..self.steps.len().saturating_sub(1));
    }
}

impl Stage {
    /// The smallest box around all vertices of an actor as it is posed now, in the world; `None` if nothing is shown. Takes as long
    /// as the model has vertices, other than the box of [`Member::bounds`](crate::viewer::cast::Member::bounds), which is a little larger.
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

    /// Sets whether the camera glides out for a larger clip (the default) or cuts, as for people who asked for less motion.
    pub fn set_camera_glides(&mut self, glides: bool) {
        self.glides = glides;
        if !glides {
            self.end_glide();
        }
    }

    /// Points the camera at everything again, without a memory of clips that were played before.
    pub(super) fn frame_by_itself(&mut self) {
        self.cast.pose();
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

    /// Moves the automatic camera to where it is at the timeline's time, for the shape of the canvas.
    pub(super) fn point_camera(&mut self) {
        if let Some(framed) = &self.framed {
            self.camera = framed.camera(&self.camera, self.aspect(), self.cast.now());
        }
    }

    /// Has the camera see the clips that actors play now, if they are others than before.
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
                // A paused pose jumps, and so does the camera.
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

    /// Moves the automatic camera by itself, not on behalf of a call.
    fn follow_goal(&mut self) {
        let before = self.camera;
        self.point_camera();
        self.glided |= self.camera != before;
        self.stale |= self.camera != before;
    }

    /// `true` if the automatic camera has followed a larger clip since the last call.
    pub fn take_glided(&mut self) -> bool {
        std::mem::take(&mut self.glided)
    }

    /// Notes that there was a frame.
    pub(super) fn note_framed_seen(&mut self) {
        if let Some(framed) = &mut self.framed {
            framed.seen = true;
        }
    }

    /// `true` while the camera is on its way to its goal.
    pub(super) fn glides(&self) -> bool {
        self.framed.as_ref().is_some_and(Framed::glides)
    }

    /// Moves a camera that is on its way, after the timeline has moved.
    pub(super) fn glide(&mut self) {
        let now = self.cast.now();
        if let Some(framed) = self.framed.as_mut().filter(|framed| framed.glides()) {
            framed.pass(now);
            self.follow_goal();
        }
    }

    /// Moves a camera that is on its way to its goal.
    pub(super) fn end_glide(&mut self) {
        if let Some(framed) = self.framed.as_mut().filter(|framed| framed.glides()) {
            framed.arrive();
            self.follow_goal();
        }
    }

    /// The timeline's present time has got another name, so many seconds later.
    pub(super) fn shift_glide(&mut self, seconds: f64) {
        for step in self.framed.iter_mut().flat_map(|framed| &mut framed.steps) {
            step.begin += seconds;
        }
    }

    /// The distance and the target of the automatic camera where it goes to, also for clips that have just been started; `None` if it was
    /// moved, or if nothing is shown.
    pub fn framed_camera(&self) -> Option<[f64; 4]> {
        let mut framed = self.framed.clone()?;
        if let Some(around) = self.around_shown(&framed) {
            framed.include(around, self.cast.now(), true);
        }
        let [_, _, distance, x, y, z, _] = framed.goal(&self.camera, self.aspect())?.state();
        Some([distance, x, y, z])
    }

    /// `true` if the picture is framed as a still of the present clips is: see [`Stage::draw_still`].
    pub fn frames_as_still(&self) -> bool {
        self.still_camera().is_none_or(|camera| camera == self.camera)
    }

    /// The automatic camera as if nothing had been played before and it were not on its way; `None` if it was moved, or if nothing is
    /// shown.
    pub(super) fn still_camera(&self) -> Option<Camera> {
        let around = self.around_shown(self.framed.as_ref()?)?;
        Some(self.camera.framing(&around, self.aspect()))
    }

    fn has_changed(&self, subject: &Subject) -> bool {
        self.cast
            .get(subject.actor)
            .is_ok_and(|member| subject.clips.iter().copied().ne(member.actor.player.played_clips()))
    }

    /// The extent of everything that is framed with the clips that are played now, in the world; `None` if nothing is shown.
    fn around_shown(&self, framed: &Framed) -> Option<Dop> {
        let around = |subject: &Subject| {
            let around = self.around_played(self.cast.get(subject.actor).ok()?)?;
            Some(around.transformed(&subject.place))
        };
        let subjects = framed.subjects.iter().filter_map(around);
        let all = subjects.fold(framed.fixed.clone(), |all, around| all.union(&around));
        all.is_valid().then_some(all)
    }

    /// The extent of the clips that an actor plays now, in model space.
    fn around_played(&self, member: &Member) -> Option<Dop> {
        let player = &member.actor.player;
        match player.played_clips().take(MOST_CLIPS + 1).count() {
            0 => self.around_clip(member, Framing::Clip, None),
            1..=MOST_CLIPS => {
                let each = player
                    .played_clips()
                    .filter_map(|clip| self.around_clip(member, Framing::Clip, Some(clip)));
                each.reduce(|all, around| all.union(&around))
            }
            _ => self.around_clip(member, Framing::AllClips, None),
        }
    }

    fn around_clip(&self, member: &Member, framing: Framing, clip: Option<ClipId>) -> Option<Dop> {
        member.asset.framing_with(member.actor.rig(), framing, clip, self.turns())
    }

    /// The extent of an actor's pose, in the world; the cast is posed.
    fn around_pose(&self, Member { asset, actor, .. }: &Member) -> Dop {
        let turned: &[_] = if self.turns() { actor.rotations() } else { &[] };
        let (posed, weights) = ((actor.palette(), turned), &actor.pose().weights);
        asset.outline().of_pose(&asset.model, &asset.rig.layout, posed, weights, actor.visible())
    }

    /// `true` if joints are blended as dual quaternions.
    fn turns(&self) -> bool {
        self.cast.skinning() == Skinning::DualQuaternion
    }
}
