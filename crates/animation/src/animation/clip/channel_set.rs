//! The parts of a pose that a clip animates, and that a layer of it may change.

use crate::base::Mask4;
use crate::model::{Clip, PaletteLayout, Path, Property};
use std::ops::BitOr;

/// A subset of the lanes of a group of four nodes: a bit per lane; translations lowest, then rotations, then
/// scales.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lanes(u16);

impl Lanes {
    /// The lanes of a path; `None` if there are none.
    #[inline(always)]
    pub(crate) fn of(self, path: Path) -> Option<Mask4> {
        let bits = self.0 >> shift(path) & 15;
        if bits != 0 { Some(Mask4::of_bits(bits)) } else { None }
    }

    /// `true` if all four lanes of a path are included.
    #[inline(always)]
    pub(crate) fn all(self, path: Path) -> bool {
        self.0 >> shift(path) & 15 == 15
    }
}

impl BitOr for Lanes {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The parts of a pose that a clip writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChannelSet {
    /// One entry per group of four nodes.
    groups: Vec<Lanes>,
    /// The union of all groups. A kernel skips a path that is not in it.
    all: Lanes,
    /// One entry per morph weight of a pose; empty if the clip writes none.
    pub(crate) weights: Vec<bool>,
    /// One entry per property of a pose; empty if the clip writes none.
    pub(crate) properties: Vec<bool>,
}

/// The index of a path's lowest bit.
const fn shift(path: Path) -> u32 {
    4 * path as u32
}

impl ChannelSet {
    /// The parts that `clip` animates in poses of `nodes` nodes with this `layout`.
    pub(crate) fn new(clip: &Clip, nodes: usize, layout: &PaletteLayout) -> Self {
        let mut set = Self { groups: vec![Lanes(0); nodes.div_ceil(4)], ..Self::default() };
        let fill = |list: &mut Vec<bool>, len: usize, range: std::ops::Range<usize>| {
            list.resize(len, false);
            list[range].fill(true);
        };
        for channel in &clip.channels {
            let node = channel.node.index();
            if channel.path == Path::Weights {
                let range = &layout.weights_of_node[node];
                fill(&mut set.weights, layout.weight_count, range.start as usize..range.end as usize);
            } else {
                set.groups[node / 4].0 |= 1 << (shift(channel.path) + node as u32 % 4);
            }
        }
        for channel in &clip.properties {
            if let Property::Weight(node, target) = channel.property {
                let at = (layout.weights_of_node[node.index()].start + target) as usize;
                fill(&mut set.weights, layout.weight_count, at..at + 1);
            } else if let Some(range) = layout.properties.range(channel.property) {
                fill(&mut set.properties, layout.properties.base.len(), range);
            }
        }
        set.all = set.groups.iter().fold(Lanes::default(), |all, &lanes| all | lanes);
        set
    }

    /// The written lanes of all paths, one entry per group of four nodes.
    pub(crate) fn groups(&self) -> &[Lanes] {
        &self.groups
    }

    /// `true` if the clip writes the path of any node.
    #[inline(always)]
    pub(crate) fn any(&self, path: Path) -> bool {
        self.all.of(path).is_some()
    }
}
