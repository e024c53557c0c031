//! Values for the filters of decoded attributes.

/// The elements for the filter QUATERNION, four numbers of 16 bits: a unit quaternion without its largest component.
///
/// - `bits`: 4 … 16 per component.
pub fn quaternion(rotation: [f32; 4], bits: u32) -> [i16; 4] {
    let one = (1i32 << (bits.clamp(4, 16) - 1)) - 1;
    let largest = (0..4).fold(0, |most, i| if rotation[i].abs() > rotation[most].abs() { i } else { most });
    let length = rotation.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
    let sign = if rotation[largest] < 0.0 { -1.0 } else { 1.0 };
    let scale = if length > 0.0 { sign * f64::from(one) * std::f64::consts::SQRT_2 / length } else { 0.0 };
    let other = |i: usize| {
        let value = (f64::from(rotation[(largest + i) % 4]) * scale).round();
        value.clamp(-f64::from(one), f64::from(one)) as i16
    };
    [other(1), other(2), other(3), (one & !3) as i16 | largest as i16]
}

/// The element for the filter EXPONENTIAL: a multiple of a power of two.
///
/// - `exponent`: that of the power, −126 … 100. A larger one is used if the number of 24 bits before it would overflow.
pub fn exponential(value: f32, exponent: i32) -> i32 {
    let mut exponent = exponent.clamp(-126, 100);
    loop {
        let mantissa = (f64::from(value) * power_of_two(-exponent)).round();
        if mantissa.abs() < f64::from(1 << 23) || exponent >= 105 {
            let mantissa = mantissa.clamp(-8_388_607.0, 8_388_607.0) as i32;
            return exponent << 24 | (mantissa & 0xff_ffff);
        }
        exponent += 1;
    }
}

/// 2 to a power from −1022 to 1023.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The values for the filter OCTAHEDRAL: a unit vector with x and y on an octahedron, the number of 1, and `w` as it is.
///
/// - `bits`: of each component, 2 … 8 for elements of four bytes and 2 … 16 for elements of eight bytes.
pub fn octahedral([x, y, z]: [f32; 3], w: i16, bits: u32) -> [i16; 4] {
    let one = f64::from((1i32 << (bits.clamp(2, 16) - 1)) - 1);
    let vector = [x, y, z].map(f64::from);
    let [x, y, z] = vector;
    let length = x.abs() + y.abs() + z.abs();
    let (x, y) = if length > 0.0 { (x / length, y / length) } else { (0.0, 0.0) };
    let (u, v) = match z >= 0.0 {
        true => (x, y),
        false => ((1.0 - y.abs()).copysign(x), (1.0 - x.abs()).copysign(y)),
    };
    let (u, v) = ((u * one).floor(), (v * one).floor());
    // The nearest of the four points around is not always the one that rounding gives.
    let corners = [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.0, 0.0)];
    let corners = corners.map(|(a, b)| ((u + a).min(one), (v + b).min(one)));
    let best = corners.into_iter().max_by(|a, b| {
        let cosine = |&(u, v): &(f64, f64)| dot(unfolded(u / one, v / one), vector);
        cosine(a).total_cmp(&cosine(b))
    });
    let (u, v) = best.unwrap_or((u, v));
    [u as i16, v as i16, one as i16, w]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The unit vector of a point of the octahedron.
fn unfolded(u: f64, v: f64) -> [f64; 3] {
    let z = 1.0 - u.abs() - v.abs();
    let fold = (-z).max(0.0);
    let vector = [u - fold.copysign(u), v - fold.copysign(v), z];
    vector.map(|component| component / dot(vector, vector).sqrt())
}
