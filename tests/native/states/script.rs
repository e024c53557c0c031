//! Scripts of inputs and steps for a state machine, from arbitrary bytes.

use super::model::{Machine, Model as Plain, Motion, Transition, Value, Way};
use crate::fuzzing::supply::Supply;
use gambol::animation::{Mix, Player, States};
use gambol::import::read_states;
use gambol::model::{Clip, Curve, InputValue, Interpolation, Model};
use serde_json::{Map, Value as Json, json};
use std::rc::Rc;
use std::sync::Arc;

/// The lengths of the clips: powers of two, so that both implementations compute without rounding.
const LENGTHS: [f64; 4] = [1.0, 0.5, 2.0, 1.0];
const CLIPS: [&str; 4] = ["Idle", "Hop", "Walk", "Run"];
const INPUTS: [&str; 6] = ["speed", "x", "ground", "armed", "jump", "hit"];

/// A model with the four clips and no nodes.
pub(crate) fn model() -> Model {
    let clip = |(name, length): (&&str, &f64)| {
        let times = vec![0.0, *length as f32];
        let curve = Curve::new(Interpolation::Step, 3, times, vec![0.0; 6]).expect("a good curve");
        let (name, duration) = ((*name).to_owned(), *length as f32);
        Arc::new(Clip { name, duration, curves: vec![curve], ..Clip::default() })
    };
    Model { clips: CLIPS.iter().zip(&LENGTHS).map(clip).collect(), ..Model::default() }
}

/// Reads the bytes as a file if the first one is 0; otherwise they are a machine with a script, which runs in both
/// implementations.
pub(crate) fn run(bytes: &[u8]) {
    let mut supply = Supply(bytes);
    if supply.byte() == 0 { wild(supply.0) } else { side_by_side(&mut supply) }
}

/// Any text: it is refused, or runs without a panic.
fn wild(text: &[u8]) {
    let (machine, warnings) = match read_states(text) {
        Ok(read) => read,
        Err(error) => {
            assert!(error.code.starts_with("states/") && !error.message.is_empty(), "{error}");
            return;
        }
    };
    assert!(warnings.len() <= 100);
    let model = model();
    let mut player = Player::new(&model.clips, 0.0);
    let (mut states, _) = States::new(Rc::new(machine), &model, &model.clips, &mut player);
    for step in 0..20 {
        for input in 0..states.machine().inputs.len() {
            match states.input(input) {
                Some(InputValue::Number(_)) => {
                    states.set_input(input, InputValue::Number(f64::from(step) / 3.0))
                }
                Some(InputValue::Boolean(on)) => states.set_input(input, InputValue::Boolean(!on)),
                _ => states.fire(input),
            };
        }
        states.advance(&mut player, 0.1);
        assert!(states.drain_events().count() <= 64);
    }
}

struct Generator<'a, 'b> {
    supply: &'a mut Supply<'b>,
    /// `true` if states may end: with several layers, fades would stop when all have ended.
    may_end: bool,
    /// `true` if states may be empty.
    may_be_empty: bool,
}

impl Generator<'_, '_> {
    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.supply.below(list.len())]
    }

    fn way(&mut self, state: &mut Map<String, Json>) -> Way {
        let looped = if self.may_end {
            self.pick(&["repeat", "once", "pingpong"])
        } else {
            self.pick(&["repeat", "pingpong"])
        };
        let rate = self.pick(&[1.0, 1.0, 2.0, 0.5, -1.0]);
        state.insert("loop".to_owned(), json!(looped));
        state.insert("rate".to_owned(), json!(rate));
        Way { rate, looped }
    }

    fn machine(&mut self, depth: usize) -> (Machine, Map<String, Json>) {
        let count = 1 + self.supply.below(4);
        let (mut states, mut named) = (Vec::new(), Map::new());
        for i in 0..count {
            let name = format!("S{i}");
            let mut state = Map::new();
            let kinds = if self.may_be_empty { 5 } else { 4 };
            let motion = match self.supply.below(kinds) {
                1 if depth < 3 => {
                    let (machine, object) = self.machine(depth + 1);
                    state.insert("machine".to_owned(), Json::Object(object));
                    Motion::Machine(Box::new(machine))
                }
                2 => {
                    let way = self.way(&mut state);
                    let clips = json!([["Hop", -1], ["Idle", 0], ["Walk", 1]]);
                    state.insert("blend".to_owned(), json!({ "by": "speed", "clips": clips }));
                    let points = vec![(1, [-1.0, 0.0]), (0, [0.0, 0.0]), (2, [1.0, 0.0])];
                    Motion::Blend(points, vec![0], way)
                }
                3 => {
                    let way = self.way(&mut state);
                    let clips = json!([["Idle", 0, 0], ["Run", 1, 0], ["Idle", 0, 1]]);
                    state.insert("blend".to_owned(), json!({ "by": ["x", "speed"], "clips": clips }));
                    let points = vec![(0, [0.0, 0.0]), (3, [1.0, 0.0]), (0, [0.0, 1.0])];
                    Motion::Blend(points, vec![1, 0], way)
                }
                4 => Motion::Nothing,
                _ => {
                    let way = self.way(&mut state);
                    let clip = self.supply.below(4);
                    state.insert("clip".to_owned(), json!(CLIPS[clip]));
                    let segment = self.pick(&[None, None, Some([0.25, 0.5])]);
                    if let Some(ends) = segment {
                        state.insert("segment".to_owned(), json!(ends));
                    }
                    Motion::Clip(clip, segment, way)
                }
            };
            named.insert(name.clone(), Json::Object(state));
            states.push((name, motion));
        }
        let (mut transitions, mut list) = (Vec::new(), Vec::new());
        for _ in 0..self.supply.below(8) {
            let (transition, object) = self.transition(count);
            transitions.push(transition);
            list.push(object);
        }
        let initial = self.supply.below(count);
        let machine = Machine { initial, states, transitions };
        let mut object = Map::new();
        object.insert("initial".to_owned(), json!(format!("S{initial}")));
        object.insert("states".to_owned(), Json::Object(named));
        object.insert("transitions".to_owned(), Json::Array(list));
        (machine, object)
    }

    fn transition(&mut self, states: usize) -> (Transition, Json) {
        let from = Some(self.supply.below(states + 1)).filter(|&state| state < states);
        let to = self.supply.below(states);
        let (mut when, mut conditions) = (Vec::new(), Vec::new());
        for _ in 0..self.supply.below(3) {
            let input = self.supply.below(INPUTS.len());
            let name = INPUTS[input];
            let (op, value, condition) = match input {
                0 | 1 => {
                    let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                    let than = self.pick(&[-1.0, 0.0, 0.5, 1.0]);
                    (op, Value::Number(than), json!({ "input": name, "op": op, "value": than }))
                }
                2 | 3 => {
                    let (op, value) = (self.pick(&["==", "!="]), self.pick(&[true, false]));
                    (op, Value::Boolean(value), json!({ "input": name, "op": op, "value": value }))
                }
                _ => ("", Value::Trigger(true), json!({ "input": name })),
            };
            when.push((input, op, value));
            conditions.push(condition);
        }
        let mut exit = match self.supply.below(4) {
            0 => Some((self.pick(&[0.25, 0.5, 1.0, 1.5, 2.0, 0.0]), false)),
            1 => Some((self.pick(&[0.25, 0.75, 1.0, 3.0]), true)),
            _ => None,
        };
        if when.is_empty() && exit.is_none() {
            exit = Some((1.0, false));
        }
        let mode = self.pick(&["inertial", "crossfade", "cut"]);
        let duration = if mode == "cut" { 0.0 } else { self.pick(&[0.25, 0.125, 0.5]) };
        let rules = ["none", "source", "target", "source-then-target", "target-then-source"];
        let interruption = self.pick(&rules);
        let source = from.map_or("*".to_owned(), |state| format!("S{state}"));
        let mut object = json!({
            "from": source, "to": format!("S{to}"), "when": conditions, "mode": mode, "duration": duration,
            "interruption": interruption,
        });
        if let Some((time, seconds)) = exit {
            object[if seconds { "exitSeconds" } else { "exitTime" }] = json!(time);
        }
        (Transition { from, to, when, exit, duration, mode, interruption }, object)
    }
}

/// A machine in both forms.
pub(crate) struct Pair {
    pub(crate) text: String,
    machines: Vec<Machine>,
    weights: Vec<f64>,
}

pub(crate) fn pair(supply: &mut Supply<'_>) -> Pair {
    let count = 1 + supply.below(3);
    let (mut machines, mut weights, mut layers) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..count {
        let mut generator = Generator { may_end: count == 1, may_be_empty: i > 0, supply };
        let (machine, mut object) = generator.machine(1);
        let weight = if i == 0 { 1.0 } else { generator.pick(&[1.0, 0.5]) };
        if i > 0 {
            object.insert("weight".to_owned(), json!(weight));
            object.insert("mode".to_owned(), json!(generator.pick(&["override", "additive"])));
        }
        machines.push(machine);
        weights.push(weight);
        layers.push(Json::Object(object));
    }
    let inputs = json!({
        "speed": { "type": "number" }, "x": { "type": "number", "default": 0 },
        "ground": { "type": "boolean", "default": true }, "armed": { "type": "boolean" },
        "jump": { "type": "trigger" }, "hit": { "type": "trigger" },
    });
    let file = json!({ "format": "gambol-states", "version": 1, "inputs": inputs, "layers": layers });
    Pair { text: file.to_string(), machines, weights }
}

/// A call of a script.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Call {
    Set(&'static str, Value),
    Speed(f64),
    Step(f64),
}

pub(crate) fn calls(supply: &mut Supply<'_>) -> Vec<Call> {
    let mut calls = Vec::new();
    for _ in 0..40 {
        calls.push(match supply.below(12) {
            0 => Call::Set("speed", Value::Number([-1.0, 0.0, 1.0][supply.below(3)])),
            1 => Call::Set("x", Value::Number([0.0, 1.0][supply.below(2)])),
            2 => Call::Set("ground", Value::Boolean(supply.below(2) == 0)),
            3 => Call::Set("armed", Value::Boolean(supply.below(2) == 0)),
            4 => Call::Set("jump", Value::Trigger(supply.below(4) != 0)),
            5 => Call::Set("hit", Value::Trigger(true)),
            6 => Call::Speed([1.0, 2.0, 0.5][supply.below(3)]),
            _ => Call::Step([0.0625, 0.03125, 0.25, 1.0, 0.015625, 3.0][supply.below(6)]),
        });
    }
    calls
}

pub(crate) fn start(text: &str, model: &Model, player: &mut Player) -> States {
    let (machine, warnings) = read_states(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(warnings, [], "{text}");
    let (states, warnings) = States::new(Rc::new(machine), model, &model.clips, player);
    assert_eq!(warnings, [], "{text}");
    states
}

pub(crate) fn apply(states: &mut States, player: &mut Player, call: Call) {
    match call {
        Call::Set(name, value) => {
            let value = match value {
                Value::Number(number) => InputValue::Number(number),
                Value::Boolean(on) => InputValue::Boolean(on),
                Value::Trigger(on) => InputValue::Trigger(on),
            };
            let input = states.machine().input(name).expect("an input");
            assert!(states.set_input(input, value));
        }
        Call::Speed(speed) => states.set_speed(player, speed),
        Call::Step(dt) => states.advance(player, dt),
    }
}

/// The events so far: entered or left, the layer, the path and the time.
pub(crate) fn events(states: &mut States) -> Vec<(bool, usize, String, f64)> {
    let machine = states.machine().clone();
    let told = |event: gambol::animation::StateEvent| {
        (event.entered, event.layer, machine.path(event.state), event.time)
    };
    states.drain_events().map(told).collect()
}

fn side_by_side(supply: &mut Supply<'_>) {
    let Pair { text, machines, weights } = pair(supply);
    let model = model();
    let mut player = Player::new(&model.clips, 0.0);
    let mut states = start(&text, &model, &mut player);
    let inputs = [0.0, 0.0].map(Value::Number).into_iter().chain([true, false].map(Value::Boolean));
    let inputs = inputs.chain([false, false].map(Value::Trigger)).collect();
    let mut plain = Plain::new(machines, &weights, inputs, &LENGTHS);
    for (i, call) in calls(supply).into_iter().enumerate() {
        apply(&mut states, &mut player, call);
        match call {
            Call::Set(name, value) => {
                let input = INPUTS.iter().position(|input| *input == name).expect("an input");
                plain.inputs[input] = value;
            }
            Call::Speed(speed) => plain.speed = speed,
            Call::Step(dt) => {
                plain.inputs_changed();
                plain.advance(dt);
                compare(&mut states, &player, &mut plain, &format!("call {i}, {call:?}\n{text}"));
            }
        }
    }
}

fn compare(states: &mut States, player: &Player, plain: &mut Plain, place: &str) {
    let mut expected = std::mem::take(&mut plain.events);
    expected.drain(..expected.len().saturating_sub(64));
    assert_eq!(events(states), expected, "{place}");
    assert_eq!(states.time(), plain.time, "{place}");
    assert!(plain.looped || states.take_loop_warning().is_none(), "{place}");
    let mut mix = Mix::default();
    player.mix_at(player.now(), &mut mix);
    let mut shown = mix.layers.iter();
    for layer in 0..plain.machines.len() {
        let path: Vec<usize> = states.path(layer).collect();
        let leaf = path.last().expect("a state");
        assert_eq!(states.machine().path(*leaf), plain.path(layer), "{place}");
        let (weight, clips) = plain.weights(layer, CLIPS.len());
        if weight as f32 == 0.0 {
            continue;
        }
        let got = shown.next().unwrap_or_else(|| panic!("layer {layer} is missing\n{place}"));
        assert!(
            (f64::from(got.weight) - weight).abs() < 1e-6,
            "layer {layer}: {} {weight}\n{place}",
            got.weight
        );
        let mut sums = [0.0; CLIPS.len()];
        for part in &mix.contributions[got.contributions.clone()] {
            sums[part.clip.index()] += f64::from(part.weight);
        }
        let near = sums.iter().zip(&clips).all(|(got, expected)| (got - expected).abs() < 1e-6);
        assert!(near, "layer {layer}: {sums:?} {clips:?}\n{place}");
    }
    assert_eq!(shown.count(), 0, "{place}");
    let (time, expected) = (player.position().time, plain.clip_time(0));
    assert!((time - expected).abs() < 1e-9, "{time} {expected}\n{place}");
}
