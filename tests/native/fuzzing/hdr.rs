//! Environment images from arbitrary bytes.

use gambol::import::Hdr;

/// Decodes bytes as an image at once and in pieces; `true` if they are valid.
pub(crate) fn hdr(bytes: &[u8]) -> bool {
    let Ok(mut slow) = Hdr::new(bytes) else { return false };
    let all = Hdr::new(bytes).and_then(Hdr::finish);
    let pieces = loop {
        match slow.advance(100) {
            Ok(true) => {}
            Ok(false) => break slow.finish(),
            Err(error) => break Err(error),
        }
    };
    assert_eq!(all, pieces, "pieces are the whole");
    let Ok(panorama) = all else { return false };
    assert_eq!(panorama.texels.len(), panorama.width as usize * panorama.height as usize);
    assert!(panorama.irradiance.iter().flatten().all(|value| value.is_finite()));
    if let Some(key) = panorama.key {
        let length: f32 = key.direction.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-3 && key.color.iter().all(|value| value.is_finite()), "{key:?}");
    }
    true
}
