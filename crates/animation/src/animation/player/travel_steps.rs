//! Root motion of a player: the movement that all clips of its mix add to the place of their actor.
//!
//! While one clip plays alone, the movement is a function of its playhead, with passes multiplied. While several play, it
//! is a sum over steps of fixed times, so it does not depend on the frames. See docs/design/procedural.md#root-motion.

use super::playhead::{Playhead, Source};
use super::root_path::{ClipRoot, Rigid, Velocity};
use super::transition::Link;
use super::travel::{Part, Phase, RootTravel, Slide, State};
use super::{DELTA, Player, SyncMode};
use crate::animation::mixing::{Contribution, JointMask, LayerMode};
use crate::model::{ClipId, NodeId};

/// The steps per second of the timeline while several clips play. A power of two, so that the times of steps are exact.
const RATE: f64 = 64.0;

/// The largest number of steps at once. Longer times, of pages that were hidden, have longer steps.
const MAX_STEPS: f64 = 4096.0;

impl RootTravel {
    /// Writes the state of a player, which must not have another time after `now`.
    fn write(&mut self, player: &Player, now: f64) {
        let mut next = std::mem::take(&mut self.next);
        (next.time, next.clock) = (now, player.clock_at(now));
        let into = Parts { player, roots: &self.roots, contributions: &mut self.contributions };
        into.write(&mut next);
        self.next = next;
    }

    fn advance(&mut self, player: &Player, now: f64) {
        self.moves();
        let before = player.journal.now;
        self.write(player, before);
        if self.next != self.last {
            // A call of the page. It is no movement.
            self.restart();
        }
        if now < before && !self.is_alone(&self.from) {
            self.restart();
        }
        let step = ((now - self.from.time) / MAX_STEPS).max(1.0 / RATE);
        let mut at = self.from.time;
        while !self.is_alone(&self.from) {
            // Steps end at the same times, whatever the time of the call before was.
            at = if step == 1.0 / RATE { ((at * RATE).floor() + 1.0) / RATE } else { at + step };
            if !(at <= now && at > self.from.time) {
                break;
            }
            self.write(player, at);
            self.anchor = self.anchor.then(&self.between(&self.from, &self.next));
            std::mem::swap(&mut self.from, &mut self.next);
        }
        self.write(player, now);
        self.total = self.anchor.then(&self.between(&self.from, &self.next));
        std::mem::swap(&mut self.last, &mut self.next);
    }

    fn velocity(&mut self, player: &Player) -> Velocity {
        let now = player.journal.now;
        self.write(player, now);
        let from = std::mem::take(&mut self.next);
        self.write(player, now + DELTA);
        let slide = self.slide.take();
        let Velocity { linear, angular } = Velocity::of(&self.between(&from, &self.next), DELTA);
        self.slide = slide;
        let faded = slide.map_or(0.0, |slide| slide.factor(player.clock));
        let fading = slide.map_or(Velocity::default(), |slide| slide.velocity);
        Velocity { linear: linear + fading.linear * faded, angular: angular + fading.angular * faded }
    }
}

/// Writes the clips that move the root of a player.
struct Parts<'a> {
    player: &'a Player,
    roots: &'a [ClipRoot],
    contributions: &'a mut Vec<Contribution>,
}

impl Parts<'_> {
    /// Adds the parts of `player` at the time of `state`, with the weights of the pose; see [`Player::mix_at`].
    fn write(mut self, state: &mut State) {
        let player = self.player;
        let State { time: now, clock, ref mut fades, ref mut parts } = *state;
        parts.clear();
        let base = Phase::of(&player.base, now);
        let (outgoing, share) = player.shares(clock);
        *fades = !outgoing.is_empty() || player.layers.iter().any(|layer| layer.fades(clock));
        self.add(&player.base, base, share, None, parts);
        for out in outgoing {
            let phase = self.phase(&out.head, clock, &out.link, &base);
            self.add(&out.head, phase, out.share * (1.0 - share), None, parts);
        }
        let averaged = |mode: LayerMode| mode == LayerMode::Average;
        for layer in player.layers.iter().filter(|layer| averaged(layer.mode)) {
            let phase = self.phase(&layer.head, now, &layer.link, &base);
            let weight = layer.weight.at(clock);
            let (outgoing, share) = layer.shares(clock);
            self.add(&layer.head, phase, weight * share, layer.mask.as_deref(), parts);
            for out in outgoing {
                let phase = Phase::of(&out.head, clock);
                self.add(&out.head, phase, weight * out.share * (1.0 - share), layer.mask.as_deref(), parts);
            }
        }
        scale_to_one(parts);
        for layer in player.layers.iter().filter(|layer| !averaged(layer.mode)) {
            let weight = layer.weight.at(clock);
            if weight == 0.0 && layer.weight.to == 0.0 {
                continue;
            }
            let begin = parts.len();
            let phase = self.phase(&layer.head, now, &layer.link, &base);
            let (outgoing, share) = layer.shares(clock);
            self.add(&layer.head, phase, share, layer.mask.as_deref(), parts);
            for out in outgoing {
                self.add(
                    &out.head,
                    Phase::of(&out.head, clock),
                    out.share * (1.0 - share),
                    layer.mask.as_deref(),
                    parts,
                );
            }
            let (below, own) = parts.split_at_mut(begin);
            if layer.mode.is_additive() {
                own.iter_mut().for_each(|part| part.weight *= weight);
                continue;
            }
            let weight = weight.clamp(0.0, 1.0);
            let covered = weight * own.iter().map(|part| part.weight).sum::<f64>().min(1.0);
            below.iter_mut().for_each(|part| part.weight *= 1.0 - covered);
            own.iter_mut().for_each(|part| part.weight *= weight);
        }
    }

    /// The position of a source that may be synchronized with the base.
    fn phase(&self, head: &Playhead, now: f64, link: &Link, base: &Phase) -> Phase {
        if link.mode == SyncMode::None {
            return Phase::of(head, now);
        }
        let (duration, own) = (self.player.base.action.duration, head.action.duration);
        base.followed(duration, own, |time| link.time(time, duration, own))
    }

    /// Adds the clips of a source that have a root.
    fn add(
        &mut self,
        head: &Playhead,
        phase: Phase,
        share: f64,
        mask: Option<&JointMask>,
        parts: &mut Vec<Part>,
    ) {
        let masked = |node: NodeId| mask.map_or(1.0, |mask| f64::from(mask.weights()[node.index()]));
        let root = |clip: ClipId| self.roots.get(clip.index()).and_then(|root| root.node).map(masked);
        match &head.source {
            None => {}
            Some(Source::Clip(clip)) => {
                let Some(amount) = root(*clip).filter(|&amount| amount > 0.0) else { return };
                let weight = share * amount;
                parts.push(Part { key: (head.playback, 0), clip: *clip, weight, phase });
            }
            Some(Source::Space(space)) => {
                let contributions = &mut *self.contributions;
                contributions.clear();
                for time in [phase.time, phase.begin, phase.end] {
                    space.contribute(time, 1.0, contributions);
                }
                let (duration, count) = (head.action.duration, contributions.len() / 3);
                for i in 0..count {
                    let Contribution { clip, weight, .. } = contributions[i];
                    let Some(amount) = root(clip).filter(|&amount| amount > 0.0) else { continue };
                    let own = self.player.clips[clip.index()].duration;
                    let times = [0, 1, 2].map(|k| contributions[k * count + i].time);
                    let time_in = |time: f64| {
                        let k = [phase.time, phase.begin, phase.end].iter().position(|&other| other == time);
                        times[k.unwrap_or(0)]
                    };
                    let phase = phase.followed(duration, own, time_in);
                    let weight = share * f64::from(weight) * amount;
                    parts.push(Part { key: (head.playback, i), clip, weight, phase });
                }
            }
        }
    }
}

/// Scales weights down to a sum of 1.
fn scale_to_one(parts: &mut [Part]) {
    let sum: f64 = parts.iter().map(|part| part.weight).sum();
    if sum > 1.0 {
        parts.iter_mut().for_each(|part| part.weight /= sum);
    }
}

impl Player {
    /// The root motion up to now; `None` if it is not extracted.
    pub fn travel(&self) -> Option<&RootTravel> {
        self.travel.as_deref()
    }

    /// Extracts root motion from now on, with the root of each clip; `None` ends it. The movement begins anew.
    pub fn set_travel(&mut self, roots: Option<Vec<ClipRoot>>) {
        self.travel = roots.map(|roots| {
            let mut travel = RootTravel::new(roots.into());
            travel.write(self, self.journal.now);
            travel.restart();
            Box::new(travel)
        });
    }

    /// Replaces the roots after clips were added or removed. The movement goes on.
    pub fn set_roots(&mut self, roots: Vec<ClipRoot>) {
        self.with_travel(|travel, player| {
            travel.roots = roots.into();
            travel.write(player, player.journal.now);
            travel.restart();
        });
    }

    /// Resets the movement to zero; it then counts from now on.
    pub fn reset_travel(&mut self) {
        self.with_travel(|travel, player| {
            let frame = travel.last_frame();
            travel.total = Rigid::IDENTITY;
            travel.mark = frame.inverse();
            travel.write(player, player.journal.now);
            travel.restart();
        });
    }

    /// The velocity of the root motion now, as if all played on; `None` if it is not extracted.
    pub fn travel_velocity(&mut self) -> Option<Velocity> {
        let moves = self.plays();
        self.with_travel(|travel, player| if moves { travel.velocity(player) } else { Velocity::default() })
    }

    /// Notifies the root motion that a frame has ended.
    pub fn end_travel_frame(&mut self) {
        if let Some(travel) = &mut self.travel {
            travel.end_frame();
        }
    }

    fn with_travel<T>(&mut self, with: impl FnOnce(&mut RootTravel, &Self) -> T) -> Option<T> {
        let mut travel = self.travel.take()?;
        let result = with(&mut travel, self);
        self.travel = Some(travel);
        Some(result)
    }

    pub(super) fn advance_travel(&mut self, now: f64) {
        self.with_travel(|travel, player| travel.advance(player, now));
    }

    /// Called before a change with an inertial transition.
    pub(super) fn note_speed(&mut self) {
        self.with_travel(|travel, player| travel.noted = travel.velocity(player));
    }

    /// Called after that change: the difference of the velocities fades.
    pub(super) fn begin_slide(&mut self, seconds: f64) {
        self.with_travel(|travel, player| {
            travel.slide = None;
            let (before, after) = (travel.noted, travel.velocity(player));
            let velocity =
                Velocity { linear: before.linear - after.linear, angular: before.angular - after.angular };
            let start = player.clock;
            travel.slide =
                (velocity != Velocity::default()).then_some(Slide { start, duration: seconds, velocity });
            // The next step begins here, also if the same clip plays on.
            travel.write(player, player.journal.now);
            travel.restart();
        });
    }

    /// Called after the playhead of the base was moved through its clip by [`Transport::scrub`](super::Transport::scrub).
    pub(super) fn scrub_travel(&mut self) {
        self.with_travel(|travel, player| {
            travel.moves();
            travel.write(player, player.journal.now);
            if let ([from], [to]) = (&travel.last.parts[..], &travel.next.parts[..])
                && from.clip == to.clip
                && let Some(path) = &travel.roots[to.clip.index()].path
            {
                travel.total = travel.total.then(&path.between(from.phase.time, to.phase.time));
            }
            travel.restart();
        });
    }
}
