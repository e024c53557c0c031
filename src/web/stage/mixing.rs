//! What actors mix: transitions, layers, blend spaces, markers.
//!
//! A `source` is one number, the index of a clip; or a blend space: the two numbers of its value, 1 if its clips are in step
//! by their markers, then of each point the index of the clip and the two numbers of its place. A transition is a `mode`, one of
//! `TRANSITIONS` or −1 for the actor's default, and seconds.

use super::super::numbered::{numbered, word};
use super::super::rest::need_rest;
use super::Stage;
use super::transport::layer;
use crate::animation::{
    JointMask, LayerMode, LayerOptions, Player, Reference, Source, SyncMode, Transition, TransitionOptions,
};
use crate::model::{ClipId, Marker};
use crate::rare::rare;
use crate::viewer::{ActorId, StageError};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The numbers of transitions, as in `core.ts`; the seconds are told besides.
const TRANSITIONS: [Transition; 3] = [Transition::Inertial(0.0), Transition::Crossfade(0.0), Transition::Cut];

/// The numbers of how clips go along with others, as in `core.ts`.
const SYNCS: [SyncMode; 3] = [SyncMode::None, SyncMode::Phase, SyncMode::Marker];

numbered! {
    /// What changes by way of a transition.
    enum MixChange {
        /// Sets how changes go that do not say it themselves.
        Transition,
        /// Moves the value of the blend space that the track plays to two numbers.
        BlendPosition,
        /// Sets the weight of the layer.
        LayerWeight,
        /// Removes the layer, when it has faded out.
        RemoveLayer,
    }
}

#[wasm_bindgen]
impl Stage {
    /// Makes a [`MixChange`] with the numbers that it needs; those that are left out are NaN.
    #[expect(clippy::too_many_arguments, reason = "JavaScript names them")]
    pub fn mix(
        &mut self,
        actor: u32,
        track: u32,
        which: u32,
        mode: f64,
        seconds: f64,
        a: f64,
        b: f64,
    ) -> Result<(), JsValue> {
        let which = MixChange::of(which);
        if !matches!(which, Some(MixChange::Transition)) {
            need_rest()?;
        }
        let player = self.player(actor)?;
        let way = transition(mode, seconds);
        let done = match which {
            None => true,
            Some(MixChange::Transition) => {
                way.into_iter().for_each(|way| player.set_transition(way));
                true
            }
            Some(which) => rare(|| match which {
                MixChange::LayerWeight => player.set_layer_weight(track, a as f32, way),
                MixChange::RemoveLayer => player.remove_layer(track, way),
                _ => {
                    let way = way.unwrap_or_else(|| player.transition());
                    player.set_blend_position(layer(track), [a as f32, b as f32], way);
                    true
                }
            }),
        };
        found(done)
    }

    /// Plays a source in place of what the base plays; in step by `sync`, one of `SYNCS`, or else from `at` seconds or its
    /// beginning, for NaN. Returns the number of the playback.
    #[wasm_bindgen(js_name = transitionTo)]
    pub fn transition_to(
        &mut self,
        actor: u32,
        source: &[f32],
        mode: f64,
        seconds: f64,
        sync: f64,
        at: f64,
    ) -> Result<f64, JsValue> {
        let source = self.source(actor, source)?;
        let at = (!at.is_nan()).then_some(at);
        let options = TransitionOptions { transition: transition(mode, seconds), sync: sync_mode(sync), at };
        Ok(self.player(actor)?.transition_to(source, &options) as f64)
    }

    /// Throws what is wrong with a source.
    #[wasm_bindgen(js_name = checkSource)]
    pub fn check_source(&self, actor: u32, source: &[f32]) -> Result<(), JsValue> {
        self.source(actor, source)?;
        Ok(())
    }

    /// Adds a layer and plays it; returns its number. `meets` is how it meets what is below: `override`, `average` or
    /// `additive`. `reference` is that of an additive layer: a clip and seconds, or nothing for the rest pose. A mask has as many patterns as weights; without patterns there is none.
    #[wasm_bindgen(js_name = addLayer)]
    #[expect(clippy::too_many_arguments, reason = "JavaScript names them")]
    pub fn add_layer(
        &mut self,
        actor: u32,
        source: &[f32],
        meets: &str,
        reference: &[f64],
        patterns: Option<Vec<String>>,
        pattern_weights: &[f32],
        weight: f32,
        sync: f64,
        mode: f64,
        seconds: f64,
    ) -> Result<u32, JsValue> {
        let mut options = LayerOptions::new(self.source(actor, source)?);
        options.mask = self.mask(actor, patterns, pattern_weights)?;
        options.mode = match meets {
            "additive" => LayerMode::Additive(match *reference {
                [clip, time] => Reference::Clip(self.known_clip(actor, clip)?, time),
                _ => Reference::Rest,
            }),
            "average" => LayerMode::Average,
            _ => LayerMode::Override,
        };
        (options.weight, options.sync) = (weight, sync_mode(sync));
        options.transition = transition(mode, seconds);
        Ok(self.player(actor)?.add_layer(options))
    }

    /// Sets the mask of a layer, given as to `addLayer`.
    #[wasm_bindgen(js_name = setLayerMask)]
    pub fn set_layer_mask(
        &mut self,
        actor: u32,
        layer: u32,
        patterns: Option<Vec<String>>,
        pattern_weights: &[f32],
    ) -> Result<(), JsValue> {
        let mask = self.mask(actor, patterns, pattern_weights)?;
        found(self.player(actor)?.set_layer_mask(layer, mask, None))
    }

    /// Replaces the markers of a clip, for this actor; as many names as times.
    #[wasm_bindgen(js_name = setMarkers)]
    pub fn set_markers(
        &mut self,
        actor: u32,
        clip: f64,
        names: Vec<String>,
        times: &[f64],
    ) -> Result<(), JsValue> {
        let clip = self.known_clip(actor, clip)?;
        let marker = |(name, &time): (String, &f64)| Marker { name, time };
        let markers: Vec<_> = names.into_iter().zip(times).map(marker).collect();
        self.player(actor)?.set_markers(clip, &markers);
        Ok(())
    }
}

impl Stage {
    fn player(&mut self, actor: u32) -> Result<&mut Player, StageError> {
        Ok(&mut self.stage.actor_mut(ActorId::new(actor))?.player)
    }

    fn known_clip(&self, actor: u32, number: f64) -> Result<ClipId, StageError> {
        self.clip_id(actor, number)?.ok_or(StageError::NoClip)
    }

    fn source(&self, actor: u32, source: &[f32]) -> Result<Source, StageError> {
        let (x, y, by_markers, rest) = match *source {
            [clip] => return Ok(Source::Clip(self.known_clip(actor, clip.into())?)),
            [x, y, by_markers, ref rest @ ..] => (x, y, by_markers, rest),
            _ => return Err(StageError::NoClip),
        };
        let mut points = Vec::with_capacity(rest.len() / 3);
        for point in rest.chunks_exact(3) {
            points.push((self.known_clip(actor, point[0].into())?, [point[1], point[2]]));
        }
        let sync = if by_markers == 1.0 { SyncMode::Marker } else { SyncMode::Phase };
        let player = &self.member(actor)?.actor.player;
        let mut space = player.blend_space(&points, sync)?;
        space.set_position([x, y]);
        Ok(Source::Space(Box::new(space)))
    }

    fn mask(
        &self,
        actor: u32,
        patterns: Option<Vec<String>>,
        weights: &[f32],
    ) -> Result<Option<Rc<JointMask>>, StageError> {
        let Some(patterns) = patterns else { return Ok(None) };
        let model = &self.member(actor)?.asset.model;
        let patterns = patterns.iter().map(String::as_str).zip(weights.iter().copied());
        Ok(Some(Rc::new(JointMask::from_patterns(model, patterns)?)))
    }
}

fn found(done: bool) -> Result<(), JsValue> {
    if done { Ok(()) } else { Err(StageError::NoLayer.into()) }
}

fn transition(mode: f64, seconds: f64) -> Option<Transition> {
    Some(match word(&TRANSITIONS, mode)? {
        Transition::Inertial(_) => Transition::Inertial(seconds),
        Transition::Crossfade(_) => Transition::Crossfade(seconds),
        Transition::Cut => Transition::Cut,
    })
}

fn sync_mode(sync: f64) -> SyncMode {
    word(&SYNCS, sync).unwrap_or(SyncMode::None)
}
