//! Environment images, read in small steps.

use super::convert::undecodable;
use super::features::{Feature, need};
use crate::base::feature;
use crate::import::{self, HdrError};
use crate::model::{Panorama, PanoramaBuilder};
use wasm_bindgen::prelude::*;

/// An HDR image for environment light, read in small steps so that the page is not blocked.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Hdr {
    pub(super) source: Source,
}

/// The origin of the rows.
#[derive(Debug)]
pub(super) enum Source {
    /// A Radiance file.
    File(import::Hdr<Vec<u8>>),
    /// The page, which has decoded the image.
    Page { builder: PanoramaBuilder, width: usize },
}

#[wasm_bindgen]
impl Hdr {
    /// Reads the header of a Radiance `.hdr` file. Without bytes, it is an image of `width` × `height` pixels whose rows
    /// [`Hdr::push`] adds; both numbers are above 0 and at most 16384.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, width: usize, height: usize) -> Result<Hdr, JsValue> {
        need(Feature::Light)?;
        Ok(Self { source: begin(bytes, width, height).map_err(undecodable)? })
    }

    /// Decodes about `pixels` pixels of the file; returns `true` if more remain.
    pub fn advance(&mut self, pixels: usize) -> Result<bool, JsValue> {
        need(Feature::Light)?;
        advance(&mut self.source, pixels).map_err(undecodable)
    }

    /// Adds the next rows from the top, of an image without a file: linear red, green and blue of each pixel.
    pub fn push(&mut self, rows: &[f32]) -> Result<(), JsValue> {
        need(Feature::Light)?;
        push(&mut self.source, rows);
        Ok(())
    }
}

impl Source {
    /// The panorama, after the remaining rows are read.
    pub(super) fn finish(self) -> Result<Panorama, HdrError> {
        match self {
            Self::File(file) => file.finish(),
            Self::Page { builder, .. } => Ok(builder.finish()),
        }
    }
}

/// The decoded faces of an image-based light, level by level.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct CubeFaces {
    pub(super) faces: Vec<Vec<[f32; 3]>>,
}

#[wasm_bindgen]
impl CubeFaces {
    /// No faces.
    #[wasm_bindgen(constructor)]
    pub fn new() -> CubeFaces {
        Self::default()
    }

    /// Adds the next face: rows from the top, in linear red, green and blue.
    pub fn push(&mut self, texels: &[f32]) -> Result<(), JsValue> {
        need(Feature::Light)?;
        push_face(&mut self.faces, texels);
        Ok(())
    }
}

feature! {
    list for_light;
    fn push_face(faces: &mut Vec<Vec<[f32; 3]>>, texels: &[f32]) =
        |faces: &mut Vec<Vec<[f32; 3]>>, texels: &[f32]| faces.push(texels.as_chunks().0.to_vec());
    fn begin(bytes: Vec<u8>, width: usize, height: usize) -> Result<Source, HdrError> =
        |bytes: Vec<u8>, width: usize, height: usize| -> Result<Source, HdrError> {
            if !bytes.is_empty() || (width, height) == (0, 0) {
                return import::Hdr::new(bytes).map(Source::File);
            }
            import::Hdr::<Vec<u8>>::check_size(width, height)?;
            Ok(Source::Page { builder: PanoramaBuilder::new(width, height), width })
        };
    fn advance(source: &mut Source, pixels: usize) -> Result<bool, HdrError> =
        |source: &mut Source, pixels: usize| -> Result<bool, HdrError> {
            match source {
                Source::File(file) => file.advance(pixels),
                Source::Page { .. } => Ok(false),
            }
        };
    fn push(source: &mut Source, rows: &[f32]) =
        |source: &mut Source, rows: &[f32]| {
            if let Source::Page { builder, width } = source {
                rows.as_chunks().0.chunks_exact(*width).for_each(|row| builder.push(row));
            }
        };
}
