//! Clips in place: without the linear movement over the ground from their first key to their last.

use super::nodes::{at_rest, may_move};
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::{Clip, Curve, Interpolation, Model, NodeId, Path};
use glam::{Mat4, Vec3};
use std::sync::Arc;

/// The movement of a clip: linear from one time to another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Way {
    /// The moving node: the first node in the tree that is a joint or an ancestor of one, and that the clip
    /// moves.
    node: NodeId,
    /// From the first to the last key, in metres of the model; Y is 0.
    model: Vec3,
    /// The same in the space of the node's parent.
    parent: Vec3,
    /// The times of the first and the last key, in seconds.
    begin: f64,
    end: f64,
}

impl Way {
    /// The completed fraction at a time, `0.0..=1.0`.
    fn progress(&self, time: f64) -> f64 {
        ((time - self.begin) / (self.end - self.begin)).clamp(0.0, 1.0)
    }
}

/// Returns a rig whose clips have their movement removed. Swaying, jumping and turning stay.
///
/// The ground is the model's XZ plane. Ancestors of the moving node are in their rest pose. If their scale is 0, the clip
/// is not changed.
pub fn in_place(model: &Model, clips: &[Arc<Clip>], rig: &Rig) -> Rig {
    let (matrices, may_move) = (at_rest(rig), may_move(model));
    let mut clips: Vec<Clip> = clips.iter().map(|clip| (**clip).clone()).collect();
    for clip in &mut clips {
        if let Some((i, way)) = way_of(model, clip, &may_move, &matrices)
            && let Some(curve) = without(&clip.curves[clip.channels[i].curve], &way)
        {
            // Other channels may use the same curve.
            clip.channels[i].curve = clip.curves.len();
            clip.curves.push(curve);
        }
    }
    rig.with_clips(&clips)
}

/// The movement of a clip, and the index of its channel.
fn way_of(model: &Model, clip: &Clip, may_move: &[bool], matrices: &[Affine]) -> Option<(usize, Way)> {
    let moved = clip.channels.iter().enumerate();
    let moved =
        moved.filter(|(_, channel)| channel.path == Path::Translation && may_move[channel.node.index()]);
    let found = moved.filter_map(|(i, channel)| {
        let above = model.nodes[channel.node.index()].parent;
        let above = above.map_or(Affine::identity(), |parent| matrices[parent.index()]);
        Some((i, way(channel.node, &clip.curves[channel.curve], &above)?))
    });
    found.min_by_key(|(_, way)| way.node)
}

/// The value of a key; in splines the middle one of its three parts.
fn value(curve: &Curve, key: usize) -> Option<Vec3> {
    let (row, at) = if curve.interpolation() == Interpolation::CubicSpline { (9, 3) } else { (3, 0) };
    Some(Vec3::from_slice(curve.values().get(row * key + at..row * key + at + 3)?))
}

fn way(node: NodeId, curve: &Curve, model_from_parent: &Affine) -> Option<Way> {
    let (first, last) = (value(curve, 0)?, value(curve, curve.times().len() - 1)?);
    let [begin, end] = [*curve.times().first()?, *curve.times().last()?].map(f64::from);
    let linear =
        |v: Vec3| model_from_parent.transform_point(v) - model_from_parent.transform_point(Vec3::ZERO);
    let whole = linear(last - first);
    let model = Vec3::new(whole.x, 0.0, whole.z);
    let parent = Mat4::from(*model_from_parent).inverse().transform_vector3(model);
    (end > begin && model != Vec3::ZERO && parent.is_finite()).then_some(Way {
        node,
        model,
        parent,
        begin,
        end,
    })
}

/// A copy of the curve without the movement.
fn without(curve: &Curve, way: &Way) -> Option<Curve> {
    let mut values = curve.values().to_vec();
    let spline = curve.interpolation() == Interpolation::CubicSpline;
    let speed = way.parent / (way.end - way.begin) as f32;
    for (row, &time) in values.chunks_exact_mut(if spline { 9 } else { 3 }).zip(curve.times()) {
        let displacement = way.parent * way.progress(time.into()) as f32;
        for (i, value) in row.iter_mut().enumerate() {
            *value -= if spline && i / 3 != 1 { speed[i % 3] } else { displacement[i % 3] };
        }
    }
    Curve::new(curve.interpolation(), 3, curve.times().to_vec(), values).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Transform;
    use crate::model::{Channel, Clip, ClipId, Node, Skin};
    use glam::Quat;

    /// Hips below an armature that lies on its back, has a scale of 0.1 and is not animated.
    fn model(interpolation: Interpolation, values: &[[f32; 3]]) -> Model {
        let lying = Transform {
            rotation: Quat::from_xyzw(-0.5_f32.sqrt(), 0.0, 0.0, 0.5_f32.sqrt()),
            scale: Vec3::splat(0.1),
            ..Transform::IDENTITY
        };
        let node =
            |parent: Option<usize>, rest| Node { parent: parent.map(NodeId::new), rest, ..Node::default() };
        let keys = if interpolation == Interpolation::CubicSpline { values.len() / 3 } else { values.len() };
        let times = (0..keys).map(|i| 0.5 + i as f32).collect();
        let curve = Curve::new(interpolation, 3, times, values.concat()).expect("it is one");
        let channel = |node| Channel { node: NodeId::new(node), path: Path::Translation, curve: 0 };
        let clip = Clip {
            duration: keys as f32,
            channels: vec![channel(2), channel(1)],
            curves: vec![curve],
            ..Clip::default()
        };
        let skin = Skin { joints: vec![NodeId::new(2)], ..Skin::default() };
        Model {
            nodes: vec![
                node(None, lying),
                node(Some(0), Transform::IDENTITY),
                node(Some(1), Transform::IDENTITY),
            ],
            clips: vec![clip.into()],
            skins: vec![skin],
            ..Model::default()
        }
    }

    fn place(rig: &Rig, time: f64) -> Vec3 {
        let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
        rig.sample(ClipId::new(0), time, &mut pose);
        rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
        matrices[1].transform_point(Vec3::ZERO)
    }

    #[test]
    fn root_motion_is_none_for_clips_without_horizontal_movement_or_scale() {
        for values in [&[[1.0, 2.0, 3.0]][..], &[[0.0; 3], [5.0, 0.0, 0.0], [0.0, 0.0, 9.0]]] {
            let model = model(Interpolation::Linear, values);
            let rig = in_place(&model, &model.clips, &Rig::new(&model));
            // Z of the armature points up.
            assert_eq!(place(&rig, 1.2), place(&Rig::new(&model), 1.2));
        }
        let mut flat = model(Interpolation::Linear, &[[0.0; 3], [5.0, 0.0, 0.0]]);
        flat.nodes[0].rest.scale = Vec3::ZERO;
        let rig = in_place(&flat, &flat.clips, &Rig::new(&flat));
        assert_eq!(place(&rig, 1.2), place(&Rig::new(&flat), 1.2));
    }

    #[test]
    fn root_motion_in_place_removes_only_the_linear_movement() {
        let values = [[0.0, 0.0, 0.0], [12.0, 3.0, 4.0], [20.0, -10.0, 8.0]];
        let tangents = |[x, y, z]: [f32; 3]| [[x + 1.0, y, 2.0], [x, y, z], [4.0, z, x]];
        let splines: Vec<[f32; 3]> = values.iter().copied().flat_map(tangents).collect();
        for (interpolation, values) in
            [(Interpolation::Linear, &values[..]), (Interpolation::CubicSpline, &splines)]
        {
            let model = model(interpolation, values);
            let before = Rig::new(&model);
            let after = in_place(&model, &model.clips, &before);
            let (may_move, matrices) = (may_move(&model), at_rest(&before));
            let (_, way) = way_of(&model, &model.clips[0], &may_move, &matrices).expect("it goes");
            assert_eq!(way.node, NodeId::new(1), "the topmost goes");
            assert!(way.model.abs_diff_eq(Vec3::new(2.0, 0.0, 1.0), 1e-6), "{}", way.model);
            for i in 0..=40 {
                let time = f64::from(i) / 10.0;
                let displacement = way.model * ((time - 0.5) / 2.0).clamp(0.0, 1.0) as f32;
                let (got, want) = (place(&after, time), place(&before, time) - displacement);
                assert!(got.abs_diff_eq(want, 1e-5), "{time}: {got} {want}");
            }
        }
    }
}
