//! Clips that a model gains and loses at run time, compared with a file that has had them from the start.

use crate::common::models::models;
use gambol::animation::{Affine, CrowdView, Framing, MemberPart, RootMotion, RootOptions, pose_hash};
use gambol::model::{Channel, Clip, ClipId, Curve, Interpolation, Model, Path};
use gambol::viewer::{ActorId, Asset, Cast};
use glam::{Mat4, Vec3};
use std::rc::Rc;

/// The sample, and the sample that had only its first clip and has gained the others.
fn whole_and_grown() -> (Rc<Asset>, Rc<Asset>, impl FnOnce(&Rc<Asset>)) {
    let model = sample();
    let others = model.clips[1..].to_vec();
    let few = Model { clips: model.clips[..1].to_vec(), ..model.clone() };
    let grow = move |asset: &Rc<Asset>| asset.change_clips(|clips| clips.add(&asset.model, others));
    (Rc::new(Asset::new(model)), Rc::new(Asset::new(few)), grow)
}

/// The sample, with one more clip, which moves its root.
fn sample() -> Model {
    let mut model = models(&[]).remove(0).1;
    let node = model.skins[0].joints[0];
    let from = model.nodes[node.index()].rest.translation;
    let to = from + Vec3::new(1.0, 0.25, 2.0);
    let values = [from.to_array(), to.to_array()].concat();
    let curve = Curve::new(Interpolation::Linear, 3, vec![0.0, 1.5], values).expect("two keys");
    let channels = vec![Channel { node, path: Path::Translation, curve: 0 }];
    model.clips.push(Clip { channels, curves: vec![curve], duration: 1.5, ..Clip::default() }.into());
    model
}

fn hash(cast: &mut Cast, actor: ActorId) -> u64 {
    cast.pose();
    let actor = &cast.get(actor).expect("on stage").actor;
    pose_hash(actor.palette(), &actor.pose().weights)
}

fn play(cast: &mut Cast, actor: ActorId, clip: usize, time: f64) {
    let player = &mut cast.actor_mut(actor).expect("on stage").player;
    player.play(Some(ClipId::new(clip)));
    player.seek(time);
}

#[test]
fn added_clips_play_as_those_of_the_file_for_old_and_new_actors() {
    let (whole, grown, grow) = whole_and_grown();
    let (mut wanted, mut cast) = (Cast::default(), Cast::default());
    let reference = wanted.add(Rc::clone(&whole), Affine::identity());
    let old = cast.add(Rc::clone(&grown), Affine::identity());
    grow(&grown);
    cast.update_clips(&grown);
    let new = cast.add(Rc::clone(&grown), Affine::identity());
    for clip in 0..whole.model.clips.len() {
        for time in [0.0, 0.31, 1e9] {
            play(&mut wanted, reference, clip, time);
            let want = hash(&mut wanted, reference);
            for actor in [old, new] {
                play(&mut cast, actor, clip, time);
                assert_eq!(hash(&mut cast, actor), want, "clip {clip} at {time}");
            }
        }
    }
    for framing in [Framing::Clip, Framing::AllClips, Framing::Rest] {
        assert_eq!(grown.framing(framing, None), whole.framing(framing, None));
    }
}

#[test]
fn added_clips_do_not_move_a_playing_actor() {
    let (_, grown, grow) = whole_and_grown();
    let mut cast = Cast::default();
    let actor = cast.add(Rc::clone(&grown), Affine::identity());
    play(&mut cast, actor, 0, 0.2);
    let before = hash(&mut cast, actor);
    grow(&grown);
    cast.update_clips(&grown);
    assert_eq!(hash(&mut cast, actor), before);
    assert!(!cast.get(actor).expect("on stage").actor.player.paused());
}

#[test]
fn added_clips_have_root_motion() {
    let (whole, grown, grow) = whole_and_grown();
    let mut grow = Some(grow);
    let mut results = Vec::new();
    for asset in [whole, grown] {
        let mut cast = Cast::default();
        let actor = cast.add(Rc::clone(&asset), Affine::identity());
        let set = asset.clips();
        let options = RootOptions::default();
        let actor_mut = cast.actor_mut(actor).expect("on stage");
        actor_mut.set_root_motion(&asset.model, &set, RootMotion::Accumulate, options);
        cast.pose();
        if asset.clips().clips.len() == 1
            && let Some(grow) = grow.take()
        {
            grow(&asset);
            cast.update_clips(&asset);
        }
        let mut way = Vec::new();
        for clip in 0..asset.clips().clips.len() {
            play(&mut cast, actor, clip, 0.0);
            for _ in 1..20 {
                cast.set_time(cast.now() + 0.1);
                cast.pose();
            }
            let actor = &cast.get(actor).expect("on stage").actor;
            way.push((
                actor.root_travel().expect("it is extracted"),
                pose_hash(actor.palette(), &actor.pose().weights),
            ));
        }
        results.push(way);
    }
    assert!(results[0].iter().any(|(way, _)| way.translation.length() > 1.0), "a clip moves the root");
    assert_eq!(results[0], results[1]);
}

#[test]
fn removed_clips_leave_the_rest_pose_and_the_ids_of_the_others() {
    let asset = Rc::new(Asset::new(sample()));
    let mut cast = Cast::default();
    let [playing, other] = [0, 1].map(|_| cast.add(Rc::clone(&asset), Affine::identity()));
    play(&mut cast, playing, 0, 0.3);
    play(&mut cast, other, 1, 0.3);
    let before = hash(&mut cast, other);
    asset.change_clips(|clips| clips.remove(ClipId::new(0)));
    cast.update_clips(&asset);
    let rig = asset.rig();
    let (mut matrices, mut palette) = (Vec::new(), vec![Affine::identity(); rig.palette_len()]);
    rig.node_matrices(rig.rest_pose(), &Affine::identity(), &mut matrices);
    rig.palette(&matrices, &mut palette);
    assert_eq!(hash(&mut cast, playing), pose_hash(&palette, &rig.rest_pose().weights));
    assert_eq!(hash(&mut cast, other), before);
    // A new actor begins with the first clip that is left.
    let new = cast.add(Rc::clone(&asset), Affine::identity());
    assert_eq!(cast.get(new).expect("on stage").actor.player.clip(), Some(ClipId::new(1)));
    assert_eq!(asset.clips().ids().next(), Some(ClipId::new(1)));
    // Ids are not reused.
    let clip = asset.model.clips[0].clone();
    asset.change_clips(|clips| clips.add(&asset.model, vec![clip]));
    assert_eq!(asset.clips().ids().last(), Some(ClipId::new(asset.model.clips.len())));
    // Without any clip, a new actor is in the rest pose.
    for clip in asset.clips().ids() {
        asset.change_clips(|clips| clips.remove(clip));
    }
    cast.update_clips(&asset);
    let last = cast.add(Rc::clone(&asset), Affine::identity());
    assert_eq!(hash(&mut cast, last), pose_hash(&palette, &rig.rest_pose().weights));
}

#[test]
fn crowds_gain_and_lose_clips() {
    let (whole, grown, grow) = whole_and_grown();
    let mut grow = Some(grow);
    let view = CrowdView::new(&Mat4::IDENTITY, &Mat4::IDENTITY, 600, false);
    let mut results = Vec::new();
    for asset in [whole, grown] {
        let mut cast = Cast::default();
        let id = cast.add(Rc::clone(&asset), Affine::identity());
        cast.make_crowd(id).expect("an actor");
        while cast.measure_crowd(id).expect("a crowd") {}
        cast.crowd_mut(id).expect("a crowd").resize(9, 0.0);
        if asset.clips().clips.len() == 1
            && let Some(grow) = grow.take()
        {
            grow(&asset);
            cast.update_clips(&asset);
        }
        let mut numbers = Vec::new();
        let count = asset.clips().clips.len();
        for baked in [false, true] {
            let crowd = cast.crowd_mut(id).expect("a crowd");
            crowd.set_baked(baked);
            let clips: Vec<f64> = (0..9).map(|i| (i % count) as f64).collect();
            crowd.set(MemberPart::Clip, 0, &clips, 0.0).expect("all clips exist");
            assert!(crowd.set(MemberPart::Clip, 0, &[count as f64], 0.0).is_err());
            crowd.update(0.4, &view);
            numbers.extend(Affine::as_floats(crowd.palette()).iter().map(|number| number.to_bits()));
        }
        results.push((numbers, cast.crowd_mut(id).expect("a crowd").bounds()));
        // Members whose clip is removed are in the rest pose.
        for clip in asset.clips().ids() {
            asset.change_clips(|clips| clips.remove(clip));
        }
        cast.update_clips(&asset);
        let crowd = cast.crowd_mut(id).expect("a crowd");
        crowd.update(0.4, &view);
        let (mut rest, mut posed) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        crowd.pose_member(0, 0.4, &mut rest.0, &mut rest.1);
        crowd.pose_member(8, 0.4, &mut posed.0, &mut posed.1);
        assert_eq!((posed, crowd.bounds().is_some()), (rest, true));
    }
    assert_eq!(results[0], results[1]);
}
