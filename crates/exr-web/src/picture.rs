//! The colours of an OpenEXR image, block by block.

use exr::block::reader::{ChunksReader, FilteredChunksReader, SequentialBlockDecompressor};
use exr::block::{self, UncompressedBlock};
use exr::error::Error;
use exr::meta::attribute::{EnvironmentMap, SampleType};
use exr::meta::header::Header;
use exr::prelude::f16;
use std::io::{Cursor, ErrorKind};

/// The maximum of a side in pixels.
const MAX_SIDE: usize = 16384;
/// The maximum of pixels.
const MAX_PIXELS: usize = MAX_SIDE * 8192;
/// The width to which an image is reduced. A panorama of gambol has no more columns.
const MAX_WIDTH: usize = 4096;
/// The largest value of light that a panorama of gambol has.
const MAX_VALUE: f32 = 65408.0;

/// The reason why an image cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A stable code: `image/…`.
    pub code: &'static str,
    /// The message for users.
    pub message: String,
}

fn fault(code: &'static str, message: impl Into<String>) -> Fault {
    Fault { code, message: message.into() }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::NotSupported(what) => {
                fault("image/unsupported", format!("The OpenEXR image cannot be read: {what}"))
            }
            Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
                fault("image/truncated", "The OpenEXR image is truncated; download the file again")
            }
            error => fault("image/broken", format!("The OpenEXR image is damaged: {error}")),
        }
    }
}

/// An image that is decoded in steps.
#[derive(Debug)]
pub struct Picture {
    blocks: SequentialBlockDecompressor<FilteredChunksReader<Cursor<Vec<u8>>>>,
    /// The header of the part with the colours.
    header: Header,
    /// The channels of red, green and blue.
    channels: [usize; 3],
    /// The place of the stored pixels in the image.
    offset: [i64; 2],
    /// The number of rows and columns that are averaged into one.
    fold: usize,
    /// The columns and rows after that.
    pub width: usize,
    pub height: usize,
    pixels: Vec<[f32; 3]>,
}

impl Picture {
    /// Reads the header.
    ///
    /// # Errors
    /// `image/unsupported` for deep data, cube maps and other channels than colours; `image/too-large`, `image/truncated`,
    /// `image/broken`.
    pub fn new(bytes: Vec<u8>) -> Result<Self, Fault> {
        let reader = block::read(Cursor::new(bytes), false)?;
        let colored = |header: &Header| if header.deep { None } else { color_channels(header) };
        let parts = reader.headers().iter().enumerate();
        let part = parts.filter_map(|(i, header)| Some((i, colored(header)?, header.clone()))).next();
        let Some((part, channels, header)) = part else {
            return Err(fault(
                "image/unsupported",
                "The OpenEXR image has no flat channels R, G and B, and no luminance alone",
            ));
        };
        if header.own_attributes.environment_map == Some(EnvironmentMap::Cube) {
            return Err(fault("image/unsupported", "The OpenEXR image is a cube map; it must be a panorama"));
        }
        let window = header.shared_attributes.display_window;
        for size in [window.size, header.layer_size] {
            let (width, height) = (size.0, size.1);
            let sides = 1..=MAX_SIDE;
            if !sides.contains(&width) || !sides.contains(&height) || width * height > MAX_PIXELS {
                return Err(fault(
                    "image/too-large",
                    format!("An image of {width} × {height} pixels cannot be used as a panorama"),
                ));
            }
        }
        let data = header.own_attributes.layer_position;
        let offset = [(data.0, window.position.0), (data.1, window.position.1)]
            .map(|(a, b)| i64::from(a) - i64::from(b));
        let blocks = reader
            .filter_chunks(false, |_, _, block| {
                block.layer == part && block.level.0 == 0 && block.level.1 == 0
            })?
            .sequential_decompressor(false);
        let fold = window.size.0.div_ceil(MAX_WIDTH).min(window.size.1).max(1);
        let (width, height) = (window.size.0 / fold, window.size.1 / fold);
        Ok(Self {
            blocks,
            header,
            channels,
            offset,
            fold,
            width,
            height,
            pixels: vec![[0.0; 3]; width * height],
        })
    }

    /// Decodes blocks with about `pixels` pixels; returns `true` if more remain.
    ///
    /// # Errors
    /// `image/truncated`, `image/broken`, `image/unsupported`.
    pub fn advance(&mut self, pixels: usize) -> Result<bool, Fault> {
        let mut done = 0;
        while done < pixels {
            let Some(block) = self.blocks.decompress_next_block() else { return Ok(false) };
            let block = block?;
            done += (block.index.pixel_size.0 * block.index.pixel_size.1).max(1);
            self.add(&block)?;
        }
        Ok(true)
    }

    /// The light of `count` rows from the row `top`; fewer at the end.
    pub fn rows(&self, top: usize, count: usize) -> &[[f32; 3]] {
        let end = top.saturating_add(count).min(self.height);
        self.pixels.get(top.min(end) * self.width..end * self.width).unwrap_or_default()
    }

    fn add(&mut self, block: &UncompressedBlock) -> Result<(), Fault> {
        let share = 1.0 / (self.fold * self.fold) as f32;
        let mut samples = Vec::new();
        for line in block.lines(&self.header.channels) {
            let place = line.location;
            let Some(channel) = self.header.channels.list.get(place.channel) else { continue };
            let colors: [bool; 3] = self.channels.map(|color| color == place.channel);
            let row = place.position.1 as i64 + self.offset[1];
            let row = usize::try_from(row).map_or(usize::MAX, |row| row / self.fold);
            if row >= self.height || !colors.contains(&true) {
                continue;
            }
            samples.clear();
            match channel.sample_type {
                SampleType::F16 => {
                    for sample in line.read_samples::<f16>() {
                        samples.push(sample?.to_f32());
                    }
                }
                SampleType::F32 => {
                    for sample in line.read_samples::<f32>() {
                        samples.push(sample?);
                    }
                }
                SampleType::U32 => {
                    for sample in line.read_samples::<u32>() {
                        samples.push(sample? as f32);
                    }
                }
            }
            for (i, &sample) in samples.iter().enumerate() {
                let column = (place.position.0 + i) as i64 + self.offset[0];
                let column = usize::try_from(column).map_or(usize::MAX, |column| column / self.fold);
                // Negative values and NaN count as 0.
                if column < self.width
                    && sample > 0.0
                    && let Some(pixel) = self.pixels.get_mut(row * self.width + column)
                {
                    for (value, is_color) in pixel.iter_mut().zip(colors) {
                        if is_color {
                            *value += share * sample.min(MAX_VALUE);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The channels of red, green and blue, or three times that of the luminance: those with the shortest prefix, such as `Sky.R`.
fn color_channels(header: &Header) -> Option<[usize; 3]> {
    let name =
        |i: usize| header.channels.list.get(i).map(|channel| channel.name.to_string()).unwrap_or_default();
    let count = header.channels.list.len();
    let find = |wanted: String| (0..count).find(|&i| name(i) == wanted);
    let prefixes = (0..count).filter_map(|i| name(i).strip_suffix('R').map(str::to_owned));
    let prefixes = prefixes.filter(|prefix| prefix.is_empty() || prefix.ends_with('.'));
    let colors = |prefix: String| {
        let [red, green, blue] = ["R", "G", "B"].map(|color| find(format!("{prefix}{color}")));
        Some((prefix.len(), [red?, green?, blue?]))
    };
    let colors = prefixes.filter_map(colors).min().map(|(_, channels)| channels);
    colors.or_else(|| (count == 1).then(|| find("Y".to_owned()).map(|i| [i; 3])).flatten())
}

#[cfg(test)]
mod tests;
