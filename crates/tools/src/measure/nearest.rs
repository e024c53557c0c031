//! The nearest points of a set, by a k-d tree.

/// Points that have a place in each of several poses. The distance of two points is their largest distance in any pose.
pub(super) struct Cloud {
    /// The poses.
    poses: usize,
    /// Three numbers for each pose of each point.
    places: Vec<f32>,
}

impl Cloud {
    /// - `poses`: the places of all points in each pose.
    pub(super) fn new(poses: &[Vec<[f32; 3]>]) -> Self {
        let points = poses.first().map_or(0, Vec::len);
        let mut places = Vec::with_capacity(points * poses.len() * 3);
        for point in 0..points {
            // Comparisons need finite numbers.
            let finite = |number: f32| if number.is_finite() { number } else { f32::MAX };
            places.extend(poses.iter().flat_map(|pose| pose[point].map(finite)));
        }
        Self { poses: poses.len(), places }
    }

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        self.places.len() / self.width().max(1)
    }

    /// The numbers of a point.
    pub(super) fn point(&self, point: usize) -> &[f32] {
        &self.places[point * self.width()..][..self.width()]
    }

    fn width(&self) -> usize {
        3 * self.poses
    }
}

/// The square of the distance, or of any part of it above `limit`.
fn square(a: &[f32], b: &[f32], limit: f64) -> f64 {
    let mut worst = 0.0_f64;
    for (a, b) in a.as_chunks::<3>().0.iter().zip(b.as_chunks::<3>().0) {
        let squares = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
        worst = worst.max(squares.sum());
        if worst > limit {
            break;
        }
    }
    worst
}

/// The points of a leaf.
const LEAF: usize = 8;
/// The most points that a query compares. Sets that have nothing in common would take quadratic time.
const MOST: usize = 8192;

/// A k-d tree.
pub(super) struct Tree<'a> {
    cloud: &'a Cloud,
    /// The points; each range of the tree is divided by the point in its middle.
    order: Vec<u32>,
    /// The number of a point by which the range around it is divided, for each place of `order`.
    axes: Vec<u16>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(cloud: &'a Cloud) -> Self {
        let count = cloud.len();
        let mut tree = Self { cloud, order: (0..count as u32).collect(), axes: vec![0; count] };
        let mut ranges = vec![(0, count)];
        while let Some((begin, end)) = ranges.pop() {
            if end - begin <= LEAF {
                continue;
            }
            let axis = tree.widest(begin, end);
            let middle = (begin + end) / 2;
            let key = |point: u32| cloud.point(point as usize)[axis];
            tree.order[begin..end]
                .select_nth_unstable_by(middle - begin, |&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
            tree.axes[middle] = axis as u16;
            ranges.extend([(begin, middle), (middle + 1, end)]);
        }
        tree
    }

    /// The axis of the largest extent, among some points of a range.
    fn widest(&self, begin: usize, end: usize) -> usize {
        let some = self.order[begin..end].iter().step_by((end - begin).div_ceil(256));
        let mut range = vec![(f32::INFINITY, f32::NEG_INFINITY); self.cloud.width()];
        for &point in some {
            for (range, &number) in range.iter_mut().zip(self.cloud.point(point as usize)) {
                *range = (range.0.min(number), range.1.max(number));
            }
        }
        let extents = range.iter().map(|(low, high)| high - low).enumerate();
        extents.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(axis, _)| axis)
    }

    /// The nearest points, at most `count`, with the squares of their distances, nearest first.
    pub(super) fn nearest(&self, from: &[f32], count: usize) -> Vec<(f64, u32)> {
        let mut best: Vec<(f64, u32)> = Vec::with_capacity(count + 1);
        let mut left = MOST;
        // Ranges, with the square of a distance that none of their points is below.
        let mut ranges = vec![(0, self.order.len(), 0.0)];
        while let Some((begin, end, least)) = ranges.pop() {
            let limit =
                |best: &[(f64, u32)]| if best.len() < count { f64::INFINITY } else { best[count - 1].0 };
            if least > limit(&best) || begin == end || left == 0 {
                continue;
            }
            let mut add = |point: u32| {
                let limit = limit(&best);
                let distance = square(from, self.cloud.point(point as usize), limit);
                if distance < limit || best.is_empty() {
                    best.insert(best.partition_point(|(known, _)| *known <= distance), (distance, point));
                    best.truncate(count);
                }
            };
            if end - begin <= LEAF {
                self.order[begin..end].iter().for_each(|&point| add(point));
                left = left.saturating_sub(end - begin);
                continue;
            }
            let middle = (begin + end) / 2;
            let point = self.order[middle];
            add(point);
            left -= 1;
            let axis = usize::from(self.axes[middle]);
            let side = f64::from(from[axis]) - f64::from(self.cloud.point(point as usize)[axis]);
            let halves = [(begin, middle), (middle + 1, end)];
            let [near, far] = if side < 0.0 { halves } else { [halves[1], halves[0]] };
            // The last one is taken first.
            ranges.push((far.0, far.1, least.max(side * side)));
            ranges.push((near.0, near.1, least));
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in −1 … 1, most of them on a coarse grid, so that there are ties.
    fn random(state: &mut u64) -> f32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (*state >> 40) as f32 / (1 << 23) as f32 - 1.0;
        if *state & 1 == 0 { (8.0 * number).round() / 8.0 } else { number }
    }

    fn cloud(points: usize, poses: usize, state: &mut u64) -> Cloud {
        let pose = |state: &mut u64| (0..points).map(|_| [(); 3].map(|()| random(state))).collect();
        Cloud::new(&(0..poses).map(|_| pose(state)).collect::<Vec<_>>())
    }

    #[test]
    fn nearest_points_are_those_of_a_search_of_all() {
        let mut state = 3;
        for (points, poses) in [(0, 1), (1, 1), (8, 2), (9, 1), (500, 1), (500, 3), (3000, 2)] {
            let (here, there) = (cloud(40, poses, &mut state), cloud(points, poses, &mut state));
            let tree = Tree::new(&there);
            for i in 0..here.len() {
                let from = here.point(i);
                let mut all: Vec<f64> =
                    (0..points).map(|j| square(from, there.point(j), f64::INFINITY)).collect();
                all.sort_by(f64::total_cmp);
                let found: Vec<f64> = tree.nearest(from, 4).iter().map(|(distance, _)| *distance).collect();
                assert_eq!(found, &all[..points.min(4)], "{points} points, {poses} poses");
            }
        }
    }

    #[test]
    fn nearest_points_of_equal_and_of_infinite_places_are_found() {
        let cloud = Cloud::new(&[[vec![[0.0; 3]; 100], vec![[f32::NAN, f32::INFINITY, 1.0]; 20]].concat()]);
        let tree = Tree::new(&cloud);
        assert_eq!(tree.nearest(&[0.0; 3], 3).iter().map(|found| found.0).collect::<Vec<_>>(), [0.0; 3]);
        assert_eq!(tree.nearest(cloud.point(110), 1)[0].0, 0.0);
    }
}
