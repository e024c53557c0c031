//! Faults of GLB, JSON, versions, extensions and buffers.

use super::Case;
use super::Want::{self, Accept, Refuse, Repair};
use crate::common::builder::{Builder, glb, triangle};
use serde_json::{Value, json};

fn raw(rule: &'static str, fault: &'static str, bytes: Vec<u8>, want: Want) -> Case {
    Case { rule, fault, bytes, want }
}

fn edited(rule: &'static str, fault: &'static str, want: Want, edit: impl Fn(&mut Builder)) -> Case {
    let mut file = triangle();
    edit(&mut file);
    raw(rule, fault, file.glb(), want)
}

/// A file that consists of JSON only.
fn text(rule: &'static str, fault: &'static str, want: Want, json: &Value) -> Case {
    raw(rule, fault, json.to_string().into_bytes(), want)
}

fn chunks(of: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let chunks: Vec<_> = of.iter().map(|(kind, bytes)| (**kind, bytes.to_vec())).collect();
    glb(&chunks)
}

fn data_uri(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |bits: u32| char::from(DIGITS[bits as usize & 63]);
    let bits = bytes.as_chunks::<3>().0.iter().map(|&[a, b, c]| u32::from_be_bytes([0, a, b, c]));
    let text: String = bits.flat_map(|bits| [18, 12, 6, 0].map(|shift| digit(bits >> shift))).collect();
    format!("data:application/octet-stream;base64,{text}")
}

fn patched(at: usize, value: u32) -> Vec<u8> {
    let mut bytes = triangle().glb();
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}

const JSON: &[u8] = br#"{"asset":{"version":"2.0"}} "#;
const BIN: &[u8; 4] = b"BIN\0";

pub(crate) fn cases() -> Vec<Case> {
    let truncated = Refuse("import/glb-truncated", "");
    let chunk = Repair("import/glb-chunk", "");
    let whole = triangle().glb();
    let with_buffer = |buffer: Value| json!({"asset": {"version": "2.0"}, "buffers": [buffer]});
    let two =
        json!({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4}, {"byteLength": 4}]}).to_string();
    let two = chunks(&[(b"JSON", two.as_bytes()), (BIN, &[0; 4])]);
    vec![
        raw(
            "GLB_INVALID_MAGIC",
            "other first bytes",
            b"glTX\x02\0\0\0".to_vec(),
            Refuse("import/unknown-format", ""),
        ),
        raw(
            "GLB_INVALID_VERSION",
            "version 1 or 3 of the container",
            patched(4, 3),
            Refuse("import/unsupported-version", ""),
        ),
        raw(
            "GLB_LENGTH_MISMATCH",
            "a file length other than that in the header",
            patched(8, 100_000),
            Repair("import/glb-length", ""),
        ),
        raw(
            "GLB_LENGTH_TOO_SMALL",
            "a header length below 12 bytes",
            patched(8, 4),
            Repair("import/glb-length", ""),
        ),
        raw(
            "GLB_UNEXPECTED_END_OF_HEADER",
            "truncated in the header",
            whole[..10].to_vec(),
            truncated.clone(),
        ),
        raw(
            "GLB_UNEXPECTED_END_OF_CHUNK_HEADER",
            "truncated in a chunk header",
            whole[..16].to_vec(),
            truncated.clone(),
        ),
        raw(
            "GLB_UNEXPECTED_END_OF_CHUNK_DATA",
            "truncated in a chunk",
            whole[..40].to_vec(),
            truncated.clone(),
        ),
        raw("GLB_CHUNK_TOO_BIG", "a chunk beyond the end", patched(12, 0xFFFF_FFF0), truncated),
        raw(
            "GLB_UNEXPECTED_FIRST_CHUNK",
            "the binary chunk first",
            chunks(&[(BIN, &[0; 4])]),
            Refuse("import/glb-no-json", ""),
        ),
        raw(
            "GLB_EMPTY_CHUNK",
            "a JSON chunk without bytes",
            chunks(&[(b"JSON", b"")]),
            Refuse("import/invalid-json", ""),
        ),
        raw(
            "GLB_DUPLICATE_CHUNK",
            "two binary chunks",
            chunks(&[(b"JSON", JSON), (BIN, &[0; 4]), (BIN, &[0; 4])]),
            chunk.clone(),
        ),
        raw(
            "GLB_UNKNOWN_CHUNK_TYPE",
            "a chunk of an unknown type",
            chunks(&[(b"JSON", JSON), (b"WHAT", &[0; 4])]),
            chunk.clone(),
        ),
        raw(
            "GLB_UNEXPECTED_BIN_CHUNK",
            "the binary chunk after another chunk; it is used",
            chunks(&[(b"JSON", JSON), (b"JSON", JSON), (BIN, &[0; 4])]),
            Repair("import/glb-chunk", ""),
        ),
        raw("GLB_CHUNK_LENGTH_UNALIGNED", "a chunk of odd length", chunks(&[(b"JSON", &JSON[..27])]), Accept),
        edited("BUFFER_GLB_CHUNK_TOO_BIG", "bytes after the buffer's end", Accept, |file| {
            file.bin.extend([0; 16])
        }),
        edited(
            "BUFFER_BYTE_LENGTH_MISMATCH",
            "a binary chunk shorter than its buffer",
            Refuse("import/buffer-too-short", "/buffers/0"),
            |file| file.json["buffers"] = json!([{"byteLength": 400}]),
        ),
        edited("DATA_URI_GLB", "a data URI in a GLB", Accept, |file| {
            file.json["buffers"] = json!([{"byteLength": 36, "uri": data_uri(&file.bin)}]);
            file.bin.clear();
        }),
        raw(
            "GLB_EMPTY_BIN_CHUNK",
            "a binary chunk without bytes",
            chunks(&[(b"JSON", JSON), (BIN, &[])]),
            Accept,
        ),
        raw(
            "GLB_EXTRA_DATA",
            "bytes after the end",
            [triangle().glb(), vec![0xEE; 100]].concat(),
            Repair("import/glb-length", ""),
        ),
        raw(
            "INVALID_JSON",
            "a number out of range",
            br#"{"asset": {"version": "2.0"}, "scene": 1e999}"#.to_vec(),
            Refuse("import/invalid-json", ""),
        ),
        raw(
            "INVALID_JSON",
            "arrays nested 100,000 deep",
            b"{\"asset\":".iter().copied().chain([b'['; 100_000]).collect(),
            Refuse("import/invalid-json", ""),
        ),
        raw(
            "INVALID_JSON",
            "a string that is not UTF-8; it is read as Latin-1",
            b"{\"asset\": {\"version\": \"2.0\", \"generator\": \"\xff\"}}".to_vec(),
            Repair("import/not-utf8", ""),
        ),
        raw(
            "INVALID_JSON",
            "bytes outside of strings that are not UTF-8",
            b"{\"asset\": {\"version\": \"2.0\"}\xff}".to_vec(),
            Refuse("import/invalid-json", ""),
        ),
        raw(
            "INVALID_JSON",
            "zero bytes after the JSON; they are ignored",
            chunks(&[(b"JSON", &[&JSON[..27], b"\0"].concat())]),
            Repair("import/json-padding", ""),
        ),
        raw(
            "INVALID_JSON",
            "NaN or infinity in extras, or where a value has a default; it counts as missing",
            br#"{"asset": {"version": "2.0", "extras": [NaN]}, "nodes": [{"scale": [1, 1, -Infinity]}]}"#
                .to_vec(),
            Repair("import/number-replaced", ""),
        ),
        raw(
            "INVALID_JSON",
            "NaN where a value is required",
            br#"{"asset": {"version": "2.0"}, "accessors": [{"count": NaN}]}"#.to_vec(),
            Refuse("import/invalid-value", "/accessors/0"),
        ),
        raw(
            "INVALID_JSON",
            "a byte order mark; it is skipped",
            [b"\xEF\xBB\xBF", JSON].concat(),
            Repair("import/byte-order-mark", ""),
        ),
        raw("INVALID_JSON", "no JSON", b"{\"asset\": }".to_vec(), Refuse("import/invalid-json", "")),
        text(
            "TYPE_MISMATCH",
            "a number instead of a string",
            Refuse("import/invalid-value", "/nodes/0/name"),
            &json!({"asset": {"version": "2.0"}, "nodes": [{"name": 3}]}),
        ),
        text(
            "ARRAY_TYPE_MISMATCH",
            "a string in an array of numbers",
            Refuse("import/invalid-value", "/nodes/0/children/0"),
            &json!({"asset": {"version": "2.0"}, "nodes": [{"children": ["a"]}]}),
        ),
        text(
            "ARRAY_LENGTH_NOT_IN_LIST",
            "a translation of two numbers",
            Refuse("import/invalid-value", "/nodes/0/translation"),
            &json!({"asset": {"version": "2.0"}, "nodes": [{"translation": [1, 2]}]}),
        ),
        text(
            "INVALID_INDEX",
            "a negative index",
            Refuse("import/invalid-value", "/nodes/0/mesh"),
            &json!({"asset": {"version": "2.0"}, "nodes": [{"mesh": -1}]}),
        ),
        text("EMPTY_ENTITY", "an empty array", Accept, &json!({"asset": {"version": "2.0"}, "nodes": []})),
        text(
            "UNDEFINED_PROPERTY",
            "no version",
            Refuse("import/invalid-value", "/asset"),
            &json!({"asset": {}}),
        ),
        text(
            "UNEXPECTED_PROPERTY",
            "an unknown property",
            Accept,
            &json!({"asset": {"version": "2.0"}, "what": 1}),
        ),
        text(
            "PATTERN_MISMATCH",
            "a version that is not a number",
            Refuse("import/unsupported-version", "/asset"),
            &json!({"asset": {"version": "two"}}),
        ),
        text(
            "INTEGER_WRITTEN_AS_FLOAT",
            "an index written as 0.0",
            Accept,
            &json!({"asset": {"version": "2.0"}, "scene": 0.0, "scenes": [{"nodes": [0.0]}], "nodes": [{}]}),
        ),
        text(
            "UNKNOWN_ASSET_MAJOR_VERSION",
            "glTF 1 or 3",
            Refuse("import/unsupported-version", "/asset"),
            &json!({"asset": {"version": "3.0"}}),
        ),
        text("UNKNOWN_ASSET_MINOR_VERSION", "glTF 2.7", Accept, &json!({"asset": {"version": "2.7"}})),
        text(
            "ASSET_MIN_VERSION_GREATER_THAN_VERSION",
            "glTF 2.0 with `minVersion` 2.1",
            Refuse("import/unsupported-version", "/asset"),
            &json!({"asset": {"version": "2.0", "minVersion": "2.1"}}),
        ),
        text(
            "UNSUPPORTED_EXTENSION",
            "an unknown extension is used",
            Repair("import/extension-ignored", "/extensionsUsed/0"),
            &json!({"asset": {"version": "2.0"}, "extensionsUsed": ["X_y"]}),
        ),
        text(
            "UNSUPPORTED_EXTENSION",
            "an unknown extension is required",
            Refuse("import/unsupported-extension", "/extensionsRequired/0"),
            &json!({"asset": {"version": "2.0"}, "extensionsUsed": ["X_y"], "extensionsRequired": ["X_y"]}),
        ),
        text(
            "UNSUPPORTED_EXTENSION",
            "an unknown extension is required, without which the model can be shown",
            Repair("import/extension-ignored", "/extensionsRequired/0"),
            &json!({"asset": {"version": "2.0"}, "extensionsUsed": ["MSFT_lod"], "extensionsRequired": ["MSFT_lod"]}),
        ),
        text(
            "UNUSED_EXTENSION_REQUIRED",
            "a known extension is required and not used",
            Accept,
            &json!({"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_mesh_quantization"]}),
        ),
        text(
            "UNDECLARED_EXTENSION",
            "an extension that the file does not declare",
            Accept,
            &json!({"asset": {"version": "2.0"}, "nodes": [{"extensions": {"X_y": {}}}]}),
        ),
        text(
            "UNEXPECTED_EXTENSION_OBJECT",
            "an extension where it does not belong",
            Accept,
            &json!({"asset": {"version": "2.0", "extensions": {"KHR_mesh_quantization": {}}}, "extensionsUsed": ["KHR_mesh_quantization"]}),
        ),
        text(
            "INVALID_URI",
            "a data URI that is not base64",
            Refuse("import/invalid-uri", "/buffers/0/uri"),
            &with_buffer(json!({"uri": "data:application/octet-stream;base64,%%%", "byteLength": 4})),
        ),
        text(
            "BUFFER_DATA_URI_MIME_TYPE_INVALID",
            "a buffer with the MIME type of text",
            Accept,
            &with_buffer(json!({"uri": "data:text/plain;base64,AAAAAA==", "byteLength": 4})),
        ),
        text(
            "BUFFER_BYTE_LENGTH_MISMATCH",
            "fewer bytes in a data URI than declared",
            Refuse("import/buffer-too-short", "/buffers/0"),
            &with_buffer(json!({"uri": "data:application/octet-stream;base64,AAAA", "byteLength": 400})),
        ),
        text(
            "IO_ERROR",
            "a buffer whose file is missing; parts that need it are skipped",
            Repair("import/buffer-missing", "/buffers/0/uri"),
            &with_buffer(json!({"uri": "a.bin", "byteLength": 400})),
        ),
        edited(
            "IO_ERROR",
            "a missing file, without which nothing can be shown",
            Refuse("import/buffer-missing", "/buffers/0/uri"),
            |file| file.json["buffers"] = json!([{"byteLength": 36, "uri": "a.bin"}]),
        ),
        text(
            "NON_RELATIVE_URI",
            "an absolute URI that cannot be fetched",
            Repair("import/buffer-missing", "/buffers/0/uri"),
            &with_buffer(json!({"uri": "https://example.org/a.bin", "byteLength": 4})),
        ),
        text(
            "BUFFER_MISSING_GLB_DATA",
            "an unused buffer without bytes",
            Repair("import/buffer-missing", "/buffers/0"),
            &with_buffer(json!({"byteLength": 4})),
        ),
        raw(
            "BUFFER_NON_FIRST_GLB",
            "a second buffer for the binary chunk",
            two,
            Repair("import/buffer-missing", "/buffers/1"),
        ),
        edited(
            "BUFFER_VIEW_TOO_LONG",
            "a buffer view beyond its buffer",
            Refuse("import/view-out-of-range", "/bufferViews/0"),
            |file| file.json["bufferViews"][0]["byteLength"] = json!(100_000),
        ),
        edited(
            "BUFFER_VIEW_TOO_BIG_BYTE_STRIDE",
            "a stride longer than its view",
            Refuse("import/accessor-out-of-range", "/accessors/0"),
            |file| file.json["bufferViews"][0]["byteStride"] = json!(100),
        ),
        edited("BUFFER_VIEW_INVALID_BYTE_STRIDE", "a stride for tightly packed data", Accept, |file| {
            file.json["bufferViews"][0]["byteStride"] = json!(12)
        }),
    ]
}
