//! Exported poses.

use super::common::{Figure, File, distance, files, pip, reread, shared, vertices};
use gambol::animation::{Actor, Affine, LookAt, Snapshot, SnapshotMeshes, Space};
use gambol::model::ClipId;
use gambol_gltf::json;
use gambol_gltf::json::Value;
use gambol_tools::{Document, Hidden, ToolsError, codes, export_pose};
use glam::{Mat4, Vec3};
use std::rc::Rc;

pub(crate) fn snapshot(model: &Figure, clip: Option<usize>, time: f64, meshes: SnapshotMeshes) -> Snapshot {
    let mut actor = Actor::new(model, Rc::new(model.rig.clone()));
    actor.update_to(clip.map(ClipId::new), time);
    Snapshot::new(&actor, model, meshes)
}

fn exported(file: &File, clip: Option<usize>, time: f64) -> Document {
    let snapshot = snapshot(&file.model, clip, time, SnapshotMeshes::Deformed);
    export_pose(file.document.clone(), &snapshot, Hidden::Keep).expect(file.name)
}

fn code<T>(result: Result<T, ToolsError>) -> &'static str {
    result.err().map_or("", |error| error.code)
}

#[test]
fn export_pose_refuses_another_file() {
    let file = pip();
    let snapshot = snapshot(&file.model, None, 0.0, SnapshotMeshes::Deformed);
    assert_eq!(code(export_pose(Document::default(), &snapshot, Hidden::Keep)), codes::EXPORT_OTHER_FILE);
    for change in ["nodes", "mesh", "primitives"] {
        let mut other = file.document.clone();
        match change {
            "nodes" => _ = other.list_mut("nodes").pop(),
            "mesh" => other.list_mut("meshes").clear(),
            _ => other
                .list_mut("meshes")
                .iter_mut()
                .for_each(|mesh| mesh["primitives"] = gambol_gltf::json!([])),
        }
        assert_eq!(code(export_pose(other, &snapshot, Hidden::Keep)), codes::EXPORT_OTHER_FILE, "{change}");
    }
}

/// A document whose first primitive seems to be compressed by Draco, so that its accessors cannot be read.
fn in_draco(document: &Document) -> Document {
    let mut draco = document.clone();
    draco.list_mut("meshes")[0]["primitives"][0]["extensions"] = gambol_gltf::json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": { "POSITION": 0 } } });
    draco.declare("KHR_draco_mesh_compression", true);
    draco
}

#[test]
fn export_of_vertices_in_draco_is_refused_before_they_are_decoded() {
    let file = pip();
    let options = gambol_tools::BakeOptions { clips: vec![ClipId::new(0)], fps: 5.0, steps: false };
    let baked = gambol_tools::bake_morphs(in_draco(&file.document), &file.model, &options);
    let pose = snapshot(&file.model, Some(1), 0.4, SnapshotMeshes::Deformed);
    for error in [
        baked.expect_err("compressed"),
        export_pose(in_draco(&file.document), &pose, Hidden::Keep).expect_err("compressed"),
    ] {
        assert_eq!(error.code, gambol::import::codes::DRACO_UNAVAILABLE);
        assert_eq!(error.pointer, "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression");
    }
}

#[test]
fn export_pose_has_the_vertices_of_the_moment_at_rest() {
    for file in files() {
        for clip in [None, Some(0)] {
            let still = exported(&file, clip, 0.3);
            let model = reread(&still);
            assert!(model.skins.is_empty() && model.clips.is_empty(), "{}", file.name);
            assert!(model.meshes.iter().all(|mesh| mesh.weights.is_empty()), "{}", file.name);
            // The meshes with joints are the last nodes of the new file.
            let mut want = by_bits(&vertices(&file.model, clip, 0.3));
            let mut got = by_bits(&vertices(&model, None, 0.0));
            if file.model.nodes.iter().all(|node| node.skin.is_some() || node.mesh.is_none()) {
                assert_eq!(got, want, "{}: to the bit", file.name);
            }
            want.sort_by(|a, b| a[0].total_cmp(&b[0]));
            got.sort_by(|a, b| a[0].total_cmp(&b[0]));
            assert_eq!(got.len(), want.len(), "{}", file.name);
            let size = want.iter().flatten().fold(1.0, |size: f32, value| size.max(value.abs()));
            for (got, want) in got.iter().zip(&want) {
                let near = got.iter().zip(want).all(|(a, b)| (a - b).abs() <= 1e-6 * size);
                assert!(near, "{}: {got:?} {want:?}", file.name);
            }
        }
    }
}

fn by_bits(all: &[gambol::animation::Deformed]) -> Vec<[f32; 3]> {
    all.iter().flat_map(|vertices| vertices.positions.iter().copied()).collect()
}

#[test]
fn export_pose_places_rigid_nodes_and_keeps_names_materials_and_extras() {
    let file = pip();
    let mut source = file.document.clone();
    source.list_mut("nodes")[0]["extras"] = gambol_gltf::json!({ "kept": [1, 2.5] });
    source.list_mut("materials")[0]["extensions"] = gambol_gltf::json!({ "ACME_paint": { "shine": 3 } });
    source.declare("ACME_paint", false);
    source.declare("ACME_without_objects", false);
    let snapshot = snapshot(&file.model, Some(1), 0.4, SnapshotMeshes::Deformed);
    let still = export_pose(source.clone(), &snapshot, Hidden::Keep).expect("a pose");
    for list in ["materials", "textures", "images", "samplers"] {
        assert_eq!(still.list(list).len(), source.list(list).len(), "{list}");
    }
    assert_eq!(still.list("materials"), source.list("materials"));
    assert_eq!(still.list("nodes")[0]["extras"], source.list("nodes")[0]["extras"]);
    assert!(still.uses("ACME_paint") && still.uses("ACME_without_objects"));
    let mut actor = Actor::new(&file.model, Rc::new(file.model.rig.clone()));
    actor.update_to(Some(ClipId::new(1)), 0.4);
    let model = reread(&still);
    let (rig, mut matrices) = (&model.rig, Vec::new());
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    for (i, (node, of_source)) in file.model.node_of_source.iter().zip(&model.node_of_source).enumerate() {
        let (want, got) = (actor.node_matrices()[node.index()], matrices[of_source.index()]);
        assert!(Mat4::from(got).abs_diff_eq(Mat4::from(want), 1e-6), "node {i}");
        assert_eq!(model.nodes[of_source.index()].name, file.model.nodes[node.index()].name);
    }
}

#[test]
fn export_pose_of_a_placed_actor_is_in_world_space() {
    for file in [Some(pip()), shared("gltf/box_animated.gltf")].into_iter().flatten() {
        let place = Mat4::from_translation(Vec3::new(3.0, 0.5, -2.0)) * Mat4::from_rotation_y(0.7);
        let mut actor = Actor::new(&file.model, Rc::new(file.model.rig.clone()));
        actor.place = place.into();
        actor.update_to(Some(ClipId::new(0)), 0.2);
        let snapshot = Snapshot::new(&actor, &file.model, SnapshotMeshes::Deformed);
        let model = reread(&export_pose(file.document.clone(), &snapshot, Hidden::Keep).expect("a pose"));
        let mut want = vertices(&file.model, Some(0), 0.2);
        for vertices in &mut want {
            for position in &mut vertices.positions {
                *position = place.transform_point3(Vec3::from_array(*position)).to_array();
            }
        }
        let (worst, _) = distance(&vertices(&model, None, 0.0), &want);
        assert!(worst < 2e-6, "{}: {worst:e}", file.name);
    }
}

#[test]
fn export_pose_decomposes_nodes_that_inverse_kinematics_has_moved() {
    let file = pip();
    let mut actor = Actor::new(&file.model, Rc::new(file.model.rig.clone()));
    let head = file.model.nodes.iter().position(|node| node.name == "Head").expect("a head");
    let turned =
        LookAt { target: Vec3::new(1.0, 2.0, 0.5), axis: None, limit: 1.0, space: Space::World, weight: 1.0 };
    actor.set_look_at(gambol::model::NodeId::new(head), turned);
    // The rest pose has no scale, so the turned head has no shear.
    actor.update_to(None, 0.0);
    let snapshot = Snapshot::new(&actor, &file.model, SnapshotMeshes::Deformed);
    let model = reread(&export_pose(file.document.clone(), &snapshot, Hidden::Keep).expect("a pose"));
    let (rig, mut matrices) = (&model.rig, Vec::new());
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    let got = matrices[model.node_of_source[file.model.nodes[head].source as usize].index()];
    let want = actor.node_matrices()[head];
    assert!(Mat4::from(got).abs_diff_eq(Mat4::from(want), 1e-6), "{got:?} {want:?}");
}

/// Pip with a hidden skinned mesh, and with a hidden group that has a mesh and a light.
fn with_hidden_parts() -> (Document, Figure) {
    let mut document = pip().document;
    let hide = json!({ "KHR_node_visibility": { "visible": false } });
    let skinned = document.list("nodes").iter().position(|node| node.get("skin").is_some()).expect("a skin");
    let mut twin = document.list("nodes")[skinned].clone();
    twin["name"] = json!("Twin");
    twin["extensions"] = hide.clone();
    let first = document.list("nodes").len();
    let prop = json!({ "name": "Prop", "mesh": &twin["mesh"], "extensions": { "KHR_lights_punctual": { "light": 0 } } });
    let group =
        json!({ "name": "Group", "children": [first + 1], "extensions": hide, "extras": { "kept": 1 } });
    document.list_mut("nodes").extend([twin, prop, group]);
    document.list_mut("scenes")[0]["nodes"]
        .as_array_mut()
        .expect("roots")
        .extend([first, first + 2].map(Value::from));
    document.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "point" }] } });
    document.declare("KHR_node_visibility", false);
    document.declare("KHR_lights_punctual", false);
    let model = reread(&document);
    (document, model)
}

#[test]
fn export_pose_leaves_out_meshes_that_only_the_wearer_of_an_avatar_sees() {
    for rigid in [true, false] {
        let mut document = pip().document;
        let skinned =
            document.list("nodes").iter().position(|node| node.get("skin").is_some()).expect("a skin");
        let mut mask = document.list("nodes")[skinned].clone();
        mask["name"] = json!("Mask");
        if rigid {
            mask.as_object_mut().expect("a node").remove("skin");
        }
        let index = document.list("nodes").len();
        document.list_mut("nodes").push(mask);
        document.list_mut("scenes")[0]["nodes"].as_array_mut().expect("roots").push(index.into());
        let meshes = |still: &Document| {
            let nodes = still.list("nodes").iter().filter(|node| node.get("mesh").is_some());
            nodes.map(|node| node["name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        for (kind, drawn) in [("thirdPersonOnly", 1), ("firstPersonOnly", 0)] {
            let annotation = json!([{ "node": index, "type": kind }]);
            let vrm =
                json!({ "humanoid": { "humanBones": {} }, "firstPerson": { "meshAnnotations": annotation } });
            document.json["extensions"] = json!({ "VRMC_vrm": vrm });
            document.declare("VRMC_vrm", false);
            let snapshot = snapshot(&reread(&document), Some(0), 0.3, SnapshotMeshes::Deformed);
            for hidden in [Hidden::Keep, Hidden::LeaveOut] {
                let still = export_pose(document.clone(), &snapshot, hidden).expect("a pose");
                let masks = meshes(&still).iter().filter(|name| *name == "Mask").count();
                assert_eq!(masks, drawn, "{kind}, rigid: {rigid}: {:?}", meshes(&still));
                assert!(meshes(&still).len() > drawn, "the other meshes stay");
            }
        }
    }
}

#[test]
fn export_pose_leaves_hidden_meshes_and_lights_out_or_keeps_them_hidden() {
    let (document, model) = with_hidden_parts();
    let mut snapshot = snapshot(&model, Some(0), 0.3, SnapshotMeshes::Deformed);
    let named = |still: &Document, name: &str| {
        let nodes = still.list("nodes").iter().filter(|node| node["name"] == name);
        nodes.filter(|node| node.get("mesh").is_some()).count()
    };
    let without = export_pose(document.clone(), &snapshot, Hidden::LeaveOut).expect("a pose");
    assert_eq!((named(&without, "Twin"), named(&without, "Prop")), (0, 0));
    let text = without.json["nodes"].to_string();
    assert!(!text.contains("KHR_node_visibility") && !text.contains("KHR_lights_punctual"), "{text}");
    assert!(!without.uses("KHR_node_visibility"));
    let group = without.list("nodes").iter().find(|node| node["name"] == "Group").expect("its node stays");
    assert_eq!(group["extras"]["kept"], 1);
    let shown = |still: &Document| vertices(&reread(still), None, 0.0).len();
    assert_eq!(shown(&without), shown(&exported(&pip(), Some(0), 0.3)));

    let kept = export_pose(document.clone(), &snapshot, Hidden::Keep).expect("a pose");
    assert_eq!((named(&kept, "Twin"), named(&kept, "Prop")), (1, 1));
    assert!(kept.uses("KHR_node_visibility"));
    let model = reread(&kept);
    let visible = |name: &str| {
        model.nodes.iter().filter(|node| node.name == name && node.mesh.is_some()).all(|node| node.visible)
    };
    assert!(!visible("Twin"));

    // A node that the page or a clip hides at this moment.
    let prop = document.list("nodes").iter().position(|node| node["name"] == "Group").expect("a group");
    snapshot.shown.push((prop as u32, true));
    for mesh in snapshot.meshes.iter_mut().filter(|mesh| mesh.node as usize == prop - 1) {
        mesh.visible = true;
    }
    let without = export_pose(document, &snapshot, Hidden::LeaveOut).expect("a pose");
    assert_eq!((named(&without, "Twin"), named(&without, "Prop")), (0, 1));
    assert!(!without.uses("KHR_node_visibility"));
}
