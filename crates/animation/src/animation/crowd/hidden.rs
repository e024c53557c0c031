//! Nodes that a page hides for single members.
//!
//! Meshes of a skin share their matrices, so a hidden one cannot have matrices of zeros. Each hidden node is a part, which has a bit
//! in the palette entry of the member's tint; the shader moves the vertices of hidden parts out of the view.

use super::Crowd;
use super::member_part::CrowdError;
use crate::base::F32x4;
use crate::model::SIDE_BY_SIDE;
use gambol_kernels::ROOT;

/// The largest number of nodes of a crowd that were ever hidden.
const MAX_PARTS: usize = WORDS * BITS;
/// The floats of a palette entry that the tint leaves.
const WORDS: usize = 8;
/// The bits of each: an `f32` holds these whole numbers exactly.
const BITS: usize = 24;
/// The part of nodes that no member hides.
const NO_PART: u8 = u8::MAX;

/// A bit for each part.
type Bits = [u32; WORDS];

/// The parts of a crowd, and those that its members hide.
#[derive(Debug, Clone, Default)]
pub(super) struct HiddenParts {
    /// The node of each part.
    nodes: Vec<usize>,
    /// For each node of the model, the nearest part at or above it. Empty before the first part.
    part_of_node: Vec<u8>,
    /// For each part, the nearest part above it.
    above: Vec<u8>,
    /// For each member, the parts that the page has hidden; empty before the first part.
    own: Vec<Bits>,
    /// For each member, the parts that it does not show: those that the page has hidden, and those below them.
    all: Vec<Bits>,
    /// The number of members that hide a part.
    hiding: usize,
}

fn has(bits: &Bits, part: u8) -> bool {
    let part = usize::from(part);
    bits.get(part / BITS).is_some_and(|word| word >> (part % BITS) & 1 == 1)
}

impl HiddenParts {
    /// The part of each node of the model, 255 for those without; empty if no member hides a node.
    pub(super) fn of_nodes(&self) -> &[u8] {
        if self.hiding > 0 { &self.part_of_node } else { &[] }
    }

    pub(super) fn resize(&mut self, members: usize) {
        if self.nodes.is_empty() {
            return;
        }
        let removed = self.own.get(members..).unwrap_or_default();
        self.hiding -= removed.iter().filter(|own| **own != Bits::default()).count();
        self.own.resize(members, Bits::default());
        self.all.resize(members, Bits::default());
    }

    /// Makes parts of nodes.
    fn add(&mut self, nodes: &[usize], parents: &[u32], members: usize) {
        self.nodes.extend(nodes);
        self.part_of_node = vec![NO_PART; parents.len()];
        self.above.clear();
        for (part, &node) in (0..).zip(&self.nodes) {
            self.part_of_node[node] = part;
        }
        // Parents come before their children.
        for (node, &parent) in parents.iter().enumerate() {
            if parent != ROOT && self.part_of_node[node] == NO_PART {
                self.part_of_node[node] = self.part_of_node[parent as usize];
            }
        }
        let part_above = |&node: &usize| match parents[node] {
            ROOT => NO_PART,
            parent => self.part_of_node[parent as usize],
        };
        self.above = self.nodes.iter().map(part_above).collect();
        self.resize(members);
    }

    fn set(&mut self, part: usize, member: usize, is_hidden: bool) {
        let own = &mut self.own[member];
        let before = *own != Bits::default();
        let bit = 1 << (part % BITS);
        own[part / BITS] = if is_hidden { own[part / BITS] | bit } else { own[part / BITS] & !bit };
        self.hiding = self.hiding + usize::from(*own != Bits::default()) - usize::from(before);
    }

    /// Updates the parts that a member does not show.
    fn spread(&mut self, member: usize) {
        let own = &self.own[member];
        let mut all = Bits::default();
        for part in 0..self.nodes.len() as u8 {
            let mut at = part;
            while at != NO_PART && !has(own, at) {
                at = self.above[usize::from(at)];
            }
            all[usize::from(part) / BITS] |= u32::from(at != NO_PART) << (usize::from(part) % BITS);
        }
        self.all[member] = all;
    }
}

impl Crowd {
    /// Hides nodes of consecutive members, from `first` on, with all nodes below them; `false` shows them as their clip does.
    ///
    /// - `nodes`: indices of nodes.
    /// - `hidden`: for each node, one value per member.
    ///
    /// # Errors
    /// `Range`; `TooManyParts` if more nodes than 192 were hidden since the crowd began. In this case nothing changes.
    pub fn set_hidden(&mut self, nodes: &[usize], first: usize, hidden: &[bool]) -> Result<(), CrowdError> {
        let count = hidden.len().checked_div(nodes.len()).unwrap_or(0);
        if count * nodes.len() != hidden.len()
            || first > self.len()
            || count > self.len() - first
            || nodes.iter().any(|&node| node >= self.rig.node_count())
        {
            return Err(CrowdError::Range);
        }
        let rows = || nodes.iter().zip(hidden.chunks_exact(count.max(1)));
        let mut added = Vec::new();
        for (node, row) in rows() {
            if row.contains(&true) && !self.hidden.nodes.contains(node) && !added.contains(node) {
                added.push(*node);
            }
        }
        if self.hidden.nodes.len() + added.len() > MAX_PARTS {
            return Err(CrowdError::TooManyParts);
        }
        if !added.is_empty() {
            self.hidden.add(&added, self.rig.parents(), self.places.len());
        }
        for (node, row) in rows() {
            let Some(part) = self.hidden.nodes.iter().position(|other| other == node) else { continue };
            for (member, &is_hidden) in (first..).zip(row) {
                self.hidden.set(part, member, is_hidden);
            }
        }
        // A new part may be below a part that other members hide.
        let changed = if added.is_empty() { first..first + count } else { 0..self.hidden.own.len() };
        if !self.hidden.nodes.is_empty() {
            changed.for_each(|member| self.hidden.spread(member));
        }
        Ok(())
    }

    /// The part of each node of the model, 255 for nodes that no member hides; empty if no member hides a node.
    ///
    /// The last entry of a member in [`Crowd::palette`] has the parts that it hides, 24 in each float of its last two rows.
    pub fn parts_of_nodes(&self) -> &[u8] {
        self.hidden.of_nodes()
    }

    /// Writes the nodes of a member that the page does not hide; clears the list if it hides none.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn shown_nodes(&self, i: usize, shown: &mut Vec<bool>) {
        shown.clear();
        if let Some(all) = self.hidden.all.get(i).filter(|all| **all != Bits::default()) {
            shown.extend(self.hidden.part_of_node.iter().map(|&part| !has(all, part)));
        }
    }

    /// Writes the parts that visible members hide next to their tints.
    #[inline(never)]
    pub(super) fn hide_parts(&mut self) {
        let last = SIDE_BY_SIDE * self.rig.palette_len();
        for at in 0..self.visible_members.len() {
            let all = &self.hidden.all[self.visible_members[at].member as usize];
            let [a, b, c, d, e, f, g, h] = all.map(|word| word as f32);
            let entry = self.begin(at) + last;
            self.palettes[entry].rows[1..]
                .copy_from_slice(&[F32x4::new([a, b, c, d]), F32x4::new([e, f, g, h])]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ```text
    /// 0 ── 1 ── 2 ── 3
    ///       └── 4
    /// ```
    const PARENTS: [u32; 5] = [ROOT, 0, 1, 2, 1];

    #[test]
    fn hidden_parts_follow_the_nodes_above_whatever_their_order() {
        let mut hidden = HiddenParts::default();
        hidden.add(&[3, 1], &PARENTS, 2);
        hidden.add(&[2], &PARENTS, 2);
        assert_eq!(hidden.part_of_node, [NO_PART, 1, 2, 0, 1]);
        assert_eq!(hidden.above, [2, NO_PART, 1]);
        let mut shown = |parts: &[usize]| {
            (0..3).for_each(|part| hidden.set(part, 1, parts.contains(&part)));
            hidden.spread(1);
            assert_eq!(hidden.hiding, usize::from(!parts.is_empty()));
            (0..3).map(|part| has(&hidden.all[1], part)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[]), [false, false, false]);
        assert_eq!(shown(&[0]), [true, false, false]);
        assert_eq!(shown(&[2]), [true, false, true]);
        assert_eq!(shown(&[1]), [true, true, true]);
        hidden.resize(1);
        assert_eq!((hidden.hiding, hidden.of_nodes().len()), (0, 0));
    }

    #[test]
    fn hidden_parts_have_a_bit_each_that_a_float_keeps() {
        let parents: Vec<u32> = vec![ROOT; MAX_PARTS];
        let mut hidden = HiddenParts::default();
        hidden.add(&(0..MAX_PARTS).collect::<Vec<_>>(), &parents, 1);
        (0..MAX_PARTS).step_by(3).for_each(|part| hidden.set(part, 0, true));
        hidden.spread(0);
        for part in 0..MAX_PARTS {
            let float = hidden.all[0][part / BITS] as f32;
            assert_eq!(float as u32 >> (part % BITS) & 1 == 1, part.is_multiple_of(3), "{part}");
        }
        assert!(!has(&hidden.all[0], NO_PART), "nodes without a part are shown");
    }
}
