//! Meshes.

use std::collections::HashMap;

use super::frames::{Tree, node};
use super::kind::Kind;
use super::lexer::Fault;
use super::materials::Materials;
use super::matrix::unit_vector;
use super::objects::File;
use super::packed::Packed;
use super::skins::Weights;
use super::values::Values;
use crate::color::linear;
use crate::error::{FormatError, codes};
use crate::scene::{Mesh, Primitive, Scene};

/// Adds the meshes of a tree to the scene. A mesh has a node of its own: below its frame, or, with a skin, at the root,
/// since glTF ignores the transform of a skinned mesh, and validators warn of one.
pub(super) fn read(file: &File<'_>, tree: &Tree, unit: f64, scene: &mut Scene) -> Result<(), FormatError> {
    let mut materials = Materials::default();
    // A mesh may belong to several frames.
    let mut known: HashMap<usize, (usize, Option<usize>)> = HashMap::new();
    for &(object, parent) in &tree.meshes {
        let (mesh, skin) = match known.get(&object) {
            Some(&known) => known,
            None => {
                let added = mesh(file, object, parent, tree, unit, &mut materials, scene)?;
                *known.entry(object).or_insert(added)
            }
        };
        file.spend(size_of::<crate::scene::Node>(), object)?;
        let parent = if skin.is_some() { None } else { parent };
        let node = node(&file.objects[object].name, parent);
        scene.nodes.push(crate::scene::Node { mesh: Some(mesh), skin, ..node });
    }
    Ok(())
}

/// The corners of faces: indices of vertices or normals.
struct Faces {
    corners: Vec<u32>,
    /// For each face, the index after its last corner.
    ends: Vec<usize>,
}

impl Faces {
    fn read(values: &mut Values<'_, '_>) -> Result<Self, Fault> {
        let mut faces = Self { corners: Vec::new(), ends: Vec::new() };
        for _ in 0..values.integer()? {
            for _ in 0..values.integer()? {
                faces.corners.push(values.integer()?);
            }
            faces.ends.push(faces.corners.len());
        }
        Ok(faces)
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.corners[start..end])
    }
}

/// The content of a mesh, by vertices of the file.
struct Source {
    positions: Vec<[f32; 3]>,
    faces: Faces,
    /// Normals, with those of the faces' corners.
    normals: Option<(Vec<[f32; 3]>, Faces)>,
    packed: Packed,
    weights: Option<Weights>,
}

/// Adds a mesh with its skin to the scene.
fn mesh(
    file: &File<'_>,
    object: usize,
    parent: Option<usize>,
    tree: &Tree,
    unit: f64,
    materials: &mut Materials,
    scene: &mut Scene,
) -> Result<(usize, Option<usize>), FormatError> {
    let mut values = Values::new(file, object);
    let point = |values: &mut Values<'_, '_>| {
        let point = super::matrix::point(values.doubles()?, unit);
        Ok(point.as_vec3().to_array())
    };
    let positions = values.list(point).map_err(|fault| values.error(fault))?;
    let faces = Faces::read(&mut values).map_err(|fault| values.error(fault))?;
    drop(values);
    let count = positions.len();
    let mut packed = Packed::default();
    for part in [Kind::MeshTextureCoords, Kind::MeshVertexColors, Kind::DeclData, Kind::FvfData] {
        for child in file.children(object, part) {
            let mut values = Values::new(file, child);
            let result = match part {
                Kind::MeshTextureCoords => values.list(Values::floats).and_then(|texcoords| {
                    packed.texcoords.insert(0, fitting(file, child, texcoords, count)?);
                    Ok(())
                }),
                Kind::MeshVertexColors => colors(&mut values, count).map(|colors| packed.colors = colors),
                Kind::DeclData => packed.read_declared(&mut values, count),
                _ => packed.read_flexible(&mut values, count),
            };
            if let Err(fault) = result {
                values.warn(fault, "this part of the mesh is skipped");
            }
        }
    }
    let normals =
        file.children(object, Kind::MeshNormals).next().and_then(|child| normals(file, child, &faces));
    let weights = Weights::read(file, object, &positions, parent, tree, unit, scene)?;
    let source = Source { positions, faces, normals, packed, weights };
    let primitives = primitives(file, object, &source, materials, scene)?;
    let mesh = Mesh { name: file.objects[object].name.clone(), primitives, ..Mesh::default() };
    scene.meshes.push(mesh);
    let skin = source.weights.map(|weights| {
        scene.skins.push(weights.skin);
        scene.skins.len() - 1
    });
    Ok((scene.meshes.len() - 1, skin))
}

/// One value per vertex; a fault if there are fewer. More are ignored.
pub(super) fn fitting<T>(
    file: &File<'_>,
    object: usize,
    mut list: Vec<T>,
    count: usize,
) -> Result<Vec<T>, Fault> {
    if list.len() < count {
        let message = format!("There are {} values for {count} vertices", list.len());
        return Err(Fault { code: codes::X_PART_IGNORED, message, at: file.objects[object].at });
    }
    list.truncate(count);
    Ok(list)
}

/// MeshVertexColors: indices of vertices with their colours. White for vertices without one.
fn colors(values: &mut Values<'_, '_>, count: usize) -> Result<Vec<[f32; 4]>, Fault> {
    let list = values.list(|values| Ok((values.integer()?, values.floats::<4>()?)))?;
    let mut colors = vec![[1.0; 4]; count];
    for (vertex, [red, green, blue, alpha]) in list {
        if let Some(color) = colors.get_mut(vertex as usize) {
            *color = [linear(red), linear(green), linear(blue), alpha.clamp(0.0, 1.0)];
        }
    }
    Ok(colors)
}

/// Normals of corners. `None`, with a warning, if their faces differ from those of the mesh.
fn normals(file: &File<'_>, object: usize, faces: &Faces) -> Option<(Vec<[f32; 3]>, Faces)> {
    let mut values = Values::new(file, object);
    let result = values.list(Values::floats).and_then(|normals| Ok((normals, Faces::read(&mut values)?)));
    let (normals, corners) = match result {
        Ok(result) => result,
        Err(fault) => {
            values.warn(fault, "the mesh has no normals");
            return None;
        }
    };
    if corners.ends != faces.ends || corners.corners.iter().any(|&normal| normal as usize >= normals.len()) {
        let message = "The faces of the normals do not fit those of the mesh; it has no normals";
        file.warn(codes::X_PART_IGNORED, message, object);
        return None;
    }
    let normals = normals.into_iter().map(|[x, y, z]| unit_vector([x, y, -z])).collect();
    Some((normals, corners))
}

/// A primitive while its triangles are added.
#[derive(Default)]
struct Builder {
    /// The vertex and the normal of the file for each vertex.
    vertices: Vec<(u32, u32)>,
    index_of: HashMap<(u32, u32), u32>,
    indices: Vec<u32>,
}

impl Builder {
    fn index(&mut self, vertex: u32, normal: u32) -> u32 {
        *self.index_of.entry((vertex, normal)).or_insert_with(|| {
            self.vertices.push((vertex, normal));
            self.vertices.len() as u32 - 1
        })
    }
}

/// The memory of a corner: a vertex with all attributes, its entry in the index, three indices.
const CORNER: usize = 200;

/// One primitive for each material. Faces become triangle fans, as in DirectX.
fn primitives(
    file: &File<'_>,
    object: usize,
    source: &Source,
    materials: &mut Materials,
    scene: &mut Scene,
) -> Result<Vec<Primitive>, FormatError> {
    file.spend(CORNER * source.faces.corners.len(), object)?;
    let face_materials = FaceMaterials::read(file, object, materials, scene);
    let mut builders: Vec<(Option<usize>, Builder)> = Vec::new();
    let mut builder_of: HashMap<Option<usize>, usize> = HashMap::new();
    let mut ignored = 0;
    let mut first_normal = 0;
    for (face, corners) in source.faces.iter().enumerate() {
        let normals = source
            .normals
            .as_ref()
            .map(|(_, faces)| &faces.corners[first_normal..first_normal + corners.len()]);
        first_normal += corners.len();
        let is_valid = |&corner: &u32| (corner as usize) < source.positions.len();
        if corners.len() < 3 || !corners.iter().all(is_valid) {
            ignored += 1;
            continue;
        }
        let material = face_materials.get(face);
        let builder = *builder_of.entry(material).or_insert_with(|| {
            builders.push((material, Builder::default()));
            builders.len() - 1
        });
        let builder = &mut builders[builder].1;
        let mut index =
            |corner: usize| builder.index(corners[corner], normals.map_or(0, |normals| normals[corner]));
        let fan: Vec<u32> = (0..corners.len()).map(&mut index).collect();
        // Front faces are clockwise in DirectX, so the order is reversed.
        builder.indices.extend(fan[1..].windows(2).flat_map(|pair| [fan[0], pair[1], pair[0]]));
    }
    if ignored > 0 {
        let message = format!(
            "Faces have less than three corners, or corners that do not exist ({ignored} of them); they are skipped"
        );
        file.warn(codes::X_FACE_IGNORED, message, object);
    }
    builders
        .into_iter()
        .map(|(material, builder)| {
            let is_textured = material.is_some_and(|material| {
                let material = &scene.materials[material];
                material.base_color_texture.is_some() || material.normal_texture.is_some()
            });
            primitive(file, object, source, material, is_textured, builder)
        })
        .collect()
}

fn primitive(
    file: &File<'_>,
    object: usize,
    source: &Source,
    material: Option<usize>,
    is_textured: bool,
    builder: Builder,
) -> Result<Primitive, FormatError> {
    let vertices = || builder.vertices.iter().map(|&(vertex, _)| vertex as usize);
    let packed = &source.packed;
    let normals = match &source.normals {
        Some((normals, _)) => builder.vertices.iter().map(|&(_, normal)| normals[normal as usize]).collect(),
        None if packed.normals.is_empty() => Vec::new(),
        None => vertices().map(|vertex| packed.normals[vertex]).collect(),
    };
    let mut texcoords: Vec<Vec<_>> =
        packed.texcoords.iter().map(|set| vertices().map(|vertex| set[vertex]).collect()).collect();
    if is_textured && texcoords.is_empty() {
        // As in DirectX. glTF requires texture coordinates here.
        texcoords.push(vec![[0.0; 2]; builder.vertices.len()]);
    }
    let colors = if packed.colors.is_empty() {
        vec![]
    } else {
        vertices().map(|vertex| packed.colors[vertex]).collect()
    };
    let influences = match &source.weights {
        Some(weights) => {
            let sets = weights.sets(vertices());
            file.spend(24 * sets * builder.vertices.len(), object)?;
            weights.influences(vertices(), sets)
        }
        None => Vec::new(),
    };
    Ok(Primitive {
        positions: vertices().map(|vertex| source.positions[vertex]).collect(),
        normals,
        texcoords,
        colors,
        influences,
        indices: builder.indices,
        material,
        targets: Vec::new(),
    })
}

/// The material of each face.
struct FaceMaterials {
    materials: Vec<usize>,
    faces: Vec<u32>,
}

impl FaceMaterials {
    fn read(file: &File<'_>, mesh: usize, materials: &mut Materials, scene: &mut Scene) -> Self {
        let mut found = Self { materials: Vec::new(), faces: Vec::new() };
        let Some(list) = file.children(mesh, Kind::MeshMaterialList).next() else { return found };
        let mut values = Values::new(file, list);
        // The count of materials is redundant.
        let faces = values.integer().and_then(|_| values.list(Values::integer));
        match faces {
            Ok(faces) => found.faces = faces,
            Err(fault) => values.warn(fault, "all faces have the first material"),
        }
        found.materials =
            file.children(list, Kind::Material).map(|object| materials.get(file, object, scene)).collect();
        let count = found.materials.len();
        if found.faces.iter().any(|&material| material as usize >= count) {
            let message = "Faces have materials that do not exist; they have the usual one";
            file.warn(codes::X_PART_IGNORED, message, list);
        }
        found
    }

    /// Lists that end before the faces do repeat their last entry, as those with a single entry for all.
    fn get(&self, face: usize) -> Option<usize> {
        let index = self.faces.get(face).or(self.faces.last()).copied().unwrap_or(0);
        self.materials.get(index as usize).copied()
    }
}
