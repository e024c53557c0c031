//! The frames of clips: their times, palettes and vertices.

use crate::error::{ToolsError, codes};
use gambol::animation::{Affine, Deformed, Rig, deform, pose_hash};
use gambol::model::{ClipId, Model, NodeId};
use std::collections::HashMap;

/// The largest number of frames of all clips.
const MOST_FRAMES: usize = 1 << 16;

/// The highest frame rate.
const MOST_FPS: f64 = 1000.0;

/// The frames of some clips of a model, one after the other.
pub(super) struct Frames<'a> {
    pub(super) model: &'a Model,
    pub(super) rig: Rig,
    pub(super) clips: Vec<BakedClip>,
    pub(super) list: Vec<Frame>,
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

/// The times of frames: multiples of 1 / `fps`, and the end. A last frame within a thousandth of the end is the end.
fn frame_times(duration: f64, fps: f64) -> Vec<f64> {
    let steps = (duration * fps - 1e-3).ceil().max(0.0) as usize;
    (0..steps).map(|i| i as f64 / fps).chain([duration]).collect()
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
            if duration * fps > MOST_FRAMES as f64 {
                return Err(too_large(format!("The clips have more than {MOST_FRAMES} frames.")));
            }
            let times = frame_times(duration, fps);
            let first = total;
            total += times.len();
            baked.push(BakedClip { clip, first, times });
        }
        if total > MOST_FRAMES {
            return Err(too_large(format!("The clips have {total} frames, more than {MOST_FRAMES}.")));
        }
        let mut frames = Self { model, rig: Rig::new(model), clips: baked, list: Vec::with_capacity(total) };
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
    fn frame_times_are_multiples_and_the_end() {
        assert_eq!(frame_times(0.0, 30.0), [0.0]);
        assert_eq!(frame_times(0.1, 30.0), [0.0, 1.0 / 30.0, 2.0 / 30.0, 0.1]);
        assert_eq!(frame_times(0.11, 20.0), [0.0, 0.05, 0.1, 0.11]);
        // A key time that f32 has rounded.
        assert_eq!(frame_times(f64::from(1.1_f32), 10.0).len(), 12);
    }
}
