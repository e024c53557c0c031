//! Invalid files.

use super::*;
use crate::x::container::open;

fn header(form: &str) -> Vec<u8> {
    format!("xof 0303{form}0032").into_bytes()
}

fn deflated(block: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(block, 6)
}

/// A file with one compressed block.
fn compressed(size: u32, stream: &[u8]) -> Vec<u8> {
    let mut file = header("tzip");
    file.extend(size.to_le_bytes());
    file.extend([0, 0]);
    file.extend((stream.len() as u16 + 2).to_le_bytes());
    file.extend(b"CK");
    file.extend(stream);
    file
}

#[test]
fn x_header_is_checked() {
    for (bytes, code, offset) in [
        (&b""[..], "x/header", 0),
        (b"xof", "x/header", 0),
        (b"XOF 0303txt 0032", "x/header", 0),
        (b"xof ", "x/truncated", 4),
        (b"xof 0303txt 003", "x/truncated", 15),
        (b"xof 0303txt 0016", "x/header", 12),
        (b"xof 0303com 0032", "x/header", 8),
        (b"xof 0303bzip0032", "x/truncated", 16),
        (b"xof 0303bzip0032\x20\0\0\0", "x/truncated", 20),
    ] {
        let error = error(bytes);
        assert_eq!(
            (error.code, error.place),
            (code, Place::Binary { offset, path: String::new() }),
            "{bytes:?}"
        );
    }
}

#[test]
fn x_without_content_is_refused() {
    for body in
        ["", "\n // nothing\n#\n", "template A { DWORD a; }", "AnimTicksPerSecond { 24; }", "Material { }"]
    {
        assert_eq!(error(&file(body)).code, "x/empty", "{body}");
    }
    assert_eq!(error(b"xof 0303bin 0032").code, "x/empty");
}

#[test]
fn x_text_of_wrong_syntax_is_refused() {
    for (body, code, place) in [
        ("12", "x/syntax", at(2, 1)),
        ("Frame", "x/truncated", at(2, 6)),
        ("Frame a b", "x/truncated", at(2, 10)),
        ("Frame a {\n ", "x/truncated", at(3, 2)),
        ("Frame a }", "x/syntax", at(2, 9)),
        ("Frame a ; {}", "x/syntax", at(2, 9)),
        ("Frame a { \"text", "x/truncated", at(2, 11)),
        ("Frame a { <11111111", "x/truncated", at(2, 11)),
        ("Frame a { { b ", "x/truncated", at(2, 15)),
        ("Frame a { { b { } } }", "x/syntax", at(2, 15)),
        ("{ a }", "x/syntax", at(2, 1)),
        ("template", "x/truncated", at(2, 9)),
        ("template T", "x/truncated", at(2, 11)),
        ("template T { 5 }", "x/syntax", at(2, 16)),
        ("template T { DWORD a }", "x/syntax", at(2, 22)),
        ("template T { array ; }", "x/syntax", at(2, 20)),
        ("template T { array DWORD a[; }", "x/syntax", at(2, 28)),
        ("template T { array DWORD a[3; }", "x/syntax", at(2, 29)),
        ("template T { [ ... ", "x/truncated", at(2, 20)),
        ("Mesh { 3; 0;0;0;", "x/truncated", at(2, 17)),
    ] {
        let error = error(&file(body));
        assert_eq!((error.code, error.place), (code, place), "{body}: {}", error.message);
    }
}

#[test]
fn x_binary_of_wrong_syntax_is_refused() {
    let frame = [1, 0, 5, 0, 0, 0, b'F', b'r', b'a', b'm', b'e', 1, 0, 1, 0, 0, 0, b'a', 10, 0];
    let huge = u32::MAX.to_le_bytes();
    for (bytes, code, offset, path) in [
        (&[0, 0][..], "x/syntax", 16, ""),
        (&[99, 0], "x/syntax", 16, ""),
        (&[1, 0, 5, 0, 0, 0, b'F'], "x/truncated", 18, ""),
        (&[1, 0, huge[0], huge[1], huge[2], huge[3], b'F'], "x/truncated", 18, ""),
        (&[&frame[..], &[6, 0], &huge, &[1, 2, 3, 4]].concat(), "x/truncated", 36, "Frame a"),
        (&[&frame[..], &[7, 0], &huge, &[1, 2, 3, 4]].concat(), "x/truncated", 36, "Frame a"),
        (&[&frame[..], &[6, 0, 2, 0, 0, 0, 1, 0, 0, 0]].concat(), "x/truncated", 36, "Frame a"),
        (&[&frame[..], &[2, 0], &huge].concat(), "x/truncated", 38, "Frame a"),
        (&[&frame[..], &[5, 0, 1, 2, 3]].concat(), "x/truncated", 38, "Frame a"),
        (&[&frame[..], &[3, 0, 1, 2]].concat(), "x/truncated", 38, "Frame a"),
        (&[&frame[..], &frame[..], &[77, 0]].concat(), "x/syntax", 56, "Frame a/Frame a"),
        (&frame[..], "x/truncated", 36, "Frame a"),
    ] {
        let error = error(&[&header("bin "), bytes].concat());
        let place = Place::Binary { offset, path: path.to_owned() };
        assert_eq!((error.code, error.place), (code, place), "{bytes:?}: {}", error.message);
    }
}

#[test]
fn x_cut_anywhere_is_an_error() {
    let text = arm::arm();
    let binary = encode::binary(&text, false);
    let content = encode::compressed(&binary, deflated);
    // The text ends with a newline.
    for (bytes, step) in [(text.trim_end().as_bytes(), 37), (&binary, 41), (&content, 7)] {
        for end in (0..bytes.len()).step_by(step) {
            let error = error(&bytes[..end]);
            assert!(!error.message.is_empty() && error.code.starts_with("x/"), "{end}: {}", error.code);
        }
        assert!(to_glb(bytes, "", &Options::default()).is_ok());
    }
}

#[test]
fn x_compressed_blocks_are_checked() {
    let good = deflated(b"Frame a { }");
    let whole = compressed(27, &good);
    assert!(to_glb(&whole, "", &Options::default()).is_ok());
    let mut other = whole.clone();
    other[24] = b'X';
    let mut damaged = whole.clone();
    damaged[26..].fill(0xff);
    let cut = &whole[..whole.len() - 1];
    let missing = compressed(1000, &good);
    for (bytes, code, offset) in [
        (&other[..], "x/compression", 24),
        (&damaged, "x/compression", 26),
        (cut, "x/truncated", cut.len() as u64),
        (&missing, "x/truncated", missing.len() as u64),
    ] {
        let error = error(bytes);
        assert_eq!((error.code, error.place), (code, Place::Binary { offset, path: String::new() }));
    }
    // Bytes after the last block are ignored.
    assert!(to_glb(&[&whole[..], b"anything"].concat(), "", &Options::default()).is_ok());
}

/// 32 KiB of spaces in 40 bytes, again and again.
#[test]
fn x_compressed_bombs_are_refused() {
    let stream = deflated(&[b' '; 1 << 15]);
    let mut bomb = compressed(u32::MAX, &stream);
    let block = bomb[20..].to_vec();
    for _ in 0..10_000 {
        bomb.extend(&block);
    }
    let error = error(&bomb);
    assert_eq!(error.code, "convert/too-large");
    let empty = compressed(16, &deflated(b""));
    let many: Vec<u8> = [&empty[..20], &empty[20..].repeat(20_000)].concat();
    let error = super::error(&many);
    assert_eq!(error.code, "convert/too-large");
}

/// A block may refer to the bytes of the block before it.
#[test]
fn x_compressed_blocks_share_their_history() {
    let mut first = b"Frame a { }\nFrame b { }\n".to_vec();
    first.resize(1 << 15, b' ');
    // Fixed codes: copies of 258 bytes from 32768 bytes before, then of the rest.
    let mut bits = Bits::default();
    bits.put(1, 1);
    bits.put(1, 2);
    for _ in 0..127 {
        bits.put_reversed(0b1100_0101, 8);
        bits.put_reversed(29, 5);
        bits.put((1 << 13) - 1, 13);
    }
    bits.put_reversed(0, 7);
    let mut file = compressed(16 + (1 << 15) + 127 * 258, &deflated(&first));
    let second = bits.bytes;
    file.extend([0, 0]);
    file.extend((second.len() as u16 + 2).to_le_bytes());
    file.extend(b"CK");
    file.extend(second);
    let options = Options::default();
    let conversion = Conversion::new(&options, "", file.len());
    let source = open(&file, &conversion).expect("two blocks");
    assert_eq!(source.bytes.len(), 16 + (1 << 15) + 127 * 258);
    let content = &source.bytes[16..];
    assert!(content[1 << 15..] == content[..127 * 258]);
    // A distance that reaches before the first block.
    let mut bits = Bits::default();
    bits.put(1, 1);
    bits.put(1, 2);
    bits.put_reversed(0b1100_0101, 8);
    bits.put_reversed(29, 5);
    bits.put((1 << 13) - 1, 13);
    bits.put_reversed(0, 7);
    assert_eq!(error(&compressed(1000, &bits.bytes)).code, "x/compression");
}

/// The bits of a deflate stream.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: u32, length: u32) {
        for i in 0..length {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.len() - 1;
            self.bytes[last] |= ((value >> i & 1) as u8) << (self.count % 8);
            self.count += 1;
        }
    }

    fn put_reversed(&mut self, value: u32, length: u32) {
        self.put(value.reverse_bits() >> (32 - length), length);
    }
}

#[test]
fn x_nested_very_deeply_needs_no_stack() {
    let depth = 10_000;
    let text = format!("{}{}", "Frame a { ".repeat(depth), "}".repeat(depth));
    let (scene, warnings) = read(&text);
    assert_eq!((scene.nodes.len(), codes(&warnings)), (depth, vec![]));
    assert_eq!(scene.nodes[depth - 1].parent, Some(depth - 2));
    // Other objects, and templates in templates.
    let text = format!("{}{} Frame b {{ }}", "Unknown { ".repeat(depth), "}".repeat(depth));
    assert_eq!(codes(&read(&text).1), ["x/unknown-template"]);
    let templates: String = (0..depth).map(|i| format!("template T{i} {{ T{} a; }}\n", i + 1)).collect();
    let (scene, warnings) = read(&format!("{templates} Frame b {{ T0 {{ 1; }} }}"));
    assert_eq!((scene.data.len(), codes(&warnings)), (0, vec!["x/template-mismatch"]));
    let binary = encode::binary(&[HEADER, &"Frame a { ".repeat(depth)].concat(), false);
    let error = error(&binary);
    assert_eq!(error.code, "x/truncated");
    let Place::Binary { path, .. } = error.place else { panic!("a binary file") };
    assert_eq!(path.matches("Frame a").count(), 16, "the innermost");
}

#[test]
fn x_frames_in_cycles_become_roots() {
    for (body, nodes, warnings) in [
        ("Frame a { { a } }", 1, 2),
        ("Frame a { { b } } Frame b { { a } }", 2, 2),
        ("Frame a { Frame b { { a } } }", 2, 2),
        ("Frame a { { b } } Frame b { { c } } Frame c { { b } }", 3, 1),
        ("Frame a { { b } { b } } Frame b { }", 2, 1),
        ("Frame a { { b } } Frame c { { b } } Frame b { }", 3, 1),
        ("Frame a { Frame b { } } Frame c { { b } }", 3, 1),
    ] {
        let (scene, found) = read(body);
        assert_eq!(scene.nodes.len(), nodes, "{body}");
        assert_eq!(codes(&found), vec!["x/reference-ignored"; warnings], "{body}");
        assert!(scene.nodes.iter().enumerate().all(|(i, node)| node.parent.is_none_or(|parent| parent < i)));
    }
}

/// References do not copy frames, or a small file would have very many nodes.
#[test]
fn x_references_do_not_multiply() {
    let body: String = (0..100).map(|i| format!("Frame f{i} {{ {{ f{0} }} {{ f{0} }} }}\n", i + 1)).collect();
    let (scene, warnings) = read(&body);
    assert_eq!(scene.nodes.len(), 100);
    assert_eq!(warnings.len(), 101);
}

#[test]
fn x_lying_counts_end_with_the_values() {
    let mesh = |body: &str| error(&file(&format!("Frame a {{\nMesh {{ {body} }} }}")));
    for body in [
        "",
        "4000000000; 0;0;0;",
        "1e300; 0;0;0;",
        "-1; 0;0;0;",
        "nan; 0;0;0;",
        "1; 0;0;0; 4000000000; 3;0,0,0;",
        "1; 0;0;0; 1; 4000000000; 0,0,0;",
        "1; 0;0;",
    ] {
        let error = mesh(body);
        assert_eq!((error.code, error.place), ("x/too-few-values", at(3, 9 + body.len() as u32)), "{body}");
    }
    assert_eq!(mesh("\"text\"").code, "x/syntax");
    let huge = "4000000000;";
    for (part, code) in [
        (format!("MeshNormals {{ {huge} 0;0;1; }}"), "x/too-few-values"),
        (format!("MeshNormals {{ 1; 0;0;1; {huge} 3;0,0,0; }}"), "x/too-few-values"),
        ("MeshNormals { 1; 0;0;1; 1; 3;0,0,1; }".to_owned(), "x/part-ignored"),
        ("MeshNormals { 1; 0;0;1; 1; 4;0,0,0,0; }".to_owned(), "x/part-ignored"),
        (format!("MeshTextureCoords {{ {huge} 0;1; }}"), "x/too-few-values"),
        ("MeshTextureCoords { 1; 0;1; }".to_owned(), "x/part-ignored"),
        (format!("MeshVertexColors {{ {huge} 0; 1;1;1;1; }}"), "x/too-few-values"),
        (
            format!("MeshMaterialList {{ 1; {huge} 0; Material {{ 1;1;1;1; 0; 0;0;0; 0;0;0; }} }}"),
            "x/too-few-values",
        ),
        ("MeshMaterialList { 1; 1; 4000000000; }".to_owned(), "x/part-ignored"),
        (format!("SkinWeights {{ \"a\"; {huge} 0; 1; }}"), "x/too-few-values"),
        (format!("DeclData {{ {huge} 2;0;3;0; 9; 1,2,3; }}"), "x/too-few-values"),
        (format!("DeclData {{ 1; 2;0;3;0; {huge} 1,2,3; }}"), "x/too-few-values"),
        ("DeclData { 1; 2;0;3;0; 3; 1,2,3; }".to_owned(), "x/part-ignored"),
        ("DeclData { 1; 99;0;3;0; 3; 1,2,3; }".to_owned(), "x/part-ignored"),
        ("DeclData { 0; 0; }".to_owned(), "x/part-ignored"),
        (format!("FVFData {{ 16; {huge} 1,2,3; }}"), "x/too-few-values"),
        (format!("FVFData {{ 4294967295; {huge} 1,2,3; }}"), "x/too-few-values"),
        ("FVFData { 4294967295; 3; 1,2,3; }".to_owned(), "x/part-ignored"),
    ] {
        let (scene, warnings) = read(&triangle(&part));
        assert_eq!(codes(&warnings), [code], "{part}");
        let primitive = &scene.meshes[0].primitives[0];
        assert_eq!((primitive.positions.len(), &primitive.indices[..]), (3, &[0, 2, 1][..]));
        assert!(
            primitive.normals.is_empty() && primitive.texcoords.is_empty() && primitive.colors.is_empty()
        );
    }
    for (keys, code) in [
        (format!("0; {huge} 0;4;1,0,0,0;"), "x/too-few-values"),
        (format!("0; 1; 0;{huge}1,0,0,0;"), "x/keys-ignored"),
        ("2; 1; 0;4;1,0,0,0;".to_owned(), "x/keys-ignored"),
        (format!("{huge} 1; 0;4;1,0,0,0;"), "x/keys-ignored"),
        ("5; 1; 0;4;1,0,0,0;".to_owned(), "x/keys-ignored"),
        (String::new(), "x/too-few-values"),
    ] {
        let body =
            format!("Frame a {{ }} AnimationSet {{ Animation {{ {{ a }} AnimationKey {{ {keys} }} }} }}");
        let (scene, warnings) = read(&body);
        assert_eq!(codes(&warnings), [code], "{keys}");
        assert!(scene.clips[0].channels.is_empty());
    }
}

#[test]
fn x_numbers_that_are_not_finite_are_replaced() {
    let body = "Mesh { 3; 1.#QNAN;0;-1.#IND;, 1;inf;0;, 0;1e300;0;; 1; 3;0,1,2;; }";
    let (scene, warnings) = read(body);
    assert_eq!(codes(&warnings), ["x/number-replaced"]);
    assert_eq!(warnings[0].place, at(2, 11));
    assert!(warnings[0].message.contains("(4 of them)"), "{}", warnings[0].message);
    let positions = &scene.meshes[0].primitives[0].positions;
    assert_eq!(positions[..], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
}

#[test]
fn x_faces_that_are_not_polygons_are_skipped() {
    let body = "Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 6; 0;, 1;0;, 2;0,1;, 3;0,1,3;, 3;0,1,-1;, 3;0,1,2;; }";
    let (scene, warnings) = read(body);
    assert_eq!(codes(&warnings), ["x/face-ignored"]);
    assert!(warnings[0].message.contains("(5 of them)"));
    assert_eq!(scene.meshes[0].primitives[0].indices, [0, 2, 1]);
    let (scene, warnings) = read("Frame a { Mesh { 0; 0; } }");
    assert_eq!((scene.meshes[0].primitives.len(), codes(&warnings)), (0, vec![]));
}

#[test]
fn x_references_to_nothing_are_reported() {
    let guid = "<11111111-2222-3333-4444-555566667777>";
    for reference in ["b", guid, "a b", ""] {
        let (scene, warnings) = read(&format!("Frame a {{\n{{ {reference} }} }}"));
        assert_eq!((scene.nodes.len(), codes(&warnings)), (1, vec!["x/reference-missing"]), "{reference}");
        assert_eq!(warnings[0].place, at(3, 1));
    }
    // A reference to an object of another kind means nothing.
    let (scene, warnings) = read("Frame a { { m } } Material m { }");
    assert_eq!((scene.nodes.len(), codes(&warnings)), (1, vec![]));
}

#[test]
fn x_matrices_with_shear_are_repaired() {
    let matrix = |numbers: &str| format!("Frame a {{ FrameTransformMatrix {{ {numbers} }} }}");
    let (scene, warnings) = read(&matrix("1,0,0,0, 0.5,1,0,0, 0,0,1,0, 1,2,3,1;;"));
    assert_eq!(codes(&warnings), ["x/matrix-repaired"]);
    assert_eq!(scene.nodes[0].translation, [1.0, 2.0, -3.0]);
    let (scene, warnings) = read(&matrix("0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,1;;"));
    assert_eq!((codes(&warnings), scene.nodes[0].scale), (vec![], [0.0; 3]));
    let (_, warnings) = read(&matrix("1,0,0,0;;"));
    assert_eq!(codes(&warnings), ["x/too-few-values"]);
}

#[test]
fn x_weights_that_fit_no_vertex_are_ignored() {
    let part = "SkinWeights { \"a\"; 5; 0,1,2,3,1000000; 1,-1,0.5,1,1; \
        1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; }";
    let (scene, warnings) = read(&format!("Frame a {{ {} }}", triangle(part)));
    assert_eq!(codes(&warnings), ["x/weights-ignored"]);
    assert!(warnings[0].message.contains("(3 of them)"));
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.influences.len(), 1);
    let (joints, weights) = &primitive.influences[0];
    // The second vertex has no weight, so it follows the frame of the mesh. The third has all.
    assert_eq!(joints.iter().map(|joints| joints[0]).collect::<Vec<_>>(), [0, 1, 0]);
    assert!(weights.iter().all(|weights| *weights == [1.0, 0.0, 0.0, 0.0]));
    assert_eq!(scene.skins[0].joints.len(), 2);
}

#[test]
fn x_with_too_many_influences_keeps_the_largest() {
    let frames: String = (0..40).map(|i| format!("Frame b{i} {{ }} ")).collect();
    let weights: String = (0..40)
        .map(|i| {
            let weight = if i < 8 { 0.001 } else { 0.5 };
            format!(
                "SkinWeights {{ \"b{i}\"; 3; 0,1,2; {weight},1,1; 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; }}\n"
            )
        })
        .collect();
    let (scene, warnings) = read(&format!("Frame a {{ {frames} {} }}", triangle(&weights)));
    assert_eq!(codes(&warnings), ["x/weights-ignored"]);
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.influences.len(), 8);
    let first: Vec<_> = primitive.influences.iter().flat_map(|(joints, _)| joints[0]).collect();
    assert!(first.iter().all(|&joint| joint >= 8), "{first:?}");
    let sum: f32 = primitive.influences.iter().flat_map(|(_, weights)| weights[0]).sum();
    assert!((sum - 1.0).abs() < 1e-6);
}

#[test]
fn x_animations_without_a_frame_are_skipped() {
    let key = "AnimationKey { 2; 1; 0;3;1,2,3;; }";
    for (target, expected) in [
        ("", vec!["x/keys-ignored"]),
        ("{ b }", vec!["x/reference-missing", "x/keys-ignored"]),
        ("{ m }", vec!["x/keys-ignored"]),
    ] {
        let body =
            format!("Frame a {{ }} Material m {{ }} AnimationSet s {{ Animation {{ {target} {key} }} }}");
        let (scene, warnings) = read(&body);
        assert_eq!(codes(&warnings), expected, "{target}");
        assert!(scene.clips[0].channels.is_empty());
    }
}

#[test]
fn x_keys_are_sorted_and_unique() {
    let keys = "AnimationKey { 2; 5; 300;3;3,0,0;, 100;3;1,0,0;, 200;3;9,0,0;, 200;3;2,0,0;, nan;3;0,0,0;; }";
    let body = format!(
        "AnimTicksPerSecond {{ 100; }} Frame a {{ }} AnimationSet s {{ Animation {{ {{ a }} {keys} {} }} }}",
        "AnimationKey { 2; 1; 0;3;7,7,7;; }"
    );
    let (scene, warnings) = read(&body);
    assert_eq!(codes(&warnings), ["x/number-replaced", "x/keys-unsorted", "x/keys-ignored"]);
    let channel = channel(&scene, "a", Path::Translation);
    assert_eq!(channel.times, [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(channel.values.chunks(3).map(|row| row[0]).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn x_unknown_templates_are_skipped_with_all_in_them() {
    let (scene, warnings) = read("Frame a { Secret { 1; \"x\"; Frame b { } } secret { } Other { } }");
    assert_eq!(scene.nodes.len(), 1);
    assert_eq!(codes(&warnings), ["x/unknown-template"; 2]);
    assert_eq!(warnings[0].message, "The template \"Secret\" is unknown; its objects are skipped");
    assert!(scene.data.is_empty());
}

#[test]
fn x_objects_that_do_not_fit_their_template_are_skipped() {
    for (template, values, code) in [
        ("DWORD a; DWORD b;", "1;", "x/too-few-values"),
        ("STRING a;", "1;", "x/syntax"),
        ("DWORD a;", "\"1\";", "x/syntax"),
        ("DWORD n; array FLOAT a[n];", "4000000000; 1;", "x/too-few-values"),
        ("array FLOAT a[4000000000][4000000000];", "1;", "x/too-few-values"),
        ("T a;", "1;", "x/template-mismatch"),
        ("array E a[4000000000];", "1;", "x/template-mismatch"),
        ("Missing a;", "1;", "x/template-mismatch"),
    ] {
        let body = format!("template E {{ }} template T {{ {template} }} Frame a {{ T {{ {values} }} }}");
        let (scene, warnings) = read(&body);
        assert_eq!((scene.data.len(), codes(&warnings)), (0, vec![code]), "{template}");
    }
}

/// Templates in templates can say much with few words.
#[test]
fn x_templates_that_multiply_are_refused() {
    let templates: String = (0..14)
        .map(|i| format!("template T{i} {{ T{0} a; T{0} b; T{0} c; T{0} d; T{0} e; }}\n", i + 1))
        .collect();
    let error = error(&file(&format!("{templates} template T14 {{ }} Frame a {{ T0 {{ }} }}")));
    assert_eq!(error.code, "convert/too-large");
}

#[test]
fn x_superfluous_braces_are_ignored() {
    let (scene, warnings) = read("Frame a { } }\n} Frame b { }");
    assert_eq!((scene.nodes.len(), codes(&warnings)), (2, vec!["x/braces"; 2]));
    assert_eq!((&warnings[0].place, &warnings[1].place), (&at(2, 13), &at(3, 1)));
}

#[test]
fn x_larger_than_the_limit_is_refused() {
    let options = Options { decoded_bytes: 10_000, ..Options::default() };
    for body in [
        "Frame a { } ".repeat(100),
        "Frame a { { b } } ".repeat(100),
        format!("Mesh {{ 1; 0;0;0; 1; 100; {} }}", "0;".repeat(100)),
    ] {
        let error = to_glb(&file(&body), "", &options).expect_err("too large");
        assert_eq!(error.code, "convert/too-large", "{body}");
    }
}
