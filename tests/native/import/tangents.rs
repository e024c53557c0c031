//! Generated tangents, compared with another implementation of the algorithm (`bevy_mikktspace`).

use crate::common::builder::Builder;
use crate::common::check::{check, import};
use crate::common::dump::{SAMPLES, dump};
use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use gambol::model::{Model, Primitive, Topology};
use serde_json::json;

/// The corners of a primitive's triangles.
struct Corners<'a> {
    primitive: &'a Primitive,
    list: Vec<u32>,
    set: usize,
    tangents: Vec<Option<[f32; 4]>>,
}

impl<'a> Corners<'a> {
    fn new(primitive: &'a Primitive, set: usize) -> Self {
        assert_eq!(primitive.topology, Topology::Triangles);
        let all = || (0..primitive.vertex_count() as u32).collect();
        let list: Vec<u32> = primitive.indices.clone().unwrap_or_else(all);
        let tangents = vec![None; list.len()];
        Self { primitive, list, set, tangents }
    }

    fn vertex(&self, face: usize, vert: usize) -> usize {
        self.list[face * 3 + vert] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.list.len() / 3
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        self.primitive.positions[self.vertex(face, vert)]
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        self.primitive.normals[self.vertex(face, vert)]
    }

    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        // The convention of normal map bakers, with V pointing up.
        let [u, v] = self.primitive.tex_coords[self.set][self.vertex(face, vert)];
        [u, 1.0 - v]
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, vert: usize) {
        self.tangents[face * 3 + vert] = space.map(|space| space.tangent_encoded());
    }
}

/// The number of compared corners, and the number whose error is too large.
fn compare(primitive: &Primitive, set: usize) -> (usize, usize) {
    assert_eq!(primitive.tangents.len(), primitive.vertex_count());
    let mut corners = Corners::new(primitive, set);
    generate_tangents(&mut corners).expect("the oracle works");
    let (mut count, mut bad) = (0, 0);
    for (&vertex, want) in corners.list.iter().zip(&corners.tangents) {
        let Some([x, y, z, w]) = *want else { continue };
        // A zero vector has no direction.
        if x * x + y * y + z * z < 0.5 {
            continue;
        }
        let got = primitive.tangents[vertex as usize];
        let off =
            [x - got[0], y - got[1], z - got[2], w - got[3]].into_iter().fold(0.0, |a, b| b.abs().max(a));
        count += 1;
        bad += usize::from(off > 1e-3);
    }
    (count, bad)
}

/// A hilly patch of `n` × `n` squares; `uv` maps 0 … 1 in each direction to texture coordinates.
fn hills(n: usize, uv: impl Fn(f32, f32) -> [f32; 2]) -> Builder {
    let (mut positions, mut normals, mut coordinates, mut list) = (vec![], vec![], vec![], vec![]);
    for i in 0..=n {
        for j in 0..=n {
            let (x, y) = (i as f32 / n as f32, j as f32 / n as f32);
            let (a, b) = (4.0 * (2.0 * x - 1.0), 3.0 * (2.0 * y - 1.0));
            positions.extend([x, y, 0.1 * a * a - 0.2 * a * b]);
            let normal = [-(0.8 * a - 0.8 * b * 2.0), 1.2 * a, 1.0_f32];
            let length = normal.iter().map(|v| v * v).sum::<f32>().sqrt();
            normals.extend(normal.map(|v| v / length));
            coordinates.extend(uv(x, y));
            if i < n && j < n {
                let at = (i * (n + 1) + j) as u8;
                let [right, up] = [at + n as u8 + 1, at + 1];
                list.extend([at, right, right + 1, at, right + 1, up]);
            }
        }
    }
    let mut file = Builder::new();
    let attributes = json!({
        "POSITION": file.floats("VEC3", &positions),
        "NORMAL": file.floats("VEC3", &normals),
        "TEXCOORD_0": file.floats("VEC2", &coordinates),
    });
    let indices = file.bytes("SCALAR", 1, &list);
    file.push("textures", json!({}));
    file.push("materials", json!({"normalTexture": {"index": 0}}));
    file.push(
        "meshes",
        json!({"primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}),
    );
    file.push("nodes", json!({"mesh": 0}));
    file
}

fn first(model: &Model) -> &Primitive {
    &model.meshes[0].primitives[0]
}

#[test]
fn tangents_are_generated_only_if_needed() {
    let plain = |x: f32, y: f32| [x, y];
    let mut file = hills(2, plain);
    file.json["materials"][0] = json!({});
    assert!(first(&file.clean()).tangents.is_empty());
    for key in ["NORMAL", "TEXCOORD_0"] {
        let mut file = hills(2, plain);
        file.json["meshes"][0]["primitives"][0]["attributes"]
            .as_object_mut()
            .expect("attributes")
            .remove(key);
        assert!(first(&file.clean()).tangents.is_empty(), "{key}");
    }
    let mut file = hills(2, plain);
    file.json["meshes"][0]["primitives"][0]["mode"] = json!(1);
    assert!(first(&file.clean()).tangents.is_empty());
    let mut file = hills(2, plain);
    file.json["materials"][0]["normalTexture"]["extensions"] =
        json!({"KHR_texture_transform": {"rotation": 1}});
    assert!(first(&file.clean()).tangents.is_empty(), "the texture does not follow its coordinates");
    let mut file = hills(2, plain);
    let own = file.floats("VEC4", &[1.0, 0.0, 0.0, -1.0].repeat(9));
    file.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] = json!(own);
    assert_eq!(first(&file.clean()).tangents, [[1.0, 0.0, 0.0, -1.0]; 9]);
}

#[test]
fn tangents_of_a_continuous_patch_are_one_per_vertex() {
    let model = hills(8, |x, y| [x + 0.3 * y * y, y]).clean();
    let primitive = first(&model);
    assert_eq!((primitive.vertex_count(), compare(primitive, 0)), (81, (8 * 8 * 6, 0)));
}

#[test]
fn tangents_split_vertices_at_a_mirrored_texture() {
    let file = hills(8, |x, y| [(x - 0.5).abs(), y]);
    let model = file.clean();
    let primitive = first(&model);
    assert_eq!(primitive.vertex_count(), 81 + 9, "those of the seam");
    assert_eq!(compare(primitive, 0), (8 * 8 * 6, 0));
    for (copy, at) in (81..).zip(36..45) {
        assert_eq!(primitive.positions[copy], primitive.positions[at]);
        assert_eq!(primitive.tangents[copy][3], -primitive.tangents[at][3]);
    }
}

#[test]
fn tangents_keep_all_attributes_of_split_vertices() {
    let mut file = hills(8, |x, y| [(x - 0.5).abs(), y]);
    let joints = file.bytes("VEC4", 4, &(0..81).flat_map(|i| [i % 2, 0, 0, 0]).collect::<Vec<u8>>());
    let weights = file.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(81));
    let colors = file.floats("VEC4", &(0..81 * 4).map(|i| i as f32 / 400.0).collect::<Vec<_>>());
    let deltas = file.floats("VEC3", &(0..81 * 3).map(|i| i as f32).collect::<Vec<_>>());
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    for (key, accessor) in [("JOINTS_0", joints), ("WEIGHTS_0", weights), ("COLOR_0", colors)] {
        primitive["attributes"][key] = json!(accessor);
    }
    primitive["targets"] = json!([{"POSITION": deltas}]);
    file.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {"children": [2]}, {}]);
    file.push("skins", json!({"joints": [1, 2]}));
    let model = file.clean();
    let primitive = first(&model);
    let influences = primitive.influences.as_ref().expect("influences");
    assert_eq!((primitive.vertex_count(), primitive.split_vertices), (90, 9));
    // The example lists the vertices of the file.
    let dumped = &dump("", &model, &SAMPLES)["clips"][0]["samples"][0]["primitives"][0];
    assert_eq!(
        (dumped["count"].as_u64(), dumped["positions"].as_array().map(Vec::len)),
        (Some(81), Some(64))
    );
    for (copy, at) in (81..).zip(36..45) {
        assert_eq!(primitive.colors[copy], primitive.colors[at]);
        assert_eq!(influences.joints[copy * 4], (at % 2) as u16);
        assert_eq!(primitive.targets[0].positions.get(copy), primitive.targets[0].positions.get(at));
    }
}

#[test]
fn tangents_use_the_texture_coordinates_of_the_normal_map() {
    let mut file = hills(4, |x, y| [x, y]);
    let turned: Vec<f32> = (0..25).flat_map(|i| [(i % 5) as f32 / 4.0, (i / 5) as f32 / 4.0]).collect();
    let turned = file.floats("VEC2", &turned);
    file.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = json!(turned);
    file.json["materials"][0]["normalTexture"]["texCoord"] = json!(1);
    let model = file.clean();
    assert_eq!(compare(first(&model), 1), (4 * 4 * 6, 0));
    assert_ne!(compare(first(&model), 0).1, 0);
}

#[test]
fn tangents_of_degenerate_triangles_come_from_neighbours() {
    for uv in [|_: f32, _: f32| [0.5, 0.5], |x: f32, _: f32| [x, 0.0], |x: f32, y: f32| [x.max(0.5), y]] {
        let model = hills(6, uv).clean();
        assert_eq!(compare(first(&model), 0).1, 0);
    }
    let mut file = hills(3, |x, y| [x, y]);
    let list = [0_u8, 4, 5, 0, 0, 5, 5, 5, 5, 0, 5, 1, 9, 9, 10];
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(file.bytes("SCALAR", 1, &list));
    let model = file.clean();
    assert_eq!(compare(first(&model), 0).1, 0);
}

#[test]
fn tangents_of_many_triangles_at_one_edge_take_linear_time() {
    let mut file = hills(1, |x, y| [x, y]);
    let list: Vec<u8> = (0..60_000).flat_map(|i| if i % 3 == 0 { [0, 2, 3] } else { [0, 3, 2] }).collect();
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(file.bytes("SCALAR", 1, &list));
    let model = file.clean();
    check(&model);
}

#[test]
fn tangents_stay_finite_if_numbers_overflow() {
    for scale in [1e-30_f32, 1e30, f32::MAX] {
        let mut file = hills(2, |x, y| [x * 1e30, y * 1e-30]);
        let positions: Vec<f32> = (0..27).map(|i| (i * i % 7) as f32 / 7.0 * scale).collect();
        let positions = file.floats("VEC3", &positions);
        file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
        let imported = file.import().expect("it loads");
        check(&imported.model);
        assert!(imported.warnings.iter().all(|warning| warning.code == "import/too-far"));
    }
}

#[test]
fn tangents_split_the_vertices_of_strips() {
    let mut file = hills(1, |x, y| [x, y]);
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["mode"] = json!(5);
    primitive.as_object_mut().expect("a primitive").remove("indices");
    let model = file.clean();
    assert_eq!((first(&model).topology, first(&model).vertex_count()), (Topology::TriangleStrip, 4));
    assert_eq!(first(&model).tangents.len(), 4);
}

#[test]
fn tangents_of_the_helmet_agree_with_mikktspace() {
    let shared = std::env::var_os("GAMBOL_SHARED").map_or("../shared".into(), std::path::PathBuf::from);
    let Ok(bytes) = std::fs::read(shared.join("assets/gltf/DamagedHelmet.glb")) else {
        return crate::oracle::skipped("there is no DamagedHelmet.glb; set GAMBOL_SHARED");
    };
    let model = import(&bytes).expect("it loads").model;
    let (count, bad) = compare(first(&model), 0);
    assert!(count > 40_000 && bad * 2000 < count, "{bad} of {count}");
}
