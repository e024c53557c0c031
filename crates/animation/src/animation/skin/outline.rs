//! The part of a model that a camera frames.

use super::cpu_skinning::deform_position;
use super::dop::Dop;
use super::dual_quaternion::rotations_of;
use crate::animation::rig::Rig;
use crate::base::{Aabb, Affine, F32x4, is_in_reach};
use crate::model::{ClipId, Drawable, Model, PaletteLayout, Primitive};
use glam::Vec3;

/// The poses that a camera frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// All poses of the current clip.
    #[default]
    Clip,
    /// All poses of all clips.
    AllClips,
    /// The current pose.
    Pose,
    /// The rest pose of the file.
    Rest,
}

/// The largest number of vertices in an outline.
const VERTICES: usize = 20_000;
/// The sampled poses per second of a clip. The count is within `MIN_POSES` and `MAX_POSES`, and limited so that poses
/// × vertices is at most [`WORK`].
const RATE: f32 = 30.0;
const MIN_POSES: usize = 8;
const MAX_POSES: usize = 64;
const WORK: usize = 500_000;
/// The largest number of poses for all clips together.
const ALL: usize = 256;

/// The vertices of a model that can be extreme in a pose: for each joint the extreme ones in 26 directions,
/// at rest and with each morph target.
///
/// Cameras frame a model by these vertices, because bounding boxes of joints are too loose.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    vertices: Vec<TrackedVertex>,
}

/// A vertex of a primitive of a drawable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TrackedVertex {
    drawable: u32,
    primitive: u32,
    vertex: u32,
}

/// 26 directions: one of each pair of opposite ones.
const AXES: [[f32; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
];

/// The extreme vertices along [`AXES`], in both directions.
#[derive(Debug, Clone)]
struct Farthest {
    least: [(f32, u32); AXES.len()],
    most: [(f32, u32); AXES.len()],
}

impl Farthest {
    const NONE: Self =
        Self { least: [(f32::INFINITY, 0); AXES.len()], most: [(f32::NEG_INFINITY, 0); AXES.len()] };

    /// Adds a vertex. A vertex beyond [`REACH`](crate::base::REACH) is ignored, so that it does not replace
    /// another one.
    fn add(&mut self, vertex: u32, place: Vec3) {
        if !is_in_reach(place) {
            return;
        }
        let [x, y, z] = place.to_array();
        for (([a, b, c], least), most) in AXES.iter().zip(&mut self.least).zip(&mut self.most) {
            let far = a * x + b * y + c * z;
            if far < least.0 {
                *least = (far, vertex);
            }
            if far > most.0 {
                *most = (far, vertex);
            }
        }
    }

    fn vertices(&self) -> impl Iterator<Item = u32> {
        let all = self.least.iter().chain(&self.most);
        all.filter(|(far, _)| far.is_finite()).map(|&(_, vertex)| vertex)
    }
}

impl Outline {
    /// The outline of the visible meshes of a model.
    pub fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let mut vertices = Vec::new();
        for (i, drawable) in layout.drawables.iter().enumerate() {
            for (j, primitive) in model.meshes[drawable.mesh.index()].primitives.iter().enumerate() {
                let found = farthest_of(primitive, drawable);
                vertices.extend(found.into_iter().map(|vertex| TrackedVertex {
                    drawable: i as u32,
                    primitive: j as u32,
                    vertex,
                }));
            }
        }
        let step = vertices.len().div_ceil(VERTICES).max(1);
        Self { vertices: vertices.into_iter().step_by(step).collect() }
    }

    /// The extent of a pose in world space; [`Dop::EMPTY`] if no mesh is visible.
    ///
    /// - `palette`, `weights`: those of the whole actor.
    /// - `rotations`: the rotations of the palette, from [`rotations`](super::rotations), if joints are
    ///   blended as dual quaternions; else empty.
    /// - `visible`: the visibility of each node; empty if all are visible.
    ///
    /// # Panics
    /// If any of them is of another model.
    pub fn of_pose(
        &self,
        model: &Model,
        layout: &PaletteLayout,
        (palette, rotations): (&[Affine], &[F32x4]),
        weights: &[f32],
        visible: &[bool],
    ) -> Dop {
        let mut around = Dop::EMPTY;
        for &TrackedVertex { drawable, primitive, vertex } in &self.vertices {
            let drawable = &layout.drawables[drawable as usize];
            if visible.get(drawable.node.index()) == Some(&false) {
                continue;
            }
            let primitive = &model.meshes[drawable.mesh.index()].primitives[primitive as usize];
            around.add(deform_position(primitive, vertex as usize, drawable, palette, rotations, weights));
        }
        around
    }

    /// The extent of the poses of a [`Framing`] in model space, with `clip` as the current one; `None` if no
    /// mesh is visible. Without a clip, and for [`Framing::Pose`], it is that of the rest pose.
    ///
    /// - `dual`: `true` if joints are blended as dual quaternions.
    ///
    /// # Panics
    /// If the rig or the clip is of another model.
    pub fn of_clips(
        &self,
        model: &Model,
        rig: &Rig,
        framing: Framing,
        clip: Option<ClipId>,
        dual: bool,
    ) -> Option<Dop> {
        let mut pose = rig.rest_pose().clone();
        let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
        let (mut visible, mut turned) = (Vec::new(), Vec::new());
        let mut measure = |at: Option<(ClipId, f64)>, around: Dop| {
            match at {
                Some((clip, time)) => rig.sample(clip, time, &mut pose),
                None => pose.copy_from(rig.rest_pose()),
            }
            rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
            rig.palette(&matrices, &mut palette);
            rig.visibility(&pose, &mut visible);
            if dual {
                rotations_of(&palette, &mut turned);
            }
            around.union(&self.of_pose(model, &rig.layout, (&palette, &turned), &pose.weights, &visible))
        };
        let (clips, most) = match (framing, clip) {
            (Framing::Clip, Some(clip)) => (clip.index()..clip.index() + 1, MAX_POSES),
            (Framing::AllClips, Some(_)) => {
                (0..rig.clip_count(), (ALL / rig.clip_count()).clamp(1, MAX_POSES))
            }
            _ => (0..0, 0),
        };
        let mut around = Dop::EMPTY;
        for clip in clips.take(ALL) {
            let duration = rig.duration(ClipId::new(clip));
            let steps = ((duration * RATE) as usize).min(WORK / self.vertices.len().max(1));
            let steps = steps.max(MIN_POSES).min(most);
            for i in 0..=steps {
                let time = f64::from(duration) * i as f64 / steps as f64;
                around = measure(Some((ClipId::new(clip), time)), around);
            }
        }
        if !around.is_valid() {
            around = measure(None, around);
        }
        around.is_valid().then_some(around)
    }
}

/// The smallest box around all vertices of a pose, in world space; `None` if no mesh is visible. Takes time
/// linear in the number of vertices.
///
/// - `palette`, `weights`: those of the whole actor.
/// - `rotations`: the rotations of the palette if joints are blended as dual quaternions; else empty.
/// - `visible`: the visibility of each node; empty if all are visible.
///
/// # Panics
/// If any of them is of another model.
pub fn around_all_vertices(
    model: &Model,
    rig: &Rig,
    (palette, rotations): (&[Affine], &[F32x4]),
    weights: &[f32],
    visible: &[bool],
) -> Option<Aabb> {
    let mut union = Aabb::EMPTY;
    for drawable in &rig.layout.drawables {
        if visible.get(drawable.node.index()) == Some(&false) {
            continue;
        }
        for primitive in &model.meshes[drawable.mesh.index()].primitives {
            for vertex in 0..primitive.vertex_count() {
                let point = deform_position(primitive, vertex, drawable, palette, rotations, weights);
                if is_in_reach(point) {
                    union.add(point);
                }
            }
        }
    }
    union.is_valid().then_some(union)
}

/// The extreme vertices of a primitive: among those with the same strongest joint, and among those that a
/// morph target moves.
fn farthest_of(primitive: &Primitive, drawable: &Drawable) -> Vec<u32> {
    let influences = primitive.influences.as_ref().filter(|_| drawable.skinned);
    let strongest = |vertex: usize| {
        influences.map_or(0, |influences| {
            let range = vertex * influences.per_vertex..(vertex + 1) * influences.per_vertex;
            let (joints, weights) = (&influences.joints[range.clone()], &influences.weights[range]);
            let stronger = |best: (u16, f32), (&joint, &weight): (&u16, &f32)| {
                if weight > best.1 { (joint, weight) } else { best }
            };
            usize::from(joints.iter().zip(weights).fold((0, 0.0), stronger).0)
        })
    };
    let mut by_joint: Vec<Farthest> = Vec::new();
    for (vertex, &position) in primitive.positions.iter().enumerate() {
        let joint = strongest(vertex);
        if by_joint.len() <= joint {
            by_joint.resize(joint + 1, Farthest::NONE);
        }
        by_joint[joint].add(vertex as u32, position.into());
    }
    let mut found: Vec<u32> = by_joint.iter().flat_map(Farthest::vertices).collect();
    for target in &primitive.targets {
        let mut moved = Farthest::NONE;
        for (vertex, delta) in target.positions.iter().filter(|(_, delta)| **delta != [0.0; 3]) {
            if let Some(&position) = primitive.positions.get(vertex) {
                moved.add(vertex as u32, Vec3::from_array(position) + Vec3::from_array(*delta));
            }
        }
        found.extend(moved.vertices());
    }
    found.sort_unstable();
    found.dedup();
    found
}
