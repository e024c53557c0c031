//! Extensions of materials: invalid files first, then valid ones.

use crate::common::builder::{Builder, triangle};
use gambol::animation::Rig;
use gambol::model::{
    Layers, Material, MaterialId, MaterialProperty, NUMBERS, Property, TextureId, TextureRef, TextureSlot,
    TextureTransform, TransformProperty,
};
use serde_json::{Value, json};

/// The triangle with a texture and a material with these extensions.
fn layered(extensions: Value) -> Builder {
    let mut file = triangle();
    file.push("images", json!({"uri": "a.png"}));
    file.push("textures", json!({"source": 0}));
    file.push("materials", json!({"extensions": extensions}));
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    file
}

/// Imports a file with one extension that needs one repair; returns the material, code, and pointer within the
/// extension.
fn repaired(extension: &str, value: Value) -> (Material, &'static str, String) {
    let (mut model, code, pointer) = layered(json!({ extension: value })).repaired();
    let place = format!("/materials/0/extensions/{extension}");
    let within = pointer.strip_prefix(&place).unwrap_or_else(|| panic!("{pointer} is elsewhere")).to_owned();
    (model.materials.remove(0), code, within)
}

#[test]
fn material_factors_out_of_range_are_clamped_with_a_warning() {
    use MaterialProperty as P;
    let cases: &[(&str, &str, Value, P, &[f32])] = &[
        ("KHR_materials_ior", "ior", json!(0.5), P::Ior, &[1.0]),
        ("KHR_materials_ior", "ior", json!(-1), P::Ior, &[1.0]),
        ("KHR_materials_dispersion", "dispersion", json!(-2), P::Dispersion, &[0.0]),
        ("KHR_materials_specular", "specularFactor", json!(2), P::Specular, &[1.0]),
        (
            "KHR_materials_specular",
            "specularColorFactor",
            json!([-1, 3, 0.5]),
            P::SpecularColor,
            &[0.0, 3.0, 0.5],
        ),
        ("KHR_materials_clearcoat", "clearcoatFactor", json!(1.5), P::Clearcoat, &[1.0]),
        ("KHR_materials_clearcoat", "clearcoatRoughnessFactor", json!(-1), P::ClearcoatRoughness, &[0.0]),
        ("KHR_materials_sheen", "sheenColorFactor", json!([0, 9, 0]), P::SheenColor, &[0.0, 1.0, 0.0]),
        ("KHR_materials_sheen", "sheenRoughnessFactor", json!(4), P::SheenRoughness, &[1.0]),
        ("KHR_materials_transmission", "transmissionFactor", json!(1.01), P::Transmission, &[1.0]),
        ("KHR_materials_volume", "thicknessFactor", json!(-0.5), P::Thickness, &[0.0]),
        ("KHR_materials_volume", "attenuationColor", json!([2, 1, 1]), P::AttenuationColor, &[1.0, 1.0, 1.0]),
        ("KHR_materials_iridescence", "iridescenceFactor", json!(7), P::Iridescence, &[1.0]),
        ("KHR_materials_iridescence", "iridescenceIor", json!(0.9), P::IridescenceIor, &[1.0]),
        (
            "KHR_materials_iridescence",
            "iridescenceThicknessMaximum",
            json!(-1),
            P::IridescenceThicknessMaximum,
            &[0.0],
        ),
        ("KHR_materials_anisotropy", "anisotropyStrength", json!(-1), P::AnisotropyStrength, &[0.0]),
        (
            "KHR_materials_diffuse_transmission",
            "diffuseTransmissionFactor",
            json!(1.5),
            P::DiffuseTransmission,
            &[1.0],
        ),
        (
            "KHR_materials_diffuse_transmission",
            "diffuseTransmissionColorFactor",
            json!([-1, 0.5, 2]),
            P::DiffuseTransmissionColor,
            &[0.0, 0.5, 1.0],
        ),
        ("KHR_materials_pbrSpecularGlossiness", "glossinessFactor", json!(2), P::Glossiness, &[1.0]),
        (
            "KHR_materials_pbrSpecularGlossiness",
            "specularFactor",
            json!([1, 2, 0]),
            P::SpecularColor,
            &[1.0, 1.0, 0.0],
        ),
    ];
    for (extension, key, value, property, want) in cases {
        let (material, code, pointer) = repaired(extension, json!({ *key: value }));
        assert_eq!((code, pointer), ("import/number-replaced", format!("/{key}")));
        assert_eq!(material.properties()[property.range()], **want, "{extension} {key}");
    }
}

#[test]
fn material_factors_that_are_not_numbers_are_the_default() {
    let defaults = Material::default().properties();
    for (extension, key, value, property) in [
        ("KHR_materials_ior", "ior", json!("glass"), MaterialProperty::Ior),
        ("KHR_materials_volume", "attenuationDistance", json!(0), MaterialProperty::AttenuationDistance),
        ("KHR_materials_sheen", "sheenColorFactor", json!([1, 1]), MaterialProperty::SheenColor),
        ("KHR_materials_anisotropy", "anisotropyRotation", json!([]), MaterialProperty::AnisotropyRotation),
        (
            "KHR_materials_diffuse_transmission",
            "diffuseTransmissionFactor",
            json!("half"),
            MaterialProperty::DiffuseTransmission,
        ),
        (
            "KHR_materials_diffuse_transmission",
            "diffuseTransmissionColorFactor",
            json!([1, null, 1]),
            MaterialProperty::DiffuseTransmissionColor,
        ),
        (
            "KHR_materials_diffuse_transmission",
            "diffuseTransmissionColorFactor",
            json!([1, 1, 1, 1]),
            MaterialProperty::DiffuseTransmissionColor,
        ),
    ] {
        let (material, code, pointer) = repaired(extension, json!({ key: value }));
        assert_eq!((code, pointer), ("import/invalid-value", format!("/{key}")));
        assert_eq!(material.properties()[property.range()], defaults[property.range()]);
    }
}

#[test]
fn material_textures_that_do_not_exist_are_ignored() {
    for (extension, key, slot) in TEXTURES {
        let (material, code, pointer) = repaired(extension, json!({ *key: {"index": 7} }));
        assert_eq!((code, pointer), ("import/index-out-of-range", format!("/{key}/index")));
        assert_eq!(material.texture(*slot), None);
        let (_, code, pointer) = repaired(extension, json!({ *key: {} }));
        assert_eq!((code, pointer), ("import/invalid-value", format!("/{key}/index")));
        let broken = json!({"index": 0, "extensions": {"KHR_texture_transform": {"scale": 1}}});
        let (material, _, pointer) = repaired(extension, json!({ *key: broken }));
        assert_eq!(pointer, format!("/{key}/extensions/KHR_texture_transform/scale"));
        assert_eq!(material.texture(*slot).map(|used| used.transform), Some(TextureTransform::IDENTITY));
    }
    let scaled = json!({"clearcoatNormalTexture": {"index": 0, "scale": "much"}});
    let (_, code, pointer) = repaired("KHR_materials_clearcoat", scaled);
    assert_eq!((code, pointer.as_str()), ("import/invalid-value", "/clearcoatNormalTexture/scale"));
}

/// All textures of extensions.
const TEXTURES: &[(&str, &str, TextureSlot)] = &[
    ("KHR_materials_specular", "specularTexture", TextureSlot::Specular),
    ("KHR_materials_specular", "specularColorTexture", TextureSlot::SpecularColor),
    ("KHR_materials_clearcoat", "clearcoatTexture", TextureSlot::Clearcoat),
    ("KHR_materials_clearcoat", "clearcoatRoughnessTexture", TextureSlot::ClearcoatRoughness),
    ("KHR_materials_clearcoat", "clearcoatNormalTexture", TextureSlot::ClearcoatNormal),
    ("KHR_materials_sheen", "sheenColorTexture", TextureSlot::SheenColor),
    ("KHR_materials_sheen", "sheenRoughnessTexture", TextureSlot::SheenRoughness),
    ("KHR_materials_transmission", "transmissionTexture", TextureSlot::Transmission),
    ("KHR_materials_volume", "thicknessTexture", TextureSlot::Thickness),
    ("KHR_materials_iridescence", "iridescenceTexture", TextureSlot::Iridescence),
    ("KHR_materials_iridescence", "iridescenceThicknessTexture", TextureSlot::IridescenceThickness),
    ("KHR_materials_anisotropy", "anisotropyTexture", TextureSlot::Anisotropy),
    ("KHR_materials_diffuse_transmission", "diffuseTransmissionTexture", TextureSlot::DiffuseTransmission),
    (
        "KHR_materials_diffuse_transmission",
        "diffuseTransmissionColorTexture",
        TextureSlot::DiffuseTransmissionColor,
    ),
    ("KHR_materials_pbrSpecularGlossiness", "diffuseTexture", TextureSlot::BaseColor),
    ("KHR_materials_pbrSpecularGlossiness", "specularGlossinessTexture", TextureSlot::SpecularColor),
];

#[test]
fn material_textures_are_read_with_coordinates_and_animated_transforms() {
    for (extension, key, slot) in TEXTURES {
        let transform = json!({"offset": [0.25, 0.5], "texCoord": 3});
        let info = json!({"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": transform}});
        let mut file = layered(json!({ *extension: { *key: info } }));
        file.json["extensionsRequired"] = json!([extension]);
        let pointer =
            format!("/materials/0/extensions/{extension}/{key}/extensions/KHR_texture_transform/scale");
        animate(&mut file, &pointer, "VEC2", &[1.0, 1.0, 3.0, 4.0]);
        let model = file.clean();
        let want = TextureRef {
            texture: TextureId::new(0),
            tex_coord: 3,
            transform: TextureTransform { offset: [0.25, 0.5], ..TextureTransform::IDENTITY },
        };
        assert_eq!(model.materials[0].texture(*slot), Some(want), "{extension} {key}");
        let scale = MaterialProperty::Transform(*slot, TransformProperty::Scale);
        let property = model.clips[0].properties[0].property;
        assert_eq!(property, Property::Material(MaterialId::new(0), scale));
        assert_eq!(property.pointer(&model), pointer);
    }
}

fn animate(file: &mut Builder, pointer: &str, kind: &str, values: &[f32]) {
    let (input, output) = (file.floats("SCALAR", &[0.0, 2.0]), file.floats(kind, values));
    let extensions = json!({"KHR_animation_pointer": {"pointer": pointer}});
    file.push(
        "animations",
        json!({
            "samplers": [{"input": input, "output": output}],
            "channels": [{"sampler": 0, "target": {"path": "pointer", "extensions": extensions}}],
        }),
    );
}

/// All factors of extensions.
const FACTORS: &[(&str, &str, MaterialProperty)] = &[
    ("KHR_materials_ior", "ior", MaterialProperty::Ior),
    ("KHR_materials_dispersion", "dispersion", MaterialProperty::Dispersion),
    ("KHR_materials_specular", "specularFactor", MaterialProperty::Specular),
    ("KHR_materials_specular", "specularColorFactor", MaterialProperty::SpecularColor),
    ("KHR_materials_clearcoat", "clearcoatFactor", MaterialProperty::Clearcoat),
    ("KHR_materials_clearcoat", "clearcoatRoughnessFactor", MaterialProperty::ClearcoatRoughness),
    ("KHR_materials_sheen", "sheenColorFactor", MaterialProperty::SheenColor),
    ("KHR_materials_sheen", "sheenRoughnessFactor", MaterialProperty::SheenRoughness),
    ("KHR_materials_transmission", "transmissionFactor", MaterialProperty::Transmission),
    ("KHR_materials_volume", "thicknessFactor", MaterialProperty::Thickness),
    ("KHR_materials_volume", "attenuationDistance", MaterialProperty::AttenuationDistance),
    ("KHR_materials_volume", "attenuationColor", MaterialProperty::AttenuationColor),
    ("KHR_materials_iridescence", "iridescenceFactor", MaterialProperty::Iridescence),
    ("KHR_materials_iridescence", "iridescenceIor", MaterialProperty::IridescenceIor),
    (
        "KHR_materials_iridescence",
        "iridescenceThicknessMinimum",
        MaterialProperty::IridescenceThicknessMinimum,
    ),
    (
        "KHR_materials_iridescence",
        "iridescenceThicknessMaximum",
        MaterialProperty::IridescenceThicknessMaximum,
    ),
    ("KHR_materials_anisotropy", "anisotropyStrength", MaterialProperty::AnisotropyStrength),
    ("KHR_materials_anisotropy", "anisotropyRotation", MaterialProperty::AnisotropyRotation),
    (
        "KHR_materials_diffuse_transmission",
        "diffuseTransmissionFactor",
        MaterialProperty::DiffuseTransmission,
    ),
    (
        "KHR_materials_diffuse_transmission",
        "diffuseTransmissionColorFactor",
        MaterialProperty::DiffuseTransmissionColor,
    ),
    ("KHR_materials_pbrSpecularGlossiness", "diffuseFactor", MaterialProperty::BaseColor),
    ("KHR_materials_pbrSpecularGlossiness", "specularFactor", MaterialProperty::SpecularColor),
    ("KHR_materials_pbrSpecularGlossiness", "glossinessFactor", MaterialProperty::Glossiness),
];

#[test]
fn material_factors_are_read_and_animated() {
    for (extension, key, property) in FACTORS {
        let width = property.range().len();
        // 1 and 1 + 1/2 … are in every range that begins at 1, the others in ranges that end at 1.
        let of_index = key.ends_with("or") && key.to_lowercase().ends_with("ior");
        let least = if of_index { 1.0 } else { 0.125 };
        let values: Vec<f32> = (0..width).map(|i| least + 0.125 * i as f32).collect();
        let value = if width == 1 { json!(values[0]) } else { json!(values) };
        let mut file = layered(json!({ *extension: { *key: value } }));
        let kind = ["SCALAR", "", "VEC3", "VEC4"][width - 1];
        let ends = [values.clone(), values.iter().map(|value| value + 0.25).collect()].concat();
        let pointer = format!("/materials/0/extensions/{extension}/{key}");
        animate(&mut file, &pointer, kind, &ends);
        let model = file.clean();
        assert_eq!(model.clips[0].properties[0].property.pointer(&model), pointer);
        assert_eq!(model.materials[0].properties()[property.range()], values, "{extension} {key}");

        let rig = Rig::new(&model);
        let mut pose = rig.rest_pose().clone();
        rig.sample(gambol::model::ClipId::new(0), 1.0, &mut pose);
        let range = rig.layout.properties.range(Property::Material(MaterialId::new(0), *property));
        let wanted: Vec<f32> = values.iter().map(|value| value + 0.125).collect();
        assert_eq!(pose.properties[range.expect("it is animated")], wanted, "{extension} {key}");
    }
}

#[test]
fn material_channels_of_missing_extensions_are_ignored() {
    for (extension, key, property) in FACTORS {
        if ["KHR_materials_ior", "KHR_materials_dispersion"].contains(extension) {
            continue;
        }
        let mut file = layered(json!({"KHR_materials_unlit": {}}));
        let kind = ["SCALAR", "", "VEC3", "VEC4"][property.range().len() - 1];
        let values = vec![0.0; 2 * property.range().len()];
        animate(&mut file, &format!("/materials/0/extensions/{extension}/{key}"), kind, &values);
        assert_eq!(file.repaired().1, "import/channel-ignored", "{extension} {key}");
    }
}

#[test]
fn material_without_extensions_has_default_layers() {
    let model = layered(json!({})).clean();
    assert_eq!(model.materials[0].layers, Layers::default());
    let model = layered(json!({"KHR_materials_ior": {"ior": 0}})).clean();
    let ior = &model.materials[0].properties()[MaterialProperty::Ior.range()];
    assert_eq!(ior, [0.0], "it stands for an infinite one");
}

#[test]
fn material_specular_glossiness_replaces_metallic_roughness() {
    let mut file = layered(json!({
        "KHR_materials_pbrSpecularGlossiness": {"diffuseFactor": [0.5, 0.25, 0.125, 1], "specularFactor": [0, 0.5, 1]},
        "KHR_materials_specular": {"specularColorTexture": {"index": 0}},
    }));
    file.json["materials"][0]["pbrMetallicRoughness"] =
        json!({"baseColorFactor": [1, 1, 1, 1], "baseColorTexture": {"index": 0}});
    let material = &file.clean().materials[0];
    assert_eq!((material.base_color, material.base_color_texture), ([0.5, 0.25, 0.125, 1.0], None));
    assert_eq!(material.texture(TextureSlot::SpecularColor), None, "the texture is another model's");
    assert_eq!(material.properties()[MaterialProperty::SpecularColor.range()], [0.0, 0.5, 1.0]);
}

#[test]
fn material_debug_views_are_the_same_in_the_package_and_in_the_demo() {
    let read = |path: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let wanted: Vec<&str> = NUMBERS.iter().filter_map(|row| row.view).collect();
    // The words of a list that follow the last one of meshes and of the core.
    let words = |text: &str, before: &str, end: &str| -> Vec<String> {
        let list = text.rsplit(before).next().and_then(|rest| rest.split(end).next()).unwrap_or_default();
        let name =
            |line: &str| line.split(':').next().unwrap_or_default().trim_matches(['\'', ',', ' ']).to_owned();
        list.lines().map(name).filter(|word| !word.is_empty()).collect()
    };
    let package = read("www/gambol/src/api/debug-views.ts");
    assert_eq!(words(&package, "  'vertex-colors',\n", "];"), wanted, "the list of the package");
    for view in &wanted {
        assert!(package.contains(&format!("  | '{view}'\n")), "{view} is missing in the type DebugSurface");
    }
    let demo = read("www/demo/inspect/panels/debug.tsx");
    assert_eq!(words(&demo, "'Material extensions', {\n", "}),"), wanted, "the list of the demo");
}
