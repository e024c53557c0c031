//! Prefilters the specular reflections of a panorama, row by row, into the levels of a cube map by roughness.
//!
//! Runs on the CPU: GPU drivers take longer to compile such a loop than the CPU takes to run it. All devices get the same result.

use crate::base::{arc_cosine, feature, sin_cos};
use crate::model::cube::{along, direction, place};
use crate::model::{Panorama, packed, unpacked};
use glam::Vec3A;
use std::f32::consts::{PI, TAU};
use std::rc::Rc;

/// The width and height of a face of the roughest level in texels.
const LAST_SIZE: usize = 8;
/// The number of samples per texel when prefiltering.
const SAMPLES: u32 = 48;

/// A face of a level.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Face<'a> {
    pub(super) level: usize,
    /// The index of the face in GL's order, from positive X.
    pub(super) face: usize,
    /// The width and height of the face in texels.
    pub(super) size: usize,
    /// Rows of texels, `RGB9_E5`.
    pub(super) texels: &'a [u32],
}

/// The result of a step.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Face(Face<'a>),
    /// A part of a face, or other preparation.
    Part,
    Done,
}

/// The filtering of a panorama.
#[derive(Debug)]
pub(super) struct Prefilter {
    panorama: Rc<Panorama>,
    /// The width and height of a face of the first level in texels.
    pub(super) size: usize,
    /// The number of rows and of columns that are averaged into one when reducing the panorama; the reduced texels are `folded`.
    fold: usize,
    folded: Vec<u32>,
    /// The mip chain of the unfiltered cube map, down to faces of 2 × 2 texels.
    source: Vec<Cube>,
    /// The level of the next row, and the number of rows of this level that are done.
    level: usize,
    row: usize,
    samples: Vec<Sample>,
    texels: Vec<u32>,
}

feature! {
    list for_light;
    fn fold_row(prefilter: &mut Prefilter) = Prefilter::fold_row;
    fn given_face(prefilter: &mut Prefilter) -> Step<'_> = Prefilter::given_face;
}

impl Prefilter {
    pub(super) fn new(panorama: Rc<Panorama>) -> Self {
        // Larger faces would show no more detail of a small panorama.
        let size = match panorama.levels.first() {
            Some(level) => (level.len() / 6).isqrt(),
            None => (panorama.width as usize / 4).next_power_of_two().clamp(64, 256),
        };
        let fold = (panorama.width as usize / (4 * size)).min(panorama.height as usize).max(1);
        let source = if panorama.levels.is_empty() { vec![Cube::new(size)] } else { Vec::new() };
        let (folded, samples, texels) = Default::default();
        Self { panorama, size, fold, folded, source, level: 0, row: 0, samples, texels }
    }

    /// The index of the roughest level.
    pub(super) fn last_level(&self) -> usize {
        match self.panorama.levels.len() {
            0 => (self.size / LAST_SIZE).ilog2() as usize,
            levels => levels - 1,
        }
    }

    /// The approximate number of lookups of the next step.
    pub(super) fn cost(&self) -> usize {
        if let Some(level) = self.panorama.levels.get(self.level) {
            level.len() / 6
        } else if self.is_folding() {
            self.panorama.width as usize * self.fold
        } else {
            (self.size >> self.level) * self.samples.len().max(1)
        }
    }

    /// Takes the next step: reduces rows of the panorama, or computes a row of a face.
    pub(super) fn step(&mut self) -> Step<'_> {
        if !self.panorama.levels.is_empty() {
            return given_face(self);
        }
        if self.is_folding() {
            fold_row(self);
            return Step::Part;
        }
        let size = self.size >> self.level;
        if self.row == 6 * size {
            if self.level == 0 {
                self.fill_source();
            }
            self.level += 1;
            self.row = 0;
            self.samples = samples(self.level as f32 / self.last_level() as f32, self.size);
            return if self.level > self.last_level() { Step::Done } else { Step::Part };
        }
        let (level, face, y) = (self.level, self.row / size, self.row % size);
        self.row += 1;
        if y == 0 {
            self.texels.clear();
        }
        for x in 0..size {
            let direction = direction(face, along(x as f32, size), along(y as f32, size)).normalize();
            let light = if level > 0 {
                mirrored(&self.source, &self.samples, direction)
            } else {
                let light = self.seen(direction);
                if let Some(texel) = self.source.first_mut().and_then(|cube| cube.texel(face, x + 1, y + 1)) {
                    *texel = light;
                }
                light
            };
            self.texels.push(packed(light.to_array()));
        }
        if y + 1 < size { Step::Part } else { Step::Face(Face { level, face, size, texels: &self.texels }) }
    }

    /// Takes the next face of a panorama that has its levels already.
    fn given_face(&mut self) -> Step<'_> {
        let Some(level) = self.panorama.levels.get(self.level) else { return Step::Done };
        let face = Face {
            level: self.level,
            face: self.row,
            size: self.size >> self.level,
            texels: level
                .get(self.row * level.len() / 6..(self.row + 1) * level.len() / 6)
                .unwrap_or_default(),
        };
        self.row += 1;
        if self.row == 6 {
            (self.level, self.row) = (self.level + 1, 0);
        }
        Step::Face(face)
    }

    fn is_folding(&self) -> bool {
        let columns = self.panorama.width as usize / self.fold;
        self.fold > 1 && self.folded.len() < columns * (self.panorama.height as usize / self.fold)
    }

    fn fold_row(&mut self) {
        let (width, fold) = (self.panorama.width as usize, self.fold);
        let begin = self.folded.len() / (width / fold) * fold * width;
        let rows = self.panorama.texels.get(begin..begin + fold * width).unwrap_or_default();
        for column in 0..width / fold {
            let mut sum = Vec3A::ZERO;
            for row in rows.chunks_exact(width) {
                for &texel in row.get(column * fold..(column + 1) * fold).unwrap_or_default() {
                    sum += Vec3A::from(unpacked(texel));
                }
            }
            self.folded.push(packed((sum / (fold * fold) as f32).to_array()));
        }
    }

    /// Samples the panorama in a direction, with bilinear interpolation.
    fn seen(&self, direction: Vec3A) -> Vec3A {
        let texels = if self.fold > 1 { &self.folded } else { &self.panorama.texels };
        let (width, height) =
            (self.panorama.width as usize / self.fold, self.panorama.height as usize / self.fold);
        let [x, y, z] = direction.to_array();
        let across = (x * x + z * z).sqrt().max(f32::MIN_POSITIVE);
        let around = arc_cosine(x / across).copysign(z) / TAU + 0.5;
        let (x, y) = (around * width as f32 - 0.5, arc_cosine(y) / PI * height as f32 - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let columns = [left, left + 1.0].map(|x| (x + width as f32) as usize % width);
        let rows = [top, top + 1.0].map(|y| y.clamp(0.0, (height - 1) as f32) as usize);
        let at = |row: usize, column: usize| {
            Vec3A::from(unpacked(texels.get(row * width + column).copied().unwrap_or_default()))
        };
        let [upper, lower] = rows.map(|row| at(row, columns[0]).lerp(at(row, columns[1]), x - left));
        upper.lerp(lower, y - top)
    }

    /// Builds each level of the mip chain from the previous one.
    fn fill_source(&mut self) {
        while let Some(above) = self.source.last_mut() {
            above.close();
            if above.size == 2 {
                break;
            }
            let mut next = Cube::new(above.size / 2);
            for face in 0..6 {
                for y in 0..next.size {
                    for x in 0..next.size {
                        let at = |right: usize, down: usize| above.at(face, 2 * x + right, 2 * y + down);
                        let mean = 0.25 * (at(1, 1) + at(2, 1) + at(1, 2) + at(2, 2));
                        if let Some(texel) = next.texel(face, x + 1, y + 1) {
                            *texel = mean;
                        }
                    }
                }
            }
            self.source.push(next);
        }
    }
}

/// The faces of a cube map, each with a border of texels of the adjacent faces.
#[derive(Debug)]
struct Cube {
    /// The width and height of a face in texels, without the border.
    size: usize,
    texels: Vec<Vec3A>,
}

impl Cube {
    fn new(size: usize) -> Self {
        Self { size, texels: vec![Vec3A::ZERO; 6 * (size + 2) * (size + 2)] }
    }

    /// The index of a texel; the border has the coordinates 0 and `size` + 1.
    fn index(&self, face: usize, x: usize, y: usize) -> usize {
        (face * (self.size + 2) + y) * (self.size + 2) + x
    }

    fn texel(&mut self, face: usize, x: usize, y: usize) -> Option<&mut Vec3A> {
        let index = self.index(face, x, y);
        self.texels.get_mut(index)
    }

    fn at(&self, face: usize, x: usize, y: usize) -> Vec3A {
        self.texels.get(self.index(face, x, y)).copied().unwrap_or_default()
    }

    /// Fills the border of each face.
    fn close(&mut self) {
        let (size, end) = (self.size, self.size + 1);
        for face in 0..6 {
            for i in 0..=end {
                for (x, y) in [(i, 0), (i, end), (0, i), (end, i)] {
                    let at = |i: usize| along(i as f32 - 1.0, size);
                    let (there, u, v) = place(direction(face, at(x), at(y)));
                    let texel =
                        |at: f32| 1 + ((0.5 * at + 0.5) * size as f32).clamp(0.0, (size - 1) as f32) as usize;
                    let light = self.at(there, texel(u), texel(v));
                    if let Some(texel) = self.texel(face, x, y) {
                        *texel = light;
                    }
                }
            }
        }
    }

    /// Samples the cube map in a direction of any length, with bilinear interpolation.
    #[inline(always)]
    fn look(&self, direction: Vec3A) -> Vec3A {
        let (face, u, v) = place(direction);
        let at = |at: f32| (0.5 * at + 0.5) * self.size as f32 + 0.5;
        let (u, v) = (at(u), at(v));
        let (x, y) = (u as usize, v as usize);
        let row = |y: usize| match self.texels.get(self.index(face, x, y)..).unwrap_or_default() {
            [left, right, ..] => left.lerp(*right, u - x as f32),
            _ => Vec3A::ZERO,
        };
        row(y).lerp(row(y + 1), v - y as f32)
    }
}

/// A sample direction, in the tangent space of a surface whose normal is +Z.
#[derive(Debug)]
struct Sample {
    direction: [f32; 3],
    /// The level of the mip chain to sample.
    level: usize,
}

/// The samples for a roughness. The view direction equals the normal, as usual in prefiltering.
fn samples(roughness: f32, size: usize) -> Vec<Sample> {
    let alpha = roughness * roughness;
    // The solid angle of a texel of the first level.
    let texel = 4.0 * PI / (6 * size * size) as f32;
    let sample = |i: u32| {
        // Hammersley points of the unit square, as half vectors with the density D(h) (n·h), where D is GGX (Trowbridge-Reitz).
        let half = 0.5 / SAMPLES as f32;
        let (around, out) = (i as f32 / SAMPLES as f32, i.reverse_bits() as f32 / 4_294_967_296.0 + half);
        let cosine2 = (1.0 - out) / (1.0 + (alpha * alpha - 1.0) * out);
        let z = 2.0 * cosine2 - 1.0;
        let slope = cosine2 * (alpha * alpha - 1.0) + 1.0;
        let density = alpha * alpha / (4.0 * PI * slope * slope);
        // A sample covers the solid angle of 1 / (samples × density). Bilinear interpolation covers four texels.
        let share = 1.0 / (SAMPLES as f32 * density * texel);
        let level = (share.max(1.0) as u32).ilog2() / 2;
        let (sin, cos) = sin_cos(TAU * around);
        let across = 2.0 * (cosine2 * (1.0 - cosine2)).sqrt();
        let level = level.min(size.ilog2() - 1) as usize;
        (z > 0.0).then_some(Sample { direction: [across * cos, across * sin, z], level })
    };
    (0..SAMPLES).filter_map(sample).collect()
}

/// The prefiltered reflection of a surface with normal `n`, a unit vector.
fn mirrored(source: &[Cube], samples: &[Sample], n: Vec3A) -> Vec3A {
    let t = if n.y.abs() < 0.9 { Vec3A::Y } else { Vec3A::X }.cross(n).normalize();
    let b = n.cross(t);
    let (mut sum, mut weight) = (Vec3A::ZERO, 0.0);
    for Sample { direction: [x, y, z], level } in samples {
        if let Some(cube) = source.get(*level) {
            sum += cube.look(t * *x + b * *y + n * *z) * *z;
            weight += z;
        }
    }
    sum / weight
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::PanoramaBuilder;

    /// A panorama with light as a function of the direction.
    fn panorama(width: usize, light: impl Fn(Vec3A) -> Vec3A) -> Rc<Panorama> {
        let height = width / 2;
        let mut builder = PanoramaBuilder::new(width, height);
        for row in 0..height {
            let down = (row as f32 + 0.5) / height as f32 * PI;
            let texel = |column: usize| {
                let around = ((column as f32 + 0.5) / width as f32 - 0.5) * TAU;
                light(Vec3A::new(down.sin() * around.cos(), down.cos(), down.sin() * around.sin())).to_array()
            };
            builder.push(&(0..width).map(texel).collect::<Vec<_>>());
        }
        Rc::new(builder.finish())
    }

    /// All texels, with level and direction.
    fn filtered(panorama: Rc<Panorama>) -> Vec<(usize, Vec3A, Vec3A)> {
        let mut prefilter = Prefilter::new(panorama);
        let mut all = Vec::new();
        loop {
            match prefilter.step() {
                Step::Face(Face { level, face, size, texels }) => {
                    assert_eq!(texels.len(), size * size);
                    for (i, texel) in texels.iter().enumerate() {
                        let (x, y) = (i % size, i / size);
                        let towards =
                            direction(face, along(x as f32, size), along(y as f32, size)).normalize();
                        all.push((level, towards, Vec3A::from(unpacked(*texel))));
                    }
                }
                Step::Part => {}
                Step::Done => return all,
            }
        }
    }

    /// The factor by which a roughness attenuates light that varies linearly from pole to pole.
    /// It is the mean cosine of the reflection, weighted by the cosine, integrated numerically over half vectors.
    fn shortening(roughness: f64) -> f64 {
        const STEPS: usize = 100_000;
        let a2 = roughness.powi(4);
        let (mut sum, mut weight) = (0.0, 0.0);
        for i in 0..STEPS {
            let n_h = (i as f64 + 0.5) / STEPS as f64;
            let n_l = 2.0 * n_h * n_h - 1.0;
            if n_l > 0.0 {
                // The density of half vectors; other terms cancel for a view along the normal.
                let density = n_h / (n_h * n_h * (a2 - 1.0) + 1.0).powi(2);
                sum += n_l * n_l * density;
                weight += n_l * density;
            }
        }
        sum / weight
    }

    #[test]
    fn prefilter_keeps_uniform_light() {
        for width in [4, 256, 700, 2100] {
            let all = filtered(panorama(width, |_| Vec3A::new(0.25, 1.0, 3.0)));
            assert!(
                all.iter()
                    .all(|(.., light)| (*light - Vec3A::new(0.25, 1.0, 3.0)).abs().max_element() < 0.01)
            );
        }
    }

    #[test]
    fn prefilter_keeps_the_direction_of_light() {
        let colour = |d: Vec3A| Vec3A::ONE + d;
        for (level, towards, light) in filtered(panorama(256, colour)) {
            let last = 3.0;
            let by = if level == 0 { 1.0 } else { shortening(level as f64 / last) as f32 };
            let expected = Vec3A::ONE + by * towards;
            assert!((light - expected).abs().max_element() < 0.03, "{level} {towards}: {light}, {expected}");
        }
    }

    #[test]
    fn prefilter_has_no_seams_between_cube_faces() {
        // A light near an edge of the cube: differences across edges are no larger than within a face.
        let lamp = Vec3A::new(1.0, 0.1, 0.97).normalize();
        let all = filtered(panorama(256, |d| Vec3A::splat(if d.dot(lamp) > 0.97 { 4.0 } else { 0.1 })));
        for level in 2..=3 {
            let texels: Vec<_> = all.iter().filter(|texel| texel.0 == level).collect();
            let step = 2.4 / (64 >> level) as f32;
            let mut worst = [0.0_f32; 2];
            for (i, (_, a, light)) in texels.iter().enumerate() {
                for (_, b, other) in &texels[i + 1..] {
                    if a.distance(*b) < step {
                        let across = usize::from(place(*a).0 != place(*b).0);
                        worst[across] = worst[across].max((*light - *other).abs().max_element());
                    }
                }
            }
            assert!(worst[1] < 1.3 * worst[0], "{level}: {worst:?}");
        }
    }
}
