//! Geometry, skins and blend shapes.

use std::collections::HashMap;

use super::{Reader, allocator, finite, load_error, vec3};
use crate::color::linear;
use crate::error::{FormatError, Place, codes};
use crate::scene::{Mesh, Primitive, Skin, Target};

/// A mesh of the scene with its skin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Converted {
    pub(super) mesh: usize,
    pub(super) skin: Option<usize>,
}

/// The mesh of a node. Nodes with the same mesh and the same materials share it.
pub(super) fn mesh(
    reader: &mut Reader<'_>,
    mesh: &ufbx::Mesh,
    node: &ufbx::Node,
) -> Result<Converted, FormatError> {
    reader.spend(node.materials.len(), 8, &node.element.name)?;
    let materials: Vec<_> = node.materials.iter().map(|material| material.element.typed_id).collect();
    let key = (mesh.element.typed_id, materials);
    if let Some(&converted) = reader.meshes.get(&key) {
        return Ok(converted);
    }
    let name: &str = if mesh.element.name.is_empty() { &node.element.name } else { &mesh.element.name };
    let is_finite =
        |v: &ufbx::Vec3| (v.x as f32).is_finite() && (v.y as f32).is_finite() && (v.z as f32).is_finite();
    if !mesh.vertices.iter().all(is_finite) {
        reader.warn(codes::FBX_REPAIRED, name, "Positions that are not finite become 0");
    }
    if mesh.skin_deformers.len() > 1 {
        reader.warn(codes::FBX_SKIPPED, name, "The mesh has several skins; the first one is used");
    }
    let binding =
        mesh.skin_deformers.first().map(|skin| Binding::new(reader, skin, mesh, node)).transpose()?;
    let shapes: Vec<_> = shapes(mesh).collect();
    let names = shapes.iter().map(|shape| 64 + shape.name.len()).sum::<usize>() + name.len();
    reader.spend(names, 2, name)?;
    let mut primitives = Vec::new();
    for part in &mesh.material_parts {
        if part.num_triangles > 0 {
            let material = node.materials.get(part.index as usize);
            let material =
                material.map(|material| super::material::material(reader, material, mesh)).transpose()?;
            let source = Source { mesh, part, name, binding: binding.as_ref(), shapes: &shapes, material };
            primitives.push(source.primitive(reader)?);
        }
    }
    let mut weights = vec![0.0; shapes.len()];
    for (first, channel) in channels(mesh) {
        effective_weights(channel, channel.weight, &mut weights[first..]);
    }
    reader.scene.meshes.push(Mesh {
        name: name.to_owned(),
        primitives,
        target_names: shapes.iter().map(|shape| shape.name.clone()).collect(),
        weights: weights.into_iter().map(finite).collect(),
    });
    let converted =
        Converted { mesh: reader.scene.meshes.len() - 1, skin: binding.map(|binding| binding.skin) };
    reader.meshes.insert(key, converted);
    Ok(converted)
}

/// The part of a mesh with one material.
struct Source<'a> {
    mesh: &'a ufbx::Mesh,
    part: &'a ufbx::MeshPart,
    name: &'a str,
    binding: Option<&'a Binding<'a>>,
    shapes: &'a [Shape<'a>],
    material: Option<super::material::Converted>,
}

impl Source<'_> {
    fn primitive(&self, reader: &mut Reader<'_>) -> Result<Primitive, FormatError> {
        let mesh = self.mesh;
        let corners = self.corners(reader)?;
        // Equal vertices have the same position by its index, since skins and blend shapes use the index.
        let mut positions: Vec<u32> = column(&corners, &mesh.vertex_indices);
        let mut normals = self.normals(&corners);
        let mut texcoords: Vec<Vec<[f32; 2]>> =
            mesh.uv_sets.iter().map(|set| self.texcoords(set, &corners)).collect();
        let mut colors = self.colors(&corners);
        let mut streams = vec![ufbx::VertexStream::new(&mut positions)];
        if !normals.is_empty() {
            streams.push(ufbx::VertexStream::new(&mut normals));
        }
        streams.extend(texcoords.iter_mut().map(|set| ufbx::VertexStream::new(set)));
        if !colors.is_empty() {
            streams.push(ufbx::VertexStream::new(&mut colors));
        }
        let mut indices = vec![0; corners.len()];
        let count = ufbx::generate_indices(&mut streams, &mut indices, allocator(reader.conversion))
            .map_err(|error| load_error(&error, Place::Object { path: self.name.to_owned() }))?;
        positions.truncate(count);
        normals.truncate(count);
        texcoords.iter_mut().for_each(|set| set.truncate(count));
        colors.truncate(count);

        let at = |&vertex: &u32| mesh.vertices.get(vertex as usize).map_or([0.0; 3], |&v| vec3(v));
        let influences = match self.binding {
            Some(binding) => binding.influences(reader, &positions, self.name)?,
            None => Vec::new(),
        };
        let targets = self.shapes.iter().map(|shape| shape.target(reader, &positions, self.name));
        Ok(Primitive {
            positions: positions.iter().map(at).collect(),
            normals,
            texcoords,
            colors,
            influences,
            indices,
            material: self.material.map(|material| material.index),
            targets: targets.collect::<Result<_, _>>()?,
        })
    }

    /// The corners of the triangles, as indices of the mesh's corners.
    fn corners(&self, reader: &mut Reader<'_>) -> Result<Vec<u32>, FormatError> {
        let attributes = 12 + 12 + 16 + 8 * self.mesh.uv_sets.len();
        reader.spend(self.part.num_triangles * 3, attributes + 8, self.name)?;
        let mut corners = Vec::with_capacity(self.part.num_triangles * 3);
        let mut triangles = vec![0; self.mesh.max_face_triangles * 3];
        let mut fans = 0;
        for &index in &self.part.face_indices {
            let hole = self.mesh.face_hole.get(index as usize).is_some_and(|&hole| hole);
            let Some(&face) =
                self.mesh.faces.get(index as usize).filter(|face| face.num_indices >= 3 && !hole)
            else {
                continue;
            };
            // ufbx takes the square of the number of corners at worst.
            let steps = if face.num_indices > 4 { (face.num_indices as usize).saturating_pow(2) } else { 0 };
            if steps <= reader.steps {
                reader.steps -= steps;
                let count = ufbx::triangulate_face(&mut triangles, self.mesh, face) as usize;
                corners.extend(&triangles[..count * 3]);
            } else {
                fans += 1;
                let (first, last) = (face.index_begin, face.index_begin + face.num_indices - 1);
                corners.extend((first + 1..last).flat_map(|corner| [first, corner, corner + 1]));
            }
        }
        if fans > 0 {
            let message =
                format!("Polygons with many corners are divided as if they were convex ({fans} times)");
            reader.warn(codes::FBX_COARSE, self.name, message);
        }
        Ok(corners)
    }

    fn normals(&self, corners: &[u32]) -> Vec<[f32; 3]> {
        let normal = &self.mesh.vertex_normal;
        if !normal.exists {
            return Vec::new();
        }
        let normals = column(corners, &normal.indices);
        let normals = normals.iter().map(|&i| value(&normal.values, i).map_or([0.0; 3], vec3)).enumerate();
        // A normal without a direction becomes that of its triangle.
        normals.map(|(i, n)| if n == [0.0; 3] { self.flat(&corners[i - i % 3..][..3]) } else { n }).collect()
    }

    /// The normal of a triangle; any direction if it has no area.
    fn flat(&self, corners: &[u32]) -> [f32; 3] {
        let vertices = column(corners, &self.mesh.vertex_indices);
        let corner = |i: usize| {
            let v = value(&self.mesh.vertices, vertices[i]).map_or([0.0; 3], vec3);
            glam::DVec3::from(v.map(f64::from))
        };
        let normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)).try_normalize();
        normal.unwrap_or(glam::DVec3::Y).to_array().map(finite)
    }

    /// A set of texture coordinates. The transform of the material's textures is applied, since glTF has it in an
    /// extension only.
    fn texcoords(&self, set: &ufbx::UvSet, corners: &[u32]) -> Vec<[f32; 2]> {
        let uv = &set.vertex_uv;
        let transform = self.material.and_then(|material| material.uv_transform);
        let convert = |&i: &u32| {
            let v = value(&uv.values, i).unwrap_or_default();
            let v = match &transform {
                Some(m) => {
                    ufbx::Vec2 { x: m.m00 * v.x + m.m01 * v.y + m.m03, y: m.m10 * v.x + m.m11 * v.y + m.m13 }
                }
                None => v,
            };
            // In FBX, V points up.
            [finite(v.x), finite(1.0 - v.y)]
        };
        column(corners, &uv.indices).iter().map(convert).collect()
    }

    fn colors(&self, corners: &[u32]) -> Vec<[f32; 4]> {
        let color = &self.mesh.vertex_color;
        if !color.exists {
            return Vec::new();
        }
        let convert = |&i: &u32| {
            let c = value(&color.values, i).unwrap_or(ufbx::Vec4 { x: 1.0, y: 1.0, z: 1.0, w: 1.0 });
            // Most exporters write the colours of their user interface.
            let [r, g, b] = [c.x, c.y, c.z].map(|channel| linear(finite(channel)));
            [r, g, b, finite(c.w.clamp(0.0, 1.0))]
        };
        column(corners, &color.indices).iter().map(convert).collect()
    }
}

/// The values of an attribute's index list at the corners.
fn column(corners: &[u32], indices: &[u32]) -> Vec<u32> {
    corners.iter().map(|&corner| indices.get(corner as usize).copied().unwrap_or(u32::MAX)).collect()
}

fn value<T: Copy>(values: &[T], index: u32) -> Option<T> {
    values.get(index as usize).copied()
}

/// Four influences per vertex: joints and weights.
type Set = (Vec<[u16; 4]>, Vec<[f32; 4]>);

/// A skin of the scene, with the weights of the FBX mesh.
struct Binding<'a> {
    skin: usize,
    deformer: &'a ufbx::SkinDeformer,
    /// The joint of each cluster.
    joints: Vec<u16>,
    /// The joint of vertices without weights: the node of the mesh.
    unbound: u16,
}

impl<'a> Binding<'a> {
    fn new(
        reader: &mut Reader<'_>,
        deformer: &'a ufbx::SkinDeformer,
        mesh: &ufbx::Mesh,
        node: &ufbx::Node,
    ) -> Result<Self, FormatError> {
        let mut skin = Skin { name: deformer.element.name.to_string(), ..Skin::default() };
        reader.spend(deformer.clusters.len(), 160, &node.element.name)?;
        let mut by_bone = HashMap::new();
        let mut add = |bone: &ufbx::Node, bind: &ufbx::Matrix| {
            let (first, id) = (reader.first_node, bone.element.typed_id);
            *by_bone.entry(id).or_insert_with(|| {
                // glTF counts joints with 16 bits. A bone that is left out has no node.
                skin.joints.push((id as usize).saturating_sub(first));
                skin.inverse_bind_matrices.push(columns(bind));
                u16::try_from(skin.joints.len() - 1).unwrap_or_default()
            })
        };
        let joint = |cluster: &ufbx::Ref<ufbx::SkinCluster>| {
            cluster.bone_node.as_ref().map_or(0, |bone| add(bone, &cluster.geometry_to_bone))
        };
        let joints = deformer.clusters.iter().map(joint).collect();
        let unbound =
            if is_bound(&reader.unbound, deformer, mesh) { 0 } else { add(node, &node.geometry_to_node) };
        let bits = skin.inverse_bind_matrices.as_flattened().iter().map(|x| x.to_bits());
        let key = skin.joints.iter().map(|&joint| joint as u32).chain(bits).collect();
        let skins = &mut reader.scene.skins;
        let index = *reader.skins.entry(key).or_insert_with(|| {
            skins.push(skin);
            skins.len() - 1
        });
        Ok(Self { skin: index, deformer, joints, unbound })
    }

    /// Sets of four influences for vertices of the FBX mesh.
    fn influences(&self, reader: &Reader<'_>, vertices: &[u32], path: &str) -> Result<Vec<Set>, FormatError> {
        let most = vertices.iter().map(|&vertex| weights(self.deformer, vertex as usize).0.len()).max();
        let sets = most.unwrap_or(0).div_ceil(4).max(1);
        reader.spend(sets * vertices.len(), 24, path)?;
        let mut result = vec![(vec![[0; 4]; vertices.len()], vec![[0.0; 4]; vertices.len()]); sets];
        for (row, &vertex) in vertices.iter().enumerate() {
            let (weights, sum) = weights(self.deformer, vertex as usize);
            if sum <= 0.0 {
                result[0].0[row][0] = self.unbound;
                result[0].1[row][0] = 1.0;
                continue;
            }
            for (i, weight) in weights.iter().enumerate() {
                let (joints, values) = &mut result[i / 4];
                joints[row][i % 4] = value(&self.joints, weight.cluster_index).unwrap_or_default();
                values[row][i % 4] = finite(weight.weight / sum);
            }
        }
        Ok(result)
    }
}

/// `true` if all vertices have weights. `unbound` has the first vertex without weights of each skin.
pub(super) fn is_bound(unbound: &[usize], skin: &ufbx::SkinDeformer, mesh: &ufbx::Mesh) -> bool {
    unbound.get(skin.element.typed_id as usize).is_none_or(|&first| first >= mesh.num_vertices)
}

/// The first vertex without weights of a skin. Meshes may share a skin, which may be large.
pub(super) fn first_unbound(skin: &ufbx::SkinDeformer) -> usize {
    (0..).find(|&vertex| weights(skin, vertex).1 <= 0.0).unwrap_or_default()
}

/// The weights of a vertex, largest first, and their sum.
fn weights(skin: &ufbx::SkinDeformer, vertex: usize) -> (&[ufbx::SkinWeight], f64) {
    let range = skin.vertices.get(vertex).and_then(|vertex| {
        let begin = vertex.weight_begin as usize;
        skin.weights.get(begin..begin.checked_add(vertex.num_weights as usize)?)
    });
    let weights = range.unwrap_or_default();
    let sum: f64 = weights.iter().map(|weight| weight.weight).sum();
    (weights, if sum.is_finite() { sum } else { 0.0 })
}

/// A matrix as glTF's 16 numbers, column-major.
fn columns(m: &ufbx::Matrix) -> [f32; 16] {
    [
        m.m00, m.m10, m.m20, 0.0, //
        m.m01, m.m11, m.m21, 0.0, //
        m.m02, m.m12, m.m22, 0.0, //
        m.m03, m.m13, m.m23, 1.0,
    ]
    .map(finite)
}

/// A blend shape, which becomes a morph target.
pub(super) struct Shape<'a> {
    name: String,
    shape: &'a ufbx::BlendShape,
}

impl Shape<'_> {
    fn target(&self, reader: &Reader<'_>, vertices: &[u32], path: &str) -> Result<Target, FormatError> {
        reader.spend(vertices.len(), 24, path)?;
        // Parts of the mesh have few of its vertices, so time is counted by theirs.
        let gather = |offsets: &[ufbx::Vec3]| -> Vec<[f32; 3]> {
            let index = |&vertex: &u32| ufbx::get_blend_shape_offset_index(self.shape, vertex as usize);
            vertices.iter().map(|vertex| value(offsets, index(vertex)).map_or([0.0; 3], vec3)).collect()
        };
        let positions = gather(&self.shape.position_offsets);
        let mut normals = gather(&self.shape.normal_offsets);
        // Blender writes zeros.
        if normals.as_flattened().iter().all(|&x| x == 0.0) {
            normals.clear();
        }
        Ok(Target { positions, normals })
    }
}

/// The blend shapes of a mesh, in the order of its morph targets. A channel with in-between shapes has several.
fn shapes(mesh: &ufbx::Mesh) -> impl Iterator<Item = Shape<'_>> {
    channels(mesh).flat_map(|(_, channel)| {
        let last = channel.keyframes.len().saturating_sub(1);
        channel.keyframes.iter().enumerate().map(move |(i, key)| {
            // The last shape is the channel at its full weight.
            let name = if i == last { &channel.element.name } else { &key.shape.element.name };
            Shape { name: name.to_string(), shape: &key.shape }
        })
    })
}

/// The blend channels of a mesh, each with the index of its first morph target.
pub(super) fn channels(mesh: &ufbx::Mesh) -> impl Iterator<Item = (usize, &ufbx::BlendChannel)> {
    let mut first = 0;
    mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter()).map(move |channel| {
        let index = first;
        first += channel.keyframes.len();
        (index, &**channel)
    })
}

/// The weights of a channel's shapes: linear between the two shapes whose full weights enclose the channel's weight.
///
/// The shapes are sorted by their full weight. No shape is at weight 0.
pub(super) fn effective_weights(channel: &ufbx::BlendChannel, weight: f64, out: &mut [f64]) {
    let full = |i: usize| channel.keyframes[i].target_weight;
    let count = channel.keyframes.len();
    out[..count].fill(0.0);
    // Shapes of the weight's sign, from 0 outwards.
    let positive = (0..count).filter(|&i| full(i) > 0.0);
    let negative = (0..count).rev().filter(|&i| full(i) < 0.0);
    let outwards: Vec<usize> = if weight > 0.0 { positive.collect() } else { negative.collect() };
    let beyond = outwards.iter().position(|&i| full(i).abs() > weight.abs());
    let Some(next) = beyond.or(outwards.len().checked_sub(1)) else {
        // The shape on the other side of 0 goes on in this direction.
        let nearest = (0..count).min_by(|&a, &b| full(a).abs().total_cmp(&full(b).abs()));
        if let Some(nearest) = nearest.filter(|&i| full(i) != 0.0) {
            out[nearest] = weight / full(nearest);
        }
        return;
    };
    let previous = next.checked_sub(1).map(|i| outwards[i]);
    let start = previous.map_or(0.0, full);
    let t = (weight - start) / (full(outwards[next]) - start);
    if t.is_finite() {
        out[outwards[next]] = t;
        if let Some(previous) = previous {
            out[previous] = 1.0 - t;
        }
    }
}
