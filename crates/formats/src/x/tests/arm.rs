//! A text file with most features: an arm of three bones with smooth weights, a box with two materials, and a clip with keys
//! of all kinds. Shared by path with `tests/native/formats/`.

use std::fmt::Write;

/// A matrix for row vectors: a turn about an axis by degrees, then a translation.
fn matrix(axis: usize, degrees: f64, translation: [f64; 3]) -> String {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut rows = [[0.0; 4]; 4];
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    (rows[a][a], rows[a][b], rows[b][a], rows[b][b]) = (cos, sin, -sin, cos);
    rows[3][..3].copy_from_slice(&translation);
    let numbers: Vec<_> = rows.as_flattened().iter().map(|value| format!("{value:.6}")).collect();
    format!("{};;", numbers.join(","))
}

/// A rotation key about an axis: W first, and the conjugate.
fn quaternion(axis: usize, degrees: f64) -> String {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    let mut key = [cos, 0.0, 0.0, 0.0];
    key[axis + 1] = -sin;
    key.map(|value| format!("{value:.6}")).join(",")
}

/// The bones' lengths along X.
const BONE: f64 = 2.0;
const RINGS: usize = 13;
const SIDES: usize = 6;

/// The weights of the three bones at a place along X: linear between their middles.
fn weights(x: f64) -> [f64; 3] {
    let middle = |bone: usize| BONE * (bone as f64 + 0.5);
    let weight = |bone: usize| (1.0 - (x - middle(bone)).abs() / BONE).max(0.0);
    let mut weights = [weight(0), weight(1), weight(2)];
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// The mesh of the arm: a tube along X with quads and normals.
fn tube(out: &mut String) {
    let x = |ring: usize| 3.0 * BONE * ring as f64 / (RINGS - 1) as f64;
    let angle = |side: usize| std::f64::consts::TAU * side as f64 / SIDES as f64;
    let vertices = || (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side)));
    let _ = writeln!(out, "Mesh Tube {{\n{};", RINGS * SIDES);
    for (ring, side) in vertices() {
        let (sin, cos) = angle(side).sin_cos();
        let _ = writeln!(out, "{:.6};{:.6};{:.6};,", x(ring), 0.4 * sin, 0.4 * cos);
    }
    let quads = || (0..RINGS - 1).flat_map(|ring| (0..SIDES).map(move |side| (ring, side)));
    let faces = |out: &mut String| {
        let _ = writeln!(out, "{};", (RINGS - 1) * SIDES);
        for (ring, side) in quads() {
            let (here, next) = (ring * SIDES, (ring + 1) * SIDES);
            let other = (side + 1) % SIDES;
            let _ = writeln!(out, "4;{},{},{},{};,", here + side, next + side, next + other, here + other);
        }
    };
    faces(out);
    let _ = writeln!(out, "MeshNormals {{\n{};", RINGS * SIDES);
    for (_, side) in vertices() {
        let (sin, cos) = angle(side).sin_cos();
        let _ = writeln!(out, "0.000000;{sin:.6};{cos:.6};,");
    }
    faces(out);
    out.push_str("}\n");
    let _ = writeln!(out, "MeshTextureCoords {{\n{};", RINGS * SIDES);
    for (ring, side) in vertices() {
        let _ = writeln!(out, "{:.6};{:.6};,", ring as f64 / 12.0, side as f64 / 6.0);
    }
    out.push_str("}\nMeshMaterialList { 1; 1; 0; { Skin } }\nXSkinMeshHeader { 2; 4; 3; }\n");
    for (bone, name) in ["Upper", "Lower", "Hand"].into_iter().enumerate() {
        let weighted: Vec<_> = vertices()
            .enumerate()
            .map(|(vertex, (ring, _))| (vertex, weights(x(ring))[bone]))
            .filter(|(_, weight)| *weight > 0.0)
            .collect();
        let indices: Vec<_> = weighted.iter().map(|(vertex, _)| vertex.to_string()).collect();
        let weights: Vec<_> = weighted.iter().map(|(_, weight)| format!("{weight:.6}")).collect();
        // The arm was bound while it was straight, along X from the origin.
        let offset = matrix(0, 0.0, [-BONE * bone as f64, 0.0, 0.0]);
        let _ = writeln!(
            out,
            "SkinWeights {{ \"{name}\"; {};\n{};\n{};\n{offset} }}",
            indices.len(),
            indices.join(","),
            weights.join(",")
        );
    }
    out.push_str("}\n");
}

/// A box with two materials, and with colours.
const BOX: &str = r#"Mesh Box {
8;
-1.000000;-1.000000;-1.000000;,
 1.000000;-1.000000;-1.000000;,
 1.000000; 1.000000;-1.000000;,
-1.000000; 1.000000;-1.000000;,
-1.000000;-1.000000; 1.000000;,
 1.000000;-1.000000; 1.000000;,
 1.000000; 1.000000; 1.000000;,
-1.000000; 1.000000; 1.000000;;
6;
4;0,3,2,1;, 4;4,5,6,7;, 4;0,1,5,4;, 4;1,2,6,5;, 4;2,3,7,6;, 4;3,0,4,7;;
MeshVertexColors { 8;
0;1.000000;0.000000;0.000000;1.000000;, 1;1.000000;1.000000;1.000000;1.000000;,
2;1.000000;1.000000;1.000000;1.000000;, 3;1.000000;1.000000;1.000000;1.000000;,
4;1.000000;1.000000;1.000000;1.000000;, 5;1.000000;1.000000;1.000000;1.000000;,
6;0.000000;0.500000;0.000000;0.500000;, 7;1.000000;1.000000;1.000000;1.000000;; }
MeshMaterialList { 2; 6; 0,0,0,1,1,1;
  { Skin }
  Material Glass { 0.500000;0.500000;1.000000;0.250000;; 30.000000; 1.000000;1.000000;1.000000;; 0.100000;0.000000;0.000000;;
    TextureFilename { "C:\\art\\glass 1.png"; } }
}
}
"#;

/// Two clips' worth of keys, 30 frames a second.
fn animations(out: &mut String) {
    let times = [0, 160, 320, 640, 960];
    let keys = |out: &mut String, kind: usize, width: usize, value: &dyn Fn(f64) -> String| {
        let key = |&time: &usize| format!("{time};{width};{};;", value(time as f64 / 960.0));
        let list: Vec<_> = times.iter().map(key).collect();
        let _ = writeln!(out, "AnimationKey {{ {kind}; {};\n{}; }}", times.len(), list.join(",\n"));
    };
    out.push_str("AnimationSet Wave {\nAnimation { { Upper }\n");
    keys(out, 0, 4, &|t| quaternion(2, 300.0 * t - 40.0));
    out.push_str("}\nAnimation Lower_keys { { Lower }\n");
    keys(out, 0, 4, &|t| quaternion(1, 100.0 * t));
    keys(out, 1, 3, &|t| format!("{:.6},{:.6},{:.6}", 1.0 + t, 1.0 + 0.5 * t, 1.0));
    keys(out, 2, 3, &|t| format!("{:.6},{:.6},{:.6}", BONE, 0.5 * t, -0.3 * t));
    out.push_str("}\nAnimation { { Hand }\n");
    keys(out, 4, 16, &|t| matrix(0, 80.0 * t, [BONE, t, 0.0]).trim_end_matches(';').to_owned());
    out.push_str("}\nAnimation { { Stand } AnimationOptions { 0; 0; }\n");
    keys(out, 3, 16, &|t| matrix(1, -170.0 * t, [0.0, 0.0, 4.0 * t]).trim_end_matches(';').to_owned());
    out.push_str("}\n}\n");
}

/// The file.
pub(crate) fn arm() -> String {
    let mut out = "xof 0303txt 0032\n".to_owned();
    out.push_str(
        "template Tag { <11111111-2222-3333-4444-555566667777> DWORD count; array FLOAT sizes[count]; STRING text; \
        Vector place; [...] }\n\
        AnimTicksPerSecond { 4800; }\n\
        Material Skin { 0.800000;0.600000;0.500000;1.000000;; 0.000000; 0.000000;0.000000;0.000000;; \
        0.000000;0.000000;0.000000;; }\n\
        Frame Root {\n",
    );
    let frame = |out: &mut String, name: &str, matrix: String| {
        let _ = writeln!(out, "Frame {name} {{ FrameTransformMatrix {{ {matrix} }}");
    };
    let _ = writeln!(out, "FrameTransformMatrix {{ {} }}", matrix(1, 30.0, [1.0, 2.0, 3.0]));
    out.push_str("Tag { 2; 1.500000, 2.500000; \"hello; {world}\"; 1.000000; 2.000000; 3.000000;; }\n");
    frame(&mut out, "Upper", matrix(2, 20.0, [0.0, 1.0, 0.0]));
    frame(&mut out, "Lower", matrix(2, -50.0, [BONE, 0.0, 0.0]));
    frame(&mut out, "Hand", matrix(0, 10.0, [BONE, 0.0, 0.0]));
    out.push_str("}}}\n");
    frame(&mut out, "Body", matrix(0, 0.0, [0.0, 0.0, 0.0]));
    tube(&mut out);
    out.push_str("}\n");
    frame(&mut out, "Stand", matrix(0, 45.0, [0.0, -2.0, 0.0]));
    out.push_str(BOX);
    out.push_str("}\n}\n");
    animations(&mut out);
    out
}
