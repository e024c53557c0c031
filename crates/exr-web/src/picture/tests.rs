//! The files are written by the library of the OpenEXR project (`tests/files/make.py`).

use super::*;

const WIDTH: usize = 24;
const HEIGHT: usize = 12;

macro_rules! file {
    ($name:literal) => {
        ($name, &include_bytes!(concat!("../../tests/files/", $name, ".exr"))[..])
    };
}

type File = (&'static str, &'static [u8]);

/// The colour that `make.py` writes.
fn color(x: usize, y: usize) -> [f32; 3] {
    let [x, y] = [x as f32, y as f32];
    [(0.5 * (x - 12.0)).exp2(), (y + 1.0) / 8.0, x * y / 64.0 + 0.125]
}

fn decoded(bytes: &[u8]) -> Result<Picture, Fault> {
    let mut picture = Picture::new(bytes.to_vec())?;
    while picture.advance(16)? {}
    Ok(picture)
}

fn read((name, bytes): File) -> Picture {
    let picture = decoded(bytes).unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
    assert_eq!((picture.width, picture.height), (WIDTH, HEIGHT), "{name}");
    picture
}

fn code(bytes: &[u8]) -> Option<&'static str> {
    decoded(bytes).err().map(|fault| fault.code)
}

/// The largest relative difference to the written colours.
fn difference(picture: &Picture, expected: impl Fn(usize, usize) -> [f32; 3]) -> f32 {
    let mut worst = 0.0_f32;
    for y in 0..HEIGHT {
        let row = picture.rows(y, 1);
        assert_eq!(row.len(), WIDTH);
        for (x, found) in row.iter().enumerate() {
            for (found, expected) in found.iter().zip(expected(x, y)) {
                worst = worst.max((found - expected).abs() / expected.max(0.1));
            }
        }
    }
    worst
}

#[test]
fn exr_files_that_are_no_panorama_are_refused() {
    for bytes in [&b""[..], b"v/1\x01", b"\x89PNG\r\n\x1a\n12345678901234567890"] {
        assert!(
            matches!(code(bytes), Some("image/broken" | "image/truncated")),
            "{bytes:?}: {:?}",
            code(bytes)
        );
    }
    assert_eq!(code(file!("depth").1), Some("image/unsupported"));
    assert_eq!(code(file!("cube").1), Some("image/unsupported"));
    assert_eq!(code(file!("half-htj2k256").1), Some("image/unsupported"));
}

/// The file with another last pixel of one of its windows.
fn with_corner(window: &[u8], x: i32, y: i32) -> Vec<u8> {
    let mut bytes = file!("half-zip").1.to_vec();
    let name = [window, b"\0box2i\0"].concat();
    let at =
        bytes.windows(name.len()).position(|part| part == name).expect("the window") + name.len() + 4 + 8;
    bytes[at..at + 8].copy_from_slice(&[x.to_le_bytes(), y.to_le_bytes()].concat());
    bytes
}

#[test]
fn exr_sizes_are_checked_before_decoding() {
    for window in [&b"displayWindow"[..], b"dataWindow"] {
        for (x, y) in [(16384, 0), (0, 16384), (16383, 8192), (i32::MAX - 1, 0)] {
            let found = code(&with_corner(window, x, y));
            assert!(
                matches!(found, Some("image/too-large" | "image/broken" | "image/truncated")),
                "{window:?} {x} {y}: {found:?}"
            );
        }
        assert_eq!(code(&with_corner(window, 16384, 0)), Some("image/too-large"));
    }
}

#[test]
fn exr_compressions_give_the_written_colours() {
    let lossless = [
        file!("half-no"),
        file!("half-rle"),
        file!("half-zips"),
        file!("half-zip"),
        file!("half-piz"),
        file!("half-pxr24"),
        file!("alpha"),
        file!("decreasing"),
        file!("layer"),
        file!("parts"),
        file!("tiled"),
        file!("mipmaps"),
    ];
    for file in lossless {
        let off = difference(&read(file), color);
        // A half has eleven bits.
        assert!(off <= 1.0 / 2048.0, "{}: {off}", file.0);
    }
    for file in [file!("float-no"), file!("float-zip"), file!("float-piz")] {
        let off = difference(&read(file), color);
        assert!(off <= 1e-6, "{}: {off}", file.0);
    }
    for (file, most) in [
        (file!("float-pxr24"), 1e-4),
        (file!("half-b44"), 0.1),
        (file!("half-b44a"), 0.1),
        (file!("half-dwaa"), 0.1),
        (file!("half-dwab"), 0.1),
    ] {
        let off = difference(&read(file), color);
        assert!(off <= most, "{}: {off}", file.0);
    }
}

#[test]
fn exr_luminance_alone_is_grey() {
    let off = difference(&read(file!("luminance")), |x, y| [color(x, y)[1]; 3]);
    assert!(off <= 1e-6, "{off}");
}

#[test]
fn exr_data_window_is_placed_in_the_display_window() {
    let inside = |x: usize, y: usize| (8..18).contains(&x) && (3..9).contains(&y);
    let off = difference(&read(file!("window")), |x, y| if inside(x, y) { color(x, y) } else { [0.0; 3] });
    assert!(off <= 1.0 / 2048.0, "{off}");
    let off = difference(&read(file!("overscan")), color);
    assert!(off <= 1.0 / 2048.0, "{off}");
}

#[test]
fn exr_wide_images_are_reduced() {
    use exr::prelude::*;
    let image = Image::from_channels(
        (8192, 4),
        SpecificChannels::rgb(|at: Vec2<usize>| {
            let value = ((at.x() + at.y()) % 2) as f32 * 2.0;
            (value, f32::NAN, -1.0_f32)
        }),
    );
    let mut bytes = Cursor::new(Vec::new());
    image.write().non_parallel().to_buffered(&mut bytes).expect("a file");
    let picture = decoded(bytes.get_ref()).expect("an image");
    assert_eq!((picture.width, picture.height), (4096, 2));
    assert!(picture.rows(0, 9).iter().all(|&pixel| pixel == [1.0, 0.0, 0.0]));
    assert_eq!(picture.rows(1, 1).len(), 4096);
    assert_eq!(picture.rows(2, 1).len(), 0);
    assert_eq!(picture.rows(usize::MAX, usize::MAX).len(), 0);
}

#[test]
fn exr_truncated_files_end_in_an_error() {
    for (name, bytes) in [file!("half-zip"), file!("tiled"), file!("parts")] {
        for length in 0..bytes.len() {
            let found = code(&bytes[..length]);
            assert!(found.is_some_and(|code| code.starts_with("image/")), "{name} {length}: {found:?}");
        }
    }
}

/// Damaged B44 data can stop the decoder of `exr` 1.74. In a page that ends its instance of the module, and the image is
/// `image/broken`.
#[test]
fn exr_damaged_files_end_in_an_image_or_an_error() {
    let mut seed = 7_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    let files =
        [file!("half-rle"), file!("half-piz"), file!("float-zip"), file!("half-dwaa"), file!("tiled")];
    for _ in 0..2000 {
        let (name, bytes) = files[random(files.len())];
        let mut damaged = bytes.to_vec();
        for _ in 0..1 + random(4) {
            let at = random(damaged.len());
            damaged[at] = random(256) as u8;
        }
        let ended = std::panic::catch_unwind(|| drop(decoded(&damaged)));
        assert!(ended.is_ok(), "{name} panics");
    }
}
