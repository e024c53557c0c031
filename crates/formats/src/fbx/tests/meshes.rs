//! Geometry, skins and blend shapes.

use super::document::{Element, Value, element};
use super::*;

const SQUARE: &[[f64; 3]] = &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

/// A layer of a mesh: its kind, mapping, and values with their indices.
fn layer(kind: &str, mapping: &str, values: (&str, Vec<f64>), indices: Option<(&str, Vec<i32>)>) -> Element {
    let reference = if indices.is_some() { "IndexToDirect" } else { "Direct" };
    let mut list = vec![
        element("MappingInformationType", [mapping.into()], vec![]),
        element("ReferenceInformationType", [reference.into()], vec![]),
        element(values.0, [Value::Reals(values.1)], vec![]),
    ];
    if let Some((name, indices)) = indices {
        list.push(element(name, [Value::Ints(indices)], vec![]));
    }
    element(kind, [0.into()], list)
}

fn materials(indices: Vec<i32>) -> Element {
    let list = vec![
        element("MappingInformationType", ["ByPolygon".into()], vec![]),
        element("ReferenceInformationType", ["IndexToDirect".into()], vec![]),
        element("Materials", [Value::Ints(indices)], vec![]),
    ];
    element("LayerElementMaterial", [0.into()], list)
}

#[test]
fn fbx_polygons_become_triangles_with_shared_vertices() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(SQUARE, &[&[0, 1, 2, 3]], vec![], model);
    let scene = read(&document);
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions.len(), 4);
    assert_eq!(primitive.indices.len(), 6);
    assert!(primitive.normals.iter().all(|normal| *normal == [0.0, 0.0, 1.0]), "normals are generated");
    let area: f64 = primitive
        .indices
        .chunks(3)
        .map(|corners| {
            let [a, b, c] =
                [0, 1, 2].map(|i| DVec3::from(primitive.positions[corners[i] as usize].map(f64::from)));
            0.5 * (b - a).cross(c - a).z
        })
        .sum();
    assert!((area - 1.0).abs() < 1e-9, "all triangles are counter-clockwise");
}

#[test]
fn fbx_normals_without_a_direction_become_those_of_triangles() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let normals = vec![0.0, 0.0, 0.0, 0.0, 3.0, 4.0, f64::NAN, 0.0, 0.0, 0.0, 0.0, 1e-200];
    let parts = vec![layer("LayerElementNormal", "ByVertice", ("Normals", normals), None)];
    document.mesh(SQUARE, &[&[0, 1, 2, 3]], parts, model);
    let (scene, _) = read_bytes(&forms(&document)[1]).expect("a valid file");
    let primitive = &scene.meshes[0].primitives[0];
    for (position, normal) in primitive.positions.iter().zip(&primitive.normals) {
        let expected = if position[..2] == [1.0, 0.0] { [0.0, 0.6, 0.8] } else { [0.0, 0.0, 1.0] };
        assert_near(&normal.map(f64::from), &expected, 1e-6);
    }
}

#[test]
fn fbx_corners_with_other_attributes_are_other_vertices() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let uv = (vec![0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.5, 0.5], vec![0, 1, 2, 4, 2, 3]);
    let second = vec![0.25; 8];
    let parts = vec![
        layer("LayerElementUV", "ByPolygonVertex", ("UV", uv.0), Some(("UVIndex", uv.1))),
        layer("LayerElementColor", "ByVertice", ("Colors", [0.5, 1.0, 0.0, 0.5].repeat(4)), None),
        {
            let mut set = layer("LayerElementUV", "ByVertice", ("UV", second), None);
            set.values[0] = 1.into();
            set
        },
    ];
    document.mesh(SQUARE, &[&[0, 1, 2], &[0, 2, 3]], parts, model);
    let scene = read(&document);
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions.len(), 5, "vertex 0 has two texture coordinates");
    assert_eq!(primitive.texcoords.len(), 2);
    let corner = |i: usize| primitive.texcoords[0][primitive.indices[i] as usize];
    // In FBX, V points up.
    assert_eq!([corner(0), corner(1), corner(3)], [[0.0, 1.0], [1.0, 1.0], [0.5, 0.5]]);
    assert!(primitive.texcoords[1].iter().all(|uv| *uv == [0.25, 0.75]));
    for color in &primitive.colors {
        assert_near(&color.map(f64::from), &[0.214_041, 1.0, 0.0, 0.5], 1e-6);
    }
}

#[test]
fn fbx_faces_of_each_material_are_a_primitive() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(SQUARE, &[&[0, 1, 2], &[0, 2, 3]], vec![materials(vec![1, 0])], model);
    for name in ["Skin", "Cloth"] {
        document.object("Material", name, "Material", "", vec![], model);
    }
    let scene = read(&document);
    assert_eq!(
        scene.materials.iter().map(|material| material.name.as_str()).collect::<Vec<_>>(),
        ["Skin", "Cloth"]
    );
    let primitives = &scene.meshes[0].primitives;
    assert_eq!(primitives.iter().map(|primitive| primitive.material).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert!(primitives[0].positions.contains(&[0.0, 1.0, 0.0]));
    assert!(!primitives[1].positions.contains(&[0.0, 1.0, 0.0]));
}

fn matrix(m: DMat4) -> [f64; 16] {
    m.to_cols_array()
}

/// Two bones along Y, and a square with weights.
fn skinned(weights: &[&[(i32, f64)]]) -> Document {
    let mut document = Document::metres();
    let root = document.model("Root", "Null", &[], 0);
    let model = document.model("A", "Mesh", &[("Lcl Translation", &[0.0, 0.0, 9.0])], root);
    let mesh = document.mesh(SQUARE, &[&[0, 1, 2, 3]], vec![], model);
    let mut parent = root;
    let mut clusters = Vec::new();
    for (i, weights) in weights.iter().enumerate() {
        parent =
            document.model(&format!("Bone{i}"), "LimbNode", &[("Lcl Translation", &[0.0, 0.5, 0.0])], parent);
        let bind = DMat4::from_translation(DVec3::new(0.0, 0.5 * (i + 1) as f64, 0.0));
        let (vertices, weights): (Vec<_>, Vec<_>) = weights.iter().copied().unzip();
        clusters.push((parent, vertices, weights, matrix(bind)));
    }
    let clusters: Vec<_> = clusters.iter().map(|(bone, v, w, bind)| (*bone, &v[..], &w[..], *bind)).collect();
    document.skin(mesh, &clusters);
    document
}

/// The vertices of the first primitive in the world: with its skin.
fn skinned_vertices(scene: &Scene) -> Vec<[f64; 3]> {
    let skin = &scene.skins[0];
    let joints: Vec<_> = skin
        .joints
        .iter()
        .zip(&skin.inverse_bind_matrices)
        .map(|(&joint, bind)| {
            world(scene, &scene.nodes[joint].name) * DMat4::from_cols_array(&bind.map(f64::from))
        })
        .collect();
    let primitive = &scene.meshes[0].primitives[0];
    (0..primitive.positions.len())
        .map(|vertex| {
            let position = DVec3::from(primitive.positions[vertex].map(f64::from));
            let mut sum = DVec3::ZERO;
            let mut total = 0.0;
            for (of_set, weights) in &primitive.influences {
                for i in 0..4 {
                    let weight = f64::from(weights[vertex][i]);
                    sum += weight * joints[usize::from(of_set[vertex][i])].transform_point3(position);
                    total += weight;
                }
            }
            assert!((total - 1.0).abs() < 1e-6, "weights sum to 1");
            sum.to_array()
        })
        .collect()
}

#[test]
fn fbx_skins_move_vertices_with_their_bones() {
    let document = skinned(&[&[(0, 2.0), (1, 1.0), (2, 3.0)], &[(2, 1.0), (3, 0.5)]]);
    let mut scene = read(&document);
    assert_eq!(scene.skins.len(), 1);
    let a = find(&scene, "A");
    assert_eq!((scene.nodes[a].mesh, scene.nodes[a].skin), (Some(0), Some(0)));
    // In the pose of the binding, the vertices are where the mesh has them, whatever its node says.
    for (vertex, expected) in skinned_vertices(&scene).iter().zip(SQUARE) {
        assert_near(vertex, expected, 1e-6);
    }
    // With the second bone higher by 1: its weights are 1/4 and 1.
    let bone = find(&scene, "Bone1");
    scene.nodes[bone].translation[1] += 1.0;
    let heights: Vec<_> = skinned_vertices(&scene).iter().map(|vertex| vertex[1]).collect();
    assert_near(&heights, &[0.0, 0.0, 1.25, 2.0], 1e-6);
}

#[test]
fn fbx_vertices_with_many_bones_have_several_sets_of_influences() {
    let weights: Vec<Vec<(i32, f64)>> =
        (0..6).map(|bone| vec![(0, 1.0 + f64::from(bone)), (1, 1.0), (2, 1.0), (3, 1.0)]).collect();
    let weights: Vec<_> = weights.iter().map(Vec::as_slice).collect();
    let scene = read(&skinned(&weights));
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.influences.len(), 2);
    let (joints, weights) = &primitive.influences[0];
    assert_eq!(joints[0], [5, 4, 3, 2], "the largest weights come first");
    assert_near(&weights[0].map(f64::from), &[6.0, 5.0, 4.0, 3.0].map(|w| w / 21.0), 1e-6);
    for (vertex, expected) in skinned_vertices(&scene).iter().zip(SQUARE) {
        assert_near(vertex, expected, 1e-6);
    }
}

#[test]
fn fbx_vertices_without_bones_follow_the_node_of_the_mesh() {
    let scene = read(&skinned(&[&[(0, 1.0), (1, 1.0), (2, 1.0)]]));
    let joints = &scene.skins[0].joints;
    assert_eq!(
        joints.iter().map(|&joint| scene.nodes[joint].name.as_str()).collect::<Vec<_>>(),
        ["Bone0", "A"]
    );
    assert_near(&skinned_vertices(&scene)[3], &[0.0, 1.0, 9.0], 1e-6);
}

#[test]
fn fbx_joints_of_several_trees_get_a_common_root() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let mesh = document.mesh(SQUARE, &[&[0, 1, 2, 3]], vec![], model);
    let bones = [document.model("B", "LimbNode", &[], 0), document.model("C", "LimbNode", &[], 0)];
    let identity = matrix(DMat4::IDENTITY);
    document.skin(
        mesh,
        &[(bones[0], &[0, 1], &[1.0, 1.0], identity), (bones[1], &[2, 3], &[1.0, 1.0], identity)],
    );
    let scene = read(&document);
    assert_eq!(scene.nodes.iter().filter(|node| node.parent.is_none()).count(), 1);
    assert_eq!(scene.nodes.len(), 4);
}

#[test]
fn fbx_parts_of_a_body_share_a_skin() {
    let mut document = Document::metres();
    let bone = document.model("Bone", "LimbNode", &[], 0);
    for name in ["Head", "Hair"] {
        let model = document.model(name, "Mesh", &[], bone);
        let mesh = document.mesh(SQUARE, &[&[0, 1, 2, 3]], vec![], model);
        document.skin(mesh, &[(bone, &[0, 1, 2, 3], &[1.0; 4], matrix(DMat4::IDENTITY))]);
    }
    let scene = read(&document);
    assert_eq!((scene.meshes.len(), scene.skins.len()), (2, 1));
}

#[test]
fn fbx_blend_shapes_become_morph_targets() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let mesh = document.mesh(SQUARE, &[&[0, 1, 2, 3]], vec![], model);
    let up = [[0.0, 1.0, 0.0]];
    document.blend(mesh, "Smile", 25.0, &[(100.0, &[2], &up)]);
    document.blend(mesh, "Jaw", 75.0, &[(50.0, &[0], &up), (100.0, &[0], &[[0.0, 3.0, 0.0]])]);
    let scene = read(&document);
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.target_names, ["Smile", "Jaw0", "Jaw"]);
    // Jaw is half way between its shapes of 50 % and 100 %.
    assert_near(&mesh.weights.iter().map(|&w| f64::from(w)).collect::<Vec<_>>(), &[0.25, 0.5, 0.5], 1e-6);
    let primitive = &mesh.primitives[0];
    let offset = |target: usize, vertex: usize| primitive.targets[target].positions[vertex];
    let at = |position: [f32; 3]| primitive.positions.iter().position(|p| *p == position).expect("a vertex");
    assert_eq!(offset(0, at([1.0, 1.0, 0.0])), [0.0, 1.0, 0.0]);
    assert_eq!(offset(0, at([0.0, 0.0, 0.0])), [0.0; 3]);
    assert_eq!(offset(2, at([0.0, 0.0, 0.0])), [0.0, 3.0, 0.0]);
}

#[test]
fn fbx_weights_of_in_between_shapes_are_piecewise_linear() {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let mesh = document.mesh(SQUARE, &[&[0, 1, 2, 3]], vec![], model);
    let shape: (&[i32], &[[f64; 3]]) = (&[0], &[[0.0, 1.0, 0.0]]);
    let shapes = [-100.0, 50.0, 100.0].map(|full| (full, shape.0, shape.1));
    for (percent, expected) in [
        (0.0, [0.0, 0.0, 0.0]),
        (25.0, [0.0, 0.5, 0.0]),
        (50.0, [0.0, 1.0, 0.0]),
        (75.0, [0.0, 0.5, 0.5]),
        (100.0, [0.0, 0.0, 1.0]),
        (125.0, [0.0, -0.5, 1.5]),
        (-50.0, [0.5, 0.0, 0.0]),
        (-150.0, [1.5, 0.0, 0.0]),
    ] {
        let mut document = document.clone();
        document.blend(mesh, "Jaw", percent, &shapes);
        let scene = read(&document);
        let weights: Vec<_> = scene.meshes[0].weights.iter().map(|&w| f64::from(w)).collect();
        assert_near(&weights, &expected, 1e-6);
    }
    // Without a shape on its side, a weight goes on in the direction of the other side.
    document.blend(mesh, "Jaw", -50.0, &shapes[1..]);
    let weights: Vec<_> = read(&document).meshes[0].weights.iter().map(|&w| f64::from(w)).collect();
    assert_near(&weights, &[-1.0, 0.0], 1e-6);
}
