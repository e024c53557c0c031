//! The contact of points of feet with the ground, over a clip.

use crate::animation::rig::Rig;
use crate::base::Affine;
use crate::model::{ClipId, NodeId};
use glam::DVec3;

/// Samples per second of the clip, and the largest number of samples.
const RATE: f64 = 60.0;
const MOST: f64 = 3600.0;

/// A point of a foot is planted below the first height above its lowest position, and free above the second, as fractions
/// of the leg's length.
const CONTACT: [f64; 2] = [0.02, 0.1];

/// The vertical speeds between which a planted point becomes a free one, in lengths of the leg per second: a foot that is
/// lifted or put down is near the ground, too.
const RISE: [f64; 2] = [0.1, 0.5];

/// Points of feet in a clip that is sampled 60 times a second, at most 3600 times.
///
/// The ground of a point is its lowest height in the clip.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundContacts {
    /// The times of the samples from 0 to the duration, in seconds; at least three, at equal distances.
    pub times: Vec<f64>,
    /// One for each node.
    pub points: Vec<GroundedPoint>,
    /// The length of a leg, in metres.
    length: f64,
}

/// The places of one node in all samples.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundedPoint {
    /// In model space, in metres.
    pub positions: Vec<DVec3>,
    /// By height alone: 1 near the ground, 0 above a tenth of the leg's length, smooth in between.
    pub contacts: Vec<f64>,
}

impl GroundContacts {
    /// Samples a clip; `None` if the duration is not positive.
    ///
    /// - `duration`: in seconds.
    /// - `nodes`: the joints of feet, such as ankles and balls.
    /// - `length`: the length of a leg, in metres.
    ///
    /// # Panics
    /// If the clip or a node is not of the rig.
    pub fn measure(rig: &Rig, clip: ClipId, duration: f64, nodes: &[NodeId], length: f64) -> Option<Self> {
        if !(duration > 0.0) {
            return None;
        }
        let count = (duration * RATE).ceil().clamp(2.0, MOST) as usize;
        let times: Vec<f64> = (0..=count).map(|i| duration * i as f64 / count as f64).collect();
        let mut points: Vec<GroundedPoint> =
            nodes.iter().map(|_| GroundedPoint { positions: Vec::new(), contacts: Vec::new() }).collect();
        let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
        for &time in &times {
            rig.sample(clip, time, &mut pose);
            rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
            for (point, node) in points.iter_mut().zip(nodes) {
                point.positions.push(position(&matrices, *node));
            }
        }
        for point in &mut points {
            let lowest = point.positions.iter().map(|at| at.y).fold(f64::INFINITY, f64::min);
            let [low, high] = CONTACT.map(|fraction| fraction * length);
            point.contacts =
                point.positions.iter().map(|at| 1.0 - smooth((at.y - lowest - low) / (high - low))).collect();
        }
        Some(Self { times, points, length })
    }

    /// The contact of a point between a sample and the next, `0.0..=1.0`: by its heights, and less while it rises or sinks.
    ///
    /// # Panics
    /// If there is no such point or no next sample.
    pub fn planted(&self, point: usize, sample: usize) -> f64 {
        let GroundedPoint { positions, contacts } = &self.points[point];
        // The leg's length times the seconds between samples.
        let unit = self.length * (self.times[1] - self.times[0]);
        let [low, high] = RISE;
        let rise = (positions[sample].y - positions[sample + 1].y).abs();
        let rises = smooth((rise / unit - low) / (high - low));
        contacts[sample].min(contacts[sample + 1]) * (1.0 - rises)
    }
}

pub(super) fn position(matrices: &[Affine], node: NodeId) -> DVec3 {
    let rows = matrices[node.index()].rows;
    DVec3::from_array(rows.map(|row| f64::from(row.to_array()[3])))
}

fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}
