//! Evaluates a mix to a pose.

use super::additive::{Difference, add};
use super::blend::{Amount, Part, Parts, blend};
use super::mix::{Contribution, LayerMode, Mix, MixLayer, Reference};
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::model::ClipId;

/// Evaluates a [`Mix`] to a [`Pose`]. It owns all buffers, so a frame allocates only while they grow.
///
/// The result depends on the rig and the mix alone. A mixer is for one rig.
#[derive(Debug, Clone, Default)]
pub struct Mixer {
    parts: Vec<Part>,
    /// One pose per part. Channels that its clip does not animate have values of earlier frames.
    poses: Vec<Pose>,
    /// The reference poses of additive layers, in the order of these layers.
    references: Vec<CachedReference>,
}

/// The pose of a clip at a time, cached until another one is requested.
#[derive(Debug, Clone)]
struct CachedReference {
    of: Option<(ClipId, u64)>,
    pose: Pose,
}

impl Mixer {
    /// An empty mixer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes the pose of `mix`.
    ///
    /// Layers are applied from the lowest to the highest, starting with the rest pose. A layer changes only
    /// the channels of its clips; see [`Mix`] for the weights. Visibility of a node is never blended: the
    /// clip with the largest weight decides if the layer has at least half.
    ///
    /// For one clip at full weight in one layer the result is equal to [`Rig::sample`], to the bit. Only
    /// clips with a weight above 0 are sampled.
    ///
    /// - `mix`: weights that are negative or NaN count as 0.
    /// - `pose`: a pose of this rig.
    /// - `pose`: of this rig.
    ///
    /// # Panics
    /// If a clip, a mask or the pose is of another model, or if an earlier call used another rig.
    pub fn evaluate(&mut self, rig: &Rig, mix: &Mix, pose: &mut Pose) {
        pose.copy_from(rig.rest_pose());
        let mut additive = 0;
        let mut layers = mix.layers.iter().enumerate().peekable();
        while let Some((index, layer)) = layers.next() {
            self.parts.clear();
            self.take(mix, index);
            let amount = Amount { weight: layer.weight, mask: layer.mask.as_deref() };
            match layer.mode {
                LayerMode::Override | LayerMode::Average => {
                    let averaged = |(_, next): &(usize, &MixLayer)| next.mode == LayerMode::Average;
                    while let Some((index, _)) = layers.next_if(averaged) {
                        self.take(mix, index);
                    }
                    let amount =
                        if layer.mode == LayerMode::Average { Amount::FULL } else { amount.within() };
                    self.apply_override(rig, mix, amount, pose);
                }
                LayerMode::Additive(reference) => {
                    self.apply_additive(rig, reference, additive, amount, pose);
                    additive += 1;
                }
            }
        }
    }

    /// Collects the contributions of a layer with positive weights, in the order of descending weights.
    /// Additive layers keep the order of the list, because rotations do not commute.
    fn take(&mut self, mix: &Mix, index: usize) {
        let layer = &mix.layers[index];
        let (share, mask) = match layer.mode {
            LayerMode::Average => (layer.weight, layer.mask.as_ref().map(|_| index)),
            _ => (1.0, None),
        };
        for &Contribution { clip, time, weight } in &mix.contributions[layer.contributions.clone()] {
            let weight = weight * share;
            if !(weight > 0.0 && weight.is_finite()) {
                continue;
            }
            self.parts.push(Part { clip, time, weight, mask });
            let mut at = self.parts.len() - 1;
            while at > 0 && self.parts[at - 1].weight < weight && !layer.mode.is_additive() {
                self.parts.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    fn apply_override(&mut self, rig: &Rig, mix: &Mix, amount: Amount<'_>, pose: &mut Pose) {
        if !(amount.weight > 0.0) || self.parts.is_empty() {
            return;
        }
        if let [only] = self.parts.as_slice()
            && only.weight >= 1.0
            && only.mask.is_none()
            && amount.is_full()
        {
            rig.sample_over(only.clip, only.time, pose);
            return;
        }
        self.blend(rig, mix, amount, pose);
    }

    fn blend(&mut self, rig: &Rig, mix: &Mix, amount: Amount<'_>, pose: &mut Pose) {
        while self.poses.len() < self.parts.len() {
            self.poses.push(rig.rest_pose().clone());
        }
        for (part, pose) in self.parts.iter().zip(&mut self.poses) {
            rig.sample_over(part.clip, part.time, pose);
        }
        blend(Parts { rig, parts: &self.parts, poses: &self.poses, layers: &mix.layers }, amount, pose);
    }

    /// `index`: the number of additive layers below.
    fn apply_additive(
        &mut self,
        rig: &Rig,
        reference: Reference,
        index: usize,
        amount: Amount<'_>,
        pose: &mut Pose,
    ) {
        if amount.weight == 0.0 || !amount.weight.is_finite() || self.parts.is_empty() {
            return;
        }
        if self.poses.is_empty() {
            self.poses.push(rig.rest_pose().clone());
        }
        while self.references.len() <= index {
            self.references.push(CachedReference { of: None, pose: rig.rest_pose().clone() });
        }
        let (cached, sampled) = (&mut self.references[index], &mut self.poses[0]);
        let reference = match reference {
            Reference::Rest => rig.rest_pose(),
            Reference::Clip(clip, time) => {
                let of = Some((clip, time.to_bits()));
                if cached.of != of {
                    rig.sample(clip, time, &mut cached.pose);
                    cached.of = of;
                }
                &cached.pose
            }
        };
        for &part in &self.parts {
            rig.sample_over(part.clip, part.time, sampled);
            add(Difference { rig, part, pose: sampled, reference }, amount, pose);
        }
    }
}
