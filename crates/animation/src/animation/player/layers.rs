//! The layers of a player, above the base.

use super::playhead::{Playhead, Transport};
use super::transition::{Fade, Layer, LayerOptions, Link, Transition};
use super::{Player, Source, inertial, playhead};
use crate::animation::mixing::{JointMask, LayerMode};
use std::rc::Rc;

impl Player {
    /// Adds a layer on top, which plays from its beginning; returns its id.
    ///
    /// # Panics
    /// If a clip is not of this player's model.
    pub fn add_layer(&mut self, options: LayerOptions) -> u32 {
        let transition = self.depart(options.transition);
        self.layers_made += 1;
        let id = self.layers_made;
        let mut head = playhead(&self.clips, Some(options.source), Some(id), self.journal.now);
        Transport { head: &mut head, journal: &mut self.journal }.play();
        let weight = layer_weight(options.mode, options.weight).unwrap_or(0.0);
        self.layers.push(Layer {
            id,
            name: options.name,
            link: Link::new(options.sync, &self.base, &head),
            head,
            mode: options.mode,
            mask: options.mask,
            weight: self.fade(0.0, weight, transition),
            outgoing: Vec::new(),
            takes_over: Fade::still(1.0),
            removed: false,
        });
        id
    }

    /// The layers from the lowest to the highest, without removed ones that still fade out.
    pub fn layers(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !layer.removed)
    }

    /// The playback controls of a layer; `None` if it does not exist.
    pub fn layer(&mut self, id: u32) -> Option<Transport<'_>> {
        let layer = self.layers.iter_mut().find(|layer| layer.id == id && !layer.removed)?;
        Some(Transport { head: &mut layer.head, journal: &mut self.journal })
    }

    /// Removes a layer, immediately or after it has faded out. Returns `false` if it does not exist.
    /// `transition`: `None` is the player's default.
    pub fn remove_layer(&mut self, id: u32, transition: Option<Transition>) -> bool {
        let done = self.set_layer_weight(id, 0.0, transition);
        for layer in self.layers.iter_mut().filter(|layer| layer.id == id) {
            layer.removed = true;
        }
        self.drop_faded();
        done
    }

    /// Removes all layers.
    pub fn clear_layers(&mut self, transition: Option<Transition>) {
        for i in (0..self.layers.len()).rev() {
            if let Some(id) = self.layers.get(i).filter(|layer| !layer.removed).map(Layer::id) {
                self.remove_layer(id, transition);
            }
        }
    }

    /// Sets a layer's weight, clamped to `0.0..=1.0` for an override layer. Returns `false` if the layer does
    /// not exist. A weight that is not finite has no effect, nor has the current weight, unless it fades.
    /// `transition`: `None` is the player's default.
    pub fn set_layer_weight(&mut self, id: u32, weight: f32, transition: Option<Transition>) -> bool {
        let Some(i) = self.index_of(id) else { return false };
        let Layer { mode, weight: fade, .. } = &self.layers[i];
        if let Some(weight) =
            layer_weight(*mode, weight).filter(|&weight| !fade.rests_at(weight.into(), self.clock))
        {
            let transition = self.depart(transition);
            let now = self.layers[i].weight.at(self.clock);
            self.layers[i].weight = self.fade(now, weight, transition);
        }
        true
    }

    /// Sets a layer's mask; an equal one has no effect. A crossfade is replaced by an inertial transition. Returns
    /// `false` if the layer does not exist.
    pub fn set_layer_mask(
        &mut self,
        id: u32,
        mask: Option<Rc<JointMask>>,
        transition: Option<Transition>,
    ) -> bool {
        let Some(i) = self.index_of(id) else { return false };
        if mask != self.layers[i].mask {
            self.depart(Some(inertial(transition.unwrap_or(self.transition))));
            self.layers[i].mask = mask;
        }
        true
    }

    /// Sets a layer's mode; an equal one has no effect. A crossfade is replaced by an inertial transition. Returns
    /// `false` if the layer does not exist.
    pub fn set_layer_mode(&mut self, id: u32, mode: LayerMode, transition: Option<Transition>) -> bool {
        let Some(i) = self.index_of(id) else { return false };
        if mode == self.layers[i].mode {
            return true;
        }
        self.depart(Some(inertial(transition.unwrap_or(self.transition))));
        let layer = &mut self.layers[i];
        layer.mode = mode;
        layer.weight = Fade::still(layer_weight(mode, layer.weight()).map_or(0.0, f64::from));
        true
    }

    /// Sets the parameter of the base's or a layer's blend space; the phase does not change. An equal parameter has no
    /// effect. Returns `false` if there is no blend space.
    ///
    /// Use [`Transition::Inertial`] for jumps; for a slider, which moves in small steps, [`Transition::Cut`]
    /// is enough. A crossfade is replaced by an inertial transition.
    pub fn set_blend_position(
        &mut self,
        layer: Option<u32>,
        position: [f32; 2],
        transition: Transition,
    ) -> bool {
        let Some(Source::Space(space)) = self.head(layer).and_then(|head| head.source.as_ref()) else {
            return false;
        };
        if position != space.position() {
            self.depart(Some(inertial(transition)));
            let now = self.journal.now;
            if let Some(head) = self.head(layer) {
                head.set_blend_position(position, now);
            }
            self.link_layers();
        }
        true
    }

    /// The playhead of the base or of a layer.
    fn head(&mut self, layer: Option<u32>) -> Option<&mut Playhead> {
        match layer {
            None => Some(&mut self.base),
            Some(id) => self.layers.iter_mut().find(|layer| layer.id == id).map(|layer| &mut layer.head),
        }
    }

    fn index_of(&self, id: u32) -> Option<usize> {
        self.layers.iter().position(|layer| layer.id == id && !layer.removed)
    }

    fn fade(&self, from: f64, to: f32, transition: Transition) -> Fade {
        match transition {
            Transition::Crossfade(seconds) => {
                Fade { from, to: to.into(), begin: self.clock, end: self.clock + seconds }
            }
            _ => Fade::still(to.into()),
        }
    }
}

fn layer_weight(mode: LayerMode, weight: f32) -> Option<f32> {
    let weight = match mode {
        LayerMode::Override => weight.clamp(0.0, 1.0),
        LayerMode::Average => weight.clamp(0.0, f32::MAX),
        LayerMode::Additive(_) => weight,
    };
    weight.is_finite().then_some(weight)
}
