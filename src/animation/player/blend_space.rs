//! Blend spaces: clips at points of a line or a plane, mixed by where a parameter stands among them.

use super::events::Mark;
use crate::animation::mixing::Contribution;
use crate::base::{deferred, sort_by};
use crate::model::ClipId;
use std::fmt;
use std::rc::Rc;

/// Whether a source goes along with another, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncMode {
    /// It has a time of its own.
    #[default]
    None,
    /// It is at the same fraction of its length.
    Phase,
    /// It is at the same fraction between markers of the same names, in their order round the loop: footsteps come
    /// together however they are spaced. As `Phase` where the markers do not match.
    Marker,
}

/// Clips that keep step, mixed by the place of a parameter among their points. It plays like one clip.
///
/// A clip's weight is the smallest, over all others, of 1 at its own point falling to 0 at the other's along the line
/// between them; then all are divided by their sum. So a point has its clip alone, and on a line the two neighbours mix in
/// proportion. The space's length is the mean of the clips' by weight.
#[derive(Debug, Clone)]
pub struct BlendSpace {
    points: Vec<Point>,
    position: [f32; 2],
    duration: f64,
    /// The times of the common markers; those of the last position too, for keeping the phase.
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

/// What a [`BlendSpace`] has to know of a clip.
#[derive(Debug, Clone)]
pub(super) struct Info {
    pub(super) duration: f64,
    pub(super) frames_per_second: f64,
    pub(super) marks: Rc<[Mark]>,
}

/// Why points make no [`BlendSpace`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlendSpaceError {
    /// There is no point.
    NoPoints,
    /// A point names a clip that the model does not have.
    UnknownClip {
        /// The index of the point.
        point: usize,
    },
    /// A point's place is NaN or infinite.
    NotFinite {
        /// The index of the point.
        point: usize,
    },
    /// Two points are at one place.
    SamePlace {
        /// The index of the later point.
        point: usize,
    },
    /// The clips have no markers of the same names in the same order round the loop.
    Markers,
}

impl BlendSpaceError {
    /// A code that never changes.
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
            Self::UnknownClip { point } => write!(f, "point {point} names a clip that is not there"),
            Self::NotFinite { point } => write!(f, "the place of point {point} is not finite"),
            Self::SamePlace { point } => write!(f, "point {point} is where an earlier one is"),
            Self::Markers => write!(f, "the clips have no markers of the same names in the same order"),
        }
    }
}

impl std::error::Error for BlendSpaceError {}

deferred! {
    pub(super) fn space_marks(space: &BlendSpace) -> Rc<[Mark]> = BlendSpace::marks;
    pub(super) fn space_contribute(
        space: &BlendSpace, time: f64, share: f64, contributions: &mut Vec<Contribution>,
    ) = BlendSpace::contribute;
}

impl BlendSpace {
    /// The clips of its points.
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

    /// Where the parameter stands.
    pub fn position(&self) -> [f32; 2] {
        self.position
    }

    /// The clips and their weights, which add up to 1.
    pub fn weights(&self) -> impl Iterator<Item = (ClipId, f64)> {
        self.points.iter().map(|point| (point.clip, point.weight))
    }

    /// The mean of the clips' lengths by weight, in seconds.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Moves the parameter; NaN changes nothing.
    pub fn set_position(&mut self, position: [f32; 2]) {
        let [x, y] = position;
        if x.is_nan() || y.is_nan() {
            return;
        }
        self.position = [x.clamp(-f32::MAX, f32::MAX), y.clamp(-f32::MAX, f32::MAX)];
        self.markers_before.clone_from(&self.markers);
        self.weigh();
    }

    /// The time of the same phase as `time` was before the last [`BlendSpace::set_position`], when the length was
    /// `duration`.
    pub(super) fn moved(&self, time: f64, duration: f64) -> f64 {
        if time >= duration {
            return self.duration;
        }
        follow(time, (&self.markers_before, duration), (&self.markers, self.duration)).min(self.duration)
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
        // The nearest point's weight is at least a half.
        for point in &mut self.points {
            point.weight /= sum;
            self.duration += point.weight * point.duration;
        }
        // The space begins at its first common marker, and each interval is the mean of the clips'.
        let mut time = 0.0;
        for k in 0..self.markers.len() {
            self.markers[k] = time;
            for point in &self.points {
                time += point.weight * interval(&point.markers, point.duration, k);
            }
        }
    }

    /// The point of the greatest weight: the first of equals.
    fn main(&self) -> &Point {
        let mut main = &self.points[0];
        for point in &self.points {
            if point.weight > main.weight {
                main = point;
            }
        }
        main
    }

    pub(super) fn frames_per_second(&self) -> f64 {
        self.main().frames_per_second
    }

    /// The markers of the clip of the greatest weight, in the space's time.
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

    /// Adds the clips at `time` of the space, with their part of `share`.
    fn contribute(&self, time: f64, share: f64, contributions: &mut Vec<Contribution>) {
        for point in self.points.iter().filter(|point| point.weight > 0.0) {
            let time = follow(time, (&self.markers, self.duration), (&point.markers, point.duration));
            let weight = (share * point.weight) as f32;
            contributions.push(Contribution { clip: point.clip, time, weight });
        }
    }
}

/// The length of the interval from marker `k` to the next, round the loop.
fn interval(markers: &[f64], length: f64, k: usize) -> f64 {
    let (this, next) = (markers[k], markers[(k + 1) % markers.len()]);
    if next > this { next - this } else { next - this + length }
}

/// The time in a loop that corresponds to `time` in another: between the same two markers at the same fraction, or without
/// markers at the same fraction of all. Markers are in order round the loop, from any of them on.
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

/// Of each list of markers in a loop of some length, the times of those whose names are in all lists: in the order of the
/// first list, if all have the same order round the loop.
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
        // One at the beginning and one at the end are at the same place of the loop.
        if !distinct || count > 1 && kept[count - 1].time - kept[0].time >= length {
            return None;
        }
        aligned.push(times);
    }
    Some(aligned)
}
