//! The steps by which the page's clock advances a stage.

use crate::animation::MAX_STEP;

/// A long step less than this many seconds after the previous one is not treated as a hitch.
const SETTLING: f64 = 1.0;

/// Converts the times of frames to steps of the timeline.
///
/// A single long step is a hitch and is limited, so that nothing jumps. Consecutive long steps indicate a low frame
/// rate; they are not limited, so that playback keeps its speed with fewer frames.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// The maximum step that is not a hitch, which is also the step of a hitch, in seconds.
    max_step: f64,
    /// The time of the last frame; `None` if no frame was expected after it.
    last: Option<f64>,
    /// The time at which the last long step ended.
    hitch: f64,
    /// The total time skipped by hitches, in seconds.
    skipped: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { max_step: MAX_STEP, last: None, hitch: f64::NEG_INFINITY, skipped: 0.0 }
    }
}

impl Pace {
    /// Sets the maximum step that is not a hitch; infinite for no limit.
    pub(super) fn limit(&mut self, seconds: f64) {
        self.max_step = seconds.max(0.0);
    }

    /// The step from the last frame to `now` seconds, at least 0; the first step is 0.
    pub(super) fn step(&mut self, now: f64) -> f64 {
        let Some(last) = self.last.filter(|&last| now > last) else { return 0.0 };
        let passed = now - last;
        if passed <= self.max_step {
            return passed;
        }
        let sustained = last - self.hitch < SETTLING;
        self.hitch = now;
        if sustained {
            return passed;
        }
        self.skipped += passed - self.max_step;
        self.max_step
    }

    /// Records a frame at `now`, with another frame to follow.
    pub(super) fn record_frame(&mut self, now: f64) {
        self.last = Some(now);
    }

    /// Discards the time of the last frame: the next step is 0.
    pub(super) fn reset(&mut self) {
        self.last = None;
    }

    /// The total time skipped by hitches, in seconds.
    pub(super) fn skipped(&self) -> f64 {
        self.skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of the steps of frames at these times.
    fn advanced(pace: &mut Pace, times: impl IntoIterator<Item = f64>) -> f64 {
        let step = |now: f64| {
            let step = pace.step(now);
            pace.record_frame(now);
            step
        };
        times.into_iter().map(step).sum()
    }

    fn every(seconds: f64, until: f64) -> impl Iterator<Item = f64> {
        (0..).map(move |i| f64::from(i) * seconds).take_while(move |&time| time < until + 1e-9)
    }

    #[test]
    fn pace_ignores_decreasing_and_nan_times() {
        let mut pace = Pace::default();
        for now in [5.0, 4.0, f64::NAN, 4.0, f64::NEG_INFINITY] {
            assert_eq!(pace.step(now), 0.0, "{now}");
            pace.record_frame(now);
        }
        assert_eq!(pace.skipped(), 0.0);
    }

    #[test]
    fn pace_limits_a_single_hitch_and_counts_the_skipped_time() {
        let mut pace = Pace::default();
        let mut times: Vec<f64> = every(0.02, 2.0).collect();
        times.extend(every(0.02, 2.0).map(|time| 7.0 + time));
        assert!((advanced(&mut pace, times) - 4.1).abs() < 1e-9);
        assert!((pace.skipped() - 4.9).abs() < 1e-9);
        // After a second of smooth frames, a long step is a hitch again.
        assert!((advanced(&mut pace, [20.0]) - 0.1).abs() < 1e-9);
        assert!((pace.skipped() - 15.8).abs() < 1e-9);
    }

    #[test]
    fn pace_follows_the_clock_of_a_slow_page_after_the_first_frame() {
        for slow in [0.11, 0.2, 0.5, 3.0] {
            let mut pace = Pace::default();
            let got = advanced(&mut pace, every(slow, 30.0 * slow));
            assert!((got - (29.0 * slow + 0.1)).abs() < 1e-9, "{slow}: {got}");
            assert!((pace.skipped() - (slow - 0.1)).abs() < 1e-9);
        }
        // A page with a low frame rate has a short frame now and then.
        let mut pace = Pace::default();
        let times = (0..40).map(|i| f64::from(i / 2) * 0.65 + f64::from(i % 2) * 0.05);
        let got = advanced(&mut pace, times);
        assert!((got - (19.0 * 0.65 + 0.05 - 0.5)).abs() < 1e-9, "{got}");
    }

    #[test]
    fn pace_skips_idle_time_and_accepts_an_infinite_limit() {
        let mut pace = Pace::default();
        assert!((advanced(&mut pace, [0.0, 0.05]) - 0.05).abs() < 1e-9);
        pace.reset();
        assert_eq!(advanced(&mut pace, [100.0]), 0.0);
        pace.limit(f64::INFINITY);
        assert!((advanced(&mut pace, [200.0]) - 100.0).abs() < 1e-9);
        pace.limit(f64::NAN);
        assert_eq!((pace.max_step, pace.skipped()), (0.0, 0.0));
    }
}
