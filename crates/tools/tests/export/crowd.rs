//! Crowds of morph caches.

use super::common::{Figure, pip, reread};
use gambol::animation::{Bounds, ClipSet, Crowd, CrowdView, LoopMode, MemberPart};
use gambol::model::ClipId;
use gambol_tools::{BakeOptions, bake_morphs};
use glam::{Mat4, Vec3};
use std::rc::Rc;

const MEMBERS: usize = 11;

fn crowd(figure: &Figure) -> (Crowd, CrowdView) {
    let clips = ClipSet::new(figure, Rc::new(figure.rig.clone()));
    let bounds = Bounds::new(figure, &figure.rig.layout);
    let mut crowd = Crowd::new(&clips, false);
    while crowd.measure(figure, &clips, &bounds) {}
    crowd.resize(MEMBERS, 0.0);
    let mut set = |part, number: &dyn Fn(f64) -> Vec<f64>| {
        let numbers: Vec<f64> = (0..MEMBERS).flat_map(|i| number(i as f64)).collect();
        crowd.set(part, 0, &numbers, 0.0).expect("good numbers");
    };
    set(MemberPart::Position, &|i| vec![i, 0.1 * i, -0.3]);
    set(MemberPart::Rotation, &|i| vec![0.0, (0.2 * i).sin(), 0.0, (0.2 * i).cos()]);
    set(MemberPart::Scale, &|i| vec![1.0 + 0.25 * i]);
    set(MemberPart::Clip, &|i| vec![i % 2.0]);
    set(MemberPart::Start, &|i| vec![-0.37 * i]);
    set(MemberPart::Rate, &|i| vec![1.0 - 0.15 * i]);
    let view = Mat4::from_translation(Vec3::new(-5.0, -1.0, -40.0));
    let projection = glam::camera::rh::proj::opengl::perspective(0.9, 1.5, 0.1, 1e4);
    (crowd, CrowdView::new(&view, &projection, 720, true))
}

fn cache(steps: bool) -> Figure {
    let file = pip();
    let clips = [0, 1].map(ClipId::new).to_vec();
    reread(
        &bake_morphs(file.document.clone(), &file.model, &BakeOptions { clips, fps: 12.0, steps })
            .expect("a cache")
            .0,
    )
}

/// The weights of a visible member by its active targets.
fn weights(crowd: &Crowd, at: usize) -> Vec<f32> {
    let per_member = crowd.active_targets().len() / crowd.visible_len();
    let mut weights = vec![0.0; crowd.weight_count()];
    for entry in crowd.active_targets()[at * per_member..][..per_member].as_chunks::<4>().0 {
        weights[entry[0] as usize] += entry[1];
    }
    weights
}

/// All visible members against poses of single members, which are sampled.
fn compare(crowd: &mut Crowd, view: &CrowdView, now: f64, bound: f32) {
    crowd.update(now, view);
    assert_eq!(crowd.visible_len(), MEMBERS);
    assert_eq!(crowd.sampled_len(), 0, "no pose is sampled");
    let members: Vec<usize> = crowd.visible().collect();
    for (at, member) in members.into_iter().enumerate() {
        let got = (weights(crowd, at), crowd.member_palette(at).next());
        let (mut palette, mut want) = (Vec::new(), Vec::new());
        crowd.pose_member(member, now, &mut palette, &mut want);
        assert_eq!(got.1.as_ref(), palette.first(), "member {member}");
        for (target, (got, want)) in got.0.iter().zip(&want).enumerate() {
            assert!((got - want).abs() <= bound, "{now} member {member} target {target}: {got} {want}");
        }
    }
}

#[test]
fn crowd_of_a_morph_cache_has_the_weights_of_the_sampled_clips() {
    for steps in [false, true] {
        let (mut crowd, view) = crowd(&cache(steps));
        for mode in [LoopMode::Repeat, LoopMode::PingPong, LoopMode::Once] {
            crowd.set_loop_mode(mode, 0.0);
            for frame in 0..60 {
                compare(&mut crowd, &view, f64::from(frame) * 0.093, 0.0);
            }
            // Back in time.
            compare(&mut crowd, &view, 0.2, 0.0);
        }
    }
}

#[test]
fn crowd_of_a_morph_cache_fades_from_clip_to_clip() {
    let (mut crowd, view) = crowd(&cache(false));
    crowd.set_transition(0.4);
    crowd.update(1.0, &view);
    assert_eq!(crowd.active_targets().len(), MEMBERS * 8);
    crowd.set(MemberPart::Clip, 3, &[0.0, 1.0, 0.0], 1.0).expect("clips");
    for frame in 0..10 {
        compare(&mut crowd, &view, 1.0 + f64::from(frame) * 0.05, 1e-6);
    }
    compare(&mut crowd, &view, 1.5, 0.0);
    assert_eq!(crowd.active_targets().len(), MEMBERS * 8);
}

#[test]
fn crowd_of_a_morph_cache_with_weights_that_are_set_samples_its_clips() {
    let (mut crowd, view) = crowd(&cache(false));
    crowd.set_morphs(&[&[2]], 4, &[0.75]).expect("a weight");
    crowd.update(0.3, &view);
    assert!(crowd.active_targets().is_empty());
    let weights = crowd.weights();
    assert_eq!(weights.len(), MEMBERS * crowd.weight_count());
    assert_eq!(weights[4 * crowd.weight_count() + 2], 0.75);
}

#[test]
fn crowd_of_joints_has_no_active_targets() {
    let file = pip();
    let (mut crowd, view) = crowd(&file.model);
    crowd.update(0.3, &view);
    assert!(crowd.active_targets().is_empty() && crowd.sampled_len() > 0);
    assert_eq!(crowd.most_targets(), crowd.weight_count());
}
