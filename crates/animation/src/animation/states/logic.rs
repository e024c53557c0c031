//! Evaluation of state machines: states, times and inputs, without a player. See docs/design/states.md.

use crate::model::{
    Condition, ConditionTest, ExitTime, InputValue, Interruption, Motion, StateMachine, StateRepeat,
    StateTransition,
};
use std::collections::VecDeque;
use std::rc::Rc;

/// The largest number of transitions within one step.
pub(super) const MAX_TRANSITIONS: usize = 32;

/// The largest number of queued events; above it, the oldest one is dropped.
pub(super) const MAX_EVENTS: usize = 64;

/// The largest depth of machines within each other; the limit of the format.
const MAX_DEPTH: usize = 8;

/// An event of a state machine: a state was entered or left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StateEvent {
    /// `true` on entering, `false` on leaving.
    pub entered: bool,
    /// The index of the layer.
    pub layer: usize,
    /// The index of the state.
    pub state: usize,
    /// The exact time of the machine, in seconds since it was started; not the time of the frame.
    pub time: f64,
    /// The number of events that were dropped before this one.
    pub skipped: u64,
}

/// The length and the pace of a state's passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    /// Seconds of the clip in a pass; above 0.
    pub(super) length: f64,
    /// Seconds of the machine in a pass; infinite if the state stands still.
    pub(super) seconds: f64,
}

/// The passes of a state as a linear function of time.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Anchor {
    time: f64,
    passes: f64,
}

impl Anchor {
    fn passes_at(&self, time: f64, pace: Pace) -> f64 {
        self.passes + (time - self.time) / pace.seconds
    }

    /// The time at which the state has had `passes`; NaN or infinite if it never has.
    fn when(&self, passes: f64, pace: Pace) -> f64 {
        let more = passes - self.passes;
        if more == 0.0 { self.time } else { self.time + more * pace.seconds }
    }
}

/// A place in the lists of transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Of the transitions from any state of a machine.
    Any(usize, usize),
    /// Of the transitions of a state.
    Of(usize, usize),
}

/// A transition that has begun.
#[derive(Debug, Clone, Copy)]
struct Active {
    rule: Rule,
    source: usize,
    source_anchor: Anchor,
    end: f64,
    interruption: Interruption,
}

/// The active state of one machine, and its transition.
#[derive(Debug, Clone, Copy)]
struct Level {
    state: usize,
    anchor: Anchor,
    active: Option<Active>,
}

/// A transition that is possible, at the first time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Next {
    pub(super) layer: usize,
    depth: usize,
    rule: Rule,
    source: usize,
    source_anchor: Anchor,
    pub(super) time: f64,
}

/// The current states of all layers.
#[derive(Debug, Clone)]
pub(super) struct Logic {
    pub(super) machine: Rc<StateMachine>,
    pub(super) time: f64,
    pub(super) inputs: Vec<InputValue>,
    paces: Vec<Pace>,
    /// For each layer, the active states from the outermost machine to the innermost.
    paths: Vec<Vec<Level>>,
    pub(super) events: VecDeque<StateEvent>,
}

impl Logic {
    /// The initial states are entered at time 0.
    pub(super) fn new(machine: Rc<StateMachine>, paces: Vec<Pace>) -> Self {
        let inputs = machine.inputs.iter().map(|input| input.value).collect();
        let paths = machine.layers.iter().map(|_| Vec::with_capacity(MAX_DEPTH)).collect();
        let events = VecDeque::with_capacity(MAX_EVENTS);
        let mut logic = Self { machine, time: 0.0, inputs, paces, paths, events };
        for layer in 0..logic.paths.len() {
            let initial = logic.machine.graphs[logic.machine.layers[layer].graph].initial;
            logic.enter(layer, initial, None);
        }
        logic
    }

    /// The active states of a layer, from the outermost machine to the innermost.
    pub(super) fn path(&self, layer: usize) -> impl Iterator<Item = usize> {
        self.paths[layer].iter().map(|level| level.state)
    }

    /// The innermost active state of a layer.
    pub(super) fn leaf(&self, layer: usize) -> usize {
        self.paths[layer].last().map_or(0, |level| level.state)
    }

    /// Moves the innermost state of a layer to a number of passes.
    pub(super) fn place(&mut self, layer: usize, passes: f64) {
        let time = self.time;
        if let Some(level) = self.paths[layer].last_mut() {
            level.anchor = Anchor { time, passes };
        }
    }

    /// Sets the pace of a state; its passes do not change.
    pub(super) fn set_pace(&mut self, state: usize, pace: Pace) {
        let before = std::mem::replace(&mut self.paces[state], pace);
        if before.seconds == pace.seconds {
            return;
        }
        let time = self.time;
        let rebase = |anchor: &mut Anchor| *anchor = Anchor { time, passes: anchor.passes_at(time, before) };
        for level in self.paths.iter_mut().flatten() {
            if level.state == state {
                rebase(&mut level.anchor);
            }
            if let Some(active) = level.active.as_mut().filter(|active| active.source == state) {
                rebase(&mut active.source_anchor);
            }
        }
    }

    /// The first possible transition from now to `until`; of several at one time, the first in the order of layers,
    /// machines (outermost first) and lists.
    pub(super) fn next(&self, until: f64) -> Option<Next> {
        let mut found: Option<Next> = None;
        for (layer, path) in self.paths.iter().enumerate() {
            for (depth, level) in path.iter().enumerate() {
                self.next_of_level(level, &mut |rule, source, source_anchor, time| {
                    if time <= found.map_or(until, |found| found.time.next_down()) {
                        found = Some(Next { layer, depth, rule, source, source_anchor, time });
                    }
                });
            }
        }
        found
    }

    fn next_of_level(&self, level: &Level, add: &mut dyn FnMut(Rule, usize, Anchor, f64)) {
        use Interruption as I;
        let Level { state, anchor, active } = *level;
        let active = active.filter(|active| self.time < active.end);
        let rule = active.map_or(I::Target, |active| active.interruption);
        let end = active.map_or(self.time, |active| active.end);
        let graph = self.machine.states[state].graph;
        let from = if rule == I::None { end } else { self.time };
        for (i, transition) in self.machine.graphs[graph].any.iter().enumerate() {
            if transition.to != state
                && let Some(time) = self.first_time(state, anchor, transition, from)
            {
                add(Rule::Any(graph, i), state, anchor, time);
            }
        }
        let by_source = matches!(rule, I::Source | I::SourceThenTarget | I::TargetThenSource);
        let by_target = matches!(rule, I::Target | I::SourceThenTarget | I::TargetThenSource);
        let of_target = |add: &mut dyn FnMut(Rule, usize, Anchor, f64)| {
            let from = if by_target { self.time } else { end };
            for (i, transition) in self.machine.states[state].transitions.iter().enumerate() {
                if let Some(time) = self.first_time(state, anchor, transition, from) {
                    add(Rule::Of(state, i), state, anchor, time);
                }
            }
        };
        if rule == I::TargetThenSource {
            of_target(add);
        }
        if let Some(active) = active.filter(|_| by_source) {
            let (source, anchor) = (active.source, active.source_anchor);
            for (i, transition) in self.machine.states[source].transitions.iter().enumerate() {
                let rule = Rule::Of(source, i);
                if rule != active.rule
                    && let Some(time) = self.first_time(source, anchor, transition, self.time)
                    && time < active.end
                {
                    add(rule, source, anchor, time);
                }
            }
        }
        if rule != I::TargetThenSource {
            of_target(add);
        }
    }

    /// The first time from `from` on at which a transition of a state is possible.
    fn first_time(&self, state: usize, anchor: Anchor, of: &StateTransition, from: f64) -> Option<f64> {
        if !of.conditions.iter().all(|condition| self.holds(condition)) {
            return None;
        }
        let pace = self.paces[state];
        let exit = match of.exit {
            None => return Some(from),
            Some(ExitTime::Passes(passes)) => passes,
            Some(ExitTime::Seconds(seconds)) => seconds / pace.length,
        };
        let time = if self.holds_on(state) {
            anchor.when(exit, pace).max(from)
        } else {
            // The pass before the current one, since rounding may be off by one.
            let mut passes = exit + ((anchor.passes_at(from, pace) - exit).floor() - 1.0).max(0.0);
            let mut time = anchor.when(passes, pace);
            for _ in 0..3 {
                if time < from {
                    passes += 1.0;
                    time = anchor.when(passes, pace);
                }
            }
            time.max(from)
        };
        // A state that stands still has reached its exit time already, or never does.
        if pace.seconds == f64::INFINITY {
            let reached = if self.holds_on(state) { anchor.passes >= exit } else { anchor.passes == exit };
            return reached.then_some(from);
        }
        Some(time).filter(|time| time.is_finite())
    }

    fn holds(&self, condition: &Condition) -> bool {
        match (condition.test, self.inputs[condition.input]) {
            (ConditionTest::Number(comparison, than), InputValue::Number(value)) => {
                comparison.holds(value, than)
            }
            (ConditionTest::Boolean(wanted), InputValue::Boolean(value)) => wanted == value,
            (ConditionTest::Fired, InputValue::Trigger(fired)) => fired,
            _ => false,
        }
    }

    /// `true` if an exit time stays reached: the state ends, or it is a machine or empty.
    fn holds_on(&self, state: usize) -> bool {
        match &self.machine.states[state].motion {
            Motion::Nothing | Motion::Machine(_) => true,
            Motion::Clip { playing, .. } | Motion::Blend { playing, .. } => {
                playing.repeat == StateRepeat::Once
            }
        }
    }

    /// Takes a transition at its time, and returns it.
    pub(super) fn take(&mut self, next: &Next) -> &StateTransition {
        let machine = Rc::clone(&self.machine);
        self.time = next.time;
        let transition = transition(&machine, next.rule);
        for condition in &transition.conditions {
            if let InputValue::Trigger(fired) = &mut self.inputs[condition.input] {
                *fired = false;
            }
        }
        while self.paths[next.layer].len() > next.depth {
            if let Some(level) = self.paths[next.layer].pop() {
                self.tell(false, next.layer, level.state);
            }
        }
        let active = (transition.duration > 0.0).then_some(Active {
            rule: next.rule,
            source: next.source,
            source_anchor: next.source_anchor,
            end: next.time + transition.duration,
            interruption: transition.interruption,
        });
        self.enter(next.layer, transition.to, active);
        self::transition(&self.machine, next.rule)
    }

    /// Enters a state, and the initial states of the machines within it.
    fn enter(&mut self, layer: usize, state: usize, active: Option<Active>) {
        let (mut state, mut active) = (state, active);
        loop {
            let anchor = Anchor { time: self.time, passes: 0.0 };
            self.paths[layer].push(Level { state, anchor, active: active.take() });
            self.tell(true, layer, state);
            match self.machine.states[state].motion {
                Motion::Machine(graph) => state = self.machine.graphs[graph].initial,
                _ => return,
            }
        }
    }

    fn tell(&mut self, entered: bool, layer: usize, state: usize) {
        let mut skipped = 0;
        if self.events.len() >= MAX_EVENTS
            && let Some(dropped) = self.events.pop_front()
        {
            skipped = dropped.skipped + 1;
        }
        self.events.push_back(StateEvent { entered, layer, state, time: self.time, skipped: 0 });
        if let Some(first) = self.events.front_mut() {
            first.skipped += skipped;
        }
    }
}

fn transition(machine: &StateMachine, rule: Rule) -> &StateTransition {
    match rule {
        Rule::Any(graph, i) => &machine.graphs[graph].any[i],
        Rule::Of(state, i) => &machine.states[state].transitions[i],
    }
}
