//! GLB, JSON, versions, extensions, buffers, URIs.

use crate::common::builder::{Builder, animated, glb, skinned, triangle};
use crate::common::check::{check, import};
use gambol::import::{Document, ImportErrorKind, Imported, NoResolver, codes};
use gambol::model::ImageData;
use serde_json::json;
use std::collections::{HashMap, HashSet};

fn error(bytes: &[u8]) -> (&'static str, String) {
    let error = import(bytes).expect_err("the file is wrong");
    (error.code(), error.pointer.clone())
}

fn at(code: &'static str, pointer: &str) -> (&'static str, String) {
    (code, pointer.to_owned())
}

#[test]
fn unknown_bytes_are_refused() {
    for bytes in [&b""[..], b"\0", b"PK\x03\x04", b"<html>", b"glTX\x02\0\0\0", b"\xEF\xBB\xBF", b"  \n"] {
        assert_eq!(error(bytes), at("import/unknown-format", ""));
    }
}

#[test]
fn other_formats_are_named_with_a_way_to_gltf() {
    for (bytes, message) in [
        (
            &b"<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\">"[..],
            "The file is a COLLADA document, which gambol does not read. Convert it with Assimp (assimp export IN \
             OUT.glb -fglb2), or export glTF from the program that made it.",
        ),
        (
            b"PXR-USDC\0",
            "The file is a USD scene, which gambol does not read. Open it in Blender (File, Import), and export glTF \
             2.0 as .glb.",
        ),
        (b"a note", "This is not a glTF file. Load a .glb or .gltf file."),
    ] {
        assert_eq!(error(bytes), at("import/unknown-format", ""));
        assert_eq!(import(bytes).expect_err("another format").to_string(), message);
    }
}

#[test]
fn glb_with_an_implausible_version_is_not_a_gltf_file() {
    for version in [100, 117_901_063, u32::MAX] {
        let bytes = [&b"glTF"[..], &u32::to_le_bytes(version), &[7; 40]].concat();
        assert_eq!(error(&bytes), at("import/unknown-format", ""), "{version}");
        assert!(import(&bytes).expect_err("wrong").to_string().contains("not a glTF file"));
    }
}

#[test]
fn git_lfs_pointer_is_named() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    assert_eq!(error(pointer), at("import/unknown-format", ""));
    assert!(import(pointer).expect_err("a pointer").to_string().contains("git lfs pull"));
}

#[test]
fn empty_version_is_named() {
    let wrong = import(br#"{"asset": {"version": ""}}"#).expect_err("no version");
    assert_eq!((wrong.code(), &wrong.pointer[..]), ("import/invalid-value", "/asset/version"));
    assert!(wrong.to_string().contains("is empty"), "{wrong}");
}

#[test]
fn required_extensions_for_optional_parts_are_ignored_with_a_warning() {
    for name in [
        "KHR_texture_ktx",
        "GOOGLE_texture_basis",
        "VRM",
        "VRMC_node_constraint",
        "KHR_xmp_json_ld",
        "KHR_interactivity",
        "KHR_node_selectability",
        "KHR_node_hoverability",
        "KHR_character",
        "KHR_character_skeleton_mapping",
        "MSFT_lod",
    ] {
        let mut file = animated();
        file.json["extensionsUsed"] = json!([name]);
        file.json["extensionsRequired"] = json!([name]);
        let imported = file.import().expect("it is shown without");
        assert_eq!(imported.model.clips.len(), 1, "{name}");
        let told: Vec<_> =
            imported.warnings.iter().map(|warning| (warning.code, &warning.pointer[..])).collect();
        assert_eq!(told, [("import/extension-ignored", "/extensionsRequired/0")]);
        assert!(imported.warnings[0].message.contains(name));
    }
    // The texture exists only in an unsupported format: its material is imported without it.
    for name in ["KHR_texture_ktx", "GOOGLE_texture_basis"] {
        let mut file = animated();
        file.json["extensionsRequired"] = json!([name]);
        file.push("images", json!({"uri": "skin.ktx", "mimeType": "image/ktx"}));
        file.push("textures", json!({"extensions": {name: {"source": 0}}}));
        file.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
        file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        let imported = file.import().expect("it is shown without");
        check(&imported.model);
        assert_eq!(imported.model.textures[0].image, None);
        let words =
            format!("The required extension {name} is not supported; textures that need it are ignored");
        let told: Vec<_> = imported.warnings.iter().map(|warning| &warning.message[..]).collect();
        assert_eq!(told, [words]);
    }
    // VRM 1.0: named bones, expressions and springs are used, so only the materials are missing.
    let mut file = skinned();
    file.json["extensionsUsed"] =
        json!(["VRMC_vrm", "VRMC_springBone", "VRMC_materials_mtoon", "KHR_materials_unlit"]);
    file.json["extensionsRequired"] = json!(["VRMC_vrm"]);
    file.json["extensions"] =
        json!({"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {"hips": {"node": 1}}}}});
    let warnings = file.import().expect("it is shown as glTF").warnings;
    let told: Vec<_> = warnings.iter().map(|warning| &warning.message[..]).collect();
    assert_eq!(told, ["The extension VRMC_materials_mtoon is not supported; materials look simpler"]);
    // VRM 0, whose extension has all of these.
    let mut file = skinned();
    file.json["extensionsUsed"] = json!(["VRM"]);
    file.json["extensions"] = json!({"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 1}]}}});
    let Imported { model, warnings } = file.import().expect("an avatar");
    let told: Vec<_> = warnings.iter().map(|warning| &warning.message[..]).collect();
    assert_eq!(told, ["The extension VRM is supported in part; materials look simpler"]);
    assert_eq!(model.humanoid.map(|humanoid| humanoid.bones.len()), Some(1));

    let mut file = animated();
    file.json["extensionsRequired"] = json!(["EXT_other_geometry"]);
    assert_eq!(file.error(), at("import/unsupported-extension", "/extensionsRequired/0"));
}

/// A GLB of a triangle whose node has a name, or another property of the node.
fn with_node(node: &[u8]) -> Vec<u8> {
    let file = triangle().glb();
    let end = 20 + u32::from_le_bytes([file[12], file[13], file[14], file[15]]) as usize;
    let json = String::from_utf8(file[20..end].to_vec()).expect("UTF-8");
    let (before, after) = json.split_once("{\"mesh\":0}").expect("the node");
    let mut json = [before.as_bytes(), b"{\"mesh\":0,", node, b"}", after.as_bytes()].concat();
    json.resize(json.len().next_multiple_of(4), b' ');
    glb(&[(*b"JSON", json), (*b"BIN\0", file[end + 8..].to_vec())])
}

#[test]
fn names_that_are_not_utf8_are_latin_1() {
    let name = |bytes: &[u8]| {
        let Imported { model, warnings } =
            import(&with_node(&[b"\"name\":\"", bytes, b"\""].concat())).expect("a triangle");
        check(&model);
        (model.nodes[0].name.clone(), warnings.iter().map(|warning| warning.code).collect::<Vec<_>>())
    };
    assert_eq!(name("K\u{f6}rper".as_bytes()), ("K\u{f6}rper".to_owned(), vec![]));
    for (bytes, shown) in [
        (&b"K\xf6rper"[..], "K\u{f6}rper"),
        // Shift-JIS and GBK; the second byte of the last ones is a backslash.
        (b"\x8d\x98", "\u{8d}\u{98}"),
        (b"\xb9\xc7\xc5\xe8", "\u{b9}\u{c7}\u{c5}\u{e8}"),
        (b"\x95\x5c\x8f\xee", "\u{95}\\\u{8f}\u{ee}"),
        (b"\x8b@\x94\x5c", "\u{8b}@\u{94}\\"),
    ] {
        assert_eq!(name(bytes), (shown.to_owned(), vec!["import/not-utf8"]));
    }
}

#[test]
fn numbers_that_json_does_not_have_count_as_missing() {
    for word in ["NaN", "inf", "Infinity", "-inf", "1.#QNAN"] {
        let node = format!("\"translation\":[0,{word},0],\"extras\":{{\"a\":[{word}]}}");
        let Imported { model, warnings } = import(&with_node(node.as_bytes())).expect("a triangle");
        check(&model);
        let codes: Vec<_> = warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["import/number-replaced"], "{word}");
        assert!(warnings[0].message.contains("2 times"), "{}", warnings[0].message);
        assert_eq!(model.nodes[0].rest.translation.to_array(), [0.0; 3], "{word}");
        let wrong = import(&with_node(format!("\"skin\":[{word}").as_bytes())).expect_err("no JSON");
        assert_eq!(wrong.code(), "import/invalid-json", "{word}");
    }
}

#[test]
fn truncated_glb_is_refused_at_every_length() {
    let whole = skinned().glb();
    let after_json = 20 + u32::from_le_bytes([whole[12], whole[13], whole[14], whole[15]]) as usize;
    for length in (4..whole.len()).filter(|&length| length != after_json) {
        assert_eq!(error(&whole[..length]), at("import/glb-truncated", ""), "{length} bytes");
    }
    // A GLB may have no binary chunk.
    assert_eq!(error(&whole[..after_json]), at("import/buffer-missing", "/buffers/0"));
    assert!(import(&whole).is_ok());
}

#[test]
fn glb_chunks_beyond_the_end_are_refused() {
    let mut bytes = triangle().glb();
    bytes[12..16].copy_from_slice(&0xFFFF_FFF0u32.to_le_bytes());
    assert_eq!(error(&bytes), at("import/glb-truncated", ""));
    let kind = import(&bytes).expect_err("too long").kind.clone();
    let available = bytes.len() as u64;
    assert_eq!(kind, ImportErrorKind::GlbTruncated { needed: 0xFFFF_FFF0 + 20, available });
}

#[test]
fn glb_without_json_first_is_refused() {
    assert_eq!(error(&glb(&[(*b"BIN\0", vec![0; 4])])), at("import/glb-no-json", ""));
    assert_eq!(error(&glb(&[])), at("import/glb-truncated", ""));
}

#[test]
fn glb_of_other_versions_is_refused() {
    let mut bytes = triangle().glb();
    bytes[4] = 1;
    assert_eq!(error(&bytes), at("import/unsupported-version", ""));
}

#[test]
fn glb_chunk_faults_are_repaired() {
    let json = br#"{"asset": {"version": "2.0"}}"#.to_vec();
    let warnings = |bytes: &[u8]| -> Vec<&'static str> {
        import(bytes).expect("it loads").warnings.iter().map(|warning| warning.code).collect()
    };
    let chunk = (*b"JSON", json);
    assert!(warnings(&glb(std::slice::from_ref(&chunk))).is_empty());
    assert_eq!(warnings(&glb(&[chunk.clone(), (*b"WHAT", vec![])])), ["import/glb-chunk"]);
    let twice = [chunk.clone(), (*b"BIN\0", vec![]), (*b"BIN\0", vec![])];
    assert_eq!(warnings(&glb(&twice)), ["import/glb-chunk"]);
    let late = [chunk.clone(), (*b"WHAT", vec![]), (*b"BIN\0", vec![])];
    assert_eq!(warnings(&glb(&late)), ["import/glb-chunk"; 2]);
    let mut tail = glb(&[chunk]);
    tail.extend([0; 5]);
    assert_eq!(warnings(&tail), ["import/glb-length", "import/glb-chunk"]);
}

#[test]
fn invalid_json_is_refused_with_line_and_column() {
    let kind = import(b"{\n \"asset\": }").expect_err("broken").kind.clone();
    let ImportErrorKind::InvalidJson { line, column, reason } = kind else { panic!("{kind:?}") };
    assert_eq!((line, column, reason.as_str()), (2, 11, "expected value"));
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    assert_eq!(error(&deep), at("import/invalid-json", ""));
    assert_eq!(error(b"[]"), at("import/invalid-value", ""));
    assert_eq!(
        error(br#"{"asset": {"version": "2.0"}, "nodes": [{"scale": [1e400]}]}"#).0,
        "import/invalid-json"
    );
}

#[test]
fn byte_order_mark_is_skipped() {
    let warnings = import(b"\xEF\xBB\xBF{\"asset\": {\"version\": \"2.0\"}}").expect("it loads").warnings;
    assert_eq!(warnings[0].code, "import/byte-order-mark");
}

#[test]
fn versions_are_checked() {
    let version = |asset: &str| {
        import(format!("{{\"asset\": {asset}}}").as_bytes()).map_err(|e| (e.code(), e.pointer.clone()))
    };
    assert!(version(r#"{"version": "2.0"}"#).is_ok());
    assert!(version(r#"{"version": "2.1"}"#).is_ok());
    assert!(version(r#"{"version": "2.1", "minVersion": "2.0"}"#).is_ok());
    let old = at("import/unsupported-version", "/asset");
    for asset in
        [r#"{"version": "1.0"}"#, r#"{"version": "3.0"}"#, r#"{"version": "2.1", "minVersion": "2.1"}"#]
    {
        assert_eq!(version(asset).expect_err(asset), old);
    }
    assert_eq!(version("{}").expect_err("no version"), at("import/invalid-value", "/asset"));
    assert_eq!(error(b"{}"), at("import/invalid-value", ""));
    assert_eq!(error(br#"{"meshes": {"m": {}}}"#), at("import/unsupported-version", ""));
}

#[test]
fn extensions_are_supported_ignored_or_refused() {
    let mut file = triangle();
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "ADOBE_unheard_of"]);
    assert_eq!(file.error(), at("import/unsupported-extension", "/extensionsRequired/1"));
    file.json["extensionsRequired"] = json!(["KHR_materials_volume_scatter"]);
    file.json["extensionsUsed"] = json!(["KHR_materials_volume_scatter", "KHR_animation_pointer"]);
    let (_, code, pointer) = file.repaired();
    assert_eq!((code, pointer.as_str()), ("import/extension-ignored", "/extensionsRequired/0"));
    file.json["extensionsRequired"] = json!([]);
    assert_eq!(file.repaired().2, "/extensionsUsed/0");
}

#[test]
fn json_values_of_wrong_type_are_found() {
    let mut file = skinned();
    file.json["accessors"][0]["count"] = json!("3");
    assert_eq!(file.error(), at("import/invalid-value", "/accessors/0/count"));

    let mut file = skinned();
    file.json["meshes"][0]["primitives"] = json!([{"attributes": {}}, {"attributes": {"A/B~": -1}}, 7]);
    assert_eq!(file.error(), at("import/invalid-value", "/meshes/0/primitives/1/attributes/A~1B~0"));

    let mut file = skinned();
    file.json["nodes"][2]["translation"] = json!([1, 2]);
    assert_eq!(file.error(), at("import/invalid-value", "/nodes/2/translation"));

    let mut file = skinned();
    file.json["bufferViews"][1] = json!({"buffer": 0});
    assert_eq!(file.error(), at("import/invalid-value", "/bufferViews/1"));

    let mut file = skinned();
    file.json["skins"] = json!({});
    assert_eq!(file.error(), at("import/invalid-value", "/skins"));
}

#[test]
fn json_whole_floats_are_integers_and_null_counts_as_missing() {
    let mut file = skinned();
    file.json["accessors"][0]["count"] = json!(3.0);
    file.json["nodes"][0]["mesh"] = json!(0.0);
    file.json["nodes"][0]["name"] = json!(null);
    file.json["nodes"][0]["translation"] = json!([-0.0, 1e300, 1.5]);
    let node = &file.repaired().0.nodes[0];
    assert_eq!(node.rest.translation, glam::Vec3::ZERO);
    file.json["nodes"][0]["translation"] = json!([16777217.0, 5000000000u64, -3]);
    let node = &file.clean().nodes[0];
    assert_eq!(node.rest.translation.to_array(), [16777216.0, 5e9, -3.0]);
}

#[test]
fn indices_beyond_32_bits_do_not_wrap() {
    let mut file = triangle();
    file.json["nodes"][0]["mesh"] = json!(1u64 << 32);
    assert_eq!(file.error(), at("import/index-out-of-range", "/nodes/0/mesh"));
    let mut file = triangle();
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(1u64 << 32);
    assert_eq!(file.error(), at("import/index-out-of-range", "/meshes/0/primitives/0/attributes/POSITION"));
    let mut file = triangle();
    file.json["bufferViews"][0]["buffer"] = json!(1e10);
    assert_eq!(file.error(), at("import/index-out-of-range", "/bufferViews/0/buffer"));
}

#[test]
fn buffers_and_views_that_are_missing_or_out_of_range_are_refused() {
    let mut file = triangle();
    file.push("bufferViews", json!({"buffer": 1, "byteLength": 1}));
    assert_eq!(file.error(), at("import/index-out-of-range", "/bufferViews/1/buffer"));

    let mut file = triangle();
    file.json["bufferViews"][0]["byteLength"] = json!(37);
    assert_eq!(file.error(), at("import/view-out-of-range", "/bufferViews/0"));
    file.json["bufferViews"][0] = json!({"buffer": 0, "byteOffset": u64::MAX, "byteLength": u64::MAX});
    assert_eq!(file.error(), at("import/view-out-of-range", "/bufferViews/0"));

    let json = |buffer| {
        let mut file = triangle();
        file.json["buffers"] = json!([buffer]);
        file.json.to_string().into_bytes()
    };
    assert_eq!(error(&json(json!({"byteLength": 36}))), at("import/buffer-missing", "/buffers/0"));
    let short = json!({"byteLength": 36, "uri": "data:;base64,AAAA"});
    assert_eq!(error(&json(short)), at("import/buffer-too-short", "/buffers/0"));
    let broken = json!({"byteLength": 36, "uri": "data:;base64,A*AA"});
    assert_eq!(error(&json(broken)), at("import/invalid-uri", "/buffers/0/uri"));
    let external = json!({"byteLength": 36, "uri": "a%20b.bin"});
    let bytes = json(external);
    assert_eq!(error(&bytes), at("import/buffer-missing", "/buffers/0/uri"));
    let error = gambol::import::import(&bytes, &mut NoResolver).expect_err("nowhere");
    assert_eq!((error.code(), error.pointer.as_str()), ("import/buffer-missing", "/buffers/0/uri"));
}

#[test]
fn external_buffers_are_requested() {
    let mut file = triangle();
    file.json["buffers"] = json!([{"byteLength": 36, "uri": "a%20b.bin"}]);
    let bytes = file.json.to_string().into_bytes();
    let mut files = HashMap::from([("a b.bin".to_owned(), file.bin.clone())]);
    let imported = gambol::import::import(&bytes, &mut files).expect("it is among the files");
    assert_eq!(imported.model.meshes[0].primitives[0].vertex_count(), 3);

    let mut document = Document::parse(bytes).expect("the JSON is right");
    let request = document.requests().remove(0);
    assert_eq!((request.index, request.uri.as_str()), (0, "a%20b.bin"));
    assert_eq!((request.pointer.as_str(), request.byte_length), ("/buffers/0/uri", 36));
    let error = document.provide(1, vec![]).expect_err("not asked for");
    assert_eq!(error.code(), "import/index-out-of-range");
    document.provide(0, file.bin.clone()).expect("enough bytes");
    assert!(document.requests().is_empty());
    assert!(document.provide(0, file.bin).is_err());
    assert_eq!(document.finish().expect("all is there").warnings, []);
}

/// Two triangles on joints: the first in `body.bin`, the second, with a clip of its node, in `sword.bin`.
fn two_files() -> (Vec<u8>, HashMap<String, Vec<u8>>) {
    let mut file = skinned();
    let (body, views) =
        (std::mem::take(&mut file.bin), file.json["bufferViews"].as_array().expect("views").len());
    let sword = file.floats("VEC3", &[9.0; 9]);
    file.push("meshes", json!({"name": "Sword", "primitives": [{"attributes": {"POSITION": sword}}]}));
    let node = file.push("nodes", json!({"mesh": 1}));
    let input = file.floats("SCALAR", &[0.0, 1.0]);
    let output = file.floats("VEC3", &[0.0; 6]);
    file.push(
        "animations",
        json!({"samplers": [{"input": input, "output": output}],
        "channels": [{"sampler": 0, "target": {"node": node, "path": "translation"}}]}),
    );
    for view in file.json["bufferViews"].as_array_mut().expect("views").iter_mut().skip(views) {
        view["buffer"] = json!(1);
    }
    file.json["buffers"] = json!([
        {"byteLength": body.len(), "uri": "body.bin"},
        {"byteLength": file.bin.len(), "uri": "sword.bin"},
    ]);
    let files = HashMap::from([("body.bin".to_owned(), body), ("sword.bin".to_owned(), file.bin)]);
    (file.json.to_string().into_bytes(), files)
}

#[test]
fn missing_buffer_is_a_warning_with_its_name_and_the_rest_is_shown() {
    let (bytes, files) = two_files();
    let all = gambol::import::import(&bytes, &mut files.clone()).expect("all is there");
    assert_eq!((all.warnings.len(), all.model.clips[0].channels.len()), (0, 1));

    let mut without = files.clone();
    without.remove("sword.bin");
    let Imported { model, warnings } =
        gambol::import::import(&bytes, &mut without).expect("the body is there");
    check(&model);
    assert_eq!(format!("{:?}", model.meshes[0]), format!("{:?}", all.model.meshes[0]));
    assert_eq!((model.meshes[1].primitives[0].vertex_count(), model.clips[0].channels.len()), (0, 0));
    let told: Vec<_> = warnings.iter().map(|warning| (warning.code, &warning.pointer[..])).collect();
    let buffer = "import/buffer-missing";
    let part = (buffer, "/buffers/1");
    assert_eq!(told, [(buffer, "/buffers/1/uri"), part, part], "{warnings:?}");
    assert!(warnings[0].message.contains("“sword.bin” is not among the files"), "{}", warnings[0]);
    assert!(warnings[1].message.contains("“Sword”"), "{}", warnings[1]);

    let mut without = files.clone();
    without.remove("body.bin");
    let Imported { model, .. } = gambol::import::import(&bytes, &mut without).expect("the sword is there");
    check(&model);
    assert_eq!(model.meshes[0].primitives[0].vertex_count(), 0);
    assert_eq!(format!("{:?}", model.meshes[1]), format!("{:?}", all.model.meshes[1]));
    assert_eq!(format!("{:?}", model.clips), format!("{:?}", all.model.clips));

    // If nothing can be loaded, the first fault is the error.
    let error = gambol::import::import(&bytes, &mut NoResolver).expect_err("nothing is there");
    assert_eq!((error.code(), error.pointer.as_str()), ("import/buffer-missing", "/buffers/0/uri"));
    assert!(error.to_string().contains("body.bin"), "{error}");
}

#[test]
fn short_buffer_is_a_warning_and_the_available_parts_are_shown() {
    let (bytes, files) = two_files();
    let length = files["sword.bin"].len();
    let cut = |length: usize| {
        let mut files = files.clone();
        files.get_mut("sword.bin").expect("it is there").truncate(length);
        let imported = gambol::import::import(&bytes, &mut files).expect("the body is there");
        check(&imported.model);
        assert_eq!(imported.warnings[0].code, "import/buffer-too-short");
        assert_eq!(imported.warnings[0].pointer, "/buffers/1");
        assert!(
            imported.warnings[0].message.starts_with("The buffer “sword.bin” is too short"),
            "{}",
            imported.warnings[0]
        );
        (imported.model.meshes[1].primitives[0].vertex_count(), imported.model.clips[0].channels.len())
    };
    assert_eq!(cut(length - 1), (3, 0), "the mesh is there, the last key is not");
    assert_eq!(cut(36), (3, 0));
    assert_eq!(cut(35), (0, 0));
    assert_eq!(cut(0), (0, 0));
    // A file with a single buffer has nothing to show without it.
    let mut file = triangle();
    file.json["buffers"] = json!([{"byteLength": 36, "uri": "a.bin"}]);
    let bytes = file.json.to_string().into_bytes();
    let mut files = HashMap::from([("a.bin".to_owned(), vec![0; 35])]);
    let error = gambol::import::import(&bytes, &mut files).expect_err("no triangle is there");
    assert_eq!((error.code(), error.pointer.as_str()), ("import/buffer-too-short", "/buffers/0"));
}

#[test]
fn git_lfs_pointer_in_place_of_a_buffer_is_named() {
    let (bytes, mut files) = two_files();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    files.insert("sword.bin".to_owned(), pointer.repeat(9));
    let warning = gambol::import::import(&bytes, &mut files).expect("the body is there").warnings.remove(0);
    assert_eq!((warning.code, &warning.pointer[..]), ("import/buffer-missing", "/buffers/1/uri"));
    assert!(warning.message.contains("“sword.bin” is a Git LFS pointer; run `git lfs pull`"), "{warning}");
}

#[test]
fn skin_with_missing_inverse_bind_matrices_is_ignored() {
    let mut file = skinned();
    let identity = glam::Mat4::IDENTITY.to_cols_array();
    file.push("nodes", json!({}));
    let binds = file.floats("MAT4", &[identity, identity].concat());
    file.json["skins"][0]["inverseBindMatrices"] = json!(binds);
    file.json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": "a.bin"}]);
    let mut files = HashMap::from([("a.bin".to_owned(), file.bin[..file.bin.len() - 4].to_vec())]);
    let Imported { model, warnings } =
        gambol::import::import(&file.json.to_string().into_bytes(), &mut files).expect("the mesh is there");
    check(&model);
    assert_eq!((model.nodes[0].skin, model.meshes[0].primitives[0].vertex_count()), (None, 3));
    let codes: Vec<_> = warnings.iter().map(|warning| warning.code).collect();
    let want = ["import/buffer-too-short", "import/accessor-out-of-range", "import/skin-ignored"];
    assert_eq!(codes, want, "{warnings:?}");
}

#[test]
fn clips_whose_keys_are_all_missing_are_removed() {
    let mut file = animated();
    file.json["meshes"] = json!([]);
    file.json["nodes"] = json!([{}]);
    file.json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": "a.bin"}]);
    let bytes = file.json.to_string().into_bytes();
    let mut files = HashMap::from([("a.bin".to_owned(), file.bin.clone())]);
    assert_eq!(gambol::import::import(&bytes, &mut files).expect("a clip").model.clips[0].channels.len(), 1);
    let error = gambol::import::import(&bytes, &mut NoResolver).expect_err("nothing is there");
    assert_eq!((error.code(), error.pointer.as_str()), ("import/buffer-missing", "/buffers/0/uri"));
}

#[test]
fn data_uris_work_for_buffers_and_images() {
    let mut file = Builder::new();
    file.push("images", json!({"uri": "data:image/png;base64,iVBO", "name": "Bild 🖼"}));
    file.push("images", json!({"uri": "textures/Fox%20fur.png"}));
    let view = file.view(b"JPEG");
    file.push("images", json!({"bufferView": view, "mimeType": "image/jpeg"}));
    let images = file.clean().images;
    assert!(matches!(&images[0].data, ImageData::Embedded(bytes) if bytes == b"\x89PN"));
    assert_eq!((images[0].mime_type.as_deref(), images[0].name.as_str()), (Some("image/png"), "Bild 🖼"));
    assert!(matches!(&images[1].data, ImageData::External(uri) if uri == "textures/Fox%20fur.png"));
    assert!(matches!(&images[2].data, ImageData::Embedded(bytes) if bytes == b"JPEG"));
    assert_eq!(images[2].mime_type.as_deref(), Some("image/jpeg"));
}

#[test]
fn materials_with_missing_textures_are_kept() {
    let warned = |key: &str, element: serde_json::Value| {
        let mut file = triangle();
        file.push(key, element);
        let (model, code, pointer) = file.repaired();
        assert_eq!(
            model.materials.len() + model.textures.len() + model.images.len() + model.cameras.len(),
            1
        );
        (code, pointer)
    };
    assert_eq!(warned("images", json!({})), at("import/buffer-missing", "/images/0"));
    assert_eq!(
        warned("images", json!({"bufferView": 9})),
        at("import/index-out-of-range", "/images/0/bufferView")
    );
    assert_eq!(warned("images", json!({"uri": "data:x"})), at("import/invalid-uri", "/images/0/uri"));
    assert_eq!(
        warned("textures", json!({"source": 0})),
        at("import/index-out-of-range", "/textures/0/source")
    );
    assert_eq!(
        warned("textures", json!({"sampler": 0})),
        at("import/index-out-of-range", "/textures/0/sampler")
    );
    assert_eq!(
        warned("materials", json!({"alphaMode": "GLOW"})),
        at("import/invalid-value", "/materials/0/alphaMode")
    );
    let texture = json!({"normalTexture": {"index": 3}});
    assert_eq!(
        warned("materials", texture),
        at("import/index-out-of-range", "/materials/0/normalTexture/index")
    );
    let factor = json!({"pbrMetallicRoughness": {"baseColorFactor": "red"}});
    let pointer = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    assert_eq!(warned("materials", factor), at("import/invalid-value", pointer));
    assert_eq!(warned("cameras", json!({"type": "perspective"})), at("import/number-replaced", "/cameras/0"));
    let flat = json!({"type": "perspective", "perspective": {"yfov": 0, "znear": 1}});
    assert_eq!(warned("cameras", flat), at("import/number-replaced", "/cameras/0"));
    let mut file = triangle();
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let (_, code, pointer) = file.repaired();
    assert_eq!((code, pointer), at("import/index-out-of-range", "/meshes/0/primitives/0/material"));
}

#[test]
fn better_texture_sources_are_preferred() {
    let mut file = triangle();
    file.push("images", json!({"uri": "a.png"}));
    file.push("images", json!({"uri": "a.webp"}));
    file.push("textures", json!({"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}));
    file.push("textures", json!({}));
    let textures = file.clean().textures;
    assert_eq!(textures[0].image.map(|image| image.index()), Some(1));
    assert_eq!(textures[1].image, None);
}

#[test]
fn codes_are_unique_and_documented() {
    let mut seen = HashSet::new();
    for (code, meaning) in codes::ALL {
        let name = code.strip_prefix("import/").expect("all codes of import begin so");
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{code}");
        assert!(meaning.trim().ends_with('.'), "{code}");
        assert!(seen.insert(code), "{code}");
    }
}

#[test]
fn warnings_have_messages_with_pointers() {
    let mut file = animated();
    file.json["animations"][0]["channels"][0]["target"]["node"] = json!(5);
    let warning = file.import().expect("it loads").warnings.remove(0);
    let text = "The node index 5 is out of range; the count is 1; the channel is skipped (at /animations/0/channels/0/target/node)";
    assert_eq!(warning.to_string(), text);
}

#[test]
fn errors_end_with_a_cure() {
    let of = |bytes: &[u8]| import(bytes).expect_err("the file is wrong").to_string();
    assert_eq!(of(b"PK"), "This is not a glTF file. Load a .glb or .gltf file.");
    assert!(
        of(b"glTF\x02\0\0\0\xff\0\0\0")
            .ends_with("Copy or download the file again; the transfer may have been interrupted.")
    );
    let mut file = triangle();
    file.json["accessors"][0]["type"] = json!("VEC2");
    let text = "The accessor must contain VEC3, but it contains VEC2 (at /meshes/0/primitives/0/attributes/POSITION). \
                Check the file with the glTF Validator, and export it again.";
    assert_eq!(of(&file.glb()), text);
}

#[test]
fn empty_scene_is_a_warning() {
    let codes = |scene: usize| {
        let mut file = triangle();
        file.json["scenes"] = json!([{"nodes": [0]}, {}]);
        file.json["scene"] = json!(scene);
        let imported = gambol::import::import(&file.glb(), &mut NoResolver).expect("it loads");
        imported.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(0), [""; 0]);
    assert_eq!(codes(1), ["import/nothing-to-show"]);
}
