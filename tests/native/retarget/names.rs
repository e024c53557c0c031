//! Clips by the names of nodes: copies of curves, corrections of rest poses, morph targets.

use super::bodies::{body, mixamo};
use super::world::{key_times, world};
use gambol::animation::retarget::{Mode, Options, Retargeted, retarget};
use gambol::model::{
    Channel, Clip, Curve, Interpolation, Marker, Mesh, MeshId, Model, Node, NodeId, Path, Transform,
};
use glam::{DVec3, Quat, Vec3};
use std::sync::Arc;

fn node(i: usize, name: &str, targets: usize) -> Node {
    Node { name: name.to_owned(), source: i as u32, weights: vec![0.0; targets], ..Node::default() }
}

fn model(names: &[&str]) -> Model {
    let nodes = names.iter().enumerate().map(|(i, name)| node(i, name, 0)).collect();
    Model { nodes, ..Model::default() }
}

fn curve(width: usize, value: f32) -> Curve {
    Curve::new(Interpolation::Step, width, vec![0.0, 1.0], vec![value; 2 * width]).expect("two keys")
}

/// A model whose clip moves each node by its own curve, then scales all of them by the first curve.
fn moving(names: &[&str]) -> Model {
    let mut other = model(names);
    let count = names.len();
    let channel = |node: usize, path, curve| Channel { node: NodeId::new(node), path, curve };
    let channels = (0..count)
        .map(|i| channel(i, Path::Translation, i))
        .chain((0..count).map(|i| channel(i, Path::Scale, 0)));
    let clip = Clip {
        name: "Walk".to_owned(),
        duration: 1.0,
        channels: channels.collect(),
        properties: Vec::new(),
        curves: (0..count).map(|i| curve(3, i as f32)).collect(),
        markers: vec![Marker { name: "step".to_owned(), time: 0.5 }],
    };
    other.clips.push(clip.into());
    other
}

fn by_names(target: &Model, source: &Model) -> Retargeted {
    let options = Options { mode: Mode::Names, ..Options::default() };
    retarget(source, None, target, &options).expect("something matches")
}

fn nodes(clip: &Clip) -> Vec<usize> {
    clip.channels.iter().map(|channel| channel.node.index()).collect()
}

#[test]
fn retarget_by_names_fails_without_a_match_and_names_the_nearest() {
    let options = Options { mode: Mode::Names, ..Options::default() };
    for (own, other) in
        [(vec!["", "_"], vec![""]), (vec![], vec!["Hips"]), (vec!["Hand"], vec!["Tail", "Handle"])]
    {
        let error = retarget(&moving(&other), None, &model(&own), &options).expect_err("nothing fits");
        assert_eq!(error.code(), "clip/no-match");
    }
    let error = retarget(&moving(&["Tail", "Handle"]), None, &model(&["Hand"]), &options).expect_err("none");
    let text = error.to_string();
    assert_eq!(
        text,
        "The clips animate no joint that the model has: “Tail”, “Handle” (the nearest is “Hand”). Name the human bones in a map."
    );
    // Without clips there is nothing that could fail.
    let none = retarget(&model(&["a"]), None, &model(&["b"]), &options).expect("no clips");
    assert_eq!((none.clips.len(), none.report.skipped), (0, 0));
}

#[test]
fn retarget_by_names_moves_the_nodes_of_the_same_names() {
    let own = model(&["Hips", "Spine", "mixamorig:Head"]);
    let Retargeted { clips, report } = by_names(&own, &moving(&["head", "Tail", "Hips"]));
    assert_eq!((clips.len(), report.skipped), (1, 2), "the tail stays");
    let clip = &clips[0];
    let moved: Vec<_> = clip.channels.iter().map(|one| (one.node.index(), one.path, one.curve)).collect();
    let of = |path| [(2, path, 0), (0, path, if path == Path::Scale { 0 } else { 1 })];
    assert_eq!(moved, [of(Path::Translation), of(Path::Scale)].concat());
    assert_eq!(clip.curves.iter().map(|curve| curve.values()[0]).collect::<Vec<_>>(), [0.0, 2.0]);
    assert_eq!((clip.name.as_str(), clip.duration, clip.markers.len()), ("Walk", 1.0, 1));
}

#[test]
fn retarget_by_names_moves_nothing_twice_and_nothing_without_a_name() {
    let own = model(&["", "Hand", "hand"]);
    let Retargeted { clips, report } = by_names(&own, &moving(&["HAND", "", "_", "x:hand"]));
    assert_eq!(nodes(&clips[0]), [1, 1]);
    assert_eq!(report.skipped, 6);
}

#[test]
fn retarget_by_names_prefers_nodes_below_the_same_parents() {
    let tree = || {
        let mut tree = moving(&["a", "Bone", "b", "Bone"]);
        tree.nodes[1].parent = Some(NodeId::new(0));
        tree.nodes[3].parent = Some(NodeId::new(2));
        tree
    };
    let mut own = tree();
    own.clips.clear();
    assert_eq!(nodes(&by_names(&own, &tree()).clips[0]), [0, 1, 2, 3, 0, 1, 2, 3]);
}

#[test]
fn retarget_by_names_finds_what_joints_are_found_by() {
    use gambol::animation::find_joint;
    let own = model(&["Hand.L", "hand_l", "", "-", "頭", "x:頭", "Hand.R", "HAND R"]);
    let names =
        ["Hand.L", "hand_l", "HandL", "a:hand-l", "", "-", "_", "頭", "手", "handr", "HAND R", "Hand"];
    for name in names {
        let options = Options { mode: Mode::Names, ..Options::default() };
        let found = retarget(&moving(&[name]), None, &own, &options).ok();
        let found = found.map(|found| found.clips[0].channels[0].node);
        assert_eq!(found, find_joint(&own, name), "{name}");
    }
}

#[test]
fn retarget_morph_weights_fit_as_many_targets() {
    let mut own = model(&["A", "B"]);
    own.nodes[0].weights = vec![0.0; 2];
    own.nodes[1].weights = vec![0.0; 3];
    let mut other = moving(&["A", "B"]);
    let clip = Arc::make_mut(&mut other.clips[0]);
    clip.curves = vec![curve(2, 0.5); 2];
    clip.channels.iter_mut().for_each(|channel| channel.path = Path::Weights);
    let Retargeted { clips, report } = by_names(&own, &other);
    assert_eq!(nodes(&clips[0]), [0]);
    assert_eq!(report.skipped, 3, "one of the same twice, two of another number");
}

/// A node with named morph targets.
fn face(model: &mut Model, name: &str, targets: &[&str], rest: f32) {
    let mesh = MeshId::new(model.meshes.len());
    let names = targets.iter().map(|name| (*name).to_owned()).collect();
    model.meshes.push(Mesh { weights: vec![0.0; targets.len()], target_names: names, ..Mesh::default() });
    let i = model.nodes.len();
    model.nodes.push(Node { mesh: Some(mesh), weights: vec![rest; targets.len()], ..node(i, name, 0) });
}

#[test]
fn retarget_morph_weights_follow_the_names_of_targets() {
    let (mut own, mut other) = (model(&[]), model(&[]));
    face(&mut other, "Head", &["smile", "", "blink"], 0.0);
    face(&mut own, "Body", &["blink", "other", "smile", ""], 0.25);
    face(&mut own, "Teeth", &["tongue"], 0.0);
    let times = vec![0.0, 1.0];
    let values = vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    let curve = Curve::new(Interpolation::Linear, 3, times, values).expect("two keys");
    let channels = vec![Channel { node: NodeId::new(0), path: Path::Weights, curve: 0 }];
    let clip = Clip { curves: vec![curve], channels, duration: 1.0, ..Clip::default() };
    other.clips.push(clip.into());
    let Retargeted { clips, report } = by_names(&own, &other);
    assert_eq!((nodes(&clips[0]), report.skipped), (vec![0], 0));
    assert_eq!(clips[0].curves[0].values(), [0.3, 0.25, 0.1, 0.25, 0.6, 0.25, 0.4, 0.25]);
    // Tangents of targets at rest are zero.
    let spline = Curve::new(Interpolation::CubicSpline, 3, vec![0.0], (1..=9).map(|i| i as f32).collect());
    Arc::make_mut(&mut other.clips[0]).curves[0] = spline.expect("one key");
    let values = by_names(&own, &other).clips[0].curves[0].values().to_vec();
    assert_eq!(values, [3.0, 0.0, 1.0, 0.0, 6.0, 0.25, 4.0, 0.25, 9.0, 0.0, 7.0, 0.0]);
}

/// A chain of three nodes with a clip that turns them and moves the first.
fn chain(rests: [Transform; 3], interpolation: Interpolation) -> Model {
    let mut model = model(&["top", "middle", "end"]);
    for (i, rest) in rests.into_iter().enumerate() {
        model.nodes[i].rest = rest;
        model.nodes[i].parent = i.checked_sub(1).map(NodeId::new);
    }
    let mut clip = Clip { name: "turn".to_owned(), duration: 1.0, ..Clip::default() };
    let mut put = |node: usize, path: Path, rows: [[f32; 4]; 2]| {
        let width = if path == Path::Rotation { 4 } else { 3 };
        let mut values = Vec::new();
        for row in rows {
            let tangent = vec![0.1; width];
            let spline = interpolation == Interpolation::CubicSpline;
            values.extend(tangent.iter().filter(|_| spline));
            values.extend(&row[..width]);
            values.extend(tangent.iter().filter(|_| spline));
        }
        let curve = Curve::new(interpolation, width, vec![0.0, 1.0], values).expect("two keys");
        clip.channels.push(Channel { node: NodeId::new(node), path, curve: clip.curves.len() });
        clip.curves.push(curve);
    };
    let turn = |x: f32, y: f32, z: f32| Quat::from_euler(glam::EulerRot::XYZ, x, y, z).to_array();
    put(0, Path::Rotation, [turn(0.1, 0.0, 0.2), turn(0.4, -0.3, 0.0)]);
    put(1, Path::Rotation, [turn(0.3, 0.2, 0.1), turn(-0.6, 0.1, 0.5)]);
    put(2, Path::Rotation, [turn(-0.2, 0.5, 0.0), turn(0.2, 0.2, -0.4)]);
    put(0, Path::Translation, [[0.0, 1.0, 0.0, 0.0], [0.5, 1.25, 0.0, 0.0]]);
    model.clips.push(clip.into());
    model
}

fn rest(translation: [f32; 3], rotation: Quat) -> Transform {
    Transform { translation: Vec3::from_array(translation), rotation, ..Transform::IDENTITY }
}

#[test]
fn retarget_by_names_copies_curves_where_the_skeletons_agree() {
    let bones = [
        rest([0.0, 1.0, 0.0], Quat::IDENTITY),
        rest([0.0, 0.5, 0.0], Quat::IDENTITY),
        rest([0.0, 0.4, 0.1], Quat::IDENTITY),
    ];
    // The same bones in another pose at rest: their axes are the same, so rotations are.
    let mut posed = bones;
    posed[0].translation = Vec3::new(0.0, 0.7, 0.3);
    posed[0].rotation = Quat::from_rotation_x(0.9);
    posed[1].rotation = Quat::from_rotation_z(-0.5);
    for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let source = chain(bones, interpolation);
        for own in [bones, posed] {
            let made = by_names(&chain(own, interpolation), &source);
            assert_eq!(made.clips[0].curves, source.clips[0].curves);
            assert_eq!(made.clips[0].channels, source.clips[0].channels);
        }
        let auto =
            retarget(&source, None, &chain(bones, interpolation), &Options::default()).expect("a match");
        assert_eq!(auto.report.conventions, None);
    }
}

#[test]
fn retarget_by_names_corrects_other_axes_at_every_key() {
    // The same body with joints that are turned about their bones, and twice as large.
    let bones = [
        rest([0.0, 1.0, 0.0], Quat::IDENTITY),
        rest([0.0, 0.5, 0.0], Quat::IDENTITY),
        rest([0.0, 0.4, 0.0], Quat::IDENTITY),
    ];
    let turns = [
        Quat::from_rotation_z(1.2),
        Quat::from_rotation_x(-0.8) * Quat::from_rotation_y(2.0),
        Quat::from_rotation_y(0.4),
    ];
    let mut own = bones;
    let mut above = Quat::IDENTITY;
    for (bone, turn) in own.iter_mut().zip(turns) {
        bone.translation = above.inverse() * bone.translation * 2.0;
        bone.rotation = above.inverse() * turn;
        above = turn;
    }
    for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let (source, target) = (chain(bones, interpolation), chain(own, interpolation));
        let made = by_names(&target, &source);
        let clip = &made.clips[0];
        assert!(clip.curves.iter().all(|curve| curve.interpolation() == interpolation));
        for time in [0.0, 0.3, 0.77, 1.0] {
            let other = world(&source, Some(&source.clips[0]), time);
            let mine = world(&target, Some(clip), time);
            for i in 0..3 {
                let (a, b) = (other[i].translation * 2.0, mine[i].translation);
                assert!((a - b).length() < 1e-5, "{interpolation:?} {i} at {time}: {a} {b}");
                // Turned from the rest pose by the same rotation.
                let rests = [world(&source, None, 0.0), world(&target, None, 0.0)];
                for axis in [DVec3::X, DVec3::Y] {
                    let a = other[i].matrix3 * (rests[0][i].matrix3.inverse() * axis);
                    let b = mine[i].matrix3 * (rests[1][i].matrix3.inverse() * axis);
                    assert!((a - b).length() < 1e-5, "{interpolation:?} {i} at {time}");
                }
            }
        }
    }
}

#[test]
fn retarget_prefers_names_for_the_same_skeleton_only() {
    let own = body("mixamo", &mixamo());
    let same = retarget(&own.model, None, &own.model, &Options::default()).expect("the same");
    assert_eq!(same.report.conventions, None);
    assert_eq!(same.clips[0].curves, own.model.clips[0].curves, "copies");
    let child = body("child", &gambol_like(0.5));
    let made = retarget(&own.model, None, &child.model, &Options::default()).expect("humanoids");
    assert!(made.report.conventions.is_some(), "the same names with other lengths are other bodies");
    assert_eq!(key_times(&made.clips[0]), key_times(&own.model.clips[0]));
}

fn gambol_like(size: f64) -> super::bodies::Spec {
    let mut spec = mixamo();
    for length in [&mut spec.thigh, &mut spec.shank, &mut spec.torso] {
        *length *= size;
    }
    spec
}
