//! Shared by the tests of the structure: the files below a folder, and cycles of files that use each other.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

/// The files below a folder of the repository with this extension: their paths relative to it, with slashes and sorted,
/// and their text. `skipped`: folders to skip.
pub(crate) fn files_below(folder: &str, extension: &str, skipped: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut folders, mut files) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry of a folder").path();
            let name = path.strip_prefix(&root).expect("a path below the folder");
            let name = name.to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                if !skipped.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push((name, fs::read_to_string(&path).expect("a source file")));
            }
        }
    }
    files.sort();
    assert!(files.len() > 50, "the sources were not found");
    files
}

/// The cycles of a graph: for each, the shortest path from its lowest node, without the return to it. `edges` has the
/// successors of each node; an edge from a node to itself is a cycle only with `itself`.
pub(crate) fn loops(edges: &[Vec<usize>], itself: bool) -> Vec<Vec<usize>> {
    let ways = (0..edges.len()).filter_map(|start| Some((start, way_back(edges, start, itself)?)));
    // Each cycle is reported once.
    ways.filter(|(start, way)| way.iter().all(|other| other >= start)).map(|(_, way)| way).collect()
}

fn way_back(edges: &[Vec<usize>], start: usize, itself: bool) -> Option<Vec<usize>> {
    let mut ways = VecDeque::from([vec![start]]);
    let mut reached = vec![false; edges.len()];
    while let Some(way) = ways.pop_front() {
        let from = *way.last()?;
        for &next in edges[from].iter().filter(|&&next| itself || next != from) {
            if next == start {
                return Some(way);
            }
            if !std::mem::replace(&mut reached[next], true) {
                ways.push_back([&way[..], &[next]].concat());
            }
        }
    }
    None
}

#[test]
fn import_cycles_are_found_once_by_their_shortest_path() {
    let straight = [vec![1, 2], vec![2], vec![]];
    assert!(loops(&straight, true).is_empty());
    let round = [vec![1], vec![2], vec![1, 3], vec![1]];
    assert_eq!(loops(&round, true), [vec![1, 2]]);
    assert_eq!(loops(&[vec![0]], true), [vec![0]]);
    assert!(loops(&[vec![0]], false).is_empty());
}
