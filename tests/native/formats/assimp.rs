//! Converted files against an independent reader: Assimp (Debian's package `assimp-utils`). It writes what it read as XML;
//! the poses are evaluated here.

#![expect(clippy::print_stdout, reason = "the errors of each file are worth seeing with --nocapture")]

use super::samples::{arms, figure, motion};
use super::{Moment, converted};
use crate::oracle::skipped;
use gambol::animation::Rig;
use gambol::model::Model;
use glam::{DMat3, DMat4, DQuat, DVec3};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An element of an XML file.
#[derive(Default)]
struct Element {
    name: String,
    attributes: HashMap<String, String>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn parse(text: &str) -> Self {
        let mut open = vec![Self::default()];
        for piece in text.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').expect("the end of a tag");
            if tag.starts_with(['?', '!']) {
                continue;
            }
            if !tag.starts_with('/') {
                let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
                let mut attributes = HashMap::new();
                let mut parts = rest.split('"');
                while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                    attributes.insert(key.trim().trim_end_matches('=').to_owned(), value.to_owned());
                }
                let name = name.trim_end_matches('/').to_owned();
                open.push(Self { name, attributes, text: text.to_owned(), children: Vec::new() });
            }
            if tag.starts_with('/') || tag.ends_with('/') {
                let closed = open.pop().expect("an element");
                open.last_mut().expect("its parent").children.push(closed);
            }
        }
        open.swap_remove(0)
    }

    fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first element at a path; an empty one if there is none.
    fn at(&self, path: &str) -> &Self {
        static NONE: std::sync::LazyLock<Element> = std::sync::LazyLock::new(Element::default);
        path.split('/').fold(self, |element, name| element.all(name).next().unwrap_or(&NONE))
    }

    fn numbers(&self) -> Vec<f64> {
        self.text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
    }

    fn vectors(&self) -> Vec<DVec3> {
        self.numbers().as_chunks::<3>().0.iter().map(|&vector| vector.into()).collect()
    }

    fn matrix(&self) -> DMat4 {
        let numbers = self.at("Matrix4").numbers();
        DMat4::from_cols_array(numbers.as_array().expect("16 numbers")).transpose()
    }

    fn number(&self, attribute: &str) -> f64 {
        self.attributes[attribute].parse().expect("a number")
    }
}

/// Keys of a part of a transform: time and value.
type Keys<T> = Vec<(f64, T)>;

struct Channel {
    translations: Keys<DVec3>,
    rotations: Keys<DQuat>,
    scales: Keys<DVec3>,
}

fn keys<T>(animation: &Element, part: &str, value: impl Fn(&[f64]) -> T) -> Keys<T> {
    let key = format!("{part}Key");
    animation
        .at(&format!("{part}KeyList"))
        .all(&key)
        .map(|key| (key.number("time"), value(&key.numbers())))
        .collect()
}

fn sample<T: Copy>(keys: &Keys<T>, time: f64, rest: T, mix: impl Fn(T, T, f64) -> T) -> T {
    let next = keys.partition_point(|&(key, _)| key <= time);
    match (next.checked_sub(1).and_then(|last| keys.get(last)), keys.get(next)) {
        (None, None) => rest,
        (Some(&(_, value)), None) | (None, Some(&(_, value))) => value,
        (Some(&(start, a)), Some(&(end, b))) => mix(a, b, (time - start) / (end - start)),
    }
}

/// The file as Assimp read it.
pub(super) struct Reference {
    scene: Element,
    ticks: f64,
    duration: f64,
    channels: HashMap<String, Channel>,
    /// Assimp reverses the corners of faces.
    reversed: bool,
}

impl Reference {
    fn new(text: &str, reversed: bool) -> Self {
        let scene = Element::parse(text);
        let animation = scene.at("ASSIMP/Scene/AnimationList/Animation");
        let vector = |numbers: &[f64]| DVec3::from_slice(numbers);
        let channels = animation.at("NodeAnimList").all("NodeAnim").map(|channel| {
            let parts = Channel {
                translations: keys(channel, "Position", vector),
                rotations: keys(channel, "Rotation", |numbers| DQuat::from_slice(numbers).normalize()),
                scales: keys(channel, "Scaling", vector),
            };
            (channel.attributes["node"].clone(), parts)
        });
        let channels = channels.collect();
        let (ticks, duration) = (animation.number("tick_cnt"), animation.number("duration"));
        Self { scene, ticks, duration, channels, reversed }
    }

    /// The world matrices of all nodes at a time in ticks, and the meshes of each, by a walk through the tree.
    fn nodes(&self, time: f64) -> Vec<(String, DMat4, Vec<usize>)> {
        let mut nodes = Vec::new();
        let mut waiting = vec![(self.scene.at("ASSIMP/Scene/Node"), DMat4::IDENTITY)];
        while let Some((node, parent)) = waiting.pop() {
            let name = &node.attributes["name"];
            let mut local = node.matrix();
            if let Some(channel) = self.channels.get(name) {
                let (scale, rotation, translation) = local.to_scale_rotation_translation();
                let vector = |a: DVec3, b: DVec3, t| a.lerp(b, t);
                local = DMat4::from_scale_rotation_translation(
                    sample(&channel.scales, time, scale, vector),
                    sample(&channel.rotations, time, rotation, |a, b, t| a.slerp(b, t)),
                    sample(&channel.translations, time, translation, vector),
                );
            }
            let world = parent * local;
            let meshes = node.at("MeshRefs").numbers().into_iter().map(|mesh| mesh as usize).collect();
            nodes.push((name.clone(), world, meshes));
            let first = waiting.len();
            waiting.extend(node.at("NodeList").all("Node").map(|child| (child, world)));
            waiting[first..].reverse();
        }
        nodes
    }

    /// The corners of all triangles at a time in ticks. `follows`: bones that are missing, with those that they follow.
    fn triangles(&self, time: f64, follows: &[(&str, &str)]) -> Vec<[DVec3; 3]> {
        let nodes = self.nodes(time);
        let world: HashMap<_, _> = nodes.iter().map(|(name, world, _)| (name.as_str(), *world)).collect();
        let meshes: Vec<_> = self.scene.at("ASSIMP/Scene/MeshList").all("Mesh").collect();
        let mut triangles = Vec::new();
        for (_, matrix, indices) in &nodes {
            for mesh in indices.iter().map(|&index| meshes[index]) {
                let rest = mesh.at("Positions").vectors();
                let bones: Vec<_> = mesh.at("BoneList").all("Bone").collect();
                let skin: HashMap<_, _> = bones
                    .iter()
                    .filter_map(|bone| {
                        let name = bone.attributes["name"].as_str();
                        Some((name, *world.get(name)? * bone.matrix()))
                    })
                    .collect();
                let mut positions = vec![DVec3::ZERO; rest.len()];
                for bone in &bones {
                    let name = bone.attributes["name"].as_str();
                    let followed =
                        follows.iter().find(|(lost, _)| *lost == name).map_or(name, |(_, other)| other);
                    for weight in bone.at("WeightList").all("Weight") {
                        let vertex = weight.number("index") as usize;
                        positions[vertex] +=
                            skin[followed].transform_point3(rest[vertex]) * weight.numbers()[0];
                    }
                }
                if bones.is_empty() {
                    positions = rest.iter().map(|&point| matrix.transform_point3(point)).collect();
                }
                for face in mesh.at("FaceList").all("Face") {
                    let mut corners: Vec<_> =
                        face.numbers().iter().map(|&vertex| positions[vertex as usize]).collect();
                    if self.reversed {
                        corners.reverse();
                    }
                    // Of reversed faces, converted faces are fans of reversed triangles.
                    triangles.extend((2..corners.len()).map(|i| {
                        let [a, b, c] = [0, i - 1, i].map(|corner| corners[corner]);
                        if self.reversed { [a, c, b] } else { [a, b, c] }
                    }));
                }
            }
        }
        triangles
    }
}

/// A file as Assimp reads it. `None` without Assimp.
pub(super) fn assimp(name: &str, file: &[u8]) -> Option<Reference> {
    let folder = std::env::temp_dir().join(format!("gambol-assimp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (from, to) = (folder.join(name), folder.join(format!("{name}.xml")));
    std::fs::write(&from, file).expect("a file");
    let output = Command::new("assimp").arg("dump").args([&from, &to]).output();
    let Ok(output) = output else {
        skipped(&format!("{name} against Assimp: there is no program `assimp` (Debian: assimp-utils)"));
        return None;
    };
    let text = std::fs::read_to_string(&to);
    let _ = [&from, &to].map(std::fs::remove_file);
    let _ = std::fs::remove_dir(&folder);
    let log = || String::from_utf8_lossy(&output.stdout).into_owned();
    let text = text.unwrap_or_else(|_| panic!("Assimp cannot read {name}: {}", log()));
    Some(Reference::new(&text, name.ends_with(".x")))
}

/// The times at which poses are compared.
const TIMES: usize = 20;

/// Compares all vertices at 20 times of the first clip.
pub(super) fn compare_vertices(name: &str, model: &Model, reference: &Reference, follows: &[(&str, &str)]) {
    let rig = Rig::new(model);
    let mut worst = 0.0_f64;
    assert!((f64::from(model.clips[0].duration) - reference.duration / reference.ticks).abs() < 1e-6);
    for i in 0..TIMES {
        let ticks = reference.duration * i as f64 / (TIMES - 1) as f64;
        let found = Moment::new(model, &rig, 0, ticks / reference.ticks).triangles();
        let expected = reference.triangles(ticks, follows);
        assert_eq!(found.len(), expected.len(), "{name}: triangles");
        assert!(!found.is_empty(), "{name} has triangles");
        let corners = expected.as_flattened();
        let least = corners.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let most = corners.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let diagonal = least.distance(most);
        for (a, b) in found.as_flattened().iter().zip(corners) {
            let error = a.distance(*b) / diagonal;
            assert!(error <= 1e-4, "{name} at {ticks}: {a} instead of {b}, by {error} diagonals");
            worst = worst.max(error);
        }
    }
    println!("{name}: all vertices within {worst:.1e} diagonals");
}

/// Compares the matrices of nodes of these names at 20 times of the first clip.
pub(super) fn compare_nodes(
    name: &str,
    model: &Model,
    reference: &Reference,
    names: &[(&str, &str)],
    size: f64,
) {
    let rig = Rig::new(model);
    for i in 0..TIMES {
        let ticks = reference.duration * i as f64 / (TIMES - 1) as f64;
        let moment = Moment::new(model, &rig, 0, ticks / reference.ticks);
        let nodes = reference.nodes(ticks);
        for (own, other) in names {
            let found = moment.matrix(own);
            let (_, expected, _) = nodes.iter().find(|(name, ..)| name == other).expect("the node");
            let moved = found.w_axis.distance(expected.w_axis);
            let turned = (DMat3::from_mat4(found) - DMat3::from_mat4(*expected)).abs();
            let turned = turned.to_cols_array().into_iter().fold(0.0, f64::max);
            assert!(moved <= 1e-4 * size && turned <= 1e-4, "{name} at {ticks}: {own}: {moved}, {turned}");
        }
    }
}

#[test]
fn x_vertices_are_those_of_assimp() {
    for (name, file) in arms() {
        let Some(reference) = assimp(name, &file) else { return };
        let model = converted(&file, name, None);
        compare_vertices(name, &model, &reference, &[]);
        let bones = ["Root", "Upper", "Lower", "Hand", "Stand"].map(|bone| (bone, bone));
        compare_nodes(name, &model, &reference, &bones, 6.0);
    }
}

fn shared(name: &str) -> Option<(PathBuf, Vec<u8>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/assets/x").join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some((path, bytes)),
        Err(_) => {
            skipped(&format!("{} is not there", path.display()));
            None
        }
    }
}

/// Two of its four bones are missing; they follow the nearest.
#[test]
fn x_file_with_missing_bones_moves_as_in_assimp() {
    let name = "anim_test.x";
    let Some((_, file)) = shared(name) else { return };
    let Some(reference) = assimp(name, &file) else { return };
    let model = converted(&file, name, None);
    compare_vertices(name, &model, &reference, &[("joint3", "joint2"), ("joint4", "joint2")]);
    let bones = ["pCylinder1", "joint1", "joint2", "ikHandle1"].map(|bone| (bone, bone));
    compare_nodes(name, &model, &reference, &bones, 10.0);
}

/// Still files: text, binary, compressed, and one with weights of vertices that do not exist.
#[test]
fn x_files_of_others_are_read() {
    for name in
        ["test_cube_text.x", "test_cube_binary.x", "test_cube_compressed.x", "malformed_skinweights_oob.x"]
    {
        let Some((_, file)) = shared(name) else { return };
        let model = converted(&file, name, None);
        assert_eq!((model.meshes.len(), model.skins.len(), model.clips.len()), (1, 1, 0), "{name}");
        let primitive = &model.meshes[0].primitives[0];
        assert_eq!(
            (primitive.vertex_count(), primitive.indices.as_ref().map(Vec::len)),
            (24, Some(36)),
            "{name}"
        );
        assert_eq!(model.materials[0].base_color[3], 1.0);
    }
}

#[test]
fn bvh_joints_are_those_of_assimp() {
    let file = figure(&motion(40));
    let Some(reference) = assimp("run.bvh", file.as_bytes()) else { return };
    let model = converted(file.as_bytes(), "run.bvh", Some(1.0));
    let own =
        ["Hips", "Spine", "Head", "Head_End", "LeftArm", "LeftHand", "LeftHand_End", "LeftLeg", "LeftFoot"];
    let names: Vec<_> = own
        .iter()
        .map(|&name| {
            (name, name.strip_suffix("_End").map_or(name.to_owned(), |name| format!("EndSite_{name}")))
        })
        .collect();
    let names: Vec<_> = names.iter().map(|(own, other)| (*own, other.as_str())).collect();
    compare_nodes("run.bvh", &model, &reference, &names, 170.0);
}
