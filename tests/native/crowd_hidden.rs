//! Nodes that are hidden for single members of a crowd.

use crate::common::models::models;
use crate::common::random::Random;
use gambol::animation::{Affine, Bounds, ClipSet, Crowd, CrowdError, CrowdView, MemberPart, Rig, UpdateRate};
use gambol::model::{Model, Node, NodeId};
use glam::{Mat4, Vec3};
use std::collections::BTreeSet;
use std::rc::Rc;

const COUNT: usize = 24;

fn crowd_of(model: &Model, count: usize) -> Crowd {
    let clips = ClipSet::new(model, Rc::new(Rig::new(model)));
    let bounds = Bounds::new(model, &clips.rig.layout);
    let mut crowd = Crowd::new(&clips, false);
    while crowd.measure(model, &clips, &bounds) {}
    crowd.resize(count, 0.0);
    crowd
}

/// A model of nodes in a row, each below the one before, or all side by side.
fn nodes(count: usize, in_a_row: bool) -> Model {
    let parent = |i: usize| i.checked_sub(1).filter(|_| in_a_row).map(NodeId::new);
    Model {
        nodes: (0..count).map(|i| Node { parent: parent(i), ..Node::default() }).collect(),
        ..Model::default()
    }
}

fn view(distance: f32) -> CrowdView {
    let projection = glam::camera::rh::proj::opengl::perspective(0.6, 1.5, 0.01, 1e6);
    CrowdView::new(&Mat4::from_translation(Vec3::Z * -distance), &projection, 500, false)
}

/// `true` if a node or one above it is in a set.
fn is_below(model: &Model, set: &BTreeSet<usize>, node: usize) -> bool {
    let up = std::iter::successors(Some(NodeId::new(node)), |node| model.nodes[node.index()].parent);
    up.into_iter().any(|node| set.contains(&node.index()))
}

/// `true` if the palette entry of a tint has the bit of a part.
fn has_bit(entry: &Affine, part: u8) -> bool {
    let floats = Affine::as_floats(std::slice::from_ref(entry));
    let part = usize::from(part);
    part < 192 && floats[4 + part / 24] as u32 >> (part % 24) & 1 == 1
}

#[test]
fn crowd_hidden_rejects_unknown_members_and_nodes_without_changes() {
    let model = nodes(3, true);
    let mut crowd = crowd_of(&model, 3);
    for (nodes, first, hidden) in [
        (&[3][..], 0, &[true; 3][..]),
        (&[0, usize::MAX], 0, &[true; 2]),
        (&[0], 0, &[true; 4]),
        (&[0], 3, &[true]),
        (&[0], usize::MAX, &[true]),
        (&[0, 1], 0, &[true; 3]),
        (&[], 0, &[true]),
    ] {
        assert_eq!(crowd.set_hidden(nodes, first, hidden), Err(CrowdError::Range), "{nodes:?} {first}");
    }
    assert_eq!(crowd.set_hidden(&[], 0, &[]), Ok(()));
    assert_eq!(crowd.set_hidden(&[1], 3, &[]), Ok(()));
    assert_eq!(crowd.set_hidden(&[1], 0, &[false; 3]), Ok(()));
    assert!(crowd.parts_of_nodes().is_empty(), "no member hides a node");
}

#[test]
fn crowd_hidden_has_a_limit_of_different_nodes() {
    let model = nodes(200, false);
    let mut crowd = crowd_of(&model, 2);
    let all: Vec<usize> = (0..200).collect();
    assert_eq!(crowd.set_hidden(&all, 1, &[true; 200]), Err(CrowdError::TooManyParts));
    assert!(crowd.parts_of_nodes().is_empty());
    assert_eq!(crowd.set_hidden(&all, 1, &[false; 200]), Ok(()), "nodes that are shown count for nothing");
    assert_eq!(crowd.set_hidden(&all[..192], 1, &[true; 192]), Ok(()));
    assert_eq!(crowd.set_hidden(&[191, 191], 0, &[true; 2]), Ok(()), "known nodes");
    assert_eq!(crowd.set_hidden(&[192], 0, &[true]), Err(CrowdError::TooManyParts));
    let mut shown = Vec::new();
    crowd.shown_nodes(0, &mut shown);
    assert_eq!(shown.iter().filter(|shown| !**shown).count(), 1);
}

/// The palettes of sampled, mixed and baked members are those of a crowd without hidden nodes, but for the parts next to the tint.
#[test]
fn crowd_hidden_parts_are_those_at_or_below_the_nodes() {
    let mut random = Random(61);
    let all = models(&[
        "gltf/RobotExpressive.glb",
        "gltf/MorphStressTest.gltf",
        "synthetic/matrices_and_instances.glb",
    ]);
    for (name, model) in &all {
        for (distance, rate, baked) in
            [(4.0, UpdateRate::Full, false), (900.0, UpdateRate::Auto, false), (4.0, UpdateRate::Auto, true)]
        {
            let mut plain = crowd_of(model, COUNT);
            plain.set_update_rate(rate);
            plain.set_baked(baked);
            let positions: Vec<f64> = (0..3 * COUNT).map(|_| 3.0 * f64::from(random.signed())).collect();
            plain.set(MemberPart::Position, 0, &positions, 0.0).expect("they are numbers");
            let mut crowd = plain.clone();
            let mut sets = vec![BTreeSet::new(); COUNT];
            for round in 0..12 {
                let node = random.below(model.nodes.len());
                let (first, members) = (random.below(COUNT), random.below(COUNT));
                let members = members.min(COUNT - first);
                let hidden: Vec<bool> = (0..members).map(|_| random.chance(0.6)).collect();
                crowd.set_hidden(&[node], first, &hidden).expect("it is in range");
                for (set, is_hidden) in sets[first..].iter_mut().zip(&hidden) {
                    if *is_hidden {
                        set.insert(node)
                    } else {
                        set.remove(&node)
                    };
                }
                if round == 8 {
                    for crowd in [&mut crowd, &mut plain] {
                        crowd.resize(COUNT / 2, 0.0);
                        crowd.resize(COUNT, 0.0);
                    }
                    sets[COUNT / 2..].fill(BTreeSet::new());
                }
                let now = 3.0 * f64::from(random.signed());
                crowd.update(now, &view(distance));
                plain.update(now, &view(distance));
                assert_eq!(crowd.sampled_len(), plain.sampled_len(), "{name}");
                compare(model, &crowd, &plain, &sets, &format!("{name}, {distance}, round {round}"));
            }
            crowd.resize(0, 0.0);
            assert!(crowd.parts_of_nodes().is_empty());
        }
    }
}

fn compare(model: &Model, crowd: &Crowd, plain: &Crowd, sets: &[BTreeSet<usize>], what: &str) {
    let parts = crowd.parts_of_nodes();
    assert_eq!(parts.is_empty(), sets.iter().all(BTreeSet::is_empty), "{what}");
    let mut shown = Vec::new();
    for (at, member) in crowd.visible().enumerate() {
        let entries: Vec<Affine> = crowd.member_palette(at).collect();
        let others: Vec<Affine> = plain.member_palette(at).collect();
        let floats = 12 * (entries.len() - 1) + 4;
        let bits = |list: &[Affine]| {
            Affine::as_floats(list)[..floats].iter().map(|number| number.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(bits(&entries), bits(&others), "{what}: the matrices and the tint");
        let tint = &entries[entries.len() - 1];
        crowd.shown_nodes(member, &mut shown);
        assert_eq!(shown.is_empty(), sets[member].is_empty(), "{what}");
        for node in 0..model.nodes.len() {
            let hidden = is_below(model, &sets[member], node);
            let part = parts.get(node).copied().unwrap_or(255);
            assert_eq!(has_bit(tint, part), hidden, "{what}: member {member}, node {node}");
            assert_eq!(shown.get(node) == Some(&false), hidden, "{what}: member {member}, node {node}");
        }
    }
}
