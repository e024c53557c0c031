//! Animations as clips.
//!
//! Keys of matrices become translation, rotation and scale, as DirectX interpolates them. Parts of a transform without keys
//! keep the value of the frame's matrix. AnimationOptions (loops, splines) have no effect in DirectX either.

use std::collections::HashSet;

use glam::{DQuat, DVec3};

use super::frames::Tree;
use super::kind::Kind;
use super::lexer::Fault;
use super::matrix::{decompose, matrix, point, rotation};
use super::objects::{Child, File};
use super::values::Values;
use crate::error::{FormatError, codes};
use crate::rotation::continuous;
use crate::scene::{Channel, Clip, Interpolation, Path, Scene};

/// The ticks of a second, if a file does not say.
const TICKS: f64 = 4800.0;
/// The frames of a second, if keys are numbered by frames, and the file does not say.
const FRAMES: f64 = 24.0;

/// A list of keys.
struct Keys {
    /// An object, for warnings.
    object: usize,
    /// In ticks, increasing.
    times: Vec<f64>,
    values: KeyValues,
}

enum KeyValues {
    Rotations(Vec<DQuat>),
    Scales(Vec<DVec3>),
    Translations(Vec<DVec3>),
    Transforms(Vec<(DVec3, DQuat, DVec3)>),
}

/// Adds a clip for each animation set to the scene, and one for all animations outside of sets.
pub(super) fn read(file: &File<'_>, tree: &Tree, unit: f64, scene: &mut Scene) -> Result<(), FormatError> {
    let of_kind = |kind| file.top.iter().copied().filter(move |&object| file.objects[object].kind == kind);
    let sets = of_kind(Kind::AnimationSet).map(|set| {
        let name = file.objects[set].name.clone();
        (name, file.children(set, Kind::Animation).collect::<Vec<_>>())
    });
    let mut sets: Vec<_> = sets.collect();
    // Animations that a set refers to are in it.
    let is_in_set: HashSet<_> = sets.iter().flat_map(|(_, animations)| animations.clone()).collect();
    let others: Vec<_> =
        of_kind(Kind::Animation).filter(|animation| !is_in_set.contains(animation)).collect();
    if !others.is_empty() {
        sets.push((String::new(), others));
    }
    let mut clips = Vec::new();
    for (name, animations) in sets {
        let mut channels = Vec::new();
        for animation in animations {
            if let Some(node) = target(file, animation, tree) {
                for object in file.children(animation, Kind::AnimationKey) {
                    channels.extend(keys(file, object, unit)?.map(|keys| (node, keys)));
                }
            }
        }
        clips.push((name, channels));
    }
    let ticks = ticks_per_second(file, clips.iter().flat_map(|(_, channels)| channels));
    for (name, keys) in clips {
        let name = if name.is_empty() { file.conversion.stem.to_owned() } else { name };
        let mut clip = Clip { name, channels: Vec::new() };
        let mut known = HashSet::new();
        for (node, keys) in keys {
            add_channels(file, node, keys, ticks, scene, &mut clip, &mut known)?;
        }
        scene.clips.push(clip);
    }
    Ok(())
}

/// The node of the frame to which an animation refers.
fn target(file: &File<'_>, animation: usize, tree: &Tree) -> Option<usize> {
    let node = file.children(animation, Kind::Frame).find_map(|frame| tree.node(frame));
    let refers = file.objects[animation].children.iter().any(|child| matches!(child, Child::Reference(_)));
    if node.is_none() {
        let message = if refers {
            "The animation is of no frame; it is skipped"
        } else {
            "The animation names no frame; it is skipped"
        };
        file.warn(codes::X_KEYS_IGNORED, message, animation);
    }
    node
}

/// Reads AnimationKey: the kind of keys, then time, number of values and values of each.
fn keys(file: &File<'_>, object: usize, unit: f64) -> Result<Option<Keys>, FormatError> {
    let mut values = Values::new(file, object);
    match read_keys(&mut values, unit) {
        Ok((times, key_values)) => {
            drop(values);
            Ok(sorted(file, object, times, key_values))
        }
        Err(fault) => {
            values.warn(fault, "the keys are skipped");
            Ok(None)
        }
    }
}

fn read_keys(values: &mut Values<'_, '_>, unit: f64) -> Result<(Vec<f64>, KeyValues), Fault> {
    fn list<const N: usize, T>(
        values: &mut Values<'_, '_>,
        key: impl Fn([f64; N]) -> T,
    ) -> Result<(Vec<f64>, Vec<T>), Fault> {
        let keys = values.list(|values| {
            let time = values.double()?;
            let at = values.at();
            let count = values.integer()?;
            if count as usize != N {
                let message = format!("A key has {count} values instead of {N}");
                return Err(Fault { code: codes::X_KEYS_IGNORED, message, at });
            }
            Ok((time, key(values.doubles()?)))
        })?;
        Ok(keys.into_iter().unzip())
    }
    let at = values.at();
    Ok(match values.integer()? {
        0 => {
            // A rotation of length 0 is none.
            let key = |key| {
                Some(rotation(key).normalize()).filter(|key| key.is_finite()).unwrap_or(DQuat::IDENTITY)
            };
            let (times, keys) = list(values, key)?;
            (times, KeyValues::Rotations(keys))
        }
        1 => {
            let (times, keys) = list(values, DVec3::from_array)?;
            (times, KeyValues::Scales(keys))
        }
        2 => {
            let (times, keys) = list(values, |key| point(key, unit))?;
            (times, KeyValues::Translations(keys))
        }
        3 | 4 => {
            let mut exact = true;
            let (times, matrices) = list(values, |key| matrix(key, unit))?;
            let keys = matrices.into_iter().map(|matrix| {
                let (transform, is_exact) = decompose(matrix);
                exact &= is_exact;
                (transform.translation, transform.rotation, transform.scale)
            });
            let keys = keys.collect();
            if !exact {
                values.warn_of_shear();
            }
            (times, KeyValues::Transforms(keys))
        }
        kind => {
            let message = format!("There are no keys of the kind {kind}");
            return Err(Fault { code: codes::X_KEYS_IGNORED, message, at });
        }
    })
}

/// Keys by time. Of keys of the same time, the last is used.
fn sorted(file: &File<'_>, object: usize, times: Vec<f64>, values: KeyValues) -> Option<Keys> {
    if times.is_empty() {
        return None;
    }
    if times.windows(2).all(|pair| pair[0] < pair[1]) {
        return Some(Keys { object, times, values });
    }
    let message = "The times of keys do not increase; the keys are sorted";
    file.warn(codes::X_KEYS_UNSORTED, message, object);
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
    let order: Vec<_> = (0..order.len())
        .filter(|&i| order.get(i + 1).is_none_or(|&next| times[next] > times[order[i]]))
        .map(|i| order[i])
        .collect();
    Some(Keys { object, times: order.iter().map(|&i| times[i]).collect(), values: values.picked(&order) })
}

impl KeyValues {
    fn picked(self, order: &[usize]) -> Self {
        fn pick<T: Copy>(list: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|&i| list[i]).collect()
        }
        match self {
            Self::Rotations(list) => Self::Rotations(pick(&list, order)),
            Self::Scales(list) => Self::Scales(pick(&list, order)),
            Self::Translations(list) => Self::Translations(pick(&list, order)),
            Self::Transforms(list) => Self::Transforms(pick(&list, order)),
        }
    }
}

/// The ticks of a second. Without AnimTicksPerSecond they are 4800, as in DirectX. But programs that leave it out often
/// number keys by frames: if keys are less than 40 ticks apart (120 a second), or all end within 480 ticks (0.1 s), a
/// tick is taken for a frame, 24 a second.
fn ticks_per_second<'k>(file: &File<'_>, channels: impl Iterator<Item = &'k (usize, Keys)>) -> f64 {
    if let Some(object) =
        (0..file.objects.len()).find(|&object| file.objects[object].kind == Kind::AnimTicksPerSecond)
    {
        let mut values = Values::new(file, object);
        match values.double() {
            Ok(ticks) if ticks > 0.0 => return ticks,
            Ok(_) => file.warn(codes::X_TICKS_GUESSED, "The ticks of a second are not positive", object),
            Err(fault) => values.warn(fault, "the ticks of a second are guessed"),
        }
    }
    let (mut interval, mut end) = (f64::INFINITY, 0.0_f64);
    let mut first = None;
    for (_, Keys { object, times, .. }) in channels {
        first.get_or_insert(*object);
        interval = times.windows(2).map(|pair| pair[1] - pair[0]).fold(interval, f64::min);
        end = times.iter().copied().fold(end, f64::max);
    }
    match first {
        // A single key has no duration.
        Some(object) if interval < f64::INFINITY && (interval < 40.0 || end < 480.0) => {
            let message = format!(
                "The file does not say the ticks of a second; they are taken for frames, {FRAMES} a second"
            );
            file.warn(codes::X_TICKS_GUESSED, message, object);
            FRAMES
        }
        _ => TICKS,
    }
}

/// The memory of a key in a channel.
const KEY: usize = 20;

fn add_channels(
    file: &File<'_>,
    node: usize,
    keys: Keys,
    ticks: f64,
    scene: &Scene,
    clip: &mut Clip,
    known: &mut HashSet<(usize, Path)>,
) -> Result<(), FormatError> {
    let Keys { object, times, values } = keys;
    let times: Vec<f32> = times.into_iter().map(|time| (time / ticks) as f32).collect();
    // Ticks may be so short that two times are the same f32.
    let kept: Vec<usize> = (0..times.len())
        .filter(|&i| times[i].is_finite() && times.get(i + 1).is_none_or(|&next| next > times[i]))
        .collect();
    let times: Vec<f32> = kept.iter().map(|&i| times[i]).collect();
    file.spend(3 * KEY * times.len(), object)?;
    let mut add = |path, values| {
        if !known.insert((node, path)) {
            let message = "The frame has such keys already; these are skipped";
            file.warn(codes::X_KEYS_IGNORED, message, object);
            return;
        }
        let times = times.clone();
        clip.channels.push(Channel { node, path, interpolation: Interpolation::Linear, times, values });
    };
    let vectors = |list: Vec<DVec3>| {
        list.into_iter().flat_map(|vector| vector.as_vec3().to_array()).collect::<Vec<_>>()
    };
    match values.picked(&kept) {
        KeyValues::Rotations(list) => add(Path::Rotation, continuous(list)),
        KeyValues::Scales(list) => add(Path::Scale, vectors(list)),
        KeyValues::Translations(list) => add(Path::Translation, vectors(list)),
        KeyValues::Transforms(list) => {
            add(Path::Translation, vectors(list.iter().map(|key| key.0).collect()));
            add(Path::Rotation, continuous(list.iter().map(|key| key.1)));
            let scales = vectors(list.iter().map(|key| key.2).collect());
            // Most matrices do not scale.
            let rest = scene.nodes[node].scale;
            let is_rest =
                |scale: &[f32]| scale.iter().zip(rest).all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs());
            if !scales.chunks_exact(3).all(is_rest) {
                add(Path::Scale, scales);
            }
        }
    }
    Ok(())
}
