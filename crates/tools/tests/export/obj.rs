//! Wavefront OBJ.

use super::common::{files, pip, vertices};
use super::pose::snapshot;
use gambol::animation::SnapshotMeshes;
use gambol_tools::{ObjNames, export_mtl, export_obj};

/// The numbers of all lines that begin with a word.
fn lines<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = Vec<f32>> + 'a {
    let lines = text.lines().filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '));
    lines.map(|line| line.split(' ').map(|number| number.parse().expect("a number")).collect())
}

#[test]
fn export_obj_has_the_bits_of_all_visible_vertices() {
    for file in files() {
        let snapshot = snapshot(&file.model, Some(0), 0.2, SnapshotMeshes::All);
        let text = export_obj(&snapshot, &ObjNames::default(), None);
        let want = vertices(&file.model, Some(0), 0.2);
        let with_faces = file.model.meshes.iter().flat_map(|mesh| &mesh.primitives).all(|primitive| {
            primitive.topology == gambol::model::Topology::Triangles && primitive.split_vertices == 0
        });
        if !with_faces {
            continue;
        }
        let got: Vec<f32> = lines(&text, "v").flatten().collect();
        let want: Vec<f32> =
            want.iter().flat_map(|vertices| vertices.positions.as_flattened().to_vec()).collect();
        assert_eq!(got, want, "{}", file.name);
        assert!(lines(&text, "v").all(|row| row.len() == 3));
    }
}

#[test]
fn export_obj_faces_are_in_range_and_name_their_material() {
    let file = pip();
    let snapshot = snapshot(&file.model, None, 0.0, SnapshotMeshes::All);
    let names = ObjNames {
        nodes: file
            .document
            .list("nodes")
            .iter()
            .map(|node| node["name"].as_str().unwrap_or("").into())
            .collect(),
        materials: vec!["Fur coat".to_owned(); file.model.materials.len()],
    };
    let text = export_obj(&snapshot, &names, Some("pip.mtl"));
    let faces: Vec<&str> = text.lines().filter(|line| line.starts_with("f ")).collect();
    let triangles: usize = file
        .model
        .meshes
        .iter()
        .flat_map(|mesh| &mesh.primitives)
        .map(|p| p.indices.as_ref().map_or(0, Vec::len) / 3)
        .sum();
    assert_eq!(faces.len(), triangles);
    let counts = ["v", "vt", "vn"].map(|word| lines(&text, word).count());
    for corner in faces.iter().flat_map(|face| face[2..].split(' ')) {
        let at: Vec<usize> = corner.split('/').map(|index| index.parse().expect("an index")).collect();
        assert!(at.iter().zip(counts).all(|(&at, count)| (1..=count).contains(&at)), "{corner}");
    }
    assert!(
        text.contains("\nmtllib pip.mtl\n")
            && text.contains("\nusemtl Fur_coat_0\n")
            && text.contains("\no Pip\n")
    );
    let mtl = export_mtl(&file.document.json);
    assert!(mtl.starts_with("newmtl default\n") && mtl.contains("\nKd "));
}
