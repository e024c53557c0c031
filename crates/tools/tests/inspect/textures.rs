//! Sizes and memory of textures.

use super::file::{File, good, near};
use gambol_tools::inspect::{Finding, Severity};
use serde_json::json;

/// The header of a PNG file, which is all that the doctor reads.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 6, 0, 0, 0]);
    bytes
}

fn textured(sizes: &[(u32, u32)], sampler: serde_json::Value) -> File {
    let mut file = good();
    let sampler = file.push("samplers", sampler);
    for &(width, height) in sizes {
        let view = file.view(&png(width, height));
        let image = file.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
        file.push("textures", json!({ "source": image, "sampler": sampler }));
    }
    file
}

fn of(file: &File, code: &str) -> Vec<Finding> {
    file.report().findings.into_iter().filter(|finding| finding.code == code).collect()
}

#[test]
fn inspect_measures_textures() {
    let mipmaps = json!({ "minFilter": 9987, "wrapS": 33071, "wrapT": 33071 });
    let large = textured(&[(8192, 4096), (4096, 4096)], mipmaps.clone());
    let found = of(&large, "inspect/texture-large");
    assert_eq!(
        (found.len(), found[0].pointer.as_str(), found[0].severity),
        (1, "/images/0", Severity::Warning)
    );
    near(&found[0], "width", 8192.0, 0.0);
    // Each level has a quarter of the texels of the one before.
    let levels: f64 =
        (0..14).map(|level| f64::from(8192_u32 >> level) * f64::from((4096_u32 >> level).max(1)) * 4.0).sum();
    near(&found[0], "memory", levels, 1e5);

    let total = of(&textured(&[(4096, 4096); 4], mipmaps.clone()), "inspect/texture-memory");
    assert_eq!(total.len(), 1);
    near(&total[0], "memory", 4.0 * 4096.0 * 4096.0 * 4.0 * 4.0 / 3.0, 1.0);
    near(&total[0], "textures", 4.0, 0.0);
    assert_eq!(of(&textured(&[(2048, 2048); 4], mipmaps.clone()), "inspect/texture-memory"), []);

    let code = "inspect/texture-not-power-of-two";
    for (sampler, found) in [
        (mipmaps, 1),
        (json!({ "minFilter": 9729, "wrapS": 33071, "wrapT": 10497 }), 1),
        (json!({}), 1),
        (json!({ "minFilter": 9729, "wrapS": 33071, "wrapT": 33071 }), 0),
    ] {
        assert_eq!(of(&textured(&[(1000, 512)], sampler.clone()), code).len(), found, "{sampler}");
        assert_eq!(of(&textured(&[(1024, 512)], sampler), code), []);
    }
}

#[test]
fn inspect_reads_no_size_of_broken_images() {
    let mut file = good();
    let view = file.view(b"\x89PNG\r\n");
    file.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    file.push("images", json!({ "uri": "data:image/png;base64,iVBORw==" }));
    file.push("images", json!({ "uri": "outside.png" }));
    file.clean();
}
