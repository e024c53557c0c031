//! URIs: percent-encoding and data URIs. Specs: RFC 3986 §2.1, RFC 2397.

use crate::base64;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// Decodes the percent-encoded bytes of `uri`: the file name of a URI in a glTF file.
///
/// A `%` without two hexadecimal digits after it is kept, as in browsers.
///
/// # Errors
/// If the decoded bytes are not UTF-8.
pub fn percent_decode(uri: &str) -> Result<String, String> {
    let decoded = percent_decode_str(uri).decode_utf8().map_err(|_| format!("“{uri}” is not UTF-8"))?;
    Ok(decoded.into_owned())
}

/// The content of a data URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataUri {
    /// The MIME type; empty if the URI has none.
    pub mime_type: String,
    /// The decoded bytes.
    pub bytes: Vec<u8>,
}

/// `true` if `uri` is a data URI.
pub fn is_data_uri(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Decodes a data URI.
pub fn decode_data_uri(uri: &str) -> Result<DataUri, String> {
    let (header, data) =
        uri.get(5..).and_then(|rest| rest.split_once(',')).ok_or("the data URI has no comma")?;
    let mut parameters = header.split(';');
    let mime_type = parameters.next().unwrap_or_default().trim().to_owned();
    let is_base64 = parameters.next_back().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    // The characters `+`, `/` and `=` of base64 may be percent-encoded.
    let data = Cow::from(percent_decode_str(data));
    let bytes = match is_base64 {
        true => base64::decode(&data).map_err(|reason| format!("the data is not base64: {reason}"))?,
        false => data.into_owned(),
    };
    Ok(DataUri { mime_type, bytes })
}

/// The data URI of a buffer.
pub fn encode_data_uri(bytes: &[u8]) -> String {
    let text = base64::encode(bytes);
    format!("data:application/octet-stream;base64,{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(uri: &str) -> Result<Vec<u8>, String> {
        decode_data_uri(uri).map(|data| data.bytes)
    }

    #[test]
    fn data_uris_that_are_invalid_are_refused() {
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
