//! Data URIs (RFC 2397), as leniently as the importer reads them.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gambol::import::percent_decode;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// `true` for a data URI.
pub(super) fn is_data(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The bytes of a data URI.
pub(super) fn decode_data(uri: &str) -> Result<Vec<u8>, String> {
    let (header, data) = uri.get(5..).and_then(|rest| rest.split_once(',')).ok_or("it has no comma")?;
    let base64 = header.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    if !base64 {
        return percent_decode(data).map(String::into_bytes);
    }
    let text = if data.contains('%') { percent_decode(data)? } else { data.to_owned() };
    BASE64.decode(text).map_err(|error| format!("the data is not base64: {error}"))
}

/// A data URI of a buffer.
pub(super) fn encode_data(bytes: &[u8]) -> String {
    format!(
        "data:application/octet-stream;base64,{}",
        base64::engine::general_purpose::STANDARD.encode(bytes)
    )
}
