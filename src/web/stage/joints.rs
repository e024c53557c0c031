//! Procedural changes of joints and morph weights after animation.

use super::Stage;
use super::shared::Shared;
use crate::animation::retarget::HumanoidMap;
use crate::animation::{
    Billboard, Blinks, ChainIk, ChainSolver, EyeJoint, Feet, Flipbook, FlipbookClock, Gaze, GazeJoint,
    Glances, GroundPoint, JointLimit, LegBones, LookAt, MorphOverride, Override, TwoBoneIk,
};
use crate::model::{
    HumanBone, MaterialId, Model, NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider,
    SpringJoint, branches,
};
use crate::render::UnevenGround;
use crate::viewer::{ActorId, StageError};
use crate::web::rest::deferred_methods;
use crate::web::words::{LoopMode, Space};
use glam::{Quat, Vec3};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Sets overrides, look-at constraints, IK and spring bones of joints, feet on the ground, billboards, flip-books,
/// overrides of morph weights, and expressions, which apply in every further frame.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Joints {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Joints {
    /// The joints of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Joints {
        Self { shared: Rc::clone(&stage.shared) }
    }
}

deferred_methods! {
    impl Joints {
        /// Sets the override of a joint, applied after animation.
        ///
        /// - `to`: translation (3), rotation (4), scale (3); NaN for parts that keep their animated values.
        /// - `space`: the space of `to`.
        /// - `weight`: the blend weight, from the animated transform (0) to `to` (1).
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setOverride)]
        pub fn set_override(
            this,
            actor: u32,
            joint: u32,
            to: &[f32],
            space: Space,
            weight: f32,
        ) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            let &[x, y, z, qx, qy, qz, qw, sx, sy, sz] = to else { return Ok(()) };
            let vector = |vector: Vec3| (!vector.is_nan()).then_some(vector);
            let rotation = Quat::from_xyzw(qx, qy, qz, qw);
            let to = Override {
                translation: vector(Vec3::new(x, y, z)),
                rotation: (!rotation.is_nan()).then_some(rotation),
                scale: vector(Vec3::new(sx, sy, sz)),
                space: space.into(),
                weight,
            };
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.set(node, to);
            Ok(())
        }

        /// Removes the override of a joint.
        #[wasm_bindgen(js_name = clearOverride)]
        pub fn clear_override(this, actor: u32, joint: u32) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.remove(node);
            Ok(())
        }

        /// Sets the look-at constraint of a joint.
        ///
        /// - `target`: the target position in `space`, which is the model or the world.
        /// - `weight`: the blend weight, from the animated pose (0) to the target (1).
        /// - `limit`: the largest angle from the animated direction, in radians.
        /// - `axis`: the direction in the joint's local space that points at the target; nothing for the
        ///   model's front at rest.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = lookAt)]
        pub fn look_at(
            this,
            actor: u32,
            joint: u32,
            target: &[f32],
            space: Space,
            weight: f32,
            limit: f32,
            axis: Option<Vec<f32>>,
        ) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            let target = vector(target).unwrap_or(Vec3::NAN);
            let axis = axis.and_then(|axis| vector(&axis));
            let look_at = LookAt { target, axis, limit, space: space.into(), weight };
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.set_look_at(node, look_at);
            Ok(())
        }

        /// Removes the look-at constraint of a joint, and ends a gaze of which it is the last joint.
        #[wasm_bindgen(js_name = endLookAt)]
        pub fn end_look_at(this, actor: u32, joint: u32) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.end_look_at(node);
            Ok(())
        }

        /// Sets two-bone IK: a joint reaches for a target by the two bones above it.
        ///
        /// - `joint`, `middle`, `root`: the end of the chain, the joint that bends, and the first joint.
        /// - `target`: the target position in `space`, which is the model or the world.
        /// - `weight`: the blend weight, from the animated pose (0) to the target (1).
        /// - `pole`: the direction in which the middle joint points, in `pole_space`; nothing for the animated
        ///   direction.
        ///
        /// # Errors
        /// `joint/not-found`.
        pub fn reach(
            this,
            actor: u32,
            joint: u32,
            middle: u32,
            root: u32,
            target: &[f32],
            space: Space,
            weight: f32,
            pole: Option<Vec<f32>>,
            pole_space: Space,
        ) -> Result<(), StageError> {
            let [end, middle, first] = [joint, middle, root].map(|joint| this.shared.node(actor, joint));
            let (end, middle, first) = (end?, middle?, first?);
            let target = vector(target).unwrap_or(Vec3::NAN);
            let pole = pole.and_then(|pole| vector(&pole));
            let (space, pole_space) = (space.into(), pole_space.into());
            let reach = TwoBoneIk { middle, end, target, space, pole, pole_space, weight };
            let mut stage = this.shared.stage_mut();
            let actor = stage.actor_mut(ActorId::new(actor))?;
            actor.chains.remove(end);
            actor.overrides.set_ik(first, reach);
            Ok(())
        }

        /// Removes the IK of a joint, and of a chain that ends there.
        #[wasm_bindgen(js_name = endReach)]
        pub fn end_reach(this, actor: u32, joint: u32) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            let mut stage = this.shared.stage_mut();
            let actor = stage.actor_mut(ActorId::new(actor))?;
            actor.chains.remove(node);
            actor.overrides.remove_ik(node);
            Ok(())
        }

        /// Sets the IK of a chain of joints.
        ///
        /// - `joints`: the chain, each joint a descendant of the one before; the last one is the end.
        /// - `limits`: five numbers for each joint but the last: the axis of a hinge, the smallest and the largest
        ///   angle. Without an axis (NaN) it is a cone with the largest angle; without an angle there is no limit.
        /// - `target`: the target position in `space`, which is the model or the world; nothing ends the IK.
        /// - `weight`: the blend weight, from the animated pose (0) to the target (1).
        /// - `descends`: `true` for cyclic coordinate descent, `false` for FABRIK.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = reachChain)]
        pub fn reach_chain(
            this,
            actor: u32,
            joints: &[u32],
            limits: &[f32],
            target: &[f32],
            space: Space,
            weight: f32,
            descends: bool,
        ) -> Result<(), StageError> {
            let nodes = this.nodes(actor, joints)?;
            let target = vector(target).unwrap_or(Vec3::NAN);
            let solver = if descends { ChainSolver::Ccd } else { ChainSolver::Fabrik };
            let limits = limits.chunks_exact(5).map(|limit| match *limit {
                [.., max] if max.is_nan() => JointLimit::Free,
                [x, .., max] if x.is_nan() => JointLimit::Cone(max),
                [x, y, z, min, max] => JointLimit::Hinge { axis: Vec3::new(x, y, z), min, max },
                _ => JointLimit::Free,
            });
            let limits: Vec<JointLimit> = limits.collect();
            let ik = ChainIk { target, space: space.into(), solver, weight };
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.set_chain(&nodes, &limits, ik);
            Ok(())
        }

        /// Makes several joints look at a target together.
        ///
        /// - `joints`: the joints, upper ones first; none to end it.
        /// - `numbers`: five numbers for each joint: its share, the limit of its angle, and its axis or NaN.
        /// - `target`: the target position in `space`, which is the model or the world.
        /// - `speed`: the largest speed in radians per second; infinite for no limit.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setGaze)]
        pub fn set_gaze(
            this,
            actor: u32,
            joints: &[u32],
            numbers: &[f32],
            target: &[f32],
            space: Space,
            speed: f32,
        ) -> Result<(), StageError> {
            let nodes = this.nodes(actor, joints)?;
            let gaze = gaze(&nodes, numbers, target, space.into(), speed);
            let mut stage = this.shared.stage_mut();
            // A gaze begins in the direction of the current pose.
            stage.posed();
            stage.actor_mut(ActorId::new(actor))?.set_gaze(gaze);
            Ok(())
        }

        /// Puts the feet of an actor on the ground; returns the number of feet, which is 0 if there are none.
        ///
        /// - `feet`: the joints of the feet, each at the end of two bones; none for those of a human.
        /// - `is_flat`: `true` for the ground of the clips, `false` for that of `setGround`.
        /// - `weight`: the blend weight, from the animated pose (0) to the ground (1); NaN ends it.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setFeet)]
        pub fn set_feet(
            this,
            actor: u32,
            feet: &[u32],
            is_flat: bool,
            moves_pelvis: bool,
            weight: f32,
        ) -> Result<u32, StageError> {
            let nodes = this.nodes(actor, feet)?;
            let mut stage = this.shared.stage_mut();
            let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
            let actor = stage.actor_mut(ActorId::new(actor))?;
            if weight.is_nan() {
                actor.set_feet(None);
                return Ok(0);
            }
            let Some((legs, pelvis)) = legs(&asset.model, &nodes) else { return Ok(0) };
            let count = legs.len();
            let is_set = actor.set_feet(Some(Feet { legs, pelvis, moves_pelvis, is_flat, weight }));
            Ok(if is_set { count as u32 } else { 0 })
        }

        /// Sets the ground below a foot: a point and the normal, in the world; NaN for no ground.
        #[wasm_bindgen(js_name = setGround)]
        pub fn set_ground(
            this,
            actor: u32,
            foot: u32,
            x: f32,
            y: f32,
            z: f32,
            normal_x: f32,
            normal_y: f32,
            normal_z: f32,
        ) -> Result<(), StageError> {
            let point = GroundPoint { at: Vec3::new(x, y, z), normal: Vec3::new(normal_x, normal_y, normal_z) };
            let mut stage = this.shared.stage_mut();
            stage.actor_mut(ActorId::new(actor))?.overrides.set_ground(foot as usize, Some(point));
            Ok(())
        }

        /// Sets the ground of an actor's feet that receives the shadows of the stage.
        ///
        /// - `points`: see [`UnevenGround::new`]; nothing for a plane.
        #[wasm_bindgen(js_name = setShadowGround)]
        pub fn set_shadow_ground(this, actor: u32, points: Option<Vec<f32>>) -> Result<(), StageError> {
            let ground = points.map(|points| UnevenGround::new(&points));
            this.shared.stage_mut().set_uneven_ground(ActorId::new(actor), ground)
        }

        /// Replaces the spring bones of a joint and of all joints below it.
        ///
        /// - `numbers`: stiffness, strength of gravity, its direction (3), drag, radius; none to end them.
        /// - `center`: the joint that carries the chain without making it swing; `u32::MAX` for the world, one less
        ///   for the model.
        /// - `carriers`: the joints of colliders.
        /// - `colliders`: seven numbers for each collider: both ends of a capsule (6), and its radius.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setSprings)]
        pub fn set_springs(
            this,
            actor: u32,
            joint: u32,
            numbers: &[f32],
            center: u32,
            carriers: &[u32],
            colliders: &[f32],
        ) -> Result<u32, StageError> {
            let root = this.shared.node(actor, joint)?;
            let carriers = this.nodes(actor, carriers)?;
            let center = match center {
                u32::MAX => SpringCenter::World,
                MODEL => SpringCenter::Model,
                joint => SpringCenter::Node(this.shared.node(actor, joint)?),
            };
            let colliders = carriers.iter().zip(colliders.chunks_exact(7)).map(|(&node, numbers)| {
                let at = |i: usize| Vec3::new(numbers[i], numbers[i + 1], numbers[i + 2]);
                SpringCollider { node, offset: at(0), tail: at(3), radius: numbers[6] }
            });
            let mut springs = SpringBones { colliders: colliders.collect(), ..SpringBones::default() };
            springs.groups.push((0..springs.colliders.len()).collect());
            let mut stage = this.shared.stage_mut();
            let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
            if let &[stiffness, gravity_power, x, y, z, drag_force, hit_radius] = numbers {
                let gravity_dir = Vec3::new(x, y, z);
                let joint =
                    |node| SpringJoint { node, stiffness, gravity_power, gravity_dir, drag_force, hit_radius };
                let lines = branches(&asset.model.nodes, root);
                // The last joint is the end of a bone, so a single one has none.
                for nodes in lines.into_iter().filter(|nodes| nodes.len() > 1) {
                    let joints = nodes.into_iter().map(joint).collect();
                    springs.chains.push(SpringChain { joints, tail: None, groups: vec![0], center });
                }
            }
            stage.actor_mut(ActorId::new(actor))?.set_springs(root, &springs);
            Ok(springs.chains.len() as u32)
        }

        /// Animates the textures of a material by cells, from the present time of the timeline on. Has no effect for
        /// a material that does not exist.
        ///
        /// - `columns`, `rows`: the cells of the textures; 0 ends the flip-book.
        /// - `first`, `frames`: the index of the first cell, and the number of cells.
        /// - `fps`: cells per second.
        /// - `by_clip`: `true` to follow the playhead, `false` for the timeline.
        #[wasm_bindgen(js_name = setFlipbook)]
        pub fn set_flipbook(
            this,
            actor: u32,
            material: u32,
            columns: u32,
            rows: u32,
            first: u32,
            frames: u32,
            fps: f64,
            loop_mode: LoopMode,
            by_clip: bool,
        ) -> Result<(), StageError> {
            let mut stage = this.shared.stage_mut();
            let now = stage.cast().now();
            if material as usize >= stage.cast().get(ActorId::new(actor))?.asset.model.materials.len() {
                return Ok(());
            }
            let clock = if by_clip { FlipbookClock::Clip } else { FlipbookClock::Timeline };
            let flipbook =
                Flipbook { columns, rows, first, frames, fps, loop_mode: loop_mode.into(), clock };
            let (flipbooks, _) = stage.sprites_mut(ActorId::new(actor))?;
            flipbooks.set(MaterialId::new(material as usize), Some(flipbook), now);
            Ok(())
        }

        /// Makes a joint a billboard, with all nodes below it; nothing ends it.
        ///
        /// - `by_axis`: `true` to turn it about its Y axis, `false` for parallel to the picture.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setBillboard)]
        pub fn set_billboard(this, actor: u32, joint: u32, by_axis: Option<bool>) -> Result<(), StageError> {
            let node = this.shared.node(actor, joint)?;
            let mut stage = this.shared.stage_mut();
            let (_, billboards) = stage.sprites_mut(ActorId::new(actor))?;
            let kind = by_axis.map(|by_axis| if by_axis { Billboard::Axis } else { Billboard::Full });
            billboards.set(node, kind);
            Ok(())
        }

        /// Sets the override of a morph.
        ///
        /// - `morph`: its index in [`Asset::morphs`](crate::web::asset::Asset::morphs).
        /// - `value`: the morph weight; NaN ends the override.
        /// - `weight`: the blend weight, from the animated morph weight (0) to `value` (1).
        /// - `fade`: the duration of the change in seconds.
        #[wasm_bindgen(js_name = setMorph)]
        pub fn set_morph(
            this,
            actor: u32,
            morph: u32,
            value: f32,
            weight: f32,
            fade: f64,
        ) -> Result<(), StageError> {
            let to = (!value.is_nan()).then_some(MorphOverride { value, weight });
            let mut stage = this.shared.stage_mut();
            let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
            let actor = stage.actor_mut(ActorId::new(actor))?;
            let now = actor.player.elapsed();
            for &at in asset.morphs().get(morph as usize).map_or(&[][..], |morph| &morph.weights) {
                actor.morphs.set(at, to, fade, now);
            }
            Ok(())
        }

        /// Sets the amount of an expression.
        ///
        /// - `expression`: its index in [`Asset::expressions`](crate::web::asset::Asset::expressions).
        /// - `amount`: the amount; NaN returns its morph weights to the animation.
        /// - `weight`: the blend weight, from the animated morph weights (0) to those of the expression (1).
        /// - `fade`: the duration of the change in seconds.
        #[wasm_bindgen(js_name = setExpression)]
        pub fn set_expression(
            this,
            actor: u32,
            expression: u32,
            amount: f32,
            weight: f32,
            fade: f64,
        ) -> Result<(), StageError> {
            let to = (!amount.is_nan()).then_some(MorphOverride { value: amount, weight });
            let mut stage = this.shared.stage_mut();
            let faces = stage.cast().get(ActorId::new(actor))?.asset.expressions();
            let actor = stage.actor_mut(ActorId::new(actor))?;
            let now = actor.player.elapsed();
            actor.expressions.set(faces, expression as usize, to, fade, now);
            Ok(())
        }

        /// Makes an actor blink by itself; returns `false` if its model cannot.
        ///
        /// - `interval`: the mean time between two blinks in seconds; NaN ends it.
        #[wasm_bindgen(js_name = setBlinks)]
        pub fn set_blinks(this, actor: u32, seed: u32, interval: f64) -> Result<bool, StageError> {
            let blinks = (!interval.is_nan()).then_some(Blinks { seed, interval });
            let mut stage = this.shared.stage_mut();
            let faces = stage.cast().get(ActorId::new(actor))?.asset.expressions();
            Ok(stage.actor_mut(ActorId::new(actor))?.expressions.set_blinks(faces, blinks))
        }

        /// Makes the eyes of an actor glance around; returns `false` if its model cannot.
        ///
        /// - `joints`: the left and the right eye; empty for those of a human, found as for retargeting.
        /// - `interval`: the mean time between two glances in seconds; NaN ends it.
        /// - `amount`: the largest amount of an expression such as `lookLeft`, or of 25°.
        #[wasm_bindgen(js_name = setGlances)]
        pub fn set_glances(
            this,
            actor: u32,
            joints: &[u32],
            seed: u32,
            interval: f64,
            amount: f64,
        ) -> Result<bool, StageError> {
            let glances = (!interval.is_nan()).then_some(Glances { seed, interval, amount });
            let joints = this.nodes(actor, joints)?;
            let mut stage = this.shared.stage_mut();
            let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
            let eyes = glances.and_then(|_| eyes(&asset.model, &joints));
            let expressions = &mut stage.actor_mut(ActorId::new(actor))?.expressions;
            Ok(expressions.set_glances(asset.expressions(), eyes, glances))
        }
    }
}

/// The center of spring bones that stands for the model.
const MODEL: u32 = u32::MAX - 1;

impl Joints {
    fn nodes(&self, actor: u32, joints: &[u32]) -> Result<Vec<NodeId>, StageError> {
        joints.iter().map(|&joint| self.shared.node(actor, joint)).collect()
    }
}

/// The legs that end at these feet, or those of a human, and the nearest joint above them; `None` without two legs, or
/// if a foot has less than two joints above it.
pub(super) fn legs(model: &Model, feet: &[NodeId]) -> Option<(Vec<LegBones>, NodeId)> {
    use HumanBone as B;
    let above = |node: NodeId| model.nodes[node.index()].parent;
    let mut hips = None;
    let legs: Vec<LegBones> = if feet.is_empty() {
        let map = HumanoidMap::find(model)?;
        hips = map.node(B::Hips);
        let leg = |[upper, lower, foot, toes]: [B; 4]| {
            let [upper, lower, foot] = [map.node(upper)?, map.node(lower)?, map.node(foot)?];
            Some(LegBones { upper, lower, foot, toes: map.node(toes) })
        };
        let left = leg([B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot, B::LeftToes])?;
        let right = leg([B::RightUpperLeg, B::RightLowerLeg, B::RightFoot, B::RightToes])?;
        vec![left, right]
    } else {
        let leg = |&foot: &NodeId| {
            let lower = above(foot)?;
            let is_child = |node: &NodeId| above(*node) == Some(foot);
            let toes = (0..model.nodes.len()).map(NodeId::new).find(is_child);
            Some(LegBones { upper: above(lower)?, lower, foot, toes })
        };
        feet.iter().map(leg).collect::<Option<_>>()?
    };
    let is_above = |top: NodeId, node: NodeId| {
        let mut up = above(node);
        while let Some(at) = up.filter(|&at| at > top) {
            up = above(at);
        }
        up == Some(top)
    };
    let carries = |node: &NodeId| legs.iter().all(|leg| is_above(*node, leg.upper));
    let mut pelvis = hips.filter(carries).or_else(|| above(legs.first()?.upper))?;
    while !carries(&pelvis) {
        pelvis = above(pelvis)?;
    }
    Some((legs, pelvis))
}

/// The eyes of these joints, left and right, or those of a human.
fn eyes(model: &Model, joints: &[NodeId]) -> Option<[EyeJoint; 2]> {
    let pair = match joints {
        [] => {
            let map = HumanoidMap::find(model)?;
            [map.node(HumanBone::LeftEye)?, map.node(HumanBone::RightEye)?]
        }
        &[left, right] => [left, right],
        _ => return None,
    };
    EyeJoint::pair(model, pair)
}

/// A gaze of nodes; `None` without any. For the numbers see [`Joints::set_gaze`].
pub(super) fn gaze(
    nodes: &[NodeId],
    numbers: &[f32],
    target: &[f32],
    space: crate::animation::Space,
    speed: f32,
) -> Option<Gaze> {
    let target = vector(target).unwrap_or(Vec3::NAN);
    let joints = nodes.iter().zip(numbers.chunks_exact(5)).map(|(&node, numbers)| {
        let axis = vector(&numbers[2..]).filter(|axis| !axis.is_nan());
        GazeJoint { node, share: numbers[0], axis, limit: numbers[1] }
    });
    Some(Gaze { joints: joints.collect(), target, space, speed }).filter(|_| !nodes.is_empty())
}

/// Converts three numbers to a vector; `None` for another count.
fn vector(numbers: &[f32]) -> Option<Vec3> {
    numbers.try_into().ok().map(Vec3::from_array)
}
