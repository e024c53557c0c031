//! Materials and textures.

use super::document::{Element, NOTHING, Value, element, properties, property};
use super::*;
use crate::scene::{Alpha, ImageData, Material};

/// A triangle with a material. Textures connect to properties of the material.
fn document(shading: &str, list: Vec<Element>, textures: &[(&str, Vec<Element>)]) -> Document {
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    document.mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[&[0, 1, 2]], vec![], model);
    let parts = vec![element("ShadingModel", [shading.into()], vec![]), properties(list)];
    let material = document.object("Material", "Skin", "Material", "", parts, model);
    for (property, list) in textures {
        let texture = document.object("Texture", "T", "Texture", "", list.clone(), NOTHING);
        document.connect_property(texture, material, property);
    }
    document
}

fn color(name: &str, value: [f64; 3]) -> Element {
    property(name, "Color", &value)
}

fn number(name: &str, value: f64) -> Element {
    property(name, "Number", &[value])
}

fn file(path: &str) -> Vec<Element> {
    vec![
        element("FileName", [format!("C:\\nowhere\\{path}").as_str().into()], vec![]),
        element("RelativeFilename", [path.into()], vec![]),
    ]
}

fn material(document: &Document) -> Material {
    read(document).materials.remove(0)
}

#[test]
fn fbx_phong_becomes_a_physical_material() {
    let list = vec![
        color("DiffuseColor", [0.5, 0.25, 1.0]),
        number("DiffuseFactor", 0.5),
        color("SpecularColor", [0.5, 0.5, 0.5]),
        number("SpecularFactor", 1.0),
        number("ShininessExponent", 30.0),
        color("EmissiveColor", [1.0, 0.5, 0.0]),
        number("EmissiveFactor", 0.5),
    ];
    let material = material(&document("phong", list, &[]));
    assert_eq!(material.base_color, [0.25, 0.125, 0.5, 1.0]);
    assert_eq!(material.emissive, [0.5, 0.25, 0.0]);
    assert_eq!(material.metallic, 0.0);
    // 2 / 0.5⁴ − 2 = 30.
    assert!((material.roughness - 0.5).abs() < 1e-6);
    assert_eq!(material.alpha, Alpha::Opaque);
    assert!(material.double_sided);
    let plain = self::material(&document("lambert", vec![], &[]));
    assert_eq!((plain.base_color, plain.roughness), ([0.8, 0.8, 0.8, 1.0], 1.0));
}

#[test]
fn fbx_transparency_becomes_alpha() {
    for (list, alpha) in [
        (vec![], 1.0),
        (vec![number("Opacity", 0.25)], 0.25),
        (vec![number("Opacity", 0.0)], 1.0),
        (vec![color("TransparentColor", [0.5; 3]), number("TransparencyFactor", 0.5)], 0.75),
        (vec![color("TransparentColor", [1.0; 3]), number("TransparencyFactor", 1.0)], 1.0),
        (vec![color("TransparentColor", [0.0; 3]), number("TransparencyFactor", 1.0)], 1.0),
    ] {
        let material = material(&document("phong", list, &[]));
        assert_eq!(material.base_color[3], alpha);
        assert_eq!(material.alpha == Alpha::Blend, alpha < 1.0);
    }
}

#[test]
fn fbx_textures_replace_colors_and_share_images() {
    let skin = "textures\\skin 1.png";
    let textures =
        [("DiffuseColor", file(skin)), ("NormalMap", file("normal.png")), ("TransparentColor", file(skin))];
    let scene = read(&document("phong", vec![color("DiffuseColor", [0.5; 3])], &textures));
    let material = &scene.materials[0];
    assert_eq!(material.base_color, [1.0; 4]);
    assert_eq!(material.alpha, Alpha::Mask { cutoff: 0.5 });
    let uris: Vec<_> = scene
        .images
        .iter()
        .map(|image| match &image.data {
            ImageData::External(uri) => (image.name.as_str(), uri.as_str()),
            ImageData::Embedded { .. } => panic!("an embedded image"),
        })
        .collect();
    assert_eq!(uris, [("skin 1", "textures/skin%201.png"), ("normal", "normal.png")]);
    assert_eq!(material.base_color_texture.map(|texture| texture.image), Some(0));
    assert_eq!(material.normal_texture.map(|texture| texture.image), Some(1));
}

#[test]
fn fbx_embedded_images_are_kept() {
    let png = [b"\x89PNG\r\n\x1a\n".to_vec(), vec![7; 50]].concat();
    for (bytes, expected) in [
        (png, Some("image/png")),
        (b"\xff\xd8\xff\xe0jpeg".to_vec(), Some("image/jpeg")),
        (b"DDS something".to_vec(), None),
    ] {
        let mut document = document(
            "phong",
            vec![color("DiffuseColor", [0.5; 3])],
            &[("DiffuseColor", file("C:\\a\\skin.tga"))],
        );
        let list = vec![
            element("RelativeFilename", ["C:\\a\\skin.tga".into()], vec![]),
            element("Content", [Value::Bytes(bytes.clone())], vec![]),
        ];
        let texture = document.last();
        document.object("Video", "V", "Video", "Clip", list, texture);
        let (scene, warnings) = read_with_warnings(&document);
        match expected {
            Some(expected) => {
                let ImageData::Embedded { bytes: found, mime_type } = &scene.images[0].data else {
                    panic!("not embedded")
                };
                assert_eq!((found, *mime_type), (&bytes, expected));
                assert_eq!(warnings, []);
            }
            None => {
                assert!(scene.images.is_empty());
                assert_eq!(
                    scene.materials[0].base_color,
                    [0.5, 0.5, 0.5, 1.0],
                    "the colour without the texture"
                );
                assert_eq!(warnings[0].code, "fbx/texture");
            }
        }
    }
}

#[test]
fn fbx_textures_without_a_place_in_gltf_are_warned_of() {
    let textures =
        [("DiffuseColor", file("a.png")), ("Bump", file("b.png")), ("TransparentColor", file("c.png"))];
    let (scene, warnings) = read_with_warnings(&document("phong", vec![], &textures));
    assert_eq!(scene.materials[0].alpha, Alpha::Opaque);
    let messages: Vec<_> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "The texture of bumps (heights) is left out",
            "The texture of opacity that is not the alpha of the colour texture is left out",
        ]
    );
}

#[test]
fn fbx_texture_transforms_are_applied_to_coordinates() {
    let mut texture = file("a.png");
    texture.push(properties(vec![
        property("Scaling", "Vector", &[2.0, 4.0, 1.0]),
        property("Translation", "Vector", &[0.5, 0.0, 0.0]),
    ]));
    let mut document = Document::metres();
    let model = document.model("A", "Mesh", &[], 0);
    let uv = vec![
        element("MappingInformationType", ["ByVertice".into()], vec![]),
        element("ReferenceInformationType", ["Direct".into()], vec![]),
        element("UV", [Value::Reals(vec![0.5, 0.25, 1.0, 0.0, 0.0, 1.0])], vec![]),
    ];
    let uv = vec![element("LayerElementUV", [0.into()], uv)];
    document.mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[&[0, 1, 2]], uv, model);
    let material = document.object("Material", "M", "Material", "", vec![], model);
    let texture = document.object("Texture", "T", "Texture", "", texture, NOTHING);
    document.connect_property(texture, material, "DiffuseColor");
    let scene = read(&document);
    // The image is scaled and moved, so coordinates are divided by the scale.
    let first = scene.meshes[0].primitives[0].texcoords[0][0].map(f64::from);
    assert_near(&first, &[0.0, 1.0 - 0.25 / 4.0], 1e-6);
}

/// A property with the text of a shader.
fn shader_text(name: &str, text: &str) -> Element {
    element("P", [name.into(), "KString".into(), "".into(), "".into(), text.into()], vec![])
}

#[test]
fn fbx_standard_surfaces_of_maya_are_physical() {
    // Maya has an object for the shader, with a table of the names that the shader has for the material's properties.
    let names = [
        ("base", "base"),
        ("baseColor", "base_color"),
        ("metalness", "metalness"),
        ("specularRoughness", "specular_roughness"),
        ("emission", "emission"),
        ("emissionColor", "emission_color"),
        ("opacity", "opacity"),
        ("normalCamera", "normalCamera"),
    ];
    for (api, shader_names) in [("OSL", true), ("ARNOLD_SHADER_ID", false)] {
        let list = vec![
            number("Maya|base", 0.5),
            color("Maya|baseColor", [1.0, 0.5, 0.25]),
            number("Maya|metalness", 0.75),
            number("Maya|specularRoughness", 0.375),
            number("Maya|emission", 0.5),
            color("Maya|emissionColor", [0.0, 1.0, 0.5]),
            color("Maya|opacity", [0.25; 3]),
        ];
        let mut document = document("unknown", list, &[("Maya|normalCamera", file("normal.png"))]);
        // The texture comes after its material.
        let material = document.last() - 1;
        let list = vec![properties(vec![shader_text("RenderAPI", api)])];
        let shader = document.object("Implementation", "S", "Implementation", "", list, NOTHING);
        document.connect(material, shader);
        let entries = names.map(|(maya, osl)| {
            let name = if shader_names { osl } else { maya };
            let values = [
                format!("Maya|{maya}").as_str().into(),
                "FbxPropertyEntry".into(),
                name.into(),
                "FbxSemanticEntry".into(),
            ];
            element("Entry", values, vec![])
        });
        document.object("BindingTable", "T", "BindingTable", "", entries.into(), shader);
        let material = self::material(&document);
        assert_eq!(material.base_color, [0.5, 0.25, 0.125, 0.25], "{api}");
        assert_eq!((material.metallic, material.roughness), (0.75, 0.375), "{api}");
        assert_eq!((material.emissive, material.alpha), ([0.0, 0.5, 0.25], Alpha::Blend), "{api}");
        assert!(material.normal_texture.is_some(), "{api}");
    }
}

#[test]
fn fbx_physical_materials_of_3ds_max_are_physical() {
    let list = |inverted: f64| {
        let of = |name: &str| format!("3dsMax|Parameters|{name}");
        vec![
            property("3dsMax|ClassIDa", "int", &[f64::from(0x3d6b_1cec_u32)]),
            property("3dsMax|ClassIDb", "int", &[f64::from(0xdead_c001_u32)]),
            color(&of("base_color"), [1.0, 0.5, 0.25]),
            number(&of("base_weight"), 0.5),
            number(&of("metalness"), 0.75),
            number(&of("roughness"), 0.25),
            property(&of("roughness_inv"), "bool", &[inverted]),
        ]
    };
    for (inverted, roughness) in [(0.0, 0.25), (1.0, 0.75)] {
        let texture = [("3dsMax|Parameters|base_color_map", file("a.png"))];
        let material = material(&document("unknown", list(inverted), &texture));
        assert!(material.base_color_texture.is_some());
        assert_eq!(material.base_color, [0.5, 0.5, 0.5, 1.0], "a texture replaces the colour");
        assert_eq!((material.metallic, material.roughness), (0.75, roughness));
    }
}

#[test]
fn fbx_materials_of_blender_are_physical() {
    let list = vec![
        color("DiffuseColor", [1.0, 0.5, 0.25]),
        number("ReflectionFactor", 0.75),
        // Blender writes 100 · (1 − roughness)².
        number("Shininess", 25.0),
        number("TransparencyFactor", 0.75),
    ];
    let mut elements = document("Phong", list, &[]).elements();
    let creator = "Blender (stable FBX IO) - 5.0.0 - FBX:5.13.0";
    elements[0].list.push(element("Creator", [creator.into()], vec![]));
    let (scene, _) = read_bytes(&super::document::text(&elements)).expect("a valid file");
    let material = &scene.materials[0];
    assert_eq!((material.base_color, material.alpha), ([1.0, 0.5, 0.25, 0.25], Alpha::Blend));
    assert_near(&[material.metallic, material.roughness].map(f64::from), &[0.75, 0.5], 1e-6);
}
