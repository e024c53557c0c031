//! Nodes that are hidden or shown in an exported file.

use super::common::pip;
use gambol_gltf::json;
use gambol_gltf::json::Value;
use gambol_tools::{Document, codes, export_nodes};

fn visible(document: &Document, node: usize) -> Option<bool> {
    document.list("nodes")[node].pointer("/extensions/KHR_node_visibility/visible").and_then(Value::as_bool)
}

#[test]
fn export_nodes_refuses_a_node_that_the_file_does_not_have() {
    let error = export_nodes(pip().document.clone(), &[(9999, false)]).err();
    assert_eq!(error.map(|error| error.code), Some(codes::EXPORT_OTHER_FILE));
}

#[test]
fn export_nodes_hides_by_the_extension_and_leaves_everything_else() {
    let before = pip().document.clone();
    let mut after = export_nodes(before.clone(), &[(1, false), (2, true)]).unwrap();
    assert_eq!((visible(&after, 1), visible(&after, 2)), (Some(false), None), "a node is visible anyway");
    let again = export_nodes(after.clone(), &[(1, true)]).unwrap();
    assert_eq!(visible(&again, 1), Some(true), "the extension stays, which an animation may name");
    assert!(after.list("extensionsUsed").contains(&json!("KHR_node_visibility")));
    assert!(!after.list("extensionsRequired").contains(&json!("KHR_node_visibility")));
    after.undeclare("KHR_node_visibility");
    if let Some(node) = after.list_mut("nodes")[1].as_object_mut() {
        node.remove("extensions");
    }
    assert_eq!(after.list("nodes"), before.list("nodes"));
    assert_eq!(after.list("extensionsUsed"), before.list("extensionsUsed"));
}
