//! Layers above the base of actors, and blend spaces on base and layers.

use super::Stage;
use super::shared::{Shared, layer};
use crate::animation::{self, JointMask, LayerOptions, Reference};
use crate::viewer::StageError;
use crate::web::rest::deferred_methods;
use crate::web::words::{LayerMode, SyncMode, TransitionMode};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Adds, changes and removes layers. A change has a transition with a mode and a duration in seconds; without
/// a mode it is the actor's default. Throws `layer/removed` if the layer does not exist.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Layers {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Layers {
    /// The layers of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Layers {
        Self { shared: Rc::clone(&stage.shared) }
    }
}

deferred_methods! {
    impl Layers {
        /// Adds a layer on top and plays it; returns its track.
        ///
        /// - `clips`, `space`, `in_step`: the source, see [`Shared::source`].
        /// - `mode`: the way it combines with the layers below.
        /// - `reference_clip`, `reference_time`: the reference pose of an additive layer, a clip at a time in
        ///   seconds; the rest pose without a clip.
        /// - `patterns`, `pattern_weights`: the mask, a weight `0..=1` per pattern; no mask without patterns.
        /// - `weight`: the weight of the layer.
        /// - `sync`: the synchronization with the base.
        /// - `fade`, `seconds`: the transition.
        ///
        /// # Errors
        /// `clip/not-found`, `blend-space/…`, `mask/no-such-joint`.
        pub fn add(
            this,
            actor: u32,
            clips: &[u32],
            space: &[f32],
            in_step: SyncMode,
            mode: LayerMode,
            reference_clip: Option<u32>,
            reference_time: f64,
            patterns: Option<Vec<String>>,
            pattern_weights: &[f32],
            weight: f32,
            sync: SyncMode,
            fade: Option<TransitionMode>,
            seconds: f64,
        ) -> Result<u32, StageError> {
            let mut options = LayerOptions::new(this.shared.source(actor, clips, space, in_step)?);
            options.mask = this.mask(actor, patterns, pattern_weights)?;
            options.mode = match mode {
                LayerMode::Average => animation::LayerMode::Average,
                LayerMode::Additive => animation::LayerMode::Additive(match reference_clip {
                    Some(clip) => Reference::Clip(this.shared.clip(actor, clip)?, reference_time),
                    None => Reference::Rest,
                }),
                _ => animation::LayerMode::Override,
            };
            (options.weight, options.sync) = (weight, sync.into());
            options.transition = fade.map(|mode| mode.lasting(seconds));
            this.shared.player(actor, |player| player.add_layer(options))
        }

        /// Removes a layer after it has faded out.
        pub fn remove(
            this,
            actor: u32,
            track: u32,
            mode: Option<TransitionMode>,
            seconds: f64,
        ) -> Result<(), StageError> {
            let fade = mode.map(|mode| mode.lasting(seconds));
            found(this.shared.player(actor, |player| player.remove_layer(track, fade))?)
        }

        /// Sets the weight of a layer.
        #[wasm_bindgen(js_name = setWeight)]
        pub fn set_weight(
            this,
            actor: u32,
            track: u32,
            weight: f32,
            mode: Option<TransitionMode>,
            seconds: f64,
        ) -> Result<(), StageError> {
            let fade = mode.map(|mode| mode.lasting(seconds));
            found(this.shared.player(actor, |player| player.set_layer_weight(track, weight, fade))?)
        }

        /// Sets the mask of a layer, as in [`Layers::add`].
        #[wasm_bindgen(js_name = setMask)]
        pub fn set_mask(
            this,
            actor: u32,
            track: u32,
            patterns: Option<Vec<String>>,
            pattern_weights: &[f32],
        ) -> Result<(), StageError> {
            let mask = this.mask(actor, patterns, pattern_weights)?;
            found(this.shared.player(actor, |player| player.set_layer_mask(track, mask, None))?)
        }

        /// Sets the parameter of the blend space that a track plays.
        #[wasm_bindgen(js_name = setBlendPosition)]
        pub fn set_blend_position(
            this,
            actor: u32,
            track: u32,
            x: f32,
            y: f32,
            mode: Option<TransitionMode>,
            seconds: f64,
        ) -> Result<(), StageError> {
            this.shared.player(actor, |player| {
                let way = mode.map_or_else(|| player.transition(), |mode| mode.lasting(seconds));
                player.set_blend_position(layer(track), [x, y], way);
            })
        }
    }
}

impl Layers {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    fn mask(
        &self,
        actor: u32,
        patterns: Option<Vec<String>>,
        weights: &[f32],
    ) -> Result<Option<Rc<JointMask>>, StageError> {
        let Some(patterns) = patterns else { return Ok(None) };
        let patterns = patterns.iter().map(String::as_str).zip(weights.iter().copied());
        let mask =
            self.shared.member(actor, |member| JointMask::from_patterns(&member.asset.model, patterns))??;
        Ok(Some(Rc::new(mask)))
    }
}

fn found(done: bool) -> Result<(), StageError> {
    if done { Ok(()) } else { Err(StageError::NoLayer) }
}
