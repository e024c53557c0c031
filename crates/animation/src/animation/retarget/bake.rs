//! Evaluates the source at the times of its keys, and makes keys of the target's bones.

use super::body::Body;
use super::bone::{Anchor, Bone};
use super::directions::{arc, unit};
use super::feet::{Feet, Leg};
use super::keys::{far, keys};
use super::plan::Plan;
use super::sampling::{Times, vector};
use super::source::{Joints, Skeleton, Source};
use crate::animation::rest_pose::{transform, unit_of, unit_quat};
use crate::base::sort_by;
use crate::model::{Channel, Clip, Curve, HumanBone, Interpolation, Model, NodeId, Path};
use gambol_kernels::{same_hemisphere, slerp};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// Rotations and distances per size of the body that count as the same.
const SAME: f64 = 1e-5;

/// Rest poses whose lowest joint is at most this far from the height 0 stand there, in lengths of a leg.
const FLOOR: f64 = 0.3;
/// Hips that are always higher than this above their height at rest are above another ground; in lengths of a leg.
const HOVERS: f64 = 0.05;

/// The nodes of the source that are bones.
fn nodes_of(plan: &Plan) -> impl Iterator<Item = NodeId> {
    let bones = plan.bones.iter().filter(|bone| bone.human.is_some());
    bones.filter_map(|bone| Some(bone.drivers.first()?.0))
}

/// The origin of a bone's translation.
#[derive(Clone, Copy)]
enum Place {
    Rest,
    Hips,
    /// Attached to a bone that is no ancestor: the bone, and the position in its space.
    Attached(usize, DVec3),
}

/// A bone of the target while it is baked.
struct Baked<'p> {
    bone: &'p Bone,
    drivers: Vec<(usize, DQuat)>,
    place: Place,
    /// The joints whose positions give the direction, and the position of the child in the target's bone.
    aim: Option<(usize, usize, DVec3)>,
    translation: DVec3,
    scale: DVec3,
    rotations: Vec<[f32; 4]>,
    translations: Vec<[f32; 3]>,
}

/// The translation of the hips.
struct Ground {
    /// The joints of the source whose middle moves the hips.
    joints: Vec<usize>,
    /// Their middle at rest.
    middle: DVec3,
    /// Where their middle is in the target at rest, along the ground; and the factor of the way.
    own: DVec3,
    scale: f64,
    up: DVec3,
    /// The heights of the ground of the ankles in source and target.
    heights: [f64; 2],
    /// The middle of the hip joints in the space of the hips.
    offset: DVec3,
}

impl Ground {
    fn middle_of(&self, source: &Source<'_>) -> DVec3 {
        let sum: DVec3 = self.joints.iter().map(|joint| source.at(*joint)).sum();
        sum / self.joints.len() as f64
    }

    /// The position of the middle of the hip joints in the target.
    fn place(&self, middle: DVec3) -> DVec3 {
        let way = (middle - self.middle) * self.scale;
        let along = self.own + way - self.up * (self.own + way).dot(self.up);
        along + self.up * (self.heights[1] + self.scale * (middle.dot(self.up) - self.heights[0]))
    }
}

/// The keys of a clip of the source.
pub(super) struct Baking<'a, 'p> {
    clip: &'a Clip,
    target: &'a Model,
    plan: &'p Plan,
    source: Source<'a>,
    times: Times<'a>,
    /// For each joint, the sets of times of its rotation, and of its translation and scale.
    sets: Vec<[Vec<usize>; 2]>,
    bones: Vec<Baked<'p>>,
    ground: Option<Ground>,
    feet: Option<Feet>,
    /// World rotations and matrices of the bones, at the current time.
    worlds: Vec<DQuat>,
    affines: Vec<DAffine3>,
    /// `true` if the matrices of the bones are needed.
    places: bool,
}

impl<'a, 'p> Baking<'a, 'p> {
    /// Prepares the joints of a clip.
    pub(super) fn new(
        skeleton: &Skeleton<'a>,
        clip: &'a Clip,
        joints: Joints<'a>,
        target: &'a Model,
        plan: &'p Plan,
        foot_lock: bool,
    ) -> Self {
        let Joints { source, times, sets, aims } = joints;
        let mut baking = Self {
            clip,
            target,
            plan,
            source,
            times,
            sets,
            bones: Vec::with_capacity(plan.bones.len()),
            ground: None,
            feet: None,
            worlds: vec![DQuat::IDENTITY; plan.bones.len()],
            affines: vec![DAffine3::IDENTITY; plan.bones.len()],
            places: false,
        };
        for (bone, aims) in plan.bones.iter().zip(aims) {
            let baked = baking.bone(bone, skeleton, aims);
            let hangs = matches!(baked.place, Place::Hips) && bone.anchor.bone.is_some();
            baking.places |= hangs || baked.aim.is_some() || matches!(baked.place, Place::Attached(..));
            baking.bones.push(baked);
        }
        let first = baking.times.all.first().copied().unwrap_or(0.0);
        baking.source.seek(first, true);
        baking.ground = baking.ground(skeleton);
        if foot_lock {
            baking.feet = baking.feet(skeleton);
            baking.places |= baking.feet.is_some();
        }
        baking
    }

    fn bone(&self, bone: &'p Bone, skeleton: &Skeleton<'a>, aims: bool) -> Baked<'p> {
        let rest = self.target.nodes[bone.target.index()].rest;
        let from = bone.drivers.first().and_then(|(node, _)| skeleton.joint(*node));
        let aim =
            bone.to.filter(|_| aims).and_then(|to| Some((from?, skeleton.joint(to.child)?, to.offset?)));
        let driver = |&(node, turn): &(NodeId, DQuat)| Some((skeleton.joint(node)?, turn));
        let place = match bone.attached {
            _ if bone.human == Some(HumanBone::Hips) => Place::Hips,
            Some((other, offset)) => Place::Attached(other, offset),
            None => Place::Rest,
        };
        Baked {
            bone,
            drivers: bone.drivers.iter().filter_map(driver).collect(),
            place,
            aim,
            translation: rest.translation.as_dvec3(),
            scale: rest.scale.as_dvec3(),
            rotations: Vec::with_capacity(self.times.all.len()),
            translations: Vec::new(),
        }
    }

    /// The middle of the source's hip joints, and the ground.
    fn ground(&mut self, skeleton: &Skeleton<'_>) -> Option<Ground> {
        let hips = self.bones.iter().find(|bone| matches!(bone.place, Place::Hips))?;
        let (plan, rest) = (self.plan, &self.plan.target_rest);
        let (body, own) = (&plan.source_body, &plan.target_body);
        if plan.of_vrm.is_some() {
            return Some(Ground {
                joints: vec![hips.drivers.first()?.0],
                middle: DVec3::ZERO,
                own: DVec3::ZERO,
                scale: plan.scale,
                up: own.up(),
                heights: [0.0; 2],
                offset: DVec3::ZERO,
            });
        }
        let legs = [HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg];
        let nodes = plan.bones.iter().filter(|bone| bone.human.is_some_and(|bone| legs.contains(&bone)));
        let mut joints: Vec<usize> =
            nodes.filter_map(|bone| skeleton.joint(bone.drivers.first()?.0)).collect();
        let paired = joints.len() == 2;
        if !paired {
            joints = vec![hips.drivers.first()?.0];
        }
        let node = |joint: usize| self.source.joints[joint].node;
        let at_rest: DVec3 = joints.iter().map(|joint| plan.source_rest.at(node(*joint))).sum();
        let target = hips.bone.target;
        let own_middle = if paired { own.middle } else { rest.at(target) };
        let up = own.up();
        let mut ground = Ground {
            middle: at_rest / joints.len() as f64,
            joints,
            own: own_middle,
            scale: plan.scale,
            up,
            heights: [0.0; 2],
            offset: rest.affines[target.index()].inverse().transform_point3(own_middle),
        };
        // The ankles at rest are above the ground, if the rest pose stands.
        let height = |body: &Body, middle: DVec3| {
            let (leg, top) = (body.leg.unwrap_or(0.0), middle.dot(up));
            let ankles = body.ankles.map(|ankles| ankles.dot(up));
            ankles.filter(|ankles| top - ankles > 0.5 * leg).unwrap_or(top - leg)
        };
        ground.heights = [height(body, ground.middle), height(own, own_middle)];
        let floor =
            nodes_of(plan).map(|node| plan.source_rest.at(node).dot(up)).fold(f64::INFINITY, f64::min);
        let leg = body.leg.unwrap_or(body.torso);
        if floor.abs() > FLOOR * leg {
            // Motion capture: the ground is at 0, which is not below the rest pose. The hips of a clip that is relative
            // to the rest pose are at their height at rest or below it at some time.
            let [lowest, hips] = self.lowest(skeleton, &ground);
            let hovers = floor < 0.0 && hips > ground.middle.dot(up) + HOVERS * leg;
            if hovers || lowest.abs() < (lowest - floor).abs() {
                ground.heights[0] = ground.heights[1] / plan.scale;
            }
        }
        // A rest pose away from the origin and from the clip has no place in it.
        let along = |v: DVec3| v - up * v.dot(up);
        let (place, begin) = (along(ground.middle), along(ground.middle_of(&self.source)));
        if place.length() > FLOOR * leg && begin.length() < (begin - place).length() {
            ground.middle -= place;
        }
        Some(ground)
    }

    /// The least heights of the source's bones, and of the middle of its hip joints, at some times of the clip.
    fn lowest(&self, skeleton: &Skeleton<'_>, ground: &Ground) -> [f64; 2] {
        const SAMPLES: usize = 24;
        let mut poser = skeleton.poser(self.clip);
        let mut lowest = [f64::INFINITY; 2];
        for time in poser.times(SAMPLES) {
            poser.seek(time);
            let height = |node: NodeId| (self.plan.turn * poser.pose.at(node)).dot(ground.up);
            lowest[0] = nodes_of(self.plan).map(height).fold(lowest[0], f64::min);
            let joints = ground.joints.iter().map(|joint| height(self.source.joints[*joint].node));
            lowest[1] = lowest[1].min(joints.sum::<f64>() / ground.joints.len() as f64);
        }
        lowest
    }

    fn feet(&self, skeleton: &Skeleton<'_>) -> Option<Feet> {
        use HumanBone as B;
        let find = |human| self.bones.iter().position(|bone| bone.bone.human == Some(human));
        let leg = |[upper, lower, foot]: [B; 3]| {
            let bones = [find(upper)?, find(lower)?, find(foot)?];
            let ankle = skeleton.joint(self.bones[bones[2]].bone.drivers.first()?.0)?;
            let [_, knee, end] = bones.map(|bone| &self.bones[bone]);
            let follows = end.bone.anchor.bone == Some(bones[1]) || matches!(end.place, Place::Attached(..));
            (knee.bone.anchor.bone == Some(bones[0]) && follows).then(|| Leg::new(bones, ankle))
        };
        let legs = [
            [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot],
            [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot],
        ];
        let legs: Vec<Leg> = legs.into_iter().filter_map(leg).collect();
        let hips = find(B::Hips);
        (!legs.is_empty()).then(|| {
            let own = &self.plan.target_body;
            Feet::new(legs, hips, self.plan.scale, own.up(), own.leg.unwrap_or(own.torso))
        })
    }

    /// Evaluates all times.
    pub(super) fn run(&mut self) {
        let times = std::mem::take(&mut self.times.all);
        for &time in &times {
            self.source.seek(time, false);
            for i in 0..self.bones.len() {
                self.pose(i);
            }
            self.keep_feet();
        }
        self.times.all = times;
        if let Some(mut feet) = self.feet.take() {
            let changes = feet.lock(&self.times.all);
            for (bone, key, rotation) in changes.rotations {
                put(&mut self.bones[bone].rotations, key, rotation);
            }
            for (bone, key, by) in changes.translations {
                let value = &mut self.bones[bone].translations[key];
                *value = (vector(*value) + by).as_vec3().to_array();
            }
            self.feet = Some(feet);
        }
    }

    /// The world rotation and matrix of the node above a bone.
    fn above(&self, i: usize) -> (DQuat, DAffine3) {
        let Anchor { bone, rotation, affine } = &self.bones[i].bone.anchor;
        match bone {
            Some(bone) if self.places => (self.worlds[*bone] * *rotation, self.affines[*bone] * *affine),
            Some(bone) => (self.worlds[*bone] * *rotation, DAffine3::IDENTITY),
            None => (*rotation, *affine),
        }
    }

    /// Poses a bone at the current time.
    fn pose(&mut self, i: usize) {
        let (rotation, matrix) = self.above(i);
        let bone = &self.bones[i];
        let world = match bone.drivers[..] {
            [(joint, turn)] => self.source.rotations[joint] * turn,
            [(a, first), (b, second)] => {
                let (a, b) = (self.source.rotations[a] * first, self.source.rotations[b] * second);
                let blend = if a.dot(b) < 0.0 { -bone.bone.blend } else { bone.bone.blend };
                unit_of(a * (1.0 - bone.bone.blend) + b * blend)
            }
            _ => rotation,
        };
        let mut local = unit_of(rotation.conjugate() * world);
        if let Some((from, to, vector)) = bone.aim {
            let wanted = matrix.matrix3.inverse() * (self.source.at(to) - self.source.at(from));
            if let (Some(now), Some(wanted)) = (unit(local * (bone.scale * vector)), unit(wanted)) {
                local = unit_of(arc(now, wanted) * local);
            }
        }
        let translation = match bone.place {
            Place::Rest => bone.translation,
            Place::Hips => match &self.ground {
                Some(ground) => {
                    let middle = ground.place(ground.middle_of(&self.source));
                    let offset = DMat3::from_quat(local) * (bone.scale * ground.offset);
                    matrix.inverse().transform_point3(middle) - offset
                }
                None => bone.translation,
            },
            Place::Attached(other, offset) => {
                matrix.inverse().transform_point3(self.affines[other].transform_point3(offset))
            }
        };
        self.worlds[i] = rotation * local;
        if self.places {
            self.affines[i] = matrix * transform(local, translation, bone.scale);
        }
        let bone = &mut self.bones[i];
        let key = bone.rotations.len();
        bone.rotations.push([0.0; 4]);
        put(&mut bone.rotations, key, local);
        if !matches!(bone.place, Place::Rest) {
            bone.translations.push(translation.as_vec3().to_array());
        }
    }

    /// Remembers the legs at the current time.
    fn keep_feet(&mut self) {
        let Some(mut feet) = self.feet.take() else { return };
        for leg in &mut feet.legs {
            let [upper, lower, foot] = leg.bones;
            let foot_above = self.above(foot);
            let is_attached = matches!(self.bones[foot].place, Place::Attached(..));
            leg.keep(
                self.source.at(leg.ankle),
                [upper, lower, foot].map(|bone| self.worlds[bone]),
                [upper, lower, foot].map(|bone| self.affines[bone].translation),
                [self.above(upper).0, self.bones[lower].bone.anchor.rotation],
                is_attached.then_some(foot_above.1.matrix3),
                self.bones[foot].bone.anchor.rotation,
            );
        }
        if let Some(hips) = feet.hips {
            feet.hips_above.push(self.above(hips).1.matrix3);
        }
        self.feet = Some(feet);
    }

    /// The channels of the target, and the number of them that are not finite.
    pub(super) fn channels(self, clip: &mut Clip) -> usize {
        let mut faults = 0;
        let size = self.plan.target_body.leg.unwrap_or(self.plan.target_body.torso);
        let mut channels: Vec<(NodeId, Path, Curve)> = Vec::new();
        let locked: Vec<usize> =
            self.feet.iter().flat_map(|feet| feet.legs.iter().flat_map(|leg| leg.bones)).collect();
        for (i, bone) in self.bones.iter().enumerate() {
            let rest = &self.target.nodes[bone.bone.target.index()].rest;
            let (node, all) = (bone.bone.target, vec![true; self.times.all.len()]);
            let free = bone.aim.is_none()
                && bone.bone.anchor.bone.is_none_or(|above| self.bones[above].aim.is_none());
            let (interpolation, needed) = if free && !locked.contains(&i) {
                self.times.needed(&self.sets_of(i))
            } else {
                (Interpolation::Linear, all.clone())
            };
            let own = unit_quat(rest.rotation).as_quat().to_array();
            let turn = |a: [f32; 4], b: [f32; 4], u: f64| slerp(a, same_hemisphere(a, b), u);
            let same = |a: &[f32; 4], b: &[f32; 4]| far(a, &same_hemisphere(*a, *b)) <= SAME;
            match keys(&self.times.all, &bone.rotations, &needed, interpolation, turn, same, &own) {
                Some(Ok(curve)) => channels.push((node, Path::Rotation, curve)),
                Some(Err(())) => faults += 1,
                None => {}
            }
            if matches!(bone.place, Place::Rest) {
                continue;
            }
            let (interpolation, needed) = match bone.place {
                Place::Hips if self.feet.is_none() => self.times.needed(&self.sets_of_hips()),
                _ => (Interpolation::Linear, all),
            };
            let scale =
                (self.plan.target_rest.affines[node.index()].matrix3.x_axis.length() / size).max(1e-30);
            let line = |a: [f32; 3], b: [f32; 3], u: f64| {
                std::array::from_fn(|i| (f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * u) as f32)
            };
            let same = |a: &[f32; 3], b: &[f32; 3]| far(a, b) * scale <= SAME;
            let own = rest.translation.to_array();
            match keys(&self.times.all, &bone.translations, &needed, interpolation, line, same, &own) {
                Some(Ok(curve)) => channels.push((node, Path::Translation, curve)),
                Some(Err(())) => faults += 1,
                None => {}
            }
        }
        // A clip of the rest pose alone is a clip, too.
        if let (true, 0, Some(bone), [first, ..]) =
            (channels.is_empty(), faults, self.bones.first(), &self.times.all[..])
            && let Ok(curve) = Curve::new(Interpolation::Linear, 4, vec![*first], bone.rotations[0].to_vec())
        {
            channels.push((bone.bone.target, Path::Rotation, curve));
        }
        sort_by(&mut channels, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        for (node, path, curve) in channels {
            clip.channels.push(Channel { node, path, curve: clip.curves.len() });
            clip.curves.push(curve);
        }
        faults
    }

    /// The sets of times of the curves that the local rotation of a bone depends on: those of the joints between its
    /// drivers and the drivers of its parent.
    fn sets_of(&self, i: usize) -> Vec<usize> {
        let bone = &self.bones[i];
        let mut drivers: Vec<usize> = bone.drivers.iter().map(|(joint, _)| *joint).collect();
        let above = bone.bone.anchor.bone.map(|above| &self.bones[above].drivers);
        drivers.extend(above.into_iter().flatten().map(|(joint, _)| *joint));
        let parent = |joint: usize| self.source.joints[joint].parent;
        // Without a parent, all ancestors count.
        let shared = above.and_then(|_| {
            let mut drivers = drivers.iter().copied();
            let first = drivers.next()?;
            drivers.try_fold(first, |mut a, mut b| {
                while a != b {
                    let later = if a > b { &mut a } else { &mut b };
                    *later = parent(*later)?;
                }
                Some(a)
            })
        });
        let mut uses = vec![false; self.times.sets()];
        for driver in drivers {
            let up = std::iter::successors(Some(driver), |joint| parent(*joint));
            let below = up.take_while(|joint| Some(*joint) != shared);
            below.for_each(|joint| self.sets[joint][0].iter().for_each(|set| uses[*set] = true));
        }
        indices(&uses)
    }

    /// The sets of times of the curves that the translation of the hips depends on.
    fn sets_of_hips(&self) -> Vec<usize> {
        let mut uses = vec![false; self.times.sets()];
        for joint in self.ground.iter().flat_map(|ground| &ground.joints) {
            let up = std::iter::successors(Some(*joint), |joint| self.source.joints[*joint].parent);
            up.for_each(|joint| self.sets[joint].iter().flatten().for_each(|set| uses[*set] = true));
        }
        indices(&uses)
    }
}

/// The indices of what is `true`.
fn indices(list: &[bool]) -> Vec<usize> {
    (0..list.len()).filter(|&i| list[i]).collect()
}

/// Writes a rotation, in the hemisphere of the key before.
fn put(rotations: &mut [[f32; 4]], key: usize, rotation: DQuat) {
    let value = rotation.as_quat().to_array();
    rotations[key] = key.checked_sub(1).map_or(value, |before| same_hemisphere(rotations[before], value));
}
