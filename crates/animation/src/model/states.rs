//! State machines: plain data, with names resolved to indices.
//!
//! `import::read_states` makes one from a file, and checks it:
//! - There is at least one layer, and each machine has at least one state.
//! - Every index is in range, and machines contain each other as a tree.
//! - Every number is finite; durations, exit times and weights are not negative.

/// Layers of machines, with the inputs that they share.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StateMachine {
    /// The inputs, in the order of the file.
    pub inputs: Vec<StateInput>,
    /// The layers from the lowest to the highest. The first one drives the base of the player.
    pub layers: Vec<StateLayer>,
    /// The machines of all layers, nested ones included.
    pub graphs: Vec<StateGraph>,
    /// The states of all machines.
    pub states: Vec<State>,
}

/// An input with its initial value.
#[derive(Debug, Clone, PartialEq)]
pub struct StateInput {
    /// The name.
    pub name: String,
    /// The kind of input and its initial value.
    pub value: InputValue,
}

/// The value of an input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InputValue {
    /// A finite number.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// `true` from the call that fires it to the first transition that uses it.
    Trigger(bool),
}

/// A layer with a machine of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct StateLayer {
    /// The name.
    pub name: String,
    /// Patterns of joints with their weights; empty for all joints. The first layer ignores it.
    pub mask: Vec<(String, f32)>,
    /// `true` if the layer is added to the layers below. The first layer ignores it.
    pub additive: bool,
    /// The weight of the layer; `0.0..=1.0` unless it is additive. The first layer ignores it.
    pub weight: f32,
    /// The index of its machine.
    pub graph: usize,
}

/// A machine: states and the transitions from any of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StateGraph {
    /// The index of the state that it begins with.
    pub initial: usize,
    /// The transitions from any state, in the order of the file.
    pub any: Vec<StateTransition>,
    /// The state that contains it; `None` for the machine of a layer.
    pub parent: Option<usize>,
}

/// A state of a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The name, unique in its machine.
    pub name: String,
    /// The index of its machine.
    pub graph: usize,
    /// The thing that plays while it is active.
    pub motion: Motion,
    /// The transitions from this state, in the order of the file.
    pub transitions: Vec<StateTransition>,
    /// The name of the event on entering, if it has one.
    pub enter: Option<String>,
    /// The name of the event on leaving, if it has one.
    pub leave: Option<String>,
}

/// The thing that plays while a state is active.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// Nothing: a layer has weight 0, and the base continues with what it plays.
    Nothing,
    /// A clip.
    Clip {
        /// The name of the clip.
        name: String,
        /// The way it plays.
        playing: StatePlaying,
    },
    /// Clips blended by one or two inputs.
    Blend {
        /// The names of the clips with their positions; on a line the second coordinate is 0.
        points: Vec<(String, [f32; 2])>,
        /// The number inputs that are the position; on a line there is only the first.
        inputs: [Option<usize>; 2],
        /// `true` to match steps by markers of the same names, `false` by phase.
        by_markers: bool,
        /// The way it plays; it has no segment.
        playing: StatePlaying,
    },
    /// A machine, by its index.
    Machine(usize),
}

/// The way a state plays its clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StatePlaying {
    /// Clip seconds per second.
    pub rate: f64,
    /// The behaviour at the end.
    pub repeat: StateRepeat,
    /// The part of the clip that plays, in seconds of the clip; `None` for all of it.
    pub segment: Option<[f64; 2]>,
}

/// The behaviour of a state at the end of its clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateRepeat {
    /// The clip stops at the end.
    Once,
    /// The clip restarts from the beginning.
    Repeat,
    /// The clip reverses its direction.
    PingPong,
}

/// A transition to a state of the same machine.
#[derive(Debug, Clone, PartialEq)]
pub struct StateTransition {
    /// The index of the state that it leads to.
    pub to: usize,
    /// Conditions, which must all hold.
    pub conditions: Vec<Condition>,
    /// The time of the state at which it is possible; `None` for any time.
    pub exit: Option<ExitTime>,
    /// Its length in seconds; 0 for [`TransitionMode::Cut`].
    pub duration: f64,
    /// The way the pose changes.
    pub mode: TransitionMode,
    /// The transitions that may interrupt it.
    pub interruption: Interruption,
}

/// A condition on an input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Condition {
    /// The index of the input.
    pub input: usize,
    /// The comparison with the input's value.
    pub test: ConditionTest,
}

/// The comparison of a condition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConditionTest {
    /// The number compares with another one.
    Number(Comparison, f64),
    /// The boolean is equal to this one.
    Boolean(bool),
    /// The trigger was fired and not used yet.
    Fired,
}

/// An operator on numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Comparison {
    /// The result for two numbers.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Self::Less => a < b,
            Self::LessOrEqual => a <= b,
            Self::Greater => a > b,
            Self::GreaterOrEqual => a >= b,
            Self::Equal => a == b,
            Self::NotEqual => a != b,
        }
    }
}

/// The time of a state at which a transition is possible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ExitTime {
    /// In passes of the state, `1.0` is the end of the first one.
    Passes(f64),
    /// In seconds of the state's clip.
    Seconds(f64),
}

/// The way the pose changes in a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransitionMode {
    /// The difference to the old pose decays.
    Inertial,
    /// Both sources play, and their weights change.
    Crossfade,
    /// The new pose is shown at once.
    Cut,
}

/// The transitions that may interrupt another one before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// None.
    None,
    /// Those of the state that it came from.
    Source,
    /// Those of the state that it leads to.
    Target,
    /// Those of the source, then those of the target.
    SourceThenTarget,
    /// Those of the target, then those of the source.
    TargetThenSource,
}

impl StateMachine {
    /// The index of an input.
    pub fn input(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|input| input.name == name)
    }

    /// The index of the layer of a state.
    pub fn layer(&self, state: usize) -> usize {
        let mut graph = self.states[state].graph;
        while let Some(parent) = self.graphs[graph].parent {
            graph = self.states[parent].graph;
        }
        self.layers.iter().position(|layer| layer.graph == graph).unwrap_or_default()
    }

    /// The names from the machine of the layer down to a state, joined by `/`.
    pub fn path(&self, state: usize) -> String {
        let State { name, graph, .. } = &self.states[state];
        match self.graphs[*graph].parent {
            Some(parent) => format!("{}/{name}", self.path(parent)),
            None => name.clone(),
        }
    }
}
