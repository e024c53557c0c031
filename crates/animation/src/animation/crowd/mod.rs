//! Many members of one model, each with its own clip, time, rate, position and tint.

mod batch;
mod batch_poses;
mod culling;
mod detail;
mod events;
mod frame_cache;
mod frames;
mod hearing;
mod hidden;
mod look_at;
mod looks;
mod measure;
mod member_morphs;
mod member_part;
mod mesh_levels;
mod morphs;
mod picking;
mod playback;
mod playing;
mod pose_cache;
pub(crate) mod update_clips;
mod update_rate;

pub use batch::PaletteBatch;
pub use batch_poses::{Fading, PoseRequest};
pub use culling::CrowdView;
pub use member_part::{CrowdError, MemberPart};
pub use mesh_levels::MAX_MESH_LEVELS;
pub use update_rate::UpdateRate;

use crate::animation::clip_set::ClipSet;
use crate::animation::player::{Fade, LoopMode};
use crate::animation::rig::Rig;
use crate::animation::skin::Bounds;
use crate::base::{Aabb, Affine, F32x4};
use crate::model::{ClipId, Model, SIDE_BY_SIDE, side_by_side};
use frame_cache::FrameCache;
use glam::{Quat, Vec3};
use hearing::Hearing;
use hidden::HiddenParts;
use looks::Looks;
use measure::Extent;
use member_morphs::MemberMorphs;
use mesh_levels::{MeshLevels, VisibleMember};
use playing::{Playing, Previous};
use pose_cache::Baked;
use std::rc::Rc;

/// The number of palettes per batch: a multiple of four, small enough that the list stays in the cache.
const BATCH_SIZE: usize = 32;
/// The largest measured error at which a member interpolates between cached poses, in pixels. The documented bound is
/// half a pixel. The difference is a margin, because the error is measured at some vertices and times only: see
/// [`Extent::error`].
const TOLERANCE: f32 = 0.4;
/// The smallest number of members for which poses are cached.
const MIN_MEMBERS: usize = 8;
/// The largest number of cached matrices: 12 MiB.
const MAX_CACHED_MATRICES: usize = 1 << 18;

/// Many members of one model, with attributes in lists that the page fills.
///
/// A member's time in its clip is a function of the timeline alone, as for actors: see
/// [`Action`](crate::animation::player::Action). [`Crowd::update`] writes the palettes of a frame:
/// [`Crowd::palette`] has [`Crowd::stride`] entries per visible member. The last entry of a member is its
/// tint, and the nodes that it hides. The palettes of [`SIDE_BY_SIDE`] members are interleaved.
///
/// Matrices of hidden meshes are zeros. Only nodes and morph weights are animated: other properties keep the
/// values of the file. Root motion is not extracted.
#[derive(Debug, Clone)]
pub struct Crowd {
    rig: Rc<Rig>,
    /// Extents of the rest pose and of each clip. Missing entries at the end are not yet measured.
    extents: Vec<Extent>,
    /// The clip of new members.
    first: Option<ClipId>,
    durations: Vec<f64>,
    /// `true` if members are drawn back to front, for transparent materials.
    sorted: bool,

    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    scales: Vec<f32>,
    places: Vec<Affine>,
    playing: Vec<Playing>,
    /// The previous clips; empty until the first change of clip with a transition.
    previous: Vec<Previous>,
    tints: Vec<[f32; 4]>,
    /// The morph weights of each member that are set; empty until the first is.
    morphs: MemberMorphs,
    hidden: HiddenParts,
    looks: Looks,
    hearing: Hearing,
    /// The number of replaced clips that were taken over; see [`ClipSet::replaced`].
    replaced: usize,
    levels: MeshLevels,

    loop_mode: LoopMode,
    transition: f64,
    update_rate: UpdateRate,
    is_baked: bool,
    /// The cached poses of each clip: `None` before the first request, `Some(None)` if the clip cannot have
    /// any.
    baked: Vec<Option<Option<Baked>>>,
    /// The timeline's time at which the crowd's time is 0.
    delay: f64,
    paused: Option<f64>,
    /// The fraction of all clips while progress is set by [`Crowd::scrub`].
    progress: Option<f64>,
    /// The bounds of all members; `None` until requested.
    bounds: Option<Option<Aabb>>,

    batch: PaletteBatch,
    visible_members: Vec<VisibleMember>,
    requests: Vec<PoseRequest>,
    /// The number of poses that the last update sampled.
    sampled: usize,
    /// The palettes of visible members, in the layout of [`Crowd::palette`].
    palettes: Vec<Affine>,
    /// The morph weights of visible members.
    weights: Vec<f32>,
    /// The frames of a morph cache.
    frames: Option<FrameCache>,
    /// See [`Crowd::active_targets`].
    active_targets: Vec<f32>,
}

fn durations(rig: &Rig) -> Vec<f64> {
    (0..rig.clip_count()).map(|clip| f64::from(rig.duration(ClipId::new(clip)))).collect()
}

impl Crowd {
    /// A crowd without members. Call [`Crowd::measure`] next.
    ///
    /// - `sorted`: `true` to sort members back to front, for transparent materials.
    pub fn new(clip_set: &ClipSet, sorted: bool) -> Self {
        let rig = Rc::clone(&clip_set.rig);
        let mut hearing = Hearing::default();
        hearing.extend_clips(clip_set);
        Self {
            extents: Vec::with_capacity(rig.clip_count() + 1),
            first: clip_set.opening(),
            durations: durations(&rig),
            sorted,
            positions: Vec::new(),
            rotations: Vec::new(),
            scales: Vec::new(),
            places: Vec::new(),
            playing: Vec::new(),
            previous: Vec::new(),
            tints: Vec::new(),
            morphs: MemberMorphs::default(),
            hidden: HiddenParts::default(),
            looks: Looks::default(),
            hearing,
            replaced: clip_set.replaced().len(),
            levels: MeshLevels::default(),
            loop_mode: LoopMode::Repeat,
            transition: 0.0,
            update_rate: UpdateRate::Auto,
            is_baked: false,
            baked: vec![None; rig.clip_count()],
            delay: 0.0,
            paused: None,
            progress: None,
            bounds: None,
            batch: PaletteBatch::new(&rig),
            visible_members: Vec::new(),
            requests: Vec::new(),
            sampled: 0,
            palettes: Vec::new(),
            weights: Vec::new(),
            frames: FrameCache::find(clip_set),
            active_targets: Vec::new(),
            rig,
        }
    }

    /// `true` if [`Crowd::measure`] has measured all clips.
    pub fn is_measured(&self) -> bool {
        self.extents.len() > self.durations.len()
    }

    /// Measures the next clip, each one once. Returns `true` if more clips remain. Until its clip is
    /// measured, a member is never culled and the crowd has no bounds.
    ///
    /// - `model`, `clip_set`, `bounds`: those of the crowd's model.
    pub fn measure(&mut self, model: &Model, clip_set: &ClipSet, bounds: &Bounds) -> bool {
        if !self.is_measured() {
            let clip = self.extents.len().checked_sub(1).map(|i| (ClipId::new(i), &*clip_set.clips[i]));
            let widened = (!self.morphs.is_empty()).then(|| bounds.widened(self.morphs.ranges()));
            let bounds = widened.as_ref().unwrap_or(bounds);
            self.extents.push(Extent::new(model, &self.rig, bounds, clip, &self.levels));
            self.bounds = None;
        }
        !self.is_measured()
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// `true` if there are no members.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Changes the number of members. Members at the end are removed. New members are at the origin, at the
    /// beginning of the first clip that lasts, at rate 1.
    pub fn resize(&mut self, count: usize, now: f64) {
        let clock = self.clock(now);
        self.positions.resize(count, Vec3::ZERO);
        self.rotations.resize(count, Quat::IDENTITY);
        self.scales.resize(count, 1.0);
        self.places.resize(count, Affine::identity());
        let playing = Playing { clip: self.first, offset: 0.0, start: clock, backwards: false, rate: 1.0 };
        self.playing.resize(count, playing);
        if !self.previous.is_empty() {
            self.previous.resize(count, Previous { playing, share: Fade::still(0.0) });
        }
        self.tints.resize(count, [1.0; 4]);
        self.morphs.resize(count);
        self.hidden.resize(count);
        self.looks.resize(count);
        self.hearing.resize(count);
        self.palettes.truncate(self.room_for_all());
        self.weights.truncate(count * self.weight_count());
        self.visible_members.clear();
        self.levels.order(&mut self.visible_members);
        self.bounds = None;
    }

    /// Sets an attribute of consecutive members, from `first` on; the count of `numbers` determines the count
    /// of members.
    ///
    /// # Errors
    /// `Range`, `Number`, `NoClip`. In this case nothing changes.
    pub fn set(
        &mut self,
        part: MemberPart,
        first: usize,
        numbers: &[f64],
        now: f64,
    ) -> Result<(), CrowdError> {
        let width = part.width();
        let count = numbers.len() / width;
        if count * width != numbers.len() || first > self.len() || count > self.len() - first {
            return Err(CrowdError::Range);
        }
        for numbers in numbers.chunks_exact(width) {
            part.check(numbers, self.durations.len())?;
        }
        let clock = self.clock(now);
        for (i, numbers) in (first..).zip(numbers.chunks_exact(width)) {
            self.put(part, i, numbers, clock);
        }
        self.looks.stale = true;
        self.bounds = None;
        Ok(())
    }

    fn put(&mut self, part: MemberPart, i: usize, numbers: &[f64], clock: f64) {
        match (part, numbers) {
            (MemberPart::Position, &[x, y, z]) => {
                self.positions[i] = Vec3::new(x as f32, y as f32, z as f32);
                self.place(i);
            }
            (MemberPart::Rotation, numbers @ &[x, y, z, w]) => {
                // In f64 the square of the smallest f32 does not underflow.
                let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
                let rotation = Quat::from_array([x, y, z, w].map(|number| (number / length) as f32));
                if rotation != self.rotations[i] {
                    self.rotations[i] = rotation;
                    self.place(i);
                }
            }
            (MemberPart::Scale, &[scale]) if scale as f32 != self.scales[i] => {
                self.scales[i] = scale as f32;
                self.place(i);
            }
            (MemberPart::Clip, &[index]) => {
                let clip = Some(ClipId::new(index as usize));
                if clip != self.playing[i].clip {
                    self.leave(i, clock);
                    self.playing[i].clip = clip;
                    self.start(i, 0.0, clock);
                    if self.transition == 0.0 {
                        self.looks.cut(i);
                    }
                }
            }
            (MemberPart::Time, &[time]) => {
                self.start(i, time, clock);
                self.looks.cut(i);
            }
            (MemberPart::Start, &[start]) => {
                self.start(i, 0.0, start - self.delay);
                self.looks.cut(i);
            }
            (MemberPart::Rate, &[rate]) if rate != self.playing[i].rate => {
                let position = self.position(i, clock);
                self.playing[i].rebase(position, clock);
                self.playing[i].rate = rate;
            }
            (MemberPart::Tint, &[r, g, b, a]) => self.tints[i] = [r, g, b, a].map(|number| number as f32),
            _ => {}
        }
    }

    fn place(&mut self, i: usize) {
        let (at, scale) = (self.positions[i], self.scales[i]);
        let [x, y, z, w] = self.rotations[i].to_array();
        let (xx, yy, zz) = (2.0 * x * x, 2.0 * y * y, 2.0 * z * z);
        let (xy, xz, yz) = (2.0 * x * y, 2.0 * x * z, 2.0 * y * z);
        let (wx, wy, wz) = (2.0 * w * x, 2.0 * w * y, 2.0 * w * z);
        let row = |a: f32, b: f32, c: f32, t: f32| F32x4::new([scale * a, scale * b, scale * c, t]);
        self.places[i].rows = [
            row(1.0 - (yy + zz), xy - wz, xz + wy, at.x),
            row(xy + wz, 1.0 - (xx + zz), yz - wx, at.y),
            row(xz - wy, yz + wx, 1.0 - (xx + yy), at.z),
        ];
    }

    /// The behaviour at the ends of clips.
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Sets the behaviour at the ends of clips; no pose changes. An equal mode has no effect.
    pub fn set_loop_mode(&mut self, mode: LoopMode, now: f64) {
        if mode == self.loop_mode {
            return;
        }
        let clock = self.clock(now);
        for i in 0..self.len() {
            let position = self.position(i, clock);
            let before = self.previous.get(i).map(|before| self.at(&before.playing, clock));
            let rebase = |playing: &mut Playing, position| {
                playing.rebase(position, clock);
                playing.backwards &= mode == LoopMode::PingPong;
            };
            rebase(&mut self.playing[i], position);
            if let Some(position) = before {
                rebase(&mut self.previous[i].playing, position);
            }
        }
        self.loop_mode = mode;
    }

    /// The duration of the transition between clips, in seconds.
    pub fn transition(&self) -> f64 {
        self.transition
    }

    /// Sets the duration of later transitions between clips: the new clip fades in while the old one plays on
    /// and fades out. With 0 (the default), negative numbers or NaN the change is immediate.
    pub fn set_transition(&mut self, seconds: f64) {
        self.transition = if seconds > 0.0 { seconds.min(f64::MAX) } else { 0.0 };
    }

    /// The level of detail of small members.
    pub fn update_rate(&self) -> UpdateRate {
        self.update_rate
    }

    /// Sets the level of detail of small members.
    pub fn set_update_rate(&mut self, rate: UpdateRate) {
        self.update_rate = rate;
    }

    /// `true` if all members use cached poses; see [`Crowd::set_baked`].
    pub fn is_baked(&self) -> bool {
        self.is_baked
    }

    /// Sets whether all members interpolate between cached poses, 30 per second, computed once for each clip
    /// in use. This is for crowds in the background: the result is near the clip but not exact. Clips longer
    /// than two minutes, and transitions, are always sampled.
    pub fn set_baked(&mut self, on: bool) {
        if on != self.is_baked {
            self.is_baked = on;
            self.forget_baked();
        }
    }

    fn forget_baked(&mut self) {
        self.baked.clear();
        self.baked.resize(self.durations.len(), None);
    }

    /// `true` if the crowd is paused.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Pauses or resumes all members.
    pub fn set_paused(&mut self, paused: bool, now: f64) {
        match self.paused {
            None if paused => self.paused = Some(now - self.delay),
            Some(clock) if !paused => {
                self.delay = now - clock;
                self.paused = None;
            }
            _ => {}
        }
    }

    /// Replaces the timeline's time `before` by `now`; no member moves.
    pub fn set_clock(&mut self, before: f64, now: f64) {
        self.delay += now - before;
    }

    /// Advances the timeline to `now`: returns control of the members' times to it, collects the events of
    /// [`Crowd::listen`], and turns the members that look.
    pub fn advance_to(&mut self, now: f64) {
        let had_progress = self.progress.take().is_some();
        self.hear(now, had_progress);
        if !self.looks.is_empty() {
            self.step_looks(now);
        }
    }

    /// Sets all members to a fraction of their clips, until [`Crowd::advance_to`]. Returns `true` if that
    /// changes a pose.
    pub fn scrub(&mut self, fraction: f64) -> bool {
        let moves = self.progress != Some(fraction) && !self.is_empty() && self.paused.is_none();
        if moves {
            self.hear_progress(fraction);
            self.looks.cut_all();
        }
        self.progress = Some(fraction);
        moves
    }

    /// `true` if time alone changes the pose of any member.
    pub fn is_moving(&self, now: f64) -> bool {
        if self.paused.is_some() || self.progress.is_some() {
            return false;
        }
        if self.looks.are_turning() {
            return true;
        }
        let clock = self.clock(now);
        (0..self.len()).any(|i| {
            let plays = |playing: &Playing| {
                let moves = self.duration(playing) > 0.0 && playing.rate != 0.0;
                let over = || clock >= playing.start && self.at(playing, clock).finished;
                moves && !(self.loop_mode == LoopMode::Once && over())
            };
            plays(&self.playing[i]) || self.previous.get(i).is_some_and(|before| before.share.end > clock)
        })
    }

    /// The time of each member in its clip, in seconds.
    pub fn times(&self, now: f64) -> impl Iterator<Item = f64> + '_ {
        let clock = self.clock(now);
        (0..self.len()).map(move |i| self.time(i, clock))
    }

    /// The box around all members in all poses of their clips; `None` if no mesh is ever visible.
    pub fn bounds(&mut self) -> Option<Aabb> {
        if let Some(bounds) = self.bounds {
            return bounds;
        }
        let mut union = Aabb::EMPTY;
        for (i, place) in self.places.iter().enumerate() {
            if let Some(bounds) = self.extent(i).bounds {
                union = union.union(&bounds.transformed(place));
            }
        }
        let bounds = union.is_valid().then_some(union);
        self.bounds = Some(bounds);
        bounds
    }

    /// The transform of each member: `world_from_model`.
    pub fn places(&self) -> &[Affine] {
        &self.places
    }

    /// The number of palette entries per member: its matrices, and one entry with its tint in the first row; see
    /// [`Crowd::parts_of_nodes`] for its other rows.
    pub fn stride(&self) -> usize {
        self.rig.palette_len() + 1
    }

    /// The number of morph weights per member.
    pub fn weight_count(&self) -> usize {
        self.rig.rest_pose().weights.len()
    }

    /// The number of members inside the frustum at the last update.
    pub fn visible_len(&self) -> usize {
        self.visible_members.len()
    }

    /// The indices of the members inside the frustum at the last update, in the order of the palette.
    pub fn visible(&self) -> impl Iterator<Item = usize> + '_ {
        self.visible_members.iter().map(|visible| visible.member as usize)
    }

    /// The number of poses that the last update sampled.
    pub fn sampled_len(&self) -> usize {
        self.sampled
    }

    /// The palettes of the members inside the frustum at the last update, interleaved in groups of
    /// [`SIDE_BY_SIDE`]. Unused entries of the last group are undefined.
    pub fn palette(&self) -> &[Affine] {
        &self.palettes[..self.visible_members.len().next_multiple_of(SIDE_BY_SIDE) * self.stride()]
    }

    /// The palette of a visible member, with its tint.
    ///
    /// - `at`: an index into [`Crowd::visible`].
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn member_palette(&self, at: usize) -> impl Iterator<Item = Affine> + '_ {
        self.palette()[self.begin(at)..].iter().step_by(SIDE_BY_SIDE).take(self.stride()).copied()
    }

    /// The index of the first palette entry of a visible member.
    fn begin(&self, at: usize) -> usize {
        side_by_side(at, self.stride())
    }

    /// The number of palette entries if all members are visible.
    fn room_for_all(&self) -> usize {
        self.len().next_multiple_of(SIDE_BY_SIDE) * self.stride()
    }

    /// The morph weights of visible members, [`Crowd::weight_count`] each; undefined if there are [`Crowd::active_targets`].
    pub fn weights(&self) -> &[f32] {
        if self.frame_cache().is_some() {
            return &[];
        }
        &self.weights[..self.visible_members.len() * self.weight_count()]
    }

    /// Poses the members inside the frustum at the timeline's time `now`. Allocates only while the buffers
    /// grow.
    pub fn update(&mut self, now: f64, view: &CrowdView) {
        self.update_looks(now);
        let clock = self.clock(now);
        self.look(view, clock);
        self.levels.order(&mut self.visible_members);
        self.make_room();
        self.sampled = 0;
        let last = SIDE_BY_SIDE * self.rig.palette_len();
        let has_frames = self.frames.is_some() && self.show_frames(clock);
        for at in 0..self.visible_members.len() {
            let VisibleMember { member, small, .. } = self.visible_members[at];
            let member = member as usize;
            if has_frames {
                self.place_frames(at, member);
            } else if self.looks.has(member) {
                self.put_look(at, member, clock);
            } else if !((small || self.is_baked) && self.show_baked(at, member, clock)) {
                self.want(at, member, clock);
            }
            let entry = self.begin(at) + last;
            self.palettes[entry].rows = [F32x4::new(self.tints[member]), F32x4::zero(), F32x4::zero()];
            if self.requests.len() >= BATCH_SIZE {
                self.sample();
            }
        }
        self.sample();
        if !self.morphs.is_empty() {
            self.pose_morphs();
        }
        if !self.hidden.of_nodes().is_empty() {
            self.hide_parts();
        }
    }

    /// Computes the requested palettes, in groups of four where possible.
    fn sample(&mut self) {
        let Self { batch, rig, requests, palettes, weights, .. } = self;
        batch.palettes(rig, requests, palettes, weights);
        self.sampled += self.requests.len();
        self.requests.clear();
    }

    /// Culls the members and selects their level of detail. Not inlined, like the rare branches of an update,
    /// to reduce register pressure.
    #[inline(never)]
    fn look(&mut self, view: &CrowdView, clock: f64) {
        let all_sampled = self.update_rate == UpdateRate::Full || self.len() < MIN_MEMBERS;
        let mut visible_members = std::mem::take(&mut self.visible_members);
        visible_members.clear();
        for (i, place) in self.places.iter().enumerate() {
            let extent = self.reach(i, clock);
            let Some(body) = &extent.body else { continue };
            let scale = self.scales[i];
            let Some(visibility) = view.visibility(body, place, scale) else { continue };
            // The error was measured with the animated morph weights.
            let sampled = all_sampled || self.morphs.has(i);
            let pixels = scale * visibility.pixels;
            let small = !sampled && extent.error * pixels <= TOLERANCE;
            // Transparent members are drawn in the order of their distances, in one run.
            let level = if sampled || self.sorted { 0 } else { self.levels.choose(&extent.levels, pixels) };
            visible_members.push(VisibleMember {
                member: i as u32,
                small,
                level,
                distance: visibility.distance,
            });
        }
        if self.sorted {
            visible_members
                .sort_unstable_by(|a, b| b.distance.total_cmp(&a.distance).then(a.member.cmp(&b.member)));
        }
        self.visible_members = visible_members;
    }

    /// Enlarges the buffers for the palettes of all members.
    fn make_room(&mut self) {
        let weights = if self.frame_cache().is_some() { 0 } else { self.weight_count() };
        let (palettes, weights) = (self.room_for_all(), self.len() * weights);
        if self.palettes.len() < palettes {
            self.palettes.resize(palettes, Affine::identity());
        }
        if self.weights.len() < weights {
            self.weights.resize(weights, 0.0);
        }
    }

    /// Requests the current pose of a visible member.
    #[inline(never)]
    fn want(&mut self, at: usize, i: usize, clock: f64) {
        let request = self.request(i, clock);
        let (to, weights_to) = (self.begin(at), at * self.weight_count());
        self.requests.push(PoseRequest { to, weights_to, ..request });
    }

    /// The current pose of a member, to be written to the beginning of the lists.
    #[inline(always)]
    fn request(&self, i: usize, clock: f64) -> PoseRequest {
        let (clip, time, fading) = (self.playing[i].clip, self.time(i, clock), self.fading(i, clock));
        PoseRequest { clip, time, fading, place: self.places[i], to: 0, step: SIDE_BY_SIDE, weights_to: 0 }
    }

    /// Writes a member's palette from cached poses. Returns `false` if it is in a transition or if its clip
    /// has none.
    #[inline(never)]
    fn show_baked(&mut self, at: usize, i: usize, clock: f64) -> bool {
        let Some(clip) = self.playing.as_slice()[i].clip else { return false };
        if self.fading(i, clock).is_some() {
            return false;
        }
        if self.baked.as_slice()[clip.index()].is_none() {
            self.bake(clip);
        }
        let (time, to, count) = (self.time(i, clock), self.begin(at), self.weight_count());
        let Some(Some(baked)) = &self.baked.as_slice()[clip.index()] else { return false };
        let (_, palette) = self.palettes.as_mut_slice().split_at_mut(to);
        let weights = if count > 0 { &mut self.weights[at * count..][..count] } else { &mut [][..] };
        baked.show(time, &self.places.as_slice()[i], palette, weights);
        true
    }

    /// Computes the cached poses of a clip, if it can have any.
    #[inline(never)]
    fn bake(&mut self, clip: ClipId) {
        let all: usize = self.baked.iter().flatten().flatten().map(Baked::len).sum();
        let most = if self.is_baked { usize::MAX } else { MAX_CACHED_MATRICES.saturating_sub(all) };
        let duration = self.durations[clip.index()];
        let baked = Baked::new(&mut self.batch, &self.rig, clip, duration, most);
        self.baked[clip.index()] = Some(baked);
    }

    /// The crowd's own time.
    fn clock(&self, now: f64) -> f64 {
        self.paused.unwrap_or(now - self.delay)
    }

    /// The current extent of a member.
    fn reach(&self, i: usize, clock: f64) -> &Extent {
        // A blend of two clips is not bounded by the box of either, and a look-at may leave it.
        if self.fading(i, clock).is_some() || self.looks.has(i) { &Extent::UNKNOWN } else { self.extent(i) }
    }

    /// The extent of the clip that a member plays.
    fn extent(&self, i: usize) -> &Extent {
        let at = self.playing[i].clip.map_or(0, |clip| clip.index() + 1);
        self.extents.get(at).unwrap_or(&Extent::UNKNOWN)
    }
}
