//! Decimal text → the nearest f64.
//!
//! By hand, since std has a table of powers of ten for it: 10 kB that nothing compresses.

use std::cmp::Ordering;

/// No point halfway between two numbers has more digits; of those beyond, it only matters whether one is not 0.
const DIGITS: usize = 800;

/// The number that a text means: digits, perhaps after `-`, then perhaps `.` and digits, then perhaps `e` and a whole
/// number. Rounded once, to the nearest, of two to the even one; infinite beyond the range of f64.
pub(super) fn parse(text: &[u8]) -> f64 {
    let (sign, text) = text.strip_prefix(b"-").map_or((1.0, text), |rest| (-1.0, rest));
    let (text, power) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&text[..at], whole(&text[at + 1..])),
        None => (text, 0),
    };
    let begin = text.iter().position(|byte| matches!(byte, b'1'..=b'9')).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| matches!(byte, b'1'..=b'9')).map_or(begin, |at| at + 1);
    let point = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    let mut digits: Vec<u8> =
        text[begin..end].iter().filter(|&&byte| byte != b'.').map(|byte| byte - b'0').collect();
    // The number is 0.digits · 10^magnitude.
    let magnitude = if begin < point { (point - begin) as i64 } else { point as i64 + 1 - begin as i64 };
    let magnitude = magnitude.saturating_add(power);
    if digits.len() > DIGITS {
        digits.truncate(DIGITS);
        digits.push(1);
    }
    sign * match magnitude {
        _ if digits.is_empty() => 0.0,
        311.. => f64::INFINITY,
        ..-325 => 0.0,
        magnitude => nearest(&digits, magnitude as i32 - digits.len() as i32),
    }
}

/// A whole number, perhaps after its sign, as far as 64 bits have it.
fn whole(text: &[u8]) -> i64 {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit());
    let number = digits.fold(0_i64, |n, digit| n.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    if text.first() == Some(&b'-') { -number } else { number }
}

/// digits · 10^power
fn nearest(digits: &[u8], power: i32) -> f64 {
    if digits.len() <= 19 {
        let number = digits.iter().fold(0_u64, |n, &digit| n * 10 + u64::from(digit));
        if number < 1 << 53 && (-22..=22).contains(&power) {
            // Both are exact, so that one operation rounds once.
            let scale = (0..power.abs()).fold(1.0, |scale, _| scale * 10.0);
            return if power < 0 { number as f64 / scale } else { number as f64 * scale };
        }
        if (-27..=0).contains(&power) {
            let scale = u128::from(5_u64.pow(power.unsigned_abs()));
            return divide(u128::from(number), scale, power);
        }
    }
    let (mut above, mut below) = (Big(Vec::new()), Big(vec![1]));
    for digit in digits {
        above.multiply(10, (*digit).into());
    }
    let scale = if power < 0 { &mut below } else { &mut above };
    for _ in 0..power.abs() {
        scale.multiply(5, 0);
    }
    divide(above, below, power)
}

/// What long division needs.
trait Natural: PartialOrd {
    /// How many bits there are from the highest 1 on.
    fn bits(&self) -> u32;
    /// Multiplies by 2^by.
    fn shift(&mut self, by: u32);
    /// Takes away what is not more.
    fn subtract(&mut self, other: &Self);
    fn is_zero(&self) -> bool;
}

impl Natural for u128 {
    fn bits(&self) -> u32 {
        Self::BITS - self.leading_zeros()
    }

    fn shift(&mut self, by: u32) {
        *self <<= by;
    }

    fn subtract(&mut self, other: &Self) {
        *self -= other;
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }
}

/// A number of any length: 32 bits each, the lowest first, the last not 0.
#[derive(PartialEq)]
struct Big(Vec<u32>);

impl Big {
    /// self · factor + summand
    fn multiply(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for part in &mut self.0 {
            carry += u64::from(*part) * u64::from(factor);
            *part = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }
}

impl PartialOrd for Big {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let lengths = self.0.len().cmp(&other.0.len());
        Some(lengths.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())))
    }
}

impl Natural for Big {
    fn bits(&self) -> u32 {
        32 * self.0.len() as u32 - self.0.last().map_or(0, |part| part.leading_zeros())
    }

    fn shift(&mut self, by: u32) {
        self.multiply(1 << (by % 32), 0);
        if !self.is_zero() {
            self.0.splice(..0, (0..by / 32).map(|_| 0));
        }
    }

    fn subtract(&mut self, other: &Self) {
        let mut borrowed = false;
        for (i, part) in self.0.iter_mut().enumerate() {
            let (less, first) = part.overflowing_sub(other.0.get(i).copied().unwrap_or(0));
            let (less, second) = less.overflowing_sub(borrowed.into());
            (*part, borrowed) = (less, first || second);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
}

/// above / below · 2^power, neither of them 0; bit by bit.
fn divide<N: Natural>(mut above: N, mut below: N, power: i32) -> f64 {
    let (a, b) = (above.bits(), below.bits());
    above.shift(b.saturating_sub(a));
    below.shift(a.saturating_sub(b));
    // Now above / below lies between 1/2 and 2.
    let (mut quotient, mut exponent) = (0_u64, power + a as i32 - b as i32 + 1);
    while quotient >> 63 == 0 {
        quotient <<= 1;
        exponent -= 1;
        if above >= below {
            above.subtract(&below);
            quotient |= 1;
        }
        above.shift(1);
    }
    round(quotient, exponent, !above.is_zero())
}

/// number · 2^exponent, or a little more; the highest bit of the number is 1.
fn round(number: u64, exponent: i32, more: bool) -> f64 {
    // Subnormal numbers have less than 53 bits.
    let drop = 11.max(-1074 - exponent);
    if drop > 64 {
        return 0.0;
    }
    let (kept, rest) = if drop == 64 { (0, number) } else { (number >> drop, number << (64 - drop)) };
    let half = 1 << 63;
    let up = rest > half || rest == half && (more || kept & 1 == 1);
    // Carries into the exponent as it should, also from the greatest number to infinity.
    let kept = kept + u64::from(up);
    let biased = (exponent + drop + 1075 - 1).max(0) as u64;
    if biased > 2045 { f64::INFINITY } else { f64::from_bits((biased << 52) + kept) }
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn check(text: &str) {
        let want: f64 = text.parse().expect("a number");
        assert_eq!(parse(text.as_bytes()).to_bits(), want.to_bits(), "{text}");
    }

    #[test]
    fn edges_are_rounded_as_std_rounds_them() {
        for text in [
            "0",
            "-0",
            "0.0e5",
            "-0.000",
            "1",
            "-1.50",
            "100",
            "1e0",
            "10E-1",
            "0.1",
            "0.30000000000000004",
            "123456789012345678",
            "9007199254740991",
            "9007199254740993",
            "9007199254740993.00000000000000000001",
            "9007199254740992.99999999999999999999",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.5e-324",
            "1e-323",
            "7.4e-324",
            "1e-400",
            "1e-99999999999999999999",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "2.225073858507201136057409796709131975934819546351645648023426109724822222021076945516529523908135087914149158913039621106870086438694594645527657207407820621743379988141063267329253552286881372149012981122451451889849057222307285255133155755015914397476397983411801999323962548289017107081850690630666655994938275772572015763062690663332647565300009245888316433037779791869612049497390377829704905051080609940730262937128958950003583799967207254304360284078895771796150945516748243471030702609144621572289880258182545180325707018860872113128079512233426288368622321503775666622503982534335974568884423900265498198385487948292206894721689831099698365846814022854243330660339850886445804001034933970427567186443383770486037861622771738545623065874679014086723327636718751234567890123456789012345678901e-308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e308",
            "1e309",
            "1e310",
            "1e99999999999999999999",
            "0e99999999999999999999",
            "8.98846567431158e307",
            "4.35e-5",
            "1e22",
            "1e23",
            "9e27",
            "3e-27",
            "7e-28",
            "123456789e-40",
            "12345678901234567890e-5",
        ] {
            check(text);
        }
    }

    #[test]
    fn so_are_numbers_of_all_lengths_and_sizes() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..100_000 {
            let number = f64::from_bits(next());
            if number.is_finite() {
                check(&format!("{number:e}"));
            }
            check(&format!("{}", f32::from_bits(next() as u32 & 0x3FFF_FFFF)));
            check(&format!(
                "{}.{}e{}",
                next() >> (next() % 64),
                next() >> (next() % 64),
                (next() % 700) as i64 - 350
            ));
        }
    }

    #[test]
    fn so_is_what_lies_halfway_between_two_numbers_or_close_to_it() {
        for (low, power) in
            [(1_u128 << 53, 40), ((1 << 53) + 1, 0), ((1 << 53) - 2, 60), (0x1A_2B3C_4D5E_6F70, 50)]
        {
            let halfway = (2 * low + 1) << power;
            for text in [
                format!("{}", halfway),
                format!("{halfway}.{}1", "0".repeat(900)),
                format!("{}.{}", halfway - 1, "9".repeat(900)),
            ] {
                check(&text);
                check(&format!("{text}e-30"));
                check(&format!("{text}e-300"));
            }
        }
    }
}
