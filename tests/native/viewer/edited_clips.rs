//! Clips that are replaced while actors and crowds play them, compared with files that have had the new clips from the start.

use crate::common::models::models;
use gambol::animation::{
    Affine, CrowdView, LayerOptions, MemberPart, RootMotion, RootOptions, Source, SyncMode, pose_hash,
};
use gambol::model::{Channel, Clip, ClipId, Curve, Interpolation, Marker, Model, Path};
use gambol::viewer::{ActorId, Asset, Cast};
use glam::{Mat4, Vec3};
use std::rc::Rc;

/// A clip that moves the root of the sample for some seconds, with a marker in its middle.
fn slide(model: &Model, seconds: f32, far: f32) -> Clip {
    let node = model.skins[0].joints[0];
    let from = model.nodes[node.index()].rest.translation;
    let values = [from.to_array(), (from + Vec3::new(far, 0.25, 2.0 * far)).to_array()].concat();
    let curve = Curve::new(Interpolation::Linear, 3, vec![0.0, seconds], values).expect("two keys");
    let channels = vec![Channel { node, path: Path::Translation, curve: 0 }];
    let markers = vec![Marker { name: "middle".to_owned(), time: f64::from(seconds) / 2.0 }];
    Clip { channels, curves: vec![curve], duration: seconds, markers, ..Clip::default() }
}

/// The sample with a clip of the given length at the end.
fn asset(seconds: f32, far: f32) -> (Rc<Asset>, ClipId) {
    let mut model = models(&[]).remove(0).1;
    let clip = slide(&model, seconds, far);
    model.clips.push(clip.into());
    let id = ClipId::new(model.clips.len() - 1);
    (Rc::new(Asset::new(model)), id)
}

fn replace(cast: &mut Cast, asset: &Rc<Asset>, id: ClipId, seconds: f32, far: f32) {
    let clip = slide(&asset.model, seconds, far);
    asset.change_clips(|clips| clips.replace(&asset.model, id, clip.into()));
    cast.update_clips(asset);
}

fn hash(cast: &mut Cast, actor: ActorId) -> u64 {
    cast.pose();
    let actor = &cast.get(actor).expect("on stage").actor;
    pose_hash(actor.palette(), &actor.pose().weights)
}

#[test]
fn replaced_clips_play_as_those_of_a_file_and_playheads_stay() {
    let ((old, id), (new, _)) = (asset(2.0, 1.0), asset(3.0, -1.0));
    let (mut cast, mut wanted) = (Cast::default(), Cast::default());
    let actor = cast.add(Rc::clone(&old), Affine::identity());
    let reference = wanted.add(Rc::clone(&new), Affine::identity());
    for (cast, actor) in [(&mut cast, actor), (&mut wanted, reference)] {
        cast.actor_mut(actor).expect("on stage").player.play(Some(id));
        cast.set_time(0.75);
    }
    let before = hash(&mut cast, actor);
    replace(&mut cast, &old, id, 3.0, -1.0);
    let want = hash(&mut wanted, reference);
    assert_ne!(before, want);
    assert_eq!(hash(&mut cast, actor), want, "at the same time of the clip");
    let player = |cast: &Cast, actor| cast.get(actor).expect("on stage").actor.player.clone();
    let (got, reference_player) = (player(&cast, actor), player(&wanted, reference));
    assert!(!got.paused());
    assert_eq!((got.clip(), got.position(), got.duration()), (Some(id), reference_player.position(), 3.0));
    // It loops at the new end, and the marker is that of the new clip.
    for cast in [&mut cast, &mut wanted] {
        for i in 1..=9 {
            cast.set_time(0.75 + 0.5 * f64::from(i));
        }
    }
    let events = |cast: &mut Cast, actor| {
        let player = &mut cast.actor_mut(actor).expect("on stage").player;
        player
            .drain_events()
            .map(|event| (format!("{:?}", event.kind), event.time.to_bits()))
            .collect::<Vec<_>>()
    };
    let (got, want) = (events(&mut cast, actor), events(&mut wanted, reference));
    assert!(
        want.iter().any(|(kind, _)| kind.contains("middle"))
            && want.iter().any(|(kind, _)| kind.contains("Loop"))
    );
    assert_eq!(got, want);
    assert_eq!(hash(&mut cast, actor), hash(&mut wanted, reference));
    // A new actor begins with the new clip.
    let later = cast.add(Rc::clone(&old), Affine::identity());
    cast.actor_mut(later).expect("on stage").player.play(Some(id));
    assert_eq!(cast.get(later).expect("on stage").actor.player.duration(), 3.0);
}

#[test]
fn replaced_clips_that_are_shorter_hold_playheads_and_segments_within_them() {
    let (asset, id) = asset(2.0, 1.0);
    let mut cast = Cast::default();
    let actors = [0.5, 1.75].map(|time| {
        let actor = cast.add(Rc::clone(&asset), Affine::identity());
        let player = &mut cast.actor_mut(actor).expect("on stage").player;
        player.choose(Some(id));
        player.seek(time);
        actor
    });
    cast.actor_mut(actors[0]).expect("on stage").player.set_segment(Some(0.25..1.5));
    replace(&mut cast, &asset, id, 1.0, 1.0);
    let state = |cast: &Cast, at: usize| {
        let mut player = cast.get(actors[at]).expect("on stage").actor.player.clone();
        (player.position().time, player.base().segment(), player.paused())
    };
    assert_eq!(state(&cast, 0), (0.5, 0.25..1.0, true));
    assert_eq!(state(&cast, 1), (1.0, 0.0..1.0, true));
    // A longer clip gives a segment up to the end its new end, and leaves one within the clip as it is.
    cast.actor_mut(actors[0]).expect("on stage").player.set_segment(Some(0.25..0.75));
    replace(&mut cast, &asset, id, 4.0, 1.0);
    assert_eq!(state(&cast, 0), (0.5, 0.25..0.75, true));
    assert_eq!(state(&cast, 1), (1.0, 0.0..4.0, true));
}

#[test]
fn replaced_clips_in_layers_crossfades_and_blend_spaces_have_their_new_length() {
    let (asset, id) = asset(2.0, 1.0);
    let mut cast = Cast::default();
    let actor = cast.add(Rc::clone(&asset), Affine::identity());
    let player = &mut cast.actor_mut(actor).expect("on stage").player;
    let walk = ClipId::new(0);
    let space =
        player.blend_space(&[(id, [0.0, 0.0]), (walk, [1.0, 0.0])], SyncMode::Phase).expect("two clips");
    player.transition_to(Source::Space(Box::new(space)), &Default::default());
    player.add_layer(LayerOptions { weight: 0.5, ..LayerOptions::new(Source::Clip(id)) });
    cast.set_time(0.5);
    hash(&mut cast, actor);
    cast.presented();
    replace(&mut cast, &asset, id, 4.0, 1.0);
    let player = &mut cast.actor_mut(actor).expect("on stage").player;
    // The phase of a blend space stays, and the time of a layer.
    assert_eq!((player.duration(), player.position().time), (4.0, 1.0));
    let layer = player.layers().next().expect("a layer").id();
    let track = player.layer(layer).expect("a layer");
    assert_eq!((track.duration(), track.position().time), (4.0, 0.5));
    for i in 0..40 {
        cast.set_time(0.5 + f64::from(i) * 0.25);
        hash(&mut cast, actor);
    }
}

#[test]
fn replaced_clips_have_root_motion() {
    let ((old, id), (new, _)) = (asset(2.0, 1.0), asset(1.0, 3.0));
    let mut results = Vec::new();
    for (asset, replaces) in [(old, true), (new, false)] {
        let mut cast = Cast::default();
        let actor = cast.add(Rc::clone(&asset), Affine::identity());
        let set = asset.clips();
        let options = RootOptions::default();
        cast.actor_mut(actor).expect("on stage").set_root_motion(
            &asset.model,
            &set,
            RootMotion::Accumulate,
            options,
        );
        if replaces {
            replace(&mut cast, &asset, id, 1.0, 3.0);
        }
        cast.actor_mut(actor).expect("on stage").player.play(Some(id));
        for i in 1..20 {
            cast.set_time(f64::from(i) * 0.1);
            cast.pose();
        }
        let travel = cast.get(actor).expect("on stage").actor.root_travel().expect("it is extracted");
        results.push((travel, hash(&mut cast, actor)));
    }
    assert!(results[1].0.translation.length() > 4.0);
    assert_eq!(results[0], results[1]);
}

#[test]
fn crowds_play_replaced_clips() {
    let ((old, id), (new, _)) = (asset(2.0, 1.0), asset(3.0, -1.0));
    let view = CrowdView::new(&Mat4::IDENTITY, &Mat4::IDENTITY, 600, false);
    let mut results = Vec::new();
    for (asset, replaces) in [(old, true), (new, false)] {
        let mut cast = Cast::default();
        let crowd = cast.add(Rc::clone(&asset), Affine::identity());
        cast.make_crowd(crowd).expect("an actor");
        while cast.measure_crowd(crowd).expect("a crowd") {}
        cast.crowd_mut(crowd).expect("a crowd").resize(9, 0.0);
        let clips = [id.index() as f64; 9];
        cast.crowd_mut(crowd).expect("a crowd").set(MemberPart::Clip, 0, &clips, 0.0).expect("it exists");
        if replaces {
            replace(&mut cast, &asset, id, 3.0, -1.0);
        }
        let crowd = cast.crowd_mut(crowd).expect("a crowd");
        let mut numbers = Vec::new();
        for baked in [false, true] {
            crowd.set_baked(baked);
            crowd.update(0.4, &view);
            numbers.extend(Affine::as_floats(crowd.palette()).iter().map(|number| number.to_bits()));
        }
        results.push((numbers, crowd.is_measured(), crowd.bounds()));
    }
    assert_eq!(results[0], results[1]);
}
