//! A state machine of 20 states in 3 layers that steers its player, without poses.

use gambol::animation::{Player, States};
use gambol::import::read_states;
use gambol::model::{Clip, Curve, InputValue, Interpolation, Model};
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

const STATES: usize = 20;
const LAYERS: usize = 3;
const CLIPS: usize = 3;
/// Seconds per frame.
const FRAME: f64 = 1.0 / 60.0;

/// A machine with the player that it drives.
pub(crate) struct Steered {
    player: Player,
    states: States,
    frame: u32,
}

impl Steered {
    /// Seven states in each of the first two layers, six in the third; the first layer begins with a blend space.
    pub(crate) fn new() -> Self {
        let clip = |i: usize| {
            let duration = 1.0 + i as f32 * 0.25;
            let curve = Curve::new(Interpolation::Linear, 3, vec![0.0, duration], vec![0.0; 6]);
            let curves = vec![curve.expect("times rise and values are finite")];
            Arc::new(Clip { name: i.to_string(), duration, curves, ..Clip::default() })
        };
        let model = Model { clips: (0..CLIPS).map(clip).collect(), ..Model::default() };
        let mut layers = String::new();
        for layer in 0..LAYERS {
            let count = (STATES + LAYERS - 1 - layer) / LAYERS;
            let (mut states, mut transitions) = (String::new(), String::new());
            for i in 0..count {
                let comma = if i == 0 { "" } else { "," };
                let state = match i {
                    0 => r#""blend":{"by":"speed","clips":[["0",0],["1",1],["2",2]]}"#.to_owned(),
                    _ => format!(r#""clip":"{}""#, i % CLIPS),
                };
                let to = (i + 1) % count;
                // Writing to a string does not fail.
                let _ = write!(states, r#"{comma}"S{i}":{{{state}}}"#);
                let _ = write!(
                    transitions,
                    r#"{comma}{{"from":"S{i}","to":"S{to}","exitTime":1,"when":[{{"input":"speed","op":">","value":1.5}}]}},
                    {{"from":"S{i}","to":"S0","when":[{{"input":"speed","op":"<","value":-1}},{{"input":"ground"}}]}}"#
                );
            }
            let comma = if layer == 0 { "" } else { "," };
            let jump = r#"{"from":"*","to":"S1","when":[{"input":"jump"}],"mode":"cut"}"#;
            let _ =
                write!(layers, r#"{comma}{{"states":{{{states}}},"transitions":[{transitions},{jump}]}}"#);
        }
        let inputs = r#""speed":{"type":"number"},"ground":{"type":"boolean"},"jump":{"type":"trigger"}"#;
        let text =
            format!(r#"{{"format":"gambol-states","version":1,"inputs":{{{inputs}}},"layers":[{layers}]}}"#);
        let (machine, _) = read_states(text.as_bytes()).expect("the text is a machine");
        let mut player = Player::new(&model.clips, 0.0);
        let (states, _) = States::new(Rc::new(machine), &model, &model.clips, &mut player);
        Self { player, states, frame: 0 }
    }

    /// A frame in which the speed changes; every two seconds all layers change their state.
    pub(crate) fn update(&mut self) -> f64 {
        self.frame += 1;
        let speed = f64::from(self.frame % 60) / 60.0;
        self.states.set_input(0, InputValue::Number(speed));
        if self.frame.is_multiple_of(120) {
            self.states.fire(2);
        }
        self.states.advance(&mut self.player, FRAME);
        self.player.drain_events();
        self.states.drain_events().count() as f64 + self.player.position().time
    }

    /// The same frame of a player that plays on without a machine.
    pub(crate) fn without(&mut self) -> f64 {
        self.player.advance(FRAME);
        self.player.drain_events();
        self.player.position().time
    }
}
