//! Blend spaces: clips at points of a line or a plane, blended by a parameter.

use super::events::Mark;
use crate::animation::mixing::Contribution;
use crate::base::sort_by;
use crate::model::ClipId;
use std::fmt;
use std::rc::Rc;

/// The synchronization of a source with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncMode {
    /// No synchronization.
    #[default]
    None,
    /// Same fraction of the length.
    Phase,
    /// Same fraction between markers of the same names, in their order round the loop. Footsteps match
    /// however they are spaced. Equal to `Phase` if the markers do not match.
    Marker,
}

/// Synchronized clips at points, blended by a parameter. It plays like one clip.
///
/// The weight of a clip is computed in two steps:
/// 1. For each other clip, a weight falls from 1 at its own point to 0 at the other point, along the line
///    between them. The smallest of these is taken.
/// 2. The weights are divided by their sum.
///
/// So at a point only its clip plays, and on a line the two neighbours blend linearly. The length of the
/// space is the weighted mean of the clips' lengths.
#[derive(Debug, Clone)]
pub struct BlendSpace {
    points: Vec<Point>,
    position: [f32; 2],
    duration: f64,
    /// The times of the common markers, now and at the last position; the latter keeps the phase.
    markers: Vec<f64>,
    markers_before: Vec<f64>,
}

#[derive(Debug, Clone)]
struct Point {
    clip: ClipId,
    position: [f32; 2],
    duration: f64,
    frames_per_second: f64,
    weight: f64,
    marks: Rc<[Mark]>,
    /// The times of the common markers.
    markers: Vec<f64>,
}

/// The data of a clip that a [`BlendSpace`] needs.
#[derive(Debug, Clone)]
pub(super) struct Info {
    pub(super) duration: f64,
    pub(super) frames_per_second: f64,
    pub(super) marks: Rc<[Mark]>,
}

/// An error in creating a [`BlendSpace`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlendSpaceError {
    /// The list of points is empty.
    NoPoints,
    /// A point names a clip that the model does not have.
    UnknownClip {
        /// The index of the point.
        point: usize,
    },
    /// The position of a point is NaN or infinite.
    NotFinite {
        /// The index of the point.
        point: usize,
    },
    /// Two points have the same position.
    SamePlace {
        /// The index of the later point.
        point: usize,
    },
    /// The clips have no markers of the same names in the same order round the loop.
    Markers,
}

impl BlendSpaceError {
    /// The stable error code.
    pub fn code(self) -> &'static str {
        match self {
            Self::NoPoints => "blend-space/no-points",
            Self::UnknownClip { .. } => "blend-space/unknown-clip",
            Self::NotFinite { .. } => "blend-space/not-finite",
            Self::SamePlace { .. } => "blend-space/same-place",
            Self::Markers => "blend-space/markers",
        }
    }
}

impl fmt::Display for BlendSpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPoints => write!(f, "the blend space has no points"),
            Self::UnknownClip { point } => write!(f, "the model does not have the clip of point {point}"),
            Self::NotFinite { point } => write!(f, "the position of point {point} is not finite"),
            Self::SamePlace { point } => write!(f, "point {point} has the position of an earlier point"),
            Self::Markers => write!(f, "the clips do not have the same markers in the same order"),
        }
    }
}

impl std::error::Error for BlendSpaceError {}

impl BlendSpace {
    /// The clip of each point.
    pub fn clips(&self) -> impl Iterator<Item = ClipId> {
        self.points.iter().map(|point| point.clip)
    }

    pub(super) fn new(
        clips: &[Info],
        points: &[(ClipId, [f32; 2])],
        sync: SyncMode,
    ) -> Result<Self, BlendSpaceError> {
        let mut list: Vec<Point> = Vec::with_capacity(points.len());
        for (point, &(clip, position)) in points.iter().enumerate() {
            let info = clips.get(clip.index()).ok_or(BlendSpaceError::UnknownClip { point })?;
            if !(position[0].is_finite() && position[1].is_finite()) {
                return Err(BlendSpaceError::NotFinite { point });
            }
            if list.iter().any(|other| other.position == position) {
                return Err(BlendSpaceError::SamePlace { point });
            }
            let Info { duration, frames_per_second, ref marks } = *info;
            let (marks, weight, markers) = (Rc::clone(marks), 0.0, Vec::new());
            list.push(Point { clip, position, duration, frames_per_second, weight, marks, markers });
        }
        let position = list.first().ok_or(BlendSpaceError::NoPoints)?.position;
        if sync == SyncMode::Marker {
            let marks: Vec<_> = list.iter().map(|point| (&*point.marks, point.duration)).collect();
            let aligned = align(&marks).ok_or(BlendSpaceError::Markers)?;
            for (point, markers) in list.iter_mut().zip(aligned) {
                point.markers = markers;
            }
        }
        let count = list[0].markers.len();
        let markers = vec![0.0; count];
        let mut space =
            Self { points: list, position, duration: 0.0, markers_before: markers.clone(), markers };
        space.weigh();
        Ok(space)
    }

    /// The position of the parameter.
    pub fn position(&self) -> [f32; 2] {
        self.position
    }

    /// The clips and their weights, which have the sum 1.
    pub fn weights(&self) -> impl Iterator<Item = (ClipId, f64)> {
        self.points.iter().map(|point| (point.clip, point.weight))
    }

    /// The weighted mean of the clips' lengths, in seconds.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Sets the position of the parameter; NaN has no effect.
    pub fn set_position(&mut self, position: [f32; 2]) {
        let [x, y] = position;
        if x.is_nan() || y.is_nan() {
            return;
        }
        self.position = [x.clamp(-f32::MAX, f32::MAX), y.clamp(-f32::MAX, f32::MAX)];
        self.markers_before.clone_from(&self.markers);
        self.weigh();
    }

    /// The time with the same phase as `time` before the last [`BlendSpace::set_position`], when the length
    /// was `duration`.
    pub(super) fn moved(&self, time: f64, duration: f64) -> f64 {
        if time >= duration {
            return self.duration;
        }
        follow(time, (&self.markers_before, duration), (&self.markers, self.duration)).min(self.duration)
    }

    /// Takes over clips that were replaced. If their markers do not match as before, the clips are matched by phase.
    pub(super) fn renew(&mut self, clips: &[Info]) {
        for point in &mut self.points {
            let Info { duration, frames_per_second, ref marks } = clips[point.clip.index()];
            (point.duration, point.frames_per_second) = (duration, frames_per_second);
            point.marks = Rc::clone(marks);
        }
        if self.markers.is_empty() {
            return;
        }
        let marks: Vec<_> = self.points.iter().map(|point| (&*point.marks, point.duration)).collect();
        let count = self.markers.len();
        let aligned = align(&marks).filter(|aligned| aligned.iter().all(|times| times.len() == count));
        let aligned = aligned.unwrap_or_else(|| vec![Vec::new(); self.points.len()]);
        self.markers.truncate(aligned[0].len());
        for (point, markers) in self.points.iter_mut().zip(aligned) {
            point.markers = markers;
        }
    }

    fn weigh(&mut self) {
        let at = self.position.map(f64::from);
        let mut sum = 0.0;
        for i in 0..self.points.len() {
            let here = self.points[i].position.map(f64::from);
            let mut weight: f64 = 1.0;
            for other in &self.points {
                if other.position == self.points[i].position {
                    continue;
                }
                let there = other.position.map(f64::from);
                let (x, y) = (there[0] - here[0], there[1] - here[1]);
                let along = (at[0] - here[0]) * x + (at[1] - here[1]) * y;
                weight = weight.min((1.0 - along / (x * x + y * y)).clamp(0.0, 1.0));
            }
            self.points[i].weight = weight;
            sum += weight;
        }
        self.duration = 0.0;
        // The weight of the nearest point is at least ½, so the sum is not 0.
        for point in &mut self.points {
            point.weight /= sum;
            self.duration += point.weight * point.duration;
        }
        // The space begins at its first common marker. Each interval is the weighted mean of the clips'
        // intervals.
        let mut time = 0.0;
        for k in 0..self.markers.len() {
            self.markers[k] = time;
            for point in &self.points {
                time += point.weight * interval(&point.markers, point.duration, k);
            }
        }
    }

    /// The point with the largest weight; the first of equal ones.
    fn main(&self) -> &Point {
        let mut main = &self.points[0];
        for point in &self.points {
            if point.weight > main.weight {
                main = point;
            }
        }
        main
    }

    /// `true` if any of its clips has markers.
    pub(super) fn has_marks(&self) -> bool {
        self.points.iter().any(|point| !point.marks.is_empty())
    }

    pub(super) fn frames_per_second(&self) -> f64 {
        self.main().frames_per_second
    }

    /// The markers of the clip with the largest weight, in the time of the space.
    pub(super) fn marks(&self) -> Rc<[Mark]> {
        let main = self.main();
        let inside = main.marks.iter().filter(|mark| (0.0..=main.duration).contains(&mark.time));
        let own = (&self.markers[..], self.duration);
        let moved = inside.map(|mark| {
            let time = follow(mark.time, (&main.markers, main.duration), own);
            Mark { name: Rc::clone(&mark.name), time }
        });
        let mut marks: Vec<Mark> = moved.collect();
        sort_by(&mut marks, |a, b| a.time.total_cmp(&b.time));
        marks.into()
    }

    /// Adds the clips at `time` of the space, with their weights multiplied by `share`.
    pub(super) fn contribute(&self, time: f64, share: f64, contributions: &mut Vec<Contribution>) {
        for point in self.points.iter().filter(|point| point.weight > 0.0) {
            let time = follow(time, (&self.markers, self.duration), (&point.markers, point.duration));
            let weight = (share * point.weight) as f32;
            contributions.push(Contribution { clip: point.clip, time, weight });
        }
    }
}

/// The length of the interval from marker `k` to the next one, round the loop.
fn interval(markers: &[f64], length: f64, k: usize) -> f64 {
    let (this, next) = (markers[k], markers[(k + 1) % markers.len()]);
    if next > this { next - this } else { next - this + length }
}

/// The time in a loop that corresponds to `time` in another loop. With markers, it is at the same fraction
/// between the same two markers; without, at the same fraction of the length. Markers are in order round the
/// loop and may begin with any of them.
pub(super) fn follow(time: f64, from: (&[f64], f64), to: (&[f64], f64)) -> f64 {
    let ((markers, length), (to_markers, to_length)) = (from, to);
    if markers.is_empty() {
        let same = length == to_length;
        let scaled = if length > 0.0 { (time / length * to_length).min(to_length) } else { 0.0 };
        return if same { time } else { scaled };
    }
    let last = markers.len() - 1;
    for k in 0..=last {
        let into = if time < markers[k] { time - markers[k] + length } else { time - markers[k] };
        let this = interval(markers, length, k);
        if into < this || k == last {
            let fraction = if this > 0.0 { (into / this).min(1.0) } else { 0.0 };
            let time = to_markers[k] + fraction * interval(to_markers, to_length, k);
            return if time > to_length { time - to_length } else { time };
        }
    }
    0.0
}

/// The times of the markers whose names are in all lists; each list belongs to a loop of its own length. They
/// are in the order of the first list. `None` if the order round the loop differs.
pub(super) fn align(lists: &[(&[Mark], f64)]) -> Option<Vec<Vec<f64>>> {
    let common = |name: &str| lists.iter().all(|(marks, _)| marks.iter().any(|mark| &*mark.name == name));
    let mut aligned: Vec<Vec<f64>> = Vec::with_capacity(lists.len());
    let mut names: Vec<&str> = Vec::new();
    for &(marks, length) in lists {
        let inside = |mark: &&Mark| (0.0..=length).contains(&mark.time) && common(&mark.name);
        let kept: Vec<&Mark> = marks.iter().filter(inside).collect();
        if names.is_empty() {
            names = kept.iter().map(|mark| &*mark.name).collect();
        }
        let count = kept.len();
        let turned = |turn: usize| (0..count).map(move |i| (i + turn) % count);
        let fits = |&turn: &usize| turned(turn).map(|i| &*kept[i].name).eq(names.iter().copied());
        let turn = (0..count).find(fits)?;
        let distinct = kept.windows(2).all(|pair| pair[0].time < pair[1].time);
        let times: Vec<f64> = turned(turn).map(|i| kept[i].time).collect();
        // Markers at the beginning and at the end have the same position in the loop.
        if !distinct || count > 1 && kept[count - 1].time - kept[0].time >= length {
            return None;
        }
        aligned.push(times);
    }
    Some(aligned)
}
