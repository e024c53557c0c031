//! Bounds of a clip, and the error of interpolating between its cached poses, both computed before it is
//! played.

use super::culling::Body;
use super::mesh_levels::{LevelErrors, MeshLevels, UNKNOWN_ERRORS};
use super::pose_cache::{MAX_POSES, RATE};
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::animation::skin::{Bounds, apart, linear_position};
use crate::base::{Aabb, Affine};
use crate::model::{Clip, ClipId, Model, Primitive, Property};
use glam::Vec3;

/// The interval between the poses that are compared, in seconds.
const STEP: f64 = 0.5 / RATE;

/// The bounds of a clip or of the rest pose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// The box that contains every vertex at every time, in model space; `None` if no mesh is ever visible.
    pub(super) bounds: Option<Aabb>,
    /// The same box, prepared for culling.
    pub(super) body: Option<Body>,
    /// The largest error of vertices in the mean of two adjacent cached poses, which are [`RATE`] per second.
    /// In metres of the model.
    pub(super) error: f32,
    /// The largest errors of the levels of detail of the meshes, in metres of the model.
    pub(super) levels: LevelErrors,
}

impl Extent {
    /// The extent of a clip that has not been measured: unbounded.
    pub(super) const UNKNOWN: Self = Self {
        bounds: Some(Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY }),
        body: Some(Body::UNKNOWN),
        error: f32::INFINITY,
        levels: UNKNOWN_ERRORS,
    };

    /// Measures a clip, or the rest pose.
    pub(super) fn new(
        model: &Model,
        rig: &Rig,
        bounds: &Bounds,
        clip: Option<(ClipId, &Clip)>,
        levels: &MeshLevels,
    ) -> Self {
        let mut poser = Poser::new(rig, clip.map(|(clip, _)| clip));
        let Some((_, clip)) = clip else {
            poser.put(0.0);
            return Self::of(poser.around(bounds), 0.0, level_errors(&mut poser, model, 0.0, levels));
        };
        let reach = reach(&mut poser, bounds, clip);
        let duration = f64::from(clip.duration);
        let levels = level_errors(&mut poser, model, duration, levels);
        Self::of(reach, error(&mut poser, model, duration), levels)
    }

    fn of(bounds: Option<Aabb>, error: f32, levels: LevelErrors) -> Self {
        Self { bounds, body: bounds.as_ref().map(Body::new), error, levels }
    }
}

/// The errors of levels of detail in some poses of a clip, evenly spaced.
fn level_errors(poser: &mut Poser<'_>, model: &Model, duration: f64, levels: &MeshLevels) -> LevelErrors {
    /// Poses per second, and the most of them.
    const POSES: (f64, f64) = (10.0, 48.0);
    let mut errors = UNKNOWN_ERRORS;
    errors[..levels.list.len()].fill(0.0);
    if levels.list.is_empty() {
        return errors;
    }
    let steps = (duration * POSES.0).ceil().clamp(1.0, POSES.1);
    for i in 0..=steps as usize {
        poser.put(duration * i as f64 / steps);
        let posed = (&poser.palette[..], &poser.visible[..]);
        levels.measure(model, &poser.rig.layout, posed, &poser.pose.weights, &mut errors);
    }
    errors
}

/// A pose with its palette.
#[derive(Debug, Clone, Default)]
struct Posed {
    palette: Vec<Affine>,
    /// For each visible part of the bounds, its palette index and the box around its vertices.
    boxes: Vec<(usize, Aabb)>,
}

struct Poser<'a> {
    rig: &'a Rig,
    clip: Option<ClipId>,
    pose: Pose,
    matrices: Vec<Affine>,
    palette: Vec<Affine>,
    visible: Vec<bool>,
}

impl<'a> Poser<'a> {
    fn new(rig: &'a Rig, clip: Option<ClipId>) -> Self {
        let palette = vec![Affine::identity(); rig.palette_len()];
        let (matrices, visible) = (Vec::new(), Vec::new());
        Self { rig, clip, pose: rig.rest_pose().clone(), matrices, palette, visible }
    }

    fn put(&mut self, time: f64) {
        if let Some(clip) = self.clip {
            self.rig.sample(clip, time, &mut self.pose);
        }
        self.rig.node_matrices(&self.pose, &Affine::identity(), &mut self.matrices);
        self.rig.palette(&self.matrices, &mut self.palette);
        self.rig.visibility(&self.pose, &mut self.visible);
    }

    fn around(&self, bounds: &Bounds) -> Option<Aabb> {
        bounds.of_pose(&self.palette, &self.pose.weights, &self.visible)
    }

    fn keep(&self, bounds: &Bounds, posed: &mut Posed) {
        posed.palette.clone_from(&self.palette);
        posed.boxes.clear();
        posed.boxes.extend(bounds.boxes(&self.pose.weights, &self.visible));
    }
}

/// The box around all poses of a clip.
///
/// Between two sampled poses a vertex takes a path longer than the chord: by a ninth for a rotation by a
/// right angle. So its distance from the nearer pose is at most 0.6 of the distance between both.
fn reach(poser: &mut Poser<'_>, bounds: &Bounds, clip: &Clip) -> Option<Aabb> {
    const FARTHER: f32 = 0.6;
    let mut union = Aabb::EMPTY;
    let (mut before, mut now) = (Posed::default(), Posed::default());
    for time in times(clip) {
        poser.put(time);
        if let Some(around) = poser.around(bounds) {
            union = union.union(&around);
        }
        poser.keep(bounds, &mut now);
        for (slot, own, last) in both(&now, &before) {
            let own = own.union(&last);
            let (a, b) = (&before.palette[slot], &now.palette[slot]);
            let far = Vec3::splat(FARTHER * apart(a, b, &own));
            for Aabb { min, max } in [own.transformed(a), own.transformed(b)] {
                union = union.union(&Aabb { min: min - far, max: max + far });
            }
        }
        std::mem::swap(&mut before, &mut now);
    }
    union.is_valid().then_some(union)
}

/// The parts that are visible in both poses: palette index, and both boxes.
fn both<'a>(a: &'a Posed, b: &'a Posed) -> impl Iterator<Item = (usize, Aabb, Aabb)> + 'a {
    // Nearly always all parts are visible.
    let same = a.boxes.len() == b.boxes.len();
    a.boxes.iter().enumerate().filter_map(move |(i, &(slot, own))| {
        let other = if same { b.boxes.get(i) } else { b.boxes.iter().find(|(other, _)| *other == slot) };
        let &(_, other) = other.filter(|(other, _)| *other == slot)?;
        Some((slot, own, other))
    })
}

/// The key times of all channels that affect vertices, and some times in between.
fn times(clip: &Clip) -> Vec<f64> {
    const MAX_TIMES: usize = 8192;
    let channels = clip.channels.iter().map(|channel| channel.curve);
    let counts = |property: Property| matches!(property, Property::Visible(_) | Property::Weight(..));
    let shows = clip.properties.iter().filter(|channel| counts(channel.property));
    let mut curves: Vec<usize> = channels.chain(shows.map(|channel| channel.curve)).collect();
    curves.sort_unstable();
    curves.dedup();
    let mut keys = vec![0.0, clip.duration];
    for curve in curves {
        keys.extend(clip.curves[curve].times().iter().map(|&time| time.max(0.0).min(clip.duration)));
        // Many curves have the same times.
        if keys.len() > 8 * MAX_TIMES {
            keys.sort_unstable_by(f32::total_cmp);
            keys.dedup();
        }
    }
    keys.sort_unstable_by(f32::total_cmp);
    keys.dedup();
    if keys.len() > MAX_TIMES {
        return (0..=MAX_TIMES).map(|i| f64::from(clip.duration) * i as f64 / MAX_TIMES as f64).collect();
    }
    let mut times = vec![0.0];
    for pair in keys.windows(2) {
        let (from, to) = (f64::from(pair[0]), f64::from(pair[1]));
        let steps = (60.0 * (to - from)).ceil().clamp(2.0, 8.0) as u32;
        times.extend(
            (1..=steps)
                .map(|i| if i == steps { to } else { from + (to - from) * f64::from(i) / f64::from(steps) }),
        );
    }
    times
}

/// See [`Extent::error`]. Only some vertices are measured, evenly spaced. A mean of two palettes moves each
/// vertex to the mean of both positions.
fn error(poser: &mut Poser<'_>, model: &Model, duration: f64) -> f32 {
    const VERTICES: usize = 500;
    let count = (duration / STEP).floor();
    // Excludes clips with too many poses, and infinite or NaN durations.
    if !(count >= 2.0 && count <= MAX_POSES as f64) {
        return f32::INFINITY;
    }
    let drawables = &poser.rig.layout.drawables;
    let meshes =
        || drawables.iter().map(|drawable| (drawable, &model.meshes[drawable.mesh.index()].primitives));
    let all: usize = meshes().flat_map(|(_, primitives)| primitives).map(Primitive::vertex_count).sum();
    let step = all.div_ceil(VERTICES).max(1);
    let mut error = 0.0_f32;
    let mut last = [Vec::new(), Vec::new(), Vec::new()];
    for i in 0..=count as usize {
        poser.put(i as f64 * STEP);
        let places: &mut Vec<Vec3> = &mut last[i % 3];
        places.clear();
        for (drawable, primitives) in meshes() {
            // Matrices of hidden meshes are zeros.
            let hidden = poser.visible.get(drawable.node.index()) == Some(&false);
            for primitive in primitives {
                let place = |i| match hidden {
                    true => Vec3::ZERO,
                    false => linear_position(primitive, i, drawable, &poser.palette, &poser.pose.weights),
                };
                places.extend((0..primitive.vertex_count()).step_by(step).map(place));
            }
        }
        let at = |back: usize| &last[(i + 3 - back) % 3];
        for ((before, now), after) in at(2).iter().zip(at(1)).zip(at(0)) {
            let apart = (0.5 * (before + after) - now).length();
            // `true` for NaN, too.
            if !(apart <= error) {
                error = if apart.is_finite() { apart } else { f32::INFINITY };
            }
        }
    }
    error
}
