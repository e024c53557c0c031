//! The frame rate on whose frames keys lie.

/// Usual rates. A channel without a rate of its own is even if all its keys lie on frames of one of them.
const USUAL: [u32; 9] = [24, 25, 30, 48, 50, 60, 100, 120, 240];
/// The largest distance of a key from its frame, in frames, and in parts of its time: exporters write times as f32.
const NEAR: f64 = 0.02;
const ROUNDED: f64 = 1e-6;
/// The least frame rate. Keys at larger equal distances are set by hand.
const SLOWEST: f64 = 7.5;

/// The frames of a channel's keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Grid {
    /// Most keys follow each other at one distance, and the others at multiples of it: the rate, per second.
    Rate(f64),
    /// Keys on frames of a usual rate, but too few to tell which.
    Sparse,
    /// No usual rate has a frame for each key.
    Uneven,
}

impl Grid {
    /// The frames of key times, which increase; `None` with fewer than four keys, which fit by chance.
    pub(super) fn of(times: &[f32]) -> Option<Self> {
        let first = f64::from(*times.first()?);
        if times.len() < 4 {
            return None;
        }
        let intervals: Vec<f64> =
            times.windows(2).map(|pair| f64::from(pair[1]) - f64::from(pair[0])).collect();
        let least = intervals.iter().copied().fold(f64::INFINITY, f64::min);
        let single: Vec<f64> = intervals.iter().copied().filter(|interval| *interval < 1.5 * least).collect();
        let rate = single.len() as f64 / single.iter().sum::<f64>();
        let fits = |rate: f64, from: f64| {
            times.iter().all(|&time| {
                let frame = (f64::from(time) - from) * rate;
                let rounding = f64::from(time).abs() * ROUNDED * rate;
                (frame - frame.round()).abs() <= NEAR + rounding
            })
        };
        if 2 * single.len() >= intervals.len() && fits(rate, first) {
            let whole = rate.round();
            if rate < SLOWEST {
                return Some(Self::Sparse);
            }
            return Some(Self::Rate(if (rate - whole).abs() < 0.002 * rate { whole } else { rate }));
        }
        let is_even = USUAL.into_iter().any(|rate| fits(rate.into(), 0.0) || fits(rate.into(), first));
        Some(if is_even { Self::Sparse } else { Self::Uneven })
    }

    /// `true` if the frames of one rate are frames of the other.
    pub(super) fn agree(a: f64, b: f64) -> bool {
        let ratio = a.max(b) / a.min(b);
        (ratio - ratio.round()).abs() < 0.01 * ratio
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(rate: f64, frames: impl IntoIterator<Item = u32>) -> Vec<f32> {
        frames.into_iter().map(|frame| (f64::from(frame) / rate) as f32).collect()
    }

    #[test]
    fn grid_has_the_rate_of_most_keys() {
        for rate in [8.0, 12.0, 15.0, 24.0, 25.0, 30.0, 33.0, 60.0, 120.0] {
            assert_eq!(Grid::of(&times(rate, 0..50)), Some(Grid::Rate(rate)));
        }
        // Keys on each second frame, with gaps, after an hour, and from another start.
        assert_eq!(Grid::of(&times(24.0, [0, 2, 4, 6])), Some(Grid::Rate(12.0)));
        assert_eq!(Grid::of(&times(30.0, [0, 1, 2, 90, 91])), Some(Grid::Rate(30.0)));
        assert_eq!(Grid::of(&times(24.0, [86_400, 86_401, 86_403, 86_404])), Some(Grid::Rate(24.0)));
        let late: Vec<f32> = times(25.0, 0..9).iter().map(|time| time + 0.013).collect();
        assert_eq!(Grid::of(&late), Some(Grid::Rate(25.0)));
    }

    #[test]
    fn grid_is_sparse_or_uneven_for_few_keys() {
        assert_eq!(Grid::of(&times(30.0, [0, 2, 5, 12, 30])), Some(Grid::Sparse));
        assert_eq!(Grid::of(&[0.0, 0.25, 0.41, 0.93]), Some(Grid::Sparse), "hundredths");
        assert_eq!(Grid::of(&[0.0, 0.313, 0.626, 0.939]), Some(Grid::Sparse), "by hand");
        assert_eq!(Grid::of(&[0.0, 0.0131, 0.0317, 0.0522]), Some(Grid::Uneven));
        assert_eq!(Grid::of(&[0.0, 0.013, 0.031]), None);
        assert_eq!(Grid::of(&[]), None);
    }

    #[test]
    fn grid_rates_agree_if_one_is_a_multiple_of_the_other() {
        assert!(Grid::agree(30.0, 15.0) && Grid::agree(24.0, 120.0) && Grid::agree(30.0, 30.0));
        assert!(!Grid::agree(24.0, 30.0) && !Grid::agree(25.0, 30.0));
    }
}
