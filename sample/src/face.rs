//! Eyes, mouths and noses as patches on a head.

use crate::field::{Field, project};
use crate::maths::{cos, smoothstep};
use crate::paint::{EYE, MOUTH, NOSE};
use crate::patch::{Frame, Patches, Spoke, disc, in_rect, strip};
use crate::weights::Skin;
use glam::{DVec3, dvec3};

/// The lids of an eye in a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lids {
    Open,
    /// The upper lashes come down to a soft arc; the rest is hidden.
    Shut,
    /// The lower lid comes up, and the eye arches a little.
    Smile,
    Wide,
    /// The lower lid comes up halfway.
    Squint,
}

/// A pair of eyes.
pub(crate) struct Eyes {
    /// The middle of the left eye, and the direction that it faces.
    pub(crate) at: DVec3,
    pub(crate) out: DVec3,
    /// Half its width and height.
    pub(crate) rx: f64,
    pub(crate) ry: f64,
    /// The joints: the head, the left eye and the right eye.
    pub(crate) head: usize,
    pub(crate) joints: [usize; 2],
}

impl Eyes {
    /// The position of a point of an eye: plane coordinates and height.
    fn point(&self, lids: Lids, &(r, c, s): &Spoke) -> (f64, f64, f64) {
        let (rx, ry) = (self.rx, self.ry);
        let dome = 0.003 + 0.256 * ry * (1.0 - r * r);
        // The lashes come to a point at the outer corner.
        let flick = 0.15 * smoothstep(0.75, 1.0, c * 0.8 + s * 0.6) * smoothstep(0.75, 1.0, r);
        let (a, b) = (rx * r * c * (1.0 + flick), ry * r * s * (1.0 + 0.3 * flick));
        match lids {
            Lids::Open => (a, b, dome),
            Lids::Shut => {
                let (a, b) = (rx * r * c, ry * r * s);
                let wide = a * 1.07;
                let k = 1.0 - (a / rx) * (a / rx);
                let arc = k.max(0.0).sqrt();
                // The outer corner hangs a little: level lids look angry when half closed.
                let line = ry * (-0.288 - 0.122 * k - 0.077 * a / rx);
                if r > 0.99 && s >= -0.01 {
                    (wide, line + ry * (0.096 * arc + 0.019), 0.0045)
                } else if r > 0.75 && s >= -0.01 {
                    (wide, line - ry * 0.064 * arc, 0.0045)
                } else {
                    (a, line + 0.1 * (b - line), -0.009)
                }
            }
            Lids::Smile => {
                let lift = smoothstep(0.3, -1.0, r * s);
                let arch = 1.0 - c * c * r * r;
                (a * 1.02, b + ry * (0.064 * arch + lift * (0.205 + 0.115 * arch)), dome)
            }
            Lids::Wide => (a * 1.06, b * 1.12 + 0.05 * ry, dome),
            Lids::Squint => {
                let lift = smoothstep(0.4, -1.0, r * s);
                (a * 1.03, b * (1.0 - 0.12 * smoothstep(0.0, 1.0, r * s)) + ry * 0.42 * lift, dome)
            }
        }
    }

    /// Adds the eye of one side (0 left, 1 right). `lids` are those under a morph target that moves them.
    pub(crate) fn add(
        &self,
        patches: &mut Patches,
        field: Field<'_>,
        eye: usize,
        lids: impl Fn(usize) -> Option<Lids>,
    ) {
        let side = if eye == 0 { 1.0 } else { -1.0 };
        let frame = Frame::new(field, self.at, self.out);
        let (grid, tris) = disc(&[0.24, 0.5, 0.74, 0.9, 1.0], 36);
        // Iris and pupil follow the eye's joint; the lashes and the rim stay.
        let gaze = |i: usize| Skin::blend(self.head, self.joints[eye], smoothstep(0.84, 0.42, grid[i].0));
        let lids = |pose: Option<usize>| pose.map_or(Some(Lids::Open), &lids);
        patches.add(
            &tris,
            side,
            |pose| lids(pose) != Some(Lids::Shut),
            gaze,
            |pose| {
                let lids = lids(pose)?;
                let point = |spoke: &Spoke| {
                    let (a, b, h) = self.point(lids, spoke);
                    let (p, n) = frame.on(a, b, h);
                    // Both eyes are lit from the same side, so the texture is not mirrored.
                    let (r, c, s) = *spoke;
                    (p, n, in_rect(EYE, 0.5 + 0.5 * side * r * c / 1.04, 0.5 - 0.5 * r * s / 1.04))
                };
                Some(grid.iter().map(point).collect())
            },
        );
    }
}

/// Adds a mouth. `place` returns the plane coordinates and the height of a point in a pose, by its position: -1..1 from
/// corner to corner, and 0..1 from the upper lip down.
pub(crate) fn mouth(
    patches: &mut Patches,
    frame: &Frame<'_>,
    head: usize,
    columns: u32,
    place: impl Fn(Option<usize>, f64, f64) -> Option<(f64, f64, f64)>,
) {
    const ROWS: [f64; 5] = [0.0, 0.2, 0.4, 0.7, 1.0];
    let tris = strip(columns, ROWS.len() as u32);
    patches.add(
        &tris,
        1.0,
        |_| false,
        |_| Skin::rigid(head),
        |pose| {
            let mut points = Vec::new();
            for c in 0..=columns {
                // The columns are denser towards the corners, where the outline turns.
                let t = f64::from(c) / f64::from(columns);
                let a = -cos(t * std::f64::consts::PI) * 0.55 + (2.0 * t - 1.0) * 0.45;
                for v in ROWS {
                    let (x, y, h) = place(pose, a, v)?;
                    let (p, n) = frame.on(x, y, h);
                    points.push((p, n, in_rect(MOUTH, 0.5 + 0.5 * a / 1.04, (v + 0.05) / 1.1)));
                }
            }
            Some(points)
        },
    );
}

/// Adds a nose: wide above and narrow below, like a rounded heart.
pub(crate) fn nose(patches: &mut Patches, field: Field<'_>, head: usize, at: DVec3, size: DVec3) {
    let tip = project(field, at);
    // The depth of the middle and of each ring.
    const DEPTHS: [f64; 6] = [1.0, 0.97, 0.8, 0.5, 0.1, -0.5];
    const SPOKES: u32 = 18;
    let (grid, tris) = disc(&[0.35, 0.66, 0.88, 1.0, 0.92], SPOKES);
    patches.add(
        &tris,
        1.0,
        |_| false,
        |_| Skin::rigid(head),
        |pose| {
            let point = |(i, &(r, c, s)): (usize, &Spoke)| {
                let z = DEPTHS[i.div_ceil(SPOKES as usize)];
                let n = dvec3(r * c, r * s, z);
                let v = dvec3(r * c * (1.0 + 0.34 * s * r), r * s, z);
                (tip + v * size, (n / size).normalize(), in_rect(NOSE, 0.5 + 0.46 * n.x, 0.5 - 0.46 * n.y))
            };
            pose.is_none().then(|| grid.iter().enumerate().map(point).collect())
        },
    );
}
