//! KHR_animation_pointer: invalid targets first, then valid ones, as they are sampled.

use crate::common::builder::{Builder, triangle};
use crate::common::check::check;
use gambol::animation::{Pose, Rig};
use gambol::import::Imported;
use gambol::model::{
    CameraId, CameraProperty, Channel, ClipId, LightId, LightProperty, MaterialId, MaterialProperty, Model,
    NodeId, Path, Projection, Property, TextureSlot, TransformProperty,
};
use serde_json::{Value, json};

/// A file with every kind of object that pointers can animate, and a clip without channels.
fn everything() -> Builder {
    let mut file = triangle();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    file.json["nodes"] = json!([
        {"mesh": 0, "children": [1]},
        {"mesh": 0, "weights": [0.5, 0.75]},
        {"mesh": 0, "camera": 0},
        {"camera": 1, "extensions": {"KHR_lights_punctual": {"light": 0}}},
    ]);
    file.push("textures", json!({}));
    file.push(
        "materials",
        json!({
            "alphaMode": "MASK",
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "roughnessFactor": 0.25},
            "normalTexture": {"index": 0}, "occlusionTexture": {"index": 0},
        }),
    );
    file.push("materials", json!({}));
    file.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}));
    let parallel = json!({"xmag": 1, "ymag": 2, "znear": 0, "zfar": 9});
    file.push("cameras", json!({"type": "orthographic", "orthographic": parallel}));
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "spot", "intensity": 3}, {"type": "directional"},
    ]}});
    file.push("animations", json!({"channels": [], "samplers": []}));
    file
}

/// Adds a channel; its key times are 0 and 2.
fn animate(file: &mut Builder, pointer: &str, kind: &str, values: &[f32]) {
    let input = file.floats("SCALAR", &[0.0, 2.0]);
    let output = file.floats(kind, values);
    channel(file, pointer, json!({"input": input, "output": output}));
}

fn channel(file: &mut Builder, pointer: &str, sampler: Value) {
    let clip = &mut file.json["animations"][0];
    let samplers = clip["samplers"].as_array_mut().expect("an array");
    samplers.push(sampler);
    let index = samplers.len() - 1;
    let extension = json!({"KHR_animation_pointer": {"pointer": pointer}});
    let channel = json!({"sampler": index, "target": {"path": "pointer", "extensions": extension}});
    clip["channels"].as_array_mut().expect("an array").push(channel);
}

fn sampled(model: &Model, time: f64) -> (Rig, Pose) {
    let rig = Rig::new(model);
    let mut pose = rig.rest_pose().clone();
    rig.sample(ClipId::new(0), time, &mut pose);
    (rig, pose)
}

#[test]
fn animation_pointers_to_missing_objects_are_skipped_but_count_for_the_duration() {
    let pointers = [
        "",
        "/",
        "/nodes",
        "/nodes/0",
        "/nodes/9/weights/0",
        "/nodes/0/weights/2",
        "/nodes/0/weights/-1",
        "/nodes/3/weights/0",
        "/nodes/9/extensions/KHR_node_visibility/visible",
        "/nodes/0/extensions/KHR_node_visibility",
        "/meshes/0/weights/2",
        "/meshes/7/weights/0",
        "/materials/9/emissiveFactor",
        "/materials/0/normalTexture/offset",
        "/materials/1/alphaCutoff",
        "/materials/1/normalTexture/scale",
        "/materials/0/emissiveTexture/extensions/KHR_texture_transform/offset",
        "/materials/0/normalTexture/extensions/KHR_texture_transform/texCoord",
        "/materials/0/extensions/KHR_materials_sheen/sheenRoughnessFactor",
        "/cameras/0/orthographic/xmag",
        "/cameras/0/perspective/zfar",
        "/cameras/0/perspective/aspectRatio",
        "/cameras/2/perspective/yfov",
        "/extensions/KHR_lights_punctual/lights/2/color",
        "/extensions/KHR_lights_punctual/lights/1/spot/innerConeAngle",
        "/extensions/KHR_lights_punctual/lights/1/range",
    ];
    for pointer in pointers {
        let mut file = everything();
        animate(&mut file, pointer, "SCALAR", &[0.0; 2]);
        let Imported { model, warnings } = file.import().expect("it loads");
        check(&model);
        assert_eq!(warnings.len(), 1, "{pointer}: {warnings:?}");
        assert_eq!(warnings[0].code, "import/channel-ignored", "{pointer}");
        assert_eq!(warnings[0].pointer, "/animations/0/channels/0/target");
        assert_eq!((model.clips[0].properties.len(), model.clips[0].channels.len()), (0, 0), "{pointer}");
        assert_eq!(model.clips[0].duration, 2.0);
        assert!(Rig::new(&model).rest_pose().properties.is_empty());
    }
}

#[test]
fn animation_pointers_with_outputs_of_a_wrong_type_are_skipped() {
    let mut file = everything();
    animate(&mut file, "/materials/0/pbrMetallicRoughness/baseColorFactor", "VEC3", &[0.0; 6]);
    let (model, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/accessor-type", "/animations/0/samplers/0/output"));
    assert!(model.clips[0].properties.is_empty());
    let mut file = everything();
    animate(&mut file, "/materials/0/alphaCutoff", "SCALAR", &[0.0]);
    assert_eq!(file.repaired().1, "import/output-too-short");
}

#[test]
fn animation_pointers_use_the_last_duplicate_and_prefer_all_weights() {
    let mut file = everything();
    animate(&mut file, "/materials/0/alphaCutoff", "SCALAR", &[0.0; 2]);
    animate(&mut file, "/materials/0/alphaCutoff", "SCALAR", &[1.0; 2]);
    let (model, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/channel-duplicate", "/animations/0/channels/1/target"));
    let (rig, pose) = sampled(&model, 1.0);
    let cutoff = Property::Material(MaterialId::new(0), MaterialProperty::AlphaCutoff);
    assert_eq!(pose.properties[rig.layout.properties.range(cutoff).expect("it is animated")], [1.0]);

    let mut file = everything();
    animate(&mut file, "/nodes/1/weights/0", "SCALAR", &[0.0; 2]);
    animate(&mut file, "/nodes/1/weights", "SCALAR", &[0.125; 4]);
    let (model, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/channel-duplicate", "/animations/0"));
    assert_eq!(model.clips[0].properties.len(), 0);
}

#[test]
fn animation_pointers_to_materials_lights_and_cameras_are_sampled() {
    let material = |property| Property::Material(MaterialId::new(0), property);
    let light = |property| Property::Light(LightId::new(0), property);
    let scale = MaterialProperty::Transform(TextureSlot::BaseColor, TransformProperty::Scale);
    let turn = MaterialProperty::Transform(TextureSlot::Normal, TransformProperty::Rotation);
    let transform = "extensions/KHR_texture_transform";
    let strength = "extensions/KHR_materials_emissive_strength/emissiveStrength";
    let cases = [
        (
            "/materials/0/pbrMetallicRoughness/baseColorFactor".to_owned(),
            4,
            material(MaterialProperty::BaseColor),
        ),
        (
            "/materials/0/pbrMetallicRoughness/metallicFactor".to_owned(),
            1,
            material(MaterialProperty::Metallic),
        ),
        (
            "/materials/0/pbrMetallicRoughness/roughnessFactor".to_owned(),
            1,
            material(MaterialProperty::Roughness),
        ),
        ("/materials/0/emissiveFactor".to_owned(), 3, material(MaterialProperty::Emissive)),
        (format!("/materials/0/{strength}"), 1, material(MaterialProperty::EmissiveStrength)),
        ("/materials/0/alphaCutoff".to_owned(), 1, material(MaterialProperty::AlphaCutoff)),
        ("/materials/0/normalTexture/scale".to_owned(), 1, material(MaterialProperty::NormalScale)),
        (
            "/materials/0/occlusionTexture/strength".to_owned(),
            1,
            material(MaterialProperty::OcclusionStrength),
        ),
        (format!("/materials/0/pbrMetallicRoughness/baseColorTexture/{transform}/scale"), 2, material(scale)),
        (format!("/materials/0/normalTexture/{transform}/rotation"), 1, material(turn)),
        ("/extensions/KHR_lights_punctual/lights/0/color".to_owned(), 3, light(LightProperty::Color)),
        ("/extensions/KHR_lights_punctual/lights/0/intensity".to_owned(), 1, light(LightProperty::Intensity)),
        ("/extensions/KHR_lights_punctual/lights/0/range".to_owned(), 1, light(LightProperty::Range)),
        (
            "/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle".to_owned(),
            1,
            light(LightProperty::OuterAngle),
        ),
        (
            "/cameras/0/perspective/yfov".to_owned(),
            1,
            Property::Camera(CameraId::new(0), CameraProperty::First),
        ),
        (
            "/cameras/1/orthographic/ymag".to_owned(),
            1,
            Property::Camera(CameraId::new(1), CameraProperty::Second),
        ),
    ];
    let mut file = everything();
    for (pointer, width, _) in &cases {
        let values: Vec<f32> = (0..2 * width).map(|i| 1.0 + i as f32).collect();
        animate(&mut file, pointer, ["", "SCALAR", "VEC2", "VEC3", "VEC4"][*width], &values);
    }
    let model = file.clean();
    let (rig, pose) = sampled(&model, 0.5);
    for (pointer, width, property) in cases {
        let range = rig.layout.properties.range(property).expect("it is animated");
        // A quarter of the way from 1, 2, … to 1 + width, 2 + width, …
        let wanted: Vec<f32> = (0..width).map(|i| 1.0 + i as f32 + 0.25 * width as f32).collect();
        assert_eq!(pose.properties[range], wanted, "{pointer}");
        assert_eq!(property.pointer(&model), pointer);
    }
    let inner = rig.layout.properties.range(light(LightProperty::InnerAngle)).expect("its light is animated");
    assert_eq!(pose.properties[inner], [0.0], "a property that is not animated has the value of the file");
    let camera = &model.cameras[1];
    let numbers = rig.layout.properties.camera(CameraId::new(1), &pose.properties).expect("it is animated");
    assert_eq!(
        camera.with_properties(*numbers),
        Projection::Orthographic { xmag: 1.0, ymag: 1.25, near: 0.0, far: 9.0 }
    );
}

#[test]
fn animation_pointers_to_nodes_are_channels_and_single_weights_are_sampled() {
    let mut file = everything();
    animate(&mut file, "/nodes/0/translation", "VEC3", &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    animate(&mut file, "/nodes/1/weights/1", "SCALAR", &[0.0, 1.0]);
    animate(&mut file, "/meshes/0/weights/0", "SCALAR", &[2.0, 4.0]);
    let model = file.clean();
    assert_eq!(
        model.clips[0].channels,
        [Channel { node: NodeId::new(0), path: Path::Translation, curve: 0 }]
    );
    let (_, pose) = sampled(&model, 1.0);
    assert_eq!(pose.get(NodeId::new(0)).translation.x, 2.0);
    // Node 1 has its own weights, nodes 0 and 2 have those of the mesh.
    assert_eq!(pose.weights, [3.0, 0.0, 0.5, 0.5, 3.0, 0.0]);
    let pointers = model.clips[0].properties.iter().map(|channel| channel.property.pointer(&model));
    assert_eq!(
        pointers.collect::<Vec<_>>(),
        ["/nodes/1/weights/1", "/nodes/0/weights/0", "/nodes/2/weights/0"]
    );
}

/// The visible nodes at some times, with keys at 0 and 2, and the number of warnings.
fn visible(interpolation: &str, values: &[u8]) -> (Vec<[bool; 4]>, usize) {
    let mut file = everything();
    let input = file.floats("SCALAR", &[0.0, 2.0]);
    let output = file.bytes("SCALAR", 1, values);
    let sampler = json!({"input": input, "output": output, "interpolation": interpolation});
    channel(&mut file, "/nodes/0/extensions/KHR_node_visibility/visible", sampler);
    let Imported { model, warnings } = file.import().expect("it loads");
    check(&model);
    let property = model.clips[0].properties[0].property;
    assert_eq!(property.pointer(&model), "/nodes/0/extensions/KHR_node_visibility/visible");
    let states = [0.0, 1.999, 2.0].map(|time| {
        let (rig, pose) = sampled(&model, time);
        let mut visible = Vec::new();
        rig.visibility(&pose, &mut visible);
        visible.try_into().expect("four nodes")
    });
    (states.to_vec(), warnings.len())
}

#[test]
fn animation_pointers_to_visibility_use_step() {
    let (hidden, shown) = ([false, false, true, true], [true; 4]);
    assert_eq!(visible("LINEAR", &[0, 7]), (vec![hidden, hidden, shown], 1));
    assert_eq!(visible("CUBICSPLINE", &[9, 0, 9, 9, 7, 9]), (vec![hidden, hidden, shown], 1));
    assert_eq!(visible("STEP", &[0, 255]), (vec![hidden, hidden, shown], 0));
    assert_eq!(visible("STEP", &[1, 0]), (vec![shown, shown, hidden], 0));
}

#[test]
fn animation_pointers_with_splines_follow_appendix_c() {
    let mut file = everything();
    let input = file.floats("SCALAR", &[0.0, 2.0]);
    // In-tangent, value, out-tangent of each key.
    let output = file.floats("SCALAR", &[9.0, 1.0, 0.5, 2.0, 5.0, 9.0]);
    let sampler = json!({"input": input, "output": output, "interpolation": "CUBICSPLINE"});
    channel(&mut file, "/materials/0/normalTexture/scale", sampler);
    let model = file.clean();
    let (rig, pose) = sampled(&model, 1.0);
    let scale = Property::Material(MaterialId::new(0), MaterialProperty::NormalScale);
    let range = rig.layout.properties.range(scale).expect("it is animated");
    assert_eq!(pose.properties[range], [2.625], "½·1 + 2·⅛·½ + ½·5 − 2·⅛·2");
}
