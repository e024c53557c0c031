//! What a camera should see of a model.

use super::bounds::is_in_reach;
use super::skinning::linear_position;
use super::{Aabb, Affine, F32x4, Rig, deform_position, rotations};
use crate::model::{ClipId, Drawable, Model, Primitive, Within};
use crate::rare::rare;
use glam::Vec3;

/// What a camera is pointed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// All of the current clip, and as much of the others as does not make the character small.
    #[default]
    Clip,
    /// All clips.
    AllClips,
    /// The pose of the moment.
    Pose,
    /// The rest pose of the file.
    Rest,
}

/// How many vertices are looked at for one pose, and how many poses of all clips together.
const VERTICES: usize = 2000;
const POSES: usize = 128;
/// How much larger than the current clip alone the box may become for the sake of others.
const LARGER: f32 = 1.4;

/// The box around a pose that a camera may be pointed at, in world space; `None` if nothing is shown.
///
/// Tighter than [`Bounds`](super::Bounds), which must hold every vertex: it follows some of them, spread evenly.
///
/// - `palette`, `weights`: of the whole actor.
/// - `visible`: for each node whether it is shown; all are if it is empty.
///
/// # Panics
/// If the palette or the weights are of another model.
pub fn around_pose(
    model: &Model,
    rig: &Rig,
    palette: &[Affine],
    weights: &[f32],
    visible: &[bool],
) -> Option<Aabb> {
    around_vertices(model, rig, visible, VERTICES, |drawable, primitive, vertex| {
        linear_position(primitive, vertex, drawable, palette, weights)
    })
}

/// The smallest box around all vertices of a pose, in world space; `None` if nothing is shown. Takes as long as the model has
/// vertices.
///
/// - `palette`, `weights`: of the whole actor.
/// - `rotations`: of the palette where joints are blended as dual quaternions, else empty.
/// - `visible`: for each node whether it is shown; all are if it is empty.
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
    if rotations.is_empty() {
        return around_vertices(model, rig, visible, usize::MAX, |drawable, primitive, vertex| {
            linear_position(primitive, vertex, drawable, palette, weights)
        });
    }
    rare(|| {
        around_vertices(model, rig, visible, usize::MAX, |drawable, primitive, vertex| {
            deform_position(primitive, vertex, drawable, palette, rotations, weights)
        })
    })
}

/// The same for joints that are blended as dual quaternions.
///
/// - `rotations`: of the palette, as [`rotations`] writes them.
///
/// # Panics
/// If any of them is of another model.
pub fn around_turned_pose(
    model: &Model,
    rig: &Rig,
    (palette, rotations): (&[Affine], &[F32x4]),
    weights: &[f32],
    visible: &[bool],
) -> Option<Aabb> {
    around_vertices(model, rig, visible, VERTICES, |drawable, primitive, vertex| {
        deform_position(primitive, vertex, drawable, palette, rotations, weights)
    })
}

/// The box around `most` vertices or a few more, spread evenly.
fn around_vertices(
    model: &Model,
    rig: &Rig,
    visible: &[bool],
    most: usize,
    place: impl Fn(&Drawable, &Primitive, usize) -> Vec3,
) -> Option<Aabb> {
    let vertices: usize = primitives(model, rig).map(|(_, primitive)| primitive.vertex_count()).sum();
    let step = vertices.div_ceil(most).max(1);
    let mut union = Aabb::EMPTY;
    for (drawable, primitive) in primitives(model, rig) {
        if visible.get(drawable.node.index()) == Some(&false) {
            continue;
        }
        for vertex in (0..primitive.vertex_count()).step_by(step) {
            let point = place(drawable, primitive, vertex);
            if is_in_reach(point) {
                union.add(point);
            }
        }
    }
    union.is_valid().then_some(union)
}

/// The box around what [`Framing`] says, in model space, with `clip` as the current one; the rest pose if that is
/// none, or if [`Framing::Pose`] is asked for, which no clip knows.
pub fn around_clips(model: &Model, rig: &Rig, framing: Framing, clip: Option<ClipId>) -> Option<Aabb> {
    around_poses(model, rig, framing, clip, |palette, weights, visible| {
        around_pose(model, rig, palette, weights, visible)
    })
}

/// The same for joints that are blended as dual quaternions.
pub fn around_turned_clips(model: &Model, rig: &Rig, framing: Framing, clip: Option<ClipId>) -> Option<Aabb> {
    let mut turned = Vec::new();
    around_poses(model, rig, framing, clip, |palette, weights, visible| {
        rotations(palette, &mut turned);
        around_turned_pose(model, rig, (palette, &turned), weights, visible)
    })
}

fn around_poses(
    model: &Model,
    rig: &Rig,
    framing: Framing,
    clip: Option<ClipId>,
    mut around_pose: impl FnMut(&[Affine], &[f32], &[bool]) -> Option<Aabb>,
) -> Option<Aabb> {
    let mut pose = rig.rest_pose().clone();
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    let mut visible = Vec::new();
    let mut around = |clip: Option<ClipId>| {
        let steps = if clip.is_some() { (POSES / model.clips.len()).within(1, 16) } else { 0 };
        let mut union = Aabb::EMPTY;
        for i in 0..=steps {
            match clip {
                Some(clip) => {
                    let duration = f64::from(model.clips[clip.index()].duration);
                    rig.sample(clip, duration * i as f64 / steps as f64, &mut pose);
                }
                None => pose.copy_from(rig.rest_pose()),
            }
            rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
            rig.palette(&matrices, &mut palette);
            rig.visibility(&pose, &mut visible);
            if let Some(bounds) = around_pose(&palette, &pose.weights, &visible) {
                union = union.union(&bounds);
            }
        }
        union.is_valid().then_some(union)
    };
    let current = clip.filter(|_| matches!(framing, Framing::Clip | Framing::AllClips));
    let mut frame = current.and_then(|clip| around(Some(clip))).or_else(|| around(None))?;
    let Some(current) = current else { return Some(frame) };
    let limit = if framing == Framing::AllClips { f32::INFINITY } else { LARGER * frame.radius() };
    for other in (0..model.clips.len()).map(ClipId::new).filter(|&clip| clip != current).take(POSES) {
        let Some(bounds) = around(Some(other)) else { continue };
        let union = frame.union(&bounds);
        if union.radius() <= limit {
            frame = union;
        }
    }
    Some(frame)
}

fn primitives<'a>(model: &'a Model, rig: &'a Rig) -> impl Iterator<Item = (&'a Drawable, &'a Primitive)> {
    rig.layout.drawables.iter().flat_map(|drawable| {
        let mesh = &model.meshes[drawable.mesh.index()];
        mesh.primitives.iter().map(move |primitive| (drawable, primitive))
    })
}
