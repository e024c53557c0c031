//! Resolves the clips and joints of a state machine for a model.

use super::logic::Pace;
use crate::animation::mixing::{JointMask, LayerMode, MaskError, Reference};
use crate::animation::player::{
    BlendSpace, LayerOptions, LoopMode, Player, Playing, Source, SyncMode, Transition,
};
use crate::base::nearest;
use crate::model::{Clip, ClipId, Model, Motion, StateMachine, StatePlaying, StateRepeat};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// A fault that leaves out a part of a state machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatesWarning {
    /// The stable code: `states/unknown-clip`, `states/unknown-joint`, `states/markers` or `states/loop`.
    pub code: &'static str,
    /// The layer and the state, such as `base: Air/Fall`.
    pub place: String,
    /// One sentence with the fault and its effect.
    pub message: String,
}

impl fmt::Display for StatesWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (in {}).", self.message, self.place)
    }
}

/// The motion of a state on a player.
#[derive(Debug, Clone, Default)]
pub(super) struct Bound {
    pub(super) clip: Option<ClipId>,
    pub(super) space: Option<BlendSpace>,
    /// The way it plays; `None` if it has no clip.
    pub(super) playing: Option<Playing>,
    /// Seconds of the source in a pass.
    pub(super) length: f64,
    /// `true` if the blend space got another position.
    pub(super) moved: bool,
}

impl Bound {
    pub(super) fn source(&self) -> Option<Source> {
        let space = self.space.as_ref().map(|space| Source::Space(Box::new(space.clone())));
        space.or(self.clip.map(Source::Clip))
    }

    pub(super) fn pace(&self, speed: f64) -> Pace {
        // A state without a length counts as 1 s long, so that every exit time has a meaning.
        match self.playing {
            Some(playing) if self.length > 0.0 => {
                Pace { length: self.length, seconds: self.length / (playing.rate * speed).abs() }
            }
            _ => Pace { length: 1.0, seconds: 1.0 },
        }
    }
}

impl StatesWarning {
    pub(super) fn of_loop(machine: &StateMachine, state: usize) -> Self {
        let message =
            "Transitions lead on and on within one step; 32 of them were taken, and the machine stays there";
        Self { code: "states/loop", place: place(machine, state), message: message.to_owned() }
    }
}

/// The name of a state's layer, and its path.
fn place(machine: &StateMachine, state: usize) -> String {
    format!("{}: {}", machine.layers[machine.layer(state)].name, machine.path(state))
}

type Masks = Vec<Option<Rc<JointMask>>>;

/// Finds the clips of all states, and the masks of all layers.
pub(super) fn bind(
    machine: &StateMachine,
    model: &Model,
    clips: &[Arc<Clip>],
    player: &Player,
) -> (Vec<Bound>, Masks, Vec<StatesWarning>) {
    let mut warnings = Vec::new();
    let mut bound = Vec::with_capacity(machine.states.len());
    for state in 0..machine.states.len() {
        bound.push(bind_state(machine, state, clips, player, &mut warnings));
    }
    let masks = machine.layers.iter().enumerate().map(|(i, layer)| {
        if i == 0 || layer.mask.is_empty() {
            return None;
        }
        // Patterns without a joint are left out one by one; without any, the layer has no joints.
        let found = layer.mask.iter().filter(|(pattern, weight)| {
            let mask = JointMask::from_patterns(model, [(pattern.as_str(), *weight)]);
            if let Err(MaskError::NoSuchJoint { pattern }) = &mask {
                let names = model.nodes.iter().map(|node| node.name.as_str());
                let message = unknown("joint", pattern, names, "the pattern has no effect");
                let place = format!("the mask of {}", layer.name);
                warnings.push(StatesWarning { code: "states/unknown-joint", place, message });
            }
            mask.is_ok()
        });
        let patterns: Vec<(&str, f32)> = found.map(|(pattern, weight)| (pattern.as_str(), *weight)).collect();
        JointMask::from_patterns(model, patterns).ok().map(Rc::new)
    });
    let masks = masks.collect();
    (bound, masks, warnings)
}

fn unknown<'a>(thing: &str, name: &str, known: impl IntoIterator<Item = &'a str>, effect: &str) -> String {
    let hint = nearest(name, known).map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
    format!("The {thing} \"{name}\" is not in the model; {effect}{hint}")
}

fn bind_state(
    machine: &StateMachine,
    state: usize,
    clips: &[Arc<Clip>],
    player: &Player,
    warnings: &mut Vec<StatesWarning>,
) -> Bound {
    let count = player.clip_count();
    let mut find = |name: &str, effect: &str| {
        let found = clips.iter().take(count).position(|clip| clip.name == name);
        if found.is_none() {
            let message = unknown("clip", name, clips.iter().map(|clip| clip.name.as_str()), effect);
            let place = place(machine, state);
            warnings.push(StatesWarning { code: "states/unknown-clip", place, message });
        }
        found.map(ClipId::new)
    };
    match &machine.states[state].motion {
        Motion::Nothing | Motion::Machine(_) => Bound::default(),
        Motion::Clip { name, playing } => {
            let Some(clip) = find(name, "the state plays nothing") else { return Bound::default() };
            let duration = f64::from(clips[clip.index()].duration);
            let segment = playing.segment.unwrap_or([0.0, duration]).map(|time| time.min(duration));
            let length = segment[1] - segment[0];
            Bound { clip: Some(clip), playing: Some(way(playing)), length, ..Bound::default() }
        }
        Motion::Blend { points, by_markers, playing, .. } => {
            let found = points.iter().filter_map(|(name, position)| {
                find(name, "its point is left out").map(|clip| (clip, *position))
            });
            let found: Vec<_> = found.collect();
            let space = match player
                .blend_space(&found, if *by_markers { SyncMode::Marker } else { SyncMode::Phase })
            {
                Err(_) if *by_markers && !found.is_empty() => {
                    let message =
                        "The clips do not have the same markers; they are matched by phase".to_owned();
                    let place = place(machine, state);
                    warnings.push(StatesWarning { code: "states/markers", place, message });
                    player.blend_space(&found, SyncMode::Phase)
                }
                space => space,
            };
            let Ok(space) = space else { return Bound::default() };
            let playing = Some(Playing { segment: None, ..way(playing) });
            Bound { length: space.duration(), space: Some(space), playing, moved: true, ..Bound::default() }
        }
    }
}

fn way(playing: &StatePlaying) -> Playing {
    let loop_mode = match playing.repeat {
        StateRepeat::Once => LoopMode::Once,
        StateRepeat::Repeat => LoopMode::Repeat,
        StateRepeat::PingPong => LoopMode::PingPong,
    };
    Playing { rate: playing.rate, loop_mode, segment: playing.segment }
}

/// Adds the player's layer for a layer of the machine, with weight 0 until a state shows. `None` if no state of it has a
/// clip.
pub(super) fn add_layer(
    machine: &StateMachine,
    layer: usize,
    mask: Option<Rc<JointMask>>,
    bound: &[Bound],
    player: &mut Player,
) -> Option<u32> {
    let of_layer = &machine.layers[layer];
    let source = (0..bound.len())
        .filter(|&state| machine.layer(state) == layer)
        .find_map(|state| bound[state].source())?;
    let mode = match of_layer.additive {
        true => LayerMode::Additive(Reference::Rest),
        false => LayerMode::Override,
    };
    let name = of_layer.name.clone();
    let transition = Some(Transition::Cut);
    Some(player.add_layer(LayerOptions {
        name,
        mode,
        mask,
        weight: 0.0,
        transition,
        ..LayerOptions::new(source)
    }))
}
