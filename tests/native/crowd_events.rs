//! Members of a crowd that a page listens to have the events of a player.

use crate::common::random::Random;
use gambol::animation::{ClipSet, Crowd, Event, EventKind, LoopMode, MemberPart, Player, Rig};
use gambol::model::{Clip, ClipId, Marker, Model, Node};
use std::rc::Rc;

const COUNT: usize = 9;

/// Three clips: with markers, also at both ends; without; and of length 0.
fn model() -> Model {
    let marker = |time: f64| Marker { name: format!("at {time}"), time };
    let clip = |duration: f32, times: &[f64]| {
        let markers = times.iter().map(|&time| marker(time)).collect();
        Clip { duration, markers, ..Clip::default() }.into()
    };
    let clips = vec![clip(1.5, &[0.0, 0.25, 0.25, 1.0, 1.5]), clip(0.75, &[]), clip(0.0, &[0.0])];
    Model { nodes: vec![Node::default()], clips, ..Model::default() }
}

/// The events of members that a player has, too.
fn common(event: &Event) -> bool {
    matches!(event.kind, EventKind::Marker { .. } | EventKind::Loop { .. } | EventKind::Finished)
}

type Heard = (EventKind, u64, u64);

fn heard(event: &Event) -> Heard {
    (event.kind.clone(), event.time.to_bits(), event.skipped)
}

fn of_player(player: &mut Player) -> Vec<Heard> {
    player.drain_events().filter(common).map(|event| heard(&event)).collect()
}

fn of_member(events: &[Event], member: usize) -> Vec<Heard> {
    events.iter().filter(|event| event.layer == Some(member as u32)).map(heard).collect()
}

#[test]
fn crowd_events_are_those_of_players() {
    let model = model();
    let mut random = Random(21);
    for mode in [LoopMode::Repeat, LoopMode::PingPong, LoopMode::Once] {
        let mut crowd = Crowd::new(&ClipSet::new(&model, Rc::new(Rig::new(&model))), false);
        crowd.resize(COUNT, 0.0);
        crowd.set_loop_mode(mode, 0.0);
        let all: Vec<u32> = (0..COUNT as u32).collect();
        crowd.listen(&all, 0.0);
        let mut players: Vec<Player> = (0..COUNT).map(|_| Player::new(&model.clips, 0.0)).collect();
        let mut total = 0;
        let mut now = 0.0;
        for step in 0..300 {
            for (i, player) in players.iter_mut().enumerate() {
                let mut chance = |of: u32| random.signed().abs() < 1.0 / of as f32;
                let mut set = |part, number: f64| crowd.set(part, i, &[number], now).expect("a good number");
                if step == 0 {
                    player.set_loop_mode(mode);
                    player.play(Some(ClipId::new(i % 3)));
                    player.seek(0.0);
                    set(MemberPart::Clip, (i % 3) as f64);
                    set(MemberPart::Time, 0.0);
                }
                if chance(20) && mode != LoopMode::Once {
                    let rate = [-1.0, 0.0, 0.5, 2.0][step % 4];
                    player.set_rate(rate);
                    set(MemberPart::Rate, rate);
                }
                // A player waits at times before its start, and a member plays towards it. So both begin anew after the way back.
                if chance(20) || step % 50 == 41 {
                    let time = [0.0, 0.25, 0.6][step % 3];
                    player.seek(time);
                    player.play(None);
                    set(MemberPart::Time, time.min(f64::from(model.clips[i % 3].duration)));
                }
            }
            // Mostly frames, sometimes a long gap or the way back.
            now += match step % 50 {
                20 => 90.0,
                40 => -3.0,
                _ => f64::from(random.signed().abs()) / 8.0,
            };
            crowd.advance_to(now);
            players.iter_mut().for_each(|player| player.advance_to(now));
            let events: Vec<Event> = crowd.drain_events().collect();
            total += events.len();
            for (i, player) in players.iter_mut().enumerate() {
                assert_eq!(of_member(&events, i), of_player(player), "{mode:?} step {step} member {i}");
            }
            assert!(events.iter().all(|event| event.playback == u64::from(event.layer.unwrap_or(0)) % 3));
        }
        assert!(total > 100, "{total} events");
    }
}

#[test]
fn crowd_events_of_progress_are_those_of_players() {
    let model = model();
    let mut crowd = Crowd::new(&ClipSet::new(&model, Rc::new(Rig::new(&model))), false);
    crowd.resize(1, 0.0);
    crowd.listen(&[0], 0.0);
    let mut player = Player::new(&model.clips, 0.0);
    player.play(None);
    let mut total = 0;
    for fraction in [0.0, 0.1, 0.9, 0.5, 1.0, 0.0, 0.0, 0.2] {
        crowd.scrub(fraction);
        player.scrub(fraction);
        let events: Vec<Event> = crowd.drain_events().collect();
        total += events.len();
        assert_eq!(of_member(&events, 0), of_player(&mut player), "{fraction}");
    }
    assert!(total > 5, "{total}");
}

#[test]
fn crowd_events_are_only_of_the_members_that_were_asked_for() {
    let model = model();
    let mut crowd = Crowd::new(&ClipSet::new(&model, Rc::new(Rig::new(&model))), false);
    crowd.resize(6, 0.0);
    crowd.advance_to(10.0);
    assert!(!crowd.has_events(), "none without a listener");
    crowd.listen(&[4, 1, 4, 77], 10.0);
    let members =
        |crowd: &mut Crowd| crowd.drain_events().filter_map(|event| event.layer).collect::<Vec<_>>();
    crowd.advance_to(10.1);
    assert!(members(&mut crowd).is_empty(), "events begin after the call");
    crowd.advance_to(12.0);
    let mut heard = members(&mut crowd);
    assert!(heard.is_sorted());
    heard.dedup();
    assert_eq!(heard, [1, 4]);
    // A member that goes on to be heard misses nothing; one that is removed has no events.
    crowd.listen(&[1, 2], 12.0);
    crowd.set_paused(true, 12.0);
    crowd.advance_to(20.0);
    assert!(members(&mut crowd).is_empty());
    crowd.set_paused(false, 20.0);
    crowd.set_clock(20.0, 3.0);
    crowd.resize(2, 3.0);
    crowd.set_markers(ClipId::new(0), &[Marker { name: "own".into(), time: 0.7 }]);
    crowd.advance_to(6.0);
    let own = |event: &Event| matches!(&event.kind, EventKind::Marker { name } if **name == *"own");
    let events: Vec<Event> = crowd.drain_events().collect();
    assert_eq!(events.iter().filter(|event| own(event)).count(), 2);
    assert!(events.iter().all(|event| event.layer == Some(1)));
    crowd.listen(&[], 6.0);
    crowd.advance_to(60.0);
    assert!(!crowd.has_events());
}
