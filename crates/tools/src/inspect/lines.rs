//! The keys of a channel that no line between others replaces.

use super::raw::{Channel, Interpolation, Path};

/// Numbers that are compared at once: components of a value, or of a rotation vector.
type Row = [f64; 3];

/// The number of keys that a channel needs, so that each of its keys is within `tolerance` of the line between kept ones.
/// Rotations are compared as angles in radians, and lines between them are those of slerp. All keys of a spline are needed.
///
/// One pass: from each kept key, the interval of slopes that passes all keys so far is narrowed until no later key is in it.
pub(super) fn kept_keys(channel: &Channel, tolerance: f64) -> usize {
    let count = channel.times.len();
    match channel.interpolation {
        Interpolation::CubicSpline => count,
        Interpolation::Step => {
            let changes = (1..count.saturating_sub(1)).filter(|&key| {
                let pairs = channel.value(key).iter().zip(channel.value(key - 1));
                pairs.map(|(a, b)| f64::from(a - b).abs()).fold(0.0, f64::max) > tolerance
            });
            // The last key is the end of the clip.
            changes.count() + count.min(2)
        }
        Interpolation::Linear if channel.path == Path::Rotation => {
            kept(channel, tolerance, 1, |channel, from, key, _| {
                rotation_vector(channel.rotation(from), channel.rotation(key))
            })
        }
        Interpolation::Linear => {
            kept(channel, tolerance, channel.width.div_ceil(3), |channel, from, key, part| {
                let (a, b) = (channel.value(from), channel.value(key));
                let mut row = Row::default();
                for (i, number) in row.iter_mut().enumerate() {
                    let at = 3 * part + i;
                    if let (Some(a), Some(b)) = (a.get(at), b.get(at)) {
                        *number = f64::from(*b) - f64::from(*a);
                    }
                }
                row
            })
        }
    }
}

/// `offset` is the difference of a key from the kept one before it, in parts of three numbers.
fn kept(
    channel: &Channel,
    tolerance: f64,
    parts: usize,
    offset: impl Fn(&Channel, usize, usize, usize) -> Row,
) -> usize {
    let count = channel.times.len();
    if count < 3 {
        return count;
    }
    // Within the tolerance in each of three components is within it in length.
    let near = tolerance / 3.0_f64.sqrt();
    let mut slopes = vec![[[f64::NEG_INFINITY, f64::INFINITY]; 3]; parts];
    let mut rows = vec![Row::default(); parts];
    let (mut from, mut kept) = (0, 1);
    let mut key = 1;
    while key < count {
        let seconds = f64::from(channel.times[key]) - f64::from(channel.times[from]);
        for (part, row) in rows.iter_mut().enumerate() {
            *row = offset(channel, from, key, part);
        }
        let fits = rows.iter().zip(&slopes).all(|(row, slopes)| {
            slopes.iter().zip(row).all(|([low, high], number)| (*low..=*high).contains(&(number / seconds)))
        });
        if !fits {
            // The line ends at the key before.
            (from, kept) = (key - 1, kept + 1);
            slopes.fill([[f64::NEG_INFINITY, f64::INFINITY]; 3]);
            continue;
        }
        for (row, slopes) in rows.iter().zip(&mut slopes) {
            for ([low, high], number) in slopes.iter_mut().zip(row) {
                *low = low.max((number - near) / seconds);
                *high = high.min((number + near) / seconds);
            }
        }
        key += 1;
    }
    kept + 1
}

/// The rotation from `a` to `b` as its axis times its angle, in radians. Slerp from `a` is linear in it.
fn rotation_vector(a: [f64; 4], b: [f64; 4]) -> Row {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    // conjugate(a) · b
    let x = aw * bx - ax * bw - ay * bz + az * by;
    let y = aw * by - ay * bw - az * bx + ax * bz;
    let z = aw * bz - az * bw - ax * by + ay * bx;
    let w = aw * bw + ax * bx + ay * by + az * bz;
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    let sine = (x * x + y * y + z * z).sqrt();
    // The series of the arcsine is exact to 1e-8 for small turns, and much faster.
    let scale = if sine < 0.2 && w.abs() > 0.5 {
        let s = sine * sine;
        2.0 * (1.0 + s * (1.0 / 6.0 + s * (3.0 / 40.0 + s * (15.0 / 336.0 + s * (105.0 / 3456.0)))))
    } else {
        2.0 * sine.atan2(w.abs()) / sine
    };
    [x, y, z].map(|number| sign * scale * number)
}
