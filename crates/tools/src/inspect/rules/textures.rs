//! Textures: size and memory.

use super::super::codes;
use super::super::context::Context;
use super::super::finding::{Finding, Severity, Unit, digits};
use gambol_gltf::json::Value;
use gambol_gltf::uri::{decode_data_uri, is_data_uri};

/// The largest size that all devices support well, in pixels.
const LARGE: usize = 4096;
/// Memory of all textures that phones have trouble with, in bytes.
const MEMORY: f64 = 256.0 * 1024.0 * 1024.0;

pub(super) fn check(context: &Context<'_>, out: &mut Vec<Finding>) {
    let mut memory = 0.0;
    let mut measured = 0;
    for (i, image) in context.json.list("images").iter().enumerate() {
        let Some((width, height)) = size(context, image) else { continue };
        let pointer = format!("/images/{i}");
        measured += 1;
        // RGBA with 8 bits, and a third for mipmaps.
        let bytes = width as f64 * height as f64 * 4.0 * 4.0 / 3.0;
        memory += bytes;
        let numbers = |finding: Finding| {
            finding
                .value("width", width as f64, Unit::Pixels)
                .value("height", height as f64, Unit::Pixels)
                .value("memory", bytes, Unit::Bytes)
        };
        if width.max(height) > LARGE {
            let message = format!(
                "The texture has {width} × {height} pixels and takes {} MiB on the GPU. Phones limit textures to {LARGE} \
                 pixels, so players scale it down or show none.",
                digits(bytes / 1_048_576.0)
            );
            let fix = format!(
                "Scale it to {LARGE} pixels or less; a character in a page rarely shows more than 2048."
            );
            out.push(
                numbers(Finding::new(codes::TEXTURE_LARGE, Severity::Warning, pointer.clone(), message))
                    .fix(fix),
            );
        }
        if !(width.is_power_of_two() && height.is_power_of_two()) && repeats_or_has_mipmaps(context, i) {
            let message = format!(
                "The texture has {width} × {height} pixels, which are no powers of two, and is used with mipmaps or \
                 repetition. Old players (WebGL 1) scale it, and GPU compression needs multiples of four."
            );
            let fix = "Scale it to the next power of two.";
            out.push(numbers(Finding::new(codes::TEXTURE_POWER, Severity::Info, pointer, message)).fix(fix));
        }
    }
    if memory > MEMORY {
        let message = format!(
            "{measured} textures take {} MiB on the GPU, uncompressed and with mipmaps. Phones drop the page at some hundred.",
            digits(memory / 1_048_576.0)
        );
        out.push(
            Finding::new(codes::TEXTURE_MEMORY, Severity::Warning, "/images", message)
                .value("memory", memory, Unit::Bytes)
                .count("textures", measured)
                .fix("Scale textures down, or compress them for the GPU (KTX2: toktx, gltf-transform etc1s or uastc)."),
        );
    }
}

/// Width and height from the header of an image; `None` for external files and unknown formats.
fn size(context: &Context<'_>, image: &Value) -> Option<(usize, usize)> {
    let decoded;
    let bytes = match image.index_at("bufferView") {
        Some(view) => context.document.view_bytes(view),
        None => {
            let text = image.str_at("uri").filter(|text| is_data_uri(text))?;
            decoded = decode_data_uri(text).ok()?.bytes;
            &decoded
        }
    };
    let size = imagesize::blob_size(bytes).ok()?;
    (size.width > 0 && size.height > 0).then_some((size.width, size.height))
}

fn repeats_or_has_mipmaps(context: &Context<'_>, image: usize) -> bool {
    context.json.list("textures").iter().any(|texture| {
        let sampler =
            texture.index_at("sampler").and_then(|sampler| context.json.list("samplers").get(sampler));
        let number = |key: &str| sampler.and_then(|sampler| sampler.get(key)).and_then(Value::as_u64);
        // Without a filter players use mipmaps; 33071 is CLAMP_TO_EDGE, 9984 and above are filters with mipmaps.
        let mipmaps = number("minFilter").is_none_or(|filter| filter >= 9984);
        let repeats = ["wrapS", "wrapT"].iter().any(|key| number(key).unwrap_or(10497) != 33071);
        texture.index_at("source") == Some(image) && (mipmaps || repeats)
    })
}
