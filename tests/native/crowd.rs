//! A crowd has the same poses as individual actors.

use crate::common::models::models;
use crate::common::random::Random;
use gambol::animation::{
    Action, Affine, Bounds, ClipSet, Contribution, Crowd, CrowdError, CrowdView, LayerMode, LoopMode,
    MemberPart, Mix, Mixer, Rig, UpdateRate, deform_position,
};
use gambol::model::{ClipId, Model, Morph};
use glam::{Mat4, Quat, Vec3};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

impl Random {
    fn list(&mut self, count: usize, scale: f64) -> Vec<f64> {
        (0..count).map(|_| scale * f64::from(self.signed())).collect()
    }
}

/// The sample, and models of `../shared`.
static MODELS: LazyLock<Vec<(String, Model)>> = LazyLock::new(|| {
    models(&[
        "gltf/Fox.glb",
        "gltf/CesiumMan.glb",
        "gltf/RobotExpressive.glb",
        "gltf/MorphStressTest.gltf",
        "synthetic/interpolations.glb",
        "synthetic/matrices_and_instances.glb",
        "synthetic/skeleton_outside.glb",
    ])
});

/// The palettes of the visible members, concatenated.
fn palettes(crowd: &Crowd) -> Vec<Affine> {
    (0..crowd.visible_len()).flat_map(|at| crowd.member_palette(at)).collect()
}

fn bits(palettes: &[Affine]) -> Vec<u32> {
    Affine::as_floats(palettes).iter().map(|number| number.to_bits()).collect()
}

/// A crowd with measured bounds, and its rig.
fn crowd_of(model: &Model, count: usize) -> (Crowd, Rc<Rig>) {
    let clips = ClipSet::new(model, Rc::new(Rig::new(model)));
    let bounds = Bounds::new(model, &clips.rig.layout);
    let mut crowd = Crowd::new(&clips, false);
    while crowd.measure(model, &clips, &bounds) {}
    crowd.resize(count, 0.0);
    (crowd, clips.rig)
}

fn set(crowd: &mut Crowd, part: MemberPart, numbers: &[f64], now: f64) {
    crowd.set(part, 0, numbers, now).unwrap_or_else(|error| panic!("{part:?}: {error}"));
}

/// Gives each member a random clip, transform, start time, rate and tint.
fn scatter(crowd: &mut Crowd, model: &Model, random: &mut Random, spread: f64) {
    let count = crowd.len();
    let clips = model.clips.len() as f64;
    let pick = |x: f64| (0.5 * (x + 1.0) * clips).min(clips - 1.0).floor();
    if clips > 0.0 {
        let clips: Vec<f64> = random.list(count, 1.0).into_iter().map(pick).collect();
        set(crowd, MemberPart::Clip, &clips, 0.0);
    }
    set(crowd, MemberPart::Position, &random.list(3 * count, spread), 0.0);
    set(crowd, MemberPart::Rotation, &random.list(4 * count, 1.0), 0.0);
    let scales: Vec<f64> = random.list(count, 0.7).into_iter().map(|x| 1.0 + x).collect();
    set(crowd, MemberPart::Scale, &scales, 0.0);
    set(crowd, MemberPart::Start, &random.list(count, 7.0), 0.0);
    set(crowd, MemberPart::Rate, &random.list(count, 1.5), 0.0);
    set(crowd, MemberPart::Tint, &random.list(4 * count, 1.0), 0.0);
}

/// A camera at `distance` from the origin, and its view for culling.
fn camera(distance: f32, height: u32, cull: bool) -> (Mat4, CrowdView) {
    let view = Mat4::from_translation(Vec3::new(0.0, 0.0, -distance));
    let projection = glam::camera::rh::proj::opengl::perspective(0.6, 1.5, 0.01, 1e6);
    (projection * view, CrowdView::new(&view, &projection, height, cull))
}

/// The positions of all vertices of a palette.
fn vertices(model: &Model, rig: &Rig, palette: &[Affine], weights: &[f32]) -> Vec<Vec3> {
    let mut places = Vec::new();
    for drawable in &rig.layout.drawables {
        for primitive in &model.meshes[drawable.mesh.index()].primitives {
            let place = |i| deform_position(primitive, i, drawable, palette, &[], weights);
            places.extend((0..primitive.vertex_count()).map(place));
        }
    }
    places
}

#[test]
fn crowd_members_have_the_bits_of_actors() {
    let mut random = Random(3);
    for (name, model) in MODELS.iter() {
        let (mut crowd, rig) = crowd_of(model, 23);
        crowd.set_update_rate(UpdateRate::Full);
        scatter(&mut crowd, model, &mut random, 3.0);
        let clips: Vec<f64> = (0..23).map(|i| f64::from(i % model.clips.len().max(1) as u32)).collect();
        if !model.clips.is_empty() {
            set(&mut crowd, MemberPart::Clip, &clips, 0.0);
        }
        let starts = random.list(23, 7.0);
        set(&mut crowd, MemberPart::Start, &starts, 0.0);
        let rates = random.list(23, 2.0);
        set(&mut crowd, MemberPart::Rate, &rates, -100.0);
        set(&mut crowd, MemberPart::Start, &starts, 0.0);
        let (_, view) = camera(4.0, 500, false);
        for now in [9.0, 10.5, 7.25, 1000.0] {
            crowd.update(now, &view);
            assert_eq!(crowd.visible_len(), 23, "{name}");
            let stride = crowd.stride();
            for (i, entries) in palettes(&crowd).chunks_exact(stride).enumerate() {
                let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
                if let Some(clip) = model.clips.get(clips[i] as usize) {
                    let start = Action { rate: rates[i], ..Action::new(clip.duration.into(), starts[i]) };
                    rig.sample(ClipId::new(clips[i] as usize), start.at(now).time, &mut pose);
                }
                rig.node_matrices(&pose, &crowd.places()[i], &mut matrices);
                let mut palette = vec![Affine::identity(); rig.palette_len()];
                rig.palette(&matrices, &mut palette);
                let mut visible = Vec::new();
                rig.visibility(&pose, &mut visible);
                if visible.iter().all(|shown| *shown) {
                    assert_eq!(
                        Affine::as_floats(&entries[..stride - 1]),
                        Affine::as_floats(&palette),
                        "{name} {i}"
                    );
                }
                let weights = &crowd.weights()[i * crowd.weight_count()..][..crowd.weight_count()];
                assert_eq!(weights, pose.weights, "{name} {i}");
            }
        }
    }
}

#[test]
fn crowd_member_matrices_match_position_rotation_and_scale() {
    let (_, model) = &MODELS[0];
    let (mut crowd, _) = crowd_of(model, 2);
    set(&mut crowd, MemberPart::Position, &[1.0, 2.0, 3.0, -4.0, 5.0, -6.0], 0.0);
    // Rotations of any length, even if the squares underflow in f32.
    set(&mut crowd, MemberPart::Rotation, &[2.0, 0.0, 0.0, 2.0, 0.0, 1e-30, 0.0, 1e-30], 0.0);
    set(&mut crowd, MemberPart::Scale, &[0.5, 3.0], 0.0);
    let quarter = std::f32::consts::FRAC_PI_2;
    let wanted = [
        Mat4::from_scale_rotation_translation(
            Vec3::splat(0.5),
            Quat::from_rotation_x(quarter),
            Vec3::new(1.0, 2.0, 3.0),
        ),
        Mat4::from_scale_rotation_translation(
            Vec3::splat(3.0),
            Quat::from_rotation_y(quarter),
            Vec3::new(-4.0, 5.0, -6.0),
        ),
    ];
    for (place, wanted) in crowd.places().iter().zip(wanted) {
        assert!(Mat4::from(*place).abs_diff_eq(wanted, 1e-6), "{place:?}");
    }
}

#[test]
fn crowd_rejects_invalid_attributes_without_changes() {
    let (_, model) = &MODELS[0];
    let (mut crowd, _) = crowd_of(model, 3);
    set(&mut crowd, MemberPart::Position, &[1.0; 9], 0.0);
    let before = crowd.places().to_vec();
    let mut fails = |part, first, numbers: &[f64], error| {
        assert_eq!(crowd.set(part, first, numbers, 0.0), Err(error), "{part:?} {first} {numbers:?}");
    };
    fails(MemberPart::Position, 0, &[0.0; 12], CrowdError::Range);
    fails(MemberPart::Position, 0, &[0.0; 4], CrowdError::Range);
    fails(MemberPart::Position, 2, &[0.0; 6], CrowdError::Range);
    fails(MemberPart::Position, 4, &[], CrowdError::Range);
    fails(MemberPart::Position, usize::MAX, &[0.0; 3], CrowdError::Range);
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        fails(MemberPart::Position, 0, &[0.0, 0.0, 0.0, 0.0, bad, 0.0], CrowdError::Number);
        fails(MemberPart::Scale, 0, &[2.0, bad], CrowdError::Number);
        fails(MemberPart::Rotation, 0, &[0.0, 1.0, bad, 0.0], CrowdError::Number);
        fails(MemberPart::Tint, 0, &[0.0, 1.0, bad, 0.0], CrowdError::Number);
    }
    for bad in [f64::NAN, f64::NEG_INFINITY] {
        fails(MemberPart::Time, 0, &[0.0, bad], CrowdError::Number);
        fails(MemberPart::Start, 0, &[bad], CrowdError::Number);
        fails(MemberPart::Rate, 0, &[1.0, 2.0, bad], CrowdError::Number);
    }
    fails(MemberPart::Scale, 0, &[1.0, 0.0], CrowdError::Number);
    fails(MemberPart::Scale, 0, &[1.0, -2.0], CrowdError::Number);
    fails(MemberPart::Scale, 0, &[1e-60], CrowdError::Number);
    fails(MemberPart::Rotation, 0, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], CrowdError::Number);
    for bad in [-1.0, 0.5, model.clips.len() as f64, f64::NAN, 1e30] {
        fails(MemberPart::Clip, 0, &[0.0, bad], CrowdError::NoClip);
    }
    assert_eq!(crowd.places(), before);
    assert_eq!(crowd.set(MemberPart::Position, 3, &[], 0.0), Ok(()));
    let (mut still, _) = crowd_of(&Model::default(), 1);
    assert_eq!(still.set(MemberPart::Clip, 0, &[0.0], 0.0), Err(CrowdError::NoClip));
    still.update(1.0, &camera(1.0, 100, true).1);
    assert_eq!((still.bounds(), still.is_moving(0.0)), (None, false));
}

#[test]
fn crowd_times_follow_the_time_contract() {
    let (_, model) = &MODELS[0];
    let mut random = Random(11);
    for mode in [LoopMode::Repeat, LoopMode::Once, LoopMode::PingPong] {
        let (mut crowd, _) = crowd_of(model, 40);
        crowd.set_loop_mode(mode, 0.0);
        scatter(&mut crowd, model, &mut random, 1.0);
        set(&mut crowd, MemberPart::Clip, &[0.0; 40], 0.0);
        let rates: Vec<f64> = (0..40).map(|i| [1.0, -1.0, 0.0, 2.5, -0.3][i % 5]).collect();
        set(&mut crowd, MemberPart::Rate, &rates, 0.0);
        let starts = random.list(40, 5.0);
        set(&mut crowd, MemberPart::Start, &starts, 0.0);
        let duration = f64::from(model.clips[0].duration);
        for _ in 0..200 {
            // Jumps forwards and backwards by any amount.
            let now = 40.0 * f64::from(random.signed());
            for (i, time) in crowd.times(now).enumerate() {
                let action = Action { rate: rates[i], loop_mode: mode, ..Action::new(duration, starts[i]) };
                if now >= starts[i] {
                    assert_eq!(time, action.at(now).time, "{mode:?} {i} {now}");
                    continue;
                }
                // Before the start, time runs backwards from it.
                let way = (now - starts[i]) * rates[i];
                let wanted = match mode {
                    LoopMode::Once => way.clamp(0.0, duration),
                    LoopMode::Repeat => way.rem_euclid(duration),
                    LoopMode::PingPong => {
                        let way = way.rem_euclid(2.0 * duration);
                        way.min(2.0 * duration - way)
                    }
                };
                let off = (time - wanted).abs();
                let off = if mode == LoopMode::Repeat { off.min(duration - off) } else { off };
                assert!(off < 1e-9, "{mode:?} {i} {now}: {time}, not {wanted}");
            }
        }
    }
}

#[test]
fn crowd_times_at_ends_of_passes_and_extremes_have_the_bits_of_the_time_contract() {
    let (_, model) = &MODELS[0];
    let duration = f64::from(model.clips[0].duration);
    let rates = [1.0, 0.3, 1e-300, 7e4, 1e12, f64::MAX];
    let times = [0.0, 0.25 * duration, duration, 3.0 * duration];
    let (mut crowd, _) = crowd_of(model, rates.len() * times.len());
    let each: Vec<(f64, f64)> = rates.iter().flat_map(|rate| times.map(|time| (*rate, time))).collect();
    set(&mut crowd, MemberPart::Clip, &vec![0.0; each.len()], 0.0);
    set(&mut crowd, MemberPart::Rate, &each.iter().map(|(rate, _)| *rate).collect::<Vec<_>>(), 0.0);
    set(&mut crowd, MemberPart::Time, &each.iter().map(|(_, time)| *time).collect::<Vec<_>>(), 0.0);
    let passes = [1.0, 2.0, 3.0, 1e3, 1e6 + 1.0, 268_435_455.0, 268_435_456.0, 268_435_457.0, 1e15, 1e300];
    let ends = passes.iter().flat_map(|passes| {
        let end = passes * duration;
        [end.next_down(), end, end.next_up(), end - 0.25 * duration, end / 0.3]
    });
    for now in ends.chain([0.0, 0.1, f64::MIN_POSITIVE, f64::MAX]) {
        for ((rate, offset), time) in each.iter().zip(crowd.times(now)) {
            let offset = offset.min(duration);
            let action =
                Action { rate: *rate, offset, loop_mode: LoopMode::Repeat, ..Action::new(duration, 0.0) };
            assert_eq!(time.to_bits(), action.at(now).time.to_bits(), "{rate} {offset} {now}");
        }
    }
}

#[test]
fn crowd_changes_of_rate_loop_mode_and_clock_do_not_move_members() {
    let (_, model) = &MODELS[0];
    let (mut crowd, _) = crowd_of(model, 30);
    scatter(&mut crowd, model, &mut Random(5), 1.0);
    let times = |crowd: &Crowd, now: f64| crowd.times(now).collect::<Vec<_>>();
    for mode in [LoopMode::PingPong, LoopMode::Once, LoopMode::Repeat] {
        let before = times(&crowd, 3.0);
        crowd.set_loop_mode(mode, 3.0);
        assert_eq!(times(&crowd, 3.0), before, "{mode:?}");
        let later = times(&crowd, 4.0);
        set(&mut crowd, MemberPart::Rate, &Random(9).list(30, 2.0), 4.0);
        assert_eq!(times(&crowd, 4.0), later);
        crowd.set_paused(true, 5.0);
        let paused = times(&crowd, 5.0);
        assert_eq!(times(&crowd, 77.0), paused);
        assert!(!crowd.is_moving(5.0));
        crowd.set_paused(true, 6.0);
        crowd.set_paused(false, 8.0);
        assert_eq!(times(&crowd, 8.0), paused);
        crowd.set_clock(8.0, 1.0);
        assert_eq!(times(&crowd, 1.0), paused);
    }
    assert!(crowd.scrub(0.5) && !crowd.scrub(0.5));
    for (time, duration) in times(&crowd, 9.0).into_iter().zip(durations(&crowd, model)) {
        assert_eq!(time, 0.5 * duration);
    }
    crowd.advance_to(9.0);
    assert!(crowd.is_moving(9.0));
    set(&mut crowd, MemberPart::Rate, &[0.0; 30], 9.0);
    assert!(!crowd.is_moving(9.0));
}

#[test]
fn crowd_setters_of_equal_values_change_no_bit() {
    let mut random = Random(5);
    for (name, model) in MODELS.iter().filter(|(_, model)| !model.clips.is_empty()) {
        let (mut crowd, _) = crowd_of(model, 12);
        scatter(&mut crowd, model, &mut random, 5.0);
        let rates = random.list(12, 1.5);
        set(&mut crowd, MemberPart::Rate, &rates, 0.3);
        crowd.set_baked(true);
        let bits = |crowd: &Crowd, now: f64| crowd.times(now).map(f64::to_bits).collect::<Vec<_>>();
        for mode in [LoopMode::PingPong, LoopMode::Repeat, LoopMode::Once] {
            crowd.set_loop_mode(mode, 0.7);
            let mut same = crowd.clone();
            for step in 1..8 {
                let now = 0.7 + 0.5 * f64::from(step);
                let before = format!("{same:?}");
                same.set_loop_mode(mode, now);
                same.set_baked(true);
                assert!(format!("{same:?}") == before, "{name} {mode:?} {now}");
                set(&mut same, MemberPart::Rate, &rates, now);
                assert_eq!(bits(&same, now + 0.35), bits(&crowd, now + 0.35), "{name} {mode:?} {now}");
            }
        }
    }
}

/// The durations of the members' clips.
fn durations(crowd: &Crowd, model: &Model) -> Vec<f64> {
    let mut once = crowd.clone();
    once.advance_to(0.0);
    set(&mut once, MemberPart::Rate, &vec![1.0; crowd.len()], 0.0);
    once.set_loop_mode(LoopMode::Once, 0.0);
    assert!(!model.clips.is_empty());
    once.times(1e6).collect()
}

#[test]
fn crowd_is_not_moving_after_all_members_finish() {
    let (_, model) = &MODELS[0];
    let (mut crowd, _) = crowd_of(model, 2);
    let end = f64::from(model.clips[0].duration);
    crowd.set_loop_mode(LoopMode::Once, 0.0);
    set(&mut crowd, MemberPart::Start, &[0.0, 1.0], 0.0);
    assert!(crowd.is_moving(0.5 * end) && crowd.is_moving(0.5 + end) && !crowd.is_moving(1.5 + end));
    assert!(crowd.is_moving(0.0), "the timeline was set back");
    assert_eq!(crowd.times(9.0 + end).collect::<Vec<_>>(), [end, end]);
}

#[test]
fn crowd_bounds_contain_every_vertex_at_every_time() {
    let mut random = Random(17);
    for (name, model) in MODELS.iter() {
        let (mut crowd, rig) = crowd_of(model, 4 * model.clips.len().max(1));
        scatter(&mut crowd, model, &mut random, 2.0);
        let (mut palette, mut weights) = (Vec::new(), Vec::new());
        let bounds = crowd.bounds().unwrap_or_else(|| panic!("{name}: no bounds"));
        let slack = 1e-5 * (bounds.max - bounds.min).max_element();
        for _ in 0..2 {
            let now = 50.0 * f64::from(random.signed());
            for i in 0..crowd.len() {
                crowd.pose_member(i, now, &mut palette, &mut weights);
                for vertex in vertices(model, &rig, &palette, &weights) {
                    let inside = vertex.cmpge(bounds.min - slack) & vertex.cmple(bounds.max + slack);
                    assert!(inside.all(), "{name}: {vertex} is not in {bounds:?}");
                }
            }
        }
    }
}

#[test]
fn crowd_bounds_of_one_member_are_tight() {
    for (name, model) in MODELS.iter() {
        let (mut crowd, rig) = crowd_of(model, 1);
        let (mut palette, mut weights) = (Vec::new(), Vec::new());
        let mut exact = gambol::animation::Aabb::EMPTY;
        for i in 0..100 {
            crowd.pose_member(0, 0.05 * f64::from(i), &mut palette, &mut weights);
            vertices(model, &rig, &palette, &weights).into_iter().for_each(|vertex| exact.add(vertex));
        }
        let share = crowd.bounds().map_or(0.0, |bounds| exact.radius() / bounds.radius());
        assert!(share > 0.4, "{name}: {share}");
    }
}

#[test]
fn crowd_culling_keeps_members_with_a_vertex_in_view() {
    let mut random = Random(23);
    let mut culled = 0;
    for (name, model) in MODELS.iter() {
        let (mut crowd, rig) = crowd_of(model, 60);
        let size = crowd.bounds().map_or(1.0, |bounds| bounds.radius());
        scatter(&mut crowd, model, &mut random, 3.0 * f64::from(size));
        crowd.set_update_rate(UpdateRate::Full);
        let (mut palette, mut weights) = (Vec::new(), Vec::new());
        for turn in 0..4 {
            let view = Mat4::from_quat(Quat::from_rotation_y(turn as f32))
                * Mat4::from_translation(Vec3::splat(0.1 * size));
            let projection = match turn {
                3 => glam::camera::rh::proj::opengl::orthographic(-size, size, -size, size, -size, size),
                _ => glam::camera::rh::proj::opengl::perspective(0.7, 0.8, 0.1 * size, 9.0 * size),
            };
            let now = 20.0 * f64::from(random.signed());
            crowd.update(now, &CrowdView::new(&view, &projection, 300, true));
            let seen: Vec<usize> = crowd.visible().collect();
            assert!(seen.is_sorted() && seen.len() < 60, "{name}: {}", seen.len());
            for i in (0..60).filter(|i| !seen.contains(i)) {
                culled += 1;
                crowd.pose_member(i, now, &mut palette, &mut weights);
                for vertex in vertices(model, &rig, &palette, &weights) {
                    let at = projection * view * vertex.extend(1.0);
                    let inside = at.truncate().abs().max_element() <= at.w;
                    assert!(!inside, "{name}: {i} has {vertex} in the picture");
                }
            }
        }
    }
    assert!(culled > 62 * MODELS.len(), "{culled}");
}

#[test]
fn crowd_culling_keeps_all_members_for_invalid_views() {
    let (_, model) = &MODELS[0];
    let (mut crowd, _) = crowd_of(model, 5);
    for broken in
        [Mat4::ZERO, Mat4::from_cols_array(&[f32::NAN; 16]), Mat4::from_cols_array(&[f32::INFINITY; 16])]
    {
        crowd.update(0.5, &CrowdView::new(&Mat4::IDENTITY, &broken, 300, true));
        assert_eq!((crowd.visible_len(), crowd.sampled_len()), (5, 5));
    }
    let mut crowd = Crowd::new(&ClipSet::new(model, Rc::new(Rig::new(model))), false);
    crowd.resize(3, 0.0);
    crowd.update(0.5, &camera(1e6, 300, true).1);
    assert_eq!((crowd.visible_len(), crowd.sampled_len()), (3, 3), "their extents are not measured yet");
    assert_eq!(crowd.bounds(), None);
}

#[test]
fn crowd_sorts_transparent_members_back_to_front() {
    let (_, model) = &MODELS[0];
    let clips = ClipSet::new(model, Rc::new(Rig::new(model)));
    let bounds = Bounds::new(model, &clips.rig.layout);
    let mut crowd = Crowd::new(&clips, true);
    while crowd.measure(model, &clips, &bounds) {}
    crowd.resize(4, 0.0);
    set(
        &mut crowd,
        MemberPart::Position,
        &[0.0, 0.0, 1.0, 0.0, 0.0, -3.0, 0.0, 0.0, 2.0, 0.0, 0.0, -3.0],
        0.0,
    );
    let view = Mat4::from_translation(Vec3::new(0.0, 0.0, -20.0));
    let projections = [
        glam::camera::rh::proj::opengl::perspective(0.6, 1.5, 0.01, 1000.0),
        glam::camera::rh::proj::opengl::orthographic(-9.0, 9.0, -9.0, 9.0, 0.1, 100.0),
    ];
    for projection in projections {
        crowd.update(0.0, &CrowdView::new(&view, &projection, 300, true));
        assert_eq!(crowd.visible().collect::<Vec<_>>(), [1, 3, 0, 2]);
    }
}

const HEIGHT: u32 = 1000;

/// The largest distance in pixels between the vertices of two poses, in the view of [`camera`].
fn pixels_apart(
    model: &Model,
    rig: &Rig,
    clip_from_world: &Mat4,
    a: (&[Affine], &[f32]),
    b: (&[Affine], &[f32]),
) -> f32 {
    let mut most = 0.0_f32;
    let [a, b] = [a, b].map(|(palette, weights)| vertices(model, rig, palette, weights));
    for (a, b) in a.iter().zip(&b) {
        let [a, b] = [*a, *b].map(|p| clip_from_world.project_point3(p).truncate());
        let apart = (a - b) * glam::Vec2::new(1.5, 1.0) * 0.5 * HEIGHT as f32;
        assert!(apart.is_finite());
        most = most.max(apart.length());
    }
    most
}

/// The largest error of vertices in pixels, and the number of computed poses per member.
fn mixed_error(model: &Model, distance: f32, random: &mut Random) -> (f32, f32) {
    let (mut crowd, rig) = crowd_of(model, 48);
    let size = crowd.bounds().map_or(1.0, |bounds| bounds.radius());
    scatter(&mut crowd, model, random, f64::from(size));
    let (clip_from_world, view) = camera(distance * size, HEIGHT, true);
    let (mut palette, mut weights) = (Vec::new(), Vec::new());
    let (mut most, mut sampled, mut seen) = (0.0_f32, 0, 0);
    for frame in 0..60 {
        let now = 1.0 + f64::from(frame) / 60.0;
        crowd.update(now, &view);
        if frame == 0 {
            continue;
        }
        (sampled, seen) = (sampled + crowd.sampled_len(), seen + crowd.visible_len());
        if frame % 6 != 1 {
            continue;
        }
        let (stride, count) = (crowd.stride(), crowd.weight_count());
        let shown: Vec<usize> = crowd.visible().collect();
        let mixed = palettes(&crowd);
        let mixed_weights = crowd.weights().to_vec();
        for (at, &i) in shown.iter().enumerate() {
            crowd.pose_member(i, now, &mut palette, &mut weights);
            let got = (&mixed[at * stride..][..stride - 1], &mixed_weights[at * count..][..count]);
            most = most.max(pixels_apart(model, &rig, &clip_from_world, got, (&palette, &weights)));
        }
    }
    (most, sampled as f32 / seen.max(1) as f32)
}

#[test]
#[ignore = "takes seconds: cargo xtask test --all"]
fn crowd_lod_keeps_vertices_within_half_a_pixel() {
    for (name, model) in MODELS.iter().filter(|(_, model)| !model.clips.is_empty()) {
        let mut cheapest = 1.0_f32;
        for distance in [8.0, 40.0, 200.0, 1000.0] {
            let (error, poses) = mixed_error(model, distance, &mut Random(29));
            assert!(error < 0.5, "{name} at {distance}: {error} pixels");
            assert!(poses <= 1.0, "{name} at {distance}: {poses} poses");
            cheapest = cheapest.min(poses);
        }
        // STEP has no values between keys.
        if !name.contains("interpolations") {
            assert_eq!(cheapest, 0.0, "{name}");
        }
    }
}

/// A model with morph targets: its name, the model, and its morphs.
fn morphing() -> impl Iterator<Item = (&'static str, &'static Model, Vec<Morph>)> {
    let morphs = |model: &Model| Morph::list(model, &Rig::new(model).layout);
    let all = MODELS.iter().map(move |(name, model)| (&name[..], model, morphs(model)));
    all.filter(|(_, _, morphs)| !morphs.is_empty())
}

#[test]
fn crowd_rejects_invalid_morph_weights_without_changes() {
    let (_, model, morphs) = morphing().next().expect("the sample");
    let (mut crowd, _) = crowd_of(model, 3);
    let weights = &morphs[0].weights[..];
    let mut fails = |morphs: &[&[usize]], first, numbers: &[f64], error| {
        assert_eq!(crowd.set_morphs(morphs, first, numbers), Err(error), "{morphs:?} {first} {numbers:?}");
    };
    fails(&[weights], 0, &[0.5; 4], CrowdError::Range);
    fails(&[weights], 2, &[0.5; 2], CrowdError::Range);
    fails(&[weights], 4, &[], CrowdError::Range);
    fails(&[weights], usize::MAX, &[0.5], CrowdError::Range);
    fails(&[weights, weights], 0, &[0.5; 3], CrowdError::Range);
    fails(&[], 0, &[0.5], CrowdError::Range);
    fails(&[weights, &[usize::MAX]], 0, &[0.5; 2], CrowdError::Range);
    for bad in [f64::INFINITY, f64::NEG_INFINITY, 1e39] {
        fails(&[weights], 0, &[0.5, bad, 0.5], CrowdError::Number);
    }
    assert_eq!(crowd.set_morphs(&[], 0, &[]), Ok(()));
    assert_eq!(crowd.set_morphs(&[weights], 3, &[]), Ok(()));
    let (mut plain, _) = crowd_of(model, 3);
    let (mut got, mut want) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for i in 0..3 {
        crowd.pose_member(i, 1.0, &mut got.0, &mut got.1);
        plain.pose_member(i, 1.0, &mut want.0, &mut want.1);
        assert_eq!(got, want);
    }
    let (mut none, _) = crowd_of(&Model::default(), 1);
    assert_eq!(none.set_morphs(&[&[0]], 0, &[0.5]), Err(CrowdError::Range));
}

/// The morph weights that are set, and those of the clip for the others; sampled, with a level of detail, and baked.
#[test]
fn crowd_morphs_replace_the_weights_of_their_members_only() {
    let mut random = Random(47);
    for (name, model, morphs) in morphing() {
        for (distance, baked) in [(4.0, false), (1000.0, false), (4.0, true)] {
            let (mut crowd, rig) = crowd_of(model, 40);
            scatter(&mut crowd, model, &mut random, 2.0);
            crowd.set_baked(baked);
            let mut plain = crowd.clone();
            let count = crowd.weight_count();
            let mut expected = vec![None; 40 * count];
            let (_, view) = camera(distance, HEIGHT, false);
            for round in 0..3 {
                let (first, members) = (random.below(30), random.below(10));
                let morph = &morphs[random.below(morphs.len())];
                let given = |random: &mut Random| if random.chance(0.3) { f64::NAN } else { random.unit() };
                let numbers: Vec<f64> = (0..members).map(|_| given(&mut random)).collect();
                crowd.set_morphs(&[&morph.weights], first, &numbers).expect("they are numbers");
                while crowd.measure(
                    model,
                    &ClipSet::new(model, Rc::clone(&rig)),
                    &Bounds::new(model, &rig.layout),
                ) {}
                for (i, number) in numbers.iter().enumerate() {
                    for at in &morph.weights {
                        expected[(first + i) * count + at] = (!number.is_nan()).then_some(*number as f32);
                    }
                }
                let now = 3.0 * f64::from(random.signed());
                crowd.update(now, &view);
                plain.update(now, &view);
                assert_eq!(crowd.visible().collect::<Vec<_>>(), plain.visible().collect::<Vec<_>>());
                let (mut palette, mut weights) = (Vec::new(), Vec::new());
                for (at, member) in crowd.visible().collect::<Vec<_>>().into_iter().enumerate() {
                    let expected = &expected[member * count..][..count];
                    let is_set = expected.iter().any(Option::is_some);
                    // A member with morphs is sampled, unless the page has asked for cached poses.
                    let (mut own, mut own_weights) =
                        (Vec::new(), plain.weights()[at * count..][..count].to_vec());
                    if is_set && !baked {
                        plain.pose_member(member, now, &mut own, &mut own_weights);
                    }
                    let want: Vec<f32> =
                        expected.iter().zip(&own_weights).map(|(set, own)| set.unwrap_or(*own)).collect();
                    assert_eq!(&crowd.weights()[at * count..][..count], want, "{name} {round} {member}");
                    let got: Vec<Affine> = crowd.member_palette(at).take(crowd.stride() - 1).collect();
                    if is_set && !baked {
                        assert_eq!(bits(&got), bits(&own), "{name} {round} {member}");
                        crowd.pose_member(member, now, &mut palette, &mut weights);
                        assert_eq!((&palette, &weights), (&own, &want));
                    } else {
                        let same: Vec<Affine> = plain.member_palette(at).take(crowd.stride() - 1).collect();
                        assert_eq!(bits(&got), bits(&same), "{name} {round} {member}");
                    }
                }
            }
            crowd.resize(3, 0.0);
            crowd.resize(40, 0.0);
            plain.resize(3, 0.0);
            plain.resize(40, 0.0);
            crowd.update(1.0, &view);
            plain.update(1.0, &view);
            assert_eq!(crowd.weights()[3 * count..], plain.weights()[3 * count..], "{name}: new members");
        }
    }
}

#[test]
#[ignore = "takes seconds: cargo xtask test --all"]
fn crowd_bounds_and_culling_hold_members_with_morphs() {
    let mut random = Random(53);
    let (mut outside, mut grown) = (0, 0);
    for (name, model, morphs) in morphing() {
        let (mut crowd, rig) = crowd_of(model, 12);
        let clips = ClipSet::new(model, Rc::clone(&rig));
        let before = crowd.bounds().expect("it is shown");
        for largest in [-8.0, 1.0, 30.0] {
            let numbers: Vec<f64> = (0..12 * morphs.len()).map(|_| largest * random.unit()).collect();
            let weights: Vec<&[usize]> = morphs.iter().map(|morph| &morph.weights[..]).collect();
            crowd.set_morphs(&weights, 0, &numbers).expect("they are numbers");
            while crowd.measure(model, &clips, &Bounds::new(model, &rig.layout)) {}
            let bounds = crowd.bounds().expect("it is shown");
            let slack = 1e-5 * (bounds.max - bounds.min).max_element();
            let (mut palette, mut weights) = (Vec::new(), Vec::new());
            for i in 0..12 {
                let now = 10.0 * f64::from(random.signed());
                crowd.pose_member(i, now, &mut palette, &mut weights);
                for vertex in vertices(model, &rig, &palette, &weights) {
                    let inside = vertex.cmpge(bounds.min - slack) & vertex.cmple(bounds.max + slack);
                    assert!(inside.all(), "{name}: {vertex} is not in {bounds:?}");
                    let inside = vertex.cmpge(before.min - slack) & vertex.cmple(before.max + slack);
                    outside += usize::from(!inside.all());
                    // A line through any vertex may meet the member.
                    assert!(crowd.may_meet(i, now, vertex + Vec3::X, Vec3::X), "{name}");
                }
            }
            grown += usize::from(bounds != before);
        }
    }
    assert!(outside > 0 && grown > 0, "{outside} {grown}");
}

#[test]
fn crowd_seek_shows_the_same_as_playing() {
    let (_, model) = &MODELS[0];
    let (mut played, _) = crowd_of(model, 64);
    scatter(&mut played, model, &mut Random(31), 2.0);
    let mut sought = played.clone();
    let (_, view) = camera(300.0, HEIGHT, true);
    for frame in 0..90 {
        played.update(f64::from(frame) / 60.0, &view);
    }
    let now = 89.0 / 60.0;
    for before in [50.0, -3.0, now + 0.02] {
        sought.update(before, &view);
    }
    sought.update(now, &view);
    assert!(played.sampled_len() < 64);
    assert_eq!(bits(&palettes(&played)), bits(&palettes(&sought)));
}

#[test]
fn crowd_lod_members_are_moved_and_rotated_at_once() {
    let (_, model) = &MODELS[0];
    let (mut crowd, rig) = crowd_of(model, 64);
    scatter(&mut crowd, model, &mut Random(31), 2.0);
    let (clip_from_world, view) = camera(300.0, HEIGHT, true);
    crowd.update(1.0, &view);
    assert!(crowd.sampled_len() < 64);
    set(&mut crowd, MemberPart::Position, &Random(37).list(3 * 64, 2.0), 1.0);
    set(&mut crowd, MemberPart::Rotation, &Random(41).list(4 * 64, 1.0), 1.0);
    set(&mut crowd, MemberPart::Scale, &[0.7; 64], 1.0);
    let mut full = crowd.clone();
    full.set_update_rate(UpdateRate::Full);
    for crowd in [&mut crowd, &mut full] {
        crowd.update(1.01, &view);
    }
    assert!(crowd.sampled_len() < 64, "{}", crowd.sampled_len());
    assert_eq!((full.sampled_len(), crowd.visible_len()), (64, 64));
    let (stride, count) = (crowd.stride(), crowd.weight_count());
    let of = |crowd: &Crowd, i: usize| {
        let palette: Vec<_> = crowd.member_palette(i).take(stride - 1).collect();
        (palette, crowd.weights()[i * count..][..count].to_vec())
    };
    for i in 0..64 {
        let (a, b) = (of(&crowd, i), of(&full, i));
        let apart = pixels_apart(model, &rig, &clip_from_world, (&a.0, &a.1), (&b.0, &b.1));
        assert!(apart < 0.5, "{apart} pixels");
    }
}

#[test]
fn crowd_pose_cache_is_skipped_for_few_members_and_for_long_clips() {
    let (_, sample) = &MODELS[0];
    let (_, view) = camera(300.0, HEIGHT, true);
    let sampled = |model: &Model, count: usize| {
        let (mut crowd, _) = crowd_of(model, count);
        crowd.update(1.0, &view);
        assert_eq!(crowd.visible_len(), count);
        crowd.sampled_len()
    };
    assert_eq!([7, 8].map(|count| sampled(sample, count)), [7, 0]);
    let mut large = sample.clone();
    // The palettes for 60 seconds would be too large.
    let joints = large.skins[0].joints.clone();
    for _ in 0..8 {
        large.skins[0].joints.extend(&joints);
        let bind = large.skins[0].inverse_bind[..joints.len()].to_vec();
        large.skins[0].inverse_bind.extend(bind);
    }
    Arc::make_mut(&mut large.clips[0]).duration = 60.0;
    assert_eq!(sampled(&large, 8), 8);
}

#[test]
fn crowd_resize_keeps_the_other_members() {
    let (_, model) = &MODELS[0];
    let (mut crowd, _) = crowd_of(model, 5);
    crowd.set_update_rate(UpdateRate::Full);
    scatter(&mut crowd, model, &mut Random(41), 2.0);
    let (_, view) = camera(30.0, 300, false);
    crowd.update(2.0, &view);
    let before = palettes(&crowd);
    crowd.resize(9, 2.0);
    assert_eq!(
        (crowd.len(), crowd.visible_len(), crowd.palette().len()),
        (9, 0, 0),
        "no frame was posed yet"
    );
    crowd.update(2.0, &view);
    assert_eq!(palettes(&crowd)[..before.len()], before);
    assert_eq!(crowd.times(2.0).last(), Some(0.0), "new ones begin");
    crowd.resize(2, 2.0);
    crowd.update(2.0, &view);
    assert_eq!(palettes(&crowd), &before[..2 * crowd.stride()]);
    crowd.resize(0, 2.0);
    crowd.update(2.0, &view);
    assert!(crowd.is_empty() && crowd.palette().is_empty() && crowd.bounds().is_none());
}

#[test]
fn crowd_crossfade_equals_that_of_the_mixer() {
    let (_, model) = MODELS.first().expect("the sample");
    let (mut crowd, rig) = crowd_of(model, 9);
    set(&mut crowd, MemberPart::Start, &[-0.7; 9], 0.0);
    let (_, view) = camera(4.0, 500, true);
    let clips: Vec<f64> = (0..9).map(|i| f64::from(i % 3)).collect();
    crowd.set_transition(0.5);
    set(&mut crowd, MemberPart::Clip, &clips, 2.0);
    // A member whose clip does not change continues.
    let own = |i: usize, now: f64| {
        let clip = &model.clips[clips[i] as usize];
        let start = if clips[i] == 0.0 { -0.7 } else { 2.0 };
        Action::new(clip.duration.into(), start).at(now).time
    };
    // The times include one before the change; changes of modes and rates move no member.
    for (now, share) in
        [(2.0, 1.0), (2.125, 0.843_75), (2.25, 0.5), (2.5, 0.0), (1.9, 1.0), (2.2, 0.648), (9.0, 0.0)]
    {
        assert!(crowd.is_moving(now));
        crowd.update(now, &view);
        assert_eq!(crowd.visible_len(), 9);
        for (i, entries) in palettes(&crowd).chunks_exact(crowd.stride()).enumerate() {
            let mut mix = Mix::default();
            let old = Action::new(model.clips[0].duration.into(), -0.7).at(now).time;
            let share = if clips[i] == 0.0 { 0.0 } else { share };
            // In lists the newest part comes first.
            let parts = [(clips[i] as usize, own(i, now), 1.0 - share), (0, old, share)];
            let parts =
                parts.map(|(clip, time, weight)| Contribution { clip: ClipId::new(clip), time, weight });
            mix.push(LayerMode::Override, 1.0, None, parts.into_iter());
            let (mut pose, mut matrices) = (rig.rest_pose().clone(), Vec::new());
            Mixer::new().evaluate(&rig, &mix, &mut pose);
            rig.node_matrices(&pose, &crowd.places()[i], &mut matrices);
            let mut palette = vec![Affine::identity(); rig.palette_len()];
            rig.palette(&matrices, &mut palette);
            for (got, want) in Affine::as_floats(entries).iter().zip(Affine::as_floats(&palette)) {
                assert!((got - want).abs() < 2e-6, "{now} {i}: {got} {want}");
            }
        }
    }
}

#[test]
fn crowd_interrupted_crossfade_fades_out_the_clip_with_the_larger_weight() {
    let (_, model) = MODELS.first().expect("the sample");
    let (_, view) = camera(4.0, 500, true);
    let palette_at = |seconds: f64, later: f64| {
        let (mut crowd, _) = crowd_of(model, 1);
        crowd.set_transition(1.0);
        set(&mut crowd, MemberPart::Clip, &[1.0], 5.0);
        set(&mut crowd, MemberPart::Clip, &[2.0], 5.0 + seconds);
        crowd.update(5.0 + seconds + later, &view);
        Affine::as_floats(&palettes(&crowd)).to_vec()
    };
    let alone = |clip: f64, start: f64, now: f64| {
        let (mut crowd, _) = crowd_of(model, 1);
        set(&mut crowd, MemberPart::Clip, &[clip], start);
        crowd.update(now, &view);
        Affine::as_floats(&palettes(&crowd)).to_vec()
    };
    assert_eq!(palette_at(0.2, 0.0), alone(0.0, 0.0, 5.2));
    assert_eq!(palette_at(0.8, 0.0), alone(1.0, 5.0, 5.8));
    assert_eq!(palette_at(0.8, 1.0), alone(2.0, 5.8, 6.8));
    // A cut ends the transition, and so does an invalid duration.
    for seconds in [0.0, -1.0, f64::NAN] {
        let (mut crowd, _) = crowd_of(model, 1);
        crowd.set_transition(1.0);
        set(&mut crowd, MemberPart::Clip, &[1.0], 5.0);
        crowd.set_transition(seconds);
        set(&mut crowd, MemberPart::Clip, &[2.0], 5.5);
        crowd.update(5.5, &view);
        assert_eq!(Affine::as_floats(&palettes(&crowd)), alone(2.0, 5.5, 5.5));
    }
}

#[test]
fn crowd_changes_of_loop_mode_and_clock_do_not_move_fading_clips() {
    let (_, model) = MODELS.first().expect("the sample");
    let (_, view) = camera(4.0, 500, true);
    let (mut crowd, _) = crowd_of(model, 3);
    crowd.set_transition(1.0);
    set(&mut crowd, MemberPart::Clip, &[1.0, 2.0, 0.0], 0.4);
    crowd.update(0.6, &view);
    let before = Affine::as_floats(&palettes(&crowd)).to_vec();
    let same = |crowd: &mut Crowd, now: f64, what: &str| {
        crowd.update(now, &view);
        for (got, want) in Affine::as_floats(&palettes(crowd)).iter().zip(&before) {
            assert!((got - want).abs() < 1e-5, "{what}: {got} {want}");
        }
    };
    crowd.set_loop_mode(LoopMode::PingPong, 0.6);
    same(&mut crowd, 0.6, "mode");
    crowd.set_clock(0.6, 100.6);
    same(&mut crowd, 100.6, "clock");
    crowd.set_paused(true, 100.6);
    assert!(!crowd.is_moving(200.0));
    same(&mut crowd, 200.0, "pause");
    // A new member has no previous clip.
    crowd.resize(4, 200.0);
    crowd.resize(3, 200.0);
    same(&mut crowd, 200.0, "count");
}

#[test]
#[ignore = "takes seconds: cargo xtask test --all"]
fn crowd_baked_poses_are_near_the_clip() {
    let mut random = Random(17);
    for (name, model) in MODELS.iter().filter(|(_, model)| !model.clips.is_empty()) {
        let shown = |baked: bool, seconds: f64, random: &mut Random| {
            let (mut crowd, rig) = crowd_of(model, 5);
            crowd.set_update_rate(UpdateRate::Full);
            crowd.set_baked(baked);
            set(&mut crowd, MemberPart::Scale, &[0.5; 5], 0.0);
            let places = random.list(15, 2.0);
            set(&mut crowd, MemberPart::Position, &places, 0.0);
            let clips: Vec<f64> = (0..5).map(|i| f64::from(i % model.clips.len() as u32)).collect();
            set(&mut crowd, MemberPart::Clip, &clips, 0.0);
            let ends: Vec<f64> = durations(&crowd, model);
            let times: Vec<f64> = ends.iter().map(|end| end.min(seconds)).collect();
            set(&mut crowd, MemberPart::Time, &times, 9.0);
            crowd.update(9.0, &camera(4.0, 500, false).1);
            let stride = crowd.stride();
            let palettes = palettes(&crowd);
            let palettes = palettes.chunks_exact(stride);
            let weights: Vec<_> = crowd.weights().to_vec();
            let count = crowd.weight_count();
            let places = palettes.enumerate().flat_map(|(i, entries)| {
                vertices(model, &rig, &entries[..stride - 1], &weights[i * count..][..count])
            });
            (places.collect::<Vec<_>>(), crowd.sampled_len())
        };
        for (seconds, share) in [(0.0, 1e-5), (0.5, 1e-5), (1e9, 1e-5), (0.516, 0.02), (0.01, 0.02)] {
            let mut same = random.clone();
            let (near, none) = shown(true, seconds, &mut same);
            let (exact, all) = shown(false, seconds, &mut random);
            assert_eq!((none, all), (0, 5), "{name}");
            let size = exact.iter().map(|place| place.length()).fold(1e-3, f32::max);
            for (near, exact) in near.iter().zip(&exact) {
                assert!((near - exact).length() <= share * size, "{name} {seconds}: {near} {exact}");
            }
        }
    }
}

#[test]
fn crowd_samples_clips_that_cannot_be_baked() {
    let (_, sample) = MODELS.first().expect("the sample");
    let mut long = sample.clone();
    Arc::make_mut(&mut long.clips[1]).duration = 1e4;
    let (_, view) = camera(4.0, 500, true);
    let (mut crowd, _) = crowd_of(&long, 2);
    crowd.set_update_rate(UpdateRate::Full);
    crowd.set_baked(true);
    crowd.update(0.3, &view);
    assert_eq!((crowd.visible_len(), crowd.sampled_len()), (2, 0));
    set(&mut crowd, MemberPart::Clip, &[1.0], 0.3);
    crowd.update(0.3, &view);
    assert_eq!(crowd.sampled_len(), 1, "a long clip");
    crowd.set_transition(0.5);
    set(&mut crowd, MemberPart::Clip, &[2.0, 2.0], 0.3);
    crowd.update(0.4, &view);
    assert_eq!(crowd.sampled_len(), 2, "a change that takes time");
    crowd.update(1.0, &view);
    assert_eq!(crowd.sampled_len(), 0);
    crowd.set_baked(false);
    crowd.update(1.0, &view);
    assert_eq!(crowd.sampled_len(), 2);
}
