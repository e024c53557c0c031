//! Faults of nodes, skins, cameras and animations.

use super::Case;
use super::Want::{Accept, Refuse, Repair};
use super::cases::{append, case};
use crate::common::builder::{Builder, animated, skinned, triangle};
use serde_json::json;

const NAN: f32 = f32::NAN;
const INPUT: &str = "/animations/0/samplers/0/input";
const OUTPUT: &str = "/animations/0/samplers/0/output";

pub(crate) fn cases() -> Vec<Case> {
    let mut all = nodes();
    all.extend(animations());
    all
}

fn input(file: &mut Builder, values: &[f32]) {
    let accessor = file.floats("SCALAR", values);
    file.json["animations"][0]["samplers"][0]["input"] = json!(accessor);
}

fn output(file: &mut Builder, kind: &str, values: &[f32]) {
    let accessor = file.floats(kind, values);
    file.json["animations"][0]["samplers"][0]["output"] = json!(accessor);
}

fn nodes() -> Vec<Case> {
    vec![
        case(
            "NODE_LOOP",
            "a node that is its own descendant",
            Refuse("import/node-cycle", "/nodes/2"),
            skinned,
            |f| f.json["nodes"][2]["children"] = json!([1]),
        ),
        case(
            "NODE_PARENT_OVERRIDE",
            "a node with two parents",
            Refuse("import/node-cycle", "/nodes/1/children/0"),
            skinned,
            |f| f.json["nodes"][0]["children"] = json!([2]),
        ),
        case(
            "DUPLICATE_ELEMENTS",
            "a child listed twice",
            Repair("import/scene-root", "/nodes/1/children/1"),
            skinned,
            |f| f.json["nodes"][1]["children"] = json!([2, 2]),
        ),
        case(
            "SCENE_NON_ROOT_NODE",
            "a scene that lists a child",
            Repair("import/scene-root", "/scenes/0/nodes/1"),
            skinned,
            |f| f.json["scenes"] = json!([{"nodes": [0, 2, 1]}]),
        ),
        case(
            "NODE_MATRIX_TRS",
            "a matrix and a scale; the matrix is used",
            Repair("import/matrix-and-trs", "/nodes/0/matrix"),
            triangle,
            |f| {
                f.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
                f.json["nodes"][0]["scale"] = json!([2, 2, 2]);
            },
        ),
        case("NODE_MATRIX_NON_TRS", "a matrix with shear; it is used as it is", Accept, triangle, |f| {
            f.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        }),
        case(
            "ROTATION_NON_UNIT",
            "a rotation of length 2",
            Repair("import/rotation-normalized", "/nodes/0/rotation"),
            triangle,
            |f| f.json["nodes"][0]["rotation"] = json!([0, 0, 0, 2]),
        ),
        case("NODE_SKINNED_MESH_WITHOUT_SKIN", "a mesh with joints and no skin", Accept, skinned, |f| {
            f.json["nodes"][0] = json!({"mesh": 0})
        }),
        case(
            "NODE_SKIN_WITH_NON_SKINNED_MESH",
            "a skin for a mesh without joints",
            Repair("import/skin-ignored", "/nodes/0/skin"),
            triangle,
            |f| {
                f.json["nodes"][0]["skin"] = json!(0);
                f.push("skins", json!({"joints": [0]}));
            },
        ),
        case(
            "UNSATISFIED_DEPENDENCY",
            "a skin without a mesh",
            Repair("import/skin-ignored", "/nodes/1/skin"),
            skinned,
            |f| f.json["nodes"][1]["skin"] = json!(0),
        ),
        case(
            "INVALID_IBM_ACCESSOR_COUNT",
            "fewer inverse bind matrices than joints",
            Repair("import/inverse-bind-count", "/skins/0/inverseBindMatrices"),
            skinned,
            |f| {
                let binds =
                    f.floats("MAT4", &[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]);
                f.json["skins"][0]["inverseBindMatrices"] = json!(binds);
            },
        ),
        case(
            "SKIN_IBM_INVALID_FORMAT",
            "inverse bind matrices that are not matrices",
            Refuse("import/accessor-type", "/skins/0/inverseBindMatrices"),
            skinned,
            |f| f.json["skins"][0]["inverseBindMatrices"] = json!(0),
        ),
        case(
            "ACCESSOR_INVALID_IBM",
            "an inverse bind matrix whose last row is not 0 0 0 1",
            Repair("import/matrix-not-affine", "/skins/0/inverseBindMatrices"),
            skinned,
            |f| {
                let mut values = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.].repeat(2);
                values[3] = 0.5;
                f.json["skins"][0]["inverseBindMatrices"] = json!(f.floats("MAT4", &values));
            },
        ),
        case(
            "ONE_OF_MISMATCH",
            "a camera without a type",
            Repair("import/number-replaced", "/cameras/0"),
            triangle,
            |f| _ = f.push("cameras", json!({"type": "perspective"})),
        ),
        case(
            "CAMERA_ZFAR_LEQUAL_ZNEAR",
            "an orthographic camera with `zfar` ≤ `znear`",
            Repair("import/number-replaced", "/cameras/0"),
            triangle,
            |f| {
                f.push("cameras", json!({"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 2, "zfar": 1}}));
            },
        ),
        case(
            "CAMERA_XMAG_YMAG_ZERO",
            "a camera with `xmag` 0",
            Repair("import/number-replaced", "/cameras/0"),
            triangle,
            |f| {
                f.push("cameras", json!({"type": "orthographic", "orthographic": {"xmag": 0, "ymag": 1, "znear": 1, "zfar": 2}}));
            },
        ),
        case(
            "CAMERA_XMAG_YMAG_NEGATIVE",
            "a camera with a negative `xmag`; the sign is ignored",
            Accept,
            triangle,
            |f| {
                f.push("cameras", json!({"type": "orthographic", "orthographic": {"xmag": -1, "ymag": 1, "znear": 1, "zfar": 2}}));
            },
        ),
        case(
            "CAMERA_YFOV_GEQUAL_PI",
            "a camera with `yfov` ≥ π",
            Repair("import/number-replaced", "/cameras/0"),
            triangle,
            |f| _ = f.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 4, "znear": 1}})),
        ),
        case(
            "VALUE_NOT_IN_RANGE",
            "a camera with a negative `znear`",
            Repair("import/number-replaced", "/cameras/0"),
            triangle,
            |f| {
                _ = f.push("cameras", json!({"type": "perspective", "perspective": {"yfov": 1, "znear": -1}}))
            },
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a camera that does not exist",
            Repair("import/index-out-of-range", "/nodes/0/camera"),
            triangle,
            |f| f.json["nodes"][0]["camera"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a scene that does not exist; the first one is shown",
            Repair("import/index-out-of-range", "/scene"),
            triangle,
            |f| {
                f.json["scenes"] = json!([{"nodes": [0]}]);
                f.json["scene"] = json!(7);
            },
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a child that does not exist",
            Refuse("import/index-out-of-range", "/nodes/0/children/0"),
            triangle,
            |f| f.json["nodes"][0]["children"] = json!([7]),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a root of a scene that does not exist",
            Refuse("import/index-out-of-range", "/scenes/0/nodes/0"),
            triangle,
            |f| f.json["scenes"] = json!([{"nodes": [7]}]),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a skeleton that does not exist; it is not needed",
            Repair("import/index-out-of-range", "/skins/0/skeleton"),
            skinned,
            |f| f.json["skins"][0]["skeleton"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "inverse bind matrices that do not exist",
            Refuse("import/index-out-of-range", "/skins/0/inverseBindMatrices"),
            skinned,
            |f| f.json["skins"][0]["inverseBindMatrices"] = json!(7),
        ),
        case(
            "VALUE_NOT_IN_RANGE",
            "a translation beyond the range of f32",
            Repair("import/number-replaced", "/nodes/0/translation"),
            triangle,
            |f| f.json["nodes"][0]["translation"] = json!([1e300, 0, 0]),
        ),
        case(
            "VALUE_NOT_IN_RANGE",
            "a matrix beyond the range of f32",
            Repair("import/number-replaced", "/nodes/0/matrix"),
            triangle,
            |f| f.json["nodes"][0]["matrix"] = json!([1e300, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ),
        case(
            "DUPLICATE_ELEMENTS",
            "a root listed twice",
            Repair("import/scene-root", "/scenes/0/nodes/1"),
            triangle,
            |f| f.json["scenes"] = json!([{"nodes": [0, 0]}]),
        ),
        case("DUPLICATE_ELEMENTS", "a joint listed twice", Accept, skinned, |f| {
            f.json["skins"][0]["joints"] = json!([1, 1])
        }),
        case(
            "EMPTY_ENTITY",
            "a skin without joints; its meshes are not skinned",
            Repair("import/skin-ignored", "/skins/0/joints"),
            skinned,
            |f| f.json["skins"][0]["joints"] = json!([]),
        ),
        case(
            "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
            "a node with a skin and a transform; the transform is ignored",
            Accept,
            skinned,
            |f| f.json["nodes"][0]["translation"] = json!([1, 2, 3]),
        ),
        case(
            "NODE_SKINNED_MESH_NON_ROOT",
            "a node with a skin below another node, whose transform is ignored",
            Accept,
            skinned,
            |f| f.json["nodes"][2]["children"] = json!([0]),
        ),
        case("NODE_SKIN_NO_SCENE", "joints outside the scene; they are animated", Accept, skinned, |f| {
            f.json["scenes"] = json!([{"nodes": [0]}])
        }),
        case("SKIN_NO_COMMON_ROOT", "joints without a common root", Accept, skinned, |f| {
            f.json["nodes"][1] = json!({})
        }),
        case(
            "SKIN_SKELETON_INVALID",
            "a skeleton that is not an ancestor of its joints",
            Accept,
            skinned,
            |f| f.json["skins"][0]["skeleton"] = json!(2),
        ),
        case(
            "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE",
            "inverse bind matrices with a stride",
            Accept,
            skinned,
            |f| {
                let binds = f.floats(
                    "MAT4",
                    &[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.].repeat(2),
                );
                f.json["bufferViews"][3]["byteStride"] = json!(64);
                f.json["skins"][0]["inverseBindMatrices"] = json!(binds);
            },
        ),
        case("NON_OBJECT_EXTRAS", "`extras` that are a number", Accept, triangle, |f| {
            f.json["nodes"][0]["extras"] = json!(3);
            f.json["meshes"][0]["extras"] = json!(["targetNames"]);
        }),
    ]
}

fn animations() -> Vec<Case> {
    vec![
        case("ACCESSOR_ANIMATION_INPUT_NEGATIVE", "a negative key time", Accept, animated, |f| {
            input(f, &[-1., 1., 2.])
        }),
        case(
            "ACCESSOR_ANIMATION_INPUT_NON_INCREASING",
            "key times out of order; they are sorted",
            Repair("import/key-times-unsorted", INPUT),
            animated,
            |f| input(f, &[0., 2., 1.]),
        ),
        case(
            "ACCESSOR_INVALID_FLOAT",
            "a key time that is NaN",
            Repair("import/key-time-not-finite", INPUT),
            animated,
            |f| input(f, &[0., NAN, 1.]),
        ),
        case(
            "ACCESSOR_INVALID_FLOAT",
            "a key value that is NaN; the channel is skipped",
            Repair("import/key-value-not-finite", OUTPUT),
            animated,
            |f| output(f, "VEC3", &[NAN; 9]),
        ),
        case(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
            "key times of type VEC3",
            Repair("import/accessor-type", INPUT),
            animated,
            |f| f.json["animations"][0]["samplers"][0]["input"] = json!(0),
        ),
        case(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS",
            "key times without declared bounds",
            Accept,
            animated,
            |_| {},
        ),
        case(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS",
            "a cubic spline with one key",
            Accept,
            animated,
            |f| {
                input(f, &[0.]);
                output(f, "VEC3", &[0.; 9]);
                f.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE");
            },
        ),
        case(
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
            "fewer values than keys; the channel is skipped",
            Repair("import/output-too-short", OUTPUT),
            animated,
            |f| output(f, "VEC3", &[0.; 6]),
        ),
        case(
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
            "more values than keys",
            Repair("import/output-too-long", OUTPUT),
            animated,
            |f| output(f, "VEC3", &[0.; 12]),
        ),
        case(
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
            "translations of type VEC4; the channel is skipped",
            Repair("import/accessor-type", OUTPUT),
            animated,
            |f| output(f, "VEC4", &[0.; 12]),
        ),
        case(
            "ANIMATION_SAMPLER_OUTPUT_INTERPOLATION",
            "values used both for CUBICSPLINE and LINEAR",
            Accept,
            animated,
            |f| {
                output(f, "VEC3", &[0.; 27]);
                let late = f.floats("SCALAR", &[0., 1., 2., 3., 4., 5., 6., 7., 8.]);
                let output = f.json["animations"][0]["samplers"][0]["output"].clone();
                f.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE");
                append(&mut f.json["animations"][0]["samplers"], json!({"input": late, "output": output}));
                append(
                    &mut f.json["animations"][0]["channels"],
                    json!({"sampler": 1, "target": {"node": 0, "path": "scale"}}),
                );
            },
        ),
        case(
            "ANIMATION_DUPLICATE_TARGETS",
            "two channels for one property; the last one is used",
            Repair("import/channel-duplicate", "/animations/0/channels/1/target"),
            animated,
            |f| {
                let channel = f.json["animations"][0]["channels"][0].clone();
                append(&mut f.json["animations"][0]["channels"], channel);
            },
        ),
        case(
            "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
            "rotations of length 2; they are normalised",
            Repair("import/rotation-normalized", OUTPUT),
            animated,
            |f| {
                output(f, "VEC4", &[0., 0., 0., 2.].repeat(3));
                f.json["animations"][0]["channels"][0]["target"]["path"] = json!("rotation");
            },
        ),
        case(
            "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE",
            "key times with a stride",
            Accept,
            animated,
            |f| {
                input(f, &[0., 9., 1., 9., 2., 9.]);
                f.json["bufferViews"][3]["byteStride"] = json!(8);
                f.json["accessors"][3]["count"] = json!(3);
            },
        ),
        case(
            "ANIMATION_CHANNEL_TARGET_NODE_SKIN",
            "a channel for a node with a skin, whose transform is ignored",
            Accept,
            skinned,
            |f| {
                let (input, output) = (f.floats("SCALAR", &[0.]), f.floats("VEC3", &[1.; 3]));
                f.push(
                    "animations",
                    json!({
                        "samplers": [{"input": input, "output": output}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                    }),
                );
            },
        ),
        case(
            "ANIMATION_CHANNEL_TARGET_NODE_MATRIX",
            "a channel for a node with a matrix",
            Accept,
            animated,
            |f| {
                f.json["nodes"][0]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]);
            },
        ),
        case(
            "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS",
            "morph weights of a mesh without targets",
            Repair("import/channel-ignored", "/animations/0/channels/0/target"),
            animated,
            |f| {
                f.json["animations"][0]["channels"][0]["target"]["path"] = json!("weights");
            },
        ),
        case(
            "–",
            "markers that are not an array, in the `extras` of an animation",
            Repair("import/marker-ignored", "/animations/0/extras/markers"),
            animated,
            |f| f.json["animations"][0]["extras"] = json!({"markers": {"name": "step", "time": 1}}),
        ),
        case(
            "–",
            "a marker beyond the end of its clip; the others are used",
            Repair("import/marker-ignored", "/animations/0/extras/markers/1"),
            animated,
            |f| {
                let marker = |time: f64| json!({"name": "step", "time": time});
                f.json["animations"][0]["extras"] = json!({"markers": [marker(0.0), marker(2.6)]});
            },
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a channel for a node that does not exist",
            Repair("import/index-out-of-range", "/animations/0/channels/0/target/node"),
            animated,
            |f| {
                f.json["animations"][0]["channels"][0]["target"]["node"] = json!(7);
            },
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "a channel without its sampler",
            Repair("import/index-out-of-range", "/animations/0/channels/0/sampler"),
            animated,
            |f| f.json["animations"][0]["channels"][0]["sampler"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "key times that do not exist",
            Repair("import/index-out-of-range", INPUT),
            animated,
            |f| f.json["animations"][0]["samplers"][0]["input"] = json!(7),
        ),
        case(
            "UNRESOLVED_REFERENCE",
            "key values that do not exist",
            Repair("import/index-out-of-range", OUTPUT),
            animated,
            |f| f.json["animations"][0]["samplers"][0]["output"] = json!(7),
        ),
        case(
            "VALUE_NOT_IN_LIST",
            "a channel for an unknown property",
            Repair("import/channel-ignored", "/animations/0/channels/0/target"),
            animated,
            |f| f.json["animations"][0]["channels"][0]["target"]["path"] = json!("colour"),
        ),
        case(
            "UNDEFINED_PROPERTY",
            "an empty channel; it is skipped",
            Repair("import/index-out-of-range", "/animations/0/channels/0/sampler"),
            animated,
            |f| f.json["animations"][0]["channels"][0] = json!({}),
        ),
        case(
            "UNDEFINED_PROPERTY",
            "a sampler without values; its channels are skipped",
            Repair("import/invalid-value", "/animations/0/samplers/0"),
            animated,
            |f| f.json["animations"][0]["samplers"][0] = json!({"input": 1}),
        ),
        case("EMPTY_ENTITY", "a clip without channels; its duration is 0", Accept, animated, |f| {
            f.json["animations"][0] = json!({"channels": [], "samplers": []})
        }),
        case(
            "EMPTY_ENTITY",
            "a clip without keys; the channel is skipped",
            Repair("import/no-keys", INPUT),
            animated,
            |f| f.json["accessors"][1]["count"] = json!(0),
        ),
        case(
            "VALUE_NOT_IN_LIST",
            "an unknown interpolation; LINEAR is used",
            Repair("import/invalid-value", "/animations/0/samplers/0/interpolation"),
            animated,
            |f| f.json["animations"][0]["samplers"][0]["interpolation"] = json!("BOUNCE"),
        ),
        case(
            "TYPE_MISMATCH",
            "an interpolation that is a number, as one exporter writes it; LINEAR is used",
            Repair("import/invalid-value", "/animations/0/samplers/0/interpolation"),
            animated,
            |f| f.json["animations"][0]["samplers"][0]["interpolation"] = json!(0),
        ),
    ]
}
