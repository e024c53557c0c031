//! Extensions: invalid files first, then valid ones.

use crate::common::builder::{Builder, skinned, triangle};
use crate::common::check::check;
use gambol::animation::{Affine, Rig};
use gambol::model::{
    LightKind, MaterialId, MaterialProperty, Model, TextureSlot, TextureTransform, VariantId,
};
use glam::Mat4;
use serde_json::{Value, json};

/// Imports a file that needs one repair; returns code and pointer.
fn fault(file: &Builder) -> (&'static str, String) {
    let (_, code, pointer) = file.repaired();
    (code, pointer)
}

fn at(code: &'static str, pointer: &str) -> (&'static str, String) {
    (code, pointer.to_owned())
}

/// The triangle with a material that has a texture in each slot.
fn textured() -> Builder {
    let mut file = triangle();
    file.push("images", json!({"uri": "a.png"}));
    file.push("textures", json!({"source": 0}));
    let info = json!({"index": 0});
    file.push(
        "materials",
        json!({
            "pbrMetallicRoughness": {"baseColorTexture": info, "metallicRoughnessTexture": info},
            "normalTexture": info, "occlusionTexture": info, "emissiveTexture": info,
        }),
    );
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    file
}

#[test]
fn broken_texture_transforms_are_the_identity() {
    let mut file = textured();
    for (key, value) in [("offset", json!([1])), ("rotation", json!("x")), ("scale", json!([1, {}]))] {
        file.json["materials"][0]["normalTexture"]["extensions"] =
            json!({"KHR_texture_transform": { key: value }});
        let pointer = format!("/materials/0/normalTexture/extensions/KHR_texture_transform/{key}");
        let (model, code, found) = file.repaired();
        assert_eq!((code, found), ("import/invalid-value", pointer));
        let transform = model.materials[0].texture(TextureSlot::Normal).expect("a texture").transform;
        assert_eq!(transform, TextureTransform::IDENTITY);
    }
}

#[test]
fn texture_transforms_are_read_in_every_slot() {
    let mut file = textured();
    let transform = |i: usize| {
        let transform = json!({"offset": [i, 0.5], "rotation": 0.25, "scale": [2, 3], "texCoord": 1});
        json!({"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": transform}})
    };
    let material = &mut file.json["materials"][0];
    material["pbrMetallicRoughness"]["baseColorTexture"] = transform(0);
    material["pbrMetallicRoughness"]["metallicRoughnessTexture"] = transform(1);
    for (i, key) in [(2, "normalTexture"), (3, "occlusionTexture"), (4, "emissiveTexture")] {
        material[key] = transform(i);
    }
    file.json["extensionsRequired"] = json!(["KHR_texture_transform"]);
    let model = file.clean();
    for (i, slot) in TextureSlot::ALL.into_iter().take(5).enumerate() {
        let used = model.materials[0].texture(slot).expect("a texture");
        let wanted = TextureTransform { offset: [i as f32, 0.5], rotation: 0.25, scale: [2.0, 3.0] };
        assert_eq!((used.transform, used.tex_coord), (wanted, 1), "{slot:?}");
    }
}

#[test]
fn texture_transform_of_a_quarter_turn_matches_the_specification() {
    // The specification's example: the lower left quadrant, rotated.
    let transform =
        TextureTransform { offset: [0.0, 1.0], rotation: std::f32::consts::FRAC_PI_2, scale: [0.5, 0.5] };
    let rows = transform.rows();
    let apply = |u: f32, v: f32| rows.map(|[a, b, c]| a * u + b * v + c);
    for ([u, v], want) in [([0.0, 0.0], [0.0, 1.0]), ([1.0, 0.0], [0.0, 0.5]), ([0.0, 1.0], [0.5, 1.0])] {
        let got = apply(u, v);
        assert!((got[0] - want[0]).abs() < 1e-6 && (got[1] - want[1]).abs() < 1e-6, "{got:?} {want:?}");
    }
}

#[test]
fn materials_unlit_and_emissive_strength_are_read() {
    let mut file = textured();
    file.json["materials"][0]["extensions"] =
        json!({"KHR_materials_emissive_strength": {"emissiveStrength": -3}});
    let pointer = "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength";
    assert_eq!(fault(&file), at("import/invalid-value", pointer));

    file.json["materials"][0]["extensions"] =
        json!({"KHR_materials_unlit": {}, "KHR_materials_emissive_strength": {"emissiveStrength": 7.5}});
    file.push("materials", json!({}));
    let model = file.clean();
    let strength = |i: usize| model.materials[i].properties()[MaterialProperty::EmissiveStrength.range()][0];
    assert_eq!((model.materials[0].unlit, strength(0)), (true, 7.5));
    assert_eq!((model.materials[1].unlit, strength(1)), (false, 1.0));
}

/// A file with three materials, two variants and these mappings.
fn variants(mappings: Value) -> Builder {
    let mut file = textured();
    file.push("materials", json!({}));
    file.push("materials", json!({}));
    file.json["extensions"] =
        json!({"KHR_materials_variants": {"variants": [{"name": "red"}, {"name": "Blau é"}]}});
    file.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": {"mappings": mappings}});
    file
}

#[test]
fn variants_that_are_broken_are_skipped() {
    let place = "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings";
    let cases = [
        (json!([{"material": 9, "variants": [0]}]), "import/index-out-of-range", "/0/material"),
        (json!([{"material": 1, "variants": [2]}]), "import/index-out-of-range", "/0/variants/0"),
        (json!([{"material": 1, "variants": [1, "x"]}]), "import/index-out-of-range", "/0/variants/1"),
        (json!([{"variants": [0]}]), "import/invalid-value", "/0"),
        (
            json!([{"material": 1, "variants": [0]}, {"material": 2, "variants": [0]}]),
            "import/invalid-value",
            "",
        ),
    ];
    for (mappings, code, pointer) in cases {
        assert_eq!(fault(&variants(mappings)), at(code, &format!("{place}{pointer}")));
    }
}

#[test]
fn variants_map_to_materials() {
    let file = variants(json!([{"material": 2, "variants": [1]}, {"material": 1, "variants": [0]}]));
    let model = file.clean();
    assert_eq!(model.variants, ["red", "Blau é"]);
    let primitive = &model.meshes[0].primitives[0];
    let material = |variant: Option<usize>| primitive.material_of(variant.map(VariantId::new));
    assert_eq!(
        [None, Some(0), Some(1), Some(7)].map(material),
        [0, 1, 2, 0].map(|i| Some(MaterialId::new(i)))
    );
}

/// The triangle's node with a light.
fn lit(light: Value) -> Builder {
    let mut file = triangle();
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [light]}});
    file.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    file
}

#[test]
fn lights_that_are_broken_use_defaults_or_are_off() {
    let place = "/extensions/KHR_lights_punctual/lights/0";
    let cases = [
        (json!({}), "/type"),
        (json!({"type": "area"}), "/type"),
        (json!({"type": "point", "intensity": -1}), "/intensity"),
        (json!({"type": "point", "range": 0}), "/range"),
        (json!({"type": "point", "color": [1, 1]}), "/color"),
        (json!({"type": "spot", "spot": {"outerConeAngle": 2}}), "/spot/outerConeAngle"),
        (
            json!({"type": "spot", "spot": {"outerConeAngle": 0.2, "innerConeAngle": 0.2}}),
            "/spot/innerConeAngle",
        ),
    ];
    for (light, pointer) in cases {
        assert_eq!(fault(&lit(light)), at("import/invalid-value", &format!("{place}{pointer}")));
    }
    let mut file = lit(json!({"type": "point"}));
    file.json["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"] = json!(1);
    let pointer = "/nodes/0/extensions/KHR_lights_punctual/light";
    assert_eq!(fault(&file), at("import/index-out-of-range", pointer));
}

#[test]
fn lights_are_read() {
    let model = lit(json!({"type": "point"})).clean();
    let light = &model.lights[0];
    assert_eq!(
        (light.kind, light.color, light.intensity, light.range),
        (LightKind::Point, [1.0; 3], 1.0, None)
    );
    let spot = json!({
        "type": "spot", "name": "lamp", "color": [1, 0.5, 0], "intensity": 20, "range": 3,
        "spot": {"innerConeAngle": 0.1},
    });
    let model = lit(spot).clean();
    let light = &model.lights[0];
    let kind = LightKind::Spot { inner: 0.1, outer: std::f32::consts::FRAC_PI_4 };
    assert_eq!((light.kind, light.intensity, light.range), (kind, 20.0, Some(3.0)));
    assert_eq!(model.nodes[0].light.map(|light| light.index()), Some(0));
    assert_eq!(Rig::new(&model).layout.lights.len(), 1);
}

fn visibility(model: &Model) -> Vec<bool> {
    let rig = Rig::new(model);
    let mut visible = vec![false; 99];
    rig.visibility(rig.rest_pose(), &mut visible);
    visible
}

#[test]
fn invisible_node_hides_its_descendants() {
    let mut file = triangle();
    assert_eq!(visibility(&file.clean()), [false; 0], "no node is ever hidden");
    file.json["nodes"] = json!([{"mesh": 0, "children": [1]}, {"children": [2]}, {"mesh": 0}, {}]);
    file.json["nodes"][1]["extensions"] = json!({"KHR_node_visibility": {"visible": 0}});
    assert_eq!(fault(&file), at("import/invalid-value", "/nodes/1/extensions/KHR_node_visibility/visible"));
    file.json["nodes"][1]["extensions"] = json!({"KHR_node_visibility": {"visible": false}});
    file.json["nodes"][2]["extensions"] = json!({"KHR_node_visibility": {"visible": true}});
    file.json["extensionsRequired"] = json!(["KHR_node_visibility"]);
    assert_eq!(visibility(&file.clean()), [true, false, false, true]);
}

/// The file with instances by these attributes.
fn instanced(mut file: Builder, attributes: Value) -> Builder {
    file.json["nodes"][0]["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    file
}

#[test]
fn broken_instances_show_the_mesh_once() {
    let place = "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes";
    let mut file = triangle();
    let three = file.floats("VEC3", &[1.0; 9]);
    let two = file.floats("VEC3", &[1.0; 6]);
    let cases = [
        (json!({}), "import/instances-ignored", ""),
        (json!({"TRANSLATION": 99}), "import/instances-ignored", ""),
        (json!({"TRANSLATION": three, "SCALE": two}), "import/accessor-count", "/SCALE"),
        (json!({"TRANSLATION": three, "ROTATION": three}), "import/accessor-type", "/ROTATION"),
    ];
    for (attributes, code, pointer) in cases {
        let mut file = triangle();
        file.floats("VEC3", &[1.0; 9]);
        file.floats("VEC3", &[1.0; 6]);
        let (model, found, at) = instanced(file, attributes).repaired();
        assert_eq!((found, at), (code, format!("{place}{pointer}")));
        assert_eq!(Rig::new(&model).layout.drawables.len(), 1);
    }
    let mut file = skinned();
    let three = file.floats("VEC3", &[1.0; 9]);
    let (model, code, pointer) = instanced(file, json!({"TRANSLATION": three})).repaired();
    assert_eq!((code, pointer.as_str()), ("import/instances-ignored", place));
    assert_eq!(Rig::new(&model).layout.drawables.len(), 1);

    let mut file = triangle();
    let huge = json!({"componentType": 5126, "type": "VEC3", "count": 900_000_000_u64});
    let huge = file.push("accessors", huge);
    assert_eq!(instanced(file, json!({"TRANSLATION": huge})).error(), at("import/too-many", "/nodes/0"));
}

#[test]
fn instances_are_placed_within_their_node() {
    let mut file = triangle();
    file.json["nodes"][0]["translation"] = json!([10, 0, 0]);
    let translation = file.floats("VEC3", &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let rotation = file.view(&[0, 0, 127, 0, 0, 0, 0, 127]);
    let rotation = file.push(
        "accessors",
        json!({"bufferView": rotation, "componentType": 5120, "normalized": true, "type": "VEC4", "count": 2}),
    );
    let file = instanced(file, json!({"TRANSLATION": translation, "ROTATION": rotation, "_ID": 7}));
    let imported = file.import().expect("it loads");
    assert_eq!(imported.warnings, []);
    let model = imported.model;
    check(&model);
    let rig = Rig::new(&model);
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);
    let half_turn = Mat4::from_rotation_z(std::f32::consts::PI);
    let wanted = [
        Mat4::from_translation(glam::Vec3::new(11.0, 0.0, 0.0)) * half_turn,
        Mat4::from_translation(glam::Vec3::new(12.0, 0.0, 0.0)),
    ];
    assert_eq!(rig.layout.drawables.len(), 2);
    for (got, want) in palette.iter().zip(wanted) {
        assert!(Mat4::from(*got).abs_diff_eq(want, 1e-5), "{got:?} {want}");
    }
}
