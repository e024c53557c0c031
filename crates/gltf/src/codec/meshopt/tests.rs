//! Hand-made streams from the specification: invalid ones, edge cases, values; then random streams.

use super::{Fault, Filter, Layout, Mode, decode};

fn attributes(count: usize, stride: usize, stream: &[u8]) -> Result<Vec<u8>, Fault> {
    decode(Layout { mode: Mode::Attributes, filter: Filter::None, count, stride }, stream)
}

fn triangles(count: usize, stream: &[u8]) -> Result<Vec<u8>, Fault> {
    decode(Layout { mode: Mode::Triangles, filter: Filter::None, count, stride: 2 }, stream)
}

fn indices(count: usize, stream: &[u8]) -> Result<Vec<u8>, Fault> {
    decode(Layout { mode: Mode::Indices, filter: Filter::None, count, stride: 4 }, stream)
}

/// The result of a filter for elements that are stored literally (control mode 3 in every byte).
fn filtered(filter: Filter, stride: usize, elements: &[u8]) -> Vec<u8> {
    let count = elements.len() / stride;
    assert!(count <= 16);
    let mut stream = vec![0xa1];
    stream.extend(vec![0xff; stride / 4]);
    for byte in 0..stride {
        let mut before = 0u8;
        for element in elements.chunks(stride) {
            let delta = element[byte].wrapping_sub(before).cast_signed();
            stream.push(((delta << 1) ^ (delta >> 7)).cast_unsigned());
            before = element[byte];
        }
    }
    let tail = (stride + stride / 4).max(24);
    stream.extend(vec![0; tail]);
    decode(Layout { mode: Mode::Attributes, filter, count, stride }, &stream).expect("the stream is right")
}

/// Version 0, stride 4, 16 elements: the first byte is the specification's example, the others have deltas of 0.
fn example() -> Vec<u8> {
    let mut stream = vec![0xa0];
    stream.extend([0x02, 0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5]);
    stream.extend([0; 3]);
    stream.extend([0; 28]);
    stream.extend([10, 20, 30, 40]);
    stream
}

#[test]
fn meshopt_invalid_layouts_are_refused() {
    use {Filter as F, Mode as M};
    for (mode, filter, count, stride) in [
        (M::Attributes, F::None, 1, 0),
        (M::Attributes, F::None, 1, 6),
        (M::Attributes, F::None, 1, 260),
        (M::Attributes, F::Octahedral, 1, 12),
        (M::Attributes, F::Quaternion, 1, 4),
        (M::Attributes, F::Color, 1, 16),
        (M::Triangles, F::None, 4, 2),
        (M::Triangles, F::None, 3, 1),
        (M::Triangles, F::Exponential, 3, 4),
        (M::Indices, F::None, 3, 8),
    ] {
        let layout = Layout { mode, filter, count, stride };
        assert!(matches!(decode(layout, &[]), Err(Fault::Layout(_))), "{layout:?}");
    }
}

#[test]
fn meshopt_truncated_and_excess_bytes_are_refused() {
    let good = example();
    assert!(attributes(16, 4, &good).is_ok());
    for end in 0..good.len() {
        assert!(attributes(16, 4, &good[..end]).is_err(), "{end}");
    }
    let mut long = good.clone();
    long.insert(12, 0);
    assert_eq!(attributes(16, 4, &long), Err(Fault::LeftOver { bytes: 1 }));
    assert_eq!(attributes(16, 4, &[&[0xa2], &good[1..]].concat()), Err(Fault::Header { found: 0xa2 }));
    assert_eq!(attributes(1 << 20, 4, &good), Err(Fault::Truncated));
    assert_eq!(triangles(3, &[0xd1; 30]), Err(Fault::Header { found: 0xd1 }));
    assert_eq!(indices(1, &[0xe1; 30]), Err(Fault::Header { found: 0xe1 }));
    assert_eq!(indices(0, &[0xd1, 0, 0, 0, 0, 0]), Err(Fault::LeftOver { bytes: 1 }));
    assert_eq!(indices(2, &[0xd1, 0, 0, 0, 0, 0]), Err(Fault::Truncated));
    // Six bytes with the continuation bit.
    assert_eq!(indices(1, &[0xd1, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0]), Err(Fault::Truncated));
}

#[test]
fn meshopt_invalid_tails_are_refused() {
    let stream = |mode: u8| {
        let mut stream = vec![0xa1, 0b1010_1010];
        stream.extend([0; 23]);
        stream.push(mode);
        stream
    };
    for mode in [0x00, 0x01, 0x02, 0xf2] {
        assert!(attributes(5, 4, &stream(mode)).is_ok(), "{mode}");
    }
    for mode in [0x03, 0x0f, 0x10, 0x21] {
        assert_eq!(attributes(5, 4, &stream(mode)), Err(Fault::Tail), "{mode}");
    }
    let mut table = [0; 16];
    assert!(triangles(0, &[&[0xe1][..], &table].concat()).is_ok());
    for (at, byte) in [(0, 0xf0), (5, 0x0f), (14, 1), (15, 1)] {
        table = [0; 16];
        table[at] = byte;
        assert_eq!(triangles(0, &[&[0xe1][..], &table].concat()), Err(Fault::Tail));
    }
}

#[test]
fn meshopt_triangles_refer_only_to_earlier_edges_and_vertices() {
    let stream = |codes: &[u8]| [&[0xe1], codes, &[0; 16]].concat();
    assert_eq!(triangles(3, &stream(&[0x00])), Err(Fault::Reference { triangle: 0 }));
    // One triangle adds three edges and three vertices.
    assert!(triangles(6, &stream(&[0xf0, 0x20])).is_ok());
    assert_eq!(triangles(6, &stream(&[0xf0, 0x30])), Err(Fault::Reference { triangle: 1 }));
    assert!(triangles(6, &stream(&[0xf0, 0x02])).is_ok());
    assert_eq!(triangles(6, &stream(&[0xf0, 0x03])), Err(Fault::Reference { triangle: 1 }));
}

#[test]
fn attributes_of_version_0() {
    let deltas = [-1i8, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
    let mut value = 10i8;
    let mut expected = Vec::new();
    for delta in deltas {
        value = value.wrapping_add(delta);
        expected.extend([value.cast_unsigned(), 20, 30, 40]);
    }
    assert_eq!(attributes(16, 4, &example()).as_deref(), Ok(&expected[..]));
    // The stream has more elements than the count; the rest is ignored.
    assert_eq!(attributes(3, 4, &example()).as_deref(), Ok(&expected[..12]));
}

#[test]
fn attributes_of_version_1() {
    // Byte 0 in single bits: only the second delta is not 0; it is 4, zigzag of 2. Byte 1 is literal.
    // Byte 2 has two bits per delta. Byte 3 is zero.
    let mut stream = vec![0xa1, 0b1000_1100 | 0b0000_0001];
    stream.extend([0b00, 0b10, 0, 4]); // bits 1: table {1, 2, 4, 8}, entry 0
    stream.extend([2, 2, 2]); // literal, three elements
    stream.extend([0b10, 0b01_10_00_00, 0, 0, 0]); // table {0, 1, 2, 4}, entry 2
    stream.extend([0; 19]);
    stream.extend([1, 2, 3, 4, 0]);
    let expected = [1, 3, 2, 4, 3, 4, 3, 4, 3, 5, 3, 4];
    assert_eq!(attributes(3, 4, &stream).as_deref(), Ok(&expected[..]));
}

#[test]
fn channels_of_two_and_four_bytes() {
    let stream = |mode: u8| {
        let mut stream = vec![0xa1, 0xff, 3, 2, 0, 0, 0, 0, 1, 0];
        stream.extend([0; 19]);
        stream.extend([0xff, 0xff, 0x00, 0x80, mode]);
        stream
    };
    // The deltas −2 and 1 on 0xffff; 0x80, zigzag of 0x100, and 0 on 0x8000.
    let expected = [0xfd, 0xff, 0x80, 0x80, 0xfe, 0xff, 0x80, 0x80];
    assert_eq!(attributes(2, 4, &stream(1)).as_deref(), Ok(&expected[..]));
    let first = 0x8000_ffffu32 ^ 0x0100_0003u32.rotate_right(4);
    let expected = [first.to_le_bytes(), (first ^ 2u32.rotate_right(4)).to_le_bytes()].concat();
    assert_eq!(attributes(2, 4, &stream(0x42)), Ok(expected));
}

#[test]
fn meshopt_attributes_of_many_blocks() {
    // A block has 8192 bytes at most: 32 elements of 256 bytes. Zeros take one control byte per four bytes.
    let mut stream = vec![0xa1];
    stream.extend([0xaa; 64 * 4]);
    stream.extend([7; 256]);
    stream.extend([0; 64]);
    assert_eq!(attributes(100, 256, &stream), Ok(vec![7; 25600]));
    assert_eq!(attributes(129, 256, &stream), Err(Fault::Truncated));
}

#[test]
fn triangle_codes() {
    let stream = |codes: &[u8], table: [u8; 2]| [&[0xe1][..], codes, &table, &[0; 14]].concat();
    let decoded = |codes: &[u8], triangle_count: usize| {
        let bytes = triangles(3 * triangle_count, &stream(codes, [0, 0x21])).expect("the stream is right");
        bytes.as_chunks().0.iter().map(|&pair| u16::from_le_bytes(pair)).collect::<Vec<_>>()
    };
    // Three new vertices; then the edges 2→0, 1→2, 0→1 reversed, latest first, each with a new vertex.
    assert_eq!(decoded(&[0xf0], 1), [0, 1, 2]);
    assert_eq!(decoded(&[0xf0, 0x00], 2), [0, 1, 2, 0, 2, 3]);
    assert_eq!(decoded(&[0xf0, 0x10], 2), [0, 1, 2, 2, 1, 3]);
    assert_eq!(decoded(&[0xf0, 0x20], 2), [0, 1, 2, 1, 0, 3]);
    // A vertex of the queue; a table entry; one before `last`; an explicit index.
    assert_eq!(decoded(&[0xf0, 0x02], 2), [0, 1, 2, 0, 2, 0]);
    assert_eq!(decoded(&[0xf0, 0xf1], 2), [0, 1, 2, 3, 1, 2]);
    assert_eq!(decoded(&[0xf0, 0x0d], 2), [0, 1, 2, 0, 2, 65535]);
    assert_eq!(decoded(&[0xf0, 0x0e, 0x0e], 3), [0, 1, 2, 0, 2, 1, 0, 1, 2]);
    assert_eq!(decoded(&[0xf0, 0x0f, 20], 2), [0, 1, 2, 0, 2, 10]);
    // Explicit indices only; 0x00 restarts.
    assert_eq!(decoded(&[0xf0, 0xff, 0xff, 20, 1, 8], 2), [0, 1, 2, 10, 9, 13]);
    assert_eq!(decoded(&[0xf0, 0xfe, 0x00], 2), [0, 1, 2, 0, 1, 2]);
}

#[test]
fn index_sequences() {
    // The lowest bit selects one of two counters; the other bits are the zigzag difference.
    let stream = [0xd1, 0b1000, 0b101, 0b100, 0b110, 0x81, 0x04, 0, 0, 0, 0];
    let expected: Vec<u8> = [2u32, 1, 3, 1, 1 + 128].iter().flat_map(|v| v.to_le_bytes()).collect();
    let (mut b, mut a) = (expected, indices(5, &stream).expect("the stream is right"));
    // The last value is 0x201: the odd counter, zigzag of 0x100.
    assert_eq!(a.split_off(16), 129u32.to_le_bytes());
    b.truncate(16);
    assert_eq!(a, b);
}

#[test]
fn octahedral_filter() {
    let bytes = |v: [i8; 4]| v.map(|v| v.cast_unsigned());
    let decoded = |v: [i8; 4]| filtered(Filter::Octahedral, 4, &bytes(v));
    assert_eq!(decoded([0, 0, 127, 5]), bytes([0, 0, 127, 5]));
    assert_eq!(decoded([127, 0, 127, -1]), bytes([127, 0, 0, -1]));
    assert_eq!(decoded([0, -127, 127, 0]), bytes([0, -127, 0, 0]));
    // A corner of the square is −Z; four bits are enough for it.
    assert_eq!(decoded([7, 7, 7, 0]), bytes([0, 0, -127, 0]));
    assert_eq!(decoded([-7, 7, 7, 0]), bytes([0, 0, -127, 0]));
    let wide: Vec<u8> = [0i16, 1023, 1023, 9].iter().flat_map(|v| v.to_le_bytes()).collect();
    let expected: Vec<u8> = [0i16, 32767, 0, 9].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(filtered(Filter::Octahedral, 8, &wide), expected);
    // Invalid input gives any result, without a panic.
    let _ = decoded([3, 4, 0, 0]);
}

#[test]
fn quaternion_filter() {
    let decoded = |v: [i16; 4]| {
        let bytes: Vec<u8> = v.iter().flat_map(|v| v.to_le_bytes()).collect();
        let out = filtered(Filter::Quaternion, 8, &bytes);
        out.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect::<Vec<_>>()
    };
    // The omitted component is the largest, at its own index; the others follow cyclically.
    assert_eq!(decoded([0, 0, 0, 32764]), [32767, 0, 0, 0]);
    assert_eq!(decoded([0, 0, 0, 32767]), [0, 0, 0, 32767]);
    assert_eq!(decoded([0, 0, 2047, 2047 & !3 | 1]), [23170, 23170, 0, 0]);
    assert_eq!(decoded([2047, 0, 0, 2047 & !3 | 1]), [0, 23170, 23170, 0]);
    let _ = decoded([-32768, -32768, -32768, -1]);
}

#[test]
fn exponential_filter() {
    let decoded = |exponent: i32, mantissa: i32| {
        let value = (exponent << 24) | (mantissa & 0xff_ffff);
        let out = filtered(Filter::Exponential, 4, &value.to_le_bytes());
        f32::from_le_bytes(out.try_into().expect("four bytes"))
    };
    assert_eq!(decoded(0, 1), 1.0);
    assert_eq!(decoded(-3, -12), -1.5);
    assert_eq!(decoded(20, 0x7f_ffff), 8_388_607.0 * 1_048_576.0);
    assert_eq!(decoded(-100, 1), 2f32.powi(-100));
    assert_eq!(decoded(0, 0), 0.0);
    assert_eq!(decoded(-128, 4), f32::MIN_POSITIVE);
    assert!(decoded(127, 4).is_infinite());
}

#[test]
fn color_filter() {
    let decoded = |v: [i16; 4]| {
        let bytes = v.map(|v| v as u8);
        filtered(Filter::Color, 4, &bytes)
    };
    // Eight bits: alpha 127 in the 7 bits below the marker bit is 255.
    assert_eq!(decoded([255, 0, 0, 0xff]), [255, 255, 255, 255]);
    assert_eq!(decoded([0, 0, 0, 0x80]), [0, 0, 0, 0]);
    // Red of 100: Y 25, Co 50, Cg −25 … R = Y + Co − Cg, G = Y + Cg, B = Y − Co − Cg.
    assert_eq!(decoded([25, 50, -25, 0xff]), [100, 0, 0, 255]);
    // Four bits: 15 is the maximum.
    assert_eq!(decoded([15, 0, 0, 0x0f]), [255, 255, 255, 255]);
    let wide: Vec<u8> = [0x7fffu16, 0, 0, 0x7fff].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(filtered(Filter::Color, 8, &wide), [0xff; 8]);
    assert_eq!(decoded([7, 3, 3, 0]).len(), 4);
}

#[test]
fn meshopt_random_streams_end() {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % end
    };
    let filters = [Filter::None, Filter::Octahedral, Filter::Quaternion, Filter::Exponential, Filter::Color];
    let bases = [
        (Mode::Attributes, 16, example()),
        (Mode::Attributes, 24, [&[0xa1, 0x1b, 0x90, 0x2d], &[3; 90][..]].concat()),
        (Mode::Triangles, 15, [&[0xe1, 0xf0, 0x00, 0x12, 0xff, 0xf1, 0xff, 20, 1, 8], &[0; 16][..]].concat()),
        (Mode::Indices, 5, vec![0xd1, 8, 5, 4, 6, 0x81, 4, 0, 0, 0, 0]),
    ];
    let mut decoded = 0;
    for _ in 0..20_000 {
        let (mode, count, mut stream) = bases[random(4)].clone();
        let filter = if mode == Mode::Attributes { filters[random(5)] } else { Filter::None };
        let stride = [2, 4, 4, 4, 8, 12][random(6)];
        for _ in 0..random(4) {
            let (at, byte) = (random(stream.len()), random(256) as u8);
            match random(8) {
                0 => _ = stream.remove(at),
                1 => stream.insert(at, byte),
                _ => stream[at] = byte >> random(8),
            }
        }
        let layout = Layout { mode, filter, count: if random(4) == 0 { random(70) } else { count }, stride };
        if let Ok(bytes) = decode(layout, &stream) {
            assert_eq!(bytes.len() as u64, layout.decoded_bytes());
            decoded += 1;
        }
    }
    assert!((1000..19_000).contains(&decoded), "{decoded} of 20000 decoded: the streams say little");
}
