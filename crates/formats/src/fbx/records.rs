//! The records of a binary file.
//!
//! A node is a record (offset of its end, number and length of its values, length of its name), its name, its values,
//! and possibly a list of nodes, which ends with a null record. Offsets count from the start of the file.

const VERSION: usize = 23;
/// The offset of the first node.
pub(super) const NODES: usize = 27;

/// A binary file.
pub(super) struct File<'a> {
    bytes: &'a [u8],
    /// The size of an offset.
    word: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The start of the values.
    values: usize,
    /// The start of the list of nodes; without a list, the end.
    pub(super) list: usize,
    pub(super) end: usize,
}

/// A part of the file, in its order.
pub(super) enum Event {
    /// A node begins. The nodes of its list follow.
    Node {
        at: usize,
        node: Node,
    },
    /// The last node that has begun ends.
    End,
    Null {
        at: usize,
    },
}

impl<'a> File<'a> {
    /// `None` if the file is not binary.
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let version = bytes.starts_with(b"Kaydara FBX Binary").then(|| bytes.get(VERSION..NODES))??;
        let version = version.try_into().ok().map(u32::from_le_bytes)?;
        Some(Self { bytes, word: if version >= 7500 { 8 } else { 4 } })
    }

    /// The bytes before the first node.
    pub(super) fn header(&self) -> &'a [u8] {
        &self.bytes[..NODES]
    }

    /// The size of a record, which a byte for the length of the name ends.
    pub(super) fn record(&self) -> usize {
        3 * self.word + 1
    }

    fn number(&self, at: usize) -> Option<usize> {
        let mut number = [0; 8];
        number[..self.word].copy_from_slice(self.bytes.get(at..at + self.word)?);
        usize::try_from(u64::from_le_bytes(number)).ok()
    }

    /// The node at an offset: `None` if it is cut off or its numbers are wrong, `Some(None)` if it is a null record.
    pub(super) fn node(&self, at: usize) -> Option<Option<Node>> {
        let end = self.number(at)?;
        let length = self.number(at + 2 * self.word)?;
        let name = usize::from(*self.bytes.get(at + 3 * self.word)?);
        if end == 0 {
            return Some(None);
        }
        let values = at + self.record() + name;
        let list = values.checked_add(length)?;
        (list <= end && end <= self.bytes.len()).then_some(Some(Node { values, list, end }))
    }

    pub(super) fn values(&self, node: Node) -> &'a [u8] {
        &self.bytes[node.values..node.list]
    }

    /// The record of a node with its name.
    pub(super) fn record_and_name(&self, at: usize) -> &'a [u8] {
        let name = usize::from(self.bytes[at + 3 * self.word]);
        &self.bytes[at..at + self.record() + name]
    }

    pub(super) fn null_record(&self, at: usize) -> &'a [u8] {
        &self.bytes[at..at + self.record()]
    }

    pub(super) fn rest(&self, at: usize) -> &'a [u8] {
        &self.bytes[at..]
    }

    /// Writes the end of a node into its record.
    pub(super) fn put_end(&self, bytes: &mut [u8], at: usize, end: usize) {
        bytes[at..at + self.word].copy_from_slice(&(end as u64).to_le_bytes()[..self.word]);
    }

    /// Writes the length of its values into the record of a node.
    pub(super) fn put_values(&self, bytes: &mut [u8], at: usize, length: usize) {
        let at = at + 2 * self.word;
        bytes[at..at + self.word].copy_from_slice(&(length as u64).to_le_bytes()[..self.word]);
    }

    /// All nodes to the null record that ends the list of top-level nodes. `None` where the file is damaged.
    pub(super) fn events(&self) -> impl Iterator<Item = Option<Event>> {
        let mut at = NODES;
        let mut open: Vec<usize> = Vec::new();
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            if open.last() == Some(&at) {
                open.pop();
                return Some(Some(Event::End));
            }
            let event = match self.node(at) {
                Some(Some(node)) if open.last().is_none_or(|&end| node.end <= end) => {
                    open.push(node.end);
                    let event = Event::Node { at, node };
                    at = node.list;
                    Some(event)
                }
                Some(None) if open.last().is_none_or(|&end| at + self.record() == end) => {
                    let event = Event::Null { at };
                    done = open.is_empty();
                    at += self.record();
                    Some(event)
                }
                _ => None,
            };
            done |= event.is_none();
            Some(event)
        })
    }
}
