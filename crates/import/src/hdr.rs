//! Environment images: Radiance's `.hdr`.

use gambol_animation::model::{Panorama, PanoramaBuilder};
use std::fmt;

/// Reads an image in Radiance's format as a [`Panorama`], in groups of rows, so that a page is not blocked. Supports RGBE
/// with old or new run-length encoding, or none.
///
/// Input is untrusted: reading ends with a panorama or an [`HdrError`], and takes no more memory than
/// [`PanoramaBuilder`] keeps. `EXPOSURE` and `COLORCORR` in the header are ignored, as in other viewers.
///
/// ```
/// use gambol_import::Hdr;
///
/// let picture = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x80\x80\x80\x81\x40\x40\x40\x81";
/// let panorama = Hdr::new(picture)?.finish()?;
/// assert_eq!(panorama.light([-0.9, 0.0, -0.1]), [1.0, 1.0, 1.0]);
/// assert_eq!(panorama.light([-0.1, 0.0, 0.9]), [0.5, 0.5, 0.5]);
/// # Ok::<(), gambol_import::HdrError>(())
/// ```
#[derive(Debug)]
pub struct Hdr<B> {
    bytes: B,
    at: usize,
    width: usize,
    rows_left: usize,
    builder: PanoramaBuilder,
    /// A row of red, green, blue and exponent.
    rgbe: Vec<[u8; 4]>,
    row: Vec<[f32; 3]>,
}

/// The reason why an environment image cannot be read. [`HdrError::code`] is stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HdrError {
    /// The bytes are not in Radiance's format.
    UnknownFormat,
    /// The colour space or the order of pixels is not supported.
    Unsupported,
    /// The image has no pixels, or a side is longer than [`Hdr::MAX_SIZE`].
    Size {
        /// The width in pixels.
        width: usize,
        /// The height in pixels.
        height: usize,
    },
    /// The bytes end before the last row.
    Truncated,
    /// A run of equal pixels exceeds the row, or has no pixel to repeat.
    Run,
}

impl HdrError {
    /// A stable code such as `image/truncated`.
    pub fn code(self) -> &'static str {
        match self {
            Self::UnknownFormat => "image/unknown-format",
            Self::Unsupported => "image/unsupported",
            Self::Size { .. } => "image/too-large",
            Self::Truncated => "image/truncated",
            Self::Run => "image/broken",
        }
    }
}

impl fmt::Display for HdrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFormat => f.write_str("This is not a Radiance .hdr image"),
            Self::Unsupported => {
                f.write_str("The image is not RGB, or its rows are not stored from top to bottom")
            }
            Self::Size { width, height } => {
                write!(f, "An image of {width} × {height} pixels cannot be used as a panorama")
            }
            Self::Truncated => f.write_str("The image is truncated; download the file again"),
            Self::Run => f.write_str("The run lengths of the image do not match its rows"),
        }
    }
}

impl std::error::Error for HdrError {}

impl<B: AsRef<[u8]>> Hdr<B> {
    /// The maximum width and height in pixels.
    pub const MAX_SIZE: usize = 16384;

    /// Checks the size of an image that becomes a panorama.
    ///
    /// # Errors
    /// `Size`.
    pub fn check_size(width: usize, height: usize) -> Result<(), HdrError> {
        let sides = 1..=Self::MAX_SIZE;
        if sides.contains(&width) && sides.contains(&height) {
            Ok(())
        } else {
            Err(HdrError::Size { width, height })
        }
    }

    /// Reads the header.
    ///
    /// # Errors
    /// `UnknownFormat`, `Unsupported`, `Size`, and `Truncated` if there are too few bytes for all rows.
    pub fn new(bytes: B) -> Result<Self, HdrError> {
        let mut header = Header { bytes: bytes.as_ref(), at: 0 };
        if !header.line()?.starts_with(b"#?") {
            return Err(HdrError::UnknownFormat);
        }
        loop {
            let line = header.line()?;
            if line.is_empty() {
                break;
            }
            if line.strip_prefix(b"FORMAT=").is_some_and(|format| format.trim_ascii() != b"32-bit_rle_rgbe") {
                return Err(HdrError::Unsupported);
            }
        }
        let (width, height) = size(header.line()?)?;
        Self::check_size(width, height)?;
        let at = header.at;
        // The minimum size of a row: one pixel, and a run if it is wider.
        if (bytes.as_ref().len() - at) / if width > 1 { 8 } else { 4 } < height {
            return Err(HdrError::Truncated);
        }
        Ok(Self {
            bytes,
            at,
            width,
            rows_left: height,
            builder: PanoramaBuilder::new(width, height),
            rgbe: Vec::with_capacity(width),
            row: Vec::with_capacity(width),
        })
    }

    /// Reads rows of about `pixels` pixels; returns `true` if more rows remain.
    ///
    /// # Errors
    /// `Truncated`, `Run`.
    pub fn advance(&mut self, pixels: usize) -> Result<bool, HdrError> {
        for _ in 0..pixels.div_ceil(self.width).min(self.rows_left) {
            let mut source = Rows { bytes: self.bytes.as_ref(), at: self.at };
            source.row(self.width, &mut self.rgbe)?;
            self.at = source.at;
            self.row.clear();
            self.row.extend(self.rgbe.iter().map(|&texel| light(texel)));
            self.builder.push(&self.row);
            self.rows_left -= 1;
        }
        Ok(self.rows_left > 0)
    }

    /// Reads the remaining rows.
    ///
    /// # Errors
    /// As [`Hdr::advance`].
    pub fn finish(mut self) -> Result<Panorama, HdrError> {
        while self.advance(usize::MAX)? {}
        Ok(self.builder.finish())
    }
}

struct Header<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Header<'a> {
    fn line(&mut self) -> Result<&'a [u8], HdrError> {
        let rest = &self.bytes[self.at..];
        // A missing or distant end of the line means another format.
        let length = rest.iter().take(4096).position(|&byte| byte == b'\n').ok_or(HdrError::UnknownFormat)?;
        self.at += length + 1;
        Ok(rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]))
    }
}

/// Parses a size such as `-Y 512 +X 1024`.
fn size(line: &[u8]) -> Result<(usize, usize), HdrError> {
    let line = std::str::from_utf8(line).map_err(|_| HdrError::UnknownFormat)?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [down, height, right, width] = words[..] else { return Err(HdrError::UnknownFormat) };
    let number = |word: &str| word.parse().map_err(|_| HdrError::UnknownFormat);
    let (width, height) = (number(width)?, number(height)?);
    if (down, right) == ("-Y", "+X") { Ok((width, height)) } else { Err(HdrError::Unsupported) }
}

struct Rows<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Rows<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], HdrError> {
        let taken = self.bytes.get(self.at..self.at + N).and_then(|bytes| bytes.try_into().ok());
        self.at += N;
        taken.ok_or(HdrError::Truncated)
    }

    fn row(&mut self, width: usize, out: &mut Vec<[u8; 4]>) -> Result<(), HdrError> {
        out.clear();
        let start = self.at;
        let first = self.take::<4>()?;
        if (8..32768).contains(&width) && first[..2] == [2, 2] && first[2] < 128 {
            if usize::from(first[2]) << 8 | usize::from(first[3]) != width {
                return Err(HdrError::Run);
            }
            out.resize(width, [0; 4]);
            return (0..4).try_for_each(|channel| self.channel(channel, out));
        }
        self.at = start;
        self.old_row(width, out)
    }

    /// Reads a channel of a row: counts above 128 are runs, others literal values.
    fn channel(&mut self, channel: usize, out: &mut [[u8; 4]]) -> Result<(), HdrError> {
        let mut x = 0;
        while x < out.len() {
            let [count] = self.take()?;
            let count = usize::from(count);
            let (length, run) = if count > 128 { (count - 128, true) } else { (count, false) };
            let part = out.get_mut(x..x + length).filter(|part| !part.is_empty()).ok_or(HdrError::Run)?;
            if run {
                let [value] = self.take()?;
                part.iter_mut().for_each(|texel| texel[channel] = value);
            } else {
                let values = self.bytes.get(self.at..self.at + length).ok_or(HdrError::Truncated)?;
                self.at += length;
                part.iter_mut().zip(values).for_each(|(texel, &value)| texel[channel] = value);
            }
            x += length;
        }
        Ok(())
    }

    /// Reads pixels in sequence; (1, 1, 1, n) repeats the last one n times, and a second one directly after it n · 256 times.
    fn old_row(&mut self, width: usize, out: &mut Vec<[u8; 4]>) -> Result<(), HdrError> {
        let mut shift = 0;
        while out.len() < width {
            let texel = self.take::<4>()?;
            if texel[..3] != [1, 1, 1] {
                out.push(texel);
                shift = 0;
                continue;
            }
            let last = *out.last().ok_or(HdrError::Run)?;
            let count = usize::from(texel[3]).checked_shl(shift).unwrap_or(0);
            if shift > 16 || count > width - out.len() {
                return Err(HdrError::Run);
            }
            out.resize(out.len() + count, last);
            shift += 8;
        }
        Ok(())
    }
}

/// Converts three mantissas with a common exponent.
fn light([r, g, b, e]: [u8; 4]) -> [f32; 3] {
    if e == 0 {
        return [0.0; 3];
    }
    // The exponent is e − 136; below −126 the result is 0, as the power would be subnormal.
    let scale = if e >= 10 { f32::from_bits((u32::from(e) - 9) << 23) } else { 0.0 };
    [r, g, b].map(|value| f32::from(value) * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, texels: &[u8]) -> Vec<u8> {
        [header.as_bytes(), texels].concat()
    }

    fn read(header: &str, texels: &[u8]) -> Result<Panorama, HdrError> {
        Hdr::new(file(header, texels))?.finish()
    }

    const HEADER: &str = "#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\n\n";

    fn sized(width: usize, height: usize) -> String {
        format!("{HEADER}-Y {height} +X {width}\n")
    }

    #[test]
    fn hdr_other_formats_are_refused() {
        for bytes in [&b""[..], b"\n", b"#?RADIANCE", b"\x89PNG\r\n\x1a\n", b"<!doctype html>\n\n"] {
            assert_eq!(Hdr::new(bytes).err(), Some(HdrError::UnknownFormat), "{bytes:?}");
        }
        for size in ["", "-Y 1", "-Y 1 +X", "-Y 1 +X 1 1", "-Y -1 +X 1", "-Y 1.5 +X 1"] {
            let error = read(&format!("{HEADER}{size}\n"), &[0; 64]).err();
            assert_eq!(error, Some(HdrError::UnknownFormat), "{size}");
        }
        let endless = format!("#?RADIANCE\n{}\n\n-Y 1 +X 1\n", "x".repeat(5000));
        assert_eq!(read(&endless, &[0; 64]).err(), Some(HdrError::UnknownFormat));
    }

    #[test]
    fn hdr_unsupported_colour_spaces_and_orders_are_refused() {
        let xyz = "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n";
        assert_eq!(read(xyz, &[0; 4]).err().map(HdrError::code), Some("image/unsupported"));
        for order in ["+Y 1 +X 1", "-Y 1 -X 1", "+X 1 -Y 1"] {
            assert_eq!(
                read(&format!("{HEADER}{order}\n"), &[0; 4]).err(),
                Some(HdrError::Unsupported),
                "{order}"
            );
        }
        for (width, height) in [(0, 1), (1, 0), (16385, 1), (1, 16385)] {
            assert_eq!(read(&sized(width, height), &[0; 64]).err(), Some(HdrError::Size { width, height }));
        }
        assert_eq!(
            read(&format!("{HEADER}-Y 99999999999999999999 +X 1\n"), &[]).err(),
            Some(HdrError::UnknownFormat)
        );
    }

    #[test]
    fn hdr_truncated_files_are_refused_before_allocating() {
        assert_eq!(read(&sized(16384, 16384), &[0; 1000]).err(), Some(HdrError::Truncated));
        assert_eq!(read(&sized(2, 2), &[0; 15]).err(), Some(HdrError::Truncated));
        assert_eq!(read(&sized(3, 1), &[9; 11]).err(), Some(HdrError::Truncated));
        let cut = [2, 2, 0, 8, 136, 1, 8, 1, 2, 3];
        assert_eq!(read(&sized(8, 1), &cut).err(), Some(HdrError::Truncated));
    }

    #[test]
    fn hdr_runs_beyond_their_row_are_refused() {
        // A width other than the row's; a run beyond the end; an empty run.
        for row in [[2, 2, 0, 9, 0, 0, 0, 0], [2, 2, 0, 8, 137, 1, 0, 0], [2, 2, 0, 8, 0, 1, 0, 0]] {
            assert_eq!(read(&sized(8, 1), &row).err(), Some(HdrError::Run), "{row:?}");
        }
        // Nothing to repeat; more than the row has; a shift beyond all rows.
        assert_eq!(read(&sized(8, 1), &[1, 1, 1, 3, 0, 0, 0, 0]).err(), Some(HdrError::Run));
        assert_eq!(read(&sized(8, 1), &[7, 7, 7, 128, 1, 1, 1, 8]).err(), Some(HdrError::Run));
        let mut shifted = vec![7, 7, 7, 128];
        (0..9).for_each(|_| shifted.extend([1, 1, 1, 0]));
        assert_eq!(read(&sized(8, 1), &shifted).err(), Some(HdrError::Run));
    }

    /// The light of each texel in a row of eight, sampled in the direction of its centre.
    fn row_of_eight(panorama: &Panorama) -> [[f32; 3]; 8] {
        std::array::from_fn(|column| {
            let (sin, cos) = (((column as f32 + 0.5) / 8.0 - 0.5) * std::f32::consts::TAU).sin_cos();
            panorama.light([cos, 0.0, sin])
        })
    }

    #[test]
    fn hdr_encodings_give_the_same_pixels() {
        // Eight pixels: three of (128, 64, 0) / 128, one twice as bright, four of (10, 20, 30) / 128.
        let plain: Vec<u8> =
            [vec![[128, 64, 0, 129]; 3], vec![[128, 64, 0, 130]], vec![[10, 20, 30, 129]; 4]]
                .concat()
                .concat();
        let old =
            [[128, 64, 0, 129], [1, 1, 1, 2], [128, 64, 0, 130], [10, 20, 30, 129], [1, 1, 1, 3]].concat();
        let new: &[&[u8]] = &[
            &[2, 2, 0, 8],
            &[132, 128, 132, 10],
            &[4, 64, 64, 64, 64, 132, 20],
            &[132, 0, 132, 30],
            &[131, 129, 1, 130, 132, 129],
        ];
        let pictures = [&plain, &old, &new.concat()].map(|texels| read(&sized(8, 1), texels));
        assert_eq!(pictures[0], pictures[1]);
        assert_eq!(pictures[0], pictures[2]);
        let seen = pictures[0].as_ref().map(row_of_eight);
        let (a, b) = ([1.0, 0.5, 0.0], [10.0 / 128.0, 20.0 / 128.0, 30.0 / 128.0]);
        assert_eq!(seen, Ok([a, a, a, [2.0, 1.0, 0.0], b, b, b, b]));
    }

    #[test]
    fn hdr_consecutive_runs_of_the_old_encoding_are_shifted() {
        let mut texels = vec![128, 128, 128, 129, 1, 1, 1, 43, 1, 1, 1, 1];
        texels.extend([0; 4]);
        let panorama = read(&sized(301, 1), &texels);
        let dark = panorama.map(|panorama| panorama.texels.iter().filter(|&&texel| texel == 0).count());
        assert_eq!(dark, Ok(1));
    }

    #[test]
    fn hdr_exponents_cover_black_to_the_maximum() {
        assert_eq!(light([255, 255, 255, 0]), [0.0; 3]);
        assert_eq!(light([255, 0, 0, 9]), [0.0; 3]);
        assert_eq!(light([128, 64, 32, 129]), [1.0, 0.5, 0.25]);
        assert!(light([255; 4]).iter().all(|value| value.is_finite()));
    }

    #[test]
    fn hdr_rows_are_read_in_steps() {
        let texels: Vec<u8> = (0..64_u8).flat_map(|i| [i, 2 * i, 3, 128]).collect();
        let bytes = file(&sized(4, 16), &texels);
        let mut slow = Hdr::new(&bytes[..]).expect("a header");
        let mut steps = 1;
        while slow.advance(5).expect("rows") {
            steps += 1;
        }
        assert_eq!(steps, 8);
        assert_eq!(slow.finish(), Hdr::new(&bytes[..]).and_then(Hdr::finish));
    }
}
