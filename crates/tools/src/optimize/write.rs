//! Planned keys → animations of the document.

use super::keys::Keys;
use super::search::{Plan, layout};
use super::streams::{Placed, Purpose, Streams};
use super::tracks::Found;
use gambol::import::meshopt::Filter;
use gambol::model::{Interpolation, Path};
use gambol_gltf::document::Document;
use gambol_gltf::element::{ComponentType, Kind, Word};
use gambol_gltf::json::{Map, Value};
use std::collections::HashMap;

/// Writes animations, and shares accessors of key times and of values among all of them.
#[derive(Default)]
pub(super) struct Writer {
    times: HashMap<Vec<u32>, usize>,
    values: HashMap<(&'static str, usize, Vec<u8>), usize>,
}

impl Writer {
    /// Replaces the samplers of an animation.
    ///
    /// - `plan`: the keys of each of `found`; `None` drops the channel.
    /// - `duration`: of the clip, in seconds. It is kept.
    pub(super) fn write(
        &mut self,
        document: &mut Document,
        streams: &mut Streams,
        animation: usize,
        found: &[Found],
        mut plan: Plan,
        duration: f32,
    ) {
        keep_duration(document, animation, found, &mut plan, duration);
        let mut planned: HashMap<usize, (&Found, Option<Keys>)> = HashMap::new();
        for (found, keys) in found.iter().zip(plan) {
            planned.insert(found.channel, (found, keys));
        }
        let json = document.list("animations")[animation].clone();
        let list =
            |name: &str| json.get(name).and_then(Value::as_array).map(<[_]>::to_vec).unwrap_or_default();
        let old_samplers = list("samplers");
        let (mut samplers, mut channels): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        for (i, mut channel) in list("channels").into_iter().enumerate() {
            let sampler = match planned.get(&i) {
                Some((_, None)) => continue,
                Some((found, Some(keys))) => self.sampler(document, streams, found, keys),
                None => {
                    let old = channel.get("sampler").and_then(Value::as_u64);
                    let Some(old) = old.and_then(|old| old_samplers.get(old as usize)) else {
                        // A fault that stays as it is needs all samplers.
                        channels.push(channel);
                        continue;
                    };
                    old.clone()
                }
            };
            let at = samplers.iter().position(|known| *known == sampler).unwrap_or_else(|| {
                samplers.push(sampler);
                samplers.len() - 1
            });
            channel["sampler"] = at.into();
            channels.push(channel);
        }
        let target = &mut document.json["animations"][animation];
        target["samplers"] = samplers.into();
        target["channels"] = channels.into();
    }

    fn sampler(
        &mut self,
        document: &mut Document,
        streams: &mut Streams,
        found: &Found,
        keys: &Keys,
    ) -> Value {
        let mut sampler = Map::new();
        sampler.insert("input".to_owned(), self.times(document, streams, &keys.times).into());
        match keys.interpolation {
            Interpolation::Linear => {}
            Interpolation::Step => _ = sampler.insert("interpolation".to_owned(), "STEP".into()),
            Interpolation::CubicSpline => {
                _ = sampler.insert("interpolation".to_owned(), "CUBICSPLINE".into())
            }
        }
        let kind = match found.track.path {
            Path::Rotation => Kind::Vec4,
            Path::Weights => Kind::Scalar,
            Path::Translation | Path::Scale => Kind::Vec3,
        };
        let (stride, filter) = layout(keys);
        let key = (kind.word(), stride, keys.elements.clone());
        let output = self.values.get(&key).copied().unwrap_or_else(|| {
            let (component, normalized) = match filter {
                Filter::Quaternion => (ComponentType::I16, true),
                _ => (ComponentType::F32, false),
            };
            let count = keys.values.len() / kind.multiplicity();
            let placed = Placed { component, kind, normalized, count, range: None };
            let new = streams.add(document, (Purpose::Keys, stride, filter), &keys.elements, placed);
            self.values.insert(key, new);
            new
        });
        sampler.insert("output".to_owned(), output.into());
        Value::Object(sampler)
    }

    fn times(&mut self, document: &mut Document, streams: &mut Streams, times: &[f32]) -> usize {
        let key: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&known) = self.times.get(&key) {
            return known;
        }
        let elements: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
        let range = times.first().zip(times.last()).map(|(&first, &last)| (vec![first], vec![last]));
        let (component, kind, normalized) = (ComponentType::F32, Kind::Scalar, false);
        let placed = Placed { component, kind, normalized, count: times.len(), range };
        let new = streams.add(document, (Purpose::Times, 4, Filter::None), &elements, placed);
        self.times.insert(key, new);
        new
    }
}

/// Makes sure that a channel ends with the clip, and that there is a channel.
fn keep_duration(document: &Document, animation: usize, found: &[Found], plan: &mut Plan, duration: f32) {
    let json = &document.list("animations")[animation];
    let channels = json.get("channels").and_then(Value::as_array).map_or(0, <[_]>::len);
    let ends = plan.iter().flatten().filter_map(|keys| keys.times.last()).any(|&last| last >= duration);
    // The last key of a channel that stays is read from its accessor.
    let samplers = json.get("samplers").and_then(Value::as_array).unwrap_or_default();
    let stays =
        (0..channels).filter(|channel| found.iter().all(|found| found.channel != *channel)).any(|channel| {
            let sampler = json["channels"][channel].index_at("sampler");
            let input = sampler.and_then(|i| samplers.get(i)?.index_at("input"));
            let times = input.and_then(|input| document.floats(input).ok()).unwrap_or_default();
            times.into_iter().fold(0.0, f32::max) >= duration
        });
    if ends || stays {
        return;
    }
    // A channel that does not change takes the fewest bytes; one that was dropped returns.
    let constant = plan.iter().position(|keys| keys.as_ref().is_some_and(|keys| keys.times.len() == 1));
    let dropped = || plan.iter().position(Option::is_none);
    let Some(at) = constant.or_else(dropped).or((!found.is_empty()).then_some(0)) else { return };
    let track = &found[at].track;
    let first = track.first_key();
    let keys = plan[at].get_or_insert(first);
    if keys.times.last().is_some_and(|&last| last < duration) {
        keys.repeat_last(duration);
    }
}
