//! The poses of a clip that are written, and their times.
//!
//! USD interpolates translations, scales and weights linearly and rotations spherically, as glTF does with `LINEAR`. So the key
//! times of a clip are enough, with these additions: a key of `STEP` has a second time right before it, and curves get times in
//! between until the vertices are near those of the clip.

use crate::error::{ToolsError, codes};
use gambol::animation::{Affine, Pose, Rig};
use gambol::model::{ClipId, Interpolation, Model, NodeId, Path};
use glam::Vec3;

/// The time between the two values of a step, in time codes.
const STEP: f64 = 1.0 / 256.0;
/// The largest distance of a vertex from its place in the clip, relative to the size of the model.
const TOLERANCE: f32 = 1e-4;
/// The shortest time between two poses that curves need, in seconds.
const SHORTEST: f64 = 1.0 / 480.0;
/// The most numbers of all poses.
const MOST_NUMBERS: usize = 1 << 24;
/// A time this near to a whole time code is that time code, as the times of most files are rounded multiples of a frame.
const SNAP: f64 = 1e-3;

/// A model and its poses over time.
pub(super) struct Motion<'a> {
    pub(super) model: &'a Model,
    pub(super) rig: Rig,
    /// Time codes per second: the frame rate of the clip.
    pub(super) rate: f64,
    /// In time codes, strictly ascending from 0; at least one.
    pub(super) times: Vec<f64>,
    /// One for each time.
    pub(super) poses: Vec<Pose>,
    /// The visibility of each node in each pose; empty if none is ever hidden.
    visible: Vec<Vec<bool>>,
}

impl<'a> Motion<'a> {
    /// The poses of a clip; without one, the rest pose.
    ///
    /// # Errors
    /// [`codes::TOO_LARGE`] if the clip has too many keys.
    pub(super) fn new(model: &'a Model, clip: Option<ClipId>) -> Result<Self, ToolsError> {
        let rig = Rig::new(model);
        let Some((id, clip)) = clip.and_then(|id| Some((id, model.clips.get(id.index())?))) else {
            let poses = vec![rig.rest_pose().clone()];
            return Ok(Self::of(model, rig, 24.0, vec![0.0], poses));
        };
        let used = clip.channels.iter().map(|channel| channel.curve);
        let used = used.chain(clip.properties.iter().map(|channel| channel.curve));
        let rate = clip.frames_per_second();
        let end = f64::from(clip.duration);
        let (mut times, mut is_curved) = (vec![Time::of_key(0.0, rate), Time::of_key(end, rate)], false);
        for curve in used.map(|curve| &clip.curves[curve]) {
            is_curved |= curve.interpolation() == Interpolation::CubicSpline;
            let keys = curve.times().iter().filter(|&&time| time >= 0.0);
            let keys = keys.map(|&time| Time::of_key(time.into(), rate));
            if curve.interpolation() == Interpolation::Step {
                times.extend(
                    keys.clone().map(|time| Time::of_code(time.code - STEP, rate)).filter(|t| t.code > 0.0),
                );
            }
            times.extend(keys);
        }
        times.sort_unstable_by(|a, b| a.code.total_cmp(&b.code));
        times.dedup_by_key(|time| time.code);
        let numbers = 10 * model.nodes.len() + rig.rest_pose().weights.len();
        let most = MOST_NUMBERS / numbers.max(1);
        if times.len() > most {
            return Err(too_many_keys());
        }
        let sampler = Sampler { rig: &rig, clip: id, rate, most };
        let samples = if is_curved { sampler.refined(model, &times)? } else { sampler.all(&times) };
        let (times, poses) = samples.into_iter().map(|(time, pose)| (time.code, pose)).unzip();
        Ok(Self::of(model, rig, rate, times, poses))
    }

    fn of(model: &'a Model, rig: Rig, rate: f64, times: Vec<f64>, poses: Vec<Pose>) -> Self {
        let of_pose = |pose: &Pose| {
            let mut visible = Vec::new();
            rig.visibility(pose, &mut visible);
            visible
        };
        let visible: Vec<Vec<bool>> =
            poses.iter().map(of_pose).filter(|visible| !visible.is_empty()).collect();
        Self { model, rig, rate, times, poses, visible }
    }

    /// The visibility of a node in each pose; `None` if it is always visible.
    pub(super) fn visibility(&self, node: NodeId) -> Option<Vec<bool>> {
        let of_pose = |visible: &Vec<bool>| visible.get(node.index()).copied().unwrap_or(true);
        let all: Vec<bool> = self.visible.iter().map(of_pose).collect();
        all.contains(&false).then_some(all)
    }

    /// For each node, `true` if its world matrix changes.
    pub(super) fn moved(&self, clip: Option<ClipId>) -> Vec<bool> {
        let mut moved = vec![false; self.model.nodes.len()];
        let clip = clip.and_then(|clip| self.model.clips.get(clip.index()));
        for channel in clip.iter().flat_map(|clip| &clip.channels).filter(|c| c.path != Path::Weights) {
            moved[channel.node.index()] = true;
        }
        for i in 0..moved.len() {
            moved[i] |= self.model.nodes[i].parent.is_some_and(|parent| moved[parent.index()]);
        }
        moved
    }

    /// The world matrix of each node, and the palette.
    pub(super) fn matrices(&self, pose: &Pose) -> (Vec<Affine>, Vec<Affine>) {
        matrices(&self.rig, pose)
    }
}

fn too_many_keys() -> ToolsError {
    ToolsError::new(codes::TOO_LARGE, "/animations", "The clip has too many keys for USDZ.")
}

fn matrices(rig: &Rig, pose: &Pose) -> (Vec<Affine>, Vec<Affine>) {
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(pose, &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);
    (matrices, palette)
}

/// A time of a clip.
#[derive(Clone, Copy)]
struct Time {
    code: f64,
    seconds: f64,
}

impl Time {
    fn of_key(seconds: f64, rate: f64) -> Self {
        let code = seconds * rate;
        Self { code: if (code - code.round()).abs() < SNAP { code.round() } else { code }, seconds }
    }

    fn of_code(code: f64, rate: f64) -> Self {
        Self { code, seconds: code / rate }
    }
}

struct Sampler<'a> {
    rig: &'a Rig,
    clip: ClipId,
    /// Time codes per second.
    rate: f64,
    /// The most poses.
    most: usize,
}

impl Sampler<'_> {
    fn at(&self, time: f64) -> Pose {
        let mut pose = self.rig.rest_pose().clone();
        self.rig.sample(self.clip, time, &mut pose);
        pose
    }

    fn all(&self, times: &[Time]) -> Vec<(Time, Pose)> {
        times.iter().map(|&time| (time, self.at(time.seconds))).collect()
    }

    /// The poses at times, and at times between them where they are too far from the clip.
    fn refined(&self, model: &Model, times: &[Time]) -> Result<Vec<(Time, Pose)>, ToolsError> {
        let reach = Reach::new(model, self.rig);
        let (_, palette) = matrices(self.rig, self.rig.rest_pose());
        let tolerance = TOLERANCE * reach.size(&palette);
        let mut poses: Vec<(Time, Pose)> = Vec::new();
        for &end in times {
            // Ends of intervals, the nearest one last.
            let mut ends = vec![(end, self.at(end.seconds))];
            while let Some((end, pose)) = ends.pop() {
                let split = poses.last().and_then(|(begin, first)| {
                    let between = |share: f64| begin.code + share * (end.code - begin.code);
                    let is_near = |share: f64| {
                        let want = self.at(between(share) / self.rate);
                        reach.distance(self.rig, &want, &mixed(self.rig, first, &pose, share)) <= tolerance
                    };
                    let is_short = end.code - begin.code < 2.0 * SHORTEST * self.rate;
                    let is_good = is_short || [0.25, 0.5, 0.75].into_iter().all(is_near);
                    (!is_good).then(|| Time::of_code(between(0.5), self.rate))
                });
                match split {
                    Some(middle) => ends.extend([(end, pose), (middle, self.at(middle.seconds))]),
                    None => poses.push((end, pose)),
                }
                if poses.len() + ends.len() > self.most {
                    return Err(too_many_keys());
                }
            }
        }
        Ok(poses)
    }
}

/// The pose between two others, as readers of USD interpolate them.
fn mixed(rig: &Rig, a: &Pose, b: &Pose, share: f64) -> Pose {
    let (mut out, share) = (a.clone(), share as f32);
    for node in (0..rig.node_count()).map(NodeId::new) {
        let (mut from, to) = (a.get(node), b.get(node));
        from.translation = from.translation.lerp(to.translation, share);
        from.rotation = from.rotation.slerp(to.rotation, share);
        from.scale = from.scale.lerp(to.scale, share);
        out.set(node, from);
    }
    for (out, to) in out.weights.iter_mut().zip(&b.weights) {
        *out += share * (to - *out);
    }
    out
}

/// The vertices of each entry of the palette, as boxes.
struct Reach {
    corners: Vec<Option<[Vec3; 8]>>,
    /// For each morph weight of a pose, the largest offset of its target.
    offsets: Vec<f32>,
}

impl Reach {
    fn new(model: &Model, rig: &Rig) -> Self {
        let mut boxes: Vec<Option<[Vec3; 2]>> = vec![None; rig.palette_len()];
        let mut offsets = vec![0.0_f32; rig.layout.weight_count];
        for drawable in &rig.layout.drawables {
            for primitive in &model.meshes[drawable.mesh.index()].primitives {
                let influences = primitive.influences.as_ref().filter(|_| drawable.skinned);
                for (vertex, &position) in primitive.positions.iter().enumerate() {
                    let mut add = |joint: usize| {
                        let point = Vec3::from_array(position);
                        let [low, high] =
                            boxes[drawable.slots.start as usize + joint].get_or_insert([point; 2]);
                        (*low, *high) = (low.min(point), high.max(point));
                    };
                    match influences {
                        None => add(0),
                        Some(all) => {
                            let range = vertex * all.per_vertex..(vertex + 1) * all.per_vertex;
                            let pairs = all.joints[range.clone()].iter().zip(&all.weights[range]);
                            pairs
                                .filter(|(_, weight)| **weight > 0.0)
                                .for_each(|(&joint, _)| add(joint.into()));
                        }
                    }
                }
                for (target, offset) in
                    primitive.targets.iter().zip(&mut offsets[drawable.weights.start as usize..])
                {
                    let lengths =
                        target.positions.values().iter().map(|&delta| Vec3::from_array(delta).length());
                    *offset = lengths.fold(*offset, f32::max);
                }
            }
        }
        let corners =
            |[low, high]: [Vec3; 2]| {
                std::array::from_fn(|i| {
                    Vec3::from_array(std::array::from_fn(|axis| {
                        if i >> axis & 1 == 0 { low[axis] } else { high[axis] }
                    }))
                })
            };
        Self { corners: boxes.into_iter().map(|found| found.map(corners)).collect(), offsets }
    }

    fn points<'a>(&'a self, palette: &'a [Affine]) -> impl Iterator<Item = Vec3> + 'a {
        let pairs = palette.iter().zip(&self.corners);
        pairs.flat_map(|(matrix, corners)| {
            corners.iter().flatten().map(|&corner| matrix.transform_point(corner))
        })
    }

    /// The diagonal of the box around the model.
    fn size(&self, palette: &[Affine]) -> f32 {
        let empty = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = self.points(palette).fold(empty, |(low, high), p| (low.min(p), high.max(p)));
        let size = (high - low).length();
        if size.is_finite() { size } else { 0.0 }
    }

    /// A bound of the distance of any vertex in two poses.
    fn distance(&self, rig: &Rig, a: &Pose, b: &Pose) -> f32 {
        let (first, second) = (matrices(rig, a).1, matrices(rig, b).1);
        let points = self.points(&first).zip(self.points(&second));
        let matrices = points.map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
        let weights = a.weights.iter().zip(&b.weights).zip(&self.offsets);
        matrices + weights.map(|((a, b), offset)| (a - b).abs() * offset).sum::<f32>()
    }
}
