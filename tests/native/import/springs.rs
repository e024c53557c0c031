//! Spring bones of VRM files: faults first, then chains.

use crate::common::builder::{Builder, triangle};
use gambol::animation::{Actor, Rig};
use gambol::model::{Model, NodeId, SpringBones, SpringCenter};
use glam::{DMat4, DQuat, DVec3, Mat4, Vec3};
use serde_json::{Value, json};
use std::rc::Rc;

/// A triangle at node 0; a tail with the nodes 1 to 4, each the child of the one before; node 5 beside node 3.
fn tailed() -> Builder {
    let mut file = triangle();
    let mut parent = 0;
    for _ in 0..4 {
        parent = file.node(Some(parent), json!({"translation": [0, 0.1, 0]}));
    }
    file.node(Some(2), json!({"translation": [0.1, 0, 0]}));
    file
}

/// The spring bones of a file with this extension, and the codes and pointers of its warnings.
fn read(extension: &str, value: Value) -> (Option<SpringBones>, Vec<(&'static str, String)>) {
    let mut file = tailed();
    file.json["extensionsUsed"] = json!([extension]);
    file.json["extensions"] = json!({extension: value});
    let imported = file.import().expect("a fault of the extension is no error");
    let warnings = imported.warnings.into_iter().map(|warning| (warning.code, warning.pointer));
    // The other parts of an avatar are not used.
    let warnings = warnings.filter(|(code, _)| *code != "import/extension-ignored");
    (imported.model.springs.map(|springs| *springs), warnings.collect())
}

const VALUE: &str = "import/invalid-value";
const INDEX: &str = "import/index-out-of-range";

fn warned(value: Value, want: &[(&str, &str)]) -> Option<SpringBones> {
    let (springs, warnings) = read("VRMC_springBone", value);
    let got: Vec<(&str, &str)> = warnings.iter().map(|(code, pointer)| (*code, &pointer[..])).collect();
    let want: Vec<(&str, String)> =
        want.iter().map(|(code, at)| (*code, format!("/extensions/VRMC_springBone/{at}"))).collect();
    let want: Vec<(&str, &str)> = want.iter().map(|(code, at)| (*code, &at[..])).collect();
    assert_eq!(got, want);
    springs
}

fn joints(nodes: &[usize]) -> Value {
    nodes.iter().map(|node| json!({"node": node})).collect()
}

fn nodes_of(springs: &SpringBones) -> Vec<Vec<usize>> {
    let chains = springs.chains.iter();
    chains.map(|chain| chain.joints.iter().map(|joint| joint.node.index()).collect()).collect()
}

#[test]
fn spring_faults_are_warnings_with_pointers() {
    for value in [json!({}), json!(7), json!([]), json!({"springs": 1, "colliders": {}})] {
        assert_eq!(warned(value, &[]), None);
    }
    let spring = |spring: Value| json!({"springs": [spring]});
    for (value, code, at) in [
        (json!({"joints": []}), VALUE, "springs/0"),
        (json!({"joints": joints(&[1])}), VALUE, "springs/0"),
        (json!({"joints": joints(&[2, 1])}), VALUE, "springs/0"),
        (json!({"joints": joints(&[1, 1])}), VALUE, "springs/0"),
        (json!({"joints": joints(&[3, 5])}), VALUE, "springs/0"),
        (json!({"joints": joints(&[1, 77])}), INDEX, "springs/0/joints/1/node"),
        (json!({"joints": [{"node": 1}, {}]}), VALUE, "springs/0/joints/1"),
        (json!({"joints": [{"node": 1}, 2]}), VALUE, "springs/0/joints/1"),
    ] {
        assert_eq!(warned(spring(value), &[(code, at)]), None);
    }
    // The chain stays, with a default.
    for (key, value) in [
        ("stiffness", json!(-1)),
        ("stiffness", json!("1")),
        ("hitRadius", json!(1e40)),
        ("dragForce", json!(true)),
        ("gravityPower", json!([])),
        ("gravityDir", json!([0, 1])),
        ("gravityDir", json!([0, 1, "x"])),
        ("gravityDir", json!(3)),
    ] {
        let joints = json!([{"node": 1, key: value}, {"node": 2}]);
        let at = format!("springs/0/joints/0/{key}");
        let springs = warned(spring(json!({"joints": joints})), &[(VALUE, &at)]);
        assert_eq!(springs, warned(spring(json!({"joints": self::joints(&[1, 2])})), &[]), "{key}");
    }
    let chain = |key: &str, value: Value| {
        let mut spring = json!({"joints": joints(&[1, 2])});
        spring[key] = value;
        json!({"springs": [spring]})
    };
    for (value, code, at) in [
        (chain("center", json!(70)), INDEX, "springs/0/center"),
        (chain("center", json!("a")), VALUE, "springs/0/center"),
        (chain("center", json!(2)), VALUE, "springs/0/center"),
        (chain("colliderGroups", json!([0])), INDEX, "springs/0/colliderGroups/0"),
        (chain("colliderGroups", json!([-1])), VALUE, "springs/0/colliderGroups/0"),
    ] {
        let springs = warned(value, &[(code, at)]).expect("the chain stays");
        assert_eq!((springs.chains[0].center, springs.chains[0].groups.len()), (SpringCenter::World, 0));
    }
    let twice = json!({"springs": [{"joints": joints(&[1, 2, 3])}, {"joints": joints(&[2, 5])}]});
    let springs = warned(twice, &[(VALUE, "springs/1")]).expect("the first chain stays");
    assert_eq!(nodes_of(&springs), [[1, 2, 3]]);
}

#[test]
fn spring_faults_of_colliders_are_warnings_with_pointers() {
    let with = |collider: Value| {
        json!({
            "colliders": [collider, {"node": 0, "shape": {"sphere": {"radius": 2}}}],
            "colliderGroups": [{"colliders": [0, 1]}],
            "springs": [{"joints": joints(&[1, 2]), "colliderGroups": [0]}],
        })
    };
    for (value, code, at) in [
        (json!({}), VALUE, "colliders/0"),
        (json!({"node": 9, "shape": {"sphere": {}}}), INDEX, "colliders/0/node"),
        (json!({"node": 0}), VALUE, "colliders/0"),
        (json!({"node": 0, "shape": {"cube": {}}}), VALUE, "colliders/0"),
    ] {
        let springs = warned(with(value), &[(code, at)]).expect("the chain stays");
        assert_eq!(springs.groups, [[0]]);
        assert_eq!(springs.colliders.len(), 1);
    }
    let springs = warned(
        with(json!({"node": 0, "shape": {"capsule": {"radius": -1, "offset": [1], "tail": {}}}})),
        &[
            (VALUE, "colliders/0/shape/capsule/offset"),
            (VALUE, "colliders/0/shape/capsule/tail"),
            (VALUE, "colliders/0/shape/capsule/radius"),
        ],
    );
    assert_eq!(springs.expect("the chain stays").groups, [[0, 1]]);
    let groups = json!({
        "colliderGroups": [{"colliders": [3, "x"]}, {}],
        "springs": [{"joints": joints(&[1, 2]), "colliderGroups": [0, 1]}],
    });
    warned(groups, &[(INDEX, "colliderGroups/0/colliders/0"), (VALUE, "colliderGroups/0/colliders/1")]);
}

#[test]
fn springs_have_limits() {
    let sphere = json!({"node": 0, "shape": {"sphere": {"radius": 1}}});
    let value = json!({
        "colliders": vec![sphere; 1025],
        "colliderGroups": [{"colliders": vec![0; 60_000]}],
        "springs": [{"joints": joints(&[1, 2, 3]), "colliderGroups": [0]}],
    });
    let springs = warned(value, &[(VALUE, "colliders/1024/shape/sphere"), (VALUE, "springs/0")])
        .expect("the chain stays");
    assert_eq!((springs.colliders.len(), springs.chains[0].groups.len()), (1024, 0));
    let mut file = triangle();
    let chains: Vec<Value> = (0..1100)
        .map(|_| {
            let first = file.node(Some(0), json!({}));
            let second = file.node(Some(first), json!({}));
            json!({"joints": joints(&[first, second])})
        })
        .collect();
    file.uses("VRMC_springBone");
    file.json["extensions"] = json!({"VRMC_springBone": {"springs": chains}});
    let imported = file.import().expect("the file is valid");
    assert_eq!(imported.model.springs.expect("it has springs").chains.len(), 1024);
    assert!(imported.warnings.iter().any(|warning| warning.pointer.contains("springs/1024")));
}

#[test]
fn springs_of_vrm_1_are_read() {
    let value = json!({
        "specVersion": "1.0",
        "colliders": [
            {"node": 0, "shape": {"sphere": {"offset": [0, 1, 2], "radius": 0.5}}},
            {"node": 1, "shape": {"capsule": {"offset": [1, 0, 0], "tail": [2, 0, 0], "radius": 0.25}}},
        ],
        "colliderGroups": [{"name": "a", "colliders": [1]}, {"colliders": [0, 1]}],
        "springs": [{
            "name": "tail",
            "joints": [
                {"node": 1, "hitRadius": 0.02, "stiffness": 2, "gravityPower": -0.5, "gravityDir": [1, 0, 0], "dragForce": 0.25},
                {"node": 3},
                {"node": 4},
            ],
            "colliderGroups": [1],
            "center": 0,
        }],
    });
    let springs = warned(value, &[]).expect("it has springs");
    assert_eq!(springs.groups, [vec![1], vec![0, 1]]);
    let [sphere, capsule] = springs.colliders[..] else { panic!("two colliders") };
    assert_eq!((sphere.offset, sphere.tail, sphere.radius), (Vec3::new(0.0, 1.0, 2.0), sphere.offset, 0.5));
    assert_eq!((capsule.node, capsule.tail, capsule.radius), (NodeId::new(1), Vec3::X * 2.0, 0.25));
    let chain = &springs.chains[0];
    assert_eq!((chain.center, &chain.groups[..]), (SpringCenter::Node(NodeId::new(0)), &[1][..]));
    let joint = chain.joints[0];
    let numbers = [joint.hit_radius, joint.stiffness, joint.gravity_power, joint.drag_force];
    assert_eq!((numbers, joint.gravity_dir), ([0.02, 2.0, -0.5, 0.25], Vec3::X));
    let initial = chain.joints[1];
    assert_eq!((initial.stiffness, initial.drag_force, initial.gravity_dir), (1.0, 0.5, Vec3::NEG_Y));
    assert_eq!(nodes_of(&springs), [[1, 3, 4]]);
}

#[test]
fn springs_of_vrm_0_are_read_branch_by_branch() {
    let value = json!({
        "humanoid": {"humanBones": []},
        "secondaryAnimation": {
            "boneGroups": [{
                "stiffiness": 0.5, "gravityPower": 0.1, "gravityDir": {"x": 0, "y": -1, "z": 0}, "dragForce": 0.4,
                "center": -1, "hitRadius": 0.02, "bones": [1, 40, "x"], "colliderGroups": [0],
            }],
            "colliderGroups": [{"node": 0, "colliders": [{"offset": {"x": 1, "y": 2, "z": 3}, "radius": 0.1}]}],
        },
    });
    let (springs, warnings) = read("VRM", value);
    let springs = springs.expect("it has springs");
    let at = "/extensions/VRM/secondaryAnimation/boneGroups/0/bones";
    assert_eq!(warnings, [(INDEX, format!("{at}/1")), (VALUE, format!("{at}/2"))]);
    assert_eq!(nodes_of(&springs), [vec![1, 2, 3, 4], vec![5]]);
    assert_eq!(springs.colliders[0].offset, Vec3::new(1.0, 2.0, -3.0));
    let joint = springs.chains[0].joints[1];
    assert_eq!((joint.stiffness, joint.gravity_power, joint.hit_radius), (0.5, 0.1, 0.02));
    assert_eq!(springs.chains[0].center, SpringCenter::World);
}

#[test]
fn springs_of_a_file_swing() {
    let mut file = tailed();
    file.uses("VRMC_springBone");
    let chain: Value = [1, 2, 3, 4]
        .map(|node| json!({"node": node, "stiffness": 0, "gravityPower": 1, "gravityDir": [1, 0, 0]}))
        .into();
    file.json["extensions"] = json!({"VRMC_springBone": {"springs": [{"joints": chain}]}});
    let model: Model = file.clean();
    let actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    assert!(!actor.springs.is_empty());
    let end = actor.node_matrices()[model.node_of_source[4].index()].rows[0].to_array()[3];
    assert!((end - 0.3).abs() < 1e-5, "the tail hangs along X: {end}");
}

/// A chain of springs: its nodes, and the end of its last bone.
type Chain = (Vec<usize>, Option<Vec3>);

/// The chains of an avatar of VRM 0 whose only group has these bones, and the number of warnings about values.
fn version_0(file: &mut Builder, groups: Value) -> (Vec<Chain>, usize) {
    file.json["extensionsUsed"] = json!(["VRM"]);
    file.json["extensions"] = json!({"VRM": {
        "humanoid": {"humanBones": []},
        "secondaryAnimation": {"boneGroups": groups},
    }});
    let imported = file.import().expect("a file");
    let warnings = imported.warnings.iter().filter(|warning| warning.code == VALUE).count();
    let springs = imported.model.springs.map(|springs| *springs).unwrap_or_default();
    let ends = springs.chains.iter().map(|chain| chain.tail);
    (nodes_of(&springs).into_iter().zip(ends).collect(), warnings)
}

#[test]
fn springs_of_vrm_0_have_an_end_7_cm_beyond_each_last_node() {
    let up = Some(Vec3::Y * 0.07);
    let chains = |bones: Value| version_0(&mut tailed(), json!([{ "bones": bones }]));
    // A leaf alone swings; a branch is a chain of its own; other faults than these are no warnings.
    assert_eq!(chains(json!([4])), (vec![(vec![4], up)], 0));
    assert_eq!(chains(json!([5])), (vec![(vec![5], Some(Vec3::X * 0.07))], 0));
    assert_eq!(chains(json!([3])), (vec![(vec![3, 4], up)], 0));
    assert_eq!(chains(json!([1])), (vec![(vec![1, 2, 3, 4], up), (vec![5], Some(Vec3::X * 0.07))], 0));
    // A joint that swings already is the end of a chain above it.
    assert_eq!(chains(json!([3, 1])).0[..2], [(vec![3, 4], up), (vec![1, 2, 3], None)]);
    assert_eq!(chains(json!([3, 3])), (vec![(vec![3, 4], up)], 1));
    // The end is in the space of the node, and has no direction at a node without an offset.
    let mut file = tailed();
    file.json["nodes"][4]["rotation"] = json!([0.5_f32.sqrt(), 0, 0, 0.5_f32.sqrt()]);
    file.json["nodes"][5]["translation"] = json!([0, 0, 0]);
    let (chains, _) = version_0(&mut file, json!([{ "bones": [4, 5] }]));
    let ends: Vec<Vec3> = chains.iter().map(|(_, end)| end.expect("it has an end")).collect();
    // A quarter turn about X takes −Z to Y.
    assert!(ends[0].abs_diff_eq(Vec3::NEG_Z * 0.07, 1e-7), "{}", ends[0]);
    assert_eq!(ends[1], Vec3::ZERO);
}

#[test]
fn springs_of_vrm_0_turn_the_vectors_of_unity() {
    let mut file = tailed();
    let wind = json!({"x": 0.6, "y": -0.5, "z": 0.8});
    file.json["extensionsUsed"] = json!(["VRM"]);
    file.json["extensions"] = json!({"VRM": {
        "humanoid": {"humanBones": []},
        "secondaryAnimation": {
            "boneGroups": [{"bones": [1], "gravityDir": wind, "colliderGroups": [0]}],
            "colliderGroups": [{"node": 0, "colliders": [{"offset": wind, "radius": 0.1}]}],
        },
    }});
    let springs = file.import().expect("a file").model.springs.expect("it has springs");
    let want = Vec3::new(0.6, -0.5, -0.8);
    assert_eq!(springs.colliders[0].offset, want);
    assert!(springs.chains.iter().flat_map(|chain| &chain.joints).all(|joint| joint.gravity_dir == want));
    // VRM 1.0 has the axes of glTF.
    let joints = json!([{"node": 1, "gravityDir": [0.6, -0.5, 0.8]}, {"node": 2}]);
    let springs = warned(json!({"springs": [{"joints": joints}]}), &[]).expect("it has springs");
    assert_eq!(springs.chains[0].joints[0].gravity_dir, Vec3::new(0.6, -0.5, 0.8));
}

/// The springs of VRM 0 as UniVRM's `VRMSpringBone` runs them: every node below a root is a bone, with its first child or 7 cm
/// more as its end.
struct UniVrm {
    parents: Vec<Option<usize>>,
    rests: Vec<DVec3>,
    /// The end of each bone in the space of its node, with the tails of the last two steps; `None` for other nodes.
    bones: Vec<Option<(DVec3, [DVec3; 2])>>,
}

impl UniVrm {
    fn new(parents: &[Option<usize>], rests: &[DVec3], roots: &[usize]) -> Self {
        let mut all = Self { parents: parents.to_vec(), rests: rests.to_vec(), bones: Vec::new() };
        let world = all.world(DVec3::ZERO, &[]);
        let is_below = |node: usize| {
            std::iter::successors(Some(node), |&node| parents[node]).any(|above| roots.contains(&above))
        };
        all.bones = (0..parents.len())
            .map(|node| {
                let child = parents.iter().position(|&parent| parent == Some(node));
                let end = child.map_or_else(|| rests[node].normalize() * 0.07, |child| rests[child]);
                is_below(node).then(|| (end, [world[node].1 + end; 2]))
            })
            .collect();
        all
    }

    /// The rotation and the place of each node; no node is turned at rest.
    fn world(&self, place: DVec3, turns: &[DQuat]) -> Vec<(DQuat, DVec3)> {
        let mut world: Vec<(DQuat, DVec3)> = Vec::new();
        for (i, &rest) in self.rests.iter().enumerate() {
            let (rotation, from) = self.parents[i].map_or((DQuat::IDENTITY, place), |parent| world[parent]);
            let turn = turns.get(i).copied().unwrap_or(DQuat::IDENTITY);
            world.push((rotation * turn, from + rotation * rest));
        }
        world
    }

    fn step(
        &mut self,
        place: DVec3,
        [stiffness, drag, gravity]: [f64; 3],
        direction: DVec3,
    ) -> Vec<(DQuat, DVec3)> {
        let mut turns = Vec::new();
        for node in 0..self.parents.len() {
            let (rotation, from) = self.world(place, &turns)[node];
            let mut turn = DQuat::IDENTITY;
            if let Some((end, [now, before])) = &mut self.bones[node] {
                let rest = rotation * *end;
                let moved = (*now - *before) * (1.0 - drag);
                let pull = rest.normalize() * stiffness / 60.0 + direction * gravity / 60.0;
                let next = from + (*now + moved + pull - from).normalize() * rest.length();
                (*before, *now) = (*now, next);
                turn = rotation.inverse()
                    * DQuat::from_rotation_arc(rest.normalize(), (next - from).normalize())
                    * rotation;
            }
            turns.push(turn);
        }
        self.world(place, &turns)
    }
}

#[test]
fn springs_of_vrm_0_move_as_in_univrm() {
    // Two lines and a leaf, of which no one hangs on another; node 7 does not swing.
    let parents = [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(0), Some(0)];
    let rests: Vec<DVec3> = (0..parents.len() as i32)
        .map(|i| DVec3::new(0.06 * f64::from(i % 3) - 0.05, 0.02 - 0.01 * f64::from(i), -0.1))
        .collect();
    let mut file = triangle();
    for (parent, rest) in parents.iter().zip(&rests).skip(1) {
        file.node(*parent, json!({"translation": rest.to_array()}));
    }
    file.json["nodes"][0]["translation"] = json!(rests[0].to_array());
    let group = json!({
        "bones": [1, 4, 6], "stiffiness": 0.7, "dragForce": 0.25, "gravityPower": 0.2,
        "gravityDir": {"x": 0.28, "y": -0.96, "z": 0.5},
    });
    let (chains, _) = version_0(&mut file, json!([group]));
    assert_eq!(chains.iter().map(|(nodes, _)| nodes.len()).collect::<Vec<_>>(), [3, 2, 1]);
    let model = file.import().expect("a file").model;
    let id = |node: usize| model.node_of_source[node].index();
    let mut actor = Actor::new(&model, Rc::new(Rig::new(&model)));
    let mut reference = UniVrm::new(&parents, &rests, &[1, 4, 6]);
    let forces = |drag| [f64::from(0.7_f32), drag, f64::from(0.2_f32)];
    let direction = Vec3::new(0.28, -0.96, -0.5).as_dvec3();
    // It comes to rest.
    for _ in 0..5000 {
        reference.step(DVec3::ZERO, forces(1.0), direction);
    }
    let walk = |i: i32| {
        let t = f64::from(i.min(50)) / 60.0;
        Vec3::new((0.3 * (8.0 * t).sin()) as f32, (t * t) as f32, (0.7 * t) as f32)
    };
    let (mut before, mut swung): (Vec<(DQuat, DVec3)>, [f64; 8]) = (Vec::new(), [0.0; 8]);
    for i in 0..110 {
        // Before time runs, a placement is no motion.
        actor.player.advance_to(f64::from(i).max(1e-9) / 60.0);
        actor.place = Mat4::from_translation(walk(i)).into();
        actor.update();
        if i == 0 {
            continue;
        }
        let now = reference.step(walk(i).as_dvec3(), forces(f64::from(0.25_f32)), direction);
        // A frame shows the step before it; the place no longer changes.
        if i > 52 {
            for (node, (rotation, place)) in before.iter().enumerate() {
                let got = Mat4::from(actor.node_matrices()[id(node)]).as_dmat4();
                let want = DMat4::from_rotation_translation(*rotation, *place);
                assert!(got.abs_diff_eq(want, 1e-4), "frame {i}, node {node}: {got} {want}");
                swung[node] = swung[node].max(rotation.angle_between(now[node].0));
            }
        }
        before = now;
    }
    // Every node below a root swings, also the last ones.
    let swings = swung.map(|angle| angle > 0.01);
    assert_eq!(swings, [false, true, true, true, true, true, true, false]);
}
