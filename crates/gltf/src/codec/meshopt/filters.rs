//! Filters of decoded attributes, applied in place. Spec: appendix B.
//!
//! For invalid input the specification leaves the result open. Here it is the result of the arithmetic: casts
//! from floats saturate, NaN becomes 0, and nothing panics.

use super::stream::Filter;

/// Applies a filter to elements of `stride` bytes, which must be valid for the filter.
pub(super) fn apply(filter: Filter, stride: usize, bytes: &mut [u8]) {
    let wide = stride == 8;
    match filter {
        Filter::None => {}
        Filter::Octahedral if wide => each::<8>(bytes, |b| pairs(octahedral(quad(b).map(to_i16), 32767.0))),
        Filter::Octahedral => {
            each::<4>(bytes, |b| octahedral(b.map(|v| v.cast_signed().into()), 127.0).map(|v| v as u8));
        }
        Filter::Quaternion => each::<8>(bytes, |b| pairs(quaternion(quad(b).map(to_i16)))),
        Filter::Exponential => each::<4>(bytes, |b| exponential(i32::from_le_bytes(b)).to_le_bytes()),
        Filter::Color if wide => each::<8>(bytes, |b| {
            let [y, co, cg, a] = quad(b);
            pairs(color(y.into(), to_i16(co), to_i16(cg), a.into(), 65535.0))
        }),
        Filter::Color => each::<4>(bytes, |[y, co, cg, a]| {
            let (co, cg) = (co.cast_signed().into(), cg.cast_signed().into());
            color(y.into(), co, cg, a.into(), 255.0).map(|v| v as u8)
        }),
    }
}

fn each<const N: usize>(bytes: &mut [u8], change: impl Fn([u8; N]) -> [u8; N]) {
    bytes.as_chunks_mut().0.iter_mut().for_each(|element| *element = change(*element));
}

/// Four numbers of two bytes.
fn quad([a, b, c, d, e, f, g, h]: [u8; 8]) -> [u16; 4] {
    [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes)
}

/// The low 16 bits of four numbers.
fn pairs(values: [i32; 4]) -> [u8; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = values.map(|value| (value as u16).to_le_bytes());
    [a, b, c, d, e, f, g, h]
}

fn to_i16(value: u16) -> i32 {
    value.cast_signed().into()
}

/// The nearest integer, halves away from zero.
fn round(value: f32) -> i32 {
    (value + 0.5f32.copysign(value)) as i32
}

fn octahedral([x, y, one, w]: [i32; 4], max: f32) -> [i32; 4] {
    let one = one as f32;
    let (mut x, mut y) = (x as f32 / one, y as f32 / one);
    let z = 1.0 - x.abs() - y.abs();
    // The lower hemisphere is folded over the upper one.
    let fold = (-z).max(0.0);
    x -= fold.copysign(x);
    y -= fold.copysign(y);
    let scale = max / (x * x + y * y + z * z).sqrt();
    [round(x * scale), round(y * scale), round(z * scale), w]
}

fn quaternion([x, y, z, last]: [i32; 4]) -> [i32; 4] {
    let one = (last | 3) as f32;
    let scale = std::f32::consts::FRAC_1_SQRT_2 / one;
    let [x, y, z] = [x, y, z].map(|value| value as f32 * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut out = [w, x, y, z].map(|value| round(value * 32767.0));
    // The lowest two bits are the index of the omitted component.
    out.rotate_right((last & 3) as usize);
    out
}

/// The number of an element with the filter EXPONENTIAL.
pub fn exponential(value: i32) -> f32 {
    let (exponent, mantissa) = (value >> 24, (value << 8) >> 8);
    // Powers below 2⁻¹²⁶ are subnormal.
    let power = match exponent {
        -126.. => ((exponent + 127) as u32) << 23,
        _ => 1 << (exponent + 149),
    };
    f32::from_bits(power) * mantissa as f32
}

fn color(y: i32, co: i32, cg: i32, a: i32, max: f32) -> [i32; 4] {
    // The highest set bit of alpha marks the number of bits of all components.
    let full = ((1u32 << (32 - a.cast_unsigned().leading_zeros())) - 1) as f32;
    let half = (full as i32) >> 1;
    let alpha = a & half;
    let rgba = [y + co - cg, y + cg, y - co - cg, (alpha << 1) | (alpha & 1)];
    rgba.map(|value| round((value as f32 * (max / full)).clamp(0.0, max)))
}
