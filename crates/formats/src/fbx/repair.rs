//! Binary files whose lists of nodes lack the null record at their end.
//!
//! Assimp writes such files. Most readers stop at the offset of the list's end, but ufbx needs the records of the lists
//! of top-level nodes.

use super::records::{File, NODES, Node};

/// The file with null records at the end of the lists of all top-level nodes. `None` if no record is missing, or if the
/// file is damaged in another way.
pub(super) fn with_null_records(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = File::new(bytes)?;
    let mut missing = false;
    let mut at = NODES;
    while let Some(node) = file.node(at)? {
        missing |= node.list < node.end && file.lacks_null_record(node)?;
        at = node.end;
    }
    if !missing {
        return None;
    }
    let mut repaired = bytes[..NODES].to_vec();
    let mut at = NODES;
    while let Some(node) = file.node(at)? {
        // Offsets of all nodes in the list move by the records that were added before it.
        let shift = repaired.len() - at;
        repaired.extend(&bytes[at..node.end]);
        let mut open = vec![(at, node.end)];
        while let Some((mut at, end)) = open.pop() {
            while at < end {
                let Some(node) = file.node(at)? else { break };
                if node.end > end {
                    return None;
                }
                file.put_end(&mut repaired, at + shift, node.end + shift);
                open.push((node.list, node.end));
                at = node.end;
            }
        }
        if node.list < node.end && file.lacks_null_record(node)? {
            repaired.resize(repaired.len() + file.record(), 0);
            let end = repaired.len();
            file.put_end(&mut repaired, at + shift, end);
        }
        at = node.end;
    }
    repaired.extend(&bytes[at..]);
    Some(repaired)
}

impl File<'_> {
    fn lacks_null_record(&self, node: Node) -> Option<bool> {
        let mut at = node.list;
        while at < node.end {
            match self.node(at)? {
                Some(child) if child.end <= node.end => at = child.end,
                Some(_) => return None,
                None => return Some(false),
            }
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node of version 7.4: name, length of values, nodes of its list, which null record ends it.
    fn node(bytes: &mut Vec<u8>, name: &str, values: &[u8], list: &[&str], null: bool) {
        let start = bytes.len();
        bytes.extend([0; 12]);
        bytes[start + 8] = values.len() as u8;
        bytes.push(name.len() as u8);
        bytes.extend(name.as_bytes());
        bytes.extend(values);
        list.iter().for_each(|name| node(bytes, name, b"I1234", &[], false));
        bytes.resize(bytes.len() + if null { 13 } else { 0 }, 0);
        let end = bytes.len() as u32;
        bytes[start..start + 4].copy_from_slice(&end.to_le_bytes());
    }

    fn file(null: bool) -> Vec<u8> {
        let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
        bytes.extend(7400_u32.to_le_bytes());
        node(&mut bytes, "A", b"", &["a", "b"], null);
        node(&mut bytes, "B", b"I0000", &[], false);
        node(&mut bytes, "C", b"", &["c"], null);
        bytes.resize(bytes.len() + 13, 0);
        bytes.extend(b"footer");
        bytes
    }

    #[test]
    fn fbx_missing_null_records_are_added() {
        assert_eq!(with_null_records(&file(false)), Some(file(true)));
        assert_eq!(with_null_records(&file(true)), None);
    }

    #[test]
    fn fbx_files_with_other_faults_are_not_repaired() {
        let file = file(false);
        for end in 0..file.len() - 20 {
            assert_eq!(with_null_records(&file[..end]), None, "{end}");
        }
        // The ends of a top-level node, of a node in it, and of one in a later node.
        for at in [27, 41, 112] {
            let mut long = file.clone();
            for end in [9_999, file.len() as u32] {
                long[at..at + 4].copy_from_slice(&u32::to_le_bytes(end));
                assert_eq!(with_null_records(&long), None, "{at}");
            }
        }
    }
}
