//! The members that look at a target, or whose look-at ends.

use crate::animation::procedural::{Gaze, GazeControl, Overrides};
use crate::base::Affine;
use glam::Vec3;

/// The look-at of a crowd.
#[derive(Debug, Clone, Default)]
pub(super) struct Looks {
    /// The gaze of each member that looks, and the number of members.
    pub(super) wanted: Option<(Gaze, usize)>,
    /// Members that look, or whose look-at ends; more are added only if all are in use.
    pub(super) lookers: Vec<Looker>,
    /// For each member, its index in `lookers` plus one; 0 for members that do not look. Empty before the first look-at.
    pub(super) of: Vec<u32>,
    /// A buffer: members with the square of their distance from the target.
    pub(super) order: Vec<(f32, u32)>,
    /// The crowd's time at the last step.
    pub(super) clock: f64,
    /// The number of times that the crowd's time has moved backwards.
    pub(super) reversals: u64,
    /// `true` if the poses of the lookers have changed since the last step, or other members may be the nearest.
    pub(super) stale: bool,
}

/// A member that looks at the target, or a free entry.
#[derive(Debug, Clone)]
pub(super) struct Looker {
    pub(super) member: Option<u32>,
    pub(super) gaze: GazeControl,
    pub(super) overrides: Overrides,
    /// `world_from_node` of every node at the last step.
    pub(super) matrices: Vec<Affine>,
    /// `true` if the pose has jumped since the last step.
    pub(super) cut: bool,
    /// `true` if it is one of the nearest.
    pub(super) near: bool,
}

impl Looks {
    pub(super) fn at(&self, member: usize) -> Option<usize> {
        self.of.get(member).and_then(|&at| at.checked_sub(1)).map(|at| at as usize)
    }

    /// `true` if a member looks, so that its pose is neither sampled alone nor cached.
    #[inline(always)]
    pub(super) fn has(&self, member: usize) -> bool {
        self.of.get(member).is_some_and(|&at| at > 0)
    }

    /// `true` if no member looks, and none will.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// `true` if time alone turns a member.
    pub(super) fn are_turning(&self) -> bool {
        self.lookers.iter().any(|looker| looker.member.is_some() && looker.gaze.is_turning())
    }

    /// Notes that the pose of a member has jumped.
    pub(super) fn cut(&mut self, member: usize) {
        if let Some(at) = self.at(member) {
            self.lookers[at].cut = true;
        }
    }

    pub(super) fn cut_all(&mut self) {
        self.lookers.iter_mut().for_each(|looker| looker.cut = true);
        self.stale = true;
    }

    pub(super) fn resize(&mut self, count: usize) {
        if self.is_empty() {
            return;
        }
        for looker in &mut self.lookers {
            looker.member = looker.member.filter(|&member| (member as usize) < count);
        }
        self.of.truncate(count);
        // A crowd without members keeps an entry, by which it is known to look.
        self.of.resize(count.max(1), 0);
        self.stale = true;
    }

    /// Marks the nearest members, without allocation once the buffer is large enough.
    pub(super) fn choose(&mut self, places: &[Affine]) {
        self.lookers.iter_mut().for_each(|looker| looker.near = false);
        self.order.clear();
        let Some((gaze, nearest)) = &self.wanted else { return };
        let away = |place: &Affine| place.transform_point(Vec3::ZERO).distance_squared(gaze.target);
        self.order.extend(places.iter().map(away).zip(0..));
        let count = (*nearest).min(self.order.len());
        if count < self.order.len() {
            self.order.select_nth_unstable_by(count, |(a, i), (b, j)| a.total_cmp(b).then(i.cmp(j)));
            self.order.truncate(count);
        }
    }
}
