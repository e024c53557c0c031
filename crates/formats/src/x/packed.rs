//! Vertex attributes as DirectX packs them: DeclData and FVFData.

use super::lexer::Fault;
use super::matrix::unit_vector;
use super::values::Values;
use crate::color::linear;
use crate::error::codes;

/// Attributes by vertex. Empty if the mesh has none.
#[derive(Default)]
pub(super) struct Packed {
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) texcoords: Vec<Vec<[f32; 2]>>,
    pub(super) colors: Vec<[f32; 4]>,
}

/// The use of words that are in each vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Use {
    Normal,
    Texcoord,
    /// One word: alpha, red, green, blue.
    PackedColor,
    /// Four floats.
    Color,
    Other,
}

/// Uses with their number of words.
type Layout = Vec<(Use, usize)>;

/// The size of each type of a declaration, in words: D3DDECLTYPE.
const TYPE_WORDS: [usize; 18] = [1, 2, 3, 4, 1, 1, 1, 2, 1, 1, 2, 1, 2, 1, 1, 1, 2, 0];

/// The maximum number of sets of texture coordinates, that of DirectX.
const TEXCOORDS: usize = 8;

impl Packed {
    /// DeclData: type, method, usage and index of each element, then the words of all vertices.
    pub(super) fn read_declared(&mut self, values: &mut Values<'_, '_>, count: usize) -> Result<(), Fault> {
        let at = values.at();
        let elements = values.list(|values| {
            let [kind, _, usage, _] =
                [values.integer()?, values.integer()?, values.integer()?, values.integer()?];
            Ok((kind, usage))
        })?;
        let mut layout = Layout::new();
        for (kind, usage) in elements {
            let Some(&words) = TYPE_WORDS.get(kind as usize) else {
                let message = format!("Vertex elements have no type {kind}");
                return Err(Fault { code: codes::X_PART_IGNORED, message, at });
            };
            let used = match (usage, kind) {
                (3, 2) => Use::Normal,
                (5, 1..=3) => Use::Texcoord,
                (10, 4) => Use::PackedColor,
                (10, 3) => Use::Color,
                _ => Use::Other,
            };
            layout.push((used, words));
        }
        self.read_words(values, count, &layout)
    }

    /// FVFData: a flexible vertex format (D3DFVF), then the words of all vertices.
    pub(super) fn read_flexible(&mut self, values: &mut Values<'_, '_>, count: usize) -> Result<(), Fault> {
        let format = values.integer()?;
        let mut layout = Layout::new();
        for (bit, used, words) in [
            (0x010, Use::Normal, 3),
            (0x020, Use::Other, 1),
            (0x040, Use::PackedColor, 1),
            (0x080, Use::Other, 1),
        ] {
            if format & bit != 0 {
                layout.push((used, words));
            }
        }
        for set in 0..format >> 8 & 15 {
            // Two bits say the number of components, if there are so many sets.
            let words = match format.checked_shr(16 + 2 * set).unwrap_or(0) & 3 {
                0 => 2,
                1 => 3,
                2 => 4,
                _ => 1,
            };
            layout.push((if words > 1 { Use::Texcoord } else { Use::Other }, words));
        }
        self.read_words(values, count, &layout)
    }

    /// Reads the words of all vertices. Attributes that are known already are kept.
    fn read_words(
        &mut self,
        values: &mut Values<'_, '_>,
        count: usize,
        layout: &Layout,
    ) -> Result<(), Fault> {
        let at = values.at();
        let words = values.list(Values::integer)?;
        let stride: usize = layout.iter().map(|(_, words)| words).sum();
        if stride == 0 || stride.checked_mul(count) != Some(words.len()) {
            let message = format!("There are {} words for {count} vertices of {stride}", words.len());
            return Err(Fault { code: codes::X_PART_IGNORED, message, at });
        }
        let vertices = || words.chunks_exact(stride);
        let float = |word: u32| Some(f32::from_bits(word)).filter(|value| value.is_finite()).unwrap_or(0.0);
        let mut start = 0;
        for &(used, size) in layout {
            let parts = || vertices().map(move |vertex| &vertex[start..start + size]);
            match used {
                Use::Normal if self.normals.is_empty() => {
                    let normal =
                        |part: &[u32]| unit_vector([float(part[0]), float(part[1]), -float(part[2])]);
                    self.normals = parts().map(normal).collect();
                }
                Use::Texcoord if self.texcoords.len() < TEXCOORDS => {
                    self.texcoords.push(parts().map(|part| [float(part[0]), float(part[1])]).collect());
                }
                Use::PackedColor if self.colors.is_empty() => {
                    let color = |part: &[u32]| {
                        let [blue, green, red, alpha] =
                            part[0].to_le_bytes().map(|part| f32::from(part) / 255.0);
                        [linear(red), linear(green), linear(blue), alpha]
                    };
                    self.colors = parts().map(color).collect();
                }
                Use::Color if self.colors.is_empty() => {
                    let color = |part: &[u32]| {
                        let [red, green, blue, alpha] = [0, 1, 2, 3].map(|i| float(part[i]));
                        [linear(red), linear(green), linear(blue), alpha.clamp(0.0, 1.0)]
                    };
                    self.colors = parts().map(color).collect();
                }
                _ => {}
            }
            start += size;
        }
        Ok(())
    }
}
