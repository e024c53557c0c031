//! Playback of an actor: a base source, sources that fade out, and layers. It computes times and weights
//! only, not poses.

pub(crate) mod action;
pub(crate) mod blend_space;
mod controls;
mod events;
mod layers;
#[cfg(test)]
mod mixing_tests;
mod play_source;
mod playhead;
mod renew;
mod root_path;
#[cfg(test)]
mod tests;
pub(crate) mod transition;
mod travel;
mod travel_steps;

use crate::animation::clip_set::ClipSet;
use crate::animation::mixing::{COAST, Change, LayerMode, Mix, MixLayer, PROBE};
use crate::base::feature;
use crate::model::{Clip, ClipId, Marker};
pub(crate) use action::divide_few;
pub use action::{Action, LoopMode, Position};
use blend_space::Info;
pub use blend_space::{BlendSpace, BlendSpaceError, SyncMode};
pub use events::{Event, EventKind};
pub(crate) use events::{EventCollector, Mark, Span, marks, passed_marks};
use playhead::{Journal, Playhead};
pub use playhead::{Source, Transport};
pub(crate) use root_path::PositionTrack;
pub use root_path::{ClipRoot, Rigid, RootPath, Velocity};
use std::rc::Rc;
use std::sync::Arc;
use std::vec::Drain;
pub(crate) use transition::Fade;
pub use transition::{Layer, LayerOptions, Playing, Transition, TransitionOptions};
use transition::{Link, Outgoing, fade_out};
pub use travel::RootTravel;

/// The longest time step of a frame, in seconds, so that playback does not jump after a page was blocked.
pub const MAX_STEP: f64 = 0.1;

/// The minimum interval between `TimeUpdate` events, in seconds.
const UPDATE_INTERVAL: f64 = 0.25;

/// The interval for measuring velocities of root motion, in seconds. It is short so that it rarely contains a key, where
/// velocities change. It is long enough for the 24-bit precision of f32.
const DELTA: f64 = 1.0 / 1024.0;

/// The number of transitions that are kept until they are taken, as many as a state machine takes in one step.
const MAX_EARLIER: usize = 32;

/// Sources on one timeline: a base, sources that fade out, and layers.
///
/// The playheads are pure functions of the timeline's time (see [`Action`]), and so is [`Player::mix_at`].
/// Events are queued until [`Player::drain_events`].
///
/// Transitions and fades have a clock of their own, which stops while nothing of the actor moves. Changes are
/// cuts while it is stopped, and before the first frame is displayed.
#[derive(Debug, Clone)]
pub struct Player {
    clips: Vec<Info>,
    base: Playhead,
    /// Sources that fade out, and the weight of the base against them: 1 without any.
    outgoing: Vec<Outgoing>,
    takes_over: Fade,
    layers: Vec<Layer>,
    layers_made: u32,
    transition: Transition,
    /// The clock of transitions, in seconds, at the timeline's current time.
    clock: f64,
    /// See [`Player::elapsed`].
    elapsed: f64,
    /// See [`Player::reversals`].
    reversals: u64,
    /// End of the last inertial transition, on that clock.
    inertia_ends: f64,
    /// `true` if a source, a layer or a blend parameter has changed since time last advanced.
    changed: bool,
    change: Option<Change>,
    /// Inertial transitions of earlier moments that were not taken yet, oldest first.
    earlier: Vec<Change>,
    /// `true` if a pose has been displayed from which a transition can start.
    shown: bool,
    journal: Journal,
    events: EventCollector,
    last_update: f64,
    /// The number of replaced clips that were taken over; see [`ClipSet::replaced`].
    replaced: usize,
    /// Root motion, if it is extracted.
    travel: Option<Box<RootTravel>>,
}

feature! {
    list for_retargeting;
    fn renew_clips(player: &mut Player, set: &ClipSet) = Player::renew_clips;
}

feature! {
    list for_root_motion;
    fn advance_travel(player: &mut Player, now: f64) = Player::advance_travel;
    fn note_speed(player: &mut Player) = Player::note_speed;
    fn begin_slide(player: &mut Player, seconds: f64) = Player::begin_slide;
    fn scrub_travel(player: &mut Player) = Player::scrub_travel;
}

fn info(clip: &Clip) -> Info {
    Info {
        duration: f64::from(clip.duration),
        frames_per_second: clip.frames_per_second(),
        marks: marks(&clip.markers),
    }
}

impl Player {
    /// A paused player at the beginning of the [opening](Clip::opening) clip, if the model has any; the timeline is at
    /// `now` seconds.
    pub fn new(clips: &[Arc<Clip>], now: f64) -> Self {
        let now = if now.is_finite() { now } else { 0.0 };
        let ids = (0..clips.len()).map(ClipId::new);
        let source = Clip::opening(ids.zip(clips.iter().map(|clip| &**clip))).map(Source::Clip);
        let clips: Vec<_> = clips.iter().map(|clip| info(clip)).collect();
        Self {
            base: playhead(&clips, source, None, now),
            clips,
            outgoing: Vec::new(),
            takes_over: Fade::still(1.0),
            layers: Vec::new(),
            layers_made: 0,
            transition: Transition::default(),
            clock: 0.0,
            elapsed: 0.0,
            reversals: 0,
            inertia_ends: 0.0,
            changed: false,
            change: None,
            earlier: Vec::new(),
            shown: false,
            journal: Journal { now, ..Journal::default() },
            events: EventCollector::default(),
            last_update: now,
            replaced: 0,
            travel: None,
        }
    }

    /// The number of clips, removed ones included.
    pub fn clip_count(&self) -> usize {
        self.clips.len()
    }

    /// Takes over the clips of its model after some were added, removed or replaced. Clips that the player has keep the markers
    /// of [`Player::set_markers`], unless they were replaced.
    pub fn update_clips(&mut self, set: &ClipSet) {
        self.clips.extend(set.clips.iter().skip(self.clips.len()).map(|clip| info(clip)));
        if self.replaced < set.replaced().len() {
            renew_clips(self, set);
        }
    }

    /// The timeline's time, in seconds.
    pub fn now(&self) -> f64 {
        self.journal.now
    }

    /// The clock of transitions, springs and gaze, in seconds. It runs with the timeline while [`Player::clock_runs`], and only
    /// forwards.
    pub fn clock(&self) -> f64 {
        self.clock
    }

    /// The seconds by which the timeline has moved forwards, also while nothing of the actor moves.
    pub fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// The number of times that the timeline has moved backwards.
    pub fn reversals(&self) -> u64 {
        self.reversals
    }

    /// `true` if [`Player::clock`] runs: unless everything is paused or has rate 0, also after playheads have finished. Without
    /// a clip and without layers there is nothing to pause, so it runs unless the rate is 0.
    pub fn clock_runs(&self) -> bool {
        self.runs()
    }

    /// The playback controls of the base.
    pub fn base(&mut self) -> Transport<'_> {
        Transport { head: &mut self.base, journal: &mut self.journal }
    }

    /// The source of the base.
    pub fn source(&self) -> Option<&Source> {
        self.base.source.as_ref()
    }

    /// The current clip; `None` without one, or if the base plays a blend space.
    pub fn clip(&self) -> Option<ClipId> {
        self.base.source.as_ref().and_then(Source::clip)
    }

    /// The length of the base's source in seconds; 0 without a source.
    pub fn duration(&self) -> f64 {
        self.base.action.duration
    }

    /// `true` if the base is paused or has finished.
    pub fn paused(&self) -> bool {
        self.base.is_paused(self.journal.now)
    }

    /// The playback position of the base.
    pub fn position(&self) -> Position {
        self.base.at(self.journal.now)
    }

    /// `true` if the next advance changes the pose: something plays, fades or is in a transition.
    pub fn is_moving(&self) -> bool {
        self.plays() || self.runs() && self.clock < self.fades_end()
    }

    /// The default transition for changes of clip and layers; initially inertial, 0.3 s.
    pub fn transition(&self) -> Transition {
        self.transition
    }

    /// Sets [`Player::transition`].
    pub fn set_transition(&mut self, transition: Transition) {
        self.transition = transition;
    }

    /// Plays `clip`, or the current one for `None`. A new clip starts from its beginning. See
    /// [`Transport::play`].
    ///
    /// # Panics
    /// If the clip is not of this player's model.
    pub fn play(&mut self, clip: Option<ClipId>) -> u64 {
        self.choose(clip);
        self.base().play()
    }

    /// Makes `clip` the current one, at its beginning (at its end if the rate is negative), without a
    /// segment. `None` or the current clip has no effect.
    ///
    /// # Panics
    /// If the clip is not of this player's model.
    pub fn choose(&mut self, clip: Option<ClipId>) {
        if let Some(to) = clip.filter(|_| clip != self.clip()) {
            self.replace(Source::Clip(to), &TransitionOptions::default(), None);
        }
    }

    /// Replaces the base's source by `source`, even if it is the same, and plays it. Keeps the base's rate,
    /// loop mode and repetitions, but not its segment. Returns the [`Transport::playback`].
    ///
    /// # Panics
    /// If a clip is not of this player's model.
    pub fn transition_to(&mut self, source: Source, options: &TransitionOptions) -> u64 {
        self.replace(source, options, None);
        if self.base.paused { self.base().play() } else { self.base.playback }
    }

    /// Creates a blend space from `points`: clips and their positions; on a line the second coordinate is 0.
    /// The parameter starts at the first point. The space keeps the clips' current markers.
    ///
    /// # Errors
    /// - The list of points is empty.
    /// - A clip does not exist.
    /// - A position is not finite, or two are equal.
    /// - With [`SyncMode::Marker`], the clips' markers do not match.
    ///
    /// [`SyncMode::None`] has the same effect as `Phase`.
    pub fn blend_space(
        &self,
        points: &[(ClipId, [f32; 2])],
        sync: SyncMode,
    ) -> Result<BlendSpace, BlendSpaceError> {
        BlendSpace::new(&self.clips, points, sync)
    }

    /// Replaces the markers of a clip, for this player. Markers outside of the clip are never reported. A
    /// blend space keeps the markers that it was created with.
    ///
    /// # Panics
    /// If the clip is not of this player's model.
    pub fn set_markers(&mut self, clip: ClipId, markers: &[Marker]) {
        let marks = marks(markers);
        for head in std::iter::once(&mut self.base).chain(self.layers.iter_mut().map(|layer| &mut layer.head))
        {
            if head.source.as_ref().and_then(Source::clip) == Some(clip) {
                head.marks = Rc::clone(&marks);
            }
        }
        self.clips[clip.index()].marks = marks;
        self.link_layers();
    }

    /// Advances the timeline by `dt` seconds; negative or not finite has no effect.
    pub fn advance(&mut self, dt: f64) {
        if dt > 0.0 && dt.is_finite() {
            self.advance_to((self.journal.now + dt).min(f64::MAX));
        }
    }

    /// Sets the timeline to `now` seconds; a value that is not finite has no effect.
    ///
    /// Backwards, the playheads move to their positions at that time, without events for markers and passes.
    /// Fades do not change.
    pub fn advance_to(&mut self, now: f64) {
        self.close();
        if !now.is_finite() || now == self.journal.now {
            return;
        }
        if self.travel.is_some() {
            advance_travel(self, now);
        }
        self.shown = self.shown || self.plays();
        self.clock = self.clock_at(now);
        let before = std::mem::replace(&mut self.journal.now, now);
        self.elapsed += (now - before).max(0.0);
        self.reversals += u64::from(now < before);
        let finished = self.base.advance(before, now, &mut self.events);
        let tells = |layer: &&mut Layer| layer.link.mode == SyncMode::None && !layer.removed;
        for layer in self.layers.iter_mut().filter(tells) {
            layer.head.advance(before, now, &mut self.events);
        }
        self.events.finish(&mut self.journal.events);
        self.drop_faded();
        if finished || (now - self.last_update).abs() >= UPDATE_INTERVAL && self.base.is_moving(now) {
            self.last_update = now;
            self.base().emit(EventKind::TimeUpdate);
        }
    }

    /// Reports that the current position was displayed.
    pub fn presented(&mut self) {
        self.shown = true;
        if std::mem::take(&mut self.journal.seek_is_pending) {
            self.base().emit(EventKind::Seeked);
        }
    }

    /// Relabels the timeline's current time as `now` seconds, for a page that changes its clock; the
    /// playheads do not move. A value that is not finite has no effect.
    pub fn set_clock(&mut self, now: f64) {
        if !now.is_finite() {
            return;
        }
        let before = std::mem::replace(&mut self.journal.now, now);
        self.last_update += now - before;
        for head in std::iter::once(&mut self.base).chain(self.layers.iter_mut().map(|layer| &mut layer.head))
        {
            head.rebase(before);
            // If it has started, without rounding errors.
            let ahead = head.action.start - before;
            head.action.start = now + if head.paused { 0.0 } else { ahead };
        }
    }

    /// `true` if events are queued.
    pub fn has_events(&self) -> bool {
        !self.journal.events.is_empty()
    }

    /// Removes and returns the queued events, oldest first; keeps the allocation.
    pub fn drain_events(&mut self) -> Drain<'_, Event> {
        self.journal.events.drain(..)
    }

    /// Writes the mix at timeline time `now`, which must not be before the player's. The base comes first,
    /// with the sources that fade out. Layers averaged with the base come next, then the other layers.
    ///
    /// Allocates only while `mix` grows.
    pub fn mix_at(&self, now: f64, mix: &mut Mix) {
        mix.clear();
        let clock = self.clock_at(now);
        let at = self.base.at(now).time;
        let (outgoing, share) = self.shares(clock);
        self.base.contribute(at, share, &mut mix.contributions);
        for out in outgoing {
            let time = self.time_of(&out.head, clock, &out.link, at);
            out.head.contribute(time, out.share * (1.0 - share), &mut mix.contributions);
        }
        let contributions = 0..mix.contributions.len();
        mix.layers.push(MixLayer { mode: LayerMode::Override, weight: 1.0, mask: None, contributions });
        let averaged = |layer: &&Layer| layer.mode == LayerMode::Average;
        let with_base = self.layers.iter().filter(averaged);
        for layer in with_base.chain(self.layers.iter().filter(|layer| !averaged(layer))) {
            let weight = layer.weight.at(clock) as f32;
            if weight == 0.0 {
                continue;
            }
            let begin = mix.contributions.len();
            let time = self.time_of(&layer.head, now, &layer.link, at);
            let (outgoing, share) = layer.shares(clock);
            layer.head.contribute(time, share, &mut mix.contributions);
            for out in outgoing {
                let time = out.head.at(clock).time;
                out.head.contribute(time, out.share * (1.0 - share), &mut mix.contributions);
            }
            let contributions = begin..mix.contributions.len();
            mix.layers.push(MixLayer { mode: layer.mode, weight, mask: layer.mask.clone(), contributions });
        }
    }

    /// The current clip and its time if nothing else is mixed with it. The pose is then
    /// [`Rig::sample`](crate::animation::rig::Rig::sample).
    pub fn only(&self) -> Option<(ClipId, f64)> {
        let alone = self.layers.is_empty() && self.shares(self.clock).0.is_empty();
        let clip = self.base.source.as_ref().filter(|_| alone)?.clip()?;
        Some((clip, self.base.at(self.journal.now).time))
    }

    /// The clips of the base and the layers, including those of blend spaces, regardless of their weights.
    /// Sources and layers that fade out are excluded.
    pub fn played_clips(&self) -> impl Iterator<Item = ClipId> {
        let stays = |layer: &&Layer| !layer.removed && layer.weight.to != 0.0;
        let layers = self.layers.iter().filter(stays).map(|layer| &layer.head);
        std::iter::once(&self.base)
            .chain(layers)
            .filter_map(|head| head.source.as_ref())
            .flat_map(Source::clips)
    }

    /// `true` if [`Player::take_transition`] may return a change.
    pub(crate) fn has_change(&self) -> bool {
        self.changed || self.journal.cut || self.change.is_some() || !self.earlier.is_empty()
    }

    /// Takes the oldest change since the last call if the actor must do more than evaluate the next mix. Call it
    /// before each pose, until it returns `None`. The last 33 are kept, each with its own moment.
    ///
    /// 1. If [`Change::cut`], the active transition ends.
    /// 2. If [`Change::duration`] is above 0, another one starts at [`Change::at`]. It goes from the poses of
    ///    `before`, including the rest of the active transition, to the new pose.
    pub fn take_transition(&mut self) -> Option<Change> {
        self.close();
        if self.earlier.is_empty() { self.change.take() } else { Some(self.earlier.remove(0)) }
    }

    fn replace(&mut self, source: Source, options: &TransitionOptions, playing: Option<&Playing>) {
        let transition = self.depart(options.transition);
        let now = self.journal.now;
        self.base.settle(now);
        let mut head = playhead(&self.clips, Some(source), None, now);
        let Action { duration, .. } = *head.action;
        *head.action = Action { duration, begin: 0.0, end: duration, ..*self.base.action };
        if let Some(playing) = playing {
            *head.action = playing.action(duration, now);
        }
        head.paused = self.base.paused;
        head.restart(now);
        if let Some(at) = options.at {
            head.place(at.max(0.0).min(duration), now);
        } else if options.sync != SyncMode::None {
            self.place_in_step(&mut head, options.sync);
        }
        head.playback = self.journal.next_playback();
        let from = self.clip();
        let share = self.shares(self.clock).1;
        match transition {
            Transition::Crossfade(seconds) => {
                self.let_go(share, options.sync, &head);
                let (begin, end) = (self.clock, self.clock + seconds);
                self.takes_over = Fade { from: 0.0, to: 1.0, begin, end };
            }
            Transition::Inertial(_) => self.outgoing.clear(),
            Transition::Cut => self.journal.cut = true,
        }
        self.base = head;
        self.link_layers();
        let to = self.clip();
        self.base().emit(EventKind::ClipChange { from, to });
    }

    /// Synchronizes the playhead that replaces the base with it.
    fn place_in_step(&self, head: &mut Playhead, sync: SyncMode) {
        let now = self.journal.now;
        let link = Link::new(sync, &self.base, head);
        let time = link.time(self.base.at(now).time, self.base.action.duration, head.action.duration);
        head.place(time, now);
    }

    /// Moves the base to the sources that fade out.
    fn let_go(&mut self, share: f64, sync: SyncMode, next: &Playhead) {
        let (now, clock) = (self.journal.now, self.clock);
        let at = self.base.at(now).time;
        for i in 0..self.outgoing.len() {
            let out = &self.outgoing[i];
            // The base that it was synchronized with is replaced.
            let time = self.time_of(&out.head, clock, &out.link, at);
            let out = &mut self.outgoing[i];
            if std::mem::take(&mut out.link).mode != SyncMode::None {
                out.head.place(time, clock);
            }
        }
        let link = Link::new(sync, next, &self.base);
        fade_out(&mut self.outgoing, &self.base, share, link, (now, clock));
    }

    /// The time of a source when the base is at `base`: by its link or by its own timeline.
    fn time_of(&self, head: &Playhead, now: f64, link: &Link, base: f64) -> f64 {
        match link.mode {
            SyncMode::None => head.at(now).time,
            _ => link.time(base, self.base.action.duration, head.action.duration),
        }
    }

    /// The sources that fade out, and the weight of the base.
    fn shares(&self, clock: f64) -> (&[Outgoing], f64) {
        let share = self.takes_over.at(clock);
        if self.outgoing.is_empty() || self.journal.cut || share >= 1.0 {
            (&[], 1.0)
        } else {
            (&self.outgoing, share)
        }
    }

    fn clock_at(&self, now: f64) -> f64 {
        self.clock + if self.runs() { (now - self.journal.now).max(0.0) } else { 0.0 }
    }

    /// `true` if any playhead moves.
    fn plays(&self) -> bool {
        self.any_head(|head| head.is_moving(self.journal.now))
    }

    /// `true` if the clock runs: also when all playheads have finished, so that fades complete.
    fn runs(&self) -> bool {
        let is_empty = self.base.source.is_none() && self.layers.is_empty();
        self.any_head(Playhead::runs) || is_empty && self.base.action.rate != 0.0
    }

    /// `true` if the predicate holds for any playhead that is not synchronized with the base.
    fn any_head(&self, is_so: impl Fn(&Playhead) -> bool) -> bool {
        let alone = |layer: &Layer| layer.link.mode == SyncMode::None;
        is_so(&self.base) || self.layers.iter().any(|layer| alone(layer) && is_so(&layer.head))
    }

    fn fades_end(&self) -> f64 {
        let takes_over = if self.outgoing.is_empty() { 0.0 } else { self.takes_over.end };
        let ends = |layer: &Layer| {
            layer.weight.end.max(if layer.outgoing.is_empty() { 0.0 } else { layer.takes_over.end })
        };
        let layers = self.layers.iter().map(ends);
        layers.fold(takes_over.max(self.inertia_ends), f64::max)
    }

    fn drop_faded(&mut self) {
        let clock = self.clock;
        if clock >= self.takes_over.end {
            self.outgoing.clear();
        }
        if !self.layers.is_empty() {
            for layer in self.layers.iter_mut().filter(|layer| clock >= layer.takes_over.end) {
                layer.outgoing.clear();
            }
            self.layers.retain(|layer| !layer.removed || clock < layer.weight.end);
        }
    }

    fn link_layers(&mut self) {
        for layer in self.layers.iter_mut().filter(|layer| layer.link.mode != SyncMode::None) {
            layer.link = Link::new(layer.link.mode, &self.base, &layer.head);
        }
    }

    /// Called before a change: stores the current mix if the transition starts from it.
    fn depart(&mut self, transition: Option<Transition>) -> Transition {
        self.end_cut();
        // A change of an earlier moment begins at that moment, also if no pose was computed since then.
        if !std::mem::replace(&mut self.changed, true)
            && let Some(change) = self.change.take_if(|change| change.duration > 0.0)
        {
            if self.earlier.len() == MAX_EARLIER {
                self.earlier.remove(0);
            }
            self.earlier.push(change);
        }
        let transition =
            if self.shown { transition.unwrap_or(self.transition).checked() } else { Transition::Cut };
        if let Transition::Inertial(seconds) = transition {
            let noted = self.change.as_ref().is_some_and(|change| change.duration > 0.0);
            let mut change = self.change.take().unwrap_or_default();
            if !noted {
                (change.before, change.probe) =
                    (COAST.map(|time| self.mix_after(time)), self.mix_after(PROBE));
                if self.travel.is_some() {
                    note_speed(self);
                }
            }
            change.duration = seconds;
            self.change = Some(change);
        }
        transition
    }

    /// The mix in some seconds.
    fn mix_after(&self, seconds: f64) -> Mix {
        let mut mix = Mix::default();
        self.mix_at(self.journal.now + seconds, &mut mix);
        mix
    }

    /// After a seek the pose is exactly that of the new position.
    fn end_cut(&mut self) {
        if std::mem::take(&mut self.journal.cut) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.outgoing.clear();
        self.inertia_ends = self.clock;
        if let Some(travel) = &mut self.travel {
            travel.end_slide();
        }
        self.earlier.clear();
        self.change = Some(Change { cut: true, at: self.clock, ..Change::default() });
    }

    /// Called after all changes of one moment: stores the new mix.
    fn close(&mut self) {
        self.end_cut();
        if !std::mem::take(&mut self.changed) {
            return;
        }
        if !self.plays() {
            self.cut();
            for layer in &mut self.layers {
                layer.weight = Fade::still(layer.weight.to);
                layer.takes_over = Fade::still(1.0);
            }
            self.drop_faded();
        } else if let Some(duration) = self.change.as_ref().map(|change| change.duration).filter(|&d| d > 0.0)
        {
            let after = self.mix_after(0.0);
            if let Some(change) = &mut self.change {
                (change.at, change.after) = (self.clock, after);
                self.inertia_ends = self.clock + duration;
            }
            if self.travel.is_some() {
                begin_slide(self, duration);
            }
        }
    }
}

/// A paused playhead at the beginning of a source.
fn playhead(clips: &[Info], source: Option<Source>, layer: Option<u32>, now: f64) -> Playhead {
    let (duration, frames_per_second, marks) = match &source {
        Some(Source::Clip(clip)) => {
            let Info { duration, frames_per_second, ref marks } = clips[clip.index()];
            (duration, frames_per_second, Rc::clone(marks))
        }
        Some(Source::Space(space)) => (space.duration(), space.frames_per_second(), space.marks()),
        None => (0.0, 30.0, Rc::new([]) as Rc<[Mark]>),
    };
    let action = Action::new(duration, now);
    Playhead {
        source,
        marks,
        frames_per_second,
        layer,
        action: action.into(),
        paused: true,
        ended: false,
        fresh: true,
        playback: 0,
        over: false,
    }
}

/// Replaces a crossfade by an inertial transition, for changes that cannot fade.
fn inertial(transition: Transition) -> Transition {
    match transition {
        Transition::Crossfade(seconds) => Transition::Inertial(seconds),
        other => other,
    }
}
