//! The state machines of actors.

use super::{ActorId, Cast};
use crate::animation::{EventKind, Player, States, StatesWarning};
use crate::model::StateMachine;
use crate::viewer::error::StageError;
use std::fmt;
use std::rc::Rc;

/// A state machine that drives the player of an actor.
///
/// It is a trait with one implementation because calls through it are all that the first WebAssembly module has of state
/// machines: the code that advances, copies and drops one is in the second. See docs/design/size.md.
pub(super) trait Driver: fmt::Debug {
    /// Advances the player to `now` on its timeline, and queues the events of the machine in it.
    fn advance_to(&mut self, player: &mut Player, now: f64);
    /// See [`States::is_pending`].
    fn is_pending(&self, player: &Player) -> bool;
    fn copy(&self) -> Box<dyn Driver>;
    fn states(&mut self) -> &mut States;
}

impl Clone for Box<dyn Driver> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

impl Driver for States {
    fn advance_to(&mut self, player: &mut Player, now: f64) {
        self.advance_to(player, now);
        for event in self.drain_events() {
            let state = Some(event.state as u32);
            let (left, entered) = if event.entered { (None, state) } else { (state, None) };
            player.report(EventKind::State { left, entered }, event.time, event.skipped);
        }
        if let Some(state) = self.take_loop() {
            let state = Some(state as u32);
            player.report(EventKind::State { left: state, entered: state }, self.time(), 0);
        }
    }

    fn is_pending(&self, player: &Player) -> bool {
        self.is_pending(player)
    }

    fn copy(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }

    fn states(&mut self) -> &mut States {
        self
    }
}

impl Cast {
    /// Starts a state machine on an actor, in the place of the one before, and plays it; `None` ends the one before.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn set_states(
        &mut self,
        id: ActorId,
        machine: Option<StateMachine>,
    ) -> Result<Vec<StatesWarning>, StageError> {
        let at = self.index(id)?;
        (self.posed, self.commanded) = (false, true);
        let member = &mut self.members[at];
        let player = &mut member.actor.player;
        if let Some(mut before) = member.states.take() {
            before.states().finish(player, None);
        }
        let Some(machine) = machine else { return Ok(Vec::new()) };
        let clips = member.asset.clips();
        let (states, warnings) = States::new(Rc::new(machine), &member.asset.model, &clips.clips, player);
        member.states = Some(Box::new(states));
        Ok(warnings)
    }

    /// The state machine of an actor and its player, for changes; `None` without a machine.
    ///
    /// # Errors
    /// `NoActor`.
    pub fn states_mut(&mut self, id: ActorId) -> Result<Option<(&mut States, &mut Player)>, StageError> {
        let at = self.index(id)?;
        let member = &mut self.members[at];
        Ok(member.states.as_mut().map(|driver| (driver.states(), &mut member.actor.player)))
    }
}
