//! The shape of a skeleton: the joints that carry it, its size, its legs and its spine. It needs no names.

use std::ops::Range;

use super::hierarchy::Joint;

/// The largest tree of joints.
pub(super) struct Body {
    /// The indices of its joints, from the last one that carries the whole body. Others are places, such as the ground.
    pub(super) tree: Range<usize>,
    /// `true` for joints that carry the whole body, such as the roots, and `Hips` below `Reference`. Their OFFSET is a
    /// place, not a bone.
    pub(super) carries: Vec<bool>,
    /// The height of a human with this skeleton: the longest path through its bones, which does not depend on the pose,
    /// is that from toe to fingertip, 1.4 times the height.
    pub(super) height: f64,
    pub(super) limbs: Option<Limbs>,
}

/// A pair of legs and the spine between them.
pub(super) struct Limbs {
    /// The first and the last joint of both legs.
    pub(super) legs: [[usize; 2]; 2],
    /// The lengths of both legs together.
    pub(super) length: f64,
    /// The first joint above the legs, and that of the arms, or the last one.
    pub(super) spine: Option<[usize; 2]>,
}

/// Limbs of both sides differ in length by less than this part, since measured bodies are not symmetric.
const ASYMMETRY: f64 = 0.2;
/// Legs are longer than this part of [`Body::height`].
const SHORTEST_LEG: f64 = 0.25;

/// The bones of each joint.
struct Bones<'a> {
    joints: &'a [Joint],
    children: Vec<Vec<usize>>,
    /// The length of all bones below the joint.
    mass: Vec<f64>,
    /// The longest path down from the joint.
    reach: Vec<f64>,
    /// The number of joints below the joint.
    count: Vec<usize>,
}

impl Body {
    pub(super) fn new(joints: &[Joint]) -> Self {
        let bones = Bones::new(joints);
        let roots = || (0..joints.len()).filter(|&joint| joints[joint].parent.is_none());
        let root = roots().max_by(|&a, &b| bones.mass[a].total_cmp(&bones.mass[b])).unwrap_or_default();
        let chain = bones.carriers(root);
        let mut carries = vec![false; joints.len()];
        roots().chain(chain.iter().copied()).for_each(|joint| carries[joint] = true);
        let hips = chain.last().copied().unwrap_or(root);
        let height = bones.longest(&carries) / 1.4;
        let limbs = bones.limbs(root, height);
        Self { tree: hips..hips + 1 + bones.count[hips], carries, height, limbs }
    }
}

impl<'a> Bones<'a> {
    fn new(joints: &'a [Joint]) -> Self {
        let zeros = || vec![0.0; joints.len()];
        let mut bones = Self {
            joints,
            children: vec![Vec::new(); joints.len()],
            mass: zeros(),
            reach: zeros(),
            count: vec![0; joints.len()],
        };
        for (index, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent {
                bones.children[parent].push(index);
            }
        }
        for index in (0..joints.len()).rev() {
            if let Some(parent) = joints[index].parent {
                bones.mass[parent] += bones.mass[index] + bones.length(index);
                bones.reach[parent] = bones.reach[parent].max(bones.along(index));
                bones.count[parent] += 1 + bones.count[index];
            }
        }
        bones
    }

    fn length(&self, joint: usize) -> f64 {
        self.joints[joint].offset.length()
    }

    /// The longest path from the parent of a joint down through the joint.
    fn along(&self, joint: usize) -> f64 {
        self.length(joint) + self.reach[joint]
    }

    fn heaviest(&self, joints: impl Iterator<Item = usize>) -> Option<usize> {
        joints.max_by(|&a, &b| self.mass[a].total_cmp(&self.mass[b]))
    }

    /// The root, and the joints below it that have nearly all bones below them. Only the root, if no joint has branches.
    fn carriers(&self, root: usize) -> Vec<usize> {
        let mut chain = vec![root];
        let mut joint = root;
        while let Some(heaviest) = self.heaviest(self.children[joint].iter().copied()) {
            let others: f64 = self.children[joint]
                .iter()
                .filter(|&&child| child != heaviest)
                .map(|&child| self.mass[child])
                .sum();
            if others > 0.2 * self.mass[heaviest] {
                return chain;
            }
            chain.push(heaviest);
            joint = heaviest;
        }
        vec![root]
    }

    /// The longest path through the bones. OFFSETs of joints that carry the body do not count.
    fn longest(&self, carries: &[bool]) -> f64 {
        let mut reach = vec![0.0_f64; self.joints.len()];
        let mut longest = 0.0_f64;
        for (index, joint) in self.joints.iter().enumerate().rev() {
            if let Some(parent) = joint.parent {
                let along = reach[index] + if carries[index] { 0.0 } else { self.length(index) };
                longest = longest.max(reach[parent] + along);
                reach[parent] = reach[parent].max(along);
            }
        }
        longest
    }

    /// Two branches of a joint that are alike and long enough for legs: the longest such pair.
    fn pair(&self, joint: usize, shortest: f64) -> Option<[usize; 2]> {
        let mut long: Vec<usize> =
            self.children[joint].iter().copied().filter(|&child| self.along(child) >= shortest).collect();
        // Equal counts side by side, the longer ones first.
        long.sort_by(|&a, &b| {
            self.count[a].cmp(&self.count[b]).then(self.along(b).total_cmp(&self.along(a)))
        });
        let alike = |pair: &&[usize]| {
            self.count[pair[0]] == self.count[pair[1]]
                && self.along(pair[1]) >= (1.0 - ASYMMETRY) * self.along(pair[0])
        };
        let pairs = long.windows(2).filter(alike);
        pairs.max_by(|a, b| self.along(a[1]).total_cmp(&self.along(b[1]))).map(|pair| [pair[0], pair[1]])
    }

    /// The pair of limbs that is nearest to the root, which is that of the legs.
    fn limbs(&self, root: usize, height: f64) -> Option<Limbs> {
        let shortest = SHORTEST_LEG * height;
        if shortest <= 0.0 {
            return None;
        }
        let mut best: Option<(f64, usize, [usize; 2])> = None;
        let mut open = vec![(root, 0.0)];
        while let Some((joint, distance)) = open.pop() {
            if best.is_some_and(|(nearest, ..)| nearest <= distance) {
                continue;
            }
            if let Some(pair) = self.pair(joint, shortest) {
                best = Some((distance, joint, pair));
                continue;
            }
            let long = self.children[joint].iter().filter(|&&child| self.along(child) >= shortest);
            open.extend(long.map(|&child| (child, distance + self.length(child))));
        }
        let (_, hips, pair) = best?;
        let legs = pair.map(|first| [first, self.end(first, |child| self.along(child))]);
        Some(Limbs {
            legs,
            length: pair.iter().map(|&first| self.reach[first]).sum(),
            spine: self.spine(hips, pair, shortest),
        })
    }

    /// The last joint down from a joint, along the children of the greatest `measure`.
    fn end(&self, joint: usize, measure: impl Fn(usize) -> f64) -> usize {
        let mut end = joint;
        while let Some(&next) = self.children[end].iter().max_by(|&&a, &&b| measure(a).total_cmp(&measure(b)))
        {
            end = next;
        }
        end
    }

    /// The spine above the legs, to the joint with the arms, or to the end.
    fn spine(&self, hips: usize, legs: [usize; 2], shortest: f64) -> Option<[usize; 2]> {
        let mut from = hips;
        let mut below = legs.to_vec();
        let first = loop {
            let others = self.children[from].iter().copied().filter(|child| !below.contains(child));
            match self.heaviest(others.filter(|&child| self.along(child) >= shortest)) {
                Some(first) => break first,
                // The legs may be below a joint of their own, beside that of the spine.
                None => {
                    below = vec![from];
                    from = self.joints[from].parent?;
                }
            }
        };
        let mut chest = first;
        while self.pair(chest, shortest).is_none() {
            match self.heaviest(self.children[chest].iter().copied()) {
                Some(next) => chest = next,
                None => break,
            }
        }
        Some([from, chest])
    }
}
