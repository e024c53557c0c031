//! Six bodies play each other's clips.

use super::bodies::{Body, LIMBS, biped, body, mixamo, unreal};
use super::world::{key_times, world};
use crate::common::models::models;
use gambol::animation::retarget::{HumanoidMap, Mode, Options, retarget};
use gambol::model::{Clip, ClipId, HumanBone as B, NodeId};
use glam::{DAffine3, DMat3, DVec3};
use std::fmt::Write;
use std::sync::Arc;

const SHOULDERS: [(B, B); 2] = [(B::LeftShoulder, B::LeftUpperArm), (B::RightShoulder, B::RightUpperArm)];

const MORE: [(B, B); 7] = [
    (B::Neck, B::Head),
    (B::LeftHand, B::LeftMiddleProximal),
    (B::RightHand, B::RightMiddleProximal),
    (B::LeftIndexProximal, B::LeftIndexIntermediate),
    (B::RightLittleIntermediate, B::RightLittleDistal),
    (B::LeftThumbMetacarpal, B::LeftThumbProximal),
    (B::RightThumbProximal, B::RightThumbDistal),
];

/// The generated bodies, and those of files that are there.
fn all() -> Vec<Body> {
    let mut all = vec![body("mixamo", &mixamo()), body("unreal", &unreal()), body("biped", &biped())];
    let files = ["gltf/RobotExpressive.glb", "gltf/CesiumMan.glb"];
    for (label, model) in models(&files) {
        let map = HumanoidMap::find(&model).unwrap_or_else(|| panic!("{label} is a humanoid"));
        let nodes = map.bones().collect();
        // All three look along +Z, as glTF says; their own left is +X.
        all.push(Body { label, axes: DMat3::IDENTITY, nodes, model });
    }
    if all.len() < 6 {
        eprintln!("skipped: models of ../shared/assets are not there");
    }
    all
}

impl Body {
    fn is_below(&self, above: NodeId, node: NodeId) -> bool {
        std::iter::successors(Some(node), |node| self.model.nodes[node.index()].parent)
            .any(|node| node == above)
    }

    /// The direction of a bone to its child in the body's axes. If the child is no descendant, the direction at rest
    /// moves with the bone.
    fn direction(&self, rest: &[DAffine3], world: &[DAffine3], bone: B, child: B) -> Option<DVec3> {
        let (bone, child) = (*self.nodes.get(&bone)?, *self.nodes.get(&child)?);
        let matrix = world[bone.index()];
        let vector = if self.is_below(bone, child) {
            world[child.index()].translation - matrix.translation
        } else {
            let local = rest[bone.index()].inverse().transform_point3(rest[child.index()].translation);
            matrix.transform_vector3(local)
        };
        Some((self.axes.transpose() * vector).normalize())
    }

    /// The way from ankle to toes at rest, and the part along the ground.
    fn foot(&self, rest: &[DAffine3], foot: B, toes: B) -> Option<(DVec3, DVec3)> {
        let (foot, toes) = (*self.nodes.get(&foot)?, *self.nodes.get(&toes)?);
        let way = rest[toes.index()].translation - rest[foot.index()].translation;
        Some((way, way - self.up() * way.dot(self.up())))
    }

    /// The direction of the sole: the way along the ground at rest, moved with the foot; or all of the way.
    fn sole(&self, rest: &[DAffine3], world: &[DAffine3], foot: B, toes: B, flat: bool) -> Option<DVec3> {
        let (way, along) = self.foot(rest, foot, toes)?;
        let way = if flat { along } else { way };
        let foot = self.nodes[&foot];
        let local = rest[foot.index()].matrix3.inverse() * way;
        Some((self.axes.transpose() * (world[foot.index()].matrix3 * local)).normalize())
    }

    fn clips(&self) -> Vec<usize> {
        let named = |name: &str| self.model.clips.iter().position(|clip| clip.name == name);
        let found: Vec<usize> =
            ["walk", "Walk", "Walking", "Wave", "Dance"].into_iter().filter_map(named).collect();
        if found.is_empty() { vec![0] } else { found }
    }
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

fn humanoid(source: &Body, clip: usize, target: &Body, foot_lock: bool) -> (Arc<Clip>, f64) {
    let mode = Mode::Map { source: Vec::new(), target: Vec::new() };
    let options = Options { mode, foot_lock, ..Options::default() };
    let made = retarget(&source.model, Some(ClipId::new(clip)), &target.model, &options)
        .unwrap_or_else(|error| panic!("{} → {}: {error}", source.label, target.label));
    let [clip] = &made.clips[..] else { panic!("one clip") };
    (clip.clone(), made.report.scale)
}

#[test]
fn retarget_keeps_the_directions_of_limbs_and_the_height_of_the_hips_at_every_key() {
    let all = all();
    let (mut worst, mut hips, mut way) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut table = String::new();
    for source in &all {
        let there = source.measure();
        for target in &all {
            let here = target.measure();
            let mut most = (0.0_f64, String::new());
            for clip in source.clips() {
                let (made, scale) = humanoid(source, clip, target, false);
                assert!((scale - here.leg / there.leg).abs() < 1e-6 * scale);
                let clip = &source.model.clips[clip];
                assert_eq!((&made.name, made.duration), (&clip.name, clip.duration));
                let times = key_times(clip);
                for time in times.iter().copied() {
                    let other = world(&source.model, Some(clip), time);
                    let own = world(&target.model, Some(&made), time);
                    let mut compare = |name: String, a: Option<DVec3>, b: Option<DVec3>| {
                        if let (Some(a), Some(b)) = (a, b) {
                            let angle = angle(a, b);
                            if angle > most.0 || angle.is_nan() {
                                most = (angle, format!("{name} at {time} of {}", clip.name));
                            }
                        }
                    };
                    for (bone, child) in LIMBS.into_iter().chain(SHOULDERS).chain(MORE) {
                        let a = source.direction(&there.rest, &other, bone, child);
                        let b = target.direction(&here.rest, &own, bone, child);
                        compare(bone.name().to_owned(), a, b);
                    }
                    for (foot, toes) in [(B::LeftFoot, B::LeftToes), (B::RightFoot, B::RightToes)] {
                        // A foot that points down at rest has no sole.
                        let is_flat = |body: &Body, rest: &[DAffine3]| {
                            body.foot(rest, foot, toes)
                                .is_none_or(|(way, flat)| flat.length() > 0.25 * way.length())
                        };
                        let flat = is_flat(source, &there.rest) && is_flat(target, &here.rest);
                        let a = source.sole(&there.rest, &other, foot, toes, flat);
                        let b = target.sole(&here.rest, &own, foot, toes, flat);
                        compare(foot.name().to_owned(), a, b);
                    }
                    // The line between the legs, and the way that the head turned.
                    let line = |body: &Body, world: &[DAffine3]| {
                        let at = |bone: B| world[body.nodes[&bone].index()].translation;
                        Some(body.axes.transpose() * (at(B::LeftUpperLeg) - at(B::RightUpperLeg)).normalize())
                    };
                    compare("hips".to_owned(), line(source, &other), line(target, &own));
                    let gaze = |body: &Body, rest: &[DAffine3], world: &[DAffine3], axis: DVec3| {
                        let head = body.nodes[&B::Head].index();
                        let local = rest[head].matrix3.inverse() * (body.axes * axis);
                        // Squash and stretch has no orientation.
                        let m = world[head].matrix3;
                        let right = (m.transpose() * m) / m.x_axis.length_squared();
                        right
                            .abs_diff_eq(DMat3::IDENTITY, 1e-3)
                            .then(|| (body.axes.transpose() * (m * local)).normalize())
                    };
                    for axis in [DVec3::Z, DVec3::Y] {
                        let a = gaze(source, &there.rest, &other, axis);
                        compare("head".to_owned(), a, gaze(target, &here.rest, &own, axis));
                    }
                    let (m, own_m) = (source.middle(&other), target.middle(&own));
                    let height = (m.dot(source.up()) - there.ankles) / there.leg;
                    let own_height = (own_m.dot(target.up()) - here.ankles) / here.leg;
                    hips = hips.max((height - own_height).abs());
                    let flat = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
                    let gone = flat(source.axes.transpose() * (m - there.middle)) / there.leg;
                    let own_gone = flat(target.axes.transpose() * (own_m - here.middle)) / here.leg;
                    way = way.max((gone - own_gone).length());
                }
            }
            writeln!(table, "{:>28} → {:<28} {:.5}° {}", source.label, target.label, most.0, most.1)
                .expect("text");
            worst = worst.max(most.0);
            assert!(!most.0.is_nan(), "{table}");
        }
    }
    eprintln!("{table}worst {worst:.5}°, height of the hips {hips:.2e}, way {way:.2e} of a leg");
    assert!(worst < 1.0, "{table}");
    assert!(hips < 0.01 && way < 0.01, "hips {hips}, way {way}");
}

#[test]
fn retarget_with_foot_lock_keeps_planted_feet_in_place() {
    let all = all();
    let mut table = String::new();
    let (mut worst, mut free, mut runs, mut lowest) = (0.0_f64, 0.0_f64, 0, 0.0_f64);
    for source in &all {
        let there = source.measure();
        for target in &all {
            let here = target.measure();
            let (mut most, mut sunk) = (0.0_f64, 0.0_f64);
            for clip in source.clips() {
                let made = [true, false].map(|lock| humanoid(source, clip, target, lock).0);
                let clip = &source.model.clips[clip];
                let times = key_times(clip);
                let other: Vec<_> =
                    times.iter().map(|time| world(&source.model, Some(clip), *time)).collect();
                let own = made.map(|made| {
                    times.iter().map(|time| world(&target.model, Some(&made), *time)).collect::<Vec<_>>()
                });
                for (other, own) in other.iter().zip(&own[0]) {
                    let height = (source.middle(other).dot(source.up()) - there.ankles) / there.leg;
                    let own_height = (target.middle(own).dot(target.up()) - here.ankles) / here.leg;
                    sunk = sunk.max((height - own_height).abs());
                }
                for foot in [B::LeftFoot, B::RightFoot] {
                    let at = |body: &Body, world: &[DAffine3]| world[body.nodes[&foot].index()].translation;
                    let mut begin = 0;
                    for i in 1..=times.len() {
                        let stays = |i: usize| {
                            (at(source, &other[i]) - at(source, &other[begin])).length()
                                < 0.002 * there.height
                        };
                        if i < times.len() && stays(i) {
                            continue;
                        }
                        if i - begin > 3 {
                            runs += 1;
                            for j in begin..i {
                                let slide = |own: &[Vec<DAffine3>]| {
                                    (at(target, &own[j]) - at(target, &own[begin])).length() / here.height
                                };
                                most = most.max(slide(&own[0]));
                                free = free.max(slide(&own[1]));
                            }
                        }
                        begin = i;
                    }
                }
            }
            writeln!(
                table,
                "{:>28} → {:<28} {:.4} %, hips {sunk:.4}",
                source.label,
                target.label,
                100.0 * most
            )
            .expect("text");
            lowest = lowest.max(sunk);
            worst = worst.max(most);
        }
    }
    eprintln!(
        "{table}{runs} planted feet slide by {:.4} % of the height, without the lock by {:.2} %; hips {:.2e} of a leg",
        100.0 * worst,
        100.0 * free,
        lowest
    );
    assert!(runs > 50, "{runs}");
    assert!(worst < 0.01, "{table}");
    assert!(free > worst, "the lock does nothing");
    assert!(lowest < 0.010_01, "{table}");
}
