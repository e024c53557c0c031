//! Procedural changes of joints and morph weights after animation.

use super::Stage;
use super::shared::Shared;
use crate::animation::retarget::HumanoidMap;
use crate::animation::{
    Billboard, Blinks, ChainIk, EyeJoint, Feet, Flipbook, FlipbookClock, Gaze, GazeJoint, Glances,
    GroundPoint, JointLimit, LegBones, LookAt, MorphOverride, Override, TwoBoneIk,
};
use crate::model::{
    HumanBone, MaterialId, Model, NodeId, SpringBones, SpringCenter, SpringChain, SpringCollider,
    SpringJoint, branches,
};
use crate::render::UnevenGround;
use crate::viewer::{ActorId, StageError};
use crate::web::features::feature_methods;
use crate::web::structures::{Indices, structures};
use crate::web::words::{LoopMode, Solver, Space, SpringSpace};
use glam::{Quat, Vec3};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

structures! {
    /// A look-at constraint.
    pub struct LookAtOptions: "LookAtOptions" {
        /// The target position in `space`.
        target: Vec3,
        /// The model or the world.
        space: Space,
        /// The blend weight, from the animated pose (0) to the target (1).
        weight: f32,
        /// The largest angle from the animated direction, in radians.
        limit: f32,
        /// The direction in the joint's local space that points at the target; `undefined`: the model's front at rest.
        axis: Option<Vec3>,
    }

    /// Two-bone IK: a joint reaches for a target by the two bones above it.
    pub struct ReachOptions: "ReachOptions" {
        /// The joint that bends.
        middle: u32,
        /// The first joint.
        root: u32,
        /// The target position in `space`.
        target: Vec3,
        /// The model or the world.
        space: Space,
        /// The blend weight, from the animated pose (0) to the target (1).
        weight: f32,
        /// The direction in which the middle joint points; `undefined`: the animated direction.
        pole: Option<Vec3>,
        pole_space as poleSpace: Space,
    }

    /// The limit of a hinge: its axis, and its smallest and largest angle in radians.
    pub struct Hinge: "Hinge" {
        axis: Vec3,
        min: f32,
        max: f32,
    }

    /// The limit of a joint in a chain: a cone with a largest angle in radians, or a hinge; no limit without both.
    pub struct ChainLimit: "ChainLimit" {
        cone: Option<f32>,
        hinge: Option<Hinge>,
    }

    /// IK of a chain of joints.
    pub struct ChainOptions: "ChainOptions" {
        /// The chain, each joint a descendant of the one before; the last one is the end.
        joints: Indices,
        /// The limits of all joints but the last.
        limits: Vec<ChainLimit>,
        /// The target position in `space`.
        target: Vec3,
        /// The model or the world.
        space: Space,
        /// The blend weight, from the animated pose (0) to the target (1).
        weight: f32,
        solver: Solver,
    }

    /// A joint of a gaze.
    pub struct GazePart: "GazePart" {
        joint: u32,
        share: f32,
        /// The largest angle from the animated direction, in radians.
        limit: f32,
        /// As in `LookAtOptions`.
        axis: Option<Vec3>,
    }

    /// Several joints that look at a target together.
    pub struct GazeOptions: "GazeOptions" {
        /// Upper joints first.
        joints: Vec<GazePart>,
        /// The target position in `space`.
        target: Vec3,
        /// The model or the world.
        space: Space,
        /// The largest speed in radians per second; infinite for no limit.
        speed: f32,
    }

    /// Feet on the ground.
    pub struct FeetOptions: "FeetOptions" {
        /// The joints of the feet, each at the end of two bones; `undefined`: those of a human.
        joints: Option<Indices>,
        /// `true` for the ground of the clips, `false` for that of `setGround`.
        is_flat as isFlat: bool,
        moves_pelvis as movesPelvis: bool,
        /// The blend weight, from the animated pose (0) to the ground (1).
        weight: f32,
    }

    /// A capsule that spring bones do not enter.
    pub struct Collider: "Collider" {
        /// The joint that carries it.
        joint: u32,
        /// Its ends, in the space of the joint.
        offset: Vec3,
        tail: Vec3,
        radius: f32,
    }

    /// Spring bones.
    pub struct SpringOptions: "SpringOptions" {
        stiffness: f32,
        /// The strength of gravity, and its direction.
        gravity: f32,
        gravity_direction as gravityDirection: Vec3,
        drag: f32,
        radius: f32,
        /// The space that carries the chain without making it swing.
        space: SpringSpace,
        /// The joint of this space.
        center: Option<u32>,
        colliders: Vec<Collider>,
    }

    /// A flip-book.
    pub struct FlipbookOptions: "FlipbookOptions" {
        /// The cells of the textures.
        columns: u32,
        rows: u32,
        /// The index of the first cell.
        first: u32,
        /// The number of cells.
        frames: u32,
        /// Cells per second.
        fps: f64,
        loop_mode as loopMode: LoopMode,
        /// `true` to follow the playhead, `false` for the timeline.
        by_clip as byClip: bool,
    }

    /// Blinks.
    pub struct BlinkOptions: "BlinkOptions" {
        seed: u32,
        /// The mean time between two blinks in seconds.
        interval: f64,
    }

    /// Glances of the eyes.
    pub struct GlanceOptions: "GlanceOptions" {
        /// The left and the right eye; `undefined`: those of a human, found as for retargeting.
        joints: Option<Indices>,
        seed: u32,
        /// The mean time between two glances in seconds.
        interval: f64,
        /// The largest amount of an expression such as `lookLeft`, or of 25°.
        amount: f64,
    }
}

/// Sets overrides, look-at constraints, IK and spring bones of joints, feet on the ground, billboards, flip-books,
/// overrides of morph weights, and expressions, which apply in every further frame.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Joints {
    shared: Rc<Shared>,
}

impl Joints {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }
}

#[wasm_bindgen]
impl Joints {
    /// The joints of a stage.
    #[wasm_bindgen(constructor)]
    pub fn new(stage: &Stage) -> Joints {
        Self { shared: Rc::clone(&stage.shared) }
    }
}

#[wasm_bindgen]
impl Joints {
    /// Sets the override of a joint, applied after animation.
    ///
    /// - `translation` (3), `rotation` (4), `scale` (3): nothing for parts that keep their animated values.
    /// - `space`: the space of these.
    /// - `weight`: the blend weight, from the animated transform (0) to this one (1).
    ///
    /// # Errors
    /// `joint/not-found`.
    #[wasm_bindgen(js_name = setOverride)]
    pub fn set_override(
        &self,
        actor: u32,
        joint: u32,
        translation: Option<Vec<f32>>,
        rotation: Option<Vec<f32>>,
        scale: Option<Vec<f32>>,
        space: Space,
        weight: f32,
    ) -> Result<(), StageError> {
        let node = self.shared.node(actor, joint)?;
        let vector = |numbers: Vec<f32>| numbers.try_into().ok().map(Vec3::from_array);
        let to = Override {
            translation: translation.and_then(vector),
            rotation: rotation.and_then(|numbers| numbers.try_into().ok()).map(Quat::from_array),
            scale: scale.and_then(vector),
            space: space.into(),
            weight,
        };
        self.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.set(node, to);
        Ok(())
    }

    /// Shows or hides a node with all nodes below it, in place of the file and its animation; nothing ends it.
    ///
    /// # Errors
    /// `joint/not-found`.
    #[wasm_bindgen(js_name = setShown)]
    pub fn set_shown(&self, actor: u32, joint: u32, shown: Option<bool>) -> Result<(), StageError> {
        let node = self.shared.node(actor, joint)?;
        self.shared.stage_mut().actor_mut(ActorId::new(actor))?.set_shown(node, shown);
        Ok(())
    }

    /// Removes the override of a joint.
    #[wasm_bindgen(js_name = clearOverride)]
    pub fn clear_override(&self, actor: u32, joint: u32) -> Result<(), StageError> {
        let node = self.shared.node(actor, joint)?;
        self.shared.stage_mut().actor_mut(ActorId::new(actor))?.overrides.remove(node);
        Ok(())
    }

    /// Sets the look-at constraint of a joint.
    ///
    /// # Errors
    /// `joint/not-found`.
    #[wasm_bindgen(js_name = lookAt)]
    pub fn look_at(&self, actor: u32, joint: u32, options: &js::LookAtOptions) -> Result<(), StageError> {
        let node = self.shared.node(actor, joint)?;
        let LookAtOptions { target, space, weight, limit, axis } = options.into();
        let look_at = LookAt { target, axis, limit, space: space.into(), weight };
        self.shared.stage_mut().actor_mut(ActorId::new(actor))?.set_look_at(node, look_at);
        Ok(())
    }

    /// Removes the look-at constraint of a joint, and ends a gaze of which it is the last joint.
    #[wasm_bindgen(js_name = endLookAt)]
    pub fn end_look_at(&self, actor: u32, joint: u32) -> Result<(), StageError> {
        let node = self.shared.node(actor, joint)?;
        self.shared.stage_mut().actor_mut(ActorId::new(actor))?.end_look_at(node);
        Ok(())
    }

    /// Sets the two-bone IK that ends at a joint.
    ///
    /// # Errors
    /// `joint/not-found`.
    pub fn reach(&self, actor: u32, joint: u32, options: &js::ReachOptions) -> Result<(), StageError> {
        let ReachOptions { middle, root, target, space, weight, pole, pole_space } = options.into();
        let [end, middle, first] = [joint, middle, root].map(|joint| self.shared.node(actor, joint));
        let (end, middle, first) = (end?, middle?, first?);
        let (space, pole_space) = (space.into(), pole_space.into());
        let reach = TwoBoneIk { middle, end, target, space, pole, pole_space, weight };
        let mut stage = self.shared.stage_mut();
        let actor = stage.actor_mut(ActorId::new(actor))?;
        actor.chains.remove(end);
        actor.overrides.set_ik(first, reach);
        Ok(())
    }

    /// Removes the IK of a joint, and of a chain that ends there.
    #[wasm_bindgen(js_name = endReach)]
    pub fn end_reach(&self, actor: u32, joint: u32) -> Result<(), StageError> {
        let node = self.shared.node(actor, joint)?;
        let mut stage = self.shared.stage_mut();
        let actor = stage.actor_mut(ActorId::new(actor))?;
        actor.chains.remove(node);
        actor.overrides.remove_ik(node);
        Ok(())
    }

    /// Sets the override of a morph.
    ///
    /// - `morph`: its index in [`Asset::morphs`](crate::web::asset::Asset::morphs).
    /// - `value`: the morph weight; nothing ends the override.
    /// - `weight`: the blend weight, from the animated morph weight (0) to `value` (1).
    /// - `fade`: the duration of the change in seconds.
    #[wasm_bindgen(js_name = setMorph)]
    pub fn set_morph(
        &self,
        actor: u32,
        morph: u32,
        value: Option<f32>,
        weight: f32,
        fade: f64,
    ) -> Result<(), StageError> {
        let to = value.map(|value| MorphOverride { value, weight });
        let mut stage = self.shared.stage_mut();
        let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
        let actor = stage.actor_mut(ActorId::new(actor))?;
        let now = actor.player.elapsed();
        for &at in asset.morphs().get(morph as usize).map_or(&[][..], |morph| &morph.weights) {
            actor.morphs.set(at, to, fade, now);
        }
        Ok(())
    }
}

feature_methods! {
    list for_body: Body;
    impl Joints {
        /// Sets the IK of a chain of joints.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = reachChain)]
        pub fn reach_chain(
            this,
            actor: u32,
            options: &js::ChainOptions,
        ) -> Result<(), StageError> {
            let ChainOptions { joints, limits, target, space, weight, solver } = options.into();
            let nodes = this.nodes(actor, &joints)?;
            let limits = limits.into_iter().map(|ChainLimit { cone, hinge }| match (hinge, cone) {
                (Some(Hinge { axis, min, max }), _) => JointLimit::Hinge { axis, min, max },
                (None, Some(max)) => JointLimit::Cone(max),
                (None, None) => JointLimit::Free,
            });
            let limits: Vec<JointLimit> = limits.collect();
            let ik = ChainIk { target, space: space.into(), solver: solver.into(), weight };
            this.shared.stage_mut().actor_mut(ActorId::new(actor))?.set_chain(&nodes, &limits, ik);
            Ok(())
        }

        /// Makes several joints look at a target together; nothing ends it.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setGaze)]
        pub fn set_gaze(
            this,
            actor: u32,
            options: Option<js::GazeOptions>,
        ) -> Result<(), StageError> {
            let gaze = options.map(|options| gaze(&options, |joint| this.shared.node(actor, joint))).transpose()?;
            let mut stage = this.shared.stage_mut();
            // A gaze begins in the direction of the current pose.
            stage.posed();
            stage.actor_mut(ActorId::new(actor))?.set_gaze(gaze);
            Ok(())
        }

        /// Puts the feet of an actor on the ground; nothing ends it. Returns the number of feet, which is 0 if there are none.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setFeet)]
        pub fn set_feet(
            this,
            actor: u32,
            options: Option<js::FeetOptions>,
        ) -> Result<u32, StageError> {
            let Some(options) = options else {
                this.shared.stage_mut().actor_mut(ActorId::new(actor))?.set_feet(None);
                return Ok(0);
            };
            let FeetOptions { joints, is_flat, moves_pelvis, weight } = FeetOptions::from(&options);
            let nodes = this.nodes(actor, &joints.unwrap_or_default())?;
            let mut stage = this.shared.stage_mut();
            let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
            let actor = stage.actor_mut(ActorId::new(actor))?;
            let Some((legs, pelvis)) = legs(&asset.model, &nodes) else { return Ok(0) };
            let count = legs.len();
            let is_set = actor.set_feet(Some(Feet { legs, pelvis, moves_pelvis, is_flat, weight }));
            Ok(if is_set { count as u32 } else { 0 })
        }

        /// Sets the ground below a foot: a point and the normal, in the world; without `y` there is none.
        #[wasm_bindgen(js_name = setGround)]
        pub fn set_ground(
            this,
            actor: u32,
            foot: u32,
            x: f32,
            y: Option<f32>,
            z: f32,
            normal_x: f32,
            normal_y: f32,
            normal_z: f32,
        ) -> Result<(), StageError> {
            let at = Vec3::new(x, y.unwrap_or(f32::NAN), z);
            let point = GroundPoint { at, normal: Vec3::new(normal_x, normal_y, normal_z) };
            let mut stage = this.shared.stage_mut();
            stage.actor_mut(ActorId::new(actor))?.overrides.set_ground(foot as usize, Some(point));
            Ok(())
        }

        /// Replaces the spring bones of a joint and of all joints below it; nothing ends them. Returns the number of chains.
        ///
        /// # Errors
        /// `joint/not-found`.
        #[wasm_bindgen(js_name = setSprings)]
        pub fn set_springs(
            this,
            actor: u32,
            joint: u32,
            options: Option<js::SpringOptions>,
        ) -> Result<u32, StageError> {
            let root = this.shared.node(actor, joint)?;
            let mut springs = SpringBones::default();
            if let Some(options) = options {
                let SpringOptions { stiffness, gravity, gravity_direction, drag, radius, space, center, colliders } =
                    SpringOptions::from(&options);
                let center = match (space, center) {
                    (SpringSpace::Joint, Some(joint)) => SpringCenter::Node(this.shared.node(actor, joint)?),
                    (SpringSpace::Model, _) => SpringCenter::Model,
                    _ => SpringCenter::World,
                };
                for Collider { joint, offset, tail, radius } in colliders {
                    let node = this.shared.node(actor, joint)?;
                    springs.colliders.push(SpringCollider { node, offset, tail, radius });
                }
                springs.groups.push((0..springs.colliders.len()).collect());
                let joint = |node| SpringJoint {
                    node,
                    stiffness,
                    gravity_power: gravity,
                    gravity_dir: gravity_direction,
                    drag_force: drag,
                    hit_radius: radius,
                };
                let lines = this.shared.member(actor, |member| branches(&member.asset.model.nodes, root))?;
                // The last joint is the end of a bone, so a single one has none.
                for nodes in lines.into_iter().filter(|nodes| nodes.len() > 1) {
                    let joints = nodes.into_iter().map(joint).collect();
                    springs.chains.push(SpringChain { joints, tail: None, groups: vec![0], center });
                }
            }
            let mut stage = this.shared.stage_mut();
            stage.actor_mut(ActorId::new(actor))?.set_springs(root, &springs);
            Ok(springs.chains.len() as u32)
        }
    }
}

feature_methods! {
    list for_light: Light;
    impl Joints {
        /// Sets the ground of an actor's feet that receives the shadows of the stage.
        ///
        /// - `points`: see [`UnevenGround::new`]; nothing for a plane.
        #[wasm_bindgen(js_name = setShadowGround)]
        pub fn set_shadow_ground(this, actor: u32, points: Option<Vec<f32>>) -> Result<(), StageError> {
            let ground = points.map(|points| UnevenGround::new(&points));
            this.shared.stage_mut().set_uneven_ground(ActorId::new(actor), ground)
        }
    }
}

feature_methods! {
    list for_sprites: Extras;
    impl Joints {
        /// Animates the textures of a material by cells, from the present time of the timeline on; nothing ends it. Has no
        /// effect for a material that does not exist.
        #[wasm_bindgen(js_name = setFlipbook)]
        pub fn set_flipbook(
            this,
            actor: u32,
            material: u32,
            options: Option<js::FlipbookOptions>,
        ) -> Result<(), StageError> {
            let flipbook = options.map(|options| {
                let FlipbookOptions { columns, rows, first, frames, fps, loop_mode, by_clip } =
                    FlipbookOptions::from(&options);
                let clock = if by_clip { FlipbookClock::Clip } else { FlipbookClock::Timeline };
                Flipbook { columns, rows, first, frames, fps, loop_mode: loop_mode.into(), clock }
            });
            let mut stage = this.shared.stage_mut();
            let now = stage.cast().now();
            if material as usize >= stage.cast().get(ActorId::new(actor))?.asset.model.materials.len() {
                return Ok(());
            }
            let (flipbooks, _) = stage.sprites_mut(ActorId::new(actor))?;
            flipbooks.set(MaterialId::new(material as usize), flipbook, now);
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
    }
}

feature_methods! {
    list for_faces: Faces;
    impl Joints {
        /// Sets the amount of an expression.
        ///
        /// - `expression`: its index in [`Asset::expressions`](crate::web::asset::Asset::expressions).
        /// - `amount`: the amount; nothing returns its morph weights to the animation.
        /// - `weight`: the blend weight, from the animated morph weights (0) to those of the expression (1).
        /// - `fade`: the duration of the change in seconds.
        #[wasm_bindgen(js_name = setExpression)]
        pub fn set_expression(
            this,
            actor: u32,
            expression: u32,
            amount: Option<f32>,
            weight: f32,
            fade: f64,
        ) -> Result<(), StageError> {
            let to = amount.map(|value| MorphOverride { value, weight });
            let mut stage = this.shared.stage_mut();
            let faces = stage.cast().get(ActorId::new(actor))?.asset.expressions();
            let actor = stage.actor_mut(ActorId::new(actor))?;
            let now = actor.player.elapsed();
            actor.expressions.set(faces, expression as usize, to, fade, now);
            Ok(())
        }

        /// Makes an actor blink by itself; nothing ends it. Returns `false` if its model cannot.
        #[wasm_bindgen(js_name = setBlinks)]
        pub fn set_blinks(this, actor: u32, options: Option<js::BlinkOptions>) -> Result<bool, StageError> {
            let blinks = options.map(|options| {
                let BlinkOptions { seed, interval } = BlinkOptions::from(&options);
                Blinks { seed, interval }
            });
            let mut stage = this.shared.stage_mut();
            let faces = stage.cast().get(ActorId::new(actor))?.asset.expressions();
            Ok(stage.actor_mut(ActorId::new(actor))?.expressions.set_blinks(faces, blinks))
        }

        /// Makes the eyes of an actor glance around; nothing ends it. Returns `false` if its model cannot.
        #[wasm_bindgen(js_name = setGlances)]
        pub fn set_glances(this, actor: u32, options: Option<js::GlanceOptions>) -> Result<bool, StageError> {
            let options = options.map(|options| GlanceOptions::from(&options));
            let (glances, joints) = options.map_or((None, None), |options| {
                let GlanceOptions { joints, seed, interval, amount } = options;
                (Some(Glances { seed, interval, amount }), joints)
            });
            let joints = this.nodes(actor, &joints.unwrap_or_default())?;
            let mut stage = this.shared.stage_mut();
            let asset = Rc::clone(&stage.cast().get(ActorId::new(actor))?.asset);
            let eyes = glances.and_then(|_| eyes(&asset.model, &joints));
            let expressions = &mut stage.actor_mut(ActorId::new(actor))?.expressions;
            Ok(expressions.set_glances(asset.expressions(), eyes, glances))
        }
    }
}

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

/// The gaze of options; `node` finds the node of a joint.
pub(super) fn gaze(
    options: &js::GazeOptions,
    node: impl Fn(u32) -> Result<NodeId, StageError>,
) -> Result<Gaze, StageError> {
    let GazeOptions { joints, target, space, speed } = options.into();
    let part =
        |GazePart { joint, share, limit, axis }| Ok(GazeJoint { node: node(joint)?, share, axis, limit });
    let joints = joints.into_iter().map(part).collect::<Result<_, StageError>>()?;
    Ok(Gaze { joints, target, space: space.into(), speed })
}
