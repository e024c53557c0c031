//! The distance of two files: places that are far away, vertices in another order, numbers without end. The second measure is that of
//! the oracle, or known from the change.

use crate::oracle::{File, largest_distance};
use gambol::import::{NoResolver, import};
use gambol::model::{Mesh, Model, Primitive};
use gambol_gltf::document::Written;
use gambol_gltf::element::{ComponentType, Kind};
use gambol_gltf::json;
use gambol_tools::{Document, Options, diff, optimize};

/// The sample with one of its clips, and a triangle whose corners are `far` metres away.
fn sample(far: f32) -> Vec<u8> {
    let mut document = Document::parse(&gambol_sample::glb(), &mut NoResolver).expect("the sample is valid");
    document.list_mut("animations").truncate(1);
    let corners = [[far, 0.0, 0.0], [-far, 0.0, 0.0], [0.0, far, far]];
    add_mesh(&mut document, &corners);
    document.prune();
    document.to_glb().expect("it fits")
}

fn add_mesh(document: &mut Document, corners: &[[f32; 3]]) {
    let bytes = corners.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
    let view = document.add_view(bytes, None, None, None);
    let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
        (0..3).filter_map(|axis| corners.iter().map(|corner| corner[axis]).reduce(pick)).collect()
    };
    let written = Written::new(view, ComponentType::F32, Kind::Vec3, corners.len());
    let written = Written { range: Some((bound(f32::min), bound(f32::max))), ..written };
    let positions = document.add_accessor(&written);
    let meshes = document.list_mut("meshes");
    meshes.push(json!({ "primitives": [{ "attributes": { "POSITION": positions } }] }));
    let mesh = meshes.len() - 1;
    let nodes = document.list_mut("nodes");
    nodes.push(json!({ "mesh": mesh }));
    let node = nodes.len() - 1;
    if document.list("scenes").is_empty() {
        document.list_mut("scenes").push(json!({ "nodes": [] }));
    }
    document.list_mut("scenes")[0]["nodes"].as_array_mut().expect("roots").push(json!(node));
}

fn model(bytes: &[u8]) -> Model {
    import(bytes, &mut NoResolver).expect("it is valid").model
}

/// A model of rigid meshes, a node for each.
fn rigid(meshes: &[Vec<[f32; 3]>]) -> Model {
    let mut document = Document::default();
    meshes.iter().for_each(|corners| add_mesh(&mut document, corners));
    model(&document.to_glb().expect("it fits"))
}

fn distance(a: &Model, b: &Model) -> f32 {
    let found = diff(a, b).expect("they have vertices");
    let (place, _) = found.largest();
    assert!(place.distance.is_finite() && place.distance >= 0.0, "{place:?}");
    place.distance
}

/// Points on a sphere of this radius: no two distances from a point are equal.
fn sphere(count: usize, radius: f32, center: [f32; 3]) -> Vec<[f32; 3]> {
    let point = |i: usize| {
        let (turn, height) = (2.399_963 * i as f32, 1.0 - 2.0 * (i as f32 + 0.5) / count as f32);
        let around = (1.0 - height * height).sqrt();
        let unit = [around * turn.cos(), height, around * turn.sin()];
        std::array::from_fn(|axis| center[axis] + radius * unit[axis])
    };
    (0..count).map(point).collect()
}

fn each(model: &Model, change: impl Fn(&mut Primitive)) -> Model {
    let mut changed = model.clone();
    changed.meshes.iter_mut().flat_map(|mesh: &mut Mesh| &mut mesh.primitives).for_each(change);
    changed
}

#[test]
fn diff_of_numbers_without_end_is_finite() {
    let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.5]];
    let huge = |value: f32| rigid(&[corners.iter().map(|corner| corner.map(|x| x * value)).collect()]);
    assert_eq!(distance(&huge(3e38), &huge(3e38)), 0.0);
    for (a, b) in [(3e38, -3e38), (3e38, 1.0), (1e30, 1e20)] {
        let found = distance(&huge(a), &huge(b));
        assert!(found >= 0.9 * a.max(b), "{a:e}, {b:e}: {found:e}");
    }
    // Scales of nodes multiply to infinity, and to NaN.
    let mut infinite = huge(3e38);
    infinite.nodes[0].rest.scale = glam::Vec3::splat(1e30);
    assert_eq!(distance(&infinite, &infinite), 0.0);
    assert_eq!(distance(&infinite, &huge(1.0)), f32::MAX);
    assert_eq!(distance(&huge(1.0), &infinite), f32::MAX);
}

#[test]
fn diff_is_relative_to_the_mesh_if_something_is_far_away() {
    for far in [0.0, 10.0, 300.0, 1e6] {
        let own = sphere(400, 0.5, [0.0, 1.0, 0.0]);
        let around: Vec<[f32; 3]> = vec![[far, 0.0, 0.0], [-far, 0.0, 0.0], [0.0, far, far]];
        let plain = rigid(&[own.clone(), around.clone()]);
        // The order is another one, and each vertex is 0.05 mm away.
        let mut other: Vec<[f32; 3]> = own.iter().map(|&[x, y, z]| [x + 5e-5, y, z]).collect();
        other.rotate_left(123);
        other.swap(5, 300);
        let found = distance(&plain, &rigid(&[other, around]));
        assert!((4.5e-5..5.5e-5).contains(&found), "{far}: {found:e}");
    }
}

#[test]
fn diff_is_relative_to_most_of_a_mesh_if_a_vertex_of_it_is_far_away() {
    for far in [300.0, 1e6] {
        let mut own = sphere(400, 0.5, [0.0, 1.0, 0.0]);
        own.extend([[far, 0.0, 0.0], [0.0, -far, 0.0], [0.0, 0.0, far]]);
        let mut other: Vec<[f32; 3]> = own.iter().map(|&[x, y, z]| [x, y + 5e-5, z]).collect();
        other[..400].reverse();
        let found = distance(&rigid(&[own]), &rigid(&[other]));
        assert!((4.5e-5..far * 1e-7 + 5.5e-5).contains(&found), "{far}: {found:e}");
    }
}

#[test]
fn diff_of_the_same_order_compares_by_index_though_others_are_nearer() {
    let own = sphere(2000, 0.5, [0.0; 3]);
    let plain = rigid(&[own.clone(), sphere(30, 5.0, [9.0, 0.0, 0.0])]);
    // One vertex is moved onto the place of another one; and to a place between others.
    for to in [own[1200], [0.3, 0.1, 0.2]] {
        let moved = each(&plain, |primitive| {
            if primitive.positions.len() == 2000 {
                primitive.positions[7] = to;
            }
        });
        let wanted = own[7].iter().zip(to).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
        let found = distance(&plain, &moved);
        assert!((found - wanted).abs() < 1e-5, "{found} of {wanted}");
    }
    // All vertices are moved along the surface by more than the distance of neighbours, which is about 2 cm.
    let turn = |[x, y, z]: [f32; 3], angle: f32| {
        [x * angle.cos() + z * angle.sin(), y, z * angle.cos() - x * angle.sin()]
    };
    let turned =
        rigid(&[own.iter().map(|&point| turn(point, 0.018)).collect(), sphere(30, 5.0, [9.0, 0.0, 0.0])]);
    let found = distance(&plain, &turned);
    assert!((found - 0.009).abs() < 2e-4, "{found}");
}

#[test]
fn diff_finds_vertices_of_other_primitives() {
    let (a, b) = (sphere(300, 0.5, [0.0; 3]), sphere(300, 0.5, [2.0, 0.0, 0.0]));
    let plain = rigid(&[a.clone(), b.clone()]);
    // The meshes in another order; in one mesh; in three.
    assert!(distance(&plain, &rigid(&[b.clone(), a.clone()])) < 1e-6);
    assert!(distance(&plain, &rigid(&[[b.clone(), a.clone()].concat()])) < 1e-6);
    let parts = [b[..100].to_vec(), a.clone(), b[100..].to_vec()];
    assert!(distance(&plain, &rigid(&parts)) < 1e-6);
    // A vertex of the first mesh is not one of the second, though that is nearer.
    let near = |x: f32| rigid(&[sphere(300, 0.5, [0.0; 3]), sphere(300, 0.5, [x, 0.0, 0.0])]);
    let found = distance(&near(0.003), &near(0.001));
    assert!((found - 0.002).abs() < 1e-5, "{found}");
}

#[test]
fn diff_of_an_optimised_figure_below_a_distant_sky_is_that_of_the_oracle() {
    let error = 1e-4;
    for far in [30.0, 300.0] {
        let before = sample(far);
        let options = Options { error: Some(error), ..Options::default() };
        let made = optimize(&before, &mut NoResolver, &options).expect("it is valid");
        assert!(!made.report.unchanged);
        let found = distance(&model(&before), &model(&made.bytes));
        let second = largest_distance(&File::glb(&before), &File::glb(&made.bytes), error.into());
        assert!(found <= 1.001 * error && second <= 1.001 * f64::from(error), "{far}: {found:e}, {second:e}");
        assert!(f64::from(found) >= 0.5 * second, "{far}: {found:e}, {second:e}");
    }
}
