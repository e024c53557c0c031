//! Procedural stages of a frame, after animation: overrides of joints, inverse kinematics, and look-at.
//!
//! Each stage belongs to a node. Stages in local space change the [`Pose`]. The others run during the
//! traversal of the tree, in the order of their nodes. At its turn, the matrices of the stage's node and of
//! all nodes before it are world matrices. Those after it are still local, so descendants follow the change.
//! Between stages, the traversal is the same loop as in a frame without stages. An IK chain has two stages:
//! at its first node, and at its middle.

use super::feet::{Feet, FeetControl, FeetStep, GroundPoint};
use super::ik::{TwoBoneIk, bend};
use super::look_at::{LookAt, ResolvedLookAt};
use super::spaces::{Rows, Space, affine, inverse, is_finite, product, rows};
use super::vectors::Vector;
use crate::animation::player::Player;
use crate::animation::pose::Pose;
use crate::animation::rig::Rig;
use crate::base::{Affine, Transform, decompose, feature};
use crate::model::NodeId;
use gambol_kernels::Property;
use glam::{Mat4, Quat, Vec3};

/// The override of a joint's transform, partial or complete.
///
/// Parts that are `None` keep their animated values. In model and world space a matrix is decomposed as `T ·
/// R · H`. R is the rotation whose X axis is the node's and whose Y axis is in the plane of its X and Y. H
/// has the scale on its diagonal and the shear above it. A mirrored matrix is treated as mirrored along X. If
/// an axis is zero, R is any rotation that fits. `translation` replaces T, `rotation` replaces R, and `scale`
/// replaces H, which removes shear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Override {
    /// The translation, in units of the space.
    pub translation: Option<Vec3>,
    /// The rotation; need not be of unit length.
    pub rotation: Option<Quat>,
    /// The scale; may be negative or zero.
    pub scale: Option<Vec3>,
    /// The space of the values above.
    pub space: Space,
    /// The blend weight from the animated transform to this one, `0.0..=1.0`. Rotations take the shorter arc.
    pub weight: f32,
}

impl Default for Override {
    fn default() -> Self {
        Self { translation: None, rotation: None, scale: None, space: Space::Local, weight: 1.0 }
    }
}

/// All procedural changes to the joints of an actor. Each node can have one [`Override`], one [`LookAt`], and
/// one [`TwoBoneIk`] of which it is the end. At one node they apply in this order: override, [`Feet`], IK, look-at.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Sorted by node, then by order of application.
    list: Vec<(NodeId, Step)>,
    feet: Option<Box<FeetControl>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Put(Override),
    Feet(FeetStep),
    /// At the first node of a chain.
    TwoBoneIk(TwoBoneIk),
    /// At the middle node of the chain with this end. The first node sets the goal in each frame.
    Bend(NodeId, Option<Vector>),
    LookAt(ResolvedLookAt),
}

impl Step {
    fn order(&self) -> u8 {
        match self {
            Self::Put(_) => 0,
            Self::Feet(_) => 1,
            Self::TwoBoneIk(_) => 2,
            Self::Bend(..) => 3,
            Self::LookAt(_) => 4,
        }
    }

    /// `true` if it belongs to the chain with this end.
    fn is_of_chain(&self, node: NodeId) -> bool {
        matches!(self, Self::TwoBoneIk(TwoBoneIk { end, .. }) | Self::Bend(end, _) if *end == node)
    }
}

feature! {
    list for_body;
    fn step_feet(
        feet: &mut FeetControl, step: FeetStep, node: NodeId, rig: &Rig, world_from_model: &Affine, matrices: &[Affine],
    ) -> Option<Rows> = FeetControl::step;
    /// Advances the time of the feet.
    pub(crate) fn stand(overrides: &mut Overrides, player: &Player, cut: bool) = Overrides::stand;
}

impl Overrides {
    /// Overrides a node and replaces its previous override.
    ///
    /// Values that are not finite, and a rotation of length 0, count as `None`. The weight is clamped; NaN is
    /// 0.
    pub fn set(&mut self, node: NodeId, to: Override) {
        self.remove(node);
        self.insert(node, Step::Put(to.checked()));
    }

    /// Sets the IK of a chain and replaces the previous one with the same end. `first` is the first joint, an
    /// ancestor of [`TwoBoneIk::middle`]. It has no effect unless each of the three is a descendant of the one before
    /// and the target is finite.
    pub fn set_ik(&mut self, first: NodeId, ik: TwoBoneIk) {
        self.remove_ik(ik.end);
        if let Some(ik) = ik.checked().filter(|ik| first < ik.middle && ik.middle < ik.end) {
            self.insert(first, Step::TwoBoneIk(ik));
            self.insert(ik.middle, Step::Bend(ik.end, None));
        }
    }

    /// Sets the look-at constraint of a node and replaces the previous one; only removes it if the target is
    /// not finite.
    pub fn set_look_at(&mut self, rig: &Rig, node: NodeId, look_at: LookAt) {
        self.remove_look_at(node);
        if let Some(look_at) = look_at.checked(node, rig) {
            self.insert(node, Step::LookAt(look_at));
        }
    }

    /// Changes the target of a node's look-at constraint, in the world, and its weight; without effect if it has none.
    pub(super) fn aim(&mut self, node: NodeId, target: Vec3, weight: f32) {
        for (other, step) in &mut self.list {
            if let Step::LookAt(look_at) = step
                && *other == node
            {
                look_at.aim(target, weight);
            }
        }
    }

    /// The axis of a node's look-at constraint, in the joint's local space.
    pub(super) fn look_at_axis(&self, node: NodeId) -> Option<Vector> {
        self.list.iter().find_map(|(other, step)| match step {
            Step::LookAt(look_at) if *other == node => Some(look_at.axis()),
            _ => None,
        })
    }

    /// Removes the override of a node.
    pub fn remove(&mut self, node: NodeId) {
        self.list.retain(|(other, step)| *other != node || !matches!(step, Step::Put(_)));
    }

    /// Removes the IK of the chain with this end.
    pub fn remove_ik(&mut self, end: NodeId) {
        self.list.retain(|(_, step)| !step.is_of_chain(end));
    }

    /// Removes the look-at constraint of a node.
    pub fn remove_look_at(&mut self, node: NodeId) {
        self.list.retain(|(other, step)| *other != node || !matches!(step, Step::LookAt(_)));
    }

    /// Sets the feet on the ground; `None` ends them. Returns `false` if none are set; it also ends them if a leg is no
    /// line of joints below the pelvis.
    pub fn set_feet(&mut self, rig: &Rig, feet: Option<Feet>, player: &Player) -> bool {
        let Some(mut feet) = feet.and_then(|feet| FeetControl::new(rig, feet)) else {
            self.feet.iter_mut().for_each(|feet| feet.end());
            return false;
        };
        feet.begin(player, self.feet.as_deref());
        self.list.retain(|(_, step)| !matches!(step, Step::Feet(_)));
        feet.steps().for_each(|(node, step)| self.insert(node, Step::Feet(step)));
        self.feet = Some(Box::new(feet));
        true
    }

    /// `true` if feet are set, or have not ended.
    pub fn has_feet(&self) -> bool {
        self.feet.is_some()
    }

    /// `true` if time alone moves a foot.
    pub fn feet_are_moving(&self) -> bool {
        self.feet.as_ref().is_some_and(|feet| feet.is_moving())
    }

    /// The animated place of each ankle in the last frame, in the world, in the order of [`Feet::legs`].
    pub fn foot_places(&self) -> impl Iterator<Item = Vec3> {
        let places = self.feet.iter().flat_map(|feet| feet.places());
        places.map(|place| Vec3::from_array(place.map(|value| value as f32)))
    }

    /// Sets the ground below a leg, with an index of [`Feet::legs`]; `None` if there is no ground.
    pub fn set_ground(&mut self, leg: usize, point: Option<GroundPoint>) {
        if let Some(feet) = &mut self.feet {
            feet.set_ground(leg, point);
        }
    }

    /// Takes over [`Overrides::foot_places`] of a copy.
    pub(crate) fn set_foot_places(&mut self, of: &Self) {
        if let (Some(feet), Some(of)) = (&mut self.feet, &of.feet) {
            feet.set_places(of);
        }
    }

    /// Puts the feet on the ground at once in the next frame.
    pub fn reset_feet(&mut self) {
        if let Some(feet) = &mut self.feet {
            feet.reset();
        }
    }

    fn stand(&mut self, player: &Player, cut: bool) {
        if let Some(feet) = &mut self.feet {
            feet.advance(player, cut);
            if feet.has_ended() {
                self.feet = None;
                self.list.retain(|(_, step)| !matches!(step, Step::Feet(_)));
            }
        }
    }

    /// Removes all overrides and constraints.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// `true` if there are no overrides and no constraints.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The override of a node.
    pub fn get(&self, node: NodeId) -> Option<&Override> {
        self.list.iter().find_map(|(other, step)| match step {
            Step::Put(to) if *other == node => Some(to),
            _ => None,
        })
    }

    fn insert(&mut self, node: NodeId, step: Step) {
        let before = |(other, known): &(NodeId, Step)| (*other, known.order()) <= (node, step.order());
        let at = self.list.iter().take_while(|known| before(known)).count();
        self.list.insert(at, (node, step));
    }

    /// Applies the overrides in local space to a pose.
    ///
    /// # Panics
    /// If a node is not of the pose's model.
    #[inline]
    pub fn pose(&self, rig: &Rig, pose: &mut Pose) {
        if !self.list.is_empty() {
            self.put(rig, pose);
        }
    }

    fn put(&self, rig: &Rig, pose: &mut Pose) {
        for &(node, step) in &self.list {
            if let Step::Put(to) = step
                && to.space == Space::Local
                && to.weight > 0.0
                && !rig.is_fixed(node)
            {
                to.pose(node, pose);
            }
        }
    }

    /// Like [`Rig::node_matrices`], and applies all other overrides and constraints during the traversal.
    ///
    /// - `pose`: from [`Overrides::pose`].
    ///
    /// Overrides in model space have no effect if `world_from_model` is singular. Matrices that are not
    /// finite are never changed.
    ///
    /// # Panics
    /// If the pose or a node is of another model.
    #[inline]
    pub fn node_matrices(
        &mut self,
        rig: &Rig,
        pose: &Pose,
        world_from_model: &Affine,
        matrices: &mut Vec<Affine>,
    ) {
        rig.local_matrices(pose, matrices);
        let done = if self.list.is_empty() { 0 } else { self.walk(rig, world_from_model, matrices) };
        rig.descend(done..rig.node_count(), world_from_model, matrices);
    }

    /// Traverses the tree to the last stage; returns the number of nodes that are done.
    fn walk(&mut self, rig: &Rig, world_from_model: &Affine, matrices: &mut [Affine]) -> usize {
        let mut done = 0;
        for i in 0..self.list.len() {
            let (node, step) = self.list[i];
            let next = match step {
                // A local matrix that cannot be expressed as TRS is not in the pose.
                Step::Put(Override { space: Space::Local, .. }) if rig.is_fixed(node) => node.index(),
                Step::Put(Override { space: Space::Local, .. }) => continue,
                _ => node.index() + 1,
            };
            rig.descend(done..next, world_from_model, matrices);
            done = next;
            let now = rows(&matrices[node.index()]);
            let moved = match step {
                _ if !is_finite(&now) => None,
                Step::Put(to) => to.place(&now, world_from_model),
                Step::Feet(step) => {
                    let feet = self.feet.as_mut();
                    feet.and_then(|feet| step_feet(feet, step, node, rig, world_from_model, matrices))
                }
                Step::TwoBoneIk(ik) => {
                    let turned = ik.turn(node, rig, world_from_model, matrices);
                    for (_, step) in &mut self.list[i..] {
                        if let Step::Bend(end, goal) = step
                            && *end == ik.end
                        {
                            *goal = turned.map(|(_, wanted)| wanted);
                        }
                    }
                    turned.map(|(matrix, _)| matrix)
                }
                Step::Bend(end, goal) => goal.and_then(|goal| bend(node, end, goal, rig, matrices)),
                Step::LookAt(look_at) => {
                    let parent =
                        rig.parent(node).map_or(world_from_model, |parent| &matrices[parent.index()]);
                    look_at.turn(&now, &rows(parent), world_from_model)
                }
            };
            if let Some(moved) = moved.filter(is_finite) {
                matrices[node.index()] = affine(&moved);
            }
        }
        done
    }
}

impl Override {
    fn checked(self) -> Self {
        let real = |q: &Quat| q.is_finite() && q.to_array().iter().any(|&value| value != 0.0);
        Self {
            translation: self.translation.filter(|v| v.is_finite()),
            rotation: self.rotation.filter(real),
            scale: self.scale.filter(|v| v.is_finite()),
            space: self.space,
            weight: if self.weight.is_nan() { 0.0 } else { self.weight.clamp(0.0, 1.0) },
        }
    }

    /// Applies the override to a local transform.
    fn pose(&self, node: NodeId, pose: &mut Pose) {
        let now = pose.get(node);
        let weight = f64::from(self.weight);
        let mix = |a: Vec3, b: Vec3| [0, 1, 2].map(|i| lerp(a[i].into(), b[i].into(), weight) as f32);
        if let Some(to) = self.translation {
            pose.set_property(node, Property::Translation, &mix(now.translation, to));
        }
        if let Some(to) = self.rotation {
            let to = between(now.rotation, to, weight).map(|value| value as f32);
            pose.set_property(node, Property::Rotation, &to);
        }
        if let Some(to) = self.scale {
            pose.set_property(node, Property::Scale, &mix(now.scale, to));
        }
    }

    /// Applies the override to a matrix: a local one for [`Space::Local`], else a world matrix. `None` if it
    /// has no effect or no result.
    fn place(&self, matrix: &Rows, world_from_model: &Affine) -> Option<Rows> {
        if self.weight <= 0.0 {
            return None;
        }
        if self.space != Space::Model || *world_from_model == Affine::identity() {
            return Some(self.moved(matrix));
        }
        let world_from_model = rows(world_from_model);
        let model_from_world = inverse(&world_from_model)?;
        Some(product(&world_from_model, &self.moved(&product(&model_from_world, matrix))))
    }

    fn moved(&self, matrix: &Rows) -> Rows {
        let weight = f64::from(self.weight);
        let mut out = *matrix;
        if self.rotation.is_some() || self.scale.is_some() {
            let now = decompose(Mat4::from(affine(matrix))).rotation;
            let mut inner = product(&transposed(&rotation(now.to_array().map(f64::from))), matrix);
            if let Some(to) = self.scale {
                for (i, row) in inner.iter_mut().enumerate() {
                    for (j, value) in row.iter_mut().take(3).enumerate() {
                        let to = if i == j { f64::from(to[i]) } else { 0.0 };
                        *value = lerp(*value, to, weight);
                    }
                }
            }
            let turned = match self.rotation {
                Some(to) => rotation(between(now, to, weight)),
                None => rotation(now.to_array().map(f64::from)),
            };
            let linear = product(&turned, &inner);
            for (out, linear) in out.iter_mut().zip(&linear) {
                out[..3].copy_from_slice(&linear[..3]);
            }
        }
        if let Some(to) = self.translation {
            for (i, row) in out.iter_mut().enumerate() {
                row[3] = lerp(row[3], to[i].into(), weight);
            }
        }
        out
    }
}

/// Linear interpolation, exact at both ends.
fn lerp(a: f64, b: f64, weight: f64) -> f64 {
    a * (1.0 - weight) + b * weight
}

/// Interpolates between two quaternions, X first, along the shorter arc; the result is not normalized.
fn between(a: Quat, b: Quat, weight: f64) -> [f64; 4] {
    let (a, mut b) = (a.to_array().map(f64::from), b.to_array().map(f64::from));
    if weight >= 1.0 {
        return b;
    }
    let length = (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]).sqrt();
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let divisor = if dot < 0.0 { -length } else { length };
    b = b.map(|value| value / divisor);
    std::array::from_fn(|i| lerp(a[i], b[i], weight))
}

/// The matrix of a quaternion of any length, X first; the identity for length 0.
fn rotation([x, y, z, w]: [f64; 4]) -> Rows {
    let two = 2.0 / ((x * x + y * y) + (z * z + w * w)).max(f64::MIN_POSITIVE);
    let (xx, yy, zz) = (two * x * x, two * y * y, two * z * z);
    let (xy, xz, yz) = (two * x * y, two * x * z, two * y * z);
    let (wx, wy, wz) = (two * w * x, two * w * y, two * w * z);
    [
        [1.0 - (yy + zz), xy - wz, xz + wy, 0.0],
        [xy + wz, 1.0 - (xx + zz), yz - wx, 0.0],
        [xz - wy, yz + wx, 1.0 - (xx + yy), 0.0],
    ]
}

/// The frame of a node without the scale of its ancestors: `world_from_node` with the node's position and
/// rotation in its model. A unit of the frame is a unit of the model.
///
/// The rotation is defined as in [`Override`]: its X axis is the node's, its Y axis is in the plane of the
/// node's X and Y. A mirrored node is treated as mirrored along X. If `world_from_model` is singular, it
/// counts as not scaled.
pub fn unscaled(world_from_node: &Affine, world_from_model: &Affine) -> Affine {
    let (node, model) = (rows(world_from_node), rows(world_from_model));
    let rotation = |matrix: &Rows| {
        let rotation = decompose(Mat4::from(affine(matrix))).rotation;
        rows(&Affine::from(Transform { rotation, ..Transform::IDENTITY }))
    };
    let mut frame = match inverse(&model) {
        Some(back) => product(&model, &rotation(&product(&back, &node))),
        None => rotation(&node),
    };
    for (row, place) in frame.iter_mut().zip(&node) {
        row[3] = place[3];
    }
    affine(&frame)
}

fn transposed([a, b, c]: &Rows) -> Rows {
    [[a[0], b[0], c[0], 0.0], [a[1], b[1], c[1], 0.0], [a[2], b[2], c[2], 0.0]]
}

/// The matrix of a transform; its rotation may have any length.
impl From<Transform> for Affine {
    fn from(transform: Transform) -> Self {
        let mut rows = rotation(transform.rotation.to_array().map(f64::from));
        for (i, row) in rows.iter_mut().enumerate() {
            for (value, &scale) in row.iter_mut().zip(&transform.scale.to_array()) {
                *value *= f64::from(scale);
            }
            row[3] = f64::from(transform.translation[i]);
        }
        affine(&rows)
    }
}
