//! Modes 1 and 2: vertex indices.

/// The last 16 pushed values.
struct Fifo<T> {
    ring: [Option<T>; 16],
    pushed: usize,
}

impl<T: Copy + PartialEq> Fifo<T> {
    fn new() -> Self {
        Self { ring: [None; 16], pushed: 0 }
    }

    fn push(&mut self, value: T) {
        self.ring[self.pushed % 16] = Some(value);
        self.pushed += 1;
    }

    /// The number of pushes after the last push of `value`, if it is below 16.
    fn age(&self, value: T) -> Option<u8> {
        let found =
            (0..self.pushed.min(16)).find(|age| self.ring[(self.pushed - 1 - age) % 16] == Some(value));
        found.map(|age| age as u8)
    }
}

fn varint(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(delta: u32) -> u32 {
    (delta << 1) ^ (delta.cast_signed() >> 31).cast_unsigned()
}

/// The parts of a stream before its table is known.
struct Encoder {
    /// The next index that is not used yet.
    next: u32,
    /// The last explicit index.
    last: u32,
    edges: Fifo<(u32, u32)>,
    vertices: Fifo<u32>,
}

/// One encoded triangle.
enum Triangle {
    /// It shares an edge with an earlier one.
    Edge { code: u8, data: Vec<u8> },
    /// The first three vertices again: the next mesh of several in one stream begins.
    Restart,
    /// It has three corners of its own: `true` if the first one is explicit, then the codes of the others.
    Free { explicit: bool, corners: u8, data: Vec<u8> },
}

impl Encoder {
    fn explicit(&mut self, index: u32, data: &mut Vec<u8>) {
        varint(zigzag(index.wrapping_sub(self.last)), data);
        self.last = index;
    }

    /// The four bits for a corner without an edge, and `true` if it must be pushed.
    fn corner(&mut self, index: u32, data: &mut Vec<u8>) -> (u8, bool) {
        if index == self.next {
            self.next = self.next.wrapping_add(1);
            return (0, true);
        }
        match self.vertices.age(index).filter(|&age| age < 14) {
            Some(age) => (age + 1, false),
            None => {
                self.explicit(index, data);
                (15, true)
            }
        }
    }

    fn triangle(&mut self, [a, b, c]: [u32; 3]) -> Triangle {
        let turns = [[a, b, c], [b, c, a], [c, a, b]];
        let shared = turns.iter().filter_map(|&[a, b, c]| Some((self.edges.age((a, b))?, [a, b, c])));
        let shared = shared.filter(|&(age, _)| age < 15).min_by_key(|&(age, [.., c])| (c != self.next, age));
        let mut data = Vec::new();
        if let Some((high, [a, b, c])) = shared {
            let low = if c == self.next {
                self.next = self.next.wrapping_add(1);
                0
            } else if let Some(age) = self.vertices.age(c).filter(|age| (1..13).contains(age)) {
                age
            } else if c == self.last.wrapping_sub(1) {
                self.last = c;
                13
            } else if c == self.last.wrapping_add(1) {
                self.last = c;
                14
            } else {
                self.explicit(c, &mut data);
                15
            };
            if low == 0 || low >= 13 {
                self.vertices.push(c);
            }
            self.edges.push((c, b));
            self.edges.push((a, c));
            return Triangle::Edge { code: high << 4 | low, data };
        }
        if let Some([a, b, c]) = turns.into_iter().find(|&turn| turn == [0, 1, 2] && self.next != 0) {
            self.next = 3;
            [a, b, c].into_iter().for_each(|vertex| self.vertices.push(vertex));
            [(b, a), (c, b), (a, c)].into_iter().for_each(|edge| self.edges.push(edge));
            return Triangle::Restart;
        }
        // If any corner is the next unused vertex, it comes first. So no triangle has an explicit corner followed by two
        // unused ones, whose code means a restart.
        let [a, b, c] = turns.into_iter().find(|turn| turn[0] == self.next).unwrap_or([a, b, c]);
        let explicit = a != self.next;
        if explicit {
            self.explicit(a, &mut data);
        } else {
            self.next = self.next.wrapping_add(1);
        }
        let (high, new_b) = self.corner(b, &mut data);
        let (low, new_c) = self.corner(c, &mut data);
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
        Triangle::Free { explicit, corners: high << 4 | low, data }
    }
}

/// The most frequent codes of two corners, 0 first. Codes with an explicit corner cannot be in the table.
fn table(triangles: &[Triangle]) -> [u8; 16] {
    let mut counts = [0usize; 256];
    for triangle in triangles {
        if let Triangle::Free { explicit: false, corners, .. } = triangle {
            counts[usize::from(*corners)] += 1;
        }
    }
    let allowed = |code: &u8| *code != 0 && code >> 4 != 15 && code & 15 != 15;
    let mut codes: Vec<u8> = (0..=255).filter(allowed).collect();
    codes.sort_by_key(|&code| std::cmp::Reverse(counts[usize::from(code)]));
    let mut table = [0; 16];
    table[1..14].copy_from_slice(&codes[..13]);
    table
}

/// Encodes a triangle list.
pub(super) fn triangles(list: &[u32]) -> Vec<u8> {
    let mut encoder = Encoder { next: 0, last: 0, edges: Fifo::new(), vertices: Fifo::new() };
    let (chunks, _) = list.as_chunks::<3>();
    let encoded: Vec<Triangle> = chunks.iter().map(|&triangle| encoder.triangle(triangle)).collect();
    let table = table(&encoded);
    let (mut codes, mut rest) = (vec![0xe1], Vec::new());
    for triangle in &encoded {
        match triangle {
            Triangle::Edge { code, data } => {
                codes.push(*code);
                rest.extend_from_slice(data);
            }
            Triangle::Restart => {
                codes.push(0xfe);
                rest.push(0);
            }
            Triangle::Free { explicit: false, corners, data } => {
                match table[..14].iter().position(|known| known == corners) {
                    Some(at) => codes.push(0xf0 | at as u8),
                    None => {
                        codes.push(0xfe);
                        rest.push(*corners);
                    }
                }
                rest.extend_from_slice(data);
            }
            Triangle::Free { explicit: true, corners, data } => {
                codes.push(0xff);
                rest.push(*corners);
                rest.extend_from_slice(data);
            }
        }
    }
    codes.extend_from_slice(&rest);
    codes.extend_from_slice(&table);
    codes
}

/// Encodes indices of any topology: each as the difference to the nearer of two earlier ones.
pub(super) fn sequence(list: &[u32]) -> Vec<u8> {
    let mut out = vec![0xd1];
    let mut last = [0u32; 2];
    for &index in list {
        let delta = last.map(|last| zigzag(index.wrapping_sub(last)));
        let nearer = usize::from(delta[1] < delta[0]);
        // The lowest bit is the choice, so the difference has 31 bits.
        varint(delta[nearer] << 1 | nearer as u32, &mut out);
        last[nearer] = index;
    }
    out.extend_from_slice(&[0; 4]);
    out
}
