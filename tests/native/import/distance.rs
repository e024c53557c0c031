//! Meshes far from the origin: exact in single precision, or with a warning.

use crate::common::builder::{Builder, skinned, triangle};
use gambol::animation::{Affine, Rig};
use gambol::model::Model;
use glam::{DMat4, Mat4};
use serde_json::json;

const CODE: &str = "import/far-from-origin";

fn warnings(file: &Builder) -> Vec<(String, String)> {
    let warnings = file.import().expect("it is shown").warnings.into_iter();
    let far = warnings.filter(|warning| warning.code == CODE);
    far.map(|warning| (warning.pointer, warning.message)).collect()
}

fn at(mut file: Builder, node: usize, place: [f64; 3]) -> Builder {
    file.json["nodes"][node]["translation"] = json!(place);
    file
}

/// The largest error of the palette, by a product in f64.
fn error(model: &Model) -> f64 {
    let rig = Rig::new(model);
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);
    let mut exact: Vec<DMat4> = Vec::new();
    for node in &model.nodes {
        let (scale, rotation, translation) =
            (node.rest.scale.as_dvec3(), node.rest.rotation.as_dquat(), node.rest.translation.as_dvec3());
        let local = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        exact.push(node.parent.map_or(local, |parent| exact[parent.index()] * local));
    }
    let entries = palette.iter().zip(&rig.layout.slots);
    let errors = entries.map(|(&got, slot)| {
        let bind = slot.node_from_mesh.unwrap_or(Mat4::IDENTITY).as_dmat4();
        (Mat4::from(got).as_dmat4().w_axis - (exact[slot.node.index()] * bind).w_axis).length()
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn far_meshes_have_a_warning_or_an_exact_palette() {
    for distance in [0.0, 1e2, 1e4, 1e5, 1e6, 3e6, 6_378_137.0, 1e12] {
        for rigid in [false, true] {
            let (mut file, mesh, moved) = if rigid { (triangle(), 0, 0) } else { (skinned(), 0, 1) };
            // The offset of the child from the far node is no number of f32 there.
            let child = file.node(Some(moved), json!({"translation": [0.123_456_7, 0.0, 0.0]}));
            if rigid {
                file.json["nodes"][child]["mesh"] = json!(0);
                file.json["nodes"][0].as_object_mut().expect("a node").remove("mesh");
            } else {
                file.json["skins"][0]["joints"] = json!([child, child]);
            }
            let file = at(file, moved, [distance, 0.0, -distance]);
            let told = warnings(&file);
            let error = error(&file.import().expect("it is shown").model);
            assert!(error < 0.003 || told.len() == 1, "{distance} {rigid}: {error} without a warning");
            assert_eq!(told.len(), usize::from(distance >= 1e5), "{distance} {rigid}: {told:?}");
            if let [(pointer, message)] = &told[..] {
                let shown = if rigid { child } else { mesh };
                assert_eq!(pointer, &format!("/nodes/{shown}/mesh"));
                // The file has f32, whose steps are larger than a kilometre at the last distance.
                let kilometres = format!("{} km", (distance / 1000.0) as u64);
                assert!(distance > 1e10 || message.contains(&kilometres), "{message}");
            }
        }
    }
}

#[test]
fn far_meshes_are_measured_by_their_size_and_only_if_they_are_shown() {
    // A triangle of 1 m; one as large as its distance has no visible steps.
    let mut large = at(triangle(), 0, [1e6, 0.0, 0.0]);
    assert_eq!(warnings(&large).len(), 1);
    large.json["nodes"][0]["scale"] = json!([1e6, 1e6, 1e6]);
    assert_eq!(warnings(&large), []);
    let mut hidden = triangle();
    hidden.node(None, json!({"mesh": 0, "translation": [1e7, 0, 0]}));
    hidden.json["scenes"] = json!([{"nodes": [0]}]);
    assert_eq!(warnings(&hidden), []);
    // A joint that is far from the others is one that no vertex needs.
    let mut file = skinned();
    let other = file.node(None, json!({"translation": [1e7, 0, 0]}));
    file.json["skins"][0]["joints"] = json!([1, 1, other]);
    assert_eq!(warnings(&file), []);
    // Of many meshes the worst has the warning.
    let mut many = triangle();
    for i in 1..4 {
        many.node(None, json!({"mesh": 0, "translation": [1e6 * f64::from(i), 0, 0]}));
    }
    let told = warnings(&many);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].0, "/nodes/3/mesh");
    // A mesh without vertices or without a size has no steps.
    let mut point = triangle();
    let zero = point.floats("VEC3", &[0.0; 9]);
    point.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(zero);
    assert_eq!(warnings(&at(point, 0, [1e9, 0.0, 0.0])), []);
}
