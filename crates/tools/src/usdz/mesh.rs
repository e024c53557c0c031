//! The primitives of meshes.

use super::materials::Bound;
use super::names::Names;
use super::text::{Layer, PathTo};
use gambol::animation::triangle_corners;
use gambol::model::{MorphTarget, Primitive, TextureTransform};
use glam::{DMat3, DMat4, DVec3, Vec3};

/// A primitive of a drawable, as a mesh of USD.
#[derive(Clone)]
pub(super) struct Part<'a> {
    pub(super) primitive: &'a Primitive,
    pub(super) name: String,
    /// From the vertices of the file to those that are written.
    pub(super) placed: DMat4,
    /// `true` to turn the triangles over, since the pose mirrors them.
    pub(super) mirrored: bool,
    pub(super) material: Bound,
    pub(super) skinned: Option<Skinned>,
}

/// The joints and blend shapes of a mesh.
#[derive(Clone)]
pub(super) struct Skinned {
    /// The path of the skeleton.
    pub(super) skeleton: String,
    /// For each joint of the skin, its index in the skeleton. A mesh without influences follows the first one.
    pub(super) joints: Vec<usize>,
    /// The names of the targets' weights.
    pub(super) weights: Vec<String>,
}

impl Part<'_> {
    /// Writes the mesh into the prim with the path `parent`.
    ///
    /// - `more`: writes further properties.
    pub(super) fn write(&self, layer: &mut Layer, kind: &str, parent: &str, more: impl FnOnce(&mut Layer)) {
        let primitive = self.primitive;
        let skinning = if self.skinned.is_some() { ", \"SkelBindingAPI\"" } else { "" };
        let schemas = format!("prepend apiSchemas = [\"MaterialBindingAPI\"{skinning}]");
        layer.open(&format!("{kind} Mesh"), &self.name, &[schemas]);
        let place = Place::new(self.placed);
        let points: Vec<[f32; 3]> = primitive.positions.iter().map(|&point| place.point(point)).collect();
        layer.set("float3[] extent", &extent(&points));
        if self.material.double_sided {
            layer.set("uniform bool doubleSided", &1_u32);
        }
        let corners = self.corners();
        layer.set("int[] faceVertexCounts", &vec![3_u32; corners.len() / 3]);
        layer.set("int[] faceVertexIndices", &corners);
        layer.set("point3f[] points", &points);
        if !primitive.normals.is_empty() {
            let normals: Vec<[f32; 3]> =
                primitive.normals.iter().map(|&normal| place.normal(normal)).collect();
            layer.set_with("normal3f[] normals", &normals, &["interpolation = \"vertex\""]);
        }
        for (index, (set, transform)) in self.material.tex_coords.iter().enumerate() {
            let Some(coordinates) = primitive.tex_coords.get(*set as usize) else { continue };
            let placed: Vec<[f32; 2]> = coordinates.iter().map(|&pair| placed(pair, transform)).collect();
            let declared = format!("texCoord2f[] primvars:{}", primvar(index));
            layer.set_with(&declared, &placed, &["interpolation = \"vertex\""]);
        }
        if let Some([r, g, b, a]) = self.material.vertex_colors {
            let colors: Vec<[f32; 3]> =
                primitive.colors.iter().map(|color| [color[0] * r, color[1] * g, color[2] * b]).collect();
            layer.set_with("color3f[] primvars:displayColor", &colors, &["interpolation = \"vertex\""]);
            let opacities: Vec<f32> = primitive.colors.iter().map(|color| color[3] * a).collect();
            layer.set_with("float[] primvars:displayOpacity", &opacities, &["interpolation = \"vertex\""]);
        }
        layer.set("uniform token subdivisionScheme", &"none".to_owned());
        layer.set("rel material:binding", &PathTo(self.material.path.clone()));
        if let Some(skinned) = &self.skinned {
            self.write_skinned(layer, skinned, &format!("{parent}/{}", self.name), &place);
        }
        more(layer);
        layer.close();
    }

    fn corners(&self) -> Vec<u32> {
        let corners = triangle_corners(self.primitive);
        let turned = |&[a, b, c]: &[u32; 3]| if self.mirrored { [a, c, b] } else { [a, b, c] };
        // Strips are joined by triangles without an area.
        let has_area = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
        let triangles = corners.as_chunks::<3>().0.iter();
        triangles.map(turned).filter(has_area).flatten().collect()
    }

    fn write_skinned(&self, layer: &mut Layer, skinned: &Skinned, own: &str, place: &Place) {
        layer.set("rel skel:skeleton", &PathTo(skinned.skeleton.clone()));
        let (per_vertex, joints, weights) = self.influences(&skinned.joints);
        let metadata = [&*format!("elementSize = {per_vertex}"), "interpolation = \"vertex\""];
        layer.set_with("int[] primvars:skel:jointIndices", &joints, &metadata);
        layer.set_with("float[] primvars:skel:jointWeights", &weights, &metadata);
        let identity = super::skeleton::rows(DMat4::IDENTITY);
        layer.set("matrix4d primvars:skel:geomBindTransform", &identity);

        let mut names = Names::default();
        let targets = self.primitive.targets.iter().zip(&skinned.weights);
        let moving = targets.filter(|(target, _)| !target.positions.is_empty() || !target.normals.is_empty());
        let shapes: Vec<_> =
            moving.map(|(target, weight)| (target, weight, names.unique(weight, "shape"))).collect();
        if shapes.is_empty() {
            return;
        }
        let tokens: Vec<String> = shapes.iter().map(|(_, weight, _)| (*weight).clone()).collect();
        layer.set("uniform token[] skel:blendShapes", &tokens);
        let targets: Vec<PathTo> =
            shapes.iter().map(|(_, _, name)| PathTo(format!("{own}/{name}"))).collect();
        layer.set("rel skel:blendShapeTargets", &targets);
        for (target, _, name) in &shapes {
            self.write_shape(layer, target, name, place);
        }
    }

    /// The number of influences per vertex, the joints and the weights, without those that no vertex needs.
    fn influences(&self, joints: &[usize]) -> (usize, Vec<u32>, Vec<f32>) {
        let joint = |of_skin: usize| joints.get(of_skin).copied().unwrap_or(0) as u32;
        let vertices = self.primitive.vertex_count();
        let Some(all) = &self.primitive.influences else {
            return (1, vec![joint(0); vertices], vec![1.0; vertices]);
        };
        let rows = || all.joints.chunks(all.per_vertex).zip(all.weights.chunks(all.per_vertex));
        let used = |weights: &[f32]| weights.iter().filter(|&&weight| weight > 0.0).count();
        let per_vertex = rows().map(|(_, weights)| used(weights)).max().unwrap_or(1).max(1);
        let (mut out, mut out_weights) = (Vec::new(), Vec::new());
        for (row, (joints, weights)) in (1..).zip(rows()) {
            for (&at, &weight) in joints.iter().zip(weights).filter(|&(_, &weight)| weight > 0.0) {
                out.push(joint(at.into()));
                out_weights.push(weight);
            }
            out.resize(row * per_vertex, 0);
            out_weights.resize(row * per_vertex, 0.0);
        }
        (per_vertex, out, out_weights)
    }

    fn write_shape(&self, layer: &mut Layer, target: &MorphTarget, name: &str, place: &Place) {
        let has_normals = !self.primitive.normals.is_empty() && !target.normals.is_empty();
        let mut moved: Vec<u32> = target.positions.iter().map(|(vertex, _)| vertex as u32).collect();
        if has_normals {
            moved.extend(target.normals.iter().map(|(vertex, _)| vertex as u32));
        }
        moved.sort_unstable();
        moved.dedup();
        let zero = [0.0; 3];
        moved.retain(|&vertex| {
            target.positions.get(vertex as usize) != zero
                || (has_normals && target.normals.get(vertex as usize) != zero)
        });
        // A shape without offsets is invalid.
        if moved.is_empty() && self.primitive.vertex_count() > 0 {
            moved.push(0);
        }
        let offsets: Vec<[f32; 3]> =
            moved.iter().map(|&vertex| place.offset(target.positions.get(vertex as usize))).collect();
        layer.open("def BlendShape", name, &[]);
        layer.set("uniform vector3f[] offsets", &offsets);
        if has_normals {
            let turned = |&vertex: &u32| {
                let vertex = vertex as usize;
                place.normal_offset(self.primitive.normals[vertex], target.normals.get(vertex))
            };
            layer.set("uniform vector3f[] normalOffsets", &moved.iter().map(turned).collect::<Vec<_>>());
        }
        layer.set("uniform int[] pointIndices", &moved);
        layer.close();
    }
}

/// Transformed texture coordinates, whose V points up.
fn placed([u, v]: [f32; 2], transform: &TextureTransform) -> [f32; 2] {
    if *transform == TextureTransform::IDENTITY {
        return [u, (1.0 - f64::from(v)) as f32];
    }
    let along = |row: [f32; 3]| {
        let [a, b, c] = row.map(f64::from);
        a * f64::from(u) + b * f64::from(v) + c
    };
    let [u, v] = transform.rows().map(along);
    [u as f32, (1.0 - v) as f32]
}

/// The name of texture coordinates.
pub(super) fn primvar(index: usize) -> String {
    if index == 0 { "st".to_owned() } else { format!("st{index}") }
}

/// The corners of the box around points.
pub(super) fn extent(points: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let all = || points.iter().map(|&point| Vec3::from_array(point)).filter(|point| point.is_finite());
    let (low, high) = (all().reduce(Vec3::min), all().reduce(Vec3::max));
    [low, high].map(|corner| corner.unwrap_or_default().to_array()).to_vec()
}

/// From the vertices of the file to those that are written; without a change, they keep their bits.
enum Place {
    Kept,
    Moved { points: DMat4, normals: DMat3 },
}

impl Place {
    fn new(placed: DMat4) -> Self {
        if placed == DMat4::IDENTITY {
            return Self::Kept;
        }
        Self::Moved { points: placed, normals: DMat3::from_mat4(placed).inverse().transpose() }
    }

    fn point(&self, point: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Kept => point,
            Self::Moved { points, .. } => points.transform_point3(double(point)).as_vec3().to_array(),
        }
    }

    fn offset(&self, offset: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Kept => offset,
            Self::Moved { points, .. } => points.transform_vector3(double(offset)).as_vec3().to_array(),
        }
    }

    fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Kept => normal,
            Self::Moved { normals, .. } => {
                (*normals * double(normal)).normalize_or_zero().as_vec3().to_array()
            }
        }
    }

    /// The offset of a normal. The normal is normalized before the offset is added.
    fn normal_offset(&self, normal: [f32; 3], offset: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Kept => offset,
            Self::Moved { normals, .. } => {
                let length = (*normals * double(normal)).length();
                let turned = *normals * double(offset);
                (turned / if length > 0.0 { length } else { 1.0 }).as_vec3().to_array()
            }
        }
    }
}

fn double(vector: [f32; 3]) -> DVec3 {
    Vec3::from_array(vector).as_dvec3()
}
