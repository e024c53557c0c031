//! The keys of a track of the target.

use crate::model::{Curve, Interpolation};

/// The distance of two values.
pub(super) fn far<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f64 {
    let square = |i: usize| (f64::from(a[i]) - f64::from(b[i])) * (f64::from(a[i]) - f64::from(b[i]));
    (0..N).map(square).sum::<f64>().sqrt()
}

/// The keys of a track: those needed, and all where they differ from what is between needed ones. A constant track has
/// one key; `None` if that is the rest pose.
pub(super) fn keys<const N: usize>(
    times: &[f32],
    values: &[[f32; N]],
    needed: &[bool],
    interpolation: Interpolation,
    between: impl Fn([f32; N], [f32; N], f64) -> [f32; N],
    same: impl Fn(&[f32; N], &[f32; N]) -> bool,
    rest: &[f32; N],
) -> Option<Result<Curve, ()>> {
    let (first, begin) = (values.first()?, times.first()?);
    let curve =
        |times: Vec<f32>, values: Vec<f32>| Curve::new(interpolation, N, times, values).map_err(|_| ());
    if values.iter().all(|value| same(first, value)) {
        return (!same(first, rest)).then(|| curve(vec![*begin], first.to_vec()));
    }
    let mut kept = Vec::with_capacity(times.len());
    let mut last: Option<usize> = None;
    for i in 0..times.len() {
        if !needed[i] {
            continue;
        }
        match last {
            Some(last) if interpolation != Interpolation::Step => {
                let (begin, end) = (f64::from(times[last]), f64::from(times[i]));
                let differs = |j: usize| {
                    let u = (f64::from(times[j]) - begin) / (end - begin);
                    !same(&between(values[last], values[i], u), &values[j])
                };
                if (last + 1..i).any(differs) {
                    kept.extend(last + 1..i);
                }
            }
            // Before the first key the value is constant.
            None if interpolation != Interpolation::Step && (0..i).any(|j| !same(&values[i], &values[j])) => {
                kept.extend(0..i);
            }
            _ => {}
        }
        kept.push(i);
        last = Some(i);
    }
    let rest_of = last.map_or(0, |last| last + 1);
    if interpolation != Interpolation::Step
        && last.is_none_or(|last| (rest_of..times.len()).any(|j| !same(&values[last], &values[j])))
    {
        kept.extend(rest_of..times.len());
    }
    Some(curve(kept.iter().map(|i| times[*i]).collect(), kept.iter().flat_map(|i| values[*i]).collect()))
}
