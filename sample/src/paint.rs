//! Paints the base colour: the colour of a texel depends on its position on the surface.

use crate::atlas::{Atlas, Rect, SIZE};
use crate::field::Field;
use crate::maths::smoothstep;
use crate::mesher::Mesh;
use glam::{DVec2, DVec3, DVec4, dvec2, dvec3};

/// The rectangle of the eye.
pub(crate) const EYE: Rect = [384, 0, 128, 128];
/// The rectangle of the mouth.
pub(crate) const MOUTH: Rect = [384, 128, 128, 64];
/// The rectangle of the nose.
pub(crate) const NOSE: Rect = [384, 192, 64, 32];
/// The rectangle around all of these.
pub(crate) const RESERVED: Rect = [384, 0, 128, 224];

/// A colour in 0..255, by its hexadecimal notation.
pub(crate) const fn rgb(hex: u32) -> DVec3 {
    dvec3((hex >> 16 & 255) as f64, (hex >> 8 & 255) as f64, (hex & 255) as f64)
}

/// The colour of a position on the surface with its normal.
pub(crate) type Colour<'a> = &'a dyn Fn(DVec3, DVec3) -> DVec3;

/// The share of a crowd member's tint that a position on the surface takes, with its normal.
pub(crate) type Tint<'a> = &'a dyn Fn(DVec3, DVec3) -> f64;

/// A zigzag of `teeth` around an axis, in -1..1, from a direction in its cross-section.
pub(crate) fn zigzag(x: f64, y: f64, teeth: f64) -> f64 {
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

/// The position of a point along a line through points, counted in points.
pub(crate) fn along(points: &[DVec3], p: DVec3) -> f64 {
    let mut best = (f64::MAX, 0.0);
    for i in 1..points.len() {
        let (a, b) = (points[i - 1], points[i]);
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        let d = p.distance_squared(a.lerp(b, t));
        if d < best.0 {
            best = (d, i as f64 - 1.0 + t);
        }
    }
    best.1
}

/// Ambient occlusion at a point of the surface: 0 if fully occluded, 1 if open.
pub(crate) fn openness(field: Field<'_>, p: DVec3, n: DVec3) -> f64 {
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

/// The painter's data of one mesh.
pub(crate) struct Canvas<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) normals: &'a [DVec3],
    pub(crate) openness: &'a [f64],
    pub(crate) colour: Colour<'a>,
    pub(crate) tint: Tint<'a>,
}

/// A rectangle of the image with its own painter, which gets texture coordinates in 0..1 of the rectangle.
pub(crate) type Decal = (Rect, fn(DVec2) -> DVec3);

/// The alpha of texels without tint, the largest one that is below a half. WebKit decodes images with premultiplied alpha, so
/// that a smaller alpha would lose more of the colour.
pub(crate) const UNTINTED: u8 = 127;

/// The alpha for a share of the tint.
fn alpha(tint: f64) -> f64 {
    let least = f64::from(UNTINTED);
    least + (255.0 - least) * tint
}

/// Paints the whole image, as rows of RGBA texels. Alpha is the mask of a crowd's tint: without tint in the decals.
pub(crate) fn paint(atlas: &Atlas, canvases: &[Canvas<'_>], decals: &[Decal]) -> Vec<[u8; 4]> {
    let mut image: Vec<Option<DVec4>> = vec![None; SIZE * SIZE];
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
                    let c = (canvas.colour)(p, n);
                    // The shade has a warm tint, like light that is reflected by fur.
                    let shade = 1.0 - open;
                    let c = c * dvec3(1.0 - 0.34 * shade, 1.0 - 0.45 * shade, 1.0 - 0.44 * shade);
                    image[y * SIZE + x] = Some(c.extend(alpha((canvas.tint)(p, n))));
                }
            }
        }
    }
    bleed(&mut image);
    for &([rx, ry, w, h], f) in decals {
        for y in 0..h {
            for x in 0..w {
                let s = dvec2((x as f64 + 0.5) / w as f64, (y as f64 + 0.5) / h as f64);
                image[(ry + y) * SIZE + rx + x] = Some(f(s).extend(alpha(0.0)));
            }
        }
    }
    image
        .iter()
        .map(|c| {
            let c = c.unwrap_or(DVec4::new(128.0, 128.0, 128.0, 255.0));
            c.to_array().map(|v| v.clamp(0.0, 255.0).round() as u8)
        })
        .collect()
}

/// Spreads the painted texels outwards, so that filtering never samples an unpainted one.
fn bleed(image: &mut [Option<DVec4>]) {
    for _ in 0..12 {
        let old = image.to_vec();
        for y in 0..SIZE {
            for x in 0..SIZE {
                if old[y * SIZE + x].is_some() {
                    continue;
                }
                let (mut sum, mut count) = (DVec4::ZERO, 0.0);
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
