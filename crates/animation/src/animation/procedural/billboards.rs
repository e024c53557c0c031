//! Billboards: nodes whose geometry is turned towards the camera.
//!
//! They change only what is drawn, picked and measured. The matrices of nodes stay those of the pose, so poses do not
//! depend on the camera.

use super::spaces::{affine, is_finite, rows};
use super::vectors::{Vector, cross, difference, dot, place, scaled, sum, unit, unit_beyond, without};
use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::NodeId;
use glam::Mat4;
use std::cell::Cell;
use std::rc::Rc;

/// The smallest sine of the angle between the axis of a billboard and the direction to the camera at which it turns.
const LEAST: f64 = 1e-6;

/// The rotation of a billboard: its local +Z faces the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billboard {
    /// Parallel to the picture, its local +Y upwards in the picture.
    Full,
    /// Turned about its local Y axis towards the position of the camera; for a parallel projection, against the
    /// direction of view.
    Axis,
}

/// The camera that billboards face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facing {
    /// Right, up and back in the world: unit vectors.
    axes: [Vector; 3],
    eye: Vector,
    parallel: bool,
}

impl Facing {
    /// The camera with the matrices `view_from_world` and `clip_from_view`; `None` if they are not finite.
    pub fn new(view: &Mat4, projection: &Mat4) -> Option<Self> {
        let row = |i: usize| [view.x_axis[i], view.y_axis[i], view.z_axis[i]].map(f64::from);
        let axes = [unit(row(0))?, unit(row(1))?, unit(row(2))?];
        let at = |i: usize| -f64::from(view.w_axis[i]);
        let eye = sum(sum(scaled(axes[0], at(0)), scaled(axes[1], at(1))), scaled(axes[2], at(2)));
        let parallel = projection.w_axis.w != 0.0;
        eye.iter().all(|value| value.is_finite()).then_some(Self { axes, eye, parallel })
    }
}

/// The billboards of an actor.
///
/// They are behind a counted pointer, so that few bytes of the first WebAssembly module copy and drop them. See
/// docs/design/size.md.
#[derive(Debug, Clone, Default)]
pub struct Billboards(Option<Rc<Turned>>);

#[derive(Debug, Clone, Default)]
pub(crate) struct Turned {
    /// Sorted by node.
    list: Vec<(NodeId, Billboard)>,
    /// The camera that `palette` faces.
    facing: Option<Facing>,
    matrices: Vec<Affine>,
    /// The palette with the billboards.
    palette: Vec<Affine>,
    /// `true` if `palette` is that of the last pose. Copies of an actor share it, so that forgetting copies nothing: they
    /// face the camera again.
    is_current: Cell<bool>,
    /// `true` for each node that the current billboard turns.
    turned: Vec<bool>,
}

impl Billboards {
    /// Makes a node a billboard, with all nodes below it; `None` ends it.
    pub fn set(&mut self, node: NodeId, billboard: Option<Billboard>) {
        let turned = Rc::make_mut(self.0.get_or_insert_default());
        turned.list.retain(|(other, _)| *other != node);
        if let Some(billboard) = billboard {
            let at = turned.list.partition_point(|(other, _)| *other < node);
            turned.list.insert(at, (node, billboard));
        }
        turned.is_current.set(false);
        if turned.list.is_empty() {
            self.0 = None;
        }
    }

    /// `true` without billboards.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The palette of a pose with its billboards; `animated` if they face no camera yet.
    pub(crate) fn palette<'a>(&'a self, animated: &'a [Affine]) -> &'a [Affine] {
        match &self.0 {
            Some(turned) if turned.is_current.get() => &turned.palette,
            _ => animated,
        }
    }

    /// Forgets the palette, as the pose has changed.
    pub(crate) fn forget(&self) {
        if let Some(turned) = &self.0 {
            turned.is_current.set(false);
        }
    }

    /// Turns the billboards of a pose to the camera.
    ///
    /// - `matrices`: `world_from_node` of every node.
    pub fn face(&mut self, rig: &Rig, matrices: &[Affine], facing: &Facing) {
        if let Some(turned) = &mut self.0 {
            Rc::make_mut(turned).face(rig, matrices, facing);
        }
    }
}

impl Turned {
    fn face(&mut self, rig: &Rig, matrices: &[Affine], facing: &Facing) {
        if self.is_current.get() && self.facing == Some(*facing) {
            return;
        }
        self.facing = Some(*facing);
        self.is_current.set(true);
        self.matrices.clear();
        self.matrices.extend_from_slice(matrices);
        for &(node, billboard) in &self.list {
            if let Some(turn) = turn(billboard, &self.matrices[node.index()], facing) {
                apply(&turn, node, rig, &mut self.matrices, &mut self.turned);
            }
        }
        self.palette.resize(rig.palette_len(), Affine::identity());
        rig.palette(&self.matrices, &mut self.palette);
    }
}

/// The rotation of a billboard, as pairs of unit vectors: each second one becomes the first. `None` if it cannot turn: an
/// axis is zero, or the camera is on the axis.
fn turn(billboard: Billboard, matrix: &Affine, facing: &Facing) -> Option<[[Vector; 2]; 3]> {
    let now = rows(matrix);
    let column = |i: usize| [now[0][i], now[1][i], now[2][i]];
    let mirrored = dot(cross(column(0), column(1)), column(2)) < 0.0;
    let side = scaled(column(0), if mirrored { -1.0 } else { 1.0 });
    match billboard {
        Billboard::Full => {
            let side = unit(side)?;
            let up = unit(without(column(1), side))?;
            let [right, above, back] = facing.axes;
            Some([[right, side], [above, up], [back, cross(side, up)]])
        }
        Billboard::Axis => {
            let axis = unit(column(1))?;
            let front = cross(unit(without(side, axis))?, axis);
            let to_eye = if facing.parallel { facing.axes[2] } else { difference(facing.eye, place(&now)) };
            let to_eye = unit_beyond(without(unit(to_eye)?, axis), LEAST)?;
            Some([[axis, axis], [to_eye, front], [cross(axis, to_eye), cross(axis, front)]])
        }
    }
}

/// Rotates a node and all nodes below it about the position of the node.
fn apply(turn: &[[Vector; 2]; 3], node: NodeId, rig: &Rig, matrices: &mut [Affine], turned: &mut Vec<bool>) {
    let center = place(&rows(&matrices[node.index()]));
    turned.clear();
    turned.resize(rig.node_count(), false);
    turned[node.index()] = true;
    for i in node.index()..rig.node_count() {
        let is_below = rig.parent(NodeId::new(i)).is_some_and(|parent| turned[parent.index()]);
        if i != node.index() && !is_below {
            continue;
        }
        turned[i] = true;
        let now = rows(&matrices[i]);
        let mut moved = now;
        for column in 0..4 {
            let origin = if column == 3 { center } else { [0.0; 3] };
            let from = difference([now[0][column], now[1][column], now[2][column]], origin);
            let to =
                turn.iter().fold(origin, |to, [target, source]| sum(to, scaled(*target, dot(*source, from))));
            for (row, value) in moved.iter_mut().zip(to) {
                row[column] = value;
            }
        }
        if is_finite(&moved) {
            matrices[i] = affine(&moved);
        }
    }
}
