//! What a clip animates, and so what a layer of it may change.

use crate::base::Mask4;
use crate::model::{Clip, PaletteLayout, Path, Property};
use std::ops::BitOr;

/// Which lanes of a group of four nodes: a bit for each, translations lowest, then rotations, then scales.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lanes(u16);

impl Lanes {
    /// Those of a path; `None` if there is none.
    #[inline(always)]
    pub(crate) fn of(self, path: Path) -> Option<Mask4> {
        let bits = self.0 >> shift(path) & 15;
        if bits != 0 { Some(Mask4::of_bits(bits)) } else { None }
    }

    /// Whether all four of a path are among them.
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

/// For each part of a pose whether a clip writes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Touched {
    /// For each group of four nodes.
    groups: Vec<Lanes>,
    /// All of them together: what no group has, no kernel needs to look for.
    all: Lanes,
    /// For each morph weight of a pose; empty if the clip writes none.
    pub(crate) weights: Vec<bool>,
    /// For each property of a pose; empty if the clip writes none.
    pub(crate) properties: Vec<bool>,
}

/// How far the bits of a path are from the lowest.
const fn shift(path: Path) -> u32 {
    4 * path as u32
}

impl Touched {
    /// What `clip` animates in poses of `nodes` nodes, laid out as `layout` says.
    pub(crate) fn new(clip: &Clip, nodes: usize, layout: &PaletteLayout) -> Self {
        let mut touched = Self { groups: vec![Lanes(0); nodes.div_ceil(4)], ..Self::default() };
        let fill = |list: &mut Vec<bool>, len: usize, range: std::ops::Range<usize>| {
            list.resize(len, false);
            list[range].fill(true);
        };
        for channel in &clip.channels {
            let node = channel.node.index();
            if channel.path == Path::Weights {
                let range = &layout.weights_of_node[node];
                fill(&mut touched.weights, layout.weight_count, range.start as usize..range.end as usize);
            } else {
                touched.groups[node / 4].0 |= 1 << (shift(channel.path) + node as u32 % 4);
            }
        }
        for channel in &clip.properties {
            if let Property::Weight(node, target) = channel.property {
                let at = (layout.weights_of_node[node.index()].start + target) as usize;
                fill(&mut touched.weights, layout.weight_count, at..at + 1);
            } else if let Some(range) = layout.properties.range(channel.property) {
                fill(&mut touched.properties, layout.properties.base.len(), range);
            }
        }
        touched.all = touched.groups.iter().fold(Lanes::default(), |all, &lanes| all | lanes);
        touched
    }

    /// For each group of four nodes the lanes that are written, for all paths.
    pub(crate) fn groups(&self) -> &[Lanes] {
        &self.groups
    }

    /// Whether the clip writes any translation, rotation or scale, as the path says.
    #[inline(always)]
    pub(crate) fn any(&self, path: Path) -> bool {
        self.all.of(path).is_some()
    }
}
