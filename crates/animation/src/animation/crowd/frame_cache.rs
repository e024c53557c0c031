//! Morph caches: models whose clips show one morph target after the other, a frame each. Their members need no weights, only
//! the frames next to their time. So their cost does not depend on the number of frames.

use super::batch_poses::Fading;
use crate::animation::clip_set::ClipSet;
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::{Clip, ClipId, Interpolation, Path};

/// The smallest number of morph targets of a cache. Fewer weights are quicker than this code.
const LEAST_TARGETS: usize = 8;

/// The target of a frame that is the mesh itself.
const NONE: u32 = u32::MAX;

/// The frames of all clips of a model.
#[derive(Debug, Clone)]
pub(super) struct FrameCache {
    /// By [`ClipId`]: the target of each key.
    clips: Vec<Vec<u32>>,
    /// By [`ClipId`]: `true` if a frame is shown until the next one.
    steps: Vec<bool>,
    /// The palette at the origin, which no clip changes.
    pub(super) palette: Vec<Affine>,
}

impl FrameCache {
    /// The cache of a model; `None` if its clips are no frames.
    pub(super) fn find(clip_set: &ClipSet) -> Option<Self> {
        let rig = &clip_set.rig;
        let ranges = || rig.layout.weights_of_node.iter().filter(|range| !range.is_empty());
        let targets = ranges().next()?.len();
        let rest = rig.rest_pose();
        let alike = targets >= LEAST_TARGETS
            && ranges().all(|range| range.len() == targets)
            && rest.weights.iter().all(|&weight| weight == 0.0)
            && rest.properties.is_empty()
            && !rig.may_hide();
        if !alike {
            return None;
        }
        let nodes = ranges().count();
        let (mut clips, mut steps) = (Vec::new(), Vec::new());
        for clip in &clip_set.clips {
            clips.push(frames(clip, nodes, targets)?);
            let interpolation = clip.curves.first().map(|curve| curve.interpolation());
            steps.push(interpolation == Some(Interpolation::Step));
        }
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
        rig.node_matrices(rest, &Affine::identity(), &mut matrices);
        rig.palette(&matrices, &mut palette);
        Some(Self { clips, steps, palette })
    }

    /// The targets next to a time, and their weights.
    fn active(&self, rig: &Rig, clip: Option<ClipId>, time: f64) -> [(u32, f32); 2] {
        let still = [(NONE, 0.0); 2];
        let Some(clip) = clip else { return still };
        let frames = &self.clips[clip.index()];
        if frames.is_empty() {
            return still;
        }
        let spot = rig.tables(clip).find(time);
        let at = |key: usize| frames.get(key).copied().unwrap_or(NONE);
        let (first, second) = (at(spot.key), at(spot.key + 1));
        if spot.fraction == 0.0 || self.steps[clip.index()] || first == second {
            return [(first, 1.0), (NONE, 0.0)];
        }
        let fraction = spot.fraction as f32;
        // As a weight from 1 to 0 is interpolated.
        [(first, 1.0 + (0.0 - 1.0) * fraction), (second, fraction)]
    }

    /// Appends the active targets of a member, four numbers each: two, or four in a transition.
    pub(super) fn push(
        &self,
        rig: &Rig,
        (clip, time): (Option<ClipId>, f64),
        fading: Option<Fading>,
        list: &mut Vec<f32>,
    ) {
        let share = fading.map_or(0.0, |fading| fading.weight);
        let mut add = |targets: [(u32, f32); 2], share: f32| {
            for (target, weight) in targets {
                // Target 0 at weight 0 has no effect.
                let shown = if target == NONE { [0.0, 0.0] } else { [target as f32, share * weight] };
                list.extend([shown[0], shown[1], 0.0, 0.0]);
            }
        };
        add(self.active(rig, clip, time), if share > 0.0 { 1.0 - share } else { 1.0 });
        if let Some(Fading { clip, time, weight }) = fading {
            add(self.active(rig, clip, time), weight);
        }
    }
}

/// The target of each key of a clip: empty for a clip without channels, `None` if it is no clip of frames.
fn frames(clip: &Clip, nodes: usize, targets: usize) -> Option<Vec<u32>> {
    if clip.channels.is_empty() && clip.properties.is_empty() {
        return Some(Vec::new());
    }
    let weights = |channel: &crate::model::Channel| channel.path == Path::Weights && channel.curve == 0;
    let [curve] = &clip.curves[..] else { return None };
    let alike = clip.channels.len() == nodes
        && clip.channels.iter().all(weights)
        && clip.properties.is_empty()
        && curve.width() == targets
        && curve.interpolation() != Interpolation::CubicSpline;
    let frame = |row: &[f32]| {
        let mut shown = row.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        match (shown.next(), shown.next()) {
            (None, _) => Some(NONE),
            (Some((target, &1.0)), None) => Some(target as u32),
            _ => None,
        }
    };
    if alike { curve.values().chunks_exact(targets).map(frame).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Channel, Curve, NodeId};

    fn clip(interpolation: Interpolation, rows: &[[f32; 3]]) -> Clip {
        let times = (0..rows.len()).map(|i| i as f32).collect();
        let curve = Curve::new(interpolation, 3, times, rows.as_flattened().to_vec()).expect("a good curve");
        let channel = Channel { node: NodeId::new(0), path: Path::Weights, curve: 0 };
        Clip { channels: vec![channel], curves: vec![curve], ..Clip::default() }
    }

    #[test]
    fn frame_cache_refuses_clips_that_blend_targets() {
        let found = |rows: &[[f32; 3]]| frames(&clip(Interpolation::Linear, rows), 1, 3);
        assert_eq!(found(&[[1.0, 0.0, 0.0], [0.0, 0.5, 0.0]]), None, "half a target");
        assert_eq!(found(&[[1.0, 0.0, 1.0]]), None, "two targets");
        assert_eq!(found(&[[-1.0, 0.0, 0.0]]), None, "a negative weight");
        assert_eq!(
            frames(&clip(Interpolation::Linear, &[[0.0; 3]]), 2, 3),
            None,
            "another mesh without channel"
        );
        assert_eq!(frames(&clip(Interpolation::Linear, &[[0.0; 3]]), 1, 4), None, "another count of targets");
        let mut moves = clip(Interpolation::Linear, &[[0.0; 3]]);
        moves.channels[0].path = Path::Translation;
        assert_eq!(frames(&moves, 1, 3), None, "a node moves");
    }

    #[test]
    fn frame_cache_finds_the_target_of_each_key() {
        let rows = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [-0.0, 0.0, 1.0]];
        for interpolation in [Interpolation::Linear, Interpolation::Step] {
            assert_eq!(frames(&clip(interpolation, &rows), 1, 3), Some(vec![NONE, 2, 0, 2]));
        }
        assert_eq!(frames(&Clip::default(), 1, 3), Some(Vec::new()), "a clip that was removed");
    }
}
