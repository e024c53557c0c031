//! Quantises an image with alpha to 256 colours and encodes it as a PNG file.

use crate::atlas::SIZE;
use crate::paint::{RESERVED, UNTINTED};
use std::collections::BTreeMap;

/// The amplitude of the ordered dither, in levels of 255.
const DITHER: f64 = 1.6;

/// Red, green, blue in 0..255, and alpha in 0..255 · [`ALPHA`].
type Colour = [f64; 4];

/// The weight of alpha's errors: the mask of a tint needs few levels.
const ALPHA: f64 = 1.3;

/// A colour and its weight, by the texels that it covers.
type Swatch = (Colour, f64);

/// A cluster of similar colours.
struct Cluster {
    swatches: Vec<Swatch>,
    mean: Colour,
    /// The channel with the largest variance, and the squared error of replacing all colours by the mean.
    worst: (usize, f64),
}

impl Cluster {
    fn new(swatches: Vec<Swatch>) -> Cluster {
        let total: f64 = swatches.iter().map(|s| s.1).sum();
        let mean = [0, 1, 2, 3].map(|k| swatches.iter().map(|s| s.0[k] * s.1).sum::<f64>() / total);
        let error = |k: usize| -> f64 { swatches.iter().map(|s| (s.0[k] - mean[k]).powi(2) * s.1).sum() };
        let errors = [0, 1, 2, 3].map(error);
        let k = (0..4).max_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0);
        Cluster { worst: (k, errors.iter().sum()), swatches, mean }
    }
}

fn nearest<'a>(palette: impl Iterator<Item = (usize, &'a Colour)>, c: Colour) -> usize {
    let far = |p: &Colour| (0..4).map(|k| (p[k] - c[k]) * (p[k] - c[k])).sum::<f64>();
    let mut best = (f64::MAX, 0);
    for (i, p) in palette {
        let d = far(p);
        if d < best.0 {
            best = (d, i);
        }
    }
    best.1
}

fn colour(c: [u8; 4]) -> Colour {
    let [r, g, b, a] = c.map(f64::from);
    [r, g, b, a * ALPHA]
}

/// Quantises to 256 colours: splits the cluster with the largest error repeatedly, then refines the means (k-means).
/// Returns the palette, and the palette index of every texel.
fn reduce(rgba: &[[u8; 4]]) -> (Vec<[u8; 4]>, Vec<u8>) {
    let mut count: BTreeMap<[u8; 4], f64> = BTreeMap::new();
    for (i, &c) in rgba.iter().enumerate() {
        // The face is small but the most visible part.
        let face = i % SIZE >= RESERVED[0] && i / SIZE < RESERVED[3];
        *count.entry(c).or_default() += if face { 2.0 } else { 1.0 };
    }
    let all: Vec<Swatch> = count.iter().map(|(&c, n)| (colour(c), n.sqrt())).collect();
    let mut clusters = vec![Cluster::new(all.clone())];
    while clusters.len() < 256 {
        let pick = (0..clusters.len())
            .filter(|&i| clusters[i].swatches.len() > 1)
            .max_by(|&i, &j| clusters[i].worst.1.total_cmp(&clusters[j].worst.1));
        let Some(pick) = pick else { break };
        let Cluster { swatches, mean, worst: (k, _) } = clusters.swap_remove(pick);
        let (low, high) = swatches.into_iter().partition(|s| s.0[k] < mean[k]);
        clusters.push(Cluster::new(low));
        clusters.push(Cluster::new(high));
    }
    let mut palette: Vec<Colour> = clusters.iter().map(|c| c.mean).collect();
    for _ in 0..3 {
        let mut sums = vec![([0.0; 4], 0.0); palette.len()];
        for (c, n) in &all {
            let s = &mut sums[nearest(palette.iter().enumerate(), *c)];
            for (sum, v) in s.0.iter_mut().zip(c) {
                *sum += v * n;
            }
            s.1 += n;
        }
        for (p, (sum, n)) in palette.iter_mut().zip(sums) {
            if n > 0.0 {
                *p = sum.map(|v| v / n);
            }
        }
    }
    // Similar colours get similar indices, which compresses better.
    palette.sort_by(|a, b| a.iter().sum::<f64>().total_cmp(&b.iter().sum()));
    let byte = |[r, g, b, a]: Colour| {
        // Tinted and untinted texels are so wholly.
        let a = a / ALPHA;
        let least = f64::from(UNTINTED);
        let a = if a < least + 10.0 {
            least
        } else if a > 245.0 {
            255.0
        } else {
            a
        };
        [r, g, b, a].map(|v| v.round() as u8)
    };
    let bytes: Vec<[u8; 4]> = palette.into_iter().map(byte).collect();
    let rounded: Vec<Colour> = bytes.iter().map(|&c| colour(c)).collect();
    // A weak ordered dither hides the steps of smooth gradients.
    const BAYER: [[f64; 4]; 4] =
        [[0.0, 8.0, 2.0, 10.0], [12.0, 4.0, 14.0, 6.0], [3.0, 11.0, 1.0, 9.0], [15.0, 7.0, 13.0, 5.0]];
    let mut seen: BTreeMap<([u8; 4], u8), u8> = BTreeMap::new();
    let indices = rgba
        .iter()
        .enumerate()
        .map(|(i, &c)| {
            let level = BAYER[i / SIZE % 4][i % 4];
            *seen.entry((c, level as u8)).or_insert_with(|| {
                let by = (level / 15.0 - 0.5) * DITHER;
                let [r, g, b, a] = colour(c);
                // A texel without tint stays so, however near a colour with some of it is.
                let fits = |&(entry, _): &(usize, &Colour)| c[3] > UNTINTED || bytes[entry][3] <= UNTINTED;
                nearest(rounded.iter().enumerate().filter(fits), [r + by, g + by, b + by, a]) as u8
            })
        })
        .collect();
    (bytes, indices)
}

/// Encodes rows of RGBA texels as a PNG file with a palette.
pub(crate) fn png(rgba: &[[u8; 4]]) -> Vec<u8> {
    let (palette, indices) = reduce(rgba);
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, SIZE as u32, SIZE as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect::<Vec<_>>());
    encoder.set_trns(palette.iter().map(|c| c[3]).collect::<Vec<_>>());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let written = encoder.write_header().and_then(|mut w| w.write_image_data(&indices));
    debug_assert!(written.is_ok(), "writing to memory cannot fail");
    out
}
