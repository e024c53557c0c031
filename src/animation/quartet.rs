//! The palettes of many characters of one model, each at a time of a clip of its own.

use super::affine::Affine;
use super::pose::Pose;
use super::rig::Rig;
use super::simd::F32x4;
use crate::model::ClipId;
use std::ops::Range;

/// A pose that is wanted, and where it is to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// `None` is the rest pose.
    pub(super) clip: Option<ClipId>,
    /// Seconds of the clip.
    pub(super) time: f64,
    /// `world_from_model`.
    pub(super) place: Affine,
    /// The index of the first matrix in the list that is written to.
    pub(super) to: usize,
    /// The index of the first morph weight.
    pub(super) weights_to: usize,
}

/// What poses are computed in, kept for its memory.
#[derive(Debug, Clone)]
pub(super) struct Quartet {
    pose: Pose,
    matrices: Vec<Affine>,
    visible: Vec<bool>,
}

impl Quartet {
    pub(super) fn new(rig: &Rig) -> Self {
        Self { pose: rig.rest_pose().clone(), matrices: Vec::new(), visible: Vec::new() }
    }

    /// Writes what [`Rig::sample`], [`Rig::node_matrices`] and [`Rig::palette`] make of each, to the bit. The matrices of
    /// meshes that are hidden are zeros.
    ///
    /// - `weights`: for the morph weights; empty if they are not wanted.
    ///
    /// # Panics
    /// If a clip is of another model, or a list has no room.
    pub(super) fn palettes(
        &mut self,
        rig: &Rig,
        wanted: &[Wanted],
        palettes: &mut [Affine],
        weights: &mut [f32],
    ) {
        for Wanted { clip, time, place, to, weights_to } in wanted {
            match clip {
                Some(clip) => rig.sample(*clip, *time, &mut self.pose),
                None => self.pose.copy_from(rig.rest_pose()),
            }
            rig.node_matrices(&self.pose, place, &mut self.matrices);
            let palette = &mut palettes[*to..to + rig.palette_len()];
            rig.palette(&self.matrices, palette);
            rig.visibility(&self.pose, &mut self.visible);
            hide(rig, &self.visible, palette);
            if !weights.is_empty() {
                weights[*weights_to..][..self.pose.weights.len()].copy_from_slice(&self.pose.weights);
            }
        }
    }
}

/// Makes the matrices of what is hidden zeros, which leave nothing of a mesh.
fn hide(rig: &Rig, visible: &[bool], palette: &mut [Affine]) {
    if visible.is_empty() {
        return;
    }
    // Meshes may wear the same skin: it is there for those that are shown.
    let drawables = &rig.layout.drawables;
    let shown = |slots: &Range<u32>| {
        drawables.iter().any(|other| other.slots == *slots && visible[other.node.index()])
    };
    let nothing = Affine { rows: [F32x4::zero(); 3] };
    for drawable in drawables.iter().filter(|drawable| !visible[drawable.node.index()]) {
        if !shown(&drawable.slots) {
            palette[drawable.slots.start as usize..drawable.slots.end as usize].fill(nothing);
        }
    }
}
