//! Mode 0: elements as deltas to the previous element, per byte.

/// The number of elements per group.
const GROUP: usize = 16;
/// The maximum number of elements per block.
const BLOCK: usize = 256;

/// The deltas of one byte of a block, filled up with zeros to whole groups.
type Deltas = [u8; BLOCK];

/// The number of elements per block.
fn block_length(stride: usize) -> usize {
    (8192 / stride / GROUP * GROUP).min(BLOCK)
}

fn zigzag(delta: u8) -> u8 {
    (delta << 1) ^ (delta.cast_signed() >> 7).cast_unsigned()
}

/// The number of bytes of a group with `bits` bits per delta; `None` if it cannot be written so.
fn group_cost(group: &[u8; GROUP], bits: u32) -> Option<usize> {
    // Without an early end, so that it takes a few SIMD instructions.
    let from = |sentinel: u8| group.iter().map(|&delta| u8::from(delta >= sentinel)).sum::<u8>();
    match bits {
        0 => (group.iter().fold(0, |all, &delta| all | delta) == 0).then_some(0),
        8 => Some(GROUP),
        _ => Some(GROUP * bits as usize / 8 + usize::from(from((1 << bits) - 1))),
    }
}

/// The cheapest of four numbers of bits: its index and its bytes.
fn cheapest(group: &[u8; GROUP], bits: [u32; 4]) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    for (i, &bits) in bits.iter().enumerate() {
        match group_cost(group, bits) {
            // Nothing takes less.
            Some(0) => return Some((i, 0)),
            Some(cost) if best.is_none_or(|(_, least)| cost < least) => best = Some((i, cost)),
            _ => {}
        }
    }
    best
}

fn write_group(group: &[u8], bits: u32, out: &mut Vec<u8>) {
    match bits {
        0 => {}
        8 => out.extend_from_slice(group),
        _ => {
            let sentinel = (1u8 << bits) - 1;
            let begin = out.len();
            out.resize(begin + GROUP * bits as usize / 8, 0);
            for (i, &delta) in group.iter().enumerate() {
                let at = i * bits as usize;
                let shift = if bits == 1 { at % 8 } else { 8 - bits as usize - at % 8 };
                out[begin + at / 8] |= delta.min(sentinel) << shift;
            }
            out.extend(group.iter().filter(|&&delta| delta >= sentinel));
        }
    }
}

/// The bytes of the deltas of one byte in groups; `None` if these numbers of bits do not fit.
fn groups_cost(deltas: &[u8], bits: [u32; 4]) -> Option<usize> {
    let header = (deltas.len() / GROUP).div_ceil(4);
    deltas.as_chunks().0.iter().try_fold(header, |sum, group| Some(sum + cheapest(group, bits)?.1))
}

fn write_groups(deltas: &[u8], bits: [u32; 4], out: &mut Vec<u8>) {
    let begin = out.len();
    out.resize(begin + (deltas.len() / GROUP).div_ceil(4), 0);
    for (g, group) in deltas.as_chunks().0.iter().enumerate() {
        let Some((choice, _)) = cheapest(group, bits) else { continue };
        out[begin + g / 4] |= (choice as u8) << (2 * (g % 4));
        write_group(group, bits[choice], out);
    }
}

/// The bytes at the end: zeros, then the first element, then the modes of the channels.
fn write_tail(bytes: &[u8], stride: usize, modes: &[u8], least: usize, out: &mut Vec<u8>) {
    let length = stride + modes.len();
    out.resize(out.len() + least.saturating_sub(length), 0);
    match bytes.get(..stride) {
        Some(first) => out.extend_from_slice(first),
        None => out.resize(out.len() + stride, 0),
    }
    out.extend_from_slice(modes);
}

/// The numbers of bits of version 0.
const BITS: [u32; 4] = [0, 2, 4, 8];

/// Version 0, of EXT_meshopt_compression.
pub(super) fn version_0(bytes: &[u8], stride: usize) -> Vec<u8> {
    let mut out = vec![0xa0];
    byte_deltas(bytes, stride, |deltas| write_groups(deltas, BITS, &mut out));
    write_tail(bytes, stride, &[], 32, &mut out);
    out
}

/// The bytes of [`version_0`] between the header and the tail.
pub(super) fn version_0_size(bytes: &[u8], stride: usize) -> usize {
    let mut size = 0;
    byte_deltas(bytes, stride, |deltas| size += groups_cost(deltas, BITS).unwrap_or(0));
    size
}

/// Calls `each` with the deltas of each byte of each block.
fn byte_deltas(bytes: &[u8], stride: usize, mut each: impl FnMut(&[u8])) {
    let mut before = bytes.get(..stride).map_or_else(|| vec![0; stride], <[u8]>::to_vec);
    for block in bytes.chunks(block_length(stride) * stride) {
        let elements = block.len() / stride;
        for (byte, before) in before.iter_mut().enumerate() {
            let mut deltas: Deltas = [0; BLOCK];
            for (delta, element) in deltas.iter_mut().zip(block.chunks_exact(stride)) {
                *delta = zigzag(element[byte].wrapping_sub(*before));
                *before = element[byte];
            }
            each(&deltas[..elements.next_multiple_of(GROUP)]);
        }
    }
}

/// The delta of four bytes for a channel's mode.
fn delta(mode: u8, before: [u8; 4], value: [u8; 4]) -> [u8; 4] {
    match mode & 15 {
        0 => std::array::from_fn(|i| zigzag(value[i].wrapping_sub(before[i]))),
        1 => {
            let pair = |i: usize| {
                let (value, before) = ([value[i], value[i + 1]], [before[i], before[i + 1]]);
                let delta = u16::from_le_bytes(value).wrapping_sub(u16::from_le_bytes(before));
                ((delta << 1) ^ (delta.cast_signed() >> 15).cast_unsigned()).to_le_bytes()
            };
            let ([a, b], [c, d]) = (pair(0), pair(2));
            [a, b, c, d]
        }
        _ => {
            let xor = u32::from_le_bytes(value) ^ u32::from_le_bytes(before);
            xor.rotate_left((mode >> 4).into()).to_le_bytes()
        }
    }
}

/// The encoding of one byte in a block of version 1: its control bits and its size.
fn control(deltas: &[u8], elements: usize) -> (u8, usize) {
    if deltas.iter().all(|&delta| delta == 0) {
        return (2, 0);
    }
    let mut best = (3, elements);
    for (bits, table) in [(0, [0, 1, 2, 4]), (1, [1, 2, 4, 8])] {
        match groups_cost(deltas, table) {
            Some(cost) if cost < best.1 => best = (bits, cost),
            _ => {}
        }
    }
    best
}

/// The deltas of one channel, four bytes wide, in each block.
fn channel_deltas(
    bytes: &[u8],
    stride: usize,
    channel: usize,
    mode: u8,
    mut each: impl FnMut(&[Deltas; 4], usize),
) {
    let at = |element: &[u8]| -> [u8; 4] { std::array::from_fn(|i| element[4 * channel + i]) };
    let mut before = bytes.get(..stride).map_or([0; 4], at);
    for block in bytes.chunks(block_length(stride) * stride) {
        let mut deltas = [[0; BLOCK]; 4];
        for (i, element) in block.chunks_exact(stride).enumerate() {
            let value = at(element);
            for (deltas, delta) in deltas.iter_mut().zip(delta(mode, before, value)) {
                deltas[i] = delta;
            }
            before = value;
        }
        each(&deltas, block.len() / stride);
    }
}

/// Version 1, of KHR_meshopt_compression.
pub(super) fn version_1(bytes: &[u8], stride: usize) -> Vec<u8> {
    let channels = stride / 4;
    let modes: Vec<u8> = (0..channels).map(|channel| best_mode(bytes, stride, channel)).collect();
    let blocks = bytes.chunks(block_length(stride) * stride).len();
    // For each block and channel: the control byte and the encoded deltas.
    let mut parts: Vec<Vec<(u8, Vec<u8>)>> = vec![Vec::with_capacity(channels); blocks];
    for (channel, &mode) in modes.iter().enumerate() {
        let mut block = 0;
        channel_deltas(bytes, stride, channel, mode, |deltas, elements| {
            let (mut bits, mut out) = (0, Vec::new());
            for (byte, deltas) in deltas.iter().enumerate() {
                let deltas = &deltas[..elements.next_multiple_of(GROUP)];
                let (choice, _) = control(deltas, elements);
                bits |= choice << (2 * byte);
                match choice {
                    0 => write_groups(deltas, [0, 1, 2, 4], &mut out),
                    1 => write_groups(deltas, [1, 2, 4, 8], &mut out),
                    2 => {}
                    _ => out.extend_from_slice(&deltas[..elements]),
                }
            }
            parts[block].push((bits, out));
            block += 1;
        });
    }
    let mut out = vec![0xa1];
    for block in &parts {
        out.extend(block.iter().map(|(bits, _)| bits));
        block.iter().for_each(|(_, bytes)| out.extend_from_slice(bytes));
    }
    write_tail(bytes, stride, &modes, 24, &mut out);
    out
}

/// The mode of a channel that takes the fewest bytes.
fn best_mode(bytes: &[u8], stride: usize, channel: usize) -> u8 {
    let cost = |mode: u8| {
        let mut sum = 0;
        channel_deltas(bytes, stride, channel, mode, |deltas, elements| {
            let whole = elements.next_multiple_of(GROUP);
            sum += deltas.iter().map(|deltas| control(&deltas[..whole], elements).1).sum::<usize>();
        });
        sum
    };
    let rotated = (0..16).map(|rotation| 2 | rotation << 4);
    [0, 1].into_iter().chain(rotated).min_by_key(|&mode| cost(mode)).unwrap_or(0)
}
