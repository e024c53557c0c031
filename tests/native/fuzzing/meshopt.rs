//! Streams of EXT_meshopt_compression and KHR_meshopt_compression from arbitrary bytes, in files that read them.

use super::files::LIMITS;
use super::supply::Supply;
use crate::common::builder::Builder;
use crate::common::check::check;
use gambol::import::{Document, ImportError, Imported};
use serde_json::json;

const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
const FILTERS: [&str; 5] = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];
/// The strides that each filter supports.
const STRIDES: [[usize; 4]; 5] = [[4, 12, 64, 256], [4, 8, 4, 8], [8; 4], [4, 12, 16, 64], [4, 8, 4, 8]];
/// Mode, first byte, and the length of the tail by the stride.
type Stream = (&'static str, u8, fn(usize) -> usize);
const STREAMS: [Stream; 4] = [
    ("ATTRIBUTES", 0xa0, |stride| stride.max(32)),
    ("ATTRIBUTES", 0xa1, |stride| (stride + stride / 4).max(24)),
    ("TRIANGLES", 0xe1, |_| 16),
    ("INDICES", 0xd1, |_| 4),
];

/// The first byte of a decoded stream, and its filter.
pub(crate) type Kind = (u8, &'static str);

/// Builds a stream with a valid frame around `bytes`, and imports a file that reads the decoded data. Returns the kind
/// of the stream if it was decoded.
pub(crate) fn meshopt(bytes: &[u8]) -> Option<Kind> {
    let mut supply = Supply(bytes);
    let name = NAMES[supply.below(2)];
    let (mode, own, tail) = STREAMS[supply.below(4)];
    let mut header = own;
    let is_attributes = mode == "ATTRIBUTES";
    let filter = if is_attributes { supply.below(5) } else { 0 };
    let stride = if is_attributes { STRIDES[filter][supply.below(4)] } else { [2, 4][supply.below(2)] };
    // Enough for two blocks of short elements.
    let mut count = supply.below(20) * if stride <= 12 { 14 } else { 1 };
    let usage = supply.below(6);
    let optional = supply.below(2) == 1;
    // The frame is mostly valid; the bits select its faults.
    let wrong = supply.byte();
    if wrong & 0xC1 == 0xC1 {
        header = supply.byte();
    }
    if wrong & 0xC2 == 0xC2 {
        count += 1;
    } else if mode == "TRIANGLES" {
        count -= count % 3;
    }
    let ending = match wrong & 4 {
        0 => vec![0; tail(stride)],
        _ => (0..tail(stride)).map(|_| supply.byte()).collect(),
    };
    // Zeros at the end, so that the stream is not too short.
    let padding = if wrong & 0xC8 == 0xC8 { 0 } else { 2 * count * stride + 64 };
    let mut content = [supply.0, &vec![0; padding]].concat();

    let import = |content: &[u8]| {
        let stream = [&[header], content, &ending].concat();
        let file = file(&stream, name, mode, FILTERS[filter], (count, stride), usage, optional);
        finish(&file.glb())
    };
    let (mut result, mut told) = import(&content);
    // Left-over bytes can be removed, unless the tail belongs to another first byte.
    if let Some(kept) = told
        .as_deref()
        .filter(|_| header == own)
        .and_then(excess_bytes)
        .and_then(|bytes| content.len().checked_sub(bytes))
    {
        content.truncate(kept);
        (result, told) = import(&content);
        assert!(told.as_deref().and_then(excess_bytes).is_none(), "{told:?}");
    }
    if let Ok(imported) = &result {
        check(&imported.model);
    }
    // An empty stream is never read, so it causes no warning.
    (told.is_none() && count > 0).then_some((header, FILTERS[filter]))
}

/// Imports a file; returns the result, and the message about the stream if it is invalid.
fn finish(glb: &[u8]) -> (Result<Imported, ImportError>, Option<String>) {
    let document = Document::parse_with_limits(glb, LIMITS).expect("only the stream may be broken");
    let result = document.finish();
    let told = match &result {
        Err(error) => Some(error).filter(|error| error.code() == "import/meshopt").map(ToString::to_string),
        Ok(Imported { warnings, .. }) => {
            let warning = warnings.iter().find(|warning| warning.code == "import/meshopt");
            warning.map(|warning| warning.message.clone())
        }
    };
    (result, told)
}

/// The number of excess bytes in a message.
fn excess_bytes(message: &str) -> Option<usize> {
    let (before, _) = message.split_once(" excess bytes")?;
    before.rsplit(' ').next()?.parse().ok()
}

/// A file that reads the decoded data in one of several ways.
fn file(
    stream: &[u8],
    name: &str,
    mode: &str,
    filter: &str,
    (count, stride): (usize, usize),
    usage: usize,
    optional: bool,
) -> Builder {
    let mut file = Builder::new();
    let view = file.view(stream);
    let extension = json!({
        "buffer": 0, "byteLength": stream.len(),
        "mode": mode, "filter": filter, "byteStride": stride, "count": count,
    });
    file.json["bufferViews"][view] = json!({
        "buffer": 1, "byteLength": count * stride, "byteStride": stride, "extensions": {name: extension},
    });
    // Zeros as a fallback buffer.
    let plain = "A".repeat((count * stride).div_ceil(3) * 4);
    let plain = format!("data:;base64,{plain}");
    file.json["buffers"] =
        json!([{"byteLength": file.bin.len()}, {"byteLength": count * stride, "uri": plain}]);
    file.json["extensionsUsed"] = json!([name]);
    if !optional {
        file.json["extensionsRequired"] = json!([name]);
    }
    let mut accessor = |component: u32, kind: &str, normalized: bool| {
        file.push(
            "accessors",
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count, "normalized": normalized}),
        )
    };
    // Component types of which four fit into an element; for the last one, three.
    let (signed, unsigned, float) = match stride {
        4 => (5120, 5121, 5120),
        8 => (5122, 5123, 5122),
        _ => (5122, 5123, 5126),
    };
    let part = if mode == "ATTRIBUTES" {
        let (attribute, it) = match usage {
            0 => ("POSITION", accessor(float, "VEC3", float != 5126)),
            1 => ("NORMAL", accessor(signed, "VEC3", true)),
            2 => ("COLOR_0", accessor(unsigned, "VEC4", true)),
            3 => ("TEXCOORD_0", accessor(unsigned, "VEC2", true)),
            // The others have a clip.
            _ if stride == 12 => ("", accessor(5126, "VEC3", false)),
            _ => ("", accessor(float, "VEC4", float != 5126)),
        };
        let zeros = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": count}));
        let mut part = json!({"attributes": {"POSITION": zeros}});
        if attribute.is_empty() {
            let times: Vec<f32> = (0..count).map(|key| key as f32).collect();
            let input = file.floats("SCALAR", &times);
            file.json["buffers"][0]["byteLength"] = json!(file.bin.len());
            let path = if stride == 12 { ["translation", "scale"][usage % 2] } else { "rotation" };
            file.push(
                "animations",
                json!({
                    "samplers": [{"input": input, "output": it}],
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
                }),
            );
        } else {
            part["attributes"][attribute] = json!(it);
        }
        part
    } else {
        let topology = [4, 5, 1][usage % 3];
        let indices = accessor(if stride == 2 { 5123 } else { 5125 }, "SCALAR", false);
        let positions = file.push("accessors", json!({"componentType": 5126, "type": "VEC3", "count": 100}));
        json!({"attributes": {"POSITION": positions}, "indices": indices, "mode": topology})
    };
    file.push("meshes", json!({"primitives": [part]}));
    file.push("nodes", json!({"mesh": 0}));
    file
}

/// Seeds for every kind of stream, filter and extension; their first bytes select it.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for name in 0..2 {
        for stride in 0..4 {
            for filter in 0..5 {
                seeds.push(vec![name, 0, filter, stride, 3, filter, 0, 0, 1, 2, 0x1B, 0xE4]);
                seeds.push(vec![name, 1, filter, stride, 3, filter, 1, 0, 0xE4, 0x1B, 2, 3]);
            }
            seeds.push(vec![name, 2, stride, 12, stride, 0, 0, 0xF0, 0x10, 0x20, 0x02, 0x0F, 0x0D, 0xFE]);
            seeds.push(vec![name, 3, stride, 5, stride, 0, 0, 8, 5, 4, 6, 0x81, 4]);
        }
    }
    seeds
}
