//! Assembles a character: meshes, texture, skin and morph targets.

use crate::atlas::{Atlas, split};
use crate::field::{Field, normal};
use crate::maths::mix;
use crate::mesher::{Mesh, remesh, rings, surface_nets};
use crate::paint::{Canvas, Colour, Decal, RESERVED, Tint, openness, paint};
use crate::palette;
use crate::patch::{Drift, Patches, drifted_normal};
use crate::skeleton::mirrored;
use crate::weights::Skin;
use glam::{DVec2, DVec3};

/// The symmetry of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symmetry {
    /// Meshed as a whole.
    None,
    /// The half x >= 0 is meshed and mirrored; the border is in the plane x = 0.
    Halves,
    /// The left one of a pair is meshed and mirrored.
    Pair,
}

/// A surface of the character. The functions take positions on both sides.
pub(crate) struct Part<'a> {
    pub(crate) field: Field<'a>,
    /// The target edge length.
    pub(crate) size: Field<'a>,
    /// The corners of a box around it.
    pub(crate) bounds: (DVec3, DVec3),
    /// The edge of the grid's cells.
    pub(crate) cell: f64,
    pub(crate) symmetry: Symmetry,
    /// Tips that remeshing must keep.
    pub(crate) tips: &'a [DVec3],
    pub(crate) colour: Colour<'a>,
    /// The share of light that shines through the surface, which makes it less occluded.
    pub(crate) thin: Field<'a>,
    /// The share of a crowd member's tint that the surface takes.
    pub(crate) tint: Tint<'a>,
    pub(crate) skin: &'a dyn Fn(&Mesh) -> Vec<Skin>,
    /// The displacement under each morph target.
    pub(crate) drift: Drift,
    /// The index of the material.
    pub(crate) material: usize,
}

impl Part<'_> {
    /// The mesh; the left half of it with a symmetry.
    pub(crate) fn mesh(&self) -> Mesh {
        let half = self.symmetry == Symmetry::Halves;
        let mut mesh = surface_nets(self.field, self.bounds.0, self.bounds.1, self.cell, half);
        remesh(&mut mesh, self.field, self.size, half, self.tips);
        mesh
    }
}

/// A vertex of the file.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub(crate) pos: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) uv: DVec2,
    pub(crate) skin: Skin,
    /// The deltas of position and normal under each morph target.
    pub(crate) deltas: Vec<(DVec3, DVec3)>,
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
    /// One primitive for each material.
    pub(crate) pieces: Vec<Piece>,
    /// The base colour image, as a PNG file.
    pub(crate) image: Vec<u8>,
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
            whole.pos.push(mirrored(*p));
        }
    }
    whole.tris.extend(half.tris.iter().map(|&[a, b, c]| [a, c, b].map(|v| twin[v as usize])));
    (whole, twin)
}

fn normals(part: &Part<'_>, mesh: &Mesh) -> Vec<DVec3> {
    let on_border = |p: DVec3| part.symmetry == Symmetry::Halves && p.x == 0.0;
    mesh.pos
        .iter()
        .map(|&p| {
            let n = normal(part.field, p);
            if on_border(p) { DVec3::new(0.0, n.y, n.z).normalize_or(DVec3::Y) } else { n }
        })
        .collect()
}

/// The ambient occlusion of each vertex: 1 if open.
fn open(part: &Part<'_>, all: Field<'_>, mesh: &Mesh, normals: &[DVec3]) -> Vec<f64> {
    let mut open: Vec<f64> = mesh.pos.iter().zip(normals).map(|(&p, &n)| openness(all, p, n)).collect();
    // Smooths the samples; otherwise the triangles are visible in the shading.
    let ring = rings(mesh);
    for _ in 0..3 {
        let old = open.clone();
        for (v, o) in open.iter_mut().enumerate() {
            let sum: f64 = ring[v].iter().map(|&n| old[n as usize]).sum();
            *o = 0.4 * old[v] + 0.6 * sum / ring[v].len().max(1) as f64;
        }
    }
    for (o, &p) in open.iter_mut().zip(&mesh.pos) {
        *o = mix(*o, 1.0, (part.thin)(p));
    }
    open
}

impl Model {
    /// Builds the whole model. The patches get the last material.
    pub(crate) fn new(parts: &[Part<'_>], targets: usize, patches: Patches, decals: &[Decal]) -> Model {
        let meshes: Vec<Mesh> = parts.iter().map(Part::mesh).collect();
        let all = |p: DVec3| parts.iter().map(|part| (part.field)(p)).fold(f64::MAX, f64::min);
        let shading: Vec<(Vec<DVec3>, Vec<f64>)> = parts
            .iter()
            .zip(&meshes)
            .map(|(part, mesh)| {
                let normals = normals(part, mesh);
                let open = open(part, &all, mesh, &normals);
                (normals, open)
            })
            .collect();
        let atlas = Atlas::new(&meshes.iter().collect::<Vec<_>>(), RESERVED);
        let canvases: Vec<Canvas<'_>> = parts
            .iter()
            .zip(&meshes)
            .zip(&shading)
            .map(|((part, mesh), (normals, openness))| Canvas {
                mesh,
                normals,
                openness,
                colour: part.colour,
                tint: part.tint,
            })
            .collect();
        let image = palette::png(&paint(&atlas, &canvases, decals));

        let materials = parts.iter().map(|part| part.material).max().unwrap_or(0) + 1;
        let mut pieces = vec![Piece::default(); materials];
        for (m, part) in parts.iter().enumerate() {
            add(&mut pieces[part.material], part, targets, &atlas, m, &meshes[m], &shading[m].0);
        }
        let vertices = patches.points.into_iter().map(|p| Vertex {
            deltas: p.moved.iter().map(|&(q, n)| (q - p.pos, n - p.normal)).collect(),
            pos: p.pos,
            normal: p.normal,
            uv: p.uv,
            skin: p.skin,
        });
        pieces.push(Piece { vertices: vertices.collect(), tris: patches.tris });
        Model { pieces, image }
    }
}

/// Adds a part to a primitive, cut into the charts of the image.
fn add(
    piece: &mut Piece,
    part: &Part<'_>,
    targets: usize,
    atlas: &Atlas,
    index: usize,
    mesh: &Mesh,
    normals: &[DVec3],
) {
    let (whole, twin) = if part.symmetry == Symmetry::None {
        (mesh.clone(), (0..mesh.pos.len() as u32).collect())
    } else {
        mirror(mesh)
    };
    let skins = (part.skin)(&whole);
    let vertex = |v: u32, n: DVec3, uv: DVec2| {
        let pos = whole.pos[v as usize];
        let deltas =
            (0..targets).map(|t| ((part.drift)(t, pos), drifted_normal(part.drift, t, pos, n) - n)).collect();
        Vertex { pos, normal: n, uv, skin: skins[v as usize], deltas }
    };
    let (corners, tris) = split(atlas, index, mesh);
    let first = piece.vertices.len() as u32;
    piece.vertices.extend(corners.iter().map(|c| vertex(c.vertex, normals[c.vertex as usize], c.uv)));
    piece.tris.extend(tris.iter().map(|t| t.map(|v| v + first)));
    if part.symmetry == Symmetry::None {
        return;
    }
    // A corner on the border is shared by both halves.
    let mut other = Vec::with_capacity(corners.len());
    for (i, c) in corners.iter().enumerate() {
        let v = c.vertex as usize;
        if twin[v] == c.vertex {
            other.push(first + i as u32);
        } else {
            other.push(piece.vertices.len() as u32);
            piece.vertices.push(vertex(twin[v], mirrored(normals[v]), c.uv));
        }
    }
    piece.tris.extend(tris.iter().map(|&[a, b, c]| [a, c, b].map(|v| other[v as usize])));
}
