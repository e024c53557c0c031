//! The frames of clips: their times, palettes and vertices.

use crate::error::{ToolsError, codes};
use gambol::animation::{Affine, Deformed, Rig, deform, pose_hash};
use gambol::model::{ClipId, Model, NodeId};
use std::collections::HashMap;

/// The largest number of frames of all clips.
const MOST_FRAMES: usize = 1 << 16;

/// The largest size of the result and of the poses that it is made from, in bytes. The memory of a WebAssembly module is eight times
/// as large, and the file is written from up to three copies.
pub(super) const MOST_BYTES: u64 = 1 << 29;

/// The highest frame rate.
const MOST_FPS: f64 = 1000.0;

/// The frames of some clips of a model, one after the other.
pub(super) struct Frames<'a> {
    pub(super) model: &'a Model,
    pub(super) rig: Rig,
    pub(super) clips: Vec<BakedClip>,
    pub(super) list: Vec<Frame>,
    /// The size of the poses.
    pub(super) size: Size,
}

/// The frames of a clip.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BakedClip {
    pub(super) clip: ClipId,
    /// The index of its first frame.
    pub(super) first: usize,
    /// The time of each frame, in seconds: multiples of the frame's duration, and the end of the clip.
    pub(super) times: Vec<f64>,
}

/// The pose of a frame.
pub(super) struct Frame {
    pub(super) palette: Vec<Affine>,
    pub(super) weights: Vec<f32>,
    /// For each node, `false` if it is hidden; empty if none is.
    visible: Vec<bool>,
}

impl Frame {
    /// `true` if a node is hidden.
    pub(super) fn hides(&self, node: NodeId) -> bool {
        self.visible.get(node.index()) == Some(&false)
    }
}

/// The number of frames before the end: multiples of 1 / `fps`. A last frame within a thousandth of the end is the end.
fn steps(duration: f64, fps: f64) -> usize {
    (duration * fps - 1e-3).ceil().max(0.0) as usize
}

/// The times of frames: those of [`steps`], and the end.
fn frame_times(duration: f64, fps: f64) -> Vec<f64> {
    (0..steps(duration, fps)).map(|i| i as f64 / fps).chain([duration]).collect()
}

/// The size of the result, which is computed before the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size(u64);

impl Size {
    /// Adds `count` parts of `bytes`.
    ///
    /// # Errors
    /// [`codes::BAKE_TOO_LARGE`] if all parts together exceed [`MOST_BYTES`].
    pub(super) fn add(&mut self, count: usize, bytes: usize) -> Result<(), ToolsError> {
        self.0 = self.0.saturating_add((count as u64).saturating_mul(bytes as u64));
        if self.0 <= MOST_BYTES {
            return Ok(());
        }
        Err(too_large(format!("The frames need more than {} MiB.", MOST_BYTES >> 20)))
    }
}

impl<'a> Frames<'a> {
    /// Samples clips at a frame rate.
    ///
    /// # Errors
    /// [`codes::CLIP_NOT_FOUND`], [`codes::OPTION`], [`codes::BAKE_TOO_LARGE`].
    pub(super) fn new(model: &'a Model, clips: &[ClipId], fps: f64) -> Result<Self, ToolsError> {
        if !(fps > 0.0 && fps <= MOST_FPS) {
            let message = format!("The frame rate must be above 0 and at most {MOST_FPS}, not {fps}.");
            return Err(ToolsError::new(codes::OPTION, "", message));
        }
        if clips.is_empty() {
            return Err(ToolsError::new(codes::OPTION, "", "There is no clip to bake."));
        }
        let (mut baked, mut total) = (Vec::new(), 0);
        for &clip in clips {
            let Some(found) = model.clips.get(clip.index()) else {
                let message =
                    format!("The file has no clip {}; the count is {}.", clip.index(), model.clips.len());
                return Err(ToolsError::new(codes::CLIP_NOT_FOUND, "/animations", message));
            };
            let duration = f64::from(found.duration);
            let first = total;
            total = steps(duration, fps).saturating_add(1).saturating_add(total);
            // Before the times are made, because there may be many clips.
            if total > MOST_FRAMES {
                return Err(too_large(format!("The clips have more than {MOST_FRAMES} frames.")));
            }
            baked.push(BakedClip { clip, first, times: frame_times(duration, fps) });
        }
        let rig = Rig::new(model);
        let mut size = Size(0);
        size.add(total, rig.palette_len() * size_of::<Affine>())?;
        size.add(total, size_of_val(rig.rest_pose().weights.as_slice()) + model.nodes.len())?;
        let mut frames = Self { model, rig, clips: baked, list: Vec::with_capacity(total), size };
        frames.list = frames
            .clips
            .iter()
            .flat_map(|baked| baked.times.iter().map(|&time| frames.at(baked.clip, time)))
            .collect();
        Ok(frames)
    }

    /// The pose of a clip at a time.
    pub(super) fn at(&self, clip: ClipId, time: f64) -> Frame {
        let mut pose = self.rig.rest_pose().clone();
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); self.rig.palette_len()]);
        self.rig.sample(clip, time, &mut pose);
        self.rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
        self.rig.palette(&matrices, &mut palette);
        let mut visible = Vec::new();
        self.rig.visibility(&pose, &mut visible);
        Frame { palette, weights: pose.weights, visible }
    }

    /// The vertices of a primitive in a frame, in the space of the model. Those of a hidden mesh are at the place of the
    /// first one, so that nothing is seen of it.
    pub(super) fn deform(&self, frame: &Frame, drawable: usize, primitive: usize, out: &mut Deformed) {
        let drawable = &self.rig.layout.drawables[drawable];
        let primitive = &self.model.meshes[drawable.mesh.index()].primitives[primitive];
        deform(primitive, drawable, &frame.palette, &[], &frame.weights, out);
        if frame.hides(drawable.node)
            && let Some(&first) = out.positions.first()
        {
            out.positions.fill(first);
        }
    }

    /// For each frame, the index of the first frame with the same pose.
    pub(super) fn same_as(&self) -> Vec<usize> {
        let mut first_of: HashMap<u64, usize> = HashMap::new();
        let first = |(i, frame): (usize, &Frame)| {
            let first = *first_of.entry(pose_hash(&frame.palette, &frame.weights)).or_insert(i);
            let other = &self.list[first];
            let same = other.palette == frame.palette
                && other.weights == frame.weights
                && other.visible == frame.visible;
            if same { first } else { i }
        };
        self.list.iter().enumerate().map(first).collect()
    }
}

/// The error for a result that needs too much memory.
pub(super) fn too_large(reason: String) -> ToolsError {
    ToolsError::new(codes::BAKE_TOO_LARGE, "", format!("{reason} Bake fewer clips, or a lower frame rate."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_is_limited_to_the_byte() {
        let most = MOST_BYTES as usize;
        let mut size = Size(0);
        assert_eq!(size.add(most / 2, 2), Ok(()));
        assert_eq!(size.add(0, 1000), Ok(()));
        assert_eq!(size.add(1, 1).err().map(|error| error.code), Some(codes::BAKE_TOO_LARGE));
        assert!(Size(0).add(1, most + 1).is_err() && Size(0).add(usize::MAX, usize::MAX).is_err());
    }

    #[test]
    fn frame_times_are_multiples_and_the_end() {
        assert_eq!(frame_times(0.0, 30.0), [0.0]);
        assert_eq!(frame_times(0.1, 30.0), [0.0, 1.0 / 30.0, 2.0 / 30.0, 0.1]);
        assert_eq!(frame_times(0.11, 20.0), [0.0, 0.05, 0.1, 0.11]);
        // A key time that f32 has rounded.
        assert_eq!(frame_times(f64::from(1.1_f32), 10.0).len(), 12);
    }
}
