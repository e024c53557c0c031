//! Assembles the character: meshes, texture, skin and morph targets.

use crate::atlas::{Atlas, split};
use crate::face::{Patches, TARGETS, drift, drifted_normal};
use crate::maths::{mix, smoothstep};
use crate::mesher::{Mesh, remesh, rings, surface_nets};
use crate::skeleton::J;
use crate::texture::{Canvas, RESERVED, openness, paint};
use crate::weights::{self, Skin};
use crate::{shape, texture};
use glam::{DVec2, DVec3, dvec3};

/// A vertex of the file.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub(crate) pos: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) uv: DVec2,
    pub(crate) skin: Skin,
    /// The deltas of position and normal under each morph target.
    pub(crate) deltas: [(DVec3, DVec3); TARGETS.len()],
}

/// A primitive of the mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) tris: Vec<[u32; 3]>,
}

/// The character at rest.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Fur and scarf.
    pub(crate) body: Piece,
    /// Eyes, mouth and nose.
    pub(crate) face: Piece,
    /// The base colour image, as a PNG file.
    pub(crate) image: Vec<u8>,
}

fn flip(p: DVec3) -> DVec3 {
    dvec3(-p.x, p.y, p.z)
}

/// Completes a half mesh; the second value maps each vertex to its mirror image.
fn mirror(half: &Mesh) -> (Mesh, Vec<u32>) {
    let mut whole = half.clone();
    let mut twin = Vec::with_capacity(half.pos.len());
    for (i, p) in half.pos.iter().enumerate() {
        if p.x == 0.0 {
            twin.push(i as u32);
        } else {
            twin.push(whole.pos.len() as u32);
            whole.pos.push(flip(*p));
        }
    }
    whole.tris.extend(half.tris.iter().map(|&[a, b, c]| [a, c, b].map(|v| twin[v as usize])));
    (whole, twin)
}

impl Model {
    /// Builds the whole model.
    pub(crate) fn new() -> Model {
        let mut half =
            surface_nets(&shape::body, dvec3(0.0, -0.03, -0.53), dvec3(0.37, 1.16, 0.34), 0.0145, true);
        remesh(&mut half, &shape::body, &shape::body_size, true, &shape::TIPS);
        let mut cloth =
            surface_nets(&shape::scarf, dvec3(-0.19, 0.24, -0.19), dvec3(0.19, 0.55, 0.24), 0.0115, false);
        remesh(&mut cloth, &shape::scarf, &shape::scarf_size, false, &[]);

        let normals = |mesh: &Mesh, f: &dyn Fn(DVec3) -> f64, seam: bool| -> Vec<DVec3> {
            mesh.pos
                .iter()
                .map(|&p| {
                    let n = shape::normal(f, p);
                    if seam && p.x == 0.0 { dvec3(0.0, n.y, n.z).normalize_or(DVec3::Y) } else { n }
                })
                .collect()
        };
        let body_normals = normals(&half, &shape::body, true);
        let cloth_normals = normals(&cloth, &shape::scarf, false);
        let all = |p: DVec3| shape::body(p).min(shape::scarf(p));
        let open = |mesh: &Mesh, normals: &[DVec3]| -> Vec<f64> {
            let mut open: Vec<f64> =
                mesh.pos.iter().zip(normals).map(|(&p, &n)| openness(&all, p, n)).collect();
            // Smooths the samples; otherwise the triangles are visible in the shading.
            let ring = rings(mesh);
            for _ in 0..3 {
                let old = open.clone();
                for (v, o) in open.iter_mut().enumerate() {
                    let sum: f64 = ring[v].iter().map(|&n| old[n as usize]).sum();
                    *o = 0.4 * old[v] + 0.6 * sum / ring[v].len().max(1) as f64;
                }
            }
            // Ears are thin enough to transmit some light.
            for (o, p) in open.iter_mut().zip(&mesh.pos) {
                *o = mix(*o, 1.0, 0.6 * smoothstep(0.82, 0.9, p.y));
            }
            open
        };
        let atlas = Atlas::new(&[&half, &cloth], RESERVED);
        let rgb = paint(
            &atlas,
            &[
                Canvas {
                    mesh: &half,
                    normals: &body_normals,
                    openness: &open(&half, &body_normals),
                    cloth: false,
                },
                Canvas {
                    mesh: &cloth,
                    normals: &cloth_normals,
                    openness: &open(&cloth, &cloth_normals),
                    cloth: true,
                },
            ],
        );

        let (whole, twin) = mirror(&half);
        let skins = weights::body(&whole);
        let mut body = Piece::default();
        let (corners, tris) = split(&atlas, 0, &half);
        let fur = |v: usize, n: DVec3, uv: DVec2| {
            let pos = whole.pos[v];
            let deltas = [0, 1, 2].map(|t| {
                // Only the head's fur moves: the part around the scarf is fixed.
                (drift(t, pos), drifted_normal(t, pos, n) - n)
            });
            Vertex { pos, normal: n, uv, skin: skins[v], deltas }
        };
        let mut other = Vec::with_capacity(corners.len());
        for c in &corners {
            body.vertices.push(fur(c.vertex as usize, body_normals[c.vertex as usize], c.uv));
        }
        for (i, c) in corners.iter().enumerate() {
            let v = c.vertex as usize;
            if twin[v] == c.vertex {
                other.push(i as u32);
            } else {
                other.push(body.vertices.len() as u32);
                body.vertices.push(fur(twin[v] as usize, flip(body_normals[v]), c.uv));
            }
        }
        body.tris.extend(&tris);
        body.tris.extend(tris.iter().map(|&[a, b, c]| [a, c, b].map(|v| other[v as usize])));

        let skins = weights::scarf(&cloth);
        let (corners, tris) = split(&atlas, 1, &cloth);
        let first = body.vertices.len() as u32;
        for c in &corners {
            let v = c.vertex as usize;
            body.vertices.push(Vertex {
                pos: cloth.pos[v],
                normal: cloth_normals[v],
                uv: c.uv,
                skin: skins[v],
                deltas: Default::default(),
            });
        }
        body.tris.extend(tris.iter().map(|t| t.map(|v| v + first)));

        let patches = Patches::new();
        let vertices = patches
            .points
            .iter()
            .map(|p| Vertex {
                pos: p.pos,
                normal: p.normal,
                uv: p.uv,
                skin: Skin::rigid(J::Head),
                deltas: p.moved.map(|(q, n)| (q - p.pos, n - p.normal)),
            })
            .collect();
        let face = Piece { vertices, tris: patches.tris };
        Model { body, face, image: texture::png(&rgb) }
    }
}
