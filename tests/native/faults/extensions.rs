//! Faults of materials, textures and images, and of the contents of extensions.

use super::Case;
use super::Want::{Accept, Refuse, Repair};
use super::cases::{append, case};
use crate::common::builder::{Builder, animated, skinned, triangle};
use serde_json::{Value, json};

pub(crate) fn cases() -> Vec<Case> {
    let mut all = materials();
    all.extend(layers());
    all.extend(extensions());
    all.extend(meshopt());
    all
}

/// A triangle with a material, a texture and an image, all valid.
fn textured() -> Builder {
    let mut file = triangle();
    file.push("images", json!({"uri": "a.png"}));
    file.push("samplers", json!({}));
    file.push("textures", json!({"source": 0, "sampler": 0}));
    file.push("materials", json!({"emissiveTexture": {"index": 0}}));
    let coordinates = file.floats("VEC2", &[0.0; 6]);
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["TEXCOORD_0"] = json!(coordinates);
    primitive["material"] = json!(0);
    file
}

/// The target of a channel that uses a JSON pointer.
fn pointing(pointer: &str) -> Value {
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})
}

fn target(file: &mut Builder) -> &mut Value {
    &mut file.json["animations"][0]["channels"][0]["target"]
}

fn used(file: &mut Builder, name: &str) {
    file.json["extensionsUsed"] = json!([name]);
}

fn material(file: &mut Builder, value: Value) {
    file.json["materials"] = json!([value]);
}

fn light(file: &mut Builder, value: Value) {
    used(file, "KHR_lights_punctual");
    file.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [value]}});
}

fn translucent(file: &mut Builder, value: Value) {
    used(file, "KHR_materials_diffuse_transmission");
    material(file, json!({"extensions": {"KHR_materials_diffuse_transmission": value}}));
}

/// Faults within layers of materials; invisible layers are ignored.
fn layers() -> Vec<Case> {
    let cases: Vec<(&'static str, &'static str, &'static str, Value)> = vec![
        (
            "KHR_MATERIALS_ANISOTROPY_ANISOTROPY_TEXTURE_TEXCOORD",
            "an anisotropy texture with other coordinates than the normal map; the tangents of the normal map are used",
            "KHR_materials_anisotropy",
            json!({"anisotropyStrength": 1, "anisotropyTexture": {"index": 0, "texCoord": 1}}),
        ),
        (
            "KHR_MATERIALS_CLEARCOAT_CLEARCOAT_NORMAL_TEXTURE_TEXCOORD",
            "a clearcoat normal map with other coordinates than the normal map; the tangents of the normal map are used",
            "KHR_materials_clearcoat",
            json!({"clearcoatFactor": 1, "clearcoatNormalTexture": {"index": 0, "texCoord": 1}}),
        ),
        (
            "KHR_MATERIALS_DISPERSION_NO_VOLUME",
            "dispersion without a volume",
            "KHR_materials_dispersion",
            json!({"dispersion": 1}),
        ),
        (
            "KHR_MATERIALS_IRIDESCENCE_THICKNESS_RANGE_WITHOUT_TEXTURE",
            "an iridescence thickness minimum without a texture; the maximum is used",
            "KHR_materials_iridescence",
            json!({"iridescenceFactor": 1, "iridescenceThicknessMinimum": 50}),
        ),
        (
            "KHR_MATERIALS_IRIDESCENCE_THICKNESS_TEXTURE_UNUSED",
            "an iridescence thickness texture whose minimum and maximum are equal",
            "KHR_materials_iridescence",
            json!({"iridescenceThicknessMinimum": 400, "iridescenceThicknessTexture": {"index": 0}}),
        ),
        (
            "KHR_MATERIALS_VOLUME_DOUBLE_SIDED",
            "a double-sided volume",
            "KHR_materials_volume",
            json!({"thicknessFactor": 1}),
        ),
        (
            "KHR_MATERIALS_VOLUME_NO_TRANSMISSION",
            "a volume without transmission",
            "KHR_materials_volume",
            json!({"thicknessFactor": 1}),
        ),
    ];
    let case = |(rule, fault, name, value): (&'static str, &'static str, &'static str, Value)| {
        case(rule, fault, Accept, textured, move |f| {
            used(f, name);
            let sides = rule == "KHR_MATERIALS_VOLUME_DOUBLE_SIDED";
            material(
                f,
                json!({"normalTexture": {"index": 0}, "doubleSided": sides, "extensions": { name: value.clone() }}),
            );
        })
    };
    cases.into_iter().map(case).collect()
}

fn materials() -> Vec<Case> {
    let index = |pointer| Repair("import/index-out-of-range", pointer);
    vec![
        case(
            "MATERIAL_ALPHA_CUTOFF_INVALID_MODE",
            "an alpha cutoff without alpha mode MASK",
            Accept,
            triangle,
            |f| material(f, json!({"alphaCutoff": 0.3})),
        ),
        case(
            "VALUE_NOT_IN_LIST",
            "an unknown alpha mode; the material is opaque",
            Repair("import/invalid-value", "/materials/0/alphaMode"),
            triangle,
            |f| material(f, json!({"alphaMode": "GHOST"})),
        ),
        case("VALUE_NOT_IN_LIST", "an unknown texture filter; the default is used", Accept, textured, |f| {
            f.json["samplers"][0] = json!({"minFilter": 1, "wrapS": 2})
        }),
        case("VALUE_NOT_IN_RANGE", "factors below 0 and above 1; they are clamped", Accept, triangle, |f| {
            material(
                f,
                json!({"pbrMetallicRoughness": {"metallicFactor": 7, "baseColorFactor": [-1, 0, 0, 2]}, "emissiveFactor": [-1, 0, 0]}),
            )
        }),
        case(
            "TYPE_MISMATCH",
            "a material whose factor is a string; the default material is used",
            Repair("import/invalid-value", "/materials/0/pbrMetallicRoughness/metallicFactor"),
            triangle,
            |f| material(f, json!({"pbrMetallicRoughness": {"metallicFactor": "much"}})),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a texture that does not exist",
            index("/materials/0/emissiveTexture/index"),
            textured,
            |f| f.json["materials"][0]["emissiveTexture"]["index"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "an image that does not exist",
            index("/textures/0/source"),
            textured,
            |f| f.json["textures"][0]["source"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a texture sampler that does not exist",
            index("/textures/0/sampler"),
            textured,
            |f| f.json["textures"][0]["sampler"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "an image in a buffer view that does not exist",
            index("/images/0/bufferView"),
            textured,
            |f| f.json["images"][0] = json!({"bufferView": 7, "mimeType": "image/png"}),
        ),
        case(
            "ONE_OF_MISMATCH",
            "an image without URI and buffer view; it is skipped",
            Repair("import/buffer-missing", "/images/0"),
            textured,
            |f| f.json["images"][0] = json!({}),
        ),
        case(
            "INVALID_URI",
            "an image in a data URI that is not base64; it is skipped",
            Repair("import/invalid-uri", "/images/0/uri"),
            textured,
            |f| f.json["images"][0] = json!({"uri": "data:image/png;base64,%%%"}),
        ),
        case(
            "IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE",
            "an image in a view with a stride",
            Accept,
            textured,
            |f| {
                let view = f.view(&[0; 16]);
                f.json["bufferViews"][view]["byteStride"] = json!(4);
                f.json["images"][0] = json!({"bufferView": view, "mimeType": "image/png"});
            },
        ),
        case(
            "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS",
            "a texture without texture coordinates",
            Accept,
            textured,
            |f| f.json["materials"][0]["emissiveTexture"]["texCoord"] = json!(3),
        ),
        case(
            "MESH_PRIMITIVE_GENERATED_TANGENT_SPACE",
            "a normal map without tangents",
            Accept,
            textured,
            |f| material(f, json!({"normalTexture": {"index": 0}})),
        ),
        case(
            "MESH_PRIMITIVE_NO_TANGENT_SPACE",
            "a normal map without normals and tangents",
            Accept,
            textured,
            |f| material(f, json!({"normalTexture": {"index": 0}})),
        ),
    ]
}

fn extensions() -> Vec<Case> {
    vec![
        case(
            "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE",
            "a channel with a pointer and a node; the pointer is used",
            Accept,
            animated,
            |f| {
                used(f, "KHR_animation_pointer");
                *target(f) = pointing("/nodes/0/scale");
                target(f)["node"] = json!(7);
            },
        ),
        case(
            "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH",
            "a channel with a pointer and a path, but no node",
            Repair("import/channel-ignored", "/animations/0/channels/0/target"),
            animated,
            |f| {
                used(f, "KHR_animation_pointer");
                *target(f) = pointing("/nodes/0/scale");
                target(f)["path"] = json!("scale");
            },
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a pointer to a material that does not exist",
            Repair("import/channel-ignored", "/animations/0/channels/0/target"),
            animated,
            |f| {
                used(f, "KHR_animation_pointer");
                *target(f) = pointing("/materials/3/emissiveFactor");
            },
        ),
        case(
            "KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES",
            "a spot light whose inner angle is larger than the outer angle",
            Repair("import/invalid-value", "/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle"),
            triangle,
            |f| light(f, json!({"type": "spot", "spot": {"innerConeAngle": 0.6, "outerConeAngle": 0.5}})),
        ),
        case(
            "VALUE_NOT_IN_RANGE",
            "a light with a negative intensity",
            Repair("import/invalid-value", "/extensions/KHR_lights_punctual/lights/0/intensity"),
            triangle,
            |f| light(f, json!({"type": "point", "intensity": -1})),
        ),
        case(
            "VALUE_NOT_IN_LIST",
            "a light of an unknown type; it emits no light",
            Repair("import/invalid-value", "/extensions/KHR_lights_punctual/lights/0/type"),
            triangle,
            |f| light(f, json!({"type": "candle"})),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a light that does not exist",
            Repair("import/index-out-of-range", "/nodes/0/extensions/KHR_lights_punctual/light"),
            triangle,
            |f| {
                used(f, "KHR_lights_punctual");
                f.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
            },
        ),
        case(
            "KHR_MATERIALS_EMISSIVE_STRENGTH_ZERO_FACTOR",
            "an emissive strength with a black emissive factor",
            Accept,
            triangle,
            |f| {
                used(f, "KHR_materials_emissive_strength");
                material(
                    f,
                    json!({"extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 5}}}),
                );
            },
        ),
        case(
            "VALUE_NOT_IN_RANGE",
            "a negative emissive strength",
            Repair(
                "import/invalid-value",
                "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength",
            ),
            triangle,
            |f| {
                used(f, "KHR_materials_emissive_strength");
                material(
                    f,
                    json!({"extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": -1}}}),
                );
            },
        ),
        case(
            "VALUE_NOT_IN_RANGE",
            "a diffuse transmission above 1; it is clamped",
            Repair(
                "import/number-replaced",
                "/materials/0/extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor",
            ),
            triangle,
            |f| translucent(f, json!({"diffuseTransmissionFactor": 1.5})),
        ),
        case(
            "ARRAY_LENGTH_NOT_IN_LIST",
            "a colour of diffuse transmission with four numbers; the default is used",
            Repair(
                "import/invalid-value",
                "/materials/0/extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor",
            ),
            triangle,
            |f| translucent(f, json!({"diffuseTransmissionColorFactor": [1, 1, 1, 1]})),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a texture of diffuse transmission that does not exist",
            Repair(
                "import/index-out-of-range",
                "/materials/0/extensions/KHR_materials_diffuse_transmission/diffuseTransmissionTexture/index",
            ),
            triangle,
            |f| translucent(f, json!({"diffuseTransmissionTexture": {"index": 0}})),
        ),
        case(
            "KHR_MATERIALS_VARIANTS_NON_UNIQUE_VARIANT",
            "a variant with two materials; the first one is used",
            Repair(
                "import/invalid-value",
                "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings",
            ),
            triangle,
            |f| {
                variants(f, json!([{"material": 0, "variants": [0]}, {"material": 0, "variants": [0]}]));
            },
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a variant that does not exist",
            Repair(
                "import/index-out-of-range",
                "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/0/variants/0",
            ),
            triangle,
            |f| variants(f, json!([{"material": 0, "variants": [3]}])),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a variant of a material that does not exist",
            Repair(
                "import/index-out-of-range",
                "/meshes/0/primitives/0/extensions/KHR_materials_variants/mappings/0/material",
            ),
            triangle,
            |f| variants(f, json!([{"material": 3, "variants": [0]}])),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "instances whose translations do not exist; the mesh is shown once",
            Repair("import/instances-ignored", "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes"),
            triangle,
            |f| {
                used(f, "EXT_mesh_gpu_instancing");
                f.json["nodes"][0]["extensions"] =
                    json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 9}}});
            },
        ),
        case(
            "NON_REQUIRED_EXTENSION",
            "quantised positions without the required extension",
            Accept,
            triangle,
            |f| {
                used(f, "KHR_mesh_quantization");
                let positions = f.bytes("VEC3", 3, &[0, 0, 0, 1, 0, 0, 0, 1, 0]);
                f.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
            },
        ),
        case(
            "INVALID_EXTENSION_NAME_FORMAT",
            "an extension whose name has no prefix",
            Repair("import/extension-ignored", "/extensionsUsed/0"),
            triangle,
            |f| used(f, "brown"),
        ),
        case(
            "TYPE_MISMATCH",
            "a visibility that is a number",
            Repair("import/invalid-value", "/nodes/1/extensions/KHR_node_visibility/visible"),
            skinned,
            |f| {
                used(f, "KHR_node_visibility");
                f.json["nodes"][1]["extensions"] = json!({"KHR_node_visibility": {"visible": 1}});
            },
        ),
    ]
}

fn variants(file: &mut Builder, mappings: Value) {
    used(file, "KHR_materials_variants");
    file.json["extensions"] = json!({"KHR_materials_variants": {"variants": [{"name": "red"}]}});
    material(file, json!({}));
    file.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": {"mappings": mappings}});
}

const MESHOPT: &str = "EXT_meshopt_compression";

/// A triangle with compressed positions: zeros, in a stream of version 1.
fn encoded() -> Builder {
    let mut file = triangle();
    let stream = [&[0xa1, 0xaa, 0xaa, 0xaa][..], &[0; 24]].concat();
    let view = file.view(&stream);
    let mut extension = file.json["bufferViews"][view].clone();
    let rest = json!({"mode": "ATTRIBUTES", "byteStride": 12, "count": 3});
    for (key, value) in rest.as_object().expect("an object") {
        extension[key] = value.clone();
    }
    file.json["bufferViews"][view] =
        json!({"buffer": 1, "byteLength": 36, "byteStride": 12, "extensions": {MESHOPT: extension}});
    file.json["accessors"][0]["bufferView"] = json!(view);
    file.json["buffers"] = json!([{"byteLength": file.bin.len()}, {"byteLength": 36}]);
    file.json["extensionsUsed"] = json!([MESHOPT]);
    file
}

fn stream(file: &mut Builder) -> &mut Value {
    &mut file.json["bufferViews"][1]["extensions"][MESHOPT]
}

/// The validator does not check compressed views, so their rules are named after the extension.
fn meshopt() -> Vec<Case> {
    const HERE: &str = "/bufferViews/1/extensions/EXT_meshopt_compression";
    let broken = Refuse("import/meshopt", HERE);
    let first_byte = |f: &mut Builder| {
        let at = stream(f)["byteOffset"].as_u64().expect("a number") as usize;
        f.bin[at] = 0xff;
    };
    vec![
        case(MESHOPT, "a compressed view whose fallback buffer has no bytes", Accept, encoded, |_| {}),
        case(MESHOPT, "a stream with an invalid header", broken.clone(), encoded, first_byte),
        case(
            MESHOPT,
            "a stream with an invalid header, and uncompressed bytes in the file",
            Repair("import/meshopt", HERE),
            encoded,
            |f| {
                first_byte(f);
                f.json["buffers"][1]["uri"] = json!(format!("data:;base64,{}", "A".repeat(48)));
            },
        ),
        case(MESHOPT, "a truncated stream", broken.clone(), encoded, |f| stream(f)["byteLength"] = json!(27)),
        case(
            MESHOPT,
            "a stream whose decoded size differs from that of its view",
            broken.clone(),
            encoded,
            |f| stream(f)["count"] = json!(4),
        ),
        case(MESHOPT, "elements of 6 bytes", broken, encoded, |f| stream(f)["byteStride"] = json!(6)),
        case(
            MESHOPT,
            "an unknown mode",
            Refuse("import/invalid-value", "/bufferViews/1/extensions/EXT_meshopt_compression/mode"),
            encoded,
            |f| stream(f)["mode"] = json!("POINTS"),
        ),
        case(
            MESHOPT,
            "an unknown filter",
            Refuse("import/invalid-value", "/bufferViews/1/extensions/EXT_meshopt_compression/filter"),
            encoded,
            |f| stream(f)["filter"] = json!("BROWN"),
        ),
        case(MESHOPT, "a stream beyond its buffer", Refuse("import/view-out-of-range", HERE), encoded, |f| {
            stream(f)["byteLength"] = json!(1000)
        }),
        case(
            MESHOPT,
            "a stream in a buffer that does not exist",
            Refuse("import/index-out-of-range", "/bufferViews/1/extensions/EXT_meshopt_compression/buffer"),
            encoded,
            |f| stream(f)["buffer"] = json!(7),
        ),
        case(
            MESHOPT,
            "27 bytes with a declared size of 300 MB",
            Refuse("import/too-large", HERE),
            encoded,
            |f| stream(f)["count"] = json!(25_000_000),
        ),
        case(
            MESHOPT,
            "an invalid stream of normals; they are ignored",
            Repair("import/meshopt", HERE),
            encoded,
            |f| {
                first_byte(f);
                let normals = f.json["accessors"][0].clone();
                f.json["accessors"][0]["bufferView"] = json!(0);
                append(&mut f.json["accessors"], normals);
                f.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(1);
            },
        ),
    ]
}
