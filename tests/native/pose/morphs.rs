//! Morphs by name, and overrides of morph weights, compared with weights that are computed independently in f64.

use crate::common::builder::Builder;
use crate::common::models::sample;
use crate::common::random::Random;
use gambol::animation::{
    Actor, Affine, Bounds, LayerMode, LayerOptions, LoopMode, MorphOverride, Pose, Reference, Rig, Source,
    Transition, TransitionOptions, deform_position,
};
use gambol::model::{Clip, ClipId, MeshId, Model, Morph, PaletteLayout, Transform};
use gambol::viewer::{ActorId, Asset, Cast};
use serde_json::{Value, json};
use std::rc::Rc;

/// A file with a triangle with `targets` morph targets for each of `meshes`: count, name and `extras`.
fn file(meshes: &[(usize, Option<&str>, Value)]) -> Builder {
    let mut file = Builder::new();
    let positions = file.bounded("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    for (targets, name, extras) in meshes {
        let targets = vec![json!({ "POSITION": positions }); *targets];
        let primitive = json!({ "attributes": { "POSITION": positions }, "targets": targets });
        let mut mesh = json!({ "primitives": [primitive], "extras": extras });
        if let Some(name) = name {
            mesh["name"] = json!(name);
        }
        file.push("meshes", mesh);
    }
    file
}

fn morphs(model: &Model) -> Vec<Morph> {
    Morph::list(model, &PaletteLayout::new(model))
}

fn names(model: &Model) -> Vec<String> {
    morphs(model).into_iter().map(|morph| morph.name).collect()
}

#[test]
fn morphs_without_valid_names_are_called_by_mesh_and_index() {
    let bad = [
        json!(null),
        json!(["targetNames"]),
        json!({ "targetNames": "smile" }),
        json!({ "targetNames": { "0": "smile" } }),
        json!({ "targetNames": [] }),
        json!({ "targetNames": ["", 7] }),
        json!({ "targetNames": [null, ["smile"], "beyond"] }),
    ];
    for extras in bad {
        let mut file = file(&[(2, Some("Face"), extras.clone()), (1, None, extras.clone())]);
        file.node(None, json!({ "mesh": 0 }));
        file.node(None, json!({ "mesh": 1 }));
        let model = file.import().expect("names are optional").model;
        assert_eq!(names(&model), ["Face[0]", "Face[1]", "#1[0]"], "{extras}");
    }
    assert_eq!(morphs(&Model::default()), []);
}

#[test]
fn morphs_join_targets_of_one_name_over_meshes_and_nodes() {
    let named = |names: &[&str]| json!({ "targetNames": names });
    let mut file = file(&[
        (3, Some("Face"), named(&["smile", "", "smile"])),
        (1, None, named(&["unused"])),
        (2, None, named(&["blink", "smile"])),
        (0, Some("Hat"), named(&["none"])),
    ]);
    let head = file.node(None, json!({ "mesh": 2 }));
    file.node(Some(head), json!({ "mesh": 0 }));
    file.node(None, json!({ "mesh": 3 }));
    file.node(Some(head), json!({ "mesh": 0 }));
    let model = file.clean();
    let layout = PaletteLayout::new(&model);
    let begin = |source: usize| layout.weights_of_node[model.node_of_source[source].index()].start as usize;
    let (eyes, left, right) = (begin(0), begin(1), begin(3));
    let morph = |name: &str, meshes: &[usize], weights: &[usize]| Morph {
        name: name.to_owned(),
        meshes: meshes.iter().copied().map(MeshId::new).collect(),
        weights: weights.to_vec(),
    };
    let want = [
        morph("smile", &[0, 2], &[left, right, left + 2, right + 2, eyes + 1]),
        morph("Face[1]", &[0], &[left + 1, right + 1]),
        morph("blink", &[2], &[eyes]),
    ];
    assert_eq!(morphs(&model), want);
    assert_eq!(names(&sample()), ["blink", "smile", "surprise"]);
}

#[test]
fn morph_ranges_contain_zero_one_rest_and_keys() {
    let mut file = file(&[(4, None, json!({ "targetNames": ["a", "b", "c", "d"] })), (1, None, json!({}))]);
    let face = file.node(None, json!({ "mesh": 0, "weights": [0.0, -0.5, 0.0, 1.5] }));
    let other = file.node(None, json!({ "mesh": 0 }));
    file.node(None, json!({ "mesh": 1 }));
    let clip = file.clip("linear");
    let values = [0.5, 0.0, 1.25, 0.0, 0.25, 0.0, -0.25, 0.0];
    file.animate(clip, (face, "weights"), "LINEAR", &[0.0, 1.0], &values);
    // The tangents are no weights.
    let spline = file.clip("spline");
    let row = [9.0, 9.0, 9.0, 9.0, 0.1, 0.2, 0.3, 2.0, -9.0, -9.0, -9.0, -9.0];
    file.animate(spline, (other, "weights"), "CUBICSPLINE", &[0.0], &row);
    let model = file.clean();
    let layout = PaletteLayout::new(&model);
    let ranges = |clips: &[Rc<Clip>]| -> Vec<[f32; 2]> {
        let ranges = Morph::ranges(&model, &layout, clips.iter().map(|clip| &**clip));
        morphs(&model).iter().map(|morph| morph.range(&ranges)).collect()
    };
    assert_eq!(ranges(&[]), [[0.0, 1.0], [-0.5, 1.0], [0.0, 1.0], [0.0, 1.5], [0.0, 1.0]]);
    let clips: Vec<Rc<Clip>> = model.clips.iter().map(|clip| Rc::new((**clip).clone())).collect();
    assert_eq!(ranges(&clips), [[0.0, 1.0], [-0.5, 1.0], [-0.25, 1.25], [0.0, 2.0], [0.0, 1.0]]);
}

#[test]
fn morph_overrides_with_invalid_numbers_do_nothing() {
    let model = sample();
    let rig = Rc::new(Rig::new(&model));
    let mut actor = Actor::new(&model, Rc::clone(&rig));
    let plain = actor.pose().clone();
    let to = MorphOverride { value: 0.5, weight: 1.0 };
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        actor.morphs.set(0, Some(MorphOverride { value, ..to }), 0.0, 0.0);
    }
    for weight in [f32::NAN, -1.0, 0.0] {
        actor.morphs.set(1, Some(MorphOverride { weight, ..to }), 0.0, 0.0);
    }
    actor.morphs.set(2, None, 1.0, 0.0);
    assert!(!actor.morphs.applies(0.0));
    actor.morphs.set(1_000_000, Some(to), 0.0, 0.0);
    actor.update();
    assert_eq!(actor.pose(), &plain);
    // A duration that is no number is none.
    for fade in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        actor.morphs.set(0, Some(to), fade, 0.0);
        actor.update();
        assert_eq!(actor.pose().weights[0], 0.5, "{fade}");
    }
    actor.morphs.set(0, Some(MorphOverride { value: 2.0, weight: 7.0 }), 0.0, 0.0);
    actor.update();
    assert_eq!(actor.pose().weights[0], 2.0, "the blend weight is clamped");
}

/// One call of the page.
#[derive(Clone, Copy)]
struct Call {
    at: f64,
    to: Option<(f64, f64)>,
    fade: f64,
}

/// The displayed weight: each call goes from the weight before it, which itself goes on to change, to its own.
fn expected(calls: &[Call], animated: f64, now: f64) -> f64 {
    // Per call the share of the animation and a constant, as at the moment of the next call.
    let share = |begin: f64, fade: f64, at: f64| {
        let x = if fade > 0.0 { ((at - begin) / fade).clamp(0.0, 1.0) } else { 1.0 };
        3.0 * x.powi(2) - 2.0 * x.powi(3)
    };
    let mut from = (1.0, 0.0);
    for (i, &Call { at, to, fade }) in calls.iter().enumerate() {
        let (value, weight) = to.unwrap_or((0.0, 0.0));
        let until = calls.get(i + 1).map_or(now, |next| next.at);
        let x = share(at, fade, until);
        from = (from.0 + x * (1.0 - weight - from.0), from.1 + x * (value * weight - from.1));
    }
    animated * from.0 + from.1
}

/// Overrides with fades on top of a base, layers and transitions: they are what the formula says, and have no
/// other effect.
#[test]
fn morph_overrides_follow_the_formula_above_layers_and_transitions() {
    let model = sample();
    let rig = Rc::new(Rig::new(&model));
    let count = rig.rest_pose().weights.len();
    assert!(count >= 3);
    let mut random = Random(5);
    let (mut faded, mut ended) = (0, 0);
    for round in 0..6 {
        let mut own = Actor::new(&model, Rc::clone(&rig));
        own.player.play(None);
        own.player.set_loop_mode(LoopMode::Repeat);
        let mut plain = own.clone();
        let mut calls: Vec<Vec<Call>> = vec![Vec::new(); count];
        let mut now = 0.0;
        for frame in 0..400 {
            now += 0.04 * random.unit();
            for actor in [&mut own, &mut plain] {
                actor.player.advance_to(now);
            }
            if random.chance(0.1) {
                let at = random.below(count);
                let to = random.chance(0.7).then(|| (random.around(0.5, 1.5), random.unit() as f32));
                let fade = if random.chance(0.3) { 0.0 } else { 0.5 * random.unit() };
                let given = to.map(|(value, weight)| MorphOverride { value, weight });
                own.morphs.set(at, given, fade, own.player.elapsed());
                let to = to.map(|(value, weight)| (f64::from(value), f64::from(weight)));
                calls[at].push(Call { at: now, to, fade });
            }
            let change = random.below(40);
            let other = Source::Clip(ClipId::new(random.below(model.clips.len())));
            for actor in [&mut own, &mut plain] {
                match change {
                    0 => drop(actor.player.transition_to(other.clone(), &TransitionOptions::default())),
                    1 => {
                        let transition = Some(Transition::Crossfade(0.4));
                        let options = TransitionOptions { transition, ..TransitionOptions::default() };
                        actor.player.transition_to(other.clone(), &options);
                    }
                    2 if round % 2 == 0 => {
                        let mode = LayerMode::Additive(Reference::Rest);
                        actor.player.add_layer(LayerOptions { mode, ..LayerOptions::new(other.clone()) });
                    }
                    3 => actor.player.clear_layers(None),
                    4 => actor.player.seek(0.3),
                    _ => {}
                }
                actor.update();
            }
            for (at, calls) in calls.iter().enumerate() {
                let want = expected(calls, plain.pose().weights[at].into(), now);
                let got = f64::from(own.pose().weights[at]);
                assert!(
                    (got - want).abs() <= 1e-6 * (1.0 + want.abs()),
                    "{round} {frame} {at}: {got} {want}"
                );
                let last = calls.last().filter(|last| now >= last.at + last.fade);
                if let Some((value, weight)) = last.and_then(|last| last.to)
                    && weight == 1.0
                {
                    assert_eq!(own.pose().weights[at].to_bits(), (value as f32).to_bits());
                }
                if last.is_some_and(|last| last.to.is_none()) {
                    assert_eq!(own.pose().weights[at].to_bits(), plain.pose().weights[at].to_bits());
                    ended += 1;
                }
                faded += usize::from(calls.last().is_some_and(|last| now < last.at + last.fade));
            }
            let mut same = own.pose().clone();
            same.weights.clone_from(&plain.pose().weights);
            assert_eq!(&same, plain.pose());
            assert_eq!(own.palette(), plain.palette());
        }
    }
    assert!(faded > 200 && ended > 200, "{faded} {ended}");
}

#[test]
fn morph_override_of_full_weight_is_shown_to_the_bit() {
    let model = sample();
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    actor.player.play(None);
    let mut random = Random(9);
    for i in 0..200 {
        let value = random.around(0.0, 3.0);
        actor.morphs.set(1, Some(MorphOverride { value, weight: 1.0 }), 0.0, actor.player.elapsed());
        actor.player.advance_to(f64::from(i) * 0.03);
        actor.update();
        assert_eq!(actor.pose().weights[1].to_bits(), value.to_bits());
    }
}

fn shown(cast: &mut Cast, id: ActorId) -> f32 {
    cast.pose();
    let actor = &cast.get(id).expect("on stage").actor;
    actor.pose().weights[0]
}

/// A cast with an actor whose morph weight 0 is 0 at rest. It has no clips, so it never plays.
fn faces() -> (Cast, ActorId) {
    let mut file = file(&[(1, Some("Face"), json!({}))]);
    file.node(None, json!({ "mesh": 0 }));
    let asset = Rc::new(Asset::new(file.clean()));
    let mut cast = Cast::default();
    let id = cast.add(asset, Affine::identity());
    (cast, id)
}

fn smile(cast: &mut Cast, id: ActorId, value: Option<f32>, fade: f64) {
    let actor = cast.actor_mut(id).expect("on stage");
    let to = value.map(|value| MorphOverride { value, weight: 1.0 });
    actor.morphs.set(0, to, fade, actor.player.elapsed());
}

#[test]
fn morph_fades_run_while_nothing_plays() {
    let (mut cast, id) = faces();
    cast.set_time(10.0);
    assert!(!cast.is_moving());
    smile(&mut cast, id, Some(0.5), 0.0);
    assert!(!cast.is_moving(), "an immediate change");
    assert_eq!(shown(&mut cast, id), 0.5);
    smile(&mut cast, id, Some(1.0), 2.0);
    assert!(cast.is_moving());
    cast.set_time(11.0);
    assert_eq!(shown(&mut cast, id), 0.75);
    cast.set_time(12.0);
    assert!(!cast.is_moving());
    assert_eq!(shown(&mut cast, id), 1.0);
    smile(&mut cast, id, None, 1.0);
    cast.set_time(12.5);
    assert!(cast.is_moving());
    assert_eq!(shown(&mut cast, id), 0.5);
    cast.set_time(14.0);
    assert_eq!((shown(&mut cast, id), cast.is_moving()), (0.0, false));
}

#[test]
fn morph_fades_do_not_go_back_with_the_timeline() {
    let (mut cast, id) = faces();
    cast.set_time(10.0);
    smile(&mut cast, id, Some(1.0), 2.0);
    cast.set_time(11.0);
    // As a medium that starts again, and a page that changes its clock.
    cast.set_time(0.0);
    assert_eq!(shown(&mut cast, id), 0.5);
    cast.set_clock(1000.0);
    assert_eq!(shown(&mut cast, id), 0.5);
    cast.set_time(1001.0);
    assert_eq!((shown(&mut cast, id), cast.is_moving()), (1.0, false));
    cast.set_time(3.0);
    assert_eq!(shown(&mut cast, id), 1.0, "the override stays");
}

#[test]
fn morph_fades_complete_when_the_timeline_is_a_progress() {
    let (mut cast, id) = faces();
    smile(&mut cast, id, Some(1.0), 2.0);
    assert_eq!(shown(&mut cast, id), 0.0);
    assert!(cast.scrub(0.3), "the pose changes");
    assert_eq!((shown(&mut cast, id), cast.is_moving()), (1.0, false));
    assert!(!cast.scrub(0.3));
}

#[test]
fn morph_overrides_enlarge_the_bounds() {
    let model = sample();
    let rig = Rc::new(Rig::new(&model));
    let bounds = Bounds::new(&model, &rig.layout);
    let mut actor = Actor::new(&model, Rc::clone(&rig));
    actor.place = Transform::IDENTITY.to_matrix().into();
    for value in [-4.0, 0.5, 20.0] {
        for at in 0..rig.rest_pose().weights.len() {
            actor.morphs.set(at, Some(MorphOverride { value, weight: 1.0 }), 0.0, 0.0);
        }
        actor.update();
        let pose: &Pose = actor.pose();
        let mut around = None;
        actor.measure(&bounds, &mut around);
        let around = around.expect("it is shown");
        for drawable in &rig.layout.drawables {
            for primitive in &model.meshes[drawable.mesh.index()].primitives {
                for i in 0..primitive.vertex_count() {
                    let vertex = deform_position(primitive, i, drawable, actor.palette(), &[], &pose.weights);
                    let inside = vertex.cmpge(around.min - 1e-4) & vertex.cmple(around.max + 1e-4);
                    assert!(inside.all(), "{value}: {vertex} {around:?}");
                }
            }
        }
    }
}
