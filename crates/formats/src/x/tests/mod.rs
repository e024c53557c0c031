pub(super) mod arm;
pub(super) mod encode;

mod broken;
mod whole;

use crate::conversion::Conversion;
use crate::error::{FormatError, Place, Warning};
use crate::scene::{Channel, Node, Path, Scene};
use crate::{Options, to_glb};

const HEADER: &str = "xof 0303txt 0032\n";

fn file(body: &str) -> Vec<u8> {
    [HEADER, body].concat().into_bytes()
}

fn read_bytes(bytes: &[u8]) -> (Scene, Vec<Warning>) {
    let options = Options::default();
    let conversion = Conversion::new(&options, "walk.x", bytes.len());
    let scene = super::read(bytes, &conversion).unwrap_or_else(|error| panic!("{}: {error}", error.code));
    (scene, conversion.into_warnings())
}

/// Reads a text file after its header.
fn read(body: &str) -> (Scene, Vec<Warning>) {
    read_bytes(&file(body))
}

fn quiet(body: &str) -> Scene {
    let (scene, warnings) = read(body);
    assert_eq!(warnings, []);
    scene
}

fn error(bytes: &[u8]) -> FormatError {
    to_glb(bytes, "walk.x", &Options::default()).expect_err("an invalid file")
}

fn codes(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.code).collect()
}

fn at(line: u32, column: u32) -> Place {
    Place::Text { line, column }
}

fn node<'a>(scene: &'a Scene, name: &str) -> (usize, &'a Node) {
    let found = scene.nodes.iter().enumerate().find(|(_, node)| node.name == name);
    found.unwrap_or_else(|| panic!("there is no node {name}"))
}

fn channel<'a>(scene: &'a Scene, name: &str, path: Path) -> &'a Channel {
    let (node, _) = node(scene, name);
    let found = scene.clips[0].channels.iter().find(|channel| channel.node == node && channel.path == path);
    found.unwrap_or_else(|| panic!("{name} has no {path:?}"))
}

/// A mesh of a triangle with more parts.
fn triangle(parts: &str) -> String {
    format!("Mesh M {{ 3; 0.0;0.0;0.0;, 1.0;0.0;0.0;, 0.0;1.0;2.0;; 1; 3;0,1,2;; {parts} }}")
}
