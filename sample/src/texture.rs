//! Paints the base colour: the colour of a texel depends on its position on the surface.

use crate::atlas::{Atlas, Rect, SIZE};
use crate::maths::{bump, mix, smoothstep};
use crate::mesher::Mesh;
use crate::shape;
use crate::skeleton::{EAR, J, JOINTS, SCARF, TAIL};
use glam::{DVec2, DVec3, dvec2, dvec3};
use std::collections::BTreeMap;

/// The rectangle of the eye.
pub(crate) const EYE: Rect = [384, 0, 128, 128];
/// The rectangle of the mouth.
pub(crate) const MOUTH: Rect = [384, 128, 128, 64];
/// The rectangle of the nose.
pub(crate) const NOSE: Rect = [384, 192, 64, 32];
/// The rectangle around all of these.
pub(crate) const RESERVED: Rect = [384, 0, 128, 224];

const fn rgb(hex: u32) -> DVec3 {
    dvec3((hex >> 16 & 255) as f64, (hex >> 8 & 255) as f64, (hex & 255) as f64)
}

const FUR: DVec3 = rgb(0xF79350);
const FUR_DEEP: DVec3 = rgb(0xE06C36);
const CREAM: DVec3 = rgb(0xFFF2DF);
const PLUM: DVec3 = rgb(0x663650);
const PINK: DVec3 = rgb(0xF9A79F);
const BLUSH: DVec3 = rgb(0xFF8474);
const TEAL: DVec3 = rgb(0x1BA5A2);
const TEAL_DEEP: DVec3 = rgb(0x0E7F86);
const TEAL_PALE: DVec3 = rgb(0xC9F5E6);

/// A zigzag of `teeth` around an axis, in -1..1, from a direction in its cross-section.
fn zigzag(x: f64, y: f64, teeth: f64) -> f64 {
    // The diamond angle: monotonic like the true angle, but plain arithmetic.
    let s = x.abs() + y.abs();
    if s < 1e-9 {
        return 0.0;
    }
    let a = if y >= 0.0 { 1.0 - x / s } else { 3.0 + x / s };
    let f = a / 4.0 * teeth;
    let f = f - f.floor();
    4.0 * (f - 0.5).abs() - 1.0
}

/// The position of a point along the tail, in joints.
fn along_tail(p: DVec3) -> f64 {
    let mut best = (f64::MAX, 0.0);
    for i in 1..TAIL.len() {
        let (a, b) = (TAIL[i - 1], TAIL[i]);
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        let d = p.distance_squared(a.lerp(b, t));
        if d < best.0 {
            best = (d, i as f64 - 1.0 + t);
        }
    }
    best.1
}

fn face(p: DVec3, colour: DVec3) -> DVec3 {
    let x = p.x.abs();
    // The mask: a bib under the eyes that runs out into the cheek tufts.
    let edge = mix(0.652, 0.602, smoothstep(0.0, 0.085, x)) + 0.052 * smoothstep(0.13, 0.25, x)
        - 0.1 * smoothstep(-0.02, -0.1, p.z);
    let mask = smoothstep(-0.007, 0.007, edge - p.y);
    let mut c = colour.lerp(CREAM, mask);
    // Pale brows.
    let q = dvec2(x - 0.083, p.y - 0.778);
    let q = dvec2((q.x + q.y * 0.3) / 0.031, (q.y - q.x * 0.3) / 0.0165);
    if p.z > 0.0 {
        c = c.lerp(CREAM, 0.9 * smoothstep(1.12, 0.88, q.length()));
    }
    // Rosy cheeks.
    let q = dvec2((x - 0.178) / 0.05, (p.y - 0.595) / 0.036);
    if p.z > 0.03 {
        c = c.lerp(BLUSH, 0.62 * smoothstep(1.1, 0.2, q.length()));
    }
    c
}

fn body(p: DVec3, n: DVec3) -> DVec3 {
    let q = shape::parts(p);
    let x = p.x.abs();
    let m = dvec3(x, p.y, p.z);
    let fur = FUR.lerp(FUR_DEEP, 0.65 * smoothstep(0.2, -0.25, p.z) + 0.35 * smoothstep(0.1, -0.9, n.y));
    let least = q.torso.min(q.arm).min(q.leg).min(q.tail).min(q.head).min(q.ear).min(q.tuft);
    let mut c = fur;
    if q.head < least + 0.02 {
        c = c.lerp(face(p, c), smoothstep(0.02, 0.005, q.head - least));
    }
    // The bib and belly.
    let b = dvec2(x / 0.098, (p.y - 0.315) / mix(0.125, 0.2, smoothstep(0.3, 0.4, p.y)));
    let belly = smoothstep(1.06, 0.94, b.length()) * smoothstep(0.0, 0.04, p.z);
    c = c.lerp(CREAM, belly * smoothstep(0.02, 0.0, q.torso - least));
    // Socks with a ragged edge.
    let (e, w) = (JOINTS[J::LowerArmL as usize].at, JOINTS[J::HandL as usize].at);
    let dir = (w - e).normalize();
    let r = m - e;
    let side = DVec3::Z.cross(dir);
    let u = r.dot(dir) / (w - e).length();
    let sock = smoothstep(-0.05, 0.05, u - 0.42 + 0.13 * zigzag(r.dot(side), r.z, 6.0));
    c = c.lerp(PLUM, sock * smoothstep(0.02, 0.005, q.arm - least));
    let r = m - JOINTS[J::FootL as usize].at;
    let sock = smoothstep(-0.004, 0.004, 0.088 - p.y + 0.011 * zigzag(r.x, r.z + 0.005, 6.0));
    c = c.lerp(PLUM, sock * smoothstep(0.02, 0.005, q.leg - least));
    // The tail's brush.
    let t = along_tail(p);
    let i = (t as usize).min(TAIL.len() - 2);
    let d = (TAIL[i + 1] - TAIL[i]).normalize();
    let r = p - TAIL[i].lerp(TAIL[i + 1], t - i as f64);
    let tip = smoothstep(-0.04, 0.04, t - 3.55 + 0.2 * zigzag(x, r.dot(DVec3::X.cross(d)), 10.0));
    c = c.lerp(CREAM, tip * smoothstep(0.02, 0.005, q.tail - least));
    // Ears: rosy hollows, dark tips.
    let ear = smoothstep(0.02, 0.005, q.ear - least);
    if ear > 0.0 {
        let (along, across, out) = shape::ear_frame();
        let r = m - EAR[0];
        let u = r.dot(along) / (EAR[3] - EAR[0]).length();
        let v = r.dot(across);
        let dark = smoothstep(-0.012, 0.012, u - 0.7 + 0.05 * zigzag(v, r.dot(out), 6.0));
        c = c.lerp(PLUM, dark * ear);
        let oval = dvec2((u - 0.475) / 0.325, v / 0.047).length();
        let facing = n.dot(dvec3(p.x.signum() * out.x, out.y, out.z));
        let inside = smoothstep(1.1, 0.9, oval) * smoothstep(0.0, 0.25, facing);
        c = c.lerp(PINK.lerp(PINK * 0.84, smoothstep(0.45, 0.15, u)), inside);
    }
    // The lock of hair is lighter towards its tip.
    c.lerp(CREAM, 0.6 * smoothstep(0.02, 0.0, q.tuft - least) * smoothstep(0.9, 0.97, p.y))
}

fn scarf(p: DVec3) -> DVec3 {
    let drop = SCARF[0].y - p.y;
    let loose = smoothstep(0.02, 0.04, drop) * smoothstep(0.09, 0.1, p.z);
    let stripes = bump(0.112, 0.136, drop).min(0.5) + bump(0.144, 0.156, drop).min(0.5);
    let fold = smoothstep(0.02, -0.02, p.y - 0.462 + p.z * 0.16);
    TEAL.lerp(TEAL_DEEP, fold * 0.55 * (1.0 - loose)).lerp(TEAL_PALE, (2.0 * stripes).min(1.0) * loose)
}

/// Ambient occlusion at a point of the surface: 0 if fully occluded, 1 if open.
pub(crate) fn openness(field: &dyn Fn(DVec3) -> f64, p: DVec3, n: DVec3) -> f64 {
    let mut shut = 0.0;
    let mut scale = 1.0;
    for i in 1..=5 {
        let s = 0.016 * f64::from(i);
        shut += (s - field(p + n * s)).max(0.0) * scale;
        scale *= 0.78;
    }
    // The ground occludes the feet a little, too.
    let ground = 0.2 * smoothstep(0.06, 0.0, p.y) * smoothstep(0.2, -0.8, n.y);
    (1.0 - 4.3 * shut - ground).clamp(0.0, 1.0)
}

/// The eye in the unit square: dark lashes above, a deep iris lit from below, two highlights.
fn eye(a: f64, b: f64) -> DVec3 {
    let r = dvec2(a, b).length();
    let white = rgb(0xFFFDF6).lerp(rgb(0xCBD6E2), smoothstep(-0.1, 0.75, b));
    let i = dvec2(a, b + 0.03);
    let ir = dvec2(i.x / 0.82, i.y / 0.88).length();
    let glow = smoothstep(0.45, -0.75, b);
    let iris = rgb(0x0C3F50).lerp(rgb(0x35C9B4), glow);
    let iris = iris.lerp(rgb(0x092C3B), smoothstep(0.84, 0.99, ir));
    let mut c = white.lerp(iris, smoothstep(1.02, 0.98, ir));
    let pupil = dvec2(i.x / 0.45, (i.y - 0.02) / 0.5).length();
    c = c.lerp(rgb(0x101A28), smoothstep(1.06, 0.94, pupil));
    // A crescent of light in the iris.
    let cr = dvec2(i.x / 0.5, (i.y + 0.42) / 0.2).length();
    c = c.lerp(rgb(0x8FF2DC), 0.55 * smoothstep(1.0, 0.3, cr) * smoothstep(0.85, 1.15, pupil));
    let lash = smoothstep(0.775, 0.805, r) * smoothstep(-0.12, 0.08, b);
    let rim = smoothstep(0.9, 0.935, r);
    c = c.lerp(rgb(0x2A1626), lash.max(rim));
    let big = dvec2((a + 0.27) / 0.235, (b - 0.33) / 0.25).length();
    let small = dvec2((a - 0.28) / 0.11, (b + 0.36) / 0.12).length();
    c = c.lerp(rgb(0xFFFFFF), smoothstep(1.06, 0.92, big));
    c.lerp(rgb(0xF4FFFC), 0.92 * smoothstep(1.1, 0.88, small))
}

/// The mouth: `a` from corner to corner, `v` from the upper lip down.
fn mouth(a: f64, v: f64) -> DVec3 {
    let dark = rgb(0x4A1730).lerp(rgb(0x7A2440), smoothstep(0.15, 0.7, v));
    let t = dvec2(a / 0.62, (v - 1.0) / 0.46).length();
    let c = dark.lerp(rgb(0xFF7F86), smoothstep(1.06, 0.94, t));
    let line = rgb(0x4A1F30);
    let lip = smoothstep(0.12, 0.06, v).max(smoothstep(0.93, 0.96, v)).max(smoothstep(0.9, 0.95, a.abs()));
    c.lerp(line, lip)
}

fn nose(a: f64, b: f64) -> DVec3 {
    let c = rgb(0x3A1E2C).lerp(rgb(0x5E3346), smoothstep(-0.3, 0.9, b));
    let shine = dvec2((a + 0.2) / 0.42, (b - 0.52) / 0.2).length();
    c.lerp(rgb(0xFFE9E4), 0.85 * smoothstep(1.1, 0.6, shine))
}

/// The painter's data of one mesh.
pub(crate) struct Canvas<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) normals: &'a [DVec3],
    pub(crate) openness: &'a [f64],
    /// `true` for the scarf, `false` for the body.
    pub(crate) cloth: bool,
}

/// Paints the whole image, as rows of RGB bytes.
pub(crate) fn paint(atlas: &Atlas, canvases: &[Canvas<'_>]) -> Vec<u8> {
    let mut image: Vec<Option<DVec3>> = vec![None; SIZE * SIZE];
    for chart in &atlas.charts {
        let canvas = &canvases[chart.mesh];
        for &t in &chart.tris {
            let tri = canvas.mesh.tris[t as usize].map(|v| v as usize);
            let [a, b, c] = tri.map(|v| atlas.texel(chart, canvas.mesh.pos[v]));
            let area = (b - a).perp_dot(c - a);
            if area.abs() < 1e-12 {
                continue;
            }
            let lo = a.min(b).min(c).floor();
            let hi = a.max(b).max(c).ceil();
            for y in lo.y as usize..=(hi.y as usize).min(SIZE - 1) {
                for x in lo.x as usize..=(hi.x as usize).min(SIZE - 1) {
                    let s = dvec2(x as f64 + 0.5, y as f64 + 0.5);
                    let u = (s - a).perp_dot(c - a) / area;
                    let v = (b - a).perp_dot(s - a) / area;
                    let w = 1.0 - u - v;
                    // Half a texel of tolerance: a texel that the border only touches is painted as well.
                    let slack = -0.02;
                    if u < slack || v < slack || w < slack {
                        continue;
                    }
                    let pick = |f: &dyn Fn(usize) -> DVec3| f(tri[0]) * w + f(tri[1]) * u + f(tri[2]) * v;
                    let p = pick(&|i| canvas.mesh.pos[i]);
                    let n = pick(&|i| canvas.normals[i]).normalize_or(DVec3::Y);
                    let open = pick(&|i| DVec3::splat(canvas.openness[i])).x;
                    let c = if canvas.cloth { scarf(p) } else { body(p, n) };
                    // The shade has a warm tint, like light that is reflected by fur.
                    let shade = 1.0 - open;
                    let c = c * dvec3(1.0 - 0.34 * shade, 1.0 - 0.45 * shade, 1.0 - 0.44 * shade);
                    image[y * SIZE + x] = Some(c);
                }
            }
        }
    }
    bleed(&mut image);
    let mut fill = |rect: Rect, f: &dyn Fn(DVec2) -> DVec3| {
        let [rx, ry, w, h] = rect;
        for y in 0..h {
            for x in 0..w {
                let s = dvec2((x as f64 + 0.5) / w as f64, (y as f64 + 0.5) / h as f64);
                image[(ry + y) * SIZE + rx + x] = Some(f(s));
            }
        }
    };
    // The eye and nose have a two-texel margin, so filtering does not lose the outermost ring.
    fill(EYE, &|s| eye((s.x * 2.0 - 1.0) * 1.04, (1.0 - s.y * 2.0) * 1.04));
    fill(MOUTH, &|s| mouth((s.x * 2.0 - 1.0) * 1.04, mix(-0.05, 1.05, s.y)));
    fill(NOSE, &|s| nose(s.x * 2.0 - 1.0, 1.0 - s.y * 2.0));
    image
        .iter()
        .flat_map(|c| {
            let c = c.unwrap_or(FUR);
            [c.x, c.y, c.z].map(|v| v.clamp(0.0, 255.0).round() as u8)
        })
        .collect()
}

/// Spreads the painted texels outwards, so that filtering never samples an unpainted one.
fn bleed(image: &mut [Option<DVec3>]) {
    for _ in 0..12 {
        let old = image.to_vec();
        for y in 0..SIZE {
            for x in 0..SIZE {
                if old[y * SIZE + x].is_some() {
                    continue;
                }
                let (mut sum, mut count) = (DVec3::ZERO, 0.0);
                for dy in y.saturating_sub(1)..=(y + 1).min(SIZE - 1) {
                    for dx in x.saturating_sub(1)..=(x + 1).min(SIZE - 1) {
                        if let Some(c) = old[dy * SIZE + dx] {
                            sum += c;
                            count += 1.0;
                        }
                    }
                }
                if count > 0.0 {
                    image[y * SIZE + x] = Some(sum / count);
                }
            }
        }
    }
}

/// The amplitude of the ordered dither, in levels of 255.
const DITHER: f64 = 2.5;

/// A colour and its weight, by the texels that it covers.
type Swatch = ([f64; 3], f64);

/// A cluster of similar colours.
struct Cluster {
    swatches: Vec<Swatch>,
    mean: [f64; 3],
    /// The channel with the largest variance, and the squared error of replacing all colours by the mean.
    worst: (usize, f64),
}

impl Cluster {
    fn new(swatches: Vec<Swatch>) -> Cluster {
        let total: f64 = swatches.iter().map(|s| s.1).sum();
        let mean = [0, 1, 2].map(|k| swatches.iter().map(|s| s.0[k] * s.1).sum::<f64>() / total);
        let error = |k: usize| -> f64 { swatches.iter().map(|s| (s.0[k] - mean[k]).powi(2) * s.1).sum() };
        let errors = [0, 1, 2].map(error);
        let k = (0..3).max_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0);
        Cluster { worst: (k, errors.iter().sum()), swatches, mean }
    }
}

fn nearest(palette: &[[f64; 3]], c: [f64; 3]) -> usize {
    let far = |p: &[f64; 3]| (0..3).map(|k| (p[k] - c[k]) * (p[k] - c[k])).sum::<f64>();
    let mut best = (f64::MAX, 0);
    for (i, p) in palette.iter().enumerate() {
        let d = far(p);
        if d < best.0 {
            best = (d, i);
        }
    }
    best.1
}

/// Quantises to 256 colours: splits the cluster with the largest error repeatedly, then refines the means (k-means).
/// Returns the palette, and the palette index of every texel.
fn reduce(rgb: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut count: BTreeMap<[u8; 3], f64> = BTreeMap::new();
    for (i, c) in rgb.chunks_exact(3).enumerate() {
        // The face is small but the most visible part.
        let face = i % SIZE >= EYE[0] && i / SIZE < EYE[3] + MOUTH[3];
        *count.entry([c[0], c[1], c[2]]).or_default() += if face { 2.0 } else { 1.0 };
    }
    let all: Vec<Swatch> = count.iter().map(|(c, n)| (c.map(f64::from), n.sqrt())).collect();
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
    let mut palette: Vec<[f64; 3]> = clusters.iter().map(|c| c.mean).collect();
    for _ in 0..3 {
        let mut sums = vec![([0.0; 3], 0.0); palette.len()];
        for (c, n) in &all {
            let s = &mut sums[nearest(&palette, *c)];
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
    let bytes: Vec<[u8; 3]> = palette.iter().map(|p| p.map(|v| v.round() as u8)).collect();
    let rounded: Vec<[f64; 3]> = bytes.iter().map(|p| p.map(f64::from)).collect();
    // A weak ordered dither hides the steps of smooth gradients.
    const BAYER: [[f64; 4]; 4] =
        [[0.0, 8.0, 2.0, 10.0], [12.0, 4.0, 14.0, 6.0], [3.0, 11.0, 1.0, 9.0], [15.0, 7.0, 13.0, 5.0]];
    let mut seen: BTreeMap<[u8; 4], u8> = BTreeMap::new();
    let indices = rgb
        .chunks_exact(3)
        .enumerate()
        .map(|(i, c)| {
            let level = BAYER[i / SIZE % 4][i % 4];
            *seen.entry([c[0], c[1], c[2], level as u8]).or_insert_with(|| {
                let by = (level / 15.0 - 0.5) * DITHER;
                nearest(&rounded, [c[0], c[1], c[2]].map(|v| f64::from(v) + by)) as u8
            })
        })
        .collect();
    (bytes.concat(), indices)
}

/// Encodes rows of RGB bytes as a PNG file with a palette.
pub(crate) fn png(rgb: &[u8]) -> Vec<u8> {
    let (palette, indices) = reduce(rgb);
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, SIZE as u32, SIZE as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let written = encoder.write_header().and_then(|mut w| w.write_image_data(&indices));
    debug_assert!(written.is_ok(), "writing to memory cannot fail");
    out
}
