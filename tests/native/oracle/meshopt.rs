//! An encoder for meshopt's specification; the simplest encoding that it allows, not the smallest. Spec:
//! KHR_meshopt_compression, appendix A and B.

/// The delta coding of the four bytes of a channel.
#[derive(Clone, Copy)]
pub(crate) enum Channel {
    Bytes,
    Pairs,
    /// Exclusive or, rotated by this number of bits.
    Xor(u32),
}

/// Mode ATTRIBUTES, version 0: four groups of whole bytes for each byte of the elements.
pub(crate) fn attributes_0(elements: &[u8], stride: usize) -> Vec<u8> {
    let mut stream = vec![0xa0];
    let mut before = elements[..stride].to_vec();
    for block in elements.chunks(block(stride) * stride) {
        for (at, before) in before.iter_mut().enumerate() {
            let mut deltas: Vec<u8> =
                block.iter().skip(at).step_by(stride).map(|&byte| zigzag(byte, before)).collect();
            deltas.resize(deltas.len().next_multiple_of(16), 0);
            let groups = deltas.len() / 16;
            // Two bits per group: 0 if it is all zero, 3 if its bytes follow.
            let mut header = vec![0; groups.div_ceil(4)];
            let mut data = Vec::new();
            for (g, group) in deltas.chunks(16).enumerate() {
                if group.iter().any(|&delta| delta != 0) {
                    header[g / 4] |= 3 << (2 * (g % 4));
                    data.extend_from_slice(group);
                }
            }
            stream.extend(header);
            stream.extend(data);
        }
    }
    stream.resize(stream.len() + 32_usize.saturating_sub(stride), 0);
    stream.extend_from_slice(&elements[..stride]);
    stream
}

/// Mode ATTRIBUTES, version 1: literal bytes, or none if all are zero; the channels alternate.
pub(crate) fn attributes_1(elements: &[u8], stride: usize, channels: &[Channel]) -> Vec<u8> {
    let channel = |c: usize| channels[c % channels.len()];
    let mut stream = vec![0xa1];
    let mut before: Vec<[u8; 4]> = elements[..stride].as_chunks().0.to_vec();
    for block in elements.chunks(block(stride) * stride) {
        let (mut control, mut data) = (Vec::new(), Vec::new());
        for (c, before) in before.iter_mut().enumerate() {
            let fours = block.chunks(stride).map(|element| [0, 1, 2, 3].map(|b| element[4 * c + b]));
            let deltas: Vec<[u8; 4]> =
                fours.map(|now| delta(channel(c), std::mem::replace(before, now), now)).collect();
            let mut bits = 0;
            for byte in 0..4 {
                let nothing = deltas.iter().all(|delta| delta[byte] == 0);
                bits |= if nothing { 2 } else { 3 } << (2 * byte);
                if !nothing {
                    data.extend(deltas.iter().map(|delta| delta[byte]));
                }
            }
            control.push(bits);
        }
        stream.extend(control);
        stream.extend(data);
    }
    stream.resize(stream.len() + 24_usize.saturating_sub(stride + stride / 4), 0);
    stream.extend_from_slice(&elements[..stride]);
    stream.extend((0..stride / 4).map(|c| match channel(c) {
        Channel::Bytes => 0,
        Channel::Pairs => 1,
        Channel::Xor(bits) => 2 | (bits as u8) << 4,
    }));
    stream
}

/// The number of elements of a block.
fn block(stride: usize) -> usize {
    (8192 / stride / 16 * 16).min(256)
}

fn zigzag(byte: u8, before: &mut u8) -> u8 {
    let delta = byte.wrapping_sub(std::mem::replace(before, byte)).cast_signed();
    ((delta << 1) ^ (delta >> 7)).cast_unsigned()
}

fn delta(channel: Channel, mut before: [u8; 4], now: [u8; 4]) -> [u8; 4] {
    match channel {
        Channel::Bytes => [0, 1, 2, 3].map(|b| zigzag(now[b], &mut before[b])),
        Channel::Pairs => {
            let pair = |of: [u8; 4], at: usize| u16::from_le_bytes([of[at], of[at + 1]]);
            let delta = |at: usize| {
                let delta = pair(now, at).wrapping_sub(pair(before, at)).cast_signed();
                ((delta << 1) ^ (delta >> 15)).cast_unsigned().to_le_bytes()
            };
            let ([a, b], [c, d]) = (delta(0), delta(2));
            [a, b, c, d]
        }
        Channel::Xor(bits) => {
            (u32::from_le_bytes(now) ^ u32::from_le_bytes(before)).rotate_left(bits).to_le_bytes()
        }
    }
}

/// Mode TRIANGLES: every corner as its difference to the last.
pub(crate) fn triangles(indices: &[u32]) -> Vec<u8> {
    let mut stream = vec![0xe1];
    stream.extend(vec![0xff; indices.len() / 3]);
    let mut last = 0;
    for triangle in indices.chunks(3) {
        stream.push(0xff);
        for &index in triangle {
            varint(zigzag_32(index, &mut last), &mut stream);
        }
    }
    stream.extend([0; 16]);
    stream
}

/// Mode INDICES: differences to the last of two baselines, which alternate.
pub(crate) fn indices(indices: &[u32]) -> Vec<u8> {
    let mut stream = vec![0xd1];
    let mut last = [0; 2];
    for (i, &index) in indices.iter().enumerate() {
        varint(zigzag_32(index, &mut last[i % 2]) << 1 | (i % 2) as u32, &mut stream);
    }
    stream.extend([0; 4]);
    stream
}

fn zigzag_32(index: u32, last: &mut u32) -> u32 {
    let delta = index.wrapping_sub(std::mem::replace(last, index)).cast_signed();
    ((delta << 1) ^ (delta >> 31)).cast_unsigned()
}

fn varint(mut value: u32, out: &mut Vec<u8>) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Filter OCTAHEDRAL: a unit vector and a fourth number, in 16 bits of which `bits` are used.
pub(crate) fn octahedral([x, y, z]: [f32; 3], last: i16, bits: u32) -> [u8; 8] {
    let sum = x.abs() + y.abs() + z.abs();
    let (u, v) = (x / sum, y / sum);
    let fold = |a: f32, b: f32| if z < 0.0 { (1.0 - b.abs()).copysign(a) } else { a };
    let most = ((1 << (bits - 1)) - 1) as f32;
    let [u, v] = [fold(u, v), fold(v, u)].map(|value| (value * most).round() as i16);
    words([u, v, most as i16, last])
}

/// Filter QUATERNION: three components of a unit quaternion in 16 bits, and the index of the fourth.
pub(crate) fn quaternion(rotation: [f32; 4]) -> [u8; 8] {
    let largest = (0..4).max_by(|&a, &b| rotation[a].abs().total_cmp(&rotation[b].abs())).unwrap_or(3);
    let sign = rotation[largest].signum();
    let part =
        |i: usize| (rotation[(largest + i) % 4] * sign * std::f32::consts::SQRT_2 * 32767.0).round() as i16;
    words([part(1), part(2), part(3), (32767 & !3) | largest as i16])
}

/// Filter EXPONENTIAL: a float whose mantissa has at most `bits` bits including its sign.
pub(crate) fn exponential(value: f32, bits: i32) -> [u8; 4] {
    // The exponent of the least power of two above the value.
    let above = if value == 0.0 { -100 } else { (value.abs().to_bits() >> 23) as i32 - 126 };
    let exponent = above - (bits - 1);
    let mantissa = (f64::from(value) * 2f64.powi(-exponent)).round() as i32;
    ((exponent << 24) | (mantissa & 0xff_ffff)).to_le_bytes()
}

fn words(values: [i16; 4]) -> [u8; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = values.map(i16::to_le_bytes);
    [a, b, c, d, e, f, g, h]
}
