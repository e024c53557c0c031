//! The file as it is: JSON and channels before the importer's repairs.

use gambol_gltf::document::Document;
pub(super) use gambol_gltf::element::Interpolation;
use gambol_gltf::element::Word;
use gambol_gltf::json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Baked channels have at least as many keys, at distances of at most as many seconds (10 frames a second), which differ by
/// less than this part.
const BAKED: usize = 6;
const LONGEST: f64 = 0.101;
const UNEVEN: f64 = 0.05;

/// A name in the JSON; empty if it has none.
pub(super) fn name(value: &Value) -> &str {
    value.str_at("name").unwrap_or_default()
}

/// The animated property of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Path {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::Translation, Self::Rotation, Self::Scale, Self::Weights]
            .into_iter()
            .find(|path| path.name() == name)
    }
}

/// A channel of a node with usable keys.
#[derive(Debug, Clone)]
pub(super) struct Channel {
    /// The index in the animation.
    pub(super) index: usize,
    pub(super) node: usize,
    pub(super) path: Path,
    pub(super) interpolation: Interpolation,
    /// In seconds; finite, strictly increasing, at least one.
    pub(super) times: Arc<[f32]>,
    /// Finite numbers. As many rows as times, or three for each time of a spline.
    values: Arc<[f32]>,
    /// The numbers of a row.
    pub(super) width: usize,
}

impl Channel {
    /// The value at a key; of a spline, without its tangents.
    pub(super) fn value(&self, key: usize) -> &[f32] {
        let row = if self.interpolation == Interpolation::CubicSpline { 3 * key + 1 } else { key };
        self.values.get(row * self.width..(row + 1) * self.width).unwrap_or_default()
    }

    /// The values of all keys.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f32]> {
        (0..self.times.len()).map(|key| self.value(key))
    }

    /// A rotation as unit quaternion, with the sign that it has in the file.
    pub(super) fn rotation(&self, key: usize) -> [f64; 4] {
        let mut q = [0.0, 0.0, 0.0, 1.0];
        for (number, &value) in q.iter_mut().zip(self.value(key)) {
            *number = f64::from(value);
        }
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 { q.map(|x| x / length) } else { [0.0, 0.0, 0.0, 1.0] }
    }

    /// The seconds of a frame if a baking tool wrote the keys, one in each frame; `None` for keys by hand, which are few or
    /// uneven.
    pub(super) fn frame(&self) -> Option<f64> {
        let (&first, &last) = (self.times.first()?, self.times.last()?);
        let frame = (f64::from(last) - f64::from(first)) / (self.times.len() - 1) as f64;
        let is_even = |pair: &[f32]| (f64::from(pair[1]) - f64::from(pair[0]) - frame).abs() < UNEVEN * frame;
        let is_baked = self.interpolation == Interpolation::Linear
            && self.times.len() >= BAKED
            && frame <= LONGEST
            && self.times.windows(2).all(is_even);
        is_baked.then_some(frame)
    }

    /// The numbers from the file, with tangents of splines.
    pub(super) fn all(&self) -> &[f32] {
        &self.values
    }
}

/// An animation of the file.
#[derive(Debug, Clone)]
pub(super) struct Clip {
    pub(super) channels: Vec<Channel>,
    /// The last key time, in seconds.
    pub(super) end: f64,
}

/// Accessors as floats, each read once.
pub(super) struct Accessors<'a> {
    document: &'a Document,
    read: RefCell<HashMap<usize, Option<Arc<[f32]>>>>,
}

impl<'a> Accessors<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        Self { document, read: RefCell::default() }
    }

    /// The numbers of an accessor, normalised integers as floats; `None` if it cannot be read.
    pub(super) fn floats(&self, accessor: usize) -> Option<Arc<[f32]>> {
        if let Some(known) = self.read.borrow().get(&accessor) {
            return known.clone();
        }
        let read: Option<Arc<[f32]>> = self.document.floats(accessor).ok().map(Into::into);
        self.read.borrow_mut().insert(accessor, read.clone());
        read
    }
}

/// The animations of the file. Channels that the importer refuses are left out.
pub(super) fn clips(json: &Value, accessors: &Accessors<'_>) -> Vec<Clip> {
    json.list("animations").iter().map(|animation| clip(json, animation, accessors)).collect()
}

fn clip(json: &Value, animation: &Value, accessors: &Accessors<'_>) -> Clip {
    let samplers = animation.list("samplers");
    let channels = animation.list("channels").iter().enumerate();
    let channels: Vec<Channel> =
        channels.filter_map(|(i, each)| channel(json, i, each, samplers, accessors)).collect();
    let end = channels
        .iter()
        .filter_map(|channel| channel.times.last())
        .fold(0.0, |end: f64, &time| end.max(time.into()));
    Clip { channels, end }
}

fn channel(
    json: &Value,
    number: usize,
    channel: &Value,
    samplers: &[Value],
    accessors: &Accessors<'_>,
) -> Option<Channel> {
    let target = channel.get("target")?;
    let node = target.index_at("node")?;
    let path = Path::from_name(target.str_at("path")?)?;
    json.list("nodes").get(node)?;
    let sampler = samplers.get(channel.index_at("sampler")?)?;
    let interpolation =
        sampler.str_at("interpolation").map_or(Some(Interpolation::Linear), Interpolation::of)?;
    let times = accessors.floats(sampler.index_at("input")?)?;
    let output = sampler.index_at("output")?;
    let mut values = accessors.floats(output)?;
    let mut interpolation = interpolation;
    if interpolation == Interpolation::CubicSpline
        && path == Path::Rotation
        && accessors.document.is_filtered_to_quaternions(output)
    {
        // As the importer repairs tangents that are lost.
        values = values.chunks_exact(12).flat_map(|row| &row[4..8]).copied().collect();
        interpolation = Interpolation::Linear;
    }
    let rows = if interpolation == Interpolation::CubicSpline { 3 } else { 1 } * times.len();
    let width = match path {
        Path::Translation | Path::Scale => 3,
        Path::Rotation => 4,
        Path::Weights => values.len().checked_div(rows)?,
    };
    let increasing =
        times.iter().all(|time| time.is_finite()) && times.windows(2).all(|pair| pair[0] < pair[1]);
    let fits = !times.is_empty() && width > 0 && values.len() == rows * width;
    let finite = values.iter().all(|value| value.is_finite());
    (increasing && fits && finite).then_some(Channel {
        index: number,
        node,
        path,
        interpolation,
        times,
        values,
        width,
    })
}
