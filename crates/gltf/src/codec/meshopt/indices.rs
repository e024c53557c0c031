//! Modes 1 and 2: vertex indices. Spec: appendix A, “Mode 1” and “Mode 2”.

use super::stream::{Fault, Rest, split};

/// The last 16 pushed values.
struct Fifo<T> {
    ring: [T; 16],
    pushed: usize,
}

impl<T: Copy + Default> Fifo<T> {
    fn new() -> Self {
        Self { ring: [T::default(); 16], pushed: 0 }
    }

    fn push(&mut self, value: T) {
        self.ring[self.pushed % 16] = value;
        self.pushed += 1;
    }

    /// The value pushed `age` pushes before the last one; `age` is below 16.
    fn get(&self, age: u8) -> Option<T> {
        let at = self.pushed.checked_sub(1 + usize::from(age))?;
        Some(self.ring[at % 16])
    }
}

/// Reads a number of 7 bits per byte, lowest first; the highest bit of a byte is set if more bytes follow.
fn varint(data: &mut Rest<'_>) -> Result<u32, Fault> {
    let mut value = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = data.byte()?;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Fault::Truncated)
}

fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// Appends an index of `stride` bytes, 2 or 4.
fn emit(out: &mut Vec<u8>, index: u32, stride: usize) {
    out.extend(&index.to_le_bytes()[..stride]);
}

/// Decodes `count` indices of a triangle list.
pub(super) fn triangles(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let (mut data, _, table) =
        split(stream, |header| if header == 0xe1 { Ok(16) } else { Err(Fault::Header { found: header }) })?;
    if table[14..] != [0, 0] || table.iter().any(|byte| byte >> 4 == 15 || byte & 15 == 15) {
        return Err(Fault::Tail);
    }
    // Each triangle takes at least one byte, so the output cannot be much larger than the stream.
    let codes = data.take(count / 3)?;
    let mut out = Vec::with_capacity(count * stride);
    let mut state = Triangles { data, next: 0, last: 0, edges: Fifo::new(), vertices: Fifo::new() };
    for (triangle, &code) in codes.iter().enumerate() {
        for index in state.triangle(code, table, Fault::Reference { triangle })? {
            emit(&mut out, index, stride);
        }
    }
    state.data.end()?;
    Ok(out)
}

/// The state of the triangle decoder.
struct Triangles<'a> {
    data: Rest<'a>,
    /// The next index that is not used yet.
    next: u32,
    /// The last explicit index.
    last: u32,
    edges: Fifo<(u32, u32)>,
    vertices: Fifo<u32>,
}

impl Triangles<'_> {
    fn fresh(&mut self) -> u32 {
        let index = self.next;
        self.next = self.next.wrapping_add(1);
        index
    }

    /// Reads an explicit index, stored as the difference to the last one.
    fn explicit(&mut self) -> Result<u32, Fault> {
        self.last = self.last.wrapping_add(unzigzag(varint(&mut self.data)?));
        Ok(self.last)
    }

    /// The index for a code of four bits, and `true` if the vertex must be pushed to the queue.
    fn corner(&mut self, bits: u8, unseen: Fault) -> Result<(u32, bool), Fault> {
        match bits {
            0 => Ok((self.fresh(), true)),
            15 => Ok((self.explicit()?, true)),
            age => Ok((self.vertices.get(age - 1).ok_or(unseen)?, false)),
        }
    }

    fn triangle(&mut self, code: u8, table: &[u8], unseen: Fault) -> Result<[u32; 3], Fault> {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            let (a, b) = self.edges.get(high).ok_or(unseen)?;
            let c = match low {
                0 => self.fresh(),
                13 | 14 => {
                    self.last = if low == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                    self.last
                }
                15 => self.explicit()?,
                age => self.vertices.get(age).ok_or(unseen)?,
            };
            if low == 0 || low >= 13 {
                self.vertices.push(c);
            }
            self.edges.push((c, b));
            self.edges.push((a, c));
            return Ok([a, b, c]);
        }
        let corners = if low < 14 { table[usize::from(low)] } else { self.data.byte()? };
        if low >= 14 && corners == 0 {
            self.next = 0;
        }
        let a = if low == 15 { self.explicit()? } else { self.fresh() };
        let (b, new_b) = self.corner(corners >> 4, unseen)?;
        let (c, new_c) = self.corner(corners & 15, unseen)?;
        self.vertices.push(a);
        if new_b {
            self.vertices.push(b);
        }
        if new_c {
            self.vertices.push(c);
        }
        self.edges.push((b, a));
        self.edges.push((c, b));
        self.edges.push((a, c));
        Ok([a, b, c])
    }
}

/// Decodes `count` indices of any topology.
pub(super) fn indices(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let (mut data, _, _) =
        split(stream, |header| if header == 0xd1 { Ok(4) } else { Err(Fault::Header { found: header }) })?;
    // Each index takes at least one byte.
    if count > data.0.len() {
        return Err(Fault::Truncated);
    }
    let mut out = Vec::with_capacity(count * stride);
    let mut last = [0u32; 2];
    for _ in 0..count {
        let value = varint(&mut data)?;
        let last = &mut last[(value & 1) as usize];
        *last = last.wrapping_add(unzigzag(value >> 1));
        emit(&mut out, *last, stride);
    }
    data.end()?;
    Ok(out)
}
