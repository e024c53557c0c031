//! Base64. Spec: RFC 4648 §4.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value of each byte as a digit; [`NONE`] if it is none.
const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
};

const NONE: u8 = 64;

/// Decodes a text. As some tools require, padding is optional, and bits after the last byte are ignored.
///
/// # Errors
/// The reason, as part of a sentence.
pub(crate) fn decode(text: &[u8]) -> Result<Vec<u8>, &'static str> {
    let digits = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    let padding = text.len() - digits.len();
    let (groups, rest) = digits.as_chunks::<4>();
    if rest.len() == 1 || rest.len() + padding > 4 || (rest.is_empty() && padding > 0) {
        return Err("its length is wrong");
    }
    let mut last = [DIGITS[0]; 4];
    last[..rest.len()].copy_from_slice(rest);
    let mut seen = 0;
    let mut bytes_of = |group: &[u8; 4]| {
        let value = |digit: u8| u32::from(VALUES[usize::from(digit)]);
        let (a, b, c, d) = (value(group[0]), value(group[1]), value(group[2]), value(group[3]));
        seen |= a | b | c | d;
        let bits = a << 18 | b << 12 | c << 6 | d;
        [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8]
    };
    let mut bytes = vec![[0; 3]; groups.len() + 1];
    bytes[groups.len()] = bytes_of(&last);
    for (bytes, group) in bytes.iter_mut().zip(groups) {
        *bytes = bytes_of(group);
    }
    if seen >= u32::from(NONE) {
        return Err("it has another character");
    }
    let mut bytes = bytes.into_flattened();
    bytes.truncate(digits.len() * 3 / 4);
    Ok(bytes)
}

/// Encodes bytes, with padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for bytes in bytes.chunks(3) {
        let mut three = [0; 3];
        three[..bytes.len()].copy_from_slice(bytes);
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for (i, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            text.push(if i > bytes.len() { '=' } else { DIGITS[(bits >> shift) as usize % 64].into() });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::base64::Engine;
    use ::base64::alphabet::STANDARD;
    use ::base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

    /// An independent implementation.
    const ORACLE: GeneralPurpose = GeneralPurpose::new(
        &STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );

    /// Texts with all digits, with padding and other characters, of all lengths.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        let mut random = 1_u32;
        let mut next = move |below: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as usize % below
        };
        (0..20_000).map(move |i| {
            let mut text: Vec<u8> = (0..i % 23).map(|_| DIGITS[next(64)]).collect();
            text.extend(std::iter::repeat_n(b'=', next(4)));
            if next(4) == 0 && !text.is_empty() {
                let place = next(text.len());
                text[place] = [b'=', b'-', b' ', 0, 255, b'A'][next(6)];
            }
            text
        })
    }

    #[test]
    fn base64_is_decoded_as_by_another_implementation() {
        let (mut valid, mut invalid) = (0, 0);
        for text in texts() {
            let (found, expected) = (decode(&text).ok(), ORACLE.decode(&text).ok());
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(&text));
            *(if found.is_some() { &mut valid } else { &mut invalid }) += 1;
        }
        assert!(valid > 5_000 && invalid > 5_000, "{valid} {invalid}");
    }

    #[test]
    fn base64_is_encoded_as_by_another_implementation() {
        for bytes in texts() {
            assert_eq!(encode(&bytes), ::base64::engine::general_purpose::STANDARD.encode(&bytes));
        }
    }
}
