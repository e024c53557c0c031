//! The text of the layer and the structure of the archive.

use super::cases::{Case, PIXEL, all_slots, cases, hidden, painted};
use super::common::{layer, unpacked, usdz};
use crate::common::random::Random;
use crate::common::{files, resolver};
use crate::export::common::pip;
use gambol::import::NoResolver;
use gambol::model::{ClipId, VariantId};
use gambol_tools::{ToolsError, Usdz, UsdzExporter, UsdzOptions, codes, usdz_codes};
use serde_json::json;
use std::collections::HashSet;

fn exported(case: Case) -> Usdz {
    usdz(&case.gltf(), &mut NoResolver, None)
}

fn warned(file: &Usdz) -> Vec<(&str, &str)> {
    file.warnings.iter().map(|warning| (warning.code, warning.pointer.as_str())).collect()
}

fn refused(bytes: &[u8], options: UsdzOptions) -> Option<ToolsError> {
    UsdzExporter::new(bytes, &mut NoResolver, |_| Ok(options)).err()
}

#[test]
fn usdz_refuses_bad_files_and_options_out_of_range() {
    assert_eq!(refused(b"", UsdzOptions::default()).map(|e| e.code), Some("import/unknown-format"));
    let square = Case::square().gltf();
    let clip = UsdzOptions { clip: Some(ClipId::new(0)), ..UsdzOptions::default() };
    assert_eq!(refused(&square, clip).map(|e| e.code), Some(codes::CLIP_NOT_FOUND));
    let variant = UsdzOptions { variant: Some(VariantId::new(0)), ..UsdzOptions::default() };
    assert_eq!(refused(&square, variant).map(|e| e.code), Some(codes::OPTION));
    let size = UsdzOptions { max_texture_size: Some(0), ..UsdzOptions::default() };
    assert_eq!(refused(&square, size).map(|e| e.code), Some(codes::OPTION));
    let chosen = ToolsError::new(codes::OPTION, "", "no");
    let error = UsdzExporter::new(&square, &mut NoResolver, |_| Err(chosen.clone())).err();
    assert_eq!(error, Some(chosen));
}

#[test]
fn usdz_of_malformed_files_is_a_file_or_an_error() {
    let mut random = Random(11);
    let mut written = 0;
    let mut attempt = |bytes: &[u8], near: &mut dyn gambol::import::Resolver| {
        let clip = |clips: usize| clips.checked_sub(1).map(ClipId::new);
        let options = |model: &gambol::model::Model| {
            Ok(UsdzOptions { clip: clip(model.clips.len()), ..UsdzOptions::default() })
        };
        let Ok(exporter) = UsdzExporter::new(bytes, near, options) else { return };
        if let Ok(file) = exporter.finish("x") {
            written += 1;
            check_text(&layer(&file));
        }
    };
    for (path, bytes) in files(&["malformed"]) {
        attempt(&bytes, &mut resolver(&path));
    }
    for (_, bytes) in cases() {
        for _ in 0..40 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = b"0123456789-.eE+,[]{}\"AZ"[random.below(23)];
            }
            attempt(&bytes, &mut NoResolver);
        }
    }
    assert!(written > 100, "{written}");
}

/// The names of prims are identifiers, each used once by siblings; their types are those that Quick Look allows.
fn check_text(text: &str) {
    let mut scopes: Vec<HashSet<String>> = vec![HashSet::new()];
    for line in text.lines().map(str::trim) {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["def" | "class", kind, name, ..] = words[..] {
            let allowed = [
                "Xform",
                "Scope",
                "Mesh",
                "SkelRoot",
                "Skeleton",
                "SkelAnimation",
                "BlendShape",
                "Material",
                "Shader",
            ];
            assert!(allowed.contains(&kind), "{line}");
            let name = name.trim_matches('"');
            let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
            assert!(
                !name.is_empty() && name.chars().all(good) && !name.starts_with(|c: char| c.is_ascii_digit()),
                "{line}"
            );
            assert!(scopes.last_mut().expect("a scope").insert(name.to_owned()), "{line} is there twice");
        }
        if line == "{" {
            scopes.push(HashSet::new());
        } else if line == "}" && scopes.len() > 1 {
            scopes.pop();
        }
        assert!(!line.contains("NaN") && !line.contains("inf,"), "{line}");
    }
}

#[test]
fn usdz_is_an_aligned_archive_with_the_layer_first() {
    let file = usdz(&gambol_sample::glb(), &mut NoResolver, Some(0));
    let files = unpacked(&file.bytes);
    assert_eq!(files[0].0, "model.usda");
    assert!(files[0].2.starts_with(b"#usda 1.0\n"));
    assert!(files.len() > 1 && files[1..].iter().all(|(name, _, _)| name.starts_with("textures/")));
    assert!(files.iter().all(|(_, begin, _)| begin % 64 == 0));
    // The image of the file, to the bit.
    let image = &files[1].2;
    assert!(
        image.starts_with(b"\x89PNG")
            && gambol_sample::glb().windows(image.len()).any(|bytes| bytes == image)
    );
    let again = usdz(&gambol_sample::glb(), &mut NoResolver, Some(0));
    assert_eq!(again.bytes, file.bytes, "the same file each time");
    check_text(&layer(&file));
}

#[test]
fn usdz_stage_plays_the_clip_at_the_frame_rate_of_its_keys() {
    let file = pip();
    let walk = file.model.clips.iter().position(|clip| clip.name == "Walk").expect("Pip walks");
    let text = layer(&usdz(&gambol_sample::glb(), &mut NoResolver, Some(walk)));
    let clip = &file.model.clips[walk];
    let rate = clip.frames_per_second();
    assert!(text.contains(&format!("\n    timeCodesPerSecond = {rate}\n")));
    let end = (f64::from(clip.duration) * rate).round();
    assert!(text.contains(&format!("\n    endTimeCode = {end}\n")), "{}", &text[..600]);
    for line in [
        "upAxis = \"Y\"",
        "metersPerUnit = 1",
        "startTimeCode = 0",
        "autoPlay = true",
        "defaultPrim = \"Model\"",
    ] {
        assert!(text.contains(&format!("\n    {line}\n")), "{line}");
    }
    let still = layer(&usdz(&gambol_sample::glb(), &mut NoResolver, None));
    assert!(!still.contains("timeSamples") && !still.contains("endTimeCode"));
}

#[test]
fn usdz_of_small_models_has_valid_names() {
    for (_, bytes) in cases() {
        for clip in [None, Some(0)] {
            let has_clip =
                gambol::import::import(&bytes, &mut NoResolver).is_ok_and(|i| !i.model.clips.is_empty());
            check_text(&layer(&usdz(&bytes, &mut NoResolver, clip.filter(|_| has_clip))));
        }
    }
}

#[test]
fn usdz_lists_what_usd_cannot_show() {
    let sheen = json!({ "extensions": {
        "KHR_materials_sheen": { "sheenColorFactor": [1, 0, 0] },
        "KHR_materials_iridescence": { "iridescenceFactor": 0 },
    } });
    let layer_pointer = "/materials/0/extensions/KHR_materials_sheen";
    assert_eq!(warned(&exported(painted(sheen))), [(usdz_codes::LAYER, layer_pointer)]);
    let unlit = json!({ "extensions": { "KHR_materials_unlit": {} } });
    assert_eq!(warned(&exported(painted(unlit))), [(usdz_codes::UNLIT, "/materials/0")]);

    let mut points = Case::square();
    points.json["meshes"][0]["primitives"][0]["mode"] = 0.into();
    let file = exported(points);
    let place = "/meshes/0/primitives/0";
    assert_eq!(warned(&file), [(usdz_codes::TOPOLOGY, place), (usdz_codes::EMPTY, "")]);
    assert!(!layer(&file).contains("def Mesh"));

    let mut colored = painted(json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }));
    let colors = colored.floats("VEC4", &[0.5; 16]);
    colored.attribute("COLOR_0", colors);
    assert_eq!(warned(&exported(colored)), [(usdz_codes::VERTEX_COLORS, "/materials/0")]);

    let mut lit = Case::square();
    lit.json["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    lit.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "point" }] } });
    lit.json["cameras"] = json!([{ "type": "perspective", "perspective": { "yfov": 1, "znear": 0.1 } }]);
    lit.json["nodes"][0]["extensions"] = json!({ "KHR_lights_punctual": { "light": 0 } });
    lit.json["nodes"][0]["camera"] = 0.into();
    assert_eq!(warned(&exported(lit)), [(usdz_codes::LIGHT, "/nodes/0"), (usdz_codes::CAMERA, "/nodes/0")]);

    let mut blocky = painted(json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }));
    blocky.json["samplers"] = json!([{ "magFilter": 9728 }]);
    blocky.json["textures"][0]["sampler"] = 0.into();
    assert_eq!(warned(&exported(blocky)), [(usdz_codes::SAMPLER, "/textures/0/sampler")]);
}

#[test]
fn usdz_materials_have_the_numbers_of_the_file() {
    let file = exported(painted(all_slots()));
    assert_eq!(warned(&file), []);
    let text = layer(&file);
    let shader = |name: &str| {
        let begin = text.find(&format!("def Shader \"{name}\"")).expect(name);
        let end = begin + text[begin..].find("\n            }\n").expect("an end");
        text[begin..end].to_owned()
    };
    let lines = |name: &str, wanted: &[&str]| {
        let found = shader(name);
        wanted.iter().for_each(|line| assert!(found.contains(&format!(" {line}\n")), "{line} in {found}"));
    };
    lines("Surface", &["float inputs:opacityThreshold = 0.25"]);
    lines(
        "BaseColor",
        &["float4 inputs:scale = (0.5, 0.25, 1, 0.75)", "token inputs:sourceColorSpace = \"sRGB\""],
    );
    lines(
        "MetallicRoughness",
        &["float4 inputs:scale = (1, 0.5, 1, 1)", "token inputs:sourceColorSpace = \"raw\""],
    );
    lines("Normal", &["float4 inputs:scale = (1, 1, 2, 1)", "float4 inputs:bias = (-0.5, -0.5, -1, 0)"]);
    lines(
        "Occlusion",
        &["float4 inputs:scale = (0.25, 0.25, 0.25, 0.25)", "float4 inputs:bias = (0.75, 0.75, 0.75, 0.75)"],
    );
    lines("Emissive", &["float4 inputs:scale = (4, 2, 0, 1)"]);
    lines("Clearcoat", &["float4 inputs:scale = (0.5, 1, 1, 1)"]);
    lines("ClearcoatRoughness", &["float4 inputs:scale = (1, 0.25, 1, 1)"]);
    assert!(text.contains("uniform bool doubleSided = 1"));

    // The coordinates of the base colour, by the formula of KHR_texture_transform; V points up in USD.
    let rows = |name: &str| -> Vec<[f64; 2]> {
        let begin = text.find(&format!("primvars:{name} = [")).expect(name);
        let line = text[begin..].lines().next().and_then(|line| line.split_once('[')).expect("a list").1;
        let numbers: Vec<f64> = line
            .split(['(', ')', ',', ' ', ']'])
            .filter(|word| !word.is_empty())
            .map_while(|word| word.parse().ok())
            .collect();
        numbers.as_chunks::<2>().0.to_vec()
    };
    let corners = [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]];
    let (sin, cos) = 0.5_f64.sin_cos();
    for ([u, v], got) in corners.into_iter().zip(rows("st")) {
        let want = [cos * 2.0 * u + sin * 3.0 * v + 0.1, 1.0 - (-sin * 2.0 * u + cos * 3.0 * v + 0.2)];
        assert!((0..2).all(|i| (got[i] - want[i]).abs() < 1e-6), "{got:?} {want:?}");
    }
    assert_eq!(rows("st1"), corners.map(|[u, v]| [u, 1.0 - v]));
    lines(
        "BaseColor",
        &["float2 inputs:st.connect = </Model/Materials/All_slots/Coordinates0.outputs:result>"],
    );
    lines("Normal", &["float2 inputs:st.connect = </Model/Materials/All_slots/Coordinates1.outputs:result>"]);
}

#[test]
fn usdz_vertex_colors_are_multiplied_by_the_base_color() {
    let mut colored = Case::square();
    let colors = colored.floats("VEC4", &[0.5, 0.0, 1.0, 0.25].repeat(4));
    colored.attribute("COLOR_0", colors);
    colored.json["materials"][0] =
        json!({ "alphaMode": "BLEND", "pbrMetallicRoughness": { "baseColorFactor": [0.5, 1, 1, 0.5] } });
    let text = layer(&exported(colored));
    let rows = ["(0.25, 0, 1)"; 4].join(", ");
    assert!(text.contains(&format!("color3f[] primvars:displayColor = [{rows}]")));
    assert!(text.contains("float[] primvars:displayOpacity = [0.125, 0.125, 0.125, 0.125]"));
    assert!(text.contains("inputs:diffuseColor.connect") && text.contains("\"UsdPrimvarReader_float3\""));
}

#[test]
fn usdz_hidden_meshes_are_left_out_and_blinking_ones_are_animated() {
    let bytes = hidden().gltf();
    let text = layer(&usdz(&bytes, &mut NoResolver, Some(0)));
    assert!(text.contains("\"blinks\"") && !text.contains("\"never\""));
    let samples =
        text.split("token visibility.timeSamples = {").nth(1).and_then(|rest| rest.split('}').next());
    let words: Vec<&str> =
        samples.expect("samples").lines().filter_map(|line| line.split(": ").nth(1)).collect();
    // Before the first change, after it, before the last one, after it.
    assert_eq!(
        words,
        ["\"inherited\",", "\"inherited\",", "\"invisible\",", "\"invisible\",", "\"inherited\","]
    );
}

#[test]
fn usdz_meshes_that_are_shown_twice_are_written_once() {
    let (_, bytes) = cases().into_iter().find(|(name, _)| *name == "shared").expect("the case");
    let text = layer(&usdz(&bytes, &mut NoResolver, None));
    assert_eq!(
        (text.matches("point3f[] points").count(), text.matches("prepend references").count()),
        (1, 5)
    );
}

#[test]
fn usdz_skins_and_moving_nodes_share_one_skeleton() {
    // A sword in the hand of a character with two skins, whose bind matrices differ by the place of the mesh.
    let (_, mut case) = super::cases::two_skins(1.0);
    let text = layer(&usdz(&case.gltf(), &mut NoResolver, Some(0)));
    assert_eq!((text.matches("def Skeleton ").count(), text.matches("def SkelAnimation ").count()), (1, 1));
    assert_eq!(text.matches("rel skel:skeleton = ").count(), 3);
    // Other places of the same joints need a second skeleton.
    (_, case) = super::cases::two_skins(2.0);
    let text = layer(&usdz(&case.gltf(), &mut NoResolver, Some(0)));
    assert_eq!(text.matches("def Skeleton ").count(), 2);
}

#[test]
fn usdz_animations_have_all_joints_of_their_skeleton() {
    // RealityKit ignores others.
    for (name, bytes) in cases() {
        let text = layer(&usdz(&bytes, &mut NoResolver, None));
        let joints: Vec<&str> =
            text.lines().filter(|line| line.contains("token[] joints = ")).map(str::trim).collect();
        assert!(joints.as_chunks::<2>().0.iter().all(|[a, b]| a == b), "{name}");
        assert_eq!(joints.len() % 2, 0, "{name}");
    }
}

#[test]
fn usdz_variants_choose_the_materials() {
    let mut case = Case::square();
    case.json["materials"] = json!([{ "name": "Red" }, { "name": "Blue" }]);
    case.json["extensionsUsed"] = json!(["KHR_materials_variants"]);
    case.json["extensions"] = json!({ "KHR_materials_variants": { "variants": [{ "name": "winter" }] } });
    let mapping = json!({ "KHR_materials_variants": { "mappings": [{ "material": 1, "variants": [0] }] } });
    case.json["meshes"][0]["primitives"][0]["extensions"] = mapping;
    let bytes = case.gltf();
    for (variant, name) in [(None, "Red"), (Some(VariantId::new(0)), "Blue")] {
        let options = UsdzOptions { variant, ..UsdzOptions::default() };
        let exporter = UsdzExporter::new(&bytes, &mut NoResolver, |_| Ok(options)).expect("a model");
        let text = layer(&exporter.finish("x").expect("a file"));
        assert_eq!(text.matches("def Material ").count(), 1);
        assert!(text.contains(&format!("rel material:binding = </x/Materials/{name}>")));
    }
}

#[test]
fn usdz_images_of_other_formats_are_asked_for() {
    let webp = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
    let slot = json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
    let bytes = |media: &str, image: &str| {
        let mut case = painted(slot.clone());
        case.texture(media, image);
        case.gltf()
    };
    let exporter = |bytes: &[u8], max_texture_size| {
        let options = UsdzOptions { max_texture_size, ..UsdzOptions::default() };
        UsdzExporter::new(bytes, &mut NoResolver, |_| Ok(options)).expect("a model")
    };
    let mut other = exporter(&bytes("image/webp", webp), None);
    assert_eq!(other.pending(), [0]);
    assert!(other.image(0).starts_with(b"RIFF") && other.image(1).is_empty());
    other.provide(0, b"\x89PNG\r\n\x1a\n....".to_vec());
    assert!(other.pending().is_empty());
    let file = other.finish("x").expect("a file");
    assert_eq!(unpacked(&file.bytes)[1].0, "textures/Wall___paper.png");
    assert_eq!(warned(&file), []);

    let left_out = exporter(&bytes("image/webp", webp), None).finish("x").expect("a file");
    assert_eq!(
        (unpacked(&left_out.bytes).len(), warned(&left_out)),
        (1, vec![(usdz_codes::IMAGE, "/images/0")])
    );
    assert!(layer(&left_out).contains("color3f inputs:diffuseColor = (1, 1, 1)"));

    // A larger image, from its header: 300 × 1.
    let mut large =
        base64::Engine::decode(&base64::engine::general_purpose::STANDARD, PIXEL).expect("base64");
    large[18..20].copy_from_slice(&300_u16.to_be_bytes());
    let large = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, large);
    let bytes = bytes("image/png", &large);
    assert!(exporter(&bytes, Some(300)).pending().is_empty());
    let too_large = exporter(&bytes, Some(299));
    assert_eq!(too_large.pending(), [0]);
    let file = too_large.finish("x").expect("a file");
    assert_eq!((unpacked(&file.bytes).len(), warned(&file)), (2, vec![(usdz_codes::IMAGE, "/images/0")]));
}
