//! Retargeting: clips of one model become clips of another with other bones.
//!
//! [`retarget`](retarget()) pairs the nodes of two models, by names or as humanoids ([`HumanoidMap`]), and returns
//! ordinary [`Clip`]s of the target.
//!
//! # Humanoids
//!
//! All rotations are in model space unless they are called local. `s` is the source, `t` the target, `rest` the pose
//! of the file without a clip. The source is first turned by C, one of the 24 right-angled rotations, which carries
//! the axes of its body (left and up, at rest) to those of the target's.
//!
//! ```text
//! D(t)  = R_s(t) · R_s(rest)⁻¹            the way that a bone of the source turned
//! A     = arc(d_t → d_s)                  the shortest rotation of the bone's direction at rest
//! R_t(t) = D(t) · A · R_t(rest)           so the direction is that of the source at every key
//! local  = R_parent(t)⁻¹ · R_t(t)         with the animated parent of the target
//! ```
//!
//! - The direction of a bone leads to its child, such as from shoulder to elbow. That of a foot is along the ground,
//!   so that flat feet stay flat.
//! - Bones without a direction: hips align the line between the legs, head and feet without toes the body's
//!   orientation, all others take the A of the bone that they are attached to.
//! - If joints of the source move within a bone, or scales are not uniform, a last shortest rotation carries the
//!   direction to that between the joints.
//! - Spines with different numbers of nodes: node i of n takes the rotation at i/n of the other spine, so that the
//!   chests agree.
//! - The middle m of the hip joints moves by k, the ratio of leg lengths: `m_t(t) = m_t(rest) + k · (m_s(t) −
//!   m_s(rest))` along the ground, and `h_t(t) − g_t = k · (h_s(t) − g_s)` in height, where g is the height of the
//!   ankles at rest.
//! - A bone that is no descendant of the bone that it is attached to (feet that are targets of inverse kinematics)
//!   gets a translation.
//!
//! # Rotations relative to the rest pose
//!
//! Both rest poses are the same posture, so A is 1, and bones of the spine are pairs as all others are:
//!
//! ```text
//! R_t(t) = R_s(t) · R_s(rest)⁻¹ · R_t(rest)
//! ```
//!
//! This is the formula of VRMC_vrm_animation for its clips on avatars of VRM. There C is half a turn about Y if the
//! fronts differ, and the hips of the target are at `k · h_s(t)`, where `h_s` is the position of those of the source
//! and k the ratio of the heights of the hips at rest.
//!
//! # Keys
//!
//! A track has keys at the times of the curves that it depends on; splines get as many more as lines need. Curves
//! with steps only stay steps. Nothing is sampled at a fixed rate. Figures and limits:
//! `docs/design/retargeting.md`.
//!
//! # Names
//!
//! See `names.rs`: keys are mapped one by one, or copied where the rest poses agree.

mod alignment;
mod bake;
mod body;
mod bone;
mod conventions;
mod directions;
mod error;
mod feet;
mod find;
mod humanoid;
mod keys;
mod morphs;
mod names;
mod nearest;
mod options;
mod pairing;
mod plan;
mod poser;
mod posture;
mod sampling;
mod source;
mod standing;
mod structure;

pub use conventions::Convention;
pub use error::RetargetError;
pub use humanoid::{GivenBones, HumanoidMap};
pub use options::{Hips, MappedBone, Mode, Options, Report, Retargeted, Rotations};

use crate::model::{Clip, ClipId, HumanBone, Model, NodeId, Path};
use bake::Baking;
use body::have_same_axes;
use morphs::Morphs;
use names::NamePairs;
use nearest::nearest;
use plan::Plan;
use source::Skeleton;
use std::sync::Arc;

/// The most nodes without a human bone that follow the node of the same name.
const FOLLOWERS: usize = 1024;
/// The most values of bones that a clip may take, and the most nodes of all clips together, so that a small file cannot
/// take all memory or time.
const VALUES: usize = 1 << 24;
const WORK: usize = 1 << 27;
/// Names in the message of [`RetargetError::NoMatch`].
const SUGGESTIONS: usize = 3;

/// Converts a clip of `source`, or all of them, for `target`.
///
/// # Errors
/// - The clips animate nothing that the target has.
/// - There is no such clip.
/// - A map of the options has unknown names.
pub fn retarget(
    source: &Model,
    clip: Option<ClipId>,
    target: &Model,
    options: &Options,
) -> Result<Retargeted, RetargetError> {
    let clips = match clip {
        None => &source.clips[..],
        Some(clip) => {
            let (index, count) = (clip.index(), source.clips.len());
            let one = source.clips.get(index..=index);
            one.ok_or(RetargetError::NoClip { index, count })?
        }
    };
    let names = NamePairs::new(source, target);
    let maps = match &options.mode {
        Mode::Names => None,
        Mode::Auto => {
            let maps = HumanoidMap::find(source).zip(HumanoidMap::find(target));
            // The rest poses of a few nodes agree also between bodies that face opposite ways.
            maps.filter(|(from, to)| {
                is_vrm_clip_for_avatar(from, to)
                    || !names.agree(&animated_nodes(source, clips, |_| true))
                    || !have_same_axes([source, target], [from, to])
            })
        }
        Mode::Map { source: from, target: to } => {
            HumanoidMap::find_with(source, from)?.zip(HumanoidMap::find_with(target, to)?)
        }
    };
    let mut retargeted = match maps {
        Some((from, to)) => as_humanoids(source, clips, target, &names, [&from, &to], options),
        None => by_names(source, clips, target, &names),
    };
    if options.mode == Mode::Auto && retargeted.report.conventions.is_none() {
        let nodes = animated_nodes(source, clips, |_| true);
        let found = nodes.iter().filter(|node| names.pairs[node.index()].is_some()).count();
        if 2 * found < nodes.len() {
            let all = nodes.len();
            retargeted
                .report
                .warnings
                .push(format!("Only {found} of {all} animated joints have the names of joints here"));
        }
    }
    if retargeted.clips.is_empty() && !clips.is_empty() {
        return Err(no_match(source, clips, target, &retargeted.report));
    }
    Ok(retargeted)
}

/// `true` for a clip of VRMC_vrm_animation and an avatar of VRM, whose bones the files name.
fn is_vrm_clip_for_avatar(from: &HumanoidMap, to: &HumanoidMap) -> bool {
    from.convention == Convention::VrmAnimation
        && matches!(to.convention, Convention::Vrm0 | Convention::Vrm1)
}

fn no_match(source: &Model, clips: &[Arc<Clip>], target: &Model, report: &Report) -> RetargetError {
    let nodes = animated_nodes(source, clips, |_| true);
    let names = nodes.iter().map(|node| &source.nodes[node.index()].name).filter(|name| !name.is_empty());
    let near = |name: &String| (name.clone(), nearest(name, target.nodes.iter().map(|node| &node.name[..])));
    RetargetError::NoMatch { nearest: names.take(SUGGESTIONS).map(near).collect(), channels: report.skipped }
}

/// The nodes that channels of clips animate, ascending.
fn animated_nodes(source: &Model, clips: &[Arc<Clip>], is: fn(Path) -> bool) -> Vec<NodeId> {
    let mut animated = vec![false; source.nodes.len()];
    let channels = clips.iter().flat_map(|clip| &clip.channels).filter(|channel| is(channel.path));
    channels.for_each(|channel| animated[channel.node.index()] = true);
    (0..animated.len()).filter(|&i| animated[i]).map(NodeId::new).collect()
}

fn by_names(source: &Model, clips: &[Arc<Clip>], target: &Model, names: &NamePairs<'_>) -> Retargeted {
    let morphs = Morphs::new(source, target);
    let mut report = Report { scale: 1.0, ..Report::default() };
    report.named = names.pairs.iter().flatten().count();
    let mut made = Vec::with_capacity(clips.len());
    for clip in clips {
        let (clip, skipped) = names.clip(clip, &morphs);
        report.skipped += skipped;
        if !clip.channels.is_empty() {
            made.push(clip.into());
        }
    }
    Retargeted { clips: made, report }
}

fn as_humanoids(
    source: &Model,
    clips: &[Arc<Clip>],
    target: &Model,
    names: &NamePairs<'_>,
    maps: [&HumanoidMap; 2],
    options: &Options,
) -> Retargeted {
    let [from, to] = maps;
    let followers = followers(source, clips, target, names, maps);
    let relative = match options.rotations {
        Rotations::Auto => is_vrm_clip_for_avatar(from, to),
        Rotations::Directions => false,
        Rotations::Relative => true,
    };
    let plan = Plan::new([source, target], maps, &followers, options.hips, relative);
    let morphs = Morphs::new(source, target);
    let mut report = report(maps, &plan);
    report.named = followers.len();
    let skeleton = Skeleton::new(source, &plan);
    let used = used_nodes(source, from, to, &followers, plan.of_vrm.is_some());
    let size = skeleton.len().max(plan.bones.len());
    let mut work = 0;
    let mut made = Vec::with_capacity(clips.len());
    for clip in clips {
        let mut own = Clip {
            name: clip.name.clone(),
            duration: clip.duration,
            markers: clip.markers.clone(),
            ..Clip::default()
        };
        work += size;
        let joints = if work < WORK { skeleton.joints(clip, &plan, options.foot_lock) } else { None };
        let values = joints.as_ref().map_or(0, |joints| size * joints.times.all.len());
        if values > VALUES || work >= WORK {
            report.warnings.push(format!("The clip “{}” has too many keys; it is left out", clip.name));
        } else if let Some(joints) = joints {
            let mut baking = Baking::new(&skeleton, clip, joints, target, &plan, options.foot_lock);
            baking.run();
            let faults = baking.channels(&mut own);
            if faults > 0 {
                let name = &clip.name;
                report
                    .warnings
                    .push(format!("{faults} tracks of “{name}” are not finite; they are left out"));
            }
        }
        let moves = |node: NodeId, path: Path| used[node.index()] && path != Path::Scale;
        let idle = clip.channels.iter().filter(|channel| channel.path != Path::Weights);
        report.skipped +=
            idle.filter(|channel| !moves(channel.node, channel.path)).count() + clip.properties.len();
        report.skipped += morphs.add(clip, &names.pairs, &mut own);
        if !own.channels.is_empty() {
            made.push(own.into());
        }
    }
    Retargeted { clips: made, report }
}

/// The nodes of the source that can move bones: those of bones and, except in files of VRM, all above; and those that
/// drive expressions.
fn used_nodes(
    source: &Model,
    from: &HumanoidMap,
    to: &HumanoidMap,
    followers: &[(NodeId, NodeId)],
    of_vrm: bool,
) -> Vec<bool> {
    let mut used = vec![false; source.nodes.len()];
    let bones = from.bones().filter(|(bone, _)| to.node(*bone).is_some()).map(|(_, node)| node);
    let expressions = source.humanoid.iter().flat_map(|humanoid| &humanoid.expressions);
    let drivers = expressions.filter_map(|expression| expression.driver);
    let nodes = bones.chain(from.spine().iter().copied()).chain(followers.iter().map(|(node, _)| *node));
    nodes.chain(drivers).for_each(|node| used[node.index()] = true);
    for i in (0..used.len()).rev() {
        if let Some(parent) = source.nodes[i].parent.filter(|_| used[i] && !of_vrm) {
            used[parent.index()] = true;
        }
    }
    used
}

/// Animated nodes without a human bone, and those with the same names below the hips of the target: tails, ears, hair.
fn followers(
    source: &Model,
    clips: &[Arc<Clip>],
    target: &Model,
    names: &NamePairs<'_>,
    [from, to]: [&HumanoidMap; 2],
) -> Vec<(NodeId, NodeId)> {
    let (Some(hips), Some(own_hips)) = (from.node(HumanBone::Hips), to.node(HumanBone::Hips)) else {
        return Vec::new();
    };
    let below = |model: &Model, hips: NodeId| {
        let mut below = vec![false; model.nodes.len()];
        for (i, node) in model.nodes.iter().enumerate() {
            below[i] = node.parent.is_some_and(|parent| parent == hips || below[parent.index()]);
        }
        below
    };
    let (is_below, own_below) = (below(source, hips), below(target, own_hips));
    let bones = |map: &HumanoidMap, count: usize| {
        let mut bones = vec![false; count];
        let nodes = map.bones().map(|(_, node)| node).chain(map.spine().iter().copied());
        nodes.for_each(|node| bones[node.index()] = true);
        bones
    };
    let (bones, mut taken) = (bones(from, source.nodes.len()), bones(to, target.nodes.len()));
    let nodes = animated_nodes(source, clips, |path| path == Path::Rotation);
    let mut followers = Vec::new();
    for node in nodes.into_iter().filter(|node| is_below[node.index()] && !bones[node.index()]) {
        let own = names.pairs[node.index()].filter(|own| own_below[own.index()]);
        if let Some(own) = own.filter(|own| !std::mem::replace(&mut taken[own.index()], true)) {
            followers.push((node, own));
        }
    }
    followers.truncate(FOLLOWERS);
    followers
}

fn report([from, to]: [&HumanoidMap; 2], plan: &Plan) -> Report {
    let mut report = Report {
        conventions: Some([from.convention, to.convention]),
        scale: plan.scale,
        ..Report::default()
    };
    for bone in HumanBone::ALL {
        match (from.node(bone), to.node(bone)) {
            (Some(source), Some(target)) => report.mapped.push(MappedBone { bone, source, target }),
            (None, None) if !bone.is_essential() => {}
            _ => report.missing.push(bone),
        }
        if from.ambiguous.contains(&bone) || to.ambiguous.contains(&bone) {
            report.ambiguous.push(bone);
        }
    }
    if plan.unmeasured {
        report
            .warnings
            .push("The lengths of the legs are unknown; the hips move as in the source".to_owned());
    }
    if from.spine().len() != to.spine().len() && !plan.relative {
        let (other, own) = (from.spine().len(), to.spine().len());
        report
            .warnings
            .push(format!("The spine has {own} joints, that of the clips {other}; its bend is distributed"));
    }
    for (found, whose) in plan.stances.into_iter().zip(["clips' skeleton", "model"]) {
        let rest = format!("The rest pose of the {whose} is no standing body");
        match found {
            Some(true) => report.warnings.push(format!("{rest}; one was found in its clips")),
            Some(false) => {
                report.warnings.push(format!("{rest}, and no pose of its clips is; limbs may be twisted"))
            }
            None => {}
        }
    }
    for map in [from, to] {
        if map.convention == Convention::Structure {
            let what = "The bones were found by the shape of the skeleton, as their names are not known";
            report.warnings.push(what.to_owned());
        }
    }
    report
}
