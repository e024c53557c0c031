//! Many members of one model, each with its own clip, time, rate, place and tint.

mod batch;
mod batch_poses;
mod culling;
mod measure;
mod member_part;
mod playback;
mod playing;
mod pose_cache;

pub use batch::PaletteBatch;
pub use batch_poses::{Fading, Wanted};
pub use culling::CrowdView;
pub use member_part::{CrowdError, MemberPart};

use crate::animation::player::{Fade, LoopMode};
use crate::animation::rig::Rig;
use crate::animation::skin::Bounds;
use crate::base::{Aabb, Affine, F32x4};
use crate::model::{ClipId, Model, SIDE_BY_SIDE, side_by_side};
use glam::{Quat, Vec3};
use measure::Extent;
use playing::{Before, Playing};
use pose_cache::Baked;
use std::rc::Rc;

/// How many palettes are asked for before they are made: few enough that the list stays near the processor, in fours.
const AT_ONCE: usize = 32;
/// How far from its place a vertex may be for the sake of fewer poses, in pixels.
const TOLERANCE: f32 = 0.4;
/// How many members it takes that poses are made ahead for those that are small.
const FEWEST: usize = 8;
/// The most matrices that are made ahead for those: 12 MiB.
const MOST_AHEAD: usize = 1 << 18;

/// How members that are small on screen are posed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpdateRate {
    /// Not at all where nobody can see it: what they show is between two poses of the clip that were made ahead.
    #[default]
    Auto,
    /// Each frame.
    Full,
}

/// Who is seen.
#[derive(Debug, Clone, Copy)]
struct Seen {
    member: u32,
    /// Whether nobody sees that its pose is not exactly that of the clip.
    small: bool,
    away: f32,
}

/// Many members of one model, in lists that a page fills.
///
/// Where a member is in its clip is a function of the timeline alone, as for everybody:
/// [`Action`](crate::animation::player::Action) says which. What a frame shows, [`Crowd::update`] puts side by side:
/// [`Crowd::palette`] has [`Crowd::stride`] entries for each member that is in the picture, the last of which is its tint; those of
/// [`SIDE_BY_SIDE`] members stand side by side.
/// Meshes that are hidden have matrices of zeros. What clips animate besides nodes and morph weights is as in the file, and so
/// is the way that they go over the ground.
#[derive(Debug, Clone)]
pub struct Crowd {
    rig: Rc<Rig>,
    /// Of the rest pose, and of each clip; those at the end are still to be measured.
    extents: Vec<Extent>,
    durations: Vec<f64>,
    /// Whether members are seen through, so that those farther away have to come first.
    sorted: bool,

    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    scales: Vec<f32>,
    places: Vec<Affine>,
    playing: Vec<Playing>,
    /// Empty until a change of clips takes time.
    before: Vec<Before>,
    tints: Vec<[f32; 4]>,

    loop_mode: LoopMode,
    transition: f64,
    update_rate: UpdateRate,
    is_baked: bool,
    /// Of each clip, once it was asked for; `None` if there can be none.
    baked: Vec<Option<Option<Baked>>>,
    /// The timeline's time at which the crowd's own is 0; or, while it is paused, its own time.
    delay: f64,
    paused: Option<f64>,
    /// The fraction of all clips, while a clock tells progress.
    progress: Option<f64>,
    /// Of everybody, once asked for.
    bounds: Option<Option<Aabb>>,

    batch: PaletteBatch,
    seen: Vec<Seen>,
    wanted: Vec<Wanted>,
    /// How many poses the last update took.
    sampled: usize,
    /// The palettes of those that are seen, as [`Crowd::palette`] says.
    palettes: Vec<Affine>,
    /// Their morph weights.
    weights: Vec<f32>,
}

impl Crowd {
    /// A crowd without members. [`Crowd::measure`] comes next.
    ///
    /// - `sorted`: whether the farthest members come first, for materials that are seen through.
    pub fn new(model: &Model, rig: Rc<Rig>, sorted: bool) -> Self {
        Self {
            extents: Vec::with_capacity(model.clips.len() + 1),
            durations: model.clips.iter().map(|clip| f64::from(clip.duration)).collect(),
            sorted,
            positions: Vec::new(),
            rotations: Vec::new(),
            scales: Vec::new(),
            places: Vec::new(),
            playing: Vec::new(),
            before: Vec::new(),
            tints: Vec::new(),
            loop_mode: LoopMode::Repeat,
            transition: 0.0,
            update_rate: UpdateRate::Auto,
            is_baked: false,
            baked: vec![None; model.clips.len()],
            delay: 0.0,
            paused: None,
            progress: None,
            bounds: None,
            batch: PaletteBatch::new(&rig),
            seen: Vec::new(),
            wanted: Vec::new(),
            sampled: 0,
            palettes: Vec::new(),
            weights: Vec::new(),
            rig,
        }
    }

    /// Measures a clip, once each; whether there is another one to measure. Who plays one that was not is never left out, and
    /// the crowd has no bounds.
    ///
    /// - `model`, `bounds`: of the crowd's model.
    pub fn measure(&mut self, model: &Model, bounds: &Bounds) -> bool {
        if self.extents.len() <= self.durations.len() {
            let clip = self.extents.len().checked_sub(1).map(ClipId::new);
            self.extents.push(Extent::new(model, &self.rig, bounds, clip));
            self.bounds = None;
        }
        self.extents.len() <= self.durations.len()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Has so many members: those at the end go; or new ones come, at the origin, at the beginning of the first clip, at rate 1.
    pub fn resize(&mut self, count: usize, now: f64) {
        let clock = self.clock(now);
        self.positions.resize(count, Vec3::ZERO);
        self.rotations.resize(count, Quat::IDENTITY);
        self.scales.resize(count, 1.0);
        self.places.resize(count, Affine::identity());
        let clip = (!self.durations.is_empty()).then(|| ClipId::new(0));
        let playing = Playing { clip, offset: 0.0, start: clock, backwards: false, rate: 1.0 };
        self.playing.resize(count, playing);
        if !self.before.is_empty() {
            self.before.resize(count, Before { playing, share: Fade::still(0.0) });
        }
        self.tints.resize(count, [1.0; 4]);
        self.palettes.truncate(self.room_for_all());
        self.weights.truncate(count * self.weight_count());
        self.seen.clear();
        self.bounds = None;
    }

    /// Sets something of members, from `first` on, as many as there are numbers.
    ///
    /// # Errors
    /// `Range`, `Number`, `NoClip`. Nothing changes then.
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
                // In f64, where no square vanishes that is left of an f32.
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
                }
            }
            (MemberPart::Time, &[time]) => self.start(i, time, clock),
            (MemberPart::Start, &[start]) => self.start(i, 0.0, start - self.delay),
            (MemberPart::Rate, &[rate]) => {
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

    /// What happens at the ends of clips.
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// Sets what happens at the ends of clips; nobody moves.
    pub fn set_loop_mode(&mut self, mode: LoopMode, now: f64) {
        let clock = self.clock(now);
        for i in 0..self.len() {
            let position = self.position(i, clock);
            let before = self.before.get(i).map(|before| self.at(&before.playing, clock));
            let rebase = |playing: &mut Playing, position| {
                playing.rebase(position, clock);
                playing.backwards &= mode == LoopMode::PingPong;
            };
            rebase(&mut self.playing[i], position);
            if let Some(position) = before {
                rebase(&mut self.before[i].playing, position);
            }
        }
        self.loop_mode = mode;
    }

    /// How many seconds a member takes from one clip to another.
    pub fn transition(&self) -> f64 {
        self.transition
    }

    /// Sets that, for changes to come: the new clip fades in while the old one plays on and fades out. 0, the default, is at
    /// once, and so is what is less, or no number.
    pub fn set_transition(&mut self, seconds: f64) {
        self.transition = if seconds > 0.0 { seconds.min(f64::MAX) } else { 0.0 };
    }

    /// How small members are posed.
    pub fn update_rate(&self) -> UpdateRate {
        self.update_rate
    }

    /// Sets that.
    pub fn set_update_rate(&mut self, rate: UpdateRate) {
        self.update_rate = rate;
    }

    /// Whether poses that were made ahead are shown; see [`Crowd::set_baked`].
    pub fn is_baked(&self) -> bool {
        self.is_baked
    }

    /// Has members shown by poses that are made once for each clip that is played, 30 a second, and mixed: for the background, since
    /// what is between them is near the clip, not on it. Clips of more than two minutes, and changes of clips that take time, are
    /// sampled as ever.
    pub fn set_baked(&mut self, on: bool) {
        self.is_baked = on;
        self.baked.clear();
        self.baked.resize(self.durations.len(), None);
    }

    /// Whether everybody stands still.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Has everybody stand still, or go on from there.
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

    /// Calls the timeline's time `before` another one, `now`; nothing moves.
    pub fn set_clock(&mut self, before: f64, now: f64) {
        self.delay += now - before;
    }

    /// Has everybody at a fraction of their clip, until [`Crowd::unscrub`]; whether anything moves by that.
    pub fn scrub(&mut self, fraction: f64) -> bool {
        let moves = self.progress != Some(fraction) && !self.is_empty() && self.paused.is_none();
        self.progress = Some(fraction);
        moves
    }

    /// Has the timeline say again where everybody is.
    pub fn unscrub(&mut self) {
        self.progress = None;
    }

    /// Whether anybody moves by itself.
    pub fn is_moving(&self, now: f64) -> bool {
        if self.paused.is_some() || self.progress.is_some() {
            return false;
        }
        let clock = self.clock(now);
        (0..self.len()).any(|i| {
            let plays = |playing: &Playing| {
                let moves = self.duration(playing) > 0.0 && playing.rate != 0.0;
                let over = || clock >= playing.start && self.at(playing, clock).finished;
                moves && !(self.loop_mode == LoopMode::Once && over())
            };
            plays(&self.playing[i]) || self.before.get(i).is_some_and(|before| before.share.end > clock)
        })
    }

    /// Where each member is in its clip, in seconds.
    pub fn times(&self, now: f64) -> impl Iterator<Item = f64> + '_ {
        let clock = self.clock(now);
        (0..self.len()).map(move |i| self.time(i, clock))
    }

    /// The box around everybody, whatever they play: it holds every vertex at every time.
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

    /// Where members stand: `world_from_model`.
    pub fn places(&self) -> &[Affine] {
        &self.places
    }

    /// What the palette of a member consists of: its matrices, and one entry that has its tint in the first row.
    pub fn stride(&self) -> usize {
        self.rig.palette_len() + 1
    }

    /// How many morph weights a member has.
    pub fn weight_count(&self) -> usize {
        self.rig.rest_pose().weights.len()
    }

    /// How many members were in the picture at the last update.
    pub fn visible_len(&self) -> usize {
        self.seen.len()
    }

    /// Who was in the picture at the last update, in the order of the palette.
    pub fn visible(&self) -> impl Iterator<Item = usize> + '_ {
        self.seen.iter().map(|seen| seen.member as usize)
    }

    /// How many poses that took.
    pub fn sampled_len(&self) -> usize {
        self.sampled
    }

    /// The palettes of those that were in the picture at the last update, those of [`SIDE_BY_SIDE`] members side by side; where there
    /// are fewer, the others are anything.
    pub fn palette(&self) -> &[Affine] {
        &self.palettes[..self.seen.len().next_multiple_of(SIDE_BY_SIDE) * self.stride()]
    }

    /// The palette of one of them, with its tint.
    ///
    /// - `at`: which of [`Crowd::visible`].
    ///
    /// # Panics
    /// If there are not so many.
    pub fn member_palette(&self, at: usize) -> impl Iterator<Item = Affine> + '_ {
        self.palette()[self.begin(at)..].iter().step_by(SIDE_BY_SIDE).take(self.stride()).copied()
    }

    /// Where the palette begins of one who is seen.
    fn begin(&self, at: usize) -> usize {
        side_by_side(at, self.stride())
    }

    /// How many entries there are if everybody is seen.
    fn room_for_all(&self) -> usize {
        self.len().next_multiple_of(SIDE_BY_SIDE) * self.stride()
    }

    /// Their morph weights, [`Crowd::weight_count`] each.
    pub fn weights(&self) -> &[f32] {
        &self.weights[..self.seen.len() * self.weight_count()]
    }

    /// Writes the palette of a member, as it is now, and its morph weights.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn pose_member(&mut self, i: usize, now: f64, palette: &mut Vec<Affine>, weights: &mut Vec<f32>) {
        palette.resize(self.rig.palette_len(), Affine::identity());
        weights.resize(self.weight_count(), 0.0);
        let clock = self.clock(now);
        let time = self.time(i, clock);
        let (clip, fading) = (self.playing[i].clip, self.fading(i, clock));
        let wanted = Wanted { clip, time, fading, place: self.places[i], to: 0, step: 1, weights_to: 0 };
        self.batch.palettes(&self.rig, &[wanted], palette, weights);
    }

    /// Whether a line may meet a member as it is now: if not, it need not be posed for it.
    ///
    /// - `direction`: of any length but 0.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn may_meet(&self, i: usize, now: f64, origin: Vec3, direction: Vec3) -> bool {
        let body = &self.reach(i, self.clock(now)).body;
        body.as_ref().is_some_and(|body| body.may_meet(origin, direction, &self.places[i], self.scales[i]))
    }

    /// Poses those that are in the picture, as it is at `now` of the timeline. Allocates nothing once it has done as much.
    pub fn update(&mut self, now: f64, view: &CrowdView) {
        let clock = self.clock(now);
        self.look(view, clock);
        self.make_room();
        self.sampled = 0;
        let last = SIDE_BY_SIDE * self.rig.palette_len();
        for at in 0..self.seen.len() {
            let Seen { member, small, .. } = self.seen[at];
            let member = member as usize;
            if !((small || self.is_baked) && self.show_baked(at, member, clock)) {
                self.want(at, member, clock);
            }
            let entry = self.begin(at) + last;
            self.palettes[entry].rows = [F32x4::new(self.tints[member]), F32x4::zero(), F32x4::zero()];
            if self.wanted.len() >= AT_ONCE {
                self.sample();
            }
        }
        self.sample();
    }

    /// Makes the palettes that are wanted, as many of them by four as can be.
    fn sample(&mut self) {
        let Self { batch, rig, wanted, palettes, weights, .. } = self;
        batch.palettes(rig, wanted, palettes, weights);
        self.sampled += self.wanted.len();
        self.wanted.clear();
    }

    /// Finds out who is in the picture. On its own, as what is rare in an update, for the sake of the engines' registers.
    #[inline(never)]
    fn look(&mut self, view: &CrowdView, clock: f64) {
        let all_sampled = self.update_rate == UpdateRate::Full || self.len() < FEWEST;
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear();
        for (i, place) in self.places.iter().enumerate() {
            let extent = self.reach(i, clock);
            let Some(body) = &extent.body else { continue };
            let scale = self.scales[i];
            let Some(sight) = view.sight(body, place, scale) else { continue };
            let small = !all_sampled && extent.error * scale * sight.pixels <= TOLERANCE;
            seen.push(Seen { member: i as u32, small, away: sight.away });
        }
        if self.sorted {
            seen.sort_unstable_by(|a, b| b.away.total_cmp(&a.away).then(a.member.cmp(&b.member)));
        }
        self.seen = seen;
    }

    /// Room for the palettes of all.
    fn make_room(&mut self) {
        let (palettes, weights) = (self.room_for_all(), self.len() * self.weight_count());
        if self.palettes.len() < palettes {
            self.palettes.resize(palettes, Affine::identity());
        }
        if self.weights.len() < weights {
            self.weights.resize(weights, 0.0);
        }
    }

    /// Wants a member that is seen, as it is now.
    #[inline(never)]
    fn want(&mut self, at: usize, i: usize, clock: f64) {
        let (clip, time, fading) = (self.playing[i].clip, self.time(i, clock), self.fading(i, clock));
        let (to, weights_to) = (self.begin(at), at * self.weight_count());
        let place = self.places[i];
        self.wanted.push(Wanted { clip, time, fading, place, to, step: SIDE_BY_SIDE, weights_to });
    }

    /// Shows a member by poses that were made ahead, if it plays one clip that has them.
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

    /// Makes the poses of a clip ahead, if it can have any.
    #[inline(never)]
    fn bake(&mut self, clip: ClipId) {
        let all: usize = self.baked.iter().flatten().flatten().map(Baked::len).sum();
        let most = if self.is_baked { usize::MAX } else { MOST_AHEAD.saturating_sub(all) };
        let duration = self.durations[clip.index()];
        let baked = Baked::new(&mut self.batch, &self.rig, clip, duration, most);
        self.baked[clip.index()] = Some(baked);
    }

    /// The crowd's own time.
    fn clock(&self, now: f64) -> f64 {
        self.paused.unwrap_or(now - self.delay)
    }

    /// How far a member reaches now.
    fn reach(&self, i: usize, clock: f64) -> &Extent {
        // What two clips make together is within the box of neither.
        if self.fading(i, clock).is_some() { &Extent::UNKNOWN } else { self.extent(i) }
    }

    /// How far what a member plays reaches.
    fn extent(&self, i: usize) -> &Extent {
        let at = self.playing[i].clip.map_or(0, |clip| clip.index() + 1);
        self.extents.get(at).unwrap_or(&Extent::UNKNOWN)
    }
}
