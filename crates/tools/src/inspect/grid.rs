//! The frame rate on whose frames keys lie.

/// Usual rates, each after its divisors.
const RATES: [u32; 14] = [10, 12, 15, 16, 20, 24, 25, 30, 48, 50, 60, 100, 120, 240];
/// The largest distance of a key from its frame, in frames, and in parts of its time: exporters write times as f32.
const NEAR: f64 = 0.01;
const ROUNDED: f64 = 1e-6;

/// The frames of a channel's keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grid {
    /// All keys lie on frames of this rate, counted from the first key or from 0.
    Even(u32),
    /// No usual rate has a frame for each key.
    Uneven,
}

impl Grid {
    /// The smallest usual rate; `None` with fewer than four keys, which fit by chance.
    pub(super) fn of(times: &[f32]) -> Option<Self> {
        let first = f64::from(*times.first()?);
        if times.len() < 4 {
            return None;
        }
        let fits = |rate: u32, from: f64| {
            times.iter().all(|&time| {
                let frame = (f64::from(time) - from) * f64::from(rate);
                let rounding = f64::from(time).abs() * ROUNDED * f64::from(rate);
                (frame - frame.round()).abs() <= NEAR + rounding
            })
        };
        let rate = RATES.into_iter().find(|&rate| fits(rate, 0.0) || fits(rate, first));
        Some(rate.map_or(Self::Uneven, Self::Even))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(rate: f64, frames: impl IntoIterator<Item = u32>) -> Vec<f32> {
        frames.into_iter().map(|frame| (f64::from(frame) / rate) as f32).collect()
    }

    #[test]
    fn grid_is_the_smallest_rate_with_a_frame_for_each_key() {
        for rate in RATES {
            assert_eq!(Grid::of(&times(rate.into(), 0..50)), Some(Grid::Even(rate)));
        }
        // Keys on each second frame, with gaps, after an hour, and from another start.
        assert_eq!(Grid::of(&times(24.0, [0, 2, 4, 6])), Some(Grid::Even(12)));
        assert_eq!(Grid::of(&times(30.0, [0, 3, 4, 90, 91])), Some(Grid::Even(30)));
        assert_eq!(Grid::of(&times(24.0, [86_400, 86_401, 86_403, 86_404])), Some(Grid::Even(24)));
        let late: Vec<f32> = times(25.0, 0..9).iter().map(|time| time + 0.013).collect();
        assert_eq!(Grid::of(&late), Some(Grid::Even(25)));
    }

    #[test]
    fn grid_is_uneven_for_keys_between_frames() {
        assert_eq!(Grid::of(&[0.0, 0.013, 0.031, 0.0522]), Some(Grid::Uneven));
        assert_eq!(Grid::of(&[0.0, 0.013, 0.031]), None);
        assert_eq!(Grid::of(&[]), None);
    }
}
