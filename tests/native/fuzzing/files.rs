//! Files from arbitrary bytes, and their invariants: no panic, and the documented invariants of the types.

use super::supply::Supply;
use crate::common::builder::Builder;
use crate::common::check::check;
use crate::common::outside::check_outside;
use gambol::animation::retarget::{Mode, Options, retarget};
use gambol::animation::{Actor, Affine, Bounds, Deformed, Pose, Rig, deform};
use gambol::import::{Document, Limits};
use gambol::model::{ClipId, Curve, HumanBone, Model};
use glam::{Mat4, Vec3};
use serde_json::{Value, json};
use std::rc::Rc;

/// Memory limits for fuzzing.
pub(crate) const LIMITS: Limits = Limits { decoded_bytes: 64 << 20, floor: 16 << 20, ..Limits::DEFAULT };

/// Imports the bytes as a file.
pub(crate) fn import(bytes: &[u8]) {
    let finished = Document::parse_with_limits(bytes, LIMITS).and_then(Document::finish);
    check_outside(bytes, LIMITS, &finished);
    let Ok(mut document) = Document::parse_with_limits(bytes, LIMITS) else { return };
    // Two rounds, since uncompressed bytes may be requested in place of compressed ones.
    for _ in 0..2 {
        for request in document.requests() {
            let _ = document.provide(request.index, vec![0x3F; request.byte_length.min(4096) as usize]);
        }
    }
    if let Ok(imported) = document.finish() {
        check(&imported.model);
        play(&imported.model);
        swing(&imported.model);
        exchange(&imported.model);
    }
}

/// Imports a converted file, which must be valid.
pub(crate) fn import_converted(bytes: &[u8]) {
    match Document::parse(bytes).and_then(Document::finish) {
        Ok(imported) => {
            check(&imported.model);
            play(&imported.model);
        }
        Err(error) => assert!(["import/too-large", "import/too-many"].contains(&error.code()), "{error}"),
    }
}

/// A file whose accessors, views and sparse parts have random numbers, over random bytes.
pub(crate) fn accessors(bytes: &[u8]) {
    const COMPONENTS: [u32; 8] = [5120, 5121, 5122, 5123, 5125, 5126, 5124, 0];
    const KINDS: [&str; 8] = ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "VEC3"];
    let mut supply = Supply(bytes);
    let mut file = Builder::new();
    let size = |supply: &mut Supply<'_>| match supply.byte() {
        255 => u64::from(supply.word()) << 32,
        254 => u64::from(supply.word()),
        small => u64::from(small) / 2,
    };
    let views = 1 + supply.below(4);
    for _ in 0..views {
        let mut view = json!({"buffer": 0, "byteOffset": size(&mut supply), "byteLength": size(&mut supply)});
        if supply.below(2) == 1 {
            view["byteStride"] = json!(size(&mut supply));
        }
        file.push("bufferViews", view);
    }
    let count = 1 + supply.below(6);
    for _ in 0..count {
        let mut accessor = json!({
            "componentType": COMPONENTS[supply.below(8)],
            "type": KINDS[supply.below(8)],
            "count": size(&mut supply),
            "normalized": supply.below(2) == 1,
        });
        if supply.below(4) > 0 {
            accessor["bufferView"] = json!(supply.below(views + 1));
            accessor["byteOffset"] = json!(size(&mut supply));
        }
        if supply.below(3) == 0 {
            accessor["sparse"] = json!({
                "count": size(&mut supply),
                "indices": {
                    "bufferView": supply.below(views),
                    "byteOffset": size(&mut supply),
                    "componentType": COMPONENTS[supply.below(8)],
                },
                "values": {"bufferView": supply.below(views), "byteOffset": size(&mut supply)},
            });
        }
        file.push("accessors", accessor);
    }
    let mut any = || supply.below(count + 1);
    file.push(
        "meshes",
        json!({"primitives": [{
            "attributes": {"POSITION": any(), "NORMAL": any(), "JOINTS_0": any(), "WEIGHTS_0": any(), "COLOR_0": any()},
            "indices": any(),
            "targets": [{"POSITION": any()}],
        }]}),
    );
    file.push("skins", json!({"joints": [0], "inverseBindMatrices": any()}));
    file.push("nodes", json!({"mesh": 0, "skin": 0}));
    let path = ["translation", "rotation", "scale", "weights"][any() % 4];
    file.push(
        "animations",
        json!({
            "samplers": [{"input": any(), "output": any()}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
        }),
    );
    file.bin = supply.0.to_vec();
    import(&file.glb());
}

/// A file with a valid structure, and random numbers in nodes, binds and keys.
pub(crate) fn animation(bytes: &[u8]) {
    let mut supply = Supply(bytes);
    let mut file = Builder::new();
    let nodes = 1 + supply.below(9);
    let parents: Vec<usize> = (0..nodes).map(|i| supply.below(i + 1)).collect();
    for i in 0..nodes {
        let children: Vec<usize> = (i + 1..nodes).filter(|&child| parents[child] == i).collect();
        let mut node = match supply.below(3) {
            0 => json!({}),
            1 => {
                json!({"rotation": supply.finite(4), "scale": supply.finite(3), "translation": supply.finite(3)})
            }
            _ => json!({"matrix": supply.finite(16)}),
        };
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        file.push("nodes", node);
    }
    let joints: Vec<usize> = (0..1 + supply.below(nodes)).collect();
    let binds = supply.floats(16 * joints.len());
    let binds = file.floats("MAT4", &binds);
    file.push("skins", json!({"joints": joints, "inverseBindMatrices": binds}));
    let count = 1 + supply.below(3);
    let positions = supply.floats(3 * count);
    let influences: Vec<u8> = (0..4 * count).map(|_| supply.byte() % 12).collect();
    let weights = supply.floats(4 * count);
    let deltas = supply.floats(3 * count);
    let (positions, deltas) = (file.floats("VEC3", &positions), file.floats("VEC3", &deltas));
    let (influences, weights) = (file.bytes("VEC4", 4, &influences), file.floats("VEC4", &weights));
    file.push(
        "meshes",
        json!({"primitives": [{
            "attributes": {"POSITION": positions, "JOINTS_0": influences, "WEIGHTS_0": weights},
            "targets": [{"POSITION": deltas}, {"POSITION": deltas}],
        }]}),
    );
    let shown = supply.below(nodes);
    file.json["nodes"][shown]["mesh"] = json!(0);
    file.json["nodes"][shown]["skin"] = json!(0);
    for _ in 0..1 + supply.below(2) {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for sampler in 0..1 + supply.below(5) {
            let keys = 1 + supply.below(6);
            let path = supply.below(4);
            let (name, kind, width) = [
                ("translation", "VEC3", 3),
                ("rotation", "VEC4", 4),
                ("scale", "VEC3", 3),
                ("weights", "SCALAR", 2),
            ][path];
            let node = if path == 3 { shown } else { supply.below(nodes) };
            let (interpolation, parts) = [("STEP", 1), ("LINEAR", 1), ("CUBICSPLINE", 3)][supply.below(3)];
            let times = supply.floats(keys);
            let values = supply.floats(keys * width * parts);
            let (input, output) = (file.floats("SCALAR", &times), file.floats(kind, &values));
            samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
            channels.push(json!({"sampler": sampler, "target": {"node": node, "path": name}}));
        }
        file.push("animations", json!({"samplers": samplers, "channels": channels}));
    }
    import(&file.glb());
}

/// A line of nodes with branches, and spring bones of VRM 1 or VRM 0 with random numbers and references.
pub(crate) fn springs(bytes: &[u8]) {
    let mut supply = Supply(bytes);
    let mut file = Builder::new();
    for i in 0..2 + supply.below(9) {
        let parent = i.checked_sub(1 + supply.below(2));
        file.node(parent, json!({"translation": supply.finite(3)}));
    }
    let (name, extension) = match supply.below(3) {
        0 => ("VRM", json!({"secondaryAnimation": springs_of_version_0(&mut supply)})),
        _ => ("VRMC_springBone", springs_of_version_1(&mut supply)),
    };
    file.uses(name);
    file.json["extensions"] = json!({ name: extension });
    import(&file.glb());
}

fn springs_of_version_1(supply: &mut Supply<'_>) -> Value {
    let colliders = repeated(supply, 3, |supply| {
        let shape =
            json!({"offset": numbers(supply, 3), "tail": numbers(supply, 3), "radius": number(supply)});
        json!({"node": reference(supply), "shape": {["sphere", "capsule", "cube"][supply.below(3)]: shape}})
    });
    let groups = repeated(supply, 2, |supply| json!({"colliders": repeated(supply, 3, reference)}));
    let springs = repeated(supply, 3, |supply| {
        let first = supply.below(4);
        let count = supply.below(5);
        let joints: Vec<Value> = (first..first + count)
            .map(|node| {
                let node = if supply.below(8) == 0 { reference(supply) } else { json!(node) };
                let mut joint = json!({"node": node});
                for key in ["stiffness", "gravityPower", "dragForce", "hitRadius"] {
                    joint[key] = number(supply);
                }
                joint["gravityDir"] = numbers(supply, 3);
                joint
            })
            .collect();
        let mut spring = json!({"joints": joints, "colliderGroups": repeated(supply, 2, reference)});
        if supply.below(2) == 0 {
            spring["center"] = reference(supply);
        }
        spring
    });
    json!({"colliders": colliders, "colliderGroups": groups, "springs": springs})
}

fn springs_of_version_0(supply: &mut Supply<'_>) -> Value {
    let vector =
        |supply: &mut Supply<'_>| json!({"x": number(supply), "y": number(supply), "z": number(supply)});
    let groups = repeated(supply, 3, |supply| {
        let colliders =
            repeated(supply, 3, |supply| json!({"offset": vector(supply), "radius": number(supply)}));
        json!({"node": reference(supply), "colliders": colliders})
    });
    let bones = repeated(supply, 3, |supply| {
        let mut group = json!({"bones": repeated(supply, 3, reference)});
        for key in ["stiffiness", "gravityPower", "dragForce", "hitRadius"] {
            group[key] = number(supply);
        }
        group["gravityDir"] = vector(supply);
        group["center"] = reference(supply);
        group["colliderGroups"] = repeated(supply, 2, reference);
        group
    });
    json!({"boneGroups": bones, "colliderGroups": groups})
}

/// Up to `most` values.
fn repeated(supply: &mut Supply<'_>, most: usize, value: impl Fn(&mut Supply<'_>) -> Value) -> Value {
    (0..supply.below(most + 1)).map(|_| value(supply)).collect()
}

/// Mostly an index of a node or of a small list.
fn reference(supply: &mut Supply<'_>) -> Value {
    match supply.byte() {
        255 => json!("x"),
        254 => json!(-1),
        small => json!(small / 32),
    }
}

/// Mostly a small number that is not negative, as most numbers of spring bones.
fn number(supply: &mut Supply<'_>) -> Value {
    match supply.byte() {
        small @ 0..=199 => json!(f32::from(small) / 128.0),
        200..=249 => json!(supply.finite(1)[0]),
        _ => json!([]),
    }
}

fn numbers(supply: &mut Supply<'_>, count: usize) -> Value {
    json!(supply.finite(count))
}

/// Moves an actor with spring bones: nothing panics, tame models stay finite, and a cut forgets the past.
fn swing(model: &Model) {
    if model.springs.is_none() || model.nodes.len() > 64 {
        return;
    }
    let tame = is_tame(model);
    let rig = Rc::new(Rig::new(model));
    let mut actor = Actor::new(model, Rc::clone(&rig));
    for (frame, seconds) in [0.0, 0.016, 0.1, 0.0, 0.4, 0.02, 3.0, 0.01].into_iter().enumerate() {
        actor.place = Mat4::from_translation(Vec3::new(frame as f32, -0.5, 0.3)).into();
        actor.player.advance_to(actor.player.clock() + seconds);
        actor.update();
        let floats = Affine::as_floats(actor.node_matrices());
        assert!(!tame || floats.iter().all(|value| value.is_finite()), "frame {frame}");
    }
    let mut fresh = Actor::new(model, rig);
    fresh.place = actor.place;
    for actor in [&mut actor, &mut fresh] {
        actor.springs.reset();
        actor.update();
    }
    let bits =
        |actor: &Actor| -> Vec<u32> { Affine::as_floats(actor.node_matrices()).iter().map(bit).collect() };
    assert_eq!(bits(&actor), bits(&fresh), "after a cut");
}

/// Retargets the clips of a small model to a copy whose nodes are other human bones: the results are valid clips.
fn exchange(model: &Model) {
    let count = model.nodes.len();
    if count == 0 || count > 64 || model.clips.is_empty() {
        return;
    }
    let mut model = model.clone();
    model.nodes.iter_mut().enumerate().for_each(|(i, node)| node.name = format!("n{i}"));
    let given = |step: usize| {
        let bones = HumanBone::ALL.into_iter().step_by(step).enumerate().take(count);
        bones.map(|(i, bone)| (bone.name().to_owned(), Some(format!("n{i}")))).collect::<Vec<_>>()
    };
    let map = Mode::Map { source: given(1), target: given(2) };
    for (mode, foot_lock) in [(Mode::Auto, false), (Mode::Names, false), (map.clone(), false), (map, true)] {
        if let Ok(made) = retarget(&model, None, &model, &Options { mode, foot_lock, ..Options::default() }) {
            check(&Model { clips: made.clips, ..model.clone() });
        }
    }
}

/// Plays a model at several times: nothing panics, tame models stay finite, and the order of seeks has no effect.
fn play(model: &Model) {
    let vertices: usize =
        model.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|part| part.vertex_count()).sum();
    if model.nodes.len() > 2000 || vertices > 20_000 {
        return;
    }
    let rig = Rig::new(model);
    let bounds = Bounds::new(model, &rig.layout);
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    let (mut pose, mut again) = (rig.rest_pose().clone(), rig.rest_pose().clone());
    let mut out = Deformed::default();
    let tame = is_tame(model);
    for (c, clip) in model.clips.iter().enumerate().take(4) {
        let mut times = vec![0.0, -1.0, 1e30, f64::INFINITY, f64::NAN, f64::from(clip.duration)];
        for curve in clip.curves.iter().take(4) {
            for (i, &key) in curve.times().iter().enumerate().take(8) {
                let key = f64::from(key);
                let next = curve.times().get(i + 1).map_or(key, |&next| f64::from(next));
                times.extend([key, key.next_up(), key.next_down(), 0.5 * key + 0.5 * next]);
            }
        }
        let mut first: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for &time in &times {
            rig.sample(ClipId::new(c), time, &mut pose);
            rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
            rig.palette(&matrices, &mut palette);
            first.push(bits(&pose, &palette));
            let box_of_pose = bounds.of_pose(&palette, &pose.weights, &[]);
            assert!(box_of_pose.is_none_or(|bounds| bounds.is_valid()));
            if tame {
                assert!(Affine::as_floats(&palette).iter().all(|value| value.is_finite()), "at {time}");
                assert!(pose.weights.iter().all(|value| value.is_finite()), "at {time}");
            }
            for drawable in &rig.layout.drawables {
                for primitive in &model.meshes[drawable.mesh.index()].primitives {
                    deform(primitive, drawable, &palette, &[], &pose.weights, &mut out);
                    assert_eq!(out.positions.len(), primitive.vertex_count());
                }
            }
        }
        for (&time, first) in times.iter().zip(&first).rev() {
            rig.sample(ClipId::new(c), time, &mut again);
            rig.node_matrices(&again, &Affine::identity(), &mut matrices);
            rig.palette(&matrices, &mut palette);
            assert_eq!(&bits(&again, &palette), first, "at {time}, coming from elsewhere");
        }
    }
}

fn bits(pose: &Pose, palette: &[Affine]) -> (Vec<u32>, Vec<u32>) {
    (Affine::as_floats(palette).iter().map(bit).collect(), pose.weights.iter().map(bit).collect())
}

/// The bits of a number; all NaNs count as equal.
fn bit(value: &f32) -> u32 {
    if value.is_nan() { u32::MAX } else { value.to_bits() }
}

/// `true` if no product of transforms down the tree can overflow.
fn is_tame(model: &Model) -> bool {
    let tame = |value: &f32| value.abs() < 1e3;
    let node = |node: &gambol::model::Node| {
        let rest = node.rest;
        let numbers = rest.translation.to_array().into_iter().chain(rest.scale.to_array());
        let matrix = node.rest_matrix.map_or([0.0; 16], |matrix| matrix.to_cols_array());
        numbers.chain(matrix).chain(node.weights.iter().copied()).all(|value| tame(&value))
    };
    let curve = |curve: &Curve| {
        let apart = curve.times().windows(2).all(|pair| pair[1] - pair[0] < 1e3);
        apart && curve.values().iter().all(tame)
    };
    model.nodes.len() < 6
        && model.nodes.iter().all(node)
        && model.skins.iter().flat_map(|skin| &skin.inverse_bind).all(|m| m.to_cols_array().iter().all(tame))
        && model.clips.iter().flat_map(|clip| &clip.curves).all(curve)
}
