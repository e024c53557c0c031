//! The times at which two clips are compared.

use gambol::model::Clip;

/// The key times of both clips, times between each two neighbours, and a regular grid; in seconds, increasing.
///
/// - `between`: the number of times between two keys.
/// - `most`: the largest number of times, which are spread evenly in their order if there are more.
pub(crate) fn sample_times(clips: &[&Clip], between: usize, most: usize) -> Vec<f64> {
    let duration = clips.iter().map(|clip| f64::from(clip.duration)).fold(0.0, f64::max);
    let curves = clips.iter().flat_map(|clip| &clip.curves);
    let mut times: Vec<f64> = curves.flat_map(|curve| curve.times()).map(|&time| f64::from(time)).collect();
    times.extend([0.0, duration]);
    times.extend((0..16).map(|i| duration * f64::from(i) / 15.0));
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut all = Vec::with_capacity(times.len() * (between + 1));
    for pair in times.windows(2) {
        let step = (pair[1] - pair[0]) / (between + 1) as f64;
        all.extend((0..=between).map(|i| pair[0] + step * i as f64));
    }
    all.extend(times.last());
    thinned(all, most)
}

/// Times in fours; the last one is repeated.
pub(crate) fn fours(times: &[f64]) -> Vec<[f64; 4]> {
    times.chunks(4).map(|some| std::array::from_fn(|i| some[i.min(some.len() - 1)])).collect()
}

/// At most `most` of the times, evenly spread in their order.
fn thinned(times: Vec<f64>, most: usize) -> Vec<f64> {
    if times.len() <= most {
        return times;
    }
    (0..most).map(|i| times[i * (times.len() - 1) / (most - 1)]).collect()
}

/// Some times of a clip, evenly spread over its duration, both ends included.
pub(crate) fn grid(clip: &Clip, count: usize) -> Vec<f64> {
    let duration = f64::from(clip.duration);
    if duration == 0.0 {
        return vec![0.0];
    }
    (0..count).map(|i| duration * i as f64 / (count - 1).max(1) as f64).collect()
}
