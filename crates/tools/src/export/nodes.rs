//! Nodes that a page has hidden or shown, in the file of their model.

use super::clips::remove_channels;
use super::pose::{VISIBILITY, other_file};
use super::vertices::members;
use crate::error::ToolsError;
use gambol_gltf::document::Document;
use gambol_gltf::json;

/// Shows or hides nodes by KHR_node_visibility. Everything else stays as it is, but for animations of this visibility: the page has shown
/// or hidden the nodes in place of its clips, so these are removed.
///
/// # Errors
/// `export/other-file` if the file has no such node.
pub fn export_nodes(mut document: Document, list: &[(usize, bool)]) -> Result<Document, ToolsError> {
    for &(index, shown) in list {
        let node = document.list_mut("nodes").get_mut(index).ok_or_else(|| other_file("/nodes"))?;
        let pointer = format!("/extensions/{VISIBILITY}");
        let known = node.pointer(&pointer).is_some();
        // A node is visible without the extension.
        if shown && !known {
            continue;
        }
        if let Some(visibility) = members(node, "extensions").map(|extensions| extensions.entry(VISIBILITY)) {
            let visibility = visibility.or_insert_with(|| json!({}));
            if let Some(object) = visibility.as_object_mut() {
                object.insert("visible".to_owned(), json!(shown));
            }
        }
        document.declare(VISIBILITY, false);
    }
    let animated = |(index, _): &(usize, bool)| format!("/nodes/{index}/extensions/{VISIBILITY}/visible");
    remove_channels(&mut document, &list.iter().map(animated).collect::<Vec<_>>());
    Ok(document)
}
