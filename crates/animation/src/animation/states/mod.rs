//! State machines that drive a player. See docs/design/states.md.

mod bind;
mod logic;

use super::player::{Player, Position, Transition};
use crate::model::{Clip, InputValue, Model, Motion, StateMachine, TransitionMode};
pub use bind::StatesWarning;
use bind::{Bound, add_layer, bind};
pub use logic::StateEvent;
use logic::{Logic, MAX_TRANSITIONS, Next, Pace};
use std::rc::Rc;
use std::sync::Arc;

/// A state machine in action on a player.
///
/// Its states and times are a pure function of the calls: the same calls give the same bits. Only
/// [`States::advance`] changes states. The first layer drives the base of the player, each other one a layer.
#[derive(Debug, Clone)]
pub struct States {
    logic: Logic,
    bound: Vec<Bound>,
    /// The id of each layer in the player; `None` for the base, and for layers without any clip.
    layers: Vec<Option<u32>>,
    /// The factor of the rates of all states.
    speed: f64,
    /// `true` if an input or the speed changed since the last step.
    changed: bool,
    /// The position of the base after the last step: another one in the next step comes from a call of the page.
    seen: Position,
    /// The layer whose transition stopped at the limit of the last step.
    loops: Option<usize>,
    /// `true` if that was reported once.
    told: bool,
}

impl States {
    /// Starts a machine: the initial states are entered at its time 0. Clips and joints that the model does not have
    /// are reported, and the rest works.
    ///
    /// - `clips`: the clips of the player, which may have more than the model's file.
    pub fn new(
        machine: Rc<StateMachine>,
        model: &Model,
        clips: &[Arc<Clip>],
        player: &mut Player,
    ) -> (Self, Vec<StatesWarning>) {
        let (bound, masks, warnings) = bind(&machine, model, clips, player);
        let nothing = Pace { length: 1.0, seconds: 1.0 };
        let logic = Logic::new(Rc::clone(&machine), vec![nothing; machine.states.len()]);
        let layers = vec![None; machine.layers.len()];
        let (speed, changed, loops, told) = (1.0, true, None, false);
        let seen = player.position();
        let mut states = Self { logic, bound, layers, speed, changed, seen, loops, told };
        states.apply_inputs(player);
        for (i, mask) in masks.into_iter().enumerate().skip(1) {
            states.layers[i] = add_layer(&machine, i, mask, &states.bound, player);
        }
        for layer in 0..states.layers.len() {
            states.show(player, layer, Some(Transition::Cut));
        }
        states.seen = player.position();
        (states, warnings)
    }

    /// The machine.
    pub fn machine(&self) -> &StateMachine {
        &self.logic.machine
    }

    /// The machine's time: seconds since the start, without those in which the player was paused.
    pub fn time(&self) -> f64 {
        self.logic.time
    }

    /// The value of an input, by its index.
    pub fn input(&self, input: usize) -> Option<InputValue> {
        self.logic.inputs.get(input).copied()
    }

    /// Sets an input; returns `false` if it does not exist, is of another kind, or the number is not finite.
    /// `Trigger(true)` fires a trigger, `Trigger(false)` takes it back. Takes effect in the next step, at its beginning.
    pub fn set_input(&mut self, input: usize, value: InputValue) -> bool {
        let Some(old) = self.logic.inputs.get_mut(input) else { return false };
        let fits = match (*old, value) {
            (InputValue::Number(_), InputValue::Number(number)) => number.is_finite(),
            (InputValue::Boolean(_), InputValue::Boolean(_)) => true,
            (InputValue::Trigger(_), InputValue::Trigger(_)) => true,
            _ => false,
        };
        if fits {
            self.changed |= *old != value;
            *old = value;
        }
        fits
    }

    /// Fires a trigger; returns `false` if it does not exist. It stays fired until a transition uses it.
    pub fn fire(&mut self, trigger: usize) -> bool {
        self.set_input(trigger, InputValue::Trigger(true))
    }

    /// The active states of a layer, from the outermost machine to the innermost; empty if it does not exist.
    pub fn path(&self, layer: usize) -> impl Iterator<Item = usize> {
        let layers = layer..self.layers.len().min(layer + 1).max(layer);
        layers.flat_map(|layer| self.logic.path(layer))
    }

    /// The layer of the player that a layer of the machine drives; `None` for the base, and without any clip.
    pub fn player_layer(&self, layer: usize) -> Option<u32> {
        self.layers.get(layer).copied().flatten()
    }

    /// The factor of the rates of all states.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets the factor of the rates of all states; not finite has no effect. Playheads do not move, and the durations of
    /// transitions do not change.
    pub fn set_speed(&mut self, player: &mut Player, speed: f64) {
        if !speed.is_finite() || speed == self.speed {
            return;
        }
        (self.speed, self.changed) = (speed, true);
        for (layer, id) in self.layers.iter().enumerate() {
            let Some(playing) = self.bound[self.logic.leaf(layer)].playing else { continue };
            match id {
                None if layer == 0 => player.set_rate(playing.rate * speed),
                None => {}
                Some(id) => {
                    if let Some(mut transport) = player.layer(*id) {
                        transport.set_rate(playing.rate * speed);
                    }
                }
            }
        }
        self.apply_inputs(player);
        self.seen = player.position();
    }

    /// Seeks within the current state of the first layer: its clip shows `time`, and its exit times count from there.
    /// No state changes. A seek of the player itself has the same effect in the next step. See [`Player::seek`].
    pub fn seek(&mut self, player: &mut Player, time: f64) {
        player.seek(time);
        self.follow(player);
    }

    /// Takes over the position of the base, if a call has moved it since the last step.
    fn follow(&mut self, player: &Player) {
        let at = player.position();
        if std::mem::replace(&mut self.seen, at) == at || self.bound[self.logic.leaf(0)].playing.is_none() {
            return;
        }
        let segment = player.segment();
        let length = segment.end - segment.start;
        let into = if length > 0.0 { ((at.time - segment.start) / length).clamp(0.0, 1.0) } else { 0.0 };
        let backwards = (player.rate() < 0.0) != at.backwards;
        let part = if backwards { 1.0 - into } else { into };
        self.logic.place(0, at.passes as f64 + if at.finished { 0.0 } else { part });
    }

    /// Advances the player by `dt` seconds, with all transitions at their exact times; negative or not finite has no
    /// effect. While the player's base is paused by a call, the machine stands still.
    pub fn advance(&mut self, player: &mut Player, dt: f64) {
        if dt >= 0.0 && dt.is_finite() {
            self.advance_to(player, player.now() + dt);
        }
    }

    /// Advances the player to `now` on its timeline, as [`States::advance`]. Backwards, the playheads move, and the
    /// machine stands still.
    pub fn advance_to(&mut self, player: &mut Player, now: f64) {
        let begin = player.now();
        let dt = now - begin;
        if !(dt >= 0.0) || !dt.is_finite() || player.is_held() {
            player.advance_to(now);
            return;
        }
        self.follow(player);
        self.apply_inputs(player);
        let start = self.logic.time;
        let until = start + dt;
        let mut count = 0;
        self.loops = None;
        while let Some(next) = self.logic.next(until) {
            if count == MAX_TRANSITIONS {
                self.loops = Some(next.layer);
                break;
            }
            count += 1;
            if next.time > self.logic.time {
                player.advance_to((begin + (next.time - start)).min(now));
            }
            self.go(player, &next);
        }
        self.logic.time = until;
        player.advance_to(now);
        self.seen = player.position();
    }

    /// `true` if a step would change a state, now or later, or if inputs have changed. While the player's base is paused by
    /// a call, it is `false`.
    pub fn is_pending(&self, player: &Player) -> bool {
        !player.is_held() && (self.changed || self.logic.next(f64::MAX).is_some())
    }

    /// The state in which the last step stopped after 32 transitions, the first time that this happens.
    pub fn take_loop(&mut self) -> Option<usize> {
        let state = self.logic.leaf(self.loops?);
        (!std::mem::replace(&mut self.told, true)).then_some(state)
    }

    /// [`States::take_loop`] as a warning with code `states/loop`.
    pub fn take_loop_warning(&mut self) -> Option<StatesWarning> {
        let state = self.take_loop()?;
        Some(StatesWarning::of_loop(&self.logic.machine, state))
    }

    /// `true` if events are queued.
    pub fn has_events(&self) -> bool {
        !self.logic.events.is_empty()
    }

    /// Removes and returns the queued events, oldest first; the last 64.
    pub fn drain_events(&mut self) -> impl Iterator<Item = StateEvent> {
        self.logic.events.drain(..)
    }

    /// Ends the machine: removes its layers from the player, whose base plays on.
    pub fn finish(&self, player: &mut Player, transition: Option<Transition>) {
        for id in self.layers.iter().flatten() {
            player.remove_layer(*id, transition);
        }
    }

    fn go(&mut self, player: &mut Player, next: &Next) {
        let taken = self.logic.take(next);
        let transition = match taken.mode {
            TransitionMode::Inertial => Transition::Inertial(taken.duration),
            TransitionMode::Crossfade => Transition::Crossfade(taken.duration),
            TransitionMode::Cut => Transition::Cut,
        };
        self.show(player, next.layer, Some(transition));
    }

    /// Plays the innermost state of a layer.
    fn show(&mut self, player: &mut Player, layer: usize, transition: Option<Transition>) {
        let bound = &self.bound[self.logic.leaf(layer)];
        let id = self.layers[layer];
        if layer > 0 && id.is_none() {
            return;
        }
        let (Some(source), Some(mut playing)) = (bound.source(), bound.playing) else {
            if let Some(id) = id {
                player.set_layer_weight(id, 0.0, transition);
            }
            return;
        };
        playing.rate *= self.speed;
        let Some(id) = id else {
            player.play_source(None, source, &playing, transition);
            return;
        };
        let weight = self.logic.machine.layers[layer].weight;
        let before = player.layers().find(|layer| layer.id() == id).map_or(0.0, |layer| layer.weight());
        if before != weight {
            // Nothing of it was shown, so there is nothing to fade out.
            player.play_source(Some(id), source, &playing, Some(Transition::Cut));
            player.set_layer_weight(id, weight, transition);
        } else {
            player.play_source(Some(id), source, &playing, transition);
        }
    }

    /// Applies changed inputs to blend spaces, and to the lengths of states.
    fn apply_inputs(&mut self, player: &mut Player) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        for state in 0..self.bound.len() {
            let bound = &mut self.bound[state];
            if let (Motion::Blend { inputs, .. }, Some(space)) =
                (&self.logic.machine.states[state].motion, &mut bound.space)
            {
                let number = |input: Option<usize>| match input.map(|input| self.logic.inputs[input]) {
                    Some(InputValue::Number(number)) => number as f32,
                    _ => 0.0,
                };
                let position = inputs.map(number);
                if position != space.position() {
                    space.set_position(position);
                    bound.moved = true;
                }
                bound.length = space.duration();
            }
            self.logic.set_pace(state, bound.pace(self.speed));
        }
        for (layer, id) in self.layers.iter().enumerate().filter(|(layer, id)| *layer == 0 || id.is_some()) {
            let bound = &self.bound[self.logic.leaf(layer)];
            if let Some(space) = bound.space.as_ref().filter(|_| bound.moved) {
                player.set_blend_position(*id, space.position(), Transition::Cut);
            }
        }
        for bound in &mut self.bound {
            bound.moved = false;
        }
    }
}
