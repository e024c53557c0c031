//! URIs: percent-encoding and data URIs. Specs: RFC 3986 §2.1, RFC 2397, RFC 4648 §4.

/// `uri` with its percent-encoded bytes decoded: the file name that a URI of a glTF file means.
///
/// A `%` that is not followed by two hexadecimal digits stays as it is, as browsers have it.
///
/// # Errors
/// If the decoded bytes are not UTF-8.
pub fn percent_decode(uri: &str) -> Result<String, String> {
    String::from_utf8(percent_decode_bytes(uri)).map_err(|_| format!("“{uri}” is not UTF-8"))
}

fn percent_decode_bytes(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).and_then(|&byte| char::from(byte).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        match (bytes[i], digit(i + 1), digit(i + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                i += 3;
            }
            (byte, ..) => {
                decoded.push(byte);
                i += 1;
            }
        }
    }
    decoded
}

/// The content of a data URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DataUri {
    /// The MIME type; empty if the URI states none.
    pub(crate) mime_type: String,
    /// The decoded bytes.
    pub(crate) bytes: Vec<u8>,
}

/// Whether `uri` is a data URI.
pub(crate) fn is_data_uri(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Decodes a data URI; padding may be missing, as in URIs of other tools.
pub(crate) fn decode_data_uri(uri: &str) -> Result<DataUri, String> {
    let (header, data) = uri.get(5..).and_then(|rest| rest.split_once(',')).ok_or("it has no comma")?;
    let mut parameters = header.split(';');
    let mime_type = parameters.next().unwrap_or_default().trim().to_owned();
    let is_base64 = parameters.next_back().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    let bytes = match is_base64 {
        false => percent_decode_bytes(data),
        // `+`, `/` and `=` may come percent-encoded.
        true if data.contains('%') => decode_base64(&percent_decode_bytes(data))?,
        true => decode_base64(data.as_bytes())?,
    };
    Ok(DataUri { mime_type, bytes })
}

fn decode_base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    let digits = &text[..text.len() - padding];
    if digits.len() % 4 == 1 {
        return Err("it ends within a byte".to_owned());
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for (i, four) in digits.chunks(4).enumerate() {
        let mut bits = 0;
        for (j, &digit) in four.iter().enumerate() {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return Err(format!("character {} is no digit of base64", 4 * i + j + 1)),
            };
            bits |= u32::from(value) << (26 - 6 * j);
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[..four.len() - 1]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(uri: &str) -> Result<Vec<u8>, String> {
        decode_data_uri(uri).map(|data| data.bytes)
    }

    #[test]
    fn bad_data_uris_are_refused() {
        assert!(bytes("data:").is_err());
        assert!(bytes("data:;base64").is_err());
        assert!(bytes("data:;base64,A").is_err());
        assert!(bytes("data:;base64,A?==").is_err());
        assert!(bytes("data:;base64,ä").is_err());
        assert!(bytes("data:;base64,AQID=AQI").is_err());
        assert!(bytes("data:;base64,AQ===").is_err());
    }

    #[test]
    fn data_uris_are_decoded() {
        assert_eq!(bytes("data:application/octet-stream;base64,AQID"), Ok(vec![1, 2, 3]));
        assert_eq!(bytes("DATA:;BASE64,AQ=="), Ok(vec![1]));
        assert_eq!(bytes("data:;base64,AQ"), Ok(vec![1]));
        assert_eq!(bytes("data:;base64,+/+Az09a"), Ok(vec![0xFB, 0xFF, 0x80, 0xCF, 0x4F, 0x5A]));
        assert_eq!(bytes("data:;base64,////AQI="), Ok(vec![255, 255, 255, 1, 2]));
        assert_eq!(bytes("data:;base64,AQ%3D%3D"), Ok(vec![1]));
        assert_eq!(bytes("data:text/plain,a%20b"), Ok(b"a b".to_vec()));
        let image = decode_data_uri("data:image/png;charset=x;base64,").expect("an empty image");
        assert_eq!(image, DataUri { mime_type: "image/png".to_owned(), bytes: vec![] });
    }

    #[test]
    fn percent_encoding_is_decoded() {
        assert_eq!(percent_decode("a%20b%C3%A4.bin"), Ok("a bä.bin".to_owned()));
        assert_eq!(percent_decode("100%"), Ok("100%".to_owned()));
        assert_eq!(percent_decode("%zz%4"), Ok("%zz%4".to_owned()));
        assert!(percent_decode("%ff").is_err());
    }
}
