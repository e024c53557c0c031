//! Dropping accessors and buffer views that nothing refers to.

use super::{Document, Index, visit};

/// For each old index the new one, of those that are kept.
pub fn renumbered(keep: &[bool]) -> Vec<usize> {
    let count = |next: &mut usize, &keep: &bool| {
        let index = *next;
        *next += usize::from(keep);
        Some(index)
    };
    keep.iter().scan(0, count).collect()
}

impl Document {
    /// Drops all accessors that nothing refers to, and then all such buffer views. The others get new indices, in their
    /// order; every reference is changed, those within unknown extensions by the names of their properties.
    pub fn prune(&mut self) {
        let accessors = self.used("accessors", Index::Accessor);
        self.retain("accessors", Index::Accessor, &accessors);
        let views = self.used("bufferViews", Index::View);
        self.retain_views(&views);
        self.retain("bufferViews", Index::View, &views);
    }

    /// For each element of a list, `true` if anything refers to it.
    fn used(&mut self, name: &str, kind: Index) -> Vec<bool> {
        let mut used = vec![false; self.list(name).len()];
        visit(&mut self.json, &mut |found, value| {
            if found == kind
                && let Some(used) = value.as_index().and_then(|index| used.get_mut(index))
            {
                *used = true;
            }
        });
        used
    }

    /// Keeps some elements of a list and changes all references to them.
    pub fn retain(&mut self, name: &str, kind: Index, keep: &[bool]) {
        if keep.iter().all(|&keep| keep) {
            return;
        }
        let renumbered = renumbered(keep);
        visit(&mut self.json, &mut |found, value| {
            if found == kind
                && let Some(&new) = value.as_index().and_then(|index| renumbered.get(index))
            {
                *value = new.into();
            }
        });
        let mut keep = keep.iter();
        self.list_mut(name).retain(|_| keep.next().copied().unwrap_or(true));
        self.drop_empty_list(name);
    }
}
