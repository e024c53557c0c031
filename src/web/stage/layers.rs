//! Layers above the base of actors, and blend spaces on base and layers.

use super::Stage;
use super::playback::{self, Source, Transition, transition};
use super::shared::{Shared, layer};
use crate::animation::{self, JointMask};
use crate::viewer::StageError;
use crate::web::structures::structures;
use crate::web::words::{LayerMode, SyncMode};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

structures! {
    /// The reference pose of an additive layer: a clip at a time in seconds.
    pub struct Reference: "Reference" {
        clip: u32,
        time: f64,
    }

    /// A pattern of a mask, with the weight `0..=1` of the joints that match.
    pub struct MaskPattern: "MaskPattern" {
        pattern: String,
        weight: f32,
    }

    /// The mask of a layer.
    pub struct Mask: "Mask" {
        patterns: Vec<MaskPattern>,
    }

    /// A new layer.
    pub struct LayerOptions: "LayerOptions" {
        source: Source,
        /// The way it combines with the layers below.
        mode: LayerMode,
        /// The reference pose of an additive layer; `undefined`: the rest pose.
        reference: Option<Reference>,
        mask: Option<Mask>,
        weight: f32,
        /// The synchronization with the base.
        sync: SyncMode,
        /// `undefined`: the actor's default.
        fade: Option<Transition>,
    }
}

/// Adds, changes and removes layers. A change without a transition has the actor's default. Throws `layer/removed` if the layer does not exist.
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

#[wasm_bindgen]
impl Layers {
    /// Adds a layer on top and plays it; returns its track.
    ///
    /// # Errors
    /// `clip/not-found`, `blend-space/…`, `mask/no-such-joint`.
    pub fn add(&self, actor: u32, layer: &js::LayerOptions) -> Result<u32, StageError> {
        let LayerOptions { source, mode, reference, mask, weight, sync, fade } = layer.into();
        let mut options = animation::LayerOptions::new(self.shared.source(actor, source)?);
        options.mask = self.mask(actor, mask)?;
        options.mode = match mode {
            LayerMode::Average => animation::LayerMode::Average,
            LayerMode::Additive => animation::LayerMode::Additive(match reference {
                Some(Reference { clip, time }) => {
                    animation::Reference::Clip(self.shared.clip(actor, clip)?, time)
                }
                None => animation::Reference::Rest,
            }),
            _ => animation::LayerMode::Override,
        };
        (options.weight, options.sync) = (weight, sync.into());
        options.transition = fade.map(Into::into);
        self.shared.player(actor, |player| player.add_layer(options))
    }

    /// Removes a layer after it has faded out.
    pub fn remove(
        &self,
        actor: u32,
        track: u32,
        fade: Option<playback::js::Transition>,
    ) -> Result<(), StageError> {
        let fade = transition(fade);
        found(self.shared.player(actor, |player| player.remove_layer(track, fade))?)
    }

    /// Sets the weight of a layer.
    #[wasm_bindgen(js_name = setWeight)]
    pub fn set_weight(
        &self,
        actor: u32,
        track: u32,
        weight: f32,
        fade: Option<playback::js::Transition>,
    ) -> Result<(), StageError> {
        let fade = transition(fade);
        found(self.shared.player(actor, |player| player.set_layer_weight(track, weight, fade))?)
    }

    /// Sets the mask of a layer; nothing removes it.
    #[wasm_bindgen(js_name = setMask)]
    pub fn set_mask(&self, actor: u32, track: u32, mask: Option<js::Mask>) -> Result<(), StageError> {
        let mask = self.mask(actor, mask.map(|mask| Mask::from(&mask)))?;
        found(self.shared.player(actor, |player| player.set_layer_mask(track, mask, None))?)
    }

    /// Sets the parameter of the blend space that a track plays.
    #[wasm_bindgen(js_name = setBlendPosition)]
    pub fn set_blend_position(
        &self,
        actor: u32,
        track: u32,
        x: f32,
        y: f32,
        change: Option<playback::js::Transition>,
    ) -> Result<(), StageError> {
        let change = transition(change);
        self.shared.player(actor, |player| {
            let change = change.unwrap_or_else(|| player.transition());
            player.set_blend_position(layer(track), [x, y], change);
        })
    }
}

impl Layers {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    fn mask(&self, actor: u32, mask: Option<Mask>) -> Result<Option<Rc<JointMask>>, StageError> {
        let Some(Mask { patterns }) = mask else { return Ok(None) };
        let patterns = patterns.iter().map(|MaskPattern { pattern, weight }| (pattern.as_str(), *weight));
        let mask =
            self.shared.member(actor, |member| JointMask::from_patterns(&member.asset.model, patterns))??;
        Ok(Some(Rc::new(mask)))
    }
}

fn found(done: bool) -> Result<(), StageError> {
    if done { Ok(()) } else { Err(StageError::NoLayer) }
}
