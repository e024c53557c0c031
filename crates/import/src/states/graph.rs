//! Reads machines, states and transitions.

use super::fault::{codes, fault};
use super::{At, Reader, Result, limit};
use gambol_animation::model::{
    Comparison, Condition, ConditionTest, ExitTime, InputValue, Interruption, Motion, State, StateGraph,
    StatePlaying, StateRepeat, StateTransition, TransitionMode,
};

const MAX_DEPTH: usize = 8;
const MAX_STATES: usize = 1024;
const MAX_TRANSITIONS: usize = 4096;
const MAX_CONDITIONS: usize = 32;
const MAX_POINTS: usize = 64;
/// The default length of transitions, in seconds, as that of a player.
const DURATION: f64 = 0.3;

/// The operators of a condition.
const OPERATORS: [(&str, Comparison); 6] = [
    ("<", Comparison::Less),
    ("<=", Comparison::LessOrEqual),
    (">", Comparison::Greater),
    (">=", Comparison::GreaterOrEqual),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
];

impl Reader {
    /// Reads the machine of a layer or of a state; returns its index.
    pub(super) fn graph(&mut self, at: &At<'_>, parent: Option<usize>, depth: usize) -> Result<usize> {
        limit(depth, MAX_DEPTH, "machines within each other", at)?;
        let states = self.required(at, "states")?;
        let members = states.members()?;
        if members.is_empty() {
            return states.invalid("an object with at least one state");
        }
        limit(self.machine.states.len() + members.len(), MAX_STATES, "states", &states)?;
        let (graph, first) = (self.machine.graphs.len(), self.machine.states.len());
        self.machine.graphs.push(StateGraph { initial: first, any: Vec::new(), parent });
        // All names come first, so that transitions can refer to later states.
        for (name, at) in &members {
            if name.is_empty() || *name == "*" {
                return at.invalid("under a name that is neither empty nor \"*\"");
            }
            let (name, motion, transitions) = ((*name).to_owned(), Motion::Nothing, Vec::new());
            let state = State { name, graph, motion, transitions, enter: None, leave: None };
            self.machine.states.push(state);
        }
        let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
        for (i, (_, at)) in members.iter().enumerate() {
            self.state(first + i, at, depth)?;
        }
        if let Some(at) = at.get("initial") {
            match names.iter().position(|name| Some(*name) == at.value.as_str()) {
                Some(i) => self.machine.graphs[graph].initial = first + i,
                None => self.unknown_state(&at, &names, "the first state is the initial one")?,
            }
        }
        if let Some(list) = at.get("transitions") {
            let elements = list.elements()?;
            self.transitions += elements.len();
            limit(self.transitions, MAX_TRANSITIONS, "transitions", &list)?;
            for at in elements {
                self.transition(graph, first, &names, &at)?;
            }
        }
        Ok(graph)
    }

    fn unknown_state(&mut self, at: &At<'_>, names: &[&str], repair: &str) -> Result<()> {
        let name = at.text()?;
        self.warn_unknown(codes::UNKNOWN_STATE, at, ("state", name), names.iter().copied(), repair);
        Ok(())
    }

    fn state(&mut self, index: usize, at: &At<'_>, depth: usize) -> Result<()> {
        let known = ["clip", "blend", "machine", "rate", "loop", "segment", "enter", "leave"];
        self.only(at, &known)?;
        for key in ["enter", "leave"] {
            let event = at.get(key).map(|at| at.text().map(str::to_owned)).transpose()?;
            let state = &mut self.machine.states[index];
            *(if key == "enter" { &mut state.enter } else { &mut state.leave }) = event;
        }
        let playing = playing(at)?;
        let motion = match (at.get("clip"), at.get("blend"), at.get("machine")) {
            (None, None, None) => Motion::Nothing,
            (Some(clip), None, None) => Motion::Clip { name: clip.text()?.to_owned(), playing },
            (None, Some(blend), None) => self.blend(&blend, playing)?,
            (None, None, Some(machine)) => {
                self.only(&machine, &["initial", "states", "transitions"])?;
                Motion::Machine(self.graph(&machine, Some(index), depth + 1)?)
            }
            _ => return at.invalid("a state with only one of \"clip\", \"blend\" and \"machine\""),
        };
        let unused: &[&str] = match &motion {
            Motion::Clip { .. } => &[],
            Motion::Blend { .. } => &["segment"],
            Motion::Nothing | Motion::Machine(_) => &["rate", "loop", "segment"],
        };
        for at in unused.iter().filter_map(|key| at.get(key)) {
            let message = "The member has no effect without a clip of the state's own".to_owned();
            self.warn(codes::UNUSED_FIELD, &at.pointer, message);
        }
        self.machine.states[index].motion = motion;
        Ok(())
    }

    fn blend(&mut self, at: &At<'_>, playing: StatePlaying) -> Result<Motion> {
        self.only(at, &["by", "clips", "sync"])?;
        let sync = at.get("sync").map(|at| at.word(&[("phase", false), ("marker", true)])).transpose()?;
        let by = self.required(at, "by")?;
        let names = if by.value.as_str().is_some() { vec![by.clone()] } else { by.elements()? };
        if names.is_empty() || names.len() > 2 {
            return by.invalid("the name of an input, or an array of one or two names");
        }
        let mut inputs = [None; 2];
        for (input, at) in inputs.iter_mut().zip(&names) {
            *input = self.number_input(at)?;
        }
        let clips = self.required(at, "clips")?;
        let elements = clips.elements()?;
        limit(elements.len(), MAX_POINTS, "points", &clips)?;
        if elements.is_empty() {
            return clips.invalid("an array with at least one point");
        }
        let mut points: Vec<(String, [f32; 2])> = Vec::with_capacity(elements.len());
        for at in &elements {
            let parts = at.elements()?;
            if parts.len() != names.len() + 1 {
                return at.invalid("an array of a clip and a number for each input");
            }
            let mut position = [0.0; 2];
            for (coordinate, at) in position.iter_mut().zip(&parts[1..]) {
                *coordinate = at.float()?;
            }
            if points.iter().any(|(_, other)| *other == position) {
                return at.invalid("a point at a position of its own");
            }
            points.push((parts[0].text()?.to_owned(), position));
        }
        Ok(Motion::Blend { points, inputs, by_markers: sync.unwrap_or(false), playing })
    }

    /// The index of a number input; `None`, with a warning, if it does not exist.
    fn number_input(&mut self, at: &At<'_>) -> Result<Option<usize>> {
        let found = self.named_input(at, "its coordinate stays 0")?;
        let is_number = |&i: &usize| matches!(self.machine.inputs[i].value, InputValue::Number(_));
        match found {
            Some(input) if !is_number(&input) => at.invalid("the name of a number input"),
            found => Ok(found),
        }
    }

    fn named_input(&mut self, at: &At<'_>, repair: &str) -> Result<Option<usize>> {
        let name = at.text()?;
        let found = self.machine.input(name);
        if found.is_none() {
            let known: Vec<String> = self.machine.inputs.iter().map(|input| input.name.clone()).collect();
            let known = known.iter().map(String::as_str);
            self.warn_unknown(codes::UNKNOWN_INPUT, at, ("input", name), known, repair);
        }
        Ok(found)
    }

    fn transition(&mut self, graph: usize, first: usize, names: &[&str], at: &At<'_>) -> Result<()> {
        let known = ["from", "to", "when", "exitTime", "exitSeconds", "duration", "mode", "interruption"];
        self.only(at, &known)?;
        let (from, to) = (self.required(at, "from")?, self.required(at, "to")?);
        let named = |at: &At<'_>| Ok(names.iter().position(|name| Some(*name) == at.value.as_str()));
        let any = from.text()? == "*";
        let (source, target) = (named(&from)?, named(&to)?);
        let mut usable = true;
        for (at, missing) in [(&from, source.is_none() && !any), (&to, target.is_none())] {
            if missing {
                self.unknown_state(at, names, "the transition is left out")?;
                usable = false;
            }
        }
        let modes = [
            ("inertial", TransitionMode::Inertial),
            ("crossfade", TransitionMode::Crossfade),
            ("cut", TransitionMode::Cut),
        ];
        let mode = at.get("mode").map(|at| at.word(&modes)).transpose()?;
        let mut mode = mode.unwrap_or(TransitionMode::Inertial);
        let mut duration = at.get("duration").map(|at| at.not_negative()).transpose()?.unwrap_or(DURATION);
        if mode == TransitionMode::Cut || duration == 0.0 {
            (mode, duration) = (TransitionMode::Cut, 0.0);
        }
        let rules = [
            ("none", Interruption::None),
            ("source", Interruption::Source),
            ("target", Interruption::Target),
            ("source-then-target", Interruption::SourceThenTarget),
            ("target-then-source", Interruption::TargetThenSource),
        ];
        let interruption = at.get("interruption").map(|at| at.word(&rules)).transpose()?;
        let exit = match (at.get("exitTime"), at.get("exitSeconds")) {
            (None, None) => None,
            (Some(at), None) => Some(ExitTime::Passes(at.not_negative()?)),
            (None, Some(at)) => Some(ExitTime::Seconds(at.not_negative()?)),
            (Some(_), Some(at)) => return at.invalid("absent beside \"exitTime\""),
        };
        let mut conditions = Vec::new();
        if let Some(list) = at.get("when") {
            let elements = list.elements()?;
            limit(elements.len(), MAX_CONDITIONS, "conditions", &list)?;
            for at in elements {
                match self.condition(&at)? {
                    Some(condition) => conditions.push(condition),
                    None => usable = false,
                }
            }
        }
        if conditions.is_empty() && exit.is_none() && usable {
            let message = "The transition needs a condition or an exit time".to_owned();
            return Err(fault(codes::INVALID_VALUE, &at.pointer, message));
        }
        let Some(to) = target.filter(|_| usable) else { return Ok(()) };
        let interruption = interruption.unwrap_or(Interruption::None);
        let made = StateTransition { to: first + to, conditions, exit, duration, mode, interruption };
        match source {
            Some(from) => self.machine.states[first + from].transitions.push(made),
            None => self.machine.graphs[graph].any.push(made),
        }
        Ok(())
    }

    /// A condition; `None`, with a warning, if its input does not exist.
    fn condition(&mut self, at: &At<'_>) -> Result<Option<Condition>> {
        self.only(at, &["input", "op", "value"])?;
        let name = self.required(at, "input")?;
        let Some(input) = self.named_input(&name, "the transition is left out")? else { return Ok(None) };
        let (op, value) = (at.get("op"), at.get("value"));
        let test = match self.machine.inputs[input].value {
            InputValue::Number(_) => {
                let comparison = self.required(at, "op")?.word(&OPERATORS)?;
                ConditionTest::Number(comparison, self.required(at, "value")?.number()?)
            }
            InputValue::Boolean(_) => {
                let equal = op.map(|at| at.word(&[("==", true), ("!=", false)])).transpose()?;
                let value = value.map(|at| at.boolean()).transpose()?;
                ConditionTest::Boolean(value.unwrap_or(true) == equal.unwrap_or(true))
            }
            InputValue::Trigger(_) => match op.or(value) {
                Some(at) => return at.invalid("absent: a trigger is fired or not"),
                None => ConditionTest::Fired,
            },
        };
        Ok(Some(Condition { input, test }))
    }
}

fn playing(at: &At<'_>) -> Result<StatePlaying> {
    let modes =
        [("once", StateRepeat::Once), ("repeat", StateRepeat::Repeat), ("pingpong", StateRepeat::PingPong)];
    let repeat = at.get("loop").map(|at| at.word(&modes)).transpose()?.unwrap_or(StateRepeat::Repeat);
    let rate = at.get("rate").map(|at| at.number()).transpose()?.unwrap_or(1.0);
    let mut segment = None;
    if let Some(at) = at.get("segment") {
        let ends = at.elements()?.iter().map(At::not_negative).collect::<Result<Vec<f64>>>()?;
        match ends[..] {
            [begin, end] if begin <= end => segment = Some([begin, end]),
            _ => return at.invalid("an array of a begin and an end that is not before it"),
        }
    }
    Ok(StatePlaying { rate, repeat, segment })
}
