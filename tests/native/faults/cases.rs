//! Faults of accessors and meshes.

use super::Case;
use super::Want::{self, Accept, Refuse, Repair};
use crate::common::builder::{Builder, skinned, triangle};
use serde_json::{Value, json};

/// A faulty file: a base file, and the edit that breaks it.
pub(crate) fn case(
    rule: &'static str,
    fault: &'static str,
    want: Want,
    base: fn() -> Builder,
    edit: impl Fn(&mut Builder),
) -> Case {
    let mut file = base();
    edit(&mut file);
    Case { rule, fault, bytes: file.glb(), want }
}

fn primitive(file: &mut Builder) -> &mut Value {
    &mut file.json["meshes"][0]["primitives"][0]
}

pub(crate) fn append(array: &mut Value, item: Value) {
    array.as_array_mut().expect("an array").push(item);
}

/// Adds an attribute of floats.
fn attribute(file: &mut Builder, name: &str, kind: &str, values: &[f32]) {
    let accessor = file.floats(kind, values);
    primitive(file)["attributes"][name] = json!(accessor);
}

/// Replaces the positions' bytes.
fn positions(file: &mut Builder, values: &[f32]) {
    attribute(file, "POSITION", "VEC3", values);
}

fn indices(file: &mut Builder, values: &[u8]) {
    let accessor = file.bytes("SCALAR", 1, values);
    primitive(file)["indices"] = json!(accessor);
}

fn sparse(file: &mut Builder, indices: &[u8], count: usize) {
    let at = file.view(indices);
    let values = file.view(&[0; 48]);
    file.json["accessors"][0]["sparse"] = json!({
        "count": count,
        "indices": {"bufferView": at, "componentType": 5121},
        "values": {"bufferView": values},
    });
}

/// A triangle with a morph target.
fn morphing() -> Builder {
    let mut file = triangle();
    primitive(&mut file)["targets"] = json!([{"POSITION": 0}]);
    file
}

const WEIGHTS: &str = "/meshes/0/primitives/0/attributes/WEIGHTS_0";
const NAN: f32 = f32::NAN;

pub(crate) fn cases() -> Vec<Case> {
    let mut all = accessors();
    all.extend(meshes());
    all
}

fn accessors() -> Vec<Case> {
    let index = |pointer| Refuse("import/index-out-of-range", pointer);
    vec![
        case(
            "ACCESSOR_TOO_LONG",
            "an accessor beyond its buffer view",
            Refuse("import/accessor-out-of-range", "/accessors/0"),
            triangle,
            |f| f.json["accessors"][0]["count"] = json!(4),
        ),
        case(
            "ACCESSOR_TOO_LONG",
            "an accessor of 2⁶⁰ elements",
            Refuse("import/accessor-out-of-range", "/accessors/0"),
            triangle,
            |f| f.json["accessors"][0]["count"] = json!(1_u64 << 60),
        ),
        case(
            "ACCESSOR_SMALL_BYTESTRIDE",
            "a stride shorter than the elements",
            Refuse("import/stride-too-short", "/bufferViews/0/byteStride"),
            triangle,
            |f| f.json["bufferViews"][0]["byteStride"] = json!(4),
        ),
        case(
            "VALUE_NOT_IN_LIST",
            "an unknown component type",
            Refuse("import/invalid-value", "/accessors/0/componentType"),
            triangle,
            |f| f.json["accessors"][0]["componentType"] = json!(5124),
        ),
        case(
            "INVALID_GL_VALUE",
            "an unknown accessor type",
            Refuse("import/invalid-value", "/accessors/0/type"),
            triangle,
            |f| f.json["accessors"][0]["type"] = json!("VEC5"),
        ),
        case("ACCESSOR_NORMALIZED_INVALID", "floats declared as normalised", Accept, triangle, |f| {
            f.json["accessors"][0]["normalized"] = json!(true)
        }),
        case("ACCESSOR_OFFSET_ALIGNMENT", "an unaligned accessor", Accept, triangle, |f| {
            f.bin.insert(0, 0);
            f.json["bufferViews"][0]["byteLength"] = json!(37);
            f.json["accessors"][0]["byteOffset"] = json!(1);
        }),
        case("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", "an unaligned buffer view", Accept, triangle, |f| {
            f.bin.insert(0, 0);
            f.json["bufferViews"][0]["byteOffset"] = json!(1);
        }),
        case("ACCESSOR_MATRIX_ALIGNMENT", "unaligned matrices", Accept, skinned, |f| {
            let binds =
                f.floats("MAT4", &[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.].repeat(2));
            let at = f.bin.len() - 128;
            f.bin.insert(at, 0);
            f.json["accessors"][binds]["byteOffset"] = json!(1);
            let view = f.json["accessors"][binds]["bufferView"].as_u64().unwrap_or(0) as usize;
            f.json["bufferViews"][view]["byteLength"] = json!(129);
            f.json["skins"][0]["inverseBindMatrices"] = json!(binds);
        }),
        case(
            "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE",
            "more sparse elements than elements",
            Refuse("import/invalid-value", "/accessors/0/sparse/count"),
            triangle,
            |f| sparse(f, &[0, 1, 2, 3], 4),
        ),
        case(
            "ACCESSOR_TOO_LONG",
            "sparse elements beyond their buffer view",
            Refuse("import/accessor-out-of-range", "/accessors/0/sparse/indices"),
            triangle,
            |f| sparse(f, &[0], 2),
        ),
        case(
            "ACCESSOR_SPARSE_INDEX_OOB",
            "a sparse index out of range",
            Refuse("import/sparse-index-out-of-range", "/accessors/0"),
            triangle,
            |f| sparse(f, &[9], 1),
        ),
        case(
            "ACCESSOR_SPARSE_INDICES_NON_INCREASING",
            "sparse indices out of order; of equal ones the last is used",
            Accept,
            triangle,
            |f| sparse(f, &[2, 0, 2], 3),
        ),
        case(
            "ACCESSOR_INVALID_FLOAT",
            "a position that is NaN",
            Repair("import/number-replaced", "/meshes/0/primitives/0/attributes/POSITION"),
            triangle,
            |f| positions(f, &[0., 0., 0., NAN, 0., 0., 0., 1., 0.]),
        ),
        case(
            "ACCESSOR_INVALID_FLOAT",
            "a normal that is NaN; it is replaced by +Z",
            Repair("import/number-replaced", "/meshes/0/primitives/0/attributes/NORMAL"),
            triangle,
            |f| attribute(f, "NORMAL", "VEC3", &[NAN; 9]),
        ),
        case(
            "ACCESSOR_INVALID_FLOAT",
            "joint weights that are NaN; they are replaced by 0",
            Repair("import/weights-repaired", WEIGHTS),
            skinned,
            |f| attribute(f, "WEIGHTS_0", "VEC4", &[1., NAN, 0., 0.].repeat(3)),
        ),
        case(
            "ACCESSOR_INVALID_FLOAT",
            "a morph target that is NaN; it is replaced by 0",
            Repair("import/number-replaced", "/meshes/0/primitives/0/targets/0/POSITION"),
            morphing,
            |f| {
                let deltas = f.floats("VEC3", &[NAN; 9]);
                primitive(f)["targets"][0]["POSITION"] = json!(deltas);
            },
        ),
        case(
            "ACCESSOR_INVALID_FLOAT",
            "infinite inverse bind matrices",
            Repair("import/number-replaced", "/skins/0/inverseBindMatrices"),
            skinned,
            |f| {
                let mut values = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.].repeat(2);
                values[5] = f32::INFINITY;
                f.json["skins"][0]["inverseBindMatrices"] = json!(f.floats("MAT4", &values));
            },
        ),
        case(
            "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND",
            "values above the declared maximum",
            Accept,
            triangle,
            |f| f.json["accessors"][0]["max"] = json!([0, 0, 0]),
        ),
        case(
            "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND",
            "values below the declared minimum",
            Accept,
            triangle,
            |f| f.json["accessors"][0]["min"] = json!([9, 9, 9]),
        ),
        case("ACCESSOR_MAX_MISMATCH", "a declared maximum above the values", Accept, triangle, |f| {
            f.json["accessors"][0]["max"] = json!([9, 9, 9])
        }),
        case("ACCESSOR_MIN_MISMATCH", "a declared minimum below the values", Accept, triangle, |f| {
            f.json["accessors"][0]["min"] = json!([-9, -9, -9])
        }),
        case(
            "UNRESOLVED_REFERENCE",
            "an accessor that does not exist",
            index("/meshes/0/primitives/0/attributes/POSITION"),
            triangle,
            |f| primitive(f)["attributes"]["POSITION"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a buffer that does not exist",
            index("/bufferViews/0/buffer"),
            triangle,
            |f| f.json["bufferViews"][0]["buffer"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "indices that do not exist",
            index("/meshes/0/primitives/0/indices"),
            triangle,
            |f| primitive(f)["indices"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "normals that do not exist; they are ignored",
            Repair("import/index-out-of-range", "/meshes/0/primitives/0/attributes/NORMAL"),
            triangle,
            |f| primitive(f)["attributes"]["NORMAL"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a morph target that does not exist; it has no effect",
            Repair("import/index-out-of-range", "/meshes/0/primitives/0/targets/0/POSITION"),
            morphing,
            |f| primitive(f)["targets"][0]["POSITION"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "sparse elements whose indices do not exist",
            index("/accessors/0/sparse/indices/bufferView"),
            triangle,
            |f| {
                sparse(f, &[0], 1);
                f.json["accessors"][0]["sparse"]["indices"]["bufferView"] = json!(7);
            },
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a buffer view that does not exist",
            index("/accessors/0/bufferView"),
            triangle,
            |f| f.json["accessors"][0]["bufferView"] = json!(7),
        ),
        case("UNRESOLVED_REFERENCE", "a mesh that does not exist", index("/nodes/0/mesh"), triangle, |f| {
            f.json["nodes"][0]["mesh"] = json!(7)
        }),
        case("UNRESOLVED_REFERENCE", "a skin that does not exist", index("/nodes/0/skin"), skinned, |f| {
            f.json["nodes"][0]["skin"] = json!(7)
        }),
        case(
            "UNRESOLVED_REFERENCE",
            "a joint that does not exist",
            index("/skins/0/joints/1"),
            skinned,
            |f| f.json["skins"][0]["joints"][1] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a material that does not exist",
            Repair("import/index-out-of-range", "/meshes/0/primitives/0/material"),
            triangle,
            |f| primitive(f)["material"] = json!(7),
        ),
    ]
}

fn meshes() -> Vec<Case> {
    vec![
        case(
            "MESH_PRIMITIVE_NO_POSITION",
            "no positions; the primitive is not drawn",
            Repair("import/no-positions", "/meshes/0/primitives/0/attributes"),
            triangle,
            |f| primitive(f)["attributes"] = json!({}),
        ),
        case("MESH_PRIMITIVE_INVALID_ATTRIBUTE", "an unknown attribute", Accept, triangle, |f| {
            primitive(f)["attributes"]["WHAT"] = json!(0)
        }),
        case(
            "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
            "positions of type VEC2",
            Refuse("import/accessor-type", "/meshes/0/primitives/0/attributes/POSITION"),
            triangle,
            |f| attribute(f, "POSITION", "VEC2", &[0.; 6]),
        ),
        case(
            "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT",
            "fewer normals than positions; they are ignored",
            Repair("import/accessor-count", "/meshes/0/primitives/0/attributes/NORMAL"),
            triangle,
            |f| attribute(f, "NORMAL", "VEC3", &[0., 0., 1.]),
        ),
        case(
            "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT",
            "fewer joints than positions",
            Refuse("import/accessor-count", "/meshes/0/primitives/0/attributes/JOINTS_0"),
            skinned,
            |f| f.json["accessors"][1]["count"] = json!(2),
        ),
        case("ACCESSOR_VECTOR3_NON_UNIT", "a normal that is not a unit vector", Accept, triangle, |f| {
            attribute(f, "NORMAL", "VEC3", &[0., 0., 5.].repeat(3))
        }),
        case("ACCESSOR_INVALID_SIGN", "a tangent whose sign is not ±1", Accept, triangle, |f| {
            attribute(f, "TANGENT", "VEC4", &[1., 0., 0., 0.5].repeat(3))
        }),
        case("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL", "tangents without normals", Accept, triangle, |f| {
            attribute(f, "TANGENT", "VEC4", &[1., 0., 0., 1.].repeat(3))
        }),
        case("MESH_PRIMITIVE_TANGENT_POINTS", "points with tangents", Accept, triangle, |f| {
            attribute(f, "TANGENT", "VEC4", &[1., 0., 0., 1.].repeat(3));
            primitive(f)["mode"] = json!(0);
        }),
        case(
            "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY",
            "texture coordinates that begin with set 1",
            Accept,
            triangle,
            |f| attribute(f, "TEXCOORD_1", "VEC2", &[0.; 6]),
        ),
        case(
            "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
            "positions without declared bounds",
            Accept,
            triangle,
            |_| {},
        ),
        case(
            "MESH_PRIMITIVE_ACCESSOR_UNALIGNED",
            "vertices with an unaligned stride",
            Accept,
            triangle,
            |f| {
                let mut bytes = Vec::new();
                for _ in 0..3 {
                    bytes.extend([0; 13]);
                }
                let view = f.view(&bytes);
                f.json["bufferViews"][view]["byteStride"] = json!(13);
                f.json["accessors"][0]["bufferView"] = json!(view);
            },
        ),
        case(
            "MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE",
            "two attributes in a view without a stride",
            Accept,
            triangle,
            |f| primitive(f)["attributes"]["NORMAL"] = json!(0),
        ),
        case(
            "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT",
            "indices that are floats",
            Refuse("import/accessor-type", "/meshes/0/primitives/0/indices"),
            triangle,
            |f| {
                let accessor = f.floats("SCALAR", &[0., 1., 2.]);
                primitive(f)["indices"] = json!(accessor);
            },
        ),
        case(
            "MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE",
            "indices with a stride; it is used",
            Accept,
            triangle,
            |f| {
                indices(f, &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
                f.json["bufferViews"][1]["byteStride"] = json!(4);
                f.json["accessors"][1]["count"] = json!(3);
            },
        ),
        case(
            "ACCESSOR_INDEX_OOB",
            "a vertex index past the last vertex",
            Repair("import/vertex-index-out-of-range", "/meshes/0/primitives/0/indices"),
            triangle,
            |f| indices(f, &[0, 1, 9]),
        ),
        case(
            "ACCESSOR_INDEX_PRIMITIVE_RESTART",
            "an index with the value of primitive restart",
            Repair("import/vertex-index-out-of-range", "/meshes/0/primitives/0/indices"),
            triangle,
            |f| {
                indices(f, &[0, 1, 2, 255, 0, 1, 2]);
                primitive(f)["mode"] = json!(5);
            },
        ),
        case(
            "ACCESSOR_INDEX_PRIMITIVE_RESTART",
            "an index with the value of primitive restart that is a vertex; it is used",
            Repair("import/vertex-index-out-of-range", "/meshes/0/primitives/0/indices"),
            triangle,
            |f| {
                positions(f, &[0.0; 3 * 256]);
                indices(f, &[0, 1, 2, 255, 0, 1, 2]);
                primitive(f)["mode"] = json!(5);
            },
        ),
        case(
            "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT",
            "joints of 32 bits; they are used",
            Accept,
            skinned,
            |f| {
                let bytes: Vec<u8> = [0u32, 1, 0, 0].repeat(3).iter().flat_map(|v| v.to_le_bytes()).collect();
                let view = f.view(&bytes);
                f.json["accessors"][1]["bufferView"] = json!(view);
                f.json["accessors"][1]["componentType"] = json!(5125);
            },
        ),
        case("VALUE_MULTIPLE_OF", "a stride that is not a multiple of 4", Accept, triangle, |f| {
            let view = f.view(&[0; 42]);
            f.json["bufferViews"][view]["byteStride"] = json!(14);
            f.json["accessors"][0]["bufferView"] = json!(view);
        }),
        case(
            "VALUE_NOT_IN_RANGE",
            "an accessor without elements; the primitive is not drawn",
            Repair("import/no-positions", "/meshes/0/primitives/0/attributes/POSITION"),
            triangle,
            |f| f.json["accessors"][0]["count"] = json!(0),
        ),
        case("VALUE_NOT_IN_RANGE", "a stride above 252; it is used", Accept, triangle, |f| {
            let view = f.view(&[0; 1000]);
            f.json["bufferViews"][view]["byteStride"] = json!(400);
            f.json["accessors"][0]["bufferView"] = json!(view);
        }),
        case(
            "ACCESSOR_NON_CLAMPED",
            "a colour above 1; it is clamped",
            Repair("import/number-replaced", "/meshes/0/primitives/0/attributes/COLOR_0"),
            triangle,
            |f| attribute(f, "COLOR_0", "VEC4", &[2.; 12]),
        ),
        case(
            "MESH_PRIMITIVE_INCOMPATIBLE_MODE",
            "four indices for triangles",
            Repair("import/vertex-index-out-of-range", "/meshes/0/primitives/0/indices"),
            triangle,
            |f| indices(f, &[0, 1, 2, 0]),
        ),
        case(
            "VALUE_NOT_IN_RANGE",
            "an unknown primitive mode",
            Refuse("import/invalid-value", "/meshes/0/primitives/0/mode"),
            triangle,
            |f| primitive(f)["mode"] = json!(9),
        ),
        case(
            "MESH_INVALID_WEIGHTS_COUNT",
            "three weights for one morph target",
            Repair("import/morph-target-count", "/meshes/0/weights"),
            morphing,
            |f| f.json["meshes"][0]["weights"] = json!([0, 0, 0]),
        ),
        case(
            "NODE_WEIGHTS_INVALID",
            "three weights at the node",
            Repair("import/morph-target-count", "/nodes/0/weights"),
            morphing,
            |f| f.json["nodes"][0]["weights"] = json!([0, 0, 0]),
        ),
        case(
            "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT",
            "a primitive without the morph target of another one",
            Repair("import/morph-target-count", "/meshes/0/primitives/1/targets"),
            morphing,
            |f| {
                append(&mut f.json["meshes"][0]["primitives"], json!({"attributes": {"POSITION": 0}}));
            },
        ),
        case(
            "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT",
            "a morph target with another vertex count",
            Repair("import/accessor-count", "/meshes/0/primitives/0/targets/0/POSITION"),
            morphing,
            |f| {
                let short = f.floats("VEC3", &[0.; 3]);
                primitive(f)["targets"][0]["POSITION"] = json!(short);
            },
        ),
        case(
            "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR",
            "a morph target for normals that do not exist",
            Accept,
            morphing,
            |f| primitive(f)["targets"][0]["NORMAL"] = json!(0),
        ),
        case(
            "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH",
            "joints without weights",
            Repair("import/influences-unpaired", "/meshes/0/primitives/0/attributes/JOINTS_1"),
            skinned,
            |f| primitive(f)["attributes"]["JOINTS_1"] = json!(1),
        ),
        case(
            "MESH_PRIMITIVES_UNEQUAL_JOINTS_COUNT",
            "a primitive of a skinned mesh without joints",
            Repair("import/influences-missing", "/meshes/0/primitives/1/attributes"),
            skinned,
            |f| {
                append(&mut f.json["meshes"][0]["primitives"], json!({"attributes": {"POSITION": 0}}));
            },
        ),
        case(
            "ACCESSOR_JOINTS_INDEX_OOB",
            "a joint that the skin does not have",
            Repair("import/joint-out-of-range", "/meshes/0/primitives/0/attributes/JOINTS_0"),
            skinned,
            |f| {
                let joints = f.bytes("VEC4", 4, &[0, 9, 0, 0].repeat(3));
                primitive(f)["attributes"]["JOINTS_0"] = json!(joints);
            },
        ),
        case("ACCESSOR_JOINTS_INDEX_DUPLICATE", "a joint twice at a vertex", Accept, skinned, |f| {
            let joints = f.bytes("VEC4", 4, &[1, 1, 0, 0].repeat(3));
            primitive(f)["attributes"]["JOINTS_0"] = json!(joints);
        }),
        case(
            "ACCESSOR_JOINTS_USED_ZERO_WEIGHT",
            "a joint out of range with weight 0",
            Accept,
            skinned,
            |f| {
                let joints = f.bytes("VEC4", 4, &[0, 1, 9, 1].repeat(3));
                primitive(f)["attributes"]["JOINTS_0"] = json!(joints);
            },
        ),
        case(
            "ACCESSOR_WEIGHTS_NON_NORMALIZED",
            "vertices without any weight; they follow their first joint",
            Repair("import/weights-repaired", WEIGHTS),
            skinned,
            |f| attribute(f, "WEIGHTS_0", "VEC4", &[0.; 12]),
        ),
        case(
            "ACCESSOR_WEIGHTS_NON_NORMALIZED",
            "joint weights that do not sum to 1",
            Repair("import/weights-normalized", WEIGHTS),
            skinned,
            |f| attribute(f, "WEIGHTS_0", "VEC4", &[0.9, 0.9, 0., 0.].repeat(3)),
        ),
        case(
            "ACCESSOR_WEIGHTS_NEGATIVE",
            "a negative joint weight",
            Repair("import/weights-repaired", WEIGHTS),
            skinned,
            |f| attribute(f, "WEIGHTS_0", "VEC4", &[1., -1., 0., 0.].repeat(3)),
        ),
    ]
}
