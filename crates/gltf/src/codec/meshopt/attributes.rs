//! Mode 0: elements as deltas to the previous element, per byte. Spec: appendix A, “Mode 0”.
//!
//! ```text
//! header │ block … block │ padding, baseline element, channel modes
//!          └ control bits, then for each byte of the element: 2 bits per group, groups of 16 deltas
//! ```

use super::stream::{Fault, Rest, split};

/// The number of elements per group.
const GROUP: usize = 16;
/// The maximum number of elements per block.
const BLOCK: usize = 256;

/// The encoding of one byte of the elements in a block.
#[derive(Clone, Copy)]
enum Control {
    /// In groups, each with one of these numbers of bits per delta.
    Groups([u32; 4]),
    /// All deltas are 0; none is stored.
    Zero,
    /// Deltas of one byte each.
    Literal,
}

impl Control {
    const VERSION_0: Self = Self::Groups([0, 2, 4, 8]);

    fn new(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::Groups([0, 1, 2, 4]),
            1 => Self::Groups([1, 2, 4, 8]),
            2 => Self::Zero,
            _ => Self::Literal,
        }
    }
}

/// The encoding of the deltas of four bytes.
#[derive(Clone, Copy)]
enum Channel {
    Bytes,
    Pairs,
    /// Exclusive or; the encoder rotated the bits to the left.
    Xor(u32),
}

impl Channel {
    fn new(mode: u8) -> Result<Self, Fault> {
        match (mode & 15, mode >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Pairs),
            (2, rotation) => Ok(Self::Xor(rotation.into())),
            _ => Err(Fault::Tail),
        }
    }

    /// Applies a delta to the previous four bytes.
    fn next(self, before: [u8; 4], delta: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => {
                let [a, b, c, d] = delta.map(|v| (v >> 1) ^ (v & 1).wrapping_neg());
                let [e, f, g, h] = before;
                [e.wrapping_add(a), f.wrapping_add(b), g.wrapping_add(c), h.wrapping_add(d)]
            }
            Self::Pairs => {
                let next = |before: [u8; 2], delta: [u8; 2]| {
                    let v = u16::from_le_bytes(delta);
                    let delta = (v >> 1) ^ (v & 1).wrapping_neg();
                    u16::from_le_bytes(before).wrapping_add(delta).to_le_bytes()
                };
                let [a, b, c, d] = before;
                let [e, f, g, h] = delta;
                let ([a, b], [c, d]) = (next([a, b], [e, f]), next([c, d], [g, h]));
                [a, b, c, d]
            }
            Self::Xor(rotation) => {
                let delta = u32::from_le_bytes(delta).rotate_right(rotation);
                (u32::from_le_bytes(before) ^ delta).to_le_bytes()
            }
        }
    }
}

/// Decodes `count` elements of `stride` bytes, a multiple of 4 up to 256.
pub(super) fn decode(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let (mut data, header, tail) = split(stream, |header| match header {
        0xa0 => Ok(stride.max(32)),
        0xa1 => Ok((stride + stride / 4).max(24)),
        found => Err(Fault::Header { found }),
    })?;
    let version_1 = header == 0xa1;
    let channels = stride / 4;
    let modes = if version_1 { &tail[tail.len() - channels..] } else { &[][..] };
    let modes: Vec<Channel> = match version_1 {
        true => modes.iter().map(|&mode| Channel::new(mode)).collect::<Result<_, _>>()?,
        false => vec![Channel::Bytes; channels],
    };
    let baseline = &tail[tail.len() - stride - if version_1 { channels } else { 0 }..];
    let mut before: Vec<[u8; 4]> = baseline.as_chunks().0[..channels].to_vec();

    let mut out = vec![0; count * stride];
    let most = (8192 / stride / GROUP * GROUP).min(BLOCK);
    let mut deltas = [[0; BLOCK]; 4];
    for block in out.chunks_mut(most * stride) {
        let elements = block.len() / stride;
        let control = if version_1 { data.take(channels)? } else { &[] };
        for (c, (&mode, before)) in modes.iter().zip(&mut before).enumerate() {
            for (b, deltas) in deltas.iter_mut().enumerate() {
                let control = match control.get(c) {
                    Some(bits) => Control::new(bits >> (2 * b)),
                    None => Control::VERSION_0,
                };
                read_deltas(&mut data, control, elements, deltas)?;
            }
            let [d0, d1, d2, d3] = &deltas;
            let deltas = d0.iter().zip(d1).zip(d2).zip(d3).map(|(((a, b), c), d)| [*a, *b, *c, *d]);
            for (element, delta) in block.chunks_exact_mut(stride).zip(deltas) {
                *before = mode.next(*before, delta);
                element[4 * c..][..4].copy_from_slice(before);
            }
        }
    }
    data.end()?;
    Ok(out)
}

/// Reads the deltas for one byte of a block's elements.
fn read_deltas(
    data: &mut Rest<'_>,
    control: Control,
    elements: usize,
    deltas: &mut [u8; BLOCK],
) -> Result<(), Fault> {
    match control {
        Control::Zero => deltas[..elements].fill(0),
        Control::Literal => deltas[..elements].copy_from_slice(data.take(elements)?),
        Control::Groups(bits) => {
            let groups = elements.div_ceil(GROUP);
            let header = data.take(groups.div_ceil(4))?;
            for (g, group) in deltas.as_chunks_mut().0[..groups].iter_mut().enumerate() {
                read_group(data, bits[usize::from(header[g / 4] >> (2 * (g % 4)) & 3)], group)?;
            }
        }
    }
    Ok(())
}

/// Reads 16 deltas of `bits` bits each; the maximum value is replaced by a whole byte, stored after the group.
fn read_group(data: &mut Rest<'_>, bits: u32, group: &mut [u8; GROUP]) -> Result<(), Fault> {
    match bits {
        0 => group.fill(0),
        8 => group.copy_from_slice(data.take(GROUP)?),
        _ => {
            let packed = data.take(GROUP * bits as usize / 8)?;
            let sentinel = (1u8 << bits) - 1;
            for (i, delta) in group.iter_mut().enumerate() {
                let at = i * bits as usize;
                // Single bits are stored from the lowest bit, others from the highest.
                let shift = if bits == 1 { at % 8 } else { 8 - bits as usize - at % 8 };
                let value = (packed[at / 8] >> shift) & sentinel;
                *delta = if value == sentinel { data.byte()? } else { value };
            }
        }
    }
    Ok(())
}
