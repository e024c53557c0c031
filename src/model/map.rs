//! One map for all that is found by a few numbers: each of std's is some kilobytes for each type of its keys and values.

use std::collections::HashMap;

/// What a [`Map`] finds its values by.
pub(crate) trait Key: Copy {
    /// Other numbers for each key.
    fn numbers(self) -> [u32; 3];
}

impl Key for usize {
    fn numbers(self) -> [u32; 3] {
        [self as u32, 0, 0]
    }
}

impl Key for (usize, usize) {
    fn numbers(self) -> [u32; 3] {
        [self.0 as u32, self.1 as u32, 0]
    }
}

impl Key for (usize, usize, usize) {
    fn numbers(self) -> [u32; 3] {
        [self.0 as u32, self.1 as u32, self.2 as u32]
    }
}

/// A map that keeps the order in which its keys came.
#[derive(Debug, Clone)]
pub(crate) struct Map<K, V> {
    places: HashMap<[u32; 3], usize>,
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self { places: HashMap::new(), entries: Vec::new() }
    }
}

impl<K: Key, V> Map<K, V> {
    /// The value of a key.
    pub(crate) fn get(&self, key: K) -> Option<&V> {
        let place = self.places.get(&key.numbers())?;
        self.entries.get(*place).map(|(_, value)| value)
    }

    /// Sets the value of a key.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let end = self.entries.len();
        let place = *self.places.entry(key.numbers()).or_insert(end);
        match self.entries.get_mut(place) {
            Some((_, old)) => *old = value,
            None => self.entries.push((key, value)),
        }
    }

    /// The value of a key, made now if there is none.
    pub(crate) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &V {
        let end = self.entries.len();
        let place = *self.places.entry(key.numbers()).or_insert(end);
        if place == end {
            self.entries.push((key, make()));
        }
        &self.entries[place].1
    }

    /// The keys with their values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.entries.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Map;

    #[test]
    fn the_last_value_of_a_key_counts_in_the_place_of_the_first() {
        let mut map = Map::default();
        for (key, value) in [((1, 2), 'a'), ((2, 1), 'b'), ((1, 2), 'c')] {
            map.insert(key, value);
        }
        assert_eq!(map.iter().collect::<Vec<_>>(), [&((1, 2), 'c'), &((2, 1), 'b')]);
        assert_eq!(
            [*map.get_or_insert_with((1, 2), || 'd'), *map.get_or_insert_with((3, 3), || 'e')],
            ['c', 'e']
        );
        assert_eq!([map.get((1, 2)), map.get((2, 1)), map.get((2, 2))], [Some(&'c'), Some(&'b'), None]);
    }
}
