//! Uneven grounds that receive shadows.

/// An uneven ground that receives shadows: a grid of points, whose rows go along X and follow each other along Z.
#[derive(Debug, Clone, PartialEq)]
pub struct UnevenGround {
    /// Four numbers per point: its place, and 1, or 0 for a hole.
    pub(crate) texels: Vec<f32>,
    /// The lowest and the highest point.
    heights: Option<[f32; 2]>,
}

impl UnevenGround {
    /// The number of points along each edge.
    pub const SIDE: usize = 65;

    /// A ground.
    ///
    /// - `points`: X, Y, Z of [`UnevenGround::SIDE`]² points; one that is not finite is a hole. Another number of points is no
    ///   surface: it stands for a ground that an actor shows, which has the shadows itself.
    pub fn new(points: &[f32]) -> Self {
        let (points, _) = points.as_chunks::<3>();
        let points = if points.len() == Self::SIDE * Self::SIDE { points } else { &[] };
        let is_hole = |point: &[f32; 3]| point.iter().any(|value| !value.is_finite());
        let texel = |point: &[f32; 3]| {
            if is_hole(point) { [0.0; 4] } else { [point[0], point[1], point[2], 1.0] }
        };
        let heights = points.iter().filter(|point| !is_hole(point)).map(|[_, y, _]| *y);
        let ends = |ends: Option<[f32; 2]>, y: f32| {
            Some(ends.map_or([y, y], |[low, high]| [low.min(y), high.max(y)]))
        };
        Self { texels: points.iter().flat_map(texel).collect(), heights: heights.fold(None, ends) }
    }

    /// The lowest and the highest Y; `None` without a surface.
    pub fn heights(&self) -> Option<[f32; 2]> {
        self.heights
    }
}

#[cfg(test)]
mod tests {
    use super::UnevenGround;

    fn points(y: impl Fn(usize) -> f32) -> Vec<f32> {
        let side = UnevenGround::SIDE;
        (0..side * side).flat_map(|i| [(i % side) as f32, y(i), (i / side) as f32]).collect()
    }

    #[test]
    fn uneven_ground_has_holes_where_numbers_are_missing() {
        let ground = UnevenGround::new(&points(|i| match i {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => -3.0,
            _ => i as f32 / 1000.0,
        }));
        assert_eq!(ground.heights(), Some([-3.0, 4.224]));
        assert_eq!(ground.texels[..12], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, -3.0, 0.0, 1.0]);
        assert_eq!(ground.texels.len(), 4 * 65 * 65);
    }

    #[test]
    fn uneven_ground_without_a_surface_has_no_heights() {
        for points in [vec![], vec![1.0; 7], vec![0.0; 3 * 64 * 64], points(|_| f32::NAN)] {
            assert_eq!(UnevenGround::new(&points).heights(), None);
        }
    }
}
