//! What is left of a division. That of Rust's libraries divides numbers of 128 bits, two kilobytes in WebAssembly.

/// `a % b`, exact: what is left of `a` after as many whole `b` as fit, with the sign of `a`; NaN if `b` is 0, or `a` is not
/// finite, or either is no number.
pub(crate) fn remainder(a: f64, b: f64) -> f64 {
    if !a.is_finite() || b.is_nan() || b == 0.0 {
        return f64::NAN;
    }
    if a.abs() < b.abs() {
        return a;
    }
    let ((mut rest, high), (divisor, low)) = (parts(a), parts(b));
    // As many bits at a time as 64 hold beside the 53 of the rest.
    let mut ahead = high - low;
    rest %= divisor;
    while ahead > 0 {
        let step = ahead.min(11);
        rest = (rest << step) % divisor;
        ahead -= step;
    }
    // A number of up to 53 bits times a power of two, of which the product needs no bit more than `b`.
    let bits = if low > -1023 { ((low + 1023) as u64) << 52 } else { 1 << (low + 1074) };
    (rest as f64 * f64::from_bits(bits)).copysign(a)
}

/// The absolute of a finite number as an integer below 2⁵³ times a power of two.
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
}

#[cfg(test)]
mod tests {
    use super::remainder;

    #[test]
    fn it_is_that_of_std() {
        let special = [
            0.0,
            -0.0,
            1.0,
            3.0,
            0.1,
            1e-320,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
            5e-324,
            1e300,
        ];
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state = state.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            f64::from_bits(state ^ state >> 29)
        };
        let random = (0..200_000).map(|_| (next(), next()));
        let like = (0..200_000).map(|i| (f64::from(i) * 0.0166, 0.1 + f64::from(i % 97) * 0.31));
        let pairs = special.into_iter().flat_map(|a| special.map(|b| (a, b)));
        for (a, b) in pairs.chain(random).chain(like) {
            for (a, b) in [(a, b), (-a, b), (a, -b)] {
                let (ours, expected) = (remainder(a, b), a % b);
                assert!(
                    ours.to_bits() == expected.to_bits() || ours.is_nan() && expected.is_nan(),
                    "{a:e} % {b:e}: {ours:e}, not {expected:e}"
                );
            }
        }
    }
}
