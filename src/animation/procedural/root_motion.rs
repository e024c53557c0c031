//! Root motion: clips that move over the ground are played in place, or move the actor itself.

use crate::animation::player::{LoopMode, Player};
use crate::animation::rig::Rig;
use crate::base::{Affine, deferred};
use crate::model::{Clip, ClipId, Curve, Interpolation, Model, NodeId, Path};
use glam::{Mat4, Vec3};
use std::sync::Arc;

/// The treatment of root motion: the movement over the ground from the first to the last key of the topmost
/// joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootMotion {
    /// The clip moves the joint, and jumps back at its start.
    #[default]
    Keep,
    /// The linear movement from first to last key is removed. Swaying, jumping and turning are kept.
    InPlace,
    /// As `InPlace`, and the actor moves by the removed distance. It accumulates over passes.
    Accumulate,
}

/// The root motion of a clip: linear from one time to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootPath {
    /// The moving node: the first node in the tree that is a joint or an ancestor of one, and that the clip
    /// moves.
    pub node: NodeId,
    /// From the first to the last key, in metres of the model; Y is 0.
    pub model: Vec3,
    /// The same in the space of the node's parent.
    parent: Vec3,
    /// The times of the first and the last key, in seconds.
    begin: f64,
    end: f64,
}

impl RootPath {
    /// The completed fraction at a time, `0.0..=1.0`.
    fn progress(&self, time: f64) -> f64 {
        ((time - self.begin) / (self.end - self.begin)).clamp(0.0, 1.0)
    }
}

/// Extracts the root motion of a model's clips. Returns it per clip, `None` for clips without any, and a rig
/// whose clips have it removed.
///
/// The ground is the model's XZ plane. Ancestors of the node are in their rest pose. If their scale is 0, the
/// clip counts as one without root motion.
pub fn in_place(model: &Model, clips: &[Arc<Clip>], rig: &Rig) -> (Vec<Option<RootPath>>, Rig) {
    let mut matrices = Vec::new();
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    let mut may_move = vec![model.skins.is_empty(); model.nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        let up = |node: &NodeId| model.nodes[node.index()].parent;
        for node in std::iter::successors(Some(*joint), up) {
            may_move[node.index()] = true;
        }
    }
    let mut paths = Vec::new();
    let mut clips: Vec<Clip> = clips.iter().map(|clip| (**clip).clone()).collect();
    for clip in &mut clips {
        let moved = clip.channels.iter().enumerate();
        let moved =
            moved.filter(|(_, channel)| channel.path == Path::Translation && may_move[channel.node.index()]);
        let found = moved.filter_map(|(i, channel)| {
            let above = model.nodes[channel.node.index()].parent;
            let above = above.map_or(Affine::identity(), |parent| matrices[parent.index()]);
            Some((i, root_path(channel.node, &clip.curves[channel.curve], &above)?))
        });
        let first = found.min_by_key(|(_, path)| path.node);
        paths.push(first.map(|(_, path)| path));
        if let Some((i, path)) = first
            && let Some(curve) = without_root_path(&clip.curves[clip.channels[i].curve], &path)
        {
            // Other channels may use the same curve.
            clip.channels[i].curve = clip.curves.len();
            clip.curves.push(curve);
        }
    }
    (paths, rig.with_clips(&clips))
}

/// The value of a key; in splines the middle one of its three parts.
fn value(curve: &Curve, key: usize) -> Option<Vec3> {
    let (row, at) = if curve.interpolation() == Interpolation::CubicSpline { (9, 3) } else { (3, 0) };
    Some(Vec3::from_slice(curve.values().get(row * key + at..row * key + at + 3)?))
}

fn root_path(node: NodeId, curve: &Curve, model_from_parent: &Affine) -> Option<RootPath> {
    let (first, last) = (value(curve, 0)?, value(curve, curve.times().len() - 1)?);
    let [begin, end] = [*curve.times().first()?, *curve.times().last()?].map(f64::from);
    let linear =
        |v: Vec3| model_from_parent.transform_point(v) - model_from_parent.transform_point(Vec3::ZERO);
    let whole = linear(last - first);
    let model = Vec3::new(whole.x, 0.0, whole.z);
    let parent = Mat4::from(*model_from_parent).inverse().transform_vector3(model);
    (end > begin && model != Vec3::ZERO && parent.is_finite()).then_some(RootPath {
        node,
        model,
        parent,
        begin,
        end,
    })
}

/// A copy of the curve without the root motion.
fn without_root_path(curve: &Curve, path: &RootPath) -> Option<Curve> {
    let mut values = curve.values().to_vec();
    let spline = curve.interpolation() == Interpolation::CubicSpline;
    let speed = path.parent / (path.end - path.begin) as f32;
    for (row, &time) in values.chunks_exact_mut(if spline { 9 } else { 3 }).zip(curve.times()) {
        let displacement = path.parent * path.progress(time.into()) as f32;
        for (i, value) in row.iter_mut().enumerate() {
            *value -= if spline && i / 3 != 1 { speed[i % 3] } else { displacement[i % 3] };
        }
    }
    Curve::new(curve.interpolation(), 3, curve.times().to_vec(), values).ok()
}

/// The accumulated root motion of an actor.
#[derive(Debug, Clone, Default)]
pub struct RootTravel {
    paths: Vec<Option<RootPath>>,
    displacement: Vec3,
    /// The clip at the last step, and the completed multiple of its movement.
    last: Option<(ClipId, f64)>,
}

deferred! {
    pub(crate) fn travel(root_travel: &mut RootTravel, player: &Player, place: &mut Affine) = RootTravel::step;
}

impl RootTravel {
    /// Root motion that starts at zero.
    pub fn new(paths: Vec<Option<RootPath>>) -> Self {
        Self { paths, displacement: Vec3::ZERO, last: None }
    }

    /// The distance covered, in metres of the model; Y is 0.
    pub fn displacement(&self) -> Vec3 {
        self.displacement
    }

    /// Replaces the paths after clips were added or removed; the distance stays.
    pub fn set_paths(&mut self, paths: Vec<Option<RootPath>>) {
        self.paths = paths;
    }

    /// Resets the distance to zero; playback continues.
    pub fn reset_displacement(&mut self) {
        self.displacement = Vec3::ZERO;
    }

    /// Advances to the player's position, and moves a place, `world_from_model`, by the whole distance. After
    /// a change of clip the distance continues from there. A seek changes the distance by the clip's
    /// movement.
    pub fn step(&mut self, player: &Player, place: &mut Affine) {
        let now = player.clip().and_then(|clip| {
            let path = self.paths.get(clip.index())?.as_ref()?;
            let (position, segment) = (player.position(), player.segment());
            let passes = match player.loop_mode() {
                LoopMode::PingPong => 0.0,
                _ if position.finished => position.passes.saturating_sub(1) as f64,
                _ => position.passes as f64,
            };
            let passes = if player.rate() < 0.0 { -passes } else { passes };
            Some((
                clip,
                path.model,
                path.progress(position.time)
                    + passes * (path.progress(segment.end) - path.progress(segment.start)),
            ))
        });
        if let (Some((clip, path, progress)), Some((before, before_progress))) = (now, self.last)
            && clip == before
        {
            self.displacement += path * (progress - before_progress) as f32;
        }
        self.last = now.map(|(clip, _, progress)| (clip, progress));
        let moved = place.transform_point(self.displacement);
        for (i, row) in place.rows.iter_mut().enumerate() {
            let [x, y, z, _] = row.to_array();
            *row = crate::base::F32x4::new([x, y, z, moved[i]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Transform;
    use crate::model::{Channel, Clip, Node, Skin};
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
            let (paths, rig) = in_place(&model, &model.clips, &Rig::new(&model));
            // Z of the armature points up.
            assert_eq!(paths, [None]);
            assert_eq!(place(&rig, 1.2), place(&Rig::new(&model), 1.2));
        }
        let mut flat = model(Interpolation::Linear, &[[0.0; 3], [5.0, 0.0, 0.0]]);
        flat.nodes[0].rest.scale = Vec3::ZERO;
        assert_eq!(in_place(&flat, &flat.clips, &Rig::new(&flat)).0, [None]);
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
            let (paths, after) = in_place(&model, &model.clips, &before);
            let path = paths[0].expect("it goes");
            assert_eq!(path.node, NodeId::new(1), "the topmost goes");
            assert!(path.model.abs_diff_eq(Vec3::new(2.0, 0.0, 1.0), 1e-6), "{}", path.model);
            for i in 0..=40 {
                let time = f64::from(i) / 10.0;
                let displacement = path.model * ((time - 0.5) / 2.0).clamp(0.0, 1.0) as f32;
                let (got, want) = (place(&after, time), place(&before, time) - displacement);
                assert!(got.abs_diff_eq(want, 1e-5), "{time}: {got} {want}");
            }
        }
    }

    #[test]
    fn root_motion_accumulates_over_passes_in_all_loop_modes() {
        let model = model(Interpolation::Linear, &[[0.0; 3], [10.0, 0.0, 0.0], [20.0, 0.0, 0.0]]);
        let (paths, _) = in_place(&model, &model.clips, &Rig::new(&model));
        let displacement = |play: &dyn Fn(&mut Player), seconds: &[f64]| -> Vec<f32> {
            let (mut player, mut travel) = (Player::new(&model.clips, 0.0), RootTravel::new(paths.clone()));
            play(&mut player);
            player.play(None);
            let step = |at: &f64| {
                player.advance_to(*at);
                let mut place = Affine::identity();
                travel.step(&player, &mut place);
                place.transform_point(Vec3::ZERO).x
            };
            seconds.iter().map(step).collect()
        };
        // Three seconds; the movement takes place from 0.5 to 2.5: two metres.
        let close = |got: Vec<f32>, want: &[f32]| {
            let same = got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-5);
            assert!(same && got.len() == want.len(), "{got:?} {want:?}");
        };
        let times = [0.0, 0.5, 1.0, 2.9, 3.0, 4.5, 13.5];
        close(displacement(&|_| (), &times), &[0.0, 0.0, 0.5, 2.0, 2.0, 3.0, 9.0]);
        close(
            displacement(&|player| player.set_loop_mode(LoopMode::Once), &times),
            &[0.0, 0.0, 0.5, 2.0, 2.0, 2.0, 2.0],
        );
        close(
            displacement(&|player| player.set_loop_mode(LoopMode::PingPong), &times),
            &[0.0, 0.0, 0.5, 2.0, 2.0, 1.0, 1.0],
        );
        close(displacement(&|player| player.set_rate(-1.0), &[0.0, 1.5, 3.0, 4.5]), &[0.0, -1.0, -2.0, -3.0]);
        close(
            displacement(&|player| player.set_repetitions(2.0), &[0.0, 4.5, 6.0, 60.0]),
            &[0.0, 3.0, 4.0, 4.0],
        );
    }
}
