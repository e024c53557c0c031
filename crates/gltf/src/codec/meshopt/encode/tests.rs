//! Streams are decoded by the decoder, which has tests of its own against the specification.

#[path = "../../../../../../tests/native/common/random.rs"]
#[expect(dead_code, reason = "other crates use the other methods")]
mod random;

use super::{attributes, attributes_size, exponential, octahedral, quaternion, sequence, triangles};
use crate::codec::meshopt::{Filter, decode};
use random::Random;

#[test]
fn meshopt_attributes_are_decoded_to_the_same_bytes() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..600 {
        let stride = 4 * (1 + random.below(if round % 10 == 0 { 64 } else { 6 }));
        let count = random.below(if round % 7 == 0 { 700 } else { 40 });
        // Steps of different widths, so that all numbers of bits are used.
        let steps: Vec<usize> = (0..stride).map(|_| [1, 2, 3, 5, 20, 256][random.below(6)]).collect();
        let mut element = vec![0u8; stride];
        let mut bytes = Vec::new();
        for _ in 0..count {
            for (byte, &step) in element.iter_mut().zip(&steps) {
                *byte = byte.wrapping_add(random.below(step) as u8).wrapping_sub(step as u8 / 3);
            }
            bytes.extend_from_slice(&element);
        }
        for khronos in [false, true] {
            let stream = attributes(&bytes, stride, Filter::None, khronos);
            if !khronos {
                assert_eq!(attributes_size(&bytes, stride), stream.bytes.len() - 1 - stride.max(32));
            }
            assert_eq!(
                decode(stream.layout, &stream.bytes).as_deref(),
                Ok(&bytes[..]),
                "{stride} {count} {khronos}"
            );
        }
    }
}

#[test]
fn meshopt_version_1_is_smaller_for_shorts() {
    let values = (0..1000u32).flat_map(|i| ((i * i / 40) as u16).to_le_bytes()).collect::<Vec<u8>>();
    let sizes = [false, true].map(|khronos| attributes(&values, 4, Filter::None, khronos).bytes.len());
    assert!(sizes[1] < sizes[0], "{sizes:?}");
}

fn turned([a, b, c]: [u32; 3]) -> [u32; 3] {
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap_or([a, b, c])
}

#[test]
fn meshopt_triangles_are_decoded_to_the_same_triangles() {
    let mut random = Random(77);
    for round in 0..400 {
        let width = 2 + random.below(30) as u32;
        let mut list = Vec::new();
        for y in 0..random.below(20) as u32 {
            for x in 0..width - 1 {
                let at = y * width + x;
                list.extend([at, at + 1, at + width, at + 1, at + width + 1, at + width]);
            }
        }
        // A second mesh in the same stream.
        if round % 3 == 0 {
            list.extend_from_within(..);
        }
        // Noise: indices anywhere, also beyond 16 bits.
        for _ in 0..random.below(1 + round % 50) {
            if let Some(place) = (!list.is_empty()).then(|| random.below(list.len())) {
                list[place] = random.below(100_000) as u32;
            }
        }
        let stream = triangles(&list, 4, false);
        let bytes = decode(stream.layout, &stream.bytes).expect("the stream is valid");
        let decoded: Vec<u32> = bytes.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
        let expected: Vec<_> = list.as_chunks().0.iter().map(|&triangle| turned(triangle)).collect();
        let found: Vec<_> = decoded.as_chunks().0.iter().map(|&triangle| turned(triangle)).collect();
        assert_eq!(found, expected);
        let stream = sequence(&list, 4, false);
        let bytes = decode(stream.layout, &stream.bytes).expect("the stream is valid");
        let decoded: Vec<u32> = bytes.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
        assert_eq!(decoded, list);
    }
}

/// The elements after the filter.
fn filtered(filter: Filter, stride: usize, bytes: &[u8]) -> Vec<u8> {
    let stream = attributes(bytes, stride, filter, false);
    decode(stream.layout, &stream.bytes).expect("the stream is valid")
}

#[test]
fn meshopt_quaternions_are_within_their_bits() {
    let mut random = Random(5);
    for _ in 0..3000 {
        let mut rotation: [f32; 4] = std::array::from_fn(|_| random.signed());
        let length = rotation.iter().map(|v| v * v).sum::<f32>().sqrt();
        rotation = rotation.map(|v| v / length);
        for bits in [6, 10, 12, 16] {
            let bytes: Vec<u8> = quaternion(rotation, bits).iter().flat_map(|v| v.to_le_bytes()).collect();
            let out = filtered(Filter::Quaternion, 8, &bytes);
            let out: Vec<f32> =
                out.as_chunks().0.iter().map(|&v| f32::from(i16::from_le_bytes(v)) / 32767.0).collect();
            let dot: f32 = rotation.iter().zip(&out).map(|(a, b)| a * b).sum();
            let distance: f32 = rotation.iter().zip(&out).map(|(a, b)| (a - b * dot.signum()).powi(2)).sum();
            let step = 1.0 / ((1 << (bits - 1)) - 1) as f32 + 3.1e-5;
            assert!(distance.sqrt() < 1.3 * step, "{rotation:?} {out:?} {bits}");
        }
    }
}

#[test]
fn meshopt_exponential_values_are_multiples_of_a_power() {
    let mut random = Random(6);
    for _ in 0..3000 {
        let value = random.signed() * 10f32.powi(random.below(9) as i32 - 3);
        let exponent = random.below(24) as i32 - 20;
        let bytes = exponential(value, exponent).to_le_bytes();
        let out = filtered(Filter::Exponential, 4, &bytes);
        let out = f32::from_le_bytes([out[0], out[1], out[2], out[3]]);
        let step = 2f32.powi(exponent).max(value.abs() / (1 << 22) as f32);
        assert!((out - value).abs() <= 0.5 * step, "{value} {out} {exponent}");
    }
    assert_eq!(filtered(Filter::Exponential, 4, &exponential(0.0, -30).to_le_bytes()), [0; 4]);
    let huge = filtered(Filter::Exponential, 4, &exponential(f32::MAX, -126).to_le_bytes());
    assert!(f32::from_le_bytes([huge[0], huge[1], huge[2], huge[3]]) > 3.4e38);
}

#[test]
fn meshopt_unit_vectors_are_within_a_degree_at_eight_bits() {
    let mut random = Random(7);
    for _ in 0..3000 {
        let mut vector: [f32; 3] = std::array::from_fn(|_| random.signed());
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        vector = vector.map(|v| v / length);
        let bytes: Vec<u8> = octahedral(vector, 127, 8).iter().map(|&v| v as u8).collect();
        let out = filtered(Filter::Octahedral, 4, &bytes);
        let out: Vec<f32> = out.iter().map(|&v| f32::from(v.cast_signed()) / 127.0).collect();
        let distance: f32 = vector.iter().zip(&out).map(|(a, b)| (a - b).powi(2)).sum();
        assert!(distance.sqrt() < 0.0175, "{vector:?} {out:?}");
        assert_eq!(out[3], 1.0);
    }
    assert_eq!(octahedral([0.0; 3], 0, 8), [0, 0, 127, 0]);
}
