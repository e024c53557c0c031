//! One map for all that is found by a few numbers: each of std's is some kilobytes for each type of its keys and values.

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
    places: Places,
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self { places: Places::default(), entries: Vec::new() }
    }
}

impl<K: Key, V> Map<K, V> {
    /// The value of a key.
    pub(crate) fn get(&self, key: K) -> Option<&V> {
        let place = self.places.find(key.numbers())?;
        self.entries.get(place).map(|(_, value)| value)
    }

    /// Sets the value of a key.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        match self.entries.get_mut(self.places.find_or_add(key.numbers())) {
            Some((_, old)) => *old = value,
            None => self.entries.push((key, value)),
        }
    }

    /// The value of a key, made now if there is none.
    pub(crate) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &V {
        let place = self.places.find_or_add(key.numbers());
        if place == self.entries.len() {
            self.entries.push((key, make()));
        }
        &self.entries[place].1
    }

    /// The keys with their values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.entries.iter()
    }
}

/// Which key came when: a tree that branches at the bits in which keys differ, so that no choice of keys makes it deeper than they
/// have bits.
#[derive(Debug, Clone, Default)]
struct Places {
    keys: Vec<[u32; 3]>,
    branches: Vec<Branch>,
    /// As the two ends of a branch.
    root: i32,
}

#[derive(Debug, Clone)]
struct Branch {
    /// Counted from the top one of the first number; greater than that of the branch above.
    bit: u32,
    /// Where keys are without the bit, and with it: another branch, or the complement of a key's place.
    ends: [i32; 2],
}

impl Places {
    fn find(&self, key: [u32; 3]) -> Option<usize> {
        let place = self.likely(key);
        (self.keys.get(place) == Some(&key)).then_some(place)
    }

    /// The only place where the key can be.
    fn likely(&self, key: [u32; 3]) -> usize {
        let mut end = self.root;
        while let Some(branch) = self.branches.get(end as usize) {
            end = branch.ends[has(key, branch.bit)];
        }
        !end as usize
    }

    /// The place of a key, which is a new one at the end if there is none.
    fn find_or_add(&mut self, key: [u32; 3]) -> usize {
        let (likely, new) = (self.likely(key), self.keys.len());
        let differs =
            |other: &[u32; 3]| (0..3).find(|i| other[*i] != key[*i]).map(|i| (i, other[i] ^ key[i]));
        let Some(known) = self.keys.get(likely) else {
            self.keys.push(key);
            self.root = !0;
            return new;
        };
        let Some((number, bits)) = differs(known) else { return likely };
        let bit = 32 * number as u32 + bits.leading_zeros();
        let (mut above, mut end) = (None, self.root);
        while let Some(branch) = self.branches.get(end as usize).filter(|branch| branch.bit < bit) {
            let side = has(key, branch.bit);
            above = Some((end as usize, side));
            end = branch.ends[side];
        }
        let mut ends = [end; 2];
        ends[has(key, bit)] = !(new as i32);
        match above {
            Some((branch, side)) => self.branches[branch].ends[side] = self.branches.len() as i32,
            None => self.root = self.branches.len() as i32,
        }
        self.branches.push(Branch { bit, ends });
        self.keys.push(key);
        new
    }
}

/// 1 if the key has the bit.
fn has(key: [u32; 3], bit: u32) -> usize {
    (key[(bit / 32) as usize] << (bit % 32) >> 31) as usize
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

    #[test]
    fn it_finds_what_std_finds() {
        let mut state = 1_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for below in [2, 5, 300, 1 << 24] {
            let (mut map, mut oracle) = (Map::default(), std::collections::HashMap::new());
            for value in 0..2000 {
                let key = (next(below) as usize, next(3) as usize * 0x7FFF_FFFF, next(below) as usize);
                map.insert(key, value);
                oracle.insert(key, value);
            }
            assert_eq!(map.iter().count(), oracle.len());
            for (key, value) in &oracle {
                assert_eq!(map.get(*key), Some(value));
            }
            for _ in 0..2000 {
                let key = (next(below) as usize, 0, next(below) as usize);
                assert_eq!(map.get(key), oracle.get(&key));
            }
        }
        assert_eq!(Map::<usize, ()>::default().get(0), None);
    }
}
