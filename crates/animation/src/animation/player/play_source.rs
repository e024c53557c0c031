//! Sources that play in a given way, on the base and within layers: for state machines.

use super::action::Action;
use super::events::{Event, EventKind};
use super::playhead::Source;
use super::transition::{Fade, Link, Playing, Transition, TransitionOptions, fade_out};
use super::{Player, playhead};

impl Playing {
    pub(super) fn action(&self, duration: f64, now: f64) -> Action {
        let [begin, end] = self.segment.unwrap_or([0.0, duration]).map(|time| time.max(0.0).min(duration));
        let end = end.max(begin);
        Action { begin, end, rate: self.rate, loop_mode: self.loop_mode, ..Action::new(duration, now) }
    }
}

impl Player {
    /// `true` if the base has played and was paused by a call.
    pub fn is_held(&self) -> bool {
        self.base.playback > 0 && self.base.paused && !self.base.ended
    }

    /// Queues an event of the actor's state machine, at a time of the machine.
    pub fn report(&mut self, kind: EventKind, time: f64, skipped: u64) {
        self.journal.events.push(Event { kind, time, skipped, layer: None, playback: 0 });
    }

    /// Replaces the source of the base, or of a layer, and plays it in the given way from its beginning (from its end
    /// if the rate is negative). Within a layer, a crossfade keeps the layer's weight. Returns `false` if the layer does
    /// not exist.
    ///
    /// # Panics
    /// If a clip is not of this player's model.
    pub fn play_source(
        &mut self,
        layer: Option<u32>,
        source: Source,
        playing: &Playing,
        transition: Option<Transition>,
    ) -> bool {
        let Some(id) = layer else {
            let options = TransitionOptions { transition, ..TransitionOptions::default() };
            self.replace(source, &options, Some(playing));
            self.base().play();
            return true;
        };
        let Some(i) = self.layers.iter().position(|layer| layer.id == id && !layer.removed) else {
            return false;
        };
        let transition = self.depart(transition);
        let (now, clock) = (self.journal.now, self.clock);
        let mut head = playhead(&self.clips, Some(source), layer, now);
        *head.action = playing.action(head.action.duration, now);
        head.restart(now);
        head.playback = self.journal.next_playback();
        head.paused = false;
        let layer = &mut self.layers[i];
        let share = layer.shares(clock).1;
        match transition {
            Transition::Crossfade(seconds) => {
                fade_out(&mut layer.outgoing, &layer.head, share, Link::default(), (now, clock));
                layer.takes_over = Fade { from: 0.0, to: 1.0, begin: clock, end: clock + seconds };
            }
            Transition::Inertial(_) | Transition::Cut => {
                layer.outgoing.clear();
                layer.takes_over = Fade::still(1.0);
            }
        }
        layer.head = head;
        self.link_layers();
        true
    }
}
