//! Root motion: extraction, passes, frame rates, transitions, blends and layers, against plain sums in f64.

use crate::common::allocator::allocated;
use crate::common::random::Random;
use gambol::animation::{
    Actor, Affine, ClipSet, JointMask, LayerMode, LayerOptions, LegBones, LoopMode, Player, Reference, Rig,
    Rigid, RootMotion, RootOptions, RootRotation, Source, SyncMode, Transition, TransitionOptions, extract,
    root_of,
};
use gambol::model::{
    Channel, Clip, ClipId, Curve, Interpolation, Model, Node, NodeId, Path, Skin, Transform,
};
use glam::{DMat4, DQuat, DVec3, Mat4, Quat, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};
use std::rc::Rc;

const HIPS: usize = 1;
const CHEST: usize = 2;

const WALK: usize = 0;
const RUN: usize = 1;
const TURN: usize = 2;
const IDLE: usize = 3;
const WAVE: usize = 4;
const SPLINE: usize = 5;

/// The armature: it lies on its back, in units of a decimetre, and is not animated.
fn armature() -> DMat4 {
    DMat4::from_scale_rotation_translation(
        DVec3::splat(0.1),
        DQuat::from_rotation_x(-FRAC_PI_2),
        DVec3::new(0.3, 0.05, -0.2),
    )
}

/// A walk in uneven steps: two metres along Z in a second, while it bobs and sways.
fn walk(time: f64) -> (DVec3, DQuat) {
    let at =
        DVec3::new(0.05 * (2.0 * PI * time).sin(), 1.0 + 0.03 * (4.0 * PI * time).cos(), 2.0 * time * time);
    (at, DQuat::from_rotation_y(0.2 * (2.0 * PI * time).sin()))
}

/// Four metres to the side in 0.8 seconds.
fn run(time: f64) -> (DVec3, DQuat) {
    (DVec3::new(5.0 * time, 1.1, 0.0), DQuat::from_rotation_y(FRAC_PI_2))
}

/// A quarter turn to the left on an arc, while the body nods.
fn turn(time: f64) -> (DVec3, DQuat) {
    let angle = FRAC_PI_2 * time * time;
    let at = DVec3::new(0.7 + 1.0 - angle.cos(), 1.0, 0.4 + angle.sin());
    let nod = DQuat::from_euler(glam::EulerRot::XYZ, 0.3 * (2.0 * PI * time).sin(), 0.0, 0.2);
    (at, DQuat::from_rotation_y(angle + 0.5) * nod)
}

fn idle(time: f64) -> (DVec3, DQuat) {
    (DVec3::new(0.04 * (PI * time).sin(), 1.0, 0.0), DQuat::from_rotation_y(0.1 * (PI * time).sin()))
}

/// A clip of the hips with a key every 20th of a second, from their movement in the model.
fn clip(duration: f64, of: fn(f64) -> (DVec3, DQuat)) -> Clip {
    let count = (duration * 20.0).round() as usize;
    let times: Vec<f32> = (0..=count).map(|i| i as f32 / 20.0).collect();
    let local = |time: &f32| {
        let (at, rotation) = of(f64::from(*time).min(duration));
        (armature().inverse() * DMat4::from_rotation_translation(rotation, at))
            .to_scale_rotation_translation()
    };
    let rotations = times.iter().flat_map(|time| local(time).1.as_quat().to_array()).collect();
    let positions = times.iter().flat_map(|time| local(time).2.as_vec3().to_array()).collect();
    let linear = Interpolation::Linear;
    let channel = |path, curve| Channel { node: NodeId::new(HIPS), path, curve };
    Clip {
        duration: duration as f32,
        channels: vec![channel(Path::Rotation, 0), channel(Path::Translation, 1)],
        curves: vec![
            Curve::new(linear, 4, times.clone(), rotations).expect("it is a curve"),
            Curve::new(linear, 3, times, positions).expect("it is a curve"),
        ],
        ..Clip::default()
    }
}

fn model() -> Model {
    let (scale, rotation, translation) = armature().to_scale_rotation_translation();
    let rest = Transform {
        translation: translation.as_vec3(),
        rotation: rotation.as_quat(),
        scale: scale.as_vec3(),
    };
    let node =
        |parent: Option<usize>, rest| Node { parent: parent.map(NodeId::new), rest, ..Node::default() };
    let up = Transform { translation: Vec3::new(0.0, 0.0, 5.0), ..Transform::IDENTITY };
    let wave = Clip {
        duration: 1.0,
        channels: vec![Channel { node: NodeId::new(CHEST), path: Path::Rotation, curve: 0 }],
        curves: vec![
            Curve::new(
                Interpolation::Linear,
                4,
                vec![0.0, 1.0],
                [Quat::IDENTITY, Quat::from_rotation_x(0.5)].iter().flat_map(|q| q.to_array()).collect(),
            )
            .expect("it is a curve"),
        ],
        ..Clip::default()
    };
    // In-tangent, value and out-tangent of two keys: Z of the armature points up.
    let spline = [[0.0, 0.0, 0.0], [0.0; 3], [30.0, 0.0, 4.0], [0.0, 9.0, 0.0], [20.0, -10.0, 3.0], [0.0; 3]];
    let spline = Clip {
        duration: 2.0,
        channels: vec![Channel { node: NodeId::new(HIPS), path: Path::Translation, curve: 0 }],
        curves: vec![
            Curve::new(Interpolation::CubicSpline, 3, vec![0.0, 2.0], spline.concat())
                .expect("it is a curve"),
        ],
        ..Clip::default()
    };
    let clips = [clip(1.0, walk), clip(0.8, run), clip(1.0, turn), clip(2.0, idle), wave, spline];
    Model {
        nodes: vec![node(None, rest), node(Some(0), Transform::IDENTITY), node(Some(HIPS), up)],
        skins: vec![Skin { joints: vec![NodeId::new(HIPS), NodeId::new(CHEST)], ..Skin::default() }],
        clips: clips.into_iter().map(Into::into).collect(),
        ..Model::default()
    }
}

fn actor_with(motion: RootMotion, options: RootOptions) -> Actor {
    let model = model();
    let rig = Rc::new(Rig::new(&model));
    let mut actor = Actor::new(&model, Rc::clone(&rig));
    actor.set_root_motion(&model, &ClipSet::new(&model, rig), motion, options);
    actor.player.set_transition(Transition::Cut);
    actor
}

fn actor() -> Actor {
    actor_with(RootMotion::Accumulate, RootOptions::default())
}

fn id(clip: usize) -> ClipId {
    ClipId::new(clip)
}

fn total(actor: &Actor) -> Rigid {
    actor.root_travel().expect("it is extracted")
}

fn matrix(rigid: &Rigid) -> DMat4 {
    DMat4::from_rotation_translation(rigid.rotation, rigid.translation)
}

/// The matrix of the hips in the model by the keys of the file, interpolated in f64.
fn hips(model: &Model, clip: usize, time: f64) -> DMat4 {
    let clip = &model.clips[clip];
    let mut local = DMat4::IDENTITY;
    for channel in &clip.channels {
        let curve = &clip.curves[channel.curve];
        let times = curve.times();
        let i = times.iter().rposition(|&key| f64::from(key) <= time).unwrap_or(0).min(times.len() - 2);
        let s = (time - f64::from(times[i])) / (f64::from(times[i + 1]) - f64::from(times[i]));
        let s = s.clamp(0.0, 1.0);
        let value = |key: usize, k: usize| f64::from(curve.values()[curve.width() * key + k]);
        if channel.path == Path::Rotation {
            let [a, b] =
                [i, i + 1].map(|key| DQuat::from_array([0, 1, 2, 3].map(|k| value(key, k))).normalize());
            local *= DMat4::from_quat(a.slerp(if a.dot(b) < 0.0 { -b } else { b }, s));
        } else {
            let [a, b] = [i, i + 1].map(|key| DVec3::from_array([0, 1, 2].map(|k| value(key, k))));
            local = DMat4::from_translation(a.lerp(b, s)) * local;
        }
    }
    armature() * local
}

/// The movement over the ground from the first key to a time, by angles.
fn ground(model: &Model, clip: usize, time: f64) -> DMat4 {
    let frame = |time: f64| {
        let at = hips(model, clip, time);
        // The twist about Y of the rotation since the first key.
        let (_, first, _) = hips(model, clip, 0.0).to_scale_rotation_translation();
        let (_, now, position) = at.to_scale_rotation_translation();
        let since = now * first.inverse();
        let angle = 2.0 * since.y.atan2(since.w);
        DMat4::from_translation(DVec3::new(position.x, 0.0, position.z)) * DMat4::from_rotation_y(angle)
    };
    frame(time) * frame(0.0).inverse()
}

fn power(matrix: DMat4, times: i32) -> DMat4 {
    let one = if times < 0 { matrix.inverse() } else { matrix };
    (0..times.abs()).fold(DMat4::IDENTITY, |all, _| all * one)
}

fn world(actor: &Actor, node: usize) -> DMat4 {
    Mat4::from(actor.node_matrices()[node]).as_dmat4()
}

fn near(got: DMat4, want: DMat4, error: f64, what: &str) {
    assert!(got.abs_diff_eq(want, error), "{what}:\n{got}\n{want}");
}

fn frame(actor: &mut Actor, time: f64) {
    actor.player.advance_to(time);
    actor.update();
}

#[test]
fn root_motion_moves_the_actor_as_the_clip_does_and_on_from_pass_to_pass() {
    let model = model();
    for clip in [WALK, RUN, TURN] {
        let (mut actor, place) = (actor(), Affine::from(Mat4::from_rotation_y(0.7)));
        actor.player.choose(Some(id(clip)));
        actor.player.play(None);
        let duration = f64::from(model.clips[clip].duration);
        // RUN has no net turn, and the net turn of WALK is none, so their rotation stays in the clip.
        let one = match clip {
            TURN => ground(&model, clip, duration),
            _ => {
                let (from, to) = (hips(&model, clip, 0.0).w_axis, hips(&model, clip, duration).w_axis);
                DMat4::from_translation(DVec3::new(to.x - from.x, 0.0, to.z - from.z))
            }
        };
        for i in 0..160 {
            let time = f64::from(i) * 0.0371;
            actor.player.advance_to(time);
            actor.place = place;
            actor.update();
            let (passes, into) = ((time / duration).floor(), time % duration);
            let want = Mat4::from(place).as_dmat4() * power(one, passes as i32) * hips(&model, clip, into);
            near(world(&actor, HIPS), want, 3e-5, &format!("clip {clip} at {time}"));
        }
    }
}

#[test]
fn root_motion_is_not_in_the_pose() {
    let model = model();
    let mut actor = actor_with(RootMotion::Extract, RootOptions::default());
    for clip in [WALK, RUN, TURN] {
        actor.player.choose(Some(id(clip)));
        actor.player.play(None);
        let mut first = None;
        for i in 0..40 {
            let now = actor.player.now() + 0.0171 * f64::from(i % 3);
            frame(&mut actor, now);
            let now = world(&actor, HIPS);
            let first = first.get_or_insert(now).w_axis;
            let height = hips(&model, clip, actor.player.position().time).w_axis.y;
            let want = DVec3::new(first.x, height, first.z);
            assert!(now.w_axis.truncate().abs_diff_eq(want, 2e-5), "clip {clip}: {} {want}", now.w_axis);
            if clip == TURN {
                let facing = now.transform_vector3(DVec3::Z);
                assert!((facing.x.atan2(facing.z) - 0.5).abs() < 1e-3, "{facing}");
            }
        }
        // The extracted movement before the rest gives the clip.
        let time = actor.player.position().time;
        let back = root_of(&model, &model.clips, actor.rig(), clip, &RootOptions::default());
        let moved = back.path.expect("it moves").at(time);
        near(matrix(&moved) * world(&actor, HIPS), hips(&model, clip, time), 3e-5, "together");
    }
}

#[test]
fn root_motion_over_a_thousand_passes_is_a_thousand_times_one() {
    for (clip, error) in [(WALK, 0.0), (RUN, 0.0), (SPLINE, 0.0), (TURN, 1e-10)] {
        let duration = f64::from(model().clips[clip].duration);
        let play = |clip: usize| {
            let mut actor = actor();
            actor.player.choose(Some(id(clip)));
            actor.player.play(None);
            actor
        };
        let mut one = play(clip);
        one.player.advance_to(duration);
        let one = total(&one);
        for rate in [7.0, 60.0, 144.0] {
            let mut actor = play(clip);
            let frames = (1000.0 * duration * rate) as usize;
            for i in 1..frames {
                actor.player.advance_to(i as f64 / rate);
            }
            actor.player.advance_to(1000.0 * duration);
            let thousand = total(&actor);
            let want = match clip {
                // The passes of a turn are rotations, of which four are a whole turn.
                TURN => (0..1000).fold(DMat4::IDENTITY, |all, _| all * matrix(&one)),
                _ => DMat4::from_translation(one.translation * 1000.0),
            };
            let difference = (matrix(&thousand) - want).to_cols_array();
            let difference = difference.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
            let length = want.w_axis.truncate().length();
            assert!(difference <= error + 4.0 * f64::EPSILON * length, "{clip} at {rate} Hz: {difference}");
        }
    }
}

/// A call at a time of the timeline.
type Call<'a> = (f64, &'a dyn Fn(&mut Player));

/// Plays a script with calls at given times, in frames of some length, and returns the movement.
fn played(calls: &[Call<'_>], end: f64, mut next: impl FnMut(f64) -> f64) -> Rigid {
    let mut actor = actor();
    let mut now = 0.0;
    for (at, call) in calls.iter().copied().chain([(end, (&|_: &mut Player| ()) as &dyn Fn(&mut Player))]) {
        while now < at {
            now = next(now).min(at);
            actor.player.advance_to(now);
            actor.player.take_transition();
        }
        call(&mut actor.player);
    }
    total(&actor)
}

fn with_layer(mode: LayerMode, mask: Option<[f32; 3]>, weight: f32, clip: usize) -> LayerOptions {
    LayerOptions {
        mode,
        mask: mask.map(|mask| Rc::new(JointMask::new(&mask))),
        weight,
        ..LayerOptions::new(Source::Clip(id(clip)))
    }
}

fn space(player: &mut Player, at: f32, sync: SyncMode) {
    let points = [(id(WALK), [0.0, 0.0]), (id(RUN), [1.0, 0.0]), (id(TURN), [0.0, 1.0])];
    let mut space = player.blend_space(&points, sync).expect("it is a space");
    space.set_position([at, 0.2]);
    player.transition_to(Source::Space(Box::new(space)), &TransitionOptions::default());
}

#[test]
fn root_motion_does_not_depend_on_the_frame_rate() {
    let fade = |seconds| TransitionOptions {
        transition: Some(Transition::Crossfade(seconds)),
        ..TransitionOptions::default()
    };
    let inertial = |seconds| TransitionOptions {
        transition: Some(Transition::Inertial(seconds)),
        ..TransitionOptions::default()
    };
    let to = |player: &mut Player, clip: usize, options: TransitionOptions| {
        player.transition_to(Source::Clip(id(clip)), &options);
    };
    type Script<'a> = Vec<(f64, Box<dyn Fn(&mut Player) + 'a>)>;
    let scripts: Vec<(&str, Script<'_>)> = vec![
        ("one clip", vec![(0.0, Box::new(move |p| to(p, TURN, fade(0.0))))]),
        (
            "cross-fades",
            vec![
                (0.0, Box::new(move |p| to(p, WALK, fade(0.0)))),
                (1.3, Box::new(move |p| to(p, TURN, fade(0.4)))),
                (1.5, Box::new(move |p| to(p, RUN, fade(0.7)))),
                (2.9, Box::new(move |p| to(p, IDLE, fade(0.25)))),
            ],
        ),
        (
            "inertial transitions",
            vec![
                (0.0, Box::new(move |p| to(p, TURN, fade(0.0)))),
                (1.3, Box::new(move |p| to(p, RUN, inertial(0.4)))),
                (1.5, Box::new(move |p| to(p, WALK, inertial(0.3)))),
                (2.6, Box::new(move |p| to(p, IDLE, inertial(0.5)))),
            ],
        ),
        (
            "a blend space",
            vec![
                (0.0, Box::new(|p| space(p, 0.3, SyncMode::Phase))),
                (
                    2.2,
                    Box::new(|p| assert!(p.set_blend_position(None, [0.8, 0.1], Transition::Inertial(0.3)))),
                ),
            ],
        ),
        (
            "layers",
            vec![
                (0.0, Box::new(move |p| to(p, WALK, fade(0.0)))),
                (0.7, Box::new(|p| _ = p.add_layer(with_layer(LayerMode::Override, None, 0.4, TURN)))),
                (
                    1.1,
                    Box::new(|p| {
                        let mask = Some([0.0, 0.5, 1.0]);
                        p.add_layer(LayerOptions {
                            transition: Some(Transition::Crossfade(0.5)),
                            sync: SyncMode::Phase,
                            ..with_layer(LayerMode::Override, mask, 1.0, RUN)
                        });
                    }),
                ),
                (2.4, Box::new(|p| _ = p.set_layer_weight(1, 0.0, Some(Transition::Crossfade(0.4))))),
                (
                    2.8,
                    Box::new(|p| {
                        p.set_rate(-0.7);
                        let reference = LayerMode::Additive(Reference::Rest);
                        p.add_layer(with_layer(reference, None, 0.3, SPLINE));
                    }),
                ),
            ],
        ),
        (
            "loop modes",
            vec![
                (
                    0.0,
                    Box::new(move |p| {
                        to(p, TURN, fade(0.0));
                        p.set_loop_mode(LoopMode::PingPong);
                    }),
                ),
                (1.7, Box::new(|p| p.set_loop_mode(LoopMode::Repeat))),
                (2.1, Box::new(|p| p.set_segment(Some(0.2..0.9)))),
                (3.3, Box::new(|p| p.set_rate(1.9))),
                (3.7, Box::new(|p| p.seek(0.1))),
                (4.1, Box::new(|p| p.set_repetitions(3.0))),
            ],
        ),
    ];
    for (name, script) in &scripts {
        let calls: Vec<Call<'_>> =
            script.iter().map(|(at, call)| (*at, &**call as &dyn Fn(&mut Player))).collect();
        let end = 5.37;
        let of_rate = |rate: f64| played(&calls, end, |now| ((now * rate + 1e-6).floor() + 1.0) / rate);
        let want = of_rate(60.0);
        assert!(want.translation.length() > 1.0, "{name}");
        for rate in [7.0, 25.0, 144.0, 1000.0] {
            near(matrix(&of_rate(rate)), matrix(&want), 1e-9, &format!("{name} at {rate} Hz"));
        }
        for seed in 0..4 {
            let mut random = Random(seed + 1);
            let got = played(&calls, end, |now| now + 0.0007 + 0.0003 * random.below(400) as f64);
            near(matrix(&got), matrix(&want), 1e-9, &format!("{name}, random frames {seed}"));
        }
    }
}

/// The sum of weighted velocities by the formulas of the clips, in small steps.
fn summed(end: f64, moves: impl Fn(f64) -> Vec<(f64, DVec3, f64)>) -> (DVec3, f64) {
    const STEPS: u32 = 200_000;
    let (mut at, mut angle, dt) = (DVec3::ZERO, 0.0_f64, end / f64::from(STEPS));
    for i in 0..STEPS {
        for (weight, velocity, turning) in moves((f64::from(i) + 0.5) * dt) {
            at += DQuat::from_rotation_y(angle) * velocity * (weight * dt);
            angle += weight * turning * dt;
        }
    }
    (at, angle)
}

/// The velocity of a clip in the space of the moving model, and its turn rate, by the keys of the file.
fn velocity(model: &Model, clip: usize, time: f64) -> (DVec3, f64) {
    let duration = f64::from(model.clips[clip].duration);
    let time = time.rem_euclid(duration);
    // Both times are between the same two keys.
    let key = (time * 20.0).floor() / 20.0;
    let (a, b) = (key + 0.02, key + 0.03);
    let moved = match clip {
        TURN => ground(model, clip, time).inverse() * ground(model, clip, (time + 1e-6).min(duration)),
        _ => {
            let [from, to] = [a, b].map(|time| hips(model, clip, time).w_axis.truncate());
            let velocity = (to - from) / (b - a);
            return (DVec3::new(velocity.x, 0.0, velocity.z), 0.0);
        }
    };
    let (_, rotation, translation) = moved.to_scale_rotation_translation();
    (translation / 1e-6, 2.0 * rotation.y.atan2(rotation.w) / 1e-6)
}

#[test]
fn root_motion_of_a_blend_is_the_weighted_movement() {
    let model = model();
    // Half a metre of the walk and of the run: 2 m in 1 s and 4 m in 0.8 s, at the same phase.
    let mut actor = actor();
    let points = [(id(WALK), [0.0, 0.0]), (id(RUN), [1.0, 0.0])];
    let mut space = actor.player.blend_space(&points, SyncMode::Phase).expect("it is a space");
    space.set_position([0.25, 0.0]);
    let length = space.duration();
    assert!((length - 0.95).abs() < 1e-6);
    actor.player.transition_to(Source::Space(Box::new(space)), &TransitionOptions::default());
    for i in 1..=4000 {
        actor.player.advance_to(f64::from(i) * 0.25 * length);
    }
    let got = total(&actor).translation / 1000.0;
    let end =
        |clip: usize| hips(&model, clip, f64::from(model.clips[clip].duration)) - hips(&model, clip, 0.0);
    let want = end(WALK).w_axis.truncate() * 0.75 + end(RUN).w_axis.truncate() * 0.25;
    assert!(got.abs_diff_eq(DVec3::new(want.x, 0.0, want.z), 1e-7), "{got} {want}");

    // A layer over another: 30 % of a turn, 70 % of the walk.
    let mut actor = self::actor();
    actor.player.play(Some(id(WALK)));
    actor.player.add_layer(with_layer(LayerMode::Override, None, 0.3, TURN));
    (1..=120).for_each(|i| actor.player.advance_to(f64::from(i) / 40.0));
    let (at, angle) = summed(3.0, |time| {
        let ((walk, _), (turn, rate)) = (velocity(&model, WALK, time), velocity(&model, TURN, time));
        vec![(0.7, walk, 0.0), (0.3_f32.into(), turn, rate)]
    });
    let got = total(&actor);
    assert!(got.translation.abs_diff_eq(at, 2e-3), "{} {at}", got.translation);
    let got = 2.0 * got.rotation.y.atan2(got.rotation.w);
    assert!((got - angle).abs() < 1e-3, "{got} {angle}");

    // The same clip twice is the clip.
    let mut actor = self::actor();
    actor.player.play(Some(id(TURN)));
    actor.player.add_layer(with_layer(LayerMode::Average, None, 1.0, TURN));
    (1..=120).for_each(|i| actor.player.advance_to(f64::from(i) / 40.0));
    near(matrix(&total(&actor)), power(ground(&model, TURN, 1.0), 3), 2e-4, "twice");
}

#[test]
fn root_motion_of_layers_follows_masks_and_channels() {
    let of = |options: Option<LayerOptions>| {
        let mut actor = actor();
        actor.player.play(Some(id(WALK)));
        if let Some(options) = options {
            actor.player.add_layer(options);
        }
        (1..=90).for_each(|i| actor.player.advance_to(f64::from(i) / 30.0));
        total(&actor).translation
    };
    let (walk, run) = (DVec3::new(0.0, 0.0, 6.0), DVec3::new(15.0, 0.0, 0.0));
    let cases = [
        ("none", None, walk),
        ("a layer that does not animate the root", Some((LayerMode::Override, None, 1.0, WAVE)), walk),
        ("a mask without the root", Some((LayerMode::Override, Some([1.0, 0.0, 1.0]), 1.0, RUN)), walk),
        (
            "a mask with a part of the root",
            Some((LayerMode::Override, Some([0.0, 0.25, 1.0]), 1.0, RUN)),
            walk * 0.75 + run * 0.25,
        ),
        ("override", Some((LayerMode::Override, None, 1.0, RUN)), run),
        ("half an override", Some((LayerMode::Override, None, 0.5, RUN)), (walk + run) * 0.5),
        ("a clip on the spot", Some((LayerMode::Override, None, 0.5, IDLE)), walk * 0.5),
        ("average", Some((LayerMode::Average, None, 3.0, RUN)), walk * 0.25 + run * 0.75),
        (
            "additive",
            Some((LayerMode::Additive(Reference::Clip(id(RUN), 0.0)), None, 0.5, RUN)),
            walk + run * 0.5,
        ),
    ];
    for (name, layer, want) in cases {
        let got = of(layer.map(|(mode, mask, weight, clip)| with_layer(mode, mask, weight, clip)));
        // The keys are f32, and those of the walk are 0.05 s apart.
        assert!(got.abs_diff_eq(want, 1e-4), "{name}: {got} {want}");
    }
}

#[test]
fn root_motion_of_transitions_is_the_sum_of_the_fading_velocities() {
    let model = model();
    let at = |time: f64| {
        let s: f64 = ((time - 1.0) / 0.5).clamp(0.0, 1.0);
        s * s * (3.0 - 2.0 * s)
    };
    let go = |transition: Transition| {
        let mut actor = actor();
        actor.player.play(Some(id(WALK)));
        let mut frames = |range: std::ops::RangeInclusive<i32>| {
            range.for_each(|i| {
                actor.player.advance_to(f64::from(i) / 100.0);
                actor.update();
            });
        };
        frames(1..=100);
        actor.player.transition_to(
            Source::Clip(id(RUN)),
            &TransitionOptions { transition: Some(transition), ..TransitionOptions::default() },
        );
        let mut frames = |range: std::ops::RangeInclusive<i32>| {
            range.for_each(|i| {
                actor.player.advance_to(f64::from(i) / 100.0);
                actor.update();
            });
        };
        frames(101..=200);
        total(&actor).translation
    };
    let (faded, _) = summed(2.0, |time| {
        let run = if time > 1.0 { velocity(&model, RUN, time - 1.0).0 } else { DVec3::ZERO };
        vec![(1.0 - at(time), velocity(&model, WALK, time).0, 0.0), (at(time), run, 0.0)]
    });
    let got = go(Transition::Crossfade(0.5));
    assert!(got.abs_diff_eq(faded, 5e-4), "{got} {faded}");
    // Half of the difference of velocities for the whole time: the walk was at the start of its next pass.
    let run = DVec3::new(5.0, 0.0, 0.0);
    let (walk, _) = velocity(&model, WALK, 1.001);
    let want = DVec3::new(0.0, 0.0, 2.0) + run + (walk - run) * (0.5 * 0.5);
    let got = go(Transition::Inertial(0.5));
    assert!(got.abs_diff_eq(want, 1e-3), "{got} {want}");
    let got = go(Transition::Cut);
    assert!(got.abs_diff_eq(DVec3::new(5.0, 0.0, 2.0), 1e-5), "{got}");
}

#[test]
fn root_motion_of_loop_modes_rates_segments_and_seeks() {
    let moved = |play: &dyn Fn(&mut Player), times: &[f64]| -> Vec<f64> {
        let mut actor = actor();
        actor.player.choose(Some(id(RUN)));
        play(&mut actor.player);
        actor.player.play(None);
        let mut at = |time: &f64| {
            actor.player.advance_to(*time);
            total(&actor).translation.x
        };
        times.iter().map(&mut at).collect()
    };
    let close = |got: Vec<f64>, want: &[f64]| {
        let same = got.iter().zip(want).all(|(a, b)| (a - b).abs() < 2e-5);
        assert!(same && got.len() == want.len(), "{got:?} {want:?}");
    };
    // 5 m/s, 0.8 s a pass.
    let times = [0.0, 0.1, 0.8, 0.9, 4.0];
    close(moved(&|_| (), &times), &[0.0, 0.5, 4.0, 4.5, 20.0]);
    close(moved(&|p| p.set_loop_mode(LoopMode::Once), &times), &[0.0, 0.5, 4.0, 4.0, 4.0]);
    close(moved(&|p| p.set_loop_mode(LoopMode::PingPong), &times), &[0.0, 0.5, 4.0, 3.5, 4.0]);
    close(moved(&|p| p.set_rate(-1.0), &times), &[0.0, -0.5, -4.0, -4.5, -20.0]);
    close(moved(&|p| p.set_rate(0.5), &times), &[0.0, 0.25, 2.0, 2.25, 10.0]);
    close(moved(&|p| p.set_repetitions(2.0), &times), &[0.0, 0.5, 4.0, 4.5, 8.0]);
    close(moved(&|p| p.seek(0.6), &times), &[0.0, 0.5, 4.0, 4.5, 20.0]);
    close(moved(&|p| p.set_segment(Some(0.2..0.4)), &times), &[0.0, 0.5, 4.0, 4.5, 20.0]);
    close(
        moved(
            &|p| {
                p.seek(0.6);
                p.set_segment(Some(0.2..0.4));
            },
            &[0.0, 0.1, 0.2, 0.3],
        ),
        &[0.0, 0.5, 1.0, 1.5],
    );
    // The timeline back and forth.
    close(moved(&|_| (), &[1.0, 0.5, 2.0, 0.0]), &[5.0, 2.5, 10.0, 0.0]);

    let mut actor = actor();
    actor.player.play(Some(id(RUN)));
    actor.player.advance_to(1.0);
    actor.player.seek(0.1);
    assert!((total(&actor).translation.x - 5.0).abs() < 1e-5, "a seek is no movement");
    actor.player.advance_to(1.1);
    actor.player.seek(0.7);
    actor.player.advance_to(1.2);
    assert!((total(&actor).translation.x - 6.0).abs() < 1e-5);
    actor.player.set_clock(500.0);
    actor.player.advance_to(500.2);
    assert!((total(&actor).translation.x - 7.0).abs() < 1e-5, "another clock is no movement");
    actor.player.pause();
    actor.player.advance_to(501.0);
    assert!((total(&actor).translation.x - 7.0).abs() < 1e-5);
    actor.player.reset_travel();
    assert_eq!(total(&actor), Rigid::IDENTITY);
    // A timeline that scrubs, such as scrolling, moves through the clip.
    actor.player.scrub(0.0);
    actor.player.reset_travel();
    for (fraction, want) in [(0.5, 2.0), (1.0, 4.0), (0.25, 1.0), (0.0, 0.0)] {
        actor.player.scrub(fraction);
        assert!((total(&actor).translation.x - want).abs() < 1e-5, "{fraction}");
    }
}

#[test]
fn root_motion_of_the_last_frame_is_in_the_space_of_the_model() {
    let mut actor = actor();
    actor.player.play(Some(id(TURN)));
    let mut sum = Rigid::IDENTITY;
    for i in 1..=100 {
        // Two steps of time in each frame.
        actor.player.advance_to(f64::from(i) * 0.03 - 0.01);
        actor.player.advance_to(f64::from(i) * 0.03);
        let travel = actor.player.travel().expect("it is extracted");
        sum = sum.then(&travel.last_frame());
        near(matrix(&sum), matrix(&travel.total()), 1e-12, "the sum of all frames");
        actor.player.end_travel_frame();
    }
    actor.player.pause();
    actor.player.end_travel_frame();
    assert_eq!(actor.player.travel().map(|travel| travel.last_frame().translation), Some(DVec3::ZERO));
}

#[test]
fn root_motion_options_choose_rotation_and_height() {
    let model = model();
    let of = |rotation, vertical, clip: usize, time: f64| {
        let options = RootOptions { rotation, vertical, legs: Vec::new() };
        let root = root_of(&model, &model.clips, &Rig::new(&model), clip, &options);
        root.path.map(|path| matrix(&path.at(time)))
    };
    let end = hips(&model, TURN, 1.0).w_axis - hips(&model, TURN, 0.0).w_axis;
    near(
        of(RootRotation::None, false, TURN, 1.0).expect("it moves"),
        DMat4::from_translation(DVec3::new(end.x, 0.0, end.z)),
        1e-6,
        "without rotation",
    );
    near(of(RootRotation::Yaw, false, TURN, 1.0).expect("it moves"), ground(&model, TURN, 1.0), 1e-6, "yaw");
    for time in [0.3, 0.85, 1.0] {
        // The whole movement of the joint, without its scale.
        let whole = hips(&model, TURN, time) * hips(&model, TURN, 0.0).inverse();
        near(of(RootRotation::Full, false, TURN, time).expect("it moves"), whole, 2e-4, "full");
    }
    assert_eq!(of(RootRotation::Yaw, false, IDLE, 1.0), None, "it ends where it began");
    assert_eq!(of(RootRotation::Yaw, false, WAVE, 1.0), None);
    let height = |vertical| of(RootRotation::Yaw, vertical, SPLINE, 2.0).expect("it moves").w_axis.y;
    assert!((height(false), height(true)).0.abs() < 1e-9 && (height(true) - 0.3).abs() < 1e-6);

    // The rotation that is left between keys is that of the clip.
    for rotation in [RootRotation::None, RootRotation::Yaw, RootRotation::Full] {
        let options = RootOptions { rotation, vertical: true, legs: Vec::new() };
        let (roots, rig) = extract(&model, &model.clips, &Rig::new(&model), &options);
        let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
        for clip in [WALK, RUN, TURN] {
            let path = roots[clip].path.as_ref().expect("it moves");
            for i in 0..100 {
                let time = f64::from(model.clips[clip].duration) * f64::from(i) / 99.0;
                rig.sample(id(clip), time, &mut pose);
                rig.node_matrices(&pose, &Affine::identity(), &mut matrices);
                let got = matrix(&path.at(time)) * Mat4::from(matrices[HIPS]).as_dmat4();
                near(got, hips(&model, clip, time), 6e-5, &format!("{rotation:?}, clip {clip} at {time}"));
            }
        }
    }
}

#[test]
fn root_motion_that_is_reported_leaves_the_actor_in_its_place() {
    let [mut moved, mut reported] = [RootMotion::Accumulate, RootMotion::Extract].map(|motion| {
        let mut actor = actor_with(motion, RootOptions::default());
        actor.player.play(Some(id(TURN)));
        frame(&mut actor, 2.3);
        actor
    });
    assert_eq!(total(&moved), total(&reported));
    assert_eq!(reported.place, Affine::identity());
    let place = total(&reported).moved(&Affine::identity());
    assert_eq!(moved.place, place);
    reported.place = place;
    reported.update();
    assert_eq!(moved.node_matrices(), reported.node_matrices(), "the page moves it");
    for motion in [RootMotion::Keep, RootMotion::InPlace] {
        let mut actor = actor_with(motion, RootOptions::default());
        actor.player.play(Some(id(WALK)));
        frame(&mut actor, 1.5);
        assert_eq!((actor.root_travel(), actor.place), (None, Affine::identity()));
    }
    moved.place = Affine::identity();
    moved.update();
}

#[test]
fn root_motion_frames_allocate_nothing() {
    let mut actor = actor();
    actor.player.set_transition(Transition::Crossfade(0.5));
    actor.player.play(Some(id(WALK)));
    actor.player.add_layer(with_layer(LayerMode::Override, None, 0.4, TURN));
    frame(&mut actor, 0.1);
    space(&mut actor.player, 0.3, SyncMode::Phase);
    let mut frames = |range: std::ops::Range<i32>| {
        range.for_each(|i| {
            frame(&mut actor, 0.1 * f64::from(i));
            actor.player.drain_events();
        });
    };
    frames(2..40);
    let (made, ()) = allocated(|| frames(40..200));
    assert_eq!(made.count, 0);
}

/// Hips and two legs, which walk on the spot: each foot moves backwards for 60 % of the time, and is then lifted.
fn walker(speed: f64, mirrored: bool) -> (Model, Vec<LegBones>) {
    let node = |parent: Option<usize>, at: [f32; 3]| Node {
        parent: parent.map(NodeId::new),
        rest: Transform { translation: at.into(), ..Transform::IDENTITY },
        ..Node::default()
    };
    let mut nodes = vec![node(None, [0.0, 0.9, 0.0])];
    let mut clip = Clip { duration: 1.0, ..Clip::default() };
    let mut legs = Vec::new();
    for (side, x) in [(0, 0.1_f32), (1, -0.1)] {
        let first = nodes.len();
        nodes.push(node(Some(0), [x, 0.0, 0.0]));
        nodes.push(node(Some(first), [0.0, -0.4, 0.0]));
        nodes.push(node(Some(first + 1), [0.0, -0.4, 0.0]));
        let [upper, lower, foot] = [first, first + 1, first + 2].map(NodeId::new);
        legs.push(LegBones { upper, lower, foot, toes: None });
        let times: Vec<f32> = (0..=60).map(|i| i as f32 / 60.0).collect();
        let position = |time: &f32| {
            let phase = (f64::from(*time) + 0.5 * f64::from(side)).rem_euclid(1.0);
            let (along, height) = if phase < 0.6 {
                (0.3 - phase, 0.0)
            } else {
                let s = (phase - 0.6) / 0.4;
                (-0.3 + 0.6 * s, 0.25 * (PI * s).sin())
            };
            let along = if mirrored && side == 1 { -along } else { along };
            [0.0, (height - 0.4) as f32, (speed * along) as f32]
        };
        clip.channels.push(Channel { node: foot, path: Path::Translation, curve: clip.curves.len() });
        let values = times.iter().flat_map(position).collect();
        clip.curves.push(Curve::new(Interpolation::Linear, 3, times, values).expect("it is a curve"));
    }
    (Model { nodes, clips: vec![clip.into()], ..Model::default() }, legs)
}

#[test]
fn root_motion_by_contact_keeps_planted_feet_still() {
    let (model, legs) = walker(1.2, false);
    let rig = Rc::new(Rig::new(&model));
    let options = RootOptions { legs: legs.clone(), ..RootOptions::default() };
    let mut actor = Actor::new(&model, Rc::clone(&rig));
    actor.set_root_motion(&model, &ClipSet::new(&model, rig), RootMotion::Accumulate, options);
    actor.player.play(Some(id(0)));
    let foot = legs[0].foot.index();
    let mut last: Option<DVec3> = None;
    for i in 0..300 {
        let time = f64::from(i) / 100.0;
        actor.player.advance_to(time);
        actor.place = Affine::identity();
        actor.update();
        let at = world(&actor, foot).w_axis.truncate();
        let planted = time.fract() > 0.05 && time.fract() < 0.55;
        if let Some(last) = last.filter(|_| planted) {
            assert!(at.abs_diff_eq(last, 1e-5), "{time}: {at} {last}");
        }
        last = planted.then_some(at);
    }
    // 1.2 m/s for three seconds.
    let moved = total(&actor).translation;
    assert!(moved.abs_diff_eq(DVec3::new(0.0, 0.0, 1.2 * 2.99), 2e-3), "{moved}");
}

#[test]
fn root_motion_by_contact_needs_feet_that_walk() {
    for (speed, mirrored, walks) in
        [(1.2, false, true), (-0.8, false, true), (0.05, false, false), (1.2, true, false)]
    {
        let (model, legs) = walker(speed, mirrored);
        let rig = Rig::new(&model);
        let with = RootOptions { legs, ..RootOptions::default() };
        let path = root_of(&model, &model.clips, &rig, 0, &with).path;
        assert_eq!(path.is_some(), walks, "{speed} {mirrored}");
        if let Some(path) = path {
            let end = path.at(1.0).translation.z;
            assert!((end - speed).abs() < 2e-3, "{end}");
        }
        assert_eq!(
            root_of(&model, &model.clips, &rig, 0, &RootOptions::default()).path,
            None,
            "no legs are given"
        );
    }
}
